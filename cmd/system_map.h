/* SPDX-License-Identifier: GPL-2.0-only */
/* system_map.h - addresses of symbols from a System.map */
#ifndef CMD_SYSTEM_MAP_H
#define CMD_SYSTEM_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "../btf_locs.h"

enum { SYSTEM_MAP_MAX = 9 };	/* addresses of one name that are looked for */

/*
 * The addresses of the symbols called @name in the System.map at @path: lines of 16 or 8 hex
 * digits, a letter and a name, as nm(1) prints them; addresses as linked, as @locs has them.
 * Each address once, in the order of the file, no more than SYSTEM_MAP_MAX: @addr, @nr, which is
 * 0 where there is none of that name.
 *
 * A System.map does not say which build it is of: it is believed where it has the functions of
 * @locs where @locs has them. -ESTALE: it has not, or @locs has none to compare. -ENOENT: there
 * is no such file, or it is empty; -EFBIG: larger than a kernel's; others as
 * file__open_plain(). @addr and @nr are untouched unless it returns 0.
 */
int system_map__find(const char *path, const struct btf_locs *locs, const char *name,
		     uint64_t addr[SYSTEM_MAP_MAX], size_t *nr);

#endif
