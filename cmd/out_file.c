// SPDX-License-Identifier: GPL-2.0-only
/* out_file.c - where a section alone goes: a file of its own, or what is open already */
#include "out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/elf_file.h"
#include "../lib/elf_write.h"
#include "../lib/file_bytes.h"
#include "../lib/gzip_out.h"
#include "../lib/is_section.h"
#include "../lib/locs_format.h"
#include "../lib/locs_name.h"
#include "../lib/unpack.h"

/* A decimal number of a descriptor, or -1. */
static int fd__parse(const char *digits)
{
	size_t len = strlen(digits);

	return len && len < 8 && strspn(digits, "0123456789") == len ? atoi(digits) : -1;
}

static bool fd__is_written(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/*
 * The descriptor that @out stands for, or -1: it is a file. Opening /dev/stdout would give another
 * one, at the start of the file, and replacing what it leads to would take the file from those who
 * have it open.
 */
static int out_file__fd(const char *out)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	struct stat named, st;
	size_t i;
	int fd;

	if (!strcmp(out, "-"))
		return STDOUT_FILENO;
	for (fd = 0; fd <= STDERR_FILENO; fd++)
		if (!strcmp(out, names[fd]))
			return fd;
	for (i = 0; i < 2; i++)
		if (!strncmp(out, folders[i], strlen(folders[i])))
			return fd__parse(out + strlen(folders[i]));
	if (stat(out, &named) || !S_ISREG(named.st_mode))
		return -1;
	for (fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fd__is_written(fd) && !fstat(fd, &st) && st.st_dev == named.st_dev &&
		    st.st_ino == named.st_ino)
			return fd;
	return -1;
}

const char *out_file__name(const char *out)
{
	return strcmp(out, "-") ? out : "stdout";
}

/* Whether the file is a section: 1, 0, or a negative errno with a line. */
static int file__is_section(const struct plain_file *f, struct btf_locs_err *err)
{
	uint16_t magic = 0;
	ssize_t n = fd__pread(f->fd, &magic, sizeof(magic), 0);
	void *data;
	size_t size;
	int ret;

	if (n < 0)
		return read__failed(n, err);
	/* a disk image is not read to its end for that */
	if (magic != LOCS_BTF_MAGIC && magic != __builtin_bswap16(LOCS_BTF_MAGIC))
		return 0;
	ret = fd__read_all(f->fd, f->size, &data, &size, err);
	if (ret)
		return ret;
	ret = bytes__are_section(data, size);
	free(data);
	return ret < 0 ? read__failed(ret, err) : ret;
}

/* Whether the file may be replaced. */
static int file__check(const struct plain_file *f, struct btf_locs_err *err)
{
	int ret = fd__is_elf(f->fd);

	if (ret < 0)
		return read__failed(ret, err);
	if (ret && !f->packed)
		return locs_err__set(err, -EEXIST, "is an ELF file, which the section alone would "
				     "replace; without -o it is written into FILE");
	ret = ret ? 0 : file__is_section(f, err);
	if (ret)
		return ret < 0 ? ret : 0;
	return locs_err__set(err, -EEXIST, "holds something else than a section (" LOCS_SECTION
			     "), and that would be lost");
}

/* A regular file with something in it. */
static int content__check(const char *out, struct btf_locs_err *err)
{
	struct btf_locs_err why = { "" };
	struct plain_file f;
	int ret;

	ret = file__open_plain(out, &f, &why);
	if (ret)
		return locs_err__set(err, ret, "it is not known what would be lost: %s", why.text);
	ret = file__check(&f, err);
	close(f.fd);
	return ret;
}

static int input__check(const struct file_ids *inputs, const struct stat *st,
			struct btf_locs_err *err)
{
	const char *input = file_ids__find(inputs, st);

	return input ? locs_err__set(err, -EEXIST, "is %s, which is read here", input) : 0;
}

static int fd__check(int fd, const struct file_ids *inputs, struct btf_locs_err *err)
{
	struct stat st;

	if (fstat(fd, &st) || !fd__is_written(fd))
		return locs_err__set(err, -EBADF, "is not open for writing");
	/* nobody's contents: a terminal may be stdin and a file too */
	return S_ISREG(st.st_mode) ? input__check(inputs, &st, err) : 0;
}

int out_file__check(const char *out, const struct file_ids *inputs, struct btf_locs_err *err)
{
	int fd = out_file__fd(out), ret;
	struct stat st;

	if (fd >= 0)
		return fd__check(fd, inputs, err);
	if (stat(out, &st))
		return errno == ENOENT ? 0 : locs_err__set(err, -errno, "%s", strerror(errno));
	if (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode))
		return 0;
	if (S_ISDIR(st.st_mode))
		return locs_err__set(err, -EISDIR, "is a directory");
	if (!S_ISREG(st.st_mode))
		return locs_err__set(err, -EINVAL, "is a %s",
				     S_ISBLK(st.st_mode) ? "block device" : "socket");
	ret = st.st_size ? content__check(out, err) : 0;
	return ret ? ret : input__check(inputs, &st, err);
}

static int put(const char *out, const void *data, size_t size, struct btf_locs_err *err)
{
	int fd = out_file__fd(out);

	return fd < 0 ? file__write(out, data, size, err) : fd__write(fd, data, size, err);
}

int out_file__write(const char *out, const struct file_ids *inputs, const void *data, size_t size,
		    struct btf_locs_err *err)
{
	struct wbuf packed;
	int ret;

	/* it may have come into being while the DWARF was read */
	ret = out_file__check(out, inputs, err);
	if (ret)
		return ret;
	if (!locs_path__wants_gzip(out))
		return put(out, data, size, err);
	wbuf__init(&packed, false);
	ret = gzip__pack(data, size, &packed);
	ret = ret ? read__failed(ret, err) : put(out, packed.data, packed.len, err);
	wbuf__free(&packed);
	return ret;
}
