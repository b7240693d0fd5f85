// SPDX-License-Identifier: GPL-2.0-only
/* macro.c - functions that come out of one macro: every statement has the same line and column */
#include "judge.h"

/* changed: set1.a add1.a in1.a out1.a in2.a out2.a do_foo.a do_bar.a fin.a */

#define H(n) hide(MIX(k, n))
#define DEFS(set, add) \
inl u64 set(u64 a, u64 k) { TR(set, V(a) V(k)) a = 5; USE(a); return a + k; } \
inl u64 add(u64 a, u64 k) { TR(add, V(a) V(k)) a += 3; USE(a); return a + k; }
DEFS(set1, add1)
#define NEST(in, outer) \
inl u64 in(u64 a, u64 k) { TR(in, V(a) V(k)) a = 5; USE(a); return a + k; } \
inl u64 outer(u64 a, u64 k) { TR(outer, V(a) V(k)) a += 3; USE(a); return in(hide(a), k); }
NEST(in1, out1)
#define ALL(in, outer, top) \
inl u64 in(u64 a, u64 k) { TR(in, V(a) V(k)) a = 5; USE(a); return a + k; } \
inl u64 outer(u64 a, u64 k) { TR(outer, V(a) V(k)) a += 3; return in(a, k); } \
out u64 top(u64 k) { TR(top, V(k)) u64 r = outer(17, k); r += in(18, k); r += outer(H(3), k); \
	r += in(H(4), k);  return r; }
ALL(in2, out2, top2)
#define SYSC(name) inl u64 do_##name(u64 a, u64 k); out u64 se_##name(u64 k) { \
	TR(se_##name, V(k)) return do_##name(H(7), k); } \
 inl u64 do_##name(u64 a, u64 k)
SYSC(foo) { TR(do_foo, V(a) V(k)) a = 5; USE(a); return a + k; }
SYSC(bar) { TR(do_bar, V(a) V(k)) a += 5; USE(a); return a + k; }
SYSC(baz) { TR(do_baz, V(a) V(k)) USE(a); return a + k; }

/* and a call that does not come back */
inl void fin(u64 a, u64 k) { TR(fin, V(a) V(k)) a = 5; USE(a); vout = k; }
out u64 tail(u64 k) { TR(tail, V(k)) return set1(H(8), k); }
out void last(u64 k) { TR(last, V(k)) fin(H(9), k); }

out u64 g1(u64 k) { TR(g1, V(k)) u64 r = set1(H(1), k); r += add1(H(2), k); r += set1(7, k);
	r += add1(8, k); 
 r += out1(H(3), k); r += out1(9, k); return r + top2(k) + se_foo(k) + se_bar(k) + se_baz(k); }
int main(void)
{
	u64 r = 0;
	for (int i = 0; i < 8; i++) {
		u64 k = vin * (2 * i + 1) + i;
		r += g1(k) + tail(k);
		last(k);
	}
	vout = r;
	return 0;
}
