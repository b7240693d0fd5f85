// SPDX-License-Identifier: GPL-2.0-only
/*
 * dwarf_loader_calls.c - constants of clones, confirmed by their callers
 *
 * That a clone's parameter is a constant throughout (DW_AT_const_value) can be because all pass
 * it, and because nobody passes the parameter and the body assigns it first of all: the two are the
 * same DWARF. But gcc keeps what a call would have passed for a dropped parameter (DWARF 5,
 * 3.4.2: DW_AT_call_parameter), and its callers are in the unit.
 */
#include "dwarf_loader_internal.h"

#include <dwarf.h>
#include <errno.h>

#include "lib/die.h"
#include "lib/locs_format.h"

#define NESTING_MAX	2000	/* entries within entries */

/* Before DWARF 5; not all of them are in every dwarf.h. */
enum {
	TAG_GNU_CALL_SITE = 0x4109,
	TAG_GNU_CALL_SITE_PARAMETER = 0x410a,
	AT_GNU_CALL_SITE_VALUE = 0x2111,
};

int loader__claim(struct dwarf_loader_locs *ldr, uint32_t func, uint32_t i, size_t loc,
		  const struct loc *value)
{
	const void *param = ldr->params[ldr->infos[func].first_param + i].die;
	int err = array__room(ldr->claims, ldr->nr_claims, ldr->cap_claims, 1);

	if (!err)
		ldr->claims[ldr->nr_claims++] = (struct claim){
			.param = param, .loc = loc, .value = *value,
			.type = *loader__param_type(ldr, func, i),
		};
	return err;
}

/* What a call passes for the parameter of a claim. */
static void read_value(struct dwarf_loader_locs *ldr, Dwarf_Die *die, struct claim *c)
{
	Dwarf_Attribute attr;
	struct loc l;

	if (!dwarf_attr(die, DW_AT_call_value, &attr) &&
	    !dwarf_attr(die, AT_GNU_CALL_SITE_VALUE, &attr))
		return;
	c->seen = true;
	if (param_loc__const(&ldr->unit, &attr, &c->type, &l) != LOC_OK || l.val != c->value.val)
		c->denied = true;
}

static void read_call_param(struct dwarf_loader_locs *ldr, Dwarf_Die *die, bool old)
{
	Dwarf_Die param;
	size_t i;

	if (die__ref(die, old ? DW_AT_abstract_origin : DW_AT_call_parameter, &param))
		return;
	for (i = 0; i < ldr->nr_claims; i++)
		if (ldr->claims[i].param == param.addr)
			read_value(ldr, die, &ldr->claims[i]);
}

static bool holds_calls(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_call_site ||
	       tag == TAG_GNU_CALL_SITE || tag == DW_TAG_namespace;
}

static void walk_calls(struct dwarf_loader_locs *ldr, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;
	int ret, tag;

	ret = dwarf_haschildren(die) && depth < NESTING_MAX ? die__child(die, &child) : 1;
	/* siblings that point back: as in walk() */
	for (; !ret && ldr->walked++ <= ldr->obj.info_size; ret = die__next(&child, &child)) {
		tag = dwarf_tag(&child);
		if (tag == DW_TAG_call_site_parameter || tag == TAG_GNU_CALL_SITE_PARAMETER)
			read_call_param(ldr, &child, tag == TAG_GNU_CALL_SITE_PARAMETER);
		if (holds_calls(tag))
			walk_calls(ldr, &child, depth + 1);
	}
}

void loader__settle_claims(struct dwarf_loader_locs *ldr)
{
	struct locs_set *set = ldr->set;
	size_t i;

	if (!ldr->nr_claims)
		return;
	ldr->walked = 0;
	walk_calls(ldr, &ldr->unit.die, 0);
	for (i = 0; i < ldr->nr_claims; i++) {
		const struct claim *c = &ldr->claims[i];

		if (!c->seen || c->denied)
			continue;
		set->locs[c->loc] = c->value;
		set->reasons[c->loc] = LOC_OK;
	}
	ldr->nr_claims = 0;
}
