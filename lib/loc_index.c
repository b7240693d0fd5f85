// SPDX-License-Identifier: GPL-2.0-only
/* loc_index.c - location lists that many ask, kept by address */
#include "loc_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loc_list_internal.h"

enum {
	LONG_LIST = 64,		/* entries read for one question: worth a note */
	OFTEN = 4,		/* questions until it is kept */
	ROOM_MAX = 1 << 20,	/* entries kept of a unit's lists: 80 MB */
	ENTRY_MIN = 4,		/* bytes of a bounded entry, at least (DWARF 5, 7.7.3) */
};

struct kept_entry {
	struct entry e;
	size_t nr;		/* in the list's order */
	uint64_t reach;		/* highest end of all up to it, by begin */
};

struct kept_list {
	uint64_t off, views;
	bool there;		/* the slot is in use */
	bool kept;		/* what follows is known */
	bool malformed;		/* behind the last entry */
	bool has_default;
	unsigned int asked;
	struct kept_entry *entries;	/* the bounded ones, by begin */
	size_t nr;
	struct entry fallback;	/* the last default entry */
};

void loc_index__init(struct loc_index *ix)
{
	memset(ix, 0, sizeof(*ix));
}

static void drop_lists(struct loc_index *ix)
{
	size_t i;

	for (i = 0; ix->used && i <= ix->mask; i++)
		free(ix->lists[i].entries);
	free(ix->lists);
	ix->lists = NULL;
	ix->mask = ix->used = 0;
}

void loc_index__free(struct loc_index *ix)
{
	drop_lists(ix);
}

void loc_index__begin(struct loc_index *ix, uint64_t bytes)
{
	drop_lists(ix);
	ix->room = ROOM_MAX;
	if (__builtin_mul_overflow(bytes, (uint64_t)LOC_WORK_A_BYTE, &ix->work) ||
	    __builtin_add_overflow(ix->work, (uint64_t)LOC_WORK_ANY, &ix->work))
		ix->work = UINT64_MAX;
}

bool loc_index__spend(struct loc_index *ix, uint64_t n)
{
	bool enough = n <= ix->work;

	ix->work = enough ? ix->work - n : 0;
	return enough;
}

static struct kept_list *slot(const struct loc_index *ix, uint64_t off, uint64_t views)
{
	uint64_t h = (off ^ views << 20) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = h >> 32 & ix->mask;

	while (ix->lists[i].there && (ix->lists[i].off != off || ix->lists[i].views != views))
		i = (i + 1) & ix->mask;
	return &ix->lists[i];
}

static int grow(struct loc_index *ix)
{
	struct loc_index old = *ix;
	size_t i;

	ix->mask = old.lists ? old.mask * 2 + 1 : 63;
	ix->lists = calloc(ix->mask + 1, sizeof(*ix->lists));
	if (!ix->lists) {
		*ix = old;
		return -ENOMEM;
	}
	for (i = 0; old.lists && i <= old.mask; i++)
		if (old.lists[i].there)
			*slot(ix, old.lists[i].off, old.lists[i].views) = old.lists[i];
	free(old.lists);
	return 0;
}

static int by_begin(const void *a, const void *b)
{
	const struct kept_entry *x = a, *y = b;

	if (x->e.begin != y->e.begin)
		return x->e.begin < y->e.begin ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

/* All entries of the list. 0, -ENOMEM: no memory or no room, or an error of the list's. */
static int read_all(struct loc_index *ix, const struct loc_list_ctx *ctx, struct kept_list *l)
{
	struct list_reader r;
	size_t cap = 0;
	struct entry e;
	int ret = list_reader__init(&r, ctx, l->off, l->views);

	while (!ret && !(ret = list_reader__next(&r, &e))) {
		if (e.kind == ENTRY_DEFAULT) {
			l->fallback = e;
			l->has_default = true;
			continue;
		}
		if (l->nr >= ix->room || l->nr > ctx->size / ENTRY_MIN)
			return -ENOMEM;
		ret = array__room(l->entries, l->nr, cap, 1);
		if (ret)
			return ret;
		l->entries[l->nr] = (struct kept_entry){ .e = e, .nr = l->nr };
		l->nr++;
	}
	l->malformed = ret == -EBADMSG;
	return ret == -E2BIG ? ret : 0;
}

static void keep(struct loc_index *ix, const struct loc_list_ctx *ctx, struct kept_list *l)
{
	uint64_t reach = 0;
	size_t i;

	if (read_all(ix, ctx, l)) {
		free(l->entries);
		l->entries = NULL;
		l->nr = 0;
		return;
	}
	if (l->nr)
		qsort(l->entries, l->nr, sizeof(*l->entries), by_begin);
	for (i = 0; i < l->nr; i++) {
		reach = l->entries[i].e.end > reach ? l->entries[i].e.end : reach;
		l->entries[i].reach = reach;
	}
	ix->room -= l->nr;
	l->kept = true;
}

void loc_index__note(struct loc_index *ix, const struct loc_list_ctx *ctx, uint64_t off,
		     uint64_t views, size_t entries)
{
	struct kept_list *l;

	if (entries < LONG_LIST || ((!ix->lists || ix->used * 2 > ix->mask) && grow(ix)))
		return;
	l = slot(ix, off, views);
	if (!l->there) {
		*l = (struct kept_list){ .off = off, .views = views, .there = true };
		ix->used++;
	}
	if (++l->asked == OFTEN)
		keep(ix, ctx, l);
}

/* The first entry that begins behind @pc. */
static size_t first_behind(const struct kept_list *l, uint64_t pc)
{
	size_t lo = 0, hi = l->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->entries[mid].e.begin <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* As loc_list__at() reads it: what comes first in the list's own order. */
static enum loc_reason ask(struct loc_index *ix, const struct kept_list *l,
			   const struct loc_pos *pos, struct loc_found *found)
{
	size_t i, top = first_behind(l, pos->pc);
	const struct kept_entry *hit = NULL, *k;
	bool instant = false;

	/* one that ends at the address may hold there, with its views */
	for (i = top; i-- && l->entries[i].reach >= pos->pc;) {
		k = &l->entries[i];
		if (!loc_index__spend(ix, 1))
			return LOC_WORK_LIMIT;
		if ((!hit || k->nr < hit->nr) && entry__holds(&k->e, pos))
			hit = k;
	}
	/* one that holds at its first byte too is found before the rest is read */
	if (hit && hit->e.end > pos->pc) {
		*found = (struct loc_found){ .expr = hit->e.expr, .len = hit->e.len };
		return LOC_OK;
	}
	if (l->malformed)
		return LOC_MALFORMED;
	for (i = top; hit && i-- && l->entries[i].e.begin == pos->pc;) {
		k = &l->entries[i];
		instant |= k->nr > hit->nr && k->e.end > pos->pc;
	}
	if (!hit && !l->has_default)
		return LOC_NOT_AT_ENTRY;
	*found = (struct loc_found){
		.expr = hit ? hit->e.expr : l->fallback.expr,
		.len = hit ? hit->e.len : l->fallback.len, .instant = instant,
	};
	return LOC_OK;
}

bool loc_index__at(struct loc_index *ix, uint64_t off, uint64_t views, const struct loc_pos *pos,
		   struct loc_found *found, enum loc_reason *why)
{
	const struct kept_list *l = ix->used ? slot(ix, off, views) : NULL;

	if (!l || !l->kept)
		return false;
	*why = ask(ix, l, pos, found);
	return true;
}
