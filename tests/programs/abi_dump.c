// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_dump.c - where we expect the parameters of every function of a linked file
 *
 * abi_dump FILE: for each DW_TAG_subprogram with code a line a parameter, "FUNCTION INDEX
 * WHERE", WHERE one of
 *	reg N size S	regs N N size S		mem N OFFSET size S
 *	elsewhere size S		nowhere			unknown
 * Nothing of the DWARF's locations is looked at: test_conventions.py compares with those.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../lib/abi_type.h"
#include "../../lib/die.h"
#include "../../lib/locs_format.h"

static void print_loc(const struct loc *l)
{
	if (l->flags & LOC_F_DEREF)
		printf("mem %u %lld", l->reg, l->flags & LOC_F_OFFSET ? (long long)l->off : 0);
	else if (l->nr_regs == 2)
		printf("regs %u %u", l->reg, l->reg2);
	else
		printf("reg %u", l->reg);
	printf(" size %u\n", l->size);
}

static void begin(const struct abi *abi, Dwarf_Die *func, unsigned int addr_size,
		  struct abi_walk *walk)
{
	struct abi_type ret;
	Dwarf_Die type, child;
	bool variadic = false;
	int err;

	for (err = die__child(func, &child); !err; err = die__next(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			variadic = true;
	if (die__type(func, &type)) {
		abi__begin(abi, NULL, variadic, walk);
	} else if (abi_type__read(&type, addr_size, &ret)) {
		abi__begin(abi, NULL, variadic, walk);
		abi__lose(walk);
	} else {
		abi__begin(abi, &ret, variadic, walk);
	}
}

static void dump_func(const struct abi *abi, Dwarf_Die *func, unsigned int addr_size)
{
	struct abi_walk walk;
	struct abi_type t;
	Dwarf_Die child, type;
	unsigned int i = 0;
	struct loc l;
	int err;

	begin(abi, func, addr_size, &walk);
	for (err = die__child(func, &child); !err; err = die__next(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		printf("%s %u ", die__name(func), i++);
		if (die__type(&child, &type) || abi_type__read(&type, addr_size, &t)) {
			abi__next(&walk, NULL, &l);
			puts("unknown");
			continue;
		}
		switch (abi__next(&walk, &t, &l)) {
		case ABI_PLACED:
			print_loc(&l);
			break;
		case ABI_ELSEWHERE:
			printf("elsewhere size %u\n", t.size);
			break;
		case ABI_NOWHERE:
			puts("nowhere");
			break;
		default:
			puts("unknown");
		}
	}
}

static int dump_file(Dwarf *dw)
{
	Dwarf_Off off = 0, next;
	const struct abi *abi;
	Dwarf_Die cu, die;
	uint8_t addr_size;
	size_t hdr;
	GElf_Ehdr eh;
	int err;

	if (!gelf_getehdr(dwarf_getelf(dw), &eh))
		return 1;
	abi = abi__find(eh.e_machine, eh.e_flags, eh.e_ident[EI_CLASS] == ELFCLASS64,
			eh.e_ident[EI_DATA] == ELFDATA2MSB);
	if (!abi) {
		fputs("abi_dump: no convention known for the file's machine\n", stderr);
		return 1;
	}
	for (; !dwarf_nextcu(dw, off, &next, &hdr, NULL, &addr_size, NULL); off = next) {
		if (!dwarf_offdie(dw, off + hdr, &cu))
			return 1;
		for (err = die__child(&cu, &die); !err; err = die__next(&die, &die))
			if (dwarf_tag(&die) == DW_TAG_subprogram &&
			    dwarf_hasattr(&die, DW_AT_low_pc))
				dump_func(abi, &die, addr_size);
	}
	return 0;
}

int main(int argc, char **argv)
{
	Dwarf *dw;
	int fd, ret;

	if (argc != 2) {
		fputs("usage: abi_dump FILE\n", stderr);
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	dw = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	if (!dw) {
		fprintf(stderr, "abi_dump: cannot read %s\n", argv[1]);
		return 1;
	}
	ret = dump_file(dw);
	dwarf_end(dw);
	close(fd);
	return ret || fflush(stdout) ? 1 : 0;
}
