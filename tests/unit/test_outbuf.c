// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_outbuf.c - text on its way out, what is taken back, and the line of an error */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "../../lib/err.h"
#include "outbuf_util.h"

static void test_outbuf(void **state)
{
	static char large[200000];
	static struct text t;
	struct outbuf o;

	(void)state;
	text__begin(&t, &o);
	outbuf__dec(&o, 0);
	outbuf__char(&o, ' ');
	outbuf__dec(&o, UINT64_MAX);
	outbuf__char(&o, ' ');
	outbuf__sdec(&o, INT64_MIN);
	outbuf__char(&o, ' ');
	outbuf__sdec(&o, -1);
	outbuf__char(&o, ' ');
	outbuf__hex(&o, 0);
	outbuf__char(&o, ' ');
	outbuf__hex(&o, UINT64_MAX);
	outbuf__printf(&o, " %s=%d", "n", 7);
	text__check(&t, &o, "0 18446744073709551615 -9223372036854775808 -1 0x0 "
			    "0xffffffffffffffff n=7");
	/* what a terminal would obey is shown; UTF-8 is left alone */
	outbuf__name(&o, "\x1b[31mred\x7f\n\xc3\xa9");
	text__check(&t, &o, "\\x1b[31mred\\x7f\\x0a\xc3\xa9");
	/* C1 as UTF-8 has it (CSI is U+009b), and what is no UTF-8 */
	outbuf__name(&o, "\xc2\x9b" "m\xc2\xa0\x9b\xff\xe2\x82");
	text__check(&t, &o, "\\xc2\\x9bm\xc2\xa0\\x9b\\xff\\xe2\\x82");
	/* more than it holds, in one piece: in order, and once */
	memset(large, 'x', sizeof(large) - 1);
	t.fail_after = 1;
	outbuf__str(&o, "ab");
	outbuf__str(&o, large);
	assert_int_equal(outbuf__flush(&o), -ENOSPC);
	assert_string_equal(t.buf, "ab");
	/* the first error stays, and nothing is written any more */
	t.fail_after = -1;
	outbuf__str(&o, "more");
	assert_int_equal(outbuf__flush(&o), -ENOSPC);
	assert_string_equal(t.buf, "ab");
	outbuf__free(&o);
}

/* What is held goes out whole or not at all, however long it is. */
static void test_hold(void **state)
{
	static const size_t sizes[] = { 0, 1, 1000, 131071, 131072, 131073, 300000 };
	static char piece[1001], want[1 << 20];
	static struct text t;
	struct outbuf o;
	size_t i, n, before;

	(void)state;
	memset(piece, 'h', sizeof(piece) - 1);
	for (i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		/* before it a little, or nearly a buffer */
		before = i % 2 ? 131000 : 3;
		text__begin(&t, &o);
		for (n = 0; n < before; n++)
			outbuf__char(&o, 'b');
		outbuf__hold(&o);
		for (n = 0; n + 1000 <= sizes[i / 2]; n += 1000)
			outbuf__str(&o, piece);
		outbuf__put(&o, piece, sizes[i / 2] - n);
		assert_true(t.len <= before);
		outbuf__take_back(&o);
		outbuf__str(&o, "[");
		outbuf__hold(&o);
		for (n = 0; n < sizes[i / 2]; n++)
			outbuf__char(&o, 'k');
		outbuf__release(&o);
		outbuf__take_back(&o);	/* nothing is held */
		outbuf__str(&o, "]");
		memset(want, 'b', before);
		want[before] = '[';
		memset(want + before + 1, 'k', sizes[i / 2]);
		strcpy(want + before + 1 + sizes[i / 2], "]");
		text__check(&t, &o, want);
		outbuf__free(&o);
	}
}

/* A line goes with the code that it was written about, with no other. */
static void test_err(void **state)
{
	struct btf_locs_err err = { "" }, copy;

	(void)state;
	assert_int_equal(locs_err__set(NULL, -EBADMSG, "x"), -EBADMSG);
	assert_int_equal(locs_err__set(&err, -EBADMSG, "malformed %d", 7), -EBADMSG);
	assert_string_equal(err.text, "malformed 7");
	assert_string_equal(locs_err__text(&err, -EBADMSG), "malformed 7");
	assert_true(locs_err__is(&err, -EBADMSG));
	/* it was recovered from, and then there was no memory, or something else */
	assert_string_equal(locs_err__text(&err, -ENOMEM), "out of memory");
	assert_string_equal(locs_err__text(&err, -EIO), strerror(EIO));
	copy = err;
	assert_int_equal(locs_err__end(&copy, -ENOMEM), -ENOMEM);
	assert_string_equal(copy.text, "out of memory");
	copy = err;
	assert_int_equal(locs_err__end(&copy, -EBADMSG), -EBADMSG);
	assert_string_equal(copy.text, "malformed 7");
	assert_int_equal(locs_err__end(&copy, -EIO), -EIO);
	assert_string_equal(copy.text, strerror(EIO));
	assert_int_equal(locs_err__end(&copy, 0), 0);
	assert_string_equal(copy.text, "");
	assert_string_equal(locs_err__text(&copy, -EBADMSG), strerror(EBADMSG));
	assert_int_equal(locs_err__end(NULL, -EIO), -EIO);
	/* no memory is never about a file's contents */
	locs_err__set(&err, -ENOMEM, "the relocations cannot be read");
	assert_string_equal(err.text, "out of memory");
	/* one line, and nothing that a terminal obeys; cut where the room ends, the code kept */
	locs_err__set(&err, -EIO, "a\nb\x7f\xc2\x9b\xff\xc3\xa9");
	assert_string_equal(err.text, "a?b????\xc3\xa9");
	locs_err__set(&err, -EIO, "%0300d", 1);
	assert_int_equal(strlen(err.text), 251);
	assert_true(locs_err__is(&err, -EIO));
	/* a caller may have emptied it */
	err.text[0] = '\0';
	assert_string_equal(locs_err__text(&err, -EIO), strerror(EIO));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_outbuf),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_err),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
