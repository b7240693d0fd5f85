// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_temp_file.c - what a run that was killed leaves is removed, and nothing else
 *
 * Runs as root: files are given to others.
 */
#include "elf_util.h"

#include <signal.h>
#include <sys/file.h>

#include "../../lib/atomic_file.h"

#define LEFT ".btflocs-0123456789abcdef"

static void touch(const char *dir, const char *name)
{
	char *path = in_dir(dir, name);

	spit(path, "x", 1);
	free(path);
}

static bool is_there(const char *dir, const char *name)
{
	char *path = in_dir(dir, name);
	struct stat st;
	bool yes = !lstat(path, &st);

	free(path);
	return yes;
}

static void sweep(const char *dir)
{
	char *path = in_dir(dir, "target");

	atomic_file__sweep(path);
	free(path);
}

static void test_leftover(void **state)
{
	touch(*state, LEFT);
	touch(*state, ".btflocs-ffffffffffffffff");
	sweep(*state);
	assert_int_equal(nr_names(*state), 0);
	/* in the current folder */
	touch(*state, LEFT);
	assert_int_equal(chdir(*state), 0);
	atomic_file__sweep("target");
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(nr_names(*state), 0);
	/* where a link leads to */
	must(*state, "mkdir other; touch other/" LEFT "; ln -s other/target target");
	sweep(*state);
	assert_false(is_there(*state, "other/" LEFT));
	must(*state, "rm -r other target");
}

static void test_others_stay(void **state)
{
	static const char *const names[] = {
		".btflocs-0123456789abcde", ".btflocs-0123456789abcdef0",
		".btflocs-0123456789ABCDEF", ".btflocs-0123456789abcdeg", ".btflocs-",
		"btflocs-0123456789abcdef", ".btflocs-0123456789abcdef.o",
	};
	size_t i, nr = sizeof(names) / sizeof(names[0]);

	for (i = 0; i < nr; i++)
		touch(*state, names[i]);
	must(*state, "mkdir .btflocs-0000000000000001; mkfifo .btflocs-0000000000000002;"
		     "echo 1 > file; ln -s file .btflocs-0000000000000003;"
		     "ln -s none .btflocs-0000000000000004;"
		     "echo 2 > .btflocs-0000000000000005; chown 1234 .btflocs-0000000000000005");
	sweep(*state);
	assert_int_equal(nr_names(*state), nr + 6);
	must(*state, "[ $(cat file) = 1 ]");
	/* what root was going to give to the target's owner */
	must(*state, "echo 3 > target; chown 1234 target");
	sweep(*state);
	assert_false(is_there(*state, ".btflocs-0000000000000005"));
	assert_int_equal(nr_names(*state), nr + 6);
	must(*state, "rm -rf .btflocs* *");
}

/* Begins to write a file in a child, and stops there, under a name of its own. */
static pid_t begin_in_child(const char *dir)
{
	char *path = in_dir(dir, "target"), c;
	struct atomic_file a;
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		if (atomic_file__begin(&a, path, NULL))
			_exit(1);
		/* as on a file system without O_TMPFILE */
		if (!a.tmp[0] && temp_file__name(a.dirfd, a.fd, a.tmp))
			_exit(2);
		if (write(fds[1], "x", 1) == 1)
			pause();
		_exit(3);
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], &c, 1), 1);
	close(fds[0]);
	free(path);
	return pid;
}

static void test_killed(void **state)
{
	pid_t pid = begin_in_child(*state);

	assert_int_equal(nr_names(*state), 1);
	/* it is being written */
	sweep(*state);
	assert_int_equal(nr_names(*state), 1);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &(int){ 0 }, 0), pid);
	assert_int_equal(nr_names(*state), 1);
	sweep(*state);
	assert_int_equal(nr_names(*state), 0);
}

static void test_create(void **state)
{
	int dir = open(*state, O_RDONLY | O_DIRECTORY), fd, other;
	char name[TEMP_NAME], path[64];
	struct stat st;

	assert_true(dir >= 0);
	assert_int_equal(temp_file__create(dir, 0640, name, &fd), 0);
	assert_int_equal(strlen(name), strlen(LEFT));
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640 & ~umask(022));
	umask(022);
	/* nobody else gets the lock */
	snprintf(path, sizeof(path), "%s/%s", (char *)*state, name);
	other = open(path, O_RDONLY);
	assert_int_equal(flock(other, LOCK_SH | LOCK_NB), -1);
	close(other);
	temp_files__remove_all();
	assert_int_equal(nr_names(*state), 0);
	temp_file__remove(dir, name);
	close(fd);
	/* one that has its own name by now is no temporary one */
	assert_int_equal(temp_file__create(dir, 0640, name, &fd), 0);
	assert_int_equal(renameat(dir, name, dir, LEFT), 0);
	temp_file__renamed(name);
	assert_int_equal(renameat(dir, LEFT, dir, name), 0);
	temp_files__remove_all();
	assert_int_equal(nr_names(*state), 1);
	close(fd);
	sweep(*state);
	assert_int_equal(nr_names(*state), 0);
	close(dir);
	assert_int_equal(temp_file__create(dir, 0640, name, &fd), -EBADF);
	assert_int_equal(fd, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leftover),
		cmocka_unit_test(test_others_stay),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_create),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
