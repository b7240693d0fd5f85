#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Calling conventions, against where gcc and clang say that parameters are at entry.

abi_gen.py's functions are compiled for each machine and linked; llvm-dwarfdump names the
location of each parameter at the function's first byte, abi_dump what lib/abi.c expects
there without having looked at it. The compilers' DWARF is a witness that says nothing of
some parameters, and of others what holds only after the prologue (a copy in the function's
own frame): those are counted, and not compared.

A third of the signatures, chosen by a fixed seed; with ABI_WHOLE=1 in the environment all.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile
import unittest

import abi_gen

HERE = os.path.dirname(os.path.abspath(__file__))
ABI_DUMP = os.environ.get('ABI_DUMP', os.path.join(HERE, '../../build/tests/abi_dump'))
DWARFDUMP = 'llvm-dwarfdump-19'
LINKER = 'ld.lld-19'
WHOLE = os.environ.get('ABI_WHOLE', '0') != '0'

# By the psABIs: integer registers by DWARF number, those that pass
# parameters, their bytes, the stack pointer, and where
# the canonical frame address and the arguments on the stack are at the first byte, from it.
Machine = collections.namedtuple('Machine', 'gprs passing word sp cfa args homes by_reference',
                                 defaults=(0, False))
X86_64 = Machine(set(range(16)), {5, 4, 1, 2, 8, 9}, 8, 7, 8, 8)
I386 = Machine(set(range(8)), {0, 2, 1}, 4, 4, 4, 4)
AARCH64 = Machine(set(range(32)), set(range(8)), 8, 31, 0, 0, by_reference=True)
ARM = Machine(set(range(16)), set(range(4)), 4, 13, 0, 0)
S390X = Machine(set(range(16)), set(range(2, 7)), 8, 15, 160, 160, by_reference=True)
PPC64LE = Machine(set(range(32)), set(range(3, 11)), 8, 1, 0, 32, homes=32 + 64)
RISCV64 = Machine(set(range(32)), set(range(10, 18)), 8, 2, 0, 0, by_reference=True)
LOONGARCH64 = Machine(set(range(32)), set(range(4, 12)), 8, 3, 0, 0, by_reference=True)

PARAM = re.compile(r'^0x[0-9a-f]+:( +)(DW_TAG_\w+|NULL)')
ATTR = re.compile(r'^\s+DW_AT_(\w+)\s+\((.*)')
RANGE = re.compile(r'^\s+\[0x([0-9a-f]+), 0x([0-9a-f]+)\): (.*?)\)?$')
NARROWS = re.compile(r'DW_OP_(constu 0xffffffff|and|convert .*)$')
ROW = re.compile(r'^\s+0x([0-9a-f]+): CFA=(\S+?)(?::|$)')


def run(*cmd):
    done = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise AssertionError('%s\n%s%s' % (' '.join(cmd), done.stdout[-2000:],
                                           done.stderr[-4000:]))
    return done.stdout


class Function:
    def __init__(self):
        self.name = self.low = self.frame = None
        self.params = []        # the expression at the first byte, or None

    def pick(self, text, ranges):
        """The expression that holds at the first byte."""
        if not ranges:
            return text
        for begin, end, expr in ranges:
            if begin <= self.low < end:
                return expr
        return None


def functions(path):
    """The functions of a linked file, by llvm-dwarfdump."""
    found, func, depth, tag, attrs = [], None, 0, None, {}

    def close():
        nonlocal func
        if tag == 'DW_TAG_subprogram' and 'low_pc' in attrs:
            func = Function()
            name = attrs.get('name') or attrs['abstract_origin']
            func.name = re.search(r'"(.*?)"', name[0]).group(1)
            func.low = int(attrs['low_pc'][0].rstrip(')'), 16)
            func.frame = attrs.get('frame_base', ('',))[0].rstrip(')')
            found.append(func)
        elif tag == 'DW_TAG_formal_parameter' and depth == 2 and func:
            text, ranges = attrs.get('location', (None, None))
            text = text.rstrip(')') if text else None
            func.params.append(func.pick(text, ranges))

    last = None
    for line in run(DWARFDUMP, '--debug-info', path).split('\n'):
        m = PARAM.match(line)
        if m:
            close()
            depth, tag, attrs = len(m.group(1)) // 2, m.group(2), {}
            if depth == 1:
                func = None
            continue
        m = RANGE.match(line)
        if m and last:
            attrs[last][1].append((int(m.group(1), 16), int(m.group(2), 16), m.group(3)))
            continue
        m = ATTR.match(line)
        if m:
            last = m.group(1)
            attrs[last] = (m.group(2), [])
    close()
    return found


def still_frames(path):
    """Addresses of the functions that never move their stack pointer."""
    still, start, rows = set(), None, set()
    for line in run(DWARFDUMP, '--debug-frame', '--eh-frame', path).split('\n') + ['FDE']:
        if ' FDE ' in line or line == 'FDE':
            if start is not None and len(rows) == 1:
                still.add(start)
            rows, start = set(), None
        m = ROW.match(line)
        if m:
            start = int(m.group(1), 16) if start is None else start
            rows.add(m.group(2))
    return still


class Judge:
    """The forms that expectations have, out of expressions as llvm-dwarfdump prints them."""

    def __init__(self, machine):
        self.m = machine

    def simple(self, ops, func, still):
        """('reg', n), ('mem', register, offset), or what is neither."""
        value = ops[-1] == 'DW_OP_stack_value' and len(ops) > 1
        if value:
            ops = [o for o in ops[:-1] if not NARROWS.match(o)]
            value = not ops[-1].startswith('DW_OP_deref_size')
            ops = ops if value else ops[:-1]    # memory, narrowed
        op = ops[0]
        if len(ops) != 1:
            return ('other', ', '.join(ops))
        m = re.match(r'DW_OP_regx S(\d+)$', op)
        if m:
            return ('reg', int(m.group(1)))     # half of r<n>, as clang names it on ppc64
        if op.startswith('DW_OP_regx '):
            return ('reg', op)          # above 31: else never an integer register
        m = re.match(r'DW_OP_reg(\d+)\b', op)
        if m:
            return ('reg', int(m.group(1)))
        m = re.match(r'DW_OP_breg(\d+) \S*?([+-](?:0x)?[0-9a-f]+)$', op)
        if m:
            reg, off = int(m.group(1)), int(m.group(2))
            if value:
                return ('other', op) if off else ('reg', reg)
            # gcc names its own frame so where it realigns the stack
            if reg == self.m.sp and (not still or func.frame == 'DW_OP_call_frame_cfa'):
                return ('later',)
            return self.memory(reg, off)
        m = re.match(r'DW_OP_fbreg ([+-]?(?:0x)?[0-9a-f]+)$', op)
        if m and not value:
            off = int(m.group(1))
            if func.frame == 'DW_OP_call_frame_cfa':
                return self.memory(self.m.sp, off + self.m.cfa)
            m = re.match(r'DW_OP_reg(\d+)\b', func.frame)
            if m and int(m.group(1)) == self.m.sp and still:
                return self.memory(self.m.sp, off)
            return ('later',)
        return ('other', op)

    def memory(self, reg, off):
        # in its own frame, or where it keeps the registers: not before the prologue
        if reg == self.m.sp and off < self.m.args:
            return ('later',)
        return ('mem', reg, off)

    def form(self, expr, func, still):
        """What the expression reads, and how many bytes where it says so."""
        if not expr or 'entry_value' in expr or 'implicit' in expr:
            return None, None
        pieces, part = [], []
        for op in re.split(r', (?=DW_OP_)', expr):
            m = re.match(r'DW_OP_(bit_)?piece (\w+)', op)
            if m:
                size = int(m.group(2), 0) // (8 if m.group(1) else 1)
                pieces.append((self.simple(part, func, still) if part else ('none',), size))
                part = []
            else:
                part.append(op)
        if not pieces:
            got = self.simple(part, func, still)
            return got, self.m.word if got[0] == 'reg' and got[1] in self.m.gprs else None
        return self.whole(pieces), sum(size for f, size in pieces if f != ('none',))

    def whole(self, pieces):
        forms = [f for f, _ in pieces]
        if ('later',) in forms:
            return ('later',)
        if len(forms) == 1:
            return forms[0]
        if all(f[0] == 'mem' for f in forms):
            at = 0
            for f, size in pieces:
                if f[1:] != (forms[0][1], forms[0][2] + at):
                    return ('pieces', forms)
                at += size
            return forms[0]
        if all(f[0] == 'reg' and f[1] in self.m.gprs for f in forms):
            return self.registers(pieces)
        return ('pieces', forms)

    def registers(self, pieces):
        """Registers, where one may be named for each part of the value in it."""
        words, at = {}, 0
        for (_, reg), size in pieces:
            if words.setdefault(at // self.m.word, reg) != reg:
                return ('pieces', [f for f, _ in pieces])
            at += size
        got = [words[i] for i in sorted(words)]
        return ('regs', *got) if len(got) == 2 else ('pieces', [('reg', r) for r in got])


def expected(path):
    """{(function, index): what abi_dump expects}"""
    out = {}
    for line in run(ABI_DUMP, path).split('\n'):
        if line:
            name, index, *where = line.split()
            out[name, int(index)] = tuple(int(w) if w.lstrip('-').isdigit() else w
                                          for w in where)
    return out


class Abi(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.dir = temp.name

    def build(self, compiler, wide, floats, body, *flags):
        src, obj, out = (os.path.join(self.dir, n) for n in ('x.c', 'x.o', 'x'))
        with open(src, 'w') as f:
            text, self.params = abi_gen.source(wide, floats, body, WHOLE)
            f.write(text)
        # gcc would make one function of two that do the same
        apart = () if 'clang' in compiler else ('-fno-ipa-icf',)
        run(*compiler.split(), *apart, '-g', '-gdwarf-5', '-w', '-c', '-ffreestanding',
            '-fno-stack-protector', '-fasynchronous-unwind-tables', *flags, src, '-o', obj)
        run(LINKER, '-e', '0', '--unresolved-symbols=ignore-all', obj, '-o', out)
        return out

    def compare(self, machine, path, body):
        judge, want = Judge(machine), expected(path)
        still = still_frames(path)
        count, wrong = collections.Counter(), []
        for func in functions(path):
            for i, expr in enumerate(func.params):
                w = want.pop((func.name, i))
                got, size = judge.form(expr, func, func.low in still)
                verdict = self.verdict(machine, w, got, size)
                if verdict == 'wrong' and body and self.is_loaded(machine, w, got):
                    verdict = 'loaded'
                count[verdict] += 1
                if verdict == 'wrong':
                    wrong.append('%s %d: %s, expected %s' % (
                        self.signature(func.name), i, expr, w))
        self.assertEqual(want, {}, 'parameters that the second reader did not see')
        return count, wrong

    def signature(self, name):
        with open(os.path.join(self.dir, 'x.c')) as f:
            return re.search(r'^.* %s\(.*' % name, f.read(), re.M).group(0)

    def verdict(self, machine, want, got, size):
        if got is None:
            return 'no location'
        if got == ('later',):
            return 'not yet'
        if want[0] in ('unknown', 'nowhere'):
            return want[0]
        if got[0] in ('reg', 'mem') and want[0] in ('mem', 'elsewhere') and \
                got[1] in machine.gprs - machine.passing - {machine.sp}:
            return 'loaded'     # no value comes in one of these
        if got[0] == 'mem' and got[1] != machine.sp and not machine.by_reference:
            return 'not yet'    # a copy, with more alignment
        # ppc64le: the callee's copy of what is in registers, in its caller's frame
        if got[0] == 'mem' and got[1] == machine.sp and machine.homes and (
                want[0] == 'elsewhere' or want[0] != 'mem' and got[2] < machine.homes):
            return 'not yet'
        if size is not None and size < want[-1]:
            return self.partial(want, got)
        if want[0] == 'elsewhere':
            said = got[0] in ('mem', 'regs') or (got[0] == 'reg' and got[1] in machine.gprs)
            return 'wrong' if said else 'elsewhere'
        return want[0] if got == want[:-2] else 'wrong'

    def is_loaded(self, machine, want, got):
        """Whether it may be what is so once it has been loaded, or an address copied.

        Of what is on the stack or passed by reference both compilers name, from the first
        byte on, the registers that their first instructions put it into. Functions without
        a body have none of these.
        """
        forms = got[1] if got[0] == 'pieces' else [got]
        if want[0] == 'reg':
            return got[0] == 'reg' and got[1] not in machine.gprs       # a float
        return want[0] in ('mem', 'elsewhere') and all(
            f[0] in ('reg', 'regs', 'none') or f[0] == 'mem' and f[1] != machine.sp
            for f in forms)

    def partial(self, want, got):
        """Some of its bytes: in the registers, or the memory, that we name too."""
        forms = [f for f in (got[1] if got[0] == 'pieces' else [got]) if f != ('none',)]
        if want[0] in ('reg', 'regs'):
            ok = all(f[0] in ('reg', 'regs') and set(f[1:]) <= set(want[1:-2])
                     for f in forms)
        elif want[0] == 'mem':
            ok = all(f[0] == 'mem' and f[1] == want[1] for f in forms)
        else:
            ok = True
        return 'partial' if ok else 'wrong'

    def check(self, machine, compiler, *flags, floats=True, bodies=True):
        for body in (False, True) if bodies else (False,):
            with self.subTest(compiler=compiler, flags=' '.join(flags), body=body):
                path = self.build(compiler, machine.word == 8, floats, body, *flags)
                count, wrong = self.compare(machine, path, body)
                if os.environ.get('ABI_VERBOSE'):
                    print(compiler, *flags, 'body' if body else '', dict(count), flush=True)
                self.assertFalse(wrong, '%d wrong\n%s' % (len(wrong), '\n'.join(wrong[:40])))
                self.enough(machine, count, body)

    def enough(self, machine, count, body):
        """That the witness and we have said something of most parameters.

        Every parameter of the source has been looked at. Without a body a register, or the
        stack, is named for one in seven at least: the first of most functions is an integer,
        and sixteen are more than any machine's registers. With a body and optimized, most are
        named later only.
        """
        total = sum(count.values())
        self.assertEqual(total, self.params)
        self.assertGreater(count['reg'], total * (.02 if body else .15), count)
        # behind what is unknown all is: the more of a file are long mixes, the more it is
        self.assertLess(count['unknown'], total * (.6 if body else .3), count)
        self.assertLess(count['loaded'], total * (.15 if body else .005), count)
        if not body:
            self.assertGreater(count['mem'], total * .15, count)
            # structs of two words; s390x has none of these
            if machine is not S390X:
                self.assertGreater(count['regs'] + count['partial'], total * .0015, count)


class Machines(Abi):
    def test_x86_64_clang(self):
        self.check(X86_64, 'clang-19', '-O1')

    def test_x86_64_gcc(self):
        self.check(X86_64, 'gcc', '-O2')

    def test_i386_clang(self):
        self.check(I386, 'clang-19 --target=i686-linux-gnu', '-O1', '-mregparm=3',
                   '-freg-struct-return')

    def test_i386_gcc(self):
        self.check(I386, 'i686-linux-gnu-gcc', '-O2', '-mregparm=3', '-freg-struct-return')

    def test_aarch64_clang(self):
        self.check(AARCH64, 'clang-19 --target=aarch64-linux-gnu', '-O1')

    def test_aarch64_gcc(self):
        self.check(AARCH64, 'aarch64-linux-gnu-gcc', '-O2')

    def test_arm_hard_clang(self):
        self.check(ARM, 'clang-19 --target=arm-linux-gnueabihf', '-O1', '-mfloat-abi=hard')

    def test_arm_hard_gcc(self):
        self.check(ARM, 'arm-linux-gnueabihf-gcc', '-O2')

    def test_arm_soft_clang(self):
        self.check(ARM, 'clang-19 --target=arm-linux-gnueabi', '-O1', '-mfloat-abi=soft')

    def test_arm_soft_gcc(self):
        self.check(ARM, 'arm-linux-gnueabihf-gcc', '-O2', '-marm', '-march=armv7-a',
                   '-mfloat-abi=soft')

    def test_s390x_clang(self):
        self.check(S390X, 'clang-19 --target=s390x-linux-gnu', '-O1')

    def test_s390x_gcc(self):
        self.check(S390X, 's390x-linux-gnu-gcc', '-O2')

    def test_ppc64le_clang(self):
        self.check(PPC64LE, 'clang-19 --target=powerpc64le-linux-gnu', '-O1')

    def test_ppc64le_gcc(self):
        self.check(PPC64LE, 'powerpc64le-linux-gnu-gcc', '-O2')

    def test_riscv64_lp64d_clang(self):
        self.check(RISCV64, 'clang-19 --target=riscv64-linux-gnu', '-O1',
                   '-march=rv64gc', '-mabi=lp64d')

    def test_riscv64_lp64d_gcc(self):
        self.check(RISCV64, 'riscv64-linux-gnu-gcc', '-O2')

    def test_riscv64_lp64_clang(self):
        self.check(RISCV64, 'clang-19 --target=riscv64-linux-gnu', '-O1',
                   '-march=rv64imac', '-mabi=lp64')

    def test_riscv64_lp64_gcc(self):
        self.check(RISCV64, 'riscv64-linux-gnu-gcc', '-O2', '-march=rv64imac', '-mabi=lp64')

    def test_loongarch64_lp64d_clang(self):
        self.check(LOONGARCH64, 'clang-19 --target=loongarch64-linux-gnu', '-O1',
                   '-mabi=lp64d')

    def test_loongarch64_lp64s_clang(self):
        self.check(LOONGARCH64, 'clang-19 --target=loongarch64-linux-gnu', '-O1',
                   '-msoft-float', '-mabi=lp64s')


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], '-v'] + sys.argv[1:])
