// SPDX-License-Identifier: GPL-2.0-only
/* abbrev.c - which attributes an entry has, known by its abbreviation */
#include "abbrev.h"

#include <dwarf.h>

static uint32_t attr_bit(unsigned int name)
{
	switch (name) {
	case DW_AT_abstract_origin:
		return ABBREV_ORIGIN;
	case DW_AT_low_pc:
	case DW_AT_entry_pc:
	case DW_AT_ranges:
		return ABBREV_CODE;
	case DW_AT_declaration:
		return ABBREV_DECL;
	case DW_AT_inline:
		return ABBREV_INLINE;
	default:
		return 0;
	}
}

int abbrev__attrs(struct die_map *seen, Dwarf_Die *die, uint32_t *attrs)
{
	const struct die_slot *s = die_map__find(seen, die->abbrev);
	unsigned int name, form;
	Dwarf_Off off;
	size_t i;

	if (s) {
		*attrs = s->val;
		return 0;
	}
	*attrs = 0;
	for (i = 0; !dwarf_getabbrevattr(die->abbrev, i, &name, &form, &off); i++)
		*attrs |= attr_bit(name);
	return die_map__add(seen, die->abbrev, *attrs);
}
