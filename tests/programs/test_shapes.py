#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Shapes of inline sites, views and parameters, each DIE written by hand.

In every file `outer` stands at the start of .text, so that `outer+N` is section offset N,
and the right answer can be read off the DIEs in the test.
"""
import json
import unittest

from dwarf_asm import Dwarf, Expr, LocList, Ranges
from shapes_common import BTFLOCS, ShapeTest, const, mem, reg


class Sites(ShapeTest):
    """dwarf-rules.md section 1: which address, which kind."""

    def setUp(self):
        super().setUp()
        self.d = Dwarf()
        self.f = self.d.inline_func('f', [])
        self.outer = self.d.func('outer', 64)

    def expect(self, *sites):
        path = self.d.build(self.dir)
        return self.check(path, [(off, kind, name, {}) for off, kind, name in sites])

    def test_entry_pc_is_not_the_first_range(self):
        self.d.site(self.outer, self.f, 'outer+20', low_pc=None,
                    ranges=Ranges(('outer+8', 'outer+12'), ('outer+20', 'outer+24')))
        self.expect((20, 'inline', 'f'))

    def test_entry_pc_is_not_low_pc(self):
        self.d.site(self.outer, self.f, 'outer+20', low_pc=('addr', 'outer+16'),
                    high_pc=('data8', 8))
        self.expect((20, 'inline', 'f'))

    def test_entry_pc_as_a_constant_counts_from_low_pc(self):
        self.d.site(self.outer, self.f, None, low_pc=('addr', 'outer+16'),
                    high_pc=('data8', 8), entry_pc=('data1', 4))
        self.d.site(self.outer, self.f, None, low_pc=('addr', 'outer+32'),
                    high_pc=('data8', 8), entry_pc=('udata', 0))
        self.expect((20, 'inline', 'f'), (32, 'inline', 'f'))

    def stale(self, entry, *pairs, end=None, **attrs):
        """A site whose stated entry its own ranges do not hold, or just so."""
        if pairs:
            attrs.update(low_pc=None, ranges=Ranges(*pairs))
        self.d.site(self.outer, self.f, entry, end, **attrs)

    def test_an_entry_at_the_end_of_a_range(self):
        """DWARF 5, 2.18: an entry may be the end of its scope."""
        self.stale('outer+12', ('outer+8', 'outer+12'), ('outer+20', 'outer+24'))
        self.stale('outer+32', ('outer+28', 'outer+28'), ('outer+32', 'outer+32'))
        self.stale('outer+44', low_pc=('addr', 'outer+40'), high_pc=('data8', 4))
        self.expect((12, 'inline', 'f'), (32, 'inline', 'f'), (44, 'inline', 'f'))

    def test_an_entry_outside_of_its_site_is_no_entry(self):
        """A rewriter left it behind: the first range with code is a guess."""
        self.stale('outer+2', ('outer+8', 'outer+12'))
        self.stale('outer+25', ('outer+16', 'outer+16'), ('outer+20', 'outer+24'))
        self.stale('outer+60', low_pc=('addr', 'outer+30'), high_pc=('data8', 4))
        self.stale(None, low_pc=('addr', 'outer+40'), high_pc=('data8', 4),
                   entry_pc=('data1', 5))
        self.stale('outer+50', low_pc=('addr', 'outer+52'))
        # its address too is behind the function's end
        self.expect((8, 'guess', 'f'), (20, 'guess', 'f'), (30, 'guess', 'f'),
                    (40, 'guess', 'f'), (52, 'guess', 'f'))

    def test_an_entry_in_another_function(self):
        self.d.func('orig', 32)
        self.stale('orig+4', ('outer+8', 'outer+12'))
        # nothing of this one is in the function around it
        self.stale('orig+8', ('orig+16', 'orig+20'))
        self.stale('orig+16', low_pc=('addr', 'orig+16'), high_pc=('data8', 4))
        # no range speaks against it, but the function does
        self.stale('orig+24', low_pc=None)
        self.stale('outer+24', low_pc=None)
        path = self.d.build(self.dir)
        self.check(path, [(24, 'inline', 'f', {}), (8, 'guess', 'f', {})])
        self.assertEqual(json.loads(self.run_tool(BTFLOCS, 'stat', '-j', path))
                         ['sites_skipped'], {'outside_function': 3})

    def test_low_pc_alone(self):
        self.d.site(self.outer, self.f, 'outer+16', 'outer+24', entry_pc=None)
        self.expect((16, 'inline', 'f'))

    def test_ranges_alone_are_a_guess_and_the_empty_first_one_is_passed_over(self):
        self.d.site(self.outer, self.f, None, entry_pc=None, low_pc=None,
                    ranges=Ranges(('outer+8', 'outer+8'), ('outer+20', 'outer+24'),
                                  ('outer+4', 'outer+6')))
        # 20, although 4 is lower: the order is the compiler's
        self.expect((20, 'guess', 'f'))

    def test_nothing_but_empty_ranges_is_a_guess_at_the_first(self):
        self.d.site(self.outer, self.f, None, entry_pc=None, low_pc=None,
                    ranges=Ranges(('outer+8', 'outer+8'), ('outer+4', 'outer+4')))
        # without any address there is no record
        self.d.site(self.outer, self.f, None, entry_pc=None, low_pc=None)
        self.d.site(self.outer, self.f, 'outer+30')
        self.expect((30, 'inline', 'f'), (8, 'guess', 'f'))

    def test_nothing_left_of_the_site(self):
        self.d.site(self.outer, self.f, 'outer+16', 'outer+16')
        self.expect((16, 'inline', 'f'))

    def test_offset_0(self):
        self.d.site(self.outer, self.f, 'outer', 'outer+4')
        self.expect((0, 'inline', 'f'))

    def test_last_byte_of_the_section(self):
        self.d.site(self.outer, self.f, 'outer+63', 'outer+64')
        self.expect((63, 'inline', 'f'))

    def test_tombstones(self):
        for dead in ('0', '-1', '-2', '0xffffffff', '0xfffffffe', '1'):
            self.d.site(self.outer, self.f, dead)
            self.d.site(self.outer, self.f, None, entry_pc=None, low_pc=('addr', dead))
        self.d.site(self.outer, self.f, 'outer+4')
        self.expect((4, 'inline', 'f'))

    def test_a_tombstone_as_ranges(self):
        self.d.site(self.outer, self.f, None, entry_pc=None, low_pc=None,
                    ranges=Ranges(('0', '16')))
        self.d.site(self.outer, self.f, 'outer+4')
        self.expect((4, 'inline', 'f'))

    def test_not_in_an_executable_section(self):
        self.d.extra += ['.data', 'thing: .zero 16']
        self.d.site(self.outer, self.f, 'thing+4')
        self.d.site(self.outer, self.f, 'outer+4')
        records = self.expect((4, 'inline', 'f'))
        self.assertEqual(len(records), 1)

    def test_several_executable_sections(self):
        cold = self.d.func('outer_cold', 32, section='.text.unlikely')
        self.d.site(cold, self.f, 'outer_cold+8', 'outer_cold+12')
        init = self.d.func('boot', 32, section='.init.text')
        self.d.site(init, self.f, 'boot', 'boot+4')
        self.d.site(self.outer, self.f, 'outer+4', 'outer+8')
        path = self.d.assemble(self.dir)
        exe = self.dir + '/several'
        # each section keeps its own name and place
        script = self.source('s.lds', 'SECTIONS { . = 0x200000; .text : { *(.text) } '
                             '.text.unlikely : { *(.text.unlikely) } '
                             '.init.text : { *(.init.text) } }')
        self.run_tool('ld', '-e', '0', '-T', script, path, '-o', exe)
        self.run_tool('pahole', '-J', exe)
        records = self.check(exe, [(4, 'inline', 'f', {})])
        found = {(r['section'], r['offset'], r['address']) for r in records}
        # 64 bytes of .text, then 32 of .text.unlikely, then .init.text
        self.assertEqual(found, {('.text', 4, '0x200004'),
                                 ('.text.unlikely', 8, '0x200048'),
                                 ('.init.text', 0, '0x200060')})

    def test_split_hot_and_cold_with_cold_first(self):
        # the cold range lies lower; entry_pc says where the call begins
        self.d.site(self.outer, self.f, 'outer+40', low_pc=None,
                    ranges=Ranges(('outer+40', 'outer+48'), ('outer+4', 'outer+8')))
        self.expect((40, 'inline', 'f'))

    def test_twice_at_one_address(self):
        self.d.site(self.outer, self.f, 'outer+8', 'outer+12')
        self.d.site(self.outer, self.f, 'outer+8', 'outer+12')
        self.expect((8, 'inline', 'f'), (8, 'inline', 'f'))

    def test_chain_at_one_address_is_outer_to_inner(self):
        # the names and the order of the abstract instances say otherwise
        b, a = self.d.inline_func('b', []), self.d.inline_func('a', [])
        outer = self.d.site(self.outer, self.f, 'outer+8', 'outer+20')
        middle = self.d.site(outer, b, 'outer+8', 'outer+16')
        self.d.site(middle, a, 'outer+8', 'outer+12')
        self.expect((8, 'inline', 'f'), (8, 'inline', 'b'), (8, 'inline', 'a'))

    def test_outer_call_first_though_it_begins_later_in_the_file(self):
        inner = self.d.inline_func('inner', [])
        self.d.site(self.outer, inner, 'outer+16', 'outer+20')
        out = self.d.site(self.outer, self.f, 'outer+4', 'outer+16')
        self.d.site(out, inner, 'outer+4', 'outer+8')
        self.expect((4, 'inline', 'f'), (4, 'inline', 'inner'), (16, 'inline', 'inner'))

    def test_50_deep_with_blocks_between(self):
        funcs = [self.d.inline_func('f%d' % i, []) for i in range(50)]
        at = self.outer
        for i, func in enumerate(funcs):
            block = self.d.die('lexical_block', at)
            at = self.d.site(block, func, 'outer+%d' % (i // 10), 'outer+60')
        self.expect(*[(i // 10, 'inline', 'f%d' % i) for i in range(50)])

    def test_70000_sites_in_one_section(self):
        self.outer = self.d.func('big', 70000)
        for i in range(70000):
            self.d.site(self.outer, self.f, 'big+%d' % i)
        self.expect(*[(64 + i, 'inline', 'f') for i in range(70000)])

    def test_origin_without_a_name(self):
        # no FUNC can be named: the site is left out, and its neighbour is not
        nameless = self.d.die('subprogram', inline=3)
        self.d.site(self.outer, nameless, 'outer+4')
        self.d.site(self.outer, self.f, 'outer+8')
        self.expect((8, 'inline', 'f'))


class Continuations(ShapeTest):
    """A call cut in two by partial inlining, and true recursion."""

    def setUp(self):
        super().setUp()
        self.d = Dwarf()
        self.f = self.d.inline_func('f', [], line=10, column=5)
        self.g = self.d.inline_func('g', [], line=20, column=5)
        self.outer = self.d.func('outer', 64)
        # what gcc writes on the rest of f: the position of f's own declaration
        self.decl = dict(call_file=1, call_line=10, call_column=5)

    def expect(self, *sites):
        path = self.d.build(self.dir)
        self.check(path, [(off, kind, name, {}) for off, kind, name in sites])

    # LOCSECs, and with them the kinds, stand in the order inline, guess, part

    def test_rest_inside_the_head(self):
        head = self.d.site(self.outer, self.f, 'outer+4', 'outer+32')
        self.d.site(head, self.f, 'outer+8', 'outer+12', **self.decl)
        self.expect((4, 'inline', 'f'), (8, 'part', 'f'))

    def test_rest_with_another_function_between(self):
        head = self.d.site(self.outer, self.f, 'outer+4', 'outer+32')
        other = self.d.site(head, self.g, 'outer+6', 'outer+30')
        self.d.site(other, self.f, 'outer+8', 'outer+12', **self.decl)
        self.expect((4, 'inline', 'f'), (6, 'inline', 'g'), (8, 'part', 'f'))

    def test_rest_inside_the_function_out_of_line(self):
        own = self.d.func('f', 32, abstract_origin=self.f)
        self.d.site(own, self.f, 'f+8', 'f+12', **self.decl)
        self.expect((72, 'part', 'f'))

    def test_recursion_has_a_position_of_its_own(self):
        head = self.d.site(self.outer, self.f, 'outer+4', 'outer+32')
        for i, changed in enumerate((dict(call_line=11), dict(call_column=6),
                                     dict(call_file=2))):
            self.d.site(head, self.f, 'outer+%d' % (8 + i), 'outer+12',
                        **{**self.decl, **changed})
        self.expect((4, 'inline', 'f'), (8, 'inline', 'f'), (9, 'inline', 'f'),
                    (10, 'inline', 'f'))

    def test_the_position_alone_is_not_enough(self):
        self.d.site(self.outer, self.f, 'outer+4', 'outer+8', **self.decl)
        other = self.d.site(self.outer, self.g, 'outer+12', 'outer+32')
        self.d.site(other, self.f, 'outer+16', 'outer+20', **self.decl)
        self.expect((4, 'inline', 'f'), (12, 'inline', 'g'), (16, 'inline', 'f'))

    def test_rest_without_entry_pc(self):
        head = self.d.site(self.outer, self.f, 'outer+4', 'outer+32')
        self.d.site(head, self.f, None, entry_pc=None, low_pc=None,
                    ranges=Ranges(('outer+20', 'outer+24')), **self.decl)
        self.expect((4, 'inline', 'f'), (20, 'part', 'f'))


class Views(ShapeTest):
    """Section 2: the list entry that holds at (entry_pc, entry_view)."""

    # Positions inside outer+4: views 0, then [1, 3), then from 3 on.
    ENTRIES = [('outer+4', 'outer+4', 'reg0'), ('outer+4', 'outer+4', 'reg5'),
               ('outer+4', 'outer+8', 'reg1')]
    VIEWS = [(0, 1), (1, 3), (3, 0)]
    producer = 'unknown'
    entry_views = None, 0, 1, 2, 3, 9

    def sites(self, make_list, views=(), entry='outer+4', **kwargs):
        """One site for each entry view, all of `f(int a)` with the same list."""
        views = views or self.entry_views
        self.d = Dwarf(**kwargs)
        self.d.cu.attrs['producer'] = self.producer
        self.f = self.d.inline_func('f', [('a', self.d.int)])
        self.outer = self.d.func('outer', 64)
        for view in views:
            more = {} if view is None else dict(GNU_entry_view=('data1', view))
            site = self.d.site(self.outer, self.f, entry, 'outer+12', **more)
            self.d.param(site, self.f.param('a'), make_list())
        return self.d.build(self.dir)

    def expect(self, path, *locs, offset=4):
        self.check(path, [(offset, 'inline', 'f', {'a': loc}) for loc in locs])

    # without entry_view it counts as 0; 9 is behind all numbered views of outer+4
    RIGHT = [reg(0, 4, True), reg(0, 4, True), reg(5, 4, True), reg(5, 4, True),
             reg(1, 4, True), reg(1, 4, True)]

    def test_an_entry_that_is_given_up_on_does_not_end_the_list(self):
        """DW_OP_GNU_uninit, an unknown operator, one that is cut off: later entries hold."""
        for odd in 'reg3; GNU_uninit', 'lit0; hi_user', 'lit0; deref_size':
            with self.subTest(odd):
                self.setUp()
                self.d = Dwarf()
                f = self.d.inline_func('f', [('a', self.d.int), ('b', self.d.int)])
                site = self.d.site(self.d.func('outer', 64), f, 'outer+8', 'outer+16')
                self.d.param(site, f.param('a'), LocList([('outer', 'outer+8', odd),
                                                          ('outer+8', 'outer+16', 'reg5')]))
                self.d.param(site, f.param('b'), LocList([('outer+8', 'outer+9', odd),
                                                          ('outer+9', 'outer+16', 'reg5')]))
                b = reg(3, 4, True) if 'uninit' in odd else None
                self.check(self.d.build(self.dir), [(8, 'inline', 'f', {
                    'a': reg(5, 4, True), 'b': b})], judge='deref_size' not in odd)

    def test_dwarf_5(self):
        self.expect(self.sites(lambda: LocList(self.ENTRIES, self.VIEWS)), *self.RIGHT)

    def test_dwarf_4(self):
        path = self.sites(lambda: LocList(self.ENTRIES, self.VIEWS), version=4)
        self.expect(path, *self.RIGHT)

    def test_view_pairs_in_the_list(self):
        path = self.sites(lambda: LocList(self.ENTRIES, self.VIEWS, inline_views=True))
        self.expect(path, *self.RIGHT)

    def test_offset_pairs_on_a_base(self):
        # the base address is no bounded entry and has no view pair
        path = self.sites(lambda: LocList(self.ENTRIES, self.VIEWS, base='outer+2'))
        self.expect(path, *self.RIGHT)

    def test_32_bit_and_big_endian(self):
        for target in ('i686-linux-gnu', 'aarch64_be-linux-gnu', 'armv7-linux-gnueabi'):
            for version in (4, 5):
                with self.subTest(target=target, version=version):
                    path = self.sites(lambda: LocList(self.ENTRIES, self.VIEWS),
                                      target=target, version=version)
                    self.expect(path, *self.RIGHT)

    def test_no_views_in_the_list(self):
        # begin and end view are 0: the two empty entries hold nowhere
        path = self.sites(lambda: LocList(self.ENTRIES), views=(None, 0, 2))
        self.expect(path, *[reg(1, 4, True)] * 3)

    def test_an_entry_that_ends_in_a_view_of_the_address(self):
        # [outer+0 view 0, outer+4 view 2) holds at outer+4 in views 0 and 1
        entries = [('outer', 'outer+4', 'reg3'), ('outer+4', 'outer+8', 'reg1')]
        path = self.sites(lambda: LocList(entries, [(0, 2), (2, 0)]), views=(0, 1, 2))
        self.expect(path, reg(3, 4, True), reg(3, 4, True), reg(1, 4, True))

    def test_an_end_without_views_is_exclusive(self):
        entries = [('outer', 'outer+4', 'reg3')]
        path = self.sites(lambda: LocList(entries, [(0, 0)]), views=(0, 1))
        self.expect(path, None, None)

    def test_a_later_view_of_the_entry_address_holds_too(self):
        # nothing executes between view 0 and view 2
        entries = [('outer+4', 'outer+8', 'reg3')]
        path = self.sites(lambda: LocList(entries, [(2, 0)]), views=(0, 2, 5))
        self.expect(path, *[reg(3, 4, True)] * 3)

    def test_an_earlier_view_does_not(self):
        entries = [('outer+4', 'outer+4', 'reg3')]
        path = self.sites(lambda: LocList(entries, [(0, 2)]), views=(1, 2, 3))
        self.expect(path, reg(3, 4, True), None, None)

    def test_begins_after_the_entry(self):
        # the nearest entry is another value: never taken
        entries = [('outer+5', 'outer+8', 'reg3')]
        path = self.sites(lambda: LocList(entries, [(0, 0)]), views=(0,))
        self.expect(path, None)

    def test_ends_before_the_entry(self):
        entries = [('outer+1', 'outer+3', 'reg3')]
        path = self.sites(lambda: LocList(entries, [(0, 4)]), views=(0,))
        self.expect(path, None)

    def test_the_first_of_two_that_hold(self):
        entries = [('outer+4', 'outer+8', 'reg3'), ('outer', 'outer+8', 'reg1')]
        path = self.sites(lambda: LocList(entries), views=(0,))
        self.expect(path, reg(3, 4, True))

    def test_start_length(self):
        entries = [('outer+4', 'outer+8', 'reg3', 'start_length')]
        path = self.sites(lambda: LocList(entries, [(0, 0)]), views=(0,))
        self.expect(path, reg(3, 4, True))

    def test_large_view_numbers(self):
        entries = [('outer+4', 'outer+4', 'reg0'), ('outer+4', 'outer+8', 'reg1')]
        path = self.sites(lambda: LocList(entries, [(0, 300), (300, 0)]),
                          views=(127, 128, 255))
        self.expect(path, reg(0, 4, True), reg(0, 4, True), reg(0, 4, True))

    def test_without_a_list(self):
        path = self.sites(lambda: 'reg3', views=(0, 4))
        self.expect(path, reg(3, 4, True), reg(3, 4, True))


class GccViews(Views):
    """The same of units that gcc wrote: it binds parameters at the entry's view or the next;
    what is assigned in later views is another value."""

    producer = 'GNU C11 12.2.0 -mtune=generic -g -O2'
    entry_views = 0, 1, 2, 3, 9
    RIGHT = Views.RIGHT[1:]

    def test_no_views_in_the_list(self):
        path = self.sites(lambda: LocList(self.ENTRIES), views=(0, 2))
        self.expect(path, *[reg(1, 4, True)] * 2)

    def test_no_entry_view(self):
        # at which statement it begins is not known: what holds at view 0, or none
        path = self.sites(lambda: LocList(self.ENTRIES, self.VIEWS), views=(None,))
        record, = self.records(path)
        self.assertIn(self.simple(record)[3]['a'], (None, reg(0, 4, True)))

    def test_without_a_list(self):
        # one register for all of a scope: gcc has said so of one set later
        path = self.sites(lambda: 'reg3', views=(0, 4))
        self.expect(path, None, None)

    def test_a_later_view_of_the_entry_address_holds_too(self):
        # from view 2 on: two after the entry at view 0 it is what a statement assigned
        entries = [('outer+4', 'outer+8', 'reg3')]
        path = self.sites(lambda: LocList(entries, [(2, 0)]), views=(0, 1, 2, 5))
        self.expect(path, None, *[reg(3, 4, True)] * 3)


class Parameters(ShapeTest):
    """Section 3: which child is which parameter."""

    def setUp(self):
        super().setUp()
        self.d = Dwarf()
        self.f = self.d.inline_func('f', [('a', self.d.int), ('b', self.d.int),
                                          ('c', self.d.u8)])
        self.outer = self.d.func('outer', 64)
        self.a, self.b, self.c = (self.f.param(x) for x in 'abc')
        self.site = self.d.site(self.outer, self.f, 'outer+4', 'outer+8')

    def expect(self, a, b, c, name='f'):
        path = self.d.build(self.dir)
        return self.check(path, [(4, 'inline', name, {'a': a, 'b': b, 'c': c})])

    def test_reversed_children(self):
        self.d.param(self.site, self.c, 'reg2')
        self.d.param(self.site, self.b, 'reg1')
        self.d.param(self.site, self.a, 'reg0')
        self.expect(reg(0, 4, True), reg(1, 4, True), reg(2, 1))

    def test_missing_children(self):
        self.d.param(self.site, self.c, 'reg2')
        self.expect(None, None, reg(2, 1))

    def test_a_child_without_a_location(self):
        self.d.param(self.site, self.a)
        self.d.param(self.site, self.b, '')
        self.d.param(self.site, self.c, 'reg2')
        self.expect(None, None, reg(2, 1))

    def test_doubled_the_first_that_has_a_location(self):
        self.d.param(self.site, self.a, LocList([('outer+20', 'outer+24', 'reg0')]))
        self.d.param(self.site, self.b, 'reg3')
        self.d.param(self.site, self.a, 'reg1')
        self.d.param(self.site, self.b, 'reg4')
        self.d.param(self.site, self.c)
        self.d.param(self.site, self.c, const_value=('data1', 7))
        self.expect(reg(1, 4, True), reg(3, 4, True), const(7, 1))

    def test_children_that_are_no_parameters(self):
        local = self.d.die('variable', self.f, name='local', type=self.d.int)
        self.d.die('variable', self.site, abstract_origin=local, location=Expr('reg6'))
        inner = self.d.site(self.site, self.f, 'outer+6', 'outer+8')
        self.d.param(inner, self.a, 'reg7')
        self.d.param(self.site, self.b, 'reg1')
        path = self.d.build(self.dir)
        none = {'a': None, 'b': None, 'c': None}
        self.check(path, [(4, 'inline', 'f', dict(none, b=reg(1, 4, True))),
                          (6, 'inline', 'f', dict(none, a=reg(7, 4, True)))])

    def test_chain_of_origins(self):
        # an out-of-line instance stands between the site and the abstract one
        own = self.d.func('own', 16, abstract_origin=self.f)
        own_a = self.d.param(own, self.a, 'reg9')
        site = self.d.site(self.outer, own, 'outer+12', 'outer+16')
        self.d.param(site, own_a, 'reg3')
        self.d.param(site, self.b, 'reg4')
        path = self.d.build(self.dir)
        none = {'a': None, 'b': None, 'c': None}
        self.check(path, [(4, 'inline', 'f', none),
                          (12, 'inline', 'f', {'a': reg(3, 4, True), 'b': reg(4, 4, True),
                                               'c': None})])

    def test_varargs_are_not_counted(self):
        self.d.die('unspecified_parameters', self.f)
        self.d.param(self.site, self.a, 'reg0')
        self.expect(reg(0, 4, True), None, None)

    def test_a_name_that_is_a_keyword(self):
        g = self.d.inline_func('typeof', [('struct', self.d.int), ('int', self.d.u8)])
        site = self.d.site(self.outer, g, 'outer+12')
        self.d.param(site, g.param('int'), 'reg0')
        path = self.d.build(self.dir)
        records = self.records(path)
        self.assertEqual(self.simple(records[1]),
                         (12, 'inline', 'typeof', {'struct': None, 'int': reg(0, 1)}))
        self.second_reader(path)

    def test_types_and_names_in_the_record(self):
        ptr = self.d.pointer(self.d.die('const_type', type=self.d.struct(
            'thing', 8, [('x', self.d.int, 0)])))
        word = self.d.die('typedef', name='word_t', type=self.d.int)
        g = self.d.inline_func('g', [('p', ptr), ('w', word)])
        site = self.d.site(self.outer, g, 'outer+12')
        self.d.param(site, g.param('p'), 'reg5')
        record = next(r for r in self.records(self.d.build(self.dir)) if r['func'] == 'g')
        self.assertEqual([p['type'] for p in record['params']],
                         ['const struct thing *', 'word_t'])
        self.assertEqual(record['params'][0]['loc']['name'], 'di')
        self.assertEqual(record['address'], '0x20000c')
        self.assertIs(record['partial'], False)

    def test_origin_in_another_unit(self):
        self.d.unit('second.c')
        outer = self.d.func('outer2', 32)
        site = self.d.site(outer, self.f, 'outer2+4', 'outer2+8')
        self.d.param(site, self.c, 'reg1')
        path = self.d.build(self.dir)
        none = {'a': None, 'b': None, 'c': None}
        self.check(path, [(4, 'inline', 'f', none),
                          (68, 'inline', 'f', dict(none, c=reg(1, 1)))])

    def partial_unit(self, imported):
        """Function and types of the last unit in a partial one; the file's path."""
        shared = self.d.unit('shared', tag='partial_unit')
        kind = self.d.base('short int', 2, 'signed')
        g = self.d.inline_func('g', [('s', kind)])
        self.d.unit('third.c')
        if imported:
            self.d.die('imported_unit', **{'import': shared})
        outer = self.d.func('outer3', 32)
        site = self.d.site(outer, g, 'outer3+4', 'outer3+8')
        self.d.param(site, g.param('s'), 'breg7 8')
        return self.d.build(self.dir)

    def test_origin_in_a_partial_unit(self):
        # as dwz leaves it: pahole 1.24 writes no .BTF, and says nothing, where there is
        # a DW_TAG_imported_unit, so the .BTF is that of the same file without it
        twin = self.partial_unit(imported=False)
        self.setUp()
        path = self.partial_unit(imported=True)
        section = self.dir + '/BTF'
        self.run_tool('objcopy', '-O', 'binary', '--only-section=.BTF',
                      '--set-section-flags', '.BTF=alloc', twin, section)
        self.run_tool('objcopy', '--add-section', '.BTF=' + section, path)
        none = {'a': None, 'b': None, 'c': None}
        self.check(path, [(4, 'inline', 'f', none),
                          (68, 'inline', 'g', {'s': mem(7, 8, 2, True)})])

    def test_a_unit_without_code(self):
        self.d.unit('empty.c')
        self.d.inline_func('unused', [('a', self.d.base('int', 4, 'signed'))])
        self.d.param(self.site, self.a, 'reg0')
        self.expect(reg(0, 4, True), None, None)

    def test_one_name_two_signatures(self):
        # `helper` of two files: two FUNCs, told apart by their prototypes
        self.d.unit('left.c')
        left = self.d.inline_func('helper', [('x', self.d.base('int', 4, 'signed'))])
        one = self.d.func('one', 16)
        self.d.param(self.d.site(one, left, 'one'), left.param('x'), 'reg0')
        self.d.unit('right.c')
        char = self.d.base('char', 1, 'signed_char')
        right = self.d.inline_func('helper', [('p', self.d.pointer(char)), ('n', char)])
        two = self.d.func('two', 16)
        site = self.d.site(two, right, 'two')
        self.d.param(site, right.param('p'), 'reg1')
        self.d.param(site, right.param('n'), 'reg2')
        records = self.records(self.d.build(self.dir))
        got = [self.simple(r) for r in records if r['func'] == 'helper']
        self.assertEqual(got, [(64, 'inline', 'helper', {'x': reg(0, 4, True)}),
                               (80, 'inline', 'helper', {'p': reg(1, 8),
                                                         'n': reg(2, 1, True)})])
        ids = {r['func_id'] for r in records if r['func'] == 'helper'}
        self.assertEqual(len(ids), 2)


if __name__ == '__main__':
    unittest.main()
