// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * btf_chain_equal.c - whether two types are one and the same in structure
 *
 * Pairs of types to compare stand in a list. A pair that has been put there once is
 * taken to be equal from then on: it is, unless some pair turns out not to be, which ends
 * the whole. So cycles end, and nothing is compared twice.
 */
#include "btf_chain_internal.h"
#include "btf_chain_hash.h"

#include <stdlib.h>

struct pair {
	uint32_t a;
	uint32_t b;
};

struct equal {
	const struct btf_chain *c;
	struct pair *pairs;	/* all, in the order they came */
	uint32_t nr;
	uint32_t cap;
	uint32_t *slots;	/* index + 1 in pairs, by hash; 2 * cap of them */
};

static uint32_t *equal__slot(const struct equal *e, struct pair p)
{
	uint32_t mask = 2 * e->cap - 1;
	uint32_t i = hash__mix(p.a, p.b) & mask;
	const struct pair *q;

	for (; e->slots[i]; i = (i + 1) & mask) {
		q = &e->pairs[e->slots[i] - 1];
		if (q->a == p.a && q->b == p.b)
			break;
	}
	return &e->slots[i];
}

static int equal__grow(struct equal *e)
{
	uint32_t cap = e->cap ? e->cap * 2 : 32, i;
	struct pair *pairs;
	uint32_t *slots;

	if (cap > UINT32_C(1) << 29)
		return -ENOMEM;
	pairs = realloc(e->pairs, cap * sizeof(*pairs));
	if (!pairs)
		return -ENOMEM;
	e->pairs = pairs;
	slots = calloc(2 * (size_t)cap, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(e->slots);
	e->slots = slots;
	e->cap = cap;
	for (i = 0; i < e->nr; i++)
		*equal__slot(e, e->pairs[i]) = i + 1;
	return 0;
}

/* Puts a pair on the list, unless it is there or is one type. 1, or a negative errno. */
static int equal__want(struct equal *e, uint32_t a, uint32_t b)
{
	struct pair p = { a < b ? a : b, a < b ? b : a };
	uint32_t *slot;
	int ret;

	if (a == b)
		return 1;
	if (e->nr == e->cap) {
		ret = equal__grow(e);
		if (ret)
			return ret;
	}
	slot = equal__slot(e, p);
	if (!*slot) {
		e->pairs[e->nr++] = p;
		*slot = e->nr;
	}
	return 1;
}

static bool equal__names(const struct btf_chain *c, uint32_t off_a, uint32_t off_b)
{
	const char *a, *b;

	if (off_a == off_b)
		return true;
	a = btf_chain__str(c, off_a);
	b = btf_chain__str(c, off_b);
	return a && b && !strcmp(a, b);
}

/* What the words of an element are. */
enum word { W_END, W_PLAIN, W_NAME, W_TYPE };

/* The elements of a kind, or the words behind its 12 bytes; ended by W_END. */
static const uint8_t *kind__words(uint32_t kind)
{
	static const uint8_t words[BTF_K_NR][4] = {
		[BTF_K_INT]		= { W_PLAIN },
		[BTF_K_ARRAY]		= { W_TYPE, W_TYPE, W_PLAIN },
		[BTF_K_STRUCT]		= { W_NAME, W_TYPE, W_PLAIN },
		[BTF_K_UNION]		= { W_NAME, W_TYPE, W_PLAIN },
		[BTF_K_ENUM]		= { W_NAME, W_PLAIN },
		[BTF_K_FUNC_PROTO]	= { W_NAME, W_TYPE },
		[BTF_K_VAR]		= { W_PLAIN },
		[BTF_K_DATASEC]		= { W_TYPE, W_PLAIN, W_PLAIN },
		[BTF_K_DECL_TAG]	= { W_PLAIN },
		[BTF_K_ENUM64]		= { W_NAME, W_PLAIN, W_PLAIN },
		/* a section's name among its values is compared by offset */
		[BTF_K_LOC_PARAM]	= { W_PLAIN },
		[BTF_K_LOC_PROTO]	= { W_TYPE },
		[BTF_K_LOCSEC]		= { W_TYPE, W_TYPE, W_PLAIN },
	};
	static const uint8_t plain[2] = { W_PLAIN };

	return kind < BTF_K_NR ? words[kind] : plain;
}

/* Whether a kind's third header word is a type. */
static bool kind__refs(uint32_t kind)
{
	switch (kind) {
	case BTF_K_PTR:
	case BTF_K_TYPEDEF:
	case BTF_K_VOLATILE:
	case BTF_K_CONST:
	case BTF_K_RESTRICT:
	case BTF_K_FUNC:
	case BTF_K_FUNC_PROTO:
	case BTF_K_VAR:
	case BTF_K_DECL_TAG:
	case BTF_K_TYPE_TAG:
		return true;
	default:
		return false;
	}
}

/* One word of both types. 1 equal so far, 0 not, or a negative errno. */
static int equal__word(struct equal *e, uint8_t what, uint32_t a, uint32_t b)
{
	switch (what) {
	case W_NAME:
		return equal__names(e->c, a, b);
	case W_TYPE:
		return equal__want(e, a, b);
	default:
		return a == b;
	}
}

/* One pair, but not what the types refer to: that is put on the list. */
static int equal__one(struct equal *e, struct pair p)
{
	const uint8_t *words, *w;
	struct btf_type_view a, b;
	size_t i;
	int ret;

	ret = btf_chain__type(e->c, p.a, &a);
	if (!ret)
		ret = btf_chain__type(e->c, p.b, &b);
	if (ret)
		return ret;
	if (a.kind != b.kind || a.vlen != b.vlen || a.kflag != b.kflag ||
	    a.data_size != b.data_size || !equal__names(e->c, a.name_off, b.name_off))
		return 0;
	ret = equal__word(e, kind__refs(a.kind) ? W_TYPE : W_PLAIN, a.size, b.size);
	words = w = kind__words(a.kind);
	for (i = 0; ret == 1 && i < a.data_size; i += 4) {
		ret = equal__word(e, *w, chain__u32(e->c, a.data + i),
				  chain__u32(e->c, b.data + i));
		if (*++w == W_END)
			w = words;
	}
	return ret;
}

int btf_chain__equal(const struct btf_chain *c, uint32_t a, uint32_t b)
{
	struct equal e = { .c = c };
	uint32_t i;
	int ret;

	if (a >= c->nr_types || b >= c->nr_types)
		return -ERANGE;
	ret = equal__want(&e, a, b);
	for (i = 0; ret == 1 && i < e.nr; i++)
		ret = equal__one(&e, e.pairs[i]);
	free(e.pairs);
	free(e.slots);
	return ret;
}
