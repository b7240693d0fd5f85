// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_reader_bad.c - what the reader refuses, a crafted section for each rule
 *
 * The base has 11 types, so that the first type of a section is 12; it stands at 0x20,
 * behind a header of 32 bytes. A LOC_PARAM has 16 bytes and 4 for each word, a LOC_PROTO 12
 * and 4 for each element.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A section of the given strings alone: its whole key=value run. */
struct run {
	const char *strs;	/* each ended by a NUL, the last by the literal's */
	size_t size;
	int code;
	const char *line;
};

#define RUN(strs, code, line) { strs, sizeof(strs), code, line }

static const struct run runs[] = {
	/* the literal's own NUL is the empty string at the end */
	RUN("btf_locs=1\0", 0, NULL),
	RUN("machine=62\0btf_locs=1\0x=\0", 0, NULL),
	RUN("btf_locs=1\0btf_locs=2\0", 0, NULL),
	RUN("", -EBADMSG, "no format version (key btf_locs)"),
	RUN("machine=62\0", -EBADMSG, "no format version (key btf_locs)"),
	RUN("btf_locs=2\0", -EBADMSG, "format version 2, this program knows 1 alone"),
	RUN("btf_locs=0\0", -EBADMSG, "format version 0, this program knows 1 alone"),
	RUN("btf_locs=\0", -EBADMSG, "btf_locs='' is no such number"),
	RUN("btf_locs= 1\0", -EBADMSG, "btf_locs=' 1' is no such number"),
	RUN("btf_locs=1\0machine=-1\0", -EBADMSG, "machine='-1' is no such number"),
	RUN("btf_locs=1\0machine=65536\0", -EBADMSG,
	    "machine='65536' is no such number"),
	RUN("btf_locs=1\0machine=0x3e\0", -EBADMSG, "machine='0x3e' is no such number"),
	RUN("btf_locs=1\0word\0", -EBADMSG, "string 'word' is no key=value"),
	RUN("btf_locs=1\0=2\0", -EBADMSG, "string '=2' is no key=value"),
	RUN("btf_locs=1\0base_types=11\0", 0, NULL),
	RUN("btf_locs=1\0base_types=12\0", -ESTALE,
	    "made for another base (its base had 12 types, this one 11)"),
	RUN("btf_locs=1\0base_types=99999999999999999999\0", -EBADMSG,
	    "base_types='99999999999999999999' is no such number"),
	/* "", int, unsigned int, char, a, b, foo, bar, fmt, printk, s, x: 50 bytes */
	RUN("btf_locs=1\0base_strs=50\0", 0, NULL),
	RUN("btf_locs=1\0base_strs=51\0", -ESTALE,
	    "made for another base (its base had 51 bytes of strings, this one 50)"),
	RUN("btf_locs=1\0base_strs=4294967296\0", -EBADMSG,
	    "base_strs='4294967296' is no such number"),
	RUN("btf_locs=1\0base_crc32=x\0", -EBADMSG, "base_crc32='x' is no such number"),
};

/* The bytes of a section of these strings alone, header of 24 bytes. */
static size_t run__bytes(uint8_t *buf, const char *strs, size_t size, bool big)
{
	struct wbuf b;
	size_t len;

	wbuf__init(&b, big);
	wbuf__u16(&b, LOCS_BTF_MAGIC);
	wbuf__u8(&b, 1);
	wbuf__u8(&b, 0);
	wbuf__u32(&b, 24);
	wbuf__u32(&b, 0);
	wbuf__u32(&b, 0);
	wbuf__u32(&b, 0);
	wbuf__u32(&b, size);
	wbuf__put(&b, strs, size);
	memcpy(buf, b.data, b.len);
	len = b.len;
	wbuf__free(&b);
	return len;
}

static void check_run(const struct blob *base, const struct run *r, bool big)
{
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	uint8_t buf[256];
	size_t len = run__bytes(buf, r->strs, r->size, big);
	int ret = locs_open__bytes(base, NULL, buf, len, &locs, &err);

	if (ret != r->code || (r->line && strcmp(err.text, r->line)))
		fail_msg("run %td: %d\n  is:   %s\n  want: %s", r - runs, ret, err.text,
			 r->line ? r->line : "sound");
	btf_locs__close(locs);
}

static void test_runs(void **state)
{
	struct blob base;

	locs_base__build(&base, *state != NULL);
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		check_run(&base, &runs[i], *state != NULL);
	blob__free(&base);
}

/* Strings that end without the empty one, and without a NUL. */
static void test_run_no_end(void **state)
{
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	struct blob base;
	uint8_t buf[256];
	size_t len;

	locs_base__build(&base, *state != NULL);
	len = run__bytes(buf, "btf_locs=1", 11, *state != NULL);
	assert_int_equal(locs_open__bytes(&base, NULL, buf, len, &locs, &err), -EBADMSG);
	assert_string_equal(err.text, "its key=value strings have no end");
	len = run__bytes(buf, "btf_locs=1", 10, *state != NULL);
	assert_int_equal(locs_open__bytes(&base, NULL, buf, len, &locs, &err), -EBADMSG);
	assert_string_equal(err.text, "its key=value strings have no end");
	len = run__bytes(buf, NULL, 0, *state != NULL);
	assert_int_equal(locs_open__bytes(&base, NULL, buf, len, &locs, &err), -EBADMSG);
	assert_string_equal(err.text, "its key=value strings have no end");
	blob__free(&base);
}

/* Of the same sizes as the section's own base, and one byte another. */
static void test_base_crc(void **state)
{
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	struct blob base, sec;
	const char *had, *has;

	locs_base__build(&base, *state != NULL);
	locs_sec__init(&sec, &base, 1, NULL);
	base.strs.data[base.strs.len - 2] = 'y';	/* struct s { int x; } */
	assert_int_equal(locs_open__blob(&base, NULL, &sec, &locs, &err), -ESTALE);
	had = "made for another base (its base had CRC-32 ";
	assert_memory_equal(err.text, had, strlen(had));
	has = strstr(err.text, ", this one ");
	assert_non_null(has);
	assert_int_equal(has - err.text, strlen(had) + 8);
	assert_memory_not_equal(err.text + strlen(had), has + strlen(", this one "), 8);
	blob__free(&base);
	blob__free(&sec);
}

static void test_base_order(void **state)
{
	struct blob base, other, sec;
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	bool big = *state != NULL;

	locs_base__build(&base, big);
	locs_base__build(&other, !big);
	locs_sec__init(&sec, &base, 1, NULL);
	assert_int_equal(locs_open__blob(&other, NULL, &sec, &locs, &err), -ESTALE);
	assert_string_equal(err.text, big ?
			    "made for another base (its base was big-endian)" :
			    "made for another base (its base was little-endian)");
	blob__free(&base);
	blob__free(&other);
	blob__free(&sec);
}

/* Words of the header that are wrong. */
static void test_header(void **state)
{
	static const struct {
		size_t at;
		uint32_t val;
		const char *line;
	} bad[] = {
		{ 4, 23, "a header of 23 bytes in 60" },
		{ 4, 61, "a header of 61 bytes in 60" },
		{ 16, 1, "truncated: its strings end at 0x3d, it at 0x3c" },
		{ 20, 37, "truncated: its strings end at 0x3d, it at 0x3c" },
		{ 20, UINT32_MAX, "truncated: its strings end at 0x100000017, it at 0x3c" },
	};
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	bool big = *state != NULL;
	struct blob base;
	uint8_t buf[256];
	size_t len, i;

	locs_base__build(&base, big);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		len = run__bytes(buf, "btf_locs=1\0build_id=0123456789abcdef0\0\0", 36, big);
		assert_int_equal(len, 60);
		bytes__put_u32(buf + bad[i].at, bad[i].val, big);
		assert_int_equal(locs_open__bytes(&base, NULL, buf, len, &locs, &err),
				 -EBADMSG);
		assert_string_equal(err.text, bad[i].line);
	}
	len = run__bytes(buf, "btf_locs=1\0", 12, big);
	assert_int_equal(locs_open__bytes(&base, NULL, buf, 23, &locs, &err), -EBADMSG);
	assert_string_equal(err.text, "truncated: 23 bytes, a header has 24");
	buf[0] = 'h';
	buf[1] = 'i';
	assert_int_equal(locs_open__bytes(&base, NULL, buf, len, &locs, &err), -EBADMSG);
	assert_string_equal(err.text, "not BTF: it begins with 0x6869");
	blob__free(&base);
}

/* What is no section at all. The line names the file. */
static void test_files(void **state)
{
	struct btf_locs_err err = { "" };
	struct btf_locs_open_opts opts = { .sz = sizeof(opts), .err = &err };
	struct btf_locs *locs = NULL;
	char path[64], dir[] = "/tmp/locs-test-XXXXXX", want[160];

	(void)state;
	assert_int_equal(btf_locs__open("/nonexistent/x", &opts, &locs), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/x: No such file or directory");
	assert_int_equal(btf_locs__open("/nonexistent/x", NULL, &locs), -ENOENT);
	assert_non_null(mkdtemp(dir));
	assert_int_equal(btf_locs__open(dir, &opts, &locs), -EISDIR);
	snprintf(want, sizeof(want), "%s: is a directory", dir);
	assert_string_equal(err.text, want);
	rmdir(dir);
	assert_int_equal(mkfifo(dir, 0600), 0);
	assert_int_equal(btf_locs__open(dir, &opts, &locs), -EINVAL);
	snprintf(want, sizeof(want), "%s: is not a regular file", dir);
	assert_string_equal(err.text, want);
	unlink(dir);
	tmp_file__write(path, "", 0);
	assert_int_equal(btf_locs__open(path, &opts, &locs), -EBADMSG);
	snprintf(want, sizeof(want), "%s: is empty", path);
	assert_string_equal(err.text, want);
	unlink(path);
	/* this program: ELF, without our section */
	assert_int_equal(btf_locs__open("/proc/self/exe", &opts, &locs), -ENOENT);
	assert_string_equal(err.text, "/proc/self/exe: no section .BTF.func_info");
	opts.sz = 8;
	assert_int_equal(btf_locs__open("/proc/self/exe", &opts, &locs), -EINVAL);
	assert_null(locs);
}

/* A base that is not there, or is none: its own name is in the line. */
static void test_bad_base(void **state)
{
	struct btf_locs_err err = { "" };
	const char *bases[1] = { "/nonexistent/base" };
	struct btf_locs_open_opts opts = {
		.sz = sizeof(opts), .err = &err, .bases = bases, .nr_bases = 1,
	};
	struct btf_locs *locs = NULL;
	char path[64], base[64];
	uint8_t buf[64];
	size_t len;

	(void)state;
	len = run__bytes(buf, "btf_locs=1\0", 12, false);
	tmp_file__write(path, buf, len);
	assert_int_equal(btf_locs__open(path, &opts, &locs), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/base: No such file or directory");
	tmp_file__write(base, "hello, world, hello, world", 26);
	bases[0] = base;
	assert_int_equal(btf_locs__open(path, &opts, &locs), -EBADMSG);
	assert_memory_equal(err.text, base, strlen(base));
	unlink(base);
	unlink(path);
}

static int big_endian(void **state)
{
	static int yes;

	*state = &yes;
	return 0;
}

#define BOTH_ORDERS(test) \
	cmocka_unit_test(test), cmocka_unit_test_setup(test, big_endian)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_ORDERS(test_rules),
		BOTH_ORDERS(test_all_flags),
		BOTH_ORDERS(test_runs),
		BOTH_ORDERS(test_run_no_end),
		BOTH_ORDERS(test_base_crc),
		BOTH_ORDERS(test_base_order),
		BOTH_ORDERS(test_header),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_bad_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
