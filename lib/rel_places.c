// SPDX-License-Identifier: GPL-2.0-only
/* rel_places.c - which section the addresses in a relocatable file's DWARF are in */
#include "rel_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct place {
	uint64_t off;
	uint32_t idx;
};

static int by_offset(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	return x->idx < y->idx ? -1 : 1;
}

/* Assemblers and ld -r write them in the order of the places, but need not. */
static int sort(struct rel_places *p)
{
	struct place *places = calloc(p->table.nr + 1, sizeof(*places));
	uint32_t *order = calloc(p->table.nr + 1, sizeof(*order));
	int err = places && order ? 0 : -ENOMEM;
	struct rel rel;
	size_t i;

	for (i = 0; i < p->table.nr && !err; i++) {
		err = rel_table__get(&p->table, i, &rel);
		places[i] = (struct place){ rel.off, i };
	}
	if (!err) {
		qsort(places, p->table.nr, sizeof(*places), by_offset);
		for (i = 0; i < p->table.nr; i++)
			order[i] = places[i].idx;
		p->order = order;
		order = NULL;
	}
	free(places);
	free(order);
	return err;
}

int rel_places__init(struct rel_places *p, const struct rel_index *ix, Elf_Scn *scn,
		     const uint8_t *bytes, size_t size)
{
	struct rel_table more;
	uint64_t last = 0;
	struct rel rel;
	size_t i;
	int ret;

	*p = (struct rel_places){ .bytes = bytes, .size = size };
	ret = rel_index__table(ix, scn, 0, &p->table);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = rel_index__table(ix, scn, 1, &more);
	if (ret < 0 || p->table.nr > UINT32_MAX)
		return -EBADMSG;
	p->unknown = !ret;
	for (i = 0; i < p->table.nr; i++, last = rel.off) {
		if (rel_table__get(&p->table, i, &rel))
			return -EBADMSG;
		if (rel.off < last)
			return sort(p);
	}
	return 0;
}

void rel_places__free(struct rel_places *p)
{
	free(p->order);
	memset(p, 0, sizeof(*p));
}

bool rel_places__holds(const struct rel_places *p, const uint8_t *at, size_t len)
{
	return p->bytes && at >= p->bytes && at <= p->bytes + p->size &&
	       len <= (size_t)(p->bytes + p->size - at);
}

static bool get(const struct rel_places *p, size_t i, struct rel *rel)
{
	return !rel_table__get(&p->table, p->order ? p->order[i] : i, rel);
}

/* The first relocation at or behind @off. */
static size_t first_at(const struct rel_places *p, uint64_t off)
{
	size_t lo = 0, hi = p->table.nr, mid;
	struct rel rel;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (get(p, mid, &rel) && rel.off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t rel_places__count(const struct rel_places *p, const uint8_t *at, size_t len)
{
	uint64_t off = at - p->bytes;

	return p->unknown ? SIZE_MAX : first_at(p, off + len) - first_at(p, off);
}

uint32_t rel_places__section(const struct rel_places *p, const uint8_t *at, unsigned int size)
{
	uint64_t off = at - p->bytes;
	size_t first = first_at(p, off);
	struct rel rel;

	if (p->unknown || first_at(p, off + size) != first + 1 || !get(p, first, &rel) ||
	    rel.off != off)
		return 0;
	return rel_table__section(&p->table, &rel, size);
}
