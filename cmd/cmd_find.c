// SPDX-License-Identifier: GPL-2.0-only
/* cmd_find.c - btflocs find: the sites and functions that begin at an address */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "rec_out.h"

/* Whether the place is in LOCSEC @sec, and at which offset. */
static bool place__in(const struct place *place, const struct btf_locs_sec *sec,
		      uint64_t *offset)
{
	if (place->section) {
		*offset = place->addr;
		return !strcmp(place->section, sec->name);
	}
	*offset = place->addr - sec->address;
	return place->addr >= sec->address;
}

/* The records of one LOCSEC at the place. */
static int find_in_sec(struct rec_out *r, const struct place *place, uint32_t i,
		       const struct btf_locs_sec *sec)
{
	struct btf_locs_rec rec;
	uint64_t offset;
	uint32_t pos;
	int ret;

	if (!place__in(place, sec, &offset))
		return 0;
	ret = btf_locs__lower_bound(r->locs, i, offset, &pos);
	for (; !ret && !btf_locs__rec(r->locs, i, pos, &rec); pos++) {
		if (rec.offset != offset)
			break;
		ret = rec_out__rec(r, i, pos);
	}
	return ret;
}

/* A function that begins at the address is outside what is inlined there. */
static int find(struct rec_out *r, const struct place *place)
{
	static const enum btf_locs_kind outer_first[] = {
		BTF_LOCS_FUNC, BTF_LOCS_INLINE, BTF_LOCS_GUESS, BTF_LOCS_PART,
	};
	struct btf_locs_sec sec;
	uint32_t i;
	size_t k;
	int ret = 0;

	for (k = 0; k < sizeof(outer_first) / sizeof(outer_first[0]); k++)
		for (i = 0; !ret && !btf_locs__sec(r->locs, i, &sec); i++)
			if (sec.kind == outer_first[k])
				ret = find_in_sec(r, place, i, &sec);
	return ret;
}

int cmd_find(const struct cmd_opts *opts, int argc, char **argv)
{
	const char *file = argv[0], *text = argv[1];
	struct btf_locs *locs;
	struct place place;
	struct rec_out r;
	uint64_t nr;
	int ret = CMD_TROUBLE;

	(void)argc;
	if (cmd__open(opts, file, &locs))
		return CMD_TROUBLE;
	if (place__parse(opts, locs, file, text, &place))
		goto out_close;
	if (rec_out__init(&r, opts, file, locs))
		goto out_free;
	ret = find(&r, &place);
	nr = r.nr;
	ret = rec_out__end(&r, ret);
	if (ret == CMD_NO && !nr && !opts->quiet)
		cmd__error("%s: no record at '%s'", file, text);
out_free:
	free(place.section);
out_close:
	btf_locs__close(locs);
	return ret;
}
