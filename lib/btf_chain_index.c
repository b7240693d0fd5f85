// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* btf_chain_index.c - builds a chain's indexes */
#include "btf_chain_internal.h"
#include "btf_chain_hash.h"

#include <stdlib.h>

static void id_table__free(struct btf_id_table *t)
{
	free(t->links);
	free(t->heads);
	memset(t, 0, sizeof(*t));
}

void btf_chain__drop_index(struct btf_chain *c)
{
	id_table__free(&c->by_name);
	id_table__free(&c->by_shape);
	free(c->by_str.slots);
	memset(&c->by_str, 0, sizeof(c->by_str));
	free(c->twins);
	c->twins = NULL;
}

/* The power of two that is at least @n, as a mask. -1 where 32 bits do not hold it. */
static int64_t mask__of(uint64_t n)
{
	uint64_t size = 16;

	while (size < n)
		size *= 2;
	return size > UINT64_C(1) << 31 ? -1 : (int64_t)(size - 1);
}

static int id_table__init(struct btf_id_table *t, uint32_t first, uint32_t nr_types)
{
	uint32_t nr = nr_types - first;
	int64_t mask = mask__of(nr);

	if (mask < 0)
		return -ENOMEM;
	t->mask = mask;
	t->first = first;
	t->links = malloc(((size_t)nr + 1) * sizeof(*t->links));
	t->heads = calloc((size_t)t->mask + 1, sizeof(*t->heads));
	return t->links && t->heads ? 0 : -ENOMEM;
}

/* Ids must come in falling order, so that chains ascend. */
static void id_table__put(struct btf_id_table *t, uint32_t id, uint32_t hash)
{
	uint32_t *head = &t->heads[hash & t->mask];
	struct btf_link *link = &t->links[id - t->first];

	link->hash = hash;
	link->next = *head;
	*head = id;
}

static uint64_t chain__str_hash(const struct btf_chain *c, const uint8_t *name_off)
{
	uint32_t off = chain__u32(c, name_off);

	return hash__str(off ? btf_chain__str(c, off) : "");
}

/* The type that a word of a type names, the lowest of its twins. */
static uint32_t chain__ref(const struct btf_chain *c, const uint8_t *p)
{
	return chain__twin(c, chain__u32(c, p));
}

static uint64_t chain__proto_hash(const struct btf_chain *c, const uint8_t *p,
				  uint32_t vlen)
{
	uint64_t h = hash__proto(chain__ref(c, p + 8), vlen);

	for (p += LOCS_BTF_TYPE_SIZE; vlen--; p += 8)
		h = hash__proto_param(h, chain__str_hash(c, p), chain__ref(c, p + 4));
	return h;
}

/*
 * The hash of what a type is looked up by in by_shape; false where it is not in it.
 * @name: its name's hash, @named: whether it has one.
 */
static bool type__shape_hash(const struct btf_chain *c, const uint8_t *p, uint64_t name,
			     bool named, uint32_t *out)
{
	uint32_t info = chain__u32(c, p + 4), kind = LOCS_INFO_KIND(info);
	uint32_t vlen = LOCS_INFO_VLEN(info), size = chain__u32(c, p + 8);
	const uint8_t *data = p + LOCS_BTF_TYPE_SIZE;
	uint64_t h;

	switch (kind) {
	case BTF_K_STRUCT:
	case BTF_K_UNION:
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
		if (named)
			return false;
		h = vlen ? chain__str_hash(c, data) : hash__str("");
		h = hash__anon(kind, size, vlen, h);
		break;
	case BTF_K_PTR:
	case BTF_K_CONST:
	case BTF_K_VOLATILE:
	case BTF_K_RESTRICT:
	case BTF_K_TYPEDEF:
	case BTF_K_TYPE_TAG:
	case BTF_K_FUNC:
		h = hash__ref(kind, name, chain__twin(c, size));
		break;
	case BTF_K_ARRAY:
		h = hash__array(chain__ref(c, data), chain__u32(c, data + 8));
		break;
	case BTF_K_FUNC_PROTO:
		h = chain__proto_hash(c, p, vlen);
		break;
	default:
		return false;
	}
	*out = hash__fold(h);
	return true;
}

/* The first id that its own levels have; 1 where void is all that is below. */
static uint32_t chain__first_type(const struct btf_chain *c)
{
	return c->below ? c->below->nr_types : 1;
}

static void chain__index_types(struct btf_chain *c)
{
	const uint8_t *p;
	const char *s;
	uint64_t name;
	uint32_t id, off, hash, first = chain__first_type(c);

	for (id = c->nr_types; id-- > first; ) {
		p = chain__head(c, id, NULL);
		off = chain__u32(c, p);
		s = off ? btf_chain__str(c, off) : "";
		name = hash__str(s);
		if (*s)
			id_table__put(
				&c->by_name, id,
				hash__name(LOCS_INFO_KIND(chain__u32(c, p + 4)), name));
		if (type__shape_hash(c, p, name, *s, &hash))
			id_table__put(&c->by_shape, id, hash);
	}
}

void chain__index_twins(struct btf_chain *c)
{
	struct btf_id_table *t = &c->by_shape;
	uint32_t id, hash;
	const uint8_t *p;
	const char *s;

	memset(t->heads, 0, ((size_t)t->mask + 1) * sizeof(*t->heads));
	for (id = c->nr_types; id-- > t->first; ) {
		p = chain__head(c, id, NULL);
		s = btf_chain__str(c, chain__u32(c, p));
		if (type__shape_hash(c, p, hash__str(s), *s, &hash))
			id_table__put(t, id, hash);
	}
}

/* Strings in a level that are not empty. */
static uint32_t level__nr_strs(const struct btf_level *l)
{
	const char *s = l->strs, *end = s + l->str_size;
	uint32_t n = 0;

	for (; s < end; s += strlen(s) + 1)
		n += *s != 0;
	return n;
}

static void str_table__put(struct btf_chain *c, const char *s, size_t len, uint32_t off)
{
	struct btf_str_table *t = &c->by_str;
	uint32_t hash = hash__fold(hash__bytes(s, len)), i;

	for (i = hash & t->mask; t->slots[i].off; i = (i + 1) & t->mask)
		if (t->slots[i].hash == hash &&
		    !strcmp(btf_chain__str(c, t->slots[i].off), s))
			return;		/* the lower offset stays */
	t->slots[i].hash = hash;
	t->slots[i].off = off;
}

static int chain__index_strs(struct btf_chain *c)
{
	const struct btf_level *l;
	const char *s, *end;
	uint64_t nr = 0;
	int64_t mask;
	uint32_t i;
	size_t len;

	for (i = chain__first_own(c); i < c->nr_levels; i++)
		nr += level__nr_strs(&c->levels[i]);
	/* at most three quarters full */
	mask = mask__of(nr + nr / 3 + 1);
	if (mask < 0)
		return -ENOMEM;
	c->by_str.mask = mask;
	c->by_str.slots = calloc((size_t)c->by_str.mask + 1, sizeof(*c->by_str.slots));
	if (!c->by_str.slots)
		return -ENOMEM;
	for (i = chain__first_own(c); i < c->nr_levels; i++) {
		l = &c->levels[i];
		for (s = l->strs, end = s + l->str_size; s < end; s += len + 1) {
			len = strlen(s);
			if (len)
				str_table__put(c, s, len, l->first_str + (s - l->strs));
		}
	}
	return 0;
}

int btf_chain__index(struct btf_chain *c)
{
	struct btf_level *l;
	int ret;

	btf_chain__drop_index(c);
	for (l = c->levels + chain__first_own(c); l < c->levels + c->nr_levels; l++) {
		l->crc32 = btf_level__crc32(l);
		l->has_crc = true;
	}
	ret = id_table__init(&c->by_name, chain__first_type(c), c->nr_types);
	if (!ret)
		ret = id_table__init(&c->by_shape, chain__first_type(c), c->nr_types);
	if (!ret)
		ret = chain__index_strs(c);
	if (ret) {
		btf_chain__drop_index(c);
		return ret;
	}
	chain__index_types(c);
	return 0;
}
