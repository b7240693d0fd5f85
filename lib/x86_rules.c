// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86_rules.c - what each opcode reads and writes, of memory and of general registers
 *
 * Intel SDM volume 2 and AMD APM volumes 3 to 5. Not here, and so unknown: EVEX, XOP, 3DNow!,
 * MPX, AMX, opmasks, far returns, hypercalls, std (strings go down behind it), software
 * interrupts, what leaves for another mode. Both tables are by number: a line an opcode or a
 * run of them.
 */
#include "x86_rules.h"

#define ALL(b) { (b), (b), (b), (b) }
#define LEGACY .legacy = true
#define BOTH .legacy = true, .vex = true

/* An operand of the same size whatever prefix is part of the opcode. */
#define NOTHING(w) { LEGACY, .regs = (w) }
#define READ(b, w) { LEGACY, .read = ALL(b), .regs = (w) }
#define WRITE(b, w) { LEGACY, .write = ALL(b), .regs = (w) }
#define RMW(b, w) { LEGACY, .read = ALL(b), .write = ALL(b), .regs = (w) }
#define IMPLIED(i, b, w) { LEGACY, .implied = (i), .implied_bytes = (b), .regs = (w) }
#define GROUP(g, r) { BOTH, .group = (g), .group_regs = (r) }

/* SSE and AVX: no prefix, 0x66, 0xf3, 0xf2. */
#define READS(np, p66, f3, f2) { BOTH, .read = { B_##np, B_##p66, B_##f3, B_##f2 } }
#define WRITES(np, p66, f3, f2) { BOTH, .write = { B_##np, B_##p66, B_##f3, B_##f2 } }
/* With VEX alone, and all of them with 0x66. */
#define VEX_READ(b) { .vex = true, .read = { B_BAD, (b), B_BAD, B_BAD } }
#define VEX_WRITE(b) { .vex = true, .write = { B_BAD, (b), B_BAD, B_BAD } }

enum {
	G_NONE,
	G_80,
	G_81,
	G_83,
	G_8F,
	G_SHIFT8,
	G_SHIFT,
	G_C6,
	G_C7,
	G_F6,
	G_F7,
	G_FE,
	G_FF,
	G_D9,
	G_DB,
	G_DD,
	G_DF,
	G_DF_REGS,
	G_X87_REGS,
	G_0F00,
	G_0F01,
	G_0F1E,
	G_0FAE,
	G_0FAE_REGS,
	G_0FBA,
	G_0FC7,
	G_0FC7_REGS,
	G_NR,
};

#define SUM(op) \
	[(op)] = RMW(B_1, W_RM | W_BYTE), [(op) + 1] = RMW(B_V, W_RM), \
	[(op) + 2] = READ(B_1, W_REG | W_BYTE), [(op) + 3] = READ(B_V, W_REG), \
	[(op) + 4 ... (op) + 5] = NOTHING(W_AX)

static const struct x86_rule one_byte[256] = {
	SUM(0x00), SUM(0x08), SUM(0x10), SUM(0x18), SUM(0x20), SUM(0x28), SUM(0x30),
	[0x38] = READ(B_1, 0), [0x39] = READ(B_V, 0),		/* cmp */
	[0x3a] = READ(B_1, 0), [0x3b] = READ(B_V, 0), [0x3c ... 0x3d] = NOTHING(0),
	[0x50 ... 0x57] = IMPLIED(I_PUSH, B_STACK, 0),
	[0x58 ... 0x5f] = IMPLIED(I_POP, B_STACK, W_OP),
	[0x63] = READ(B_MOVSXD, W_REG),
	[0x68] = IMPLIED(I_PUSH, B_STACK, 0), [0x6a] = IMPLIED(I_PUSH, B_STACK, 0),
	[0x69] = READ(B_V, W_REG), [0x6b] = READ(B_V, W_REG),
	[0x6c] = IMPLIED(I_STOS, B_1, 0), [0x6d] = IMPLIED(I_STOS, B_Z, 0),	/* ins */
	[0x6e] = IMPLIED(I_LODS, B_1, 0), [0x6f] = IMPLIED(I_LODS, B_Z, 0),	/* outs */
	[0x70 ... 0x7f] = NOTHING(0),
	[0x80] = GROUP(G_80, 0), [0x81] = GROUP(G_81, 0), [0x83] = GROUP(G_83, 0),
	[0x84] = READ(B_1, 0), [0x85] = READ(B_V, 0),
	[0x86] = RMW(B_1, W_REG | W_RM | W_BYTE), [0x87] = RMW(B_V, W_REG | W_RM),
	[0x88] = WRITE(B_1, W_RM | W_BYTE), [0x89] = WRITE(B_V, W_RM),
	[0x8a] = READ(B_1, W_REG | W_BYTE), [0x8b] = READ(B_V, W_REG),
	[0x8c] = WRITE(B_2, W_RM), [0x8d] = NOTHING(W_REG), [0x8e] = READ(B_2, 0),
	[0x8f] = GROUP(G_8F, 0),
	[0x90 ... 0x97] = NOTHING(W_OP | W_AX),
	[0x98] = NOTHING(W_AX), [0x99] = NOTHING(W_DX), [0x9b] = NOTHING(0),
	[0x9c] = IMPLIED(I_PUSH, B_STACK, 0), [0x9d] = IMPLIED(I_POP, B_STACK, 0),
	[0x9e] = NOTHING(0), [0x9f] = NOTHING(W_AX),
	[0xa0 ... 0xa1] = NOTHING(W_AX), [0xa2 ... 0xa3] = NOTHING(0),	/* at a number */
	[0xa4] = IMPLIED(I_MOVS, B_1, 0), [0xa5] = IMPLIED(I_MOVS, B_V, 0),
	[0xa6] = IMPLIED(I_CMPS, B_1, 0), [0xa7] = IMPLIED(I_CMPS, B_V, 0),
	[0xa8 ... 0xa9] = NOTHING(0),
	[0xaa] = IMPLIED(I_STOS, B_1, 0), [0xab] = IMPLIED(I_STOS, B_V, 0),
	[0xac] = IMPLIED(I_LODS, B_1, W_AX), [0xad] = IMPLIED(I_LODS, B_V, W_AX),
	[0xae] = IMPLIED(I_SCAS, B_1, 0), [0xaf] = IMPLIED(I_SCAS, B_V, 0),
	[0xb0 ... 0xb7] = NOTHING(W_OP | W_BYTE), [0xb8 ... 0xbf] = NOTHING(W_OP),
	[0xc0] = GROUP(G_SHIFT8, 0), [0xc1] = GROUP(G_SHIFT, 0),
	[0xc2 ... 0xc3] = NOTHING(0),
	[0xc6] = GROUP(G_C6, 0), [0xc7] = GROUP(G_C7, 0),
	[0xc8] = IMPLIED(I_ENTER, B_STACK, 0), [0xc9] = IMPLIED(I_LEAVE, B_STACK, 0),
	[0xcc] = NOTHING(0),
	[0xd0] = GROUP(G_SHIFT8, 0), [0xd1] = GROUP(G_SHIFT, 0),
	[0xd2] = GROUP(G_SHIFT8, 0), [0xd3] = GROUP(G_SHIFT, 0),
	[0xd7] = NOTHING(W_AX),		/* at a sum of two registers */
	[0xd8] = READ(B_4, 0), [0xd9] = GROUP(G_D9, G_X87_REGS),
	[0xda] = READ(B_4, 0), [0xdb] = GROUP(G_DB, G_X87_REGS),
	[0xdc] = READ(B_8, 0), [0xdd] = GROUP(G_DD, G_X87_REGS),
	[0xde] = READ(B_2, 0), [0xdf] = GROUP(G_DF, G_DF_REGS),
	[0xe0 ... 0xe2] = NOTHING(W_CX), [0xe3] = NOTHING(0),
	[0xe4 ... 0xe5] = NOTHING(W_AX), [0xe6 ... 0xe7] = NOTHING(0),
	[0xe8] = IMPLIED(I_CALL, B_BRANCH, 0), [0xe9] = NOTHING(0), [0xeb] = NOTHING(0),
	[0xec ... 0xed] = NOTHING(W_AX), [0xee ... 0xef] = NOTHING(0),
	[0xf4 ... 0xf5] = NOTHING(0), [0xf8 ... 0xfc] = NOTHING(0),
	[0xf6] = GROUP(G_F6, 0), [0xf7] = GROUP(G_F7, 0),
	[0xfe] = GROUP(G_FE, 0), [0xff] = GROUP(G_FF, 0),
};

/*
 * bt, bts, btr and btc with the bit's number in a register reach far from their operand. They
 * read no byte for sure, and write none that they have not read.
 */
static const struct x86_rule two_bytes[256] = {
	[0x00] = GROUP(G_0F00, 0), [0x01] = GROUP(G_0F01, 0),
	[0x02 ... 0x03] = READ(B_2, W_REG),
	[0x05] = NOTHING(W_AX | W_CX | W_R11), [0x06] = NOTHING(0),
	[0x08 ... 0x09] = NOTHING(0), [0x0b] = NOTHING(0), [0x0d] = NOTHING(0),
	[0x10] = READS(X, X, 4, 8), [0x11] = WRITES(X, X, 4, 8),
	[0x12] = READS(8, 8, X, DUP), [0x13] = WRITES(8, 8, BAD, BAD),
	[0x14 ... 0x15] = READS(X, X, BAD, BAD),
	[0x16] = READS(8, 8, X, BAD), [0x17] = WRITES(8, 8, BAD, BAD),
	[0x18 ... 0x19] = NOTHING(0), [0x1c ... 0x1d] = NOTHING(0),
	[0x1e] = GROUP(G_0F1E, 0), [0x1f] = NOTHING(0),
	[0x20 ... 0x21] = WRITE(B_REGS, W_RM), [0x22 ... 0x23] = WRITE(B_REGS, 0),
	[0x28] = READS(X, X, BAD, BAD), [0x29] = WRITES(X, X, BAD, BAD),
	[0x2a] = READS(8, 8, Y, Y), [0x2b] = WRITES(X, X, 4, 8),
	[0x2c ... 0x2d] = { BOTH, .read = { B_8, B_X, B_4, B_8 }, .regs = W_REG_REP },
	[0x2e ... 0x2f] = READS(4, 8, BAD, BAD),
	[0x30] = NOTHING(0), [0x31 ... 0x33] = NOTHING(W_AX | W_DX),
	[0x40 ... 0x4f] = READ(B_V, W_REG),
	[0x50] = { BOTH, .read = ALL(B_REGS), .regs = W_REG },
	[0x51] = READS(X, X, 4, 8), [0x52 ... 0x53] = READS(X, BAD, 4, BAD),
	[0x54 ... 0x57] = READS(X, X, BAD, BAD), [0x58 ... 0x59] = READS(X, X, 4, 8),
	[0x5a] = READS(X_HALF, X, 4, 8), [0x5b] = READS(X, X, X, BAD),
	[0x5c ... 0x5f] = READS(X, X, 4, 8),
	[0x60 ... 0x62] = READS(4, X, BAD, BAD), [0x63 ... 0x6b] = READS(8, X, BAD, BAD),
	[0x6c ... 0x6d] = READS(BAD, X, BAD, BAD), [0x6e] = READS(Y, Y, BAD, BAD),
	[0x6f] = READS(8, X, X, BAD), [0x70] = READS(8, X, X, X),
	[0x71 ... 0x73] = READS(REGS, REGS, BAD, BAD), [0x74 ... 0x76] = READS(8, X, BAD, BAD),
	[0x77] = { BOTH },
	[0x78] = { LEGACY, .write = { B_8, B_BAD, B_BAD, B_BAD }, .regs = W_RM },
	[0x79] = { LEGACY, .read = { B_8, B_BAD, B_BAD, B_BAD } },
	[0x7c ... 0x7d] = READS(BAD, X, BAD, X),
	[0x7e] = { BOTH, .read = { B_NONE, B_NONE, B_8, B_BAD },
		   .write = { B_Y, B_Y, B_NONE, B_BAD }, .regs = W_RM_PLAIN },
	[0x7f] = WRITES(8, X, X, BAD),
	[0x80 ... 0x8f] = NOTHING(0), [0x90 ... 0x9f] = WRITE(B_1, W_RM | W_BYTE),
	[0xa0] = IMPLIED(I_PUSH, B_STACK, 0), [0xa1] = IMPLIED(I_POP, B_STACK, 0),
	[0xa2] = NOTHING(W_AX | W_BX | W_CX | W_DX),
	[0xa3] = NOTHING(0), [0xa4 ... 0xa5] = RMW(B_V, W_RM),
	[0xa8] = IMPLIED(I_PUSH, B_STACK, 0), [0xa9] = IMPLIED(I_POP, B_STACK, 0),
	[0xab] = NOTHING(W_RM), [0xac ... 0xad] = RMW(B_V, W_RM),
	[0xae] = GROUP(G_0FAE, G_0FAE_REGS),
	[0xaf] = READ(B_V, W_REG),
	[0xb0] = RMW(B_1, W_RM | W_AX | W_BYTE), [0xb1] = RMW(B_V, W_RM | W_AX),
	[0xb2] = READ(B_FAR, W_REG), [0xb3] = NOTHING(W_RM),
	[0xb4 ... 0xb5] = READ(B_FAR, W_REG),
	[0xb6] = READ(B_1, W_REG), [0xb7] = READ(B_2, W_REG),
	[0xb8] = { LEGACY, .read = { B_BAD, B_BAD, B_V, B_BAD }, .regs = W_REG },
	[0xba] = GROUP(G_0FBA, 0), [0xbb] = NOTHING(W_RM),
	[0xbc ... 0xbd] = READ(B_V, W_REG),
	[0xbe] = READ(B_1, W_REG), [0xbf] = READ(B_2, W_REG),
	[0xc0] = RMW(B_1, W_REG | W_RM | W_BYTE), [0xc1] = RMW(B_V, W_REG | W_RM),
	[0xc2] = READS(X, X, 4, 8),
	[0xc3] = { LEGACY, .write = { B_Y, B_BAD, B_BAD, B_BAD } },
	[0xc4] = READS(2, 2, BAD, BAD),
	[0xc5] = { BOTH, .read = ALL(B_REGS), .regs = W_REG },
	[0xc6] = READS(X, X, BAD, BAD), [0xc7] = GROUP(G_0FC7, G_0FC7_REGS),
	[0xc8 ... 0xcf] = NOTHING(W_OP),
	[0xd0] = READS(BAD, X, BAD, X), [0xd1 ... 0xd3] = READS(8, 16, BAD, BAD),
	[0xd4 ... 0xd5] = READS(8, X, BAD, BAD), [0xd6] = WRITES(BAD, 8, REGS, REGS),
	[0xd7] = { BOTH, .read = ALL(B_REGS), .regs = W_REG },
	[0xd8 ... 0xe0] = READS(8, X, BAD, BAD), [0xe1 ... 0xe2] = READS(8, 16, BAD, BAD),
	[0xe3 ... 0xe5] = READS(8, X, BAD, BAD),
	[0xe6] = READS(BAD, X, X_HALF, X), [0xe7] = WRITES(8, X, BAD, BAD),
	[0xe8 ... 0xef] = READS(8, X, BAD, BAD), [0xf0] = READS(BAD, BAD, BAD, X),
	[0xf1 ... 0xf3] = READS(8, 16, BAD, BAD), [0xf4 ... 0xf6] = READS(8, X, BAD, BAD),
	[0xf7] = { BOTH, .write = ALL(B_REGS), .implied = I_MASKMOV, .implied_bytes = B_MM_MASK },
	[0xf8 ... 0xfe] = READS(8, X, BAD, BAD),
};

/* Fused multiply and add: vectors, or a number of 4 or 8 bytes. */
#define FMA(op) \
	[(op) + 6 ... (op) + 8] = VEX_READ(B_X), [(op) + 9] = VEX_READ(B_Y), \
	[(op) + 10] = VEX_READ(B_X), [(op) + 11] = VEX_READ(B_Y), \
	[(op) + 12] = VEX_READ(B_X), [(op) + 13] = VEX_READ(B_Y), \
	[(op) + 14] = VEX_READ(B_X), [(op) + 15] = VEX_READ(B_Y)
#define WIDEN(op) \
	[(op)] = READS(BAD, X_HALF, BAD, BAD), [(op) + 1] = READS(BAD, X_4TH, BAD, BAD), \
	[(op) + 2] = READS(BAD, X_8TH, BAD, BAD), [(op) + 3] = READS(BAD, X_HALF, BAD, BAD), \
	[(op) + 4] = READS(BAD, X_4TH, BAD, BAD), [(op) + 5] = READS(BAD, X_HALF, BAD, BAD)

static const struct x86_rule map_0f38[256] = {
	[0x00 ... 0x0b] = READS(8, X, BAD, BAD), [0x0c ... 0x0f] = VEX_READ(B_X),
	[0x10] = { LEGACY, .read = { B_BAD, B_16, B_BAD, B_BAD } },
	[0x13] = VEX_READ(B_X_HALF),
	[0x14 ... 0x15] = { LEGACY, .read = { B_BAD, B_16, B_BAD, B_BAD } },
	[0x16] = VEX_READ(B_X), [0x17] = READS(BAD, X, BAD, BAD),
	[0x18] = VEX_READ(B_4), [0x19] = VEX_READ(B_8), [0x1a] = VEX_READ(B_16),
	[0x1c ... 0x1e] = READS(8, X, BAD, BAD),
	WIDEN(0x20), WIDEN(0x30),
	[0x28 ... 0x2b] = READS(BAD, X, BAD, BAD),
	[0x2c ... 0x2d] = VEX_READ(B_X_MASK), [0x2e ... 0x2f] = VEX_WRITE(B_X_MASK),
	[0x36] = VEX_READ(B_X), [0x37 ... 0x41] = READS(BAD, X, BAD, BAD),
	[0x45 ... 0x47] = VEX_READ(B_X), [0x50 ... 0x53] = VEX_READ(B_X),
	[0x58] = VEX_READ(B_4), [0x59] = VEX_READ(B_8), [0x5a] = VEX_READ(B_16),
	[0x78] = VEX_READ(B_1), [0x79] = VEX_READ(B_2),
	[0x80 ... 0x81] = { LEGACY, .read = { B_BAD, B_16, B_BAD, B_BAD } },
	[0x82] = { LEGACY, .read = { B_BAD, B_16, B_BAD, B_BAD } },
	[0x8c] = VEX_READ(B_X_MASK), [0x8e] = VEX_WRITE(B_X_MASK),
	[0x90 ... 0x93] = VEX_READ(B_NONE),	/* at addresses that a vector holds */
	FMA(0x90), FMA(0xa0), FMA(0xb0),
	[0xc8 ... 0xcd] = { LEGACY, .read = { B_16, B_BAD, B_BAD, B_BAD } },
	[0xcf] = READS(BAD, X, BAD, BAD), [0xdb ... 0xdf] = READS(BAD, X, BAD, BAD),
	[0xf0] = { LEGACY, .read = { B_V, B_V, B_BAD, B_1 }, .regs = W_REG },
	[0xf1] = { LEGACY, .read = { B_NONE, B_NONE, B_BAD, B_V },
		   .write = { B_V, B_V, B_BAD, B_NONE }, .regs = W_REG_REP },
	[0xf2] = { .vex = true, .read = { B_Y, B_BAD, B_BAD, B_BAD }, .regs = W_REG },
	[0xf3] = { .vex = true, .read = { B_Y, B_BAD, B_BAD, B_BAD }, .regs = W_VVVV },
	[0xf5] = { .vex = true, .read = { B_Y, B_BAD, B_Y, B_Y }, .regs = W_REG },
	/* adcx, adox; mulx */
	[0xf6] = { BOTH, .read = { B_BAD, B_Y, B_Y, B_Y }, .regs = W_REG | W_VVVV },
	[0xf7] = { .vex = true, .read = ALL(B_Y), .regs = W_REG },
	[0xf8] = { LEGACY, .read = { B_BAD, B_64, B_64, B_64 }, .implied = I_MOVDIR,
		   .implied_bytes = B_64 },
	[0xf9] = { LEGACY, .write = { B_Y, B_BAD, B_BAD, B_BAD } },
};

#define INDEX { BOTH, .read = { B_BAD, B_16, B_BAD, B_BAD }, .regs = W_CX }

static const struct x86_rule map_0f3a[256] = {
	[0x00 ... 0x02] = VEX_READ(B_X), [0x04 ... 0x06] = VEX_READ(B_X),
	[0x08 ... 0x09] = READS(BAD, X, BAD, BAD), [0x0a] = READS(BAD, 4, BAD, BAD),
	[0x0b] = READS(BAD, 8, BAD, BAD), [0x0c ... 0x0e] = READS(BAD, X, BAD, BAD),
	[0x0f] = READS(8, X, BAD, BAD),
	[0x14] = { BOTH, .write = { B_BAD, B_1, B_BAD, B_BAD }, .regs = W_RM },
	[0x15] = { BOTH, .write = { B_BAD, B_2, B_BAD, B_BAD }, .regs = W_RM },
	[0x16] = { BOTH, .write = { B_BAD, B_Y, B_BAD, B_BAD }, .regs = W_RM },
	[0x17] = { BOTH, .write = { B_BAD, B_4, B_BAD, B_BAD }, .regs = W_RM },
	[0x18] = VEX_READ(B_16), [0x19] = VEX_WRITE(B_16), [0x1d] = VEX_WRITE(B_X_HALF),
	[0x20] = READS(BAD, 1, BAD, BAD), [0x21] = READS(BAD, 4, BAD, BAD),
	[0x22] = READS(BAD, Y, BAD, BAD),
	[0x38] = VEX_READ(B_16), [0x39] = VEX_WRITE(B_16),
	[0x40 ... 0x42] = READS(BAD, X, BAD, BAD), [0x44] = READS(BAD, X, BAD, BAD),
	[0x46] = VEX_READ(B_X), [0x4a ... 0x4c] = VEX_READ(B_X),
	/* pcmpestrm, pcmpestri, pcmpistrm, pcmpistri */
	[0x60] = READS(BAD, 16, BAD, BAD), [0x61] = INDEX, [0x62] = READS(BAD, 16, BAD, BAD),
	[0x63] = INDEX,
	[0xcc] = { LEGACY, .read = { B_16, B_BAD, B_BAD, B_BAD } },
	[0xce ... 0xcf] = READS(BAD, X, BAD, BAD), [0xdf] = READS(BAD, 16, BAD, BAD),
	[0xf0] = { .vex = true, .read = { B_BAD, B_BAD, B_BAD, B_Y }, .regs = W_REG },
};

static const struct x86_rule groups[G_NR][8] = {
	[G_80] = { [0 ... 6] = RMW(B_1, W_RM | W_BYTE), [7] = READ(B_1, 0) },
	[G_81] = { [0 ... 6] = RMW(B_V, W_RM), [7] = READ(B_V, 0) },
	[G_83] = { [0 ... 6] = RMW(B_V, W_RM), [7] = READ(B_V, 0) },
	/* with another number it is XOP */
	[G_8F] = { { LEGACY, .write = ALL(B_STACK), .implied = I_POP, .implied_bytes = B_STACK,
		     .regs = W_RM } },
	[G_SHIFT8] = { [0 ... 7] = RMW(B_1, W_RM | W_BYTE) },
	[G_SHIFT] = { [0 ... 7] = RMW(B_V, W_RM) },
	[G_C6] = { WRITE(B_1, W_RM | W_BYTE) },
	[G_C7] = { WRITE(B_V, W_RM) },
	[G_F6] = { [0 ... 1] = READ(B_1, 0), [2 ... 3] = RMW(B_1, W_RM | W_BYTE),
		   [4 ... 7] = READ(B_1, W_AX) },
	[G_F7] = { [0 ... 1] = READ(B_V, 0), [2 ... 3] = RMW(B_V, W_RM),
		   [4 ... 7] = READ(B_V, W_AX | W_DX) },
	[G_FE] = { [0 ... 1] = RMW(B_1, W_RM | W_BYTE) },
	[G_FF] = {
		[0 ... 1] = RMW(B_V, W_RM),
		[2] = { LEGACY, .read = ALL(B_BRANCH), .implied = I_CALL,
			.implied_bytes = B_BRANCH },
		[3] = { LEGACY, .read = ALL(B_FAR), .implied = I_CALL, .implied_bytes = B_V2 },
		[4] = READ(B_BRANCH, 0),
		[5] = READ(B_FAR, 0),
		[6] = { LEGACY, .read = ALL(B_STACK), .implied = I_PUSH,
			.implied_bytes = B_STACK },
	},
	[G_D9] = { READ(B_4, 0), [2 ... 3] = WRITE(B_4, 0), [4] = READ(B_FENV, 0),
		   [5] = READ(B_2, 0), [6] = WRITE(B_FENV, 0), [7] = WRITE(B_2, 0) },
	[G_DB] = { READ(B_4, 0), [1 ... 3] = WRITE(B_4, 0), [5] = READ(B_10, 0),
		   [7] = WRITE(B_10, 0) },
	[G_DD] = { READ(B_8, 0), [1 ... 3] = WRITE(B_8, 0), [4] = READ(B_FSAVE, 0),
		   [6] = WRITE(B_FSAVE, 0), [7] = WRITE(B_2, 0) },
	[G_DF] = { READ(B_2, 0), [1 ... 3] = WRITE(B_2, 0), [4] = READ(B_10, 0),
		   [5] = READ(B_8, 0), [6] = WRITE(B_10, 0), [7] = WRITE(B_8, 0) },
	[G_DF_REGS] = { [0 ... 3] = NOTHING(0), [4] = NOTHING(W_AX), [5 ... 7] = NOTHING(0) },
	[G_X87_REGS] = { [0 ... 7] = NOTHING(0) },
	/* sldt, str, lldt, ltr, verr, verw */
	[G_0F00] = { [0 ... 1] = WRITE(B_2, W_RM), [2 ... 5] = READ(B_2, 0) },
	/* sgdt, sidt, lgdt, lidt, smsw, lmsw, invlpg; with registers: rule_0f01() */
	[G_0F01] = { [0 ... 1] = WRITE(B_10, 0), [2 ... 3] = READ(B_10, 0),
		     [4] = WRITE(B_2, W_RM), [6] = READ(B_2, 0), [7] = NOTHING(0) },
	/* rdssp; endbr64 and nops */
	[G_0F1E] = { NOTHING(0), NOTHING(W_RM), [2 ... 7] = NOTHING(0) },
	[G_0FAE] = {
		{ LEGACY, .write = { B_FX, B_BAD, B_BAD, B_BAD } },
		{ LEGACY, .read = { B_FX, B_BAD, B_BAD, B_BAD } },
		READS(4, BAD, BAD, BAD),	/* ldmxcsr */
		WRITES(4, BAD, BAD, BAD),
		/* xsave; ptwrite */
		{ LEGACY, .read = { B_NONE, B_BAD, B_Y, B_BAD },
		  .write = { B_ANY, B_BAD, B_NONE, B_BAD } },
		{ LEGACY, .read = { B_ANY, B_BAD, B_BAD, B_BAD } },
		/* xsaveopt; clwb */
		{ LEGACY, .write = { B_ANY, B_NONE, B_BAD, B_BAD } },
		/* clflush, clflushopt */
		{ LEGACY, .read = { B_NONE, B_NONE, B_BAD, B_BAD } },
	},
	/* rdfsbase, rdgsbase, and back; ptwrite; lfence, mfence, sfence */
	[G_0FAE_REGS] = { [0 ... 1] = NOTHING(W_RM), [2 ... 7] = NOTHING(0) },
	[G_0FBA] = { [4] = READ(B_V, 0), [5 ... 7] = RMW(B_V, W_RM) },
	[G_0FC7] = {
		[1] = RMW(B_V2, W_AX | W_DX),		/* cmpxchg8b, 16b */
		[3] = { LEGACY, .read = { B_ANY, B_BAD, B_BAD, B_BAD } },	/* xrstors */
		[4 ... 5] = { LEGACY, .write = { B_ANY, B_BAD, B_BAD, B_BAD } },
		[6] = { LEGACY, .read = { B_8, B_8, B_8, B_BAD } },	/* vmptrld, clear, xon */
		[7] = { LEGACY, .write = { B_8, B_BAD, B_BAD, B_BAD } },
	},
	[G_0FC7_REGS] = { [6 ... 7] = NOTHING(W_RM) },		/* rdrand, rdseed, rdpid */
};

/* What ModRM's 64 register forms of 0x0f 0x01 are: instructions of their own. */
static const struct x86_rule *rule_0f01(const struct x86_insn *in)
{
	static const struct x86_rule none = NOTHING(0), dx = NOTHING(W_AX | W_DX),
				     cx = NOTHING(W_AX | W_CX | W_DX), ax = NOTHING(W_AX),
				     encls = IMPLIED(I_ENCLS, B_64, W_AX | W_BX | W_CX);

	switch (in->bytes[in->modrm]) {
	case 0xc8 ... 0xcb:	/* monitor, mwait, clac, stac */
	case 0xd1:		/* xsetbv */
	case 0xef:		/* wrpkru */
	case 0xf8:		/* swapgs */
	case 0xfa ... 0xfb:	/* monitorx, mwaitx */
		return &none;
	case 0xfe ... 0xff:	/* rmpadjust, psmash; rmpupdate, pvalidate; invlpgb, tlbsync */
		return in->pp == X86_66 ? NULL : &ax;
	case 0xd0:		/* xgetbv */
	case 0xee:		/* rdpkru */
		return &dx;
	case 0xf9:		/* rdtscp */
		return &cx;
	case 0xcf:		/* encls */
		return &encls;
	case 0xe0 ... 0xe7:	/* smsw */
		return &groups[G_0F01][4];
	case 0xf0 ... 0xf7:	/* lmsw */
		return &groups[G_0F01][6];
	default:
		return NULL;
	}
}

const struct x86_rule *x86_rule__of(const struct x86_insn *in)
{
	static const struct x86_rule *const maps[X86_NR_MAPS] = {
		[X86_ONE_BYTE] = one_byte,
		[X86_0F] = two_bytes,
		[X86_0F38] = map_0f38,
		[X86_0F3A] = map_0f3a,
	};
	const struct x86_rule *rule = &maps[in->map][in->opcode];
	bool memory = in->modrm && x86_insn__rm(in) < 0;
	unsigned int group = rule->group;
	uint8_t read, write;

	if (group && !memory) {
		if (group == G_0F01)
			rule = rule_0f01(in);
		else
			rule = &groups[rule->group_regs ? rule->group_regs : group]
				      [x86_insn__group(in)];
	} else if (group) {
		rule = &groups[group][x86_insn__group(in)];
	}
	if (!rule || !(in->vex ? rule->vex : rule->legacy))
		return NULL;
	read = rule->read[in->pp];
	write = rule->write[in->pp];
	if (read == B_BAD || write == B_BAD || (memory && (read == B_REGS || write == B_REGS)))
		return NULL;
	return rule;
}
