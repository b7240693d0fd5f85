/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * print_json.h - records, locations and types as JSON
 *
 * Over json-c, which the library itself does not need: this file belongs to the
 * programs. Addresses and 64-bit numbers are strings.
 */
#ifndef LOCS_PRINT_JSON_H
#define LOCS_PRINT_JSON_H

#include <json-c/json.h>

#include "../btf_locs.h"
#include "outbuf.h"

/* An object that is being filled. After a failure @err is set, @obj is still owned. */
struct jobj {
	struct json_object *obj;
	int err;
};

void jobj__init(struct jobj *j);
/* Takes @val over; NULL: no memory. */
void jobj__add(struct jobj *j, const char *key, struct json_object *val);
void jobj__num(struct jobj *j, const char *key, int64_t val);
void jobj__str(struct jobj *j, const char *key, const char *val);
void jobj__bool(struct jobj *j, const char *key, bool val);
/* "0x..." */
void jobj__hex(struct jobj *j, const char *key, uint64_t val);
/*
 * Prints it, @pretty: over several lines, without a newline at the end; frees it. 0 or
 * the error that filling it met.
 */
int jobj__print(struct jobj *j, struct outbuf *o, bool pretty);
/* On one line and without its '}': the caller has more fields. Frees it likewise. */
int jobj__print_open(struct jobj *j, struct outbuf *o);

/* Adds a location under the key "loc", null where there is none. */
void print_json__loc(struct jobj *j, uint16_t machine, const struct btf_locs_loc *loc);

/*
 * The objects of btflocs(1), section JSON. 0, -ENOMEM or -EINVAL; in any case @j is to be
 * given to jobj__print(), which frees it.
 */
int print_json__rec(struct jobj *j, const struct btf_locs *locs,
		    const struct btf_locs_rec *rec);
/* A type other than a LOCSEC. Of a LOCSEC the id, kind and name, without records. */
int print_json__type(struct jobj *j, const struct btf_locs *locs, uint32_t id);
/* One record of a LOCSEC as `dump` has it. */
int print_json__locsec_rec(struct jobj *j, const struct btf_locs_rec *rec);

#endif
