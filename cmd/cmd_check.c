// SPDX-License-Identifier: GPL-2.0-only
/* cmd_check.c - btflocs check: is the section sound? */
#include <errno.h>

#include "../lib/print_json.h"
#include "cmd.h"

static uint64_t count_recs(const struct btf_locs *locs)
{
	struct btf_locs_sec sec;
	uint64_t nr = 0;
	uint32_t i;

	for (i = 0; !btf_locs__sec(locs, i, &sec); i++)
		nr += sec.nr_recs;
	return nr;
}

static int print_json(const struct cmd_opts *opts, const char *file,
		      const struct btf_locs *locs, const struct btf_locs_err *err)
{
	struct outbuf o;
	struct jobj j;

	if (cmd__out_init(&o))
		return CMD_TROUBLE;
	jobj__init(&j);
	jobj__str(&j, "file", file);
	jobj__bool(&j, "sound", locs);
	if (locs) {
		jobj__num(&j, "types", btf_locs__nr_types(locs) -
				       btf_locs__first_type(locs));
		jobj__num(&j, "records", count_recs(locs));
	} else {
		jobj__str(&j, "error", err->text);
	}
	if (jobj__print(&j, &o, opts->pretty)) {
		outbuf__free(&o);
		return cmd__error("out of memory");
	}
	outbuf__char(&o, '\n');
	return cmd__out_end(&o, locs ? CMD_YES : CMD_NO);
}

static int print_sound(const struct cmd_opts *opts, const char *file,
		       const struct btf_locs *locs)
{
	struct outbuf o;

	if (opts->quiet)
		return CMD_YES;
	if (cmd__out_init(&o))
		return CMD_TROUBLE;
	outbuf__str(&o, file);
	outbuf__printf(&o, ": sound, %u types, %llu records\n",
		       btf_locs__nr_types(locs) - btf_locs__first_type(locs),
		       (unsigned long long)count_recs(locs));
	return cmd__out_end(&o, CMD_YES);
}

int cmd_check(const struct cmd_opts *opts, int argc, char **argv)
{
	struct btf_locs_err err = { "" };
	struct btf_locs_open_opts open = {
		.sz = sizeof(open),
		.bases = opts->bases,
		.nr_bases = opts->nr_bases,
		.err = &err,
	};
	struct btf_locs *locs = NULL;
	int ret;

	(void)argc;
	ret = btf_locs__open(argv[0], &open, &locs);
	if (ret) {
		if (!opts->quiet || (ret != -EBADMSG && ret != -ESTALE))
			cmd__error("%s", err.text);
		if (ret != -EBADMSG && ret != -ESTALE)
			return CMD_TROUBLE;
	}
	if (opts->json)
		ret = print_json(opts, argv[0], locs, &err);
	else
		ret = ret ? CMD_NO : print_sound(opts, argv[0], locs);
	btf_locs__close(locs);
	return ret;
}
