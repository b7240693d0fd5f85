#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Time grows with the input, and not with its square.

What takes t for n of something takes 4 t for 4 n where it is linear, 16 t where it is quadratic. A
few milliseconds are the start of a process and the clock's own steps.
"""
import json
import os
import sys
import tempfile
import unittest

import growth_gen as G
from dwarf_asm import Dwarf, Expr, LocList
from shapes_common import BTFLOCS, ShapeTest, const, reg

LEAST = 0.012       # seconds: less is not told apart


class Growth(unittest.TestCase):
    def grows(self, shape, n):
        with tempfile.TemporaryDirectory() as folder:
            spent = []
            for count in n, 4 * n:
                sub = os.path.join(folder, str(count))
                os.mkdir(sub)
                path = shape(sub, count)
                spent.append(G.seconds(BTFLOCS, path, G.base(sub)))
        self.assertLess(spent[1], 8 * max(spent[0], LEAST), '%s: %.3f s, %.3f s' %
                        (shape.__name__, *spent))

    def test_calls_of_the_tracer(self):
        self.grows(G.fentry, 1000)

    def test_sites_that_share_a_list(self):
        self.grows(G.sites_and_entries, 1500)

    def test_functions_without_code_and_ranges(self):
        self.grows(G.merged, 1000)
        self.grows(G.same_symbol, 500)

    def test_symbols_at_an_address(self):
        self.grows(G.aliases, 500)

    def test_ranges_without_a_symbol(self):
        self.grows(G.ranges, 1000)

    def test_enumerators(self):
        self.grows(G.enumerators, 700)

    def test_members_of_an_argument(self):
        self.grows(G.structs_by_value, 700)

    def test_structs_that_are_alike(self):
        self.grows(G.structs, 1800)

    def test_sections_below_an_address(self):
        self.grows(G.tombstones, 3000)


class Bounds(ShapeTest):
    """What is given up, and how that is said."""

    def setUp(self):
        super().setUp()
        self.d = Dwarf()
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(20000)
        self.addCleanup(sys.setrecursionlimit, limit)

    def encoded(self, *flags):
        """The records, and what `stat` says."""
        path = G.built(self.dir, self.d)
        base = G.base(self.dir)
        self.run_tool(BTFLOCS, 'encode', '-B', base, *flags, '-o', 'fi', path)
        return (json.loads(self.run_tool(BTFLOCS, 'list', '-j', '-B', base, 'fi')),
                json.loads(self.run_tool(BTFLOCS, 'stat', '-j', '-B', base, 'fi')))

    def nested(self, nr):
        """'outer' with @nr sites within each other, at each of its bytes; the innermost."""
        self.f = self.d.inline_func('f', [('a', self.d.int)])
        at = self.d.func('outer', 4096)
        for i in range(nr):
            at = self.d.site(at, self.f, 'outer+%d' % (i + 1), 'outer+4096')
            self.d.param(at, self.f.param('a'), 'reg5')
        return at

    def sites(self, records):
        return [(r['offset'], self.simple(r)[3]) for r in records if r['kind'] != 'func']

    def test_a_unit_that_is_too_deep(self):
        """Of 2,400 sites the outer 1,999 are there, and all of what is beside them."""
        self.nested(2400)
        other = self.d.func('other', 16)
        self.d.param(self.d.site(other, self.f, 'other+4', 'other+8'), self.f.param('a'), 'reg4')
        self.d.unit('second.c')
        last = self.d.func('last', 16)
        self.d.param(self.d.site(last, self.f, 'last+4', 'last+8'), self.f.param('a'), 'reg2')
        records, stat = self.encoded()
        self.assertEqual(self.sites(records),
                         [(i + 1, {'a': reg(5, 4, True)}) for i in range(1999)] +
                         [(4096 + 4, {'a': reg(4, 4, True)}), (4112 + 4, {'a': reg(2, 4, True)})])
        self.assertEqual(stat['sites'], 2001)
        self.assertEqual(stat['sites_skipped'], {'too_deep': 1})

    def test_deep_and_not_too_deep(self):
        self.nested(1999)
        records, stat = self.encoded()
        self.assertEqual(len(self.sites(records)), 1999)
        self.assertEqual(stat['sites_skipped'], {})

    def test_functions_and_blocks_that_are_too_deep(self):
        deep = self.nested(1999)
        self.d.die('subprogram', deep, name='g', low_pc=('addr', 'outer'), high_pc=('data8', 4))
        # a variable is nothing to be missed, nor is a block with nothing in it
        self.d.die('variable', deep, name='v', type=self.d.int)
        self.d.die('lexical_block', deep)
        block = self.d.die('lexical_block', deep)
        self.d.site(block, self.f, 'outer+7', 'outer+8')
        _, stat = self.encoded()
        self.assertEqual(stat['sites_skipped'], {'too_deep': 1})
        self.assertEqual(stat['functions_skipped'], {'too_deep': 1})

    def claim(self, *values):
        """Clones of h, a constant of each."""
        self.d.cu.attrs['producer'] = 'GNU C17 12.2.0 -O2'
        self.h = self.d.inline_func('h', [('a', self.d.int)])
        for i, value in enumerate(values):
            clone = self.d.func('h.constprop.%d' % i, 16, abstract_origin=self.h)
            self.d.param(clone, self.h.param('a'), const_value=('sdata', value))

    def call(self, parent, value):
        call = self.d.die('call_site', parent)
        self.d.die('call_site_parameter', call, call_parameter=self.h.param('a'),
                   call_value=Expr('lit%d' % value))

    def clones(self):
        return [self.simple(r)[3]['a'] for r in self.encoded()[0] if r['func'] == 'h']

    def test_a_call_that_is_too_deep_to_be_seen(self):
        """It may pass another value than the one that is."""
        for nr, right in (1900, const(3, 4, True)), (2400, None):
            self.d = Dwarf()
            self.claim(3)
            deep = self.nested(nr)
            self.call(self.d.func('caller', 16), 3)
            self.call(deep, 3)
            self.assertEqual(self.clones(), [right])

    def test_clones_of_one_function(self):
        """What one call denies stays denied, and only that; one value for all is all's."""
        three, four = const(3, 4, True), const(4, 4, True)
        for values, calls, right in (
                ((3, 3, 3), (3, 3), [three] * 3), ((4, 3, 4), (4,), [four, None, four]),
                ((3, 4), (3, 4, 3), [None, None]), ((5, 4, 3), (3, 3), [None, None, three]),
                ((3, 4, 5), (), [None] * 3)):
            self.d = Dwarf()
            self.claim(*values)
            caller = self.d.func('caller', 16)
            for value in calls:
                self.call(caller, value)
            self.assertEqual(self.clones(), right, (values, calls))

    def test_work_limit(self):
        """1,000 functions that each read a list of 5,000 entries to its end."""
        first = self.d.func('f0', 16, external=False)
        many = LocList([('f0+%d' % i, 'f0+%d' % (i + 1), 'reg3') for i in range(1, 5001)])
        self.d.param(first, None, many, name='a', type=self.d.int)
        for i in range(1, 1000):
            f = self.d.func('f%d' % i, 16, external=False)
            self.d.die('formal_parameter', f, name='a', type=self.d.int,
                       location=('sec_offset', many.label))
        self.d.unit('second.c')
        # another unit is as it would be alone
        f = self.d.inline_func('f', [('a', self.d.int)])
        last = self.d.func('last', 16)
        self.d.param(self.d.site(last, f, 'last+4', 'last+8'), f.param('a'),
                     LocList([('last', 'last+8', 'reg4')]))
        records, stat = self.encoded()
        why = stat['function_params_not_located']
        self.assertEqual(set(why), {'not_at_entry', 'work_limit'})
        self.assertEqual(sum(why.values()), 1000)
        # each question costs 5,000 at least; there are 65,536 and 16 for each of 40 bytes a function
        self.assertGreater(why['work_limit'], 1000 - (65536 + 16 * 40 * 1000) / 5000)
        self.assertEqual(self.sites(records), [(16004, {'a': reg(4, 4, True)})])


if __name__ == '__main__':
    unittest.main()
