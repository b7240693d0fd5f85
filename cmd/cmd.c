// SPDX-License-Identifier: GPL-2.0-only
/* cmd.c - what the commands of btflocs share: options, errors, output */
#include "cmd.h"

#include <elf.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/unpack.h"
#include "kernel_find.h"

enum {
	OPT_FEATURES = 256,
	OPT_LANG,
	OPT_LANG_EXCLUDE,
	OPT_RUNNING,
	OPT_ROOT,
	CMD_MAX_JOBS = 1024,
};

static const struct option read_options[] = {
	{ "base", required_argument, NULL, 'B' },
	{ "json", no_argument, NULL, 'j' },
	{ "pretty", no_argument, NULL, 'p' },
	{ "kernel", required_argument, NULL, 'k' },
	{ "running", no_argument, NULL, OPT_RUNNING },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static const struct option encode_options[] = {
	{ "base", required_argument, NULL, 'B' },
	{ "output", required_argument, NULL, 'o' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "features", required_argument, NULL, OPT_FEATURES },
	{ "lang", required_argument, NULL, OPT_LANG },
	{ "lang_exclude", required_argument, NULL, OPT_LANG_EXCLUDE },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

int cmd__error(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "btflocs: %s\n", text);
	return CMD_TROUBLE;
}

bool cmd__number(const char *str, uint64_t *out)
{
	bool hex = str[0] == '0' && (str[1] == 'x' || str[1] == 'X');
	const char *digits = hex ? str + 2 : str;
	unsigned long long v;
	char *end;

	/* strtoull() would take blanks and signs too */
	if (!*digits || digits[strspn(digits, hex ? "0123456789abcdefABCDEF" :
						    "0123456789")])
		return false;
	errno = 0;
	v = strtoull(digits, &end, hex ? 16 : 10);
	if (errno)
		return false;
	*out = v;
	return true;
}

/* All of it, however many write(2)s that takes. */
static int fd__write(void *ctx, const char *data, size_t size)
{
	int fd = *(const int *)ctx;
	ssize_t n;

	while (size) {
		n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		size -= n;
	}
	return 0;
}

int cmd__out_init(struct outbuf *o)
{
	static const int out = STDOUT_FILENO;
	int ret = outbuf__init(o, fd__write, (void *)&out);

	if (ret)
		cmd__error("out of memory");
	return ret;
}

int cmd__out_end(struct outbuf *o, int status)
{
	int ret = outbuf__flush(o);

	outbuf__free(o);
	if (!ret || ret == -EPIPE)
		return status;
	return cmd__error("cannot write to stdout: %s", strerror(-ret));
}

/* Whether FILE is the section alone. */
static bool file__is_detached(const char *path)
{
	char magic[SELFMAG] = "";
	struct plain_file f;
	ssize_t n;

	if (file__open_plain(path, &f, NULL))
		return false;
	n = pread(f.fd, magic, sizeof(magic), 0);
	close(f.fd);
	return n == sizeof(magic) && memcmp(magic, ELFMAG, SELFMAG);
}

/* What may help where the base is another one. */
static void why__other_base(const struct cmd_opts *opts, const char *path, char *why)
{
	size_t len = strlen(why);

	if (opts->found && opts->found->base)
		snprintf(why + len, CMD_WHY - len,
			 "; this one is %s: name its own with -B", opts->found->base);
	else if (!opts->nr_bases)
		snprintf(why + len, CMD_WHY - len, "; name its own with -B");
	else if (opts->nr_bases == 1 && file__is_detached(path))
		snprintf(why + len, CMD_WHY - len, "; is it a module's? name the module too: "
			 "-B %s -B MODULE", opts->bases[0]);
}

int cmd__try_open(const struct cmd_opts *opts, const char *path, struct btf_locs **out,
		  char *why)
{
	struct btf_locs_err err = { "" };
	struct btf_locs_open_opts open = {
		.sz = sizeof(open),
		.bases = opts->bases,
		.nr_bases = opts->nr_bases,
		.err = &err,
		.base = opts->base,
	};
	struct btf_locs *locs;
	int ret = btf_locs__open(path, &open, &locs);

	if (ret) {
		snprintf(why, CMD_WHY, "%s", locs_err__text(&err, ret));
		if (ret == -ESTALE)
			why__other_base(opts, path, why);
		return ret;
	}
	ret = opts->found ? kernel_section__check(opts->found, locs, why) : 0;
	if (ret)
		btf_locs__close(locs);
	else
		*out = locs;
	return ret;
}

int cmd__open(const struct cmd_opts *opts, const char *path, struct btf_locs **out)
{
	char why[CMD_WHY];
	int ret = cmd__try_open(opts, path, out, why);

	if (ret)
		cmd__error("%s", why);
	else if (opts->verbose)
		fprintf(stderr, "btflocs: %s: %u types in the base, %u in the section, "
				"%u LOCSECs\n", path, btf_locs__first_type(*out) - 1,
			btf_locs__nr_types(*out) - btf_locs__first_type(*out),
			btf_locs__nr_secs(*out));
	return ret;
}

static const char read_grammar[] =
	"    FILE     := ELF file with .BTF.func_info | the section alone |\n"
	"                { -k|--kernel RELEASE | --running } [--root DIR]\n"
	"    BASE     := ELF file with .BTF | raw BTF; the root first\n"
	"    OPTION   := { -B|--base BASE | -j|--json | -p|--pretty |\n"
	"                  -q|--quiet | -V|--verbose }\n";

static const char encode_grammar[] =
	"    FILE     := ELF file with DWARF and .BTF\n"
	"    BASE     := ELF file with .BTF | raw BTF; the root first\n"
	"    OUT      := file for the section alone\n"
	"    N        := number of workers\n"
	"    FEATURES := FEATURE[,FEATURE]...\n"
	"    FEATURE  := inline_locs | func_addrs\n"
	"    OPTION   := { -q|--quiet | -V|--verbose |\n"
	"                  --lang LANGS | --lang_exclude LANGS }\n";

int cmd__help(const struct cmd *cmd)
{
	struct outbuf o;

	if (cmd__out_init(&o))
		return CMD_TROUBLE;
	outbuf__printf(&o, "Usage: btflocs %s %s\n\n%s\n\n", cmd->name, cmd->grammar,
		       cmd->does);
	outbuf__str(&o, cmd->encodes ? encode_grammar : read_grammar);
	return cmd__out_end(&o, CMD_YES);
}

static int cmd__usage(const struct cmd *cmd)
{
	fprintf(stderr, "Usage: btflocs %s %s\n", cmd->name, cmd->grammar);
	return CMD_TROUBLE;
}

static int opts__jobs(struct cmd_opts *opts, const char *arg)
{
	uint64_t v;

	if (!cmd__number(arg, &v) || !v || v > CMD_MAX_JOBS)
		return cmd__error("-j %s: not a number of workers from 1 to %u", arg,
				  CMD_MAX_JOBS);
	opts->jobs = v;
	return 0;
}

/* One option: 0, CMD_TROUBLE, or -1 for help. */
static int opts__one(struct cmd_opts *opts, const struct cmd *cmd, int opt)
{
	switch (opt) {
	case 'B':
		opts->bases[opts->nr_bases++] = optarg;
		return 0;
	case 'j':
		if (cmd->encodes)
			return opts__jobs(opts, optarg);
		opts->json = true;
		return 0;
	case 'p':
		opts->json = opts->pretty = true;
		return 0;
	case 'q':
		opts->quiet = true;
		return 0;
	case 'V':
		opts->verbose = true;
		return 0;
	case 'o':
		opts->out = optarg;
		return 0;
	case 'k':
		opts->kernel = optarg;
		return 0;
	case OPT_RUNNING:
		opts->running = true;
		return 0;
	case OPT_ROOT:
		opts->root = optarg;
		return 0;
	case OPT_FEATURES:
		opts->features = optarg;
		return 0;
	case OPT_LANG:
		opts->lang = optarg;
		return 0;
	case OPT_LANG_EXCLUDE:
		opts->lang_exclude = optarg;
		return 0;
	case 'h':
		return -1;
	default:	/* getopt has said what is wrong */
		return cmd__usage(cmd);
	}
}

/* Runs @cmd with @file put where FILE stands among its operands. */
static int cmd__run_on(const struct cmd *cmd, const struct cmd_opts *opts, char *file, int argc,
		       char **argv)
{
	char **all = calloc(argc + 2, sizeof(*all));
	int ret;

	if (!all)
		return cmd__error("out of memory");
	memcpy(all + !cmd->file_last, argv, argc * sizeof(*all));
	all[cmd->file_last ? argc : 0] = file;
	ret = cmd->run(opts, argc + 1, all);
	free(all);
	return ret;
}

/* -k or --running stand for FILE. */
static int cmd__run_on_kernel(const struct cmd *cmd, struct cmd_opts *opts, int argc, char **argv)
{
	struct kernel_section k;
	int ret;

	if (opts->kernel && opts->running)
		return cmd__error("-k and --running: one of them");
	if (opts->kernel && strchr(opts->kernel, '/'))
		return cmd__run_on(cmd, opts, (char *)opts->kernel, argc, argv);
	ret = kernel_section__find(opts, &k);
	if (ret)
		return ret;
	/* there is room for one: the command's name is no -B */
	if (k.base)
		opts->bases[opts->nr_bases++] = k.base;
	opts->found = &k;
	if (opts->verbose)
		fprintf(stderr, "btflocs: %s: %s on %s\n", k.release, k.file, opts->bases[0]);
	ret = cmd__run_on(cmd, opts, k.file, argc, argv);
	kernel_section__free(&k);
	return ret;
}

/* The operands' number, without FILE where -k or --running stand for it. */
static bool cmd__takes(const struct cmd *cmd, int argc, bool has_file)
{
	int max = has_file && cmd->max_args < 0 ? 0 : cmd->max_args - has_file;

	return argc >= cmd->min_args - has_file && (max < 0 || argc <= max);
}

int cmd__run(const struct cmd *cmd, int argc, char **argv)
{
	const struct option *options = cmd->encodes ? encode_options : read_options;
	const char *letters = cmd->encodes ? "B:o:j:qVh" : "B:jpk:qVh";
	char name[] = "btflocs", *self = argv[0];
	struct cmd_opts opts = { 0 };
	int opt, ret = 0;

	opts.bases = calloc(argc, sizeof(*opts.bases));
	if (!opts.bases)
		return cmd__error("out of memory");
	argv[0] = name;		/* what getopt begins its messages with */
	while (!ret && (opt = getopt_long(argc, argv, letters, options, NULL)) != -1)
		ret = opts__one(&opts, cmd, opt);
	argv[0] = self;
	argc -= optind;
	argv += optind;
	if (ret < 0)
		ret = cmd__help(cmd);
	else if (!ret && !cmd__takes(cmd, argc, opts.kernel || opts.running))
		ret = cmd__usage(cmd);
	else if (!ret && opts.root && !opts.kernel && !opts.running)
		ret = cmd__error("--root is for -k and --running");
	else if (!ret && (opts.kernel || opts.running))
		ret = cmd__run_on_kernel(cmd, &opts, argc, argv);
	else if (!ret)
		ret = cmd->run(&opts, argc, argv);
	free(opts.bases);
	return ret;
}
