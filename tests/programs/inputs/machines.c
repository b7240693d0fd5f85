// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is special of a machine, at sites: narrow integers, values of two registers, structs by
 * value and by hidden reference, addresses of locals in frames of fixed and of variable size,
 * values that calls move to other registers, constants, the address of a function. Nothing is
 * linked with it.
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef signed char s8;
typedef short s16;
typedef unsigned long long u64;
typedef long long s64;

struct pair { long a, b; };
struct big { long a, b, c, d, e; };
struct small { u8 a; u16 b; };
enum color { RED, GREEN, BLUE };

int table[8];
volatile int in;
volatile s64 in64;

#define INLINE static inline __attribute__((always_inline))
#define OUTER __attribute__((noinline))

OUTER int sink(long a) { in += a; return in; }
OUTER s64 sink64(s64 a) { in64 += a; return in64; }
OUTER int use(void *p) { in += *(int *)p; return in; }

INLINE int narrow(u8 a, s8 b, u16 c, s16 d, u32 e, _Bool f, enum color g)
{
	return sink(a) + sink(b) + sink(c) + sink(d) + sink(e) + sink(f) + sink(g);
}

INLINE s64 wide(s64 a, u64 b, s64 k)
{
	return sink64(a) + sink64(b) + sink64(k);
}

INLINE int bypair(struct pair p)
{
	return sink(p.a) + sink(p.b);
}

INLINE int bybig(struct big p, int n)
{
	return sink(p.a) + sink(p.e) + n;
}

INLINE int bysmall(struct small p)
{
	return sink(p.a) + sink(p.b);
}

INLINE int local(int *p, int n)
{
	*p += n;
	return use(p) + *p;
}

INLINE int addrs(int *p, int *q, int k)
{
	return use(p) + use(q) + k;
}

INLINE int changed(int v, int w)
{
	v += w;
	sink(v);
	w = v * 3;
	return sink(w);
}

INLINE int call(int (*f)(void *), int n)
{
	return n > 3 ? f((void *)&in) : sink(n) + f(table);
}

INLINE int ident(int v)
{
	return v;
}

OUTER int do_narrow(u8 a, s8 b, u16 c, s16 d)
{
	return narrow(a, b, c, d, in, in, (enum color)in) +
	       narrow(200, -56, 65535, -2, 4000000000u, 1, BLUE);
}

OUTER s64 do_wide(s64 a, s64 b)
{
	s64 r = wide(a, b, -5);

	return r + wide(in64, in64, 0x123456789abLL);
}

OUTER int do_pair(struct pair p)
{
	return bypair(p);
}

OUTER int do_pair2(long a, long b)
{
	struct pair p = { a, b };

	return bypair(p);
}

OUTER int do_big(struct big b)
{
	return bybig(b, 3);
}

OUTER int do_small(struct small b)
{
	return bysmall(b);
}

OUTER int do_local(int n)
{
	int x = in, y[4] = { 0 };
	int r = local(&x, n);

	r += local(y + 2, 7);
	return r + x;
}

OUTER int do_dyn(int n)
{
	int y[n];
	int x = in;
	int r = local(y, n);

	return r + local(&x, 1) + y[n / 2];
}

OUTER int do_addrs(int *p)
{
	return addrs(table + 5, p, 1) + addrs(table, (int *)&in, -1);
}

OUTER int do_changed(int a, int b)
{
	int r = changed(a, b);

	return ident(r) + changed(in, ident(b));
}

OUTER int do_call(int n)
{
	return call(use, n);
}

void _start(void)
{
	struct pair p = { in, in };
	struct big b = { in, 1, 2, 3, 4 };
	struct small s = { in, in };

	do_narrow(in, in, in, in);
	do_wide(in64, in64);
	do_pair(p);
	do_pair2(in, in);
	do_big(b);
	do_small(s);
	do_local(in);
	do_dyn(in);
	do_addrs(table + in);
	do_changed(in, in);
	do_call(in);
	for (;;)
		;
}
