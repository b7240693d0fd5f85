/* SPDX-License-Identifier: GPL-2.0-only */
/* gzip_out.h - bytes as a gzip file that is the same each time */
#ifndef LOCS_GZIP_OUT_H
#define LOCS_GZIP_OUT_H

#include "cursor.h"

/*
 * Appends to @out one gzip member (RFC 1952) of @size bytes, level 9, that holds no time, no
 * name, and "unknown" for the system. The same zlib makes the same bytes of the same bytes.
 * -ENOMEM; @out then holds part of it.
 */
int gzip__pack(const void *data, size_t size, struct wbuf *out);

#endif
