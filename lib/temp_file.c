// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* temp_file.c - the names that new files have until they are whole */
#include "temp_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".btflocs-"
#define DIGITS 16
#define MAX_TRIES 100		/* of random names */
#define MAX_NAMES 256		/* at once: as many as there are workers */

/* The names of now. One that finds no room is left to the next run, should we be ended. */
static struct name_slot {
	atomic_int state;
	int dirfd;
	char name[TEMP_NAME];
} names[MAX_NAMES];

enum { SLOT_FREE, SLOT_TAKEN, SLOT_NAMED };

static void names__add(int dirfd, const char *name)
{
	size_t i;
	int was;

	for (i = 0; i < MAX_NAMES; i++) {
		was = SLOT_FREE;
		if (!atomic_compare_exchange_strong(&names[i].state, &was, SLOT_TAKEN))
			continue;
		names[i].dirfd = dirfd;
		memcpy(names[i].name, name, TEMP_NAME);
		atomic_store(&names[i].state, SLOT_NAMED);
		return;
	}
}

void temp_file__renamed(const char *name)
{
	size_t i;

	for (i = 0; i < MAX_NAMES; i++)
		if (atomic_load(&names[i].state) == SLOT_NAMED && !strcmp(names[i].name, name))
			atomic_store(&names[i].state, SLOT_FREE);
}

void temp_files__remove_all(void)
{
	size_t i;

	/* a name that is gone by now, or is another's folder's, is none: they are random */
	for (i = 0; i < MAX_NAMES; i++)
		if (atomic_load(&names[i].state) == SLOT_NAMED)
			unlinkat(names[i].dirfd, names[i].name, 0);
}

static int random_name(char name[TEMP_NAME])
{
	uint64_t r;

	if (getrandom(&r, sizeof(r), 0) != sizeof(r))
		return -EIO;
	memset(name, 0, TEMP_NAME);
	snprintf(name, TEMP_NAME, PREFIX "%0*" PRIx64, DIGITS, r);
	return 0;
}

static bool is_temp_name(const char *name)
{
	size_t len = strlen(PREFIX);

	return !strncmp(name, PREFIX, len) && strlen(name) == len + DIGITS &&
	       strspn(name + len, "0123456789abcdef") == DIGITS;
}

/* Whether @name still is the file @fd. */
static bool name_is_of(int dirfd, const char *name, int fd)
{
	struct stat named, st;

	return !fstat(fd, &st) && !fstatat(dirfd, name, &named, AT_SYMLINK_NOFOLLOW) &&
	       st.st_dev == named.st_dev && st.st_ino == named.st_ino;
}

int temp_file__lock(int fd)
{
	/* a file system without locks has no sweeping either */
	return flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK ? -EWOULDBLOCK : 0;
}

void temp_file__remove(int dirfd, const char *name)
{
	unlinkat(dirfd, name, 0);
	temp_file__renamed(name);
}

int temp_file__create(int dirfd, mode_t mode, char name[TEMP_NAME], int *fd)
{
	int i, ret = -EEXIST;

	for (i = 0; i < MAX_TRIES && ret == -EEXIST; i++) {
		ret = random_name(name);
		if (ret)
			break;
		names__add(dirfd, name);
		*fd = openat(dirfd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		ret = *fd < 0 ? -errno : 0;
		/* before the lock another run may have taken it for a leftover */
		if (!ret && !temp_file__lock(*fd) && name_is_of(dirfd, name, *fd))
			return 0;
		temp_file__renamed(name);
		if (!ret) {
			close(*fd);
			ret = -EEXIST;
		}
	}
	*fd = -1;
	*name = 0;
	return ret;
}

int temp_file__name(int dirfd, int fd, char name[TEMP_NAME])
{
	char proc[40];
	int i, ret = -EEXIST;

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	for (i = 0; i < MAX_TRIES && ret == -EEXIST; i++) {
		ret = random_name(name);
		if (ret)
			break;
		names__add(dirfd, name);
		if (!linkat(AT_FDCWD, proc, dirfd, name, AT_SYMLINK_FOLLOW))
			return 0;
		ret = -errno;
		temp_file__renamed(name);
	}
	*name = 0;
	return ret;
}

static void sweep_one(int dirfd, const char *name, uid_t owner)
{
	/* a FIFO must not hold us up, nor a link lead elsewhere */
	int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	/* shared: NFS gives no other lock to who only reads */
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (st.st_uid == geteuid() || st.st_uid == owner) && !flock(fd, LOCK_SH | LOCK_NB) &&
	    name_is_of(dirfd, name, fd))
		unlinkat(dirfd, name, 0);
	close(fd);
}

void temp_files__sweep(int dirfd, uid_t owner)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(dir)))
		if (is_temp_name(e->d_name))
			sweep_one(dirfd, e->d_name, owner);
	closedir(dir);
}
