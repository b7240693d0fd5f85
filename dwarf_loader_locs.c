// SPDX-License-Identifier: GPL-2.0-only
/* dwarf_loader_locs.c - one compilation unit's DWARF -> its inline sites */
#include "dwarf_loader_internal.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/die.h"
#include "lib/err.h"

#define ORIGIN_MAX	16	/* abstract origins of abstract origins */
#define FEW_PARAMS	16	/* that are looked at one by one */

/* An instance, inlined or not, that encloses what is being read. */
struct instance {
	uint32_t func;		/* index into set->funcs, UINT32_MAX: not known */
	const struct instance *up;
	/* of an inline site with a record */
	Dwarf_Die *die;		/* NULL: it is none */
	const struct site *site;
	const struct set_rec *rec;
};

struct dwarf_loader_locs *dwarf_loader_locs__new(const struct dwarf_loader_opts *opts)
{
	struct dwarf_loader_locs *ldr = calloc(1, sizeof(*ldr));

	if (!ldr)
		return NULL;
	ldr->opts = *opts;
	if (die_map__init(&ldr->funcs) || die_map__init(&ldr->abbrevs) ||
	    die_map__init(&ldr->many) || loader_types__init(&ldr->types) ||
	    object__init(&ldr->obj, opts->dw, opts->elf))
		goto fail;
	ldr->abi = abi__find(ldr->obj.machine, ldr->obj.e_flags, ldr->obj.is64, ldr->obj.big);
	ldr->cfi = frame_cfi__new(opts->dw, opts->elf);
	if (!ldr->cfi || func_prologue__init(&ldr->prologue, opts->file))
		goto fail;
	return ldr;
fail:
	dwarf_loader_locs__free(ldr);
	return NULL;
}

void dwarf_loader_locs__free(struct dwarf_loader_locs *ldr)
{
	if (!ldr)
		return;
	frame_cfi__free(ldr->cfi);
	func_prologue__free(&ldr->prologue);
	object__free(&ldr->obj);
	die_map__free(&ldr->funcs);
	die_map__free(&ldr->abbrevs);
	die_map__free(&ldr->many);
	loader_types__free(&ldr->types);
	loc_index__free(&ldr->lists);
	merged__free(ldr->merged);
	free(ldr->infos);
	free(ldr->params);
	free(ldr->args);
	free(ldr->claims);
	free(ldr);
}

int loader__malformed(struct dwarf_loader_locs *ldr, Dwarf_Die *die, const char *what)
{
	return locs_err__set(ldr->err, -EBADMSG, "malformed DWARF: %s at 0x%llx of .debug_info",
			     what, (unsigned long long)dwarf_dieoffset(die));
}

static int add_param(struct dwarf_loader_locs *ldr, Dwarf_Die *die)
{
	int err = array__room(ldr->params, ldr->nr_params, ldr->cap_params, 1);

	if (!err)
		ldr->params[ldr->nr_params++] = (struct fparam){ .die = die->addr };
	return err;
}

/* Those of a function that has many, by their entries. */
static int index_params(struct dwarf_loader_locs *ldr, const struct finfo *info, uint32_t nr)
{
	uint32_t i;
	int err = 0;

	for (i = info->first_param; nr > FEW_PARAMS && !err && i < ldr->nr_params; i++)
		err = die_map__add(&ldr->many, ldr->params[i].die, i);
	return err;
}

/* The function whose abstract instance is @die, with its parameters in their order. */
static int add_func(struct dwarf_loader_locs *ldr, Dwarf_Die *die, uint32_t *func)
{
	struct set_func f = { .name = die__name(die), .origin = die->addr, .cu = die->cu };
	struct finfo info = { .first_param = ldr->nr_params };
	struct locs_set *set = ldr->set;
	Dwarf_Die child;
	int ret = 1, err;

	call_pos__of_decl(&info.decl, &ldr->unit, die);
	if (dwarf_haschildren(die))
		ret = die__child(die, &child);
	for (; !ret; ret = die__next(&child, &child)) {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters) {
			info.variadic = true;
			break;
		}
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		err = add_param(ldr, &child);
		if (err)
			return err;
		f.nr_params++;
	}
	if (ret < 0)
		return loader__malformed(ldr, die, "the children of a function");
	err = index_params(ldr, &info, f.nr_params);
	if (err)
		return err;
	err = array__room(set->funcs, set->nr_funcs, set->cap_funcs, 1);
	if (!err)
		err = array__room(ldr->infos, ldr->nr_infos, ldr->cap_infos, 1);
	if (!err)
		err = die_map__add(&ldr->funcs, die->addr, set->nr_funcs);
	if (err)
		return err;
	ldr->infos[ldr->nr_infos++] = info;
	*func = set->nr_funcs;
	set->funcs[set->nr_funcs++] = f;
	return 0;
}

/*
 * The function that the instance @origin is one of: follows abstract origins to the abstract
 * instance (DWARF 5, 3.3.8).
 */
int loader__find_func(struct dwarf_loader_locs *ldr, Dwarf_Die *origin, uint32_t *func)
{
	struct die_slot *s = die_map__find(&ldr->funcs, origin->addr);
	Dwarf_Die die = *origin;
	int i, err;

	if (s) {
		*func = s->val;
		return 0;
	}
	for (i = 0; i < ORIGIN_MAX; i++) {
		err = die__ref(&die, DW_AT_abstract_origin, &die);
		if (err == -ENOENT)
			break;
		if (err)
			return err;
	}
	s = i ? die_map__find(&ldr->funcs, die.addr) : NULL;
	if (s)
		*func = s->val;
	else if ((err = add_func(ldr, &die, func)))
		return err;
	return i ? die_map__add(&ldr->funcs, origin->addr, *func) : 0;
}

/* Which parameter of the function the entry at @die is, -1: none. */
static int find_param(const struct dwarf_loader_locs *ldr, uint32_t func, const void *die)
{
	uint32_t i, nr = ldr->set->funcs[func].nr_params;
	size_t first = ldr->infos[func].first_param;
	const struct die_slot *s;

	if (nr > FEW_PARAMS) {
		s = die_map__find(&ldr->many, die);
		return s && s->val >= first && s->val - first < nr ? (int)(s->val - first) : -1;
	}
	for (i = 0; i < nr; i++)
		if (ldr->params[first + i].die == die)
			return i;
	return -1;
}

int loader__param_index(struct dwarf_loader_locs *ldr, uint32_t func, Dwarf_Die *child)
{
	Dwarf_Die die = *child;
	int hop, i = -1;

	for (hop = 0; i < 0 && hop <= ORIGIN_MAX; hop++) {
		i = find_param(ldr, func, die.addr);
		if (i < 0 && die__ref(&die, DW_AT_abstract_origin, &die))
			break;
	}
	return i;
}

/*
 * Where a site's parameters are wanted. gcc binds them before the entry's view, or at the next
 * one where the body had been cloned before; what the first statement assigns comes later.
 * Where the mark of the entry was lost, what is bound at view 0 comes before that statement;
 * but LTO loses the statements' marks as well. There, and without views, a binding that begins
 * at the address may be either's.
 */
static struct loc_pos site_pos(const struct unit *u, const struct site *site)
{
	struct loc_pos pos = {
		.pc = site->addr, .view_first = site->view, .view_last = UINT64_MAX,
		/* what was there before an assignment at once, where clang has kept it */
		.empties = u->producer == PRODUCER_CLANG,
	};

	if (u->has_views && (site->has_view || !u->lto) && site->view < UINT64_MAX)
		pos.view_last = site->view + site->has_view;
	else if (u->producer == PRODUCER_GCC)
		pos.earlier = true;
	return pos;
}

/* A parameter of a site: of two entries for one, the first with a location counts. */
static void read_param(struct dwarf_loader_locs *ldr, const struct instance *self,
		       struct param_frame *frame, Dwarf_Die *child)
{
	const struct set_rec *rec = self->rec;
	struct locs_set *set = ldr->set;
	int i = loader__param_index(ldr, rec->func, child);
	size_t at = rec->first_loc + i;
	unsigned int skip;
	struct param_at where = {
		.unit = &ldr->unit, .cfi = ldr->cfi, .frame = frame,
		.pos = site_pos(&ldr->unit, self->site), .site = self->die,
		.file = ldr->opts.file, .sec = rec->sec, .offset = rec->offset,
	};

	if (i < 0 || set->reasons[at] == LOC_OK)
		return;
	where.type = *loader__param_type(ldr, rec->func, i);
	set->reasons[at] = param_loc__read(&where, child, &set->locs[at]);
	/* clang's lists begin behind the landing pad and the tracer's call of the function */
	if (set->reasons[at] == LOC_NOT_AT_ENTRY && ldr->unit.producer != PRODUCER_GCC &&
	    frame->has_entry && self->site->addr == frame->entry) {
		skip = func_prologue__skip(&ldr->prologue, rec->sec, rec->offset);
		where.pos.pc += skip;
		if (skip)
			set->reasons[at] = param_loc__read(&where, child, &set->locs[at]);
	}
}

int loader__add_rec(struct dwarf_loader_locs *ldr, const struct set_rec *rec)
{
	struct locs_set *set = ldr->set;
	uint32_t i, nr = set->funcs[rec->func].nr_params;
	int err;

	if (set->nr_locs + nr > UINT32_MAX)
		return -EOVERFLOW;
	err = array__room(set->recs, set->nr_recs, set->cap_recs, 1);
	if (!err)
		err = array__room(set->locs, set->nr_locs, set->cap_locs, nr);
	if (!err)
		err = array__room(set->reasons, set->nr_locs, set->cap_reasons, nr);
	if (err)
		return err;
	set->recs[set->nr_recs] = *rec;
	set->recs[set->nr_recs++].first_loc = set->nr_locs;
	for (i = 0; i < nr; i++, set->nr_locs++) {
		set->locs[set->nr_locs] = (struct loc){ 0 };
		set->reasons[set->nr_locs] = LOC_NO_CHILD;
	}
	return 0;
}

/*
 * Whether a call is the rest of one that began in an enclosing instance: gcc's partial inlining
 * leaves a call of a function in itself, at the position of its declaration.
 */
static bool is_continuation(struct dwarf_loader_locs *ldr, const struct site *site,
			    uint32_t func, const struct instance *up)
{
	for (; up; up = up->up)
		if (up->func == func)
			return call_pos__same(&ldr->unit, &site->call,
					      &ldr->infos[func].decl);
	return false;
}

enum skip_reason loader__place(struct dwarf_loader_locs *ldr, uint64_t addr,
			       struct set_rec *rec)
{
	const struct code_sec *sec = object__sec(&ldr->obj, addr);

	if (!sec)
		return SKIP_TOMBSTONE;
	if (!sec->exec)
		return SKIP_NOT_EXEC;
	if (sec->same_name)
		return SKIP_SECTION_NAME;
	rec->sec = sec->idx;
	rec->offset = addr - sec->addr;
	return SKIP_NR_REASONS;
}

enum skip_reason loader__place_site(struct dwarf_loader_locs *ldr, const struct site *at,
				    struct set_rec *rec)
{
	bool told = ldr->obj.rel && at->stated;
	uint32_t sec = told ? unit__attr_sec(&ldr->unit, &at->at) : 0;
	enum skip_reason skip;

	if (!at->has_addr)
		return SKIP_NO_ADDRESS;
	if (told && !sec)
		return SKIP_TOMBSTONE;
	skip = loader__place(ldr, at->addr, rec);
	/* a number behind the end of its own section, which is in another one by accident */
	return told && skip == SKIP_NR_REASONS && rec->sec != sec ? SKIP_TOMBSTONE : skip;
}

/*
 * Whether a site is in the code of the function around it. One that is not stands where a program
 * that rewrote the binary has left it.
 */
static bool is_in_function(struct param_frame *frame, uint64_t addr)
{
	if (!frame->has_entry || (frame->has_range && frame->begin <= addr && addr <= frame->end))
		return true;
	switch (die__range_of(&frame->func, addr, &frame->begin, &frame->end)) {
	case 0:
		frame->has_range = true;
		return true;
	case -ENOENT:
		return true;
	default:
		return false;
	}
}

static int walk(struct dwarf_loader_locs *ldr, Dwarf_Die *die, const struct instance *up,
		struct param_frame *frame, int depth);

static int read_site(struct dwarf_loader_locs *ldr, Dwarf_Die *die,
		     const struct instance *up, struct param_frame *frame, int depth)
{
	struct locs_set *set = ldr->set;
	struct instance self = { .func = UINT32_MAX, .up = up };
	enum skip_reason skip = SKIP_NO_ORIGIN;
	struct set_rec rec = { 0 };
	struct site site;
	int err;

	if (!ldr->opts.sites)
		return walk(ldr, die, &self, frame, depth);
	err = site__read(die, &site);
	if (err)
		return loader__malformed(ldr, die, "an inline site");
	if (site.has_origin) {
		err = loader__find_func(ldr, &site.origin, &rec.func);
		if (err && err != -EBADMSG)
			return err;
		if (!err) {
			self.func = rec.func;
			skip = !*set->funcs[rec.func].name ? SKIP_NO_NAME :
			       loader__place_site(ldr, &site, &rec);
			if (skip == SKIP_NR_REASONS && !is_in_function(frame, site.addr))
				skip = SKIP_OUTSIDE;
		}
	}
	set->sites++;
	if (skip != SKIP_NR_REASONS) {
		set->skip[skip]++;
		return walk(ldr, die, &self, frame, depth);
	}
	rec.kind = is_continuation(ldr, &site, rec.func, up) ? BTF_LOCS_PART :
		   site.guess ? BTF_LOCS_GUESS : BTF_LOCS_INLINE;
	err = loader__add_rec(ldr, &rec);
	if (err)
		return err;
	set->funcs[rec.func].has_recs = true;
	rec = set->recs[set->nr_recs - 1];
	self.die = die;
	self.site = &site;
	self.rec = &rec;
	return walk(ldr, die, &self, frame, depth);
}

/* An out-of-line function, or an abstract instance: the frame base is its own. */
static int read_func(struct dwarf_loader_locs *ldr, Dwarf_Die *die,
		     const struct instance *up, int depth)
{
	struct param_frame frame = { .func = *die };
	struct instance self = { .func = UINT32_MAX, .up = up };
	struct die_slot *s;
	struct site at;
	uint32_t attrs;
	int err;

	err = abbrev__attrs(&ldr->abbrevs, die, &attrs);
	if (err)
		return err;
	if (!(attrs & (ABBREV_ORIGIN | ABBREV_CODE))) {
		if (!(attrs & (ABBREV_DECL | ABBREV_INLINE)))
			err = loader__add_merged(ldr, die);
		if (err)
			return err;
		s = die_map__find(&ldr->funcs, die->addr);
		if (s)
			self.func = s->val;
		return walk(ldr, die, &self, &frame, depth);
	}
	if (site__read(die, &at))
		return loader__malformed(ldr, die, "a function");
	frame.has_entry = at.has_addr;
	frame.entry = at.addr;
	/* one without code must only be known by number if it is inlined into itself */
	if (at.has_origin || at.has_addr) {
		err = loader__find_func(ldr, at.has_origin ? &at.origin : die, &self.func);
		if (err && err != -EBADMSG)
			return err;
		if (!err && at.has_addr)
			err = loader__add_function(ldr, die, &at, self.func, &frame);
		if (err && err != -EBADMSG)
			return err;
	}
	return walk(ldr, die, &self, &frame, depth);
}

static bool types_hold_code(const struct unit *u)
{
	int lang = dwarf_srclang((Dwarf_Die *)&u->die);

	switch (lang) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

/* An entry so deep that it is left out, with all that is in it. */
static void leave_out(struct dwarf_loader_locs *ldr, Dwarf_Die *die)
{
	struct locs_set *set = ldr->set;
	int tag = dwarf_tag(die);

	if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine &&
	    (!loader__holds_code(ldr, tag) || !dwarf_haschildren(die)))
		return;
	if (tag == DW_TAG_subprogram || !ldr->opts.sites) {
		set->functions++;
		set->func_skip[SKIP_TOO_DEEP]++;
	} else {
		set->sites++;
		set->skip[SKIP_TOO_DEEP]++;
	}
}

static int walk(struct dwarf_loader_locs *ldr, Dwarf_Die *die, const struct instance *up,
		struct param_frame *frame, int depth)
{
	Dwarf_Die child;
	int ret, err, tag;

	if (!dwarf_haschildren(die))
		return 0;
	for (ret = die__child(die, &child); !ret; ret = die__next(&child, &child)) {
		/* siblings that point back into their own children: each has a byte at least */
		if (ldr->walked++ > ldr->obj.info_size)
			return loader__malformed(ldr, die, "entries visited twice");
		tag = dwarf_tag(&child);
		err = 0;
		if (tag == DW_TAG_formal_parameter && up && up->die == die)
			read_param(ldr, up, frame, &child);
		else if (depth >= NESTING_MAX)
			leave_out(ldr, &child);
		else if (tag == DW_TAG_inlined_subroutine)
			err = read_site(ldr, &child, up, frame, depth + 1);
		else if (tag == DW_TAG_subprogram)
			err = read_func(ldr, &child, up, depth + 1);
		else if (loader__holds_code(ldr, tag))
			err = walk(ldr, &child, up, frame, depth + 1);
		if (err)
			return err;
	}
	return ret < 0 ? loader__malformed(ldr, die, "the children of an entry") : 0;
}

int dwarf_loader_locs__collect(struct dwarf_loader_locs *ldr, Dwarf_Die *cu,
			       struct locs_set *set, struct btf_locs_err *err)
{
	struct param_frame frame = { .func = *cu };
	int ret;

	ldr->set = set;
	ldr->err = err;
	ldr->nr_infos = 0;
	ldr->nr_params = 0;
	ldr->nr_claims = 0;
	ldr->walked = 0;
	die_map__clear(&ldr->funcs);
	die_map__clear(&ldr->abbrevs);
	die_map__clear(&ldr->many);
	loader_types__clear(&ldr->types);
	if (unit__init(&ldr->unit, &ldr->obj, cu))
		return loader__malformed(ldr, cu, "a unit");
	ldr->unit.types_hold_code = types_hold_code(&ldr->unit);
	loc_index__begin(&ldr->lists, unit__bytes(&ldr->unit));
	ldr->unit.lists = &ldr->lists;
	ret = walk(ldr, cu, NULL, &frame, 0);
	if (!ret)
		loader__settle_claims(ldr);
	return ret;
}

int dwarf_loader_locs__resolve(struct btf_types *types, const struct btf_chain *chain,
			       struct locs_set *set)
{
	Dwarf_Die die;
	size_t i;

	btf_types__begin(types, set);
	for (i = 0; i < set->nr_funcs; i++) {
		struct set_func *f = &set->funcs[i];

		if (!f->has_recs)
			continue;
		die = (Dwarf_Die){ .addr = (void *)f->origin, .cu = f->cu };
		f->err = btf_types__proto(types, &die, &f->proto);
		if (f->err == -ENOMEM)
			return f->err;
		set->limited += btf_types__limited(types);
		if (!f->err && f->proto < btf_chain__nr_types(chain))
			f->func_id = btf_chain__find_ref(chain, BTF_K_FUNC, f->name,
							 f->proto, 0);
	}
	return 0;
}
