/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loc_index.h - location lists that many ask, kept by address; and how much reading is too much
 *
 * A list is read from its start for each question, and mostly that is short. But entries of one
 * that is long, and that thousands of sites share, would be read a million times.
 */
#ifndef LOCS_LOC_INDEX_H
#define LOCS_LOC_INDEX_H

#include <stddef.h>

#include "loc_list.h"

/*
 * What a unit may cost in all: entries of lists read, candidates looked at, and words of 4 bytes
 * of expressions. The bytes are the unit's own in .debug_info.
 */
#define LOC_WORK_ANY		65536u		/* for a unit of any size, and ... */
#define LOC_WORK_A_BYTE		16u		/* ... for each byte */

struct kept_list;

/* The lists of the unit at hand. */
struct loc_index {
	uint64_t work;		/* that is left; 0: nothing is read any more */
	size_t room;		/* entries that may still be kept */
	struct kept_list *lists;	/* a hash table */
	size_t mask;		/* number of slots - 1 */
	size_t used;
};

void loc_index__init(struct loc_index *ix);
void loc_index__free(struct loc_index *ix);
/* A unit of @bytes begins: nothing is kept, all its work is left. */
void loc_index__begin(struct loc_index *ix, uint64_t bytes);
/* Takes @n off the work. False: there is not as much left, and then none. */
bool loc_index__spend(struct loc_index *ix, uint64_t n);

/*
 * loc_list__at() of a list that is kept. False: it is not; else its answer is in *@why.
 */
bool loc_index__at(struct loc_index *ix, uint64_t off, uint64_t views, const struct loc_pos *pos,
		   struct loc_found *found, enum loc_reason *why);
/*
 * Notes that a question took @entries entries of the list. One that is asked often is kept from
 * then on; if there is no room or no memory, it is read again each time.
 */
void loc_index__note(struct loc_index *ix, const struct loc_list_ctx *ctx, uint64_t off,
		     uint64_t views, size_t entries);

#endif
