/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * btf_chain.h - base, split and doubly split BTF as one id and string space
 *
 * A chain is a row of blobs ("levels"), the root first. Ids and string offsets of a
 * level continue those of the level below. Blobs are read in place, in either byte
 * order (one order a chain), and are validated when they are added: afterwards
 * every id below btf_chain__nr_types() and every string offset that a type names
 * can be used without a check.
 *
 * A chain is not changed by looking things up, once btf_chain__index() has run: many
 * threads may then share it.
 */
#ifndef LOCS_BTF_CHAIN_H
#define LOCS_BTF_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "locs_format.h"

struct btf_chain;

/* One type in host order. @data points at what follows its 12 bytes, in file order. */
struct btf_type_view {
	uint32_t id;
	uint32_t name_off;
	uint32_t kind;		/* enum btf_kind */
	uint32_t vlen;
	bool kflag;
	uint32_t size;		/* size, or type id: the same word */
	const uint8_t *data;
	size_t data_size;	/* bytes of @data that belong to the type */
};

struct btf_member_view {
	uint32_t name_off;
	uint32_t type;
	uint32_t bit_off;
	uint32_t bit_size;	/* of a bitfield, else 0 */
};

struct btf_param_view {
	uint32_t name_off;	/* name_off 0 and type 0 at the end: varargs */
	uint32_t type;
};

struct btf_array_view {
	uint32_t type;
	uint32_t index_type;
	uint32_t nelems;
};

/* An empty chain: type 0 (void) and the string at 0 (""). NULL: no memory. */
struct btf_chain *btf_chain__new(void);
/*
 * A chain that begins with the levels of @below, which is borrowed and must not change as long
 * as the new one is used: many chains, in many threads, may stand on one. NULL: no memory.
 */
struct btf_chain *btf_chain__new_on(const struct btf_chain *below);
void btf_chain__free(struct btf_chain *c);	/* NULL is accepted */

/*
 * Adds a level. @data (@size bytes) is borrowed until the chain is freed. Headers
 * of 24 bytes and more are taken (32 and more: a layout section, whose entry
 * sizes let an unknown kind be stepped over; without one an unknown kind is refused).
 * With @locs the kinds 20 to 22 are accepted, and their ids and strings are checked
 * to be in range; what else a .BTF.func_info must fulfil is the reader's business.
 *
 * Checked: magic, version, header length, parts inside the blob, not overlapping,
 * types aligned to 4; every string table ended by a NUL; every type complete; every
 * id and name offset in range (forward ids in the same level are legal); an INT's
 * bits; an ARRAY's, FUNC's (its type a FUNC_PROTO), FUNC_PROTO's, VAR's and DECL_TAG's
 * form; no type made of itself through pointers, arrays, typedefs and qualifiers alone,
 * so that following these ends. A root level's string table begins with a NUL.
 *
 * -EBADMSG and a line in @err ("type 17 (STRUCT 'foo') at 0x1234: member 3 names type
 * 99999 of 812"), the chain unchanged; -EINVAL: another byte order than the levels
 * below; -ENOMEM.
 */
int btf_chain__add(struct btf_chain *c, const void *data, size_t size, bool locs,
		   struct btf_locs_err *err);

/*
 * Notes that the root is a distilled one (.BTF.base): it has those types of the kernel's alone that
 * the level above names, structs, unions and enums without what is in them.
 */
void btf_chain__set_distilled(struct btf_chain *c);
bool btf_chain__is_distilled(const struct btf_chain *c);

/*
 * Whether the blob is a split one: it has no empty string at its offset 0.
 * 0 or 1, -EBADMSG where that cannot be told.
 */
int btf_blob__is_split(const void *data, size_t size);

bool btf_chain__big(const struct btf_chain *c);
uint32_t btf_chain__nr_levels(const struct btf_chain *c);
/* Ids are 0 (void) to nr_types - 1. */
uint32_t btf_chain__nr_types(const struct btf_chain *c);
/* String offsets are 0 to str_size - 1. */
uint32_t btf_chain__str_size(const struct btf_chain *c);

/* What an identity of one level is made of, see `base_types` and `base_crc32`. */
struct btf_level_info {
	uint32_t first_type;	/* id of its first type: 1 for the root */
	uint32_t nr_types;	/* void not counted */
	uint32_t first_str;	/* offset of its first string byte */
	uint32_t str_size;	/* bytes of its string table */
	const uint8_t *types;	/* in place */
	uint32_t types_size;
	const char *strs;	/* in place */
	uint32_t crc32;		/* zlib's, of its type bytes, then its string bytes */
};
/*
 * @level from 0, the root. -ERANGE past the last. The CRC is computed by the call, unless
 * btf_chain__index() has done so.
 */
int btf_chain__level(const struct btf_chain *c, uint32_t level,
		     struct btf_level_info *out);

/* The identity of all levels below one, see `below_types` and `below_crc32`. */
struct btf_below_info {
	uint32_t nr_types;	/* void not counted */
	uint32_t str_size;	/* bytes of their string tables */
	uint32_t crc32;		/* zlib's, of the root's types and strings, then the next one's */
};
/* Those below @level, none (all 0) below 0. -ERANGE past the last. */
int btf_chain__below(const struct btf_chain *c, uint32_t level, struct btf_below_info *out);

/* Type @id. -ERANGE for an id that is not there. Id 0 is kind 0. */
int btf_chain__type(const struct btf_chain *c, uint32_t id, struct btf_type_view *out);

/* A string, or NULL for an offset outside. In the middle of one is legal. */
const char *btf_chain__str(const struct btf_chain *c, uint32_t off);
/* A type's name, "" if it has none (or the id is not there). */
const char *btf_chain__name(const struct btf_chain *c, uint32_t id);

/* Elements of a view; -ERANGE for an index past vlen, -EINVAL for another kind. */
int btf_chain__member(const struct btf_chain *c, const struct btf_type_view *t,
		      uint32_t i, struct btf_member_view *out);
int btf_chain__param(const struct btf_chain *c, const struct btf_type_view *t,
		     uint32_t i, struct btf_param_view *out);
int btf_chain__array(const struct btf_chain *c, const struct btf_type_view *t,
		     struct btf_array_view *out);
/* An enumerator of ENUM or ENUM64, @val as 64 bits, widened by the type's sign. */
int btf_chain__enumerator(const struct btf_chain *c, const struct btf_type_view *t,
			  uint32_t i, uint32_t *name_off, uint64_t *val);
/* The @i'th 4-byte word of @data. -ERANGE past data_size. */
int btf_chain__word(const struct btf_chain *c, const struct btf_type_view *t,
		    uint32_t i, uint32_t *out);

/*
 * Builds the indexes that the look-ups below need, over all levels but those of a chain that
 * it stands on, whose own are used. To be called once, after the last btf_chain__add(), which
 * drops them; look-ups without an index find nothing. Names are told apart by content, not by offset. 0 or -ENOMEM.
 */
int btf_chain__index(struct btf_chain *c);

/*
 * The lowest id above @after of a type of @kind named @name (not empty), 0 if there is
 * none. Ids ascend over repeated calls: for (id = 0; (id = find(c, k, n, id)); ).
 */
uint32_t btf_chain__find(const struct btf_chain *c, uint32_t kind, const char *name,
			 uint32_t after);
/*
 * Likewise, an unnamed STRUCT, UNION, ENUM or ENUM64 of this size, number of members
 * and name of the first member or enumerator ("" for none).
 */
uint32_t btf_chain__find_anon(const struct btf_chain *c, uint32_t kind, uint32_t size,
			      uint32_t vlen, const char *first, uint32_t after);
/*
 * Likewise, a type that is what it refers to: PTR, CONST, VOLATILE, RESTRICT (@name ""),
 * TYPEDEF, TYPE_TAG, FUNC (by @name and @type).
 */
uint32_t btf_chain__find_ref(const struct btf_chain *c, uint32_t kind, const char *name,
			     uint32_t type, uint32_t after);
/* The first ARRAY of @nelems elements of @type, whatever its index type. */
uint32_t btf_chain__find_array(const struct btf_chain *c, uint32_t type, uint32_t nelems);

/* A parameter to look a prototype up by; type 0 with name "" at the end: varargs. */
struct btf_proto_param {
	const char *name;	/* "" if it has none, never NULL */
	uint32_t type;
};
/* The first FUNC_PROTO with this return type and exactly these parameters. */
uint32_t btf_chain__find_proto(const struct btf_chain *c, uint32_t ret,
			       const struct btf_proto_param *params, uint32_t nr);
/* The offset of a whole string, 0 only for "". -ENOENT if the chain has no such one. */
int64_t btf_chain__find_str(const struct btf_chain *c, const char *str);

/*
 * Finds the types of upper levels that a level below has too: two versions of pahole do not agree
 * on what a split BTF must repeat. They are the same in structure by btf_chain__equal()'s rule,
 * but for an enum's sign, of which versions say different things. The look-ups by what a type
 * refers to (find_ref, find_array, find_proto) then take twins for one. Needs the index;
 * btf_chain__add() and btf_chain__index() forget what
 * was found. 0, -E2BIG: the comparisons met their bound (BTF_TWIN_STEPS_MAX), some twins are
 * not known; -ENOMEM: none is.
 */
#define BTF_TWIN_STEPS_MAX 5000000
int btf_chain__find_twins(struct btf_chain *c);
/* The lowest id that is the same as @id in a level below, @id where none is known. */
uint32_t btf_chain__twin(const struct btf_chain *c, uint32_t id);

/*
 * Whether two types are one and the same in structure: same kind, name, size, and
 * elements whose types are the same in structure in turn; cycles are followed once. A
 * FUNC's linkage and an ARRAY's index type count. 1, 0, or a negative errno (-ERANGE: an
 * id that is not there; -ENOMEM). Needs no index.
 */
int btf_chain__equal(const struct btf_chain *c, uint32_t a, uint32_t b);

/* "STRUCT", ...; "UNKNOWN" for a kind that is not there. */
const char *btf_kind__str(uint32_t kind);

#endif
