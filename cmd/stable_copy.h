/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stable_copy.h - a file's contents, kept while somebody else rewrites the file
 *
 * pahole -J writes into the object that we read: over the old bytes where the object
 * already has a .BTF, and through GNU objcopy, which cuts the file to nothing first,
 * where it has none. A mapping of it would change under us, or fault.
 */
#ifndef STABLE_COPY_H
#define STABLE_COPY_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

struct stable_copy {
	int fd;			/* of a file without a name; -1: none */
	char path[40];		/* to open it by */
};

/*
 * Copies @path into a nameless file in its folder (shared blocks where the file system
 * can do that). @before: what stat(2) said when nobody was writing to it yet. -EAGAIN:
 * it was written to since then, the copy is dropped; -ENOSPC, -EACCES, ...: no place for
 * it. @out is to be closed after success.
 */
int stable_copy__make(const char *path, const struct stat *before,
		      struct stable_copy *out);
/* Bytes of a file from @from up to @to. */
struct copy_span {
	off_t from;
	off_t to;
};

/*
 * The same, without the bytes of @spans (ascending, apart from each other), which nobody will
 * read: they are zeros in the copy.
 */
int stable_copy__make_without(const char *path, const struct stat *before,
			      const struct copy_span *spans, size_t nr,
			      struct stable_copy *out);
void stable_copy__close(struct stable_copy *c);		/* fd -1 is accepted */

#endif
