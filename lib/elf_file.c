// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf_file.c - an ELF file opened for reading: sections, contents, build id */
#include "elf_file_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cursor.h"
#include "elf_note.h"
#include "file_bytes.h"

#define NOTES_MAX 65536		/* bytes of a section of notes that are looked at */
#define READ_MAX (16 << 20)	/* bytes of a file of which everything that is wanted is read */

static int parse_ehdr(struct elf_file *f, uint16_t *shentsize, uint16_t *shnum,
		      uint16_t *shstrndx, struct btf_locs_err *err)
{
	uint8_t head[sizeof(Elf64_Ehdr)] = { 0 };
	size_t size = f->size < sizeof(head) ? f->size : sizeof(head);
	unsigned int addr;
	uint16_t phentsize, phnum;
	uint32_t version;
	struct cursor c;
	int ret;

	ret = elf_file__read(f, 0, size, head, err);
	if (ret)
		return ret;
	if (size < SELFMAG || memcmp(head, ELFMAG, SELFMAG))
		return locs_err__set(err, -ENOEXEC, "not an ELF file");
	if (size < EI_NIDENT)
		return locs_err__set(err, -EBADMSG,
				     "truncated: %zu bytes, in the ELF header", size);
	f->is64 = head[EI_CLASS] == ELFCLASS64;
	f->big = head[EI_DATA] == ELFDATA2MSB;
	if ((!f->is64 && head[EI_CLASS] != ELFCLASS32) ||
	    (!f->big && head[EI_DATA] != ELFDATA2LSB) || head[EI_VERSION] != EV_CURRENT)
		return locs_err__set(err, -EBADMSG,
				     "malformed: ELF class %u, byte order %u, version %u",
				     head[EI_CLASS], head[EI_DATA], head[EI_VERSION]);
	if (size < elf_file__ehdr_size(f))
		return locs_err__set(err, -EBADMSG,
				     "truncated: %zu bytes, in the ELF header", size);

	addr = f->is64 ? 8 : 4;
	cursor__init(&c, head, size, f->big);
	ret = cursor__skip(&c, EI_NIDENT);
	ret = ret ?: cursor__u16(&c, &f->type);
	ret = ret ?: cursor__u16(&c, &f->machine);
	ret = ret ?: cursor__u32(&c, &version);
	ret = ret ?: cursor__skip(&c, addr);		/* e_entry */
	ret = ret ?: cursor__uint(&c, addr, &f->phoff);
	ret = ret ?: cursor__uint(&c, addr, &f->shoff);
	ret = ret ?: cursor__skip(&c, 4);		/* e_flags */
	ret = ret ?: cursor__u16(&c, &f->ehsize);
	ret = ret ?: cursor__u16(&c, &phentsize);
	ret = ret ?: cursor__u16(&c, &phnum);
	ret = ret ?: cursor__u16(&c, shentsize);
	ret = ret ?: cursor__u16(&c, shnum);
	ret = ret ?: cursor__u16(&c, shstrndx);
	if (ret)
		return ret;
	f->phnum = f->phoff ? phnum : 0;
	if (f->phnum && phentsize != elf_file__phdr_size(f))
		return locs_err__set(err, -EBADMSG,
				     "malformed: program headers of %u bytes", phentsize);
	return 0;
}

/*
 * The entry @shdr, which is number @idx. @name_off: sh_name. The name itself is looked up when the
 * name table is known.
 */
static int parse_shdr(const struct elf_file *f, uint32_t idx, const uint8_t *shdr,
		      struct elf_sec *s, uint32_t *name_off)
{
	unsigned int addr = f->is64 ? 8 : 4;
	struct cursor c;
	int ret;

	memset(s, 0, sizeof(*s));
	s->idx = idx;
	cursor__init(&c, shdr, elf_file__shdr_size(f), f->big);
	ret = cursor__u32(&c, name_off);
	ret = ret ?: cursor__u32(&c, &s->type);
	ret = ret ?: cursor__uint(&c, addr, &s->flags);
	ret = ret ?: cursor__uint(&c, addr, &s->addr);
	ret = ret ?: cursor__uint(&c, addr, &s->off);
	ret = ret ?: cursor__uint(&c, addr, &s->size);
	ret = ret ?: cursor__u32(&c, &s->link);
	ret = ret ?: cursor__u32(&c, &s->info);
	ret = ret ?: cursor__uint(&c, addr, &s->align);
	return ret;
}

/* Whether @nr entries of @each bytes at @off lie in the file. */
static int check_table(const struct elf_file *f, const char *what, uint64_t off,
		       uint64_t nr, size_t each, struct btf_locs_err *err)
{
	uint64_t size, end;

	if (__builtin_mul_overflow(nr, each, &size) ||
	    __builtin_add_overflow(off, size, &end))
		return locs_err__set(err, -EBADMSG, "malformed: %s of %llu entries", what,
				     (unsigned long long)nr);
	if (end > f->size)
		return locs_err__set(
			err, -EBADMSG,
			"truncated: the %s ends at 0x%llx, the file at 0x%llx", what,
			(unsigned long long)end, (unsigned long long)f->size);
	return 0;
}

/* Section header 0, which stands there whatever their number is. */
static int read_shdr_0(const struct elf_file *f, struct elf_sec *zero, struct btf_locs_err *err)
{
	uint8_t shdr[sizeof(Elf64_Shdr)];
	uint32_t name_off;
	int ret = elf_file__read(f, f->shoff, elf_file__shdr_size(f), shdr, err);

	return ret ?: parse_shdr(f, 0, shdr, zero, &name_off);
}

/* The counts, which stand in section header 0 where 16 bits are too few for them. */
static int parse_counts(struct elf_file *f, struct btf_locs_err *err)
{
	uint16_t shentsize, shnum, shstrndx;
	struct elf_sec zero;
	uint64_t nr;
	int ret;

	ret = parse_ehdr(f, &shentsize, &shnum, &shstrndx, err);
	if (ret || !f->shoff)
		goto phdrs;
	if (shentsize != elf_file__shdr_size(f))
		return locs_err__set(err, -EBADMSG,
				     "malformed: section headers of %u bytes", shentsize);
	ret = check_table(f, "section header table", f->shoff, shnum ?: 1, shentsize,
			  err);
	ret = ret ?: read_shdr_0(f, &zero, err);
	if (ret)
		return ret;
	nr = shnum ?: zero.size;
	f->shstrndx = shstrndx == SHN_XINDEX ? zero.link : shstrndx;
	if (f->phnum == PN_XNUM)
		f->phnum = zero.info;
	ret = check_table(f, "section header table", f->shoff, nr, shentsize, err);
	if (ret)
		return ret;
	if (nr == 0 || nr > UINT32_MAX)
		return locs_err__set(err, -EBADMSG, "malformed: %llu sections",
				     (unsigned long long)nr);
	f->nr_secs = nr;
phdrs:
	if (!ret && f->phnum)
		ret = check_table(f, "program header table", f->phoff, f->phnum,
				  elf_file__phdr_size(f), err);
	return ret;
}

/* The section names' table, "" of 0 bytes if there is none. */
static int name_table(struct elf_file *f, const char **tab, uint64_t *size,
		      struct btf_locs_err *err)
{
	const uint8_t *names;
	const struct elf_sec *s;
	int ret;

	*tab = "";
	*size = 0;
	if (f->shstrndx == SHN_UNDEF)
		return 0;
	if (f->shstrndx >= f->nr_secs)
		return locs_err__set(err, -EBADMSG,
				     "malformed: section names in section %u of %u",
				     f->shstrndx, f->nr_secs);
	s = &f->secs[f->shstrndx];
	if (s->type != SHT_STRTAB)
		return locs_err__set(
			err, -EBADMSG,
			"malformed: section names in section %u of type 0x%x",
			f->shstrndx, s->type);
	if (!s->size)
		return 0;
	ret = elf_file__raw(f, f->shstrndx, &names, err);
	if (ret)
		return ret;
	*tab = (const char *)names;
	*size = s->size;
	return 0;
}

static int check_extents(const struct elf_file *f, struct btf_locs_err *err)
{
	const struct elf_sec *s;
	uint64_t end;
	uint32_t i;

	for (i = 1; i < f->nr_secs; i++) {
		s = &f->secs[i];
		if (s->type == SHT_NOBITS || s->type == SHT_NULL || s->size == 0)
			continue;
		if (__builtin_add_overflow(s->off, s->size, &end))
			return locs_err__set(
				err, -EBADMSG,
				"malformed: section %.*s at 0x%llx of 0x%llx bytes",
				SEC_NAME_SHOWN, s->name, (unsigned long long)s->off,
				(unsigned long long)s->size);
		if (end > f->size)
			return locs_err__set(
				err, -EBADMSG,
				"truncated: section %.*s ends at 0x%llx, the file at "
				"0x%llx",
				SEC_NAME_SHOWN, s->name, (unsigned long long)end,
				(unsigned long long)f->size);
	}
	return 0;
}

static int parse_sections(struct elf_file *f, struct btf_locs_err *err)
{
	size_t each = elf_file__shdr_size(f);
	const struct elf_sec *names;
	uint32_t i, *name_off;
	uint64_t size;
	const char *tab;
	int ret = 0;

	if (!f->nr_secs)
		return 0;
	f->secs = calloc(f->nr_secs, sizeof(*f->secs));
	f->shdrs = calloc(f->nr_secs, each);
	f->contents = calloc(f->nr_secs, sizeof(*f->contents));
	name_off = calloc(f->nr_secs, sizeof(*name_off));
	if (!f->secs || !f->shdrs || !f->contents || !name_off) {
		ret = locs_err__set(err, -ENOMEM, "out of memory");
		goto out;
	}
	ret = elf_file__read(f, f->shoff, f->nr_secs * each, f->shdrs, err);
	for (i = 0; i < f->nr_secs && !ret; i++) {
		ret = parse_shdr(f, i, f->shdrs + i * each, &f->secs[i], &name_off[i]);
		f->secs[i].name = "";
	}
	/* The names' own extent first, the other extents when they can be named. */
	names = f->shstrndx < f->nr_secs ? &f->secs[f->shstrndx] : NULL;
	if (!ret && names && names->type != SHT_NOBITS && names->size &&
	    (names->size > f->size || names->off > f->size - names->size))
		ret = locs_err__set(
			err, -EBADMSG,
			"truncated: the section names, 0x%llx bytes at 0x%llx, do not fit "
			"in the file's 0x%llx",
			(unsigned long long)names->size, (unsigned long long)names->off,
			(unsigned long long)f->size);
	ret = ret ?: name_table(f, &tab, &size, err);
	for (i = 1; i < f->nr_secs && !ret && f->shstrndx != SHN_UNDEF; i++) {
		if (name_off[i] < size &&
		    memchr(tab + name_off[i], 0, size - name_off[i]))
			f->secs[i].name = tab + name_off[i];
		else if (name_off[i] || size)
			ret = locs_err__set(err, -EBADMSG,
					    "malformed: section %u has no name", i);
	}
	ret = ret ?: check_extents(f, err);
out:
	free(name_off);
	return ret;
}

static int cmp_addr(const void *pa, const void *pb, void *arg)
{
	const struct elf_file *f = arg;
	const struct elf_sec *a = &f->secs[*(const uint32_t *)pa];
	const struct elf_sec *b = &f->secs[*(const uint32_t *)pb];

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->idx < b->idx ? -1 : a->idx > b->idx;
}

static int sort_sections(struct elf_file *f, struct btf_locs_err *err)
{
	uint64_t end, max = 0;
	uint32_t i;

	if (f->type == ET_REL || !f->nr_secs)
		return 0;
	f->by_addr = calloc(f->nr_secs, sizeof(*f->by_addr));
	f->max_end = calloc(f->nr_secs, sizeof(*f->max_end));
	if (!f->by_addr || !f->max_end)
		return locs_err__set(err, -ENOMEM, "out of memory");
	for (i = 1; i < f->nr_secs; i++) {
		const struct elf_sec *s = &f->secs[i];

		if (s->type != SHT_NULL && s->size && (s->flags & SHF_ALLOC) &&
		    !(s->flags & SHF_TLS))
			f->by_addr[f->nr_by_addr++] = i;
	}
	qsort_r(f->by_addr, f->nr_by_addr, sizeof(*f->by_addr), cmp_addr, f);
	for (i = 0; i < f->nr_by_addr; i++) {
		const struct elf_sec *s = &f->secs[f->by_addr[i]];

		if (__builtin_add_overflow(s->addr, s->size, &end))
			end = UINT64_MAX;
		max = end > max ? end : max;
		f->max_end[i] = max;
	}
	return 0;
}

/* The build id among the notes of section @s, as hex in f->build_id; "" where it has none. */
static int find_build_id(struct elf_file *f, const struct elf_sec *s, struct btf_locs_err *err)
{
	size_t size = s->size < NOTES_MAX ? s->size : NOTES_MAX;
	uint8_t *notes = malloc(size);
	const uint8_t *id = NULL;
	uint32_t len = 0;
	int ret;

	ret = notes ? elf_file__read(f, s->off, size, notes, err) : read__failed(-ENOMEM, err);
	if (!ret)
		elf_notes__build_id(notes, size, s->align, f->big, &id, &len);
	if (!ret && len) {
		free(f->build_id);
		f->build_id = malloc((size_t)len * 2 + 1);
		if (f->build_id)
			build_id__hex(id, len, f->build_id);
		else
			ret = read__failed(-ENOMEM, err);
	}
	free(notes);
	return ret;
}

static int read_build_id(struct elf_file *f, struct btf_locs_err *err)
{
	uint32_t i;
	int ret = 0;

	f->build_id = strdup("");
	if (!f->build_id)
		return read__failed(-ENOMEM, err);
	for (i = 1; i < f->nr_secs && !ret && !*f->build_id; i++) {
		const struct elf_sec *s = &f->secs[i];

		if (s->type == SHT_NOTE && s->size && !(s->flags & SHF_COMPRESSED))
			ret = find_build_id(f, s, err);
	}
	return ret;
}

int libelf__failed(const char *what, struct btf_locs_err *err)
{
	const char *why = elf_errmsg(-1);

	/* the number is libelf's own affair */
	if (why && !strcmp(why, "out of memory"))
		return read__failed(-ENOMEM, err);
	return locs_err__set(err, -EBADMSG, "%s: %s", what, why ? why : "unknown");
}

/* Whether libelf, by which the DWARF is read, takes it too. */
static int try_libelf(const struct elf_file *f, struct btf_locs_err *err)
{
	Elf *elf;
	int ret = 0;

	elf_version(EV_CURRENT);
	elf = elf_begin(f->plain.fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		ret = libelf__failed("libelf", err);
	elf_end(elf);
	return ret;
}

int elf_file__map(struct elf_file *f, struct btf_locs_err *err)
{
	struct elf_sec s;
	void *map;

	/* libdw finds the file that is named there beside one that it has open */
	if (f->map || (f->size <= READ_MAX && !f->plain.in_memory &&
		       elf_file__sec_by_name(f, ".gnu_debugaltlink", &s)))
		return 0;
	map = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, f->plain.fd, 0);
	if (map == MAP_FAILED)
		return read__failed(-errno, err);
	f->map = map;
	return 0;
}

int elf_file__open_plain(const char *path, const struct plain_file *plain,
			 struct elf_file **out, struct btf_locs_err *err)
{
	struct elf_file *f = calloc(1, sizeof(*f));
	int ret;

	if (!f) {
		close(plain->fd);
		return locs_err__set(err, -ENOMEM, "out of memory");
	}
	f->plain = *plain;
	f->size = plain->size;
	f->path = strdup(path);
	ret = f->path ? 0 : locs_err__set(err, -ENOMEM, "out of memory");
	pthread_mutex_init(&f->lock, NULL);
	/* nobody can cut what is in memory */
	if (!ret && plain->in_memory && f->size)
		ret = elf_file__map(f, err);
	ret = ret ?: parse_counts(f, err);
	ret = ret ?: parse_sections(f, err);
	ret = ret ?: sort_sections(f, err);
	ret = ret ?: read_build_id(f, err);
	ret = ret ?: try_libelf(f, err);
	if (ret)
		elf_file__close(f);
	else
		*out = f;
	return ret;
}

int elf_file__open(const char *path, struct elf_file **out, struct btf_locs_err *err)
{
	struct plain_file plain;
	int ret;

	ret = file__open_plain(path, &plain, err);
	if (ret == -EINVAL)
		return locs_err__set(err, -ENOEXEC, "not a regular file");
	return ret ?: elf_file__open_plain(path, &plain, out, err);
}

int fd__is_elf(int fd)
{
	char magic[SELFMAG];
	ssize_t n = fd__pread(fd, magic, sizeof(magic), 0);

	if (n < 0)
		return n;
	return n == (ssize_t)sizeof(magic) && !memcmp(magic, ELFMAG, SELFMAG);
}

uint64_t elf_file__size(const struct elf_file *f)
{
	return f->size;
}

bool elf_file__is_mapped(const struct elf_file *f)
{
	return f->map;
}

int elf_file__check_same(const struct elf_file *f, struct btf_locs_err *err)
{
	return plain_file__check_same(&f->plain, err);
}

void elf_file__close(struct elf_file *f)
{
	uint32_t i;

	if (!f)
		return;
	elf_syms__free(f->syms);
	for (i = 0; f->contents && i < f->nr_secs; i++) {
		free(f->contents[i].raw);
		free(f->contents[i].inflated);
	}
	free(f->contents);
	free(f->shdrs);
	free(f->build_id);
	free(f->by_addr);
	free(f->max_end);
	free(f->secs);
	if (f->map)
		munmap((void *)f->map, f->size);
	close(f->plain.fd);
	pthread_mutex_destroy(&f->lock);
	free(f->path);
	free(f);
}

const char *elf_file__path(const struct elf_file *f)
{
	return f->path;
}

int elf_file__fd(const struct elf_file *f)
{
	return f->plain.fd;
}

const char *elf_file__packed(const struct elf_file *f)
{
	return f->plain.packed;
}

uint16_t elf_file__machine(const struct elf_file *f)
{
	return f->machine;
}

uint16_t elf_file__type(const struct elf_file *f)
{
	return f->type;
}

bool elf_file__big(const struct elf_file *f)
{
	return f->big;
}

bool elf_file__is64(const struct elf_file *f)
{
	return f->is64;
}

const char *elf_file__build_id(struct elf_file *f)
{
	return f->build_id;
}

uint32_t elf_file__nr_secs(const struct elf_file *f)
{
	return f->nr_secs;
}

int elf_file__sec(const struct elf_file *f, uint32_t idx, struct elf_sec *out)
{
	if (idx == 0 || idx >= f->nr_secs)
		return -ENOENT;
	*out = f->secs[idx];
	return 0;
}

int elf_file__sec_by_name(const struct elf_file *f, const char *name, struct elf_sec *out)
{
	uint32_t i;

	for (i = 1; i < f->nr_secs; i++) {
		if (f->secs[i].type != SHT_NULL && !strcmp(f->secs[i].name, name)) {
			*out = f->secs[i];
			return 0;
		}
	}
	return -ENOENT;
}

int elf_file__sec_by_addr(const struct elf_file *f, uint64_t addr, struct elf_sec *out)
{
	uint32_t lo = 0, hi = f->nr_by_addr;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (f->secs[f->by_addr[mid]].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo > 0 && f->max_end[lo - 1] > addr; lo--) {
		const struct elf_sec *s = &f->secs[f->by_addr[lo - 1]];

		if (addr - s->addr < s->size) {
			*out = *s;
			return 0;
		}
	}
	return -ENOENT;
}
