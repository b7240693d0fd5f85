// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_encoder.c - records of units -> the section's bytes
 *
 * A tiny section is compared word by word with what format.md says; larger ones are read
 * back with btf_chain, of which the encoder uses nothing to write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <zlib.h>

#include "../../btf_encoder_locs.h"
#include "chain_fixture.h"

/* The base: int (1), PTR to it (2), int f(int a) (3), FUNC f (4). */
enum { B_INT = 1, B_PINT, B_PROTO, B_F, B_NR };

static const bool little, big_endian = true;

/* Section 1: .text at 0x1000; 2: .init.text; 3: mysec, which has no dot. */
static const struct locs_section sections[] = {
	{ 0 }, { ".text", 0x1000, 0x500 }, { ".init.text", 0x2000, 0x100 },
	  { "mysec", 0x3000, 8 },
};

static const struct locs_object object = {
	.machine = 62, .build_id = "c0ffee", .secs = sections, .nr_secs = 4,
};

struct enc_test {
	struct fixture base;
	struct btf_encoder_locs *enc;
	struct wbuf out;
	struct btf_locs_err err;
};

static void begin(struct enc_test *t, bool big)
{
	struct blob b;

	memset(t, 0, sizeof(*t));
	fixture__init(&t->base);
	blob__init(&b, big);
	blob__int(&b, "int", 4, BTF_ENC_SIGNED);
	blob__ref(&b, BTF_K_PTR, NULL, B_INT);
	blob__proto(&b, B_INT, 1);
	blob__param(&b, "a", B_INT);
	blob__func(&b, "f", B_PROTO, 0);
	fixture__add(&t->base, &b, 24, false);
	assert_int_equal(btf_chain__index(t->base.c), 0);
	t->enc = btf_encoder_locs__new(t->base.c, false);
	assert_non_null(t->enc);
}

static void add(struct enc_test *t, const struct locs_set *set)
{
	assert_int_equal(btf_encoder_locs__add(t->enc, set, &t->err), 0);
}

/* Writes the section and reads it as a level upon the base. */
static void finish(struct enc_test *t)
{
	assert_int_equal(btf_encoder_locs__encode(t->enc, &object, &t->out, &t->err), 0);
	if (btf_chain__add(t->base.c, t->out.data, t->out.len, true, &t->err))
		fail_msg("%s", t->err.text);
}

static void end(struct enc_test *t)
{
	btf_encoder_locs__free(t->enc);
	fixture__free(&t->base);
	wbuf__free(&t->out);
}

static uint32_t word(const struct enc_test *t, size_t at)
{
	assert_true(at + 4 <= t->out.len);
	return bytes__u32(t->out.data + at, t->out.big);
}

/* The @n'th type of @kind that the section has, from 0; its id, or 0. */
static uint32_t nth(const struct enc_test *t, uint32_t kind, unsigned int n)
{
	struct btf_type_view v;
	uint32_t id;

	for (id = B_NR; !btf_chain__type(t->base.c, id, &v); id++)
		if (v.kind == kind && !n--)
			return id;
	return 0;
}

static unsigned int count(const struct enc_test *t, uint32_t kind)
{
	unsigned int n = 0;

	while (nth(t, kind, n))
		n++;
	return n;
}

static struct btf_type_view view(const struct enc_test *t, uint32_t id)
{
	struct btf_type_view v;

	assert_int_equal(btf_chain__type(t->base.c, id, &v), 0);
	return v;
}

static uint32_t data(const struct enc_test *t, uint32_t id, uint32_t i)
{
	struct btf_type_view v = view(t, id);
	uint32_t w;

	assert_int_equal(btf_chain__word(t->base.c, &v, i, &w), 0);
	return w;
}

/* LOC_PROTO of record @rec of the LOCSEC @sec. */
static uint32_t rec_proto(const struct enc_test *t, uint32_t sec, uint32_t rec)
{
	return data(t, sec, 3 * rec + 1);
}

#define REG_LOC(n) { .flags = LOC_F_REG, .nr_regs = 1, .size = 4, .reg = (n) }

static struct set_func func_f = { .name = "f", .proto = B_PROTO, .func_id = B_F,
	.nr_params = 1 };

/* One record of f in .text at 0x20, its parameter in register 5, as int. */
static void test_tiny(void **state)
{
	bool big = *(const bool *)*state;
	struct loc loc = { .flags = LOC_F_REG | LOC_F_SIGNED, .nr_regs = 1, .size = 4,
		.reg = 5 };
	uint8_t why = LOC_OK;
	struct set_rec rec = { .offset = 0x20, .sec = 1, .kind = BTF_LOCS_INLINE };
	struct locs_set set = {
		.funcs = &func_f, .nr_funcs = 1, .recs = &rec, .nr_recs = 1, .locs = &loc,
		.reasons = &why, .nr_locs = 1, .sites = 1,
	};
	/* the base's strings: "\0int\0a\0f\0", 9 bytes; its types: 16 + 12 + 20 + 12 */
	static const char base_strs[] = "\0int\0a\0f";
	const uint32_t types = 3 * 4 + 8 + 3 * 4 + 4 + 3 * 4 + 12;
	const char *strs, *p;
	struct enc_test t;
	char crc[40];
	uint32_t at;

	begin(&t, big);
	assert_int_equal(t.base.size[0], 24 + 60 + 9);
	add(&t, &set);
	finish(&t);
	snprintf(crc, sizeof(crc), "base_crc32=%lu",
		 crc32(crc32(0, t.base.data[0] + 24, 60), (const Bytef *)base_strs, 9));

	/* header: magic, version 1, flags 0, length 32 */
	assert_int_equal(t.out.data[0], big ? 0xeb : 0x9f);
	assert_int_equal(t.out.data[1], big ? 0x9f : 0xeb);
	assert_int_equal(t.out.data[2], 1);
	assert_int_equal(t.out.data[3], 0);
	assert_int_equal(word(&t, 4), 32);
	assert_int_equal(word(&t, 8), 0);		/* types */
	assert_int_equal(word(&t, 12), types);
	assert_int_equal(word(&t, 16), types + 92);	/* strings */
	assert_int_equal(word(&t, 24), types);		/* layout */
	assert_int_equal(word(&t, 28), 92);
	assert_int_equal(t.out.len % 4, 0);
	assert_int_equal(32 + types + 92 + word(&t, 20), t.out.len);

	/*
	 * LOC_PARAM, id 5: name 0, kind 20 and one value, 4 bytes, SIGNED|REG, register
	 * 5
	 */
	at = 32;
	assert_int_equal(word(&t, at), 0);
	assert_int_equal(word(&t, at + 4), 20 << 24 | 1);
	assert_int_equal(word(&t, at + 8), 4);
	assert_int_equal(word(&t, at + 12), 0x9);
	assert_int_equal(word(&t, at + 16), 5);
	/* LOC_PROTO, id 6: the LOC_PARAM */
	at += 20;
	assert_int_equal(word(&t, at), 0);
	assert_int_equal(word(&t, at + 4), 21 << 24 | 1);
	assert_int_equal(word(&t, at + 8), 0);
	assert_int_equal(word(&t, at + 12), 5);
	/* LOCSEC: its name, one record */
	at += 16;
	assert_string_equal(btf_chain__str(t.base.c, word(&t, at)), ".text");
	assert_int_equal(word(&t, at + 4), 22 << 24 | 1);
	assert_int_equal(word(&t, at + 8), 0);
	assert_int_equal(word(&t, at + 12), B_F);
	assert_int_equal(word(&t, at + 16), 6);
	assert_int_equal(word(&t, at + 20), 0x20);
	/* layout: kinds 0, 1, 20, 21, 22 */
	at += 24;
	assert_int_equal(at, 32 + types);
	assert_memory_equal(t.out.data + at, "\0\0\0\0\4\0\0\0", 8);
	assert_memory_equal(t.out.data + at + 80, "\4\4\0\0\0\4\0\0\0\x0c\0\0", 12);
	/* strings: a run of key=value, ended by an empty one, then the LOCSEC's name */
	strs = p = (const char *)t.out.data + at + 92;
	assert_string_equal(p, "btf_locs=1");
	assert_string_equal(p += strlen(p) + 1, "machine=62");
	assert_string_equal(p += strlen(p) + 1, "build_id=c0ffee");
	assert_string_equal(p += strlen(p) + 1, "base_types=4");
	assert_string_equal(p += strlen(p) + 1, "base_strs=9");
	assert_string_equal(p += strlen(p) + 1, crc);
	assert_string_equal(p += strlen(p) + 1, "sec:.text=1000,500");
	while (*p)
		p += strlen(p) + 1;
	assert_string_equal(p + 1, ".text");
	/* string offsets continue the base's */
	assert_int_equal(word(&t, 32 + 36), 9 + (p + 1 - strs));
	end(&t);
}

/* Equal locations and rows of them are written once, in the order of appearance. */
static void test_interning(void **state)
{
	bool big = *(const bool *)*state;
	struct loc locs[] = { REG_LOC(5), REG_LOC(6), REG_LOC(5), { 0 }, { 0 } };
	uint8_t why[] = { LOC_OK, LOC_OK, LOC_OK, LOC_EMPTY, LOC_ENTRY_VALUE };
	struct set_rec recs[] = {
		{ .offset = 1, .sec = 1, .first_loc = 0 },
		  { .offset = 2, .sec = 1, .first_loc = 1 },
		{ .offset = 3, .sec = 1, .first_loc = 2 },
		  { .offset = 4, .sec = 1, .first_loc = 3 },
		{ .offset = 5, .sec = 1, .first_loc = 4 },
	};
	struct locs_set set = {
		.funcs = &func_f, .nr_funcs = 1, .recs = recs, .nr_recs = 5, .locs = locs,
		.reasons = why, .nr_locs = 5, .sites = 6,
			.skip = { [SKIP_TOMBSTONE] = 1 },
	};
	const struct locs_stats *st;
	struct enc_test t;
	uint32_t sec;

	begin(&t, big);
	add(&t, &set);
	/* another unit's are the same */
	recs[0].offset = 6;
	set.nr_recs = 1;
	set.sites = 1;
	set.skip[SKIP_TOMBSTONE] = 0;
	add(&t, &set);
	finish(&t);
	assert_int_equal(count(&t, BTF_K_LOC_PARAM), 2);
	assert_int_equal(count(&t, BTF_K_LOC_PROTO), 3);
	assert_int_equal(count(&t, BTF_K_FUNC), 0);	/* the base's is used */
	sec = nth(&t, BTF_K_LOCSEC, 0);
	assert_int_equal(view(&t, sec).vlen, 6);
	assert_int_equal(data(&t, rec_proto(&t, sec, 0), 0), nth(&t, BTF_K_LOC_PARAM, 0));
	assert_int_equal(data(&t, rec_proto(&t, sec, 1), 0), nth(&t, BTF_K_LOC_PARAM, 1));
	assert_int_equal(rec_proto(&t, sec, 2), rec_proto(&t, sec, 0));
	assert_int_equal(data(&t, rec_proto(&t, sec, 3), 0), 0);
	assert_int_equal(rec_proto(&t, sec, 4), rec_proto(&t, sec, 3));
	assert_int_equal(rec_proto(&t, sec, 5), rec_proto(&t, sec, 0));
	st = btf_encoder_locs__stats(t.enc);
	assert_int_equal(st->units, 2);
	assert_int_equal(st->sites, 7);
	assert_int_equal(st->params, 6);
	assert_int_equal(st->full, 4);
	assert_int_equal(st->none[LOC_OK], 4);
	assert_int_equal(st->none[LOC_EMPTY], 1);
	assert_int_equal(st->none[LOC_ENTRY_VALUE], 1);
	assert_int_equal(st->skip[SKIP_TOMBSTONE], 1);
	assert_int_equal(st->recs[BTF_LOCS_INLINE], 6);
	end(&t);
}

/* Every form of location, in the words that format.md has for it. */
static void test_forms(void **state)
{
	bool big = *(const bool *)*state;
	static const struct {
		struct loc loc;
		uint32_t nr, words[3];
	} forms[] = {
		{ REG_LOC(5), 1, { 5 } },
		{ { .flags = 8, .nr_regs = 2, .size = 16, .reg = 5, .reg2 = 4 }, 2,
		  { 5, 4 } },
		{ { .flags = 0x28, .nr_regs = 1, .size = 8, .reg = 7, .off = -8 }, 2,
		  { 7, 0xfffffff8 } },
		{ { .flags = 0x28, .nr_regs = 1, .size = 8, .reg = 7,
		  .off = INT64_C(1) << 31 }, 3,
		  { 7, 0x80000000, 0 } },
		{ { .flags = 0x38, .nr_regs = 1, .size = 8, .reg = 7, .off = 16 }, 2,
		  { 7, 16 } },
		{ { .flags = 0x18, .nr_regs = 1, .size = 8, .reg = 7 }, 1, { 7 } },
		/* more than 4 bytes: two words, the kernel's reader takes the second unasked */
		{ { .flags = 2, .size = 8, .val = 7 }, 2, { 7, 0 } },
		{ { .flags = 2, .size = 8, .val = 0xffffffff }, 2, { 0xffffffff, 0 } },
		{ { .flags = 2, .size = 5, .val = 7 }, 2, { 7, 0 } },
		{ { .flags = 3, .size = 7, .val = UINT64_MAX }, 2, { 0xffffffff, 0xffffffff } },
		{ { .flags = 3, .size = 8, .val = (uint64_t)-7 }, 2, { 0xfffffff9, 0xffffffff } },
		{ { .flags = 2, .size = 4, .val = 0xffffffff }, 1, { 0xffffffff } },
		{ { .flags = 3, .size = 4, .val = (uint64_t)-7 }, 1, { 0xfffffff9 } },
		{ { .flags = 2, .size = 1, .val = 200 }, 1, { 200 } },
		{ { .flags = 3, .size = 8, .val = 0xffffffff }, 2, { 0xffffffff, 0 } },
		{ { .flags = 3, .size = 8, .val = UINT64_MAX }, 2, { 0xffffffff, 0xffffffff } },
		{ { .flags = 2, .size = 8, .val = UINT64_MAX }, 2,
		  { 0xffffffff, 0xffffffff } },
		{ { .flags = 6, .size = 8, .val = 0x1234 }, 2, { 0x1234, 0 } },
		{ { .flags = 0x16, .size = 4, .val = UINT64_C(0x9876543210) }, 2,
		  { 0x76543210, 0x98 } },
	};
	enum { NR = sizeof(forms) / sizeof(*forms) };
	struct loc locs[NR + 1];
	uint8_t why[NR + 1] = { 0 };
	struct set_rec recs[NR + 1];
	struct locs_set set = {
		.funcs = &func_f, .nr_funcs = 1, .recs = recs, .nr_recs = NR + 1,
			.locs = locs,
		.reasons = why, .nr_locs = NR + 1,
	};
	struct btf_type_view v;
	struct enc_test t;
	uint32_t i, j;

	memset(recs, 0, sizeof(recs));
	for (i = 0; i <= NR; i++) {
		recs[i].sec = 1;
		recs[i].offset = recs[i].first_loc = i;
		if (i < NR)
			locs[i] = forms[i].loc;
	}
	/* an address of a relocatable file: 8 bytes into .init.text */
	locs[NR] = (struct loc){ .flags = 6, .size = 8, .val = 8, .sec = 2 };
	begin(&t, big);
	add(&t, &set);
	finish(&t);
	assert_int_equal(count(&t, BTF_K_LOC_PARAM), NR + 1);
	for (i = 0; i < NR; i++) {
		v = view(&t, nth(&t, BTF_K_LOC_PARAM, i));
		assert_int_equal(v.size, forms[i].loc.size);
		assert_int_equal(v.vlen, forms[i].nr);
		assert_int_equal(data(&t, v.id, 0), forms[i].loc.flags);
		for (j = 0; j < v.vlen; j++)
			assert_int_equal(data(&t, v.id, 1 + j), forms[i].words[j]);
	}
	v = view(&t, nth(&t, BTF_K_LOC_PARAM, NR));
	assert_int_equal(v.vlen, 3);
	assert_int_equal(data(&t, v.id, 1), 8);
	assert_string_equal(btf_chain__str(t.base.c, data(&t, v.id, 3)), ".init.text");
	end(&t);
}

/* By address; at one address in the order in which they came: the outer call first. */
static void test_order(void **state)
{
	bool big = *(const bool *)*state;
	struct loc locs[] = { REG_LOC(1), REG_LOC(2), REG_LOC(3), REG_LOC(4) };
	uint8_t why[4] = { 0 };
	struct set_rec recs[] = {
		{ .offset = 0x90, .sec = 1, .first_loc = 0 },
		{ .offset = 0x10, .sec = 1, .first_loc = 1 },
		{ .offset = 0x10, .sec = 1, .first_loc = 2 },
		{ .offset = 0xffffffff, .sec = 1, .first_loc = 3 },
	};
	struct locs_set set = {
		.funcs = &func_f, .nr_funcs = 1, .recs = recs, .nr_recs = 4, .locs = locs,
		.reasons = why, .nr_locs = 4,
	};
	static const uint32_t offs[] = { 0x10, 0x10, 0x10, 0x10, 0x90, 0x90, 0xffffffff,
		0xffffffff };
	static const uint32_t regs[] = { 2, 3, 2, 3, 1, 1, 4, 4 };
	struct enc_test t;
	uint32_t sec, i, param;

	begin(&t, big);
	add(&t, &set);
	add(&t, &set);
	finish(&t);
	sec = nth(&t, BTF_K_LOCSEC, 0);
	assert_int_equal(view(&t, sec).vlen, 8);
	for (i = 0; i < 8; i++) {
		assert_int_equal(data(&t, sec, 3 * i + 2), offs[i]);
		param = data(&t, rec_proto(&t, sec, i), 0);
		assert_int_equal(data(&t, param, 1), regs[i]);
	}
	end(&t);
}

/* A LOCSEC for each ELF section and kind, in the order of both. */
static void test_sections(void **state)
{
	static const char *const names[] = {
		".text", "guess.text", "part.text", ".init.text", "mysec", "part:mysec",
	};
	struct loc loc = REG_LOC(5);
	uint8_t why = LOC_OK;
	struct set_rec recs[] = {
		{ .sec = 3, .kind = BTF_LOCS_PART }, { .sec = 1, .kind = BTF_LOCS_PART },
		{ .sec = 2, .kind = BTF_LOCS_INLINE },
		  { .sec = 1, .kind = BTF_LOCS_GUESS },
		{ .sec = 3, .kind = BTF_LOCS_INLINE },
		  { .sec = 1, .kind = BTF_LOCS_INLINE },
	};
	struct locs_set set = {
		.funcs = &func_f, .nr_funcs = 1, .recs = recs, .nr_recs = 6, .locs = &loc,
		.reasons = &why, .nr_locs = 1,
	};
	struct enc_test t;
	uint32_t i;

	begin(&t, *(const bool *)*state);
	add(&t, &set);
	finish(&t);
	assert_int_equal(count(&t, BTF_K_LOCSEC), 6);
	for (i = 0; i < 6; i++)
		assert_string_equal(btf_chain__name(t.base.c, nth(&t, BTF_K_LOCSEC, i)),
			names[i]);
	end(&t);
}

/* No records at all, and no build id, are a good section. */
static void test_empty(void **state)
{
	struct locs_object bare = object;
	struct locs_set set = { 0 };
	struct enc_test t;

	begin(&t, *(const bool *)*state);
	add(&t, &set);
	bare.build_id = "";
	assert_int_equal(btf_encoder_locs__encode(t.enc, &bare, &t.out, &t.err), 0);
	assert_int_equal(word(&t, 12), 0);
	assert_null(memmem(t.out.data, t.out.len, "build_id", 8));
	assert_int_equal(btf_chain__add(t.base.c, t.out.data, t.out.len, true, &t.err),
		0);
	assert_int_equal(btf_chain__nr_types(t.base.c), B_NR);
	end(&t);
}

static void test_too_far(void **state)
{
	struct loc loc = REG_LOC(5);
	uint8_t why = LOC_OK;
	struct set_rec rec = { .offset = UINT64_C(0x100000000), .sec = 1 };
	struct locs_set set = {
		.funcs = &func_f, .nr_funcs = 1, .recs = &rec, .nr_recs = 1, .locs = &loc,
		.reasons = &why, .nr_locs = 1,
	};
	struct enc_test t;

	begin(&t, *(const bool *)*state);
	assert_int_equal(btf_encoder_locs__add(t.enc, &set, &t.err), -EOVERFLOW);
	assert_string_not_equal(t.err.text, "");
	end(&t);
}

#define BOTH_ORDERS(f)							\
	{ #f " little", f, NULL, NULL, (void *)&little },		\
	{ #f " big", f, NULL, NULL, (void *)&big_endian }

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_ORDERS(test_tiny),
		BOTH_ORDERS(test_interning),
		BOTH_ORDERS(test_forms),
		BOTH_ORDERS(test_order),
		BOTH_ORDERS(test_sections),
		BOTH_ORDERS(test_empty),
		BOTH_ORDERS(test_too_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
