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

static int json__int(struct type_json *d)
{
	uint32_t data;

	if (btf_chain__word(d->c, &d->t, 0, &data))
		return -EINVAL;
	jobj__num(d->j, "size", d->t.size);
	jobj__num(d->j, "bits_offset", data >> 16 & 0xff);
	jobj__num(d->j, "nr_bits", data & 0xff);
	jobj__str(d->j, "encoding", btf_encoding__str(data >> 24 & 0xf));
	return 0;
}

static int json__array(struct type_json *d)
{
	struct btf_array_view a;

	if (btf_chain__array(d->c, &d->t, &a))
		return -EINVAL;
	jobj__num(d->j, "type_id", a.type);
	jobj__num(d->j, "index_type_id", a.index_type);
	jobj__num(d->j, "nr_elems", a.nelems);
	return 0;
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
static int json__list(struct type_json *d, const char *key,
		      int (*fill)(struct type_json *d, struct jobj *e, uint32_t i))
{
	uint32_t i;
	int ret = 0;

	jobj__array(d->j, key);
	for (i = 0; i < d->t.vlen && !ret; i++) {
		jobj__object(d->j, NULL);
		ret = fill(d, d->j, i);
		jobj__object_end(d->j);
	}
	jobj__array_end(d->j);
	return ret;
}

static int json__loc_param(struct type_json *d)
{
	struct btf_locs_loc loc;
	uint32_t flags, word, i;

	if (btf_chain__word(d->c, &d->t, 0, &flags) ||
	    loc_param__decode(d->c, &d->t, &loc, NULL))
		return -EINVAL;
	jobj__num(d->j, "size", d->t.size);
	jobj__num(d->j, "flags", flags);
	jobj__array(d->j, "words");
	for (i = 0; i < d->t.vlen && !btf_chain__word(d->c, &d->t, i + 1, &word); i++)
		jobj__num(d->j, NULL, word);
	jobj__array_end(d->j);
	print_json__loc(d->j, d->locs->machine, &loc);
	return i < d->t.vlen ? -EINVAL : 0;
}

static int json__sized(struct type_json *d, const char *key,
		       int (*fill)(struct type_json *d, struct jobj *e, uint32_t i))
{
	if (d->t.kind == BTF_K_ENUM || d->t.kind == BTF_K_ENUM64)
		jobj__str(d->j, "encoding", d->t.kflag ? "SIGNED" : "UNSIGNED");
	jobj__num(d->j, "size", d->t.size);
	jobj__num(d->j, "vlen", d->t.vlen);
	return json__list(d, key, fill);
}

static int json__decl_tag(struct type_json *d)
{
	uint32_t component;

	if (btf_chain__word(d->c, &d->t, 0, &component))
		return -EINVAL;
	jobj__num(d->j, "type_id", d->t.size);
	jobj__num(d->j, "component_idx", (int32_t)component);
	return 0;
}

static int json__var(struct type_json *d)
{
	uint32_t linkage;

	if (btf_chain__word(d->c, &d->t, 0, &linkage))
		return -EINVAL;
	jobj__num(d->j, "type_id", d->t.size);
	jobj__str(d->j, "linkage", btf_linkage__str(linkage));
	return 0;
}

/* What follows id, kind and name. */
static int json__body(struct type_json *d)
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
		jobj__str(d->j, "fwd_kind", d->t.kflag ? "union" : "struct");
		return 0;
	case BTF_K_FUNC:
		jobj__num(d->j, "type_id", d->t.size);
		jobj__str(d->j, "linkage", btf_linkage__str(d->t.vlen));
		return 0;
	case BTF_K_FUNC_PROTO:
		jobj__num(d->j, "ret_type_id", d->t.size);
		jobj__num(d->j, "vlen", d->t.vlen);
		return json__list(d, "params", json__proto_param);
	case BTF_K_VAR:
		return json__var(d);
	case BTF_K_FLOAT:
		jobj__num(d->j, "size", d->t.size);
		return 0;
	case BTF_K_DECL_TAG:
		return json__decl_tag(d);
	case BTF_K_LOC_PARAM:
		return json__loc_param(d);
	case BTF_K_LOC_PROTO:
		jobj__num(d->j, "vlen", d->t.vlen);
		return json__list(d, "params", json__loc_elem);
	case BTF_K_LOCSEC:
		jobj__num(d->j, "vlen", d->t.vlen);
		return 0;
	default:	/* PTR, TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG */
		jobj__num(d->j, "type_id", d->t.size);
		return 0;
	}
}

/* All but the last '}'. */
static int json__type(struct jobj *j, const struct btf_locs *locs, uint32_t id)
{
	struct type_json d = { .j = j, .locs = locs, .c = locs->chain };

	if (btf_chain__type(d.c, id, &d.t))
		return -EINVAL;
	jobj__num(j, "id", id);
	jobj__str(j, "kind", btf_kind__str(d.t.kind));
	json__name(&d, j, d.t.name_off);
	return json__body(&d);
}

int print_json__type(struct outbuf *o, const struct btf_locs *locs, uint32_t id, bool pretty)
{
	struct jobj j;
	int ret;

	jobj__begin(&j, o, pretty);
	ret = json__type(&j, locs, id);
	jobj__end(&j);
	return ret;
}

int print_json__type_open(struct outbuf *o, const struct btf_locs *locs, uint32_t id)
{
	struct jobj j;

	jobj__begin(&j, o, false);
	return json__type(&j, locs, id);
}
