// SPDX-License-Identifier: GPL-2.0-only
/*
 * func_list.c - every function with code: address, name, parameters; libdw alone, none of our
 * code
 *
 * A line each, with tabs: "ADDR NAME PARAM:TYPE:STARS...". TYPE is the name behind pointers and
 * qualifiers, "?" where there is none (a pointer to a function, an anonymous type).
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>

/* Behind abstract origins and specifications: where the parameters are. */
static Dwarf_Die origin_of(Dwarf_Die die)
{
	Dwarf_Attribute attr;
	Dwarf_Die next;

	while ((dwarf_attr(&die, DW_AT_abstract_origin, &attr) ||
		dwarf_attr(&die, DW_AT_specification, &attr)) && dwarf_formref_die(&attr, &next))
		die = next;
	return die;
}

static void print_type(Dwarf_Die *param)
{
	Dwarf_Die die = *param;
	Dwarf_Attribute attr;
	int stars = 0;

	while (dwarf_attr(&die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_pointer_type:
			stars++;
			break;
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
			break;
		case DW_TAG_base_type:
		case DW_TAG_typedef:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_enumeration_type:
			printf(":%s:%d", dwarf_diename(&die) ?: "?", stars);
			return;
		default:
			printf(":?:0");
			return;
		}
	}
	printf(":void:%d", stars);
}

static void print_function(Dwarf_Die *die)
{
	Dwarf_Die origin = origin_of(*die), child;
	Dwarf_Addr base, addr, end;

	if (dwarf_ranges(die, 0, &base, &addr, &end) <= 0 || !dwarf_diename(&origin))
		return;
	printf("%lx\t%s", (unsigned long)addr, dwarf_diename(&origin));
	if (!dwarf_child(&origin, &child))
		do {
			if (dwarf_tag(&child) != DW_TAG_formal_parameter)
				continue;
			printf("\t%s", dwarf_diename(&child) ?: "");
			print_type(&child);
		} while (!dwarf_siblingof(&child, &child));
	putchar('\n');
}

int main(int argc, char **argv)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, die;
	Dwarf *dw;
	int fd = open(argv[argc - 1], O_RDONLY);

	dw = dwarf_begin(fd, DWARF_C_READ);
	if (!dw)
		return 2;
	while (!dwarf_get_units(dw, cu, &cu, NULL, NULL, &unit, NULL)) {
		if (dwarf_srclang(&unit) == DW_LANG_Mips_Assembler || dwarf_child(&unit, &die))
			continue;
		do {
			if (dwarf_tag(&die) == DW_TAG_subprogram)
				print_function(&die);
		} while (!dwarf_siblingof(&die, &die));
	}
	dwarf_end(dw);
	return 0;
}
