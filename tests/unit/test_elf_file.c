// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_elf_file.c - opening ELF files, sound and broken, sections and symbols
 *
 * What is expected comes from the sources below, from libelf and from objcopy.
 */
#include "elf_util.h"

#include <gelf.h>
#include <grp.h>
#include <sys/mman.h>

#include "../../lib/elf_file.h"

static const char c_source[] =
	"int counter = 7; int zeroed[100];\n"
	"__thread int tls_var = 1; __thread int tls_zero;\n"
	"static int helper(int x) { return x * 3 + counter; }\n"
	"int twice(int x)\n"
	"{ return helper(x) + helper(x + zeroed[x]) + tls_var + tls_zero; }\n"
	"#ifdef MAIN\n"
	"int main(int argc, char **argv) { (void)argv; return twice(argc) == 0; }\n"
	"#endif\n";

/* .text: glob at 0..16 with three others, a gap, outer 32..64 around inner 40..48 */
static const char asm_source[] =
	"	.text\n"
	"	.type loc,@function\n"
	"loc:	.weak wk\n"
	"	.type wk,@function\n"
	"wk:	.globl obj\n"
	"	.type obj,@object\n"
	"obj:	.globl glob\n"
	"	.type glob,@function\n"
	"glob:	.skip 16\n"
	"	.size loc,16\n	.size wk,16\n	.size glob,16\n	.size obj,16\n"
	"	.skip 16\n"
	"	.globl outer\n"
	"	.type outer,@function\n"
	"outer:	.skip 8\n"
	"	.type inner,@function\n"
	"inner:	.skip 8\n"
	"	.size inner,8\n"
	"mid:	.skip 16\n"
	"	.size outer,32\n"
	"bare:	.skip 16\n"
	"	.data\n"
	"	.type dat,@object\n"
	"dat:	.long 1, 2\n"
	"	.size dat,8\n"
	"	.section .other,\"ax\"\n"
	"	.type other,@function\n"
	"other:	.skip 100\n"
	"	.size other,100\n"
	"	.globl absolute\n"
	"	.set absolute, 0x24\n";

static const char builds[] =
	"gcc -g -O1 -fPIE -pie -DMAIN -Wl,--build-id=0x0123456789abcdef00ff a.c -o pie;"
	"gcc -g -O1 -c a.c -o gcc.o;"
	"gcc -g -O1 -c -gz=zlib a.c -o zlib.o;"
	"gcc -g -O1 -c -gz=zlib-gnu a.c -o gnu.o;"
	"clang -g -O1 -c a.c -o clang.o;"
	"clang --target=i386-linux-gnu -g -O1 -c a.c -o i386.o;"
	"clang --target=i386-linux-gnu -g -O1 -gz=zlib -c a.c -o i386z.o;"
	"clang --target=s390x-linux-gnu -g -O1 -c a.c -o s390x.o;"
	"clang --target=s390x-linux-gnu -g -O1 -gz=zlib -c a.c -o s390xz.o;"
	"clang --target=powerpc-linux-gnu -g -O1 -c a.c -o ppc32.o;"
	"gcc -shared -fPIC -O1 a.c -o lib.so; strip lib.so;"
	"gcc -O1 -c a.c -o nodebug.o;"
	"gcc -c s.s -o s.o;"
	"ld -Ttext=0x401000 --section-start=.other=0x405000 -e glob s.o -o s.exe 2> log;"
	"objcopy --only-keep-debug pie pie.debug;"
	"echo 'static int dup(void) { return 1; } int f1(void) { return dup(); }' > d1.c;"
	"echo 'static int dup(void) { return 2; } int f2(void) { return dup(); }' > d2.c;"
	"gcc -O0 -c d1.c; gcc -O0 -c d2.c; ld -r d1.o d2.o -o dup.o;"
	"echo 'just a line of text' > text; : > empty; mkdir folder; mkfifo fifo;"
	"cp pie unreadable; chmod 0600 unreadable";

static int build(void **state)
{
	char *p;

	if (make_dir(state))
		return -1;
	p = in_dir(*state, "a.c");
	spit(p, c_source, sizeof(c_source) - 1);
	free(p);
	p = in_dir(*state, "s.s");
	spit(p, asm_source, sizeof(asm_source) - 1);
	free(p);
	return sh(*state, builds);
}

static struct elf_file *open_ok(const char *dir, const char *name)
{
	struct btf_locs_err err = { "" };
	struct elf_file *f = NULL;
	char *path = in_dir(dir, name);

	if (elf_file__open(path, &f, &err))
		fail_msg("%s: %s", name, err.text);
	assert_string_equal(elf_file__path(f), path);
	free(path);
	return f;
}

static void open_fails(const char *dir, const char *name, int code, const char *text)
{
	struct elf_file *f = (struct elf_file *)(uintptr_t)1;
	struct btf_locs_err err = { "" };
	char *path = in_dir(dir, name);

	assert_int_equal(elf_file__open(path, &f, &err), code);
	assert_ptr_equal(f, (void *)(uintptr_t)1);
	if (!strstr(err.text, text))
		fail_msg("%s: '%s' does not say '%s'", name, err.text, text);
	assert_int_equal(elf_file__open(path, &f, NULL), code);
	free(path);
}

static void test_not_elf(void **state)
{
	alarm(60); /* a FIFO must not hold it up */
	open_fails(*state, "text", -ENOEXEC, "not an ELF file");
	open_fails(*state, "empty", -ENOEXEC, "not an ELF file");
	open_fails(*state, "folder", -EISDIR, "is a directory");
	open_fails(*state, "fifo", -ENOEXEC, "not a regular file");
	open_fails(*state, "none", -ENOENT, "No such file or directory");
	open_fails("/dev", "null", -ENOEXEC, "not a regular file");
	alarm(0);
}

static void test_unreadable(void **state)
{
	struct elf_file *f;
	char *path = in_dir(*state, "unreadable");
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		if (setgroups(0, NULL) || setresgid(65534, 65534, 65534) ||
		    setresuid(65534, 65534, 65534))
			_exit(99);
		_exit(-elf_file__open(path, &f, NULL));
	}
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EACCES);
	free(path);
}

/* Every field of every section, and its bytes, as libelf has them. */
static void same_as_libelf(const char *dir, const char *name, uint16_t machine, bool big,
			   bool is64)
{
	struct elf_file *f = open_ok(dir, name);
	Elf *elf = elf_begin(elf_file__fd(f), ELF_C_READ, NULL);
	size_t nr, names, size, i;
	struct elf_sec s;
	const void *data;
	Elf_Data *d;
	GElf_Shdr h;

	assert_non_null(elf);
	assert_int_equal(elf_file__machine(f), machine);
	assert_int_equal(elf_file__big(f), big);
	assert_int_equal(elf_file__is64(f), is64);
	assert_int_equal(elf_getshdrnum(elf, &nr), 0);
	assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
	assert_int_equal(elf_file__nr_secs(f), nr);
	assert_int_equal(elf_file__sec(f, 0, &s), -ENOENT);
	assert_int_equal(elf_file__sec(f, nr, &s), -ENOENT);
	assert_int_equal(elf_file__data(f, 0, &data, &size, NULL), -ENOENT);
	assert_int_equal(elf_file__data(f, nr, &data, &size, NULL), -ENOENT);
	for (i = 1; i < nr; i++) {
		assert_non_null(gelf_getshdr(elf_getscn(elf, i), &h));
		assert_int_equal(elf_file__sec(f, i, &s), 0);
		assert_string_equal(s.name, elf_strptr(elf, names, h.sh_name));
		assert_true(s.idx == i && s.type == h.sh_type && s.flags == h.sh_flags);
		assert_true(s.addr == h.sh_addr && s.off == h.sh_offset);
		assert_true(s.size == h.sh_size && s.align == h.sh_addralign);
		assert_true(s.link == h.sh_link && s.info == h.sh_info);
		if (s.type == SHT_NOBITS) {
			assert_int_equal(elf_file__data(f, i, &data, &size, NULL),
					 -ENODATA);
			continue;
		}
		if (s.flags & SHF_COMPRESSED)
			continue;
		assert_int_equal(elf_file__data(f, i, &data, &size, NULL), 0);
		d = elf_rawdata(elf_getscn(elf, i), NULL);
		assert_int_equal(size, d->d_size);
		if (size)
			assert_memory_equal(data, d->d_buf, size);
	}
	elf_end(elf);
	elf_file__close(f);
}

static void test_sections(void **state)
{
	same_as_libelf(*state, "pie", EM_X86_64, false, true);
	same_as_libelf(*state, "gcc.o", EM_X86_64, false, true);
	same_as_libelf(*state, "clang.o", EM_X86_64, false, true);
	same_as_libelf(*state, "zlib.o", EM_X86_64, false, true);
	same_as_libelf(*state, "pie.debug", EM_X86_64, false, true);
	same_as_libelf(*state, "lib.so", EM_X86_64, false, true);
	same_as_libelf(*state, "i386.o", EM_386, false, false);
	same_as_libelf(*state, "s390x.o", EM_S390, true, true);
	same_as_libelf(*state, "ppc32.o", EM_PPC, true, false);
}

/* All .debug_* contents against those of the file decompressed by @tool. */
static void inflates(const char *dir, const char *name, const char *tool)
{
	struct elf_file *f, *plain;
	const void *a, *b, *again;
	struct elf_sec s, p;
	int nr_inflated = 0;
	char line[256];
	size_t na, nb;
	uint32_t i;

	snprintf(line, sizeof(line), "%s --decompress-debug-sections %s plain.o", tool,
		 name);
	must(dir, line);
	f = open_ok(dir, name);
	plain = open_ok(dir, "plain.o");
	assert_int_equal(elf_file__check_dwarf(f, NULL), 0);
	for (i = 1; i < elf_file__nr_secs(f); i++) {
		assert_int_equal(elf_file__sec(f, i, &s), 0);
		if (!(s.flags & SHF_COMPRESSED))
			continue;
		nr_inflated++;
		assert_int_equal(elf_file__sec_by_name(plain, s.name, &p), 0);
		assert_int_equal(elf_file__data(f, i, &a, &na, NULL), 0);
		assert_int_equal(elf_file__data(plain, p.idx, &b, &nb, NULL), 0);
		assert_true(na == nb && na > 0 && na > s.size / 100);
		assert_memory_equal(a, b, na);
		assert_int_equal(elf_file__data(f, i, &again, &na, NULL), 0);
		assert_ptr_equal(a, again);
	}
	assert_true(nr_inflated > 0);
	elf_file__close(plain);
	elf_file__close(f);
}

static void test_zlib(void **state)
{
	struct elf_file *f;

	inflates(*state, "zlib.o", "objcopy");
	inflates(*state, "i386z.o", "llvm-objcopy");
	inflates(*state, "s390xz.o", "llvm-objcopy");
	f = open_ok(*state, "gnu.o");
	assert_int_equal(elf_file__check_dwarf(f, NULL), 0);
	elf_file__close(f);
}

/* Bytes at @at in section @sec of @from become @v, in a new file. */
static void patch(const char *dir, const char *from, const char *to, const char *sec,
		  size_t at, const void *v, size_t n)
{
	struct elf_file *f = open_ok(dir, from);
	char *in = in_dir(dir, from), *out = in_dir(dir, to);
	struct bytes b = slurp(in);
	struct elf_sec s;

	assert_int_equal(elf_file__sec_by_name(f, sec, &s), 0);
	memcpy(b.p + s.off + at, v, n);
	spit(out, b.p, b.n);
	elf_file__close(f);
	free(b.p);
	free(in);
	free(out);
}

static int data_of(const char *dir, const char *name, const char *sec,
		   struct btf_locs_err *err)
{
	struct elf_file *f = open_ok(dir, name);
	struct elf_sec s;
	const void *data;
	size_t size;
	int ret;

	assert_int_equal(elf_file__sec_by_name(f, sec, &s), 0);
	ret = elf_file__data(f, s.idx, &data, &size, err);
	elf_file__close(f);
	return ret;
}

static void test_bad_compression(void **state)
{
	static const uint8_t zstd[4] = { 2 }, huge[8] = { [5] = 1 }, one_less[1] = { 1 };
	struct btf_locs_err err = { "" };
	struct elf_file *f;

	/* ch_type 2, as clang -gz=zstd has it */
	patch(*state, "zlib.o", "zstd.o", ".debug_info", 0, zstd, 4);
	f = open_ok(*state, "zstd.o");
	assert_int_equal(elf_file__check_dwarf(f, &err), -EOPNOTSUPP);
	assert_string_equal(
		err.text,
		"section .debug_info is compressed with zstd, which this "
		"elfutils cannot read: use objcopy --decompress-debug-sections");
	elf_file__close(f);
	assert_int_equal(data_of(*state, "zstd.o", ".debug_info", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "zstd"));
	assert_int_equal(data_of(*state, "zstd.o", ".debug_abbrev", NULL), 0);

	/* ch_size of a terabyte, ch_size too small, a broken stream */
	patch(*state, "zlib.o", "bad.o", ".debug_info", 8, huge, 8);
	assert_int_equal(data_of(*state, "bad.o", ".debug_info", &err), -EBADMSG);
	assert_string_equal(err.text, "malformed: compressed section .debug_info");
	patch(*state, "zlib.o", "bad.o", ".debug_info", 8, one_less, 1);
	assert_int_equal(data_of(*state, "bad.o", ".debug_info", NULL), -EBADMSG);
	patch(*state, "zlib.o", "bad.o", ".debug_info", 24, "\xff\xff", 2);
	assert_int_equal(data_of(*state, "bad.o", ".debug_info", NULL), -EBADMSG);
}

static int dwarf_of(const char *dir, const char *name)
{
	struct btf_locs_err err = { "" };
	struct elf_file *f = open_ok(dir, name);
	int ret = elf_file__check_dwarf(f, &err);

	assert_int_equal(!ret, !err.text[0]);
	elf_file__close(f);
	return ret;
}

static void test_has_dwarf(void **state)
{
	assert_int_equal(dwarf_of(*state, "pie"), 0);
	assert_int_equal(dwarf_of(*state, "pie.debug"), 0);
	assert_int_equal(dwarf_of(*state, "s390x.o"), 0);
	assert_int_equal(dwarf_of(*state, "nodebug.o"), -ENODATA);
	assert_int_equal(dwarf_of(*state, "lib.so"), -ENODATA);
}

static void test_build_id(void **state)
{
	struct elf_file *f = open_ok(*state, "pie");

	assert_string_equal(elf_file__build_id(f), "0123456789abcdef00ff");
	elf_file__close(f);
	f = open_ok(*state, "pie.debug");
	assert_string_equal(elf_file__build_id(f), "0123456789abcdef00ff");
	elf_file__close(f);
	f = open_ok(*state, "s390x.o");
	assert_string_equal(elf_file__build_id(f), "");
	elf_file__close(f);
}

static void test_sec_by_addr(void **state)
{
	struct elf_file *f = open_ok(*state, "pie");
	struct elf_sec s, t;
	uint32_t i;

	for (i = 1; i < elf_file__nr_secs(f); i++) {
		assert_int_equal(elf_file__sec(f, i, &s), 0);
		if (!(s.flags & SHF_ALLOC) || (s.flags & SHF_TLS))
			continue;
		assert_int_equal(elf_file__sec_by_addr(f, s.addr, &t), 0);
		assert_int_equal(t.idx, s.idx);
		assert_int_equal(elf_file__sec_by_addr(f, s.addr + s.size - 1, &t), 0);
		assert_int_equal(t.idx, s.idx);
	}
	/* .tbss lies where .init_array lies, and has no bytes there */
	assert_int_equal(elf_file__sec_by_name(f, ".tbss", &s), 0);
	assert_int_equal(elf_file__sec_by_addr(f, s.addr, &t), 0);
	assert_string_equal(t.name, ".init_array");
	assert_int_equal(elf_file__sec_by_addr(f, 0, &t), -ENOENT);
	assert_int_equal(elf_file__sec_by_addr(f, UINT64_MAX, &t), -ENOENT);
	elf_file__close(f);
	f = open_ok(*state, "gcc.o");
	assert_int_equal(elf_file__sec_by_addr(f, 0, &t), -ENOENT);
	elf_file__close(f);
}

/* Offsets into .text of asm_source, and who is there; NULL: nobody. */
static void check_places(struct elf_file *f, uint64_t base, uint32_t shndx)
{
	static const struct {
		uint64_t off;
		const char *name;
	} want[] = {
		{ 0, "glob" },	 { 15, "glob" },  { 16, NULL },	   { 31, NULL },
		{ 32, "outer" }, { 39, "outer" }, { 40, "inner" }, { 47, "inner" },
		{ 48, "mid" },	 { 49, "outer" }, { 63, "outer" }, { 64, "bare" },
		{ 79, "bare" },	 { 80, NULL },
	};
	struct elf_sym sym;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		ret = elf_file__sym_by_addr(f, base + want[i].off, shndx, &sym);
		assert_int_equal(ret, want[i].name ? 0 : -ENOENT);
		if (want[i].name)
			assert_string_equal(sym.name, want[i].name);
	}
}

static void test_sym_by_addr(void **state)
{
	struct elf_file *f = open_ok(*state, "s.o");
	struct elf_sec text, data, other;
	struct elf_sym sym;

	assert_int_equal(elf_file__sec_by_name(f, ".text", &text), 0);
	assert_int_equal(elf_file__sec_by_name(f, ".data", &data), 0);
	assert_int_equal(elf_file__sec_by_name(f, ".other", &other), 0);
	check_places(f, 0, text.idx);
	assert_int_equal(elf_file__sym_by_addr(f, 4, data.idx, &sym), 0);
	assert_string_equal(sym.name, "dat");
	assert_true(sym.value == 0 && sym.size == 8 && sym.shndx == data.idx);
	assert_true(sym.type == STT_OBJECT && sym.bind == STB_LOCAL);
	assert_int_equal(elf_file__sym_by_addr(f, 8, data.idx, &sym), -ENOENT);
	assert_int_equal(elf_file__sym_by_addr(f, 50, other.idx, &sym), 0);
	assert_string_equal(sym.name, "other");
	/* any section: only .other reaches so far */
	assert_int_equal(elf_file__sym_by_addr(f, 99, 0, &sym), 0);
	assert_string_equal(sym.name, "other");
	assert_int_equal(elf_file__sym_by_addr(f, 100, 0, &sym), -ENOENT);
	elf_file__close(f);

	f = open_ok(*state, "s.exe");
	check_places(f, 0x401000, 0);
	assert_int_equal(elf_file__sym_by_addr(f, 0x24, 0, &sym), -ENOENT);
	assert_int_equal(elf_file__sym_by_addr(f, UINT64_MAX, 0, &sym), -ENOENT);
	elf_file__close(f);
}

static void test_sym_by_name(void **state)
{
	static const char *const files[] = { "pie",	"gcc.o",   "clang.o", "i386.o",
					     "ppc32.o", "s390x.o", "lib.so" };
	struct elf_sym sym, second;
	struct elf_file *f;
	size_t pos, i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		f = open_ok(*state, files[i]);
		pos = 0;
		assert_int_equal(elf_file__sym_by_name(f, "counter", &pos, &sym), 0);
		assert_true(sym.type == STT_OBJECT && sym.size == 4 && pos > 0);
		assert_int_equal(elf_file__sym_by_name(f, "counter", &pos, &sym),
				 -ENOENT);
		pos = 0;
		assert_int_equal(elf_file__sym_by_name(f, "twice", &pos, &sym), 0);
		assert_int_equal(sym.type, STT_FUNC);
		assert_int_equal(elf_file__sym_by_addr(f, sym.value, sym.shndx, &second),
				 0);
		assert_string_equal(second.name, "twice");
		pos = 0;
		assert_int_equal(elf_file__sym_by_name(f, "nobody", &pos, &sym), -ENOENT);
		assert_int_equal(pos, 0);
		/* a file's name, an undefined one */
		assert_int_equal(elf_file__sym_by_name(f, "a.c", &pos, &sym), -ENOENT);
		assert_int_equal(elf_file__sym_by_name(f, "__libc_start_main", &pos,
						       &sym),
				 -ENOENT);
		elf_file__close(f);
	}
	f = open_ok(*state, "s.exe");
	pos = 0;
	assert_int_equal(elf_file__sym_by_name(f, "absolute", &pos, &sym), 0);
	assert_true(sym.value == 0x24 && sym.shndx == SHN_ABS);
	elf_file__close(f);

	f = open_ok(*state, "dup.o");
	pos = 0;
	assert_int_equal(elf_file__sym_by_name(f, "dup", &pos, &sym), 0);
	assert_int_equal(elf_file__sym_by_name(f, "dup", &pos, &second), 0);
	assert_true(second.value > sym.value);
	assert_int_equal(elf_file__sym_by_name(f, "dup", &pos, &sym), -ENOENT);
	elf_file__close(f);
}

/* More sections than 16 bits count: e_shnum 0, SHN_XINDEX. */
static void test_many_sections(void **state)
{
	struct elf_sec s, t;
	struct elf_file *f;
	struct elf_sym sym;
	size_t pos = 0;

	must(*state, "awk 'BEGIN { for (i = 0; i < 66000; i++) "
		     "printf(\".section .t.%d,\\\"ax\\\"\\n.type f%d,@function\\n"
		     "f%d: .byte 1\\n.size f%d,1\\n\", i, i, i, i); "
		     "print \".globl abs\\n.set abs,5\" }' > m.s; as m.s -o m.o");
	f = open_ok(*state, "m.o");
	assert_true(elf_file__nr_secs(f) > 66000);
	assert_int_equal(elf_file__sec_by_name(f, ".t.65999", &s), 0);
	assert_int_equal(elf_file__sym_by_name(f, "f65999", &pos, &sym), 0);
	assert_int_equal(sym.shndx, s.idx);
	assert_int_equal(elf_file__sym_by_addr(f, 0, s.idx, &sym), 0);
	assert_string_equal(sym.name, "f65999");
	/* the section whose number SHN_ABS is */
	assert_int_equal(elf_file__sec(f, SHN_ABS, &t), 0);
	assert_int_equal(elf_file__sym_by_addr(f, 0, SHN_ABS, &sym), 0);
	assert_string_equal(sym.name + 1, t.name + 3);
	assert_int_equal(elf_file__sym_by_addr(f, 5, SHN_ABS, &sym), -ENOENT);
	elf_file__close(f);
	same_as_libelf(*state, "m.o", EM_X86_64, false, true);
	must(*state, "rm m.s m.o");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_not_elf),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_zlib),
		cmocka_unit_test(test_bad_compression),
		cmocka_unit_test(test_has_dwarf),
		cmocka_unit_test(test_build_id),
		cmocka_unit_test(test_sec_by_addr),
		cmocka_unit_test(test_sym_by_addr),
		cmocka_unit_test(test_sym_by_name),
		cmocka_unit_test(test_many_sections),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, build, remove_dir);
}
