// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_loc_index.c - lists that are kept answer as those that are read, and for less
 *
 * Lists are random and long, with overlaps, empty entries, views, default entries and ends that
 * are cut off; test_loc_list.c has checked what the reading of them answers.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../lib/loc_index.h"

#define BYTES	1000u		/* of the unit */
#define WORK	(LOC_WORK_ANY + LOC_WORK_A_BYTE * BYTES)
#define PLACES	40u		/* addresses that entries begin and end at */

static unsigned int seed;

static unsigned int dice(unsigned int sides)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 16) % sides;
}

static struct loc_list_ctx context(const struct wbuf *b, struct loc_index *ix)
{
	assert_int_equal(b->err, 0);
	return (struct loc_list_ctx){
		.data = b->data, .size = b->len, .version = 5, .addr_size = 8, .index = ix,
	};
}

/* DWARF 5, 7.7.3: a bounded entry, its expression one byte. */
static void put_entry(struct wbuf *b, unsigned int begin, unsigned int end, uint8_t name)
{
	const uint8_t bytes[] = { 0x04, begin, end, 1, name };

	wbuf__put(b, bytes, sizeof(bytes));
}

/* @nr entries; views of all stand before it, where @views says. */
static size_t put_list(struct wbuf *b, unsigned int nr, size_t *views)
{
	unsigned int i, begin;
	size_t off;

	*views = b->len;
	for (i = 0; i < 2 * nr; i++)
		wbuf__u8(b, dice(4));
	off = b->len;
	for (i = 0; i < nr; i++) {
		begin = dice(PLACES);
		if (!dice(40)) {
			wbuf__u8(b, 0x05);		/* a default entry */
			wbuf__u8(b, 1);
			wbuf__u8(b, 200 + dice(50));
		}
		/* mostly where nobody asks, so that the end is read too */
		if (dice(8))
			put_entry(b, 100, 100 + dice(20), dice(200));
		else
			put_entry(b, begin, dice(3) ? begin + dice(3) : begin, dice(200));
	}
	/* an end, or what is no entry */
	wbuf__u8(b, dice(3) ? 0 : 0x99);
	return off;
}

static void check_same(const struct loc_list_ctx *read, const struct loc_list_ctx *kept,
		       uint64_t off, uint64_t views, const struct loc_pos *pos)
{
	struct loc_found a = { 0 }, b = { 0 };
	enum loc_reason want = loc_list__at(read, off, views, pos, &a);

	assert_int_equal(loc_list__at(kept, off, views, pos, &b), want);
	assert_ptr_equal(a.expr, b.expr);
	assert_int_equal(a.len, b.len);
	assert_int_equal(a.instant, b.instant);
}

static void ask_all(const struct loc_list_ctx *read, const struct loc_list_ctx *kept,
		    uint64_t off, uint64_t views)
{
	struct loc_pos pos = { 0 };
	unsigned int flags;

	for (pos.pc = 0; pos.pc <= PLACES + 3; pos.pc++)
		for (flags = 0; flags < 24; flags++) {
			pos.view_first = flags / 8;
			pos.view_last = flags & 4 ? pos.view_first + 1 : UINT64_MAX;
			pos.earlier = flags & 1;
			pos.empties = flags & 2;
			check_same(read, kept, off, views, &pos);
		}
}

static void test_same_answers(void **state)
{
	struct loc_list_ctx read, kept;
	unsigned int i, both = 0;
	struct loc_index ix;
	struct wbuf b;
	size_t off, views;

	(void)state;
	loc_index__init(&ix);
	for (i = 0; i < 150; i++) {
		seed = i;
		wbuf__init(&b, false);
		off = put_list(&b, 80 + dice(60), &views);
		/* another one in the same unit */
		put_list(&b, 80, &(size_t){ 0 });
		read = context(&b, NULL);
		kept = context(&b, &ix);
		loc_index__begin(&ix, 1u << 20);
		ask_all(&read, &kept, off, LOC_LIST_NO_VIEWS);
		ask_all(&read, &kept, off, views);
		/* both ways to read it are kept, each for itself */
		both += ix.used == 2;
		wbuf__free(&b);
	}
	assert_int_equal(both, 150);
	loc_index__free(&ix);
}

/* The expression at @pc, and what the question took off the work. */
static uint64_t cost(const struct loc_list_ctx *ctx, uint64_t pc, uint8_t want)
{
	const struct loc_pos pos = { .pc = pc, .view_last = UINT64_MAX };
	uint64_t before = ctx->index->work;
	struct loc_found f;

	assert_int_equal(loc_list__at(ctx, 0, LOC_LIST_NO_VIEWS, &pos, &f), LOC_OK);
	assert_int_equal(*f.expr, want);
	return before - ctx->index->work;
}

/* One entry for each address: entry i has a 2-byte begin and end. */
static void put_long(struct wbuf *b, unsigned int nr)
{
	unsigned int i;

	wbuf__init(b, false);
	for (i = 0; i < nr; i++) {
		const uint8_t bytes[] = {
			0x04, (i & 0x7f) | 0x80, i >> 7, ((i + 1) & 0x7f) | 0x80, (i + 1) >> 7, 1, i,
		};

		wbuf__put(b, bytes, sizeof(bytes));
	}
	wbuf__u8(b, 0);
}

static void test_cost(void **state)
{
	struct loc_list_ctx ctx;
	struct loc_index ix;
	struct wbuf b;
	unsigned int i;

	(void)state;
	loc_index__init(&ix);
	loc_index__begin(&ix, BYTES);
	put_long(&b, 5000);
	ctx = context(&b, &ix);
	/* read from its start, and for the fourth question once more, to be kept */
	for (i = 0; i < 3; i++)
		assert_int_equal(cost(&ctx, 1000, (uint8_t)1000), 1001);
	assert_int_equal(cost(&ctx, 1000, (uint8_t)1000), 1001 + 5001);
	/* the one that holds, and the one that ends there */
	for (i = 1; i < 5000; i++)
		assert_int_equal(cost(&ctx, i, (uint8_t)i), 2);
	/* a new unit knows nothing of it */
	loc_index__begin(&ix, BYTES);
	assert_int_equal(cost(&ctx, 1000, (uint8_t)1000), 1001);
	wbuf__free(&b);
	loc_index__free(&ix);
}

static void test_limit(void **state)
{
	const struct loc_pos pos = { .pc = 7, .view_last = UINT64_MAX };
	struct loc_found f = { .len = 77 };
	struct loc_list_ctx ctx;
	struct loc_index ix;
	unsigned int i;
	struct wbuf b;

	(void)state;
	loc_index__init(&ix);
	loc_index__begin(&ix, BYTES);
	assert_true(loc_index__spend(&ix, WORK));
	assert_false(loc_index__spend(&ix, 1));

	/* more entries than all of the work */
	wbuf__init(&b, false);
	for (i = 0; i < WORK; i++)
		put_entry(&b, 1, 2, 'x');
	put_entry(&b, 7, 8, 'y');
	wbuf__u8(&b, 0);
	ctx = context(&b, &ix);
	loc_index__begin(&ix, BYTES);
	assert_int_equal(loc_list__at(&ctx, 0, LOC_LIST_NO_VIEWS, &pos, &f), LOC_WORK_LIMIT);
	assert_int_equal(f.len, 77);
	/* without a limit it is there; with one byte more of a unit too */
	ctx.index = NULL;
	assert_int_equal(loc_list__at(&ctx, 0, LOC_LIST_NO_VIEWS, &pos, &f), LOC_OK);
	assert_int_equal(*f.expr, 'y');
	ctx.index = &ix;
	loc_index__begin(&ix, BYTES + 1);
	assert_int_equal(loc_list__at(&ctx, 0, LOC_LIST_NO_VIEWS, &pos, &f), LOC_OK);
	wbuf__free(&b);

	/* a long expression: a word of 4 bytes counts as an entry */
	wbuf__init(&b, false);
	wbuf__put(&b, "\x04\x07\x08\x88\x80\x01", 6);	/* [7, 8), 16,392 bytes */
	for (i = 0; i < 16392; i++)
		wbuf__u8(&b, 0x96);
	wbuf__u8(&b, 0);
	ctx = context(&b, &ix);
	loc_index__begin(&ix, BYTES);
	for (i = 0; i < WORK / (4098 + 1); i++)
		assert_int_equal(loc_list__at(&ctx, 0, LOC_LIST_NO_VIEWS, &pos, &f), LOC_OK);
	assert_int_equal(loc_list__at(&ctx, 0, LOC_LIST_NO_VIEWS, &pos, &f), LOC_WORK_LIMIT);
	wbuf__free(&b);
	loc_index__free(&ix);
}

static int count(void *arg, const uint8_t *expr, size_t len)
{
	(void)expr;
	(void)len;
	++*(unsigned int *)arg;
	return 0;
}

static void test_each(void **state)
{
	struct loc_list_ctx ctx;
	struct loc_index ix;
	unsigned int i, nr = 0;
	struct wbuf b;

	(void)state;
	loc_index__init(&ix);
	loc_index__begin(&ix, 0);
	put_long(&b, 10000);
	ctx = context(&b, &ix);
	for (i = 0; i < LOC_WORK_ANY / 10001; i++)
		assert_int_equal(loc_list__each(&ctx, 0, count, &nr), 0);
	assert_int_equal(nr, 10000 * i);
	assert_int_equal(loc_list__each(&ctx, 0, count, &nr), -E2BIG);
	assert_int_equal(nr, 10000 * i + LOC_WORK_ANY % 10001);
	wbuf__free(&b);
	loc_index__free(&ix);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_answers), cmocka_unit_test(test_cost),
		cmocka_unit_test(test_limit), cmocka_unit_test(test_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
