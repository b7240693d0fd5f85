/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * blob.h - BTF blobs built by hand, for tests
 *
 * Nothing is checked here: a test can write what is wrong. Written from
 * btf-func-info(5) and the kernel's Documentation/bpf/btf.rst alone: it uses no code of
 * the library but wbuf.
 *
 *	struct blob b;
 *	uint32_t id;
 *
 *	blob__init(&b, false);
 *	id = blob__int(&b, "int", 4, BTF_ENC_SIGNED);
 *	blob__struct(&b, BTF_K_STRUCT, "foo", 4, 1);
 *	blob__member(&b, "x", id, 0);
 *	data = blob__finish(&b, 24, &size);	(free(data) and blob__free(&b))
 *
 * A split one: blob__init_split(&s, false, b.next_type, b.next_str), or
 * blob__init_above(&s, &b).
 */
#ifndef TEST_BLOB_H
#define TEST_BLOB_H

#include "../../lib/cursor.h"
#include "../../lib/locs_format.h"

struct blob {
	struct wbuf types;
	struct wbuf strs;
	bool big;
	uint32_t next_type;	/* id that the next type will have */
	uint32_t next_str;	/* offset that the next string will have */
};

/* A root: "" at 0, the first type is 1. */
void blob__init(struct blob *b, bool big);
/* A split one; no empty string at its start. */
void blob__init_split(struct blob *b, bool big, uint32_t first_type, uint32_t first_str);
/* Split, upon @below as it is now (finish @below first, or add nothing more to it). */
void blob__init_above(struct blob *b, const struct blob *below);
void blob__free(struct blob *b);

/* Appends a string (always a new copy), gives its offset. "", NULL: 0, nothing added. */
uint32_t blob__str(struct blob *b, const char *s);
/* Appends @n raw bytes to the strings, gives the offset of the first. */
uint32_t blob__str_bytes(struct blob *b, const void *data, size_t n);

/* The 12 bytes of a type, gives its id. blob__word() or the like adds the rest. */
uint32_t blob__type(struct blob *b, uint32_t kind, const char *name, uint32_t vlen,
		    bool kflag, uint32_t size_or_type);
void blob__word(struct blob *b, uint32_t v);
/* Likewise, with a string that is there already, perhaps in a blob below. */
uint32_t blob__type_off(struct blob *b, uint32_t kind, uint32_t name_off, uint32_t vlen,
			bool kflag, uint32_t size_or_type);

/* @enc: BTF_ENC_* */
uint32_t blob__int(struct blob *b, const char *name, uint32_t size, uint32_t enc);
/* PTR, CONST, VOLATILE, RESTRICT, TYPEDEF, TYPE_TAG; FWD takes type 0 */
uint32_t blob__ref(struct blob *b, uint32_t kind, const char *name, uint32_t type);
uint32_t blob__array(struct blob *b, uint32_t type, uint32_t index, uint32_t nelems);
/* STRUCT or UNION; @vlen times blob__member() must follow. */
uint32_t blob__struct(struct blob *b, uint32_t kind, const char *name, uint32_t size,
		      uint32_t vlen);
/* @off: bits; of a struct with the kind flag: bitfield size << 24 | bits */
void blob__member(struct blob *b, const char *name, uint32_t type, uint32_t off);
/* @vlen times blob__enumerator() must follow. */
uint32_t blob__enum(struct blob *b, const char *name, uint32_t size, uint32_t vlen,
		    bool is_signed);
void blob__enumerator(struct blob *b, const char *name, uint32_t val);
uint32_t blob__enum64(struct blob *b, const char *name, uint32_t vlen, bool is_signed);
void blob__enumerator64(struct blob *b, const char *name, uint64_t val);
/* @vlen times blob__param() must follow; varargs: blob__param(b, NULL, 0) last. */
uint32_t blob__proto(struct blob *b, uint32_t ret, uint32_t vlen);
void blob__param(struct blob *b, const char *name, uint32_t type);
/* @linkage: 0 static, 1 global, 2 extern */
uint32_t blob__func(struct blob *b, const char *name, uint32_t proto, uint32_t linkage);
uint32_t blob__var(struct blob *b, const char *name, uint32_t type, uint32_t linkage);

uint32_t blob__loc_param(struct blob *b, uint32_t size, uint32_t flags, uint32_t vlen,
			 const uint32_t *values);
uint32_t blob__loc_proto(struct blob *b, uint32_t vlen, const uint32_t *loc_params);
/* @vlen times blob__rec() must follow. */
uint32_t blob__locsec(struct blob *b, const char *name, uint32_t vlen);
void blob__rec(struct blob *b, uint32_t func, uint32_t loc_proto, uint32_t offset);

/*
 * The whole blob, malloc'ed. @hdr_len 24: header, types, strings. @hdr_len 32: header,
 * types, layout (92 bytes, all 23 kinds), strings padded with NULs to 4 (which a blob
 * above must count: blob__pad_strs() first). The builder stays usable.
 */
uint8_t *blob__finish(const struct blob *b, unsigned int hdr_len, size_t *size);
void blob__pad_strs(struct blob *b);

/* The 92 bytes of the layout section. */
void blob__layout(struct wbuf *out);

#endif
