// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_reader_fuzz.c - a good section cut off, and changed byte by byte
 *
 * What must hold: the reader takes it or refuses it with a line, and what it takes can be
 * asked everything. The sanitizers see to the rest. Sections are mapped from files whose
 * size is no multiple of a page, so the bytes past their end are zero and readable: each
 * blob is also read from the heap, where a sanitizer stands behind its last byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../lib/reader_internal.h"
#include "both_orders.h"
#include "locs_blob.h"

enum { NR_MUTATIONS = 6000 };

/* Bytes that numbers are made of when they go wrong. */
static const uint8_t interesting[] = { 0, 1, 0x7f, 0x80, 0xff, 0x14, 0x15, 0x16 };

/* As in the reader, but for the bytes: those on the heap. */
static int open_heap(const struct blob *base, const uint8_t *data, size_t size,
		     struct btf_locs *locs, struct btf_locs_err *err)
{
	size_t base_size;
	uint8_t *base_data = blob__finish(base, 24, &base_size);
	int ret;

	locs->data = data;
	locs->size = size;
	ret = locs_keys__read(locs, err);
	if (!ret)
		ret = locs_keys__check(locs, err);
	locs->chain = btf_chain__new();
	if (!ret)
		ret = btf_chain__add(locs->chain, base_data, base_size, false, err);
	if (!ret)
		ret = locs_keys__check_base(locs, err);
	locs->first_type = btf_chain__nr_types(locs->chain);
	if (!ret)
		ret = btf_chain__add(locs->chain, data, size, true, err);
	locs->nr_types = btf_chain__nr_types(locs->chain);
	if (!ret)
		ret = btf_locs__check(locs, err);
	if (!ret)
		locs__walk_all(locs);
	btf_chain__free(locs->chain);
	free(base_data);
	locs_keys__free(&locs->keys);
	free(locs->ids);
	free(locs->secs);
	return ret;
}

/* 1: it was sound. */
static int try(const struct blob *base, const uint8_t *data, size_t size)
{
	struct btf_locs_err err = { "" };
	struct btf_locs locs = { 0 };
	/* no byte more than @size, so that one read behind it is seen */
	uint8_t *copy = malloc(size ? size : 1);
	int ret;

	memcpy(copy, data, size);
	ret = open_heap(base, copy, size, &locs, &err);
	free(copy);
	if (!ret)
		return 1;
	if ((ret != -EBADMSG && ret != -ESTALE) || !err.text[0])
		fail_msg("%d '%s'", ret, err.text);
	return 0;
}

static uint8_t *sample(struct blob *base, bool big, size_t *size)
{
	struct blob sec;
	uint8_t *data;

	locs_sample__build(base, &sec, big);
	data = blob__finish(&sec, 32, size);
	blob__free(&sec);
	return data;
}

/* At every length. The strings stand last: cut off, they have no end. */
static void test_truncated(void **state)
{
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	struct blob base;
	size_t size, len;
	uint8_t *data = sample(&base, *state != NULL, &size);

	assert_int_equal(try(&base, data, size), 1);
	for (len = 0; len < size; len++) {
		assert_int_equal(try(&base, data, len), 0);
		assert_int_equal(locs_open__bytes(&base, NULL, data, len, &locs, &err),
				 -EBADMSG);
		assert_null(locs);
		assert_true(err.text[0]);
	}
	free(data);
	blob__free(&base);
}

/* A row of numbers that is the same everywhere (xorshift32). */
static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static void mutate(uint8_t *data, size_t size, uint32_t *seed)
{
	size_t at = next_random(seed) % size;

	switch (next_random(seed) % 3) {
	case 0:
		data[at] ^= 1u << next_random(seed) % 8;
		break;
	case 1:
		data[at] = next_random(seed);
		break;
	default:
		data[at] = interesting[next_random(seed) % sizeof(interesting)];
	}
}

static void mutations(struct blob *base, bool big, int changes, uint32_t seed)
{
	size_t size;
	uint8_t *good = sample(base, big, &size), *data = malloc(size);
	unsigned int sound = 0, i;
	int k;

	for (i = 0; i < NR_MUTATIONS; i++) {
		memcpy(data, good, size);
		for (k = 0; k < changes; k++)
			mutate(data, size, &seed);
		sound += try(base, data, size);
	}
	/* a loop that never got past the header, or never failed, would prove nothing */
	assert_in_range(sound, NR_MUTATIONS / 50, NR_MUTATIONS - NR_MUTATIONS / 50);
	free(data);
	free(good);
	blob__free(base);
}

static void test_one_byte(void **state)
{
	struct blob base;

	mutations(&base, *state != NULL, 1, 20260901);
}

static void test_three_bytes(void **state)
{
	struct blob base;

	mutations(&base, *state != NULL, 3, 424242);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_ORDERS(test_truncated),
		BOTH_ORDERS(test_one_byte),
		BOTH_ORDERS(test_three_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
