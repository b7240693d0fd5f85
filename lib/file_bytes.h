/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * file_bytes.h - bytes of an open file, read into memory
 *
 * A file can be cut while it is read. A read then ends early, which is an error here;
 * a mapping would end the process (SIGBUS).
 */
#ifndef LOCS_FILE_BYTES_H
#define LOCS_FILE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "err.h"

/* The line for a failed read: -ENOMEM, -EIO, ... Returns @code. */
int read__failed(int code, struct btf_locs_err *err);
/* The line for a file that has fewer bytes than before. Returns -EIO. */
int read__cut(struct btf_locs_err *err);

/*
 * Memory for @size bytes of a file, to be freed with free(), or NULL. Much of it is asked for in
 * large pages: to be given 2,000 small ones takes longer than to read 8 MB into them.
 */
void *read__alloc(size_t size);

/*
 * Up to @size bytes at @off; fewer only where the file ends. The number of bytes, or a
 * negative errno without a line.
 */
ssize_t fd__pread(int fd, void *buf, size_t size, uint64_t off);

/* All @size bytes at @off. -EIO: the file was cut short, or the device fails; ... */
int fd__pread_all(int fd, void *buf, size_t size, uint64_t off, struct btf_locs_err *err);

/*
 * Everything from offset 0 on, malloc'ed. @size_was: st_size at open, 0 if there is none;
 * a file that has become shorter since is an error, one of sysfs that was never as long is
 * not. -EIO, -ENOMEM, ...
 */
int fd__read_all(int fd, size_t size_was, void **out, size_t *size, struct btf_locs_err *err);

#endif
