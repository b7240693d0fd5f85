/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdbool.h>
extern void ext(long); extern int gi(void);
static inline __attribute__((always_inline)) void tb(bool g, unsigned char uc, long w){ if(g) ext(uc); ext(w); }
void k1(void){ tb(true, 255, -1); } void k2(int a, signed char c){ tb(a>3, a, c); }
static inline __attribute__((always_inline)) long dbl(double d, __int128 big, float f){ return (long)(d*f)+(long)(big>>64); }
long k3(void){ return dbl(2.5, ((__int128)5<<64)|7, 1.5f); }
