// SPDX-License-Identifier: GPL-2.0-only
/* unit.c - what a compilation unit's locations are read against */
#include "unit.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

/* The bytes of a DWARF section, which libdw has decompressed when it opened the file. */
static int section_bytes(struct object *obj, Elf_Scn *scn, unsigned int nr,
			 const uint8_t **data, size_t *size)
{
	Elf_Data *d = elf_getdata(scn, NULL);

	if (!d)
		return -EBADMSG;
	/* of several libdw takes the first */
	if (*data)
		return 0;
	*data = d->d_buf;
	*size = d->d_buf ? d->d_size : 0;
	return obj->rel ? rel_places__init(&obj->places[nr], &obj->rels, scn, *data, *size) : 0;
}

static int find_dwarf_section(struct object *obj, Elf_Scn *scn, const GElf_Shdr *shdr,
			      const char *name)
{
	/* .debug_loc and the old compressed .zdebug_loc */
	if (!strncmp(name, ".zdebug_", 8))
		name += 2;
	else if (!strncmp(name, ".debug_", 7))
		name += 1;
	else
		return 0;
	if (!strcmp(name, "debug_info"))
		obj->info_size += shdr->sh_size;
	if (shdr->sh_flags & SHF_GROUP)
		return 0;
	if (!strcmp(name, "debug_info"))
		return section_bytes(obj, scn, 0, &obj->info, &obj->info_len);
	if (!strcmp(name, "debug_loc"))
		return section_bytes(obj, scn, 1, &obj->loc, &obj->loc_size);
	if (!strcmp(name, "debug_loclists"))
		return section_bytes(obj, scn, 2, &obj->loclists, &obj->loclists_size);
	if (!strcmp(name, "debug_addr"))
		return section_bytes(obj, scn, 3, &obj->addr, &obj->addr_size);
	return 0;
}

static int by_addr(const void *a, const void *b)
{
	const struct code_sec *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->idx < y->idx ? -1 : 1;
}

/* Below an address that is behind all of them, none need be asked. */
static void mark_reach(struct object *obj)
{
	uint64_t last, max = 0;
	size_t i;

	for (i = 0; i < obj->nr_secs; i++) {
		if (obj->secs[i].size) {
			if (__builtin_add_overflow(obj->secs[i].addr, obj->secs[i].size - 1, &last))
				last = UINT64_MAX;
			max = last > max ? last : max;
		}
		obj->secs[i].reach = max;
	}
}

/*
 * Per-CPU data of an x86 kernel is linked at 0, far below the image: addresses in it are
 * offsets, and stay as they are where the image is moved (KASLR).
 */
static void mark_unmoved(struct object *obj)
{
	size_t i;

	if (obj->rel || obj->nr_secs < 2 || obj->secs[0].addr || obj->secs[0].exec)
		return;
	for (i = 0; i < obj->nr_secs; i++)
		if (obj->secs[i].exec && obj->secs[i].addr >> 47) {
			obj->secs[0].unmoved = true;
			return;
		}
}

static int by_name(const void *a, const void *b)
{
	const struct code_sec *x = *(const struct code_sec *const *)a,
			      *y = *(const struct code_sec *const *)b;

	return strcmp(x->name, y->name);
}

/*
 * Records and addresses name a section, and of two that are called the same (COMDAT groups,
 * clang's -fno-unique-section-names) it would not be known which is meant.
 */
static int mark_same_names(struct object *obj)
{
	struct code_sec **secs = calloc(obj->nr_secs + 1, sizeof(*secs));
	size_t i, nr = 0;

	if (!secs)
		return -ENOMEM;
	for (i = 0; i < obj->nr_secs; i++) {
		obj->secs[i].same_name = !*obj->secs[i].name;
		if (obj->secs[i].size)
			secs[nr++] = &obj->secs[i];
	}
	qsort(secs, nr, sizeof(*secs), by_name);
	for (i = 1; i < nr; i++)
		if (!strcmp(secs[i - 1]->name, secs[i]->name))
			secs[i - 1]->same_name = secs[i]->same_name = true;
	free(secs);
	return 0;
}

/* What every Linux kernel exports by, and every module is described by. */
static bool is_kernel_section(const char *name)
{
	return !strcmp(name, "__ksymtab") || !strcmp(name, "__ksymtab_gpl") ||
	       !strcmp(name, ".modinfo");
}

static int read_section(struct object *obj, Elf_Scn *scn, size_t shstrndx)
{
	const char *name;
	GElf_Shdr shdr;

	if (!gelf_getshdr(scn, &shdr))
		return -EBADMSG;
	name = elf_strptr(obj->elf, shstrndx, shdr.sh_name);
	if (!(shdr.sh_flags & SHF_ALLOC))
		return name ? find_dwarf_section(obj, scn, &shdr, name) : 0;
	if (name && is_kernel_section(name))
		obj->kernel = true;
	/* an empty one has an address of its own only where it was laid out */
	if ((!shdr.sh_size && !obj->rel) || shdr.sh_flags & SHF_TLS)
		return 0;
	obj->secs[obj->nr_secs++] = (struct code_sec){
		.idx = elf_ndxscn(scn), .addr = shdr.sh_addr, .size = shdr.sh_size,
		.exec = shdr.sh_flags & SHF_EXECINSTR, .name = name ? name : "",
		.per_cpu = obj->rel && name && !strncmp(name, ".data..percpu", 13),
	};
	return 0;
}

int object__init(struct object *obj, Dwarf *dw, Elf *elf)
{
	size_t shstrndx, nr = 0;
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	int err = 0;

	*obj = (struct object){ .dw = dw, .elf = elf };
	if (!gelf_getehdr(elf, &ehdr) || elf_getshdrstrndx(elf, &shstrndx) ||
	    elf_getshdrnum(elf, &nr))
		return -EBADMSG;
	obj->big = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	obj->rel = ehdr.e_type == ET_REL;
	obj->is64 = ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	obj->machine = ehdr.e_machine;
	obj->e_flags = ehdr.e_flags;
	obj->reg_size = regs__width(ehdr.e_machine, obj->is64);
	obj->secs = calloc(nr + 1, sizeof(*obj->secs));
	if (!obj->secs)
		return -ENOMEM;
	if (obj->rel)
		err = rel_index__init(&obj->rels, elf);
	while (!err && (scn = elf_nextscn(elf, scn)))
		err = read_section(obj, scn, shstrndx);
	rel_index__free(&obj->rels);
	qsort(obj->secs, obj->nr_secs, sizeof(*obj->secs), by_addr);
	mark_reach(obj);
	mark_unmoved(obj);
	if (!err)
		err = mark_same_names(obj);
	if (err)
		object__free(obj);
	return err;
}

void object__free(struct object *obj)
{
	size_t i;

	for (i = 0; i < sizeof(obj->places) / sizeof(obj->places[0]); i++)
		rel_places__free(&obj->places[i]);
	free(obj->secs);
	obj->secs = NULL;
	obj->nr_secs = 0;
}

const struct code_sec *object__sec(const struct object *obj, uint64_t addr)
{
	size_t lo = 0, hi = obj->nr_secs, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (obj->secs[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* the last that begins at or below: the nearest that reaches as far */
	while (lo-- && obj->secs[lo].reach >= addr) {
		if (addr - obj->secs[lo].addr < obj->secs[lo].size)
			return &obj->secs[lo];
		/* those that were laid out do not reach over each other */
		if (obj->rel && obj->secs[lo].size)
			break;
	}
	return NULL;
}

const struct code_sec *object__sec_by_idx(const struct object *obj, uint32_t idx)
{
	size_t lo = 0, hi = obj->nr_secs, mid;

	/* addresses were given out in the order of the indexes */
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (obj->secs[mid].idx < idx)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < obj->nr_secs && obj->secs[lo].idx == idx ? &obj->secs[lo] : NULL;
}

const struct rel_places *object__places(const struct object *obj, const uint8_t *at, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(obj->places) / sizeof(obj->places[0]); i++)
		if (rel_places__holds(&obj->places[i], at, len))
			return &obj->places[i];
	return NULL;
}

/*
 * The bytes of an attribute's value, to the end of the section. libdw has only looked at
 * how long the value says that it is, and not always at that.
 */
static void attr_cursor(const struct unit *u, const Dwarf_Attribute *attr, size_t size,
			struct cursor *c)
{
	const struct object *obj = u->obj;

	if (attr->valp >= obj->info && attr->valp < obj->info + obj->info_len)
		size = obj->info + obj->info_len - attr->valp;
	cursor__init(c, attr->valp, size, obj->big);
}

/* An unsigned number of @size bytes as an attribute's value. 0 or -EBADMSG. */
static int attr_uint(const struct unit *u, const Dwarf_Attribute *attr, unsigned int size,
		     uint64_t *out)
{
	struct cursor c;

	attr_cursor(u, attr, size, &c);
	return cursor__uint(&c, size, out);
}

/* An attribute that is an offset into a section, 0 where it is not there. */
static uint64_t offset_attr(const struct unit *u, unsigned int at)
{
	Dwarf_Attribute attr;
	uint64_t off;

	if (!dwarf_attr((Dwarf_Die *)&u->die, at, &attr) ||
	    attr.form != DW_FORM_sec_offset || attr_uint(u, &attr, u->off_size, &off))
		return 0;
	return off;
}

/*
 * "GNU C11 12.2.0 -mno-sse -g -O2": gcc. It has views since version 8, where it follows
 * variables at all (-O1 and up), and tells the entry's from the first statement's by
 * -gstatement-frontiers, which is on unless it says otherwise; without a word of its options
 * (-gno-record-gcc-switches) it is taken to have them. "GNU AS 2.40" is no compiler.
 */
static void read_producer(struct unit *u)
{
	Dwarf_Attribute attr;
	const char *str, *p;

	if (!dwarf_attr(&u->die, DW_AT_producer, &attr) || !(str = dwarf_formstring(&attr)))
		return;
	if (strstr(str, "clang version") || strstr(str, "LLVM"))
		u->producer = PRODUCER_CLANG;
	if (strncmp(str, "GNU ", 4) || !strncmp(str, "GNU AS", 6))
		return;
	u->producer = PRODUCER_GCC;
	u->lto = !strncmp(str, "GNU GIMPLE", 10);
	/* the language's own name can end in a number: "GNU C17 12.2.0" */
	p = strchr(str + 4, ' ');
	/* linkers of RISC-V and LoongArch change distances: gcc does not number views there */
	u->has_views = p && strtoul(p, NULL, 10) >= 8 &&
		       u->obj->machine != EM_RISCV && u->obj->machine != EM_LOONGARCH &&
		       (!strstr(str, " -") || strstr(str, " -O")) && !strstr(str, " -O0") &&
		       !strstr(str, " -gno-variable-location-views") &&
		       !strstr(str, " -gno-statement-frontiers");
}

/*
 * How many registers pass parameters on i386 (-mregparm=N). gcc's producer has its options. Where
 * it has none, a Linux kernel is built with 3 (arch/x86/Makefile), and of a program nothing tells.
 */
static void read_regparm(struct unit *u)
{
	const char *option = " -mregparm=", *str = NULL, *p;
	Dwarf_Attribute attr;

	if (u->producer == PRODUCER_GCC && dwarf_attr(&u->die, DW_AT_producer, &attr))
		str = dwarf_formstring(&attr);
	u->regparm = u->obj->kernel ? 3 : -1;
	if (!str || !strstr(str, " -"))
		return;
	u->regparm = 0;
	for (p = strstr(str, option); p; p = strstr(p + 1, option))
		u->regparm = atoi(p + strlen(option));
}

int unit__init(struct unit *u, const struct object *obj, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Addr low;

	*u = (struct unit){ .obj = obj, .die = *die };
	if (dwarf_cu_info(die->cu, &u->version, NULL, NULL, NULL, NULL, &u->addr_size,
			  &u->off_size))
		return -EBADMSG;
	if (u->addr_size != 4 && u->addr_size != 8)
		return -EBADMSG;
	u->addr_base = offset_attr(u, DW_AT_addr_base);
	if (!u->addr_base)
		u->addr_base = offset_attr(u, DW_AT_GNU_addr_base);
	u->loclists_base = offset_attr(u, DW_AT_loclists_base);
	if (dwarf_attr(die, DW_AT_low_pc, &attr) && !dwarf_formaddr(&attr, &low))
		u->base = low;
	read_producer(u);
	read_regparm(u);
	return 0;
}

uint64_t unit__bytes(const struct unit *u)
{
	Dwarf_Die die = u->die;
	Dwarf_Off begin = dwarf_dieoffset(&die) - dwarf_cuoffset(&die), end;

	if (dwarf_next_unit(u->obj->dw, begin, &end, NULL, NULL, NULL, NULL, NULL, NULL, NULL))
		return 0;
	return end - begin;
}

/* Where entry @idx of .debug_addr is. 0 or -EBADMSG. */
static int seek_addrx(const struct unit *u, uint64_t idx, struct cursor *c)
{
	uint64_t off;

	if (__builtin_mul_overflow(idx, (uint64_t)u->addr_size, &off) ||
	    __builtin_add_overflow(off, u->addr_base, &off))
		return -EBADMSG;
	cursor__init(c, u->obj->addr, u->obj->addr_size, u->obj->big);
	return cursor__seek(c, off);
}

int unit__addrx(const struct unit *u, uint64_t idx, uint64_t *addr)
{
	struct cursor c;

	return seek_addrx(u, idx, &c) ? -EBADMSG : cursor__uint(&c, u->addr_size, addr);
}

uint32_t unit__addrx_sec(const struct unit *u, uint64_t idx)
{
	const struct rel_places *p;
	struct cursor c;

	if (seek_addrx(u, idx, &c))
		return 0;
	p = object__places(u->obj, c.pos, u->addr_size);
	return p ? rel_places__section(p, c.pos, u->addr_size) : 0;
}

/* The index that an attribute of class addrx is (DWARF 5, 7.5.5). 0 or -EBADMSG. */
static int attr_addrx(const struct unit *u, const Dwarf_Attribute *attr, uint64_t *idx)
{
	struct cursor c;

	switch (attr->form) {
	case DW_FORM_addrx1:
		return attr_uint(u, attr, 1, idx);
	case DW_FORM_addrx2:
		return attr_uint(u, attr, 2, idx);
	case DW_FORM_addrx3:
		return attr_uint(u, attr, 3, idx);
	case DW_FORM_addrx4:
		return attr_uint(u, attr, 4, idx);
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
		attr_cursor(u, attr, 10, &c);
		return cursor__uleb(&c, idx);
	default:
		return -EBADMSG;
	}
}

uint32_t unit__attr_sec(const struct unit *u, const Dwarf_Attribute *attr)
{
	const struct rel_places *p;
	uint64_t idx;

	if (attr->form != DW_FORM_addr)
		return attr_addrx(u, attr, &idx) ? 0 : unit__addrx_sec(u, idx);
	p = object__places(u->obj, attr->valp, u->addr_size);
	return p ? rel_places__section(p, attr->valp, u->addr_size) : 0;
}

bool attr__is_list(const Dwarf_Attribute *attr)
{
	switch (attr->form) {
	case DW_FORM_sec_offset:
	case DW_FORM_loclistx:
	case DW_FORM_data4:	/* up to DWARF 3 */
	case DW_FORM_data8:
		return true;
	default:
		return false;
	}
}

int unit__list_offset(const struct unit *u, const Dwarf_Attribute *attr, uint64_t *off)
{
	uint64_t idx, at;
	struct cursor c;
	int err;

	switch (attr->form) {
	case DW_FORM_sec_offset:
		return attr_uint(u, attr, u->off_size, off);
	case DW_FORM_data4:
	case DW_FORM_data8:
		return attr_uint(u, attr, attr->form == DW_FORM_data4 ? 4 : 8, off);
	case DW_FORM_loclistx:
		attr_cursor(u, attr, 10, &c);
		if (cursor__uleb(&c, &idx) ||
		    __builtin_mul_overflow(idx, (uint64_t)u->off_size, &at) ||
		    __builtin_add_overflow(at, u->loclists_base, &at))
			return -EBADMSG;
		cursor__init(&c, u->obj->loclists, u->obj->loclists_size, u->obj->big);
		if (cursor__seek(&c, at))
			return -EBADMSG;
		err = cursor__uint(&c, u->off_size, &at);
		if (err)
			return err;
		*off = at + u->loclists_base;
		return 0;
	default:
		return -EBADMSG;
	}
}
