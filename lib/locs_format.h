/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * locs_format.h - numbers of BTF and of .BTF.func_info as they are on disk
 *
 * Nothing casts section bytes to structs: these are offsets and sizes for the
 * cursor. Kinds 20 to 22 and the LOC_PARAM flags are those of the kernel's
 * uapi/linux/btf.h. The whole is described in btf-func-info(5).
 */
#ifndef LOCS_FORMAT_H
#define LOCS_FORMAT_H

#include <stdint.h>

#define LOCS_SECTION		".BTF.func_info"
#define LOCS_SUFFIX		".func_info"

enum {
	LOCS_BTF_MAGIC		= 0xeb9f,
	LOCS_BTF_VERSION	= 1,
	LOCS_BTF_HDR_MIN	= 24,	/* up to str_len */
	LOCS_BTF_HDR_LAYOUT	= 32,	/* with layout_off and layout_len */
	LOCS_BTF_TYPE_SIZE	= 12,	/* name_off, info, size or type */
	LOCS_BTF_MAX_VLEN	= 0xffffff,	/* 24 bits here; 16 in an ordinary .BTF */
	LOCS_FORMAT_VERSION	= 1,	/* the string btf_locs=1 */
};

enum btf_kind {
	BTF_K_VOID	= 0,
	BTF_K_INT	= 1,
	BTF_K_PTR	= 2,
	BTF_K_ARRAY	= 3,
	BTF_K_STRUCT	= 4,
	BTF_K_UNION	= 5,
	BTF_K_ENUM	= 6,
	BTF_K_FWD	= 7,
	BTF_K_TYPEDEF	= 8,
	BTF_K_VOLATILE	= 9,
	BTF_K_CONST	= 10,
	BTF_K_RESTRICT	= 11,
	BTF_K_FUNC	= 12,
	BTF_K_FUNC_PROTO = 13,
	BTF_K_VAR	= 14,
	BTF_K_DATASEC	= 15,
	BTF_K_FLOAT	= 16,
	BTF_K_DECL_TAG	= 17,
	BTF_K_TYPE_TAG	= 18,
	BTF_K_ENUM64	= 19,
	BTF_K_LOC_PARAM	= 20,
	BTF_K_LOC_PROTO	= 21,
	BTF_K_LOCSEC	= 22,
	BTF_K_NR
};

/* info word: bits 0-23 vlen, 24-30 kind, 31 kind flag */
#define LOCS_INFO(kind, vlen, kflag) \
	((uint32_t)(vlen) | (uint32_t)(kind) << 24 | (uint32_t)(kflag) << 31)
#define LOCS_INFO_VLEN(info)	((info) & 0xffffff)
#define LOCS_INFO_KIND(info)	(((info) >> 24) & 0x7f)
#define LOCS_INFO_KFLAG(info)	((info) >> 31)

/* encodings of an INT, in bits 24-27 of its data word */
enum {
	BTF_ENC_SIGNED	= 1,
	BTF_ENC_CHAR	= 2,
	BTF_ENC_BOOL	= 4,
};

/* LOC_PARAM flags */
enum {
	LOC_F_SIGNED	= 0x01,
	LOC_F_CONST	= 0x02,
	LOC_F_ADDR	= 0x04,
	LOC_F_REG	= 0x08,
	LOC_F_DEREF	= 0x10,
	LOC_F_OFFSET	= 0x20,
	LOC_F_ALL	= 0x3f,
};

#define LOC_REG_FRAME_BASE	0xffffffffu	/* understood when read, never written */

/* one record of a LOCSEC: func, loc_proto, offset, 4 bytes each */
#define LOCSEC_REC_SIZE		12

/* prefixes of a LOCSEC's name, by enum btf_locs_kind */
#define LOCSEC_PREFIX_GUESS	"guess"
#define LOCSEC_PREFIX_PART	"part"
#define LOCSEC_PREFIX_FUNC	"func"
#define LOCSEC_PREFIX_INLINE	"inline"	/* read, never written */

/* struct btf_layout {u8 info_sz, elem_sz; u16 flags}, one for each kind 0 to 22 */
#define LOCS_LAYOUT_SIZE	4
_Static_assert(LOCS_LAYOUT_SIZE * BTF_K_NR == 92, "the layout section is 92 bytes");

#endif
