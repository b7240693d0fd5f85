// SPDX-License-Identifier: GPL-2.0-only
/*
 * dwarf_loader_merged.c - functions that the DWARF defines and gives no code
 *
 * gcc merges equal functions (-fipa-icf), and what is left of one calls or is the other. It is
 * known by its symbol alone, in the unit's own code. Thousands of static functions can have one
 * name, and a unit of -ffunction-sections has thousands of ranges: both are kept sorted.
 */
#include "dwarf_loader_internal.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/die.h"
#include "lib/func_sym.h"

/* A function's symbol. */
struct merged_sym {
	uint64_t addr;		/* as linked, or as a relocatable file was laid out */
	size_t pos;		/* in the symbol table */
	uint32_t sec;		/* ELF section index ... */
	uint64_t offset;	/* ... and bytes into it */
};

/* Those of one name: part of the array of all. */
struct merged_name {
	size_t first;
	size_t nr;
};

struct range {
	uint64_t begin, end;
};

struct merged {
	struct die_map names;	/* the first symbol's name in the file -> index into @list */
	struct merged_name *list;
	size_t nr_list, cap_list;
	struct merged_sym *syms;	/* of each name by address */
	size_t nr_syms, cap_syms;
	/* of one unit, apart and by address */
	const void *unit;
	struct range *ranges;
	size_t nr_ranges, cap_ranges;
};

static struct merged *merged__new(void)
{
	struct merged *m = calloc(1, sizeof(*m));

	if (m && die_map__init(&m->names)) {
		free(m);
		m = NULL;
	}
	return m;
}

void merged__free(struct merged *m)
{
	if (!m)
		return;
	die_map__free(&m->names);
	free(m->list);
	free(m->syms);
	free(m->ranges);
	free(m);
}

static int by_begin(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The ranges of the unit at hand. */
static int read_ranges(struct dwarf_loader_locs *ldr, struct merged *m)
{
	Dwarf_Die *die = &ldr->unit.die;
	Dwarf_Addr base, begin, end;
	ptrdiff_t off = 0;
	size_t i, n = 0;
	int err;

	if (m->unit == die->addr)
		return 0;
	m->unit = NULL;
	m->nr_ranges = 0;
	while ((off = dwarf_ranges(die, off, &base, &begin, &end)) > 0) {
		if (begin >= end)
			continue;
		err = array__room(m->ranges, m->nr_ranges, m->cap_ranges, 1);
		if (err)
			return err;
		m->ranges[m->nr_ranges++] = (struct range){ begin, end };
	}
	if (m->nr_ranges)
		qsort(m->ranges, m->nr_ranges, sizeof(*m->ranges), by_begin);
	for (i = 0; i < m->nr_ranges; i++) {
		if (n && m->ranges[i].begin <= m->ranges[n - 1].end) {
			if (m->ranges[i].end > m->ranges[n - 1].end)
				m->ranges[n - 1].end = m->ranges[i].end;
			continue;
		}
		m->ranges[n++] = m->ranges[i];
	}
	m->nr_ranges = n;
	m->unit = die->addr;
	return 0;
}

/* Section, offset and address of a symbol of code. */
static bool place_symbol(struct dwarf_loader_locs *ldr, const struct elf_sym *sym,
			 struct merged_sym *out)
{
	const struct code_sec *sec;
	struct set_rec rec;

	out->addr = sym->value;
	if (ldr->obj.rel) {
		sec = object__sec_by_idx(&ldr->obj, sym->shndx);
		if (!sec)
			return false;
		out->addr += sec->addr;
	}
	if (loader__place(ldr, out->addr, &rec) != SKIP_NR_REASONS || rec.sec != sym->shndx)
		return false;
	out->sec = rec.sec;
	out->offset = rec.offset;
	return true;
}

static int by_addr(const void *a, const void *b)
{
	const struct merged_sym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->pos > y->pos) - (x->pos < y->pos);
}

/* Collects the symbols called @name; @sym is the first, and @pos stands behind it. */
static int add_name(struct dwarf_loader_locs *ldr, struct merged *m, const char *name,
		    struct elf_sym *sym, size_t pos)
{
	struct merged_name n = { .first = m->nr_syms };
	const void *key = sym->name;
	struct merged_sym at;
	int err;

	do {
		at.pos = pos;
		if (!place_symbol(ldr, sym, &at))
			continue;
		err = array__room(m->syms, m->nr_syms, m->cap_syms, 1);
		if (err)
			return err;
		m->syms[m->nr_syms++] = at;
	} while (!func_sym__next(ldr->opts.file, name, &pos, sym));
	n.nr = m->nr_syms - n.first;
	if (n.nr)
		qsort(m->syms + n.first, n.nr, sizeof(*m->syms), by_addr);
	err = array__room(m->list, m->nr_list, m->cap_list, 1);
	if (!err)
		err = die_map__add(&m->names, key, m->nr_list);
	if (!err)
		m->list[m->nr_list++] = n;
	return err;
}

/* The first of @nr ranges that ends behind @addr. */
static size_t find_range(const struct range *r, size_t nr, uint64_t addr)
{
	size_t lo = 0, hi = nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (r[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The first of @nr symbols that is at @addr or behind it. */
static size_t find_sym(const struct merged_sym *s, size_t nr, uint64_t addr)
{
	size_t lo = 0, hi = nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Of the symbols of a name those in the unit's code: the first in the table, or NULL. */
static const struct merged_sym *find_in_unit(const struct merged *m, const struct merged_name *n)
{
	const struct merged_sym *syms = m->syms + n->first, *best = NULL;
	size_t i = 0, r = 0;

	/* from range to range and from symbol to symbol, over all that cannot meet */
	while (i < n->nr) {
		r += find_range(m->ranges + r, m->nr_ranges - r, syms[i].addr);
		if (r == m->nr_ranges)
			break;
		if (syms[i].addr < m->ranges[r].begin) {
			i += find_sym(syms + i, n->nr - i, m->ranges[r].begin);
			continue;
		}
		if (!best || syms[i].pos < best->pos)
			best = &syms[i];
		i++;
	}
	return best;
}

int loader__add_merged(struct dwarf_loader_locs *ldr, Dwarf_Die *die)
{
	struct set_rec rec = {
		.kind = BTF_LOCS_FUNC, .out_of_line = true, .conforms = true, .plain = true,
		.by_symbol = true,
	};
	struct locs_set *set = ldr->set;
	const char *name = die__name(die);
	const struct merged_sym *found;
	const struct die_slot *slot;
	struct elf_sym sym, first;
	size_t pos = 0;
	int err = 0;

	if (ldr->unit.producer != PRODUCER_GCC || !*name ||
	    func_sym__next(ldr->opts.file, name, &pos, &first))
		return 0;
	if (!ldr->merged)
		ldr->merged = merged__new();
	if (!ldr->merged)
		return -ENOMEM;
	slot = die_map__find(&ldr->merged->names, first.name);
	if (!slot) {
		sym = first;
		err = add_name(ldr, ldr->merged, name, &sym, pos);
		slot = die_map__find(&ldr->merged->names, first.name);
	}
	if (!err)
		err = read_ranges(ldr, ldr->merged);
	if (err)
		return err;
	found = find_in_unit(ldr->merged, &ldr->merged->list[slot->val]);
	if (!found)
		return 0;
	err = loader__find_func(ldr, die, &rec.func);
	if (!err)
		err = array__room(set->recs, set->nr_recs, set->cap_recs, 1);
	if (err)
		return err == -EBADMSG ? 0 : err;
	set->functions++;
	rec.sec = found->sec;
	rec.offset = found->offset;
	rec.first_loc = set->nr_locs;
	set->recs[set->nr_recs++] = rec;
	set->funcs[rec.func].has_recs = true;
	return 0;
}
