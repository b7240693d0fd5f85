/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print_text.h - records, locations and types as lines of text */
#ifndef LOCS_PRINT_TEXT_H
#define LOCS_PRINT_TEXT_H

#include "../btf_locs.h"
#include "outbuf.h"

/*
 * A location as an assembler writes it: "%di", "%ax:%dx" (first and second word),
 * "%bp-0x10" (the value is that sum), "*(%bp-0x10)" (memory there), "-1", "0xff...",
 * "*(0xff...)", ".data+0x10" (relocatable files), "?" (not available).
 */
void print_text__loc(struct outbuf *o, uint16_t machine, const struct btf_locs_loc *loc);

/*
 * One record: "0xffffffff8134d915 inline fdget_pos(unsigned int fd=%di)". A function
 * that follows the calling convention has no "=" at its parameters. In a section that
 * is linked to address 0 (relocatable files) the address is "NAME+0xOFFSET". 0 or a
 * negative errno.
 */
int print_text__rec(struct outbuf *o, const struct btf_locs *locs,
		    const struct btf_locs_rec *rec);

/* One type, in bpftool's `btf dump` lines. 0 or a negative errno. */
int print_text__type(struct outbuf *o, const struct btf_locs *locs, uint32_t id);

/* "static", "global", "extern" of a FUNC or VAR; "SIGNED", ... of an INT. */
const char *btf_linkage__str(uint32_t linkage);
const char *btf_encoding__str(uint32_t enc);

#endif
