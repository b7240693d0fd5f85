// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* is_section.c - whether bytes are a section of ours */
#include "is_section.h"

#include <errno.h>

#include "reader_internal.h"

int bytes__are_section(const void *data, size_t size)
{
	static const char version[] = "btf_locs";
	struct btf_locs locs = { .data = data, .size = size };
	int ret = locs_keys__read(&locs, NULL);

	if (ret)
		return ret == -ENOMEM ? ret : 0;
	ret = locs_keys__find(&locs.keys, version, strlen(version)) != NULL;
	locs_keys__free(&locs.keys);
	return ret;
}
