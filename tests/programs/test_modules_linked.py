#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A relocatable file says of each site what the program linked from it says.

What we relocate in the one, a linker has relocated in the other: ld or ld.lld, which gives every
section an address of its own and leaves its name. Sites, sections, offsets and every parameter's
location must be the same, addresses less the starts of their sections (by readelf).
"""
import json
import os
import re
import unittest

from shapes_common import BTFLOCS, HERE, ShapeTest

INPUTS = os.path.join(HERE, 'inputs')
# no output section is named: each input section becomes one (ld's manual, Orphan Sections)
SCRIPT = 'SECTIONS { . = 0x400000; }\n'
# names that several of the inputs have, for ld -r
COMMON = ('sink', 'table', 'plain', 'in', 'use')
LLD = 'ld.lld-19'


class Linked(ShapeTest):
    def setUp(self):
        super().setUp()
        self.script = self.source('linked.ld', SCRIPT)
        self.addresses = 0

    def compile(self, compiler, name, *flags):
        out = os.path.join(self.dir, name + '.o')
        rename = ['-D%s=%s_%s' % (c, c, name) for c in COMMON]
        self.run_tool(*compiler.split(), '-O2', '-ffreestanding', *rename, *flags, '-c',
                      os.path.join(INPUTS, name + '.c'), '-o', out)
        return out

    def link(self, ld, path):
        out = path + '.linked'
        self.run_tool(*ld.split(), '-T', self.script, '-e', '0',
                      '--unresolved-symbols=ignore-all', path, '-o', out)
        return out

    def sections(self, path):
        """[(name, address, size)] of what is in memory, by readelf."""
        out = []
        for line in self.run_tool('readelf', '-SW', path).splitlines():
            found = re.match(r' *\[ *\d+\] (\S*) +\w+ +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) '
                             r'\S+ +(\w+) ', line)
            if found and 'A' in found.group(4):
                out.append((found.group(1), int(found.group(2), 16), int(found.group(3), 16)))
        return out

    def sites(self, path, base, starts):
        """{(section, offset, kind, function): [{parameter: location}]}; an address is a set of
        places, as the end of one section may be the start of another."""
        locs, out = path + '.locs', {}
        self.run_tool(BTFLOCS, 'encode', '-q', '-B', base, '-o', locs, path)
        for r in json.loads(self.run_tool(BTFLOCS, 'list', '-j', '-B', base, locs)):
            params = {}
            for p in r['params']:
                loc = p['loc'] and dict(p['loc'])
                if loc and loc['kind'] in ('addr', 'memaddr'):
                    at, section = int(loc.pop('address'), 16), loc.pop('section', None)
                    loc['places'] = {(section, at)} if starts is None else {
                        (name, at - start) for name, start, size in starts
                        if start <= at <= start + size}
                params[p['name']] = loc
            key = r['section'], r['offset'], r['kind'], r['func']
            out.setdefault(key, []).append(params)
        return {k: sorted(v, key=str) for k, v in out.items()}

    def same(self, have, want):
        if have is None or want is None or 'places' not in have or 'places' not in want:
            return have == want
        return have['places'] <= want['places'] and \
            {**have, 'places': 0} == {**want, 'places': 0}

    def differences(self, have, want):
        """What differs; @have: the relocatable file's."""
        self.assertEqual(set(have), set(want))
        out = []
        for key, ours in have.items():
            self.assertEqual(len(ours), len(want[key]), key)
            for params, linked in zip(ours, want[key]):
                self.assertEqual(list(params), list(linked), key)
                for name, loc in params.items():
                    self.addresses += bool(loc and 'places' in loc)
                    if not self.same(loc, linked[name]):
                        out.append((key, name, loc, linked[name]))
        return out

    def judge(self, ld, path):
        base = path + '.btf'
        with open(path, 'rb') as f, open(base, 'wb') as to:
            to.write(f.read())
        self.run_tool('pahole', '-J', base, env=dict(os.environ, LLVM_OBJCOPY='llvm-objcopy-19'))
        linked = self.link(ld, path)
        starts = self.sections(linked)
        have, want = self.sites(path, base, None), self.sites(linked, base, starts)
        self.assertGreater(len(have), 15)
        self.assertEqual(self.differences(have, want), [])
        return have, linked, base, starts

    def each(self, ld, compiler, *flags):
        """Each input alone, one of them compressed, and both as one (ld -r). clang forgets a
        variable that is the address of another; of gcc's nothing is believed on RISC-V."""
        tells = not compiler.startswith(('clang', 'riscv64'))
        for dwarf in ('-gdwarf-4', '-gdwarf-5'):
            with self.subTest(compiler=compiler, dwarf=dwarf):
                self.addresses = 0
                sections = ('-ffunction-sections', '-fdata-sections', dwarf, *flags)
                one = self.compile(compiler, 'module_addrs', *sections)
                self.judge(ld, one)
                two = self.compile(compiler, 'machines', '-gz', dwarf, *flags)
                self.judge(ld, two)
                both = os.path.join(self.dir, 'both.ko')
                self.run_tool(*ld.split(), '-r', two, one, '-o', both)
                self.judge(ld, both)
                if tells:
                    self.assertGreater(self.addresses, 20)

    def test_x86(self):
        self.each('ld', 'gcc -fno-pic')
        self.each('ld', 'gcc -fPIC')
        self.each('ld', 'clang-14')
        self.each('ld', 'clang-22')

    def test_i386(self):
        self.each('ld -m elf_i386', 'gcc -m32 -fno-pic')
        self.each('ld -m elf_i386', 'clang-19 --target=i686-linux-gnu')

    def test_aarch64(self):
        self.each('aarch64-linux-gnu-ld', 'aarch64-linux-gnu-gcc')
        self.each(LLD, 'clang-19 --target=aarch64-linux-gnu')
        self.each(LLD, 'clang-19 --target=aarch64_be-linux-gnu')

    def test_arm(self):
        self.each('arm-linux-gnueabihf-ld', 'arm-linux-gnueabihf-gcc -marm')
        self.each('arm-linux-gnueabihf-ld', 'arm-linux-gnueabihf-gcc -mthumb')
        self.each(LLD, 'clang-19 --target=arm-linux-gnueabihf -mthumb')

    def test_s390(self):
        self.each('s390x-linux-gnu-ld', 's390x-linux-gnu-gcc')
        self.each(LLD, 'clang-19 --target=s390x-linux-gnu')

    def test_ppc64(self):
        self.each(LLD, 'clang-19 --target=powerpc64le-linux-gnu')

    def test_riscv(self):
        """Distances that are pairs of relocations; the linker may not shorten code here."""
        self.each('riscv64-linux-gnu-ld --no-relax', 'riscv64-linux-gnu-gcc')
        self.each(LLD + ' --no-relax', 'clang-19 --target=riscv64-linux-gnu')

    def test_difference_is_seen(self):
        """Sections that began 8 bytes on, and a site moved: both are told."""
        path = self.compile('gcc -fno-pic', 'module_addrs', '-g')
        have, linked, base, starts = self.judge('ld', path)
        moved = [(name, start + 8, size) for name, start, size in starts]
        found = self.differences(have, self.sites(linked, base, moved))
        self.assertGreater(len(found), 15)
        self.assertTrue(all('places' in loc for _, _, loc, _ in found))
        (section, offset, kind, func), params = next(iter(have.items()))
        del have[section, offset, kind, func]
        have[section, offset + 1, kind, func] = params
        with self.assertRaises(AssertionError):
            self.differences(have, self.sites(linked, base, starts))


if __name__ == '__main__':
    unittest.main()
