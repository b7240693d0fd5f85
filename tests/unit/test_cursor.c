// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cursor.c - bounded reading and the growing buffer */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../lib/cursor.h"

#define FILL64 UINT64_C(0x5a5a5a5a5a5a5a5a)

/* One kind of reading, with how many bytes it takes of 01 02 03 ... */
struct read_case {
	const char *name;
	size_t need;
	int (*read)(struct cursor *c, uint64_t *out);
};

static int read_u8(struct cursor *c, uint64_t *out)
{
	uint8_t v = (uint8_t)FILL64;
	int ret = cursor__u8(c, &v);

	*out = v;
	return ret;
}

static int read_u16(struct cursor *c, uint64_t *out)
{
	uint16_t v = (uint16_t)FILL64;
	int ret = cursor__u16(c, &v);

	*out = v;
	return ret;
}

static int read_u32(struct cursor *c, uint64_t *out)
{
	uint32_t v = (uint32_t)FILL64;
	int ret = cursor__u32(c, &v);

	*out = v;
	return ret;
}

static int read_u64(struct cursor *c, uint64_t *out)
{
	uint64_t v = FILL64;
	int ret = cursor__u64(c, &v);

	*out = v;
	return ret;
}

#define READ_UINT(n)							\
static int read_uint##n(struct cursor *c, uint64_t *out)		\
{									\
	uint64_t v = FILL64;						\
	int ret = cursor__uint(c, n, &v);				\
									\
	*out = v;							\
	return ret;							\
}
READ_UINT(1)
READ_UINT(2)
READ_UINT(3)
READ_UINT(4)
READ_UINT(5)
READ_UINT(6)
READ_UINT(7)
READ_UINT(8)

static const struct read_case read_cases[] = {
	{ "u8", 1, read_u8 }, { "u16", 2, read_u16 },
	{ "u32", 4, read_u32 }, { "u64", 8, read_u64 },
	{ "uint 1", 1, read_uint1 }, { "uint 2", 2, read_uint2 },
	{ "uint 3", 3, read_uint3 }, { "uint 4", 4, read_uint4 },
	{ "uint 5", 5, read_uint5 }, { "uint 6", 6, read_uint6 },
	{ "uint 7", 7, read_uint7 }, { "uint 8", 8, read_uint8 },
};

/* The bytes pos + 1, pos + 2, ... read as a number, worked out without the library. */
static uint64_t expected(size_t pos, size_t need, bool big)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < need; i++) {
		size_t at = big ? pos + i : pos + need - 1 - i;

		v = v << 8 | (at + 1);
	}
	return v;
}

/* Every reading at every place of every length: it fits and is right, or fails whole. */
static void test_bounds(void **state)
{
	size_t len, pos, n, i;
	struct cursor c;
	uint8_t *data;
	uint64_t v;
	int big, ret;

	(void)state;
	for (big = 0; big < 2; big++)
	for (len = 0; len < 18; len++) {
		data = malloc(len ? len : 1);	/* exactly, so that ASan sees one more */
		assert_non_null(data);
		for (i = 0; i < len; i++)
			data[i] = i + 1;
		for (n = 0; n < sizeof(read_cases) / sizeof(read_cases[0]); n++)
		for (pos = 0; pos <= len; pos++) {
			const struct read_case *r = &read_cases[n];

			cursor__init(&c, data, len, big);
			assert_int_equal(cursor__skip(&c, pos), 0);
			ret = r->read(&c, &v);
			if (pos + r->need <= len) {
				assert_int_equal(ret, 0);
				assert_true(v == expected(pos, r->need, big));
				assert_int_equal(cursor__tell(&c), pos + r->need);
				assert_int_equal(cursor__left(&c), len - pos - r->need);
			} else {
				assert_int_equal(ret, -EBADMSG);
				assert_int_equal(cursor__tell(&c), pos);
				/* as much of the fill as the output holds */
				assert_true(v == FILL64 || v == (uint32_t)FILL64 ||
					    v == (uint16_t)FILL64 ||
					    v == (uint8_t)FILL64);
			}
		}
		free(data);
	}
}

static void test_uint_size(void **state)
{
	uint8_t data[16] = { 1 };
	struct cursor c;
	uint64_t v = FILL64;
	int64_t s = 7;

	(void)state;
	cursor__init(&c, data, sizeof(data), false);
	assert_int_equal(cursor__uint(&c, 0, &v), -EBADMSG);
	assert_int_equal(cursor__uint(&c, 9, &v), -EBADMSG);
	assert_int_equal(cursor__sint(&c, 0, &s), -EBADMSG);
	assert_int_equal(cursor__sint(&c, 9, &s), -EBADMSG);
	assert_true(v == FILL64);
	assert_true(s == 7);
	assert_int_equal(cursor__tell(&c), 0);
}

static void test_order(void **state)
{
	static const uint8_t data[] = { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0 };
	uint8_t out[4] = { 0 };

	(void)state;
	assert_true(bytes__uint(data, 8, false) == UINT64_C(0xf0debc9a78563412));
	assert_true(bytes__uint(data, 8, true) == UINT64_C(0x123456789abcdef0));
	assert_true(bytes__uint(data, 3, false) == 0x563412);
	assert_true(bytes__uint(data, 3, true) == 0x123456);
	assert_int_equal(bytes__u32(data, false), 0x78563412);
	assert_int_equal(bytes__u32(data + 1, true), 0x3456789a);
	bytes__put_u32(out, 0x01020304, false);
	assert_memory_equal(out, "\4\3\2\1", 4);
	bytes__put_u32(out, 0x01020304, true);
	assert_memory_equal(out, "\1\2\3\4", 4);
}

static void test_sint(void **state)
{
	static const struct {
		uint8_t bytes[8];	/* little-endian */
		unsigned int size;
		int64_t want;
	} cases[] = {
		{ { 0x7f }, 1, 127 }, { { 0x80 }, 1, -128 }, { { 0xff }, 1, -1 },
		{ { 0xff, 0x7f }, 2, 32767 }, { { 0x00, 0x80 }, 2, -32768 },
		{ { 0x00, 0x00, 0x80 }, 3, -8388608 },
		{ { 0xff, 0xff, 0x7f }, 3, 8388607 },
		{ { 0xfe, 0xff, 0xff, 0xff }, 4, -2 },
		{ { 0, 0, 0, 0, 0x80 }, 5, -INT64_C(549755813888) },
		{ { 0, 0, 0, 0, 0, 0, 0, 0x80 }, 8, INT64_MIN },
		{ { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f }, 8, INT64_MAX },
	};
	uint8_t swapped[8];
	struct cursor c;
	size_t i, k;
	int64_t v;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cursor__init(&c, cases[i].bytes, cases[i].size, false);
		assert_int_equal(cursor__sint(&c, cases[i].size, &v), 0);
		assert_true(v == cases[i].want);
		assert_int_equal(cursor__left(&c), 0);
		for (k = 0; k < cases[i].size; k++)
			swapped[k] = cases[i].bytes[cases[i].size - 1 - k];
		cursor__init(&c, swapped, cases[i].size, true);
		assert_int_equal(cursor__sint(&c, cases[i].size, &v), 0);
		assert_true(v == cases[i].want);
		v = 99;
		cursor__init(&c, swapped, cases[i].size - 1, true);
		assert_int_equal(cursor__sint(&c, cases[i].size, &v), -EBADMSG);
		assert_true(v == 99);
	}
}

static void test_moves(void **state)
{
	static const uint8_t data[4] = { 1, 2, 3, 4 };
	const uint8_t *p = NULL;
	struct cursor c;

	(void)state;
	cursor__init(&c, data, 4, false);
	assert_int_equal(cursor__seek(&c, 4), 0);
	assert_int_equal(cursor__left(&c), 0);
	assert_int_equal(cursor__seek(&c, 5), -EBADMSG);
	assert_int_equal(cursor__seek(&c, UINT64_MAX), -EBADMSG);
	assert_int_equal(cursor__tell(&c), 4);
	assert_int_equal(cursor__seek(&c, 1), 0);
	assert_int_equal(cursor__skip(&c, 4), -EBADMSG);
	assert_int_equal(cursor__skip(&c, UINT64_MAX), -EBADMSG);
	assert_int_equal(cursor__bytes(&c, 4, &p), -EBADMSG);
	assert_int_equal(cursor__bytes(&c, UINT64_MAX, &p), -EBADMSG);
	assert_null(p);
	assert_int_equal(cursor__tell(&c), 1);
	assert_int_equal(cursor__bytes(&c, 3, &p), 0);
	assert_ptr_equal(p, data + 1);
	assert_int_equal(cursor__bytes(&c, 0, &p), 0);
	assert_ptr_equal(p, data + 4);
	assert_int_equal(cursor__skip(&c, 0), 0);
}

/* An empty section's data may be NULL. */
static void test_empty(void **state)
{
	const char *s = NULL;
	const uint8_t *p;
	struct cursor c;
	uint64_t u;
	int64_t i;
	uint8_t b;

	(void)state;
	cursor__init(&c, NULL, 0, false);
	assert_int_equal(cursor__left(&c), 0);
	assert_int_equal(cursor__tell(&c), 0);
	assert_int_equal(cursor__seek(&c, 0), 0);
	assert_int_equal(cursor__skip(&c, 0), 0);
	assert_int_equal(cursor__bytes(&c, 0, &p), 0);
	assert_int_equal(cursor__seek(&c, 1), -EBADMSG);
	assert_int_equal(cursor__u8(&c, &b), -EBADMSG);
	assert_int_equal(cursor__uleb(&c, &u), -EBADMSG);
	assert_int_equal(cursor__sleb(&c, &i), -EBADMSG);
	assert_int_equal(cursor__str(&c, &s), -EBADMSG);
	assert_null(s);
}

static void test_str(void **state)
{
	static const char data[] = { 'a', 'b', 0, 0, 'c' };
	const char *s;
	struct cursor c;

	(void)state;
	cursor__init(&c, data, sizeof(data), false);
	assert_int_equal(cursor__str(&c, &s), 0);
	assert_string_equal(s, "ab");
	assert_int_equal(cursor__tell(&c), 3);
	assert_int_equal(cursor__str(&c, &s), 0);
	assert_string_equal(s, "");
	assert_int_equal(cursor__tell(&c), 4);
	s = NULL;
	assert_int_equal(cursor__str(&c, &s), -EBADMSG);	/* no NUL */
	assert_null(s);
	assert_int_equal(cursor__tell(&c), 4);
}

struct leb_case {
	const char *bytes;
	size_t len;
	uint64_t want;
	int ret;
};

#define FF9 "\xff\xff\xff\xff\xff\xff\xff\xff\xff"
#define O9 "\x80\x80\x80\x80\x80\x80\x80\x80\x80"

/* The first nine are the examples of DWARF 5, figures 22 and 23. */
static const struct leb_case uleb_cases[] = {
	{ "\x02", 1, 2, 0 },
	{ "\x7f", 1, 127, 0 },
	{ "\x80\x01", 2, 128, 0 },
	{ "\x81\x01", 2, 129, 0 },
	{ "\xb9\x64", 2, 12857, 0 },
	{ "\x00", 1, 0, 0 },
	{ "\x80\x00", 2, 0, 0 },			/* longer than needed */
	{ O9 O9 "\x00", 19, 0, 0 },			/* past 64 bits, but zeros */
	{ "\x85" O9 O9 "\x00", 20, 5, 0 },
	{ FF9 "\x01", 10, UINT64_MAX, 0 },
	{ FF9 "\x81\x00", 11, UINT64_MAX, 0 },
	{ O9 "\x01", 10, UINT64_C(1) << 63, 0 },
	{ "\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 9, INT64_MAX, 0 },
	{ FF9 "\x02", 10, 0, -EBADMSG },		/* bit 64 */
	{ O9 "\x02", 10, 0, -EBADMSG },
	{ O9 "\x7f", 10, 0, -EBADMSG },
	{ O9 "\x80\x01", 11, 0, -EBADMSG },		/* bit 70 */
	{ FF9 "\xff\x01", 11, 0, -EBADMSG },
	{ "", 0, 0, -EBADMSG },
	{ "\x80", 1, 0, -EBADMSG },			/* cut off */
	{ FF9, 9, 0, -EBADMSG },
	{ FF9 "\x81", 10, 0, -EBADMSG },
};

static const struct leb_case sleb_cases[] = {
	{ "\x02", 1, 2, 0 },
	{ "\x7e", 1, -2, 0 },
	{ "\xff\x00", 2, 127, 0 },
	{ "\x81\x7f", 2, -127, 0 },
	{ "\x80\x01", 2, 128, 0 },
	{ "\x80\x7f", 2, -128, 0 },
	{ "\x81\x01", 2, 129, 0 },
	{ "\xff\x7e", 2, -129, 0 },
	{ "\x3f", 1, 63, 0 },
	{ "\x40", 1, -64, 0 },
	{ "\x7f", 1, -1, 0 },
	{ "\xff\x7f", 2, -1, 0 },			/* longer than needed */
	{ FF9 "\x7f", 10, -1, 0 },
	{ FF9 FF9 "\x7f", 19, -1, 0 },			/* past 64 bits, but the sign */
	{ "\x83" O9 O9 "\x00", 20, 3, 0 },
	{ FF9 "\x00", 10, INT64_MAX, 0 },
	{ O9 "\x7f", 10, (uint64_t)INT64_MIN, 0 },
	{ O9 "\xff\x7f", 11, (uint64_t)INT64_MIN, 0 },
	{ "\xff\xff\xff\xff\xff\xff\xff\xff\x3f", 9, INT64_MAX >> 1, 0 },
	{ "\x80\x80\x80\x80\x80\x80\x80\x80\x40", 9, (uint64_t)(INT64_MIN / 2), 0 },
	{ O9 "\x01", 10, 0, -EBADMSG },			/* 2^63 */
	{ FF9 "\x01", 10, 0, -EBADMSG },
	{ O9 "\x7e", 10, 0, -EBADMSG },			/* below -2^63 */
	{ O9 "\x40", 10, 0, -EBADMSG },
	{ FF9 "\x80\x7f", 11, 0, -EBADMSG },		/* a sign that changes */
	{ FF9 "\xff\x00", 11, 0, -EBADMSG },
	{ "", 0, 0, -EBADMSG },
	{ "\xff", 1, 0, -EBADMSG },			/* cut off */
	{ FF9, 9, 0, -EBADMSG },
};

/* Each with bytes behind it and without; from a block of just its size. */
static void check_leb(const struct leb_case *l, bool is_signed, size_t behind)
{
	uint8_t *data = malloc(l->len + behind + 1);
	uint64_t v = FILL64;
	struct cursor c;
	int ret;

	assert_non_null(data);
	memcpy(data, l->bytes, l->len);
	memset(data + l->len, 0x55, behind);
	data = realloc(data, l->len + behind ? l->len + behind : 1);
	assert_non_null(data);
	cursor__init(&c, data, l->len + behind, false);
	ret = is_signed ? cursor__sleb(&c, (int64_t *)&v) : cursor__uleb(&c, &v);
	assert_int_equal(ret, l->ret);
	assert_true(v == (ret ? FILL64 : l->want));
	assert_int_equal(cursor__tell(&c), ret ? 0 : l->len);
	free(data);
}

static void test_leb(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(uleb_cases) / sizeof(uleb_cases[0]); i++) {
		check_leb(&uleb_cases[i], false, 0);
		if (!uleb_cases[i].ret)
			check_leb(&uleb_cases[i], false, 3);
	}
	for (i = 0; i < sizeof(sleb_cases) / sizeof(sleb_cases[0]); i++) {
		check_leb(&sleb_cases[i], true, 0);
		if (!sleb_cases[i].ret)
			check_leb(&sleb_cases[i], true, 3);
	}
}

/* However long the padding: an end, and the same one. */
static void test_leb_padding(void **state)
{
	static uint8_t data[4096];
	struct cursor c;
	uint64_t u = FILL64;
	int64_t s = 1;

	(void)state;
	memset(data, 0x80, sizeof(data));
	data[sizeof(data) - 1] = 0;
	cursor__init(&c, data, sizeof(data), false);
	assert_int_equal(cursor__uleb(&c, &u), -EBADMSG);
	assert_int_equal(cursor__sleb(&c, &s), -EBADMSG);
	assert_int_equal(cursor__tell(&c), 0);
	assert_true(u == FILL64);
	assert_true(s == 1);
}

static void test_wbuf(void **state)
{
	struct wbuf b;

	(void)state;
	wbuf__init(&b, false);
	wbuf__u8(&b, 0xfe);
	wbuf__u16(&b, 0x1234);
	wbuf__align(&b, 4);
	wbuf__u32(&b, 0x89abcdef);
	wbuf__align(&b, 4);	/* is: adds nothing */
	wbuf__put(&b, "xyz", 3);
	wbuf__put(&b, NULL, 0);
	wbuf__zero(&b, 2);
	wbuf__zero(&b, 0);
	assert_int_equal(b.err, 0);
	assert_int_equal(b.len, 13);
	assert_memory_equal(b.data, "\xfe\x34\x12\0\xef\xcd\xab\x89xyz\0\0", 13);
	wbuf__patch_u32(&b, 9, 0x01020304);	/* the last place there is */
	wbuf__patch_u32(&b, 10, 0xffffffff);
	wbuf__patch_u32(&b, SIZE_MAX, 0xffffffff);
	assert_memory_equal(b.data, "\xfe\x34\x12\0\xef\xcd\xab\x89x\4\3\2\1", 13);
	wbuf__free(&b);
	assert_null(b.data);

	wbuf__init(&b, true);
	wbuf__patch_u32(&b, 0, 1);	/* nothing there */
	wbuf__u16(&b, 0x1234);
	wbuf__u32(&b, 0x89abcdef);
	wbuf__patch_u32(&b, 2, 0x01020304);
	assert_int_equal(b.len, 6);
	assert_memory_equal(b.data, "\x12\x34\1\2\3\4", 6);
	wbuf__align(&b, 8);
	assert_int_equal(b.len, 8);
	wbuf__free(&b);
}

static void test_wbuf_grows(void **state)
{
	struct wbuf b;
	uint32_t i;

	(void)state;
	wbuf__init(&b, false);
	for (i = 0; i < 100000; i++)
		wbuf__u32(&b, i * 7);
	assert_int_equal(b.err, 0);
	assert_int_equal(b.len, 400000);
	for (i = 0; i < 100000; i++)
		assert_int_equal(bytes__u32(b.data + i * 4, false), i * 7);
	wbuf__free(&b);
}

/* A size that passes the address space: an error that stays, and the bytes so far. */
static void test_wbuf_overflow(void **state)
{
	struct wbuf b;

	(void)state;
	wbuf__init(&b, false);
	wbuf__put(&b, "ab", 2);
	wbuf__zero(&b, SIZE_MAX);	/* the sum wraps */
	assert_int_equal(b.err, -EOVERFLOW);
	assert_int_equal(b.len, 2);
	wbuf__u8(&b, 1);
	wbuf__u32(&b, 1);
	wbuf__patch_u32(&b, 0, 0);
	assert_int_equal(b.len, 2);
	assert_memory_equal(b.data, "ab", 2);
	wbuf__free(&b);

	wbuf__init(&b, false);
	wbuf__zero(&b, SIZE_MAX / 2 + 1);	/* no object is as large */
	assert_int_equal(b.err, -EOVERFLOW);
	assert_int_equal(b.len, 0);
	assert_null(b.data);
	wbuf__free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_uint_size),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_sint),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_str),
		cmocka_unit_test(test_leb),
		cmocka_unit_test(test_leb_padding),
		cmocka_unit_test(test_wbuf),
		cmocka_unit_test(test_wbuf_grows),
		cmocka_unit_test(test_wbuf_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
