/* SPDX-License-Identifier: GPL-2.0-only */
extern void use(long); volatile long sink;
static inline __attribute__((always_inline)) long inner(long v, int k) { if (v < k) { use(v); use(k); return v; } sink = v; return v + k; }
__attribute__((noinline)) long orig(long a) { sink = a; use(a); sink = a + 1; return a; }	/* stands for the code that no longer runs */
__attribute__((noinline)) long outer(long a, long b) { use(a); return inner(a, 1) + inner(b, 2); }
