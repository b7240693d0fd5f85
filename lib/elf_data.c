// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf_data.c - the contents of an open ELF file's sections, compressed or not */
#include "elf_file_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cursor.h"

#define CHDR32_SIZE 12
#define CHDR64_SIZE 24
#define COMPRESS_ZSTD 2		/* ELFCOMPRESS_ZSTD, not in older elf.h */
#define ZLIB_MAX_RATIO 1040	/* deflate cannot do better than 1032 */

/* What stands before compressed bytes: the cursor is left at them. */
static int parse_chdr(const struct elf_file *f, const struct elf_sec *s, struct cursor *c,
		      uint32_t *type, uint64_t *size)
{
	int ret;

	if (s->type == SHT_NOBITS)
		return -EBADMSG;
	cursor__init(c, f->map + s->off, s->size, f->big);
	ret = cursor__u32(c, type);
	ret = ret ?: cursor__skip(c, f->is64 ? 4 : 0);
	ret = ret ?: cursor__uint(c, f->is64 ? 8 : 4, size);
	ret = ret ?: cursor__seek(c, f->is64 ? CHDR64_SIZE : CHDR32_SIZE);
	return ret;
}

static int inflate_section(const struct elf_file *f, const struct elf_sec *s,
			   struct elf_inflated *out, struct btf_locs_err *err)
{
	struct cursor c;
	uint64_t size, most;
	uint32_t type;
	uLong src, dst;
	void *data;
	int z;

	if (parse_chdr(f, s, &c, &type, &size))
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
		out->data = data;
		out->size = size;
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
		*data = f->map + (s->size ? s->off : 0);
		*size = s->size;
		return 0;
	}
	if (!f->inflated) {
		f->inflated = calloc(f->nr_secs, sizeof(*f->inflated));
		if (!f->inflated)
			return locs_err__set(err, -ENOMEM, "out of memory");
	}
	if (!f->inflated[idx].data) {
		ret = inflate_section(f, s, &f->inflated[idx], err);
		if (ret)
			return ret;
	}
	*data = f->inflated[idx].data;
	*size = f->inflated[idx].size;
	return 0;
}

/* Whether this libelf can decompress it. On a handle of its own, which that changes. */
static bool libelf_inflates(const struct elf_file *f, uint32_t idx)
{
	Elf *elf = elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *scn = elf ? elf_getscn(elf, idx) : NULL;
	bool ok = scn && elf_compress(scn, 0, 0) >= 0;

	elf_end(elf);
	return ok;
}

int elf_file__check_dwarf(struct elf_file *f, struct btf_locs_err *err)
{
	bool have = false;
	uint32_t i, type;
	uint64_t size;
	struct cursor c;

	for (i = 1; i < f->nr_secs; i++) {
		const struct elf_sec *s = &f->secs[i];

		if (s->type == SHT_NOBITS || s->type == SHT_NULL || s->size == 0)
			continue;
		if (!strcmp(s->name, ".debug_info") || !strcmp(s->name, ".zdebug_info"))
			have = true;
		if (strncmp(s->name, ".debug_", 7) || !(s->flags & SHF_COMPRESSED))
			continue;
		if (parse_chdr(f, s, &c, &type, &size))
			return locs_err__set(err, -EBADMSG,
					     "malformed: compressed section %.*s",
					     SEC_NAME_SHOWN, s->name);
		if (type == ELFCOMPRESS_ZLIB || libelf_inflates(f, i))
			continue;
		return locs_err__set(
			err, -EOPNOTSUPP,
			"section %.*s is compressed with %s, which this elfutils cannot "
			"read: use objcopy --decompress-debug-sections",
			SEC_NAME_SHOWN, s->name,
			type == COMPRESS_ZSTD ? "zstd" : "something unknown");
	}
	if (!have)
		return locs_err__set(err, -ENODATA,
				     "no debug info (no .debug_info section)");
	return 0;
}
