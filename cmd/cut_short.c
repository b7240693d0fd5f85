// SPDX-License-Identifier: GPL-2.0-only
/* cut_short.c - an object that is cut while it is mapped */
#include "cut_short.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/temp_file.h"

#define NO_STATUS (-1)

static const char *program_name;
static __thread const char *volatile reading;
static atomic_flag ending = ATOMIC_FLAG_INIT;
static atomic_int child_pid;		/* 0: there is none */
static atomic_int child_status = NO_STATUS;

void cut_short__reading(const char *path)
{
	reading = path;
}

void cut_short__child_runs(pid_t pid)
{
	atomic_store(&child_pid, pid);
}

void cut_short__child_ended(int status)
{
	atomic_store(&child_status, status);
}

/* Appends what fits; returns the new end. */
static size_t append(char *line, size_t size, size_t len, const char *text)
{
	while (*text && len < size) {
		line[len++] = (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text;
		text++;
	}
	return len;
}

static void say(const char *path)
{
	static const char clear[] = "\r\033[K";
	static const char what[] = ": was cut short while it was read, or its disk fails";
	char line[1024];
	size_t len = 0;

	/* a progress line goes first */
	if (isatty(STDERR_FILENO))
		memcpy(line, clear, len = sizeof(clear) - 1);
	len = append(line, sizeof(line), len, program_name);
	len = append(line, sizeof(line), len, ": ");
	len = append(line, sizeof(line) - sizeof(what), len, path);
	len = append(line, sizeof(line) - 1, len, what);
	line[len++] = '\n';
	/* nobody is left to be told if that fails */
	len -= write(STDERR_FILENO, line, len) < 0;
}

/* The status of the child, once it has one; the main thread waits for it too. */
static int child__wait(pid_t pid)
{
	siginfo_t si;

	for (;;) {
		int status = atomic_load(&child_status);

		if (status != NO_STATUS)
			return status;
		si.si_pid = 0;
		/* WNOWAIT: the status is left for the main thread */
		if (!waitid(P_PID, pid, &si, WEXITED | WNOWAIT) && si.si_pid == pid)
			return si.si_code == CLD_EXITED ? si.si_status : 128 + si.si_status;
		/* it has just been waited for: the main thread is about to say so */
		if (errno != EINTR)
			poll(NULL, 0, 1);
	}
}

static void on_sigbus(int sig, siginfo_t *si, void *context)
{
	const char *path = reading;
	pid_t pid = atomic_load(&child_pid);
	int status = 0;

	(void)context;
	if (!path || si->si_code != BUS_ADRERR) {
		/* returning repeats the access, and that ends us */
		signal(sig, SIG_DFL);
		if (si->si_code <= 0)
			raise(sig);
		return;
	}
	/* another thread is ahead of this one */
	while (atomic_flag_test_and_set(&ending))
		pause();
	temp_files__remove_all();
	if (pid)
		status = child__wait(pid);
	if (!status)
		say(path);
	_exit(status ? status : 2);
}

void cut_short__handle(const char *program)
{
	struct sigaction act = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

	program_name = program;
	sigemptyset(&act.sa_mask);
	sigaction(SIGBUS, &act, NULL);
}
