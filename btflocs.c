// SPDX-License-Identifier: GPL-2.0-only
/* btflocs.c - write, read and ask .BTF.func_info: the program's commands */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"

#define STR_(x) #x
#define STR(x) STR_(x)
#define VERSION STR(BTF_LOCS_VERSION_MAJOR) "." STR(BTF_LOCS_VERSION_MINOR)

static const struct cmd commands[] = {
	{ "encode", cmd_encode, 1, -1, true, false,
	  "[-B BASE]... [-o OUT] [-j N] [--features FEATURES] [OPTION]... FILE...",
	  "Writes .BTF.func_info from FILE's DWARF and its .BTF, into FILE or, with -o,\n"
	  "into a file of its own." },
	{ "dump", cmd_dump, 1, 1, false, false, "FILE [-B BASE]... [OPTION]...",
	  "Prints every type and record of the section, as `bpftool btf dump` does." },
	{ "list", cmd_list, 1, 2, false, true, "[FUNC-GLOB] FILE [-B BASE]... [OPTION]...",
	  "Prints a line a record: address, kind, function, where its parameters are.\n"
	  "Exit status 1: no function of that name." },
	{ "find", cmd_find, 2, 2, false, false,
	  "FILE { ADDRESS | SYMBOL[+OFFSET] } [-B BASE]... [OPTION]...",
	  "Prints the records at an address: sites and functions that begin there, the\n"
	  "outer call first.\n"
	  "Exit status 1: nothing." },
	{ "stat", cmd_stat, 1, 1, false, false, "FILE [-B BASE]... [OPTION]...",
	  "Prints how many sites and parameters there are, why some have no location,\n"
	  "and what the section's bytes are spent on." },
	{ "check", cmd_check, 1, -1, false, false, "FILE... [-B BASE]... [OPTION]...",
	  "Validates the section of each FILE. Exit status 0: sound, 1: one is not, 2: one\n"
	  "cannot be read." },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const char grammar[] =
	"       btflocs help [COMMAND]\n"
	"       btflocs --version\n"
	"\n"
	"    FILE     := ELF file with .BTF.func_info | the section alone |\n"
	"                { -k|--kernel RELEASE | --running } [--root DIR]\n"
	"                encode: ELF file with DWARF and .BTF\n"
	"    BASE     := ELF file with .BTF | raw BTF; the root first\n"
	"    FEATURES := FEATURE[,FEATURE]...\n"
	"    FEATURE  := inline_locs | func_addrs\n"
	"    OPTION   := { -j|--json | -p|--pretty | -q|--quiet | -V|--verbose }\n"
	"                encode: { -q | -V | --lang LANGS | --lang_exclude LANGS }\n"
	"\n"
	"Exit status: 0 done, 1 no or not valid, 2 trouble or wrong usage.\n";

static const struct cmd *cmd__find(const char *name)
{
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static void usage(struct outbuf *o)
{
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		outbuf__printf(o, "%s btflocs %s %s\n", i ? "      " : "Usage:",
			       commands[i].name, commands[i].grammar);
	outbuf__str(o, grammar);
}

static int help(int argc, char **argv)
{
	const struct cmd *cmd;
	struct outbuf o;

	if (argc > 1) {
		cmd = cmd__find(argv[1]);
		if (!cmd)
			return cmd__error("there is no command '%s'; try: btflocs help",
					  argv[1]);
		return cmd__help(cmd);
	}
	if (cmd__out_init(&o))
		return CMD_TROUBLE;
	usage(&o);
	return cmd__out_end(&o, CMD_YES);
}

static int version(void)
{
	struct outbuf o;

	if (cmd__out_init(&o))
		return CMD_TROUBLE;
	outbuf__str(&o, "btflocs " VERSION "\n");
	return cmd__out_end(&o, CMD_YES);
}

/*
 * A descriptor that the caller closed would be given to the next file opened, and what is
 * meant for the terminal end up in that.
 */
static void std_fds__hold(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	const struct cmd *cmd;

	std_fds__hold();
	/* `btflocs dump X | head` ends at the failed write, quietly */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		fputs("btflocs: no command; try: btflocs help\n", stderr);
		return CMD_TROUBLE;
	}
	argc--;
	argv++;
	if (!strcmp(argv[0], "--version"))
		return version();
	if (!strcmp(argv[0], "help") || !strcmp(argv[0], "--help") ||
	    !strcmp(argv[0], "-h"))
		return help(argc, argv);
	cmd = cmd__find(argv[0]);
	if (!cmd)
		return cmd__error("there is no command '%s'; try: btflocs help", argv[0]);
	return cmd__run(cmd, argc, argv);
}
