// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* btf_chain_walk.c - where a blob's parts are, and each of its types */
#include "btf_chain_internal.h"

#include <stdlib.h>

static int bad_header(struct btf_locs_err *err, const char *what)
{
	return locs_err__set(err, -EBADMSG, "BTF header: %s", what);
}

/* Checks that a part lies inside the blob; @off: from the header's end, made absolute. */
static int part__place(const char *what, uint32_t hdr_len, size_t blob_size,
		       uint32_t *off, uint32_t size, struct btf_locs_err *err)
{
	uint64_t start = (uint64_t)hdr_len + *off;

	if (start + size > blob_size || start > UINT32_MAX)
		return locs_err__set(
			err, -EBADMSG,
			"BTF header: %s at 0x%llx, 0x%x bytes, passes the end "
			"at 0x%zx",
			what, (unsigned long long)start, size, blob_size);
	*off = start;
	return 0;
}

static bool overlap(uint32_t a, uint32_t a_size, uint32_t b, uint32_t b_size)
{
	return a_size && b_size && a < (uint64_t)b + b_size && b < (uint64_t)a + a_size;
}

/* Reads the words of the header; offsets are still from the header's end. */
static int header__read(struct btf_parts *p, const void *data, size_t size,
			uint32_t *hdr_len, struct btf_locs_err *err)
{
	uint8_t version, flags;
	uint16_t magic;
	struct cursor c;

	cursor__init(&c, data, size, false);
	if (cursor__u16(&c, &magic))
		return bad_header(err, "cut off");
	if (magic == __builtin_bswap16(LOCS_BTF_MAGIC))
		c.big = true;
	else if (magic != LOCS_BTF_MAGIC)
		return locs_err__set(err, -EBADMSG,
				     "not BTF: it begins with 0x%02x 0x%02x",
				     magic & 0xff, magic >> 8);
	if (cursor__u8(&c, &version) || cursor__u8(&c, &flags) ||
	    cursor__u32(&c, hdr_len))
		return bad_header(err, "cut off");
	if (version != LOCS_BTF_VERSION)
		return locs_err__set(err, -EBADMSG, "BTF header: version %u, not %u",
				     version, LOCS_BTF_VERSION);
	if (*hdr_len < LOCS_BTF_HDR_MIN || *hdr_len > size)
		return locs_err__set(err, -EBADMSG, "BTF header: length %u of %zu bytes",
				     *hdr_len, size);
	p->big = c.big;
	p->layout_off = p->layout_size = 0;
	if (cursor__u32(&c, &p->types_off) || cursor__u32(&c, &p->types_size) ||
	    cursor__u32(&c, &p->strs_off) || cursor__u32(&c, &p->strs_size) ||
	    (*hdr_len >= LOCS_BTF_HDR_LAYOUT &&
	     (cursor__u32(&c, &p->layout_off) || cursor__u32(&c, &p->layout_size))))
		return bad_header(err, "cut off");
	return 0;
}

int btf_parts__read(struct btf_parts *out, const void *data, size_t size,
		    struct btf_locs_err *err)
{
	struct btf_parts p;
	uint32_t hdr_len = 0;
	int ret;

	ret = header__read(&p, data, size, &hdr_len, err);
	if (ret)
		return ret;
	ret = part__place("types", hdr_len, size, &p.types_off, p.types_size, err);
	if (!ret)
		ret = part__place("strings", hdr_len, size, &p.strs_off, p.strs_size,
				  err);
	if (!ret)
		ret = part__place("layout", hdr_len, size, &p.layout_off, p.layout_size,
				  err);
	if (ret)
		return ret;
	if (p.types_off % 4)
		return bad_header(err, "types are not aligned to 4");
	if (p.layout_size % LOCS_LAYOUT_SIZE)
		return bad_header(err, "layout is not whole");
	if (overlap(p.types_off, p.types_size, p.strs_off, p.strs_size))
		return bad_header(err, "types and strings overlap");
	if (overlap(p.types_off, p.types_size, p.layout_off, p.layout_size))
		return bad_header(err, "types and layout overlap");
	if (overlap(p.layout_off, p.layout_size, p.strs_off, p.strs_size))
		return bad_header(err, "layout and strings overlap");
	*out = p;
	return 0;
}

/* Bytes behind a type's 12, and bytes an element (of which there are vlen). */
struct kind_size {
	uint8_t fixed;
	uint8_t elem;
	bool known;
};

/* What the layout section says of a kind. */
static struct kind_size layout__kind(const struct btf_parts *p, const uint8_t *data,
				     uint32_t kind)
{
	struct kind_size s = { 0 };
	const uint8_t *e;

	if (kind < p->layout_size / LOCS_LAYOUT_SIZE) {
		e = data + p->layout_off + kind * LOCS_LAYOUT_SIZE;
		s.fixed = e[0];
		s.elem = e[1];
		s.known = true;
	}
	return s;
}

/* The sizes of all kinds that 7 bits can tell. */
static void sizes__init(struct kind_size *sizes, const struct btf_parts *p,
			const uint8_t *data, bool locs)
{
	static const struct kind_size ours[BTF_K_NR] = {
		[BTF_K_INT]		= { 4, 0, true },
		[BTF_K_PTR]		= { 0, 0, true },
		[BTF_K_ARRAY]		= { 12, 0, true },
		[BTF_K_STRUCT]		= { 0, 12, true },
		[BTF_K_UNION]		= { 0, 12, true },
		[BTF_K_ENUM]		= { 0, 8, true },
		[BTF_K_FWD]		= { 0, 0, true },
		[BTF_K_TYPEDEF]		= { 0, 0, true },
		[BTF_K_VOLATILE]	= { 0, 0, true },
		[BTF_K_CONST]		= { 0, 0, true },
		[BTF_K_RESTRICT]	= { 0, 0, true },
		/* a FUNC's vlen is its linkage */
		[BTF_K_FUNC]		= { 0, 0, true },
		[BTF_K_FUNC_PROTO]	= { 0, 8, true },
		[BTF_K_VAR]		= { 4, 0, true },
		[BTF_K_DATASEC]		= { 0, 12, true },
		[BTF_K_FLOAT]		= { 0, 0, true },
		[BTF_K_DECL_TAG]	= { 4, 0, true },
		[BTF_K_TYPE_TAG]	= { 0, 0, true },
		[BTF_K_ENUM64]		= { 0, 12, true },
		[BTF_K_LOC_PARAM]	= { 4, 4, true },
		[BTF_K_LOC_PROTO]	= { 0, 4, true },
		[BTF_K_LOCSEC]		= { 0, 12, true },
	};
	uint32_t kind, nr_ours = locs ? BTF_K_NR : BTF_K_LOC_PARAM;

	memset(&sizes[0], 0, sizeof(sizes[0]));
	for (kind = 1; kind < 128; kind++)
		sizes[kind] = kind < nr_ours ? ours[kind] : layout__kind(p, data, kind);
}

/* One offset more; @cap grows. */
static int offs__push(uint32_t **offs, uint32_t *cap, uint32_t nr, uint32_t off)
{
	uint32_t *more;

	if (nr == *cap) {
		/* nr is at most a twelfth of 2^32 */
		*cap = *cap + *cap / 2 + 64;
		more = realloc(*offs, (size_t)*cap * sizeof(*more));
		if (!more)
			return -ENOMEM;
		*offs = more;
	}
	(*offs)[nr] = off;
	return 0;
}

/* The bytes of the type at @off, or -EBADMSG. */
static int64_t type__size(const struct btf_level *l, const struct kind_size *sizes,
			  bool big, uint32_t off, uint32_t id, struct btf_locs_err *err)
{
	uint32_t left = l->types_size - off, info, kind;
	uint64_t size;

	if (left < LOCS_BTF_TYPE_SIZE)
		return locs_err__set(err, -EBADMSG,
				     "type %u at 0x%x: cut off, %u bytes are left", id,
				     l->types_off + off, left);
	info = bytes__u32(l->types + off + 4, big);
	kind = LOCS_INFO_KIND(info);
	if (!sizes[kind].known)
		return locs_err__set(err, -EBADMSG,
				     "type %u at 0x%x: kind %u is not known", id,
				     l->types_off + off, kind);
	size = LOCS_BTF_TYPE_SIZE + sizes[kind].fixed;
	size += (uint64_t)LOCS_INFO_VLEN(info) * sizes[kind].elem;
	if (size % 4)
		return locs_err__set(
			err, -EBADMSG,
			"type %u at 0x%x: kind %u has %llu bytes, not a multiple of 4",
			id, l->types_off + off, kind, (unsigned long long)size);
	if (size > left)
		return locs_err__set(
			err, -EBADMSG,
			"type %u (%s) at 0x%x: cut off, needs %llu bytes, %u are left",
			id, btf_kind__str(kind), l->types_off + off,
			(unsigned long long)size, left);
	return size;
}

int btf_level__walk(struct btf_level *l, const struct btf_parts *p, const uint8_t *data,
		    bool locs, struct btf_locs_err *err)
{
	uint32_t off = 0, nr = 0, cap = l->types_size / 32;
	struct kind_size sizes[128];
	uint32_t *offs, *fit;
	int64_t size;
	int ret;

	offs = malloc(cap ? (size_t)cap * sizeof(*offs) : sizeof(*offs));
	if (!offs)
		return locs_err__set(err, -ENOMEM, "out of memory");
	sizes__init(sizes, p, data, locs);
	for (; off < l->types_size; off += size, nr++) {
		/* UINT32_MAX is left free: nr_types is one more than the last id */
		if (nr >= UINT32_MAX - l->first_type)
			size = locs_err__set(err, -EBADMSG, "type ids pass 32 bits");
		else
			size = type__size(l, sizes, p->big, off, l->first_type + nr, err);
		if (size < 0) {
			ret = size;
			goto out_free;
		}
		ret = offs__push(&offs, &cap, nr, off);
		if (ret)
			goto out_nomem;
	}
	ret = offs__push(&offs, &cap, nr, off);
	if (ret)
		goto out_nomem;
	/* a smaller block is wanted only to save memory */
	fit = realloc(offs, ((size_t)nr + 1) * sizeof(*offs));
	l->offs = fit ? fit : offs;
	l->nr_types = nr;
	return 0;
out_nomem:
	locs_err__set(err, ret, "out of memory");
out_free:
	free(offs);
	return ret;
}
