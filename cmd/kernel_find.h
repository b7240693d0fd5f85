/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_find.h - the detached section of an installed kernel, and the base it stands on
 *
 * Its home is /usr/lib/modules/RELEASE/btf/vmlinux.func_info. Whether it is of the very build
 * that it is used for is told by the build id, and by the CRC of the base, which the reader
 * compares.
 */
#ifndef CMD_KERNEL_FIND_H
#define CMD_KERNEL_FIND_H

#include "cmd.h"

struct kernel_section {
	char *root;		/* --root, "" for / */
	char *release;
	char *file;		/* the detached section */
	char *base;		/* the base that was found; NULL: -B names it */
	char *build_id;		/* the kernel's, lower-case hex; NULL: not known */
	bool running;		/* it is the running kernel */
	bool id_running;	/* @build_id is what that says, not what @base does */
};

/*
 * Looks for what @opts' -k or --running means under its --root. Prints what is wrong, and where
 * it was looked for: CMD_YES or CMD_TROUBLE, after which there is nothing to free.
 */
int kernel_section__find(const struct cmd_opts *opts, struct kernel_section *out);
void kernel_section__free(struct kernel_section *k);

/* Whether @locs is of the build that @k is: 0, or -ESTALE with a line in @why[CMD_WHY]. */
int kernel_section__check(const struct kernel_section *k, const struct btf_locs *locs,
			  char *why);

/*
 * Number @i of the names that its vmlinux can have, malloc'ed, in @out. -ENOENT past the last;
 * -ENOMEM.
 */
int kernel_section__vmlinux(const struct kernel_section *k, size_t i, char **out);
/* The same of its System.map. */
int kernel_section__system_map(const struct kernel_section *k, size_t i, char **out);

#endif
