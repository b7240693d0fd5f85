// SPDX-License-Identifier: GPL-2.0-only
/* system_map.c - addresses of symbols from a System.map */
#include "system_map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/cursor.h"
#include "../lib/file_bytes.h"
#include "../lib/unpack.h"

#define MAP_SIZE_MAX ((size_t)256 << 20)	/* bytes; Debian's 6.12: 8 MB */

enum {
	SAMPLES = 256,		/* functions of the section that are compared */
	ENOUGH_PERCENT = 90,	/* of them found: a symbol can have another name */
};

struct map_line {
	uint64_t addr;
	const char *name;	/* @len bytes, in place */
	size_t len;
};

/* A function of the section and whether the map has it there. */
struct sample {
	uint64_t addr;
	const char *func;
	bool found;
};

struct map_search {
	const char *name;
	uint64_t addr[SYSTEM_MAP_MAX];
	size_t nr;
	struct sample samples[SAMPLES];
	size_t nr_samples;
};

static int hex__digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* One line, its newline passed. False: it is not "ADDRESS LETTER NAME". */
static bool map_line__read(struct cursor *c, struct map_line *out)
{
	const uint8_t *line = c->pos;
	const uint8_t *end = memchr(line, '\n', cursor__left(c));
	size_t len = (end ? end : c->end) - line, i;

	c->pos = end ? end + 1 : c->end;
	out->addr = 0;
	for (i = 0; i < len && hex__digit(line[i]) >= 0; i++)
		out->addr = out->addr << 4 | hex__digit(line[i]);
	if ((i != 8 && i != 16) || len < i + 4 || line[i] != ' ' || line[i + 2] != ' ')
		return false;
	out->name = (const char *)line + i + 3;
	out->len = len - i - 3;
	return true;
}

static int cmp_sample(const void *pa, const void *pb)
{
	const struct sample *a = pa, *b = pb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Functions out of line, from all over the section. */
static void samples__take(struct map_search *m, const struct btf_locs *locs)
{
	struct btf_locs_sec sec;
	struct btf_locs_rec rec;
	uint64_t total = 0, seen = 0, step, i;
	uint32_t s;

	for (s = 0; !btf_locs__sec(locs, s, &sec); s++)
		total += sec.kind == BTF_LOCS_FUNC ? sec.nr_recs : 0;
	step = total / SAMPLES + 1;
	for (s = 0; !btf_locs__sec(locs, s, &sec); s++) {
		if (sec.kind != BTF_LOCS_FUNC)
			continue;
		/* the first of this LOCSEC whose number among all is a multiple of @step */
		for (i = (step - seen % step) % step; i < sec.nr_recs; i += step) {
			if (m->nr_samples == SAMPLES || btf_locs__rec(locs, s, i, &rec))
				break;
			m->samples[m->nr_samples++] = (struct sample) { rec.address, rec.func, 0 };
		}
		seen += sec.nr_recs;
	}
	qsort(m->samples, m->nr_samples, sizeof(m->samples[0]), cmp_sample);
}

/* The function's name, or that and a suffix of the compiler's. */
static bool line__is_of(const struct map_line *l, const char *func)
{
	size_t len = strlen(func);

	return l->len >= len && !memcmp(l->name, func, len) &&
	       (l->len == len || l->name[len] == '.');
}

static void samples__mark(struct map_search *m, const struct map_line *l)
{
	size_t lo = 0, hi = m->nr_samples, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->samples[mid].addr < l->addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < m->nr_samples && m->samples[lo].addr == l->addr; lo++)
		m->samples[lo].found |= line__is_of(l, m->samples[lo].func);
}

static bool samples__are_there(const struct map_search *m)
{
	size_t i, nr = 0;

	for (i = 0; i < m->nr_samples; i++)
		nr += m->samples[i].found;
	return nr && nr * 100 >= m->nr_samples * ENOUGH_PERCENT;
}

static void map_search__line(struct map_search *m, const struct map_line *l)
{
	size_t i;

	samples__mark(m, l);
	if (strlen(m->name) != l->len || memcmp(m->name, l->name, l->len))
		return;
	for (i = 0; i < m->nr; i++)
		if (m->addr[i] == l->addr)
			return;
	if (m->nr < SYSTEM_MAP_MAX)
		m->addr[m->nr++] = l->addr;
}

static void map_search__run(struct map_search *m, const void *data, size_t size)
{
	struct map_line l;
	struct cursor c;

	cursor__init(&c, data, size, false);
	while (cursor__left(&c))
		if (map_line__read(&c, &l))
			map_search__line(m, &l);
}

int system_map__find(const char *path, const struct btf_locs *locs, const char *name,
		     uint64_t addr[SYSTEM_MAP_MAX], size_t *nr)
{
	struct map_search *m = calloc(1, sizeof(*m));
	struct plain_file f = { .fd = -1 };
	void *text = NULL;
	size_t size;
	int ret = m ? file__open_plain(path, &f, NULL) : -ENOMEM;

	if (ret)
		goto out;
	ret = -ENOENT;
	if (!f.size)
		goto out;
	ret = -EFBIG;
	if (f.size > MAP_SIZE_MAX)
		goto out;
	ret = fd__read_all(f.fd, f.size, &text, &size, NULL);
	if (ret)
		goto out;
	m->name = name;
	samples__take(m, locs);
	map_search__run(m, text, size);
	ret = samples__are_there(m) ? 0 : -ESTALE;
	if (!ret) {
		memcpy(addr, m->addr, sizeof(m->addr));
		*nr = m->nr;
	}
out:
	free(text);
	if (f.fd >= 0)
		close(f.fd);
	free(m);
	return ret;
}
