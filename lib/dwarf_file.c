// SPDX-License-Identifier: GPL-2.0-only
/* dwarf_file.c - one worker's own Elf and Dwarf of an object */
#include "dwarf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dwarf_alt.h"
#include "elf_reloc.h"

static int open_dwarf(struct dwarf_file *df, bool rel, struct btf_locs_err *err)
{
	const char *sec = "";
	int ret;

	df->elf = elf_begin(df->fd, rel ? ELF_C_READ_MMAP_PRIVATE : ELF_C_READ_MMAP, NULL);
	if (!df->elf)
		return libelf__failed("libelf", err);
	ret = rel ? elf__lay_out(df->elf) : 0;
	if (ret)
		return locs_err__set(err, ret, ret == -ENOMEM ? "out of memory" :
				     "its sections cannot be laid out");
	df->dw = dwarf_begin_elf(df->elf, DWARF_C_READ, NULL);
	if (!df->dw)
		return locs_err__set(err, -EBADMSG, "cannot read its DWARF: %s",
				     dwarf_errmsg(-1));
	/* by now they are decompressed */
	ret = rel ? elf__relocate_debug(df->elf, &sec) : 0;
	if (ret)
		return locs_err__set(err, ret, "the relocations of its %s cannot be read", sec);
	return 0;
}

int dwarf_file__open(struct dwarf_file *df, struct elf_file *file, struct btf_locs_err *err)
{
	char path[64];
	int ret;

	memset(df, 0, sizeof(*df));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", elf_file__fd(file));
	df->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (df->fd < 0)
		return locs_err__set(err, -errno, "%s", strerror(errno));
	elf_version(EV_CURRENT);
	ret = open_dwarf(df, elf_file__type(file) == ET_REL, err);
	if (!ret)
		ret = dwarf_alt__check(df->dw, file, err);
	if (ret)
		dwarf_file__close(df);
	return ret;
}

void dwarf_file__close(struct dwarf_file *df)
{
	if (df->dw)
		dwarf_end(df->dw);
	if (df->elf)
		elf_end(df->elf);
	if (df->fd >= 0)
		close(df->fd);
	memset(df, 0, sizeof(*df));
	df->fd = -1;
}
