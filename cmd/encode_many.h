/* SPDX-License-Identifier: GPL-2.0-only */
/* encode_many.h - many objects in one process, which share the base and the workers */
#ifndef ENCODE_MANY_H
#define ENCODE_MANY_H

#include "encode_one.h"

/*
 * Encodes all @nr of them, by @jobs workers (0: one for each processor), the largest first.
 * One that fails does not stop the others: its rc and error say so. @run's opts say how; its
 * number of workers is not looked at, its bases must be open in `below`. @quiet: no progress.
 * 0 or -ENOMEM, nothing done.
 */
int encode_many__run(const struct encode_run *run, struct encode_one *ones, size_t nr,
		     unsigned int jobs, bool quiet);

#endif
