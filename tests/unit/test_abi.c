// SPDX-License-Identifier: GPL-2.0-only
/* test_abi.c - calling conventions, against values worked out by hand from the psABIs */
#include "abi_util.h"

/* di 5, si 4, dx 1, cx 2, r8, r9; sp 7, where the return address is */
static const struct abi_case x86_64[] = {
	{ "", "i4 i8 p8 u1 i2 i4 i4 i1 u8", "r5 r4 r1 r2 r8 r9 [7+8] [7+16] [7+24]" },
	{ "i4", "u1", "r5" },
	{ "...", "i4 p8 i8", "r5 r4 r1" },
	/* an eightbyte of a float and an integer is INTEGER */
	{ "", "{i4,i4} {i8,i4} {f4,i4} {f8} i4", "r5 4:1 r2 v r8" },
	/* INTEGER and SSE use one of each */
	{ "", "{i8,f8} i4 {f8,i8} i4 {f4,f4,i4} i4", "v r4 v r2 v r9" },
	{ "", "{f4,f4} {f8,f8} {f4} i4", "v v v r5" },
	/* whole eightbytes, whatever is in them */
	{ "", "{u1*3} {u1*9} {u1*16} {u1*17} i4", "r5 4:1 2:8 [7+8] r9" },
	{ "", "{i8,i8,i8} i4 {p8,p8} i4", "[7+8] r5 4:1 r2" },
	/* not divided between registers and stack; the register left is used afterwards */
	{ "", "i8 i8 i8 i8 i8 {i8,i8} i4 i4", "r5 r4 r1 r2 r8 [7+8] r9 [7+24]" },
	/* an unaligned field: MEMORY */
	{ "", "<u1,i4> i4 <u1,p8> <i8,i4> i4", "[7+8] r5 [7+16] 4:1 r2" },
	{ "", "(i4,f4) (f8,f4) (i8,f8) (u1*12,i8) i4", "r5 v r4 1:2 r8" },
	/* 16 bytes, of which the second half is padding */
	{ "", "@16{i8} i4 @16{i8,i8} i4", "v r4 1:2 r8" },
	{ "", "i16 i4 u16 i4 i16 i4", "5:4 r1 2:8 r9 [7+8] [7+24]" },
	/* compilers do not agree */
	{ "", "i8 i8 i8 i8 i8 i16 i4", "r5 r4 r1 r2 r8 ? ?" },
	{ "", "i8 i8 i8 i8 i8 i8 i4 i16 i4", "r5 r4 r1 r2 r8 r9 [7+8] ? ?" },
	{ "", "x16 i4 x16 {x16} i4", "[7+8] r5 [7+24] [7+40] r4" },
	{ "", "i8 i8 i8 i8 i8 i8 i8 x16 i8", "r5 r4 r1 r2 r8 r9 [7+8] [7+24] [7+40]" },
	/* not to be told from a packed one: aligned to 1 */
	{ "", "{i8,i8,i8} {x16} i4", "[7+8] ? ?" },
	{ "", "f4 f8 f16 c8 c16 i4 c32", "v v v v v r5 [7+8]" },
	{ "", "f8 f8 f8 f8 f8 f8 f8 c16 f8 f4", "v v v v v v v [7+8] v [7+24]" },
	{ "", "{i8,i8,i8} @16{i8,i8,i8} @64{u1}", "[7+8] [7+40] [7+72]" },
	{ "", "{} i4 {{},i4} i4", "0 r5 r4 r1" },
	/* the result's address */
	{ "{i8,i8,i8}", "i4", "r4" }, { "{i8,i8}", "i4", "r5" },
	{ "{i8,f8}", "i4", "r5" }, { "<u1,i4>", "i4", "r4" }, { "{u1*17}", "i4", "r4" },
	{ "x16", "i4", "r5" }, { "{x16}", "i4", "r5" }, { "(x16,i8)", "i4", "r4" },
	{ "c32", "i4", "r5" }, { "i16", "i4", "r5" }, { "{}", "i4", "r5" },
	{ "?", "i4 i4", "? ?" }, { "", "i4 ? i4", "r5 ? ?" },
};

static void test_x86_64(void **state)
{
	(void)state;
	CHECK(EM_X86_64, 0, x86_64);
}

/* ax 0, dx 2, cx 1; sp 4, where the return address is */
static const struct abi_case i386[] = {
	{ "", "i4 p4 u1 i4 i2", "r0 r2 r1 [4+4] [4+8]" },
	{ "", "i8 i4 i4", "0:2 r1 [4+4]" }, { "", "i4 u8 i4", "r0 2:1 [4+4]" },
	/* no register once one did not fit */
	{ "", "i4 i4 i8 i4", "r0 r2 [4+4] [4+12]" },
	{ "", "{i4,i4} {u1*3} i4", "0:2 r1 [4+4]" },
	{ "", "{i4,i4,i4} i4", "v [4+4]" }, { "", "{u1*5} i4", "0:2 r1" },
	{ "", "{i4*4} i4", "[4+4] [4+20]" },
	{ "", "f4 f8 i4 i4", "[4+4] [4+8] r0 r2" },
	{ "", "x12 i4", "? ?" }, { "", "{f4,f4}", "?" }, { "", "c8", "?" },
	{ "", "i4 i4 i4 {f4,f4} x12 i4", "r0 r2 r1 [4+4] [4+12] [4+24]" },
	{ "{i4,i4}", "i4", "r0" }, { "{i4,i4,i4}", "i4", "r2" }, { "i8", "i4", "r0" },
	{ "{u1*3}", "i4", "?" }, { "{f8,f8}", "i4", "?" }, { "{f8*3}", "i4", "r2" },
	{ "{}", "i4", "?" }, { "...", "p4 i4", "? ?" }, { "", "{} i4", "0 r0" },
};

static void test_i386(void **state)
{
	(void)state;
	CHECK(EM_386, 0, i386);
}

/* x0 to x7; sp 31 */
static const struct abi_case aarch64[] = {
	{ "", "i4 i8 p8 u1 i2 i4 i4 i4 u1 i8", "r0 r1 r2 r3 r4 r5 r6 r7 *31 [31+8]" },
	/* C.10: an even register for what is aligned to 16 */
	{ "", "i4 i16 i4", "r0 2:3 r4" },
	{ "", "i8 i8 i8 i8 i8 i8 i8 i16 i4", "r0 r1 r2 r3 r4 r5 r6 *31 [31+16]" },
	{ "", "i8 i8 i8 i8 i8 i8 i8 i8 i4 i16", "r0 r1 r2 r3 r4 r5 r6 r7 *31 [31+16]" },
	{ "", "i4 {i8,i8} i4", "r0 1:2 r3" },
	/* C.13: none of the rest once one did not fit */
	{ "", "i8 i8 i8 i8 i8 i8 i8 {i8,i8} i4", "r0 r1 r2 r3 r4 r5 r6 *31 [31+16]" },
	{ "", "{u1*3} {u1*9} {i4,f4} i4", "r0 1:2 r3 r4" },
	/* B.4: by reference */
	{ "", "i4 {i8,i8,i8} {u1*17} i4", "r0 *1 *2 r3" },
	{ "", "i8 i8 i8 i8 i8 i8 i8 i8 {i8*3} i4", "r0 r1 r2 r3 r4 r5 r6 r7 v [31+8]" },
	/* homogeneous aggregates: four members at most */
	{ "", "{f4,f4,f4} {f8} {f8*4} i4", "v v v r0" },
	{ "", "{f8*5} {f4*5} {f4*4} i4", "*0 *1 v r2" },
	{ "", "{f4,f8} {f8,i8} {f4} (f4,i4) (f4,f4) i4", "0:1 2:3 v r4 v r5" },
	{ "", "f8 f8 f8 f8 f8 f8 {f8*3} f8 i4", "v v v v v v *31 [31+24] r0" },
	{ "", "f4 f16 c8 c16 x16 i4", "v v v v v r0" },
	{ "", "f8 f8 f8 f8 f8 f8 f8 f8 f4 x16", "v v v v v v v v *31 [31+16]" },
	/* an attribute of the type itself does not count, one of a member does */
	{ "", "i4 @16{i8,i8} i4", "r0 1:2 r3" },
	{ "", "i4 {@16{i8,i8}} i4", "r0 2:3 r4" },
	{ "", "{i16} i4", "0:1 r2" }, { "", "i4 {i16} i4", "r0 ? ?" },
	{ "", "<u1,i16> i4", "*0 r1" }, { "", "i4 <u1,i8> i4", "r0 1:2 r3" },
	{ "", "{} i4", "0 r0" },
	/* the result's address is in x8 */
	{ "{i8,i8,i8}", "i4", "r0" }, { "{i8,i8}", "i4", "r0" }, { "...i4", "p8 i4", "r0 r1" },
};

static void test_aarch64(void **state)
{
	(void)state;
	CHECK(EM_AARCH64, 0, aarch64);
}

/* r2 to r6; r15, above which its caller has 160 bytes for the registers; big-endian */
static const struct abi_case s390x[] = {
	{ "", "i4 i8 p8 u1 i2 i4 u1 i8 i2",
	  "r2 r3 r4 r5 r6 [15+164] [15+175] [15+176] [15+190]" },
	/* 1, 2, 4, 8 bytes by value, all others by reference */
	{ "", "{i4} {u1,u1} {i8} {u1*3} {i4*3} i4", "r2 r3 r4 *5 *6 [15+164]" },
	{ "", "i8 i8 i8 i8 i8 {u1*3} i8 {i4} {u1}",
	  "r2 r3 r4 r5 r6 v [15+168] [15+180] [15+191]" },
	/* a struct of one float is as the float */
	{ "", "{f4} {f8} f8 f4 f8 f4 i4", "v v v v [15+160] [15+172] r2" },
	{ "", "f8 f8 f8 f8 {f4} {{f8}} i4", "v v v v [15+164] [15+168] r2" },
	{ "", "{f4,f4} (f4) {f8*1} {{},f4} i4", "r2 r3 r4 r5 r6" },
	{ "", "@8{f4} i4", "? ?" },
	{ "", "i16 x16 c8 c16 i4", "*2 *3 *4 *5 r6" },
	{ "{i4}", "i4", "r3" }, { "i16", "i4", "r3" }, { "i8", "i4", "r2" },
	{ "f8", "i4", "r2" }, { "x16", "i4", "r3" }, { "{}", "i4", "r3" },
	/* by reference: the register is used up, though there is nothing to read */
	{ "", "{} i4", "0 r3" }, { "...i4", "p8 i4", "r2 r3" },
};

static void test_s390x(void **state)
{
	(void)state;
	CHECK(EM_S390, 0, s390x);
}

/* r3 to r10, the doublewords 0 to 7 of the area at r1 + 32 */
static const struct abi_case ppc64le[] = {
	{ "", "i4 i8 p8 u1 i2 i4 i4 i4 u1 i8", "r3 r4 r5 r6 r7 r8 r9 r10 [1+96] [1+104]" },
	{ "", "i4 i16 i4", "r3 4:5 r6" },
	{ "", "{u1*3} {i8,i8} {u1*11} i4", "r3 4:5 6:7 r8" },
	{ "", "{i8,i8,i8} i4", "v r6" },
	/* divided between r10 and the stack */
	{ "", "i8 i8 i8 i8 i8 i8 i8 {i8,i8} i4", "r3 r4 r5 r6 r7 r8 r9 v [1+104]" },
	{ "", "{i8*9} {i8,i8} i4", "v [1+104] [1+120]" },
	/* floats use up their doublewords */
	{ "", "f8 i4 f4 i4", "v r4 v r6" },
	{ "", "{f4,f4,f4} i4 {f8*8} i4", "v r5 v [1+120]" },
	{ "", "{f4,i4} {f8,i8} i4", "r3 4:5 r6" },
	/* _Complex: two doublewords also where one would do */
	{ "", "c8 i4 c16 i4 {c8} i4", "v r5 v r8 v r10" },
	{ "", "f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f4",
	  "v v v v v v v v v v v v v [1+136] [1+144]" },
	{ "", "f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 {f8,f8} i4",
	  "v v v v v v v v v v v v ? ?" },
	/* f1 to f8, f9 to f13 and then r7, for 6 and 2 doublewords that are left */
	{ "", "{f4*8} {f4*5} {f4,f4} i4", "v v r10 [1+96]" },
	{ "", "i4 @16{i8,i8} i4", "r3 5:6 r7" },
	{ "", "{i8*9} @16{i8,i8}", "v [1+112]" },
	{ "", "{i16} i4", "3:4 r5" }, { "", "i4 {i16} i4", "r3 ? ?" },
	{ "", "x16", "?" }, { "", "i4 f16", "r3 ?" }, { "", "{} i4", "0 r3" },
	{ "{i8,i8,i8}", "i4", "r4" }, { "{i8,i8}", "i4", "r3" }, { "{f8*3}", "i4", "r3" },
	{ "{f4*8}", "i4", "r3" }, { "{f8*9}", "i4", "r4" }, { "i16", "i4", "r3" },
	{ "...i4", "p8 i4", "r3 r4" },
};

static void test_ppc64le(void **state)
{
	(void)state;
	CHECK(EM_PPC64, 2, ppc64le);
	CHECK(EM_PPC64, 0, ppc64le);
}

/* a0 to a7 are 10 to 17; sp 2 */
static const struct abi_case riscv64_lp64[] = {
	{ "", "i4 i8 p8 u1 i2 i4 i4 i4 u1 i8", "r10 r11 r12 r13 r14 r15 r16 r17 *2 [2+8]" },
	/* even pairs are for arguments without a name only */
	{ "", "i4 i16 i4", "r10 11:12 r13" },
	{ "", "i4 @16{i8,i8} i4", "r10 11:12 r13" },
	{ "", "i8 i8 i8 i8 i8 i8 i8 {i8,i8} i4", "r10 r11 r12 r13 r14 r15 r16 v [2+8]" },
	{ "", "{i8,i8} {i8,i8} {i8,i8} {i8,i8} i4 i16 i4",
	  "10:11 12:13 14:15 16:17 *2 [2+16] [2+32]" },
	{ "", "{i8,i8} {i8,i8} {i8,i8} {i8,i8} {i8,i8} i4",
	  "10:11 12:13 14:15 16:17 *2 [2+16]" },
	/* an alignment of 16 may not have been said */
	{ "", "{i8,i8} {i8,i8} {i8,i8} {i8,i8} i4 {i8,i8} i4",
	  "10:11 12:13 14:15 16:17 *2 ? ?" },
	{ "", "{i8,i8,i8} {u1*17} i4", "*10 *11 r12" },
	{ "", "{i8,i8} {i8,i8} {i8,i8} {i8,i8} {i8,i8,i8} i4", "10:11 12:13 14:15 16:17 v [2+8]" },
	{ "", "f8 f4 {f8,i8} x16 i4", "r10 r11 12:13 14:15 r16" },
	{ "", "{} i4", "0 r10" }, { "{i8,i8,i8}", "i4", "r11" }, { "{i8,i8}", "i4", "r10" },
	{ "x16", "i4", "r10" }, { "...i4", "p8 i4", "r10 r11" },
};

static const struct abi_case riscv64_lp64d[] = {
	{ "", "f8 i4 f4 i4", "v r10 v r11" },
	/* a float and an integer use one of each; a pointer is no integer here */
	{ "", "{f4,i4} i4 {i8,f8} i4 {f8,f8} i4", "v r11 v r13 v r14" },
	{ "", "{f4,f4,f4} {p8,f4} {f4} i4", "10:11 12:13 v r14" },
	{ "", "(f4,f4) {f4*2} {f4*3} i4", "r10 v 11:12 r13" },
	{ "", "f8 f8 f8 f8 f8 f8 f8 f8 f8 f4 i4", "v v v v v v v v r10 r11 r12" },
	{ "", "f8 f8 f8 f8 f8 f8 f8 {f8,f8} f8 i4", "v v v v v v v 10:11 v r12" },
	/* a float register is left, but no integer one */
	{ "", "{i8,i8} {i8,i8} {i8,i8} {i8,i8} {f4,i4} f4", "10:11 12:13 14:15 16:17 *2 v" },
	{ "", "c8 c16 x16 i4", "v v 10:11 r12" },
	{ "...", "f8 i4", "v r10" }, { "{f8,f8,f8}", "i4", "r11" },
};

static const struct abi_case riscv64_lp64f[] = {
	{ "", "f8 f4 i4 {f4,f8} {f4,i4} i4", "r10 v r11 12:13 v r15" },
};

static void test_riscv64(void **state)
{
	(void)state;
	CHECK(EM_RISCV, 0, riscv64_lp64);
	CHECK(EM_RISCV, 1, riscv64_lp64);	/* compressed instructions */
	CHECK(EM_RISCV, 4, riscv64_lp64d);
	CHECK(EM_RISCV, 2, riscv64_lp64f);
}

/* a0 to a7 are 4 to 11; sp 3 */
static const struct abi_case loongarch64_lp64s[] = {
	{ "", "i4 i8 p8 u1 i2 i4 i4 i4 u1 i8", "r4 r5 r6 r7 r8 r9 r10 r11 *3 [3+8]" },
	{ "", "i4 i16 {i8,i8,i8} f8 i4", "r4 5:6 *7 r8 r9" },
	{ "{i8,i8,i8}", "i4", "r5" },
};

static const struct abi_case loongarch64_lp64d[] = {
	{ "", "f8 {f4,i4} i4 {f8,f8} {f4*3} i4", "v v r5 v 6:7 r8" },
};

static void test_loongarch64(void **state)
{
	(void)state;
	CHECK(EM_LOONGARCH, 0x41, loongarch64_lp64s);
	CHECK(EM_LOONGARCH, 0x43, loongarch64_lp64d);
}

/* r0 to r3; sp 13 */
static const struct abi_case arm_soft[] = {
	{ "", "i4 p4 u1 i2 i4 u1", "r0 r1 r2 r3 *13 [13+4]" },
	/* C.3: an even register for what is aligned to 8 */
	{ "", "i4 i8 i4", "r0 2:3 *13" }, { "", "i8 i4 i4", "0:1 r2 r3" },
	{ "", "i4 i4 i4 i8 i4", "r0 r1 r2 *13 [13+8]" },
	{ "", "i4 i4 i4 i4 i4 i8", "r0 r1 r2 r3 *13 [13+8]" },
	{ "", "{u1*3} {u1*5} i4", "r0 1:2 r3" },
	{ "", "{i4,i4} i4", "0:1 r2" }, { "", "{i4,i4,i4} i4 i4", "v r3 *13" },
	/* C.5: divided, as long as nothing is on the stack */
	{ "", "i4 i4 i4 {i4,i4} i4", "r0 r1 r2 v [13+4]" },
	{ "", "{i4*6} i4", "v [13+8]" },
	{ "", "i4 i4 i4 i8 {i4,i4}", "r0 r1 r2 *13 [13+8]" },
	{ "", "f4 f8 c8", "r0 2:3 *13" }, { "", "i4 c8 c16", "r0 1:2 *13" },
	{ "", "{i8} i4", "0:1 r2" }, { "", "i4 {i8} i4", "r0 ? ?" },
	{ "", "i4 <u1,i8> i4", "r0 ? ?" }, { "", "i4 @8{i4,i4} i4", "r0 1:2 r3" },
	{ "", "{} i4", "0 r0" },
	{ "{i4,i4}", "i4", "r1" }, { "{i4}", "i4", "r0" }, { "i8", "i4", "r0" },
	{ "{u1*3}", "i4", "r0" }, { "c8", "i4", "r1" }, { "{f4,f4}", "i4", "r1" },
	{ "f8", "i4", "r0" }, { "...i4", "p4 f8", "r0 2:3" },
};

static const struct abi_case arm_hard[] = {
	{ "", "f4 f8 f4 i4", "v v v r0" },
	/* s0, d1 to d7, and s1, which was left out */
	{ "", "f4 f8 f8 f8 f8 f8 f8 f8 f4 f8 f4", "v v v v v v v v v *13 [13+8]" },
	{ "", "{f4*4} {f8*4} {f4*4} i4", "v v v r0" },
	/* 4 of 16 singles are left, not 4 doubles: and no float register after that */
	{ "", "{f4*4} {f4*4} {f4*4} {f8*4} f4 i4", "v v v *13 [13+32] r0" },
	{ "", "{f4,i4} {f4,f8} i4", "0:1 v [13+8]" },
	{ "", "{f4*5} i4", "v [13+4]" },
	/* C.5 no more, for there is something on the stack */
	{ "", "{f8*4} {f8*4} i4 i4 i4 f8 {i4,i4} i4", "v v r0 r1 r2 *13 [13+8] [13+16]" },
	{ "", "c8 c16 i4", "v v r0" },
	{ "{f4,f4}", "i4", "r0" }, { "{f8*4}", "i4", "r0" }, { "{f8*5}", "i4", "r1" },
	{ "{f4,i4}", "i4", "r1" },
	/* variadic functions: the base convention */
	{ "...i4", "p4 f8", "r0 2:3" }, { "...{f4,f4}", "f8", "2:3" },
};

static const struct abi_case arm_unknown[] = {
	{ "", "i4 i8 f4 i4", "r0 2:3 ? ?" }, { "", "{f4,f4} i4", "? ?" },
	{ "", "{f4,i4} i4", "0:1 r2" }, { "...", "p4 f8", "r0 2:3" },
	{ "{f4,f4}", "i4", "?" }, { "f4", "i4", "r0" }, { "{i4,i4}", "i4", "r1" },
};

static void test_arm(void **state)
{
	(void)state;
	CHECK(EM_ARM, 0x5000200, arm_soft);
	CHECK(EM_ARM, 0x5000400, arm_hard);
	CHECK(EM_ARM, 0x5000000, arm_unknown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86_64), cmocka_unit_test(test_i386),
		cmocka_unit_test(test_aarch64), cmocka_unit_test(test_arm),
		cmocka_unit_test(test_s390x), cmocka_unit_test(test_ppc64le),
		cmocka_unit_test(test_riscv64), cmocka_unit_test(test_loongarch64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
