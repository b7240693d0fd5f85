// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_chain_bad.c - types that btf_chain__add() refuses, and what it says */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chain_fixture.h"

/*
 * A type that is wrong. The root begins with INT 'int' (id 1, bytes 0x18 to 0x28, string
 * 1) and PTR to it (id 2, 0x28 to 0x34): what @build adds first is type 3 at 0x34, with
 * its strings from 5 on.
 */
struct bad_type {
	void (*build)(struct blob *b);
	bool locs;
	const char *who;	/* "(INT 'i')", or "" */
	const char *what;	/* the rest of the line */
};

/* Builder functions in short: BAD(name) { ... uses b ... } */
#define BAD(name) static void bad_##name(struct blob *b)

BAD(name) { blob__type_off(b, BTF_K_PTR, 5, 0, false, 1); }
BAD(name_max) { blob__type_off(b, BTF_K_FLOAT, UINT32_MAX, 0, false, 8); }
BAD(ptr) { blob__ref(b, BTF_K_PTR, NULL, 4); }
BAD(typedef) { blob__ref(b, BTF_K_TYPEDEF, "t", UINT32_MAX); }
BAD(volatile) { blob__ref(b, BTF_K_VOLATILE, NULL, 99); }
BAD(const) { blob__ref(b, BTF_K_CONST, NULL, 99); }
BAD(restrict) { blob__ref(b, BTF_K_RESTRICT, NULL, 99); }
BAD(type_tag) { blob__ref(b, BTF_K_TYPE_TAG, "user", 99); }
BAD(kind0) { blob__type(b, 0, NULL, 0, false, 0); }
BAD(kind20) { blob__type(b, 20, NULL, 0, false, 0); }
BAD(kind127) { blob__type(b, 127, NULL, 0, false, 0); }

static void int_of(struct blob *b, uint32_t vlen, uint32_t size, uint32_t word)
{
	blob__type(b, BTF_K_INT, "i", vlen, false, size);
	blob__word(b, word);
}

BAD(int_bits) { int_of(b, 0, 4, 33); }
BAD(int_offset) { int_of(b, 0, 4, 1 << 16 | 32); }
BAD(int_none) { int_of(b, 0, 4, 0); }
BAD(int_size) { int_of(b, 0, 0, 8); }
BAD(int_129) { int_of(b, 0, 32, 129); }
BAD(int_word) { int_of(b, 0, 4, 0x100 | 32); }
BAD(int_word2) { int_of(b, 0, 4, 1u << 28 | 32); }
BAD(int_vlen) { int_of(b, 1, 4, 32); }
BAD(array_elem) { blob__array(b, 4, 1, 2); }
BAD(array_index) { blob__array(b, 1, 4, 2); }

BAD(array_name)
{
	blob__type(b, BTF_K_ARRAY, "arr", 0, false, 0);
	blob__word(b, 1);
	blob__word(b, 1);
	blob__word(b, 2);
}

BAD(array_vlen)
{
	blob__type(b, BTF_K_ARRAY, NULL, 7, false, 0);
	blob__word(b, 1);
	blob__word(b, 1);
	blob__word(b, 2);
}

BAD(member_type)
{
	blob__struct(b, BTF_K_STRUCT, "foo", 8, 2);
	blob__member(b, "a", 1, 0);
	blob__member(b, "b", 99999, 32);
}

BAD(member_name)
{
	blob__struct(b, BTF_K_UNION, "foo", 8, 1);
	blob__word(b, 9);
	blob__word(b, 1);
	blob__word(b, 0);
}

BAD(enum_name)
{
	blob__enum(b, "e", 4, 2, false);
	blob__enumerator(b, "A", 0);
	blob__word(b, 9);
	blob__word(b, 0);
}

BAD(enum64_name)
{
	blob__enum64(b, NULL, 1, false);
	blob__word(b, 5);
	blob__word(b, 0);
	blob__word(b, 0);
}

BAD(func_type) { blob__func(b, "f", 4, 0); }
BAD(func_kind) { blob__func(b, "f", 2, 0); }
BAD(func_void) { blob__func(b, "f", 0, 0); }

BAD(func_linkage)
{
	blob__func(b, "f", 4, 3);
	blob__proto(b, 0, 0);
}

BAD(proto_ret) { blob__proto(b, 4, 0); }

BAD(proto_name)
{
	blob__type(b, BTF_K_FUNC_PROTO, "p", 0, false, 0);
}

BAD(param_type)
{
	blob__proto(b, 0, 2);
	blob__param(b, "a", 1);
	blob__param(b, "b", 4);
}

BAD(param_name)
{
	blob__proto(b, 0, 1);
	blob__word(b, 5);
	blob__word(b, 1);
}

BAD(param_varargs)
{
	blob__proto(b, 0, 2);
	blob__param(b, NULL, 0);
	blob__param(b, "b", 1);
}

BAD(var_type) { blob__var(b, "v", 4, 0); }
BAD(var_name) { blob__var(b, NULL, 1, 0); }
BAD(var_linkage) { blob__var(b, "v", 1, 3); }

BAD(var_vlen)
{
	blob__type(b, BTF_K_VAR, "v", 1, false, 1);
	blob__word(b, 0);
}

BAD(datasec)
{
	blob__type(b, BTF_K_DATASEC, ".data", 1, false, 4);
	blob__word(b, 4);
	blob__word(b, 0);
	blob__word(b, 4);
}

static void tag_of(struct blob *b, const char *name, uint32_t vlen, uint32_t type,
		   uint32_t component)
{
	blob__type(b, BTF_K_DECL_TAG, name, vlen, false, type);
	blob__word(b, component);
}

BAD(tag_type) { tag_of(b, "t", 0, 4, UINT32_MAX); }
BAD(tag_name) { tag_of(b, NULL, 0, 1, UINT32_MAX); }
BAD(tag_vlen) { tag_of(b, "t", 1, 1, UINT32_MAX); }
BAD(tag_kind) { tag_of(b, "t", 0, 1, 0); }

BAD(tag_member)
{
	tag_of(b, "t", 0, 4, 1);
	blob__struct(b, BTF_K_STRUCT, "s", 4, 1);
	blob__member(b, "a", 1, 0);
}

BAD(tag_param)
{
	tag_of(b, "t", 0, 4, 0);
	blob__func(b, "f", 5, 0);
	blob__proto(b, 0, 0);
}

BAD(tag_func)
{
	tag_of(b, "t", 0, 4, 0);
	blob__func(b, "f", 5, 0);
}

BAD(loop_self) { blob__ref(b, BTF_K_TYPEDEF, "self", 3); }

BAD(loop_three)
{
	blob__ref(b, BTF_K_TYPEDEF, "a", 4);
	blob__ref(b, BTF_K_CONST, NULL, 5);
	blob__array(b, 3, 1, 2);
}

BAD(loop_tail)
{
	blob__ref(b, BTF_K_PTR, NULL, 4);
	blob__ref(b, BTF_K_VOLATILE, NULL, 5);
	blob__ref(b, BTF_K_RESTRICT, NULL, 4);
}

BAD(control) { blob__ref(b, BTF_K_TYPEDEF, "a \n\033[31mb", 99); }

BAD(long_name)
{
	blob__ref(b, BTF_K_TYPEDEF,
		  "0123456789012345678901234567890123456789012345678901234567890123", 99);
}

BAD(loc_proto)
{
	uint32_t id = 4;

	blob__loc_proto(b, 1, &id);
}

BAD(locsec_func)
{
	blob__locsec(b, ".text", 2);
	blob__rec(b, 0, 0, 0);
	blob__rec(b, 4, 0, 0);
}

BAD(locsec_proto)
{
	blob__locsec(b, ".text", 1);
	blob__rec(b, 0, 4, 0);
}

BAD(loc_addr)
{
	static const uint32_t values[] = { 0, 0, 5 };

	blob__loc_param(b, 8, LOC_F_CONST | LOC_F_ADDR, 3, values);
}

BAD(cut_header)
{
	blob__word(b, 0);
	blob__word(b, 0);
}

BAD(cut_int) { blob__type(b, BTF_K_INT, NULL, 0, false, 4); }

BAD(cut_members)
{
	blob__type(b, BTF_K_STRUCT, NULL, 0xffffff, false, 4);
	blob__member(b, NULL, 1, 0);
}

static const struct bad_type bad_types[] = {
	{ bad_name, false, "(PTR '(anon)')", "names string 5 of 5" },
	{ bad_name_max, false, "(FLOAT '(anon)')", "names string 4294967295 of 5" },
	{ bad_ptr, false, "(PTR '(anon)')", "names type 4 of 4" },
	{ bad_typedef, false, "(TYPEDEF 't')", "names type 4294967295 of 4" },
	{ bad_volatile, false, "(VOLATILE '(anon)')", "names type 99 of 4" },
	{ bad_const, false, "(CONST '(anon)')", "names type 99 of 4" },
	{ bad_restrict, false, "(RESTRICT '(anon)')", "names type 99 of 4" },
	{ bad_type_tag, false, "(TYPE_TAG 'user')", "names type 99 of 4" },
	{ bad_kind0, false, "", "kind 0 is not known" },
	{ bad_kind0, true, "", "kind 0 is not known" },
	{ bad_kind20, false, "", "kind 20 is not known" },
	{ bad_kind127, true, "", "kind 127 is not known" },
	{ bad_int_bits, false, "(INT 'i')", "has 33 bits at bit 0 in 4 bytes" },
	{ bad_int_offset, false, "(INT 'i')", "has 32 bits at bit 1 in 4 bytes" },
	{ bad_int_none, false, "(INT 'i')", "has 0 bits at bit 0 in 4 bytes" },
	{ bad_int_size, false, "(INT 'i')", "has 8 bits at bit 0 in 0 bytes" },
	{ bad_int_129, false, "(INT 'i')", "has 129 bits at bit 0 in 32 bytes" },
	{ bad_int_word, false, "(INT 'i')", "has unknown bits in its data word 0x120" },
	{ bad_int_word2, false, "(INT 'i')",
	  "has unknown bits in its data word 0x10000020" },
	{ bad_int_vlen, false, "(INT 'i')", "has vlen 1, not 0" },
	{ bad_array_elem, false, "(ARRAY '(anon)')", "names element type 4 of 4" },
	{ bad_array_index, false, "(ARRAY '(anon)')", "names index type 4 of 4" },
	{ bad_array_name, false, "(ARRAY 'arr')", "has a name" },
	{ bad_array_vlen, false, "(ARRAY '(anon)')", "has vlen 7, not 0" },
	{ bad_member_type, false, "(STRUCT 'foo')", "member 1 names type 99999 of 4" },
	{ bad_member_name, false, "(UNION 'foo')", "member 0 names string 9 of 9" },
	{ bad_enum_name, false, "(ENUM 'e')", "enumerator 1 names string 9 of 9" },
	{ bad_enum64_name, false, "(ENUM64 '(anon)')",
	  "enumerator 0 names string 5 of 5" },
	{ bad_func_type, false, "(FUNC 'f')", "names type 4 of 4" },
	{ bad_func_kind, false, "(FUNC 'f')", "its type 2 is a PTR, not a FUNC_PROTO" },
	{ bad_func_void, false, "(FUNC 'f')", "its type 0 is a VOID, not a FUNC_PROTO" },
	{ bad_func_linkage, false, "(FUNC 'f')", "has linkage 3" },
	{ bad_proto_ret, false, "(FUNC_PROTO '(anon)')", "names type 4 of 4" },
	{ bad_proto_name, false, "(FUNC_PROTO 'p')", "has a name" },
	{ bad_param_type, false, "(FUNC_PROTO '(anon)')",
	  "parameter 1 names type 4 of 4" },
	{ bad_param_name, false, "(FUNC_PROTO '(anon)')",
	  "parameter 0 names string 5 of 5" },
	{ bad_param_varargs, false, "(FUNC_PROTO '(anon)')",
	  "parameter 0 is varargs and not the last" },
	{ bad_var_type, false, "(VAR 'v')", "names type 4 of 4" },
	{ bad_var_name, false, "(VAR '(anon)')", "has no name" },
	{ bad_var_linkage, false, "(VAR 'v')", "has linkage 3" },
	{ bad_var_vlen, false, "(VAR 'v')", "has vlen 1, not 0" },
	{ bad_datasec, false, "(DATASEC '.data')", "variable 0 names type 4 of 4" },
	{ bad_tag_type, false, "(DECL_TAG 't')", "names type 4 of 4" },
	{ bad_tag_name, false, "(DECL_TAG '(anon)')", "has no name" },
	{ bad_tag_vlen, false, "(DECL_TAG 't')", "has vlen 1, not 0" },
	{ bad_tag_kind, false, "(DECL_TAG 't')", "names component 0 of a INT" },
	{ bad_tag_member, false, "(DECL_TAG 't')", "names component 1 of 1" },
	{ bad_tag_param, false, "(DECL_TAG 't')", "names component 0 of 0" },
	{ bad_tag_func, false, "(DECL_TAG 't')", "names FUNC with type 5 of 5" },
	{ bad_loop_self, false, "(TYPEDEF 'self')", "is made of itself" },
	{ bad_loop_three, false, "(TYPEDEF 'a')", "is made of itself" },
	{ bad_loop_tail, false, "(PTR '(anon)')", "is made of itself" },
	{ bad_control, false, "(TYPEDEF 'a ??[31mb')", "names type 99 of 4" },
	{ bad_long_name, false,
	  "(TYPEDEF '012345678901234567890123456789012345678901234567')",
	  "names type 99 of 4" },
	{ bad_loc_proto, true, "(LOC_PROTO '(anon)')", "parameter 0 names type 4 of 4" },
	{ bad_locsec_func, true, "(LOCSEC '.text')", "record 1 names type 4 of 4" },
	{ bad_locsec_proto, true, "(LOCSEC '.text')", "record 0 names type 4 of 4" },
	{ bad_loc_addr, true, "(LOC_PARAM '(anon)')", "value 2 names string 5 of 5" },
	{ bad_cut_header, false, "", "cut off, 8 bytes are left" },
	{ bad_cut_int, false, "(INT)", "cut off, needs 16 bytes, 12 are left" },
	{ bad_cut_members, false, "(STRUCT)",
	  "cut off, needs 201326592 bytes, 24 are left" },
};

static void test_types(void **state)
{
	struct btf_chain *c;
	struct blob b;
	uint8_t *data;
	char line[256];
	size_t i, size;

	for (i = 0; i < sizeof(bad_types) / sizeof(bad_types[0]); i++) {
		c = btf_chain__new();
		small_root(&b, *(bool *)*state);
		bad_types[i].build(&b);
		data = blob__finish(&b, 24, &size);
		snprintf(line, sizeof(line), "type 3 %s%sat 0x34: %s", bad_types[i].who,
			 *bad_types[i].who ? " " : "", bad_types[i].what);
		check_refused(c, data, size, bad_types[i].locs, -EBADMSG, line);
		blob__free(&b);
		free(data);
		/* and what it is built on is not what is wrong */
		small_root(&b, *(bool *)*state);
		data = blob__finish(&b, 24, &size);
		assert_int_equal(btf_chain__add(c, data, size, false, NULL), 0);
		btf_chain__free(c);
		blob__free(&b);
		free(data);
	}
}

/* What may look wrong and is not. */
static void test_accepted(void **state)
{
	struct fixture f;
	struct blob b;

	fixture__init(&f);
	small_root(&b, *(bool *)*state);
	blob__ref(&b, BTF_K_PTR, NULL, 4);		/* forward */
	blob__struct(&b, BTF_K_STRUCT, "list", 8, 1);	/* a loop through a struct */
	blob__member(&b, "next", 3, 0);
	blob__ref(&b, BTF_K_TYPEDEF, "v", 0);		/* void */
	blob__array(&b, 1, 1, 0);
	blob__int(&b, "wide", 16, 0);			/* 128 bits */
	int_of(&b, 0, 4, 29u << 16 | 3);		/* bits 29 to 31 */
	blob__func(&b, "e", 10, 2);			/* extern; its type is to come */
	blob__proto(&b, 0, 2);
	blob__param(&b, "named_void", 0);
	blob__param(&b, NULL, 0);
	tag_of(&b, "t", 0, 9, 1);			/* a parameter of a FUNC */
	tag_of(&b, "t", 0, 4, 0);			/* a member */
	tag_of(&b, "t", 0, 5, UINT32_MAX);
	blob__struct(&b, BTF_K_UNION, NULL, 0, 0);
	blob__var(&b, "ext", 1, 2);
	fixture__add(&f, &b, 24, false);
	assert_int_equal(btf_chain__nr_types(f.c), 16);
	fixture__free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_types),
		BOTH(test_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
