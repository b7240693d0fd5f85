// SPDX-License-Identifier: GPL-2.0-only
/*
 * dwarf_loader_types.c - what is known of the types of a unit's parameters
 *
 * Many parameters are of few types, and one can take a walk over thousands of entries: the sign of
 * an enumeration, the members of a struct.
 */
#include "dwarf_loader_internal.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/abi_type.h"
#include "lib/die.h"

struct known_abi {
	int err;		/* of abi_type__read() */
	struct abi_type type;
};

int loader_types__init(struct loader_types *types)
{
	return die_map__init(&types->locs) || die_map__init(&types->abis) ? -ENOMEM : 0;
}

void loader_types__free(struct loader_types *types)
{
	die_map__free(&types->locs);
	die_map__free(&types->abis);
	free(types->loc);
	free(types->abi);
}

void loader_types__clear(struct loader_types *types)
{
	die_map__clear(&types->locs);
	die_map__clear(&types->abis);
	types->nr_loc = types->nr_abi = 0;
}

static void read_type(struct dwarf_loader_locs *ldr, Dwarf_Die *type, struct loc_type *out)
{
	struct loader_types *t = &ldr->types;
	const struct die_slot *s = die_map__find(&t->locs, type->addr);

	if (s) {
		*out = t->loc[s->val];
		return;
	}
	die__loc_type(type, ldr->unit.addr_size, out);
	/* without memory it is read again */
	if (!array__room(t->loc, t->nr_loc, t->cap_loc, 1) &&
	    !die_map__add(&t->locs, type->addr, t->nr_loc))
		t->loc[t->nr_loc++] = *out;
}

const struct loc_type *loader__param_type(struct dwarf_loader_locs *ldr, uint32_t func,
					  uint32_t i)
{
	struct fparam *p = &ldr->params[ldr->infos[func].first_param + i];
	Dwarf_Die die = { .addr = (void *)p->die, .cu = ldr->set->funcs[func].cu }, type;

	if (!p->typed && !die__type(&die, &type))
		read_type(ldr, &type, &p->type);
	p->typed = true;
	return &p->type;
}

int loader__abi_type(struct dwarf_loader_locs *ldr, Dwarf_Die *type, struct abi_type *out)
{
	struct loader_types *t = &ldr->types;
	const struct die_slot *s = die_map__find(&t->abis, type->addr);
	struct known_abi known;

	if (s) {
		if (!t->abi[s->val].err)
			*out = t->abi[s->val].type;
		return t->abi[s->val].err;
	}
	known.err = abi_type__read(type, ldr->unit.addr_size, &known.type);
	if (!array__room(t->abi, t->nr_abi, t->cap_abi, 1) &&
	    !die_map__add(&t->abis, type->addr, t->nr_abi))
		t->abi[t->nr_abi++] = known;
	if (!known.err)
		*out = known.type;
	return known.err;
}
