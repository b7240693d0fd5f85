// SPDX-License-Identifier: GPL-2.0-only
/*
 * encoder_funcs.c - which functions out of line get a record
 *
 * One that is as its FUNC says, under its own name, needs none; unless several have that name,
 * and a reader must tell by the address which is which.
 */
#include "encoder_internal.h"

#include <stdlib.h>

static int cmp(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* What the DWARF gives code before what is known by a symbol. */
static int by_place(const void *a, const void *b)
{
	const struct enc_fn *x = a, *y = b;
	int ret = cmp(x->rec.sec, y->rec.sec);

	if (!ret)
		ret = cmp(x->rec.offset, y->rec.offset);
	if (!ret)
		ret = cmp(x->rec.by_symbol, y->rec.by_symbol);
	return ret ? ret : cmp(x->order, y->order);
}

static int by_name(const void *a, const void *b)
{
	const struct enc_fn *x = a, *y = b;
	int ret = cmp(x->name, y->name);

	if (!ret)
		ret = cmp(x->rec.sec, y->rec.sec);
	if (!ret)
		ret = cmp(x->rec.offset, y->rec.offset);
	return ret ? ret : cmp(x->order, y->order);
}

static int by_order(const void *a, const void *b)
{
	const struct enc_fn *x = a, *y = b;

	return cmp(x->order, y->order);
}

static bool same_place(const struct enc_fn *a, const struct enc_fn *b)
{
	return a->rec.sec == b->rec.sec && a->rec.offset == b->rec.offset;
}

/* Of those of one name, each place once; what is to be left out loses its FUNC. */
static void pick(struct enc_fn *fns, size_t nr, bool all)
{
	size_t i, places = 1;

	for (i = 1; i < nr; i++) {
		if (same_place(&fns[i - 1], &fns[i]))
			fns[i].func = 0;
		else
			places++;
	}
	for (i = 0; i < nr && places == 1 && !all; i++)
		if (fns[i].plain)
			fns[i].func = 0;
}

/* A symbol at the code of another function is its alias, and no function of its own. */
static void drop_aliases(struct btf_encoder_locs *enc)
{
	size_t i, nr = 0;

	qsort(enc->fns, enc->nr_fns, sizeof(*enc->fns), by_place);
	for (i = 0; i < enc->nr_fns; i++)
		if (!nr || !enc->fns[i].rec.by_symbol ||
		    !same_place(&enc->fns[i], &enc->fns[nr - 1]))
			enc->fns[nr++] = enc->fns[i];
	enc->nr_fns = nr;
}

int encoder__functions(struct btf_encoder_locs *enc, struct btf_locs_err *err)
{
	size_t i, nr;
	int ret;

	if (!enc->nr_fns)
		return 0;
	drop_aliases(enc);
	qsort(enc->fns, enc->nr_fns, sizeof(*enc->fns), by_name);
	for (i = 0; i < enc->nr_fns; i += nr) {
		for (nr = 1; i + nr < enc->nr_fns && enc->fns[i + nr].name == enc->fns[i].name; nr++)
			;
		pick(enc->fns + i, nr, enc->all_funcs);
	}
	qsort(enc->fns, enc->nr_fns, sizeof(*enc->fns), by_order);
	for (i = 0; i < enc->nr_fns; i++) {
		const struct enc_fn *f = &enc->fns[i];

		if (!f->func)
			continue;
		ret = encoder__rec(enc, &f->rec, f->func, f->proto, err);
		if (ret)
			return ret;
	}
	return 0;
}
