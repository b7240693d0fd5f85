/* SPDX-License-Identifier: GPL-2.0-only */
/* place.h - an address, a symbol or a section, with an offset, as a user writes it */
#ifndef CMD_PLACE_H
#define CMD_PLACE_H

#include "cmd.h"

struct place {
	char *section;		/* the section that @addr is an offset into; NULL: none */
	uint64_t addr;		/* as linked, or offset */
};

/*
 * @text: an address (0x..., decimal digits, or the 16 hex digits of nm), SYMBOL or
 * SYMBOL+OFFSET, SECTION+OFFSET of a section that a LOCSEC of @locs names.
 * Symbols are those of @file; of the object that a detached @file stands beside; of the
 * first -B that is an ELF file; of what -k or --running found, without those, of the kernel's
 * vmlinux of that build, else of its System.map. Prints what is wrong: 0 or a negative errno.
 * free(section).
 */
int place__parse(const struct cmd_opts *opts, const struct btf_locs *locs,
		 const char *file, const char *text, struct place *out);

#endif
