// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* unpack_gzip.c - gzip, by zlib */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "unpack_codec.h"

#define GZIP_ONLY (15 + 16)	/* inflateInit2(): any window, a gzip header, its CRC */

static int gzip__open(void **ctx)
{
	z_stream *z = calloc(1, sizeof(*z));

	if (!z || inflateInit2(z, GZIP_ONLY) != Z_OK) {
		free(z);
		return -ENOMEM;
	}
	*ctx = z;
	return 0;
}

static int gzip__step(void *ctx, struct unpack_io *io)
{
	z_stream *z = ctx;
	int ret;

	z->next_in = (Bytef *)io->in;
	z->avail_in = io->in_left;
	z->next_out = io->out;
	z->avail_out = io->out_left;
	ret = inflate(z, Z_NO_FLUSH);
	io->in = z->next_in;
	io->in_left = z->avail_in;
	io->out = z->next_out;
	io->out_left = z->avail_out;
	switch (ret) {
	case Z_OK:
	case Z_BUF_ERROR:	/* no bytes, or no room: not its fault */
		return UNPACK_GOES_ON;
	case Z_STREAM_END:
		return inflateReset(z) == Z_OK ? UNPACK_AT_END : -ENOMEM;
	case Z_MEM_ERROR:
		return -ENOMEM;
	default:
		return -EBADMSG;
	}
}

static void gzip__close(void *ctx)
{
	inflateEnd(ctx);
	free(ctx);
}

const struct unpack_codec gzip_codec = {
	.name = "gzip",
	.undo = "gzip -d",
	.open = gzip__open,
	.step = gzip__step,
	.close = gzip__close,
};
