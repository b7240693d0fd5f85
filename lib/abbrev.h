/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * abbrev.h - which attributes an entry has, known by its abbreviation
 *
 * A unit has a million entries and a few hundred abbreviations (DWARF 5, 7.5.3): most entries
 * can be passed over without a look at their attributes.
 */
#ifndef LOCS_ABBREV_H
#define LOCS_ABBREV_H

#include <elfutils/libdw.h>

#include "die_map.h"

enum {
	ABBREV_ORIGIN = 1,	/* DW_AT_abstract_origin */
	ABBREV_CODE = 2,	/* DW_AT_low_pc, DW_AT_entry_pc or DW_AT_ranges */
	ABBREV_DECL = 4,	/* DW_AT_declaration */
	ABBREV_INLINE = 8,	/* DW_AT_inline */
};

/*
 * ABBREV_* of @die, whose tag has been asked for. @seen: what is known already; die_map__clear() it
 * for each unit. 0 or -ENOMEM.
 */
int abbrev__attrs(struct die_map *seen, Dwarf_Die *die, uint32_t *attrs);

#endif
