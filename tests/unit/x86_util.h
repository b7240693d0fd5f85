/* SPDX-License-Identifier: GPL-2.0-only */
/* x86_util.h - code that `as` has put together, asked about slots: each case alone in 256 bytes */
#ifndef X86_UTIL_H
#define X86_UTIL_H

#include "elf_util.h"

#include "../../lib/elf_file.h"
#include "../../lib/x86_code.h"

/* DWARF's numbers (x86-64 psABI, figure 3.36). */
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11, R12, R13, R14, R15, RIP, XMM0 };

enum { SLOT = 256 };

struct slot_case {
	const char *text;
	uint32_t reg;
	int64_t off;
};

static const char *const names[] = {
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

/* Assembles @nr texts that stand @stride bytes apart, with @as. */
static inline struct elf_file *assemble(const char *dir, const char *as, const void *texts,
					size_t nr, size_t stride)
{
	struct btf_locs_err err = { "" };
	struct elf_file *f = NULL;
	char *path = in_dir(dir, "x.s"), *line = NULL;
	const char *text;
	FILE *out = fopen(path, "w");
	size_t i;

	assert_non_null(out);
	for (i = 0; i < nr; i++) {
		memcpy(&text, (const char *)texts + i * stride, sizeof(text));
		fprintf(out, "%s\n\t.balign %d, 0xcc\n", text, SLOT);
	}
	assert_int_equal(fclose(out), 0);
	free(path);
	assert_true(asprintf(&line, "rm -f x.o; %s x.s -o x.o", as) > 0);
	must(dir, line);
	free(line);
	path = in_dir(dir, "x.o");
	if (elf_file__open(path, &f, &err))
		fail_msg("%s", err.text);
	free(path);
	return f;
}

static inline uint32_t text_of(struct elf_file *f)
{
	struct elf_sec s;

	assert_int_equal(elf_file__sec_by_name(f, ".text", &s), 0);
	return s.idx;
}

/* Whether each case stores to its slot of @size bytes is what is wanted. */
static inline void slots(const char *dir, const struct slot_case *cases, size_t nr,
			 uint32_t size, bool want)
{
	struct elf_file *f = assemble(dir, "as", cases, nr, sizeof(*cases));
	uint32_t sec = text_of(f);
	struct elf_sec s;
	size_t i, wrong = 0;

	assert_int_equal(elf_file__sec(f, sec, &s), 0);
	assert_int_equal(s.size, nr * SLOT);
	for (i = 0; i < nr; i++)
		if (slot_store__near(f, sec, i * SLOT, cases[i].reg, cases[i].off,
				     size) != want) {
			print_error("%s: %s%+d is %sstored\n", cases[i].text,
				    names[cases[i].reg], (int)cases[i].off, want ? "not " : "");
			wrong++;
		}
	elf_file__close(f);
	assert_int_equal(wrong, 0);
}

#define NR(array) (sizeof(array) / sizeof(*(array)))

#endif
