/* SPDX-License-Identifier: GPL-2.0-only */
/* Sites with no code left, chains at one address, cold parts, values changed at once. */
extern void sink(long);
__attribute__((cold)) extern void warn(long);

static inline int id(int v) { return v; }
static inline int inc(int v) { return id(v) + 1; }
static inline int twice(int v) { return inc(inc(v)); }
static inline int narrow(unsigned short v) { v >>= 3; return id(v); }
static inline long changed(long v, unsigned char k)
{
	v += 7;
	sink(v);
	k = k * 3;
	sink(k);
	return v;
}

static inline int checked(int v, int max)
{
	if (__builtin_expect(v > max, 0)) {
		warn(id(v));
		return -22;
	}
	return v;
}

static inline int count(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += checked(i, n);
	return sum;
}

int user(unsigned int v)
{
	int r = twice(v >> 3) + twice((signed char)v);

	sink(r);
	return id(r);
}

int user2(int a, int b)
{
	int r = checked(a, 100) + narrow(b);

	if (a & 1)
		r += checked(b, 200);
	else
		r += (int)changed(r, b);
	sink(count(b));
	return id(id(id(r)));
}

long user3(long *p)
{
	return changed(*p, *p) + changed(p[1], 200) + changed(5, p[2]);
}

void sink(long x) { asm volatile("" :: "r"(x)); }
void warn(long x) { asm volatile("" :: "r"(x)); }

int main(int argc, char **argv)
{
	return user(argc) + user2(argc, argc + 1) + user3((long *)argv);
}
