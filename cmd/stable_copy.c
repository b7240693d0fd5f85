// SPDX-License-Identifier: GPL-2.0-only
/* stable_copy.c - a file's contents, kept while somebody else rewrites the file */
#include "stable_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/temp_file.h"

#define COPY_CHUNK	(1u << 30)	/* bytes */
#define COPY_BUF	(1u << 16)

/* A nameless file in the folder of @path: nothing is left behind, however we end. */
static int open_nameless(const char *path)
{
	const char *slash = strrchr(path, '/');
	int len = slash ? (int)(slash - path) + 1 : 0;
	char *folder, name[TEMP_NAME];
	int dir, fd, rc;

	if (asprintf(&folder, "%.*s.", len, path) < 0)
		return -ENOMEM;
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	rc = fd < 0 ? -errno : fd;
	if (rc == -EOPNOTSUPP || rc == -EISDIR || rc == -ENOENT) {
		/* a file system, or a kernel, without O_TMPFILE */
		dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
		rc = dir < 0 ? -errno : temp_file__create(dir, 0600, name, &fd);
		if (!rc) {
			temp_file__remove(dir, name);
			rc = fd;
		}
		if (dir >= 0)
			close(dir);
	}
	free(folder);
	return rc;
}

static int copy_by_hand(int in, int out, off_t at, off_t end)
{
	char *buf = malloc(COPY_BUF);
	int rc = buf ? 0 : -ENOMEM;

	while (!rc && at < end) {
		size_t want = end - at < (off_t)COPY_BUF ? (size_t)(end - at) : COPY_BUF;
		ssize_t n = pread(in, buf, want, at);

		if (n > 0)
			n = pwrite(out, buf, n, at);
		if (n > 0)
			at += n;
		else if (!n)
			rc = -EAGAIN;	/* it became shorter */
		else if (errno != EINTR)
			rc = -errno;
	}
	free(buf);
	return rc;
}

static int copy_range(int in, int out, off_t from, off_t end)
{
	off_t to = from;
	ssize_t n;

	while (from < end) {
		off_t left = end - from;
		size_t want = left < (off_t)COPY_CHUNK ? (size_t)left : COPY_CHUNK;

		n = copy_file_range(in, &from, out, &to, want, 0);
		if (!n)
			return -EAGAIN;
		if (n < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP ||
			      errno == ENOSYS))
			return copy_by_hand(in, out, from, end);
		if (n < 0 && errno != EINTR)
			return -errno;
	}
	return 0;
}

static int copy_data(int in, int out, off_t size, const struct copy_span *spans, size_t nr)
{
	off_t at = 0;
	size_t i;
	int rc = 0;

	if (!ioctl(out, FICLONE, in))
		return 0;
	/* at once, and before anything is written: there is room or there is not */
	if (size && fallocate(out, 0, 0, size) && errno != EOPNOTSUPP)
		return -errno;
	for (i = 0; i < nr && !rc; i++) {
		rc = copy_range(in, out, at, spans[i].from);
		at = spans[i].to;
	}
	if (!rc)
		rc = copy_range(in, out, at, size);
	if (!rc && ftruncate(out, size))
		rc = -errno;
	return rc;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Whether nothing was written to @in since @before, and @path still is that file. */
static bool is_unchanged(int in, const char *path, const struct stat *before)
{
	struct stat now, named;

	return !fstat(in, &now) && !stat(path, &named) &&
	       now.st_dev == named.st_dev && now.st_ino == named.st_ino &&
	       now.st_dev == before->st_dev && now.st_ino == before->st_ino &&
	       now.st_size == before->st_size &&
	       same_time(&now.st_mtim, &before->st_mtim) &&
	       same_time(&now.st_ctim, &before->st_ctim);
}

int stable_copy__make(const char *path, const struct stat *before,
		      struct stable_copy *out)
{
	return stable_copy__make_without(path, before, NULL, 0, out);
}

int stable_copy__make_without(const char *path, const struct stat *before,
			      const struct copy_span *spans, size_t nr,
			      struct stable_copy *out)
{
	int in, fd, rc;

	if (!S_ISREG(before->st_mode))
		return -EINVAL;
	in = open(path, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		return -errno;
	fd = open_nameless(path);
	rc = fd < 0 ? fd : copy_data(in, fd, before->st_size, spans, nr);
	if (!rc && !is_unchanged(in, path, before))
		rc = -EAGAIN;
	close(in);
	if (rc) {
		if (fd >= 0)
			close(fd);
		return rc;
	}
	out->fd = fd;
	snprintf(out->path, sizeof(out->path), "/proc/self/fd/%d", fd);
	return 0;
}

void stable_copy__close(struct stable_copy *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}
