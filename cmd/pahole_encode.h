/* SPDX-License-Identifier: GPL-2.0-only */
/* pahole_encode.h - the real pahole encodes, we read the DWARF beside it and add ours */
#ifndef PAHOLE_ENCODE_H
#define PAHOLE_ENCODE_H

#include "pahole_args.h"

/*
 * Runs @argv, which makes the .BTF, and writes .BTF.func_info for @args->files after it.
 * Errors are printed to stderr, a line for each file. The exit status: pahole's where it
 * failed, 2 where we did.
 *
 * pahole 1.24 to 1.32 put the types of all files of one command line into the first.
 * So the base of a further file that has no .BTF is the first file's.
 */
int pahole_encode(const struct pahole_args *args, const struct pahole_real_info *real,
		  char *const *argv);

#endif
