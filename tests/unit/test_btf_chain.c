// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_chain.c - views and look-ups, in both byte orders */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chain_fixture.h"

/* Bytes written out here by hand: nothing of the builder is taken on trust. */
static void test_bytes(void **state)
{
	static const uint8_t little[] = {
		0x9f, 0xeb, 1, 0, 24, 0, 0, 0,
		0, 0, 0, 0, 28, 0, 0, 0, 28, 0, 0, 0, 5, 0, 0, 0,
		1, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 32, 0, 0, 1,	/* int */
		0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0,			/* int * */
		0, 'i', 'n', 't', 0,
	};
	static const uint8_t big[] = {
		0xeb, 0x9f, 1, 0, 0, 0, 0, 24,
		0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 28, 0, 0, 0, 5,
		0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 32,
		0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1,
		0, 'i', 'n', 't', 0,
	};
	bool is_big = *(bool *)*state;
	const uint8_t *data = is_big ? big : little;
	struct btf_chain *c = btf_chain__new();
	struct btf_locs_err err = { "" };
	struct btf_type_view t;
	struct btf_level_info l;
	uint32_t w;

	assert_int_equal(sizeof(big), sizeof(little));
	assert_int_equal(btf_chain__add(c, data, sizeof(big), false, &err), 0);
	assert_true(btf_chain__big(c) == is_big);
	assert_int_equal(btf_chain__nr_levels(c), 1);
	assert_int_equal(btf_chain__nr_types(c), 3);
	assert_int_equal(btf_chain__str_size(c), 5);
	assert_int_equal(btf_chain__type(c, 1, &t), 0);
	assert_int_equal(t.id, 1);
	assert_int_equal(t.name_off, 1);
	assert_int_equal(t.kind, BTF_K_INT);
	assert_int_equal(t.vlen, 0);
	assert_false(t.kflag);
	assert_int_equal(t.size, 4);
	assert_ptr_equal(t.data, data + 24 + 12);
	assert_int_equal(t.data_size, 4);
	assert_int_equal(btf_chain__word(c, &t, 0, &w), 0);
	assert_int_equal(w, 0x01000020);
	w = 77;
	assert_int_equal(btf_chain__word(c, &t, 1, &w), -ERANGE);
	assert_int_equal(btf_chain__word(c, &t, UINT32_MAX, &w), -ERANGE);
	assert_int_equal(w, 77);
	assert_string_equal(btf_chain__name(c, 1), "int");
	assert_int_equal(btf_chain__type(c, 2, &t), 0);
	assert_int_equal(t.kind, BTF_K_PTR);
	assert_int_equal(t.size, 1);
	assert_int_equal(t.data_size, 0);
	assert_string_equal(btf_chain__name(c, 2), "");
	t.id = 99;
	assert_int_equal(btf_chain__type(c, 3, &t), -ERANGE);
	assert_int_equal(t.id, 99);
	assert_int_equal(btf_chain__level(c, 0, &l), 0);
	/* python3 -c 'import zlib; print(hex(zlib.crc32(TYPES + STRINGS)))' */
	assert_int_equal(l.crc32, is_big ? 0x5f122cb0 : 0x740ef304);
	btf_chain__free(c);
}

static void test_empty_chain(void **state)
{
	struct btf_chain *c = btf_chain__new();
	struct btf_level_info l;
	struct btf_type_view t = { .id = 9, .kind = 9 };

	(void)state;
	assert_int_equal(btf_chain__nr_levels(c), 0);
	assert_int_equal(btf_chain__nr_types(c), 1);
	assert_int_equal(btf_chain__str_size(c), 1);
	assert_int_equal(btf_chain__type(c, 0, &t), 0);
	assert_int_equal(t.id, 0);
	assert_int_equal(t.kind, BTF_K_VOID);
	assert_int_equal(btf_chain__type(c, 1, &t), -ERANGE);
	assert_string_equal(btf_chain__str(c, 0), "");
	assert_null(btf_chain__str(c, 1));
	assert_string_equal(btf_chain__name(c, 0), "");
	assert_string_equal(btf_chain__name(c, 1), "");
	assert_int_equal(btf_chain__level(c, 0, &l), -ERANGE);
	assert_int_equal(btf_chain__find(c, BTF_K_INT, "int", 0), 0);
	assert_int_equal(btf_chain__find_str(c, "int"), -ENOENT);
	assert_int_equal(btf_chain__index(c), 0);
	assert_int_equal(btf_chain__find(c, BTF_K_INT, "int", 0), 0);
	assert_int_equal(btf_chain__find_str(c, "int"), -ENOENT);
	assert_int_equal(btf_chain__find_str(c, ""), 0);
	assert_int_equal(btf_chain__equal(c, 0, 0), 1);
	assert_int_equal(btf_chain__equal(c, 0, 1), -ERANGE);
	btf_chain__free(c);
	btf_chain__free(NULL);
}

static void test_members(void **state)
{
	struct btf_member_view m;
	struct btf_type_view t;
	struct fixture f;

	fixture__root(&f, *(bool *)*state);
	assert_int_equal(btf_chain__type(f.c, T_FOO, &t), 0);
	assert_int_equal(t.kind, BTF_K_STRUCT);
	assert_int_equal(t.vlen, 2);
	assert_int_equal(t.size, 16);
	assert_int_equal(t.data_size, 24);
	assert_int_equal(btf_chain__member(f.c, &t, 1, &m), 0);
	assert_string_equal(btf_chain__str(f.c, m.name_off), "next");
	assert_int_equal(m.type, T_PFOO);
	assert_int_equal(m.bit_off, 64);
	assert_int_equal(m.bit_size, 0);
	m.type = 12345;
	assert_int_equal(btf_chain__member(f.c, &t, 2, &m), -ERANGE);
	assert_int_equal(btf_chain__member(f.c, &t, UINT32_MAX, &m), -ERANGE);
	assert_int_equal(m.type, 12345);
	assert_int_equal(btf_chain__type(f.c, T_BITS, &t), 0);
	assert_true(t.kflag);
	assert_int_equal(btf_chain__member(f.c, &t, 1, &m), 0);
	assert_int_equal(m.bit_off, 3);
	assert_int_equal(m.bit_size, 5);
	assert_int_equal(btf_chain__type(f.c, T_UANON_X, &t), 0);
	assert_int_equal(btf_chain__member(f.c, &t, 0, &m), 0);
	assert_string_equal(btf_chain__str(f.c, m.name_off), "x");
	assert_int_equal(btf_chain__type(f.c, T_INT, &t), 0);
	assert_int_equal(btf_chain__member(f.c, &t, 0, &m), -EINVAL);
	fixture__free(&f);
}

static void test_elements(void **state)
{
	struct btf_array_view a;
	struct btf_param_view p;
	struct btf_type_view t;
	struct fixture f;
	uint32_t name, w;
	uint64_t val;

	fixture__root(&f, *(bool *)*state);
	assert_int_equal(btf_chain__type(f.c, T_PROTO_S, &t), 0);
	assert_int_equal(t.size, T_INT);
	assert_int_equal(btf_chain__param(f.c, &t, 0, &p), 0);
	assert_string_equal(btf_chain__str(f.c, p.name_off), "s");
	assert_int_equal(p.type, T_PCHAR);
	assert_int_equal(btf_chain__param(f.c, &t, 1, &p), 0);
	assert_int_equal(p.name_off, 0);
	assert_int_equal(p.type, 0);
	assert_int_equal(btf_chain__param(f.c, &t, 2, &p), -ERANGE);
	assert_int_equal(btf_chain__array(f.c, &t, &a), -EINVAL);

	/* a FUNC's vlen is its linkage: no parameters stand there */
	assert_int_equal(btf_chain__type(f.c, T_PRINTF, &t), 0);
	assert_int_equal(t.vlen, 1);
	assert_int_equal(t.data_size, 0);
	assert_int_equal(btf_chain__param(f.c, &t, 0, &p), -EINVAL);

	assert_int_equal(btf_chain__type(f.c, T_ARR_C, &t), 0);
	assert_int_equal(btf_chain__array(f.c, &t, &a), 0);
	assert_int_equal(a.type, T_INT);
	assert_int_equal(a.index_type, T_CHAR);
	assert_int_equal(a.nelems, 3);

	assert_int_equal(btf_chain__type(f.c, T_COLOR, &t), 0);
	assert_int_equal(btf_chain__enumerator(f.c, &t, 1, &name, &val), 0);
	assert_string_equal(btf_chain__str(f.c, name), "GREEN");
	assert_true(val == 0xfffffffe);			/* unsigned */
	assert_int_equal(btf_chain__enumerator(f.c, &t, 2, &name, &val), -ERANGE);
	assert_int_equal(btf_chain__type(f.c, T_EANON, &t), 0);
	assert_int_equal(btf_chain__enumerator(f.c, &t, 0, &name, &val), 0);
	assert_true(val == UINT64_MAX - 1);		/* signed: -2 */
	assert_int_equal(btf_chain__type(f.c, T_E64, &t), 0);
	assert_int_equal(btf_chain__enumerator(f.c, &t, 0, &name, &val), 0);
	assert_true(val == UINT64_C(0x123456789abcdef0));
	assert_int_equal(btf_chain__enumerator(f.c, &t, 1, &name, &val), 0);
	assert_string_equal(btf_chain__str(f.c, name), "X");
	assert_true(val == 5);

	assert_int_equal(btf_chain__type(f.c, T_DATASEC, &t), 0);
	assert_int_equal(btf_chain__word(f.c, &t, 0, &w), 0);
	assert_int_equal(w, T_VAR);
	assert_int_equal(btf_chain__word(f.c, &t, 2, &w), 0);
	assert_int_equal(w, 4);
	assert_int_equal(btf_chain__word(f.c, &t, 3, &w), -ERANGE);
	fixture__free(&f);
}

static void test_find(void **state)
{
	struct fixture f;

	fixture__root(&f, *(bool *)*state);
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "int", 0), T_INT);
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "int", T_INT), 0);
	assert_int_equal(btf_chain__find(f.c, BTF_K_FLOAT, "double", 0), T_FLOAT);
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "double", 0), 0);
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "in", 0), 0);
	assert_int_equal(btf_chain__find(f.c, BTF_K_PTR, "", 0), 0);
	/* ascending, whether @after is the last answer or any other id */
	assert_int_equal(btf_chain__find(f.c, BTF_K_STRUCT, "foo", 0), T_FOO);
	assert_int_equal(btf_chain__find(f.c, BTF_K_STRUCT, "foo", T_INT), T_FOO);
	assert_int_equal(btf_chain__find(f.c, BTF_K_STRUCT, "foo", T_FOO - 1), T_FOO);
	assert_int_equal(btf_chain__find(f.c, BTF_K_STRUCT, "foo", T_FOO), T_FOO2);
	assert_int_equal(btf_chain__find(f.c, BTF_K_STRUCT, "foo", T_PFOO), T_FOO2);
	assert_int_equal(btf_chain__find(f.c, BTF_K_STRUCT, "foo", T_FOO2), 0);
	assert_int_equal(btf_chain__find(f.c, BTF_K_STRUCT, "foo", T_NR), 0);
	assert_int_equal(btf_chain__find(f.c, BTF_K_STRUCT, "foo", UINT32_MAX), 0);
	assert_int_equal(btf_chain__find(f.c, BTF_K_UNION, "foo", 0), 0);
	assert_int_equal(btf_chain__find(f.c, BTF_K_FUNC, "printf", 0), T_PRINTF);
	assert_int_equal(btf_chain__find(f.c, BTF_K_FUNC, "printf", T_PRINTF), T_PRINTF2);
	assert_int_equal(btf_chain__find(f.c, BTF_K_FWD, "bar", 0), T_FWD);
	assert_int_equal(btf_chain__find(f.c, BTF_K_TYPEDEF, "foo_t", 0), T_FOO_T);
	assert_int_equal(btf_chain__find(f.c, BTF_K_VAR, "v", 0), T_VAR);
	assert_int_equal(btf_chain__find(f.c, BTF_K_ENUM64, "wide", 0), T_E64);
	fixture__free(&f);
}

static void test_find_shapes(void **state)
{
	struct fixture f;
	struct btf_chain *c;

	fixture__root(&f, *(bool *)*state);
	c = f.c;
	assert_int_equal(btf_chain__find_anon(c, BTF_K_STRUCT, 4, 1, "x", 0), T_ANON_X);
	assert_int_equal(btf_chain__find_anon(c, BTF_K_STRUCT, 4, 1, "x", T_ANON_X),
			 T_ANON_X2);
	assert_int_equal(btf_chain__find_anon(c, BTF_K_STRUCT, 4, 1, "x", T_ANON_X2), 0);
	assert_int_equal(btf_chain__find_anon(c, BTF_K_STRUCT, 4, 1, "y", 0), T_ANON_Y);
	assert_int_equal(btf_chain__find_anon(c, BTF_K_UNION, 4, 1, "x", 0), T_UANON_X);
	assert_int_equal(btf_chain__find_anon(c, BTF_K_STRUCT, 8, 1, "x", 0), 0);
	assert_int_equal(btf_chain__find_anon(c, BTF_K_STRUCT, 4, 2, "x", 0), 0);
	assert_int_equal(btf_chain__find_anon(c, BTF_K_ENUM, 4, 1, "NEG", 0), T_EANON);
	/* a named one is none; nor is another kind */
	assert_int_equal(btf_chain__find_anon(c, BTF_K_ENUM, 4, 2, "RED", 0), 0);
	assert_int_equal(btf_chain__find_anon(c, BTF_K_FUNC_PROTO, T_INT, 2, "s", 0), 0);

	assert_int_equal(btf_chain__find_ref(c, BTF_K_PTR, "", T_CHAR, 0), T_PCHAR);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_PTR, "", T_CHAR, T_PCHAR), 0);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_PTR, "", 0, 0), T_PVOID);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_CONST, "", T_CHAR, 0), T_CCHAR);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_CONST, "", T_INT, 0), 0);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_VOLATILE, "", T_INT, 0), T_VOL);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_RESTRICT, "", T_PCHAR, 0), T_RES);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_TYPEDEF, "foo_t", T_FOO, 0),
			 T_FOO_T);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_TYPEDEF, "foo_t", T_FOO2, 0), 0);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_TYPEDEF, "", T_FOO, 0), 0);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_TYPE_TAG, "user", T_CHAR, 0),
			 T_USER);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_FUNC, "printf", T_PROTO_T, 0),
			 T_PRINTF2);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_STRUCT, "foo", 16, 0), 0);

	assert_int_equal(btf_chain__find_array(c, T_INT, 3), T_ARR);
	assert_int_equal(btf_chain__find_array(c, T_INT, 4), 0);
	assert_int_equal(btf_chain__find_array(c, T_CHAR, 3), 0);
	fixture__free(&f);
}

static void test_find_proto(void **state)
{
	const struct btf_proto_param s[] = { { "s", T_PCHAR }, { "", 0 } };
	const struct btf_proto_param t[] = { { "t", T_PCHAR }, { "", 0 } };
	const struct btf_proto_param u[] = { { "u", T_PCHAR }, { "", 0 } };
	const struct btf_proto_param i[] = { { "s", T_PINT }, { "", 0 } };
	struct fixture f;

	fixture__root(&f, *(bool *)*state);
	assert_int_equal(btf_chain__find_proto(f.c, T_INT, s, 2), T_PROTO_S);
	assert_int_equal(btf_chain__find_proto(f.c, T_INT, t, 2), T_PROTO_T);
	assert_int_equal(btf_chain__find_proto(f.c, T_INT, u, 2), 0);
	assert_int_equal(btf_chain__find_proto(f.c, T_INT, i, 2), 0);
	assert_int_equal(btf_chain__find_proto(f.c, 0, s, 2), 0);
	assert_int_equal(btf_chain__find_proto(f.c, T_INT, s, 1), 0);	/* no varargs */
	assert_int_equal(btf_chain__find_proto(f.c, 0, NULL, 0), T_PROTO_NONE);
	assert_int_equal(btf_chain__find_proto(f.c, T_INT, NULL, 0), 0);
	fixture__free(&f);
}

/* Strings: whole ones are found, at the lowest offset; any tail can be read. */
static void test_strings(void **state)
{
	int64_t a, off;
	struct blob b;
	struct fixture f;
	uint32_t tail;

	fixture__init(&f);
	blob__init(&b, *(bool *)*state);
	blob__str(&b, "twice");
	tail = blob__str(&b, "prefixed") + 3;
	blob__str(&b, "twice");
	blob__type_off(&b, BTF_K_FLOAT, tail, 0, false, 8);
	fixture__add(&f, &b, 24, false);
	assert_int_equal(btf_chain__index(f.c), 0);
	a = btf_chain__find_str(f.c, "twice");
	assert_int_equal(a, 1);
	off = btf_chain__find_str(f.c, "prefixed");
	assert_int_equal(off, 7);
	assert_string_equal(btf_chain__str(f.c, off + 8), "");	/* its NUL */
	assert_int_equal(btf_chain__find_str(f.c, "fixed"), -ENOENT);
	assert_int_equal(btf_chain__find_str(f.c, "prefixe"), -ENOENT);
	assert_string_equal(btf_chain__name(f.c, 1), "fixed");
	assert_int_equal(btf_chain__find(f.c, BTF_K_FLOAT, "fixed", 0), 1);
	assert_null(btf_chain__str(f.c, btf_chain__str_size(f.c)));
	assert_null(btf_chain__str(f.c, UINT32_MAX));
	fixture__free(&f);
}

static void test_kind_str(void **state)
{
	(void)state;
	assert_string_equal(btf_kind__str(1), "INT");
	assert_string_equal(btf_kind__str(13), "FUNC_PROTO");
	assert_string_equal(btf_kind__str(19), "ENUM64");
	assert_string_equal(btf_kind__str(20), "LOC_PARAM");
	assert_string_equal(btf_kind__str(21), "LOC_PROTO");
	assert_string_equal(btf_kind__str(22), "LOCSEC");
	assert_string_equal(btf_kind__str(23), "UNKNOWN");
	assert_string_equal(btf_kind__str(UINT32_MAX), "UNKNOWN");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_bytes),
		cmocka_unit_test(test_empty_chain),
		BOTH(test_members),
		BOTH(test_elements),
		BOTH(test_find),
		BOTH(test_find_shapes),
		BOTH(test_find_proto),
		BOTH(test_strings),
		cmocka_unit_test(test_kind_str),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
