// SPDX-License-Identifier: GPL-2.0-only
/*
 * nomem_preload.c - LD_PRELOAD: one allocation of a program fails, whoever makes it
 *
 *	NOMEM_PROGRAM	the program's short name; in others (children) nothing fails
 *	NOMEM_AT	number of the allocation that fails, from 1; 0 or unset: none
 *	NOMEM_LOG	file for what is found out: "failed MODULE+0xOFFSET ..." with the
 *			callers, the nearest first, when an allocation fails; "total N" at exit
 *
 * All threads' allocations are counted together. Those before main() count too.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAMES_MAX 24

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);

static bool on;
static unsigned long fail_at, count;
static const char *log_path;
static __thread bool inside;	/* this file's own calls are not counted */

static void log__write(const char *text, size_t len)
{
	int fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		_exit(99);
	close(fd);
}

static void log__callers(void)
{
	void *frames[FRAMES_MAX];
	int i, nr = backtrace(frames, FRAMES_MAX);
	char text[4096];
	size_t len = snprintf(text, sizeof(text), "failed");
	const char *name;
	Dl_info info;

	/* log__callers(), fails(), malloc() */
	for (i = 3; i < nr && len < sizeof(text) - 200; i++) {
		if (!dladdr(frames[i], &info))
			continue;
		name = strrchr(info.dli_fname, '/');
		len += snprintf(text + len, sizeof(text) - len, " %.60s+0x%lx",
				name ? name + 1 : info.dli_fname,
				(unsigned long)((char *)frames[i] - (char *)info.dli_fbase) - 1);
	}
	text[len++] = '\n';
	log__write(text, len);
}

__attribute__((noinline)) static bool fails(void)
{
	bool yes;

	if (!on || inside)
		return false;
	yes = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) == fail_at;
	if (!yes)
		return false;
	inside = true;
	if (log_path)
		log__callers();
	inside = false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	/* to size 0 it is free() */
	return (size || !p) && fails() ? NULL : __libc_realloc(p, size);
}

void *reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return (bytes || !p) && fails() ? NULL : __libc_realloc(p, bytes);
}

int posix_memalign(void **out, size_t align, size_t size)
{
	void *p = fails() ? NULL : __libc_memalign(align, size);

	if (!p)
		return ENOMEM;
	*out = p;
	return 0;
}

void *aligned_alloc(size_t align, size_t size)
{
	return fails() ? NULL : __libc_memalign(align, size);
}

/* strdup(), asprintf() and the like call libc's own malloc() through the one above. */

__attribute__((constructor)) static void begin(void)
{
	const char *program = getenv("NOMEM_PROGRAM"), *at = getenv("NOMEM_AT");
	void *frames[2];

	inside = true;
	log_path = getenv("NOMEM_LOG");
	fail_at = at ? strtoul(at, NULL, 10) : 0;
	/* its first call loads a library */
	backtrace(frames, 2);
	on = program && !strcmp(program, program_invocation_short_name);
	inside = false;
}

__attribute__((destructor)) static void end(void)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "total %lu\n", count);

	if (on && log_path)
		log__write(text, len);
}
