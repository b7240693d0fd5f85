/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_reloc.h - a relocatable file's sections laid out, and what refers to them relocated
 *
 * In memory alone, as a debugger does it (and libdwfl, whose sections touch each other: there the
 * end of one is the start of the next). DWARF is then read as in a linked file, and what an
 * address is in is told by its section.
 */
#ifndef LOCS_ELF_RELOC_H
#define LOCS_ELF_RELOC_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Gives each SHF_ALLOC section an address of its own (sh_addr), ascending by index, with a gap
 * behind each. @elf: opened with ELF_C_READ_MMAP_PRIVATE. -EBADMSG: they do not fit.
 */
int elf__lay_out(Elf *elf);

/*
 * Applies the relocations of the section called @name (each psABI's table of relocations). What
 * has been done is taken out of the tables: a second call finds nothing left.
 *
 * 0; -ENOENT: no such section, or no relocations; -EOPNOTSUPP: a relocation that is not known, or
 * of a distance to a symbol that is not in the file: some of the section's addresses mean nothing,
 * and it must not be used; -EBADMSG.
 */
int elf__relocate_section(Elf *elf, const char *name);

/*
 * The same for every .debug section but .debug_frame, once; the tables stay. Addresses of symbols
 * that are not in the file become 0, where no section is; offsets of thread-local data stay as
 * they are. @name: set to the section (the file's string) on -EOPNOTSUPP and -EBADMSG. 0 also
 * where there are none.
 */
int elf__relocate_debug(Elf *elf, const char **name);

/* A table of relocations. */
struct rel_table {
	Elf *elf;
	uint16_t machine;
	bool rela;
	Elf_Data *data;
	size_t nr;
	Elf_Data *syms;
	Elf_Data *xindex;	/* NULL: no symbol needs it */
};

/* One relocation, of either form. */
struct rel {
	uint64_t off;		/* into the section that it is of */
	uint32_t type;
	uint32_t sym;
	bool has_addend;
	int64_t addend;		/* else what stands at the place before */
};

/* The next table for section @scn behind *@from (NULL at first). 0, 1: none, -EBADMSG. */
int rel_table__next(Elf *elf, Elf_Scn *scn, Elf_Scn **from, struct rel_table *out);
/* Relocation @i. 0 or -EBADMSG. */
int rel_table__get(const struct rel_table *t, size_t i, struct rel *out);
/*
 * Symbol @idx and the index of its section, or SHN_ABS. -EOPNOTSUPP: it is not in the file
 * (SHN_UNDEF, SHN_COMMON); -EBADMSG.
 */
int rel_table__symbol(const struct rel_table *t, uint32_t idx, GElf_Sym *sym, uint32_t *sec);
/*
 * The section that the @size bytes at a relocation's place are an address in, once it has been
 * applied. 0: not known, or they are something else.
 */
uint32_t rel_table__section(const struct rel_table *t, const struct rel *rel, unsigned int size);

#endif
