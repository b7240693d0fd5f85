// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* err.c - one line for people, carried beside a negative errno */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

int locs_err__set(struct btf_locs_err *err, int code, const char *fmt, ...)
{
	va_list ap;
	char *p;

	if (!err)
		return code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	/* a name from a file may hold anything; the line stays one line */
	for (p = err->text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return code;
}
