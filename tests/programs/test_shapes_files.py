#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Shapes of files: relocatable, compressed, other machines, several units, bad input."""
import hashlib
import os
import shutil
import struct
import subprocess
import unittest

from dwarf_asm import Dwarf, LocList
from shapes_common import BTFLOCS, ShapeTest, const, mem, reg, regs

NOBODY = 65534

# Two inlined calls, one of them of a function that is called out of line too.
PLAIN = '''
extern void sink(long);
static inline __attribute__((always_inline)) long twice(long v) { sink(v); return v + v; }
__attribute__((noinline)) long user(long x) { return twice(x) + 1; }
long other(long y) { return user(y) + twice(y); }
void sink(long v) { asm volatile("" :: "r"(v)); }
int main(int argc, char **argv) { return other(argc); }
'''


def sections(path):
    """Name -> (offset of the header, header's fields) of a 64-bit little-endian file."""
    with open(path, 'rb') as f:
        data = f.read()
    shoff, = struct.unpack_from('<Q', data, 0x28)
    size, num, strndx = struct.unpack_from('<HHH', data, 0x3a)
    heads = [struct.unpack_from('<IIQQQQIIQQ', data, shoff + i * size)
             for i in range(num)]
    names = data[heads[strndx][4]:]
    return {names[h[0]:names.index(b'\0', h[0])].decode(): (shoff + i * size, h)
            for i, h in enumerate(heads)}


def patch(path, off, data):
    with open(path, 'r+b') as f:
        f.seek(off)
        f.write(data)


def digest(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


class Relocatable(ShapeTest):
    """Addresses are section + offset, wherever libdwfl places the sections."""

    def test_offset_0_and_two_sections(self):
        d = Dwarf()
        f = d.inline_func('f', [('a', d.int)])
        one = d.func('one', 32)
        two = d.func('two', 32, section='.text.two', cfa=[(4, '.cfi_def_cfa_offset 48')])
        d.param(d.site(one, f, 'one', 'one+4'), f.param('a'), 'reg3')
        site = d.site(two, f, 'two', 'two+4')
        d.param(site, f.param('a'), LocList([('one', 'one+4', 'reg1'),
                                             ('two', 'two+4', 'reg2')]))
        site = d.site(two, f, 'two+8', 'two+12', GNU_entry_view=('data1', 1))
        d.param(site, f.param('a'), LocList([('two+8', 'two+8', 'fbreg -8')], [(0, 2)]))
        path = d.build(self.dir, link=False)
        records = self.check(path, [(0, 'inline', 'f', {'a': reg(3, 4, True)})])
        two = [(r['offset'], self.simple(r)[3]) for r in records
               if r['section'] == '.text.two']
        # CFA = rsp+48 from byte 4 on, minus 8
        self.assertEqual(two, [(0, {'a': reg(2, 4, True)}),
                               (8, {'a': mem(7, 40, 4, True)})])
        self.assertEqual({r['address'] for r in records}, {'0x0', '0x8'})

    def test_compiled(self):
        for compiler in ('gcc', 'clang'):
            for flags in ((), ('-ffunction-sections',), ('-gdwarf-4',)):
                with self.subTest(compiler=compiler, flags=flags):
                    path = self.compiled(compiler, PLAIN, '-O2', '-c', *flags)
                    records = self.records(path)
                    self.assertTrue(any(r['func'] == 'twice' for r in records))
                    self.second_reader(path)
                    if flags == ('-ffunction-sections',):
                        self.assertIn('.text.user', {r['section'] for r in records})

    def test_ld_r_of_two(self):
        a = self.source('a.c', PLAIN)
        b = self.source('b.c', PLAIN.replace('int main', 'int main2')
                        .replace('user', 'user2').replace('other', 'other2')
                        .replace('void sink', 'void sink2'))
        out = self.dir + '/both.o'
        for src in (a, b):
            self.run_tool('gcc', '-g', '-O2', '-c', src, '-o', src + '.o')
        self.run_tool('ld', '-r', a + '.o', b + '.o', '-o', out)
        self.run_tool('pahole', '-J', out)
        users = {s.split()[2]: int(s.split()[0], 16)
                 for s in self.run_tool('nm', out).strip().split('\n')}
        records = [r for r in self.records(out) if r['func'] == 'twice']
        for name in ('user', 'user2'):
            inside = [r for r in records if r['section'] == '.text' and
                      users[name] <= r['offset'] < users[name] + 4]
            self.assertEqual(len(inside), 1, name)
        self.second_reader(out)

    def test_past_the_end_of_a_section(self):
        # libdwfl puts .bss where .data ends: arr + 4 must not become .bss+0x0
        text = '''int arr[4] = { 1, 2, 3, 4 };
static int zeros[4];
extern void use(int *, int *), other(int *);
static inline __attribute__((always_inline)) void in(int *p, int *e) { use(p, e); }
void t(void) { in(arr, arr + 4); other(zeros); }
'''
        path = self.compiled('gcc', text, '-O2', '-c')
        records = [r for r in self.records(path) if r['func'] == 'in']
        self.assertEqual(len(records), 1)
        first, end = [p['loc'] for p in records[0]['params']]
        self.assertEqual((first['section'], first['address']), ('.data', '0x0'))
        if end is not None:
            self.assertEqual((end['section'], end['address']), ('.data', '0x10'))

    def test_wholly_in_the_cold_part(self):
        text = '''extern void sink(long);
static inline __attribute__((always_inline)) void unlucky(long v) { sink(v + 7); }
__attribute__((cold)) extern void warn(void);
long hot(long x) { if (__builtin_expect(x > 100, 0)) { warn(); unlucky(x); } return x; }
'''
        path = self.compiled('gcc', text, '-O2', '-c')
        records = self.records(path)
        self.assertEqual([(r['section'], r['func']) for r in records],
                         [('.text.unlikely', 'unlucky')])
        self.second_reader(path)

    def test_emit_relocs(self):
        # the relocations in the file are done already
        path = self.compiled('gcc', PLAIN, '-O2', '-Wl,--emit-relocs', '-no-pie')
        self.assertTrue(self.records(path))
        self.second_reader(path)


class Machines(ShapeTest):
    """Byte orders and word sizes; the register numbers are DWARF's for the machine."""

    def one(self, target, version=5, link=True, debug_frame=False):
        d = Dwarf(target, version)
        f = d.inline_func('f', [('a', d.int), ('b', d.u8), ('c', d.long)])
        outer = d.func('outer', 64, cfa=[(4, '.cfi_def_cfa_offset 192')])
        if debug_frame:
            d.code.insert(0, '.cfi_sections .debug_frame')
        site = d.site(outer, f, 'outer+4', 'outer+8', GNU_entry_view=('data1', 1))
        d.param(site, f.param('a'),
                LocList([('outer+4', 'outer+4', 'reg0'), ('outer+4', 'outer+4', 'reg3'),
                         ('outer+4', 'outer+8', 'reg1')], [(0, 1), (1, 3), (3, 0)]))
        d.param(site, f.param('b'), const_value=('sdata', -56))
        d.param(site, f.param('c'), 'fbreg -12')
        return d.build(self.dir, link=link), d

    def test_each(self):
        # CFA = stack pointer + 192 at outer+4, minus 12
        for target, sp, version, link in (
                ('x86_64-linux-gnu', 7, 5, True), ('i686-linux-gnu', 4, 4, True),
                ('aarch64-linux-gnu', 31, 5, True), ('aarch64_be-linux-gnu', 31, 4, True),
                ('armv7-linux-gnueabi', 13, 5, True), ('s390x-linux-gnu', 15, 5, False),
                ('powerpc64-linux-gnu', 1, 5, True),
                ('powerpc64le-linux-gnu', 1, 4, True),
                ('riscv64-linux-gnu', 2, 5, False)):
            with self.subTest(target=target):
                path, d = self.one(target, version, link, debug_frame=True)
                want = {'a': reg(3, 4, True), 'b': const(200, 1),
                        'c': mem(sp, 180, d.word, True)}
                self.check(path, [(4, 'inline', 'f', want)])

    def test_section_is_in_the_targets_order(self):
        # BTF's magic 0xeb9f as the file's byte order writes it
        for target, magic in (('x86_64-linux-gnu', b'\x9f\xeb'),
                              ('powerpc64-linux-gnu', b'\xeb\x9f')):
            path, _ = self.one(target)
            out = self.dir + '/section'
            self.run_tool(BTFLOCS, 'encode', '-o', out, path)
            with open(out, 'rb') as f:
                self.assertEqual(f.read(2), magic)

    def test_compiled_by_clang(self):
        text = PLAIN.replace('asm volatile("" :: "r"(v));', '')
        for target in ('aarch64-linux-gnu', 'armv7-linux-gnueabi', 'i686-linux-gnu'):
            with self.subTest(target=target):
                path = self.compiled('clang --target=' + target, text, '-O2', '-c')
                self.records(path)
                self.second_reader(path)


class Compressed(ShapeTest):
    def test_zlib(self):
        want = [self.simple(r) for r in
                self.records(self.compiled('gcc', PLAIN, '-O2', name='raw'))]
        self.assertTrue(want)
        for how in ('-gz=zlib', '-gz=zlib-gnu'):
            with self.subTest(how=how):
                path = self.compiled('gcc', PLAIN, '-O2', how)
                names = sections(path)
                self.assertIn('.zdebug_info' if 'gnu' in how else '.debug_info', names)
                self.assertEqual([self.simple(r) for r in self.records(path)], want)
                self.second_reader(path)

    def test_zstd_is_a_clear_error(self):
        # clang 14 has no zstd: the type in the compression header is made 2 by hand
        path = self.compiled('gcc', PLAIN, '-O2', '-gz=zlib')
        for name, (_, head) in sections(path).items():
            if name.startswith('.debug_') and head[2] & 0x800:
                patch(path, head[4], struct.pack('<I', 2))
        line = bad(self, path)
        self.assertRegex(line.lower(), 'zstd|compress')


def bad(test, path, *args, nobody=False):
    """Encoding fails with status 2 and one clear line; the file is as it was.

    @nobody: run as a user without rights, if we are root.
    """
    program, who = BTFLOCS, {}
    if nobody and os.geteuid() == 0:
        # a copy: the tree may stand in a home that others cannot enter
        program = shutil.copy(BTFLOCS, test.dir + '/btflocs')
        who = dict(user=NOBODY, group=NOBODY, extra_groups=[])
    before = digest(path) if os.path.isfile(path) else None
    listing = sorted(os.listdir(os.path.dirname(path)))
    run = subprocess.run([program, 'encode', *args, path], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=60, **who)
    said = '%s: status %d, %r, %r' % (path, run.returncode, run.stdout, run.stderr)
    test.assertEqual(run.returncode, 2, said)
    test.assertEqual(run.stdout, '', said)
    test.assertTrue(run.stderr.startswith('btflocs: %s: ' % path), said)
    test.assertEqual(run.stderr.count('\n'), 1, said)
    test.assertTrue(run.stderr.endswith('\n'), said)
    if before is not None:
        test.assertEqual(digest(path), before, 'the file was changed')
    test.assertEqual(sorted(os.listdir(os.path.dirname(path))), listing, 'left behind')
    return run.stderr


class BadInput(ShapeTest):
    def setUp(self):
        super().setUp()
        # `nobody` must be able to come this far
        os.chmod(self.dir, 0o755)

    def good(self):
        return self.compiled('gcc', PLAIN, '-O2')

    def test_missing_directory_and_not_elf(self):
        bad(self, self.dir + '/nothing-here')
        os.mkdir(self.dir + '/folder')
        bad(self, self.dir + '/folder')
        for name, data in (('empty', ''), ('text', 'hello\n' * 100), ('short', '\x7fEL')):
            bad(self, self.source(name, data))
        bad(self, self.source('magic', '\x7fELF'))

    def test_a_fifo_does_not_hang(self):
        os.mkfifo(self.dir + '/fifo')
        bad(self, self.dir + '/fifo')

    def test_cut_off_anywhere(self):
        path = self.good()
        with open(path, 'rb') as f:
            data = f.read()
        cut = self.dir + '/cut'
        lengths = {1, 4, 5, 16, 20, 52, 63, 64, 65, len(data) - 1, len(data) - 64}
        lengths |= {len(data) * i // 40 for i in range(1, 40)}
        for length in sorted(lengths):
            with open(cut, 'wb') as f:
                f.write(data[:length])
            with self.subTest(length=length, of=len(data)):
                bad(self, cut)

    def test_no_dwarf(self):
        path = self.good()
        self.run_tool('strip', '-g', path)
        self.assertIn('.BTF', sections(path))
        self.assertRegex(bad(self, path).lower(), 'dwarf|debug')

    def test_no_btf(self):
        path = self.good()
        self.run_tool('objcopy', '--remove-section=.BTF', path)
        self.assertRegex(bad(self, path), 'BTF')

    def test_malformed_btf(self):
        path = self.good()
        head, sec = sections(path)['.BTF']
        at, size = sec[4], sec[5]
        with open(path, 'rb') as f:
            f.seek(at)
            btf = f.read(size)
        hdr_len, type_off, type_len, str_off, str_len = struct.unpack_from(
            '<IIIII', btf, 4)
        types, strings = at + hdr_len + type_off, at + hdr_len + str_off
        cases = {
            'magic': (at, b'\0\0'),
            'the other byte order': (at, b'\xeb\x9f'),
            'version': (at + 2, b'\x07'),
            'hdr_len': (at + 4, struct.pack('<I', 0xffffffff)),
            'type_off': (at + 8, struct.pack('<I', 0xfffffff0)),
            'type_len': (at + 12, struct.pack('<I', type_len + 0x100000)),
            'str_off': (at + 16, struct.pack('<I', 0x7fffffff)),
            'str_len': (at + 20, struct.pack('<I', str_len + 1)),
            'the string table\'s first byte': (strings, b'x'),
            'the string table\'s last byte': (strings + str_len - 1, b'x'),
            'a kind': (types + 4, struct.pack('<I', 0x1f << 24)),
            'a vlen': (types + 4, struct.pack('<I', 4 << 24 | 0xffff)),
            'a name': (types, struct.pack('<I', 0x7fffffff)),
        }
        broken = self.dir + '/broken'
        for what, (off, data) in cases.items():
            shutil.copy(path, broken)
            patch(broken, off, data)
            with self.subTest(what=what):
                bad(self, broken)
        for keep in (0, 1, 8, 23, 24, size // 2, size - 1):
            shutil.copy(path, broken)
            patch(broken, head + 0x20, struct.pack('<Q', keep))
            with self.subTest('a shorter section', bytes=keep):
                bad(self, broken)

    def test_may_not_read(self):
        path = self.good()
        os.chmod(path, 0o600 if os.geteuid() == 0 else 0)
        bad(self, path, nobody=True)

    def test_may_not_write(self):
        folder = self.dir + '/theirs'
        os.mkdir(folder)
        path = folder + '/prog'
        shutil.copy(self.good(), path)
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0o444)
        bad(self, path, nobody=True)
        # writable, but in a folder where no new file can be made
        os.chmod(path, 0o644)
        os.chmod(folder, 0o555)
        bad(self, path, nobody=True)

    def test_output_that_cannot_be_made(self):
        path = self.good()
        run = subprocess.run([BTFLOCS, 'encode', '-o', self.dir + '/no/such/out', path],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertTrue(run.stderr.startswith('btflocs: '))
        self.assertEqual(run.stderr.count('\n'), 1)

    def test_damaged_debug_sections(self):
        """Any status but a crash; with status 2 one line and an untouched file."""
        path = self.good()
        heads = sections(path)
        broken = self.dir + '/broken'
        for name in ('.debug_info', '.debug_abbrev', '.debug_loclists', '.debug_rnglists',
                     '.eh_frame'):
            _, sec = heads[name]
            for i in range(8):
                shutil.copy(path, broken)
                patch(broken, sec[4] + sec[5] * i // 8, b'\xff' * 8)
                before = digest(broken)
                run = subprocess.run([BTFLOCS, 'encode', broken], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, timeout=60)
                said = '%s at %d/8: %s' % (name, i, run.stderr)
                self.assertIn(run.returncode, (0, 2), said)
                if run.returncode:
                    self.assertTrue(run.stderr.startswith('btflocs: %s: ' % broken), said)
                    self.assertEqual(run.stderr.count('\n'), 1, said)
                    self.assertEqual(digest(broken), before)


class Units(ShapeTest):
    def test_no_sites_at_all(self):
        # a section with nothing in it, and status 0
        path = self.compiled('gcc', 'int main(void) { return 0; }\n', '-O0')
        self.assertEqual(self.records(path), [])

    def test_register_pairs_of_a_struct(self):
        text = '''struct two { long a, b; };
extern void sink(long);
static inline __attribute__((always_inline)) void both(struct two t)
{ asm volatile("" :: "r"(t.a), "r"(t.b)); sink(t.a); }
__attribute__((noinline)) void user(struct two t) { both(t); }
void sink(long v) { asm volatile("" :: "r"(v)); }
int main(void) { struct two t = { 1, 2 }; user(t); return 0; }
'''
        path = self.compiled('gcc', text, '-O2')
        records = [r for r in self.records(path) if r['func'] == 'both']
        # the psABI passes t in rdi (5) and rsi (4), where `both` begins they still are
        self.assertEqual([self.simple(r)[3] for r in records], [{'t': regs(5, 4, 16)}])


class SameBytes(ShapeTest):
    def test_workers_and_runs(self):
        objects = []
        for i in range(6):
            src = self.source('u%d.c' % i, PLAIN.replace('user', 'user%d' % i).replace(
                'other', 'other%d' % i).replace('int main', 'int main%d' % i).replace(
                'void sink', 'void sink%d' % i).replace('twice', 'twice%d' % (i % 4)))
            self.run_tool('gcc', '-g', '-O2', '-c', src, '-o', src + '.o')
            objects.append(src + '.o')
        path = self.dir + '/all.o'
        self.run_tool('ld', '-r', *objects, '-o', path)
        self.run_tool('pahole', '-J', path)
        seen = {}
        for i, jobs in enumerate(('1', '1', '2', '2', '3', '7')):
            out = self.dir + '/out%d' % i
            self.run_tool(BTFLOCS, 'encode', '-j', jobs, '-o', out, path)
            seen[jobs, i] = digest(out)
        self.assertEqual(len(set(seen.values())), 1, seen)

    def test_in_place_and_detached_and_again(self):
        path = self.compiled('gcc', PLAIN, '-O2')
        out = self.dir + '/out'
        self.run_tool(BTFLOCS, 'encode', '-o', out, path)
        self.assertNotIn('.BTF.func_info', sections(path))
        for _ in range(2):              # the second time the section is replaced
            self.run_tool(BTFLOCS, 'encode', path)
            _, sec = sections(path)['.BTF.func_info']
            with open(path, 'rb') as f, open(out, 'rb') as g:
                f.seek(sec[4])
                self.assertEqual(f.read(sec[5]), g.read())
        inside = self.run_tool(BTFLOCS, 'list', '-j', path)
        self.assertEqual(self.run_tool(BTFLOCS, 'list', '-j', '-B', path, out), inside)

    def test_the_path_is_not_in_it(self):
        path = self.compiled('gcc', PLAIN, '-O2')
        os.mkdir(self.dir + '/elsewhere')
        copy = shutil.copy(path, self.dir + '/elsewhere/renamed')
        for src, out in ((path, '/a'), (copy, '/b')):
            self.run_tool(BTFLOCS, 'encode', '-o', self.dir + out, src)
        self.assertEqual(digest(self.dir + '/a'), digest(self.dir + '/b'))


if __name__ == '__main__':
    unittest.main()
