// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_btf_types_levels.c - DWARF types -> ids of a module's BTF that repeats the base's
 *
 * Both levels are made by pahole of a source each, as if there were no other, and the
 * second is then moved above the first. So everything that both sources have stands
 * in both, as where a module was made by another pahole than its kernel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dwarf.h>
#include <time.h>

#include "../../lib/btf_types_internal.h"
#include "../../lib/die.h"
#include "blob.h"
#include "compile_util.h"

struct levels {
	struct opened dwarf;
	uint8_t *data[2];
	size_t size[2];
	struct btf_chain *chain;
	struct btf_types *types;
	struct locs_set set;
	uint32_t first;			/* id of the module's first type */
	const char *expect;		/* "f:b g:m ..." */
	unsigned int seen;
	uint64_t steps;
	bool limited;
};

/* Whether words 0 and 2 of a kind's elements are a string's offset and a type. */
static void move_type(uint8_t *p, uint32_t types, uint32_t strs, uint32_t *next)
{
	uint32_t w[3], kind, vlen, i, v, step = 0, name = 1, type = 0;

	memcpy(w, p, sizeof(w));
	kind = LOCS_INFO_KIND(w[1]);
	vlen = LOCS_INFO_VLEN(w[1]);
	if (w[0])
		w[0] += strs;
	switch (kind) {
	case BTF_K_PTR: case BTF_K_TYPEDEF: case BTF_K_VOLATILE: case BTF_K_CONST:
	case BTF_K_RESTRICT: case BTF_K_FUNC: case BTF_K_FUNC_PROTO: case BTF_K_VAR:
	case BTF_K_TYPE_TAG: case BTF_K_DECL_TAG:
		w[2] += w[2] ? types : 0;
	}
	memcpy(p, w, sizeof(w));
	*next = 12;
	switch (kind) {
	case BTF_K_INT: case BTF_K_VAR: case BTF_K_DECL_TAG:
		*next += 4;
		return;
	case BTF_K_ARRAY:
		for (i = 0; i < 2; i++) {
			memcpy(&v, p + 12 + 4 * i, 4);
			v += types;
			memcpy(p + 12 + 4 * i, &v, 4);
		}
		*next += 12;
		return;
	case BTF_K_STRUCT: case BTF_K_UNION:
		step = 12;
		type = 1;
		break;
	case BTF_K_ENUM:
		step = 8;
		break;
	case BTF_K_ENUM64:
		step = 12;
		break;
	case BTF_K_FUNC_PROTO:
		step = 8;
		type = 1;
		break;
	case BTF_K_DATASEC:
		step = 12;
		name = 0;
		break;
	}
	for (p += 12, i = 0; i < vlen; i++, p += step) {
		memcpy(w, p, 8);
		if (!name)
			w[0] += types;
		else if (w[0])
			w[0] += strs;
		if (type && w[1])
			w[1] += types;
		memcpy(p, w, 8);
	}
	*next += step * vlen;
}

/* Moves a BTF of its own above one of @types types and @strs string bytes. */
static void move_above(uint8_t *data, uint32_t types, uint32_t strs)
{
	uint32_t hdr_len, off, len, next;
	uint8_t *p, *end;

	memcpy(&hdr_len, data + 4, 4);
	memcpy(&off, data + 8, 4);
	memcpy(&len, data + 12, 4);
	p = data + hdr_len + off;
	for (end = p + len; p < end; p += next)
		move_type(p, types, strs, &next);
	assert_ptr_equal(p, end);
	/* a split one has no empty string at its start: "" stays the base's */
	memcpy(&off, data + 16, 4);
	assert_int_equal(data[hdr_len + off], 0);
	data[hdr_len + off] = '.';
}

static uint8_t *read_file(const char *dir, const char *name, size_t *size)
{
	char path[128];
	uint8_t *data;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	*size = ftell(f);
	rewind(f);
	data = malloc(*size);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, *size, f), *size);
	fclose(f);
	return data;
}

/* The BTF of base.o, that of mod.o above it, and the DWARF of dwarf.o. */
static void open_levels(struct levels *l, const char *dir)
{
	struct btf_locs_err err = { "" };

	work_dir__run(dir, "for f in base mod; do pahole -J $f.o && objcopy -O binary -j .BTF "
		      "--set-section-flags .BTF=alloc $f.o $f.btf; done");
	l->data[0] = read_file(dir, "base.btf", &l->size[0]);
	l->data[1] = read_file(dir, "mod.btf", &l->size[1]);
	opened__open(&l->dwarf, dir, "dwarf.o");
	l->chain = btf_chain__new();
	if (btf_chain__add(l->chain, l->data[0], l->size[0], false, &err))
		fail_msg("%s", err.text);
	l->first = btf_chain__nr_types(l->chain);
	move_above(l->data[1], l->first - 1, btf_chain__str_size(l->chain));
	if (btf_chain__add(l->chain, l->data[1], l->size[1], false, &err))
		fail_msg("%s", err.text);
	assert_int_equal(btf_chain__index(l->chain), 0);
	assert_int_equal(btf_chain__find_twins(l->chain), 0);
	l->types = btf_types__new(l->chain);
	assert_non_null(l->types);
	locs_set__init(&l->set);
}

static void close_levels(struct levels *l)
{
	btf_types__free(l->types);
	locs_set__free(&l->set);
	btf_chain__free(l->chain);
	free(l->data[0]);
	free(l->data[1]);
	opened__close(&l->dwarf);
}

static void unit_begin(void *arg)
{
	struct levels *l = arg;

	locs_set__reset(&l->set);
	btf_types__begin(l->types, &l->set);
}

static void unit_end(void *arg)
{
	(void)arg;
}

/* The first parameter's type is of the level that is expected, and so is what it points at. */
static void check_function(void *arg, Dwarf_Die *die)
{
	const char *name = die__name(die), *want;
	struct btf_param_view p;
	struct levels *l = arg;
	struct btf_type_view v;
	size_t anew = l->set.nr_types;
	char key[32], is;
	tref_t ref;

	snprintf(key, sizeof(key), "%s:", name);
	want = strstr(l->expect, key);
	assert_non_null(want);
	want += strlen(key);
	assert_int_equal(btf_types__proto(l->types, die, &ref), 0);
	l->limited |= btf_types__limited(l->types);
	l->steps += STEPS_MAX - l->types->pairs.steps;
	l->seen++;
	if (*want == 'n') {	/* neither level has it */
		assert_true(ref >= btf_chain__nr_types(l->chain));
		return;
	}
	if (l->set.nr_types > anew)
		fail_msg("%s: a %u '%s' is described anew", name, l->set.types[anew].kind,
			 l->set.types[anew].name);
	assert_int_equal(btf_chain__type(l->chain, ref, &v), 0);
	assert_int_equal(v.kind, BTF_K_FUNC_PROTO);
	/* its FUNC is found by it, whichever level's ids it names */
	if (!btf_chain__find_ref(l->chain, BTF_K_FUNC, name, ref, 0))
		fail_msg("%s: its FUNC is not found", name);
	assert_int_equal(btf_chain__param(l->chain, &v, 0, &p), 0);
	assert_int_equal(btf_chain__type(l->chain, p.type, &v), 0);
	while (v.kind == BTF_K_PTR)
		assert_int_equal(btf_chain__type(l->chain, v.size, &v), 0);
	is = v.id < l->first ? 'b' : 'm';
	if (is != *want)
		fail_msg("%s: of %c, not %c (id %u of %u)", name, is, *want, v.id, l->first);
}

static void check_with(const char *compile, const char *base, const char *mod,
		       const char *expect, unsigned int nr)
{
	struct levels l = { .expect = expect };
	char dir[64];

	work_dir__make(dir);
	work_dir__write(dir, "base.c", base);
	work_dir__write(dir, "mod.c", mod);
	work_dir__run(dir, compile);
	open_levels(&l, dir);
	assert_int_equal(for_each_function(l.dwarf.df.dw, unit_begin, check_function, unit_end, &l),
			 nr);
	assert_int_equal(l.seen, nr);
	assert_false(l.limited);
	close_levels(&l);
	work_dir__remove(dir);
}

#define COMPILE(cc) cc " -w -g -O1 -c base.c && " cc " -w -g -O1 -c mod.c && cp mod.o dwarf.o"

static void check(const char *base, const char *mod, const char *expect, unsigned int nr)
{
	check_with(COMPILE("gcc"), base, mod, expect, nr);
	check_with(COMPILE("clang"), base, mod, expect, nr);
}

/* What both levels have the same is the base's. */
static void test_same(void **state)
{
	static const char types[] =
		"struct a { struct b *b; int i; }; struct b { struct a *a, **aa; struct c *c; };\n"
		"struct c { struct c *self; int (*f)(struct a *, const char *s, ...); };\n"
		"typedef int t1; typedef t1 t2; typedef struct b *bp; struct td { t2 t; bp b; };\n"
		"struct anon { struct { int x; struct a *a; }; union { long l; char c[8]; } u;\n"
		"\tenum { P, Q = -7 } e; };\n"
		"enum big { SMALL = 1, LARGE = 0x123456789aULL }; struct e64 { enum big b; };\n"
		"struct bits { unsigned a:3, b:5; int :4; int c:20; unsigned char e:1; };\n"
		"struct flex { int n; struct a items[]; }; struct opaque;\n"
		"struct fwd { struct opaque *o; const volatile struct a *const cv; };\n"
		"typedef struct { t2 z; struct td *d; } anon_td; union un { int i; t1 t; };\n"
		"enum plain { X, Y = 9 };\n";
	static const char funcs[] =
		"int fa(struct a *p) { return 0; } int fb(struct b *p) { return 0; }\n"
		"int fc(struct c *p) { return 0; } int ftd(struct td *p) { return 0; }\n"
		"int ft2(t2 p) { return 0; } int fbp(bp p) { return 0; }\n"
		"int fanon(struct anon *p) { return 0; } int fe64(struct e64 *p) { return 0; }\n"
		"int fbits(struct bits *p) { return 0; } int fflex(struct flex *p) { return 0; }\n"
		"int ffwd(struct fwd *p) { return 0; } int fat(anon_td *p) { return 0; }\n"
		"int fun(union un *p) { return 0; } int fpl(enum plain p) { return 0; }\n"
		"int fbig(enum big p) { return 0; } int fi(int p) { return 0; }\n";
	char base[4096], mod[4096];

	(void)state;
	snprintf(base, sizeof(base), "%s%s", types, funcs);
	/* others first, so that no id is the same */
	snprintf(mod, sizeof(mod), "struct more { struct more *m; long l; };\n"
		 "int fmore(struct more *p) { return 0; }\n%s%s", types, funcs);
	check(base, mod, "fmore:m fa:b fb:b fc:b ftd:b ft2:b fbp:b fanon:b fe64:b fbits:b "
	      "fflex:b ffwd:b fat:b fun:b fpl:b fbig:b fi:b ", 17);
}

/* One member deep within differs: what reaches it is the module's, the rest the base's. */
static void test_deep(void **state)
{
	static const char fmt[] =
		"struct leaf { %s v; int pad[4]; }; struct node { struct leaf *l; struct top *t; };\n"
		"struct top { struct node *n; struct free *f; }; struct free { struct free *f; int i; };\n"
		"typedef struct top top_t; typedef top_t *top_p; typedef struct free free_t;\n"
		"struct fn { int (*f)(struct leaf *); }; struct fn2 { int (*f)(struct free *); };\n"
		"struct arr { struct node *a[3]; }; struct arr2 { free_t *a[3]; };\n"
		"struct in { struct { union { struct leaf *l; long n; }; } s; };\n"
		"int f1(struct leaf *p) { return 0; } int f2(struct node *p) { return 0; }\n"
		"int f3(struct top *p) { return 0; } int f4(struct free *p) { return 0; }\n"
		"int f5(top_p p) { return 0; } int f6(free_t *p) { return 0; }\n"
		"int f7(struct fn *p) { return 0; } int f8(struct fn2 *p) { return 0; }\n"
		"int f9(struct arr *p) { return 0; } int fa(struct arr2 *p) { return 0; }\n"
		"int fb(struct in *p) { return 0; }\n";
	static const char expect[] = "f1:m f2:m f3:m f4:b f5:m f6:b f7:m f8:b f9:m fa:b fb:m ";
	/* of one size each, so that names and sizes do not tell them apart */
	static const char *const pairs[][2] = {
		{ "int", "unsigned" }, { "long *", "int *" }, { "enum { A } *", "enum { B } *" },
	};
	char base[4096], mod[4096];
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		snprintf(base, sizeof(base), fmt, pairs[i][0]);
		snprintf(mod, sizeof(mod), fmt, pairs[i][1]);
		check_with(COMPILE("gcc"), base, mod, expect, 11);
		check_with(COMPILE("clang"), mod, base, expect, 11);
	}
}

/* Single things in which two structs of one name, size and member names can differ. */
static void test_members(void **state)
{
	static const char *const pairs[][2] = {
		{ "struct x *m", "struct y *m" },
		{ "struct x m", "struct y m" },
		{ "n1 m", "n2 m" },
		{ "int m; n1 k", "int m; n3 k" },
		{ "int *m", "const int *m" },
		{ "int a:3, b:5", "int a:4, b:4" },
		{ "int (*m)(int a)", "int (*m)(long a)" },
		{ "int (*m)(int a)", "void (*m)(int a)" },
		{ "int (*m)(int a)", "int (*m)(int a, ...)" },
		{ "int m[2]", "unsigned m[2]" },
		{ "int m[2][3]", "int m[3][3]" },
		{ "int n; struct x m[]", "int n; struct y m[]" },
		{ "union { int a; n1 b; } m", "union { int a; n2 b; } m" },
		{ "struct { int a; }; int b", "struct { n1 a; }; int b" },
		{ "enum { A1 = 1, B1 } m", "enum { A1 = 1, B1 = 3 } m" },
		{ "enum { A2 = 1, B2 } m", "enum { A2 = 1, C2 } m" },
		{ "enum { A3 = 0x100000000, B3 } m", "enum { A3 = 0x200000000, B3 } m" },
		{ "volatile int m", "int m" },
		{ "void *m", "char *m" },
		{ "int **m", "int *m" },
	};
	static const char head[] = "struct x { int i; }; struct y { int i; }; typedef int n1;\n"
		"typedef int n2; typedef n1 n3; int h(struct x *p) { return 0; }\n";
	char text[2][16384], expect[2048] = "h:b ";
	unsigned int i, j, nr = sizeof(pairs) / sizeof(pairs[0]);
	size_t len[2];

	(void)state;
	for (j = 0; j < 2; j++)
		len[j] = sprintf(text[j], "%s", head);
	for (i = 0; i < nr; i++) {
		for (j = 0; j < 2; j++)
			len[j] += sprintf(text[j] + len[j],
					  "struct s%u { %s; }; struct u%u { struct s%u *s; };\n"
					  "int f%u(struct s%u *p) { return 0; }\n"
					  "int g%u(struct u%u *p) { return 0; }\n",
					  i, pairs[i][j], i, i, i, i, i, i);
		sprintf(expect + strlen(expect), "f%u:m g%u:m ", i, i);
	}
	assert_true(len[0] < sizeof(text[0]) && len[1] < sizeof(text[1]));
	check(text[0], text[1], expect, 2 * nr + 1);
	check(text[1], text[0], expect, 2 * nr + 1);
}

/*
 * Declarations. A struct that a unit has whole is not one that the base only declares, where the
 * module has it whole; what a unit only declares is the one that the rest leaves.
 */
static void test_declared(void **state)
{
	static const char base[] =
		"struct d; struct s { struct d *d; int i; }; struct e { int i; };\n"
		"struct v { struct e *e; int *p; }; struct k { struct e *e; };\n"
		"int f(struct s *p) { return 0; } int g(struct v *p) { return 0; }\n"
		"int q(struct k *p) { return 0; } int r(struct e *p) { return 0; }\n";
	static const char mod[] =
		"struct d { int i; }; struct s { struct d *d; int i; }; struct e { long i; };\n"
		"struct v { struct e *e; long *p; }; struct k { struct e *e; };\n"
		"int f(struct s *p) { return 0; } int g(struct v *p) { return 0; }\n"
		"int q(struct k *p) { return 0; } int r(struct e *p) { return 0; }\n";
	static const char two[] =
		"gcc -w -g -c base.c && sed '/int f/,$d' mod.c > types.h && gcc -w -g -c mod.c -o m1.o &&"
		"printf 'struct e; struct v { struct e *e; long *p; }; struct k { struct e *e; };"
		"int x(struct v *p) { return 0; } int y(struct k *p) { return 0; }' > m2.c &&"
		"gcc -w -g -c m2.c && ld -r m1.o m2.o -o mod.o && cp mod.o dwarf.o";

	(void)state;
	/* y: the base's k and the module's can both be meant */
	check_with(two, base, mod, "f:m g:m q:m r:m x:m y:n ", 6);
}

/*
 * @n structs that refer to each other, and @leaf, which the last one has. Each is reached in
 * many ways.
 */
static char *ring(unsigned int n, const char *leaf)
{
	size_t size = 4096 + n * 160, len = 0;
	char *text = malloc(size);
	unsigned int i;

	assert_non_null(text);
	len += snprintf(text + len, size - len, "struct leaf { %s v; };\n", leaf);
	for (i = 0; i < n; i++)
		len += snprintf(text + len, size - len,
				"struct s%u { struct s%u *a; struct s%u *b; struct s%u *c;"
				"%s int i; };\n", i, (i + 1) % n, (i * 7 + 3) % n,
				(i * i + 5) % n, i == n - 1 ? "struct leaf *l;" : "");
	snprintf(text + len, size - len, "int f(struct s0 *p) { return 0; }\n"
		 "int g(struct s%u *p) { return 0; }\n", n / 2);
	return text;
}

/* Steps that the prototypes of such a module take, which must be few seconds. */
static uint64_t ring_steps(unsigned int n, const char *leaf_base, const char *leaf_mod,
			   const char *leaf_dwarf, const char *expect)
{
	const char *const leaves[] = { leaf_base, leaf_mod, leaf_dwarf };
	static const char *const names[] = { "base.c", "mod.c", "dwarf.c" };
	struct levels l = { .expect = expect };
	char dir[64], *text;
	unsigned int i;
	clock_t from;

	work_dir__make(dir);
	for (i = 0; i < 3; i++) {
		text = ring(n, leaves[i]);
		work_dir__write(dir, names[i], text);
		free(text);
	}
	work_dir__run(dir, "gcc -w -g -c base.c mod.c dwarf.c");
	open_levels(&l, dir);
	from = clock();
	for_each_function(l.dwarf.df.dw, unit_begin, check_function, unit_end, &l);
	assert_true(clock() - from < 2 * CLOCKS_PER_SEC);
	assert_false(l.limited);
	close_levels(&l);
	work_dir__remove(dir);
	return l.steps;
}

/* The same in both; different in the base; different in both, so that all is described anew. */
static void test_growth(void **state)
{
	static const char *const leaves[][4] = {
		{ "int", "int", "int", "f:b g:b " },
		{ "long", "int", "int", "f:m g:m " },
		{ "long", "char", "int", "f:n g:n " },
	};
	uint64_t once, twice;
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		once = ring_steps(500, leaves[i][0], leaves[i][1], leaves[i][2], leaves[i][3]);
		twice = ring_steps(1000, leaves[i][0], leaves[i][1], leaves[i][2], leaves[i][3]);
		/* what is reached in one more way grows a little by itself */
		if (twice > once * 5 / 2 + 100)
			fail_msg("%u: %u steps, then %u", i, (unsigned int)once, (unsigned int)twice);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_declared),
		cmocka_unit_test(test_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
