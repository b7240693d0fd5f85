// SPDX-License-Identifier: GPL-2.0-only
/* die.c - small questions to a debugging information entry */
#include "die.h"

#include <errno.h>
#include <limits.h>

#define TYPE_DEPTH_MAX 64	/* typedefs and qualifiers in a row */

const char *die__name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? name : "";
}

int die__ref(Dwarf_Die *die, unsigned int at, Dwarf_Die *out)
{
	Dwarf_Attribute attr;
	Dwarf_Die ref;

	if (!dwarf_attr(die, at, &attr))
		return -ENOENT;
	if (!dwarf_formref_die(&attr, &ref))
		return -EBADMSG;
	*out = ref;
	return 0;
}

int die__type(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute attr;
	Dwarf_Die ref;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr))
		return -ENOENT;
	if (!dwarf_formref_die(&attr, &ref))
		return -EBADMSG;
	*out = ref;
	return 0;
}

int die__udata(Dwarf_Die *die, unsigned int at, uint64_t *out)
{
	Dwarf_Attribute attr;
	Dwarf_Word val;

	if (!dwarf_attr_integrate(die, at, &attr))
		return -ENOENT;
	if (dwarf_formudata(&attr, &val))
		return -EBADMSG;
	*out = val;
	return 0;
}

int die__enum_value(Dwarf_Die *enumerator, int64_t *out)
{
	Dwarf_Attribute attr;
	Dwarf_Sword s;
	Dwarf_Word u;

	if (!dwarf_attr(enumerator, DW_AT_const_value, &attr))
		return -EBADMSG;
	if (attr.form == DW_FORM_sdata || attr.form == DW_FORM_implicit_const) {
		if (dwarf_formsdata(&attr, &s))
			return -EBADMSG;
		*out = s;
		return 0;
	}
	if (dwarf_formudata(&attr, &u))
		return -EBADMSG;
	*out = u;
	return 0;
}

bool die__flag(Dwarf_Die *die, unsigned int at)
{
	Dwarf_Attribute attr;
	bool set;

	return dwarf_attr_integrate(die, at, &attr) && !dwarf_formflag(&attr, &set) && set;
}

int die__child(Dwarf_Die *die, Dwarf_Die *out)
{
	int ret = dwarf_child(die, out);

	return ret < 0 ? -EBADMSG : ret;
}

int die__next(Dwarf_Die *die, Dwarf_Die *out)
{
	int ret = dwarf_siblingof(die, out);

	return ret < 0 ? -EBADMSG : ret;
}

void die__resolve_signature(Dwarf_Die *die)
{
	Dwarf_Die def;

	if (!die__ref(die, DW_AT_signature, &def))
		*die = def;
}

static uint64_t subrange_nelems(Dwarf_Die *sub)
{
	uint64_t n, lower = 0;

	if (!die__udata(sub, DW_AT_count, &n))
		return n;
	if (die__udata(sub, DW_AT_upper_bound, &n))
		return 0;
	die__udata(sub, DW_AT_lower_bound, &lower);
	/* an upper bound of -1: no elements */
	return n - lower + 1;
}

int die__array_nelems(Dwarf_Die *array, uint64_t *out)
{
	Dwarf_Die sub;
	uint64_t n = 1;
	bool any = false;
	int ret;

	for (ret = die__child(array, &sub); !ret; ret = die__next(&sub, &sub)) {
		if (dwarf_tag(&sub) != DW_TAG_subrange_type)
			continue;
		any = true;
		if (__builtin_mul_overflow(n, subrange_nelems(&sub), &n))
			return -EOVERFLOW;
	}
	if (ret < 0)
		return ret;
	*out = any ? n : 0;
	return 0;
}

static void base_loc_type(Dwarf_Die *die, struct loc_type *out)
{
	uint64_t enc = 0;

	die__udata(die, DW_AT_encoding, &enc);
	switch (enc) {
	case DW_ATE_boolean:
		out->cls = LOC_C_BOOL;
		break;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		out->is_signed = true;
		break;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_UCS:
	case DW_ATE_ASCII:
	case DW_ATE_address:
		break;
	default:		/* float, complex, decimal, ... */
		out->cls = LOC_C_FLOAT;
	}
}

/*
 * An enumeration is read as its underlying type, which may be a truth value; without one its
 * enumerators tell the sign.
 */
static void enum_loc_type(Dwarf_Die *die, struct loc_type *out)
{
	Dwarf_Die type, e;
	int64_t val;
	int ret;

	if (!die__type(die, &type) && dwarf_tag(&type) == DW_TAG_base_type) {
		base_loc_type(&type, out);
		return;
	}
	for (ret = die__child(die, &e); !ret; ret = die__next(&e, &e))
		if (dwarf_tag(&e) == DW_TAG_enumerator && !die__enum_value(&e, &val) &&
		    val < 0)
			out->is_signed = true;
}

static uint32_t byte_size(Dwarf_Die *die)
{
	uint64_t size;

	if (die__udata(die, DW_AT_byte_size, &size) || size > UINT32_MAX)
		return 0;
	return size;
}

static void loc_type(Dwarf_Die *type, unsigned int addr_size, int depth,
		     struct loc_type *out);

static uint32_t array_size(Dwarf_Die *array, unsigned int addr_size, int depth)
{
	struct loc_type elem;
	Dwarf_Die type;
	uint64_t n, size;

	if (byte_size(array))
		return byte_size(array);
	if (die__type(array, &type) || die__array_nelems(array, &n))
		return 0;
	loc_type(&type, addr_size, depth + 1, &elem);
	if (__builtin_mul_overflow(n, (uint64_t)elem.size, &size) || size > UINT32_MAX)
		return 0;
	return size;
}

static void loc_type(Dwarf_Die *type, unsigned int addr_size, int depth,
		     struct loc_type *out)
{
	Dwarf_Die die = *type;

	*out = (struct loc_type){ 0 };
	for (; depth < TYPE_DEPTH_MAX; depth++) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (die__type(&die, &die))
				return;
			continue;
		case DW_TAG_pointer_type:
		case DW_TAG_reference_type:
		case DW_TAG_rvalue_reference_type:
		case DW_TAG_unspecified_type:
			out->size = byte_size(&die);
			if (!out->size)
				out->size = addr_size;
			return;
		case DW_TAG_base_type:
			out->size = byte_size(&die);
			base_loc_type(&die, out);
			return;
		case DW_TAG_enumeration_type:
			die__resolve_signature(&die);
			out->size = byte_size(&die);
			enum_loc_type(&die, out);
			return;
		case DW_TAG_array_type:
			out->cls = LOC_C_AGGREGATE;
			out->size = array_size(&die, addr_size, depth);
			return;
		default:
			die__resolve_signature(&die);
			out->cls = LOC_C_AGGREGATE;
			out->size = byte_size(&die);
			return;
		}
	}
}

void die__loc_type(Dwarf_Die *type, unsigned int addr_size, struct loc_type *out)
{
	if (type)
		loc_type(type, addr_size, 0, out);
	else
		*out = (struct loc_type){ 0 };
}
