/* SPDX-License-Identifier: GPL-2.0-only */
/* abi_type.h - a DWARF type -> what a calling convention must know of it */
#ifndef LOCS_ABI_TYPE_H
#define LOCS_ABI_TYPE_H

#include <elfutils/libdw.h>

#include "abi.h"

/*
 * Reads @type (looked through typedefs and qualifiers) for machines with addresses of @addr_size
 * bytes, as C lays it out: scalars are aligned to their size. (i386 aligns those of 8 bytes to
 * 4 within structs; its convention asks for no alignment.) Attributes that no DWARF holds are not
 * seen: packed where every member stands at its place all the same (abi__is_aligned() allows for
 * it); with -gdwarf-4 a typedef's aligned(N) of clang, and _Atomic of a struct.
 * 0; -EOPNOTSUPP: its size, layout or alignment is not known, or no convention here knows the kind
 * (an incomplete type, a vector, a C++ base class, nested too deep, not constant); -EBADMSG:
 * malformed. *@out untouched on errors.
 */
int abi_type__read(Dwarf_Die *type, unsigned int addr_size, struct abi_type *out);

#endif
