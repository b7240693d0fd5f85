// SPDX-License-Identifier: GPL-2.0-only
/* lang.c - languages by name, as in pahole's --lang and --lang_exclude */
#include "lang.h"

#include <dwarf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* DW_LANG_* of DWARF 5, 7.12, by the names that pahole(1) takes: lower case, "++" for plus. */
static const struct {
	const char *name;
	int lang;
} langs[] = {
	{ "ada83", 0x0003 }, { "ada95", 0x000d }, { "asm", DW_LANG_Mips_Assembler },
	{ "bliss", 0x0025 }, { "c", 0x0002 }, { "c++", 0x0004 }, { "c++03", 0x0019 },
	{ "c++11", 0x001a }, { "c++14", 0x0021 }, { "c11", 0x001d }, { "c89", 0x0001 },
	{ "c99", 0x000c }, { "cobol74", 0x0005 }, { "cobol85", 0x0006 }, { "d", 0x0013 },
	{ "dylan", 0x0020 }, { "fortran03", 0x0022 }, { "fortran08", 0x0023 },
	{ "fortran77", 0x0007 }, { "fortran90", 0x0008 }, { "fortran95", 0x000e },
	{ "go", 0x0016 }, { "haskell", 0x0018 }, { "java", 0x000b }, { "julia", 0x001f },
	{ "modula2", 0x000a }, { "modula3", 0x0017 }, { "objc", 0x0010 },
	{ "objc++", 0x0011 }, { "ocaml", 0x001b }, { "opencl", 0x0015 },
	{ "pascal83", 0x0009 }, { "pli", 0x000f }, { "python", 0x0014 },
	{ "renderscript", 0x0024 }, { "rust", 0x001c }, { "swift", 0x001e },
	{ "upc", 0x0012 },
};

#define NR_LANGS (sizeof(langs) / sizeof(langs[0]))

static bool same(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !strncasecmp(name, word, len);
}

int lang_list__check(const char *list, struct btf_locs_err *err)
{
	size_t i, len;

	for (; list && *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		for (i = 0; i < NR_LANGS && !same(langs[i].name, list, len); i++)
			;
		if (i == NR_LANGS)
			return locs_err__set(err, -EINVAL, "unknown language '%.*s'", (int)len,
					     list);
	}
	return 0;
}

static bool in_list(int lang, const char *list)
{
	size_t i, len;

	for (; list && *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		for (i = 0; i < NR_LANGS; i++)
			if (langs[i].lang == lang && same(langs[i].name, list, len))
				return true;
	}
	return false;
}

bool lang__wanted(int lang, const char *only, const char *exclude)
{
	if (in_list(lang, exclude))
		return false;
	return !only || !*only || in_list(lang, only);
}
