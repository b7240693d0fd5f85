// SPDX-License-Identifier: GPL-2.0-only
/* elf_apart.c - whether parts of an ELF file share bytes that are going to be changed */
#include "elf_apart.h"

#include <errno.h>
#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>

struct part {
	uint64_t from;
	uint64_t to;
	bool changed;
};

static int by_start(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;

	return (a->from > b->from) - (a->from < b->from);
}

static int part__set(struct part *p, uint64_t from, uint64_t size, bool changed)
{
	*p = (struct part){ .from = from, .changed = changed };
	return __builtin_add_overflow(from, size, &p->to) ? -EBADMSG : 0;
}

/* The headers, then every section that has bytes. */
static int list_parts(Elf *elf, struct part *parts, size_t *nr, bool (*changed)(const char *))
{
	Elf_Scn *scn = NULL;
	size_t n = 0, strs;
	const char *name;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	size_t nr_secs;
	int err;

	if (!gelf_getehdr(elf, &ehdr) || elf_getshdrnum(elf, &nr_secs) ||
	    elf_getshdrstrndx(elf, &strs))
		return -EBADMSG;
	err = part__set(&parts[n++], 0, ehdr.e_ehsize, false);
	if (!err)
		err = part__set(&parts[n++], ehdr.e_shoff,
				(uint64_t)nr_secs * ehdr.e_shentsize, false);
	while (!err && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr))
			return -EBADMSG;
		if (shdr.sh_type == SHT_NOBITS || shdr.sh_type == SHT_NULL || !shdr.sh_size)
			continue;
		name = elf_strptr(elf, strs, shdr.sh_name);
		err = part__set(&parts[n++], shdr.sh_offset, shdr.sh_size,
				name && changed(name));
	}
	*nr = n;
	return err;
}

int elf__check_apart(Elf *elf, bool (*changed)(const char *name))
{
	uint64_t end = 0, changed_end = 0;
	struct part *parts;
	size_t i, nr = 0;
	int err;

	if (elf_getshdrnum(elf, &nr))
		return -EBADMSG;
	parts = calloc(nr + 2, sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	err = list_parts(elf, parts, &nr, changed);
	if (!err)
		qsort(parts, nr, sizeof(*parts), by_start);
	for (i = 0; !err && i < nr; i++) {
		if (parts[i].from < changed_end || (parts[i].changed && parts[i].from < end))
			err = -EBADMSG;
		end = parts[i].to > end ? parts[i].to : end;
		if (parts[i].changed && parts[i].to > changed_end)
			changed_end = parts[i].to;
	}
	free(parts);
	return err;
}
