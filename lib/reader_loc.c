// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader_loc.c - a LOC_PARAM's flags and words become one location */
#include "reader_internal.h"

enum {
	LOC_MAX_WORDS	= 3,
	LOC_MAX_VALUE	= 8,	/* bytes of a constant or of a register */
};

/* The rows of the format's table, SIGNED left out: it may stand in any of them. */
static const struct loc_form {
	uint32_t flags;
	uint8_t min_vlen;
	uint8_t max_vlen;
	enum btf_locs_loc_kind kind;
} loc_forms[] = {
	{ LOC_F_REG, 1, 2, BTF_LOCS_LOC_REG },
	{ LOC_F_REG | LOC_F_OFFSET, 2, 3, BTF_LOCS_LOC_REGOFF },
	{ LOC_F_REG | LOC_F_DEREF, 1, 1, BTF_LOCS_LOC_MEM },
	{ LOC_F_REG | LOC_F_DEREF | LOC_F_OFFSET, 2, 3, BTF_LOCS_LOC_MEM },
	{ LOC_F_CONST, 1, 2, BTF_LOCS_LOC_CONST },
	{ LOC_F_CONST | LOC_F_ADDR, 2, 3, BTF_LOCS_LOC_ADDR },
	{ LOC_F_CONST | LOC_F_ADDR | LOC_F_DEREF, 2, 3, BTF_LOCS_LOC_MEMADDR },
};

static const struct loc_form *loc_form__find(uint32_t flags)
{
	size_t i;

	for (i = 0; i < sizeof(loc_forms) / sizeof(loc_forms[0]); i++)
		if (loc_forms[i].flags == (flags & ~LOC_F_SIGNED))
			return &loc_forms[i];
	return NULL;
}

/* A value of @size bytes, 1 to 8, as 64 bits. */
static uint64_t loc_value__widen(uint64_t val, uint32_t size, bool is_signed)
{
	unsigned int shift = 64 - 8 * size;

	if (is_signed)
		return (uint64_t)((int64_t)(val << shift) >> shift);
	return val << shift >> shift;
}

/* One word is a number of 32 bits, two are low and high half. */
static uint64_t loc_words__join(const uint32_t *w, uint32_t nr, bool is_signed)
{
	if (nr > 1)
		return (uint64_t)w[1] << 32 | w[0];
	return is_signed ? (uint64_t)(int64_t)(int32_t)w[0] : w[0];
}

/* The most bytes that the value of such a location can have, 0: no bound. */
static uint32_t loc_form__max_size(const struct loc_form *form, uint32_t vlen)
{
	switch (form->kind) {
	case BTF_LOCS_LOC_MEM:
	case BTF_LOCS_LOC_MEMADDR:
		return 0;
	case BTF_LOCS_LOC_REG:
		return vlen * LOC_MAX_VALUE;
	default:
		return LOC_MAX_VALUE;
	}
}

static int loc_form__check(const struct loc_form *form, uint32_t flags,
			   const struct btf_type_view *t, struct btf_locs_err *err)
{
	uint32_t max;

	if (!form)
		return locs_err__set(err, -EBADMSG,
				     "flags 0x%x are no form of a location", flags);
	if (t->vlen < form->min_vlen || t->vlen > form->max_vlen)
		return locs_err__set(err, -EBADMSG, "%u words do not go with flags 0x%x",
				     t->vlen, flags);
	max = loc_form__max_size(form, t->vlen);
	if (!t->size || (max && t->size > max))
		return locs_err__set(err, -EBADMSG,
				     "a value of %u bytes does not go with flags 0x%x",
				     t->size, flags);
	return 0;
}

/* @w: the words behind the flags. */
static int loc__set(struct btf_locs_loc *loc, const struct btf_chain *chain,
		    const uint32_t *w, uint32_t nr, struct btf_locs_err *err)
{
	switch (loc->kind) {
	case BTF_LOCS_LOC_REG:
		loc->reg = w[0];
		if (nr == 2) {
			loc->kind = BTF_LOCS_LOC_REGS;
			loc->reg2 = w[1];
		}
		return 0;
	case BTF_LOCS_LOC_REGOFF:
	case BTF_LOCS_LOC_MEM:
		loc->reg = w[0];
		if (nr > 1)
			loc->offset = (int64_t)loc_words__join(w + 1, nr - 1, true);
		return 0;
	case BTF_LOCS_LOC_CONST:
		loc->value = loc_value__widen(loc_words__join(w, nr, loc->is_signed),
					      loc->size, loc->is_signed);
		return 0;
	default:
		loc->value = loc_words__join(w, 2, false);
		if (nr < 3)
			return 0;
		loc->section = btf_chain__str(chain, w[2]);
		if (!loc->section || !*loc->section)
			return locs_err__set(err, -EBADMSG,
					     "no section name at string offset %u", w[2]);
		return 0;
	}
}

int loc_param__decode(const struct btf_chain *chain, const struct btf_type_view *t,
		      struct btf_locs_loc *out, struct btf_locs_err *err)
{
	struct btf_locs_loc loc = { 0 };
	const struct loc_form *form;
	uint32_t flags, w[LOC_MAX_WORDS] = { 0 }, i;
	int ret;

	ret = btf_chain__word(chain, t, 0, &flags);
	if (ret)
		return locs_err__set(err, -EBADMSG, "no flags");
	form = loc_form__find(flags);
	ret = loc_form__check(form, flags, t, err);
	if (ret)
		return ret;
	for (i = 0; i < t->vlen; i++) {
		if (btf_chain__word(chain, t, i + 1, &w[i]))
			return locs_err__set(err, -EBADMSG, "word %u is missing", i);
	}
	loc.kind = form->kind;
	loc.is_signed = flags & LOC_F_SIGNED;
	loc.size = t->size;
	ret = loc__set(&loc, chain, w, t->vlen, err);
	if (!ret)
		*out = loc;
	return ret;
}
