/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* err.h - one line for people, carried beside a negative errno */
#ifndef LOCS_ERR_H
#define LOCS_ERR_H

#include <stdbool.h>

#include "../btf_locs.h"

/*
 * Writes a line to @err (NULL: nothing is written) and returns @code, so that a
 * failing function can end in `return locs_err__set(err, -EBADMSG, "...")`. Of -ENOMEM the line
 * is "out of memory" whatever the caller wanted to say: it says nothing of a file.
 */
__attribute__((format(printf, 3, 4)))
int locs_err__set(struct btf_locs_err *err, int code, const char *fmt, ...);

/*
 * The line of a failure that came as @code: @err's, where it was written about @code; else what
 * strerror(3) says. So what an error on the way has left, which was recovered from, is never
 * taken for a later one's.
 */
const char *locs_err__text(const struct btf_locs_err *err, int code);

/*
 * For whoever hands a result on to others: makes @err (or NULL) say what @code says, of 0
 * nothing. Returns @code.
 */
int locs_err__end(struct btf_locs_err *err, int code);

/* Whether @err's line was written about @code. */
bool locs_err__is(const struct btf_locs_err *err, int code);

#endif
