// SPDX-License-Identifier: GPL-2.0-only
/* pahole_args.c - pahole's command line, read as argp reads it */
#include "pahole_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pahole_features.h"
#include "pahole_opts.h"

#define JOBS_MAX 1024

static unsigned int list__ours(const char *list)
{
	struct feature_name n;
	unsigned int ours = 0;

	list += *list == '+';
	while (feature_list__next(&list, &n))
		ours |= feature_name__is(&n, "all") ? FEATURES_OURS_ALL :
						      feature__ours(&n);
	return ours;
}

static unsigned int jobs__number(const char *text)
{
	long n = strtol(text, NULL, 10);

	return n < 1 ? 1 : n > JOBS_MAX ? JOBS_MAX : n;
}

/* What is remembered of an option. False: pahole leaves at once when it meets it. */
static bool args__option(struct pahole_args *a, const struct pahole_opt *o)
{
	switch (o->id) {
	case OPT_ENCODE:
		a->encode = true;
		break;
	case OPT_DETACHED:
		a->encode = true;
		a->detached = o->value;
		break;
	case OPT_FEATURES:
	case OPT_FEATURES_STRICT:
		a->lists = true;
		a->features |= list__ours(o->value);
		a->strict |= o->id == OPT_FEATURES_STRICT;
		a->old_lists |= feature_list__has_others(o->value);
		/* fall through */
	case OPT_SINGLE:
	case OPT_GEN_ALL:
		a->opts[a->nr_opts++] = *o;
		break;
	case OPT_BTF_BASE:
		a->btf_base = o->value;
		break;
	case OPT_JOBS:
		/* without a number: one for each processor; a number that is none: 1 */
		a->jobs = o->value ? jobs__number(o->value) : 0;
		break;
	case OPT_LANG_EXCLUDE:
		/* in pahole this stays, even where --lang follows */
		a->lang_excludes = true;
		/* fall through */
	case OPT_LANG:
		a->lang = o->value;
		break;
	case OPT_VERBOSE:
		a->verbose = true;
		break;
	case OPT_LEAVES:
		a->leaves = true;
		break;
	case OPT_LEAVES_NOW:
		a->leaves = true;
		return false;
	case OPT_LIST_FEATURES:
		a->action = PAHOLE_LIST_FEATURES;
		return false;
	default:
		break;
	}
	return true;
}

/* The long option at argv[*pos], *pos moved behind it and its value. */
static bool args__long(struct pahole_args *a, int *pos)
{
	const char *text = a->argv[*pos] + 2;
	const char *eq = strchr(text, '=');
	const struct pahole_opt_desc *d;
	struct pahole_opt o = { .pos = *pos, .nr = 1 };

	++*pos;
	d = pahole_opt__by_name(text, eq ? (size_t)(eq - text) : strlen(text));
	if (!d)
		return true;	/* unknown or ambiguous: the real pahole will say so */
	o.id = d->id;
	o.name = d->name;
	if (eq) {
		if (d->style == STYLE_NO)
			return true;
		o.value = eq + 1;
	} else if (d->style == STYLE_REQUIRED) {
		if (*pos == a->argc)
			return true;
		o.value = a->argv[(*pos)++];
		o.nr = 2;
	}
	return args__option(a, &o);
}

/* The cluster of short options at argv[*pos], *pos moved behind it and its value. */
static bool args__short(struct pahole_args *a, int *pos)
{
	const char *s = a->argv[*pos] + 1;
	const struct pahole_opt_desc *d;
	struct pahole_opt o = { .pos = *pos, .nr = 1 };

	++*pos;
	for (; *s; s++) {
		d = pahole_opt__by_letter(*s);
		if (!d)
			continue;
		o.id = d->id;
		o.name = d->name;
		o.value = NULL;
		if (d->style == STYLE_NO) {
			if (!args__option(a, &o))
				return false;
			continue;
		}
		if (s[1])
			o.value = s + 1;
		else if (d->style == STYLE_REQUIRED && *pos < a->argc)
			o.value = a->argv[(*pos)++];
		else if (d->style == STYLE_REQUIRED)
			return true;
		return args__option(a, &o);
	}
	return true;
}

static void args__walk(struct pahole_args *a, bool posix)
{
	bool files_only = false, more = true;
	int pos = 1;

	while (more && pos < a->argc) {
		const char *s = a->argv[pos];

		if (files_only || s[0] != '-' || !s[1]) {
			a->files[a->nr_files++] = s;
			files_only |= posix;
			pos++;
		} else if (!strcmp(s, "--")) {
			files_only = true;
			pos++;
		} else if (s[1] == '-') {
			more = args__long(a, &pos);
		} else {
			more = args__short(a, &pos);
		}
	}
}

/* PAHOLE_LOCS_FEATURES is ours alone: a name that we do not have is a mistake. */
static int args__env(struct pahole_args *a, const char *env, struct btf_locs_err *err)
{
	const char *list = env;
	struct feature_name n;

	if (!a->encode || !env)
		return 0;
	list += *list == '+';
	while (feature_list__next(&list, &n))
		if (!feature__ours(&n) && !feature_name__is(&n, "all") &&
		    !feature_name__is(&n, "default"))
			return locs_err__set(err, -EINVAL, "unknown feature '%.*s' in %s",
					     (int)n.len, n.s, PAHOLE_ENV_FEATURES);
	a->features |= list__ours(env);
	return 0;
}

static int args__decide(struct pahole_args *a, struct btf_locs_err *err)
{
	if (a->action == PAHOLE_LIST_FEATURES || a->leaves || !a->encode ||
	    !a->features || !a->nr_files)
		return 0;
	if (a->detached && a->nr_files > 1)
		return locs_err__set(err, -EINVAL,
				     "--btf_encode_detached with inline_locs takes one "
				     "object file, not %zu",
				     a->nr_files);
	a->action = PAHOLE_ENCODE;
	return 0;
}

int pahole_args__parse(struct pahole_args *args, int argc, char **argv, const char *env,
		       bool posix, struct btf_locs_err *err)
{
	struct pahole_args a = {
		.argv = argv,
		.argc = argc,
		.action = PAHOLE_EXEC,
		.jobs = 1,
	};
	int rc;

	a.files = calloc(argc + 1, sizeof(*a.files));
	a.opts = calloc(argc + 1, sizeof(*a.opts));
	if (!a.files || !a.opts) {
		rc = locs_err__set(err, -ENOMEM, "out of memory");
		goto out;
	}
	args__walk(&a, posix);
	rc = args__env(&a, env, err);
	if (!rc)
		rc = args__decide(&a, err);
out:
	if (rc)
		pahole_args__free(&a);
	else
		*args = a;
	return rc;
}

void pahole_args__free(struct pahole_args *args)
{
	free(args->files);
	free(args->opts);
	args->files = NULL;
	args->opts = NULL;
}
