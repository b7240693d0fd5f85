// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pair_graph.c - whether pairs of types are the same, each pair looked at once */
#include "pair_graph.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "btf_chain_hash.h"

#define CAP_MIN		64
#define CAP_MAX		(UINT32_C(1) << 28)

void pair_graph__init(struct pair_graph *g, uint32_t max, uint64_t steps)
{
	memset(g, 0, sizeof(*g));
	g->gen = 1;
	g->max = max < CAP_MAX ? max : CAP_MAX;
	g->steps = steps;
}

void pair_graph__free(struct pair_graph *g)
{
	free(g->pairs);
	free(g->edges);
	free(g->slots);
	pair_graph__init(g, g->max, 0);
}

void pair_graph__clear(struct pair_graph *g)
{
	g->nr = g->looked = g->settled = g->nr_edges = 0;
	if (++g->gen == 0) {
		if (g->slots)
			memset(g->slots, 0, 2 * (size_t)g->cap * sizeof(*g->slots));
		g->gen = 1;
	}
}

int pair_graph__spend(struct pair_graph *g, uint64_t n)
{
	if (n > g->steps) {
		g->steps = 0;
		return -E2BIG;
	}
	g->steps -= n;
	return 0;
}

/* The slot of a pair, or the free one where it belongs. */
static struct pair_slot *slot(const struct pair_graph *g, uint64_t a, uint32_t b)
{
	uint32_t mask = 2 * g->cap - 1, i = hash__fold(hash__mix(a, b)) & mask;
	const struct pair *p;

	for (; g->slots[i].gen == g->gen; i = (i + 1) & mask) {
		p = &g->pairs[g->slots[i].pair];
		if (p->a == a && p->b == b)
			break;
	}
	return &g->slots[i];
}

static int grow(struct pair_graph *g)
{
	uint32_t cap = g->cap ? g->cap * 2 : CAP_MIN, i;
	struct pair *pairs = realloc(g->pairs, cap * sizeof(*pairs));
	struct pair_slot *slots;

	if (!pairs)
		return -ENOMEM;
	g->pairs = pairs;
	slots = calloc(2 * (size_t)cap, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(g->slots);
	g->slots = slots;
	g->cap = cap;
	for (i = 0; i < g->nr; i++)
		*slot(g, pairs[i].a, pairs[i].b) = (struct pair_slot){ g->gen, i };
	return 0;
}

/* The number of a pair, which is to be looked at where it is new. Negative errno. */
static int64_t add(struct pair_graph *g, uint64_t a, const void *aux, uint32_t b)
{
	struct pair_slot *s;
	int err = pair_graph__spend(g, 1);

	if (err)
		return err;
	if (g->nr == g->cap) {
		err = grow(g);
		if (err)
			return err;
	}
	s = slot(g, a, b);
	if (s->gen == g->gen)
		return s->pair;
	if (g->nr >= g->max)
		return -E2BIG;
	*s = (struct pair_slot){ g->gen, g->nr };
	g->pairs[g->nr] = (struct pair){ .a = a, .aux = aux, .b = b };
	return g->nr++;
}

static int add_edge(struct pair_graph *g, uint32_t user, struct pair *to)
{
	uint32_t cap = g->cap_edges ? g->cap_edges * 2 : CAP_MIN;
	struct pair_edge *edges;

	if (g->nr_edges == g->cap_edges) {
		if (cap > CAP_MAX)
			return -E2BIG;
		edges = realloc(g->edges, cap * sizeof(*edges));
		if (!edges)
			return -ENOMEM;
		g->edges = edges;
		g->cap_edges = cap;
	}
	g->edges[g->nr_edges++] = (struct pair_edge){ user, to->users };
	to->users = g->nr_edges;
	return 0;
}

int pair_graph__need(struct pair_graph *g, uint32_t user, uint64_t a, const void *aux,
		     uint32_t b)
{
	int64_t n = add(g, a, aux, b);
	int err;

	if (n < 0)
		return n;
	if (g->pairs[n].verdict != PAIR_OPEN)
		return g->pairs[n].verdict == PAIR_SAME;
	err = add_edge(g, user, &g->pairs[n]);
	return err ? err : 1;
}

/* Pair @n differs, and so does what needs it, and what needs that. */
static void differ(struct pair_graph *g, uint32_t n)
{
	uint32_t list = n + 1, e;
	struct pair *p, *user;

	g->pairs[n].verdict = PAIR_DIFFERENT;
	g->pairs[n].next = 0;
	while (list) {
		p = &g->pairs[list - 1];
		list = p->next;
		for (e = p->users; e; e = g->edges[e - 1].next) {
			user = &g->pairs[g->edges[e - 1].user];
			if (user->verdict != PAIR_OPEN)
				continue;
			user->verdict = PAIR_DIFFERENT;
			user->next = list;
			list = user - g->pairs + 1;
		}
	}
}

/* The pairs that are open get their verdict: nobody can need them any more. */
static void settle(struct pair_graph *g, enum pair_verdict verdict)
{
	for (; g->settled < g->nr; g->settled++)
		if (g->pairs[g->settled].verdict == PAIR_OPEN)
			g->pairs[g->settled].verdict = verdict;
	g->looked = g->nr;
	g->nr_edges = 0;
}

int pair_graph__same(struct pair_graph *g, uint64_t a, const void *aux, uint32_t b,
		     pair_look_t fn, void *arg)
{
	int64_t n = add(g, a, aux, b);
	int ret = 1;

	if (n < 0)
		return n;
	while (g->looked < g->nr) {
		uint32_t at = g->looked++;

		ret = fn(arg, at);
		if (ret < 0)
			break;
		if (!ret)
			differ(g, at);
	}
	settle(g, ret < 0 ? PAIR_DIFFERENT : PAIR_SAME);
	return ret < 0 ? ret : g->pairs[n].verdict == PAIR_SAME;
}
