// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cursor.c - bounded, endian-aware reading, and a growing buffer to write */
#include "cursor.h"

#include <stdlib.h>

int cursor__uleb(struct cursor *c, uint64_t *out)
{
	const uint8_t *p = c->pos;
	uint64_t v = 0;
	unsigned int shift = 0;

	for (; p < c->end; p++, shift += 7) {
		uint64_t bits = *p & 0x7f;

		if (shift > 63 ? bits != 0 : shift == 63 && bits > 1)
			return -EBADMSG;
		if (shift <= 63)
			v |= bits << shift;
		if (!(*p & 0x80)) {
			c->pos = p + 1;
			*out = v;
			return 0;
		}
		if (shift > 1000)
			return -EBADMSG;
	}
	return -EBADMSG;
}

int cursor__sleb(struct cursor *c, int64_t *out)
{
	const uint8_t *p = c->pos;
	uint64_t v = 0;
	unsigned int shift = 0;

	for (; p < c->end; p++, shift += 7) {
		uint64_t bits = *p & 0x7f;

		if (shift < 63) {
			v |= bits << shift;
		} else {
			/* only a continuation of the sign may stand here */
			uint64_t sign = shift == 63 ? bits & 1 : v >> 63;

			if (bits != (sign ? 0x7f : 0))
				return -EBADMSG;
			if (shift == 63)
				v |= sign << 63;
		}
		if (!(*p & 0x80)) {
			if (shift < 57 && (*p & 0x40))
				v |= ~UINT64_C(0) << (shift + 7);
			c->pos = p + 1;
			*out = (int64_t)v;
			return 0;
		}
		if (shift > 1000)
			return -EBADMSG;
	}
	return -EBADMSG;
}

int cursor__str(struct cursor *c, const char **out)
{
	const uint8_t *nul = c->pos == c->end ? NULL : memchr(c->pos, 0, cursor__left(c));

	if (!nul)
		return -EBADMSG;
	*out = (const char *)c->pos;
	c->pos = nul + 1;
	return 0;
}

void wbuf__init(struct wbuf *b, bool big)
{
	memset(b, 0, sizeof(*b));
	b->big = big;
}

void wbuf__free(struct wbuf *b)
{
	free(b->data);
	b->data = NULL;
	b->len = b->cap = 0;
}

/* Makes room for @n more bytes; NULL and b->err if that fails. */
static uint8_t *wbuf__room(struct wbuf *b, size_t n)
{
	uint8_t *data;
	size_t need, cap;

	if (b->err)
		return NULL;
	if (__builtin_add_overflow(b->len, n, &need) || need > SIZE_MAX / 2) {
		b->err = -EOVERFLOW;
		return NULL;
	}
	if (need > b->cap) {
		cap = b->cap ? b->cap : 256;
		while (cap < need)
			cap *= 2;
		data = realloc(b->data, cap);
		if (!data) {
			b->err = -ENOMEM;
			return NULL;
		}
		b->data = data;
		b->cap = cap;
	}
	data = b->data + b->len;
	b->len = need;
	return data;
}

void wbuf__put(struct wbuf *b, const void *data, size_t n)
{
	uint8_t *p;

	if (!n)
		return;
	p = wbuf__room(b, n);
	if (p)
		memcpy(p, data, n);
}

void wbuf__u8(struct wbuf *b, uint8_t v)
{
	wbuf__put(b, &v, 1);
}

void wbuf__u16(struct wbuf *b, uint16_t v)
{
	uint8_t p[2] = { b->big ? v >> 8 : v, b->big ? v : v >> 8 };

	wbuf__put(b, p, 2);
}

void wbuf__u32(struct wbuf *b, uint32_t v)
{
	uint8_t p[4];

	bytes__put_u32(p, v, b->big);
	wbuf__put(b, p, 4);
}

void wbuf__zero(struct wbuf *b, size_t n)
{
	uint8_t *p = n ? wbuf__room(b, n) : NULL;

	if (p)
		memset(p, 0, n);
}

void wbuf__align(struct wbuf *b, size_t align)
{
	wbuf__zero(b, -b->len & (align - 1));
}

void wbuf__patch_u32(struct wbuf *b, size_t at, uint32_t v)
{
	if (!b->err && b->len >= 4 && at <= b->len - 4)
		bytes__put_u32(b->data + at, v, b->big);
}
