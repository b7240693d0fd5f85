// SPDX-License-Identifier: GPL-2.0-only
/* encoder_write.c - what the encoder has gathered -> bytes, as btf-func-info(5) says */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoder_internal.h"
#include "err.h"
#include "locsec_name.h"

/* Where things of the section end up. */
struct layout {
	struct btf_encoder_locs *enc;
	const struct locs_object *obj;
	uint32_t first_str;	/* string offset of our first byte */
	uint32_t own_strs;	/* string offset of enc->strs */
	uint32_t first_param;	/* id of the first LOC_PARAM */
	uint32_t first_proto;
	uint32_t *sec_names;	/* by ELF section index: LOC_PARAMs' names of them */
	uint32_t *locsec_names;	/* by enc->secs */
};

static void put_key(struct wbuf *b, const char *key, const char *value)
{
	wbuf__put(b, key, strlen(key));
	wbuf__put(b, "=", 1);
	wbuf__put(b, value, strlen(value) + 1);
}

static void put_number(struct wbuf *b, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	put_key(b, key, text);
}

static void put_count(struct wbuf *b, const char *prefix, const char *name, uint64_t v)
{
	char key[64];

	snprintf(key, sizeof(key), "%s:%s", prefix, name);
	put_number(b, key, v);
}

static void put_counts(struct wbuf *b, const struct locs_stats *st)
{
	unsigned int i;

	put_count(b, "count", "sites", st->sites);
	put_count(b, "count", "params", st->params);
	put_count(b, "count", "located", st->none[LOC_OK]);
	put_count(b, "count", "functions", st->functions);
	for (i = LOC_OK + 1; i < LOC_NR_REASONS; i++)
		if (st->none[i])
			put_count(b, "none", loc_reason__str(i), st->none[i]);
	for (i = 0; i < SKIP_NR_REASONS; i++)
		if (st->skip[i])
			put_count(b, "skip", skip_reason__str(i), st->skip[i]);
	for (i = LOC_OK + 1; i < LOC_NR_REASONS; i++)
		if (st->func_none[i])
			put_count(b, "func_none", loc_reason__str(i), st->func_none[i]);
	for (i = 0; i < SKIP_NR_REASONS; i++)
		if (st->func_skip[i])
			put_count(b, "func_skip", skip_reason__str(i), st->func_skip[i]);
	for (i = 0; i < LIMIT_NR_REASONS; i++)
		if (st->limits[i])
			put_count(b, "limit", limit_reason__str(i), st->limits[i]);
}

/* sec:NAME=ADDRESS,SIZE for each section that a LOCSEC is of. */
static void put_secs(struct wbuf *b, const struct layout *l)
{
	const struct btf_encoder_locs *enc = l->enc;
	const struct locs_section *s;
	char text[64];
	size_t i;

	for (i = 0; i < enc->nr_secs; i++) {
		/* secs are sorted: the kinds of one stand together */
		if (i && enc->secs[i].sec == enc->secs[i - 1].sec)
			continue;
		s = &l->obj->secs[enc->secs[i].sec];
		snprintf(text, sizeof(text), "=%" PRIx64 ",%" PRIx64, s->addr, s->size);
		wbuf__put(b, "sec:", 4);
		wbuf__put(b, s->name, strlen(s->name));
		wbuf__put(b, text, strlen(text) + 1);
	}
}

static int put_keys(struct wbuf *b, const struct layout *l)
{
	const struct btf_chain *base = l->enc->base;
	uint32_t top = btf_chain__nr_levels(base) - 1;
	struct btf_below_info below;
	struct btf_level_info info;
	int err;

	err = btf_chain__level(base, top, &info);
	if (!err)
		err = btf_chain__below(base, top, &below);
	if (err)
		return err;
	put_number(b, "btf_locs", LOCS_FORMAT_VERSION);
	put_number(b, "machine", l->obj->machine);
	if (*l->obj->build_id)
		put_key(b, "build_id", l->obj->build_id);
	put_number(b, "base_types", info.nr_types);
	put_number(b, "base_strs", info.str_size);
	put_number(b, "base_crc32", info.crc32);
	/* a module's BTF says nothing of the kernel's that its ids are counted from */
	if (top) {
		put_number(b, "below_types", below.nr_types);
		put_number(b, "below_strs", below.str_size);
		put_number(b, "below_crc32", below.crc32);
	}
	put_secs(b, l);
	put_counts(b, &l->enc->stats);
	wbuf__u8(b, 0);
	return b->err;
}

static uint32_t final_name(const struct layout *l, uint32_t name)
{
	return name & NAME_OWN ? l->own_strs + (name & ~NAME_OWN) : name;
}

static void put_head(struct wbuf *b, uint32_t name, uint32_t info, uint32_t size)
{
	wbuf__u32(b, name);
	wbuf__u32(b, info);
	wbuf__u32(b, size);
}

/* A type of ours: its row with names put right. */
static void put_type(struct wbuf *b, const struct layout *l, const uint32_t *row, uint32_t nr)
{
	uint32_t kind = LOCS_INFO_KIND(row[TW_INFO]), step = 1, i;

	put_head(b, final_name(l, row[TW_NAME]), row[TW_INFO], row[TW_SIZE]);
	/* elements that begin with a name, of so many words */
	if (kind == BTF_K_STRUCT || kind == BTF_K_UNION || kind == BTF_K_ENUM64)
		step = 3;
	else if (kind == BTF_K_ENUM || kind == BTF_K_FUNC_PROTO)
		step = 2;
	for (i = TW_FIXED; i < nr; i++)
		wbuf__u32(b, step > 1 && !((i - TW_FIXED) % step) ?
				 final_name(l, row[i]) : row[i]);
}

static void put_param(struct wbuf *b, const struct layout *l, const uint32_t *w, uint32_t nr)
{
	uint32_t vlen = nr - 2, i;

	put_head(b, 0, LOCS_INFO(BTF_K_LOC_PARAM, vlen, 0), w[0]);
	wbuf__u32(b, w[1]);
	for (i = 0; i < vlen; i++)
		wbuf__u32(b, w[1] & LOC_F_ADDR && i == 2 ?
				 final_name(l, l->sec_names[w[2 + i]]) : w[2 + i]);
}

static void put_proto(struct wbuf *b, const struct layout *l, const uint32_t *w, uint32_t nr)
{
	uint32_t i;

	put_head(b, 0, LOCS_INFO(BTF_K_LOC_PROTO, nr, 0), 0);
	for (i = 0; i < nr; i++)
		wbuf__u32(b, w[i] ? l->first_param + w[i] - 1 : 0);
}

static int by_key(const void *a, const void *b)
{
	const struct enc_rec *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static int by_section(const void *a, const void *b)
{
	const struct enc_sec *x = a, *y = b;

	if (x->sec != y->sec)
		return x->sec < y->sec ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static void put_locsec(struct wbuf *b, const struct layout *l, size_t i)
{
	const struct enc_sec *s = &l->enc->secs[i];
	size_t r;

	put_head(b, final_name(l, l->locsec_names[i]), LOCS_INFO(BTF_K_LOCSEC, s->nr, 0), 0);
	for (r = 0; r < s->nr; r++) {
		wbuf__u32(b, s->recs[r].func);
		wbuf__u32(b, s->recs[r].proto == ENC_NO_PROTO ? 0 :
				     l->first_proto + s->recs[r].proto);
		wbuf__u32(b, s->recs[r].key >> 32);
	}
}

static void put_types(struct wbuf *b, const struct layout *l)
{
	const struct btf_encoder_locs *enc = l->enc;
	const uint32_t *w;
	uint32_t nr;
	size_t i;

	for (i = 0; i < enc->types.nr_items; i++) {
		w = intern__words(&enc->types, i, &nr);
		put_type(b, l, w, nr);
	}
	for (i = 0; i < enc->params.nr_items; i++) {
		w = intern__words(&enc->params, i, &nr);
		put_param(b, l, w, nr);
	}
	for (i = 0; i < enc->protos.nr_items; i++) {
		w = intern__words(&enc->protos, i, &nr);
		put_proto(b, l, w, nr);
	}
	for (i = 0; i < enc->nr_secs; i++)
		put_locsec(b, l, i);
}

/* What stands behind the 12 bytes of each kind: fixed bytes, and bytes an element. */
static void put_layout(struct wbuf *b)
{
	static const uint8_t sizes[BTF_K_NR][2] = {
		[BTF_K_INT] = { 4, 0 },
		[BTF_K_ARRAY] = { 12, 0 },
		[BTF_K_STRUCT] = { 0, 12 },
		[BTF_K_UNION] = { 0, 12 },
		[BTF_K_ENUM] = { 0, 8 },
		[BTF_K_FUNC_PROTO] = { 0, 8 },
		[BTF_K_VAR] = { 4, 0 },
		[BTF_K_DATASEC] = { 0, 12 },
		[BTF_K_DECL_TAG] = { 4, 0 },
		[BTF_K_ENUM64] = { 0, 12 },
		[BTF_K_LOC_PARAM] = { 4, 4 },
		[BTF_K_LOC_PROTO] = { 0, 4 },
		[BTF_K_LOCSEC] = { 0, LOCSEC_REC_SIZE },
	};
	size_t i;

	for (i = 0; i < BTF_K_NR; i++) {
		wbuf__u8(b, sizes[i][0]);
		wbuf__u8(b, sizes[i][1]);
		wbuf__u16(b, 0);
	}
}

/* Sections that records and addresses name, by libelf's numbers, are the object's own. */
static int check_sections(const struct layout *l)
{
	const struct btf_encoder_locs *enc = l->enc;
	const uint32_t *w;
	uint32_t nr;
	size_t i;

	for (i = 0; i < enc->nr_secs; i++)
		if (enc->secs[i].sec >= l->obj->nr_secs || !l->obj->secs[enc->secs[i].sec].name)
			return -EBADMSG;
	for (i = 0; i < enc->params.nr_items; i++) {
		w = intern__words(&enc->params, i, &nr);
		if (w[1] & LOC_F_ADDR && nr == 5 &&
		    (w[4] >= l->obj->nr_secs || !l->obj->secs[w[4]].name))
			return -EBADMSG;
	}
	return 0;
}

/* The name of a LOCSEC: its number in the string tables. C++ makes long ones. */
static int64_t name_locsec(struct layout *l, const struct enc_sec *s)
{
	const char *section = l->obj->secs[s->sec].name;
	size_t size = strlen(section) + 16;	/* a prefix and a colon */
	char *name = malloc(size);
	int64_t off;

	if (!name)
		return -ENOMEM;
	off = locsec_name__make(s->kind, section, name, size);
	if (!off)
		off = encoder__name(l->enc, name);
	free(name);
	return off;
}

/* Names of sections, and of LOCSECs, into the string tables. */
static int name_sections(struct layout *l)
{
	struct btf_encoder_locs *enc = l->enc;
	const uint32_t *w;
	uint32_t nr;
	int64_t off;
	size_t i;

	l->sec_names = calloc(l->obj->nr_secs + 1, sizeof(*l->sec_names));
	l->locsec_names = calloc(enc->nr_secs + 1, sizeof(*l->locsec_names));
	if (!l->sec_names || !l->locsec_names)
		return -ENOMEM;
	for (i = 0; i < enc->params.nr_items; i++) {
		w = intern__words(&enc->params, i, &nr);
		if (!(w[1] & LOC_F_ADDR) || nr < 5)
			continue;
		off = encoder__name(enc, l->obj->secs[w[4]].name);
		if (off < 0)
			return off;
		l->sec_names[w[4]] = off;
	}
	for (i = 0; i < enc->nr_secs; i++) {
		off = name_locsec(l, &enc->secs[i]);
		if (off < 0)
			return off;
		l->locsec_names[i] = off;
	}
	return 0;
}

static int put_all(struct layout *l, struct wbuf *out)
{
	struct btf_encoder_locs *enc = l->enc;
	struct wbuf keys;
	size_t at;
	int err;

	wbuf__init(&keys, out->big);
	err = put_keys(&keys, l);
	if (err)
		goto out;
	l->first_str = btf_chain__str_size(enc->base);
	l->own_strs = l->first_str + keys.len;
	l->first_param = enc->nr_base + enc->types.nr_items;
	l->first_proto = l->first_param + enc->params.nr_items;

	wbuf__u16(out, LOCS_BTF_MAGIC);
	wbuf__u8(out, LOCS_BTF_VERSION);
	wbuf__u8(out, 0);
	wbuf__u32(out, LOCS_BTF_HDR_LAYOUT);
	wbuf__zero(out, LOCS_BTF_HDR_LAYOUT - 8);
	put_types(out, l);
	at = out->len - LOCS_BTF_HDR_LAYOUT;
	wbuf__patch_u32(out, 8, 0);
	wbuf__patch_u32(out, 12, at);
	wbuf__patch_u32(out, 24, at);
	put_layout(out);
	wbuf__patch_u32(out, 28, out->len - LOCS_BTF_HDR_LAYOUT - at);
	at = out->len - LOCS_BTF_HDR_LAYOUT;
	wbuf__patch_u32(out, 16, at);
	wbuf__put(out, keys.data, keys.len);
	wbuf__put(out, enc->strs.data, enc->strs.len);
	wbuf__align(out, 4);
	wbuf__patch_u32(out, 20, out->len - LOCS_BTF_HDR_LAYOUT - at);
	err = out->err;
	if (!err && out->len > UINT32_MAX)
		err = -EOVERFLOW;
out:
	wbuf__free(&keys);
	return err;
}

int btf_encoder_locs__encode(struct btf_encoder_locs *enc, const struct locs_object *obj,
			     struct wbuf *out, struct btf_locs_err *err)
{
	struct layout l = { .enc = enc, .obj = obj };
	size_t i;
	int ret;

	wbuf__init(out, btf_chain__big(enc->base));
	ret = encoder__functions(enc, err);
	if (ret)
		goto out;
	/* order of sections and of records: the file's, not that of the units */
	if (enc->nr_secs)
		qsort(enc->secs, enc->nr_secs, sizeof(*enc->secs), by_section);
	for (i = 0; i < enc->nr_secs; i++)
		qsort(enc->secs[i].recs, enc->secs[i].nr, sizeof(*enc->secs[i].recs), by_key);
	ret = check_sections(&l);
	if (!ret)
		ret = name_sections(&l);
	if (!ret)
		ret = put_all(&l, out);
out:
	free(l.sec_names);
	free(l.locsec_names);
	if (ret) {
		wbuf__free(out);
		if (err && !locs_err__is(err, ret))
			locs_err__set(err, ret, "cannot write the section: %s",
				      locs_err__text(err, ret));
	}
	return ret;
}
