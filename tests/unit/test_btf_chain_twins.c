// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_chain_twins.c - types that an upper level repeats, in both byte orders */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "chain_fixture.h"

/* What one level adds; ids by the order in which they stand. */
enum { L_INT, L_NODE, L_PNODE, L_CPNODE, L_ARR, L_PROTO, L_PPROTO, L_TD, L_ENUM, L_ANON, L_HOLDER,
       L_PINT, L_NR };

/* @leaf: the type of a member that node leads to; @is_signed: the enum's. */
static void level(struct blob *b, uint32_t at[L_NR], uint32_t leaf, bool is_signed)
{
	uint32_t i, first = b->next_type;

	for (i = 0; i < L_NR; i++)
		at[i] = first + i;
	blob__int(b, "int", 4, BTF_ENC_SIGNED);
	blob__struct(b, BTF_K_STRUCT, "node", 24, 3);
	blob__member(b, "next", at[L_PNODE], 0);
	blob__member(b, "f", at[L_PPROTO], 64);
	blob__member(b, "v", leaf ? leaf : at[L_INT], 128);
	blob__ref(b, BTF_K_PTR, NULL, at[L_NODE]);
	blob__ref(b, BTF_K_CONST, NULL, at[L_PNODE]);
	blob__array(b, at[L_PNODE], at[L_INT], 3);
	blob__proto(b, at[L_INT], 2);
	blob__param(b, "n", at[L_PNODE]);
	blob__param(b, NULL, 0);
	blob__ref(b, BTF_K_PTR, NULL, at[L_PROTO]);
	blob__ref(b, BTF_K_TYPEDEF, "node_t", at[L_NODE]);
	blob__enum(b, "e", 4, 1, is_signed);
	blob__enumerator(b, "NEG", UINT32_MAX);
	blob__struct(b, BTF_K_UNION, NULL, 8, 1);
	blob__member(b, "n", at[L_PNODE], 0);
	blob__struct(b, BTF_K_STRUCT, "holder", 8, 1);
	blob__member(b, NULL, at[L_ANON], 0);
	blob__ref(b, BTF_K_PTR, NULL, at[L_INT]);
	assert_int_equal(b->next_type, first + L_NR);
}

struct two {
	struct fixture f;
	uint32_t low[L_NR], high[L_NR];
	uint32_t leaf;			/* of the upper level's node, where it is not its int */
};

/* Two levels, the upper one's node with a leaf of @leaf bytes. */
static void build(struct two *t, bool big, uint32_t leaf)
{
	struct blob root, top;

	fixture__init(&t->f);
	blob__init(&root, big);
	level(&root, t->low, 0, true);
	blob__init_above(&top, &root);
	t->leaf = leaf == 4 ? 0 : blob__int(&top, "leaf", leaf, 0);
	/* so that ids of the two levels do not run side by side */
	blob__ref(&top, BTF_K_FWD, "other", 0);
	level(&top, t->high, t->leaf, false);
	fixture__add(&t->f, &root, 24, false);
	fixture__add(&t->f, &top, 24, false);
	assert_int_equal(btf_chain__index(t->f.c), 0);
}

static void test_same(void **state)
{
	struct btf_proto_param params[] = { { "n", 0 }, { "", 0 } };
	struct two t;
	uint32_t i;

	build(&t, *(bool *)*state, 4);
	/* not looked for yet: each is its own */
	assert_int_equal(btf_chain__twin(t.f.c, t.high[L_NODE]), t.high[L_NODE]);
	assert_int_equal(btf_chain__find_ref(t.f.c, BTF_K_CONST, "", t.low[L_PNODE], 0),
			 t.low[L_CPNODE]);
	assert_int_equal(btf_chain__find_twins(t.f.c), 0);
	for (i = 0; i < L_NR; i++)
		assert_int_equal(btf_chain__twin(t.f.c, t.low[i]), t.low[i]);
	for (i = 0; i < L_NR; i++)
		assert_int_equal(btf_chain__twin(t.f.c, t.high[i]), t.low[i]);
	/* what is found by what it refers to, whichever of two is asked for */
	assert_int_equal(btf_chain__find_ref(t.f.c, BTF_K_CONST, "", t.high[L_PNODE], 0),
			 t.low[L_CPNODE]);
	assert_int_equal(btf_chain__find_array(t.f.c, t.high[L_PNODE], 3), t.low[L_ARR]);
	params[0].type = t.high[L_PNODE];
	assert_int_equal(btf_chain__find_proto(t.f.c, t.low[L_INT], params, 2), t.low[L_PROTO]);
	/* forgotten with the index */
	assert_int_equal(btf_chain__index(t.f.c), 0);
	assert_int_equal(btf_chain__twin(t.f.c, t.high[L_NODE]), t.high[L_NODE]);
	fixture__free(&t.f);
}

/* A leaf that differs: what leads to it has no twin, the rest has. */
static void test_leaf(void **state)
{
	struct two t;
	uint32_t i;

	build(&t, *(bool *)*state, 2);
	assert_int_equal(btf_chain__find_twins(t.f.c), 0);
	for (i = L_NODE; i < L_ENUM; i++)
		assert_int_equal(btf_chain__twin(t.f.c, t.high[i]), t.high[i]);
	assert_int_equal(btf_chain__twin(t.f.c, t.high[L_ANON]), t.high[L_ANON]);
	assert_int_equal(btf_chain__twin(t.f.c, t.high[L_HOLDER]), t.high[L_HOLDER]);
	assert_int_equal(btf_chain__twin(t.f.c, t.high[L_ENUM]), t.low[L_ENUM]);
	assert_int_equal(btf_chain__twin(t.f.c, t.high[L_INT]), t.low[L_INT]);
	assert_int_equal(btf_chain__twin(t.f.c, t.high[L_PINT]), t.low[L_PINT]);
	/* its own pointer to its own node */
	assert_int_equal(btf_chain__find_ref(t.f.c, BTF_K_PTR, "", t.high[L_NODE], 0),
			 t.high[L_PNODE]);
	fixture__free(&t.f);
}

/* A chain upon another: what that one has stays its own, and the upper level's twins are there. */
static void test_upon(void **state)
{
	uint32_t low[L_NR], mid[L_NR], high[L_NR];
	struct blob root, two, three;
	struct btf_locs_err err;
	struct btf_chain *c;
	struct fixture f;
	uint8_t *data;
	size_t size;

	fixture__init(&f);
	blob__init(&root, *(bool *)*state);
	level(&root, low, 1, true);
	blob__init_above(&two, &root);
	level(&two, mid, 1, true);
	blob__init_above(&three, &two);
	level(&three, high, 1, true);
	fixture__add(&f, &root, 24, false);
	fixture__add(&f, &two, 24, false);
	assert_int_equal(btf_chain__index(f.c), 0);
	c = btf_chain__new_on(f.c);
	assert_non_null(c);
	data = blob__finish(&three, 24, &size);
	assert_int_equal(btf_chain__add(c, data, size, false, &err), 0);
	assert_int_equal(btf_chain__index(c), 0);
	assert_int_equal(btf_chain__find_twins(c), 0);
	assert_int_equal(btf_chain__twin(c, high[L_NODE]), low[L_NODE]);
	assert_int_equal(btf_chain__twin(c, high[L_TD]), low[L_TD]);
	assert_int_equal(btf_chain__twin(c, mid[L_NODE]), mid[L_NODE]);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_PTR, "", mid[L_NODE], 0), mid[L_PNODE]);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_PTR, "", high[L_NODE], 0), low[L_PNODE]);
	/* all three by name, each once */
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "node", 0), low[L_NODE]);
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "node", low[L_NODE]), mid[L_NODE]);
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "node", mid[L_NODE]), high[L_NODE]);
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "node", high[L_NODE]), 0);
	btf_chain__free(c);
	free(data);
	blob__free(&three);
	fixture__free(&f);
}

/* Many of one name in both levels, the lower ones in vain: the bound ends it, and says so. */
static void test_bound(void **state)
{
	struct blob root, top;
	struct fixture f;
	uint32_t i, j, n = 1000, last = 0;

	fixture__init(&f);
	small_root(&root, *(bool *)*state);
	for (i = 0; i < n; i++) {
		blob__struct(&root, BTF_K_STRUCT, "s", 12, 1);
		blob__member(&root, "low", 1, 8 * i);
	}
	blob__init_above(&top, &root);
	j = blob__ref(&top, BTF_K_PTR, NULL, 1);
	for (i = 0; i < n; i++) {
		last = blob__struct(&top, BTF_K_STRUCT, "s", 12, 1);
		blob__member(&top, "high", 1, 8 * i);
	}
	fixture__add(&f, &root, 24, false);
	fixture__add(&f, &top, 24, false);
	assert_int_equal(btf_chain__index(f.c), 0);
	assert_int_equal(btf_chain__find_twins(f.c), -E2BIG);
	assert_int_equal(btf_chain__twin(f.c, last), last);
	assert_int_equal(btf_chain__twin(f.c, j), 2);
	fixture__free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_same),
		BOTH(test_leaf),
		BOTH(test_upon),
		BOTH(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
