// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * btf_chain_twins.c - types of an upper level that a level below has too
 *
 * What has a name is compared with those of its name below, and structs without one where they
 * are within such. Pointers, arrays, prototypes and the like are looked up, once it is known
 * what they refer to.
 */
#include "btf_chain_internal.h"
#include "pair_graph.h"

#include <errno.h>
#include <stdlib.h>

#define TWIN_PAIRS_MAX	500000
#define TWIN_DEPTH_MAX	100		/* pointers to pointers to ... */

struct twins {
	struct btf_chain *c;
	struct pair_graph pairs;
	uint32_t looked_at;		/* the pair */
	uint32_t first;			/* those below belong to the root, or to c->below */
	uint32_t *ids;			/* twins of those from @first on, 0: not known yet */
	struct btf_proto_param *params;
	uint32_t nr_params;		/* room */
	bool any;
	bool nomem;
};

/* The first id of the level that @id is in. */
static uint32_t level_first(const struct btf_chain *c, uint32_t id)
{
	const struct btf_level *l = &c->levels[c->nr_levels - 1];

	while (l > c->levels && id < l->first_type)
		l--;
	return id ? l->first_type : 0;
}

/* Types of one level are no twins: pahole has merged what is the same. */
static int want(void *arg, uint32_t a, uint32_t b)
{
	struct twins *t = arg;

	if (a == b)
		return 1;
	if (level_first(t->c, a) == level_first(t->c, b))
		return 0;
	return pair_graph__need(&t->pairs, t->looked_at, a > b ? a : b, NULL, a > b ? b : a);
}

static int look(void *arg, uint32_t n)
{
	struct twins *t = arg;
	const struct pair p = t->pairs.pairs[n];
	struct btf_type_view v;
	int err = btf_chain__type(t->c, p.a, &v);

	if (!err)
		err = pair_graph__spend(&t->pairs, v.data_size / 4);
	t->looked_at = n;
	return err ? err : chain__equal_one(t->c, p.a, p.b, false, want, t);
}

static bool is_compared(uint32_t kind)
{
	switch (kind) {
	case BTF_K_INT:
	case BTF_K_FLOAT:
	case BTF_K_STRUCT:
	case BTF_K_UNION:
	case BTF_K_ENUM:
	case BTF_K_ENUM64:
	case BTF_K_FWD:
	case BTF_K_TYPEDEF:
		return true;
	default:
		return false;
	}
}

/* Compares one with those of its name in levels below, until one is the same. */
static int compare(struct twins *t, uint32_t id, uint32_t kind)
{
	const char *name = btf_chain__name(t->c, id);
	uint32_t at = 0, end = level_first(t->c, id);
	int ret = 0;

	while (!ret && (at = btf_chain__find(t->c, kind, name, at)) && at < end)
		ret = pair_graph__same(&t->pairs, id, NULL, at, look, t);
	return ret < 0 ? ret : 0;
}

/* Those that were found the same, of several the lowest, are twins. */
static void take_same(struct twins *t)
{
	const struct pair *p;
	uint32_t *twin;

	for (p = t->pairs.pairs; p < t->pairs.pairs + t->pairs.nr; p++) {
		if (p->verdict != PAIR_SAME || !is_compared(chain__kind(t->c, p->a)))
			continue;
		/* of the levels below, which a pair may be of as well, nothing changes */
		if (p->a < t->first)
			continue;
		twin = &t->ids[p->a - t->first];
		if (!*twin || p->b < *twin)
			*twin = p->b;
		t->any = true;
	}
}

static int compare_all(struct twins *t)
{
	uint32_t id, kind;
	int err = 0;

	for (id = t->first; !err && id < t->c->nr_types; id++) {
		kind = chain__kind(t->c, id);
		if (is_compared(kind))
			err = compare(t, id, kind);
	}
	take_same(t);
	return err;
}

static uint32_t twin_of(struct twins *t, uint32_t id, unsigned int depth);

static bool make_room(struct twins *t, uint32_t nr)
{
	struct btf_proto_param *params;

	if (nr <= t->nr_params)
		return true;
	params = realloc(t->params, nr * sizeof(*params));
	if (!params) {
		t->nomem = true;
		return false;
	}
	t->params = params;
	t->nr_params = nr;
	return true;
}

static uint32_t find_proto(struct twins *t, const struct btf_type_view *v, unsigned int depth)
{
	uint32_t i, ret = twin_of(t, v->size, depth);
	struct btf_param_view p;

	/* first, since prototypes nest, and are put in the same place */
	for (i = 0; !btf_chain__param(t->c, v, i, &p); i++)
		twin_of(t, p.type, depth);
	if (!make_room(t, v->vlen))
		return 0;
	for (i = 0; !btf_chain__param(t->c, v, i, &p); i++)
		t->params[i] = (struct btf_proto_param){
			.name = p.name_off ? btf_chain__str(t->c, p.name_off) : "",
			.type = p.type < t->first ? p.type : t->ids[p.type - t->first],
		};
	return btf_chain__find_proto(t->c, ret, t->params, v->vlen);
}

static uint32_t find_array(struct twins *t, const struct btf_type_view *v, unsigned int depth)
{
	struct btf_array_view a, b;
	struct btf_type_view w;
	uint32_t id;

	if (btf_chain__array(t->c, v, &a))
		return 0;
	id = btf_chain__find_array(t->c, twin_of(t, a.type, depth), a.nelems);
	if (!id || btf_chain__type(t->c, id, &w) || btf_chain__array(t->c, &w, &b))
		return 0;
	return twin_of(t, a.index_type, depth) == b.index_type ? id : 0;
}

/* What is looked up by what it refers to. */
static uint32_t look_up(struct twins *t, uint32_t id, unsigned int depth)
{
	struct btf_type_view v;
	uint32_t found = 0;

	if (depth > TWIN_DEPTH_MAX || btf_chain__type(t->c, id, &v))
		return id;
	switch (v.kind) {
	case BTF_K_PTR:
	case BTF_K_CONST:
	case BTF_K_VOLATILE:
	case BTF_K_RESTRICT:
	case BTF_K_TYPE_TAG:
		found = btf_chain__find_ref(t->c, v.kind, btf_chain__name(t->c, id),
					    twin_of(t, v.size, depth), 0);
		break;
	case BTF_K_ARRAY:
		found = find_array(t, &v, depth);
		break;
	case BTF_K_FUNC_PROTO:
		found = find_proto(t, &v, depth);
		break;
	}
	return found && found < level_first(t->c, id) ? found : id;
}

/* The twin of what @depth others refer to, itself where it has none. */
static uint32_t twin_of(struct twins *t, uint32_t id, unsigned int depth)
{
	uint32_t *twin;

	if (id < t->first)
		return id;
	twin = &t->ids[id - t->first];
	if (!*twin) {
		/* a prototype that leads back to itself has none */
		*twin = id;
		*twin = look_up(t, id, depth + 1);
		t->any |= *twin != id;
	}
	return *twin;
}

int btf_chain__find_twins(struct btf_chain *c)
{
	struct twins t = { .c = c };
	uint32_t id;
	int ret;

	free(c->twins);
	c->twins = NULL;
	if (c->nr_levels < 2 || !c->by_shape.heads)
		return 0;
	t.first = c->below ? c->below->nr_types : c->levels[1].first_type;
	if (t.first == c->nr_types)
		return 0;
	t.ids = calloc(c->nr_types - t.first, sizeof(*t.ids));
	if (!t.ids)
		return -ENOMEM;
	pair_graph__init(&t.pairs, TWIN_PAIRS_MAX, BTF_TWIN_STEPS_MAX);
	ret = compare_all(&t);
	/* what could not be compared any more has none */
	for (id = t.first; (!ret || ret == -E2BIG) && id < c->nr_types; id++)
		twin_of(&t, id, 0);
	if (t.nomem)
		ret = -ENOMEM;
	pair_graph__free(&t.pairs);
	free(t.params);
	if ((ret && ret != -E2BIG) || !t.any) {
		free(t.ids);
		return ret;
	}
	c->twins = t.ids;
	c->first_twin = t.first;
	chain__index_twins(c);
	return ret;
}

uint32_t btf_chain__twin(const struct btf_chain *c, uint32_t id)
{
	return chain__twin(c, id);
}
