#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Other machines' files, made by their compilers, encoded and read on this one.

inputs/machines.c: every site is compared with the second reader's (../kernel), in the .o and
in the linked file, and every command is tried. inputs/machines_leaf.c: the answers are the
calling convention's, by hand. Then what one machine alone has. Values of more than one
register or piece, written by hand: test_machines_hand.py.
"""
import json
import os
import re
import struct
import subprocess
import sys
import unittest

from shapes_common import BTFLOCS, HERE, ShapeTest, const, mem, plain_loc, reg, regs

INPUTS = os.path.join(HERE, 'inputs')
EM_ARM, EM_RISCV = 40, 243

# The tracers' names by DWARF number, as each psABI and each kernel's ptrace.c have them.
NAMES = {
    3: 'ax cx dx bx sp bp si di'.split(),
    21: ['gpr%d' % i for i in range(32)],
    22: ['r%d' % i for i in range(16)],
    40: ['r%d' % i for i in range(11)] + 'fp ip sp lr pc'.split(),
    183: ['x%d' % i for i in range(31)] + ['sp'],
    243: '- ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 '
         's11 t3 t4 t5 t6'.split(),
    258: ['r%d' % i for i in range(32)],
}

# Which function of machines.c each site is in.
WITHIN = {
    'narrow': {'do_narrow'}, 'wide': {'do_wide'}, 'bypair': {'do_pair', 'do_pair2'},
    'bybig': {'do_big'}, 'bysmall': {'do_small'}, 'local': {'do_local', 'do_dyn'},
    'addrs': {'do_addrs'}, 'changed': {'do_changed'}, 'ident': {'do_changed'},
    'call': {'do_call'},
}

# The constants that machines.c calls them with: gcc's views name each of them at its site.
CONSTANTS = {
    ('narrow', 'a', 200), ('narrow', 'b', -56), ('narrow', 'c', 65535), ('narrow', 'd', -2),
    ('narrow', 'e', 4000000000), ('narrow', 'f', 1), ('narrow', 'g', 2),
    ('wide', 'k', -5), ('wide', 'k', 0x123456789ab), ('bybig', 'n', 3), ('local', 'n', 7),
    ('local', 'n', 1), ('addrs', 'k', 1), ('addrs', 'k', -1),
}
# clang's lists of some begin behind the site's first instructions, on some machines; these
# are whole scopes, or begin with the site
BY_CLANG = {('wide', 'k', -5), ('local', 'n', 7), ('local', 'n', 1)}

# the offsets of thread-local data are relocations that libdwfl leaves as they are, too
THREAD = """
__thread int mine = 3;
volatile int out;
static inline __attribute__((always_inline)) void put(int v) { out = v; }
void f(int v) { put(v); out = mine; }
"""


class MachineTest(ShapeTest):
    """@gcc: the cross compiler's prefix; @target: clang's; @flags: of both. @views: whether gcc
    numbers views on it."""
    gcc = target = machine = word = None
    flags = ()
    views = True

    def source_file(self, name):
        return os.path.join(INPUTS, name)

    def compile(self, compiler, source, *flags, name='prog.o'):
        out = os.path.join(self.dir, name)
        cmd = [self.gcc + '-gcc'] if compiler == 'gcc' else \
            ['clang-19', '--target=' + self.target]
        self.run_tool(*cmd, '-g', '-O2', '-ffreestanding', *self.flags, *flags, '-c',
                      self.source_file(source), '-o', out)
        return out

    def renamed(self, source, *flags, name='renamed.o'):
        """What gcc writes, as if another compiler had: one whose word is taken as it is."""
        text = os.path.join(self.dir, 'renamed.s')
        self.run_tool(self.gcc + '-gcc', '-g', '-O2', '-ffreestanding', *self.flags, *flags,
                      '-S', self.source_file(source), '-o', text)
        with open(text) as f:
            said, count = re.subn(r'"GNU C\d+ [^"]*"', '"other C 1.0"', f.read())
        self.assertEqual(count, 1)
        out = os.path.join(self.dir, name)
        self.run_tool(self.gcc + '-gcc', *self.flags, '-c', self.source('renamed.s', said),
                      '-o', out)
        return out

    def reasons(self, path):
        """{why: parameters} of those without a location, as `stat` has it."""
        said = json.loads(self.run_tool(BTFLOCS, 'stat', '-j', path))
        return {why: n for why, n in said['params_not_located'].items() if n}

    def link(self, compiler, path, *flags):
        out = os.path.join(self.dir, 'prog')
        if compiler == 'gcc':
            self.run_tool(self.gcc + '-gcc', '-nostdlib', '-static', path, '-o', out, *flags)
        else:
            self.run_tool('ld.lld-19', path, '-o', out)
        return out

    def add_btf(self, compiler, path):
        """.BTF from DWARF, in the file's byte order, by an objcopy that knows the machine."""
        tool = self.gcc + '-objcopy' if compiler == 'gcc' else 'llvm-objcopy-19'
        self.run_tool('pahole', '-J', path, env=dict(os.environ, LLVM_OBJCOPY=tool))

    def encoded(self, path):
        """Encodes; all that `list -j` says."""
        self.run_tool(BTFLOCS, 'encode', path)
        return json.loads(self.run_tool(BTFLOCS, 'list', '-j', path))

    def records(self, path):
        """The same without the functions out of line."""
        return [r for r in self.encoded(path) if r['kind'] != 'func']

    def judge(self, path):
        """As records(), each of them as the second reader has it."""
        records = self.records(path)
        run = subprocess.run([sys.executable, self.source_file('machines_judge.py'),
                              os.path.join(HERE, '../kernel'), path, '--all-units'],
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        said = re.search(r': (\d+) sites of ', run.stdout)
        self.assertEqual(int(said.group(1)), len(records), run.stdout)
        self.register_names(records)
        return records

    def register_names(self, records):
        for loc in (p['loc'] for r in records for p in r['params']):
            if loc and 'reg' in loc:
                self.assertEqual(loc['name'], NAMES[self.machine][loc['reg']])

    def symbols(self, path):
        """{name: (address of the first byte, size, section's index)} of the functions."""
        out = {}
        for line in self.run_tool('readelf', '-sW', path).splitlines():
            word = re.sub(r'\[<.*\]', '', line).split()        # ppc64's local entry
            if len(word) >= 8 and word[3] == 'FUNC' and word[6].isdigit():
                value = int(word[1], 16)
                if self.machine == EM_ARM:      # bit 0: Thumb
                    value &= ~1
                out[word[-1]] = value, int(word[2], 0), int(word[6])
        return out

    def commands(self, path, records, find=True):
        """Every command on an encoded file."""
        self.assertIn('sound', self.run_tool(BTFLOCS, 'check', path))
        dump, text = (self.run_tool(BTFLOCS, what, path) for what in ('dump', 'list'))
        self.assertEqual(len([x for x in text.splitlines() if x.split()[1] != 'func']),
                         len(records))
        for loc in (p['loc'] for r in records for p in r['params']):
            if loc and 'name' in loc:
                self.assertIn('%' + loc['name'], text)
                self.assertIn('%' + loc['name'], dump)
        stat = self.run_tool(BTFLOCS, 'stat', path)
        self.assertRegex(stat, r'(?m)^sites +%d$' % len(records))
        symbols = self.symbols(path)
        for record in records if find else ():
            self.find(path, record, symbols)

    def find(self, path, record, symbols):
        """By address, and by symbol + offset: the function that the source says."""
        at = int(record['address'], 16)
        where = [s for s in WITHIN[record['func']]
                 if symbols[s][0] <= at < symbols[s][0] + symbols[s][1]]
        self.assertEqual(len(where), 1, record)
        section = record['section'] + '+' if record['address'] == hex(record['offset']) else ''
        for place in (section + record['address'],
                      '%s+%#x' % (where[0], at - symbols[where[0]][0])):
            run = subprocess.run([BTFLOCS, 'find', '-j', path, place], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(run.returncode, 0, '%s: %s' % (place, run.stderr))
            self.assertIn(record, json.loads(run.stdout), place)

    def enough(self, compiler, records):
        """What each compiler must have named of machines.c, whatever else it has not."""
        named = [(r['func'], p['name'], p['loc']) for r in records for p in r['params']
                 if p['loc']]
        constants = {(func, name, int(loc['value'])) for func, name, loc in named
                     if loc['kind'] == 'const'}
        if compiler == 'gcc' and not self.views:
            # every binding begins at the entry, but for two that were there before it:
            # do_wide()'s own first parameter, and table + 5, which was made in between
            self.assertEqual(sorted(x[:2] for x in named), [('addrs', 'p'), ('wide', 'a')])
            return
        self.assertLessEqual(constants, CONSTANTS)
        self.assertLessEqual(CONSTANTS if compiler == 'gcc' else BY_CLANG, constants)
        # what do_wide(), do_pair2() and do_call() got in registers, and an address of .bss
        by_place = {(func, name) for func, name, loc in named if loc['kind'] != 'const'}
        self.assertLessEqual({('wide', 'a'), ('call', 'n'), ('addrs', 'q')}, by_place)

    def all_of(self, compiler, version):
        path = self.compile(compiler, 'machines.c', '-gdwarf-%d' % version)
        linked = self.link(compiler, path)
        for each in (path, linked):
            with self.subTest(file=each):
                self.add_btf(compiler, each)
                records = self.judge(each)
                self.assertEqual({r['func'] for r in records} | {'ident'}, set(WITHIN))
                self.commands(each, records, find=version == 5)
                self.enough(compiler, records)


class Each:
    """The tests that every machine has.

    @args: DWARF numbers of the first argument registers. @elsewhere: by compiler, (function,
    parameter) of the leaf functions -> where it is, as their disassembly shows, if not where the
    convention puts it; None: the compiler says nothing of it at the site.
    """
    args = ()
    elsewhere = {}

    def test_gcc_dwarf_4(self):
        self.all_of('gcc', 4)

    def test_gcc_dwarf_5(self):
        self.all_of('gcc', 5)

    def test_clang_dwarf_4(self):
        self.all_of('clang', 4)

    def test_clang_dwarf_5(self):
        self.all_of('clang', 5)

    def convention(self):
        """Where the calling convention puts the leaf functions' parameters."""
        a, w = self.args, self.word
        return {
            'narrow': [reg(a[0], 1), reg(a[1], 2, True), reg(a[2], 4, True)],
            'flags': [reg(a[0], 1), reg(a[1], 4), reg(a[2], w)],
            'word64': [reg(a[0], 4, True), reg(a[1], 8, True)],
            'first64': [reg(a[0], 8, True), reg(a[1], 4, True)],
            'two': [regs(a[0], a[1], 2 * w)],
            'constants': [const(200, 1), const(-2, 2, True), const(-1, 4, True),
                          const(-5, 8, True), const(1, 1)],
        }

    def leaf(self, compiler, path):
        elsewhere = dict(self.elsewhere.get(compiler, {}))
        seen = set()
        for record in self.judge(path):
            # of a bool gcc may keep the lowest bit only; not at its function's first byte
            if compiler == 'gcc' and record['func'] == 'flags':
                if record['offset'] != self.symbols(path)['f_flags'][0]:
                    elsewhere['flags', 'a'] = None
            want = self.convention()[record['func']]
            self.assertEqual(len(want), len(record['params']))
            seen.add(record['func'])
            for param, loc in zip(record['params'], want):
                key = record['func'], param['name']
                self.assertEqual(plain_loc(param['loc']), elsewhere.get(key, loc), key)
        self.assertEqual(seen, set(self.convention()))

    def test_leaf_by_hand(self):
        for compiler in ('gcc', 'clang'):
            with self.subTest(compiler=compiler):
                path = self.compile(compiler, 'machines_leaf.c')
                self.add_btf(compiler, path)
                self.leaf(compiler, path)

    def test_thread_local(self):
        for compiler in ('gcc', 'clang'):
            path = self.compile(compiler, self.source('thread.c', THREAD))
            self.add_btf(compiler, path)
            got = [(r['func'], plain_loc(r['params'][0]['loc'])) for r in self.judge(path)]
            # without views a binding that begins with the site is none
            loc = reg(self.args[0], 4, True) if self.views or compiler != 'gcc' else None
            self.assertEqual(got, [('put', loc)], compiler)

    def test_not_optimized(self):
        """gcc -O0: a slot of the frame for all of the scope, and from where on it is filled
        is not said. None of it, then; but each where another compiler had said so."""
        path = self.compile('gcc', 'machines_leaf.c', '-O0')
        self.add_btf('gcc', path)
        records = self.judge(path)
        self.assertEqual(len(records), 6)
        params = [p for r in records for p in r['params']]
        self.assertEqual([p for p in params if p['loc']], [])
        self.assertEqual(self.reasons(path), {'no_views': len(params)})

    def test_frame_through_cfi(self):
        """Every parameter in its slot of the frame: gcc's frame base is the CFA."""
        path = self.renamed('machines_leaf.c', '-O0')
        self.add_btf('gcc', path)
        records = self.judge(path)
        self.assertEqual(len(records), 6)
        for param in (p for r in records for p in r['params']):
            self.assertEqual(param['loc'] and param['loc']['kind'], 'mem', param)


class AArch64(Each, MachineTest):
    gcc, target = 'aarch64-linux-gnu', 'aarch64-linux-gnu'
    # bti and paciasp at each function's start, DW_CFA_AARCH64_negate_ra_state in its CFI
    flags = ('-mbranch-protection=standard',)
    machine, word, args = 183, 8, range(8)
    # clang keeps bit 0 of a bool, in another register two instructions on
    elsewhere = {'clang': {('flags', 'a'): None}}

    def test_sites_begin_at_the_bti(self):
        """clang's lists begin behind it, and are looked up there; without one, at the site."""
        found = []
        for how in ('standard', 'none'):
            path = self.compile('clang', 'machines_leaf.c', '-mbranch-protection=' + how)
            self.add_btf('clang', path)
            starts = [at for at, _, _ in self.symbols(path).values()]
            records = self.judge(path)
            self.assertEqual([r['offset'] for r in records], sorted(starts))
            found.append([self.simple(r)[2:] for r in records])
            self.leaf('clang', path)
            code = self.run_tool('llvm-objdump-19', '-d', '--no-show-raw-insn', path)
            self.assertEqual(len(re.findall(r'\bbti\s+c\b', code)), 6 * (how == 'standard'))
        self.assertEqual(*found)

    def test_prologue_is_signed(self):
        path = self.compile('gcc', 'machines.c')
        frames = self.run_tool('readelf', '--debug-dump=frames', path)
        self.assertIn('DW_CFA_AARCH64_negate_ra_state', frames)


class S390(Each, MachineTest):
    gcc, target = 's390x-linux-gnu', 's390x-linux-gnu'
    machine, word, args = 22, 8, range(2, 7)
    # gcc has read one half of the pair before the site begins; clang says nothing of it
    elsewhere = {'gcc': {('two', 'p'): None}, 'clang': {('two', 'p'): None}}

    def test_hidden_reference(self):
        """A struct of 16 bytes: r2 is the address of the caller's copy, two pieces are one."""
        # the binding begins with the site, and what code of this machine stores is not
        # looked at: none of gcc's; another compiler's word is taken
        for path, loc in ((self.compile('gcc', 'machines.c'), None),
                          (self.renamed('machines.c'), mem(2, 0, 16))):
            self.add_btf('gcc', path)
            records = self.judge(path)
            start, size, _ = self.symbols(path)['do_pair']
            mine = [r for r in records if start <= r['offset'] < start + size]
            self.assertEqual([(r['func'], plain_loc(r['params'][0]['loc'])) for r in mine],
                             [('bypair', loc)])

    def test_section_is_big_endian(self):
        """Detached and read again: BTF's magic 0xeb9f as this machine stores it."""
        path = self.compile('gcc', 'machines.c')
        self.add_btf('gcc', path)
        out = self.dir + '/out'
        self.run_tool(BTFLOCS, 'encode', '-o', out, path)
        with open(out, 'rb') as f:
            self.assertEqual(f.read(3), b'\xeb\x9f\x01')
        detached = json.loads(self.run_tool(BTFLOCS, 'list', '-j', out, '-B', path))
        self.assertEqual(detached, self.records(path))

    def test_base_of_the_other_order(self):
        """A base made on x86-64 for another machine's file: one line, nothing written."""
        path = self.compile('gcc', 'machines.c')
        other = self.dir + '/other.o'
        self.run_tool('gcc', '-g', '-c', self.source_file('machines_leaf.c'), '-o', other)
        self.run_tool('pahole', '-J', other)
        out = self.dir + '/out'
        run = subprocess.run([BTFLOCS, 'encode', '-B', other, '-o', out, path], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((run.returncode, run.stdout), (2, ''))
        self.assertRegex(run.stderr, r'\Abtflocs: .*byte order.*\n\Z')
        self.assertFalse(os.path.exists(out))


class Arm(Each, MachineTest):
    gcc, target = 'arm-linux-gnueabihf', 'arm-linux-gnueabihf'
    flags = ('-marm',)
    machine, word, args = EM_ARM, 4, range(4)
    # gcc: strd wants a pair that begins even, "mov r4, r2; mov r5, r3" stand before the site.
    # clang: one half of the value at the first instruction only
    elsewhere = {'gcc': {('word64', 'b'): regs(4, 5, 8)},
                 'clang': {('word64', 'b'): None, ('first64', 'a'): None}}

    def convention(self):
        # a value of 64 bits begins at an even register: r1 is left out (AAPCS32, C.3)
        return dict(super().convention(),
                    word64=[reg(0, 4, True), regs(2, 3, 8)],
                    first64=[regs(0, 1, 8), reg(2, 4, True)])

    def test_exidx_is_no_cfi(self):
        """The unwinder's table is .ARM.exidx: the CFI is in .debug_frame, also when linked."""
        # renamed: what gcc says of a frame at -O0 is not taken
        path = self.link('gcc', self.renamed('machines.c', '-O0', '-funwind-tables'), '-lgcc',
                         '-Wl,--defsym=__aeabi_unwind_cpp_pr0=0',
                         '-Wl,--defsym=__aeabi_unwind_cpp_pr1=0')
        names = self.run_tool('readelf', '-SW', path)
        self.assertIn('.ARM.exidx', names)
        self.assertNotIn('.eh_frame', names)
        self.add_btf('gcc', path)
        kinds = {p['loc'] and p['loc']['kind'] for r in self.judge(path) for p in r['params']}
        self.assertEqual(kinds, {'mem'})


class Thumb(Arm):
    flags = ('-mthumb',)
    elsewhere = {'gcc': {('word64', 'b'): regs(4, 5, 8)}}

    def test_symbols_are_odd(self):
        """So that find's offsets count from the code: bit 0 of a symbol is no address."""
        path = self.compile('gcc', 'machines.c')
        line = next(x for x in self.run_tool('readelf', '-sW', path).splitlines()
                    if x.endswith(' do_wide'))
        self.assertEqual(int(line.split()[1], 16) & 1, 1)


class RiscV(Each, MachineTest):
    gcc, target = 'riscv64-linux-gnu', 'riscv64-linux-gnu'
    machine, word, args = EM_RISCV, 8, range(10, 18)
    # gcc writes no views for it, so a binding that begins at a site's address may be of what
    # its first statement assigns: nothing of gcc's is taken but what was there before
    views = False
    # renamed: what its lists have from the site's second row on is too late for any reader
    elsewhere = {'renamed': {('narrow', 'b'): None, ('narrow', 'c'): None,
                             ('flags', 'b'): None, ('flags', 'c'): None}}

    def leaf(self, compiler, path):
        if compiler != 'gcc':
            return super().leaf(compiler, path)
        records = self.judge(path)
        self.assertEqual({r['func'] for r in records}, set(self.convention()))
        self.assertEqual([p for r in records for p in r['params'] if p['loc']], [])
        path = self.renamed('machines_leaf.c')
        self.add_btf('gcc', path)
        return super().leaf('renamed', path)

    def relocations(self, path):
        return set(re.findall(r'R_RISCV_\w+', self.run_tool('readelf', '-rW', path)))

    def test_distances_in_the_frames(self):
        """A row more than 63 bytes on: SET8 and SUB8, of which libdwfl 0.188 does the first.

        So functions that reach over a multiple of 256 had their last row before the sites.
        """
        path = self.renamed('machines.c', '-O0')
        self.assertLessEqual({'R_RISCV_SET8', 'R_RISCV_SUB8'}, self.relocations(path))
        self.add_btf('gcc', path)
        for param in (p for r in self.judge(path) for p in r['params']):
            self.assertEqual(param['loc']['name'], 's0', param)

    def patch_relocations(self, path, change):
        """@change(data, place of the entry, place of what it relocates, kind, data's entry)."""
        with open(path, 'rb') as f:
            data = bytearray(f.read())
        off, = struct.unpack_from('<Q', data, 40)
        count, = struct.unpack_from('<H', data, 60)
        heads = [struct.unpack_from('<IIQQQQIIQQ', data, off + 64 * i) for i in range(count)]
        hits = 0
        for head in heads:
            if head[1] != 4:            # SHT_RELA
                continue
            for at in range(head[4], head[4] + head[5], 24):
                place, info = struct.unpack_from('<QQ', data, at)
                hits += bool(change(data, at, heads[head[7]][4] + place, info))
        with open(path, 'wb') as f:
            f.write(data)
        return hits

    def test_distances_in_the_lists(self):
        """R_RISCV_SET_ULEB128 and SUB_ULEB128: what stands there before means nothing."""
        path = self.compile('clang', 'machines.c', '-gdwarf-5')
        self.add_btf('clang', path)
        want = self.judge(path)

        def zero(data, at, place, info):
            if info & 0xffffffff != 60:         # R_RISCV_SET_ULEB128
                return False
            while data[place] & 0x80:           # of the same length
                data[place] = 0x80
                place += 1
            data[place] = 0
            return True

        self.assertGreater(self.patch_relocations(path, zero), 100)
        self.assertEqual(self.records(path), want)

    def test_unknown_relocation_is_an_error(self):
        path = self.compile('clang', 'machines.c', '-gdwarf-5')
        self.add_btf('clang', path)

        def unknown(data, at, place, info):
            if info & 0xffffffff != 60:
                return False
            struct.pack_into('<Q', data, at + 8, info & ~0xffffffff | 200)
            return True

        self.assertGreater(self.patch_relocations(path, unknown), 100)
        run = subprocess.run([BTFLOCS, 'encode', path], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        self.assertEqual((run.returncode, run.stdout), (2, ''))
        self.assertRegex(run.stderr, r'\Abtflocs: \S+: .*relocations.*\.debug_\w+.*\n\Z')


class Ppc64(Each, MachineTest):
    gcc, target = 'powerpc64le-linux-gnu', 'powerpc64le-linux-gnu'
    machine, word, args = 21, 8, range(3, 11)

    def test_two_entries(self):
        """A symbol is the global entry, 8 bytes before the local one: offsets count from it."""
        path = self.compile('gcc', 'machines.c')
        line = next(x for x in self.run_tool('readelf', '-sW', path).splitlines()
                    if x.endswith(' do_addrs'))
        self.assertIn('<localentry>: 8', line)
        self.add_btf('gcc', path)
        start = self.symbols(path)['do_addrs'][0]
        found = [r for r in self.judge(path) if r['func'] == 'addrs']
        self.assertEqual(len(found), 2)
        for record in found:
            self.assertGreaterEqual(record['offset'], start + 8)


class I386(Each, MachineTest):
    gcc, target = 'i686-linux-gnu', 'i686-linux-gnu'
    flags = ('-mregparm=3', '-freg-struct-return', '-fno-pie')
    machine, word, args = 3, 4, (0, 2, 1)
    # gcc 12 loses the second value when it stores the halves one by one
    elsewhere = {'gcc': {('word64', 'b'): None}}

    def convention(self):
        # regparm(3): eax, edx, ecx, as they come
        return dict(super().convention(),
                    word64=[reg(0, 4, True), regs(2, 1, 8)],
                    first64=[regs(0, 2, 8), reg(1, 4, True)])


class LoongArch(MachineTest):
    target = 'loongarch64-linux-gnu'
    machine, word = 258, 8

    def test_linked(self):
        for version in (4, 5):
            path = self.link('clang', self.compile('clang', 'machines.c',
                                                   '-gdwarf-%d' % version))
            self.add_btf('clang', path)
            self.commands(path, self.judge(path))

    def test_relocatable(self):
        """elfutils before 0.190 cannot relocate it: one line, then; or the right records."""
        path = self.compile('clang', 'machines.c')
        self.add_btf('clang', path)
        run = subprocess.run([BTFLOCS, 'encode', path], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        if run.returncode == 0:
            self.judge(path)
            return
        self.assertEqual((run.returncode, run.stdout), (2, ''))
        self.assertRegex(run.stderr, r'\Abtflocs: \S+: .*machine\n\Z')

if __name__ == '__main__':
    unittest.main()
