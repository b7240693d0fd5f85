// SPDX-License-Identifier: GPL-2.0-only
/* encode_one.c - one object's DWARF and BTF -> its section, in it or in a file of its own */
#include "encode_one.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../lib/elf_write.h"
#include "../lib/err.h"
#include "../lib/locs_format.h"
#include "../lib/unpack.h"
#include "kernel_release.h"
#include "out_file.h"

static void fail(struct encode_one *one, int rc, const char *file, const struct btf_locs_err *err)
{
	one->rc = rc;
	snprintf(one->error, sizeof(one->error), "%s: %s", file,
		 locs_err__text(err, rc));
}

/* What need not be read to be known. */
static int check_target(const struct encode_run *run, const struct encode_one *one,
			struct btf_locs_err *err)
{
	const char *packed = one->out ? NULL : file__compression(one->path);
	struct btf_locs_err why = { "" };
	int rc;

	if (!one->out)
		return packed ? packed__no_write(packed, err) : 0;
	rc = out_file__check(one->out, run->inputs, &why);
	return rc ? locs_err__set(err, rc, "-o %s: %s", one->out, why.text) : 0;
}

/* A small module's BTF can seem to fit another kernel's. */
static int check_release(const struct encode_run *run, struct elf_file *file,
			 struct btf_locs_err *err)
{
	char release[RELEASE_SIZE];
	struct elf_sec sec;

	/* one that has a base of its own stands on no kernel's */
	if (!*run->release || !elf_file__sec_by_name(file, ".BTF.base", &sec))
		return 0;
	if (kernel_release__of_module(file, release))
		return -ENOMEM;
	if (!*release || !strcmp(release, run->release))
		return 0;
	return locs_err__set(err, -ESTALE, "is a module of %s, its base is of %s: name its own "
			     "kernel's vmlinux with -B", release, run->release);
}

static int open_base(const struct encode_run *run, const struct encode_one *one,
		     struct elf_file *file, struct btf_base **base, struct btf_locs_err *err)
{
	if (run->below)
		return btf_base__open_on(one->path, file, run->below, base, err);
	return btf_base__open(one->path, file, run->bases, run->nr_bases, base, err);
}

void encode_one__run(const struct encode_run *run, struct encode_one *one)
{
	struct btf_locs_err err = { "" };
	struct btf_base *base = NULL;
	struct produce *p = NULL;
	struct wbuf bytes;
	int rc;

	wbuf__init(&bytes, false);
	rc = check_target(run, one, &err);
	if (!rc)
		rc = produce__open(one->path, &run->opts, &p, &err);
	if (!rc)
		rc = check_release(run, produce__file(p), &err);
	if (rc) {
		fail(one, rc, one->path, &err);
		goto out;
	}
	rc = open_base(run, one, produce__file(p), &base, &err);
	if (rc) {
		/* the line names the file that is wrong itself */
		one->rc = rc;
		snprintf(one->error, sizeof(one->error), "%s",
			 locs_err__text(&err, rc));
		goto out;
	}
	rc = produce__encode(p, btf_base__chain(base), &bytes, &err);
	if (rc) {
		fail(one, rc, one->path, &err);
		goto out;
	}
	one->bytes = bytes.len;
	one->stats = *produce__stats(p);
	rc = one->out ? out_file__write(one->out, run->inputs, bytes.data, bytes.len, &err) :
			elf_write__section(one->path, LOCS_SECTION, bytes.data, bytes.len, &err);
	if (rc)
		fail(one, rc, one->out ? out_file__name(one->out) : one->path, &err);
out:
	wbuf__free(&bytes);
	produce__close(p);
	btf_base__close(base);
}
