// SPDX-License-Identifier: GPL-2.0-only
/* func_prologue.c - instructions at a function's first byte that leave its parameters alone */
#include "func_prologue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "locs_set.h"

#define SYM_SIZE 24	/* Elf64_Sym */

/* A function that saves all registers: what tracers are called by (-pg, -mfentry). */
static const char *const tracers[] = { "__fentry__", "mcount", "_mcount" };

#define NR_TRACERS (sizeof(tracers) / sizeof(tracers[0]))

static bool is_tracer(const char *name)
{
	size_t i;

	for (i = 0; i < NR_TRACERS; i++)
		if (!strcmp(name, tracers[i]))
			return true;
	return false;
}

/* Whether a symbol at @addr of a linked file is called @name, and nothing else. */
static bool has_symbol(struct elf_file *file, uint64_t addr, const char *name)
{
	struct elf_sym sym;
	size_t pos = 0;

	while (!elf_file__sym_called_at(file, addr, 0, name, &pos, &sym))
		if (!strcmp(sym.name, name))
			return true;
	return false;
}

/* Those of the symbols of table @symtab that are the tracer's: a byte for each, to be free()d. */
static uint8_t *find_tracers(struct elf_file *file, const struct elf_sec *symtab, size_t *nr)
{
	const void *syms, *strs;
	size_t size, str_size, i;
	struct elf_sec str;
	uint32_t name = 0;
	struct cursor c;
	uint8_t *is;

	*nr = 0;
	if (elf_file__sec(file, symtab->link, &str) ||
	    (symtab->flags | str.flags) & SHF_COMPRESSED ||
	    elf_file__data(file, symtab->idx, &syms, &size, NULL) ||
	    elf_file__data(file, str.idx, &strs, &str_size, NULL))
		return calloc(1, 1);
	is = calloc(size / SYM_SIZE + 1, 1);
	cursor__init(&c, syms, size, elf_file__big(file));
	for (i = 0; is && i < size / SYM_SIZE; i++) {
		if (cursor__u32(&c, &name) || cursor__skip(&c, SYM_SIZE - 4))
			break;
		is[i] = name < str_size &&
			memchr((const char *)strs + name, 0, str_size - name) &&
			is_tracer((const char *)strs + name);
		*nr += is[i];
	}
	/* the number of all, if there is one of them */
	*nr = *nr ? i : 0;
	return is;
}

/* The places that relocations of @table put one of the symbols @is at. */
static int add_calls(struct func_prologue *fp, const struct elf_sec *table, const uint8_t *is,
		     size_t nr_syms)
{
	uint64_t where, info;
	const void *data;
	struct cursor c;
	size_t size;
	int err;

	if (table->flags & SHF_COMPRESSED ||
	    elf_file__data(fp->file, table->idx, &data, &size, NULL))
		return 0;
	cursor__init(&c, data, size, elf_file__big(fp->file));
	while (!cursor__u64(&c, &where) && !cursor__u64(&c, &info) && !cursor__skip(&c, 8)) {
		if (info >> 32 >= nr_syms || !is[info >> 32])
			continue;
		err = array__room(fp->calls, fp->nr_calls, fp->cap_calls, 1);
		if (err)
			return err;
		fp->calls[fp->nr_calls++] = (struct tracer_call){ table->info, where };
	}
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct tracer_call *x = a, *y = b;

	if (x->sec != y->sec)
		return x->sec < y->sec ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

int func_prologue__init(struct func_prologue *fp, struct elf_file *file)
{
	uint32_t i, nr = elf_file__nr_secs(file), symtab = 0;
	struct elf_sec s, of;
	size_t nr_syms = 0;
	uint8_t *is;
	int err = 0;

	*fp = (struct func_prologue){ .file = file };
	/* only Elf64_Rela is read: i386's is of another form */
	if (elf_file__type(file) != ET_REL || elf_file__machine(file) != EM_X86_64 ||
	    !elf_file__is64(file))
		return 0;
	for (i = 1; i < nr && !symtab; i++)
		if (!elf_file__sec(file, i, &s) && s.type == SHT_SYMTAB)
			symtab = i;
	if (!symtab)
		return 0;
	is = find_tracers(file, &s, &nr_syms);
	if (!is)
		return -ENOMEM;
	for (i = 1; i < nr && nr_syms && !err; i++)
		if (!elf_file__sec(file, i, &s) && s.type == SHT_RELA && s.link == symtab &&
		    !elf_file__sec(file, s.info, &of) && of.flags & SHF_EXECINSTR)
			err = add_calls(fp, &s, is, nr_syms);
	free(is);
	if (err)
		func_prologue__free(fp);
	else if (fp->nr_calls)
		qsort(fp->calls, fp->nr_calls, sizeof(*fp->calls), by_place);
	return err;
}

void func_prologue__free(struct func_prologue *fp)
{
	free(fp->calls);
	*fp = (struct func_prologue){ 0 };
}

/* Whether call rel32 at @offset into section @sec is one of the tracer's. */
static bool calls_tracer(const struct func_prologue *fp, const struct elf_sec *sec,
			 uint64_t offset, const uint8_t *code)
{
	const struct tracer_call call = { sec->idx, offset + 1 };
	uint64_t target;
	size_t i;

	if (elf_file__type(fp->file) == ET_REL)
		return fp->nr_calls && bsearch(&call, fp->calls, fp->nr_calls,
					       sizeof(*fp->calls), by_place);
	target = sec->addr + offset + 5 + (int64_t)(int32_t)bytes__uint(code + 1, 4, false);
	for (i = 0; i < NR_TRACERS; i++)
		if (has_symbol(fp->file, target, tracers[i]))
			return true;
	return false;
}

/* Intel SDM: endbr64, endbr32; the 5-byte nop, or call rel32 of __fentry__, in its place. */
static unsigned int skip_x86(const struct func_prologue *fp, const struct elf_sec *sec,
			     uint64_t offset, const uint8_t *code, size_t len)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	static const uint8_t nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	unsigned int n = 0;

	if (len >= 4 && (!memcmp(code, endbr64, 4) || !memcmp(code, endbr32, 4)))
		n = 4;
	if (len - n >= 5 && (!memcmp(code + n, nop5, 5) ||
			     (code[n] == 0xe8 && calls_tracer(fp, sec, offset + n, code + n))))
		n += 5;
	return n;
}

/* Arm ARM: hints, all of them nops to the parameters: nop, bti c, bti jc, paciasp, pacibsp. */
static unsigned int skip_arm64(const uint8_t *code, size_t len)
{
	static const uint32_t hints[] = {
		0xd503201f, 0xd503245f, 0xd50324df, 0xd503233f, 0xd503237f,
	};
	unsigned int n, i;
	uint32_t insn;

	/* instructions are little-endian whatever the data are */
	for (n = 0; len - n >= 4; n += 4) {
		insn = bytes__uint(code + n, 4, false);
		for (i = 0; i < sizeof(hints) / sizeof(hints[0]) && insn != hints[i]; i++)
			;
		if (i == sizeof(hints) / sizeof(hints[0]))
			break;
	}
	return n;
}

unsigned int func_prologue__skip(const struct func_prologue *fp, uint32_t sec, uint64_t offset)
{
	struct elf_file *file = fp->file;
	struct elf_sec s;
	const void *data;
	size_t size;

	/* compressed code is not of this world, and inflating is not for threads */
	if (elf_file__sec(file, sec, &s) || s.flags & SHF_COMPRESSED)
		return 0;
	if (elf_file__data(file, sec, &data, &size, NULL) || offset >= size)
		return 0;
	size = size - offset > 64 ? 64 : size - offset;
	switch (elf_file__machine(file)) {
	case EM_X86_64:
	case EM_386:
		return skip_x86(fp, &s, offset, (const uint8_t *)data + offset, size);
	case EM_AARCH64:
		return skip_arm64((const uint8_t *)data + offset, size);
	default:
		return 0;
	}
}
