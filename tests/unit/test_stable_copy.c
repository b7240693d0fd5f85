// SPDX-License-Identifier: GPL-2.0-only
/* test_stable_copy.c - a file's contents, kept while the file is rewritten */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../cmd/stable_copy.h"

#define SIZE (3 << 20)

struct fixture {
	char dir[32];
	char file[48];
	struct stat st;
	uint8_t *data;
};

static void put(const char *path, const uint8_t *data, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	size_t i;

	assert_non_null(f);
	strcpy(f->dir, "/tmp/stable_copy.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->file, sizeof(f->file), "%s/file", f->dir);
	f->data = malloc(SIZE);
	assert_non_null(f->data);
	for (i = 0; i < SIZE; i++)
		f->data[i] = i * 2654435761u >> 13;
	put(f->file, f->data, SIZE);
	assert_int_equal(stat(f->file, &f->st), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->file);
	rmdir(f->dir);
	free(f->data);
	free(f);
	return 0;
}

static void check_copy(const struct stable_copy *c, const uint8_t *want, size_t size)
{
	uint8_t *got = malloc(size + 1);
	int fd = open(c->path, O_RDONLY);

	assert_non_null(got);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, got, size + 1), size);
	assert_memory_equal(got, want, size);
	close(fd);
	free(got);
}

static int nr_entries(const char *dir)
{
	DIR *d = opendir(dir);
	int nr = 0;

	assert_non_null(d);
	while (readdir(d))
		nr++;
	closedir(d);
	return nr - 2;
}

/* Cut to nothing and written over afterwards: the copy stays what it was. */
static void test_kept(void **state)
{
	static const uint8_t other[] = "other";
	struct fixture *f = *state;
	struct stable_copy c;

	assert_int_equal(stable_copy__make(f->file, &f->st, &c), 0);
	assert_int_equal(nr_entries(f->dir), 1);
	check_copy(&c, f->data, SIZE);
	put(f->file, other, sizeof(other));
	check_copy(&c, f->data, SIZE);
	unlink(f->file);
	check_copy(&c, f->data, SIZE);
	stable_copy__close(&c);
	assert_int_equal(c.fd, -1);
	stable_copy__close(&c);
}

/* What is left out is zeros, also up to the end; the rest and the size are the file's. */
static void test_without(void **state)
{
	struct fixture *f = *state;
	const struct copy_span spans[] = { { 4096, 70001 }, { SIZE - 5000, SIZE } };
	struct stable_copy c;

	assert_int_equal(stable_copy__make_without(f->file, &f->st, spans, 2, &c), 0);
	memset(f->data + 4096, 0, 70001 - 4096);
	memset(f->data + SIZE - 5000, 0, 5000);
	check_copy(&c, f->data, SIZE);
	stable_copy__close(&c);
}

static void test_empty(void **state)
{
	struct fixture *f = *state;
	struct stable_copy c;

	put(f->file, f->data, 0);
	assert_int_equal(stat(f->file, &f->st), 0);
	assert_int_equal(stable_copy__make(f->file, &f->st, &c), 0);
	check_copy(&c, f->data, 0);
	stable_copy__close(&c);
}

/* Waits until a change would be seen in the file's times. */
static void pass_time(void)
{
	usleep(30000);
}

static void test_changed_before(void **state)
{
	struct fixture *f = *state;
	struct stable_copy c = { .fd = 77 };
	char other[64];

	/* the same bytes, written again */
	pass_time();
	put(f->file, f->data, SIZE);
	assert_int_equal(stable_copy__make(f->file, &f->st, &c), -EAGAIN);
	/* shorter */
	assert_int_equal(stat(f->file, &f->st), 0);
	assert_int_equal(truncate(f->file, SIZE / 2), 0);
	assert_int_equal(stable_copy__make(f->file, &f->st, &c), -EAGAIN);
	/* longer */
	assert_int_equal(stat(f->file, &f->st), 0);
	assert_int_equal(truncate(f->file, SIZE), 0);
	assert_int_equal(stable_copy__make(f->file, &f->st, &c), -EAGAIN);
	/* another file in its place */
	assert_int_equal(stat(f->file, &f->st), 0);
	snprintf(other, sizeof(other), "%s.new", f->file);
	put(other, f->data, SIZE);
	assert_int_equal(rename(other, f->file), 0);
	assert_int_equal(stable_copy__make(f->file, &f->st, &c), -EAGAIN);
	/* outputs are untouched on failure */
	assert_int_equal(c.fd, 77);
	assert_int_equal(nr_entries(f->dir), 1);
}

static void test_cannot(void **state)
{
	struct fixture *f = *state;
	struct stable_copy c;
	struct stat st;

	assert_int_equal(stable_copy__make("/nowhere/file", &f->st, &c), -ENOENT);
	assert_int_equal(stat(f->dir, &st), 0);
	assert_int_equal(stable_copy__make(f->dir, &st, &c), -EINVAL);
	/* a folder that takes no new file, for root neither */
	assert_int_equal(stat("/proc/version", &st), 0);
	assert_true(stable_copy__make("/proc/version", &st, &c) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(test_without, setup, teardown),
		cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
		cmocka_unit_test_setup_teardown(test_changed_before, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cannot, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
