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

/* Whether [(begin, vbegin), (end, vend)) has a (pc, v) with v >= view in it. */
static bool holds(const struct entry *e, uint64_t vbegin, uint64_t vend, uint64_t pc,
		  uint64_t view)
{
	uint64_t v = view;

	if (e->begin > pc || e->end < pc)
		return false;
	if (e->begin == pc && vbegin > v)
		v = vbegin;
	return e->end > pc || v < vend;
}

enum loc_reason loc_list__at(const struct loc_list_ctx *ctx, uint64_t off, uint64_t views,
			     uint64_t pc, uint64_t view, const uint8_t **expr, size_t *len)
{
	const uint8_t *fallback = NULL;
	struct cursor c, v;
	uint64_t base = ctx->base, vbegin, vend, pair[2] = { 0, 0 };
	size_t fallback_len = 0;
	struct entry e = { 0 };
	int err;

	cursor__init(&c, ctx->data, ctx->size, ctx->big);
	v = c;
	if (!ctx->data || cursor__seek(&c, off))
		return LOC_MALFORMED;
	if (views != LOC_LIST_NO_VIEWS && cursor__seek(&v, views))
		return LOC_MALFORMED;
	for (;;) {
		err = ctx->version >= 5 ? read_loclists(ctx, &c, &base, &e) :
					  read_loc(ctx, &c, &base, &e);
		if (err)
			return LOC_MALFORMED;
		switch (e.kind) {
		case ENTRY_END:
			if (!fallback)
				return LOC_NOT_AT_ENTRY;
			*expr = fallback;
			*len = fallback_len;
			return LOC_OK;
		case ENTRY_BASE:
			continue;
		case ENTRY_VIEWS:
			pair[0] = e.begin;
			pair[1] = e.end;
			continue;
		case ENTRY_DEFAULT:
			fallback = e.expr;
			fallback_len = e.len;
			continue;
		case ENTRY_BOUNDED:
			break;
		}
		vbegin = pair[0];
		vend = pair[1];
		pair[0] = pair[1] = 0;
		if (views != LOC_LIST_NO_VIEWS &&
		    (cursor__uleb(&v, &vbegin) || cursor__uleb(&v, &vend)))
			return LOC_MALFORMED;
		if (holds(&e, vbegin, vend, pc, view)) {
			*expr = e.expr;
			*len = e.len;
			return LOC_OK;
		}
	}
}
