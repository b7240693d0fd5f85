// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86_step.c - what the processor itself does with an instruction: for test_x86_reader.py
 *
 * Each line of standard input is an instruction in hex, each line of output what one step of
 * it changed, in several tries with other numbers:
 *	[REG+OFF...] = REGS	bytes of memory that changed, from the register on in whose
 *				part they are; a bit for each general register that changed,
 *				both numbered as instructions do
 *	[REG+OFF...] - REGS	it did not end: it is not this processor's, or not a user's
 * Every register points into its own part of an area of memory. Exit status 77: ptrace is not
 * allowed here.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PART = 0x2000,		/* of memory, a register's */
	NR = 16,
	TRIES = 4,
	CODE_AT = 64,		/* a jump back of a few bytes stays in the page */
};

static uint8_t *code, *area;

/* Register @n of what ptrace gives, as instructions number them. */
static unsigned long long *reg_of(struct user_regs_struct *r, int n)
{
	unsigned long long *regs[NR] = {
		&r->rax, &r->rcx, &r->rdx, &r->rbx, &r->rsp, &r->rbp, &r->rsi, &r->rdi,
		&r->r8, &r->r9, &r->r10, &r->r11, &r->r12, &r->r13, &r->r14, &r->r15,
	};

	return regs[n];
}

/* Into a register's part; with other bytes than another's, each of them. */
static int place(int reg, int try)
{
	return reg * PART + PART / 2 + 32 * reg + 64 * try;
}

static uint64_t pointer(int reg, int try)
{
	return (uintptr_t)area + place(reg, try);
}

static pid_t start_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(77);
		raise(SIGSTOP);
		_exit(0);
	}
	return pid;
}

/* One step. False: it did not end; the child is as it was before, or another one. */
static bool step(pid_t pid, int try, int fill, unsigned int *regs)
{
	struct user_regs_struct before, r;
	int status, n;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &before))
		return false;
	r = before;
	for (n = 0; n < NR; n++)
		*reg_of(&r, n) = pointer(n, try);
	r.rip = (uintptr_t)code + CODE_AT;
	r.eflags = (r.eflags & ~0xcd5ULL) | (try & 1 ? 0x8d5 : 0);
	r.orig_rax = -1;
	memset(area, fill, NR * PART);
	if (ptrace(PTRACE_SETREGS, pid, NULL, &r) ||
	    ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid ||
	    !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP ||
	    ptrace(PTRACE_GETREGS, pid, NULL, &r))
		return false;
	for (n = 0; n < NR; n++)
		*regs |= *reg_of(&r, n) != pointer(n, try) ? 1U << n : 0;
	return !ptrace(PTRACE_SETREGS, pid, NULL, &before);
}

/* Bytes that changed, from where the try had the register point. */
static void print_bytes(int try, int fill)
{
	uint8_t word[8];
	int i, n;

	memset(word, fill, sizeof(word));
	for (i = 0; i < NR * PART; i += sizeof(word)) {
		if (!memcmp(area + i, word, sizeof(word)))
			continue;
		for (n = i; n < i + (int)sizeof(word); n++)
			if (area[n] != fill)
				printf("%d%+d ", n / PART, n - place(n / PART, try));
	}
}

static void answer(pid_t pid)
{
	unsigned int regs = 0;
	bool ended = true;
	int try, fill;

	for (try = 0; try < TRIES && ended; try++) {
		fill = try & 2 ? 0x5a : 0xa5;
		ended = step(pid, try, fill, &regs);
		print_bytes(try, fill);
	}
	printf("%s %x\n", ended ? "=" : "-", regs);
	fflush(stdout);
}

int main(void)
{
	char line[256];
	unsigned int byte;
	pid_t pid;
	int n, status;

	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS,
		    -1, 0);
	area = mmap(NULL, NR * PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED || area == MAP_FAILED)
		return 2;
	pid = start_child();
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return 77;
	while (fgets(line, sizeof(line), stdin)) {
		memset(code, 0x90, 4096);
		for (n = 0; sscanf(line + 2 * n, "%2x", &byte) == 1; n++)
			code[CODE_AT + n] = byte;
		answer(pid);
	}
	kill(pid, SIGKILL);
	return 0;
}
