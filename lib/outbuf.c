// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* outbuf.c - text on its way out, in large pieces */
#include "outbuf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "utf8.h"

enum { OUTBUF_SIZE = 128 * 1024 };

int outbuf__init(struct outbuf *o, int (*write)(void *ctx, const char *data, size_t size),
		 void *ctx)
{
	char *buf = malloc(OUTBUF_SIZE);

	if (!buf)
		return -ENOMEM;
	*o = (struct outbuf) {
		.buf = buf,
		.cap = OUTBUF_SIZE,
		.write = write,
		.ctx = ctx,
	};
	return 0;
}

void outbuf__free(struct outbuf *o)
{
	free(o->buf);
	memset(o, 0, sizeof(*o));
}

int outbuf__flush(struct outbuf *o)
{
	if (!o->err && o->len)
		o->err = o->write(o->ctx, o->buf, o->len);
	o->len = 0;
	return o->err;
}

void outbuf__hold(struct outbuf *o)
{
	o->mark = o->len;
	o->held = true;
}

void outbuf__release(struct outbuf *o)
{
	o->held = false;
}

void outbuf__take_back(struct outbuf *o)
{
	if (o->held)
		o->len = o->mark;
	o->held = false;
}

/* Writes what is before the mark, and makes room for @size bytes behind what is held. */
static void held__grow(struct outbuf *o, size_t size)
{
	size_t held = o->len - o->mark, cap = o->cap;
	char *buf;

	o->len = o->mark;
	outbuf__flush(o);
	memmove(o->buf, o->buf + o->mark, held);
	o->len = held;
	o->mark = 0;
	while (cap - held < size)
		if (__builtin_mul_overflow(cap, (size_t)2, &cap))
			break;
	buf = cap - held < size ? NULL : cap > o->cap ? realloc(o->buf, cap) : o->buf;
	if (!buf) {
		o->err = o->err ? o->err : -ENOMEM;
		return;
	}
	o->buf = buf;
	o->cap = cap;
}

void outbuf__put_slow(struct outbuf *o, const char *data, size_t size)
{
	if (o->held) {
		held__grow(o, size);
		if (size > o->cap - o->len)
			return;
	} else {
		outbuf__flush(o);
	}
	if (size <= o->cap - o->len)
		outbuf__put(o, data, size);
	else if (!o->err)
		o->err = o->write(o->ctx, data, size);
}

void outbuf__name(struct outbuf *o, const char *str)
{
	static const char digits[] = "0123456789abcdef";
	const char *p = str;
	unsigned int len;

	while (*p) {
		unsigned char c = *p;
		char esc[4] = { '\\', 'x', digits[c >> 4], digits[c & 15] };

		len = utf8__shown(p);
		if (len) {
			p += len;
			continue;
		}
		outbuf__put(o, str, p - str);
		outbuf__put(o, esc, sizeof(esc));
		str = ++p;
	}
	outbuf__put(o, str, p - str);
}

void outbuf__dec(struct outbuf *o, uint64_t v)
{
	char text[20], *p = text + sizeof(text);

	do {
		*--p = '0' + v % 10;
		v /= 10;
	} while (v);
	outbuf__put(o, p, text + sizeof(text) - p);
}

void outbuf__sdec(struct outbuf *o, int64_t v)
{
	if (v < 0)
		outbuf__char(o, '-');
	outbuf__dec(o, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void outbuf__hex(struct outbuf *o, uint64_t v)
{
	char text[18], *p = text + sizeof(text);

	do {
		*--p = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	*--p = 'x';
	*--p = '0';
	outbuf__put(o, p, text + sizeof(text) - p);
}

void outbuf__printf(struct outbuf *o, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	outbuf__put(o, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}
