/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* err.h - one line for people, carried beside a negative errno */
#ifndef LOCS_ERR_H
#define LOCS_ERR_H

#include "../btf_locs.h"

/*
 * Writes a line to @err (NULL: nothing is written) and returns @code, so that a
 * failing function can end in `return locs_err__set(err, -EBADMSG, "...")`.
 */
__attribute__((format(printf, 3, 4)))
int locs_err__set(struct btf_locs_err *err, int code, const char *fmt, ...);

#endif
