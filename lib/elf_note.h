/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf_note.h - the GNU build id among ELF notes */
#ifndef LOCS_ELF_NOTE_H
#define LOCS_ELF_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The first GNU build id among @size bytes of notes (gABI, "Note Section"): of a section, or of
 * /sys/kernel/notes. @align: the section's, in bytes: names and descriptors are padded to 8
 * where it is 8, else to 4. @id: in place, @len bytes, more than 0. -ENOENT: there is none, or
 * the notes are malformed before it.
 */
int elf_notes__build_id(const void *data, size_t size, uint64_t align, bool big,
			const uint8_t **id, uint32_t *len);

/* @len bytes as lower-case hex with a NUL: @out holds 2 * @len + 1. */
void build_id__hex(const uint8_t *id, uint32_t len, char *out);

#endif
