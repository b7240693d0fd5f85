// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86_code.c - what the code at a site says of a value that DWARF only half knows
 *
 * gcc names a spill slot from the entry of a site on that an instruction a little later fills, and for a
 * bool a register of which only the lowest bit counts. What is written behind the next call is
 * another value; what is read before it is written is there already.
 */
#include "x86_code.h"

#include <string.h>

#include "cursor.h"
#include "x86_insn.h"

enum { WINDOW = 160 };		/* bytes of code looked at, if no call comes first */

/* DWARF's numbers of x86-64's registers (psABI, figure 3.36) as instructions have them. */
static int x86_number(uint32_t reg)
{
	static const uint8_t numbers[] = { 0, 2, 1, 3, 6, 7, 5, 4 };

	if (reg < sizeof(numbers))
		return numbers[reg];
	return reg < 16 ? (int)reg : -1;
}

/* Whether an instruction's operand is memory at @base + @off. */
static bool is_operand(const struct x86_insn *in, const uint8_t *p, int base, int64_t off)
{
	unsigned int mod, rm, n = in->modrm + 1;
	int64_t disp = 0;

	p += in->modrm;
	mod = p[0] >> 6;
	rm = p[0] & 7;
	if (mod == 3 || (mod == 0 && rm == 5))
		return false;
	if (rm == 4) {
		/* a SIB byte: an index, or a base alone */
		if ((p[1] >> 3 & 7) != 4 || in->rex & X86_REX_X)
			return false;
		rm = p[1] & 7;
		if (mod == 0 && rm == 5)
			return false;
		n++;
	}
	if ((int)(rm | (in->rex & X86_REX_B ? 8 : 0)) != base)
		return false;
	p += n - in->modrm;
	if (mod == 1)
		disp = (int8_t)p[0];
	else if (mod == 2)
		disp = (int32_t)bytes__uint(p, 4, false);
	return disp == off;
}

/* mov, or setcc, to memory; a vector register to memory. */
static bool is_store(const struct x86_insn *in)
{
	static const uint8_t vector[] = { 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7e, 0x7f, 0xd6, 0xe7 };

	if (in->two)
		return (in->opcode & 0xf0) == 0x90 || in->opcode == 0xc3 ||
		       memchr(vector, in->opcode, sizeof(vector));
	return (in->opcode & 0xfe) == 0x88 || (in->opcode & 0xfe) == 0xc6 || in->opcode == 0x8f;
}

/* lea, and hints to the cache, take an address alone. */
static bool is_lea(const struct x86_insn *in)
{
	return in->two ? in->opcode == 0x18 || in->opcode == 0x0d || in->opcode == 0x1f :
			 in->opcode == 0x8d;
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
		      int64_t off)
{
	int base = x86_number(reg);
	const uint8_t *code;
	struct x86_insn in;
	size_t size, i;

	code = code_at(file, sec, offset, &size);
	if (!code || base < 0)
		return true;
	for (i = 0; i < size && i < WINDOW; i += in.len) {
		if (!x86_insn__read(code + i, size - i, &in))
			return true;
		/* what is read first is there */
		if (in.modrm && !is_lea(&in) && is_operand(&in, code + i, base, off))
			return is_store(&in);
		if (in.leaves)
			break;
	}
	return false;
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
