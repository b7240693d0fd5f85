/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions out of line whose signature every compiler changes, and some that it keeps. */
struct pair { long a, b; };

extern void sink(long);
extern void psink(const void *);
extern int cond(void);
extern int other(int, long);

#define OUT __attribute__((noinline))

/* `unused` goes, and `k` is 42 at every call */
static OUT long clone(struct pair *p, int unused, long k)
{
	sink(k);
	if (cond())
		sink(p->b);
	return p->b + k;
}

/* `unused` goes, and `x` moves into the first register */
static OUT long dropped(int unused, long x) { sink(x); return x * 3 + cond(); }

static OUT long always42(long x, long k) { sink(x + k); return cond() ? x : k; }

/* both are elsewhere when they are used */
OUT int event_read(long e, int group)
{
	sink(1);
	sink(2);
	return other(group, e) + cond();
}

/* a slot of the frame, which the prologue fills */
OUT long taken(long v, int w)
{
	sink(4);
	psink(&v);
	return other(w, v) + v;
}

long user(struct pair *p, long x)
{
	return clone(p, x, 42) + clone(p + 1, 3, 42) + dropped(x, 3 + x) + dropped(1, x) +
	       always42(x, 42) + always42(x + 3, 42);
}
