#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""gdb as one more judge: a sample of the inline sites, asked for with `info scope *ADDR`.

    gdb_scope.py VMLINUX [--section FILE] [--seed N] [--count N]

gdb shows the innermost block that has the address in it, each symbol with all entries of
its location list. It ignores views: what it would take is the first entry with
begin <= address < end. A location of ours is right if that entry reads the same, or,
where views decide, another entry that begins or ends at the address. Exit status: 0 all
right, 1 a difference, 2 trouble.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys

import dwarf_value
from dwarf_frames import Frames, Unknown
from dwarf_run import Machine, Unfit
from dwarf_text import Elf
from dwarf_value import Type
from second_reader import from_json, list_lines

NAMES = 'rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip'.split()
RANGE = re.compile(r'Range 0x([0-9a-f]+)-0x([0-9a-f]+): ')


class Place:
    def __init__(self, elf):
        self.frames = Frames(elf)
        self.machine = Machine(elf.machine, elf.addr_size, 'little')

    def operators(self, text, addr):
        """What gdb says in words, as a list of operators."""
        text = text.strip()
        if not text:                    # optimized out
            return None
        out = []
        for part in re.split(r', and (?=an? |static |the )', text):
            size = re.search(r' \[(\d+)-byte piece\]$', part)
            empty = re.match(r'an empty (\d+)-byte piece', part)
            if not empty:
                out += self.simple(part[:size.start()] if size else part, addr)
            if size or empty:
                out.append(('piece', int((size or empty).group(1))))
        return out

    def simple(self, text, addr):
        match = re.fullmatch(r'a variable in \$(\w+)', text)
        if match:
            return [('reg', NAMES.index(match.group(1)) if match.group(1) in NAMES else 99)]
        match = re.fullmatch(r'a variable at offset (-?\d+) from base reg \$(\w+)', text)
        if match:
            return [('breg', NAMES.index(match.group(2)), int(match.group(1)))]
        match = re.fullmatch(r'static storage at address 0x([0-9a-f]+)', text)
        if match:
            return [('addr', int(match.group(1), 16))]
        match = re.match(r'(?:the constant|a constant with value) (-?\d+)', text)
        if match:
            return [('const', int(match.group(1))), ('stack_value',)]
        if text.startswith('a complex DWARF expression:'):
            return [self.operator(line.split(': ', 1)[1].split(), addr)
                    for line in text.split('\n')[1:] if ': DW_OP_' in line]
        raise Unknown('gdb says %r' % text)

    def operator(self, words, addr):
        name = words[0].removeprefix('DW_OP_').removeprefix('GNU_')
        match = re.fullmatch(r'(breg|lit)(\d+)', name)
        if match and match.group(1) == 'lit':
            return 'const', int(match.group(2))
        if match:
            return 'breg', int(match.group(2)), int(words[1])
        if name in ('fbreg', 'call_frame_cfa'):
            reg, off = self.frames.cfa(addr)
            return 'breg', reg, off + (int(words[1]) if name == 'fbreg' else 0)
        if name.startswith('const'):
            return 'const', int(words[1])
        numbers = [int(w, 0) for w in words[1:] if re.fullmatch(r'-?\d+|0x[0-9a-f]+', w)]
        return (name, *numbers)


def ask(path, addrs):
    """gdb's (function, {symbol: (entries, length)}) of each address."""
    cmd = ['gdb', '-nx', '-batch', '-iex', 'set auto-load no']
    for addr in addrs:
        cmd += ['-ex', 'info scope *%#x' % addr]
    text = subprocess.run([*cmd, path], check=True, capture_output=True, text=True).stdout
    out = {}
    for part in re.split(r'^Scope for \*', text, flags=re.M)[1:]:
        addr, rest = part.split(':\n', 1) if ':\n' in part else (part.split(':')[0], '')
        func, symbols = None, {}
        for said in re.split(r'^Symbol (?=\w+ is )', rest, flags=re.M)[1:]:
            name, what = said.split(' is ', 1)
            match = re.fullmatch(r'(.*), length (\d+)\.\n', what, re.S)
            what, size = (match.group(1), int(match.group(2))) if match else ('', 0)
            if func is None and what.startswith('a function at'):
                func = name
            else:
                symbols[name] = entries(what), size
        out[int(addr, 16)] = func, symbols
    return out


def entries(what):
    """[(begin, end, text)]; begin None: it holds everywhere."""
    if not what.startswith('multi-location:'):
        return [(None, None, what)]
    found = list(RANGE.finditer(what))
    ends = [m.start() for m in found[1:]] + [len(what)]
    return [(int(m.group(1), 16), int(m.group(2), 16),
             re.sub(r'\s*(Base address \S+\s*)?$', '', what[m.end():end]))
            for m, end in zip(found, ends)]


def verdict(param, symbol, addr, place):
    """same, views, none (no form of the section says it), left out or DIFFERENT."""
    loc, (listed, length) = param['loc'], symbol
    words = param['type'].split()
    kind = 'ptr' if '*' in param['type'] else 'agg' if words[0] in ('struct', 'union') else \
        'bool' if words[-1] in ('bool', '_Bool') else 'int'
    ptype = Type(length, bool(loc and loc.get('signed')), kind)
    first, taken = next(((begin, text) for begin, end, text in listed
                         if begin is None or begin <= addr < end), (None, None))
    ops = place.operators(taken, addr) if taken else None
    if loc is None:
        if ops is None or dwarf_value.reduce(ops, ptype, place.machine).want is None:
            return 'none'
        # what begins there may be assigned by the first statement, which only views tell,
        # or not be stored yet; of a bool's register gcc may mean one bit
        return 'left out' if first == addr or kind == 'bool' else 'DIFFERENT'
    got = from_json(loc, place.machine.number)
    if ops and dwarf_value.agrees(got, tuple(ops), ptype, place.machine):
        return 'same'
    for begin, end, text in listed:
        if begin is not None and addr in (begin, end) and text != taken:
            ops = place.operators(text, addr)
            if ops and dwarf_value.agrees(got, tuple(ops), ptype, place.machine):
                return 'views'
    return 'DIFFERENT'


def sample(args):
    """Records of @count addresses, by address."""
    groups = collections.defaultdict(list)
    for line in list_lines(args):
        line = line.strip().rstrip(',')
        if line.startswith('{') and '"kind":"func"' not in line:
            groups[line.split('"', 4)[3]].append(line)
    addrs = random.Random(args.seed).sample(sorted(groups), args.count)
    return {int(addr, 16): [json.loads(line) for line in groups[addr]] for addr in addrs}


def main():
    parse = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parse.add_argument('file')
    parse.add_argument('--section')
    parse.add_argument('--seed', type=int, default=1)
    parse.add_argument('--count', type=int, default=300)
    args = parse.parse_args()
    args.json = None
    place, chosen = Place(Elf(args.file)), sample(args)
    count, sites = collections.Counter(), 0
    for addr, (func, symbols) in ask(args.file, sorted(chosen)).items():
        records = [r for r in chosen[addr] if r['func'] == func]
        if len(records) != 1:           # gdb shows another block, or one of several
            continue
        sites += 1
        for param in records[0]['params']:
            if param['name'] not in symbols:
                count['none' if param['loc'] is None else 'DIFFERENT'] += 1
                continue
            said = verdict(param, symbols[param['name']], addr, place)
            count[said] += 1
            if said == 'DIFFERENT':
                print('DIFFERENCE: %#x %s: %s' % (addr, func, json.dumps(param)))
                for begin, end, text in symbols[param['name']][0]:
                    print('    %s %s' % ('%#x-%#x' % (begin, end) if begin else '', text))
    print('gdb: %d addresses, %d of them a site that it shows: %d parameters the same, %d by '
          'an entry that it passes over (views), %d without a location, %d left out though gdb '
          'has one, %d different' %
          (len(chosen), sites, count['same'], count['views'], count['none'],
           count['left out'], count['DIFFERENT']))
    return 1 if count['DIFFERENT'] or not count['same'] else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (OSError, ValueError, RuntimeError, Unknown, Unfit,
            subprocess.CalledProcessError) as e:
        print('gdb_scope.py: %s' % e, file=sys.stderr)
        sys.exit(2)
