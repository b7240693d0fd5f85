/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * die.h - small questions to a debugging information entry
 *
 * Each returns 0, or a negative errno and leaves its output alone. DIEs point into the
 * Dwarf they came from; names are valid as long as that is open.
 */
#ifndef LOCS_DIE_H
#define LOCS_DIE_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "loc_expr.h"

/* clang's annotations of types (btf_type_tag) */
#define LOCS_TAG_LLVM_ANNOTATION 0x6000

/* "" where there is no name; looks through abstract origins and specifications. */
const char *die__name(Dwarf_Die *die);

/* The DIE that attribute @at names. -ENOENT: no such attribute; -EBADMSG: it names none. */
int die__ref(Dwarf_Die *die, unsigned int at, Dwarf_Die *out);

/* The type, as die__ref() of DW_AT_type, looked up through origins. -ENOENT: void. */
int die__type(Dwarf_Die *die, Dwarf_Die *out);

/* A constant attribute, looked up through origins. */
int die__udata(Dwarf_Die *die, unsigned int at, uint64_t *out);

/*
 * An enumerator's value. A fixed size (DW_FORM_data1, ...) does not say its sign: compilers
 * write such for values that are not negative, and DW_FORM_sdata for those that are.
 */
int die__enum_value(Dwarf_Die *enumerator, int64_t *out);

/* Whether a flag attribute is there and set. */
bool die__flag(Dwarf_Die *die, unsigned int at);

/*
 * The first child, or the next sibling: 0, 1: there is none, -EBADMSG. *@out may be @die.
 */
int die__child(Dwarf_Die *die, Dwarf_Die *out);
int die__next(Dwarf_Die *die, Dwarf_Die *out);

/*
 * A type without its declaration: where @die only declares a type that is in a type unit
 * (DW_AT_signature), that one.
 */
void die__resolve_signature(Dwarf_Die *die);

/*
 * Number of elements of an array type, all dimensions multiplied, as BTF's encoders do;
 * 0 where a bound is not known or not constant.
 */
int die__array_nelems(Dwarf_Die *array, uint64_t *out);

/*
 * What a location must know of a type: @type NULL is void. Typedefs and qualifiers are
 * looked through. Size 0 where it is not known.
 */
void die__loc_type(Dwarf_Die *type, unsigned int addr_size, struct loc_type *out);

#endif
