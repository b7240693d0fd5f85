// SPDX-License-Identifier: GPL-2.0-only
/* x86_insn.c - how long an x86-64 instruction is, and what kind */
#include "x86_insn.h"

/* What follows an opcode: ModRM, and bytes of immediate operands. */
enum {
	NONE = 0,
	MODRM = 1,
	IMM8 = 2,
	IMMZ = 4,		/* 4 bytes, 2 with the prefix 0x66 */
	REL32 = 8,
	IMM16 = 16,
	IMM_V = 32,		/* 4 bytes, 2 with 0x66, 8 with REX.W */
	MOFFS = 64,		/* 8 bytes of address */
	BAD = 128,
};

static unsigned int one_byte(uint8_t op)
{
	/* add, or, adc, sbb, and, sub, xor, cmp: eight forms each, two of them gone in 64 bits */
	if (op < 0x40) {
		static const uint8_t forms[8] = {
			MODRM, MODRM, MODRM, MODRM, IMM8, IMMZ, BAD, BAD,
		};

		return forms[op & 7];
	}
	if (op >= 0x50 && op <= 0x5f)
		return NONE;
	if (op >= 0x70 && op <= 0x7f)
		return IMM8;
	if (op >= 0x84 && op <= 0x8f)
		return MODRM;
	if (op >= 0x90 && op <= 0x9f)
		return op == 0x9a ? BAD : NONE;
	if (op >= 0xa0 && op <= 0xa3)
		return MOFFS;
	if (op >= 0xa4 && op <= 0xaf)
		return op == 0xa8 ? IMM8 : op == 0xa9 ? IMMZ : NONE;
	if (op >= 0xb0 && op <= 0xbf)
		return op < 0xb8 ? IMM8 : IMM_V;
	if (op >= 0xd0 && op <= 0xdf)
		return op == 0xd7 ? NONE : op >= 0xd4 && op <= 0xd6 ? BAD : MODRM;
	if (op >= 0xe0 && op <= 0xe7)
		return IMM8;
	switch (op) {
	case 0x63:
		return MODRM;
	case 0x68:
		return IMMZ;
	case 0x69:
	case 0x81:
	case 0xc7:
		return MODRM | IMMZ;
	case 0x6a:
	case 0xcd:
	case 0xeb:
		return IMM8;
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xc6:
		return MODRM | IMM8;
	case 0x6c ... 0x6f:
	case 0xc3:
	case 0xc9:
	case 0xcc:
	case 0xec ... 0xef:
	case 0xf4:
	case 0xf5:
	case 0xf8 ... 0xfd:
		return NONE;
	case 0xc2:
		return IMM16;
	case 0xe8:
	case 0xe9:
		return REL32;
	case 0xf6:
	case 0xf7:
	case 0xfe:
	case 0xff:
		return MODRM;
	default:
		return BAD;
	}
}

static unsigned int two_bytes(uint8_t op)
{
	if (op >= 0x80 && op <= 0x8f)
		return REL32;
	if ((op >= 0xc8 && op <= 0xcf) || (op >= 0x30 && op <= 0x37))
		return NONE;
	switch (op) {
	case 0x05 ... 0x09:
	case 0x0b:
	case 0x77:
	case 0xa0 ... 0xa2:
	case 0xa8 ... 0xaa:
		return NONE;
	case 0x70 ... 0x73:
	case 0xa4:
	case 0xac:
	case 0xba:
	case 0xc2:
	case 0xc4 ... 0xc6:
		return MODRM | IMM8;
	case 0x04:
	case 0x0a:
	case 0x0c:
	case 0x0e:
	case 0x0f:
	case 0x24 ... 0x27:
	case 0x38:		/* three bytes: taken apart before */
	case 0x3a:
	case 0xa6:
	case 0xa7:
		return BAD;
	default:
		return MODRM;
	}
}

static bool is_prefix(uint8_t b)
{
	switch (b) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64 ... 0x67:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return false;
	}
}

/* Bytes of ModRM, SIB and displacement. */
static unsigned int operand_len(const uint8_t *p, size_t len)
{
	unsigned int mod = p[0] >> 6, rm = p[0] & 7, n = 1;
	bool no_base = rm == 5;

	if (mod == 3)
		return 1;
	if (rm == 4) {
		if (len < 2)
			return 2;
		no_base = (p[1] & 7) == 5;
		n = 2;
	}
	if (mod == 0)
		return no_base ? n + 4 : n;
	return n + (mod == 1 ? 1 : 4);
}

static bool leaves(const struct x86_insn *in, const uint8_t *p)
{
	unsigned int reg;

	if (in->two)
		return in->opcode == 0x0b;
	if (in->opcode == 0xff) {
		reg = p[in->modrm] >> 3 & 7;
		return reg >= 2 && reg <= 5;
	}
	return in->opcode == 0xe8 || in->opcode == 0xe9 || in->opcode == 0xeb ||
	       in->opcode == 0xc2 || in->opcode == 0xc3 || in->opcode == 0xcc;
}

/*
 * VEX: two or three bytes that hold the REX bits, inverted, and the opcode map (2.3.5). All
 * have ModRM but vzeroupper. What is in the maps of three bytes is told by 0x38 and 0x3a, as
 * without VEX.
 */
static bool read_vex(const uint8_t *p, size_t len, struct x86_insn *out)
{
	struct x86_insn in = { .two = true };
	unsigned int map = 1;
	size_t n = 2;

	if (len < 5)
		return false;
	in.rex = 0x40 | (p[1] & 0x80 ? 0 : X86_REX_R);
	if (p[0] == 0xc4) {
		in.rex |= (p[1] & 0x40 ? 0 : X86_REX_X) | (p[1] & 0x20 ? 0 : X86_REX_B);
		map = p[1] & 0x1f;
		n = 3;
	}
	in.opcode = p[n++];
	if (map < 1 || map > 3)
		return false;
	if (map == 1 && in.opcode == 0x77) {
		in.len = n;
		*out = in;
		return true;
	}
	in.modrm = n;
	n += operand_len(p + n, len - n);
	if (map == 3 || (map == 1 && two_bytes(in.opcode) & IMM8))
		n++;
	if (map > 1)
		in.opcode = map == 2 ? 0x38 : 0x3a;
	in.len = n;
	if (n > len)
		return false;
	*out = in;
	return true;
}

bool x86_insn__read(const uint8_t *p, size_t len, struct x86_insn *out)
{
	struct x86_insn in = { 0 };
	unsigned int what;
	size_t n = 0;

	for (; n < len && is_prefix(p[n]); n++)
		in.prefix_size |= p[n] == 0x66;
	if (!n && len && (p[0] == 0xc4 || p[0] == 0xc5))
		return read_vex(p, len, out);
	if (n < len && (p[n] & 0xf0) == 0x40) {
		in.rex = p[n++];
	}
	if (n + 1 < len && p[n] == 0x0f) {
		in.two = true;
		n++;
	}
	if (n >= len)
		return false;
	in.opcode = p[n++];
	what = in.two ? two_bytes(in.opcode) : one_byte(in.opcode);
	if (in.two && (in.opcode == 0x38 || in.opcode == 0x3a)) {
		what = MODRM | (in.opcode == 0x3a ? IMM8 : 0);
		n++;
	}
	if (what & BAD || (what & MODRM && n >= len))
		return false;
	if (what & MODRM) {
		in.modrm = n;
		n += operand_len(p + n, len - n);
		/* test has an immediate operand, its neighbours have none */
		if (!in.two && (in.opcode & 0xfe) == 0xf6 && (p[in.modrm] >> 3 & 7) < 2)
			what |= in.opcode == 0xf6 ? IMM8 : IMMZ;
	}
	n += (what & IMM8 ? 1 : 0) + (what & IMM16 ? 2 : 0) + (what & REL32 ? 4 : 0) +
	     (what & MOFFS ? 8 : 0);
	if (what & (IMMZ | IMM_V))
		n += in.rex & X86_REX_W ? (what & IMM_V ? 8 : 4) : in.prefix_size ? 2 : 4;
	if (n > len)
		return false;
	in.len = n;
	in.leaves = leaves(&in, p);
	*out = in;
	return true;
}
