/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * abi.h - where the calling convention puts a function's parameters
 *
 * Conventions are tables, chosen by e_machine, e_flags and class, never by the host; all of
 * them are always built. Pure: what must be known of a type comes in an abi_type. They are
 * those of C, between functions that can be called from other units: a compiler may use
 * another one inside a unit.
 */
#ifndef LOCS_ABI_H
#define LOCS_ABI_H

#include "loc_expr.h"

enum { ABI_FIELDS_MAX = 32 };

enum abi_scalar {
	ABI_S_INT,		/* integer, bool, enum */
	ABI_S_POINTER,
	ABI_S_BITS,		/* a bit-field: the bytes that it touches */
	ABI_S_FLOAT,
	ABI_S_LONG_DOUBLE,	/* named so: x86's are of no vector register */
};

/* A scalar within a type, at its place. */
struct abi_field {
	uint32_t off;		/* bytes from the type's start */
	uint32_t size;		/* bytes */
	enum abi_scalar kind;
};

/* What a convention must know of a type. */
struct abi_type {
	uint32_t size;		/* bytes; 0: an empty struct */
	uint32_t align;		/* bytes, a power of two, what attributes ask for included */
	uint32_t natural;	/* the same, without the attribute of the type itself */
	uint32_t scalar_align;	/* the largest of its scalars, no attributes counted */
	struct loc_type type;	/* as for its locations */
	bool aggregate;		/* struct or union */
	bool complex;		/* _Complex, of two floats */
	bool has_union;		/* is, or holds, a union */
	bool has_array;		/* holds an array */
	bool has_zero;		/* holds an array of no elements, or one without a bound */
	bool has_nested;	/* holds a struct or union */
	bool has_empty;		/* holds a struct of no bytes */
	bool bitfields;		/* holds named ones; those without a name are in no DWARF */
	/*
	 * Packed, as much as can be seen: a member stands where its alignment does not let it,
	 * the size is no multiple of the alignment, or an attribute asks for less.
	 */
	bool packed;
	struct abi_field fields[ABI_FIELDS_MAX];	/* of an array each; the same one once */
	uint32_t nr_fields;
	bool more;		/* it has more scalars than fit here */
};

struct abi;		/* one machine's convention, constant */

/*
 * The convention of a machine: @machine, @e_flags of the ELF header, @is64 its class, @big its
 * byte order. NULL where it is not known.
 */
const struct abi *abi__find(uint16_t machine, uint32_t e_flags, bool is64, bool big);

/* A walk over one function's parameters; to be treated as opaque. */
struct abi_walk {
	const struct abi *abi;
	uint32_t gpr;		/* integer registers used up */
	uint32_t fpr;		/* of the others: number; Arm: a bit for each */
	uint64_t stack;		/* bytes of the argument area used up */
	bool variadic;
	bool lost;
};

enum abi_where {
	ABI_PLACED,		/* where @out says */
	ABI_ELSEWHERE,		/* in a vector register, partly on the stack, ...: no location says it */
	ABI_NOWHERE,		/* it has no bytes, nothing is passed */
	ABI_NOT_KNOWN,		/* not known; nor for any parameter after it */
};

/*
 * Begins with the result: @ret NULL is void; one that is returned in memory takes up a
 * register on most machines. @variadic: the prototype ends in "...".
 */
void abi__begin(const struct abi *abi, const struct abi_type *ret, bool variadic,
		struct abi_walk *walk);

/* Something of the function is not known (its result's type): nor is any parameter's place. */
void abi__lose(struct abi_walk *walk);

/*
 * Where the next parameter's value is at the function's first byte (before anything of it has
 * run): a register, two, memory at a register (by reference), or memory at the stack pointer +
 * an offset. *@out as loc_expr__reduce() would have it, with the type's size and sign; untouched
 * unless ABI_PLACED. @type NULL: one that is not known.
 */
enum abi_where abi__next(struct abi_walk *walk, const struct abi_type *type,
			 struct loc *out);

/*
 * Whether two locations read the same bytes. How they are widened (LOC_F_SIGNED) makes no
 * difference, nor whether an offset of 0 is written. False for locations that are not there.
 */
bool abi__same_place(const struct loc *a, const struct loc *b);

/* Which of the registers that pass parameters an integer register (DWARF number) is, -1: none. */
int abi__arg_index(const struct abi *abi, uint32_t reg);
/* The stack pointer's DWARF number. */
uint32_t abi__stack_reg(const struct abi *abi);

#endif
