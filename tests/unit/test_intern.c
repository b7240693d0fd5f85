// SPDX-License-Identifier: GPL-2.0-only
/* test_intern.c - the encoder's and loader's tables: intern, die_map, strtab */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../lib/die_map.h"
#include "../../lib/intern.h"
#include "../../lib/strtab.h"

#define MANY 5000

static void test_intern_rows(void **state)
{
	static const uint32_t a[] = { 1, 2, 3 }, b[] = { 1, 2 }, zero[] = { 0, 0 };
	struct intern in;
	uint32_t nr, *w;

	(void)state;
	assert_int_equal(intern__init(&in), 0);
	assert_int_equal(intern__add(&in, a, 3), 0);
	assert_int_equal(intern__add(&in, b, 2), 1);	/* a prefix is another row */
	assert_int_equal(intern__add(&in, NULL, 0), 2);
	assert_int_equal(intern__add(&in, zero, 2), 3);
	assert_int_equal(intern__add(&in, zero, 1), 4);
	assert_int_equal(intern__add(&in, a, 3), 0);
	assert_int_equal(intern__add(&in, NULL, 0), 2);
	w = intern__words(&in, 0, &nr);
	assert_int_equal(nr, 3);
	assert_memory_equal(w, a, sizeof(a));
	intern__words(&in, 2, &nr);
	assert_int_equal(nr, 0);
	assert_int_equal(in.nr_items, 5);
	intern__free(&in);
}

/* A reserved row has a number but is never looked up, whatever is put into it. */
static void test_intern_reserve(void **state)
{
	static const uint32_t row[] = { 7, 8 }, zero[] = { 0, 0 };
	struct intern in;

	(void)state;
	assert_int_equal(intern__init(&in), 0);
	assert_int_equal(intern__reserve(&in, 2), 0);
	assert_memory_equal(intern__words(&in, 0, NULL), zero, sizeof(zero));
	memcpy(intern__words(&in, 0, NULL), row, sizeof(row));
	assert_int_equal(intern__add(&in, row, 2), 1);
	assert_int_equal(intern__add(&in, zero, 2), 2);
	assert_int_equal(intern__reserve(&in, 0), 3);
	assert_int_equal(intern__add(&in, row, 2), 1);
	intern__free(&in);
}

static void test_intern_many(void **state)
{
	uint32_t i, row[2];
	struct intern in;

	(void)state;
	assert_int_equal(intern__init(&in), 0);
	for (i = 0; i < 2 * MANY; i++) {
		row[0] = i % MANY;
		row[1] = i % MANY / 7;
		assert_int_equal(intern__add(&in, row, 2), i % MANY);
	}
	for (i = 0; i < MANY; i++)
		assert_int_equal(*intern__words(&in, i, NULL), i);
	intern__free(&in);
}

static void test_die_map(void **state)
{
	static char keys[MANY];
	struct die_map m;
	size_t i;

	(void)state;
	assert_int_equal(die_map__init(&m), 0);
	assert_null(die_map__find(&m, keys));
	assert_null(die_map__find(&m, NULL));
	for (i = 0; i < MANY; i++)
		assert_int_equal(die_map__add(&m, keys + i, i), 0);
	for (i = 0; i < MANY; i++) {
		assert_non_null(die_map__find(&m, keys + i));
		assert_int_equal(die_map__find(&m, keys + i)->val, i);
	}
	assert_int_equal(m.used, MANY);
	assert_int_equal(die_map__add(&m, keys + 5, 99), 0);
	assert_int_equal(die_map__find(&m, keys + 5)->val, 99);
	assert_int_equal(m.used, MANY);
	die_map__clear(&m);
	for (i = 0; i < MANY; i++)
		assert_null(die_map__find(&m, keys + i));
	assert_int_equal(die_map__add(&m, keys + 7, 1), 0);
	assert_int_equal(die_map__find(&m, keys + 7)->val, 1);
	assert_null(die_map__find(&m, keys + 8));
	die_map__free(&m);
}

/* After 2^32 units the number of the first comes again: nothing of then is found. */
static void test_die_map_wraps(void **state)
{
	struct die_map m;
	int key;

	(void)state;
	assert_int_equal(die_map__init(&m), 0);
	assert_int_equal(m.gen, 1);
	assert_int_equal(die_map__add(&m, &key, 5), 0);
	m.gen = UINT32_MAX;
	die_map__clear(&m);
	assert_null(die_map__find(&m, &key));
	assert_int_not_equal(m.gen, 0);
	die_map__free(&m);
}

static void test_strtab(void **state)
{
	struct strtab st;
	char name[16];
	int64_t off[MANY];
	size_t i;

	(void)state;
	assert_int_equal(strtab__init(&st), 0);
	assert_int_equal(strtab__add(&st, "foobar"), 0);
	assert_int_equal(strtab__add(&st, "bar"), 7);	/* no tails */
	assert_int_equal(strtab__add(&st, "foobar"), 0);
	assert_int_equal(strtab__add(&st, "bar"), 7);
	assert_int_equal(strtab__add(&st, ""), 11);
	assert_int_equal(strtab__add(&st, ""), 11);
	assert_int_equal(st.len, 12);
	assert_memory_equal(st.data, "foobar\0bar\0", 12);
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "n%zu", i);
		off[i] = strtab__add(&st, name);
		assert_true(off[i] >= 12);
	}
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "n%zu", i);
		assert_int_equal(strtab__add(&st, name), off[i]);
		assert_string_equal(st.data + off[i], name);
	}
	strtab__free(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intern_rows),
		cmocka_unit_test(test_intern_reserve),
		cmocka_unit_test(test_intern_many),
		cmocka_unit_test(test_die_map),
		cmocka_unit_test(test_die_map_wraps),
		cmocka_unit_test(test_strtab),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
