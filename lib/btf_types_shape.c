// SPDX-License-Identifier: GPL-2.0-only
/* btf_types_shape.c - whether a DWARF type has the form of a BTF type */
#include "btf_types_internal.h"

#include <errno.h>
#include <string.h>

#define TAGS_MAX 8		/* btf_type_tags on one pointer */

/* The pair that is being looked at. */
struct look {
	struct btf_types *bt;
	uint32_t n;
	uint32_t lenient;	/* ID_LENIENT or 0 */
};

static int need(const struct look *l, Dwarf_Die *type, uint32_t id);

const char *btf_types__type_tag(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_tag(die) != LOCS_TAG_LLVM_ANNOTATION ||
	    strcmp(die__name(die), "btf_type_tag") ||
	    !dwarf_attr(die, DW_AT_const_value, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

int btf_types__enum_kind(Dwarf_Die *die, uint32_t *kind)
{
	struct loc_type lt;

	die__loc_type(die, 0, &lt);
	*kind = lt.size > 4 ? BTF_K_ENUM64 : BTF_K_ENUM;
	return 0;
}

/* A data member that takes room in the object. */
static bool is_member(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_member && !die__flag(die, DW_AT_external) &&
	       !die__flag(die, DW_AT_declaration);
}

static bool is_element(Dwarf_Die *die, uint32_t kind)
{
	return kind == BTF_K_STRUCT || kind == BTF_K_UNION ?
	       is_member(die) : dwarf_tag(die) == DW_TAG_enumerator;
}

int btf_types__measure(Dwarf_Die *die, uint32_t kind, struct composite *out)
{
	struct composite c = { .first = "" };
	struct loc_type lt;
	Dwarf_Die child;
	int ret;

	die__loc_type(die, 0, &lt);
	c.size = lt.size;
	for (ret = die__child(die, &child); !ret; ret = die__next(&child, &child)) {
		if (!is_element(&child, kind))
			continue;
		if (!c.vlen++)
			c.first = die__name(&child);
	}
	if (ret < 0)
		return ret;
	*out = c;
	return 0;
}

/* Offset from the struct's start and size of a bitfield (0: none), both in bits. */
static int member_bits(Dwarf_Die *die, bool big, uint64_t *off, uint64_t *size)
{
	uint64_t loc = 0, bits = 0, bit_off, storage = 0;
	struct loc_type lt;
	Dwarf_Die type;
	int err;

	err = die__udata(die, DW_AT_bit_size, &bits);
	if (err == -EBADMSG)
		return err;
	if (!die__udata(die, DW_AT_data_bit_offset, &loc)) {
		*off = loc;
		*size = bits;
		return 0;
	}
	err = die__udata(die, DW_AT_data_member_location, &loc);
	if (err == -EBADMSG)
		return -EOPNOTSUPP;	/* computed where it is used */
	if (loc > UINT32_MAX)
		return -EBADMSG;
	loc *= 8;
	/* DWARF 2 and 3, 5.6.6: counted from the most significant bit of the storage */
	if (bits && !die__udata(die, DW_AT_bit_offset, &bit_off)) {
		if (die__udata(die, DW_AT_byte_size, &storage) && !die__type(die, &type)) {
			die__loc_type(&type, 0, &lt);
			storage = lt.size;
		}
		loc += big ? bit_off : storage * 8 - bit_off - bits;
	}
	*off = loc;
	*size = bits;
	return 0;
}

static int same_member(const struct look *l, Dwarf_Die *die,
		       const struct btf_member_view *m)
{
	uint64_t off, bits;
	Dwarf_Die type;
	int err;

	if (strcmp(die__name(die), btf_chain__str(l->bt->chain, m->name_off)))
		return 0;
	err = member_bits(die, btf_chain__big(l->bt->chain), &off, &bits);
	if (err)
		return err;
	if (off != m->bit_off || die__type(die, &type))
		return 0;
	return need(l, &type, m->type);
}

static int same_enumerator(const struct look *l, Dwarf_Die *die,
			   const struct btf_type_view *v, uint32_t i)
{
	uint32_t name_off;
	uint64_t val;
	int64_t s;

	if (btf_chain__enumerator(l->bt->chain, v, i, &name_off, &val) ||
	    strcmp(die__name(die), btf_chain__str(l->bt->chain, name_off)) ||
	    die__enum_value(die, &s))
		return 0;
	return v->kind == BTF_K_ENUM ? (uint32_t)s == (uint32_t)val : (uint64_t)s == val;
}

static int same_elements(const struct look *l, Dwarf_Die *die,
			 const struct btf_type_view *v)
{
	struct btf_member_view m;
	uint32_t i = 0;
	Dwarf_Die child;
	int ret, same;

	for (ret = die__child(die, &child); !ret; ret = die__next(&child, &child)) {
		if (!is_element(&child, v->kind))
			continue;
		if (i == v->vlen)
			return 0;
		ret = pair_graph__spend(&l->bt->pairs, 1);
		if (ret)
			return ret;
		if (v->kind == BTF_K_STRUCT || v->kind == BTF_K_UNION) {
			same = btf_chain__member(l->bt->chain, v, i, &m);
			if (!same)
				same = same_member(l, &child, &m);
		} else {
			same = same_enumerator(l, &child, v, i);
		}
		if (same != 1)
			return same;
		i++;
	}
	return ret < 0 ? ret : i == v->vlen;
}

/* A struct, union or enum with a name that only one type of the base has is that one. */
static int same_composite(const struct look *l, Dwarf_Die *die,
			  const struct btf_type_view *v)
{
	const char *name = die__name(die);
	struct loc_type lt;

	die__loc_type(die, 0, &lt);
	if (lt.size != v->size)
		return 0;
	if (*name && btf_types__only(l->bt, v->kind, name) == v->id)
		return 1;
	return same_elements(l, die, v);
}

static int same_pointer(const struct look *l, Dwarf_Die *die, const struct btf_type_view *v)
{
	const char *text, *tags[TAGS_MAX];
	uint32_t id = v->size;
	struct btf_type_view t;
	unsigned int nr = 0;
	Dwarf_Die child, type;
	int ret;

	if (dwarf_haschildren(die)) {
		for (ret = die__child(die, &child); !ret; ret = die__next(&child, &child)) {
			text = btf_types__type_tag(&child);
			if (!text)
				continue;
			if (nr == TAGS_MAX)
				return 0;
			tags[nr++] = text;
		}
		if (ret < 0)
			return ret;
	}
	while (nr) {
		if (btf_chain__type(l->bt->chain, id, &t) || t.kind != BTF_K_TYPE_TAG ||
		    strcmp(btf_chain__str(l->bt->chain, t.name_off), tags[--nr]))
			return 0;
		id = t.size;
	}
	ret = die__type(die, &type);
	if (ret == -EBADMSG)
		return ret;
	return need(l, ret ? NULL : &type, id);
}

static int same_array(const struct look *l, Dwarf_Die *die, const struct btf_type_view *v)
{
	struct btf_array_view a;
	uint64_t nelems;
	Dwarf_Die type;
	int err;

	err = btf_chain__array(l->bt->chain, v, &a);
	if (!err)
		err = die__array_nelems(die, &nelems);
	if (!err)
		err = die__type(die, &type);
	if (err)
		return err;
	return (uint32_t)nelems == a.nelems ? need(l, &type, a.type) : 0;
}

static int same_proto(const struct look *l, Dwarf_Die *die, const struct btf_type_view *v)
{
	struct btf_param_view p;
	Dwarf_Die child, type;
	uint32_t i = 0;
	int ret, same, tag;

	ret = die__type(die, &type);
	if (ret == -EBADMSG)
		return ret;
	same = need(l, ret ? NULL : &type, v->size);
	if (same != 1 || !dwarf_haschildren(die))
		return same == 1 ? !v->vlen : same;
	for (ret = die__child(die, &child); !ret; ret = die__next(&child, &child)) {
		tag = dwarf_tag(&child);
		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters)
			continue;
		if (i == v->vlen || btf_chain__param(l->bt->chain, v, i, &p))
			return 0;
		i++;
		if (tag == DW_TAG_unspecified_parameters)
			return !p.type && !p.name_off && i == v->vlen;
		if (strcmp(die__name(&child), btf_chain__str(l->bt->chain, p.name_off)) ||
		    die__type(&child, &type))
			return 0;
		same = need(l, &type, p.type);
		if (same != 1)
			return same;
	}
	return ret < 0 ? ret : i == v->vlen;
}

/* The BTF kind that a type tag has, 0: none. */
static uint32_t tag_kind(Dwarf_Die *die)
{
	uint32_t kind = 0;

	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:			return BTF_K_INT;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:	return BTF_K_PTR;
	case DW_TAG_const_type:			return BTF_K_CONST;
	case DW_TAG_volatile_type:		return BTF_K_VOLATILE;
	case DW_TAG_restrict_type:		return BTF_K_RESTRICT;
	case DW_TAG_typedef:			return BTF_K_TYPEDEF;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:			return BTF_K_STRUCT;
	case DW_TAG_union_type:			return BTF_K_UNION;
	case DW_TAG_array_type:			return BTF_K_ARRAY;
	case DW_TAG_subroutine_type:		return BTF_K_FUNC_PROTO;
	case DW_TAG_enumeration_type:
		btf_types__enum_kind(die, &kind);
		return kind;
	default:
		return 0;
	}
}

static int same_shape(const struct look *l, Dwarf_Die *die, uint32_t id)
{
	uint32_t kind = tag_kind(die);
	struct btf_type_view v;
	Dwarf_Die type;
	int ret;

	if (!kind || btf_chain__type(l->bt->chain, id, &v))
		return 0;
	if (kind == BTF_K_ENUM64 && v.kind == BTF_K_ENUM)
		kind = BTF_K_ENUM;
	if (v.kind != kind)
		return 0;
	if (kind != BTF_K_FUNC_PROTO && kind != BTF_K_PTR && kind != BTF_K_ARRAY &&
	    strcmp(die__name(die), btf_chain__str(l->bt->chain, v.name_off)))
		return 0;
	switch (kind) {
	case BTF_K_STRUCT:
	case BTF_K_UNION:
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
		return same_composite(l, die, &v);
	case BTF_K_PTR:
		return same_pointer(l, die, &v);
	case BTF_K_ARRAY:
		return same_array(l, die, &v);
	case BTF_K_FUNC_PROTO:
		return same_proto(l, die, &v);
	default:
		ret = die__type(die, &type);
		if (ret == -EBADMSG)
			return ret;
		return need(l, ret ? NULL : &type, v.size);
	}
}

static int look(void *arg, uint32_t n)
{
	struct look l = { .bt = arg, .n = n };
	const struct pair *p = &l.bt->pairs.pairs[n];
	Dwarf_Die die = { .addr = (void *)(uintptr_t)p->a, .cu = (void *)p->aux };
	int ret;

	l.lenient = p->b & ID_LENIENT;
	ret = same_shape(&l, &die, p->b & ~ID_LENIENT);
	/* what is malformed or has no form in BTF is none of the base's */
	return ret == -EBADMSG || ret == -EOPNOTSUPP ? 0 : ret;
}

int btf_types__same(struct btf_types *bt, Dwarf_Die *die, uint32_t id, bool lenient)
{
	int ret = pair_graph__same(&bt->pairs, (uintptr_t)die->addr, die->cu,
				   lenient ? id | ID_LENIENT : id, look, bt);

	if (ret != -E2BIG)
		return ret;
	bt->limited = true;
	return 0;
}

uint32_t btf_types__only(const struct btf_types *bt, uint32_t kind, const char *name)
{
	uint32_t first = btf_chain__find(bt->chain, kind, name, 0), id = first;

	while (id && (id = btf_chain__find(bt->chain, kind, name, id)))
		if (btf_chain__twin(bt->chain, id) != first)
			return 0;
	return first;
}

/* A BTF that has only a declaration of what the unit has whole. */
static bool is_forward_of(const struct btf_types *bt, Dwarf_Die *die, uint32_t id)
{
	uint32_t kind = tag_kind(die);
	struct btf_type_view v;

	return (kind == BTF_K_STRUCT || kind == BTF_K_UNION) &&
	       !btf_chain__type(bt->chain, id, &v) && v.kind == BTF_K_FWD &&
	       v.kflag == (kind == BTF_K_UNION) && *die__name(die) &&
	       !strcmp(die__name(die), btf_chain__str(bt->chain, v.name_off));
}

/* A definition of what the unit declares, one of those that the levels do not agree upon. */
static bool is_definition_of(const struct btf_types *bt, Dwarf_Die *die, uint32_t id)
{
	uint32_t kind = tag_kind(die), first = bt->first_top;
	const char *name = die__name(die);
	struct btf_type_view v;

	return first && *name && !btf_chain__type(bt->chain, id, &v) && v.kind == kind &&
	       !strcmp(name, btf_chain__str(bt->chain, v.name_off)) &&
	       btf_chain__find(bt->chain, kind, name, 0) < first &&
	       btf_chain__find(bt->chain, kind, name, first - 1);
}

/* What is found by its name, and compared with nothing. */
static bool is_plain(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return true;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return die__flag(die, DW_AT_declaration);
	default:
		return false;
	}
}

/* BTF has no word for _Atomic: what it qualifies stands for it. */
static int skip_atomic(Dwarf_Die *die)
{
	int i, err = 0;

	for (i = 0; !err && dwarf_tag(die) == DW_TAG_atomic_type; i++)
		err = i < DEPTH_MAX ? die__type(die, die) : -EOPNOTSUPP;
	return err == -ENOENT ? -EBADMSG : err;
}

/* Whether the type at @type (NULL: void) can be @id: the pair that is looked at needs it. */
static int need(const struct look *l, Dwarf_Die *type, uint32_t id)
{
	struct btf_types *bt = l->bt;
	struct die_slot *s;
	Dwarf_Die die;
	int ret;

	if (!type)
		return id == 0;
	id = btf_chain__twin(bt->chain, id);
	s = die_map__find(&bt->memo, type->addr);
	if (s && s->val == id)
		return 1;
	die = *type;
	ret = skip_atomic(&die);
	if (ret)
		return ret;
	die__resolve_signature(&die);
	/* between levels pahole keeps apart what knows a struct whole and what does not */
	if ((l->lenient || !bt->first_top) && is_forward_of(bt, &die, id))
		return 1;
	if (dwarf_tag(&die) == DW_TAG_unspecified_type)
		return id == 0;
	if (is_plain(&die))
		return (id && btf_types__find_plain(bt, &die) == id) ||
		       (l->lenient && is_definition_of(bt, &die, id));
	return pair_graph__need(&bt->pairs, l->n, (uintptr_t)die.addr, die.cu, id | l->lenient);
}

static int add_elem(struct btf_types *bt, const struct set_elem *e)
{
	struct locs_set *set = bt->set;
	int err = array__room(set->elems, set->nr_elems, set->cap_elems, 1);

	if (err)
		return err;
	if (set->nr_elems >= UINT32_MAX)
		return -EOVERFLOW;
	set->elems[set->nr_elems++] = *e;
	return 0;
}

/* Takes room for @nr elements, to be filled: those of member types come behind them. */
static int reserve_elems(struct btf_types *bt, uint32_t nr, uint32_t *first)
{
	struct set_elem none = { .name = "" };
	uint32_t i;
	int err = 0;

	*first = bt->set->nr_elems;
	for (i = 0; i < nr && !err; i++)
		err = add_elem(bt, &none);
	return err;
}

static int fill_members(struct btf_types *bt, Dwarf_Die *die, uint32_t kind, tref_t ref)
{
	struct set_type *t = &bt->set->types[ref - bt->nr_base];
	uint32_t i = t->first, end = t->first + t->nr;
	bool kflag = false;
	struct set_elem e;
	uint64_t off, bits;
	Dwarf_Die child, type;
	int ret, err;

	for (ret = die__child(die, &child); !ret; ret = die__next(&child, &child)) {
		if (!is_element(&child, kind))
			continue;
		e = (struct set_elem){ .name = die__name(&child) };
		err = member_bits(&child, btf_chain__big(bt->chain), &off, &bits);
		if (!err && die__type(&child, &type))
			err = -EBADMSG;
		if (!err)
			err = btf_types__resolve(bt, &type, &e.type);
		if (err)
			return err;
		kflag |= bits != 0;
		if (off > (kflag ? 0xffffff : UINT32_MAX) || bits > 0xff)
			return -EOPNOTSUPP;
		e.val = off | bits << 32;
		if (i < end)
			bt->set->elems[i++] = e;
	}
	/* the array may have moved */
	bt->set->types[ref - bt->nr_base].kflag = kflag;
	return ret < 0 ? ret : 0;
}

int btf_types__add_struct(struct btf_types *bt, Dwarf_Die *die, uint32_t kind, tref_t *out)
{
	struct set_type t = { .kind = kind, .name = die__name(die) };
	struct composite c;
	tref_t ref;
	int err;

	err = btf_types__measure(die, kind, &c);
	if (!err && c.vlen > UINT16_MAX)
		err = -EOPNOTSUPP;
	if (!err)
		err = reserve_elems(bt, c.vlen, &t.first);
	if (err)
		return err;
	t.size = c.size;
	t.nr = c.vlen;
	err = btf_types__add(bt, &t, &ref);
	if (err)
		return err;
	/* first, since its members may point back at it */
	err = btf_types__remember(bt, die, ref);
	if (!err)
		err = fill_members(bt, die, kind, ref);
	/* others may point at it by now: it stays, its size known, not its members */
	if (err)
		bt->set->types[ref - bt->nr_base].nr = 0;
	if (err == -EOPNOTSUPP)
		err = 0;
	if (!err)
		*out = ref;
	return err;
}

int btf_types__add_enum(struct btf_types *bt, Dwarf_Die *die, uint32_t kind, tref_t *out)
{
	struct set_type t = { .kind = kind, .name = die__name(die) };
	struct loc_type lt;
	Dwarf_Die child;
	int64_t s;
	int ret, err;

	die__loc_type(die, 0, &lt);
	t.size = lt.size;
	t.kflag = lt.is_signed;
	t.first = bt->set->nr_elems;
	for (ret = die__child(die, &child); !ret; ret = die__next(&child, &child)) {
		struct set_elem e = { .name = die__name(&child) };

		if (!is_element(&child, kind))
			continue;
		if (die__enum_value(&child, &s))
			return -EBADMSG;
		e.val = s;
		err = add_elem(bt, &e);
		if (err)
			return err;
		t.nr++;
	}
	if (ret < 0)
		return ret;
	return t.nr > UINT16_MAX ? -EOPNOTSUPP : btf_types__add(bt, &t, out);
}
