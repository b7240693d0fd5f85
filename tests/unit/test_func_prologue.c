// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_func_prologue.c - landing pads and tracers' calls at a function's first byte
 *
 * The code is what `as` makes of it, and what gcc and clang write with the options that ask for
 * it; lengths are those of the Intel SDM and the Arm ARM.
 */
#include "elf_util.h"

#include "../../lib/elf_file.h"
#include "../../lib/func_prologue.h"

enum { SLOT = 128 };

struct pad_case {
	const char *text;
	unsigned int bytes;
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

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

static unsigned int skipped(struct elf_file *f, uint32_t sec, uint64_t offset)
{
	struct func_prologue fp;
	unsigned int n;

	assert_int_equal(func_prologue__init(&fp, f), 0);
	n = func_prologue__skip(&fp, sec, offset);
	func_prologue__free(&fp);
	return n;
}

static void pads(const char *dir, const char *as, const struct pad_case *cases, size_t nr)
{
	char *path = in_dir(dir, "x.s"), *line = NULL;
	FILE *out = fopen(path, "w");
	struct elf_file *f;
	struct elf_sec s;
	unsigned int got;
	size_t i;

	assert_non_null(out);
	for (i = 0; i < nr; i++)
		fprintf(out, "%s\n\t.balign %d\n", cases[i].text, SLOT);
	assert_int_equal(fclose(out), 0);
	free(path);
	assert_true(asprintf(&line, "rm -f x.o; %s x.s -o x.o", as) > 0);
	must(dir, line);
	free(line);
	f = open_it(dir, "x.o");
	assert_int_equal(elf_file__sec_by_name(f, ".text", &s), 0);
	assert_int_equal(s.size, nr * SLOT);
	for (i = 0; i < nr; i++) {
		got = skipped(f, s.idx, i * SLOT);
		if (got != cases[i].bytes)
			fail_msg("%s: %s: %u bytes, not %u", as, cases[i].text, got,
				 cases[i].bytes);
	}
	/* no section, no code */
	assert_int_equal(skipped(f, 0, 0), 0);
	assert_int_equal(skipped(f, elf_file__nr_secs(f), 0), 0);
	assert_int_equal(skipped(f, s.idx, s.size), 0);
	assert_int_equal(skipped(f, s.idx, UINT64_MAX), 0);
	elf_file__close(f);
}

static void test_x86(void **state)
{
	static const struct pad_case cases[] = {
		{ "endbr64\n mov %edi, %eax", 4 },
		{ "call __fentry__\n ret", 5 },
		{ "endbr64\n call __fentry__\n ret", 9 },
		/* what the tracer leaves in its place */
		{ ".byte 0x0f,0x1f,0x44,0x00,0x00\n ret", 5 },
		{ "endbr64\n .byte 0x0f,0x1f,0x44,0x00,0x00\n ret", 9 },
		/* one of each, in this order */
		{ "endbr64\n endbr64\n ret", 4 },
		{ "call __fentry__\n endbr64\n ret", 5 },
		{ "call __fentry__\n call __fentry__\n ret", 5 },
		/* none */
		{ "ret", 0 }, { "mov %edi, %eax\n ret", 0 }, { "push %rbp\n endbr64", 0 },
		{ "jmp __fentry__", 0 }, { "call *%rax", 0 }, { "nopw 0(%rax,%rax)", 0 },
		{ "nopl 8(%rax,%rax)", 0 },
		{ ".byte 0xf3,0x0f,0x1e,0xc8", 0 },		/* rdsspd %eax */
	};
	static const struct pad_case small[] = {
		{ ".byte 0xf3,0x0f,0x1e,0xfb\n mov %edi, %eax", 4 },	/* endbr32 */
		{ "endbr32\n .byte 0x0f,0x1f,0x44,0x00,0x00\n ret", 9 }, { "ret", 0 },
	};

	pads(*state, "as", cases, NR(cases));
	pads(*state, "as --32", small, NR(small));
}

/* A call of anything else is the function's own work: what it returns is no parameter. */
static void test_other_calls(void **state)
{
	static const struct pad_case cases[] = {
		{ "call g\n mov %eax, %edi\n jmp sink", 0 },
		{ "endbr64\n call g\n mov %eax, %edi\n jmp sink", 4 },
		{ "call 1f\n 1: pop %rax", 0 },
	};

	pads(*state, "as", cases, NR(cases));
}

/* Places are told apart by their section, and a table's order does not count (.reloc). */
static void test_sections(void **state)
{
	struct elf_sec a, b, c;
	struct elf_file *f;

	must(*state, "printf '.section .a,\"ax\"\\n call __fentry__\\n call g\\n"
		     ".section .b,\"ax\"\\n call g\\n call __fentry__\\n"
		     ".section .c,\"ax\"\\n.byte 0xe8,0,0,0,0\\n.byte 0xe8,0,0,0,0\\n"
		     ".reloc 6, R_X86_64_PLT32, mcount - 4\\n"
		     ".reloc 1, R_X86_64_PLT32, _mcount - 4\\n' > s.s; as s.s -o s.o");
	f = open_it(*state, "s.o");
	assert_int_equal(elf_file__sec_by_name(f, ".a", &a), 0);
	assert_int_equal(elf_file__sec_by_name(f, ".b", &b), 0);
	assert_int_equal(elf_file__sec_by_name(f, ".c", &c), 0);
	assert_int_equal(skipped(f, a.idx, 0), 5);
	assert_int_equal(skipped(f, a.idx, 5), 0);
	assert_int_equal(skipped(f, b.idx, 0), 0);
	assert_int_equal(skipped(f, b.idx, 5), 5);
	assert_int_equal(skipped(f, c.idx, 0), 5);
	assert_int_equal(skipped(f, c.idx, 5), 5);
	elf_file__close(f);
}

static void test_arm64(void **state)
{
	static const struct pad_case cases[] = {
		{ ".inst 0xd503245f\n mov x0, x1", 4 },			/* bti c */
		{ "hint #34\n mov x0, x1", 4 }, { "hint #38\n ret", 4 },	/* bti c, jc */
		{ "hint #25\n ret", 4 }, { "hint #27\n ret", 4 },	/* paciasp, pacibsp */
		{ "nop\n nop\n ret", 8 }, { "hint #34\n nop\n nop\n hint #25\n ret", 16 },
		{ "hint #34\n hint #25\n stp x29, x30, [sp, #-16]!", 8 },
		/* hints that are others' */
		{ "ret", 0 }, { "yield\n nop", 0 }, { "mov x0, x1\n nop", 0 },
		{ "hint #36\n nop", 0 },				/* bti j: no call lands there */
		{ "bl _mcount", 0 }, { "hint #34\n mov x9, x30\n nop", 4 },
	};

	pads(*state, "aarch64-linux-gnu-as", cases, NR(cases));
	/* instructions are little-endian on both */
	pads(*state, "clang --target=aarch64_be-linux-gnu -c", cases, NR(cases));
}

static void test_others(void **state)
{
	static const struct pad_case nops[] = { { "nop\n nop\n nop", 0 } };

	pads(*state, "arm-linux-gnueabihf-as", nops, 1);
	pads(*state, "s390x-linux-gnu-as", nops, 1);
	pads(*state, "riscv64-linux-gnu-as -mno-relax", nops, 1);
	pads(*state, "powerpc64le-linux-gnu-as", nops, 1);
}

/* The section ends in the middle of a pad. */
static void test_cut_off(void **state)
{
	struct elf_file *f;
	struct elf_sec s;
	uint64_t i;

	must(*state, "printf '.byte 0xf3,0x0f,0x1e,0xfa,0xe8,0,0,0\\n' > c.s; as c.s -o c.o;"
		     "printf '.inst 0xd503245f\\n.byte 0x5f,0x24,0x03\\n' > d.s;"
		     "aarch64-linux-gnu-as d.s -o d.o");
	f = open_it(*state, "c.o");
	assert_int_equal(elf_file__sec_by_name(f, ".text", &s), 0);
	assert_int_equal(s.size, 8);
	assert_int_equal(skipped(f, s.idx, 0), 4);
	for (i = 1; i < 8; i++)
		assert_int_equal(skipped(f, s.idx, i), 0);
	elf_file__close(f);
	f = open_it(*state, "d.o");
	assert_int_equal(elf_file__sec_by_name(f, ".text", &s), 0);
	assert_int_equal(s.size, 7);
	assert_int_equal(skipped(f, s.idx, 0), 4);
	assert_int_equal(skipped(f, s.idx, 4), 0);
	elf_file__close(f);
}

/* @name's function f: what disassembly shows before its first own instruction. */
static void compiled(const char *dir, const char *command, unsigned int want)
{
	struct elf_file *f;
	struct elf_sym sym;
	struct elf_sec s;
	size_t pos = 0;

	must(dir, "echo 'int f(int v) { return v * 3; } int main(void) { return f(2); }' > f.c");
	must(dir, command);
	f = open_it(dir, "f.bin");
	assert_int_equal(elf_file__sym_by_name(f, "f", &pos, &sym), 0);
	assert_int_equal(elf_file__sec(f, sym.shndx, &s), 0);
	if (skipped(f, s.idx, sym.value - s.addr) != want)
		fail_msg("%s: not %u", command, want);
	elf_file__close(f);
}

static void test_compiled(void **state)
{
	compiled(*state, "gcc -O2 -fcf-protection=none -c f.c -o f.bin", 0);
	compiled(*state, "gcc -O2 -fcf-protection=full -c f.c -o f.bin", 4);
	compiled(*state, "gcc -O2 -fcf-protection=full -mfentry -pg -fno-pic -c f.c -o f.bin", 9);
	compiled(*state, "gcc -O2 -mfentry -pg -mnop-mcount -fno-pic -fcf-protection=none -c f.c"
			 " -o f.bin", 5);
	compiled(*state, "clang -O2 -fcf-protection=full -mfentry -pg -c f.c -o f.bin", 9);
	/* linked: the call's target is in the code itself */
	compiled(*state, "printf '.globl __fentry__\\n__fentry__: ret\\n"
			 ".section .note.GNU-stack\\n' > e.s;"
			 "clang -O2 -fcf-protection=none -mfentry -pg -no-pie f.c e.s -o f.bin", 5);
	compiled(*state, "aarch64-linux-gnu-gcc -O2 -mbranch-protection=standard -c f.c -o f.bin",
		 4);
	compiled(*state, "aarch64-linux-gnu-gcc -O2 -mbranch-protection=bti"
			 " -fpatchable-function-entry=2 -c f.c -o f.bin", 12);
	/* the code is in the file that this one was made from */
	compiled(*state, "gcc -O2 -g -fcf-protection=full -c f.c -o f.o;"
			 "objcopy --only-keep-debug f.o f.bin", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_other_calls),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_compiled),
	};

	return cmocka_run_group_tests_name("func_prologue", tests, make_dir, remove_dir);
}
