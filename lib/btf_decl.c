// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * btf_decl.c - a BTF type as a declaration in C
 *
 * C writes a declaration around its name: what stands left of the name comes from the
 * innermost type outwards, what stands right of it the other way. Two walks over
 * the same types, one for each side. Type ids come from a file: a type may contain
 * itself, or fan out without end, so that the number of steps is bounded.
 */
#include "btf_decl.h"

#include <errno.h>

enum {
	DECL_MAX_STEPS = 512,
	DECL_MAX_DEPTH = 64,
};

struct decl {
	const struct btf_chain *c;
	char *buf;
	size_t size;
	size_t len;		/* of the whole, also past @size */
	char last;
	unsigned int steps;
	unsigned int depth;
	bool cut;		/* "..." has been written: nothing more */
	int err;
	uint32_t bad;		/* the type that @err is about */
};

static void decl__left(struct decl *d, uint32_t id);
static void decl__right(struct decl *d, uint32_t id);

static void decl__put(struct decl *d, const char *str)
{
	for (; *str; str++) {
		if (d->len + 1 < d->size)
			d->buf[d->len] = *str;
		d->len++;
		d->last = *str;
	}
}

/* A word, parted from what stands before it. "*" and "(" bind to what follows. */
static void decl__word(struct decl *d, const char *str)
{
	if (d->cut || !*str)
		return;
	if (d->len && d->last != '*' && d->last != '(' && d->last != ' ')
		decl__put(d, " ");
	decl__put(d, str);
}

/* What binds to the word before it: ")", "[4]", ", ". */
static void decl__glue(struct decl *d, const char *str)
{
	if (!d->cut)
		decl__put(d, str);
}

static void decl__fail(struct decl *d, uint32_t id)
{
	d->err = -EINVAL;
	d->bad = id;
}

/* One step further into the types: false if there have been too many. */
static bool decl__enter(struct decl *d, uint32_t id, struct btf_type_view *t)
{
	if (d->cut || d->err)
		return false;
	if (d->steps++ >= DECL_MAX_STEPS || d->depth >= DECL_MAX_DEPTH) {
		decl__word(d, "...");
		d->cut = true;
		return false;
	}
	if (btf_chain__type(d->c, id, t)) {
		decl__fail(d, id);
		return false;
	}
	d->depth++;
	return true;
}

static void decl__leave(struct decl *d)
{
	d->depth--;
}

static const char *decl__str(const struct decl *d, uint32_t off)
{
	const char *str = btf_chain__str(d->c, off);

	return str ? str : "";
}

/* "struct foo", "union {...}" */
static void decl__tagged(struct decl *d, const char *what, uint32_t name_off)
{
	const char *name = decl__str(d, name_off);

	decl__word(d, what);
	decl__word(d, *name ? name : "{...}");
}

/* The kind that a declarator in front of @id stands before; qualifiers looked through. */
static uint32_t decl__inner_kind(const struct decl *d, uint32_t id)
{
	struct btf_type_view t;
	unsigned int i;

	for (i = 0; i < DECL_MAX_DEPTH; i++) {
		if (btf_chain__type(d->c, id, &t))
			return BTF_K_VOID;
		switch (t.kind) {
		case BTF_K_CONST:
		case BTF_K_VOLATILE:
		case BTF_K_RESTRICT:
		case BTF_K_TYPE_TAG:
			id = t.size;
			continue;
		default:
			return t.kind;
		}
	}
	return BTF_K_VOID;
}

/* "*" before an array's or a function's name needs "(*name)". */
static bool decl__needs_parens(const struct decl *d, uint32_t target)
{
	uint32_t kind = decl__inner_kind(d, target);

	return kind == BTF_K_ARRAY || kind == BTF_K_FUNC_PROTO;
}

/* A qualifier stands behind a pointer that it qualifies, before anything else. */
static void decl__qualified(struct decl *d, const char *word, uint32_t id)
{
	bool behind = decl__inner_kind(d, id) == BTF_K_PTR;

	if (!behind)
		decl__word(d, word);
	decl__left(d, id);
	if (behind)
		decl__word(d, word);
}

static void decl__tag(struct decl *d, const struct btf_type_view *t)
{
	decl__left(d, t->size);
	decl__word(d, "__");
	decl__glue(d, decl__str(d, t->name_off));
}

static void decl__ptr_left(struct decl *d, const struct btf_type_view *t)
{
	decl__left(d, t->size);
	decl__word(d, decl__needs_parens(d, t->size) ? "(*" : "*");
}

static void decl__left_of(struct decl *d, const struct btf_type_view *t)
{
	struct btf_array_view array;

	switch (t->kind) {
	case BTF_K_VOID:
		return decl__word(d, "void");
	case BTF_K_INT:
	case BTF_K_FLOAT:
	case BTF_K_TYPEDEF:
		return decl__word(d, decl__str(d, t->name_off));
	case BTF_K_STRUCT:
		return decl__tagged(d, "struct", t->name_off);
	case BTF_K_UNION:
		return decl__tagged(d, "union", t->name_off);
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
		return decl__tagged(d, "enum", t->name_off);
	case BTF_K_FWD:
		return decl__tagged(d, t->kflag ? "union" : "struct", t->name_off);
	case BTF_K_CONST:
		return decl__qualified(d, "const", t->size);
	case BTF_K_VOLATILE:
		return decl__qualified(d, "volatile", t->size);
	case BTF_K_RESTRICT:
		return decl__qualified(d, "restrict", t->size);
	case BTF_K_TYPE_TAG:
		return decl__tag(d, t);
	case BTF_K_PTR:
		return decl__ptr_left(d, t);
	case BTF_K_FUNC_PROTO:
		return decl__left(d, t->size);
	case BTF_K_ARRAY:
		if (!btf_chain__array(d->c, t, &array))
			return decl__left(d, array.type);
		return decl__fail(d, t->id);
	case BTF_K_FUNC:
	case BTF_K_VAR:
	case BTF_K_DATASEC:
	case BTF_K_DECL_TAG:
	case BTF_K_LOC_PARAM:
	case BTF_K_LOC_PROTO:
	case BTF_K_LOCSEC:
		return decl__fail(d, t->id);
	default:	/* of a later format: it may well be a value's */
		return decl__word(d, "?");
	}
}

static void decl__left(struct decl *d, uint32_t id)
{
	struct btf_type_view t;

	if (!decl__enter(d, id, &t))
		return;
	decl__left_of(d, &t);
	decl__leave(d);
}

static void decl__params(struct decl *d, const struct btf_type_view *t)
{
	struct btf_param_view p;
	uint32_t i;

	decl__glue(d, "(");
	if (!t->vlen)
		decl__word(d, "void");
	for (i = 0; i < t->vlen && !d->cut && !d->err; i++) {
		if (i)
			decl__glue(d, ", ");
		if (btf_chain__param(d->c, t, i, &p)) {
			decl__fail(d, t->id);
			return;
		}
		if (!p.type && !p.name_off) {
			decl__word(d, "...");
			continue;
		}
		decl__left(d, p.type);
		decl__word(d, decl__str(d, p.name_off));
		decl__right(d, p.type);
	}
	decl__glue(d, ")");
}

/* "[4]" */
static void decl__dim(struct decl *d, uint32_t nelems)
{
	char text[16], *p = text + sizeof(text) - 1;

	*p = '\0';
	*--p = ']';
	do {
		*--p = '0' + nelems % 10;
		nelems /= 10;
	} while (nelems);
	*--p = '[';
	decl__glue(d, p);
}

static void decl__right_of(struct decl *d, const struct btf_type_view *t)
{
	struct btf_array_view array;

	switch (t->kind) {
	case BTF_K_PTR:
		if (decl__needs_parens(d, t->size))
			decl__glue(d, ")");
		decl__right(d, t->size);
		break;
	case BTF_K_FUNC_PROTO:
		decl__params(d, t);
		decl__right(d, t->size);
		break;
	case BTF_K_ARRAY:
		if (btf_chain__array(d->c, t, &array))
			break;
		decl__dim(d, array.nelems);
		decl__right(d, array.type);
		break;
	case BTF_K_CONST:
	case BTF_K_VOLATILE:
	case BTF_K_RESTRICT:
	case BTF_K_TYPE_TAG:
		decl__right(d, t->size);
		break;
	default:
		break;
	}
}

static void decl__right(struct decl *d, uint32_t id)
{
	struct btf_type_view t;

	if (!decl__enter(d, id, &t))
		return;
	decl__right_of(d, &t);
	decl__leave(d);
}

int btf_decl__str(const struct btf_chain *c, uint32_t id, const char *name, char *buf,
		  size_t size)
{
	struct decl d = { .c = c, .buf = buf, .size = size };
	struct btf_type_view t;

	if (btf_chain__type(c, id, &t))
		return -EINVAL;
	if (t.kind == BTF_K_FUNC || t.kind == BTF_K_VAR) {
		name = name ? name : btf_chain__name(c, id);
		id = t.size;
	}
	decl__left(&d, id);
	if (name)
		decl__word(&d, name);
	decl__right(&d, id);
	if (d.err)
		d.len = 0;
	if (size)
		buf[d.len < size ? d.len : size - 1] = '\0';
	return d.err ? d.err : (int)d.len;
}

int btf_decl__check(const struct btf_chain *c, uint32_t id, uint32_t *bad)
{
	struct decl d = { .c = c };

	decl__left(&d, id);
	decl__right(&d, id);
	if (d.err)
		*bad = d.bad;
	return d.err;
}
