/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc -O2 cuts done() into a head and a part, and inlines both at each of its three calls. */
struct req { int flags; struct req *next; long bytes; int cpu; };

extern void sink(long);
extern int cond(void);
struct req *last;

static void done(struct req *r, long now)
{
	if (r->flags & 1) {
		r->bytes += now;
		sink(r->cpu);
		sink(now);
		last = r->next;
	}
}

void once(struct req *r)
{
	sink(9);
	done(r, 3);
}

int often(struct req *r, long n)
{
	while (cond()) {
		done(r, n);
		r = r->next;
	}
	return 3;
}

int perhaps(struct req *r, long n)
{
	if (cond())
		return 2;
	done(r, n);
	sink(4);
	return 3;
}
