// SPDX-License-Identifier: GPL-2.0-only
/* produce_units.c - the units of a file that can hold code */
#include "produce_units.h"

#include <dwarf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "locs_set.h"

static bool is_skeleton(Dwarf_Die *die, uint8_t type)
{
	return type == DW_UT_skeleton || type == DW_UT_split_compile ||
	       dwarf_hasattr(die, DW_AT_GNU_dwo_name);
}

int units__list(Dwarf *dw, struct unit_ref **units, size_t *nr, struct btf_locs_err *err)
{
	struct unit_ref *list = NULL;
	size_t n = 0, cap = 0;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	int ret, rc;

	while (!(ret = dwarf_get_units(dw, cu, &cu, NULL, &type, &die, NULL))) {
		if (type == DW_UT_type || type == DW_UT_split_type)
			continue;
		rc = -EOPNOTSUPP;
		if (is_skeleton(&die, type)) {
			locs_err__set(err, rc,
				      "its DWARF is split (-gsplit-dwarf), which is not read: "
				      "build it without");
			goto fail;
		}
		rc = array__room(list, n, cap, 1);
		if (rc)
			goto fail;
		list[n++].die = dwarf_dieoffset(&die);
	}
	rc = -EBADMSG;
	if (ret < 0) {
		locs_err__set(err, rc, "malformed DWARF: unit %zu: %s", n, dwarf_errmsg(-1));
		goto fail;
	}
	*units = list;
	*nr = n;
	return 0;
fail:
	free(list);
	return rc;
}
