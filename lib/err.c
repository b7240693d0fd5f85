// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* err.c - one line for people, carried beside a negative errno */
#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

/* The line's, with its NUL; the code that it is about stands behind, where no caller sees it. */
#define LINE_SIZE (sizeof(((struct btf_locs_err *)0)->text) - sizeof(int))

static void err__set_code(struct btf_locs_err *err, int code)
{
	memcpy(err->text + LINE_SIZE, &code, sizeof(code));
}

bool locs_err__is(const struct btf_locs_err *err, int code)
{
	int about;

	memcpy(&about, err->text + LINE_SIZE, sizeof(about));
	return *err->text && about == code;
}

int locs_err__set(struct btf_locs_err *err, int code, const char *fmt, ...)
{
	unsigned int len;
	va_list ap;
	char *p;

	if (!err)
		return code;
	va_start(ap, fmt);
	if (code == -ENOMEM)
		strcpy(err->text, "out of memory");
	else
		vsnprintf(err->text, LINE_SIZE, fmt, ap);
	va_end(ap);
	err__set_code(err, code);
	/* a name from a file may hold anything; the line stays one line */
	for (p = err->text; *p; p += len) {
		len = utf8__shown(p);
		if (!len) {
			*p = '?';
			len = 1;
		}
	}
	return code;
}

const char *locs_err__text(const struct btf_locs_err *err, int code)
{
	if (locs_err__is(err, code))
		return err->text;
	return code == -ENOMEM ? "out of memory" : strerror(-code);
}

int locs_err__end(struct btf_locs_err *err, int code)
{
	if (!err || (code && locs_err__is(err, code)))
		return code;
	err->text[0] = '\0';
	err__set_code(err, 0);
	return code ? locs_err__set(err, code, "%s", locs_err__text(err, code)) : 0;
}
