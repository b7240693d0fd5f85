/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_alt.h - the file that an object's DWARF shares with others (dwz -m)
 */
#ifndef LOCS_DWARF_ALT_H
#define LOCS_DWARF_ALT_H

#include <elfutils/libdw.h>

#include "elf_file.h"

/*
 * Whether what the DWARF @dw of @file refers to outside of it is there, and of the same build:
 * names, types and whole functions can be. 0, also where it refers to nothing; -ENOENT: it is
 * not there, or another; -EOPNOTSUPP: it is named in a way that libdw does not follow;
 * -EBADMSG.
 */
int dwarf_alt__check(Dwarf *dw, struct elf_file *file, struct btf_locs_err *err);

#endif
