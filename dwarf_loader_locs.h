/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_loader_locs.h - one compilation unit's DWARF -> its inline sites
 *
 * A loader belongs to one worker and one Dwarf (libdw takes no locks). It takes a
 * libdw unit and a set, so that whoever walks units already, as pahole's steal hook
 * does, can call it for each.
 */
#ifndef DWARF_LOADER_LOCS_H
#define DWARF_LOADER_LOCS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "lib/btf_types.h"
#include "lib/locs_set.h"

struct dwarf_loader_locs;

/*
 * @dw, @elf: the object's DWARF and the object, borrowed. @mod: NULL; for a relocatable
 * file the module in which libdwfl has laid out its sections and relocated its DWARF.
 * NULL: no memory, or the file is malformed.
 */
struct dwarf_loader_locs *dwarf_loader_locs__new(Dwarf *dw, Elf *elf, Dwfl_Module *mod);
void dwarf_loader_locs__free(struct dwarf_loader_locs *ldr);	/* NULL is accepted */

/*
 * Collects the sites of the unit whose first DIE is @cu into @set (initialized, empty).
 * Names in the set point into the DWARF. -EBADMSG: the unit is malformed, with a line
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
