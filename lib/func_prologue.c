// SPDX-License-Identifier: GPL-2.0-only
/* func_prologue.c - instructions at a function's first byte that leave its parameters alone */
#include "func_prologue.h"

#include <string.h>

#include "cursor.h"

/* A function that saves all registers: what tracers are called by (-pg, -mfentry). */
static bool is_tracer(const char *name)
{
	return !strcmp(name, "__fentry__") || !strcmp(name, "mcount") || !strcmp(name, "_mcount");
}

/* The symbol's name that the relocation of 4 bytes at @offset of section @sec is against, or NULL. */
static const char *relocated_by(struct elf_file *file, uint32_t sec, uint64_t offset)
{
	uint32_t i, nr = elf_file__nr_secs(file);
	const void *data;
	struct elf_sec s, syms, strs;
	struct cursor c;
	uint64_t where = UINT64_MAX, info = 0;
	uint32_t name;
	size_t size;

	for (i = 1; i < nr; i++) {
		if (elf_file__sec(file, i, &s) || s.type != SHT_RELA || s.info != sec ||
		    elf_file__data(file, i, &data, &size, NULL))
			continue;
		cursor__init(&c, data, size, elf_file__big(file));
		while (!cursor__u64(&c, &where) && !cursor__u64(&c, &info) && !cursor__skip(&c, 8))
			if (where == offset)
				break;
		if (where != offset || elf_file__sec(file, s.link, &syms) ||
		    elf_file__sec(file, syms.link, &strs) ||
		    elf_file__data(file, s.link, &data, &size, NULL))
			return NULL;
		cursor__init(&c, data, size, elf_file__big(file));
		if (cursor__seek(&c, (info >> 32) * 24) || cursor__u32(&c, &name) ||
		    elf_file__data(file, syms.link, &data, &size, NULL) || name >= size ||
		    !memchr((const char *)data + name, 0, size - name))
			return NULL;
		return (const char *)data + name;
	}
	return NULL;
}

/* Whether call rel32 at @offset into section @sec is one of the tracer's. */
static bool calls_tracer(struct elf_file *file, const struct elf_sec *sec, uint64_t offset,
			 const uint8_t *code)
{
	struct elf_sym sym;
	const char *name;
	uint64_t target;
	size_t pos = 0;

	if (elf_file__type(file) == ET_REL) {
		/* only Elf64_Rela is read: i386's is of another form */
		if (!elf_file__is64(file))
			return false;
		name = relocated_by(file, sec->idx, offset + 1);
		return name && is_tracer(name);
	}
	target = sec->addr + offset + 5 + (int64_t)(int32_t)bytes__uint(code + 1, 4, false);
	while (!elf_file__sym_at(file, target, 0, &pos, &sym))
		if (is_tracer(sym.name))
			return true;
	return false;
}

/* Intel SDM: endbr64, endbr32; the 5-byte nop, or call rel32 of __fentry__, in its place. */
static unsigned int skip_x86(struct elf_file *file, const struct elf_sec *sec, uint64_t offset,
			     const uint8_t *code, size_t len)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	static const uint8_t nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	unsigned int n = 0;

	if (len >= 4 && (!memcmp(code, endbr64, 4) || !memcmp(code, endbr32, 4)))
		n = 4;
	if (len - n >= 5 && (!memcmp(code + n, nop5, 5) ||
			     (code[n] == 0xe8 && calls_tracer(file, sec, offset + n, code + n))))
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

unsigned int func_prologue__skip(struct elf_file *file, uint32_t sec, uint64_t offset)
{
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
		return skip_x86(file, &s, offset, (const uint8_t *)data + offset, size);
	case EM_AARCH64:
		return skip_arm64((const uint8_t *)data + offset, size);
	default:
		return 0;
	}
}
