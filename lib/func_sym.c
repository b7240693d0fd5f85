// SPDX-License-Identifier: GPL-2.0-only
/* func_sym.c - a function's symbol: what its name's suffix tells */
#include "func_sym.h"

#include <errno.h>
#include <string.h>

/* Whether a name holds the component @part (".isra"), at its end or before another dot. */
static bool has_part(const char *suffix, const char *part)
{
	size_t len = strlen(part);
	const char *p;

	for (p = strstr(suffix, part); p; p = strstr(p + 1, part))
		if (!p[len] || p[len] == '.')
			return true;
	return false;
}

/* What follows the plain name: "" or ".isra.0"; NULL: another name. */
static const char *suffix_of(const char *sym, const char *name)
{
	size_t len = strlen(name);

	if (!len || strncmp(sym, name, len) || (sym[len] && sym[len] != '.'))
		return NULL;
	return sym + len;
}

static bool is_func(const struct elf_sym *sym)
{
	/* assemblies leave theirs untyped; those are labels, too, and no DWARF function is one */
	return sym->type == STT_FUNC || sym->type == STT_GNU_IFUNC;
}

static bool is_changed(const char *suffix)
{
	return has_part(suffix, ".isra") || has_part(suffix, ".constprop") ||
	       has_part(suffix, ".part");
}

static void take(struct func_sym *out, const struct elf_sym *sym, const char *suffix)
{
	/* an alias, an asm label: no suffix of its own but one that all compilers write */
	const char *marks = suffix ? suffix : sym->name;

	*out = (struct func_sym){
		.found = true,
		.own = suffix,
		.suffixed = suffix && *suffix,
		.part = has_part(marks, ".part"),
		.global = sym->bind == STB_GLOBAL || sym->bind == STB_WEAK,
		.changed = is_changed(marks),
	};
	if (!suffix)
		out->suffixed = out->changed;
}

/* The first function's symbol with another name: 0 or an error of the look-up. */
static int find_alias(struct elf_file *file, uint32_t sec, uint64_t value, struct func_sym *out)
{
	struct elf_sym sym;
	size_t pos = 0;
	int ret;

	while (!(ret = elf_file__sym_at(file, value, sec, &pos, &sym)))
		if (is_func(&sym) && !has_part(sym.name, ".cold")) {
			take(out, &sym, NULL);
			break;
		}
	return ret;
}

int func_sym__find(struct elf_file *file, uint32_t sec, uint64_t offset, uint64_t addr,
		   const char *name, struct func_sym *out)
{
	struct func_sym best = { 0 };
	const char *suffix;
	uint64_t value = elf_file__type(file) == ET_REL ? offset : addr;
	struct elf_sym sym;
	size_t pos = 0;
	int ret;

	while (!(ret = elf_file__sym_called_at(file, value, sec, name, &pos, &sym))) {
		suffix = suffix_of(sym.name, name);
		if (!is_func(&sym) || !suffix || has_part(suffix, ".cold"))
			continue;
		if (!best.found) {
			take(&best, &sym, suffix);
			continue;
		}
		/* two clones with the same code: what is sure of both */
		best.suffixed &= *suffix != 0;
		best.part &= has_part(suffix, ".part");
		best.global |= sym.bind == STB_GLOBAL || sym.bind == STB_WEAK;
		best.changed |= is_changed(suffix);
	}
	if (ret == -ENOENT && !best.found)
		ret = find_alias(file, sec, value, &best);
	if (ret && ret != -ENOENT)
		return ret;
	*out = best;
	return best.found || elf_file__has_symtab(file) ? 0 : -ENOENT;
}

int func_sym__next(struct elf_file *file, const char *name, size_t *pos, struct elf_sym *out)
{
	int ret;

	do {
		ret = elf_file__sym_by_name(file, name, pos, out);
	} while (!ret && !is_func(out));
	return ret;
}
