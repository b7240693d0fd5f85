/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * cursor.h - bounded, endian-aware reading, and a growing buffer to write
 *
 * Every untrusted byte goes through a cursor. A read that does not fit returns
 * -EBADMSG, moves nothing and writes nothing to its output.
 */
#ifndef LOCS_CURSOR_H
#define LOCS_CURSOR_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *start;
	const uint8_t *pos;
	const uint8_t *end;
	bool big;		/* the bytes are big-endian */
};

static inline void cursor__init(struct cursor *c, const void *data, size_t size, bool big)
{
	/* no arithmetic on NULL, which an empty section may be */
	c->start = data || size ? data : (const void *)"";
	c->pos = c->start;
	c->end = c->start + size;
	c->big = big;
}

static inline size_t cursor__left(const struct cursor *c)
{
	return c->end - c->pos;
}

static inline size_t cursor__tell(const struct cursor *c)
{
	return c->pos - c->start;
}

/* An unsigned number of @size bytes at @p, 1 to 8, in the given order. */
static inline uint64_t bytes__uint(const uint8_t *p, unsigned int size, bool big)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < size; i++)
		v |= (uint64_t)p[big ? size - 1 - i : i] << (8 * i);
	return v;
}

static inline uint32_t bytes__u32(const uint8_t *p, bool big)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? v : __builtin_bswap32(v);
}

static inline void bytes__put_u32(uint8_t *p, uint32_t v, bool big)
{
	if (big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		v = __builtin_bswap32(v);
	memcpy(p, &v, sizeof(v));
}

/* To an offset from the start. */
static inline int cursor__seek(struct cursor *c, uint64_t off)
{
	if (off > (uint64_t)(c->end - c->start))
		return -EBADMSG;
	c->pos = c->start + off;
	return 0;
}

static inline int cursor__skip(struct cursor *c, uint64_t n)
{
	if (n > cursor__left(c))
		return -EBADMSG;
	c->pos += n;
	return 0;
}

/* @out: @n bytes in place. */
static inline int cursor__bytes(struct cursor *c, uint64_t n, const uint8_t **out)
{
	if (n > cursor__left(c))
		return -EBADMSG;
	*out = c->pos;
	c->pos += n;
	return 0;
}

/* An unsigned number of @size bytes, 1 to 8. */
static inline int cursor__uint(struct cursor *c, unsigned int size, uint64_t *out)
{
	if (size == 0 || size > 8 || size > cursor__left(c))
		return -EBADMSG;
	*out = bytes__uint(c->pos, size, c->big);
	c->pos += size;
	return 0;
}

/* A signed number of @size bytes, 1 to 8. */
static inline int cursor__sint(struct cursor *c, unsigned int size, int64_t *out)
{
	uint64_t v;
	int err = cursor__uint(c, size, &v);

	if (err)
		return err;
	*out = (int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size);
	return 0;
}

static inline int cursor__u8(struct cursor *c, uint8_t *out)
{
	if (c->pos == c->end)
		return -EBADMSG;
	*out = *c->pos++;
	return 0;
}

static inline int cursor__u16(struct cursor *c, uint16_t *out)
{
	uint64_t v;
	int err = cursor__uint(c, 2, &v);

	if (!err)
		*out = v;
	return err;
}

static inline int cursor__u32(struct cursor *c, uint32_t *out)
{
	if (cursor__left(c) < 4)
		return -EBADMSG;
	*out = bytes__u32(c->pos, c->big);
	c->pos += 4;
	return 0;
}

static inline int cursor__u64(struct cursor *c, uint64_t *out)
{
	return cursor__uint(c, 8, out);
}

/* LEB128 (DWARF 5, 7.6). A number that needs more than 64 bits is malformed. */
int cursor__uleb(struct cursor *c, uint64_t *out);
int cursor__sleb(struct cursor *c, int64_t *out);

/* @out: a terminated string in place; the cursor stands behind its NUL. */
int cursor__str(struct cursor *c, const char **out);

/*
 * A buffer that grows. After a failed allocation or an overflow @err is set, every
 * later call does nothing, and the writer looks once, at the end.
 */
struct wbuf {
	uint8_t *data;
	size_t len;
	size_t cap;
	bool big;
	int err;		/* 0, -ENOMEM or -EOVERFLOW */
};

void wbuf__init(struct wbuf *b, bool big);
void wbuf__free(struct wbuf *b);
void wbuf__put(struct wbuf *b, const void *data, size_t n);
void wbuf__u8(struct wbuf *b, uint8_t v);
void wbuf__u16(struct wbuf *b, uint16_t v);
void wbuf__u32(struct wbuf *b, uint32_t v);
void wbuf__zero(struct wbuf *b, size_t n);
/* Zero bytes up to a multiple of @align, a power of two. */
void wbuf__align(struct wbuf *b, size_t align);
/* Over four bytes written before, at offset @at. */
void wbuf__patch_u32(struct wbuf *b, size_t at, uint32_t v);

#endif
