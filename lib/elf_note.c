// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf_note.c - the GNU build id among ELF notes */
#include "elf_note.h"

#include <elf.h>

#include "cursor.h"

int elf_notes__build_id(const void *data, size_t size, uint64_t align, bool big,
			const uint8_t **id, uint32_t *len)
{
	uint32_t namesz, descsz, type, pad = align == 8 ? 8 : 4;
	const uint8_t *name, *desc;
	struct cursor c;

	cursor__init(&c, data, size, big);
	while (!cursor__u32(&c, &namesz) && !cursor__u32(&c, &descsz) &&
	       !cursor__u32(&c, &type) && !cursor__bytes(&c, namesz, &name) &&
	       !cursor__skip(&c, -cursor__tell(&c) % pad) &&
	       !cursor__bytes(&c, descsz, &desc)) {
		if (type == NT_GNU_BUILD_ID && namesz == sizeof(ELF_NOTE_GNU) && descsz &&
		    !memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			*id = desc;
			*len = descsz;
			return 0;
		}
		if (cursor__skip(&c, -cursor__tell(&c) % pad))
			break;
	}
	return -ENOENT;
}

void build_id__hex(const uint8_t *id, uint32_t len, char *out)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t i;

	for (i = 0; i < len; i++) {
		*out++ = digits[id[i] >> 4];
		*out++ = digits[id[i] & 15];
	}
	*out = 0;
}
