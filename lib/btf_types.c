// SPDX-License-Identifier: GPL-2.0-only
/* btf_types.c - a DWARF type -> its id in the base BTF, or a type of the unit's own */
#include "btf_types_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct btf_types *btf_types__new(const struct btf_chain *chain)
{
	struct btf_types *bt = calloc(1, sizeof(*bt));
	struct btf_level_info top;

	if (!bt)
		return NULL;
	bt->chain = chain;
	bt->nr_base = btf_chain__nr_types(chain);
	if (die_map__init(&bt->memo)) {
		free(bt);
		return NULL;
	}
	pair_graph__init(&bt->pairs, PAIRS_MAX, STEPS_MAX);
	if (btf_chain__nr_levels(chain) > 1 &&
	    !btf_chain__level(chain, btf_chain__nr_levels(chain) - 1, &top))
		bt->first_top = top.first_type;
	return bt;
}

void btf_types__free(struct btf_types *bt)
{
	if (!bt)
		return;
	die_map__free(&bt->memo);
	pair_graph__free(&bt->pairs);
	free(bt->params);
	free(bt);
}

void btf_types__begin(struct btf_types *bt, struct locs_set *set)
{
	die_map__clear(&bt->memo);
	pair_graph__clear(&bt->pairs);
	bt->depth = 0;
	bt->set = set;
	bt->array_index = 0;
}

bool btf_types__limited(const struct btf_types *bt)
{
	return bt->limited;
}

int btf_types__remember(struct btf_types *bt, Dwarf_Die *die, uint32_t ref)
{
	return die_map__add(&bt->memo, die->addr, ref);
}

int btf_types__add(struct btf_types *bt, const struct set_type *t, tref_t *out)
{
	struct locs_set *set = bt->set;
	int err = array__room(set->types, set->nr_types, set->cap_types, 1);

	if (err)
		return err;
	if (set->nr_types >= TREF_MAX - bt->nr_base)
		return -EOVERFLOW;
	set->types[set->nr_types] = *t;
	*out = bt->nr_base + set->nr_types++;
	return 0;
}

/* A modifier or pointer to @target. */
static int resolve_ref(struct btf_types *bt, uint32_t kind, const char *name,
		       tref_t target, tref_t *out)
{
	struct set_type t = { .kind = kind, .name = name, .type = target };
	uint32_t id;

	if (target < bt->nr_base) {
		id = btf_chain__find_ref(bt->chain, kind, name, target, 0);
		if (id) {
			*out = id;
			return 0;
		}
	}
	return btf_types__add(bt, &t, out);
}

/* clang's btf_type_tag on a pointer: tags between it and what it points at. */
static int resolve_tags(struct btf_types *bt, Dwarf_Die *ptr, tref_t *target)
{
	Dwarf_Die tag;
	const char *text;
	int ret, err;

	if (!dwarf_haschildren(ptr))
		return 0;
	for (ret = die__child(ptr, &tag); !ret; ret = die__next(&tag, &tag)) {
		text = btf_types__type_tag(&tag);
		if (!text)
			continue;
		err = resolve_ref(bt, BTF_K_TYPE_TAG, text, *target, target);
		if (err)
			return err;
	}
	return ret < 0 ? ret : 0;
}

static int resolve_modifier(struct btf_types *bt, Dwarf_Die *die, uint32_t kind,
			    tref_t *out)
{
	tref_t target = 0;
	Dwarf_Die type;
	int err = die__type(die, &type);

	if (err == -EBADMSG)
		return err;
	err = btf_types__resolve(bt, err ? NULL : &type, &target);
	if (!err && kind == BTF_K_PTR)
		err = resolve_tags(bt, die, &target);
	return err ? err : resolve_ref(bt, kind, "", target, out);
}

/* A base type; a FLOAT is an INT in BTF that was made without --btf_gen_floats. 0: none. */
static uint32_t find_base(const struct btf_types *bt, Dwarf_Die *die, const struct loc_type *lt)
{
	uint32_t kinds[] = { BTF_K_FLOAT, BTF_K_INT }, id;
	struct btf_type_view v;
	size_t i;

	for (i = lt->cls == LOC_C_FLOAT ? 0 : 1; i < 2; i++)
		for (id = 0; (id = btf_chain__find(bt->chain, kinds[i], die__name(die), id));)
			if (!btf_chain__type(bt->chain, id, &v) && v.size == lt->size)
				return id;
	return 0;
}

static int resolve_base(struct btf_types *bt, Dwarf_Die *die, tref_t *out)
{
	struct set_type t = { .name = die__name(die) };
	struct loc_type lt;

	die__loc_type(die, 0, &lt);
	if (!lt.size || lt.size > 16 || !*t.name)
		return -EOPNOTSUPP;
	*out = find_base(bt, die, &lt);
	if (*out)
		return 0;
	t.kind = lt.cls == LOC_C_FLOAT ? BTF_K_FLOAT : BTF_K_INT;
	t.size = lt.size;
	if (t.kind == BTF_K_INT)
		t.extra = lt.size * 8 | (lt.cls == LOC_C_BOOL ? BTF_ENC_BOOL :
					 lt.is_signed ? BTF_ENC_SIGNED : 0) << 24;
	return btf_types__add(bt, &t, out);
}

/* The index type of arrays: what the base's arrays have, else an INT of its or our own. */
static int array_index(struct btf_types *bt, tref_t *out)
{
	struct set_type t = { .kind = BTF_K_INT, .name = "__ARRAY_SIZE_TYPE__", .size = 4,
			      .extra = 32 };
	int err = 0;

	if (!bt->array_index) {
		bt->array_index = btf_chain__find(bt->chain, BTF_K_INT, t.name, 0);
		if (!bt->array_index)
			bt->array_index = btf_chain__find(bt->chain, BTF_K_INT, "int", 0);
		if (!bt->array_index)
			err = btf_types__add(bt, &t, &bt->array_index);
	}
	if (!err)
		*out = bt->array_index;
	return err;
}

static int resolve_array(struct btf_types *bt, Dwarf_Die *die, tref_t *out)
{
	struct set_type t = { .kind = BTF_K_ARRAY, .name = "" };
	uint64_t nelems;
	Dwarf_Die type;
	uint32_t id;
	int err;

	err = die__type(die, &type);
	if (!err)
		err = die__array_nelems(die, &nelems);
	if (!err)
		err = btf_types__resolve(bt, &type, &t.type);
	if (err)
		return err == -ENOENT ? -EBADMSG : err;
	/* pahole cuts it to 32 bits too */
	t.extra = nelems;
	if (t.type < bt->nr_base) {
		id = btf_chain__find_array(bt->chain, t.type, t.extra);
		if (id) {
			*out = id;
			return 0;
		}
	}
	err = array_index(bt, &t.size);
	return err ? err : btf_types__add(bt, &t, out);
}

/* What a type is looked for by: its name, or what its unnamed like have in common. */
struct search {
	uint32_t kind;
	const char *name;
	struct composite c;	/* of one without a name */
};

static uint32_t search__next(const struct btf_types *bt, const struct search *s, uint32_t id)
{
	return *s->name ? btf_chain__find(bt->chain, s->kind, s->name, id) :
			  btf_chain__find_anon(bt->chain, s->kind, s->c.size, s->c.vlen,
					       s->c.first, id);
}

/*
 * The first candidate that is @die, its twins in other levels aside. With @lenient the one that
 * can be @die, -EEXIST where several can. 1: found, 0, or a negative errno.
 */
static int find_candidate(struct btf_types *bt, Dwarf_Die *die, const struct search *s,
			  bool lenient, tref_t *out)
{
	uint32_t id = 0, found = 0;
	int ret;

	while ((!found || lenient) && (id = search__next(bt, s, id))) {
		if (btf_chain__twin(bt->chain, id) != id)
			continue;
		ret = btf_types__same(bt, die, id, lenient);
		if (ret < 0)
			return ret;
		if (ret && found)
			return -EEXIST;
		if (ret)
			found = id;
	}
	if (found)
		*out = found;
	return found != 0;
}

/*
 * A typedef, struct, union or enum that the base has. 1: found. What is the only one that it can
 * be is it; strictness tells several apart.
 */
static int find_type(struct btf_types *bt, Dwarf_Die *die, uint32_t kind, tref_t *out)
{
	struct search s = { .kind = kind, .name = die__name(die) };
	int ret = *s.name ? 0 : btf_types__measure(die, kind, &s.c);

	if (ret)
		return ret;
	ret = bt->first_top ? find_candidate(bt, die, &s, true, out) : -EEXIST;
	return ret == -EEXIST ? find_candidate(bt, die, &s, false, out) : ret;
}

static int resolve_typedef(struct btf_types *bt, Dwarf_Die *die, tref_t *out)
{
	int ret = *die__name(die) ? find_type(bt, die, BTF_K_TYPEDEF, out) : 0;
	struct set_type t = { .kind = BTF_K_TYPEDEF, .name = die__name(die) };
	Dwarf_Die type;

	if (ret)
		return ret < 0 ? ret : 0;
	ret = die__type(die, &type);
	if (ret == -EBADMSG)
		return ret;
	ret = btf_types__resolve(bt, ret ? NULL : &type, &t.type);
	return ret ? ret : btf_types__add(bt, &t, out);
}

/* A declaration: the one full definition, else a FWD. 0: neither is there. */
static uint32_t find_declared(const struct btf_types *bt, Dwarf_Die *die, uint32_t kind)
{
	const char *name = die__name(die);
	struct btf_type_view v;
	uint32_t id, k;

	for (k = kind; k; k = k == BTF_K_ENUM ? BTF_K_ENUM64 : 0) {
		id = btf_types__only(bt, k, name);
		if (id)
			return id;
	}
	for (id = 0; kind != BTF_K_ENUM && (id = btf_chain__find(bt->chain, BTF_K_FWD, name, id));)
		if (!btf_chain__type(bt->chain, id, &v) && v.kflag == (kind == BTF_K_UNION))
			return id;
	return 0;
}

static int resolve_declaration(struct btf_types *bt, Dwarf_Die *die, uint32_t kind,
			       tref_t *out)
{
	struct set_type t = { .kind = BTF_K_FWD, .name = die__name(die),
			      .kflag = kind == BTF_K_UNION };

	if (!*t.name)
		return -EOPNOTSUPP;
	*out = find_declared(bt, die, kind);
	if (*out)
		return 0;
	if (kind == BTF_K_ENUM) {
		t.kind = BTF_K_ENUM;
		t.size = 4;
	}
	return btf_types__add(bt, &t, out);
}

uint32_t btf_types__find_plain(const struct btf_types *bt, Dwarf_Die *die)
{
	struct loc_type lt;
	uint32_t kind;

	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		die__loc_type(die, 0, &lt);
		return find_base(bt, die, &lt);
	case DW_TAG_union_type:
		return find_declared(bt, die, BTF_K_UNION);
	case DW_TAG_enumeration_type:
		btf_types__enum_kind(die, &kind);
		return find_declared(bt, die, kind);
	default:
		return find_declared(bt, die, BTF_K_STRUCT);
	}
}

/*
 * One of the kernel's that its distilled base left out: as it has those that it kept, name
 * and size alone. With its members half of the kernel's types would come.
 */
static int add_distilled(struct btf_types *bt, Dwarf_Die *die, uint32_t kind, tref_t *out)
{
	struct set_type t = { .kind = kind, .name = die__name(die) };
	struct loc_type lt;

	die__loc_type(die, 0, &lt);
	t.size = lt.size;
	return btf_types__add(bt, &t, out);
}

static int resolve_composite(struct btf_types *bt, Dwarf_Die *die, uint32_t kind,
			     tref_t *out)
{
	uint32_t k;
	int ret = 0;

	if (die__flag(die, DW_AT_declaration))
		return resolve_declaration(bt, die, kind, out);
	/* an enum of 8 bytes is an ENUM in BTF that was made without ENUM64 */
	for (k = kind; k && !ret; k = k == BTF_K_ENUM64 ? BTF_K_ENUM : 0)
		ret = find_type(bt, die, k, out);
	if (ret)
		return ret < 0 ? ret : 0;
	if (btf_chain__is_distilled(bt->chain) && *die__name(die))
		return add_distilled(bt, die, kind, out);
	return kind == BTF_K_STRUCT || kind == BTF_K_UNION ?
	       btf_types__add_struct(bt, die, kind, out) :
	       btf_types__add_enum(bt, die, kind, out);
}

static int resolve_enum(struct btf_types *bt, Dwarf_Die *die, tref_t *out)
{
	uint32_t kind;
	int err = btf_types__enum_kind(die, &kind);

	return err ? err : resolve_composite(bt, die, kind, out);
}

static int resolve_tag(struct btf_types *bt, Dwarf_Die *die, tref_t *out)
{
	Dwarf_Die type;
	int err;

	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return resolve_base(bt, die, out);
	case DW_TAG_unspecified_type:
		*out = 0;
		return 0;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return resolve_modifier(bt, die, BTF_K_PTR, out);
	case DW_TAG_const_type:
		return resolve_modifier(bt, die, BTF_K_CONST, out);
	case DW_TAG_volatile_type:
		return resolve_modifier(bt, die, BTF_K_VOLATILE, out);
	case DW_TAG_restrict_type:
		return resolve_modifier(bt, die, BTF_K_RESTRICT, out);
	case DW_TAG_atomic_type:
		err = die__type(die, &type);
		return err ? err : btf_types__resolve(bt, &type, out);
	case DW_TAG_typedef:
		return resolve_typedef(bt, die, out);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return resolve_composite(bt, die, BTF_K_STRUCT, out);
	case DW_TAG_union_type:
		return resolve_composite(bt, die, BTF_K_UNION, out);
	case DW_TAG_enumeration_type:
		return resolve_enum(bt, die, out);
	case DW_TAG_array_type:
		return resolve_array(bt, die, out);
	case DW_TAG_subroutine_type:
		return btf_types__proto(bt, die, out);
	default:
		return -EOPNOTSUPP;
	}
}

int btf_types__resolve(struct btf_types *bt, Dwarf_Die *type, tref_t *out)
{
	struct die_slot *s;
	Dwarf_Die die;
	tref_t ref;
	int err;

	if (!type) {
		*out = 0;
		return 0;
	}
	s = die_map__find(&bt->memo, type->addr);
	if (s) {
		*out = s->val;
		return 0;
	}
	if (bt->depth >= DEPTH_MAX)
		return -EOPNOTSUPP;
	die = *type;
	die__resolve_signature(&die);
	bt->depth++;
	err = resolve_tag(bt, &die, &ref);
	bt->depth--;
	if (!err)
		err = btf_types__remember(bt, type, ref);
	if (!err)
		*out = ref;
	return err;
}

/* Whether the entry is a parameter: 1, 2: "...", 0: something else. */
static int is_param(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_formal_parameter:
		return 1;
	case DW_TAG_unspecified_parameters:
		return 2;
	default:
		return 0;
	}
}

/* Appends the parameters of @func to bt->params, from bt->nr_params on. */
static int resolve_params(struct btf_types *bt, Dwarf_Die *func)
{
	struct btf_proto_param p;
	Dwarf_Die child, type;
	int ret, err, what;

	if (!dwarf_haschildren(func))
		return 0;
	for (ret = die__child(func, &child); !ret; ret = die__next(&child, &child)) {
		what = is_param(&child);
		if (!what)
			continue;
		p = (struct btf_proto_param){ .name = "" };
		if (what == 1) {
			p.name = die__name(&child);
			err = die__type(&child, &type);
			if (err)
				return -EBADMSG;
			err = btf_types__resolve(bt, &type, &p.type);
			if (err)
				return err;
		}
		err = array__room(bt->params, bt->nr_params, bt->cap_params, 1);
		if (err)
			return err;
		bt->params[bt->nr_params++] = p;
		if (what == 2)
			return 0;
	}
	return ret < 0 ? ret : 0;
}

static int add_proto(struct btf_types *bt, tref_t ret_type, size_t first, tref_t *out)
{
	struct set_type t = { .kind = BTF_K_FUNC_PROTO, .name = "", .type = ret_type };
	struct locs_set *set = bt->set;
	size_t i, nr = bt->nr_params - first;
	int err = array__room(set->elems, set->nr_elems, set->cap_elems, nr);

	if (err)
		return err;
	if (set->nr_elems + nr > UINT32_MAX || nr > UINT16_MAX)
		return -EOVERFLOW;
	t.first = set->nr_elems;
	t.nr = nr;
	for (i = 0; i < nr; i++)
		set->elems[set->nr_elems++] = (struct set_elem){
			.name = bt->params[first + i].name,
			.type = bt->params[first + i].type,
		};
	return btf_types__add(bt, &t, out);
}

int btf_types__proto(struct btf_types *bt, Dwarf_Die *func, tref_t *out)
{
	size_t i, first = bt->nr_params;
	bool in_base = true;
	tref_t ret_type = 0;
	Dwarf_Die type;
	uint32_t id = 0;
	int err;

	if (!bt->depth) {
		bt->pairs.steps = STEPS_MAX;
		bt->limited = false;
	}
	err = die__type(func, &type);
	if (err != -EBADMSG)
		err = btf_types__resolve(bt, err ? NULL : &type, &ret_type);
	if (!err)
		err = resolve_params(bt, func);
	if (err)
		goto out;
	in_base = ret_type < bt->nr_base;
	for (i = first; in_base && i < bt->nr_params; i++)
		in_base = bt->params[i].type < bt->nr_base;
	if (in_base)
		id = btf_chain__find_proto(bt->chain, ret_type, bt->params + first,
					   bt->nr_params - first);
	if (id)
		*out = id;
	else
		err = add_proto(bt, ret_type, first, out);
out:
	bt->nr_params = first;
	return err;
}
