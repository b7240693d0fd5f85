/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * produce.h - from an object's DWARF to the bytes of its .BTF.func_info
 *
 * Two steps, since pahole-locs reads the DWARF while the BTF is still being made:
 *   collect	sites, parameters, locations; needs the DWARF alone
 *   encode	types resolved in the base BTF, then the section's bytes
 * Both use @jobs workers; the bytes do not depend on how many.
 */
#ifndef LOCS_PRODUCE_H
#define LOCS_PRODUCE_H

#include <stdio.h>

#include "btf_chain.h"
#include "cursor.h"
#include "locs_set.h"

struct produce;

enum {
	LOCS_FEAT_INLINE = 1,		/* inline_locs: sites, and functions that are not as usual */
	LOCS_FEAT_FUNCS = 2,		/* func_addrs: every function */
};

struct produce_opts {
	size_t sz;			/* sizeof(struct produce_opts) */
	unsigned int features;		/* LOCS_FEAT_*; 0: inline_locs */
	unsigned int jobs;		/* workers, 0: one for each processor */
	const char *lang;		/* only units of these languages, as pahole's --lang */
	const char *lang_exclude;	/* not units of these */
	/*
	 * Told by each thread that is about to read the object, with its path, and with NULL
	 * by the one that closes it; or NULL. A large object is mapped, and one that is cut
	 * then is a SIGBUS (elf_file__map()); of a small one it is an error.
	 */
	void (*reading)(const char *path);
};

/*
 * Opens @path and looks whether its DWARF can be read. @opts: NULL for the defaults; borrowed
 * strings must outlive @out. -ENODATA: no debug info; -EIO: it cannot be read, or was changed
 * meanwhile, as from the calls below. @err's line does not name the file.
 */
int produce__open(const char *path, const struct produce_opts *opts, struct produce **out,
		  struct btf_locs_err *err);
/* The object, for whoever looks for its .BTF. */
struct elf_file *produce__file(struct produce *p);
/* Step one. The file's bytes must not change until produce__encode() is done. */
int produce__collect(struct produce *p, struct btf_locs_err *err);
/*
 * Step two; does step one if it has not been done. @base: the chain that the object's
 * types live in, indexed by this call. @out: the section's bytes, wbuf__free() them.
 */
int produce__encode(struct produce *p, struct btf_chain *base, struct wbuf *out,
		    struct btf_locs_err *err);
/* What was found and what was not, valid after produce__encode(). */
const struct locs_stats *produce__stats(const struct produce *p);
void produce__close(struct produce *p);		/* NULL is accepted */

/* How many workers @jobs, as in the opts, comes to: 1 to 256. */
unsigned int produce__jobs(unsigned int jobs);

/* Adds the figures of another object. */
void locs_stats__add(struct locs_stats *to, const struct locs_stats *from);
/* Lines for -V: what was found, and why the rest was not. */
void locs_stats__print(const struct locs_stats *st, FILE *out);

#endif
