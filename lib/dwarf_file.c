// SPDX-License-Identifier: GPL-2.0-only
/* dwarf_file.c - one worker's own Elf and Dwarf of an object */
#include "dwarf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dwarf_alt.h"
#include "elf_reloc.h"
#include "file_bytes.h"

/* The bytes that this worker may change: mapped, or read where the file is not. */
static int open_elf(struct dwarf_file *df, const struct elf_file *file, bool rel,
		    struct btf_locs_err *err)
{
	size_t size;
	int ret;

	if (elf_file__is_mapped(file)) {
		df->elf = elf_begin(df->fd, rel ? ELF_C_READ_MMAP_PRIVATE : ELF_C_READ_MMAP, NULL);
	} else {
		/* libelf's own reading (0.188) loses what it has read */
		ret = fd__read_all(df->fd, elf_file__size(file), &df->image, &size, err);
		if (ret)
			return ret;
		df->elf = elf_memory(df->image, size);
	}
	return df->elf ? 0 : libelf__failed("libelf", err);
}

static int open_dwarf(struct dwarf_file *df, const struct elf_file *file, struct btf_locs_err *err)
{
	bool rel = elf_file__type(file) == ET_REL;
	const char *sec = "";
	int ret;

	ret = open_elf(df, file, rel, err);
	if (ret)
		return ret;
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
	ret = open_dwarf(df, file, err);
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
	free(df->image);
	if (df->fd >= 0)
		close(df->fd);
	memset(df, 0, sizeof(*df));
	df->fd = -1;
}
