/* SPDX-License-Identifier: GPL-2.0-only */
/* file_ids.h - files by what they are, not by their names: links to one are one */
#ifndef CMD_FILE_IDS_H
#define CMD_FILE_IDS_H

#include <stddef.h>
#include <sys/stat.h>

struct file_id {
	dev_t dev;
	ino_t ino;
	const char *path;	/* borrowed */
};

struct file_ids {
	struct file_id *v;	/* sorted by file */
	size_t nr;
};

/* Those of @paths that are there; the rest is nobody's. -ENOMEM. To be freed in any case. */
int file_ids__add(struct file_ids *ids, const char *const *paths, size_t nr);
void file_ids__free(struct file_ids *ids);
/* The name that the file @st was added under, or NULL. */
const char *file_ids__find(const struct file_ids *ids, const struct stat *st);
/* Two that are one file, or NULL: the first of them, the other stands behind it. */
const struct file_id *file_ids__twice(const struct file_ids *ids);

#endif
