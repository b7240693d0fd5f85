/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * atomic_file.h - a new file that takes an old one's place in one step
 *
 * The new bytes go into a file without a name in the same folder (where the file system
 * has no such thing, one with a name of its own, temp_file.h). commit fsyncs it, gives it the old
 * one's mode, owner and xattrs and renames it over the old one. Until then the old file
 * is untouched, whatever happens to this process.
 */
#ifndef LOCS_ATOMIC_FILE_H
#define LOCS_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "err.h"
#include "temp_file.h"

struct atomic_file {
	char *path;		/* of what is replaced, symbolic links resolved */
	char *dir;
	const char *base;	/* in path */
	int dirfd;
	int fd;			/* the new file; -1: none */
	char tmp[TEMP_NAME];	/* its name in dir; "": it has none */
	bool replaces;		/* there is an old file, and @st is its */
	struct stat st;
};

/*
 * Starts to replace, or to create, the file at @path; of a symbolic link its target.
 * -EACCES, -EROFS, -EPERM, ...: the file or its folder is not writable; -EISDIR; -EINVAL:
 * neither a regular file nor nothing. After an error there is nothing to abort.
 */
int atomic_file__begin(struct atomic_file *a, const char *path, struct btf_locs_err *err);

/*
 * Removes the temporary files that runs which were killed have left where @path's new file would
 * be made. Once for a folder and run is enough.
 */
void atomic_file__sweep(const char *path);

/* Room for @size bytes, so that a full disk is seen early. -ENOSPC, -EDQUOT, -EFBIG. */
int atomic_file__reserve(struct atomic_file *a, uint64_t size, struct btf_locs_err *err);

/* The first @len bytes of @src become those of the new file. */
int atomic_file__copy(struct atomic_file *a, int src, uint64_t len,
		      struct btf_locs_err *err);

int atomic_file__pwrite(struct atomic_file *a, const void *data, size_t size,
			uint64_t off, struct btf_locs_err *err);

/* Puts the new file in place. Ends @a whether it succeeds or not. */
int atomic_file__commit(struct atomic_file *a, struct btf_locs_err *err);

/* Drops the new file. Ends @a. Harmless on one that has ended. */
void atomic_file__abort(struct atomic_file *a);

#endif
