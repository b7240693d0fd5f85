// SPDX-License-Identifier: GPL-2.0-only
/* loc_list.c - location lists with views: which entry holds at the entry of a site */
#include "loc_list.h"

#include <dwarf.h>
#include <errno.h>

#include "loc_index.h"
#include "loc_list_internal.h"

enum { LLE_GNU_VIEW_PAIR = 9 };

static uint64_t max_addr(const struct loc_list_ctx *ctx)
{
	return ctx->addr_size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * ctx->addr_size) - 1;
}

static int addrx(const struct loc_list_ctx *ctx, struct cursor *c, uint64_t *addr)
{
	uint64_t idx;

	if (cursor__uleb(c, &idx) || !ctx->addrx)
		return -EBADMSG;
	return ctx->addrx(ctx->arg, idx, addr);
}

/* DWARF 2 to 4, 2.6.2: pairs of addresses, counted from the base; a 2-byte length. */
static int read_loc(const struct loc_list_ctx *ctx, struct cursor *c, uint64_t *base,
		    struct entry *e)
{
	uint64_t len;

	if (cursor__uint(c, ctx->addr_size, &e->begin) ||
	    cursor__uint(c, ctx->addr_size, &e->end))
		return -EBADMSG;
	if (!e->begin && !e->end) {
		e->kind = ENTRY_END;
		return 0;
	}
	if (e->begin == max_addr(ctx)) {
		e->kind = ENTRY_BASE;
		*base = e->end;
		return 0;
	}
	e->kind = ENTRY_BOUNDED;
	e->begin = (e->begin + *base) & max_addr(ctx);
	e->end = (e->end + *base) & max_addr(ctx);
	if (cursor__uint(c, 2, &len))
		return -EBADMSG;
	e->len = len;
	return cursor__bytes(c, len, &e->expr);
}

/* DWARF 5, 7.7.3: the bounds of a bounded entry. */
static int read_bounds(const struct loc_list_ctx *ctx, struct cursor *c, uint8_t lle,
		       uint64_t base, struct entry *e)
{
	int err;

	switch (lle) {
	case DW_LLE_startx_endx:
		err = addrx(ctx, c, &e->begin);
		return err ? err : addrx(ctx, c, &e->end);
	case DW_LLE_startx_length:
		err = addrx(ctx, c, &e->begin);
		break;
	case DW_LLE_offset_pair:
		if (cursor__uleb(c, &e->begin) || cursor__uleb(c, &e->end))
			return -EBADMSG;
		e->begin = (e->begin + base) & max_addr(ctx);
		e->end = (e->end + base) & max_addr(ctx);
		return 0;
	case DW_LLE_start_end:
		if (cursor__uint(c, ctx->addr_size, &e->begin))
			return -EBADMSG;
		return cursor__uint(c, ctx->addr_size, &e->end);
	default:		/* DW_LLE_start_length */
		err = cursor__uint(c, ctx->addr_size, &e->begin);
	}
	if (err || cursor__uleb(c, &e->end))
		return -EBADMSG;
	e->end = (e->end + e->begin) & max_addr(ctx);
	return 0;
}

static int read_loclists(const struct loc_list_ctx *ctx, struct cursor *c, uint64_t *base,
			 struct entry *e)
{
	uint8_t lle;

	if (cursor__u8(c, &lle))
		return -EBADMSG;
	switch (lle) {
	case DW_LLE_end_of_list:
		e->kind = ENTRY_END;
		return 0;
	case DW_LLE_base_addressx:
		e->kind = ENTRY_BASE;
		return addrx(ctx, c, base);
	case DW_LLE_base_address:
		e->kind = ENTRY_BASE;
		return cursor__uint(c, ctx->addr_size, base);
	case LLE_GNU_VIEW_PAIR:
		e->kind = ENTRY_VIEWS;
		if (cursor__uleb(c, &e->begin))
			return -EBADMSG;
		return cursor__uleb(c, &e->end);
	case DW_LLE_default_location:
		e->kind = ENTRY_DEFAULT;
		break;
	case DW_LLE_startx_endx:
	case DW_LLE_startx_length:
	case DW_LLE_offset_pair:
	case DW_LLE_start_end:
	case DW_LLE_start_length:
		e->kind = ENTRY_BOUNDED;
		if (read_bounds(ctx, c, lle, *base, e))
			return -EBADMSG;
		break;
	default:
		return -EBADMSG;
	}
	if (cursor__uleb(c, &e->len))
		return -EBADMSG;
	return cursor__bytes(c, e->len, &e->expr);
}

bool entry__holds(const struct entry *e, const struct loc_pos *pos)
{
	uint64_t vbegin = e->view[0], vend = e->view[1], v = pos->view_first;

	if (pos->empties && e->begin == pos->pc && e->end == pos->pc && !vbegin && !vend)
		return true;
	if (e->begin > pos->pc || e->end < pos->pc || (pos->earlier && e->begin == pos->pc))
		return false;
	if (e->begin == pos->pc && vbegin > v)
		v = vbegin;
	return v <= pos->view_last && (e->end > pos->pc || v < vend);
}

/* The next entry, bases taken in. */
static int read_entry(struct list_reader *r, struct entry *e)
{
	const struct loc_list_ctx *ctx = r->ctx;
	int err;

	do {
		if (ctx->index && !loc_index__spend(ctx->index, 1))
			return -E2BIG;
		err = ctx->version >= 5 ? read_loclists(ctx, &r->c, &r->base, e) :
					  read_loc(ctx, &r->c, &r->base, e);
	} while (!err && e->kind == ENTRY_BASE);
	return err;
}

int list_reader__init(struct list_reader *r, const struct loc_list_ctx *ctx, uint64_t off,
		      uint64_t views)
{
	*r = (struct list_reader){
		.ctx = ctx, .base = ctx->base, .has_views = views != LOC_LIST_NO_VIEWS,
	};
	cursor__init(&r->c, ctx->data, ctx->size, ctx->big);
	r->views = r->c;
	if (!ctx->data || cursor__seek(&r->c, off))
		return -EBADMSG;
	return r->has_views ? cursor__seek(&r->views, views) : 0;
}

int list_reader__next(struct list_reader *r, struct entry *e)
{
	uint64_t view[2] = { 0 };
	int err;

	while (!(err = read_entry(r, e)) && e->kind == ENTRY_VIEWS) {
		view[0] = e->begin;
		view[1] = e->end;
	}
	if (err)
		return err == -E2BIG ? err : -EBADMSG;
	if (e->kind == ENTRY_END)
		return 1;
	if (e->kind == ENTRY_BOUNDED && r->has_views &&
	    (cursor__uleb(&r->views, &view[0]) || cursor__uleb(&r->views, &view[1])))
		return -EBADMSG;
	e->view[0] = view[0];
	e->view[1] = view[1];
	return 0;
}

/* As loc_list__at(), from the list's first entry on. @nr: how many were read. */
static enum loc_reason scan(const struct loc_list_ctx *ctx, uint64_t off, uint64_t views,
			    const struct loc_pos *pos, struct loc_found *found, size_t *nr)
{
	struct entry e = { 0 }, hit = { 0 }, fallback = { 0 };
	bool instant = false;
	struct list_reader r;
	int ret;

	if (list_reader__init(&r, ctx, off, views))
		return LOC_MALFORMED;
	while (!(ret = list_reader__next(&r, &e))) {
		++*nr;
		if (e.kind == ENTRY_DEFAULT) {
			fallback = e;
		} else if (hit.expr) {
			instant |= e.begin == pos->pc && e.end > pos->pc;
		} else if (entry__holds(&e, pos)) {
			hit = e;
			/* of one that holds at its first byte too the rest need not be read */
			if (e.end > pos->pc)
				break;
		}
	}
	if (ret < 0)
		return ret == -E2BIG ? LOC_WORK_LIMIT : LOC_MALFORMED;
	if (!hit.expr)
		hit = fallback;
	if (!hit.expr)
		return LOC_NOT_AT_ENTRY;
	*found = (struct loc_found){ .expr = hit.expr, .len = hit.len, .instant = instant };
	return LOC_OK;
}

enum loc_reason loc_list__at(const struct loc_list_ctx *ctx, uint64_t off, uint64_t views,
			     const struct loc_pos *pos, struct loc_found *found)
{
	struct loc_found f = { 0 };
	enum loc_reason why;
	size_t nr = 0;

	if (ctx->index && !ctx->index->work)
		return LOC_WORK_LIMIT;
	if (!ctx->index || !loc_index__at(ctx->index, off, views, pos, &f, &why)) {
		why = scan(ctx, off, views, pos, &f, &nr);
		if (ctx->index)
			loc_index__note(ctx->index, ctx, off, views, nr);
	}
	/* all of its expression is going to be read */
	if (why == LOC_OK && ctx->index && !loc_index__spend(ctx->index, f.len / 4))
		why = LOC_WORK_LIMIT;
	if (why == LOC_OK)
		*found = f;
	return why;
}

int loc_list__each(const struct loc_list_ctx *ctx, uint64_t off,
		   int (*fn)(void *arg, const uint8_t *expr, size_t len), void *arg)
{
	struct list_reader r;
	struct entry e = { 0 };
	int ret = list_reader__init(&r, ctx, off, LOC_LIST_NO_VIEWS), end;

	while (!ret) {
		end = list_reader__next(&r, &e);
		if (end)
			return end < 0 ? end : 0;
		ret = fn(arg, e.expr, e.len);
	}
	return ret;
}
