// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * btf_chain_equal.c - whether two types are one and the same in structure
 *
 * Two that are compared are put into one class, taken to be equal from then on: they are,
 * unless some others turn out not to be, which ends the whole. What is in one class already
 * is not compared again. So cycles end, and there are fewer comparisons than types, where
 * two cycles of n and n + 1 structs have n * (n + 1) pairs.
 */
#include "btf_chain_internal.h"

#include <stdlib.h>

/* Two types to be compared. */
struct duo {
	uint32_t a;
	uint32_t b;
};

struct equal {
	uint32_t *parent;	/* by id: another one of its class, itself: it stands for it */
	struct duo *todo;
	uint32_t nr;
	uint32_t cap;
};

/* The type that stands for the class of @id. Halves the way for the next one. */
static uint32_t equal__class(struct equal *e, uint32_t id)
{
	while (e->parent[id] != id) {
		e->parent[id] = e->parent[e->parent[id]];
		id = e->parent[id];
	}
	return id;
}

/* Makes one class of two, to be compared. 1, or a negative errno. */
static int equal__want(void *arg, uint32_t a, uint32_t b)
{
	struct equal *e = arg;
	struct duo *todo;
	uint32_t cap, x = equal__class(e, a), y = equal__class(e, b);

	if (x == y)
		return 1;
	if (e->nr == e->cap) {
		cap = e->cap ? e->cap * 2 : 32;
		todo = realloc(e->todo, cap * sizeof(*todo));
		if (!todo)
			return -ENOMEM;
		e->todo = todo;
		e->cap = cap;
	}
	e->todo[e->nr++] = (struct duo){ a, b };
	e->parent[x] = y;
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
static int equal__word(const struct btf_chain *c, uint8_t what, uint32_t a, uint32_t b,
		       pair_want_t want, void *arg)
{
	switch (what) {
	case W_NAME:
		return equal__names(c, a, b);
	case W_TYPE:
		return want(arg, a, b);
	default:
		return a == b;
	}
}

/* Whether the kind flag of two types of one kind says the same; of an enum only if @sign. */
static bool equal__kflag(const struct btf_type_view *a, const struct btf_type_view *b, bool sign)
{
	return a->kflag == b->kflag ||
	       (!sign && (a->kind == BTF_K_ENUM || a->kind == BTF_K_ENUM64));
}

int chain__equal_one(const struct btf_chain *c, uint32_t id_a, uint32_t id_b, bool sign,
		     pair_want_t want, void *arg)
{
	const uint8_t *words, *w;
	struct btf_type_view a, b;
	size_t i;
	int ret;

	ret = btf_chain__type(c, id_a, &a);
	if (!ret)
		ret = btf_chain__type(c, id_b, &b);
	if (ret)
		return ret;
	if (a.kind != b.kind || a.vlen != b.vlen || !equal__kflag(&a, &b, sign) ||
	    a.data_size != b.data_size || !equal__names(c, a.name_off, b.name_off))
		return 0;
	ret = equal__word(c, kind__refs(a.kind) ? W_TYPE : W_PLAIN, a.size, b.size, want, arg);
	words = w = kind__words(a.kind);
	for (i = 0; ret == 1 && i < a.data_size; i += 4) {
		ret = equal__word(c, *w, chain__u32(c, a.data + i), chain__u32(c, b.data + i),
				  want, arg);
		if (*++w == W_END)
			w = words;
	}
	return ret;
}

int btf_chain__equal(const struct btf_chain *c, uint32_t a, uint32_t b)
{
	struct equal e = { .parent = NULL };
	struct duo d;
	uint32_t i;
	int ret;

	if (a >= c->nr_types || b >= c->nr_types)
		return -ERANGE;
	e.parent = malloc(c->nr_types * sizeof(*e.parent));
	if (!e.parent)
		return -ENOMEM;
	for (i = 0; i < c->nr_types; i++)
		e.parent[i] = i;
	ret = equal__want(&e, a, b);
	while (ret == 1 && e.nr) {
		d = e.todo[--e.nr];
		ret = chain__equal_one(c, d.a, d.b, true, equal__want, &e);
	}
	free(e.todo);
	free(e.parent);
	return ret;
}
