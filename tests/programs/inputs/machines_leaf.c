// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaf functions: each hands its parameters on to what is inlined as its first act, so they
 * are still where the calling convention puts them. Nothing here needs a frame.
 */
typedef unsigned char u8;
typedef short s16;
typedef long long s64;

struct pair { long a, b; };
enum color { RED, GREEN, BLUE };

volatile int out;
volatile long outl;
volatile s64 out64;

#define INLINE static inline __attribute__((always_inline)) void
#define OUTER __attribute__((noinline)) void

INLINE narrow(u8 a, s16 b, int c) { out = a; out = b; out = c; }
OUTER f_narrow(u8 a, s16 b, int c) { narrow(a, b, c); }

INLINE flags(_Bool a, enum color b, void *c) { out = a; out = b; outl = (long)c; }
OUTER f_flags(_Bool a, enum color b, void *c) { flags(a, b, c); }

INLINE word64(int a, s64 b) { out = a; out64 = b; }
OUTER f_word64(int a, s64 b) { word64(a, b); }

INLINE first64(s64 a, int b) { out64 = a; out = b; }
OUTER f_first64(s64 a, int b) { first64(a, b); }

INLINE two(struct pair p) { outl = p.a; outl = p.b; }
OUTER f_two(struct pair p) { two(p); }

INLINE constants(u8 a, s16 b, int c, s64 d, _Bool e)
{
	out = a; out = b; out = c; out64 = d; out = e;
}

OUTER f_constants(void) { constants(200, -2, -1, -5, 1); }
