/* SPDX-License-Identifier: GPL-2.0-only */
/* dwarf_loader_internal.h - shared by the loader's files */
#ifndef DWARF_LOADER_INTERNAL_H
#define DWARF_LOADER_INTERNAL_H

#include "dwarf_loader_locs.h"

#include <dwarf.h>

#include "lib/abbrev.h"
#include "lib/abi.h"
#include "lib/die_map.h"
#include "lib/func_prologue.h"
#include "lib/loc_index.h"
#include "lib/param_loc.h"
#include "lib/site.h"

/* A parameter of a function with records in this unit. */
struct fparam {
	const void *die;	/* its entry in the abstract instance */
	bool typed;		/* @type is known: see loader__param_type() */
	struct loc_type type;
};

/* What must be known of a function while its unit is read; goes with set->funcs. */
struct finfo {
	uint32_t first_param;	/* index into the loader's params */
	bool variadic;
	struct call_pos decl;
};

/* A parameter of the out-of-line function at hand. */
struct argument {
	Dwarf_Die die;		/* its entry there */
	bool there;		/* that is known */
	bool is_list;		/* with a location list */
	enum abi_where where;	/* by the calling convention ... */
	struct loc place;	/* ... and where, if ABI_PLACED */
};

/* A constant that a clone's parameter is said to be. */
struct claim {
	const void *param;	/* its entry in the abstract instance */
	size_t loc;		/* index into set->locs */
	struct loc value;
	struct loc_type type;	/* of the parameter */
	bool seen;		/* a call names what it would have passed ... */
	bool denied;		/* ... and that is something else */
	/* indexes while calls are read: the parameter's first that none has denied ... */
	size_t live;
	size_t next;		/* ... and the next one, of another constant */
};

struct known_abi;

/* What is known of types of the unit at hand, each by where its entry is. */
struct loader_types {
	struct die_map locs;	/* -> index into @loc, what locations must know */
	struct loc_type *loc;
	size_t nr_loc, cap_loc;
	struct die_map abis;	/* -> index into @abi, what conventions must know */
	struct known_abi *abi;
	size_t nr_abi, cap_abi;
};

struct dwarf_loader_locs {
	struct dwarf_loader_opts opts;
	struct object obj;
	const struct abi *abi;	/* NULL: the machine's is not known */
	struct frame_cfi *cfi;
	struct func_prologue prologue;
	struct die_map funcs;	/* abstract instance -> index into set->funcs */
	struct die_map abbrevs;	/* see abbrev__attrs() */
	struct finfo *infos;
	size_t nr_infos, cap_infos;
	struct fparam *params;
	size_t nr_params, cap_params;
	struct die_map many;	/* a parameter of a function of many -> index into params */
	struct argument *args;
	size_t cap_args;
	struct claim *claims;
	size_t nr_claims, cap_claims;
	struct loader_types types;
	struct loc_index lists;
	struct merged *merged;	/* what loader__add_merged() keeps */
	/* the unit at hand */
	struct unit unit;
	size_t walked;		/* entries so far */
	struct locs_set *set;
	struct btf_locs_err *err;
};

#define NESTING_MAX	2000	/* entries within entries: a stack frame or two each */

/* -EBADMSG, with a line that names the entry. */
int loader__malformed(struct dwarf_loader_locs *ldr, Dwarf_Die *die, const char *what);
/* The function that @origin is, or is an instance of: its index in the set. */
int loader__find_func(struct dwarf_loader_locs *ldr, Dwarf_Die *origin, uint32_t *func);
/* Which parameter of the function an entry of an instance is, -1: none. */
int loader__param_index(struct dwarf_loader_locs *ldr, uint32_t func, Dwarf_Die *child);
/* dwarf_loader_types.c: what a location must know of a parameter's type. */
const struct loc_type *loader__param_type(struct dwarf_loader_locs *ldr, uint32_t func,
					  uint32_t i);
/* What a convention must know of @type: abi_type__read(), once for each type of the unit. */
int loader__abi_type(struct dwarf_loader_locs *ldr, Dwarf_Die *type, struct abi_type *out);
int loader_types__init(struct loader_types *types);	/* 0 or -ENOMEM */
void loader_types__free(struct loader_types *types);
void loader_types__clear(struct loader_types *types);

/* Whether functions, sites and calls can stand in an entry that is none itself. */
static inline bool loader__holds_code(const struct dwarf_loader_locs *ldr, int tag)
{
	switch (tag) {
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_with_stmt:
		return true;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		/* in other languages than C */
		return ldr->unit.types_hold_code;
	default:
		return false;
	}
}

/* Takes room for a record and its locations, none of them known yet. */
int loader__add_rec(struct dwarf_loader_locs *ldr, const struct set_rec *rec);
/* Section and offset of an address; SKIP_NR_REASONS where they are fine. */
enum skip_reason loader__place(struct dwarf_loader_locs *ldr, uint64_t addr,
			       struct set_rec *rec);
/* The same of what is at @at. A number that is no symbol's address is thrown away in a .o. */
enum skip_reason loader__place_site(struct dwarf_loader_locs *ldr, const struct site *at,
				    struct set_rec *rec);

/*
 * dwarf_loader_funcs.c: the record of the function @func, an out-of-line instance of which is @die,
 * with its code at @at.
 */
int loader__add_function(struct dwarf_loader_locs *ldr, Dwarf_Die *die,
			 const struct site *at, uint32_t func, struct param_frame *frame);
/*
 * dwarf_loader_merged.c: the same for a function that the DWARF defines and gives no code: gcc
 * merges equal functions (-fipa-icf), and what is left of one calls or is the other. Nothing where
 * it has no symbol.
 */
int loader__add_merged(struct dwarf_loader_locs *ldr, Dwarf_Die *die);
void merged__free(struct merged *merged);	/* NULL is accepted */

/*
 * dwarf_loader_calls.c: notes that parameter @i of the function @func, whose location is
 * set->locs[@loc], is said to be @value throughout a clone; and, at the unit's end, takes what the
 * calls confirm. -ENOMEM.
 */
int loader__claim(struct dwarf_loader_locs *ldr, uint32_t func, uint32_t i, size_t loc,
		  const struct loc *value);
void loader__settle_claims(struct dwarf_loader_locs *ldr);

#endif
