// SPDX-License-Identifier: GPL-2.0-only
/* kernel_find.c - the detached section of an installed kernel, and the base it stands on */
#include "kernel_find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../lib/elf_file.h"
#include "../lib/elf_note.h"
#include "../lib/file_bytes.h"
#include "../lib/locs_format.h"
#include "../lib/nomem.h"
#include "../lib/unpack.h"

enum { NOTES_MAX = 65536 };	/* bytes of /sys/kernel/notes: some hundred */

/* What a '%' stands for is the release. Below the root, in the order they are tried. */
static const char *const section_homes[] = {
	"/usr/lib/modules/%/btf",
	"/lib/modules/%/btf",
};

static const char *const vmlinux_homes[] = {
	"/usr/lib/debug/boot/vmlinux-%",
	"/usr/lib/debug/lib/modules/%/vmlinux",
	"/usr/lib/modules/%/build/vmlinux",
	"/usr/lib/modules/%/btf/vmlinux",
	"/boot/vmlinux-%",
};

static const char *const map_homes[] = {
	"/boot/System.map-%",
	"/usr/lib/modules/%/System.map",
	"/usr/lib/debug/boot/System.map-%",
};

static const char *const suffixes[] = { "", ".gz", ".xz", ".zst" };

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* The root, and @home with the release in it, malloc'ed. */
static char *home__path(const struct kernel_section *k, const char *home, const char *name,
			const char *suffix)
{
	const char *mark = strchr(home, '%');
	char *path;

	if (asprintf(&path, "%s%.*s%s%s%s%s", k->root, (int)(mark - home), home, k->release,
		     mark + 1, name, suffix) < 0)
		return NULL;
	return path;
}

/* Whether something is there. What cannot be reached is: opening it says why. */
static bool path__exists(const char *path)
{
	struct stat st;

	return !stat(path, &st) || (errno != ENOENT && errno != ENOTDIR);
}

/* The first of the names that is there, malloc'ed. -ENOENT, -ENOMEM. */
static int home__find(const struct kernel_section *k, const char *home, const char *name,
		      char **out)
{
	char *path;
	size_t i;

	for (i = 0; i < NR(suffixes); i++) {
		path = home__path(k, home, name, suffixes[i]);
		if (!path)
			return -ENOMEM;
		if (path__exists(path)) {
			*out = path;
			return 0;
		}
		free(path);
	}
	return -ENOENT;
}

static int homes__find(const struct kernel_section *k, const char *const *homes, size_t nr,
		       const char *name, char **out)
{
	int ret = -ENOENT;
	size_t i;

	for (i = 0; i < nr && ret == -ENOENT; i++)
		ret = home__find(k, homes[i], name, out);
	return ret;
}

/* How many of the homes of sections there are: /lib is mostly /usr/lib. */
static size_t section_homes__nr(const struct kernel_section *k)
{
	struct stat usr_lib, lib;
	char *path;
	bool same;

	if (asprintf(&path, "%s/usr/lib", k->root) < 0)
		return NR(section_homes);
	same = !stat(path, &usr_lib);
	free(path);
	if (!same || asprintf(&path, "%s/lib", k->root) < 0)
		return NR(section_homes);
	same = !stat(path, &lib) && lib.st_dev == usr_lib.st_dev && lib.st_ino == usr_lib.st_ino;
	free(path);
	return same ? 1 : NR(section_homes);
}

/* "A, B": where it was looked for. */
static void homes__list(const struct kernel_section *k, const char *const *homes, size_t nr,
			char *text, size_t size)
{
	size_t i, len = 0;
	char *path;

	*text = 0;
	for (i = 0; i < nr && len < size; i++) {
		path = home__path(k, homes[i], "", "");
		if (path)
			len += snprintf(text + len, size - len, "%s%s", len ? ", " : "", path);
		free(path);
	}
}

static int section__not_found(const struct kernel_section *k)
{
	char where[512];

	homes__list(k, section_homes, section_homes__nr(k), where, sizeof(where));
	return cmd__error("no vmlinux" LOCS_SUFFIX " of %s: looked in %s: it comes with the "
			  "distribution's package, or from btflocs encode -o %s/usr/lib/modules/%s"
			  "/btf/vmlinux" LOCS_SUFFIX " VMLINUX", k->release, where, k->root,
			  k->release);
}

static int base__not_found(const struct kernel_section *k)
{
	char where[512];

	homes__list(k, vmlinux_homes, NR(vmlinux_homes), where, sizeof(where));
	return cmd__error("%s: no base BTF of %s: looked for %s%s%s: name it with -B", k->file,
			  k->release, k->running ? k->root : "",
			  k->running ? "/sys/kernel/btf/vmlinux, " : "", where);
}

/* The build id in the running kernel's notes. Without one, or may they not be read: none. */
static int running__build_id(struct kernel_section *k)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint8_t notes[NOTES_MAX];
	struct plain_file f;
	const uint8_t *id;
	uint32_t len;
	ssize_t n;
	char *path;
	int ret;

	if (asprintf(&path, "%s/sys/kernel/notes", k->root) < 0)
		return -ENOMEM;
	ret = file__open_plain(path, &f, NULL);
	free(path);
	if (ret)
		return ret == -ENOMEM || ret == -EIO ? ret : 0;
	n = fd__pread(f.fd, notes, sizeof(notes), 0);
	close(f.fd);
	if (n < 0)
		return n;
	if (elf_notes__build_id(notes, n, 4, big, &id, &len))
		return 0;
	k->build_id = malloc(2 * (size_t)len + 1);
	if (!k->build_id)
		return -ENOMEM;
	build_id__hex(id, len, k->build_id);
	return 0;
}

/* The build id of a vmlinux. What is no ELF file has none; what is wrong the reader says. */
static int vmlinux__build_id(struct kernel_section *k)
{
	struct elf_file *elf;
	const char *id;
	int ret;

	nomem__watch();
	ret = nomem__cause(elf_file__open(k->base, &elf, NULL));
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	id = elf_file__build_id(elf);
	if (*id) {
		k->build_id = strdup(id);
		ret = k->build_id ? 0 : -ENOMEM;
	}
	elf_file__close(elf);
	return ret;
}

/* Where the base of the running kernel is, or of another one. */
static int base__find(struct kernel_section *k)
{
	char *path;

	if (k->running) {
		if (asprintf(&path, "%s/sys/kernel/btf/vmlinux", k->root) < 0)
			return -ENOMEM;
		if (path__exists(path)) {
			k->base = path;
			return 0;
		}
		free(path);
	}
	return homes__find(k, vmlinux_homes, NR(vmlinux_homes), "", &k->base);
}

/* Which release, and under which root. */
static int kernel_section__init(struct kernel_section *k, const struct cmd_opts *opts)
{
	const char *root = opts->root ? opts->root : "";
	size_t len = strlen(root);
	struct utsname uts;

	memset(k, 0, sizeof(*k));
	if (uname(&uts))
		return -errno;
	k->running = opts->running || !strcmp(opts->kernel, uts.release);
	while (len && root[len - 1] == '/')
		len--;
	k->root = strndup(root, len);
	k->release = strdup(k->running ? uts.release : opts->kernel);
	return k->root && k->release ? 0 : -ENOMEM;
}

int kernel_section__find(const struct cmd_opts *opts, struct kernel_section *out)
{
	struct kernel_section k;
	int status, ret;

	if (opts->kernel && (!*opts->kernel || !strcmp(opts->kernel, ".") ||
			     !strcmp(opts->kernel, "..")))
		return cmd__error("-k '%s': not a kernel's release", opts->kernel);
	ret = kernel_section__init(&k, opts);
	if (!ret) {
		ret = homes__find(&k, section_homes, section_homes__nr(&k),
				  "/vmlinux" LOCS_SUFFIX, &k.file);
		if (ret == -ENOENT) {
			status = section__not_found(&k);
			goto fail;
		}
	}
	if (!ret && !opts->nr_bases) {
		ret = base__find(&k);
		if (ret == -ENOENT) {
			status = base__not_found(&k);
			goto fail;
		}
	}
	if (!ret && k.running)
		ret = running__build_id(&k);
	k.id_running = k.build_id;
	if (!ret && !k.build_id && k.base)
		ret = vmlinux__build_id(&k);
	if (!ret) {
		*out = k;
		return CMD_YES;
	}
	status = cmd__error("%s", strerror(-ret));
fail:
	kernel_section__free(&k);
	return status;
}

void kernel_section__free(struct kernel_section *k)
{
	free(k->root);
	free(k->release);
	free(k->file);
	free(k->base);
	free(k->build_id);
}

int kernel_section__check(const struct kernel_section *k, const struct btf_locs *locs,
			  char *why)
{
	const char *id = btf_locs__info(locs, "build_id");

	if (!k->build_id || (id && !strcmp(id, k->build_id)))
		return 0;
	snprintf(why, CMD_WHY, "%s: is of another build of %s (%s%s, %s%s is %s)", k->file,
		 k->release, id ? "its build id is " : "it has no build id", id ? id : "",
		 k->id_running ? "the running kernel's" : "that of ",
		 k->id_running ? "" : k->base, k->build_id);
	return -ESTALE;
}

/* Number @i of the names that @homes make with each suffix. */
static int homes__path(const struct kernel_section *k, const char *const *homes, size_t nr,
		       size_t i, char **out)
{
	size_t home = i / NR(suffixes);

	if (home >= nr)
		return -ENOENT;
	*out = home__path(k, homes[home], "", suffixes[i % NR(suffixes)]);
	return *out ? 0 : -ENOMEM;
}

int kernel_section__vmlinux(const struct kernel_section *k, size_t i, char **out)
{
	return homes__path(k, vmlinux_homes, NR(vmlinux_homes), i, out);
}

int kernel_section__system_map(const struct kernel_section *k, size_t i, char **out)
{
	return homes__path(k, map_homes, NR(map_homes), i, out);
}
