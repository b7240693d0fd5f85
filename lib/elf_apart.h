/* SPDX-License-Identifier: GPL-2.0-only */
/* elf_apart.h - whether parts of an ELF file share bytes that are going to be changed */
#ifndef LOCS_ELF_APART_H
#define LOCS_ELF_APART_H

#include <libelf.h>
#include <stdbool.h>

/*
 * Whoever changes a section in the mapping that libelf reads headers and everything else from must
 * know that nothing else stands there: what has been checked would no longer be so. Looks at the
 * ELF header, the section header table and the contents of all sections. @changed: whether a
 * section of that name is to be changed. 0, -EBADMSG: one of those lies over another part, -ENOMEM.
 */
int elf__check_apart(Elf *elf, bool (*changed)(const char *name));

#endif
