/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* regs.h - DWARF register numbers of every machine, as tables, always built */
#ifndef LOCS_REGS_H
#define LOCS_REGS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The name that the kernel's tracers take (regs_query_register_offset()): "di" for
 * x86-64's 5, "x0" for AArch64's 0, "r2" for s390x's 2. NULL for a register that no
 * tracer can fetch (vector, floating point, hard zero, unknown) and for an unknown
 * machine.
 */
const char *regs__name(uint16_t machine, uint32_t reg);

/* Whether a tracer can fetch it: an integer register. False for an unknown machine. */
bool regs__is_fetchable(uint16_t machine, uint32_t reg);

/*
 * Bytes of an integer register: 8, 4; @is64: the file's class, for machines that have
 * both (riscv, loongarch, s390). 0 for an unknown machine.
 */
unsigned int regs__width(uint16_t machine, bool is64);

/* Whether the machine is in the tables at all. */
bool regs__knows(uint16_t machine);

#endif
