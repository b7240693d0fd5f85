/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site.h - an inline site: where it is, of what, called from where
 */
#ifndef LOCS_SITE_H
#define LOCS_SITE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "unit.h"

/* A position in the source; 0 where it is not known. */
struct call_pos {
	const char *file;	/* NULL: @file_nr counts in the unit's own table */
	uint64_t file_nr;
	uint64_t line;
	uint64_t column;
};

/* Where the function @die is declared, as seen from unit @u. */
void call_pos__of_decl(struct call_pos *pos, const struct unit *u, Dwarf_Die *die);
/* Whether a call in unit @u stands where a function is declared. */
bool call_pos__same(const struct unit *u, const struct call_pos *call,
		    const struct call_pos *decl);

struct site {
	bool has_origin;
	bool has_addr;
	bool guess;		/* no entry is stated, or none to believe: its first range's begin */
	Dwarf_Die origin;
	uint64_t addr;
	bool stated;		/* by an attribute: it, or what it is counted from */
	Dwarf_Attribute at;	/* that one */
	bool has_view;
	uint64_t view;		/* DW_AT_GNU_entry_view, 0 without */
	struct call_pos call;
};

/*
 * Reads a DW_TAG_inlined_subroutine (DWARF 5, 3.3.8.2), or where a DW_TAG_subprogram is. The entry
 * is DW_AT_entry_pc, else DW_AT_low_pc, else the first range that is not empty (2.17, 2.18).
 * DW_AT_entry_pc is believed inside a range of the DIE or at its end: a program that rewrites
 * binaries (llvm-bolt) leaves it behind. -EBADMSG: malformed.
 */
int site__read(Dwarf_Die *die, struct site *out);

/* Where the @nr-th range of @die begins, of those that are not empty. 0, 1: none, -EBADMSG. */
int die__range(Dwarf_Die *die, unsigned int nr, uint64_t *begin);
/* Each of them in turn; @pos: 0 at first. */
int die__next_range(Dwarf_Die *die, ptrdiff_t *pos, uint64_t *begin);

/*
 * The range of @die that holds @addr, or ends there: an entry may be the end of its scope (DWARF 5,
 * 2.18). 0 and *@begin and *@end, 1: none does, -ENOENT: it has no range at all, -EBADMSG.
 */
int die__range_of(Dwarf_Die *die, uint64_t addr, uint64_t *begin, uint64_t *end);

/* Like dwarf_getattrs(), the attributes of @die in one go; @nr at most. */
struct attr_slot {
	unsigned int name;
	bool set;
	Dwarf_Attribute attr;
};
int die__attrs(Dwarf_Die *die, struct attr_slot *slots, size_t nr);

#endif
