// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print_json.c - records and locations as JSON */
#include "print_json.h"

#include <errno.h>
#include <stdio.h>

#include "locsec_name.h"
#include "reader_internal.h"
#include "type_text.h"

/* null: a register without a name */
static void json__reg_name(struct jobj *j, const char *key, uint16_t machine, uint32_t reg)
{
	const char *name = btf_locs__reg_name(machine, reg);

	if (name)
		jobj__str(j, key, name);
	else
		jobj__null(j, key);
}

static void json__reg(struct jobj *j, uint16_t machine, uint32_t reg)
{
	jobj__num(j, "reg", reg);
	json__reg_name(j, "name", machine, reg);
}

static void json__regs(struct jobj *j, uint16_t machine, const struct btf_locs_loc *loc)
{
	jobj__array(j, "regs");
	jobj__num(j, NULL, loc->reg);
	jobj__num(j, NULL, loc->reg2);
	jobj__array_end(j);
	jobj__array(j, "names");
	json__reg_name(j, NULL, machine, loc->reg);
	json__reg_name(j, NULL, machine, loc->reg2);
	jobj__array_end(j);
}

static void json__loc_fields(struct jobj *j, uint16_t machine,
			     const struct btf_locs_loc *loc)
{
	static const char *const kinds[] = {
		"none", "reg", "regs", "regoff", "mem", "const", "addr", "memaddr",
	};
	char text[24];

	jobj__str(j, "kind", kinds[loc->kind]);
	switch (loc->kind) {
	case BTF_LOCS_LOC_NONE:
		break;
	case BTF_LOCS_LOC_REGS:
		json__regs(j, machine, loc);
		break;
	case BTF_LOCS_LOC_REG:
	case BTF_LOCS_LOC_REGOFF:
	case BTF_LOCS_LOC_MEM:
		json__reg(j, machine, loc->reg);
		if (loc->kind != BTF_LOCS_LOC_REG)
			jobj__num(j, "offset", loc->offset);
		break;
	case BTF_LOCS_LOC_CONST:
		snprintf(text, sizeof(text), loc->is_signed ? "%lld" : "%llu",
			 (unsigned long long)loc->value);
		jobj__str(j, "value", text);
		break;
	case BTF_LOCS_LOC_ADDR:
	case BTF_LOCS_LOC_MEMADDR:
		jobj__hex(j, "address", loc->value);
		if (loc->section)
			jobj__str(j, "section", loc->section);
		break;
	}
	jobj__num(j, "size", loc->size);
	/* two words, and an address, have no sign */
	if (loc->kind != BTF_LOCS_LOC_REGS && loc->kind != BTF_LOCS_LOC_ADDR &&
	    loc->kind != BTF_LOCS_LOC_MEMADDR)
		jobj__bool(j, "signed", loc->is_signed);
}

void print_json__loc(struct jobj *j, uint16_t machine, const struct btf_locs_loc *loc)
{
	if (loc->kind == BTF_LOCS_LOC_NONE) {
		jobj__null(j, "loc");
		return;
	}
	jobj__object(j, "loc");
	json__loc_fields(j, machine, loc);
	jobj__object_end(j);
}

static int json__param(struct jobj *j, const struct btf_locs *locs,
		       const struct btf_locs_rec *rec, uint32_t i)
{
	struct btf_locs_param param;
	struct type_text type;
	int ret;

	ret = btf_locs__param(locs, rec, i, &param);
	if (!ret)
		ret = type_text__get(&type, locs, param.type_id, NULL);
	if (ret)
		return ret;
	jobj__object(j, NULL);
	jobj__str(j, "name", param.name);
	jobj__str(j, "type", type.str);
	print_json__loc(j, locs->machine, &param.loc);
	jobj__object_end(j);
	type_text__free(&type);
	return 0;
}

static int json__params(struct jobj *j, const struct btf_locs *locs,
			const struct btf_locs_rec *rec)
{
	uint32_t i;
	int ret = 0;

	jobj__array(j, "params");
	for (i = 0; i < rec->nr_params && !ret; i++)
		ret = json__param(j, locs, rec, i);
	jobj__array_end(j);
	return ret;
}

int print_json__rec(struct outbuf *o, const struct btf_locs *locs,
		    const struct btf_locs_rec *rec, bool pretty)
{
	struct jobj j;
	int ret;

	jobj__begin(&j, o, pretty);
	jobj__hex(&j, "address", rec->address);
	jobj__str(&j, "section", rec->section);
	jobj__num(&j, "offset", rec->offset);
	jobj__str(&j, "kind", locs_kind__str(rec->kind));
	jobj__str(&j, "func", rec->func);
	jobj__num(&j, "func_id", rec->func_id);
	jobj__num(&j, "loc_proto_id", rec->loc_proto_id);
	jobj__bool(&j, "partial", rec->partial);
	ret = json__params(&j, locs, rec);
	jobj__end(&j);
	return ret;
}

void print_json__locsec_rec(struct outbuf *o, const struct btf_locs_rec *rec, bool pretty)
{
	struct jobj j;

	jobj__begin(&j, o, pretty);
	jobj__num(&j, "func", rec->func_id);
	jobj__str(&j, "name", rec->func);
	jobj__num(&j, "loc_proto", rec->loc_proto_id);
	jobj__num(&j, "offset", rec->offset);
	jobj__end(&j);
}
