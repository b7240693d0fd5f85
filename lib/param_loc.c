// SPDX-License-Identifier: GPL-2.0-only
/* param_loc.c - one parameter's entry -> where its value is at an address */
#include "param_loc.h"

#include <dwarf.h>
#include <string.h>

#include "die.h"
#include "loc_list.h"
#include "locs_format.h"
#include "site.h"
#include "x86_code.h"

/* where gcc puts the view pairs of a location list */
#define AT_GNU_LOCVIEWS 0x2137
/* DW_OP_entry_value before DWARF 5 */
#define OP_GNU_ENTRY_VALUE 0xf3

static int addrx(void *arg, uint64_t idx, uint64_t *addr)
{
	const struct param_at *at = arg;

	return unit__addrx(at->unit, idx, addr);
}

static uint32_t addrx_sec(void *arg, uint64_t idx)
{
	const struct param_at *at = arg;

	return unit__addrx_sec(at->unit, idx);
}

static uint32_t addr_sec(void *arg, const uint8_t *bytes, unsigned int size)
{
	const struct param_at *at = arg;
	const struct rel_places *p = object__places(at->unit->obj, bytes, size);

	return p ? rel_places__section(p, bytes, size) : 0;
}

static size_t relocated(void *arg, const uint8_t *bytes, size_t len)
{
	const struct param_at *at = arg;
	const struct rel_places *p = object__places(at->unit->obj, bytes, len);

	return p ? rel_places__count(p, bytes, len) : 0;
}

/* What an expression of the unit's is read by, for a value of @type. */
static struct loc_ctx expr_ctx(const struct param_at *at, const struct loc_type *type)
{
	const struct object *obj = at->unit->obj;
	struct loc_ctx ctx = {
		.big = obj->big, .addr_size = at->unit->addr_size, .reg_size = obj->reg_size,
		.machine = obj->machine, .type = *type, .addrx = addrx, .arg = (void *)at,
	};

	if (obj->rel) {
		ctx.addr_sec = addr_sec;
		ctx.addrx_sec = addrx_sec;
		ctx.relocated = relocated;
	}
	return ctx;
}

static void list_ctx(const struct param_at *at, struct loc_list_ctx *ctx)
{
	const struct unit *u = at->unit;
	const struct object *obj = u->obj;

	*ctx = (struct loc_list_ctx){
		.data = u->version >= 5 ? obj->loclists : obj->loc,
		.size = u->version >= 5 ? obj->loclists_size : obj->loc_size,
		.big = obj->big, .version = u->version, .addr_size = u->addr_size,
		.base = u->base, .index = u->lists,
		.addrx = addrx, .arg = (void *)at,
	};
}

/* The expression that an attribute holds at the place: its own, or one of its list. */
static enum loc_reason find_expr(const struct param_at *at, const struct loc_pos *pos,
				 Dwarf_Attribute *attr, Dwarf_Attribute *views,
				 struct loc_found *found)
{
	const struct unit *u = at->unit;
	uint64_t off, pairs = LOC_LIST_NO_VIEWS;
	struct loc_list_ctx ctx;
	Dwarf_Block block;

	if (!attr__is_list(attr)) {
		if (dwarf_formblock(attr, &block))
			return LOC_MALFORMED;
		*found = (struct loc_found){ .expr = block.data, .len = block.length };
		return LOC_OK;
	}
	if (unit__list_offset(u, attr, &off))
		return LOC_MALFORMED;
	if (views && unit__list_offset(u, views, &pairs))
		return LOC_MALFORMED;
	list_ctx(at, &ctx);
	return loc_list__at(&ctx, off, pairs, pos, found);
}

/*
 * DW_AT_frame_base as register + offset: the CFA (gcc), a register (clang with a frame
 * pointer: its contents are the base), or a register and an offset.
 */
static int frame_base(void *arg, bool cfa, uint32_t *reg, int64_t *off)
{
	struct param_at *at = arg;
	struct param_frame *f = at->frame;
	const struct loc_pos pos = { .pc = at->pos.pc, .view_last = UINT64_MAX };
	struct loc_found found;
	struct cursor c;
	uint64_t r;
	uint8_t op;

	f->used = true;
	if (cfa)
		return frame_cfi__cfa(at->cfi, at->pos.pc, reg, off);
	if (!f->known) {
		f->there = dwarf_attr_integrate(&f->func, DW_AT_frame_base, &f->attr);
		f->known = true;
	}
	if (!f->there || find_expr(at, &pos, &f->attr, NULL, &found) != LOC_OK)
		return -ENOENT;
	cursor__init(&c, found.expr, found.len, at->unit->obj->big);
	if (cursor__u8(&c, &op))
		return -ENOENT;
	*off = 0;
	if (op == DW_OP_call_frame_cfa && !cursor__left(&c))
		return frame_cfi__cfa(at->cfi, at->pos.pc, reg, off);
	/* a register that the function has yet to set up */
	if (at->at_func)
		return -ENOENT;
	if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
		*reg = op - DW_OP_reg0;
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		*reg = op - DW_OP_breg0;
		if (cursor__sleb(&c, off))
			return -ENOENT;
	} else if (op == DW_OP_regx || op == DW_OP_bregx) {
		if (cursor__uleb(&c, &r) || r > UINT32_MAX ||
		    (op == DW_OP_bregx && cursor__sleb(&c, off)))
			return -ENOENT;
		*reg = r;
	} else {
		return -ENOENT;
	}
	return cursor__left(&c) ? -ENOENT : 0;
}

static int base_type(void *arg, uint64_t off, struct loc_type *out)
{
	const struct param_at *at = arg;
	Dwarf_Die cu = at->unit->die, die;
	uint64_t start = dwarf_dieoffset(&cu) - dwarf_cuoffset(&cu), bits;
	struct loc_type type;

	/* from the unit's first byte, and inside it */
	if (__builtin_add_overflow(start, off, &off) ||
	    !dwarf_offdie(at->unit->obj->dw, off, &die) || die.cu != cu.cu ||
	    dwarf_tag(&die) != DW_TAG_base_type)
		return -EBADMSG;
	die__loc_type(&die, at->unit->addr_size, &type);
	/* clang's i1, i24, ...: converting to one is more than to take its bytes */
	if (!die__udata(&die, DW_AT_bit_size, &bits) && bits != (uint64_t)type.size * 8)
		return -EBADMSG;
	*out = type;
	return 0;
}

/* Bytes of an attribute's value that is a number of fixed size. */
static unsigned int fixed_size(const Dwarf_Attribute *attr)
{
	switch (attr->form) {
	case DW_FORM_data1:
		return 1;
	case DW_FORM_data2:
		return 2;
	case DW_FORM_data4:
		return 4;
	case DW_FORM_data8:
		return 8;
	default:
		return 0;
	}
}

static enum loc_reason read_const(const struct loc_ctx *ctx, Dwarf_Attribute *attr,
				  struct loc *out)
{
	Dwarf_Block block;
	Dwarf_Sword s;
	Dwarf_Word u;

	/* an address, or what the linker would know */
	if (ctx->relocated && ctx->relocated(ctx->arg, attr->valp, fixed_size(attr)))
		return LOC_OUTSIDE;
	switch (attr->form) {
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_block:
	case DW_FORM_data16:
		if (dwarf_formblock(attr, &block))
			return LOC_MALFORMED;
		if (ctx->relocated && ctx->relocated(ctx->arg, block.data, block.length))
			return LOC_OUTSIDE;
		return loc_expr__block(ctx, block.data, block.length, out);
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		if (dwarf_formsdata(attr, &s))
			return LOC_MALFORMED;
		return loc_expr__const(ctx, s, out);
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
		/* a fixed size does not say its sign; gcc and clang write sdata below 0 */
		if (dwarf_formudata(attr, &u))
			return LOC_MALFORMED;
		return loc_expr__const(ctx, u, out);
	default:		/* a string, an address */
		return LOC_WIDE_CONST;
	}
}

/* Makes an address of a relocatable file an offset into its section. */
static enum loc_reason place_in_section(const struct object *obj, struct loc *l)
{
	const struct code_sec *sec = object__sec_by_idx(obj, l->sec);
	uint64_t off;

	if (!sec || sec->same_name || l->val < sec->addr)
		return LOC_OUTSIDE;
	off = l->val - sec->addr;
	if (off > sec->size)
		return LOC_OUTSIDE;
	/* memory is inside it, and there once; an address may be that of its end */
	if (l->flags & LOC_F_DEREF && (sec->size - off < l->size || sec->per_cpu))
		return LOC_OUTSIDE;
	l->val = off;
	return LOC_OK;
}

/* Puts an address where it belongs. */
static enum loc_reason place_addr(const struct param_at *at, struct loc *l)
{
	const struct object *obj = at->unit->obj;
	const struct code_sec *sec;

	if (!(l->flags & LOC_F_ADDR))
		return LOC_OK;
	if (obj->rel)
		return place_in_section(obj, l);
	sec = object__sec(obj, l->val);
	if (sec && sec->unmoved) {
		/* an offset into each processor's own area: a number, and no memory there */
		if (l->flags & LOC_F_DEREF)
			return LOC_OUTSIDE;
		l->flags = LOC_F_CONST;
	}
	return LOC_OK;
}

/* The expression inside one that is DW_OP_entry_value alone, as a value or not. */
static bool entry_value(const struct param_at *at, const uint8_t *expr, size_t len,
			const uint8_t **inner, size_t *inner_len)
{
	const uint8_t *bytes;
	struct cursor c;
	uint64_t n;
	uint8_t op;

	cursor__init(&c, expr, len, at->unit->obj->big);
	if (cursor__u8(&c, &op) || (op != DW_OP_entry_value && op != OP_GNU_ENTRY_VALUE) ||
	    cursor__uleb(&c, &n) || cursor__bytes(&c, n, &bytes))
		return false;
	if (cursor__left(&c) &&
	    (cursor__u8(&c, &op) || op != DW_OP_stack_value || cursor__left(&c)))
		return false;
	*inner = bytes;
	*inner_len = n;
	return true;
}

/* Whether the site is at the first byte of the function that it is in. */
static bool is_first_byte(const struct param_at *at)
{
	return at->frame->has_entry && at->frame->entry == at->pos.pc;
}

/* Whether the code at the site fills the memory that a location names. */
static bool is_filled(const struct param_at *at, const struct loc *l)
{
	uint32_t reg;
	int64_t cfa;

	if (at->frame->used && !frame_cfi__cfa(at->cfi, at->pos.pc, &reg, &cfa) && reg == l->reg)
		return slot_store__in_frame(at->file, at->sec, at->offset, reg, l->off, l->size,
					    cfa);
	return slot_store__near(at->file, at->sec, at->offset, l->reg, l->off, l->size);
}

/*
 * Whether gcc's word for a site's parameter can be taken. What it knows is where a variable
 * will be: it names stack slots from the entry on that are filled by the next instructions,
 * whole registers of which only the lowest bit is a bool (unless the code itself goes by the
 * byte), and one register for all of a scope. At a function's first byte registers, and memory
 * that they point at, are as they were passed.
 */
static enum loc_reason check_gcc(const struct param_at *at, const struct loc *l, bool list)
{
	bool deref = l->flags & LOC_F_DEREF, frame = at->frame->used;

	if (!(l->flags & LOC_F_REG) || (is_first_byte(at) && !frame))
		return LOC_OK;
	if (at->type.cls == LOC_C_BOOL && (!deref || frame) &&
	    (deref || !byte_use__near(at->file, at->sec, at->offset, l->reg)))
		return LOC_BOOL_BITS;
	if (!deref)
		return list || frame ? LOC_OK : LOC_NO_VIEWS;
	return is_filled(at, l) ? LOC_NOT_STORED : LOC_OK;
}

/* The location that a DW_AT_location gives. */
static enum loc_reason read_location(const struct param_at *at, const struct loc_ctx *ctx,
				     Dwarf_Attribute *attr, Dwarf_Attribute *views,
				     struct loc *out)
{
	bool list = attr__is_list(attr);
	struct loc_found found;
	enum loc_reason why;
	uint64_t second;
	struct loc l;

	/* without a list it holds from the scope's first byte on, or from an assignment there */
	if (at->pos.earlier && !list)
		return LOC_NO_VIEWS;
	why = find_expr(at, &at->pos, attr, views, &found);
	if (why != LOC_OK)
		return why;
	/* code of a site in two places comes together at the address, with another value from there on */
	if (found.instant && at->site && !die__range(at->site, 1, &second))
		return LOC_TWO_WAYS;
	/* where the function begins, what a register held there is what it holds */
	if (at->at_func)
		entry_value(at, found.expr, found.len, &found.expr, &found.len);
	at->frame->used = false;
	why = loc_expr__reduce(ctx, found.expr, found.len, &l);
	if (why == LOC_OK && at->site && at->unit->producer == PRODUCER_GCC)
		why = check_gcc(at, &l, list);
	if (why == LOC_OK)
		*out = l;
	return why;
}

enum loc_reason param_loc__read(const struct param_at *at, Dwarf_Die *die, struct loc *out)
{
	enum { P_LOCATION, P_CONST, P_VIEWS, P_NR };
	struct attr_slot s[P_NR] = {
		[P_LOCATION].name = DW_AT_location,
		[P_CONST].name = DW_AT_const_value,
		[P_VIEWS].name = AT_GNU_LOCVIEWS,
	};
	struct loc_ctx ctx = expr_ctx(at, &at->type);
	enum loc_reason why;
	struct loc l;

	ctx.frame_base = frame_base;
	ctx.base_type = base_type;
	if (die__attrs(die, s, P_NR))
		return LOC_MALFORMED;
	if (s[P_LOCATION].set)
		why = read_location(at, &ctx, &s[P_LOCATION].attr,
				    s[P_VIEWS].set ? &s[P_VIEWS].attr : NULL, &l);
	else if (s[P_CONST].set)
		why = at->pos.earlier ? LOC_NO_VIEWS : read_const(&ctx, &s[P_CONST].attr, &l);
	else
		why = LOC_NO_ATTR;
	if (why == LOC_OK)
		why = place_addr(at, &l);
	if (why == LOC_OK)
		*out = l;
	return why;
}

enum loc_reason param_loc__const(const struct unit *u, Dwarf_Attribute *attr,
				 const struct loc_type *type, struct loc *out)
{
	const struct param_at at = { .unit = u };
	struct loc_ctx ctx = expr_ctx(&at, type);
	uint8_t value[32];
	enum loc_reason why;
	Dwarf_Block block;
	struct loc l;

	if (dwarf_formblock(attr, &block)) {
		why = read_const(&ctx, attr, &l);
	} else if (block.length >= sizeof(value) ||
		   (ctx.relocated && ctx.relocated(ctx.arg, block.data, block.length))) {
		why = LOC_ARITHMETIC;
	} else {
		/* what is on the stack is the value, and not where it is (DWARF 5, 3.4.2) */
		memcpy(value, block.data, block.length);
		value[block.length] = DW_OP_stack_value;
		why = loc_expr__reduce(&ctx, value, block.length + 1, &l);
	}
	if (why == LOC_OK && (l.flags & ~LOC_F_SIGNED) != LOC_F_CONST)
		why = LOC_ARITHMETIC;
	if (why == LOC_OK)
		*out = l;
	return why;
}

struct entry_query {
	const struct param_at *at;
	uint32_t reg;
};

static int names_entry_reg(void *arg, const uint8_t *expr, size_t len)
{
	const struct entry_query *q = arg;
	const uint8_t *inner;
	size_t n;
	struct cursor c;
	uint64_t reg;
	uint8_t op;

	if (!entry_value(q->at, expr, len, &inner, &n))
		return 0;
	cursor__init(&c, inner, n, q->at->unit->obj->big);
	if (cursor__u8(&c, &op))
		return 0;
	if (op >= DW_OP_reg0 && op <= DW_OP_reg31)
		reg = op - DW_OP_reg0;
	else if (op != DW_OP_regx || cursor__uleb(&c, &reg))
		return 0;
	return !cursor__left(&c) && reg == q->reg;
}

bool param_loc__is_entry_value(const struct param_at *at, Dwarf_Die *die, uint32_t reg)
{
	struct entry_query q = { .at = at, .reg = reg };
	struct loc_list_ctx ctx;
	Dwarf_Attribute attr;
	uint64_t off;

	if (!dwarf_attr(die, DW_AT_location, &attr) || !attr__is_list(&attr) ||
	    unit__list_offset(at->unit, &attr, &off))
		return false;
	list_ctx(at, &ctx);
	return loc_list__each(&ctx, off, names_entry_reg, &q) == 1;
}
