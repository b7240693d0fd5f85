/* SPDX-License-Identifier: GPL-2.0-only */
/* encoder_params.h - a location as a LOC_PARAM's words */
#ifndef LOCS_ENCODER_PARAMS_H
#define LOCS_ENCODER_PARAMS_H

#include "locs_set.h"

/* size, flags, then up to four values */
#define LOC_PARAM_WORDS_MAX 6

/*
 * The words of a LOC_PARAM in the smallest form (btf-func-info(5)). @sec_name: string
 * offset of the section that an address is in, for relocatable files. Returns how many.
 */
uint32_t loc_param__words(const struct loc *l, uint32_t sec_name,
			  uint32_t words[LOC_PARAM_WORDS_MAX]);

#endif
