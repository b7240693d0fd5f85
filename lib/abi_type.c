// SPDX-License-Identifier: GPL-2.0-only
/* abi_type.c - a DWARF type -> what a calling convention must know of it */
#include "abi_type.h"

#include <errno.h>
#include <string.h>

#include "die.h"

enum {
	NESTED_MAX = 16,	/* aggregates within each other */
	QUALIFIED_MAX = 64,	/* typedefs and qualifiers in a row */
	VISITED_MAX = 4096,	/* entries looked at, for one type */
	ALIGN_MAX = 1 << 20,
};

struct reading {
	struct abi_type out;
	unsigned int addr_size;
	unsigned int visited;
};

/* What is known of a part of the type. */
struct part {
	uint32_t size, align, natural;
	uint32_t end;		/* where the last of its members ends */
	uint32_t scalar;	/* the largest alignment of its scalars, no attribute counted */
};

static int read_type(struct reading *r, Dwarf_Die *type, uint64_t off, unsigned int depth,
		     struct part *part);

static bool is_power_of_2(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* The alignment that an attribute asks for, 0: there is none. */
static int asked_align(Dwarf_Die *die, uint32_t *out)
{
	Dwarf_Attribute attr;
	Dwarf_Word val;

	*out = 0;
	if (!dwarf_attr(die, DW_AT_alignment, &attr))
		return 0;
	if (dwarf_formudata(&attr, &val))
		return -EBADMSG;
	if (!is_power_of_2(val) || val > ALIGN_MAX)
		return -EOPNOTSUPP;
	*out = val;
	return 0;
}

static int add_field(struct reading *r, uint64_t off, uint32_t size, enum abi_scalar kind)
{
	struct abi_type *out = &r->out;
	uint32_t i;

	if (off + size > UINT32_MAX)
		return -EOPNOTSUPP;
	for (i = 0; i < out->nr_fields; i++)
		if (out->fields[i].off == off && out->fields[i].size == size &&
		    out->fields[i].kind == kind)
			return 0;
	if (out->nr_fields == ABI_FIELDS_MAX) {
		out->more = true;
		return 0;
	}
	out->fields[out->nr_fields++] = (struct abi_field){ off, size, kind };
	return 0;
}

/* A scalar that is aligned to its size. */
static int scalar(struct reading *r, uint64_t off, uint64_t size, enum abi_scalar kind,
		  struct part *part)
{
	/* i386's long double is of 12 bytes */
	if (!is_power_of_2(size) && !(size == 12 && kind == ABI_S_LONG_DOUBLE))
		return -EOPNOTSUPP;
	if (size > 16)
		return -EOPNOTSUPP;
	part->size = size;
	part->align = part->natural = part->scalar = size == 12 ? 4 : size;
	return add_field(r, off, size, kind);
}

static int read_complex(struct reading *r, Dwarf_Die *die, uint64_t off, uint64_t size,
			bool whole, struct part *part)
{
	bool wide = strstr(die__name(die), "long double");
	enum abi_scalar kind = wide ? ABI_S_LONG_DOUBLE : ABI_S_FLOAT;
	int err;

	if (size % 2)
		return -EOPNOTSUPP;
	err = scalar(r, off, size / 2, kind, part);
	if (!err)
		err = scalar(r, off + size / 2, size / 2, kind, part);
	part->size = size;
	if (whole)
		r->out.complex = true;
	return err;
}

static int read_base(struct reading *r, Dwarf_Die *die, uint64_t off, bool whole,
		     struct part *part)
{
	const char *name = die__name(die);
	uint64_t size, enc, bits;

	if (die__udata(die, DW_AT_byte_size, &size) || die__udata(die, DW_AT_encoding, &enc))
		return -EOPNOTSUPP;
	/* _BitInt(N) has rules of its own */
	if (size > 32 || strstr(name, "_BitInt") ||
	    (!die__udata(die, DW_AT_bit_size, &bits) && bits != size * 8))
		return -EOPNOTSUPP;
	switch (enc) {
	case DW_ATE_boolean:
	case DW_ATE_address:
	case DW_ATE_signed:
	case DW_ATE_signed_char:
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_UCS:
	case DW_ATE_ASCII:
		return scalar(r, off, size, ABI_S_INT, part);
	case DW_ATE_float:
		return scalar(r, off, size,
			      strcmp(name, "long double") ? ABI_S_FLOAT : ABI_S_LONG_DOUBLE,
			      part);
	case DW_ATE_complex_float:
		return read_complex(r, die, off, size, whole, part);
	default:
		return -EOPNOTSUPP;
	}
}

static int read_array(struct reading *r, Dwarf_Die *array, uint64_t off, unsigned int depth,
		      struct part *part)
{
	uint64_t n, i, size;
	uint32_t fields;
	Dwarf_Die type;
	int err;

	if (dwarf_hasattr(array, DW_AT_GNU_vector) || die__type(array, &type) ||
	    die__array_nelems(array, &n))
		return -EOPNOTSUPP;
	r->out.has_array = true;
	fields = r->out.nr_fields;
	err = read_type(r, &type, off, depth, part);
	if (err)
		return err;
	if (!n) {
		/* its element is not in it */
		r->out.nr_fields = fields;
		r->out.has_zero = true;
	}
	if (__builtin_mul_overflow(n, (uint64_t)part->size, &size) || size > UINT32_MAX)
		return -EOPNOTSUPP;
	/* each element, as long as that says something new */
	for (i = 1; i < n && r->out.nr_fields > fields && !r->out.more; i++) {
		err = read_type(r, &type, off + i * part->size, depth, part);
		if (err)
			return err;
	}
	part->size = size;
	return 0;
}

/* The bytes that a bit-field touches; before DWARF 4 all those of its storage unit. */
static int read_bits(struct reading *r, Dwarf_Die *member, uint64_t off, uint64_t bits,
		     uint64_t *end)
{
	uint64_t at, size;

	r->out.bitfields = true;
	if (!bits || bits > 128)
		return -EOPNOTSUPP;
	if (!die__udata(member, DW_AT_data_bit_offset, &at)) {
		if (at > (uint64_t)UINT32_MAX * 8)
			return -EOPNOTSUPP;
		*end = (at + bits + 7) / 8;
		return add_field(r, off + at / 8, (at % 8 + bits + 7) / 8, ABI_S_BITS);
	}
	if (die__udata(member, DW_AT_data_member_location, &at))
		at = 0;
	if (die__udata(member, DW_AT_byte_size, &size) || size > 16 || at > UINT32_MAX)
		return -EOPNOTSUPP;
	/* which half it is in would depend on more */
	if ((off + at) % 8 + size > 8 && size <= 8)
		return -EOPNOTSUPP;
	*end = at + size;
	return add_field(r, off + at, size, ABI_S_BITS);
}

static int read_member(struct reading *r, Dwarf_Die *member, uint64_t off,
		       unsigned int depth, struct part *whole)
{
	uint64_t at = 0, bits = 0, end = 0;
	Dwarf_Attribute attr;
	struct part p = { 0 };
	uint32_t asked, fields = r->out.nr_fields;
	Dwarf_Die type;
	int err;

	if (die__type(member, &type))
		return -EBADMSG;
	err = asked_align(member, &asked);
	if (err)
		return err;
	if (dwarf_attr(member, DW_AT_bit_size, &attr)) {
		if (die__udata(member, DW_AT_bit_size, &bits))
			return -EOPNOTSUPP;
		/* its type for the alignment alone */
		err = read_type(r, &type, 0, depth, &p);
		r->out.nr_fields = fields;
		if (!err)
			err = read_bits(r, member, off, bits, &end);
		if (err)
			return err;
	} else {
		if (dwarf_attr(member, DW_AT_data_member_location, &attr) &&
		    die__udata(member, DW_AT_data_member_location, &at))
			return -EOPNOTSUPP;
		if (at > UINT32_MAX)
			return -EOPNOTSUPP;
		err = read_type(r, &type, off + at, depth, &p);
		if (err)
			return err;
		if (asked > p.align)
			p.align = asked;
		if (at % p.align) {
			/* gcc looks at its scalars, clang at its own alignment */
			if (at % p.scalar == 0)
				return -EOPNOTSUPP;
			r->out.packed = true;
		}
		end = at + p.size;
	}
	if (end > UINT32_MAX)
		return -EOPNOTSUPP;
	if (end > whole->end)
		whole->end = end;
	if (p.align > whole->align)
		whole->align = p.align;
	if (p.scalar > whole->scalar)
		whole->scalar = p.scalar;
	return 0;
}

static int read_members(struct reading *r, Dwarf_Die *aggr, uint64_t off,
			unsigned int depth, struct part *part)
{
	Dwarf_Die child;
	int ret, err;

	for (ret = die__child(aggr, &child); !ret; ret = die__next(&child, &child)) {
		if (++r->visited > VISITED_MAX)
			return -EOPNOTSUPP;
		switch (dwarf_tag(&child)) {
		case DW_TAG_member:
			/* C++'s static ones are no part of it */
			if (die__flag(&child, DW_AT_external) ||
			    die__flag(&child, DW_AT_declaration))
				continue;
			err = read_member(r, &child, off, depth, part);
			if (err)
				return err;
			break;
		case DW_TAG_inheritance:
		case DW_TAG_variant_part:
			return -EOPNOTSUPP;
		}
	}
	return ret < 0 ? ret : 0;
}

static int read_aggregate(struct reading *r, Dwarf_Die *aggr, uint64_t off,
			  unsigned int depth, struct part *part)
{
	uint64_t size, cc;
	uint32_t asked;
	int err;

	if (die__udata(aggr, DW_AT_byte_size, &size) || size > UINT32_MAX ||
	    die__flag(aggr, DW_AT_declaration))
		return -EOPNOTSUPP;
	if (!die__udata(aggr, DW_AT_calling_convention, &cc) && cc == DW_CC_pass_by_reference)
		return -EOPNOTSUPP;
	if (dwarf_tag(aggr) == DW_TAG_union_type)
		r->out.has_union = true;
	*part = (struct part){ .size = size, .align = 1, .scalar = 1 };
	err = read_members(r, aggr, off, depth, part);
	if (!err)
		err = asked_align(aggr, &asked);
	if (err)
		return err;
	part->natural = part->align;
	if (asked && asked < part->align)
		r->out.packed = true;
	if (asked)
		part->align = asked;
	if (size % part->align)
		r->out.packed = true;
	if (!size && depth > 1)
		r->out.has_empty = true;
	/* aligned by what is not said, or bit-fields without a name */
	if (size - part->end >= part->align)
		return -EOPNOTSUPP;
	return 0;
}

/* Beneath typedefs and qualifiers. -EOPNOTSUPP where one of them has an alignment of its own. */
static int strip(Dwarf_Die *die, uint32_t *asked)
{
	bool atomic = false;
	uint32_t align;
	unsigned int n;
	int err;

	*asked = 0;
	for (n = 0; n < QUALIFIED_MAX; n++) {
		switch (dwarf_tag(die)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (dwarf_tag(die) == DW_TAG_atomic_type)
				atomic = true;
			err = asked_align(die, &align);
			if (err)
				return err;
			if (align)
				*asked = align;
			err = die__type(die, die);
			if (err)
				return err == -ENOENT ? -EOPNOTSUPP : err;
			break;
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			/* an atomic one may be larger, and aligned to its size */
			return atomic ? -EOPNOTSUPP : 0;
		default:
			return 0;
		}
	}
	return -EOPNOTSUPP;
}

static int read_type(struct reading *r, Dwarf_Die *type, uint64_t off, unsigned int depth,
		     struct part *part)
{
	Dwarf_Die die = *type;
	uint32_t asked;
	uint64_t size;
	int err;

	if (depth > NESTED_MAX || ++r->visited > VISITED_MAX)
		return -EOPNOTSUPP;
	err = strip(&die, &asked);
	if (err)
		return err;
	switch (dwarf_tag(&die)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		if (die__udata(&die, DW_AT_byte_size, &size))
			size = r->addr_size;
		err = scalar(r, off, size, ABI_S_POINTER, part);
		break;
	case DW_TAG_enumeration_type:
		die__resolve_signature(&die);
		if (die__udata(&die, DW_AT_byte_size, &size))
			return -EOPNOTSUPP;
		err = scalar(r, off, size, ABI_S_INT, part);
		break;
	case DW_TAG_base_type:
		err = read_base(r, &die, off, !depth, part);
		break;
	case DW_TAG_array_type:
		err = depth ? read_array(r, &die, off, depth + 1, part) : -EOPNOTSUPP;
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		die__resolve_signature(&die);
		if (depth)
			r->out.has_nested = true;
		else
			r->out.aggregate = true;
		err = read_aggregate(r, &die, off, depth + 1, part);
		break;
	default:
		return -EOPNOTSUPP;
	}
	if (err)
		return err;
	/* a typedef's own: what it does to a parameter wider than a register is not agreed upon */
	if (!asked || asked == part->align)
		return 0;
	if (!depth)
		return r->out.aggregate || part->size > r->addr_size ? -EOPNOTSUPP : 0;
	if (asked < part->align)
		return -EOPNOTSUPP;
	part->align = asked;
	return 0;
}

int abi_type__read(Dwarf_Die *type, unsigned int addr_size, struct abi_type *out)
{
	struct reading r = { .addr_size = addr_size };
	struct part part = { 0 };
	int err;

	err = read_type(&r, type, 0, 0, &part);
	if (err)
		return err;
	die__loc_type(type, addr_size, &r.out.type);
	if (r.out.type.size != part.size)
		return -EOPNOTSUPP;
	r.out.size = part.size;
	r.out.align = part.align;
	r.out.natural = part.natural;
	r.out.scalar_align = part.scalar;
	*out = r.out;
	return 0;
}
