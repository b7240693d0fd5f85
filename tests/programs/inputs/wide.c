/* SPDX-License-Identifier: GPL-2.0-only */
/* Parameters that fit no register, and types that lead to their size the long way. */
#include <stdarg.h>

typedef const volatile int cv_int;
typedef long numbers[4];
struct bits { unsigned int lo : 5, hi : 11; };
struct small { char c[3]; };
struct empty { };
struct flex { int n; char data[]; };

extern void sink(long);
extern void psink(const void *);

static inline __attribute__((always_inline)) void
wide(__int128 w, long double x, _Complex float z, struct bits b, struct small s,
     struct empty e, numbers n, struct flex *f)
{
	sink(w >> 64);
	sink((long)x + (long)__real__ z);
	sink(b.hi + s.c[1]);
	psink(n);
	psink(f->data);
}

static inline __attribute__((always_inline)) void
typed(cv_int a, const char *restrict b, void *const c, char d, signed char e,
      unsigned long long g, void (*h)(const void *))
{
	sink(a);
	psink(b);
	psink(c);
	sink(d + e);
	sink(g);
	h(b);
}

static inline void named(int n, ...)
{
	sink(n);
}

void user(long k, numbers n, struct flex *f)
{
	struct bits b = { .lo = k, .hi = k >> 3 };
	struct small s = { { 1, k, 3 } };
	struct empty e;

	wide((__int128)k * k, k, k, b, s, e, n, f);
	wide(-1, 1.5L, 2.0f, b, s, e, &n[1], f + 1);
	typed(k, (char *)n, f, k, -k, k * 3, psink);
	typed(-1, 0, &k, 200, -56, ~0ull, psink);
	typed(n[1], f->data, &n[k], f->data[1], f->data[2], n[2], psink);
	named(3);
	named(k);
}

void sink(long x) { asm volatile("" :: "r"(x)); }
void psink(const void *p) { asm volatile("" :: "r"(p) : "memory"); }

int main(int argc, char **argv)
{
	numbers n = { argc, 2, 3, 4 };

	user(argc, n, (struct flex *)argv);
	return 0;
}
