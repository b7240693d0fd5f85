// SPDX-License-Identifier: GPL-2.0-only
/* loc_pieces.c - the pieces of a composite location -> one location */
#include "loc_pieces.h"

#include "locs_format.h"
#include "regs.h"

static enum loc_reason two_registers(const struct loc_ctx *ctx, const struct loc_piece *p,
				     unsigned int nr, struct loc *out)
{
	struct loc l = { .flags = LOC_F_REG, .nr_regs = 2, .size = ctx->type.size };

	if (nr != 2 || p[0].size != ctx->reg_size || p[1].size > ctx->reg_size)
		return LOC_PIECES;
	if (!regs__is_fetchable(ctx->machine, p[0].v.reg) ||
	    !regs__is_fetchable(ctx->machine, p[1].v.reg))
		return LOC_REGISTER;
	if (ctx->type.is_signed)
		l.flags |= LOC_F_SIGNED;
	l.reg = p[0].v.reg;
	l.reg2 = p[1].v.reg;
	*out = l;
	return LOC_OK;
}

/* Pieces of memory that lie one behind the other are one. */
static enum loc_reason one_memory(const struct loc_ctx *ctx, const struct loc_piece *p,
				  unsigned int nr, struct loc *out)
{
	uint64_t at = 0;
	struct loc l, first = { 0 };
	enum loc_reason why;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		why = loc_value__memory(ctx, &p[i].v, ctx->type.size, &l);
		if (why != LOC_OK)
			return why;
		if (!i)
			first = l;
		else if ((l.flags | LOC_F_OFFSET) != (first.flags | LOC_F_OFFSET) ||
			 l.reg != first.reg || l.sec != first.sec ||
			 (uint64_t)l.off != (uint64_t)first.off +
					    (l.flags & LOC_F_REG ? at : 0) ||
			 l.val != first.val + (l.flags & LOC_F_REG ? 0 : at))
			return LOC_PIECES;
		at += p[i].size;
	}
	*out = first;
	return LOC_OK;
}

/* What the constants are in memory, one behind the other. */
static enum loc_reason one_const(const struct loc_ctx *ctx, const struct loc_piece *p,
				 unsigned int nr, struct loc *out)
{
	uint8_t bytes[8] = { 0 };
	unsigned int i, j, at = 0;

	for (i = 0; i < nr; i++)
		for (j = 0; j < p[i].size && at < sizeof(bytes); j++, at++)
			bytes[at] = p[i].c >> 8 * (ctx->big ? p[i].size - 1 - j : j);
	return loc_expr__block(ctx, bytes, at, out);
}

enum loc_reason loc_pieces__finish(const struct loc_ctx *ctx, const struct loc_piece *p,
				   unsigned int nr, struct loc *out)
{
	uint64_t total = 0;
	unsigned int i;
	bool same = true;

	if (!ctx->type.size)
		return LOC_NO_SIZE;
	for (i = 0; i < nr; i++) {
		if (p[i].kind == P_EMPTY)
			return LOC_NARROW;
		if (p[i].kind != p[0].kind)
			same = false;
		if (__builtin_add_overflow(total, p[i].size, &total))
			return LOC_MALFORMED;
	}
	if (total < ctx->type.size)
		return LOC_NARROW;
	if (total > ctx->type.size || !same)
		return LOC_PIECES;
	/*
	 * The pieces stand in the order of memory (DWARF 5, 2.6.1.2): of a number of a big-endian
	 * machine the high one first. clang (19) writes the low one first: not to be told apart.
	 */
	if (ctx->big && ctx->type.cls != LOC_C_AGGREGATE && p[0].kind != P_MEM)
		return LOC_PIECES;
	switch (p[0].kind) {
	case P_REG:
		return two_registers(ctx, p, nr, out);
	case P_MEM:
		return one_memory(ctx, p, nr, out);
	case P_CONST:
		return one_const(ctx, p, nr, out);
	default:
		return LOC_PIECES;
	}
}
