/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* is_section.h - whether bytes are a section of ours, whatever version wrote it */
#ifndef LOCS_IS_SECTION_H
#define LOCS_IS_SECTION_H

#include <stddef.h>

/*
 * 1 where @data begins with a BTF header whose strings are key=value ones with a btf_locs among
 * them, so that other BTF is none; 0; or -ENOMEM.
 */
int bytes__are_section(const void *data, size_t size);

#endif
