// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf_data.c - the contents of an open ELF file's sections, compressed or not */
#include "elf_file_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cursor.h"
#include "file_bytes.h"

#define CHDR32_SIZE 12
#define CHDR64_SIZE 24
#define COMPRESS_ZSTD 2		/* ELFCOMPRESS_ZSTD, not in older elf.h */
#define ZLIB_MAX_RATIO 1040	/* deflate cannot do better than 1032 */

int elf_file__read(const struct elf_file *f, uint64_t off, size_t size, void *buf,
		   struct btf_locs_err *err)
{
	if (!f->map)
		return fd__pread_all(f->plain.fd, buf, size, off, err);
	memcpy(buf, f->map + off, size);
	return 0;
}

static int read_section(const struct elf_file *f, const struct elf_sec *s, uint8_t **out,
			struct btf_locs_err *err)
{
	uint8_t *raw = read__alloc(s->size);
	int ret;

	ret = raw ? elf_file__read(f, s->off, s->size, raw, err) : read__failed(-ENOMEM, err);
	if (ret)
		free(raw);
	else
		*out = raw;
	return ret;
}

int elf_file__raw(struct elf_file *f, uint32_t idx, const uint8_t **out, struct btf_locs_err *err)
{
	struct elf_contents *c = &f->contents[idx];
	int ret = 0;

	if (f->map) {
		*out = f->map + f->secs[idx].off;
		return 0;
	}
	pthread_mutex_lock(&f->lock);
	if (!c->raw)
		ret = read_section(f, &f->secs[idx], &c->raw, err);
	if (!ret)
		*out = c->raw;
	pthread_mutex_unlock(&f->lock);
	return ret;
}

/* What stands before compressed bytes: the cursor is left at them. */
static int parse_chdr(const struct elf_file *f, const uint8_t *raw, size_t raw_size,
		      struct cursor *c, uint32_t *type, uint64_t *size)
{
	int ret;

	cursor__init(c, raw, raw_size, f->big);
	ret = cursor__u32(c, type);
	ret = ret ?: cursor__skip(c, f->is64 ? 4 : 0);
	ret = ret ?: cursor__uint(c, f->is64 ? 8 : 4, size);
	ret = ret ?: cursor__seek(c, f->is64 ? CHDR64_SIZE : CHDR32_SIZE);
	return ret;
}

static int inflate_section(struct elf_file *f, const struct elf_sec *s,
			   struct elf_contents *out, struct btf_locs_err *err)
{
	const uint8_t *raw = NULL;
	struct cursor c;
	uint64_t size, most;
	uint32_t type;
	uLong src, dst;
	void *data;
	int z, ret;

	ret = s->size ? elf_file__raw(f, s->idx, &raw, err) : 0;
	if (ret)
		return ret;
	if (parse_chdr(f, raw, s->size, &c, &type, &size))
		goto bad;
	if (type != ELFCOMPRESS_ZLIB)
		return locs_err__set(
			err, -EOPNOTSUPP,
			"section %.*s is compressed with %s (type %u), not zlib",
			SEC_NAME_SHOWN, s->name,
			type == COMPRESS_ZSTD ? "zstd" : "something unknown", type);
	/* a few bytes must not make us reserve gigabytes */
	if (!__builtin_mul_overflow((uint64_t)cursor__left(&c), ZLIB_MAX_RATIO, &most) &&
	    size > most)
		goto bad;
	data = size > SIZE_MAX - 1 ? NULL : malloc(size + 1);
	if (!data)
		return locs_err__set(err, -ENOMEM, "out of memory");
	src = cursor__left(&c);
	dst = size;
	z = uncompress2(data, &dst, c.pos, &src);
	if (z == Z_OK && dst == size) {
		out->inflated = data;
		out->inflated_size = size;
		return 0;
	}
	free(data);
	if (z == Z_MEM_ERROR)
		return locs_err__set(err, -ENOMEM, "out of memory");
bad:
	return locs_err__set(err, -EBADMSG, "malformed: compressed section %.*s",
			     SEC_NAME_SHOWN, s->name);
}

int elf_file__data(struct elf_file *f, uint32_t idx, const void **data, size_t *size,
		   struct btf_locs_err *err)
{
	const uint8_t *raw = (const uint8_t *)"";
	const struct elf_sec *s;
	int ret;

	if (idx == 0 || idx >= f->nr_secs)
		return locs_err__set(err, -ENOENT, "there is no section %u", idx);
	s = &f->secs[idx];
	if (s->type == SHT_NOBITS || s->type == SHT_NULL)
		return locs_err__set(err, -ENODATA,
				     "section %.*s has no contents in this file",
				     SEC_NAME_SHOWN, s->name);
	if (!(s->flags & SHF_COMPRESSED)) {
		ret = s->size ? elf_file__raw(f, idx, &raw, err) : 0;
		if (ret)
			return ret;
		*data = raw;
		*size = s->size;
		return 0;
	}
	if (!f->contents[idx].inflated) {
		ret = inflate_section(f, s, &f->contents[idx], err);
		if (ret)
			return ret;
	}
	*data = f->contents[idx].inflated;
	*size = f->contents[idx].inflated_size;
	return 0;
}

/* Whether this libelf can decompress it: 1, 0, -ENOMEM. On a handle of its own: that changes it. */
static int libelf_inflates(const struct elf_file *f, uint32_t idx)
{
	Elf *elf = elf_begin(f->plain.fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *scn = elf ? elf_getscn(elf, idx) : NULL;
	int ret = 1;

	if (!scn || elf_compress(scn, 0, 0) < 0)
		ret = libelf__failed("", NULL) == -ENOMEM ? -ENOMEM : 0;
	elf_end(elf);
	return ret;
}

/* Whether libdw can undo how @s, a section of DWARF, is compressed. */
static int check_compressed(const struct elf_file *f, const struct elf_sec *s,
			    struct btf_locs_err *err)
{
	uint8_t head[CHDR64_SIZE];
	size_t n = s->size < sizeof(head) ? s->size : sizeof(head);
	struct cursor c;
	uint64_t size;
	uint32_t type;
	int ret;

	ret = elf_file__read(f, s->off, n, head, err);
	if (ret)
		return ret;
	if (parse_chdr(f, head, n, &c, &type, &size))
		return locs_err__set(err, -EBADMSG, "malformed: compressed section %.*s",
				     SEC_NAME_SHOWN, s->name);
	ret = type == ELFCOMPRESS_ZLIB ? 1 : libelf_inflates(f, s->idx);
	if (ret < 0)
		return read__failed(ret, err);
	if (ret)
		return 0;
	return locs_err__set(err, -EOPNOTSUPP,
			     "section %.*s is compressed with %s, which this elfutils cannot "
			     "read: use objcopy --decompress-debug-sections",
			     SEC_NAME_SHOWN, s->name,
			     type == COMPRESS_ZSTD ? "zstd" : "something unknown");
}

int elf_file__check_dwarf(struct elf_file *f, struct btf_locs_err *err)
{
	bool have = false;
	uint32_t i;
	int ret;

	for (i = 1; i < f->nr_secs; i++) {
		const struct elf_sec *s = &f->secs[i];

		if (s->type == SHT_NOBITS || s->type == SHT_NULL || s->size == 0)
			continue;
		if (!strcmp(s->name, ".debug_info") || !strcmp(s->name, ".zdebug_info"))
			have = true;
		if (strncmp(s->name, ".debug_", 7) || !(s->flags & SHF_COMPRESSED))
			continue;
		ret = check_compressed(f, s, err);
		if (ret)
			return ret;
	}
	if (!have)
		return locs_err__set(err, -ENODATA,
				     "no debug info (no .debug_info section)");
	return 0;
}
