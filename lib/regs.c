// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * regs.c - DWARF register numbers of every machine, as tables, always built
 *
 * The index is the DWARF number, the string is the name in the machine's
 * regoffset_table of the kernel (arch/<machine>/kernel/ptrace.c). To add a machine:
 * a table from its psABI's chapter on DWARF registers, a line in regs_machines[], a
 * block in tests/unit/test_regs.c.
 */
#include "regs.h"

#include <elf.h>
#include <stddef.h>

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* System V ABI, AMD64 supplement, DWARF register number mapping. */
static const char *const x86_64_regs[] = {
	"ax", "dx", "cx", "bx", "si", "di", "bp", "sp",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

/* System V ABI, Intel386 supplement, the same: another order than AMD64's. */
static const char *const i386_regs[] = {
	"ax", "cx", "dx", "bx", "sp", "bp", "si", "di",
};

/* DWARF for the Arm 64-bit Architecture (AADWARF64), 4.1. 31 is SP, not XZR. */
static const char *const aarch64_regs[] = {
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7",
	"x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
	"x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",
};

/* DWARF for the Arm Architecture (AADWARF32), 4.1. */
static const char *const arm_regs[] = {
	"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7",
	"r8", "r9", "r10", "fp", "ip", "sp", "lr", "pc",
};

/* ELF ABI, s390x supplement, DWARF register mapping. From 16 on: floating point. */
static const char *const s390_regs[] = {
	"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

/*
 * Power Architecture 64-bit ELF V2 ABI, 2.4. "gpr3" is taken by every
 * kernel, "r3" by newer ones only. 32 to 63 are floating point, 65 and 66 the link
 * and count registers.
 */
static const char *const ppc64_regs[] = {
	"gpr0", "gpr1", "gpr2", "gpr3", "gpr4", "gpr5", "gpr6", "gpr7",
	"gpr8", "gpr9", "gpr10", "gpr11", "gpr12", "gpr13", "gpr14", "gpr15",
	"gpr16", "gpr17", "gpr18", "gpr19", "gpr20", "gpr21", "gpr22", "gpr23",
	"gpr24", "gpr25", "gpr26", "gpr27", "gpr28", "gpr29", "gpr30", "gpr31",
	[65] = "link", [66] = "ctr",
};

/* RISC-V ELF psABI, DWARF register numbers. 0 is the hard zero, in no pt_regs. */
static const char *const riscv_regs[] = {
	NULL, "ra", "sp", "gp", "tp", "t0", "t1", "t2",
	"s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5",
	"a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7",
	"s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

/* LoongArch ELF psABI, DWARF register numbers. 0 is the hard zero. */
static const char *const loongarch_regs[] = {
	NULL, "r1", "r2", "r3", "r4", "r5", "r6", "r7",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	"r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23",
	"r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31",
};

struct regs_machine {
	uint16_t machine;
	uint8_t width32;	/* bytes of a register in a file of class 32 */
	uint8_t width64;
	uint32_t nr;
	const char *const *names;
};

#define MACHINE(em, w32, w64, table) { em, w32, w64, ARRAY_LEN(table), table }

static const struct regs_machine regs_machines[] = {
	MACHINE(EM_X86_64, 8, 8, x86_64_regs),	/* x32: 64-bit registers too */
	MACHINE(EM_386, 4, 4, i386_regs),
	MACHINE(EM_AARCH64, 8, 8, aarch64_regs),
	MACHINE(EM_ARM, 4, 4, arm_regs),
	MACHINE(EM_S390, 4, 8, s390_regs),
	MACHINE(EM_PPC64, 8, 8, ppc64_regs),
	MACHINE(EM_RISCV, 4, 8, riscv_regs),
	MACHINE(EM_LOONGARCH, 4, 8, loongarch_regs),
};

static const struct regs_machine *regs_machine__find(uint16_t machine)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(regs_machines); i++)
		if (regs_machines[i].machine == machine)
			return &regs_machines[i];
	return NULL;
}

const char *regs__name(uint16_t machine, uint32_t reg)
{
	const struct regs_machine *m = regs_machine__find(machine);

	return m && reg < m->nr ? m->names[reg] : NULL;
}

bool regs__is_fetchable(uint16_t machine, uint32_t reg)
{
	return regs__name(machine, reg);
}

unsigned int regs__width(uint16_t machine, bool is64)
{
	const struct regs_machine *m = regs_machine__find(machine);

	if (!m)
		return 0;
	return is64 ? m->width64 : m->width32;
}

bool regs__knows(uint16_t machine)
{
	return regs_machine__find(machine);
}
