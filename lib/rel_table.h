/* SPDX-License-Identifier: GPL-2.0-only */
/* rel_table.h - the tables of relocations of a relocatable file, as they are written */
#ifndef LOCS_REL_TABLE_H
#define LOCS_REL_TABLE_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

/* A section that says something of another one. */
struct rel_link {
	uint32_t of;		/* the other one's index */
	uint32_t at;		/* its own */
};

/* Which tables there are for which section: found once, in any number of sections. */
struct rel_index {
	Elf *elf;
	uint16_t machine;
	struct rel_link *rels;	/* by (of, at): SHT_REL, SHT_RELA, SHT_CREL */
	size_t nr_rels;
	struct rel_link *xindexes;	/* SHT_SYMTAB_SHNDX, of symbol tables */
	size_t nr_xindexes;
};

/*
 * -ENOMEM; -EBADMSG: the tables together are larger than the file, so that they share bytes, and
 * would take more time than such a file may.
 */
int rel_index__init(struct rel_index *ix, Elf *elf);
void rel_index__free(struct rel_index *ix);

/* A table of relocations. */
struct rel_table {
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

/*
 * Table number @i, from 0, for section @scn. 0, 1: it has no more; -EOPNOTSUPP: it is packed
 * (SHT_CREL), -EBADMSG.
 */
int rel_index__table(const struct rel_index *ix, Elf_Scn *scn, size_t i, struct rel_table *out);
/* Relocation @i. 0 or -EBADMSG. */
int rel_table__get(const struct rel_table *t, size_t i, struct rel *out);
/*
 * Symbol @idx, and in @sec the index of its section where it has one (where its st_shndx is
 * SHN_ABS, it has none). -EOPNOTSUPP: it is not in the file (SHN_UNDEF, SHN_COMMON); -EBADMSG.
 */
int rel_table__symbol(const struct rel_table *t, uint32_t idx, GElf_Sym *sym, uint32_t *sec);

#endif
