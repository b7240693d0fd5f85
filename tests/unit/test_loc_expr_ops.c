// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_loc_expr_ops.c - expressions that narrow, pieces, and what has no location
 *
 * As in test_loc_expr.c, bytes and answers are worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loc_expr_util.h"

static const struct expr_case masks[] = {
	{ "& 0xff, u8", U(1), E(0x75, 0, 0x08, 0xff, 0x1a, STACK), REG(1, 5, 0), 0 },
	{ "& 0xff, u32", U(4), E(0x75, 0, 0x08, 0xff, 0x1a, STACK), REG(1, 5, 0), 0 },
	{ "& 0xff, s32: by zeros", S(4), E(0x75, 0, 0x08, 0xff, 0x1a, STACK),
	  REG(1, 5, 0), 0 },
	{ "& 0xff, s8", S(1), E(0x75, 0, 0x08, 0xff, 0x1a, STACK), REG(1, 5, SG), 0 },
	{ "the mask first", U(8), E(0x08, 0xff, 0x75, 0, 0x1a, STACK), REG(1, 5, 0), 0 },
	{ "& 0xffff, u64", U(8), E(0x75, 0, 0x0a, 0xff, 0xff, 0x1a, STACK), REG(2, 5, 0),
	  0 },
	{ "& 0xffff, u8", U(1), E(0x75, 0, 0x0a, 0xff, 0xff, 0x1a, STACK), REG(1, 5, 0),
	  0 },
	{ "& 0xffffffff, u64", U(8), E(0x75, 0, 0x0c, 255, 255, 255, 255, 0x1a, STACK),
	  REG(4, 5, 0), 0 },
	{ "& 0xffffffff, s32", S(4), E(0x75, 0, 0x0c, 255, 255, 255, 255, 0x1a, STACK),
	  REG(4, 5, SG), 0 },
	{ "& 0xffffffff on 32 bits", U(4),
	  E(0x75, 0, 0x0c, 255, 255, 255, 255, 0x1a, STACK),
	  REG(4, 5, 0), M32 },
	{ "& -1", U(8), E(0x75, 0, 0x09, 0xff, 0x1a, STACK), REG(8, 5, 0), 0 },
	{ "& 0xff & 0xffff", U(4), E(0x75, 0, 0x08, 255, 0x1a, 0x0a, 255, 255, 0x1a,
	  STACK),
	  REG(1, 5, 0), 0 },
	{ "& 0x7f", U(4), E(0x75, 0, 0x08, 0x7f, 0x1a, STACK), NONE(ARITHMETIC), 0 },
	{ "& 0xf0", U(1), E(0x75, 0, 0x08, 0xf0, 0x1a, STACK), NONE(ARITHMETIC), 0 },
	{ "& 0", U(4), E(0x75, 0, 0x30, 0x1a, STACK), CONST(4, 0, 0), 0 },
	{ "& 0x1ff, u8", U(1), E(0x75, 0, 0x0a, 0xff, 1, 0x1a, STACK), REG(1, 5, 0), 0 },
	{ "& 0x1ff, u16", U(2), E(0x75, 0, 0x0a, 0xff, 1, 0x1a, STACK), NONE(ARITHMETIC),
	  0 },
	{ "& 0x5ff, u8", U(1), E(0x75, 0, 0x0a, 0xff, 5, 0x1a, STACK), REG(1, 5, 0), 0 },
	/* (x + 5) & 0xff are the low 8 bits of x + 5 */
	{ "+ 5, & 0xff, u8", U(1), E(0x75, 5, 0x08, 0xff, 0x1a, STACK),
	  REGOFF(1, 5, 5, 0), 0 },
	{ "+ 5, & 0xff, u32", U(4), E(0x75, 5, 0x08, 0xff, 0x1a, STACK),
	  REGOFF(1, 5, 5, 0), 0 },
	/* (x & 0xff) + 5 may carry into bit 8 */
	{ "& 0xff, + 5, u32", U(4), E(0x75, 0, 0x08, 0xff, 0x1a, 0x23, 5, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "& 0xff, + 5, u8", U(1), E(0x75, 0, 0x08, 0xff, 0x1a, 0x23, 5, STACK),
	  REGOFF(1, 5, 5, 0), 0 },
	{ "& 0xff, + 5, & 0xff, u32", U(4),
	  E(0x75, 0, 0x08, 0xff, 0x1a, 0x23, 5, 0x08, 0xff, 0x1a, STACK),
	  REGOFF(1, 5, 5, 0), 0 },
	{ "| 0", U(4), E(0x75, 0, 0x30, 0x21, STACK), REG(4, 5, 0), 0 },
	{ "| 1", U(4), E(0x75, 0, 0x31, 0x21, STACK), NONE(ARITHMETIC), 0 },
	{ "^ -1", U(4), E(0x75, 0, 0x09, 0xff, 0x27, STACK), NONE(ARITHMETIC), 0 },
	/* bits above the type's own */
	{ "| 0x100, u8", U(1), E(0x75, 0, 0x0a, 0, 1, 0x21, STACK), REG(1, 5, 0), 0 },
	{ "| 0x100, u16", U(2), E(0x75, 0, 0x0a, 0, 1, 0x21, STACK), NONE(ARITHMETIC), 0 },
	{ "0x100 | x, u8", U(1), E(0x0a, 0, 1, 0x75, 0, 0x21, STACK), REG(1, 5, 0), 0 },
	{ "| -256, s8", S(1), E(0x75, 0, 0x0b, 0, 0xff, 0x21, STACK), REG(1, 5, SG), 0 },
	{ "^ 0x100, u8", U(1), E(0x75, 0, 0x0a, 0, 1, 0x27, STACK), REG(1, 5, 0), 0 },
	{ "| 1 << 32, u32", U(4), E(0x75, 0, 0x31, 0x08, 32, 0x24, 0x21, STACK),
	  REG(4, 5, 0), 0 },
	{ "| 1 << 32, u64", U(8), E(0x75, 0, 0x31, 0x08, 32, 0x24, 0x21, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "+ 5, | 0x100, u8", U(1), E(0x75, 5, 0x0a, 0, 1, 0x21, STACK),
	  REGOFF(1, 5, 5, 0), 0 },
	{ "& 0xff, | 0x100, u32", U(4), E(0x75, 0, 0x08, 0xff, 0x1a, 0x0a, 0, 1, 0x21, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "| 0x100, & 0xff, u32", U(4), E(0x75, 0, 0x0a, 0, 1, 0x21, 0x08, 0xff, 0x1a, STACK),
	  REG(1, 5, 0), 0 },
	{ "| 0x100 of memory, big-endian", U(1), E(0x72, 0, 0x06, 0x0a, 1, 0, 0x21, STACK),
	  MEM(1, 2, 7, 0), MBIG },
	{ "* 1", U(4), E(0x75, 0, 0x31, 0x1e, STACK), REG(4, 5, 0), 0 },
	{ "== 0", U(4), E(0x75, 0, 0x30, 0x29, STACK), NONE(ARITHMETIC), 0 },
	{ "a float of 8 bytes in 4", FLT(8),
	  E(0x75, 0, 0x0c, 255, 255, 255, 255, 0x1a, STACK),
	  NONE(NARROW), 0 },
	/* shifts */
	{ "<< 56 >> 56, unsigned", U(4),
	  E(0x75, 0, 0x08, 56, 0x24, 0x08, 56, 0x25, STACK),
	  REG(1, 5, 0), 0 },
	{ "<< 56 >> 56, signed", S(4), E(0x75, 0, 0x08, 56, 0x24, 0x08, 56, 0x26, STACK),
	  REG(1, 5, SG), 0 },
	{ "<< 48 >> 48, signed", S(8), E(0x75, 0, 0x08, 48, 0x24, 0x08, 48, 0x26, STACK),
	  REG(2, 5, SG), 0 },
	{ "<< 32 >> 32, signed, u64", U(8),
	  E(0x75, 0, 0x08, 32, 0x24, 0x08, 32, 0x26, STACK),
	  REG(4, 5, SG), 0 },
	{ "<< 32 >> 32, unsigned, s32", S(4),
	  E(0x75, 0, 0x08, 32, 0x24, 0x08, 32, 0x25, STACK),
	  REG(4, 5, SG), 0 },
	{ "<< 24 >> 24 on 32 bits", S(4), E(0x75, 0, 0x48, 0x24, 0x48, 0x26, STACK),
	  REG(1, 5, SG), M32 },
	{ "<< 24 >> 24 on 64 bits, s32", S(4), E(0x75, 0, 0x48, 0x24, 0x48, 0x25, STACK),
	  REG(4, 5, SG), 0 },
	{ "<< 24 >> 16", U(4), E(0x75, 0, 0x48, 0x24, 0x40, 0x25, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "<< 8 alone", U(4), E(0x75, 0, 0x38, 0x24, STACK), NONE(ARITHMETIC), 0 },
	{ ">> 8 alone", U(4), E(0x75, 0, 0x38, 0x25, STACK), NONE(ARITHMETIC), 0 },
	{ ">> 0", U(4), E(0x75, 0, 0x30, 0x25, STACK), REG(4, 5, 0), 0 },
	{ "<< 64 >> 64", U(4), E(0x75, 0, 0x08, 64, 0x24, 0x08, 64, 0x25, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "<< 56, + 1, >> 56", U(4), E(0x75, 0, 0x08, 56, 0x24, 0x23, 1, 0x08, 56, 0x25,
	  STACK),
	  NONE(ARITHMETIC), 0 },
	{ "<< 57 >> 57", U(4), E(0x75, 0, 0x08, 57, 0x24, 0x08, 57, 0x25, STACK),
	  NONE(ARITHMETIC), 0 },
};

/* 16 and the bytes of what is loaded there, lowest first or last. */
static const struct expr_case loads[] = {
	{ ">> 32, u32", U(4), E(0x77, 16, 6, 0x08, 32, 0x25, STACK), MEM(4, 7, 20, 0), 0 },
	{ ">> 32, u32, big-endian", U(4), E(0x72, 16, 6, 0x08, 32, 0x25, STACK),
	  MEM(4, 2, 16, 0), MBIG },
	{ ">> 32, u64: by zeros", U(8), E(0x77, 16, 6, 0x08, 32, 0x25, STACK),
	  MEM(4, 7, 20, 0), 0 },
	{ ">> 32, u64: by the sign", U(8), E(0x77, 16, 6, 0x08, 32, 0x26, STACK),
	  MEM(4, 7, 20, SG), 0 },
	{ ">> 8, u8", U(1), E(0x77, 16, 6, 0x38, 0x25, STACK), MEM(1, 7, 17, 0), 0 },
	{ ">> 8, u8, big-endian", U(1), E(0x72, 16, 6, 0x38, 0x25, STACK), MEM(1, 2, 22, 0),
	  MBIG },
	{ ">> 8, s32", S(4), E(0x77, 16, 6, 0x38, 0x25, STACK), MEM(4, 7, 17, SG), 0 },
	{ ">> 8, u32, big-endian", U(4), E(0x72, 16, 6, 0x38, 0x25, STACK),
	  MEM(4, 2, 19, 0), MBIG },
	{ ">> 8, u64: 7 bytes", U(8), E(0x77, 16, 6, 0x38, 0x25, STACK), NONE(ARITHMETIC), 0 },
	{ ">> 4", U(1), E(0x77, 16, 6, 0x34, 0x25, STACK), NONE(ARITHMETIC), 0 },
	{ ">> 4 >> 4", U(1), E(0x77, 16, 6, 0x34, 0x25, 0x34, 0x25, STACK),
	  MEM(1, 7, 17, 0), 0 },
	{ ">> 64", U(1), E(0x77, 16, 6, 0x08, 64, 0x25, STACK), NONE(ARITHMETIC), 0 },
	{ "4 bytes >> 16", U(4), E(0x77, 16, 0x94, 4, 0x40, 0x25, STACK), MEM(2, 7, 18, 0), 0 },
	{ "4 bytes >> 16, shra: widened by zeros", S(8), E(0x77, 16, 0x94, 4, 0x40, 0x26, STACK),
	  MEM(2, 7, 18, 0), 0 },
	{ "4 bytes >> 16, big-endian", U(4), E(0x72, 16, 0x94, 4, 0x40, 0x25, STACK),
	  MEM(2, 2, 16, 0), MBIG },
	{ "1 byte >> 8", U(4), E(0x77, 16, 0x94, 1, 0x38, 0x25, STACK), CONST(4, 0, 0), 0 },
	{ "4 bytes >> 40", U(8), E(0x77, 16, 0x94, 4, 0x08, 40, 0x26, STACK), CONST(8, 0, 0), 0 },
	{ "s32 >> 16, shra", S(4), E(0x77, 16, 0xa6, 4, T_S32, 0xa4, T_S32, 1, 16, 0x26, STACK),
	  MEM(2, 7, 18, SG), 0 },
	{ "s32 >> 16, shr", S(4), E(0x77, 16, 0xa6, 4, T_S32, 0x40, 0x25, STACK),
	  MEM(2, 7, 18, 0), 0 },
	{ "s16 -> s64 >> 8, shra", S(8),
	  E(0x77, 16, 0xa6, 2, T_S16, 0xa8, T_S64, 0x38, 0x26, STACK), MEM(1, 7, 17, SG), 0 },
	{ "s16 -> s64 >> 8, shr", S(8),
	  E(0x77, 16, 0xa6, 2, T_S16, 0xa8, T_S64, 0x38, 0x25, STACK), NONE(ARITHMETIC), 0 },
	{ "s8 -> s64 >> 8, shra: the sign alone", S(8),
	  E(0x77, 16, 0xa6, 1, T_S8, 0xa8, T_S64, 0x38, 0x26, STACK), NONE(ARITHMETIC), 0 },
	{ "<< 8 >> 56", U(4), E(0x77, 16, 6, 0x38, 0x24, 0x08, 56, 0x25, STACK),
	  MEM(1, 7, 22, 0), 0 },
	{ "<< 8 >> 56, signed, big-endian", S(4),
	  E(0x72, 16, 6, 0x38, 0x24, 0x08, 56, 0x26, STACK), MEM(1, 2, 17, SG), MBIG },
	{ "<< 32 >> 40, u16", U(2), E(0x77, 16, 6, 0x08, 32, 0x24, 0x08, 40, 0x25, STACK),
	  MEM(2, 7, 17, 0), 0 },
	{ "<< 32 >> 40, u32: 3 bytes", U(4), E(0x77, 16, 6, 0x08, 32, 0x24, 0x08, 40, 0x25,
	  STACK), NONE(ARITHMETIC), 0 },
	{ ">> 16, & 0xff", U(4), E(0x77, 16, 6, 0x40, 0x25, 0x08, 0xff, 0x1a, STACK),
	  MEM(1, 7, 18, 0), 0 },
	{ ">> 16, s16 -> s64", S(8), E(0x77, 16, 6, 0x40, 0x25, 0xa8, T_S16, 0xa8, T_S64,
	  STACK), MEM(2, 7, 18, SG), 0 },
	{ "at an address, >> 32", U(4),
	  E(3, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, 6, 0x08, 32, 0x25, STACK),
	  ADDR(4, 0x1234567c, LOC_F_DEREF), 0 },
	{ ">> 16 on 32 bits", U(2), E(0x75, 16, 6, 0x40, 0x25, STACK), MEM(2, 5, 18, 0), M32 },
	{ ">> 16 on 32 bits, big-endian", U(2), E(0x75, 16, 6, 0x40, 0x25, STACK),
	  MEM(2, 5, 16, 0), MBIG32 },
	/* no form reads a register's upper half */
	{ "register >> 32", U(4), E(0x75, 0, 0x08, 32, 0x25, STACK), NONE(ARITHMETIC), 0 },
	{ "register << 8 >> 56", U(4), E(0x75, 0, 0x38, 0x24, 0x08, 56, 0x25, STACK),
	  NONE(ARITHMETIC), 0 },
};

/* What is added and taken away again. */
static const struct expr_case sums[] = {
	/* ~x + x + y = y - 1 */
	{ "~x + x + y", U(8), E(0x75, 0, 0x20, 0x75, 0, 0x22, 0x74, 0, 0x22, STACK),
	  REGOFF(8, 4, -1, 0), 0 },
	{ "x + y - x", U(8), E(0x75, 0, 0x74, 0, 0x22, 0x75, 0, 0x1c, STACK), REG(8, 4, 0), 0 },
	{ "x + y - y", S(4), E(0x75, 8, 0x74, 4, 0x22, 0x74, 0, 0x1c, STACK),
	  REGOFF(4, 5, 12, SG), 0 },
	{ "x + 8 - (x + 3)", U(8), E(0x75, 8, 0x75, 3, 0x1c, STACK), CONST(8, 5, 0), 0 },
	{ "--x", U(8), E(0x75, 4, 0x1f, 0x1f, STACK), REGOFF(8, 5, 4, 0), 0 },
	{ "~~x", U(8), E(0x75, 0, 0x20, 0x20, STACK), REG(8, 5, 0), 0 },
	{ "-(x - y) + x", U(8), E(0x75, 0, 0x74, 0, 0x1c, 0x1f, 0x75, 0, 0x22, STACK),
	  REG(8, 4, 0), 0 },
	{ "3 - (3 - x)", U(8), E(0x33, 0x33, 0x75, 0, 0x1c, 0x1c, STACK), REG(8, 5, 0), 0 },
	{ "2 * x - x", U(8), E(0x75, 0, 0x32, 0x1e, 0x75, 0, 0x1c, STACK), REG(8, 5, 0), 0 },
	{ "(x << 1) - x", U(8), E(0x75, 3, 0x31, 0x24, 0x75, 0, 0x1c, STACK),
	  REGOFF(8, 5, 6, 0), 0 },
	{ "0 * x", U(4), E(0x75, 0, 0x30, 0x1e, STACK), CONST(4, 0, 0), 0 },
	{ "-1 * -1 * x on 32 bits", U(4), E(0x75, 0, 0x09, 0xff, 0x1e, 0x09, 0xff, 0x1e, STACK),
	  REG(4, 5, 0), M32 },
	{ "x + y - x as an address", U(4), E(0x75, 0, 0x74, 8, 0x22, 0x75, 0, 0x1c),
	  MEM(4, 4, 8, 0), 0 },
	{ "x + y - x, loaded", U(8), E(0x75, 0, 0x74, 8, 0x22, 0x75, 0, 0x1c, 6, STACK),
	  MEM(8, 4, 8, 0), 0 },
	{ "x + y as an address", U(4), E(0x75, 0, 0x74, 8, 0x22), NONE(ARITHMETIC), 0 },
	{ "x + y, loaded", U(8), E(0x75, 0, 0x74, 8, 0x22, 6, STACK), NONE(ARITHMETIC), 0 },
	{ "x + y, & 0xff", U(1), E(0x75, 0, 0x74, 8, 0x22, 0x08, 0xff, 0x1a, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "x - y", S(8), E(0x75, 0, 0x74, 0, 0x1c, STACK), NONE(ARITHMETIC), 0 },
	{ "x + x", U(8), E(0x75, 0, 0x12, 0x22, STACK), NONE(ARITHMETIC), 0 },
	{ "-x", U(8), E(0x75, 0, 0x1f, STACK), NONE(ARITHMETIC), 0 },
	{ "|x|", U(8), E(0x75, 0, 0x19, STACK), NONE(ARITHMETIC), 0 },
	{ "x + y + z - z", U(8),
	  E(0x75, 0, 0x74, 0, 0x22, 0x73, 0, 0x22, 0x73, 0, 0x1c, STACK), NONE(ARITHMETIC), 0 },
	/* (x & 0xff) - x is not 0 */
	{ "(x & 0xff) - x", U(8), E(0x75, 0, 0x08, 0xff, 0x1a, 0x75, 0, 0x1c, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "x + xmm0 - xmm0", U(8), E(0x75, 0, 0x81, 0, 0x22, 0x81, 0, 0x1c, STACK),
	  REG(8, 5, 0), 0 },
};

static const struct expr_case converts[] = {
	{ "convert u32", U(4), E(0x75, 0, 0xa8, T_U32, STACK), REG(4, 5, 0), 0 },
	{ "u32 -> u64", U(8), E(0x75, 0, 0xa8, T_U32, 0xa8, T_U64, STACK), REG(4, 5, 0),
	  0 },
	{ "GNU u32 -> u64", U(8), E(0x75, 0, 0xf7, T_U32, 0xf7, T_U64, STACK),
	  REG(4, 5, 0), 0 },
	{ "s32 -> s64", S(8), E(0x75, 0, 0xa8, T_S32, 0xa8, T_S64, STACK), REG(4, 5, SG),
	  0 },
	{ "s32 -> u64 widens by the sign", U(8),
	  E(0x75, 0, 0xa8, T_S32, 0xa8, T_U64, STACK),
	  REG(4, 5, SG), 0 },
	{ "u32 -> s64", S(8), E(0x75, 0, 0xa8, T_U32, 0xa8, T_S64, STACK), REG(4, 5, 0),
	  0 },
	{ "u8 -> s32", S(4), E(0x75, 0, 0xa8, T_U8, 0xa8, T_S32, STACK), REG(1, 5, 0),
	  0 },
	{ "s8 -> u32", U(4), E(0x75, 0, 0xa8, T_S8, 0xa8, T_U32, STACK), REG(1, 5, SG),
	  0 },
	/* s8 -1 -> u32 0xffffffff -> u64 0xffffffff: no register holds that */
	{ "s8 -> u32 -> u64", U(8), E(0x75, 0, 0xa8, T_S8, 0xa8, T_U32, 0xa8, T_U64,
	  STACK),
	  NONE(ARITHMETIC), 0 },
	{ "s8 -> u32 -> u64, u32", U(4),
	  E(0x75, 0, 0xa8, T_S8, 0xa8, T_U32, 0xa8, T_U64, STACK), REG(1, 5, SG), 0 },
	{ "s8 -> u16 -> s32", S(4), E(0x75, 0, 0xa8, T_S8, 0xa8, T_U16, 0xa8, T_S32,
	  STACK),
	  NONE(ARITHMETIC), 0 },
	{ "s8 -> u32 -> u8 -> u64", U(8),
	  E(0x75, 0, 0xa8, T_S8, 0xa8, T_U32, 0xa8, T_U8, 0xa8, T_U64, STACK),
	  REG(1, 5, 0), 0 },
	{ "u32 -> s32 -> s64", S(8),
	  E(0x75, 0, 0xa8, T_U32, 0xa8, T_S32, 0xa8, T_S64, STACK), REG(4, 5, SG), 0 },
	{ "reinterpret u64", U(8), E(0x75, 0, 0xa9, T_U64, STACK), REG(8, 5, 0), 0 },
	{ "u32 -> generic", U(8), E(0x75, 0, 0xa8, T_U32, 0xa8, 0, STACK), REG(4, 5, 0),
	  0 },
	{ "+ 5 -> u32 -> u64", U(8), E(0x75, 5, 0xa8, T_U32, 0xa8, T_U64, STACK),
	  REGOFF(4, 5, 5, 0), 0 },
	/* sums of typed values wrap around in their type */
	{ "u32 + 5 -> u64", U(8), E(0x75, 0, 0xa8, T_U32, 0x23, 5, 0xa8, T_U64, STACK),
	  REGOFF(4, 5, 5, 0), 0 },
	{ "s32 + 5 -> s64", S(8), E(0x75, 0, 0xa8, T_S32, 0x23, 5, 0xa8, T_S64, STACK),
	  REGOFF(4, 5, 5, SG), 0 },
	{ "u32 + 5 of u32 -> u64", U(8),
	  E(0x75, 0, 0xa8, T_U32, 0xa4, T_U32, 4, 5, 0, 0, 0, 0x22, 0xa8, T_U64, STACK),
	  REGOFF(4, 5, 5, 0), 0 },
	{ "u32 -> u64 + 5", U(8), E(0x75, 0, 0xa8, T_U32, 0xa8, T_U64, 0x23, 5, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "u64 + 5 on 32 bits", U(8), E(0x75, 0, 0xa8, T_U64, 0x23, 5, STACK),
	  NONE(ARITHMETIC), M32 },
	{ "the same, u32", U(4), E(0x75, 0, 0xa8, T_U64, 0x23, 5, STACK), REGOFF(4, 5, 5, 0),
	  M32 },
	{ "u64 of a register on 32 bits", U(8), E(0x75, 0, 0xa8, T_U64, STACK), REG(4, 5, 0),
	  M32 },
	/* x != 0 for some readers, x's lowest byte for others */
	{ "bool", BOOL1, E(0x75, 0, 0xa8, T_BOOL, STACK), NONE(ARITHMETIC), 0 },
	{ "constant -> bool", BOOL1, E(0x31, 0xa8, T_BOOL, STACK), NONE(ARITHMETIC), 0 },
	{ "regval_type bool", BOOL1, E(0xa5, 5, T_BOOL, STACK), NONE(ARITHMETIC), 0 },
	{ "u32 for an u64", U(8), E(0x75, 0, 0xa8, T_U32, STACK), NONE(NARROW), 0 },
	{ "float", U(4), E(0x75, 0, 0xa8, T_FLOAT, STACK), NONE(ARITHMETIC), 0 },
	{ "16 bytes", U(4), E(0x75, 0, 0xa8, T_U128, STACK), NONE(ARITHMETIC), 0 },
	{ "a type without size", U(4), E(0x75, 0, 0xa8, T_NONE, STACK), NONE(MALFORMED),
	  0 },
	{ "an unknown type", U(4), E(0x75, 0, 0xa8, 99, STACK), NONE(MALFORMED), 0 },
	{ "constant s8 -> u32 -> u64", U(8),
	  E(0x09, 0xff, 0xa8, T_S8, 0xa8, T_U32, 0xa8, T_U64, STACK),
	  CONST(8, 0xffffffff, 0), 0 },
	{ "constant s8 -> s64", S(8), E(0x08, 0xfe, 0xa8, T_S8, 0xa8, T_S64, STACK),
	  CONST(8, -2, SG), 0 },
	{ "regval_type u32", U(4), E(0xa5, 5, T_U32, STACK), REG(4, 5, 0), 0 },
	{ "GNU_regval_type s16 -> s64", S(8), E(0xf5, 5, T_S16, 0xf7, T_S64, STACK),
	  REG(2, 5, SG), 0 },
	{ "regval_type double", U(8), E(0xa5, 5, T_DOUBLE, STACK), NONE(REGISTER), 0 },
	{ "regval_type xmm0", U(8), E(0xa5, 17, T_U64, STACK), NONE(REGISTER), 0 },
	{ "regval_type of 16 bytes", U(8), E(0xa5, 5, T_U128, STACK), NONE(REGISTER), 0 },
	{ "regval_type, unknown type", U(8), E(0xa5, 5, 99, STACK), NONE(MALFORMED), 0 },
	{ "constants of two widths", U(8), E(0xa4, T_U8, 1, 3, 0x33, 0x22, STACK),
	  NONE(ARITHMETIC), 0 },
};

static const struct expr_case pieces[] = {
	{ "two registers", S(16), E(0x55, PIECE, 8, 0x54, PIECE, 8), REGS(16, 5, 4, SG),
	  0 },
	{ "8 + 4 bytes", AGG(12), E(0x55, PIECE, 8, 0x54, PIECE, 4), REGS(12, 5, 4, 0),
	  0 },
	{ "u64 in two of 32 bits", U(8), E(0x50, PIECE, 4, 0x52, PIECE, 4),
	  REGS(8, 0, 2, 0), M32 },
	/* clang writes the low half first, gcc the high one: DWARF 5, 2.6.1.2 has the latter */
	{ "the same, big-endian", U(8), E(0x50, PIECE, 4, 0x51, PIECE, 4), NONE(PIECES),
	  MBIG32 },
	{ "regx pieces", AGG(16), E(0x90, 5, PIECE, 8, 0x90, 4, PIECE, 8),
	  REGS(16, 5, 4, 0), 0 },
	{ "4 + 8 bytes", AGG(12), E(0x55, PIECE, 4, 0x54, PIECE, 8), NONE(PIECES), 0 },
	{ "4 + 4 bytes of u64 registers", AGG(8), E(0x55, PIECE, 4, 0x54, PIECE, 4),
	  NONE(PIECES), 0 },
	{ "three registers", AGG(24), E(0x55, PIECE, 8, 0x54, PIECE, 8, 0x51, PIECE, 8),
	  NONE(PIECES), 0 },
	{ "xmm in a piece", AGG(16), E(0x55, PIECE, 8, 0x61, PIECE, 8), NONE(REGISTER),
	  0 },
	{ "second is empty", AGG(16), E(0x55, PIECE, 8, PIECE, 8), NONE(NARROW), 0 },
	{ "first is empty", AGG(16), E(PIECE, 8, 0x55, PIECE, 8), NONE(NARROW), 0 },
	{ "an empty piece alone", U(8), E(PIECE, 8), NONE(NARROW), 0 },
	{ "too few bytes", AGG(16), E(0x55, PIECE, 8), NONE(NARROW), 0 },
	{ "too many bytes", AGG(12), E(0x55, PIECE, 8, 0x54, PIECE, 8), NONE(PIECES), 0 },
	{ "sizes that overflow", AGG(12),
	  E(0x55, PIECE, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0x54,
	  PIECE, 13),
	  NONE(MALFORMED), 0 },
	{ "register and memory", AGG(16), E(0x55, PIECE, 8, 0x77, 0, PIECE, 8),
	  NONE(PIECES), 0 },
	{ "pieces of no size", AGG(0), E(0x55, PIECE, 8), NONE(NO_SIZE), 0 },
	{ "one piece is the whole", U(4), E(0x55, PIECE, 4), REG(4, 5, 0), 0 },
	{ "one piece of memory", AGG(24), E(0x77, 16, PIECE, 24), MEM(24, 7, 16, 0), 0 },
	{ "one piece of a value", U(8), E(0x75, 8, STACK, PIECE, 8), REGOFF(8, 5, 8, 0),
	  0 },
	{ "one implicit piece", U(4), E(0x9e, 4, 1, 0, 0, 0, PIECE, 4), CONST(4, 1, 0),
	  0 },
	/* s390x: a struct by hidden reference */
	{ "memory that is one", AGG(16), E(0x72, 0, PIECE, 8, 0x72, 8, PIECE, 8),
	  MEM0(16, 2, 0), MBIG },
	{ "memory that is one, from 8 on", AGG(12),
	  E(0x77, 8, PIECE, 8, 0x77, 16, PIECE, 4),
	  MEM(12, 7, 8, 0), 0 },
	{ "memory, ends at offset 0", AGG(16), E(0x77, 0x78, PIECE, 8, 0x77, 0, PIECE, 8),
	  MEM(16, 7, -8, 0), 0 },
	{ "memory with a gap", AGG(16), E(0x72, 0, PIECE, 8, 0x72, 16, PIECE, 8),
	  NONE(PIECES), 0 },
	{ "memory of two registers", AGG(16), E(0x72, 0, PIECE, 8, 0x73, 8, PIECE, 8),
	  NONE(PIECES), 0 },
	{ "addresses that are one", AGG(12),
	  E(0xa1, 0, PIECE, 8, 0xa1, 0, 0x23, 8, PIECE, 4), ADDR(12, 0x1000, LOC_F_DEREF),
	  0 },
	{ "addresses that are not", AGG(16), E(0xa1, 0, PIECE, 8, 0xa1, 1, PIECE, 8),
	  NONE(PIECES), 0 },
	{ "address and register", AGG(16), E(0xa1, 0, PIECE, 8, 0x72, 8, PIECE, 8),
	  NONE(PIECES), 0 },
	/* memory holds 01 00 00 00 02 00 00 00 */
	{ "constants that are one", U(8), E(0x31, STACK, PIECE, 4, 0x32, STACK, PIECE, 4),
	  CONST(8, 0x200000001, 0), 0 },
	{ "the same, big-endian", U(8), E(0x31, STACK, PIECE, 4, 0x32, STACK, PIECE, 4),
	  NONE(PIECES), MBIG },
	{ "implicit and a value", U(4),
	  E(0x9e, 2, 0x34, 0x12, PIECE, 2, 0x37, STACK, PIECE, 2),
	  CONST(4, 0x71234, 0), 0 },
	{ "16 bytes of constants", U(16), E(0x31, STACK, PIECE, 8, 0x32, STACK, PIECE, 8),
	  NONE(NARROW), 0 },
	{ "registers by value", AGG(16), E(0x75, 0, STACK, PIECE, 8, 0x54, PIECE, 8),
	  REGS(16, 5, 4, 0), 0 },
	{ "low half by value", AGG(12),
	  E(0x75, 0, STACK, PIECE, 8, 0x74, 0, 0x0c, 255, 255, 255, 255, 0x1a, STACK, PIECE, 4),
	  REGS(12, 5, 4, 0), 0 },
	/* the upper 4 bytes are 0, not the register's */
	{ "low half by value for 8 bytes", AGG(16),
	  E(0x55, PIECE, 8, 0x74, 0, 0x0c, 255, 255, 255, 255, 0x1a, STACK, PIECE, 8),
	  NONE(PIECES), 0 },
	{ "loaded pieces", AGG(16), E(0x77, 8, 6, STACK, PIECE, 8, 0x77, 16, PIECE, 8),
	  MEM(16, 7, 8, 0), 0 },
	{ "loaded pieces, narrower", AGG(12), E(0x77, 8, PIECE, 8, 0x77, 16, 6, STACK, PIECE, 4),
	  MEM(12, 7, 8, 0), 0 },
	/* big-endian: the low half of 16..23 is 20..23 */
	{ "the same, big-endian", AGG(12), E(0x72, 8, PIECE, 8, 0x72, 16, 6, STACK, PIECE, 4),
	  NONE(PIECES), MBIG },
	{ "where it is, big-endian", AGG(12), E(0x72, 8, PIECE, 8, 0x72, 12, 6, STACK, PIECE, 4),
	  MEM(12, 2, 8, 0), MBIG },
	{ "widened in a piece", AGG(16), E(0x77, 8, PIECE, 8, 0x77, 16, 0x94, 4, STACK, PIECE, 8),
	  NONE(PIECES), 0 },
	{ "three words by hidden reference", AGG(20),
	  E(0x72, 0, PIECE, 8, 0x72, 8, PIECE, 8, 0x72, 16, PIECE, 4), MEM0(20, 2, 0), MBIG },
	{ "arm: 8 bytes of a struct", AGG(8), E(0x50, PIECE, 4, 0x51, PIECE, 4),
	  REGS(8, 0, 1, 0), MBIG32 },
	{ "arm: s64", S(8), E(0x52, PIECE, 4, 0x53, PIECE, 4), REGS(8, 2, 3, SG), M32 },
	{ "arm: 3 bytes in the second", AGG(7), E(0x50, PIECE, 4, 0x51, PIECE, 3),
	  REGS(7, 0, 1, 0), M32 },
	{ "arm: 12 bytes", AGG(12), E(0x50, PIECE, 4, 0x51, PIECE, 4, 0x52, PIECE, 4),
	  NONE(PIECES), MBIG32 },
	{ "constant and register", AGG(16), E(0x30, STACK, PIECE, 8, 0x55, PIECE, 8),
	  NONE(PIECES), 0 },
	{ "a float by pieces", FLT(8), E(0x31, STACK, PIECE, 4, 0x32, STACK, PIECE, 4),
	  NONE(FLOAT_CONST), 0 },
	{ "a bool of -1 by a piece", BOOL1, E(0x09, 0xff, STACK, PIECE, 1), CONST(1, 1, 0), 0 },
	{ "a bool of -2 by a piece", BOOL1, E(0x09, 0xfe, STACK, PIECE, 1), CONST(1, 0, 0), 0 },
	{ "values in pieces", AGG(16), E(0x75, 8, STACK, PIECE, 8, 0x75, 9, STACK, PIECE,
	  8),
	  NONE(PIECES), 0 },
	{ "something behind the last piece", AGG(16),
	  E(0x55, PIECE, 8, 0x54, PIECE, 8, 0x53),
	  NONE(MALFORMED), 0 },
	{ "bit_piece", U(8), E(0x55, 0x9d, 8, 0), NONE(PIECES), 0 },
	{ "bit_piece of memory", U(8), E(0x77, 0, 0x9d, 8, 0), NONE(PIECES), 0 },
	{ "piece without size", U(8), E(0x55, PIECE), NONE(MALFORMED), 0 },
};

static const struct expr_case nothings[] = {
	{ "entry_value", U(8), E(0xa3, 1, 0x55, STACK), NONE(ENTRY_VALUE), 0 },
	{ "GNU_entry_value", U(8), E(0xf3, 1, 0x55, STACK), NONE(ENTRY_VALUE), 0 },
	{ "entry_value and arithmetic", U(8), E(0xa3, 1, 0x55, 0x23, 1, STACK),
	  NONE(ENTRY_VALUE), 0 },
	{ "implicit_pointer", U(8), E(0xa0, 1, 0, 0, 0, 0), NONE(IMPLICIT_POINTER), 0 },
	{ "GNU_implicit_pointer", U(8), E(0xf2, 1, 0, 0, 0, 0), NONE(IMPLICIT_POINTER),
	  0 },
	{ "GNU_variable_value", U(8), E(0xfd, 1, 0, 0, 0, STACK), NONE(IMPLICIT_POINTER),
	  0 },
	{ "GNU_parameter_ref", U(8), E(0xfa, 1, 0, 0, 0, STACK), NONE(PARAMETER_REF), 0 },
	{ "form_tls_address", U(8), E(0x0e, 8, 0, 0, 0, 0, 0, 0, 0, 0x9b), NONE(TLS), 0 },
	{ "GNU_push_tls_address", U(8), E(0x0e, 8, 0, 0, 0, 0, 0, 0, 0, 0xe0), NONE(TLS),
	  0 },
	{ "a user's operator", U(8), E(0xe5), NONE(UNKNOWN_OP), 0 },
	{ "operator 0", U(8), E(0), NONE(UNKNOWN_OP), 0 },
	{ "operator 0xff", U(8), E(0xff), NONE(UNKNOWN_OP), 0 },
	{ "push_object_address", U(8), E(0x97, STACK), NONE(UNKNOWN_OP), 0 },
	{ "call2", U(8), E(0x98, 1, 0), NONE(UNKNOWN_OP), 0 },
	{ "bra", U(8), E(0x31, 0x28, 0, 0, 0x31, STACK), NONE(ARITHMETIC), 0 },
	{ "skip", U(8), E(0x2f, 0, 0, 0x31, STACK), NONE(ARITHMETIC), 0 },
	{ "xderef", U(8), E(0x31, 0x31, 0x18), NONE(ARITHMETIC), 0 },
};

static void test_masks(void **state)
{
	(void)state;
	CHECK_ALL(masks, check_case);
}

static void test_loads(void **state)
{
	(void)state;
	CHECK_ALL(loads, check_case);
}

static void test_sums(void **state)
{
	(void)state;
	CHECK_ALL(sums, check_case);
}

static void test_converts(void **state)
{
	(void)state;
	CHECK_ALL(converts, check_case);
}

static void test_pieces(void **state)
{
	(void)state;
	CHECK_ALL(pieces, check_case);
}

static void test_nothing(void **state)
{
	(void)state;
	CHECK_ALL(nothings, check_case);
}

static void test_truncated(void **state)
{
	(void)state;
	CHECK_ALL(masks, check_truncated);
	CHECK_ALL(loads, check_truncated);
	CHECK_ALL(sums, check_truncated);
	CHECK_ALL(converts, check_truncated);
	CHECK_ALL(pieces, check_truncated);
	CHECK_ALL(nothings, check_truncated);
}

/* A stack and a list of pieces that are too deep end in a reason. */
static void test_overflow(void **state)
{
	struct loc_ctx ctx = context(M64, (struct loc_type)U(8));
	uint8_t bytes[300];
	struct loc l;
	size_t i;

	(void)state;
	memset(bytes, 0x31, sizeof(bytes));
	assert_int_equal(reduce(&ctx, bytes, sizeof(bytes), &l), LOC_UNKNOWN_OP);
	memset(bytes, 0x12, sizeof(bytes));
	bytes[0] = 0x31;
	assert_int_equal(reduce(&ctx, bytes, sizeof(bytes), &l), LOC_UNKNOWN_OP);
	for (i = 0; i < sizeof(bytes); i += 3) {
		bytes[i] = 0x55;
		bytes[i + 1] = PIECE;
		bytes[i + 2] = 1;
	}
	assert_int_equal(reduce(&ctx, bytes, sizeof(bytes), &l), LOC_PIECES);
}

/* Any two operators with any operands: never a crash, never a location out of form. */
static void test_all_pairs(void **state)
{
	struct loc_ctx ctx = context(M64, (struct loc_type)S(8));
	uint8_t bytes[12] = { 0x75, 4 };
	unsigned int a, b;
	struct loc l;

	(void)state;
	for (a = 0; a < 256; a++)
		for (b = 0; b < 256; b++) {
			bytes[2] = a;
			bytes[3] = b;
			memset(bytes + 4, 1, sizeof(bytes) - 4);
			bytes[11] = STACK;
			memset(&l, 0, sizeof(l));
			if (reduce(&ctx, bytes, sizeof(bytes), &l) == LOC_OK)
				assert_true(l.flags && !(l.flags & ~LOC_F_ALL) &&
					l.size &&
					    l.size <= 8);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_converts),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_all_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
