// SPDX-License-Identifier: GPL-2.0-only
/* test_elf_reloc.c - a relocatable file laid out, relocated, and what its addresses are in */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/cursor.h"
#include "../../lib/elf_reloc.h"
#include "../../lib/rel_places.h"
#include "compile_util.h"

struct object_file {
	char dir[64];
	int fd;
	Elf *elf;
};

/* Assembles @source by @as. */
static void object__open(struct object_file *o, const char *as, const char *source)
{
	char path[128], cmd[256];

	work_dir__make(o->dir);
	work_dir__write(o->dir, "a.s", source);
	snprintf(cmd, sizeof(cmd), "%s -c a.s -o obj", as);
	work_dir__run(o->dir, cmd);
	snprintf(path, sizeof(path), "%s/obj", o->dir);
	o->fd = open(path, O_RDONLY);
	assert_true(o->fd >= 0);
	elf_version(EV_CURRENT);
	o->elf = elf_begin(o->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	assert_non_null(o->elf);
}

static void object__close(struct object_file *o)
{
	elf_end(o->elf);
	close(o->fd);
	work_dir__remove(o->dir);
}

static Elf_Scn *find(struct object_file *o, const char *name, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	size_t strs;

	assert_int_equal(elf_getshdrstrndx(o->elf, &strs), 0);
	while ((scn = elf_nextscn(o->elf, scn)))
		if (gelf_getshdr(scn, shdr) &&
		    !strcmp(elf_strptr(o->elf, strs, shdr->sh_name), name))
			return scn;
	fail_msg("no section %s", name);
	return NULL;
}

/* Each begins where no other one ends, also where one is empty. */
static void test_layout(void **state)
{
	static const char source[] =
		".section .a,\"aw\",@progbits\n.p2align 12\n.zero 4096\n"
		".section .empty,\"aw\",@progbits\n"
		".section .b,\"aw\",@progbits\n.p2align 4\n.zero 64\n"
		".section .c,\"aw\",@nobits\n.zero 32\n"
		".section .note,\"\",@progbits\n.zero 32\n";
	struct object_file o;
	uint64_t end = 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	int nr = 0;

	(void)state;
	object__open(&o, "gcc", source);
	assert_int_equal(elf__lay_out(o.elf), 0);
	while ((scn = elf_nextscn(o.elf, scn))) {
		assert_non_null(gelf_getshdr(scn, &shdr));
		if (!(shdr.sh_flags & SHF_ALLOC)) {
			assert_int_equal(shdr.sh_addr, 0);
			continue;
		}
		assert_true(shdr.sh_addr > end);
		end = shdr.sh_addr + shdr.sh_size;
		nr++;
	}
	/* those, .text, .data and .bss */
	assert_int_equal(nr, 7);
	object__close(&o);
}

/* More than 32 bits have addresses for. */
static void test_layout_too_large(void **state)
{
	static const char source[] = ".section .a,\"aw\",@nobits\n.zero 0x7f000000\n"
				     ".section .b,\"aw\",@nobits\n.zero 0x7f000000\n";
	struct object_file o;

	(void)state;
	object__open(&o, "gcc -m32", source);
	assert_int_equal(elf__lay_out(o.elf), -EBADMSG);
	object__close(&o);
	object__open(&o, "gcc", source);
	assert_int_equal(elf__lay_out(o.elf), 0);
	object__close(&o);
}

static int places__open(struct rel_places *p, Elf *elf, Elf_Scn *scn, const uint8_t *bytes,
			size_t size)
{
	struct rel_index ix;
	int ret = rel_index__init(&ix, elf);

	if (ret)
		return ret;
	ret = rel_places__init(p, &ix, scn, bytes, size);
	rel_index__free(&ix);
	return ret;
}

/* By hand: what stands where, and what it is an address in. @word: of an address. */
static void check_places(const char *as, unsigned int word, const char *source)
{
	struct object_file o;
	struct rel_places p;
	const uint8_t *at;
	GElf_Shdr shdr, data;
	Elf_Scn *scn, *in;
	const char *name;
	Elf_Data *d;

	object__open(&o, as, source);
	assert_int_equal(elf__lay_out(o.elf), 0);
	assert_int_equal(elf__relocate_debug(o.elf, &name), 0);
	in = find(&o, ".data", &data);
	scn = find(&o, ".debug_info", &shdr);
	d = elf_getdata(scn, NULL);
	assert_non_null(d);
	at = d->d_buf;
	assert_int_equal(places__open(&p, o.elf, scn, at, d->d_size), 0);
	/* an address, a number, one that is nowhere, an address, an offset into .debug_info */
	assert_int_equal(bytes__uint(at, word, false), data.sh_addr + 16);
	assert_int_equal(bytes__uint(at + word, 4, false), 5);
	assert_int_equal(bytes__uint(at + word + 4, word, false), 0);
	assert_int_equal(bytes__uint(at + 2 * word + 4, word, false), data.sh_addr - 8);
	assert_int_equal(bytes__uint(at + 3 * word + 4, 4, false), 4);
	assert_int_equal(rel_places__section(&p, at, word), elf_ndxscn(in));
	assert_int_equal(rel_places__section(&p, at, word - 1), 0);
	assert_int_equal(rel_places__section(&p, at + 1, word), 0);
	assert_int_equal(rel_places__section(&p, at + word, 4), 0);
	assert_int_equal(rel_places__section(&p, at + word + 4, word), 0);
	assert_int_equal(rel_places__section(&p, at + 2 * word + 4, word), elf_ndxscn(in));
	/* more bytes than one address */
	assert_int_equal(rel_places__section(&p, at + 2 * word + 4, 2 * word), 0);
	assert_int_equal(rel_places__count(&p, at, d->d_size), 4);
	assert_int_equal(rel_places__count(&p, at, 0), 0);
	assert_int_equal(rel_places__count(&p, at, 1), 1);
	assert_int_equal(rel_places__count(&p, at + 1, word + 3), 0);
	assert_true(rel_places__holds(&p, at, d->d_size));
	assert_true(rel_places__holds(&p, at + d->d_size, 0));
	assert_false(rel_places__holds(&p, at + 1, d->d_size));
	assert_false(rel_places__holds(&p, at - 1, 1));
	assert_false(rel_places__holds(&(struct rel_places){ 0 }, at, 0));
	rel_places__free(&p);
	object__close(&o);
}

static void test_places(void **state)
{
	static const char wide[] = ".data\n.zero 16\n.globl d\nd: .quad 1\n"
				   ".section .debug_info,\"\",%progbits\n"
				   ".quad d\n.long 5\n.quad undef\n.quad d-24\n.long .debug_info+4\n";
	static const char narrow[] = ".data\n.zero 16\n.globl d\nd: .long 1\n"
				     ".section .debug_info,\"\",%progbits\n"
				     ".long d\n.long 5\n.long undef\n.long d-24\n.long .debug_info+4\n";

	(void)state;
	check_places("gcc", 8, wide);
	check_places("aarch64-linux-gnu-gcc", 8, wide);
	check_places("riscv64-linux-gnu-gcc", 8, wide);
	check_places("clang-19 --target=loongarch64-linux-gnu", 8, wide);
	check_places("gcc -m32", 4, narrow);
	check_places("arm-linux-gnueabihf-gcc", 4, narrow);
}

/* Two relocations of one place, and none at all. */
static void test_not_an_address(void **state)
{
	static const char source[] = ".data\nd: .quad 1\n"
				     ".section .debug_info,\"\",%progbits\n.Lf:\n.zero 8\n"
				     ".reloc .Lf, R_RISCV_ADD64, d\n.reloc .Lf, R_RISCV_SUB64, .Lf\n"
				     ".section .debug_loclists,\"\",%progbits\n.quad 7\n";
	struct object_file o;
	struct rel_places p;
	const char *name;
	GElf_Shdr shdr;
	Elf_Scn *scn;
	Elf_Data *d;

	(void)state;
	object__open(&o, "riscv64-linux-gnu-gcc", source);
	assert_int_equal(elf__lay_out(o.elf), 0);
	assert_int_equal(elf__relocate_debug(o.elf, &name), 0);
	scn = find(&o, ".debug_info", &shdr);
	d = elf_getdata(scn, NULL);
	assert_int_equal(places__open(&p, o.elf, scn, d->d_buf, d->d_size), 0);
	assert_int_equal(rel_places__section(&p, d->d_buf, 8), 0);
	assert_int_equal(rel_places__count(&p, d->d_buf, 8), 2);
	rel_places__free(&p);
	scn = find(&o, ".debug_loclists", &shdr);
	d = elf_getdata(scn, NULL);
	assert_int_equal(places__open(&p, o.elf, scn, d->d_buf, d->d_size), 0);
	assert_int_equal(rel_places__section(&p, d->d_buf, 8), 0);
	assert_int_equal(rel_places__count(&p, d->d_buf, 8), 0);
	rel_places__free(&p);
	object__close(&o);
}

/* A relocation that is not known: nothing of the section can be believed. */
static void test_unknown(void **state)
{
	static const char source[] = ".data\nd: .quad 1\n"
				     ".section .debug_info,\"\",@progbits\n.Lf:\n.zero 8\n"
				     ".reloc .Lf, R_X86_64_GOTPCREL, d\n";
	const char *name = "";
	struct object_file o;

	(void)state;
	object__open(&o, "gcc", source);
	assert_int_equal(elf__lay_out(o.elf), 0);
	assert_int_equal(elf__relocate_debug(o.elf, &name), -EOPNOTSUPP);
	assert_string_equal(name, ".debug_info");
	object__close(&o);
}

/* What has been done is not done again. */
static void test_once(void **state)
{
	static const char source[] = ".data\n.globl d\nd: .quad 1\n"
				     ".section .debug_frame,\"\",@progbits\n.quad d\n";
	struct object_file o;
	GElf_Shdr shdr;

	(void)state;
	object__open(&o, "gcc", source);
	assert_int_equal(elf__lay_out(o.elf), 0);
	assert_int_equal(elf__relocate_section(o.elf, ".debug_frame"), 0);
	assert_int_equal(elf__relocate_section(o.elf, ".debug_frame"), -ENOENT);
	assert_int_equal(elf__relocate_section(o.elf, ".eh_frame"), -ENOENT);
	find(&o, ".data", &shdr);
	assert_int_equal(bytes__uint(elf_getdata(find(&o, ".debug_frame", &(GElf_Shdr){ 0 }),
						 NULL)->d_buf, 8, false), shdr.sh_addr);
	object__close(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_layout_too_large),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_not_an_address),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
