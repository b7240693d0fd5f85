// SPDX-License-Identifier: GPL-2.0-only
/* loc_expr.c - one DWARF expression -> one location */
#include "loc_expr.h"

#include <dwarf.h>

#include "cursor.h"
#include "loc_pieces.h"
#include "locs_format.h"
#include "regs.h"

/* operators that dwarf.h of elfutils 0.188 does not name the same everywhere */
enum {
	OP_GNU_PUSH_TLS = 0xe0,
	OP_GNU_UNINIT = 0xf0,
	OP_GNU_IMPLICIT_POINTER = 0xf2,
	OP_GNU_ENTRY_VALUE = 0xf3,
	OP_GNU_CONST_TYPE = 0xf4,
	OP_GNU_REGVAL_TYPE = 0xf5,
	OP_GNU_DEREF_TYPE = 0xf6,
	OP_GNU_CONVERT = 0xf7,
	OP_GNU_REINTERPRET = 0xf9,
	OP_GNU_PARAMETER_REF = 0xfa,
	OP_GNU_ADDR_INDEX = 0xfb,
	OP_GNU_CONST_INDEX = 0xfc,
	OP_GNU_VARIABLE_VALUE = 0xfd,
};

#define STACK_MAX 16
#define PIECE_MAX 16

/* What has been read of an expression so far. */
struct eval {
	const struct loc_ctx *ctx;
	struct cursor c;
	struct loc_value stack[STACK_MAX];
	unsigned int depth;
	/* how the current simple location ended, before a piece or the end */
	enum { E_MEMORY, E_REG, E_VALUE, E_BLOCK } form;
	uint32_t reg;
	const uint8_t *block;
	uint64_t block_size;
	struct loc_piece pieces[PIECE_MAX];
	unsigned int nr_pieces;
	size_t nr_addrs;	/* addresses that stand in the expression itself */
};

/*
 * A truth value is its lowest bit. gcc writes !x as ~x, LLVM as x ^ -1: ~1, in whatever width, is
 * false. Of other even numbers no rule says whether they are true.
 */
static enum loc_reason bool_const(uint64_t *val)
{
	static const uint64_t not_1[] = { UINT8_MAX - 1, UINT16_MAX - 1, UINT32_MAX - 1,
					  UINT64_MAX - 1 };
	size_t i;

	if (*val & 1) {
		*val = 1;
		return LOC_OK;
	}
	for (i = 0; i < sizeof(not_1) / sizeof(*not_1); i++)
		if (*val == not_1[i])
			*val = 0;
	return *val ? LOC_BOOL_BITS : LOC_OK;
}

enum loc_reason loc_expr__const(const struct loc_ctx *ctx, uint64_t val, struct loc *out)
{
	unsigned int bits = ctx->type.size * 8;
	struct loc l = { .flags = LOC_F_CONST, .size = ctx->type.size };

	if (!ctx->type.size)
		return LOC_NO_SIZE;
	if (ctx->type.cls == LOC_C_FLOAT)
		return LOC_FLOAT_CONST;
	if (ctx->type.size > 8)
		return LOC_NARROW;
	if (ctx->type.cls == LOC_C_BOOL && bool_const(&val) != LOC_OK)
		return LOC_BOOL_BITS;
	if (bits < 64)
		val &= (UINT64_C(1) << bits) - 1;
	if (ctx->type.is_signed) {
		l.flags |= LOC_F_SIGNED;
		val = (uint64_t)((int64_t)(val << (64 - bits)) >> (64 - bits));
	}
	l.val = val;
	*out = l;
	return LOC_OK;
}

enum loc_reason loc_expr__block(const struct loc_ctx *ctx, const uint8_t *bytes,
				size_t size, struct loc *out)
{
	if (!ctx->type.size)
		return LOC_NO_SIZE;
	if (ctx->type.cls == LOC_C_FLOAT)
		return LOC_FLOAT_CONST;
	if (size < ctx->type.size)
		return LOC_NARROW;
	if (ctx->type.size > 8)
		return LOC_WIDE_CONST;
	/* which of the bytes are the value's is plain only where the low ones come first */
	if (size > ctx->type.size && ctx->big)
		return LOC_MALFORMED;
	return loc_expr__const(ctx, bytes__uint(bytes, ctx->type.size, ctx->big), out);
}

static enum loc_reason push(struct eval *e, struct loc_value v)
{
	if (e->depth == STACK_MAX)
		return LOC_UNKNOWN_OP;
	e->stack[e->depth++] = v;
	return LOC_OK;
}

static enum loc_reason push_const(struct eval *e, uint64_t c)
{
	return push(e, loc_value__const(e->ctx, c));
}

static struct loc_value *top(struct eval *e)
{
	return e->depth ? &e->stack[e->depth - 1] : NULL;
}

static enum loc_reason base_type(struct eval *e, uint64_t off, struct loc_type *t)
{
	if (!e->ctx->base_type || e->ctx->base_type(e->ctx->arg, off, t))
		return LOC_MALFORMED;
	return LOC_OK;
}

/* DW_OP_const1u ... DW_OP_consts */
static enum loc_reason op_const(struct eval *e, uint8_t op)
{
	uint64_t u = 0;
	int64_t s = 0;
	int err;

	switch (op) {
	case DW_OP_constu:
		err = cursor__uleb(&e->c, &u);
		break;
	case DW_OP_consts:
		err = cursor__sleb(&e->c, &s);
		u = s;
		break;
	default:
		/* const1u, const1s, const2u, ...: sizes 1, 2, 4, 8 in turn */
		if ((op - DW_OP_const1u) & 1) {
			err = cursor__sint(&e->c, 1 << ((op - DW_OP_const1u) / 2), &s);
			u = s;
		} else {
			err = cursor__uint(&e->c, 1 << ((op - DW_OP_const1u) / 2), &u);
		}
	}
	return err ? LOC_MALFORMED : push_const(e, u);
}

/* DW_OP_breg*, DW_OP_bregx, DW_OP_fbreg, DW_OP_call_frame_cfa */
static enum loc_reason op_base(struct eval *e, uint8_t op)
{
	uint64_t reg = op - DW_OP_breg0;
	int64_t off = 0, base = 0;
	uint32_t r;

	if (op == DW_OP_bregx && (cursor__uleb(&e->c, &reg) || reg > UINT32_MAX))
		return LOC_MALFORMED;
	if (op != DW_OP_call_frame_cfa && cursor__sleb(&e->c, &off))
		return LOC_MALFORMED;
	r = reg;
	if (op == DW_OP_fbreg || op == DW_OP_call_frame_cfa) {
		if (!e->ctx->frame_base ||
		    e->ctx->frame_base(e->ctx->arg, op == DW_OP_call_frame_cfa, &r, &base))
			return LOC_NO_FRAME_BASE;
	}
	off = (int64_t)((uint64_t)off + (uint64_t)base);
	return push(e, loc_value__reg(e->ctx, r, off));
}

static enum loc_reason op_addr(struct eval *e, uint8_t op)
{
	const struct loc_ctx *ctx = e->ctx;
	const uint8_t *at = e->c.pos;
	struct loc_value v;
	uint64_t addr, idx = 0;

	if (op == DW_OP_addr) {
		if (cursor__uint(&e->c, ctx->addr_size, &addr))
			return LOC_MALFORMED;
		e->nr_addrs++;
	} else {
		if (cursor__uleb(&e->c, &idx) || !ctx->addrx || ctx->addrx(ctx->arg, idx, &addr))
			return LOC_MALFORMED;
	}
	v = loc_value__addr(ctx, addr);
	if (ctx->addr_sec) {
		v.sec = op == DW_OP_addr ? ctx->addr_sec(ctx->arg, at, ctx->addr_size) :
					   ctx->addrx_sec(ctx->arg, idx);
		if (!v.sec)
			return LOC_OUTSIDE;
	}
	return push(e, v);
}

static enum loc_reason op_deref(struct eval *e, uint8_t op)
{
	uint64_t off;
	struct loc_type t = { .size = e->ctx->addr_size };
	struct loc_value *v;
	enum loc_reason why;
	uint8_t size = e->ctx->addr_size;

	if (op != DW_OP_deref && cursor__u8(&e->c, &size))
		return LOC_MALFORMED;
	if (op == DW_OP_deref_type || op == OP_GNU_DEREF_TYPE) {
		if (cursor__uleb(&e->c, &off))
			return LOC_MALFORMED;
		why = base_type(e, off, &t);
		if (why != LOC_OK)
			return why;
		/* what converts it next would take its bits for an integer's */
		if (t.cls == LOC_C_FLOAT)
			return LOC_ARITHMETIC;
	}
	v = top(e);
	if (!v)
		return LOC_MALFORMED;
	why = loc_value__deref(e->ctx, v, size);
	if (why == LOC_OK && (op == DW_OP_deref_type || op == OP_GNU_DEREF_TYPE)) {
		v->sgn = t.is_signed;
		v->width = size * 8;
	}
	return why;
}

/* Typed operators: DW_OP_const_type, DW_OP_regval_type, DW_OP_convert and their GNU forms. */
static enum loc_reason op_typed(struct eval *e, uint8_t op)
{
	struct loc_type t = { 0 };
	struct loc_value v;
	const uint8_t *bytes;
	uint64_t off, reg;
	enum loc_reason why;
	uint8_t size;

	if (op == DW_OP_regval_type || op == OP_GNU_REGVAL_TYPE) {
		if (cursor__uleb(&e->c, &reg) || reg > UINT32_MAX || cursor__uleb(&e->c, &off))
			return LOC_MALFORMED;
		why = base_type(e, off, &t);
		if (why != LOC_OK)
			return why;
		if (t.cls == LOC_C_FLOAT || t.size > e->ctx->reg_size)
			return LOC_REGISTER;
		if (!t.size)
			return LOC_MALFORMED;
		v = loc_value__reg(e->ctx, reg, 0);
		/* the register as a whole, also where an address is narrower */
		v.width = v.bits = e->ctx->reg_size * 8;
		why = loc_value__convert(e->ctx, &v, &t);
		return why == LOC_OK ? push(e, v) : why;
	}
	if (cursor__uleb(&e->c, &off))
		return LOC_MALFORMED;
	if (op == DW_OP_const_type || op == OP_GNU_CONST_TYPE) {
		if (cursor__u8(&e->c, &size) || cursor__bytes(&e->c, size, &bytes))
			return LOC_MALFORMED;
		why = base_type(e, off, &t);
		if (why != LOC_OK)
			return why;
		if (t.cls == LOC_C_FLOAT)
			return LOC_FLOAT_CONST;
		if (size > 8 || !size)
			return LOC_WIDE_CONST;
		v = loc_value__const(e->ctx, 0);
		v.width = v.bits = size * 8;
		v.sgn = t.is_signed;
		v.c = bytes__uint(bytes, size, e->ctx->big);
		return push(e, v);
	}
	/* convert and reinterpret; type 0 is the generic one */
	if (off) {
		why = base_type(e, off, &t);
		if (why != LOC_OK)
			return why;
		if (!t.size)
			return LOC_MALFORMED;
	}
	return top(e) ? loc_value__convert(e->ctx, top(e), &t) : LOC_MALFORMED;
}

static enum loc_reason op_stack(struct eval *e, uint8_t op)
{
	struct loc_value v;
	uint8_t n = op == DW_OP_over ? 1 : 0;

	if (op == DW_OP_pick && cursor__u8(&e->c, &n))
		return LOC_MALFORMED;
	switch (op) {
	case DW_OP_dup:
	case DW_OP_over:
	case DW_OP_pick:
		if (n >= e->depth)
			return LOC_MALFORMED;
		return push(e, e->stack[e->depth - 1 - n]);
	case DW_OP_drop:
		if (!e->depth)
			return LOC_MALFORMED;
		e->depth--;
		return LOC_OK;
	case DW_OP_swap:
		if (e->depth < 2)
			return LOC_MALFORMED;
		v = e->stack[e->depth - 1];
		e->stack[e->depth - 1] = e->stack[e->depth - 2];
		e->stack[e->depth - 2] = v;
		return LOC_OK;
	default:		/* DW_OP_rot: the top becomes third */
		if (e->depth < 3)
			return LOC_MALFORMED;
		v = e->stack[e->depth - 1];
		e->stack[e->depth - 1] = e->stack[e->depth - 2];
		e->stack[e->depth - 2] = e->stack[e->depth - 3];
		e->stack[e->depth - 3] = v;
		return LOC_OK;
	}
}

static enum loc_reason op_arith(struct eval *e, uint8_t op)
{
	uint64_t k;
	enum loc_reason why;

	if (op == DW_OP_plus_uconst) {
		if (cursor__uleb(&e->c, &k) || !top(e))
			return LOC_MALFORMED;
		return loc_value__add(e->ctx, top(e), k);
	}
	if (op == DW_OP_abs || op == DW_OP_neg || op == DW_OP_not)
		return top(e) ? loc_value__unary(e->ctx, op, top(e)) : LOC_MALFORMED;
	if (e->depth < 2)
		return LOC_MALFORMED;
	why = loc_value__binary(e->ctx, op, &e->stack[e->depth - 2],
				&e->stack[e->depth - 1]);
	if (why == LOC_OK)
		e->depth--;
	return why;
}

/* Operators that have no form of their own in the section, each with its reason. */
static enum loc_reason op_none(uint8_t op)
{
	switch (op) {
	case DW_OP_entry_value:
	case OP_GNU_ENTRY_VALUE:
		return LOC_ENTRY_VALUE;
	case DW_OP_implicit_pointer:
	case OP_GNU_IMPLICIT_POINTER:
	case OP_GNU_VARIABLE_VALUE:
		return LOC_IMPLICIT_POINTER;
	case OP_GNU_PARAMETER_REF:
		return LOC_PARAMETER_REF;
	case DW_OP_form_tls_address:
	case OP_GNU_PUSH_TLS:
		return LOC_TLS;
	case DW_OP_bra:
	case DW_OP_skip:
	case DW_OP_xderef:
	case DW_OP_xderef_size:
	case DW_OP_xderef_type:
		return LOC_ARITHMETIC;
	case DW_OP_bit_piece:
		return LOC_PIECES;
	default:
		return LOC_UNKNOWN_OP;
	}
}

/* One operator of those that compute; the cursor stands behind it. */
static enum loc_reason step(struct eval *e, uint8_t op)
{
	if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
		return push_const(e, op - DW_OP_lit0);
	if (op >= DW_OP_const1u && op <= DW_OP_consts)
		return op_const(e, op);
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		return op_base(e, op);
	if (op >= DW_OP_dup && op <= DW_OP_rot)
		return op_stack(e, op);
	if ((op >= DW_OP_abs && op <= DW_OP_xor && op != DW_OP_bra) ||
	    (op >= DW_OP_eq && op <= DW_OP_ne))
		return op_arith(e, op);
	switch (op) {
	case DW_OP_bregx:
	case DW_OP_fbreg:
	case DW_OP_call_frame_cfa:
		return op_base(e, op);
	case DW_OP_addr:
	case DW_OP_addrx:
	case OP_GNU_ADDR_INDEX:
		return op_addr(e, op);
	case DW_OP_deref:
	case DW_OP_deref_size:
	case DW_OP_deref_type:
	case OP_GNU_DEREF_TYPE:
		return op_deref(e, op);
	case DW_OP_const_type:
	case OP_GNU_CONST_TYPE:
	case DW_OP_regval_type:
	case OP_GNU_REGVAL_TYPE:
	case DW_OP_convert:
	case OP_GNU_CONVERT:
	case DW_OP_reinterpret:
	case OP_GNU_REINTERPRET:
		return op_typed(e, op);
	case DW_OP_nop:
	case OP_GNU_UNINIT:
		return LOC_OK;
	default:
		return op_none(op);
	}
}

/*
 * One simple location: operators up to a piece or the end. LOC_EMPTY where none stand.
 * @ended: nothing may follow but a piece.
 */
static enum loc_reason simple(struct eval *e)
{
	const uint8_t *start = e->c.pos;
	enum loc_reason why;
	bool ended = false;
	uint64_t reg;
	uint8_t op;

	e->depth = 0;
	e->form = E_MEMORY;
	while (cursor__left(&e->c) && *e->c.pos != DW_OP_piece) {
		op = *e->c.pos;
		if (ended && op != DW_OP_nop && op != OP_GNU_UNINIT)
			return op == DW_OP_bit_piece ? LOC_PIECES : LOC_MALFORMED;
		e->c.pos++;
		if ((op >= DW_OP_reg0 && op <= DW_OP_reg31) || op == DW_OP_regx) {
			reg = op - DW_OP_reg0;
			if (op == DW_OP_regx && cursor__uleb(&e->c, &reg))
				return LOC_MALFORMED;
			if (e->depth || reg > UINT32_MAX)
				return LOC_MALFORMED;
			e->form = E_REG;
			e->reg = reg;
			ended = true;
		} else if (op == DW_OP_stack_value) {
			if (!e->depth)
				return LOC_MALFORMED;
			e->form = E_VALUE;
			ended = true;
		} else if (op == DW_OP_implicit_value) {
			if (cursor__uleb(&e->c, &e->block_size) ||
			    cursor__bytes(&e->c, e->block_size, &e->block))
				return LOC_MALFORMED;
			e->form = E_BLOCK;
			ended = true;
		} else {
			why = step(e, op);
			if (why != LOC_OK)
				return why;
		}
	}
	if (e->c.pos == start)
		return LOC_EMPTY;
	if (!ended && !e->depth)
		return LOC_MALFORMED;
	return LOC_OK;
}

static enum loc_reason finish_reg(const struct eval *e, struct loc *out)
{
	struct loc_value v = loc_value__reg(e->ctx, e->reg, 0);

	if (!regs__is_fetchable(e->ctx->machine, e->reg))
		return LOC_REGISTER;
	/* the register as a whole, also where an address is narrower */
	v.width = v.bits = e->ctx->reg_size * 8;
	return loc_value__finish(e->ctx, &v, out);
}

static enum loc_reason finish(struct eval *e, struct loc *out)
{
	struct loc_value *v = top(e);

	switch (e->form) {
	case E_REG:
		return finish_reg(e, out);
	case E_BLOCK:
		return loc_expr__block(e->ctx, e->block, e->block_size, out);
	case E_VALUE:
		return loc_value__finish(e->ctx, v, out);
	default:
		if (!e->ctx->type.size)
			return LOC_NO_SIZE;
		return loc_value__memory(e->ctx, v, e->ctx->type.size, out);
	}
}

/* Takes the simple location just read as the next piece. */
static enum loc_reason add_piece(struct eval *e, bool empty)
{
	struct loc_piece *p;

	if (e->nr_pieces == PIECE_MAX)
		return LOC_PIECES;
	p = &e->pieces[e->nr_pieces++];
	e->c.pos++;
	if (cursor__uleb(&e->c, &p->size))
		return LOC_MALFORMED;
	p->kind = P_OTHER;
	if (empty) {
		p->kind = P_EMPTY;
	} else if (e->form == E_REG) {
		p->kind = P_REG;
		p->v = loc_value__reg(e->ctx, e->reg, 0);
	} else if (e->form == E_MEMORY) {
		p->kind = P_MEM;
		p->v = *top(e);
	} else if (e->form == E_BLOCK && p->size <= 8 && e->block_size >= p->size) {
		p->kind = P_CONST;
		p->c = bytes__uint(e->block, p->size, e->ctx->big);
	} else if (e->form == E_VALUE && p->size <= 8 && top(e)->kind == LV_CONST &&
		   p->size * 8 <= top(e)->width) {
		p->kind = P_CONST;
		p->c = top(e)->c;
	} else if (e->form == E_VALUE && loc_value__is_register(top(e), p->size)) {
		p->kind = P_REG;
		p->v = *top(e);
	} else if (e->form == E_VALUE && p->size <= top(e)->bits / 8 &&
		   p->size <= top(e)->valid / 8 &&
		   loc_value__address(e->ctx, top(e), p->size, &p->v) == LOC_OK) {
		p->kind = P_MEM;
	}
	return LOC_OK;
}

/* All of an expression. */
static enum loc_reason whole(struct eval *e, struct loc *out)
{
	enum loc_reason why;

	do {
		why = simple(e);
		if (why != LOC_OK && why != LOC_EMPTY)
			return why;
		if (!cursor__left(&e->c)) {
			if (!e->nr_pieces)
				return why == LOC_OK ? finish(e, out) : why;
			/* something behind the last piece */
			return why == LOC_OK ? LOC_MALFORMED :
			       loc_pieces__finish(e->ctx, e->pieces, e->nr_pieces, out);
		}
		why = add_piece(e, why == LOC_EMPTY);
		if (why != LOC_OK)
			return why;
	} while (cursor__left(&e->c));
	/* one piece that is the whole is the simple location itself */
	if (e->nr_pieces == 1 && e->pieces[0].kind != P_EMPTY &&
	    e->pieces[0].size == e->ctx->type.size)
		return finish(e, out);
	return loc_pieces__finish(e->ctx, e->pieces, e->nr_pieces, out);
}

enum loc_reason loc_expr__reduce(const struct loc_ctx *ctx, const uint8_t *expr,
				 size_t size, struct loc *out)
{
	struct eval e;
	enum loc_reason why;
	struct loc l;

	if (!size)
		return LOC_EMPTY;
	/* not the arrays, which are long: they are written before they are read */
	e.ctx = ctx;
	e.nr_pieces = 0;
	e.nr_addrs = 0;
	cursor__init(&e.c, expr, size, ctx->big);
	why = whole(&e, &l);
	/* a number that was relocated is no number */
	if (why == LOC_OK && ctx->relocated &&
	    ctx->relocated(ctx->arg, expr, size) != e.nr_addrs)
		why = LOC_OUTSIDE;
	if (why == LOC_OK)
		*out = l;
	return why;
}
