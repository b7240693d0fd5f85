// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print_json_type.c - types as JSON, with the names that bpftool gives its fields */
#include <errno.h>
#include <stdio.h>

#include "print_json.h"
#include "print_text.h"
#include "reader_internal.h"

struct type_json {
	struct jobj *j;
	const struct btf_locs *locs;
	const struct btf_chain *c;
	struct btf_type_view t;
};

static void json__name(struct type_json *d, struct jobj *j, uint32_t name_off)
{
	const char *name = btf_chain__str(d->c, name_off);

	jobj__str(j, "name", name && *name ? name : "(anon)");
}

static void json__int(struct type_json *d)
{
	uint32_t data = 0;

	btf_chain__word(d->c, &d->t, 0, &data);
	jobj__num(d->j, "size", d->t.size);
	jobj__num(d->j, "bits_offset", data >> 16 & 0xff);
	jobj__num(d->j, "nr_bits", data & 0xff);
	jobj__str(d->j, "encoding", btf_encoding__str(data >> 24 & 0xf));
}

static void json__array(struct type_json *d)
{
	struct btf_array_view a = { 0 };

	btf_chain__array(d->c, &d->t, &a);
	jobj__num(d->j, "type_id", a.type);
	jobj__num(d->j, "index_type_id", a.index_type);
	jobj__num(d->j, "nr_elems", a.nelems);
}

static int json__member(struct type_json *d, struct jobj *e, uint32_t i)
{
	struct btf_member_view m;
	int ret = btf_chain__member(d->c, &d->t, i, &m);

	if (ret)
		return ret;
	json__name(d, e, m.name_off);
	jobj__num(e, "type_id", m.type);
	jobj__num(e, "bits_offset", m.bit_off);
	if (m.bit_size)
		jobj__num(e, "bitfield_size", m.bit_size);
	return 0;
}

static int json__enumerator(struct type_json *d, struct jobj *e, uint32_t i)
{
	uint32_t name_off;
	uint64_t val;
	char text[24];
	int ret = btf_chain__enumerator(d->c, &d->t, i, &name_off, &val);

	if (ret)
		return ret;
	json__name(d, e, name_off);
	if (d->t.kind == BTF_K_ENUM) {
		jobj__num(e, "val", (int64_t)val);
		return 0;
	}
	snprintf(text, sizeof(text), d->t.kflag ? "%lld" : "%llu",
		 (unsigned long long)val);
	jobj__str(e, "val", text);
	return 0;
}

static int json__proto_param(struct type_json *d, struct jobj *e, uint32_t i)
{
	struct btf_param_view p;
	int ret = btf_chain__param(d->c, &d->t, i, &p);

	if (ret)
		return ret;
	json__name(d, e, p.name_off);
	jobj__num(e, "type_id", p.type);
	return 0;
}

static int json__var_info(struct type_json *d, struct jobj *e, uint32_t i)
{
	static const char *const keys[] = { "type_id", "offset", "size" };
	uint32_t word;
	int ret;

	for (uint32_t k = 0; k < 3; k++) {
		ret = btf_chain__word(d->c, &d->t, 3 * i + k, &word);
		if (ret)
			return ret;
		jobj__num(e, keys[k], word);
	}
	return 0;
}

static int json__loc_elem(struct type_json *d, struct jobj *e, uint32_t i)
{
	uint32_t id;
	int ret = btf_chain__word(d->c, &d->t, i, &id);

	if (!ret)
		jobj__num(e, "loc_param", id);
	return ret;
}

/* An array of vlen objects. */
static void json__list(struct type_json *d, const char *key,
		       int (*fill)(struct type_json *d, struct jobj *e, uint32_t i))
{
	struct json_object *array = d->j->err ? NULL : json_object_new_array();
	struct jobj e;
	uint32_t i;
	int err = 0;

	for (i = 0; array && i < d->t.vlen && !err; i++) {
		jobj__init(&e);
		err = e.err ? e.err : fill(d, &e, i);
		err = err ? err : e.err;
		if (!err && !json_object_array_add(array, e.obj))
			continue;
		json_object_put(e.obj);
		err = err ? err : -ENOMEM;
	}
	if (!d->j->err)
		d->j->err = err;
	jobj__add(d->j, key, array);
}

static void json__loc_param(struct type_json *d)
{
	uint32_t flags = 0, word, i;
	struct json_object *words, *val;
	struct btf_locs_loc loc = { 0 };

	btf_chain__word(d->c, &d->t, 0, &flags);
	jobj__num(d->j, "size", d->t.size);
	jobj__num(d->j, "flags", flags);
	words = d->j->err ? NULL : json_object_new_array();
	for (i = 0; words && i < d->t.vlen; i++) {
		val = btf_chain__word(d->c, &d->t, i + 1, &word) ?
			NULL : json_object_new_int64(word);
		if (val && !json_object_array_add(words, val))
			continue;
		json_object_put(val);
		json_object_put(words);
		words = NULL;
	}
	jobj__add(d->j, "words", words);
	loc_param__decode(d->c, &d->t, &loc, NULL);
	print_json__loc(d->j, d->locs->machine, &loc);
}

static void json__sized(struct type_json *d, const char *key,
			int (*fill)(struct type_json *d, struct jobj *e, uint32_t i))
{
	if (d->t.kind == BTF_K_ENUM || d->t.kind == BTF_K_ENUM64)
		jobj__str(d->j, "encoding", d->t.kflag ? "SIGNED" : "UNSIGNED");
	jobj__num(d->j, "size", d->t.size);
	jobj__num(d->j, "vlen", d->t.vlen);
	json__list(d, key, fill);
}

static void json__decl_tag(struct type_json *d)
{
	uint32_t component = 0;

	btf_chain__word(d->c, &d->t, 0, &component);
	jobj__num(d->j, "type_id", d->t.size);
	jobj__num(d->j, "component_idx", (int32_t)component);
}

static void json__var(struct type_json *d)
{
	uint32_t linkage = 0;

	btf_chain__word(d->c, &d->t, 0, &linkage);
	jobj__num(d->j, "type_id", d->t.size);
	jobj__str(d->j, "linkage", btf_linkage__str(linkage));
}

/* What follows id, kind and name. */
static void json__body(struct type_json *d)
{
	switch (d->t.kind) {
	case BTF_K_INT:
		return json__int(d);
	case BTF_K_ARRAY:
		return json__array(d);
	case BTF_K_STRUCT:
	case BTF_K_UNION:
		return json__sized(d, "members", json__member);
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
		return json__sized(d, "values", json__enumerator);
	case BTF_K_DATASEC:
		return json__sized(d, "vars", json__var_info);
	case BTF_K_FWD:
		return jobj__str(d->j, "fwd_kind", d->t.kflag ? "union" : "struct");
	case BTF_K_FUNC:
		jobj__num(d->j, "type_id", d->t.size);
		return jobj__str(d->j, "linkage", btf_linkage__str(d->t.vlen));
	case BTF_K_FUNC_PROTO:
		jobj__num(d->j, "ret_type_id", d->t.size);
		jobj__num(d->j, "vlen", d->t.vlen);
		return json__list(d, "params", json__proto_param);
	case BTF_K_VAR:
		return json__var(d);
	case BTF_K_FLOAT:
		return jobj__num(d->j, "size", d->t.size);
	case BTF_K_DECL_TAG:
		return json__decl_tag(d);
	case BTF_K_LOC_PARAM:
		return json__loc_param(d);
	case BTF_K_LOC_PROTO:
		jobj__num(d->j, "vlen", d->t.vlen);
		return json__list(d, "params", json__loc_elem);
	case BTF_K_LOCSEC:
		return jobj__num(d->j, "vlen", d->t.vlen);
	default:	/* PTR, TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG */
		return jobj__num(d->j, "type_id", d->t.size);
	}
}

int print_json__type(struct jobj *j, const struct btf_locs *locs, uint32_t id)
{
	struct type_json d = { .j = j, .locs = locs, .c = locs->chain };

	jobj__init(j);
	if (btf_chain__type(d.c, id, &d.t)) {
		j->err = -EINVAL;
		return j->err;
	}
	jobj__num(j, "id", id);
	jobj__str(j, "kind", btf_kind__str(d.t.kind));
	json__name(&d, j, d.t.name_off);
	json__body(&d);
	return j->err;
}
