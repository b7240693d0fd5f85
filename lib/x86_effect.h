/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86_effect.h - what an instruction does to memory at a register, and to the registers
 */
#ifndef LOCS_X86_EFFECT_H
#define LOCS_X86_EFFECT_H

#include "x86_insn.h"

enum {
	X86_NR_REGS = 16,
	X86_NR_MEM = 3,
	/* up to any address: a string that %rcx counts, a state that the processor sizes */
	X86_UNLIMITED = UINT32_MAX,
};

/* Numbers of general registers, as instructions have them. */
enum {
	X86_RAX,
	X86_RCX,
	X86_RDX,
	X86_RBX,
	X86_RSP,
	X86_RBP,
	X86_RSI,
	X86_RDI,
	X86_R11 = 11,
};

struct x86_range {
	uint32_t min, max;
};

/* Memory from register @base + @off on, both as before the instruction. */
struct x86_mem {
	int base;
	int64_t off;
	struct x86_range read, write;
	uint32_t unit;		/* bytes that a prefix repeats %rcx times; 0: none */
};

struct x86_effect {
	/* an instruction reads all that it reads before it writes */
	struct x86_mem mem[X86_NR_MEM];
	unsigned int nr_mem;
	uint16_t written;	/* bit N: register N holds another value, or may */
	int to, from;		/* register @to holds what @from did, + @add; -1: none */
	int64_t add;
	int64_t rsp_add;	/* %rsp moves by so much, unless it is among those written */
	bool counts;		/* %rcx holds @rcx */
	uint64_t rcx;
};

/*
 * What instruction @in does. Memory whose address has an index, or no general register, or is
 * in %fs's or %gs's area, is not that at a register, and is left out. False: not known.
 */
bool x86_effect__of(const struct x86_insn *in, struct x86_effect *out);

#endif
