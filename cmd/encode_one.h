/* SPDX-License-Identifier: GPL-2.0-only */
/* encode_one.h - one object's DWARF and BTF -> its section, in it or in a file of its own */
#ifndef ENCODE_ONE_H
#define ENCODE_ONE_H

#include "../lib/btf_base.h"
#include "../lib/locs_set.h"
#include "../lib/produce.h"
#include "file_ids.h"

/* What all objects of one run share; borrowed. */
struct encode_run {
	struct produce_opts opts;
	const char *const *bases;	/* -B, the root first */
	size_t nr_bases;
	/* what stands for the two above where several objects stand on it, else NULL */
	const struct btf_base *below;
	const struct file_ids *inputs;	/* what may not be written over */
	const char *release;		/* of the kernel that the base is of, "": not known */
};

struct encode_one {
	const char *path;
	const char *out;		/* as for out_file__check(); NULL: into the object */
	/* what it came to */
	int rc;				/* 0 or a negative errno */
	char error[512];		/* "FILE: what is wrong", where rc */
	struct locs_stats stats;
	size_t bytes;			/* of the section, unpacked */
};

/* Encodes @one. Threads may do so at once, each its own, @run's jobs workers each. */
void encode_one__run(const struct encode_run *run, struct encode_one *one);

#endif
