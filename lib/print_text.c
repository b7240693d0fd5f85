// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print_text.c - locations and records as text */
#include "print_text.h"

#include "locsec_name.h"
#include "reader_internal.h"
#include "regs.h"
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

/* What a value's type is made of: its bytes, 0 if that is not known, and its sign. */
static uint32_t value__width(const struct btf_locs *locs, uint32_t type, bool *is_signed)
{
	struct btf_type_view t;
	uint32_t data, hops = btf_chain__nr_types(locs->chain);

	*is_signed = false;
	while (hops-- && !btf_chain__type(locs->chain, type, &t)) {
		switch (t.kind) {
		case BTF_K_TYPEDEF:
		case BTF_K_CONST:
		case BTF_K_VOLATILE:
		case BTF_K_RESTRICT:
		case BTF_K_TYPE_TAG:
			type = t.size;
			continue;
		case BTF_K_PTR:
			return regs__width(locs->machine, true);
		case BTF_K_INT:
			if (!btf_chain__word(locs->chain, &t, 0, &data))
				*is_signed = data >> 24 & BTF_ENC_SIGNED;
			return t.size;
		case BTF_K_ENUM:
		case BTF_K_ENUM64:
			*is_signed = t.kflag;
			return t.size;
		case BTF_K_STRUCT:
		case BTF_K_UNION:
		case BTF_K_FLOAT:
			return t.size;
		default:
			return 0;
		}
	}
	return 0;
}

/*
 * Bytes of a location that are fewer than the type's, ":1"; ":u1" and ":s1" where they are widened
 * by zeros or by their sign and the type's own sign would say otherwise.
 */
static void text__width(struct outbuf *o, const struct btf_locs *locs,
			const struct btf_locs_param *param)
{
	const struct btf_locs_loc *loc = &param->loc;
	bool is_signed;
	uint32_t width;

	if (loc->kind != BTF_LOCS_LOC_REG && loc->kind != BTF_LOCS_LOC_REGOFF &&
	    loc->kind != BTF_LOCS_LOC_MEM && loc->kind != BTF_LOCS_LOC_MEMADDR)
		return;
	width = value__width(locs, param->type_id, &is_signed);
	if (loc->size >= width)
		return;
	outbuf__char(o, ':');
	if (loc->is_signed != is_signed)
		outbuf__char(o, loc->is_signed ? 's' : 'u');
	outbuf__dec(o, loc->size);
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
		text__width(o, locs, &param);
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
