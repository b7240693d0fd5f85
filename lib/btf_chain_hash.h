/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * btf_chain_hash.h - the hash of btf_chain's indexes
 *
 * Of values in memory, for this process alone: it may differ between machines.
 */
#ifndef LOCS_BTF_CHAIN_HASH_H
#define LOCS_BTF_CHAIN_HASH_H

#include <stdint.h>
#include <string.h>

#include "locs_format.h"

/* Both halves of the 128-bit product, folded: each bit of both reaches all of it. */
static inline uint64_t hash__mix(uint64_t a, uint64_t b)
{
	unsigned __int128 v = (unsigned __int128)(a ^ UINT64_C(0x9e3779b97f4a7c15)) *
			      (b ^ UINT64_C(0xd1b54a32d192ed03));

	return (uint64_t)v ^ (uint64_t)(v >> 64);
}

static inline uint64_t hash__load(const char *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

static inline uint64_t hash__bytes(const char *s, size_t len)
{
	uint64_t h = len;
	const char *p = s;

	if (len >= 8) {
		for (; len > 8; len -= 8, p += 8)
			h = hash__mix(h, hash__load(p, 8));
		/* the last eight, some of which may have been taken before */
		return hash__mix(h, hash__load(p + len - 8, 8));
	}
	if (len >= 4)
		return hash__mix(h, hash__load(p, 4) << 32 | hash__load(p + len - 4, 4));
	if (len)
		return hash__mix(h, (uint64_t)(uint8_t)p[0] << 16 |
				    (uint64_t)(uint8_t)p[len / 2] << 8 |
				    (uint8_t)p[len - 1]);
	return h;
}

static inline uint64_t hash__str(const char *s)
{
	return hash__bytes(s, strlen(s));
}

/* What a table keeps. */
static inline uint32_t hash__fold(uint64_t h)
{
	return (uint32_t)(h ^ h >> 32);
}

/* What types are looked up by; @name, @first: a string's hash. */
static inline uint32_t hash__name(uint32_t kind, uint64_t name)
{
	return hash__fold(hash__mix(name, kind));
}

static inline uint64_t hash__anon(uint32_t kind, uint32_t size, uint32_t vlen,
				  uint64_t first)
{
	return hash__mix(hash__mix(first, kind), (uint64_t)size << 32 | vlen);
}

static inline uint64_t hash__ref(uint32_t kind, uint64_t name, uint32_t type)
{
	return hash__mix(name, (uint64_t)kind << 32 | type);
}

static inline uint64_t hash__array(uint32_t type, uint32_t nelems)
{
	return hash__mix(BTF_K_ARRAY, (uint64_t)type << 32 | nelems);
}

static inline uint64_t hash__proto(uint32_t ret, uint32_t nr)
{
	return hash__mix(BTF_K_FUNC_PROTO, (uint64_t)ret << 32 | nr);
}

static inline uint64_t hash__proto_param(uint64_t h, uint64_t name, uint32_t type)
{
	return hash__mix(h ^ type, name);
}

#endif
