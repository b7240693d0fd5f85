/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* unpack_codec.h - what unpack.c wants of each way to compress */
#ifndef LOCS_UNPACK_CODEC_H
#define LOCS_UNPACK_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is still to be read and where to write. A step moves the pointers. */
struct unpack_io {
	const uint8_t *in;
	size_t in_left;
	uint8_t *out;
	size_t out_left;
	bool last;		/* behind @in the file ends */
};

enum {
	UNPACK_GOES_ON = 0,
	UNPACK_AT_END = 1,	/* a member, frame or stream is whole; another may follow */
};

struct unpack_codec {
	const char *name;
	const char *undo;	/* the command that unpacks it */
	/* -ENOMEM */
	int (*open)(void **ctx);
	/*
	 * Goes on as far as @io has bytes and room. UNPACK_*; -EBADMSG: damaged; -EFBIG: needs
	 * too much memory; -EOPNOTSUPP: a check that is not known; -ENOMEM.
	 */
	int (*step)(void *ctx, struct unpack_io *io);
	void (*close)(void *ctx);
};

extern const struct unpack_codec gzip_codec;
#ifdef HAVE_LZMA
extern const struct unpack_codec xz_codec;
#endif
#ifdef HAVE_ZSTD
extern const struct unpack_codec zstd_codec;
#endif

#endif
