// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* btf_chain_find.c - looks types and strings up, through a chain's indexes */
#include "btf_chain_internal.h"
#include "btf_chain_hash.h"

/* What is looked for; which fields count depends on the kind. */
struct find_key {
	uint32_t kind;
	const char *name;	/* of the type, or of an unnamed one's first element */
	uint32_t size; /* size, or type: a header's third word; an ARRAY's type */
	uint32_t nr;		/* vlen, or an ARRAY's elements */
	const struct btf_proto_param *params;
};

typedef bool (*find_match_t)(const struct btf_chain *c, const uint8_t *p,
			     const struct find_key *k);

/* Whether the name whose offset stands at @p is @name. */
static bool name__is(const struct btf_chain *c, const uint8_t *p, const char *name)
{
	uint32_t off = chain__u32(c, p);

	return !strcmp(off ? btf_chain__str(c, off) : "", name);
}

/*
 * The lowest id above @after that matches. @after is most often the last answer: then its
 * chain goes on from it, and a walk over all of them takes time in proportion.
 */
static inline uint32_t id_table__find(const struct btf_chain *c,
				      const struct btf_id_table *t, uint32_t hash,
				      const struct find_key *k, uint32_t after,
				      find_match_t match)
{
	uint32_t id;

	if (!t->heads)
		return 0;
	id = t->heads[hash & t->mask];
	if (after >= t->first && after < c->nr_types &&
	    match(c, chain__head(c, after, NULL), k))
		id = t->links[after - t->first].next;
	for (; id; id = t->links[id - t->first].next)
		if (t->links[id - t->first].hash == hash && id > after &&
		    match(c, chain__head(c, id, NULL), k))
			return id;
	return 0;
}

/* The same in the chain that @c stands on, whose ids are lower, then in its own. */
static uint32_t chain__find(const struct btf_chain *c, bool by_name, uint32_t hash,
			    const struct find_key *k, uint32_t after, find_match_t match)
{
	uint32_t id = 0;

	if (c->below && after < c->below->nr_types)
		id = chain__find(c->below, by_name, hash, k, after, match);
	if (id)
		return id;
	return id_table__find(c, by_name ? &c->by_name : &c->by_shape, hash, k, after, match);
}

static bool match__name(const struct btf_chain *c, const uint8_t *p,
			const struct find_key *k)
{
	return LOCS_INFO_KIND(chain__u32(c, p + 4)) == k->kind && name__is(c, p, k->name);
}

uint32_t btf_chain__find(const struct btf_chain *c, uint32_t kind, const char *name,
			 uint32_t after)
{
	struct find_key k = { .kind = kind, .name = name };

	/* unnamed types are not in the table: there is nothing to go on from */
	if (!*name)
		return 0;
	return chain__find(c, true, hash__name(kind, hash__str(name)), &k, after,
			   match__name);
}

static bool match__anon(const struct btf_chain *c, const uint8_t *p,
			const struct find_key *k)
{
	uint32_t info = chain__u32(c, p + 4);

	return LOCS_INFO_KIND(info) == k->kind && LOCS_INFO_VLEN(info) == k->nr &&
	       chain__u32(c, p + 8) == k->size && name__is(c, p, "") &&
	       (k->nr ? name__is(c, p + LOCS_BTF_TYPE_SIZE, k->name) : !*k->name);
}

uint32_t btf_chain__find_anon(const struct btf_chain *c, uint32_t kind, uint32_t size,
			      uint32_t vlen, const char *first, uint32_t after)
{
	struct find_key k = { .kind = kind, .name = first, .size = size, .nr = vlen };

	if (kind != BTF_K_STRUCT && kind != BTF_K_UNION && kind != BTF_K_ENUM &&
	    kind != BTF_K_ENUM64)
		return 0;
	return chain__find(c, false,
			   hash__fold(hash__anon(kind, size, vlen, hash__str(first))), &k,
			   after, match__anon);
}

static bool match__ref(const struct btf_chain *c, const uint8_t *p,
		       const struct find_key *k)
{
	return LOCS_INFO_KIND(chain__u32(c, p + 4)) == k->kind &&
	       chain__twin(c, chain__u32(c, p + 8)) == k->size && name__is(c, p, k->name);
}

uint32_t btf_chain__find_ref(const struct btf_chain *c, uint32_t kind, const char *name,
			     uint32_t type, uint32_t after)
{
	struct find_key k = { .kind = kind, .name = name, .size = chain__twin(c, type) };

	switch (kind) {
	case BTF_K_PTR:
	case BTF_K_CONST:
	case BTF_K_VOLATILE:
	case BTF_K_RESTRICT:
	case BTF_K_TYPEDEF:
	case BTF_K_TYPE_TAG:
	case BTF_K_FUNC:
		return chain__find(c, false,
				   hash__fold(hash__ref(kind, hash__str(name), k.size)), &k,
				   after, match__ref);
	default:
		return 0;
	}
}

static bool match__array(const struct btf_chain *c, const uint8_t *p,
			 const struct find_key *k)
{
	return LOCS_INFO_KIND(chain__u32(c, p + 4)) == BTF_K_ARRAY &&
	       chain__twin(c, chain__u32(c, p + 12)) == k->size && chain__u32(c, p + 20) == k->nr;
}

uint32_t btf_chain__find_array(const struct btf_chain *c, uint32_t type, uint32_t nelems)
{
	struct find_key k = { .size = chain__twin(c, type), .nr = nelems };

	return chain__find(c, false, hash__fold(hash__array(k.size, nelems)), &k, 0,
			   match__array);
}

static bool match__proto(const struct btf_chain *c, const uint8_t *p,
			 const struct find_key *k)
{
	uint32_t info = chain__u32(c, p + 4), i;

	if (LOCS_INFO_KIND(info) != BTF_K_FUNC_PROTO || LOCS_INFO_VLEN(info) != k->nr ||
	    chain__twin(c, chain__u32(c, p + 8)) != k->size)
		return false;
	for (i = 0, p += LOCS_BTF_TYPE_SIZE; i < k->nr; i++, p += 8)
		if (chain__twin(c, chain__u32(c, p + 4)) != chain__twin(c, k->params[i].type) ||
		    !name__is(c, p, k->params[i].name))
			return false;
	return true;
}

uint32_t btf_chain__find_proto(const struct btf_chain *c, uint32_t ret,
			       const struct btf_proto_param *params, uint32_t nr)
{
	struct find_key k = { .size = chain__twin(c, ret), .nr = nr, .params = params };
	uint64_t h = hash__proto(k.size, nr);
	uint32_t i;

	for (i = 0; i < nr; i++)
		h = hash__proto_param(h, hash__str(params[i].name),
				      chain__twin(c, params[i].type));
	return chain__find(c, false, hash__fold(h), &k, 0, match__proto);
}

static int64_t chain__find_str(const struct btf_chain *c, const char *str, uint32_t hash)
{
	const struct btf_str_table *t = &c->by_str;
	int64_t off = c->below ? chain__find_str(c->below, str, hash) : -ENOENT;
	uint32_t i;

	if (off >= 0 || !t->slots)
		return off;
	for (i = hash & t->mask; t->slots[i].off; i = (i + 1) & t->mask)
		if (t->slots[i].hash == hash &&
		    !strcmp(btf_chain__str(c, t->slots[i].off), str))
			return t->slots[i].off;
	return -ENOENT;
}

int64_t btf_chain__find_str(const struct btf_chain *c, const char *str)
{
	return *str ? chain__find_str(c, str, hash__fold(hash__str(str))) : 0;
}
