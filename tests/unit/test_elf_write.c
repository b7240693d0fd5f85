// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_elf_write.c - a section put into ELF files of all kinds, and nothing else changed
 *
 * The result is compared with the original by libelf and by readelf.
 */
#include "elf_util.h"

#include <gelf.h>

#include "../../lib/elf_write.h"

#define SEC ".BTF.func_info"

static const char c_source[] =
	"#include <stdio.h>\n"
	"int counter = 7; int zeroed[100];\n"
	"__thread int tls_var = 1; __thread int tls_zero;\n"
	"static int helper(int x) { return x * 3 + counter; }\n"
	"int twice(int x)\n"
	"{ return helper(x) + helper(x + zeroed[x]) + tls_var + tls_zero; }\n"
	/* says 3 * 1 + 7, twice, and 1 */
	"int main(int c, char **v) { (void)v; printf(\"%d\\n\", twice(c)); return 0; }\n";

static const char builds[] =
	"echo 'int g = 3; int f(int x) { return x + g; }' > b.c;"
	"gcc -g -O1 -fPIE -pie a.c -o pie;"
	"gcc -g -O1 -fno-pie -no-pie -Wl,--emit-relocs a.c -o nopie;"
	"clang -g -O1 -fuse-ld=lld a.c -o lld;"
	"gcc -shared -fPIC b.c -o b.so;"
	"gcc -g -O1 -c a.c -o gcc.o;"
	"gcc -g -O1 -gz=zlib -c a.c -o gz.o;"
	"clang -g -O1 -c a.c -o clang.o;"
	"clang --target=i386-linux-gnu -g -c b.c -o i386.o;"
	"clang --target=s390x-linux-gnu -g -c b.c -o s390x.o;"
	"clang --target=powerpc-linux-gnu -g -c b.c -o ppc32.o;"
	"objcopy --only-keep-debug pie pie.debug;"
	"eu-strip -f pie.eudebug pie -o pie.stripped;"
	"echo 'appended archive' | cat pie - > pie.sfx; chmod +x pie.sfx";

static int build(void **state)
{
	char *p;

	if (make_dir(state))
		return -1;
	p = in_dir(*state, "a.c");
	spit(p, c_source, sizeof(c_source) - 1);
	free(p);
	return sh(*state, builds);
}

static void put(const char *dir, const char *name, const void *data, size_t size)
{
	struct btf_locs_err err = { "" };
	char *path = in_dir(dir, name);

	if (elf_write__section(path, SEC, data, size, &err))
		fail_msg("%s: %s", name, err.text);
	assert_string_equal(err.text, "");
	free(path);
}

static Elf *elf_of(struct bytes b)
{
	Elf *elf = elf_memory((char *)b.p, b.n);

	assert_non_null(elf);
	assert_int_equal(elf_kind(elf), ELF_K_ELF);
	return elf;
}

static size_t nr_sections(Elf *elf)
{
	size_t n;

	assert_int_equal(elf_getshdrnum(elf, &n), 0);
	return n;
}

static const char *name_of(Elf *elf, const GElf_Shdr *h)
{
	size_t names;

	assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
	return elf_strptr(elf, names, h->sh_name);
}

/* Section @i, which is not the one that was written, in both files. */
static void same_section(Elf *old, Elf *new, struct bytes a, struct bytes b, size_t i)
{
	GElf_Shdr h, k;
	size_t names;

	assert_non_null(gelf_getshdr(elf_getscn(old, i), &h));
	assert_non_null(gelf_getshdr(elf_getscn(new, i), &k));
	assert_string_equal(name_of(old, &h), name_of(new, &k));
	assert_int_equal(elf_getshdrstrndx(old, &names), 0);
	if (i == names) {
		assert_true(k.sh_size == h.sh_size ||
			    k.sh_size == h.sh_size + sizeof(SEC));
		assert_memory_equal(a.p + h.sh_offset, b.p + k.sh_offset, h.sh_size);
		k.sh_offset = h.sh_offset;
		k.sh_size = h.sh_size;
	}
	assert_memory_equal(&h, &k, sizeof(h));
	if (h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL && i != names)
		assert_memory_equal(a.p + h.sh_offset, b.p + k.sh_offset, h.sh_size);
}

static void same_headers(Elf *old, Elf *new)
{
	size_t na, nb, i;
	GElf_Ehdr e, f;
	GElf_Phdr p, q;

	assert_non_null(gelf_getehdr(old, &e));
	assert_non_null(gelf_getehdr(new, &f));
	f.e_shoff = e.e_shoff;
	f.e_shnum = e.e_shnum;
	assert_memory_equal(&e, &f, sizeof(e));
	assert_int_equal(elf_getphdrnum(old, &na), 0);
	assert_int_equal(elf_getphdrnum(new, &nb), 0);
	assert_int_equal(na, nb);
	for (i = 0; i < na; i++) {
		assert_non_null(gelf_getphdr(old, i, &p));
		assert_non_null(gelf_getphdr(new, i, &q));
		assert_memory_equal(&p, &q, sizeof(p));
	}
}

/* @a with the section is @b, and there is no other difference. */
static void same_but_section(struct bytes a, struct bytes b, const void *data,
			     size_t size)
{
	Elf *old = elf_of(a), *new = elf_of(b);
	size_t na = nr_sections(old), nb = nr_sections(new), i, found = 0;
	GElf_Shdr h;

	same_headers(old, new);
	for (i = 1; i < nb; i++) {
		assert_non_null(gelf_getshdr(elf_getscn(new, i), &h));
		if (strcmp(name_of(new, &h), SEC)) {
			same_section(old, new, a, b, i);
			continue;
		}
		found++;
		assert_true(i == na || nb == na);
		assert_true(h.sh_type == SHT_PROGBITS && h.sh_flags == 0 &&
			    h.sh_addr == 0);
		assert_true(h.sh_addralign == 4 && h.sh_offset % 4 == 0 &&
			    h.sh_link == 0);
		assert_true(h.sh_info == 0 && h.sh_entsize == 0 && h.sh_size == size);
		if (size)
			assert_memory_equal(b.p + h.sh_offset, data, size);
	}
	assert_int_equal(found, 1);
	elf_end(old);
	elf_end(new);
}

/* readelf has nothing else to tell and nothing to complain of. */
static void same_by_readelf(const char *dir, const char *old, const char *new)
{
	char line[2048];

	snprintf(
		line, sizeof(line),
		"names=$(LC_ALL=C readelf -hW %s 2>&1 |"
		" sed -n 's/.*string table index: *//p' | sed 's/.*(\\([0-9]*\\)).*/\\1/');"
		"for f in %s %s; do LC_ALL=C readelf -SW $f 2>&1 | "
		"sed -e '/^There are/d' -e '/BTF.func_info/d' "
		"-e \"/^  \\[ *$names\\]/d\" "
		"-e '/^  \\[ *0\\]/d'; done > list;"
		"n=$(($(wc -l < list) / 2)); head -n $n list > l1; tail -n $n list > l2;"
		"[ $n -gt 8 ]; cmp l1 l2; no grep -i warning list;"
		"for o in -lW -sW; do LC_ALL=C readelf $o %s > r1 2>&1;"
		"LC_ALL=C readelf $o %s > r2 2>&1; cmp r1 r2; done;",
		old, old, new, old, new);
	must(dir, line);
}

/* Written, written again, longer, shorter, empty, and back. */
static void write_into(const char *dir, const char *name)
{
	char *big = malloc(100001), *in = in_dir(dir, name), *path = in_dir(dir, "out");
	struct bytes a = slurp(in), first, b;
	static const size_t sizes[] = { 3333, 3333, 100001, 2, 0, 3333 };
	size_t i;

	memset(big, 'x', 100001);
	first = (struct bytes){ NULL, 0 };
	spit(path, a.p, a.n);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		put(dir, "out", big, sizes[i]);
		b = slurp(path);
		same_but_section(a, b, big, sizes[i]);
		if (sizes[i] != 3333) {
			free(b.p);
		} else if (!first.p) {
			first = b;
			same_by_readelf(dir, name, "out");
		} else {
			assert_int_equal(b.n, first.n);
			assert_memory_equal(b.p, first.p, b.n);
			free(b.p);
		}
	}
	assert_true(first.n < a.n + 3333 + 64 + a.n / 2 + 4096);
	free(first.p);
	free(a.p);
	free(big);
	free(in);
	free(path);
}

static void test_executables(void **state)
{
	write_into(*state, "pie");
	write_into(*state, "nopie");
	write_into(*state, "lld");
	write_into(*state, "b.so");
}

static void test_objects(void **state)
{
	write_into(*state, "gcc.o");
	write_into(*state, "gz.o");
	write_into(*state, "clang.o");
}

static void test_other_classes(void **state)
{
	write_into(*state, "i386.o");
	write_into(*state, "s390x.o");
	write_into(*state, "ppc32.o");
}

/* Their program headers speak of more bytes than the file has. */
static void test_debug_files(void **state)
{
	write_into(*state, "pie.debug");
	write_into(*state, "pie.eudebug");
	write_into(*state, "pie.stripped");
}

/* clang's .strtab is the names' table and the symbols' table. */
static void test_shared_strtab(void **state)
{
	must(*state, "cp clang.o shared.o; readelf -SW shared.o > s; no grep shstrtab s");
	put(*state, "shared.o", "data", 4);
	must(*state, "clang shared.o -o shared && [ $(./shared) = 21 ]");
}

static void test_appended(void **state)
{
	write_into(*state, "pie.sfx");
	must(*state, "cp pie.sfx sfx");
	put(*state, "sfx", "data", 4);
	put(*state, "sfx", "longer data", 11);
	must(*state, "grep -c 'appended archive' sfx > n; [ $(cat n) = 1 ]");
	must(*state, "[ $(./sfx) = 21 ]");
}

/* How many sections @name has by libelf. */
static size_t count(const char *dir, const char *name)
{
	char *path = in_dir(dir, name);
	struct bytes b = slurp(path);
	Elf *elf = elf_of(b);
	size_t n = nr_sections(elf);

	elf_end(elf);
	free(b.p);
	free(path);
	return n;
}

/* @nr sections, empty ones made up, in NAME. */
static void make_many(const char *dir, const char *name, size_t nr)
{
	char line[400];

	/*
	 * .text, .data, .bss, three tables and the null section come to them, and
	 * .symtab_shndx where section numbers need it
	 */
	snprintf(
		line, sizeof(line),
		"awk 'BEGIN { for (i = 0; i < %zu; i++) "
		"printf(\".section .t.%%d,\\\"ax\\\"\\nf%%d: .byte 1\\n\", i, i) }' > m.s; "
		"as m.s -o %s; rm m.s",
		nr - (nr < SHN_LORESERVE ? 7 : 8), name);
	must(dir, line);
	assert_int_equal(count(dir, name), nr);
}

static void test_many_sections(void **state)
{
	static const size_t nrs[] = { SHN_LORESERVE - 2, SHN_LORESERVE - 1, 66007 };
	GElf_Ehdr ehdr;
	struct bytes b;
	char *path = in_dir(*state, "many.o");
	Elf *elf;
	size_t i;

	for (i = 0; i < 3; i++) {
		make_many(*state, "many.o", nrs[i]);
		write_into(*state, "many.o");
		put(*state, "many.o", "data", 4);
		assert_int_equal(count(*state, "many.o"), nrs[i] + 1);
		b = slurp(path);
		elf = elf_of(b);
		assert_non_null(gelf_getehdr(elf, &ehdr));
		assert_int_equal(ehdr.e_shnum, i == 0 ? SHN_LORESERVE - 1 : 0);
		elf_end(elf);
		free(b.p);
	}
	must(*state, "rm many.o out");
	free(path);
}

/* The section in @name by objcopy, byte for byte. */
static void has_section(const char *dir, const char *name, const char *want)
{
	char line[512];

	snprintf(line, sizeof(line),
		 "rm -f got; objcopy -O binary --only-section=" SEC
		 " --set-section-flags " SEC "=alloc %s got; printf '%s' | cmp - got",
		 name, want);
	must(dir, line);
}

static void test_other_tools(void **state)
{
	static const char *const names[] = { "pie", "nopie", "lld" };
	char line[512];
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(line, sizeof(line), "cp %s t; [ $(./t) = 21 ]", names[i]);
		must(*state, line);
		put(*state, "t", "data of ours", 12);
		has_section(*state, "t", "data of ours");
		must(*state, "[ $(./t) = 21 ]");
		must(*state, "strip -o t1 t; strip -g -o t2 t; objcopy t t3;"
			     "objcopy --remove-section " SEC " t t4; eu-strip -o t5 t;"
			     "llvm-objcopy t t6; llvm-strip -g t -o t7; "
			     "for f in t1 t2 t3 t4 t5 t6 t7; do [ $(./$f) = 21 ]; done");
		has_section(*state, "t2", "data of ours");
		has_section(*state, "t3", "data of ours");
		has_section(*state, "t6", "data of ours");
		must(*state, "readelf -SW t4 > s; no grep func_info s");
		/* into what another tool has made of it */
		put(*state, "t3", "other data", 10);
		has_section(*state, "t3", "other data");
		put(*state, "t1", "other data", 10);
		has_section(*state, "t1", "other data");
		must(*state, "[ $(./t3) = 21 ]; [ $(./t1) = 21 ]");
		must(*state, "gdb -batch -ex 'info line twice' t > s 2>&1; grep 'a.c' s");
	}
	must(*state, "cp gcc.o t.o");
	put(*state, "t.o", "data of ours", 12);
	must(*state, "gcc -no-pie t.o -o t; [ $(./t) = 21 ]; ld -r t.o -o t8;"
		     "strip -g t.o; objcopy --remove-section " SEC " t.o;"
		     "gcc t.o -o t; [ $(./t) = 21 ]");
	must(*state, "cp s390x.o t.o");
	put(*state, "t.o", "data of ours", 12);
	must(*state, "llvm-strip -g t.o; llvm-readelf -S t.o > s; grep func_info s;"
		     "llvm-objcopy --remove-section=" SEC " t.o; llvm-readelf -S t.o > s;"
		     "no grep func_info s");
}

static void refused(const char *path, struct bytes was, int code, const char *text)
{
	struct btf_locs_err err = { "" };

	assert_int_equal(elf_write__section(path, SEC, "data", 4, &err), code);
	if (!strstr(err.text, text))
		fail_msg("'%s' does not say '%s'", err.text, text);
	assert_file_is(path, was);
}

/* Header bytes of a 64-bit little-endian file changed until it cannot take a section. */
static void test_refused(void **state)
{
	char *in = in_dir(*state, "pie"), *path = in_dir(*state, "odd");
	struct bytes a = slurp(in), b = { malloc(a.n + 64), 0 };
	uint64_t alloc = SHF_ALLOC;
	Elf64_Ehdr e;

	assert_non_null(b.p);
	memcpy(&e, a.p, sizeof(e));
	b.n = a.n;

	memcpy(b.p, a.p, a.n);
	memset(b.p + offsetof(Elf64_Ehdr, e_shoff), 0, 8);
	spit(path, b.p, b.n);
	refused(path, b, -EOPNOTSUPP, "has no section header table");

	memcpy(b.p, a.p, a.n);
	memset(b.p + offsetof(Elf64_Ehdr, e_shstrndx), 0, 2);
	spit(path, b.p, b.n);
	refused(path, b, -EOPNOTSUPP, "has no section names");

	memcpy(b.p, a.p, a.n);
	memcpy(b.p + e.e_shoff + e.e_shstrndx * sizeof(Elf64_Shdr) +
		       offsetof(Elf64_Shdr, sh_flags),
	       &alloc, 8);
	spit(path, b.p, b.n);
	refused(path, b, -EOPNOTSUPP, "its section names are part of the program");

	/* .text cannot be replaced */
	spit(path, a.p, a.n);
	assert_int_equal(elf_write__section(path, ".text", "data", 4, NULL), -EOPNOTSUPP);
	assert_int_equal(elf_write__section(path, ".shstrtab", "x", 1, NULL),
			 -EOPNOTSUPP);
	assert_int_equal(elf_write__section(path, "", "data", 4, NULL), -EINVAL);
	assert_file_is(path, a);

	memcpy(b.p, a.p, a.n);
	b.n += snprintf((char *)b.p + a.n, 64, "~Module signature appended~\n");
	spit(path, b.p, b.n);
	refused(path, b, -EOPNOTSUPP, "is a signed module");
	free(a.p);
	free(b.p);
	free(in);
	free(path);
}

static void test_not_elf(void **state)
{
	char *path;

	must(*state, "echo text > text; : > empty; mkdir folder; mkfifo fifo");
	alarm(60);
	path = in_dir(*state, "text");
	assert_int_equal(elf_write__section(path, SEC, "data", 4, NULL), -ENOEXEC);
	free(path);
	path = in_dir(*state, "empty");
	assert_int_equal(elf_write__section(path, SEC, "data", 4, NULL), -ENOEXEC);
	free(path);
	path = in_dir(*state, "folder");
	assert_int_equal(elf_write__section(path, SEC, "data", 4, NULL), -EISDIR);
	free(path);
	path = in_dir(*state, "fifo");
	assert_int_equal(elf_write__section(path, SEC, "data", 4, NULL), -ENOEXEC);
	free(path);
	path = in_dir(*state, "none");
	assert_int_equal(elf_write__section(path, SEC, "data", 4, NULL), -ENOENT);
	free(path);
	alarm(0);
	must(*state, "[ \"$(cat text)\" = text ]; [ ! -s empty ]; [ ! -e none ]");
	must(*state, "[ -p fifo ]; [ -d folder ]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_executables),   cmocka_unit_test(test_objects),
		cmocka_unit_test(test_other_classes), cmocka_unit_test(test_debug_files),
		cmocka_unit_test(test_shared_strtab), cmocka_unit_test(test_appended),
		cmocka_unit_test(test_many_sections), cmocka_unit_test(test_other_tools),
		cmocka_unit_test(test_refused),	      cmocka_unit_test(test_not_elf),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, build, remove_dir);
}
