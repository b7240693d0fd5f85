// SPDX-License-Identifier: GPL-2.0-only
/* btf_encoder_locs.c - records of units + base BTF -> the records of the section */
#include "btf_encoder_locs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/encoder_internal.h"
#include "lib/encoder_params.h"
#include "lib/err.h"

#define NR_KINDS (BTF_LOCS_FUNC + 1)

struct btf_encoder_locs *btf_encoder_locs__new(const struct btf_chain *base, bool all_funcs)
{
	struct btf_encoder_locs *enc = calloc(1, sizeof(*enc));

	if (!enc)
		return NULL;
	enc->base = base;
	enc->all_funcs = all_funcs;
	enc->nr_base = btf_chain__nr_types(base);
	pair_graph__init(&enc->pairs, ENC_PAIRS_MAX, ENC_STEPS_MAX);
	if (strtab__init(&enc->strs) || intern__init(&enc->types) ||
	    intern__init(&enc->keys) || intern__init(&enc->params) ||
	    intern__init(&enc->protos)) {
		btf_encoder_locs__free(enc);
		return NULL;
	}
	return enc;
}

void btf_encoder_locs__free(struct btf_encoder_locs *enc)
{
	size_t i;

	if (!enc)
		return;
	for (i = 0; i < enc->nr_secs; i++)
		free(enc->secs[i].recs);
	free(enc->secs);
	free(enc->by_sec);
	strtab__free(&enc->strs);
	intern__free(&enc->types);
	intern__free(&enc->keys);
	intern__free(&enc->params);
	intern__free(&enc->protos);
	free(enc->lists);
	free(enc->structs);
	free(enc->map);
	free(enc->words);
	pair_graph__free(&enc->pairs);
	free(enc->fns);
	free(enc);
}

const struct locs_stats *btf_encoder_locs__stats(const struct btf_encoder_locs *enc)
{
	return &enc->stats;
}

void btf_encoder_locs__limit(struct btf_encoder_locs *enc, enum limit_reason why)
{
	enc->stats.limits[why]++;
}

/* The records of one kind in one ELF section. */
static int find_sec(struct btf_encoder_locs *enc, uint32_t sec, uint8_t kind,
		    struct enc_sec **out)
{
	size_t slot = (size_t)sec * NR_KINDS + kind, old = enc->cap_by_sec;
	int err;

	/* @sec is one of the file's: there are as many slots as it has sections, about */
	err = array__room(enc->by_sec, slot, enc->cap_by_sec, 1);
	if (err)
		return err;
	if (enc->cap_by_sec > old)
		memset(enc->by_sec + old, 0, (enc->cap_by_sec - old) * sizeof(*enc->by_sec));
	if (!enc->by_sec[slot]) {
		err = array__room(enc->secs, enc->nr_secs, enc->cap_secs, 1);
		if (err)
			return err;
		enc->secs[enc->nr_secs] = (struct enc_sec){ .sec = sec, .kind = kind };
		enc->by_sec[slot] = ++enc->nr_secs;
	}
	*out = &enc->secs[enc->by_sec[slot] - 1];
	return 0;
}

/* The LOC_PARAM of a location: its index + 1, or 0 where it is not available. */
static int64_t add_param(struct btf_encoder_locs *enc, const struct loc *l)
{
	uint32_t words[LOC_PARAM_WORDS_MAX], nr;
	int64_t item;

	if (!l->flags)
		return 0;
	/* until the end, the section's index stands for its name */
	nr = loc_param__words(l, l->sec, words);
	item = intern__add(&enc->params, words, nr);
	return item < 0 ? item : item + 1;
}

int encoder__rec(struct btf_encoder_locs *enc, const struct set_rec *rec, uint32_t func,
		 uint32_t proto, struct btf_locs_err *err)
{
	struct enc_sec *sec;
	int ret = find_sec(enc, rec->sec, rec->kind, &sec);

	if (!ret)
		ret = array__room(sec->recs, sec->nr, sec->cap, 1);
	if (ret)
		return ret;
	if (rec->offset > UINT32_MAX || sec->nr >= LOCS_BTF_MAX_VLEN)
		return locs_err__set(err, -EOVERFLOW,
				     "a section has more code or sites than the format holds");
	sec->recs[sec->nr] = (struct enc_rec){
		.key = rec->offset << 32 | sec->nr, .func = func, .proto = proto,
	};
	sec->nr++;
	enc->stats.recs[rec->kind]++;
	return 0;
}

/* The LOC_PROTO of a record: its index. Counts what is and what is not available. */
static int64_t add_proto(struct btf_encoder_locs *enc, const struct locs_set *set,
			 const struct set_rec *rec)
{
	bool func = rec->kind == BTF_LOCS_FUNC;
	uint64_t *none = func ? enc->stats.func_none : enc->stats.none;
	uint32_t i, nr = set->funcs[rec->func].nr_params, missing = 0;
	size_t mark = enc->nr_words;
	int64_t item;
	int err;

	err = array__room(enc->words, enc->nr_words, enc->cap_words, nr);
	if (err)
		return err;
	for (i = 0; i < nr; i++) {
		item = add_param(enc, &set->locs[rec->first_loc + i]);
		if (item < 0)
			return item;
		enc->words[mark + i] = item;
		missing += !item;
		none[set->reasons[rec->first_loc + i]]++;
	}
	if (func) {
		enc->stats.func_params += nr;
	} else {
		enc->stats.params += nr;
		enc->stats.full += !missing;
	}
	return intern__add(&enc->protos, enc->words + mark, nr);
}

/* The FUNC of a function of the unit: the base's, or one of our own. */
static int func_id(struct btf_encoder_locs *enc, const struct set_func *f, uint32_t *id)
{
	uint32_t proto;
	int err;

	if (f->func_id) {
		*id = f->func_id;
		return 0;
	}
	err = encoder__type(enc, f->proto, &proto);
	return err ? err : encoder__func(enc, f->name, proto, id);
}

/* The unit's types start anew. */
static int begin_unit(struct btf_encoder_locs *enc, const struct locs_set *set)
{
	size_t n = set->nr_types + set->nr_funcs;
	int err = array__room(enc->map, (size_t)0, enc->cap_map, n);

	if (err)
		return err;
	enc->set = set;
	enc->nr_words = 0;
	enc->depth = 0;
	enc->limited = false;
	pair_graph__clear(&enc->pairs);
	enc->pairs.steps = ENC_STEPS_MAX;
	if (n)
		memset(enc->map, 0, n * sizeof(*enc->map));
	return 0;
}

/* The record of a function: which of them are to be written is known when all have been seen. */
static int add_function(struct btf_encoder_locs *enc, const struct set_rec *rec,
			const struct set_func *f, uint32_t func, int64_t proto)
{
	int64_t name = encoder__name(enc, f->name);
	int err = array__room(enc->fns, enc->nr_fns, enc->cap_fns, 1);

	if (name < 0 || err)
		return err ? err : (int)name;
	enc->fns[enc->nr_fns] = (struct enc_fn){
		.rec = *rec, .name = name, .func = func, .proto = proto, .order = enc->nr_fns,
		/* base has its FUNC, and there is nothing to say */
		.plain = rec->plain && f->func_id,
	};
	enc->nr_fns++;
	return 0;
}

static int add_rec(struct btf_encoder_locs *enc, const struct set_rec *rec,
		   const struct set_func *f, uint32_t func, struct btf_locs_err *err)
{
	int64_t proto = ENC_NO_PROTO;

	if (!rec->conforms) {
		proto = add_proto(enc, enc->set, rec);
		if (proto < 0)
			return proto;
	}
	if (rec->kind == BTF_LOCS_FUNC)
		return add_function(enc, rec, f, func, proto);
	return encoder__rec(enc, rec, func, proto, err);
}

static void add_skipped(uint64_t *to, const uint64_t *from)
{
	int i;

	for (i = 0; i < SKIP_NR_REASONS; i++)
		to[i] += from[i];
}

int btf_encoder_locs__add(struct btf_encoder_locs *enc, const struct locs_set *set,
			  struct btf_locs_err *err)
{
	uint32_t *funcs;
	size_t r;
	int ret;

	ret = begin_unit(enc, set);
	if (ret)
		return ret;
	/* behind the types: ids of the functions that have been seen */
	funcs = enc->map + set->nr_types;
	for (r = 0; r < set->nr_recs; r++) {
		const struct set_rec *rec = &set->recs[r];
		const struct set_func *f = &set->funcs[rec->func];

		if (f->err) {
			(rec->out_of_line ? enc->stats.func_skip :
					    enc->stats.skip)[SKIP_TYPE]++;
			continue;
		}
		if (!funcs[rec->func]) {
			ret = func_id(enc, f, &funcs[rec->func]);
			if (ret)
				return ret;
		}
		ret = add_rec(enc, rec, f, funcs[rec->func], err);
		if (ret)
			return ret;
	}
	add_skipped(enc->stats.skip, set->skip);
	add_skipped(enc->stats.func_skip, set->func_skip);
	enc->stats.sites += set->sites;
	enc->stats.functions += set->functions;
	enc->stats.units++;
	enc->stats.limits[LIMIT_TYPES] += set->limited;
	enc->stats.limits[LIMIT_MERGE] += enc->limited;
	return 0;
}
