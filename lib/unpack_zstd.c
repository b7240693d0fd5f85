// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* unpack_zstd.c - zstd, by libzstd */
#include <errno.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "unpack_codec.h"

/* Its own limit stands: no window of more than 128 MiB (zstd -22 needs that). */
static int zstd__open(void **ctx)
{
	*ctx = ZSTD_createDStream();
	return *ctx ? 0 : -ENOMEM;
}

static int zstd__step(void *ctx, struct unpack_io *io)
{
	ZSTD_inBuffer in = { io->in, io->in_left, 0 };
	ZSTD_outBuffer out = { io->out, io->out_left, 0 };
	size_t ret = ZSTD_decompressStream(ctx, &out, &in);

	io->in += in.pos;
	io->in_left -= in.pos;
	io->out += out.pos;
	io->out_left -= out.pos;
	if (!ret)
		return UNPACK_AT_END;
	if (!ZSTD_isError(ret))
		return UNPACK_GOES_ON;
	switch (ZSTD_getErrorCode(ret)) {
	case ZSTD_error_memory_allocation:
		return -ENOMEM;
	case ZSTD_error_frameParameter_windowTooLarge:
		return -EFBIG;
	case ZSTD_error_dictionary_wrong:
	case ZSTD_error_version_unsupported:
	case ZSTD_error_frameParameter_unsupported:
		return -EOPNOTSUPP;
	default:
		return -EBADMSG;
	}
}

static void zstd__close(void *ctx)
{
	ZSTD_freeDStream(ctx);
}

const struct unpack_codec zstd_codec = {
	.name = "zstd",
	.undo = "zstd -d",
	.open = zstd__open,
	.step = zstd__step,
	.close = zstd__close,
};
