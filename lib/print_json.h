/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print_json.h - records, locations and types as JSON: the objects of btflocs(1), section JSON */
#ifndef LOCS_PRINT_JSON_H
#define LOCS_PRINT_JSON_H

#include "../btf_locs.h"
#include "json_out.h"

/* Adds a location under the key "loc", null where there is none. */
void print_json__loc(struct jobj *j, uint16_t machine, const struct btf_locs_loc *loc);

/*
 * What these print is whole where they return 0; -EINVAL: it cannot be printed; -ENOMEM, for a
 * type's name of more than 1024 bytes.
 */
int print_json__rec(struct outbuf *o, const struct btf_locs *locs,
		    const struct btf_locs_rec *rec, bool pretty);
/* A type other than a LOCSEC. Of a LOCSEC the id, kind, name and vlen, without records. */
int print_json__type(struct outbuf *o, const struct btf_locs *locs, uint32_t id, bool pretty);
/* The same on one line and without its '}': the caller has more fields. */
int print_json__type_open(struct outbuf *o, const struct btf_locs *locs, uint32_t id);
/* One record of a LOCSEC as `dump` has it. */
void print_json__locsec_rec(struct outbuf *o, const struct btf_locs_rec *rec, bool pretty);

#endif
