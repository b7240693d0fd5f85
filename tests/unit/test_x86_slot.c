// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_x86_slot.c - which bytes instructions surely read, and which they may write
 *
 * What is expected is what the instructions do by the Intel SDM.
 */
#include "x86_util.h"

/* Slots have 8 bytes. A read of what lies beside one at 8(%rsp), then a store to it. */
static void test_reads_of_neighbours(void **state)
{
	static const struct slot_case cases[] = {
		{ "movzbl (%rsp), %eax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "movzwl 6(%rsp), %eax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "movsbl 7(%rsp), %eax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "movslq 4(%rsp), %rax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "movss 4(%rsp), %xmm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "movsd (%rsp), %xmm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "movq (%rsp), %xmm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "cvtsi2sdl 4(%rsp), %xmm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "pmovsxbq 6(%rsp), %xmm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "pinsrb $1, 7(%rsp), %xmm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "cmovne 4(%rsp), %eax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "flds 4(%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "fildl 4(%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "mov 6(%rsp), %ds\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "btl $3, 4(%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		/* over the slot's edge: neither it nor a part of it */
		{ "mov 4(%rsp), %rax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "mov 12(%rsp), %rax\n mov %rdi, 8(%rsp)", RSP, 8 },
		/* no byte for sure */
		{ "vmaskmovps 8(%rsp), %ymm0, %ymm1\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "bt %rax, 8(%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "bts %rax, 8(%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "fxrstor (%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "rep lodsb\n mov %rdi, 8(%rsp)", RSP, 8 },
		/* another area's memory, another register's, one with an index, a cut address */
		{ "mov %gs:8(%rsp), %rax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "mov %fs:8(%rbx), %rax\n mov %rdi, 8(%rbx)", RBX, 8 },
		{ "vmovups %gs:8(%rsp), %ymm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "lods %gs:(%rsi), %al\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "mov 8(%rsp,%rax), %rax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "mov 8(%esp), %rax\n mov %rdi, 8(%rsp)", RSP, 8 },
		/* a symbol is to be added: the address is in a table, and the register an index */
		{ "mov table(%rbx), %rax\n mov %rdi, (%rbx)", RBX, 0 },
		{ "lea table(%rbx), %rbx\n mov (%rbx), %rax\n mov %rdi, (%rsp)", RSP, 0 },
	};

	slots(*state, cases, NR(cases), 8, true);
}

/* A read of the slot, or of a part of it, then a store. */
static void test_reads(void **state)
{
	static const struct slot_case cases[] = {
		{ "movzbl 8(%rsp), %eax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "movzbl 15(%rsp), %eax\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "mov 8(%rsp), %eax\n movq $0, 8(%rsp)", RSP, 8 },
		{ "movups (%rsp), %xmm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "vmovups -16(%rsp), %ymm0\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "lock cmpxchg16b (%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "lock xadd %rax, 8(%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "fldt (%rsp)\n mov %rdi, (%rsp)", RSP, 2 },
		{ "verw 8(%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "lgdt (%rsp)\n mov %rdi, 8(%rsp)", RSP, 2 },
		{ "ldmxcsr 8(%rsp)\n mov %rdi, 8(%rsp)", RSP, 8 },
		{ "pop %rax\n mov %rdi, -8(%rsp)", RSP, 0 },
		{ "popf\n mov %rdi, -8(%rsp)", RSP, 0 },
		{ "lodsq\n mov %rdi, 8(%rsp)", RSI, 0 },
		{ "cmpsb\n mov %rdi, 8(%rsp)", RDI, 0 },
		{ "mov %rsp, %rsi\n movsq\n mov %rax, (%rsp)", RSP, 0 },
		{ "mov %rsp, %rbp\n mov 8(%rbp), %rax\n mov %rax, 8(%rsp)", RSP, 8 },
		{ "mov %rsp, %rsi\n mov $3, %ecx\n rep movsq\n mov %rax, 8(%rsp)", RSP, 8 },
	};

	slots(*state, cases, NR(cases), 8, false);
}

/* Stores that no operand names, and those of many bytes. */
static void test_stores(void **state)
{
	static const struct slot_case cases[] = {
		{ "push %rax", RSP, -8 }, { "push %rax", RSP, -1 }, { "push $1", RSP, -8 },
		{ "pushw $1", RSP, -2 }, { "pushf", RSP, -8 }, { "pushq (%rax)", RSP, -8 },
		{ "push %gs:8(%rsp)", RSP, -8 }, { "push %fs", RSP, -8 },
		{ "call *%rax", RSP, -8 }, { "enter $32, $0", RSP, -8 },
		{ "enter $0, $1", RSP, 8 },
		/* pop finds its operand with the stack pointer that it has moved */
		{ "popq 8(%rsp)", RSP, 16 },
		{ "vmovups %ymm0, 8(%rsp)", RSP, 39 }, { "vmovups %xmm0, 8(%rsp)", RSP, 23 },
		{ "vextractf128 $1, %ymm0, 8(%rsp)", RSP, 23 },
		{ "vmaskmovps %ymm0, %ymm1, 8(%rsp)", RSP, 39 },
		{ "stosb", RDI, 0 }, { "stosq", RDI, 7 }, { "rep stosq", RDI, 4096 },
		{ "movsb", RDI, 0 }, { "rep movsb", RDI, 77 }, { "insl", RDI, 3 },
		{ "maskmovdqu %xmm0, %xmm1", RDI, 15 },
		{ "fxsave (%rsp)", RSP, 511 }, { "fnsave (%rsp)", RSP, 107 },
		{ "fnstenv (%rsp)", RSP, 27 }, { "fstpt (%rsp)", RSP, 9 },
		{ "fbstp (%rsp)", RSP, 9 }, { "xsave (%rsp)", RSP, 4096 },
		{ "xsaves64 (%rsp)", RSP, 4096 },
		{ "sidt (%rsp)", RSP, 9 }, { "sgdt (%rsp)", RSP, 9 }, { "sldt (%rsp)", RSP, 1 },
		{ "str (%rsp)", RSP, 1 }, { "smsw (%rsp)", RSP, 1 }, { "stmxcsr (%rsp)", RSP, 3 },
		{ "mov %ds, (%rsp)", RSP, 1 }, { "vmread %rax, (%rsp)", RSP, 7 },
		{ "vmptrst (%rsp)", RSP, 7 }, { "movdir64b (%rax), %rbx", RBX, 63 },
		{ "mov %rdi, 8(%esp)", RSP, 8 },
		/* one byte of it is enough */
		{ "movb $1, 15(%rsp)", RSP, 8 }, { "mov %rax, 1(%rsp)", RSP, 8 },
		/* through copies of the register, and sums */
		{ "mov %rsp, %rbp\n mov %rdi, -24(%rbp)", RSP, -24 },
		{ "lea 16(%rsp), %rbx\n sub $8, %rbx\n mov %rdi, (%rbx)", RSP, 8 },
		{ "lea 8(%rsp), %rdi\n xor %eax, %eax\n rep stosq", RSP, 64 },
		{ "lea 8(%rsp), %rdi\n mov $4, %ecx\n rep stosq", RSP, 39 },
		{ "add $8, %rax\n mov %rdi, (%rax)", RAX, 8 },
		{ "add $0x1000, %rax\n mov %rdi, -0xff8(%rax)", RAX, 8 },
		{ "pushw $1\n mov %rdi, 10(%rsp)", RSP, 8 },
		{ "enter $32, $0\n mov %rdi, 48(%rsp)", RSP, 8 },
		{ "enter $32, $0\n mov %rdi, 16(%rbp)", RSP, 8 },
		{ "mov %rsp, %rbp\n sub $32, %rsp\n leave\n mov %rdi, 8(%rsp)", RSP, 16 },
		/* the stack is lost */
		{ "mov %eax, %esp", RSP, 8 }, { "and $-16, %rsp", RSP, 8 },
		{ "sub %rax, %rsp", RSP, 8 }, { "add $8, %esp", RSP, 8 },
		{ "lea -8(%esp), %rsp", RSP, 8 }, { "lea -8(%rsp), %esp", RSP, 8 },
		{ "leave", RSP, 8 }, { "pop %rsp", RSP, 8 }, { "xchg %rax, %rsp", RSP, 8 },
		{ "mov $1, %spl", RSP, 8 }, { "xadd %rax, %rsp", RSP, 8 },
		{ "cmovne %rax, %rsp", RSP, 8 }, { "bswap %rsp", RSP, 8 },
		{ "add $symbol, %rsp", RSP, 8 },
		/* not known: EVEX, an opmask's, XOP, MPX, strings that go down */
		{ "vmovups %zmm0, (%rsp)", RSP, 64 }, { "kmovw %k1, (%rax)", RSP, 8 },
		{ ".byte 0x8f,0xe9,0x78,0x81,0xc0", RSP, 8 }, { "bndmov %bnd0, (%rax)", RSP, 8 },
		{ "std\n stosq\n cld", RSP, 8 }, { "vmcall", RSP, 8 }, { "int $0x80", RSP, 8 },
	};

	slots(*state, cases, NR(cases), 8, true);
}

/* What leaves the slot alone, and the register that it is at. */
static void test_no_stores(void **state)
{
	static const struct slot_case cases[] = {
		{ "push %rax\n ret", RSP, -16 }, { "push %rax\n ret", RSP, 0 },
		{ "call *%rax", RSP, 0 }, { "pushw $1\n ret", RSP, -10 },
		{ "vmovups %ymm0, 8(%rsp)\n ret", RSP, 40 }, { "stosb\n ret", RDI, 1 },
		{ "rep stosq\n ret", RDI, -8 }, { "stosq\n ret", RSI, 0 },
		{ "fnstcw (%rsp)\n ret", RSP, 2 }, { "sidt (%rsp)\n ret", RSP, 10 },
		{ "mov %ds, (%rsp)\n ret", RSP, 2 }, { "movss %xmm0, (%rsp)\n ret", RSP, 4 },
		{ "movd %xmm0, (%rsp)\n ret", RSP, 4 }, { "fsts (%rsp)\n ret", RSP, 4 },
		{ "pextrb $1, %xmm0, (%rsp)\n ret", RSP, 1 },
		{ "vmovd %xmm0, (%rsp)\n ret", RSP, 4 }, { "lea 8(%rsp), %rax\n ret", RSP, 8 },
		{ "verw 8(%rsp)\n ret", RSP, 8 }, { "cmovne 8(%rsp), %rax\n ret", RSP, 8 },
		{ "vaddps 8(%rsp), %ymm0, %ymm0\n ret", RSP, 8 },
		{ "pmovsxbw 8(%rsp), %xmm0\n ret", RSP, 8 },
		{ "mov %rdi, %gs:8(%rsp)\n ret", RSP, 8 },
		{ "vmovups %ymm0, %fs:8(%rsp)\n ret", RSP, 8 },
		{ "lea 8(%rsp), %rdi\n mov $4, %ecx\n rep stosq\n ret", RSP, 40 },
		{ "lea 8(%rsp), %rdi\n xor %ecx, %ecx\n rep stosb\n ret", RSP, 8 },
		/* %ah to %bh, and vector registers, are none of %rsp, %rbp, %rsi, %rdi */
		{ "mov $3, %ah\n ret", RSP, 8 }, { "or $4, %ah\n ret", RSP, 8 },
		{ "mov %cl, %ah\n ret", RSP, 8 }, { "sete %ah\n ret", RSP, 8 },
		{ "mov (%rbx), %ah\n ret", RSP, 8 }, { "xadd %ah, %bl\n ret", RSP, 8 },
		{ "lock cmpxchg16b (%r15)\n ret", RSP, 8 }, { "movaps %xmm3, %xmm4\n ret", RSP, 8 },
		{ "vaddps %ymm3, %ymm4, %ymm4\n ret", RSP, 8 }, { "rdmsr\n ret", RSP, 8 },
		{ "cltq\n syscall\n ret", RSP, 8 }, { "stac\n clac\n swapgs\n ret", RSP, 8 },
		{ "lfence\n rdtscp\n ret", RSP, 8 }, { "mul %rsp\n div %rbp\n ret", RSP, 8 },
	};

	slots(*state, cases, NR(cases), 8, false);
}

/* A register that holds something else is none of the slot any more, or still is. */
static void test_lost(void **state)
{
	static const struct slot_case lost[] = {
		{ "mov %ecx, %ebx\n mov %rdi, 8(%rbx)\n ret", RBX, 8 },
		{ "mov $1, %bl\n mov %rdi, 8(%rbx)\n ret", RBX, 8 },
		{ "mov $1, %bh\n mov %rdi, 8(%rbx)\n ret", RBX, 8 },
		{ "cpuid\n mov %rdi, 8(%rbx)\n ret", RBX, 8 },
		{ "syscall\n mov %rdi, 8(%r11)\n ret", R11, 8 },
		{ "mul %rbx\n mov %rdi, 8(%rdx)\n ret", RDX, 8 },
		{ "cmpxchg %rcx, (%rbx)\n mov %rdi, 8(%rax)\n ret", RAX, 8 },
		{ "xadd %rbx, (%rcx)\n mov %rdi, 8(%rbx)\n ret", RBX, 8 },
		{ "lodsb\n mov %rdi, 8(%rsi)\n ret", RSI, 8 },
		{ "rep stosb\n mov %rdi, 8(%rcx)\n ret", RCX, 8 },
		{ "blsr %rax, %rbx\n mov %rdi, 8(%rbx)\n ret", RBX, 8 },
		{ "cvttsd2si %xmm0, %rbx\n mov %rdi, 8(%rbx)\n ret", RBX, 8 },
		{ "leave\n mov %rdi, 8(%rbp)\n ret", RBP, 16 },
	};
	static const struct slot_case kept[] = {
		{ "movaps %xmm2, %xmm3\n mov %rdi, 8(%rbx)", RBX, 8 },
		{ "cvtsi2sd %rax, %xmm3\n mov %rdi, 8(%rbx)", RBX, 8 },
		{ "cmp %rax, %rbx\n test %rbx, %rbx\n mov %rdi, 8(%rbx)", RBX, 8 },
		{ "mov %rbx, (%rcx)\n push %rbx\n mov %rdi, 8(%rbx)", RBX, 8 },
		{ "mov $1, %dh\n mov %rdi, 8(%rsi)", RSI, 8 },
		{ "mov %rbx, %rcx\n xor %ebx, %ebx\n mov %rdi, 8(%rcx)", RBX, 8 },
	};

	slots(*state, lost, NR(lost), 8, false);
	slots(*state, kept, NR(kept), 8, true);
}

/* The canonical frame address ends a string of unknown length that begins below it. */
static void test_frame(void **state)
{
	/* rep stosq; mov %rsp,%rdi before it */
	static const uint8_t code[] = { 0xf3, 0x48, 0xab, 0xc3 };
	static const uint8_t at_rsp[] = { 0x48, 0x89, 0xe7, 0xf3, 0x48, 0xab };

	(void)state;
	assert_true(slot_store__in(at_rsp, sizeof(at_rsp), RSP, 0x70, 8, INT64_MAX));
	assert_true(slot_store__in(at_rsp, sizeof(at_rsp), RSP, 0x60, 8, 0x68));
	assert_false(slot_store__in(at_rsp, sizeof(at_rsp), RSP, 0x68, 8, 0x68));
	assert_false(slot_store__in(at_rsp, sizeof(at_rsp), RSP, 0x70, 8, 0x68));
	/* it begins in the caller's memory */
	assert_true(slot_store__in(at_rsp, sizeof(at_rsp), RSP, 0x70, 8, 0));
	assert_true(slot_store__in(at_rsp, sizeof(at_rsp), RSP, 0x70, 8, -8));
	/* numbers at the ends of their range */
	assert_true(slot_store__in(code, sizeof(code), RDI, 0, 8, INT64_MIN));
	assert_false(slot_store__in(code, sizeof(code), RDI, INT64_MIN, 8, INT64_MAX - 1));
	assert_false(slot_store__in(code, sizeof(code), RDI, INT64_MIN, UINT32_MAX, INT64_MIN));
	assert_false(slot_store__in(code, sizeof(code), RDI, INT64_MAX, 8, INT64_MAX));
	assert_true(slot_store__in(code, sizeof(code), RDI, -4, UINT32_MAX, INT64_MAX));
}

/* No number of bytes, cut off anywhere, is read behind its end. */
static void test_cut_off(void **state)
{
	uint8_t bytes[16], *copy;
	uint32_t seed = 1;
	size_t len, i, n;

	(void)state;
	for (n = 0; n < 200000; n++) {
		len = n % sizeof(bytes) + 1;
		for (i = 0; i < len; i++) {
			seed = seed * 1103515245 + 12345;
			bytes[i] = seed >> 16;
		}
		copy = malloc(len);
		assert_non_null(copy);
		memcpy(copy, bytes, len);
		slot_store__in(copy, len, n % 17, (int8_t)bytes[0], 8, INT64_MAX);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_of_neighbours),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_no_stores),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_frame),
		cmocka_unit_test(test_cut_off),
	};

	return cmocka_run_group_tests_name("x86_slot", tests, make_dir, remove_dir);
}
