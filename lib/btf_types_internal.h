/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_types_internal.h - shared by the type resolver's two files */
#ifndef LOCS_BTF_TYPES_INTERNAL_H
#define LOCS_BTF_TYPES_INTERNAL_H

#include "btf_types.h"
#include "die.h"
#include "die_map.h"
#include "pair_graph.h"

#define DEPTH_MAX	200		/* types within types */
#define TREF_MAX	0x80000000u
/*
 * For the types of one function, elements and pairs that are compared: 110 at most in a vmlinux
 * of Linux 6.12, 10,578 in its xfs.ko upon a base that disagrees. And pairs in a unit. Past them
 * a type counts as one that the base lacks, and is described anew.
 */
#define STEPS_MAX	1000000
#define PAIRS_MAX	1000000

struct btf_types {
	const struct btf_chain *chain;
	uint32_t nr_base;		/* ids below are the base's */
	uint32_t first_top;		/* those of its top level are at least this; 0: it has one level */
	struct locs_set *set;		/* the unit's, borrowed */
	struct die_map memo;		/* DIE -> tref */
	struct pair_graph pairs;	/* DIEs and the base's types: whether they are the same */
	bool limited;			/* a bound was met for the prototype at hand */
	unsigned int depth;
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

#define ID_LENIENT	0x80000000u	/* with a pair's id: the comparison is lenient */

/*
 * Whether the type at @die, which is no base type, is @id in structure: its own name and what it
 * is made of. A composite whose name only one type of the base has is that one. With
 * @lenient a declaration is any definition of its name, where the top level and one below have
 * different ones. 1, 0, or -ENOMEM.
 */
int btf_types__same(struct btf_types *bt, Dwarf_Die *die, uint32_t id, bool lenient);
/* The one type of the base with this name, its twins aside; 0: none, or several. */
uint32_t btf_types__only(const struct btf_types *bt, uint32_t kind, const char *name);
/* The base's id of a base type, or of what a declaration (of a struct, ...) declares; 0: none. */
uint32_t btf_types__find_plain(const struct btf_types *bt, Dwarf_Die *die);
int btf_types__remember(struct btf_types *bt, Dwarf_Die *die, uint32_t ref);
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
