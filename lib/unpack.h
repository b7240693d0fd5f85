/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * unpack.h - a file opened for reading, unpacked where it is compressed
 *
 * Distributions compress modules (.ko.xz, .ko.gz, .ko.zst). Everybody who opens a file
 * that could be one opens it here and gets a descriptor of the plain bytes. What a file
 * is, is told by its first bytes, never by its name: gzip (RFC 1952), xz (the .xz format,
 * 2.1.1.1), zstd (RFC 8878, 3.1.1 and the skippable frames of 3.1.2).
 */
#ifndef LOCS_UNPACK_H
#define LOCS_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "err.h"

#define UNPACK_MAX ((uint64_t)1 << 31)	/* bytes unpacked: more is refused */

struct plain_file {
	int fd;			/* at offset 0, O_CLOEXEC; the caller closes it */
	size_t size;		/* bytes; 0 is no error here */
	const char *packed;	/* "gzip", "xz", "zstd", or NULL: @fd has its own bytes */
	bool in_memory;		/* @fd is of a file in memory that nobody else can change */
	struct timespec mtime;	/* of the file itself, at open */
};

/*
 * Opens the regular file at @path. Where it is compressed, @out->fd is of a file in memory
 * (memfd_create(2), sealed) with the unpacked bytes; all members, frames or streams of it.
 * A FIFO that nobody writes to does not hold it up.
 *
 * -ENOENT, -EACCES, ...: as open(2); -EISDIR ("is a directory"); -EINVAL ("is not a regular
 * file"); -EIO: it cannot be read; -EBADMSG: what is compressed is cut off, damaged, or has something else behind
 * it; -EFBIG: it unpacks to more than UNPACK_MAX bytes, or only with more memory than is
 * given to that; -EOPNOTSUPP: this build cannot unpack it; -ENOMEM. @err's line does not
 * name the file. @out is untouched on failure.
 */
int file__open_plain(const char *path, struct plain_file *out, struct btf_locs_err *err);

/* Whether the file is still what it was at open: 0 or -EIO with a line. */
int plain_file__check_same(const struct plain_file *f, struct btf_locs_err *err);

/* What file__open_plain() does with a compressed one, with another limit. @fd is not closed. */
int fd__unpack(int fd, const char *packed, uint64_t max, struct plain_file *out,
	       struct btf_locs_err *err);

/*
 * What the file at @path is compressed with: "gzip", "xz", "zstd"; NULL where it is not, or
 * where it cannot be read. Looks at the first bytes only.
 */
const char *file__compression(const char *path);

/* Returns -EOPNOTSUPP with the line that says why nothing is written into such a file. */
int packed__no_write(const char *packed, struct btf_locs_err *err);

#endif
