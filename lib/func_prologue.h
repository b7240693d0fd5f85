/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_prologue.h - instructions at a function's first byte that leave its parameters alone
 */
#ifndef LOCS_FUNC_PROLOGUE_H
#define LOCS_FUNC_PROLOGUE_H

#include "elf_file.h"

/* A place that a relocation puts the tracer's address at. */
struct tracer_call {
	uint32_t sec;		/* ELF section index */
	uint64_t offset;	/* bytes into it */
};

/* A file, and in a relocatable one what only relocations tell of its calls: found once. */
struct func_prologue {
	struct elf_file *file;	/* borrowed */
	struct tracer_call *calls;	/* by place */
	size_t nr_calls, cap_calls;
};

/* @fp: to be func_prologue__free()d. Malformed tables tell of no calls. 0 or -ENOMEM. */
int func_prologue__init(struct func_prologue *fp, struct elf_file *file);
void func_prologue__free(struct func_prologue *fp);

/*
 * Bytes of landing pads (-fcf-protection, -mbranch-protection) and of the tracer's call or nops
 * (-mfentry, -fpatchable-function-entry) at @offset into section @sec. 0: none, or the file
 * does not hold the code.
 */
unsigned int func_prologue__skip(const struct func_prologue *fp, uint32_t sec, uint64_t offset);

#endif
