/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * locs_set.h - the records of one compilation unit, between loader and encoder
 *
 * A unit's set is complete in itself: types that the base BTF lacks are described
 * in it, so that units can be read by any worker, in any order, and are added to the
 * encoder in the order of the file.
 */
#ifndef LOCS_SET_H
#define LOCS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../btf_locs.h"

/* Why a parameter has no location. */
enum loc_reason {
	LOC_OK = 0,
	LOC_NO_CHILD,		/* the site has no entry for the parameter */
	LOC_NO_ATTR,		/* an entry without location or constant */
	LOC_NOT_AT_ENTRY,	/* a location list, none of it holds at the entry */
	LOC_NO_VIEWS,		/* holds from the entry on, or since an assignment at it */
	LOC_TWO_WAYS,		/* the address is reached in two ways, with two values */
	LOC_NOT_STORED,		/* in memory that is about to be written */
	LOC_BOOL_BITS,		/* a bool of which only the lowest bit is known, or an even constant */
	LOC_EMPTY,		/* an empty expression: optimized out */
	LOC_ENTRY_VALUE,	/* the caller's register at its entry */
	LOC_IMPLICIT_POINTER,	/* points at what is nowhere */
	LOC_PARAMETER_REF,	/* the caller's parameter, by reference */
	LOC_ARITHMETIC,		/* a computation that has no form of its own */
	LOC_PIECES,		/* pieces that are not two whole registers */
	LOC_NARROW,		/* fewer bytes than the type */
	LOC_REGISTER,		/* vector, floating point: no tracer can fetch it */
	LOC_FLOAT_CONST,	/* a floating-point constant */
	LOC_WIDE_CONST,		/* a constant of more than 8 bytes */
	LOC_NO_FRAME_BASE,	/* no frame base known at the address */
	LOC_TLS,		/* thread-local */
	LOC_NO_SIZE,		/* the type's size is not known, or it is 0 */
	LOC_OUTSIDE,		/* an address that is in no section */
	LOC_UNKNOWN_OP,		/* an operator that is not understood */
	LOC_MALFORMED,		/* an expression or list cut off or out of bounds */
	LOC_WORK_LIMIT,		/* the unit has used up what reading it may cost */
	LOC_NR_REASONS
};

/* Why an inline site, or a function, has no record. */
enum skip_reason {
	SKIP_NO_ADDRESS = 0,	/* no entry_pc, low_pc or range that is not empty */
	SKIP_TOMBSTONE,		/* its code was thrown away by the linker */
	SKIP_NOT_EXEC,		/* not in an allocated, executable section */
	SKIP_NO_NAME,		/* its function has no name */
	SKIP_NO_ORIGIN,		/* its abstract origin cannot be found */
	SKIP_TYPE,		/* its prototype cannot be described in BTF */
	SKIP_SECTION_NAME,	/* its section's name is another section's as well */
	SKIP_OUTSIDE,		/* a site in no range of the function around it */
	SKIP_NO_SYMBOL,		/* a function that no symbol names: a weak one that was overridden */
	SKIP_TOO_DEEP,		/* within more entries than are followed, and all in it */
	SKIP_NR_REASONS
};

/* Bounds on work that only made-up input meets; what was found by then is right. */
enum limit_reason {
	LIMIT_TYPES = 0,	/* functions with types that may be described anew */
	LIMIT_TWINS,		/* objects whose BTF repeats more of the kernel's than is compared */
	LIMIT_MERGE,		/* units with types that may be written once more */
	LIMIT_NR_REASONS
};

/* "entry_value", ...: short names for keys and statistics. */
const char *loc_reason__str(enum loc_reason why);
const char *skip_reason__str(enum skip_reason why);
const char *limit_reason__str(enum limit_reason why);

/* One location; @flags 0: not available. The meaning of the fields is the format's. */
struct loc {
	uint8_t flags;		/* LOC_F_* */
	uint8_t nr_regs;	/* 1 or 2 with LOC_F_REG */
	uint32_t size;		/* bytes of the value */
	uint32_t reg;
	uint32_t reg2;
	int64_t off;
	uint64_t val;		/* constant, or address (offset into section @sec) */
	uint32_t sec;		/* ELF section index of the address in a relocatable file */
};

struct locs_stats {
	uint64_t units;
	uint64_t sites;		/* with an address in the file: records and skipped ones */
	uint64_t recs[BTF_LOCS_FUNC + 1];
	uint64_t params;
	uint64_t none[LOC_NR_REASONS];	/* [LOC_OK]: those located */
	uint64_t skip[SKIP_NR_REASONS];
	uint64_t full;		/* records with every parameter located */
	/* of functions out of line: those of kind func are not in the figures above */
	uint64_t functions;	/* with an address in the file */
	uint64_t func_skip[SKIP_NR_REASONS];
	uint64_t func_params;	/* of those whose records name locations */
	uint64_t func_none[LOC_NR_REASONS];
	uint64_t limits[LIMIT_NR_REASONS];
};

/*
 * A reference to a type: an id of the base (below the chain's btf_chain__nr_types())
 * or that number + an index into the unit's own types.
 */
typedef uint32_t tref_t;

/* An element of a type that the base lacks: member, parameter or enumerator. */
struct set_elem {
	const char *name;	/* "" for none */
	tref_t type;
	uint64_t val;		/* bit offset | bitfield size << 32; enumerator's value */
};

/* A type that the base lacks, in BTF's terms. */
struct set_type {
	uint8_t kind;		/* enum btf_kind */
	bool kflag;
	const char *name;	/* "" for none */
	uint32_t size;		/* bytes; the index type's tref for ARRAY */
	uint32_t extra;		/* INT's data word; ARRAY's number of elements */
	tref_t type;		/* what PTR, CONST, ... FUNC, ARRAY, FUNC_PROTO refer to */
	uint32_t first;		/* elements: index into the unit's */
	uint32_t nr;
};

/* A function with sites in this unit. */
struct set_func {
	const char *name;
	void *origin;		/* its abstract instance's Dwarf_Die: addr ... */
	void *cu;		/* ... and cu */
	bool has_recs;		/* some record is of it */
	tref_t proto;		/* FUNC_PROTO, once resolved */
	uint32_t func_id;	/* FUNC in the base, or 0 */
	uint32_t nr_params;	/* varargs not counted */
	int err;		/* its prototype could not be resolved */
};

struct set_rec {
	uint64_t offset;	/* from its section's first byte */
	uint32_t sec;		/* ELF section index */
	uint32_t func;		/* index into the unit's functions */
	uint32_t first_loc;	/* index into its locations, func.nr_params of them */
	uint8_t kind;		/* enum btf_locs_kind */
	bool out_of_line;	/* a function, not a site */
	bool conforms;		/* its parameters are where they belong: it has no locations */
	bool plain;		/* and its symbol has its own name: nothing need be said of it */
	bool by_symbol;		/* found by its symbol alone: the DWARF gives it no code */
};

struct locs_set {
	struct set_func *funcs;
	size_t nr_funcs, cap_funcs;
	struct set_rec *recs;
	size_t nr_recs, cap_recs;
	struct loc *locs;
	uint8_t *reasons;	/* enum loc_reason, one for each of locs */
	size_t nr_locs, cap_locs, cap_reasons;
	struct set_type *types;
	size_t nr_types, cap_types;
	struct set_elem *elems;
	size_t nr_elems, cap_elems;
	uint64_t sites;		/* DIEs with an address, written or not */
	uint64_t skip[SKIP_NR_REASONS];
	uint64_t functions;	/* the same of functions out of line */
	uint64_t func_skip[SKIP_NR_REASONS];
	uint64_t limited;	/* functions: LIMIT_TYPES */
};

void locs_set__init(struct locs_set *set);
void locs_set__free(struct locs_set *set);
/* Empty again, memory kept. */
void locs_set__reset(struct locs_set *set);

/*
 * Room for @n more elements in an array that grows: returns 0 or -ENOMEM. To be used
 * through array__room(arr, nr, cap, n).
 */
int array__grow(void **data, size_t *cap, size_t need, size_t elem);
#define array__room(data, nr, cap, n) \
	((nr) + (n) <= (cap) ? 0 : \
	 array__grow((void **)&(data), &(cap), (nr) + (n), sizeof(*(data))))

#endif
