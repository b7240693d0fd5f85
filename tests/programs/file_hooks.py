# SPDX-License-Identifier: GPL-2.0-only
"""C of libraries that stand before the C library: a file system that lacks things, and waiting."""
import os

HEAD = b"""#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/* Makes the file @name, and goes on when somebody has removed it. */
static inline void stop(const char *name)
{
	close(open(name, O_CREAT | O_WRONLY, 0600));
	while (!access(name, F_OK))
		usleep(1000);
}
"""

# A file system without O_TMPFILE: a new file has a name all the time.
NAMED = b"""
int openat(int dir, const char *path, int flags, ...)
{
	int (*real)(int, const char *, int, int) = dlsym(RTLD_NEXT, "openat");
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if ((flags & O_TMPFILE) == O_TMPFILE)
		return errno = EOPNOTSUPP, -1;
	return real(dir, path, flags, mode);
}
extern __typeof(openat64) openat64 __attribute__((alias("openat")));
"""


def preloading(library, **env):
    """The environment in which that stands before the C library."""
    return dict(os.environ, LD_PRELOAD=library, ASAN_OPTIONS="verify_asan_link_order=0", **env)
