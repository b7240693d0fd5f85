// SPDX-License-Identifier: GPL-2.0-only
/* cmd_dump.c - btflocs dump: every type and record of the section */
#include <errno.h>
#include <string.h>

#include "../lib/print_json.h"
#include "../lib/print_text.h"
#include "cmd.h"

struct dump {
	const struct cmd_opts *opts;
	const struct btf_locs *locs;
	const char *file;
	struct outbuf o;
	uint32_t next;		/* LOCSEC */
	bool begun;		/* a type has been printed */
	bool bad;		/* one could not be */
};

/* The LOCSEC that has type id @id: its number, or -1. */
static int64_t locsec__by_id(struct dump *d, uint32_t id)
{
	struct btf_locs_sec sec;

	/* they ascend, as the ids that are asked for do */
	if (btf_locs__sec(d->locs, d->next, &sec) || sec.type_id != id)
		return -1;
	return d->next++;
}

static int dump_json_locsec(struct dump *d, uint32_t id, uint32_t sec)
{
	struct outbuf *o = &d->o;
	struct btf_locs_rec rec;
	uint32_t i;
	int ret;

	ret = print_json__type_open(o, d->locs, id);
	outbuf__str(o, ",\"records\":[");
	for (i = 0; !ret && !o->err && !btf_locs__rec(d->locs, sec, i, &rec); i++) {
		outbuf__str(o, i ? ",\n" : "\n");
		print_json__locsec_rec(o, &rec, d->opts->pretty);
	}
	outbuf__str(o, "\n]}");
	return ret;
}

static int dump_type(struct dump *d, uint32_t id, int64_t sec)
{
	if (!d->opts->json)
		return print_text__type(&d->o, d->locs, id);
	outbuf__str(&d->o, d->begun ? ",\n" : "\n");
	return sec >= 0 ? dump_json_locsec(d, id, sec) :
			  print_json__type(&d->o, d->locs, id, d->opts->pretty);
}

/* Whole, or named on stderr; but a LOCSEC has as many records as a kernel has sites. */
static int dump_whole(struct dump *d, uint32_t id)
{
	int64_t sec = locsec__by_id(d, id);
	int ret;

	if (sec < 0)
		outbuf__hold(&d->o);
	ret = dump_type(d, id, sec);
	if (ret)
		outbuf__take_back(&d->o);
	outbuf__release(&d->o);
	if (ret == -EINVAL && sec < 0) {
		cmd__error("%s: type %u cannot be printed", d->file, id);
		d->bad = true;
		return 0;
	}
	d->begun = true;
	return ret ? ret : d->o.err;
}

static int dump(struct dump *d)
{
	uint32_t id;
	int ret = 0;

	if (d->opts->json)
		outbuf__str(&d->o, "{\"types\":[");
	for (id = btf_locs__first_type(d->locs); !ret && id < btf_locs__nr_types(d->locs); id++)
		ret = dump_whole(d, id);
	if (d->opts->json && !ret)
		outbuf__str(&d->o, "\n]}\n");
	return ret;
}

int cmd_dump(const struct cmd_opts *opts, int argc, char **argv)
{
	struct dump d = { .opts = opts, .file = argv[0] };
	struct btf_locs *locs;
	int ret, status;

	(void)argc;
	if (cmd__open(opts, argv[0], &locs))
		return CMD_TROUBLE;
	d.locs = locs;
	if (cmd__out_init(&d.o)) {
		btf_locs__close(locs);
		return CMD_TROUBLE;
	}
	ret = dump(&d);
	status = d.bad ? CMD_TROUBLE : CMD_YES;
	if (ret && !d.o.err)
		status = cmd__error("%s: cannot print: %s", argv[0], strerror(-ret));
	btf_locs__close(locs);
	return cmd__out_end(&d.o, status);
}
