// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf_syms.c - the symbols of an open ELF file, by address and by name */
#include "elf_syms_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"

/* The tables that belong together. */
struct sym_tables {
	const struct elf_sec *sym;
	const struct elf_sec *str;
	const struct elf_sec *shndx;	/* SHT_SYMTAB_SHNDX, or NULL */
	/* their bytes, once read */
	const uint8_t *syms;
	const uint8_t *strs;
	const uint8_t *idxs;
};

void elf_syms__free(struct elf_syms *s)
{
	if (!s)
		return;
	free(s->syms);
	free(s->order);
	free(s->max_end);
	free(s->buckets);
	free(s->values);
	free(s->crowd);
	free(s);
}

static uint32_t hash_name(const char *name)
{
	uint32_t h = 2166136261u;	/* FNV-1a */

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 16777619u;
	return h;
}

static int find_tables(const struct elf_file *f, struct sym_tables *t)
{
	const struct elf_sec *s;
	uint32_t i;

	memset(t, 0, sizeof(*t));
	for (i = 1; i < f->nr_secs; i++) {
		s = &f->secs[i];
		if (s->size == 0)
			continue;
		if (s->type == SHT_SYMTAB && (!t->sym || t->sym->type == SHT_DYNSYM))
			t->sym = s;
		else if (s->type == SHT_DYNSYM && !t->sym)
			t->sym = s;
	}
	if (!t->sym)
		return -ENOENT;
	if (t->sym->link == 0 || t->sym->link >= f->nr_secs)
		return -EBADMSG;
	t->str = &f->secs[t->sym->link];
	if (t->str->type != SHT_STRTAB || t->str->size == 0)
		return -EBADMSG;
	for (i = 1; i < f->nr_secs && !t->shndx; i++)
		if (f->secs[i].type == SHT_SYMTAB_SHNDX && f->secs[i].link == t->sym->idx)
			t->shndx = &f->secs[i];
	return 0;
}

static int read_tables(struct elf_file *f, struct sym_tables *t)
{
	int ret;

	ret = elf_file__raw(f, t->str->idx, &t->strs, NULL);
	if (!ret && t->strs[t->str->size - 1])
		ret = -EBADMSG;
	if (!ret)
		ret = elf_file__raw(f, t->sym->idx, &t->syms, NULL);
	if (!ret && t->shndx && t->shndx->size)
		ret = elf_file__raw(f, t->shndx->idx, &t->idxs, NULL);
	return ret;
}

bool elf_file__has_symtab(const struct elf_file *f)
{
	struct sym_tables t;

	if (f->syms)
		return f->syms->has_symtab;
	return !find_tables(f, &t) && t.sym->type == SHT_SYMTAB;
}

/* One entry. 0: @sym is to be kept, 1: not of those that count. */
static int parse_sym(const struct elf_file *f, const struct sym_tables *t,
		     struct cursor *c, uint32_t pos, struct sym *sym)
{
	struct elf_sym *out = &sym->pub;
	const char *strs = (const char *)t->strs;
	struct cursor x;
	uint32_t name;
	uint64_t v;
	uint16_t shndx;
	uint8_t info;
	int ret;

	ret = cursor__u32(c, &name);
	if (f->is64) {
		ret = ret ?: cursor__u8(c, &info);
		ret = ret ?: cursor__skip(c, 1);		/* st_other */
		ret = ret ?: cursor__u16(c, &shndx);
		ret = ret ?: cursor__u64(c, &out->value);
		ret = ret ?: cursor__u64(c, &out->size);
	} else {
		ret = ret ?: cursor__uint(c, 4, &out->value);
		ret = ret ?: cursor__uint(c, 4, &out->size);
		ret = ret ?: cursor__u8(c, &info);
		ret = ret ?: cursor__skip(c, 1);
		ret = ret ?: cursor__u16(c, &shndx);
	}
	if (ret)
		return ret;
	out->type = info & 15;
	out->bind = info >> 4;
	/* bit 0 of a function says that it is Thumb code, and is no part of its address */
	if (f->machine == EM_ARM && out->type == STT_FUNC)
		out->value &= ~UINT64_C(1);
	out->shndx = shndx;
	sym->pos = pos;
	sym->reserved = shndx >= SHN_LORESERVE && shndx != SHN_XINDEX;
	if (shndx == SHN_XINDEX) {
		if (!t->shndx || !t->idxs)
			return -EBADMSG;
		cursor__init(&x, t->idxs, t->shndx->size, f->big);
		ret = cursor__skip(&x, (uint64_t)pos * 4);
		ret = ret ?: cursor__uint(&x, 4, &v);
		if (ret)
			return ret;
		out->shndx = v;
	}
	if (name >= t->str->size)
		return -EBADMSG;
	out->name = strs + name;
	return !*out->name || shndx == SHN_UNDEF || out->type == STT_SECTION ||
	       out->type == STT_FILE;
}

static int read_table(struct elf_file *f, struct elf_syms *s)
{
	size_t entry = f->is64 ? 24 : 16;
	struct sym_tables t;
	struct cursor c;
	uint64_t i, nr;
	int ret;

	ret = find_tables(f, &t);
	if (ret)
		return ret;
	s->has_symtab = t.sym->type == SHT_SYMTAB;
	nr = t.sym->size / entry;
	if (t.sym->size % entry || nr >= NO_SYM)
		return -EBADMSG;
	s->syms = calloc(nr, sizeof(*s->syms));
	if (!s->syms)
		return -ENOMEM;
	ret = read_tables(f, &t);
	if (ret)
		return ret;
	cursor__init(&c, t.syms, t.sym->size, f->big);
	for (i = 0; i < nr; i++) {
		ret = parse_sym(f, &t, &c, i, &s->syms[s->nr]);
		if (ret < 0)
			return ret;
		s->nr += ret == 0;
	}
	return 0;
}

/* Chains in table order: built from the end, each put in front. */
static int hash_names(struct elf_syms *s)
{
	uint32_t i, *b;

	for (s->nr_buckets = 16; s->nr_buckets < s->nr; s->nr_buckets *= 2)
		if (s->nr_buckets >= 1u << 30)
			return -EOVERFLOW;
	s->buckets = malloc(s->nr_buckets * sizeof(*s->buckets));
	if (!s->buckets)
		return -ENOMEM;
	memset(s->buckets, 0xff, s->nr_buckets * sizeof(*s->buckets));
	for (i = s->nr; i-- > 0; *b = i) {
		b = &s->buckets[hash_name(s->syms[i].pub.name) & (s->nr_buckets - 1)];
		s->syms[i].next = *b;
	}
	return 0;
}

static int bind_rank(uint8_t bind)
{
	if (bind == STB_GLOBAL || bind == STB_GNU_UNIQUE)
		return 0;
	return bind == STB_WEAK ? 1 : 2;
}

static int cmp_syms(const void *pa, const void *pb, void *arg)
{
	const struct elf_syms *s = arg;
	const struct sym *a = &s->syms[*(const uint32_t *)pa];
	const struct sym *b = &s->syms[*(const uint32_t *)pb];
	bool fa = a->pub.type == STT_FUNC, fb = b->pub.type == STT_FUNC;
	int ra = bind_rank(a->pub.bind), rb = bind_rank(b->pub.bind);

	if (s->rel && a->pub.shndx != b->pub.shndx)
		return a->pub.shndx < b->pub.shndx ? -1 : 1;
	if (a->pub.value != b->pub.value)
		return a->pub.value < b->pub.value ? -1 : 1;
	if (fa != fb)
		return fa ? -1 : 1;
	if (ra != rb)
		return ra - rb;
	return a->pos < b->pos ? -1 : a->pos > b->pos;
}

bool elf_syms__has_address(const struct elf_file *f, const struct sym *sym)
{
	const struct elf_sym *p = &sym->pub;

	return !sym->reserved && p->shndx != 0 && p->shndx < f->nr_secs &&
	       p->type != STT_TLS && p->type != STT_COMMON &&
	       !(p->type == STT_NOTYPE && p->bind == STB_LOCAL && p->name[0] == '$');
}

static int sort_values(const struct elf_file *f, struct elf_syms *s)
{
	uint64_t end, max = 0;
	uint32_t i, last = 0;

	s->order = malloc((s->nr + 1) * sizeof(*s->order));
	s->max_end = malloc((s->nr + 1) * sizeof(*s->max_end));
	if (!s->order || !s->max_end)
		return -ENOMEM;
	for (i = 0; i < s->nr; i++)
		if (elf_syms__has_address(f, &s->syms[i]))
			s->order[s->nr_order++] = i;
	qsort_r(s->order, s->nr_order, sizeof(*s->order), cmp_syms, s);
	for (i = 0; i < s->nr_order; i++) {
		const struct elf_sym *p = &s->syms[s->order[i]].pub;

		if (__builtin_add_overflow(p->value, p->size, &end))
			end = UINT64_MAX;
		if ((s->rel && p->shndx != last) || end > max)
			max = end;
		last = p->shndx;
		s->max_end[i] = max;
	}
	return 0;
}

struct elf_syms *elf_syms__load(struct elf_file *f)
{
	struct elf_syms *s = f->syms;

	if (s)
		return s;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->rel = f->type == ET_REL;
	s->code = read_table(f, s);
	s->code = s->code ?: hash_names(s);
	f->syms = s;
	return s;
}

uint32_t elf_syms__first_from(const struct elf_syms *s, size_t pos)
{
	uint32_t lo = 0, hi = s->nr;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (s->syms[mid].pos < pos)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct sym *elf_syms__last_found(const struct elf_syms *s, size_t pos)
{
	uint32_t i = pos ? elf_syms__first_from(s, pos) : 0;

	return i && s->syms[i - 1].pos == pos - 1 ? &s->syms[i - 1] : NULL;
}

/* First index in order[lo, hi) whose (section, value) lies behind (@shndx, @addr). */
static uint32_t upper_bound(const struct elf_syms *s, uint32_t lo, uint32_t hi,
			    uint32_t shndx, uint64_t addr)
{
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct elf_sym *p = &s->syms[s->order[mid]].pub;
		bool behind = p->value > addr;

		if (s->rel && p->shndx != shndx)
			behind = p->shndx > shndx;

		if (behind)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static bool in_section(const struct elf_file *f, const struct elf_sym *p, uint64_t addr)
{
	const struct elf_sec *sec = &f->secs[p->shndx];
	uint64_t base = f->type == ET_REL ? 0 : sec->addr;

	return addr >= base && addr - base < sec->size;
}

/*
 * Downwards from order[@end - 1]. The innermost sized symbol around @addr wins; else the
 * best of those that start nearest below, if it has no size.
 */
static int search_down(const struct elf_file *f, const struct elf_syms *s, uint32_t end,
		       uint32_t shndx, uint64_t addr, struct elf_sym *out)
{
	const struct elf_sym *near = NULL, *hit = NULL, *p;
	bool seen = false;
	uint64_t value = 0;
	uint32_t i;

	for (i = end; i-- > 0;) {
		p = &s->syms[s->order[i]].pub;
		if (s->rel && p->shndx != shndx)
			break;
		if (hit && p->value != hit->value)
			break;
		/* nothing below reaches @addr, and the nearest has been looked at */
		if (!hit && seen && p->value != value && s->max_end[i] <= addr)
			break;
		if (shndx && p->shndx != shndx)
			continue;
		if (!in_section(f, p, addr))
			continue;
		if (!seen) {
			seen = true;
			value = p->value;
		}
		/* of one place the best stands first: going down, the last one stays */
		if (addr - p->value < p->size || (p->value == addr && p->size == 0))
			hit = p;
		else if (p->value == value && p->size == 0)
			near = p;
	}
	if (!hit)
		hit = near;
	if (!hit)
		return -ENOENT;
	*out = *hit;
	return 0;
}

int elf_file__sym_by_addr(struct elf_file *f, uint64_t addr, uint32_t shndx,
			  struct elf_sym *out)
{
	struct elf_syms *s = elf_syms__load(f);
	uint32_t i, end, sec;

	if (!s)
		return -ENOMEM;
	if (!s->code && !s->order)
		s->code = sort_values(f, s);
	if (s->code)
		return s->code;
	if (!s->rel || shndx) {
		end = upper_bound(s, 0, s->nr_order, shndx, addr);
		return search_down(f, s, end, shndx, addr, out);
	}
	/* no section given, and each has its own addresses: the first with an answer */
	for (i = 0; i < s->nr_order;
	     i = upper_bound(s, i, s->nr_order, sec, UINT64_MAX)) {
		sec = s->syms[s->order[i]].pub.shndx;
		end = upper_bound(s, i, s->nr_order, sec, addr);
		if (!search_down(f, s, end, sec, addr, out))
			return 0;
	}
	return -ENOENT;
}

int elf_file__sym_by_name(struct elf_file *f, const char *name, size_t *pos,
			  struct elf_sym *out)
{
	const struct elf_syms *s = elf_syms__load(f);
	const struct sym *p, *last;
	uint32_t i;

	if (!s)
		return -ENOMEM;
	if (s->code)
		return s->code;
	last = elf_syms__last_found(s, *pos);
	i = last && !strcmp(last->pub.name, name) ?
		    last->next : s->buckets[hash_name(name) & (s->nr_buckets - 1)];
	for (; i != NO_SYM; i = p->next) {
		p = &s->syms[i];
		if (p->pos >= *pos && !strcmp(p->pub.name, name)) {
			*out = p->pub;
			*pos = (size_t)p->pos + 1;
			return 0;
		}
	}
	return -ENOENT;
}
