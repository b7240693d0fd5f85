/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd.h - what the commands of btflocs share: options, errors, output
 *
 * A command returns its exit status. Errors are one line on stderr, "btflocs: FILE:
 * what is wrong", also with -j.
 */
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../btf_locs.h"
#include "../lib/err.h"
#include "../lib/outbuf.h"

enum {
	CMD_YES		= 0,	/* done, found, sound */
	CMD_NO		= 1,	/* not found, not sound */
	CMD_TROUBLE	= 2,	/* could not be done, or wrong usage */
};

struct cmd_opts {
	const char **bases;	/* -B, in the order given: the root first */
	size_t nr_bases;
	const struct btf_locs_base *base;	/* what stands for them, opened once, or NULL */
	bool quiet;		/* -q */
	bool verbose;		/* -V */
	/* of the commands that read a section */
	bool json;		/* -j, -p */
	bool pretty;		/* -p */
	const char *kernel;	/* -k, or NULL */
	bool running;		/* --running */
	const char *root;	/* --root, or NULL: / */
	const struct kernel_section *found;	/* what -k or --running led to, or NULL */
	/* of encode */
	const char *out;	/* -o, or NULL */
	unsigned int jobs;	/* -j N; 0: not given */
	const char *features;	/* --features, or NULL */
	const char *lang;	/* --lang, or NULL */
	const char *lang_exclude;	/* --lang_exclude, or NULL */
};

/* One command. @argv: its operands alone, @argc of them, min_args to max_args. */
struct cmd {
	const char *name;
	int (*run)(const struct cmd_opts *opts, int argc, char **argv);
	int min_args;
	int max_args;		/* -1: any number */
	bool encodes;		/* -j is a number of workers; -o, --features, --lang */
	bool file_last;		/* FILE is the last operand, not the first */
	const char *grammar;	/* what may follow the name */
	const char *does;	/* one sentence for its help */
};

int cmd_encode(const struct cmd_opts *opts, int argc, char **argv);
int cmd_dump(const struct cmd_opts *opts, int argc, char **argv);
int cmd_list(const struct cmd_opts *opts, int argc, char **argv);
int cmd_find(const struct cmd_opts *opts, int argc, char **argv);
int cmd_stat(const struct cmd_opts *opts, int argc, char **argv);
int cmd_check(const struct cmd_opts *opts, int argc, char **argv);

/*
 * Parses the options of @cmd out of @argv (argv[0]: the command's name) and runs it.
 * Options and operands may be mixed; "--" ends the options. Returns the exit status.
 */
int cmd__run(const struct cmd *cmd, int argc, char **argv);
/* The help of one command, on stdout. Returns the exit status. */
int cmd__help(const struct cmd *cmd);

/* "btflocs: ..." on stderr. Returns CMD_TROUBLE. */
__attribute__((format(printf, 1, 2)))
int cmd__error(const char *fmt, ...);

enum { CMD_WHY = 1024 };

/*
 * Opens FILE upon the -B bases. 0 or a negative errno, and then one line in @why[CMD_WHY] that
 * begins with the file's name. -ESTALE: made for another base, or, of what -k or --running
 * found, of another build of the kernel.
 */
int cmd__try_open(const struct cmd_opts *opts, const char *path, struct btf_locs **out,
		  char *why);
/* The same; prints what is wrong. */
int cmd__open(const struct cmd_opts *opts, const char *path, struct btf_locs **out);

/* Text for stdout, in large pieces. Prints what is wrong: 0 or -ENOMEM. */
int cmd__out_init(struct outbuf *o);
/*
 * Writes the rest and frees it. Returns @status, or CMD_TROUBLE where stdout could not be
 * written; a reader that went away (`| head`) is no trouble.
 */
int cmd__out_end(struct outbuf *o, int status);

/* "0x..." in hex, digits alone in decimal; nothing else. */
bool cmd__number(const char *str, uint64_t *out);

#endif
