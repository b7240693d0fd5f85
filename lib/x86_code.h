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
 * register @reg (its DWARF number) + @off before it reads them, or a part of them. A read is
 * what is surely read, a store all that may be written. Addresses are followed through copies
 * of the register and sums with numbers; memory at other registers, at one with an index, and
 * in the areas of %fs and %gs is other memory. True where it cannot be told: the file does not
 * hold the code, or it is not x86-64's, or not understood, or the stack pointer is lost.
 */
bool slot_store__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg,
		      int64_t off, uint32_t size);

/*
 * The same in a function whose canonical frame address is register @reg + @cfa at the site:
 * a string of unknown length that begins in its frame ends there.
 */
bool slot_store__in_frame(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg,
			  int64_t off, uint32_t size, int64_t cfa);

/*
 * The same of x86-64's code that the caller has: @len bytes from the site on. @cfa: INT64_MAX,
 * it is not known.
 */
bool slot_store__in(const uint8_t *code, size_t len, uint32_t reg, int64_t off, uint32_t size,
		    int64_t cfa);

/*
 * Whether the first use that the code at @offset into section @sec makes of register @reg (its
 * DWARF number) goes by all of its lowest byte: test of it with itself, comparison with 0,
 * movzb. False where that cannot be told.
 */
bool byte_use__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg);

#endif
