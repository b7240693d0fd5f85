// SPDX-License-Identifier: GPL-2.0-only
/* func_prologue.c - instructions at a function's first byte that leave its parameters alone */
#include "func_prologue.h"

#include <string.h>

#include "cursor.h"

/* Intel SDM: endbr64, endbr32; the 5-byte nop, or call rel32 of __fentry__, in its place. */
static unsigned int skip_x86(const uint8_t *code, size_t len)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	static const uint8_t nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	unsigned int n = 0;

	if (len >= 4 && (!memcmp(code, endbr64, 4) || !memcmp(code, endbr32, 4)))
		n = 4;
	if (len - n >= 5 && (code[n] == 0xe8 || !memcmp(code + n, nop5, 5)))
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
		return skip_x86((const uint8_t *)data + offset, size);
	case EM_AARCH64:
		return skip_arm64((const uint8_t *)data + offset, size);
	default:
		return 0;
	}
}
