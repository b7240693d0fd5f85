// SPDX-License-Identifier: GPL-2.0-only
/* place.c - an address, a symbol or a section, with an offset, as a user writes it */
#include "place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/elf_file.h"
#include "../lib/locs_name.h"
#include "../lib/nomem.h"
#include "kernel_find.h"
#include "system_map.h"

enum { PLACE_MAX_SHOWN = 8 };

/* SYMBOL or SECTION, and what stands behind its '+'. */
struct name_off {
	const char *whole;
	char *name;
	uint64_t off;
};

/* The last '+' with a number behind it parts the two; else the whole is a name. */
static int name_off__parse(const char *text, struct name_off *out)
{
	const char *plus = strrchr(text, '+');
	uint64_t off = 0;

	if (plus && !cmd__number(plus + 1, &off))
		plus = NULL;
	out->whole = text;
	out->name = plus ? strndup(text, plus - text) : strdup(text);
	out->off = off;
	return out->name ? 0 : -ENOMEM;
}

/* The line that says that a name is that of several, with where they are. */
static int not_unique(const char *name, const uint64_t *addr, size_t nr)
{
	char text[512];
	size_t i, len = 0;

	for (i = 0; i < nr && i < PLACE_MAX_SHOWN; i++)
		len += snprintf(text + len, sizeof(text) - len, " 0x%llx",
				(unsigned long long)addr[i]);
	cmd__error("symbol '%.200s' is not unique, give one of its addresses:%s%s", name, text,
		   nr > PLACE_MAX_SHOWN ? " ..." : "");
	return -EINVAL;
}

/* All symbols of that name in @elf, for that line. */
static int not_unique_in(struct elf_file *elf, const char *name)
{
	uint64_t addr[PLACE_MAX_SHOWN + 1];
	struct elf_sym sym;
	size_t pos = 0, nr = 0;

	while (nr < PLACE_MAX_SHOWN + 1 && !elf_file__sym_by_name(elf, name, &pos, &sym))
		addr[nr++] = sym.value;
	return not_unique(name, addr, nr);
}

/* @addr and the offset behind the '+'. */
static int place__set(struct place *out, const struct name_off *n, uint64_t addr)
{
	if (!__builtin_add_overflow(addr, n->off, &out->addr))
		return 0;
	cmd__error("'%s' is past the last address", n->whole);
	return -ERANGE;
}

/* The symbol's place in @elf. -ENOENT, without a word: it has none of that name. */
static int symbol__find(struct elf_file *elf, const struct name_off *n, struct place *out)
{
	struct elf_sym sym, other;
	struct elf_sec sec;
	size_t pos = 0;
	int ret;

	ret = elf_file__sym_by_name(elf, n->name, &pos, &sym);
	if (ret)
		return ret;
	while (!elf_file__sym_by_name(elf, n->name, &pos, &other))
		if (other.value != sym.value || other.shndx != sym.shndx)
			return not_unique_in(elf, n->name);
	ret = place__set(out, n, sym.value);
	if (ret || elf_file__type(elf) != ET_REL)
		return ret;
	/* every section of a relocatable file begins at 0 */
	if (elf_file__sec(elf, sym.shndx, &sec))
		return -ENOENT;
	out->section = strdup(sec.name);
	return out->section ? 0 : -ENOMEM;
}

/* The same for the file at @path; @tried: it is an ELF file, there was a table to ask. */
static int file__find(const char *path, const struct name_off *n, struct place *out,
		      bool *tried)
{
	struct elf_file *elf;
	int ret;

	nomem__watch();
	ret = nomem__cause(elf_file__open(path, &elf, NULL));
	/* what is no ELF file has no symbols; of what cannot be read that is not known */
	if (ret)
		return ret == -ENOMEM || ret == -EIO ? ret : -ENOENT;
	*tried = true;
	ret = symbol__find(elf, n, out);
	elf_file__close(elf);
	return ret;
}

/* In the vmlinux of an installed kernel, where it is of the build that @locs is of. */
static int kernel__find(const struct kernel_section *k, const struct btf_locs *locs,
			const struct name_off *n, struct place *out, bool *tried)
{
	const char *id = btf_locs__info(locs, "build_id");
	struct elf_file *elf;
	int opened, ret = -ENOENT;
	size_t i;
	char *path;

	for (i = 0; id && ret == -ENOENT; i++) {
		opened = kernel_section__vmlinux(k, i, &path);
		if (opened)
			return opened;
		nomem__watch();
		opened = nomem__cause(elf_file__open(path, &elf, NULL));
		if (opened == -ENOMEM)
			ret = opened;
		if (!opened) {
			if (!strcmp(elf_file__build_id(elf), id) && elf_file__has_symtab(elf)) {
				*tried = true;
				ret = symbol__find(elf, n, out);
			}
			elf_file__close(elf);
		}
		free(path);
	}
	return ret;
}

/* In the System.map of an installed kernel. @stale: there is one of another build. */
static int kernel__find_in_map(const struct kernel_section *k, const struct btf_locs *locs,
			       const struct name_off *n, struct place *out, bool *tried,
			       char **stale)
{
	uint64_t addr[SYSTEM_MAP_MAX];
	int found, ret = -ENOENT;
	size_t i, nr;
	char *path;

	for (i = 0; ret == -ENOENT; i++) {
		ret = kernel_section__system_map(k, i, &path);
		if (ret)
			return ret;
		found = system_map__find(path, locs, n->name, addr, &nr);
		*tried |= !found;
		ret = found == -ENOMEM || found == -EIO ? found : -ENOENT;
		if (!found && nr > 1)
			ret = not_unique(n->name, addr, nr);
		else if (!found && nr)
			ret = place__set(out, n, addr[0]);
		if (found == -ESTALE && !*stale)
			*stale = path;
		else
			free(path);
	}
	return ret;
}

static int place__by_symbol(const struct cmd_opts *opts, const struct btf_locs *locs,
			    const char *file, const struct name_off *n, struct place *out,
			    bool *tried, char **stale)
{
	bool base_tried = false;
	char *beside = NULL;
	size_t i;
	int ret;

	ret = file__find(file, n, out, tried);
	if (ret == -ENOENT && locs_path__beside(file, &beside))
		return -ENOMEM;
	if (beside)
		ret = file__find(beside, n, out, tried);
	free(beside);
	for (i = 0; ret == -ENOENT && i < opts->nr_bases && !base_tried; i++)
		ret = file__find(opts->bases[i], n, out, &base_tried);
	*tried |= base_tried;
	if (ret == -ENOENT && opts->found)
		ret = kernel__find(opts->found, locs, n, out, tried);
	if (ret == -ENOENT && opts->found)
		ret = kernel__find_in_map(opts->found, locs, n, out, tried, stale);
	return ret;
}

static int place__by_section(const struct btf_locs *locs, const struct name_off *n,
			     struct place *out)
{
	struct btf_locs_sec sec;
	uint32_t i;

	for (i = 0; !btf_locs__sec(locs, i, &sec); i++) {
		if (strcmp(sec.name, n->name))
			continue;
		out->addr = n->off;
		out->section = strdup(sec.name);
		return out->section ? 0 : -ENOMEM;
	}
	return -ENOENT;
}

/* An address without 0x, as nm and kallsyms print it: 16 digits, no fewer. */
static bool number__of_nm(const char *text, uint64_t *out)
{
	char hex[19] = "0x";

	if (strlen(text) != 16)
		return false;
	memcpy(hex + 2, text, 17);
	return cmd__number(hex, out);
}

static int place__by_name(const struct cmd_opts *opts, const struct btf_locs *locs,
			  const char *file, const char *text, struct place *out)
{
	struct name_off n;
	bool tried = false;
	char *stale = NULL;
	int ret;

	ret = name_off__parse(text, &n);
	if (ret) {
		cmd__error("out of memory");
		return ret;
	}
	ret = place__by_symbol(opts, locs, file, &n, out, &tried, &stale);
	if (ret == -ENOENT)
		ret = place__by_section(locs, &n, out);
	if (ret == -ENOENT && number__of_nm(text, &out->addr))
		ret = 0;
	if (ret == -ENOENT && tried)
		cmd__error("%s: no symbol '%s'", file, n.name);
	else if (ret == -ENOENT && stale)
		cmd__error("%s: is not of the build of %s: give an address, or -B with the "
			   "object", stale, file);
	else if (ret == -ENOENT)
		cmd__error("%s: no symbols to look '%s' up in: give an address, or "
			   "-B with the object", file, n.name);
	else if (ret == -ENOMEM)
		cmd__error("out of memory");
	else if (ret == -EBADMSG)
		cmd__error("%s: its symbol table is malformed", file);
	else if (ret == -EIO)
		cmd__error("%s: the symbols cannot be read: %s", file, strerror(-ret));
	free(stale);
	free(n.name);
	return ret;
}

int place__parse(const struct cmd_opts *opts, const struct btf_locs *locs,
		 const char *file, const char *text, struct place *out)
{
	struct place place = { 0 };
	int ret = 0;

	/* 16 digits that are all decimal are nm's, not a number of 10^15 */
	if (!number__of_nm(text, &place.addr) && !cmd__number(text, &place.addr))
		ret = place__by_name(opts, locs, file, text, &place);
	if (!ret)
		*out = place;
	return ret;
}
