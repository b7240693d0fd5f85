/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loc_list.h - location lists with views: which entry holds at the entry of a site
 *
 * libdw's own look-up (dwarf_getlocation_addr) ignores views and passes over entries
 * that begin and end at one address; gcc writes those for 15 % of all parameters.
 */
#ifndef LOCS_LOC_LIST_H
#define LOCS_LOC_LIST_H

#include "cursor.h"
#include "locs_set.h"

struct loc_index;

#define LOC_LIST_NO_VIEWS	UINT64_MAX

struct loc_list_ctx {
	const uint8_t *data;	/* .debug_loclists, or .debug_loc up to DWARF 4 */
	size_t size;
	bool big;
	uint8_t version;	/* of the unit */
	uint8_t addr_size;
	uint64_t base;		/* the unit's base address */
	int (*addrx)(void *arg, uint64_t idx, uint64_t *addr);
	void *arg;
	struct loc_index *index;	/* what is kept of the unit's lists; NULL: nothing */
};

/* Where a value is wanted: an address, and the views of it that count, both ends included. */
struct loc_pos {
	uint64_t pc;		/* in the same space as the list's addresses */
	uint64_t view_first;
	uint64_t view_last;
	bool earlier;		/* only what holds since before @pc counts */
	bool empties;		/* an entry of no bytes and no views that stands at @pc holds there */
};

/* What holds there. */
struct loc_found {
	const uint8_t *expr;	/* in place */
	size_t len;		/* bytes */
	/* It holds at no byte, only for views of the address, and something else holds from there on. */
	bool instant;
};

/*
 * Finds the first entry of the list at @off whose range [(begin, view), (end, view)) has a
 * position (@pos.pc, v) with v from view_first to view_last in it (DWARF 5, 2.6.2; views:
 * gcc's DW_AT_GNU_locviews). @views: offset of the list's view pairs in the same section, or
 * LOC_LIST_NO_VIEWS: then the begin and end views are 0.
 *
 * LOC_OK and *@found; LOC_NOT_AT_ENTRY; LOC_MALFORMED; LOC_WORK_LIMIT: with what the unit has
 * asked before, that is more reading than loc_index.h allows.
 */
enum loc_reason loc_list__at(const struct loc_list_ctx *ctx, uint64_t off, uint64_t views,
			     const struct loc_pos *pos, struct loc_found *found);

/*
 * Calls @fn with the expression of every entry of the list at @off, bounded or default, until it
 * returns something else than 0, which is returned. -EBADMSG, -E2BIG (as LOC_WORK_LIMIT above),
 * or 0 at the list's end.
 */
int loc_list__each(const struct loc_list_ctx *ctx, uint64_t off,
		   int (*fn)(void *arg, const uint8_t *expr, size_t len), void *arg);

#endif
