// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader_keys.c - the section's header and its run of key=value strings */
#include <stdlib.h>

#include "reader_internal.h"

static int header__magic(const struct btf_locs *locs, bool *big, struct btf_locs_err *err)
{
	if (locs->size < LOCS_BTF_HDR_MIN)
		return locs_err__set(err, -EBADMSG,
				     "truncated: %zu bytes, a header has %u",
				     locs->size, LOCS_BTF_HDR_MIN);
	for (int i = 0; i < 2; i++) {
		if (bytes__uint(locs->data, 2, i) == LOCS_BTF_MAGIC) {
			*big = i;
			return 0;
		}
	}
	return locs_err__set(err, -EBADMSG, "not BTF: it begins with 0x%02x%02x",
			     locs->data[0], locs->data[1]);
}

/* Only what is needed to find the strings: btf_chain__add() checks the whole. */
static int header__read(const struct btf_locs *locs, struct locs_parts *out,
			struct btf_locs_err *err)
{
	struct locs_parts p = { 0 };
	struct cursor c;
	uint64_t end;
	int ret;

	ret = header__magic(locs, &p.big, err);
	if (ret)
		return ret;
	cursor__init(&c, locs->data, locs->size, p.big);
	if (cursor__seek(&c, 4) || cursor__u32(&c, &p.hdr_len) ||
	    cursor__u32(&c, &p.type_off) || cursor__u32(&c, &p.type_len) ||
	    cursor__u32(&c, &p.str_off) || cursor__u32(&c, &p.str_len))
		return locs_err__set(err, -EBADMSG, "truncated in its header");
	if (p.hdr_len < LOCS_BTF_HDR_MIN || p.hdr_len > locs->size)
		return locs_err__set(err, -EBADMSG, "a header of %u bytes in %zu",
				     p.hdr_len, locs->size);
	if (p.hdr_len >= LOCS_BTF_HDR_LAYOUT &&
	    (cursor__u32(&c, &p.layout_off) || cursor__u32(&c, &p.layout_len)))
		return locs_err__set(err, -EBADMSG, "truncated in its header");
	end = (uint64_t)p.hdr_len + p.str_off + p.str_len;
	if (end > locs->size)
		return locs_err__set(err, -EBADMSG,
				     "truncated: its strings end at 0x%llx, it at 0x%zx",
				     (unsigned long long)end, locs->size);
	*out = p;
	return 0;
}

/* Length of a key: up to the first '=', in "sec:NAME=..." up to the last. */
static size_t key__len(const char *str)
{
	const char *eq = strncmp(str, "sec:", 4) ? strchr(str, '=') : strrchr(str, '=');

	return eq ? (size_t)(eq - str) : 0;
}

static int key__cmp(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int d = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return d ? d : (a_len > b_len) - (a_len < b_len);
}

/* By key; of two with one key the first in the section. */
static int keys__order(const void *pa, const void *pb)
{
	const char *a = *(const char *const *)pa, *b = *(const char *const *)pb;
	int d = key__cmp(a, key__len(a), b, key__len(b));

	return d ? d : (a > b) - (a < b);
}

static int keys__count(struct cursor c, size_t *out, struct btf_locs_err *err)
{
	const char *str;
	size_t nr = 0;

	for (;; nr++) {
		if (cursor__str(&c, &str))
			return locs_err__set(err, -EBADMSG,
					     "its key=value strings have no end");
		if (!*str)
			break;
		if (!key__len(str))
			return locs_err__set(err, -EBADMSG,
					     "string '%.40s' is no key=value", str);
	}
	*out = nr;
	return 0;
}

int locs_keys__read(struct btf_locs *locs, struct btf_locs_err *err)
{
	struct locs_keys keys = { 0 };
	struct locs_parts parts;
	struct cursor c;
	size_t i;
	int ret;

	ret = header__read(locs, &parts, err);
	if (ret)
		return ret;
	cursor__init(&c, locs->data + parts.hdr_len + parts.str_off, parts.str_len,
		     parts.big);
	ret = keys__count(c, &keys.nr, err);
	if (ret)
		return ret;
	keys.run = calloc(keys.nr + 1, sizeof(*keys.run));
	keys.sorted = calloc(keys.nr + 1, sizeof(*keys.sorted));
	if (!keys.run || !keys.sorted) {
		locs_keys__free(&keys);
		return locs_err__set(err, -ENOMEM, "out of memory");
	}
	for (i = 0; i < keys.nr; i++) {
		if (cursor__str(&c, &keys.run[i]))
			break;
		keys.sorted[i] = keys.run[i];
	}
	qsort(keys.sorted, keys.nr, sizeof(*keys.sorted), keys__order);
	locs->parts = parts;
	locs->keys = keys;
	return 0;
}

void locs_keys__free(struct locs_keys *keys)
{
	free(keys->run);
	free(keys->sorted);
	memset(keys, 0, sizeof(*keys));
}

const char *locs_keys__find(const struct locs_keys *keys, const char *key, size_t len)
{
	size_t lo = 0, hi = keys->nr, mid;
	const char *str;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		str = keys->sorted[mid];
		if (key__cmp(str, key__len(str), key, len) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == keys->nr)
		return NULL;
	str = keys->sorted[lo];
	return key__cmp(str, key__len(str), key, len) ? NULL : str + len + 1;
}

/*
 * Digits alone, in base 10 or 16, up to @stop: strtoull() would take blanks and signs.
 * Returns what follows @stop (or the end, for '\0'), NULL if it is no such number.
 */
static const char *value__uint(const char *str, unsigned int base, char stop,
			       uint64_t *out)
{
	const char *p = str;
	uint64_t v = 0;
	unsigned int digit;

	for (; *p && *p != stop; p++) {
		if (*p >= '0' && *p <= '9')
			digit = *p - '0';
		else if (base == 16 && *p >= 'a' && *p <= 'f')
			digit = *p - 'a' + 10;
		else
			return NULL;
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, digit, &v))
			return NULL;
	}
	if (p == str || *p != stop)
		return NULL;
	*out = v;
	return stop ? p + 1 : p;
}

/* A decimal key of at most @max: 0, 1 if it is not there, -EBADMSG. */
static int keys__number(const struct btf_locs *locs, const char *key, uint64_t max,
			uint64_t *out, struct btf_locs_err *err)
{
	const char *val = locs_keys__find(&locs->keys, key, strlen(key));
	uint64_t v;

	if (!val)
		return 1;
	if (!value__uint(val, 10, '\0', &v) || v > max)
		return locs_err__set(err, -EBADMSG, "%s='%.40s' is no such number", key,
				     val);
	*out = v;
	return 0;
}

int locs_keys__check(struct btf_locs *locs, struct btf_locs_err *err)
{
	const char *val = btf_locs__info(locs, "btf_locs");
	uint64_t machine = 0, version;
	int ret;

	if (!val)
		return locs_err__set(err, -EBADMSG, "no format version (key btf_locs)");
	ret = keys__number(locs, "btf_locs", UINT64_MAX, &version, err);
	if (ret)
		return ret;
	if (version != LOCS_FORMAT_VERSION)
		return locs_err__set(err, -EBADMSG,
				     "format version %.20s, this program knows %u alone",
				     val, LOCS_FORMAT_VERSION);
	ret = keys__number(locs, "machine", UINT16_MAX, &machine, err);
	if (ret < 0)
		return ret;
	locs->machine = machine;
	return 0;
}

/* What a section says of its base, and what the base is. */
struct base_claim {
	const char *key;
	const char *whose;
	const char *what;
	uint64_t is;
};

static int claim__check(const struct btf_locs *locs, const struct base_claim *claim, bool hex,
			struct btf_locs_err *err)
{
	uint64_t had;
	int ret = keys__number(locs, claim->key, UINT32_MAX, &had, err);

	if (ret)
		return ret < 0 ? ret : 0;
	if (had == claim->is)
		return 0;
	if (hex)
		return locs_err__set(err, -ESTALE, "made for another base (%s had %s "
				     "%08llx, this one %08llx)", claim->whose, claim->what,
				     (unsigned long long)had, (unsigned long long)claim->is);
	return locs_err__set(err, -ESTALE,
			     "made for another base (%s had %llu %s, this one %llu)",
			     claim->whose, (unsigned long long)had, claim->what,
			     (unsigned long long)claim->is);
}

int locs_keys__check_base(const struct btf_locs *locs, struct btf_locs_err *err)
{
	static const char own[] = "its base", lower[] = "the one below its base";
	uint32_t top = btf_chain__nr_levels(locs->chain) - 1;
	struct btf_below_info below;
	struct btf_level_info base;
	int ret;

	if (btf_chain__big(locs->chain) != locs->parts.big)
		return locs_err__set(err, -ESTALE,
				     "made for another base (its base was %s-endian)",
				     locs->parts.big ? "big" : "little");
	ret = btf_chain__level(locs->chain, top, &base);
	if (!ret)
		ret = btf_chain__below(locs->chain, top, &below);
	if (ret)
		return locs_err__set(err, ret, "no base");
	const struct base_claim claims[] = {
		{ "base_types", own, "types", base.nr_types },
		{ "base_strs", own, "bytes of strings", base.str_size },
		{ "base_crc32", own, "CRC-32", base.crc32 },
		{ "below_types", lower, "types", below.nr_types },
		{ "below_strs", lower, "bytes of strings", below.str_size },
		{ "below_crc32", lower, "CRC-32", below.crc32 },
	};
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]) && !ret; i++)
		ret = claim__check(locs, &claims[i], i % 3 == 2, err);
	return ret;
}

int locs_keys__sec(const struct btf_locs *locs, const char *name, uint64_t *addr,
		   uint64_t *size, struct btf_locs_err *err)
{
	const char *val = NULL, *rest;
	size_t len = strlen(name);
	uint64_t end;
	char *key;

	*addr = *size = 0;
	key = malloc(len + sizeof("sec:"));
	if (!key)
		return locs_err__set(err, -ENOMEM, "out of memory");
	memcpy(key, "sec:", 4);
	memcpy(key + 4, name, len + 1);
	val = locs_keys__find(&locs->keys, key, len + 4);
	free(key);
	if (!val)
		return 0;
	rest = value__uint(val, 16, ',', addr);
	if (!rest || !value__uint(rest, 16, '\0', size) ||
	    __builtin_add_overflow(*addr, *size, &end))
		return locs_err__set(err, -EBADMSG,
				     "sec:%.60s='%.40s' is no address and size", name,
				     val);
	return 0;
}
