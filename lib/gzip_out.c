// SPDX-License-Identifier: GPL-2.0-only
/* gzip_out.c - bytes as a gzip file that is the same each time */
#include "gzip_out.h"

#include <limits.h>
#include <zlib.h>

enum {
	GZIP_ONLY = 15 + 16,	/* deflateInit2(): the largest window, a gzip header */
	GZIP_MEM_LEVEL = 8,	/* zlib's default */
	GZIP_OS_UNKNOWN = 255,	/* RFC 1952, 2.3.1 */
};

/* All of @data: deflate() takes a count that is an unsigned int. */
static int deflate__all(z_stream *z, const uint8_t *data, size_t size, struct wbuf *out)
{
	uint8_t buf[16384];
	int ret = Z_OK;

	z->next_in = (Bytef *)data;
	while (ret == Z_OK && !out->err) {
		if (!z->avail_in) {
			z->avail_in = size < UINT_MAX / 2 ? size : UINT_MAX / 2;
			size -= z->avail_in;
		}
		z->next_out = buf;
		z->avail_out = sizeof(buf);
		ret = deflate(z, size ? Z_NO_FLUSH : Z_FINISH);
		wbuf__put(out, buf, sizeof(buf) - z->avail_out);
	}
	return out->err || ret != Z_STREAM_END ? -ENOMEM : 0;
}

int gzip__pack(const void *data, size_t size, struct wbuf *out)
{
	gz_header header = { .os = GZIP_OS_UNKNOWN };
	z_stream z = { 0 };
	int ret;

	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_ONLY, GZIP_MEM_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	ret = deflateSetHeader(&z, &header) == Z_OK ? deflate__all(&z, data, size, out) :
						      -ENOMEM;
	deflateEnd(&z);
	return ret;
}
