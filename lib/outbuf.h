/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * outbuf.h - text on its way out, in large pieces
 *
 * The printers write into it; where the text goes is the caller's business. After the
 * first failed flush @err is set and everything else is dropped: look once, at the end.
 */
#ifndef LOCS_OUTBUF_H
#define LOCS_OUTBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct outbuf {
	char *buf;
	size_t len;
	size_t cap;
	/* takes @size bytes, all of them: 0 or a negative errno */
	int (*write)(void *ctx, const char *data, size_t size);
	void *ctx;
	int err;
	size_t mark;		/* what is not to be written yet begins here ... */
	bool held;		/* ... if anything is held */
};

/* -ENOMEM. @ctx is borrowed. */
int outbuf__init(struct outbuf *o, int (*write)(void *ctx, const char *data, size_t size),
		 void *ctx);
void outbuf__free(struct outbuf *o);
/* Writes what is left; 0 or the first error. */
int outbuf__flush(struct outbuf *o);

/*
 * What comes from here on is kept until outbuf__release(), or dropped by outbuf__take_back(): for
 * what may turn out to be impossible to finish. However much it is; the buffer grows.
 */
void outbuf__hold(struct outbuf *o);
void outbuf__release(struct outbuf *o);
void outbuf__take_back(struct outbuf *o);

/* outbuf__put() where it does not fit. */
void outbuf__put_slow(struct outbuf *o, const char *data, size_t size);

static inline void outbuf__put(struct outbuf *o, const char *data, size_t size)
{
	if (size > o->cap - o->len) {
		outbuf__put_slow(o, data, size);
		return;
	}
	memcpy(o->buf + o->len, data, size);
	o->len += size;
}

static inline void outbuf__str(struct outbuf *o, const char *str)
{
	outbuf__put(o, str, strlen(str));
}

static inline void outbuf__char(struct outbuf *o, char c)
{
	outbuf__put(o, &c, 1);
}

/*
 * A name out of a file: the bytes of control characters, and what is no UTF-8, as \xNN. A
 * terminal must not obey it.
 */
void outbuf__name(struct outbuf *o, const char *str);
void outbuf__dec(struct outbuf *o, uint64_t v);
void outbuf__sdec(struct outbuf *o, int64_t v);
/* With 0x before it. */
void outbuf__hex(struct outbuf *o, uint64_t v);
/* A line's worth at most (512 bytes), for what is printed seldom. */
__attribute__((format(printf, 2, 3)))
void outbuf__printf(struct outbuf *o, const char *fmt, ...);

#endif
