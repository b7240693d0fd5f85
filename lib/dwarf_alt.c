// SPDX-License-Identifier: GPL-2.0-only
/* dwarf_alt.c - the file that an object's DWARF shares with others (dwz -m) */
#include "dwarf_alt.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

int dwarf_alt__check(Dwarf *dw, struct elf_file *file, struct btf_locs_err *err)
{
	const void *want, *have;
	const char *name;
	ssize_t want_len, have_len;
	struct elf_sec sec;
	Dwarf *alt;

	/* DWARF 5, 7.3.6 (dwz -5): libdw reads its forms, and does not look for the file */
	if (!elf_file__sec_by_name(file, ".debug_sup", &sec))
		return locs_err__set(err, -EOPNOTSUPP,
				     "part of its DWARF is in a supplementary file (dwz -5), which is "
				     "not read");
	want_len = dwelf_dwarf_gnu_debugaltlink(dw, &name, &want);
	if (want_len < 0)
		return locs_err__set(err, -EBADMSG, "malformed section .gnu_debugaltlink");
	if (!want_len)
		return 0;
	alt = dwarf_getalt(dw);
	if (!alt)
		return locs_err__set(err, -ENOENT,
				     "part of its DWARF is in %s (dwz -m), which %s", name,
				     access(name, F_OK) ? "is not there" : "cannot be read");
	have_len = dwelf_elf_gnu_build_id(dwarf_getelf(alt), &have);
	if (have_len != want_len || memcmp(have, want, want_len))
		return locs_err__set(err, -ENOENT,
				     "part of its DWARF is in %s (dwz -m), and that is of another build",
				     name);
	return 0;
}
