// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_elf_nomem.c - each allocation of reading and writing an ELF file failed in turn
 *
 * The sources stand in this file, with allocation functions that fail when told to.
 */
#include "elf_util.h"

#include <elf.h>

/* How many allocations succeed until one fails; negative: none does any more. */
static long allocs_left = -1;

static int alloc_fails(void)
{
	return allocs_left >= 0 && allocs_left-- == 0;
}

static void *failing_malloc(size_t size)
{
	return alloc_fails() ? NULL : malloc(size);
}

static void *failing_calloc(size_t n, size_t size)
{
	return alloc_fails() ? NULL : calloc(n, size);
}

static char *failing_strdup(const char *s)
{
	return alloc_fails() ? NULL : strdup(s);
}

static char *failing_strndup(const char *s, size_t n)
{
	return alloc_fails() ? NULL : strndup(s, n);
}

#undef strdup
#undef strndup
#define malloc failing_malloc
#define calloc failing_calloc
#define strdup failing_strdup
#define strndup failing_strndup
#include "../../lib/file_bytes.c"
#include "../../lib/unpack.c"
#include "../../lib/unpack_gzip.c"
#include "../../lib/elf_file.c"
#include "../../lib/elf_data.c"
#include "../../lib/elf_syms.c"
#include "../../lib/elf_syms_at.c"
#include "../../lib/atomic_file.c"
#include "../../lib/elf_write.c"
#undef malloc
#undef calloc
#undef strdup
#undef strndup

static int build(void **state)
{
	char *path;
	int ret;

	if (make_dir(state))
		return -1;
	must(*state, "echo 'int g = 3; int main(void) { return g; }' > a.c;"
		     "gcc -g -gz=zlib a.c -o exe; gzip -k exe; mkdir d; cp exe d/exe");
	path = in_dir(*state, "d/exe");
	ret = setxattr(path, "user.a", "b", 1, 0);
	free(path);
	return ret;
}

/* Opens, takes section @sec and looks symbols up. */
static int read_all(const char *path, const char *sec)
{
	struct elf_file *f = NULL;
	struct elf_sym sym;
	struct elf_sec s;
	const void *data;
	size_t size, pos = 0;
	int ret;

	ret = elf_file__open(path, &f, NULL);
	if (ret)
		return ret;
	ret = elf_file__sec_by_name(f, sec, &s);
	ret = ret ?: elf_file__data(f, s.idx, &data, &size, NULL);
	ret = ret ?: elf_file__check_dwarf(f, NULL);
	ret = ret ?: elf_file__sym_by_name(f, "main", &pos, &sym);
	ret = ret ?: elf_file__sym_by_addr(f, sym.value, 0, &sym);
	elf_file__close(f);
	return ret;
}

static void read_failing(const char *dir, const char *name)
{
	char *path = in_dir(dir, name);
	int n, ret = -ENOMEM;

	for (n = 0; ret; n++) {
		allocs_left = n;
		ret = read_all(path, ".debug_info");
		assert_true(ret == 0 || ret == -ENOMEM);
		assert_true(n < 100);
	}
	assert_true(allocs_left == 0 && n > 10);
	allocs_left = -1;
	free(path);
}

static void test_read(void **state)
{
	read_failing(*state, "exe");
	read_failing(*state, "exe.gz");
}

static void test_write(void **state)
{
	char *path = in_dir(*state, "d/exe"), *dir = in_dir(*state, "d");
	struct bytes was = slurp(path);
	struct btf_locs_err err;
	int n, ret = 0;
	char value[8];

	for (n = 0; allocs_left < 0; n++) {
		spit(path, was.p, was.n);
		allocs_left = n;
		err.text[0] = 0;
		ret = elf_write__section(path, ".new", "data", 4, &err);
		/* one allocation only serves to leave an xattr alone that is right */
		assert_true(ret == 0 || (ret == -ENOMEM && err.text[0]));
		if (ret)
			assert_file_is(path, was);
		assert_int_equal(nr_names(dir), 1);
		assert_true(n < 100);
	}
	assert_true(ret == 0 && n > 8);
	allocs_left = -1;
	assert_int_equal(read_all(path, ".new"), 0);
	assert_int_equal(getxattr(path, "user.a", value, sizeof(value)), 1);
	assert_int_equal(value[0], 'b');
	free(was.p);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_write),
	};

	return cmocka_run_group_tests(tests, build, remove_dir);
}
