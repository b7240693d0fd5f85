// SPDX-License-Identifier: GPL-2.0-only
/* cmd_list.c - btflocs list: a line a record, of all functions or of some */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "rec_out.h"

/* Which functions are wanted. Names are compared once a function, not once a record. */
struct list_match {
	const struct btf_locs *locs;
	const char *glob;	/* NULL: all */
	bool exact;		/* no wildcard in it */
	uint8_t *seen;		/* by FUNC id */
};

enum { SEEN_NOT = 0, SEEN_NO, SEEN_YES };

static int list_match__init(struct list_match *m, const struct btf_locs *locs,
			    const char *glob)
{
	*m = (struct list_match) { .locs = locs, .glob = glob };
	if (!glob)
		return 0;
	m->exact = !strpbrk(glob, "*?[\\");
	m->seen = calloc(btf_locs__nr_types(locs), 1);
	return m->seen ? 0 : -ENOMEM;
}

static bool list_match__name(const struct list_match *m, uint32_t func)
{
	const char *name = btf_locs__type_name(m->locs, func);

	return m->exact ? !strcmp(name, m->glob) : !fnmatch(m->glob, name, 0);
}

static bool list_match__func(const struct list_match *m, uint32_t func)
{
	if (!m->glob)
		return true;
	if (m->seen[func] == SEEN_NOT)
		m->seen[func] = list_match__name(m, func) ? SEEN_YES : SEEN_NO;
	return m->seen[func] == SEEN_YES;
}

static int list_sec(struct rec_out *r, const struct list_match *m, uint32_t sec)
{
	struct btf_locs_sec s;
	uint32_t i;
	int ret;

	ret = btf_locs__sec(m->locs, sec, &s);
	for (i = 0; !ret && i < s.nr_recs; i++)
		if (list_match__func(m, btf_locs__rec_func(m->locs, sec, i)))
			ret = rec_out__rec(r, sec, i);
	return ret;
}

static int list(const struct cmd_opts *opts, const struct btf_locs *locs,
		const char *file, const char *glob)
{
	struct list_match m;
	struct rec_out r;
	uint64_t nr;
	uint32_t sec;
	int ret;

	if (rec_out__init(&r, opts, file, locs))
		return CMD_TROUBLE;
	ret = list_match__init(&m, locs, glob);
	for (sec = 0; !ret && sec < btf_locs__nr_secs(locs); sec++)
		ret = list_sec(&r, &m, sec);
	free(m.seen);
	nr = r.nr;
	ret = rec_out__end(&r, ret);
	if (ret != CMD_NO || nr)
		return ret;
	if (!glob)
		return CMD_YES;
	if (!opts->quiet)
		cmd__error(btf_locs__has_func(locs, glob) ?
			   "%s: '%s' is not inlined anywhere" :
			   "%s: no record of a function '%s'", file, glob);
	return CMD_NO;
}

int cmd_list(const struct cmd_opts *opts, int argc, char **argv)
{
	const char *file = argv[argc - 1];
	struct btf_locs *locs;
	int ret;

	if (cmd__open(opts, file, &locs))
		return CMD_TROUBLE;
	ret = list(opts, locs, file, argc > 1 ? argv[0] : NULL);
	btf_locs__close(locs);
	return ret;
}
