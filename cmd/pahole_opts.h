/* SPDX-License-Identifier: GPL-2.0-only */
/* pahole_opts.h - the options of pahole 1.24 to 1.32, as a table */
#ifndef PAHOLE_OPTS_H
#define PAHOLE_OPTS_H

#include <stddef.h>

enum pahole_opt_style {
	STYLE_NO,		/* no value */
	STYLE_REQUIRED,		/* --opt=VALUE, --opt VALUE, -oVALUE, -o VALUE */
	STYLE_OPTIONAL,		/* --opt=VALUE, -oVALUE */
};

enum pahole_opt_id {
	OPT_OTHER = 0,		/* nothing that concerns us */
	OPT_ENCODE,
	OPT_DETACHED,
	OPT_FEATURES,
	OPT_FEATURES_STRICT,
	OPT_SINGLE,		/* stands for one feature, see feature__by_option() */
	OPT_GEN_ALL,
	OPT_BTF_BASE,
	OPT_JOBS,
	OPT_LANG,
	OPT_LANG_EXCLUDE,
	OPT_VERBOSE,
	OPT_LEAVES,		/* pahole ends after its command line is read */
	OPT_LEAVES_NOW,		/* ... when it meets the option */
	OPT_LIST_FEATURES,
};

struct pahole_opt_desc {
	const char *name;	/* NULL: it has only a letter */
	char letter;		/* 0: it has only a name */
	unsigned char style;	/* enum pahole_opt_style */
	unsigned char id;	/* enum pahole_opt_id */
};

/*
 * By a name of @len bytes or the beginning of one that fits no other option.
 * NULL: none, or it is ambiguous. Where several fit that all take a value, or all take
 * none, the answer is an option of that style and of OPT_OTHER: an older pahole, which
 * has fewer options, may know what is meant.
 */
const struct pahole_opt_desc *pahole_opt__by_name(const char *name, size_t len);
const struct pahole_opt_desc *pahole_opt__by_letter(char letter);

#endif
