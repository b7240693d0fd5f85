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

#include "rel_table.h"

/*
 * Gives each SHF_ALLOC section an address of its own (sh_addr), ascending by index, with a gap
 * behind each. @elf: opened with ELF_C_READ_MMAP_PRIVATE. -EBADMSG: they do not fit, or what is to
 * be relocated lies over another part of the file; -ENOMEM.
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
 * The same for every section of DWARF that is read but .debug_frame, once; the tables stay. Addresses of symbols
 * that are not in the file become 0, where no section is; offsets of thread-local data stay as
 * they are. @name: set to the section (the file's string) on -EOPNOTSUPP and -EBADMSG. 0 also
 * where there are none.
 */
int elf__relocate_debug(Elf *elf, const char **name);

/*
 * The section that the @size bytes at a relocation's place are an address in, once it has been
 * applied. 0: not known, or they are something else.
 */
uint32_t rel_table__section(const struct rel_table *t, const struct rel *rel, unsigned int size);

#endif
