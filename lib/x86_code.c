// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86_code.c - what the code at a site says of a value that DWARF only half knows
 *
 * gcc names a spill slot from the entry of a site on that an instruction a little later fills,
 * and for a bool a register of which only the lowest bit counts. What is written behind the
 * next call is another value; what is read before it is written is there already.
 */
#include "x86_code.h"

#include <string.h>

#include "cursor.h"
#include "x86_insn.h"

enum {
	WINDOW = 160,		/* bytes of code looked at, if no call comes first */
	X86_RSP = 4,
};

/* DWARF's numbers of x86-64's registers (psABI, figure 3.36) as instructions have them. */
static int x86_number(uint32_t reg)
{
	static const uint8_t numbers[] = { 0, 2, 1, 3, 6, 7, 5, 4 };

	if (reg < sizeof(numbers))
		return numbers[reg];
	return reg < 16 ? (int)reg : -1;
}

/* A slot: memory at a register, which the code may change. */
struct slot {
	int base;		/* as instructions number registers */
	int64_t off;
	uint32_t size;
};

/* Bytes that an instruction reads or writes in memory, at most. */
static uint32_t access_size(const struct x86_insn *in)
{
	bool wide = in->rex & X86_REX_W;

	if (in->two)
		return (in->opcode & 0xf0) == 0x90 ? 1 : in->opcode == 0xc3 ? (wide ? 8 : 4) : 16;
	if (in->opcode >= 0xd8 && in->opcode <= 0xdf)
		return 10;
	if (!(in->opcode & 1) && in->opcode != 0x8e)
		return 1;
	return wide || in->opcode == 0x8f || in->opcode == 0xff ? 8 : in->prefix_size ? 2 : 4;
}

/* The register that alone, with *@disp added, is the address of an instruction's operand in memory; -1. */
static int operand_base(const struct x86_insn *in, const uint8_t *p, int64_t *disp)
{
	unsigned int mod, rm, n = in->modrm + 1;

	mod = p[in->modrm] >> 6;
	rm = p[in->modrm] & 7;
	if (mod == 3 || (mod == 0 && rm == 5))
		return -1;
	if (rm == 4) {
		/* a SIB byte: an index, or a base alone */
		if ((p[n] >> 3 & 7) != 4 || in->rex & X86_REX_X)
			return -1;
		rm = p[n++] & 7;
		if (mod == 0 && rm == 5)
			return -1;
	}
	*disp = mod == 1 ? (int8_t)p[n] :
		mod == 2 ? (int32_t)bytes__uint(p + n, 4, false) : 0;
	return rm | (in->rex & X86_REX_B ? 8 : 0);
}

/* Whether an instruction's operand is in the slot. */
static bool is_operand(const struct x86_insn *in, const uint8_t *p, const struct slot *slot)
{
	int64_t disp;

	return operand_base(in, p, &disp) == slot->base && disp < slot->off + slot->size &&
	       slot->off < disp + (int64_t)access_size(in);
}

/* mov, or setcc, to memory; a vector register, or one of the x87's, to memory. */
static bool is_store(const struct x86_insn *in, const uint8_t *p)
{
	static const uint8_t vector[] = { 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7e, 0x7f, 0xd6, 0xe7 };
	unsigned int reg = p[in->modrm] >> 3 & 7;

	if (in->two)
		/* of those with three bytes some are */
		return (in->opcode & 0xf0) == 0x90 || in->opcode == 0xc3 || in->opcode == 0x38 ||
		       in->opcode == 0x3a || memchr(vector, in->opcode, sizeof(vector));
	if (in->opcode >= 0xd8 && in->opcode <= 0xdf)
		return in->opcode & 1 && (reg == 1 || reg == 2 || reg == 3 || reg == 6 || reg == 7);
	return (in->opcode & 0xfe) == 0x88 || (in->opcode & 0xfe) == 0xc6 || in->opcode == 0x8f;
}

/* lea, and hints to the cache, take an address alone. */
static bool is_lea(const struct x86_insn *in)
{
	return in->two ? in->opcode == 0x18 || in->opcode == 0x0d || in->opcode == 0x1f :
			 in->opcode == 0x8d;
}

/* Registers by number, as ModRM has them; -1: it is memory. */
static int modrm_reg(const struct x86_insn *in, const uint8_t *p)
{
	return (p[in->modrm] >> 3 & 7) | (in->rex & X86_REX_R ? 8 : 0);
}

static int modrm_rm(const struct x86_insn *in, const uint8_t *p)
{
	return p[in->modrm] >> 6 != 3 ? -1 : (p[in->modrm] & 7) | (in->rex & X86_REX_B ? 8 : 0);
}

/* Whether an instruction of one opcode byte and ModRM writes a general register @number. */
static bool writes_modrm(const struct x86_insn *in, const uint8_t *p, int number)
{
	unsigned int op = in->opcode, group = p[in->modrm] >> 3 & 7;
	bool rm = modrm_rm(in, p) == number, reg = modrm_reg(in, p) == number;

	if (op < 0x40)		/* cmp writes none; the others to rm or to reg, in turn */
		return op < 0x38 && (op & 2 ? reg : rm);
	switch (op) {
	case 0x80 ... 0x83:	/* cmp */
		return rm && group != 7;
	case 0x84:
	case 0x85:		/* test */
	case 0x8c:
		return rm && op == 0x8c;
	case 0x86:
	case 0x87:
		return rm || reg;
	case 0x88:
	case 0x89:
	case 0xc6:
	case 0xc7:
		return rm;
	case 0x63:
	case 0x69:
	case 0x6b:
	case 0x8a:
	case 0x8b:
	case 0x8d:
		return reg;
	case 0xf6:
	case 0xf7:		/* test; mul and div: rax and rdx */
		return group < 2 ? false : rm || (group >= 4 && (!number || number == 2));
	case 0xff:		/* push */
		return rm && group < 2;
	default:
		return rm;
	}
}

/* Whether an instruction may write the general register @number, in any way but those of move_slot(). */
static bool writes(const struct x86_insn *in, const uint8_t *p, int number)
{
	int low = (in->opcode & 7) | (in->rex & X86_REX_B ? 8 : 0);
	unsigned int op = in->opcode;

	if (in->two) {
		/* bswap, cpuid, rdtsc, rdmsr; xadd and cmpxchg write two */
		if (op >= 0xc8 && op <= 0xcf)
			return low == number;
		if (!in->modrm)
			return (op & 0xf0) != 0x80 && number < 4;
		if ((op & 0xfe) == 0xb0 || (op & 0xfe) == 0xc0)
			return modrm_rm(in, p) == number ||
			       (op < 0xc0 ? !number : modrm_reg(in, p) == number);
		return (op & 0xf0) == 0x90 || op == 0x7e || op == 0xba || op == 0xab ? modrm_rm(in, p) == number :
			       modrm_reg(in, p) == number || op == 0xc7;
	}
	if (in->modrm)
		return writes_modrm(in, p, number);
	if (op >= 0x50 && op <= 0x57)
		return false;
	if ((op >= 0x58 && op <= 0x5f) || (op >= 0xb0 && op <= 0xbf) || (op > 0x90 && op <= 0x97))
		return low == number || (op < 0xa0 && op > 0x5f && !number);
	if (op == 0x90 || (op >= 0x70 && op <= 0x7f) || op == 0xa8 || op == 0xa9 || op == 0x68 ||
	    op == 0x6a)
		return false;
	/* sums with rax, its widening, strings, and the rest */
	if (op < 0x40)
		return !number && op < 0x38;
	return number < 3 || number == 6 || number == 7 || op == 0xc9;
}

/*
 * Follows the slot where an instruction moves its register by a number: sub, add and lea; push
 * and pop of the stack pointer. False: it is written in another way.
 */
static bool move_slot(const struct x86_insn *in, const uint8_t *p, struct slot *slot)
{
	unsigned int group = in->modrm ? p[in->modrm] >> 3 & 7 : 0;
	int64_t n;

	if (in->two)
		return !writes(in, p, slot->base);
	if (slot->base == X86_RSP && in->opcode >= 0x50 && in->opcode <= 0x5f) {
		slot->off += in->opcode < 0x58 ? 8 : -8;
		return in->opcode != 0x5c || in->rex & X86_REX_B;
	}
	if (slot->base == X86_RSP && (in->opcode == 0x68 || in->opcode == 0x6a ||
				      in->opcode == 0x9c || (in->opcode == 0xff && group == 6))) {
		slot->off += 8;
		return true;
	}
	if ((in->opcode == 0x81 || in->opcode == 0x83) && in->rex & X86_REX_W &&
	    modrm_rm(in, p) == slot->base) {
		n = in->opcode == 0x83 ? (int8_t)p[in->len - 1] :
					(int32_t)bytes__uint(p + in->len - 4, 4, false);
		if (group == 0 || group == 5)
			slot->off += group ? n : -n;
		return group == 0 || group == 5 || group == 7;
	}
	if (in->opcode == 0x8d && in->rex & X86_REX_W && modrm_reg(in, p) == slot->base &&
	    operand_base(in, p, &n) == slot->base) {
		slot->off -= n;
		return true;
	}
	return !writes(in, p, slot->base);
}

/* The code at the site, NULL: it is not there, or not x86-64's. @size: bytes of it. */
static const uint8_t *code_at(struct elf_file *file, uint32_t sec, uint64_t offset, size_t *size)
{
	const void *data;
	struct elf_sec s;

	if (elf_file__machine(file) != EM_X86_64 || elf_file__sec(file, sec, &s) ||
	    s.flags & SHF_COMPRESSED || elf_file__data(file, sec, &data, size, NULL) ||
	    offset >= *size)
		return NULL;
	*size -= offset;
	return (const uint8_t *)data + offset;
}

bool slot_store__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg,
		      int64_t off, uint32_t bytes)
{
	struct slot slot = { x86_number(reg), off, bytes };
	const uint8_t *code;
	struct x86_insn in;
	size_t size, i;

	code = code_at(file, sec, offset, &size);
	if (!code || slot.base < 0)
		return true;
	for (i = 0; i < size && i < WINDOW; i += in.len) {
		if (!x86_insn__read(code + i, size - i, &in))
			return true;
		/* what is read first is there */
		if (in.modrm && !is_lea(&in) && is_operand(&in, code + i, &slot))
			return is_store(&in, code + i);
		if (in.leaves)
			break;
		/* the stack as a whole is elsewhere; or the slot is not reached this way any more */
		if (!move_slot(&in, code + i, &slot))
			return slot.base == X86_RSP;
	}
	return false;
}

/* test %al,%al; cmp $0,%al; movzb: of a byte, all of it. Without REX 4 to 7 are ah to bh. */
static bool is_byte_use(const struct x86_insn *in, const uint8_t *p, int number)
{
	if (!in->modrm)
		return !in->two && in->opcode == 0x3c && !p[in->len - 1] && !number;
	if (modrm_rm(in, p) != number || (number >= 4 && !in->rex))
		return false;
	if (in->two)
		return in->opcode == 0xb6;
	return (in->opcode == 0x84 && modrm_reg(in, p) == number) ||
	       (in->opcode == 0x80 && (p[in->modrm] >> 3 & 7) == 7 && !p[in->len - 1]);
}

/* Instructions that say nothing of registers that they do not name. */
static bool is_plain(const struct x86_insn *in)
{
	if (!in->modrm || in->two)
		return in->modrm && in->two && ((in->opcode & 0xf0) == 0x90 ||
						(in->opcode & 0xf0) == 0x40 ||
						in->opcode == 0xb6 || in->opcode == 0xb7 ||
						in->opcode == 0xbe || in->opcode == 0xbf ||
						in->opcode == 0x1f);
	return in->opcode < 0x40 || in->opcode == 0x63 || (in->opcode >= 0x80 && in->opcode <= 0x8d) ||
	       in->opcode == 0xc6 || in->opcode == 0xc7;
}

bool byte_use__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg)
{
	int number = x86_number(reg), rm;
	const uint8_t *code;
	struct x86_insn in;
	size_t size, i;

	code = code_at(file, sec, offset, &size);
	if (!code || number < 0)
		return false;
	for (i = 0; i < size && i < WINDOW; i += in.len) {
		if (!x86_insn__read(code + i, size - i, &in))
			return false;
		if (is_byte_use(&in, code + i, number))
			return true;
		/* a conditional jump leaves all as it is, where it is not taken */
		if (in.two ? (in.opcode & 0xf0) == 0x80 : (in.opcode & 0xf0) == 0x70)
			continue;
		if (in.leaves || !is_plain(&in))
			return false;
		/* named in another way: written, or part of a sum; ah to bh are 0 to 3 */
		rm = modrm_rm(&in, code + i);
		if (modrm_reg(&in, code + i) == number || rm == number ||
		    (!in.rex && number < 4 && (rm == number + 4 ||
					       modrm_reg(&in, code + i) == number + 4)))
			return false;
	}
	return false;
}
