/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86_code.h - what the code at a site says of a value that DWARF only half knows
 *
 * Looked at is what is executed from the site on, up to the first call or jump.
 */
#ifndef LOCS_X86_CODE_H
#define LOCS_X86_CODE_H

#include "elf_file.h"

/*
 * Whether the code at @offset into section @sec stores to any of the @size bytes of memory at
 * register @reg (its DWARF number) + @off before it reads from there. True where that cannot be
 * told: the file does not hold the code, or it is not x86-64's, or not understood.
 */
bool slot_store__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg,
		      int64_t off, uint32_t size);

/*
 * Whether the first use that the code at @offset into section @sec makes of register @reg (its
 * DWARF number) goes by all of its lowest byte: test of it with itself, comparison with 0,
 * movzb. False where that cannot be told.
 */
bool byte_use__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg);

#endif
