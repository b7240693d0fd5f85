// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* btf_base.c - which BTF an object's types live in, opened and kept open */
#include "btf_base.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_bytes.h"
#include "locs_name.h"
#include "unpack.h"

#define BTF_BASE	".BTF.base"

/* A file that a level lies in: ELF, or raw bytes. */
struct base_file {
	struct elf_file *elf;
	void *raw;
	size_t raw_size;
};

struct btf_base {
	struct btf_chain *chain;
	struct base_file *files;
	size_t nr_files;
	size_t max_files;
	/* of one that others stand on */
	bool named;		/* -B named it; else it is the running kernel's */
	int missing;		/* why that one cannot be had, with a line in @why */
	struct btf_locs_err why;
};

/* The object whose chain is wanted, and what was named to stand below it. */
struct base_job {
	struct btf_base *b;
	const char *const *bases;
	size_t nr_bases;
	const struct btf_base *below;	/* NULL, or what stands for the two above */
	bool named;			/* there are bases */
	struct btf_locs_err *err;
};

static int fail_nomem(struct btf_locs_err *err)
{
	return locs_err__set(err, -ENOMEM, "out of memory");
}

/* The file's name before a line that came without it. */
static int fail_in(struct btf_locs_err *err, int code, const char *path,
		   const struct btf_locs_err *why)
{
	return locs_err__set(err, code, "%s: %s", path, locs_err__text(why, code));
}

/* Room for one more file; it stays empty until its owner fills it. */
static struct base_file *base__new_file(struct btf_base *b)
{
	size_t max = b->max_files * 2 + 4;
	struct base_file *files;

	if (b->nr_files == b->max_files) {
		files = reallocarray(b->files, max, sizeof(*files));
		if (!files)
			return NULL;
		b->files = files;
		b->max_files = max;
	}
	memset(&b->files[b->nr_files], 0, sizeof(*files));
	return &b->files[b->nr_files++];
}

/* Opens @path as one of @b's files, ELF or raw. */
static int base__open_file(struct btf_base *b, const char *path, struct base_file **out,
			   struct btf_locs_err *err)
{
	struct base_file *f = base__new_file(b);
	struct btf_locs_err why = { "" };
	struct plain_file plain;
	int ret, is_elf;

	if (!f)
		return fail_nomem(err);
	ret = file__open_plain(path, &plain, &why);
	if (ret)
		return fail_in(err, ret, path, &why);
	is_elf = fd__is_elf(plain.fd);
	if (is_elf > 0) {
		/* the descriptor is the ELF file's from here on */
		ret = elf_file__open_plain(path, &plain, &f->elf, &why);
	} else {
		ret = is_elf < 0 ? read__failed(is_elf, &why) :
				   fd__read_all(plain.fd, plain.size, &f->raw, &f->raw_size, &why);
		close(plain.fd);
	}
	if (ret)
		return fail_in(err, ret, path, &why);
	*out = f;
	return 0;
}

/*
 * The bytes of a section. -ENOENT without a line: there is none, or no more than its
 * header (objcopy --only-keep-debug).
 */
static int elf__section(struct elf_file *elf, const char *path, const char *name,
			const void **data, size_t *size, struct btf_locs_err *err)
{
	struct btf_locs_err why = { "" };
	struct elf_sec sec;
	int ret;

	if (elf_file__sec_by_name(elf, name, &sec) || sec.type == SHT_NOBITS)
		return -ENOENT;
	ret = elf_file__data(elf, sec.idx, data, size, &why);
	return ret ? fail_in(err, ret, path, &why) : 0;
}

/* One level more. @sec: the section it stands in, NULL for a raw file. */
static int base__add(struct btf_base *b, const char *path, const char *sec,
		     const void *data, size_t size, struct btf_locs_err *err)
{
	struct btf_locs_err why = { "" };
	int ret = btf_chain__add(b->chain, data, size, false, &why);

	if (!ret)
		return 0;
	if (!sec)
		return fail_in(err, ret, path, &why);
	return locs_err__set(err, ret, "%s: %s: %s", path, sec,
			     locs_err__text(&why, ret));
}

/*
 * An object's own base, which its .BTF is made upon whatever else there is (distilled: of
 * the kernel's types those alone that it needs). -ENOENT without a line: it has none.
 */
static int base__add_distilled(struct btf_base *b, const char *path, struct elf_file *elf,
			       struct btf_locs_err *err)
{
	const void *data;
	size_t size;
	int ret;

	ret = elf__section(elf, path, BTF_BASE, &data, &size, err);
	if (ret)
		return ret;
	if (btf_chain__nr_levels(b->chain))
		return locs_err__set(err, -EINVAL, "%s: stands on its own " BTF_BASE
				     ", not on another base: name it alone", path);
	ret = base__add(b, path, BTF_BASE, data, size, err);
	if (!ret)
		btf_chain__set_distilled(b->chain);
	return ret;
}

/* A file to stand in the chain as it is: its .BTF, or its bytes. */
static int base__add_file(struct btf_base *b, const char *path, struct btf_locs_err *err)
{
	const char *sec = NULL;
	struct base_file *f;
	const void *data;
	size_t size;
	int ret;

	ret = base__open_file(b, path, &f, err);
	if (ret)
		return ret;
	data = f->raw;
	size = f->raw_size;
	if (f->elf) {
		sec = ".BTF";
		ret = elf__section(f->elf, path, sec, &data, &size, err);
		if (ret == -ENOENT)
			return locs_err__set(err, ret, "%s: no .BTF", path);
		if (!ret && btf_blob__is_split(data, size) > 0)
			ret = base__add_distilled(b, path, f->elf, err);
		if (ret && ret != -ENOENT)
			return ret;
	}
	if (btf_chain__nr_levels(b->chain) && !btf_blob__is_split(data, size))
		return locs_err__set(err, -EINVAL, "%s: is not split BTF, it cannot "
				     "stand on another base", path);
	return base__add(b, path, sec, data, size, err);
}

/* The object's chain, still empty, goes on from the shared one. */
static int job__stand_on_below(const struct base_job *j)
{
	struct btf_chain *c = btf_chain__new_on(j->below->chain);

	if (!c)
		return fail_nomem(j->err);
	btf_chain__free(j->b->chain);
	j->b->chain = c;
	return 0;
}

static int job__add_bases(const struct base_job *j)
{
	size_t i;
	int ret = 0;

	if (j->below)
		return job__stand_on_below(j);
	for (i = 0; i < j->nr_bases && !ret; i++)
		ret = base__add_file(j->b, j->bases[i], j->err);
	return ret;
}

/* The running kernel's, for want of anything named. */
static int job__add_kernel(const struct base_job *j, const char *path)
{
	struct btf_locs_err why = { "" };
	int ret;

	if (j->below) {
		ret = j->below->missing;
		why = j->below->why;
	} else {
		ret = base__add_file(j->b, KERNEL_BTF, &why);
	}
	if (ret)
		return locs_err__set(j->err, ret, "%s: needs a base and none is named: %s",
				     path, locs_err__text(&why, ret));
	return j->below ? job__stand_on_below(j) : 0;
}

/* What an object's split BTF stands on. @elf: NULL where the object is raw BTF. */
static int job__add_below(const struct base_job *j, const char *path,
			  struct elf_file *elf)
{
	int ret = elf ? base__add_distilled(j->b, path, elf, j->err) : -ENOENT;

	if (ret != -ENOENT)
		return ret;
	return j->named ? job__add_bases(j) : job__add_kernel(j, path);
}

/* What cannot be read upon its base is another kernel's most of the time. */
static int job__add_split(const struct base_job *j, const char *path, const void *data,
			  size_t size)
{
	struct btf_locs_err why = { "" };
	int ret = btf_chain__add(j->b->chain, data, size, false, &why);

	if (ret != -EBADMSG || btf_chain__is_distilled(j->b->chain))
		return ret ? locs_err__set(j->err, ret, "%s: .BTF: %s", path,
					   locs_err__text(&why, ret)) : 0;
	return locs_err__set(j->err, ret, "%s: its .BTF does not fit %s: name its own kernel's "
			     "vmlinux with -B (%s)", path,
			     j->named ? "the base that is named" :
			     "the running kernel's, which was taken as none is named", why.text);
}

/* An object's own BTF, and what belongs below it. @elf: NULL where it is raw BTF. */
static int job__add_own(const struct base_job *j, const char *path, struct elf_file *elf,
			const void *data, size_t size)
{
	int ret, split = btf_blob__is_split(data, size);

	if (!split && j->named)
		return job__add_bases(j);
	/* where it cannot be told (split < 0), adding it fails, and says why */
	if (split <= 0)
		return base__add(j->b, path, elf ? ".BTF" : NULL, data, size, j->err);
	ret = job__add_below(j, path, elf);
	return ret ? ret : job__add_split(j, path, data, size);
}

static int job__add_object(const struct base_job *j, const char *path,
			   struct elf_file *elf)
{
	const void *data;
	size_t size;
	int ret;

	ret = elf__section(elf, path, ".BTF", &data, &size, j->err);
	if (!ret)
		return job__add_own(j, path, elf, data, size);
	if (ret != -ENOENT)
		return ret;
	if (j->named)
		return job__add_bases(j);
	return locs_err__set(j->err, ret, "%s: no .BTF", path);
}

/* The file beside a detached section: its path, malloc'ed, or NULL if there is none. */
static int path__beside(const char *path, char **out)
{
	struct stat st;
	char *beside;
	int ret = locs_path__beside(path, &beside);

	if (ret)
		return ret;
	/* what is there and cannot be read is a failure later, with its reason */
	if (beside && (stat(beside, &st) ? errno == ENOENT || errno == ENOTDIR :
					   S_ISDIR(st.st_mode))) {
		free(beside);
		beside = NULL;
	}
	*out = beside;
	return 0;
}

/* A detached section's chain, when no base is named. */
static int job__add_beside(const struct base_job *j, const char *path)
{
	struct base_file *f;
	char *beside;
	int ret;

	ret = path__beside(path, &beside);
	if (ret)
		return fail_nomem(j->err);
	if (!beside)
		return job__add_kernel(j, path);
	ret = base__open_file(j->b, beside, &f, j->err);
	if (!ret && f->elf)
		ret = job__add_object(j, beside, f->elf);
	else if (!ret)
		ret = job__add_own(j, beside, NULL, f->raw, f->raw_size);
	free(beside);
	return ret;
}

static int job__run(struct base_job *j, const char *path, struct elf_file *file,
		    struct btf_base **out)
{
	struct btf_base *b = calloc(1, sizeof(*b));
	int ret;

	if (!b)
		return fail_nomem(j->err);
	j->b = b;
	b->chain = btf_chain__new();
	if (!b->chain)
		ret = fail_nomem(j->err);
	else if (file)
		ret = job__add_object(j, path, file);
	else if (j->named)
		ret = job__add_bases(j);
	else
		ret = job__add_beside(j, path);
	if (ret) {
		btf_base__close(b);
		return ret;
	}
	*out = b;
	return 0;
}

int btf_base__open(const char *path, struct elf_file *file, const char *const *bases,
		   size_t nr_bases, struct btf_base **out, struct btf_locs_err *err)
{
	struct base_job j = { .bases = bases, .nr_bases = nr_bases, .named = nr_bases,
			      .err = err };

	return job__run(&j, path, file, out);
}

int btf_base__open_on(const char *path, struct elf_file *file, const struct btf_base *below,
		      struct btf_base **out, struct btf_locs_err *err)
{
	struct base_job j = { .below = below, .named = below->named, .err = err };

	return job__run(&j, path, file, out);
}

int btf_base__open_below(const char *const *bases, size_t nr_bases, struct btf_base **out,
			 struct btf_locs_err *err)
{
	struct btf_base *b = calloc(1, sizeof(*b));
	struct base_job j = { .b = b, .bases = bases, .nr_bases = nr_bases, .err = err };
	int ret;

	if (!b)
		return fail_nomem(err);
	b->named = nr_bases;
	b->chain = btf_chain__new();
	if (!b->chain)
		ret = fail_nomem(err);
	else if (nr_bases)
		ret = job__add_bases(&j);
	else
		ret = 0;
	if (!ret && !nr_bases)
		b->missing = base__add_file(b, KERNEL_BTF, &b->why);
	if (!ret && btf_chain__index(b->chain))
		ret = fail_nomem(err);
	if (ret) {
		btf_base__close(b);
		return ret;
	}
	*out = b;
	return 0;
}

void btf_base__close(struct btf_base *b)
{
	size_t i;

	if (!b)
		return;
	btf_chain__free(b->chain);
	for (i = 0; i < b->nr_files; i++) {
		elf_file__close(b->files[i].elf);
		free(b->files[i].raw);
	}
	free(b->files);
	free(b);
}

struct btf_chain *btf_base__chain(struct btf_base *b)
{
	return b->chain;
}
