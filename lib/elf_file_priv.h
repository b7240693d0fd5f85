/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf_file_priv.h - what elf_file.c, elf_data.c, elf_syms.c and elf_write.c share */
#ifndef LOCS_ELF_FILE_PRIV_H
#define LOCS_ELF_FILE_PRIV_H

#include "elf_file.h"

#define SEC_NAME_SHOWN 80	/* bytes of a section name in an error line */

struct elf_syms;

struct elf_inflated {
	void *data;
	size_t size;
};

struct elf_file {
	char *path;
	int fd;
	const char *packed;	/* NULL: it is not compressed */
	Elf *elf;
	/*
	 * A mapping of our own, beside libelf's: libdw decompresses and elf_reloc.c
	 * relocates in place what libelf hands out, these bytes stay the file's.
	 */
	const uint8_t *map;
	size_t map_size;
	bool big;
	bool is64;
	uint16_t type;
	uint16_t machine;
	uint16_t ehsize;
	uint64_t phoff;
	uint64_t phnum;		/* the real one where PN_XNUM stood */
	uint64_t shoff;
	uint32_t shstrndx;	/* the real one where SHN_XINDEX stood */
	uint32_t nr_secs;	/* with the null section; 0: no section header table */
	struct elf_sec *secs;
	uint32_t *by_addr;	/* allocated sections in address order */
	uint64_t *max_end;	/* highest end among by_addr[0..i] */
	uint32_t nr_by_addr;
	struct elf_inflated *inflated;	/* per section, or NULL: nothing inflated yet */
	char *build_id;
	struct elf_syms *syms;	/* NULL until the first symbol is asked for */
};

/* Bytes of the on-disk structures of this file's class. */
static inline size_t elf_file__ehdr_size(const struct elf_file *f)
{
	return f->is64 ? 64 : 52;
}

static inline size_t elf_file__shdr_size(const struct elf_file *f)
{
	return f->is64 ? 64 : 40;
}

static inline size_t elf_file__phdr_size(const struct elf_file *f)
{
	return f->is64 ? 56 : 32;
}

/* elf_syms.c; NULL is accepted */
void elf_syms__free(struct elf_syms *s);

#endif
