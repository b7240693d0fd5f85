// SPDX-License-Identifier: GPL-2.0-only
/* cmd_stat.c - btflocs stat: what a section holds, why not more, and at what cost */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/btf_chain.h"
#include "../lib/locs_count.h"
#include "../lib/utf8.h"
#include "../lib/json_out.h"
#include "cmd.h"

/* Keys of the section that hold a count for each reason. */
#define KEY_NONE "none:"	/* parameters without a location */
#define KEY_SKIP "skip:"	/* sites without a record */
#define KEY_FUNC_NONE "func_none:"	/* the same of functions out of line */
#define KEY_FUNC_SKIP "func_skip:"
#define KEY_LIMIT "limit:"	/* bounds of the encoder's work that were met */

/* Whether the key of @str, whose '=' is at @eq, stands there first: of two the first counts. */
static bool is_first(const struct btf_locs *locs, const char *str, const char *eq)
{
	char key[128];

	if (eq - str >= (ptrdiff_t)sizeof(key))
		return false;	/* none of ours is as long */
	memcpy(key, str, eq - str);
	key[eq - str] = '\0';
	return btf_locs__info(locs, key) == eq + 1;
}

/*
 * The next key=value string of the section, from @*i on, whose key begins with @prefix:
 * its rest ("entry_value=12", @len bytes of name) and its number.
 */
static const char *next_reason(const struct btf_locs *locs, const char *prefix, size_t *i,
			       int *len, uint64_t *nr)
{
	const char *str, *eq;

	while ((str = btf_locs__info_at(locs, (*i)++))) {
		if (strncmp(str, prefix, strlen(prefix)))
			continue;
		eq = strchr(str, '=');
		if (!eq || !is_first(locs, str, eq) || !cmd__number(eq + 1, nr))
			continue;
		str += strlen(prefix);
		*len = eq - str;
		return str;
	}
	return NULL;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static double bytes_per_rec(const struct locs_count *c)
{
	uint64_t nr = 0;

	for (int kind = 0; kind <= BTF_LOCS_FUNC; kind++)
		nr += c->recs[kind];
	return nr ? (double)c->bytes / nr : 0;
}

static void line(struct outbuf *o, int indent, const char *name, uint64_t nr)
{
	outbuf__printf(o, "%*s%-*.60s %12llu\n", indent, "", 40 - indent, name,
		       (unsigned long long)nr);
}

static void line_percent(struct outbuf *o, int indent, const char *name, uint64_t nr,
			 uint64_t of)
{
	outbuf__printf(o, "%*s%-*.60s %12llu  %5.1f %%\n", indent, "", 40 - indent, name,
		       (unsigned long long)nr, percent(nr, of));
}

/* Reasons with a line each; underscores are blanks for people. */
static void lines_reasons(struct outbuf *o, const struct btf_locs *locs,
			  const char *prefix)
{
	const char *str;
	unsigned int shown;
	char name[61], *p;
	uint64_t nr;
	size_t i = 0;
	int len;

	while ((str = next_reason(locs, prefix, &i, &len, &nr))) {
		snprintf(name, sizeof(name), "%.*s", len, str);
		for (p = name; *p; p += shown ? shown : 1) {
			shown = utf8__shown(p);
			if (!shown || *p == '_')
				*p = shown ? ' ' : '?';
		}
		line(o, 4, name, nr);
	}
}

static uint64_t sum_reasons(const struct btf_locs *locs, const char *prefix)
{
	uint64_t nr, sum = 0;
	size_t i = 0;
	int len;

	while (next_reason(locs, prefix, &i, &len, &nr))
		sum += nr;
	return sum;
}

static void text_bytes(struct outbuf *o, const struct locs_count *c)
{
	line(o, 0, "bytes", c->bytes);
	line(o, 2, "header", c->hdr_bytes);
	for (int kind = 1; kind < BTF_K_NR; kind++)
		if (c->types[kind])
			outbuf__printf(o, "  %-38s %12llu  %llu types\n",
				       btf_kind__str(kind),
				       (unsigned long long)c->type_bytes[kind],
				       (unsigned long long)c->types[kind]);
	line(o, 2, "layout", c->layout_bytes);
	line(o, 2, "strings", c->str_bytes);
	outbuf__printf(o, "%-40s %12.1f\n", "bytes a record", bytes_per_rec(c));
	line_percent(o, 0, "bytes deflated (zlib, level 6)", c->deflated, c->bytes);
}

static void text_funcs(struct outbuf *o, const struct btf_locs *locs,
		       const struct locs_count *c)
{
	line(o, 0, "functions out of line (func)", c->recs[BTF_LOCS_FUNC]);
	line(o, 2, "parameters by the convention", c->conforming);
	line(o, 2, "parameters of the others", c->func_params);
	line_percent(o, 2, "of these located", c->func_located, c->func_params);
	line_percent(o, 2, "of these not located", c->func_params - c->func_located,
		     c->func_params);
	lines_reasons(o, locs, KEY_FUNC_NONE);
	line(o, 0, "functions without a record", sum_reasons(locs, KEY_FUNC_SKIP));
	lines_reasons(o, locs, KEY_FUNC_SKIP);
	if (sum_reasons(locs, KEY_LIMIT)) {
		line(o, 0, "bounds of the encoder met", sum_reasons(locs, KEY_LIMIT));
		lines_reasons(o, locs, KEY_LIMIT);
	}
}

static void print_text(struct outbuf *o, const struct btf_locs *locs,
		       const struct locs_count *c)
{
	line(o, 0, "sites", c->sites);
	line(o, 2, "guessed addresses (guess)", c->recs[BTF_LOCS_GUESS]);
	line(o, 2, "rests of calls (part)", c->recs[BTF_LOCS_PART]);
	line_percent(o, 2, "every parameter located", c->sites_located, c->sites);
	line(o, 0, "functions inlined", c->funcs);
	line(o, 2, "partially: called out of line too", c->partial);
	line(o, 0, "parameters", c->params);
	line_percent(o, 2, "located", c->located, c->params);
	line_percent(o, 2, "not located", c->params - c->located, c->params);
	lines_reasons(o, locs, KEY_NONE);
	line(o, 0, "sites without a record", sum_reasons(locs, KEY_SKIP));
	lines_reasons(o, locs, KEY_SKIP);
	text_funcs(o, locs, c);
	text_bytes(o, c);
}

static void json_reasons(struct jobj *j, const char *key, const struct btf_locs *locs,
			 const char *prefix)
{
	const char *str;
	char name[128];
	uint64_t nr;
	size_t i = 0;
	int len;

	jobj__object(j, key);
	while ((str = next_reason(locs, prefix, &i, &len, &nr))) {
		snprintf(name, sizeof(name), "%.*s", len, str);
		jobj__num(j, name, nr);
	}
	jobj__object_end(j);
}

static void json_bytes(struct jobj *j, const struct locs_count *c)
{
	jobj__object(j, "bytes");
	jobj__num(j, "total", c->bytes);
	jobj__num(j, "header", c->hdr_bytes);
	for (int kind = 1; kind < BTF_K_NR; kind++)
		if (c->types[kind])
			jobj__num(j, btf_kind__str(kind), c->type_bytes[kind]);
	jobj__num(j, "layout", c->layout_bytes);
	jobj__num(j, "strings", c->str_bytes);
	jobj__num(j, "deflated", c->deflated);
	jobj__object_end(j);
	jobj__decimal(j, "bytes_per_record", bytes_per_rec(c));
}

static void print_json(struct outbuf *o, const struct btf_locs *locs,
		       const struct locs_count *c, bool pretty)
{
	struct jobj j;

	jobj__begin(&j, o, pretty);
	jobj__num(&j, "sites", c->sites);
	jobj__num(&j, "guesses", c->recs[BTF_LOCS_GUESS]);
	jobj__num(&j, "parts", c->recs[BTF_LOCS_PART]);
	jobj__num(&j, "sites_located", c->sites_located);
	jobj__decimal(&j, "sites_located_percent", percent(c->sites_located, c->sites));
	jobj__num(&j, "functions_inlined", c->funcs);
	jobj__num(&j, "functions_partial", c->partial);
	jobj__num(&j, "params", c->params);
	jobj__num(&j, "params_located", c->located);
	jobj__decimal(&j, "params_located_percent", percent(c->located, c->params));
	json_reasons(&j, "params_not_located", locs, KEY_NONE);
	json_reasons(&j, "sites_skipped", locs, KEY_SKIP);
	jobj__num(&j, "functions_out_of_line", c->recs[BTF_LOCS_FUNC]);
	jobj__num(&j, "functions_conforming", c->conforming);
	jobj__num(&j, "function_params", c->func_params);
	jobj__num(&j, "function_params_located", c->func_located);
	json_reasons(&j, "function_params_not_located", locs, KEY_FUNC_NONE);
	json_reasons(&j, "functions_skipped", locs, KEY_FUNC_SKIP);
	json_reasons(&j, "limits", locs, KEY_LIMIT);
	json_bytes(&j, c);
	jobj__end(&j);
	outbuf__char(o, '\n');
}

int cmd_stat(const struct cmd_opts *opts, int argc, char **argv)
{
	struct locs_count count;
	struct btf_locs *locs;
	struct outbuf o;
	int ret, status = CMD_YES;

	(void)argc;
	if (cmd__open(opts, argv[0], &locs))
		return CMD_TROUBLE;
	if (cmd__out_init(&o)) {
		btf_locs__close(locs);
		return CMD_TROUBLE;
	}
	ret = locs_count__read(locs, &count);
	if (!ret && opts->json)
		print_json(&o, locs, &count, opts->pretty);
	else if (!ret)
		print_text(&o, locs, &count);
	if (ret)
		status = cmd__error("%s: %s", argv[0], strerror(-ret));
	btf_locs__close(locs);
	return cmd__out_end(&o, status);
}
