// SPDX-License-Identifier: GPL-2.0-only
/* test_elf_note.c - a build id among notes, put together by hand as the gABI says */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/elf_note.h"

/* "Xen" of type 6 with 1 byte, then GNU's of type 3 with 3 bytes, little-endian */
static const uint8_t notes4[] = {
	4, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 'X', 'e', 'n', 0, 0x77, 0, 0, 0,
	4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0x0a, 0xbc, 0xd0, 0,
};

/* the same padded to 8, as of a section with that alignment: a name begins at 12 */
static const uint8_t notes8[] = {
	4, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 'X', 'e', 'n', 0, 0x77, 0, 0, 0, 0, 0, 0, 0,
	4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0x0a, 0xbc, 0xd0, 0, 0, 0, 0, 0,
};

static const uint8_t notes_big[] = {
	0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 3, 'G', 'N', 'U', 0, 0x12, 0x34, 0, 0,
};

static int find(const uint8_t *p, size_t n, uint64_t align, bool big, char *hex)
{
	const uint8_t *id = NULL;
	/* a copy of just that size: a read behind it is seen */
	uint8_t *copy = malloc(n ? n : 1);
	uint32_t len = 0;
	int ret;

	assert_non_null(copy);
	memcpy(copy, p, n);
	ret = elf_notes__build_id(copy, n, align, big, &id, &len);
	if (!ret)
		build_id__hex(id, len, hex);
	free(copy);
	return ret;
}

static void test_found(void **state)
{
	char hex[64];

	(void)state;
	assert_int_equal(find(notes4, sizeof(notes4), 4, false, hex), 0);
	assert_string_equal(hex, "0abcd0");
	assert_int_equal(find(notes8, sizeof(notes8), 8, false, hex), 0);
	assert_string_equal(hex, "0abcd0");
	assert_int_equal(find(notes_big, sizeof(notes_big), 1, true, hex), 0);
	assert_string_equal(hex, "1234");
	/* the last padding may be missing */
	assert_int_equal(find(notes4, sizeof(notes4) - 1, 4, false, hex), 0);
}

static void test_none(void **state)
{
	uint8_t other[sizeof(notes_big)];
	char hex[64];
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(notes4) - 1; n++)
		assert_int_equal(find(notes4, n, 4, false, hex), -ENOENT);
	assert_int_equal(find(notes_big, sizeof(notes_big), 4, false, hex), -ENOENT);
	memcpy(other, notes_big, sizeof(other));
	other[11] = 1;		/* NT_GNU_ABI_TAG */
	assert_int_equal(find(other, sizeof(other), 4, true, hex), -ENOENT);
	memcpy(other, notes_big, sizeof(other));
	other[12] = 'g';
	assert_int_equal(find(other, sizeof(other), 4, true, hex), -ENOENT);
	/* sizes that reach round the end of the numbers */
	memcpy(other, notes_big, sizeof(other));
	memset(other, 0xff, 8);
	assert_int_equal(find(other, sizeof(other), 4, true, hex), -ENOENT);
	memcpy(other, notes_big, sizeof(other));
	memset(other + 4, 0xff, 4);
	assert_int_equal(find(other, sizeof(other), 4, true, hex), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
