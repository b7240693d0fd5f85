#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Records of functions out of line in what gcc and clang compile.

Where a function stands is nm's word; where its parameters are is worked out from the
source and the calling convention (rdi 5, rsi 4), as the comments in the inputs say.
"""
import os
import re
import unittest

from shapes_common import HERE, ShapeTest, const, reg

INPUTS = os.path.join(HERE, 'inputs')
COMPILERS = ('gcc', 'clang-14', 'clang-16', 'clang-19', 'clang-22')
FIRST, ANSWER = reg(5, 8, True), const(42, 8, True)
CLONES = {
    'clone': {'p': reg(5, 8), 'unused': None, 'k': ANSWER},
    'dropped': {'unused': None, 'x': FIRST},
    'always42': {'x': FIRST, 'k': ANSWER},
}
KEPT = {
    'event_read': {'e': FIRST, 'group': reg(4, 4, True)},
    'taken': {'v': FIRST, 'w': reg(4, 4, True)},
    'user': {'p': reg(5, 8), 'x': reg(4, 8, True)},
}


class CompiledFuncs(ShapeTest):
    def build(self, compiler, *flags):
        with open(os.path.join(INPUTS, 'clones.c')) as f:
            return self.compiled(compiler, f.read(), '-c', *flags, name='clones')

    def symbols(self, path):
        """(name without a suffix, value) -> name, of the functions."""
        found = re.findall(r'^([0-9a-f]+) [tT] ((\w+)(?:\.\S+)?)$',
                           self.run_tool('nm', path), re.M)
        return {(plain, int(value, 16)): name for value, name, plain in found
                if not name.endswith('.cold')}

    def funcs(self, path, *flags):
        return [r for r in self.all_records(path, *flags) if r['kind'] == 'func']

    def each(self, check, *flags):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler, flags=flags):
                path = self.build(compiler, *flags)
                check(compiler, path, self.symbols(path))


class Clones(CompiledFuncs):
    def clones(self, compiler, path, symbols):
        got, located = {}, []
        for record in self.funcs(path):
            off, _, name, params = self.simple(record)
            self.assertIn((name, off), symbols)
            got[name] = params
            if compiler == 'gcc' and name in CLONES:
                # the input has the shape; the record has the name of the DWARF
                self.assertRegex(symbols[name, off], r'\.(constprop|isra)\.')
        for name, want in CLONES.items():
            self.right(compiler, got[name], want)
            if name == 'dropped':
                located.append(got[name]['x'])
        # what keeps its signature needs no record, unless nothing says that it does
        for name in {'event_read', 'taken'} & set(got):
            self.assertNotEqual(compiler, 'gcc')
            self.right(compiler, got[name], KEPT[name])
        return located

    def right(self, compiler, got, want):
        """clang's locations have no views: one that may be a later view's is left out."""
        self.assertEqual(list(got), list(want))
        for name, loc in got.items():
            left_out = compiler != 'gcc' and loc is None
            self.assertTrue(left_out or loc == want[name], (name, loc))

    def test_O2(self):
        self.each(lambda *args: self.assertEqual(self.clones(*args), [FIRST]), '-O2')

    def test_Os(self):
        self.each(self.clones, '-Os')

    def test_dwarf_4(self):
        self.each(self.clones, '-O2', '-gdwarf-4')

    def test_fentry(self):
        self.each(self.clones, '-O2', '-mfentry', '-pg')

    def test_cf_protection(self):
        self.each(self.clones, '-O2', '-fcf-protection=full')


class Kept(CompiledFuncs):
    def kept(self, compiler, path, symbols, sure=True):
        """event_read() and taken() keep to the convention, wherever they are later on."""
        records = {r['func']: r for r in
                   self.funcs(path, '--features', 'inline_locs,func_addrs')}
        # every function of the file, each where nm has it
        self.assertEqual({(r['func'], r['offset']) for r in records.values()},
                         set(symbols))
        for name, want in KEPT.items():
            record = records[name]
            self.assertEqual([p['name'] for p in record['params']], list(want))
            if record['loc_proto_id']:
                # clang says of none of them whether it is passed
                self.assertNotEqual(compiler, 'gcc')
                for param, loc in self.simple(record)[3].items():
                    self.assertIn(loc, (None, want[param]), (name, param))
        # the one whose locations are registers and entry values conforms
        if sure:
            self.assertEqual(records['event_read']['loc_proto_id'], 0)

    def test_O2(self):
        self.each(self.kept, '-O2')

    def test_O0(self):
        # every parameter's location is a slot that the prologue fills
        self.each(lambda *args: self.kept(*args, sure=False), '-O0')

    def test_fentry(self):
        self.each(self.kept, '-O2', '-mfentry', '-pg')

    def test_cf_protection(self):
        self.each(self.kept, '-O2', '-fcf-protection=full')


class SameName(ShapeTest):
    def test_two_static_functions(self):
        """helper() of unit_a.c and of unit_b.c: two FUNCs, told apart by the address."""
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                path = os.path.join(self.dir, 'units-' + compiler)
                self.run_tool(compiler, '-g', '-O2', '-w', INPUTS + '/unit_a.c',
                              INPUTS + '/unit_b.c', '-o', path)
                self.run_tool('pahole', '-J', path)
                at = {int(x, 16) for x in re.findall(r'^([0-9a-f]+) t helper(?:\.\S+)?$',
                                                     self.run_tool('nm', path), re.M)}
                self.assertEqual(len(at), 2)
                records = {int(r['address'], 16): r for r in self.all_records(path)
                           if r['func'] == 'helper' and r['kind'] == 'func'}
                self.assertEqual(set(records), at)
                for addr, record in records.items():
                    said = self.run_tool('addr2line', '-e', path, hex(addr))
                    want = ['v'] if 'unit_a.c' in said else ['text', 'p']
                    self.assertEqual([p['name'] for p in record['params']], want)
                self.assertEqual(len({r['func_id'] for r in records.values()}), 2)


if __name__ == '__main__':
    unittest.main()
