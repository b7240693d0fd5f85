// SPDX-License-Identifier: GPL-2.0-only
/* kernel_release.c - which kernel a vmlinux is, and which one a module is for */
#include "kernel_release.h"

#include <errno.h>
#include <string.h>

#include "../lib/nomem.h"

/* The word at @p, which ends in a blank or a NUL, before @end; "" if it is none. */
static void take_word(const char *p, const char *end, char out[RELEASE_SIZE])
{
	size_t len = 0;

	while (p + len < end && len < RELEASE_SIZE && p[len] > ' ' && p[len] < 0x7f)
		len++;
	out[0] = '\0';
	if (p + len == end || len == RELEASE_SIZE)
		return;
	memcpy(out, p, len);
	out[len] = '\0';
}

/* What follows @key where a string of section @name begins with it and a digit comes next. */
static int find_word(struct elf_file *file, const char *name, const char *key,
		      char out[RELEASE_SIZE])
{
	size_t size, len = strlen(key);
	const char *p, *end;
	struct elf_sec sec;
	const void *data;

	int ret;

	out[0] = '\0';
	if (elf_file__sec_by_name(file, name, &sec))
		return 0;
	ret = elf_file__data(file, sec.idx, &data, &size, NULL);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	end = (const char *)data + size;
	for (p = data; (p = memmem(p, end - p, key, len)); p++)
		if ((p == data || !p[-1]) && end - p > (ptrdiff_t)len && p[len] >= '0' &&
		    p[len] <= '9') {
			take_word(p + len, end, out);
			return 0;
		}
	return 0;
}

int kernel_release__of_vmlinux(const char *path, char out[RELEASE_SIZE])
{
	struct elf_file *file;
	int ret;

	out[0] = '\0';
	nomem__watch();
	ret = nomem__cause(elf_file__open(path, &file, NULL));
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	ret = find_word(file, ".rodata", "Linux version ", out);
	elf_file__close(file);
	return ret;
}

int kernel_release__of_module(struct elf_file *file, char out[RELEASE_SIZE])
{
	return find_word(file, ".modinfo", "vermagic=", out);
}
