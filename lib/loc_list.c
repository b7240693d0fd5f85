// SPDX-License-Identifier: GPL-2.0-only
/* loc_list.c - location lists with views: which entry holds at the entry of a site */
#include "loc_list.h"

#include <dwarf.h>
#include <errno.h>

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

	if (pos->empties && e->begin == pos->pc && e->end == pos->pc && !vbegin && !vend)
		return true;
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

/* The list's next bounded or default entry with its views. 0, 1: the end, -EBADMSG. */
static int next_entry(const struct loc_list_ctx *ctx, struct cursor *c, struct cursor *views,
		      uint64_t *base, struct entry *e, uint64_t view[2])
{
	view[0] = view[1] = 0;
	for (;;) {
		if (read_entry(ctx, c, base, e))
			return -EBADMSG;
		switch (e->kind) {
		case ENTRY_END:
			return 1;
		case ENTRY_VIEWS:
			view[0] = e->begin;
			view[1] = e->end;
			continue;
		case ENTRY_BOUNDED:
			if (views && (cursor__uleb(views, &view[0]) ||
				      cursor__uleb(views, &view[1])))
				return -EBADMSG;
			return 0;
		default:
			return 0;
		}
	}
}

enum loc_reason loc_list__at(const struct loc_list_ctx *ctx, uint64_t off, uint64_t views,
			     const struct loc_pos *pos, struct loc_found *found)
{
	struct entry e = { 0 }, hit = { 0 }, fallback = { 0 };
	struct cursor c, v;
	uint64_t base = ctx->base, view[2];
	bool instant = false;
	int ret;

	cursor__init(&c, ctx->data, ctx->size, ctx->big);
	v = c;
	if (!ctx->data || cursor__seek(&c, off))
		return LOC_MALFORMED;
	if (views != LOC_LIST_NO_VIEWS && cursor__seek(&v, views))
		return LOC_MALFORMED;
	while (!(ret = next_entry(ctx, &c, views != LOC_LIST_NO_VIEWS ? &v : NULL, &base, &e,
				  view))) {
		if (e.kind == ENTRY_DEFAULT) {
			fallback = e;
		} else if (hit.expr) {
			instant |= e.begin == pos->pc && e.end > pos->pc;
		} else if (holds(&e, view[0], view[1], pos)) {
			hit = e;
			/* of one that holds at its first byte too the rest need not be read */
			if (e.end > pos->pc)
				break;
		}
	}
	if (ret < 0)
		return LOC_MALFORMED;
	if (!hit.expr)
		hit = fallback;
	if (!hit.expr)
		return LOC_NOT_AT_ENTRY;
	*found = (struct loc_found){ .expr = hit.expr, .len = hit.len, .instant = instant };
	return LOC_OK;
}

int loc_list__each(const struct loc_list_ctx *ctx, uint64_t off,
		   int (*fn)(void *arg, const uint8_t *expr, size_t len), void *arg)
{
	uint64_t base = ctx->base, view[2];
	struct entry e = { 0 };
	struct cursor c;
	int ret = 0, end;

	cursor__init(&c, ctx->data, ctx->size, ctx->big);
	if (!ctx->data || cursor__seek(&c, off))
		return -EBADMSG;
	while (!ret) {
		end = next_entry(ctx, &c, NULL, &base, &e, view);
		if (end)
			return end < 0 ? end : 0;
		ret = fn(arg, e.expr, e.len);
	}
	return ret;
}
