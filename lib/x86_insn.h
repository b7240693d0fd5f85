/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86_insn.h - an x86-64 instruction taken apart: prefixes, opcode, operands' registers
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

/* Opcode maps, by what comes before the opcode. */
enum {
	X86_ONE_BYTE,
	X86_0F,
	X86_0F38,
	X86_0F3A,
	X86_NR_MAPS,
};

/* The prefix that is part of an opcode, numbered as VEX.pp is. */
enum {
	X86_NP,			/* none */
	X86_66,
	X86_F3,
	X86_F2,
	X86_NR_PP,
};

struct x86_insn {
	const uint8_t *bytes;
	unsigned int len;	/* of them */
	uint8_t map;		/* X86_ONE_BYTE to X86_0F3A */
	uint8_t opcode;
	uint8_t rex;		/* the REX prefix, or its bits of VEX with 0x40; 0: none */
	uint8_t pp;		/* X86_NP to X86_F2: of several F2 or F3, then 66 */
	bool vex;
	bool vex_256;		/* VEX.L: vectors have 32 bytes */
	uint8_t vvvv;		/* VEX's third register */
	bool prefix_size;	/* 0x66 */
	bool addr32;		/* 0x67: an address is cut to 32 bits */
	bool other_seg;		/* 0x64, 0x65: an address is one of %fs's or %gs's area */
	unsigned int modrm;	/* offset of the ModRM byte, 0: it has none */
	bool leaves;		/* a call, jump or return: what follows is not executed next */
};

/*
 * Reads the instruction at @p, of which @len bytes are there (Intel SDM, volume 2, chapter 2
 * and appendix A). @out refers to them. False: it is cut off, or one that kernels and compilers
 * of integer code do not use (EVEX).
 */
bool x86_insn__read(const uint8_t *p, size_t len, struct x86_insn *out);

/* Of an instruction with ModRM: the field reg alone, an opcode's fourth byte; with REX.R. */
unsigned int x86_insn__group(const struct x86_insn *in);
int x86_insn__reg(const struct x86_insn *in);

/* The register that ModRM.rm names, -1: it is memory. */
int x86_insn__rm(const struct x86_insn *in);

/*
 * The register that alone, with *@disp added, is the address of the operand in memory; -1:
 * there is no such operand, or its address has an index, no base, or the instruction's own.
 */
int x86_insn__base(const struct x86_insn *in, int64_t *disp);

/*
 * Whether the operand's displacement, or the immediate operand, is four bytes of 0: in a
 * relocatable file that is where a symbol's address is to stand. Assemblers write a 0 of their
 * own as one byte, or none.
 */
bool x86_insn__blank_disp(const struct x86_insn *in);
bool x86_insn__blank_imm(const struct x86_insn *in);

#endif
