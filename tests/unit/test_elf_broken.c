// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_elf_broken.c - ELF files cut off at every byte, and with any bytes changed */
#include "elf_util.h"

#include <elf.h>
#include <zlib.h>

#include "../../lib/elf_file.h"
#include "../../lib/elf_write.h"

#define FLIPS 6000 /* changed files a kind of object */

static const char builds[] = "echo 'int g = 3; int f(int x) { return x + g; }' > a.c;"
			     "gcc -g -O1 -c -gz=zlib a.c -o a64.o;"
			     "clang --target=i386-linux-gnu -c a.c -o a32.o;"
			     "clang --target=s390x-linux-gnu -g -c a.c -o big.o;"
			     "gcc -O1 -nostdlib -static -Wl,--build-id,-e,f a.c -o exe;";

static int build(void **state)
{
	return make_dir(state) ? -1 : sh(*state, builds);
}

/* Asks for everything there is. */
static void use(struct elf_file *f)
{
	uint32_t i, nr = elf_file__nr_secs(f);
	struct btf_locs_err err;
	volatile uint8_t sum = 0;
	struct elf_sym sym;
	struct elf_sec s;
	const void *data;
	size_t size, pos = 0;

	for (i = 0; i <= nr && i < 100; i++) {
		if (elf_file__sec(f, i, &s))
			continue;
		assert_non_null(s.name);
		if (!elf_file__data(f, i, &data, &size, &err) && size)
			sum += ((const uint8_t *)data)[0] +
			       ((const uint8_t *)data)[size - 1];
		elf_file__sec_by_name(f, s.name, &s);
		elf_file__sec_by_addr(f, s.addr, &s);
		if (!elf_file__sym_by_addr(f, s.addr, i, &sym))
			sum += strlen(sym.name);
	}
	elf_file__check_dwarf(f, &err);
	if (!elf_file__sym_by_name(f, "f", &pos, &sym))
		sum += strlen(sym.name);
	elf_file__sym_by_addr(f, 4, 0, &sym);
	sum += strlen(elf_file__build_id(f));
	(void)sum;
}

/* Opens, uses, and writes into the file. 0 or the code of the opening. */
static int try_file(const char *path, struct btf_locs_err *err)
{
	struct elf_file *f;
	int ret, wret;

	err->text[0] = 0;
	ret = elf_file__open(path, &f, err);
	assert_true(ret <= 0);
	if (ret) {
		assert_true(err->text[0] && !strchr(err->text, '\n'));
	} else {
		use(f);
		elf_file__close(f);
	}
	wret = elf_write__section(path, ".new", "abcd", 4, NULL);
	assert_true(ret ? wret == ret : wret <= 0);
	if (wret || ret)
		return ret;
	/* what was written is sound, and there */
	if (elf_file__open(path, &f, err))
		fail_msg("after writing: %s", err->text);
	elf_file__close(f);
	return 0;
}

/* Every length from 0: the lengths below @least are errors, the others are not. */
static void cut_everywhere(const char *dir, struct bytes b, size_t least,
			   const char *says)
{
	char *path = in_dir(dir, "cut");
	struct btf_locs_err err;
	size_t n;
	int ret;

	for (n = 0; n <= b.n; n++) {
		spit(path, b.p, n);
		ret = try_file(path, &err);
		if (n < 4)
			assert_int_equal(ret, -ENOEXEC);
		else if (n < least)
			assert_int_equal(ret, -EBADMSG);
		else
			assert_int_equal(ret, 0);
		if (n >= 4 && n < least)
			assert_ptr_equal(strstr(err.text, "truncated"), err.text);
		if (n == least - 1)
			assert_non_null(strstr(err.text, says));
		if (ret) /* and nothing was written into it */
			assert_file_is(path, (struct bytes){ b.p, n });
	}
	unlink(path);
	free(path);
}

static void test_truncated(void **state)
{
	static const char *const names[] = { "a64.o", "a32.o", "big.o", "exe" };
	struct bytes b;
	char *path;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path = in_dir(*state, names[i]);
		b = slurp(path);
		/* the section header table is the last thing in all of these */
		cut_everywhere(*state, b, b.n, "section header table");
		free(b.p);
		free(path);
	}
}

/* A section's contents behind the header table, and bytes of nobody behind that. */
static void test_truncated_section(void **state)
{
	char *path = in_dir(*state, "a64.o");
	struct elf_file *f;
	struct elf_sec s;
	struct bytes b = slurp(path);
	uint64_t shoff, off = b.n;

	assert_int_equal(elf_file__open(path, &f, NULL), 0);
	assert_int_equal(elf_file__sec_by_name(f, ".comment", &s), 0);
	elf_file__close(f);
	b.p = realloc(b.p, b.n + s.size + 10);
	assert_non_null(b.p);
	memcpy(b.p + b.n, b.p + s.off, s.size);
	memset(b.p + b.n + s.size, 'x', 10);
	b.n += s.size + 10;
	memcpy(&shoff, b.p + offsetof(Elf64_Ehdr, e_shoff), 8);
	memcpy(b.p + shoff + s.idx * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_offset),
	       &off, 8);
	cut_everywhere(*state, b, b.n - 10, "section .comment ends at 0x");
	free(b.p);
	free(path);
}

/*
 * The section names, said to be compressed: behind the zlib stream they stand as they are. Who asks
 * for that section's contents leaves the names alone.
 */
static void test_compressed_names(void **state)
{
	Elf64_Chdr chdr = { .ch_type = ELFCOMPRESS_ZLIB, .ch_size = 4, .ch_addralign = 1 };
	char *path = in_dir(*state, "a64.o");
	struct bytes b = slurp(path);
	Elf64_Shdr *sh;
	uint8_t stream[64];
	uLongf len = sizeof(stream);
	struct elf_file *f;
	struct elf_sec s;
	const void *data;
	size_t size, head, i;
	Elf64_Ehdr ehdr;

	free(path);
	assert_int_equal(compress(stream, &len, (const Bytef *)"text", 4), Z_OK);
	memcpy(&ehdr, b.p, sizeof(ehdr));
	head = sizeof(chdr) + len;
	/* at the end: the chdr, the stream, the old names; the header table */
	path = in_dir(*state, "names.o");
	sh = malloc(ehdr.e_shnum * sizeof(*sh));
	assert_non_null(sh);
	memcpy(sh, b.p + ehdr.e_shoff, ehdr.e_shnum * sizeof(*sh));
	size = sh[ehdr.e_shstrndx].sh_size;
	b.p = realloc(b.p, b.n + head + size + ehdr.e_shnum * sizeof(*sh));
	assert_non_null(b.p);
	memcpy(b.p + b.n, &chdr, sizeof(chdr));
	memcpy(b.p + b.n + sizeof(chdr), stream, len);
	memcpy(b.p + b.n + head, b.p + sh[ehdr.e_shstrndx].sh_offset, size);
	for (i = 1; i < ehdr.e_shnum; i++)
		sh[i].sh_name += head;
	sh[ehdr.e_shstrndx].sh_offset = b.n;
	sh[ehdr.e_shstrndx].sh_size += head;
	sh[ehdr.e_shstrndx].sh_flags |= SHF_COMPRESSED;
	b.n += head + size;
	ehdr.e_shoff = b.n;
	memcpy(b.p, &ehdr, sizeof(ehdr));
	memcpy(b.p + b.n, sh, ehdr.e_shnum * sizeof(*sh));
	spit(path, b.p, b.n + ehdr.e_shnum * sizeof(*sh));

	assert_int_equal(elf_file__open(path, &f, NULL), 0);
	assert_int_equal(elf_file__data(f, ehdr.e_shstrndx, &data, &size, NULL), 0);
	assert_true(size == 4 && !memcmp(data, "text", 4));
	assert_int_equal(elf_file__sec_by_name(f, ".shstrtab", &s), 0);
	assert_int_equal(s.idx, ehdr.e_shstrndx);
	elf_file__close(f);
	unlink(path);
	free(sh);
	free(b.p);
	free(path);
}

/* A generator of our own, so that a failure comes again. */
static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Half of the changes go where the structure is: the ELF header and the header table. */
static void flip_everywhere(const char *dir, const char *name, uint64_t seed)
{
	static const uint8_t nasty[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	char *in = in_dir(dir, name), *path = in_dir(dir, "flipped");
	struct bytes b = slurp(in);
	uint8_t *copy = malloc(b.n);
	struct btf_locs_err err;
	int i, k, nr, opened = 0;
	size_t at;

	assert_non_null(copy);
	for (i = 0; i < FLIPS; i++) {
		memcpy(copy, b.p, b.n);
		nr = 1 + next_random(&seed) % 4;
		for (k = 0; k < nr; k++) {
			at = next_random(&seed) % b.n;
			if (next_random(&seed) % 2)
				at = at < b.n / 2 ? at % 64 : b.n - 1 - at % (b.n / 4);
			copy[at] = next_random(&seed) % 2
					   ? nasty[next_random(&seed) % sizeof(nasty)]
					   : next_random(&seed);
		}
		spit(path, copy, b.n);
		opened += !try_file(path, &err);
	}
	assert_true(opened > FLIPS / 20);
	assert_true(opened < FLIPS);
	unlink(path);
	free(copy);
	free(b.p);
	free(path);
	free(in);
}

static void test_changed(void **state)
{
	flip_everywhere(*state, "a64.o", 1);
	flip_everywhere(*state, "a32.o", 2);
	flip_everywhere(*state, "big.o", 3);
	flip_everywhere(*state, "exe", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_truncated_section),
		cmocka_unit_test(test_compressed_names),
		cmocka_unit_test(test_changed),
	};

	/* each try writes a file with fsync: in memory where that can be */
	if (!getenv("TMPDIR") && !access("/dev/shm", W_OK))
		setenv("TMPDIR", "/dev/shm", 1);
	return cmocka_run_group_tests(tests, build, remove_dir);
}
