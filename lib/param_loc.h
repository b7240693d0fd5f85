/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * param_loc.h - one parameter's entry -> where its value is at an address
 */
#ifndef LOCS_PARAM_LOC_H
#define LOCS_PARAM_LOC_H

#include "elf_file.h"
#include "frame_base.h"
#include "loc_list.h"
#include "unit.h"

/* The frame base of the function that is being read; worked out when it is asked for. */
struct param_frame {
	Dwarf_Die func;		/* the DW_TAG_subprogram */
	bool has_entry;
	uint64_t entry;		/* its first byte */
	bool has_range;
	uint64_t begin, end;	/* the range of it that held the last site */
	bool known;		/* @attr has been looked up */
	bool there;
	Dwarf_Attribute attr;	/* DW_AT_frame_base */
	bool used;		/* a location is counted from it, or from the CFA */
};

struct param_at {
	const struct unit *unit;
	struct frame_cfi *cfi;
	struct param_frame *frame;
	struct loc_pos pos;	/* where the value is wanted */
	bool at_func;		/* that is the function's own entry ... */
	Dwarf_Die *site;	/* ... or that of this site; NULL */
	struct elf_file *file;	/* with the site's code, at ... */
	uint32_t sec;		/* ELF section index */
	uint64_t offset;	/* bytes into it */
	struct loc_type type;	/* of the parameter */
};

/*
 * Reads DW_AT_location or DW_AT_const_value of a DW_TAG_formal_parameter (DWARF 5, 4.1).
 * LOC_OK and *@out, or why there is none. Addresses in *@out are as linked, or
 * section + offset in a relocatable file.
 */
enum loc_reason param_loc__read(const struct param_at *at, Dwarf_Die *die, struct loc *out);

/*
 * Whether some part of its location list says that the value is what register @reg held at the
 * function's entry: DW_OP_entry_value of it alone (DWARF 5, 2.5.1.7).
 */
bool param_loc__is_entry_value(const struct param_at *at, Dwarf_Die *die, uint32_t reg);

/*
 * The constant of @type that an attribute of unit @u is, or its expression comes to. LOC_OK, or
 * why it is none.
 */
enum loc_reason param_loc__const(const struct unit *u, Dwarf_Attribute *attr,
				 const struct loc_type *type, struct loc *out);

#endif
