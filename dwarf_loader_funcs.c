// SPDX-License-Identifier: GPL-2.0-only
/*
 * dwarf_loader_funcs.c - functions out of line: whether their parameters are where the calling
 * convention puts them, and where they are if not
 *
 * A function's first byte has run nothing yet: what its parameters' entries say of a frame, of
 * registers that the function saves, of values computed from others is not true there. What
 * is believed is an argument register, the caller's part of the stack, and a constant.
 */
#include "dwarf_loader_internal.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "lib/die.h"
#include "lib/err.h"
#include "lib/func_sym.h"
#include "lib/locs_format.h"

/* The function at hand. */
struct function {
	struct dwarf_loader_locs *ldr;
	Dwarf_Die *die;
	struct set_rec *rec;
	uint64_t addr;
	struct func_sym sym;
	struct param_frame *frame;
	bool external;		/* not static: whoever calls it goes by its declaration */
	bool kept;		/* it is known to be passed what the source says */
	bool nocall;		/* the compiler says that it is not */
};

static struct param_at param_at(const struct function *f, uint32_t i)
{
	const struct dwarf_loader_locs *ldr = f->ldr;

	return (struct param_at){
		.unit = &ldr->unit, .cfi = ldr->cfi, .frame = f->frame,
		/* later views of the address are those of changed values */
		.pos = { .pc = f->addr }, .at_func = true,
		.type = *loader__param_type(f->ldr, f->rec->func, i),
	};
}

static struct loc *loc_of(const struct function *f, uint32_t i)
{
	return &f->ldr->set->locs[f->rec->first_loc + i];
}

static uint8_t *reason_of(const struct function *f, uint32_t i)
{
	return &f->ldr->set->reasons[f->rec->first_loc + i];
}

static uint32_t nr_params(const struct function *f)
{
	return f->ldr->set->funcs[f->rec->func].nr_params;
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

/* The next range after the first; @range: 0 at first. 0, 1: none. */
static int next_place(Dwarf_Die *die, ptrdiff_t *range, uint64_t *addr)
{
	int ret = *range ? 0 : die__next_range(die, range, addr);

	return ret ? ret : die__next_range(die, range, addr);
}

/*
 * Section and offset of its first byte, where its symbol stands: of several ranges that need not
 * be the first.
 */
static int find_place(struct function *f, const struct site *at, enum skip_reason *skip)
{
	struct dwarf_loader_locs *ldr = f->ldr;
	const char *name = ldr->set->funcs[f->rec->func].name;
	uint64_t addr = at->addr;
	ptrdiff_t range = 0;
	const char *linkage;
	int ret;

	do {
		f->addr = addr;
		*skip = addr == at->addr ? loader__place_site(ldr, at, f->rec) :
					   loader__place(ldr, addr, f->rec);
		if (*skip != SKIP_NR_REASONS)
			continue;
		ret = func_sym__find(ldr->opts.file, f->rec->sec, f->rec->offset, addr, name,
				     &f->sym);
		/* another name: a C++ function's, one given by __asm__() */
		if (!ret && f->sym.found && !f->sym.own && (linkage = linkage_name(f->die)))
			ret = func_sym__find(ldr->opts.file, f->rec->sec, f->rec->offset, addr,
					     linkage, &f->sym);
		if (ret == -ENOENT)
			return 0;	/* no symbols: the DWARF alone must do */
		if (ret || f->sym.found)
			return ret;
		*skip = SKIP_NO_SYMBOL;
	} while (at->guess && !next_place(f->die, &range, &addr));
	return 0;
}

/* Room for what is known of the parameters: nothing yet. */
static int clear_args(const struct function *f)
{
	struct dwarf_loader_locs *ldr = f->ldr;
	uint32_t nr = nr_params(f);
	int err = array__room(ldr->args, (size_t)0, ldr->cap_args, nr);

	if (!err && nr)
		memset(ldr->args, 0, nr * sizeof(*ldr->args));
	return err;
}

/* Its parameters' entries, and what they say of its first byte. */
static void read_args(const struct function *f)
{
	struct dwarf_loader_locs *ldr = f->ldr;
	struct param_at where;
	Dwarf_Attribute attr;
	uint32_t found = 0;
	Dwarf_Die child;
	int i, ret;

	ret = dwarf_haschildren(f->die) ? die__child(f->die, &child) : 1;
	for (; !ret && found < nr_params(f); ret = die__next(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		i = loader__param_index(ldr, f->rec->func, &child);
		if (i < 0 || *reason_of(f, i) == LOC_OK)
			continue;
		where = param_at(f, i);
		*reason_of(f, i) = param_loc__read(&where, &child, loc_of(f, i));
		ldr->args[i].is_list = f->sym.changed &&
				       dwarf_attr(&child, DW_AT_location, &attr) &&
				       attr__is_list(&attr);
		if (!ldr->args[i].there || *reason_of(f, i) == LOC_OK)
			ldr->args[i].die = child;
		ldr->args[i].there = true;
		found += *reason_of(f, i) == LOC_OK;
	}
}

/* What a convention must know of a type; most are scalars, which need no look inside. */
static int arg_type(struct dwarf_loader_locs *ldr, Dwarf_Die *die,
		    const struct loc_type *known, struct abi_type *out)
{
	Dwarf_Die type;

	if (known && known->size && known->size <= ldr->unit.addr_size &&
	    (known->cls == LOC_C_INT || known->cls == LOC_C_BOOL)) {
		*out = (struct abi_type){
			.size = known->size, .align = known->size, .natural = known->size,
			.type = *known, .nr_fields = 1,
			.fields[0] = { 0, known->size, ABI_S_INT },
		};
		return 0;
	}
	if (die__type(die, &type))
		return -EOPNOTSUPP;
	return loader__abi_type(ldr, &type, out);
}

/* Where the calling convention puts each. */
static void place_args(const struct function *f)
{
	struct dwarf_loader_locs *ldr = f->ldr;
	const struct finfo *info = &ldr->infos[f->rec->func];
	const struct set_func *func = &ldr->set->funcs[f->rec->func];
	Dwarf_Die die = { .addr = func->origin, .cu = func->cu }, type;
	struct abi_type t;
	struct abi_walk walk;
	/* i386's table is that of -mregparm=3 */
	bool known = ldr->abi && (ldr->obj.machine != EM_386 || ldr->unit.regparm == 3);
	uint32_t i;

	if (known && !die__type(&die, &type)) {
		known = !loader__abi_type(ldr, &type, &t);
		if (known)
			abi__begin(ldr->abi, &t, info->variadic, &walk);
	} else if (known) {
		abi__begin(ldr->abi, NULL, info->variadic, &walk);
	}
	for (i = 0; i < func->nr_params; i++) {
		/* a new one: the last one remembers its own abbreviation */
		die = (Dwarf_Die){ .addr = (void *)ldr->params[info->first_param + i].die,
				   .cu = func->cu };
		known = known && !arg_type(ldr, &die, loader__param_type(ldr, f->rec->func, i),
					   &t);
		ldr->args[i].where = known ? abi__next(&walk, &t, &ldr->args[i].place) :
					     ABI_NOT_KNOWN;
	}
}

static bool is_expected(const struct function *f, uint32_t i)
{
	const struct argument *a = &f->ldr->args[i];

	return a->where == ABI_PLACED && abi__same_place(loc_of(f, i), &a->place);
}

/*
 * Memory that gcc puts into the caller's part of the stack. On i386 that is taken of functions that
 * other units call (asmlinkage among them): the running judge has no i386.
 */
static bool is_callers_stack(const struct function *f, const struct loc *l)
{
	uint16_t machine = f->ldr->obj.machine;

	return (machine == EM_X86_64 || (machine == EM_386 && f->kept)) &&
	       f->ldr->unit.has_views && l->flags & LOC_F_REG && l->flags & LOC_F_DEREF &&
	       l->reg == abi__stack_reg(f->ldr->abi) && l->off >= f->ldr->unit.addr_size;
}

/*
 * Whether a location that is not the convention's can be a parameter's at the first byte: a
 * register that passes parameters, the caller's part of the stack, a constant. Of memory
 * elsewhere compilers speak too early: of slots yet to be written, of addresses yet to be
 * copied.
 */
static bool is_believed(const struct function *f, const struct loc *l)
{
	const struct abi *abi = f->ldr->abi;

	/* a constant assigned at once looks the same where views do not tell */
	if (l->flags & LOC_F_CONST)
		return f->ldr->unit.has_views;
	if (!abi || !(l->flags & LOC_F_REG))
		return false;
	if (!(l->flags & LOC_F_DEREF))
		return !(l->flags & LOC_F_OFFSET) && abi__arg_index(abi, l->reg) >= 0 &&
		       (l->nr_regs < 2 || abi__arg_index(abi, l->reg2) >= 0);
	return is_callers_stack(f, l);
}

/*
 * Whether the registers said to hold parameters are what a compiler that dropped some makes of
 * them: the others move up, in their order. Without views a = b and a swap at once look like
 * other places.
 */
static bool in_order(const struct function *f)
{
	const struct abi *abi = f->ldr->abi;
	uint32_t i, nr = nr_params(f);
	int last = -1;

	for (i = 0; i < nr && abi; i++) {
		const struct loc *l = loc_of(f, i), *place = &f->ldr->args[i].place;
		int n;

		if (*reason_of(f, i) != LOC_OK || !(l->flags & LOC_F_REG) ||
		    l->flags & (LOC_F_DEREF | LOC_F_OFFSET))
			continue;
		n = abi__arg_index(abi, l->reg);
		if (n <= last || f->ldr->args[i].where != ABI_PLACED ||
		    (place->flags & LOC_F_REG && !(place->flags & LOC_F_DEREF) &&
		     n > abi__arg_index(abi, place->reg)))
			return false;
		last = l->nr_regs > 1 ? abi__arg_index(abi, l->reg2) : n;
	}
	return true;
}

/*
 * A register that one expression names for the whole scope: LLVM writes so what holds from a move
 * behind the first byte on. Only the convention's can be what was passed.
 */
static void drop_promoted(const struct function *f)
{
	uint32_t i, nr = nr_params(f);
	Dwarf_Attribute attr;

	for (i = 0; i < nr; i++) {
		const struct loc *l = loc_of(f, i);

		if (*reason_of(f, i) == LOC_OK && l->flags & LOC_F_REG &&
		    !(l->flags & LOC_F_DEREF) && !is_expected(f, i) &&
		    dwarf_attr(&f->ldr->args[i].die, DW_AT_location, &attr) && !attr__is_list(&attr))
			*reason_of(f, i) = LOC_NO_VIEWS;
	}
}

/* Takes back what is not to be believed of the first byte. */
static void drop_unbelieved(const struct function *f)
{
	uint32_t i, nr = nr_params(f);
	bool moved;

	if (f->ldr->unit.producer != PRODUCER_GCC)
		drop_promoted(f);
	moved = f->ldr->unit.has_views || in_order(f);
	for (i = 0; i < nr; i++) {
		if (*reason_of(f, i) == LOC_OK &&
		    (!moved || (!is_expected(f, i) && !is_believed(f, loc_of(f, i)))))
			*reason_of(f, i) = LOC_NOT_AT_ENTRY;
		if (*reason_of(f, i) != LOC_OK)
			*loc_of(f, i) = (struct loc){ 0 };
	}
}

/*
 * Where nothing is said of the first byte: whether a later part of the parameter's list shows that
 * it was passed where it belongs.
 */
static bool is_shown(const struct function *f, uint32_t i)
{
	const struct argument *a = &f->ldr->args[i];
	struct param_at where = param_at(f, i);
	unsigned int skip;
	struct loc l;

	/* in a clone the register may well be another parameter's */
	if (!a->there || f->nocall || f->sym.changed || a->where != ABI_PLACED)
		return false;
	if (a->place.flags & LOC_F_REG && !(a->place.flags & LOC_F_DEREF) &&
	    a->place.nr_regs == 1 &&
	    param_loc__is_entry_value(&where, (Dwarf_Die *)&a->die, a->place.reg))
		return true;
	/* behind endbr64, the call of __fentry__, a landing pad: clang's lists begin there */
	skip = func_prologue__skip(&f->ldr->prologue, f->rec->sec, f->rec->offset);
	if (!skip)
		return false;
	where.pos.pc += skip;
	return param_loc__read(&where, (Dwarf_Die *)&a->die, &l) == LOC_OK &&
	       abi__same_place(&l, &a->place);
}

/* Whether parameter @i is where the convention puts it; its location is filled in if so. */
static bool is_in_place(const struct function *f, uint32_t i)
{
	const struct argument *a = &f->ldr->args[i];
	uint8_t *why = reason_of(f, i);

	if (a->where == ABI_NOWHERE)
		return true;
	if (a->where == ABI_ELSEWHERE)
		/* described, and as nothing that could be said here */
		return f->external && a->there && *why != LOC_OK && *why != LOC_NO_ATTR &&
		       *why != LOC_NOT_AT_ENTRY && *why != LOC_EMPTY;
	if (a->where != ABI_PLACED)
		return false;
	if (*why == LOC_OK)
		return is_expected(f, i);
	if (!is_shown(f, i)) {
		/* it may be shown where the list was not read any more */
		if (*why == LOC_NOT_AT_ENTRY && !f->ldr->lists.work)
			*why = LOC_WORK_LIMIT;
		return false;
	}
	*why = LOC_OK;
	*loc_of(f, i) = a->place;
	return true;
}

/*
 * Whether nothing contradicts what is known of a function whose signature the compiler kept:
 * another convention (ms_abi) shows in the registers of its parameters. A constant is passed
 * all the same, and of memory gcc's word is not to be taken there: a copied address, a slot yet
 * to be written.
 */
static bool is_as_declared(const struct function *f)
{
	uint32_t i, nr = nr_params(f);

	for (i = 0; i < nr; i++) {
		const struct loc *l = loc_of(f, i);

		if (*reason_of(f, i) != LOC_OK || f->ldr->args[i].where != ABI_PLACED ||
		    is_expected(f, i))
			continue;
		if (l->flags & LOC_F_REG && !(l->flags & LOC_F_DEREF) && is_believed(f, l))
			return false;
		/* i386's asmlinkage */
		if (f->ldr->obj.machine == EM_386 && is_callers_stack(f, l) &&
		    !(f->ldr->args[i].place.flags & LOC_F_DEREF))
			return false;
	}
	return true;
}

/* Whether each parameter is where the calling convention puts it. */
static bool conforms(const struct function *f)
{
	uint32_t i, nr = nr_params(f);
	bool all = true;

	/* nothing that is said without views speaks against it */
	if (f->kept && !f->ldr->unit.has_views)
		return true;
	read_args(f);
	place_args(f);
	if (f->kept && is_as_declared(f))
		return true;
	drop_unbelieved(f);
	for (i = 0; i < nr; i++)
		all = is_in_place(f, i) && all;
	return all;
}

/* Constants that no list bounds are taken when the unit's calls have confirmed them. */
static int claim_constants(const struct function *f)
{
	struct dwarf_loader_locs *ldr = f->ldr;
	uint32_t i, nr = nr_params(f);
	int err = 0;

	for (i = 0; i < nr && !err; i++) {
		struct loc *l = loc_of(f, i);

		if (*reason_of(f, i) != LOC_OK || (l->flags & ~LOC_F_SIGNED) != LOC_F_CONST ||
		    ldr->args[i].is_list)
			continue;
		err = loader__claim(ldr, f->rec->func, i, f->rec->first_loc + i, l);
		*reason_of(f, i) = LOC_NO_VIEWS;
		*l = (struct loc){ 0 };
	}
	return err;
}

/* Another convention than the machine's, as LLVM writes it (DW_CC_LLVM_Win64: ms_abi). */
static bool is_foreign(uint64_t cc)
{
	return cc != DW_CC_normal && cc != DW_CC_program && cc != DW_CC_nocall;
}

/*
 * What other units call is passed what its declaration says. Of static functions gcc tells by the
 * symbol's suffix that it has changed a signature, but for i386's, which are called in a way of
 * their own. clang says what it changes in some versions, and passes nothing for unused parameters
 * in all: it is taken at its word for each parameter.
 */
static void read_signature(struct function *f)
{
	struct dwarf_loader_locs *ldr = f->ldr;
	bool gcc = ldr->unit.producer == PRODUCER_GCC, global;
	uint64_t cc = DW_CC_normal;

	if (!gcc)
		die__udata(f->die, DW_AT_calling_convention, &cc);
	global = f->sym.global && !f->sym.suffixed && !f->sym.changed && !is_foreign(cc);
	if (!gcc || f->sym.changed || ldr->obj.machine == EM_386)
		f->external = die__flag(f->die, DW_AT_external);
	f->nocall = cc == DW_CC_nocall || is_foreign(cc);
	f->kept = f->sym.found && !f->sym.changed &&
		  (global || (gcc && ldr->obj.machine != EM_386));
}

int loader__add_function(struct dwarf_loader_locs *ldr, Dwarf_Die *die,
			 const struct site *at, uint32_t func, struct param_frame *frame)
{
	struct set_rec rec = { .kind = BTF_LOCS_FUNC, .func = func, .out_of_line = true };
	struct function f = { .ldr = ldr, .die = die, .rec = &rec, .frame = frame };
	struct locs_set *set = ldr->set;
	enum skip_reason skip = SKIP_NO_NAME;
	int err = 0;

	/* gas describes its functions, too, without a word of their parameters */
	if (dwarf_srclang(&ldr->unit.die) == DW_LANG_Mips_Assembler)
		return 0;
	set->functions++;
	if (*set->funcs[func].name)
		err = find_place(&f, at, &skip);
	if (err)
		return err == -EBADMSG ? locs_err__set(ldr->err, err, "malformed symbol table") :
					 err;
	if (skip != SKIP_NR_REASONS) {
		set->func_skip[skip]++;
		return 0;
	}
	if (f.sym.part)
		rec.kind = BTF_LOCS_PART;
	err = loader__add_rec(ldr, &rec);
	if (err)
		return err;
	f.rec = &set->recs[set->nr_recs - 1];
	set->funcs[func].has_recs = true;
	err = clear_args(&f);
	if (err)
		return err;
	read_signature(&f);
	/* of one that was changed it is worth saying what is left, be it in its place */
	if (conforms(&f) && !f.sym.changed) {
		set->nr_locs = f.rec->first_loc;
		f.rec->conforms = true;
		f.rec->plain = !f.sym.suffixed;
		return 0;
	}
	return claim_constants(&f);
}
