/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * elf_file.h - an ELF file opened for reading: sections, symbols, build id
 *
 * Over libelf. Either class, either byte order.
 */
#ifndef LOCS_ELF_FILE_H
#define LOCS_ELF_FILE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "unpack.h"

struct elf_file;

struct elf_sec {
	uint32_t idx;
	const char *name;	/* the file's */
	uint32_t type;		/* SHT_* */
	uint64_t flags;		/* SHF_* */
	uint64_t addr;		/* as linked, 0 in a relocatable file */
	uint64_t off;		/* in the file */
	uint64_t size;		/* bytes in the file (in memory for SHT_NOBITS) */
	uint64_t align;
	uint32_t link;
	uint32_t info;
};

struct elf_sym {
	const char *name;	/* the file's */
	uint64_t value;		/* address; offset in its section in a relocatable file */
	uint64_t size;
	uint32_t shndx;		/* the real one where SHN_XINDEX stood; or SHN_ABS, ... */
	uint8_t type;		/* STT_* */
	uint8_t bind;		/* STB_* */
};

/*
 * Opens @path read only; where it is compressed (unpack.h), its unpacked bytes. Checked before
 * anything is believed: it is a regular file ("is a directory", ...), ELF ("not an ELF
 * file"), and whole: both header tables and the contents of every section lie inside the file
 * ("truncated: section .debug_info ends at 0x..., the file at 0x..."), every section's name in
 * the name table.
 * -ENOENT, -EACCES, -EISDIR, ...: as open(2); -ENOEXEC: not ELF or not a regular file;
 * -EBADMSG: cut off or malformed; -EFBIG, -EOPNOTSUPP: compressed, and cannot be unpacked;
 * -EIO: cannot be read, or was cut short meanwhile; -ENOMEM. @err's line does not name the file:
 * the caller puts it in front.
 */
int elf_file__open(const char *path, struct elf_file **out, struct btf_locs_err *err);
/*
 * The same of a file that file__open_plain() has opened. @plain->fd is @out's, or closed where
 * this fails. @path: what the file is called, no more.
 */
int elf_file__open_plain(const char *path, const struct plain_file *plain,
			 struct elf_file **out, struct btf_locs_err *err);
void elf_file__close(struct elf_file *f);	/* NULL is accepted */
/* Whether what is open there begins as ELF does: 1, 0, or a negative errno: it cannot be read. */
int fd__is_elf(int fd);

/*
 * Maps the file if it is large (over 16 MiB, or libdw needs to know where it is), for whoever reads
 * much of it; else, and until then, what is asked for is read. One that is cut while it is mapped ends the process with SIGBUS, so this is for
 * programs that handle that. -ENOMEM, ...
 */
int elf_file__map(struct elf_file *f, struct btf_locs_err *err);
uint64_t elf_file__size(const struct elf_file *f);	/* bytes, unpacked */
bool elf_file__is_mapped(const struct elf_file *f);
/*
 * Whether the file is still what it was at open (size and time): 0 or -EIO ("was cut short while
 * it was read").
 */
int elf_file__check_same(const struct elf_file *f, struct btf_locs_err *err);

/*
 * The line for what libelf has just refused, "@what: its reason": -EBADMSG, or -ENOMEM where it
 * had no memory.
 */
int libelf__failed(const char *what, struct btf_locs_err *err);

const char *elf_file__path(const struct elf_file *f);
int elf_file__fd(const struct elf_file *f);	/* of the unpacked bytes */
/* What the file was compressed with ("xz"), or NULL: nothing can be written into it. */
const char *elf_file__packed(const struct elf_file *f);
uint16_t elf_file__machine(const struct elf_file *f);	/* e_machine */
uint16_t elf_file__type(const struct elf_file *f);	/* e_type: ET_REL, ... */
bool elf_file__big(const struct elf_file *f);
bool elf_file__is64(const struct elf_file *f);

/*
 * Sections, by index from 1 (0 is the null section, ENOENT). -ENOENT if not there.
 * nr_secs counts the null section: indexes are below it. 0: no section header table.
 */
uint32_t elf_file__nr_secs(const struct elf_file *f);
int elf_file__sec(const struct elf_file *f, uint32_t idx, struct elf_sec *out);
/* The first section of that name. */
int elf_file__sec_by_name(const struct elf_file *f, const char *name,
			  struct elf_sec *out);
/* The SHF_ALLOC section, not TLS, that holds the address; not in relocatable files. */
int elf_file__sec_by_addr(const struct elf_file *f, uint64_t addr, struct elf_sec *out);

/*
 * A section's contents, decompressed where it is compressed (SHF_COMPRESSED, zlib). Valid
 * until the file is closed. Threads may ask at the same time for what is not compressed.
 * -ENOENT; -ENODATA: the file has none of its bytes (SHT_NOBITS, as in a
 * file that only has the debug info); -EOPNOTSUPP: compressed in a way that is not known
 * (zstd); -EBADMSG: the compressed bytes are malformed; -EIO: it cannot be read, or was cut
 * short; -ENOMEM.
 */
int elf_file__data(struct elf_file *f, uint32_t idx, const void **data, size_t *size,
		   struct btf_locs_err *err);

/*
 * Whether its DWARF can be read: 0, -ENODATA: there is no .debug_info (nor .zdebug_info)
 * or it is empty, -EOPNOTSUPP: a .debug section is compressed by something that libdw
 * cannot undo ("section .debug_info is compressed with zstd, which this elfutils cannot
 * read: use objcopy --decompress-debug-sections"; elfutils < 0.189 then finds no units
 * and says nothing, so this looks at ch_type itself); -EBADMSG: a compressed section
 * that is too short for its header.
 */
int elf_file__check_dwarf(struct elf_file *f, struct btf_locs_err *err);

/* The build id as lower-case hex, "" if there is none. */
const char *elf_file__build_id(struct elf_file *f);

/*
 * Symbols of .symtab (of .dynsym where there is none). Functions, objects and labels with
 * a name, not undefined, not section or file symbols. Read and sorted on first use.
 *
 * by_addr: the symbol whose [value, value + size) holds @addr, the innermost of several,
 * or, for one without a size, starts there or is the nearest below in the same section;
 * among several that start at one place the order is: FUNC before others, GLOBAL before
 * WEAK before LOCAL, then the first in the table. @shndx: only symbols of that section
 * (relocatable files), 0 for any. Absolute and TLS symbols have no address.
 * by_name: the first of that name at or after @*pos in the table; @*pos then stands
 * behind it.
 * Both -ENOENT if there is none, -EBADMSG: the symbol table is malformed, -ENOMEM.
 */
int elf_file__sym_by_addr(struct elf_file *f, uint64_t addr, uint32_t shndx,
			  struct elf_sym *out);
int elf_file__sym_by_name(struct elf_file *f, const char *name, size_t *pos,
			  struct elf_sym *out);
/* Whether it has a .symtab, where every function is, not only what others may use. */
bool elf_file__has_symtab(const struct elf_file *f);
/*
 * The symbols that have an address and whose value is exactly @value, in table order: the first
 * at or after @*pos (0 at first); @*pos then stands behind it. @shndx: only those of that
 * section, 0 for any. Errors as above. Once one call has returned, threads may call this and
 * sym_by_name at the same time.
 */
int elf_file__sym_at(struct elf_file *f, uint64_t value, uint32_t shndx, size_t *pos,
		     struct elf_sym *out);
/*
 * Those of them that are called @name, or @name and a suffix behind a dot, in any order. @shndx: 0
 * only where it is no relocatable file. @*pos: 0 at first, and good for this call alone.
 */
int elf_file__sym_called_at(struct elf_file *f, uint64_t value, uint32_t shndx, const char *name,
			    size_t *pos, struct elf_sym *out);

#endif
