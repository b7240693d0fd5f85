// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_x86.c - the calling conventions of x86-64 and of i386 kernels
 *
 * System V ABI, AMD64 supplement, 3.2.3; for i386 there is no document: -mregparm=3 as gcc and
 * clang have it, with which its kernels are built.
 */
#include "abi_internal.h"

/* The classes of an eightbyte, C_NONE to C_MEMORY as the psABI names them. */
enum cls { C_NONE, C_INTEGER, C_SSE, C_SSEUP, C_X87, C_X87UP, C_MEMORY };

static enum cls merge(enum cls a, enum cls b)
{
	if (a == b || b == C_NONE)
		return a;
	if (a == C_NONE)
		return b;
	if (a == C_MEMORY || b == C_MEMORY)
		return C_MEMORY;
	if (a == C_INTEGER || b == C_INTEGER)
		return C_INTEGER;
	if (a >= C_X87 || b >= C_X87)
		return C_MEMORY;
	return C_SSE;
}

static void classify_field(const struct abi_field *f, enum cls c[2])
{
	uint32_t i, first = f->off / 8, last = (f->off + f->size - 1) / 8;
	enum cls of[2] = { C_INTEGER, C_INTEGER };

	if (f->kind == ABI_S_LONG_DOUBLE && f->size == 16) {
		of[0] = C_X87;
		of[1] = C_X87UP;
	} else if (f->kind >= ABI_S_FLOAT) {
		of[0] = C_SSE;
		of[1] = C_SSEUP;
	}
	for (i = first; i <= last && i < 2; i++)
		c[i] = merge(c[i], of[i - first]);
}

/*
 * Into @c, C_MEMORY in the first where it is passed there as a whole. False where it is
 * not known.
 */
static bool classify(const struct abi_type *type, enum cls c[2])
{
	uint32_t i;

	c[0] = c[1] = C_NONE;
	if (type->size > 16) {
		c[0] = C_MEMORY;
		return true;
	}
	if (type->more)
		return false;
	for (i = 0; i < type->nr_fields; i++) {
		const struct abi_field *f = &type->fields[i];

		if (f->kind != ABI_S_BITS && f->off % f->size) {
			c[0] = C_MEMORY;
			return true;
		}
		classify_field(f, c);
	}
	/* padding alone: or bit-fields without a name, which no DWARF has */
	if (c[0] == C_NONE)
		return false;
	if (c[1] == C_X87UP && c[0] != C_X87)
		c[0] = C_MEMORY;
	if (c[1] == C_SSEUP && c[0] != C_SSE)
		c[1] = C_SSE;
	if (c[1] == C_MEMORY)
		c[0] = C_MEMORY;
	return true;
}

static bool x86_64_result(struct abi_walk *walk, const struct abi_type *ret)
{
	enum cls c[2];

	/* _Complex long double: in st0 and st1 */
	if (!ret->size || (ret->complex && ret->size == 32))
		return false;
	if (!ret->nr_fields || ret->has_zero || !classify(ret, c)) {
		abi__lose(walk);
		return false;
	}
	return c[0] == C_MEMORY;
}

static enum abi_where x86_64_stack(struct abi_walk *walk, const struct abi_type *type,
				   struct loc *out)
{
	uint32_t to = type->align > 16 ? type->align : 16;
	int aligned = abi__is_aligned(type, type->align, 16);

	/* clang before 18 aligns an __int128 to 8 */
	if (aligned && !type->aggregate && type->fields[0].kind == ABI_S_INT)
		aligned = -1;
	return abi__put_stack_aligned(walk, type, aligned, to, out);
}

static enum abi_where x86_64_next(struct abi_walk *walk, const struct abi_type *type,
				  struct loc *out)
{
	uint32_t i, ints = 0, sse = 0;
	enum cls c[2];

	if (!type->size)
		return ABI_NOWHERE;
	if (!classify(type, c))
		return abi__lost(walk);
	if (c[0] == C_MEMORY || c[0] == C_X87)
		return x86_64_stack(walk, type, out);
	for (i = 0; i < 2; i++) {
		ints += c[i] == C_INTEGER;
		sse += c[i] == C_SSE;
	}
	if (ints > abi__gprs_left(walk) || walk->fpr + sse > walk->abi->nr_fprs) {
		/* clang before 21 divides an __int128 between the last register and the stack */
		if (!type->aggregate && ints == 2 && abi__gprs_left(walk))
			return abi__lost(walk);
		return x86_64_stack(walk, type, out);
	}
	walk->fpr += sse;
	if (!sse && ints * 8 >= type->size)
		return abi__put_regs(walk, type, ints, out);
	walk->gpr += ints;
	return ABI_ELSEWHERE;
}

const struct abi abi_x86_64 = {
	.word = 8, .nr_gprs = 6, .gprs = { 5, 4, 1, 2, 8, 9 },	/* di si dx cx r8 r9 */
	.nr_fprs = 8, .sp = 7, .args = 8,
	.result_by_reference = x86_64_result, .next = x86_64_next,
};

static bool holds_float(const struct abi_type *type)
{
	uint32_t i;

	for (i = 0; i < type->nr_fields; i++)
		if (type->fields[i].kind >= ABI_S_FLOAT)
			return true;
	return type->more;
}

/*
 * -freg-struct-return, as kernels have it: structs of 1, 2, 4 and 8 bytes are returned in
 * registers, larger ones through memory. What else there is, gcc and clang do not agree upon:
 * empty ones, those of odd sizes, small ones of floats.
 */
static bool i386_result(struct abi_walk *walk, const struct abi_type *ret)
{
	uint32_t size = ret->size;

	if (!ret->aggregate && !ret->complex)
		return false;
	if (ret->complex || ret->has_zero || !size || (size < 8 && size & (size - 1)) ||
	    (size <= 16 && holds_float(ret)))
		abi__lose(walk);
	return size > 8;
}

static enum abi_where i386_next(struct abi_walk *walk, const struct abi_type *type,
				struct loc *out)
{
	uint64_t words = abi__round_up(type->size, 4) / 4;

	if (!type->size)
		return ABI_NOWHERE;
	/* gcc: all of them on the stack; clang: as in any other function */
	if (walk->variadic)
		return abi__lost(walk);
	/*
	 * A float is never in one of these registers; whether it keeps those after it out of
	 * them, and what of structs that hold some, gcc and clang do not agree upon.
	 */
	if (abi__gprs_left(walk) && holds_float(type)) {
		if (!abi__is_float(type) || type->fields[0].kind == ABI_S_LONG_DOUBLE)
			return abi__lost(walk);
		return abi__put_stack(walk, type, false, out);
	}
	if (words <= abi__gprs_left(walk))
		return abi__put_regs(walk, type, (uint32_t)words, out);
	/* no register is used any more after one that did not fit */
	walk->gpr = walk->abi->nr_gprs;
	return abi__put_stack(walk, type, false, out);
}

const struct abi abi_i386 = {
	.word = 4, .nr_gprs = 3, .gprs = { 0, 2, 1 },	/* ax dx cx */
	.sp = 4, .args = 4, .fp = ABI_FLOAT_SOFT,
	.result_by_reference = i386_result, .next = i386_next,
};
