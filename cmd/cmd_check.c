// SPDX-License-Identifier: GPL-2.0-only
/* cmd_check.c - btflocs check: are the sections sound? */
#include <errno.h>

#include "../lib/json_out.h"
#include "cmd.h"

/* What is printed: a line a file, or JSON: an object, of several an array of them. */
struct check_out {
	const struct cmd_opts *opts;
	struct outbuf o;
	bool several;
	size_t nr;		/* objects printed */
};

static uint64_t count_recs(const struct btf_locs *locs)
{
	struct btf_locs_sec sec;
	uint64_t nr = 0;
	uint32_t i;

	for (i = 0; !btf_locs__sec(locs, i, &sec); i++)
		nr += sec.nr_recs;
	return nr;
}

/* @locs: NULL where it is not sound, for the reason @why. */
static void print_json(struct check_out *c, const char *file, const struct btf_locs *locs,
		       const char *why)
{
	struct jobj j;

	if (c->several)
		outbuf__str(&c->o, c->nr ? ",\n" : "[\n");
	c->nr++;
	jobj__begin(&j, &c->o, c->opts->pretty);
	jobj__str(&j, "file", file);
	jobj__bool(&j, "sound", locs);
	if (locs) {
		jobj__num(&j, "types", btf_locs__nr_types(locs) -
				       btf_locs__first_type(locs));
		jobj__num(&j, "records", count_recs(locs));
	} else {
		jobj__str(&j, "error", why);
	}
	jobj__end(&j);
}

static void print_sound(struct check_out *c, const char *file, const struct btf_locs *locs)
{
	outbuf__str(&c->o, file);
	outbuf__printf(&c->o, ": sound, %u types, %llu records\n",
		       btf_locs__nr_types(locs) - btf_locs__first_type(locs),
		       (unsigned long long)count_recs(locs));
}

static int check(struct check_out *c, const char *file)
{
	const struct cmd_opts *opts = c->opts;
	struct btf_locs *locs = NULL;
	char why[CMD_WHY];
	bool unsound;
	int ret;

	ret = cmd__try_open(opts, file, &locs, why);
	unsound = ret == -EBADMSG || ret == -ESTALE;
	if (ret && (!opts->quiet || !unsound))
		cmd__error("%s", why);
	if (ret && !unsound)
		return CMD_TROUBLE;
	ret = unsound ? CMD_NO : CMD_YES;
	if (opts->json) {
		print_json(c, file, locs, why);
	} else if (locs && !opts->quiet) {
		print_sound(c, file, locs);
	}
	btf_locs__close(locs);
	return ret;
}

int cmd_check(const struct cmd_opts *opts, int argc, char **argv)
{
	struct btf_locs_err err = { "" };
	struct btf_locs_base *base = NULL;
	struct cmd_opts shared = *opts;
	struct check_out c = { .opts = &shared, .several = argc > 1 };
	int i, ret, status = CMD_YES;

	ret = c.several ? btf_locs__open_base(opts->bases, opts->nr_bases, &err, &base) : 0;
	if (ret)
		return cmd__error("%s", locs_err__text(&err, ret));
	shared.base = base;
	if (cmd__out_init(&c.o)) {
		btf_locs__close_base(base);
		return CMD_TROUBLE;
	}
	for (i = 0; i < argc; i++) {
		ret = check(&c, argv[i]);
		status = ret > status ? ret : status;
	}
	if (opts->json && c.several)
		outbuf__str(&c.o, c.nr ? "\n]\n" : "[]\n");
	else if (opts->json && c.nr)
		outbuf__char(&c.o, '\n');
	btf_locs__close_base(base);
	return cmd__out_end(&c.o, status);
}
