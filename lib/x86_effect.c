// SPDX-License-Identifier: GPL-2.0-only
/* x86_effect.c - what an instruction does to memory at a register, and to the registers */
#include "x86_effect.h"

#include "cursor.h"
#include "x86_rules.h"

static struct x86_range exactly(uint32_t n)
{
	return (struct x86_range){ n, n };
}

static struct x86_range up_to(uint32_t n)
{
	return (struct x86_range){ 0, n };
}

static struct x86_range bytes_of(const struct x86_insn *in, uint8_t bytes)
{
	bool wide = in->rex & X86_REX_W, narrow = in->prefix_size && !wide;
	uint32_t operand = wide ? 8 : narrow ? 2 : 4, vector = in->vex_256 ? 32 : 16;
	uint32_t mm = in->pp == X86_NP ? 8 : 16;

	switch (bytes) {
	case B_1:
		return exactly(1);
	case B_2:
		return exactly(2);
	case B_4:
		return exactly(4);
	case B_8:
		return exactly(8);
	case B_10:
		return exactly(10);
	case B_16:
		return exactly(16);
	case B_64:
		return exactly(64);
	case B_V:
		return exactly(operand);
	case B_V2:
		return exactly(2 * operand);
	case B_Z:
		return exactly(in->prefix_size ? 2 : 4);
	case B_Y:
		return exactly(wide ? 8 : 4);
	case B_STACK:
		return exactly(narrow ? 2 : 8);
	case B_BRANCH:
		return (struct x86_range){ in->prefix_size ? 2 : 8, 8 };
	case B_FAR:
		return (struct x86_range){ narrow ? 4 : 6, wide ? 10 : narrow ? 4 : 6 };
	case B_MOVSXD:
		return (struct x86_range){ narrow ? 2 : 4, 4 };
	case B_FENV:
		return exactly(narrow ? 14 : 28);
	case B_FSAVE:
		return exactly(narrow ? 94 : 108);
	case B_FX:
		return up_to(512);
	case B_MM:
		return exactly(mm);
	case B_MM_MASK:
		return up_to(mm);
	case B_X:
		return exactly(vector);
	case B_X_MASK:
		return up_to(vector);
	case B_X_HALF:
		return exactly(vector / 2);
	case B_X_4TH:
		return exactly(vector / 4);
	case B_X_8TH:
		return exactly(vector / 8);
	case B_DUP:
		return exactly(in->vex_256 ? 32 : 8);
	case B_ANY:
		return up_to(X86_UNLIMITED);
	default:
		return exactly(0);
	}
}

static void add_mem(struct x86_effect *e, int base, int64_t off, struct x86_range read,
		    struct x86_range write)
{
	e->mem[e->nr_mem++] = (struct x86_mem){ .base = base, .off = off, .read = read,
						.write = write };
}

/*
 * Memory at an address that is not for sure the register's and a number: 0x67 cuts it to 32
 * bits, or a symbol is to be added. There a read is none for sure, a write may be one.
 */
static void add_addressed(const struct x86_insn *in, struct x86_effect *e, int base, int64_t off,
			  struct x86_range read, struct x86_range write)
{
	if (in->addr32 || x86_insn__blank_disp(in))
		read.min = write.min = 0;
	add_mem(e, base, off, read, write);
}

/* A string's element; with a prefix as many as %rcx says. Strings go up: DF is clear (psABI). */
static void add_string(const struct x86_insn *in, const struct x86_rule *r, struct x86_effect *e,
		       int base, bool store)
{
	bool rep = in->pp == X86_F2 || in->pp == X86_F3;
	struct x86_range n = bytes_of(in, r->implied_bytes), none = exactly(0);
	uint32_t unit = n.max;

	e->written |= 1 << base;
	/* what is at %rdi is %es's, whatever prefix there is */
	if (base == X86_RSI && in->other_seg)
		return;
	if (rep)
		n = up_to(X86_UNLIMITED);
	add_addressed(in, e, base, 0, store ? none : n, store ? n : none);
	/* a comparison ends it before; 32 bits of address are 32 bits of %rcx too */
	if (rep && r->implied != I_CMPS && r->implied != I_SCAS && !in->addr32)
		e->mem[e->nr_mem - 1].unit = unit;
}

static void add_strings(const struct x86_insn *in, const struct x86_rule *r, struct x86_effect *e)
{
	if (r->implied != I_STOS && r->implied != I_SCAS)
		add_string(in, r, e, X86_RSI, false);
	if (r->implied != I_LODS)
		add_string(in, r, e, X86_RDI, r->implied == I_STOS || r->implied == I_MOVS);
	if (in->pp == X86_F2 || in->pp == X86_F3)
		e->written |= 1 << X86_RCX;
}

/* enter without nested frames: push %rbp, mov %rsp,%rbp, sub $N,%rsp. */
static bool add_enter(const struct x86_insn *in, struct x86_effect *e)
{
	if (in->prefix_size || in->bytes[in->len - 1])
		return false;
	add_mem(e, X86_RSP, -8, exactly(0), exactly(8));
	e->to = X86_RBP;
	e->from = X86_RSP;
	e->add = -8;
	e->rsp_add = -8 - (int64_t)bytes__uint(in->bytes + in->len - 3, 2, false);
	return true;
}

/* Memory that no operand names. */
static bool add_implied(const struct x86_insn *in, const struct x86_rule *r, struct x86_effect *e)
{
	struct x86_range n = bytes_of(in, r->implied_bytes), none = exactly(0);

	switch (r->implied) {
	case I_NONE:
		return true;
	case I_PUSH:
	case I_CALL:
		add_mem(e, X86_RSP, -(int64_t)n.max, none, n);
		e->rsp_add = -(int64_t)n.max;
		return true;
	case I_POP:
		add_mem(e, X86_RSP, 0, n, none);
		e->rsp_add = n.max;
		return true;
	case I_ENTER:
		return add_enter(in, e);
	case I_LEAVE:
		add_mem(e, X86_RBP, 0, n, none);
		e->to = X86_RSP;
		e->from = X86_RBP;
		e->add = n.max;
		e->written |= 1 << X86_RBP;
		return !in->prefix_size;
	case I_MASKMOV:
		if (!in->other_seg)
			add_addressed(in, e, X86_RDI, 0, none, n);
		return true;
	case I_MOVDIR:		/* %es's */
		add_addressed(in, e, x86_insn__reg(in), 0, none, n);
		return true;
	case I_ENCLS:
		add_mem(e, X86_RBX, 0, none, up_to(n.max));
		return true;
	default:
		add_strings(in, r, e);
		return true;
	}
}

/* The operand that ModRM names, where it is memory at a register. */
static void add_operand(const struct x86_insn *in, const struct x86_rule *r, struct x86_effect *e)
{
	int64_t off = 0;
	int base = in->modrm ? x86_insn__base(in, &off) : -1;

	if (base < 0 || in->other_seg)
		return;
	/* pop's own is found when the stack pointer has moved (SDM, POP) */
	if (r->implied == I_POP && base == X86_RSP)
		off += bytes_of(in, r->implied_bytes).max;
	add_addressed(in, e, base, off, bytes_of(in, r->read[in->pp]),
		      bytes_of(in, r->write[in->pp]));
}

/* The bit of a register, which may be %ah to %bh. */
static uint16_t bit(const struct x86_insn *in, unsigned int regs, int number)
{
	if (number < 0)
		return 0;
	return 1 << (regs & W_BYTE && !in->rex && number >= 4 ? number - 4 : number);
}

static uint16_t written_regs(const struct x86_insn *in, unsigned int regs)
{
	bool rep = in->pp == X86_F2 || in->pp == X86_F3;
	uint16_t w = 0;

	if (regs & W_REG || (regs & W_REG_REP && rep))
		w |= bit(in, regs, x86_insn__reg(in));
	if (regs & W_RM || (regs & W_RM_PLAIN && !rep))
		w |= bit(in, regs, x86_insn__rm(in));
	if (regs & W_OP)
		w |= bit(in, regs, (in->opcode & 7) | (in->rex & X86_REX_B ? 8 : 0));
	if (regs & W_VVVV && in->vex)
		w |= 1 << in->vvvv;
	return w | (regs & W_AX ? 1 << X86_RAX : 0) | (regs & W_CX ? 1 << X86_RCX : 0) |
	       (regs & W_DX ? 1 << X86_RDX : 0) | (regs & W_BX ? 1 << X86_RBX : 0) |
	       (regs & W_R11 ? 1 << X86_R11 : 0);
}

static void copy(struct x86_effect *e, int to, int from, int64_t add)
{
	e->written = 0;
	e->to = to;
	e->from = from;
	e->add = add;
}

/* The number that a string's count begins with: mov $N,%ecx; xor %ecx,%ecx. */
static void count(const struct x86_insn *in, struct x86_effect *e)
{
	if (in->map || in->vex || in->prefix_size || in->rex & X86_REX_W)
		return;
	if (in->opcode == 0xb9 && !(in->rex & X86_REX_B) && !x86_insn__blank_imm(in)) {
		e->counts = true;
		e->rcx = bytes__uint(in->bytes + in->len - 4, 4, false);
	}
	e->counts |= in->opcode == 0x31 && x86_insn__rm(in) == X86_RCX &&
		     x86_insn__reg(in) == X86_RCX;
}

/* mov, lea, add and sub of 64 bits: a register is another one, or itself, and a number. */
static void follow(const struct x86_insn *in, struct x86_effect *e)
{
	unsigned int op = in->opcode;
	int rm, base;
	int64_t n;

	if (in->map || in->vex || !(in->rex & X86_REX_W))
		return;
	if ((op == 0x05 || op == 0x2d) && !x86_insn__blank_imm(in)) {
		n = (int32_t)bytes__uint(in->bytes + in->len - 4, 4, false);
		copy(e, X86_RAX, X86_RAX, op == 0x05 ? n : -n);
	}
	if (!in->modrm)
		return;
	rm = x86_insn__rm(in);
	if (op == 0x89 && rm >= 0)
		copy(e, rm, x86_insn__reg(in), 0);
	if (op == 0x8b && rm >= 0)
		copy(e, x86_insn__reg(in), rm, 0);
	if (op == 0x8d && !in->addr32 && !x86_insn__blank_disp(in)) {
		base = x86_insn__base(in, &n);
		if (base >= 0)
			copy(e, x86_insn__reg(in), base, n);
	}
	if ((op == 0x83 || (op == 0x81 && !x86_insn__blank_imm(in))) && rm >= 0 &&
	    (x86_insn__group(in) == 0 || x86_insn__group(in) == 5)) {
		n = op == 0x83 ? (int8_t)in->bytes[in->len - 1] :
				 (int32_t)bytes__uint(in->bytes + in->len - 4, 4, false);
		copy(e, rm, rm, x86_insn__group(in) ? -n : n);
	}
}

bool x86_effect__of(const struct x86_insn *in, struct x86_effect *out)
{
	const struct x86_rule *r = x86_rule__of(in);
	struct x86_effect e = { .to = -1 };

	if (!r)
		return false;
	add_operand(in, r, &e);
	if (!add_implied(in, r, &e))
		return false;
	/* xchg %rax,%rax is nop, and pause */
	if (in->map || in->opcode != 0x90 || in->rex & X86_REX_B)
		e.written |= written_regs(in, r->regs);
	follow(in, &e);
	count(in, &e);
	*out = e;
	return true;
}
