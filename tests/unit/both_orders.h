/* SPDX-License-Identifier: GPL-2.0-only */
/* both_orders.h - one test, run little-endian (*state NULL) and big-endian; after cmocka.h */
#ifndef TESTS_BOTH_ORDERS_H
#define TESTS_BOTH_ORDERS_H

static int big_endian(void **state)
{
	static int yes;

	*state = &yes;
	return 0;
}

#define BOTH_ORDERS(test) \
	cmocka_unit_test(test), cmocka_unit_test_setup(test, big_endian)

#endif
