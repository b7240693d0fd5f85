/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* type_text.h - a declaration for a printer, however long */
#ifndef LOCS_TYPE_TEXT_H
#define LOCS_TYPE_TEXT_H

#include <errno.h>
#include <stdlib.h>

#include "../btf_locs.h"

struct type_text {
	char *str;
	char buf[1024];		/* what most fit into */
};

/* btf_locs__type_str() whole, in @str, to be freed after success. -EINVAL, -ENOMEM. */
static inline int type_text__get(struct type_text *t, const struct btf_locs *locs, uint32_t type,
				 const char *name)
{
	int len = btf_locs__type_str(locs, type, name, t->buf, sizeof(t->buf));

	if (len < 0)
		return len;
	t->str = t->buf;
	if ((size_t)len < sizeof(t->buf))
		return 0;
	t->str = malloc((size_t)len + 1);
	if (!t->str)
		return -ENOMEM;
	btf_locs__type_str(locs, type, name, t->str, (size_t)len + 1);
	return 0;
}

static inline void type_text__free(struct type_text *t)
{
	if (t->str != t->buf)
		free(t->str);
}

#endif
