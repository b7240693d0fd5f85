// SPDX-License-Identifier: GPL-2.0-only
/* frame_base.c - the canonical frame address at an address, through CFI */
#include "frame_base.h"

#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "eh_frame_rel.h"

struct frame_cfi {
	Dwarf_CFI *debug;	/* the Dwarf's */
	Dwarf_CFI *eh;
	bool own_eh;		/* @eh is ours to end */
	bool known;
	int err;
	uint64_t addr;
	uint32_t reg;
	int64_t off;
};

struct frame_cfi *frame_cfi__new(Dwarf *dw, Elf *elf, Dwfl_Module *mod)
{
	Dwarf_Addr bias;	/* 0: the sections stand where libdwfl put them */
	struct frame_cfi *cfi = calloc(1, sizeof(*cfi));
	int left;

	if (!cfi)
		return NULL;
	if (mod) {
		/* what libdwfl has left undone would make rows begin at other addresses */
		left = elf__relocate_section(elf, ".debug_frame");
		if (!left || left == -ENOENT)
			cfi->debug = dwfl_module_dwarf_cfi(mod, &bias);
		/* that one it leaves as it is in the file */
		if (!elf__relocate_section(elf, ".eh_frame"))
			cfi->eh = dwfl_module_eh_cfi(mod, &bias);
	} else {
		cfi->debug = dwarf_getcfi(dw);
		cfi->eh = dwarf_getcfi_elf(elf);
		cfi->own_eh = true;
	}
	return cfi;
}

void frame_cfi__free(struct frame_cfi *cfi)
{
	if (!cfi)
		return;
	if (cfi->eh && cfi->own_eh)
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
