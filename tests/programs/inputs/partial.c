/* SPDX-License-Identifier: GPL-2.0-only */
/* Partial inlining, true recursion, and clones whose signature the compiler changed. */
struct req { int flags; struct req *next; long bytes; };
struct pair { long a, b; };

extern void sink(long);
extern int cond(void);

/* an early way out: a candidate for partial inlining, called four times */
static void account(struct req *r, int now)
{
	if (!(r->flags & 1))
		return;
	for (int i = 0; i < now; i++) {
		sink(r->bytes + i);
		if (cond())
			sink(r->flags);
		sink(i * 3);
	}
	sink(r->bytes);
	sink(now);
}

/* inlined into itself some levels deep at -O3 */
static int depth(struct req *r, int n)
{
	if (!r || n > 3)
		return n;
	sink(r->bytes);
	return depth(r->next, n + 1) + 1;
}

/* .constprop and .isra: a constant argument, an unused one, one of two fields */
static __attribute__((noinline)) long clone(struct pair *p, int unused, long k)
{
	sink(k);
	if (cond())
		sink(p->b);
	return p->b + k;
}

static inline __attribute__((always_inline)) long around(struct pair *p, int unused, long k)
{
	return clone(p, unused, k) + k;
}

void first(struct req *r) { account(r, 3); sink(1); }
void second(struct req *r, int n) { sink(2); account(r, n); }
void third(struct req *r) { account(r->next, 4); account(r, 5); }
int fourth(struct req *r) { return depth(r, 0); }
long fifth(struct pair *p, long x) { return around(p, 3, 42) + around(p + 1, x, 42); }

void sink(long x) { asm volatile("" :: "r"(x)); }
int cond(void) { int r = 0; asm volatile("" : "+r"(r)); return r; }

int main(int argc, char **argv)
{
	struct req a = { argc, 0, 5 }, b = { 1, &a, 6 };
	struct pair p[2] = { { 1, 2 }, { 3, 4 } };

	first(&b);
	second(&b, argc);
	third(&b);
	return fourth(&b) + fifth(p, argc);
}
