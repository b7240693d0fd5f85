// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_chain_levels.c - split and doubly split BTF as one space */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <zlib.h>

#include "chain_fixture.h"

/* Base, split, doubly split: one space of ids and strings. */
static void build_three(struct fixture *f, bool big, uint32_t ids[6])
{
	struct blob root, mid, top;
	uint32_t s, mid_foo;

	fixture__init(f);
	root__build(&root, big);
	blob__init_above(&mid, &root);
	mid_foo = mid.next_str;
	ids[0] = blob__struct(&mid, BTF_K_STRUCT, "foo", 24, 2);
	blob__member(&mid, "a", T_INT, 0);
	blob__member(&mid, "m", T_NR + 1, 64);
	ids[1] = blob__ref(&mid, BTF_K_PTR, NULL, ids[0]);
	ids[2] = blob__int(&mid, "u8", 1, 0);
	s = blob__str(&mid, "int");			/* the base has that string too */
	blob__type_off(&mid, BTF_K_TYPEDEF, s, 0, false, ids[2]);
	blob__pad_strs(&mid);				/* its header has 32 bytes */
	blob__init_above(&top, &mid);
	ids[3] = blob__proto(&top, ids[1], 1);
	blob__param(&top, "s", T_PCHAR);
	/* a name that stands in the level below */
	ids[4] = blob__type_off(&top, BTF_K_STRUCT, mid_foo, 0, false, 0);
	ids[5] = blob__func(&top, "printf", T_PROTO_S, 0);
	fixture__add(f, &root, 24, false);
	fixture__add(f, &mid, 32, false);
	fixture__add(f, &top, 24, false);
	assert_int_equal(btf_chain__index(f->c), 0);
}

static void test_three_levels(void **state)
{
	struct btf_level_info l[3];
	struct btf_type_view t;
	struct fixture f;
	struct btf_chain *c;
	uint32_t ids[6];

	build_three(&f, *(bool *)*state, ids);
	c = f.c;
	assert_int_equal(ids[0], T_NR);
	assert_int_equal(ids[3], T_NR + 4);
	assert_int_equal(btf_chain__nr_levels(c), 3);
	assert_int_equal(btf_chain__nr_types(c), T_NR + 7);
	assert_int_equal(btf_chain__level(c, 0, &l[0]), 0);
	assert_int_equal(btf_chain__level(c, 1, &l[1]), 0);
	assert_int_equal(btf_chain__level(c, 2, &l[2]), 0);
	assert_int_equal(btf_chain__level(c, 3, &l[2]), -ERANGE);
	assert_int_equal(l[0].first_type, 1);
	assert_int_equal(l[0].nr_types, T_NR - 1);
	assert_int_equal(l[0].first_str, 0);
	assert_ptr_equal(l[0].types, f.data[0] + 24);
	assert_int_equal(l[1].first_type, T_NR);
	assert_int_equal(l[1].nr_types, 4);
	assert_int_equal(l[1].first_str, l[0].str_size);
	assert_int_equal(l[1].str_size, 16);	/* foo a m u8 int, 1 to a multiple of 4 */
	assert_int_equal(l[1].types_size, 12 + 24 + 12 + 16 + 12);
	assert_int_equal(l[2].first_type, T_NR + 4);
	assert_int_equal(l[2].nr_types, 3);
	assert_int_equal(l[2].first_str, l[0].str_size + 16);
	assert_string_equal(l[2].strs, "s");
	assert_int_equal(btf_chain__str_size(c), l[2].first_str + l[2].str_size);

	assert_int_equal(btf_chain__type(c, T_NR - 1, &t), 0);	/* the base's last */
	assert_int_equal(t.kind, BTF_K_FUNC_PROTO);
	assert_int_equal(btf_chain__type(c, T_NR, &t), 0);
	assert_int_equal(t.size, 24);
	assert_string_equal(btf_chain__name(c, ids[4]), "foo");
	assert_int_equal(btf_chain__type(c, T_NR + 6, &t), 0);	/* the very last */
	assert_int_equal(t.kind, BTF_K_FUNC);
	assert_int_equal(btf_chain__type(c, T_NR + 7, &t), -ERANGE);

	fixture__free(&f);
}

/* What build_three()'s chain answers, however its levels are shared. */
static void check_lookups(const struct btf_chain *c, const uint32_t ids[6])
{
	const struct btf_proto_param s = { "s", T_PCHAR };
	struct btf_level_info mid;

	/* ids ascend through the levels */
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "foo", 0), T_FOO);
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "foo", T_FOO2), ids[0]);
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "foo", ids[0]), ids[4]);
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "foo", ids[4]), 0);
	assert_int_equal(btf_chain__find(c, BTF_K_FUNC, "printf", T_PRINTF2), ids[5]);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_FUNC, "printf", T_PROTO_S,
					     T_PRINTF), ids[5]);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_PTR, "", ids[0], 0), ids[1]);
	assert_int_equal(btf_chain__find_ref(c, BTF_K_PTR, "", T_CHAR, 0), T_PCHAR);
	assert_int_equal(btf_chain__find(c, BTF_K_TYPEDEF, "int", 0), ids[2] + 1);
	assert_int_equal(btf_chain__find_proto(c, ids[1], &s, 1), ids[3]);
	assert_int_equal(btf_chain__find(c, BTF_K_STRUCT, "bar", 0), 0);
	/* of one string in two levels the lower one */
	assert_int_equal(btf_chain__level(c, 1, &mid), 0);
	assert_true(btf_chain__find_str(c, "int") == 1);
	assert_true(btf_chain__find_str(c, "u8") == mid.first_str + 8);
	assert_true(btf_chain__find_str(c, "u9") == -ENOENT);
	assert_true(btf_chain__find_str(c, "") == 0);
}

/* What stands below a level, as zlib sees it: the bytes in a row. */
static void test_below(void **state)
{
	struct btf_below_info below;
	struct btf_level_info l;
	uLong crc = crc32(0, NULL, 0);
	uint32_t ids[6], i, types = 0, strs = 0;
	struct fixture f;

	build_three(&f, *(bool *)*state, ids);
	for (i = 0; i < 3; i++) {
		assert_int_equal(btf_chain__below(f.c, i, &below), 0);
		assert_int_equal(below.nr_types, types);
		assert_int_equal(below.str_size, strs);
		assert_true(below.crc32 == crc);
		assert_int_equal(btf_chain__level(f.c, i, &l), 0);
		types += l.nr_types;
		strs += l.str_size;
		crc = crc32(crc, l.types, l.types_size);
		crc = crc32(crc, (const Bytef *)l.strs, l.str_size);
	}
	assert_int_equal(btf_chain__below(f.c, 3, &below), -ERANGE);
	fixture__free(&f);
}

static void test_lookups(void **state)
{
	struct fixture f;
	uint32_t ids[6];

	build_three(&f, *(bool *)*state, ids);
	check_lookups(f.c, ids);
	fixture__free(&f);
}

/* The upper levels on a chain of the lower ones that others stand on too. */
static void test_shared(void **state)
{
	struct btf_chain *below, *c, *other;
	struct btf_locs_err err;
	struct fixture f;
	uint32_t ids[6];
	unsigned int i, cut;

	build_three(&f, *(bool *)*state, ids);
	for (cut = 0; cut <= 3; cut++) {
		below = btf_chain__new();
		for (i = 0; i < cut; i++)
			assert_int_equal(btf_chain__add(below, f.data[i], f.size[i], false, &err), 0);
		assert_int_equal(btf_chain__index(below), 0);
		other = btf_chain__new_on(below);
		c = btf_chain__new_on(below);
		assert_int_equal(btf_chain__nr_levels(c), cut);
		for (; i < 3; i++)
			assert_int_equal(btf_chain__add(c, f.data[i], f.size[i], false, &err), 0);
		assert_int_equal(btf_chain__index(c), 0);
		assert_int_equal(btf_chain__nr_levels(c), 3);
		assert_int_equal(btf_chain__nr_types(c), btf_chain__nr_types(f.c));
		assert_int_equal(btf_chain__str_size(c), btf_chain__str_size(f.c));
		check_lookups(c, ids);
		assert_int_equal(btf_chain__nr_levels(other), cut);
		assert_int_equal(btf_chain__nr_types(other), btf_chain__nr_types(below));
		btf_chain__free(c);
		/* the one below is as it was */
		assert_int_equal(btf_chain__find(other, BTF_K_INT, "int", 0), cut ? T_INT : 0);
		btf_chain__free(other);
		btf_chain__free(below);
	}
	fixture__free(&f);
}

/* What does not fit on the shared one is refused, and nothing of it stays. */
static void test_shared_refused(void **state)
{
	bool big = *(bool *)*state;
	struct btf_locs_err err;
	struct btf_chain *c;
	struct fixture f;
	struct blob b;
	uint8_t *data;
	size_t size;

	fixture__root(&f, big);
	c = btf_chain__new_on(f.c);
	blob__init_split(&b, !big, T_NR, btf_chain__str_size(f.c));
	data = blob__finish(&b, 24, &size);
	assert_int_equal(btf_chain__add(c, data, size, false, &err), -EINVAL);
	free(data);
	blob__free(&b);
	blob__init_split(&b, big, T_NR, btf_chain__str_size(f.c));
	blob__ref(&b, BTF_K_PTR, NULL, T_NR + 1);
	data = blob__finish(&b, 24, &size);
	assert_int_equal(btf_chain__add(c, data, size, false, &err), -EBADMSG);
	free(data);
	blob__free(&b);
	assert_int_equal(btf_chain__nr_types(c), T_NR);
	assert_int_equal(btf_chain__nr_levels(c), 1);
	btf_chain__free(c);
	fixture__free(&f);
}

/* A level on top of an index: the index goes, and can be built again. */
static void test_add_after_index(void **state)
{
	struct btf_locs_err err;
	struct fixture f;
	struct blob b;

	fixture__root(&f, *(bool *)*state);
	blob__init_split(&b, *(bool *)*state, T_NR, btf_chain__str_size(f.c));
	blob__int(&b, "u8", 1, 0);
	/* a level that is refused leaves the index */
	assert_int_equal(btf_chain__add(f.c, "xx", 2, false, &err), -EBADMSG);
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "int", 0), T_INT);
	fixture__add(&f, &b, 24, false);
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "int", 0), 0);
	assert_int_equal(btf_chain__index(f.c), 0);
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "int", 0), T_INT);
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "u8", 0), T_NR);
	fixture__free(&f);
}

/* Kinds 20 to 22: read with @locs; stepped over by the layout; else refused. */
static void test_locs(void **state)
{
	static const uint32_t regs[] = { 5, 4 };
	struct btf_locs_err err = { "" };
	struct btf_type_view t;
	struct fixture f;
	struct blob b;
	uint32_t lp, w;
	uint8_t *data;
	size_t size;

	fixture__root(&f, *(bool *)*state);
	blob__init_split(&b, *(bool *)*state, T_NR, btf_chain__str_size(f.c));
	blob__str_bytes(&b, "btf_locs=1\0", 12);	/* ends with an empty string */
	lp = blob__loc_param(&b, 8, LOC_F_REG, 2, regs);
	blob__loc_proto(&b, 1, &lp);
	blob__locsec(&b, ".text", 2);
	blob__rec(&b, T_PRINTF, lp + 1, 0x10);
	blob__rec(&b, T_PRINTF, 0, 0x20);
	blob__int(&b, "after", 4, 0);
	data = blob__finish(&b, 24, &size);
	assert_int_equal(btf_chain__add(f.c, data, size, false, &err), -EBADMSG);
	assert_string_equal(err.text, "type 36 at 0x18: kind 20 is not known");
	free(data);
	data = blob__finish(&b, 32, &size);
	assert_int_equal(btf_chain__add(f.c, data, size, false, &err), 0);
	assert_int_equal(btf_chain__nr_types(f.c), T_NR + 4);
	assert_string_equal(btf_chain__name(f.c, T_NR + 3), "after");
	btf_chain__free(f.c);
	free(data);

	f.c = btf_chain__new();
	assert_int_equal(btf_chain__add(f.c, f.data[0], f.size[0], false, &err), 0);
	fixture__add(&f, &b, 32, true);
	assert_int_equal(btf_chain__index(f.c), 0);
	assert_int_equal(btf_chain__type(f.c, lp, &t), 0);
	assert_int_equal(t.kind, BTF_K_LOC_PARAM);
	assert_int_equal(t.size, 8);
	assert_int_equal(t.vlen, 2);
	assert_int_equal(t.data_size, 12);
	assert_int_equal(btf_chain__word(f.c, &t, 0, &w), 0);
	assert_int_equal(w, LOC_F_REG);
	assert_int_equal(btf_chain__word(f.c, &t, 2, &w), 0);
	assert_int_equal(w, 4);
	assert_int_equal(btf_chain__find(f.c, BTF_K_LOCSEC, ".text", 0), lp + 2);
	assert_int_equal(btf_chain__type(f.c, lp + 2, &t), 0);
	assert_int_equal(t.data_size, 24);
	assert_int_equal(btf_chain__word(f.c, &t, 5, &w), 0);
	assert_int_equal(w, 0x20);
	fixture__free(&f);
}

static void test_is_split(void **state)
{
	bool big = *(bool *)*state;
	struct blob b;
	uint8_t *data;
	size_t size;

	blob__init(&b, big);
	data = blob__finish(&b, 24, &size);
	assert_int_equal(btf_blob__is_split(data, size), 0);
	assert_int_equal(btf_blob__is_split(data, size - 1), -EBADMSG);
	assert_int_equal(btf_blob__is_split(data, 0), -EBADMSG);
	free(data);
	blob__free(&b);
	blob__init_split(&b, big, 10, 20);
	data = blob__finish(&b, 24, &size);
	assert_int_equal(btf_blob__is_split(data, size), 1);	/* no string at all */
	free(data);
	blob__str(&b, "x");
	data = blob__finish(&b, 32, &size);
	assert_int_equal(btf_blob__is_split(data, size), 1);
	free(data);
	blob__free(&b);
	assert_int_equal(btf_blob__is_split("\177ELF\2\1\1\0", 8), -EBADMSG);
}

/* Empty levels: no types, no strings; in the middle of a chain. */
static void test_empty_levels(void **state)
{
	bool big = *(bool *)*state;
	struct fixture f;
	struct blob b;

	fixture__init(&f);
	blob__init(&b, big);
	fixture__add(&f, &b, 24, false);
	blob__init_split(&b, big, 1, 1);
	fixture__add(&f, &b, 24, false);
	blob__init_split(&b, big, 1, 1);
	blob__int(&b, "int", 4, 0);
	fixture__add(&f, &b, 24, false);
	assert_int_equal(btf_chain__index(f.c), 0);
	assert_int_equal(btf_chain__nr_types(f.c), 2);
	assert_string_equal(btf_chain__name(f.c, 1), "int");
	assert_int_equal(btf_chain__find(f.c, BTF_K_INT, "int", 0), 1);
	assert_true(btf_chain__find_str(f.c, "int") == 1);
	assert_string_equal(btf_chain__str(f.c, 0), "");
	fixture__free(&f);
}

/* Many of one name, all of them in order; with a walk from the start each, it hangs. */
static void test_one_name(void **state)
{
	uint32_t i, id, n = 200000, name;
	struct fixture f;
	struct blob b;

	fixture__init(&f);
	blob__init(&b, *(bool *)*state);
	name = blob__str(&b, "same");
	for (i = 0; i < n; i++) {
		blob__type_off(&b, BTF_K_STRUCT, name, 0, false, 0);
		blob__str(&b, "same");
	}
	fixture__add(&f, &b, 24, false);
	assert_int_equal(btf_chain__index(f.c), 0);
	for (i = 1, id = 0; (id = btf_chain__find(f.c, BTF_K_STRUCT, "same", id)); i++)
		assert_int_equal(id, i);
	assert_int_equal(i, n + 1);
	fixture__free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_three_levels),
		BOTH(test_below),
		BOTH(test_lookups),
		BOTH(test_shared),
		BOTH(test_shared_refused),
		BOTH(test_add_after_index),
		BOTH(test_locs),
		BOTH(test_is_split),
		BOTH(test_empty_levels),
		BOTH(test_one_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
