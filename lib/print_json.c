// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print_json.c - records and locations as JSON */
#include "print_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locsec_name.h"
#include "reader_internal.h"

void jobj__init(struct jobj *j)
{
	j->obj = json_object_new_object();
	j->err = j->obj ? 0 : -ENOMEM;
}

void jobj__add(struct jobj *j, const char *key, struct json_object *val)
{
	if (!j->err && val && !json_object_object_add(j->obj, key, val))
		return;
	json_object_put(val);
	if (!j->err)
		j->err = -ENOMEM;
}

void jobj__num(struct jobj *j, const char *key, int64_t val)
{
	if (!j->err)
		jobj__add(j, key, json_object_new_int64(val));
}

/* Bytes of the UTF-8 sequence at @p, 0 if there is none (RFC 3629). */
static unsigned int utf8__len(const unsigned char *p)
{
	unsigned int len, i;
	uint32_t v;

	if (*p < 0x80)
		return 1;
	len = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	v = *p & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (p[i] & 0x3f);
	}
	if (*p < 0xc2 || *p > 0xf4 || (len == 3 && v < 0x800) ||
	    (len == 4 && (v < 0x10000 || v > 0x10ffff)) || (v >= 0xd800 && v < 0xe000))
		return 0;
	return len;
}

/* A name is any bytes, JSON is UTF-8: what is none becomes U+FFFD. */
static struct json_object *json__str(const char *str)
{
	const unsigned char *p = (const unsigned char *)str;
	struct json_object *val;
	char *fixed, *to;
	unsigned int len;

	while (*p && (len = utf8__len(p)))
		p += len;
	if (!*p)
		return json_object_new_string(str);
	fixed = malloc(3 * strlen(str) + 1);
	if (!fixed)
		return NULL;
	for (to = fixed, p = (const unsigned char *)str; *p; p += len ? len : 1) {
		len = utf8__len(p);
		memcpy(to, len ? (const char *)p : "\xef\xbf\xbd", len ? len : 3);
		to += len ? len : 3;
	}
	*to = '\0';
	val = json_object_new_string(fixed);
	free(fixed);
	return val;
}

void jobj__str(struct jobj *j, const char *key, const char *val)
{
	if (!j->err)
		jobj__add(j, key, json__str(val));
}

void jobj__bool(struct jobj *j, const char *key, bool val)
{
	if (!j->err)
		jobj__add(j, key, json_object_new_boolean(val));
}

void jobj__hex(struct jobj *j, const char *key, uint64_t val)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)val);
	jobj__str(j, key, text);
}

static void jobj__null(struct jobj *j, const char *key)
{
	if (!j->err && json_object_object_add(j->obj, key, NULL))
		j->err = -ENOMEM;
}

/* Prints it without its last @cut bytes, frees it. */
static int jobj__write(struct jobj *j, struct outbuf *o, int flags, size_t cut)
{
	const char *text = NULL;
	size_t len;

	if (!j->err) {
		text = json_object_to_json_string_length(
			j->obj, flags | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
		if (!text)
			j->err = -ENOMEM;
	}
	if (text)
		outbuf__put(o, text, len - cut);
	json_object_put(j->obj);
	j->obj = NULL;
	return j->err;
}

int jobj__print(struct jobj *j, struct outbuf *o, bool pretty)
{
	int flags = pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED :
			     JSON_C_TO_STRING_PLAIN;

	return jobj__write(j, o, flags, 0);
}

int jobj__print_open(struct jobj *j, struct outbuf *o)
{
	return jobj__write(j, o, JSON_C_TO_STRING_PLAIN, 1);
}

static void json__reg(struct jobj *j, uint16_t machine, uint32_t reg)
{
	const char *name = btf_locs__reg_name(machine, reg);

	jobj__num(j, "reg", reg);
	if (name)
		jobj__str(j, "name", name);
	else
		jobj__null(j, "name");
}

static void json__regs(struct jobj *j, const struct btf_locs_loc *loc)
{
	struct json_object *regs = j->err ? NULL : json_object_new_array();
	uint32_t nr[2] = { loc->reg, loc->reg2 };
	struct json_object *val;

	for (int i = 0; i < 2 && regs; i++) {
		val = json_object_new_int64(nr[i]);
		if (val && !json_object_array_add(regs, val))
			continue;
		json_object_put(val);
		json_object_put(regs);
		regs = NULL;
	}
	jobj__add(j, "regs", regs);
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
		json__regs(j, loc);
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
	struct jobj sub;

	if (loc->kind == BTF_LOCS_LOC_NONE) {
		jobj__null(j, "loc");
		return;
	}
	jobj__init(&sub);
	json__loc_fields(&sub, machine, loc);
	if (!j->err)
		j->err = sub.err;
	jobj__add(j, "loc", sub.obj);
}

static void json__type_of(struct jobj *j, const struct btf_locs *locs, uint32_t type)
{
	char text[1024];

	if (btf_locs__type_str(locs, type, NULL, text, sizeof(text)) < 0) {
		j->err = j->err ? j->err : -EINVAL;
		return;
	}
	jobj__str(j, "type", text);
}

static struct json_object *json__param(const struct btf_locs *locs,
				       const struct btf_locs_rec *rec, uint32_t i,
				       int *err)
{
	struct btf_locs_param param;
	struct jobj j;

	*err = btf_locs__param(locs, rec, i, &param);
	if (*err)
		return NULL;
	jobj__init(&j);
	jobj__str(&j, "name", param.name);
	json__type_of(&j, locs, param.type_id);
	print_json__loc(&j, locs->machine, &param.loc);
	*err = j.err;
	return j.obj;
}

static void json__params(struct jobj *j, const struct btf_locs *locs,
			 const struct btf_locs_rec *rec)
{
	struct json_object *array = j->err ? NULL : json_object_new_array(), *param;
	uint32_t i;
	int err = 0;

	for (i = 0; array && i < rec->nr_params && !err; i++) {
		param = json__param(locs, rec, i, &err);
		if (!err && !json_object_array_add(array, param))
			continue;
		json_object_put(param);
		err = err ? err : -ENOMEM;
	}
	if (!j->err)
		j->err = err;
	jobj__add(j, "params", array);
}

int print_json__rec(struct jobj *j, const struct btf_locs *locs,
		    const struct btf_locs_rec *rec)
{
	jobj__init(j);
	jobj__hex(j, "address", rec->address);
	jobj__str(j, "section", rec->section);
	jobj__num(j, "offset", rec->offset);
	jobj__str(j, "kind", locs_kind__str(rec->kind));
	jobj__str(j, "func", rec->func);
	jobj__num(j, "func_id", rec->func_id);
	jobj__num(j, "loc_proto_id", rec->loc_proto_id);
	jobj__bool(j, "partial", rec->partial);
	json__params(j, locs, rec);
	return j->err;
}

int print_json__locsec_rec(struct jobj *j, const struct btf_locs_rec *rec)
{
	jobj__init(j);
	jobj__num(j, "func", rec->func_id);
	jobj__str(j, "name", rec->func);
	jobj__num(j, "loc_proto", rec->loc_proto_id);
	jobj__num(j, "offset", rec->offset);
	return j->err;
}
