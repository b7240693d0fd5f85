/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * locsec_name.h - a LOCSEC's name: its kind of record and its ELF section
 *
 * ".text" holds inline sites; "guess.text", "part.text", "func.text" the other kinds.
 * A prefix is one only where a '.' (the section's own) or a ':' (put between, where the
 * section's name has no leading dot) follows at once: "func:foo" is section "foo",
 * "function_sections" is a section of that name. A section whose own name looks like a
 * prefixed one ("func.text") is written "inline:func.text".
 */
#ifndef LOCS_LOCSEC_NAME_H
#define LOCS_LOCSEC_NAME_H

#include "../btf_locs.h"

/*
 * The ELF section in a LOCSEC's name, a pointer into @name; "" if none is left.
 * @kind gets what its records are.
 */
const char *locsec_name__parse(const char *name, enum btf_locs_kind *kind);

/*
 * Writes the LOCSEC name for records of @kind in the ELF section @section; reading it
 * back gives both. 0, or -ENAMETOOLONG: it does not fit (nothing is written).
 */
int locsec_name__make(enum btf_locs_kind kind, const char *section, char *buf,
		      size_t size);

/* "inline", "guess", "part", "func". */
const char *locs_kind__str(enum btf_locs_kind kind);

#endif
