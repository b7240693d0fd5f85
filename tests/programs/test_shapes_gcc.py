#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What gcc says of a site's parameters and the code does not bear out, each DIE by hand.

gcc knows where a variable will be. It names stack slots that the next instructions fill,
registers of which one bit is a bool, one register for all of a scope, and, where code of two
places comes together, both values at one address. Each case is a site with its own code.
"""
import collections
import json
import unittest

from dwarf_asm import Dwarf, LocList, Ranges
from shapes_common import BTFLOCS, ShapeTest, const, mem, reg, regoff

GCC = 'GNU C11 12.2.0 -mtune=generic -g -O2'
CLANG = 'clang version 19.1.7'
STEP = 64       # bytes of code of a site


def whole(expr):
    """For all of the scope."""
    return lambda at, end: expr


def begins(expr):
    """From the site's entry on, which is view 1 of its address."""
    return lambda at, end: LocList([(at, end, expr)], [(1, 0)])


def before(expr):
    """From 4 bytes before the site on."""
    return lambda at, end: LocList([(at + '-4', end, expr)], [(0, 0)])


class GccTest(ShapeTest):
    """Of `outer` the CFA is rsp + 8, from byte 2 on rsp + 64: fbreg -56 is at rsp + 8 then."""

    def start(self, target='x86_64-linux-gnu', producer=GCC):
        self.d = d = Dwarf(target)
        d.cu.attrs['producer'] = producer
        s64 = d.base('long int', 8, 'signed')
        self.types = dict(
            bool=d.base('_Bool', 1, 'boolean'), u8=d.u8, s32=d.int, s64=s64,
            s16=d.base('short int', 2, 'signed'), ptr=d.pointer(),
            pair=d.struct('pair', 16, [('a', s64, 0), ('b', s64, 8)]),
            big=d.struct('big', 32, [(x, s64, 8 * i) for i, x in enumerate('abcd')]))

    def outer(self, codes, cfa=((2, '.cfi_def_cfa_offset 64'),)):
        """A function with these pieces of code at multiples of STEP; before the first, nops."""
        size = STEP * len(codes)
        self.func = self.d.func('outer', size, cfa=cfa)
        at = self.d.code.index('"outer":')
        text = ['.cfi_startproc']
        for off, directive in cfa:
            text += ['.org %d, 0x90' % off, directive]
        for i, code in enumerate(codes):
            text += ['.org %d, 0x90' % (STEP * i if i else len(cfa) * 2), *code.split(';')]
        text += ['.org %d, 0x90' % size, '.cfi_endproc', '.size "outer",%d' % size]
        self.d.code[at + 1:] = text

    def cases(self, *cases, target='x86_64-linux-gnu', producer=GCC, judge=True):
        """A case: (type, location, code, what it is or the reason why it is not)."""
        self.start(target, producer)
        ret = 'ret' if target != 's390x-linux-gnu' else 'br %r14'
        self.outer(['nop'] + [code + ';' + ret for _, _, code, _ in cases])
        expected, why = [], collections.Counter()
        for i, (kind, location, _, want) in enumerate(cases):
            func = self.d.inline_func('f%d' % i, [('v', self.types[kind])])
            off = STEP * (i + 1)
            at, end = 'outer+%d' % off, 'outer+%d' % (off + 16)
            site = self.d.site(self.func, func, at, end, GNU_entry_view=('data1', 1))
            self.d.param(site, func.param('v'), location(at, end))
            if isinstance(want, str):
                why[want] += 1
                want = None
            expected.append((off, 'inline', 'f%d' % i, {'v': want}))
        self.path = self.d.build(self.dir, link=target.startswith('x86'))
        self.same(self.path, cases, expected)
        self.assertEqual(self.reasons(self.path), why)
        if judge:
            self.second_reader(self.path)

    def same(self, path, cases, expected):
        got = [self.simple(r) for r in self.records(path)]
        for have, want, (kind, _, code, _) in zip(got, expected, cases):
            with self.subTest(type=kind, code=code):
                self.assertEqual(have, want)
        self.assertEqual(len(got), len(expected))

    def reasons(self, path):
        said = json.loads(self.run_tool(BTFLOCS, 'stat', '-j', path))
        return {why: n for why, n in said['params_not_located'].items() if n}


class Bools(GccTest):
    """Of a bool in a register only the lowest bit is sure, unless the code goes by the byte."""

    def test_registers(self):
        self.cases(
            ('bool', begins('reg3'), 'mov %ebx,%esi', 'bool_bits'),
            ('bool', begins('reg3'), 'and $1,%ebx', 'bool_bits'),
            ('bool', begins('reg3'), 'test $1,%bl', 'bool_bits'),
            ('bool', begins('reg3'), 'test %ebx,%ebx', 'bool_bits'),
            ('bool', begins('reg3'), 'call outer;test %bl,%bl', 'bool_bits'),
            ('bool', before('reg3'), 'mov %ebx,%esi', 'bool_bits'),
            ('bool', begins('reg3'), 'test %bl,%bl', reg(3, 1)),
            ('bool', begins('reg3'), 'mov %rdi,%rsi;cmp $0,%bl', reg(3, 1)),
            ('bool', begins('reg3'), 'movzbl %bl,%esi', reg(3, 1)),
            ('bool', before('reg3'), 'movzbl %bl,%esi', reg(3, 1)),
            # numbers are as wide as they are
            ('u8', begins('reg3'), 'mov %ebx,%esi', reg(3, 1)),
            ('s32', begins('reg3'), 'and $1,%ebx', reg(3, 4, True)))

    def test_memory_and_constants(self):
        self.cases(
            # a slot of the frame is as wide as a register
            ('bool', begins('fbreg -56'), 'cmpb $0,8(%rsp)', 'bool_bits'),
            ('bool', whole('fbreg -56'), 'cmpb $0,8(%rsp)', 'bool_bits'),
            # but memory that a pointer leads to has a bool of its own in it
            ('bool', begins('breg5 8'), 'cmpb $0,8(%rdi)', mem(5, 8, 1)),
            ('bool', begins('breg5 8'), 'movb $1,8(%rdi)', 'not_stored'),
            ('bool', begins('lit1; stack_value'), 'nop', const(1, 1)),
            ('bool', whole('lit0; stack_value'), 'nop', const(0, 1)))

    def test_another_compiler(self):
        for producer in (CLANG, 'somebody'):
            self.cases(('bool', begins('reg3'), 'mov %ebx,%esi', reg(3, 1)),
                       ('bool', whole('reg3'), 'and $1,%ebx', reg(3, 1)),
                       ('bool', whole('fbreg -56'), 'nop', mem(7, 8, 1)), producer=producer)

    def test_another_machine(self):
        """Its code is not read."""
        self.cases(('bool', begins('reg3'), 'tst w3,#0xff', 'bool_bits'),
                   ('bool', begins('lit1; stack_value'), 'nop', const(1, 1)),
                   ('u8', begins('reg3'), 'nop', reg(3, 1)), target='aarch64-linux-gnu')


class WholeScopes(GccTest):
    """One location for all of a scope: since when is not said, unless it is always so."""

    def test_whole_scopes(self):
        self.cases(
            ('s32', whole('reg3'), 'nop', 'no_views'),
            ('ptr', whole('breg3 8; stack_value'), 'nop', 'no_views'),
            ('s64', whole('breg3 0; const1u 56; shl; const1u 56; shra; stack_value'), 'nop',
             'no_views'),
            ('pair', whole('reg3; piece 8; reg12; piece 8'), 'nop', 'no_views'),
            ('s32', whole('lit5; stack_value'), 'nop', const(5, 4, True)),
            # the frame is where it is
            ('ptr', whole('fbreg -56; stack_value'), 'nop', regoff(7, 8, 8)),
            ('s32', begins('reg3'), 'nop', reg(3, 4, True)),
            ('s32', before('reg3'), 'nop', reg(3, 4, True)))

    def test_another_compiler(self):
        self.cases(('s32', whole('reg3'), 'nop', reg(3, 4, True)),
                   ('ptr', whole('breg3 8; stack_value'), 'nop', regoff(3, 8, 8)),
                   producer=CLANG)


class Slots(GccTest):
    """Memory that an instruction behind the site's first fills is not there yet."""

    def test_slots(self):
        for how in (begins, whole):
            self.cases(
                ('s64', how('fbreg -56'), 'mov %rax,8(%rsp)', 'not_stored'),
                ('s64', how('breg7 8'), 'mov %rax,8(%rsp)', 'not_stored'),
                ('s64', how('breg6 -16'), 'nop;mov %rax,-16(%rbp)', 'not_stored'),
                ('s64', how('breg3 0'), 'mov %rsi,%rdi;movq $1,(%rbx)', 'not_stored'),
                ('s64', how('fbreg -56'), 'je .+8;mov %rax,8(%rsp)', 'not_stored'),
                # it is read first; nothing is written; or behind the call
                ('s64', how('fbreg -56'), 'mov 8(%rsp),%rax;mov %rcx,8(%rsp)',
                 mem(7, 8, 8, True)),
                ('s64', how('breg3 0'), 'mov (%rbx),%rsi;movq $1,(%rbx)', mem(3, 0, 8, True)),
                ('s64', how('fbreg -56'), 'nop', mem(7, 8, 8, True)),
                ('s64', how('fbreg -56'), 'mov %rax,16(%rsp);mov %rax,(%rsp)',
                 mem(7, 8, 8, True)),
                ('s64', how('fbreg -56'), 'call outer;mov %rax,8(%rsp)', mem(7, 8, 8, True)),
                # what is not understood may be a store
                ('s64', how('fbreg -56'), 'vmovq %xmm0,8(%rsp)', 'not_stored'),
                # an address of the frame is no memory of it
                ('ptr', how('fbreg -56; stack_value'), 'mov %rax,8(%rsp)', regoff(7, 8, 8)))

    def test_since_before(self):
        self.cases(('s64', before('fbreg -56'), 'mov 8(%rsp),%rax', mem(7, 8, 8, True)),
                   ('s64', before('breg3 0'), 'nop', mem(3, 0, 8, True)))

    def test_a_part_of_it(self):
        """A store to some of its bytes; gcc copies structs so, a word after the other."""
        self.cases(
            ('pair', begins('fbreg -56'), 'mov %rax,16(%rsp)', 'not_stored'),
            ('pair', begins('fbreg -56'), 'movl $0,20(%rsp)', 'not_stored'),
            ('big', whole('fbreg -56'), 'mov %rdx,16(%rsp)', 'not_stored'),
            ('big', whole('fbreg -56'), 'movups %xmm0,24(%rsp)', 'not_stored'),
            ('s64', begins('fbreg -56'), 'movaps %xmm0,(%rsp)', 'not_stored'),
            ('s16', begins('fbreg -56'), 'mov %eax,6(%rsp)', 'not_stored'),
            # beside it
            ('pair', begins('fbreg -56'), 'mov %rax,24(%rsp);mov %rax,(%rsp)',
             mem(7, 8, 16)),
            ('s16', begins('fbreg -56'), 'mov %ax,6(%rsp);movb $1,10(%rsp)',
             mem(7, 8, 2, True)))

    def test_what_is_read(self):
        """Only the bytes that a load has, and of this memory."""
        self.cases(
            ('s64', begins('fbreg -56'), 'movzbl (%rsp),%eax;mov %rdi,8(%rsp)', 'not_stored'),
            ('s64', begins('fbreg -56'), 'mov %gs:8(%rsp),%eax;mov %rdi,8(%rsp)', 'not_stored'),
            ('s64', begins('fbreg -56'), 'movzbl 8(%rsp),%eax;mov %rdi,8(%rsp)',
             mem(7, 8, 8, True)),
            ('s64', begins('fbreg -56'), 'mov %rdi,%gs:8(%rsp)', mem(7, 8, 8, True)),
            ('s64', begins('fbreg -72'), 'push %rbx', 'not_stored'))

    def test_strings(self):
        """One of unknown length fills the frame from where it begins, not what the caller passed."""
        self.cases(
            ('s64', begins('fbreg -56'), 'mov %rsp,%rdi;rep stosq', 'not_stored'),
            ('s64', begins('fbreg 0'), 'mov %rsp,%rdi;rep stosq', mem(7, 64, 8, True)),
            ('s64', begins('fbreg 8'), 'lea 64(%rsp),%rdi;rep stosq', 'not_stored'),
            ('s64', begins('fbreg -56'), 'lea 16(%rsp),%rdi;rep stosq', mem(7, 8, 8, True)))

    def test_the_base_moves(self):
        """What is pushed meanwhile, and a frame that is made, count in."""
        self.cases(
            ('s64', begins('fbreg -80'), 'sub $24,%rsp;mov %rdi,8(%rsp)', 'not_stored'),
            ('s64', begins('fbreg -80'), 'push %rbx;mov %rdi,-8(%rsp)', 'not_stored'))

    def test_another_compiler(self):
        self.cases(('s64', begins('fbreg -56'), 'mov %rax,8(%rsp)', mem(7, 8, 8, True)),
                   ('s64', whole('breg3 0'), 'movq $1,(%rbx)', mem(3, 0, 8, True)),
                   producer=CLANG)

    def test_another_machine(self):
        """What code of it stores is not known."""
        for target in ('aarch64-linux-gnu', 's390x-linux-gnu'):
            self.cases(('s64', begins('breg11 8'), 'nop', 'not_stored'),
                       ('s64', whole('breg11 8'), 'nop', 'not_stored'),
                       ('s64', begins('reg11'), 'nop', reg(11, 8, True)),
                       ('ptr', begins('breg11 8; stack_value'), 'nop', regoff(11, 8, 8)),
                       target=target)

    def test_no_code(self):
        """A file with nothing but the debug info; the frame's CFI is not in it either."""
        self.cases(('s64', begins('breg7 8'), 'nop', mem(7, 8, 8, True)),
                   ('bool', begins('reg3'), 'test %bl,%bl', reg(3, 1)),
                   ('s64', begins('reg3'), 'nop', reg(3, 8, True)))
        debug = self.dir + '/hand.debug'
        self.run_tool('objcopy', '--only-keep-debug', self.path, debug)
        self.assertEqual([self.simple(r)[3]['v'] for r in self.records(debug)],
                         [None, None, reg(3, 8, True)])
        self.assertEqual(self.reasons(debug), {'not_stored': 1, 'bool_bits': 1})


class FirstByte(GccTest):
    """A site at its function's first byte: registers, and memory that they point at, are as
    they were passed. The frame is still to come."""

    def one(self, kind, location, code, want, target='x86_64-linux-gnu', producer=GCC):
        with self.subTest(location=location, code=code):
            self.start(target, producer)
            self.outer([code], cfa=())
            func = self.d.inline_func('f', [('v', self.types[kind])])
            site = self.d.site(self.func, func, 'outer', 'outer+16')
            site.attrs['GNU_entry_view'] = ('data1', 1)
            self.d.param(site, func.param('v'), location('outer', 'outer+16'))
            path = self.d.build(self.dir, link=target.startswith('x86'))
            got = [self.simple(r) for r in self.records(path)]
            loc = None if isinstance(want, str) else want
            self.assertEqual(got, [(0, 'inline', 'f', {'v': loc})])
            self.assertEqual(self.reasons(path),
                             {want: 1} if isinstance(want, str) else {})
            self.second_reader(path)

    def test_passed(self):
        self.one('bool', begins('reg5'), 'mov %edi,%esi', reg(5, 1))
        self.one('s32', whole('reg5'), 'nop', reg(5, 4, True))
        self.one('ptr', whole('breg5 8; stack_value'), 'nop', regoff(5, 8, 8))
        self.one('s64', begins('breg5 0'), 'movq $1,(%rdi)', mem(5, 0, 8, True))
        self.one('s64', whole('breg5 8'), 'nop', mem(5, 8, 8, True))
        self.one('bool', begins('breg5 0'), 'movb $1,(%rdi)', mem(5, 0, 1))
        self.one('s64', begins('breg0 8'), 'nop', mem(0, 8, 8, True), 'aarch64-linux-gnu')
        self.one('bool', begins('reg0'), 'nop', reg(0, 1), 'aarch64-linux-gnu')

    def test_frame(self):
        # rsp + 8 holds what the caller pushed; rsp - 16 nothing as yet
        self.one('s64', whole('fbreg 0'), 'mov 8(%rsp),%rax', mem(7, 8, 8, True))
        self.one('s64', whole('fbreg 0'), 'mov %rax,8(%rsp)', 'not_stored')
        self.one('s64', begins('fbreg -24'), 'mov %rdi,-16(%rsp)', 'not_stored')
        self.one('bool', begins('fbreg 0'), 'cmpb $0,8(%rsp)', 'bool_bits')
        self.one('s64', whole('fbreg 0'), 'nop', 'not_stored', 'aarch64-linux-gnu')

    def test_frame_to_come(self):
        self.one('s64', begins('fbreg -24'), 'sub $24,%rsp;mov %rdi,8(%rsp)', 'not_stored')
        self.one('s64', begins('fbreg -24'), 'push %rbx;mov %rdi,-8(%rsp)', 'not_stored')


class OtherCalls(GccTest):
    """clang's lists begin behind the tracer's call: of another call it is the result."""

    def one(self, code, extra, want):
        with self.subTest(code=code):
            self.start(producer=CLANG)
            self.outer([code], cfa=())
            self.d.extra += extra
            func = self.d.inline_func('f', [('v', self.types['s32'])])
            site = self.d.site(self.func, func, 'outer', 'outer+16')
            self.d.param(site, func.param('v'), LocList([('outer+5', 'outer+16', 'reg0')]))
            path = self.d.build(self.dir)
            self.assertEqual([self.simple(r) for r in self.records(path)],
                             [(0, 'inline', 'f', {'v': want})])

    def test_fentry(self):
        self.one('call __fentry__', ['.text', '.globl __fentry__', '__fentry__: ret'],
                 reg(0, 4, True))
        self.one('.byte 0x0f,0x1f,0x44,0,0', [], reg(0, 4, True))

    def test_its_own(self):
        self.one('call g', ['.text', '.globl g', 'g: ret'], None)

    def test_compiled(self):
        """f() calls g() with its first byte, and a is what g() returned behind it."""
        text = '''extern int g(void);
extern void sink(int);
static inline __attribute__((always_inline)) void h(int a) { a = g(); sink(a); }
void f(int x) { h(__builtin_popcount(x)); }
'''
        for compiler in ('clang-14', 'clang-19', 'clang-22'):
            # as kernels are built: no stack to be aligned for the call
            path = self.compiled(compiler, text, '-O2', '-c', '-mstack-alignment=8')
            self.assertIn(' 0:\te8 ', self.run_tool('objdump', '-d', path).replace('   ', ' '))
            self.assertEqual([self.simple(r) for r in self.records(path)],
                             [(0, 'inline', 'h', {'a': None})], compiler)


class TwoWays(GccTest):
    """An entry of no bytes holds for views of its address alone. Where the site's code is in
    two places, the other may jump to that address, and have another value there."""

    def site(self, i, entries, views, site_ranges=None, view=1, producer=GCC):
        """entries, site_ranges: (begin, end[, expression]), in bytes from the site."""
        at = 'outer+%d' % (STEP * (i + 1))
        func = self.d.inline_func('f%d' % i, [('v', self.d.int)])
        more = {}
        if site_ranges:
            pairs = [('%s+%d' % (at, a), '%s+%d' % (at, b)) for a, b in site_ranges]
            more = dict(low_pc=None, ranges=Ranges(*pairs))
        if producer == GCC:
            more['GNU_entry_view'] = ('data1', view)
        site = self.d.site(self.func, func, at, at + '+8', **more)
        place = [('%s+%d' % (at, a), '%s+%d' % (at, b), x) for a, b, x in entries]
        self.d.param(site, func.param('v'), LocList(place, views))

    def build(self, sites, producer=GCC):
        """@sites: (entries, views, ranges, location or None)."""
        self.start(producer=producer)
        self.outer(['nop'] * (len(sites) + 1))
        for i, (entries, views, site_ranges, _) in enumerate(sites):
            self.site(i, entries, views, site_ranges, producer=producer)
        path = self.d.build(self.dir)
        got = [self.simple(r)[3]['v'] for r in self.records(path)]
        for i, (have, want) in enumerate(zip(got, sites)):
            with self.subTest(site=i):
                self.assertEqual(have, want[3])
        self.assertEqual(len(got), len(sites))
        lost = sum(want is None for *_, want in sites)
        self.assertEqual(self.reasons(path), {'two_ways': lost} if lost else {})
        self.second_reader(path)

    BOTH = [(0, 0, 'reg3'), (0, 8, 'reg12')]
    VIEWS = [(1, 2), (2, 0)]
    TWO = [(0, 8), (16, 24)]
    BX, R12 = reg(3, 4, True), reg(12, 4, True)

    def test_gcc(self):
        self.build([
            (self.BOTH, self.VIEWS, self.TWO, None),
            (self.BOTH, self.VIEWS, [(16, 24), (0, 8)], None),
            (self.BOTH, self.VIEWS, [(0, 8), (16, 24), (32, 40)], None),
            # all in one place, or nothing in the other
            (self.BOTH, self.VIEWS, None, self.BX),
            (self.BOTH, self.VIEWS, [(0, 8)], self.BX),
            (self.BOTH, self.VIEWS, [(0, 8), (16, 16)], self.BX),
            (self.BOTH, self.VIEWS, [(16, 16), (0, 8)], self.BX),
            # from there on it is somewhere too, nowhere, or in another place later
            (self.BOTH, [(0, 1), (1, 0)], self.TWO, self.R12),
            ([(0, 8, 'reg3')], [(1, 0)], self.TWO, self.BX),
            ([(0, 0, 'reg3')], [(1, 3)], self.TWO, self.BX),
            ([(0, 0, 'reg3'), (4, 8, 'reg12')], [(1, 3), (0, 0)], self.TWO, self.BX),
            ([(-8, 0, 'reg3'), (4, 8, 'reg12')], [(0, 3), (0, 0)], self.TWO, self.BX),
            # since before the site, up to a view of its address
            ([(-8, 0, 'reg3'), (0, 8, 'reg12')], [(0, 2), (2, 0)], self.TWO, None),
            ([(-8, 0, 'reg3'), (0, 8, 'reg12')], [(0, 2), (2, 0)], None, self.BX),
        ])

    def test_clang(self):
        # without views, and the entry of no bytes is what was there before an assignment
        self.build([
            (self.BOTH, None, self.TWO, None),
            (self.BOTH, None, None, self.BX),
            ([(0, 8, 'reg3')], None, self.TWO, self.BX),
        ], producer=CLANG)


if __name__ == '__main__':
    unittest.main()
