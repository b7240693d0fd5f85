/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_types.h - a DWARF type -> its id in the base BTF, or a type of the unit's own
 *
 * What the base has is found there: named types by kind and name, and by size and members
 * where several candidates stand; the others by structure. What it lacks is described in
 * the unit's set, whole.
 */
#ifndef LOCS_BTF_TYPES_H
#define LOCS_BTF_TYPES_H

#include <elfutils/libdw.h>

#include "btf_chain.h"
#include "locs_set.h"

struct btf_types;

/* @chain: indexed, borrowed, may be shared by threads. NULL: no memory. */
struct btf_types *btf_types__new(const struct btf_chain *chain);
void btf_types__free(struct btf_types *bt);	/* NULL is accepted */

/* Begins a unit: forgets what was resolved; new types go into @set (borrowed). */
void btf_types__begin(struct btf_types *bt, struct locs_set *set);

/*
 * Resolves the type at @type (NULL: void). -EOPNOTSUPP: BTF has no way to say it, or it is nested
 * too deep; -EBADMSG: malformed; -ENOMEM.
 */
int btf_types__resolve(struct btf_types *bt, Dwarf_Die *type, tref_t *out);

/* The FUNC_PROTO of a DW_TAG_subprogram or DW_TAG_subroutine_type, with names. */
int btf_types__proto(struct btf_types *bt, Dwarf_Die *func, tref_t *out);
/*
 * Whether the last btf_types__proto() had more to compare than its bound allows: a type of it may
 * be described anew that the base has.
 */
bool btf_types__limited(const struct btf_types *bt);

#endif
