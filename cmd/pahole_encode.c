// SPDX-License-Identifier: GPL-2.0-only
/* pahole_encode.c - the real pahole encodes, we read the DWARF beside it and add ours */
#include "pahole_encode.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../lib/atomic_file.h"
#include "../lib/btf_base.h"
#include "../lib/elf_write.h"
#include "../lib/err.h"
#include "../lib/produce.h"
#include "cut_short.h"
#include "file_ids.h"
#include "out_file.h"
#include "pahole_exec.h"
#include "stable_copy.h"

/*
 * A large object is copied while pahole runs, and the copy is believed if the object's
 * times are still those from before. They are no finer than a few milliseconds. So an
 * object that a run of pahole could read and write in that time is copied before pahole
 * starts, and one that has only just been written is given that time to grow old.
 */
#define COPY_FIRST_MAX	(16 << 20)	/* bytes: some milliseconds to copy */
#define FRESH_MS	30		/* milliseconds since the last change */

#define SPANS_MAX	32
#define SPAN_MIN	(1 << 20)	/* bytes that are worth being left out */

#define JOB_BARE 1	/* no debug info: nothing to do */

/* One object file. */
struct job {
	const char *path;
	struct stat before;		/* the object before pahole started */
	struct stable_copy copy;	/* in place only */
	struct copy_span spans[SPANS_MAX];	/* left out of it */
	size_t nr_spans;
	struct produce *p;
	bool later;			/* not before pahole has finished */
	bool read;			/* read, with @rc */
	int rc;
	struct btf_locs_err err;
};

struct run {
	const struct pahole_args *args;
	struct produce_opts opts;
	struct job *jobs;
	size_t nr;
	struct file_ids inputs;		/* what may not be written over */
	struct btf_base *below;		/* --btf_base, read beside pahole; NULL: it is not */
};

static void complain(const char *path, int rc, const struct btf_locs_err *err)
{
	fprintf(stderr, "pahole-locs: %s%s%s\n", path ? path : "", path ? ": " : "",
		locs_err__text(err, rc));
}

/* Reads the object's DWARF from @path, which may be a copy. */
static void job__read(struct job *j, const struct run *run, const char *path)
{
	j->read = true;
	j->rc = produce__open(path, &run->opts, &j->p, &j->err);
	if (!j->rc)
		j->rc = produce__collect(j->p, &j->err);
}

static int by_start(const void *a, const void *b)
{
	const struct copy_span *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/*
 * What of a linked object is not read: relocations that the linker has kept (--emit-relocs),
 * half of an x86 vmlinux. Asked before pahole starts, which moves them.
 */
static size_t unread_spans(const char *path, struct copy_span spans[SPANS_MAX])
{
	struct elf_file *file;
	struct elf_sec s;
	size_t nr = 0, kept = 0, k;
	uint32_t i;

	if (elf_file__open(path, &file, NULL))
		return 0;
	for (i = 1; i < elf_file__nr_secs(file) && nr < SPANS_MAX; i++)
		if (elf_file__type(file) != ET_REL && !elf_file__sec(file, i, &s) &&
		    (s.type == SHT_RELA || s.type == SHT_REL) && s.size >= SPAN_MIN)
			spans[nr++] = (struct copy_span){ s.off, s.off + s.size };
	elf_file__close(file);
	qsort(spans, nr, sizeof(*spans), by_start);
	for (k = 0; k < nr; k++)
		if (!kept || spans[k].from >= spans[kept - 1].to)
			spans[kept++] = spans[k];
	return kept;
}

/* Whatever keeps us from a copy, the object itself can be read after pahole. */
static void job__copy(struct job *j)
{
	j->later = stable_copy__make_without(j->path, &j->before, j->spans, j->nr_spans,
					     &j->copy) != 0;
}

/*
 * What the objects' .BTF will stand on: vmlinux's takes longer to read than a module's DWARF.
 * Should it fail, job__base() says why.
 */
static void run__read_below(struct run *run)
{
	const char *const bases[] = { run->args->btf_base };
	struct stat base;
	size_t i;

	if (!bases[0] || run->args->detached || stat(bases[0], &base))
		return;
	for (i = 0; i < run->nr; i++)
		if (run->jobs[i].before.st_dev == base.st_dev &&
		    run->jobs[i].before.st_ino == base.st_ino)
			return;		/* pahole is going to write to it */
	if (btf_base__open_below(bases, 1, &run->below, NULL))
		run->below = NULL;
}

/* The producer's thread. Errors wait in the job until pahole has said its own. */
static void *run__read(void *arg)
{
	struct run *run = arg;
	size_t i;

	for (i = 0; i < run->nr; i++) {
		struct job *j = &run->jobs[i];

		if (run->args->detached) {
			job__read(j, run, j->path);
			continue;
		}
		if (!j->later && j->copy.fd < 0)
			job__copy(j);
		if (!j->later)
			job__read(j, run, j->copy.path);
	}
	run__read_below(run);
	return NULL;
}

/* Waits until the object's last change is FRESH_MS ago. */
static void wait_until_old(const struct stat *st)
{
	const struct timespec *then = &st->st_ctim;
	struct timespec now, rest = { 0 };
	long ms = 0;

	clock_gettime(CLOCK_REALTIME, &now);
	if (then->tv_sec < now.tv_sec - 1)
		return;
	if (then->tv_sec <= now.tv_sec)
		ms = (now.tv_sec - then->tv_sec) * 1000 +
		     (now.tv_nsec - then->tv_nsec) / 1000000;
	if (ms >= FRESH_MS)
		return;
	/* a time in the future says nothing: one span, and no more */
	rest.tv_nsec = (ms < 0 ? FRESH_MS : FRESH_MS - ms) * 1000000;
	nanosleep(&rest, NULL);
}

/* Before pahole starts. */
static void run__copy_first(struct run *run)
{
	size_t i;

	for (i = 0; i < run->nr && !run->args->detached; i++) {
		struct job *j = &run->jobs[i];

		if (stat(j->path, &j->before))
			j->later = true;
		else if (j->before.st_size <= COPY_FIRST_MAX)
			job__copy(j);
		else if (!j->before.st_ctim.tv_nsec)
			j->later = true;	/* a file system of whole seconds */
		else
			wait_until_old(&j->before);
		if (!j->later && j->copy.fd < 0)
			j->nr_spans = unread_spans(j->path, j->spans);
	}
}

/*
 * The BTF of job @i as pahole left it. @file: the object, NULL if the BTF is detached.
 * @err's line names the file.
 */
static int job__base(const struct run *run, size_t i, const char *name,
		     struct elf_file *file, struct btf_base **base,
		     struct btf_locs_err *err)
{
	const char *bases[2];
	struct elf_sec sec;
	/* of several, pahole put its types into the first */
	bool elsewhere = i && file && elf_file__sec_by_name(file, ".BTF", &sec);
	size_t nr = 0;

	if (run->below && !elsewhere)
		return btf_base__open_on(name, file, run->below, base, err);
	if (run->args->btf_base)
		bases[nr++] = run->args->btf_base;
	if (run->args->detached)
		bases[nr++] = run->args->detached;
	else if (elsewhere)
		bases[nr++] = run->jobs[0].path;
	return btf_base__open(name, file, bases, nr, base, err);
}

static void job__close(struct job *j)
{
	produce__close(j->p);
	stable_copy__close(&j->copy);
	j->p = NULL;
}

/* After pahole: the DWARF read, if it is not yet, and the section's bytes. */
static int job__encode(const struct run *run, size_t i, const char *name,
		       struct wbuf *bytes)
{
	struct job *j = &run->jobs[i];
	struct btf_base *base = NULL;
	struct elf_file *file = NULL;
	const char *about = j->path;
	bool bare;
	int rc;

	if (!j->read)
		job__read(j, run, j->path);
	rc = j->rc;
	/* an object without debug info is pahole's business alone */
	bare = rc == -ENODATA && !j->p;
	if (!rc && !run->args->detached)
		rc = elf_file__open(j->path, &file, &j->err);
	if (rc)
		goto out;
	about = NULL;
	rc = job__base(run, i, name, file, &base, &j->err);
	if (rc)
		goto out;
	about = j->path;
	rc = produce__encode(j->p, btf_base__chain(base), bytes, &j->err);
	if (!rc && run->args->verbose)
		locs_stats__print(produce__stats(j->p), stderr);
out:
	if (rc && !bare)
		complain(about, rc, &j->err);
	btf_base__close(base);
	elf_file__close(file);
	return bare ? JOB_BARE : rc;
}

/* The object's new copy, made on a thread while what was read is given back. */
struct writer {
	const char *path;
	struct elf_write *w;
	pthread_t thread;
	bool running;
	int rc;
	struct btf_locs_err err;
};

static void *writer__main(void *arg)
{
	struct writer *wr = arg;

	wr->rc = elf_write__begin(wr->path, LOCS_SECTION, &wr->w, &wr->err);
	return NULL;
}

static void writer__begin(struct writer *wr, const char *path)
{
	wr->path = path;
	wr->running = !pthread_create(&wr->thread, NULL, writer__main, wr);
	if (!wr->running)
		writer__main(wr);
}

static void writer__wait(struct writer *wr)
{
	if (wr->running)
		pthread_join(wr->thread, NULL);
	wr->running = false;
}

static int writer__end(struct writer *wr, const struct wbuf *bytes,
		       struct btf_locs_err *err)
{
	/* there was no room beside the copy that the DWARF was read from; that is gone now */
	if (wr->rc == -ENOSPC || wr->rc == -EDQUOT) {
		writer__main(wr);
	}
	if (wr->rc) {
		*err = wr->err;
		return wr->rc;
	}
	return elf_write__end(wr->w, bytes->data, bytes->len, err);
}

/* @name: of the file that is written. 0 or 2, the error printed. */
static int job__finish(const struct run *run, size_t i, const char *name)
{
	struct job *j = &run->jobs[i];
	struct writer writer = { 0 };
	struct wbuf bytes = { 0 };
	bool early;
	int rc;

	/* at once where memory is no matter; never for one that is known to stay as it is */
	early = !run->args->detached && j->read && !j->rc &&
		j->before.st_size <= COPY_FIRST_MAX;
	if (early)
		writer__begin(&writer, name);
	rc = job__encode(run, i, name, &bytes);
	if (!run->args->detached && !rc && !early)
		writer__begin(&writer, name);
	/* gives back the copy's memory while the object is copied once more */
	job__close(j);
	writer__wait(&writer);
	if (rc) {
		elf_write__abort(writer.w);
		goto out;
	}
	if (run->args->detached)
		rc = out_file__write(name, &run->inputs, bytes.data, bytes.len, &j->err);
	else
		rc = writer__end(&writer, &bytes, &j->err);
	if (rc)
		complain(name, rc, &j->err);
	else if (run->args->verbose)
		fprintf(stderr, "%s: %zu bytes of " LOCS_SECTION "\n", name, bytes.len);
out:
	wbuf__free(&bytes);
	return rc && rc != JOB_BARE ? 2 : 0;
}

static int run__init(struct run *run, const struct pahole_args *args,
		     const struct pahole_real_info *real)
{
	const char *env = getenv(PAHOLE_ENV_LANG);
	size_t i;

	*run = (struct run){
		.args = args,
		.nr = args->nr_files,
		.opts = {
			.sz = sizeof(run->opts),
			.features = args->features,
			.jobs = args->jobs,
			.lang = args->lang_excludes ? NULL : args->lang,
			.lang_exclude = args->lang_excludes ? args->lang : NULL,
			.reading = cut_short__reading,
		},
	};
	if (!args->lang && env && real->version >= PAHOLE_V_LANG_ENV)
		run->opts.lang_exclude = env;
	run->jobs = calloc(run->nr, sizeof(*run->jobs));
	if (!run->jobs)
		return -ENOMEM;
	for (i = 0; i < run->nr; i++) {
		run->jobs[i].path = args->files[i];
		run->jobs[i].copy.fd = -1;
	}
	return 0;
}

/* What is read, or pahole's own: ours is not written over it. */
static int run__list_inputs(struct run *run)
{
	const char *const others[] = { run->args->detached, run->args->btf_base };
	int rc = file_ids__add(&run->inputs, run->args->files, run->nr);
	size_t i;

	for (i = 0; i < 2 && !rc; i++)
		if (others[i])
			rc = file_ids__add(&run->inputs, &others[i], 1);
	return rc;
}

/* Each file by itself: one that fails does not keep the others from theirs. */
static int run__finish(struct run *run)
{
	char *detached = NULL;
	int status = 0;
	size_t i;

	if (run->args->detached &&
	    asprintf(&detached, "%s" LOCS_SUFFIX, run->args->detached) < 0)
		return -ENOMEM;
	status = run__list_inputs(run);
	if (status) {
		free(detached);
		return status;
	}
	for (i = 0; i < run->nr; i++)
		atomic_file__sweep(detached ? detached : run->jobs[i].path);
	for (i = 0; i < run->nr; i++) {
		if (job__finish(run, i, detached ? detached : run->jobs[i].path))
			status = 2;
	}
	free(detached);
	return status;
}

int pahole_encode(const struct pahole_args *args, const struct pahole_real_info *real,
		  char *const *argv)
{
	struct btf_locs_err err = { "" };
	bool threaded = false;
	pthread_t thread;
	struct run run;
	int rc, status;
	size_t i;
	pid_t pid;

	rc = run__init(&run, args, real);
	if (rc)
		goto out;
	cut_short__handle("pahole-locs");
	run__copy_first(&run);
	rc = pahole_real__start(argv, &pid, &err);
	if (rc)
		goto out;
	cut_short__child_runs(pid);
	/* without a thread everything is read afterwards */
	threaded = !pthread_create(&thread, NULL, run__read, &run);
	rc = pahole_real__wait(pid, &err);
	cut_short__child_ended(rc < 0 ? 2 : rc);
	if (threaded)
		pthread_join(thread, NULL);
	if (!rc)
		rc = run__finish(&run);
out:
	status = rc;
	if (rc < 0) {
		complain(NULL, rc, &err);
		status = 2;
	}
	for (i = 0; run.jobs && i < run.nr; i++)
		job__close(&run.jobs[i]);
	btf_base__close(run.below);
	file_ids__free(&run.inputs);
	free(run.jobs);
	return status;
}
