#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A second reader of DWARF, to compare `btflocs list` with.

It follows dwarf-rules.md sections 1 to 4 on llvm-dwarfdump's text and shares no code with
the C programs. Random sites of a large file, or all sites of a small one, are worked out
and looked for in the JSON that btflocs prints.

    second_reader.py VMLINUX [--section FILE] [--json FILE] [--seed N] [--count N]
    second_reader.py FILE --all-units [--section FILE] [--json FILE]
    second_reader.py FILE --all-units --print      what it finds itself, no comparison

--section: a detached section (its base is FILE's own .BTF); without it FILE itself is
listed. --json: the output of `btflocs list -j` in a file. btflocs is $BTFLOCS, else
build/btflocs of this tree. Exit status: 0 all equal, 1 a difference, 2 trouble.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

import dwarf_ops
import dwarf_value
from dwarf_frames import Frames, Unknown
from dwarf_text import (ET_REL, SHF_ALLOC, Elf, Tree, link_relocatable, location_list,
                        ranges, walk)
from dwarf_value import Context, Location, Type, Unfit, Val, nothing

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get('BTFLOCS', os.path.join(HERE, '../../build/btflocs'))

SIGNED_ENCODINGS = ('DW_ATE_signed', 'DW_ATE_signed_char', 'DW_ATE_signed_fixed')
FLOAT_ENCODINGS = ('DW_ATE_float', 'DW_ATE_complex_float', 'DW_ATE_imaginary_float',
                   'DW_ATE_decimal_float')


class Site:
    """@kind inline guess part; @params (name, Location) in prototype order; @outer: the
    sites that enclose it; @sure: whether the program must have it."""

    def __init__(self, die, addr, kind, name, params, outer):
        self.die, self.addr, self.kind, self.name = die, addr, kind, name
        self.params, self.outer, self.sure = params, outer, True
        self.key = None


class Reader:
    def __init__(self, path):
        self.original = Elf(path)
        self.temp = None
        if self.original.type == ET_REL:
            self.temp = tempfile.TemporaryDirectory()
            path = link_relocatable(self.original, self.temp.name + '/linked')
        self.tree = Tree(path)
        self.frames = None
        self.types = {}
        self.skipped = collections.Counter()

    # -- section 1: which sites, and where

    def sites(self, root):
        """Every site of a unit, outer before inner."""
        out, found = [], {}
        for die in walk(root):
            if die.tag != 'DW_TAG_inlined_subroutine':
                continue
            site = self.site(die, found)
            if site is not None:
                found[die.off] = site
                out.append(site)
        return out

    def address(self, die):
        """(address, guessed?) or None."""
        low = die.text('low_pc')
        low = int(low.split()[0], 16) if low else None
        entry = die.text('entry_pc')
        if entry is not None:
            number = int(entry.split()[0], 0)
            if die.form('entry_pc') in ('addr', 'addrx', 'addrx1', 'addrx2', 'addrx3',
                                        'addrx4', 'GNU_addr_index'):
                return number, False
            if low is not None:
                return low + number, False
        if low is not None:
            return low, False
        found = ranges(die.text('ranges') or '')
        for begin, end in found:
            if begin != end:
                return begin, True
        return (found[0][0], True) if found else None

    def site(self, die, found):
        where = self.address(die)
        if where is None:
            self.skipped['no address'] += 1
            return None
        addr, guessed = where
        ends = self.tree.elf.ends_exec_section(addr)
        sec = self.tree.elf.exec_section(addr - 1 if ends else addr)
        if sec is None:
            self.skipped['not in an executable section'] += 1
            return None
        origin = self.root_origin(die)
        name = self.name(origin) if origin else None
        if name is None:
            self.skipped['no name'] += 1
            return None
        kind = 'guess' if guessed else 'inline'
        if self.continues(die, origin):
            kind = 'part'
        outer, up = [], die.parent
        while up is not None:
            if up.off in found:
                outer.append(found[up.off])
            up = up.parent
        params = self.params(die, origin, addr)
        site = Site(die, addr, kind, name, params, outer)
        site.key = sec['name'], addr - sec['addr']
        site.sure = not ends
        return site

    def root_origin(self, die):
        """The abstract instance at the end of the chain of origins, or None."""
        seen, cur = set(), die
        while cur is not None and cur.off not in seen:
            seen.add(cur.off)
            nxt = self.tree.get(cur.ref('abstract_origin'), cur)
            if nxt is None:
                return cur if cur is not die else None
            cur = nxt
        return None

    def name(self, die):
        for _ in range(8):
            if die is None:
                return None
            if die.string('name'):
                return die.string('name')
            die = self.tree.get(die.ref('specification'), die)
        return None

    def continues(self, die, origin):
        """Whether the call began elsewhere: the rest of a partially inlined function."""
        call = self.position(die, 'call')
        if call != self.position(origin, 'decl') or call[1] is None:
            return False
        up = die.parent
        while up is not None:
            if up.tag == 'DW_TAG_inlined_subroutine' and self.root_origin(up) is origin:
                return True
            if up.tag == 'DW_TAG_subprogram':
                return up is origin or self.root_origin(up) is origin
            up = up.parent
        return False

    @staticmethod
    def position(die, what):
        return (die.string(what + '_file') or die.text(what + '_file'),
                die.number(what + '_line'), die.number(what + '_column'))

    # -- sections 2 and 3: which parameter, which list entry

    def params(self, die, origin, addr):
        values = {}
        for child in die.children:
            if child.tag != 'DW_TAG_formal_parameter':
                continue
            target = self.root_origin(child)
            if target is not None:
                values.setdefault(target.off, []).append(child)
        out = []
        for param in origin.children:
            if param.tag != 'DW_TAG_formal_parameter':
                continue
            ptype = self.param_type(param)
            out.append((self.name(param) or '',
                        self.param_location(die, values.get(param.off, ()), ptype, addr)))
        return out

    def param_location(self, die, children, ptype, addr):
        """Of two children for one parameter, the first that has a location."""
        reason = None
        for child in children:
            got = self.child_location(die, child, ptype, addr)
            if got is not None:
                if got.want is not None or got.also:
                    return got
                reason = reason or got
        return reason or nothing('no location' if children else 'no child')

    def child_location(self, die, child, ptype, addr):
        ctx = Context(self.tree, die.unit, lambda: self.frame_base(die, addr),
                      lambda: self.cfa(addr), self.base_type)
        if child.text('const_value') is not None and child.text('location') is None:
            return self.const_value(child, ptype, ctx)
        text = child.text('location')
        if text is None:
            return None
        if child.form('location') in ('exprloc', 'block1', 'block2', 'block4', 'block'):
            return dwarf_value.reduce(dwarf_ops.text_ops(text, ctx), ptype, ctx)
        expr = self.entry_at(location_list(self.tree, child), addr,
                             die.number('GNU_entry_view') or 0)
        if expr is None:
            return None
        if isinstance(expr, bytes):
            return dwarf_value.reduce(dwarf_ops.byte_ops(expr, ctx), ptype, ctx)
        return dwarf_value.reduce(dwarf_ops.text_ops(expr, ctx), ptype, ctx)

    @staticmethod
    def entry_at(entries, addr, entry_view):
        """The first entry whose half-open range meets (addr, any view >= entry_view)."""
        default = None
        for begin, begin_view, end, end_view, expr in entries:
            if begin is None:
                default = expr
                continue
            if not begin <= addr <= end:
                continue
            lowest = max(entry_view, begin_view) if begin == addr else entry_view
            if addr < end or lowest < end_view:
                return expr
        return default

    def const_value(self, child, ptype, ctx):
        if ptype is None or not ptype.size:
            return nothing('a type without a size')
        form, text = child.form('const_value'), child.text('const_value')
        if form.startswith('block') or form == 'exprloc' or form == 'data16':
            if '<' not in text:
                return nothing('a constant block', [None])
            data = bytes.fromhex(text.split('>', 1)[1])
            return dwarf_value.implicit(data, ptype, ctx)
        if form in ('string', 'strp', 'line_strp', 'strx', 'strx1'):
            return nothing('a constant string')
        return dwarf_value.constant(int(text.split()[0], 0), ptype, ctx, bits=64)

    # -- types

    def param_type(self, param):
        for _ in range(8):
            if param is None or param.text('type') is not None:
                break
            param = self.tree.get(param.ref('abstract_origin'), param)
        if param is None or param.text('type') is None:
            return None
        die = self.tree.type_of(param)
        if die is None:
            return None
        if die.off not in self.types:
            self.types[die.off] = self.work_out_type(die)
        return self.types[die.off]

    def work_out_type(self, die):
        for _ in range(64):
            if die is None:
                return None
            tag = die.tag[len('DW_TAG_'):]
            if tag in ('pointer_type', 'reference_type', 'rvalue_reference_type'):
                size = die.number('byte_size') or self.tree.elf.addr_size
                return Type(size, False, 'ptr')
            if tag == 'base_type':
                encoding, size = die.text('encoding'), die.number('byte_size')
                if encoding in FLOAT_ENCODINGS:
                    return Type(size, False, 'float')
                kind = 'bool' if encoding == 'DW_ATE_boolean' else 'int'
                return Type(size, encoding in SIGNED_ENCODINGS, kind)
            if tag == 'enumeration_type':
                return self.enum_type(die)
            if tag in ('structure_type', 'union_type', 'class_type', 'array_type'):
                return Type(die.number('byte_size'), False, 'agg')
            die = self.tree.type_of(die)
        return None

    def enum_type(self, die):
        under = self.work_out_type(self.tree.type_of(die))
        size = die.number('byte_size') or (under.size if under else None)
        if under is not None:
            return Type(size, under.signed, 'int')
        return Type(size, die.text('encoding') in SIGNED_ENCODINGS, 'int')

    def base_type(self, off):
        die = self.tree.get(off)
        if die is None or die.tag != 'DW_TAG_base_type':
            raise Unfit('a convert to what is no base type')
        encoding = die.text('encoding')
        kind = 'float' if encoding in FLOAT_ENCODINGS else 'int'
        return die.number('byte_size'), encoding in SIGNED_ENCODINGS, kind

    # -- frame base

    def cfa(self, addr):
        if self.frames is None:
            self.frames = Frames(self.tree.elf)
        got = self.frames.cfa(addr)
        if got is None:
            raise Unfit('no CFI')
        return Val('r', got[1], reg=got[0])

    def frame_base(self, die, addr):
        while die is not None and die.text('frame_base') is None:
            die = die.parent
        if die is None:
            raise Unfit('no frame base')
        text = die.text('frame_base')
        ctx = Context(self.tree, die.unit, None, lambda: self.cfa(addr), self.base_type)
        if die.form('frame_base') not in ('exprloc', 'block1', 'block2', 'block'):
            raise Unfit('a frame base with a list')
        ops = dwarf_ops.text_ops(text, ctx)
        kind, what = dwarf_value.run(ops, ctx)
        if kind == 'reg':
            return Val('r', 0, reg=what)
        if kind == 'memory' and what.kind == 'r' and what.plain():
            return what.copy(loose=False)       # its call_frame_cfa is a row
        raise Unfit('a frame base that is not register + offset')

    # -- how an address looks in the JSON

    def placed(self, addr):
        """(address, section or None) as the program prints an address constant."""
        if self.original.type != ET_REL:
            return addr, None
        sec = self.tree.elf.section_at(addr, SHF_ALLOC)
        if sec is None:
            ends = self.tree.elf.section_at(addr - 1, SHF_ALLOC)
            return (addr - ends['addr'], ends['name']) if ends else (addr, None)
        return addr - sec['addr'], sec['name']


def normal(loc, reader):
    """A location of the reader in the form that a JSON location is brought to below."""
    if loc is None:
        return None
    loc = dict(loc)
    if loc['kind'] in ('addr', 'memaddr'):
        addr, sec = reader.placed(loc['address'])
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
    if kind in ('regs', 'addr', 'memaddr'):
        loc.pop('signed', None)
        loc.pop('names', None)
    return loc


def matches(site, record, reader, machine):
    if record['kind'] != site.kind or record['func'] != site.name:
        return False
    if [p['name'] for p in record['params']] != [name for name, _ in site.params]:
        return False
    for (_, want), param in zip(site.params, record['params']):
        got = from_json(param['loc'], machine)
        right = [normal(loc, reader) for loc in (want.want, *want.also)]
        # the start of a section may as well be the end of the one before it
        if any(loc and loc['kind'] == 'addr' and loc['section'] and not loc['address']
               for loc in right):
            right.append(None)
        if got not in right:
            return False
    return True


def show_site(site, reader):
    lines = ['  reader: %s+%#x %s %s(DIE %#x)' % (*site.key, site.kind, site.name,
                                                  site.die.off)]
    for name, loc in site.params:
        text = json.dumps(normal(loc.want, reader))
        also = [json.dumps(normal(x, reader)) for x in loc.also if x != loc.want]
        why = ' [%s]' % loc.why if loc.why else ''
        lines.append('      %s: %s%s%s' % (name, text, why,
                                           ''.join(' or ' + x for x in also)))
    return '\n'.join(lines)


def show_record(record):
    lines = ['  btflocs: %s+%#x %s %s' % (record['section'], record['offset'],
                                          record['kind'], record['func'])]
    for param in record['params']:
        lines.append('      %s: %s' % (param['name'], json.dumps(param['loc'])))
    return '\n'.join(lines)


def read_records(lines, wanted):
    """Records by (section, offset); of a large output only those that are wanted."""
    out = collections.defaultdict(list)
    decode = json.JSONDecoder()
    for line in lines:
        line = line.strip().rstrip(',')
        if line.startswith('['):
            line = line[1:].strip()
        if line.endswith(']') and not line.endswith('}'):
            line = line[:-1].strip()
        if not line.startswith('{'):
            continue
        if wanted is not None:
            at = line.find('"offset":')
            num = line[at + 9:at + 40].split(',')[0]
            if int(num) not in wanted:
                continue
        record, end = decode.raw_decode(line)
        if line[end:].strip(' ]'):
            raise ValueError('more than one record in a line: %r' % line[:200])
        if record['kind'] != 'func':
            out[record['section'], record['offset']].append(record)
    return out


def compare(sites, records, reader, whole):
    """Prints the differences; how many. @whole: @sites are all of the file's."""
    machine = reader.tree.elf.machine
    groups = collections.defaultdict(list)
    for site in sites:
        groups[site.key].append(site)
    bad = 0
    for key, group in sorted(groups.items()):
        left = list(records.get(key, ()))
        for site in group:
            for i, record in enumerate(left):
                if record is not None and matches(site, record, reader, machine):
                    left[i] = None
                    break
            else:
                if site.sure or any(r and r['func'] == site.name for r in left):
                    bad += 1
                    print('DIFFERENCE: no record like this one')
                    print(show_site(site, reader))
                    for record in records.get(key, ()):
                        print(show_record(record))
        if whole:
            bad += check_rest(group, left, records.get(key, ()))
    for key in set(records) - set(groups) if whole else ():
        for record in records[key]:
            bad += 1
            print('DIFFERENCE: no site like this one\n' + show_record(record))
    return bad


def check_rest(group, left, records):
    """Records that stand for no site, and inner calls before outer ones."""
    bad = 0
    for record in left:
        if record is not None:
            bad += 1
            print('DIFFERENCE: no site like this one\n' + show_record(record))
    # where each `site.name` of the group stands in an `outer.name` of it, the first
    # record of the one must come after the first of the other
    inside = collections.defaultdict(list)
    for site in group:
        inside[site.name, site.kind].append(
            {o.name for o in site.outer if o.key == site.key and o.kind == site.kind} -
            {site.name})
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


def sample(reader, seed, count):
    """Random sites from random units, at most a few dozen of a unit."""
    rng = random.Random(seed)
    units = [u for u in reader.tree.units if u.kind == 1]
    rng.shuffle(units)
    sites, used = [], 0
    for unit in units:
        root = reader.tree.load(unit)
        if 'DW_LANG_C' in (root.text('language') or ''):
            all_sites = reader.sites(root)
            share = max(20, count // 50)
            sites += rng.sample(all_sites, min(share, len(all_sites)))
            used += 1
        reader.tree.dies.clear()
        reader.tree.loaded.clear()
        reader.types.clear()
        if len(sites) >= count:
            break
    return sites[:count], used


def whole_file(reader, lang):
    sites = []
    for root in reader.tree.load_all():
        if lang in (root.text('language') or ''):
            sites += reader.sites(root)
    return sites


def main():
    parse = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parse.add_argument('file')
    parse.add_argument('--section')
    parse.add_argument('--json')
    parse.add_argument('--seed', type=int, default=1)
    parse.add_argument('--count', type=int, default=2000)
    parse.add_argument('--all-units', action='store_true')
    parse.add_argument('--lang', default='DW_LANG_',
                       help='only units whose language begins so (with --all-units)')
    parse.add_argument('--print', action='store_true', dest='show')
    args = parse.parse_args()
    reader = Reader(args.file)
    if args.all_units:
        sites, used = whole_file(reader, args.lang), len(reader.tree.units)
    else:
        sites, used = sample(reader, args.seed, args.count)
    if args.show:
        for site in sites:
            print(show_site(site, reader))
    params = [loc for s in sites for _, loc in s.params]
    print('%s: %d sites of %d units, %d parameters, %d located; seed %d; skipped: %s' %
          (args.file, len(sites), used, len(params),
           sum(loc.want is not None for loc in params), args.seed, dict(reader.skipped)))
    why = collections.Counter(loc.why for loc in params if loc.want is None)
    print('not located: ' + ', '.join('%s %d' % x for x in why.most_common()))
    if args.show:
        return 0
    wanted = None if args.all_units else {s.key[1] for s in sites}
    records = read_records(list_lines(args), wanted)
    bad = compare(sites, records, reader, args.all_units)
    print('%d difference%s' % (bad, '' if bad == 1 else 's'))
    return 1 if bad else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (OSError, ValueError, RuntimeError, Unknown,
            subprocess.CalledProcessError) as e:
        print('second_reader.py: %s' % e, file=sys.stderr)
        sys.exit(2)
