// SPDX-License-Identifier: GPL-2.0-only
/*
 * encoder_types.c - types that the base lacks, from many units, each once
 *
 * All but structs and unions are equal when their rows are. Those can refer to themselves,
 * so each is compared with those of ours that look like it, by a pair_graph of the unit.
 */
#include "encoder_internal.h"

#include <errno.h>
#include <string.h>

#define MIX_STEPS 8	/* pointers to pointers, ... */
#define TYPE_DEPTH_MAX 5000	/* types within types; a stack frame or three each */

int64_t encoder__name(struct btf_encoder_locs *enc, const char *str)
{
	int64_t off = btf_chain__find_str(enc->base, str);

	if (off >= 0)
		return off;
	off = strtab__add(&enc->strs, str);
	return off < 0 ? off : off | NAME_OWN;
}

static int push(struct btf_encoder_locs *enc, uint32_t word)
{
	int err = array__room(enc->words, enc->nr_words, enc->cap_words, 1);

	if (!err)
		enc->words[enc->nr_words++] = word;
	return err;
}

static int push_name(struct btf_encoder_locs *enc, const char *str)
{
	int64_t name = encoder__name(enc, str);

	return name < 0 ? (int)name : push(enc, name);
}

static int push_type(struct btf_encoder_locs *enc, tref_t ref)
{
	uint32_t id;
	int err = encoder__type(enc, ref, &id);

	return err ? err : push(enc, id);
}

static bool is_struct(uint8_t kind)
{
	return kind == BTF_K_STRUCT || kind == BTF_K_UNION;
}

/* A struct's member offset word: with the kind flag, the bitfield's size on top. */
static uint32_t member_word(const struct set_type *t, const struct set_elem *e)
{
	return t->kflag ? (uint32_t)(e->val >> 32) << 24 | (uint32_t)e->val :
			  (uint32_t)e->val;
}

static int push_elem(struct btf_encoder_locs *enc, const struct set_type *t,
		     const struct set_elem *e)
{
	int err = push_name(enc, e->name);

	if (err)
		return err;
	switch (t->kind) {
	case BTF_K_ENUM:
		return push(enc, e->val);
	case BTF_K_ENUM64:
		err = push(enc, e->val);
		return err ? err : push(enc, e->val >> 32);
	case BTF_K_STRUCT:
	case BTF_K_UNION:
		err = push_type(enc, e->type);
		return err ? err : push(enc, member_word(t, e));
	default:		/* FUNC_PROTO */
		return push_type(enc, e->type);
	}
}

static int push_elems(struct btf_encoder_locs *enc, const struct set_type *t)
{
	uint32_t i;
	int err = 0;

	switch (t->kind) {
	case BTF_K_INT:
		return push(enc, t->extra);
	case BTF_K_ARRAY:
		err = push_type(enc, t->type);
		if (!err)
			err = push_type(enc, t->size);
		return err ? err : push(enc, t->extra);
	case BTF_K_STRUCT:
	case BTF_K_UNION:
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
	case BTF_K_FUNC_PROTO:
		for (i = 0; i < t->nr && !err; i++)
			err = push_elem(enc, t, &enc->set->elems[t->first + i]);
		return err;
	default:
		return 0;
	}
}

/* Whether a kind's types have a size, and refer to no type but in their elements. */
static bool has_size(uint8_t kind)
{
	switch (kind) {
	case BTF_K_INT:
	case BTF_K_FLOAT:
	case BTF_K_STRUCT:
	case BTF_K_UNION:
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
		return true;
	default:
		return false;
	}
}

/* The word that is a size for some kinds and a type for others. */
static int push_size(struct btf_encoder_locs *enc, const struct set_type *t)
{
	if (has_size(t->kind))
		return push(enc, t->size);
	if (t->kind == BTF_K_ARRAY || t->kind == BTF_K_FWD)
		return push(enc, 0);
	return push_type(enc, t->type);
}

static int push_row(struct btf_encoder_locs *enc, const struct set_type *t)
{
	int err = push(enc, LOCS_INFO(t->kind, t->nr, t->kflag));

	if (!err)
		err = push_name(enc, t->name);
	if (!err)
		err = push_size(enc, t);
	return err ? err : push_elems(enc, t);
}

/* Our type and the unit's that are being compared. */
struct match {
	struct btf_encoder_locs *enc;
	uint32_t n;			/* the pair */
};

/* Whether our type @id can be the unit's @ref, which the pair at hand needs: 1, 0, errno. */
static int need(const struct match *m, uint32_t id, tref_t ref)
{
	const struct btf_encoder_locs *enc = m->enc;

	if (id < enc->nr_base || ref < enc->nr_base)
		return id == ref;
	if (enc->map[ref - enc->nr_base])
		return enc->map[ref - enc->nr_base] == id;
	return pair_graph__need(&m->enc->pairs, m->n, id, NULL, ref);
}

/* Whether a name of ours, by number, is this string. */
static bool same_name(const struct btf_encoder_locs *enc, uint32_t name, const char *str)
{
	return !strcmp(name & NAME_OWN ? enc->strs.data + (name & ~NAME_OWN) :
					 btf_chain__str(enc->base, name), str);
}

/* Whether the row of a struct is the unit's struct @t, member by member. */
static int same_struct(const struct match *m, const uint32_t *row, uint32_t nr,
		       const struct set_type *t)
{
	const struct btf_encoder_locs *enc = m->enc;
	uint32_t i;
	int ret = 1;

	if (nr != TW_FIXED + 3 * t->nr || row[TW_SIZE] != t->size ||
	    row[TW_INFO] != LOCS_INFO(t->kind, t->nr, t->kflag) ||
	    !same_name(enc, row[TW_NAME], t->name))
		return 0;
	for (i = 0; i < t->nr && ret == 1; i++) {
		const uint32_t *w = row + TW_FIXED + 3 * i;
		const struct set_elem *e = &enc->set->elems[t->first + i];

		if (!same_name(enc, w[0], e->name) || w[2] != member_word(t, e))
			return 0;
		ret = need(m, w[1], e->type);
	}
	return ret;
}

/* Whether any other row is the unit's type @t, by what it refers to. */
static int same_other(const struct match *m, const uint32_t *row, uint32_t nr,
		      const struct set_type *t)
{
	const struct btf_encoder_locs *enc = m->enc;
	uint32_t i;
	int ret = 1;

	if (row[TW_INFO] != LOCS_INFO(t->kind, t->nr, t->kflag) ||
	    !same_name(enc, row[TW_NAME], t->name))
		return 0;
	switch (t->kind) {
	case BTF_K_INT:
		return row[TW_SIZE] == t->size && row[TW_FIXED] == t->extra;
	case BTF_K_FLOAT:
		return row[TW_SIZE] == t->size;
	case BTF_K_FWD:
		return 1;
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
		if (row[TW_SIZE] != t->size)
			return 0;
		for (i = 0; i < t->nr; i++) {
			uint32_t step = t->kind == BTF_K_ENUM ? 2 : 3;
			const uint32_t *w = row + TW_FIXED + step * i;
			uint64_t val = enc->set->elems[t->first + i].val;

			if (!same_name(enc, w[0], enc->set->elems[t->first + i].name) ||
			    w[1] != (uint32_t)val || (step == 3 && w[2] != val >> 32))
				return 0;
		}
		return 1;
	case BTF_K_ARRAY:
		if (row[TW_FIXED + 2] != t->extra)
			return 0;
		ret = need(m, row[TW_FIXED + 1], t->size);
		return ret == 1 ? need(m, row[TW_FIXED], t->type) : ret;
	default:
		ret = need(m, row[TW_SIZE], t->type);
		if (t->kind != BTF_K_FUNC_PROTO || nr != TW_FIXED + 2 * t->nr)
			return ret;
		for (i = 0; i < t->nr && ret == 1; i++) {
			const struct set_elem *e = &enc->set->elems[t->first + i];

			if (!same_name(enc, row[TW_FIXED + 2 * i], e->name))
				return 0;
			ret = need(m, row[TW_FIXED + 2 * i + 1], e->type);
		}
		return ret;
	}
}

static int look(void *arg, uint32_t n)
{
	struct match m = { .enc = arg, .n = n };
	const struct pair p = m.enc->pairs.pairs[n];
	const struct set_type *t = &m.enc->set->types[p.b - m.enc->nr_base];
	uint32_t nr;
	const uint32_t *row = intern__words(&m.enc->types, p.a - m.enc->nr_base, &nr);
	int err = pair_graph__spend(&m.enc->pairs, nr);

	if (err)
		return err;
	/* a struct whose members are being added: not the same yet */
	if (!row[TW_INFO])
		m.enc->unfinished = true;
	return is_struct(t->kind) ? same_struct(&m, row, nr, t) : same_other(&m, row, nr, t);
}

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

static uint64_t mix_name(uint64_t h, const char *name)
{
	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
	return mix(h, 0);
}

/* A type of the unit as far as it can be told without following structs. */
static uint64_t mix_type(const struct btf_encoder_locs *enc, uint64_t h, tref_t ref)
{
	const struct set_type *t;
	int step;

	for (step = 0; ref >= enc->nr_base && step < MIX_STEPS; step++) {
		t = &enc->set->types[ref - enc->nr_base];
		h = mix_name(mix(h, LOCS_INFO(t->kind, t->nr, t->kflag)), t->name);
		if (has_size(t->kind))
			return mix(h, t->size);
		if (t->kind == BTF_K_FWD)
			return h;
		if (t->kind == BTF_K_ARRAY)
			h = mix(h, t->extra);
		ref = t->type;
	}
	return mix(h, ref < enc->nr_base ? ref : 0);
}

/* What a struct's members are: equal for equal structs, and for few others. */
static uint64_t members(const struct btf_encoder_locs *enc, const struct set_type *t)
{
	uint64_t h = t->nr;
	uint32_t i;

	for (i = 0; i < t->nr; i++) {
		const struct set_elem *e = &enc->set->elems[t->first + i];

		h = mix_type(enc, mix(mix_name(h, e->name), member_word(t, e)), e->type);
	}
	return h;
}

/* The list of structs of ours that have this name, size and such members. */
static int struct_list(struct btf_encoder_locs *enc, const struct set_type *t, size_t *list)
{
	int64_t name = encoder__name(enc, t->name), item;
	uint64_t h = members(enc, t);
	uint32_t key[TW_FIXED + 2];
	int err;

	if (name < 0)
		return name;
	key[TW_INFO] = LOCS_INFO(t->kind, t->nr, t->kflag);
	key[TW_NAME] = name;
	key[TW_SIZE] = t->size;
	key[TW_FIXED] = h;
	key[TW_FIXED + 1] = h >> 32;
	item = intern__add(&enc->keys, key, TW_FIXED + 2);
	if (item < 0)
		return item;
	err = array__room(enc->lists, enc->nr_lists, enc->cap_lists, 1);
	if (err)
		return err;
	if ((size_t)item == enc->nr_lists)
		enc->lists[enc->nr_lists++] = 0;
	*list = item;
	return 0;
}

/* One of the list that is @ref. 1: found, 0, or a negative errno. */
static int find_struct(struct btf_encoder_locs *enc, size_t list, tref_t ref, uint32_t *id)
{
	uint32_t s;
	int ret = 0;

	enc->unfinished = false;
	for (s = enc->lists[list]; s && !ret; s = enc->structs[s - 1].next) {
		if (!enc->structs[s - 1].complete)
			continue;
		*id = enc->structs[s - 1].id;
		ret = pair_graph__same(&enc->pairs, *id, NULL, ref, look, enc);
	}
	if (enc->unfinished)
		pair_graph__clear(&enc->pairs);
	if (ret != -E2BIG)
		return ret;
	enc->limited = true;
	return 0;
}

/* A struct or union: its id is known before its members', which may point back at it. */
static int intern_struct(struct btf_encoder_locs *enc, tref_t ref, uint32_t *id)
{
	const struct set_type *t = &enc->set->types[ref - enc->nr_base];
	size_t list = 0, mark = enc->nr_words, nr = TW_FIXED + 3 * (size_t)t->nr, at;
	int64_t item;
	int err;

	err = struct_list(enc, t, &list);
	if (!err)
		err = find_struct(enc, list, ref, id);
	if (err)
		return err < 0 ? err : 0;
	err = array__room(enc->structs, enc->nr_structs, enc->cap_structs, 1);
	if (err)
		return err;
	item = intern__reserve(&enc->types, nr);
	if (item < 0)
		return item;
	*id = enc->nr_base + item;
	enc->map[ref - enc->nr_base] = *id;
	at = enc->nr_structs++;
	enc->structs[at] = (struct enc_struct){ .id = *id, .next = enc->lists[list] };
	enc->lists[list] = enc->nr_structs;
	err = push_row(enc, t);
	if (!err) {
		memcpy(intern__words(&enc->types, item, NULL), enc->words + mark,
		       nr * sizeof(*enc->words));
		enc->structs[at].complete = true;
	}
	enc->nr_words = mark;
	return err;
}

int encoder__type(struct btf_encoder_locs *enc, tref_t ref, uint32_t *id)
{
	const struct set_type *t;
	size_t mark = enc->nr_words;
	int64_t item;
	int err;

	if (enc->depth > TYPE_DEPTH_MAX)
		return -EOVERFLOW;
	if (ref < enc->nr_base || enc->map[ref - enc->nr_base]) {
		*id = ref < enc->nr_base ? ref : enc->map[ref - enc->nr_base];
		return 0;
	}
	t = &enc->set->types[ref - enc->nr_base];
	enc->depth++;
	err = is_struct(t->kind) ? intern_struct(enc, ref, id) : push_row(enc, t);
	enc->depth--;
	if (!err && !is_struct(t->kind)) {
		item = intern__add(&enc->types, enc->words + mark, enc->nr_words - mark);
		if (item < 0)
			err = item;
		else
			*id = enc->map[ref - enc->nr_base] = enc->nr_base + item;
	}
	enc->nr_words = mark;
	return err;
}

int encoder__func(struct btf_encoder_locs *enc, const char *name, uint32_t proto,
		  uint32_t *id)
{
	int64_t off = encoder__name(enc, name), item;
	uint32_t row[TW_FIXED] = { [TW_INFO] = LOCS_INFO(BTF_K_FUNC, 0, 0) };

	if (off < 0)
		return off;
	row[TW_NAME] = off;
	row[TW_SIZE] = proto;
	item = intern__add(&enc->types, row, TW_FIXED);
	if (item < 0)
		return item;
	*id = enc->nr_base + item;
	return 0;
}
