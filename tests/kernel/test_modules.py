#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""All modules of real kernels, whose vmlinux BTFLOCS_KERNELS names (a path list).

They are looked for where scripts/fetch-kernel --modules puts them, beside the vmlinux, and
copied: each gets its section in place, in one run.
"""
import collections
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import module_sites

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get('BTFLOCS', os.path.join(HERE, '../../build/btflocs'))
KERNELS = [k for k in os.environ.get('BTFLOCS_KERNELS', '').split(':') if k]

# release: its modules
KNOWN = {'6.1.0-57-cloud-amd64': 1121, '6.12.117+deb12-cloud-amd64': 1138}
# parameters that no DWARF describes where the site is: as KNOWN of test_kernel.py has it
UNDESCRIBED = 'no_child', 'no_attribute', 'not_at_entry'
SITES = 1000                    # compared with llvm-dwarfdump's own places
WHOLE = 4000                    # compared with the second reader's, in whole modules


def run(*cmd, ok=(0,)):
    done = subprocess.run(cmd, capture_output=True, text=True)
    if done.returncode not in ok:
        raise AssertionError(f'{cmd[:8]}: exit {done.returncode}\n{done.stdout[-4000:]}'
                             f'\n{done.stderr[-4000:]}')
    return done


class Modules:
    """Copies of a kernel's modules, encoded in place."""

    def __init__(self, vmlinux, folder):
        self.vmlinux = vmlinux
        self.release = os.path.basename(vmlinux).removeprefix('vmlinux-')
        source = os.path.join(os.path.dirname(vmlinux), '../lib/modules', self.release, 'kernel')
        self.folder = os.path.join(folder, self.release)
        if os.path.isdir(source):
            shutil.copytree(source, self.folder)
        self.files = sorted(os.path.join(at, f) for at, _, names in os.walk(self.folder)
                            for f in names if f.endswith('.ko'))
        begin = time.monotonic()
        if self.files:
            run(BTFLOCS, 'encode', '-q', '-B', vmlinux, '-j2', *self.files)
        self.seconds = time.monotonic() - begin

    def name(self, path):
        return os.path.relpath(path, self.folder)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='btflocs-modules-')
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.kernels = [Modules(k, cls.folder) for k in KERNELS]

    def each(self):
        self.assertTrue(self.kernels, 'BTFLOCS_KERNELS names no vmlinux')
        for k in self.kernels:
            self.assertTrue(k.files, f'{k.release} has no modules: scripts/fetch-kernel --modules')
            yield k

    def test_all(self):
        """Each is encoded and sound; the figures of all together."""
        for k in self.each():
            def judge(path):
                check = run(BTFLOCS, 'check', '-B', k.vmlinux, path, ok=(0, 1, 2))
                stat = run(BTFLOCS, 'stat', '-j', '-B', k.vmlinux, path, ok=(0, 1, 2))
                return path, check, stat

            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                judged = list(pool.map(judge, k.files))
            bad = [f'{k.name(path)}: {check.stdout}{check.stderr}{stat.stderr}'
                   for path, check, stat in judged
                   if check.returncode or ': sound' not in check.stdout or stat.returncode]
            self.assertEqual(bad, [])
            if k.release in KNOWN:
                self.assertEqual(len(k.files), KNOWN[k.release])
            total, why = collections.Counter(), collections.Counter()
            for path, _, stat in judged:
                said = json.loads(stat.stdout)
                total.update({x: said[x] for x in ('sites', 'params', 'params_located')})
                why.update(said['params_not_located'])
                # a module's sections have names of their own
                self.assertNotIn('section_name', said['sites_skipped'], k.name(path))
            described = total['params'] - sum(why[x] for x in UNDESCRIBED)
            print(f'{k.release}: {len(k.files)} modules in {k.seconds:.1f} s, {total["sites"]} '
                  f'sites, {total["params_located"]} of {described} described parameters '
                  f'located ({100 * total["params_located"] / described:.2f} %); not: '
                  f'{dict(why.most_common())}', file=sys.stderr)
            self.assertGreaterEqual(total['params_located'] / described, 0.94)
            self.assertGreater(total['sites'], 300 * len(k.files))

    def test_places(self):
        """A thousand random sites of random modules: entry, section, function and parameters
        as llvm-dwarfdump prints them of the module itself."""
        for k in self.each():
            files, nr, used, bad = list(k.files), 0, 0, []
            random.Random(4).shuffle(files)
            for i, path in enumerate(files):
                if nr >= SITES:
                    break
                some, wrong = module_sites.compare(path, [k.vmlinux], min(40, SITES - nr), i)
                nr, used, bad = nr + some, used + 1, bad + wrong
            print(f'{k.release}: {nr} sites of {used} modules, {len(bad)} differ from '
                  'llvm-dwarfdump', file=sys.stderr)
            self.assertEqual(bad, [])
            self.assertEqual(nr, SITES)
            self.assertGreaterEqual(used, 40)

    def test_second_reader(self):
        """Every site of random modules, with the locations, and nothing else."""
        for k in self.each():
            files, nr, used = [f for f in k.files if os.path.getsize(f) < 8 << 20], 0, 0
            random.Random(5).shuffle(files)
            said = os.path.join(self.folder, 'said.json')
            for path in files:
                if nr >= WHOLE:
                    break
                with open(said, 'w') as f:
                    subprocess.run([BTFLOCS, 'list', '-j', '-B', k.vmlinux, path], check=True,
                                   stdout=f)
                done = run(sys.executable, os.path.join(HERE, 'second_reader.py'), path,
                           '--all-units', '--json', said, ok=(0, 1))
                self.assertEqual(done.returncode, 0, done.stdout[-8000:])
                nr += int(done.stdout.rsplit(f'{path}: ', 1)[1].split()[0])
                used += 1
            print(f'{k.release}: {nr} sites of {used} whole modules as the second reader has '
                  'them', file=sys.stderr)
            self.assertGreaterEqual(nr, WHOLE)


if __name__ == '__main__':
    unittest.main()
