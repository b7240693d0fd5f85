// SPDX-License-Identifier: GPL-2.0-only
/* frame_base.c - the canonical frame address at an address, through CFI */
#include "frame_base.h"

#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "elf_reloc.h"

struct frame_cfi {
	Dwarf_CFI *debug;	/* the Dwarf's */
	Dwarf_CFI *eh;		/* ours to end */
	bool known;
	int err;
	uint64_t addr;
	uint32_t reg;
	int64_t off;
};

struct frame_cfi *frame_cfi__new(Dwarf *dw, Elf *elf)
{
	struct frame_cfi *cfi = calloc(1, sizeof(*cfi));
	GElf_Ehdr ehdr;
	bool rel = gelf_getehdr(elf, &ehdr) && ehdr.e_type == ET_REL;
	int left;

	if (!cfi)
		return NULL;
	/* with a relocation that is not known, rows would begin at other addresses */
	left = rel ? elf__relocate_section(elf, ".debug_frame") : 0;
	if (left == -ENOENT)
		left = elf__relocate_section(elf, ".zdebug_frame");
	if (!left || left == -ENOENT)
		cfi->debug = dwarf_getcfi(dw);
	if (!rel || !elf__relocate_section(elf, ".eh_frame"))
		cfi->eh = dwarf_getcfi_elf(elf);
	return cfi;
}

void frame_cfi__free(struct frame_cfi *cfi)
{
	if (!cfi)
		return;
	if (cfi->eh)
		dwarf_cfi_end(cfi->eh);
	free(cfi);
}

static int cfa_from(Dwarf_CFI *cfi, uint64_t addr, uint32_t *reg, int64_t *off)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t nr;
	int err = -ENOENT;

	if (!cfi || dwarf_cfi_addrframe(cfi, addr, &frame))
		return -ENOENT;
	if (!dwarf_frame_cfa(frame, &ops, &nr) && nr == 1) {
		if (ops[0].atom == DW_OP_bregx && ops[0].number <= UINT32_MAX) {
			*reg = ops[0].number;
			*off = ops[0].number2;
			err = 0;
		} else if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
			*reg = ops[0].atom - DW_OP_breg0;
			*off = ops[0].number;
			err = 0;
		}
	}
	free(frame);
	return err;
}

int frame_cfi__cfa(struct frame_cfi *cfi, uint64_t addr, uint32_t *reg, int64_t *off)
{
	if (!cfi->known || cfi->addr != addr) {
		cfi->err = cfa_from(cfi->debug, addr, &cfi->reg, &cfi->off);
		if (cfi->err)
			cfi->err = cfa_from(cfi->eh, addr, &cfi->reg, &cfi->off);
		cfi->addr = addr;
		cfi->known = true;
	}
	if (cfi->err)
		return cfi->err;
	*reg = cfi->reg;
	*off = cfi->off;
	return 0;
}
