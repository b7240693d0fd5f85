/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_prologue.h - instructions at a function's first byte that leave its parameters alone
 */
#ifndef LOCS_FUNC_PROLOGUE_H
#define LOCS_FUNC_PROLOGUE_H

#include "elf_file.h"

/*
 * Bytes of landing pads (-fcf-protection, -mbranch-protection) and of the tracer's call or nops
 * (-mfentry, -fpatchable-function-entry) at @offset into section @sec. 0: none, or the file
 * does not hold the code.
 */
unsigned int func_prologue__skip(struct elf_file *file, uint32_t sec, uint64_t offset);

#endif
