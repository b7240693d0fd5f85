/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_types_internal.h - shared by the type resolver's two files */
#ifndef LOCS_BTF_TYPES_INTERNAL_H
#define LOCS_BTF_TYPES_INTERNAL_H

#include "btf_types.h"
#include "die.h"
#include "die_map.h"

#define DEPTH_MAX	200		/* types within types */
#define STEPS_MAX	1000000		/* enough for any kernel; bounds hostile input */
#define MEMO_ASSUMED	0x80000000u	/* on trial: taken for this id meanwhile */
#define MEMO_NONE	0xffffffffu	/* forgotten again */

struct btf_types {
	const struct btf_chain *chain;
	uint32_t nr_base;		/* ids below are the base's */
	struct locs_set *set;		/* the unit's, borrowed */
	struct die_map memo;		/* DIE -> tref, perhaps MEMO_ASSUMED */
	const void **trail;		/* what was remembered during trials */
	size_t nr_trail, cap_trail;
	unsigned int trials;		/* how many candidates are on trial */
	unsigned int depth;
	unsigned int steps;		/* types compared for the prototype at hand */
	tref_t array_index;		/* 0: not looked for yet */
	struct btf_proto_param *params;	/* a stack: prototypes nest */
	size_t nr_params, cap_params;
};

/* What a struct, union or enum is looked up by where it has no name. */
struct composite {
	uint32_t size;
	uint32_t vlen;
	const char *first;		/* name of the first member or enumerator */
};

int btf_types__remember(struct btf_types *bt, Dwarf_Die *die, uint32_t val);
/*
 * Whether @die is @id, for which it is taken while it is looked at. 1: it is, *@out is @id
 * and it is remembered; 0; or a negative errno.
 */
int btf_types__try(struct btf_types *bt, Dwarf_Die *die, uint32_t id, tref_t *out);
/*
 * Whether the type at @die has the form that @id describes, its own name and what it is made
 * of: 1, 0, or a negative errno. Named types that it refers to are resolved, and compared
 * by id.
 */
int btf_types__same_shape(struct btf_types *bt, Dwarf_Die *die, uint32_t id);
/* Adds a type to the unit's own. */
int btf_types__add(struct btf_types *bt, const struct set_type *t, tref_t *out);

/* The text of a btf_type_tag annotation, NULL if @die is none. */
const char *btf_types__type_tag(Dwarf_Die *die);
/* ENUM, or ENUM64 where it has 8 bytes. */
int btf_types__enum_kind(Dwarf_Die *die, uint32_t *kind);
int btf_types__measure(Dwarf_Die *die, uint32_t kind, struct composite *out);
int btf_types__add_struct(struct btf_types *bt, Dwarf_Die *die, uint32_t kind,
			  tref_t *out);
int btf_types__add_enum(struct btf_types *bt, Dwarf_Die *die, uint32_t kind, tref_t *out);

#endif
