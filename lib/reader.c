// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader.c - a section opened, validated, and asked */
#include <stdlib.h>
#include <unistd.h>

#include "btf_decl.h"
#include "file_bytes.h"
#include "nomem.h"
#include "reader_internal.h"
#include "regs.h"

/* The section's bytes out of an ELF file, which takes @plain. */
static int bytes__from_elf(struct btf_locs *locs, const char *path,
			   const struct plain_file *plain, struct btf_locs_err *err)
{
	struct elf_sec sec;
	const void *data;
	int ret;

	ret = elf_file__open_plain(path, plain, &locs->file, err);
	if (ret)
		return ret;
	if (elf_file__sec_by_name(locs->file, LOCS_SECTION, &sec))
		return locs_err__set(err, -ENOENT, "no section " LOCS_SECTION);
	ret = elf_file__data(locs->file, sec.idx, &data, &locs->size, err);
	if (!ret)
		locs->data = data;
	return ret;
}

/* The section's bytes: those of the file, or of its section. */
static int bytes__open(struct btf_locs *locs, const char *path, struct btf_locs_err *err)
{
	struct plain_file plain;
	int ret;

	ret = file__open_plain(path, &plain, err);
	if (ret)
		return ret;
	ret = fd__is_elf(plain.fd);
	if (ret > 0)
		return bytes__from_elf(locs, path, &plain, err);
	if (ret)
		read__failed(ret, err);
	else
		ret = fd__read_all(plain.fd, plain.size, &locs->raw, &locs->size, err);
	close(plain.fd);
	if (!ret && !locs->size)
		ret = locs_err__set(err, -EBADMSG, "is empty");
	locs->data = locs->raw;
	return ret;
}

/* The section upon its base, everything checked. @path is not named in @err. */
static int chain__open(struct btf_locs *locs, struct btf_locs_err *err)
{
	int ret;

	locs->chain = btf_base__chain(locs->base);
	ret = locs_keys__check_base(locs, err);
	if (ret)
		return ret;
	locs->first_type = btf_chain__nr_types(locs->chain);
	ret = btf_chain__add(locs->chain, locs->data, locs->size, true, err);
	if (ret)
		return ret;
	locs->nr_types = btf_chain__nr_types(locs->chain);
	return btf_locs__check(locs, err);
}

/* "FILE: " and what is wrong; of a long path the end, which tells more. */
static int open__bad(const char *path, int ret, const struct btf_locs_err *why,
		     struct btf_locs_err *err)
{
	size_t len = strlen(path), max = 100;

	if (!err)
		return ret;
	return locs_err__set(err, ret, "%s%s: %s", len > max ? "..." : "",
			     len > max ? path + len - max : path, locs_err__text(why, ret));
}

struct btf_locs_base {
	struct btf_base *b;
};

int btf_locs__open_base(const char *const *bases, size_t nr_bases, struct btf_locs_err *err,
			struct btf_locs_base **out)
{
	struct btf_locs_base *base = calloc(1, sizeof(*base));
	int ret;

	if (!base)
		return locs_err__end(err, -ENOMEM);
	nomem__watch();
	ret = btf_base__open_below(bases, nr_bases, &base->b, err);
	ret = locs_err__end(err, nomem__cause(ret));
	if (ret) {
		free(base);
		return ret;
	}
	*out = base;
	return 0;
}

void btf_locs__close_base(struct btf_locs_base *base)
{
	if (!base)
		return;
	btf_base__close(base->b);
	free(base);
}

int btf_locs__open(const char *path, const struct btf_locs_open_opts *opts,
		   struct btf_locs **out)
{
	static const struct btf_locs_open_opts none = { .sz = sizeof(none) };
	struct btf_locs_err *err, why = { "" };
	struct btf_locs *locs;
	int ret;

	if (!opts)
		opts = &none;
	if (opts->sz < sizeof(*opts))
		return -EINVAL;
	err = opts->err;
	locs = calloc(1, sizeof(*locs));
	if (!locs) {
		locs_err__set(&why, -ENOMEM, "out of memory");
		return open__bad(path, -ENOMEM, &why, err);
	}
	nomem__watch();
	ret = bytes__open(locs, path, &why);
	if (!ret)
		ret = locs_keys__read(locs, &why);
	if (!ret)
		ret = locs_keys__check(locs, &why);
	if (ret)
		goto out_named;
	/* its line names the file, which may be another one */
	if (opts->base)
		ret = btf_base__open_on(path, locs->file, opts->base->b, &locs->base, err);
	else
		ret = btf_base__open(path, locs->file, opts->bases, opts->nr_bases,
				     &locs->base, err);
	ret = locs_err__end(err, nomem__cause(ret));
	if (ret)
		goto out_close;
	ret = chain__open(locs, &why);
	if (ret)
		goto out_named;
	*out = locs;
	return 0;
out_named:
	ret = nomem__cause(ret);
	open__bad(path, ret, &why, err);
out_close:
	btf_locs__close(locs);
	return ret;
}

void btf_locs__close(struct btf_locs *locs)
{
	if (!locs)
		return;
	btf_base__close(locs->base);
	elf_file__close(locs->file);
	free(locs->raw);
	locs_keys__free(&locs->keys);
	free(locs->secs);
	free(locs->ids);
	free(locs);
}

uint16_t btf_locs__machine(const struct btf_locs *locs)
{
	return locs->machine;
}

const char *btf_locs__info(const struct btf_locs *locs, const char *key)
{
	return locs_keys__find(&locs->keys, key, strlen(key));
}

const char *btf_locs__info_at(const struct btf_locs *locs, size_t i)
{
	return i < locs->keys.nr ? locs->keys.run[i] : NULL;
}

uint32_t btf_locs__nr_secs(const struct btf_locs *locs)
{
	return locs->nr_secs;
}

int btf_locs__sec(const struct btf_locs *locs, uint32_t i, struct btf_locs_sec *out)
{
	if (i >= locs->nr_secs)
		return -ERANGE;
	*out = locs->secs[i].pub;
	return 0;
}

int btf_locs__rec(const struct btf_locs *locs, uint32_t sec, uint32_t rec,
		  struct btf_locs_rec *out)
{
	const struct locs_sec *s;

	if (sec >= locs->nr_secs || rec >= locs->secs[sec].pub.nr_recs)
		return -ERANGE;
	s = &locs->secs[sec];
	out->kind = s->pub.kind;
	out->section = s->pub.name;
	out->func_id = locs_rec__word(locs, s, rec, 0);
	out->loc_proto_id = locs_rec__word(locs, s, rec, 1);
	out->offset = locs_rec__word(locs, s, rec, 2);
	out->func = btf_chain__name(locs->chain, out->func_id);
	out->address = s->pub.address + out->offset;
	out->nr_params = locs->ids[out->func_id] & LOCS_ID_NR;
	out->partial = out->func_id < locs->first_type;
	return 0;
}

uint32_t btf_locs__rec_func(const struct btf_locs *locs, uint32_t sec, uint32_t rec)
{
	if (sec >= locs->nr_secs || rec >= locs->secs[sec].pub.nr_recs)
		return 0;
	return locs_rec__word(locs, &locs->secs[sec], rec, 0);
}

int btf_locs__lower_bound(const struct btf_locs *locs, uint32_t sec, uint64_t offset,
			  uint32_t *rec)
{
	uint32_t lo = 0, hi, mid;

	if (sec >= locs->nr_secs)
		return -ERANGE;
	hi = locs->secs[sec].pub.nr_recs;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (locs_rec__word(locs, &locs->secs[sec], mid, 2) < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	*rec = lo;
	return 0;
}

int btf_locs__param(const struct btf_locs *locs, const struct btf_locs_rec *rec,
		    uint32_t i, struct btf_locs_param *out)
{
	struct btf_type_view func, proto, locp;
	struct btf_locs_param param = { 0 };
	struct btf_param_view p;

	if (i >= rec->nr_params)
		return -ERANGE;
	if (btf_chain__type(locs->chain, rec->func_id, &func) ||
	    func.kind != BTF_K_FUNC ||
	    btf_chain__type(locs->chain, func.size, &proto) ||
	    btf_chain__param(locs->chain, &proto, i, &p))
		return -EINVAL;
	param.name = btf_chain__str(locs->chain, p.name_off);
	param.type_id = p.type;
	if (rec->loc_proto_id) {
		if (btf_chain__type(locs->chain, rec->loc_proto_id, &locp) ||
		    locp.kind != BTF_K_LOC_PROTO ||
		    btf_chain__word(locs->chain, &locp, i, &param.loc_param_id))
			return -EINVAL;
	}
	if (param.loc_param_id &&
	    (btf_chain__type(locs->chain, param.loc_param_id, &locp) ||
	     loc_param__decode(locs->chain, &locp, &param.loc, NULL)))
		return -EINVAL;
	*out = param;
	return 0;
}

uint32_t btf_locs__nr_types(const struct btf_locs *locs)
{
	return locs->nr_types;
}

uint32_t btf_locs__first_type(const struct btf_locs *locs)
{
	return locs->first_type;
}

const char *btf_locs__type_name(const struct btf_locs *locs, uint32_t type_id)
{
	return btf_chain__name(locs->chain, type_id);
}

uint32_t btf_locs__find_func(const struct btf_locs *locs, const char *name,
			     uint32_t after)
{
	uint32_t id = after;

	while (++id && id < locs->nr_types) {
		/* what no record names is not looked for: ids[] knows the others */
		if ((locs->ids[id] & LOCS_ID_FUNC) &&
		    !strcmp(btf_chain__name(locs->chain, id), name))
			return id;
	}
	return 0;
}

bool btf_locs__has_func(const struct btf_locs *locs, const char *name)
{
	struct btf_type_view v;
	uint32_t id;

	for (id = 1; id < locs->nr_types; id++)
		if (!btf_chain__type(locs->chain, id, &v) && v.kind == BTF_K_FUNC &&
		    !strcmp(btf_chain__str(locs->chain, v.name_off), name))
			return true;
	return false;
}

int btf_locs__next_of(const struct btf_locs *locs, uint32_t func_id, uint32_t *sec,
		      uint32_t *rec)
{
	uint32_t s = *sec, r = *rec;

	for (; s < locs->nr_secs; s++, r = 0) {
		for (; r < locs->secs[s].pub.nr_recs; r++) {
			if (locs_rec__word(locs, &locs->secs[s], r, 0) != func_id)
				continue;
			*sec = s;
			*rec = r;
			return 0;
		}
	}
	return -ENOENT;
}

const char *btf_locs__reg_name(uint16_t machine, uint32_t reg)
{
	return reg == LOC_REG_FRAME_BASE ? "fbase" : regs__name(machine, reg);
}

int btf_locs__type_str(const struct btf_locs *locs, uint32_t type_id, const char *name,
		       char *buf, size_t size)
{
	return btf_decl__str(locs->chain, type_id, name, buf, size);
}
