// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_riscv.c - the calling conventions of 64-bit RISC-V and LoongArch
 *
 * RISC-V ELF psABI, "Procedure Calling Convention"; LoongArch procedure calling standard. The
 * same rules, but for the registers' numbers, for parameters with a name: the pairs of
 * registers that begin at an even one are for those without.
 */
#include "abi_internal.h"

static bool riscv_result(struct abi_walk *walk, const struct abi_type *ret)
{
	(void)walk;
	return ret->size > 16;
}

/*
 * The floating-point convention's share of a struct that it takes apart: its floats and
 * integers, one or two in all; a pointer is none. False: it is passed as integers.
 */
static bool flatten(const struct abi *abi, const struct abi_type *type, uint32_t *floats,
		    uint32_t *ints)
{
	uint32_t i;

	*floats = *ints = 0;
	if (type->more || type->nr_fields > 2 || type->has_union)
		return false;
	for (i = 0; i < type->nr_fields; i++) {
		const struct abi_field *f = &type->fields[i];

		if (f->kind == ABI_S_INT && f->size <= abi->word)
			++*ints;
		else if (f->kind >= ABI_S_FLOAT && f->size <= abi->flen)
			++*floats;
		else
			return false;
	}
	return *floats;
}

/* As integers: registers, the stack, or the last register and the stack. */
static enum abi_where riscv_ints(struct abi_walk *walk, const struct abi_type *type,
				 struct loc *out)
{
	uint32_t words = (uint32_t)(abi__round_up(type->size, 8) / 8);
	int aligned = abi__is_aligned(type, type->align, 16);

	if (type->size > 16)
		return abi__put_reference(walk, type, out);
	if (words <= abi__gprs_left(walk))
		return abi__put_regs(walk, type, words, out);
	if (abi__gprs_left(walk)) {
		walk->gpr++;
		walk->stack += 8;
		return ABI_ELSEWHERE;
	}
	/* gcc 12 says nothing of an attribute that asks for that much */
	if (!aligned && type->aggregate && type->size == 16)
		aligned = -1;
	return abi__put_stack_aligned(walk, type, aligned, 16, out);
}

static enum abi_where riscv_next(struct abi_walk *walk, const struct abi_type *type,
				 struct loc *out)
{
	const struct abi *abi = walk->abi;
	uint32_t floats, ints, i;

	if (!type->size)
		return ABI_NOWHERE;
	if (type->size <= 16 && abi->flen) {
		for (i = 0; i < type->nr_fields; i++) {
			/* half floats depend on an extension, bit-fields on what is not seen */
			if (type->fields[i].kind >= ABI_S_FLOAT &&
			    (type->fields[i].size < 4 || type->bitfields || type->packed))
				return abi__lost(walk);
		}
		if (flatten(abi, type, &floats, &ints) &&
		    walk->fpr + floats <= abi->nr_fprs && ints <= abi__gprs_left(walk)) {
			walk->fpr += floats;
			walk->gpr += ints;
			return ABI_ELSEWHERE;
		}
	}
	return riscv_ints(walk, type, out);
}

#define RISCV(float_bytes) {							\
	.word = 8, .nr_gprs = 8,						\
	.gprs = { 10, 11, 12, 13, 14, 15, 16, 17 },	/* a0 to a7 */		\
	.nr_fprs = 8, .sp = 2, .flen = float_bytes,				\
	.result_by_reference = riscv_result, .next = riscv_next,		\
}

const struct abi abi_riscv64_lp64 = RISCV(0);
const struct abi abi_riscv64_lp64f = RISCV(4);
const struct abi abi_riscv64_lp64d = RISCV(8);

#define LOONGARCH(float_bytes) {						\
	.word = 8, .nr_gprs = 8,						\
	.gprs = { 4, 5, 6, 7, 8, 9, 10, 11 },		/* a0 to a7 */		\
	.nr_fprs = 8, .sp = 3, .flen = float_bytes,				\
	.result_by_reference = riscv_result, .next = riscv_next,		\
}

const struct abi abi_loongarch64_lp64s = LOONGARCH(0);
const struct abi abi_loongarch64_lp64f = LOONGARCH(4);
const struct abi abi_loongarch64_lp64d = LOONGARCH(8);
