// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_chain_blob.c - blobs cut off, changed, with other headers and other kinds */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chain_fixture.h"

/* A header field that is changed: which, to what, what is said of it. */
struct bad_header {
	unsigned int hdr_len;
	size_t at;
	unsigned int bytes;
	uint32_t value;
	const char *line;
};

/*
 * A root of 24 + 28 + 5 = 57 bytes, or, with a layout, 32 + 28 + 92 + 8 = 160.
 */
static const struct bad_header bad_headers[] = {
	{ 24, 2, 1, 2, "BTF header: version 2, not 1" },
	{ 24, 2, 1, 0, "BTF header: version 0, not 1" },
	{ 24, 4, 4, 23, "BTF header: length 23 of 57 bytes" },
	{ 24, 4, 4, 0, "BTF header: length 0 of 57 bytes" },
	{ 24, 4, 4, 58, "BTF header: length 58 of 57 bytes" },
	{ 24, 4, 4, UINT32_MAX, "BTF header: length 4294967295 of 57 bytes" },
	{ 24, 8, 4, 32, "BTF header: types at 0x38, 0x1c bytes, passes the end at 0x39" },
	{ 24, 8, 4, UINT32_MAX,
	  "BTF header: types at 0x100000017, 0x1c bytes, passes the end at 0x39" },
	{ 24, 8, 4, 1, "BTF header: types are not aligned to 4" },
	{ 24, 8, 4, 4, "BTF header: types and strings overlap" },
	{ 24, 12, 4, UINT32_MAX,
	  "BTF header: types at 0x18, 0xffffffff bytes, passes the end at 0x39" },
	{ 24, 12, 4, 29, "BTF header: types and strings overlap" },
	{ 24, 16, 4, 27, "BTF header: types and strings overlap" },
	{ 24, 16, 4, 0, "BTF header: types and strings overlap" },
	{ 24, 16, 4, 29,
	  "BTF header: strings at 0x35, 0x5 bytes, passes the end at 0x39" },
	{ 24, 20, 4, 6,
	  "BTF header: strings at 0x34, 0x6 bytes, passes the end at 0x39" },
	{ 24, 20, 4, UINT32_MAX,
	  "BTF header: strings at 0x34, 0xffffffff bytes, passes the end at 0x39" },
	{ 24, 20, 4, 4, "string table at 0x34: its last string has no end" },
	{ 24, 20, 4, 0, "string table at 0x34: does not begin with an empty string, "
	  "as a base does (is it split BTF, without its base?)" },
	{ 32, 24, 4, 27, "BTF header: types and layout overlap" },
	{ 32, 24, 4, 30, "BTF header: layout and strings overlap" },
	{ 32, 24, 4, 1000,
	  "BTF header: layout at 0x408, 0x5c bytes, passes the end at 0xa0" },
	{ 32, 28, 4, 91, "BTF header: layout is not whole" },
	{ 32, 28, 4, UINT32_MAX - 3,
	  "BTF header: layout at 0x3c, 0xfffffffc bytes, passes the end at 0xa0" },
};

static void test_headers(void **state)
{
	bool big = *(bool *)*state;
	struct btf_chain *c = btf_chain__new();
	struct blob b;
	uint8_t *data;
	size_t i, size;

	small_root(&b, big);
	for (i = 0; i < sizeof(bad_headers) / sizeof(bad_headers[0]); i++) {
		const struct bad_header *h = &bad_headers[i];

		data = blob__finish(&b, h->hdr_len, &size);
		assert_int_equal(size, h->hdr_len == 24 ? 57 : 160);
		if (h->bytes == 1)
			data[h->at] = h->value;
		else
			bytes__put_u32(data + h->at, h->value, big);
		check_refused(c, data, size, false, -EBADMSG, h->line);
		free(data);
	}
	check_refused(c, "\177ELF", 4, false, -EBADMSG,
		      "not BTF: it begins with 0x7f 0x45");
	check_refused(c, "", 0, false, -EBADMSG, "BTF header: cut off");
	blob__free(&b);
	btf_chain__free(c);
}

/* Cut off at any byte it is refused: each part is used to its end. */
static void test_truncated(void **state)
{
	static const unsigned int hdr_lens[] = { 24, 32 };
	struct btf_chain *c = btf_chain__new();
	struct btf_locs_err err;
	struct blob b;
	uint8_t *data, *copy;
	size_t i, n, size;

	root__build(&b, *(bool *)*state);
	for (i = 0; i < 2; i++) {
		data = blob__finish(&b, hdr_lens[i], &size);
		for (n = 0; n < size; n++) {
			copy = exactly(data, n);
			err.text[0] = '\0';
			assert_int_equal(btf_chain__add(c, copy, n, false, &err),
					 -EBADMSG);
			assert_true(err.text[0]);
			assert_int_equal(btf_blob__is_split(copy, n), -EBADMSG);
			free(copy);
		}
		assert_int_equal(btf_chain__nr_levels(c), 0);
		free(data);
	}
	blob__free(&b);
	btf_chain__free(c);
}

/* What is wrong only where it stands: on a base, or not on one. */
static void test_levels(void **state)
{
	bool big = *(bool *)*state;
	struct btf_chain *c = btf_chain__new();
	struct blob root, b;
	uint8_t *data, *base;
	size_t size;

	small_root(&root, big);
	base = blob__finish(&root, 24, &size);

	/* a split one alone */
	blob__init_split(&b, big, 3, 5);
	blob__ref(&b, BTF_K_TYPEDEF, "t", 1);
	data = blob__finish(&b, 24, &size);
	check_refused(c, data, size, false, -EBADMSG, "string table at 0x24: does not "
		      "begin with an empty string, as a base does (is it split BTF, "
		      "without its base?)");
	free(data);
	blob__free(&b);

	assert_int_equal(btf_chain__add(c, base, 57, false, NULL), 0);
	/* ids count from the base's: types are 0 to 2 there, this one is 3, 4 is none */
	blob__init_above(&b, &root);
	blob__ref(&b, BTF_K_TYPEDEF, "t", 4);
	data = blob__finish(&b, 24, &size);
	check_refused(c, data, size, false, -EBADMSG,
		      "type 3 (TYPEDEF 't') at 0x18: names type 4 of 4");
	free(data);
	blob__free(&b);
	/* so do strings */
	blob__init_above(&b, &root);
	blob__str(&b, "t");
	blob__type_off(&b, BTF_K_TYPEDEF, 7, 0, false, 1);
	data = blob__finish(&b, 24, &size);
	check_refused(c, data, size, false, -EBADMSG,
		      "type 3 (TYPEDEF '(anon)') at 0x18: names string 7 of 7");
	free(data);
	blob__free(&b);
	/* the other byte order */
	blob__init_split(&b, !big, 3, 5);
	data = blob__finish(&b, 24, &size);
	check_refused(c, data, size, false, -EINVAL, big ?
		      "little-endian BTF on a big-endian base" :
		      "big-endian BTF on a little-endian base");
	free(data);
	blob__free(&b);
	btf_chain__free(c);
	blob__free(&root);
	free(base);
}

/* An unknown kind, 23, that the layout section gives a size: @fixed and @elem bytes. */
static int add_unknown(bool big, uint8_t fixed, uint8_t elem, uint32_t vlen,
		       unsigned int words, struct btf_locs_err *err)
{
	struct btf_chain *c = btf_chain__new();
	struct btf_type_view t;
	struct wbuf w;
	struct blob b;
	uint8_t *data;
	size_t size;
	int ret;

	small_root(&b, big);
	blob__type(&b, 23, "new", vlen, true, 0xdeadbeef);
	while (words--)
		blob__word(&b, 0xffffffff);
	blob__int(&b, "after", 4, 0);
	data = blob__finish(&b, 32, &size);
	/* by hand: one more entry in the layout, which moves the strings */
	wbuf__init(&w, big);
	wbuf__put(&w, data, 32 + b.types.len + 92);
	wbuf__u8(&w, fixed);
	wbuf__u8(&w, elem);
	wbuf__u16(&w, 0);
	wbuf__put(&w, data + 32 + b.types.len + 92, size - 32 - b.types.len - 92);
	wbuf__patch_u32(&w, 16, b.types.len + 96);
	wbuf__patch_u32(&w, 28, 96);
	ret = btf_chain__add(c, w.data, w.len, false, err);
	if (!ret) {
		assert_int_equal(btf_chain__nr_types(c), 5);
		assert_int_equal(btf_chain__type(c, 3, &t), 0);
		assert_int_equal(t.kind, 23);
		assert_int_equal(t.vlen, vlen);
		assert_int_equal(t.data_size, fixed + vlen * elem);
		assert_string_equal(btf_chain__name(c, 3), "new");
		assert_string_equal(btf_chain__name(c, 4), "after");
		assert_int_equal(btf_chain__index(c), 0);
		assert_int_equal(btf_chain__find(c, BTF_K_INT, "after", 0), 4);
		assert_int_equal(btf_chain__find(c, 23, "new", 0), 3);
		assert_int_equal(btf_chain__equal(c, 3, 4), 0);
	}
	btf_chain__free(c);
	wbuf__free(&w);
	blob__free(&b);
	free(data);
	return ret;
}

static void test_layout(void **state)
{
	struct btf_locs_err err = { "" };
	bool big = *(bool *)*state;

	assert_int_equal(add_unknown(big, 0, 0, 9, 0, &err), 0);
	assert_int_equal(add_unknown(big, 4, 8, 3, 7, &err), 0);
	assert_int_equal(add_unknown(big, 2, 3, 2, 2, &err), 0);
	assert_string_equal(err.text, "");
	assert_int_equal(add_unknown(big, 2, 0, 1, 1, &err), -EBADMSG);
	assert_string_equal(err.text, "type 3 at 0x3c: kind 23 has 14 bytes, not a "
			    "multiple of 4");
	/* 12 + 255 + 255 * (2^24 - 1): nothing wraps */
	assert_int_equal(add_unknown(big, 255, 255, 0xffffff, 0, &err), -EBADMSG);
	assert_string_equal(err.text, "type 3 (UNKNOWN) at 0x3c: cut off, needs "
			    "4278190092 bytes, 28 are left");
}

/* Only kinds that the layout has are stepped over, and then not looked into. */
static void test_layout_only(void **state)
{
	static const uint32_t values[] = { 0, 0, 77 }, id = 99;
	struct btf_chain *c = btf_chain__new();
	bool big = *(bool *)*state;
	struct btf_locs_err err;
	struct blob b;
	uint8_t *data;
	size_t size;

	small_root(&b, big);
	blob__type(&b, 23, NULL, 0, false, 0);
	data = blob__finish(&b, 32, &size);
	check_refused(c, data, size, false, -EBADMSG,
		      "type 3 at 0x3c: kind 23 is not known");
	free(data);
	blob__free(&b);
	small_root(&b, big);
	blob__loc_proto(&b, 1, &id);
	blob__loc_param(&b, 8, LOC_F_CONST | LOC_F_ADDR, 3, values);
	data = blob__finish(&b, 32, &size);
	check_refused(c, data, size, true, -EBADMSG,
		      "type 3 (LOC_PROTO '(anon)') at 0x3c: parameter 0 names type 99 "
		      "of 5");
	assert_int_equal(btf_chain__add(c, data, size, false, &err), 0);
	assert_int_equal(btf_chain__nr_types(c), 5);
	free(data);
	blob__free(&b);
	btf_chain__free(c);
}

/* The parts in another order, one right behind the other, and bytes behind them all. */
static void test_order_of_parts(void **state)
{
	bool big = *(bool *)*state;
	struct btf_chain *c = btf_chain__new();
	struct btf_locs_err err = { "" };
	struct wbuf w;
	struct blob b;

	small_root(&b, big);
	blob__pad_strs(&b);		/* 8 bytes */
	wbuf__init(&w, big);
	wbuf__u16(&w, 0xeb9f);
	wbuf__u16(&w, big ? 0x100 : 1);	/* version, flags */
	wbuf__u32(&w, 24);
	wbuf__u32(&w, 8);		/* types behind the strings */
	wbuf__u32(&w, 28);
	wbuf__u32(&w, 0);
	wbuf__u32(&w, 8);
	wbuf__put(&w, b.strs.data, 8);
	wbuf__put(&w, b.types.data, 28);
	wbuf__u32(&w, 0xffffffff);
	if (btf_chain__add(c, w.data, w.len, false, &err))
		fail_msg("%s", err.text);
	assert_int_equal(btf_chain__nr_types(c), 3);
	assert_string_equal(btf_chain__name(c, 1), "int");
	btf_chain__free(c);
	wbuf__free(&w);
	blob__free(&b);
}

static void use_all(struct btf_chain *c)
{
	struct btf_proto_param none = { "", 1 };
	struct btf_member_view m;
	struct btf_param_view p;
	struct btf_array_view a;
	struct btf_type_view t;
	uint32_t id, i, name, w;
	size_t sum = 0;
	uint64_t v;

	assert_int_equal(btf_chain__index(c), 0);
	for (id = 0; id < btf_chain__nr_types(c); id++) {
		assert_int_equal(btf_chain__type(c, id, &t), 0);
		sum += strlen(btf_chain__name(c, id));
		for (i = 0; i <= t.vlen; i++) {
			if (!btf_chain__member(c, &t, i, &m))
				sum += strlen(btf_chain__str(c, m.name_off)) + m.type;
			if (!btf_chain__param(c, &t, i, &p))
				sum += strlen(btf_chain__str(c, p.name_off)) + p.type;
			if (!btf_chain__enumerator(c, &t, i, &name, &v))
				sum += strlen(btf_chain__str(c, name));
			if (i > 1000)
				break;
		}
		btf_chain__array(c, &t, &a);
		for (i = 0; !btf_chain__word(c, &t, i, &w); i++)
			sum += w;
		sum += btf_chain__find(c, t.kind, btf_chain__name(c, id), id);
		sum += btf_chain__find_ref(c, t.kind, btf_chain__name(c, id), t.size, 0);
		assert_true(btf_chain__equal(c, id, id) == 1);
		assert_true(btf_chain__equal(c, id, id / 2) >= 0);
	}
	sum += btf_chain__find_proto(c, 0, &none, 1);
	assert_true(sum != 1);
}

/* One byte changed, each to a few values: refused with a line, or safe to use. */
static void test_mutated(void **state)
{
	static const uint8_t xors[] = { 0x01, 0x80, 0xff, 0x04, 0x10 };
	size_t i, k, size, taken = 0;
	struct btf_locs_err err;
	struct btf_chain *c;
	struct blob b;
	uint8_t *data;

	root__build(&b, *(bool *)*state);
	data = blob__finish(&b, 32, &size);
	data = realloc(data, size);
	assert_non_null(data);
	for (i = 0; i < size; i++)
		for (k = 0; k < sizeof(xors); k++) {
			c = btf_chain__new();
			data[i] ^= xors[k];
			err.text[0] = '\0';
			if (!btf_chain__add(c, data, size, k & 1, &err)) {
				use_all(c);
				taken++;
			} else {
				assert_true(err.text[0]);
			}
			data[i] ^= xors[k];
			btf_chain__free(c);
		}
	assert_true(taken > 100 && taken < size * sizeof(xors));
	free(data);
	blob__free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_headers),
		BOTH(test_truncated),
		BOTH(test_levels),
		BOTH(test_layout),
		BOTH(test_layout_only),
		BOTH(test_order_of_parts),
		BOTH(test_mutated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
