/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_encoder_locs.h - records of units + base BTF -> the bytes of .BTF.func_info
 *
 * The only writer of the format. Units are added in the order of the file; the bytes
 * depend on nothing else.
 */
#ifndef BTF_ENCODER_LOCS_H
#define BTF_ENCODER_LOCS_H

#include "lib/btf_chain.h"
#include "lib/cursor.h"
#include "lib/locs_set.h"

struct btf_encoder_locs;

/* An ELF section that records or addresses can be in. */
struct locs_section {
	const char *name;
	uint64_t addr;		/* as linked; 0 in a relocatable file */
	uint64_t size;
};

/* What the section says of the object it is of. */
struct locs_object {
	uint16_t machine;	/* e_machine */
	const char *build_id;	/* hex, "" if it has none */
	const struct locs_section *secs;	/* by ELF section index */
	size_t nr_secs;
};

/*
 * @base: indexed, borrowed. @all_funcs: a record for every function out of line, not only for those
 * of which there is something to say. NULL: no memory.
 */
struct btf_encoder_locs *btf_encoder_locs__new(const struct btf_chain *base, bool all_funcs);
void btf_encoder_locs__free(struct btf_encoder_locs *enc);	/* NULL is accepted */

/*
 * Adds a unit's records; @set, whose functions have been resolved, is not needed afterwards.
 * -ENOMEM; -EOVERFLOW and a line in @err: an offset of 4 GiB or more.
 */
int btf_encoder_locs__add(struct btf_encoder_locs *enc, const struct locs_set *set,
			  struct btf_locs_err *err);

/* Writes the section to @out, an empty buffer. Once, after the last unit. */
int btf_encoder_locs__encode(struct btf_encoder_locs *enc, const struct locs_object *obj,
			     struct wbuf *out, struct btf_locs_err *err);

/* What was added; the encoder's. */
/* Counts a bound that was met before there were units. */
void btf_encoder_locs__limit(struct btf_encoder_locs *enc, enum limit_reason why);
const struct locs_stats *btf_encoder_locs__stats(const struct btf_encoder_locs *enc);

#endif
