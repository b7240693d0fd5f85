/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_loader_locs.h - one compilation unit's DWARF -> its inline sites and functions
 *
 * A loader belongs to one worker and one Dwarf (libdw takes no locks). It takes a
 * libdw unit and a set, so that whoever walks units already, as pahole's steal hook
 * does, can call it for each.
 */
#ifndef DWARF_LOADER_LOCS_H
#define DWARF_LOADER_LOCS_H

#include <elfutils/libdw.h>

#include "lib/btf_types.h"
#include "lib/elf_file.h"
#include "lib/locs_set.h"

struct dwarf_loader_locs;

struct dwarf_loader_opts {
	Dwarf *dw;		/* the object's DWARF and the object, borrowed; ... */
	Elf *elf;		/* ... laid out and relocated, see elf_reloc.h */
	struct elf_file *file;	/* the object, for its symbols and code; borrowed, may be shared */
	bool sites;		/* inline sites are wanted */
};

/* NULL: no memory, or the file is malformed. */
struct dwarf_loader_locs *dwarf_loader_locs__new(const struct dwarf_loader_opts *opts);
void dwarf_loader_locs__free(struct dwarf_loader_locs *ldr);	/* NULL is accepted */

/*
 * Collects the sites and functions of the unit whose first DIE is @cu into @set (initialized,
 * empty). Names in the set point into the DWARF. -EBADMSG: the unit is malformed, with a line
 * in @err; -ENOMEM.
 */
int dwarf_loader_locs__collect(struct dwarf_loader_locs *ldr, Dwarf_Die *cu,
			       struct locs_set *set, struct btf_locs_err *err);

/*
 * Resolves the prototypes of the functions of @set, which a loader collected. @chain: the
 * one that @types looks in. 0 or -ENOMEM; what fails of a function is noted in it.
 */
int dwarf_loader_locs__resolve(struct btf_types *types, const struct btf_chain *chain,
			       struct locs_set *set);

#endif
