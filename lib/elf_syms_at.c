// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf_syms_at.c - the symbols of an open ELF file that stand at a place */
#include "elf_syms_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CROWD 32	/* symbols that are looked at one by one */

/* @shndx counts where each section has its own values: most of its functions are at 0. */
static uint32_t hash_value(const struct elf_syms *s, uint64_t value, uint32_t shndx)
{
	if (s->rel)
		value ^= (uint64_t)shndx << 32;
	return (value * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (s->nr_buckets - 1);
}

/* Names in an order in which those of NAME and of NAME.suffix stand together. */
static int cmp_names(const char *a, const char *b)
{
	int x, y;

	while (*a && *a == *b) {
		a++;
		b++;
	}
	x = *a == '.' ? 1 : *a ? (uint8_t)*a + 1 : 0;
	y = *b == '.' ? 1 : *b ? (uint8_t)*b + 1 : 0;
	return x - y;
}

/* @a against a place and a name. */
static int cmp_place(const struct elf_syms *s, const struct elf_sym *a, uint32_t shndx,
		     uint64_t value, const char *name)
{
	if (s->rel && a->shndx != shndx)
		return a->shndx < shndx ? -1 : 1;
	if (a->value != value)
		return a->value < value ? -1 : 1;
	return cmp_names(a->name, name);
}

static int cmp_crowd(const void *pa, const void *pb, void *arg)
{
	const struct elf_syms *s = arg;
	const struct sym *a = &s->syms[*(const uint32_t *)pa];
	const struct sym *b = &s->syms[*(const uint32_t *)pb];
	int ret = cmp_place(s, &a->pub, b->pub.shndx, b->pub.value, b->pub.name);

	return ret ? ret : a->pos < b->pos ? -1 : a->pos > b->pos;
}

/* The first of chain @b, if more stand in it than are looked at one by one; else NO_SYM. */
static uint32_t first_if_crowd(struct elf_syms *s, uint32_t b)
{
	uint32_t nr, i = s->values[b];

	for (nr = 0; i != NO_SYM && nr < CROWD; nr++)
		i = s->syms[i].next_value;
	if (i == NO_SYM)
		return NO_SYM;
	s->syms[s->values[b]].crowded = true;
	return s->values[b];
}

/* Identical code folded into one leaves thousands of symbols at an address: those by name. */
static int sort_crowd(struct elf_syms *s)
{
	uint32_t b, i, nr = 0;

	for (b = 0; b < s->nr_buckets; b++)
		for (i = first_if_crowd(s, b); i != NO_SYM; i = s->syms[i].next_value)
			nr++;
	if (!nr)
		return 0;
	s->crowd = malloc(nr * sizeof(*s->crowd));
	if (!s->crowd)
		return -ENOMEM;
	for (b = 0; b < s->nr_buckets; b++)
		for (i = first_if_crowd(s, b); i != NO_SYM; i = s->syms[i].next_value)
			s->crowd[s->nr_crowd++] = i;
	qsort_r(s->crowd, s->nr_crowd, sizeof(*s->crowd), cmp_crowd, s);
	return 0;
}

/* As elf_syms__load(), and with chains by value. 0, or what a look-up returns. */
static int load_values(struct elf_file *f, struct elf_syms **out)
{
	struct elf_syms *s = elf_syms__load(f);
	uint32_t i, *b;

	if (!s)
		return -ENOMEM;
	*out = s;
	if (s->code || s->values)
		return s->code;
	s->values = malloc(s->nr_buckets * sizeof(*s->values));
	if (!s->values)
		return -ENOMEM;
	memset(s->values, 0xff, s->nr_buckets * sizeof(*s->values));
	for (i = s->nr; i-- > 0;) {
		if (!elf_syms__has_address(f, &s->syms[i]))
			continue;
		b = &s->values[hash_value(s, s->syms[i].pub.value, s->syms[i].pub.shndx)];
		s->syms[i].next_value = *b;
		*b = i;
	}
	s->code = sort_crowd(s);
	return s->code;
}

static bool is_at(const struct elf_sym *p, uint64_t value, uint32_t shndx)
{
	return p->value == value && (!shndx || p->shndx == shndx);
}

int elf_file__sym_at(struct elf_file *f, uint64_t value, uint32_t shndx, size_t *pos,
		     struct elf_sym *out)
{
	/* any section of many: the chains do not tell, all symbols are looked at */
	bool all = f->type == ET_REL && !shndx;
	const struct sym *p, *last;
	struct elf_syms *s;
	uint32_t i;
	int ret;

	ret = load_values(f, &s);
	if (ret)
		return ret;
	last = elf_syms__last_found(s, *pos);
	if (all)
		i = elf_syms__first_from(s, *pos);
	else if (last && is_at(&last->pub, value, shndx) && elf_syms__has_address(f, last))
		i = last->next_value;
	else
		i = s->values[hash_value(s, value, shndx)];
	for (; all ? i < s->nr : i != NO_SYM; i = all ? i + 1 : p->next_value) {
		p = &s->syms[i];
		if (p->pos < *pos || !is_at(&p->pub, value, shndx))
			continue;
		if (all && !elf_syms__has_address(f, p))
			continue;
		*out = p->pub;
		*pos = (size_t)p->pos + 1;
		return 0;
	}
	return -ENOENT;
}

/* NAME, or NAME and a suffix behind a dot. */
static bool is_called(const char *sym, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(sym, name, len) && (!sym[len] || sym[len] == '.');
}

/* The first of the crowd from (@shndx, @value, @name) on. */
static uint32_t first_of_crowd(const struct elf_syms *s, uint32_t shndx, uint64_t value,
			       const char *name)
{
	uint32_t lo = 0, hi = s->nr_crowd;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (cmp_place(s, &s->syms[s->crowd[mid]].pub, shndx, value, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int elf_file__sym_called_at(struct elf_file *f, uint64_t value, uint32_t shndx, const char *name,
			    size_t *pos, struct elf_sym *out)
{
	const struct elf_sym *p;
	struct elf_syms *s;
	uint32_t i;
	int ret;

	ret = load_values(f, &s);
	if (ret)
		return ret;
	i = s->values[hash_value(s, value, shndx)];
	if (i == NO_SYM || !s->syms[i].crowded) {
		while (!(ret = elf_file__sym_at(f, value, shndx, pos, out)))
			if (is_called(out->name, name))
				return 0;
		return ret;
	}
	for (i = *pos ? *pos : first_of_crowd(s, shndx, value, name); i < s->nr_crowd; i++) {
		p = &s->syms[s->crowd[i]].pub;
		if (!is_at(p, value, s->rel ? shndx : 0) || !is_called(p->name, name))
			break;
		if (shndx && p->shndx != shndx)
			continue;
		*out = *p;
		*pos = (size_t)i + 1;
		return 0;
	}
	return -ENOENT;
}
