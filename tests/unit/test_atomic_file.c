// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_atomic_file.c - the old file or the new one, never anything else
 *
 * Mode, owner, xattrs, links; no permission, no room, killed at any moment. Runs as root:
 * it mounts small file systems and becomes other users in children of its own.
 */
#include "elf_util.h"

#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <time.h>

#include "../../lib/elf_write.h"

#define SEC ".BTF.func_info"
#define NOBODY 65534
#define KILLS 50
#define MAX_STOPS 600 /* of a traced child; it makes some 150 */

static const char builds[] =
	"echo 'int main(void) { return 0; }' > a.c; gcc -g a.c -o exe;"
	"awk 'BEGIN { for (i = 0; i < 200000; i++) print \".quad \" i, \",\", i }' > b.s;"
	"gcc -c b.s -o big.o; rm b.s; mkdir d; chmod 0777 d";

static int build(void **state)
{
	return make_dir(state) ? -1 : sh(*state, builds);
}

/* A copy of exe in the folder d, alone there. */
static char *fresh(const char *dir)
{
	must(dir, "rm -rf d; mkdir d; chmod 0777 d; cp exe d/f; chmod 0644 d/f");
	return in_dir(dir, "d/f");
}

/* Whether the file has the section, by readelf. */
static void assert_written(const char *dir, const char *name)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "readelf -SW %s > sections; grep -q ' " SEC " ' sections", name);
	must(dir, line);
}

static void put(const char *path)
{
	struct btf_locs_err err = { "" };

	if (elf_write__section(path, SEC, "data", 4, &err))
		fail_msg("%s: %s", path, err.text);
}

/*
 * Does the writing in a child that @prepare has changed, if given. Its code comes through
 * a pipe: the exit status is what valgrind reports.
 */
static int put_in_child(void (*prepare)(void *), void *arg, const char *path,
			struct btf_locs_err *err)
{
	struct {
		int code;
		struct btf_locs_err err;
	} got = { 0 };
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		if (prepare)
			prepare(arg);
		got.code = elf_write__section(path, SEC, "data", 4, &got.err);
		_exit(write(fds[1], &got, sizeof(got)) != sizeof(got));
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], &got, sizeof(got)), sizeof(got));
	close(fds[0]);
	assert_int_equal(waitpid(pid, &(int){ 0 }, 0), pid);
	*err = got.err;
	return got.code;
}

static void become(void *arg)
{
	uid_t uid = *(uid_t *)arg;

	if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		_exit(1);
}

static int put_as(uid_t uid, const char *path, struct btf_locs_err *err)
{
	return put_in_child(uid ? become : NULL, &uid, path, err);
}

static void test_mode_owner(void **state)
{
	char *path = fresh(*state), *dir = in_dir(*state, "d");
	struct stat st, now;

	must(*state, "chown 1234:4321 d/f; chmod 0640 d/f");
	assert_int_equal(stat(path, &st), 0);
	put(path);
	assert_int_equal(stat(path, &now), 0);
	assert_int_equal(now.st_mode, st.st_mode);
	assert_true(now.st_uid == 1234 && now.st_gid == 4321);
	assert_int_not_equal(now.st_ino, st.st_ino);
	assert_written(*state, "d/f");
	/* chown(2) takes the set-user-id bit away: it is given back */
	must(*state, "chmod 6755 d/f");
	put(path);
	assert_int_equal(stat(path, &now), 0);
	assert_int_equal(now.st_mode & 07777, 06755);
	/* as the owner, not root */
	must(*state, "chown 65534:65534 d/f; chmod 0600 d/f");
	assert_int_equal(put_as(NOBODY, path, &(struct btf_locs_err){ "" }), 0);
	assert_int_equal(stat(path, &now), 0);
	assert_true((now.st_mode & 07777) == 0600 && now.st_uid == NOBODY);
	assert_int_equal(nr_names(dir), 1);
	free(path);
	free(dir);
}

/* Version 2, then tag, permissions, id of: owner, user 1234, group, mask, others. */
static const uint8_t acl[] = {
	2, 0,	0,   0,	  1,   0,   6,	0, 255, 255, 255, 255, 2,   0,	 4,
	0, 210, 4,   0,	  0,   4,   0,	4, 0,	255, 255, 255, 255, 16,	 0,
	4, 0,	255, 255, 255, 255, 32, 0, 0,	0,   255, 255, 255, 255,
};

static void test_xattrs(void **state)
{
	char *path = fresh(*state), *dir = in_dir(*state, "d"), buf[256], value[3000];

	memset(value, 'v', sizeof(value));
	assert_int_equal(setxattr(path, "user.test", "some value", 10, 0), 0);
	assert_int_equal(setxattr(path, "user.long", value, sizeof(value), 0), 0);
	assert_int_equal(setxattr(path, "user.empty", "", 0, 0), 0);
	assert_int_equal(setxattr(path, "trusted.test", "t", 1, 0), 0);
	assert_int_equal(setxattr(path, "system.posix_acl_access", acl, sizeof(acl), 0),
			 0);
	put(path);
	assert_int_equal(getxattr(path, "user.test", buf, sizeof(buf)), 10);
	assert_memory_equal(buf, "some value", 10);
	assert_int_equal(getxattr(path, "user.long", NULL, 0), sizeof(value));
	assert_int_equal(getxattr(path, "user.empty", buf, sizeof(buf)), 0);
	assert_int_equal(getxattr(path, "trusted.test", buf, sizeof(buf)), 1);
	assert_int_equal(getxattr(path, "system.posix_acl_access", buf, sizeof(buf)),
			 sizeof(acl));
	assert_memory_equal(buf, acl, sizeof(acl));
	free(path);

	/* what the folder gives to new files is not for one that had none */
	path = fresh(*state);
	assert_int_equal(setxattr(dir, "system.posix_acl_default", acl, sizeof(acl), 0),
			 0);
	put(path);
	assert_int_equal(getxattr(path, "system.posix_acl_access", buf, sizeof(buf)), -1);
	assert_int_equal(errno, ENODATA);
	must(*state, "[ $(stat -c %a d/f) = 644 ]");
	free(path);
	free(dir);
}

static void test_symlink(void **state)
{
	char *path = fresh(*state), *link;

	must(*state, "mkdir -p other; ln -sf ../d/f other/one; ln -sf one other/two");
	link = in_dir(*state, "other/two");
	put(link);
	must(*state, "[ -L other/two ]; [ -L other/one ]; [ ! -L d/f ]");
	must(*state, "[ $(ls -A other | wc -l) = 2 ]; [ $(ls -A d | wc -l) = 1 ]");
	assert_written(*state, "d/f");
	free(path);
	free(link);
}

static void refuses_as(uid_t uid, const char *path, int code, const char *text)
{
	struct bytes was = slurp(path);
	struct btf_locs_err err;
	char *dir = strdup(path);

	assert_int_equal(put_as(uid, path, &err), code);
	if (strncmp(err.text, text, strlen(text)))
		fail_msg("'%s' does not say '%s'", err.text, text);
	assert_file_is(path, was);
	*strrchr(dir, '/') = 0;
	assert_int_equal(nr_names(dir), 1);
	free(was.p);
	free(dir);
}

static void test_not_permitted(void **state)
{
	char *path = fresh(*state);

	refuses_as(NOBODY, path, -EACCES, "not writable: Permission denied");
	must(*state, "chown 65534:65534 d/f; chmod 0444 d/f");
	refuses_as(NOBODY, path, -EACCES, "not writable: Permission denied");
	/* the folder does not take a new file */
	must(*state, "chmod 0644 d/f; chmod 0755 d");
	refuses_as(NOBODY, path, -EACCES, "cannot make a new file in its folder: ");
	/* may be written, but would not be its owner's any more */
	must(*state, "chown 0:0 d/f; chmod 0666 d/f; chmod 0777 d");
	refuses_as(NOBODY, path, -EPERM, "cannot keep the owner 0:0: ");
	/* root may write what is 0444 */
	must(*state, "chmod 0444 d/f");
	put(path);
	free(path);
}

static char *mount_tmpfs(const char *dir, const char *opts)
{
	char *at = in_dir(dir, "mnt");

	assert_true(mkdir(at, 0755) == 0 || errno == EEXIST);
	if (mount("tmpfs", at, "tmpfs", 0, opts))
		fail_msg("mount: %s", strerror(errno));
	return at;
}

static void unmount(char *at)
{
	assert_int_equal(umount2(at, MNT_DETACH), 0);
	assert_int_equal(rmdir(at), 0);
	free(at);
}

static void test_read_only_fs(void **state)
{
	char *at = mount_tmpfs(*state, "size=4m"), *path = in_dir(at, "exe");

	must(*state, "cp exe mnt");
	assert_int_equal(mount("tmpfs", at, "tmpfs", MS_REMOUNT | MS_RDONLY, ""), 0);
	refuses_as(0, path, -EROFS, "not writable: Read-only file system");
	free(path);
	unmount(at);
}

/* A system call that fails with @code; with @mask, only if its third argument has it. */
static void forbid(int nr, int code, uint32_t mask)
{
	struct sock_filter code_of[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, mask, 0, mask ? 1 : 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code_of) / sizeof(code_of[0]), code_of };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		_exit(250);
}

/* A file system that has none of what Linux file systems may lack. */
static void lack_all(void *arg)
{
	(void)arg;
	forbid(SYS_fallocate, EOPNOTSUPP, 0);
	forbid(SYS_copy_file_range, EXDEV, 0);
	forbid(SYS_openat, EOPNOTSUPP, O_TMPFILE & ~O_DIRECTORY);
}

static int put_the_old_way(const char *path)
{
	return put_in_child(lack_all, NULL, path, &(struct btf_locs_err){ "" });
}

static void test_full_disk(void **state)
{
	char *at = mount_tmpfs(*state, "size=1m"), *path = in_dir(at, "exe");
	struct btf_locs_err err = { "" };
	struct bytes was;

	must(*state, "cp exe mnt; head -c 800000 /dev/zero >> mnt/exe");
	was = slurp(path);
	refuses_as(0, path, -ENOSPC, "writing: No space left on device");
	assert_int_equal(put_the_old_way(path), -ENOSPC);
	assert_file_is(path, was);
	assert_int_equal(nr_names(at), 1);
	assert_int_equal(file__write(path, was.p, was.n, &err), -ENOSPC);
	assert_file_is(path, was);
	assert_int_equal(nr_names(at), 1);
	free(was.p);
	free(path);
	unmount(at);
}

static void test_old_ways(void **state)
{
	char *path = fresh(*state);
	struct bytes want;

	put(path);
	want = slurp(path);
	must(*state, "cp exe d/f; chmod 0640 d/f");
	assert_int_equal(put_the_old_way(path), 0);
	assert_file_is(path, want);
	must(*state, "[ $(ls -A d | wc -l) = 1 ]; [ $(stat -c %a d/f) = 640 ]");
	free(want.p);
	/* larger than the buffer it is copied with */
	must(*state, "cp big.o d/f");
	put(path);
	want = slurp(path);
	must(*state, "cp big.o d/f");
	assert_int_equal(put_the_old_way(path), 0);
	assert_file_is(path, want);
	free(want.p);
	free(path);
}

static bool file_is(const char *path, struct bytes a)
{
	struct bytes b = slurp(path);
	bool same = a.n == b.n && !memcmp(a.p, b.p, a.n);

	free(b.p);
	return same;
}

/* SIGKILL at random moments of a child that writes one of two sections all the time. */
static void test_killed_at_random(void **state)
{
	static const char *const data[2] = { "the first", "the second, longer" };
	char *path = fresh(*state);
	struct bytes file[2];
	unsigned int seed = 42;
	int i, seen[2] = { 0, 0 };
	pid_t pid;

	must(*state, "cp big.o d/f");
	for (i = 0; i < 2; i++) {
		assert_int_equal(elf_write__section(path, SEC, data[i], strlen(data[i]),
						    NULL),
				 0);
		file[i] = slurp(path);
	}
	assert_true(file[0].n > 3000000);
	for (i = 0; i < KILLS; i++) {
		pid = fork();
		if (pid == 0) {
			for (i = 0;; i = !i)
				if (elf_write__section(path, SEC, data[i],
						       strlen(data[i]), NULL))
					_exit(1);
		}
		usleep(rand_r(&seed) % 60000);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &(int){ 0 }, 0), pid);
		if (file_is(path, file[0]))
			seen[0]++;
		else if (file_is(path, file[1]))
			seen[1]++;
		else
			fail_msg("after kill %d the file is neither", i);
	}
	assert_true(seen[0] > 0 && seen[1] > 0);
	free(file[0].p);
	free(file[1].p);
	free(path);
}

/* Kills a child at its stop number @n, before or after a system call. Was it so far? */
static bool kill_at_stop(const char *path, int n)
{
	int status = 0, i;
	pid_t pid = fork();

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(-elf_write__section(path, SEC, "data", 4, NULL));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
	for (i = 0; i < n; i++) {
		assert_int_equal(ptrace(PTRACE_SYSCALL, pid, NULL, NULL), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (WIFEXITED(status))
			return false;
	}
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	return true;
}

/* Killed once at every system call it makes; on a file system that has O_TMPFILE. */
static void test_killed_everywhere(void **state)
{
	char *at = mount_tmpfs(*state, "size=8m"), *path, *dir = in_dir(at, "d");
	int nr_old = 0, nr_new = 0;
	bool killed = true;
	struct bytes old, new;
	int n, leftovers = 0;

	must(*state, "cp exe mnt");
	path = fresh(at);
	old = slurp(path);
	put(path);
	new = slurp(path);
	for (n = 0; killed; n++) {
		assert_true(n < MAX_STOPS);
		free(fresh(at));
		killed = kill_at_stop(path, n);
		if (file_is(path, new))
			nr_new++;
		else if (killed && file_is(path, old))
			nr_old++;
		else
			fail_msg("killed at stop %d: the file is neither", n);
		leftovers += nr_names(dir) - 1;
	}
	assert_true(nr_old > 20 && nr_new > 2);
	/* between linkat(2) and rename(2): after the one, before the other */
	assert_true(leftovers * 10 < n);
	free(old.p);
	free(new.p);
	free(path);
	free(dir);
	unmount(at);
}

static void test_file_write(void **state)
{
	char *path = fresh(*state), *p;
	struct bytes want = { (uint8_t *)"0123456789", 10 };
	struct btf_locs_err err = { "" };
	mode_t mask = umask(027);

	/* a new one */
	p = in_dir(*state, "d/new");
	assert_int_equal(file__write(p, want.p, want.n, &err), 0);
	assert_file_is(p, want);
	must(*state, "[ $(stat -c %a d/new) = 640 ]; [ $(ls -A d | wc -l) = 2 ]");
	/* an old one, shorter */
	must(*state, "chmod 0604 d/new; chown 12:34 d/new");
	want.n = 4;
	assert_int_equal(file__write(p, want.p, want.n, &err), 0);
	assert_file_is(p, want);
	must(*state, "[ $(stat -c %a:%u:%g d/new) = 604:12:34 ]");
	assert_int_equal(file__write(p, NULL, 0, &err), 0);
	must(*state, "[ ! -s d/new ]");
	free(p);
	/* links: to a file, to nothing yet */
	must(*state, "ln -s f d/link; ln -s ../later d/dangling");
	p = in_dir(*state, "d/link");
	assert_int_equal(file__write(p, want.p, want.n, &err), 0);
	assert_file_is(path, want);
	free(p);
	p = in_dir(*state, "d/dangling");
	assert_int_equal(file__write(p, want.p, want.n, &err), 0);
	free(p);
	must(*state, "[ -L d/link ]; [ -L d/dangling ]; [ $(cat later) = 0123 ]");
	/* in the current folder */
	assert_int_equal(chdir(*state), 0);
	assert_int_equal(file__write("here", want.p, want.n, &err), 0);
	must(*state, "[ $(cat here) = 0123 ]");
	assert_string_equal(err.text, "");
	assert_int_equal(chdir("/"), 0);
	umask(mask);
	free(path);
}

static void test_file_write_not_files(void **state)
{
	struct btf_locs_err err = { "" };
	char *p, buf[8];
	struct stat st;
	int fds[2];

	free(fresh(*state));
	assert_int_equal(file__write("/dev/null", "abc", 3, &err), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_int_equal(file__write("/dev/full", "abc", 3, &err), -ENOSPC);
	assert_int_equal(pipe(fds), 0);
	assert_true(asprintf(&p, "/dev/fd/%d", fds[1]) > 0);
	assert_int_equal(file__write(p, "abc", 3, &err), 0);
	assert_int_equal(read(fds[0], buf, sizeof(buf)), 3);
	close(fds[0]);
	close(fds[1]);
	free(p);
	p = in_dir(*state, "d");
	assert_int_equal(file__write(p, "abc", 3, &err), -EISDIR);
	assert_string_equal(err.text, "is a directory");
	free(p);
	p = in_dir(*state, "none/file");
	assert_int_equal(file__write(p, "abc", 3, &err), -ENOENT);
	free(p);
	p = in_dir(*state, "d/new/");
	assert_int_equal(file__write(p, "abc", 3, &err), -ENOENT);
	free(p);
	p = in_dir(*state, "d/f/file");
	assert_int_equal(file__write(p, "abc", 3, &err), -ENOTDIR);
	free(p);
	must(*state, "ln -s loop d/loop");
	p = in_dir(*state, "d/loop");
	assert_int_equal(file__write(p, "abc", 3, &err), -ELOOP);
	free(p);
	must(*state, "[ $(ls -A d | wc -l) = 2 ]");
}

static int clean_up(void **state)
{
	char *at = in_dir(*state, "mnt");

	/* what a failed test has left */
	while (!umount2(at, MNT_DETACH))
		;
	free(at);
	return remove_dir(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mode_owner),
		cmocka_unit_test(test_xattrs),
		cmocka_unit_test(test_symlink),
		cmocka_unit_test(test_not_permitted),
		cmocka_unit_test(test_read_only_fs),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_old_ways),
		cmocka_unit_test(test_killed_at_random),
		cmocka_unit_test(test_killed_everywhere),
		cmocka_unit_test(test_file_write),
		cmocka_unit_test(test_file_write_not_files),
	};

	return cmocka_run_group_tests(tests, build, clean_up);
}
