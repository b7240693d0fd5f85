// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_ppc64.c - the calling convention of ppc64le
 *
 * Power Architecture 64-bit ELF V2 ABI, 2.2.3. The parameters make up an area of doublewords,
 * of which the first 8 are in r3 to r10; floats are in registers of their own and take up their
 * doublewords as well.
 */
#include "abi_internal.h"

enum { AREA = 32 };	/* bytes from the stack pointer to the area */

static bool ppc64le_result(struct abi_walk *walk, const struct abi_type *ret)
{
	uint32_t nr, each;

	if (ret->size <= 16 || (!ret->aggregate && !ret->complex))
		return false;
	nr = abi__homogeneous(ret, &each);
	if (nr && (each > 8 || ret->packed))
		abi__lose(walk);
	return !nr || nr > 8;
}

/* The next @words doublewords, in registers, on the stack or both. */
static enum abi_where ppc64le_area(struct abi_walk *walk, const struct abi_type *type,
				   uint32_t words, struct loc *out)
{
	uint32_t left = abi__gprs_left(walk);

	if (words <= left)
		return abi__put_regs(walk, type, words, out);
	if (left) {
		walk->stack = (uint64_t)(words - left) * 8;
		walk->gpr = walk->abi->nr_gprs;
		return ABI_ELSEWHERE;
	}
	return abi__put_stack(walk, type, 8, false, out);
}

static enum abi_where ppc64le_next(struct abi_walk *walk, const struct abi_type *type,
				   struct loc *out)
{
	uint32_t words = (uint32_t)(abi__round_up(type->size, 8) / 8), nr, each = type->size;
	bool in_regs = abi__gprs_left(walk);
	enum abi_where where;
	struct loc l;

	if (!type->size)
		return ABI_NOWHERE;
	nr = abi__is_float(type) ? 1 : abi__homogeneous(type, &each);
	/* quadruple precision: of one of two formats, in vector registers or not */
	if (nr && (each > 8 || each < 4 || type->packed))
		return abi__lost(walk);
	if (type->aggregate && type->align >= 16) {
		if (type->packed)
			return abi__lost(walk);
		if (!in_regs)
			walk->stack = abi__round_up(walk->stack, 16);
		else if (walk->gpr & 1)
			walk->gpr++;
	}
	where = ppc64le_area(walk, type, words, &l);
	if (nr && nr <= 8) {
		bool all = walk->fpr >= walk->abi->nr_fprs;

		walk->fpr += nr;
		if (!all || in_regs)
			return ABI_ELSEWHERE;
	}
	if (where == ABI_PLACED)
		*out = l;
	return where;
}

const struct abi abi_ppc64le = {
	.word = 8, .nr_gprs = 8, .gprs = { 3, 4, 5, 6, 7, 8, 9, 10 },
	.nr_fprs = 13, .sp = 1, .args = AREA + 8 * 8,
	.result_by_reference = ppc64le_result, .next = ppc64le_next,
};
