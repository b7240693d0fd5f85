// SPDX-License-Identifier: GPL-2.0-only
/*
 * pahole_forward.c - the command line that the real pahole gets
 *
 * From 1.26 on a feature list turns everything off that it does not name. An older
 * pahole has single options, some of which turn off what is on. So for an older one
 * the options are followed as a newer one would follow them, and what comes out at the
 * end is said with single options.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/cursor.h"
#include "pahole_args.h"
#include "pahole_features.h"
#include "pahole_opts.h"

/* A row of strings that grows. As with struct wbuf, one looks for failure at the end. */
struct strs {
	char **v;
	size_t nr;
	size_t cap;
	bool failed;
};

/* @s becomes the row's; NULL is a failed allocation. */
static void strs__take(struct strs *r, char *s)
{
	char **v;

	if (!s)
		r->failed = true;
	if (r->nr + 2 > r->cap && !r->failed) {
		v = realloc(r->v, (r->cap * 2 + 16) * sizeof(*v));
		if (v) {
			r->v = v;
			r->cap = r->cap * 2 + 16;
		}
		r->failed = !v;
	}
	if (r->failed) {
		free(s);
		return;
	}
	r->v[r->nr++] = s;
	r->v[r->nr] = NULL;
}

static void strs__add(struct strs *r, const char *s)
{
	strs__take(r, strdup(s));
}

void pahole_argv__free(char **argv)
{
	size_t i;

	for (i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}

static bool is_list(const struct pahole_opt *o)
{
	return o->id == OPT_FEATURES || o->id == OPT_FEATURES_STRICT;
}

static bool real__is_old(const struct pahole_real_info *real)
{
	return real->version < PAHOLE_V_FEATURES;
}

static bool real__knows(const struct pahole_real_info *real,
			const struct feature_name *n)
{
	int f;

	if (feature__ours(n) || feature_name__is(n, "default") ||
	    feature_name__is(n, "all"))
		return true;
	if (!real__is_old(real))
		return feature_list__has(real->supported ? real->supported : "", n);
	f = feature__by_name(n);
	return f >= 0 && feature__in_help(f, real->help);
}

static int forward__check_strict(const struct pahole_args *a,
				 const struct pahole_real_info *real,
				 struct btf_locs_err *err)
{
	struct feature_name n;
	const char *list;
	size_t i;

	for (i = 0; i < a->nr_opts; i++) {
		if (a->opts[i].id != OPT_FEATURES_STRICT)
			continue;
		list = a->opts[i].value;
		list += *list == '+';
		while (feature_list__next(&list, &n))
			if (!real__knows(real, &n))
				return locs_err__set(err, -EINVAL,
					"unknown feature '%.*s' in --btf_features_strict",
					(int)n.len, n.s);
	}
	return 0;
}

/* ---- 1.26 and newer: the lists without our names ---- */

static void list__add(struct wbuf *b, const char *s, size_t len)
{
	if (b->len)
		wbuf__u8(b, ',');
	wbuf__put(b, s, len);
}

/*
 * 1.26 has neither 'default' nor '+': the names that they stand for, which are those
 * that had a single option before.
 */
static void list__add_default(struct wbuf *b, const struct pahole_real_info *real)
{
	bool off;
	int f;

	if (real->version >= PAHOLE_V_DEFAULT) {
		list__add(b, "default", strlen("default"));
		return;
	}
	for (f = 0; f < FEATURE_NR; f++)
		if (feature__is_default(f) && feature__option(f, &off))
			list__add(b, feature__name(f), strlen(feature__name(f)));
}

/* @opt's list without our names, as one argument; none where nothing is left. */
static void forward__list(struct strs *out, const struct pahole_opt *opt,
			  const struct pahole_real_info *real)
{
	const char *list = opt->value;
	struct feature_name n;
	struct wbuf b;
	char *arg = NULL;

	wbuf__init(&b, false);
	if (*list == '+') {
		list__add_default(&b, real);
		list++;
	}
	while (feature_list__next(&list, &n)) {
		if (feature_name__is(&n, "default"))
			list__add_default(&b, real);
		else if (!feature__ours(&n))
			list__add(&b, n.s, n.len);
	}
	if (b.err) {
		strs__take(out, NULL);
	} else if (b.len) {
		if (asprintf(&arg, "--%s=%.*s", opt->name, (int)b.len,
			     (const char *)b.data) < 0)
			arg = NULL;
		strs__take(out, arg);
	}
	wbuf__free(&b);
}

/* ---- older than 1.26: single options ---- */

/* What would be on, bit by bit, had it been a newer pahole. */
static uint32_t forward__state(const struct pahole_args *a)
{
	struct feature_name n;
	uint32_t state = 0, bit;
	bool reset = false, off;
	size_t i;
	int f;

	for (f = 0; f < FEATURE_NR; f++)
		state |= (uint32_t)feature__starts_on(f) << f;
	for (i = 0; i < a->nr_opts; i++) {
		const struct pahole_opt *o = &a->opts[i];

		if (o->id == OPT_GEN_ALL) {
			n = (struct feature_name){ "float", strlen("float") };
			state |= UINT32_C(1) << feature__by_name(&n);
		} else if (o->id == OPT_SINGLE) {
			f = feature__by_option(o->name);
			bit = UINT32_C(1) << f;
			feature__option(f, &off);
			state = off ? state & ~bit : state | bit;
		} else if (feature_list__has_others(o->value)) {
			/* the first list turns everything off */
			state = reset ? state : 0;
			reset = true;
			state |= feature_list__mask(o->value);
		}
	}
	return state;
}

static void forward__singles(struct strs *out, const struct pahole_args *a,
			     const struct pahole_real_info *real)
{
	uint32_t state = forward__state(a);
	const char *option;
	char *arg;
	bool off;
	int f;

	for (f = 0; f < FEATURE_NR; f++) {
		option = feature__option(f, &off);
		if ((state >> f & 1) == off || !feature__in_help(f, real->help))
			continue;
		if (asprintf(&arg, "--%s", option) < 0)
			arg = NULL;
		strs__take(out, arg);
	}
}

/* ---- both ---- */

int pahole_args__forward(const struct pahole_args *args,
			 const struct pahole_real_info *real, char ***out,
			 struct btf_locs_err *err)
{
	bool singles = real__is_old(real) && args->old_lists, done = false;
	struct strs r = { 0 };
	size_t k = 0;
	int i, rc;

	rc = forward__check_strict(args, real, err);
	if (rc)
		return rc;
	strs__add(&r, real->path);
	for (i = 1; i < args->argc; i++) {
		const struct pahole_opt *o = k < args->nr_opts ? &args->opts[k] : NULL;

		if (!o || o->pos != i) {
			strs__add(&r, args->argv[i]);
			continue;
		}
		k++;
		if (is_list(o) && !real__is_old(real) &&
		    feature_list__has_ours(o->value)) {
			forward__list(&r, o, real);
		} else if (is_list(o) && real__is_old(real)) {
			/* before the "--", if there is one */
			if (singles && !done)
				forward__singles(&r, args, real);
			done = true;
		} else if (!singles) {
			strs__add(&r, args->argv[i]);
			if (o->nr == 2)
				strs__add(&r, args->argv[i + 1]);
		}
		i += o->nr - 1;
	}
	if (r.failed) {
		pahole_argv__free(r.v);
		return locs_err__set(err, -ENOMEM, "out of memory");
	}
	*out = r.v;
	return 0;
}

char *pahole_args__supported(const struct pahole_real_info *real)
{
	struct wbuf b;
	int f;

	wbuf__init(&b, false);
	if (!real__is_old(real)) {
		const char *list = real->supported ? real->supported : "";
		struct feature_name n;

		while (feature_list__next(&list, &n))
			list__add(&b, n.s, n.len);
	}
	for (f = 0; real__is_old(real) && f < FEATURE_NR; f++)
		if (feature__in_help(f, real->help))
			list__add(&b, feature__name(f), strlen(feature__name(f)));
	list__add(&b, FEATURES_OURS, strlen(FEATURES_OURS));
	wbuf__u8(&b, 0);
	if (b.err) {
		wbuf__free(&b);
		return NULL;
	}
	return (char *)b.data;
}
