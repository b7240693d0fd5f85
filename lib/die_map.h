/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * die_map.h - DIE -> number, emptied for each unit at no cost
 *
 * Keyed by where the DIE's bytes are, which is unique within a Dwarf.
 */
#ifndef LOCS_DIE_MAP_H
#define LOCS_DIE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct die_slot {
	const void *key;
	uint32_t gen;		/* the slot is of another unit where it is not the map's */
	uint32_t val;
};

struct die_map {
	struct die_slot *slots;
	size_t mask;		/* number of slots - 1 */
	size_t used;		/* in this generation */
	uint32_t gen;
};

int die_map__init(struct die_map *m);		/* 0 or -ENOMEM */
void die_map__free(struct die_map *m);
void die_map__clear(struct die_map *m);
/* The slot of @key, or NULL. Valid until the next die_map__add(). */
struct die_slot *die_map__find(const struct die_map *m, const void *key);
/* Adds or overwrites. 0 or -ENOMEM. */
int die_map__add(struct die_map *m, const void *key, uint32_t val);

#endif
