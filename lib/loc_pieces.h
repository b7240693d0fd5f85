/* SPDX-License-Identifier: GPL-2.0-only */
/* loc_pieces.h - the pieces of a composite location -> one location */
#ifndef LOCS_LOC_PIECES_H
#define LOCS_LOC_PIECES_H

#include "loc_value.h"

/* One piece of a composite location (DWARF 5, 2.6.1.2). */
struct loc_piece {
	enum { P_EMPTY, P_REG, P_MEM, P_CONST, P_OTHER } kind;
	uint64_t size;		/* bytes */
	struct loc_value v;	/* P_REG: the register; P_MEM: its address */
	uint64_t c;		/* P_CONST */
};

/*
 * Pieces that fill the context's type and are two whole registers, memory in one run, or
 * constants of 8 bytes at most, as one location; else why not.
 */
enum loc_reason loc_pieces__finish(const struct loc_ctx *ctx, const struct loc_piece *p,
				   unsigned int nr, struct loc *out);

#endif
