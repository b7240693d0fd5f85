#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sources that were answered wrongly once, each with the value that the code has there."""
import os
import re
import unittest

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
        self.assertRegex(dwarf, r'DW_OP_const1s -2, DW_OP_stack_value')
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


if __name__ == '__main__':
    unittest.main()
