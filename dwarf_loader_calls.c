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
#include <stdlib.h>

#include "lib/die.h"
#include "lib/locs_format.h"

#define NO_CLAIM	SIZE_MAX

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

/* Of one parameter together, of those the same constants together. */
static int by_param(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	const struct loc *l = &x->value, *m = &y->value;

	if (x->param != y->param)
		return (uintptr_t)x->param < (uintptr_t)y->param ? -1 : 1;
	if (l->size != m->size)
		return l->size < m->size ? -1 : 1;
	if (l->flags != m->flags)
		return l->flags < m->flags ? -1 : 1;
	return (l->val > m->val) - (l->val < m->val);
}

static bool same_claim(const struct claim *a, const struct claim *b)
{
	return !by_param(a, b);
}

/*
 * Sorts the claims, and links those of a parameter that differ: first->live, then each one's
 * next. What one call denies need not be asked again.
 */
static void link_claims(struct dwarf_loader_locs *ldr)
{
	struct claim *c = ldr->claims;
	size_t i, last = 0;

	qsort(c, ldr->nr_claims, sizeof(*c), by_param);
	for (i = 0; i < ldr->nr_claims; i++) {
		c[i].next = NO_CLAIM;
		if (!i || c[i].param != c[i - 1].param)
			c[i].live = i;
		else if (!same_claim(&c[i], &c[i - 1]))
			c[last].next = i;
		else
			continue;
		last = i;
	}
}

/* The first claim of a parameter, or NULL. */
static struct claim *first_claim(const struct dwarf_loader_locs *ldr, const void *param)
{
	size_t lo = 0, hi = ldr->nr_claims, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if ((uintptr_t)ldr->claims[mid].param < (uintptr_t)param)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < ldr->nr_claims && ldr->claims[lo].param == param ? &ldr->claims[lo] : NULL;
}

static void read_call_param(struct dwarf_loader_locs *ldr, Dwarf_Die *die, bool old)
{
	struct claim *first, *c;
	Dwarf_Die param;
	size_t *link;

	if (die__ref(die, old ? DW_AT_abstract_origin : DW_AT_call_parameter, &param))
		return;
	first = first_claim(ldr, param.addr);
	for (link = first ? &first->live : NULL; link && *link != NO_CLAIM;) {
		c = &ldr->claims[*link];
		read_value(ldr, die, c);
		if (c->denied)
			*link = c->next;
		else
			link = &c->next;
	}
}

static bool holds_calls(const struct dwarf_loader_locs *ldr, int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_call_site || tag == TAG_GNU_CALL_SITE ||
	       loader__holds_code(ldr, tag);
}

/* Whether all calls in @die have been seen. */
static bool walk_calls(struct dwarf_loader_locs *ldr, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;
	int ret, tag;

	if (!dwarf_haschildren(die))
		return true;
	if (depth > NESTING_MAX)
		return false;
	for (ret = die__child(die, &child); !ret; ret = die__next(&child, &child)) {
		/* siblings that point back: as in walk() */
		if (ldr->walked++ > ldr->obj.info_size)
			return false;
		tag = dwarf_tag(&child);
		if (tag == DW_TAG_call_site_parameter || tag == TAG_GNU_CALL_SITE_PARAMETER)
			read_call_param(ldr, &child, tag == TAG_GNU_CALL_SITE_PARAMETER);
		if (holds_calls(ldr, tag) && !walk_calls(ldr, &child, depth + 1))
			return false;
	}
	return ret > 0;
}

void loader__settle_claims(struct dwarf_loader_locs *ldr)
{
	struct locs_set *set = ldr->set;
	const struct claim *c, *asked = NULL;
	size_t i;

	if (!ldr->nr_claims)
		return;
	link_claims(ldr);
	ldr->walked = 0;
	/* one that was not seen may pass something else */
	if (!walk_calls(ldr, &ldr->unit.die, 0))
		ldr->nr_claims = 0;
	for (i = 0; i < ldr->nr_claims; i++) {
		c = &ldr->claims[i];
		if (!asked || !same_claim(c, asked))
			asked = c;
		if (!asked->seen || asked->denied)
			continue;
		set->locs[c->loc] = c->value;
		set->reasons[c->loc] = LOC_OK;
	}
	ldr->nr_claims = 0;
}
