// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_func_sym.c - a function's symbol and what its suffix tells, of symbols that `as` makes
 *
 * What the suffixes mean is in gcc's and clang's manuals; the names below are of the kinds that
 * kernels have.
 */
#include "elf_util.h"

#include "../../lib/elf_file.h"
#include "../../lib/func_sym.h"

#define ALL_OF(s) (s)->found, (s)->own, (s)->suffixed, (s)->part, (s)->changed, (s)->global

/* One function in 16 bytes: its symbols, as "@name", "%ifunc", "+label" or "=object". */
struct sym_case {
	const char *symbols;		/* '!' and '?' behind the mark: global, weak */
	const char *name;		/* of DWARF */
	const char *want;		/* found own suffixed part changed global, by their letters */
};

static const struct sym_case cases[] = {
	/* the name itself, with suffixes that keep the parameters, and that change them */
	{ "@plain", "plain", "fo" },
	{ "@llvm.llvm.1234567", "llvm", "fos" },
	{ "@isra.isra.0", "isra", "fosc" },
	{ "@cp.constprop.3", "cp", "fosc" },
	{ "@part.part.0", "part", "fospc" },
	{ "@both.part.0.isra.0", "both", "fospc" },
	{ "@bare.isra", "bare", "fosc" },
	{ "@priv.lto_priv.0", "priv", "fos" },
	{ "@privisra.lto_priv.0.isra.1", "privisra", "fosc" },
	/* a part of a suffix is not the suffix */
	{ "@nearly.israel.0", "nearly", "fos" },
	{ "@nearly2.partial", "nearly2", "fos" },
	{ "@nearly3.xisra.0", "nearly3", "fos" },
	{ "@nearly4.israel.isra.2", "nearly4", "fosc" },
	{ "@isra", "isra", "fo" },
	/* the rest of a function is no function */
	{ "@cold.cold", "cold", "" },
	{ "@cold2.isra.0.cold", "cold2", "" },
	{ "@cold3.cold.7", "cold3", "" },
	{ "@other.cold", "cold4", "" },
	{ "@colder.coldness", "colder", "fos" },
	/* labels and objects are none */
	{ "+label", "label", "" },
	{ "=object", "object", "" },
	{ "=object2 +object2a @func2", "func2", "fo" },
	{ "%ifunc", "ifunc", "fo" },
	/* another name: an alias, or an asm label */
	{ "@alias", "real", "f" },
	{ "@longer_name", "longer", "f" },
	{ "@short", "shorter", "f" },
	{ "@asm_label.isra.0", "source_name", "fsc" },
	{ "@asm_label2.part.1", "source_name2", "fspc" },
	{ "@asm_label3.llvm.9", "source_name3", "f" },
	{ "@anything", "", "f" },
	/* of several the one with the name, wherever it stands */
	{ "@one @alias1", "one", "fo" },
	{ "@alias2 @two", "two", "fo" },
	{ "@alias3.isra.0 @three", "three", "fo" },
	{ "@alias4 @four.isra.0", "four", "fosc" },
	{ "@five.cold @five.isra.0", "five", "fosc" },
	{ "@alias6 @alias6b.isra.0", "six", "f" },
	/* two functions that have become one: what is sure of both */
	{ "@seven @seven.isra.0", "seven", "foc" },
	{ "@eight.isra.0 @eight", "eight", "foc" },
	{ "@nine.part.0 @nine.isra.1", "nine", "fosc" },
	{ "@ten.part.0 @ten.part.1", "ten", "fospc" },
	{ "@eleven.llvm.1 @eleven.llvm.2", "eleven", "fos" },
	{ "@twelve.llvm.1 @twelve.constprop.2", "twelve", "fosc" },
	/* one that other units can call */
	{ "@!glob", "glob", "fog" },
	{ "@?weak", "weak", "fog" },
	{ "@!glob2.isra.0", "glob2", "foscg" },
	{ "@!label13", "source_name13", "fg" },
	/* of several the one with the name tells */
	{ "@!alias14 @fourteen", "fourteen", "fo" },
	{ "@fifteen @!fifteen.llvm.7", "fifteen", "fog" },
};

#define NR (sizeof(cases) / sizeof(*cases))

/* The source of all of them; @mark: what a function's type is written with. */
static char *source(char mark, const char *head)
{
	char *text = NULL, *p, copy[128], *name;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	fputs(head, out);
	for (i = 0; i < NR; i++) {
		snprintf(copy, sizeof(copy), "%s", cases[i].symbols);
		for (p = copy; (name = strtok(p, " ")); p = NULL) {
			if (name[1] == '!' || name[1] == '?') {
				fprintf(out, "\t.%s \"%s\"\n", name[1] == '!' ? "globl" : "weak",
					name + 2);
				name[1] = *name;
				name++;
			}
			/* one name twice in a file is one symbol */
			if (*name != '+')
				fprintf(out, "\t.type \"%s\", %c%s\n", name + 1, mark,
					*name == '=' ? "object" : *name == '%' ?
					"gnu_indirect_function" : "function");
			fprintf(out, "\"%s\":\n", name + 1);
		}
		fprintf(out, "\t.skip 16\n");
	}
	assert_int_equal(fclose(out), 0);
	return text;
}

static struct elf_file *open_it(const char *dir, const char *name)
{
	struct btf_locs_err err = { "" };
	struct elf_file *f = NULL;
	char *path = in_dir(dir, name);

	if (elf_file__open(path, &f, &err))
		fail_msg("%s: %s", name, err.text);
	free(path);
	return f;
}

static int build(void **state)
{
	static const char builds[] =
		"as x86.s -o x86.o;"
		"ld -Ttext=0x401000 -e 0x401000 x86.o -o x86;"
		"arm-linux-gnueabihf-as arm.s -o arm.o;"
		"echo '.section .text.a,\"ax\"; .type a,@function; a: .skip 16;"
		".section .text.b,\"ax\"; .type b,@function; b: .skip 16' > secs.s;"
		"as secs.s -o secs.o;"
		"gcc -O1 -c d.c; cp x86 stripped; strip stripped;"
		"gcc -O1 -shared -fPIC d.c -o d.so; cp d.so stripped.so; strip stripped.so;"
		"sed s/twice_called/other/ d.c > e.c; gcc -O1 -c e.c; ld -r d.o e.o -o both.o";
	static const char c_source[] =
		"__attribute__((noinline)) static int same(int v) { return v * 3; }\n"
		"#define OBJ __attribute__((used)) static int\n"
		"OBJ object __asm__(\"same.isra.0\"); OBJ var __asm__(\"same.x\");\n"
		"int twice_called(int v) { return same(v) + same(v + 1); }\n";
	char *path, *text;

	if (make_dir(state))
		return -1;
	path = in_dir(*state, "x86.s");
	text = source('@', "\t.text\n");
	spit(path, text, strlen(text));
	free(text);
	free(path);
	path = in_dir(*state, "arm.s");
	text = source('%', "\t.syntax unified\n\t.text\n\t.thumb\n");
	spit(path, text, strlen(text));
	free(text);
	free(path);
	path = in_dir(*state, "d.c");
	spit(path, c_source, sizeof(c_source) - 1);
	free(path);
	return sh(*state, builds);
}

static void check(const char *file, const struct sym_case *c, const struct func_sym *got)
{
	static const char letters[] = "fospcg";
	const bool has[] = { ALL_OF(got) };
	char text[8], *p = text;
	size_t i;

	for (i = 0; i < 6; i++)
		if (has[i])
			*p++ = letters[i];
	*p = 0;
	if (strcmp(text, c->want))
		fail_msg("%s: %s for %s: '%s', not '%s'", file, c->symbols, c->name, text, c->want);
}

/* @base: of .text, in a file that is linked. @ifuncs: the machine's kernels could have them. */
static void every_case(const char *dir, const char *name, uint64_t base, bool ifuncs)
{
	struct elf_file *f = open_it(dir, name);
	struct func_sym got;
	struct elf_sec s;
	size_t i;

	assert_int_equal(elf_file__sec_by_name(f, ".text", &s), 0);
	assert_int_equal(s.addr, base);
	for (i = 0; i < NR; i++) {
		if (*cases[i].symbols == '%' && !ifuncs)
			continue;
		memset(&got, 0xff, sizeof(got));
		assert_int_equal(func_sym__find(f, s.idx, 16 * i, base + 16 * i, cases[i].name, &got),
				 0);
		check(name, &cases[i], &got);
		/* only at its first byte */
		assert_int_equal(func_sym__find(f, s.idx, 16 * i + 8, base + 16 * i + 8,
						cases[i].name, &got), 0);
		assert_false(got.found || got.own || got.suffixed || got.part || got.changed || got.global);
	}
	elf_file__close(f);
}

static void test_relocatable(void **state)
{
	every_case(*state, "x86.o", 0, true);
}

static void test_linked(void **state)
{
	every_case(*state, "x86", 0x401000, true);
}

/* Bit 0 of a Thumb function's symbol is no part of its address. */
static void test_thumb(void **state)
{
	must(*state, "arm-linux-gnueabihf-readelf -sW arm.o > said;"
		     "grep -q ': 00000001 .* FUNC .* plain$' said;"
		     "no grep -q ': 00000000 .* FUNC' said");
	every_case(*state, "arm.o", 0, false);
}

static void test_sections(void **state)
{
	struct elf_file *f = open_it(*state, "secs.o");
	struct elf_sec a, b;
	struct func_sym got;

	assert_int_equal(elf_file__sec_by_name(f, ".text.a", &a), 0);
	assert_int_equal(elf_file__sec_by_name(f, ".text.b", &b), 0);
	/* both are at offset 0; the address, which libdwfl may have moved, is not looked at */
	assert_int_equal(func_sym__find(f, a.idx, 0, 0x1000, "b", &got), 0);
	assert_true(got.found && !got.own);
	assert_int_equal(func_sym__find(f, b.idx, 0, 0x1000, "b", &got), 0);
	assert_true(got.found && got.own);
	elf_file__close(f);
}

static void test_no_symbols(void **state)
{
	struct elf_file *f = open_it(*state, "stripped");
	struct func_sym got;
	struct elf_sec s;
	struct elf_sym sym;
	size_t pos = 0;

	assert_int_equal(elf_file__sec_by_name(f, ".text", &s), 0);
	assert_int_equal(func_sym__find(f, s.idx, 0, s.addr, "plain", &got), -ENOENT);
	elf_file__close(f);
	/* .dynsym has the exported one; of the other it says nothing */
	f = open_it(*state, "d.so");
	assert_int_equal(elf_file__sym_by_name(f, "twice_called", &pos, &sym), 0);
	elf_file__close(f);
	f = open_it(*state, "stripped.so");
	assert_int_equal(elf_file__sec_by_name(f, ".text", &s), 0);
	assert_int_equal(func_sym__find(f, s.idx, sym.value - s.addr, sym.value, "twice_called",
					&got), 0);
	assert_true(got.found && got.own && !got.suffixed);
	assert_int_equal(func_sym__find(f, s.idx, sym.value - s.addr + 1, sym.value + 1, "same",
					&got), -ENOENT);
	elf_file__close(f);
}

/* @file: names a place where 200 symbols stand, 100 of them of functions. */
static void check_crowd(const char *dir, const char *file, uint64_t base)
{
	static const struct {
		const char *name;
		bool own, suffixed, changed;
	} names[] = {
		{ "n7", true, false, false }, { "n99", true, false, false },
		/* all of NAME.suffix, and no other name that begins so */
		{ "f", true, false, true }, { "g", true, true, false }, { "h", true, true, true },
		{ "f.isra", true, true, false },
		/* the first function's of another name */
		{ "n", false, false, false }, { "o1", false, false, false },
		{ "nobody", false, false, false }, { "", false, false, false },
	};
	struct elf_file *f = open_it(dir, file);
	struct func_sym got;
	struct elf_sec s;
	size_t i;

	assert_int_equal(elf_file__sec_by_name(f, ".text", &s), 0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(func_sym__find(f, s.idx, 16, base + 16, names[i].name, &got), 0);
		if (!got.found || got.own != names[i].own ||
		    got.suffixed != names[i].suffixed || got.changed != names[i].changed)
			fail_msg("%s: %s: %d %d %d %d", file, names[i].name, got.found, got.own,
				 got.suffixed, got.changed);
	}
	/* beside it nothing stands, and at 0 one alone */
	assert_int_equal(func_sym__find(f, s.idx, 17, base + 17, "n7", &got), 0);
	assert_false(got.found);
	assert_int_equal(func_sym__find(f, s.idx, 0, base, "n7", &got), 0);
	assert_true(got.found && !got.own);
	elf_file__close(f);
}

/* Identical functions folded into one (gold, --icf=all): each still finds its own symbol. */
static void test_crowd(void **state)
{
	must(*state, "{ printf '.text\\n.type lone,@function\\nlone: .zero 16\\nat: .zero 16\\n';"
		     "for i in $(seq 0 99); do printf '.set o%d, at\\n' $i; done;"
		     "for n in f.cold first f-x fa f f.isra.0 f_ g.0 g.isra.0.cold h.constprop.1"
		     " h.llvm.5 $(seq -f n%g 0 99); do"
		     " printf '.type \"%s\",@function\\n.set \"%s\", at\\n' $n $n; done;"
		     "} > crowd.s; as crowd.s -o crowd.o;"
		     "ld -e 0 -Ttext=0x401000 crowd.o -o crowd");
	check_crowd(*state, "crowd.o", 0);
	check_crowd(*state, "crowd", 0x401000);
}

static void test_next(void **state)
{
	struct elf_file *f = open_it(*state, "both.o");
	struct elf_sym sym, first;
	size_t pos = 0;

	/* two static functions of one name; the objects same.isra.0 and same.x are neither */
	assert_int_equal(func_sym__next(f, "same", &pos, &first), 0);
	assert_string_equal(first.name, "same");
	assert_int_equal(first.type, STT_FUNC);
	assert_int_equal(func_sym__next(f, "same", &pos, &sym), 0);
	assert_string_equal(sym.name, "same");
	assert_int_equal(sym.type, STT_FUNC);
	assert_true(sym.value != first.value);
	assert_int_equal(func_sym__next(f, "same", &pos, &sym), -ENOENT);
	pos = 0;
	assert_int_equal(func_sym__next(f, "same.x", &pos, &sym), -ENOENT);
	pos = 0;
	assert_int_equal(func_sym__next(f, "sam", &pos, &sym), -ENOENT);
	elf_file__close(f);
	f = open_it(*state, "x86.o");
	pos = 0;
	assert_int_equal(func_sym__next(f, "label", &pos, &sym), -ENOENT);
	pos = 0;
	assert_int_equal(func_sym__next(f, "ifunc", &pos, &sym), 0);
	assert_int_equal(sym.type, STT_GNU_IFUNC);
	elf_file__close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_relocatable),
		cmocka_unit_test(test_linked),
		cmocka_unit_test(test_thumb),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_no_symbols),
		cmocka_unit_test(test_crowd),
		cmocka_unit_test(test_next),
	};

	return cmocka_run_group_tests_name("func_sym", tests, build, remove_dir);
}
