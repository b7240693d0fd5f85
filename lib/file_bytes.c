// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file_bytes.c - bytes of an open file, read into memory */
#include "file_bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)	/* bytes; on some machines a hint only */

void *read__alloc(size_t size)
{
	size_t all = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	void *p;

	if (size < HUGE_PAGE || all < size)
		return malloc(size ? size : 1);
	p = aligned_alloc(HUGE_PAGE, all);
	if (p)
		madvise(p, all, MADV_HUGEPAGE);
	return p;
}

int read__failed(int code, struct btf_locs_err *err)
{
	if (code == -ENOMEM)
		return locs_err__set(err, code, "out of memory");
	return locs_err__set(err, code, "cannot be read: %s", strerror(-code));
}

int read__cut(struct btf_locs_err *err)
{
	return locs_err__set(err, -EIO, "was cut short while it was read");
}

ssize_t fd__pread(int fd, void *buf, size_t size, uint64_t off)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = pread(fd, (uint8_t *)buf + done, size - done, off + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		done += n;
	}
	return done;
}

int fd__pread_all(int fd, void *buf, size_t size, uint64_t off, struct btf_locs_err *err)
{
	ssize_t n = fd__pread(fd, buf, size, off);

	if (n < 0)
		return read__failed(n, err);
	return (size_t)n < size ? read__cut(err) : 0;
}

/* @got: what could be read of it. */
static int check_not_cut(int fd, size_t got, size_t size_was, struct btf_locs_err *err)
{
	struct stat st;

	if (got >= size_was)
		return 0;
	if (fstat(fd, &st))
		return read__failed(-errno, err);
	return (size_t)st.st_size < size_was ? read__cut(err) : 0;
}

int fd__read_all(int fd, size_t size_was, void **out, size_t *size, struct btf_locs_err *err)
{
	/* a byte more than it should have: the end is seen at once */
	size_t got = 0, cap = size_was + 1;
	uint8_t *data = read__alloc(cap), *more = data;
	ssize_t n = 0;
	int ret;

	while (more) {
		n = fd__pread(fd, data + got, cap - got, got);
		if (n < 0)
			break;
		got += n;
		if (got < cap) {
			ret = check_not_cut(fd, got, size_was, err);
			if (ret)
				goto out_free;
			*out = data;
			*size = got;
			return 0;
		}
		/* it grows, or is of sysfs and does not say how large it is */
		more = reallocarray(data, cap, 2);
		data = more ? more : data;
		cap *= 2;
	}
	ret = read__failed(more ? (int)n : -ENOMEM, err);
out_free:
	free(data);
	return ret;
}
