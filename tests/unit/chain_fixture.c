// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* chain_fixture.c - a chain over hand-built blobs, and a root with a bit of all kinds */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chain_fixture.h"

const bool chain_little, chain_big = true;

void fixture__init(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->c = btf_chain__new();
	assert_non_null(f->c);
}

void fixture__add(struct fixture *f, struct blob *b, unsigned int hdr_len, bool locs)
{
	struct btf_locs_err err = { "" };
	unsigned int i = f->nr++;

	assert_true(i < MAX_LEVELS);
	f->data[i] = blob__finish(b, hdr_len, &f->size[i]);
	blob__free(b);
	if (btf_chain__add(f->c, f->data[i], f->size[i], locs, &err))
		fail_msg("%s", err.text);
	assert_string_equal(err.text, "");
}

void fixture__free(struct fixture *f)
{
	btf_chain__free(f->c);
	while (f->nr)
		free(f->data[--f->nr]);
}

static void root__aggregates(struct blob *b)
{
	blob__struct(b, BTF_K_STRUCT, "foo", 16, 2);
	blob__member(b, "a", T_INT, 0);
	blob__member(b, "next", T_PFOO, 64);		/* an id that is still to come */
	blob__ref(b, BTF_K_PTR, NULL, T_FOO);
	blob__struct(b, BTF_K_STRUCT, "foo", 4, 1);
	blob__member(b, "a", T_INT, 0);
	blob__ref(b, BTF_K_TYPEDEF, "foo_t", T_FOO);
	blob__struct(b, BTF_K_STRUCT, NULL, 4, 1);
	blob__member(b, "x", T_INT, 0);
	blob__struct(b, BTF_K_STRUCT, NULL, 4, 1);
	blob__member(b, "y", T_INT, 0);
	blob__struct(b, BTF_K_STRUCT, NULL, 4, 1);
	blob__member(b, "x", T_INT, 0);
	blob__struct(b, BTF_K_UNION, NULL, 4, 1);
	blob__member(b, "x", T_INT, 0);
	blob__enum(b, "color", 4, 2, false);
	blob__enumerator(b, "RED", 7);
	blob__enumerator(b, "GREEN", 0xfffffffe);
	blob__enum(b, NULL, 4, 1, true);
	blob__enumerator(b, "NEG", 0xfffffffe);
	blob__enum64(b, "wide", 2, false);
	blob__enumerator64(b, "W", UINT64_C(0x123456789abcdef0));
	blob__enumerator64(b, "X", 5);
	blob__array(b, T_INT, T_INT, 3);
	blob__array(b, T_INT, T_CHAR, 3);
}

void root__build(struct blob *b, bool big)
{
	blob__init(b, big);
	blob__int(b, "int", 4, BTF_ENC_SIGNED);
	blob__int(b, "char", 1, 0);
	blob__ref(b, BTF_K_PTR, NULL, T_CHAR);
	blob__ref(b, BTF_K_PTR, NULL, T_INT);
	blob__ref(b, BTF_K_CONST, NULL, T_CHAR);
	blob__ref(b, BTF_K_PTR, NULL, T_CCHAR);
	root__aggregates(b);
	blob__proto(b, T_INT, 2);
	blob__param(b, "s", T_PCHAR);
	blob__param(b, NULL, 0);
	blob__proto(b, T_INT, 2);
	blob__param(b, "t", T_PCHAR);
	blob__param(b, NULL, 0);
	blob__func(b, "printf", T_PROTO_S, 1);
	blob__func(b, "printf", T_PROTO_T, 0);
	blob__ref(b, BTF_K_FWD, "bar", 0);
	blob__var(b, "v", T_INT, 1);
	blob__type(b, BTF_K_DATASEC, ".data", 1, false, 4);
	blob__word(b, T_VAR);
	blob__word(b, 0);
	blob__word(b, 4);
	blob__type(b, BTF_K_FLOAT, "double", 0, false, 8);
	blob__type(b, BTF_K_DECL_TAG, "tag", 0, false, T_FOO);
	blob__word(b, 1);
	blob__ref(b, BTF_K_TYPE_TAG, "user", T_CHAR);
	blob__ref(b, BTF_K_PTR, NULL, T_USER);
	blob__ref(b, BTF_K_VOLATILE, NULL, T_INT);
	blob__ref(b, BTF_K_RESTRICT, NULL, T_PCHAR);
	blob__type(b, BTF_K_STRUCT, "bits", 2, true, 4);
	blob__member(b, "a", T_INT, 3 << 24 | 0);
	blob__member(b, "b", T_INT, 5 << 24 | 3);
	blob__ref(b, BTF_K_PTR, NULL, 0);
	blob__proto(b, 0, 0);
	assert_int_equal(b->next_type, T_NR);
}

void fixture__root(struct fixture *f, bool big)
{
	struct blob b;

	fixture__init(f);
	root__build(&b, big);
	fixture__add(f, &b, 24, false);
	assert_int_equal(btf_chain__index(f->c), 0);
}

uint8_t *exactly(const void *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	assert_non_null(copy);
	memcpy(copy, data, size);
	return copy;
}

void check_refused(struct btf_chain *c, const void *data, size_t size, bool locs,
			  int ret, const char *line)
{
	uint32_t levels = btf_chain__nr_levels(c), types = btf_chain__nr_types(c);
	uint32_t strs = btf_chain__str_size(c);
	struct btf_locs_err err = { "" };
	bool big = btf_chain__big(c);
	uint8_t *copy = exactly(data, size);

	assert_int_equal(btf_chain__add(c, copy, size, locs, &err), ret);
	assert_string_equal(err.text, line);
	assert_int_equal(btf_chain__add(c, copy, size, locs, NULL), ret);
	assert_int_equal(btf_chain__nr_levels(c), levels);
	assert_int_equal(btf_chain__nr_types(c), types);
	assert_int_equal(btf_chain__str_size(c), strs);
	assert_true(btf_chain__big(c) == big);
	free(copy);
}

void small_root(struct blob *b, bool big)
{
	blob__init(b, big);
	blob__int(b, "int", 4, BTF_ENC_SIGNED);
	blob__ref(b, BTF_K_PTR, NULL, 1);
}
