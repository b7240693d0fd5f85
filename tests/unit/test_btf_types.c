// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_btf_types.c - DWARF types of compiled sources -> ids, against what pahole wrote
 *
 * Each source is compiled by gcc and by clang, given a .BTF by pahole, and every
 * function's prototype must come out as the very id that pahole's FUNC of that name
 * has. Over an empty base the same types are described anew, and compared with pahole's
 * member by member.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dwarf.h>

#include "../../btf_encoder_locs.h"
#include "../../lib/btf_base.h"
#include "../../lib/btf_types.h"
#include "../../lib/die.h"
#include "blob.h"
#include "compile_util.h"

#define FUNCS_MAX 64

struct run {
	struct opened o;
	struct btf_base *base;
	struct btf_chain *chain;
	struct btf_types *types;
	struct locs_set set;
	struct btf_encoder_locs *enc;	/* NULL: ids are compared with the chain's */
	struct loc none[FUNCS_MAX];
	uint8_t why[FUNCS_MAX];
};

static void unit_begin(void *arg)
{
	struct run *r = arg;

	locs_set__reset(&r->set);
	btf_types__begin(r->types, &r->set);
}

/* The prototype is that of pahole's FUNC, and nothing had to be described. */
static void compare_function(void *arg, Dwarf_Die *die)
{
	const char *name = die__name(die);
	struct btf_type_view v;
	struct run *r = arg;
	uint32_t id;
	tref_t ref;

	id = btf_chain__find(r->chain, BTF_K_FUNC, name, 0);
	if (!id)
		fail_msg("pahole has no %s", name);
	assert_int_equal(btf_chain__type(r->chain, id, &v), 0);
	if (btf_types__proto(r->types, die, &ref))
		fail_msg("%s: not resolved", name);
	if (ref != v.size)
		fail_msg("%s: prototype %u, pahole's is %u", name, ref, v.size);
	assert_int_equal(r->set.nr_types, 0);
}

static void unit_nothing(void *arg)
{
	(void)arg;
}

/* Runs @commands, which leave "obj" with DWARF and .BTF in it, and compares. */
static void check_same(const char *const sources[2], const char *commands,
	unsigned int nr)
{
	struct btf_locs_err err = { "" };
	struct run r = { 0 };
	char dir[64];

	work_dir__make(dir);
	work_dir__write(dir, "a.c", sources[0]);
	work_dir__write(dir, "b.c", sources[1]);
	work_dir__run(dir, commands);
	opened__open(&r.o, dir, "obj");
	if (btf_base__open(r.o.path, r.o.file, NULL, 0, &r.base, &err))
		fail_msg("%s", err.text);
	r.chain = btf_base__chain(r.base);
	assert_int_equal(btf_chain__index(r.chain), 0);
	r.types = btf_types__new(r.chain);
	assert_non_null(r.types);
	locs_set__init(&r.set);
	assert_int_equal(for_each_function(r.o.df.dw, unit_begin, compare_function,
		unit_nothing,
					   &r), nr);
	btf_types__free(r.types);
	locs_set__free(&r.set);
	btf_base__close(r.base);
	opened__close(&r.o);
	work_dir__remove(dir);
}

static const char many_types[] =
	"#include <stdarg.h>\n"
	"struct self { struct self *next, **pp; int v; };\n"
	"struct anon { struct { int x, y; }; union { long l; char c[8]; } u; };\n"
	"struct bits { unsigned a:3, b:5; int :4; int c:20; long d:40;\n"
	"\tunsigned char e:1; };\n"
	"struct flex { int n; struct self items[]; };\n"
	"struct fwd; union ufwd; enum color { RED, GREEN = -5, BLUE = 1 << 30 };\n"
	"enum big { SMALL = 1, LARGE = 0x123456789aULL };\n"
	"enum neg64 { N = -0x123456789aLL };\n"
	"typedef int (*cb_t)(struct self *, const char *, ...);\n"
	"typedef struct { int z; } anon_td; typedef enum { A1, B1 } anon_enum;\n"
	"typedef struct self self_t; typedef self_t *self_p; typedef void nothing;\n"
	"struct ops { int (*open)(struct ops *, int); void (*none)(void); cb_t cb; };\n"
	"struct loop_a { struct loop_b *b; }; struct loop_b { struct loop_a *a; };\n"
	"void f0(void) {}\n"
	"int f1(int a, unsigned b, char c, signed char d, unsigned char e,\n"
	"\tshort g) { return a; }\n"
	"long f2(long a, unsigned long b, long long c, _Bool d,\n"
	"\tunsigned short e) { return a; }\n"
	"struct self *f3(struct self *p, struct self **q) { return p; }\n"
	"void f4(struct anon *a, struct bits *b, struct flex *c) {}\n"
	"void f5(struct fwd *a, union ufwd *b, enum color c) {}\n"
	"void f6(enum big a, enum neg64 b, anon_enum c) {}\n"
	"void f7(cb_t cb, int (*fn)(int, char *), void (*g)(void),\n"
	"\tint (*v)(int, ...)) {}\n"
	"void f8(const char *a, char *const b, volatile int *c, char *restrict d,\n"
	"	const volatile long *e, const void *g, void *h) {}\n"
	"void f9(int (*a)[3], int (*b)[2][5], int c[4], char (*d)[]) {}\n"
	"int f10(const char *fmt, ...) { return 0; }\n"
	"anon_td f11(anon_td *a, self_t *b, self_p c, struct self d) { return *a; }\n"
	"void f12(struct ops *o, struct loop_b *b, struct loop_a *a) {}\n"
	"static __attribute__((noinline, used)) int f13(nothing *p,\n"
	"\tunion { int i; float f; } *u)\n"
	"{ return u->i; }\n"
	"void f14(int *const *const volatile *p, va_list ap) {}\n";

/* Structs and typedefs of one name that differ, and some that are the same. */
static const char one_name_a[] =
	"struct s { int a; long b; };\n"
	"struct same { struct same *next; struct s *other; };\n"
	"typedef int num; typedef struct s *sp; enum e { X, Y }; union u { int i; };\n"
	"struct deep { struct { struct s *p; } in; }; struct known { int k; };\n"
	"int a1(struct s *p, num n) { return p->a; }\n"
	"sp a2(struct same *p, enum e e, union u *u) { return p->other; }\n"
	"int a3(struct deep *d, int (*fn)(struct s *)) { return 0; }\n"
	"int a4(struct known *k) { return k->k; }\n"
	"int a5(struct same **p, const struct s *const q) { return 0; }\n";
static const char one_name_b[] =
	"struct s { int a; int c; int d; int e; }; struct known;\n"
	"struct same { struct same *next; struct s *other; };\n"
	"typedef long num; typedef struct s *sp; enum e { X, Z };\n"
	"union u { long l; int i; };\n"
	"struct deep { struct { struct s *p; } in; };\n"
	"int b1(struct s *p, num n) { return p->c; }\n"
	"sp b2(struct same *p, enum e e, union u *u) { return p->other; }\n"
	"int b3(struct deep *d, int (*fn)(struct s *)) { return 0; }\n"
	"int b4(struct known *k) { return !k; }\n"
	"int b5(struct same **p, const struct s *const q) { return 0; }\n";

static const char tags[] =
	"#define user __attribute__((btf_type_tag(\"user\")))\n"
	"#define rcu __attribute__((btf_type_tag(\"rcu\")))\n"
	"struct t { int user *p; struct t rcu *next; };\n"
	"int t1(int user *p, int *q) { return *p; }\n"
	"int t2(int user rcu *p) { return *p; }\n"
	"int t3(int rcu user *p) { return *p; }\n"
	"int t4(int user *rcu *p, const int user *q) { return **p; }\n"
	"int t5(struct t *t, struct t user *u, void user *v) { return 0; }\n"
	"int t6(int (*fn)(char user *), const char rcu *const user *p) { return 0; }\n"
	/* compared member by member, having no name, and first met here */
	"int t7(struct { long user rcu *p; long rcu user *q; } *s) { return 0; }\n";

static void test_gcc(void **state)
{
	const char *const src[] = { many_types, "int x;\n" };

	(void)state;
	check_same(src, "gcc -w -g -O2 -c a.c -o obj && pahole -J obj", 15);
	check_same(src, "gcc -w -gdwarf-4 -O0 -c a.c -o obj && pahole -J obj", 15);
	/* a .BTF without FLOAT is one without ENUM64 too, in older pahole */
	check_same(src, "gcc -w -g -O1 -c a.c -o obj &&"
		   "pahole -J --btf_gen_floats --skip_encoding_btf_enum64 obj", 15);
}

static void test_clang(void **state)
{
	const char *const src[] = { many_types, "int x;\n" };

	(void)state;
	check_same(src, "clang -w -g -O1 -c a.c -o obj && pahole -J obj", 15);
	check_same(src, "clang -w -gdwarf-5 -O0 -c a.c -o obj && pahole -J obj", 15);
}

static void test_one_name(void **state)
{
	const char *const src[] = { one_name_a, one_name_b };

	(void)state;
	check_same(src, "gcc -g -O1 -c a.c && gcc -g -O1 -c b.c &&"
		   "ld -r a.o b.o -o obj && pahole -J obj", 10);
	check_same(src, "clang -g -O1 -c a.c && clang -g -O1 -c b.c &&"
		   "ld -r a.o b.o -o obj && pahole -J obj", 10);
	check_same(src, "gcc -g -O1 -shared -nostdlib -fPIC b.c a.c -o obj &&"
		   "pahole -J obj", 10);
}

static void test_type_tags(void **state)
{
	const char *const src[] = { tags, "int x;\n" };

	(void)state;
	check_same(src, "clang -g -O1 -c a.c -o obj && pahole -J obj &&"
		   "bpftool btf dump file obj | grep -q \"TYPE_TAG 'user'\"", 7);
}

/* Describes a function, to be written with a record of it, no parameter located. */
static void describe_function(void *arg, Dwarf_Die *die)
{
	struct run *r = arg;
	struct locs_set *set = &r->set;
	struct btf_type_view v;
	struct set_func f = { .name = die__name(die) };
	struct set_rec rec = { .sec = 1, .func = set->nr_funcs };
	const struct set_type *t;

	if (btf_types__proto(r->types, die, &f.proto))
		fail_msg("%s: not resolved", f.name);
	/* the empty base has none of it */
	assert_true(f.proto >= btf_chain__nr_types(r->chain));
	assert_int_not_equal(btf_chain__type(r->chain, f.proto, &v), 0);
	t = &set->types[f.proto - btf_chain__nr_types(r->chain)];
	f.nr_params = t->nr;
	if (t->nr && !set->elems[t->first + t->nr - 1].type)
		f.nr_params--;
	assert_int_equal(array__room(set->funcs, set->nr_funcs, set->cap_funcs, 1), 0);
	set->funcs[set->nr_funcs++] = f;
	assert_int_equal(array__room(set->recs, set->nr_recs, set->cap_recs, 1), 0);
	set->recs[set->nr_recs++] = rec;
}

static void unit_encode(void *arg)
{
	struct run *r = arg;
	struct locs_set set = r->set;
	struct btf_locs_err err = { "" };

	set.locs = r->none;
	set.reasons = r->why;
	assert_int_equal(btf_encoder_locs__add(r->enc, &set, &err), 0);
}

/*
 * What a unit only declares stays a FWD of ours, where pahole takes another's
 * definition.
 */
static bool is_declared(const struct btf_type_view *v, const struct btf_type_view *w)
{
	return (v->kind == BTF_K_STRUCT || v->kind == BTF_K_UNION) &&
		w->kind == BTF_K_FWD &&
	       w->kflag == (v->kind == BTF_K_UNION);
}

/* Whether types of two chains are alike, @depth types deep; an array's index aside. */
static bool alike(const struct btf_chain *a, uint32_t x, const struct btf_chain *b,
	uint32_t y,
		  int depth)
{
	struct btf_type_view v, w;
	struct btf_member_view m, n;
	struct btf_param_view p, q;
	struct btf_array_view s, t;
	uint32_t i, name[2];
	uint64_t val[2];

	assert_int_equal(btf_chain__type(a, x, &v), 0);
	assert_int_equal(btf_chain__type(b, y, &w), 0);
	if (strcmp(btf_chain__name(a, x), btf_chain__name(b, y)))
		return false;
	if (is_declared(&v, &w))
		return true;
	if (v.kind != w.kind || v.vlen != w.vlen || v.kflag != w.kflag)
		return false;
	if (!depth)
		return true;
	switch (v.kind) {
	case BTF_K_STRUCT:
	case BTF_K_UNION:
		for (i = 0; i < v.vlen; i++)
			if (btf_chain__member(a, &v, i, &m) || btf_chain__member(b, &w, i,
				&n) ||
			    m.bit_off != n.bit_off || m.bit_size != n.bit_size ||
			    strcmp(btf_chain__str(a, m.name_off),
			    btf_chain__str(b, n.name_off)) ||
			    !alike(a, m.type, b, n.type, depth - 1))
				return false;
		return v.size == w.size;
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
		for (i = 0; i < v.vlen; i++)
			if (btf_chain__enumerator(a, &v, i, &name[0], &val[0]) ||
			    btf_chain__enumerator(b, &w, i, &name[1], &val[1]) ||
			    val[0] != val[1] ||
			    strcmp(btf_chain__str(a, name[0]),
			    btf_chain__str(b, name[1])))
				return false;
		return v.size == w.size;
	case BTF_K_FUNC_PROTO:
		for (i = 0; i < v.vlen; i++)
			if (btf_chain__param(a, &v, i, &p) || btf_chain__param(b, &w, i,
				&q) ||
			    strcmp(btf_chain__str(a, p.name_off),
			    btf_chain__str(b, q.name_off)) ||
			    !alike(a, p.type, b, q.type, depth - 1))
				return false;
		return alike(a, v.size, b, w.size, depth - 1);
	case BTF_K_ARRAY:
		return !btf_chain__array(a, &v, &s) && !btf_chain__array(b, &w, &t) &&
		       s.nelems == t.nelems && alike(a, s.type, b, t.type, depth - 1);
	case BTF_K_VOID:
	case BTF_K_FWD:
		return true;
	case BTF_K_INT:
	case BTF_K_FLOAT:
		return v.size == w.size;
	default:
		return alike(a, v.size, b, w.size, depth - 1);
	}
}

/* Every FUNC of pahole's has one of ours that is alike. */
static void compare_chains(const struct run *r, const struct btf_chain *ours,
	unsigned int nr)
{
	struct btf_locs_err err = { "" };
	struct btf_type_view v;
	struct btf_base *base;
	struct btf_chain *c;
	unsigned int n = 0;
	uint32_t id, own;

	if (btf_base__open(r->o.path, r->o.file, NULL, 0, &base, &err))
		fail_msg("%s", err.text);
	c = btf_base__chain(base);
	for (id = 1; !btf_chain__type(c, id, &v); id++) {
		if (v.kind != BTF_K_FUNC)
			continue;
		own = btf_chain__find(ours, BTF_K_FUNC, btf_chain__name(c, id), 0);
		if (!own || !alike(c, id, ours, own, 8))
			fail_msg("%s is not as pahole has it", btf_chain__name(c, id));
		n++;
	}
	assert_int_equal(n, nr);
	btf_base__close(base);
}

/* The reader takes the section, upon the empty base, with a record for each function. */
static void open_with_reader(const char *dir, const void *base, size_t base_size,
			     const struct wbuf *sec, unsigned int nr)
{
	char paths[2][128];
	const char *bases[] = { paths[0] };
	struct btf_locs_err err = { "" };
	struct btf_locs_open_opts opts = {
		.sz = sizeof(opts), .bases = bases, .nr_bases = 1, .err = &err,
	};
	struct btf_locs_rec rec;
	struct btf_locs *locs;
	FILE *f;
	int i;

	for (i = 0; i < 2; i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s/%s", dir, i ? "sec" : "base");
		f = fopen(paths[i], "w");
		assert_non_null(f);
		assert_int_equal(fwrite(i ? sec->data : base, i ? sec->len : base_size, 1,
			f), 1);
		assert_int_equal(fclose(f), 0);
	}
	if (btf_locs__open(paths[1], &opts, &locs))
		fail_msg("%s", err.text);
	assert_int_equal(btf_locs__nr_secs(locs), 1);
	assert_int_equal(btf_locs__rec(locs, 0, nr - 1, &rec), 0);
	assert_int_equal(btf_locs__rec(locs, 0, nr, &rec), -ERANGE);
	btf_locs__close(locs);
}

static void check_described(const char *const sources[2], const char *commands,
			    unsigned int nr)
{
	static const struct locs_section secs[] = { { 0 }, { ".text", 0, 4096 } };
	static const struct locs_object obj = {
		.machine = 62, .build_id = "", .secs = secs, .nr_secs = 2,
	};
	struct btf_locs_err err = { "" };
	struct run r = { 0 };
	struct wbuf out;
	struct blob b;
	uint8_t *data;
	size_t size;
	char dir[64];

	work_dir__make(dir);
	work_dir__write(dir, "a.c", sources[0]);
	work_dir__write(dir, "b.c", sources[1]);
	work_dir__run(dir, commands);
	opened__open(&r.o, dir, "obj");
	blob__init(&b, false);
	data = blob__finish(&b, 24, &size);
	r.chain = btf_chain__new();
	assert_int_equal(btf_chain__add(r.chain, data, size, false, &err), 0);
	assert_int_equal(btf_chain__index(r.chain), 0);
	r.types = btf_types__new(r.chain);
	r.enc = btf_encoder_locs__new(r.chain, false);
	assert_non_null(r.types);
	assert_non_null(r.enc);
	memset(r.why, LOC_EMPTY, sizeof(r.why));
	locs_set__init(&r.set);
	assert_int_equal(for_each_function(r.o.df.dw, unit_begin, describe_function,
		unit_encode,
					   &r), nr);
	assert_int_equal(btf_encoder_locs__encode(r.enc, &obj, &out, &err), 0);
	if (btf_chain__add(r.chain, out.data, out.len, true, &err))
		fail_msg("%s", err.text);
	assert_int_equal(btf_chain__index(r.chain), 0);
	compare_chains(&r, r.chain, nr);
	open_with_reader(dir, data, size, &out, nr);
	btf_encoder_locs__free(r.enc);
	btf_types__free(r.types);
	locs_set__free(&r.set);
	btf_chain__free(r.chain);
	free(data);
	blob__free(&b);
	wbuf__free(&out);
	opened__close(&r.o);
	work_dir__remove(dir);
}

static void test_empty_base(void **state)
{
	const char *const src[] = { many_types, "int x;\n" };
	const char *const two[] = { one_name_a, one_name_b };
	const char *const tag[] = { tags, "int x;\n" };

	(void)state;
	check_described(src, "gcc -w -g -O2 -c a.c -o obj &&"
			"pahole -J --btf_gen_floats obj", 15);
	check_described(src, "clang -w -g -O1 -c a.c -o obj &&"
			"pahole -J --btf_gen_floats obj",
			15);
	check_described(two, "gcc -g -O1 -c a.c && gcc -g -O1 -c b.c &&"
			"ld -r a.o b.o -o obj && pahole -J obj", 10);
	check_described(tag, "clang -g -O1 -c a.c -o obj && pahole -J obj", 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gcc),
		cmocka_unit_test(test_clang),
		cmocka_unit_test(test_one_name),
		cmocka_unit_test(test_type_tags),
		cmocka_unit_test(test_empty_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
