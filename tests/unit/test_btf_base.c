// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_base.c - which BTF an object's types live in; ELF files made with objcopy */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../lib/btf_base.h"
#include "chain_fixture.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

/*
 * A folder of its own for each test, with
 *	root.btf	small_root(): int, PTR
 *	other.btf	a root as large, but its int is 'lng'
 *	split.btf	TYPEDEF 'mid_t' on a small root
 *	top.btf		TYPEDEF 'top_t' on the split one
 *	empty.o		an ELF file without .BTF
 */
struct dir {
	char path[32];
	char *old;
};

static void run(const char *cmd)
{
	int status = system(cmd);

	if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status))
		fail_msg("%s: status 0x%x", cmd, status);
}

static void write_file(const char *path, const void *data, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static void write_blob(const char *path, const struct blob *b)
{
	size_t size;
	uint8_t *data = blob__finish(b, 24, &size);

	write_file(path, data, size);
	free(data);
}

static int setup(void **state)
{
	struct blob root, other, split, top;
	struct dir *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	strcpy(d->path, "/tmp/test_btf_base.XXXXXX");
	assert_non_null(mkdtemp(d->path));
	d->old = getcwd(NULL, 0);
	assert_int_equal(chdir(d->path), 0);
	small_root(&root, false);
	blob__init(&other, false);
	blob__int(&other, "lng", 8, BTF_ENC_SIGNED);
	blob__ref(&other, BTF_K_PTR, NULL, 1);
	blob__init_above(&split, &root);
	blob__ref(&split, BTF_K_TYPEDEF, "mid_t", 1);
	blob__init_above(&top, &split);
	blob__ref(&top, BTF_K_TYPEDEF, "top_t", 3);
	write_blob("root.btf", &root);
	write_blob("other.btf", &other);
	write_blob("split.btf", &split);
	write_blob("top.btf", &top);
	blob__free(&root);
	blob__free(&other);
	blob__free(&split);
	blob__free(&top);
	write_file("empty.c", "", 0);
	run("gcc -c empty.c -o empty.o");
	*state = d;
	return 0;
}

static int teardown(void **state)
{
	struct dir *d = *state;
	char cmd[64];

	assert_int_equal(chdir(d->old), 0);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", d->path);
	run(cmd);
	free(d->old);
	free(d);
	return 0;
}

/* @out: empty.o with sections, "NAME=FILE" each, ended by NULL. */
static void make_elf(const char *out, ...)
{
	char cmd[512] = "objcopy", *p = cmd + strlen(cmd);
	const char *sec;
	va_list ap;

	va_start(ap, out);
	while ((sec = va_arg(ap, const char *)))
		p += snprintf(p, cmd + sizeof(cmd) - p, " --add-section %s", sec);
	va_end(ap);
	snprintf(p, cmd + sizeof(cmd) - p, " empty.o %s", out);
	run(cmd);
}

/* An open chain, and the object below it. */
struct opened {
	struct elf_file *file;
	struct btf_base *base;
	struct btf_locs_err err;
};

/* The same through bases that several objects share comes to the same. */
static void check_shared(const struct opened *o, const char *path, const char *const *bases,
			 size_t nr, int ret)
{
	struct btf_locs_err err = { "" };
	struct btf_base *below = NULL, *base = NULL;
	const struct btf_chain *c, *want;
	int i, got = btf_base__open_below(bases, nr, &below, &err);

	/* twice: the first must leave the shared ones as they were */
	for (i = 0; i < 2 && !got; i++) {
		btf_base__close(base);
		base = NULL;
		got = btf_base__open_on(path, o->file, below, &base, &err);
	}
	assert_int_equal(got, ret);
	if (ret) {
		assert_string_equal(err.text, o->err.text);
		assert_null(base);
	} else {
		c = btf_base__chain(base);
		want = btf_base__chain(o->base);
		assert_int_equal(btf_chain__nr_types(c), btf_chain__nr_types(want));
		assert_int_equal(btf_chain__nr_levels(c), btf_chain__nr_levels(want));
		assert_int_equal(btf_chain__str_size(c), btf_chain__str_size(want));
		assert_string_equal(btf_chain__name(c, 1), btf_chain__name(want, 1));
	}
	btf_base__close(base);
	btf_base__close(below);
}

/* @elf: whether @path is opened and given as the object. @bases: ended by NULL. */
static int open_base(struct opened *o, const char *path, bool elf,
		     const char *const *bases)
{
	struct btf_base *untouched = (struct btf_base *)o;
	size_t nr = 0;
	int ret;

	memset(o, 0, sizeof(*o));
	while (bases && bases[nr])
		nr++;
	if (elf && elf_file__open(path, &o->file, &o->err))
		fail_msg("%s: %s", path, o->err.text);
	o->base = untouched;
	ret = btf_base__open(path, o->file, nr ? bases : NULL, nr, &o->base, &o->err);
	check_shared(o, path, nr ? bases : NULL, nr, ret);
	if (ret) {
		assert_ptr_equal(o->base, untouched);
		assert_true(o->err.text[0]);
		o->base = NULL;
		/* and without a place for the line */
		assert_int_equal(btf_base__open(path, o->file, nr ? bases : NULL, nr,
						&untouched, NULL), ret);
	}
	return ret;
}

static void close_base(struct opened *o)
{
	btf_base__close(o->base);
	elf_file__close(o->file);
}

/* Asserts a chain of these names of its types 1, 3, 4 (NULL: it ends before that one). */
static void check_chain(const char *path, bool elf, const char *const *bases,
			uint32_t levels, const char *n1, const char *n3, const char *n4)
{
	const char *names[] = { n1, n3, n4 };
	struct btf_chain *c;
	struct opened o;
	uint32_t i, nr = 3;

	if (open_base(&o, path, elf, bases))
		fail_msg("%s", o.err.text);
	assert_string_equal(o.err.text, "");
	c = btf_base__chain(o.base);
	assert_int_equal(btf_chain__nr_levels(c), levels);
	assert_string_equal(btf_chain__name(c, 1), n1);
	for (i = 1; i < 3 && names[i]; i++, nr++)
		assert_string_equal(btf_chain__name(c, i + 2), names[i]);
	assert_int_equal(btf_chain__nr_types(c), nr);
	close_base(&o);
}

static void check_error(const char *path, bool elf, const char *const *bases, int ret,
			const char *line)
{
	struct opened o;

	assert_int_equal(open_base(&o, path, elf, bases), ret);
	assert_string_equal(o.err.text, line);
	close_base(&o);
}

#define BASES(...) (const char *const[]){ __VA_ARGS__, NULL }

static void test_object(void **state)
{
	(void)state;
	make_elf("vmlinux", ".BTF=root.btf", NULL);
	make_elf("mod.ko", ".BTF=split.btf", NULL);
	make_elf("based.ko", ".BTF=split.btf", ".BTF.base=root.btf", NULL);
	/* not split: alone; or what is named, and that alone */
	check_chain("vmlinux", true, NULL, 1, "int", NULL, NULL);
	check_chain("vmlinux", true, BASES("other.btf"), 1, "lng", NULL, NULL);
	check_chain("vmlinux", true, BASES("root.btf", "split.btf"), 2, "int", "mid_t",
		    NULL);
	/* split: what is named below it, raw or ELF; else its .BTF.base */
	check_chain("mod.ko", true, BASES("root.btf"), 2, "int", "mid_t", NULL);
	check_chain("mod.ko", true, BASES("vmlinux"), 2, "int", "mid_t", NULL);
	check_chain("based.ko", true, NULL, 2, "int", "mid_t", NULL);
	/* a .BTF that was made upon its .BTF.base means nothing on another one */
	check_chain("based.ko", true, BASES("other.btf"), 2, "int", "mid_t", NULL);
	/* doubly split */
	make_elf("top.ko", ".BTF=top.btf", NULL);
	check_chain("top.ko", true, BASES("vmlinux", "mod.ko"), 3, "int", "mid_t",
		    "top_t");
	/* none of its own */
	check_chain("empty.o", true, BASES("vmlinux"), 1, "int", NULL, NULL);
	check_chain("empty.o", true, BASES("root.btf", "split.btf"), 2, "int", "mid_t",
		    NULL);
	check_error("empty.o", true, NULL, -ENOENT, "empty.o: no .BTF");
}

/* objcopy --only-keep-debug leaves a header without contents. */
static void test_nobits(void **state)
{
	(void)state;
	run("objcopy --add-section .BTF=root.btf --set-section-flags "
	    ".BTF=alloc,readonly,data empty.o alloc.o && "
	    "objcopy --only-keep-debug alloc.o debug.o");
	check_chain("alloc.o", true, NULL, 1, "int", NULL, NULL);
	check_error("debug.o", true, NULL, -ENOENT, "debug.o: no .BTF");
	check_chain("debug.o", true, BASES("other.btf"), 1, "lng", NULL, NULL);
}

/* A section on its own, which is not looked at: it need not be there. */
static void test_detached(void **state)
{
	(void)state;
	make_elf("vmlinux", ".BTF=root.btf", NULL);
	check_chain("vmlinux.func_info", false, NULL, 1, "int", NULL, NULL);
	check_chain("vmlinux.func_info", false, BASES("other.btf"), 1, "lng", NULL, NULL);
	check_chain("other.btf.func_info", false, NULL, 1, "lng", NULL, NULL);
	check_chain("any", false, BASES("root.btf", "split.btf"), 2, "int", "mid_t",
		    NULL);
	/* the file beside it is treated like an object */
	make_elf("based.ko", ".BTF=split.btf", ".BTF.base=root.btf", NULL);
	check_chain("based.ko.func_info", false, NULL, 2, "int", "mid_t", NULL);
	check_chain("any", false, BASES("based.ko"), 2, "int", "mid_t", NULL);
	check_chain("any", false, BASES("based.ko", "top.btf"), 3, "int", "mid_t", "top_t");
	check_error("any", false, BASES("root.btf", "based.ko"), -EINVAL, "based.ko: stands "
		    "on its own .BTF.base, not on another base: name it alone");
	check_error("empty.o.func_info", false, NULL, -ENOENT, "empty.o: no .BTF");
	write_file("text", "hello\n", 6);
	check_error("text.func_info", false, NULL, -EBADMSG,
		    "text: not BTF: it begins with 0x68 0x65");
}

/*
 * Nothing is named and nothing stands beside: the running kernel's, where there is one.
 * @who: the file that needs it.
 */
static void check_kernel(const char *path, bool elf, uint32_t levels, const char *who)
{
	bool there = !access(KERNEL_BTF, R_OK);
	struct opened o;
	char line[256];
	int ret;

	ret = open_base(&o, path, elf, NULL);
	if (there) {
		assert_int_equal(ret, 0);
		assert_int_equal(btf_chain__nr_levels(btf_base__chain(o.base)), levels);
		assert_true(btf_chain__nr_types(btf_base__chain(o.base)) > 1000);
	} else {
		snprintf(line, sizeof(line), "%s: needs a base and none is named: "
			 KERNEL_BTF ": No such file or directory", who);
		assert_int_equal(ret, -ENOENT);
		assert_string_equal(o.err.text, line);
	}
	close_base(&o);
}

static void test_kernel(void **state)
{
	static const char *const alone[] = {
		"nothing.func_info",
		"root.btf",			/* not the suffix */
		"root.btf.func_infos",
		".func_info",			/* nothing before it */
		"folder.func_info",
		"folder/.func_info",
		"root.btf/x.func_info",		/* ENOTDIR */
	};
	size_t i;

	(void)state;
	make_elf("mod.ko", ".BTF=split.btf", NULL);
	assert_int_equal(mkdir("folder", 0777), 0);
	check_kernel("mod.ko", true, 2, "mod.ko");
	check_kernel("mod.ko.func_info", false, 2, "mod.ko");
	check_kernel("split.btf.func_info", false, 2, "split.btf");
	for (i = 0; i < sizeof(alone) / sizeof(alone[0]); i++)
		check_kernel(alone[i], false, 1, alone[i]);
}

static void test_errors(void **state)
{
	(void)state;
	make_elf("vmlinux", ".BTF=root.btf", NULL);
	make_elf("mod.ko", ".BTF=split.btf", NULL);
	write_file("short.btf", "\x9f\xeb\1", 3);
	write_file("none.btf", "", 0);
	write_file("cut.elf", "\177ELF\2\1\1", 7);
	make_elf("bad.o", ".BTF=short.btf", NULL);
	make_elf("badbase.ko", ".BTF=split.btf", ".BTF.base=short.btf", NULL);

	check_error("vmlinux", true, BASES("missing"), -ENOENT,
		    "missing: No such file or directory");
	check_error("vmlinux", true, BASES("."), -EISDIR, ".: is a directory");
	check_error("vmlinux", true, BASES("/dev/null"), -EINVAL,
		    "/dev/null: is not a regular file");
	check_error("vmlinux", true, BASES("none.btf"), -EBADMSG,
		    "none.btf: BTF header: cut off");
	check_error("vmlinux", true, BASES("short.btf"), -EBADMSG,
		    "short.btf: BTF header: cut off");
	check_error("vmlinux", true, BASES("empty.o"), -ENOENT, "empty.o: no .BTF");
	check_error("vmlinux", true, BASES("cut.elf"), -EBADMSG,
		    "cut.elf: truncated: 7 bytes, in the ELF header");
	check_error("bad.o", true, NULL, -EBADMSG, "bad.o: .BTF: BTF header: cut off");
	check_error("bad.o", true, BASES("root.btf"), -EBADMSG,
		    "bad.o: .BTF: BTF header: cut off");
	check_error("badbase.ko", true, NULL, -EBADMSG,
		    "badbase.ko: .BTF.base: BTF header: cut off");
	/* a base that has to stand on one, and one that cannot */
	check_error("mod.ko", true, BASES("split.btf"), -EBADMSG, "split.btf: string "
		    "table at 0x24: does not begin with an empty string, as a base does "
		    "(is it split BTF, without its base?)");
	check_error("mod.ko", true, BASES("root.btf", "other.btf"), -EINVAL,
		    "other.btf: is not split BTF, it cannot stand on another base");
	check_error("mod.ko", true, BASES("root.btf", "vmlinux"), -EINVAL,
		    "vmlinux: is not split BTF, it cannot stand on another base");
}

/* A split one that does not fit what is below it; another byte order. */
static void test_misfits(void **state)
{
	struct blob b;

	(void)state;
	/* no types: the TYPEDEF of 1 is 1, its name at 5 the end of what is at 1 now */
	blob__init(&b, false);
	write_blob("little.btf", &b);
	blob__free(&b);
	make_elf("mod.ko", ".BTF=split.btf", NULL);
	check_error("mod.ko", true, BASES("little.btf"), -EBADMSG, "mod.ko: its .BTF does "
		    "not fit the base that is named: name its own kernel's vmlinux with -B (type 1 "
		    "(TYPEDEF 't') at 0x18: is made of itself)");
	small_root(&b, true);
	write_blob("big.btf", &b);
	blob__free(&b);
	check_error("mod.ko", true, BASES("big.btf"), -EINVAL,
		    "mod.ko: .BTF: little-endian BTF on a big-endian base");
	check_chain("x", false, BASES("big.btf"), 1, "int", NULL, NULL);
}

/* Root may read all, so it is somebody else for a while. */
static void test_not_readable(void **state)
{
	(void)state;
	assert_int_equal(chmod("root.btf", 0), 0);
	if (!geteuid())
		assert_int_equal(seteuid(65534), 0);
	check_error("x", false, BASES("root.btf"), -EACCES,
		    "root.btf: Permission denied");
	if (!getuid())
		assert_int_equal(seteuid(0), 0);
}

static void test_compressed(void **state)
{
	struct opened o;
	struct blob b;
	uint32_t i;

	(void)state;
	small_root(&b, false);
	for (i = 0; i < 1000; i++)
		blob__ref(&b, BTF_K_TYPEDEF, "same_t", 1);
	write_blob("large.btf", &b);
	blob__free(&b);
	/* objcopy compresses sections called .debug_*; this one gets its name after it */
	make_elf("d.o", ".debug_x=large.btf", NULL);
	run("objcopy --compress-debug-sections=zlib-gabi d.o c.o && "
	    "objcopy --rename-section .debug_x=.BTF c.o z.o && "
	    "readelf -SW z.o | grep -q '[.]BTF .* C '");
	assert_int_equal(open_base(&o, "z.o", true, NULL), 0);
	assert_int_equal(btf_chain__nr_types(btf_base__chain(o.base)), 1003);
	close_base(&o);
}

static void test_close(void **state)
{
	(void)state;
	btf_base__close(NULL);
}

#define IN_DIR(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIR(test_object),
		IN_DIR(test_nobits),
		IN_DIR(test_detached),
		IN_DIR(test_kernel),
		IN_DIR(test_errors),
		IN_DIR(test_misfits),
		IN_DIR(test_not_readable),
		IN_DIR(test_compressed),
		cmocka_unit_test(test_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
