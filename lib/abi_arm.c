// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_arm.c - the calling conventions of AArch64 and of 32-bit Arm
 *
 * Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), 6.8.2, and for the Arm
 * Architecture (AAPCS32), 6.5 and 7; the rules' names are theirs. Little-endian only.
 *
 * Both ask for the natural alignment: an attribute of the type itself does not count, one of a
 * member does.
 */
#include "abi_internal.h"

/* By the result: its address goes into x8, which takes up none of the others. */
static bool aarch64_result(struct abi_walk *walk, const struct abi_type *ret)
{
	(void)walk;
	(void)ret;
	return false;
}

/* C.1 to C.5: floats and aggregates of them, in @nr registers or on the stack. */
static enum abi_where aarch64_floats(struct abi_walk *walk, const struct abi_type *type,
				     uint32_t nr, struct loc *out)
{
	if (nr <= walk->abi->nr_fprs - walk->fpr) {
		walk->fpr += nr;
		return ABI_ELSEWHERE;
	}
	walk->fpr = walk->abi->nr_fprs;
	return abi__put_stack_aligned(walk, type, abi__is_aligned(type, type->natural, 16), 16,
				      out);
}

static enum abi_where aarch64_next(struct abi_walk *walk, const struct abi_type *type,
				   struct loc *out)
{
	uint32_t words = (uint32_t)(abi__round_up(type->size, 8) / 8), nr, each;
	int aligned = abi__is_aligned(type, type->natural, 16);

	if (!type->size)
		return ABI_NOWHERE;
	if (abi__is_float(type))
		return aarch64_floats(walk, type, 1, out);
	nr = abi__homogeneous(type, &each);
	if (nr && nr <= 4)
		return type->packed ? abi__lost(walk) : aarch64_floats(walk, type, nr, out);
	if (type->size > 16)		/* B.4 */
		return abi__put_reference(walk, type, out);
	if (aligned && walk->gpr & 1) {	/* C.10 */
		if (aligned < 0)
			return abi__lost(walk);
		walk->gpr++;
	}
	if (words <= abi__gprs_left(walk))
		return abi__put_regs(walk, type, words, out);
	walk->gpr = walk->abi->nr_gprs;	/* C.13 */
	return abi__put_stack_aligned(walk, type, aligned, 16, out);
}

const struct abi abi_aarch64 = {
	.word = 8, .nr_gprs = 8, .gprs = { 0, 1, 2, 3, 4, 5, 6, 7 },
	.nr_fprs = 8, .sp = 31, .args = 0,
	.result_by_reference = aarch64_result, .next = aarch64_next,
};

enum { ARM_VFP_ALL = 0xffff };	/* s0 to s15, a bit each */

/* The number of VFP registers' worth: 1, 2 (double) for each of @nr; 0: not passed in them. */
static uint32_t arm_vfp_candidate(const struct abi_type *type, uint32_t *nr)
{
	uint32_t each = type->size;

	*nr = abi__is_float(type) ? 1 : abi__homogeneous(type, &each);
	if (!*nr || *nr > 4 || (each != 4 && each != 8))
		return 0;
	return each / 4;
}

/* Whether it holds a float that the convention may have a rule for, one of half size too. */
static bool is_of_floats(const struct abi_type *type)
{
	uint32_t each;

	return abi__is_float(type) || abi__homogeneous(type, &each);
}

static bool arm_result(struct abi_walk *walk, const struct abi_type *ret)
{
	enum abi_float fp = walk->variadic ? ABI_FLOAT_SOFT : walk->abi->fp;
	uint32_t nr;

	if ((!ret->aggregate && !ret->complex) || ret->size <= 4)
		return false;
	if (ret->has_zero || ret->packed)
		abi__lose(walk);
	if (fp != ABI_FLOAT_SOFT && is_of_floats(ret)) {
		if (fp == ABI_FLOAT_UNKNOWN)
			abi__lose(walk);
		return !arm_vfp_candidate(ret, &nr);
	}
	return true;
}

/* C.1.vfp and C.2.vfp: the lowest free run of registers, which may lie before others in use. */
static enum abi_where arm_vfp(struct abi_walk *walk, const struct abi_type *type,
			      uint32_t each, uint32_t nr, struct loc *out)
{
	uint32_t len = each * nr, at, run = (1u << len) - 1;

	for (at = 0; at + len <= walk->abi->nr_fprs; at += each)
		if (!(walk->fpr & run << at)) {
			walk->fpr |= run << at;
			return ABI_ELSEWHERE;
		}
	walk->fpr = ARM_VFP_ALL;
	return abi__put_stack_aligned(walk, type, abi__is_aligned(type, type->natural, 8), 8,
				      out);
}

/* C.3 to C.8: integer registers, the stack, or both. */
static enum abi_where arm_core(struct abi_walk *walk, const struct abi_type *type,
			       struct loc *out)
{
	uint32_t words = (uint32_t)(abi__round_up(type->size, 4) / 4);
	int aligned = abi__is_aligned(type, type->natural, 8);

	/* gcc 12 says nothing of an attribute that asks for that much, for a struct in it */
	if (!aligned && type->has_nested && type->size % 8 == 0)
		aligned = -1;
	if (aligned && walk->gpr & 1) {
		if (aligned < 0)
			return abi__lost(walk);
		walk->gpr++;
	}
	if (words <= abi__gprs_left(walk))
		return abi__put_regs(walk, type, words, out);
	if (abi__gprs_left(walk) && !walk->stack) {
		walk->stack = (uint64_t)(words - abi__gprs_left(walk)) * 4;
		walk->gpr = walk->abi->nr_gprs;
		return ABI_ELSEWHERE;
	}
	walk->gpr = walk->abi->nr_gprs;
	return abi__put_stack_aligned(walk, type, aligned, 8, out);
}

static enum abi_where arm_next(struct abi_walk *walk, const struct abi_type *type,
			       struct loc *out)
{
	enum abi_float fp = walk->variadic ? ABI_FLOAT_SOFT : walk->abi->fp;
	uint32_t nr, each;

	if (!type->size)
		return ABI_NOWHERE;
	if (is_of_floats(type)) {
		/* half a word is not passed alike by all */
		each = arm_vfp_candidate(type, &nr);
		if (fp == ABI_FLOAT_UNKNOWN || type->packed || type->fields[0].size < 4)
			return abi__lost(walk);
		if (fp == ABI_FLOAT_HARD && each)
			return arm_vfp(walk, type, each, nr, out);
	}
	return arm_core(walk, type, out);
}

#define ARM(float_abi) {							\
	.word = 4, .nr_gprs = 4, .gprs = { 0, 1, 2, 3 },			\
	.nr_fprs = 16, .sp = 13, .args = 0, .fp = float_abi,			\
	.result_by_reference = arm_result, .next = arm_next,			\
}

const struct abi abi_arm_hard = ARM(ABI_FLOAT_HARD);
const struct abi abi_arm_soft = ARM(ABI_FLOAT_SOFT);
const struct abi abi_arm_unknown = ARM(ABI_FLOAT_UNKNOWN);
