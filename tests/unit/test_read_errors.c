// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_read_errors.c - each read of a file fails in turn, or finds the file cut
 *
 * To be linked with -Wl,--wrap= for read, pread, pread64, elf_begin and elf_errmsg. A read that
 * fails is told as what it is, never as something about what the file holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "../../lib/elf_file.h"
#include "../../lib/elf_write.h"
#include "../../lib/file_bytes.h"
#include "elf_util.h"
#include "locs_blob.h"

ssize_t __real_read(int fd, void *buf, size_t size);
ssize_t __real_pread(int fd, void *buf, size_t size, off_t off);
ssize_t __real_pread64(int fd, void *buf, size_t size, off_t off);
Elf *__real_elf_begin(int fd, Elf_Cmd cmd, Elf *ref);
ssize_t __wrap_read(int fd, void *buf, size_t size);
ssize_t __wrap_pread(int fd, void *buf, size_t size, off_t off);
ssize_t __wrap_pread64(int fd, void *buf, size_t size, off_t off);
Elf *__wrap_elf_begin(int fd, Elf_Cmd cmd, Elf *ref);
const char *__real_elf_errmsg(int error);
const char *__wrap_elf_errmsg(int error);

/* How many reads go well until one does not; below 0: all do. */
static long reads_left = -1;
static bool reached;
static const char *cut_path;	/* cut before that one, which then is done; NULL: it fails */
static int libelf_error;		/* what libelf fails with; 0: it does not */

static bool read__fails(void)
{
	if (reads_left < 0 || reads_left-- > 0)
		return false;
	reached = true;
	errno = EIO;
	return !cut_path || truncate(cut_path, 0);
}

ssize_t __wrap_read(int fd, void *buf, size_t size)
{
	return read__fails() ? -1 : __real_read(fd, buf, size);
}

ssize_t __wrap_pread(int fd, void *buf, size_t size, off_t off)
{
	return read__fails() ? -1 : __real_pread(fd, buf, size, off);
}

ssize_t __wrap_pread64(int fd, void *buf, size_t size, off_t off)
{
	return read__fails() ? -1 : __real_pread64(fd, buf, size, off);
}

Elf *__wrap_elf_begin(int fd, Elf_Cmd cmd, Elf *ref)
{
	return libelf_error ? NULL : __real_elf_begin(fd, cmd, ref);
}

const char *__wrap_elf_errmsg(int error)
{
	return __real_elf_errmsg(libelf_error ? libelf_error : error);
}

/* base, sec: raw. obj: ELF with both. Each packed too. */
static int build(void **state)
{
	struct blob base, sec;
	uint8_t *data;
	size_t size;
	char *path;

	if (make_dir(state))
		return -1;
	locs_sample__build(&base, &sec, false);
	data = blob__finish(&base, 24, &size);
	path = in_dir(*state, "base");
	spit(path, data, size);
	free(path);
	free(data);
	data = blob__finish(&sec, 32, &size);
	path = in_dir(*state, "sec");
	spit(path, data, size);
	free(path);
	free(data);
	blob__free(&base);
	blob__free(&sec);
	must(*state, "echo 'int f(int a) { return a; }' > a.c; gcc -g -c -Wl,--build-id a.c -o obj;"
		     "objcopy --add-section .BTF=base --add-section .BTF.func_info=sec obj;"
		     "gzip -k base sec obj; xz -k base sec obj; zstd -q base sec obj; mkdir w");
	return 0;
}

/* Opens @sec upon @base (NULL: its own), asks it everything and closes it. */
static int open_sec(const char *sec, const char *base, struct btf_locs_err *err)
{
	struct btf_locs_open_opts opts = {
		.sz = sizeof(opts), .bases = &base, .nr_bases = base != NULL, .err = err,
	};
	struct btf_locs *locs;
	int ret = btf_locs__open(sec, &opts, &locs);

	if (ret)
		return ret;
	/* whatever happens to the file now */
	if (truncate(sec, 0) || (base && truncate(base, 0)))
		fail_msg("truncate: %s", strerror(errno));
	locs__walk_all(locs);
	btf_locs__close(locs);
	return 0;
}

static const char *const pairs[][2] = {
	{ "sec", "base" }, { "obj", NULL }, { "sec", "obj" }, { "sec.gz", "base.xz" },
	{ "obj.zst", NULL }, { "sec.xz", "obj.gz" }, { "sec.zst", "base.zst" },
};

/* The pair in the folder w, anew. */
static void fresh_pair(const char *dir, const char *const pair[2], char *paths[2])
{
	char line[128];
	int i;

	for (i = 0; i < 2; i++) {
		paths[i] = NULL;
		if (!pair[i])
			continue;
		snprintf(line, sizeof(line), "cp %s w", pair[i]);
		must(dir, line);
		snprintf(line, sizeof(line), "w/%s", pair[i]);
		paths[i] = in_dir(dir, line);
	}
}

/* A device that fails: the line says so, whichever read it was. */
static void test_fails(void **state)
{
	struct btf_locs_err err;
	char *paths[2];
	size_t i;
	long n;
	int ret;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		for (n = 0; ; n++) {
			fresh_pair(*state, pairs[i], paths);
			err.text[0] = '\0';
			reached = false;
			reads_left = n;
			ret = open_sec(paths[0], paths[1], &err);
			reads_left = -1;
			free(paths[0]);
			free(paths[1]);
			if (!reached)
				break;
			if (ret != -EIO ||
			    !strstr(err.text, ": cannot be read: Input/output error"))
				fail_msg("%s, read %ld: %d, '%s'", pairs[i][0], n, ret, err.text);
		}
		assert_int_equal(ret, 0);
		assert_true(n >= 4);
	}
}

/* One of the files is cut to nothing before a read: an error of reading, or it was read already. */
static void test_cut(void **state)
{
	struct btf_locs_err err;
	char *paths[2];
	size_t i, which;
	long n;
	int ret, nr_cut;

	for (i = 0; i < 2 * sizeof(pairs) / sizeof(pairs[0]); i++) {
		which = i % 2;
		if (!pairs[i / 2][which])
			continue;
		nr_cut = 0;
		for (n = 0; ; n++) {
			fresh_pair(*state, pairs[i / 2], paths);
			reached = false;
			cut_path = paths[which];
			reads_left = n;
			ret = open_sec(paths[0], paths[1], &err);
			reads_left = -1;
			cut_path = NULL;
			free(paths[0]);
			free(paths[1]);
			if (!reached)
				break;
			if (ret && ret != -EIO && !strstr(err.text, ": is empty") &&
			    !strstr(err.text, ": BTF header: cut off"))
				fail_msg("%s, read %ld: %d, '%s'", pairs[i / 2][which], n, ret,
					 err.text);
			nr_cut += ret && strstr(err.text, ": was cut short while it was read");
		}
		assert_int_equal(ret, 0);
		assert_true(nr_cut >= 1);
	}
}

/* The same of an object that a section is written into: it stays what it is. */
static void test_write(void **state)
{
	char *path = in_dir(*state, "w/obj"), *dir = in_dir(*state, "w");
	struct btf_locs_err err;
	struct bytes was;
	long n;
	int ret;

	must(*state, "rm -f w/*; cp obj w");
	was = slurp(path);
	for (n = 0; ; n++) {
		reached = false;
		reads_left = n;
		ret = elf_write__section(path, ".new", "data", 4, &err);
		reads_left = -1;
		if (!reached)
			break;
		/* what the object is packed with is looked at beforehand, and that may fail */
		if (ret && (ret != -EIO || !strstr(err.text, "Input/output error")))
			fail_msg("read %ld: %d, '%s'", n, ret, err.text);
		assert_true(ret || !n);
		if (ret)
			assert_file_is(path, was);
		else
			spit(path, was.p, was.n);
		assert_int_equal(nr_names(dir), 1);
	}
	assert_int_equal(ret, 0);
	assert_true(n >= 5);
	free(was.p);
	free(path);
	free(dir);
}

static void test_read_all(void **state)
{
	char *path = in_dir(*state, "bytes");
	struct btf_locs_err err;
	size_t size;
	void *data;
	int fd;

	spit(path, "0123456789", 10);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	/* as long as it was, longer, of an unknown length, never as long (sysfs) */
	assert_int_equal(fd__read_all(fd, 10, &data, &size, &err), 0);
	assert_true(size == 10 && !memcmp(data, "0123456789", 10));
	free(data);
	assert_int_equal(fd__read_all(fd, 3, &data, &size, &err), 0);
	assert_true(size == 10 && !memcmp(data, "0123456789", 10));
	free(data);
	assert_int_equal(fd__read_all(fd, 0, &data, &size, &err), 0);
	assert_int_equal(size, 10);
	free(data);
	/* shorter */
	assert_int_equal(fd__read_all(fd, 11, &data, &size, &err), -EIO);
	assert_string_equal(err.text, "was cut short while it was read");
	close(fd);
	fd = open("/sys/kernel/notes", O_RDONLY);
	if (fd >= 0) {
		assert_int_equal(fd__read_all(fd, 0, &data, &size, &err), 0);
		assert_true(size > 0);
		free(data);
		close(fd);
	}
	free(path);
}

/* Out of memory is that, also where libelf says it; whatever number it has there. */
static void test_libelf(void **state)
{
	char *path = in_dir(*state, "obj");
	struct elf_file *f = NULL;
	struct btf_locs_err err;
	const char *text;
	int i, nomem = 0;

	for (i = 1; (text = __real_elf_errmsg(i)) && i < 100 && !nomem; i++) {
		libelf_error = i;
		nomem = elf_file__open(path, &f, &err) == -ENOMEM ? i : 0;
		libelf_error = 0;
		assert_null(f);
		if (!nomem)
			assert_non_null(strstr(err.text, text));
	}
	assert_int_not_equal(nomem, 0);
	assert_string_equal(__real_elf_errmsg(nomem), "out of memory");
	assert_string_equal(err.text, "out of memory");
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fails),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_read_all),
		cmocka_unit_test(test_libelf),
	};

	return cmocka_run_group_tests(tests, build, remove_dir);
}
