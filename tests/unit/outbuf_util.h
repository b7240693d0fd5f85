/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* outbuf_util.h - what an outbuf wrote, for the tests of the printers; after cmocka.h */
#ifndef TEST_OUTBUF_UTIL_H
#define TEST_OUTBUF_UTIL_H

#include <errno.h>
#include <string.h>

#include "../../lib/outbuf.h"

/* What an outbuf wrote. */
struct text {
	char buf[1 << 20];
	size_t len;
	int fail_after;		/* writes that succeed, -1: all */
};

static inline int text__write(void *ctx, const char *data, size_t size)
{
	struct text *t = ctx;

	if (t->fail_after == 0)
		return -ENOSPC;
	t->fail_after--;
	assert_true(t->len + size < sizeof(t->buf));
	memcpy(t->buf + t->len, data, size);
	t->len += size;
	t->buf[t->len] = '\0';
	return 0;
}

static inline void text__begin(struct text *t, struct outbuf *o)
{
	memset(t, 0, sizeof(*t));
	t->fail_after = -1;
	assert_int_equal(outbuf__init(o, text__write, t), 0);
}

static inline void text__check(struct text *t, struct outbuf *o, const char *want)
{
	assert_int_equal(outbuf__flush(o), 0);
	if (strcmp(t->buf, want))
		fail_msg("\nis:   %s\nwant: %s", t->buf, want);
	t->len = 0;
	t->buf[0] = '\0';
}

#endif
