/* SPDX-License-Identifier: GPL-2.0-only */
/* README's program: what is inlined in it, with what where, is said in try.sh */
static inline __attribute__((always_inline)) int clamp_to(int v, int hi)
{
	return v > hi ? hi : v;
}

int volatile sink;

int f(int n, int *p)
{
	sink = clamp_to(n, 100);
	return clamp_to(*p, n);
}

int main(int argc, char **argv)
{
	return f(argc, &argc);
}
