/* SPDX-License-Identifier: GPL-2.0-only */
/* produce_units.h - the units of a file that can hold code */
#ifndef LOCS_PRODUCE_UNITS_H
#define LOCS_PRODUCE_UNITS_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct unit_ref {
	uint64_t die;		/* offset of the unit's first DIE in .debug_info */
};

/*
 * Lists the compile and partial units, in the order of the file; type units hold no code.
 * *@units is the caller's to free. -EBADMSG: a header is malformed; -EOPNOTSUPP: split DWARF,
 * whose code is described in files of its own.
 */
int units__list(Dwarf *dw, struct unit_ref **units, size_t *nr, struct btf_locs_err *err);

#endif
