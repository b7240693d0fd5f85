/* SPDX-License-Identifier: GPL-2.0-only */
/* Constants cut to their types, booleans, pointers to locals, structs by value, doubles. */
#include <stdbool.h>

struct two { long a, b; };
struct three { long a, b, c; };
enum way { LEFT = -1, RIGHT = 1 };
union word { long l; char c[8]; };

extern void sink(long);
extern void psink(void *);
int global;
int table[16];

static inline __attribute__((always_inline)) void
scalars(unsigned char a, bool b, int *p, struct two t, double d)
{
	asm volatile("" :: "r"((int)a), "r"((int)b), "r"(p), "r"(t.a), "r"(t.b));
	sink(a + b);
	if (d > 1.0)
		sink(3);
}

static inline __attribute__((always_inline)) long
others(enum way w, union word u, struct three s, float f, short n, int (*fn)(int))
{
	sink(w);
	sink(u.l + s.b);
	if (f > 0)
		sink(n);
	return fn ? fn(n) : 0;
}

static inline __attribute__((always_inline)) void places(int *p, int v, const char *text)
{
	psink(p);
	sink(v);
	psink((void *)text);
}

int same(int x) { return x + 1; }

__attribute__((noinline)) int user(int x, long y)
{
	int local = x;
	struct two t = { x, y };

	scalars(200, x & 1, &local, t, 2.0);
	scalars(x, y, &local, t, y);
	psink(&local);
	return local;
}

__attribute__((noinline)) long user2(struct three s, long y)
{
	union word u = { .l = y };
	long sum = others(LEFT, u, s, 1.5f, -3, same);

	sum += others(y > 3 ? LEFT : RIGHT, u, s, y, y, 0);
	places(&global, global, "text");
	places(&table[5], table[5], 0);
	places(&((int *)y)[3], *(int *)y, (char *)y + 1);
	return sum;
}

void sink(long x) { asm volatile("" :: "r"(x)); }
void psink(void *p) { asm volatile("" :: "r"(p) : "memory"); }

int main(int argc, char **argv)
{
	struct three s = { argc, 2, 3 };

	return user(argc, (long)argv) + user2(s, (long)argv);
}
