// SPDX-License-Identifier: GPL-2.0-only
/* dwarf_file.c - one worker's own Elf and Dwarf of an object */
#include "dwarf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dwarf_alt.h"
#include "elf_reloc.h"
#include "file_bytes.h"
#include "nomem.h"

/* Where this thread's dwarf_file__try() goes on; libdw tells its handler nothing. */
static _Thread_local jmp_buf *oom_exit;

static _Noreturn void on_oom(void)
{
	if (oom_exit)
		longjmp(*oom_exit, 1);
	abort();
}

int dwarf_file__try(struct dwarf_file *df, int (*fn)(void *arg), void *arg)
{
	jmp_buf env;
	int ret;

	if (setjmp(env)) {
		oom_exit = NULL;
		df->abandoned = true;
		return -ENOMEM;
	}
	oom_exit = &env;
	ret = fn(arg);
	oom_exit = NULL;
	return ret;
}

/* The first section .debug_@name or .zdebug_@name in no group: the one that libdw takes. */
static Elf_Scn *find_section(Elf *elf, size_t strs, const char *name, GElf_Shdr *shdr, bool *z)
{
	Elf_Scn *scn = NULL;
	const char *found;

	while ((scn = elf_nextscn(elf, scn))) {
		found = gelf_getshdr(scn, shdr) ? elf_strptr(elf, strs, shdr->sh_name) : NULL;
		if (!found || shdr->sh_flags & SHF_GROUP)
			continue;
		*z = !strncmp(found, ".zdebug_", 8);
		if ((*z || !strncmp(found, ".debug_", 7)) && !strcmp(found + 7 + *z, name))
			return scn;
	}
	return NULL;
}

/*
 * What libdw could not decompress it takes not to be there: what we need of a DWARF. Where that is
 * possible now, it has only wanted for memory.
 */
static int check_decompressed(Elf *elf)
{
	static const char *const names[] = {
		"info", "types", "abbrev", "addr", "line", "line_str", "frame", "loc",
		"loclists", "str", "str_offsets", "ranges", "rnglists",
	};
	size_t i, strs;
	GElf_Shdr shdr;
	Elf_Data *data;
	Elf_Scn *scn;
	bool z;

	if (elf_getshdrstrndx(elf, &strs))
		return -EBADMSG;
	for (i = 0; i < sizeof(names) / sizeof(names[0]) && !nomem__result(0); i++) {
		scn = find_section(elf, strs, names[i], &shdr, &z);
		if (!scn)
			continue;
		if (shdr.sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) >= 0)
			return -ENOMEM;
		data = z ? elf_getdata(scn, NULL) : NULL;
		if (data && data->d_size > 4 && !memcmp(data->d_buf, "ZLIB", 4) &&
		    elf_compress_gnu(scn, 0, 0) >= 0)
			return -ENOMEM;
	}
	return nomem__result(0);
}

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
		return locs_err__set(err, ret, "its sections cannot be laid out");
	df->dw = dwarf_begin_elf(df->elf, DWARF_C_READ, NULL);
	if (!df->dw)
		return locs_err__set(err, -EBADMSG, "cannot read its DWARF: %s",
				     dwarf_errmsg(-1));
	ret = check_decompressed(df->elf);
	if (ret)
		return ret;
	/* by now they are decompressed */
	ret = rel ? elf__relocate_debug(df->elf, &sec) : 0;
	if (ret)
		return locs_err__set(err, ret, "the relocations of its %s cannot be read", sec);
	return 0;
}

int dwarf_file__open(struct dwarf_file *df, struct elf_file *file, struct btf_locs_err *err)
{
	char path[64];
	Dwarf *alt;
	int ret;

	memset(df, 0, sizeof(*df));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", elf_file__fd(file));
	df->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (df->fd < 0)
		return locs_err__set(err, -errno, "%s", strerror(errno));
	elf_version(EV_CURRENT);
	ret = open_dwarf(df, file, err);
	if (!ret) {
		dwarf_new_oom_handler(df->dw, on_oom);
		ret = dwarf_alt__check(df->dw, file, err);
		alt = dwarf_getalt(df->dw);
		if (alt)
			dwarf_new_oom_handler(alt, on_oom);
	}
	if (ret)
		dwarf_file__close(df);
	return ret;
}

/* A unit whose table of abbreviations could not be allocated looks sound to libdw. */
static int read_units(Dwarf *dw)
{
	Dwarf_CU *cu = NULL;

	while (!nomem__result(0) && !dwarf_get_units(dw, cu, &cu, NULL, NULL, NULL, NULL))
		;
	return nomem__result(0);
}

int dwarf_file__read_units(struct dwarf_file *df)
{
	Dwarf *alt = dwarf_getalt(df->dw);
	int ret = read_units(df->dw);

	return !ret && alt ? read_units(alt) : ret;
}

void dwarf_file__close(struct dwarf_file *df)
{
	if (df->dw && !df->abandoned)
		dwarf_end(df->dw);
	if (df->elf && !df->abandoned)
		elf_end(df->elf);
	free(df->image);
	if (df->fd >= 0)
		close(df->fd);
	memset(df, 0, sizeof(*df));
	df->fd = -1;
}
