/* SPDX-License-Identifier: GPL-2.0-only */
typedef _Bool bool;
struct bank { char *base; unsigned short *reg; bool wide, *inv; unsigned line; };
static inline void set_bits(volatile unsigned *r, unsigned mask, bool set)
{
	unsigned v = *r;

	if (set)
		v |= mask;
	else
		v &= ~mask;
	*r = v;
}
void flip(struct bank *b)
{
	char *base = b->base;
	bool inv;

	if (b->wide) {
		*(volatile unsigned *)(base + b->reg[0]) = -1u;
		return;
	}
	inv = *b->inv;
	set_bits((volatile unsigned *)(base + b->reg[0]), b->line, inv);
	set_bits((volatile unsigned *)(base + b->reg[1]), b->line, !inv);
}
