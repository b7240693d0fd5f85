#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Real vmlinux files, named by BTFLOCS_KERNELS (a path list): the main job, end to end.

Figures of known builds are those of an independent count (../shared/design/dwarf-rules.md);
on other builds the shares hold.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, '..', '..', 'build')
BTFLOCS = os.environ.get('BTFLOCS', os.path.join(BUILD, 'btflocs'))
PAHOLE_LOCS = os.environ.get('PAHOLE_LOCS', os.path.join(BUILD, 'pahole-locs'))
PROTO_CHECK = os.environ.get('PROTO_CHECK', os.path.join(BUILD, 'tests', 'proto_check'))
FUNC_LIST = os.environ.get('FUNC_LIST', os.path.join(BUILD, 'tests', 'func_list'))
KERNELS = [k for k in os.environ.get('BTFLOCS_KERNELS', '').split(':') if k]

# release: inline + guess, guess, part, parameters, those of them that have a description
KNOWN = {
    '6.1.0-57-cloud-amd64': (302528, 1295, 8411, 484452, 433765),
    '6.12.117+deb12-cloud-amd64': (373908, 1486, 9608, 631522, 567967),
}

# asked for by people (../shared/design/shapes.md)
NAMES = '''blk_account_io_start blk_account_io_done finish_task_switch perf_event_read
tcp_drop tcp_ack_update_rtt tcp_update_rtt_min tcp_grow_window tcp_fastretrans_alert vfs_read
vfs_stat_set_lookup_flags folio_account_dirtied switch_mm should_failslab __blkcg_rstat_flush
bprm_execve exec_binprm do_renameat2 do_seccomp update_persistent_clock64 s_next
load_elf_phdrs str_has_prefix'''.split()


def run(*cmd, ok=(0,), **kw):
    done = subprocess.run(cmd, capture_output=True, text=True, **kw)
    if done.returncode not in ok:
        raise AssertionError(f'{cmd}: exit {done.returncode}\n{done.stdout[-4000:]}'
                             f'\n{done.stderr[-4000:]}')
    return done


def section_bytes(path, name):
    """A section's bytes, found through readelf."""
    for line in run('readelf', '-SW', path).stdout.splitlines():
        words = line.replace('[ ', '[').split()
        if len(words) > 5 and words[1] == name:
            with open(path, 'rb') as f:
                f.seek(int(words[4], 16))
                return f.read(int(words[5], 16))
    raise AssertionError(f'{path}: no {name}')


class Kernel:
    """A vmlinux and its section, encoded once."""

    def __init__(self, path, folder):
        self.path = path
        self.release = os.path.basename(path).removeprefix('vmlinux-')
        self.section = os.path.join(folder, self.release + '.func_info')
        run(BTFLOCS, 'encode', '-j2', '-o', self.section, path)
        self.functions = {(int(f[1], 16), f[7]) for f in
                          (line.split() for line in run('readelf', '-sW', path).stdout.splitlines())
                          if len(f) == 8 and f[3] == 'FUNC' and f[6].isdigit()}
        self.parts = {(addr, name.split('.')[0]) for addr, name in self.functions
                      if '.part.' in name and not name.startswith('__pfx_')}

    def locs(self, cmd, *args, ok=(0,)):
        return run(BTFLOCS, cmd, '-B', self.path, *args, ok=ok)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='btflocs-kernel-')
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.kernels = [Kernel(k, cls.folder) for k in KERNELS]

    def each(self):
        self.assertTrue(self.kernels, 'BTFLOCS_KERNELS names no vmlinux')
        return self.kernels

    def test_counts(self):
        for k in self.each():
            stat = json.loads(k.locs('stat', '-j', k.section).stdout)
            text = k.locs('stat', k.section).stdout
            sizes = os.path.getsize(k.section)
            recs = {kind: 0 for kind in ('inline', 'guess', 'part', 'func')}
            params = located = full = total = more = 0
            for line in k.locs('list', '-j', k.section).stdout.splitlines():
                line = line.strip().rstrip(',')
                if not line.startswith('{'):
                    continue
                rec = json.loads(line)
                # functions out of line are not counted with the sites
                if rec['kind'] == 'func' or self.is_part(k, rec):
                    more += 1
                    continue
                recs[rec['kind']] += 1
                total += 1
                n = sum(p['loc'] is not None for p in rec['params'])
                params += len(rec['params'])
                located += n
                full += n == len(rec['params'])
            print(f'{k.release}: {recs}, {located} of {params} parameters, '
                  f'{full} sites complete, {more} functions out of line, '
                  f'{sizes / (total + more):.2f} bytes a record', file=sys.stderr)
            self.assertGreaterEqual(full / total, 0.788)
            self.assertGreaterEqual(located / params, 0.84)
            self.assertLessEqual(sizes / (total + more), 21)
            if k.release in KNOWN:
                sites, guess, part, nr, described = KNOWN[k.release]
                self.assertGreaterEqual(located / described, 0.95)
                self.assertEqual(recs['inline'] + recs['guess'], sites)
                self.assertEqual(recs['guess'], guess)
                self.assertEqual(recs['part'], part)
                self.assertEqual(params, nr)
            # what stat says is what list shows: parts out of line are among its sites
            self.assertEqual(stat['sites'] + stat['functions_out_of_line'], total + more)
            self.assertIn(str(stat['params_located']), text)
            self.assertGreaterEqual(stat['params_located'], located)

    def is_part(self, k, rec):
        """Whether a record of kind part is of a function foo.part.0, once for each."""
        key = int(rec['address'], 16), rec['func']
        if rec['kind'] != 'part' or key not in k.parts:
            return False
        k.parts.remove(key)
        return True

    def test_changed_signatures(self):
        """Every function whose symbol says that its signature was changed has a record."""
        for k in self.each():
            # several at one address are aliases: gcc has merged equal ones
            changed = {(addr, '.part.' in name) for addr, name in k.functions
                       if re.search(r'\.(isra|constprop|part)\.', name) and
                       '.cold' not in name and not name.startswith('__pfx_')}
            recs = {(int(r['address'], 16), r['kind'] == 'part')
                    for r in self.list(k, k.section) if r['kind'] in ('func', 'part')}
            self.assertEqual(changed - recs, set())
            self.assertGreater(len(changed), 1000)
            done = k.locs('list', '-j', 'finish_task_switch', k.section)
            rec, = json.loads(done.stdout)
            self.assertIn((int(rec['address'], 16), 'finish_task_switch.isra.0'), k.functions)
            self.assertEqual((rec['kind'], rec['func']), ('func', 'finish_task_switch'))
            # prev is still in rdi: its result is what was dropped
            self.assertEqual(rec['params'][0]['loc']['reg'], 5)

    def test_func_addrs(self):
        """Each function's symbol with DWARF is found by its address, and by binary search,
        with the prototype that libdw alone reads there."""
        for k in self.each():
            section = os.path.join(self.folder, 'funcs')
            run(BTFLOCS, 'encode', '--features', 'func_addrs', '-o', section, k.path)
            recs = {int(r['address'], 16): r for r in self.list(k, section)}
            symbols = {addr for addr, name in k.functions if not name.startswith('__pfx_')}
            right, wrong = 0, []
            for line in run(FUNC_LIST, k.path).stdout.splitlines():
                addr, name, *params = line.split('\t')
                if int(addr, 16) not in symbols:
                    continue            # overridden: weak code without a name
                rec = recs.get(int(addr, 16))
                want = [tuple(p.rsplit(':', 2)) for p in params]
                got = rec and [(p['name'], *self.plain(p['type'])) for p in rec['params']]
                if rec and rec['func'] == name and len(got) == len(want) and all(
                        g[0] == w[0] and ('?' in (g[1], w[1]) or g[1:] == w[1:])
                        for g, w in zip(got, want)):
                    right += 1
                else:
                    wrong.append((addr, name, want, got))
            print(f'{k.release}: {right} functions right, {len(wrong)} not', file=sys.stderr)
            self.assertEqual(wrong, [])
            self.assertGreater(right, 40000)
            # a thousand of them asked for one by one would take a while: three are
            for name in ('vfs_read', 'perf_event_read', 'do_exit'):
                addr, = {a for a, n in k.functions if n == name}
                out = k.locs('find', section, hex(addr)).stdout
                self.assertRegex(out, rf'(?m)^{addr:#x} func {name}\(')

    @staticmethod
    def plain(ctype):
        """(name, stars) of a C type, as func_list prints them."""
        if '(' in ctype or '[' in ctype or '{' in ctype:
            return '?', '0'
        words = [w for w in ctype.replace('*', ' ').split()
                 if w not in ('const', 'volatile', 'restrict', 'struct', 'union', 'enum')]
        return ' '.join(words) or '?', str(ctype.count('*'))

    @staticmethod
    def list(k, section):
        return json.loads(k.locs('list', '-j', section).stdout)

    def test_sound(self):
        for k in self.each():
            self.assertIn('sound', k.locs('check', k.section).stdout)

    def test_same_bytes(self):
        for k in self.each():
            other = os.path.join(self.folder, 'other')
            run(BTFLOCS, 'encode', '-j1', '-o', other, os.path.relpath(k.path, '/'), cwd='/')
            with open(k.section, 'rb') as a, open(other, 'rb') as b:
                self.assertEqual(a.read(), b.read())

    def test_prototypes(self):
        for k in self.each():
            done = run(PROTO_CHECK, k.path, ok=(0, 1))
            self.assertEqual(done.returncode, 0, done.stdout)
            print(f'{k.release}: {done.stdout.strip()}', file=sys.stderr)

    def judged_by(self, script, *args):
        for k in self.each():
            done = run(sys.executable, os.path.join(HERE, script), k.path, '--section',
                       k.section, *args, ok=(0, 1))
            self.assertEqual(done.returncode, 0, done.stdout[-8000:])
            print(f'{k.release}: {done.stdout}', file=sys.stderr)

    def test_second_reader(self):
        """Every site and function, and what one misses who ignores views."""
        self.judged_by('second_reader.py', '-j2', '--shapes', '12')

    def test_gdb(self):
        """gdb's `info scope`, which knows no views."""
        self.judged_by('gdb_scope.py', '--count', '400')

    def test_names(self):
        for k in self.each():
            symbols = {line.split()[-1] for line in run('nm', k.path).stdout.splitlines()}
            found = []
            for n in NAMES:
                done = k.locs('list', n, k.section, ok=(0, 1))
                if done.returncode == 0:
                    found.append(n)
                elif 'is not inlined anywhere' in done.stderr:
                    self.assertIn(n, symbols)
                else:
                    self.assertIn(f"no record of a function '{n}'", done.stderr)
                    self.assertNotIn(n, symbols)
            print(f'{k.release}: inlined: {" ".join(found)}', file=sys.stderr)
            self.assertIn('blk_account_io_start', found)
            self.assertIn('tcp_update_rtt_min', found)

    def test_find_what_is_listed(self):
        rng = random.Random(1)
        for k in self.each():
            lines = k.locs('list', k.section).stdout.splitlines()
            for line in rng.sample(lines, 50):
                addr = line.split()[0]
                self.assertIn(line, k.locs('find', k.section, addr).stdout.splitlines())

    def test_pahole_locs_in_place(self):
        for k in self.each():
            ours, alone = (os.path.join(self.folder, n) for n in ('ours', 'alone'))
            shutil.copy(k.path, ours)
            shutil.copy(k.path, alone)
            run(PAHOLE_LOCS, '-J', '-j1', '--btf_features=inline_locs', ours)
            # one worker: with more, pahole 1.24 does not write the same bytes twice
            run('pahole', '-J', '-j1', alone)
            self.assertEqual(section_bytes(ours, '.BTF'), section_bytes(alone, '.BTF'))
            self.assertIn('sound', run(BTFLOCS, 'check', ours).stdout)
            mine = run(BTFLOCS, 'list', 'blk_account_io_start', ours).stdout
            self.assertEqual(mine, k.locs('list', 'blk_account_io_start', k.section).stdout)
            for path in (ours, alone):
                os.unlink(path)


if __name__ == '__main__':
    unittest.main()
