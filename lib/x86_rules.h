/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86_rules.h - what each opcode reads and writes, of memory and of general registers
 */
#ifndef LOCS_X86_RULES_H
#define LOCS_X86_RULES_H

#include "x86_insn.h"

/* Bytes of memory; where two numbers stand, at least and at most. */
enum x86_bytes {
	B_NONE,
	B_1,
	B_2,
	B_4,
	B_8,
	B_10,
	B_16,
	B_64,
	B_V,			/* 4; 8 with REX.W, else 2 with 0x66: the operand size */
	B_V2,			/* twice that */
	B_Z,			/* 4, 2 with 0x66 */
	B_Y,			/* 4, 8 with REX.W */
	B_STACK,		/* 8, 2 with 0x66 alone */
	B_BRANCH,		/* 8; with 0x66 AMD's 2 or Intel's 8 */
	B_FAR,			/* 6, 4 with 0x66; with REX.W AMD's 6 or Intel's 10 */
	B_MOVSXD,		/* 4, with 0x66 AMD's 4 or Intel's 2 */
	B_FENV,			/* 28, 14 with 0x66 */
	B_FSAVE,		/* 108, 94 with 0x66 */
	B_FX,			/* 0 to 512, by the control registers */
	B_MM,			/* 8, 16 with 0x66 */
	B_MM_MASK,		/* 0 to that */
	B_X,			/* a vector: 16, 32 with VEX.L */
	B_X_MASK,		/* 0 to that */
	B_X_HALF,
	B_X_4TH,
	B_X_8TH,
	B_DUP,			/* 8, 32 with VEX.L */
	B_ANY,			/* 0 to any number */
	B_REGS,			/* there is no form with an operand in memory */
	B_BAD,			/* no instruction with this prefix, or not one that we know */
};

/* General registers that an instruction writes. */
enum {
	W_REG = 1,		/* ModRM.reg */
	W_RM = 2,		/* ModRM.rm */
	W_OP = 4,		/* the one in the opcode */
	W_BYTE = 8,		/* those are of one byte: without REX 4 to 7 are %ah to %bh */
	W_VVVV = 16,
	W_REG_REP = 32,		/* ModRM.reg, with 0xf2 or 0xf3; elsewise it is a vector */
	W_RM_PLAIN = 64,	/* ModRM.rm, without them */
	W_AX = 128,
	W_CX = 256,
	W_DX = 512,
	W_BX = 1024,
	W_R11 = 2048,
};

/* Memory that no operand names, and how many bytes of it: enum x86_bytes. */
enum x86_implied {
	I_NONE,
	I_PUSH,			/* below %rsp, which goes down */
	I_POP,
	I_CALL,			/* a push by what leaves */
	I_ENTER,
	I_LEAVE,
	I_LODS,			/* at %rsi: read */
	I_STOS,			/* at %rdi: written */
	I_SCAS,			/* at %rdi: read */
	I_MOVS,			/* from %rsi to %rdi */
	I_CMPS,
	I_MASKMOV,		/* at %rdi, which stays */
	I_MOVDIR,		/* at ModRM.reg: written */
	I_ENCLS,		/* what %rbx points at is written, by some of its functions */
};

struct x86_rule {
	uint8_t read[X86_NR_PP], write[X86_NR_PP];	/* of the operand in memory */
	uint8_t implied, implied_bytes;
	uint16_t regs;
	bool legacy, vex;	/* known without VEX, and with it */
	uint8_t group;		/* its rules are those of this group, by ModRM.reg */
	uint8_t group_regs;	/* with a register as ModRM.rm this one's; 0: the same */
};

/* What is known of an instruction. NULL: nothing. */
const struct x86_rule *x86_rule__of(const struct x86_insn *in);

#endif
