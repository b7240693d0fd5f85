/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_file.h - one worker's own Elf and Dwarf of an object
 *
 * libdw 0.188 takes no locks, and two threads in one Dwarf crash: each opens its own, over
 * its own descriptor.
 */
#ifndef LOCS_DWARF_FILE_H
#define LOCS_DWARF_FILE_H

#include <elfutils/libdw.h>

#include "elf_file.h"

struct dwarf_file {
	int fd;
	void *image;		/* the file, where it is read and not mapped */
	Elf *elf;		/* of a relocatable file: with its sections laid out */
	Dwarf *dw;
};

/*
 * Opens the DWARF of the object that @file is (the same inode, whatever has become of its
 * path). -ENODATA: no DWARF; -EBADMSG; -ENOMEM; as open(2).
 */
int dwarf_file__open(struct dwarf_file *df, struct elf_file *file, struct btf_locs_err *err);
void dwarf_file__close(struct dwarf_file *df);

#endif
