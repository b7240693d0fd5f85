// SPDX-License-Identifier: GPL-2.0-only
/* eh_frame_rel.c - relocate the .eh_frame of a relocatable file */
#include "eh_frame_rel.h"

#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cursor.h"

/* The relocation S + A - P in 32 bits, by machine: each psABI's table of relocations. */
static uint32_t pcrel32(uint16_t machine)
{
	switch (machine) {
	case EM_X86_64:		return R_X86_64_PC32;
	case EM_386:		return R_386_PC32;
	case EM_AARCH64:	return R_AARCH64_PREL32;
	case EM_S390:		return R_390_PC32;
	case EM_PPC64:		return R_PPC64_REL32;
	case EM_RISCV:		return R_RISCV_32_PCREL;
	default:		return 0;
	}
}

struct target {
	Elf *elf;
	uint32_t type;		/* of the relocation that is understood */
	bool big;
	uint64_t addr;		/* of .eh_frame */
	uint8_t *data;
	size_t size;
};

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

static int apply(const struct target *t, Elf_Data *syms, uint64_t off, uint64_t info,
		 const int64_t *addend)
{
	uint64_t value;
	uint8_t *p;
	int err;

	if (GELF_R_TYPE(info) != t->type)
		return -EOPNOTSUPP;
	if (off > t->size || t->size - off < 4)
		return -EBADMSG;
	err = symbol_value(t->elf, syms, GELF_R_SYM(info), &value);
	if (err)
		return err;
	p = t->data + off;
	value += addend ? (uint64_t)*addend : (uint64_t)(int32_t)bytes__u32(p, t->big);
	bytes__put_u32(p, value - (t->addr + off), t->big);
	return 0;
}

static int apply_all(const struct target *t, Elf_Scn *rels, const GElf_Shdr *shdr)
{
	Elf_Scn *symscn = elf_getscn(t->elf, shdr->sh_link);
	Elf_Data *syms = symscn ? elf_getdata(symscn, NULL) : NULL;
	Elf_Data *data = elf_getdata(rels, NULL);
	size_t i, n = shdr->sh_entsize ? shdr->sh_size / shdr->sh_entsize : 0;
	GElf_Rela rela;
	GElf_Rel rel;
	int err = 0;

	if (!syms || !data)
		return -EBADMSG;
	for (i = 0; i < n && !err; i++) {
		if (shdr->sh_type == SHT_RELA) {
			if (!gelf_getrela(data, i, &rela))
				return -EBADMSG;
			err = apply(t, syms, rela.r_offset, rela.r_info, &rela.r_addend);
		} else {
			if (!gelf_getrel(data, i, &rel))
				return -EBADMSG;
			err = apply(t, syms, rel.r_offset, rel.r_info, NULL);
		}
	}
	return err;
}

static Elf_Scn *find_eh_frame(Elf *elf, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	const char *name;
	size_t strs;

	if (elf_getshdrstrndx(elf, &strs))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, shdr) ? elf_strptr(elf, strs, shdr->sh_name) : NULL;
		if (name && !strcmp(name, ".eh_frame"))
			return scn;
	}
	return NULL;
}

int eh_frame__relocate(Elf *elf)
{
	struct target t = { .elf = elf };
	Elf_Scn *eh, *scn = NULL;
	GElf_Shdr shdr;
	GElf_Ehdr ehdr;
	Elf_Data *data;
	int err = -ENOENT, ret;

	eh = find_eh_frame(elf, &shdr);
	if (!eh)
		return -ENOENT;
	t.addr = shdr.sh_addr;
	data = elf_rawdata(eh, NULL);
	if (!data || !data->d_buf || !gelf_getehdr(elf, &ehdr))
		return -EBADMSG;
	t.data = data->d_buf;
	t.size = data->d_size;
	t.big = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	t.type = pcrel32(ehdr.e_machine);
	if (!t.type)
		return -EOPNOTSUPP;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr))
			return -EBADMSG;
		if ((shdr.sh_type != SHT_REL && shdr.sh_type != SHT_RELA) ||
		    shdr.sh_info != elf_ndxscn(eh))
			continue;
		ret = apply_all(&t, scn, &shdr);
		if (ret)
			return ret;
		err = 0;
	}
	return err;
}
