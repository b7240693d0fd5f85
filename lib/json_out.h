/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * json_out.h - a JSON object, written field by field
 *
 * Nothing is kept and nothing allocated: what fails is the outbuf's. Numbers are printed
 * as they are; those of 64 bits that JavaScript would round are the caller's to print as strings.
 */
#ifndef LOCS_JSON_OUT_H
#define LOCS_JSON_OUT_H

#include "outbuf.h"

#include <stdbool.h>

struct jobj {
	struct outbuf *o;
	bool pretty;		/* a field a line */
	bool begun;		/* the object or array at hand has something in it */
	unsigned int depth;	/* objects and arrays around the next field */
};

/* An object begins. Without @pretty it is on one line. */
void jobj__begin(struct jobj *j, struct outbuf *o, bool pretty);
/* It ends, without a newline. */
void jobj__end(struct jobj *j);

/* @key of all these: NULL in an array. */
void jobj__object(struct jobj *j, const char *key);
void jobj__object_end(struct jobj *j);
void jobj__array(struct jobj *j, const char *key);
void jobj__array_end(struct jobj *j);
void jobj__num(struct jobj *j, const char *key, int64_t val);
/* What is no UTF-8 in @val or @key becomes U+FFFD. */
void jobj__str(struct jobj *j, const char *key, const char *val);
void jobj__bool(struct jobj *j, const char *key, bool val);
void jobj__null(struct jobj *j, const char *key);
/* A number with two decimals. */
void jobj__decimal(struct jobj *j, const char *key, double val);
/* The string "0x..." */
void jobj__hex(struct jobj *j, const char *key, uint64_t val);

#endif
