/* SPDX-License-Identifier: GPL-2.0-only */
/* abi_internal.h - what the conventions of the machines share */
#ifndef LOCS_ABI_INTERNAL_H
#define LOCS_ABI_INTERNAL_H

#include "abi.h"

enum { ABI_GPRS_MAX = 8 };

/* How a machine passes floating-point values. */
enum abi_float {
	ABI_FLOAT_HARD,		/* in registers of their own */
	ABI_FLOAT_SOFT,		/* as integers of the same size */
	ABI_FLOAT_UNKNOWN,	/* the file does not say */
};

struct abi {
	uint8_t word;		/* bytes of an integer register, and of a stack slot */
	bool big;		/* byte order */
	uint8_t nr_gprs;
	uint8_t gprs[ABI_GPRS_MAX];	/* DWARF numbers, in the order they are used up */
	uint8_t nr_fprs;
	uint8_t sp;		/* DWARF number of the stack pointer */
	uint8_t args;		/* bytes from there to the first argument on the stack */
	enum abi_float fp;
	uint8_t flen;		/* bytes of the widest float in a register of its own */
	/* Whether the result's address is passed like a parameter before the first. */
	bool (*result_by_reference)(struct abi_walk *walk, const struct abi_type *ret);
	/* abi__next() for a type that is known and not yet lost. */
	enum abi_where (*next)(struct abi_walk *walk, const struct abi_type *type,
			       struct loc *out);
};

extern const struct abi abi_x86_64;
extern const struct abi abi_i386;
extern const struct abi abi_aarch64;
extern const struct abi abi_arm_hard, abi_arm_soft, abi_arm_unknown;
extern const struct abi abi_s390x;
extern const struct abi abi_ppc64le;
extern const struct abi abi_riscv64_lp64, abi_riscv64_lp64f, abi_riscv64_lp64d;
extern const struct abi abi_loongarch64_lp64s, abi_loongarch64_lp64f, abi_loongarch64_lp64d;

static inline uint64_t abi__round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/* Integer registers that are left. */
static inline uint32_t abi__gprs_left(const struct abi_walk *walk)
{
	return walk->abi->nr_gprs - walk->gpr;
}

/*
 * Whether its alignment, @align (the type's own or its natural one), is @to bytes or more. -1: not
 * known, for what is packed is in no DWARF where it leaves every member at its place.
 */
int abi__is_aligned(const struct abi_type *type, uint32_t align, uint32_t to);

/* Not known, nor is anything after it. */
enum abi_where abi__lost(struct abi_walk *walk);

/*
 * The value in the next @nr integer registers, which must be left: one or two are a
 * location.
 */
enum abi_where abi__put_regs(struct abi_walk *walk, const struct abi_type *type,
			     uint32_t nr, struct loc *out);

/*
 * The value on the stack; @low: in big-endian order a value narrower than a word stands at the
 * word's end.
 */
enum abi_where abi__put_stack(struct abi_walk *walk, const struct abi_type *type, bool low,
			      struct loc *out);

/* The same, its slot aligned to @to bytes where @aligned, as abi__is_aligned() has it. */
enum abi_where abi__put_stack_aligned(struct abi_walk *walk, const struct abi_type *type,
				      int aligned, uint32_t to, struct loc *out);

/* The value's address in the next integer register, or on the stack. */
enum abi_where abi__put_reference(struct abi_walk *walk, const struct abi_type *type,
				  struct loc *out);

/*
 * The number of members of a homogeneous floating-point aggregate, _Complex included: all its
 * scalars are floats of one size, and nothing else is in it; *@size theirs. 0: it is none.
 */
uint32_t abi__homogeneous(const struct abi_type *type, uint32_t *size);

/* A float that is not part of anything. */
static inline bool abi__is_float(const struct abi_type *type)
{
	return !type->aggregate && !type->complex && type->nr_fields == 1 &&
	       type->fields[0].kind >= ABI_S_FLOAT;
}

#endif
