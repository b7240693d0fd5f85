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

enum { S_ORIGIN, S_ENTRY, S_LOW, S_RANGES, S_VIEW, S_FILE, S_LINE, S_COLUMN, S_NR };

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

static int site_addr(Dwarf_Die *die, struct attr_slot *s, struct site *site)
{
	Dwarf_Addr addr, low = 0;
	Dwarf_Word off;
	int ret;

	if (s[S_LOW].set && dwarf_formaddr(&s[S_LOW].attr, &low))
		return -EBADMSG;
	site->stated = s[S_LOW].set;
	site->at = s[S_LOW].attr;
	if (s[S_ENTRY].set && !dwarf_formaddr(&s[S_ENTRY].attr, &addr)) {
		site->stated = true;
		site->at = s[S_ENTRY].attr;
		site->addr = addr;
		site->has_addr = true;
	} else if (s[S_ENTRY].set) {
		/* a constant: an offset from the base address (2.18) */
		if (dwarf_formudata(&s[S_ENTRY].attr, &off))
			return -EBADMSG;
		ret = s[S_LOW].set ? 0 : first_range(die, &low);
		if (ret < 0)
			return ret;
		site->addr = low + off;
		site->has_addr = !ret;
	} else if (s[S_LOW].set) {
		site->addr = low;
		site->has_addr = true;
	} else if (s[S_RANGES].set) {
		ret = die__range(die, 0, &site->addr);
		/* nothing but empty ranges: the call left no instruction of its own */
		if (ret > 0)
			ret = first_range(die, &site->addr);
		if (ret < 0)
			return ret;
		site->has_addr = !ret;
		site->guess = !ret;
	}
	return 0;
}

int site__read(Dwarf_Die *die, struct site *out)
{
	struct attr_slot s[S_NR] = {
		[S_ORIGIN].name = DW_AT_abstract_origin,
		[S_ENTRY].name = DW_AT_entry_pc,
		[S_LOW].name = DW_AT_low_pc,
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
