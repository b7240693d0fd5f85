// SPDX-License-Identifier: GPL-2.0-only
/* eh_frame_rel.c - the relocations of a relocatable file that libdwfl leaves undone */
#include "eh_frame_rel.h"

#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cursor.h"

/* RISC-V psABI 1.0; not in elf.h before glibc 2.39 */
enum { RISCV_SET_ULEB128 = 60, RISCV_SUB_ULEB128 = 61 };

/* What a relocation does with S + A, the symbol and the addend; P is its place. */
enum rel_op {
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
	{ EM_X86_64, REL_PCREL, 32, R_X86_64_PC32 },
	{ EM_X86_64, REL_TLS, 32, R_X86_64_DTPOFF32 },
	{ EM_X86_64, REL_TLS, 64, R_X86_64_DTPOFF64 },
	{ EM_386, REL_PCREL, 32, R_386_PC32 },
	{ EM_386, REL_TLS, 32, R_386_TLS_LDO_32 },
	{ EM_AARCH64, REL_PCREL, 32, R_AARCH64_PREL32 },
	{ EM_ARM, REL_PCREL, 32, R_ARM_REL32 },
	{ EM_ARM, REL_TLS, 32, R_ARM_TLS_LDO32 },
	{ EM_S390, REL_PCREL, 32, R_390_PC32 },
	{ EM_S390, REL_TLS, 32, R_390_TLS_LDO32 },
	{ EM_S390, REL_TLS, 64, R_390_TLS_LDO64 },
	{ EM_PPC64, REL_PCREL, 32, R_PPC64_REL32 },
	{ EM_PPC64, REL_TLS, 64, R_PPC64_DTPREL64 },
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
};

/* A section being relocated. */
struct target {
	Elf *elf;
	uint16_t machine;
	bool big;
	bool eh;		/* .eh_frame, which libdwfl has not looked at */
	uint64_t addr;
	uint8_t *data;
	size_t size;
	/* the first of a pair */
	bool pending;
	uint64_t pending_off;
	uint64_t pending_val;
};

/* One relocation, of either form. */
struct rel {
	uint64_t off;
	uint64_t info;
	bool has_addend;
	int64_t addend;
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
static int symbol_value(Elf *elf, Elf_Data *syms, size_t idx, uint64_t *out)
{
	GElf_Shdr shdr;
	GElf_Sym sym;
	Elf_Scn *scn;

	if (!gelf_getsym(syms, idx, &sym))
		return -EBADMSG;
	if (sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE)
		return -EOPNOTSUPP;
	scn = elf_getscn(elf, sym.st_shndx);
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

static int apply_fixed(struct target *t, const struct rel *rel, const struct rel_kind *kind,
		       uint64_t value)
{
	unsigned int size = (kind->bits + 7) / 8;
	uint64_t old, keep = kind->bits < 8 ? 0xff & ~((1u << kind->bits) - 1) : 0;
	uint8_t *p;

	if (rel->off > t->size || t->size - rel->off < size)
		return -EBADMSG;
	p = t->data + rel->off;
	old = bytes__uint(p, size, t->big);
	if (!rel->has_addend)
		value += (uint64_t)(int64_t)(int32_t)old;	/* all without are of 32 bits */
	switch (kind->op) {
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

static int apply(struct target *t, Elf_Data *syms, const struct rel *rel)
{
	const struct rel_kind *kind = rel_kind__find(t->machine, GELF_R_TYPE(rel->info));
	uint64_t value;
	int err;

	if (kind && kind->op == REL_TLS)
		return 0;
	err = symbol_value(t->elf, syms, GELF_R_SYM(rel->info), &value);
	/* one of libdwfl's, which could not be done: it stays the 0 that is no address */
	if (!kind && err == -EOPNOTSUPP && !t->eh)
		return 0;
	if (!kind || err)
		return err ? err : -EOPNOTSUPP;
	value += rel->addend;
	if (t->pending != (kind->op == REL_SUB_ULEB))
		return -EOPNOTSUPP;
	if (kind->op == REL_SET_ULEB || kind->op == REL_SUB_ULEB)
		return apply_uleb(t, rel, kind->op == REL_SET_ULEB, value);
	return apply_fixed(t, rel, kind, value);
}

static int read_rel(Elf_Data *data, bool rela, size_t i, struct rel *out)
{
	GElf_Rela a;
	GElf_Rel r;

	if (rela) {
		if (!gelf_getrela(data, i, &a))
			return -EBADMSG;
		*out = (struct rel){ a.r_offset, a.r_info, true, a.r_addend };
	} else {
		if (!gelf_getrel(data, i, &r))
			return -EBADMSG;
		*out = (struct rel){ r.r_offset, r.r_info, false, 0 };
	}
	return 0;
}

/* All of one table. 1: there was something. */
static int apply_table(struct target *t, Elf_Scn *rels, const GElf_Shdr *shdr)
{
	Elf_Scn *symscn = elf_getscn(t->elf, shdr->sh_link);
	Elf_Data *syms = symscn ? elf_getdata(symscn, NULL) : NULL;
	Elf_Data *data = elf_getdata(rels, NULL);
	struct rel rel;
	size_t i, n;
	int err = 0;

	if (!syms || !data)
		return -EBADMSG;
	n = shdr->sh_entsize ? data->d_size / shdr->sh_entsize : 0;
	for (i = 0; i < n && !err; i++) {
		err = read_rel(data, shdr->sh_type == SHT_RELA, i, &rel);
		if (!err)
			err = apply(t, syms, &rel);
	}
	if (!err && t->pending)
		err = -EOPNOTSUPP;
	if (err)
		return err;
	data->d_size = 0;
	return n > 0;
}

/* All tables of section @scn. 1: there was something. */
static int relocate(Elf *elf, Elf_Scn *scn, bool eh)
{
	struct target t = { .elf = elf, .eh = eh };
	Elf_Scn *rels = NULL;
	GElf_Shdr shdr;
	GElf_Ehdr ehdr;
	Elf_Data *data;
	int ret, any = 0;

	if (!gelf_getshdr(scn, &shdr) || !gelf_getehdr(elf, &ehdr))
		return -EBADMSG;
	t.addr = shdr.sh_addr;
	t.machine = ehdr.e_machine;
	t.big = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	/* as libdw reads the one and the others, which may have been compressed */
	data = eh ? elf_rawdata(scn, NULL) : elf_getdata(scn, NULL);
	if (!data)
		return -EBADMSG;
	t.data = data->d_buf;
	t.size = data->d_buf ? data->d_size : 0;
	while ((rels = elf_nextscn(elf, rels))) {
		if (!gelf_getshdr(rels, &shdr))
			return -EBADMSG;
		if ((shdr.sh_type != SHT_REL && shdr.sh_type != SHT_RELA) ||
		    shdr.sh_info != elf_ndxscn(scn))
			continue;
		ret = apply_table(&t, rels, &shdr);
		if (ret < 0)
			return ret;
		any |= ret;
	}
	return any;
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
	const char *at;
	int ret = 0;

	while (!ret && (scn = next_named(elf, scn, &at)))
		if (!strcmp(at, name))
			ret = relocate(elf, scn, !strcmp(name, ".eh_frame"));
	return ret < 0 ? ret : ret ? 0 : -ENOENT;
}

int elf__relocate_debug(Elf *elf, const char **name)
{
	Elf_Scn *scn = NULL;
	const char *at;
	int ret = 0;

	while (ret >= 0 && (scn = next_named(elf, scn, &at)))
		if (!strncmp(at, ".debug_", 7) && strcmp(at, ".debug_frame"))
			ret = relocate(elf, scn, false);
	if (ret < 0)
		*name = at;
	return ret < 0 ? ret : 0;
}
