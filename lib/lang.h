/* SPDX-License-Identifier: GPL-2.0-only */
/* lang.h - languages by name, as in pahole's --lang and --lang_exclude */
#ifndef LOCS_LANG_H
#define LOCS_LANG_H

#include <stdbool.h>

#include "err.h"

/*
 * Whether every name in the comma-separated @list is a language ("c11", "c++", "rust";
 * upper or lower case; NULL or "" is a list of none). 0, or -EINVAL and a line in @err.
 */
int lang_list__check(const char *list, struct btf_locs_err *err);

/* Whether a unit of language @lang (DW_LANG_*) is to be read. */
bool lang__wanted(int lang, const char *only, const char *exclude);

#endif
