#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A second reader of DWARF, to compare `btflocs list` with.

It follows dwarf-rules.md sections 1 to 4 on llvm-dwarfdump's text and shares no code with
the C programs. Every site of a file is worked out and looked for in the JSON that btflocs
prints, and every record there must be a site.

    second_reader.py VMLINUX -j N [--section FILE] [--json FILE]    unit by unit
    second_reader.py FILE --all-units [--section FILE] [--json FILE]
    second_reader.py FILE --all-units --print      what it finds itself, no comparison

-j: N processes, each with one unit in memory: for a large file. --all-units: all of them
at once, for references from one unit into another and for type units. --section: a
detached section (its base is FILE's own .BTF); without it FILE itself is listed. --json:
the output of `btflocs list -j` in a file. --shapes N: the N commonest expressions that
have no location. btflocs is $BTFLOCS, else build/btflocs of this tree. Exit status: 0 all
equal, 1 a difference, 2 trouble.
"""
import argparse
import collections
import json
import multiprocessing
import os
import subprocess
import sys

import dwarf_ops
import dwarf_value
from dwarf_frames import Unknown
from dwarf_funcs import FunctionJudge, functions
from dwarf_sites import Reader
from dwarf_text import ET_REL, unit_texts

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get('BTFLOCS', os.path.join(HERE, '../../build/btflocs'))


def normal(loc, reader):
    """A location of the reader in the form that a JSON location is brought to below."""
    if loc is None:
        return None
    loc = dict(loc)
    if loc['kind'] in ('addr', 'memaddr'):
        addr, sec = reader.placed(loc['address'])
        if reader.original.type == ET_REL and sec is None:
            return None                 # of no symbol in the file
        if reader.original.type != ET_REL and reader.tree.elf.per_cpu(addr):
            return {'kind': 'const', 'value': str(addr), 'size': loc['size'], 'signed': False}
        loc['address'], loc['section'] = addr, sec
    return loc


def from_json(loc, machine):
    if loc is None:
        return None
    loc = dict(loc)
    name = loc.pop('name', None)
    kind = loc['kind']
    if machine in dwarf_value.TRACER and 'reg' in loc:
        want = (dwarf_value.TRACER[machine] + [None] * 200)[loc['reg']]
        if name != want:
            return {'a register called': name, 'number': loc['reg']}
    if kind in ('mem', 'regoff'):
        loc['offset'] = int(loc.get('offset', 0))
    elif kind == 'reg':
        if loc.get('offset', 0) == 0:
            loc.pop('offset', None)
    elif kind in ('addr', 'memaddr'):
        loc['address'] = int(loc['address'], 16)
        loc.setdefault('section', None)
    if kind in ('regs', 'addr'):
        loc.pop('signed', None)
        loc.pop('names', None)
    return loc


def matches(site, record, reader):
    if record['kind'] != site.kind or record['func'] != site.name:
        return False
    if [p['name'] for p in record['params']] != [name for name, _ in site.params]:
        return False
    return all(right(param['loc'], loc, reader)
               for (_, loc), param in zip(site.params, record['params']))


def right(got, loc, reader):
    """Whether the program's location @got, in JSON's form, is what @loc says."""
    want = normal(loc.want, reader)
    if got is None:
        return want is None or loc.free
    got = from_json(got, reader.tree.elf.machine)
    if 'kind' not in got:
        return False
    if got['kind'] == 'memaddr' and want and want['kind'] == 'memaddr':
        got.setdefault('signed', want['signed'])        # JSON does not say
    if got == want or (loc.free and want is None):
        return True
    # another form, or one that is not known here: it must read the same
    return loc.ops is not None and reader.original.type != ET_REL and \
        dwarf_value.agrees(got, loc.ops, loc.ptype, reader.machine)


def show_site(site, reader):
    lines = ['  reader: %s+%#x %s %s(DIE %#x)' % (*site.key, site.kind, site.name,
                                                  site.off)]
    for name, loc in site.params:
        text = json.dumps(normal(loc.want, reader))
        why = ' [%s]' % loc.why if loc.why else ''
        ops = ' from ' + dwarf_ops.shape(loc.ops) if loc.ops else ''
        lines.append('      %s: %s%s%s' % (name, text, why, ops))
    return '\n'.join(lines)


def show_record(record):
    lines = ['  btflocs: %s+%#x %s %s' % (record['section'], record['offset'],
                                          record['kind'], record['func'])]
    for param in record['params']:
        lines.append('      %s: %s' % (param['name'], json.dumps(param['loc'])))
    return '\n'.join(lines)


class Records:
    """btflocs's records by (section, offset), as lines until they are asked for."""

    def __init__(self, lines):
        self.lines = collections.defaultdict(list)
        self.functions = collections.defaultdict(list)
        for line in lines:
            line = line.strip().rstrip(',')
            if line.startswith('['):
                line = line[1:].strip()
            if line.endswith(']') and not line.endswith('}'):
                line = line[:-1].strip()
            if not line.startswith('{'):
                continue
            # "address":"0x...","section":"...","offset":N,"kind":"...": as in the manual
            at = line.index('"section":"') + 11
            end = line.index('","offset":', at)
            stop = line.index(',', end + 11)
            self.lines[line[at:end], int(line[end + 11:stop])].append(line)

    def take(self, key):
        """The records of inline sites at a place; then they are forgotten."""
        records = [json.loads(line) for line in self.lines.pop(key, ())]
        self.functions[key] = [r for r in records if r['kind'] == 'func']
        return [r for r in records if r['kind'] != 'func']

    def put_back(self, record):
        self.lines[record['section'], record['offset']].append(json.dumps(record))

    def rest(self):
        for key in sorted(self.lines):
            yield from self.take(key)


class Judge:
    """Compares, unit by unit, and counts."""

    def __init__(self, reader, records):
        self.reader, self.records = reader, records
        self.bad = self.sites = self.units = self.params = self.located = 0
        self.left_out = 0
        self.why, self.blind = collections.Counter(), collections.Counter()
        self.shapes, self.skipped = collections.Counter(), collections.Counter()
        self.functions = FunctionJudge(reader.machine, show_record)

    def unit(self, sites, functions, skipped):
        self.units += 1
        self.functions.all += functions
        self.sites += len(sites)
        self.skipped.update(skipped)
        groups = collections.defaultdict(list)
        for site in sites:
            groups[site.key].append(site)
            for _, loc in site.params:
                self.count(loc)
        if self.records is not None:
            for key, group in sorted(groups.items()):
                self.bad += self.place(group, self.records.take(key))

    def count(self, loc):
        self.params += 1
        if loc.blind:
            self.blind[loc.blind] += 1
        if loc.want is not None:
            self.located += 1
            return
        self.why[loc.why] += 1
        if loc.ops:
            self.shapes[dwarf_ops.shape(loc.ops)] += 1

    def place(self, group, records):
        """The sites of one unit at one place."""
        left, bad = list(records), 0
        for site in group:
            for i, record in enumerate(left):
                if record is not None and matches(site, record, self.reader):
                    left[i] = None
                    self.left_out += sum(
                        p['loc'] is None and loc.want is not None
                        for p, (_, loc) in zip(record['params'], site.params))
                    break
            else:
                if site.sure or any(r and r['func'] == site.name for r in left):
                    bad += 1
                    print('DIFFERENCE: no record like this one')
                    print(show_site(site, self.reader))
                    for record in records:
                        print(show_record(record))
        # of another unit's functions, perhaps
        for record in left:
            if record is not None:
                self.records.put_back(record)
        return bad + check_order(group, records)

    def finish(self, functions):
        """What is left: functions out of line, and what must not be there."""
        if self.records is None:
            return
        parts = {f.key for f in self.functions.all if f.part}
        for record in self.records.rest():
            key = record['section'], record['offset']
            if functions and record['kind'] == 'part' and key in parts:
                self.records.functions[key].append(record)
                continue
            if not functions and record['kind'] == 'part' and any(
                    n.startswith(record['func'] + '.') and '.part.' in n
                    for n in self.reader.symbols.get(key, ())):
                continue                # foo.part.0() out of line: not asked for
            self.bad += 1
            print('DIFFERENCE: no site like this one\n' + show_record(record))
        if functions and self.functions.calls:
            groups = {k: [{**r, 'params': [
                {**p, 'loc': from_json(p['loc'], self.reader.machine.number)}
                for p in r['params']]} for r in group]
                for k, group in self.records.functions.items() if group}
            self.bad += self.functions.judge(groups, self.reader.symbols)


def check_order(group, records):
    """No inner call stands before an outer one."""
    bad = 0
    # where each `site.name` of the group stands in an `outer.name` of it, the first
    # record of the one must come after the first of the other
    inside = collections.defaultdict(list)
    for site in group:
        inside[site.name, site.kind].append(
            {name for key, kind, name in site.outer
             if key == site.key and kind == site.kind} - {site.name})
    first = {}
    for i, record in enumerate(records):
        first.setdefault((record['func'], record['kind']), i)
    for (name, kind), outers in inside.items():
        for outer in set.intersection(*outers):
            if first.get((outer, kind), 0) > first.get((name, kind), len(records)):
                bad += 1
                print('DIFFERENCE: %s+%#x: %s stands before %s, which it is inlined in'
                      % (*group[0].key, name, outer))
    return bad


def list_lines(args):
    if args.json:
        with open(args.json) as f:
            yield from f
        return
    cmd = [BTFLOCS, 'list', '-j', args.section or args.file]
    if args.section:
        cmd += ['-B', args.file]
    run = subprocess.Popen(cmd, stdout=subprocess.PIPE, text=True)
    yield from run.stdout
    if run.wait():
        raise RuntimeError('%s: exit status %d' % (' '.join(cmd), run.returncode))


worker = None                           # the Reader of a process of the pool


def start_worker(path):
    global worker
    worker = Reader(path)


def work(text):
    root = worker.tree.load_text(text.decode('utf-8', 'replace'))
    worker.types.clear()
    worker.skipped.clear()
    sites, found = [], []
    if 'DW_LANG_C' in (root.text('language') or ''):
        sites, found = worker.sites(root), functions(worker, root)
    return sites, found, worker.skipped


def judge_all(args, judge):
    """All units, in memory at once or one by one."""
    if not args.all_units:
        with multiprocessing.Pool(args.jobs, start_worker, (args.file,)) as pool:
            for unit in pool.imap(work, unit_texts(args.file)):
                judge.unit(*unit)
        return
    sites, reader = [], judge.reader
    for root in reader.tree.load_all():
        if args.lang in (root.text('language') or ''):
            sites += reader.sites(root)
    judge.unit(sites, [], reader.skipped)
    judge.units = len(reader.tree.units)
    if args.show:
        for site in sites:
            print(show_site(site, reader))


def report(args, judge):
    print('%s: %d sites of %d units, %d parameters, %d located; skipped: %s' %
          (args.file, judge.sites, judge.units, judge.params, judge.located,
           dict(judge.skipped)))
    if judge.left_out:
        print('left out by btflocs, where the compiler is not to be trusted: %d' %
              judge.left_out)
    print('without views: %d would have no location, %d another, %d one that is not there' %
          (judge.blind['lost'], judge.blind['another'], judge.blind['made up']))
    if judge.functions.count:
        print('functions out of line: %d; records of %s' % (
            len(judge.functions.all),
            ', '.join('%s %d' % x for x in judge.functions.count.most_common())))
    print('not located: ' + ', '.join('%s %d' % x for x in judge.why.most_common()))
    for shape, count in judge.shapes.most_common(args.shapes):
        print('%8d  %s' % (count, shape))


def main():
    parse = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parse.add_argument('file')
    parse.add_argument('--section')
    parse.add_argument('--json')
    parse.add_argument('-j', type=int, default=2, dest='jobs')
    parse.add_argument('--shapes', type=int, default=0)
    parse.add_argument('--all-units', action='store_true')
    parse.add_argument('--lang', default='DW_LANG_',
                       help='only units whose language begins so (with --all-units)')
    parse.add_argument('--print', action='store_true', dest='show')
    args = parse.parse_args()
    reader = Reader(args.file)
    judge = Judge(reader, None if args.show else Records(list_lines(args)))
    judge_all(args, judge)
    judge.finish(not args.all_units)
    report(args, judge)
    if args.show:
        return 0
    print('%d difference%s' % (judge.bad, '' if judge.bad == 1 else 's'))
    return 1 if judge.bad else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (OSError, ValueError, RuntimeError, Unknown,
            subprocess.CalledProcessError) as e:
        print('second_reader.py: %s' % e, file=sys.stderr)
        sys.exit(2)
