// SPDX-License-Identifier: GPL-2.0-only
/* rec_out.c - records on stdout, as lines or as a JSON array of one record a line */
#include "rec_out.h"

#include <errno.h>
#include <string.h>

#include "../lib/print_json.h"
#include "../lib/print_text.h"

int rec_out__init(struct rec_out *r, const struct cmd_opts *opts, const char *file,
		  const struct btf_locs *locs)
{
	*r = (struct rec_out) { .opts = opts, .file = file, .locs = locs };
	return cmd__out_init(&r->o);
}

static int rec_out__json(struct rec_out *r, const struct btf_locs_rec *rec)
{
	outbuf__str(&r->o, r->nr ? ",\n" : "[\n");
	return print_json__rec(&r->o, r->locs, rec, r->opts->pretty);
}

/* Whole, or nothing of it. */
static int rec_out__whole(struct rec_out *r, uint32_t sec, uint32_t rec)
{
	struct btf_locs_rec view;
	int ret;

	ret = btf_locs__rec(r->locs, sec, rec, &view);
	if (ret)
		return ret;
	outbuf__hold(&r->o);
	ret = r->opts->json ? rec_out__json(r, &view) : print_text__rec(&r->o, r->locs, &view);
	if (ret)
		outbuf__take_back(&r->o);
	outbuf__release(&r->o);
	return ret ? ret : r->o.err;
}

int rec_out__rec(struct rec_out *r, uint32_t sec, uint32_t rec)
{
	struct btf_locs_sec s = { 0 };
	int ret = rec_out__whole(r, sec, rec);

	if (!ret)
		r->nr++;
	if (ret != -EINVAL)
		return ret;
	btf_locs__sec(r->locs, sec, &s);
	cmd__error("%s: record %u of type %u, a LOCSEC, cannot be printed: it has what is no "
		   "type of a value", r->file, rec, s.type_id);
	r->nr_bad++;
	return 0;
}

int rec_out__end(struct rec_out *r, int err)
{
	int status = r->nr_bad ? CMD_TROUBLE : r->nr ? CMD_YES : CMD_NO;

	if (err && !r->o.err)
		status = cmd__error("%s: cannot print: %s", r->file, strerror(-err));
	else if (r->opts->json)
		outbuf__str(&r->o, r->nr ? "\n]\n" : "[]\n");
	return cmd__out_end(&r->o, status);
}
