/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* btf_chain_internal.h - what the files of btf_chain share, nobody else's */
#ifndef LOCS_BTF_CHAIN_INTERNAL_H
#define LOCS_BTF_CHAIN_INTERNAL_H

#include "btf_chain.h"
#include "cursor.h"

struct btf_level {
	const uint8_t *types;
	const char *strs;
	uint32_t *offs; /* nr_types + 1: bytes from @types to each type, the end */
	uint32_t types_off;	/* of @types in the blob, for messages */
	uint32_t types_size;
	uint32_t first_type;
	uint32_t nr_types;
	uint32_t first_str;
	uint32_t str_size;
	uint32_t crc32;		/* where has_crc: computed once, with the index */
	bool has_crc;
};

/* A link of a hash table over type ids: chains ascend by id. */
struct btf_link {
	uint32_t hash;
	uint32_t next;		/* 0: the last */
};

/*
 * Type ids by hash, those from @first on. @links has an element an id, set only for those in
 * the table.
 */
struct btf_id_table {
	struct btf_link *links;
	uint32_t *heads;	/* mask + 1 */
	uint32_t mask;
	uint32_t first;
};

struct btf_str_slot {
	uint32_t hash;
	uint32_t off;		/* 0: empty */
};

/* Strings by content: open addressing, no content twice. */
struct btf_str_table {
	struct btf_str_slot *slots;	/* mask + 1 */
	uint32_t mask;
};

/* The tables hold what its own levels have; what @below has stands in its tables. */
struct btf_chain {
	const struct btf_chain *below;	/* NULL: its own levels are all */
	struct btf_level *levels;	/* the first ones are copies of @below's */
	uint32_t nr_levels;
	uint32_t nr_types;
	uint32_t str_size;
	bool big;
	bool distilled;
	uint32_t *twins;	/* of types from @first_twin on; NULL: none has one */
	uint32_t first_twin;
	struct btf_id_table by_name;	/* (kind, name), named types only */
	struct btf_id_table by_shape; /* what find_anon, _ref, _array, _proto look for */
	struct btf_str_table by_str;
};

/* The first level that is not @below's. */
static inline uint32_t chain__first_own(const struct btf_chain *c)
{
	return c->below ? c->below->nr_levels : 0;
}

/* One type's place; @id must be 1 to nr_types - 1. @end: where its bytes end. */
static inline const uint8_t *chain__head(const struct btf_chain *c, uint32_t id,
					 const uint8_t **end)
{
	const struct btf_level *l = &c->levels[c->nr_levels - 1];
	uint32_t i;

	while (id < l->first_type)
		l--;
	i = id - l->first_type;
	if (end)
		*end = l->types + l->offs[i + 1];
	return l->types + l->offs[i];
}

static inline uint32_t chain__u32(const struct btf_chain *c, const uint8_t *p)
{
	return bytes__u32(p, c->big);
}

/* The kind of type @id, which must be there. */
static inline uint32_t chain__kind(const struct btf_chain *c, uint32_t id)
{
	return id ? LOCS_INFO_KIND(chain__u32(c, chain__head(c, id, NULL) + 4)) : 0;
}

/*
 * btf_chain_walk.c: the parts of a blob, looked up and checked against its size only.
 * Offsets are from the blob's first byte. @layout_size 0: no layout section.
 */
struct btf_parts {
	bool big;
	uint32_t types_off;
	uint32_t types_size;
	uint32_t strs_off;
	uint32_t strs_size;
	uint32_t layout_off;
	uint32_t layout_size;
};

int btf_parts__read(struct btf_parts *p, const void *data, size_t size,
		    struct btf_locs_err *err);

/* Fills @l's offs and nr_types: steps over the types of a blob. */
int btf_level__walk(struct btf_level *l, const struct btf_parts *p, const uint8_t *data,
		    bool locs, struct btf_locs_err *err);

/* Checks the last level of @c, whose offs are filled. */
int btf_level__check(const struct btf_chain *c, bool locs, struct btf_locs_err *err);

/* btf_chain.c: zlib's CRC-32 of a level's types, then its strings. */
uint32_t btf_level__crc32(const struct btf_level *l);

/* A reference to a type in @c, or the lowest that is the same. */
static inline uint32_t chain__twin(const struct btf_chain *c, uint32_t id)
{
	return c->twins && id >= c->first_twin ? c->twins[id - c->first_twin] : id;
}

/* What is to be compared as well: 1, 0: it is known to differ, or a negative errno. */
typedef int (*pair_want_t)(void *arg, uint32_t a, uint32_t b);
/*
 * btf_chain_equal.c: compares two types, and calls @want for the types that they name. Without
 * @sign an enum's sign does not count. 1: equal if those are, 0, or the negative errno of @want.
 */
int chain__equal_one(const struct btf_chain *c, uint32_t a, uint32_t b, bool sign,
		     pair_want_t want, void *arg);

/* btf_chain_index.c: frees the indexes, leaves them empty. */
void btf_chain__drop_index(struct btf_chain *c);
/* The table of what types refer to, made anew with twins taken for one. */
void chain__index_twins(struct btf_chain *c);

#endif
