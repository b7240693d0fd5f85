// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_print.c - types as declarations; locations, records and types as text and JSON */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../lib/btf_decl.h"
#include "../../lib/print_json.h"
#include "../../lib/print_text.h"
#include "both_orders.h"
#include "locs_blob.h"
#include "outbuf_util.h"

/* Types that a declaration is made of; each helper gives an id. */
static uint32_t ptr(struct blob *b, uint32_t to)
{
	return blob__ref(b, BTF_K_PTR, NULL, to);
}

static uint32_t proto1(struct blob *b, uint32_t ret, const char *name, uint32_t type)
{
	uint32_t id = blob__proto(b, ret, 1);

	blob__param(b, name, type);
	return id;
}

struct decl_case {
	uint32_t id;
	const char *name;
	const char *want;	/* NULL: -EINVAL */
};

static void check_decls(const struct blob *b, const struct decl_case *cases, size_t nr)
{
	struct btf_chain *c = btf_chain__new();
	struct btf_locs_err err;
	char text[200];
	size_t size, i;
	uint8_t *data = blob__finish(b, 24, &size);
	int len;

	if (btf_chain__add(c, data, size, true, &err))
		fail_msg("%s", err.text);
	for (i = 0; i < nr; i++) {
		strcpy(text, "untouched");
		len = btf_decl__str(c, cases[i].id, cases[i].name, text, sizeof(text));
		if (!cases[i].want) {
			assert_int_equal(len, -EINVAL);
			continue;
		}
		assert_string_equal(text, cases[i].want);
		assert_int_equal(len, strlen(cases[i].want));
		/* cut off, terminated, and the whole length all the same */
		assert_int_equal(btf_decl__str(c, cases[i].id, cases[i].name, text, 4),
				 len);
		assert_int_equal(strlen(text), len < 3 ? len : 3);
		assert_memory_equal(text, cases[i].want, len < 3 ? len : 3);
		assert_int_equal(btf_decl__str(c, cases[i].id, cases[i].name, NULL, 0),
				 len);
	}
	btf_chain__free(c);
	free(data);
}

static void test_decl_plain(void **state)
{
	struct blob b;
	uint32_t i, c, s, cs, pcs, arr, td;

	(void)state;
	blob__init(&b, false);
	i = blob__int(&b, "int", 4, BTF_ENC_SIGNED);
	c = blob__int(&b, "char", 1, 0);
	s = blob__struct(&b, BTF_K_STRUCT, "file", 4, 0);
	cs = blob__ref(&b, BTF_K_CONST, NULL, s);
	pcs = ptr(&b, cs);
	arr = blob__array(&b, i, i, 4);
	td = blob__ref(&b, BTF_K_TYPEDEF, "u32", i);
	struct decl_case cases[] = {
		{ 0, NULL, "void" },
		{ 0, "x", "void x" },
		{ i, NULL, "int" },
		{ i, "", "int" },
		{ i, "x", "int x" },
		{ s, "f", "struct file f" },
		{ pcs, NULL, "const struct file *" },
		{ pcs, "f", "const struct file *f" },
		{ ptr(&b, pcs), "f", "const struct file **f" },
		{ blob__ref(&b, BTF_K_CONST, NULL, pcs), "f",
		  "const struct file *const f" },
		{ blob__ref(&b, BTF_K_RESTRICT, NULL, ptr(&b, c)), "p",
		  "char *restrict p" },
		{ blob__ref(&b, BTF_K_VOLATILE, NULL, cs), NULL,
		  "volatile const struct file" },
		{ ptr(&b, blob__ref(&b, BTF_K_TYPE_TAG, "user", c)), "buf",
		  "char __user *buf" },
		{ arr, "a", "int a[4]" },
		{ arr, NULL, "int[4]" },
		{ blob__array(&b, arr, i, 2), "a", "int a[2][4]" },
		{ blob__array(&b, ptr(&b, c), i, 0), "argv", "char *argv[0]" },
		{ ptr(&b, arr), "p", "int (*p)[4]" },
		{ blob__ref(&b, BTF_K_CONST, NULL, arr), "a", "const int a[4]" },
		{ td, "x", "u32 x" },
		{ ptr(&b, blob__ref(&b, BTF_K_CONST, NULL, 0)), NULL, "const void *" },
		{ blob__struct(&b, BTF_K_UNION, NULL, 4, 0), "u", "union {...} u" },
		{ blob__enum(&b, "e", 4, 0, false), NULL, "enum e" },
		{ blob__enum64(&b, NULL, 0, false), NULL, "enum {...}" },
		{ blob__type(&b, BTF_K_FWD, "fs", 0, false, 0), NULL, "struct fs" },
		{ blob__type(&b, BTF_K_FWD, "fu", 0, true, 0), "x", "union fu x" },
		{ blob__type(&b, BTF_K_FLOAT, "double", 0, false, 8), NULL, "double" },
		{ 99999, NULL, NULL },
	};
	check_decls(&b, cases, sizeof(cases) / sizeof(cases[0]));
	blob__free(&b);
}

static void test_decl_functions(void **state)
{
	struct blob b;
	uint32_t i, c, cb, ret_cb, va, none;

	(void)state;
	blob__init(&b, false);
	i = blob__int(&b, "int", 4, BTF_ENC_SIGNED);
	c = ptr(&b, blob__int(&b, "char", 1, 0));
	cb = ptr(&b, proto1(&b, i, "x", c));
	ret_cb = proto1(&b, cb, "sig", i);
	va = blob__proto(&b, 0, 2);
	blob__param(&b, "fmt", c);
	blob__param(&b, NULL, 0);
	none = blob__proto(&b, c, 0);
	struct decl_case cases[] = {
		{ cb, "cb", "int (*cb)(char *x)" },
		{ cb, NULL, "int (*)(char *x)" },
		{ ptr(&b, cb), "cb", "int (**cb)(char *x)" },
		{ blob__array(&b, cb, i, 3), "ops", "int (*ops[3])(char *x)" },
		{ blob__ref(&b, BTF_K_CONST, NULL, cb), "cb",
		  "int (*const cb)(char *x)" },
		{ ret_cb, "signal", "int (*signal(int sig))(char *x)" },
		{ ptr(&b, ret_cb), "p", "int (*(*p)(int sig))(char *x)" },
		{ va, "printk", "void printk(char *fmt, ...)" },
		{ none, "get", "char *get(void)" },
		{ proto1(&b, 0, NULL, i), NULL, "void(int)" },
		{ proto1(&b, 0, "f", cb), "set", "void set(int (*f)(char *x))" },
		{ blob__func(&b, "main", va, 1), NULL, "void main(char *fmt, ...)" },
		{ blob__var(&b, "v", c, 0), NULL, "char *v" },
	};
	check_decls(&b, cases, sizeof(cases) / sizeof(cases[0]));
	blob__free(&b);
}

/* What is no type of a value; what contains itself; what fans out without end. */
static void test_decl_bad(void **state)
{
	struct btf_chain *c = btf_chain__new();
	struct btf_locs_err err;
	char text[4096];
	struct blob b;
	size_t size;
	uint8_t *data;
	uint32_t i, k;
	int len;

	(void)state;
	blob__init(&b, false);
	proto1(&b, 0, NULL, 2);				/* 1: takes a pointer to itself */
	blob__ref(&b, BTF_K_PTR, NULL, 1);		/* 2: that pointer */
	blob__proto(&b, 4, 0);				/* 3: gives a pointer to itself */
	blob__ref(&b, BTF_K_PTR, NULL, 3);		/* 4: that pointer */
	for (i = 5; i < 85; i++) {			/* 16 of the next, 80 deep */
		blob__proto(&b, 0, 16);
		for (k = 0; k < 16; k++)
			blob__param(&b, NULL, i + 1);
	}
	blob__int(&b, "int", 4, 0);			/* 85 */
	blob__type(&b, BTF_K_DATASEC, ".data", 0, false, 0);	/* 86 */
	blob__loc_proto(&b, 0, NULL);			/* 87 */
	blob__locsec(&b, ".text", 0);			/* 88 */
	blob__func(&b, "f", blob__proto(&b, 0, 0), 0);	/* 89, 90 */
	ptr(&b, 86);					/* 91 */
	ptr(&b, 90);					/* 92 */
	blob__array(&b, 88, 85, 2);			/* 93 */
	proto1(&b, 0, NULL, 90);			/* 94 */
	blob__proto(&b, 91, 0);				/* 95 */
	data = blob__finish(&b, 24, &size);
	if (btf_chain__add(c, data, size, true, &err))
		fail_msg("%s", err.text);
	for (i = 1; i <= 5; i++) {
		len = btf_decl__str(c, i, "x", text, sizeof(text));
		assert_in_range(len, 1, sizeof(text) - 1);
		assert_int_equal(strlen(text), len);
		assert_non_null(strstr(text, "..."));
	}
	/* a pointer to each, and one to what is a FUNC or a VAR, which have a declaration alone */
	for (i = 86; i <= 95; i++) {
		if (i == 89 || i == 90)
			continue;
		strcpy(text, "x");
		assert_int_equal(btf_decl__str(c, i, NULL, text, sizeof(text)), -EINVAL);
		assert_string_equal(text, "");
	}
	btf_chain__free(c);
	free(data);
	blob__free(&b);
}

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

static void test_locs(void **state)
{
	static const struct {
		struct btf_locs_loc loc;
		const char *want;
	} cases[] = {
		{ { .kind = BTF_LOCS_LOC_NONE }, "?" },
		{ { .kind = BTF_LOCS_LOC_REG, .reg = 5 }, "%di" },
		{ { .kind = BTF_LOCS_LOC_REG, .reg = 17 }, "%17" },
		{ { .kind = BTF_LOCS_LOC_REG, .reg = UINT32_MAX }, "%fbase" },
		{ { .kind = BTF_LOCS_LOC_REGS, .reg = 0, .reg2 = 1 }, "%ax:%dx" },
		{ { .kind = BTF_LOCS_LOC_REGOFF, .reg = 6, .offset = -16 }, "%bp-0x10" },
		{ { .kind = BTF_LOCS_LOC_REGOFF, .reg = 7, .offset = INT64_MIN },
		  "%sp-0x8000000000000000" },
		{ { .kind = BTF_LOCS_LOC_MEM, .reg = 6, .offset = -16 }, "*(%bp-0x10)" },
		{ { .kind = BTF_LOCS_LOC_MEM, .reg = 7 }, "*(%sp)" },
		{ { .kind = BTF_LOCS_LOC_MEM, .reg = 7, .offset = 256 }, "*(%sp+0x100)" },
		{ { .kind = BTF_LOCS_LOC_CONST, .value = UINT64_MAX, .is_signed = true },
		  "-1" },
		{ { .kind = BTF_LOCS_LOC_CONST, .value = UINT64_MAX },
		  "18446744073709551615" },
		{ { .kind = BTF_LOCS_LOC_ADDR, .value = 0xffffffff82000010 },
		  "0xffffffff82000010" },
		{ { .kind = BTF_LOCS_LOC_MEMADDR, .value = 16, .section = ".data" },
		  "*(.data+0x10)" },
		{ { .kind = BTF_LOCS_LOC_ADDR, .value = 0, .section = ".bss" },
		  ".bss+0x0" },
	};
	static struct text t;
	struct outbuf o;

	(void)state;
	text__begin(&t, &o);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_text__loc(&o, 62, &cases[i].loc);
		text__check(&t, &o, cases[i].want);
	}
	/* of a machine that is not known registers have numbers */
	print_text__loc(&o, 0, &cases[1].loc);
	text__check(&t, &o, "%5");
	outbuf__free(&o);
}

static void test_recs(void **state)
{
	static const char want[] =
		"0xffffffff81000010 inline foo(int a=%di, char *b=0xffffffff82000010)\n"
		"0xffffffff81000020 inline bar(void)\n"
		"0xffffffff81000020 inline own(int x=?, struct s "
		"v=*(%fbase+0x100000008))\n"
		"0xffffffff81001000 inline printk(char *fmt=%bp-0x10, ...)\n"
		"0xffffffff82000008 guess bar(void)\n"
		"0xffffffff81000020 part foo(int a=?, char *b=*(%fbase+0x100000008):4)\n"
		"other+0x0 func foo(int a, char *b)\n"
		"other+0xfffffff0 func foo(int a=%di, char *b=0xffffffff82000010)\n";
	struct btf_locs *locs = open_sample(*state != NULL);
	struct btf_locs_rec rec;
	struct btf_locs_sec sec;
	static struct text t;
	struct outbuf o;
	uint32_t i, k;

	text__begin(&t, &o);
	for (i = 0; !btf_locs__sec(locs, i, &sec); i++) {
		for (k = 0; !btf_locs__rec(locs, i, k, &rec); k++)
			assert_int_equal(print_text__rec(&o, locs, &rec), 0);
	}
	text__check(&t, &o, want);
	outbuf__free(&o);
	btf_locs__close(locs);
}

static void test_types(void **state)
{
	static const char want[] =
		"[12] FUNC_PROTO '(anon)' ret_type_id=0 vlen=2\n"
		"\t'x' type_id=1\n"
		"\t'v' type_id=11\n"
		"[13] FUNC 'own' type_id=12 linkage=static\n"
		"[14] LOC_PARAM '(anon)' size=4 flags=0x9 vlen=1 value='%di'\n"
		"[15] LOC_PARAM '(anon)' size=16 flags=0x8 vlen=2 value='%ax:%dx'\n"
		"[16] LOC_PARAM '(anon)' size=8 flags=0x28 vlen=2 value='%bp-0x10'\n"
		"[17] LOC_PARAM '(anon)' size=8 flags=0x18 vlen=1 value='*(%sp)'\n"
		"[18] LOC_PARAM '(anon)' size=4 flags=0x38 vlen=3 "
			"value='*(%fbase+0x100000008)'\n"
		"[19] LOC_PARAM '(anon)' size=4 flags=0x3 vlen=1 value='-22'\n"
		"[20] LOC_PARAM '(anon)' size=8 flags=0x2 vlen=2 "
			"value='81985529216486895'\n"
		"[21] LOC_PARAM '(anon)' size=8 flags=0x6 vlen=2 "
			"value='0xffffffff82000010'\n"
		"[22] LOC_PARAM '(anon)' size=8 flags=0x6 vlen=3 value='.data+0x10'\n"
		"[23] LOC_PARAM '(anon)' size=4 flags=0x16 vlen=2 "
			"value='*(0xffffffff82000010)'\n"
		"[24] LOC_PROTO '(anon)' vlen=2\n"
		"\tloc_param=14 value='%di'\n"
		"\tloc_param=21 value='0xffffffff82000010'\n"
		"[25] LOC_PROTO '(anon)' vlen=0\n"
		"[26] LOC_PROTO '(anon)' vlen=2\n"
		"\tloc_param=0\n"
		"\tloc_param=18 value='*(%fbase+0x100000008)'\n"
		"[27] LOC_PROTO '(anon)' vlen=1\n"
		"\tloc_param=16 value='%bp-0x10'\n"
		"[28] LOCSEC '.text' vlen=4\n"
		"\tfunc=6 'foo' loc_proto=24 offset=0x10\n"
		"\tfunc=8 'bar' loc_proto=25 offset=0x20\n"
		"\tfunc=13 'own' loc_proto=26 offset=0x20\n"
		"\tfunc=10 'printk' loc_proto=27 offset=0x1000\n"
		"[29] LOCSEC 'guess.init.text' vlen=1\n"
		"\tfunc=8 'bar' loc_proto=25 offset=0x8\n"
		"[30] LOCSEC 'part.text' vlen=1\n"
		"\tfunc=6 'foo' loc_proto=26 offset=0x20\n"
		"[31] LOCSEC 'func:other' vlen=2\n"
		"\tfunc=6 'foo' loc_proto=0 offset=0x0\n"
		"\tfunc=6 'foo' loc_proto=24 offset=0xfffffff0\n";
	struct btf_locs *locs = open_sample(*state != NULL);
	static struct text t;
	struct outbuf o;
	uint32_t id;

	text__begin(&t, &o);
	for (id = 12; id < 32; id++)
		assert_int_equal(print_text__type(&o, locs, id), 0);
	text__check(&t, &o, want);
	assert_int_equal(print_text__type(&o, locs, 32), -EINVAL);
	outbuf__free(&o);
	btf_locs__close(locs);
}

static void test_json_recs(void **state)
{
	struct btf_locs *locs = open_sample(*state != NULL);
	struct btf_locs_rec rec;
	static struct text t;
	struct outbuf o;

	text__begin(&t, &o);
	btf_locs__rec(locs, 0, 0, &rec);
	assert_int_equal(print_json__rec(&o, locs, &rec, false), 0);
	text__check(&t, &o,
		    "{\"address\":\"0xffffffff81000010\",\"section\":\".text\","
		    "\"offset\":16,"
		    "\"kind\":\"inline\",\"func\":\"foo\",\"func_id\":6,"
		    "\"loc_proto_id\":24,"
		    "\"partial\":true,\"params\":["
		    "{\"name\":\"a\",\"type\":\"int\",\"loc\":{\"kind\":\"reg\","
		    "\"reg\":5,"
		    "\"name\":\"di\",\"size\":4,\"signed\":true}},"
		    "{\"name\":\"b\",\"type\":\"char *\",\"loc\":{\"kind\":\"addr\","
		    "\"address\":\"0xffffffff82000010\",\"size\":8}}]}");
	btf_locs__rec(locs, 0, 2, &rec);
	assert_int_equal(print_json__rec(&o, locs, &rec, false), 0);
	text__check(&t, &o,
		    "{\"address\":\"0xffffffff81000020\",\"section\":\".text\","
		    "\"offset\":32,"
		    "\"kind\":\"inline\",\"func\":\"own\",\"func_id\":13,"
		    "\"loc_proto_id\":26,"
		    "\"partial\":false,\"params\":["
		    "{\"name\":\"x\",\"type\":\"int\",\"loc\":null},"
		    "{\"name\":\"v\",\"type\":\"struct s\",\"loc\":{\"kind\":\"mem\","
		    "\"reg\":4294967295,\"name\":\"fbase\",\"offset\":4294967304,"
		    "\"size\":4,\"signed\":false}}]}");
	outbuf__free(&o);
	btf_locs__close(locs);
}

static void test_json_locs(void **state)
{
	static const struct {
		struct btf_locs_loc loc;
		const char *want;
	} cases[] = {
		{ { .kind = BTF_LOCS_LOC_REGS, .reg = 0, .reg2 = 1, .size = 16 },
		  "{\"loc\":{\"kind\":\"regs\",\"regs\":[0,1],\"names\":[\"ax\",\"dx\"],"
		  "\"size\":16}}" },
		{ { .kind = BTF_LOCS_LOC_REGOFF, .reg = 99, .offset = -8, .size = 8 },
		  "{\"loc\":{\"kind\":\"regoff\",\"reg\":99,\"name\":null,\"offset\":-8,"
		  "\"size\":8,\"signed\":false}}" },
		{ { .kind = BTF_LOCS_LOC_CONST, .value = UINT64_MAX, .is_signed = true,
		    .size = 4 },
		  "{\"loc\":{\"kind\":\"const\",\"value\":\"-1\",\"size\":4,"
		  "\"signed\":true}}" },
		{ { .kind = BTF_LOCS_LOC_CONST, .value = UINT64_MAX, .size = 8 },
		  "{\"loc\":{\"kind\":\"const\",\"value\":\"18446744073709551615\","
		  "\"size\":8,\"signed\":false}}" },
		{ { .kind = BTF_LOCS_LOC_MEMADDR, .value = 32, .section = ".data",
		    .size = 2 },
		  "{\"loc\":{\"kind\":\"memaddr\",\"address\":\"0x20\","
		  "\"section\":\".data\",\"size\":2}}" },
		{ { .kind = BTF_LOCS_LOC_NONE }, "{\"loc\":null}" },
	};
	static struct text t;
	struct outbuf o;
	struct jobj j;

	(void)state;
	text__begin(&t, &o);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		jobj__begin(&j, &o, false);
		print_json__loc(&j, 62, &cases[i].loc);
		jobj__end(&j);
		text__check(&t, &o, cases[i].want);
	}
	/* a name that is no UTF-8 must not make what is no JSON */
	jobj__begin(&j, &o, false);
	jobj__str(&j, "a/b", "ok \xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa7");
	jobj__str(&j, "n", "\xff" "a\xc3" "b\xed\xa0\x80\xe2\x82");
	jobj__end(&j);
	text__check(&t, &o, "{\"a/b\":\"ok \xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa7\","
			    "\"n\":\"\xef\xbf\xbd" "a\xef\xbf\xbd" "b"
			    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
			    "\xef\xbf\xbd\"}");
	/* what a terminal obeys: C0, DEL, C1; JSON's own characters; no slash */
	jobj__begin(&j, &o, false);
	jobj__str(&j, "\x1b\xff", "\b\t\n\v\f\r\x1f\x7f\xc2\x80\xc2\x9f\xc2\xa0\"\\/");
	jobj__end(&j);
	text__check(&t, &o, "{\"\\u001b\xef\xbf\xbd\":\"\\b\\t\\n\\u000b\\f\\r\\u001f"
			    "\\u007f\\u0080\\u009f\xc2\xa0\\\"\\\\/\"}");
	outbuf__free(&o);
}

/* Several lines; what is empty stays on one. */
static void test_json_pretty(void **state)
{
	static struct text t;
	struct outbuf o;
	struct jobj j;

	(void)state;
	text__begin(&t, &o);
	jobj__begin(&j, &o, true);
	jobj__array(&j, "a");
	jobj__num(&j, NULL, INT64_MIN);
	jobj__array(&j, NULL);
	jobj__array_end(&j);
	jobj__object(&j, NULL);
	jobj__decimal(&j, "d", 2.0 / 3);
	jobj__object_end(&j);
	jobj__array_end(&j);
	jobj__object(&j, "o");
	jobj__object_end(&j);
	jobj__bool(&j, "b", true);
	jobj__null(&j, "n");
	jobj__hex(&j, "h", UINT64_MAX);
	jobj__end(&j);
	text__check(&t, &o, "{\n  \"a\": [\n    -9223372036854775808,\n    [],\n    {\n"
			    "      \"d\": 0.67\n    }\n  ],\n  \"o\": {},\n  \"b\": true,\n"
			    "  \"n\": null,\n  \"h\": \"0xffffffffffffffff\"\n}");
	outbuf__free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decl_plain),
		cmocka_unit_test(test_decl_functions),
		cmocka_unit_test(test_decl_bad),
		cmocka_unit_test(test_locs),
		BOTH_ORDERS(test_recs),
		BOTH_ORDERS(test_types),
		BOTH_ORDERS(test_json_recs),
		cmocka_unit_test(test_json_locs),
		cmocka_unit_test(test_json_pretty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
