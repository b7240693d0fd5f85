// SPDX-License-Identifier: GPL-2.0-only
/* test_abi_edges.c - machines and types that are not known, bit-fields, comparing locations */
#include "abi_util.h"

/* What no table is for: other classes and byte orders, older conventions, unknown machines. */
static void test_find(void **state)
{
	(void)state;
	assert_null(abi__find(EM_X86_64, 0, false, false));		/* x32 */
	assert_null(abi__find(EM_386, 0, true, false));
	assert_null(abi__find(EM_AARCH64, 0, true, true));
	assert_null(abi__find(EM_AARCH64, 0, false, false));
	assert_null(abi__find(EM_ARM, 0x5000200, false, true));
	assert_null(abi__find(EM_ARM, 0x4000200, false, false));	/* EABI version 4 */
	assert_null(abi__find(EM_ARM, 0, false, false));
	assert_null(abi__find(EM_ARM, 0x5000200, true, false));
	assert_null(abi__find(EM_S390, 0, false, true));
	assert_null(abi__find(EM_S390, 0, true, false));
	assert_null(abi__find(EM_PPC64, 2, true, true));
	assert_null(abi__find(EM_PPC64, 1, true, false));		/* ELFv1 */
	assert_null(abi__find(EM_PPC, 0, false, false));
	assert_null(abi__find(EM_RISCV, 0, false, false));
	assert_null(abi__find(EM_RISCV, 6, true, false));		/* quadruple precision */
	assert_null(abi__find(EM_RISCV, 8, true, false));		/* 16 registers */
	assert_null(abi__find(EM_LOONGARCH, 0x40, true, false));
	assert_null(abi__find(EM_LOONGARCH, 0x41, false, false));
	assert_null(abi__find(EM_MIPS, 0, true, false));
	assert_null(abi__find(EM_NONE, 0, true, false));
}

/* What cannot be known of a type: its bytes are not all scalars, or they are too many. */
static void test_unknown_types(void **state)
{
	static const struct { uint16_t machine; uint32_t flags; } machines[] = {
		{ EM_X86_64, 0 }, { EM_386, 0 }, { EM_AARCH64, 0 }, { EM_ARM, 0x5000200 },
		{ EM_S390, 0 }, { EM_PPC64, 2 }, { EM_RISCV, 4 }, { EM_LOONGARCH, 0x43 },
	};
	struct abi_type padding = { .size = 4, .align = 4, .natural = 4, .scalar_align = 1,
				    .type.size = 4, .aggregate = true };
	struct abi_type zero, t;
	struct abi_walk walk;
	const struct abi *abi;
	struct loc l;
	size_t i;

	(void)state;
	type("{i4}", &zero);
	zero.has_zero = true;
	type("i4", &t);
	for (i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		bool is64 = machines[i].machine != EM_386 && machines[i].machine != EM_ARM;

		abi = abi__find(machines[i].machine, machines[i].flags, is64,
				machines[i].machine == EM_S390);
		abi__begin(abi, NULL, false, &walk);
		assert_int_equal(abi__next(&walk, &t, &l), ABI_PLACED);
		assert_int_equal(abi__next(&walk, &padding, &l), ABI_NOT_KNOWN);
		assert_int_equal(abi__next(&walk, &t, &l), ABI_NOT_KNOWN);
		abi__begin(abi, NULL, false, &walk);
		assert_int_equal(abi__next(&walk, &zero, &l), ABI_NOT_KNOWN);
		assert_int_equal(abi__next(&walk, &t, &l), ABI_NOT_KNOWN);
	}
	/* x86-64: 16 bytes in many ways; the classes of those left out are not known */
	abi = abi__find(EM_X86_64, 0, true, false);
	type("(u1*16,u2*8,u4*4,u8*2,f4*4)", &t);
	assert_true(t.more);
	abi__begin(abi, NULL, false, &walk);
	assert_int_equal(abi__next(&walk, &t, &l), ABI_NOT_KNOWN);
	abi__begin(abi, &t, false, &walk);
	type("i4", &t);
	assert_int_equal(abi__next(&walk, &t, &l), ABI_NOT_KNOWN);
}

/* Bit-fields: never unaligned, and INTEGER in each eightbyte that they touch. */
static void test_bit_fields(void **state)
{
	struct abi_type t = {
		.size = 16, .align = 8, .natural = 8, .scalar_align = 8, .type.size = 16,
		.aggregate = true, .bitfields = true, .nr_fields = 2,
		/* a double, and bits of the bytes 9 and 10 */
		.fields = { { 0, 8, ABI_S_FLOAT }, { 9, 2, ABI_S_BITS } },
	};
	struct abi_walk walk;
	struct loc l;

	(void)state;
	/* SSE, INTEGER: one of each */
	abi__begin(abi__find(EM_X86_64, 0, true, false), NULL, false, &walk);
	assert_int_equal(abi__next(&walk, &t, &l), ABI_ELSEWHERE);
	/* INTEGER, INTEGER: a bit-field across both */
	t.fields[1].off = 7;
	t.fields[0] = (struct abi_field){ 0, 8, ABI_S_INT };
	assert_int_equal(abi__next(&walk, &t, &l), ABI_PLACED);
	assert_int_equal(l.nr_regs, 2);
	assert_int_equal(l.reg, 4);
	assert_int_equal(l.reg2, 1);
	/* with floats, what riscv does depends on bit-fields that are not seen */
	t.fields[0].kind = ABI_S_FLOAT;
	abi__begin(abi__find(EM_RISCV, 4, true, false), NULL, false, &walk);
	assert_int_equal(abi__next(&walk, &t, &l), ABI_NOT_KNOWN);
	abi__begin(abi__find(EM_RISCV, 0, true, false), NULL, false, &walk);
	assert_int_equal(abi__next(&walk, &t, &l), ABI_PLACED);
}

static void test_same_place(void **state)
{
	const struct loc reg = { .flags = LOC_F_REG, .nr_regs = 1, .size = 4, .reg = 5 };
	const struct loc mem = { .flags = LOC_F_REG | LOC_F_DEREF, .nr_regs = 1, .size = 4,
				 .reg = 7 };
	const struct loc regs = { .flags = LOC_F_REG, .nr_regs = 2, .size = 16, .reg = 5,
				  .reg2 = 4 };
	const struct loc c = { .flags = LOC_F_CONST, .size = 4, .val = 9 };
	const struct loc addr = { .flags = LOC_F_CONST | LOC_F_ADDR, .size = 8, .val = 9,
				  .sec = 3 };
	const struct loc none = { 0 };
	struct loc l;

	(void)state;
	assert_true(abi__same_place(&reg, &reg) && abi__same_place(&mem, &mem) &&
		    abi__same_place(&regs, &regs) && abi__same_place(&c, &c) &&
		    abi__same_place(&addr, &addr));
	assert_false(abi__same_place(&none, &none));
	assert_false(abi__same_place(&reg, &none));
	assert_false(abi__same_place(&none, &reg));
	assert_false(abi__same_place(&reg, &mem));
	assert_false(abi__same_place(&reg, &c));
	assert_false(abi__same_place(&c, &addr));
	/* the sign, an offset of 0, what is not used */
	l = reg; l.flags |= LOC_F_SIGNED; assert_true(abi__same_place(&reg, &l));
	l = mem; l.flags |= LOC_F_OFFSET; assert_true(abi__same_place(&mem, &l));
	l = reg; l.reg2 = 3; assert_true(abi__same_place(&reg, &l));
	l = mem; l.off = 8; assert_true(abi__same_place(&mem, &l));
	/* and what tells them apart */
	l.flags |= LOC_F_OFFSET; assert_false(abi__same_place(&mem, &l));
	l = reg; l.reg = 4; assert_false(abi__same_place(&reg, &l));
	l = reg; l.size = 8; assert_false(abi__same_place(&reg, &l));
	l = reg; l.off = 1; l.flags |= LOC_F_OFFSET; assert_false(abi__same_place(&reg, &l));
	l = regs; l.reg2 = 1; assert_false(abi__same_place(&regs, &l));
	l = regs; l.nr_regs = 1; assert_false(abi__same_place(&regs, &l));
	l = c; l.val = 8; assert_false(abi__same_place(&c, &l));
	l = addr; l.sec = 4; assert_false(abi__same_place(&addr, &l));
	l = addr; l.flags |= LOC_F_DEREF; assert_false(abi__same_place(&addr, &l));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find), cmocka_unit_test(test_unknown_types),
		cmocka_unit_test(test_bit_fields), cmocka_unit_test(test_same_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
