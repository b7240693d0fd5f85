/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* utf8.h - names out of files are any bytes: what of them is UTF-8 */
#ifndef LOCS_UTF8_H
#define LOCS_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the UTF-8 sequence at @p (NUL-terminated), 0 if there is none (RFC 3629). */
static inline unsigned int utf8__len(const char *str)
{
	const unsigned char *p = (const unsigned char *)str;
	unsigned int len, i;
	uint32_t v;

	if (*p < 0x80)
		return 1;
	len = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	v = *p & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (p[i] & 0x3f);
	}
	if (*p < 0xc2 || *p > 0xf4 || (len == 3 && v < 0x800) ||
	    (len == 4 && (v < 0x10000 || v > 0x10ffff)) || (v >= 0xd800 && v < 0xe000))
		return 0;
	return len;
}

/*
 * The same where it can be shown as it is, 0 for a control character (ISO 6429: C0, DEL, C1),
 * which a terminal obeys.
 */
static inline unsigned int utf8__shown(const char *p)
{
	unsigned int len = utf8__len(p);
	unsigned char c = *p, next = len == 2 ? p[1] : 0;

	if (len == 1)
		return c >= ' ' && c != 0x7f;
	return len == 2 && c == 0xc2 && next < 0xa0 ? 0 : len;
}

#endif
