/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nomem.h - allocations that failed out of our sight
 *
 * libdw and libelf make of a failed malloc() "malformed" or "there is none", and so may what
 * asks them. But malloc() leaves ENOMEM in errno (POSIX), which nothing sets back to 0: it
 * is looked at after a stretch of work that makes few other calls that may fail. Stretches do not
 * nest: the outermost is whoever hands a result on.
 */
#ifndef LOCS_NOMEM_H
#define LOCS_NOMEM_H

#include <errno.h>

/* The stretch begins. */
static inline void nomem__watch(void)
{
	errno = 0;
}

/* What the stretch has come to: @ret, or -ENOMEM where anybody in it could not allocate. */
static inline int nomem__result(int ret)
{
	return errno == ENOMEM ? -ENOMEM : ret;
}

/* The same for a stretch that copes with it: only of its failures the cause is asked for. */
static inline int nomem__cause(int ret)
{
	return ret ? nomem__result(ret) : 0;
}

#endif
