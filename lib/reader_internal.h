/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* reader_internal.h - what the files of the reader and the printers share */
#ifndef LOCS_READER_INTERNAL_H
#define LOCS_READER_INTERNAL_H

#include "btf_base.h"
#include "btf_chain.h"
#include "cursor.h"
#include "elf_file.h"
#include "err.h"

/* The key=value strings, in place; @sorted points at the same ones, by key. */
struct locs_keys {
	const char **run;
	const char **sorted;
	size_t nr;
};

struct locs_sec {
	struct btf_locs_sec pub;
	const uint8_t *recs;	/* pub.nr_recs of LOCSEC_REC_SIZE bytes, in place */
};

/* Where the parts of the section stand in its bytes. */
struct locs_parts {
	uint32_t hdr_len;
	uint32_t type_off, type_len;	/* from the end of the header */
	uint32_t str_off, str_len;
	uint32_t layout_off, layout_len;	/* 0 in a header of less than 32 bytes */
	bool big;
};

struct btf_locs {
	struct elf_file *file;	/* the object, or NULL for a detached section */
	void *raw;		/* the detached section's bytes, or NULL */
	struct btf_base *base;
	struct btf_chain *chain;	/* the base's, the section its last level */
	const uint8_t *data;	/* the section's bytes */
	size_t size;
	struct locs_parts parts;
	struct locs_keys keys;
	uint16_t machine;
	uint32_t first_type;	/* the section's own first id */
	uint32_t nr_types;	/* of the whole chain, void counted */
	/*
	 * By id, what a record or a LOC_PROTO may name: LOCS_ID_FUNC or LOCS_ID_PROTO
	 * and a number of parameters; LOCS_ID_PARAM; LOCS_ID_OTHER; 0: nothing has
	 * named it yet. LOCS_ID_SOUND, with one of them: it, or a FUNC's parameters,
	 * are known to be types of values.
	 */
	uint32_t *ids;
	struct locs_sec *secs;
	uint32_t nr_secs;
	uint32_t cap_secs;
};

enum {
	LOCS_ID_NR	= 0x00ffffff,	/* parameters: a vlen, 24 bits */
	LOCS_ID_FUNC	= 0x10000000,
	LOCS_ID_PROTO	= 0x20000000,
	LOCS_ID_PARAM	= 0x40000000,
	LOCS_ID_OTHER	= 0x08000000,
	LOCS_ID_SOUND	= 0x04000000,
};

static inline uint32_t locs_rec__word(const struct btf_locs *locs,
				      const struct locs_sec *sec, uint32_t rec,
				      unsigned int word)
{
	return bytes__u32(sec->recs + (size_t)rec * LOCSEC_REC_SIZE + 4 * word,
			  locs->parts.big);
}

/* reader_keys.c */

/*
 * Reads the section's header and its key=value strings from its bytes alone: the
 * base must be known to be the right one before an id of the section means anything.
 * -EBADMSG, -ENOMEM.
 */
int locs_keys__read(struct btf_locs *locs, struct btf_locs_err *err);
void locs_keys__free(struct locs_keys *keys);
/* The value of @key, or NULL. A key that begins with "sec:" may hold a '='. */
const char *locs_keys__find(const struct locs_keys *keys, const char *key, size_t len);
/* The base is the one that the section was made for: 0, -ESTALE, -EBADMSG. */
int locs_keys__check_base(const struct btf_locs *locs, struct btf_locs_err *err);
/* Link address and size of an ELF section; both 0 if no key says. */
int locs_keys__sec(const struct btf_locs *locs, const char *name, uint64_t *addr,
		   uint64_t *size, struct btf_locs_err *err);
/* Format version and machine: 0, -EBADMSG. */
int locs_keys__check(struct btf_locs *locs, struct btf_locs_err *err);

/* reader_check.c: what format.md lists beyond the chain's own checks; fills ids, secs. */
int btf_locs__check(struct btf_locs *locs, struct btf_locs_err *err);

/* reader_loc.c: a LOC_PARAM's meaning. -EBADMSG: flags, vlen or size not in the table. */
int loc_param__decode(const struct btf_chain *chain, const struct btf_type_view *t,
		      struct btf_locs_loc *out, struct btf_locs_err *err);

#endif
