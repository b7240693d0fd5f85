// SPDX-License-Identifier: GPL-2.0-only
/* loc_list.c - location lists with views: which entry holds at the entry of a site */
#include "loc_list.h"

#include <dwarf.h>

enum { LLE_GNU_VIEW_PAIR = 9 };

/* One entry as read. */
struct entry {
	enum { ENTRY_END, ENTRY_BASE, ENTRY_BOUNDED, ENTRY_DEFAULT, ENTRY_VIEWS } kind;
	uint64_t begin, end;	/* addresses; the views of ENTRY_VIEWS */
	const uint8_t *expr;
	uint64_t len;
};

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

/* Whether [(begin, vbegin), (end, vend)) has one of the positions in it. */
static bool holds(const struct entry *e, uint64_t vbegin, uint64_t vend,
		  const struct loc_pos *pos)
{
	uint64_t v = pos->view_first;

	if (e->begin > pos->pc || e->end < pos->pc || (pos->earlier && e->begin == pos->pc))
		return false;
	if (e->begin == pos->pc && vbegin > v)
		v = vbegin;
	return v <= pos->view_last && (e->end > pos->pc || v < vend);
}

/* The next entry, bases taken in. */
static int read_entry(const struct loc_list_ctx *ctx, struct cursor *c, uint64_t *base,
		      struct entry *e)
{
	int err;

	do {
		err = ctx->version >= 5 ? read_loclists(ctx, c, base, e) :
					  read_loc(ctx, c, base, e);
	} while (!err && e->kind == ENTRY_BASE);
	return err;
}

enum loc_reason loc_list__at(const struct loc_list_ctx *ctx, uint64_t off, uint64_t views,
			     const struct loc_pos *pos, const uint8_t **expr, size_t *len)
{
	uint64_t base = ctx->base, vbegin, vend, pair[2] = { 0, 0 };
	struct entry e = { 0 }, fallback = { 0 };
	struct cursor c, v;

	cursor__init(&c, ctx->data, ctx->size, ctx->big);
	v = c;
	if (!ctx->data || cursor__seek(&c, off))
		return LOC_MALFORMED;
	if (views != LOC_LIST_NO_VIEWS && cursor__seek(&v, views))
		return LOC_MALFORMED;
	for (;;) {
		if (read_entry(ctx, &c, &base, &e))
			return LOC_MALFORMED;
		if (e.kind == ENTRY_END)
			break;
		if (e.kind == ENTRY_VIEWS) {
			pair[0] = e.begin;
			pair[1] = e.end;
			continue;
		}
		if (e.kind == ENTRY_DEFAULT) {
			fallback = e;
			continue;
		}
		vbegin = pair[0];
		vend = pair[1];
		pair[0] = pair[1] = 0;
		if (views != LOC_LIST_NO_VIEWS &&
		    (cursor__uleb(&v, &vbegin) || cursor__uleb(&v, &vend)))
			return LOC_MALFORMED;
		if (holds(&e, vbegin, vend, pos)) {
			*expr = e.expr;
			*len = e.len;
			return LOC_OK;
		}
	}
	if (!fallback.expr)
		return LOC_NOT_AT_ENTRY;
	*expr = fallback.expr;
	*len = fallback.len;
	return LOC_OK;
}

int loc_list__each(const struct loc_list_ctx *ctx, uint64_t off,
		   int (*fn)(void *arg, const uint8_t *expr, size_t len), void *arg)
{
	uint64_t base = ctx->base;
	struct entry e = { 0 };
	struct cursor c;
	int ret = 0;

	cursor__init(&c, ctx->data, ctx->size, ctx->big);
	if (!ctx->data || cursor__seek(&c, off))
		return -EBADMSG;
	while (!ret) {
		if (read_entry(ctx, &c, &base, &e))
			return -EBADMSG;
		if (e.kind == ENTRY_END)
			break;
		if (e.kind != ENTRY_VIEWS)
			ret = fn(arg, e.expr, e.len);
	}
	return ret;
}
