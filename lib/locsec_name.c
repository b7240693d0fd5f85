// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* locsec_name.c - a LOCSEC's name: its kind of record and its ELF section */
#include "locsec_name.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "locs_format.h"

static const char *const locsec_prefixes[] = {
	[BTF_LOCS_INLINE]	= LOCSEC_PREFIX_INLINE,
	[BTF_LOCS_GUESS]	= LOCSEC_PREFIX_GUESS,
	[BTF_LOCS_PART]		= LOCSEC_PREFIX_PART,
	[BTF_LOCS_FUNC]		= LOCSEC_PREFIX_FUNC,
};

#define NR_PREFIXES (sizeof(locsec_prefixes) / sizeof(locsec_prefixes[0]))

const char *locsec_name__parse(const char *name, enum btf_locs_kind *kind)
{
	size_t i, len;

	for (i = 0; i < NR_PREFIXES; i++) {
		len = strlen(locsec_prefixes[i]);
		if (strncmp(name, locsec_prefixes[i], len))
			continue;
		if (name[len] != '.' && name[len] != ':')
			continue;
		*kind = i;
		return name + len + (name[len] == ':');
	}
	*kind = BTF_LOCS_INLINE;
	return name;
}

int locsec_name__make(enum btf_locs_kind kind, const char *section, char *buf,
		      size_t size)
{
	enum btf_locs_kind as_is;
	const char *prefix = locs_kind__str(kind), *colon;

	/* an inline site's needs no prefix, unless it would be read as one */
	if (kind == BTF_LOCS_INLINE && locsec_name__parse(section, &as_is) == section)
		prefix = "";
	colon = *prefix && *section != '.' ? ":" : "";
	if (strlen(prefix) + strlen(colon) + strlen(section) >= size)
		return -ENAMETOOLONG;
	snprintf(buf, size, "%s%s%s", prefix, colon, section);
	return 0;
}

const char *locs_kind__str(enum btf_locs_kind kind)
{
	return (size_t)kind < NR_PREFIXES ? locsec_prefixes[kind] : "unknown";
}
