// SPDX-License-Identifier: GPL-2.0-only
/* encode_many.c - many objects in one process, which share the base and the workers */
#include "encode_many.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "progress.h"

struct by_size {
	struct encode_one *one;
	uint64_t size;
};

struct pool {
	const struct encode_run *run;
	struct by_size *order;
	size_t nr;

	pthread_mutex_t lock;	/* what follows */
	size_t next;
	struct progress progress;
};

/* The largest first, so that none is left for one worker alone; else as they were given. */
static int largest_first(const void *pa, const void *pb)
{
	const struct by_size *a = pa, *b = pb;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return (a->one > b->one) - (a->one < b->one);
}

static struct by_size *sorted(struct encode_one *ones, size_t nr)
{
	struct by_size *order = calloc(nr, sizeof(*order));
	struct stat st;
	size_t i;

	for (i = 0; order && i < nr; i++) {
		order[i].one = &ones[i];
		order[i].size = stat(ones[i].path, &st) ? 0 : st.st_size;
	}
	if (order)
		qsort(order, nr, sizeof(*order), largest_first);
	return order;
}

static void *worker_main(void *arg)
{
	struct pool *pool = arg;
	struct encode_one *one = NULL;

	for (;;) {
		pthread_mutex_lock(&pool->lock);
		if (one)
			progress__step(&pool->progress, one->path);
		one = pool->next < pool->nr ? pool->order[pool->next++].one : NULL;
		pthread_mutex_unlock(&pool->lock);
		if (!one)
			return NULL;
		encode_one__run(pool->run, one);
	}
}

int encode_many__run(const struct encode_run *run, struct encode_one *ones, size_t nr,
		     unsigned int jobs, bool quiet)
{
	struct encode_run each = *run;
	struct pool pool = { .run = &each, .nr = nr };
	size_t i, workers, started = 0;
	pthread_t *threads;

	jobs = produce__jobs(jobs);
	workers = jobs < nr ? jobs : nr;
	/* more workers than objects: several to each */
	each.opts.jobs = workers ? jobs / workers : 1;
	pool.order = sorted(ones, nr);
	threads = calloc(workers + 1, sizeof(*threads));
	if (!pool.order || !threads) {
		free(pool.order);
		free(threads);
		return -ENOMEM;
	}
	pthread_mutex_init(&pool.lock, NULL);
	progress__begin(&pool.progress, nr, quiet);
	/* the first worker is the caller; fewer than asked for do the same work */
	while (started + 1 < workers &&
	       !pthread_create(&threads[started], NULL, worker_main, &pool))
		started++;
	worker_main(&pool);
	for (i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	progress__end(&pool.progress);
	pthread_mutex_destroy(&pool.lock);
	free(pool.order);
	free(threads);
	return 0;
}
