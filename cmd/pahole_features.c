// SPDX-License-Identifier: GPL-2.0-only
/* pahole_features.c - pahole's BTF features and their single options, as a table */
#include "pahole_features.h"

#include <stdio.h>
#include <string.h>

struct feature {
	const char *name;
	const char *option;	/* NULL: only a feature list can ask for it */
	bool off;		/* the option turns it off: pahole starts with it on */
	bool is_default;
};

/* In the order in which pahole lists them. */
static const struct feature features[FEATURE_NR] = {
	{ "encode_force",	"btf_encode_force",		false,	true },
	{ "var",		"skip_encoding_btf_vars",	true,	true },
	{ "float",		"btf_gen_floats",		false,	true },
	{ "decl_tag",		"skip_encoding_btf_decl_tag",	true,	true },
	{ "type_tag",		"skip_encoding_btf_type_tag",	true,	true },
	{ "enum64",		"skip_encoding_btf_enum64",	true,	true },
	{ "optimized_func",	"btf_gen_optimized",		false,	true },
	{ "consistent_func",	"skip_encoding_btf_inconsistent_proto", false, true },
	{ "decl_tag_kfuncs",	NULL,				false,	true },
	{ "reproducible_build",	"reproducible_build",		false,	false },
	{ "distilled_base",	NULL,				false,	false },
	{ "global_var",		"encode_btf_global_vars",	false,	false },
	{ "attributes",		"btf_attributes",		false,	false },
};

bool feature_list__next(const char **list, struct feature_name *out)
{
	const char *s = *list + strspn(*list, ",\n");

	out->s = s;
	out->len = strcspn(s, ",\n");
	*list = s + out->len;
	return out->len != 0;
}

bool feature_name__is(const struct feature_name *n, const char *s)
{
	return strlen(s) == n->len && !memcmp(s, n->s, n->len);
}

bool feature_list__has(const char *list, const struct feature_name *n)
{
	struct feature_name have;

	while (feature_list__next(&list, &have))
		if (have.len == n->len && !memcmp(have.s, n->s, n->len))
			return true;
	return false;
}

unsigned int feature__ours(const struct feature_name *n)
{
	if (feature_name__is(n, "inline_locs"))
		return LOCS_FEAT_INLINE;
	return feature_name__is(n, "func_addrs") ? LOCS_FEAT_FUNCS : 0;
}

bool feature_list__has_ours(const char *list)
{
	struct feature_name n;

	list += *list == '+';
	while (feature_list__next(&list, &n))
		if (feature__ours(&n))
			return true;
	return false;
}

bool feature_list__has_others(const char *list)
{
	struct feature_name n;

	if (*list == '+')
		return true;
	while (feature_list__next(&list, &n))
		if (!feature__ours(&n))
			return true;
	return false;
}

int feature__by_name(const struct feature_name *n)
{
	int f;

	for (f = 0; f < FEATURE_NR; f++)
		if (feature_name__is(n, features[f].name))
			return f;
	return -1;
}

const char *feature__name(int f)
{
	return features[f].name;
}

bool feature__is_default(int f)
{
	return features[f].is_default;
}

bool feature__starts_on(int f)
{
	return features[f].off;
}

const char *feature__option(int f, bool *off)
{
	*off = features[f].off;
	return features[f].option;
}

int feature__by_option(const char *option)
{
	int f;

	for (f = 0; f < FEATURE_NR; f++)
		if (features[f].option && !strcmp(features[f].option, option))
			return f;
	return -1;
}

bool feature__in_help(int f, const char *help)
{
	char opt[64];
	const char *s = help;
	size_t len;

	if (!features[f].option || !help)
		return false;
	len = snprintf(opt, sizeof(opt), "--%s", features[f].option);
	while ((s = strstr(s, opt))) {
		char next = s[len];

		/* not the beginning of a longer name */
		if (!next || strchr(" \t\n=[,", next))
			return true;
		s += len;
	}
	return false;
}

static uint32_t features__default(bool all)
{
	uint32_t mask = 0;
	int f;

	for (f = 0; f < FEATURE_NR; f++)
		if (all || features[f].is_default)
			mask |= UINT32_C(1) << f;
	return mask;
}

uint32_t feature_list__mask(const char *list)
{
	struct feature_name n;
	uint32_t mask = 0;
	int f;

	if (*list == '+') {
		mask = features__default(false);
		list++;
	}
	while (feature_list__next(&list, &n)) {
		f = feature__by_name(&n);
		if (f >= 0)
			mask |= UINT32_C(1) << f;
		else if (feature_name__is(&n, "default"))
			mask |= features__default(false);
		else if (feature_name__is(&n, "all"))
			mask |= features__default(true);
	}
	return mask;
}
