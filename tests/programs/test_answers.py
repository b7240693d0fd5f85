#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sources that were answered wrongly once, each with the value that the code has there."""
import os
import re
import unittest

from dwarf_asm import Dwarf
from shapes_common import BTFLOCS, HERE, ShapeTest

CLANGS = ('clang', 'clang-16', 'clang-19', 'clang-22')


def source(name):
    with open(os.path.join(HERE, 'inputs', name)) as f:
        return f.read()


class Answers(ShapeTest):
    def listed(self, path, *flags):
        self.all_records(path, *flags)
        return self.run_tool(BTFLOCS, 'list', path)

    def test_not_flag(self):
        """gcc's constant for !inv, where inv is true, is ~1: the code there is `not`, `and`."""
        path = self.compiled('gcc', source('not_flag.c'), '-O1', '-c')
        dwarf = self.run_tool('llvm-dwarfdump', '--debug-info', path)
        self.assertTrue('DW_OP_const1s -2, DW_OP_stack_value' in dwarf)
        got = [p['loc']['value'] for r in self.records(path) for p in r['params']
               if p['name'] == 'set' and p['loc'] and p['loc']['kind'] == 'const']
        self.assertEqual(got, ['0'])

    def test_not_flag_on_other_machines(self):
        """The callee's branches are constants there: no `set` is both true and ~1."""
        for cc in ('aarch64-linux-gnu-gcc', 'arm-linux-gnueabihf-gcc', 's390x-linux-gnu-gcc',
                   'i686-linux-gnu-gcc', 'powerpc64le-linux-gnu-gcc'):
            with self.subTest(cc):
                path = self.compiled(cc, source('not_flag.c'), '-O1', '-c',
                                     name=cc.split('-')[0])
                for r in self.records(path):
                    for p in r['params']:
                        if p['name'] == 'set' and p['loc'] and p['loc']['kind'] == 'const':
                            self.assertEqual(p['loc']['value'], '0', cc)
                self.second_reader(path)

    def test_stale_entry(self):
        """llvm-bolt leaves DW_AT_entry_pc where the code was: in a function that is not called."""
        self.source('stale.c', source('stale_entry.c'))
        self.run_tool('gcc', '-g', '-O2', '-dA', '-S', 'stale.c')
        with open(self.dir + '/stale.s') as f:
            text = f.read()
        # not those of what is no inline site
        text, n = re.subn(r'\.quad\t\S+(\t# DW_AT_entry_pc)', r'.quad\torig+4\1', text)
        self.assertGreaterEqual(n, 2)
        with open(self.dir + '/stale.s', 'w') as f:
            f.write(text)
        self.run_tool('gcc', '-c', 'stale.s')
        path = self.dir + '/stale.o'
        self.run_tool('pahole', '-J', path)
        records = self.records(path)
        syms = dict(reversed(x.split()[::2]) for x in
                    self.run_tool('nm', path).splitlines() if ' T ' in x)
        outer, orig = int(syms['outer'], 16), int(syms['orig'], 16)
        self.assertEqual({r['kind'] for r in records}, {'guess'})
        self.assertEqual(len(records), n)
        for r in records:
            self.assertGreaterEqual(r['offset'], outer if outer > orig else 0)
            self.assertFalse(orig <= r['offset'] < outer)
        self.second_reader(path)

    def test_argument_holes(self):
        """All functions are global: what calls them goes by the psABI, and no record is owed."""
        for target in ('riscv64', 'aarch64', 'x86_64', 's390x', 'powerpc64le', 'arm'):
            for cc in CLANGS:
                with self.subTest(target=target, cc=cc):
                    name = '%s-%s' % (target, cc)
                    path = self.compiled('%s --target=%s-linux-gnu%s' % (
                        cc, target, 'eabihf' if target == 'arm' else ''),
                        source('arg_hole.c').replace('__int128', 'long long')
                        if target == 'arm' else source('arg_hole.c'),
                        '-O2', '-c', name=name)
                    records = self.all_records(path, '--features', 'inline_locs,func_addrs')
                    names = [r['func'] for r in records if r['kind'] == 'func']
                    self.assertEqual(sorted(names), ['drive', 'hole', 'hole2', 'mixed',
                                                     'nohole', 'spill'])
                    self.assertEqual({r['loc_proto_id'] for r in records
                                      if r['kind'] == 'func'}, {0})
                    self.assertEqual([r for r in self.all_records(path)
                                      if r['kind'] == 'func'], [])

    def test_i386_conventions(self):
        """-mregparm=3 is told by gcc's options, and asmlinkage by where the arguments are: on
        i386 a program's static function is gcc's own affair."""
        text = """
            volatile int sink;
            __attribute__((noinline)) static int own(int a, int b) { sink = a; return b; }
            __attribute__((noinline)) int any(int a, int b) { sink = a; return b + own(b, a); }
            __attribute__((noinline, regparm(0))) int asmlinkage(int a, int b)
            { sink = a; return b + any(b, a); }
            """
        stack = ['*(%sp+0x4)', '*(%sp+0x8)']
        for flags, want in (((), {'own': ['%ax', '%dx']}),
                            (('-mregparm=3',), {'asmlinkage': stack})):
            with self.subTest(flags):
                path = self.compiled('i686-linux-gnu-gcc', text, '-O2', '-c', '-fno-pic', *flags)
                got = {m.group(1): re.findall(r'int \w=([^,)]*\)?)[,)]', m.group(2) + ')')
                       for m in re.finditer(r'func (\w+)\((.*)\)', self.listed(path))}
                self.assertEqual(got, want)

    def test_narrow(self):
        """A long whose lowest byte alone is in the register."""
        for cc in CLANGS:
            with self.subTest(cc):
                path = self.compiled(cc, source('narrow.c'), '-O2', '-c', name=cc)
                dwarf = self.run_tool('llvm-dwarfdump-19', '--debug-info', path)
                self.assertTrue(re.search(r'DW_OP_breg3 RBX\+0, DW_OP_constu 0xff, DW_OP_and, '
                                          r'DW_OP_convert \S+ "DW_ATE_signed_8"', dwarf))
                self.assertIn('long w=%bx:1)', self.listed(path))

    def test_width_and_sign(self):
        """The width where it is not the type's, and the sign that widens it where that is not."""
        d = Dwarf()
        outer = d.func('outer', 64)
        kinds = {'s64': d.long, 'u64': d.base('long unsigned int', 8, 'unsigned'),
                 'ptr': d.pointer(), 'u8': d.u8}
        byte, word = 'const1u 0xff; and; stack_value', 'const4u 0xffffffff; and; stack_value'
        signed = 'const1u 56; shl; const1u 56; shra; stack_value'
        rows = [('s64', 'breg5 0; ' + signed, '%di:1'), ('s64', 'breg5 0; ' + byte, '%di:u1'),
                ('u64', 'breg5 0; ' + signed, '%di:s1'), ('u64', 'breg5 0; ' + byte, '%di:1'),
                ('ptr', 'breg5 0; ' + word, '%di:4'), ('ptr', 'reg5', '%di'),
                ('u8', 'reg5', '%di'), ('u8', 'breg5 0; ' + word, '%di'),
                ('s64', 'breg7 8; deref_size 2; stack_value', '*(%sp+0x8):u2'),
                ('s64', 'breg7 8', '*(%sp+0x8)'), ('s64', 'const1s -1; stack_value', '-1')]
        for i, (kind, expr, _) in enumerate(rows):
            func = d.inline_func('f%d' % i, [('v', kinds[kind])])
            d.param(d.site(outer, func, 'outer+%d' % (4 + 4 * i)), func.param('v'), expr)
        got = re.findall(r' inline f\d+\(.*v=(.*)\)', self.listed(d.build(self.dir)))
        self.assertEqual(got, [want for _, _, want in rows])


if __name__ == '__main__':
    unittest.main()
