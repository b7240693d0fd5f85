// SPDX-License-Identifier: GPL-2.0-only
/* x86_insn.c - an x86-64 instruction taken apart: prefixes, opcode, operands' registers */
#include "x86_insn.h"

#include "cursor.h"

enum { LEN_MAX = 15 };		/* SDM 2.3.11: longer ones are invalid */

/* What follows an opcode: ModRM, and bytes of immediate operands. */
enum {
	NONE = 0,
	MODRM = 1,
	IMM8 = 2,
	IMMZ = 4,		/* 4 bytes, 2 with the prefix 0x66 */
	REL32 = 8,
	IMM16 = 16,
	IMM_V = 32,		/* 4 bytes, 2 with 0x66, 8 with REX.W */
	MOFFS = 64,		/* 8 bytes of address, 4 with 0x67 */
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
	case 0xc8:
		return IMM16 | IMM8;
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
	case 0xa6:
	case 0xa7:
		return BAD;
	default:
		return MODRM;
	}
}

/* Takes one prefix. False: it is none. */
static bool read_prefix(uint8_t b, struct x86_insn *in)
{
	switch (b) {
	case 0x26:		/* %es, %cs, %ss, %ds: nothing in 64 bits */
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0xf0:
		return true;
	case 0x64:
	case 0x65:
		in->other_seg = true;
		return true;
	case 0x66:
		in->prefix_size = true;
		if (in->pp == X86_NP)
			in->pp = X86_66;
		return true;
	case 0x67:
		in->addr32 = true;
		return true;
	case 0xf2:
	case 0xf3:
		in->pp = b == 0xf2 ? X86_F2 : X86_F3;
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

static bool leaves(const struct x86_insn *in)
{
	unsigned int group;

	if (in->map)
		return in->map == X86_0F && in->opcode == 0x0b;
	if (in->opcode == 0xff) {
		group = x86_insn__group(in);
		return group >= 2 && group <= 5;
	}
	return in->opcode == 0xe8 || in->opcode == 0xe9 || in->opcode == 0xeb ||
	       in->opcode == 0xc2 || in->opcode == 0xc3 || in->opcode == 0xcc;
}

/*
 * VEX, at @n: two or three bytes that hold the REX bits, inverted, the opcode map and the
 * prefix that is part of the opcode (2.3.5). All have ModRM but vzeroupper.
 */
static bool read_vex(const uint8_t *p, size_t len, size_t n, struct x86_insn *in)
{
	bool three = p[n] == 0xc4;
	uint8_t last;

	/* the shortest is two bytes, opcode, ModRM; only vzeroupper ends before */
	if (len - n < (three ? 4 : 3))
		return false;
	in->vex = true;
	in->map = X86_0F;
	in->rex = 0x40 | (p[n + 1] & 0x80 ? 0 : X86_REX_R);
	if (three) {
		in->map = p[n + 1] & 0x1f;
		in->rex |= (p[n + 1] & 0x40 ? 0 : X86_REX_X) | (p[n + 1] & 0x20 ? 0 : X86_REX_B) |
			   (p[n + 2] & 0x80 ? X86_REX_W : 0);
	}
	last = p[n + 1 + three];
	in->vvvv = ~last >> 3 & 15;
	in->vex_256 = last & 4;
	in->pp = last & 3;
	n += 2 + three;
	in->opcode = p[n++];
	in->len = n;
	if (in->map < X86_0F || in->map > X86_0F3A)
		return false;
	if (in->map == X86_0F && in->opcode == 0x77)
		return true;
	if (n >= len)
		return false;
	in->modrm = n;
	n += operand_len(p + n, len - n);
	if (in->map == X86_0F3A || (in->map == X86_0F && two_bytes(in->opcode) & IMM8))
		n++;
	in->len = n;
	return n <= len && n <= LEN_MAX;
}

/* Takes 0x0f, and what comes behind it for the maps of three bytes; the opcode. */
static bool read_opcode(const uint8_t *p, size_t len, size_t *n, struct x86_insn *in)
{
	if (*n + 1 < len && p[*n] == 0x0f) {
		++*n;
		in->map = X86_0F;
		if (p[*n] == 0x38 || p[*n] == 0x3a)
			in->map = p[(*n)++] == 0x38 ? X86_0F38 : X86_0F3A;
	}
	if (*n >= len)
		return false;
	in->opcode = p[(*n)++];
	return true;
}

static unsigned int operands(const struct x86_insn *in)
{
	switch (in->map) {
	case X86_ONE_BYTE:
		return one_byte(in->opcode);
	case X86_0F:
		return two_bytes(in->opcode);
	default:
		return in->map == X86_0F38 ? MODRM : MODRM | IMM8;
	}
}

bool x86_insn__read(const uint8_t *p, size_t len, struct x86_insn *out)
{
	struct x86_insn in = { .bytes = p };
	unsigned int what;
	size_t n = 0;

	while (n < len && read_prefix(p[n], &in))
		n++;
	if (n < len && (p[n] == 0xc4 || p[n] == 0xc5)) {
		*out = in;
		/* it holds what these would say, and none may stand before it */
		return in.pp == X86_NP && read_vex(p, len, n, out);
	}
	if (n < len && (p[n] & 0xf0) == 0x40)
		in.rex = p[n++];
	if (!read_opcode(p, len, &n, &in))
		return false;
	what = operands(&in);
	if (what & BAD || (what & MODRM && n >= len))
		return false;
	if (what & MODRM) {
		in.modrm = n;
		n += operand_len(p + n, len - n);
		/* test has an immediate operand, its neighbours have none */
		if (!in.map && (in.opcode & 0xfe) == 0xf6 && x86_insn__group(&in) < 2)
			what |= in.opcode == 0xf6 ? IMM8 : IMMZ;
	}
	n += (what & IMM8 ? 1 : 0) + (what & IMM16 ? 2 : 0) + (what & REL32 ? 4 : 0);
	if (what & MOFFS)
		n += in.addr32 ? 4 : 8;
	if (what & (IMMZ | IMM_V))
		n += in.rex & X86_REX_W ? (what & IMM_V ? 8 : 4) : in.prefix_size ? 2 : 4;
	if (n > len || n > LEN_MAX)
		return false;
	in.len = n;
	in.leaves = leaves(&in);
	*out = in;
	return true;
}

unsigned int x86_insn__group(const struct x86_insn *in)
{
	return in->bytes[in->modrm] >> 3 & 7;
}

int x86_insn__reg(const struct x86_insn *in)
{
	return x86_insn__group(in) | (in->rex & X86_REX_R ? 8 : 0);
}

int x86_insn__rm(const struct x86_insn *in)
{
	uint8_t modrm = in->bytes[in->modrm];

	return modrm >> 6 != 3 ? -1 : (modrm & 7) | (in->rex & X86_REX_B ? 8 : 0);
}

int x86_insn__base(const struct x86_insn *in, int64_t *disp)
{
	const uint8_t *p = in->bytes + in->modrm;
	unsigned int mod = p[0] >> 6, rm = p[0] & 7;

	p++;
	if (mod == 3 || (mod == 0 && rm == 5))
		return -1;
	if (rm == 4) {
		/* a SIB byte: an index, or a base alone */
		if ((*p >> 3 & 7) != 4 || in->rex & X86_REX_X)
			return -1;
		rm = *p++ & 7;
		if (mod == 0 && rm == 5)
			return -1;
	}
	*disp = mod == 1 ? (int8_t)*p : mod == 2 ? (int32_t)bytes__uint(p, 4, false) : 0;
	return rm | (in->rex & X86_REX_B ? 8 : 0);
}

bool x86_insn__blank_disp(const struct x86_insn *in)
{
	int64_t disp;

	return in->modrm && in->bytes[in->modrm] >> 6 == 2 && x86_insn__base(in, &disp) >= 0 &&
	       !disp;
}

bool x86_insn__blank_imm(const struct x86_insn *in)
{
	return !bytes__uint(in->bytes + in->len - 4, 4, false);
}
