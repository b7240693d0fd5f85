// SPDX-License-Identifier: GPL-2.0-only
/* cmd_encode.c - btflocs encode: write the section from FILE's DWARF and its BTF */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "../lib/atomic_file.h"
#include "../lib/locs_format.h"
#include "../lib/locs_name.h"
#include "cmd.h"
#include "cut_short.h"
#include "encode_many.h"
#include "file_ids.h"
#include "kernel_release.h"
#include "pahole_features.h"

/* Names in --features; an unknown one is an error. */
static int parse_features(const char *list, unsigned int *features)
{
	const char *rest = list;
	struct feature_name n;
	unsigned int ours;

	*features = 0;
	while (list && feature_list__next(&rest, &n)) {
		ours = feature__ours(&n);
		if (!ours)
			return cmd__error("unknown feature '%.*s'", (int)n.len, n.s);
		*features |= ours;
	}
	return list && !*features ? cmd__error("--features: no feature") : CMD_YES;
}

static void print_verbose(const struct encode_one *one)
{
	fprintf(stderr, "%s: %zu bytes\n", one->path, one->bytes);
	locs_stats__print(&one->stats, stderr);
}

static int encode_single(const struct cmd_opts *opts, const struct encode_run *run,
			 struct encode_one *one)
{
	encode_one__run(run, one);
	if (one->rc)
		return cmd__error("%s", one->error);
	if (opts->verbose)
		print_verbose(one);
	return CMD_YES;
}

/* What was done, in one line, and what failed before it, a line each. */
static int print_summary(const struct cmd_opts *opts, const struct encode_one *ones, size_t nr)
{
	struct locs_stats sum = { 0 };
	uint64_t described, bytes = 0;
	size_t i, failed = 0;
	struct outbuf o;
	int status;

	for (i = 0; i < nr; i++) {
		if (ones[i].rc) {
			cmd__error("%s", ones[i].error);
			failed++;
			continue;
		}
		locs_stats__add(&sum, &ones[i].stats);
		bytes += ones[i].bytes;
	}
	status = !failed ? CMD_YES : failed < nr ? CMD_NO : CMD_TROUBLE;
	if (opts->verbose)
		locs_stats__print(&sum, stderr);
	if (opts->quiet)
		return status;
	if (cmd__out_init(&o))
		return CMD_TROUBLE;
	/* of which the DWARF says something at the entry */
	described = sum.params - sum.none[LOC_NO_CHILD] - sum.none[LOC_NO_ATTR] -
		    sum.none[LOC_NOT_AT_ENTRY];
	outbuf__printf(&o, "%zu files: %zu encoded, %zu failed; %" PRIu64 " sites, %" PRIu64
		       " functions, %.1f %% of the described parameters located; %" PRIu64
		       " bytes\n", nr, nr - failed, failed, sum.sites, sum.recs[BTF_LOCS_FUNC],
		       described ? 100.0 * sum.none[LOC_OK] / described : 0.0, bytes);
	return cmd__out_end(&o, status);
}

static int encode_several(const struct cmd_opts *opts, const struct encode_run *run,
			  struct encode_one *ones, size_t nr)
{
	struct btf_locs_err err = { "" };
	struct encode_run shared = *run;
	struct btf_base *below;
	size_t i;
	int rc;

	rc = btf_base__open_below(run->bases, run->nr_bases, &below, &err);
	if (rc)
		return cmd__error("%s", locs_err__text(&err, rc));
	shared.below = below;
	rc = encode_many__run(&shared, ones, nr, opts->jobs, opts->quiet);
	btf_base__close(below);
	if (rc)
		return cmd__error("%s", locs_err__text(&err, rc));
	for (i = 0; opts->verbose && i < nr; i++)
		if (!ones[i].rc)
			print_verbose(&ones[i]);
	return print_summary(opts, ones, nr);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* FOLDER/NAME.func_info, malloc'ed, for the object .../NAME or .../NAME.xz. */
static char *out_in_folder(const char *folder, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char *out;

	if (asprintf(&out, "%s/%.*s" LOCS_SUFFIX, folder, (int)locs_path__unpacked(name),
		     name) < 0)
		return NULL;
	return out;
}

static int by_out(const void *pa, const void *pb)
{
	return strcmp(*(char *const *)pa, *(char *const *)pb);
}

/* A file of its own for each; none may be that of two. */
static int outs__name(const struct cmd_opts *opts, char **outs, char **paths, size_t nr)
{
	char **order = calloc(nr, sizeof(*order));
	int status = order ? CMD_YES : cmd__error("out of memory");
	size_t i;

	for (i = 0; i < nr && !status; i++) {
		outs[i] = out_in_folder(opts->out, paths[i]);
		if (!outs[i])
			status = cmd__error("out of memory");
		else
			order[i] = outs[i];
	}
	if (!status)
		qsort(order, nr, sizeof(*order), by_out);
	for (i = 1; i < nr && !status; i++)
		if (!strcmp(order[i - 1], order[i]))
			status = cmd__error("%s: two FILEs would be written there", order[i]);
	free(order);
	return status;
}

/* Of the kernel that modules are taken to be of. */
static int base_release(const struct cmd_opts *opts, char release[RELEASE_SIZE])
{
	struct utsname running;

	release[0] = '\0';
	if (opts->nr_bases && kernel_release__of_vmlinux(opts->bases[0], release))
		return cmd__error("out of memory");
	if (!opts->nr_bases && !uname(&running))
		snprintf(release, RELEASE_SIZE, "%s", running.release);
	return CMD_YES;
}

/*
 * What is read: two workers must not write one of @paths, nor the sum count it twice; and nothing
 * of it may be written over. @ids: to be freed in any case.
 */
static int inputs__list(const struct cmd_opts *opts, char **paths, size_t nr,
			struct file_ids *ids)
{
	static const char *const kernel[] = { KERNEL_BTF };
	const struct file_id *twice;
	int ret;

	ret = file_ids__add(ids, (const char *const *)paths, nr);
	twice = file_ids__twice(ids);
	if (twice)
		return cmd__error("%s: is named twice, as %s too", twice[1].path, twice->path);
	if (!ret)
		ret = opts->nr_bases ? file_ids__add(ids, opts->bases, opts->nr_bases) :
				       file_ids__add(ids, kernel, 1);
	return ret ? cmd__error("out of memory") : CMD_YES;
}

/* What runs that were killed have left in the folders that are written to. */
static void folders__sweep(const struct encode_one *ones, size_t nr)
{
	const char *path, *slash, *last = "";
	size_t i, len, last_len = SIZE_MAX;

	for (i = 0; i < nr; i++) {
		path = ones[i].out ? ones[i].out : ones[i].path;
		slash = strrchr(path, '/');
		len = slash ? (size_t)(slash - path) : 0;
		if (len != last_len || strncmp(path, last, len))
			atomic_file__sweep(path);
		last = path;
		last_len = len;
	}
}

int cmd_encode(const struct cmd_opts *opts, int argc, char **argv)
{
	struct encode_run run = {
		.opts = {
			.sz = sizeof(run.opts), .jobs = opts->jobs, .lang = opts->lang,
			.lang_exclude = opts->lang_exclude,
			.reading = cut_short__reading,
		},
		.bases = opts->bases, .nr_bases = opts->nr_bases,
	};
	bool folder = opts->out && is_folder(opts->out);
	struct file_ids inputs = { NULL, 0 };
	char release[RELEASE_SIZE];
	struct encode_one *ones;
	char **outs;
	int i, status = parse_features(opts->features, &run.opts.features);

	if (status)
		return status;
	if (opts->out && argc > 1 && !folder)
		return cmd__error("-o %s: with %d FILEs it must be a folder that is there",
				  opts->out, argc);
	ones = calloc(argc, sizeof(*ones));
	outs = calloc(argc, sizeof(*outs));
	if (!ones || !outs)
		status = cmd__error("out of memory");
	if (!status && folder)
		status = outs__name(opts, outs, argv, argc);
	for (i = 0; i < argc && !status; i++) {
		ones[i].path = argv[i];
		ones[i].out = folder ? outs[i] : opts->out;
	}
	if (!status)
		status = base_release(opts, release);
	run.release = release;
	run.inputs = &inputs;
	if (!status)
		status = inputs__list(opts, argv, argc, &inputs);
	if (!status) {
		cut_short__handle("btflocs");
		folders__sweep(ones, argc);
	}
	if (!status)
		status = argc == 1 ? encode_single(opts, &run, ones) :
				     encode_several(opts, &run, ones, argc);
	for (i = 0; outs && i < argc; i++)
		free(outs[i]);
	file_ids__free(&inputs);
	free(outs);
	free(ones);
	return status;
}
