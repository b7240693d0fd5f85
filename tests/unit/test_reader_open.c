// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_reader_open.c - files, headers, key=value strings and bases that are refused
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

#include "both_orders.h"
#include "locs_blob.h"

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
		{ 20, UINT32_MAX,
		  "truncated: its strings end at 0x100000017, it at 0x3c" },
	};
	static const char strs[] = "btf_locs=1\0build_id=0123456789abcdef0\0\0";
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	bool big = *state != NULL;
	struct blob base;
	uint8_t buf[256];
	size_t len, i;

	locs_base__build(&base, big);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		len = run__bytes(buf, strs, 36, big);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
