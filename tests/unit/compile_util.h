/* SPDX-License-Identifier: GPL-2.0-only */
/* compile_util.h - small sources compiled when the test runs, and their DWARF opened */
#ifndef TEST_COMPILE_UTIL_H
#define TEST_COMPILE_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/dwarf_file.h"

/* A directory of its own in /tmp. */
static inline void work_dir__make(char dir[64])
{
	strcpy(dir, "/tmp/locs-test-XXXXXX");
	assert_non_null(mkdtemp(dir));
}

/* Runs shell commands in it, which must succeed: a tool that is missing is a failure. */
static inline void work_dir__run(const char *dir, const char *commands)
{
	char line[2048];

	assert_true(snprintf(line, sizeof(line), "cd %s && { %s; } </dev/null", dir,
		commands) <
		    (int)sizeof(line));
	if (system(line))
		fail_msg("failed: %s", line);
}

static inline void work_dir__write(const char *dir, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static inline void work_dir__remove(const char *dir)
{
	char line[128];

	snprintf(line, sizeof(line), "rm -rf %s", dir);
	assert_int_equal(system(line), 0);
}

/* An object of that directory with its DWARF. */
struct opened {
	char path[128];
	struct elf_file *file;
	struct dwarf_file df;
};

static inline void opened__open(struct opened *o, const char *dir, const char *name)
{
	struct btf_locs_err err = { "" };

	snprintf(o->path, sizeof(o->path), "%s/%s", dir, name);
	if (elf_file__open(o->path, &o->file, &err) ||
	    dwarf_file__open(&o->df, o->file, &err))
		fail_msg("%s: %s", o->path, err.text);
}

static inline void opened__close(struct opened *o)
{
	dwarf_file__close(&o->df);
	elf_file__close(o->file);
}

/*
 * Calls @fn for each function that a unit defines, its abstract instance where it has
 * one; returns how many there are.
 */
static inline unsigned int for_each_function(Dwarf *dw, void (*begin)(void *arg),
					     void (*fn)(void *arg, Dwarf_Die *die),
					     void (*end)(void *arg), void *arg)
{
	Dwarf_Die cu, die;
	Dwarf_CU *u = NULL;
	unsigned int n = 0;
	uint8_t type;

	while (!dwarf_get_units(dw, u, &u, NULL, &type, &cu, NULL)) {
		if (type != DW_UT_compile || dwarf_child(&cu, &die))
			continue;
		begin(arg);
		do {
			if (dwarf_tag(&die) != DW_TAG_subprogram ||
			    dwarf_hasattr(&die, DW_AT_declaration) ||
			    dwarf_hasattr(&die, DW_AT_abstract_origin))
				continue;
			fn(arg, &die);
			n++;
		} while (!dwarf_siblingof(&die, &die));
		end(arg);
	}
	return n;
}

#endif
