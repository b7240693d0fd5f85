/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * judge.h - what every judged program includes
 *
 * Built with -DTRACE at -O0 a program prints every call's arguments: the truth. Built
 * without it nothing of that is left, and the optimizer may do what it likes.
 */
#ifndef JUDGE_H
#define JUDGE_H

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;
#ifdef __cplusplus
#error C only
#endif
#ifndef bool
#define bool _Bool
#endif

#define inl static inline __attribute__((always_inline))
#define maybe static inline
#define out static __attribute__((noinline))
#define glob __attribute__((noinline))
#define kept __attribute__((used))	/* its address is looked up */

/* The mixing function: every argument is a part of it, so none looks like another. */
#define MIX(k, n) (((u64)(k) ^ (n) * 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull >> 7)

/* What the optimizer cannot know. */
volatile u64 vin = 0x0123456789abcdefull;
volatile u64 vout;

/* Where pointers to locals were, for each function and key. */
struct plog { u64 fn, key, ptr; };
kept volatile struct plog plog[4096];
kept volatile unsigned int nplog;

static __attribute__((noinline)) void plog_add(u64 fn, u64 key, const volatile void *ptr)
{
	unsigned int n = nplog;

	plog[n].fn = fn;
	plog[n].key = key;
	plog[n].ptr = (unsigned long)ptr;
	nplog = n + 1;
}
#define PLOG(fn, key, ptr) plog_add(fn, key, ptr)

/* Uses a value without a call; USEM also makes the compiler forget memory. */
#define USE(x) __asm__ volatile("" : : "r"(x))
#define USEM(x) __asm__ volatile("" : : "r"(x) : "memory")

#ifdef TRACE
#include <stdio.h>
static int dry;
static void tr_bytes(const void *p, unsigned int n)
{
	const unsigned char *b = p;

	printf(" v");
	while (n--)
		printf("%02x", *b++);
}
#define TR(f, ...) do { printf("%s %d", #f, dry != 0); __VA_ARGS__ printf("\n"); } while (0);
#define V(x) tr_bytes(&(x), sizeof(x));
#define G(p) printf(" g%lx", (unsigned long)(p));	/* points into a global object */
#define L(fn, key, p) printf(" l%llx:%llx", (u64)(fn), (u64)(key));	/* into a local one */
/* Compilers may start a guarded call before its guard is known: go both ways, and say so. */
#define WHEN(c) for (int once = 1, save = dry; \
		     once && ((dry = dry || !(c)), 1); once = 0, dry = save)
#else
#if defined(__x86_64__) && defined(FENTRY)
__asm__(".globl __fentry__\n.type __fentry__, @function\n__fentry__: ret\n");
#endif
#define TR(f, ...)
#define WHEN(c) if (c)
#endif

/* The same value, but the compiler no longer knows how it was made. */
inl u64 hide(u64 x)
{
	TR(hide, V(x))
	__asm__ volatile("" : "+r"(x));
	return x;
}

#endif
