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
	v.mul = 1;
	v.off = sign_extend(off, v.width);
	return v;
}

/* Whether it is all of the register, memory or address, not narrowed or shifted. */
static bool is_whole(const struct loc_ctx *ctx, const struct loc_value *v)
{
	return v->bits == word_bits(ctx) && v->width == word_bits(ctx) && v->valid == 64 &&
	       !v->shl;
}

/* Whether it is a place: an address, or one register and an offset. */
static bool is_place(const struct loc_ctx *ctx, const struct loc_value *v)
{
	return is_whole(ctx, v) &&
	       (v->kind == LV_ADDR || (v->kind == LV_REG && v->mul == 1 && !v->mul2));
}

/* The constant @c of the type that @v has. */
static void become_const(const struct loc_ctx *ctx, struct loc_value *v, uint64_t c)
{
	uint8_t width = v->width;

	*v = loc_value__const(ctx, c);
	v->c = c & mask(width);
	v->width = v->bits = width;
}

static int64_t wrap(const struct loc_ctx *ctx, uint64_t v)
{
	return sign_extend(v, word_bits(ctx));
}

/* A sum that lost a register, or all. */
static void settle(const struct loc_ctx *ctx, struct loc_value *v)
{
	if (!v->mul) {
		v->mul = v->mul2;
		v->reg = v->reg2;
		v->mul2 = 0;
	}
	if (!v->mul)
		become_const(ctx, v, v->off);
}

/* All of a sum, which is_whole(), times @k. */
static void scale(const struct loc_ctx *ctx, struct loc_value *v, uint64_t k)
{
	v->mul = wrap(ctx, (uint64_t)v->mul * k);
	v->mul2 = wrap(ctx, (uint64_t)v->mul2 * k);
	v->off = wrap(ctx, (uint64_t)v->off * k);
	settle(ctx, v);
}

/* Whether it is a sum of registers with nothing cut off; a shift is made part of it. */
static bool take_sum(const struct loc_ctx *ctx, struct loc_value *v)
{
	struct loc_value r = *v;

	r.shl = 0;
	if (r.kind != LV_REG || !is_whole(ctx, &r))
		return false;
	if (v->shl)
		scale(ctx, &r, UINT64_C(1) << v->shl);
	*v = r;
	return r.kind == LV_REG;
}

static enum loc_reason add_term(const struct loc_ctx *ctx, struct loc_value *v, uint32_t reg,
				int64_t mul)
{
	if (!mul)
		return LOC_OK;
	if (v->mul && v->reg == reg) {
		v->mul = wrap(ctx, (uint64_t)v->mul + (uint64_t)mul);
	} else if (!v->mul2 || v->reg2 == reg) {
		v->reg2 = reg;
		v->mul2 = wrap(ctx, (uint64_t)v->mul2 + (uint64_t)mul);
	} else {
		return LOC_ARITHMETIC;
	}
	return LOC_OK;
}

/* *@a + *@b, two sums. */
static enum loc_reason add_sums(const struct loc_ctx *ctx, struct loc_value *a,
				const struct loc_value *b)
{
	enum loc_reason why = add_term(ctx, a, b->reg, b->mul);

	if (why == LOC_OK)
		why = add_term(ctx, a, b->reg2, b->mul2);
	if (why != LOC_OK)
		return why;
	a->off = wrap(ctx, (uint64_t)a->off + (uint64_t)b->off);
	settle(ctx, a);
	return LOC_OK;
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
	if (v->bits < v->width) {
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
	if (!is_place(ctx, v))
		return LOC_ARITHMETIC;
	m.abs = v->kind == LV_ADDR;
	m.reg = v->reg;
	m.off = v->off;
	m.c = v->c;
	m.sec = v->sec;
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

	/* to a truth value: x != 0 for some readers, x's lowest byte for others */
	if (to->cls != LOC_C_INT || to->size > 8)
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

static enum loc_reason and_const(const struct loc_ctx *ctx, struct loc_value *v, uint64_t m)
{
	unsigned int ones = ~m ? __builtin_ctzll(~m) : 64;

	m &= mask(v->width);
	if (!m) {
		become_const(ctx, v, 0);
		return LOC_OK;
	}
	if (v->shl)
		return LOC_ARITHMETIC;
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

/* Or and xor: the bits below the constant's are left alone. */
static enum loc_reason or_const(struct loc_value *v, uint64_t m)
{
	unsigned int kept;

	m &= mask(v->width);
	if (!m)
		return LOC_OK;
	kept = __builtin_ctzll(m);
	if (v->shl || !kept)
		return LOC_ARITHMETIC;
	if (kept < v->valid)
		v->valid = kept;
	return LOC_OK;
}

static enum loc_reason shift_left(struct loc_value *v, uint64_t k)
{
	if (v->shl || k >= v->width || v->valid < 64)
		return LOC_ARITHMETIC;
	v->shl = k;
	return LOC_OK;
}

/* Back by as much as it was shifted left: that is a narrower value. */
static void unshift(struct loc_value *v, bool arithmetic)
{
	unsigned int left = v->width - v->shl;

	v->shl = 0;
	if (left < v->bits || (left == v->bits && arithmetic != v->sgn)) {
		v->bits = left;
		v->sgn = arithmetic;
	} else if (left > v->bits && v->sgn && !arithmetic) {
		v->valid = left;
	}
}

/* Beyond that, only memory: it begins with a later bit. */
static enum loc_reason shift_right(const struct loc_ctx *ctx, struct loc_value *v, uint64_t k,
				   bool arithmetic)
{
	if (k >= v->width || k < v->shl)
		return LOC_ARITHMETIC;
	k -= v->shl;
	if (v->shl)
		unshift(v, arithmetic);
	if (!k)
		return LOC_OK;
	/* the sign's copies are no bits of the memory */
	if (v->kind != LV_MEM || v->valid < 64 ||
	    (v->sgn && v->bits < v->width && (!arithmetic || k >= v->bits)))
		return LOC_ARITHMETIC;
	if (k >= v->bits) {
		become_const(ctx, v, 0);
		return LOC_OK;
	}
	if (v->bits == v->width)
		v->sgn = arithmetic;
	v->lo += k;
	v->bits -= k;
	return LOC_OK;
}

/* A value and a constant behind it. */
static enum loc_reason with_const(const struct loc_ctx *ctx, uint8_t op, struct loc_value *v,
				  uint64_t c)
{
	switch (op) {
	case DW_OP_plus:
	case DW_OP_minus:
		take_sum(ctx, v);
		return loc_value__add(ctx, v, op == DW_OP_plus ? c : 0 - c);
	case DW_OP_and:
		return and_const(ctx, v, c);
	case DW_OP_or:
	case DW_OP_xor:
		return or_const(v, c);
	case DW_OP_shl:
		return shift_left(v, c);
	case DW_OP_shr:
	case DW_OP_shra:
		return shift_right(ctx, v, c, op == DW_OP_shra);
	case DW_OP_mul:
		if (c == 1)
			return LOC_OK;
		if (!take_sum(ctx, v))
			return LOC_ARITHMETIC;
		scale(ctx, v, c);
		return LOC_OK;
	default:
		return LOC_ARITHMETIC;
	}
}

/* Neither is a constant: what is added may be taken away again. */
static enum loc_reason two_values(const struct loc_ctx *ctx, uint8_t op, struct loc_value *a,
				  struct loc_value b)
{
	if ((op != DW_OP_plus && op != DW_OP_minus) || !take_sum(ctx, a) || !take_sum(ctx, &b))
		return LOC_ARITHMETIC;
	if (op == DW_OP_minus)
		scale(ctx, &b, -1);
	return add_sums(ctx, a, &b);
}

enum loc_reason loc_value__binary(const struct loc_ctx *ctx, uint8_t op,
				  struct loc_value *a, const struct loc_value *b)
{
	bool shift = op == DW_OP_shl || op == DW_OP_shr || op == DW_OP_shra;
	struct loc_value r = *a;
	enum loc_reason why = LOC_ARITHMETIC;

	/* DWARF 5, 2.5.1.4: operands of one type; it does not say which is meant */
	if (a->width != b->width && (!shift || a->kind == LV_CONST))
		return LOC_ARITHMETIC;
	if (a->kind == LV_CONST && b->kind == LV_CONST) {
		why = loc_value__fold(op, &r, b);
	} else if (a->kind == LV_CONST) {
		/* the constant first: it may as well stand behind */
		r = *b;
		if (op == DW_OP_plus || op == DW_OP_and || op == DW_OP_or ||
		    op == DW_OP_xor || op == DW_OP_mul) {
			why = with_const(ctx, op, &r, a->c);
		} else if (op == DW_OP_minus && take_sum(ctx, &r)) {
			scale(ctx, &r, -1);
			why = loc_value__add(ctx, &r, a->c);
		}
	} else if (b->kind == LV_CONST) {
		why = with_const(ctx, op, &r, b->c);
	} else {
		why = two_values(ctx, op, &r, *b);
	}
	if (why == LOC_OK)
		*a = r;
	return why;
}

enum loc_reason loc_value__unary(const struct loc_ctx *ctx, uint8_t op, struct loc_value *v)
{
	int64_t s = sign_extend(v->c, v->width);

	if (v->kind != LV_CONST) {
		if (op == DW_OP_abs || !take_sum(ctx, v))
			return LOC_ARITHMETIC;
		scale(ctx, v, -1);
		/* ~x is -x - 1 */
		return op == DW_OP_not ? loc_value__add(ctx, v, -1) : LOC_OK;
	}
	if (op == DW_OP_neg)
		v->c = 0 - v->c;
	else if (op == DW_OP_not)
		v->c = ~v->c;
	else if (s < 0)
		v->c = 0 - (uint64_t)s;
	v->c &= mask(v->width);
	return LOC_OK;
}

bool loc_value__is_register(const struct loc_value *v, uint64_t size)
{
	return v->kind == LV_REG && v->mul == 1 && !v->mul2 && !v->off && !v->shl &&
	       size <= v->bits / 8 && size <= v->valid / 8;
}

enum loc_reason loc_value__address(const struct loc_ctx *ctx, const struct loc_value *v,
				   uint32_t size, struct loc_value *at)
{
	uint32_t skip = v->lo / 8;

	if (v->kind != LV_MEM || v->shl || v->lo % 8)
		return LOC_ARITHMETIC;
	if (skip + size > v->load)
		return LOC_NARROW;
	/* the low bytes stand at the end in big-endian order */
	if (ctx->big)
		skip = v->load - size - skip;
	*at = v->abs ? loc_value__addr(ctx, v->c) : loc_value__reg(ctx, v->reg, v->off);
	at->sec = v->sec;
	return loc_value__add(ctx, at, skip);
}

enum loc_reason loc_value__memory(const struct loc_ctx *ctx, const struct loc_value *v,
				  uint32_t size, struct loc *out)
{
	struct loc l = { .size = size };

	if (!is_place(ctx, v))
		return LOC_ARITHMETIC;
	if (v->kind == LV_ADDR) {
		l.flags = LOC_F_CONST | LOC_F_ADDR | LOC_F_DEREF;
		l.val = v->c;
		l.sec = v->sec;
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

/* Memory, perhaps narrowed. */
static enum loc_reason finish_memory(const struct loc_ctx *ctx, const struct loc_value *v,
				     uint32_t size, bool sgn, struct loc *out)
{
	struct loc_value at;
	enum loc_reason why = loc_value__address(ctx, v, size, &at);

	if (why == LOC_OK)
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
		l.sec = v->sec;
	} else {
		if (v->mul != 1 || v->mul2)
			return LOC_ARITHMETIC;
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
