// SPDX-License-Identifier: GPL-2.0-only
/* loc_value_fold.c - what an operator makes of two constants */
#include "loc_value.h"

#include <dwarf.h>

static int64_t sign_extend(uint64_t v, unsigned int bits)
{
	return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static enum loc_reason fold_shift(uint8_t op, uint64_t a, uint64_t b, unsigned int w,
				  uint64_t *out)
{
	int64_t s = sign_extend(a, w);

	if (op == DW_OP_shl)
		*out = b >= w ? 0 : a << b;
	else if (op == DW_OP_shr)
		*out = b >= w ? 0 : a >> b;
	else
		*out = (uint64_t)(b >= w ? (s < 0 ? -1 : 0) : s >> b);
	return LOC_OK;
}

/*
 * Division and comparison are signed or not by the operands' type (DWARF 5, 2.5.1.4 and
 * 2.5.1.5): folded where both give the same.
 */
static enum loc_reason fold_signed(uint8_t op, uint64_t a, uint64_t b, unsigned int w,
				   uint64_t *out)
{
	int64_t sa = sign_extend(a, w), sb = sign_extend(b, w);

	if (op == DW_OP_div || op == DW_OP_mod) {
		if (!b)
			return LOC_MALFORMED;
		if (sa < 0 || sb < 0)
			return LOC_ARITHMETIC;
		*out = op == DW_OP_div ? a / b : a % b;
		return LOC_OK;
	}
	if ((sa < sb) != (a < b))
		return LOC_ARITHMETIC;
	switch (op) {
	case DW_OP_lt:	*out = a < b; break;
	case DW_OP_le:	*out = a <= b; break;
	case DW_OP_gt:	*out = a > b; break;
	default:	*out = a >= b; break;
	}
	return LOC_OK;
}

enum loc_reason loc_value__fold(uint8_t op, struct loc_value *a, const struct loc_value *b)
{
	unsigned int w = a->width;
	enum loc_reason why = LOC_OK;
	uint64_t c = 0;

	switch (op) {
	case DW_OP_plus:	c = a->c + b->c; break;
	case DW_OP_minus:	c = a->c - b->c; break;
	case DW_OP_mul:		c = a->c * b->c; break;
	case DW_OP_and:		c = a->c & b->c; break;
	case DW_OP_or:		c = a->c | b->c; break;
	case DW_OP_xor:		c = a->c ^ b->c; break;
	case DW_OP_eq:		c = a->c == b->c; break;
	case DW_OP_ne:		c = a->c != b->c; break;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		why = fold_shift(op, a->c, b->c, w, &c);
		break;
	case DW_OP_lt:
	case DW_OP_le:
	case DW_OP_gt:
	case DW_OP_ge:
	case DW_OP_div:
	case DW_OP_mod:
		why = fold_signed(op, a->c, b->c, w, &c);
		break;
	default:
		return LOC_UNKNOWN_OP;
	}
	if (why == LOC_OK)
		a->c = w >= 64 ? c : c & ((UINT64_C(1) << w) - 1);
	return why;
}
