/* SPDX-License-Identifier: GPL-2.0-only */
/* The first half of the program of test_compilers.py. */
#include "units.h"

int table[16] = { 1, 2, 3 };
int total;
static int zeros[8];

extern long from_b(struct node *n, long k);
extern int small_in_b(int v, unsigned char k);

/* another function of this name is in unit_b.c */
static OUT long helper(int v) { sink(v); return cond() ? v : v * 3L; }

/* the signature changes: a constant and an unused argument, one field of a struct */
static OUT long clone(struct two *p, int unused, long k)
{
	sink(k);
	if (cond())
		sink(p->b);
	return p->b + k;
}

OUT int chain(unsigned int v)
{
	int r = twice(v >> 3) + twice((signed char)v) + id(v);

	sink(r);
	return id(r);
}

OUT long all_widths(long a, long b, long c)
{
	long r = widths(a, b, c, a, b, c, a, b & 1, c & 1);

	r += widths(200, -56, 65000, -3, 0xfffffff0u, -7, ~0UL << 31, true, LEFT);
	sink(a);
	return r + widths(b >> 24, b >> 3, a & 0xfff, c >> 16, a + 8, b - 8, c, c, RIGHT);
}

OUT long structs(struct two t, struct three s, struct half h, long i)
{
	struct two u = { i, 5 };
	struct three v = { i, i + 1, -1 };
	long r = by_value(t, s, h);

	one_half(u);
	return r + by_value(u, v, (struct half){ 1, i });
}

OUT int from_places(int i)
{
	int here = i;

	places(&table[5], zeros, id, &here);
	places(table + i, &here, (int (*)(int))0, &total);
	places((int *)0, "text", twice, &table[here & 15]);
	psink(zeros + i);
	return here + total;
}

OUT long addresses(long v)
{
	return taken(v, (struct half){ v, 2 }) + taken(total, (struct half){ 3, 4 });
}

OUT int hot_and_cold(int a, int b)
{
	int r = checked(a, 100);

	for (int i = 0; i < b; i++)
		r += checked(table[i & 15], b);
	if (__builtin_expect(a == 77, 0)) {
		warn(a);
		r += checked(r, 7);
	}
	return r;
}

OUT long changes(long v) { return changed(v, v) + changed(3, 200); }

OUT void of_any_size(int n, double d)
{
	char room[n];

	room[0] = n;
	psink(room);
	floats(d, d, (wide_t)n * n, n);
	floats(2.0, 1.5f, -1, -1);
	places(&n, room, id, &n);
}

OUT int recursive(struct node *n, int depth)
{
	if (!n || depth > 3)
		return depth;
	sink(n->weight);
	return recursive(n->next, depth + 1) + 1;
}

int main(int argc, char **argv)
{
	struct node a = { 0, argc, 2, { 3, 4 } }, b = { &a, 1, 3, { 5, 6 } };
	struct three s = { 1, argc, 3 };
	long r = chain(argc) + all_widths(argc, 2, 3) + hot_and_cold(argc, 3);

	r += structs(b.pair, s, (struct half){ argc, 1 }, argc) + from_places(argc);
	r += addresses(argc) + changes(argc) + recursive(&b, 0) + helper(argc);
	r += clone(&a.pair, argc, 42) + clone(&b.pair, 3, 42) + small_in_b(argc, r);
	of_any_size(argc, argc);
	account(&b, 3);
	account(&a, argc);
	return r + from_b(&b, r) + small_in_b(r, 200);
}
