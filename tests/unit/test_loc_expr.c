// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_loc_expr.c - expressions -> locations
 *
 * Expressions are bytes written out by hand from DWARF 5, 7.7.1; what is expected of each
 * is what the DWARF abstract machine computes, in the form that format.md has for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loc_expr_util.h"

static const struct expr_case registers[] = {
	{ "reg5", S(4), E(0x55), REG(4, 5, SG), 0 },
	{ "reg0, u64", U(8), E(0x50), REG(8, 0, 0), 0 },
	{ "reg15", U(1), E(0x5f), REG(1, 15, 0), 0 },
	{ "regx 3", U(8), E(0x90, 3), REG(8, 3, 0), 0 },
	{ "regx as a long LEB", U(8), E(0x90, 0x83, 0x80, 0x00), REG(8, 3, 0), 0 },
	{ "regx beyond 32 bits", U(8), E(0x90, 0x80, 0x80, 0x80, 0x80, 0x10),
	  NONE(MALFORMED), 0 },
	{ "reg17 is xmm0", U(8), E(0x61), NONE(REGISTER), 0 },
	{ "regx 17", FLT(8), E(0x90, 17), NONE(REGISTER), 0 },
	{ "reg16, the return address", U(8), E(0x60), NONE(REGISTER), 0 },
	{ "reg5 then a no-op", U(8), E(0x55, 0x96), REG(8, 5, 0), 0 },
	{ "reg5, not initialized (GNU)", U(8), E(0x55, 0xf0), REG(8, 5, 0), 0 },
	{ "reg5 then something", U(8), E(0x55, 0x30), NONE(MALFORMED), 0 },
	{ "something then reg5", U(8), E(0x30, 0x55), NONE(MALFORMED), 0 },
	{ "a register narrower than the type", U(16), E(0x55), NONE(NARROW), 0 },
	{ "u64 in a 32-bit register", U(8), E(0x50), NONE(NARROW), M32 },
	{ "u32 in a 32-bit register", U(4), E(0x50), REG(4, 0, 0), M32 },
	{ "a type of size 0", U(0), E(0x55), NONE(NO_SIZE), 0 },
	{ "a type of 512 MiB", AGG(0x20000000), E(0x55), NONE(NARROW), 0 },
	{ "big-endian register", S(4), E(0x52), REG(4, 2, SG), MBIG },
	{ "s390x f0", U(8), E(0x60), NONE(REGISTER), MBIG },
	{ "nothing", U(8), { 0 }, 0, NONE(EMPTY), 0 },
	{ "no-op alone", U(8), E(0x96), NONE(MALFORMED), 0 },
	/* values */
	{ "breg5 0, value", U(8), E(0x75, 0, STACK), REG(8, 5, 0), 0 },
	{ "breg5 8, value", U(8), E(0x75, 8, STACK), REGOFF(8, 5, 8, 0), 0 },
	{ "breg5 -8, value", S(4), E(0x75, 0x78, STACK), REGOFF(4, 5, -8, SG), 0 },
	{ "breg5 -129, value", U(8), E(0x75, 0xff, 0x7e, STACK), REGOFF(8, 5, -129, 0),
	  0 },
	{ "bregx 5 16, value", U(8), E(0x92, 5, 16, STACK), REGOFF(8, 5, 16, 0), 0 },
	{ "breg5 8, +8, value", U(8), E(0x75, 8, 0x23, 8, STACK), REGOFF(8, 5, 16, 0),
	  0 },
	{ "breg5 8, -8 by plus", U(8), E(0x75, 8, 0x09, 0xf8, 0x22, STACK), REG(8, 5, 0),
	  0 },
	{ "lit3 + breg5 0", U(8), E(0x33, 0x75, 0, 0x22, STACK), REGOFF(8, 5, 3, 0), 0 },
	{ "breg5 0 - 3", U(8), E(0x75, 0, 0x33, 0x1c, STACK), REGOFF(8, 5, -3, 0), 0 },
	{ "3 - breg5 0", U(8), E(0x33, 0x75, 0, 0x1c, STACK), NONE(ARITHMETIC), 0 },
	{ "breg17, value", U(8), E(0x81, 0, STACK), NONE(REGISTER), 0 },
	{ "two registers added", U(8), E(0x75, 0, 0x74, 0, 0x22, STACK), NONE(ARITHMETIC),
	  0 },
	{ "breg5 times 2", U(8), E(0x75, 0, 0x32, 0x1e, STACK), NONE(ARITHMETIC), 0 },
	{ "breg5 negated", U(8), E(0x75, 0, 0x1f, STACK), NONE(ARITHMETIC), 0 },
	{ "value of size 0", U(0), E(0x75, 0, STACK), NONE(NO_SIZE), 0 },
	{ "value of 16 bytes", U(16), E(0x75, 0, STACK), NONE(NARROW), 0 },
	{ "u64 value on 32 bits", U(8), E(0x75, 0, STACK), NONE(NARROW), M32 },
	{ "32-bit, off wraps", U(4), E(0x75, 0, 0x0c, 0xff, 0xff, 0xff, 0xff, 0x22,
	  STACK),
	  REGOFF(4, 5, -1, 0), M32 },
	/* the stack's own operators */
	{ "dup, drop", U(8), E(0x75, 4, 0x12, 0x13, STACK), REGOFF(8, 5, 4, 0), 0 },
	{ "swap", U(8), E(0x75, 0, 0x74, 0, 0x16, STACK), REG(8, 5, 0), 0 },
	{ "over", U(8), E(0x75, 0, 0x74, 0, 0x14, STACK), REG(8, 5, 0), 0 },
	{ "pick 1", U(8), E(0x75, 0, 0x74, 0, 0x15, 1, STACK), REG(8, 5, 0), 0 },
	{ "rot: second comes up", U(8), E(0x73, 0, 0x74, 0, 0x75, 0, 0x17, STACK),
	  REG(8, 4, 0), 0 },
	{ "pick too deep", U(8), E(0x75, 0, 0x15, 1, STACK), NONE(MALFORMED), 0 },
	{ "over, one there", U(8), E(0x75, 0, 0x14, STACK), NONE(MALFORMED), 0 },
	{ "swap, one there", U(8), E(0x75, 0, 0x16, STACK), NONE(MALFORMED), 0 },
	{ "rot, two there", U(8), E(0x75, 0, 0x74, 0, 0x17, STACK), NONE(MALFORMED), 0 },
	{ "plus, one there", U(8), E(0x75, 0, 0x22, STACK), NONE(MALFORMED), 0 },
	{ "plus_uconst, none there", U(8), E(0x23, 1, STACK), NONE(MALFORMED), 0 },
	{ "drop, none there", U(8), E(0x13), NONE(MALFORMED), 0 },
	{ "dup, none there", U(8), E(0x12), NONE(MALFORMED), 0 },
	{ "deref, none there", U(8), E(0x06, STACK), NONE(MALFORMED), 0 },
	{ "convert, none there", U(8), E(0xa8, T_U8, STACK), NONE(MALFORMED), 0 },
	{ "neg, none there", U(8), E(0x1f, STACK), NONE(MALFORMED), 0 },
	{ "stack_value, none there", U(8), E(STACK), NONE(MALFORMED), 0 },
	{ "all dropped", U(8), E(0x75, 0, 0x13), NONE(MALFORMED), 0 },
	{ "a value, then more", U(8), E(0x75, 0, STACK, 0x31), NONE(MALFORMED), 0 },
};

static const struct expr_case memory[] = {
	{ "breg7 16", S(4), E(0x77, 16), MEM(4, 7, 16, SG), 0 },
	{ "breg7 0", U(8), E(0x77, 0), MEM0(8, 7, 0), 0 },
	{ "breg7 -16", AGG(24), E(0x77, 0x70), MEM(24, 7, -16, 0), 0 },
	{ "breg7 8, plus_uconst 200", U(8), E(0x77, 8, 0x23, 0xc8, 1), MEM(8, 7, 208, 0),
	  0 },
	{ "bregx 7 16", U(2), E(0x92, 7, 16), MEM(2, 7, 16, 0), 0 },
	{ "memory of size 0", AGG(0), E(0x77, 0), NONE(NO_SIZE), 0 },
	{ "memory at xmm0", U(8), E(0x81, 0), NONE(REGISTER), 0 },
	{ "memory at a constant", U(8), E(0x30), NONE(ARITHMETIC), 0 },
	{ "memory at a narrowed register", U(8), E(0x75, 0, 0x08, 0xff, 0x1a),
	  NONE(ARITHMETIC), 0 },
	{ "memory at memory", U(8), E(0x77, 0, 0x06), NONE(ARITHMETIC), 0 },
	{ "breg7 16, deref, value", U(8), E(0x77, 16, 0x06, STACK), MEM(8, 7, 16, 0), 0 },
	{ "deref to a narrower type", S(4), E(0x77, 16, 0x06, STACK), MEM(4, 7, 16, SG),
	  0 },
	{ "the same, big-endian", S(4), E(0x72, 16, 0x06, STACK), MEM(4, 2, 20, SG),
	  MBIG },
	{ "deref u8, big-endian", U(1), E(0x72, 0, 0x06, STACK), MEM(1, 2, 7, 0), MBIG },
	{ "deref_size 4", U(4), E(0x77, 16, 0x94, 4, STACK), MEM(4, 7, 16, 0), 0 },
	{ "deref_size 4 widened by zeros", S(8), E(0x77, 16, 0x94, 4, STACK),
	  MEM(4, 7, 16, 0), 0 },
	{ "deref_size 4, u16, big-endian", U(2), E(0x72, 16, 0x94, 4, STACK),
	  MEM(2, 2, 18, 0), MBIG },
	{ "deref_size 0", U(4), E(0x77, 16, 0x94, 0, STACK), NONE(MALFORMED), 0 },
	{ "deref_size 9", U(4), E(0x77, 16, 0x94, 9, STACK), NONE(MALFORMED), 0 },
	{ "deref_type s32", S(4), E(0x77, 16, 0xa6, 4, T_S32, STACK), MEM(4, 7, 16, SG),
	  0 },
	{ "deref_type s32, then s64", S(8),
	  E(0x77, 16, 0xa6, 4, T_S32, 0xa8, T_S64, STACK),
	  MEM(4, 7, 16, SG), 0 },
	{ "GNU_deref_type s32, then s64", S(8),
	  E(0x77, 16, 0xf6, 4, T_S32, 0xf7, T_S64, STACK), MEM(4, 7, 16, SG), 0 },
	{ "deref_type u32, then s64", S(8),
	  E(0x77, 16, 0xa6, 4, T_U32, 0xa8, T_S64, STACK),
	  MEM(4, 7, 16, 0), 0 },
	{ "deref_type of an unknown type", S(4), E(0x77, 16, 0xa6, 4, 99, STACK),
	  NONE(MALFORMED), 0 },
	{ "deref twice", U(8), E(0x77, 16, 0x06, 0x06, STACK), NONE(ARITHMETIC), 0 },
	{ "deref then add", U(8), E(0x77, 16, 0x06, 0x23, 1, STACK), NONE(ARITHMETIC),
	  0 },
	{ "deref then mask", U(4), E(0x77, 16, 0x06, 0x08, 0xff, 0x1a, STACK),
	  MEM(1, 7, 16, 0), 0 },
	{ "the same, big-endian", U(4), E(0x72, 16, 0x06, 0x08, 0xff, 0x1a, STACK),
	  MEM(1, 2, 23, 0), MBIG },
	{ "u64 by deref on 32 bits", U(8), E(0x75, 0, 0x06, STACK), NONE(NARROW), M32 },
	{ "memory of 8 bytes on 32 bits", U(8), E(0x75, 0), MEM0(8, 5, 0), M32 },
	/* the frame base: 6 + 16; the CFA: 7 + 8 */
	{ "fbreg -20", S(4), E(0x91, 0x6c), MEM(4, 6, -4, SG), 0 },
	{ "fbreg -16 is offset 0", S(4), E(0x91, 0x70), MEM0(4, 6, SG), 0 },
	{ "fbreg 8 as a value", U(8), E(0x91, 8, STACK), REGOFF(8, 6, 24, 0), 0 },
	{ "fbreg 8, deref", U(8), E(0x91, 8, 0x06, STACK), MEM(8, 6, 24, 0), 0 },
	{ "call_frame_cfa", U(8), E(0x9c), MEM(8, 7, 8, 0), 0 },
	{ "call_frame_cfa - 8, value", U(8), E(0x9c, 0x38, 0x1c, STACK), REG(8, 7, 0),
	  0 },
	/* addresses */
	{ "addr", S(4), E(3, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0x80),
	  ADDR(4, 0x8000000012345678, LOC_F_DEREF | SG), 0 },
	{ "addr, value", U(8), E(3, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, STACK),
	  ADDR(8, 0x12345678, 0), 0 },
	{ "addr + 8, value", U(8), E(3, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, 0x23, 8,
	  STACK),
	  ADDR(8, 0x12345680, 0), 0 },
	{ "addr, deref, value", U(8), E(3, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, 6, STACK),
	  ADDR(8, 0x12345678, LOC_F_DEREF), 0 },
	{ "addr, value, narrower", U(4), E(3, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, STACK),
	  NONE(ARITHMETIC), 0 },
	{ "addr, big-endian", U(8), E(3, 0, 0, 0, 0, 0x12, 0x34, 0x56, 0x78, STACK),
	  ADDR(8, 0x12345678, 0), MBIG },
	{ "addr, deref, narrower, big-endian", U(4),
	  E(3, 0, 0, 0, 0, 0x12, 0x34, 0x56, 0x78, 6, STACK),
	  ADDR(4, 0x1234567c, LOC_F_DEREF), MBIG },
	{ "addr on 32 bits", U(4), E(3, 0x78, 0x56, 0x34, 0x92),
	  ADDR(4, 0x92345678, LOC_F_DEREF),
	  M32 },
	{ "addrx 1", U(8), E(0xa1, 1), ADDR(8, 0x2000, LOC_F_DEREF), 0 },
	{ "addrx 2, value", U(8), E(0xa1, 2, STACK), ADDR(8, 0x3000, 0), 0 },
	{ "GNU_addr_index 0, value", U(8), E(0xfb, 0, STACK), ADDR(8, 0x1000, 0), 0 },
	{ "addrx past the end", U(8), E(0xa1, 9, STACK), NONE(MALFORMED), 0 },
};

static const struct expr_case constants[] = {
	{ "lit0", U(4), E(0x30, STACK), CONST(4, 0, 0), 0 },
	{ "lit31", S(4), E(0x4f, STACK), CONST(4, 31, SG), 0 },
	{ "u8 200 written as -56", U(1), E(0x09, 0xc8, STACK), CONST(1, 200, 0), 0 },
	{ "s8 -56 written as 200", S(1), E(0x08, 0xc8, STACK), CONST(1, -56, SG), 0 },
	{ "const1u 200", U(4), E(0x08, 0xc8, STACK), CONST(4, 200, 0), 0 },
	{ "const2u", U(4), E(0x0a, 0x34, 0xff, STACK), CONST(4, 0xff34, 0), 0 },
	{ "const2s", S(8), E(0x0b, 0x34, 0xff, STACK), CONST(8, -204, SG), 0 },
	{ "const4u", S(4), E(0x0c, 0xff, 0xff, 0xff, 0xff, STACK), CONST(4, -1, SG), 0 },
	{ "const4u, s64", S(8), E(0x0c, 0xff, 0xff, 0xff, 0xff, STACK),
	  CONST(8, 0xffffffff, SG), 0 },
	{ "const4s", S(8), E(0x0d, 0xfe, 0xff, 0xff, 0xff, STACK), CONST(8, -2, SG), 0 },
	{ "const8u", U(8), E(0x0e, 1, 2, 3, 4, 5, 6, 7, 8, STACK),
	  CONST(8, 0x0807060504030201, 0),
	  0 },
	{ "const8s", S(8), E(0x0f, 1, 2, 3, 4, 5, 6, 7, 0x88, STACK),
	  CONST(8, 0x8807060504030201, SG), 0 },
	{ "const8u, big-endian", U(8), E(0x0e, 1, 2, 3, 4, 5, 6, 7, 8, STACK),
	  CONST(8, 0x0102030405060708, 0), MBIG },
	{ "constu 0x12345", U(4), E(0x10, 0xc5, 0xc6, 0x04, STACK), CONST(4, 0x12345, 0),
	  0 },
	{ "consts -22", S(4), E(0x11, 0x6a, STACK), CONST(4, -22, SG), 0 },
	{ "consts -22, s64", S(8), E(0x11, 0x6a, STACK), CONST(8, -22, SG), 0 },
	{ "consts -22, u16", U(2), E(0x11, 0x6a, STACK), CONST(2, 0xffea, 0), 0 },
	{ "constu 2^64 - 1, s64", S(8),
	  E(0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, STACK),
	  CONST(8, -1, SG), 0 },
	{ "constu of 65 bits", U(8),
	  E(0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 3, STACK),
	  NONE(MALFORMED), 0 },
	{ "bool 1", BOOL1, E(0x31, STACK), CONST(1, 1, 0), 0 },
	{ "bool -1", BOOL1, E(0x09, 0xff, STACK), CONST(1, 1, 0), 0 },
	{ "bool 0", BOOL1, E(0x30, STACK), CONST(1, 0, 0), 0 },
	/* gcc's !true is ~1, in each width it is written in; of others nothing is known */
	{ "bool -2", BOOL1, E(0x09, 0xfe, STACK), CONST(1, 0, 0), 0 },
	{ "bool 254", BOOL1, E(0x08, 0xfe, STACK), CONST(1, 0, 0), 0 },
	{ "bool 255", BOOL1, E(0x08, 0xff, STACK), CONST(1, 1, 0), 0 },
	{ "bool 0xfffe", BOOL1, E(0x0a, 0xfe, 0xff, STACK), CONST(1, 0, 0), 0 },
	{ "bool -2, s390x", BOOL1, E(0x0b, 0xff, 0xfe, STACK), CONST(1, 0, 0), MBIG },
	{ "bool -2, 32 bits", BOOL1, E(0x11, 0x7e, STACK), CONST(1, 0, 0), M32 },
	{ "bool -1, 32 bits", BOOL1, E(0x11, 0x7f, STACK), CONST(1, 1, 0), M32 },
	{ "bool ~1", BOOL1, E(0x31, 0x20, STACK), CONST(1, 0, 0), 0 },
	{ "bool ~0", BOOL1, E(0x30, 0x20, STACK), CONST(1, 1, 0), 0 },
	{ "bool 1 ^ -1", BOOL1, E(0x31, 0x09, 0xff, 0x27, STACK), CONST(1, 0, 0), 0 },
	{ "bool 3", BOOL1, E(0x33, STACK), CONST(1, 1, 0), 0 },
	{ "bool 2", BOOL1, E(0x32, STACK), NONE(BOOL_BITS), 0 },
	{ "bool 256", BOOL1, E(0x0a, 0x00, 0x01, STACK), NONE(BOOL_BITS), 0 },
	{ "bool 0x1fe", BOOL1, E(0x0a, 0xfe, 0x01, STACK), NONE(BOOL_BITS), 0 },
	{ "implicit bool 0", BOOL1, E(0x9e, 1, 0), CONST(1, 0, 0), 0 },
	{ "implicit bool 1", BOOL1, E(0x9e, 1, 1), CONST(1, 1, 0), 0 },
	{ "implicit bool -1", BOOL1, E(0x9e, 1, 0xff), CONST(1, 1, 0), 0 },
	{ "implicit bool -2", BOOL1, E(0x9e, 1, 0xfe), CONST(1, 0, 0), 0 },
	{ "implicit bool 2", BOOL1, E(0x9e, 1, 2), NONE(BOOL_BITS), 0 },
	{ "bool of 4 bytes, -2", { 4, false, LOC_C_BOOL }, E(0x09, 0xfe, STACK), CONST(4, 0, 0),
	  0 },
	{ "a float", FLT(4), E(0x30, STACK), NONE(FLOAT_CONST), 0 },
	{ "type size 0", U(0), E(0x30, STACK), NONE(NO_SIZE), 0 },
	{ "__int128", S(16), E(0x30, STACK), NONE(NARROW), 0 },
	{ "s64 on 32 bits", S(8), E(0x31, STACK), NONE(NARROW), M32 },
	{ "32 bits wrap", U(4), E(0x0c, 0xff, 0xff, 0xff, 0xff, 0x32, 0x22, STACK),
	  CONST(4, 1, 0),
	  M32 },
	/* constants alone: 7 + 3, 7 - 8, 6 * 7, 7 & 3, 4 | 3, 7 ^ 2, 1 << 8, -1 >> 60 */
	{ "plus", U(4), E(0x37, 0x33, 0x22, STACK), CONST(4, 10, 0), 0 },
	{ "minus", S(4), E(0x37, 0x38, 0x1c, STACK), CONST(4, -1, SG), 0 },
	{ "mul", U(4), E(0x36, 0x37, 0x1e, STACK), CONST(4, 42, 0), 0 },
	{ "and", U(4), E(0x37, 0x33, 0x1a, STACK), CONST(4, 3, 0), 0 },
	{ "or", U(4), E(0x34, 0x33, 0x21, STACK), CONST(4, 7, 0), 0 },
	{ "xor", U(4), E(0x37, 0x32, 0x27, STACK), CONST(4, 5, 0), 0 },
	{ "shl", U(4), E(0x31, 0x38, 0x24, STACK), CONST(4, 256, 0), 0 },
	{ "shl by 64", U(4), E(0x31, 0x08, 64, 0x24, STACK), CONST(4, 0, 0), 0 },
	{ "shr", U(4), E(0x09, 0xff, 0x08, 60, 0x25, STACK), CONST(4, 15, 0), 0 },
	{ "shra", S(4), E(0x09, 0xf0, 0x32, 0x26, STACK), CONST(4, -4, SG), 0 },
	{ "shra by 99", S(4), E(0x09, 0xf0, 0x08, 99, 0x26, STACK), CONST(4, -1, SG), 0 },
	{ "div", U(4), E(0x08, 100, 0x37, 0x1b, STACK), CONST(4, 14, 0), 0 },
	{ "mod", U(4), E(0x08, 100, 0x37, 0x1d, STACK), CONST(4, 2, 0), 0 },
	{ "div by 0", U(4), E(0x31, 0x30, 0x1b, STACK), NONE(MALFORMED), 0 },
	{ "mod by 0", U(4), E(0x31, 0x30, 0x1d, STACK), NONE(MALFORMED), 0 },
	{ "div of a negative", S(4), E(0x09, 0xf0, 0x32, 0x1b, STACK), NONE(ARITHMETIC),
	  0 },
	{ "neg", S(4), E(0x35, 0x1f, STACK), CONST(4, -5, SG), 0 },
	{ "not", S(4), E(0x35, 0x20, STACK), CONST(4, -6, SG), 0 },
	{ "abs", S(4), E(0x09, 0xf0, 0x19, STACK), CONST(4, 16, SG), 0 },
	{ "eq", U(4), E(0x35, 0x35, 0x29, STACK), CONST(4, 1, 0), 0 },
	{ "ne", U(4), E(0x35, 0x35, 0x2e, STACK), CONST(4, 0, 0), 0 },
	{ "lt", U(4), E(0x34, 0x35, 0x2d, STACK), CONST(4, 1, 0), 0 },
	{ "le", U(4), E(0x35, 0x35, 0x2c, STACK), CONST(4, 1, 0), 0 },
	{ "gt", U(4), E(0x34, 0x35, 0x2b, STACK), CONST(4, 0, 0), 0 },
	{ "ge", U(4), E(0x35, 0x35, 0x2a, STACK), CONST(4, 1, 0), 0 },
	{ "lt, of either sign", U(4), E(0x09, 0xff, 0x35, 0x2d, STACK), NONE(ARITHMETIC),
	  0 },
	/* implicit values and typed constants */
	{ "implicit_value", U(4), E(0x9e, 4, 0x78, 0x56, 0x34, 0x12),
	  CONST(4, 0x12345678, 0), 0 },
	{ "the same, big-endian", U(4), E(0x9e, 4, 0x12, 0x34, 0x56, 0x78),
	  CONST(4, 0x12345678, 0), MBIG },
	{ "implicit_value, signed", S(2), E(0x9e, 2, 0xfe, 0xff), CONST(2, -2, SG), 0 },
	{ "implicit_value of 8", U(8), E(0x9e, 8, 1, 2, 3, 4, 5, 6, 7, 8),
	  CONST(8, 0x0807060504030201, 0), 0 },
	{ "implicit_value, too short", U(4), E(0x9e, 2, 1, 2), NONE(NARROW), 0 },
	{ "implicit_value of 16", U(16),
	  E(0x9e, 16, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8), NONE(WIDE_CONST),
	  0 },
	{ "implicit_value, cut off", U(4), E(0x9e, 4, 1, 2, 3), NONE(MALFORMED), 0 },
	{ "implicit_value of a float", FLT(4), E(0x9e, 4, 1, 2, 3, 4), NONE(FLOAT_CONST),
	  0 },
	{ "implicit_value of a huge length", U(4),
	  E(0x9e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1),
	  NONE(MALFORMED), 0 },
	{ "const_type u32", U(4), E(0xa4, T_U32, 4, 0x78, 0x56, 0x34, 0x12, STACK),
	  CONST(4, 0x12345678, 0), 0 },
	{ "GNU_const_type, big-endian", U(4),
	  E(0xf4, T_U32, 4, 0x12, 0x34, 0x56, 0x78, STACK),
	  CONST(4, 0x12345678, 0), MBIG },
	{ "const_type s8 to s32", S(4), E(0xa4, T_S8, 1, 0xfe, 0xa8, T_S32, STACK),
	  CONST(4, -2, SG), 0 },
	{ "const_type u8 to s32", S(4), E(0xa4, T_U8, 1, 0xfe, 0xa8, T_S32, STACK),
	  CONST(4, 254, SG), 0 },
	{ "const_type float", U(4), E(0xa4, T_FLOAT, 4, 0, 0, 0x80, 0x3f, STACK),
	  NONE(FLOAT_CONST), 0 },
	{ "const_type of 16", U(4),
	  E(0xa4, T_U128, 16, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, STACK),
	  NONE(WIDE_CONST), 0 },
	{ "s64 typed, on 32 bits", S(8),
	  E(0xa4, T_S64, 8, 0xfe, 255, 255, 255, 255, 255, 255, 255,
	  STACK), CONST(8, -2, SG), M32 },
};

static void test_registers(void **state)
{
	(void)state;
	CHECK_ALL(registers, check_case);
}

static void test_memory(void **state)
{
	(void)state;
	CHECK_ALL(memory, check_case);
}

static void test_constants(void **state)
{
	(void)state;
	CHECK_ALL(constants, check_case);
}

static void test_truncated(void **state)
{
	(void)state;
	CHECK_ALL(registers, check_truncated);
	CHECK_ALL(memory, check_truncated);
	CHECK_ALL(constants, check_truncated);
}

static int no_frame_base(void *arg, bool cfa, uint32_t *reg, int64_t *off)
{
	(void)arg, (void)cfa, (void)reg, (void)off;
	return -ENOENT;
}

/* Whatever the context cannot answer is a reason, with and without the callback. */
static void test_no_context(void **state)
{
	static const uint8_t fbreg[] = { 0x91, 0 }, cfa[] = { 0x9c },
		addrx[] = { 0xa1, 0 };
	static const uint8_t convert[] = { 0x75, 0, 0xa8, T_U8, STACK };
	struct loc_ctx ctx = context(M64, (struct loc_type)U(8));
	struct loc l;

	(void)state;
	ctx.frame_base = no_frame_base;
	assert_int_equal(reduce(&ctx, fbreg, 2, &l), LOC_NO_FRAME_BASE);
	assert_int_equal(reduce(&ctx, cfa, 1, &l), LOC_NO_FRAME_BASE);
	ctx.frame_base = NULL;
	ctx.addrx = NULL;
	ctx.base_type = NULL;
	assert_int_equal(reduce(&ctx, fbreg, 2, &l), LOC_NO_FRAME_BASE);
	assert_int_equal(reduce(&ctx, cfa, 1, &l), LOC_NO_FRAME_BASE);
	assert_int_equal(reduce(&ctx, addrx, 2, &l), LOC_MALFORMED);
	assert_int_equal(reduce(&ctx, convert, 5, &l), LOC_MALFORMED);
}

/* DW_AT_const_value, as a number and as a block. */
static void test_const_value(void **state)
{
	static const uint8_t bytes[16] = { 0xc8, 0xff, 0, 0, 1 };
	struct loc_ctx ctx = context(M64, (struct loc_type)U(1));
	struct loc l;

	(void)state;
	/* clang's 18446744073709551560 for a u8 200 */
	assert_int_equal(loc_expr__const(&ctx, 18446744073709551560u, &l), LOC_OK);
	assert_int_equal(l.val, 200);
	assert_int_equal(l.flags, LOC_F_CONST);
	assert_int_equal(l.size, 1);
	assert_int_equal(loc_expr__block(&ctx, bytes, 1, &l), LOC_OK);
	assert_int_equal(l.val, 200);
	assert_int_equal(loc_expr__block(&ctx, bytes, 0, &l), LOC_NARROW);
	ctx = context(M64, (struct loc_type)BOOL1);
	assert_int_equal(loc_expr__const(&ctx, (uint64_t)-2, &l), LOC_OK);
	assert_int_equal(l.val, 0);
	assert_int_equal(loc_expr__const(&ctx, (uint64_t)-1, &l), LOC_OK);
	assert_int_equal(l.val, 1);
	assert_int_equal(loc_expr__const(&ctx, 254, &l), LOC_OK);
	assert_int_equal(l.val, 0);
	assert_int_equal(loc_expr__const(&ctx, 2, &l), LOC_BOOL_BITS);
	assert_int_equal(loc_expr__block(&ctx, bytes, 1, &l), LOC_BOOL_BITS);
	assert_int_equal(loc_expr__block(&ctx, bytes + 1, 1, &l), LOC_OK);
	assert_int_equal(l.val, 1);
	ctx = context(MBIG, (struct loc_type)S(2));
	assert_int_equal(loc_expr__block(&ctx, bytes, 2, &l), LOC_OK);
	assert_int_equal(l.val, (uint64_t)(int16_t)0xc8ff);
	assert_int_equal(l.flags, LOC_F_CONST | LOC_F_SIGNED);
	ctx = context(M64, (struct loc_type)S(16));
	assert_int_equal(loc_expr__block(&ctx, bytes, 16, &l), LOC_WIDE_CONST);
	ctx = context(M64, (struct loc_type)FLT(8));
	assert_int_equal(loc_expr__const(&ctx, 1, &l), LOC_FLOAT_CONST);
	assert_int_equal(loc_expr__block(&ctx, bytes, 8, &l), LOC_FLOAT_CONST);
	ctx = context(M64, (struct loc_type)U(0));
	assert_int_equal(loc_expr__const(&ctx, 1, &l), LOC_NO_SIZE);
	assert_int_equal(loc_expr__block(&ctx, bytes, 8, &l), LOC_NO_SIZE);
	/* a struct of 3 bytes */
	ctx = context(M64, (struct loc_type)AGG(3));
	assert_int_equal(loc_expr__block(&ctx, bytes, 3, &l), LOC_OK);
	assert_int_equal(l.val, 0xffc8);
	assert_int_equal(l.size, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_no_context),
		cmocka_unit_test(test_const_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
