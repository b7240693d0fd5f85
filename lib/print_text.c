// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print_text.c - locations and records as text */
#include "print_text.h"

#include "locsec_name.h"
#include "reader_internal.h"
#include "type_text.h"

/* A register without a name is shown by its number. */
static void text__reg(struct outbuf *o, uint16_t machine, uint32_t reg)
{
	const char *name = btf_locs__reg_name(machine, reg);

	outbuf__char(o, '%');
	if (name)
		outbuf__str(o, name);
	else
		outbuf__dec(o, reg);
}

static void text__reg_offset(struct outbuf *o, uint16_t machine,
			     const struct btf_locs_loc *loc)
{
	text__reg(o, machine, loc->reg);
	if (!loc->offset)
		return;
	outbuf__char(o, loc->offset < 0 ? '-' : '+');
	outbuf__hex(o, loc->offset < 0 ? -(uint64_t)loc->offset : (uint64_t)loc->offset);
}

static void text__address(struct outbuf *o, const struct btf_locs_loc *loc)
{
	if (loc->section) {
		outbuf__name(o, loc->section);
		outbuf__char(o, '+');
	}
	outbuf__hex(o, loc->value);
}

void print_text__loc(struct outbuf *o, uint16_t machine, const struct btf_locs_loc *loc)
{
	switch (loc->kind) {
	case BTF_LOCS_LOC_NONE:
		outbuf__char(o, '?');
		return;
	case BTF_LOCS_LOC_REG:
		text__reg(o, machine, loc->reg);
		return;
	case BTF_LOCS_LOC_REGS:
		text__reg(o, machine, loc->reg);
		outbuf__char(o, ':');
		text__reg(o, machine, loc->reg2);
		return;
	case BTF_LOCS_LOC_REGOFF:
		text__reg_offset(o, machine, loc);
		return;
	case BTF_LOCS_LOC_MEM:
		outbuf__str(o, "*(");
		text__reg_offset(o, machine, loc);
		outbuf__char(o, ')');
		return;
	case BTF_LOCS_LOC_CONST:
		if (loc->is_signed)
			outbuf__sdec(o, (int64_t)loc->value);
		else
			outbuf__dec(o, loc->value);
		return;
	case BTF_LOCS_LOC_ADDR:
		text__address(o, loc);
		return;
	case BTF_LOCS_LOC_MEMADDR:
		outbuf__str(o, "*(");
		text__address(o, loc);
		outbuf__char(o, ')');
		return;
	}
}

/* "const struct file *f" */
static int text__decl(struct outbuf *o, const struct btf_locs *locs, uint32_t type,
		      const char *name)
{
	struct type_text text;
	int ret = type_text__get(&text, locs, type, name);

	if (ret)
		return ret;
	outbuf__name(o, text.str);
	type_text__free(&text);
	return 0;
}

/* Whether the function's prototype ends in "...". */
static bool rec__is_varargs(const struct btf_locs *locs, const struct btf_locs_rec *rec)
{
	struct btf_type_view func, proto;

	return !btf_chain__type(locs->chain, rec->func_id, &func) &&
	       !btf_chain__type(locs->chain, func.size, &proto) &&
	       proto.vlen > rec->nr_params;
}

static int text__params(struct outbuf *o, const struct btf_locs *locs,
			const struct btf_locs_rec *rec)
{
	struct btf_locs_param param;
	uint32_t i;
	int ret;

	for (i = 0; i < rec->nr_params; i++) {
		if (i)
			outbuf__str(o, ", ");
		ret = btf_locs__param(locs, rec, i, &param);
		if (ret)
			return ret;
		ret = text__decl(o, locs, param.type_id, param.name);
		if (ret)
			return ret;
		if (!rec->loc_proto_id)
			continue;
		outbuf__char(o, '=');
		print_text__loc(o, locs->machine, &param.loc);
	}
	if (rec__is_varargs(locs, rec))
		outbuf__str(o, i ? ", ..." : "...");
	else if (!i)
		outbuf__str(o, "void");
	return 0;
}

int print_text__rec(struct outbuf *o, const struct btf_locs *locs,
		    const struct btf_locs_rec *rec)
{
	int ret;

	if (rec->address == rec->offset) {
		outbuf__name(o, rec->section);
		outbuf__char(o, '+');
	}
	outbuf__hex(o, rec->address);
	outbuf__char(o, ' ');
	outbuf__str(o, locs_kind__str(rec->kind));
	outbuf__char(o, ' ');
	outbuf__name(o, rec->func);
	outbuf__char(o, '(');
	ret = text__params(o, locs, rec);
	if (ret)
		return ret;
	outbuf__str(o, ")\n");
	return 0;
}
