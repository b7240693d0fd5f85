// SPDX-License-Identifier: GPL-2.0-only
/*
 * proto_check.c - every function's prototype, resolved and compared with the BTF's own
 *
 * proto_check FILE: for each FUNC of FILE's .BTF that is found in its DWARF, resolves the
 * prototype as for an inline site and compares it with the FUNC_PROTO that pahole wrote.
 * BTF has one FUNC a name, DWARF perhaps several definitions, of which pahole took one:
 * equal means that one of them is it. Prints a line a difference with its kind, then the
 * counts; exits 1 if a FUNC differs.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/btf_base.h"
#include "../../lib/btf_types.h"
#include "../../lib/die.h"
#include "../../lib/dwarf_file.h"
#include "../../lib/produce_units.h"

enum { NOT_FOUND, EQUAL, DIFFERS, AMBIGUOUS };

struct check {
	struct btf_chain *chain;
	struct btf_types *types;
	struct locs_set set;
	uint8_t *state;		/* by FUNC id */
	const char **why;	/* by FUNC id: the kind of difference */
};

/* What the two prototypes differ in, the first thing found. */
static const char *difference(struct check *c, tref_t got, const struct btf_type_view *want)
{
	const struct set_type *t;
	struct btf_param_view p;
	struct btf_type_view v;
	uint32_t i;

	if (got < btf_chain__nr_types(c->chain)) {
		btf_chain__type(c->chain, got, &v);
		if (v.vlen != want->vlen)
			return "number of parameters";
		return v.size != want->size ? "type of the result" : "a parameter";
	}
	t = &c->set.types[got - btf_chain__nr_types(c->chain)];
	if (t->nr != want->vlen)
		return "number of parameters";
	if (t->type != want->size)
		return t->type < btf_chain__nr_types(c->chain) ? "type of the result" :
								 "result not in the BTF";
	for (i = 0; i < t->nr; i++) {
		const struct set_elem *e = &c->set.elems[t->first + i];

		if (btf_chain__param(c->chain, want, i, &p))
			return "?";
		if (strcmp(e->name, btf_chain__str(c->chain, p.name_off)))
			return "name of a parameter";
		if (e->type != p.type)
			return e->type < btf_chain__nr_types(c->chain) ?
			       "type of a parameter" : "parameter type not in the BTF";
	}
	return "?";
}

static int check_func(struct check *c, Dwarf_Die *func)
{
	struct btf_type_view f, want;
	Dwarf_Die die = *func;
	tref_t got;
	uint32_t id;
	int hops, err;

	for (hops = 0; hops < 16 && !die__ref(&die, DW_AT_abstract_origin, &die); hops++)
		;
	id = btf_chain__find(c->chain, BTF_K_FUNC, die__name(&die), 0);
	/* unique: with two FUNCs of a name it is not known which is meant */
	if (!id || c->state[id] == EQUAL || c->state[id] == AMBIGUOUS)
		return 0;
	if (btf_chain__find(c->chain, BTF_K_FUNC, die__name(&die), id)) {
		for (; id; id = btf_chain__find(c->chain, BTF_K_FUNC, die__name(&die), id))
			c->state[id] = AMBIGUOUS;
		return 0;
	}
	err = btf_types__proto(c->types, &die, &got);
	if (err == -ENOMEM)
		return err;
	if (btf_chain__type(c->chain, id, &f) || btf_chain__type(c->chain, f.size, &want))
		return -EBADMSG;
	if (!err && got == f.size) {
		c->state[id] = EQUAL;
		return 0;
	}
	c->state[id] = DIFFERS;
	c->why[id] = err ? "cannot be resolved" : difference(c, got, &want);
	return 0;
}

static int check_unit(struct check *c, Dwarf_Die *cu)
{
	Dwarf_Die die;
	int ret, err;

	locs_set__reset(&c->set);
	btf_types__begin(c->types, &c->set);
	for (ret = die__child(cu, &die); !ret; ret = die__next(&die, &die)) {
		/* a definition: pahole may have taken one that was thrown away later (weak) */
		if (dwarf_tag(&die) != DW_TAG_subprogram || die__flag(&die, DW_AT_declaration))
			continue;
		err = check_func(c, &die);
		if (err)
			return err;
	}
	return ret < 0 ? ret : 0;
}

static int report(const struct check *c)
{
	uint32_t id, nr = btf_chain__nr_types(c->chain), count[AMBIGUOUS + 1] = { 0 };
	struct btf_type_view v;

	for (id = 1; id < nr; id++) {
		if (btf_chain__type(c->chain, id, &v) || v.kind != BTF_K_FUNC)
			continue;
		count[c->state[id]]++;
		if (c->state[id] == DIFFERS)
			printf("differs: %s: %s\n", btf_chain__name(c->chain, id), c->why[id]);
	}
	printf("functions of the BTF: %u equal, %u different, %u of a name that is not unique, "
	       "%u not in the DWARF\n",
	       count[EQUAL], count[DIFFERS], count[AMBIGUOUS], count[NOT_FOUND]);
	return count[DIFFERS] || !count[EQUAL] ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct btf_locs_err err = { "" };
	struct btf_base *base = NULL;
	struct unit_ref *units = NULL;
	struct elf_file *file = NULL;
	struct dwarf_file df;
	struct check c = { 0 };
	size_t i, nr = 0;
	Dwarf_Die cu;
	int ret;

	if (argc != 2) {
		fputs("usage: proto_check FILE\n", stderr);
		return 2;
	}
	ret = elf_file__open(argv[1], &file, &err);
	if (!ret)
		ret = btf_base__open(argv[1], file, NULL, 0, &base, &err);
	if (!ret)
		ret = dwarf_file__open(&df, file, &err);
	if (!ret)
		ret = units__list(df.dw, &units, &nr, &err);
	if (!ret) {
		c.chain = btf_base__chain(base);
		ret = btf_chain__index(c.chain);
	}
	if (ret) {
		fprintf(stderr, "proto_check: %s: %s\n", argv[1], err.text);
		return 2;
	}
	c.types = btf_types__new(c.chain);
	c.state = calloc(btf_chain__nr_types(c.chain), 1);
	c.why = calloc(btf_chain__nr_types(c.chain), sizeof(*c.why));
	if (!c.types || !c.state || !c.why)
		return 2;
	for (i = 0; i < nr && !ret; i++)
		ret = dwarf_offdie(df.dw, units[i].die, &cu) ? check_unit(&c, &cu) : -EBADMSG;
	if (ret) {
		fprintf(stderr, "proto_check: %s: unit %zu: %s\n", argv[1], i, strerror(-ret));
		return 2;
	}
	ret = report(&c);
	btf_types__free(c.types);
	locs_set__free(&c.set);
	free(c.state);
	free(c.why);
	free(units);
	dwarf_file__close(&df);
	btf_base__close(base);
	elf_file__close(file);
	return ret;
}
