/* SPDX-License-Identifier: GPL-2.0-only */
/* pahole_exec.h - find the real pahole, ask it, become it, run it */
#ifndef PAHOLE_EXEC_H
#define PAHOLE_EXEC_H

#include <stdbool.h>
#include <sys/types.h>

#include "../lib/err.h"

#define PAHOLE_ENV_REAL		"PAHOLE_REAL"
/* How many pahole-locs run one another: a script called pahole may call us again. */
#define PAHOLE_ENV_DEPTH	"PAHOLE_LOCS_DEPTH"
#define PAHOLE_DEPTH_MAX	4

/*
 * The real pahole: $PAHOLE_REAL (a path, or a name looked up in PATH), else the first
 * "pahole" in PATH that is not this very program. @path: to be freed. Counts the depth
 * up in the environment. -ENOENT, -EACCES, ...: none; -ELOOP: it is us, or we were
 * called by ourselves too often.
 */
int pahole_real__find(char **path, struct btf_locs_err *err);

/*
 * What `@path @option` writes to stdout, terminated, to be freed. @quiet: what it
 * writes to stderr is dropped. -EIO: it ended with another status than 0.
 */
int pahole_real__ask(const char *path, const char *option, bool quiet, char **text,
		     struct btf_locs_err *err);

/* 124 for v1.24. -EPROTO: the answer is not a version. */
int pahole_real__version(const char *path, unsigned int *version,
			 struct btf_locs_err *err);

/* Becomes the program; returns only if that fails. */
int pahole_real__exec(char *const *argv, struct btf_locs_err *err);

/*
 * Starts the program beside us, its output where ours goes, without
 * PAHOLE_LOCS_FEATURES (it may be another pahole-locs). It is ended (SIGTERM) should we
 * die before it.
 */
int pahole_real__start(char *const *argv, pid_t *pid, struct btf_locs_err *err);

/* Waits for it. Its exit status, 128 + the signal that ended it, or a negative errno. */
int pahole_real__wait(pid_t pid, struct btf_locs_err *err);

#endif
