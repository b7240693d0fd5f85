/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pair_graph.h - whether pairs of types are the same, each pair looked at once
 *
 * Two structs are the same if their members are, and members lead back to structs. So a pair
 * that is looked at names the pairs that it needs. One that differs takes along all that
 * need it. What is left when all have been looked at is the same. No answer rests on
 * an assumption that may turn out wrong: every one is final, and the time is that of the
 * pairs and of what they need.
 */
#ifndef LOCS_PAIR_GRAPH_H
#define LOCS_PAIR_GRAPH_H

#include <stddef.h>
#include <stdint.h>

enum pair_verdict {
	PAIR_OPEN,		/* not known yet */
	PAIR_SAME,
	PAIR_DIFFERENT,
};

struct pair {
	uint64_t a;		/* the user's: an id, an address */
	const void *aux;	/* what the user must know of @a besides */
	uint32_t b;
	uint32_t users;		/* index + 1 of the first edge to one that needs it */
	uint32_t next;		/* index + 1 of the next that is to take its users along */
	uint32_t verdict;	/* enum pair_verdict */
};

struct pair_edge {
	uint32_t user;
	uint32_t next;		/* index + 1 */
};

struct pair_slot {
	uint32_t gen;		/* free where it is not the graph's */
	uint32_t pair;
};

struct pair_graph {
	struct pair *pairs;	/* in the order they came, which is that of the looks */
	uint32_t nr, cap;
	uint32_t looked;	/* those below have been looked at */
	uint32_t settled;	/* those below have a verdict that is not open */
	struct pair_edge *edges;
	uint32_t nr_edges, cap_edges;
	struct pair_slot *slots;	/* 2 * cap of them */
	uint32_t gen;
	uint32_t max;		/* as many pairs at most */
	uint64_t steps;		/* what may still be spent on them */
};

/*
 * Looks at pair @n: calls pair_graph__need() for what it needs. 1, 0: it differs, or a negative
 * errno. g->pairs moves when pairs are added.
 */
typedef int (*pair_look_t)(void *arg, uint32_t n);

/* @max: pairs, @steps: units of work that pair_graph__spend() may take. Nothing is allocated. */
void pair_graph__init(struct pair_graph *g, uint32_t max, uint64_t steps);
void pair_graph__free(struct pair_graph *g);
/* Forgets all pairs, keeps the memory. */
void pair_graph__clear(struct pair_graph *g);

/* Takes @n steps. 0, or -E2BIG: there are not so many left; then none are. */
int pair_graph__spend(struct pair_graph *g, uint64_t n);

/* Within a look: pair @user is the same only if (@a, @b) is. 1, 0: that differs, or an errno. */
int pair_graph__need(struct pair_graph *g, uint32_t user, uint64_t a, const void *aux,
		     uint32_t b);

/*
 * Whether @a is @b: looks at that pair and at all that it needs, those aside that have been
 * looked at before. 1, 0, or the negative errno of a look; with -E2BIG (and every other)
 * what was not known yet counts as different from then on.
 */
int pair_graph__same(struct pair_graph *g, uint64_t a, const void *aux, uint32_t b,
		     pair_look_t fn, void *arg);

#endif
