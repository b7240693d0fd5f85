// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_s390.c - the calling convention of s390x
 *
 * ELF Application Binary Interface, s390x supplement, 1.2.2: parameter passing. Big-endian: a
 * value narrower than a register, or than its slot on the stack, is in its low bytes.
 */
#include "abi_internal.h"

/* Results other than scalars of 8 bytes at most are returned in memory. */
static bool s390x_result(struct abi_walk *walk, const struct abi_type *ret)
{
	(void)walk;
	return ret->aggregate || ret->complex || ret->size > 8;
}

static bool is_register_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static enum abi_where s390x_next(struct abi_walk *walk, const struct abi_type *type,
				 struct loc *out)
{
	bool one_float = type->nr_fields == 1 && !type->more &&
			 type->fields[0].kind >= ABI_S_FLOAT;

	/* an empty struct too */
	if (type->complex || !is_register_size(type->size))
		return abi__put_reference(walk, type, out);
	if (one_float && (type->size != type->fields[0].size || type->size < 4))
		return abi__lost(walk);
	/* a struct of a float alone is passed as the float: not a union, not an array in it */
	if (one_float && !type->has_union && !type->has_array && !type->has_empty) {
		if (walk->fpr < walk->abi->nr_fprs) {
			walk->fpr++;
			return ABI_ELSEWHERE;
		}
	} else if (abi__gprs_left(walk)) {
		return abi__put_regs(walk, type, 1, out);
	}
	return abi__put_stack(walk, type, true, out);
}

const struct abi abi_s390x = {
	.word = 8, .big = true, .nr_gprs = 5, .gprs = { 2, 3, 4, 5, 6 },
	.nr_fprs = 4,		/* f0 f2 f4 f6 */
	.sp = 15, .args = 160,
	.result_by_reference = s390x_result, .next = s390x_next,
};
