# SPDX-License-Identifier: GPL-2.0-only
"""The records of a program against the program itself as it runs."""
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import abi
import target as T

BTFLOCS = os.environ.get('BTFLOCS', os.path.join(HERE, '../../build/btflocs'))
HITS = int(os.environ.get('JUDGE_HITS', '24'))


def widened(data, size, signed, order):
    """A value of fewer bytes than its type: widened by its sign (format.md)."""
    if data is None or len(data) >= size:
        return data
    return int.from_bytes(data, order, signed=signed).to_bytes(size, order, signed=signed)


def run(*cmd, **kw):
    p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kw)
    if p.returncode:
        raise RuntimeError('%s: %d\n%s%s' % (' '.join(cmd), p.returncode, p.stdout, p.stderr))
    return p.stdout


def symbols(path):
    """{address: (name, size)} of the data objects of a program, and {name: address}."""
    objs, names = [], {}
    for line in run('nm', '-S', path).splitlines():
        f = line.split()
        if len(f) == 4 and f[2] in 'bBdDrR':
            objs.append((int(f[0], 16), int(f[1], 16), f[3]))
        if len(f) >= 3:
            names[f[-1].split('.')[0]] = int(f[0], 16)
    return objs, names


class Truth:
    """What the -O0 build printed: the argument tuples of every function."""

    def __init__(self, path, *wrap):
        self.calls = defaultdict(dict)      # function: {tuple: whether it is a real call}
        objs, _ = symbols(path)
        for line in run(*wrap, path).splitlines():
            f = line.split()
            args = tuple(self.arg(a, objs) for a in f[2:])
            self.calls[f[0]][args] = self.calls[f[0]].get(args) or f[1] == '0'
        self.index = {}

    def sizes(self):
        """Bytes of each parameter of each function; 0 for pointers."""
        return {fn: [len(a) if isinstance(a, bytes) else 0 for a in next(iter(calls))]
                for fn, calls in self.calls.items()}

    @staticmethod
    def arg(a, objs):
        if a[0] == 'v':
            return bytes.fromhex(a[1:])
        if a[0] == 'l':
            fn, key = a[1:].split(':')
            return ('local', int(fn, 16), int(key, 16))
        p = int(a[1:], 16)
        if not p:
            return ('sym', '', 0)
        for start, size, name in objs:
            if start <= p < start + size:
                return ('sym', name, p - start)
        raise RuntimeError('pointer %s is into no object' % a)

    def bind(self, names, bias, plog, target):
        """The tuples with pointers as they are in one run; {function: {tuple: real}}."""
        out = {}
        for fn, calls in self.calls.items():
            out[fn] = o = {}
            for args, real in calls.items():
                vals = []
                for a in args:
                    if isinstance(a, bytes):
                        vals.append((a,))
                    elif a[0] == 'sym':
                        p = names[a[1]] + bias if a[1] else 0
                        vals.append(((p + a[2]).to_bytes(target.word, target.order),))
                    else:
                        vals.append(tuple(p.to_bytes(target.word, target.order)
                                          for p in plog.get(a[1:], ())))
                for t in product(vals):
                    o[t] = o.get(t) or real
        return out


def product(vals):
    todo = [()]
    for v in vals:
        # a pointer that was never logged stays open: it equals nothing that is read
        todo = [t + (x,) for t in todo for x in (v or (None,))]
    return todo


def value(t, loc):
    """The bytes that a location reads at a stop, in the target's order; None: no memory."""
    if isinstance(loc, tuple):              # by reference
        at, size = loc[1]
        at = value(t, at)
        return at and t.read(int.from_bytes(at, t.order), size)
    kind, size = loc['kind'], loc['size']
    top = (1 << 8 * t.word) - 1
    if kind == 'reg':
        v = t.reg(loc['reg'])
        if size < t.word:
            v &= (1 << 8 * size) - 1
        return v.to_bytes(size, t.order)
    if kind == 'regoff':
        v = (t.reg(loc['reg']) + loc['offset']) & top
        return (v & ((1 << 8 * size) - 1)).to_bytes(size, t.order)
    if kind == 'mem':
        return t.read((t.reg(loc['reg']) + loc.get('offset', 0)) & top, size)
    if kind == 'regs':
        first, second = (t.reg(r) for r in loc['regs'])
        rest = size - t.word
        return first.to_bytes(t.word, t.order) + \
            (second & ((1 << 8 * rest) - 1)).to_bytes(rest, t.order)
    if kind == 'const':
        v = int(loc['value']) & ((1 << 8 * size) - 1)
        return v.to_bytes(size, t.order)
    addr = int(loc['address'], 16) + t.bias
    if kind == 'addr':
        return addr.to_bytes(size, t.order)
    return t.read(addr, size)


class Verdict:
    def __init__(self):
        self.n = Counter()
        self.wrong = []         # a line each
        self.excused = []       # the same, where the compiler's own statement is wrong

    def add(self, other):
        self.n.update(other.n)
        self.wrong += other.wrong
        self.excused += other.excused


def read_plog(t, names):
    n = int.from_bytes(t.read(names['nplog'] + t.bias, 4), t.order)
    data = t.read(names['plog'] + t.bias, 24 * n) if n else b''
    out = defaultdict(set)
    for i in range(n):
        fn, key, ptr = (int.from_bytes(data[24 * i + 8 * j:24 * i + 8 * j + 8], t.order)
                        for j in range(3))
        out[fn, key].add(ptr)
    return out


def expect(records, truth, machine, word):
    """Records that can be judged; a `func` one without locations gets its convention's."""
    out = []
    sizes = truth.sizes()
    for r in records:
        if r['func'] not in sizes:
            continue
        r = dict(r, params=[dict(p) for p in r['params']])
        if r['kind'] == 'func' and not r['loc_proto_id']:
            kinds = [(n or word, p['type'].startswith('struct') and not p['type'].endswith('*'))
                     for n, p in zip(sizes[r['func']], r['params'])]
            for p, place, (size, _) in zip(r['params'], abi.places(machine, kinds), kinds):
                p['loc'] = ('ref', (place[1], size)) if isinstance(place, tuple) else place
        out.append(r)
    return out


def judge(path, records, truth, make_target=T.Ptrace, label='', excuse=None):
    """Run the program once; Verdict over its records."""
    _, names = symbols(path)
    t = make_target(path)
    records = expect(records, truth, t.machine, t.word)
    by_addr = defaultdict(list)
    for r in records:
        by_addr[int(r['address'], 16)].append(r)
    for addr in by_addr:
        t.insert(addr)
    hits, seen, dirty, plog = Counter(), [], set(), {}
    sizes = truth.sizes()

    def read(r, i, p):
        if not p['loc']:
            return None
        got = value(t, p['loc'])
        if got is None:
            return b''
        size = sizes[r['func']][i]
        if size and isinstance(p['loc'], dict):
            got = widened(got, size, p['loc'].get('signed'), t.order)
        if p['type'] in ('bool', '_Bool') and got[0] > 1:
            dirty.add((id(r), i))
            got = bytes([got[0] & 1])
        return got

    def hit(addr):
        hits[addr] += 1
        for r in by_addr[addr]:
            seen.append((r, [read(r, i, p) for i, p in enumerate(r['params'])]))
        return hits[addr] < HITS

    status = t.run(hit, lambda: plog.update(read_plog(t, names)))
    if status:
        raise RuntimeError('%s: exit %d' % (path, status))
    v = weigh(records, hits, seen, truth.bind(names, t.bias, plog, t), label, excuse)
    v.n['dirty'] = len(dirty)
    return v


def weigh(records, hits, seen, calls, label, excuse=None):
    v = Verdict()
    index = {}
    bad = defaultdict(dict)      # id(record): {parameter index: example}
    for r, got in seen:
        fn = r['func']
        located = tuple(i for i, p in enumerate(r['params']) if p['loc'])
        key = fn, located
        if key not in index:
            index[key] = s = {}
            for args, real in calls.get(fn, {}).items():
                proj = tuple(args[i] for i in located)
                s[proj] = s.get(proj) or real
        vals = tuple(got[i] for i in located)
        v.n['hits'] += 1
        if vals in index[key]:
            if not index[key][vals]:
                v.n['early'] += 1
            continue
        best = max(index[key], key=lambda p: sum(len(b) for a, b in zip(p, vals) if a == b),
                   default=None)
        for n, i in enumerate(located):
            if best is None or best[n] != vals[n]:
                bad[id(r)].setdefault(i, (vals[n], best and best[n]))
    for r in records:
        v.n['sites'] += 1
        v.n['kind ' + r['kind']] += 1
        if not hits[int(r['address'], 16)]:
            v.n['unhit'] += 1
            continue
        v.n['hit'] += 1
        v.n['params'] += len(r['params'])
        for i, p in enumerate(r['params']):
            if not p['loc']:
                v.n['none'] += 1
            elif i in bad[id(r)]:
                why = excuse and excuse(r, p) or 'wrong'
                v.n[why] += 1
                v.n['%s %s %s' % (why, r['kind'], form(p))] += 1
                got, want = bad[id(r)][i]
                line = '%s %s %s %s %s: %s got %s expected e.g. %s' % (
                    label, r['kind'], r['func'], r['address'], p['name'],
                    json.dumps(p['loc']), got and got.hex(), want and want.hex())
                (v.wrong if why == 'wrong' else v.excused).append(line)
            else:
                v.n['right'] += 1
                v.n['right %s %s' % (r['kind'], form(p))] += 1
    return v


def form(p):
    """The form of a location, for the statistics."""
    if isinstance(p['loc'], tuple):
        return 'ref'
    kind = p['loc']['kind']
    if kind == 'mem' and p['loc']['reg'] in (6, 7):
        kind = 'frame'
    return ('bool ' if p['type'] in ('bool', '_Bool') else '') + kind


def build(src, cc, flags, exe, objcopy='objcopy'):
    """Compile and link in two steps: -pg would link another start-up file."""
    run(*cc, '-g', *flags, '-w', '-I', HERE, '-c', src, '-o', exe + '.o')
    run(*cc, '-g', *[f for f in flags if f not in ('-pg', '-mfentry')], exe + '.o', '-o', exe)
    run('pahole', '-J', exe, env=dict(os.environ, LLVM_OBJCOPY=objcopy))


def records_of(exe, btflocs=BTFLOCS, features='inline_locs,func_addrs', **env):
    run(btflocs, 'encode', '--features', features, exe, env=dict(os.environ, **env))
    return json.loads(run(btflocs, 'list', '-j', exe))
