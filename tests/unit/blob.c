// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* blob.c - BTF blobs built by hand, for tests */
#include "blob.h"

#include <stdlib.h>

void blob__init_split(struct blob *b, bool big, uint32_t first_type, uint32_t first_str)
{
	wbuf__init(&b->types, big);
	wbuf__init(&b->strs, big);
	b->big = big;
	b->next_type = first_type;
	b->next_str = first_str;
}

void blob__init(struct blob *b, bool big)
{
	blob__init_split(b, big, 1, 0);
	blob__str_bytes(b, "", 1);
}

void blob__init_above(struct blob *b, const struct blob *below)
{
	blob__init_split(b, below->big, below->next_type, below->next_str);
}

void blob__free(struct blob *b)
{
	wbuf__free(&b->types);
	wbuf__free(&b->strs);
}

uint32_t blob__str_bytes(struct blob *b, const void *data, size_t n)
{
	uint32_t off = b->next_str;

	wbuf__put(&b->strs, data, n);
	b->next_str += n;
	return off;
}

uint32_t blob__str(struct blob *b, const char *s)
{
	return s && *s ? blob__str_bytes(b, s, strlen(s) + 1) : 0;
}

void blob__word(struct blob *b, uint32_t v)
{
	wbuf__u32(&b->types, v);
}

uint32_t blob__type_off(struct blob *b, uint32_t kind, uint32_t name_off, uint32_t vlen,
			bool kflag, uint32_t size_or_type)
{
	blob__word(b, name_off);
	blob__word(b, vlen | kind << 24 | (uint32_t)kflag << 31);
	blob__word(b, size_or_type);
	return b->next_type++;
}

uint32_t blob__type(struct blob *b, uint32_t kind, const char *name, uint32_t vlen,
		    bool kflag, uint32_t size_or_type)
{
	return blob__type_off(b, kind, blob__str(b, name), vlen, kflag, size_or_type);
}

uint32_t blob__int(struct blob *b, const char *name, uint32_t size, uint32_t enc)
{
	uint32_t id = blob__type(b, BTF_K_INT, name, 0, false, size);

	blob__word(b, enc << 24 | size * 8);
	return id;
}

uint32_t blob__ref(struct blob *b, uint32_t kind, const char *name, uint32_t type)
{
	return blob__type(b, kind, name, 0, false, type);
}

uint32_t blob__array(struct blob *b, uint32_t type, uint32_t index, uint32_t nelems)
{
	uint32_t id = blob__type(b, BTF_K_ARRAY, NULL, 0, false, 0);

	blob__word(b, type);
	blob__word(b, index);
	blob__word(b, nelems);
	return id;
}

uint32_t blob__struct(struct blob *b, uint32_t kind, const char *name, uint32_t size,
		      uint32_t vlen)
{
	return blob__type(b, kind, name, vlen, false, size);
}

void blob__member(struct blob *b, const char *name, uint32_t type, uint32_t off)
{
	blob__word(b, blob__str(b, name));
	blob__word(b, type);
	blob__word(b, off);
}

uint32_t blob__enum(struct blob *b, const char *name, uint32_t size, uint32_t vlen,
		    bool is_signed)
{
	return blob__type(b, BTF_K_ENUM, name, vlen, is_signed, size);
}

void blob__enumerator(struct blob *b, const char *name, uint32_t val)
{
	blob__word(b, blob__str(b, name));
	blob__word(b, val);
}

uint32_t blob__enum64(struct blob *b, const char *name, uint32_t vlen, bool is_signed)
{
	return blob__type(b, BTF_K_ENUM64, name, vlen, is_signed, 8);
}

void blob__enumerator64(struct blob *b, const char *name, uint64_t val)
{
	blob__word(b, blob__str(b, name));
	blob__word(b, (uint32_t)val);
	blob__word(b, (uint32_t)(val >> 32));
}

uint32_t blob__proto(struct blob *b, uint32_t ret, uint32_t vlen)
{
	return blob__type(b, BTF_K_FUNC_PROTO, NULL, vlen, false, ret);
}

void blob__param(struct blob *b, const char *name, uint32_t type)
{
	blob__word(b, blob__str(b, name));
	blob__word(b, type);
}

uint32_t blob__func(struct blob *b, const char *name, uint32_t proto, uint32_t linkage)
{
	return blob__type(b, BTF_K_FUNC, name, linkage, false, proto);
}

uint32_t blob__var(struct blob *b, const char *name, uint32_t type, uint32_t linkage)
{
	uint32_t id = blob__type(b, BTF_K_VAR, name, 0, false, type);

	blob__word(b, linkage);
	return id;
}

uint32_t blob__loc_param(struct blob *b, uint32_t size, uint32_t flags, uint32_t vlen,
			 const uint32_t *values)
{
	uint32_t id = blob__type(b, BTF_K_LOC_PARAM, NULL, vlen, false, size);
	uint32_t i;

	blob__word(b, flags);
	for (i = 0; i < vlen; i++)
		blob__word(b, values[i]);
	return id;
}

uint32_t blob__loc_proto(struct blob *b, uint32_t vlen, const uint32_t *loc_params)
{
	uint32_t id = blob__type(b, BTF_K_LOC_PROTO, NULL, vlen, false, 0);
	uint32_t i;

	for (i = 0; i < vlen; i++)
		blob__word(b, loc_params[i]);
	return id;
}

uint32_t blob__locsec(struct blob *b, const char *name, uint32_t vlen)
{
	return blob__type(b, BTF_K_LOCSEC, name, vlen, false, 0);
}

void blob__rec(struct blob *b, uint32_t func, uint32_t loc_proto, uint32_t offset)
{
	blob__word(b, func);
	blob__word(b, loc_proto);
	blob__word(b, offset);
}

void blob__layout(struct wbuf *out)
{
	/* bytes behind the 12, bytes an element; by kind, 0 to 22 */
	static const uint8_t sizes[23][2] = {
		{ 0, 0 }, { 4, 0 }, { 0, 0 }, { 12, 0 }, { 0, 12 }, { 0, 12 }, { 0, 8 },
		{ 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 8 },
		{ 4, 0 }, { 0, 12 }, { 0, 0 }, { 4, 0 }, { 0, 0 }, { 0, 12 },
		{ 4, 4 }, { 0, 4 }, { 0, 12 },
	};
	unsigned int i;

	for (i = 0; i < 23; i++) {
		wbuf__u8(out, sizes[i][0]);
		wbuf__u8(out, sizes[i][1]);
		wbuf__u16(out, 0);
	}
}

void blob__pad_strs(struct blob *b)
{
	blob__str_bytes(b, "\0\0\0", -b->strs.len & 3);
}

uint8_t *blob__finish(const struct blob *b, unsigned int hdr_len, size_t *size)
{
	uint32_t layout_len = hdr_len >= 32 ? 92 : 0;
	uint32_t pad = hdr_len >= 32 ? -b->strs.len & 3 : 0;
	struct wbuf w;

	wbuf__init(&w, b->big);
	wbuf__u16(&w, 0xeb9f);
	wbuf__u8(&w, 1);	/* version */
	wbuf__u8(&w, 0);	/* flags */
	wbuf__u32(&w, hdr_len);
	wbuf__u32(&w, 0);			/* type_off */
	wbuf__u32(&w, b->types.len);
	wbuf__u32(&w, b->types.len + layout_len);	/* str_off */
	wbuf__u32(&w, b->strs.len + pad);
	if (hdr_len >= 32) {
		wbuf__u32(&w, b->types.len);	/* layout_off */
		wbuf__u32(&w, layout_len);
	}
	wbuf__put(&w, b->types.data, b->types.len);
	if (layout_len)
		blob__layout(&w);
	wbuf__put(&w, b->strs.data, b->strs.len);
	wbuf__zero(&w, pad);
	if (w.err || b->types.err || b->strs.err)
		abort();	/* a test out of memory */
	*size = w.len;
	return w.data;
}
