/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf_file_priv.h - what elf_file.c, elf_data.c, elf_syms.c and elf_write.c share */
#ifndef LOCS_ELF_FILE_PRIV_H
#define LOCS_ELF_FILE_PRIV_H

#include <pthread.h>

#include "elf_file.h"

#define SEC_NAME_SHOWN 80	/* bytes of a section name in an error line */

struct elf_syms;

/* What has been asked for of a section. */
struct elf_contents {
	uint8_t *raw;		/* its bytes, where the file is not mapped; or NULL */
	void *inflated;		/* or NULL */
	size_t inflated_size;
};

struct elf_file {
	char *path;
	struct plain_file plain;
	/*
	 * All of it, or NULL. A mapping of our own, beside libelf's: libdw decompresses and
	 * elf_reloc.c relocates in place what libelf hands out, these bytes stay the file's.
	 */
	const uint8_t *map;
	uint64_t size;		/* of the file */
	pthread_mutex_t lock;	/* of contents[], where it is not mapped */
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
	uint8_t *shdrs;		/* their table as it stands in the file */
	struct elf_sec *secs;
	uint32_t *by_addr;	/* allocated sections in address order */
	uint64_t *max_end;	/* highest end among by_addr[0..i] */
	uint32_t nr_by_addr;
	struct elf_contents *contents;	/* per section */
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

/*
 * elf_data.c: @size bytes at @off, which lie in the file. -EIO: it cannot be read, or was cut
 * short.
 */
int elf_file__read(const struct elf_file *f, uint64_t off, size_t size, void *buf,
		   struct btf_locs_err *err);
/*
 * The bytes of section @idx as they stand in the file, all s->size; it has some. They live until
 * the file is closed. Threads may ask at once. -EIO, -ENOMEM.
 */
int elf_file__raw(struct elf_file *f, uint32_t idx, const uint8_t **out,
		  struct btf_locs_err *err);

/* elf_syms.c; NULL is accepted */
void elf_syms__free(struct elf_syms *s);

#endif
