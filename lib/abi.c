// SPDX-License-Identifier: GPL-2.0-only
/* abi.c - calling conventions: which one, and what they have in common */
#include <elf.h>

#include "abi_internal.h"
#include "locs_format.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

/* e_flags, by the ELF supplements of the machines; not all of them are in every elf.h */
enum {
	ARM_EABI_MASK = 0xff000000, ARM_EABI_5 = 0x05000000,
	ARM_FLOAT_SOFT = 0x200, ARM_FLOAT_HARD = 0x400,
	PPC64_ABI_MASK = 3, PPC64_ABI_V1 = 1,
	RISCV_FLOAT_MASK = 6, RISCV_FLOAT_SINGLE = 2, RISCV_FLOAT_DOUBLE = 4,
	RISCV_RVE = 8,
	LOONGARCH_FLOAT_MASK = 7, LOONGARCH_SOFT = 1, LOONGARCH_SINGLE = 2,
	LOONGARCH_DOUBLE = 3,
};

static const struct abi *find_arm(uint32_t e_flags)
{
	if ((e_flags & (uint32_t)ARM_EABI_MASK) != ARM_EABI_5)
		return NULL;
	/* said by linked files only */
	switch (e_flags & (ARM_FLOAT_SOFT | ARM_FLOAT_HARD)) {
	case ARM_FLOAT_SOFT:	return &abi_arm_soft;
	case ARM_FLOAT_HARD:	return &abi_arm_hard;
	default:		return &abi_arm_unknown;
	}
}

static const struct abi *find_riscv64(uint32_t e_flags)
{
	if (e_flags & RISCV_RVE)
		return NULL;
	switch (e_flags & RISCV_FLOAT_MASK) {
	case 0:			return &abi_riscv64_lp64;
	case RISCV_FLOAT_SINGLE: return &abi_riscv64_lp64f;
	case RISCV_FLOAT_DOUBLE: return &abi_riscv64_lp64d;
	default:		return NULL;
	}
}

static const struct abi *find_loongarch64(uint32_t e_flags)
{
	switch (e_flags & LOONGARCH_FLOAT_MASK) {
	case LOONGARCH_SOFT:	return &abi_loongarch64_lp64s;
	case LOONGARCH_SINGLE:	return &abi_loongarch64_lp64f;
	case LOONGARCH_DOUBLE:	return &abi_loongarch64_lp64d;
	default:		return NULL;
	}
}

const struct abi *abi__find(uint16_t machine, uint32_t e_flags, bool is64, bool big)
{
	/* each is known in one class and one byte order only */
	if (big != (machine == EM_S390) || is64 == (machine == EM_386 || machine == EM_ARM))
		return NULL;
	switch (machine) {
	case EM_X86_64:
		return &abi_x86_64;
	case EM_386:
		return &abi_i386;
	case EM_AARCH64:
		return &abi_aarch64;
	case EM_ARM:
		return find_arm(e_flags);
	case EM_S390:
		return &abi_s390x;
	case EM_PPC64:
		return (e_flags & PPC64_ABI_MASK) == PPC64_ABI_V1 ? NULL : &abi_ppc64le;
	case EM_RISCV:
		return find_riscv64(e_flags);
	case EM_LOONGARCH:
		return find_loongarch64(e_flags);
	default:
		return NULL;
	}
}

void abi__begin(const struct abi *abi, const struct abi_type *ret, bool variadic,
		struct abi_walk *walk)
{
	*walk = (struct abi_walk){ .abi = abi, .variadic = variadic };
	/* the address of a result is passed as a pointer would be */
	if (ret && abi->result_by_reference(walk, ret)) {
		if (abi__gprs_left(walk))
			walk->gpr++;
		else
			walk->stack += abi->word;
	}
}

void abi__lose(struct abi_walk *walk)
{
	walk->lost = true;
}

enum abi_where abi__lost(struct abi_walk *walk)
{
	walk->lost = true;
	return ABI_NOT_KNOWN;
}

enum abi_where abi__next(struct abi_walk *walk, const struct abi_type *type,
			 struct loc *out)
{
	if (walk->lost || !type)
		return abi__lost(walk);
	/* bit-fields without a name, or C++'s empty class: bytes, and nothing known in them */
	if ((type->size && !type->nr_fields) || type->has_zero)
		return abi__lost(walk);
	return walk->abi->next(walk, type, out);
}

enum abi_where abi__put_regs(struct abi_walk *walk, const struct abi_type *type,
			     uint32_t nr, struct loc *out)
{
	const struct abi *abi = walk->abi;
	uint32_t first = walk->gpr;

	walk->gpr += nr;
	if (nr < 1 || nr > 2)
		return ABI_ELSEWHERE;
	*out = (struct loc){
		.flags = LOC_F_REG | (type->type.is_signed ? LOC_F_SIGNED : 0),
		.nr_regs = nr, .size = type->size,
		.reg = abi->gprs[first],
		.reg2 = nr == 2 ? abi->gprs[first + 1] : 0,
	};
	return ABI_PLACED;
}

static void set_memory(const struct abi_type *type, uint32_t reg, int64_t off,
		       struct loc *out)
{
	*out = (struct loc){
		.flags = LOC_F_REG | LOC_F_DEREF | (off ? LOC_F_OFFSET : 0) |
			 (type->type.is_signed ? LOC_F_SIGNED : 0),
		.nr_regs = 1, .size = type->size, .reg = reg, .off = off,
	};
}

enum abi_where abi__put_stack(struct abi_walk *walk, const struct abi_type *type, bool low,
			      struct loc *out)
{
	const struct abi *abi = walk->abi;
	uint64_t at = walk->stack;

	walk->stack += abi__round_up(type->size, abi->word);
	if (abi->big && low && type->size < abi->word)
		at += abi->word - type->size;
	set_memory(type, abi->sp, (int64_t)(abi->args + at), out);
	return ABI_PLACED;
}

int abi__is_aligned(const struct abi_type *type, uint32_t align, uint32_t to)
{
	if (align < to)
		return 0;
	if (!type->aggregate)
		return 1;
	return type->packed || type->scalar_align >= to ? -1 : 1;
}

enum abi_where abi__put_stack_aligned(struct abi_walk *walk, const struct abi_type *type,
				      int aligned, uint32_t to, struct loc *out)
{
	if (aligned < 0 && walk->stack % to)
		return abi__lost(walk);
	if (aligned)
		walk->stack = abi__round_up(walk->stack, to);
	return abi__put_stack(walk, type, false, out);
}

enum abi_where abi__put_reference(struct abi_walk *walk, const struct abi_type *type,
				  struct loc *out)
{
	const struct abi *abi = walk->abi;

	if (!abi__gprs_left(walk)) {
		walk->stack += abi->word;
		return ABI_ELSEWHERE;
	}
	if (!type->size) {
		walk->gpr++;
		return ABI_NOWHERE;
	}
	set_memory(type, abi->gprs[walk->gpr++], 0, out);
	return ABI_PLACED;
}

uint32_t abi__homogeneous(const struct abi_type *type, uint32_t *size)
{
	uint32_t i, each = type->nr_fields ? type->fields[0].size : 0;

	if ((!type->aggregate && !type->complex) || !each || type->more)
		return 0;
	/* the same place once: members of unions may lie on each other, but not across */
	for (i = 0; i < type->nr_fields; i++)
		if (type->fields[i].kind < ABI_S_FLOAT || type->fields[i].size != each ||
		    type->fields[i].off % each)
			return 0;
	if ((uint64_t)type->nr_fields * each != type->size)
		return 0;
	*size = each;
	return type->nr_fields;
}

bool abi__same_place(const struct loc *a, const struct loc *b)
{
	const uint8_t form = LOC_F_CONST | LOC_F_ADDR | LOC_F_REG | LOC_F_DEREF;
	int64_t off_a = a->flags & LOC_F_OFFSET ? a->off : 0;
	int64_t off_b = b->flags & LOC_F_OFFSET ? b->off : 0;

	if (!(a->flags & form) || (a->flags & form) != (b->flags & form) ||
	    a->size != b->size)
		return false;
	if (!(a->flags & LOC_F_REG))
		return a->val == b->val && a->sec == b->sec;
	return a->nr_regs == b->nr_regs && a->reg == b->reg && off_a == off_b &&
	       (a->nr_regs < 2 || a->reg2 == b->reg2);
}
