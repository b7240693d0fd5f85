// SPDX-License-Identifier: GPL-2.0-only
/* die_map.c - DIE -> number, emptied for each unit at no cost */
#include "die_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int die_map__init(struct die_map *m)
{
	memset(m, 0, sizeof(*m));
	m->mask = 1023;
	m->gen = 1;
	m->slots = calloc(m->mask + 1, sizeof(*m->slots));
	return m->slots ? 0 : -ENOMEM;
}

void die_map__free(struct die_map *m)
{
	free(m->slots);
	m->slots = NULL;
}

void die_map__clear(struct die_map *m)
{
	m->used = 0;
	if (++m->gen == 0) {
		memset(m->slots, 0, (m->mask + 1) * sizeof(*m->slots));
		m->gen = 1;
	}
}

/* The slot that holds @key, or the free one where it belongs. */
static struct die_slot *slot(const struct die_map *m, const void *key)
{
	size_t i = ((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & m->mask;

	while (m->slots[i].gen == m->gen && m->slots[i].key != key)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

struct die_slot *die_map__find(const struct die_map *m, const void *key)
{
	struct die_slot *s = slot(m, key);

	return s->gen == m->gen ? s : NULL;
}

static int die_map__grow(struct die_map *m)
{
	struct die_map old = *m;
	size_t i;

	m->mask = old.mask * 2 + 1;
	m->slots = calloc(m->mask + 1, sizeof(*m->slots));
	if (!m->slots) {
		*m = old;
		return -ENOMEM;
	}
	for (i = 0; i <= old.mask; i++)
		if (old.slots[i].gen == m->gen)
			*slot(m, old.slots[i].key) = old.slots[i];
	free(old.slots);
	return 0;
}

int die_map__add(struct die_map *m, const void *key, uint32_t val)
{
	struct die_slot *s;

	if (m->used * 2 > m->mask && die_map__grow(m))
		return -ENOMEM;
	s = slot(m, key);
	if (s->gen != m->gen)
		m->used++;
	*s = (struct die_slot){ .key = key, .gen = m->gen, .val = val };
	return 0;
}
