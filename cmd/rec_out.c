// SPDX-License-Identifier: GPL-2.0-only
/* rec_out.c - records on stdout, as lines or as a JSON array of one record a line */
#include "rec_out.h"

#include <string.h>

#include "../lib/print_json.h"
#include "../lib/print_text.h"

int rec_out__init(struct rec_out *r, const struct cmd_opts *opts,
		  const struct btf_locs *locs)
{
	r->opts = opts;
	r->locs = locs;
	r->nr = 0;
	return cmd__out_init(&r->o);
}

static int rec_out__json(struct rec_out *r, const struct btf_locs_rec *rec)
{
	outbuf__str(&r->o, r->nr ? ",\n" : "[\n");
	return print_json__rec(&r->o, r->locs, rec, r->opts->pretty);
}

int rec_out__rec(struct rec_out *r, uint32_t sec, uint32_t rec)
{
	struct btf_locs_rec view;
	int ret;

	ret = btf_locs__rec(r->locs, sec, rec, &view);
	if (ret)
		return ret;
	if (r->opts->json)
		ret = rec_out__json(r, &view);
	else
		ret = print_text__rec(&r->o, r->locs, &view);
	r->nr++;
	return ret ? ret : r->o.err;
}

int rec_out__end(struct rec_out *r, int err)
{
	int status = r->nr ? CMD_YES : CMD_NO;

	if (err && !r->o.err)
		status = cmd__error("cannot print: %s", strerror(-err));
	else if (r->opts->json)
		outbuf__str(&r->o, r->nr ? "\n]\n" : "[]\n");
	return cmd__out_end(&r->o, status);
}
