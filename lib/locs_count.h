/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* locs_count.h - what a section holds, in figures */
#ifndef LOCS_LOCS_COUNT_H
#define LOCS_LOCS_COUNT_H

#include "../btf_locs.h"
#include "locs_format.h"

struct locs_count {
	uint64_t recs[BTF_LOCS_FUNC + 1];	/* by enum btf_locs_kind */
	/* of the sites: inline, guess and part together */
	uint64_t sites;
	uint64_t sites_located;	/* every parameter located, or none to locate */
	uint64_t funcs;		/* distinct FUNCs */
	uint64_t partial;	/* of these, FUNCs that the base has */
	uint64_t params;
	uint64_t located;
	/* of the functions out of line */
	uint64_t conforming;	/* that name no locations: loc_proto 0 */
	uint64_t func_params;	/* of the others */
	uint64_t func_located;
	/* by enum btf_kind: how many types, and their bytes */
	uint64_t types[BTF_K_NR];
	uint64_t type_bytes[BTF_K_NR];
	uint64_t hdr_bytes;
	uint64_t layout_bytes;
	uint64_t str_bytes;
	uint64_t bytes;		/* of the whole */
	uint64_t deflated;	/* bytes after zlib, level 6 */
};

/* 0 or -ENOMEM. */
int locs_count__read(const struct btf_locs *locs, struct locs_count *out);

#endif
