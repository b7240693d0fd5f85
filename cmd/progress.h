/* SPDX-License-Identifier: GPL-2.0-only */
/* progress.h - one line on a terminal that says how far long work has come */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool shown;		/* stderr is a terminal */
	size_t total;
	size_t done;
	uint64_t next_ms;	/* not drawn again before */
};

/* Nothing is ever drawn into a pipe or a file, nor where @quiet. */
void progress__begin(struct progress *p, size_t total, bool quiet);
/* One more of @total is done; @name: which. Calls must not overlap. */
void progress__step(struct progress *p, const char *name);
/* Takes the line away, so that others can be printed. */
void progress__end(struct progress *p);

#endif
