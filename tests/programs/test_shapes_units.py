#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Units of several languages in one file, type units, and debug info in a file of its own."""
import json
import os
import re
import shutil
import subprocess
import unittest

from dwarf_asm import Dwarf
from shapes_common import BTFLOCS, HERE, ShapeTest, reg
from test_shapes_files import bad

PAHOLE_LOCS = os.environ.get('PAHOLE_LOCS', os.path.join(HERE, '../../build/pahole-locs'))
LANG_RUST = 0x1c

C_UNIT = '''
extern void sink(long);
static inline __attribute__((always_inline)) long twice(long v) { sink(v); return v + v; }
__attribute__((noinline)) long user(long x) { return twice(x) + 1; }
void sink(long v) { asm volatile("" :: "r"(v)); }
'''
CPLUS_UNIT = '''
namespace n {
	struct box { int v; int get(int k) const { return v + k; } };
	struct far { long a, b, c; };
}
template <typename T> static inline T twist(T a, T b) { return a * 3 + b; }
extern "C" void sink(long);
static inline __attribute__((always_inline)) long big(const n::far *f, n::far by)
{ sink(by.b); return f->c; }
extern "C" long cplus(n::box *b, long x, const n::far *f)
{ sink(b->get(4)); return twist<long>(x, 2) + big(f, *f); }
'''
C, CPLUS, RUST = {'twice'}, {'get', 'twist<long int>', 'big'}, {'area<i64>'}


class Languages(ShapeTest):
    """`ld -r` of a C, a C++, a Rust and an assembly unit."""

    def setUp(self):
        super().setUp()
        for name, text, tool in (('c.c', C_UNIT, 'gcc'), ('p.cc', CPLUS_UNIT, 'g++')):
            self.run_tool(tool, '-g', '-O2', '-c', self.source(name, text), '-o',
                          name + '.o')
        self.run_tool('as', '-g', self.source('r.s', '.text\nlone: nop\n ret\n'), '-o',
                      'asm.o')
        self.path = self.dir + '/all.o'
        # C++ first: its units must not hide what follows
        self.run_tool('ld', '-r', 'p.cc.o', self.rust(), 'asm.o', 'c.c.o', '-o', self.path)
        self.run_tool('pahole', '-J', '--lang_exclude=rust,c++14', self.path)

    def rust(self):
        """A unit as rustc writes it: generic names, and no DW_AT_prototyped."""
        d = Dwarf()
        d.cu.attrs['language'] = LANG_RUST
        i64 = d.base('i64', 8, 'signed')
        area = d.die('subprogram', name='area<i64>', inline=1, decl_file=1, decl_line=3)
        d.die('formal_parameter', area, name='k', type=i64)
        outer = d.func('rusty', 32)
        self.rust_site = d.site(outer, area, 'rusty+4', 'rusty+8')
        d.param(self.rust_site, area.param('k'), 'reg3')
        return d.assemble(self.dir)

    def names(self, *flags):
        out = self.dir + '/out'
        self.run_tool(BTFLOCS, 'encode', *flags, '-o', out, self.path)
        said = self.run_tool(BTFLOCS, 'list', '-B', self.path, out)
        return set(re.findall(r' (?:inline|guess) (.*?)\(', said)) - {'sink'}

    def test_by_language(self):
        self.assertEqual(self.names(), C | CPLUS | RUST)
        self.assertEqual(self.names('--lang_exclude', 'rust'), C | CPLUS)
        self.assertEqual(self.names('--lang_exclude', 'rust,c++14'), C)
        self.assertEqual(self.names('--lang_exclude', 'c11,asm'), CPLUS | RUST)
        self.assertEqual(self.names('--lang', 'rust'), RUST)
        self.assertEqual(self.names('--lang', 'c11,rust'), C | RUST)
        self.assertEqual(self.names('--lang', 'asm'), set())

    def test_the_c_unit_is_right_beside_them(self):
        records = self.records(self.path, '--lang_exclude', 'rust,c++14')
        self.second_reader(self.path, '--lang', 'DW_LANG_C11')
        user = int(re.search(r'^([0-9a-f]+) T user$', self.run_tool('nm', self.path),
                             re.M).group(1), 16)
        got = [self.simple(r) for r in records if r['func'] == 'twice']
        self.assertEqual(len(got), 1)
        off, kind, _, params = got[0]
        # user() calls twice(x) with its own x, and does nothing before it
        self.assertTrue(user <= off < user + 8)
        self.assertEqual((kind, params), ('inline', {'v': reg(5, 8, True)}))

    def test_all_of_them_are_right(self):
        self.records(self.path)
        self.second_reader(self.path)

    def test_pahole_locs_says_the_same(self):
        copy = shutil.copy(self.path, self.dir + '/copy.o')
        self.run_tool(PAHOLE_LOCS, '-J', '--lang_exclude=rust,c++14',
                      '--btf_features=inline_locs', copy)
        self.records(self.path, '--lang_exclude', 'rust,c++14')
        said = [self.run_tool(BTFLOCS, 'list', path) for path in (copy, self.path)]
        self.assertEqual(*said)
        self.assertIn('twice', said[0])
        self.assertNotIn('twist', said[0])


class TypeUnits(ShapeTest):
    """The parameters' types are in units of their own; what is read does not change."""

    MAIN = '''
namespace n { struct box; struct far { long a, b, c; }; }
extern "C" void sink(long v) { asm volatile("" :: "r"(v)); }
extern "C" long cplus(n::box *, long, const n::far *);
int main(int argc, char **) { int b = 3; n::far f = { argc, 2, 3 };
	return cplus((n::box *)&b, 4, &f); }
'''

    def listed(self, path, base):
        """The records of a file on the .BTF of another, and where their JSON is."""
        out = path + '.locs'
        self.run_tool(BTFLOCS, 'encode', '-B', base, '-o', out, path)
        # a parameter's type is what DW_AT_type leads to
        self.assertRegex(self.run_tool(BTFLOCS, 'list', '-B', base, 'get', out),
                         r'const struct box \*(const )?this')
        name = self.source('said.json', self.run_tool(BTFLOCS, 'list', '-j', '-B', base, out))
        with open(name) as f:
            return [self.simple(r) for r in json.load(f) if r['kind'] != 'func'], name

    def test_g_plus_plus(self):
        # pahole 1.24 cannot read clang's type units: its .BTF is the plain program's
        files = [self.source('a.cc', CPLUS_UNIT), self.source('b.cc', self.MAIN)]
        for compiler in ('g++', 'clang++-14', 'clang++-19', 'clang++-22'):
            for version in ('-gdwarf-4', '-gdwarf-5'):
                with self.subTest(compiler=compiler, version=version):
                    plain, units = self.dir + '/plain', self.dir + '/units'
                    cmd = [compiler, '-g', '-O2', version, *files]
                    self.run_tool(*cmd, '-o', plain)
                    self.run_tool(*cmd, '-fdebug-types-section', '-o', units)
                    self.run_tool('pahole', '-J', plain)
                    self.assertIn('DW_TAG_type_unit', self.run_tool(
                        'readelf', '-W', '--debug-dump=abbrev', units))
                    want, _ = self.listed(plain, plain)
                    got, said = self.listed(units, plain)
                    self.assertTrue({'get', 'big'} <= {name for _, _, name, _ in want})
                    self.assertEqual(got, want)
                    self.second_reader(units, '--json', said)

    def test_relocatable(self):
        """gcc puts each type unit into a section group of its own, which elfutils 0.188
        does not look into: what needs such a type may be missing, but none may differ."""
        src = self.source('a.cc', CPLUS_UNIT)
        for version in ('-gdwarf-4', '-gdwarf-5'):
            with self.subTest(version=version):
                got = []
                for flags in ((), ('-fdebug-types-section',)):
                    path = self.dir + '/unit.o'
                    self.run_tool('g++', '-g', '-O2', version, *flags, '-c', src, '-o', path)
                    self.run_tool('pahole', '-J', path)
                    got.append({(r['section'], r['offset'], r['func']): self.simple(r)[3]
                                for r in self.records(path)})
                plain, grouped = got
                self.assertIn('twist<long int>', {func for _, _, func in grouped})
                for key, params in grouped.items():
                    for name, loc in params.items():
                        self.assertIn(loc, (None, plain[key][name]), (key, name))


class Stripped(ShapeTest):
    TEXT = C_UNIT + '''
static inline __attribute__((always_inline)) void local(long *p) { sink(*p); *p = 4; }
extern void psink(long *);
void psink(long *p) { asm volatile("" :: "r"(p) : "memory"); }
int main(int argc, char **argv) { long l = argc; psink(&l); local(&l); return user(l); }
'''

    def test_only_keep_debug(self):
        """Sections without contents: the same records, and the same of their parameters, but
        for what is read out of .eh_frame and what the code itself is asked for."""
        path = self.compiled('gcc', self.TEXT, '-O2')
        debug = self.dir + '/prog.debug'
        self.run_tool('objcopy', '--only-keep-debug', path, debug)
        self.assertRegex(subprocess.run(['readelf', '-SW', debug], text=True,
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL).stdout,
                         r'\.text +NOBITS')
        whole, alone = ([self.simple(r) for r in self.records(x)] for x in (path, debug))
        self.assertEqual([x[:3] for x in alone], [x[:3] for x in whole])
        self.assertIn('twice', {x[2] for x in alone})
        lost = {}
        for (*_, func, left), (*_, right) in zip(alone, whole):
            for name, loc in right.items():
                if left[name] != loc:
                    self.assertIsNone(left[name])
                    lost[func, name] = loc['kind'], loc['reg']
        # &l, which is the CFA - 16: rsp + 8; l, by a list that begins with sink(*p): whether
        # it has been stored there only the code tells
        self.assertEqual(lost, {('psink', 'p'): ('regoff', 7), ('sink', 'v'): ('mem', 0)})

    def test_stripped(self):
        path = self.compiled('gcc', self.TEXT, '-O2')
        self.records(path)
        for tool in (('strip', '-g'), ('eu-strip',)):
            with self.subTest(tool=tool):
                copy = shutil.copy(path, self.dir + '/stripped')
                self.run_tool(*tool, copy)
                self.assertRegex(bad(self, copy), 'no debug info')
                if tool[0] == 'strip':
                    # what was written before it stays readable
                    self.assertEqual(self.run_tool(BTFLOCS, 'list', copy),
                                     self.run_tool(BTFLOCS, 'list', path))

    def test_as_pahole_does(self):
        # pahole leaves a file without debug info alone; pahole-locs with its status
        path = self.compiled('gcc', self.TEXT, '-O2')
        self.run_tool('strip', '-g', path)
        self.run_tool('objcopy', '--remove-section=.BTF', path)
        with open(path, 'rb') as f:
            before = f.read()
        status = [subprocess.run([*cmd, path], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL).returncode
                  for cmd in (['pahole', '-J'],
                              [PAHOLE_LOCS, '-J', '--btf_features=inline_locs'])]
        self.assertEqual(*status)
        with open(path, 'rb') as f:
            self.assertEqual(f.read(), before)


if __name__ == '__main__':
    unittest.main()
