/* SPDX-License-Identifier: GPL-2.0-only */
/* arm64: a 16-byte aligned argument starts at an even register; the odd one before it stays a hole. Floats have numbers of their own. */
typedef __int128 wide; struct al { wide v; }; struct two { long a, b; };
volatile long sink;
__attribute__((noinline)) long hole(int a, wide b, long c) { sink = a; sink = (long)b; return c; }
__attribute__((noinline)) long hole2(int a, struct al b, long c) { sink = a; sink = (long)b.v; return c; }
__attribute__((noinline)) long nohole(int a, struct two b, long c) { sink = a; sink = b.a; sink = b.b; return c; }
__attribute__((noinline)) long mixed(int a, double d, long c, float f, int e) { sink = a; sink = (long)d; sink = c; sink = (long)f; return e; }
__attribute__((noinline)) long spill(long a, long b, long c, long d, long e, long f, long g, wide h, int i) { sink = a + b + c + d + e + f + g; sink = (long)h; return i; }
long drive(long x) { struct al s = { x }; struct two t = { x, 3 }; return hole((int)x, x, 5) + hole2((int)x, s, x) + nohole((int)x, t, x) + mixed((int)x, 1.5 * x, x, 2.5f * x, 7) + spill(x, 1, 2, 3, 4, 5, 6, x, 8); }
