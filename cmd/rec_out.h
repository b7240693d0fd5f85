/* SPDX-License-Identifier: GPL-2.0-only */
/* rec_out.h - records on stdout, as lines or as a JSON array of one record a line */
#ifndef CMD_REC_OUT_H
#define CMD_REC_OUT_H

#include "cmd.h"

struct rec_out {
	const struct cmd_opts *opts;
	const char *file;
	const struct btf_locs *locs;
	struct outbuf o;
	uint64_t nr;		/* records printed */
	uint64_t nr_bad;	/* records that could not be */
};

/* @file: FILE, for error lines. -ENOMEM, after a line on stderr. */
int rec_out__init(struct rec_out *r, const struct cmd_opts *opts, const char *file,
		  const struct btf_locs *locs);
/*
 * One record. One that cannot be printed is named on stderr, and those after it can be. 0, or a
 * negative errno: no memory, or nobody reads any more.
 */
int rec_out__rec(struct rec_out *r, uint32_t sec, uint32_t rec);
/*
 * Ends and frees it. @err: of rec_out__rec() or what came before, 0. Returns the exit
 * status: CMD_NO where there was nothing to print, CMD_TROUBLE where something could not be.
 */
int rec_out__end(struct rec_out *r, int err);

#endif
