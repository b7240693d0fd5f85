/* SPDX-License-Identifier: GPL-2.0-only */
/* rec_out.h - records on stdout, as lines or as a JSON array of one record a line */
#ifndef CMD_REC_OUT_H
#define CMD_REC_OUT_H

#include "cmd.h"

struct rec_out {
	const struct cmd_opts *opts;
	const struct btf_locs *locs;
	struct outbuf o;
	uint64_t nr;		/* records printed */
};

/* -ENOMEM, after a line on stderr. */
int rec_out__init(struct rec_out *r, const struct cmd_opts *opts,
		  const struct btf_locs *locs);
/* 0, or a negative errno: the record could not be printed, or nobody reads any more. */
int rec_out__rec(struct rec_out *r, uint32_t sec, uint32_t rec);
/*
 * Ends and frees it. @err: of rec_out__rec() or what came before, 0. Returns the exit
 * status: CMD_NO where nothing was printed.
 */
int rec_out__end(struct rec_out *r, int err);

#endif
