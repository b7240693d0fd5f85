// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86_code.c - what the code at a site says of a value that DWARF only half knows
 *
 * gcc names a spill slot from the entry of a site on that an instruction a little later fills,
 * and for a bool a register of which only the lowest bit counts. What is written behind the
 * next call is another value; what is read before it is written is there already.
 */
#include "x86_code.h"

#include "x86_effect.h"

enum {
	WINDOW = 160,		/* bytes of code looked at, if no call comes first */
};

/* DWARF's numbers of x86-64's registers (psABI, figure 3.36) as instructions have them. */
static int x86_number(uint32_t reg)
{
	static const uint8_t numbers[] = { 0, 2, 1, 3, 6, 7, 5, 4 };

	if (reg < sizeof(numbers))
		return numbers[reg];
	return reg < 16 ? (int)reg : -1;
}

/* A slot, as the code from the site on knows it. */
struct slot {
	uint32_t size;
	int64_t roof;		/* the canonical frame address, from the slot on */
	bool on_stack;		/* it is named by the stack pointer */
	uint16_t known;		/* bit N: register N + off[N] is its address */
	int64_t off[X86_NR_REGS];
	bool counted;		/* %rcx holds @rcx */
	uint64_t rcx;
};

/* Where memory is, from the slot on. False: it is at a register that says nothing of the slot. */
static bool place(const struct slot *slot, const struct x86_mem *m, int64_t *at)
{
	if (!(slot->known >> m->base & 1))
		return false;
	/* addresses go around at 2^64 */
	*at = (int64_t)((uint64_t)m->off - (uint64_t)slot->off[m->base]);
	return true;
}

/* Bytes of an instruction's read or write at @at from the slot, with what is known there. */
static struct x86_range extent(const struct slot *slot, const struct x86_mem *m,
			       struct x86_range n, int64_t at)
{
	uint64_t room = (uint64_t)slot->roof - (uint64_t)at;

	if (n.max == X86_UNLIMITED && m->unit && slot->counted &&
	    slot->rcx <= X86_UNLIMITED / m->unit)
		n.min = n.max = slot->rcx * m->unit;
	/* the frame of a function ends what is in it */
	if (n.max == X86_UNLIMITED && at < slot->roof && room < n.max)
		n.max = room;
	return n;
}

/* Whether @n bytes at @at are all of the slot, or a part of it alone. */
static bool is_of(const struct slot *slot, int64_t at, uint32_t n)
{
	if (at <= 0 && n >= slot->size && -(uint64_t)at <= n - slot->size)
		return true;
	return n && at >= 0 && at < slot->size && n <= slot->size - at;
}

/* Whether one of @n bytes at @at is of the slot. */
static bool hits(const struct slot *slot, int64_t at, uint32_t n)
{
	return at < 0 ? n > -(uint64_t)at : n && at < slot->size;
}

/* Whether an instruction reads the slot for sure; or may write to it. */
static bool touches(const struct slot *slot, const struct x86_effect *e, bool write)
{
	const struct x86_mem *m;
	struct x86_range n;
	int64_t at;

	for (m = e->mem; m < e->mem + e->nr_mem; m++) {
		if (!place(slot, m, &at))
			continue;
		n = extent(slot, m, write ? m->write : m->read, at);
		if (write ? hits(slot, at, n.max) : is_of(slot, at, n.min))
			return true;
	}
	return false;
}

/* Follows the slot's address: registers that are written lose it, copies have it. */
static void move_slot(struct slot *slot, const struct x86_effect *e)
{
	bool copied = e->to >= 0 && slot->known >> e->from & 1;
	int64_t off = copied ? (int64_t)((uint64_t)slot->off[e->from] - (uint64_t)e->add) : 0;

	slot->known &= ~e->written;
	if (e->counts || e->written >> X86_RCX & 1 || e->to == X86_RCX) {
		slot->counted = e->counts;
		slot->rcx = e->rcx;
	}
	slot->off[X86_RSP] = (int64_t)((uint64_t)slot->off[X86_RSP] - (uint64_t)e->rsp_add);
	if (e->to < 0)
		return;
	slot->known &= ~(1U << e->to);
	slot->known |= copied ? 1U << e->to : 0;
	slot->off[e->to] = off;
}

bool slot_store__in(const uint8_t *code, size_t len, uint32_t reg, int64_t off, uint32_t size,
		    int64_t cfa)
{
	struct slot slot = { .size = size ? size : 1 };
	int base = x86_number(reg);
	struct x86_effect e;
	struct x86_insn in;
	size_t i;

	if (base < 0)
		return true;
	slot.on_stack = base == X86_RSP;
	slot.known = 1 << base;
	slot.off[base] = off;
	if (cfa == INT64_MAX || __builtin_sub_overflow(cfa, off, &slot.roof))
		slot.roof = INT64_MIN;
	for (i = 0; i < len && i < WINDOW; i += in.len) {
		if (!x86_insn__read(code + i, len - i, &in) || !x86_effect__of(&in, &e))
			return true;
		if (touches(&slot, &e, false))
			return false;
		if (touches(&slot, &e, true))
			return true;
		if (in.leaves)
			break;
		move_slot(&slot, &e);
		/* the stack as a whole is elsewhere; or this way does not lead there any more */
		if (slot.on_stack ? !(slot.known >> X86_RSP & 1) : !slot.known)
			return slot.on_stack;
	}
	return false;
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

bool slot_store__in_frame(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg,
			  int64_t off, uint32_t size, int64_t cfa)
{
	const uint8_t *code;
	size_t len;

	code = code_at(file, sec, offset, &len);
	return !code || slot_store__in(code, len, reg, off, size, cfa);
}

bool slot_store__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg,
		      int64_t off, uint32_t size)
{
	return slot_store__in_frame(file, sec, offset, reg, off, size, INT64_MAX);
}

/* test %al,%al; cmp $0,%al; movzb: of a byte, all of it. Without REX 4 to 7 are ah to bh. */
static bool is_byte_use(const struct x86_insn *in, int number)
{
	uint8_t last = in->bytes[in->len - 1];

	if (!in->modrm)
		return in->map == X86_ONE_BYTE && in->opcode == 0x3c && !last && !number;
	if (x86_insn__rm(in) != number || (number >= 4 && !in->rex) || in->vex)
		return false;
	if (in->map)
		return in->map == X86_0F && in->opcode == 0xb6;
	return (in->opcode == 0x84 && x86_insn__reg(in) == number) ||
	       (in->opcode == 0x80 && x86_insn__group(in) == 7 && !last);
}

/* Instructions that say nothing of registers that they do not name. */
static bool is_plain(const struct x86_insn *in)
{
	uint8_t op = in->opcode;

	if (!in->modrm || in->vex || in->map > X86_0F)
		return false;
	if (in->map == X86_0F)
		return (op & 0xf0) == 0x90 || (op & 0xf0) == 0x40 || op == 0xb6 || op == 0xb7 ||
		       op == 0xbe || op == 0xbf || op == 0x1f;
	return op < 0x40 || op == 0x63 || (op >= 0x80 && op <= 0x8d) || op == 0xc6 || op == 0xc7;
}

static bool is_jump_if(const struct x86_insn *in)
{
	return (in->map == X86_ONE_BYTE && (in->opcode & 0xf0) == 0x70) ||
	       (in->map == X86_0F && !in->vex && (in->opcode & 0xf0) == 0x80);
}

bool byte_use__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg)
{
	int number = x86_number(reg), rm, other;
	const uint8_t *code;
	struct x86_insn in;
	size_t size, i;

	code = code_at(file, sec, offset, &size);
	if (!code || number < 0)
		return false;
	for (i = 0; i < size && i < WINDOW; i += in.len) {
		if (!x86_insn__read(code + i, size - i, &in))
			return false;
		if (is_byte_use(&in, number))
			return true;
		/* a conditional jump leaves all as it is, where it is not taken */
		if (is_jump_if(&in))
			continue;
		if (in.leaves || !is_plain(&in))
			return false;
		/* named in another way: written, or part of a sum; ah to bh are 0 to 3 */
		rm = x86_insn__rm(&in);
		other = x86_insn__reg(&in);
		if (other == number || rm == number ||
		    (!in.rex && number < 4 && (rm == number + 4 || other == number + 4)))
			return false;
	}
	return false;
}
