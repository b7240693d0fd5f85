// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_reader_values.c - a section that opens can be printed: what types the parameters of a
 * record's function may have
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "both_orders.h"
#include "locs_blob.h"

/* Every kind of type, made in the section; what of it is no type of a value. */
static const struct kind {
	const char *name;
	bool is_value;
	const char *c;		/* as C writes a parameter of it */
} kinds[] = {
	{ "VOID", true, "void" },
	{ "INT", true, "int" },
	{ "PTR", true, "char *" },
	{ "ARRAY", true, "char[3]" },
	{ "STRUCT", true, "struct s" },
	{ "UNION", true, "union u" },
	{ "ENUM", true, "enum e" },
	{ "FWD", true, "struct fwd" },
	{ "TYPEDEF", true, "t" },
	{ "VOLATILE", true, "volatile int" },
	{ "CONST", true, "const void" },
	{ "RESTRICT", true, "char *restrict" },
	{ "FUNC", false, NULL },
	{ "FUNC_PROTO", true, "void(void)" },
	{ "VAR", false, NULL },
	{ "DATASEC", false, NULL },
	{ "FLOAT", true, "float" },
	{ "DECL_TAG", false, NULL },
	{ "TYPE_TAG", true, "char *__user" },
	{ "ENUM64", true, "enum e64" },
	{ "LOC_PARAM", false, NULL },
	{ "LOC_PROTO", false, NULL },
	{ "LOCSEC", false, NULL },
};

static uint32_t kind__build(struct blob *s, uint32_t kind)
{
	uint32_t id;

	switch (kind) {
	case BTF_K_VOID:
		return 0;
	case BTF_K_INT:
		return ID_INT;
	case BTF_K_PTR:
		return ID_PTR;
	case BTF_K_ARRAY:
		return blob__array(s, ID_CHAR, ID_INT, 3);
	case BTF_K_STRUCT:
		return blob__struct(s, kind, "s", 0, 0);
	case BTF_K_UNION:
		return blob__struct(s, kind, "u", 0, 0);
	case BTF_K_ENUM:
		return blob__enum(s, "e", 4, 0, false);
	case BTF_K_ENUM64:
		return blob__enum64(s, "e64", 0, false);
	case BTF_K_FWD:
		return blob__type(s, kind, "fwd", 0, false, 0);
	case BTF_K_TYPEDEF:
		return blob__ref(s, kind, "t", ID_INT);
	case BTF_K_CONST:
		return blob__ref(s, kind, NULL, 0);
	case BTF_K_VOLATILE:
		return blob__ref(s, kind, NULL, ID_INT);
	case BTF_K_RESTRICT:
		return blob__ref(s, kind, NULL, ID_PTR);
	case BTF_K_TYPE_TAG:
		return blob__ref(s, kind, "user", ID_PTR);
	case BTF_K_FUNC:
		return ID_FOO;
	case BTF_K_FUNC_PROTO:
		return ID_PROTO0;
	case BTF_K_VAR:
		return blob__var(s, "v", ID_INT, 0);
	case BTF_K_DATASEC:
		return blob__type(s, kind, ".data", 0, false, 0);
	case BTF_K_FLOAT:
		return blob__type(s, kind, "float", 0, false, 4);
	case BTF_K_DECL_TAG:
		id = blob__ref(s, kind, "tag", ID_STRUCT);
		blob__word(s, UINT32_MAX);
		return id;
	case BTF_K_LOC_PARAM:
		return blob__loc_param(s, 4, LOC_F_REG, 1, (uint32_t[]){ 5 });
	case BTF_K_LOC_PROTO:
		return blob__loc_proto(s, 0, NULL);
	default:
		return blob__locsec(s, ".init.text", 0);
	}
}

/* What may stand between a parameter and its type. */
enum way { DIRECT, BEHIND_PTR, IN_ARRAY, QUALIFIED, TAKEN, GIVEN, TWO_DEEP, HIDDEN, NR_WAYS };

static uint32_t proto__of(struct blob *s, uint32_t ret, uint32_t type, const char *name)
{
	uint32_t id = blob__proto(s, ret, 1);

	blob__param(s, name, type);
	return id;
}

static uint32_t way__build(struct blob *s, enum way way, uint32_t type)
{
	switch (way) {
	case DIRECT:
		return type;
	case BEHIND_PTR:
		return blob__ref(s, BTF_K_PTR, NULL, type);
	case IN_ARRAY:
		return blob__array(s, type, ID_INT, 2);
	case QUALIFIED:
		return blob__ref(s, BTF_K_CONST, NULL, type);
	case TAKEN:
		return blob__ref(s, BTF_K_PTR, NULL, proto__of(s, 0, type, "p"));
	case GIVEN:
		return blob__ref(s, BTF_K_PTR, NULL, proto__of(s, type, ID_INT, "p"));
	case TWO_DEEP:
		return blob__ref(s, BTF_K_PTR, NULL, blob__ref(s, BTF_K_PTR, NULL, type));
	default:	/* a name stands for it, and is what is printed */
		return blob__ref(s, BTF_K_TYPEDEF, "name", type);
	}
}

/* What the reader refuses, it does in words; the rest is asked for, all of it. */
static void check_way(bool big, uint32_t kind, enum way way, bool named)
{
	bool sound = kinds[kind].is_value || way == HIDDEN || !named;
	struct btf_locs *locs = NULL;
	struct btf_locs_err err;
	struct btf_locs_param param;
	struct btf_locs_rec rec;
	uint32_t type, of, func;
	struct blob base, sec;
	char text[256], what[96];
	int ret;

	locs_base__build(&base, big);
	locs_sec__init(&sec, &base, 1, NULL);
	of = kind__build(&sec, kind);
	type = way__build(&sec, way, of);
	func = blob__func(&sec, "f", proto__of(&sec, 0, type, "x"), 0);
	blob__locsec(&sec, ".text", 1);
	blob__rec(&sec, named ? func : ID_FOO, 0, 4);
	ret = locs_open__blob(&base, NULL, &sec, &locs, &err);
	if (sound) {
		if (ret)
			fail_msg("%s, way %d: %s", kinds[kind].name, way, err.text);
		assert_int_equal(btf_locs__rec(locs, btf_locs__nr_secs(locs) - 1, 0, &rec), 0);
		assert_int_equal(btf_locs__param(locs, &rec, 0, &param), 0);
		assert_true(btf_locs__type_str(locs, param.type_id, NULL, text,
					       sizeof(text)) > 0);
		if (way == DIRECT && named)
			assert_string_equal(text, kinds[kind].c);
		btf_locs__close(locs);
	} else {
		assert_int_equal(ret, -EBADMSG);
		snprintf(what, sizeof(what), "record 0: parameter 0 of 'f' is of type %u, %s %s: "
			 "no type of a value", type, way == DIRECT ? "a" : "made of a",
			 kinds[kind].name);
		if (!strstr(err.text, what))
			fail_msg("%s, way %d\n  is:   %s\n  want: %s", kinds[kind].name, way,
				 err.text, what);
	}
	blob__free(&base);
	blob__free(&sec);
}

static void test_kinds(void **state)
{
	for (uint32_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++)
		for (enum way way = 0; way < NR_WAYS; way++) {
			check_way(*state != NULL, kind, way, true);
			check_way(*state != NULL, kind, way, false);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_ORDERS(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
