// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * elf_write.c - put a section into an ELF file, put bytes into a file
 *
 * Nothing is laid out anew (elf_update() would do so): the old bytes are copied, and
 * behind them come the section, the section names and the section header table.
 */
#include "elf_write.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "atomic_file.h"
#include "cursor.h"
#include "elf_file_priv.h"

#define SEC_ALIGN 4
#define NO_IDX UINT32_MAX

static const char module_signature[] = "~Module signature appended~\n";

/* Where the parts of the new file stand. */
struct layout {
	uint32_t idx;		/* of our section */
	uint32_t nr_secs;
	bool adds;		/* it was not there before */
	uint64_t keep;		/* bytes of the old file that stay */
	uint64_t sec_off;
	uint64_t names_off;
	uint64_t names_size;
	uint64_t shoff;
	uint64_t end;
};

static void put_uint(uint8_t *p, unsigned int size, uint64_t v, bool big)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = v >> (8 * i);
}

static uint64_t align_up(uint64_t v, uint64_t align)
{
	return (v + align - 1) & ~(align - 1);
}

static int find_signature(const struct elf_file *f, bool *there, struct btf_locs_err *err)
{
	char end[sizeof(module_signature) - 1];
	int ret;

	*there = false;
	if (f->size < sizeof(end))
		return 0;
	ret = elf_file__read(f, f->size - sizeof(end), sizeof(end), end, err);
	*there = !ret && !memcmp(end, module_signature, sizeof(end));
	return ret;
}

/* Whether the file can take a section, and which is the one to be replaced, or NO_IDX. */
static int find_old(const struct elf_file *f, const char *name, uint32_t *idx,
		    struct btf_locs_err *err)
{
	struct elf_sec s;
	bool is_signed;
	int ret;

	if (f->plain.packed)
		return packed__no_write(f->plain.packed, err);
	if (!f->nr_secs || !f->shstrndx)
		return locs_err__set(err, -EOPNOTSUPP, "has no section %s",
				     f->nr_secs ? "names" : "header table");
	if (f->secs[f->shstrndx].flags & (SHF_ALLOC | SHF_COMPRESSED))
		return locs_err__set(err, -EOPNOTSUPP,
				     "its section names are part of the program");
	ret = find_signature(f, &is_signed, err);
	if (ret)
		return ret;
	if (is_signed)
		return locs_err__set(
			err, -EOPNOTSUPP,
			"is a signed module: the signature would no longer hold");
	*idx = NO_IDX;
	if (elf_file__sec_by_name(f, name, &s))
		return 0;
	if (s.idx == f->shstrndx || (s.flags & SHF_ALLOC))
		return locs_err__set(err, -EOPNOTSUPP,
				     "its section %.80s is part of the %s", name,
				     s.idx == f->shstrndx ? "ELF file" : "program");
	*idx = s.idx;
	return 0;
}

/* The end of what the program headers describe, in the file. */
static int segments_end(const struct elf_file *f, uint64_t *end, struct btf_locs_err *err)
{
	size_t each = elf_file__phdr_size(f), all = f->phnum * each;
	unsigned int addr = f->is64 ? 8 : 4;
	uint64_t i, off, size, seg;
	struct cursor c;
	uint8_t *phdrs;
	int ret;

	*end = 0;
	if (!all)
		return 0;
	phdrs = malloc(all);
	ret = phdrs ? elf_file__read(f, f->phoff, all, phdrs, err) :
		      locs_err__set(err, -ENOMEM, "out of memory");
	cursor__init(&c, phdrs, all, f->big);
	for (i = 0; i < f->phnum && !ret; i++) {
		/* p_type, in ELF64 p_flags, p_offset, p_vaddr, p_paddr, p_filesz */
		if (cursor__seek(&c, i * each) ||
		    cursor__skip(&c, f->is64 ? 8 : 4) || cursor__uint(&c, addr, &off) ||
		    cursor__skip(&c, 2 * addr) || cursor__uint(&c, addr, &size) || !size)
			continue;
		/* a file of debug info only has the headers of what it was split from */
		if (__builtin_add_overflow(off, size, &seg) || seg > f->size)
			seg = f->size;
		*end = seg > *end ? seg : *end;
	}
	free(phdrs);
	return ret;
}

/* Whether the tail is as we write it: section, names, header table, nothing else. */
static bool is_our_tail(const struct elf_file *f, uint32_t old, uint64_t kept)
{
	const struct elf_sec *s = &f->secs[old], *n = &f->secs[f->shstrndx];
	size_t shdr = elf_file__shdr_size(f);

	return s->type == SHT_PROGBITS && s->off >= kept && s->off <= f->size &&
	       n->off == s->off + s->size &&
	       f->shoff == align_up(n->off + n->size, f->is64 ? 8 : 4) &&
	       f->shoff + f->nr_secs * shdr == f->size;
}

/*
 * How many bytes stay: all but an old section, the names and the header table at the end.
 * What stands behind all that ELF knows of (an archive appended to a program) stays too.
 */
static int kept_bytes(const struct elf_file *f, uint32_t old, uint64_t *keep,
		      struct btf_locs_err *err)
{
	uint64_t end = elf_file__ehdr_size(f), known, e;
	uint32_t i;
	int ret;

	if (f->phnum) {
		e = f->phoff + f->phnum * elf_file__phdr_size(f);
		end = e > end ? e : end;
	}
	known = f->shoff + (uint64_t)f->nr_secs * elf_file__shdr_size(f);
	for (i = 1; i < f->nr_secs; i++) {
		const struct elf_sec *s = &f->secs[i];

		if (s->type == SHT_NOBITS || s->type == SHT_NULL || s->size == 0)
			continue;
		e = s->off + s->size;
		if (i == old || i == f->shstrndx)
			known = e > known ? e : known;
		else
			end = e > end ? e : end;
	}
	if (old != NO_IDX && is_our_tail(f, old, end)) {
		*keep = f->secs[old].off;
		return 0;
	}
	ret = segments_end(f, &e, err);
	if (ret)
		return ret;
	end = e > end ? e : end;
	*keep = f->size > (end > known ? end : known) ? f->size : end;
	return 0;
}

static int lay_out(const struct elf_file *f, const char *name, size_t size,
		   struct layout *l, struct btf_locs_err *err)
{
	uint32_t old = NO_IDX;
	uint64_t e;
	int ret;

	ret = find_old(f, name, &old, err);
	if (ret)
		return ret;
	l->adds = old == NO_IDX;
	l->idx = l->adds ? f->nr_secs : old;
	l->nr_secs = f->nr_secs + l->adds;
	ret = kept_bytes(f, old, &l->keep, err);
	if (ret)
		return ret;
	l->sec_off = align_up(l->keep, SEC_ALIGN);
	l->names_size = f->secs[f->shstrndx].size + (l->adds ? strlen(name) + 1 : 0);
	if (l->nr_secs == 0 || l->names_size > UINT32_MAX ||
	    __builtin_add_overflow(l->sec_off, size, &l->names_off) ||
	    __builtin_add_overflow(l->names_off, l->names_size + 8, &e) ||
	    __builtin_add_overflow(e, (uint64_t)l->nr_secs * elf_file__shdr_size(f),
				   &e) ||
	    e > (f->is64 ? INT64_MAX : UINT32_MAX))
		return locs_err__set(err, -EFBIG, "would be too large for ELF%d",
				     f->is64 ? 64 : 32);
	l->shoff = align_up(l->names_off + l->names_size, f->is64 ? 8 : 4);
	l->end = l->shoff + (uint64_t)l->nr_secs * elf_file__shdr_size(f);
	return 0;
}

/* Section header fields by their place in the entry: of ELF32, of ELF64. */
enum shdr_field { SH_NAME, SH_TYPE, SH_FLAGS, SH_ADDR, SH_OFFSET, SH_SIZE, SH_ALIGN };

static void put_shdr(const struct elf_file *f, uint8_t *shdr, enum shdr_field field,
		     uint64_t v)
{
	static const uint8_t at32[] = { 0, 4, 8, 12, 16, 20, 32 };
	static const uint8_t at64[] = { 0, 4, 8, 16, 24, 32, 48 };
	unsigned int size = f->is64 && field > SH_TYPE ? 8 : 4;

	put_uint(shdr + (f->is64 ? at64 : at32)[field], size, v, f->big);
}

/* @out: the new names, padding, and the new header table: the file from names_off on. */
static int make_tables(struct elf_file *f, const char *name, size_t size,
		       const struct layout *l, uint8_t **out, struct btf_locs_err *err)
{
	const struct elf_sec *names = &f->secs[f->shstrndx];
	size_t each = elf_file__shdr_size(f);
	uint8_t *buf, *tab, *mine;
	const uint8_t *old;
	int ret;

	ret = names->size ? elf_file__raw(f, f->shstrndx, &old, err) : 0;
	if (ret)
		return ret;
	buf = calloc(1, l->end - l->names_off);
	if (!buf)
		return locs_err__set(err, -ENOMEM, "out of memory");
	if (names->size)
		memcpy(buf, old, names->size);
	if (l->adds)
		memcpy(buf + names->size, name, strlen(name) + 1);

	tab = buf + (l->shoff - l->names_off);
	memcpy(tab, f->shdrs, f->nr_secs * each);
	put_shdr(f, tab + f->shstrndx * each, SH_OFFSET, l->names_off);
	put_shdr(f, tab + f->shstrndx * each, SH_SIZE, l->names_size);
	mine = tab + l->idx * each;
	if (l->adds)
		put_shdr(f, mine, SH_NAME, names->size);
	else
		memset(mine + 4, 0, each - 4);	/* all but sh_name */
	put_shdr(f, mine, SH_TYPE, SHT_PROGBITS);
	put_shdr(f, mine, SH_OFFSET, l->sec_off);
	put_shdr(f, mine, SH_SIZE, size);
	put_shdr(f, mine, SH_ALIGN, SEC_ALIGN);
	if (l->nr_secs >= SHN_LORESERVE)
		put_shdr(f, tab, SH_SIZE, l->nr_secs);
	*out = buf;
	return 0;
}

/* e_shoff and e_shnum of the new file. */
static int write_ehdr(const struct elf_file *f, const struct layout *l,
		      struct atomic_file *a, struct btf_locs_err *err)
{
	uint8_t shoff[8], shnum[2];
	unsigned int size = f->is64 ? 8 : 4;
	int ret;

	put_uint(shoff, size, l->shoff, f->big);
	put_uint(shnum, 2, l->nr_secs >= SHN_LORESERVE ? 0 : l->nr_secs, f->big);
	ret = atomic_file__pwrite(a, shoff, size, f->is64 ? 40 : 32, err);
	return ret ?: atomic_file__pwrite(a, shnum, 2, f->is64 ? 60 : 48, err);
}

struct elf_write {
	struct elf_file *f;
	char *name;
	struct atomic_file a;
};

static void elf_write__free(struct elf_write *w)
{
	elf_file__close(w->f);
	free(w->name);
	free(w);
}

void elf_write__abort(struct elf_write *w)
{
	if (!w)
		return;
	atomic_file__abort(&w->a);
	elf_write__free(w);
}

int elf_write__begin(const char *path, const char *name, struct elf_write **out,
		     struct btf_locs_err *err)
{
	const char *packed = file__compression(path);
	struct layout l = { 0 };
	struct elf_write *w;
	int ret;

	if (!*name)
		return locs_err__set(err, -EINVAL, "a section needs a name");
	if (packed)	/* before it is unpacked for nothing */
		return packed__no_write(packed, err);
	w = calloc(1, sizeof(*w));
	if (!w || !(w->name = strdup(name))) {
		free(w);
		return locs_err__set(err, -ENOMEM, "out of memory");
	}
	ret = elf_file__open(path, &w->f, err);
	/* what is kept does not depend on the section's size */
	ret = ret ?: lay_out(w->f, name, 0, &l, err);
	ret = ret ?: atomic_file__begin(&w->a, path, err);
	if (ret) {
		elf_write__free(w);
		return ret;
	}
	ret = atomic_file__reserve(&w->a, l.end, err);
	ret = ret ?: atomic_file__copy(&w->a, elf_file__fd(w->f), l.keep, err);
	if (ret) {
		elf_write__abort(w);
		return ret;
	}
	*out = w;
	return 0;
}

int elf_write__end(struct elf_write *w, const void *data, size_t size,
		   struct btf_locs_err *err)
{
	static const uint8_t zeros[SEC_ALIGN];
	struct elf_file *f = w->f;
	struct atomic_file *a = &w->a;
	uint8_t *tables = NULL;
	struct layout l = { 0 };
	int ret;

	ret = lay_out(f, w->name, size, &l, err);
	ret = ret ?: make_tables(f, w->name, size, &l, &tables, err);
	ret = ret ?: atomic_file__reserve(a, l.end, err);
	ret = ret ?: atomic_file__pwrite(a, zeros, l.sec_off - l.keep, l.keep, err);
	ret = ret ?: atomic_file__pwrite(a, data, size, l.sec_off, err);
	ret = ret ?: atomic_file__pwrite(a, tables, l.end - l.names_off, l.names_off, err);
	ret = ret ?: write_ehdr(f, &l, a, err);
	/* the headers are of what it was, and so must be the bytes */
	ret = ret ?: elf_file__check_same(f, err);
	if (ret)
		atomic_file__abort(a);
	else
		ret = atomic_file__commit(a, err);
	free(tables);
	elf_write__free(w);
	return ret;
}

int elf_write__section(const char *path, const char *name, const void *data, size_t size,
		       struct btf_locs_err *err)
{
	struct elf_write *w;
	int ret = elf_write__begin(path, name, &w, err);

	return ret ?: elf_write__end(w, data, size, err);
}

int fd__write(int fd, const void *data, size_t size, struct btf_locs_err *err)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	const uint8_t *p = data;
	ssize_t n;

	while (size > 0) {
		n = write(fd, p, size);
		if (n < 0 && errno == EAGAIN)	/* whoever gave it to us does not wait */
			n = poll(&room, 1, -1) < 0 ? -1 : 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return locs_err__set(err, -errno, "writing: %s", strerror(errno));
		p += n;
		size -= n;
	}
	return 0;
}

/* A device, a pipe: there is nothing to replace. */
static int write_through(const char *path, const void *data, size_t size,
			 struct btf_locs_err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int ret;

	if (fd < 0)
		return locs_err__set(err, -errno, "writing: %s", strerror(errno));
	ret = fd__write(fd, data, size, err);
	if (close(fd) && !ret)
		ret = locs_err__set(err, -errno, "writing: %s", strerror(errno));
	return ret;
}

int file__write(const char *path, const void *data, size_t size, struct btf_locs_err *err)
{
	struct atomic_file a;
	struct stat st;
	int ret;

	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return write_through(path, data, size, err);
	ret = atomic_file__begin(&a, path, err);
	if (ret)
		return ret;
	ret = atomic_file__reserve(&a, size, err);
	ret = ret ?: atomic_file__pwrite(&a, data, size, 0, err);
	if (ret)
		atomic_file__abort(&a);
	else
		ret = atomic_file__commit(&a, err);
	return ret;
}
