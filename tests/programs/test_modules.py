#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Relocatable files: sections and offsets of sites and of the addresses in their parameters.

What an address is in is told by the symbol of its relocation. Expected: the symbol's section
and value as readelf has them, and the source's offset; sites' places as llvm-dwarfdump prints
them of the file (../kernel/module_sites.py). Then what compilers do not write, by hand.
"""
import json
import os
import re
import subprocess
import sys
import time
import unittest

from dwarf_asm import Dwarf
from shapes_common import BTFLOCS, HERE, ShapeTest, addr, const, memaddr, plain_loc

KERNEL = os.path.join(HERE, '../kernel')
ADDRS = os.path.join(HERE, 'inputs/module_addrs.c')

# what module_addrs.c passes with each number: symbol and bytes, in longs and in bytes
PASSED = {1: ('first', 0), 2: ('second', 0), 3: ('third', 0), 4: ('zeros', 0),
          5: ('filled', 0), 11: ('first', 3), 12: ('second', 3), 13: ('third', 3),
          14: ('zeros', 3), 15: ('filled', 3), 21: ('first', 8), 22: ('second', 8),
          23: ('third', 8), 31: None, 32: None, 33: None, 41: ('plain', 0), 42: 'string',
          61: ('first', 0), 62: ('first', 0), 63: ('first', 0), 64: ('first', 0)}
# of symbols that are in no section: with -fcommon
COMMON = {51: None, 52: None}
NOT_COMMON = {51: ('common_one', 0), 52: ('common_one', 2)}
STRING = b'a string of its own\0'
SECTIONS = {'.text', '.init.text', '.exit.text', '.noinstr.text', '.text.unlikely'}


class ModuleTest(ShapeTest):
    def add_btf(self, path, objcopy='llvm-objcopy-19'):
        self.run_tool('pahole', '-J', path, env=dict(os.environ, LLVM_OBJCOPY=objcopy))

    def sections(self, path):
        """[(name, file offset, size)], by readelf."""
        out = []
        for line in self.run_tool('readelf', '-SW', path).splitlines():
            found = re.match(r' *\[ *\d+\] (\S*) +(\w+) +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) ', line)
            if found:
                out.append((found.group(1), int(found.group(3), 16), int(found.group(4), 16)))
        return out

    def symbols(self, path):
        """{name: (section, value)} of those that are in one."""
        names, out = [s[0] for s in self.sections(path)], {}
        if '' not in names:
            names.insert(0, '')
        for line in self.run_tool('readelf', '-sW', path).splitlines():
            f = line.split()
            if len(f) >= 8 and f[0][:-1].isdigit() and f[-2].isdigit():
                out[f[-1]] = names[int(f[-2])], int(f[1], 16)
        return out

    def places(self, path):
        """Every site is where llvm-dwarfdump says."""
        run = subprocess.run([sys.executable, os.path.join(KERNEL, 'module_sites.py'), path],
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(run.returncode, 0, run.stdout)
        nr = int(re.search(r': (\d+) sites, 0 differ', run.stdout).group(1))
        self.assertGreater(nr, 0)
        return nr

    def stat(self, path):
        return json.loads(self.run_tool(BTFLOCS, 'stat', '-j', path))


class Addresses(ModuleTest):
    """What compilers write for module_addrs.c."""

    def expected(self, path, passed, word):
        symbols, out = self.symbols(path), {}
        for k, what in passed.items():
            if what is None or what == 'string':
                out[k] = what
                continue
            section, value = symbols[what[0]]
            out[k] = section, value + what[1] * word
        return out

    def is_string(self, path, loc):
        (_, off, size), = [s for s in self.sections(path) if s[0] == loc['section']]
        self.assertLess(loc['address'], size)
        with open(path, 'rb') as f:
            f.seek(off + loc['address'])
            return f.read(len(STRING)) == STRING

    def judge(self, path, passed, word, sure):
        """@sure: numbers of those whose addresses the compiler is known to tell."""
        records = [r for r in self.records(path) if r['func'] == 'at']
        self.assertEqual(self.places(path), len(records))
        want, seen = self.expected(path, passed, word), {}
        for r in records:
            loc = {p['name']: plain_loc(p['loc']) for p in r['params']}
            self.assertEqual(loc['k'] and loc['k']['kind'], 'const', r)
            seen.setdefault(int(loc['k']['value']), []).append((r['section'], loc['p']))
        self.assertEqual(set(seen), set(want))
        for k, found in seen.items():
            for _, p in found:
                if p is None and k not in sure:
                    continue
                if want[k] == 'string':
                    self.assertTrue(self.is_string(path, p), (k, p))
                elif want[k] is None:
                    self.assertIsNone(p, k)
                else:
                    section, offset = want[k]
                    self.assertEqual(p, addr(offset, word, section), k)
        self.assertEqual(run_check(path), 0)
        return seen

    def each(self, word, compiler, *flags, objcopy='llvm-objcopy-19', common=(), unsure=()):
        """clang forgets a variable that is the address of another, where it can; @unsure: what
        gcc does not tell, either."""
        sure = () if compiler.startswith('clang') else set(PASSED) - set(unsure)
        out = os.path.join(self.dir, 'addrs.o')
        for more, passed in (((), NOT_COMMON), (('-fcommon',), COMMON), *common):
            for dwarf in ('-gdwarf-4', '-gdwarf-5'):
                with self.subTest(compiler=compiler, flags=(*flags, *more, dwarf)):
                    self.run_tool(*compiler.split(), '-O2', '-ffreestanding', dwarf, *flags,
                                  *more, '-c', ADDRS, '-o', out)
                    self.add_btf(out, objcopy)
                    seen = self.judge(out, {**PASSED, **passed}, word, sure)
                    self.assertLessEqual(SECTIONS - {'.text'}, {
                        s for found in seen.values() for s, _ in found})
        return out

    def test_gcc(self):
        self.each(8, 'gcc', '-fno-pic', '-mcmodel=kernel', '-mno-sse')
        self.each(8, 'gcc', '-fPIC', '-gz', common=[(('-fdata-sections', '-ffunction-sections'),
                                                     NOT_COMMON)])

    def test_compressed(self):
        """.zdebug_info, as it was done before SHF_COMPRESSED; pahole cannot read it."""
        got = []
        for how in ('none', 'zlib', 'zlib-gnu'):
            out = os.path.join(self.dir, how + '.o')
            self.run_tool('gcc', '-O2', '-g', '-ffreestanding', '-gz=' + how, '-c', ADDRS, '-o',
                          out)
            names = [s[0] for s in self.sections(out)]
            self.assertEqual('.zdebug_info' in names, how == 'zlib-gnu')
            if how == 'none':
                self.add_btf(out)
                base = out
            locs = os.path.join(self.dir, how)
            self.run_tool(BTFLOCS, 'encode', '-B', base, '-o', locs, out)
            got.append(self.run_tool(BTFLOCS, 'list', '-B', base, locs))
        self.assertIn('at(const void *p=.data.first+0x40, int k=21)', got[0])
        self.assertEqual(got[1:], got[:1] * 2)

    def test_clang(self):
        for version in (14, 19, 22):
            self.each(8, 'clang-%d' % version, '-fno-pic')
        self.each(8, 'clang-19', '-ffunction-sections', '-fdata-sections', '-mcmodel=kernel',
                  '-mno-sse')

    def test_i386(self):
        """REL: the addend is what stands at the place."""
        self.each(4, 'gcc -m32', '-fno-pic')
        self.each(4, 'clang-19 --target=i686-linux-gnu', '-fno-pic')

    def test_arm(self):
        self.each(4, 'arm-linux-gnueabihf-gcc', '-mthumb',
                  objcopy='arm-linux-gnueabihf-objcopy', unsure=[41])
        self.each(4, 'clang-19 --target=arm-linux-gnueabihf')

    def test_aarch64(self):
        self.each(8, 'aarch64-linux-gnu-gcc', objcopy='aarch64-linux-gnu-objcopy',
                  unsure=[41])
        self.each(8, 'clang-19 --target=aarch64-linux-gnu')
        self.each(8, 'clang-19 --target=aarch64_be-linux-gnu')

    def test_s390(self):
        self.each(8, 's390x-linux-gnu-gcc', objcopy='s390x-linux-gnu-objcopy', unsure=[41])
        self.each(8, 'clang-19 --target=s390x-linux-gnu')

    def test_ppc64(self):
        self.each(8, 'clang-19 --target=powerpc64le-linux-gnu')

    def test_riscv(self):
        """Distances are pairs of relocations; of gcc's code nothing is believed there."""
        self.each(8, 'clang-19 --target=riscv64-linux-gnu')
        self.each(8, 'clang-19 --target=riscv64-linux-gnu', '-mno-relax')
        # as if another compiler had written it: one whose word is taken as it is
        text, out = os.path.join(self.dir, 'gcc.s'), os.path.join(self.dir, 'gcc.o')
        self.run_tool('riscv64-linux-gnu-gcc', '-O2', '-g', '-ffreestanding', '-S', ADDRS, '-o',
                      text)
        with open(text) as f:
            was = f.read()
        said, count = re.subn(r'"GNU C\d+ [^"]*"', '"other C 1.0"', was)
        self.assertEqual(count, 1)
        for believed, code in ((False, was), (True, said)):
            self.run_tool('riscv64-linux-gnu-gcc', '-c', self.source('r.s', code), '-o', out)
            self.assertIn('R_RISCV_SUB', self.run_tool('readelf', '-rW', out))
            self.add_btf(out, 'riscv64-linux-gnu-objcopy')
            if believed:
                self.judge(out, {**PASSED, **NOT_COMMON}, 8, set(PASSED) - {41})
                continue
            records = [r for r in self.records(out) if r['func'] == 'at']
            self.assertEqual(self.places(out), len(records))
            self.assertEqual(len(records), 24)
            self.assertTrue(all(p['loc'] is None for r in records for p in r['params']))

    def test_ld_r(self):
        """Two objects as one, as modules are: the second's addresses have moved."""
        for compiler, ld, word in (('gcc -fno-pic', 'ld', 8), ('clang-19 -fno-pic', 'ld', 8),
                                   ('clang-19 -fno-pic', 'ld.lld-19', 8),
                                   ('gcc -m32 -fno-pic', 'ld -m elf_i386', 4)):
            with self.subTest(compiler=compiler, ld=ld):
                other = self.source('other.c', '''
long before[5] = { 1 }; static long sparse[7]; long *volatile where;
__attribute__((section(".data.first"), used)) long head[4] = { 5 };
__attribute__((section(".init.text"))) void early(void) { where = sparse; }
''')
                parts = [os.path.join(self.dir, n) for n in ('one.o', 'two.o')]
                for src, part in zip((other, ADDRS), parts):
                    self.run_tool(*compiler.split(), '-g', '-O2', '-ffreestanding', '-c', src,
                                  '-o', part)
                out = os.path.join(self.dir, 'both.ko')
                self.run_tool(*ld.split(), '-r', *parts, '-o', out)
                self.add_btf(out)
                self.judge(out, {**PASSED, **NOT_COMMON}, word,
                           () if compiler.startswith('clang') else PASSED)
                self.assertGreaterEqual(self.symbols(out)['first'][1], 4 * word)
                self.second_reader(out)


def run_check(path):
    return subprocess.run([BTFLOCS, 'check', '-q', path], stdout=subprocess.DEVNULL).returncode


class ByHand(ModuleTest):
    """One relocation at a time, in each form and order of bytes."""

    DATA = '''
.section .data.a,"aw",%progbits
.globl a_obj
a_obj: .zero 32
.La32: .zero 32
.section .data.b,"aw",%progbits
b_obj: .zero 64
.section .empty,"aw",%progbits
.globl empty_obj
empty_obj:
.section .after,"aw",%progbits
after_obj: .zero 16
.section .data..percpu,"aw",%progbits
each_obj: .zero 16
.comm common_obj,16,4
.weak weak_obj
'''.split('\n')

    # the layout is nobody's business: this number may be in it
    LITERAL = 0x10000010

    def cases(self, word):
        """(expression or attribute, what it is for a pointer or an int)."""
        number = 'const%du' % word
        value = [
            ('addr a_obj', addr(0, word, '.data.a')),
            ('addr a_obj+8', addr(8, word, '.data.a')),
            ('addr .La32', addr(32, word, '.data.a')),
            ('addr .La32+4', addr(36, word, '.data.a')),
            ('addr a_obj+64', addr(64, word, '.data.a')),
            ('addr a_obj+65', None),
            ('addr a_obj-8', None),
            ('addr b_obj', addr(0, word, '.data.b')),
            ('addr b_obj-8', None),
            ('addr a_obj; plus_uconst 16', addr(16, word, '.data.a')),
            ('addr a_obj; const1u 16; plus', addr(16, word, '.data.a')),
            ('addr b_obj; const1u 1; minus', None),
            ('addr empty_obj', addr(0, word, '.empty')),
            ('addr empty_obj+1', None),
            ('addr after_obj', addr(0, word, '.after')),
            ('addr each_obj+4', addr(4, word, '.data..percpu')),
            ('addr outer+4', addr(4, word, '.text')),
            ('addr undef_obj', None),
            ('addr undef_obj+%d' % self.LITERAL, None),
            ('addr weak_obj', None),
            ('addr common_obj', None),
            ('addr %d' % self.LITERAL, None),
            ('addr a_obj; addr b_obj; minus', None),
            ('%s a_obj' % number, None),
            ('%s %d' % (number, self.LITERAL), const(self.LITERAL, word)),
            ('addrx 0', addr(8, word, '.data.b')),
            ('addrx 1', None),
            ('addrx 2', None),
        ]
        memory = [
            ('addr a_obj', memaddr(0, 4, '.data.a')),
            ('addr a_obj+60', memaddr(60, 4, '.data.a')),
            ('addr a_obj+61', None),
            ('addr a_obj+64', None),
            ('addr empty_obj', None),
            ('addr each_obj', None),
            ('addr undef_obj', None),
            ('addr a_obj; deref_size 4; stack_value', memaddr(0, 4, '.data.a')),
            ('addr a_obj; piece 2; addr a_obj+2; piece 2', memaddr(0, 4, '.data.a')),
            ('addr a_obj; piece 2; addr b_obj; piece 2', None),
            ('addrx 0', memaddr(8, 4, '.data.b')),
        ]
        return [(x + '; stack_value', loc) for x, loc in value], memory

    def hand(self, target, version=5):
        d = Dwarf(target, version)
        d.extra = list(self.DATA)
        d.addr_pool = ['b_obj+8', 'undef_obj', str(self.LITERAL)]
        d.cu.attrs['addr_base'] = ('sec_offset', '.Laddr')
        pointer, data = d.pointer(d.int), 'data%d' % d.word
        outer = d.func('outer', 512)
        want, at = {}, 0
        value, memory = self.cases(d.word)
        rows = [(pointer, {'location': x}, loc) for x, loc in value]
        rows += [(d.int, {'location': x}, loc) for x, loc in memory]
        rows += [(pointer, {'const_value': (data, 'a_obj')}, None),
                 (pointer, {'const_value': (data, 5)}, const(5, d.word)),
                 (pointer, {'const_value': ('addr', 'a_obj')}, None)]
        for i, (kind, attrs, loc) in enumerate(rows):
            f = d.inline_func('f%d' % i, [('p', kind)])
            at += 4
            site = d.site(outer, f, 'outer+%d' % at, 'outer+%d' % (at + 4))
            d.param(site, f.children[0], **attrs)
            want['f%d' % i] = at, loc, attrs
        return d, want

    def judge(self, target, version=5):
        with self.subTest(target=target, version=version):
            d, want = self.hand(target, version)
            path = d.assemble(self.dir)
            self.add_btf(path)
            records = {r['func']: r for r in self.records(path)}
            self.assertEqual(set(records), set(want))
            for func, (at, loc, attrs) in want.items():
                said = attrs.get('location', attrs)
                r = records[func]
                self.assertEqual((r['section'], r['offset']), ('.text', at))
                got = plain_loc(r['params'][0]['loc'])
                if got:
                    got.pop('signed', None)
                self.assertEqual(got, loc and {k: v for k, v in loc.items() if k != 'signed'}, said)
            # an undefined symbol and what is not of one place
            self.assertGreater(self.stat(path)['params_not_located']['address_outside'], 10)
            self.assertEqual(run_check(path), 0)

    def test_rela(self):
        for target in ('x86_64-linux-gnu', 'aarch64-linux-gnu', 'riscv64-linux-gnu',
                       'powerpc64le-linux-gnu'):
            self.judge(target)
        self.judge('x86_64-linux-gnu', 4)

    def test_rela_big_endian(self):
        for target in ('s390x-linux-gnu', 'aarch64_be-linux-gnu', 'powerpc64-linux-gnu'):
            self.judge(target)

    def test_rel(self):
        for target in ('i686-linux-gnu', 'arm-linux-gnueabihf', 'armeb-linux-gnueabihf'):
            self.judge(target)
            self.judge(target, 4)

    def test_order_of_relocations(self):
        """A table need not be in the order of the places."""
        d, want = self.hand('x86_64-linux-gnu')
        path = d.assemble(self.dir)
        self.add_btf(path)
        before = self.records(path)
        (_, off, size), = [s for s in self.sections(path) if s[0] == '.rela.debug_info']
        with open(path, 'r+b') as f:
            f.seek(off)
            table = f.read(size)
            rows = [table[i:i + 24] for i in range(0, size, 24)]
            self.assertGreater(len(rows), 50)
            f.seek(off)
            f.write(b''.join(rows[::-1]))
        self.assertEqual(self.records(path), before)


class Sections(ModuleTest):
    CODE = '''
volatile int sink;
static long far_data[4] __attribute__((section(".data.far"), used)) = { 1 };
static long far_next[4] __attribute__((section(".data.next"), used)) = { 1 };
static inline __attribute__((always_inline)) void at(void *p, int k) { sink = k; }
void f(void) { at(far_data, 1); }
void g(void) { at(far_data + 4, 2); }
void h(void) { at(far_next, 3); }
'''

    def test_many(self):
        """More sections than a symbol's 16 bits name (SHN_XINDEX)."""
        text = '__asm__(".macro one\\n.section .t.\\\\@,\\"ax\\",%progbits\\nnop\\n.endm\\n' \
            '.rept 66000\\none\\n.endr\\n.text\\n");\n' + self.CODE
        for compiler in ('gcc', 'clang-19'):
            with self.subTest(compiler=compiler):
                path = self.compiled(compiler, text, '-O2', '-c', '-ffunction-sections')
                begin = time.monotonic()
                records = self.records(path)
                self.assertLess(time.monotonic() - begin, 3)
                index = {line.split()[-1]: int(line.split()[-2]) for line in self.run_tool(
                    'readelf', '-sW', path).splitlines() if re.search(r' (f|far_data)$', line)}
                self.assertGreater(index['f'], 66000)
                self.assertGreater(index['far_data'], 66000)
                got = [(r['section'], self.simple(r)[3]['p']) for r in records]
                want = [addr(0, 8, '.data.far'), addr(32, 8, '.data.far'),
                        addr(0, 8, '.data.next')]
                # clang does not tell
                self.assertEqual(got, list(zip(('.text.f', '.text.g', '.text.h'),
                                               want if compiler == 'gcc' else [None] * 3)))
                self.assertEqual(run_check(path), 0)

    def test_one_name_for_several(self):
        """Nothing tells two sections of one name apart: no record is in either."""
        path = self.compiled('clang-19', self.CODE, '-O2', '-c', '-ffunction-sections',
                             '-fno-unique-section-names')
        names = [s[0] for s in self.sections(path) if s[2]]
        self.assertEqual(names.count('.text'), 3)
        self.assertEqual(self.all_records(path), [])
        self.assertEqual(self.stat(path)['sites_skipped'], {'section_name': 3})
        self.assertEqual(run_check(path), 0)

    def test_one_name_in_a_linked_file(self):
        """There it is the same: a record's offset counts from a section that has a name."""
        obj = os.path.join(self.dir, 'two.o')
        path = os.path.join(self.dir, 'two')
        script = self.source('two.lds', """SECTIONS { .code 0x400000 : { *(.text.a) }
.text 0x500000 : { *(.text) } .data : { *(.data*) } .bss : { *(.bss) } }
""")
        text = self.CODE
        for name, section in (('f', '.text.a'), ('g', '.text.b')):
            text = text.replace('void %s(' % name,
                                '__attribute__((section("%s"))) void %s(' % (section, name))
        self.run_tool('gcc', '-g', '-O2', '-fno-pic', '-c', self.source('two.c', text), '-o', obj)
        self.run_tool('ld', '-e', 'h', '-T', script, obj, '-o', path)
        self.run_tool('objcopy', '--rename-section', '.text.b=.code', path)
        self.run_tool('pahole', '-J', path)
        self.assertEqual([s[0] for s in self.sections(path)].count('.code'), 2)
        self.assertEqual([r['section'] for r in self.all_records(path)], ['.text'])
        self.assertEqual(self.stat(path)['sites_skipped'], {'section_name': 2})
        self.assertEqual(run_check(path), 0)

    def test_one_name_for_data(self):
        text = self.CODE + '''__attribute__((section(".init.text")))
void i(void) { at((void *)&sink, 4); }
'''
        # a second .data.far, by a group of its own
        text += '''__asm__(".section .data.far,\\"awG\\",@progbits,group,comdat\\n.zero 8\\n.text");
'''
        path = self.compiled('gcc', text, '-O2', '-c')
        self.assertEqual([s[0] for s in self.sections(path)].count('.data.far'), 2)
        got = {self.simple(r)[3]['k']['value']: (r['section'], self.simple(r)[3]['p'])
               for r in self.records(path)}
        sink = self.symbols(path)['sink']
        self.assertEqual(got, {'1': ('.text', None), '2': ('.text', None),
                               '3': ('.text', addr(0, 8, '.data.next')),
                               '4': ('.init.text', addr(sink[1], 8, sink[0]))})

    def test_long_name(self):
        """C++ has names of sections that are longer than a line."""
        name = '.text.' + 'long_' * 200
        path = self.compiled('gcc', self.CODE.replace(
            'void f(', '__attribute__((section("%s"))) void f(' % name), '-O2', '-c')
        self.assertEqual([r['section'] for r in self.records(path)], ['.text', '.text', name])
        self.assertEqual(run_check(path), 0)

    def test_no_symbol(self):
        """A number where an address should be, wherever the sections are laid out."""
        for number in (0x10000000, 0x10000008, 0x10000, 0x10008, 0):
            d = Dwarf()
            f = d.inline_func('f', [('a', d.int)])
            one = d.func('one', 64)
            d.func('two', 64, low_pc=('addr', hex(number)))
            for place in ('one+8', hex(number)):
                site = d.site(one, f, place)
                d.param(site, f.param('a'), const_value=('sdata', 3))
            path = d.build(self.dir, link=False)
            records = self.all_records(path, '--features', 'inline_locs,func_addrs')
            self.assertEqual([(r['kind'], r['func'], r['offset']) for r in records],
                             [('inline', 'f', 8), ('func', 'one', 0)])
            self.assertEqual(self.stat(path)['sites_skipped'], {'tombstone': 1})

    def test_code_at_the_end(self):
        """A call that left no instruction behind the last one of its section is in none; and
        not at the start of the next."""
        d = Dwarf()
        f = d.inline_func('f', [('a', d.int)])
        one = d.func('one', 16, section='.text.one')
        d.func('two', 16, section='.text.two')
        for place in ('one+16', 'one'):
            site = d.site(one, f, place)
            d.param(site, f.param('a'), const_value=('sdata', 3))
        path = d.build(self.dir, link=False)
        records = self.records(path)
        self.assertEqual([(r['section'], r['offset']) for r in records], [('.text.one', 0)])


if __name__ == '__main__':
    unittest.main()
