/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pahole_features.h - lists of BTF features, and the single options that older paholes
 * have for them
 */
#ifndef PAHOLE_FEATURES_H
#define PAHOLE_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/produce.h"

/* A name in a comma separated list, in place. */
struct feature_name {
	const char *s;
	size_t len;
};

/* The next name of @list that is not empty, @list moved behind it. False: no more. */
bool feature_list__next(const char **list, struct feature_name *out);
bool feature_name__is(const struct feature_name *n, const char *s);
/* Whether a comma or newline separated list has the name. */
bool feature_list__has(const char *list, const struct feature_name *n);

/*
 * Whether a list, which may begin with '+', names one of our features; whether it asks
 * for anything that is pahole's own.
 */
bool feature_list__has_ours(const char *list);
bool feature_list__has_others(const char *list);

/* LOCS_FEAT_* of one of our names, 0 for any other. */
unsigned int feature__ours(const struct feature_name *n);
/* Ours; what 'all' has of them. */
#define FEATURES_OURS "inline_locs,func_addrs"
#define FEATURES_OURS_ALL (LOCS_FEAT_INLINE | LOCS_FEAT_FUNCS)

/* pahole's features by number, 0 to FEATURE_NR - 1. */
#define FEATURE_NR 13

int feature__by_name(const struct feature_name *n);	/* -1: none of that name */
const char *feature__name(int f);
/* Part of 'default'. */
bool feature__is_default(int f);
/* What pahole does without any option. */
bool feature__starts_on(int f);
/*
 * The single option ("btf_gen_floats") that turns it on or, where @off becomes true, off.
 * NULL: there is none.
 */
const char *feature__option(int f, bool *off);
/* The feature that a single option stands for, -1: none. */
int feature__by_option(const char *option);
/* Whether the pahole that prints @help has that option. */
bool feature__in_help(int f, const char *help);

/* Those of one list ('default', 'all' and '+' understood) as bits 1 << feature. */
uint32_t feature_list__mask(const char *list);

#endif
