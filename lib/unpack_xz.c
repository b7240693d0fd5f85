// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* unpack_xz.c - xz, by liblzma */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "unpack_codec.h"

/* xz -9 needs 65 MiB; a header may ask for 4 GiB */
#define XZ_MAX_MEMORY ((uint64_t)256 << 20)

static int xz__open(void **ctx)
{
	static const lzma_stream fresh = LZMA_STREAM_INIT;
	lzma_stream *z = malloc(sizeof(*z));

	if (!z)
		return -ENOMEM;
	*z = fresh;
	/* streams and the padding between them are one file to it */
	if (lzma_stream_decoder(z, XZ_MAX_MEMORY,
				LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK) != LZMA_OK) {
		free(z);
		return -ENOMEM;
	}
	*ctx = z;
	return 0;
}

static int xz__step(void *ctx, struct unpack_io *io)
{
	lzma_stream *z = ctx;
	lzma_ret ret;

	z->next_in = io->in;
	z->avail_in = io->in_left;
	z->next_out = io->out;
	z->avail_out = io->out_left;
	ret = lzma_code(z, io->last ? LZMA_FINISH : LZMA_RUN);
	io->in = z->next_in;
	io->in_left = z->avail_in;
	io->out = z->next_out;
	io->out_left = z->avail_out;
	switch (ret) {
	case LZMA_OK:
	case LZMA_BUF_ERROR:	/* no bytes, or no room: not its fault */
		return UNPACK_GOES_ON;
	case LZMA_STREAM_END:
		return UNPACK_AT_END;
	case LZMA_MEM_ERROR:
		return -ENOMEM;
	case LZMA_MEMLIMIT_ERROR:
		return -EFBIG;
	case LZMA_UNSUPPORTED_CHECK:
	case LZMA_OPTIONS_ERROR:
		return -EOPNOTSUPP;
	default:
		return -EBADMSG;
	}
}

static void xz__close(void *ctx)
{
	lzma_end(ctx);
	free(ctx);
}

const struct unpack_codec xz_codec = {
	.name = "xz",
	.undo = "xz -d",
	.open = xz__open,
	.step = xz__step,
	.close = xz__close,
};
