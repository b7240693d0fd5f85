#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Shapes that compilers make of a few lines, with the right answer worked out by hand.

Each test first makes sure, by nm and llvm-dwarfdump, that the file has the shape.
"""
import os
import re
import subprocess
import unittest

from shapes_common import HERE, ShapeTest, const, reg

COMPILERS = ('gcc', 'clang-14', 'clang-16', 'clang-19', 'clang-22')
UNITS = [os.path.join(HERE, 'inputs', 'unit_%s.c' % x) for x in 'ab']
INLINE = '#define INLINE static inline __attribute__((always_inline))\n'
OUT = '#define OUT __attribute__((noinline))\n'
TAIL = '''
void sink(long v) { asm volatile("" :: "r"(v) : "memory"); }
int main(int argc, char **argv) { return user(argc); }
'''


class Real(ShapeTest):
    def file(self, compiler, text, *flags, name='real'):
        text = INLINE + OUT + 'extern void sink(long);\n' + text
        if '-c' not in flags:
            text += TAIL
            flags += ('-fno-pie', '-no-pie')
        return self.compiled(compiler, text, '-O2', *flags, name=name)

    def symbol(self, path, name):
        found = re.search(r'^([0-9a-f]+) \w %s$' % re.escape(name),
                          self.run_tool('nm', path), re.M)
        self.assertIsNotNone(found, 'no ' + name)
        return int(found.group(1), 16)

    def dwarf(self, path):
        return self.run_tool('llvm-dwarfdump-22', path)

    def site_texts(self, path, func):
        """llvm-dwarfdump's text of each inlined instance of a function, children included
        up to the next instance."""
        parts = re.split(r'(?=0x[0-9a-f]+: +DW_TAG_inlined_subroutine)', self.dwarf(path))
        return [x for x in parts[1:] if '"%s")' % func in x.split('DW_TAG_', 2)[1]]

    def of(self, path, func):
        """(address, parameters) of the records of one function."""
        return [(int(r['address'], 16), self.simple(r)[3]) for r in self.records(path)
                if r['func'] == func]


class Places(Real):
    def test_nothing_left_and_an_empty_first_range(self):
        # sink(r) leaves no instruction: `lea 1(%rdi),%eax` is 3 bytes, then r is in eax
        path = self.file('gcc', '''
static inline int inc(int v) { return v + 1; }
OUT int user(int x) { int r = inc(x); sink(r); return r; }
''')
        site, = self.site_texts(path, 'sink')
        places = re.findall(r'\[0x(\w+), 0x(\w+)\)', site.split('DW_TAG_formal')[0])
        self.assertGreaterEqual(len(places), 1)
        self.assertTrue(all(a == b for a, b in places), site)
        user = self.symbol(path, 'user')
        self.assertEqual(self.of(path, 'sink'), [(user + 3, {'v': reg(0, 4, True)})])
        self.assertEqual(self.of(path, 'inc'), [(user, {'v': reg(5, 4, True)})])

    def test_chain_at_one_address(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                path = self.file(compiler, '''
INLINE long h(long c) { asm volatile("mark: nop" :: "r"(c)); return c; }
INLINE long g(long b) { return h(b) + 1; }
INLINE long f(long a) { return g(a) + 2; }
OUT long user(long x) { sink(3); return f(x) + x; }
''')
                mark = self.symbol(path, 'mark')
                got = [(r['func'], int(r['address'], 16)) for r in self.records(path)
                       if r['func'] in 'fgh']
                self.assertEqual(got, [('f', mark), ('g', mark), ('h', mark)])

    def test_hot_and_cold_with_the_cold_part_first(self):
        """checked(a, 100) begins with hot_and_cold() itself; its rest is linked below."""
        path = self.dir + '/units'
        self.run_tool('gcc', '-g', '-w', '-O2', '-fno-pie', '-no-pie', *UNITS, '-o', path)
        self.run_tool('pahole', '-J', path)
        hot, cold = (self.symbol(path, 'hot_and_cold' + x) for x in ('', '.cold'))
        self.assertLess(cold, hot)
        split = [x for x in self.site_texts(path, 'checked')
                 if re.search(r'entry_pc\s+\(0x0*%x\)' % hot, x) and
                 any(int(a, 16) < hot for a, _ in re.findall(r'\[0x(\w+), 0x(\w+)\)', x))]
        self.assertEqual(len(split), 1, 'no site in both parts')
        self.assertIn((hot, {'v': reg(5, 4, True), 'max': const(100, 4, True)}),
                      self.of(path, 'checked'))

    def test_guesses(self):
        """clang writes ranges and no entry_pc where a site is in several places."""
        for compiler in COMPILERS[1:]:
            with self.subTest(compiler=compiler):
                path = self.dir + '/units-' + compiler
                self.run_tool(compiler, '-g', '-w', '-O2', '-fno-pie', '-no-pie', *UNITS,
                              '-o', path)
                self.run_tool('pahole', '-J', path)
                want = []
                for die in re.split(r'(?=0x[0-9a-f]+: +DW_TAG_)', self.dwarf(path)):
                    if 'DW_TAG_inlined' in die and 'entry_pc' not in die and \
                            'low_pc' not in die:
                        places = re.findall(r'\[0x(\w+), 0x(\w+)\)', die)
                        full = [(a, b) for a, b in places if a != b]
                        want += [int(a, 16) for a, b in full or places][:1]
                self.assertTrue(want, 'no such site')
                got = [int(r['address'], 16) for r in self.records(path)
                       if r['kind'] == 'guess']
                self.assertEqual(sorted(got), sorted(want))


class NotHere(Real):
    """No place that holds the value at the entry: none, whatever else the DWARF names."""

    def none(self, compiler, text, func, shape, *flags):
        with self.subTest(compiler=compiler, flags=flags):
            path = self.file(compiler, text, '-c', *flags, name='none')
            sites = self.site_texts(path, func)
            self.assertTrue(any(re.search(shape, x) for x in sites), sites)
            found = self.of(path, func)
            self.assertEqual(len(found), len(sites))
            for _, params in found:
                self.assertEqual(set(params.values()), {None})

    def test_entry_value_inside_a_site(self):
        # x is the caller's parameter; at the site its register holds something else
        for version, op in (('-gdwarf-4', 'DW_OP_GNU_entry_value'),
                            ('-gdwarf-5', 'DW_OP_entry_value')):
            self.none('gcc', '''
extern void far(long); extern long get(void);
INLINE void late(long v) { far(3); }
void user(long x) { far(x); far(get()); late(x); }
''', 'late', r'DW_TAG_formal_parameter[^(]*\([^)]*\)\s+DW_AT_location[^)]*\): %s\(DW_OP_reg5'
                      % op, version)

    def test_implicit_pointer(self):
        self.none('gcc', '''
INLINE void through(int *p) { sink(*p + 1); *p = 4; sink(*p); }
int user(int x) { int here = x + 3; through(&here); return here; }
''', 'through', r'DW_OP_implicit_pointer')

    def test_half_of_a_struct(self):
        for compiler in COMPILERS[:3]:
            self.none(compiler, '''
struct two { long a, b; };
INLINE void half(struct two t) { sink(t.b); }
void user(struct two t) { sink(3); half(t); }
''', 'half', r'DW_OP_piece 0x8, DW_OP_\w+ \w+(\+0)?, DW_OP_piece 0x8')

    def test_optimized_out(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                path = self.file(compiler, '''
extern long get(void);
INLINE void unused(long a, long b) { sink(b); }
void user(void) { long x = get(); sink(1); unused(get() * 0, x); }
''', '-c')
                records = self.of(path, 'unused')
                self.assertEqual(len(records), 1)
                self.assertIn(records[0][1]['a'], (None, const(0, 8, True)))


class Shared(Real):
    def test_code_that_two_ways_lead_to(self):
        """At the entry one way has v == 77, the other a sum: a constant is wrong there.

        gcc names 77 for the first views of the address and a register for the later
        ones, and the site has two ranges: a jump from the second enters the first.
        """
        path = self.file('gcc', '''
__attribute__((cold)) OUT void warn(long v) { asm volatile("" :: "r"(v) : "memory"); }
volatile int t[4] = { 1, 2, 3, 4 };
INLINE int checked(int v, int max)
{ if (__builtin_expect(v > max, 0)) { warn(v); return -22; } return v; }
OUT int two(int a, int b)
{
	int r = a;

	for (int i = 0; i < b; i++)
		r += t[i & 3];
	if (__builtin_expect(a == 77, 0)) {
		warn(a);
		r += checked(r, 7);
	}
	return r;
}
int user(int x) { return two(77, 0) + two(77, 3); }
''')
        found = self.of(path, 'checked')
        self.assertTrue(found)
        places = ['-ex', 'break *%#x' % found[0][0], '-ex', 'run']
        said = subprocess.run(['gdb', '-nx', '-batch', *places, '-ex', 'print v', '-ex',
                               'continue', '-ex', 'print v', path], text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout
        values = re.findall(r'^\$\d+ = (-?\d+)$', said, re.M)
        self.assertEqual(values, ['77', '83'], 'the input has not the shape: ' + said)
        loc = found[0][1]['v']
        self.assertFalse(loc and loc['kind'] == 'const', loc)


if __name__ == '__main__':
    unittest.main()
