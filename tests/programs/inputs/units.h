/* SPDX-License-Identifier: GPL-2.0-only */
/* What unit_a.c and unit_b.c share: types and inlined functions, so that dwz, LTO and type
 * units have something to put in one place. */
#ifndef UNITS_H
#define UNITS_H
#include <stdbool.h>

enum way { LEFT = -1, STAY, RIGHT };
struct two { long a, b; };
struct three { long a, b, c; };
struct half { int a, b; };
struct node { struct node *next; unsigned char kind; short weight; struct two pair; };

#ifdef __SIZEOF_INT128__
typedef __int128 wide_t;
#else
typedef long long wide_t;
#endif

#define INLINE static inline __attribute__((always_inline))
#define OUT __attribute__((noinline))

extern void sink(long);
extern void psink(const void *);
extern bool cond(void);
__attribute__((cold)) extern void warn(long);
extern int table[16];
extern int total;

/* nothing left of it where it is inlined */
static inline int id(int v) { return v; }
static inline int inc(int v) { return id(v) + 1; }
static inline int twice(int v) { return inc(inc(v)); }

/* every width and sign, a bool and an enum */
INLINE long widths(unsigned char a, signed char b, unsigned short c, short d, unsigned int e,
		   int f, unsigned long g, bool h, enum way w)
{
	sink(a + b + c + d);
	sink(e + f + g);
	return h ? w : 3;
}

/* two registers; memory; two halves of one register */
INLINE long by_value(struct two t, struct three s, struct half h)
{
	sink(t.a + s.b);
	sink(h.b);
	return t.b + s.c + h.a;
}

/* one half of it is never used */
INLINE void one_half(struct two t) { sink(t.b); }

/* another value from the first instruction on */
INLINE long changed(long v, unsigned char k)
{
	v += 7;
	sink(v);
	k *= 3;
	sink(k);
	return v;
}

/* split into a hot and a cold part */
static inline int checked(int v, int max)
{
	if (__builtin_expect(v > max, 0)) {
		warn(id(v));
		return -22;
	}
	return v;
}

INLINE void places(const int *p, const void *q, int (*fn)(int), int *where)
{
	psink(p);
	psink(q);
	if (fn)
		*where = fn(3);
}

/* the parameter's own address is taken */
INLINE long taken(long v, struct half h)
{
	psink(&v);
	psink(&h);
	return v + h.a;
}

/* a part of it is inlined, the rest is a function of its own */
static void account(struct node *n, int now)
{
	if (!(n->kind & 1))
		return;
	for (int i = 0; i < now; i++) {
		sink(n->weight + i);
		if (cond())
			sink(n->kind);
	}
	sink(now);
}

/* no tracer can fetch them */
INLINE void floats(double d, float f, wide_t w, long last)
{
	if (d > f)
		sink(w >> 63);
	sink(last);
}

#endif
