// SPDX-License-Identifier: GPL-2.0-only
/* elf_reloc.c - a relocatable file's sections laid out, and what refers to them relocated */
#include "elf_reloc.h"

#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "elf_apart.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

/* RISC-V psABI 1.0; not in elf.h before glibc 2.39 */
enum { RISCV_SET_ULEB128 = 60, RISCV_SUB_ULEB128 = 61 };
/* LoongArch psABI 2.30 */
enum {
	LARCH_32 = 1, LARCH_64 = 2, LARCH_TLS_DTPREL64 = 9,
	LARCH_ADD8 = 47, LARCH_ADD16 = 48, LARCH_ADD32 = 50, LARCH_ADD64 = 51,
	LARCH_SUB8 = 52, LARCH_SUB16 = 53, LARCH_SUB32 = 55, LARCH_SUB64 = 56,
	LARCH_32_PCREL = 99, LARCH_ADD6 = 105, LARCH_SUB6 = 106,
	LARCH_ADD_ULEB128 = 107, LARCH_SUB_ULEB128 = 108,
};

/*
 * Where the first section is put, and how far apart they are: the address behind a section's last
 * byte is no other one's first. Below 2^32, for frames that have but 32 bits for an address.
 */
#define LAYOUT_FIRST	0x10000000u
#define LAYOUT_GAP	64u

/* What a relocation does with S + A, the symbol and the addend; P is its place. */
enum rel_op {
	REL_ABS,		/* puts S + A: an address, or an offset into a DWARF section */
	REL_PCREL,		/* puts S + A - P */
	REL_SET,		/* puts S + A */
	REL_ADD,		/* adds it to what stands there */
	REL_SUB,		/* takes it off */
	REL_SET_ULEB,		/* one of a pair: puts the difference, in as many bytes */
	REL_SUB_ULEB,
	REL_TLS,		/* an offset in a thread's data: no address, nobody asks */
};

struct rel_kind {
	uint16_t machine;
	uint8_t op;
	uint8_t bits;
	uint32_t type;
};

static const struct rel_kind rel_kinds[] = {
	{ EM_X86_64, REL_ABS, 64, R_X86_64_64 },
	{ EM_X86_64, REL_ABS, 32, R_X86_64_32 },
	{ EM_X86_64, REL_ABS, 32, R_X86_64_32S },
	{ EM_X86_64, REL_ABS, 16, R_X86_64_16 },
	{ EM_X86_64, REL_ABS, 8, R_X86_64_8 },
	{ EM_X86_64, REL_PCREL, 32, R_X86_64_PC32 },
	{ EM_X86_64, REL_PCREL, 64, R_X86_64_PC64 },
	{ EM_X86_64, REL_TLS, 32, R_X86_64_DTPOFF32 },
	{ EM_X86_64, REL_TLS, 64, R_X86_64_DTPOFF64 },
	{ EM_386, REL_ABS, 32, R_386_32 },
	{ EM_386, REL_ABS, 16, R_386_16 },
	{ EM_386, REL_ABS, 8, R_386_8 },
	{ EM_386, REL_PCREL, 32, R_386_PC32 },
	{ EM_386, REL_TLS, 32, R_386_TLS_LDO_32 },
	{ EM_AARCH64, REL_ABS, 64, R_AARCH64_ABS64 },
	{ EM_AARCH64, REL_ABS, 32, R_AARCH64_ABS32 },
	{ EM_AARCH64, REL_ABS, 16, R_AARCH64_ABS16 },
	{ EM_AARCH64, REL_PCREL, 64, R_AARCH64_PREL64 },
	{ EM_AARCH64, REL_PCREL, 32, R_AARCH64_PREL32 },
	{ EM_AARCH64, REL_TLS, 64, R_AARCH64_TLS_DTPREL },
	{ EM_ARM, REL_ABS, 32, R_ARM_ABS32 },
	{ EM_ARM, REL_ABS, 16, R_ARM_ABS16 },
	{ EM_ARM, REL_ABS, 8, R_ARM_ABS8 },
	{ EM_ARM, REL_PCREL, 32, R_ARM_REL32 },
	{ EM_ARM, REL_TLS, 32, R_ARM_TLS_LDO32 },
	{ EM_S390, REL_ABS, 64, R_390_64 },
	{ EM_S390, REL_ABS, 32, R_390_32 },
	{ EM_S390, REL_ABS, 16, R_390_16 },
	{ EM_S390, REL_ABS, 8, R_390_8 },
	{ EM_S390, REL_PCREL, 64, R_390_PC64 },
	{ EM_S390, REL_PCREL, 32, R_390_PC32 },
	{ EM_S390, REL_TLS, 32, R_390_TLS_LDO32 },
	{ EM_S390, REL_TLS, 64, R_390_TLS_LDO64 },
	{ EM_PPC64, REL_ABS, 64, R_PPC64_ADDR64 },
	{ EM_PPC64, REL_ABS, 64, R_PPC64_UADDR64 },
	{ EM_PPC64, REL_ABS, 32, R_PPC64_ADDR32 },
	{ EM_PPC64, REL_ABS, 32, R_PPC64_UADDR32 },
	{ EM_PPC64, REL_ABS, 16, R_PPC64_ADDR16 },
	{ EM_PPC64, REL_PCREL, 64, R_PPC64_REL64 },
	{ EM_PPC64, REL_PCREL, 32, R_PPC64_REL32 },
	{ EM_PPC64, REL_TLS, 64, R_PPC64_DTPREL64 },
	{ EM_RISCV, REL_ABS, 64, R_RISCV_64 },
	{ EM_RISCV, REL_ABS, 32, R_RISCV_32 },
	{ EM_RISCV, REL_PCREL, 32, R_RISCV_32_PCREL },
	{ EM_RISCV, REL_TLS, 64, R_RISCV_TLS_DTPREL64 },
	{ EM_RISCV, REL_SET, 6, R_RISCV_SET6 },
	{ EM_RISCV, REL_SET, 8, R_RISCV_SET8 },
	{ EM_RISCV, REL_SET, 16, R_RISCV_SET16 },
	{ EM_RISCV, REL_SET, 32, R_RISCV_SET32 },
	{ EM_RISCV, REL_ADD, 8, R_RISCV_ADD8 },
	{ EM_RISCV, REL_ADD, 16, R_RISCV_ADD16 },
	{ EM_RISCV, REL_ADD, 32, R_RISCV_ADD32 },
	{ EM_RISCV, REL_ADD, 64, R_RISCV_ADD64 },
	{ EM_RISCV, REL_SUB, 6, R_RISCV_SUB6 },
	{ EM_RISCV, REL_SUB, 8, R_RISCV_SUB8 },
	{ EM_RISCV, REL_SUB, 16, R_RISCV_SUB16 },
	{ EM_RISCV, REL_SUB, 32, R_RISCV_SUB32 },
	{ EM_RISCV, REL_SUB, 64, R_RISCV_SUB64 },
	{ EM_RISCV, REL_SET_ULEB, 0, RISCV_SET_ULEB128 },
	{ EM_RISCV, REL_SUB_ULEB, 0, RISCV_SUB_ULEB128 },
	{ EM_LOONGARCH, REL_ABS, 64, LARCH_64 },
	{ EM_LOONGARCH, REL_ABS, 32, LARCH_32 },
	{ EM_LOONGARCH, REL_PCREL, 32, LARCH_32_PCREL },
	{ EM_LOONGARCH, REL_TLS, 64, LARCH_TLS_DTPREL64 },
	{ EM_LOONGARCH, REL_ADD, 6, LARCH_ADD6 },
	{ EM_LOONGARCH, REL_ADD, 8, LARCH_ADD8 },
	{ EM_LOONGARCH, REL_ADD, 16, LARCH_ADD16 },
	{ EM_LOONGARCH, REL_ADD, 32, LARCH_ADD32 },
	{ EM_LOONGARCH, REL_ADD, 64, LARCH_ADD64 },
	{ EM_LOONGARCH, REL_SUB, 6, LARCH_SUB6 },
	{ EM_LOONGARCH, REL_SUB, 8, LARCH_SUB8 },
	{ EM_LOONGARCH, REL_SUB, 16, LARCH_SUB16 },
	{ EM_LOONGARCH, REL_SUB, 32, LARCH_SUB32 },
	{ EM_LOONGARCH, REL_SUB, 64, LARCH_SUB64 },
	/* what stands there is 0 */
	{ EM_LOONGARCH, REL_SET_ULEB, 0, LARCH_ADD_ULEB128 },
	{ EM_LOONGARCH, REL_SUB_ULEB, 0, LARCH_SUB_ULEB128 },
};

/* A section being relocated. */
struct target {
	Elf *elf;
	uint16_t machine;
	bool big;
	uint64_t addr;
	uint8_t *data;
	size_t size;
	/* the first of a pair */
	bool pending;
	uint64_t pending_off;
	uint64_t pending_val;
};

static const struct rel_kind *rel_kind__find(uint16_t machine, uint32_t type)
{
	size_t i;

	for (i = 0; i < sizeof(rel_kinds) / sizeof(rel_kinds[0]); i++)
		if (rel_kinds[i].machine == machine && rel_kinds[i].type == type)
			return &rel_kinds[i];
	return NULL;
}

/* The value of symbol @idx: its section's address and its offset in that. */
static int symbol_value(const struct target *t, const struct rel_table *table, uint32_t idx,
			uint64_t *out)
{
	GElf_Shdr shdr;
	uint32_t sec;
	GElf_Sym sym;
	Elf_Scn *scn;
	int err = rel_table__symbol(table, idx, &sym, &sec);

	if (err)
		return err;
	if (sym.st_shndx == SHN_ABS) {
		*out = sym.st_value;
		return 0;
	}
	scn = elf_getscn(t->elf, sec);
	if (!scn || !gelf_getshdr(scn, &shdr))
		return -EBADMSG;
	*out = shdr.sh_addr + sym.st_value;
	return 0;
}

/* @size bytes at @p, in the file's order; the other way round: bytes__uint(). */
static void put_bytes(uint8_t *p, unsigned int size, uint64_t v, bool big)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = v >> 8 * i;
}

/* Puts @v over the ULEB128 that stands at @p, in as many bytes: the label after it stays. */
static int put_uleb(uint8_t *p, size_t left, uint64_t v)
{
	size_t i;

	for (i = 0; i < left; i++, v >>= 7) {
		if (!(p[i] & 0x80)) {
			p[i] = v;
			return v < 0x80 ? 0 : -EBADMSG;
		}
		p[i] = 0x80 | (v & 0x7f);
	}
	return -EBADMSG;
}

/* The two of a pair stand one behind the other, at one place. */
static int apply_uleb(struct target *t, const struct rel *rel, bool set, uint64_t value)
{
	if (set) {
		if (t->pending)
			return -EOPNOTSUPP;
		t->pending = true;
		t->pending_off = rel->off;
		t->pending_val = value;
		return 0;
	}
	if (!t->pending || t->pending_off != rel->off || rel->off >= t->size)
		return -EOPNOTSUPP;
	t->pending = false;
	return put_uleb(t->data + rel->off, t->size - rel->off, t->pending_val - value);
}

/* @known: the symbol has a value; an address without one becomes 0, where nothing is. */
static int apply_fixed(struct target *t, const struct rel *rel, const struct rel_kind *kind,
		       uint64_t value, bool known)
{
	unsigned int size = (kind->bits + 7) / 8;
	uint64_t old, keep = kind->bits < 8 ? 0xff & ~((1u << kind->bits) - 1) : 0;
	uint8_t *p;

	if (rel->off > t->size || t->size - rel->off < size)
		return -EBADMSG;
	p = t->data + rel->off;
	old = bytes__uint(p, size, t->big);
	if (!rel->has_addend)
		value += (uint64_t)((int64_t)(old << (64 - 8 * size)) >> (64 - 8 * size));
	switch (kind->op) {
	case REL_ABS:
		value = known ? value : 0;
		break;
	case REL_PCREL:
		value -= t->addr + rel->off;
		break;
	case REL_ADD:
		value = old + value;
		break;
	case REL_SUB:
		value = old - value;
		break;
	}
	put_bytes(p, size, (old & keep) | (value & ~keep), t->big);
	return 0;
}

static int apply(struct target *t, const struct rel_table *table, const struct rel *rel)
{
	const struct rel_kind *kind = rel_kind__find(t->machine, rel->type);
	uint64_t value = 0;
	int err;

	/* 0 is none, on every machine: ld -r leaves it where it has thrown the symbol away */
	if (!rel->type || (kind && kind->op == REL_TLS))
		return 0;
	if (!kind)
		return -EOPNOTSUPP;
	err = symbol_value(t, table, rel->sym, &value);
	if (err && (err != -EOPNOTSUPP || kind->op != REL_ABS || t->pending))
		return err;
	value += rel->addend;
	if (t->pending != (kind->op == REL_SUB_ULEB))
		return -EOPNOTSUPP;
	if (kind->op == REL_SET_ULEB || kind->op == REL_SUB_ULEB)
		return apply_uleb(t, rel, kind->op == REL_SET_ULEB, value);
	return apply_fixed(t, rel, kind, value, !err);
}

uint32_t rel_table__section(const struct rel_table *t, const struct rel *rel, unsigned int size)
{
	const struct rel_kind *kind = rel_kind__find(t->machine, rel->type);
	uint32_t sec;
	GElf_Sym sym;

	if (!kind || kind->op != REL_ABS || kind->bits != 8 * size ||
	    rel_table__symbol(t, rel->sym, &sym, &sec) || sym.st_shndx == SHN_ABS)
		return 0;
	return sec;
}

/* All tables of section @scn. 1: there was something. */
static int relocate(const struct rel_index *ix, Elf_Scn *scn, bool raw, bool done)
{
	struct target t = { .elf = ix->elf, .machine = ix->machine };
	size_t i, nr = 0;
	struct rel_table table;
	GElf_Shdr shdr;
	GElf_Ehdr ehdr;
	Elf_Data *data;
	struct rel rel;
	int ret, any = 0;

	if (!gelf_getshdr(scn, &shdr) || !gelf_getehdr(ix->elf, &ehdr))
		return -EBADMSG;
	t.addr = shdr.sh_addr;
	t.big = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	/* as libdw reads the one and the others, which may have been compressed */
	data = raw ? elf_rawdata(scn, NULL) : elf_getdata(scn, NULL);
	if (!data)
		return -EBADMSG;
	t.data = data->d_buf;
	t.size = data->d_buf ? data->d_size : 0;
	while (!(ret = rel_index__table(ix, scn, nr++, &table))) {
		for (i = 0; i < table.nr && !ret; i++) {
			ret = rel_table__get(&table, i, &rel);
			if (!ret)
				ret = apply(&t, &table, &rel);
		}
		if (!ret && t.pending)
			ret = -EOPNOTSUPP;
		if (ret)
			return ret;
		any |= table.nr > 0;
		if (done)
			table.data->d_size = 0;
	}
	return ret < 0 ? ret : any;
}

/* The next section after @scn, with its name; NULL at the end. */
static Elf_Scn *next_named(Elf *elf, Elf_Scn *scn, const char **name)
{
	GElf_Shdr shdr;
	size_t strs;

	if (elf_getshdrstrndx(elf, &strs))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		*name = gelf_getshdr(scn, &shdr) ? elf_strptr(elf, strs, shdr.sh_name) : NULL;
		if (*name && shdr.sh_type != SHT_REL && shdr.sh_type != SHT_RELA)
			break;
	}
	return scn;
}

int elf__relocate_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	struct rel_index ix;
	const char *at;
	int ret;

	ret = rel_index__init(&ix, elf);
	if (ret)
		return ret;
	while (!ret && (scn = next_named(elf, scn, &at)))
		if (!strcmp(at, name))
			ret = relocate(&ix, scn, !strcmp(name, ".eh_frame"), true);
	rel_index__free(&ix);
	return ret < 0 ? ret : ret ? 0 : -ENOENT;
}

/*
 * What is read, and has relocations; .zdebug: compressed in the old way. Strings have none, and
 * libdw has measured them: their last byte must stay what it is.
 */
static bool is_debug(const char *name)
{
	static const char *const names[] = {
		"info", "types", "line", "addr", "str_offsets", "loc", "loclists", "ranges",
		"rnglists",
	};
	size_t i;

	if (!strncmp(name, ".zdebug_", 8))
		name += 8;
	else if (!strncmp(name, ".debug_", 7))
		name += 7;
	else
		return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool is_changed(const char *name)
{
	return is_debug(name) || !strcmp(name, ".debug_frame") || !strcmp(name, ".eh_frame");
}

/*
 * Whether libdw has not taken the section, and it is as it stands in the file: those of groups are
 * left out, and stay compressed.
 */
static bool is_left_out(Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Shdr shdr;

	if (!gelf_getshdr(scn, &shdr) || (shdr.sh_flags & (SHF_GROUP | SHF_COMPRESSED)))
		return true;
	return data && data->d_buf && data->d_size >= 4 && !memcmp(data->d_buf, "ZLIB", 4);
}

int elf__relocate_debug(Elf *elf, const char **name)
{
	Elf_Scn *scn = NULL;
	struct rel_index ix;
	const char *at;
	int ret;

	*name = "DWARF";
	ret = rel_index__init(&ix, elf);
	if (ret)
		return ret;
	while (ret >= 0 && (scn = next_named(elf, scn, &at)))
		if (is_debug(at) && !is_left_out(scn))
			ret = relocate(&ix, scn, false, false);
	if (ret < 0)
		*name = at;
	rel_index__free(&ix);
	return ret < 0 ? ret : 0;
}

int elf__lay_out(Elf *elf)
{
	uint64_t at = LAYOUT_FIRST, end;
	bool wide = gelf_getclass(elf) == ELFCLASS64;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	int err = elf__check_apart(elf, is_changed);

	if (err)
		return err;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr))
			return -EBADMSG;
		shdr.sh_addr = 0;
		if (shdr.sh_flags & SHF_ALLOC) {
			shdr.sh_addr = at;
			if (__builtin_add_overflow(at, shdr.sh_size, &end) ||
			    __builtin_add_overflow(end, 2 * (uint64_t)LAYOUT_GAP, &end) ||
			    (!wide && end > UINT32_MAX))
				return -EBADMSG;
			at = end & ~(uint64_t)(LAYOUT_GAP - 1);
		}
		if (!gelf_update_shdr(scn, &shdr))
			return -EBADMSG;
	}
	return 0;
}
