/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_base.h - the canonical frame address at an address, through CFI
 */
#ifndef LOCS_FRAME_BASE_H
#define LOCS_FRAME_BASE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdint.h>

struct frame_cfi;

/*
 * The CFI of a file: .debug_frame, then .eh_frame. @dw, @elf are borrowed, and so is @mod,
 * which a relocatable file has: libdwfl relocates its CFI. NULL: no memory.
 */
struct frame_cfi *frame_cfi__new(Dwarf *dw, Elf *elf, Dwfl_Module *mod);
void frame_cfi__free(struct frame_cfi *cfi);	/* NULL is accepted */

/*
 * The canonical frame address at @addr as register + offset (DWARF 5, 6.4.1). The last
 * answer is kept: the sites of one function ask again and again. @addr: link-time, or
 * as libdwfl laid out a relocatable file.
 * 0; -ENOENT: no CFI for the address, or its CFA is not a register + offset.
 */
int frame_cfi__cfa(struct frame_cfi *cfi, uint64_t addr, uint32_t *reg, int64_t *off);

#endif
