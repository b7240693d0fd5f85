// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* locs_count.c - what a section holds, in figures */
#include "locs_count.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "reader_internal.h"

enum { DEFLATE_LEVEL = 6 };

/* How many of a LOC_PROTO's elements are located; its vlen comes with it. */
static uint32_t proto__located(const struct btf_locs *locs, uint32_t id, uint32_t *nr)
{
	struct btf_type_view t;
	uint32_t i, param, located = 0;

	*nr = 0;
	if (!id || btf_chain__type(locs->chain, id, &t))
		return 0;
	for (i = 0; i < t.vlen; i++)
		located += !btf_chain__word(locs->chain, &t, i, &param) && param;
	*nr = t.vlen;
	return located;
}

static void count__site(struct locs_count *c, const struct btf_locs *locs,
			const struct btf_locs_rec *rec, uint8_t *seen)
{
	uint32_t nr, located = proto__located(locs, rec->loc_proto_id, &nr);

	c->sites++;
	c->params += rec->nr_params;
	c->located += located;
	c->sites_located += located == rec->nr_params;
	if (seen[rec->func_id])
		return;
	seen[rec->func_id] = 1;
	c->funcs++;
	c->partial += rec->partial;
}

static void count__func(struct locs_count *c, const struct btf_locs *locs,
			const struct btf_locs_rec *rec)
{
	uint32_t nr;

	c->conforming += !rec->loc_proto_id;
	c->func_located += proto__located(locs, rec->loc_proto_id, &nr);
	c->func_params += nr;
}

static void count__recs(struct locs_count *c, const struct btf_locs *locs, uint8_t *seen)
{
	struct btf_locs_sec sec;
	struct btf_locs_rec rec;
	uint32_t i, k;

	for (i = 0; !btf_locs__sec(locs, i, &sec); i++) {
		c->recs[sec.kind] += sec.nr_recs;
		for (k = 0; !btf_locs__rec(locs, i, k, &rec); k++) {
			if (sec.kind == BTF_LOCS_FUNC)
				count__func(c, locs, &rec);
			else
				count__site(c, locs, &rec, seen);
		}
	}
}

static void count__types(struct locs_count *c, const struct btf_locs *locs)
{
	struct btf_type_view t;
	uint32_t id;

	for (id = locs->first_type; id < locs->nr_types; id++) {
		if (btf_chain__type(locs->chain, id, &t) || t.kind >= BTF_K_NR)
			continue;
		c->types[t.kind]++;
		c->type_bytes[t.kind] += LOCS_BTF_TYPE_SIZE + t.data_size;
	}
}

static int count__deflated(struct locs_count *c, const struct btf_locs *locs)
{
	uLongf size = compressBound(locs->size);
	Bytef *buf = malloc(size);
	int ret;

	if (!buf)
		return -ENOMEM;
	ret = compress2(buf, &size, locs->data, locs->size, DEFLATE_LEVEL);
	free(buf);
	if (ret != Z_OK)
		return -ENOMEM;
	c->deflated = size;
	return 0;
}

int locs_count__read(const struct btf_locs *locs, struct locs_count *out)
{
	struct locs_count c = {
		.hdr_bytes = locs->parts.hdr_len,
		.layout_bytes = locs->parts.layout_len,
		.str_bytes = locs->parts.str_len,
		.bytes = locs->size,
	};
	uint8_t *seen;
	int ret;

	seen = calloc(locs->nr_types, 1);
	if (!seen)
		return -ENOMEM;
	count__recs(&c, locs, seen);
	free(seen);
	count__types(&c, locs);
	ret = count__deflated(&c, locs);
	if (!ret)
		*out = c;
	return ret;
}
