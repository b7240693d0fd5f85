#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Locations against the running program: tests/judge says how.

JUDGE_SEEDS=LOW-HIGH runs other and more generated programs than the two of the ordinary run.
"""
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '../judge'))
os.environ.setdefault('BTFLOCS', os.path.join(HERE, '../../build/btflocs'))
import judge as J
import matrix
import target


class Running(unittest.TestCase):
    def test_matrix(self):
        seeds = matrix.seeds(os.environ.get('JUDGE_SEEDS', '1-1'))
        programs = list(matrix.HAND) + [s for n in seeds for s in (n, -n)]
        total = matrix.judge_all(programs, matrix.ROWS, os.cpu_count() or 1)
        text, whole = matrix.table(total)
        print(text)
        self.assertEqual(whole.wrong, [])
        # a bool is a byte of 0 or 1, as it is read
        self.assertEqual(whole.n['dirty'], 0)
        self.assertGreaterEqual(whole.n['hit'], 1000)
        self.assertGreaterEqual(whole.n['right'], 2000)
        for row, verdict in total.items():
            with self.subTest(row=matrix.row_name(row)):
                # what is written by hand runs; generated programs have dead branches
                self.assertGreater(verdict.n['hit'], verdict.n['sites'] * 0.8)
                self.assertGreater(verdict.n['right'], 50)
        for kind in ('inline', 'guess', 'part', 'func'):
            self.assertGreater(whole.n['kind ' + kind], 0, kind)


def other_reg(loc):
    loc['reg'] = (loc['reg'] + 1) % 16


def further(loc):
    loc['offset'] = loc.get('offset', 0) + 8


def one_more(loc):
    loc['value'] = str(int(loc['value']) + 1)


def swapped(loc):
    loc['regs'] = loc['regs'][::-1]


def next_word(loc):
    loc['address'] = hex(int(loc['address'], 16) + 8)


class Corrupted(unittest.TestCase):
    """A judge that cannot say no is none: each kind of record, made wrong, is caught."""

    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        prog = matrix.Program('shapes')
        cls.truth = matrix.truth_of(prog, 'x86_64', cls.temp.name)
        src = os.path.join(cls.temp.name, 'shapes.c')
        with open(src, 'w') as f:
            f.write(prog.source)
        cls.exes = {}
        for comp in ('gcc', 'clang-19'):
            cls.exes[comp] = exe = os.path.join(cls.temp.name, comp)
            J.build(src, [comp], ['-O2'], exe)

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    def check(self, comp, corrupt, kinds, part=0.95):
        records = J.records_of(self.exes[comp])
        count = 0
        for r in records:
            for p in r['params']:
                if p['loc'] and p['loc']['kind'] in kinds:
                    corrupt(p['loc'])
                    count += r['func'] in self.truth.calls
        self.assertGreater(count, 0, 'nothing to corrupt')
        v = J.judge(self.exes[comp], records, self.truth)
        self.assertGreaterEqual(v.n['wrong'], part * count)
        self.assertEqual(len(v.wrong), v.n['wrong'])

    def test_good(self):
        for comp, exe in self.exes.items():
            v = J.judge(exe, J.records_of(exe), self.truth)
            self.assertEqual((v.n['wrong'], v.wrong), (0, []), comp)
            self.assertGreater(v.n['right'], 150)

    def test_register(self):
        for comp in self.exes:
            self.check(comp, other_reg, ('reg',), 0.9)    # another one may hold the same

    def test_offset(self):
        for comp in self.exes:
            self.check(comp, further, ('mem', 'regoff'))

    def test_constant(self):
        for comp in self.exes:
            self.check(comp, one_more, ('const',))

    def test_two_registers(self):
        self.check('gcc', swapped, ('regs',), 0.7)   # some have equal halves

    def test_address(self):
        self.check('gcc', next_word, ('addr', 'memaddr'))

    def test_convention(self):
        """gcc took a parameter out of isra2(): said to be where the convention puts them."""
        exe = self.exes['gcc']
        records = J.records_of(exe)
        moved = [r for r in records if r['kind'] == 'func' and r['func'] == 'isra2'][0]
        self.assertNotEqual(moved['loc_proto_id'], 0)
        moved['loc_proto_id'] = 0
        v = J.judge(exe, records, self.truth)
        self.assertGreaterEqual(v.n['wrong'], 1)
        self.assertTrue(all(' func isra2 ' in w for w in v.wrong), v.wrong)


if __name__ == '__main__':
    unittest.main()
