// SPDX-License-Identifier: GPL-2.0-only
/* rel_table.c - the tables of relocations of a relocatable file, as they are written */
#include "rel_table.h"

#include <errno.h>
#include <stdlib.h>

#include "locs_set.h"

/* LLVM's packed relocations; not in elf.h */
#define TYPE_CREL 0x40000014u

static bool is_rel(uint32_t type)
{
	return type == SHT_REL || type == SHT_RELA || type == TYPE_CREL;
}

static int by_link(const void *pa, const void *pb)
{
	const struct rel_link *a = pa, *b = pb;

	if (a->of != b->of)
		return a->of < b->of ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* The first of @links that is of section @of. */
static size_t first_link(const struct rel_link *links, size_t nr, uint32_t of)
{
	size_t lo = 0, hi = nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (links[mid].of < of)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int add_link(struct rel_link **links, size_t *nr, size_t *cap, uint32_t of, uint32_t at)
{
	int err = array__room(*links, *nr, *cap, 1);

	if (!err)
		(*links)[(*nr)++] = (struct rel_link){ of, at };
	return err;
}

int rel_index__init(struct rel_index *ix, Elf *elf)
{
	size_t cap_rels = 0, cap_x = 0, file_size = 0;
	struct rel_index new = { .elf = elf };
	Elf_Scn *scn = NULL;
	uint64_t sum = 0;
	GElf_Shdr shdr;
	GElf_Ehdr ehdr;
	int err = 0;

	if (!gelf_getehdr(elf, &ehdr) || !elf_rawfile(elf, &file_size))
		return -EBADMSG;
	new.machine = ehdr.e_machine;
	while (!err && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr)) {
			err = -EBADMSG;
		} else if (is_rel(shdr.sh_type)) {
			if (__builtin_add_overflow(sum, shdr.sh_size, &sum) || sum > file_size)
				err = -EBADMSG;
			else
				err = add_link(&new.rels, &new.nr_rels, &cap_rels, shdr.sh_info,
					       elf_ndxscn(scn));
		} else if (shdr.sh_type == SHT_SYMTAB_SHNDX) {
			err = add_link(&new.xindexes, &new.nr_xindexes, &cap_x, shdr.sh_link,
				       elf_ndxscn(scn));
		}
	}
	if (err) {
		rel_index__free(&new);
		return err;
	}
	if (new.nr_rels)
		qsort(new.rels, new.nr_rels, sizeof(*new.rels), by_link);
	if (new.nr_xindexes)
		qsort(new.xindexes, new.nr_xindexes, sizeof(*new.xindexes), by_link);
	*ix = new;
	return 0;
}

void rel_index__free(struct rel_index *ix)
{
	free(ix->rels);
	free(ix->xindexes);
	*ix = (struct rel_index){ 0 };
}

/* The indexes of those symbols that have no room for them (gABI, SHN_XINDEX). */
static Elf_Data *find_xindex(const struct rel_index *ix, uint32_t symtab)
{
	size_t i = first_link(ix->xindexes, ix->nr_xindexes, symtab);
	Elf_Scn *scn;

	if (i == ix->nr_xindexes || ix->xindexes[i].of != symtab)
		return NULL;
	scn = elf_getscn(ix->elf, ix->xindexes[i].at);
	return scn ? elf_getdata(scn, NULL) : NULL;
}

int rel_index__table(const struct rel_index *ix, Elf_Scn *scn, size_t i, struct rel_table *out)
{
	uint32_t of = elf_ndxscn(scn);
	size_t at = first_link(ix->rels, ix->nr_rels, of);
	struct rel_table t = { .machine = ix->machine };
	Elf_Scn *rels, *symscn;
	GElf_Shdr shdr;
	size_t each;

	if (i >= ix->nr_rels - at || ix->rels[at + i].of != of)
		return 1;
	rels = elf_getscn(ix->elf, ix->rels[at + i].at);
	if (!rels || !gelf_getshdr(rels, &shdr))
		return -EBADMSG;
	if (shdr.sh_type == TYPE_CREL)
		return -EOPNOTSUPP;
	t.rela = shdr.sh_type == SHT_RELA;
	each = gelf_fsize(ix->elf, t.rela ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
	if (!each || shdr.sh_entsize != each)
		return -EBADMSG;
	t.data = elf_getdata(rels, NULL);
	symscn = elf_getscn(ix->elf, shdr.sh_link);
	t.syms = symscn ? elf_getdata(symscn, NULL) : NULL;
	if (!t.data || !t.syms)
		return -EBADMSG;
	t.nr = t.data->d_size / each;
	t.xindex = find_xindex(ix, shdr.sh_link);
	*out = t;
	return 0;
}

int rel_table__get(const struct rel_table *t, size_t i, struct rel *out)
{
	GElf_Rela a;
	GElf_Rel r;

	if (t->rela) {
		if (!gelf_getrela(t->data, i, &a))
			return -EBADMSG;
	} else {
		if (!gelf_getrel(t->data, i, &r))
			return -EBADMSG;
		a = (GElf_Rela){ r.r_offset, r.r_info, 0 };
	}
	*out = (struct rel){
		.off = a.r_offset, .type = GELF_R_TYPE(a.r_info), .sym = GELF_R_SYM(a.r_info),
		.has_addend = t->rela, .addend = a.r_addend,
	};
	return 0;
}

int rel_table__symbol(const struct rel_table *t, uint32_t idx, GElf_Sym *sym, uint32_t *sec)
{
	Elf32_Word xindex = 0;

	if (!gelf_getsymshndx(t->syms, t->xindex, idx, sym, &xindex))
		return -EBADMSG;
	if (sym->st_shndx == SHN_XINDEX) {
		*sec = xindex;
		return xindex ? 0 : -EBADMSG;
	}
	*sec = sym->st_shndx;
	if (sym->st_shndx == SHN_UNDEF ||
	    (sym->st_shndx >= SHN_LORESERVE && sym->st_shndx != SHN_ABS))
		return -EOPNOTSUPP;
	return 0;
}
