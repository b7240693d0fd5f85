/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * temp_file.h - the names that new files have until they are whole: .btflocs-HEX
 *
 * A file that is written is locked (flock(2)). What stands in the folder under such a name and is
 * not locked was left by a run that was killed, and is removed by the next.
 */
#ifndef LOCS_TEMP_FILE_H
#define LOCS_TEMP_FILE_H

#include <sys/types.h>

#include "err.h"

#define TEMP_NAME 32	/* bytes of a name, its NUL too */

/* Locks a file that is to get such a name; -EWOULDBLOCK: somebody else has it. */
int temp_file__lock(int fd);

/*
 * A new, locked file of such a name in the folder @dirfd, its descriptor in @fd. -EACCES, ...: as
 * open(2); -EIO: no random number.
 */
int temp_file__create(int dirfd, mode_t mode, char name[TEMP_NAME], int *fd);

/* Gives such a name to @fd, a locked file without one (O_TMPFILE). Errors as linkat(2)'s. */
int temp_file__name(int dirfd, int fd, char name[TEMP_NAME]);

/* The name has become another one, by rename(2). */
void temp_file__renamed(const char *name);
/* Removes the name. */
void temp_file__remove(int dirfd, const char *name);

/*
 * Removes what killed runs have left in the folder: regular files of such names that nobody has
 * locked and that belong to this process's user or to @owner. No link is followed.
 */
void temp_files__sweep(int dirfd, uid_t owner);

/*
 * Removes the names that this process's files have now, for a signal handler that is going to end
 * it: the only function here that keeps something from one call to the next, and async-signal-safe.
 */
void temp_files__remove_all(void);

#endif
