/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_base.h - the canonical frame address at an address, through CFI
 */
#ifndef LOCS_FRAME_BASE_H
#define LOCS_FRAME_BASE_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct frame_cfi;

/*
 * The CFI of a file: .debug_frame, then .eh_frame. @dw, @elf are borrowed; of a relocatable file
 * the CFI is relocated here, the sections must have been laid out. NULL: no memory.
 */
struct frame_cfi *frame_cfi__new(Dwarf *dw, Elf *elf);
void frame_cfi__free(struct frame_cfi *cfi);	/* NULL is accepted */

/*
 * The canonical frame address at @addr as register + offset (DWARF 5, 6.4.1). The last
 * answer is kept: the sites of one function ask again and again. @addr: link-time, or
 * as a relocatable file was laid out.
 * 0; -ENOENT: no CFI for the address, or its CFA is not a register + offset.
 */
int frame_cfi__cfa(struct frame_cfi *cfi, uint64_t addr, uint32_t *reg, int64_t *off);

#endif
