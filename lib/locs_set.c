// SPDX-License-Identifier: GPL-2.0-only
/* locs_set.c - the records of one compilation unit, between loader and encoder */
#include "locs_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *loc_reason__str(enum loc_reason why)
{
	static const char *const names[LOC_NR_REASONS] = {
		[LOC_OK] = "located",
		[LOC_NO_CHILD] = "no_child",
		[LOC_NO_ATTR] = "no_attribute",
		[LOC_NOT_AT_ENTRY] = "not_at_entry",
		[LOC_NO_VIEWS] = "no_views",
		[LOC_TWO_WAYS] = "two_ways",
		[LOC_NOT_STORED] = "not_stored",
		[LOC_BOOL_BITS] = "bool_bits",
		[LOC_EMPTY] = "optimized_out",
		[LOC_ENTRY_VALUE] = "entry_value",
		[LOC_IMPLICIT_POINTER] = "implicit_pointer",
		[LOC_PARAMETER_REF] = "parameter_ref",
		[LOC_ARITHMETIC] = "arithmetic",
		[LOC_PIECES] = "pieces",
		[LOC_NARROW] = "fewer_bytes",
		[LOC_REGISTER] = "vector_register",
		[LOC_FLOAT_CONST] = "float_constant",
		[LOC_WIDE_CONST] = "wide_constant",
		[LOC_NO_FRAME_BASE] = "no_frame_base",
		[LOC_TLS] = "thread_local",
		[LOC_NO_SIZE] = "no_size",
		[LOC_OUTSIDE] = "address_outside",
		[LOC_UNKNOWN_OP] = "unknown_operator",
		[LOC_MALFORMED] = "malformed",
		[LOC_WORK_LIMIT] = "work_limit",
	};

	return why < LOC_NR_REASONS ? names[why] : "unknown";
}

const char *skip_reason__str(enum skip_reason why)
{
	static const char *const names[SKIP_NR_REASONS] = {
		[SKIP_NO_ADDRESS] = "no_address",
		[SKIP_TOMBSTONE] = "tombstone",
		[SKIP_NOT_EXEC] = "not_executable",
		[SKIP_NO_NAME] = "no_name",
		[SKIP_NO_ORIGIN] = "no_origin",
		[SKIP_TYPE] = "prototype",
		[SKIP_SECTION_NAME] = "section_name",
		[SKIP_OUTSIDE] = "outside_function",
		[SKIP_NO_SYMBOL] = "no_symbol",
		[SKIP_TOO_DEEP] = "too_deep",
	};

	return why < SKIP_NR_REASONS ? names[why] : "unknown";
}

const char *limit_reason__str(enum limit_reason why)
{
	static const char *const names[LIMIT_NR_REASONS] = {
		[LIMIT_TYPES] = "types",
		[LIMIT_TWINS] = "twins",
		[LIMIT_MERGE] = "merge",
	};

	return why < LIMIT_NR_REASONS ? names[why] : "unknown";
}

void locs_set__init(struct locs_set *set)
{
	memset(set, 0, sizeof(*set));
}

void locs_set__free(struct locs_set *set)
{
	free(set->funcs);
	free(set->recs);
	free(set->locs);
	free(set->reasons);
	free(set->types);
	free(set->elems);
	locs_set__init(set);
}

void locs_set__reset(struct locs_set *set)
{
	set->nr_funcs = set->nr_recs = set->nr_locs = 0;
	set->nr_types = set->nr_elems = 0;
	set->sites = set->functions = set->limited = 0;
	memset(set->skip, 0, sizeof(set->skip));
	memset(set->func_skip, 0, sizeof(set->func_skip));
}

int array__grow(void **data, size_t *cap, size_t need, size_t elem)
{
	size_t n = *cap ? *cap : 16, bytes;
	void *p;

	while (n < need)
		if (__builtin_mul_overflow(n, (size_t)2, &n))
			return -ENOMEM;
	if (__builtin_mul_overflow(n, elem, &bytes))
		return -ENOMEM;
	p = realloc(*data, bytes);
	if (!p)
		return -ENOMEM;
	*data = p;
	*cap = n;
	return 0;
}
