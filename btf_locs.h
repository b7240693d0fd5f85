/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * btf_locs.h - read the section .BTF.func_info
 *
 * The section says where the inline sites of a kernel (or of any ELF object)
 * are and, at each of them, where the value of each parameter is. Its layout is
 * described in btf-func-info(5).
 *
 * Three kinds of address occur and are never mixed:
 *   offset	bytes from the first byte of an ELF section
 *   address	as linked: the section's address plus the offset (in a relocatable
 *		file the section's address is 0)
 * A running kernel's address (KASLR) is not known here.
 *
 * Every function returns 0 or a positive number on success and a negative errno
 * on failure, unless its comment says otherwise; outputs are untouched on failure.
 * Nothing here prints, exits, or keeps global state. A handle may be used by
 * several threads at once, as long as none closes it.
 */
#ifndef BTF_LOCS_H
#define BTF_LOCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BTF_LOCS_VERSION_MAJOR 0
#define BTF_LOCS_VERSION_MINOR 1

/*
 * One line, without a newline, that says what is wrong. Empty when nothing is. What stands behind
 * the line's NUL is the library's: copy the whole struct.
 */
struct btf_locs_err {
	char text[256];
};

/* What kind of place a record names; the order is the order of the sections. */
enum btf_locs_kind {
	BTF_LOCS_INLINE = 0,	/* an inline site, entry as the compiler states it */
	BTF_LOCS_GUESS = 1,	/* an inline site, entry is its first range */
	BTF_LOCS_PART = 2,	/* the rest of a call that began elsewhere */
	BTF_LOCS_FUNC = 3,	/* the first byte of an out-of-line function */
};

enum btf_locs_loc_kind {
	BTF_LOCS_LOC_NONE = 0,		/* not available */
	BTF_LOCS_LOC_REG,		/* the value is in @reg */
	BTF_LOCS_LOC_REGS,		/* first word in @reg, second in @reg2 */
	BTF_LOCS_LOC_REGOFF,		/* the value is @reg + @offset */
	BTF_LOCS_LOC_MEM,		/* memory at @reg + @offset */
	BTF_LOCS_LOC_CONST,		/* the value is @value */
	BTF_LOCS_LOC_ADDR,		/* the value is the address @value */
	BTF_LOCS_LOC_MEMADDR,		/* memory at the address @value */
};

/* Where one parameter's value is. Registers are numbered as DWARF numbers them. */
struct btf_locs_loc {
	enum btf_locs_loc_kind kind;
	bool is_signed;		/* widen a value narrower than a register by its sign */
	uint32_t size;		/* bytes of the value */
	uint32_t reg;
	uint32_t reg2;
	int64_t offset;		/* bytes */
	uint64_t value;		/* constant, widened by is_signed; or address as linked */
	const char *section;	/* the section that the address @value is an offset
				 * into (relocatable files), else NULL; the handle's */
};

/* One run of records: those of one kind in one ELF section. */
struct btf_locs_sec {
	uint32_t type_id;	/* of the LOCSEC */
	enum btf_locs_kind kind;
	const char *name;	/* ".text"; the handle's */
	uint64_t address;	/* as linked; 0 in a relocatable file */
	uint64_t size;		/* bytes of the ELF section; 0 if not known */
	uint32_t nr_recs;
};

/* One record. Pointers belong to the handle. */
struct btf_locs_rec {
	enum btf_locs_kind kind;
	const char *section;
	const char *func;	/* name of the function, as in the source */
	uint64_t address;	/* as linked */
	uint32_t offset;	/* from the section's first byte */
	uint32_t func_id;	/* BTF id of the FUNC */
	uint32_t loc_proto_id;	/* BTF id of the LOC_PROTO, or 0: conforming */
	uint32_t nr_params;	/* of the prototype, varargs not counted */
	bool partial;		/* the base has the FUNC: it is called out of line too */
};

/* One parameter of a record. */
struct btf_locs_param {
	const char *name;	/* "" if it has none; the handle's */
	uint32_t type_id;	/* BTF id */
	uint32_t loc_param_id;	/* BTF id of the LOC_PARAM, or 0 */
	struct btf_locs_loc loc;
};

struct btf_locs;

/* What the shared library exports: all that is declared from here on, nothing else. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* BTF that many sections stand on: a kernel's, for its modules. */
struct btf_locs_base;

/**
 * struct btf_locs_open_opts - how to open
 * @sz: sizeof(struct btf_locs_open_opts), for compatibility
 * @bases: paths of the base BTF, the root first; ELF or raw
 * @nr_bases: how many
 * @err: gets one line when opening fails, which begins with the name of the file that
 *	is wrong (it may be a base); may be NULL
 * @base: NULL, or what stands for @bases, opened before; it must stay open as long as the handle
 *
 * Without @bases the base is the file's own .BTF; for a detached FILE.func_info (also with
 * .gz, .xz or .zst behind that) the file FILE beside it, else /sys/kernel/btf/vmlinux; and
 * where that .BTF is itself a split one (a module), below it stands /sys/kernel/btf/vmlinux.
 * @bases stand below a module's .BTF, too; but one that has its own .BTF.base stands on that
 * alone.
 */
struct btf_locs_open_opts {
	size_t sz;
	const char *const *bases;
	size_t nr_bases;
	struct btf_locs_err *err;
	const struct btf_locs_base *base;
};

/**
 * btf_locs__open_base() - open what many sections stand on, once
 * @bases, @nr_bases: as in the opts; none: /sys/kernel/btf/vmlinux, and that it is not
 *	there is an error only of a section that needs it
 * @err: gets one line when it fails; may be NULL
 * @out: to be closed with btf_locs__close_base(), after all handles that stand on it
 *
 * Threads may open sections upon one base at once. Errors as btf_locs__open() has them.
 */
int btf_locs__open_base(const char *const *bases, size_t nr_bases, struct btf_locs_err *err,
			struct btf_locs_base **out);

/* NULL is accepted. */
void btf_locs__close_base(struct btf_locs_base *base);

/**
 * btf_locs__open() - open and validate a section
 * @path: an ELF file with .BTF.func_info, or the section's bytes alone; either may be
 *	compressed with gzip, xz or zstd
 * @opts: NULL for the defaults
 * @out: the handle; to be closed with btf_locs__close()
 *
 * Everything in the section is checked before this returns: sizes, ids, strings,
 * order, and the CRC of the base. -ENOENT: the file has no such section.
 * -EBADMSG: the section or its base is malformed. -ESTALE: it was made for another
 * base. -EOPNOTSUPP, -EFBIG: it is compressed, and cannot be unpacked. -EIO: it cannot be
 * read, or was cut short while it was read. Other negative errno values as open(2) gives
 * them. Files are read, not mapped: what happens to them later is nothing to the handle.
 */
int btf_locs__open(const char *path, const struct btf_locs_open_opts *opts,
		   struct btf_locs **out);

/* Frees the handle and all that it handed out. NULL is accepted. */
void btf_locs__close(struct btf_locs *locs);

/* ELF e_machine of the object, 0 if the section does not say. */
uint16_t btf_locs__machine(const struct btf_locs *locs);

/* The value of a key=value string of the section ("build_id"), or NULL. */
const char *btf_locs__info(const struct btf_locs *locs, const char *key);

/**
 * btf_locs__info_at() - the section's key=value strings in their order
 * @i: from 0
 * Returns the whole string "key=value" (the handle's), or NULL past the last.
 */
const char *btf_locs__info_at(const struct btf_locs *locs, size_t i);

/* How many LOCSECs there are. */
uint32_t btf_locs__nr_secs(const struct btf_locs *locs);

/* LOCSEC number @i, from 0. -ERANGE past the last. */
int btf_locs__sec(const struct btf_locs *locs, uint32_t i, struct btf_locs_sec *out);

/* Record number @rec of LOCSEC number @sec. -ERANGE past the last. */
int btf_locs__rec(const struct btf_locs *locs, uint32_t sec, uint32_t rec,
		  struct btf_locs_rec *out);

/**
 * btf_locs__lower_bound() - where a section offset stands in a LOCSEC
 * @offset: bytes from the section's first byte
 * @rec: the first record whose offset is not below @offset; nr_recs if none
 *
 * Binary search. Records with one offset stand together, the outer call first.
 */
int btf_locs__lower_bound(const struct btf_locs *locs, uint32_t sec, uint64_t offset,
			  uint32_t *rec);

/*
 * BTF id of the function of record @rec of LOCSEC @sec, 0 past the last. Far cheaper
 * than btf_locs__rec(), for whoever looks through all records.
 */
uint32_t btf_locs__rec_func(const struct btf_locs *locs, uint32_t sec, uint32_t rec);

/**
 * btf_locs__find_func() - functions by name
 * @name: as in the source
 * @after: the id found before, or 0
 *
 * Returns the lowest id above @after of a FUNC called @name that some record names, or
 * 0. Several FUNCs can have one name: static functions with different prototypes.
 */
uint32_t btf_locs__find_func(const struct btf_locs *locs, const char *name,
			     uint32_t after);

/* Whether some FUNC is called @name, also one that no record names: it is never inlined. */
bool btf_locs__has_func(const struct btf_locs *locs, const char *name);

/**
 * btf_locs__next_of() - the records of one function
 * @sec, @rec: in: where to begin; out: the first record from there on whose function
 *	is @func_id
 *
 * Begin at 0, 0 and add 1 to @rec after each. -ENOENT: there is no further one.
 */
int btf_locs__next_of(const struct btf_locs *locs, uint32_t func_id, uint32_t *sec,
		      uint32_t *rec);

/* Parameter number @i of @rec, from 0. -ERANGE past the last. */
int btf_locs__param(const struct btf_locs *locs, const struct btf_locs_rec *rec,
		    uint32_t i, struct btf_locs_param *out);

/**
 * btf_locs__type_str() - a BTF type as C writes it ("const struct file *")
 * @name: a declarator's name to stand in it, or NULL
 * @buf, @size: where to; always terminated if size > 0, "" on failure
 *
 * Returns the length it would have (as snprintf does) or -EINVAL for an id that is not
 * there or is no type of a value (a LOCSEC; a pointer to a FUNC); btf_locs__open() has seen to
 * it that a record's parameters have none such. What is nested too deep ends in "...".
 */
int btf_locs__type_str(const struct btf_locs *locs, uint32_t type_id, const char *name,
		       char *buf, size_t size);

/* BTF ids are 0 (void) to btf_locs__nr_types() - 1, base and section together. */
uint32_t btf_locs__nr_types(const struct btf_locs *locs);

/* The first id that is the section's own; those below are the base's. */
uint32_t btf_locs__first_type(const struct btf_locs *locs);

/* A type's name, "" if it has none or is not there; the handle's. */
const char *btf_locs__type_name(const struct btf_locs *locs, uint32_t type_id);

/*
 * A register's name as tracers write it ("di"), or NULL if there is none. "fbase" for
 * 0xffffffff, the frame base.
 */
const char *btf_locs__reg_name(uint16_t machine, uint32_t reg);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* BTF_LOCS_H */
