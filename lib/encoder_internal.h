/* SPDX-License-Identifier: GPL-2.0-only */
/* encoder_internal.h - shared by the encoder's files */
#ifndef LOCS_ENCODER_INTERNAL_H
#define LOCS_ENCODER_INTERNAL_H

#include "../btf_encoder_locs.h"
#include "intern.h"
#include "pair_graph.h"
#include "strtab.h"

/* A name: an offset into the base's strings, or NAME_OWN + one into our own table. */
#define NAME_OWN 0x80000000u

/*
 * A type of ours as a row of words: TW_* first, then elements. Ids are final: the base's,
 * or nr_base + the row's number.
 */
enum {
	TW_INFO,		/* the info word, as written */
	TW_NAME,
	TW_SIZE,		/* size or type, as written */
	TW_FIXED
};

/* What is compared of a unit's types, at most: pairs of types, and words of them. */
#define ENC_PAIRS_MAX	1000000
#define ENC_STEPS_MAX	20000000

#define ENC_NO_PROTO UINT32_MAX	/* a record that names no locations */

struct enc_rec {
	uint64_t key;		/* offset << 32 | order of appearance */
	uint32_t func;		/* id */
	uint32_t proto;		/* index of the LOC_PROTO, or ENC_NO_PROTO */
};

/* A function out of line. */
struct enc_fn {
	struct set_rec rec;
	uint32_t name;		/* as encoder__name() numbers them */
	uint32_t func;		/* id */
	uint32_t proto;		/* as above */
	uint32_t order;		/* of appearance */
	bool plain;		/* to be left out, unless another has its name */
};

/* Records of one kind in one ELF section. */
struct enc_sec {
	uint32_t sec;		/* ELF section index */
	uint8_t kind;		/* enum btf_locs_kind */
	struct enc_rec *recs;
	size_t nr, cap;
};

/* A struct or union of ours; those of one name, size and such members are a list. */
struct enc_struct {
	uint32_t id;
	uint32_t next;			/* index + 1 of the next in the list, 0: none */
	bool complete;			/* its members are there */
};

struct btf_encoder_locs {
	const struct btf_chain *base;
	uint32_t nr_base;
	struct strtab strs;
	struct intern types;		/* ordinary kinds */
	struct intern keys;		/* what a list of structs has in common */
	uint32_t *lists;		/* by key: index + 1 of its first struct */
	size_t nr_lists, cap_lists;
	struct enc_struct *structs;
	size_t nr_structs, cap_structs;
	struct intern params;		/* LOC_PARAMs: size, flags, values */
	struct intern protos;		/* LOC_PROTOs: LOC_PARAM index + 1, or 0 */
	struct enc_sec *secs;
	size_t nr_secs, cap_secs;
	uint32_t *by_sec;		/* by ELF section and kind: index + 1 into @secs, or 0 */
	size_t cap_by_sec;
	bool all_funcs;			/* the plain ones too */
	struct enc_fn *fns;
	size_t nr_fns, cap_fns;
	struct locs_stats stats;
	/* of the unit at hand */
	const struct locs_set *set;
	uint32_t *map;			/* the unit's types -> ids, 0: not yet */
	size_t cap_map;
	uint32_t *words;		/* a stack of rows being made */
	size_t nr_words, cap_words;
	unsigned int depth;		/* of types within types */
	struct pair_graph pairs;	/* of our types and the unit's: whether they are the same */
	bool unfinished;		/* one of ours was not complete when it was compared */
	bool limited;			/* a bound of @pairs was met */
};

/* The name's number in either table. Negative errno. */
int64_t encoder__name(struct btf_encoder_locs *enc, const char *str);
/* The id of a type of the unit at hand. 0 or negative errno. */
int encoder__type(struct btf_encoder_locs *enc, tref_t ref, uint32_t *id);
/* Adds a record. */
int encoder__rec(struct btf_encoder_locs *enc, const struct set_rec *rec, uint32_t func,
		 uint32_t proto, struct btf_locs_err *err);
/* Adds the records of the functions out of line, once all units are in. */
int encoder__functions(struct btf_encoder_locs *enc, struct btf_locs_err *err);
/* A FUNC of our own. */
int encoder__func(struct btf_encoder_locs *enc, const char *name, uint32_t proto,
		  uint32_t *id);

#endif
