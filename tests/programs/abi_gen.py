# SPDX-License-Identifier: GPL-2.0-only
"""C functions of many signatures, for test_conventions.py: every type at every place, and mixes."""
import random

SCALARS = (
    '_Bool', 'char', 'signed char', 'unsigned char', 'short', 'unsigned short', 'int',
    'unsigned int', 'long', 'unsigned long', 'long long', 'unsigned long long', 'void *',
    'const char *', 'enum plain', 'enum negative', 'enum wide', 'enum small',
)
FLOATS = ('float', 'double', 'long double', '_Complex float', '_Complex double')
WIDE = ('__int128', 'unsigned __int128')

PROLOGUE = '''
enum plain { P0, P1 };
enum negative { N0 = -1, N1 };
enum wide { W0 = 0x100000000LL };
enum small { S0, S1 } __attribute__((packed));
struct nothing { };
'''

# Name, declaration. What needs __int128 has it in its text and is left out of 32-bit files.
AGGREGATES = [('chars%d' % n, 'struct { char a[%d]; }' % n)
              for n in list(range(1, 26)) + [31, 32, 33, 40, 64, 65]]
AGGREGATES += [('ints%d' % n, 'struct { int %s; }' % ', '.join('abcdefghij'[:n]))
               for n in range(1, 11)]
AGGREGATES += [('shorts%d' % n, 'struct { short a[%d]; }' % n) for n in range(1, 10)]
AGGREGATES += [('longs%d' % n, 'struct { long %s; }' % ', '.join('abcde'[:n]))
               for n in range(1, 6)]
AGGREGATES += [('llongs%d' % n, 'struct { long long %s; }' % ', '.join('abc'[:n]))
               for n in range(1, 4)]
AGGREGATES += [('floats%d' % n, 'struct { float %s; }' % ', '.join('abcdefghij'[:n]))
               for n in range(1, 10)]
AGGREGATES += [('doubles%d' % n, 'struct { double %s; }' % ', '.join('abcdefghij'[:n]))
               for n in range(1, 10)]
AGGREGATES += [
    ('char_int', 'struct { char a; int b; }'),
    ('int_char', 'struct { int a; char b; }'),
    ('char_llong', 'struct { char a; long long b; }'),
    ('llong_char', 'struct { long long a; char b; }'),
    ('int_llong', 'struct { int a; long long b; }'),
    ('llong_int', 'struct { long long a; int b; }'),
    ('ptr_int', 'struct { void *a; int b; }'),
    ('int_ptr', 'struct { int a; void *b; }'),
    ('ptrs', 'struct { void *a, *b; }'),
    ('bools', 'struct { _Bool a, b, c; }'),
    ('enums', 'struct { enum plain a; enum small b; }'),
    ('float_arr1', 'struct { float a[1]; }'),
    ('float_arr2', 'struct { float a[2]; }'),
    ('float_arr22', 'struct { float a[2][2]; }'),
    ('double_arr1', 'struct { double a[1]; }'),
    ('double_arr3', 'struct { double a[3]; }'),
    ('int_arr_1', 'struct { int a[1]; }'),
    ('int_arr_2', 'struct { int a[2]; }'),
    ('float_int', 'struct { float a; int b; }'),
    ('int_float', 'struct { int a; float b; }'),
    ('float_llong', 'struct { float a; long long b; }'),
    ('double_long', 'struct { double a; long b; }'),
    ('long_double_', 'struct { long a; double b; }'),
    ('char_double', 'struct { char a; double b; }'),
    ('double_char', 'struct { double a; char b; }'),
    ('float_double', 'struct { float a; double b; }'),
    ('double_float', 'struct { double a; float b; }'),
    ('ffi', 'struct { float a, b; int c; }'),
    ('iff', 'struct { int a; float b, c; }'),
    ('fif', 'struct { float a; int b; float c; }'),
    ('iif', 'struct { int a, b; float c; }'),
    ('ptr_float', 'struct { void *a; float b; }'),
    ('short_float', 'struct { short a; float b; }'),
    ('chars_float', 'struct { char a, b; float c; }'),
    ('dld', 'struct { double a; long b; double c; }'),
    ('nested_if', 'struct { struct { int a; } b; struct { float c; } d; }'),
    ('nested_dd', 'struct { struct { double a; } b; struct { struct { double c; } d; } e; }'),
    ('nested_ff', 'struct { struct { float a, b; } c; float d; }'),
    ('nested_l', 'struct { struct { struct { long a; } b; } c; }'),
    ('nested_arr', 'struct { struct { char a; short b; } c[3]; }'),
    ('union_if', 'union { int a; float b; }'),
    ('union_ld', 'union { long a; double b; }'),
    ('union_f', 'union { float a; }'),
    ('union_ff', 'union { float a; float b; }'),
    ('union_d', 'union { double a; }'),
    ('union_df', 'union { double a; float b[2]; }'),
    ('union_f2', 'union { float a[2]; struct { float b, c; } d; }'),
    ('union_cl', 'union { char a[16]; long b; }'),
    ('union_cl9', 'union { char a[9]; long b; }'),
    ('union_ffd', 'union { struct { float a, b; } c; double d; }'),
    ('union_p', 'union { void *a; long b; }'),
    ('union_c3', 'union { char a[3]; char b; }'),
    ('union_c20', 'union { char a[20]; int b; }'),
    ('st_union_f', 'struct { union { float a; } b; }'),
    ('st_union_fi', 'struct { union { float a; int b; } c; float d; }'),
    ('st_union_dl', 'struct { double a; union { double b; long c; } d; }'),
    ('packed_ci', 'struct __attribute__((packed)) { char a; int b; }'),
    ('packed_cl', 'struct __attribute__((packed)) { char a; long long b; }'),
    ('packed_il', 'struct __attribute__((packed)) { int a; long long b; }'),
    ('packed_si', 'struct __attribute__((packed)) { short a; int b; }'),
    ('packed_li', 'struct __attribute__((packed)) { long long a; int b; }'),
    ('packed_lic', 'struct __attribute__((packed)) { long a; int b; char c; }'),
    ('packed_ic', 'struct __attribute__((packed)) { int a; char b; }'),
    ('packed_cf', 'struct __attribute__((packed)) { char a; float b; }'),
    ('packed_cd', 'struct __attribute__((packed)) { char a; double b; }'),
    ('packed_fd', 'struct __attribute__((packed)) { float a; double b; }'),
    ('packed_pp', 'struct __attribute__((packed)) { void *a; char b; void *c; }'),
    ('aligned16_l', 'struct __attribute__((aligned(16))) { long a; }'),
    ('aligned16_ll', 'struct __attribute__((aligned(16))) { long long a, b; }'),
    ('aligned16_d', 'struct __attribute__((aligned(16))) { double a; }'),
    ('aligned8_i', 'struct __attribute__((aligned(8))) { int a; }'),
    ('aligned8_ii', 'struct __attribute__((aligned(8))) { int a, b; }'),
    ('aligned8_f', 'struct __attribute__((aligned(8))) { float a; }'),
    ('aligned4_c', 'struct __attribute__((aligned(4))) { char a; }'),
    ('aligned32_l', 'struct __attribute__((aligned(32))) { long a; }'),
    ('aligned64_c', 'struct __attribute__((aligned(64))) { char a; }'),
    ('member16', 'struct { long long a __attribute__((aligned(16))), b; }'),
    ('member16_i', 'struct { int a __attribute__((aligned(16))); }'),
    ('member8_i', 'struct { int a __attribute__((aligned(8))); int b; }'),
    ('member8_ii', 'struct { int a; int b __attribute__((aligned(8))); }'),
    ('inner8', 'struct { struct __attribute__((aligned(8))) { int a; } b; }'),
    ('inner16', 'struct { struct __attribute__((aligned(16))) { int a; } b; }'),
    ('bits_8', 'struct { unsigned a : 3, b : 5; }'),
    ('bits_50', 'struct { long long a : 40; int b : 10; }'),
    ('bits_65', 'struct { long long a : 63, b : 2; }'),
    ('bits_c', 'struct { char a : 2; }'),
    ('bits_i_then', 'struct { int a : 7; int b; short c : 3; }'),
    ('bits_f', 'struct { unsigned a : 1; float b; }'),
    ('empty', 'struct nothing'),
    ('with_empty', 'struct { struct nothing a; int b; }'),
    ('with_empty_f', 'struct { struct nothing a; float b; }'),
    ('zero_array', 'struct { char a[0]; int b; }'),
    ('flexible', 'struct { int a; char b[]; }'),
    ('cfloat', 'struct { _Complex float a; }'),
    ('cdouble', 'struct { _Complex double a; }'),
    ('ldouble', 'struct { long double a; }'),
    ('ldoubles2', 'struct { long double a, b; }'),
    ('int_ldouble', 'struct { int a; long double b; }'),
    ('wide', 'struct { __int128 a; }'),
    ('wide_c', 'struct { __int128 a; char b; }'),
    ('union_wide', 'union { __int128 a; long b; }'),
    ('packed_cw', 'struct __attribute__((packed)) { char a; __int128 b; }'),
    ('chars17p', 'struct __attribute__((packed)) { __int128 a; char b; }'),
]

MOST = 16       # parameters of a function


def types(wide):
    """(name in C, definition or None) for the scalars and the aggregates."""
    for name in SCALARS + FLOATS + (WIDE if wide else ()):
        yield name, None
    for name, text in AGGREGATES:
        if wide or '__int128' not in text:
            yield 't_' + name, 'typedef %s t_%s;' % (text, name)


def is_wanted(name, text, floats):
    return floats or not any(w in name + (text or '') for w in ('float', 'double'))


class Source:
    """@wide: __int128 too; @floats: floating point too; @body: keep what is passed."""

    def __init__(self, wide, floats, body):
        chosen = [(n, t) for n, t in types(wide) if is_wanted(n, t, floats)]
        self.names = [n for n, _ in chosen]
        self.body = body
        self.params = 0         # of all functions
        self.lines = [PROLOGUE] + [t for _, t in chosen if t]
        self.number = {n: i for i, n in enumerate(self.names)}
        if body:
            self.lines += ['%s sink%d[%d];' % (n, i, MOST) for i, n in enumerate(self.names)]

    def function(self, name, params, ret='void', dots=False):
        keep = []
        if self.body:
            keep = ['sink%d[%d] = p%d;' % (self.number[t], i, i) for i, t in enumerate(params)]
            if ret != 'void':
                keep.append('return sink%d[0];' % self.number[ret])
        self.params += len(params)
        args = ', '.join('%s p%d' % (t, i) for i, t in enumerate(params))
        self.lines.append('%s %s(%s%s)\n{ %s }' % (ret, name, args, ', ...' if dots else '',
                                                   ' '.join(keep)))

    def each_type(self, whole, seed=5):
        """Each behind 0 and more of the integer registers, as a result, variadic, often.

        All of it, or of each type some: two more places than the first, and of two forms one.
        """
        rng = random.Random(seed)
        places = (0, 1, 2, 3, 5, 6, 7, 8, 9)
        for i, name in enumerate(self.names):
            for n in places if whole else [0] + sorted(rng.sample(places[1:], 2)):
                self.function('at%d_%d' % (n, i), ['long'] * n + [name, 'int', name, 'int'])
            first, second = rng.random() < .5, rng.random() < .5
            if whole or first:
                self.function('ret_%d' % i, ['int', name, 'short'], ret=name)
            if whole or not first:
                self.function('dots_%d' % i, ['int', name, 'short', name, 'long'], dots=True)
            if whole or second:
                self.function('many_%d' % i, [name] * 14)
            if 'double' in self.names and (whole or not second):
                # no float register left, but integer ones; something is on the stack
                self.function('full_%d' % i, ['double'] * 9 + ['int'] * 3 + [name, 'int'])

    def mixes(self, count, seed=3):
        rng = random.Random(seed)
        for i in range(count):
            self.function('mix_%d' % i,
                          [rng.choice(self.names) for _ in range(rng.randint(2, MOST))])
        # more than half of them scalars, as real ones are
        for i in range(count):
            self.function('some_%d' % i,
                          [rng.choice(self.names if rng.random() < .4 else SCALARS)
                           for _ in range(rng.randint(2, MOST))],
                          ret=rng.choice(self.names), dots=rng.random() < .1)

    def text(self):
        return '\n'.join(self.lines) + '\n'


def source(wide, floats, body, whole):
    """The text, and how many parameters its functions have. @whole: all of the signatures."""
    src = Source(wide, floats, body)
    if not body:
        src.each_type(whole)
    src.mixes(250 if whole else 110)
    return src.text(), src.params
