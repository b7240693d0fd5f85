// SPDX-License-Identifier: GPL-2.0-only
/* dwarf_file.c - one worker's own Elf and Dwarf of an object */
#include "dwarf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dwarf_alt.h"
#include "eh_frame_rel.h"

/* The DWARF is in the object itself: nothing is looked for elsewhere. */
static int no_debuginfo(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **out)
{
	(void)mod, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	(void)out;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static int open_linked(struct dwarf_file *df, struct btf_locs_err *err)
{
	df->elf = elf_begin(df->fd, ELF_C_READ_MMAP, NULL);
	if (!df->elf)
		return locs_err__set(err, -EBADMSG, "%s", elf_errmsg(-1));
	df->dw = dwarf_begin_elf(df->elf, DWARF_C_READ, NULL);
	if (!df->dw)
		return locs_err__set(err, -EBADMSG, "cannot read its DWARF: %s",
				     dwarf_errmsg(-1));
	return 0;
}

static int open_relocatable(struct dwarf_file *df, struct btf_locs_err *err)
{
	Dwfl_Module *mod;
	const char *sec = "";
	Dwarf_Addr bias;
	GElf_Addr elf_bias;
	int ret;

	df->dwfl = dwfl_begin(&callbacks);
	if (!df->dwfl)
		return -ENOMEM;
	dwfl_report_begin(df->dwfl);
	/* takes the descriptor */
	mod = dwfl_report_offline(df->dwfl, "object", "object", df->fd);
	if (!mod)
		return locs_err__set(err, -EBADMSG, "%s", dwfl_errmsg(-1));
	df->fd = -1;
	df->mod = mod;
	if (dwfl_report_end(df->dwfl, NULL, NULL))
		return locs_err__set(err, -EBADMSG, "%s", dwfl_errmsg(-1));
	df->dw = dwfl_module_getdwarf(mod, &bias);
	df->elf = dwfl_module_getelf(mod, &elf_bias);
	if (!df->dw || !df->elf)
		return locs_err__set(err, -EBADMSG, "cannot read its DWARF: %s",
				     dwfl_errmsg(-1));
	if (bias || elf_bias)
		return locs_err__set(err, -EBADMSG, "its sections cannot be laid out");
	ret = elf__relocate_debug(df->elf, &sec);
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
	ret = elf_file__type(file) == ET_REL ? open_relocatable(df, err) :
					       open_linked(df, err);
	if (!ret)
		ret = dwarf_alt__check(df->dw, file, err);
	if (ret)
		dwarf_file__close(df);
	return ret;
}

void dwarf_file__close(struct dwarf_file *df)
{
	if (df->dwfl) {
		dwfl_end(df->dwfl);
	} else {
		if (df->dw)
			dwarf_end(df->dw);
		if (df->elf)
			elf_end(df->elf);
	}
	if (df->fd >= 0)
		close(df->fd);
	memset(df, 0, sizeof(*df));
	df->fd = -1;
}
