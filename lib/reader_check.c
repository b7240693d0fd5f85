// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * reader_check.c - what a section must fulfil beyond being sound BTF
 *
 * btf_chain__add() has seen to sizes, kinds, ids and strings. Here: the forms of
 * LOC_PARAM, the elements of LOC_PROTO, the records of LOCSEC.
 */
#include <stdlib.h>

#include "btf_decl.h"
#include "locsec_name.h"
#include "reader_internal.h"

/* "type 17 (LOC_PROTO 'x') at 0x1234: " and what is wrong with it. */
static int type__bad(const struct btf_locs *locs, const struct btf_type_view *t, int ret,
		     const struct btf_locs_err *why, struct btf_locs_err *err)
{
	const char *name = btf_chain__str(locs->chain, t->name_off);
	bool named = name && *name;

	return locs_err__set(err, ret, "type %u (%s%s%.40s%s) at 0x%zx: %.120s", t->id,
			     btf_kind__str(t->kind), named ? " '" : "",
			     named ? name : "", named ? "'" : "",
			     (size_t)(t->data - locs->data) - LOCS_BTF_TYPE_SIZE,
			     why->text);
}

/* What @id may be named for: see btf_locs.ids. */
static uint32_t id__class(const struct btf_locs *locs, uint32_t id)
{
	struct btf_type_view t, proto;
	struct btf_param_view last;
	uint32_t nr;

	if (btf_chain__type(locs->chain, id, &t))
		return LOCS_ID_OTHER;
	/* what a base may have of these kinds is not checked, and nothing here is made of it */
	if (t.kind >= BTF_K_LOC_PARAM && id < locs->first_type)
		return LOCS_ID_OTHER;
	if (t.kind == BTF_K_LOC_PROTO)
		return LOCS_ID_PROTO | t.vlen;
	if (t.kind == BTF_K_LOC_PARAM)
		return LOCS_ID_PARAM;
	if (t.kind != BTF_K_FUNC || btf_chain__type(locs->chain, t.size, &proto) ||
	    proto.kind != BTF_K_FUNC_PROTO)
		return LOCS_ID_OTHER;
	nr = proto.vlen;
	/* an unnamed void at the end stands for "..." */
	if (nr && !btf_chain__param(locs->chain, &proto, nr - 1, &last) && !last.type &&
	    !last.name_off)
		nr--;
	return LOCS_ID_FUNC | nr;
}

/* The same, worked out once for each id: a kernel's 100,000 are named a million times. */
static uint32_t id__look(struct btf_locs *locs, uint32_t id)
{
	if (id >= locs->nr_types)
		return LOCS_ID_OTHER;
	locs->ids[id] = id__class(locs, id);
	return locs->ids[id];
}

static inline uint32_t id__seen(struct btf_locs *locs, uint32_t id)
{
	return id < locs->nr_types && locs->ids[id] ? locs->ids[id] : id__look(locs, id);
}

static int check__loc_param(const struct btf_locs *locs, const struct btf_type_view *t,
			    struct btf_locs_err *err)
{
	struct btf_locs_loc loc;

	if (t->name_off)
		return locs_err__set(err, -EBADMSG, "has a name");
	return loc_param__decode(locs->chain, t, &loc, err);
}

/* What element @i of a LOC_PROTO names, @id, which is no LOC_PARAM. */
static int loc_proto__bad_elem(const struct btf_locs *locs, uint32_t i, uint32_t id,
			       struct btf_locs_err *err)
{
	struct btf_type_view t;

	if (btf_chain__type(locs->chain, id, &t))
		return locs_err__set(err, -EBADMSG, "element %u names type %u of %u", i,
				     id, locs->nr_types);
	return locs_err__set(err, -EBADMSG, "element %u names type %u, a %s", i, id,
			     btf_kind__str(t.kind));
}

static int check__loc_proto(struct btf_locs *locs, const struct btf_type_view *t,
			    struct btf_locs_err *err)
{
	uint32_t i, id;

	if (t->name_off)
		return locs_err__set(err, -EBADMSG, "has a name");
	if (t->size)
		return locs_err__set(err, -EBADMSG, "has a size, %u", t->size);
	for (i = 0; i < t->vlen; i++) {
		if (btf_chain__word(locs->chain, t, i, &id))
			return locs_err__set(err, -EBADMSG, "element %u is missing", i);
		if (id && !(id__seen(locs, id) & LOCS_ID_PARAM))
			return loc_proto__bad_elem(locs, i, id, err);
	}
	return 0;
}

/* Parameter @i of @func is of @type, and @bad, which that is or is made of, is no value's. */
static int param__bad(const struct btf_locs *locs, uint32_t func, uint32_t i, uint32_t type,
		      uint32_t bad, struct btf_locs_err *err)
{
	struct btf_type_view t = { 0 };

	btf_chain__type(locs->chain, bad, &t);
	return locs_err__set(err, -EBADMSG,
			     "parameter %u of '%.60s' is of type %u, %s %s: no type of a value", i,
			     btf_chain__name(locs->chain, func), type,
			     bad == type ? "a" : "made of a", btf_kind__str(t.kind));
}

/* Whether the parameters of FUNC @func can be written as C has them. */
static int check__params(struct btf_locs *locs, uint32_t func, struct btf_locs_err *err)
{
	struct btf_type_view f, proto;
	uint32_t i, bad = 0;
	struct btf_param_view p;

	if (btf_chain__type(locs->chain, func, &f) || btf_chain__type(locs->chain, f.size, &proto))
		return locs_err__set(err, -EBADMSG, "func %u cannot be read", func);
	for (i = 0; i < (locs->ids[func] & LOCS_ID_NR); i++) {
		if (btf_chain__param(locs->chain, &proto, i, &p))
			return locs_err__set(err, -EBADMSG, "func %u: parameter %u is missing",
					     func, i);
		if (!p.type || id__seen(locs, p.type) & LOCS_ID_SOUND)
			continue;
		if (btf_decl__check(locs->chain, p.type, &bad))
			return param__bad(locs, func, i, p.type, bad, err);
		locs->ids[p.type] |= LOCS_ID_SOUND;
	}
	locs->ids[func] |= LOCS_ID_SOUND;
	return 0;
}

static int check__rec_ids(struct btf_locs *locs, uint32_t func, uint32_t proto,
			  struct btf_locs_err *err)
{
	uint32_t f = id__seen(locs, func), p;
	int ret;

	if (!(f & LOCS_ID_FUNC))
		return locs_err__set(err, -EBADMSG, "func %u is no FUNC", func);
	if (!(f & LOCS_ID_SOUND)) {
		ret = check__params(locs, func, err);
		if (ret)
			return ret;
	}
	if (!proto)
		return 0;
	p = id__seen(locs, proto);
	if (!(p & LOCS_ID_PROTO))
		return locs_err__set(err, -EBADMSG, "loc_proto %u is no LOC_PROTO",
				     proto);
	if ((f & LOCS_ID_NR) != (p & LOCS_ID_NR))
		return locs_err__set(err, -EBADMSG,
				     "loc_proto %u has %u elements, "
				     "'%.60s' %u parameters", proto, p & LOCS_ID_NR,
				     btf_chain__name(locs->chain, func), f & LOCS_ID_NR);
	return 0;
}

static int check__recs(struct btf_locs *locs, const struct locs_sec *sec,
		       struct btf_locs_err *err)
{
	uint32_t i, offset, last = 0;
	struct btf_locs_err why;
	int ret;

	for (i = 0; i < sec->pub.nr_recs; i++) {
		offset = locs_rec__word(locs, sec, i, 2);
		if (offset < last)
			return locs_err__set(err, -EBADMSG,
					     "record %u: offset 0x%x comes after 0x%x", i,
					     offset, last);
		if (sec->pub.size && offset > sec->pub.size)
			return locs_err__set(err, -EBADMSG,
					     "record %u: offset 0x%x, "
					     "the section has 0x%llx", i, offset,
					     (unsigned long long)sec->pub.size);
		ret = check__rec_ids(locs, locs_rec__word(locs, sec, i, 0),
				     locs_rec__word(locs, sec, i, 1), &why);
		if (ret)
			return locs_err__set(err, ret, "record %u: %.160s", i, why.text);
		last = offset;
	}
	return 0;
}

/* Room for one more LOCSEC, all zero; not counted yet. NULL: no memory. */
static struct locs_sec *secs__room(struct btf_locs *locs)
{
	uint32_t cap = locs->cap_secs;
	struct locs_sec *secs;

	if (locs->nr_secs == cap) {
		/* a LOCSEC has 12 bytes at least: this does not pass 32 bits */
		cap = cap + cap / 2 + 8;
		secs = reallocarray(locs->secs, cap, sizeof(*secs));
		if (!secs)
			return NULL;
		locs->secs = secs;
		locs->cap_secs = cap;
	}
	secs = &locs->secs[locs->nr_secs];
	memset(secs, 0, sizeof(*secs));
	return secs;
}

static int check__locsec(struct btf_locs *locs, const struct btf_type_view *t,
			 struct btf_locs_err *err)
{
	const char *name = btf_chain__str(locs->chain, t->name_off);
	struct locs_sec *sec = secs__room(locs);
	struct btf_locs_sec *pub;
	int ret;

	if (!sec)
		return locs_err__set(err, -ENOMEM, "out of memory");
	pub = &sec->pub;
	pub->type_id = t->id;
	pub->nr_recs = t->vlen;
	pub->name = name ? locsec_name__parse(name, &pub->kind) : "";
	if (!*pub->name)
		return locs_err__set(err, -EBADMSG, "names no section");
	if (t->data_size / LOCSEC_REC_SIZE < t->vlen)
		return locs_err__set(err, -EBADMSG, "its records are cut off");
	sec->recs = t->data;
	ret = locs_keys__sec(locs, pub->name, &pub->address, &pub->size, err);
	if (!ret)
		ret = check__recs(locs, sec, err);
	if (!ret)
		locs->nr_secs++;
	return ret;
}

static int check__type(struct btf_locs *locs, const struct btf_type_view *t,
		       struct btf_locs_err *err)
{
	if (t->kind < BTF_K_LOC_PARAM)
		return 0;
	if (t->kflag)
		return locs_err__set(err, -EBADMSG, "has the kind flag set");
	switch (t->kind) {
	case BTF_K_LOC_PARAM:
		return check__loc_param(locs, t, err);
	case BTF_K_LOC_PROTO:
		return check__loc_proto(locs, t, err);
	case BTF_K_LOCSEC:
		return check__locsec(locs, t, err);
	default:
		return locs_err__set(err, -EBADMSG, "is of kind %u, which is not known",
				     t->kind);
	}
}

int btf_locs__check(struct btf_locs *locs, struct btf_locs_err *err)
{
	struct btf_locs_err why = { "" };
	struct btf_type_view t;
	uint32_t id;
	int ret;

	locs->ids = calloc(locs->nr_types, sizeof(*locs->ids));
	if (!locs->ids)
		return locs_err__set(err, -ENOMEM, "out of memory");
	for (id = locs->first_type; id < locs->nr_types; id++) {
		ret = btf_chain__type(locs->chain, id, &t);
		if (ret)
			return locs_err__set(err, -EBADMSG, "type %u cannot be read", id);
		ret = check__type(locs, &t, &why);
		if (ret)
			return type__bad(locs, &t, ret, &why, err);
	}
	return 0;
}
