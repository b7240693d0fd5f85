// SPDX-License-Identifier: GPL-2.0-only
/* test_rec_out.c - a record that cannot be printed: it is named, the others are printed */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../cmd/rec_out.h"
#include "../../lib/reader_internal.h"
#include "locs_blob.h"

/* What went to stdout and to stderr. */
static char out[4096], errors[4096];
static size_t out_len;

static int out__write(void *ctx, const char *data, size_t size)
{
	(void)ctx;
	assert_true(out_len + size < sizeof(out));
	memcpy(out + out_len, data, size);
	out_len += size;
	out[out_len] = '\0';
	return 0;
}

int cmd__out_init(struct outbuf *o)
{
	return outbuf__init(o, out__write, NULL);
}

int cmd__out_end(struct outbuf *o, int status)
{
	assert_int_equal(outbuf__flush(o), 0);
	outbuf__free(o);
	return status;
}

int cmd__error(const char *fmt, ...)
{
	size_t len = strlen(errors);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(errors + len, sizeof(errors) - len, fmt, ap);
	va_end(ap);
	strcat(errors, "\n");
	return CMD_TROUBLE;
}

/*
 * Three records: of f(int a, int x), of bar, of f again. Once it is open, the type of x becomes the
 * DATASEC's, as where the file is rewritten while it is mapped.
 */
static struct btf_locs *open_spoilt(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	uint32_t datasec, proto, f;
	struct btf_locs *locs = NULL;
	struct btf_type_view t;
	struct btf_locs_err err;
	struct blob base, sec;
	uintptr_t at, first;

	locs_base__build(&base, false);
	locs_sec__init(&sec, &base, 1, NULL);
	datasec = blob__type(&sec, BTF_K_DATASEC, ".data", 0, false, 0);
	proto = blob__proto(&sec, 0, 2);
	blob__param(&sec, "a", ID_INT);
	blob__param(&sec, "x", ID_INT);
	f = blob__func(&sec, "f", proto, 0);
	blob__locsec(&sec, ".text", 3);
	blob__rec(&sec, f, 0, 4);
	blob__rec(&sec, ID_BAR, 0, 5);
	blob__rec(&sec, f, 0, 6);
	if (locs_open__blob(&base, NULL, &sec, &locs, &err))
		fail_msg("%s", err.text);
	assert_int_equal(btf_chain__type(locs->chain, proto, &t), 0);
	at = (uintptr_t)t.data + 12;
	first = at / page * page;
	assert_int_equal(mprotect((void *)first, at + 4 - first, PROT_READ | PROT_WRITE), 0);
	memcpy((void *)at, &datasec, 4);
	blob__free(&base);
	blob__free(&sec);
	return locs;
}

static void check(bool json, bool all_bad, const char *want, const char *want_errors, int status)
{
	struct cmd_opts opts = { .json = json };
	struct btf_locs *locs = open_spoilt();
	struct rec_out r;
	uint32_t i;

	out_len = 0;
	out[0] = errors[0] = '\0';
	assert_int_equal(rec_out__init(&r, &opts, "FILE", locs), 0);
	for (i = 0; i < 3; i++)
		if (!all_bad || i != 1)
			assert_int_equal(rec_out__rec(&r, 0, i), 0);
	assert_int_equal(rec_out__end(&r, 0), status);
	assert_string_equal(out, want);
	assert_string_equal(errors, want_errors);
	btf_locs__close(locs);
}

/* 12 DATASEC, 13 FUNC_PROTO, 14 FUNC, 15 LOCSEC */
#define BAD(i) "FILE: record " #i " of type 15, a LOCSEC, cannot be printed: it has what is no " \
	       "type of a value\n"

static void test_text(void **state)
{
	(void)state;
	check(false, false, ".text+0x5 inline bar(void)\n", BAD(0) BAD(2), CMD_TROUBLE);
	check(false, true, "", BAD(0) BAD(2), CMD_TROUBLE);
}

static void test_json(void **state)
{
	(void)state;
	check(true, false, "[\n{\"address\":\"0x5\",\"section\":\".text\",\"offset\":5,"
			   "\"kind\":\"inline\",\"func\":\"bar\",\"func_id\":8,"
			   "\"loc_proto_id\":0,\"partial\":true,\"params\":[]}\n]\n",
	      BAD(0) BAD(2), CMD_TROUBLE);
	check(true, true, "[]\n", BAD(0) BAD(2), CMD_TROUBLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
