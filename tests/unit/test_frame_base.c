// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_frame_base.c - canonical frame addresses, against readelf's reading of the CFI
 *
 * Every row of every FDE that `readelf --debug-dump=frames-interp` lists is asked for at
 * its first address, and at the last before the next row.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <gelf.h>
#include <inttypes.h>

#include "../../lib/frame_base.h"
#include "compile_util.h"

/* Calls that push and pop, a frame pointer where asked for, a frame of variable size. */
static const char source[] =
	"extern int g(int *, int); extern void h(void);\n"
	"int pushes(int a, int b, int c) { int x[9]; int r = g(x, a); r += g(x, b);\n"
	"	return r + g(x, c) + x[0] * r; }\n"
	"int leaf(int a) { return a * 3; }\n"
	"int dynamic(int n) { int x[n]; int r = g(x, n); h(); return r + x[n / 2]; }\n"
	"int tail(int *p) { if (*p) h(); return g(p, 1); }\n";

/* DWARF registers by readelf's names, in the order of each psABI's table. */
static const char *const names_x86_64[] = {
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
	"r12", "r13", "r14", "r15", NULL,
};
static const char *const names_i386[] = {
	"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", NULL,
};
static const char *const names_riscv[] = {
	"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3",
	"a4", "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11",
	"t3", "t4", "t5", "t6", NULL,
};

/* The machine's DWARF register of a name as readelf writes it. */
static int reg_number(uint16_t machine, const char *name)
{
	const char *const *names = NULL;
	int i, n;

	if (machine == EM_X86_64)
		names = names_x86_64;
	else if (machine == EM_386)
		names = names_i386;
	else if (machine == EM_RISCV)
		names = names_riscv;
	for (i = 0; names && names[i]; i++)
		if (!strcmp(names[i], name))
			return i;
	/* arm, s390 and ppc64: r15 is 15; AArch64: x29 is 29, and sp is 31 */
	if (!names && machine == EM_AARCH64 && !strcmp(name, "sp"))
		return 31;
	if (!names && sscanf(name, machine == EM_AARCH64 ? "x%d" : "r%d", &n) == 1)
		return n;
	fail_msg("register %s of machine %u", name, machine);
	return -1;
}

/* What is asked, and of which machine. */
struct asked {
	struct frame_cfi *cfi;
	uint16_t machine;
};

static void check_cfa(const struct asked *q, uint64_t addr, const char *reg, int64_t off)
{
	uint32_t got_reg = 99;
	int64_t got_off = 99;

	if (frame_cfi__cfa(q->cfi, addr, &got_reg, &got_off))
		fail_msg("%" PRIx64 ": no CFA, readelf has %s%+" PRId64, addr, reg, off);
	if ((int)got_reg != reg_number(q->machine, reg) || got_off != off)
		fail_msg("%" PRIx64 ": register %u%+" PRId64 ", readelf has %s%+" PRId64,
			 addr, got_reg, got_off, reg, off);
}

/* Where .text was laid out, in a relocatable file: readelf counts from its start. */
static uint64_t text_addr(const struct opened *o)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;

	if (elf_file__type(o->file) != ET_REL)
		return 0;
	assert_int_equal(elf_getshdrstrndx(o->df.elf, &names), 0);
	while ((scn = elf_nextscn(o->df.elf, scn)))
		if (gelf_getshdr(scn, &shdr) &&
		    !strcmp(elf_strptr(o->df.elf, names, shdr.sh_name), ".text"))
			return shdr.sh_addr;
	fail_msg("no .text");
	return 0;
}

/* A row being followed: it holds up to the next one, or the FDE's end. */
struct row {
	bool there;
	uint64_t end;
	char reg[8];
	int64_t off;
};

/* One line of an FDE: 1 where it is a row. "exp": a computed CFA, which is no answer. */
static unsigned int check_row(const struct asked *q, const char *line, uint64_t text,
			      struct row *row)
{
	char reg[8] = "";
	uint64_t addr;
	int64_t off = 0, none;
	uint32_t none_reg;
	int n = sscanf(line, "%16" SCNx64 " %7[a-z0-9]%" SCNd64, &addr, reg, &off);
	bool computed = n == 2 && !strcmp(reg, "exp");

	if (n != 3 && !computed)
		return 0;
	addr += text;
	if (row->there)
		check_cfa(q, addr - 1, row->reg, row->off);
	row->there = !computed;
	row->off = off;
	strcpy(row->reg, reg);
	if (computed)
		assert_int_equal(frame_cfi__cfa(q->cfi, addr, &none_reg, &none), -ENOENT);
	else
		check_cfa(q, addr, reg, off);
	return 1;
}

/*
 * Reads readelf's lines: "... FDE cie=... pc=LOW..HIGH", then "LOC  REG+OFF ..." for
 * each row. Returns the number of rows.
 */
static unsigned int check_readelf(const struct opened *o, const struct asked *q)
{
	unsigned int rows = 0;
	struct row row = { 0 };
	char line[512], *pc;
	uint64_t low, high, text = text_addr(o);
	FILE *f;

	snprintf(line, sizeof(line), "readelf --debug-dump=frames-interp %s 2>/dev/null",
		o->path);
	f = popen(line, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		pc = strstr(line, " FDE ") ? strstr(line, "pc=") : NULL;
		if (pc || strstr(line, " CIE ")) {
			if (row.there)
				check_cfa(q, row.end - 1, row.reg, row.off);
			row = (struct row){ 0 };
			if (pc) {
				if (sscanf(pc, "pc=%" SCNx64 "..%" SCNx64, &low,
					   &high) != 2)
					fail_msg("readelf wrote: %s", line);
				row.end = high + text;
			}
		} else if (row.end) {
			rows += check_row(q, line, text, &row);
		}
	}
	if (row.there)
		check_cfa(q, row.end - 1, row.reg, row.off);
	assert_int_equal(pclose(f), 0);
	return rows;
}

static void check_build(const char *commands)
{
	struct frame_cfi *cfi;
	struct asked q;
	struct opened o;
	uint32_t reg = 99;
	int64_t off = 99;
	char dir[64];

	work_dir__make(dir);
	work_dir__write(dir, "a.c", source);
	work_dir__run(dir, commands);
	opened__open(&o, dir, "obj");
	cfi = frame_cfi__new(o.df.dw, o.df.elf);
	assert_non_null(cfi);
	q = (struct asked){ cfi, elf_file__machine(o.file) };
	/* the functions have as many rows at least */
	assert_true(check_readelf(&o, &q) >= 7);
	/* the same question again, and one that has no answer, twice */
	assert_int_equal(frame_cfi__cfa(cfi, 0xdead0000, &reg, &off), -ENOENT);
	assert_int_equal(frame_cfi__cfa(cfi, 0xdead0000, &reg, &off), -ENOENT);
	assert_int_equal(reg, 99);
	assert_int_equal(off, 99);
	assert_true(check_readelf(&o, &q) >= 7);
	frame_cfi__free(cfi);
	opened__close(&o);
	work_dir__remove(dir);
}

/* readelf ends a file without CFI lines with status 0 too: the number of rows tells. */
static void test_eh_frame(void **state)
{
	(void)state;
	check_build("gcc -g -O2 -shared -nostdlib -fPIC a.c -o obj");
	check_build("gcc -g -O0 -shared -nostdlib -fPIC a.c -o obj");
	check_build("clang -g -O1 -shared -nostdlib -fPIC a.c -o obj");
}

static void test_debug_frame(void **state)
{
	(void)state;
	check_build("gcc -g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables"
		    " -shared"
		    " -nostdlib -fPIC a.c -o obj &&"
		    "readelf -SW obj | grep -q debug_frame");
}

static void test_relocatable(void **state)
{
	(void)state;
	check_build("gcc -g -O2 -c a.c -o obj");
	check_build("gcc -g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables"
		    " -c a.c -o obj && readelf -SW obj | grep -q debug_frame");
	/* .text is not the first */
	check_build("echo 'int data[9] = { 1 };' > b.c; gcc -g -O0 -c a.c &&"
		    "gcc -g -c b.c &&"
		    "ld -r b.o a.o -o obj");
}

/* The other machines: their compilers, and what more is asked of them. */
static void check_machine(const char *compile, const char *link)
{
	char commands[512];

	snprintf(commands, sizeof(commands), "%s -g -O2 -c a.c -o obj", compile);
	check_build(commands);
	snprintf(commands, sizeof(commands), "%s -g -O2 -fPIC -c a.c -o a.o && %s -shared"
		 " -nostdlib a.o -o obj", compile, link);
	check_build(commands);
}

static void test_machines(void **state)
{
	(void)state;
	/* rows for DW_CFA_AARCH64_negate_ra_state, which is no row of the CFA's */
	check_machine("aarch64-linux-gnu-gcc -mbranch-protection=standard",
		      "aarch64-linux-gnu-gcc");
	check_machine("clang-19 --target=aarch64-linux-gnu -mbranch-protection=standard",
		      "ld.lld-19");
	check_machine("s390x-linux-gnu-gcc", "s390x-linux-gnu-gcc");
	check_machine("clang-19 --target=s390x-linux-gnu", "ld.lld-19");
	check_machine("arm-linux-gnueabihf-gcc -marm", "arm-linux-gnueabihf-gcc");
	check_machine("arm-linux-gnueabihf-gcc -mthumb", "arm-linux-gnueabihf-gcc");
	check_machine("clang-19 --target=arm-linux-gnueabihf", "ld.lld-19");
	check_machine("powerpc64le-linux-gnu-gcc", "powerpc64le-linux-gnu-gcc");
	check_machine("clang-19 --target=powerpc64le-linux-gnu", "ld.lld-19");
	check_machine("i686-linux-gnu-gcc -mregparm=3", "i686-linux-gnu-gcc");
	check_machine("clang-19 --target=i686-linux-gnu", "ld.lld-19");
}

/*
 * RISC-V's linker takes out instructions, so in a .o every distance in the CFI is a pair of
 * relocations: R_RISCV_SET6 and SUB6, or SET8 and SUB8.
 */
static void test_riscv(void **state)
{
	(void)state;
	check_machine("riscv64-linux-gnu-gcc", "riscv64-linux-gnu-gcc");
	check_machine("riscv64-linux-gnu-gcc -fasynchronous-unwind-tables -gz",
		      "riscv64-linux-gnu-gcc");
	check_build("riscv64-linux-gnu-gcc -g -O2 -gz -c a.c -o obj");
	/* distances of 8 and of 16 bits */
	check_build("sed 's/h();/h(); __asm__(\".zero 100\");/' a.c >b.c &&"
		    "riscv64-linux-gnu-gcc -g -O2 -c b.c -o obj &&"
		    "readelf -rW obj | grep -q R_RISCV_SUB8");
	check_build("sed 's/h();/h(); __asm__(\".zero 1000\");/' a.c >b.c &&"
		    "riscv64-linux-gnu-gcc -g -O2 -c b.c -o obj &&"
		    "readelf -rW obj | grep -q R_RISCV_SUB16");
	check_machine("clang-19 --target=riscv64-linux-gnu", "ld.lld-19");
	check_machine("clang-19 --target=riscv64-linux-gnu -fasynchronous-unwind-tables"
		      " -mno-relax", "ld.lld-19");
}

/* A relocation that nobody knows: none of the rows is believed. */
static void test_unknown_relocation(void **state)
{
	struct frame_cfi *cfi;
	struct opened o;
	uint32_t reg;
	int64_t off;
	char dir[64];
	uint64_t pc;

	(void)state;
	work_dir__make(dir);
	work_dir__write(dir, "a.c", source);
	work_dir__run(dir, "riscv64-linux-gnu-gcc -g -O2 -S a.c &&"
		      "echo '.section .debug_frame; .reloc 0, R_RISCV_GOT_HI20, tail' >>a.s &&"
		      "riscv64-linux-gnu-gcc -c a.s -o obj");
	opened__open(&o, dir, "obj");
	cfi = frame_cfi__new(o.df.dw, o.df.elf);
	assert_non_null(cfi);
	for (pc = text_addr(&o); pc < text_addr(&o) + 64; pc += 2)
		assert_int_equal(frame_cfi__cfa(cfi, pc, &reg, &off), -ENOENT);
	frame_cfi__free(cfi);
	opened__close(&o);
	work_dir__remove(dir);
}

/* No CFI at all: nothing is known. */
static void test_none(void **state)
{
	struct frame_cfi *cfi;
	struct opened o;
	uint32_t reg;
	int64_t off;
	char dir[64];

	(void)state;
	work_dir__make(dir);
	work_dir__write(dir, "a.c", source);
	work_dir__run(dir, "gcc -g -O2 -shared -nostdlib -fPIC a.c -o with &&"
		      "objcopy -R .eh_frame -R .eh_frame_hdr -R .debug_frame with obj"
		      " 2>err");
	opened__open(&o, dir, "obj");
	cfi = frame_cfi__new(o.df.dw, o.df.elf);
	assert_non_null(cfi);
	assert_int_equal(frame_cfi__cfa(cfi, 0x1000, &reg, &off), -ENOENT);
	frame_cfi__free(cfi);
	frame_cfi__free(NULL);
	opened__close(&o);
	work_dir__remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eh_frame),
		cmocka_unit_test(test_debug_frame),
		cmocka_unit_test(test_relocatable),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_riscv),
		cmocka_unit_test(test_unknown_relocation),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
