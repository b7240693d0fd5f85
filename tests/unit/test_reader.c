// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_reader.c - what the reader says of good sections, in both byte orders */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../lib/locsec_name.h"
#include "both_orders.h"
#include "locs_blob.h"

/* The sample of locs_blob.c, open. */
static struct btf_locs *open_sample(bool big)
{
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	struct blob base, sec;

	locs_sample__build(&base, &sec, big);
	if (locs_open__blob(&base, NULL, &sec, &locs, &err))
		fail_msg("%s", err.text);
	blob__free(&base);
	blob__free(&sec);
	return locs;
}

static bool is_big(void **state)
{
	return *state != NULL;
}

static void test_info(void **state)
{
	struct btf_locs *locs = open_sample(is_big(state));

	assert_int_equal(btf_locs__machine(locs), 62);
	assert_string_equal(btf_locs__info(locs, "build_id"), "0123abcd");
	assert_string_equal(btf_locs__info(locs, "btf_locs"), "1");
	assert_string_equal(btf_locs__info(locs, "sec:.text"), "ffffffff81000000,1000");
	assert_string_equal(btf_locs__info(locs, "base_types"), "11");
	assert_null(btf_locs__info(locs, "build"));
	assert_null(btf_locs__info(locs, "build_id2"));
	assert_null(btf_locs__info(locs, "zzz"));
	assert_null(btf_locs__info(locs, ""));
	assert_string_equal(btf_locs__info_at(locs, 0), "btf_locs=1");
	assert_string_equal(btf_locs__info_at(locs, 1), "machine=62");
	assert_string_equal(btf_locs__info_at(locs, 8), "count:sites=4");
	assert_null(btf_locs__info_at(locs, 9));
	assert_int_equal(btf_locs__first_type(locs), 12);
	assert_int_equal(btf_locs__nr_types(locs), 32);
	assert_string_equal(btf_locs__type_name(locs, ID_FOO), "foo");
	assert_string_equal(btf_locs__type_name(locs, 13), "own");
	assert_string_equal(btf_locs__type_name(locs, 14), "");
	assert_string_equal(btf_locs__type_name(locs, 32), "");
	btf_locs__close(locs);
	btf_locs__close(NULL);
}

static void test_secs(void **state)
{
	static const struct btf_locs_sec want[] = {
		{ 28, BTF_LOCS_INLINE, ".text", 0xffffffff81000000, 0x1000, 4 },
		{ 29, BTF_LOCS_GUESS, ".init.text", 0xffffffff82000000, 0x200, 1 },
		{ 30, BTF_LOCS_PART, ".text", 0xffffffff81000000, 0x1000, 1 },
		{ 31, BTF_LOCS_FUNC, "other", 0, 0, 2 },
	};
	struct btf_locs *locs = open_sample(is_big(state));
	struct btf_locs_sec sec;

	assert_int_equal(btf_locs__nr_secs(locs), 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(btf_locs__sec(locs, i, &sec), 0);
		assert_int_equal(sec.type_id, want[i].type_id);
		assert_int_equal(sec.kind, want[i].kind);
		assert_string_equal(sec.name, want[i].name);
		assert_true(sec.address == want[i].address);
		assert_true(sec.size == want[i].size);
		assert_int_equal(sec.nr_recs, want[i].nr_recs);
	}
	assert_int_equal(btf_locs__sec(locs, 4, &sec), -ERANGE);
	assert_int_equal(sec.type_id, 31);
	btf_locs__close(locs);
}

static void test_recs(void **state)
{
	struct btf_locs *locs = open_sample(is_big(state));
	struct btf_locs_rec rec;

	assert_int_equal(btf_locs__rec(locs, 0, 0, &rec), 0);
	assert_int_equal(rec.kind, BTF_LOCS_INLINE);
	assert_string_equal(rec.section, ".text");
	assert_string_equal(rec.func, "foo");
	assert_true(rec.address == 0xffffffff81000010);
	assert_int_equal(rec.offset, 0x10);
	assert_int_equal(rec.func_id, ID_FOO);
	assert_int_equal(rec.loc_proto_id, 24);
	assert_int_equal(rec.nr_params, 2);
	assert_true(rec.partial);
	/* a FUNC of the section's own; varargs are not counted */
	assert_int_equal(btf_locs__rec(locs, 0, 2, &rec), 0);
	assert_string_equal(rec.func, "own");
	assert_false(rec.partial);
	assert_int_equal(rec.nr_params, 2);
	assert_int_equal(btf_locs__rec(locs, 0, 3, &rec), 0);
	assert_string_equal(rec.func, "printk");
	assert_int_equal(rec.nr_params, 1);
	assert_true(rec.address == 0xffffffff81001000);
	/* no parameter at all */
	assert_int_equal(btf_locs__rec(locs, 1, 0, &rec), 0);
	assert_int_equal(rec.nr_params, 0);
	assert_int_equal(rec.kind, BTF_LOCS_GUESS);
	/* a section whose address nothing says */
	assert_int_equal(btf_locs__rec(locs, 3, 1, &rec), 0);
	assert_true(rec.address == 0xfffffff0);
	assert_int_equal(btf_locs__rec(locs, 3, 2, &rec), -ERANGE);
	assert_int_equal(btf_locs__rec(locs, 4, 0, &rec), -ERANGE);
	assert_true(rec.address == 0xfffffff0);
	assert_int_equal(btf_locs__rec_func(locs, 0, 2), 13);
	assert_int_equal(btf_locs__rec_func(locs, 0, 4), 0);
	assert_int_equal(btf_locs__rec_func(locs, 4, 0), 0);
	btf_locs__close(locs);
}

static void test_params(void **state)
{
	struct btf_locs *locs = open_sample(is_big(state));
	struct btf_locs_param p;
	struct btf_locs_rec rec;

	btf_locs__rec(locs, 0, 0, &rec);
	assert_int_equal(btf_locs__param(locs, &rec, 0, &p), 0);
	assert_string_equal(p.name, "a");
	assert_int_equal(p.type_id, ID_INT);
	assert_int_equal(p.loc_param_id, 14);
	assert_int_equal(p.loc.kind, BTF_LOCS_LOC_REG);
	assert_int_equal(p.loc.reg, 5);
	assert_int_equal(p.loc.size, 4);
	assert_true(p.loc.is_signed);
	assert_int_equal(btf_locs__param(locs, &rec, 1, &p), 0);
	assert_string_equal(p.name, "b");
	assert_int_equal(p.loc.kind, BTF_LOCS_LOC_ADDR);
	assert_int_equal(btf_locs__param(locs, &rec, 2, &p), -ERANGE);
	assert_string_equal(p.name, "b");
	/* not available */
	btf_locs__rec(locs, 0, 2, &rec);
	assert_int_equal(btf_locs__param(locs, &rec, 0, &p), 0);
	assert_string_equal(p.name, "x");
	assert_int_equal(p.loc_param_id, 0);
	assert_int_equal(p.loc.kind, BTF_LOCS_LOC_NONE);
	/* "..." is no parameter */
	btf_locs__rec(locs, 0, 3, &rec);
	assert_int_equal(btf_locs__param(locs, &rec, 1, &p), -ERANGE);
	/* conforming: the function has parameters, the record no LOC_PROTO */
	btf_locs__rec(locs, 3, 0, &rec);
	assert_int_equal(rec.nr_params, 2);
	assert_int_equal(btf_locs__param(locs, &rec, 1, &p), 0);
	assert_string_equal(p.name, "b");
	assert_int_equal(p.loc.kind, BTF_LOCS_LOC_NONE);
	btf_locs__close(locs);
}

static void test_lower_bound(void **state)
{
	static const struct { uint64_t offset; uint32_t rec; } want[] = {
		{ 0, 0 }, { 0xf, 0 }, { 0x10, 0 }, { 0x11, 1 }, { 0x20, 1 }, { 0x21, 3 },
		{ 0xfff, 3 }, { 0x1000, 3 }, { 0x1001, 4 }, { UINT32_MAX, 4 },
		{ UINT64_C(0x100000010), 4 },
	};
	struct btf_locs *locs = open_sample(is_big(state));
	uint32_t rec;

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_int_equal(btf_locs__lower_bound(locs, 0, want[i].offset, &rec), 0);
		assert_int_equal(rec, want[i].rec);
	}
	assert_int_equal(btf_locs__lower_bound(locs, 4, 0, &rec), -ERANGE);
	assert_int_equal(rec, 4);
	btf_locs__close(locs);
}

static void test_by_name(void **state)
{
	struct btf_locs *locs = open_sample(is_big(state));
	uint32_t sec = 0, rec = 0;

	assert_int_equal(btf_locs__find_func(locs, "foo", 0), ID_FOO);
	assert_int_equal(btf_locs__find_func(locs, "foo", ID_FOO), 0);
	assert_int_equal(btf_locs__find_func(locs, "own", 0), 13);
	assert_int_equal(btf_locs__find_func(locs, "fo", 0), 0);
	assert_int_equal(btf_locs__find_func(locs, "int", 0), 0);
	assert_int_equal(btf_locs__find_func(locs, "foo", UINT32_MAX), 0);
	/* foo: .text 0, part 0, func 0 and 1 */
	assert_int_equal(btf_locs__next_of(locs, ID_FOO, &sec, &rec), 0);
	assert_true(sec == 0 && rec == 0);
	rec++;
	assert_int_equal(btf_locs__next_of(locs, ID_FOO, &sec, &rec), 0);
	assert_true(sec == 2 && rec == 0);
	rec++;
	assert_int_equal(btf_locs__next_of(locs, ID_FOO, &sec, &rec), 0);
	assert_true(sec == 3 && rec == 0);
	rec++;
	assert_int_equal(btf_locs__next_of(locs, ID_FOO, &sec, &rec), 0);
	assert_true(sec == 3 && rec == 1);
	rec++;
	assert_int_equal(btf_locs__next_of(locs, ID_FOO, &sec, &rec), -ENOENT);
	assert_true(sec == 3 && rec == 2);
	btf_locs__close(locs);
}

/* Every row of the format's table: what the words mean. */
struct form {
	uint32_t size, flags, vlen, w[3];
	struct btf_locs_loc loc;
};

#define R BTF_LOCS_LOC_REG
static const struct form forms[] = {
	{ 4, LOC_F_REG | LOC_F_SIGNED, 1, { 5 },
	  { .kind = R, .size = 4, .reg = 5, .is_signed = true } },
	{ 1, LOC_F_REG, 1, { 15 }, { .kind = R, .size = 1, .reg = 15 } },
	{ 16, LOC_F_REG, 2, { 3, 2 },
	  { .kind = BTF_LOCS_LOC_REGS, .size = 16, .reg = 3, .reg2 = 2 } },
	{ 8, LOC_F_REG | LOC_F_OFFSET, 2, { 6, 0x10 },
	  { .kind = BTF_LOCS_LOC_REGOFF, .size = 8, .reg = 6, .offset = 16 } },
	{ 8, LOC_F_REG | LOC_F_OFFSET, 2, { 6, 0xfffffff0 },
	  { .kind = BTF_LOCS_LOC_REGOFF, .size = 8, .reg = 6, .offset = -16 } },
	{ 8, LOC_F_REG | LOC_F_OFFSET, 3, { 6, 0xfffffff0, 0 },
	  { .kind = BTF_LOCS_LOC_REGOFF, .size = 8, .reg = 6, .offset = 0xfffffff0 } },
	{ 8, LOC_F_REG | LOC_F_OFFSET, 3, { 6, 0, 0x80000000 },
	  { .kind = BTF_LOCS_LOC_REGOFF, .size = 8, .reg = 6, .offset = INT64_MIN } },
	{ 4096, LOC_F_REG | LOC_F_DEREF, 1, { 7 },
	  { .kind = BTF_LOCS_LOC_MEM, .size = 4096, .reg = 7 } },
	{ 2, LOC_F_REG | LOC_F_DEREF | LOC_F_OFFSET | LOC_F_SIGNED, 2, { 7, 0xffffff80 },
	  { .kind = BTF_LOCS_LOC_MEM, .size = 2, .reg = 7, .offset = -128,
	    .is_signed = true } },
	{ 2, LOC_F_REG | LOC_F_DEREF | LOC_F_OFFSET, 3, { 0xffffffff, 8, 1 },
	  { .kind = BTF_LOCS_LOC_MEM, .size = 2, .reg = 0xffffffff,
	    .offset = 0x100000008 } },
	/* one word: SIGNED says how it becomes 8 bytes */
	{ 8, LOC_F_CONST | LOC_F_SIGNED, 1, { 0xffffffff },
	  { .kind = BTF_LOCS_LOC_CONST, .size = 8, .value = UINT64_MAX,
	    .is_signed = true } },
	{ 8, LOC_F_CONST, 1, { 0xffffffff },
	  { .kind = BTF_LOCS_LOC_CONST, .size = 8, .value = 0xffffffff } },
	{ 8, LOC_F_CONST | LOC_F_SIGNED, 2, { 0xffffffff, 0 },
	  { .kind = BTF_LOCS_LOC_CONST, .size = 8, .value = 0xffffffff,
	    .is_signed = true } },
	/* cut to the size, then widened by the sign */
	{ 4, LOC_F_CONST | LOC_F_SIGNED, 1, { 0xffffffea },
	  { .kind = BTF_LOCS_LOC_CONST, .size = 4, .value = (uint64_t)-22,
	    .is_signed = true } },
	{ 1, LOC_F_CONST, 1, { 0xffffffc8 },
	  { .kind = BTF_LOCS_LOC_CONST, .size = 1, .value = 200 } },
	{ 1, LOC_F_CONST | LOC_F_SIGNED, 1, { 0xc8 },
	  { .kind = BTF_LOCS_LOC_CONST, .size = 1, .value = (uint64_t)-56,
	    .is_signed = true } },
	{ 3, LOC_F_CONST, 2, { 0xff800000, 0xff },
	  { .kind = BTF_LOCS_LOC_CONST, .size = 3, .value = 0x800000 } },
	{ 8, LOC_F_CONST, 2, { 0x89abcdef, 0x01234567 },
	  { .kind = BTF_LOCS_LOC_CONST, .size = 8, .value = 0x0123456789abcdef } },
	{ 8, LOC_F_CONST | LOC_F_ADDR, 2, { 0x82000010, 0xffffffff },
	  { .kind = BTF_LOCS_LOC_ADDR, .size = 8, .value = 0xffffffff82000010 } },
	{ 16, LOC_F_CONST | LOC_F_ADDR | LOC_F_DEREF, 2, { 0x82000010, 0 },
	  { .kind = BTF_LOCS_LOC_MEMADDR, .size = 16, .value = 0x82000010 } },
};

static void check_form(bool big, const struct form *f)
{
	struct btf_locs_param p;
	struct btf_locs *locs;
	struct btf_locs_rec rec;
	struct btf_locs_err err;
	struct blob base, sec;
	uint32_t id;

	locs_base__build(&base, big);
	locs_sec__init(&sec, &base, 1, NULL);
	id = blob__loc_param(&sec, f->size, f->flags, f->vlen, f->w);
	id = blob__loc_proto(&sec, 2, (uint32_t[]){ id, 0 });
	blob__locsec(&sec, ".text", 1);
	blob__rec(&sec, ID_FOO, id, 0);
	if (locs_open__blob(&base, NULL, &sec, &locs, &err))
		fail_msg("form %td: %s", f - forms, err.text);
	assert_int_equal(btf_locs__rec(locs, 0, 0, &rec), 0);
	assert_int_equal(btf_locs__param(locs, &rec, 0, &p), 0);
	if (p.loc.kind != f->loc.kind || p.loc.is_signed != f->loc.is_signed ||
	    p.loc.size != f->loc.size || p.loc.reg != f->loc.reg ||
	    p.loc.reg2 != f->loc.reg2 || p.loc.offset != f->loc.offset ||
	    p.loc.value != f->loc.value || p.loc.section)
		fail_msg("form %td: kind %d offset %lld value 0x%llx", f - forms,
			 p.loc.kind, (long long)p.loc.offset,
			 (unsigned long long)p.loc.value);
	btf_locs__close(locs);
	blob__free(&base);
	blob__free(&sec);
}

static void test_forms(void **state)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		check_form(is_big(state), &forms[i]);
}

/* An address as an offset into a section, which has its name. */
static void test_section_address(void **state)
{
	struct btf_locs_param p;
	struct btf_locs *locs;
	struct btf_locs_rec rec;
	struct btf_locs_err err;
	struct blob base, sec;
	uint32_t name, id;

	locs_base__build(&base, is_big(state));
	locs_sec__init(&sec, &base, 1, NULL);
	name = blob__str(&sec, ".data");
	id = blob__loc_param(&sec, 8, LOC_F_CONST | LOC_F_ADDR, 3,
			     (uint32_t[]){ 0x20, 1, name });
	id = blob__loc_proto(&sec, 2, (uint32_t[]){ 0, id });
	blob__locsec(&sec, ".text", 1);
	blob__rec(&sec, ID_FOO, id, 0);
	if (locs_open__blob(&base, NULL, &sec, &locs, &err))
		fail_msg("%s", err.text);
	btf_locs__rec(locs, 0, 0, &rec);
	assert_int_equal(btf_locs__param(locs, &rec, 1, &p), 0);
	assert_int_equal(p.loc.kind, BTF_LOCS_LOC_ADDR);
	assert_true(p.loc.value == 0x100000020);
	assert_string_equal(p.loc.section, ".data");
	btf_locs__close(locs);
	blob__free(&base);
	blob__free(&sec);
}

/* A section upon a module's BTF, which stands upon the kernel's. */
static void test_doubly_split(void **state)
{
	struct blob base, mid, sec;
	struct btf_locs *locs;
	struct btf_locs_rec rec;
	struct btf_locs_err err;
	uint32_t mod_func, loc, proto;

	locs_base__build(&base, is_big(state));
	blob__init_above(&mid, &base);
	proto = blob__proto(&mid, 0, 1);
	blob__param(&mid, "m", ID_PTR);
	mod_func = blob__func(&mid, "mod_func", proto, 0);
	assert_int_equal(mod_func, 13);
	locs_sec__init(&sec, &mid, 12, NULL);
	loc = blob__loc_param(&sec, 8, LOC_F_REG, 1, (uint32_t[]){ 5 });
	loc = blob__loc_proto(&sec, 1, (uint32_t[]){ loc });
	proto = blob__func(&sec, "third", proto, 0);
	blob__locsec(&sec, ".text", 3);
	blob__rec(&sec, ID_BAR, 0, 0);
	blob__rec(&sec, mod_func, loc, 1);
	blob__rec(&sec, proto, loc, 2);
	if (locs_open__blob(&base, &mid, &sec, &locs, &err))
		fail_msg("%s", err.text);
	assert_int_equal(btf_locs__first_type(locs), 14);
	assert_int_equal(btf_locs__rec(locs, 0, 0, &rec), 0);
	assert_string_equal(rec.func, "bar");
	assert_int_equal(btf_locs__rec(locs, 0, 1, &rec), 0);
	assert_string_equal(rec.func, "mod_func");
	assert_true(rec.partial);
	assert_int_equal(btf_locs__rec(locs, 0, 2, &rec), 0);
	assert_string_equal(rec.func, "third");
	assert_false(rec.partial);
	locs__walk_all(locs);
	btf_locs__close(locs);
	/* the immediate base is what the keys name: without it the section is refused */
	assert_int_equal(locs_open__blob(&base, NULL, &sec, &locs, &err), -ESTALE);
	assert_string_equal(err.text, "made for another base (its base had 2 types, "
				      "this one 11)");
	blob__free(&base);
	blob__free(&mid);
	blob__free(&sec);
}

/* A section of no types at all: its base and its keys are still checked. */
static void test_empty(void **state)
{
	struct btf_locs *locs;
	struct btf_locs_err err;
	struct blob base, sec;
	struct btf_locs_sec s;

	locs_base__build(&base, is_big(state));
	locs_sec__init(&sec, &base, 1, NULL);
	assert_int_equal(locs_open__blob(&base, NULL, &sec, &locs, &err), 0);
	assert_string_equal(err.text, "");
	assert_int_equal(btf_locs__nr_secs(locs), 0);
	assert_int_equal(btf_locs__sec(locs, 0, &s), -ERANGE);
	assert_int_equal(btf_locs__find_func(locs, "foo", 0), 0);
	locs__walk_all(locs);
	btf_locs__close(locs);
	blob__free(&base);
	blob__free(&sec);
}

static void test_walk(void **state)
{
	struct btf_locs *locs = open_sample(is_big(state));

	locs__walk_all(locs);
	btf_locs__close(locs);
}

static void test_locsec_names(void **state)
{
	static const struct {
		const char *locsec;
		enum btf_locs_kind kind;
		const char *section;
	} names[] = {
		{ ".text", BTF_LOCS_INLINE, ".text" },
		{ "guess.text", BTF_LOCS_GUESS, ".text" },
		{ "part.init.text", BTF_LOCS_PART, ".init.text" },
		{ "func.text", BTF_LOCS_FUNC, ".text" },
		{ "func:foo", BTF_LOCS_FUNC, "foo" },
		{ "guess:guess.text", BTF_LOCS_GUESS, "guess.text" },
		{ "part::x", BTF_LOCS_PART, ":x" },
		{ "function_sections", BTF_LOCS_INLINE, "function_sections" },
		{ "partial", BTF_LOCS_INLINE, "partial" },
		{ "inline:func.text", BTF_LOCS_INLINE, "func.text" },
		{ "inline:inline.x", BTF_LOCS_INLINE, "inline.x" },
		{ "inlines.x", BTF_LOCS_INLINE, "inlines.x" },
		{ "init", BTF_LOCS_INLINE, "init" },
	};
	enum btf_locs_kind kind;
	char buf[64] = "untouched";

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_string_equal(locsec_name__parse(names[i].locsec, &kind),
				    names[i].section);
		assert_int_equal(kind, names[i].kind);
		assert_int_equal(locsec_name__make(kind, names[i].section, buf,
						   sizeof(buf)), 0);
		assert_string_equal(buf, names[i].locsec);
	}
	/* "inline" before a dot is taken, though it is not what is written */
	assert_string_equal(locsec_name__parse("inline.text", &kind), ".text");
	assert_int_equal(kind, BTF_LOCS_INLINE);
	assert_string_equal(locsec_name__parse("func:", &kind), "");
	strcpy(buf, "untouched");
	assert_int_equal(locsec_name__make(BTF_LOCS_FUNC, ".text", buf, 9),
			 -ENAMETOOLONG);
	assert_string_equal(buf, "untouched");
	assert_int_equal(locsec_name__make(BTF_LOCS_FUNC, ".text", buf, 10), 0);
	assert_string_equal(buf, "func.text");
}

static void test_reg_name(void **state)
{
	(void)state;
	assert_string_equal(btf_locs__reg_name(62, 5), "di");
	assert_string_equal(btf_locs__reg_name(183, 0), "x0");
	assert_string_equal(btf_locs__reg_name(62, 0xffffffff), "fbase");
	assert_null(btf_locs__reg_name(62, 17));
	assert_null(btf_locs__reg_name(0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_ORDERS(test_info),
		BOTH_ORDERS(test_secs),
		BOTH_ORDERS(test_recs),
		BOTH_ORDERS(test_params),
		BOTH_ORDERS(test_lower_bound),
		BOTH_ORDERS(test_by_name),
		BOTH_ORDERS(test_forms),
		BOTH_ORDERS(test_section_address),
		BOTH_ORDERS(test_doubly_split),
		BOTH_ORDERS(test_empty),
		BOTH_ORDERS(test_walk),
		cmocka_unit_test(test_locsec_names),
		cmocka_unit_test(test_reg_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
