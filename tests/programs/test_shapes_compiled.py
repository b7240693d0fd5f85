#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What gcc and clang make of inputs/*.c, judged by the second reader and by gdb."""
import copy
import json
import os
import re
import subprocess
import sys
import unittest

from dwarf_asm import Dwarf
from shapes_common import BTFLOCS, HERE, SECOND_READER, ShapeTest

INPUTS = os.path.join(HERE, 'inputs')
PROGRAMS = ('mixed', 'chains', 'partial', 'wide', 'values')


class Compiled(ShapeTest):
    def build(self, compiler, program, *flags):
        with open(os.path.join(INPUTS, program + '.c')) as f:
            return self.compiled(compiler, f.read(), '-w', *flags, name=program)

    def judge(self, compiler, program, *flags, least=1):
        with self.subTest(compiler=compiler, program=program, flags=' '.join(flags)):
            path = self.build(compiler, program, *flags)
            records = self.records(path)
            self.assertGreaterEqual(len(records), least)
            self.second_reader(path)
            return records


class EveryLevel(Compiled):
    """Each program, both compilers, -O1 -O2 -O3 -Os: all sites as the second reader's."""

    def level(self, level):
        for compiler in ('gcc', 'clang'):
            for program in PROGRAMS:
                self.judge(compiler, program, level)

    def test_O1(self):
        self.level('-O1')

    def test_O2(self):
        self.level('-O2')

    def test_O3(self):
        self.level('-O3')

    def test_Os(self):
        self.level('-Os')


class Variants(Compiled):
    def each(self, flags, compilers=('gcc', 'clang'), programs=('mixed', 'chains')):
        for compiler in compilers:
            for program in programs:
                self.judge(compiler, program, '-O2', *flags)

    def test_dwarf_4(self):
        # .debug_loc, GNU_entry_value, GNU_call_site, GNU_convert
        self.each(['-gdwarf-4'], programs=PROGRAMS)

    def test_dwarf_64(self):
        self.each(['-gdwarf64'], ['gcc'])
        self.each(['-gdwarf64', '-gdwarf-4'], ['gcc'])

    def test_view_pairs_in_the_lists(self):
        self.each(['-gvariable-location-views=incompat5'], ['gcc'])

    def test_frame_pointer(self):
        self.each(['-fno-omit-frame-pointer'])

    def test_cf_protection_and_fentry(self):
        self.each(['-fcf-protection=full', '-mfentry', '-pg', '-c'])

    def test_relocatable_with_sections(self):
        self.each(['-c', '-ffunction-sections'])

    def test_lto(self):
        # the abstract instances stand in another unit
        self.each(['-flto'], ['gcc'])
        self.each(['-flto', '-fuse-ld=lld'], ['clang'])

    def test_kernel_code_model(self):
        self.each(['-c', '-mcmodel=kernel', '-mno-sse', '-fno-pic'], programs=['chains'])

    def test_32_bit(self):
        self.each(['-c', '-m32'], programs=['chains', 'partial'])

    def test_no_views(self):
        """Without views the same values or none, at the sites that stay where they are.

        changed() and sink() are among them: there the parameter has another value in a
        later view of the entry address, and without views the list names that one alone.
        """
        lost = same = 0
        for program in ('mixed', 'chains'):
            with_views = self.judge('gcc', program, '-O2')
            without = self.judge('gcc', program, '-O2', '-gno-variable-location-views')
            right = {x[:3]: x[3] for x in map(self.simple, with_views)}
            for off, kind, func, params in map(self.simple, without):
                if (off, kind, func) not in right:
                    continue
                for name, loc in params.items():
                    want = right[off, kind, func][name]
                    self.assertIn(loc, (None, want), (program, off, func, name))
                    lost += loc is None and want is not None
                    same += loc is not None
        self.assertGreater(lost, 0, 'nothing needs views')
        self.assertGreater(same, 0)

    def test_gc_sections(self):
        # lld writes tombstones into the DWARF of functions that nobody calls
        with open(os.path.join(INPUTS, 'chains.c')) as f:
            text = f.read() + '''
static inline int dropped(int v) { sink(v); return v + 1; }
int nobody_calls(int v) { return dropped(v) * 3; }
'''
        for version in ('-gdwarf-4', '-gdwarf-5'):
            with self.subTest(version=version):
                path = self.compiled('clang', text, '-O2', version, '-ffunction-sections',
                                     '-fuse-ld=lld', '-Wl,--gc-sections')
                self.assertNotIn('nobody_calls', self.run_tool('nm', path))
                records = self.records(path)
                self.assertTrue(records)
                self.assertNotIn('dropped', {r['func'] for r in records})
                self.second_reader(path)

    def test_split_dwarf(self):
        """Read, or one clear error; never an empty section with status 0."""
        path = self.build('gcc', 'chains', '-O2', '-gsplit-dwarf')
        run = subprocess.run([BTFLOCS, 'encode', path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, cwd=self.dir)
        if run.returncode == 2:
            self.assertTrue(run.stderr.startswith('btflocs: %s: ' % path), run.stderr)
            self.assertEqual(run.stderr.count('\n'), 1, run.stderr)
        else:
            self.assertEqual(run.returncode, 0)
            listed = json.loads(self.run_tool(BTFLOCS, 'list', '-j', path))
            self.assertGreaterEqual([r['func'] for r in listed].count('id'), 3)


class Kinds(Compiled):
    def test_partial_inlining(self):
        # three calls of done(), each with a head and a rest, which is no call
        records = self.judge('gcc', 'parts', '-O2', '-c')
        kinds = sorted(r['kind'] for r in records if r['func'] == 'done')
        self.assertEqual(kinds, ['inline'] * 3 + ['part'] * 3)

    def test_partial_says_that_it_is_called_out_of_line_too(self):
        text = '''extern void sink(long);
int both(int v) { sink(v); return v + 1; }
static inline __attribute__((always_inline)) int only(int v) { sink(v); return v + 2; }
int user(int v) { return both(v) + only(v); }
void sink(long v) { asm volatile("" :: "r"(v)); }
int main(int argc, char **argv) { return user(argc); }
'''
        records = self.records(self.compiled('gcc', text, '-O3'))
        said = {(r['func'], r['partial']) for r in records}
        self.assertIn(('both', True), said)
        self.assertIn(('only', False), said)

    def test_address_is_the_instruction_that_the_label_marks(self):
        text = '''extern void sink(long);
static inline __attribute__((always_inline)) void here(long v)
{ asm volatile("here_label: nop" :: "r"(v)); sink(v); }
__attribute__((noinline)) void user(long v, long w) { sink(w); here(v); sink(w); }
void sink(long v) { asm volatile("" :: "r"(v)); }
int main(int argc, char **argv) { user(argc, 2); return 0; }
'''
        for compiler in ('gcc', 'clang'):
            with self.subTest(compiler=compiler):
                path = self.compiled(compiler, text, '-O2', '-fno-pie', '-no-pie')
                label = re.search(r'^([0-9a-f]+) \w here_label$',
                                  self.run_tool('nm', path), re.M).group(1)
                at = [int(r['address'], 16) for r in self.records(path)
                      if r['func'] == 'here']
                self.assertEqual(at, [int(label, 16)])


class TheJudge(Compiled):
    """The second reader must see each kind of mistake; else its word is worth nothing."""

    def verdict(self, path, records):
        # a line a record and no spaces, as btflocs prints them
        lines = ',\n'.join(json.dumps(r, separators=(',', ':')) for r in records)
        name = self.source('changed.json', '[' + lines + ']')
        run = subprocess.run([sys.executable, SECOND_READER, path, '--all-units',
                              '--json', name], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        self.assertIn(run.returncode, (0, 1), run.stdout)
        return run.returncode, run.stdout

    def test_mistakes(self):
        path = self.build('gcc', 'mixed', '-O2')
        right = self.records(path)
        self.assertEqual(self.verdict(path, right)[0], 0)
        user = [i for i, r in enumerate(right) if r['func'] == 'scalars'][0]
        const = next(i for i, p in enumerate(right[user]['params'])
                     if p['loc'] and p['loc']['kind'] == 'const')
        inreg = next(i for i, p in enumerate(right[user]['params'])
                     if p['loc'] and p['loc']['kind'] == 'reg')

        def param(i, **changes):
            def change(records):
                records[user]['params'][i]['loc'].update(changes)
            return change

        def null(records):
            records[user]['params'][inreg]['loc'] = None

        def guess(records):
            lost = next(p for r in records for p in r['params'] if p['loc'] is None)
            lost['loc'] = {'kind': 'reg', 'reg': 0, 'name': 'ax', 'size': 8,
                           'signed': True}

        mistakes = {
            'a record lost': lambda r: r.pop(user),
            'a record twice': lambda r: r.insert(user, r[user]),
            'another function': lambda r: r[user].update(func='others'),
            'another kind': lambda r: r[user].update(kind='guess'),
            'another place': lambda r: r[user].update(offset=r[user]['offset'] + 1),
            'another section': lambda r: r[user].update(section='.text.hot'),
            'another order': lambda r: r[user]['params'].reverse(),
            'a parameter lost': lambda r: r[user]['params'].pop(),
            'another constant': param(const, value='-56'),
            'a constant of another size': param(const, size=4),
            'another register': param(inreg, reg=9, name='r9'),
            'another name of the register': param(inreg, name='r9'),
            'another sign': param(inreg, signed=not right[user]['params'][inreg]['loc'][
                'signed']),
            'a value left out': null,
            'a value made up': guess,
        }
        for what, change in mistakes.items():
            with self.subTest(what):
                records = copy.deepcopy(right)
                change(records)
                status, said = self.verdict(path, records)
                self.assertEqual(status, 1, said)
                self.assertIn('DIFFERENCE', said)

    def test_inner_before_outer(self):
        d = Dwarf()
        user = d.func('user', 16)
        outer = d.site(user, d.inline_func('outer', []), 'user+4', 'user+8')
        d.site(outer, d.inline_func('inner', []), 'user+4', 'user+8')
        path = d.build(self.dir)
        records = self.records(path)
        self.assertEqual(self.verdict(path, records)[0], 0)
        self.assertEqual(self.verdict(path, records[::-1])[0], 1)


# What values.c calls its inlined functions with, after conversion to the type. A pair:
# the address of target[] plus that many bytes, or the words of a struct.
BIG = 0x123456789abcdef
VALUES = {
    'scalars': dict(a=-5, b=200, c=BIG, d=4464, e=1),      # (short)70000 = 4464
    'narrowed': dict(a=4464, b=-56, c=0xfffffffb),         # (signed char)200 = -56
    'pointers': dict(p=('target', 12), q=('target', 20), off=12),
    'pairs': dict(s=('words', -5, 200), t=BIG),
    'inner': dict(a=-5),
    'outer': dict(a=-5, b=200),
}
GDB_REGS = ('rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip').split()


def gdb_word(loc, offset=0):
    """gdb's expression for the (first, or at @offset) word of a location."""
    kind = loc['kind']
    if kind == 'const':
        return '(unsigned long)%du' % (int(loc['value']) & 0xffffffffffffffff)
    if kind == 'regs':
        return '(unsigned long)$%s' % GDB_REGS[loc['regs'][offset // 8]]
    if kind in ('addr', 'memaddr'):
        place = '%#x' % loc['address']
    else:
        place = '((unsigned long)$%s+(%d))' % (GDB_REGS[loc['reg']], loc.get('offset', 0))
    if kind in ('mem', 'memaddr'):
        unsigned = {1: 'unsigned char', 2: 'unsigned short', 4: 'unsigned int'}
        word = unsigned.get(loc['size'], 'unsigned long')
        return '(unsigned long)*(%s *)(%s+%d)' % (word, place, offset)
    return '(unsigned long)%s' % place


class UnderGdb(Compiled):
    """The program runs; at every site the values that the records name are read."""

    def run_gdb(self, path, records):
        lines = ['set pagination off', 'set confirm off', 'set breakpoint pending off']
        for i, (record, params) in enumerate(records):
            words, names = [], []
            for name, loc in params.items():
                if loc is not None:
                    words += [gdb_word(loc, k) for k in range(0, max(loc['size'], 1), 8)]
                    names.append(name)
            lines += ['break *%s' % record['address'], 'commands', 'silent',
                      'printf "SITE %d' % i + ' %lx' * len(words) + '\\n"' +
                      ''.join(', ' + w for w in words), 'continue', 'end']
        script = self.source('script.gdb', '\n'.join(lines + ['run', 'quit']) + '\n')
        said = self.run_tool('gdb', '-nx', '-batch', '-x', script, path,
                             stdin=subprocess.DEVNULL)
        return [(int(i), [int(x, 16) for x in words.split()])
                for i, words in re.findall(r'^SITE (\d+)((?: [0-9a-f]+)*)$', said, re.M)]

    def values(self, compiler, level, bools=0):
        """Each function needs its parameters in registers at its first instruction, or they
        are constants: each is named, and right.

        @bools: that are not named. In from_memory() and from_arguments() gcc keeps one in a
        register of which the rest may be anything, unless the code goes by its byte: at -O2
        the latter begins with `movzbl %bl,%ebx`.
        """
        path = self.build(compiler, 'values', level, '-fno-pie', '-no-pie')
        target = int(re.search(r'^([0-9a-f]+) \w target$', self.run_tool('nm', path),
                               re.M).group(1), 16)
        records = [(r, self.simple(r)[3]) for r in self.records(path)
                   if r['func'] in VALUES]
        hits = self.run_gdb(path, records)
        self.assertEqual({i for i, _ in hits}, set(range(len(records))), 'a site not hit')
        none = sorted((r['func'], name) for r, params in records
                      for name, loc in params.items() if loc is None)
        self.assertEqual(none, [('scalars', 'e')] * bools)
        for i, words in hits:
            record, params = records[i]
            for name, loc in params.items():
                if loc is None:
                    continue
                count = (loc['size'] + 7) // 8
                got, words = words[:count], words[count:]
                want = VALUES[record['func']][name]
                self.one(record, name, loc, got, want, target)

    def one(self, record, name, loc, got, want, target):
        if isinstance(want, tuple) and want[0] == 'words':
            want = [w & 0xffffffffffffffff for w in want[1:]]
        else:
            if isinstance(want, tuple):
                want = target + want[1]
            bits = 8 * loc['size']
            value = got[0] & ((1 << bits) - 1)
            if loc.get('signed') and value >> (bits - 1):
                value -= 1 << bits
            got = value
        self.assertEqual(got, want, '%s of %s at %s: %s' % (name, record['func'],
                                                             record['address'], loc))

    def test_gcc_O2(self):
        self.values('gcc', '-O2', bools=1)

    def test_gcc_O1(self):
        self.values('gcc', '-O1', bools=2)

    def test_gcc_O3(self):
        self.values('gcc', '-O3', bools=1)

    def test_clang_O2(self):
        self.values('clang', '-O2')

    def test_clang_O1(self):
        self.values('clang', '-O1')


if __name__ == '__main__':
    unittest.main()
