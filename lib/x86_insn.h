/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86_insn.h - how long an x86-64 instruction is, and what kind
 */
#ifndef LOCS_X86_INSN_H
#define LOCS_X86_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of the REX prefix: what they are the fourth bit of. */
enum {
	X86_REX_B = 1,		/* ModRM.rm, SIB.base, a register in the opcode */
	X86_REX_X = 2,		/* SIB.index */
	X86_REX_R = 4,		/* ModRM.reg */
	X86_REX_W = 8,		/* 64 bits of operand */
};

struct x86_insn {
	unsigned int len;	/* bytes */
	bool two;		/* its opcode follows 0x0f */
	uint8_t opcode;
	uint8_t rex;		/* the REX prefix, 0: none */
	bool prefix_size;	/* 0x66 */
	unsigned int modrm;	/* offset of the ModRM byte, 0: it has none */
	bool leaves;		/* a call, jump or return: what follows is not executed next */
};

/*
 * Reads the instruction at @p, of which @len bytes are there (Intel SDM, volume 2, chapter 2
 * and appendix A). False: it is cut off, or one that kernels and compilers of integer code do
 * not use (EVEX).
 */
bool x86_insn__read(const uint8_t *p, size_t len, struct x86_insn *out);

#endif
