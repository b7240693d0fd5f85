// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* json_out.c - a JSON object, written field by field (RFC 8259) */
#include "json_out.h"

#include <stdio.h>

#include "utf8.h"

/* A control character as a string has it. */
static void json__escape(struct outbuf *o, uint32_t c)
{
	static const char letters[] = "btn\0fr";	/* from U+0008 on */
	char text[8];

	if (c == '"' || c == '\\')
		snprintf(text, sizeof(text), "\\%c", (int)c);
	else if (c >= '\b' && c <= '\r' && letters[c - '\b'])
		snprintf(text, sizeof(text), "\\%c", letters[c - '\b']);
	else
		snprintf(text, sizeof(text), "\\u%04x", c);
	outbuf__str(o, text);
}

static void json__string(struct outbuf *o, const char *str)
{
	unsigned int len;

	outbuf__char(o, '"');
	for (; *str; str += len) {
		len = utf8__len(str);
		if (!len) {
			len = 1;
			outbuf__str(o, "\xef\xbf\xbd");
		} else if (*str == '"' || *str == '\\' || !utf8__shown(str)) {
			/* of two bytes it is U+0080 to U+009f: the second byte is the number */
			json__escape(o, (unsigned char)str[len - 1]);
		} else {
			outbuf__put(o, str, len);
		}
	}
	outbuf__char(o, '"');
}

static void jobj__newline(struct jobj *j)
{
	unsigned int i;

	if (!j->pretty)
		return;
	outbuf__char(j->o, '\n');
	for (i = 0; i < j->depth; i++)
		outbuf__str(j->o, "  ");
}

/* What stands before a value. */
static void jobj__key(struct jobj *j, const char *key)
{
	if (j->begun)
		outbuf__char(j->o, ',');
	j->begun = true;
	jobj__newline(j);
	if (!key)
		return;
	json__string(j->o, key);
	outbuf__str(j->o, j->pretty ? ": " : ":");
}

static void jobj__open(struct jobj *j, char bracket)
{
	outbuf__char(j->o, bracket);
	j->depth++;
	j->begun = false;
}

static void jobj__close(struct jobj *j, char bracket)
{
	j->depth--;
	if (j->begun)
		jobj__newline(j);
	outbuf__char(j->o, bracket);
	/* what is around it now has something in it */
	j->begun = true;
}

void jobj__begin(struct jobj *j, struct outbuf *o, bool pretty)
{
	*j = (struct jobj) { .o = o, .pretty = pretty };
	jobj__open(j, '{');
}

void jobj__end(struct jobj *j)
{
	jobj__close(j, '}');
}

void jobj__object(struct jobj *j, const char *key)
{
	jobj__key(j, key);
	jobj__open(j, '{');
}

void jobj__object_end(struct jobj *j)
{
	jobj__close(j, '}');
}

void jobj__array(struct jobj *j, const char *key)
{
	jobj__key(j, key);
	jobj__open(j, '[');
}

void jobj__array_end(struct jobj *j)
{
	jobj__close(j, ']');
}

void jobj__num(struct jobj *j, const char *key, int64_t val)
{
	jobj__key(j, key);
	outbuf__sdec(j->o, val);
}

void jobj__str(struct jobj *j, const char *key, const char *val)
{
	jobj__key(j, key);
	json__string(j->o, val);
}

void jobj__bool(struct jobj *j, const char *key, bool val)
{
	jobj__key(j, key);
	outbuf__str(j->o, val ? "true" : "false");
}

void jobj__null(struct jobj *j, const char *key)
{
	jobj__key(j, key);
	outbuf__str(j->o, "null");
}

void jobj__decimal(struct jobj *j, const char *key, double val)
{
	jobj__key(j, key);
	outbuf__printf(j->o, "%.2f", val);
}

void jobj__hex(struct jobj *j, const char *key, uint64_t val)
{
	jobj__key(j, key);
	outbuf__char(j->o, '"');
	outbuf__hex(j->o, val);
	outbuf__char(j->o, '"');
}
