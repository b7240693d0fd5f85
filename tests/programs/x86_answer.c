// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86_answer.c - what we say of x86-64 code: for test_x86_reader.py
 *
 * Each line of standard input is a question, each line of output its answer:
 *	HEX REG OFF SIZE	1: the code HEX stores to SIZE bytes at DWARF's register REG + OFF
 *				before it reads them, or that cannot be told; 0: it does not
 *	HEX			"LEN WRITTEN": bytes of the first instruction, 0 where it is
 *				not known; a bit for each general register that it may change
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../lib/x86_code.h"
#include "../../lib/x86_effect.h"

static size_t from_hex(const char *hex, uint8_t *out, size_t max)
{
	unsigned int byte;
	size_t n = 0;

	while (n < max && sscanf(hex + 2 * n, "%2x", &byte) == 1)
		out[n++] = byte;
	return n;
}

static void print_effect(const uint8_t *code, size_t len)
{
	struct x86_effect e;
	struct x86_insn in;
	unsigned int written;

	if (!x86_insn__read(code, len, &in) || !x86_effect__of(&in, &e)) {
		puts("0 0");
		return;
	}
	written = e.written | (e.to >= 0 ? 1U << e.to : 0) | (e.rsp_add ? 1U << X86_RSP : 0);
	printf("%u %x\n", in.len, written);
}

int main(void)
{
	char line[2048], hex[1024];
	unsigned int reg, size;
	uint8_t code[512];
	long long off;
	size_t len;
	int n;

	while (fgets(line, sizeof(line), stdin)) {
		n = sscanf(line, "%1023s %u %lld %u", hex, &reg, &off, &size);
		if (n != 1 && n != 4)
			return 2;
		len = from_hex(hex, code, sizeof(code));
		if (n == 1)
			print_effect(code, len);
		else
			printf("%d\n", slot_store__in(code, len, reg, off, size, INT64_MAX));
	}
	return 0;
}
