/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cut_short.h - an object that is cut while it is mapped: one line and exit status 2
 *
 * A large object is mapped, and reading behind the new end of a file is a SIGBUS. Nothing of ours
 * is in place then: what is written is written when everything has been read.
 */
#ifndef CMD_CUT_SHORT_H
#define CMD_CUT_SHORT_H

#include <sys/types.h>

/* Takes SIGBUS. @program: what its line begins with. */
void cut_short__handle(const char *program);

/*
 * This thread reads @path from now on, NULL: no mapped file. A SIGBUS elsewhere is a fault of the
 * program and ends it as ever.
 */
void cut_short__reading(const char *path);

/*
 * A child that is not to be ended with us: it is waited for, and if it fails its status is ours,
 * without a line. ended: it has been waited for, with this status.
 */
void cut_short__child_runs(pid_t pid);
void cut_short__child_ended(int status);

#endif
