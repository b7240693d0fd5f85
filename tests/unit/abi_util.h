/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * abi_util.h - functions and the places of their parameters, written down in short
 *
 * Types are written in a small language: i4 (signed), u4 (unsigned), p8 (pointer), f8 (float),
 * x16 (long double), c8 (_Complex), each with its size in bytes; {a,b} a struct, (a,b) a union,
 * <a,b> a packed struct, a*3 an array within one, @16{..} with an attribute of its own.
 *
 * Places: r5 a register, 5:4 two of them, [7+8] memory at register 7 + 8, *7 memory at it, v not
 * to be said, 0 nothing passed, ? not known. Registers are DWARF numbers.
 */
#ifndef TEST_ABI_UTIL_H
#define TEST_ABI_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/abi.h"
#include "../../lib/locs_format.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

static inline uint32_t number(const char **s)
{
	return strtoul(*s, (char **)s, 10);
}

static inline void add(struct abi_type *t, uint32_t off, uint32_t size, enum abi_scalar kind)
{
	uint32_t i;

	for (i = 0; i < t->nr_fields; i++)
		if (t->fields[i].off == off && t->fields[i].size == size &&
		    t->fields[i].kind == kind)
			return;
	if (t->nr_fields == ABI_FIELDS_MAX) {
		t->more = true;
		return;
	}
	t->fields[t->nr_fields++] = (struct abi_field){ off, size, kind };
}

static inline uint32_t max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* What is known of a part of a type. */
struct part {
	uint32_t size, align;
};

static inline struct part parse(const char **s, struct abi_type *t, uint32_t off, int depth);

/* The members between brackets, of which @open was the first. */
static inline struct part parse_members(const char **s, struct abi_type *t, uint32_t off,
					int depth, char open)
{
	struct part p = { 0, 1 }, m;
	uint32_t at = 0, i, n;
	const char *start, *again;

	while (!strchr("})>", **s)) {
		/* once for its alignment, then at its place */
		start = *s;
		m = parse(s, &(struct abi_type){ 0 }, 0, depth + 1);
		if (open == '{')
			at = (at + m.align - 1) / m.align * m.align;
		n = 1;
		if (**s == '*') {
			++*s;
			n = number(s);
			t->has_array = true;
		}
		for (i = 0; i < n; i++) {
			again = start;
			parse(&again, t, off + at + i * m.size, depth + 1);
		}
		p.align = max(p.align, m.align);
		p.size = max(p.size, at + n * m.size);
		at = open == '(' ? 0 : at + n * m.size;
		if (**s == ',')
			++*s;
	}
	++*s;
	return p;
}

static inline struct part parse_scalar(const char **s, struct abi_type *t, uint32_t off,
				       int depth, char open)
{
	uint32_t size = number(s);
	struct part p = { size, open == 'c' ? size / 2 : size == 12 ? 4 : size };

	t->scalar_align = max(t->scalar_align, p.align);
	if (open == 'c') {
		t->complex = !depth;
		add(t, off, size / 2, size == 32 ? ABI_S_LONG_DOUBLE : ABI_S_FLOAT);
		add(t, off + size / 2, size / 2, size == 32 ? ABI_S_LONG_DOUBLE : ABI_S_FLOAT);
	} else {
		add(t, off, size, open == 'f' ? ABI_S_FLOAT : open == 'x' ? ABI_S_LONG_DOUBLE :
		    open == 'p' ? ABI_S_POINTER : ABI_S_INT);
	}
	t->type.is_signed = open == 'i' && !depth;
	return p;
}

/* One type at @off of @t. */
static inline struct part parse(const char **s, struct abi_type *t, uint32_t off, int depth)
{
	uint32_t asked = 0;
	struct part p;
	char open;

	if (**s == '@') {
		++*s;
		asked = number(s);
	}
	open = *(*s)++;
	if (!strchr("{(<", open)) {
		p = parse_scalar(s, t, off, depth, open);
		t->natural = p.align;
		return p;
	}
	t->aggregate |= !depth;
	t->has_nested |= depth;
	t->has_union |= open == '(';
	t->packed |= open == '<';
	p = parse_members(s, t, off, depth, open);
	t->natural = p.align;		/* the outermost is the last to say so */
	p.align = max(p.align, asked);
	if (open != '<')
		p.size = (p.size + p.align - 1) / p.align * p.align;
	t->has_empty |= depth && !p.size;
	return p;
}

/* The type that @s begins with, behind spaces. Returns what follows it. */
static inline const char *type(const char *s, struct abi_type *t)
{
	struct part p;

	memset(t, 0, sizeof(*t));
	while (*s == ' ')
		s++;
	p = parse(&s, t, 0, 0);
	t->size = t->type.size = p.size;
	t->align = p.align;
	return s;
}

/* The place as text; what else *@l must be is checked here. */
static inline void place(enum abi_where where, const struct loc *l,
			 const struct abi_type *t, char *out)
{
	static const char *const others[] = {
		[ABI_ELSEWHERE] = "v", [ABI_NOWHERE] = "0", [ABI_NOT_KNOWN] = "?",
	};
	struct loc none;

	if (where != ABI_PLACED) {
		memset(&none, 0xa5, sizeof(none));
		assert_memory_equal(l, &none, sizeof(none));
		strcpy(out, others[where]);
		return;
	}
	assert_int_equal(l->size, t->size);
	assert_int_equal(l->flags & ~(LOC_F_DEREF | LOC_F_OFFSET),
			 LOC_F_REG | (t->type.is_signed ? LOC_F_SIGNED : 0));
	assert_int_equal(!!(l->flags & LOC_F_OFFSET), l->off != 0);
	assert_int_equal(l->val | l->sec, 0);
	if (!(l->flags & LOC_F_DEREF)) {
		assert_int_equal(l->off, 0);
		if (l->nr_regs == 2) {
			sprintf(out, "%u:%u", l->reg, l->reg2);
			return;
		}
		assert_int_equal(l->nr_regs, 1);
		sprintf(out, "r%u", l->reg);
		return;
	}
	assert_int_equal(l->nr_regs, 1);
	if (l->off)
		sprintf(out, "[%u+%lld]", l->reg, (long long)l->off);
	else
		sprintf(out, "*%u", l->reg);
}

struct abi_case {
	const char *ret;	/* "" void; "..." before it: variadic; "?": not known */
	const char *params;
	const char *places;
};

static inline void check(const struct abi *abi, const struct abi_case *c)
{
	bool variadic = !strncmp(c->ret, "...", 3);
	const char *ret = c->ret + (variadic ? 3 : 0), *s = c->params;
	struct abi_walk walk;
	struct abi_type t;
	char got[512] = "", one[64];
	enum abi_where where;
	struct loc l;

	if (*ret && *ret != '?') {
		type(ret, &t);
		abi__begin(abi, &t, variadic, &walk);
	} else {
		abi__begin(abi, NULL, variadic, &walk);
		if (*ret)
			abi__lose(&walk);
	}
	while (*s) {
		memset(&l, 0xa5, sizeof(l));
		if (*s == '?') {
			s++;
			where = abi__next(&walk, NULL, &l);
		} else {
			s = type(s, &t);
			where = abi__next(&walk, &t, &l);
		}
		place(where, &l, &t, one);
		strcat(got, one);
		while (*s == ' ')
			s++;
		if (*s)
			strcat(got, " ");
	}
	if (strcmp(got, c->places))
		fail_msg("%s f(%s): %s, expected %s", c->ret, c->params, got, c->places);
}

static inline void check_all(uint16_t machine, uint32_t flags,
			     const struct abi_case *cases, size_t nr)
{
	bool is64 = machine != EM_386 && machine != EM_ARM;
	const struct abi *abi = abi__find(machine, flags, is64, machine == EM_S390);
	size_t i;

	assert_non_null(abi);
	for (i = 0; i < nr; i++)
		check(abi, &cases[i]);
}

#define CHECK(machine, flags, cases) \
	check_all(machine, flags, cases, sizeof(cases) / sizeof(*(cases)))

#endif
