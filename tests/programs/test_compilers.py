#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The program inputs/unit_a.c + unit_b.c, by every compiler and in every form of DWARF.

Every site of each file is compared with the second reader's word: its address, function,
order, and the location of each parameter. Where a compiler only writes the same DWARF down
in another form (DWARF64, compressed, dwz), the records are those of the plain form, too.

Where pahole 1.24 writes no .BTF, BASE stands for it: the .BTF of the same program, built
by gcc with -gdwarf-4.

Of the clangs each row of flags is tried with one, another from row to row, and gcc with
all; with COMPILERS_WHOLE=1 in the environment every row with every compiler.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib
from concurrent.futures import ThreadPoolExecutor

from shapes_common import BTFLOCS, HERE, SECOND_READER

INPUTS = os.path.join(HERE, 'inputs')
UNITS = [os.path.join(INPUTS, 'unit_%s.c' % x) for x in 'ab']
CLANGS = ('clang-14', 'clang-16', 'clang-19', 'clang-22')
COMPILERS = ('gcc',) + CLANGS
NEWEST = 'llvm-dwarfdump-22'
WHOLE = os.environ.get('COMPILERS_WHOLE', '0') != '0'

# In this program each of them is inlined somewhere, whatever the compiler and the level.
INLINED = {'widths', 'by_value', 'one_half', 'changed', 'places', 'taken', 'floats'}

# Two calls with constants for all parameters. No register holds these while the inlined code
# runs, so a compiler can name them as what they are alone. ~0UL << 31: its low 32 bits.
CHANGED = {('changed', 'k', 200)}
WIDTHS = {('widths', 'a', 200), ('widths', 'b', -56), ('widths', 'c', 65000),
          ('widths', 'd', -3), ('widths', 'e', 0xfffffff0), ('widths', 'f', -7),
          ('widths', 'g', 0x80000000), ('widths', 'h', 1), ('widths', 'w', -1)}


def chosen(cells):
    """gcc's cells, and of those that differ in nothing but the clang the one whose turn it is."""
    groups = {}
    for cell in cells:
        flags = re.sub(r'\blld-\d+', 'lld', ' '.join(cell[1:]))
        groups.setdefault((cell[0] in CLANGS, flags), []).append(cell)
    for (clang, flags), group in groups.items():
        turn = zlib.crc32(flags.encode()) % len(group)
        yield from group[turn:turn + 1] if clang else group


class Trouble(Exception):
    """A tool failed, or the second reader differs."""


def run(*cmd, cwd=None, path=None):
    env = dict(os.environ, PATH=path + ':' + os.environ['PATH']) if path else None
    done = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors='replace', cwd=cwd, env=env, timeout=120)
    if done.returncode:
        raise Trouble('%s: status %d\n%s%s' % (' '.join(cmd), done.returncode,
                                               done.stdout[:4000], done.stderr[:4000]))
    return done.stdout


def has_section(path, name):
    return re.search(r'\] %s\s' % re.escape(name), run('readelf', '-SW', path))


def abbreviations(path):
    return run('readelf', '-W', '--debug-dump=abbrev', path)


def lld(compiler):
    return '-fuse-ld=lld-' + compiler.split('-')[1]


def simple(record):
    """What must not depend on the form of the DWARF: no type ids."""
    return (record['section'], record['offset'], record['kind'], record['func'],
            [(p['name'], p['loc']) for p in record['params']])


class Case(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        temp = tempfile.TemporaryDirectory(prefix='btflocs-compilers-')
        cls.addClassCleanup(temp.cleanup)
        cls.dir = temp.name
        # the second reader runs `llvm-dwarfdump`: the newest, which reads all but .zdebug
        cls.tools = os.path.join(cls.dir, 'bin')
        os.mkdir(cls.tools)
        newest = shutil.which(NEWEST)
        assert newest, 'no ' + NEWEST
        os.symlink(newest, os.path.join(cls.tools, 'llvm-dwarfdump'))
        cls.base = os.path.join(cls.dir, 'base')
        run('gcc', '-g', '-gdwarf-4', '-O1', *UNITS, '-o', cls.base, cwd=cls.dir)
        run('pahole', '-J', cls.base)
        cls.count = 0

    # -- one file

    def new(self, suffix=''):
        type(self).count += 1
        return os.path.join(self.dir, 'f%d%s' % (self.count, suffix))

    def build(self, compiler, *flags, link=True):
        """The program, or with link=False its two halves as one relocatable file."""
        out = self.new()
        cmd = [compiler, '-g', '-w', *flags]
        if link:
            run(*cmd, *UNITS, '-o', out, cwd=self.dir)
            return out
        objects = []
        for src in UNITS:
            objects.append(out + os.path.basename(src) + '.o')
            run(*cmd, '-c', src, '-o', objects[-1], cwd=self.dir)
        small = ['-m', 'elf_i386'] if '-m32' in flags else []
        run('ld', '-r', *small, *objects, '-o', out + '.o')
        return out + '.o'

    def encode(self, path, btf=True):
        """The records. @btf: pahole must write a .BTF; else it must not, and BASE is it."""
        done = subprocess.run(['pahole', '-J', path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        got = done.returncode == 0 and bool(has_section(path, '.BTF'))
        if got != btf:
            raise Trouble('pahole %s a .BTF: %s' % ('wrote' if got else 'did not write',
                                                    done.stdout[:2000]))
        base = [] if btf else ['-B', self.base]
        run(BTFLOCS, 'encode', *base, '-o', path + '.locs', path)
        text = run(BTFLOCS, 'list', '-j', '-B', path if btf else self.base, path + '.locs')
        with open(path + '.json', 'w') as f:
            f.write(text)
        run(BTFLOCS, 'check', '-B', path if btf else self.base, path + '.locs')
        return [r for r in json.loads(text) if r['kind'] != 'func']

    def second_reader(self, path, newest=True, original=None):
        """@original: the file to read, where the reader cannot read @path itself."""
        run(sys.executable, SECOND_READER, original or path, '--all-units', '--json',
            path + '.json', path=self.tools if newest else None)

    def judge(self, path, btf=True, must=WIDTHS | CHANGED, **reader):
        """@must: the constants that are named."""
        records = self.encode(path, btf)
        self.sound(records, must)
        self.second_reader(path, **reader)
        return records

    def sound(self, records, must):
        """Not an empty list that nobody could differ from."""
        missing = INLINED - {r['func'] for r in records}
        if missing:
            raise Trouble('no record of %s' % ', '.join(sorted(missing)))
        named = {(r['func'], p['name'], int(p['loc']['value']) % (1 << 32)
                  if p['name'] == 'g' else int(p['loc']['value']))
                 for r in records for p in r['params']
                 if p['loc'] and p['loc']['kind'] == 'const'}
        if must - named:
            raise Trouble('not named: %s' % sorted(must - named))

    # -- many

    def each(self, check, cells):
        """check(compiler, *flags) for each of the cells, two at a time."""
        cells = list(cells if WHOLE else chosen(cells))

        def one(cell):
            try:
                check(*cell)
            except (Trouble, AssertionError, subprocess.TimeoutExpired) as e:
                return str(e)
            return None

        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(one, cells))
        for cell, said in zip(cells, results):
            with self.subTest(' '.join(cell)):
                self.assertIsNone(said, said)

    def linked(self, compiler, *flags):
        self.judge(self.build(compiler, *flags))

    def relocatable(self, compiler, *flags):
        self.judge(self.build(compiler, *flags, link=False))

    def all_compilers(self, *flag_sets, compilers=COMPILERS):
        return [(compiler, '-O2', *flags.split()) for compiler in compilers
                for flags in flag_sets]


class Levels(Case):
    def level(self, level):
        self.each(self.linked, [(compiler, level, version) for compiler in COMPILERS
                                for version in ('-gdwarf-4', '-gdwarf-5')])

    def test_O1(self):
        self.level('-O1')

    def test_O2(self):
        self.level('-O2')

    def test_O3(self):
        self.level('-O3')

    def test_Os(self):
        self.level('-Os')


class CodeModels(Case):
    def test_fixed_address(self):
        # Levels has the position independent ones, which are Debian's default
        self.each(self.linked, self.all_compilers('-fno-pie -no-pie'))

    def test_relocatable(self):
        self.each(self.relocatable, self.all_compilers('-gdwarf-4', '-gdwarf-5'))

    def test_kernel_code_model(self):
        self.each(self.relocatable, self.all_compilers('-mcmodel=kernel -fno-pic'))

    def test_function_sections(self):
        self.each(self.one_unit, self.all_compilers('-ffunction-sections'))

    def one_unit(self, compiler, *flags):
        """unit_a.c alone: ld -r would put the sections together."""
        path = self.new('.o')
        run(compiler, '-g', '-w', *flags, '-c', UNITS[0], '-o', path)
        records = self.judge(path)
        found = {r['section'] for r in records}
        missing = {'.text.' + f for f in ('all_widths', 'structs', 'changes')} - found
        if missing:
            raise Trouble('no record in %s' % missing)

    def test_gc_sections(self):
        # a function that nobody calls leaves tombstones
        self.each(self.collected, [(c, '-O2', v, '-ffunction-sections', '-DUNUSED', lld(c))
                                   for c in CLANGS for v in ('-gdwarf-4', '-gdwarf-5')])

    def collected(self, compiler, *flags):
        path = self.build(compiler, *flags, '-Wl,--gc-sections')
        if 'nobody_calls' in run('nm', path):
            raise Trouble('nobody_calls() is still there')
        if 'nobody_calls' not in run(NEWEST, path):
            raise Trouble('nobody_calls() has left no DWARF')
        for record in self.judge(path):
            if record['func'] == 'dropped':
                raise Trouble('a record of what is not there: %s' % record)

    def test_emit_relocs(self):
        self.each(self.linked, self.all_compilers('-Wl,--emit-relocs -no-pie -fno-pie'))

    def test_fentry(self):
        self.each(self.linked, self.all_compilers('-mfentry -pg'))
        self.each(self.relocatable, self.all_compilers('-mfentry -pg'))

    def test_cf_protection(self):
        self.each(self.linked, self.all_compilers('-fcf-protection=full'))

    def test_patchable_entries_and_kcfi(self):
        self.each(self.linked, self.all_compilers('-fpatchable-function-entry=16,16'))
        self.each(self.linked, self.all_compilers('-fsanitize=kcfi',
                                                  compilers=CLANGS[1:]))

    def test_frame_pointer_and_debug_frame(self):
        self.each(self.linked, self.all_compilers('-fno-omit-frame-pointer',
                                                  '-fno-asynchronous-unwind-tables'))

    def test_sections_of_blocks(self):
        # a function in many places: its sites' ranges are everywhere
        self.each(self.linked, self.all_compilers('-fbasic-block-sections=all',
                                                  compilers=CLANGS))

    def test_32_bit(self):
        self.each(self.relocatable, self.all_compilers('-m32', '-m32 -mregparm=3'))


class Lto(Case):
    def test_gcc(self):
        self.each(self.across, [('gcc', level, version, '-flto')
                                for level in ('-O2', '-O3')
                                for version in ('-gdwarf-4', '-gdwarf-5')])

    def test_clang(self):
        self.each(self.across, [(c, '-O2', version, lto, lld(c)) for c in CLANGS
                                for version in ('-gdwarf-4', '-gdwarf-5')
                                for lto in ('-flto', '-flto=thin')])

    def across(self, compiler, *flags):
        """small_in_b() of the one unit is inlined in the other's main()."""
        path = self.build(compiler, *flags)
        # gcc's LTO loses the marks of the entries, and what is bound there may be too late
        records = self.judge(path, must=CHANGED if compiler == 'gcc' else CHANGED | WIDTHS)
        names = run('nm', '-S', path)
        addr, size = (int(x, 16) for x in
                      re.search(r'^(\w+) (\w+) T main$', names, re.M).groups())
        inside = [r for r in records if r['func'] == 'small_in_b' and
                  addr <= int(r['address'], 16) < addr + size]
        if not inside:
            raise Trouble('small_in_b() is not inlined in main()')
        if '-flto=thin' not in flags and not re.search(
                r'DW_AT_abstract_origin +DW_FORM_ref_addr', abbreviations(path)):
            raise Trouble('no abstract origin in another unit')


class SameInAnotherForm(Case):
    """The DWARF's content is the same, and so are the records."""

    def same(self, compiler, *flags, plain=(), **reader):
        want = self.encode(self.build(compiler, '-O2', *plain))
        got = self.judge(self.build(compiler, '-O2', *flags), **reader)
        self.assertEqual([simple(r) for r in got], [simple(r) for r in want])

    def test_dwarf_64(self):
        self.each(lambda cc, version: self.same(cc, version, '-gdwarf64', plain=[version]),
                  [(cc, version) for cc in COMPILERS
                   for version in ('-gdwarf-4', '-gdwarf-5')])

    def type_units(self, compiler, version):
        """The same program without them has been judged: the second reader follows no
        DW_AT_signature out of gcc's skeletons."""
        if compiler != 'gcc':
            self.same(compiler, version, '-fdebug-types-section', plain=[version])
            return
        want = self.judge(self.build(compiler, '-O2', version))
        path = self.build(compiler, '-O2', version, '-fdebug-types-section')
        if 'DW_AT_signature' not in run(NEWEST, '--debug-info', path):
            raise Trouble('no type unit')
        self.assertEqual([simple(r) for r in self.encode(path)], [simple(r) for r in want])

    def test_type_units(self):
        self.each(self.type_units, [(cc, version) for cc in COMPILERS
                                    for version in ('-gdwarf-4', '-gdwarf-5')])

    def test_zlib(self):
        self.each(lambda cc: self.same(cc, '-gz=zlib'), [(cc,) for cc in COMPILERS])

    def test_zlib_gnu(self):
        # .zdebug_*: newer llvm-dwarfdumps do not know it
        self.each(lambda cc: self.same(cc, '-gz=zlib-gnu', newest=False), [('gcc',)])

    def test_gcc_writes_the_same_in_both_versions(self):
        self.each(lambda cc: self.same(cc, '-gdwarf-4', plain=['-gdwarf-5']), [('gcc',)])

    def test_view_pairs_in_the_lists(self):
        self.each(lambda cc: self.same(cc, '-gvariable-location-views=incompat5'),
                  [('gcc',)])


class Dwz(Case):
    """pahole 1.24 writes no .BTF where there is an imported unit: BASE, as on all of dwz."""

    def twins(self, compiler, version):
        """The program twice, and what btflocs says of it before dwz."""
        path, other = (self.build(compiler, level, version) for level in ('-O2', '-O1'))
        plain = shutil.copy(path, path + '.plain')
        run(BTFLOCS, 'encode', '-B', self.base, '-o', plain + '.locs', plain)
        said = run(BTFLOCS, 'list', '-j', '-B', self.base, plain + '.locs')
        return path, other, plain, said

    def equal(self, path, said):
        with open(path + '.json') as f:
            self.assertEqual(f.read(), said)

    # dwz 0.15 knows no .debug_addr, which clang uses in DWARF 5
    CELLS = [('gcc', '-gdwarf-4'), ('gcc', '-gdwarf-5')] + [(c, '-gdwarf-4')
                                                            for c in CLANGS]

    def alone(self, compiler, version):
        path, _, _, said = self.twins(compiler, version)
        run('dwz', path)
        text = run(NEWEST, path)
        if 'DW_TAG_partial_unit' not in text or 'DW_TAG_imported_unit' not in text:
            raise Trouble('dwz made no partial unit')
        self.judge(path, btf=False)
        self.equal(path, said)

    def together(self, compiler, version):
        path, other, plain, said = self.twins(compiler, version)
        run('dwz', '-m', path + '.alt', path, other)
        if not re.search(r'DW_AT_abstract_origin +DW_FORM_GNU_ref_alt',
                         abbreviations(path)):
            raise Trouble('no reference into the common file')
        self.encode(path, btf=False)
        self.equal(path, said)
        self.second_reader(path, original=plain)

    def test_one_file(self):
        self.each(self.alone, self.CELLS)

    def test_several_files(self):
        self.each(self.together, self.CELLS)

    def refused(self, path):
        out = self.new('.locs')
        done = subprocess.run([BTFLOCS, 'encode', '-B', self.base, '-o', out, path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertTrue(done.stderr.startswith('btflocs: %s: ' % path), done.stderr)
        self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
        self.assertFalse(os.path.exists(out))

    def test_without_the_common_file(self):
        """Names and types are in the other file: one clear error, no section without them."""
        path, other, _, _ = self.twins('gcc', '-gdwarf-5')
        run('dwz', '-m', path + '.alt', path, other)
        os.rename(path + '.alt', path + '.moved')
        self.refused(path)

    def test_with_another_common_file(self):
        """Its build id is not the one in .gnu_debugaltlink: what it holds is not ours."""
        path, other, _, _ = self.twins('gcc', '-gdwarf-5')
        run('dwz', '-m', path + '.alt', path, other)
        path4, other4, _, _ = self.twins('gcc', '-gdwarf-4')
        run('dwz', '-m', path4 + '.alt', path4, other4)
        os.rename(path4 + '.alt', path + '.alt')
        self.refused(path)

    def test_dwarf_5_supplementary_file(self):
        # DW_FORM_ref_sup4 and .debug_sup, which elfutils 0.188 does not read
        path, other, _, _ = self.twins('gcc', '-gdwarf-5')
        run('dwz', '-5', '-m', path + '.sup', path, other)
        self.assertTrue(has_section(path, '.debug_sup'))
        self.refused(path)


class Refused(Case):
    """One clear error, and the file as it was."""

    def refused(self, *cell):
        *cell, why = cell
        path = self.build(*cell)
        with open(path, 'rb') as f:
            before = f.read()
        done = subprocess.run([BTFLOCS, 'encode', '-B', self.base, path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ''), done.stderr)
        self.assertTrue(done.stderr.startswith('btflocs: %s: ' % path), done.stderr)
        self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
        self.assertRegex(done.stderr, why)
        with open(path, 'rb') as f:
            self.assertEqual(f.read(), before)

    def test_zstd(self):
        self.each(self.refused, [(c, '-O2', '-gz=zstd', 'compressed with zstd')
                                 for c in CLANGS[1:]])

    def test_split(self):
        self.each(self.refused, [(c, '-O2', version, how, 'split')
                                 for c in COMPILERS
                                 for version in ('-gdwarf-4', '-gdwarf-5')
                                 for how in ('-gsplit-dwarf',)])


if __name__ == '__main__':
    unittest.main()
