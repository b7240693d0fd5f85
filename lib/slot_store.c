// SPDX-License-Identifier: GPL-2.0-only
/*
 * slot_store.c - whether code is about to write what is said to be in memory already
 *
 * gcc names a spill slot from the entry of a site on that an instruction a few bytes later
 * fills. Instructions are not decoded one by one: any bytes that would be such a store count,
 * so that one too many may be found, and none too few.
 */
#include "slot_store.h"

#include <string.h>

#include "cursor.h"

enum { WINDOW = 48 };		/* bytes of code looked at */

/* DWARF's numbers of x86-64's registers (psABI, figure 3.36) as instructions have them. */
static int x86_number(uint32_t reg)
{
	static const uint8_t numbers[] = { 0, 2, 1, 3, 6, 7, 5, 4 };

	if (reg < sizeof(numbers))
		return numbers[reg];
	return reg < 16 ? (int)reg : -1;
}

/* Whether the bytes at @p are ModRM, SIB and displacement of memory at @base + @off. */
static bool is_operand(const uint8_t *p, size_t len, int base, int64_t off)
{
	unsigned int mod = p[0] >> 6, rm = p[0] & 7, n = 1;
	int64_t disp = 0;

	if (mod == 3 || rm != (base & 7u))
		return false;
	/* rsp and r12 take a SIB byte: no index, scale 0 */
	if (rm == 4) {
		if (len < 2 || (p[1] & 0x3f) != 0x24)
			return false;
		n = 2;
	}
	if (mod == 1 && len > n)
		disp = (int8_t)p[n];
	else if (mod == 2 && len >= n + 4)
		disp = (int32_t)bytes__uint(p + n, 4, false);
	else if (mod)
		return false;
	return disp == off;
}

/* mov to memory, of 1, 2, 4 or 8 bytes; of a vector register to memory (Intel SDM, 2). */
static bool x86_store(const uint8_t *p, size_t len, int base, int64_t off)
{
	static const uint8_t vector[] = { 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7e, 0x7f, 0xd6, 0xe7 };

	switch (p[0]) {
	case 0x88:
	case 0x89:
	case 0xc6:
	case 0xc7:
		return len > 1 && is_operand(p + 1, len - 1, base, off);
	case 0x0f:
		return len > 2 && memchr(vector, p[1], sizeof(vector)) &&
		       is_operand(p + 2, len - 2, base, off);
	default:
		return false;
	}
}

bool slot_store__near(struct elf_file *file, uint32_t sec, uint64_t offset, uint32_t reg,
		      int64_t off)
{
	const uint8_t *code;
	const void *data;
	struct elf_sec s;
	size_t size, i;
	int base = x86_number(reg);

	if (elf_file__machine(file) != EM_X86_64 || base < 0 ||
	    elf_file__sec(file, sec, &s) || s.flags & SHF_COMPRESSED ||
	    elf_file__data(file, sec, &data, &size, NULL) || offset >= size)
		return true;
	code = (const uint8_t *)data + offset;
	size = size - offset > WINDOW ? WINDOW : size - offset;
	for (i = 0; i < size; i++)
		if (x86_store(code + i, size - i, base, off))
			return true;
	return false;
}
