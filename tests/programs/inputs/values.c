/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each inlined function is called with the values of test_shapes_compiled.VALUES at each
 * of its sites; they come from volatile memory or are constants.
 */
#include <stdbool.h>

struct pair { long a, b; };

volatile long v_minus5 = -5, v_200 = 200, v_big = 0x123456789abcdefL, v_3 = 3, v_70000 = 70000;
int target[8];
extern void sink(long);
extern void psink(const void *);

#define INLINE static inline __attribute__((always_inline)) void

INLINE scalars(int a, unsigned char b, long c, short d, bool e)
{
	asm volatile("nop" :: "r"(a), "r"((int)b), "r"(c), "r"((int)d), "r"((int)e));
	sink(a + b + c + d + e);
}

INLINE narrowed(unsigned short a, signed char b, unsigned int c)
{
	asm volatile("nop" :: "r"((int)a), "r"((int)b), "r"(c));
	sink(a + b + c);
}

INLINE pointers(int *p, int *q, long off)
{
	asm volatile("nop" :: "r"(p), "r"(q), "r"(off));
	psink(p);
	psink(q);
	sink(off);
}

INLINE pairs(struct pair s, long t)
{
	asm volatile("nop" :: "r"(s.a), "r"(s.b), "r"(t));
	sink(s.a + s.b + t);
}

INLINE inner(int a) { asm volatile("nop" :: "r"(a)); sink(a); }
INLINE outer(int a, int b) { asm volatile("nop" :: "r"(a), "r"(b)); inner(-5); inner(a); sink(b); }

__attribute__((noinline)) void from_memory(void)
{
	scalars(v_minus5, v_200, v_big, v_70000, v_3);
	narrowed(v_70000, v_200, v_minus5);
}

__attribute__((noinline)) void from_arguments(long a, long b, long c, long d, long e)
{
	scalars(a, b, c, d, e != 0);
	narrowed(d, b, a);
	outer(a, b);
	sink(a + b + c + d + e);
}

__attribute__((noinline)) void from_constants(void)
{
	scalars(-5, 200, 0x123456789abcdefL, (short)70000, true);
	narrowed((unsigned short)70000, (signed char)200, -5u);
	outer(-5, 200);
}

__attribute__((noinline)) void places(long i)
{
	int *p = &target[i];

	pointers(p, &target[i + 2], i * 4);
	pointers(&target[3], &target[5], 12);
	sink(i);
}

__attribute__((noinline)) void by_value(struct pair s, long t)
{
	pairs(s, t);
	sink(s.a);
}

void sink(long x) { asm volatile("" :: "r"(x) : "memory"); }
void psink(const void *p) { asm volatile("" :: "r"(p) : "memory"); }

int main(void)
{
	struct pair s = { v_minus5, v_200 };

	from_memory();
	from_arguments(v_minus5, v_200, v_big, v_70000, v_3);
	from_constants();
	places(v_3);
	by_value(s, v_big);
	return 0;
}
