// SPDX-License-Identifier: GPL-2.0-only
/* intern.c - equal rows of 32-bit words kept once, numbered in order of appearance */
#include "intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "locs_set.h"

int intern__init(struct intern *in)
{
	memset(in, 0, sizeof(*in));
	in->mask = 1023;
	in->slots = calloc(in->mask + 1, sizeof(*in->slots));
	return in->slots ? 0 : -ENOMEM;
}

void intern__free(struct intern *in)
{
	free(in->words);
	free(in->items);
	free(in->slots);
	memset(in, 0, sizeof(*in));
}

static size_t hash(const uint32_t *words, uint32_t nr)
{
	uint64_t h = nr;
	uint32_t i;

	for (i = 0; i < nr; i++)
		h = (h ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
	return h ^ h >> 32;
}

uint32_t *intern__words(const struct intern *in, uint32_t item, uint32_t *nr)
{
	if (nr)
		*nr = in->items[item].nr;
	return in->words + in->items[item].first;
}

static int grow_slots(struct intern *in)
{
	size_t i, j, mask = in->mask * 2 + 1;
	uint32_t *slots = calloc(mask + 1, sizeof(*slots)), nr;
	const uint32_t *words;

	if (!slots)
		return -ENOMEM;
	for (i = 0; i <= in->mask; i++) {
		if (!in->slots[i])
			continue;
		words = intern__words(in, in->slots[i] - 1, &nr);
		for (j = hash(words, nr) & mask; slots[j]; j = (j + 1) & mask)
			;
		slots[j] = in->slots[i];
	}
	free(in->slots);
	in->slots = slots;
	in->mask = mask;
	return 0;
}

int64_t intern__reserve(struct intern *in, uint32_t nr)
{
	int err = array__room(in->words, in->nr_words, in->cap_words, nr);

	if (!err)
		err = array__room(in->items, in->nr_items, in->cap_items, 1);
	if (!err && in->nr_items >= INT32_MAX)
		err = -EOVERFLOW;
	if (err)
		return err;
	in->items[in->nr_items] = (struct intern_item){ in->nr_words, nr };
	if (nr)
		memset(in->words + in->nr_words, 0, nr * sizeof(*in->words));
	in->nr_words += nr;
	return in->nr_items++;
}

int64_t intern__add(struct intern *in, const uint32_t *words, uint32_t nr)
{
	const uint32_t *have;
	uint32_t n;
	int64_t item;
	size_t i;

	if (in->used * 2 > in->mask && grow_slots(in))
		return -ENOMEM;
	for (i = hash(words, nr) & in->mask; in->slots[i]; i = (i + 1) & in->mask) {
		have = intern__words(in, in->slots[i] - 1, &n);
		if (n == nr && (!nr || !memcmp(have, words, nr * sizeof(*words))))
			return in->slots[i] - 1;
	}
	item = intern__reserve(in, nr);
	if (item < 0)
		return item;
	if (nr)
		memcpy(in->words + in->items[item].first, words, nr * sizeof(*words));
	in->slots[i] = item + 1;
	in->used++;
	return item;
}
