// SPDX-License-Identifier: GPL-2.0-only
/*
 * pahole_locs.c - pahole-locs: pahole, which where it encodes BTF can also write where
 * inline sites and their parameters are
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/pahole_args.h"
#include "cmd/pahole_encode.h"
#include "cmd/pahole_exec.h"
#include "lib/err.h"

/* What the real pahole has said about itself; owns its strings. */
struct real {
	struct pahole_real_info info;
	char *path;
	char *help;
	char *supported;
};

/* Asks only what decides something: each question is a process. */
static int real__ask(struct real *real, const struct pahole_args *args,
		     struct btf_locs_err *err)
{
	bool lists = args->action == PAHOLE_LIST_FEATURES;
	int rc;

	/* as in a build that sets PAHOLE_LOCS_FEATURES: nothing is to be translated */
	if (!lists && !args->lists && !getenv(PAHOLE_ENV_LANG))
		return 0;
	rc = pahole_real__version(real->path, &real->info.version, err);
	if (rc)
		return rc;
	if (real->info.version >= PAHOLE_V_FEATURES) {
		if (lists || args->strict)
			rc = pahole_real__ask(real->path, "--supported_btf_features",
					      false, &real->supported, err);
	} else if (lists || args->old_lists) {
		rc = pahole_real__ask(real->path, "--help", false, &real->help, err);
	}
	real->info.help = real->help;
	real->info.supported = real->supported;
	return rc;
}

static int list_features(const struct real *real)
{
	char *line = pahole_args__supported(&real->info);
	int status = 2;

	if (line && puts(line) >= 0 && !fflush(stdout))
		status = 0;
	else
		perror("pahole-locs: --supported_btf_features");
	free(line);
	return status;
}

/* The exit status, or a negative errno with a line in @err. */
static int run(struct real *real, struct pahole_args *args, struct btf_locs_err *err)
{
	char **argv = NULL;
	int rc;

	/* a parent may have left it ignored, and we wait for children */
	signal(SIGCHLD, SIG_DFL);
	rc = real__ask(real, args, err);
	if (rc)
		return rc;
	if (args->action == PAHOLE_LIST_FEATURES)
		return list_features(real);
	rc = pahole_args__forward(args, &real->info, &argv, err);
	if (rc)
		return rc;
	if (args->action == PAHOLE_ENCODE)
		rc = pahole_encode(args, &real->info, argv);
	else
		rc = pahole_real__exec(args->features ? argv : args->argv, err);
	pahole_argv__free(argv);
	return rc;
}

int main(int argc, char **argv)
{
	struct btf_locs_err err = { "" };
	struct real real = { .path = NULL };
	struct pahole_args args = { .files = NULL };
	bool ours;
	int rc;

	if (argc < 1)
		return 2;
	rc = pahole_args__parse(&args, argc, argv, getenv(PAHOLE_ENV_FEATURES),
				getenv("POSIXLY_CORRECT") != NULL, &err);
	if (!rc)
		rc = pahole_real__find(&real.path, &err);
	if (!rc) {
		real.info.path = real.path;
		argv[0] = real.path;
		ours = args.encode && (args.features || args.strict);
		if (ours || args.action == PAHOLE_LIST_FEATURES)
			rc = run(&real, &args, &err);
		else
			rc = pahole_real__exec(argv, &err);
	}
	if (rc < 0) {
		fprintf(stderr, "pahole-locs: %s\n", locs_err__text(&err, rc));
		rc = 2;
	}
	pahole_args__free(&args);
	free(real.path);
	free(real.help);
	free(real.supported);
	return rc;
}
