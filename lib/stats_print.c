// SPDX-License-Identifier: GPL-2.0-only
/* stats_print.c - figures of several objects added; lines for -V: what was found, and why the rest was not */
#include <inttypes.h>
#include <string.h>

#include "produce.h"

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0.0;
}

static void print_reasons(FILE *out, const char *what, const uint64_t *nr)
{
	unsigned int i;

	for (i = LOC_OK + 1; i < LOC_NR_REASONS; i++)
		if (nr[i])
			fprintf(out, "%s: %s %" PRIu64 "\n", what, loc_reason__str(i), nr[i]);
}

static void print_skipped(FILE *out, const char *what, const uint64_t *nr)
{
	unsigned int i;

	for (i = 0; i < SKIP_NR_REASONS; i++)
		if (nr[i])
			fprintf(out, "%s: %s %" PRIu64 "\n", what, skip_reason__str(i), nr[i]);
}

void locs_stats__add(struct locs_stats *to, const struct locs_stats *from)
{
	uint64_t sum[sizeof(*to) / sizeof(uint64_t)], more[sizeof(*to) / sizeof(uint64_t)];
	size_t i;

	_Static_assert(sizeof(sum) == sizeof(*to), "a struct of 64-bit numbers alone");
	memcpy(sum, to, sizeof(sum));
	memcpy(more, from, sizeof(more));
	for (i = 0; i < sizeof(sum) / sizeof(sum[0]); i++)
		sum[i] += more[i];
	memcpy(to, sum, sizeof(sum));
}

void locs_stats__print(const struct locs_stats *st, FILE *out)
{
	uint64_t recs = st->recs[BTF_LOCS_INLINE] + st->recs[BTF_LOCS_GUESS] +
			st->recs[BTF_LOCS_PART];
	unsigned int i;

	fprintf(out, "units %" PRIu64 "\nsites %" PRIu64 "\n", st->units, st->sites);
	fprintf(out, "records: inline %" PRIu64 ", guess %" PRIu64 ", part %" PRIu64 "\n",
		st->recs[BTF_LOCS_INLINE], st->recs[BTF_LOCS_GUESS],
		st->recs[BTF_LOCS_PART]);
	print_skipped(out, "sites without a record", st->skip);
	fprintf(out, "sites with every parameter located %" PRIu64 " (%.1f %%)\n", st->full,
		percent(st->full, recs));
	fprintf(out, "parameters %" PRIu64 ", located %" PRIu64 " (%.1f %%)\n", st->params,
		st->none[LOC_OK], percent(st->none[LOC_OK], st->params));
	print_reasons(out, "parameters not available", st->none);
	fprintf(out, "functions out of line in the DWARF %" PRIu64 "\nrecords: func %" PRIu64 "\n",
		st->functions, st->recs[BTF_LOCS_FUNC]);
	print_skipped(out, "functions without a record", st->func_skip);
	fprintf(out, "parameters of changed ones %" PRIu64 ", located %" PRIu64 " (%.1f %%)\n",
		st->func_params, st->func_none[LOC_OK],
		percent(st->func_none[LOC_OK], st->func_params));
	print_reasons(out, "parameters of changed ones not available", st->func_none);
	for (i = 0; i < LIMIT_NR_REASONS; i++)
		if (st->limits[i])
			fprintf(out, "bounds met: %s %" PRIu64 "\n", limit_reason__str(i),
				st->limits[i]);
}
