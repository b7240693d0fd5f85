/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf_util.h - what test_elf_file.c and test_elf_write.c share: a folder, tools, bytes */
#ifndef TESTS_ELF_UTIL_H
#define TESTS_ELF_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct bytes {
	uint8_t *p;
	size_t n;
};

/*
 * Runs a shell line in @dir, up to what fails; its exit status. What it says is seen.
 * "no COMMAND" there is for "! COMMAND", which sh -e would let pass.
 */
static inline int sh(const char *dir, const char *line)
{
	char *all = NULL;
	int status = -1;
	pid_t pid;

	assert_true(asprintf(&all, "no() { if \"$@\"; then exit 1; fi; }\n%s", line) > 0);
	pid = fork();

	if (pid == 0) {
		if (!chdir(dir))
			execl("/bin/sh", "sh", "-ec", all, (char *)NULL);
		_exit(127);
	}
	free(all);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void must(const char *dir, const char *line)
{
	if (sh(dir, line))
		fail_msg("failed: %s", line);
}

/* dir/name; the caller frees it. */
static inline char *in_dir(const char *dir, const char *name)
{
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	return path;
}

static inline struct bytes slurp(const char *path)
{
	struct bytes b = { NULL, 0 };
	struct stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		fail_msg("%s: %s", path, strerror(errno));
	assert_int_equal(fstat(fd, &st), 0);
	b.n = st.st_size;
	b.p = malloc(b.n + 1);
	assert_non_null(b.p);
	assert_int_equal(read(fd, b.p, b.n), b.n);
	close(fd);
	return b;
}

static inline void spit(const char *path, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, p, n), n);
	close(fd);
}

static inline void assert_file_is(const char *path, struct bytes want)
{
	struct bytes got = slurp(path);

	assert_int_equal(got.n, want.n);
	assert_memory_equal(got.p, want.p, want.n);
	free(got.p);
}

/* How many names a folder has, "." and ".." not counted. */
static inline int nr_names(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int n = 0;

	assert_non_null(d);
	while ((e = readdir(d)))
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(d);
	return n;
}

/* cmocka group fixtures: a new folder, its name in *state. */
static inline int make_dir(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = NULL;

	if (asprintf(&dir, "%s/btflocs-test-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0)
		return -1;
	*state = mkdtemp(dir);
	return *state && !chmod(dir, 0755) ? 0 : -1;
}

static inline int remove_dir(void **state)
{
	int ret = sh(*state, "rm -rf \"$PWD\"");

	free(*state);
	return ret;
}

#endif
