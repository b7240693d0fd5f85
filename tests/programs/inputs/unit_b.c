/* SPDX-License-Identifier: GPL-2.0-only */
/* The second half of the program of test_compilers.py. */
#include "units.h"

/* another function of this name is in unit_a.c */
static OUT void helper(const char *text, struct two *p) { psink(text); sink(p->a); }

/* small enough to be inlined into the other unit by LTO */
int small_in_b(int v, unsigned char k) { sink(k); return twice(v) + k; }

static int choose(int what, int v)
{
	switch (what) {
	case 0: return v + 1;
	case 1: sink(v); return v * 3;
	case 2: return checked(v, 9);
	case 3: warn(v); return -1;
	default: return id(what);
	}
}

OUT long from_b(struct node *n, long k)
{
	long r = changed(k, n->kind) + by_value(n->pair, (struct three){ k, k, k },
						 (struct half){ 0, -1 });

	helper("text", &n->pair);
	helper("other", &n->pair);
	account(n, k);
	while (n) {
		account(n, 2);
		r += choose(n->kind, k) + choose(2, n->weight);
		n = n->next;
	}
	r += taken(r, (struct half){ 1, 2 });
	return r + widths(k, k, k, k, k, k, k, k, STAY) + small_in_b(k, k);
}

void sink(long v) { asm volatile("" :: "r"(v) : "memory"); }
void psink(const void *p) { asm volatile("" :: "r"(p) : "memory"); }
void warn(long v) { asm volatile("" :: "r"(v) : "memory"); }
bool cond(void) { int r = 0; asm volatile("" : "+r"(r)); return r; }

#ifdef UNUSED
/* --gc-sections leaves it out */
INLINE int dropped(int v) { sink(v); return v + 1; }
int nobody_calls(int v) { return dropped(v) * 3; }
#endif
