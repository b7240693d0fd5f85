// SPDX-License-Identifier: GPL-2.0-only
/* Addresses as parameters of inline functions, each with a number of its own: test_modules.py */
#define USED __attribute__((used))
#define IN(name) __attribute__((section(name), used))

/* sizes are multiples of the alignment: sections without a gap between them touch */
IN(".data.first") long first[8] = { 1 };
IN(".data.second") static long second[8] = { 2 };
IN(".bss.third") long third[8];
USED static long zeros[8];
USED long filled[8] = { 3 };
extern long outside[8];
extern long missing[8] __attribute__((weak));
long common_one[8];
volatile int sink;
const void *volatile held;

/* the address is not put anywhere: what is known of it is what the DWARF says */
static inline __attribute__((always_inline)) void at(const void *p, int k)
{
	sink = k;
}

long plain(long v)
{
	return v + 1;
}

#define CALL(where, k, p) where void call_##k(void) { at(p, k); }

CALL(, 1, first)
CALL(, 2, second)
CALL(, 3, third)
CALL(, 4, zeros)
CALL(, 5, filled)
CALL(, 11, &first[3])
CALL(, 12, &second[3])
CALL(, 13, &third[3])
CALL(, 14, &zeros[3])
CALL(, 15, &filled[3])
/* the first byte behind is no other section's */
CALL(, 21, &first[8])
CALL(, 22, &second[8])
CALL(, 23, &third[8])
CALL(, 31, outside)
CALL(, 32, &outside[2])
CALL(, 33, missing)
CALL(, 41, (const void *)plain)
CALL(, 51, common_one)
CALL(, 52, &common_one[2])
CALL(IN(".init.text"), 61, first)
CALL(IN(".exit.text"), 62, first)
CALL(IN(".noinstr.text"), 63, first)
CALL(IN(".text.unlikely"), 64, first)

void call_42(void)
{
	const char *text = "a string of its own";

	at(text, 42);
	held = text;
}
