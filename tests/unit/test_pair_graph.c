// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pair_graph.c - verdicts of made-up graphs of pairs, against a plain fixpoint */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/pair_graph.h"

#define NODES	200
#define NEEDS	3

/* Node a is the pair (a, 7): what it needs, whether it differs in itself. */
struct made {
	struct pair_graph g;
	uint32_t nr;
	int need[NODES][NEEDS];		/* -1: none */
	int own[NODES];			/* what a look returns */
	unsigned int looks[NODES];
};

static int look(void *arg, uint32_t n)
{
	struct made *m = arg;
	uint64_t a = m->g.pairs[n].a;
	int i, ret;

	m->looks[a]++;
	for (i = 0; i < NEEDS; i++) {
		if (m->need[a][i] < 0)
			continue;
		ret = pair_graph__need(&m->g, n, m->need[a][i], NULL, 7);
		if (ret != 1)
			return ret;
	}
	return m->own[a];
}

static int same(struct made *m, uint32_t a)
{
	return pair_graph__same(&m->g, a, NULL, 7, look, m);
}

static void make(struct made *m, uint32_t nr)
{
	memset(m, 0, sizeof(*m));
	pair_graph__init(&m->g, 1000, 1000000);
	m->nr = nr;
	memset(m->need, -1, sizeof(m->need));
	for (uint32_t i = 0; i < NODES; i++)
		m->own[i] = 1;
}

/* Takes away what differs, and what needs it, until nothing changes. */
static void fixpoint(const struct made *m, int *verdict)
{
	uint32_t a;
	int i, more = 1;

	memcpy(verdict, m->own, sizeof(m->own));
	while (more) {
		more = 0;
		for (a = 0; a < m->nr; a++)
			for (i = 0; i < NEEDS; i++)
				if (verdict[a] && m->need[a][i] >= 0 &&
				    !verdict[m->need[a][i]]) {
					verdict[a] = 0;
					more = 1;
				}
	}
}

/* Any order of questions gives the fixpoint's answers, with one look at each pair. */
static void test_fixpoint(void **state)
{
	static struct made m;
	unsigned int seed = 1, round, yes = 0, no = 0;
	int bad, verdict[NODES];
	uint32_t a, i;

	(void)state;
	for (round = 0; round < 300; round++) {
		make(&m, 20 + rand_r(&seed) % (NODES - 20));
		bad = 1 + rand_r(&seed) % 10;
		for (a = 0; a < m.nr; a++) {
			for (i = 0; i < NEEDS; i++)
				if (rand_r(&seed) % 3 == 0)
					m.need[a][i] = rand_r(&seed) % m.nr;
			m.own[a] = rand_r(&seed) % 100 >= bad;
		}
		fixpoint(&m, verdict);
		for (i = 0; i < 2 * m.nr; i++) {
			a = rand_r(&seed) % m.nr;
			assert_int_equal(same(&m, a), verdict[a]);
			verdict[a] ? yes++ : no++;
		}
		for (a = 0; a < m.nr; a++)
			assert_true(m.looks[a] <= 1);
		pair_graph__free(&m.g);
	}
	assert_true(yes > 1000 && no > 1000);
}

/* A ring is the same, until one in it differs: then none is. Nothing is left after a clear. */
static void test_ring(void **state)
{
	static struct made m;
	uint32_t a;

	(void)state;
	make(&m, 100);
	for (a = 0; a < 100; a++)
		m.need[a][0] = (a + 1) % 100;
	assert_int_equal(same(&m, 50), 1);
	m.own[49] = 0;
	assert_int_equal(same(&m, 49), 1);	/* it has been looked at */
	pair_graph__clear(&m.g);
	assert_int_equal(same(&m, 50), 0);
	for (a = 0; a < 100; a++)
		assert_int_equal(same(&m, a), 0);
	assert_int_equal(m.looks[3], 2);
	pair_graph__free(&m.g);
}

/* A bound that is met: what is open counts as different, what was known stays. */
static void test_bounds(void **state)
{
	static struct made m;
	uint32_t a;

	(void)state;
	make(&m, 100);
	for (a = 10; a < 99; a++)
		m.need[a][0] = a + 1;
	m.need[0][0] = 1;
	assert_int_equal(same(&m, 0), 1);
	m.g.steps = 20;
	assert_int_equal(same(&m, 10), -E2BIG);
	m.g.steps = 1000;
	assert_int_equal(same(&m, 10), 0);
	assert_int_equal(same(&m, 12), 0);
	assert_int_equal(same(&m, 0), 1);
	assert_int_equal(same(&m, 1), 1);
	assert_int_equal(same(&m, 90), 1);
	/* as many pairs as there may be */
	pair_graph__free(&m.g);
	pair_graph__init(&m.g, 5, 1000);
	assert_int_equal(same(&m, 10), -E2BIG);
	assert_int_equal(same(&m, 13), 0);
	assert_int_equal(same(&m, 80), -E2BIG);
	pair_graph__free(&m.g);
}

/* A look that fails: its errno, and no verdict that rests on what it did not see. */
static void test_error(void **state)
{
	static struct made m;

	(void)state;
	make(&m, 3);
	m.need[0][0] = 1;
	m.need[1][0] = 2;
	m.own[2] = -ENOMEM;
	assert_int_equal(same(&m, 0), -ENOMEM);
	assert_int_equal(same(&m, 0), 0);
	assert_int_equal(same(&m, 1), 0);
	pair_graph__free(&m.g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixpoint),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
