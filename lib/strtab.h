/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strtab.h - strings of the section that the base does not have, each once
 *
 * Offsets count from the table's first byte; where the table stands in the section's
 * strings is known only when all is written.
 */
#ifndef LOCS_STRTAB_H
#define LOCS_STRTAB_H

#include <stddef.h>
#include <stdint.h>

struct strtab {
	char *data;
	size_t len, cap;
	uint32_t *slots;	/* offset + 1, 0: free */
	size_t mask;
	size_t used;
};

int strtab__init(struct strtab *st);		/* 0 or -ENOMEM */
void strtab__free(struct strtab *st);
/* The offset of @str, added if it was not there. -ENOMEM, -EOVERFLOW past 1 GiB. */
int64_t strtab__add(struct strtab *st, const char *str);

#endif
