/* SPDX-License-Identifier: GPL-2.0-only */
/* eh_frame_rel.h - relocate the .eh_frame of a relocatable file */
#ifndef LOCS_EH_FRAME_REL_H
#define LOCS_EH_FRAME_REL_H

#include <libelf.h>

/*
 * libdwfl relocates the debug sections and leaves .eh_frame, whose addresses then
 * mean nothing. Puts in the distances that its pc-relative 32-bit relocations stand for,
 * once libdwfl has given each section its address. The file must be mapped privately.
 *
 * 0; -ENOENT: it has no .eh_frame, or one with no relocations; -EOPNOTSUPP: one of its relocations
 * is of another kind, and its CFI must not be used; -EBADMSG.
 */
int eh_frame__relocate(Elf *elf);

#endif
