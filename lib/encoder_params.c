// SPDX-License-Identifier: GPL-2.0-only
/* encoder_params.c - a location as a LOC_PARAM's words */
#include "encoder_params.h"

#include "locs_format.h"

static uint32_t put_offset(int64_t off, uint32_t *words)
{
	words[0] = (uint32_t)off;
	words[1] = (uint64_t)off >> 32;
	/* one word where it says the same when widened by its sign */
	return off == (int32_t)off ? 1 : 2;
}

/* A constant: the kernel's own reader takes a second word wherever size is above 4. */
static uint32_t put_const(const struct loc *l, uint32_t *words)
{
	words[0] = (uint32_t)l->val;
	words[1] = l->val >> 32;
	return l->size > 4 ? 2 : 1;
}

uint32_t loc_param__words(const struct loc *l, uint32_t sec_name,
			  uint32_t words[LOC_PARAM_WORDS_MAX])
{
	uint32_t n = 0;

	words[n++] = l->size;
	words[n++] = l->flags;
	if (l->flags & LOC_F_REG) {
		words[n++] = l->reg;
		if (l->nr_regs == 2)
			words[n++] = l->reg2;
		if (l->flags & LOC_F_OFFSET)
			n += put_offset(l->off, words + n);
	} else if (l->flags & LOC_F_ADDR) {
		words[n++] = (uint32_t)l->val;
		words[n++] = l->val >> 32;
		if (l->sec)
			words[n++] = sec_name;
	} else {
		n += put_const(l, words + n);
	}
	return n;
}
