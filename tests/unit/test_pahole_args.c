// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_pahole_args.c - command lines: what is asked for, and what the real pahole gets
 *
 * The expected command lines are worked out from the man pages of pahole 1.24 (single
 * options) and 1.28 (a feature list turns everything off that it does not name).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include <cmocka.h>

#include "../../cmd/pahole_args.h"
#include "../../cmd/pahole_features.h"
#include "../../cmd/pahole_opts.h"
#include "../../lib/produce.h"

#define MAX_ARGS 32

/* A command line as words that are parted by single spaces. */
struct words {
	char text[512];
	char *v[MAX_ARGS + 1];
	int nr;
};

static void words__split(struct words *w, const char *text)
{
	char *s;

	assert_true(strlen(text) < sizeof(w->text));
	strcpy(w->text, text);
	w->nr = 0;
	for (s = w->text; s; ) {
		assert_true(w->nr < MAX_ARGS);
		w->v[w->nr++] = strsep(&s, " ");
	}
	w->v[w->nr] = NULL;
}

static void join(char *buf, size_t size, const char *const *v, size_t nr)
{
	size_t i;

	buf[0] = 0;
	for (i = 0; i < nr; i++) {
		assert_true(strlen(buf) + strlen(v[i]) + 2 < size);
		if (i)
			strcat(buf, " ");
		strcat(buf, v[i]);
	}
}

/* ---- what is asked for ---- */

struct parse_case {
	const char *line;
	enum pahole_action action;
	unsigned int features;
	const char *files;
	unsigned int jobs;
};

#define IN	LOCS_FEAT_INLINE
#define FN	LOCS_FEAT_FUNCS

static const struct parse_case parse_cases[] = {
	/* not asked for, or not encoding */
	{ "pahole", PAHOLE_EXEC, 0, "", 1 },
	{ "pahole a.o", PAHOLE_EXEC, 0, "a.o", 1 },
	{ "pahole -J a.o", PAHOLE_EXEC, 0, "a.o", 1 },
	{ "pahole -C list_head a.o", PAHOLE_EXEC, 0, "a.o", 1 },
	{ "pahole --btf_features=inline_locs a.o", PAHOLE_EXEC, IN, "a.o", 1 },
	{ "pahole -J --btf_features=inline_locs", PAHOLE_EXEC, IN, "", 1 },
	{ "pahole -J --btf_features=default a.o", PAHOLE_EXEC, 0, "a.o", 1 },
	{ "pahole -J --btf_features=inline_loc,xinline_locs,inline_locsx a.o",
	  PAHOLE_EXEC, 0, "a.o", 1 },
	/* the forms of a list */
	{ "pahole -J --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --btf_features inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole --btf_encode --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --btf_features=func_addrs a.o", PAHOLE_ENCODE, FN, "a.o", 1 },
	{ "pahole -J --btf_features_strict=func_addrs a.o", PAHOLE_ENCODE, FN, "a.o", 1 },
	/* not one of ours: pahole ignores what it does not know */
	{ "pahole -J --btf_features=func_addr a.o", PAHOLE_EXEC, 0, "a.o", 1 },
	{ "pahole -J --btf_features=default,inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --btf_features=+inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --btf_features=+func_addrs,inline_locs a.o", PAHOLE_ENCODE, IN | FN,
	  "a.o", 1 },
	{ "pahole -J --btf_features=var,,inline_locs, a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --btf_features=all a.o", PAHOLE_ENCODE, IN | FN, "a.o", 1 },
	{ "pahole -J --btf_features_strict=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --btf_features_str=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --btf_features=var --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN,
	  "a.o", 1 },
	{ "pahole a.o --btf_features=inline_locs -J", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole --btf_encode_detached=x.btf --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole --btf_encode_d x.btf --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 1 },
	/* a value that looks like an option or a file */
	{ "pahole -C -J --btf_features=inline_locs a.o", PAHOLE_EXEC, IN, "a.o", 1 },
	{ "pahole --btf_base -J --btf_features=inline_locs a.o",
	  PAHOLE_EXEC, IN, "a.o", 1 },
	{ "pahole -J -C x --btf_base b -F btf --kabi_prefix k --lang c --hashbits 9 "
	  "--btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --padding_ge 4 --contains_enumerator E "
	  "--btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --count 3 --skip 4 --seek_bytes 5 --size_bytes 6 --range r "
	  "--header_type h --prettify p --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J -B 1 -c 2 -D 3 -f 4 -H 5 -i 6 -t 7 -w 8 -x 9 -X 10 -y 11 -z 12 "
	  "--btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	/* ambiguous here, one option in 1.24: the style is known all the same */
	{ "pahole -J --cont x --with --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN,
	  "a.o", 1 },
	/* clusters, optional values */
	{ "pahole -VJ --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -Jj4 --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 4 },
	{ "pahole -jJ --btf_features=inline_locs a.o", PAHOLE_EXEC, IN, "a.o", 1 },
	{ "pahole -JCx --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J -j --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 0 },
	{ "pahole -J -j 8 --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "8 a.o", 0 },
	{ "pahole -J -j8 --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 8 },
	{ "pahole -J --jobs=3 --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 3 },
	{ "pahole -J --jobs --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 0 },
	{ "pahole -J -j0 --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J -j99999999999 --btf_features=inline_locs a.o", PAHOLE_ENCODE, IN,
	  "a.o", 1024 },
	/* the end of the options, files among them */
	{ "pahole -J --btf_features=inline_locs a.o b.o c.o", PAHOLE_ENCODE, IN,
	  "a.o b.o c.o", 1 },
	{ "pahole a.o -J b.o --btf_features=inline_locs",
	  PAHOLE_ENCODE, IN, "a.o b.o", 1 },
	{ "pahole --btf_features=inline_locs a.o -- -J", PAHOLE_EXEC, IN, "a.o -J", 1 },
	{ "pahole -J --btf_features=inline_locs -- -x.o", PAHOLE_ENCODE, IN, "-x.o", 1 },
	{ "pahole -J --btf_features=inline_locs - a.o", PAHOLE_ENCODE, IN, "- a.o", 1 },
	/* pahole prints something and ends */
	{ "pahole --version -J --btf_features=inline_locs a.o", PAHOLE_EXEC, 0, "", 1 },
	{ "pahole -J --btf_features=inline_locs a.o --help", PAHOLE_EXEC, IN, "a.o", 1 },
	{ "pahole -J --btf_features=inline_locs -? a.o", PAHOLE_EXEC, IN, "", 1 },
	{ "pahole -J --btf_features=inline_locs --numeric_version a.o", PAHOLE_EXEC, IN,
	  "a.o", 1 },
	{ "pahole --supported_btf_features", PAHOLE_LIST_FEATURES, 0, "", 1 },
	{ "pahole --suppo", PAHOLE_LIST_FEATURES, 0, "", 1 },
	{ "pahole --help --supported_btf_features", PAHOLE_EXEC, 0, "", 1 },
	/* refused by the real one, which says why */
	{ "pahole -J --bogus --btf_features=inline_locs a.o",
	  PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J --btf_features=inline_locs a.o -C", PAHOLE_ENCODE, IN, "a.o", 1 },
	{ "pahole -J a.o --btf_features", PAHOLE_EXEC, 0, "a.o", 1 },
	{ "pahole -J --btf_feat=inline_locs a.o", PAHOLE_EXEC, 0, "a.o", 1 },
	{ "pahole --btf_enc --btf_features=inline_locs a.o", PAHOLE_EXEC, IN, "a.o", 1 },
};

static void check_parse(const struct parse_case *c)
{
	struct btf_locs_err err = { "" };
	struct pahole_args a;
	struct words w;
	char files[256];

	words__split(&w, c->line);
	assert_int_equal(pahole_args__parse(&a, w.nr, w.v, NULL, false, &err), 0);
	join(files, sizeof(files), a.files, a.nr_files);
	if (a.action != c->action || a.features != c->features || a.jobs != c->jobs ||
	    strcmp(files, c->files))
		fail_msg("%s: action %d, features %u, jobs %u, files '%s'", c->line,
			 a.action, a.features, a.jobs, files);
	pahole_args__free(&a);
}

static void test_parse(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(parse_cases) / sizeof(parse_cases[0]); i++)
		check_parse(&parse_cases[i]);
}

static void test_parse_values(void **state)
{
	struct btf_locs_err err = { "" };
	struct pahole_args a;
	struct words w;

	(void)state;
	words__split(&w, "pahole -JV --btf_base vm --lang=c11 "
			 "--btf_features=inline_locs x");
	assert_int_equal(pahole_args__parse(&a, w.nr, w.v, NULL, false, &err), 0);
	assert_true(a.verbose);
	assert_string_equal(a.btf_base, "vm");
	assert_string_equal(a.lang, "c11");
	assert_false(a.lang_excludes);
	assert_null(a.detached);
	pahole_args__free(&a);

	/* as pahole 1.24 was seen to do it: once excluding, always excluding */
	words__split(&w, "pahole --btf_encode_detached o --lang_exclude=rust --lang c x");
	assert_int_equal(pahole_args__parse(&a, w.nr, w.v, NULL, false, &err), 0);
	assert_string_equal(a.detached, "o");
	assert_string_equal(a.lang, "c");
	assert_true(a.lang_excludes);
	assert_false(a.verbose);
	assert_null(a.btf_base);
	pahole_args__free(&a);
}

static void test_parse_posix(void **state)
{
	struct btf_locs_err err = { "" };
	struct pahole_args a;
	struct words w;

	(void)state;
	words__split(&w, "pahole --btf_features=inline_locs a.o -J");
	assert_int_equal(pahole_args__parse(&a, w.nr, w.v, NULL, true, &err), 0);
	assert_int_equal(a.action, PAHOLE_EXEC);
	assert_int_equal(a.nr_files, 2);
	pahole_args__free(&a);
}

static int parse_env(const char *line, const char *env, struct pahole_args *a,
		     struct btf_locs_err *err)
{
	static struct words w;

	words__split(&w, line);
	return pahole_args__parse(a, w.nr, w.v, env, false, err);
}

static void test_environment(void **state)
{
	struct btf_locs_err err = { "" };
	struct pahole_args a;

	(void)state;
	assert_int_equal(parse_env("pahole -J a.o", "inline_locs", &a, &err), 0);
	assert_int_equal(a.action, PAHOLE_ENCODE);
	assert_int_equal(a.features, IN);
	assert_false(a.old_lists);
	pahole_args__free(&a);

	assert_int_equal(parse_env("pahole -J --btf_features=var a.o",
				   "default,inline_locs", &a, &err), 0);
	assert_int_equal(a.features, IN);
	assert_true(a.old_lists);
	pahole_args__free(&a);

	assert_int_equal(parse_env("pahole -J a.o", "all", &a, &err), 0);
	assert_int_equal(a.action, PAHOLE_ENCODE);
	assert_int_equal(a.features, IN | FN);
	pahole_args__free(&a);

	assert_int_equal(parse_env("pahole -J a.o", "", &a, &err), 0);
	assert_int_equal(a.action, PAHOLE_EXEC);
	pahole_args__free(&a);

	/* where nothing is encoded it is not looked at */
	assert_int_equal(parse_env("pahole a.o", "nonsense", &a, &err), 0);
	assert_int_equal(a.action, PAHOLE_EXEC);
	assert_int_equal(a.features, 0);
	pahole_args__free(&a);

	assert_int_equal(parse_env("pahole -J a.o", "inline_locs,nonsense", &a, &err),
			 -EINVAL);
	assert_string_equal(err.text,
			    "unknown feature 'nonsense' in PAHOLE_LOCS_FEATURES");
	assert_int_equal(parse_env("pahole -J a.o", "func_addr", &a, &err), -EINVAL);
	assert_string_equal(err.text,
			    "unknown feature 'func_addr' in PAHOLE_LOCS_FEATURES");
}

static void test_detached_takes_one(void **state)
{
	struct btf_locs_err err = { "" };
	struct pahole_args a;

	(void)state;
	assert_int_equal(parse_env("pahole --btf_encode_detached=x a.o b.o",
				   "inline_locs", &a, &err), -EINVAL);
	assert_non_null(strstr(err.text, "takes one object file, not 2"));
	/* without ours it is pahole's business */
	assert_int_equal(parse_env("pahole --btf_encode_detached=x a.o b.o", NULL,
				   &a, &err), 0);
	assert_int_equal(a.action, PAHOLE_EXEC);
	pahole_args__free(&a);
}

/* ---- what the real pahole gets ---- */

/* Of `pahole --help` the lines that matter; 1.25 has two options more. */
#define HELP_124 \
	"      --btf_encode_force     Ignore those symbols found invalid\n" \
	"      --btf_gen_all          Allow using all the BTF features\n" \
	"      --btf_gen_floats       Allow producing BTF_KIND_FLOAT entries.\n" \
	"      --skip_encoding_btf_decl_tag\n" \
	"      --skip_encoding_btf_enum64   Do not encode ENUM64sin BTF.\n" \
	"      --skip_encoding_btf_type_tag\n" \
	"      --skip_encoding_btf_vars   Do not encode VARs in BTF.\n"
#define HELP_125 HELP_124 \
	"      --btf_gen_optimized    Generate BTF for functions with\n" \
	"      --skip_encoding_btf_inconsistent_proto\n"
#define LIST_128 \
	"encode_force,var,float,decl_tag,type_tag,enum64,optimized_func," \
	"consistent_func,decl_tag_kfuncs,reproducible_build,distilled_base,global_var\n"

static const struct pahole_real_info real_124 = { "/r/pahole", 124, HELP_124, NULL };
static const struct pahole_real_info real_125 = { "/r/pahole", 125, HELP_125, NULL };
static const struct pahole_real_info real_126 = { "/r/pahole", 126, NULL, NULL };
static const struct pahole_real_info real_128 = { "/r/pahole", 128, NULL, LIST_128 };

struct forward_case {
	const struct pahole_real_info *real;
	const char *line;
	const char *forward;	/* behind the path; NULL: refused */
	const char *err;
};

static const struct forward_case forward_cases[] = {
	/* 1.28: our names are taken out, nothing else changes */
	{ &real_128, "p -J --btf_features=inline_locs a.o", "-J a.o", NULL },
	{ &real_128, "p -J --btf_features inline_locs,inline_locs a.o", "-J a.o", NULL },
	{ &real_128, "p -J --btf_features=inline_locs,func_addrs a.o", "-J a.o", NULL },
	{ &real_128, "p -J --btf_features=func_addrs,var a.o",
	  "-J --btf_features=var a.o", NULL },
	{ &real_128, "p -J --btf_features=inline_locs,func_addr a.o",
	  "-J --btf_features=func_addr a.o", NULL },
	{ &real_128, "p -J --btf_features_strict=inline_locs,func_addr a.o", NULL,
	  "unknown feature 'func_addr' in --btf_features_strict" },
	{ &real_124, "p -J --btf_features_strict=inline_locs,func_addr a.o", NULL,
	  "unknown feature 'func_addr' in --btf_features_strict" },
	{ &real_128, "p -J --btf_features=default,inline_locs a.o",
	  "-J --btf_features=default a.o", NULL },
	{ &real_128, "p -J --btf_features var,inline_locs,float a.o",
	  "-J --btf_features=var,float a.o", NULL },
	{ &real_128, "p -J --btf_features=+inline_locs a.o",
	  "-J --btf_features=default a.o", NULL },
	{ &real_128, "p -J --btf_features=+reproducible_build,inline_locs -j1 a.o",
	  "-J --btf_features=default,reproducible_build -j1 a.o", NULL },
	{ &real_128, "p -J --btf_features=var --btf_features=inline_locs a.o",
	  "-J --btf_features=var a.o", NULL },
	{ &real_128, "p -J --btf_features +var --btf_features=inline_locs -- -a.o",
	  "-J --btf_features +var -- -a.o", NULL },
	{ &real_128, "p -J --btf_features=new_one,inline_locs a.o",
	  "-J --btf_features=new_one a.o", NULL },
	{ &real_128, "p -J --btf_features=all a.o", "-J --btf_features=all a.o", NULL },
	{ &real_128, "p -J --btf_features_strict=var,inline_locs a.o",
	  "-J --btf_features_strict=var a.o", NULL },
	{ &real_128, "p -J --btf_features_s=inline_locs,var a.o",
	  "-J --btf_features_strict=var a.o", NULL },
	{ &real_128, "p -J --btf_features_strict=inline_locs a.o", "-J a.o", NULL },
	{ &real_128, "p -J --btf_encode_force --skip_encoding_btf_vars "
	  "--btf_features=inline_locs a.o",
	  "-J --btf_encode_force --skip_encoding_btf_vars a.o", NULL },
	{ &real_128, "p -J --btf_features_strict=inline_locs,x a.o", NULL,
	  "unknown feature 'x' in --btf_features_strict" },
	{ &real_128, "p -J --btf_features_strict=+true_signature,inline_locs a.o", NULL,
	  "unknown feature 'true_signature' in --btf_features_strict" },
	{ &real_128, "p -J --btf_features_strict=va,inline_locs a.o", NULL,
	  "unknown feature 'va' in --btf_features_strict" },
	/* 1.26: 'default' and '+' are not known there yet */
	{ &real_126, "p -J --btf_features=+inline_locs a.o",
	  "-J --btf_features=encode_force,var,float,decl_tag,type_tag,enum64,"
	  "optimized_func,consistent_func a.o", NULL },
	{ &real_126, "p -J --btf_features=all,inline_locs a.o",
	  "-J --btf_features=all a.o", NULL },
	/* 1.24: single options, as far as it has them */
	{ &real_124, "p -J --btf_features=inline_locs a.o", "-J a.o", NULL },
	{ &real_124, "p -J --btf_gen_floats --btf_features inline_locs a.o",
	  "-J --btf_gen_floats a.o", NULL },
	{ &real_124, "p -J --btf_features=default,inline_locs a.o",
	  "-J --btf_encode_force --btf_gen_floats a.o", NULL },
	{ &real_124, "p -J --btf_features=+inline_locs a.o",
	  "-J --btf_encode_force --btf_gen_floats a.o", NULL },
	{ &real_124, "p -J --btf_features=all a.o",
	  "-J --btf_encode_force --btf_gen_floats a.o", NULL },
	{ &real_124, "p -J --btf_features=var,inline_locs a.o",
	  "-J --skip_encoding_btf_decl_tag --skip_encoding_btf_type_tag "
	  "--skip_encoding_btf_enum64 a.o", NULL },
	{ &real_124, "p --btf_features=float,decl_tag,inline_locs -J -- a.o",
	  "--skip_encoding_btf_vars --btf_gen_floats --skip_encoding_btf_type_tag "
	  "--skip_encoding_btf_enum64 -J -- a.o", NULL },
	/* a feature that 1.24 does not have is passed over, but not in a strict list */
	{ &real_124, "p -J --btf_features=default,reproducible_build,new_one,"
	  "inline_locs a.o",
	  "-J --btf_encode_force --btf_gen_floats a.o", NULL },
	{ &real_124, "p -J --btf_features_strict=inline_locs,optimized_func a.o", NULL,
	  "unknown feature 'optimized_func' in --btf_features_strict" },
	{ &real_124, "p -J --btf_features_strict=default,inline_locs,float a.o",
	  "-J --btf_encode_force --btf_gen_floats a.o", NULL },
	/* lists add up; an option before the first list is undone by it, not one after */
	{ &real_124, "p -J --btf_features=var,decl_tag --btf_features=inline_locs "
	  "--btf_features=type_tag,enum64 a.o", "-J a.o", NULL },
	{ &real_124, "p -J --btf_encode_force "
	  "--btf_features=var,decl_tag,type_tag,enum64,inline_locs a.o", "-J a.o", NULL },
	{ &real_124, "p -J --btf_features=default,inline_locs --skip_encoding_btf_v a.o",
	  "-J --btf_encode_force --skip_encoding_btf_vars --btf_gen_floats a.o", NULL },
	{ &real_124, "p -J --btf_features=var,decl_tag,type_tag,enum64,inline_locs "
	  "--btf_gen_all a.o", "-J --btf_gen_floats a.o", NULL },
	{ &real_125, "p -J --btf_features=default,inline_locs a.o",
	  "-J --btf_encode_force --btf_gen_floats --btf_gen_optimized "
	  "--skip_encoding_btf_inconsistent_proto a.o", NULL },
	{ &real_125, "p -J --btf_features_strict=inline_locs,optimized_func,var a.o",
	  "-J --skip_encoding_btf_decl_tag --skip_encoding_btf_type_tag "
	  "--skip_encoding_btf_enum64 --btf_gen_optimized a.o", NULL },
};

static void check_forward(const struct forward_case *c)
{
	struct btf_locs_err err = { "" };
	struct pahole_args a;
	char **out = NULL;
	struct words w;
	char got[512];
	size_t nr = 0;
	int rc;

	words__split(&w, c->line);
	assert_int_equal(pahole_args__parse(&a, w.nr, w.v, NULL, false, &err), 0);
	rc = pahole_args__forward(&a, c->real, &out, &err);
	pahole_args__free(&a);
	if (!c->forward) {
		if (rc != -EINVAL || strcmp(err.text, c->err) || out)
			fail_msg("%s: %d '%s'", c->line, rc, err.text);
		return;
	}
	assert_int_equal(rc, 0);
	while (out[nr])
		nr++;
	assert_string_equal(out[0], "/r/pahole");
	join(got, sizeof(got), (const char *const *)out + 1, nr - 1);
	if (strcmp(got, c->forward))
		fail_msg("%u: %s:\n  gives    '%s'\n  expected '%s'", c->real->version,
			 c->line, got, c->forward);
	pahole_argv__free(out);
}

static void test_forward(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(forward_cases) / sizeof(forward_cases[0]); i++)
		check_forward(&forward_cases[i]);
}

/* More arguments than the row of strings first has room for. */
static void test_forward_many(void **state)
{
	enum { NR = 1000 };
	struct btf_locs_err err = { "" };
	char *argv[NR + 4], **out = NULL;
	struct pahole_args a;
	int i;

	(void)state;
	argv[0] = "p";
	argv[1] = "-J";
	argv[2] = "--btf_features=inline_locs";
	for (i = 3; i < NR + 3; i++)
		argv[i] = "a.o";
	argv[i] = NULL;
	assert_int_equal(pahole_args__parse(&a, NR + 3, argv, NULL, false, &err), 0);
	assert_int_equal(a.nr_files, NR);
	assert_int_equal(pahole_args__forward(&a, &real_124, &out, &err), 0);
	for (i = 0; out[i]; i++)
		;
	assert_int_equal(i, NR + 2);
	pahole_argv__free(out);
	pahole_args__free(&a);
}

static void check_supported(const struct pahole_real_info *real, const char *want)
{
	char *line = pahole_args__supported(real);

	assert_non_null(line);
	assert_string_equal(line, want);
	free(line);
}

static void test_supported(void **state)
{
	(void)state;
	check_supported(&real_124, "encode_force,var,float,decl_tag,type_tag,enum64,"
				   "inline_locs,func_addrs");
	check_supported(&real_125, "encode_force,var,float,decl_tag,type_tag,enum64,"
				   "optimized_func,consistent_func,"
				   "inline_locs,func_addrs");
	check_supported(&real_128, "encode_force,var,float,decl_tag,type_tag,enum64,"
				   "optimized_func,consistent_func,decl_tag_kfuncs,"
				   "reproducible_build,distilled_base,global_var,"
				   "inline_locs,func_addrs");
}

/* Every option that stands for a feature leads to one, and back to its own name. */
static void test_single_options(void **state)
{
	static const char *const names[] = {
		"btf_attributes", "btf_encode_force", "btf_gen_floats",
		"btf_gen_optimized", "encode_btf_global_vars", "reproducible_build",
		"skip_encoding_btf_decl_tag",
		"skip_encoding_btf_enum64", "skip_encoding_btf_inconsistent_proto",
		"skip_encoding_btf_type_tag", "skip_encoding_btf_vars",
	};
	const struct pahole_opt_desc *d;
	size_t i;
	bool off;
	int f;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		d = pahole_opt__by_name(names[i], strlen(names[i]));
		assert_non_null(d);
		assert_int_equal(d->id, OPT_SINGLE);
		f = feature__by_option(names[i]);
		assert_in_range(f, 0, FEATURE_NR - 1);
		assert_string_equal(feature__option(f, &off), names[i]);
	}
	/* "--btf_gen_optimized" is not found in a longer or another word */
	f = feature__by_option("btf_gen_optimized");
	assert_false(feature__in_help(f, "--btf_gen_optimized_more\n"));
	assert_false(feature__in_help(f, "btf_gen_optimized\n"));
	assert_true(feature__in_help(f, "--btf_gen_optimized_more --btf_gen_optimized"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_values),
		cmocka_unit_test(test_parse_posix),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_detached_takes_one),
		cmocka_unit_test(test_forward),
		cmocka_unit_test(test_forward_many),
		cmocka_unit_test(test_supported),
		cmocka_unit_test(test_single_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
