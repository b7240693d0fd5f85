// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* unpack.c - a file opened for reading, unpacked where it is compressed */
#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_bytes.h"
#include "unpack_codec.h"

#define CHUNK ((size_t)256 << 10)	/* bytes read, and written, at once */
#define MAGIC_MAX 6

/* One file on its way from @in to @out. */
struct unpacking {
	const struct unpack_codec *codec;
	void *ctx;
	struct unpack_io io;
	int in;
	int out;
	bool at_end;		/* what was read is whole members */
	uint64_t done;		/* bytes written */
	uint64_t max;
	uint8_t *buf;		/* CHUNK bytes read, CHUNK bytes unpacked */
};

static const char *magic__name(const uint8_t *p, size_t n)
{
	static const uint8_t xz[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	static const uint8_t zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (n >= 2 && p[0] == 0x1f && p[1] == 0x8b)
		return "gzip";
	if (n >= sizeof(xz) && !memcmp(p, xz, sizeof(xz)))
		return "xz";
	if (n >= sizeof(zstd) && !memcmp(p, zstd, sizeof(zstd)))
		return "zstd";
	/* a skippable frame, which pzstd begins with: 0x184D2A50 to 0x184D2A5F */
	if (n >= 4 && (p[0] & 0xf0) == 0x50 && p[1] == 0x2a && p[2] == 0x4d && p[3] == 0x18)
		return "zstd";
	return NULL;
}

/* @packed: NULL where it is not compressed. */
static int fd__compression(int fd, const char **packed)
{
	uint8_t magic[MAGIC_MAX];
	ssize_t n = fd__pread(fd, magic, sizeof(magic), 0);

	*packed = n > 0 ? magic__name(magic, n) : NULL;
	return n < 0 ? (int)n : 0;
}

static const struct unpack_codec *codec__by_name(const char *name)
{
	static const struct unpack_codec *const codecs[] = {
		&gzip_codec,
#ifdef HAVE_LZMA
		&xz_codec,
#endif
#ifdef HAVE_ZSTD
		&zstd_codec,
#endif
	};
	size_t i;

	for (i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++)
		if (!strcmp(codecs[i]->name, name))
			return codecs[i];
	return NULL;
}

static int unpacking__read(struct unpacking *u)
{
	ssize_t n;

	do
		n = read(u->in, u->buf, CHUNK);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	u->io.in = u->buf;
	u->io.in_left = n;
	u->io.last = !n;
	return 0;
}

static int fd__write_all(int fd, const uint8_t *p, size_t n)
{
	ssize_t w;

	while (n) {
		w = write(fd, p, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -errno;
		p += w;
		n -= w;
	}
	return 0;
}

/* @n bytes that a step made. */
static int unpacking__write(struct unpacking *u, size_t n)
{
	if (n > u->max - u->done)
		return -EFBIG;
	u->done += n;
	return fd__write_all(u->out, u->buf + CHUNK, n);
}

static int unpacking__failed(const struct unpacking *u, int code, struct btf_locs_err *err)
{
	const char *name = u->codec->name;

	switch (code) {
	case -EBADMSG:
		return locs_err__set(err, code, u->at_end && u->done ?
				     "malformed: something else follows its %s data" :
				     "malformed: its %s data is damaged", name);
	case -ENOMEM:
		return read__failed(code, err);
	case -EFBIG:
		return locs_err__set(err, code, "needs too much memory to be unpacked: "
				     "%s it first", u->codec->undo);
	case -EOPNOTSUPP:
		return locs_err__set(err, code, "its %s data is of a kind that is not known: "
				     "%s it first", name, u->codec->undo);
	default:
		return locs_err__set(err, code, "%s", strerror(-code));
	}
}

/* Everything from u->in to u->out. */
static int unpacking__run(struct unpacking *u, struct btf_locs_err *err)
{
	size_t made;
	int ret, step;

	for (;;) {
		ret = u->io.in_left || u->io.last ? 0 : unpacking__read(u);
		if (ret)
			return read__failed(ret, err);
		if (u->io.last && u->at_end)
			return 0;
		u->io.out = u->buf + CHUNK;
		u->io.out_left = CHUNK;
		step = u->codec->step(u->ctx, &u->io);
		if (step < 0)
			return unpacking__failed(u, step, err);
		u->at_end = step == UNPACK_AT_END;
		made = CHUNK - u->io.out_left;
		ret = unpacking__write(u, made);
		if (ret == -EFBIG)
			return locs_err__set(err, ret, "unpacks to more than %llu bytes",
					     (unsigned long long)u->max);
		if (ret)
			return locs_err__set(err, ret, "unpacking: %s", strerror(-ret));
		if (u->io.last && !u->at_end && !made)
			return locs_err__set(err, -EBADMSG,
					     "malformed: its %s data ends early",
					     u->codec->name);
	}
}

/* Nobody changes it any more; where that cannot be had, nobody has its name either. */
static int memfd__finish(int fd)
{
	fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
	return lseek(fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

int fd__unpack(int fd, const char *packed, uint64_t max, struct plain_file *out,
	       struct btf_locs_err *err)
{
	struct unpacking u = { .in = fd, .out = -1, .max = max };
	int ret;

	u.codec = codec__by_name(packed);
	if (!u.codec)
		return locs_err__set(err, -EOPNOTSUPP, "is compressed with %s, which this "
				     "build cannot read: %s -d it first", packed, packed);
	u.buf = malloc(2 * CHUNK);
	ret = u.buf ? u.codec->open(&u.ctx) : -ENOMEM;
	if (ret) {
		locs_err__set(err, ret, "out of memory");
		goto out;
	}
	u.out = memfd_create(packed, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (u.out < 0) {
		ret = locs_err__set(err, -errno, "memfd_create: %s", strerror(errno));
		goto out;
	}
	ret = unpacking__run(&u, err);
	if (ret)
		goto out;
	ret = memfd__finish(u.out);
	if (ret) {
		locs_err__set(err, ret, "unpacking: %s", strerror(-ret));
		goto out;
	}
	*out = (struct plain_file) {
		.fd = u.out, .size = u.done, .packed = u.codec->name, .in_memory = true,
	};
	u.out = -1;
out:
	if (u.out >= 0)
		close(u.out);
	if (u.ctx)
		u.codec->close(u.ctx);
	free(u.buf);
	return ret;
}

int plain_file__check_same(const struct plain_file *f, struct btf_locs_err *err)
{
	struct stat st;

	if (f->in_memory)
		return 0;
	if (fstat(f->fd, &st))
		return read__failed(-errno, err);
	if ((uint64_t)st.st_size < f->size)
		return read__cut(err);
	if ((uint64_t)st.st_size != f->size || st.st_mtim.tv_sec != f->mtime.tv_sec ||
	    st.st_mtim.tv_nsec != f->mtime.tv_nsec)
		return locs_err__set(err, -EIO, "was changed while it was read");
	return 0;
}

/* Opens a regular file. */
static int file__open_regular(const char *path, struct plain_file *f, struct btf_locs_err *err)
{
	struct stat st;
	int ret;

	/* O_NONBLOCK: a FIFO that nobody writes to must not hold us up */
	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (f->fd < 0 || fstat(f->fd, &st)) {
		ret = -errno;
		locs_err__set(err, ret, "%s", strerror(-ret));
	} else if (S_ISDIR(st.st_mode)) {
		ret = locs_err__set(err, -EISDIR, "is a directory");
	} else if (!S_ISREG(st.st_mode)) {
		ret = locs_err__set(err, -EINVAL, "is not a regular file");
	} else {
		f->size = st.st_size;
		f->mtime = st.st_mtim;
		return 0;
	}
	if (f->fd >= 0)
		close(f->fd);
	return ret;
}

int file__open_plain(const char *path, struct plain_file *out, struct btf_locs_err *err)
{
	struct plain_file f = { .fd = -1 };
	const char *packed;
	int ret;

	ret = file__open_regular(path, &f, err);
	if (ret)
		return ret;
	ret = fd__compression(f.fd, &packed);
	if (ret)
		read__failed(ret, err);
	else if (packed)
		ret = fd__unpack(f.fd, packed, UNPACK_MAX, out, err);
	/* what ends early, or is damaged, has perhaps become so while it was read */
	if (ret == -EBADMSG && plain_file__check_same(&f, err))
		ret = -EIO;
	if (!ret && !packed)
		*out = f;
	else
		close(f.fd);
	return ret;
}

const char *file__compression(const char *path)
{
	struct plain_file f = { .fd = -1 };
	const char *packed;

	if (file__open_regular(path, &f, NULL))
		return NULL;
	fd__compression(f.fd, &packed);
	close(f.fd);
	return packed;
}

int packed__no_write(const char *packed, struct btf_locs_err *err)
{
	return locs_err__set(err, -EOPNOTSUPP, "is compressed with %s, a section cannot be "
			     "written into it: unpack it (%s -d), encode, compress it again; "
			     "or -o FILE", packed, packed);
}
