/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * elf_write.h - put a section into an ELF file, put bytes into a file, atomically
 *
 * "Atomically": a new file in the same folder, written, fsynced and renamed over the
 * old one. Killed at any moment, or on a full disk, the old file is whole.
 */
#ifndef LOCS_ELF_WRITE_H
#define LOCS_ELF_WRITE_H

#include <stddef.h>

#include "err.h"

/*
 * Adds the section @name (SHT_PROGBITS, not allocated, alignment 4) to the ELF file at
 * @path, or replaces the one it has. Everything else stays as it is: program headers,
 * every other section's index, offset, contents and alignment, the symbol table; mode,
 * owner, xattrs (and so ACLs) of the file; a symbolic link stays one and its target is
 * replaced. Other hard links to the file keep the old bytes.
 *
 * Only the section header table and the section name table move to the end of the
 * file. Done twice with the same bytes it leaves the same file.
 *
 * -ENOENT, -EISDIR, -EACCES, -EROFS, -EPERM, ...: not there, not writable, or its owner
 * or an xattr cannot be kept; -ENOSPC; -ENOEXEC: not ELF; -EBADMSG: cut off or malformed;
 * -EOPNOTSUPP: a form that cannot take a section (no section names, a signed module, a
 * compressed file);
 * -EFBIG: does not fit in ELF32. @err's line does not name the file.
 */
int elf_write__section(const char *path, const char *name, const void *data, size_t size,
		       struct btf_locs_err *err);

/*
 * The same in two steps, for whoever has something else to do meanwhile (the copying takes time):
 * begin copies what is kept into the new file; end adds the section and puts the new file in
 * place, or fails and drops it. The object must not change in between. After end or abort
 * @w is gone.
 */
struct elf_write;
int elf_write__begin(const char *path, const char *name, struct elf_write **out,
		     struct btf_locs_err *err);
int elf_write__end(struct elf_write *w, const void *data, size_t size,
		   struct btf_locs_err *err);
void elf_write__abort(struct elf_write *w);	/* NULL is accepted */

/*
 * A whole file of these bytes, in place of an old one in one step. An existing one keeps
 * its mode, owner and xattrs; a new one gets 0666 less the umask. What is no regular file
 * (/dev/null, a pipe) is written into. Errors as above.
 */
int file__write(const char *path, const void *data, size_t size,
		struct btf_locs_err *err);

/* All of it to an open file, where that stands. */
int fd__write(int fd, const void *data, size_t size, struct btf_locs_err *err);

#endif
