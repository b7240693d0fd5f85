// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* btf_chain_check.c - what each type must fulfil before a level is believed */
#include "btf_chain_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The level being checked, and the type in it. */
struct check {
	const struct btf_chain *c;
	const struct btf_level *l;
	struct btf_locs_err *err;
	uint32_t id;
	const uint8_t *head;	/* its 12 bytes */
	uint32_t kind;
	uint32_t vlen;
};

static uint32_t check__word(const struct check *k, size_t i)
{
	return chain__u32(k->c, k->head + i * 4);
}

/* "type 17 (STRUCT 'foo') at 0x1234: " and what is wrong with it. */
__attribute__((format(printf, 2, 3), cold))
static int check__fail(const struct check *k, const char *fmt, ...)
{
	const char *name = btf_chain__str(k->c, check__word(k, 0));
	char shown[49], what[128];
	unsigned char ch;
	va_list ap;
	size_t i;

	if (!name || !*name)
		name = "(anon)";
	/* a name is any bytes: no control characters in a line for people */
	for (i = 0; i < sizeof(shown) - 1 && name[i]; i++) {
		ch = name[i];
		shown[i] = ch < ' ' || ch == 0x7f ? '?' : ch;
	}
	shown[i] = '\0';
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return locs_err__set(k->err, -EBADMSG, "type %u (%s '%s') at 0x%x: %s", k->id,
			     btf_kind__str(k->kind), shown,
			     k->l->types_off + k->l->offs[k->id - k->l->first_type],
			     what);
}

/* The type that the header's third word names. */
static int check__ref(const struct check *k)
{
	uint32_t type = check__word(k, 2);

	if (type >= k->c->nr_types)
		return check__fail(k, "names type %u of %u", type, k->c->nr_types);
	return 0;
}

static int check__no_name(const struct check *k)
{
	return check__word(k, 0) ? check__fail(k, "has a name") : 0;
}

static int check__has_name(const struct check *k)
{
	const char *name = btf_chain__str(k->c, check__word(k, 0));

	return *name ? 0 : check__fail(k, "has no name");
}

static int check__no_vlen(const struct check *k)
{
	return k->vlen ? check__fail(k, "has vlen %u, not 0", k->vlen) : 0;
}

/*
 * Elements of @words words each. @name: the first is a name; @type: which one is a type,
 * -1: none.
 */
static inline int check__elems(const struct check *k, const char *what, size_t words,
			       bool name, int type)
{
	const uint8_t *p = k->head + LOCS_BTF_TYPE_SIZE;
	uint32_t i, v;

	for (i = 0; i < k->vlen; i++, p += words * 4) {
		if (name) {
			v = chain__u32(k->c, p);
			if (v >= k->c->str_size)
				return check__fail(k, "%s %u names string %u of %u", what,
						   i, v, k->c->str_size);
		}
		if (type >= 0) {
			v = chain__u32(k->c, p + type * 4);
			if (v >= k->c->nr_types)
				return check__fail(k, "%s %u names type %u of %u", what,
						   i, v, k->c->nr_types);
		}
	}
	return 0;
}

/* Bits: 0-7 how many, 16-23 the first's offset, 24-27 encoding. */
static int check__int(const struct check *k)
{
	uint32_t data = check__word(k, 3), size = check__word(k, 2);
	uint32_t bits = data & 0xff, off = data >> 16 & 0xff;

	if (data & 0xf000ff00)
		return check__fail(k, "has unknown bits in its data word 0x%x", data);
	if (!bits || bits + off > 128 || bits + off > (uint64_t)size * 8)
		return check__fail(k, "has %u bits at bit %u in %u bytes", bits, off,
				   size);
	return check__no_vlen(k);
}

static int check__array(const struct check *k)
{
	uint32_t type = check__word(k, 3), index = check__word(k, 4);
	int ret;

	if (type >= k->c->nr_types)
		return check__fail(k, "names element type %u of %u", type,
				   k->c->nr_types);
	if (index >= k->c->nr_types)
		return check__fail(k, "names index type %u of %u", index, k->c->nr_types);
	ret = check__no_name(k);
	return ret ? ret : check__no_vlen(k);
}

static int check__func(const struct check *k)
{
	uint32_t type = check__word(k, 2);
	int ret = check__ref(k);

	if (ret)
		return ret;
	if (chain__kind(k->c, type) != BTF_K_FUNC_PROTO)
		return check__fail(k, "its type %u is a %s, not a FUNC_PROTO", type,
				   btf_kind__str(chain__kind(k->c, type)));
	if (k->vlen > 2)
		return check__fail(k, "has linkage %u", k->vlen);
	return 0;
}

static int check__proto(const struct check *k)
{
	const uint8_t *p = k->head + LOCS_BTF_TYPE_SIZE;
	uint32_t i;
	int ret = check__ref(k);

	if (!ret)
		ret = check__elems(k, "parameter", 2, true, 1);
	if (!ret)
		ret = check__no_name(k);
	if (ret)
		return ret;
	for (i = 0; i + 1 < k->vlen; i++, p += 8)
		if (!chain__u32(k->c, p) && !chain__u32(k->c, p + 4))
			return check__fail(k, "parameter %u is varargs and not the last",
					   i);
	return 0;
}

static int check__var(const struct check *k)
{
	uint32_t linkage = check__word(k, 3);
	int ret = check__ref(k);

	if (!ret)
		ret = check__has_name(k);
	if (!ret)
		ret = check__no_vlen(k);
	if (!ret && linkage > 2)
		return check__fail(k, "has linkage %u", linkage);
	return ret;
}

static int check__decl_tag(const struct check *k)
{
	uint32_t type = check__word(k, 2), comp = check__word(k, 3), kind, info;
	const uint8_t *p;
	int ret = check__ref(k);

	if (!ret)
		ret = check__has_name(k);
	if (!ret)
		ret = check__no_vlen(k);
	/* all ones: the tag is the type's, not a component's */
	if (ret || comp == UINT32_MAX)
		return ret;
	kind = chain__kind(k->c, type);
	if (kind == BTF_K_FUNC) {
		/* the FUNC may stand further up and not be checked yet */
		type = chain__u32(k->c, chain__head(k->c, type, NULL) + 8);
		if (type >= k->c->nr_types)
			return check__fail(k, "names FUNC with type %u of %u", type,
					   k->c->nr_types);
		kind = chain__kind(k->c, type);
	}
	if (kind != BTF_K_STRUCT && kind != BTF_K_UNION && kind != BTF_K_FUNC_PROTO)
		return check__fail(k, "names component %u of a %s", comp,
				   btf_kind__str(kind));
	p = chain__head(k->c, type, NULL);
	info = chain__u32(k->c, p + 4);
	if (comp >= LOCS_INFO_VLEN(info))
		return check__fail(k, "names component %u of %u", comp,
				   LOCS_INFO_VLEN(info));
	return 0;
}

/* An address as an offset into a section names the section in its third value. */
static int check__loc_param(const struct check *k)
{
	uint32_t name;

	if (!(check__word(k, 3) & LOC_F_ADDR) || k->vlen != 3)
		return 0;
	name = check__word(k, 6);
	if (name >= k->c->str_size)
		return check__fail(k, "value 2 names string %u of %u", name,
				   k->c->str_size);
	return 0;
}

/* Everything but the name, which is in range. */
static int check__kind(const struct check *k)
{
	int ret;

	switch (k->kind) {
	case BTF_K_INT:
		return check__int(k);
	case BTF_K_ARRAY:
		return check__array(k);
	case BTF_K_PTR:
	case BTF_K_TYPEDEF:
	case BTF_K_VOLATILE:
	case BTF_K_CONST:
	case BTF_K_RESTRICT:
	case BTF_K_TYPE_TAG:
		return check__ref(k);
	case BTF_K_STRUCT:
	case BTF_K_UNION:
		return check__elems(k, "member", 3, true, 1);
	case BTF_K_ENUM:
		return check__elems(k, "enumerator", 2, true, -1);
	case BTF_K_ENUM64:
		return check__elems(k, "enumerator", 3, true, -1);
	case BTF_K_FUNC:
		return check__func(k);
	case BTF_K_FUNC_PROTO:
		return check__proto(k);
	case BTF_K_VAR:
		return check__var(k);
	case BTF_K_DATASEC:
		return check__elems(k, "variable", 3, false, 0);
	case BTF_K_DECL_TAG:
		return check__decl_tag(k);
	case BTF_K_LOC_PARAM:
		return check__loc_param(k);
	case BTF_K_LOC_PROTO:
		return check__elems(k, "parameter", 1, false, 0);
	case BTF_K_LOCSEC:
		ret = check__elems(k, "record", 3, false, 0);
		return ret ? ret : check__elems(k, "record", 3, false, 1);
	default:
		/* FWD, FLOAT; and kinds that the layout section alone knows */
		return 0;
	}
}

static void check__at(struct check *k, uint32_t id)
{
	uint32_t info;

	k->id = id;
	k->head = k->l->types + k->l->offs[id - k->l->first_type];
	info = check__word(k, 1);
	k->kind = LOCS_INFO_KIND(info);
	k->vlen = LOCS_INFO_VLEN(info);
}

/* The one type that type @id is made from, 0 where there is none or several. */
static uint32_t type__next(const struct btf_chain *c, uint32_t id)
{
	const uint8_t *p = chain__head(c, id, NULL);

	switch (LOCS_INFO_KIND(chain__u32(c, p + 4))) {
	case BTF_K_PTR:
	case BTF_K_TYPEDEF:
	case BTF_K_VOLATILE:
	case BTF_K_CONST:
	case BTF_K_RESTRICT:
	case BTF_K_TYPE_TAG:
		return chain__u32(c, p + 8);
	case BTF_K_ARRAY:
		return chain__u32(c, p + 12);
	default:
		return 0;
	}
}

/*
 * No type may be made of itself by pointers, arrays, typedefs and qualifiers alone:
 * whoever follows them would not come to an end. Levels below cannot name this one, so a
 * loop lies within it.
 */
static int check__loops(struct check *k)
{
	uint32_t first = k->l->first_type, id, at, steps;
	uint8_t *done;	/* a bit a type: known to end */
	int ret = 0;

	done = calloc(k->l->nr_types / 8 + 1, 1);
	if (!done)
		return locs_err__set(k->err, -ENOMEM, "out of memory");
	for (id = first; id < k->c->nr_types && !ret; id++) {
		for (at = id, steps = 0; at >= first; steps++) {
			if (done[(at - first) / 8] & 1 << (at - first) % 8)
				break;
			if (steps > k->l->nr_types) {
				check__at(k, id);
				ret = check__fail(k, "is made of itself");
				break;
			}
			at = type__next(k->c, at);
		}
		for (at = id; !ret && steps--; at = type__next(k->c, at))
			done[(at - first) / 8] |= 1 << (at - first) % 8;
	}
	free(done);
	return ret;
}

int btf_level__check(const struct btf_chain *c, bool locs, struct btf_locs_err *err)
{
	struct check k = { .c = c, .l = &c->levels[c->nr_levels - 1], .err = err };
	uint32_t id, name;
	int ret;

	for (id = k.l->first_type; id < c->nr_types; id++) {
		check__at(&k, id);
		name = check__word(&k, 0);
		if (name >= c->str_size)
			return check__fail(&k, "names string %u of %u", name,
					   c->str_size);
		/* without @locs the walk took these by a layout that may be another's */
		if (k.kind >= BTF_K_LOC_PARAM && !locs)
			continue;
		ret = check__kind(&k);
		if (ret)
			return ret;
	}
	return check__loops(&k);
}
