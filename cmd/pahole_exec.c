// SPDX-License-Identifier: GPL-2.0-only
/* pahole_exec.c - find the real pahole, ask it, become it, run it */
#include "pahole_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/cursor.h"
#include "pahole_args.h"

/* Where PATH is not set, as execvp(3) does it. */
#define PATH_DEFAULT "/bin:/usr/bin"

/* 0: a program that can be run and is not this one; else -ELOOP or why not. */
static int program__check(const char *path)
{
	struct stat st, self;

	if (stat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -EACCES;
	if (access(path, X_OK))
		return -errno;
	if (!stat("/proc/self/exe", &self) && st.st_dev == self.st_dev &&
	    st.st_ino == self.st_ino)
		return -ELOOP;
	return 0;
}

/* The first @name in PATH that is not this program. -ENOENT: none, or no memory. */
static int program__in_path(const char *name, char **out)
{
	const char *dirs = getenv("PATH");
	const char *dir, *next;
	char *path;
	int len;

	for (dir = dirs ? dirs : PATH_DEFAULT; dir; dir = next) {
		next = strchr(dir, ':');
		len = next ? (int)(next - dir) : (int)strlen(dir);
		next = next ? next + 1 : NULL;
		if (asprintf(&path, "%.*s/%s", len ? len : 1, len ? dir : ".", name) < 0)
			return -ENOMEM;
		if (!program__check(path)) {
			*out = path;
			return 0;
		}
		free(path);
	}
	return -ENOENT;
}

static int depth__count(struct btf_locs_err *err)
{
	const char *text = getenv(PAHOLE_ENV_DEPTH);
	long depth = text ? strtol(text, NULL, 10) : 0;
	char next[24];

	if (depth < 0 || depth >= PAHOLE_DEPTH_MAX)
		return locs_err__set(err, -ELOOP,
				     "the pahole that it runs runs pahole-locs again: "
				     "set " PAHOLE_ENV_REAL " to the real one");
	snprintf(next, sizeof(next), "%ld", depth + 1);
	if (setenv(PAHOLE_ENV_DEPTH, next, 1))
		return locs_err__set(err, -errno, "out of memory");
	return 0;
}

int pahole_real__find(char **path, struct btf_locs_err *err)
{
	const char *real = getenv(PAHOLE_ENV_REAL);
	const char *name = real && *real ? real : "pahole";
	char *found = NULL;
	int rc;

	rc = depth__count(err);
	if (rc)
		return rc;
	if (!strchr(name, '/')) {
		rc = program__in_path(name, &found);
	} else {
		rc = program__check(name);
		if (!rc)
			found = strdup(name);
		if (!rc && !found)
			rc = -ENOMEM;
	}
	if (!rc) {
		*path = found;
		return 0;
	}
	if (rc == -ELOOP)
		return locs_err__set(err, rc, PAHOLE_ENV_REAL "=%s is pahole-locs itself",
				     real);
	if (real && *real)
		return locs_err__set(err, rc, PAHOLE_ENV_REAL "=%s: %s", real,
				     strerror(-rc));
	return locs_err__set(err, rc, rc == -ENOMEM ? "out of memory" :
			     "no pahole in PATH: install pahole (Debian: the package "
			     "pahole), or set " PAHOLE_ENV_REAL);
}

/* In the child: stdout to @fd, and if @quiet stderr nowhere. */
static void child__redirect(int fd, bool quiet)
{
	int null = quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;

	if (null >= 0)
		dup2(null, STDERR_FILENO);
	dup2(fd, STDOUT_FILENO);
}

static int read_all(int fd, struct wbuf *out)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) != 0) {
		if (n > 0)
			wbuf__put(out, buf, n);
		else if (errno != EINTR)
			return -errno;
	}
	wbuf__u8(out, 0);
	return out->err;
}

int pahole_real__ask(const char *path, const char *option, bool quiet, char **text,
		     struct btf_locs_err *err)
{
	char *const argv[] = { (char *)path, (char *)option, NULL };
	struct wbuf out;
	int pipes[2], rc, status;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC))
		return locs_err__set(err, -errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		child__redirect(pipes[1], quiet);
		execv(path, argv);
		_exit(127);
	}
	rc = pid < 0 ? -errno : 0;
	close(pipes[1]);
	wbuf__init(&out, false);
	if (!rc)
		rc = read_all(pipes[0], &out);
	close(pipes[0]);
	if (pid > 0) {
		status = pahole_real__wait(pid, NULL);
		if (!rc && status)
			rc = status < 0 ? status : -EIO;
	}
	if (rc) {
		wbuf__free(&out);
		return locs_err__set(err, rc, "%s %s: %s", path, option,
				     rc == -EIO ? "failed" : strerror(-rc));
	}
	*text = (char *)out.data;
	return 0;
}

int pahole_real__version(const char *path, unsigned int *version,
			 struct btf_locs_err *err)
{
	unsigned int major, minor, number = 0;
	char *text;
	int rc;

	/* before 1.19 there was no such option */
	rc = pahole_real__ask(path, "--numeric_version", true, &text, err);
	if (!rc) {
		/* 1.24 prints 124; anything below 100 is not a pahole's */
		if (sscanf(text, "%u", &number) != 1 || number < 100)
			number = 0;
		free(text);
	} else if (rc == -ENOMEM) {
		return rc;
	}
	if (!number) {
		rc = pahole_real__ask(path, "--version", false, &text, err);
		if (rc)
			return rc;
		if (sscanf(text, "v%u.%u", &major, &minor) == 2 && minor < 100)
			number = major * 100 + minor;
		free(text);
	}
	if (!number)
		return locs_err__set(err, -EPROTO,
				     "%s --version: not a pahole's version", path);
	*version = number;
	return 0;
}

int pahole_real__exec(char *const *argv, struct btf_locs_err *err)
{
	execv(argv[0], argv);
	return locs_err__set(err, -errno, "%s: %s", argv[0], strerror(errno));
}

/* What execv() says in the child comes through a pipe that closes when it succeeds. */
int pahole_real__start(char *const *argv, pid_t *pid, struct btf_locs_err *err)
{
	pid_t child, parent = getpid();
	int pipes[2], failure = 0;
	ssize_t n;

	/* a parent that ignores SIGCHLD would take the status away from us */
	signal(SIGCHLD, SIG_DFL);
	if (pipe2(pipes, O_CLOEXEC))
		return locs_err__set(err, -errno, "pipe: %s", strerror(errno));
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() == parent) {
			unsetenv(PAHOLE_ENV_FEATURES);
			execv(argv[0], argv);
		}
		failure = errno;
		n = write(pipes[1], &failure, sizeof(failure));
		_exit(n < 0 ? 126 : 127);
	}
	if (child < 0)
		failure = errno;
	close(pipes[1]);
	if (child > 0) {
		do
			n = read(pipes[0], &failure, sizeof(failure));
		while (n < 0 && errno == EINTR);
		if (n != sizeof(failure))
			failure = 0;
	}
	close(pipes[0]);
	if (!failure) {
		*pid = child;
		return 0;
	}
	if (child > 0)
		pahole_real__wait(child, NULL);
	return locs_err__set(err, -failure, "%s: %s", argv[0], strerror(failure));
}

int pahole_real__wait(pid_t pid, struct btf_locs_err *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return locs_err__set(err, -errno, "waitpid: %s",
					     strerror(errno));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
