/* SPDX-License-Identifier: GPL-2.0-only */
/* loc_list_internal.h - entries of location lists, for those who read and those who keep them */
#ifndef LOCS_LOC_LIST_INTERNAL_H
#define LOCS_LOC_LIST_INTERNAL_H

#include "loc_list.h"

/* One entry as read. */
struct entry {
	enum { ENTRY_END, ENTRY_BASE, ENTRY_BOUNDED, ENTRY_DEFAULT, ENTRY_VIEWS } kind;
	uint64_t begin, end;	/* addresses; the views of ENTRY_VIEWS */
	uint64_t view[2];	/* of a bounded one */
	const uint8_t *expr;
	uint64_t len;
};

/* A list being read. */
struct list_reader {
	const struct loc_list_ctx *ctx;
	struct cursor c;
	struct cursor views;
	bool has_views;		/* a table of them: @views */
	uint64_t base;
};

/* Starts at the list at @off, see loc_list__at(). 0 or -EBADMSG. */
int list_reader__init(struct list_reader *r, const struct loc_list_ctx *ctx, uint64_t off,
		      uint64_t views);
/*
 * The next bounded or default entry. 0, 1: the end; -EBADMSG; -E2BIG: the unit's work is used up.
 */
int list_reader__next(struct list_reader *r, struct entry *e);
/* Whether [(begin, view), (end, view)) has one of the positions in it. */
bool entry__holds(const struct entry *e, const struct loc_pos *pos);

#endif
