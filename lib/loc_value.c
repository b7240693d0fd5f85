// SPDX-License-Identifier: GPL-2.0-only
/* loc_value.c - what an expression computes, as far as a location can say it */
#include "loc_value.h"

#include <dwarf.h>

#include "locs_format.h"
#include "regs.h"

static uint64_t mask(unsigned int bits)
{
	return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

static int64_t sign_extend(uint64_t v, unsigned int bits)
{
	if (bits == 0 || bits >= 64)
		return (int64_t)v;
	return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static unsigned int word_bits(const struct loc_ctx *ctx)
{
	return ctx->addr_size * 8;
}

static struct loc_value value(const struct loc_ctx *ctx, enum loc_value_kind kind)
{
	struct loc_value v = {
		.kind = kind, .bits = word_bits(ctx), .valid = 64, .width = word_bits(ctx),
	};

	return v;
}

struct loc_value loc_value__const(const struct loc_ctx *ctx, uint64_t c)
{
	struct loc_value v = value(ctx, LV_CONST);

	v.c = c & mask(v.width);
	return v;
}

struct loc_value loc_value__addr(const struct loc_ctx *ctx, uint64_t addr)
{
	struct loc_value v = value(ctx, LV_ADDR);

	v.c = addr & mask(v.width);
	return v;
}

struct loc_value loc_value__reg(const struct loc_ctx *ctx, uint32_t reg, int64_t off)
{
	struct loc_value v = value(ctx, LV_REG);

	v.reg = reg;
	v.off = sign_extend(off, v.width);
	return v;
}

/* Whether it is all of the register, memory or address, not narrowed or shifted. */
static bool is_whole(const struct loc_ctx *ctx, const struct loc_value *v)
{
	return v->bits == word_bits(ctx) && v->width == word_bits(ctx) && v->valid == 64 &&
	       !v->shl;
}

enum loc_reason loc_value__add(const struct loc_ctx *ctx, struct loc_value *v, uint64_t k)
{
	if (v->kind == LV_CONST) {
		v->c = (v->c + k) & mask(v->width);
		return LOC_OK;
	}
	k &= mask(v->width);
	if (!k)
		return LOC_OK;
	if (v->kind == LV_MEM || v->shl)
		return LOC_ARITHMETIC;
	if (v->bits < word_bits(ctx)) {
		/* (low bits of X) + k is X + k in those low bits, and in no others */
		if (v->bits < v->valid)
			v->valid = v->bits;
		v->bits = word_bits(ctx);
	}
	if (v->kind == LV_ADDR)
		v->c = (v->c + k) & mask(word_bits(ctx));
	else
		v->off = sign_extend((uint64_t)v->off + (uint64_t)sign_extend(k, v->width),
				     word_bits(ctx));
	return LOC_OK;
}

enum loc_reason loc_value__deref(const struct loc_ctx *ctx, struct loc_value *v,
				 uint64_t size)
{
	struct loc_value m = value(ctx, LV_MEM);

	if (size == 0 || size > 8)
		return LOC_MALFORMED;
	if ((v->kind != LV_REG && v->kind != LV_ADDR) || !is_whole(ctx, v))
		return LOC_ARITHMETIC;
	m.abs = v->kind == LV_ADDR;
	m.reg = v->reg;
	m.off = v->off;
	m.c = v->c;
	m.load = size;
	m.bits = size * 8;
	if (m.width < m.bits)
		m.width = m.bits;
	*v = m;
	return LOC_OK;
}

/*
 * DWARF 5, 2.5.1.6: the value as one of another integral type. @to->size 0: the
 * generic type, whose sign is not said.
 */
enum loc_reason loc_value__convert(const struct loc_ctx *ctx, struct loc_value *v,
				   const struct loc_type *to)
{
	unsigned int w = to->size ? to->size * 8 : word_bits(ctx);

	if (to->cls == LOC_C_FLOAT || to->cls == LOC_C_AGGREGATE || to->size > 8)
		return LOC_ARITHMETIC;
	if (v->shl)
		return LOC_ARITHMETIC;
	if (v->kind == LV_CONST) {
		uint64_t c = v->sgn ? (uint64_t)sign_extend(v->c, v->width) : v->c;

		v->c = c & mask(w);
		v->width = w;
		v->bits = w;
		v->sgn = to->size ? to->is_signed : false;
		return LOC_OK;
	}
	if (w <= v->bits) {
		/* fewer bits, or the same ones read with another sign */
		if (w < v->bits || to->size)
			v->sgn = to->is_signed;
		v->bits = w;
		if (w <= v->valid)
			v->valid = 64;
	} else if (v->sgn && !to->is_signed && w < v->valid) {
		/* widened by the sign up to w, by zeros beyond */
		v->valid = w;
	}
	v->width = w;
	return LOC_OK;
}

static enum loc_reason and_const(struct loc_value *v, uint64_t m)
{
	unsigned int ones = ~m ? __builtin_ctzll(~m) : 64;

	if (v->shl)
		return LOC_ARITHMETIC;
	m &= mask(v->width);
	if (ones > v->width)
		ones = v->width;
	if (m != mask(ones) || (ones > v->bits && v->sgn)) {
		/* other bits than the low ones are touched: vouch for those alone */
		if (ones < v->valid)
			v->valid = ones;
		return LOC_OK;
	}
	if (ones <= v->bits) {
		v->bits = ones;
		v->sgn = false;
		if (ones <= v->valid)
			v->valid = 64;
	}
	return LOC_OK;
}

static enum loc_reason shift_left(struct loc_value *v, uint64_t k)
{
	if (v->shl || k >= v->width || v->valid < 64)
		return LOC_ARITHMETIC;
	v->shl = k;
	return LOC_OK;
}

/* Only back by as much as it was shifted left: that is a narrower value. */
static enum loc_reason shift_right(struct loc_value *v, uint64_t k, bool arithmetic)
{
	unsigned int left;

	if (!k)
		return LOC_OK;
	if (!v->shl || v->shl != k)
		return LOC_ARITHMETIC;
	left = v->width - k;
	v->shl = 0;
	if (left < v->bits || (left == v->bits && arithmetic != v->sgn)) {
		v->bits = left;
		v->sgn = arithmetic;
	} else if (left > v->bits && v->sgn && !arithmetic) {
		v->valid = left;
	}
	return LOC_OK;
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

static enum loc_reason fold(uint8_t op, struct loc_value *a, const struct loc_value *b)
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
		a->c = c & mask(w);
	return why;
}

enum loc_reason loc_value__binary(const struct loc_ctx *ctx, uint8_t op,
				  struct loc_value *a, const struct loc_value *b)
{
	struct loc_value r = *a;
	enum loc_reason why = LOC_ARITHMETIC;

	if (a->kind == LV_CONST && b->kind == LV_CONST) {
		if (a->width != b->width)
			return LOC_ARITHMETIC;
		why = fold(op, &r, b);
	} else if (a->width != b->width && op != DW_OP_shl && op != DW_OP_shr &&
		   op != DW_OP_shra) {
		/* DWARF 5, 2.5.1.4: operands of one type; it does not say which is meant */
		return LOC_ARITHMETIC;
	} else if (a->kind == LV_CONST) {
		/* the constant first, where the order makes no difference */
		r = *b;
		if (op == DW_OP_plus)
			why = loc_value__add(ctx, &r, a->c);
		else if (op == DW_OP_and)
			why = and_const(&r, a->c);
	} else if (b->kind == LV_CONST) {
		switch (op) {
		case DW_OP_plus:
			why = loc_value__add(ctx, &r, b->c);
			break;
		case DW_OP_minus:
			why = loc_value__add(ctx, &r, 0 - b->c);
			break;
		case DW_OP_and:
			why = and_const(&r, b->c);
			break;
		case DW_OP_shl:
			why = shift_left(&r, b->c);
			break;
		case DW_OP_shr:
		case DW_OP_shra:
			why = shift_right(&r, b->c, op == DW_OP_shra);
			break;
		case DW_OP_or:
		case DW_OP_xor:
			why = b->c ? LOC_ARITHMETIC : LOC_OK;
			break;
		case DW_OP_mul:
			why = b->c == 1 ? LOC_OK : LOC_ARITHMETIC;
			break;
		}
	}
	if (why == LOC_OK)
		*a = r;
	return why;
}

enum loc_reason loc_value__unary(uint8_t op, struct loc_value *v)
{
	int64_t s = sign_extend(v->c, v->width);

	if (v->kind != LV_CONST)
		return LOC_ARITHMETIC;
	if (op == DW_OP_neg)
		v->c = 0 - v->c;
	else if (op == DW_OP_not)
		v->c = ~v->c;
	else if (s < 0)
		v->c = 0 - (uint64_t)s;
	v->c &= mask(v->width);
	return LOC_OK;
}

enum loc_reason loc_value__memory(const struct loc_ctx *ctx, const struct loc_value *v,
				  uint32_t size, struct loc *out)
{
	struct loc l = { .size = size };

	if ((v->kind != LV_REG && v->kind != LV_ADDR) || !is_whole(ctx, v))
		return LOC_ARITHMETIC;
	if (v->kind == LV_ADDR) {
		l.flags = LOC_F_CONST | LOC_F_ADDR | LOC_F_DEREF;
		l.val = v->c;
	} else {
		if (!regs__is_fetchable(ctx->machine, v->reg))
			return LOC_REGISTER;
		l.flags = LOC_F_REG | LOC_F_DEREF | (v->off ? LOC_F_OFFSET : 0);
		l.nr_regs = 1;
		l.reg = v->reg;
		l.off = v->off;
	}
	if (ctx->type.is_signed && size == ctx->type.size)
		l.flags |= LOC_F_SIGNED;
	*out = l;
	return LOC_OK;
}

/* Bytes and sign of what is read: the type's, or what the value was narrowed to. */
static enum loc_reason narrow(const struct loc_ctx *ctx, const struct loc_value *v,
			      uint32_t *size, bool *sgn)
{
	unsigned int n = ctx->type.size * 8;

	if (v->shl || v->valid < n)
		return LOC_ARITHMETIC;
	if (v->bits >= n) {
		*size = ctx->type.size;
		*sgn = ctx->type.is_signed;
		return LOC_OK;
	}
	if (ctx->type.cls == LOC_C_FLOAT)
		return LOC_NARROW;
	if (v->bits != 8 && v->bits != 16 && v->bits != 32)
		return LOC_ARITHMETIC;
	*size = v->bits / 8;
	*sgn = v->sgn;
	return LOC_OK;
}

/* Memory, then narrowed: the low bytes stand at the end in big-endian order. */
static enum loc_reason finish_memory(const struct loc_ctx *ctx, const struct loc_value *v,
				     uint32_t size, bool sgn, struct loc *out)
{
	struct loc_value at = v->abs ? loc_value__addr(ctx, v->c) :
				       loc_value__reg(ctx, v->reg, v->off);
	enum loc_reason why;

	if (size > v->load)
		return LOC_NARROW;
	if (ctx->big)
		loc_value__add(ctx, &at, v->load - size);
	why = loc_value__memory(ctx, &at, size, out);
	if (why == LOC_OK)
		out->flags = (out->flags & ~LOC_F_SIGNED) | (sgn ? LOC_F_SIGNED : 0);
	return why;
}

enum loc_reason loc_value__finish(const struct loc_ctx *ctx, const struct loc_value *v,
				  struct loc *out)
{
	struct loc l = { 0 };
	enum loc_reason why;
	uint32_t size;
	bool sgn;

	if (!ctx->type.size)
		return LOC_NO_SIZE;
	if (ctx->type.size > v->width / 8)
		return LOC_NARROW;
	if (v->kind == LV_CONST)
		return loc_expr__const(ctx, v->c, out);
	why = narrow(ctx, v, &size, &sgn);
	if (why != LOC_OK)
		return why;
	if (v->kind == LV_MEM)
		return finish_memory(ctx, v, size, sgn, out);
	if (v->kind == LV_ADDR) {
		if (size != ctx->addr_size)
			return LOC_ARITHMETIC;
		l.flags = LOC_F_CONST | LOC_F_ADDR;
		l.val = v->c;
	} else {
		if (!regs__is_fetchable(ctx->machine, v->reg))
			return LOC_REGISTER;
		l.flags = LOC_F_REG | (v->off ? LOC_F_OFFSET : 0) | (sgn ? LOC_F_SIGNED : 0);
		l.nr_regs = 1;
		l.reg = v->reg;
		l.off = v->off;
	}
	l.size = size;
	*out = l;
	return LOC_OK;
}
