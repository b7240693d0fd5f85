/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intern.h - equal rows of 32-bit words kept once, numbered in order of appearance
 */
#ifndef LOCS_INTERN_H
#define LOCS_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern_item {
	size_t first;		/* index into the words */
	uint32_t nr;
};

struct intern {
	uint32_t *words;
	size_t nr_words, cap_words;
	struct intern_item *items;
	size_t nr_items, cap_items;
	uint32_t *slots;	/* item number + 1, 0: free */
	size_t mask;
	size_t used;
};

int intern__init(struct intern *in);		/* 0 or -ENOMEM */
void intern__free(struct intern *in);
/* The number of the row of these words, a new one if it was not there. Negative errno. */
int64_t intern__add(struct intern *in, const uint32_t *words, uint32_t nr);
/* A new row of @nr zero words that no other is looked up as; to be filled in place. */
int64_t intern__reserve(struct intern *in, uint32_t nr);
/* The words of a row, valid until the next one is added. */
uint32_t *intern__words(const struct intern *in, uint32_t item, uint32_t *nr);

#endif
