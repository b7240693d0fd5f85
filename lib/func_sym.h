/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_sym.h - a function's symbol: what its name's suffix tells
 *
 * gcc and clang clone functions under the name with a suffix; DWARF keeps the plain name.
 */
#ifndef LOCS_FUNC_SYM_H
#define LOCS_FUNC_SYM_H

#include "elf_file.h"

struct func_sym {
	bool found;		/* a function's symbol stands at the address */
	bool own;		/* and it has the function's name, with or without a suffix */
	bool suffixed;		/* by something: .isra.0, .llvm.123, ... */
	bool part;		/* .part.N: the rest of a partially inlined function */
	bool global;		/* STB_GLOBAL or STB_WEAK: other units call it by its declaration */
	bool changed;		/* .isra, .constprop, .part: other parameters than the source's */
};

/*
 * The symbol of the function called @name, by its DWARF or linkage name, whose first byte is
 * @offset into section @sec, at link address @addr. Of several, aliases, the one with its name,
 * else the first; '.cold' parts are not functions, and so not found. 0; -ENOENT: the file has
 * no symbols; -EBADMSG, -ENOMEM.
 */
int func_sym__find(struct elf_file *file, uint32_t sec, uint64_t offset, uint64_t addr,
		   const char *name, struct func_sym *out);

/*
 * The next function's symbol called @name and nothing else, from @*pos on (0 at first), in
 * *@out. 0; -ENOENT: no more.
 */
int func_sym__next(struct elf_file *file, const char *name, size_t *pos, struct elf_sym *out);

#endif
