/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loc_expr.h - one DWARF expression -> one location
 *
 * Pure: no file is read here. What an expression refers to (a frame base, a type, an
 * entry of .debug_addr) is asked for through the context.
 */
#ifndef LOCS_LOC_EXPR_H
#define LOCS_LOC_EXPR_H

#include "locs_set.h"

enum loc_class {
	LOC_C_INT = 0,		/* integers, enums, pointers */
	LOC_C_BOOL,
	LOC_C_FLOAT,		/* complex and decimal too */
	LOC_C_AGGREGATE,	/* struct, union, array */
};

/* What a location must know of the type of its value. */
struct loc_type {
	uint32_t size;		/* bytes, 0: not known or none */
	bool is_signed;
	enum loc_class cls;
};

struct loc_ctx {
	bool big;
	uint8_t addr_size;	/* bytes of an address, and of the generic type */
	uint8_t reg_size;	/* bytes of an integer register */
	uint16_t machine;	/* e_machine */
	struct loc_type type;	/* of the parameter */
	/*
	 * The frame base (DW_OP_fbreg) or, with @cfa, the canonical frame address
	 * (DW_OP_call_frame_cfa) where the value is wanted, as register + offset.
	 */
	int (*frame_base)(void *arg, bool cfa, uint32_t *reg, int64_t *off);
	/* Entry @idx of the unit's part of .debug_addr. */
	int (*addrx)(void *arg, uint64_t idx, uint64_t *addr);
	/*
	 * In a relocatable file (NULL in others): the section that the address in the @size bytes
	 * at @at is in, or entry @idx of .debug_addr, 0: not known. How many relocations the @len
	 * bytes at @at have: those of addresses, and of what must not pass for a number.
	 */
	uint32_t (*addr_sec)(void *arg, const uint8_t *at, unsigned int size);
	uint32_t (*addrx_sec)(void *arg, uint64_t idx);
	size_t (*relocated)(void *arg, const uint8_t *at, size_t len);
	/* The base type at @off from the unit's start. */
	int (*base_type)(void *arg, uint64_t off, struct loc_type *out);
	void *arg;
};

/*
 * Reduces @expr (@size bytes; DWARF 5, 2.5 and 2.6) to the smallest form that reads the
 * parameter's value. LOC_OK and *@out, or why there is none, *@out untouched. Addresses in
 * *@out are as the expression has them, with their section in a relocatable file; making them
 * offsets into that is the caller's.
 */
enum loc_reason loc_expr__reduce(const struct loc_ctx *ctx, const uint8_t *expr,
				 size_t size, struct loc *out);

/* The constant @val, cut to the type. */
enum loc_reason loc_expr__const(const struct loc_ctx *ctx, uint64_t val, struct loc *out);

/* The constant whose bytes in memory are @bytes (DW_AT_const_value as a block). */
enum loc_reason loc_expr__block(const struct loc_ctx *ctx, const uint8_t *bytes,
				size_t size, struct loc *out);

#endif
