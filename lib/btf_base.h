/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * btf_base.h - which BTF an object's types live in, opened and kept open
 *
 * Used by the encoder and by the reader, so that both mean the same chain.
 */
#ifndef LOCS_BTF_BASE_H
#define LOCS_BTF_BASE_H

#include "btf_chain.h"
#include "elf_file.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"	/* the base where none is named */

struct btf_base;

/*
 * The chain for the object at @path. @file: the object, opened, borrowed; NULL where
 * @path is a detached section (its bytes are not read here). @bases: what the user
 * named with -B, the root first, each an ELF file with .BTF or raw BTF.
 *
 * - @file has a .BTF that is not split: @bases given -> they alone are the chain;
 *   not given -> that .BTF alone;
 * - @file has a split .BTF: below it stands its own .BTF.base, if it has that section (its
 *   ids are counted from there, whatever is named); else @bases; without them
 *   /sys/kernel/btf/vmlinux;
 * - @file has no .BTF: @bases, and without them -ENOENT ("no .BTF");
 * - no @file: @bases; without them, where @path ends in ".func_info", the file of that
 *   name without the suffix, if there is one and it is no directory (ELF: treated as a
 *   @file; raw: as that file's .BTF would be); else /sys/kernel/btf/vmlinux.
 *
 * A .BTF without contents (SHT_NOBITS, objcopy --only-keep-debug) is none. @file must
 * stay open as long as the chain is used.
 *
 * Errors: -ENOENT, -EBADMSG, -EINVAL (a base that is not split on another one), ... with
 * a line in @err that names the file.
 */
int btf_base__open(const char *path, struct elf_file *file, const char *const *bases,
		   size_t nr_bases, struct btf_base **out, struct btf_locs_err *err);

/*
 * What many objects stand on, opened and indexed once. @bases: as above; none: the running
 * kernel's BTF, and that there is none of that is an error only for an object that needs it.
 */
int btf_base__open_below(const char *const *bases, size_t nr_bases, struct btf_base **out,
			 struct btf_locs_err *err);
/*
 * As btf_base__open() with the @bases that @below was opened with. @below is borrowed, and
 * threads may share it.
 */
int btf_base__open_on(const char *path, struct elf_file *file, const struct btf_base *below,
		      struct btf_base **out, struct btf_locs_err *err);

/* NULL is accepted. Frees the chain, closes the files. */
void btf_base__close(struct btf_base *b);
/* Not indexed yet. The reader adds the section to it as one more level. */
struct btf_chain *btf_base__chain(struct btf_base *b);

#endif
