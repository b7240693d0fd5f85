// SPDX-License-Identifier: GPL-2.0-only
/* site.c - an inline site: where it is, of what, called from where */
#include "site.h"

#include <dwarf.h>
#include <string.h>

#include "die.h"

/* gcc's numbers of the positions between two instructions */
#define AT_GNU_ENTRY_VIEW 0x2138

struct attr_query {
	struct attr_slot *slots;
	size_t nr;
};

static int take_attr(Dwarf_Attribute *attr, void *arg)
{
	struct attr_query *q = arg;
	size_t i;

	for (i = 0; i < q->nr; i++)
		if (q->slots[i].name == attr->code && !q->slots[i].set) {
			q->slots[i].attr = *attr;
			q->slots[i].set = true;
			break;
		}
	return DWARF_CB_OK;
}

int die__attrs(Dwarf_Die *die, struct attr_slot *slots, size_t nr)
{
	struct attr_query q = { .slots = slots, .nr = nr };

	/* goes on to the end, so that each value is known to lie inside the unit */
	return dwarf_getattrs(die, take_attr, &q, 0) == 1 ? 0 : -EBADMSG;
}

void call_pos__of_decl(struct call_pos *pos, const struct unit *u, Dwarf_Die *die)
{
	*pos = (struct call_pos){ 0 };
	if (die->cu == u->die.cu)
		die__udata(die, DW_AT_decl_file, &pos->file_nr);
	else
		pos->file = dwarf_decl_file(die);
	die__udata(die, DW_AT_decl_line, &pos->line);
	die__udata(die, DW_AT_decl_column, &pos->column);
}

/* A file of the unit's table by name: for a declaration in another unit. */
static const char *file_name(const struct unit *u, uint64_t nr)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles((Dwarf_Die *)&u->die, &files, &n) || nr >= n)
		return NULL;
	return dwarf_filesrc(files, nr, NULL, NULL);
}

static bool same_file(const struct unit *u, const struct call_pos *call,
		      const struct call_pos *decl)
{
	const char *name;

	if (!decl->file)
		return call->file_nr == decl->file_nr;
	name = file_name(u, call->file_nr);
	return name && !strcmp(name, decl->file);
}

bool call_pos__same(const struct unit *u, const struct call_pos *call,
		    const struct call_pos *decl)
{
	return call->line && call->line == decl->line && call->column == decl->column &&
	       same_file(u, call, decl);
}

static int udata(struct attr_slot *slot, uint64_t *out)
{
	Dwarf_Word v;

	if (!slot->set)
		return 0;
	if (dwarf_formudata(&slot->attr, &v))
		return -EBADMSG;
	*out = v;
	return 0;
}

enum { S_ORIGIN, S_ENTRY, S_LOW, S_HIGH, S_RANGES, S_VIEW, S_FILE, S_LINE, S_COLUMN, S_NR };

int die__next_range(Dwarf_Die *die, ptrdiff_t *pos, uint64_t *begin)
{
	Dwarf_Addr base, first, end;

	while ((*pos = dwarf_ranges(die, *pos, &base, &first, &end)) > 0)
		if (first < end) {
			*begin = first;
			return 0;
		}
	return *pos < 0 ? -EBADMSG : 1;
}

int die__range(Dwarf_Die *die, unsigned int nr, uint64_t *begin)
{
	ptrdiff_t pos = 0;
	uint64_t at;
	int ret;

	do {
		ret = die__next_range(die, &pos, &at);
	} while (!ret && nr--);
	if (!ret)
		*begin = at;
	return ret;
}

/* Where the first range begins, empty or not. 0, 1: none. */
static int first_range(Dwarf_Die *die, uint64_t *begin)
{
	Dwarf_Addr base, first, end;
	ptrdiff_t off = dwarf_ranges(die, 0, &base, &first, &end);

	if (off > 0)
		*begin = first;
	return off > 0 ? 0 : off < 0 ? -EBADMSG : 1;
}

int die__range_of(Dwarf_Die *die, uint64_t addr, uint64_t *begin, uint64_t *end)
{
	Dwarf_Addr base, first, last;
	ptrdiff_t off = 0;
	bool any = false;

	while ((off = dwarf_ranges(die, off, &base, &first, &last)) > 0) {
		any = true;
		if (first <= addr && addr <= last) {
			*begin = first;
			*end = last;
			return 0;
		}
	}
	return off < 0 ? -EBADMSG : any ? 1 : -ENOENT;
}

/*
 * DW_AT_entry_pc: an address, or an offset from the first address (2.18). 0, and whether it
 * @is_addr; 1: an offset from none; -EBADMSG.
 */
static int stated_entry(Dwarf_Die *die, struct attr_slot *s, uint64_t low, uint64_t *addr,
			bool *is_addr)
{
	Dwarf_Word off;
	int ret = 0;

	*is_addr = !dwarf_formaddr(&s[S_ENTRY].attr, addr);
	if (*is_addr)
		return 0;
	if (dwarf_formudata(&s[S_ENTRY].attr, &off))
		return -EBADMSG;
	if (!s[S_LOW].set)
		ret = first_range(die, &low);
	*addr = low + off;
	return ret;
}

/* Whether the entry is in a range of its DIE; one without ranges says nothing against it. */
static int is_believed(Dwarf_Die *die, struct attr_slot *s, uint64_t low, uint64_t addr)
{
	uint64_t begin, end = low;
	Dwarf_Word size;
	int ret;

	if (s[S_LOW].set && !s[S_RANGES].set) {
		/* one address, where nothing says where it ends (2.17.1) */
		if (s[S_HIGH].set && dwarf_formaddr(&s[S_HIGH].attr, &end)) {
			if (dwarf_formudata(&s[S_HIGH].attr, &size))
				return -EBADMSG;
			end = low + size;
		}
		return low <= addr && addr <= end;
	}
	if (!s[S_RANGES].set)
		return 1;
	ret = die__range_of(die, addr, &begin, &end);
	return ret == -EBADMSG ? ret : ret != 1;
}

/* Where nothing states the entry: the first range that is not empty, or the first if all are. */
static int guess_addr(Dwarf_Die *die, struct site *site)
{
	int ret = die__range(die, 0, &site->addr);

	/* nothing but empty ranges: the call left no instruction of its own */
	if (ret > 0)
		ret = first_range(die, &site->addr);
	if (ret < 0)
		return ret;
	site->has_addr = !ret;
	site->guess = !ret;
	return 0;
}

static int site_addr(Dwarf_Die *die, struct attr_slot *s, struct site *site)
{
	uint64_t addr, low = 0;
	bool is_addr;
	int ret;

	if (s[S_LOW].set && dwarf_formaddr(&s[S_LOW].attr, &low))
		return -EBADMSG;
	site->stated = s[S_LOW].set;
	site->at = s[S_LOW].attr;
	if (s[S_ENTRY].set) {
		ret = stated_entry(die, s, low, &addr, &is_addr);
		if (ret)
			return ret < 0 ? ret : 0;
		ret = is_believed(die, s, low, addr);
		if (ret < 0)
			return ret;
		site->guess = !ret;
	}
	if (s[S_ENTRY].set && !site->guess) {
		if (is_addr) {
			site->stated = true;
			site->at = s[S_ENTRY].attr;
		}
		site->addr = addr;
		site->has_addr = true;
	} else if (s[S_LOW].set && !s[S_RANGES].set) {
		site->addr = low;
		site->has_addr = true;
	} else if (s[S_RANGES].set) {
		site->stated = false;
		return guess_addr(die, site);
	}
	return 0;
}

int site__read(Dwarf_Die *die, struct site *out)
{
	struct attr_slot s[S_NR] = {
		[S_ORIGIN].name = DW_AT_abstract_origin,
		[S_ENTRY].name = DW_AT_entry_pc,
		[S_LOW].name = DW_AT_low_pc,
		[S_HIGH].name = DW_AT_high_pc,
		[S_RANGES].name = DW_AT_ranges,
		[S_VIEW].name = AT_GNU_ENTRY_VIEW,
		[S_FILE].name = DW_AT_call_file,
		[S_LINE].name = DW_AT_call_line,
		[S_COLUMN].name = DW_AT_call_column,
	};
	struct site site = { 0 };
	int err;

	err = die__attrs(die, s, S_NR);
	if (!err)
		err = udata(&s[S_VIEW], &site.view);
	if (!err)
		err = udata(&s[S_FILE], &site.call.file_nr);
	if (!err)
		err = udata(&s[S_LINE], &site.call.line);
	if (!err)
		err = udata(&s[S_COLUMN], &site.call.column);
	if (!err)
		err = site_addr(die, s, &site);
	if (err)
		return err;
	site.has_view = s[S_VIEW].set;
	if (s[S_ORIGIN].set && dwarf_formref_die(&s[S_ORIGIN].attr, &site.origin))
		site.has_origin = true;
	*out = site;
	return 0;
}
