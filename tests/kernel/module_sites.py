#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Inline sites of a relocatable file as llvm-dwarfdump itself places them.

    module_sites.py FILE [-B BASE] [--count N] [--seed S]

In a .o or .ko llvm-dwarfdump -v prints each address as an offset with its section's name.
Nothing is laid out or relocated here: the entry, the function's name and its parameters'
names are read off the text, of N random sites (all without --count) in random units, and
looked for in what `btflocs list -j` says. Exit status: 0 all are there, 1 not, 2 trouble.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys

from dwarf_text import Tree, walk

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get('BTFLOCS', os.path.join(HERE, '../../build/btflocs'))
# an address and its section; a range has its section behind its end
PLACE = re.compile(r'0x([0-9a-f]+) "([^"]+)"')
RANGE = re.compile(r'\[0x([0-9a-f]+), 0x([0-9a-f]+)\) "([^"]+)"')


class VerboseTree(Tree):
    def _dump(self, args):
        run = subprocess.run(['llvm-dwarfdump', '-v', *args, self.path],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if b'DW_TAG_' not in run.stdout:
            raise ValueError('llvm-dwarfdump finds no DIE in %s' % self.path)
        return run.stdout.decode('utf-8', 'replace')


def place(die, attr):
    """(section, offset) or None."""
    found = PLACE.search(die.text(attr) or '')
    return (found.group(2), int(found.group(1), 16)) if found else None


def entry(die):
    """(section, offset) of a site's entry, by whatever says it, or None."""
    low = place(die, 'low_pc')
    found = [(sec, int(a, 16), int(b, 16))
             for a, b, sec in RANGE.findall(die.text('ranges') or '')]
    full = [(sec, a) for sec, a, b in found if a != b] or [(s, a) for s, a, _ in found]
    if die.text('entry_pc') is not None:
        at = place(die, 'entry_pc')
        if at:
            return at
        # an offset from the base address, DWARF 5, 2.18
        base = low or (found[0][:2] if found else None)
        return base and (base[0], base[1] + int(die.text('entry_pc').split()[0], 0))
    return low or (full[0] if full else None)


def origin(tree, die):
    """The abstract instance."""
    for _ in range(16):
        text = die.text('abstract_origin') or die.text('specification')
        if text is None:
            return die
        off = re.search(r'\{0x([0-9a-f]+)\}', text) or re.match(r'0x([0-9a-f]+)', text)
        die = tree.get(int(off.group(1), 16))
    raise ValueError('origins of origins at %#x' % die.off)


def name(tree, die):
    found = re.search(r'"([^"]*)"$', (origin(tree, die).text('name') or '').rstrip(')'))
    return found.group(1) if found else ''


def unit_sites(tree, unit):
    """(DIE's offset, (section, offset), function, parameters' names) of each."""
    out = []
    for die in walk(tree.load(unit)):
        if die.tag != 'DW_TAG_inlined_subroutine':
            continue
        at, func = entry(die), origin(tree, die)
        if at and name(tree, func):
            out.append((die.off, at, name(tree, func), [
                name(tree, c) for c in func.children if c.tag == 'DW_TAG_formal_parameter']))
    return out


def random_sites(path, count, rng):
    """@count sites of random units; fewer where the file has no more. All: None."""
    tree = VerboseTree(path)
    units = [u for u in tree.units if u.kind == 1]
    rng.shuffle(units)
    sites = []
    for unit in units:
        some = unit_sites(tree, unit)
        if count is not None:
            # a few of each unit, so that several are seen
            some = rng.sample(some, min(len(some), max(5, count // 4), count - len(sites)))
        sites += some
        if count is not None and len(sites) >= count:
            break
    tree.elf.file.close()
    return sites


def listed(path, bases):
    cmd = [BTFLOCS, 'list', '-j', *[x for b in bases for x in ('-B', b)], path]
    said = json.loads(subprocess.run(cmd, check=True, stdout=subprocess.PIPE).stdout)
    out = collections.defaultdict(list)
    for r in said:
        if r['kind'] != 'func':
            out[r['section'], r['offset']].append((r['func'], [p['name'] for p in r['params']]))
    return out


def compare(path, bases, count=None, seed=1):
    """(sites compared, lines that tell of differences)."""
    sites = random_sites(path, count, random.Random(seed))
    records, bad = listed(path, bases), []
    for off, at, func, params in sites:
        if (func, params) not in records[at]:
            bad.append('%s: DIE %#x: %s+%#x %s(%s): there is %s' % (
                path, off, *at, func, ', '.join(params), records[at]))
    return len(sites), bad


def main():
    parse = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parse.add_argument('file')
    parse.add_argument('-B', action='append', default=[], dest='bases')
    parse.add_argument('--count', type=int)
    parse.add_argument('--seed', type=int, default=1)
    args = parse.parse_args()
    nr, bad = compare(args.file, args.bases, args.count, args.seed)
    print('\n'.join(bad + ['%s: %d sites, %d differ' % (args.file, nr, len(bad))]))
    return 1 if bad else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (OSError, ValueError, subprocess.CalledProcessError) as e:
        print('module_sites.py: %s' % e, file=sys.stderr)
        sys.exit(2)
