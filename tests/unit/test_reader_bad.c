// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_reader_bad.c - which types the reader refuses, a crafted section for each rule
 *
 * The base has 11 types, so that the first type of a section is 12; it stands at 0x20,
 * behind a header of 32 bytes. A LOC_PARAM has 16 bytes and 4 for each word, a LOC_PROTO
 * 12 and 4 for each element.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "both_orders.h"
#include "locs_blob.h"

#define WORDS(...) (uint32_t[]){ __VA_ARGS__ }

/* A section of what @fill adds, and the line that refuses it. */
struct rule {
	void (*fill)(struct blob *sec);
	const char *line;	/* NULL: it is sound */
};

static void param_named(struct blob *s)
{
	blob__type(s, BTF_K_LOC_PARAM, "p", 1, false, 4);
	blob__word(s, LOC_F_REG);
	blob__word(s, 5);
}

static void param_kflag(struct blob *s)
{
	blob__type(s, BTF_K_LOC_PARAM, NULL, 1, true, 4);
	blob__word(s, LOC_F_REG);
	blob__word(s, 5);
}

static void param_flag_0x40(struct blob *s)
{
	blob__loc_param(s, 4, 0x48, 1, WORDS(5));
}

static void param_no_flags(struct blob *s)
{
	blob__loc_param(s, 4, 0, 1, WORDS(5));
}

static void param_three_regs(struct blob *s)
{
	blob__loc_param(s, 8, LOC_F_REG, 3, WORDS(1, 2, 3));
}

static void param_size_0(struct blob *s)
{
	blob__loc_param(s, 0, LOC_F_REG, 1, WORDS(5));
}

static void param_reg_of_9(struct blob *s)
{
	blob__loc_param(s, 9, LOC_F_REG, 1, WORDS(5));
}

static void param_regs_of_16(struct blob *s)
{
	blob__loc_param(s, 16, LOC_F_REG, 2, WORDS(5, 4));
}

static void param_regs_of_17(struct blob *s)
{
	blob__loc_param(s, 17, LOC_F_REG, 2, WORDS(5, 4));
}

static void param_const_of_9(struct blob *s)
{
	blob__loc_param(s, 9, LOC_F_CONST, 1, WORDS(5));
}

static void param_mem_of_4096(struct blob *s)
{
	blob__loc_param(s, 4096, LOC_F_REG | LOC_F_DEREF, 1, WORDS(5));
}

/* The section's name of an address: "" (offset 0), and past the end of all strings. */
static void param_sec_empty(struct blob *s)
{
	blob__loc_param(s, 8, LOC_F_CONST | LOC_F_ADDR, 3, WORDS(1, 0, 0));
}

static void proto_named(struct blob *s)
{
	blob__type(s, BTF_K_LOC_PROTO, "p", 0, false, 0);
}

static void proto_sized(struct blob *s)
{
	blob__type(s, BTF_K_LOC_PROTO, NULL, 0, false, 3);
}

static void proto_of_struct(struct blob *s)
{
	blob__loc_proto(s, 2, WORDS(0, ID_STRUCT));
}

static void proto_of_itself(struct blob *s)
{
	blob__loc_proto(s, 1, WORDS(12));
}

/* A LOC_PARAM that comes later is one too. */
static void proto_forward(struct blob *s)
{
	blob__loc_proto(s, 2, WORDS(13, 0));
	blob__loc_param(s, 4, LOC_F_REG, 1, WORDS(5));
}

static void sec_unnamed(struct blob *s)
{
	blob__locsec(s, NULL, 0);
}

static void sec_prefix_alone(struct blob *s)
{
	blob__locsec(s, "func:", 0);
}

static void sec_func_is_proto(struct blob *s)
{
	blob__locsec(s, ".text", 2);
	blob__rec(s, ID_FOO, 0, 0);
	blob__rec(s, ID_PROTO2, 0, 4);
}

static void sec_func_is_void(struct blob *s)
{
	blob__locsec(s, ".text", 1);
	blob__rec(s, 0, 0, 0);
}

static void sec_proto_is_param(struct blob *s)
{
	blob__loc_param(s, 4, LOC_F_REG, 1, WORDS(5));
	blob__locsec(s, ".text", 1);
	blob__rec(s, ID_BAR, 12, 0);
}

static void sec_proto_is_func(struct blob *s)
{
	blob__locsec(s, ".text", 1);
	blob__rec(s, ID_BAR, ID_BAR, 0);
}

static void sec_too_few(struct blob *s)
{
	blob__loc_proto(s, 1, WORDS(0));
	blob__locsec(s, ".text", 1);
	blob__rec(s, ID_FOO, 12, 0);
}

/* Varargs have no element. */
static void sec_varargs_counted(struct blob *s)
{
	blob__loc_proto(s, 2, WORDS(0, 0));
	blob__locsec(s, ".text", 1);
	blob__rec(s, ID_PRINTK, 12, 0);
}

static void sec_descends(struct blob *s)
{
	blob__locsec(s, ".text", 3);
	blob__rec(s, ID_FOO, 0, 0x10);
	blob__rec(s, ID_FOO, 0, 0x20);
	blob__rec(s, ID_FOO, 0, 0x1f);
}

static void sec_one_offset_twice(struct blob *s)
{
	blob__locsec(s, ".text", 2);
	blob__rec(s, ID_FOO, 0, 0x10);
	blob__rec(s, ID_FOO, 0, 0x10);
}

/* sec:.known=1000,40 */
static void sec_at_its_end(struct blob *s)
{
	blob__locsec(s, ".known", 1);
	blob__rec(s, ID_FOO, 0, 0x40);
}

static void sec_past_its_end(struct blob *s)
{
	blob__locsec(s, "part.known", 1);
	blob__rec(s, ID_FOO, 0, 0x41);
}

static void sec_bad_key(struct blob *s)
{
	blob__locsec(s, ".bad", 0);
}

static void sec_key_wraps(struct blob *s)
{
	blob__locsec(s, ".wrap", 0);
}

/* A NAME with a '=' in it, and the beginning of it a name too. */
static void sec_key_equals(struct blob *s)
{
	blob__locsec(s, ".eq=x", 1);
	blob__rec(s, ID_FOO, 0, 8);
	blob__locsec(s, ".eq", 1);
	blob__rec(s, ID_FOO, 0, 16);
}

static void kind_23(struct blob *s)
{
	blob__type(s, 23, NULL, 0, false, 0);
}

static const char *const rule_keys[] = {
	"sec:.known=1000,40", "sec:.bad=1000", "sec:.wrap=ffffffffffffffff,2",
	"sec:.eq=x=0,8", "sec:.eq=0,10", "sec:part.x=q", NULL,
};

static const struct rule rules[] = {
	{ param_named, "type 12 (LOC_PARAM 'p') at 0x20: has a name" },
	{ param_kflag, "type 12 (LOC_PARAM) at 0x20: has the kind flag set" },
	{ param_flag_0x40, "type 12 (LOC_PARAM) at 0x20: "
			   "flags 0x48 are no form of a location" },
	{ param_no_flags, "type 12 (LOC_PARAM) at 0x20: "
			  "flags 0x0 are no form of a location" },
	{ param_three_regs, "type 12 (LOC_PARAM) at 0x20: "
			    "3 words do not go with flags 0x8" },
	{ param_size_0, "type 12 (LOC_PARAM) at 0x20: "
			"a value of 0 bytes does not go with flags 0x8" },
	{ param_reg_of_9, "type 12 (LOC_PARAM) at 0x20: "
			  "a value of 9 bytes does not go with flags 0x8" },
	{ param_regs_of_16, NULL },
	{ param_regs_of_17, "type 12 (LOC_PARAM) at 0x20: "
			    "a value of 17 bytes does not go with flags 0x8" },
	{ param_const_of_9, "type 12 (LOC_PARAM) at 0x20: "
			    "a value of 9 bytes does not go with flags 0x2" },
	{ param_mem_of_4096, NULL },
	{ param_sec_empty, "type 12 (LOC_PARAM) at 0x20: "
			   "no section name at string offset 0" },
	{ proto_named, "type 12 (LOC_PROTO 'p') at 0x20: has a name" },
	{ proto_sized, "type 12 (LOC_PROTO) at 0x20: has a size, 3" },
	{ proto_of_struct, "type 12 (LOC_PROTO) at 0x20: "
			   "element 1 names type 11, a STRUCT" },
	{ proto_of_itself, "type 12 (LOC_PROTO) at 0x20: "
			   "element 0 names type 12, a LOC_PROTO" },
	{ proto_forward, NULL },
	{ sec_unnamed, "type 12 (LOCSEC) at 0x20: names no section" },
	{ sec_prefix_alone, "type 12 (LOCSEC 'func:') at 0x20: names no section" },
	{ sec_func_is_proto, "type 12 (LOCSEC '.text') at 0x20: "
			     "record 1: func 5 is no FUNC" },
	{ sec_func_is_void, "type 12 (LOCSEC '.text') at 0x20: "
			    "record 0: func 0 is no FUNC" },
	/* the LOC_PARAM has 16 + 4 bytes */
	{ sec_proto_is_param, "type 13 (LOCSEC '.text') at 0x34: "
			      "record 0: loc_proto 12 is no LOC_PROTO" },
	{ sec_proto_is_func, "type 12 (LOCSEC '.text') at 0x20: "
			     "record 0: loc_proto 8 is no LOC_PROTO" },
	/* the LOC_PROTO 12 + 4, or 12 + 8 */
	{ sec_too_few, "type 13 (LOCSEC '.text') at 0x30: "
		       "record 0: loc_proto 12 has 1 elements, 'foo' 2 parameters" },
	{ sec_varargs_counted, "type 13 (LOCSEC '.text') at 0x34: record 0: "
			       "loc_proto 12 has 2 elements, 'printk' 1 parameters" },
	{ sec_descends, "type 12 (LOCSEC '.text') at 0x20: "
			"record 2: offset 0x1f comes after 0x20" },
	{ sec_one_offset_twice, NULL },
	{ sec_at_its_end, NULL },
	{ sec_past_its_end, "type 12 (LOCSEC 'part.known') at 0x20: "
			    "record 0: offset 0x41, the section has 0x40" },
	{ sec_bad_key, "type 12 (LOCSEC '.bad') at 0x20: "
		       "sec:.bad='1000' is no address and size" },
	{ sec_key_wraps, "type 12 (LOCSEC '.wrap') at 0x20: "
			 "sec:.wrap='ffffffffffffffff,2' is no address and size" },
	{ sec_key_equals, NULL },
	{ kind_23, "type 12 at 0x20: kind 23 is not known" },
};

static void check_rule(bool big, size_t i)
{
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	struct blob base, sec;
	int ret;

	locs_base__build(&base, big);
	locs_sec__init(&sec, &base, 1, rule_keys);
	rules[i].fill(&sec);
	ret = locs_open__blob(&base, NULL, &sec, &locs, &err);
	if (rules[i].line) {
		if (strcmp(err.text, rules[i].line))
			fail_msg("rule %zu\n  is:   %s\n  want: %s", i, err.text,
				 rules[i].line);
		assert_int_equal(ret, -EBADMSG);
		assert_null(locs);
	} else {
		if (ret)
			fail_msg("rule %zu: %s", i, err.text);
		locs__walk_all(locs);
		btf_locs__close(locs);
	}
	blob__free(&base);
	blob__free(&sec);
}

static void test_rules(void **state)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		check_rule(*state != NULL, i);
}

/*
 * Every combination of flags and numbers of words, against the table of format.md
 * written out once more: a bit of @vlens for each number of words that is right.
 */
static unsigned int vlens_of(uint32_t flags)
{
	switch (flags & ~1u) {		/* SIGNED */
	case 0x08:			/* REG */
		return 1 << 1 | 1 << 2;
	case 0x28:			/* REG, OFFSET */
		return 1 << 2 | 1 << 3;
	case 0x18:			/* REG, DEREF */
		return 1 << 1;
	case 0x38:			/* REG, DEREF, OFFSET */
		return 1 << 2 | 1 << 3;
	case 0x02:			/* CONST */
		return 1 << 1 | 1 << 2;
	case 0x06:			/* CONST, ADDR */
	case 0x16:			/* CONST, ADDR, DEREF */
		return 1 << 2 | 1 << 3;
	default:
		return 0;
	}
}

static void test_all_flags(void **state)
{
	uint32_t words[5] = { 1, 0, 0, 0, 0 }, flags, vlen;
	struct blob base, sec;
	unsigned int ok;

	locs_base__build(&base, *state != NULL);
	for (flags = 0; flags < 0x100; flags++) {
		for (vlen = 0; vlen <= 4; vlen++) {
			struct btf_locs *locs = NULL;

			locs_sec__init(&sec, &base, 1, NULL);
			words[2] = blob__str(&sec, ".data");
			blob__loc_param(&sec, 4, flags, vlen, words);
			ok = !locs_open__blob(&base, NULL, &sec, &locs, NULL);
			if (ok != (vlens_of(flags) >> vlen & 1))
				fail_msg("flags 0x%x, %u words: %s", flags, vlen,
					 ok ? "taken" : "refused");
			btf_locs__close(locs);
			blob__free(&sec);
		}
	}
	blob__free(&base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_ORDERS(test_rules),
		BOTH_ORDERS(test_all_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
