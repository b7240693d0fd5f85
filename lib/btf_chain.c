// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* btf_chain.c - a chain's levels, and views of its types, elements and strings */
#include "btf_chain_internal.h"

#include <stdlib.h>
#include <zlib.h>

struct btf_chain *btf_chain__new(void)
{
	struct btf_chain *c = calloc(1, sizeof(*c));

	if (c) {
		c->nr_types = 1;
		c->str_size = 1;
	}
	return c;
}

struct btf_chain *btf_chain__new_on(const struct btf_chain *below)
{
	struct btf_chain *c = btf_chain__new();

	if (!c)
		return NULL;
	c->levels = calloc(below->nr_levels + 1, sizeof(*c->levels));
	if (!c->levels) {
		free(c);
		return NULL;
	}
	if (below->nr_levels)
		memcpy(c->levels, below->levels, below->nr_levels * sizeof(*c->levels));
	c->below = below;
	c->nr_levels = below->nr_levels;
	c->nr_types = below->nr_types;
	c->str_size = below->str_size;
	c->big = below->big;
	c->distilled = below->distilled;
	return c;
}

void btf_chain__free(struct btf_chain *c)
{
	uint32_t i;

	if (!c)
		return;
	btf_chain__drop_index(c);
	for (i = chain__first_own(c); i < c->nr_levels; i++)
		free(c->levels[i].offs);
	free(c->levels);
	free(c);
}

/* The string table of a level that is to stand on @c. */
static int level__check_strs(const struct btf_chain *c, const struct btf_level *l,
			     uint32_t off, struct btf_locs_err *err)
{
	if (!c->nr_levels && (!l->str_size || l->strs[0]))
		return locs_err__set(err, -EBADMSG,
				     "string table at 0x%x: does not begin "
				     "with an empty string, as a base does (is it split "
				     "BTF, without its base?)",
				     off);
	if (l->str_size && l->strs[l->str_size - 1])
		return locs_err__set(err, -EBADMSG,
				     "string table at 0x%x: its last string has no end",
				     off);
	if (l->str_size > UINT32_MAX - l->first_str)
		return locs_err__set(err, -EBADMSG,
				     "string table at 0x%x: offsets pass 32 bits", off);
	return 0;
}

/* Puts @l on top; @c->levels has room for it. */
static void chain__push(struct btf_chain *c, const struct btf_level *l)
{
	c->levels[c->nr_levels++] = *l;
	c->nr_types = l->first_type + l->nr_types;
	c->str_size = l->first_str + l->str_size;
}

static void chain__pop(struct btf_chain *c)
{
	const struct btf_level *l = &c->levels[--c->nr_levels];

	c->nr_types = l->first_type;
	c->str_size = c->nr_levels ? l->first_str : 1;
}

int btf_chain__add(struct btf_chain *c, const void *data, size_t size, bool locs,
		   struct btf_locs_err *err)
{
	struct btf_level l = { 0 }, *levels;
	bool old_big = c->big;
	struct btf_parts p;
	int ret;

	ret = btf_parts__read(&p, data, size, err);
	if (ret)
		return ret;
	if (c->nr_levels && p.big != c->big)
		return locs_err__set(err, -EINVAL, "%s-endian BTF on a %s-endian base",
				     p.big ? "big" : "little", c->big ? "big" : "little");
	l.types = (const uint8_t *)data + p.types_off;
	l.strs = (const char *)data + p.strs_off;
	l.types_off = p.types_off;
	l.types_size = p.types_size;
	l.str_size = p.strs_size;
	l.first_type = c->nr_types;
	l.first_str = c->nr_levels ? c->str_size : 0;
	ret = level__check_strs(c, &l, p.strs_off, err);
	if (ret)
		return ret;
	levels = realloc(c->levels, (c->nr_levels + 1) * sizeof(*levels));
	if (!levels)
		return locs_err__set(err, -ENOMEM, "out of memory");
	c->levels = levels;
	ret = btf_level__walk(&l, &p, data, locs, err);
	if (ret)
		goto out_free;
	c->big = p.big;
	chain__push(c, &l);
	ret = btf_level__check(c, locs, err);
	if (ret) {
		chain__pop(c);
		c->big = old_big;
		goto out_free;
	}
	btf_chain__drop_index(c);
	return 0;
out_free:
	free(l.offs);
	return ret;
}

void btf_chain__set_distilled(struct btf_chain *c)
{
	c->distilled = true;
}

bool btf_chain__is_distilled(const struct btf_chain *c)
{
	return c->distilled;
}

int btf_blob__is_split(const void *data, size_t size)
{
	struct btf_parts p;
	int ret = btf_parts__read(&p, data, size, NULL);

	if (ret)
		return ret;
	return !p.strs_size || ((const uint8_t *)data)[p.strs_off] != 0;
}

bool btf_chain__big(const struct btf_chain *c)
{
	return c->big;
}

uint32_t btf_chain__nr_levels(const struct btf_chain *c)
{
	return c->nr_levels;
}

uint32_t btf_chain__nr_types(const struct btf_chain *c)
{
	return c->nr_types;
}

uint32_t btf_chain__str_size(const struct btf_chain *c)
{
	return c->str_size;
}

uint32_t btf_level__crc32(const struct btf_level *l)
{
	uLong crc = crc32(0, Z_NULL, 0);

	if (l->has_crc)
		return l->crc32;
	/* a length of 0 is no different from not being asked, for zlib */
	if (l->types_size)
		crc = crc32(crc, l->types, l->types_size);
	if (l->str_size)
		crc = crc32(crc, (const Bytef *)l->strs, l->str_size);
	return crc;
}

int btf_chain__level(const struct btf_chain *c, uint32_t level,
		     struct btf_level_info *out)
{
	const struct btf_level *l;

	if (level >= c->nr_levels)
		return -ERANGE;
	l = &c->levels[level];
	*out = (struct btf_level_info) {
		.first_type = l->first_type,
		.nr_types = l->nr_types,
		.first_str = l->first_str,
		.str_size = l->str_size,
		.types = l->types,
		.types_size = l->types_size,
		.strs = l->strs,
		.crc32 = btf_level__crc32(l),
	};
	return 0;
}

int btf_chain__below(const struct btf_chain *c, uint32_t level, struct btf_below_info *out)
{
	struct btf_below_info below = { .crc32 = crc32(0, Z_NULL, 0) };
	const struct btf_level *l;
	uint32_t i;

	if (level >= c->nr_levels)
		return -ERANGE;
	for (i = 0; i < level; i++) {
		l = &c->levels[i];
		below.nr_types += l->nr_types;
		below.str_size += l->str_size;
		below.crc32 = crc32_combine(below.crc32, btf_level__crc32(l),
					    (z_off_t)l->types_size + l->str_size);
	}
	*out = below;
	return 0;
}

int btf_chain__type(const struct btf_chain *c, uint32_t id, struct btf_type_view *out)
{
	const uint8_t *p, *end;
	uint32_t info;

	if (id >= c->nr_types)
		return -ERANGE;
	if (!id) {
		memset(out, 0, sizeof(*out));
		return 0;
	}
	p = chain__head(c, id, &end);
	info = chain__u32(c, p + 4);
	out->id = id;
	out->name_off = chain__u32(c, p);
	out->kind = LOCS_INFO_KIND(info);
	out->vlen = LOCS_INFO_VLEN(info);
	out->kflag = LOCS_INFO_KFLAG(info);
	out->size = chain__u32(c, p + 8);
	out->data = p + LOCS_BTF_TYPE_SIZE;
	out->data_size = end - out->data;
	return 0;
}

const char *btf_chain__str(const struct btf_chain *c, uint32_t off)
{
	const struct btf_level *l;

	if (off >= c->str_size)
		return NULL;
	if (!c->nr_levels)
		return "";
	l = &c->levels[c->nr_levels - 1];
	while (off < l->first_str)
		l--;
	return l->strs + (off - l->first_str);
}

const char *btf_chain__name(const struct btf_chain *c, uint32_t id)
{
	const char *s;

	if (!id || id >= c->nr_types)
		return "";
	s = btf_chain__str(c, chain__u32(c, chain__head(c, id, NULL)));
	return s ? s : "";
}

/* The @i'th element of @size bytes, of a type of one of two kinds. */
static int view__elem(const struct btf_type_view *t, uint32_t kind, uint32_t kind2,
		      uint32_t i, uint32_t size, const uint8_t **out)
{
	if (t->kind != kind && t->kind != kind2)
		return -EINVAL;
	if (i >= t->vlen || ((uint64_t)i + 1) * size > t->data_size)
		return -ERANGE;
	*out = t->data + (size_t)i * size;
	return 0;
}

int btf_chain__member(const struct btf_chain *c, const struct btf_type_view *t,
		      uint32_t i, struct btf_member_view *out)
{
	const uint8_t *p;
	uint32_t off;
	int ret = view__elem(t, BTF_K_STRUCT, BTF_K_UNION, i, 12, &p);

	if (ret)
		return ret;
	off = chain__u32(c, p + 8);
	out->name_off = chain__u32(c, p);
	out->type = chain__u32(c, p + 4);
	out->bit_off = t->kflag ? off & 0xffffff : off;
	out->bit_size = t->kflag ? off >> 24 : 0;
	return 0;
}

int btf_chain__param(const struct btf_chain *c, const struct btf_type_view *t,
		     uint32_t i, struct btf_param_view *out)
{
	const uint8_t *p;
	int ret = view__elem(t, BTF_K_FUNC_PROTO, BTF_K_FUNC_PROTO, i, 8, &p);

	if (ret)
		return ret;
	out->name_off = chain__u32(c, p);
	out->type = chain__u32(c, p + 4);
	return 0;
}

int btf_chain__array(const struct btf_chain *c, const struct btf_type_view *t,
		     struct btf_array_view *out)
{
	if (t->kind != BTF_K_ARRAY)
		return -EINVAL;
	if (t->data_size < 12)
		return -ERANGE;
	out->type = chain__u32(c, t->data);
	out->index_type = chain__u32(c, t->data + 4);
	out->nelems = chain__u32(c, t->data + 8);
	return 0;
}

int btf_chain__enumerator(const struct btf_chain *c, const struct btf_type_view *t,
			  uint32_t i, uint32_t *name_off, uint64_t *val)
{
	bool wide = t->kind == BTF_K_ENUM64;
	const uint8_t *p;
	uint64_t v;
	int ret = view__elem(t, BTF_K_ENUM, BTF_K_ENUM64, i, wide ? 12 : 8, &p);

	if (ret)
		return ret;
	v = chain__u32(c, p + 4);
	if (wide)
		v |= (uint64_t)chain__u32(c, p + 8) << 32;
	else if (t->kflag && v >> 31)
		v |= UINT64_C(0xffffffff) << 32;
	*name_off = chain__u32(c, p);
	*val = v;
	return 0;
}

int btf_chain__word(const struct btf_chain *c, const struct btf_type_view *t,
		    uint32_t i, uint32_t *out)
{
	if (((uint64_t)i + 1) * 4 > t->data_size)
		return -ERANGE;
	*out = chain__u32(c, t->data + (size_t)i * 4);
	return 0;
}

const char *btf_kind__str(uint32_t kind)
{
	static const char names[][11] = {
		"VOID", "INT", "PTR", "ARRAY", "STRUCT", "UNION", "ENUM", "FWD",
		"TYPEDEF", "VOLATILE", "CONST", "RESTRICT", "FUNC", "FUNC_PROTO",
		"VAR", "DATASEC", "FLOAT", "DECL_TAG", "TYPE_TAG", "ENUM64",
		"LOC_PARAM", "LOC_PROTO", "LOCSEC",
	};

	_Static_assert(sizeof(names) / sizeof(names[0]) == BTF_K_NR, "a name a kind");
	return kind < BTF_K_NR ? names[kind] : "UNKNOWN";
}
