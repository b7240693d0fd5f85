/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rel_places.h - which section the addresses in a relocatable file's DWARF are in
 *
 * A number alone does not tell: it may be the end of one section or lie before another, or be no
 * address at all. The relocation of its bytes names a symbol, and that has a section.
 */
#ifndef LOCS_REL_PLACES_H
#define LOCS_REL_PLACES_H

#include "elf_reloc.h"

/* The relocations of one section of DWARF. All zero: there are none. */
struct rel_places {
	const uint8_t *bytes;	/* the section's, relocated, in memory */
	size_t size;
	struct rel_table table;
	uint32_t *order;	/* by offset; NULL: the table is in that order */
	bool unknown;		/* several tables: nothing is said */
};

/* @p: to be rel_places__free()d. -ENOMEM, -EBADMSG. */
int rel_places__init(struct rel_places *p, const struct rel_index *ix, Elf_Scn *scn,
		     const uint8_t *bytes, size_t size);
void rel_places__free(struct rel_places *p);

/* Whether the @len bytes at @at are of this section. */
bool rel_places__holds(const struct rel_places *p, const uint8_t *at, size_t len);
/* How many relocations stand in the @len bytes at @at, which are of this section; SIZE_MAX: ? */
size_t rel_places__count(const struct rel_places *p, const uint8_t *at, size_t len);
/*
 * The section that the address in the @size bytes at @at is in, by the one relocation of them.
 * 0: not known; it is of no symbol that is in the file.
 */
uint32_t rel_places__section(const struct rel_places *p, const uint8_t *at, unsigned int size);

#endif
