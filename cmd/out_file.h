/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out_file.h - where a section alone goes: a file of its own, or what is open already
 *
 * A file is replaced by a new one (atomic_file.h), so nothing is taken for an old section that is
 * not known to be one. What is open already (stdout, /dev/fd/N) is written to as it is: behind
 * what others have written there, and before what they will.
 */
#ifndef CMD_OUT_FILE_H
#define CMD_OUT_FILE_H

#include <stddef.h>

#include "../lib/err.h"
#include "file_ids.h"

/*
 * Whether the section may go to @out: "-" (stdout); /dev/stdout, /dev/fd/N, ...; a file that is
 * not there, is empty, or has a section, compressed or not; a pipe; a character device. None of
 * @inputs, whatever its name. 0, or -EEXIST, -EACCES, ... with a line that does not name @out.
 */
int out_file__check(const char *out, const struct file_ids *inputs, struct btf_locs_err *err);

/* Writes it there, gzip'ed where the name ends in .gz. Checks again first. */
int out_file__write(const char *out, const struct file_ids *inputs, const void *data, size_t size,
		    struct btf_locs_err *err);

/* @out's name in an error line. */
const char *out_file__name(const char *out);

#endif
