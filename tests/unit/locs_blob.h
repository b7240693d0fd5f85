/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * locs_blob.h - a small base and sections upon it, as files, for the reader's tests
 *
 * Over blob.h, which checks nothing: a test can write what is wrong.
 */
#ifndef TEST_LOCS_BLOB_H
#define TEST_LOCS_BLOB_H

#include "../../btf_locs.h"
#include "blob.h"

/* The ids of the types that locs_base__build() writes, in this order. */
enum {
	ID_INT = 1,		/* int */
	ID_UINT,		/* unsigned int */
	ID_CHAR,		/* char */
	ID_PTR,			/* char * */
	ID_PROTO2,		/* int (int a, char *b) */
	ID_FOO,			/* FUNC foo: ID_PROTO2 */
	ID_PROTO0,		/* void (void) */
	ID_BAR,			/* FUNC bar: ID_PROTO0 */
	ID_PROTOV,		/* int (char *fmt, ...) */
	ID_PRINTK,		/* FUNC printk: ID_PROTOV */
	ID_STRUCT,		/* struct s { int x; } */
	ID_FIRST,		/* the section's first */
};

void locs_base__build(struct blob *base, bool big);

/*
 * A section upon @base, begun with its key=value run: btf_locs=1, machine=62, the three
 * keys that name @base, whose first type is @base_first (1 for a root), and @extra, a
 * list that ends with NULL (NULL: none).
 */
void locs_sec__init(struct blob *sec, const struct blob *base, uint32_t base_first,
		    const char *const *extra);

/* A new file of these bytes in /tmp; its path is written to @path. */
void tmp_file__write(char path[64], const void *data, size_t size);

/*
 * Opens the section, which may be of any bytes, upon @base (and @mid upon that, or
 * NULL), by way of files. As btf_locs__open(); @err->text without the section's file
 * name.
 */
int locs_open__bytes(const struct blob *base, const struct blob *mid, const void *data,
		     size_t size, struct btf_locs **out, struct btf_locs_err *err);
int locs_open__blob(const struct blob *base, const struct blob *mid,
		    const struct blob *sec, struct btf_locs **out,
		    struct btf_locs_err *err);

/*
 * A good section with a record of each kind, every form of location and a FUNC of its
 * own; @base and @sec are both initialized by it.
 */
void locs_sample__build(struct blob *base, struct blob *sec, bool big);

/* Asks an open section everything it can be asked: each record, parameter and type. */
void locs__walk_all(const struct btf_locs *locs);

#endif
