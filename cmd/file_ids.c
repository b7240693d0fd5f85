// SPDX-License-Identifier: GPL-2.0-only
/* file_ids.c - files by what they are, not by their names */
#include "file_ids.h"

#include <errno.h>
#include <stdlib.h>

static int by_file(const void *pa, const void *pb)
{
	const struct file_id *a = pa, *b = pb;

	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	return (a->ino > b->ino) - (a->ino < b->ino);
}

int file_ids__add(struct file_ids *ids, const char *const *paths, size_t nr)
{
	struct file_id *v = reallocarray(ids->v, ids->nr + nr + 1, sizeof(*v));
	struct stat st;
	size_t i;

	if (!v)
		return -ENOMEM;
	ids->v = v;
	for (i = 0; i < nr; i++)
		if (!stat(paths[i], &st))
			v[ids->nr++] = (struct file_id){ st.st_dev, st.st_ino, paths[i] };
	if (ids->nr)
		qsort(v, ids->nr, sizeof(*v), by_file);
	return 0;
}

void file_ids__free(struct file_ids *ids)
{
	free(ids->v);
	*ids = (struct file_ids){ NULL, 0 };
}

const char *file_ids__find(const struct file_ids *ids, const struct stat *st)
{
	const struct file_id key = { st->st_dev, st->st_ino, NULL };
	const struct file_id *f;

	f = ids->nr ? bsearch(&key, ids->v, ids->nr, sizeof(key), by_file) : NULL;
	return f ? f->path : NULL;
}

const struct file_id *file_ids__twice(const struct file_ids *ids)
{
	size_t i;

	for (i = 1; i < ids->nr; i++)
		if (!by_file(&ids->v[i - 1], &ids->v[i]))
			return &ids->v[i - 1];
	return NULL;
}
