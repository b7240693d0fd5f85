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
	bool abandoned;		/* what libdw left is not to be touched any more */
};

/*
 * Opens the DWARF of the object that @file is (the same inode, whatever has become of its
 * path). -ENODATA: no DWARF; -EBADMSG; -ENOMEM; as open(2).
 */
int dwarf_file__open(struct dwarf_file *df, struct elf_file *file, struct btf_locs_err *err);
void dwarf_file__close(struct dwarf_file *df);

/*
 * Reads the heads of all units, its own and those that it shares (dwz -m), so that none is met
 * first by an entry's reference to it. Part of a stretch of nomem.h. 0; -ENOMEM: no entry must be
 * asked for any more, libdw would crash. What is malformed is not said here.
 */
int dwarf_file__read_units(struct dwarf_file *df);

/*
 * @fn(@arg), which asks @df. Where libdw cannot allocate, it would end the program
 * (dwarf_new_oom_handler); here @fn is left where it is, and what it holds is lost: -ENOMEM, and
 * @df is only to be closed.
 */
int dwarf_file__try(struct dwarf_file *df, int (*fn)(void *arg), void *arg);

#endif
