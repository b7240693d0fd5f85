// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_regs.c - register tables, against the psABI documents
 *
 * Numbers are those of each psABI's DWARF register table, written out once more by
 * hand; where binutils knows the machine, `readelf --debug-dump=frames` says the same.
 * Names are those that regs_query_register_offset() of the kernel takes, by the table in
 * arch/MACHINE/kernel/ptrace.c (powerpc: kernel/ptrace/ptrace.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/regs.h"

#define EM_LOONGARCH_ 258

struct reg_case {
	uint16_t machine;
	uint32_t reg;
	const char *name;	/* NULL: no tracer can fetch it */
};

static const struct reg_case cases[] = {
	/* AMD64: rax rdx rcx rbx rsi rdi rbp rsp r8..r15, 16 return address, 17 xmm0 */
	{ EM_X86_64, 0, "ax" }, { EM_X86_64, 1, "dx" }, { EM_X86_64, 2, "cx" },
	{ EM_X86_64, 3, "bx" }, { EM_X86_64, 4, "si" }, { EM_X86_64, 5, "di" },
	{ EM_X86_64, 6, "bp" }, { EM_X86_64, 7, "sp" }, { EM_X86_64, 8, "r8" },
	{ EM_X86_64, 9, "r9" }, { EM_X86_64, 10, "r10" }, { EM_X86_64, 15, "r15" },
	{ EM_X86_64, 16, NULL }, { EM_X86_64, 17, NULL }, { EM_X86_64, 32, NULL },
	{ EM_X86_64, 33, NULL }, { EM_X86_64, 49, NULL }, { EM_X86_64, UINT32_MAX, NULL },
	/* i386: eax ecx edx ebx esp ebp esi edi, 8 eip, 9 eflags, 11 st0, 21 xmm0 */
	{ EM_386, 0, "ax" }, { EM_386, 1, "cx" }, { EM_386, 2, "dx" },
	{ EM_386, 3, "bx" }, { EM_386, 4, "sp" }, { EM_386, 5, "bp" },
	{ EM_386, 6, "si" }, { EM_386, 7, "di" }, { EM_386, 8, NULL },
	{ EM_386, 11, NULL }, { EM_386, 21, NULL },
	/* AArch64: x0..x30, 31 sp, 32 pc, 64 v0 */
	{ EM_AARCH64, 0, "x0" }, { EM_AARCH64, 7, "x7" }, { EM_AARCH64, 19, "x19" },
	{ EM_AARCH64, 29, "x29" }, { EM_AARCH64, 30, "x30" }, { EM_AARCH64, 31, "sp" },
	{ EM_AARCH64, 32, NULL }, { EM_AARCH64, 64, NULL },
	/* Arm: r0..r15, which the kernel calls fp, ip, sp, lr, pc from 11 on; 64 s0 */
	{ EM_ARM, 0, "r0" }, { EM_ARM, 10, "r10" }, { EM_ARM, 11, "fp" },
	{ EM_ARM, 12, "ip" }, { EM_ARM, 13, "sp" }, { EM_ARM, 14, "lr" },
	{ EM_ARM, 15, "pc" }, { EM_ARM, 16, NULL }, { EM_ARM, 64, NULL },
	/* s390x: r0..r15, 16 f0, 48 a0 */
	{ EM_S390, 0, "r0" }, { EM_S390, 2, "r2" }, { EM_S390, 6, "r6" },
	{ EM_S390, 15, "r15" }, { EM_S390, 16, NULL }, { EM_S390, 48, NULL },
	/* ppc64: r0..r31, 32 f0, 65 lr, 66 ctr, 68 cr0, 77 v0 */
	{ EM_PPC64, 0, "gpr0" }, { EM_PPC64, 3, "gpr3" }, { EM_PPC64, 31, "gpr31" },
	{ EM_PPC64, 32, NULL }, { EM_PPC64, 64, NULL }, { EM_PPC64, 65, "link" },
	{ EM_PPC64, 66, "ctr" }, { EM_PPC64, 67, NULL }, { EM_PPC64, 77, NULL },
	/* RISC-V: x0 zero, ra sp gp tp t0-2 s0 s1 a0-7 s2-11 t3-6, 32 f0 */
	{ EM_RISCV, 0, NULL }, { EM_RISCV, 1, "ra" }, { EM_RISCV, 2, "sp" },
	{ EM_RISCV, 3, "gp" }, { EM_RISCV, 4, "tp" }, { EM_RISCV, 5, "t0" },
	{ EM_RISCV, 7, "t2" }, { EM_RISCV, 8, "s0" }, { EM_RISCV, 9, "s1" },
	{ EM_RISCV, 10, "a0" }, { EM_RISCV, 17, "a7" }, { EM_RISCV, 18, "s2" },
	{ EM_RISCV, 27, "s11" }, { EM_RISCV, 28, "t3" }, { EM_RISCV, 31, "t6" },
	{ EM_RISCV, 32, NULL },
	/* LoongArch: r0 zero, r1..r31, 32 f0 */
	{ EM_LOONGARCH_, 0, NULL }, { EM_LOONGARCH_, 1, "r1" },
	{ EM_LOONGARCH_, 4, "r4" }, { EM_LOONGARCH_, 31, "r31" },
	{ EM_LOONGARCH_, 32, NULL },
	/* no machine of ours */
	{ EM_NONE, 0, NULL }, { EM_SPARCV9, 0, NULL }, { 0xffff, 5, NULL },
};

static void test_names(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct reg_case *c = &cases[i];
		const char *name = regs__name(c->machine, c->reg);

		if (c->name && !name)
			fail_msg("machine %u register %u: no name", c->machine, c->reg);
		if (c->name)
			assert_string_equal(name, c->name);
		else
			assert_null(name);
		assert_int_equal(regs__is_fetchable(c->machine, c->reg), c->name != NULL);
	}
}

/*
 * Every register of every machine: "-" where a tracer has no name for it. Numbers by
 *   x86-64: System V ABI, AMD64 supplement, DWARF register number mapping; kernel: "ax", not "rax"
 *   i386: System V ABI, Intel386 supplement, DWARF register number mapping
 *   AArch64: DWARF for the Arm 64-bit Architecture, DWARF register names; kernel: "sp" for 31
 *   arm: DWARF for the Arm Architecture, DWARF register names; kernel: ARM_fp ... ARM_pc from 11 on
 *   s390x: ELF ABI, s390x supplement, DWARF register number mapping
 *   ppc64: 64-bit ELF V2 ABI, DWARF definition (gcc 12 writes 66 for the count register, not the
 *	109 of the first version); kernel: "gpr3" always, "r3" besides it in newer ones
 *   riscv: RISC-V DWARF specification, DWARF register numbers; kernel: names of the convention
 *   loongarch: LoongArch ELF psABI, DWARF register numbers; kernel: "r4", not "a0"
 */
static const struct {
	uint16_t machine;
	const char *names;
} complete[] = {
	{ EM_X86_64, "ax dx cx bx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15" },
	{ EM_386, "ax cx dx bx sp bp si di" },
	{ EM_AARCH64, "x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20"
		      " x21 x22 x23 x24 x25 x26 x27 x28 x29 x30 sp" },
	{ EM_ARM, "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 fp ip sp lr pc" },
	{ EM_S390, "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15" },
	{ EM_PPC64, "gpr0 gpr1 gpr2 gpr3 gpr4 gpr5 gpr6 gpr7 gpr8 gpr9 gpr10 gpr11 gpr12 gpr13"
		    " gpr14 gpr15 gpr16 gpr17 gpr18 gpr19 gpr20 gpr21 gpr22 gpr23 gpr24 gpr25"
		    " gpr26 gpr27 gpr28 gpr29 gpr30 gpr31 - - - - - - - - - - - - - - - - - - -"
		    " - - - - - - - - - - - - - - link ctr" },
	{ EM_RISCV, "- ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8"
		    " s9 s10 s11 t3 t4 t5 t6" },
	{ EM_LOONGARCH_, "- r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15 r16 r17 r18 r19"
			 " r20 r21 r22 r23 r24 r25 r26 r27 r28 r29 r30 r31" },
};

static void test_complete(void **state)
{
	char want[8];
	const char *p;
	uint32_t reg;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < sizeof(complete) / sizeof(complete[0]); i++) {
		p = complete[i].names;
		for (reg = 0; sscanf(p, "%7s%n", want, &n) == 1; reg++, p += n) {
			const char *name = regs__name(complete[i].machine, reg);

			if (strcmp(name ? name : "-", want))
				fail_msg("machine %u register %u: %s, not %s",
					 complete[i].machine, reg, name ? name : "-", want);
		}
		for (; reg < 3000; reg++)
			assert_null(regs__name(complete[i].machine, reg));
	}
}

/* Every number up to the table's end, and no name twice in one machine. */
static void test_distinct(void **state)
{
	static const struct {
		uint16_t machine;
		unsigned int nr;
	} all[] = {
		{ EM_X86_64, 16 }, { EM_386, 8 }, { EM_AARCH64, 32 }, { EM_ARM, 16 },
		{ EM_S390, 16 }, { EM_PPC64, 34 }, { EM_RISCV, 31 },
		{ EM_LOONGARCH_, 31 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		unsigned int nr = 0;

		for (uint32_t a = 0; a < 200; a++) {
			const char *name = regs__name(all[i].machine, a);

			nr += name != NULL;
			for (uint32_t b = 0; name && b < a; b++)
				if (regs__name(all[i].machine, b))
					assert_string_not_equal(
						name, regs__name(all[i].machine, b));
		}
		assert_int_equal(nr, all[i].nr);
	}
}

static void test_width(void **state)
{
	(void)state;
	assert_int_equal(regs__width(EM_X86_64, true), 8);
	/* x32: a file of class 32, registers of 64 bits */
	assert_int_equal(regs__width(EM_X86_64, false), 8);
	assert_int_equal(regs__width(EM_386, false), 4);
	assert_int_equal(regs__width(EM_AARCH64, true), 8);
	assert_int_equal(regs__width(EM_ARM, false), 4);
	assert_int_equal(regs__width(EM_S390, true), 8);
	assert_int_equal(regs__width(EM_S390, false), 4);
	assert_int_equal(regs__width(EM_PPC64, true), 8);
	assert_int_equal(regs__width(EM_RISCV, true), 8);
	assert_int_equal(regs__width(EM_RISCV, false), 4);
	assert_int_equal(regs__width(EM_LOONGARCH_, true), 8);
	assert_int_equal(regs__width(EM_LOONGARCH_, false), 4);
	assert_int_equal(regs__width(EM_NONE, true), 0);
	assert_int_equal(regs__width(EM_SPARCV9, true), 0);
}

static void test_knows(void **state)
{
	(void)state;
	assert_true(regs__knows(EM_X86_64));
	assert_true(regs__knows(EM_LOONGARCH_));
	assert_false(regs__knows(EM_NONE));
	assert_false(regs__knows(EM_SPARCV9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
