// SPDX-License-Identifier: GPL-2.0-only
/* cmd_dump.c - btflocs dump: every type and record of the section */
#include <errno.h>
#include <string.h>

#include "../lib/print_json.h"
#include "../lib/print_text.h"
#include "cmd.h"

static int dump_text(const struct btf_locs *locs, struct outbuf *o)
{
	uint32_t id;
	int ret = 0;

	for (id = btf_locs__first_type(locs); id < btf_locs__nr_types(locs); id++) {
		ret = print_text__type(o, locs, id);
		if (ret || o->err)
			break;
	}
	return ret;
}

/* The LOCSEC that has type id @id: its number, or -1. */
static int64_t locsec__by_id(const struct btf_locs *locs, uint32_t *next, uint32_t id)
{
	struct btf_locs_sec sec;

	/* they ascend, as the ids that are asked for do */
	if (btf_locs__sec(locs, *next, &sec) || sec.type_id != id)
		return -1;
	return (*next)++;
}

static int dump_json_locsec(const struct cmd_opts *opts, const struct btf_locs *locs,
			    uint32_t id, uint32_t sec, struct outbuf *o)
{
	struct btf_locs_rec rec;
	uint32_t i;
	int ret;

	ret = print_json__type_open(o, locs, id);
	outbuf__str(o, ",\"records\":[");
	for (i = 0; !ret && !o->err && !btf_locs__rec(locs, sec, i, &rec); i++) {
		outbuf__str(o, i ? ",\n" : "\n");
		print_json__locsec_rec(o, &rec, opts->pretty);
	}
	outbuf__str(o, "\n]}");
	return ret;
}

static int dump_json(const struct cmd_opts *opts, const struct btf_locs *locs,
		     struct outbuf *o)
{
	uint32_t id, first = btf_locs__first_type(locs), next = 0;
	int64_t sec;
	int ret;

	outbuf__str(o, "{\"types\":[");
	for (id = first; id < btf_locs__nr_types(locs) && !o->err; id++) {
		outbuf__str(o, id > first ? ",\n" : "\n");
		sec = locsec__by_id(locs, &next, id);
		if (sec >= 0)
			ret = dump_json_locsec(opts, locs, id, sec, o);
		else
			ret = print_json__type(o, locs, id, opts->pretty);
		if (ret)
			return ret;
	}
	outbuf__str(o, "\n]}\n");
	return 0;
}

int cmd_dump(const struct cmd_opts *opts, int argc, char **argv)
{
	struct btf_locs *locs;
	struct outbuf o;
	int ret, status = CMD_YES;

	(void)argc;
	if (cmd__open(opts, argv[0], &locs))
		return CMD_TROUBLE;
	if (cmd__out_init(&o)) {
		btf_locs__close(locs);
		return CMD_TROUBLE;
	}
	ret = opts->json ? dump_json(opts, locs, &o) : dump_text(locs, &o);
	if (ret)
		status = cmd__error("%s: cannot print: %s", argv[0], strerror(-ret));
	btf_locs__close(locs);
	return cmd__out_end(&o, status);
}
