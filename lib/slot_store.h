/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slot_store.h - whether code is about to write what is said to be in memory already
 */
#ifndef LOCS_SLOT_STORE_H
#define LOCS_SLOT_STORE_H

#include "elf_file.h"

/*
 * Whether one of the next instructions at @offset into section @sec may store to memory at register @reg
 * (its DWARF number) + @off. True where that cannot be told: the file does not hold the code, or
 * the machine's is not known.
 */
bool slot_store__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg,
		      int64_t off);

#endif
