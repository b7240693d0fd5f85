// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* atomic_file.c - a new file that takes an old one's place in one step */
#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "file_bytes.h"

#define MAX_LINKS 40		/* as the kernel follows */
#define COPY_BUF (256 * 1024)
#define COPY_STEP (16 << 20)	/* bytes a copy_file_range() */

/* The line "@what: reason" for @code, a negative errno. */
static int fail_with(struct btf_locs_err *err, int code, const char *what)
{
	return locs_err__set(err, code, "%s: %s", what, strerror(-code));
}

/* A path of the target of the dangling link @path. The caller frees it. */
static char *follow_link(const char *path)
{
	char target[PATH_MAX], *out = NULL;
	const char *slash = strrchr(path, '/');
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (n < 0)
		return NULL;
	target[n] = 0;
	if (target[0] == '/' || !slash)
		return strdup(target);
	if (asprintf(&out, "%.*s/%s", (int)(slash - path), path, target) < 0)
		return NULL;
	return out;
}

/* @path without symbolic links; its last part need not exist. NULL: errno says why. */
static char *resolve(const char *path)
{
	char *real, *cur, *next, *dir = NULL;
	const char *base;
	int i;

	real = realpath(path, NULL);
	if (real || errno != ENOENT)
		return real;
	cur = strdup(path);
	for (i = 0; cur && i < MAX_LINKS; i++) {
		next = follow_link(cur);
		if (!next)
			break;
		free(cur);
		cur = next;
	}
	if (!cur)
		return NULL;
	base = strrchr(cur, '/');
	dir = base ? strndup(cur, base == cur ? 1 : base - cur) : strdup(".");
	base = base ? base + 1 : cur;
	real = dir ? realpath(dir, NULL) : NULL;
	next = NULL;
	if (real && (!*base || !strcmp(base, ".") || !strcmp(base, "..")))
		errno = ENOENT;
	else if (real &&
		 asprintf(&next, "%s/%s", strcmp(real, "/") ? real : "", base) < 0)
		next = NULL;
	i = errno;
	free(real);
	free(dir);
	free(cur);
	errno = i;
	return next;
}

/* Resolves the path, looks at what is there and opens its folder. */
static int find_target(struct atomic_file *a, const char *path, struct btf_locs_err *err)
{
	char *slash;

	a->path = resolve(path);
	if (!a->path)
		return locs_err__set(err, -errno, "%s", strerror(errno));
	slash = strrchr(a->path, '/');
	a->base = slash + 1;
	a->dir = strndup(a->path, slash == a->path ? 1 : slash - a->path);
	if (!a->dir)
		return locs_err__set(err, -ENOMEM, "out of memory");
	if (!lstat(a->path, &a->st))
		a->replaces = true;
	else if (errno != ENOENT)
		return locs_err__set(err, -errno, "%s", strerror(errno));
	if (a->replaces && S_ISDIR(a->st.st_mode))
		return locs_err__set(err, -EISDIR, "is a directory");
	if (a->replaces && !S_ISREG(a->st.st_mode))
		return locs_err__set(err, -EINVAL, "not a regular file");
	/* rename(2) does not ask for it: a file without w is not to be changed */
	if (a->replaces && faccessat(AT_FDCWD, a->path, W_OK, AT_EACCESS))
		return fail_with(err, -errno, "not writable");
	a->dirfd = open(a->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (a->dirfd < 0 && errno == EACCES)	/* w and x are enough to write in it */
		a->dirfd = open(a->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (a->dirfd < 0)
		return fail_with(err, -errno, "its folder");
	return 0;
}

static int open_new(struct atomic_file *a, struct btf_locs_err *err)
{
	mode_t mode = a->replaces ? 0600 : 0666;
	char proc[40];
	int ret;

	a->fd = openat(a->dirfd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	if (a->fd >= 0) {
		/* without /proc it could not be given a name later */
		snprintf(proc, sizeof(proc), "/proc/self/fd/%d", a->fd);
		if (!access(proc, F_OK)) {
			temp_file__lock(a->fd);
			return 0;
		}
		close(a->fd);
		a->fd = -1;
	} else if (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT &&
		   errno != EINVAL) {
		return fail_with(err, -errno, "cannot make a new file in its folder");
	}
	ret = temp_file__create(a->dirfd, mode, a->tmp, &a->fd);
	return ret ? fail_with(err, ret, "cannot make a new file in its folder") : 0;
}

int atomic_file__begin(struct atomic_file *a, const char *path, struct btf_locs_err *err)
{
	int ret;

	memset(a, 0, sizeof(*a));
	a->dirfd = -1;
	a->fd = -1;
	ret = find_target(a, path, err);
	ret = ret ?: open_new(a, err);
	if (ret)
		atomic_file__abort(a);
	return ret;
}

void atomic_file__sweep(const char *path)
{
	struct atomic_file a = { .dirfd = -1, .fd = -1 };

	/* root's may have been given to the owner of what they were to replace */
	if (!find_target(&a, path, NULL))
		temp_files__sweep(a.dirfd, a.replaces && !geteuid() ? a.st.st_uid : geteuid());
	atomic_file__abort(&a);
}

int atomic_file__reserve(struct atomic_file *a, uint64_t size, struct btf_locs_err *err)
{
	int ret;

	if (size > INT64_MAX)
		return fail_with(err, -EFBIG, "writing");
	if (size == 0)
		return 0;
	do
		ret = fallocate(a->fd, 0, 0, size) ? -errno : 0;
	while (ret == -EINTR);
	if (ret == -EOPNOTSUPP || ret == -ENOSYS || ret == -EINVAL)
		ret = 0;	/* it only saves time */
	return ret ? fail_with(err, ret, "writing") : 0;
}

int atomic_file__pwrite(struct atomic_file *a, const void *data, size_t size,
			uint64_t off, struct btf_locs_err *err)
{
	const uint8_t *p = data;
	ssize_t n;

	while (size > 0) {
		n = pwrite(a->fd, p, size, off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail_with(err, n < 0 ? -errno : -EIO, "writing");
		p += n;
		off += n;
		size -= n;
	}
	return 0;
}

static int copy_by_hand(struct atomic_file *a, int src, uint64_t off, uint64_t len,
			struct btf_locs_err *err)
{
	uint8_t *buf = malloc(COPY_BUF);
	int ret = buf ? 0 : locs_err__set(err, -ENOMEM, "out of memory");
	ssize_t n;

	while (!ret && off < len) {
		n = pread(src, buf, len - off < COPY_BUF ? len - off : COPY_BUF, off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			ret = n < 0 ? read__failed(-errno, err) : read__cut(err);
			break;
		}
		ret = atomic_file__pwrite(a, buf, n, off, err);
		off += n;
	}
	free(buf);
	return ret;
}

int atomic_file__copy(struct atomic_file *a, int src, uint64_t len,
		      struct btf_locs_err *err)
{
	loff_t from = 0, to = 0;
	ssize_t n;

	while ((uint64_t)from < len) {
		n = copy_file_range(src, &from, a->fd, &to,
				    len - from < COPY_STEP ? len - from : COPY_STEP, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
			return fail_with(err, -errno, "writing");
		if (n > 0)	/* on its way to the disk, so that the fsync is short */
			sync_file_range(a->fd, to - n, n, SYNC_FILE_RANGE_WRITE);
		if (n <= 0)	/* not between these file systems, or not at all */
			return copy_by_hand(a, src, from, len, err);
	}
	return 0;
}

/* The value of an xattr of the old file; the caller frees it. */
static int get_xattr(const char *path, const char *name, void **val, size_t *size)
{
	ssize_t n;

	*val = NULL;
	for (;;) {
		n = lgetxattr(path, name, NULL, 0);
		if (n < 0)
			return -errno;
		free(*val);
		*val = malloc(n + 1);
		if (!*val)
			return -ENOMEM;
		n = lgetxattr(path, name, *val, n);
		if (n >= 0 || errno != ERANGE)
			break;
	}
	*size = n;
	return n < 0 ? -errno : 0;
}

static bool has_xattr(int fd, const char *name, const void *val, size_t size)
{
	void *old = malloc(size + 1);
	bool same = old && fgetxattr(fd, name, old, size + 1) == (ssize_t)size &&
		    !memcmp(old, val, size);

	free(old);
	return same;
}

static int copy_xattr(struct atomic_file *a, const char *name, struct btf_locs_err *err)
{
	size_t size = 0;
	void *val;
	int ret;

	/* sums of the old contents, which the kernel makes anew */
	if (!strcmp(name, "security.ima") || !strcmp(name, "security.evm"))
		return 0;
	ret = get_xattr(a->path, name, &val, &size);
	/* a new file may have it by itself (SELinux), and it is not ours to set then */
	if (!ret && !has_xattr(a->fd, name, val, size) &&
	    fsetxattr(a->fd, name, val, size, 0))
		ret = -errno;
	free(val);
	if (!ret || ret == -ENOTSUP || ret == -ENODATA)
		return 0;
	return locs_err__set(err, ret, "cannot keep the extended attribute %.80s: %s",
			     name, strerror(-ret));
}

static int copy_xattrs(struct atomic_file *a, struct btf_locs_err *err)
{
	static const char acl[] = "system.posix_acl_access";
	bool have_acl = false;
	ssize_t n, room, i;
	char *list = NULL;
	int ret = 0;

	do {
		free(list);
		room = llistxattr(a->path, NULL, 0);
		list = malloc(room < 0 ? 1 : room + 1);
		if (!list)
			return locs_err__set(err, -ENOMEM, "out of memory");
		n = room <= 0 ? room : llistxattr(a->path, list, room);
	} while (n < 0 && errno == ERANGE);
	if (n < 0 && errno != ENOTSUP)
		ret = fail_with(err, -errno, "extended attributes");
	for (i = 0; i < n && !ret; i += strlen(list + i) + 1) {
		have_acl |= !strcmp(list + i, acl);
		ret = copy_xattr(a, list + i, err);
	}
	free(list);
	/* which a new file has from its folder's default */
	if (!ret && !have_acl && fremovexattr(a->fd, acl) && errno != ENODATA &&
	    errno != ENOTSUP)
		ret = fail_with(err, -errno, "access control list");
	return ret;
}

static int keep_metadata(struct atomic_file *a, struct btf_locs_err *err)
{
	struct stat st;
	int ret;

	if (fstat(a->fd, &st))
		return fail_with(err, -errno, "fstat");
	if ((st.st_uid != a->st.st_uid || st.st_gid != a->st.st_gid) &&
	    fchown(a->fd, a->st.st_uid, a->st.st_gid)) {
		ret = -errno;
		return locs_err__set(err, ret, "cannot keep the owner %u:%u: %s",
				     a->st.st_uid, a->st.st_gid, strerror(-ret));
	}
	ret = copy_xattrs(a, err);
	if (!ret && fchmod(a->fd, a->st.st_mode & 07777))
		ret = fail_with(err, -errno, "cannot keep the mode");
	return ret;
}

int atomic_file__commit(struct atomic_file *a, struct btf_locs_err *err)
{
	int ret = a->replaces ? keep_metadata(a, err) : 0;

	if (!ret && fsync(a->fd))
		ret = fail_with(err, -errno, "writing");
	/* rename(2) needs a name */
	if (!ret && !a->tmp[0] && (ret = temp_file__name(a->dirfd, a->fd, a->tmp)))
		fail_with(err, ret, "cannot make a new file in its folder");
	if (!ret && renameat(a->dirfd, a->tmp, a->dirfd, a->base))
		ret = fail_with(err, -errno, "cannot replace it");
	/*
	 * The folder is not fsynced: whether a power cut comes before or after the new name is
	 * on the disk, the file of that name is whole.
	 */
	if (!ret) {
		temp_file__renamed(a->tmp);
		a->tmp[0] = 0;
	}
	atomic_file__abort(a);
	return ret;
}

void atomic_file__abort(struct atomic_file *a)
{
	if (a->tmp[0])
		temp_file__remove(a->dirfd, a->tmp);
	if (a->fd >= 0)
		close(a->fd);
	if (a->dirfd >= 0)
		close(a->dirfd);
	free(a->path);
	free(a->dir);
	memset(a, 0, sizeof(*a));
	a->fd = -1;
	a->dirfd = -1;
}
