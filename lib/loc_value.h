/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loc_value.h - what an expression computes, as far as a location can say it
 *
 * A symbolic value: a constant, an address, a sum of registers, or memory at one of these,
 * perhaps narrowed to its low bits. Operators take values to values, or say why not.
 */
#ifndef LOCS_LOC_VALUE_H
#define LOCS_LOC_VALUE_H

#include "loc_expr.h"

enum loc_value_kind { LV_CONST, LV_ADDR, LV_REG, LV_MEM };

/*
 * The value is X = @c (LV_CONST, LV_ADDR), or @reg * @mul + @reg2 * @mul2 + @off (LV_REG),
 * or memory of @load bytes at @reg + @off, or at address @c where @abs, without its low @lo
 * bits (LV_MEM); of X the low @bits bits, widened by @sgn; of the result only the low @valid
 * bits are vouched for; all of it shifted left by @shl.
 */
struct loc_value {
	enum loc_value_kind kind;
	bool abs;		/* LV_MEM: the address is @c */
	bool sgn;
	uint8_t bits;
	uint8_t valid;
	uint8_t width;		/* of the type on the stack, bits */
	uint8_t shl;
	uint8_t load;		/* LV_MEM: bytes */
	uint8_t lo;		/* LV_MEM: bits */
	uint32_t reg;
	uint32_t reg2;
	int64_t mul;		/* 1 but for sums that are not finished */
	int64_t mul2;		/* 0: no second register */
	int64_t off;
	uint64_t c;
	uint32_t sec;		/* that the address @c is in, in a relocatable file */
};

struct loc_value loc_value__const(const struct loc_ctx *ctx, uint64_t c);
struct loc_value loc_value__addr(const struct loc_ctx *ctx, uint64_t addr);
struct loc_value loc_value__reg(const struct loc_ctx *ctx, uint32_t reg, int64_t off);

/* Each changes *@v only if it returns LOC_OK. */
enum loc_reason loc_value__add(const struct loc_ctx *ctx, struct loc_value *v, uint64_t k);
enum loc_reason loc_value__deref(const struct loc_ctx *ctx, struct loc_value *v,
				 uint64_t size);
enum loc_reason loc_value__convert(const struct loc_ctx *ctx, struct loc_value *v,
				   const struct loc_type *to);
/* @op: a DWARF operator with two operands; *@a becomes a op b. */
enum loc_reason loc_value__binary(const struct loc_ctx *ctx, uint8_t op,
				  struct loc_value *a, const struct loc_value *b);
/* The same of two constants of one width. */
enum loc_reason loc_value__fold(uint8_t op, struct loc_value *a, const struct loc_value *b);
/* DW_OP_neg, DW_OP_not, DW_OP_abs */
enum loc_reason loc_value__unary(const struct loc_ctx *ctx, uint8_t op, struct loc_value *v);

/* The value itself (DW_OP_stack_value) as a location of the context's type. */
enum loc_reason loc_value__finish(const struct loc_ctx *ctx, const struct loc_value *v,
				  struct loc *out);
/*
 * The address of the value's low @size bytes as *@at, where the value is memory and these are
 * bytes of it.
 */
enum loc_reason loc_value__address(const struct loc_ctx *ctx, const struct loc_value *v,
				   uint32_t size, struct loc_value *at);
/* Whether the value's low @size bytes are those of register @v->reg. */
bool loc_value__is_register(const struct loc_value *v, uint64_t size);
/* Memory of @size bytes at the address that the value is. */
enum loc_reason loc_value__memory(const struct loc_ctx *ctx, const struct loc_value *v,
				  uint32_t size, struct loc *out);

#endif
