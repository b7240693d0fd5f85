// SPDX-License-Identifier: GPL-2.0-only
/* changed.c - parameters that the callee changes at once */
#include "judge.h"

/* changed: add.a set.a cond.a loop.a mask.a swap.a swap.b both.a both.k keep.a neg.a shl.a shl.k
 * changed: dflt.a narrow.a narrow.b mem.p chain0.a chain1.a chain2.a m_add.a m_set.a dead.a dead.k
 * changed: reuse.a reuse.k late.a oset.a oadd.a oswap.a oswap.k oconst.a ocond.k */


#define A(n) (s32)MIX(k, n)
#define H(n) hide(MIX(k, n))
#define HA(n) (s32)H(n)

inl s32 add(s32 a, u64 k) { TR(add, V(a) V(k)) a = (u32)a + 3; USE(a); return (u32)a * (u32)k; }
inl s32 set(s32 a, u64 k) { TR(set, V(a) V(k)) a = 5; USE(a); return (u32)a + (u32)k; }
inl s32 cond(s32 a, u64 k) { TR(cond, V(a) V(k)) if (k & 1) a = (u32)a + 7; USE(a);
	return (u32)a ^ k; }
inl s32 loop(u32 a, u64 k) { TR(loop, V(a) V(k)) u32 s = 0; while (a-- > 0) { s += k; USE(s);
	} return s; }
inl s32 mask(u32 a, u64 k) { TR(mask, V(a) V(k)) a &= 0xff; USE(a); return a + (u32)k; }
inl u64 swap(u64 a, u64 b, u64 k) { TR(swap, V(a) V(b) V(k)) u64 t = a; a = b; b = t; USE(a);
	USE(b); return a - b + k; }
inl u64 both(u64 a, u64 k) { TR(both, V(a) V(k)) a += k; k ^= a; USE(a); USE(k); return k; }
inl u64 keep(u64 a, u64 k) { TR(keep, V(a) V(k)) u64 o = a; a += 9; USE(a); return o + k; }
inl u64 neg(s64 a, u64 k) { TR(neg, V(a) V(k)) if (a < 0) a = -(u64)a; USE(a); return a + k; }
inl u64 shl(u64 a, u64 k) { TR(shl, V(a) V(k)) a <<= 2; k++; USE(a); USE(k); return a + k; }
inl u64 dflt(u64 a, u64 k) { TR(dflt, V(a) V(k)) if (!a) a = 4096; USE(a); return a * k; }
inl u64 narrow(u16 a, s8 b, u64 k) { TR(narrow, V(a) V(b) V(k)) a++; b--; USE((u32)a);
	USE((s32)b); return a + k; }
inl u64 mem(u64 *p, u64 k) { TR(mem, G(p) V(k)) p++; USE(*p); return *p + k; }
inl u64 chain2(u64 a, u64 k) { TR(chain2, V(a) V(k)) a += 3; USE(a); return a + k; }
inl u64 chain1(u64 a, u64 k) { TR(chain1, V(a) V(k)) a += 5; return chain2(a ^ 1, k) + a; }
inl u64 chain0(u64 a, u64 k) { TR(chain0, V(a) V(k)) a = chain1(a, k); USE(a); return a; }
maybe u64 m_add(u64 a, u64 k) { TR(m_add, V(a) V(k)) a += 3; USE(a); return a * k; }
maybe u64 m_set(u64 a, u64 k) { TR(m_set, V(a) V(k)) a = 5; USE(a); return a * k; }
inl u64 dead(u64 a, u64 k) { TR(dead, V(a) V(k)) k = 1; a = 2; return a + k; }
inl u64 reuse(u64 a, u64 k) { TR(reuse, V(a) V(k)) USE(a); a = k; USE(a); k = a + 1; USE(k);
	return a; }
inl u64 late(u64 a, u64 k) { TR(late, V(a) V(k)) USEM(k); a += 3; USEM(a); a += 3; USEM(a);
	return k; }

kept u64 arr[64];

/* out of line: the value is where the caller put it, whatever is said of it later */
out u64 oset(u64 a, u64 k) { TR(oset, V(a) V(k)) a = 5; USE(a); return a + k; }
out u64 oadd(u32 a, u64 k) { TR(oadd, V(a) V(k)) a += 3; USE(a); return a + k; }
out u64 oswap(u64 a, u64 k) { TR(oswap, V(a) V(k)) u64 t = a; a = k; k = t; USE(a); USE(k);
	return a - k; }
out u64 oconst(u32 a, u64 k) { TR(oconst, V(a) V(k)) a += 4; USE(a); return a * k; }
glob u64 ocond(s16 a, u64 k) { TR(ocond, V(a) V(k)) if (a < 0) k = 7; USE(k); return a + k; }


out u64 g1(u64 k) { TR(g1, V(k))
	u64 r = 0;
	r += add(A(1), k); r += set(A(2), k); r += cond(A(3), k); r += loop(A(4) & 7, k);
	r += mask(A(5), k); r += swap(MIX(k, 6), MIX(k, 7), k); r += both(MIX(k, 8), k);
	r += keep(MIX(k, 9), k); r += neg(MIX(k, 10) << 7, k); r += shl(MIX(k, 11), k);
	r += dflt(MIX(k, 12) & ~1ull, k); r += narrow(A(13), A(14), k);
	r += mem(&arr[k & 15], k); r += oset(MIX(k, 60), k); r += oadd(A(61), k);
	r += oswap(MIX(k, 62), k); r += oconst(9, k); r += ocond(A(63), k);
	r += chain0(MIX(k, 15), k); r += m_add(MIX(k, 16), k); r += m_set(MIX(k, 17), k);
	r += dead(MIX(k, 18), k); r += reuse(MIX(k, 19), k); r += late(MIX(k, 20), k);
	return r;
}
out u64 g2(u64 k) { TR(g2, V(k))
	u64 r = 0;
	r += add(11, k); r += set(12, k); r += cond(13, k); r += loop(3, k);
	r += mask(0x1234, k); r += swap(21, 22, k); r += both(23, k);
	r += keep(24, k); r += neg(-25, k); r += shl(26, k);
	r += dflt(0, k); r += narrow(27, -28, k); r += mem(arr + 3, k);
	r += chain0(29, k); r += m_add(30, k); r += m_set(31, k); r += dead(32, k);
	r += reuse(33, k); r += late(34, k);
	return r;
}
out u64 g3(u64 k) { TR(g3, V(k))
	u64 r = 0;
	r += add(A(1), 41); r += set(A(2), 42); r += cond(A(3), 43);
	r += swap(MIX(k, 6), 44, 45); r += both(46, 47); r += dead(48, 49); r += reuse(50, 51);
	r += late(MIX(k, 20), 52); r += chain0(53, 54); r += keep(55, 56);
	WHEN(k & 2) { r += add(A(21), k); r += set(A(22), k); }
	WHEN(k & 4) r += shl(MIX(k, 23), k);
	WHEN(k & 8) r += both(MIX(k, 24), k);
	return r;
}
out u64 g4(u64 k) { TR(g4, V(k))
	u64 r = 0;
	r += add(HA(1), k); r += set(HA(2), k); r += cond(HA(3), k); r += loop(HA(4) & 7, k);
	r += mask(HA(5), k); r += swap(H(6), H(7), k); r += both(H(8), k);
	r += keep(H(9), k); r += neg(H(10) << 7, k); r += shl(H(11), k);
	r += dflt(H(12) & ~1ull, k); r += narrow(HA(13), HA(14), k);
	r += mem(&arr[k & 15], k);
	r += chain0(H(15), k); r += m_add(H(16), k); r += m_set(H(17), k);
	r += dead(H(18), k); r += reuse(H(19), k); r += late(H(20), k);
	return r;
}
int main(void)
{
	u64 r = 0;

	for (int i = 0; i < 8; i++) {
		u64 k = vin * (2 * i + 1) + i;

		r += g1(k);
		r += g2(k + 1);
		r += g3(k + 2);
		r += g4(k + 3);
	}
	vout = r;
	return 0;
}
