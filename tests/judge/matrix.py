#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every program, with every compiler and level, against itself as it runs.

usage: matrix.py [--seeds LOW-HIGH] [--rows TEXT] [--programs NAME,...] [--forms] [--excused]
Prints a line for each row; exit status 1 if a value was wrong.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import gen
import judge as J
import remote
import target

LEVELS = ('-O1', '-O2', '-O3', '-Os')
CLANGS = ('clang-14', 'clang-16', 'clang-19', 'clang-22')
ROWS = [('x86_64', c, (o,)) for c in ('gcc',) + CLANGS for o in LEVELS] + [
    ('x86_64', 'gcc', ('-O2', '-gdwarf-4')),
    ('x86_64', 'gcc', ('-O2', '-fPIE', '-pie')),
    ('x86_64', 'gcc', ('-O2', '-flto')),
    ('x86_64', 'gcc', ('-O2', '-gno-variable-location-views')),
    ('x86_64', 'gcc', ('-O2', '-gno-statement-frontiers')),
    ('x86_64', 'gcc', ('-O2', '-ffunction-sections', '-fcf-protection')),
    ('x86_64', 'clang-14', ('-O2', '-gdwarf-4')),
    ('x86_64', 'clang-19', ('-O2', '-fPIE', '-pie')),
    ('x86_64', 'clang-19', ('-O2', '-pg', '-mfentry', '-DFENTRY')),
    ('x86_64', 'clang-22', ('-O2', '-flto', '-fuse-ld=lld')),
    ('x86_64', 'clang-22', ('-O2', '-fcf-protection')),
    ('aarch64', 'gcc', ('-O1',)), ('aarch64', 'gcc', ('-O2',)),
    ('s390x', 'gcc', ('-O1',)), ('s390x', 'gcc', ('-O2',)),
]
# Only when asked for: there clang schedules after it has placed what it says of variables.
MORE = [('aarch64', 'clang-19', ('-O2',)), ('s390x', 'clang-19', ('-O2',))]
# What gcc itself states wrong: (program, function, parameter), and why no reader can know.
FAULTS = {
    # "u64 r = k; ... r += ..." in a loop: gcc puts r into k's register, as k is not needed
    # any longer, and goes on to state that register as k's
    ('-1', 'f4', 'k'): 'variable and parameter share a register',
}
TARGETS = {'x86_64': target.Ptrace, 'aarch64': remote.Aarch64, 's390x': remote.S390x}
HAND = ('shapes', 'changed', 'macro')
COLUMNS = ('sites', 'hit', 'params', 'right', 'none', 'stated', 'fault', 'wrong', 'dirty')


def row_name(row):
    machine, comp, flags = row
    return ' '.join((('' if machine == 'x86_64' else machine + ' ') + comp,) + flags)


class Program:
    """A source file: one written by hand (a name) or generated (a seed, negative with
    parameters that the first statement changes)."""

    def __init__(self, what):
        self.name = str(what)
        if isinstance(what, int):
            made = gen.Program(abs(what), what < 0)
            self.source, self.changed, self.unread = made.source, made.changed, made.unread
            return
        self.unread = set()
        with open(os.path.join(HERE, what + '.c')) as f:
            self.source = f.read()
        self.changed = {tuple(w.split('.')) for line in
                        re.findall(r'changed: ([\w. ]+)', self.source)
                        for w in line.split()}


def tools(machine, comp):
    """Compiler, objcopy and what runs a program, for a machine."""
    if machine == 'x86_64':
        return [comp], 'objcopy', []
    prefix = machine + '-linux-gnu-'
    cc = [prefix + 'gcc'] if comp == 'gcc' else [comp, '--target=%s-linux-gnu' % machine]
    return cc + ['-static'], prefix + 'objcopy', ['qemu-' + machine]


def truth_of(prog, machine, tmp):
    cc, _, wrap = tools(machine, 'gcc')
    src, exe = os.path.join(tmp, 'truth.c'), os.path.join(tmp, 'truth')
    with open(src, 'w') as f:
        f.write(prog.source)
    J.run(*cc, '-O0', '-DTRACE', '-w', '-I', HERE, src, '-o', exe,
          *(['-no-pie'] if machine == 'x86_64' else []))
    return J.Truth(exe, *wrap)


def excuse(prog, comp, flags, rec, param):
    """'stated' or 'fault' where a wrong value is one that no reader of this DWARF can know
    to be wrong: both are counted apart, and printed; None: it is ours.

    stated:
    A compiler that writes no views drops the empty range in which a parameter still had
    its first value: "f(5)" and "f(x) { a = 5;" then have the same DWARF.
    clang lets the callers in a global function's own unit pass anything for a parameter, or a
    half of one, that it does not read. Other units pass what the declaration says, so that the
    function conforms; the DWARF of its callers does not tell.
    """
    if comp == 'gcc' and (prog.name, rec['func'], param['name']) in FAULTS:
        return 'fault'
    blind = comp != 'gcc' or '-gno-variable-location-views' in flags or \
        '-gno-statement-frontiers' in flags
    if blind and rec['kind'] != 'func' and (rec['func'], param['name']) in prog.changed:
        return 'stated'
    if comp != 'gcc' and rec['kind'] == 'func' and not rec['loc_proto_id'] and \
            (rec['func'], param['name']) in prog.unread:
        return 'stated'
    return None


def judge_one(what, machine, rows):
    """One program on one machine: [(row, Verdict)]."""
    prog, out = Program(what), []
    tmp = tempfile.mkdtemp(prefix='judge-')
    try:
        truth = truth_of(prog, machine, tmp)
        src, exe = os.path.join(tmp, 'prog.c'), os.path.join(tmp, 'prog')
        with open(src, 'w') as f:
            f.write(prog.source)
        for row in rows:
            _, comp, flags = row
            cc, objcopy, _ = tools(machine, comp)
            J.build(src, cc, flags, exe, objcopy)
            out.append((row, J.judge(
                exe, J.records_of(exe), truth, TARGETS[machine],
                '%s, %s:' % (prog.name, row_name(row)),
                lambda r, p: excuse(prog, comp, flags, r, p))))
        return out
    finally:
        shutil.rmtree(tmp)


def judge_all(programs, rows, jobs):
    """{row: Verdict}"""
    total = {row: J.Verdict() for row in rows}
    tasks = [(what, m, [r for r in rows if r[0] == m]) for m in TARGETS for what in programs]
    tasks = [t for t in tasks if t[2]]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for out in pool.map(judge_one, *zip(*tasks)):
            for row, verdict in out:
                total[row].add(verdict)
    return total


def table(total):
    wide = max(len(row_name(r)) for r in total)
    lines = ['%-*s %s' % (wide, '', ' '.join('%7s' % c for c in COLUMNS))]
    whole = J.Verdict()
    for row, v in total.items():
        whole.add(v)
        lines.append('%-*s %s' % (wide, row_name(row),
                                  ' '.join('%7d' % v.n[c] for c in COLUMNS)))
    lines.append('%-*s %s' % (wide, 'all', ' '.join('%7d' % whole.n[c] for c in COLUMNS)))
    lines.append('records: ' + ', '.join('%s %d' % (k[5:], n) for k, n in
                                         sorted(whole.n.items()) if k.startswith('kind ')))
    return '\n'.join(lines), whole


def forms(total):
    """Right and wrong by compiler, kind of record and form of location."""
    count = {}
    for row, v in total.items():
        for key, n in v.n.items():
            if key.startswith(('right ', 'wrong ')):
                verdict, rest = key.split(' ', 1)
                line = count.setdefault((row[0], row[1], rest), {'right': 0, 'wrong': 0})
                line[verdict] += n
    return '\n'.join('%-8s %-9s %-20s right %6d wrong %4d' % (*key, n['right'], n['wrong'])
                     for key, n in sorted(count.items()))


def seeds(text):
    low, high = text.split('-')
    return list(range(int(low), int(high) + 1))


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--seeds', default='1-2', type=seeds)
    p.add_argument('--rows', default='', help='only rows with this text')
    p.add_argument('--programs', default=','.join(HAND))
    p.add_argument('--forms', action='store_true', help='count by form of location')
    p.add_argument('--excused', action='store_true', help='print stated and fault, too')
    p.add_argument('--jobs', default=2, type=int)
    a = p.parse_args()
    rows = [r for r in ROWS + MORE * bool(a.rows) if a.rows in row_name(r)]
    hand = [x for x in a.programs.split(',') if x]
    total = judge_all(hand + [s for n in a.seeds for s in (n, -n)], rows, a.jobs)
    text, whole = table(total)
    print(text)
    if a.forms:
        print(forms(total))
    for w in whole.excused if a.excused else ():
        print('EXCUSED', w)
    for w in whole.wrong:
        print('WRONG', w)
    return bool(whole.wrong)


if __name__ == '__main__':
    sys.exit(main())
