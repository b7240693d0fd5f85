/* SPDX-License-Identifier: GPL-2.0-only */
/* loc_expr_util.h - rows of an expression, its type and machine, and what is expected */
#ifndef TEST_LOC_EXPR_UTIL_H
#define TEST_LOC_EXPR_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/loc_expr.h"
#include "../../lib/locs_format.h"

#define U(n)	{ (n), false, LOC_C_INT }
#define S(n)	{ (n), true, LOC_C_INT }
#define BOOL1	{ 1, false, LOC_C_BOOL }
#define FLT(n)	{ (n), true, LOC_C_FLOAT }
#define AGG(n)	{ (n), false, LOC_C_AGGREGATE }

/* Machines: x86-64, s390x (big), i386, 32-bit arm big-endian. */
enum { M64, MBIG, M32, MBIG32 };

struct expr_case {
	const char *what;
	struct loc_type type;
	uint8_t bytes[48];
	uint8_t len;
	enum loc_reason why;
	struct loc loc;
	uint8_t machine;
};

#define E(...)	{ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

/* What is expected, by the form that format.md gives it. */
#define REG(sz, r, f) \
	LOC_OK, { .flags = LOC_F_REG | (f), .nr_regs = 1, .size = sz, .reg = r }
#define REGOFF(sz, r, o, f) \
	LOC_OK, { .flags = LOC_F_REG | LOC_F_OFFSET | (f), .nr_regs = 1, .size = sz, \
		  .reg = r, .off = o }
#define MEM(sz, r, o, f)	REGOFF(sz, r, o, LOC_F_DEREF | (f))
#define MEM0(sz, r, f)		REG(sz, r, LOC_F_DEREF | (f))
#define REGS(sz, r, s, f) \
	LOC_OK, { .flags = LOC_F_REG | (f), .nr_regs = 2, .size = sz, .reg = r, \
		  .reg2 = s }
#define CONST(sz, v, f) \
	LOC_OK, { .flags = LOC_F_CONST | (f), .size = sz, .val = (uint64_t)(v) }
#define ADDR(sz, v, f)		CONST(sz, v, LOC_F_ADDR | (f))
#define NONE(why)		LOC_##why, { 0 }
#define SG			LOC_F_SIGNED

/* base types that convert, regval_type, const_type and deref_type name, by offset */
enum { T_U8 = 1, T_S8, T_U16, T_S16, T_U32, T_S32, T_U64, T_S64, T_FLOAT, T_DOUBLE,
       T_NONE, T_U128, T_BOOL };

static const struct loc_type base_types[] = {
	[T_U8] = U(1), [T_S8] = S(1), [T_U16] = U(2), [T_S16] = S(2), [T_U32] = U(4),
	[T_S32] = S(4), [T_U64] = U(8), [T_S64] = S(8), [T_FLOAT] = FLT(4),
	[T_DOUBLE] = FLT(8), [T_NONE] = U(0), [T_U128] = U(16),
	[T_BOOL] = BOOL1,
};

static inline int test_base_type(void *arg, uint64_t off, struct loc_type *out)
{
	(void)arg;
	if (!off || off >= sizeof(base_types) / sizeof(*base_types))
		return -EBADMSG;
	*out = base_types[off];
	return 0;
}

/* Frame base: register 6 + 16; CFA: register 7 + 8. */
static inline int test_frame_base(void *arg, bool cfa, uint32_t *reg, int64_t *off)
{
	(void)arg;
	*reg = cfa ? 7 : 6;
	*off = cfa ? 8 : 16;
	return 0;
}

static inline int test_addrx(void *arg, uint64_t idx, uint64_t *addr)
{
	(void)arg;
	if (idx > 3)
		return -EBADMSG;
	*addr = 0x1000 * (idx + 1);
	return 0;
}

static inline struct loc_ctx context(uint8_t machine, struct loc_type type)
{
	static const uint16_t em[] = { EM_X86_64, EM_S390, EM_386, EM_ARM };
	bool wide = machine == M64 || machine == MBIG;
	struct loc_ctx ctx = {
		.big = machine == MBIG || machine == MBIG32, .addr_size = wide ? 8 : 4,
		.reg_size = wide ? 8 : 4,
			.machine = em[machine],
		.type = type, .frame_base = test_frame_base, .addrx = test_addrx,
		.base_type = test_base_type,
	};

	return ctx;
}

#define STACK	0x9f
#define PIECE	0x93

#define UNTOUCHED 0xa5

/* Reduces a copy of just @len bytes, so that ASan sees any step beyond. */
static inline enum loc_reason reduce(const struct loc_ctx *ctx, const uint8_t *bytes,
				     size_t len, struct loc *out)
{
	uint8_t *copy = malloc(len ? len : 1);
	enum loc_reason why;

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	why = loc_expr__reduce(ctx, copy, len, out);
	free(copy);
	return why;
}

static inline void check_case(const struct expr_case *c)
{
	struct loc_ctx ctx = context(c->machine, c->type);
	struct loc got, none;
	enum loc_reason why;

	memset(&got, UNTOUCHED, sizeof(got));
	memset(&none, UNTOUCHED, sizeof(none));
	why = reduce(&ctx, c->bytes, c->len, &got);
	if (why != c->why)
		fail_msg("%s: %s, expected %s", c->what, loc_reason__str(why),
			 loc_reason__str(c->why));
	if (why != LOC_OK) {
		assert_memory_equal(&got, &none, sizeof(got));
		return;
	}
	if (got.flags != c->loc.flags || got.nr_regs != c->loc.nr_regs ||
	    got.size != c->loc.size || got.reg != c->loc.reg || got.reg2 != c->loc.reg2 ||
	    got.off != c->loc.off || got.val != c->loc.val || got.sec)
		fail_msg("%s: flags %x size %u regs %u: %u %u off %lld val %llx", c->what,
			 got.flags, got.size, got.nr_regs, got.reg, got.reg2,
			 (long long)got.off, (unsigned long long)got.val);
}

/*
 * Cut off at every byte: another location or a reason, but nothing is read behind, and a
 * reason leaves the output alone.
 */
static inline void check_truncated(const struct expr_case *c)
{
	struct loc_ctx ctx = context(c->machine, c->type);
	struct loc got, none;
	enum loc_reason why;
	size_t len;

	memset(&none, UNTOUCHED, sizeof(none));
	for (len = 0; len < c->len; len++) {
		memset(&got, UNTOUCHED, sizeof(got));
		why = reduce(&ctx, c->bytes, len, &got);
		assert_true(why < LOC_NR_REASONS);
		if (!len)
			assert_int_equal(why, LOC_EMPTY);
		if (why != LOC_OK)
			assert_memory_equal(&got, &none, sizeof(got));
		else
			assert_true(got.flags && !(got.flags & ~LOC_F_ALL) && got.size &&
				    got.size <= c->type.size);
	}
}

#define CHECK_ALL(cases, check)							\
	do {									\
		size_t i_;							\
										\
		for (i_ = 0; i_ < sizeof(cases) / sizeof(*(cases)); i_++)	\
			check(&(cases)[i_]);					\
	} while (0)

#endif
