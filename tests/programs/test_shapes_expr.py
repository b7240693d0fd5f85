#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Expressions, each written by hand: the rows of dwarf-rules.md section 4.

A case is (type, expression, location). All cases of a test go into one file, a site each,
of a function `f0`, `f1` ... with the one parameter `v`.
"""
import unittest

from dwarf_asm import Dwarf, Expr
from shapes_common import ShapeTest, addr, const, mem, memaddr, reg, regoff, regs


class ExprTest(ShapeTest):
    def file(self, target='x86_64-linux-gnu', version=5, cfa=(), **func):
        """Types by name, for the cases to choose from."""
        self.d = d = Dwarf(target, version)
        self.outer = d.func('outer', 4096, cfa=cfa, **func)
        s8 = d.base('signed char', 1, 'signed_char')
        u64 = d.base('long long unsigned int', 8, 'unsigned')
        s64 = d.base('long long int', 8, 'signed')
        u32 = d.base('unsigned int', 4, 'unsigned')
        self.types = dict(
            s8=s8, u8=d.u8, s32=d.int, s64=s64, u64=u64, u32=u32,
            s16=d.base('short int', 2, 'signed'),
            u16=d.base('short unsigned int', 2, 'unsigned'),
            bool=d.base('_Bool', 1, 'boolean'), double=d.base('double', 8, 'float'),
            float=d.base('float', 4, 'float'), ptr=d.pointer(),
            s128=d.base('__int128', 16, 'signed'),
            pair=d.struct('pair', 16, [('a', u64, 0), ('b', u64, 8)]),
            trio=d.struct('trio', 12, [('a', u64, 0), ('b', u32, 8)]),
            big=d.struct('big', 24, [('a', u64, 0), ('b', u64, 8), ('c', u64, 16)]),
            two=d.struct('two', 8, [('a', u32, 0), ('b', u32, 4)]))
        new = d.die('enumeration_type', name='sign', type=d.int, byte_size=4)
        d.die('enumerator', new, name='MINUS', const_value=('sdata', -1))
        self.types['enum'] = new
        # enum truth : bool
        self.types['truth'] = d.die('enumeration_type', name='truth', type=self.types['bool'],
                                    byte_size=1)
        d.die('enumerator', self.types['truth'], name='YES', const_value=('sdata', 1))
        vol = d.die('volatile_type', type=d.die('const_type', type=s8))
        self.types['alias'] = d.die('typedef', name='alias_t', type=vol)

    def run_cases(self, cases, link=True, step=4, judge=True, first=4):
        expected = []
        for i, (kind, expr, loc) in enumerate(cases):
            func = self.d.inline_func('f%d' % i, [('v', self.types[kind])])
            site = self.d.site(self.outer, func, 'outer+%d' % (first + step * i))
            if isinstance(expr, str):
                self.d.param(site, func.param('v'), expr, dies=self.types)
            else:
                self.d.param(site, func.param('v'), const_value=expr)
            expected.append((first + step * i, 'inline', 'f%d' % i, {'v': loc}))
        path = self.d.build(self.dir, link=link)
        records = [self.simple(r) for r in self.records(path)]
        for (kind, expr, _), got, want in zip(cases, records, expected):
            with self.subTest(type=kind, expression=expr):
                self.assertEqual(got, want)
        self.assertEqual(len(records), len(expected))
        if judge:
            self.second_reader(path)


class Registers(ExprTest):
    def test_registers(self):
        self.file()
        self.run_cases([
            ('s32', 'reg5', reg(5, 4, True)),
            ('u8', 'reg0', reg(0, 1)),
            ('s64', 'reg15', reg(15, 8, True)),
            ('ptr', 'regx 3', reg(3, 8)),
            ('alias', 'reg3', reg(3, 1, True)),
            ('enum', 'reg3', reg(3, 4, True)),
            ('two', 'reg3', reg(3, 8)),
            ('s32', 'reg17', None),             # xmm0
            ('double', 'reg17', None),
            ('float', 'regx 32', None),         # xmm15
            ('s128', 'reg3', None),             # half of it at most
            ('pair', 'reg3', None),
        ])

    def test_register_and_offset(self):
        self.file()
        self.run_cases([
            ('ptr', 'breg5 0; stack_value', reg(5, 8)),
            ('ptr', 'breg5 8; stack_value', regoff(5, 8, 8)),
            ('s64', 'breg5 -8; stack_value', regoff(5, -8, 8, True)),
            ('s32', 'breg5 -1; stack_value', regoff(5, -1, 4, True)),
            ('ptr', 'breg5 8; plus_uconst 24; stack_value', regoff(5, 32, 8)),
            ('ptr', 'bregx 3 16; stack_value', regoff(3, 16, 8)),
            # does not fit into 32 bits: a second word in the section
            ('s64', 'breg5 0x123456789a; stack_value', regoff(5, 0x123456789a, 8, True)),
            ('s64', 'breg5 -0x80000001; stack_value', regoff(5, -0x80000001, 8, True)),
            ('s64', 'breg5 0x80000000; stack_value', regoff(5, 0x80000000, 8, True)),
            ('pair', 'breg5 8; stack_value', None),
        ])

    def test_memory(self):
        self.file()
        self.run_cases([
            ('s32', 'breg7 8', mem(7, 8, 4, True)),
            ('u8', 'breg7 0', mem(7, 0, 1)),
            ('s64', 'breg6 -0x123456789', mem(6, -0x123456789, 8, True)),
            ('ptr', 'breg6 -16; plus_uconst 8', mem(6, -8, 8)),
            ('big', 'breg7 16', mem(7, 16, 24)),
            ('double', 'breg7 16', mem(7, 16, 8)),
            ('ptr', 'breg5 16; deref; stack_value', mem(5, 16, 8)),
            # the low 4 bytes of the 8 that are loaded
            ('s32', 'breg5 16; deref; stack_value', mem(5, 16, 4, True)),
            ('s32', 'breg5 16; deref_size 4; stack_value', mem(5, 16, 4, True)),
            # loaded without a sign, whatever the type's is
            ('s64', 'breg5 16; deref_size 4; stack_value', mem(5, 16, 4, False)),
            ('s32', 'breg5 16; deref_size 1; stack_value', mem(5, 16, 1, False)),
            # twice dereferenced, or memory at a computed place: no row
            ('s32', 'breg5 16; deref', None),
            ('s32', 'breg5 16; deref; deref; stack_value', None),
            ('s32', 'breg5 16; deref; plus_uconst 4; stack_value', None),
            ('pair', 'breg5 16; deref; stack_value', None),
            ('s32', 'breg17 0', None),
        ])

    def test_masks_and_shifts(self):
        self.file()
        self.run_cases([
            ('s64', 'breg5 0; const1u 0xff; and; stack_value', reg(5, 1)),
            ('s32', 'breg5 0; const2u 0xffff; and; stack_value', reg(5, 2)),
            ('u64', 'breg5 0; const4u 0xffffffff; and; stack_value', reg(5, 4)),
            # the mask covers the type: nothing is narrowed, the sign is the type's
            ('s32', 'breg5 0; const4u 0xffffffff; and; stack_value', reg(5, 4, True)),
            ('s8', 'breg5 0; constu 255; and; stack_value', reg(5, 1, True)),
            ('s8', 'breg5 0; const2u 0xffff; and; stack_value', reg(5, 1, True)),
            ('s64', 'breg1 0; const1u 56; shl; const1u 56; shra; stack_value',
             reg(1, 1, True)),
            ('s32', 'breg1 0; const1u 48; shl; const1u 48; shr; stack_value', reg(1, 2)),
            ('u64', 'breg1 0; const1u 32; shl; const1u 32; shra; stack_value',
             reg(1, 4, True)),
            ('s64', 'breg1 0; const1u 32; shl; const1u 32; shr; stack_value', reg(1, 4)),
            ('s32', 'breg1 0; const1u 32; shl; const1u 32; shra; stack_value',
             reg(1, 4, True)),
            # only bits above the type's own are cut off
            ('s32', 'breg1 0; lit8; shl; lit8; shr; stack_value', reg(1, 4, True)),
            ('u16', 'breg1 0; lit3; shl; lit3; shra; stack_value', reg(1, 2)),
            # ... and here some of the type's
            ('s64', 'breg1 0; lit8; shl; lit8; shr; stack_value', None),
            ('s32', 'breg1 0; const1u 40; shl; const1u 40; shr; stack_value', None),
            # other arithmetic
            ('s32', 'breg1 0; const1u 0x7f; and; stack_value', None),
            ('s64', 'breg1 0; const1u 32; shl; stack_value', None),
            ('s32', 'breg1 0; lit3; shr; stack_value', None),
            ('s32', 'breg1 0; const1u 56; shl; const1u 48; shra; stack_value', None),
            ('s32', 'breg1 0; breg2 0; plus; stack_value', None),
            ('s32', 'breg1 0; neg; stack_value', None),
            ('s32', 'breg1 0; lit2; mul; stack_value', None),
        ])

    def test_converts(self):
        # the value's bits widen by the type that they are converted from
        for version, convert in ((5, 'convert'), (4, 'GNU_convert')):
            with self.subTest(version=version):
                self.file(version=version)
                self.run_cases([(kind, text.replace('convert', convert), loc)
                                for kind, text, loc in [
                    ('s64', 'breg5 0; convert u32; convert u64; stack_value', reg(5, 4)),
                    ('s64', 'breg5 0; convert s32; convert s64; stack_value',
                     reg(5, 4, True)),
                    ('u64', 'breg5 0; convert s8; convert u64; stack_value',
                     reg(5, 1, True)),
                    ('s64', 'breg5 0; convert u16; convert s64; stack_value', reg(5, 2)),
                    ('s32', 'breg5 0; convert u32; convert s32; stack_value',
                     reg(5, 4, True)),
                    ('s32', 'breg5 0; convert u8; convert s32; stack_value', reg(5, 1)),
                    ('s8', 'breg5 0; convert u32; convert s8; stack_value',
                     reg(5, 1, True)),
                    # to the generic type and from it
                    ('s64', 'breg5 0; convert s32; convert 0; stack_value',
                     reg(5, 4, True)),
                    # nothing is cut
                    ('s64', 'breg5 0; convert u64; convert s64; stack_value',
                     reg(5, 8, True)),
                    ('s64', 'breg5 0; convert double; convert s64; stack_value', None),
                    ('s64', 'breg5 0; convert u8; lit1; plus; convert s64; stack_value',
                     None),
                ]])


class Constants(ExprTest):
    def test_cut_to_the_type(self):
        self.file()
        self.run_cases([
            ('s32', 'lit0; stack_value', const(0, 4, True)),
            ('s32', 'lit31; stack_value', const(31, 4, True)),
            # gcc writes const1s -56 for a u8 of 200
            ('u8', 'const1s -56; stack_value', const(200, 1)),
            ('s8', 'const1u 200; stack_value', const(-56, 1, True)),
            ('u32', 'consts -1; stack_value', const(0xffffffff, 4)),
            ('s32', 'const4u 0xffffffff; stack_value', const(-1, 4, True)),
            ('u64', 'consts -1; stack_value', const(2 ** 64 - 1, 8)),
            ('s64', 'const8u 0xffffffffffffffff; stack_value', const(-1, 8, True)),
            ('s64', 'const8s -0x8000000000000000; stack_value', const(-2 ** 63, 8, True)),
            ('u16', 'const4u 0x12345678; stack_value', const(0x5678, 2)),
            ('enum', 'const4u 0xffffffff; stack_value', const(-1, 4, True)),
            ('alias', 'const1u 255; stack_value', const(-1, 1, True)),
            ('ptr', 'lit0; stack_value', const(0, 8)),
            ('ptr', 'const8u 0xffff888000000000; stack_value',
             const(0xffff888000000000, 8)),
            ('bool', 'lit1; stack_value', const(1, 1)),
            ('bool', 'lit0; stack_value', const(0, 1)),
            ('bool', 'consts -1; stack_value', const(1, 1)),
            # ~1, as gcc writes !true; 2 is no truth value
            ('bool', 'const1s -2; stack_value', const(0, 1)),
            ('bool', 'const1u 254; stack_value', const(0, 1)),
            ('bool', 'const1u 255; stack_value', const(1, 1)),
            ('bool', 'lit2; stack_value', None),
            ('truth', 'const1s -2; stack_value', const(0, 1)),
            ('double', 'lit0; stack_value', None),
            ('s128', 'lit0; stack_value', None),
        ])

    def test_const_value(self):
        self.file()
        self.run_cases([
            ('u8', ('sdata', -56), const(200, 1)),
            # clang's way to write the same
            ('u8', ('udata', 18446744073709551560), const(200, 1)),
            ('s8', ('data1', 200), const(-56, 1, True)),
            ('s32', ('data4', 0xfffffffe), const(-2, 4, True)),
            ('s64', ('sdata', -3), const(-3, 8, True)),
            ('u64', ('data8', 0xfedcba9876543210), const(0xfedcba9876543210, 8)),
            ('u32', ('udata', 0xfedcba98), const(0xfedcba98, 4)),
            ('s64', ('data1', 200), const(200, 8, True)),
            ('bool', ('data1', 1), const(1, 1)),
            ('bool', ('data1', 0), const(0, 1)),
            ('bool', ('sdata', -1), const(1, 1)),
            ('bool', ('sdata', -2), const(0, 1)),
            ('bool', ('data1', 254), const(0, 1)),
            ('bool', ('data1', 255), const(1, 1)),
            ('bool', ('data2', 0xfffe), const(0, 1)),
            ('bool', ('data4', 0xfffffffe), const(0, 1)),
            ('bool', ('udata', 2 ** 64 - 2), const(0, 1)),
            ('bool', ('udata', 6), None),
            ('bool', ('block1', [0xfe]), const(0, 1)),
            ('bool', ('block1', [2]), None),
            # little-endian bytes, 8 at most
            ('s32', ('block1', [0xfe, 0xff, 0xff, 0xff]), const(-2, 4, True)),
            ('double', ('data8', 0x4000000000000000), None),
            ('double', ('block1', [0, 0, 0, 0, 0, 0, 0, 0x40]), None),
            ('pair', ('block1', [1] * 16), None),
            ('s32', ('string', 'text'), None),
        ])

    def test_implicit_value(self):
        self.file()
        self.run_cases([
            ('s32', 'implicit_value fe ff ff ff', const(-2, 4, True)),
            ('u64', 'implicit_value 1 2 3 4 5 6 7 8', const(0x0807060504030201, 8)),
            # more bytes than the type: cut
            ('u8', 'implicit_value c8 ff ff ff', const(200, 1)),
            ('s8', 'implicit_value c8', const(-56, 1, True)),
            ('bool', 'implicit_value ff', const(1, 1)),
            ('bool', 'implicit_value fe', const(0, 1)),
            ('bool', 'implicit_value 4', None),
            ('double', 'implicit_value 0 0 0 0 0 0 0 40', None),
            ('s32', 'implicit_value 1 2', None),        # fewer bytes than the type
            ('pair', 'implicit_value 1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8', None),
        ])

    def test_arithmetic_on_constants(self):
        self.file()
        self.run_cases([
            ('s32', 'lit3; lit4; plus; stack_value', const(7, 4, True)),
            ('s32', 'lit3; lit4; minus; stack_value', const(-1, 4, True)),
            ('u32', 'lit1; lit31; shl; stack_value', const(1 << 31, 4)),
            ('s32', 'lit5; neg; stack_value', const(-5, 4, True)),
            ('u8', 'lit0; not; stack_value', const(255, 1)),
            ('s32', 'lit6; lit7; mul; stack_value', const(42, 4, True)),
            ('s64', 'const1s -16; lit2; shra; stack_value', const(-4, 8, True)),
            ('u32', 'const2u 0x1234; const1u 0xff; and; stack_value', const(0x34, 4)),
            ('s32', 'lit9; plus_uconst 200; stack_value', const(209, 4, True)),
            ('s32', 'lit9; nop; stack_value', const(9, 4, True)),
        ])

    def test_big_endian_bytes(self):
        self.file(target='powerpc64-linux-gnu')
        self.run_cases([
            ('s32', 'implicit_value ff ff ff fe', const(-2, 4, True)),
            ('u64', 'implicit_value 1 2 3 4 5 6 7 8', const(0x0102030405060708, 8)),
            ('u8', 'const1s -56; stack_value', const(200, 1)),
            ('s32', ('block1', [0xff, 0xff, 0xff, 0xfe]), const(-2, 4, True)),
            ('s16', ('data2', 0xfffe), const(-2, 2, True)),
            ('s64', 'const8s -7; stack_value', const(-7, 8, True)),
            ('s32', 'reg3', reg(3, 4, True)),
            ('s32', 'breg1 24', mem(1, 24, 4, True)),
        ])


class Addresses(ExprTest):
    def setUp(self):
        super().setUp()
        self.file()
        self.d.extra += ['.section .data,"aw"', '.zero 16', 'thing: .zero 16']

    def thing(self, path):
        for line in self.run_tool('nm', path).split('\n'):
            if line.endswith(' thing'):
                return int(line.split()[0], 16)
        return self.fail('no symbol')

    def case(self, cases, link=True):
        """Like run_cases(), for locations that need the linked address."""
        funcs = []
        for i, (kind, expr) in enumerate(cases):
            func = self.d.inline_func('f%d' % i, [('v', self.types[kind])])
            site = self.d.site(self.outer, func, 'outer+%d' % (4 * i))
            funcs.append(func)
            self.d.param(site, func.param('v'), expr)
        path = self.d.build(self.dir, link=link)
        got = [self.simple(r)[3]['v'] for r in self.records(path)]
        self.second_reader(path)
        return path, got

    CASES = [('ptr', 'addr thing; stack_value'), ('s32', 'addr thing'),
             ('ptr', 'addr thing+8; stack_value'),
             ('ptr', 'addr thing; plus_uconst 4; stack_value'),
             ('u8', 'addr thing+3; plus_uconst 2')]

    def test_linked(self):
        path, got = self.case(self.CASES)
        at = self.thing(path)
        self.assertEqual(got, [addr(at), memaddr(at, 4), addr(at + 8), addr(at + 4),
                               memaddr(at + 5, 1)])

    def test_relocatable(self):
        # `thing` is at offset 16 of .data; libdwfl moves .data, the answer must not
        _, got = self.case(self.CASES, link=False)
        self.assertEqual(got, [addr(16, section='.data'), memaddr(16, 4, '.data'),
                               addr(24, section='.data'), addr(20, section='.data'),
                               memaddr(21, 1, '.data')])

    def test_addrx(self):
        self.d.addr_pool = ['outer', 'thing']
        self.d.cu.attrs['addr_base'] = ('sec_offset', '.Laddr')
        path, got = self.case([('ptr', 'addrx 1; stack_value'), ('s32', 'addrx 1')])
        at = self.thing(path)
        self.assertEqual(got, [addr(at), memaddr(at, 4)])


class FrameBase(ExprTest):
    """fbreg; outer's CFA is rsp+8, from byte 4 on rsp+32, from byte 12 on rbp+16."""

    CFA = [(4, '.cfi_def_cfa_offset 32'), (12, '.cfi_def_cfa %rbp, 16')]

    def test_cfa_where_the_site_is(self):
        self.file(cfa=self.CFA)
        self.run_cases([
            ('s32', 'fbreg -20', mem(7, -12, 4, True)),                 # byte 0: rsp+8
            ('s32', 'fbreg -20', mem(7, 12, 4, True)),                  # byte 4: rsp+32
            ('ptr', 'fbreg -20; stack_value', regoff(7, 12, 8)),        # byte 8
            ('s32', 'fbreg -20', mem(6, -4, 4, True)),                  # byte 12: rbp+16
            ('ptr', 'fbreg -16; stack_value', reg(6, 8)),               # byte 16: rbp+0
            ('ptr', 'fbreg -24; deref; stack_value', mem(6, -8, 8)),
            ('ptr', 'fbreg -24; plus_uconst 32; stack_value', regoff(6, 24, 8)),
            ('s64', 'fbreg -24; deref_size 2; stack_value', mem(6, -8, 2)),
            ('big', 'fbreg 0', mem(6, 16, 24)),
            ('ptr', 'fbreg -24; deref', None),
        ], first=0)

    def test_debug_frame(self):
        self.file(cfa=self.CFA)
        self.d.code.insert(0, '.cfi_sections .debug_frame')
        self.run_cases([('s32', 'fbreg -20', mem(7, -12, 4, True)),
                        ('s32', 'fbreg -20', mem(7, 12, 4, True))], first=0)

    def test_a_register(self):
        # clang's DW_AT_frame_base (DW_OP_reg6 RBP)
        self.file(frame_base='reg6')
        self.run_cases([('s32', 'fbreg -20', mem(6, -20, 4, True)),
                        ('ptr', 'fbreg 8; stack_value', regoff(6, 8, 8)),
                        ('ptr', 'fbreg 0; stack_value', reg(6, 8))])

    def test_a_register_and_an_offset(self):
        self.file(frame_base='breg7 24')
        self.run_cases([('s32', 'fbreg -20', mem(7, 4, 4, True)),
                        ('ptr', 'fbreg -24; stack_value', reg(7, 8))])

    def test_none(self):
        self.file(frame_base=None)
        self.run_cases([('s32', 'fbreg -20', None), ('s32', 'reg0', reg(0, 4, True))])

    def test_no_cfi_for_the_function(self):
        self.file()
        self.d.code = [x for x in self.d.code if not x.startswith('.cfi')]
        self.run_cases([('s32', 'fbreg -20', None), ('s32', 'reg0', reg(0, 4, True))])

    def test_of_the_enclosing_function(self):
        # two sites deep and in a block: the frame is still outer's
        self.file(cfa=self.CFA)
        func = self.d.inline_func('f', [('v', self.types['s32'])])
        out = self.d.site(self.outer, func, 'outer+4', 'outer+8')
        block = self.d.die('lexical_block', out)
        inner = self.d.site(block, func, 'outer+6', 'outer+8')
        self.d.param(inner, func.param('v'), 'fbreg -20')
        self.check(self.d.build(self.dir), [
            (4, 'inline', 'f', {'v': None}),
            (6, 'inline', 'f', {'v': mem(7, 12, 4, True)})])

    def test_32_bit(self):
        # i386: the CFA is esp+4 (register 4), from byte 4 on esp+32
        self.file('i686-linux-gnu', cfa=self.CFA[:1])
        self.run_cases([('s32', 'fbreg 0', mem(4, 4, 4, True)),
                        ('s32', 'fbreg -20', mem(4, 12, 4, True)),
                        ('ptr', 'fbreg -20; stack_value', regoff(4, 12, 4))], first=0)

    def test_aarch64(self):
        # the CFA begins as sp (register 31) itself
        self.file('aarch64-linux-gnu', cfa=self.CFA[:1])
        self.run_cases([('s32', 'fbreg 0', mem(31, 0, 4, True)),
                        ('s32', 'fbreg -20', mem(31, 12, 4, True)),
                        ('s64', 'reg19', reg(19, 8, True)),
                        ('s64', 'regx 64', None)], first=0)             # v0


class Pieces(ExprTest):
    def test_pieces(self):
        self.file()
        self.run_cases([
            ('pair', 'reg5; piece 8; reg4; piece 8', regs(5, 4, 16)),
            ('pair', 'reg0; piece 8; reg1; piece 8', regs(0, 1, 16)),
            ('trio', 'reg5; piece 8; reg4; piece 4', regs(5, 4, 12)),
            # half of it only
            ('pair', 'reg5; piece 8; piece 8', None),
            ('pair', 'piece 8; reg4; piece 8', None),
            ('pair', 'reg5; piece 8', None),
            ('pair', 'piece 16', None),
            # not words of the value
            ('two', 'reg5; piece 4; reg4; piece 4', None),
            ('pair', 'reg5; piece 4; reg4; piece 12', None),
            # too many, and mixed
            ('big', 'reg5; piece 8; reg4; piece 8; reg1; piece 8', None),
            ('pair', 'reg17; piece 8; reg18; piece 8', None),
            ('pair', 'reg5; piece 8; reg18; piece 8', None),
            ('pair', 'reg5; piece 8; breg7 8; piece 8', None),
            ('pair', 'lit0; stack_value; piece 8; lit1; stack_value; piece 8', None),
        ])

    def test_words_of_32_bits(self):
        self.file('i686-linux-gnu')
        self.run_cases([
            ('s64', 'reg0; piece 4; reg2; piece 4', regs(0, 2, 8)),
            ('two', 'reg0; piece 4; reg2; piece 4', regs(0, 2, 8)),
            ('s64', 'reg0', None),
            ('s64', 'reg0; piece 4; piece 4', None),
            ('ptr', 'reg0', reg(0, 4)),
        ])


class NotAvailable(ExprTest):
    def test_none(self):
        """Nothing here may be guessed at, and nothing may crash."""
        self.file()
        other = self.d.inline_func('other', [('x', self.d.int)])
        self.types['param'] = other.param('x')
        self.types['local'] = self.d.die('variable', self.outer, name='l',
                                         type=self.d.int, location=Expr('reg3'))
        self.run_cases([
            ('s32', 'entry_value reg5; stack_value', None),
            ('s32', 'entry_value reg5; plus_uconst 4; stack_value', None),
            ('s32', 'GNU_entry_value reg5; stack_value', None),
            ('ptr', 'implicit_pointer local 0', None),
            ('s32', 'GNU_parameter_ref param; stack_value', None),
            ('s32', '', None),
            ('s32', 'stack_value', None),
            ('s32', 'plus; stack_value', None),
            ('s32', 'deref; stack_value', None),
            ('s32', 'drop; drop', None),
            ('s32', 'reg1', reg(1, 4, True)),
        ])

    def test_unknown_and_cut_off_operators(self):
        # 0xe5 is nobody's; const8u and breg5 without their operands
        self.file()
        for name, data in (('f0', [0xe5]), ('f1', [0x0e, 1, 2]), ('f2', [0x75]),
                           ('f3', [0x75, 0x80, 0x80]), ('f4', [0xa3, 0xff, 0x7f]),
                           ('f5', [0x9e, 0x7f, 1])):
            func = self.d.inline_func(name, [('v', self.d.int)])
            site = self.d.site(self.outer, func, 'outer+%d' % (4 * int(name[1])))
            self.d.die('formal_parameter', site, abstract_origin=func.param('v'),
                       location=('block', data))
        got = [self.simple(r) for r in self.records(self.d.build(self.dir))]
        self.assertEqual([x[:3] for x in got],
                         [(4 * i, 'inline', 'f%d' % i) for i in range(6)])
        # an operand that is cut off in f2 and f3 may be read as its bits so far
        for i in (0, 1, 4, 5):
            self.assertEqual(got[i][3], {'v': None})


if __name__ == '__main__':
    unittest.main()
