// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print_type.c - types as lines of text, in the form of bpftool's `btf dump` */
#include <errno.h>

#include "print_text.h"
#include "reader_internal.h"

struct type_out {
	struct outbuf *o;
	const struct btf_locs *locs;
	const struct btf_chain *c;
	struct btf_type_view t;
};

/* 'name', or '(anon)' */
static void type__name(struct type_out *d, uint32_t name_off)
{
	const char *name = btf_chain__str(d->c, name_off);

	outbuf__char(d->o, '\'');
	outbuf__name(d->o, name && *name ? name : "(anon)");
	outbuf__char(d->o, '\'');
}

/* @key comes with its blank and its '='. */
static void type__num(struct type_out *d, const char *key, uint32_t val)
{
	outbuf__str(d->o, key);
	outbuf__dec(d->o, val);
}

const char *btf_linkage__str(uint32_t linkage)
{
	switch (linkage) {
	case 0:
		return "static";
	case 1:
		return "global";
	case 2:
		return "extern";
	default:
		return "(unknown)";
	}
}

const char *btf_encoding__str(uint32_t enc)
{
	switch (enc) {
	case 0:
		return "(none)";
	case BTF_ENC_SIGNED:
		return "SIGNED";
	case BTF_ENC_CHAR:
		return "CHAR";
	case BTF_ENC_BOOL:
		return "BOOL";
	default:
		return "UNKN";
	}
}

static int type__int(struct type_out *d)
{
	uint32_t data;

	if (btf_chain__word(d->c, &d->t, 0, &data))
		return -EINVAL;
	type__num(d, " size=", d->t.size);
	type__num(d, " bits_offset=", data >> 16 & 0xff);
	type__num(d, " nr_bits=", data & 0xff);
	outbuf__str(d->o, " encoding=");
	outbuf__str(d->o, btf_encoding__str(data >> 24 & 0xf));
	return 0;
}

static int type__array(struct type_out *d)
{
	struct btf_array_view a;

	if (btf_chain__array(d->c, &d->t, &a))
		return -EINVAL;
	type__num(d, " type_id=", a.type);
	type__num(d, " index_type_id=", a.index_type);
	type__num(d, " nr_elems=", a.nelems);
	return 0;
}

static int type__members(struct type_out *d)
{
	struct btf_member_view m;
	uint32_t i;

	type__num(d, " size=", d->t.size);
	type__num(d, " vlen=", d->t.vlen);
	for (i = 0; i < d->t.vlen; i++) {
		if (btf_chain__member(d->c, &d->t, i, &m))
			return -EINVAL;
		outbuf__str(d->o, "\n\t");
		type__name(d, m.name_off);
		type__num(d, " type_id=", m.type);
		type__num(d, " bits_offset=", m.bit_off);
		if (m.bit_size)
			type__num(d, " bitfield_size=", m.bit_size);
	}
	return 0;
}

static int type__enum(struct type_out *d)
{
	bool wide = d->t.kind == BTF_K_ENUM64;
	uint32_t i, name_off;
	uint64_t val;

	outbuf__str(d->o, d->t.kflag ? " encoding=SIGNED" : " encoding=UNSIGNED");
	type__num(d, " size=", d->t.size);
	type__num(d, " vlen=", d->t.vlen);
	for (i = 0; i < d->t.vlen; i++) {
		if (btf_chain__enumerator(d->c, &d->t, i, &name_off, &val))
			return -EINVAL;
		outbuf__str(d->o, "\n\t");
		type__name(d, name_off);
		outbuf__str(d->o, " val=");
		if (d->t.kflag)
			outbuf__sdec(d->o, (int64_t)val);
		else
			outbuf__dec(d->o, val);
		if (wide)
			outbuf__str(d->o, d->t.kflag ? "LL" : "ULL");
	}
	return 0;
}

static int type__proto(struct type_out *d)
{
	struct btf_param_view p;
	uint32_t i;

	type__num(d, " ret_type_id=", d->t.size);
	type__num(d, " vlen=", d->t.vlen);
	for (i = 0; i < d->t.vlen; i++) {
		if (btf_chain__param(d->c, &d->t, i, &p))
			return -EINVAL;
		outbuf__str(d->o, "\n\t");
		type__name(d, p.name_off);
		type__num(d, " type_id=", p.type);
	}
	return 0;
}

static int type__var(struct type_out *d)
{
	uint32_t linkage;

	if (btf_chain__word(d->c, &d->t, 0, &linkage))
		return -EINVAL;
	type__num(d, " type_id=", d->t.size);
	outbuf__str(d->o, ", linkage=");
	outbuf__str(d->o, btf_linkage__str(linkage));
	return 0;
}

static int type__datasec(struct type_out *d)
{
	uint32_t i, id, off, size;
	struct btf_type_view var;

	type__num(d, " size=", d->t.size);
	type__num(d, " vlen=", d->t.vlen);
	for (i = 0; i < d->t.vlen; i++) {
		if (btf_chain__word(d->c, &d->t, 3 * i, &id) ||
		    btf_chain__word(d->c, &d->t, 3 * i + 1, &off) ||
		    btf_chain__word(d->c, &d->t, 3 * i + 2, &size))
			return -EINVAL;
		type__num(d, "\n\ttype_id=", id);
		type__num(d, " offset=", off);
		type__num(d, " size=", size);
		if (btf_chain__type(d->c, id, &var))
			continue;
		outbuf__str(d->o, " (");
		outbuf__str(d->o, btf_kind__str(var.kind));
		outbuf__char(d->o, ' ');
		type__name(d, var.name_off);
		outbuf__char(d->o, ')');
	}
	return 0;
}

static int type__decl_tag(struct type_out *d)
{
	uint32_t component;

	if (btf_chain__word(d->c, &d->t, 0, &component))
		return -EINVAL;
	type__num(d, " type_id=", d->t.size);
	outbuf__str(d->o, " component_idx=");
	outbuf__sdec(d->o, (int32_t)component);
	return 0;
}

/* value='%di' */
static int type__value(struct type_out *d, const struct btf_type_view *t)
{
	struct btf_locs_loc loc;

	if (loc_param__decode(d->c, t, &loc, NULL))
		return -EINVAL;
	outbuf__str(d->o, " value='");
	print_text__loc(d->o, d->locs->machine, &loc);
	outbuf__char(d->o, '\'');
	return 0;
}

static int type__loc_param(struct type_out *d)
{
	uint32_t flags;

	if (btf_chain__word(d->c, &d->t, 0, &flags))
		return -EINVAL;
	type__num(d, " size=", d->t.size);
	outbuf__str(d->o, " flags=");
	outbuf__hex(d->o, flags);
	type__num(d, " vlen=", d->t.vlen);
	return type__value(d, &d->t);
}

static int type__loc_proto(struct type_out *d)
{
	struct btf_type_view param;
	uint32_t i, id;
	int ret;

	type__num(d, " vlen=", d->t.vlen);
	for (i = 0; i < d->t.vlen; i++) {
		if (btf_chain__word(d->c, &d->t, i, &id) ||
		    btf_chain__type(d->c, id, &param))
			return -EINVAL;
		type__num(d, "\n\tloc_param=", id);
		if (!id)
			continue;
		ret = type__value(d, &param);
		if (ret)
			return ret;
	}
	return 0;
}

static int type__locsec(struct type_out *d)
{
	uint32_t i, func, proto, offset;

	type__num(d, " vlen=", d->t.vlen);
	for (i = 0; i < d->t.vlen; i++) {
		if (btf_chain__word(d->c, &d->t, 3 * i, &func) ||
		    btf_chain__word(d->c, &d->t, 3 * i + 1, &proto) ||
		    btf_chain__word(d->c, &d->t, 3 * i + 2, &offset))
			return -EINVAL;
		type__num(d, "\n\tfunc=", func);
		outbuf__str(d->o, " '");
		outbuf__name(d->o, btf_chain__name(d->c, func));
		type__num(d, "' loc_proto=", proto);
		outbuf__str(d->o, " offset=");
		outbuf__hex(d->o, offset);
	}
	return 0;
}

/* What follows the name. */
static int type__body(struct type_out *d)
{
	switch (d->t.kind) {
	case BTF_K_INT:
		return type__int(d);
	case BTF_K_ARRAY:
		return type__array(d);
	case BTF_K_STRUCT:
	case BTF_K_UNION:
		return type__members(d);
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
		return type__enum(d);
	case BTF_K_FWD:
		outbuf__str(d->o, d->t.kflag ? " fwd_kind=union" : " fwd_kind=struct");
		return 0;
	case BTF_K_FUNC:
		type__num(d, " type_id=", d->t.size);
		outbuf__str(d->o, " linkage=");
		outbuf__str(d->o, btf_linkage__str(d->t.vlen));
		return 0;
	case BTF_K_FUNC_PROTO:
		return type__proto(d);
	case BTF_K_VAR:
		return type__var(d);
	case BTF_K_DATASEC:
		return type__datasec(d);
	case BTF_K_FLOAT:
		type__num(d, " size=", d->t.size);
		return 0;
	case BTF_K_DECL_TAG:
		return type__decl_tag(d);
	case BTF_K_LOC_PARAM:
		return type__loc_param(d);
	case BTF_K_LOC_PROTO:
		return type__loc_proto(d);
	case BTF_K_LOCSEC:
		return type__locsec(d);
	default:	/* PTR, TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG */
		type__num(d, " type_id=", d->t.size);
		return 0;
	}
}

int print_text__type(struct outbuf *o, const struct btf_locs *locs, uint32_t id)
{
	struct type_out d = { .o = o, .locs = locs, .c = locs->chain };
	int ret;

	if (btf_chain__type(d.c, id, &d.t))
		return -EINVAL;
	outbuf__char(o, '[');
	outbuf__dec(o, id);
	outbuf__str(o, "] ");
	outbuf__str(o, btf_kind__str(d.t.kind));
	outbuf__char(o, ' ');
	type__name(&d, d.t.name_off);
	ret = type__body(&d);
	outbuf__char(o, '\n');
	return ret;
}
