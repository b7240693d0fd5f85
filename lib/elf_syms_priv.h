/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf_syms_priv.h - the symbols of an ELF file as they are kept */
#ifndef LOCS_ELF_SYMS_PRIV_H
#define LOCS_ELF_SYMS_PRIV_H

#include "elf_file_priv.h"

#define NO_SYM UINT32_MAX

struct sym {
	struct elf_sym pub;
	uint32_t pos;		/* in the ELF table */
	uint32_t next;		/* of the same hash, in table order; NO_SYM */
	uint32_t next_value;	/* the same by value */
	bool crowded;		/* the first of a long chain by value */
	bool reserved;		/* SHN_ABS, SHN_COMMON, ...: in no section */
};

struct elf_syms {
	int code;		/* of the reading: what every look-up returns, or 0 */
	bool has_symtab;	/* they are of SHT_SYMTAB */
	bool rel;		/* values are offsets: sections apart */
	struct sym *syms;	/* in table order */
	uint32_t nr;
	uint32_t *order;	/* those in a section: by (section if rel,) value, rank */
	uint64_t *max_end;	/* highest end in order[0..i] (of one section if rel) */
	uint32_t nr_order;
	uint32_t *buckets;
	uint32_t *values;	/* as many, by value; made on first use */
	uint32_t nr_buckets;	/* a power of two */
	uint32_t *crowd;	/* those of long chains by value: by (section,) value, name */
	uint32_t nr_crowd;
};

/* The symbols, read on first use. What is wrong with them is remembered too. NULL: no memory. */
struct elf_syms *elf_syms__load(struct elf_file *f);
/*
 * Whether its value is a place in a section. TLS values are not, nor are those of the
 * '$x', '$d' marks that assemblers put between code and data.
 */
bool elf_syms__has_address(const struct elf_file *f, const struct sym *sym);
/* Index of the first symbol that stands at @pos of the ELF table, or behind it. */
uint32_t elf_syms__first_from(const struct elf_syms *s, size_t pos);
/* The symbol that a look-up returned when it left @pos; NULL at its beginning. */
const struct sym *elf_syms__last_found(const struct elf_syms *s, size_t pos);

#endif
