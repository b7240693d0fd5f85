// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_x86_code.c - stores to a slot, and tests of a byte, in code that `as` has put together
 *
 * Each case is some assembler text, alone in 256 bytes that int3 fills. What is expected is
 * what the instructions do by the Intel SDM.
 */
#include "x86_util.h"

struct byte_case {
	const char *text;
	uint32_t reg;
};

static void test_stores(void **state)
{
	static const struct slot_case cases[] = {
		/* every width, of a register and of a number */
		{ "movb %al, 8(%rsp)", RSP, 8 }, { "movb %sil, 8(%rsp)", RSP, 8 },
		{ "movb %r9b, 8(%rsp)", RSP, 8 }, { "movb %ah, 8(%rsp)", RSP, 8 },
		{ "movw %ax, 8(%rsp)", RSP, 8 }, { "movw %r9w, 8(%rsp)", RSP, 8 },
		{ "movl %eax, 8(%rsp)", RSP, 8 }, { "movl %r15d, 8(%rsp)", RSP, 8 },
		{ "movq %rax, 8(%rsp)", RSP, 8 }, { "movq %r8, 8(%rsp)", RSP, 8 },
		{ "movb $1, 8(%rsp)", RSP, 8 }, { "movw $1, 8(%rsp)", RSP, 8 },
		{ "movl $1, 8(%rsp)", RSP, 8 }, { "movq $1, 8(%rsp)", RSP, 8 },
		{ "sete 8(%rsp)", RSP, 8 }, { "setg 8(%rsp)", RSP, 8 },
		{ "movnti %rax, 8(%rsp)", RSP, 8 }, { "popq 8(%rax)", RAX, 8 },
		/* vector registers, of 4, 8 and 16 bytes */
		{ "movss %xmm0, 8(%rsp)", RSP, 8 }, { "movsd %xmm9, 8(%rsp)", RSP, 8 },
		{ "movd %xmm0, 8(%rsp)", RSP, 8 }, { "movq %xmm0, 8(%rsp)", RSP, 8 },
		{ "movlps %xmm0, 8(%rsp)", RSP, 8 }, { "movhps %xmm0, 8(%rsp)", RSP, 8 },
		{ "movhpd %xmm0, 8(%rsp)", RSP, 8 }, { "movaps %xmm0, 16(%rsp)", RSP, 16 },
		{ "movups %xmm9, 8(%rsp)", RSP, 8 }, { "movapd %xmm0, 16(%rsp)", RSP, 16 },
		{ "movdqa %xmm0, 16(%rsp)", RSP, 16 }, { "movdqu %xmm0, 8(%rsp)", RSP, 8 },
		{ "movntps %xmm0, 16(%rsp)", RSP, 16 }, { "movntdq %xmm0, 16(%rsp)", RSP, 16 },
		/* no displacement, one of 8 bits, one of 32 */
		{ "mov %rax, (%rsp)", RSP, 0 }, { "mov %rax, -8(%rsp)", RSP, -8 },
		{ "mov %rax, 127(%rsp)", RSP, 127 }, { "mov %rax, -128(%rsp)", RSP, -128 },
		{ "mov %rax, 128(%rsp)", RSP, 128 }, { "mov %rax, -129(%rsp)", RSP, -129 },
		{ "mov %rax, 0x7fffffff(%rsp)", RSP, 0x7fffffff },
		{ "mov %rax, -0x80000000(%rsp)", RSP, -0x80000000LL },
		/* the last base of each kind, which take a SIB byte or a displacement of 0 */
		{ "mov %rax, (%rbp)", RBP, 0 }, { "mov %rax, -24(%rbp)", RBP, -24 },
		{ "mov %rax, 0x200(%rbp)", RBP, 0x200 }, { "mov %rax, (%r12)", R12, 0 },
		{ "mov %rax, 16(%r12)", R12, 16 }, { "mov %rax, 0x400(%r12)", R12, 0x400 },
		{ "mov %rax, (%r13)", R13, 0 }, { "mov %rax, -8(%r13)", R13, -8 },
		{ "mov %rax, -0x300(%r13)", R13, -0x300 },
		/* the longer forms that `as` does not choose: 8(%rsp) and (%rax) with 32 bits,
		 * (%rax) and 8(%rsp) with a SIB byte of no index and a scale */
		{ ".byte 0x48,0x89,0x84,0x24,8,0,0,0", RSP, 8 },
		{ ".byte 0x48,0x89,0x80,0,0,0,0", RAX, 0 },
		{ ".byte 0x48,0x89,0x44,0x20,8", RAX, 8 },
		{ ".byte 0x48,0x89,0x44,0xe4,8", RSP, 8 },
		/* 0xc7 by hand: movl $0x11223344, -0x10(%rbp) */
		{ ".byte 0xc7,0x45,0xf0,0x44,0x33,0x22,0x11", RBP, -16 },
		/* behind what does not read it */
		{ "mov 16(%rsp), %rax\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "mov %rax, 16(%rsp)\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "lea 8(%rsp), %rdi\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "nopl 8(%rsp)\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "prefetcht0 8(%rsp)\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "prefetchw 8(%rsp)\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "endbr64\n movabs $0x1122334455667788, %rcx\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "imul $1000, %rsi, %rdi\n rep stosb\n shl $3, %rax\n testl $7, %eax\n"
		  "mov %rax, 8(%rbx)", RBX, 8 },
		{ "testb $1, (%rax)\n notl %edx\n pshufd $1, %xmm1, %xmm2\n movb $2, 8(%rsp)",
		  RSP, 8 },
		{ "movzbl %al, %eax\n bt $3, %eax\n cmovne %rdx, %rcx\n mov %rcx, 8(%rsp)", RSP, 8 },
		{ "cmp $1, %eax\n je 1f\n mov %rax, 8(%rsp)\n 1:", RSP, 8 },
		{ "cmp $1, %eax\n jne .+0x1000\n mov %rax, 8(%rsp)", RSP, 8 },
		/* what is not understood may be one */
		{ "vmovaps %ymm0, 32(%rsp)", RSP, 32 }, { "vmovq %xmm0, 8(%rsp)", RSP, 8 },
		{ "vmovdqu64 %zmm0, 64(%rsp)", RSP, 64 }, { ".byte 0x06", RSP, 8 },
	};

	slots(*state, cases, NR(cases), 1, true);
}

static void test_no_stores(void **state)
{
	static const struct slot_case cases[] = {
		{ "ret", RSP, 8 }, { "nop\n ret", RSP, 8 }, { "mov %rax, %rcx", RSP, 0 },
		/* read first: it is there */
		{ "mov 8(%rsp), %rax\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "movzbl 8(%rsp), %eax\n movb %al, 8(%rsp)", RSP, 8 },
		{ "movslq 8(%rsp), %rax\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "add %rax, 8(%rsp)\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "cmpq $0, 8(%rsp)\n movq $1, 8(%rsp)", RSP, 8 },
		{ "cmpb $0, 8(%rsp)\n movb $1, 8(%rsp)", RSP, 8 },
		{ "testb $1, 8(%rsp)\n movb $1, 8(%rsp)", RSP, 8 },
		{ "incl 8(%rsp)\n movl $1, 8(%rsp)", RSP, 8 },
		{ "xchg %rax, 8(%rsp)\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "pushq 8(%rax)\n mov %rax, 8(%rax)", RAX, 8 },
		{ "movaps 16(%rsp), %xmm0\n movaps %xmm0, 16(%rsp)", RSP, 16 },
		{ "movups 8(%rsp), %xmm0\n movups %xmm0, 8(%rsp)", RSP, 8 },
		{ "movdqa 16(%rsp), %xmm0\n movdqa %xmm0, 16(%rsp)", RSP, 16 },
		{ "movsd 8(%rsp), %xmm0\n movsd %xmm0, 8(%rsp)", RSP, 8 },
		{ "cvtsi2sdq 8(%rsp), %xmm0\n movq %xmm0, 8(%rsp)", RSP, 8 },
		{ "call *8(%rsp)\n mov %rax, 8(%rsp)", RSP, 8 },
		/* other slots, and none */
		{ "mov %rax, 16(%rsp)\n ret", RSP, 8 }, { "mov %rax, (%rsp)\n ret", RSP, 8 },
		{ "mov %rax, -8(%rsp)\n ret", RSP, 8 }, { "movb $8, 1(%rsp)\n ret", RSP, 8 },
		{ "mov %rsp, %rax\n ret", RAX, 0 }, { "mov %rax, 0x1008(%rsp)\n ret", RSP, 8 },
		{ "mov %rax, 8(%rsp)\n ret", RSP, 0x100000008 },
		{ "mov %rax, -8(%rsp)\n ret", RSP, 0xfffffff8 },
		{ "mov %rax, 8(%rsp,%rcx)\n ret", RSP, 8 }, { "mov %rax, 8(%rsp,%rcx,8)\n ret", RSP, 8 },
		{ "mov %rax, 8(%rsp,%r12)\n ret", RSP, 8 }, { "mov %rax, 8(,%rcx,8)\n ret", RBP, 8 },
		{ "mov %rax, 8(%rax,%rsi)\n ret", RAX, 8 }, { "mov %rax, 8\n ret", RBP, 8 },
		{ "mov %rax, 8\n ret", R13, 8 }, { "mov %rax, 8(%rip)\n ret", RBP, 8 },
		{ "mov %rax, 0(%rip)\n ret", RBP, 0 }, { "mov %rax, 0(%rip)\n ret", R13, 0 },
		/* bytes of an operand that would be a store: movabs $..., %rax */
		{ ".byte 0x48,0xb8,0x48,0x89,0x44,0x24,0x08,0x90,0x90,0x90\n ret", RSP, 8 },
		/* behind a call, or a jump: another value, or another place */
		{ "call .+0x100\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "call *%rax\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "jmp .+0x10\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "jmp .+0x1000\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "jmp *%rax\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "ret\n mov %rax, 8(%rsp)", RSP, 8 }, { "ud2\n mov %rax, 8(%rsp)", RSP, 8 },
	};

	slots(*state, cases, NR(cases), 1, false);
}

/* Stores that are not mov, and those that a slot's own name does not show. */
static void test_other_stores(void **state)
{
	static const struct slot_case cases[] = {
		/* a long double leaves the x87 stack */
		{ "fstpt 16(%rsp)", RSP, 16 }, { "fstpl 8(%rsp)", RSP, 8 },
		{ "fstps 8(%rsp)", RSP, 8 }, { "fistpll 8(%rsp)", RSP, 8 },
		{ "fsts 8(%rsp)", RSP, 8 }, { "fisttpl 8(%rsp)", RSP, 8 },
		{ "movbe %rax, 8(%rsp)", RSP, 8 }, { "pextrq $1, %xmm0, 8(%rsp)", RSP, 8 },
		{ "extractps $1, %xmm0, 8(%rsp)", RSP, 8 },
		/* the base is another number from here on: 8(%rsp) was -16(%rsp) */
		{ "sub $24, %rsp\n mov %rdi, 8(%rsp)\n ret", RSP, -16 },
		{ "push %rbx\n mov %rdi, -8(%rsp)\n ret", RSP, -16 },
		{ "lea -24(%rsp), %rsp\n mov %rdi, 8(%rsp)\n ret", RSP, -16 },
		{ "lea 8(%rax), %rax\n mov %rdi, (%rax)\n ret", RAX, 8 },
	};

	slots(*state, cases, NR(cases), 1, true);
}

static void test_every_base(void **state)
{
	struct slot_case cases[16];
	char text[16][64];
	struct elf_file *f;
	uint32_t sec, reg;
	size_t i;

	for (i = 0; i < 16; i++) {
		snprintf(text[i], sizeof(text[i]), "mov %%r10, 0x18(%%%s)\n ret", names[i]);
		cases[i] = (struct slot_case){ .text = text[i] };
	}
	f = assemble(*state, "as", cases, 16, sizeof(*cases));
	sec = text_of(f);
	for (i = 0; i < 16; i++)
		for (reg = 0; reg < 16; reg++)
			if (slot_store__near(f, sec, i * SLOT, reg, 0x18, 1) != (reg == i))
				fail_msg("%s: asked for %s", text[i], names[reg]);
	elf_file__close(f);
}

/* One call or 160 bytes, and no byte behind the section's last. */
static void test_window(void **state)
{
	static const char *const texts[] = {
		".skip 150, 0x90\n mov %rax, 8(%rsp)\n ret",
		".skip 160, 0x90\n mov %rax, 8(%rsp)\n ret",
		".skip 100, 0x90\n call .+64\n mov %rax, 8(%rsp)\n ret",
	};
	static const char *const ends[] = {
		".skip 251, 0x90\n mov %rax, 8(%rsp)",
		".skip 252, 0x90\n .byte 0x48,0x89,0x44,0x24",
	};
	struct elf_file *f = assemble(*state, "as", texts, 3, sizeof(*texts));
	uint32_t sec = text_of(f);

	assert_true(slot_store__near(f, sec, 0, RSP, 8, 1));
	assert_false(slot_store__near(f, sec, SLOT, RSP, 8, 1));
	assert_false(slot_store__near(f, sec, 2 * SLOT, RSP, 8, 1));
	elf_file__close(f);
	f = assemble(*state, "as", ends, 2, sizeof(*ends));
	sec = text_of(f);
	assert_true(slot_store__near(f, sec, 250, RSP, 8, 1));
	/* cut off: it may be anything */
	assert_true(slot_store__near(f, sec, 2 * SLOT - 4, RSP, 8, 1));
	assert_true(slot_store__near(f, sec, 2 * SLOT - 4, RBX, 8, 1));
	assert_true(slot_store__near(f, sec, 2 * SLOT - 1, RSP, 8, 1));
	/* behind the end there is none */
	assert_true(slot_store__near(f, sec, 2 * SLOT, RSP, 8, 1));
	assert_true(slot_store__near(f, sec, UINT64_MAX, RSP, 8, 1));
	elf_file__close(f);
}

static void test_cannot_be_told(void **state)
{
	static const char *const nops[] = { "nop\n nop\n nop\n nop" };
	static const char *const tools[] = {
		"as --32", "aarch64-linux-gnu-as", "arm-linux-gnueabihf-as", "s390x-linux-gnu-as",
		"riscv64-linux-gnu-as", "powerpc64le-linux-gnu-as",
	};
	struct elf_file *f = assemble(*state, "as", nops, 1, sizeof(*nops));
	struct btf_locs_err err = { "" };
	struct elf_sec s;
	uint32_t sec = text_of(f);
	char *path;
	size_t i;

	assert_false(slot_store__near(f, sec, 0, RSP, 8, 1));
	assert_true(slot_store__near(f, sec, 0, RIP, 8, 1));
	assert_true(slot_store__near(f, sec, 0, XMM0, 8, 1));
	assert_true(slot_store__near(f, sec, 0, UINT32_MAX, 8, 1));
	assert_true(slot_store__near(f, 0, 0, RSP, 8, 1));
	assert_true(slot_store__near(f, elf_file__nr_secs(f), 0, RSP, 8, 1));
	assert_false(byte_use__near(f, 0, 0, RAX));
	elf_file__close(f);
	for (i = 0; i < NR(tools); i++) {
		f = assemble(*state, tools[i], nops, 1, sizeof(*nops));
		assert_true(slot_store__near(f, text_of(f), 0, 7, 8, 1));
		assert_false(byte_use__near(f, text_of(f), 0, 0));
		elf_file__close(f);
	}
	/* the code is in another file; or is compressed, which code never is */
	must(*state, "echo 'int main(void) { return 0; }' > m.c; gcc -g -gz=zlib m.c -o m;"
		     "objcopy --only-keep-debug m m.debug");
	path = in_dir(*state, "m.debug");
	assert_int_equal(elf_file__open(path, &f, &err), 0);
	free(path);
	assert_int_equal(elf_file__sec(f, text_of(f), &s), 0);
	assert_int_equal(s.type, SHT_NOBITS);
	assert_true(slot_store__near(f, text_of(f), 0, RSP, 8, 1));
	assert_int_equal(elf_file__sec_by_name(f, ".debug_info", &s), 0);
	assert_true(s.flags & SHF_COMPRESSED);
	assert_true(slot_store__near(f, s.idx, 0, RSP, 8, 1));
	elf_file__close(f);
}

static void bytes(const char *dir, const struct byte_case *cases, size_t nr, bool want)
{
	struct elf_file *f = assemble(dir, "as", cases, nr, sizeof(*cases));
	uint32_t sec = text_of(f);
	size_t i, wrong = 0;

	for (i = 0; i < nr; i++)
		if (byte_use__near(f, sec, i * SLOT, cases[i].reg) != want) {
			print_error("%s: %s is %stested\n", cases[i].text, names[cases[i].reg],
				    want ? "not " : "");
			wrong++;
		}
	elf_file__close(f);
	assert_int_equal(wrong, 0);
}

static void test_byte_use(void **state)
{
	static const struct byte_case cases[] = {
		{ "test %al, %al", RAX }, { "test %dl, %dl", RDX }, { "test %cl, %cl", RCX },
		{ "test %bl, %bl", RBX }, { "test %sil, %sil", RSI }, { "test %dil, %dil", RDI },
		{ "test %bpl, %bpl", RBP }, { "test %r8b, %r8b", R8 }, { "test %r15b, %r15b", R15 },
		{ "cmp $0, %al", RAX }, { "cmp $0, %dl", RDX }, { "cmp $0, %sil", RSI },
		{ "cmp $0, %r9b", R9 }, { ".byte 0x80,0xf8,0", RAX },
		{ "movzbl %al, %eax", RAX }, { "movzbl %dl, %ecx", RDX },
		{ "movzbl %sil, %eax", RSI }, { "movzbl %r10b, %ecx", R10 },
		{ "movzbw %al, %cx", RAX }, { "movzbq %dil, %rax", RDI },
		/* behind what leaves it alone */
		{ "mov %rdx, %rcx\n lea 8(%rsp), %rdi\n add %rdx, %rcx\n test %al, %al", RAX },
		{ "mov 16(%rsp), %rcx\n mov %rcx, 8(%rsp)\n test %al, %al", RAX },
		{ "test %cl, %cl\n je .+100\n test %al, %al", RAX },
		{ "cmp %ecx, %edx\n jne .+0x1000\n cmp $0, %al", RAX },
		{ "movzwl %cx, %ecx\n movsbl %dl, %edx\n sete %cl\n cmove %rdx, %rcx\n"
		  "nopl 8(%rsp)\n movslq %edx, %rdx\n test %r9b, %r9b", R9 },
		{ "test %eax, %eax\n test %sil, %sil", RSI },
	};

	bytes(*state, cases, NR(cases), true);
}

static void test_no_byte_use(void **state)
{
	static const struct byte_case cases[] = {
		{ "ret", RAX }, { "nop\n ret", RAX },
		/* only the lowest bit, or more than a byte, or another number */
		{ "test $1, %al", RAX }, { "test $1, %dl", RDX }, { "and $1, %eax", RAX },
		{ "test %eax, %eax", RAX }, { "test %ax, %ax", RAX }, { "test %al, %cl", RAX },
		{ "test %cl, %al", RAX }, { "cmp $1, %al", RAX }, { "cmp $1, %dl", RDX },
		{ "cmp %cl, %al", RAX }, { "cmp $0, %eax", RAX }, { "cmp $0, %ecx", RCX },
		{ "add $0, %dl", RDX }, { "or $0, %dl", RDX }, { "bt $0, %eax", RAX },
		{ "movzwl %ax, %eax", RAX }, { "movsbl %al, %eax", RAX },
		{ "movzbl (%rax), %ecx\n ret", RAX }, { "movzbl %cl, %eax\n ret", RAX },
		/* ah to bh are not sil, dil, bpl, spl, nor al to bl */
		{ "test %dh, %dh", RSI }, { "test %bh, %bh", RDI }, { "test %ch, %ch", RBP },
		{ "test %dh, %dh", RDX }, { "movzbl %ah, %eax", RAX }, { "movzbl %dh, %eax", RSI },
		{ "cmp $0, %dh", RSI }, { "test %al, %al", R8 }, { "test %r8b, %r8b", RAX },
		{ "movzbl %r8b, %ecx", RAX }, { "test %sil, %sil", RDX },
		/* copied, or written before */
		{ "mov %al, %cl\n test %al, %al", RAX }, { "mov %eax, %ecx\n test %al, %al", RAX },
		{ "mov %cl, %al\n test %al, %al", RAX }, { "mov $1, %al\n test %al, %al", RAX },
		{ "mov $1, %eax\n test %al, %al", RAX }, { "movq $1, %rax\n test %al, %al", RAX },
		{ "xor %eax, %eax\n test %al, %al", RAX }, { "lea 8(%rcx), %rax\n test %al, %al", RAX },
		{ "mov (%rcx), %al\n test %al, %al", RAX }, { "sete %al\n test %al, %al", RAX },
		{ "mov $3, %ah\n test %al, %al", RAX }, { "cmove %ecx, %eax\n test %al, %al", RAX },
		{ "pop %rax\n test %al, %al", RAX }, { "xchg %rax, %rcx\n test %al, %al", RAX },
		{ "xchg %r8b, %al\n test %al, %al", RAX }, { "xchg %eax, %ecx\n test %cl, %cl", RCX },
		{ "movslq %ecx, %rax\n test %al, %al", RAX }, { "not %al\n test %al, %al", RAX },
		{ "neg %eax\n test %al, %al", RAX }, { "inc %eax\n test %al, %al", RAX },
		{ "shr $1, %al\n test %al, %al", RAX }, { "imul %ecx, %eax\n test %al, %al", RAX },
		/* in an instruction that does not name it */
		{ "mul %rcx\n test %al, %al", RAX }, { "cltd\n test %dl, %dl", RDX },
		{ "cwtl\n test %al, %al", RAX }, { "lodsb\n test %al, %al", RAX },
		{ "cpuid\n test %bl, %bl", RBX }, { "rdtsc\n test %al, %al", RAX },
		{ "cmpxchg %rcx, (%rdx)\n test %al, %al", RAX },
		{ "rep stosb\n test %cl, %cl", RCX }, { "syscall\n test %al, %al", RAX },
		{ "in $0x60, %al\n test %al, %al", RAX }, { "div %ecx\n test %al, %al", RAX },
		/* behind a call, a jump, what is not known, and too far */
		{ "call .+0x100\n test %al, %al", RAX }, { "call *%rcx\n test %al, %al", RAX },
		{ "jmp .+0x10\n test %al, %al", RAX }, { "jmp *%rcx\n test %al, %al", RAX },
		{ "ret\n test %al, %al", RAX }, { "ud2\n test %al, %al", RAX },
		{ "vzeroupper\n test %al, %al", RAX },
		{ ".rept 60\n mov %rdx, %rcx\n .endr\n test %al, %al", RAX },
	};

	bytes(*state, cases, NR(cases), false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_no_stores),
		cmocka_unit_test(test_other_stores),
		cmocka_unit_test(test_every_base),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_cannot_be_told),
		cmocka_unit_test(test_byte_use),
		cmocka_unit_test(test_no_byte_use),
	};

	return cmocka_run_group_tests_name("x86_code", tests, make_dir, remove_dir);
}
