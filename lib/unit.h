/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit.h - what a compilation unit's locations are read against
 *
 * Its base address, its location lists, its part of .debug_addr, and the sections of the
 * object that an address can be in.
 */
#ifndef LOCS_UNIT_H
#define LOCS_UNIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "cursor.h"
#include "loc_expr.h"
#include "rel_places.h"

/* A section with SHF_ALLOC. */
struct code_sec {
	uint32_t idx;
	uint64_t addr;		/* as linked, or as a relocatable file was laid out */
	uint64_t size;
	uint64_t reach;		/* the highest last byte of all up to it, by address */
	bool exec;		/* SHF_EXECINSTR */
	bool unmoved;		/* linked at 0, beside an image that is not: x86's per-CPU data */
	const char *name;
	bool same_name;		/* another that is not empty is called the same */
	bool per_cpu;		/* in a relocatable file: a kernel copies it for each processor */
};

/* What holds for the whole object. */
struct object {
	Dwarf *dw;
	Elf *elf;
	bool big;
	bool rel;		/* ET_REL */
	bool kernel;		/* a Linux kernel or module, by its sections */
	bool is64;
	uint16_t machine;
	uint32_t e_flags;
	uint8_t reg_size;	/* bytes of an integer register */
	struct code_sec *secs;	/* by address */
	size_t nr_secs;
	/* DWARF sections, decompressed and relocated; NULL where there is none */
	const uint8_t *loc, *loclists, *addr;
	size_t loc_size, loclists_size, addr_size;
	const uint8_t *info;	/* the .debug_info that libdw reads: groups have their own ... */
	size_t info_len;
	size_t info_size;	/* ... and this is the bytes of all */
	/* of .debug_info, .debug_loc, .debug_loclists and .debug_addr of a relocatable file */
	struct rel_places places[4];
	struct rel_index rels;	/* while they are looked for */
};

/* @obj: to be object__free()d. -ENOMEM, -EBADMSG. */
int object__init(struct object *obj, Dwarf *dw, Elf *elf);
void object__free(struct object *obj);
/* The section that holds @addr, NULL if none does. */
const struct code_sec *object__sec(const struct object *obj, uint64_t addr);
/* Section @idx of a relocatable file, NULL if it has no address; it may be empty. */
const struct code_sec *object__sec_by_idx(const struct object *obj, uint32_t idx);
/* The relocations of the section that the @len bytes at @at are in, NULL: none. */
const struct rel_places *object__places(const struct object *obj, const uint8_t *at, size_t len);

struct loc_index;

struct unit {
	const struct object *obj;
	Dwarf_Die die;		/* the unit's own */
	Dwarf_Half version;
	uint8_t addr_size;
	uint8_t off_size;
	uint64_t base;		/* address that lists count from */
	uint64_t addr_base;	/* of its part of .debug_addr */
	uint64_t loclists_base;
	bool types_hold_code;	/* its language has functions in types */
	enum { PRODUCER_OTHER, PRODUCER_GCC, PRODUCER_CLANG } producer;
	int regparm;		/* i386: registers that pass parameters; -1: nothing tells */
	bool lto;		/* gcc's, compiled as it was linked */
	bool has_views;		/* its location lists count them where they matter */
	struct loc_index *lists;	/* see loc_index.h; borrowed, may be NULL */
};

int unit__init(struct unit *u, const struct object *obj, Dwarf_Die *die);
/* Its bytes in .debug_info; 0: not known. */
uint64_t unit__bytes(const struct unit *u);
/* Entry @idx of its part of .debug_addr: 0 or -EBADMSG. */
int unit__addrx(const struct unit *u, uint64_t idx, uint64_t *addr);
/* The section that it is an address in, by its relocation; 0: not known. */
uint32_t unit__addrx_sec(const struct unit *u, uint64_t idx);
/*
 * In a relocatable file, the section that an address attribute is in, told by the relocation of
 * the number, here or in .debug_addr. 0: not known, it is of no symbol of the file.
 */
uint32_t unit__attr_sec(const struct unit *u, const Dwarf_Attribute *attr);
/*
 * Offset of the location list that an attribute of the classes loclist and loclistsptr names: 0, or
 * -EBADMSG.
 */
int unit__list_offset(const struct unit *u, const Dwarf_Attribute *attr, uint64_t *off);
/* Whether the attribute names a location list (and does not hold an expression). */
bool attr__is_list(const Dwarf_Attribute *attr);

#endif
