// SPDX-License-Identifier: GPL-2.0-only
/*
 * produce.c - from an object's DWARF to the bytes of its .BTF.func_info
 *
 * Workers take units one by one and read them into sets; the sets are added to the
 * encoder in the order of the file, by whichever worker has the next one ready. So the
 * bytes are the same for any number of workers.
 */
#include "produce.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../btf_encoder_locs.h"
#include "../dwarf_loader_locs.h"
#include "dwarf_file.h"
#include "lang.h"
#include "nomem.h"
#include "produce_units.h"

#define JOBS_MAX 256

struct worker {
	struct produce *p;
	pthread_t thread;
	bool running;
	struct dwarf_file df;
	struct dwarf_loader_locs *ldr;
	struct btf_types *types;
};

/* A unit between collecting and encoding. */
struct unit_set {
	struct locs_set set;
	uint32_t worker;	/* whose Dwarf its names point into */
	bool ready;
};

struct produce {
	struct elf_file *file;
	struct produce_opts opts;
	struct unit_ref *units;
	size_t nr_units;
	struct unit_set *sets;
	struct worker *workers;
	unsigned int nr_workers;
	int prepared;			/* what prepare() came to, 1: not called yet */
	bool collected;
	struct btf_chain *base;		/* while encoding */
	struct btf_encoder_locs *enc;
	struct locs_stats stats;

	pthread_mutex_t lock;		/* what follows */
	size_t next;			/* unit to be read */
	size_t added;			/* units in the encoder */
	bool adding;			/* a worker is at it */
	int rc;				/* of the first failure */
	struct btf_locs_err err;
};

unsigned int produce__jobs(unsigned int jobs)
{
	long n = jobs ? (long)jobs : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > JOBS_MAX ? JOBS_MAX : n;
}

static void tell_reading(const struct produce *p)
{
	if (p->opts.reading)
		p->opts.reading(elf_file__path(p->file));
}

/* What went wrong, or went well, with a file that is another by now, says nothing. */
static int check_same(const struct produce *p, int ret, struct btf_locs_err *err)
{
	struct btf_locs_err why;
	int changed = elf_file__check_same(p->file, &why);

	if (changed && err)
		*err = why;
	return changed ? changed : ret;
}

int produce__open(const char *path, const struct produce_opts *opts, struct produce **out,
		  struct btf_locs_err *err)
{
	struct produce *p;
	int ret;

	nomem__watch();
	p = calloc(1, sizeof(*p));
	if (!p)
		return locs_err__end(err, -ENOMEM);
	pthread_mutex_init(&p->lock, NULL);
	p->prepared = 1;
	if (opts)
		memcpy(&p->opts, opts,
		       opts->sz < sizeof(p->opts) ? opts->sz : sizeof(p->opts));
	if (!p->opts.features)
		p->opts.features = LOCS_FEAT_INLINE;
	ret = lang_list__check(p->opts.lang, err);
	if (!ret)
		ret = lang_list__check(p->opts.lang_exclude, err);
	if (!ret)
		ret = elf_file__open(path, &p->file, err);
	if (!ret)
		ret = elf_file__map(p->file, err);
	if (!ret) {
		tell_reading(p);
		ret = check_same(p, elf_file__check_dwarf(p->file, err), err);
	}
	ret = locs_err__end(err, nomem__cause(ret));
	if (ret) {
		produce__close(p);
		return ret;
	}
	*out = p;
	return 0;
}

struct elf_file *produce__file(struct produce *p)
{
	return p->file;
}

const struct locs_stats *produce__stats(const struct produce *p)
{
	return &p->stats;
}

static void worker__close(struct worker *w)
{
	btf_types__free(w->types);
	dwarf_loader_locs__free(w->ldr);
	if (w->df.elf)
		dwarf_file__close(&w->df);
}

void produce__close(struct produce *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nr_units && p->sets; i++)
		locs_set__free(&p->sets[i].set);
	for (i = 0; i < p->nr_workers && p->workers; i++)
		worker__close(&p->workers[i]);
	btf_encoder_locs__free(p->enc);
	if (p->opts.reading)
		p->opts.reading(NULL);
	free(p->sets);
	free(p->workers);
	free(p->units);
	elf_file__close(p->file);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

static void fail(struct produce *p, int rc, const struct btf_locs_err *err)
{
	pthread_mutex_lock(&p->lock);
	if (!p->rc) {
		p->rc = rc;
		p->err = *err;
	}
	pthread_mutex_unlock(&p->lock);
}

/* The next unit to be read, or nr_units: none is left, or something failed. */
static size_t take_unit(struct produce *p)
{
	size_t i;

	pthread_mutex_lock(&p->lock);
	i = p->rc ? p->nr_units : p->next;
	if (i < p->nr_units)
		p->next++;
	pthread_mutex_unlock(&p->lock);
	return i;
}

/* A piece of a worker's work that asks libdw, see dwarf_file__try(). */
struct step {
	int (*fn)(struct worker *w, size_t unit, struct btf_locs_err *err);
	struct worker *w;
	size_t unit;
	struct btf_locs_err *err;
};

static int step__run(void *arg)
{
	struct step *s = arg;

	return s->fn(s->w, s->unit, s->err);
}

/* What it swallowed leaves no line behind, and somebody's lack of memory is no other failure. */
static int worker__do(struct worker *w, size_t unit, struct btf_locs_err *err,
		      int (*fn)(struct worker *w, size_t unit, struct btf_locs_err *err))
{
	struct step s = { .fn = fn, .w = w, .unit = unit, .err = err };
	int ret;

	nomem__watch();
	ret = dwarf_file__try(&w->df, step__run, &s);
	return locs_err__end(err, nomem__result(ret));
}

static int open_worker(struct worker *w, size_t unit, struct btf_locs_err *err)
{
	int ret;

	(void)unit;
	ret = dwarf_file__open(&w->df, w->p->file, err);
	if (!ret)
		ret = dwarf_file__read_units(&w->df);
	if (ret)
		return ret;
	w->ldr = dwarf_loader_locs__new(&(struct dwarf_loader_opts){
		.dw = w->df.dw, .elf = w->df.elf, .file = w->p->file,
		.sites = w->p->opts.features & LOCS_FEAT_INLINE,
	});
	return w->ldr ? 0 : locs_err__set(err, -EBADMSG, "cannot read its sections");
}

static int worker__open(struct worker *w, struct btf_locs_err *err)
{
	return w->ldr ? 0 : worker__do(w, 0, err, open_worker);
}

static int collect_unit(struct worker *w, size_t i, struct btf_locs_err *err)
{
	struct produce *p = w->p;
	Dwarf_Die cu;

	p->sets[i].worker = w - p->workers;
	if (!dwarf_offdie(w->df.dw, p->units[i].die, &cu))
		return locs_err__set(err, -EBADMSG,
				     "malformed DWARF: no entry at 0x%" PRIx64 " of .debug_info",
				     p->units[i].die);
	if (!lang__wanted(dwarf_srclang(&cu), p->opts.lang, p->opts.lang_exclude))
		return 0;
	return dwarf_loader_locs__collect(w->ldr, &cu, &p->sets[i].set, err);
}

/* Adds the units that are ready to the encoder, in their order. */
static int add_ready(struct produce *p, struct btf_locs_err *err)
{
	struct unit_set *s;
	int ret = 0;

	pthread_mutex_lock(&p->lock);
	if (p->adding) {
		pthread_mutex_unlock(&p->lock);
		return 0;
	}
	p->adding = true;
	while (!ret && p->added < p->nr_units && p->sets[p->added].ready) {
		s = &p->sets[p->added];
		pthread_mutex_unlock(&p->lock);
		ret = btf_encoder_locs__add(p->enc, &s->set, err);
		locs_set__free(&s->set);
		pthread_mutex_lock(&p->lock);
		p->added++;
	}
	p->adding = false;
	pthread_mutex_unlock(&p->lock);
	return ret;
}

static int resolve_types(struct worker *w, size_t i, struct btf_locs_err *err)
{
	(void)err;
	return dwarf_loader_locs__resolve(w->types, w->p->base, &w->p->sets[i].set);
}

static int resolve_unit(struct worker *w, size_t i, struct btf_locs_err *err)
{
	struct produce *p = w->p;
	int ret;

	ret = worker__do(w, i, err, resolve_types);
	if (ret)
		return ret;
	pthread_mutex_lock(&p->lock);
	p->sets[i].ready = true;
	pthread_mutex_unlock(&p->lock);
	return add_ready(p, err);
}

/* Step one alone: every unit is kept. */
static void *collect_main(void *arg)
{
	struct worker *w = arg;
	struct produce *p = w->p;
	struct btf_locs_err err = { "" };
	size_t i;
	int ret;

	tell_reading(p);
	ret = worker__open(w, &err);
	while (!ret && (i = take_unit(p)) < p->nr_units)
		ret = worker__do(w, i, &err, collect_unit);
	if (ret)
		fail(p, ret, &err);
	return NULL;
}

/* Step two: each worker resolves the units that it has read, or reads them first. */
static void *encode_main(void *arg)
{
	struct worker *w = arg;
	struct produce *p = w->p;
	struct btf_locs_err err = { "" };
	size_t i;
	int ret;

	tell_reading(p);
	ret = worker__open(w, &err);
	if (!ret) {
		w->types = btf_types__new(p->base);
		ret = w->types ? 0 : -ENOMEM;
	}
	if (p->collected) {
		for (i = 0; !ret && i < p->nr_units; i++)
			if (p->sets[i].worker == w - p->workers)
				ret = resolve_unit(w, i, &err);
	} else {
		while (!ret && (i = take_unit(p)) < p->nr_units) {
			ret = worker__do(w, i, &err, collect_unit);
			if (!ret)
				ret = resolve_unit(w, i, &err);
		}
	}
	if (ret)
		fail(p, ret, &err);
	return NULL;
}

/* Runs all workers to their end; the first is the caller. */
static int run(struct produce *p, void *(*main)(void *), struct btf_locs_err *err)
{
	unsigned int i;

	for (i = 1; i < p->nr_workers; i++)
		p->workers[i].running = !pthread_create(&p->workers[i].thread, NULL, main,
							&p->workers[i]);
	main(&p->workers[0]);
	for (i = 1; i < p->nr_workers; i++)
		if (p->workers[i].running)
			pthread_join(p->workers[i].thread, NULL);
	if (p->rc && err)
		*err = p->err;
	return locs_err__end(err, p->rc);
}

static int list_units(struct worker *w, size_t unit, struct btf_locs_err *err)
{
	(void)unit;
	return units__list(w->df.dw, &w->p->units, &w->p->nr_units, err);
}

/* Once: the list of units, a set for each, the workers. */
static int prepare(struct produce *p, struct btf_locs_err *err)
{
	struct elf_sym sym;
	size_t pos = 0;
	unsigned int i;
	int ret;

	if (p->prepared <= 0)
		return p->prepared;
	p->prepared = -EINVAL;
	p->nr_workers = produce__jobs(p->opts.jobs);
	p->workers = calloc(p->nr_workers, sizeof(*p->workers));
	if (!p->workers)
		return -ENOMEM;
	for (i = 0; i < p->nr_workers; i++)
		p->workers[i].p = p;
	/* the symbols are read on first use: before there are threads */
	ret = elf_file__sym_at(p->file, 0, 0, &pos, &sym);
	if (ret == -EBADMSG)
		locs_err__set(err, ret, "malformed symbol table");
	if (ret && ret != -ENOENT)
		return ret;
	ret = worker__open(&p->workers[0], err);
	if (ret)
		return ret;
	ret = worker__do(&p->workers[0], 0, err, list_units);
	if (ret)
		return ret;
	p->sets = calloc(p->nr_units + 1, sizeof(*p->sets));
	p->prepared = p->sets ? 0 : -ENOMEM;
	return p->prepared;
}

int produce__collect(struct produce *p, struct btf_locs_err *err)
{
	int ret;

	if (p->collected)
		return 0;
	tell_reading(p);
	ret = prepare(p, err);
	if (!ret)
		ret = run(p, collect_main, err);
	ret = check_same(p, ret, err);
	if (!ret)
		p->collected = true;
	return ret;
}

/* The object's sections by index, names and addresses, for the encoder. */
static int list_sections(struct produce *p, struct locs_section **out)
{
	uint32_t i, nr = elf_file__nr_secs(p->file);
	struct locs_section *secs = calloc(nr + 1, sizeof(*secs));
	struct elf_sec s;

	if (!secs)
		return -ENOMEM;
	for (i = 1; i < nr; i++)
		if (!elf_file__sec(p->file, i, &s))
			secs[i] = (struct locs_section){ s.name, s.addr, s.size };
	*out = secs;
	return 0;
}

static int write_section(struct produce *p, struct wbuf *out, struct btf_locs_err *err)
{
	struct locs_section *secs;
	struct locs_object obj = {
		.machine = elf_file__machine(p->file),
		.build_id = elf_file__build_id(p->file),
		.nr_secs = elf_file__nr_secs(p->file),
	};
	int ret = list_sections(p, &secs);

	if (ret)
		return ret;
	obj.secs = secs;
	ret = btf_encoder_locs__encode(p->enc, &obj, out, err);
	free(secs);
	return ret;
}

int produce__encode(struct produce *p, struct btf_chain *base, struct wbuf *out,
		    struct btf_locs_err *err)
{
	bool limited;
	int ret;

	if (p->enc)
		return -EINVAL;
	if (btf_chain__big(base) != elf_file__big(p->file))
		return locs_err__set(err, -EINVAL, "its byte order is not that of its BTF");
	tell_reading(p);
	ret = prepare(p, err);
	if (!ret)
		ret = btf_chain__index(base);
	if (!ret)
		ret = btf_chain__find_twins(base);
	limited = ret == -E2BIG;
	if (ret && !limited)
		return check_same(p, ret, err);
	p->base = base;
	p->enc = btf_encoder_locs__new(base, p->opts.features & LOCS_FEAT_FUNCS);
	if (!p->enc)
		return -ENOMEM;
	if (limited)
		btf_encoder_locs__limit(p->enc, LIMIT_TWINS);
	ret = run(p, encode_main, err);
	/* a worker that has read units could not be started again */
	if (!ret && p->added < p->nr_units)
		ret = -EAGAIN;
	if (!ret)
		ret = write_section(p, out, err);
	ret = check_same(p, ret, err);
	if (!ret)
		p->stats = *btf_encoder_locs__stats(p->enc);
	return ret;
}
