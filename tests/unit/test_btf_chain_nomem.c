// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_btf_chain_nomem.c - each allocation of a chain failed in turn
 *
 * The sources stand in this file, with allocation functions that fail when told to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* How many allocations succeed until one fails; the count of those that failed. */
static long allocs_left = -1, allocs_failed;

static int alloc_fails(void)
{
	if (allocs_left < 0 || allocs_left-- > 0)
		return 0;
	allocs_left = -1;
	allocs_failed++;
	return 1;
}

static void *failing_malloc(size_t size)
{
	return alloc_fails() ? NULL : malloc(size);
}

static void *failing_calloc(size_t n, size_t size)
{
	return alloc_fails() ? NULL : calloc(n, size);
}

static void *failing_realloc(void *p, size_t size)
{
	return alloc_fails() ? NULL : realloc(p, size);
}

#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc
#include "../../lib/btf_chain.c"
#include "../../lib/btf_chain_check.c"
#include "../../lib/btf_chain_equal.c"
#include "../../lib/btf_chain_find.c"
#include "../../lib/btf_chain_index.c"
#include "../../lib/btf_chain_twins.c"
#include "../../lib/btf_chain_walk.c"
#include "../../lib/cursor.c"
#include "../../lib/pair_graph.c"
#undef malloc
#undef calloc
#undef realloc

#include "chain_fixture.h"

/* Builds, indexes and compares. What fails is -ENOMEM and has changed nothing. */
/* A chain on @below, with an index of its own. */
static int use_shared(const struct btf_chain *below)
{
	struct btf_chain *c = btf_chain__new_on(below);
	int ret;

	if (!c)
		return -ENOMEM;
	ret = btf_chain__index(c);
	assert_int_equal(btf_chain__find(c, BTF_K_INT, "int", 0), 1);
	btf_chain__free(c);
	return ret;
}

static int use_chain(const uint8_t *root, size_t root_size, const uint8_t *top,
		     size_t top_size, uint32_t a, uint32_t b)
{
	struct btf_locs_err err = { "" };
	struct btf_chain *c = btf_chain__new();
	uint32_t types;
	int ret;

	if (!c)
		return -ENOMEM;
	ret = btf_chain__add(c, root, root_size, false, &err);
	if (ret) {
		assert_int_equal(btf_chain__nr_levels(c), 0);
		goto out;
	}
	types = btf_chain__nr_types(c);
	ret = btf_chain__index(c);
	if (ret) {
		assert_int_equal(btf_chain__find(c, BTF_K_INT, "int", 0), 0);
		assert_int_equal(btf_chain__find_str(c, "int"), -ENOENT);
		goto out;
	}
	ret = btf_chain__add(c, top, top_size, false, &err);
	if (ret) {
		assert_int_equal(btf_chain__nr_levels(c), 1);
		assert_int_equal(btf_chain__nr_types(c), types);
		assert_int_equal(btf_chain__find(c, BTF_K_INT, "int", 0), 1);
		goto out;
	}
	ret = btf_chain__index(c);
	if (ret)
		goto out;
	ret = btf_chain__equal(c, a, b);
	if (ret < 0)
		goto out;
	assert_int_equal(ret, 1);
	ret = btf_chain__find_twins(c);
	if (ret) {
		assert_int_equal(btf_chain__twin(c, types), types);
		goto out;
	}
	/* the int and the pointer to it, of which the root has no pointer to */
	assert_int_equal(btf_chain__twin(c, types), 1);
	assert_int_equal(btf_chain__twin(c, types + 1), 2);
	assert_int_equal(btf_chain__twin(c, types + 2), types + 2);
	assert_int_equal(btf_chain__find(c, BTF_K_INT, "int", 0), 1);
	ret = use_shared(c);
out:
	if (ret == -ENOMEM && err.text[0])
		assert_string_equal(err.text, "out of memory");
	btf_chain__free(c);
	return ret;
}

static void test_chain(void **state)
{
	uint32_t i, a, b, prev;
	struct blob root, top;
	uint8_t *r, *t;
	size_t rs, ts;
	long n;
	int ret;

	(void)state;
	small_root(&root, false);
	blob__init_above(&top, &root);
	/* pointers of two kinds of int: enough pairs for their list to grow */
	prev = blob__int(&top, "int", 4, BTF_ENC_SIGNED);
	for (i = 0; i < 100; i++)
		prev = blob__ref(&top, BTF_K_PTR, NULL, prev);
	a = prev;
	for (i = 0, prev = 1; i < 100; i++)
		prev = blob__ref(&top, BTF_K_PTR, NULL, prev);
	b = prev;
	blob__proto(&top, 0, 1);
	blob__param(&top, "p", a);
	r = blob__finish(&root, 24, &rs);
	t = blob__finish(&top, 24, &ts);
	for (n = 0; ; n++) {
		allocs_failed = 0;
		allocs_left = n;
		ret = use_chain(r, rs, t, ts, a, b);
		allocs_left = -1;
		if (!allocs_failed)
			break;
		/* one alone may fail without harm: that a block is cut to size */
		assert_true(ret == -ENOMEM || ret == 0);
		assert_true(n < 1000);
	}
	assert_int_equal(ret, 0);
	assert_true(n > 20);
	blob__free(&root);
	blob__free(&top);
	free(r);
	free(t);
}

static void test_wbuf(void **state)
{
	struct wbuf b;

	(void)state;
	wbuf__init(&b, false);
	wbuf__u32(&b, 1);
	allocs_left = 0;
	wbuf__zero(&b, 1000);
	assert_int_equal(b.err, -ENOMEM);
	assert_int_equal(b.len, 4);
	wbuf__u32(&b, 2);	/* there would be room, but it stays failed */
	assert_int_equal(b.len, 4);
	allocs_left = -1;
	wbuf__free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_wbuf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
