#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Other machines' values of more than one register or piece, and narrow ones in memory."""
import os
import unittest

from dwarf_asm import Dwarf
from shapes_common import ShapeTest, const, mem, reg, regs

HALF = """
volatile int low, high;
static inline __attribute__((always_inline)) void half(long long a)
{
	low = (int)a;
	high = (int)(a >> 32);
}
void f(long long a) { half(a); }
"""


class Pieces(ShapeTest):
    """Values of more than one register or piece, as no compiler can be asked for them."""

    def one(self, target, size, cases):
        """@cases: (expression, location) of a parameter of @size bytes at one site each."""
        d = Dwarf(target)
        kind = d.base('value', size, 'signed')
        func = d.inline_func('f', [('v', kind)])
        outer = d.func('outer', 4 * len(cases) + 8)
        want = []
        for i, (text, loc) in enumerate(cases):
            at = 4 * i + 4
            site = d.site(outer, func, 'outer+%d' % at, 'outer+%d' % (at + 4))
            d.param(site, func.param('v'), text)
            want.append((at, 'inline', 'f', {'v': loc}))
        path = d.assemble(self.dir)
        self.run_tool('pahole', '-J', path, env=dict(os.environ, LLVM_OBJCOPY='llvm-objcopy-19'))
        got = [self.simple(r) for r in self.records(path)]
        self.assertEqual(got, want)

    def test_64_bits_in_two_of_32(self):
        self.one('armv7-linux-gnueabihf', 8, [
            ('reg0; piece 4; reg1; piece 4', regs(0, 1, 8)),
            ('reg5; piece 4; reg4; piece 4', regs(5, 4, 8)),
            ('breg13 8; piece 4; breg13 12; piece 4', mem(13, 8, 8, True)),
            ('reg0; piece 4; piece 4', None),                   # half of it is gone
            ('piece 4; reg0; piece 4', None),
            ('reg0; piece 4; breg13 4; piece 4', None),         # no form for it
            ('reg0; piece 4; lit0; stack_value; piece 4', None),
            ('regx 256; piece 4; reg1; piece 4', None),         # d0
            ('regx 256', None),
            ('reg2', None)])                                    # 4 bytes of 8

    def test_64_bits_on_i386(self):
        self.one('i686-linux-gnu', 8, [
            ('reg0; piece 4; reg2; piece 4', regs(0, 2, 8)),
            ('breg4 4', mem(4, 4, 8, True)),
            ('regx 21', None),                                  # xmm0
            ('reg8', None)])                                    # eip

    def test_narrow_of_big_endian_memory(self):
        # 8 bytes are loaded, the low ones stand at the end
        self.one('s390x-linux-gnu', 2, [
            ('reg3', reg(3, 2, True)),
            ('breg3 8', mem(3, 8, 2, True)),
            ('breg3 8; deref; stack_value', mem(3, 14, 2, True)),
            ('breg3 8; deref_size 4; stack_value', mem(3, 10, 2, True)),
            ('breg3 8; deref_size 2; stack_value', mem(3, 8, 2, True)),
            ('regx 17', None)])                                 # f2

    def test_halves_of_a_number_on_big_endian(self):
        # the high half is the first by DWARF, the second by clang 19: none, but in memory
        for target in ('s390x-linux-gnu', 'armebv7-linux-gnueabi'):
            self.one(target, 8, [
                ('const4u 1; stack_value; piece 4; const4u 2; stack_value; piece 4', None),
                ('reg2; piece 4; reg3; piece 4', None),
                ('breg2 0; piece 4; breg2 4; piece 4', mem(2, 0, 8, True)),
                ('breg2 4; piece 4; breg2 0; piece 4', None)])
        self.one('armv7-linux-gnueabihf', 8, [
            ('const4u 1; stack_value; piece 4; const4u 2; stack_value; piece 4',
             const((2 << 32) + 1, 8, True))])

    def test_halves_by_clang_on_big_endian(self):
        """r0 is the high half of the first parameter (AAPCS32), clang says r1, r0."""
        out = self.dir + '/prog.o'
        self.run_tool('clang-19', '--target=armebv7-linux-gnueabi', '-g', '-O2', '-ffreestanding',
                      '-c', self.source('half.c', HALF), '-o', out)
        self.run_tool('pahole', '-J', out, env=dict(os.environ, LLVM_OBJCOPY='llvm-objcopy-19'))
        dump = self.run_tool('llvm-dwarfdump-19', out)
        self.assertIn('DW_OP_reg1 R1, DW_OP_piece 0x4, DW_OP_reg0 R0, DW_OP_piece 0x4', dump)
        self.assertEqual([self.simple(r) for r in self.records(out)],
                         [(0, 'inline', 'half', {'a': None})])


if __name__ == '__main__':
    unittest.main()
