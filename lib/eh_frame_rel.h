/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * eh_frame_rel.h - the relocations of a relocatable file that libdwfl leaves undone
 *
 * libdwfl relocates the debug sections, by the few kinds of relocations that it knows, and takes
 * out of the tables in memory what it has done. It leaves .eh_frame alone. What is not done then
 * reads as another address: this does the rest, or says that it cannot.
 */
#ifndef LOCS_EH_FRAME_REL_H
#define LOCS_EH_FRAME_REL_H

#include <libelf.h>

/*
 * Does what is left for the section called @name (each psABI's table of relocations). To be called
 * once libdwfl has given each section its address; the file must be mapped privately. What has
 * been done is taken out of the tables: a second call finds nothing left.
 *
 * 0; -ENOENT: no such section, or nothing left for it; -EOPNOTSUPP: a relocation of another kind,
 * or one to a symbol that is not in the file: some of the section's addresses mean nothing, and it
 * must not be used; -EBADMSG.
 */
int elf__relocate_section(Elf *elf, const char *name);

/*
 * The same for every .debug section but .debug_frame. Left as they are: offsets of thread-local
 * data, and kinds that libdwfl knows to symbols that are not in the file. @name: set to the
 * section (the file's string) on -EOPNOTSUPP and -EBADMSG. 0 also where nothing is left.
 */
int elf__relocate_debug(Elf *elf, const char **name);

#endif
