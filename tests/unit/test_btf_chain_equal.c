// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_chain_equal.c - structural equality, in both byte orders */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

#include "chain_fixture.h"

typedef void (*build_t)(struct blob *b);

/* Two types are built, one by each call, above the small root: are they equal? */
static int equal_of(bool big, build_t build_a, build_t build_b)
{
	struct fixture f;
	struct blob b;
	uint32_t id_a, id_b;
	int ret, back;

	fixture__init(&f);
	small_root(&b, big);
	id_a = b.next_type;
	build_a(&b);
	id_b = b.next_type;
	build_b(&b);
	fixture__add(&f, &b, 24, true);
	ret = btf_chain__equal(f.c, id_a, id_b);
	back = btf_chain__equal(f.c, id_b, id_a);
	assert_int_equal(ret, back);
	assert_int_equal(btf_chain__equal(f.c, id_a, id_a), 1);
	fixture__free(&f);
	return ret;
}

/* Each builder adds one type that matters first, then what that refers to. */
#define TYPE(name, ...) static void t_##name(struct blob *b) { __VA_ARGS__ }

TYPE(int, blob__int(b, "i", 4, BTF_ENC_SIGNED);)
TYPE(int_name, blob__int(b, "j", 4, BTF_ENC_SIGNED);)
TYPE(int_size, blob__int(b, "i", 2, BTF_ENC_SIGNED);)
TYPE(int_enc, blob__int(b, "i", 4, 0);)
TYPE(float, blob__type(b, BTF_K_FLOAT, "i", 0, false, 4);)
TYPE(ptr, blob__ref(b, BTF_K_PTR, NULL, 1);)
TYPE(ptr_ptr, blob__ref(b, BTF_K_PTR, NULL, 2);)
TYPE(ptr_void, blob__ref(b, BTF_K_PTR, NULL, 0);)
TYPE(const, blob__ref(b, BTF_K_CONST, NULL, 1);)
TYPE(fwd, blob__ref(b, BTF_K_FWD, "s", 0);)
TYPE(fwd_union, blob__type(b, BTF_K_FWD, "s", 0, true, 0);)
TYPE(struct0, blob__struct(b, BTF_K_STRUCT, "s", 0, 0);)
TYPE(array, blob__array(b, 1, 1, 2);)
TYPE(array_n, blob__array(b, 1, 1, 3);)
TYPE(array_elem, blob__array(b, 2, 1, 2);)
TYPE(array_index, blob__array(b, 1, 2, 2);)
TYPE(struct, blob__struct(b, BTF_K_STRUCT, "s", 8, 1); blob__member(b, "a", 1, 0);)
TYPE(union, blob__struct(b, BTF_K_UNION, "s", 8, 1); blob__member(b, "a", 1, 0);)
TYPE(struct_tag, blob__struct(b, BTF_K_STRUCT, "t", 8, 1); blob__member(b, "a", 1, 0);)
TYPE(struct_size, blob__struct(b, BTF_K_STRUCT, "s", 4, 1); blob__member(b, "a", 1, 0);)
TYPE(struct_name, blob__struct(b, BTF_K_STRUCT, "s", 8, 1); blob__member(b, "b", 1, 0);)
TYPE(struct_type, blob__struct(b, BTF_K_STRUCT, "s", 8, 1); blob__member(b, "a", 2, 0);)
TYPE(struct_off, blob__struct(b, BTF_K_STRUCT, "s", 8, 1); blob__member(b, "a", 1, 32);)
TYPE(struct_two, blob__struct(b, BTF_K_STRUCT, "s", 8, 2); blob__member(b, "a", 1, 0);
     blob__member(b, "b", 1, 32);)
TYPE(struct_bits, blob__type(b, BTF_K_STRUCT, "s", 1, true, 8);
     blob__member(b, "a", 1, 0);)
TYPE(enum, blob__enum(b, "e", 4, 1, false); blob__enumerator(b, "A", 1);)
TYPE(enum_val, blob__enum(b, "e", 4, 1, false); blob__enumerator(b, "A", 2);)
TYPE(enum_name, blob__enum(b, "e", 4, 1, false); blob__enumerator(b, "B", 1);)
TYPE(enum_sign, blob__enum(b, "e", 4, 1, true); blob__enumerator(b, "A", 1);)
TYPE(e64, blob__enum64(b, "e", 1, false); blob__enumerator64(b, "A", 1ull << 40);)
TYPE(e64_hi, blob__enum64(b, "e", 1, false); blob__enumerator64(b, "A", 1ull << 41);)
TYPE(proto, blob__proto(b, 1, 1); blob__param(b, "p", 1);)
TYPE(proto_ret, blob__proto(b, 0, 1); blob__param(b, "p", 1);)
TYPE(proto_name, blob__proto(b, 1, 1); blob__param(b, "q", 1);)
TYPE(proto_type, blob__proto(b, 1, 1); blob__param(b, "p", 2);)
TYPE(proto_varargs, blob__proto(b, 1, 2); blob__param(b, "p", 1);
     blob__param(b, NULL, 0);)
TYPE(func, blob__func(b, "f", b->next_type + 1, 0); blob__proto(b, 0, 0);)
TYPE(func_name, blob__func(b, "g", b->next_type + 1, 0); blob__proto(b, 0, 0);)
TYPE(func_global, blob__func(b, "f", b->next_type + 1, 1); blob__proto(b, 0, 0);)
TYPE(func_proto, blob__func(b, "f", b->next_type + 1, 0); blob__proto(b, 1, 0);)
TYPE(var, blob__var(b, "v", 1, 0);)
TYPE(var_type, blob__var(b, "v", 2, 0);)
TYPE(var_global, blob__var(b, "v", 1, 1);)

static void datasec(struct blob *b, uint32_t var, uint32_t off)
{
	blob__type(b, BTF_K_DATASEC, ".d", 1, false, 8);
	blob__word(b, var);
	blob__word(b, off);
	blob__word(b, 4);
}

static void decl_tag(struct blob *b, uint32_t component)
{
	blob__type(b, BTF_K_DECL_TAG, "tag", 0, false, b->next_type + 1);
	blob__word(b, component);
	t_struct_two(b);
}

static void loc_param(struct blob *b, uint32_t reg)
{
	blob__loc_param(b, 8, LOC_F_REG, 1, &reg);
}

static void loc_proto(struct blob *b, uint32_t reg)
{
	uint32_t id = b->next_type + 1;

	blob__loc_proto(b, 1, &id);
	loc_param(b, reg);
}

static void locsec(struct blob *b, uint32_t reg, uint32_t off)
{
	blob__locsec(b, ".text", 1);
	blob__rec(b, 0, b->next_type, off);
	loc_proto(b, reg);
}

TYPE(datasec, datasec(b, b->next_type + 1, 0); t_var(b);)
TYPE(datasec_off, datasec(b, b->next_type + 1, 4); t_var(b);)
TYPE(datasec_var, datasec(b, b->next_type + 1, 0); t_var_type(b);)
TYPE(tag, decl_tag(b, 0);)
TYPE(tag_1, decl_tag(b, 1);)
TYPE(loc, loc_param(b, 5);)
TYPE(loc_reg, loc_param(b, 4);)
TYPE(loc_proto, loc_proto(b, 5);)
TYPE(loc_proto_reg, loc_proto(b, 4);)
TYPE(locsec, locsec(b, 5, 0);)
TYPE(locsec_off, locsec(b, 5, 1);)
TYPE(locsec_reg, locsec(b, 4, 0);)

/* Like the first of its row, and unlike each that follows. */
static const build_t rows[][8] = {
	{ t_int, t_int_name, t_int_size, t_int_enc, t_float },
	{ t_ptr, t_ptr_ptr, t_ptr_void, t_const },
	{ t_fwd, t_fwd_union, t_struct0 },
	{ t_array, t_array_n, t_array_elem, t_array_index },
	{ t_struct, t_union, t_struct_tag, t_struct_size, t_struct_name, t_struct_type,
	  t_struct_off },
	{ t_struct_two, t_struct, t_struct_bits },
	{ t_struct_bits, t_struct },
	{ t_enum, t_enum_val, t_enum_name, t_enum_sign, t_e64 },
	{ t_e64, t_e64_hi },
	{ t_proto, t_proto_ret, t_proto_name, t_proto_type, t_proto_varargs },
	{ t_func, t_func_name, t_func_global, t_func_proto },
	{ t_var, t_var_type, t_var_global },
	{ t_datasec, t_datasec_off, t_datasec_var },
	{ t_tag, t_tag_1 },
	{ t_loc, t_loc_reg },
	{ t_loc_proto, t_loc_proto_reg },
	{ t_locsec, t_locsec_off, t_locsec_reg },
};

static void test_kinds(void **state)
{
	bool big = *(bool *)*state;
	size_t i, k;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (equal_of(big, rows[i][0], rows[i][0]) != 1)
			fail_msg("row %zu: not equal to itself", i);
		for (k = 1; k < 8 && rows[i][k]; k++)
			if (equal_of(big, rows[i][0], rows[i][k]) != 0)
				fail_msg("row %zu: equal to its %zu", i, k);
	}
}

/*
 * struct list { struct list *next; const @payload v; }: the struct, the PTR, the CONST.
 * @to: another struct for the pointer to go to, or 0.
 */
static uint32_t list(struct blob *b, uint32_t payload, uint32_t to)
{
	uint32_t id = blob__struct(b, BTF_K_STRUCT, "list", 16, 2);

	blob__member(b, "next", id + 1, 0);
	blob__member(b, "v", id + 2, 64);
	blob__ref(b, BTF_K_PTR, NULL, to ? to : id);
	blob__ref(b, BTF_K_CONST, NULL, payload);
	return id;
}

static void test_cycles(void **state)
{
	uint32_t a, b, other, d, e, far_a, far_b, i, prev;
	struct fixture f;
	struct blob w;

	fixture__init(&f);
	small_root(&w, *(bool *)*state);
	a = list(&w, 1, 0);
	b = list(&w, 1, 0);
	other = list(&w, 2, 0);		/* differs behind a CONST */
	d = list(&w, 1, w.next_type + 3);	/* d -> e -> d, as a -> a */
	e = list(&w, 1, d);
	/* 3,000 pointers to an int of 4 bytes, and to one of 2 */
	for (i = 0, prev = 1; i < 3000; i++)
		prev = blob__ref(&w, BTF_K_PTR, NULL, prev);
	far_a = prev;
	prev = blob__int(&w, "int", 2, BTF_ENC_SIGNED);
	for (i = 0; i < 3000; i++)
		prev = blob__ref(&w, BTF_K_PTR, NULL, prev);
	far_b = prev;
	fixture__add(&f, &w, 24, false);
	assert_int_equal(btf_chain__equal(f.c, a, b), 1);
	assert_int_equal(btf_chain__equal(f.c, a, other), 0);
	assert_int_equal(btf_chain__equal(f.c, a + 1, b + 1), 1);
	assert_int_equal(btf_chain__equal(f.c, a + 1, other + 1), 0);
	assert_int_equal(btf_chain__equal(f.c, d, e), 1);
	assert_int_equal(btf_chain__equal(f.c, a, d), 1);
	assert_int_equal(btf_chain__equal(f.c, e, other), 0);
	assert_int_equal(btf_chain__equal(f.c, far_a, far_b), 0);
	assert_int_equal(btf_chain__equal(f.c, far_a - 1, far_b), 0);
	assert_int_equal(btf_chain__equal(f.c, 1, btf_chain__nr_types(f.c)), -ERANGE);
	assert_int_equal(btf_chain__equal(f.c, UINT32_MAX, 1), -ERANGE);
	fixture__free(&f);
}

/* The same struct in a base and in a split one, its names in other strings. */
static void test_across_levels(void **state)
{
	bool big = *(bool *)*state;
	struct blob root, split;
	uint32_t i, a, b, c;
	struct fixture f;

	fixture__init(&f);
	small_root(&root, big);
	a = list(&root, 1, 0);
	blob__init_above(&split, &root);
	i = blob__int(&split, "int", 4, BTF_ENC_SIGNED);
	b = list(&split, i, 0);
	i = blob__int(&split, "int", 4, 0);
	c = list(&split, i, 0);
	fixture__add(&f, &root, 24, false);
	fixture__add(&f, &split, 24, false);
	assert_int_equal(btf_chain__equal(f.c, a, b), 1);
	assert_int_equal(btf_chain__equal(f.c, a, c), 0);
	fixture__free(&f);
}

/* A ring of @n structs of one name; gives the first. */
static uint32_t ring(struct blob *b, uint32_t n)
{
	uint32_t i, first = b->next_type;

	for (i = 0; i < n; i++) {
		blob__struct(b, BTF_K_STRUCT, "ring", 8, 1);
		blob__member(b, "next", first + 2 * ((i + 1) % n) + 1, 0);
		blob__ref(b, BTF_K_PTR, NULL, first + 2 * i);
	}
	return first;
}

/* Rings of 4,000 and 4,001, which have 32 million pairs, are compared in as many steps as types. */
static void test_rings(void **state)
{
	struct fixture f;
	struct blob w;
	uint32_t a, b;
	clock_t from;

	fixture__init(&f);
	small_root(&w, *(bool *)*state);
	a = ring(&w, 4000);
	b = ring(&w, 4001);
	fixture__add(&f, &w, 24, false);
	from = clock();
	assert_int_equal(btf_chain__equal(f.c, a, b), 1);
	assert_int_equal(btf_chain__equal(f.c, b, a), 1);
	assert_int_equal(btf_chain__equal(f.c, a, b + 1), 0);
	assert_true(clock() - from < CLOCKS_PER_SEC / 4);
	fixture__free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_kinds),
		BOTH(test_cycles),
		BOTH(test_across_levels),
		BOTH(test_rings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
