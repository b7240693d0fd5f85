// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* locs_name.c - the names of detached sections */
#include "locs_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "locs_format.h"

/* @len less @suffix where the name of @len bytes ends in it and is more than it; else 0. */
static size_t name__stem(const char *name, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len > n && !memcmp(name + len - n, suffix, n) ? len - n : 0;
}

size_t locs_path__unpacked(const char *path)
{
	static const char *const packed[] = { ".gz", ".xz", ".zst" };
	size_t i, stem, len = strlen(path);

	for (i = 0; i < sizeof(packed) / sizeof(packed[0]); i++) {
		stem = name__stem(path, len, packed[i]);
		if (stem)
			return stem;
	}
	return len;
}

int locs_path__beside(const char *path, char **out)
{
	size_t stem = name__stem(path, locs_path__unpacked(path), LOCS_SUFFIX);

	*out = stem ? strndup(path, stem) : NULL;
	return stem && !*out ? -ENOMEM : 0;
}

bool locs_path__wants_gzip(const char *path)
{
	return name__stem(path, strlen(path), ".gz");
}
