// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* locs_blob.c - a small base and sections upon it, as files, for the reader's tests */
#include "locs_blob.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "../../lib/outbuf.h"
#include "../../lib/print_text.h"

void locs_base__build(struct blob *b, bool big)
{
	blob__init(b, big);
	blob__int(b, "int", 4, BTF_ENC_SIGNED);
	blob__int(b, "unsigned int", 4, 0);
	blob__int(b, "char", 1, 0);
	blob__ref(b, BTF_K_PTR, NULL, ID_CHAR);
	blob__proto(b, ID_INT, 2);
	blob__param(b, "a", ID_INT);
	blob__param(b, "b", ID_PTR);
	blob__func(b, "foo", ID_PROTO2, 0);
	blob__proto(b, 0, 0);
	blob__func(b, "bar", ID_PROTO0, 0);
	blob__proto(b, ID_INT, 2);
	blob__param(b, "fmt", ID_PTR);
	blob__param(b, NULL, 0);
	blob__func(b, "printk", ID_PROTOV, 0);
	blob__struct(b, BTF_K_STRUCT, "s", 4, 1);
	blob__member(b, "x", ID_INT, 0);
}

void locs_sec__init(struct blob *sec, const struct blob *base, uint32_t base_first,
		    const char *const *extra)
{
	char text[40];
	uLong crc;

	blob__init_above(sec, base);
	crc = crc32(0, base->types.data, base->types.len);
	crc = crc32(crc, base->strs.data, base->strs.len);
	blob__str(sec, "btf_locs=1");
	blob__str(sec, "machine=62");
	snprintf(text, sizeof(text), "base_types=%u", base->next_type - base_first);
	blob__str(sec, text);
	snprintf(text, sizeof(text), "base_strs=%zu", base->strs.len);
	blob__str(sec, text);
	snprintf(text, sizeof(text), "base_crc32=%lu", crc);
	blob__str(sec, text);
	for (; extra && *extra; extra++)
		blob__str(sec, *extra);
	blob__str_bytes(sec, "", 1);
}

void tmp_file__write(char path[64], const void *data, size_t size)
{
	const uint8_t *p = data;
	ssize_t n;
	int fd;

	strcpy(path, "/tmp/locs-test-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		abort();
	for (; size; p += n, size -= n) {
		n = write(fd, p, size);
		if (n <= 0)
			abort();
	}
	close(fd);
}

static void tmp_file__blob(char path[64], const struct blob *b, unsigned int hdr_len)
{
	size_t size;
	uint8_t *data = blob__finish(b, hdr_len, &size);

	if (!data)
		abort();
	tmp_file__write(path, data, size);
	free(data);
}

int locs_open__bytes(const struct blob *base, const struct blob *mid, const void *data,
		     size_t size, struct btf_locs **out, struct btf_locs_err *err)
{
	char path[3][64];
	const char *bases[2] = { path[0], path[1] };
	struct btf_locs_open_opts opts = {
		.sz = sizeof(opts),
		.bases = bases,
		.nr_bases = mid ? 2 : 1,
		.err = err,
	};
	size_t len;
	int ret;

	if (err)
		err->text[0] = '\0';
	tmp_file__blob(path[0], base, 24);
	if (mid)
		tmp_file__blob(path[1], mid, 24);
	tmp_file__write(path[2], data, size);
	ret = btf_locs__open(path[2], &opts, out);
	len = strlen(path[2]);
	if (err && !strncmp(err->text, path[2], len))
		memmove(err->text, err->text + len + 2, strlen(err->text + len + 2) + 1);
	unlink(path[0]);
	if (mid)
		unlink(path[1]);
	unlink(path[2]);
	return ret;
}

int locs_open__blob(const struct blob *base, const struct blob *mid,
		    const struct blob *sec, struct btf_locs **out,
		    struct btf_locs_err *err)
{
	size_t size;
	uint8_t *data = blob__finish(sec, 32, &size);
	int ret;

	if (!data)
		abort();
	ret = locs_open__bytes(base, mid, data, size, out, err);
	free(data);
	return ret;
}

/*
 * By id: 12 proto (int x, struct s v), 13 FUNC own, 14 to 23 LOC_PARAMs as below, 24 to
 * 27 LOC_PROTOs, 28 to 31 LOCSECs.
 */
void locs_sample__build(struct blob *base, struct blob *sec, bool big)
{
	static const char *const extra[] = {
		"build_id=0123abcd", "sec:.text=ffffffff81000000,1000",
		"sec:.init.text=ffffffff82000000,200", "count:sites=4", NULL,
	};
	uint32_t data_name;

	locs_base__build(base, big);
	locs_sec__init(sec, base, 1, extra);
	data_name = blob__str(sec, ".data");
	blob__proto(sec, 0, 2);
	blob__param(sec, "x", ID_INT);
	blob__param(sec, "v", ID_STRUCT);
	blob__func(sec, "own", 12, 0);
#define PARAM(size, flags, ...) \
	blob__loc_param(sec, size, flags, \
			sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, \
			(uint32_t[]){ __VA_ARGS__ })
	PARAM(4, LOC_F_REG | LOC_F_SIGNED, 5);
	PARAM(16, LOC_F_REG, 0, 1);
	PARAM(8, LOC_F_REG | LOC_F_OFFSET, 6, (uint32_t)-16);
	PARAM(8, LOC_F_REG | LOC_F_DEREF, 7);
	PARAM(4, LOC_F_REG | LOC_F_DEREF | LOC_F_OFFSET, LOC_REG_FRAME_BASE, 8, 1);
	PARAM(4, LOC_F_CONST | LOC_F_SIGNED, (uint32_t)-22);
	PARAM(8, LOC_F_CONST, 0x89abcdef, 0x01234567);
	PARAM(8, LOC_F_CONST | LOC_F_ADDR, 0x82000010, 0xffffffff);
	PARAM(8, LOC_F_CONST | LOC_F_ADDR, 0x10, 0, data_name);
	PARAM(4, LOC_F_CONST | LOC_F_ADDR | LOC_F_DEREF, 0x82000010, 0xffffffff);
#undef PARAM
	blob__loc_proto(sec, 2, (uint32_t[]){ 14, 21 });
	blob__loc_proto(sec, 0, NULL);
	blob__loc_proto(sec, 2, (uint32_t[]){ 0, 18 });
	blob__loc_proto(sec, 1, (uint32_t[]){ 16 });
	blob__locsec(sec, ".text", 4);
	blob__rec(sec, ID_FOO, 24, 0x10);
	blob__rec(sec, ID_BAR, 25, 0x20);
	blob__rec(sec, 13, 26, 0x20);
	blob__rec(sec, ID_PRINTK, 27, 0x1000);
	blob__locsec(sec, "guess.init.text", 1);
	blob__rec(sec, ID_BAR, 25, 0x8);
	blob__locsec(sec, "part.text", 1);
	blob__rec(sec, ID_FOO, 26, 0x20);
	blob__locsec(sec, "func:other", 2);
	blob__rec(sec, ID_FOO, 0, 0x0);
	blob__rec(sec, ID_FOO, 24, 0xfffffff0);
}

static int drop(void *ctx, const char *data, size_t size)
{
	/* each byte is read: a sanitizer sees one that was never written */
	for (size_t i = 0; i < size; i++)
		*(unsigned int *)ctx += (unsigned char)data[i];
	return 0;
}

static void walk_recs(const struct btf_locs *locs, uint32_t sec, uint32_t nr,
		      struct outbuf *o)
{
	struct btf_locs_param param;
	struct btf_locs_rec rec;
	uint32_t i, k, pos;

	for (i = 0; i < nr; i++) {
		if (btf_locs__rec(locs, sec, i, &rec) ||
		    btf_locs__lower_bound(locs, sec, rec.offset, &pos) || pos > i ||
		    btf_locs__rec_func(locs, sec, i) != rec.func_id)
			abort();
		outbuf__str(o, rec.func);
		outbuf__str(o, rec.section);
		for (k = 0; k < rec.nr_params; k++)
			if (btf_locs__param(locs, &rec, k, &param))
				abort();
		print_text__rec(o, locs, &rec);
	}
}

void locs__walk_all(const struct btf_locs *locs)
{
	struct btf_locs_sec sec;
	unsigned int sum = 0;
	struct outbuf o;
	char text[64];
	uint32_t i;

	if (outbuf__init(&o, drop, &sum))
		abort();
	for (i = 0; btf_locs__info_at(locs, i); i++)
		outbuf__str(&o, btf_locs__info_at(locs, i));
	for (i = 0; !btf_locs__sec(locs, i, &sec); i++)
		walk_recs(locs, i, sec.nr_recs, &o);
	for (i = 0; i < btf_locs__nr_types(locs); i++) {
		btf_locs__type_str(locs, i, "x", text, sizeof(text));
		print_text__type(&o, locs, i);
	}
	outbuf__flush(&o);
	outbuf__free(&o);
}
