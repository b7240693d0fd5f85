// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_loc_list.c - which entry of a location list holds at the entry of a site
 *
 * Lists are written by hand, in both forms (.debug_loc, .debug_loclists), both byte
 * orders and both address sizes; an entry's expression is one byte, by which it is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../lib/loc_list.h"

#define BASE	0x1000u
#define NOWHERE	-1
#define INSTANT 0x1000	/* added: it holds for views only, and something else follows */

/* A list being written. */
struct list {
	struct wbuf b;
	bool big;
	uint8_t version;
	uint8_t addr_size;
};

static int test_addrx(void *arg, uint64_t idx, uint64_t *addr)
{
	(void)arg;
	if (idx > 9)
		return -EBADMSG;
	*addr = 0x2000 + 0x10 * idx;
	return 0;
}

static void list__init(struct list *l, uint8_t version, uint8_t addr_size, bool big)
{
	*l = (struct list){ .big = big, .version = version, .addr_size = addr_size };
	wbuf__init(&l->b, big);
}

static void put_addr(struct list *l, uint64_t addr)
{
	if (l->addr_size == 8 && l->big)
		wbuf__u32(&l->b, addr >> 32);
	wbuf__u32(&l->b, addr);
	if (l->addr_size == 8 && !l->big)
		wbuf__u32(&l->b, addr >> 32);
}

/* A ULEB of two bytes. */
static void put_uleb(struct list *l, unsigned int v)
{
	wbuf__u8(&l->b, (v & 0x7f) | 0x80);
	wbuf__u8(&l->b, v >> 7);
}

static void put_expr(struct list *l, uint8_t name)
{
	if (l->version < 5)
		wbuf__u16(&l->b, 1);
	else
		wbuf__u8(&l->b, 1);
	wbuf__u8(&l->b, name);
}

/* [begin, end), counted from the base address. */
static void put_pair(struct list *l, unsigned int begin, unsigned int end, uint8_t name)
{
	if (l->version < 5) {
		put_addr(l, begin);
		put_addr(l, end);
	} else {
		wbuf__u8(&l->b, 0x04);
		put_uleb(l, begin);
		put_uleb(l, end);
	}
	put_expr(l, name);
}

static void put_base(struct list *l, uint64_t base)
{
	if (l->version < 5)
		put_addr(l, UINT64_MAX);
	else
		wbuf__u8(&l->b, 0x06);
	put_addr(l, base);
}

static void put_end(struct list *l)
{
	if (l->version < 5) {
		put_addr(l, 0);
		put_addr(l, 0);
	} else {
		wbuf__u8(&l->b, 0);
	}
}

static struct loc_list_ctx context(const struct list *l)
{
	struct loc_list_ctx ctx = {
		.data = l->b.data, .size = l->b.len, .big = l->big, .version = l->version,
		.addr_size = l->addr_size, .base = BASE, .addrx = test_addrx,
	};

	assert_int_equal(l->b.err, 0);
	return ctx;
}

/* The expression that holds, by its one byte; NOWHERE; or -2: malformed. */
static int at_pos(const struct loc_list_ctx *ctx, uint64_t off, uint64_t views,
		  const struct loc_pos *pos)
{
	struct loc_found f = { .len = 77 };
	enum loc_reason why = loc_list__at(ctx, off, views, pos, &f);

	if (why == LOC_OK) {
		assert_int_equal(f.len, 1);
		assert_true(f.expr >= ctx->data && f.expr < ctx->data + ctx->size);
		return *f.expr + (f.instant ? INSTANT : 0);
	}
	assert_null(f.expr);
	assert_int_equal(f.len, 77);
	assert_true(why == LOC_NOT_AT_ENTRY || why == LOC_MALFORMED);
	return why == LOC_NOT_AT_ENTRY ? NOWHERE : -2;
}

static int at(const struct loc_list_ctx *ctx, uint64_t off, uint64_t views, uint64_t pc,
	      uint64_t view)
{
	const struct loc_pos pos = { pc, view, UINT64_MAX, false, false };

	int ret = at_pos(ctx, off, views, &pos);

	return ret >= INSTANT ? ret - INSTANT : ret;
}

static int at_pc(const struct list *l, uint64_t pc)
{
	struct loc_list_ctx ctx = context(l);

	return at(&ctx, 0, LOC_LIST_NO_VIEWS, pc, 0);
}

/*
 * Cuts the list after every byte. What is cut off is malformed, or the entry that held
 * stood before the cut and still holds.
 */
static void check_truncated(const struct list *l, uint64_t off, uint64_t views,
			    uint64_t pc, uint64_t view)
{
	struct loc_list_ctx ctx = context(l);
	int whole = at(&ctx, off, views, pc, view), ret;
	size_t len, malformed = 0;
	uint8_t *copy;

	for (len = 0; len < l->b.len; len++) {
		copy = malloc(len ? len : 1);
		assert_non_null(copy);
		memcpy(copy, l->b.data, len);
		ctx.data = copy;
		ctx.size = len;
		ret = at(&ctx, off, views, pc, view);
		assert_true(ret == -2 || (ret == whole && whole != NOWHERE));
		malformed += ret == -2;
		free(copy);
	}
	assert_true(malformed > 0);
}

struct shape {
	uint8_t version;
	uint8_t addr_size;
	bool big;
};

static const struct shape shapes[] = {
	{ 4, 8, false }, { 4, 8, true }, { 4, 4, false }, { 4, 4, true },
	{ 5, 8, false }, { 5, 8, true }, { 5, 4, false }, { 5, 4, true },
};

#define NR_SHAPES (sizeof(shapes) / sizeof(*shapes))

static void test_ranges(void **state)
{
	struct list l;
	size_t i;

	(void)state;
	for (i = 0; i < NR_SHAPES; i++) {
		list__init(&l, shapes[i].version, shapes[i].addr_size, shapes[i].big);
		put_pair(&l, 0x10, 0x20, 'a');
		put_pair(&l, 0x20, 0x30, 'b');
		put_pair(&l, 0x18, 0x40, 'c');
		put_base(&l, 0x5000);
		put_pair(&l, 0x10, 0x20, 'd');
		put_end(&l);
		check_truncated(&l, 0, LOC_LIST_NO_VIEWS, 0x5010, 0);
		check_truncated(&l, 0, LOC_LIST_NO_VIEWS, BASE + 0x20, 0);
		check_truncated(&l, 0, LOC_LIST_NO_VIEWS, 0x9999, 0);
		put_pair(&l, 0x50, 0x60, 'x');		/* another list */
		put_end(&l);
		assert_int_equal(at_pc(&l, BASE + 0x0f), NOWHERE);
		assert_int_equal(at_pc(&l, BASE + 0x10), 'a');
		assert_int_equal(at_pc(&l, BASE + 0x1f), 'a');	/* the first of two */
		assert_int_equal(at_pc(&l, BASE + 0x20), 'b');	/* half-open */
		assert_int_equal(at_pc(&l, BASE + 0x30), 'c');
		assert_int_equal(at_pc(&l, BASE + 0x40), NOWHERE);
		assert_int_equal(at_pc(&l, BASE + 0x50), NOWHERE);
		assert_int_equal(at_pc(&l, 0x5010), 'd');
		assert_int_equal(at_pc(&l, 0x10), NOWHERE);
		wbuf__free(&l.b);
	}
}

/* No views: begin and end view are 0, so a range of no bytes holds nothing. */
static void test_no_views(void **state)
{
	struct loc_list_ctx ctx;
	struct list l;
	size_t i;

	(void)state;
	for (i = 0; i < NR_SHAPES; i++) {
		list__init(&l, shapes[i].version, shapes[i].addr_size, shapes[i].big);
		put_pair(&l, 0x10, 0x10, 'z');
		put_pair(&l, 0x08, 0x10, 'a');
		put_pair(&l, 0x10, 0x18, 'b');
		put_end(&l);
		ctx = context(&l);
		assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, BASE + 0x10, 0), 'b');
		assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, BASE + 0x10, 7), 'b');
		assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, BASE + 0x0f, 7), 'a');
		wbuf__free(&l.b);
	}
}

/* One view pair each, as gcc writes them before the list. */
static size_t put_views(struct list *l, const uint8_t *views, size_t nr)
{
	wbuf__put(&l->b, views, nr);
	return l->b.len;
}

static void test_views(void **state)
{
	static const uint8_t views[] = { 0, 1, 1, 3, 3, 0, 0, 0 };
	struct loc_list_ctx ctx;
	struct list l;
	size_t i, off;

	(void)state;
	for (i = 0; i < NR_SHAPES; i++) {
		list__init(&l, shapes[i].version, shapes[i].addr_size, shapes[i].big);
		wbuf__u8(&l.b, 0xee);			/* the views are not at 0 */
		off = put_views(&l, views, sizeof(views));
		put_pair(&l, 0x10, 0x10, 'a');		/* (10, 0) to (10, 1) */
		put_pair(&l, 0x10, 0x10, 'b');		/* (10, 1) to (10, 3) */
		put_base(&l, BASE);			/* no pair for this one */
		put_pair(&l, 0x10, 0x20, 'c');		/* (10, 3) to (20, 0) */
		put_pair(&l, 0x20, 0x30, 'd');
		put_end(&l);
		ctx = context(&l);
		/* an earlier view holds another value */
		assert_int_equal(at(&ctx, off, 1, BASE + 0x10, 0), 'a');
		assert_int_equal(at(&ctx, off, 1, BASE + 0x10, 1), 'b');
		assert_int_equal(at(&ctx, off, 1, BASE + 0x10, 2), 'b');
		assert_int_equal(at(&ctx, off, 1, BASE + 0x10, 3), 'c');
		assert_int_equal(at(&ctx, off, 1, BASE + 0x10, 9), 'c');
		assert_int_equal(at(&ctx, off, 1, BASE + 0x14, 0), 'c');
		assert_int_equal(at(&ctx, off, 1, BASE + 0x20, 0), 'd');
		/* without the views neither of the first two is there */
		assert_int_equal(at(&ctx, off, LOC_LIST_NO_VIEWS, BASE + 0x10, 1), 'c');
		/* views that stand outside */
		assert_int_equal(at(&ctx, off, l.b.len + 1, BASE + 0x10, 1), -2);
		assert_int_equal(at(&ctx, off, l.b.len, BASE + 0x10, 1), -2);
		assert_int_equal(at(&ctx, l.b.len + 1, 1, BASE + 0x10, 1), -2);
		check_truncated(&l, off, 1, BASE + 0x10, 2);
		check_truncated(&l, off, 1, BASE + 0x20, 0);
		wbuf__free(&l.b);
	}
}

/* (0c, 0) to (10, 2) still holds at (10, 1), and a view later than the site's is met. */
static void test_views_at_ends(void **state)
{
	static const uint8_t views[] = { 0, 2, 4, 6 };
	struct loc_list_ctx ctx;
	struct list l;
	size_t off;

	(void)state;
	list__init(&l, 5, 8, false);
	off = put_views(&l, views, sizeof(views));
	put_pair(&l, 0x0c, 0x10, 'a');
	put_pair(&l, 0x10, 0x10, 'b');
	put_end(&l);
	ctx = context(&l);
	assert_int_equal(at(&ctx, off, 0, BASE + 0x10, 0), 'a');
	assert_int_equal(at(&ctx, off, 0, BASE + 0x10, 1), 'a');
	assert_int_equal(at(&ctx, off, 0, BASE + 0x10, 2), 'b');
	assert_int_equal(at(&ctx, off, 0, BASE + 0x10, 3), 'b');
	assert_int_equal(at(&ctx, off, 0, BASE + 0x10, 5), 'b');
	assert_int_equal(at(&ctx, off, 0, BASE + 0x10, 6), NOWHERE);
	wbuf__free(&l.b);
}

/*
 * DW_LLE_GNU_view_pair (0x09) stands before the entry that it is of, and of that alone.
 */
static void test_view_pair(void **state)
{
	static const uint8_t list[] = {
		0x09, 1, 3, 0x04, 0x08, 0x08, 1, 'z',
		0x04, 0x10, 0x10, 1, 'y',
		0x09, 1, 3, 0x04, 0x10, 0x10, 1, 'a',
		0x04, 0x10, 0x10, 1, 'b',
		0x09, 3, 0, 0x04, 0x10, 0x20, 1, 'c',
		0,
	};
	struct loc_list_ctx ctx;
	struct list l;

	(void)state;
	list__init(&l, 5, 8, false);
	wbuf__put(&l.b, list, sizeof(list));
	ctx = context(&l);
	assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, BASE + 0x08, 0), 'z');
	assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, BASE + 0x10, 0), 'a');
	assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, BASE + 0x10, 2), 'a');
	assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, BASE + 0x10, 3), 'c');
	check_truncated(&l, 0, LOC_LIST_NO_VIEWS, BASE + 0x10, 3);
	wbuf__free(&l.b);
}

/* Every kind of entry of DWARF 5; addresses of .debug_addr are 0x2000 + 0x10 * index. */
static void test_kinds(void **state)
{
	struct loc_list_ctx ctx;
	struct list l;
	size_t i;

	(void)state;
	for (i = 4; i < NR_SHAPES; i++) {
		list__init(&l, 5, shapes[i].addr_size, shapes[i].big);
		wbuf__put(&l.b, "\x02\x01\x02", 3);		/* startx_endx 1, 2 */
		put_expr(&l, 'a');
		wbuf__put(&l.b, "\x03\x03\x08", 3);		/* startx_length 3, 8 */
		put_expr(&l, 'b');
		wbuf__u8(&l.b, 0x07);				/* start_end */
		put_addr(&l, 0x3000);
		put_addr(&l, 0x3010);
		put_expr(&l, 'c');
		wbuf__u8(&l.b, 0x08);				/* start_length */
		put_addr(&l, 0x4000);
		put_uleb(&l, 0x20);
		put_expr(&l, 'd');
		wbuf__put(&l.b, "\x05", 1);			/* default_location */
		put_expr(&l, 'e');
		wbuf__put(&l.b, "\x01\x05", 2);			/* base_addressx 5 */
		put_pair(&l, 8, 16, 'f');
		put_base(&l, 0x6000);
		put_pair(&l, 8, 16, 'g');
		put_end(&l);
		assert_int_equal(at_pc(&l, 0x200f), 'e');
		assert_int_equal(at_pc(&l, 0x2010), 'a');
		assert_int_equal(at_pc(&l, 0x201f), 'a');
		assert_int_equal(at_pc(&l, 0x2020), 'e');
		assert_int_equal(at_pc(&l, 0x2030), 'b');
		assert_int_equal(at_pc(&l, 0x2038), 'e');
		assert_int_equal(at_pc(&l, 0x300f), 'c');
		assert_int_equal(at_pc(&l, 0x401f), 'd');
		assert_int_equal(at_pc(&l, 0x4020), 'e');
		assert_int_equal(at_pc(&l, 0x2057), 'e');
		assert_int_equal(at_pc(&l, 0x2058), 'f');
		assert_int_equal(at_pc(&l, 0x6008), 'g');
		assert_int_equal(at_pc(&l, BASE + 8), 'e');
		check_truncated(&l, 0, LOC_LIST_NO_VIEWS, 0x6008, 0);
		check_truncated(&l, 0, LOC_LIST_NO_VIEWS, 0x9999, 0);
		/* nobody to ask for an address */
		ctx = context(&l);
		ctx.addrx = NULL;
		assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, 0x6008, 0), -2);
		wbuf__free(&l.b);
	}
}

static void check_bytes(const char *bytes, size_t n, uint64_t pc, int expected)
{
	struct loc_list_ctx ctx = {
		.data = (const uint8_t *)bytes, .size = n, .version = 5, .addr_size = 8,
		.base = BASE, .addrx = test_addrx,
	};

	assert_int_equal(at(&ctx, 0, LOC_LIST_NO_VIEWS, pc, 0), expected);
}

static void test_malformed(void **state)
{
	struct loc_list_ctx ctx = { .version = 5, .addr_size = 8 };
	const struct loc_pos pos = { 0, 0, UINT64_MAX, false, false };
	struct loc_found f = { 0 };

	(void)state;
	check_bytes("\x0a", 1, 0, -2);				/* no such kind */
	check_bytes("\xff", 1, 0, -2);
	check_bytes("\x02\x0a\x01\x01x\x00", 6, 0,
		-2);		/* index 10 is not there */
	check_bytes("\x02\x01\x0a\x01x\x00", 6, 0, -2);
	check_bytes("\x01\x0a\x00", 3, 0, -2);
	check_bytes("\x04\x00\x10\x09x\x00", 6, 0x9999,
		-2);	/* 9 bytes of expression */
	check_bytes("\x00", 1, 0, NOWHERE);
	/* a range whose end wraps holds nothing */
	check_bytes("\x04\x20\x10\x01x\x00", 6, BASE + 0x18, NOWHERE);
	assert_int_equal(loc_list__at(&ctx, 0, LOC_LIST_NO_VIEWS, &pos, &f), LOC_MALFORMED);
	assert_null(f.expr);
}

/* An address of 4 bytes that wraps is cut to 4 bytes, as the file's arithmetic is. */
static void test_wrap(void **state)
{
	struct list l;

	(void)state;
	list__init(&l, 5, 4, false);
	put_base(&l, 0xfffffff0);
	put_pair(&l, 0x20, 0x30, 'a');
	put_end(&l);
	assert_int_equal(at_pc(&l, 0x10), 'a');
	assert_int_equal(at_pc(&l, 0x20), NOWHERE);
	wbuf__free(&l.b);
}

/* Views that count end somewhere: what begins behind them was assigned later. */
static void test_window(void **state)
{
	static const uint8_t views[] = { 2, 0, 0, 0 };
	struct loc_list_ctx ctx;
	struct loc_pos pos;
	struct list l;
	size_t i, off;

	(void)state;
	for (i = 0; i < NR_SHAPES; i++) {
		list__init(&l, shapes[i].version, shapes[i].addr_size, shapes[i].big);
		off = put_views(&l, views, sizeof(views));
		put_pair(&l, 0x10, 0x20, 'a');		/* (10, 2) to (20, 0) */
		put_pair(&l, 0x20, 0x20, 'b');
		put_end(&l);
		ctx = context(&l);
		pos = (struct loc_pos){ BASE + 0x10, 0, 1, false, false };
		assert_int_equal(at_pos(&ctx, off, 0, &pos), NOWHERE);
		pos.view_last = 2;
		assert_int_equal(at_pos(&ctx, off, 0, &pos), 'a');
		/* in the middle of an entry its views do not count */
		pos = (struct loc_pos){ BASE + 0x11, 0, 0, false, false };
		assert_int_equal(at_pos(&ctx, off, 0, &pos), 'a');
		/* only what has held before */
		pos.earlier = true;
		assert_int_equal(at_pos(&ctx, off, 0, &pos), 'a');
		pos = (struct loc_pos){ BASE + 0x10, 2, UINT64_MAX, true, false };
		assert_int_equal(at_pos(&ctx, off, 0, &pos), NOWHERE);
		/* an entry of no bytes, where those hold */
		pos = (struct loc_pos){ BASE + 0x20, 0, UINT64_MAX, false, true };
		assert_int_equal(at_pos(&ctx, off, LOC_LIST_NO_VIEWS, &pos), 'b');
		pos.empties = false;
		assert_int_equal(at_pos(&ctx, off, LOC_LIST_NO_VIEWS, &pos), NOWHERE);
		wbuf__free(&l.b);
	}
}

/* What holds for views alone, while something else holds from the address on. */
static void test_instant(void **state)
{
	static const uint8_t views[] = { 0, 1, 1, 3, 3, 0, 0, 0 };
	const struct loc_pos first = { BASE + 0x10, 0, 1, false, false };
	const struct loc_pos third = { BASE + 0x10, 3, 4, false, false };
	struct loc_list_ctx ctx;
	struct list l;
	size_t off;

	(void)state;
	list__init(&l, 5, 8, false);
	off = put_views(&l, views, sizeof(views));
	put_pair(&l, 0x10, 0x10, 'a');		/* (10, 0) to (10, 1) */
	put_pair(&l, 0x10, 0x10, 'b');		/* (10, 1) to (10, 3) */
	put_pair(&l, 0x10, 0x20, 'c');		/* (10, 3) to (20, 0) */
	put_pair(&l, 0x20, 0x30, 'd');
	put_end(&l);
	ctx = context(&l);
	assert_int_equal(at_pos(&ctx, off, 0, &first), 'a' + INSTANT);
	assert_int_equal(at_pos(&ctx, off, 0, &third), 'c');
	wbuf__free(&l.b);
	/* nothing else there: it was thrown away at once */
	list__init(&l, 5, 8, false);
	off = put_views(&l, views, 2);
	put_pair(&l, 0x10, 0x10, 'a');
	put_end(&l);
	ctx = context(&l);
	assert_int_equal(at_pos(&ctx, off, 0, &first), 'a');
	wbuf__free(&l.b);
}

static int stop_at_b(void *arg, const uint8_t *expr, size_t len)
{
	char **out = arg;

	*(*out)++ = *expr;
	return *expr == 'b' ? 7 : (int)len - 1;
}

/* Every entry of a list, whatever its bounds; not the next list's. */
static void test_each(void **state)
{
	struct loc_list_ctx ctx;
	struct list l;
	char seen[8], *out;
	size_t i;

	(void)state;
	for (i = 0; i < NR_SHAPES; i++) {
		list__init(&l, shapes[i].version, shapes[i].addr_size, shapes[i].big);
		put_pair(&l, 0x10, 0x20, 'c');
		put_base(&l, 0x5000);
		put_pair(&l, 0x20, 0x20, 'a');
		put_end(&l);
		put_pair(&l, 0x10, 0x20, 'b');
		ctx = context(&l);
		out = seen;
		assert_int_equal(loc_list__each(&ctx, 0, stop_at_b, &out), 0);
		*out = 0;
		assert_string_equal(seen, "ca");
		assert_int_equal(loc_list__each(&ctx, l.b.len + 1, stop_at_b, &out), -EBADMSG);
		wbuf__free(&l.b);
	}
	list__init(&l, 5, 8, false);
	put_pair(&l, 0x10, 0x20, 'b');
	ctx = context(&l);
	out = seen;
	/* stopped before the end that is not there */
	assert_int_equal(loc_list__each(&ctx, 0, stop_at_b, &out), 7);
	ctx.size--;
	assert_int_equal(loc_list__each(&ctx, 0, stop_at_b, &out), -EBADMSG);
	wbuf__free(&l.b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_no_views),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_views_at_ends),
		cmocka_unit_test(test_view_pair),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_instant),
		cmocka_unit_test(test_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
