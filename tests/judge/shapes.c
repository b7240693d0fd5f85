// SPDX-License-Identifier: GPL-2.0-only
/* shapes.c - one of each shape that a call can have */
#include "judge.h"

#define M(n) MIX(k, n)
#define H(n) hide(MIX(k, n))

struct s8b { u32 a, b; };
struct s12 { u32 a, b, c; };
struct s16 { u64 a, b; };
struct s24 { u64 a, b, c; };
enum color { RED, GREEN = 7, BLUE = -3 };

kept u64 garr[32];
kept struct s16 gs[4];

/* every integer width and sign; bool, enum */
inl u64 w8(u8 a, s8 b, u64 k) { TR(w8, V(a) V(b) V(k)) USE((u32)a); USE((s32)b); return a + b + k; }
inl u64 w16(u16 a, s16 b, u64 k) { TR(w16, V(a) V(b) V(k)) USE((u32)a); USE((s32)b);
	return a * b + k; }
inl u64 w32(u32 a, s32 b, u64 k) { TR(w32, V(a) V(b) V(k)) USE(a); USE(b); return a * (u64)b + k; }
inl u64 w64(u64 a, s64 b, u64 k) { TR(w64, V(a) V(b) V(k)) USE(a); USE(b); return a ^ b ^ k; }
inl u64 be(bool a, enum color c, u64 k) { TR(be, V(a) V(c) V(k)) USE((u32)a); USE((s32)c);
	return a ? k + c : k; }
inl u64 un(u64 unused, u32 a, u64 k) { TR(un, V(unused) V(a) V(k)) USE(a); return k ^ a; }

/* structures by value */
inl u64 st8(struct s8b s, u64 k) { TR(st8, V(s) V(k)) USE(s.a); USE(s.b); return s.a + s.b + k; }
inl u64 st12(struct s12 s, u64 k) { TR(st12, V(s) V(k)) USE(s.a); USE(s.c);
	return s.a * s.b + s.c + k; }
inl u64 st16(struct s16 s, u64 k) { TR(st16, V(s) V(k)) USE(s.a); USE(s.b); return s.a + s.b * k; }
inl u64 st24(struct s24 s, u64 k) { TR(st24, V(s) V(k)) USE(s.a); return s.a + s.b + s.c + k; }
inl u64 half(struct s16 s, u64 k) { TR(half, V(s) V(k)) USE(s.b); return s.b + k; }
out u64 ost8(struct s8b s, u64 k) { TR(ost8, V(s) V(k)) USE(s.a); return st8(s, k ^ 1) + s.b; }
out u64 ost16(struct s16 s, u64 k) { TR(ost16, V(s) V(k)) USE(s.a); return st16(s, k ^ 1)
	+ half(s, k ^ 2); }
out u64 ost24(struct s24 s, u64 k) { TR(ost24, V(s) V(k)) USE(s.a); return st24(s, k ^ 1) + s.c; }
out u64 ost12(u64 k, struct s12 s) { TR(ost12, V(k) V(s)) USE(s.a); return st12(s, k ^ 1) + s.c; }

/* pointers: to globals, to locals, to the parameter itself */
inl u64 pg(u64 *p, u64 k) { TR(pg, G(p) V(k)) USEM(p); return *p + k; }
inl u64 pl(struct s16 *p, u64 k) { TR(pl, L(1, k, p) V(k)) PLOG(1, k, p); USEM(p);
	return p->a + k; }
inl u64 pl2(u64 k, u32 *p) { TR(pl2, V(k) L(2, k, p)) PLOG(2, k, p); USEM(p); return *p * k; }
inl u64 taken(u64 a, u64 k) { TR(taken, V(a) V(k)) USEM(&a); return a + k; }
inl u64 taken32(s32 a, u64 k) { TR(taken32, V(a) V(k)) USEM(&a); return a + k; }
out u64 otaken(u64 a, u16 b, u64 k) { TR(otaken, V(a) V(b) V(k)) USEM(&a); USEM(&b);
	return a + b + k; }
inl u64 null(void *p, u64 k) { TR(null, G(p) V(k)) USE(p); return p ? k : k + 1; }

/* nested, the same value handed down and a new one made */
inl u64 n3(u64 a, u32 b, u64 k) { TR(n3, V(a) V(b) V(k)) USE(a); return a + b + k; }
inl u64 n2(u64 a, u64 k) { TR(n2, V(a) V(k)) return n3(a, M(31), k) + n3(a + 1, 7, k ^ 3); }
inl u64 n1(u64 k, u64 a) { TR(n1, V(k) V(a)) return n2(a, k) ^ n2(k, k ^ 5); }
inl u64 id(u64 v) { TR(id, V(v)) return v; }
inl u64 fgh(u64 v) { TR(fgh, V(v)) return id(id(id(v))); }

/* early returns that gcc splits off */
maybe u64 split(u64 a, u64 k)
{
	TR(split, V(a) V(k))
	if (__builtin_expect(k & 1, 1))
		return 1;
	for (u32 i = 0; i < 3; i++) {
		USEM(a + i);
		garr[(k + i) & 15] += a;
		USEM(k ^ i);
		garr[(a + i) & 15] ^= k;
		USEM(a - i);
	}
	vout = a * k;
	vout = a ^ k;
	vout = a - k;
	return a;
}
out u64 split1(u64 k) { TR(split1, V(k)) return split(H(41), k) + 1; }
out u64 split2(u64 k) { TR(split2, V(k)) u64 r = split(H(42), k ^ 1); USE(r);
	return r + split(H(43), k); }

/* unused and constant arguments: .isra, .constprop */
out u64 isra(u64 unused, u64 a, struct s16 *p, u64 k)
{
	TR(isra, V(unused) V(a) L(3, k, p) V(k))
	PLOG(3, k, p);
	USE(a);
	return a + p->b + k;
}
out u64 isra2(struct s16 *p, u64 unused, u64 k)
{
	TR(isra2, G(p) V(unused) V(k))
	USE(k);
	return p->b * k;
}
out u64 cprop(u32 c, u64 k, u8 d) { TR(cprop, V(c) V(k) V(d)) USE(k); USE(c); return k * c + d; }
glob u64 gcprop(u64 k, s32 c) { TR(gcprop, V(k) V(c)) USE(k); USE(c); vout = k + c; return k - c; }

/* recursion, tail calls, function pointers, varargs */
out u64 rec(u32 n, u64 k) { TR(rec, V(n) V(k)) USE(k); if (!n) return k;
	return rec(n - 1, MIX(k, 51)) + n; }
maybe u64 rec2(u64 k, u32 n) { TR(rec2, V(k) V(n)) USE(k); if (n == 0) return k;
	return rec2(k ^ 77, n - 1) * 3; }
out u64 tail2(u64 k, u64 a, u32 b) { TR(tail2, V(k) V(a) V(b)) USE(a); vout = b; return a + k; }
out u64 tail1(u64 a, u64 k) { TR(tail1, V(a) V(k)) USE(a); return tail2(k, MIX(k, 52), a); }
out u64 fp1(u64 k, s16 a) { TR(fp1, V(k) V(a)) USE((s32)a); return k + a; }
out u64 fp2(u64 k, s16 a) { TR(fp2, V(k) V(a)) USE((s32)a); return k - a; }
u64 (*volatile fps[2])(u64, s16) = { fp1, fp2 };
out u64 va(u64 k, u32 n, ...)
{
	__builtin_va_list ap;
	u64 r = k;

	TR(va, V(k) V(n))
	__builtin_va_start(ap, n);
	while (n--)
		r += __builtin_va_arg(ap, u64);
	__builtin_va_end(ap);
	return r;
}
out u64 many(u64 a, u32 b, s16 c, u8 d, s64 e, bool f, u64 g, s32 h, u64 k)
{
	TR(many, V(a) V(b) V(c) V(d) V(e) V(f) V(g) V(h) V(k))
	USE(a); USE(g);
	return a + b + c + d + e + f + g + h + k;
}

/* several calls in one branch and in loops; merged tails */
inl u64 leaf(u64 a, u64 k) { TR(leaf, V(a) V(k)) USE(a); return a + k; }
out u64 merge(u64 k)
{
	u64 r = 0;

	TR(merge, V(k))
	WHEN(k & 4) { r = leaf(H(61), k); USE(r); vout = r; }
	WHEN(!(k & 4)) { r = leaf(H(62), k); USE(r); vout = r; }
	for (u32 i = 0; i < 4; i++)
		r += leaf(MIX(k, 63), k + i);
	WHEN(k & 8)
		for (u32 i = 0; i < 4; i++)
			r += n3(MIX(k, 64), i, k);
	return r;
}
inl __attribute__((cold)) u64 cold(u64 a, u64 k) { TR(cold, V(a) V(k)) USE(a); vout = a;
	return a + k; }
out u64 colds(u64 k) { TR(colds, V(k)) u64 r = k; if (__builtin_expect(k & 16, 0))
	r += cold(H(65), k); return r; }

/* the switch over everything */
out u64 scalars(u64 k)
{
	u64 r = 0;

	TR(scalars, V(k))
	r += w8(H(1), H(2), k); r += w16(H(3), H(4), k); r += w32(H(5), H(6), k);
	r += w64(H(7), H(8), k);
	r += be(H(9) & 1, (s32)H(10), k); r += un(H(11), H(12), k);
	r += w8(M(1), M(2), k); r += w16(M(3), M(4), k); r += w32(M(5), M(6), k);
	r += w64(M(7), M(8), k);
	r += be(M(9) & 1, (s32)M(10), k); r += un(M(11), M(12), k);
	r += w8(200, -56, k); r += w16(60000, -5536, k); r += w32(4000000000u, -7, k);
	r += w64(-1ull, -5, k);
	r += be(1, BLUE, k); r += be(0, GREEN, 99); r += un(5, 6, k); r += w32(k, k, k);
	r += w8(k, k >> 8, k);
	return r;
}
out u64 structs(u64 k)
{
	struct s8b a = { H(1), H(2) };
	struct s16 b = { H(3), H(4) };
	struct s24 c = { H(5), H(6), H(7) };
	struct s12 d = { H(8), H(9), H(10) };
	struct s16 e = { M(3), 4 };
	u64 r = 0;

	TR(structs, V(k))
	r += st8(a, k); r += st16(b, k); r += st24(c, k); r += st12(d, k);
	r += half(b, k ^ 9); r += st16(e, k ^ 10);
	r += ost8(a, k); r += ost16(b, k); r += ost24(c, k); r += ost12(k, d);
	r += st8((struct s8b){ 3, 4 }, k); r += st16((struct s16){ 5, 6 }, k);
	r += st16(gs[k & 3], k ^ 11);
	return r;
}
out u64 pointers(u64 k)
{
	struct s16 l1 = { H(1), H(2) }, l2 = { H(3), H(4) };
	u32 x = H(5), y = H(6);
	u64 r = 0;

	TR(pointers, V(k))
	r += pg(&garr[5], k); r += pg(&garr[k & 31], k); r += pl(&l1, k);
	r += pl(&l2, k ^ 1); r += pl2(k, &x);
	r += pl2(k ^ 1, &y); r += taken(H(7), k); r += taken32(H(8), k); r += taken(9, k);
	r += otaken(H(9), H(10), k);
	r += null(0, k); r += null(&gs[1], k); r += isra(H(11), H(12), &l1, k);
	r += isra(1, H(13), &l2, k ^ 7);
	r += isra2(&gs[k & 3], H(14), k); r += isra2(&gs[1], 3, k);
	return r;
}
out u64 calls(u64 k)
{
	u64 r = 0;

	TR(calls, V(k))
	r += n1(k, H(1)); r += n1(k ^ 1, 7); r += id(k); r += fgh(H(2)); r += fgh(3);
	r += split1(k); r += split2(k); r += split(H(4), k ^ 3);
	r += cprop(3, k, 9); r += cprop(3, k ^ 1, 9); r += gcprop(k, -9); r += gcprop(k ^ 5, -9);
	r += rec(4, k); r += rec2(k, 3); r += tail1(H(5), k); r += fps[k & 1](k, H(6));
	r += va(k, 2, (u64)H(7), (u64)8);
	r += many(H(8), H(9), H(10), H(11), H(12), 1, H(13), -3, k);
	r += merge(k); r += colds(k);
	return r;
}
int main(void)
{
	for (u32 i = 0; i < 8; i++) {
		u64 k = vin * (2 * i + 1) + i;

		vout = scalars(k);
		vout = structs(k + 1);
		vout = pointers(k + 2);
		vout = calls(k + 3);
	}
	return 0;
}
