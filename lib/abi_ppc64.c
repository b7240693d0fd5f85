// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_ppc64.c - the calling convention of ppc64le
 *
 * Power Architecture 64-bit ELF V2 ABI, 2.2.3. The parameters make up an area of doublewords,
 * of which the first 8 are in r3 to r10; floats are in registers of their own and take up their
 * doublewords as well.
 */
#include "abi_internal.h"
#include "locs_format.h"

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

/* The next doublewords, in registers, on the stack or both. */
static enum abi_where ppc64le_area(struct abi_walk *walk, const struct abi_type *type,
				   struct loc *out)
{
	uint32_t words = (uint32_t)(abi__round_up(type->size, 8) / 8);
	uint32_t left = abi__gprs_left(walk);

	if (words <= left)
		return abi__put_regs(walk, type, words, out);
	if (!left)
		return abi__put_stack(walk, type, false, out);
	walk->stack = (uint64_t)(words - left) * 8;
	walk->gpr = walk->abi->nr_gprs;
	return ABI_ELSEWHERE;
}

/*
 * Floats are in registers of their own as long as there are some, and their doublewords unused;
 * then as anything else is.
 */
static enum abi_where ppc64le_floats(struct abi_walk *walk, const struct abi_type *type,
				     uint32_t nr, struct loc *out)
{
	uint32_t left = walk->fpr < walk->abi->nr_fprs ? walk->abi->nr_fprs - walk->fpr : 0;
	struct loc unused;

	if (!left)
		return ppc64le_area(walk, type, out);
	/* divided between the two kinds */
	if (nr > left)
		return abi__lost(walk);
	walk->fpr += nr;
	ppc64le_area(walk, type, &unused);
	return ABI_ELSEWHERE;
}

/* _Complex: as two parameters, with a doubleword each. */
static enum abi_where ppc64le_complex(struct abi_walk *walk, const struct abi_type *type,
				      struct loc *out)
{
	struct abi_type half = *type;
	enum abi_where where, second;
	struct loc l, l2;

	half.size /= 2;
	half.type.size /= 2;
	where = ppc64le_floats(walk, &half, 1, &l);
	second = ppc64le_floats(walk, &half, 1, &l2);
	if (where != ABI_PLACED || second != ABI_PLACED || half.size != 8 ||
	    !(l.flags & LOC_F_DEREF))
		return ABI_ELSEWHERE;
	l.size = type->size;
	*out = l;
	return ABI_PLACED;
}

static enum abi_where ppc64le_next(struct abi_walk *walk, const struct abi_type *type,
				   struct loc *out)
{
	uint32_t nr, each = type->size;
	int aligned = type->aggregate ? abi__is_aligned(type, type->align, 16) : 0;

	if (!type->size)
		return ABI_NOWHERE;
	nr = abi__is_float(type) ? 1 : abi__homogeneous(type, &each);
	/* quadruple precision: of one of two formats, in vector registers or not */
	if (nr && (each > 8 || each < 4 || type->packed))
		return abi__lost(walk);
	if (type->complex)
		return ppc64le_complex(walk, type, out);
	/* the area begins at a multiple of 16 */
	if (aligned && (walk->gpr & 1 || walk->stack % 16)) {
		if (aligned < 0)
			return abi__lost(walk);
		if (abi__gprs_left(walk))
			walk->gpr++;
		else
			walk->stack += 8;
	}
	if (nr && nr <= 8)
		return ppc64le_floats(walk, type, nr, out);
	return ppc64le_area(walk, type, out);
}

const struct abi abi_ppc64le = {
	.word = 8, .nr_gprs = 8, .gprs = { 3, 4, 5, 6, 7, 8, 9, 10 },
	.nr_fprs = 13, .sp = 1, .args = AREA + 8 * 8,
	.result_by_reference = ppc64le_result, .next = ppc64le_next,
};
