/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pahole_args.h - pahole's command line: what is asked for, and what the real pahole
 * is to be given
 *
 * Pure: no file is opened and no program is run here. The option table is that of
 * pahole 1.24 to 1.32, read as argp reads it: long options may be abbreviated, short
 * ones clustered, options and files mixed.
 */
#ifndef PAHOLE_ARGS_H
#define PAHOLE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "../lib/err.h"

#define PAHOLE_ENV_FEATURES	"PAHOLE_LOCS_FEATURES"
#define PAHOLE_ENV_LANG		"PAHOLE_LANG_EXCLUDE"	/* pahole's, from 1.28 on */

/* From here on pahole itself knows --btf_features (1.26), and PAHOLE_LANG_EXCLUDE. */
enum {
	PAHOLE_V_FEATURES = 126,
	PAHOLE_V_DEFAULT = 127,		/* 'default' and '+' in the list */
	PAHOLE_V_LANG_ENV = 128,
};

enum pahole_action {
	PAHOLE_EXEC,		/* become the real pahole */
	PAHOLE_LIST_FEATURES,	/* --supported_btf_features */
	PAHOLE_ENCODE,		/* the real pahole, and beside it our section */
};

/* One option that may have to be taken out of the command line: all are long ones. */
struct pahole_opt {
	int id;			/* enum pahole_opt_id */
	const char *name;	/* in full, whatever was typed */
	int pos;		/* index in argv */
	int nr;			/* elements of argv: 2 for "--opt value" */
	const char *value;	/* NULL if it takes none */
};

/* All strings are borrowed from argv and the environment. */
struct pahole_args {
	char **argv;
	int argc;
	enum pahole_action action;
	unsigned int features;		/* LOCS_FEAT_*: what is asked for */
	bool encode;			/* -J or --btf_encode_detached */
	bool lists;			/* there is a feature list */
	bool strict;			/* there is a --btf_features_strict */
	bool old_lists;			/* a feature list names more than ours */
	bool leaves;			/* --help, --version, ...: nothing is encoded */
	bool verbose;
	bool lang_excludes;		/* lang: what to leave out */
	const char *lang;		/* NULL: all languages */
	const char *btf_base;
	const char *detached;		/* NULL: into the object */
	unsigned int jobs;		/* 0: one for each processor */
	const char **files;		/* nr_files of them */
	size_t nr_files;
	struct pahole_opt *opts;
	size_t nr_opts;
};

/* What is to be known of the real pahole. NULL texts: not asked. */
struct pahole_real_info {
	const char *path;		/* becomes argv[0] */
	unsigned int version;		/* 124 for v1.24, 0: not asked */
	const char *help;		/* what --help prints; needed below 1.26 */
	const char *supported;		/* what --supported_btf_features prints; needed
					 * from 1.26 on, for strict lists */
};

/*
 * Reads the command line. @env: PAHOLE_LOCS_FEATURES' value or NULL. @posix: options
 * end at the first file (POSIXLY_CORRECT). What pahole itself will refuse is let
 * through: the real one says so. @args is to be freed after success and borrows argv.
 * -EINVAL: @env names an unknown feature, or several objects are to go into one
 * detached file; -ENOMEM.
 */
int pahole_args__parse(struct pahole_args *args, int argc, char **argv, const char *env,
		       bool posix, struct btf_locs_err *err);
void pahole_args__free(struct pahole_args *args);

/*
 * The command line for the real pahole: our features taken out, and for one older than
 * 1.26 the feature lists turned into its single options, as far as it has them.
 * @out: NULL-terminated, to be freed with pahole_argv__free(). -EINVAL: a feature in
 * --btf_features_strict that neither the real pahole nor we have; -ENOMEM.
 */
int pahole_args__forward(const struct pahole_args *args,
			 const struct pahole_real_info *real, char ***out,
			 struct btf_locs_err *err);
void pahole_argv__free(char **argv);		/* NULL is accepted */

/*
 * The line that --supported_btf_features prints, without a newline; to be freed. NULL:
 * no memory.
 */
char *pahole_args__supported(const struct pahole_real_info *real);

#endif
