// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_reader_nomem.c - each allocation of the reader failed in turn
 *
 * To be linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,
 * which sends every allocation of the objects linked in (not those inside shared
 * libraries) through here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../lib/outbuf.h"
#include "locs_blob.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

/* How many allocations succeed until one fails; below 0: all do. */
static long allocs_left = -1;
static bool alloc_failed;

static bool alloc__fails(void)
{
	if (allocs_left < 0 || allocs_left-- > 0)
		return false;
	alloc_failed = true;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return alloc__fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return alloc__fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return alloc__fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	if (__builtin_mul_overflow(n, size, &size) || alloc__fails())
		return NULL;
	return __real_realloc(p, size);
}

/* The sample as two files; the paths are the caller's to unlink. */
static void sample__write(char base_path[64], char sec_path[64])
{
	struct blob base, sec;
	uint8_t *data;
	size_t size;

	locs_sample__build(&base, &sec, false);
	data = blob__finish(&base, 24, &size);
	tmp_file__write(base_path, data, size);
	free(data);
	data = blob__finish(&sec, 32, &size);
	tmp_file__write(sec_path, data, size);
	free(data);
	blob__free(&base);
	blob__free(&sec);
}

static void test_open(void **state)
{
	char base_path[64], sec_path[64];
	const char *bases[] = { base_path };
	struct btf_locs_err err;
	struct btf_locs_open_opts opts = {
		.sz = sizeof(opts), .bases = bases, .nr_bases = 1, .err = &err,
	};
	struct btf_locs *locs = NULL;
	unsigned int done_without = 0;
	long n;
	int ret;

	(void)state;
	sample__write(base_path, sec_path);
	for (n = 0; ; n++) {
		err.text[0] = '\0';
		alloc_failed = false;
		allocs_left = n;
		ret = btf_locs__open(sec_path, &opts, &locs);
		allocs_left = -1;
		if (!alloc_failed)
			break;
		/* a chain makes a block smaller where it can: here once in each level */
		if (!ret && ++done_without <= 2) {
			locs__walk_all(locs);
			btf_locs__close(locs);
			locs = NULL;
			continue;
		}
		/* leaks are the sanitizer's to tell */
		if (ret != -ENOMEM || locs || !strstr(err.text, "memory"))
			fail_msg("allocation %ld: %d, '%s'", n, ret, err.text);
	}
	assert_int_equal(ret, 0);
	/* the handle, two arrays of keys, the LOCSECs and ids, their names; the base's */
	assert_true(n >= 9);
	locs__walk_all(locs);
	btf_locs__close(locs);
	unlink(base_path);
	unlink(sec_path);
}

static int take(void *ctx, const char *data, size_t size)
{
	(void)ctx;
	(void)data;
	(void)size;
	return 0;
}

/* Only opening allocates: what is asked of an open section needs no memory. */
static void test_walk(void **state)
{
	struct btf_locs *locs = NULL;
	struct btf_locs_param param;
	struct btf_locs_rec rec;
	struct blob base, sec;
	struct outbuf o;
	char text[8];

	(void)state;
	allocs_left = 0;
	assert_int_equal(outbuf__init(&o, take, NULL), -ENOMEM);
	allocs_left = -1;
	locs_sample__build(&base, &sec, true);
	assert_int_equal(locs_open__blob(&base, NULL, &sec, &locs, NULL), 0);
	allocs_left = 0;
	alloc_failed = false;
	assert_int_equal(btf_locs__rec(locs, 0, 0, &rec), 0);
	assert_int_equal(btf_locs__param(locs, &rec, 0, &param), 0);
	assert_int_equal(btf_locs__find_func(locs, "own", 0), 13);
	assert_int_equal(btf_locs__type_str(locs, 13, NULL, text, sizeof(text)), 27);
	allocs_left = -1;
	assert_false(alloc_failed);
	btf_locs__close(locs);
	blob__free(&base);
	blob__free(&sec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
