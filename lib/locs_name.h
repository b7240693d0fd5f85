/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* locs_name.h - the names of detached sections */
#ifndef LOCS_LOCS_NAME_H
#define LOCS_LOCS_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The object that a detached section of this name is of: "vmlinux" for "vmlinux.func_info",
 * also with .gz, .xz or .zst behind it. @out: malloc'ed, or NULL where the name is another
 * one. Whether there is such a file is not looked at. 0 or -ENOMEM.
 */
int locs_path__beside(const char *path, char **out);

/* How many bytes of @path are its name without a .gz, .xz or .zst behind it. */
size_t locs_path__unpacked(const char *path);

/* Whether what is written to this name is to be compressed: it ends in ".gz". */
bool locs_path__wants_gzip(const char *path);

#endif
