/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* chain_fixture.h - a chain over hand-built blobs, and a root with a bit of all kinds */
#ifndef TEST_CHAIN_FIXTURE_H
#define TEST_CHAIN_FIXTURE_H

#include <stdlib.h>

#include "../../lib/btf_chain.h"
#include "blob.h"

/* A test that runs twice; its state is a bool: big-endian. */
#define BOTH(f)								\
	{ #f " little", f, NULL, NULL, (void *)&chain_little },		\
	{ #f " big", f, NULL, NULL, (void *)&chain_big }

extern const bool chain_little, chain_big;

#define MAX_LEVELS 4

/* A chain over blobs that were built here. */
struct fixture {
	struct btf_chain *c;
	uint8_t *data[MAX_LEVELS];
	size_t size[MAX_LEVELS];
	unsigned int nr;
};

/* The ids of the root's types, in the order in which they stand. */
enum {
	T_INT = 1, T_CHAR, T_PCHAR, T_PINT, T_CCHAR, T_PCCHAR, T_FOO, T_PFOO, T_FOO2,
	T_FOO_T, T_ANON_X, T_ANON_Y, T_ANON_X2, T_UANON_X, T_COLOR, T_EANON, T_E64,
	T_ARR, T_ARR_C, T_PROTO_S, T_PROTO_T, T_PRINTF, T_PRINTF2, T_FWD, T_VAR,
	T_DATASEC, T_FLOAT, T_TAG, T_USER, T_PUSER, T_VOL, T_RES, T_BITS, T_PVOID,
	T_PROTO_NONE, T_NR
};

void fixture__init(struct fixture *f);
/* Adds a level, which must be taken, and frees its builder. */
void fixture__add(struct fixture *f, struct blob *b, unsigned int hdr_len, bool locs);
/* A chain of the root alone, with its index. */
void fixture__root(struct fixture *f, bool big);
void fixture__free(struct fixture *f);

/* The root, T_INT to T_NR - 1. */
void root__build(struct blob *b, bool big);

/* INT 'int' (id 1, 0x18 to 0x28, string 1), PTR to it (id 2, 0x28 to 0x34). */
void small_root(struct blob *b, bool big);

/* The same bytes, malloc'ed in a block of just their size, for ASan and valgrind. */
uint8_t *exactly(const void *data, size_t size);

/* Asserts that @data is refused with @ret and @line, and the chain is as it was. */
void check_refused(struct btf_chain *c, const void *data, size_t size, bool locs, int ret,
		   const char *line);

#endif
