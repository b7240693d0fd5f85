// SPDX-License-Identifier: GPL-2.0-only
/* strtab.c - strings of the section that the base does not have, each once */
#include "strtab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "locs_set.h"

#define STRTAB_MAX (1u << 30)

int strtab__init(struct strtab *st)
{
	memset(st, 0, sizeof(*st));
	st->mask = 1023;
	st->slots = calloc(st->mask + 1, sizeof(*st->slots));
	return st->slots ? 0 : -ENOMEM;
}

void strtab__free(struct strtab *st)
{
	free(st->data);
	free(st->slots);
	memset(st, 0, sizeof(*st));
}

static size_t hash(const char *s)
{
	uint64_t h = 14695981039346656037u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return h ^ h >> 32;
}

static int grow_slots(struct strtab *st)
{
	size_t i, j, mask = st->mask * 2 + 1;
	uint32_t *slots = calloc(mask + 1, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (i = 0; i <= st->mask; i++) {
		if (!st->slots[i])
			continue;
		for (j = hash(st->data + st->slots[i] - 1) & mask; slots[j];
		     j = (j + 1) & mask)
			;
		slots[j] = st->slots[i];
	}
	free(st->slots);
	st->slots = slots;
	st->mask = mask;
	return 0;
}

int64_t strtab__add(struct strtab *st, const char *str)
{
	size_t i, n = strlen(str) + 1;
	int err;

	if (st->used * 2 > st->mask && grow_slots(st))
		return -ENOMEM;
	for (i = hash(str) & st->mask; st->slots[i]; i = (i + 1) & st->mask)
		if (!strcmp(st->data + st->slots[i] - 1, str))
			return st->slots[i] - 1;
	if (n > STRTAB_MAX - st->len)
		return -EOVERFLOW;
	err = array__room(st->data, st->len, st->cap, n);
	if (err)
		return err;
	memcpy(st->data + st->len, str, n);
	st->slots[i] = st->len + 1;
	st->used++;
	st->len += n;
	return st->slots[i] - 1;
}
