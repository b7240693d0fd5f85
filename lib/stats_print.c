// SPDX-License-Identifier: GPL-2.0-only
/* stats_print.c - lines for -V: what was found, and why the rest was not */
#include <inttypes.h>

#include "produce.h"

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0.0;
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
	for (i = 0; i < SKIP_NR_REASONS; i++)
		if (st->skip[i])
			fprintf(out, "sites without a record: %s %" PRIu64 "\n",
				skip_reason__str(i), st->skip[i]);
	fprintf(out, "sites with every parameter located %" PRIu64 " (%.1f %%)\n", st->full,
		percent(st->full, recs));
	fprintf(out, "parameters %" PRIu64 ", located %" PRIu64 " (%.1f %%)\n", st->params,
		st->none[LOC_OK], percent(st->none[LOC_OK], st->params));
	for (i = LOC_OK + 1; i < LOC_NR_REASONS; i++)
		if (st->none[i])
			fprintf(out, "parameters not available: %s %" PRIu64 "\n",
				loc_reason__str(i), st->none[i]);
}
