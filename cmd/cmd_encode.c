// SPDX-License-Identifier: GPL-2.0-only
/* cmd_encode.c - btflocs encode: write the section from FILE's DWARF and its BTF */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../lib/btf_base.h"
#include "../lib/elf_write.h"
#include "../lib/produce.h"
#include "cmd.h"
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

static int complain(const char *path, int rc, const struct btf_locs_err *err)
{
	return cmd__error("%s: %s", path, *err->text ? err->text : strerror(-rc));
}

/* One object: the section's bytes, then into @out or into the object. */
static int encode_file(const struct cmd_opts *opts, const struct produce_opts *popts,
		       const char *path)
{
	struct btf_locs_err err = { "" }, base_err = { "" };
	struct btf_base *base = NULL;
	struct produce *p = NULL;
	struct wbuf bytes;
	int rc, status = CMD_YES;

	wbuf__init(&bytes, false);
	rc = produce__open(path, popts, &p, &err);
	if (rc == -ENODATA && !*err.text)
		snprintf(err.text, sizeof(err.text), "no debug info");
	if (rc) {
		status = complain(path, rc, &err);
		goto out;
	}
	rc = btf_base__open(path, produce__file(p), opts->bases, opts->nr_bases, &base,
			    &base_err);
	if (rc) {
		/* the line names the file itself */
		status = *base_err.text ? cmd__error("%s", base_err.text) :
					  complain(path, rc, &err);
		goto out;
	}
	rc = produce__encode(p, btf_base__chain(base), &bytes, &err);
	if (!rc)
		rc = opts->out ? file__write(opts->out, bytes.data, bytes.len, &err) :
				 elf_write__section(path, LOCS_SECTION, bytes.data, bytes.len,
						    &err);
	if (rc) {
		status = complain(opts->out && bytes.len ? opts->out : path, rc, &err);
		goto out;
	}
	if (opts->verbose) {
		fprintf(stderr, "%s: %zu bytes\n", path, bytes.len);
		locs_stats__print(produce__stats(p), stderr);
	}
out:
	wbuf__free(&bytes);
	produce__close(p);
	btf_base__close(base);
	return status;
}

int cmd_encode(const struct cmd_opts *opts, int argc, char **argv)
{
	struct produce_opts popts = {
		.sz = sizeof(popts), .jobs = opts->jobs, .lang = opts->lang,
		.lang_exclude = opts->lang_exclude,
	};
	int i, status = parse_features(opts->features, &popts.features);

	if (status)
		return status;
	if (opts->out && argc > 1)
		return cmd__error("-o takes one FILE, not %d", argc);
	for (i = 0; i < argc; i++)
		if (encode_file(opts, &popts, argv[i]))
			status = CMD_TROUBLE;
	return status;
}
