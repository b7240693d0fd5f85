#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What our reader says of x86-64's instructions, against three that know nothing of it.

x86_cases.py's instructions are put together by `as', each with several operands in memory.
objdump's Intel syntax tells each operand's bytes ("DWORD PTR [rsp+0x40]"), llvm-mca whether an
instruction loads and stores, the processor itself (x86_step, one instruction at a time) what it
changed. From these follows, for a slot at every distance, what may be said of it; x86_answer
says what we do. An answer is right, or on the safe side (`stored' where it was not), or wrong.

Where the two disassemblers say nothing of an instruction (memory without a size, "has side
effects"), the tables below do, from the Intel SDM.
"""
import collections
import functools
import os
import re
import subprocess
import tempfile
import unittest

import x86_cases

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.environ.get('X86_TOOLS', os.path.join(HERE, '../../build/tests'))
MCA = ['llvm-mca-19', '-mtriple=x86_64', '-mcpu=znver4', '-skip-unsupported-instructions=any',
       '-instruction-info', '-resource-pressure=false', '-iterations=1', '-summary-view=false']
ANY = 1 << 40

# As instructions number them, and as DWARF does (psABI, figure 3.36).
NAMES = ['rax', 'rcx', 'rdx', 'rbx', 'rsp', 'rbp', 'rsi', 'rdi',
         'r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'r15']
DWARF = [0, 2, 1, 3, 7, 6, 4, 5] + list(range(8, 16))
WORDS = {'BYTE': 1, 'WORD': 2, 'DWORD': 4, 'FWORD': 6, 'QWORD': 8, 'TBYTE': 10, 'OWORD': 16,
         'XMMWORD': 16, 'YMMWORD': 32}

# Bytes of memory that objdump writes without a size: at least, at most.
UNSIZED = {'lea': (0, 0), 'sgdt': (10, 10), 'sidt': (10, 10), 'lgdt': (10, 10), 'lidt': (10, 10),
           'invpcid': (16, 16), 'movdir64b': (64, 64), 'enqcmd': (64, 64), 'fldenv': (28, 28),
           'fnstenv': (28, 28), 'frstor': (108, 108), 'fnsave': (108, 108), 'fxsave': (0, 512),
           'fxsave64': (0, 512), 'fxrstor': (0, 512)}
UNSIZED.update({op: (0, ANY) for op in ['xsave', 'xsave64', 'xsaveopt', 'xsavec', 'xsaves',
                                        'xrstor', 'xrstors']})
# llvm-mca has only "side effects" for these, or both directions where it is one.
DIRECTIONS = {
    '': ['lea', 'nop', 'clflush', 'clflushopt', 'clwb', 'cldemote', 'invlpg', 'prefetch',
         'prefetcht0', 'prefetcht1', 'prefetcht2', 'prefetchnta', 'prefetchw'],
    'r': ['lgdt', 'lidt', 'lldt', 'ltr', 'lmsw', 'lss', 'lfs', 'lgs', 'lar', 'lsl', 'fxrstor',
          'xrstor', 'xrstors', 'ldmxcsr', 'vldmxcsr', 'invpcid', 'invept', 'invvpid', 'vmptrld',
          'vmclear', 'vmxon', 'ptwrite', 'movdir64b', 'enqcmd', 'push', 'call', 'jmp', 'lods',
          'scas', 'cmps', 'outs'],
    'w': ['sgdt', 'sidt', 'smsw', 'fxsave', 'fxsave64', 'xsave', 'xsave64', 'xsaveopt', 'xsavec',
          'xsaves', 'vmptrst', 'movdiri', 'movntq', 'pop', 'stos', 'ins', 'movs', 'vmaskmovps',
          'vmaskmovpd',
          'vpmaskmovd', 'vpmaskmovq'],
}
DIRECTION = {op: way for way, ops in DIRECTIONS.items() for op in ops}
MASKED = ('vmaskmov', 'vpmaskmov')
# A bit whose number is in a register may be far from the operand.
BITS = {'bt', 'bts', 'btr', 'btc'}

Access = collections.namedtuple('Access', 'reg off reads writes')    # (at least, at most)
NONE = (0, 0)
# Where an operand is: the register and the offset that are asked about, the text. Of the
# first ones the two are the operand's, of the second ones they are not; of the third ones
# they are its below 4 GB.
PLAIN = [('rsp', '0x40(%rsp)', 0x40), ('rbx', '(%rbx)', 0), ('rbp', '-0x40(%rbp)', -0x40),
         ('r13', '(%r13)', 0), ('r12', '0x1234(%r12)', 0x1234), ('rdi', '0x7f(%rdi)', 0x7f),
         ('r9', '-0x81(%r9)', -0x81), ('rsi', '8(%rsi)', 8)]
OTHER = [('rsp', '%gs:0x40(%rsp)', 0x40), ('rbx', '%fs:(%rbx)', 0),
         ('rsp', '0x40(%rsp,%rcx,2)', 0x40),
         ('rbp', '0x40(%rip)', 0x40), ('rbp', '0x40', 0x40), ('r12', '(%r12,%r12)', 0),
         ('rcx', '0x40(%rax)', 0x40)]
CUT = [('rsp', '0x40(%esp)', 0x40), ('r12', '(%r12d)', 0)]


def run(cmd, text=None):
    done = subprocess.run(cmd, input=text, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError('%s: %d\n%s' % (cmd, done.returncode, done.stderr[-4000:]))
    return done.stdout


class Insn:
    """One instruction as the assembler and the disassemblers have it."""
    def __init__(self, text, code, intel, mca):
        self.text, self.code, self.intel = text, code, intel
        words = intel.replace('lock ', '').replace('xacquire ', '').split()
        self.rep = words[0].startswith('rep')
        while words[0].startswith(('rep', 'data16', 'notrack', 'bnd')):
            words.pop(0)
        self.op = words[0]
        self.loads, self.stores = mca

    def operands(self):
        """Of objdump's text each operand in memory: place in the list, bytes, segment, inside."""
        args = self.intel.split(self.op, 1)[1]
        for m in re.finditer(r'(?:(\w+) PTR )?(?:(\ws):)?\[([^\]]*)\]', args):
            place = args[:m.start()].count(',')
            if m[1]:
                size = (WORDS[m[1]],) * 2
            elif 'lddqu' in self.op:
                size = (32, 32) if 'ymm' in args else (16, 16)
            else:
                size = UNSIZED[self.op]
            yield place, size, m[2], m[3]

    def way(self, place):
        """Whether an operand is read, and written."""
        if self.op in DIRECTION and not (self.op.startswith(MASKED) and place):
            way = DIRECTION[self.op]
            if self.op == 'movs' and place:
                way = 'r'
            return 'r' in way, 'w' in way
        if not self.loads and not self.stores:
            raise AssertionError('who knows %s (%s)?' % (self.text, self.intel))
        # Intel's first operand is where the result goes
        return self.loads, self.stores and not place

    @functools.cached_property
    def accesses(self):
        """What it does to memory at a register."""
        out = self.stack()
        for place, size, segment, inside in self.operands():
            m = re.fullmatch(r'([a-z0-9]+)(?:([+-])0x([0-9a-f]+))?', inside)
            cut = m and self.cut(m[1])
            if not m or segment in ('fs', 'gs') or (m[1] not in NAMES and not cut):
                continue
            reg = cut or m[1]
            off = int(m[3], 16) * (-1 if m[2] == '-' else 1) if m[3] else 0
            if self.op == 'pop' and reg == 'rsp':
                off += size[0]      # found when the stack pointer has moved
            reads, writes = self.way(place)
            if self.rep:
                size = (0, ANY)
            if self.op in BITS and not re.search(r',0x[0-9a-f]+$', self.intel):
                reads, writes, size = True, False, (0, ANY)
            if self.op.startswith(MASKED):
                size = (0, size[1])
            if cut:
                size = (0, size[1])     # below 4 GB alone it is the same place
            out.append(Access(reg, off, size if reads else NONE, size if writes else NONE))
        if self.op == 'movdir64b' or self.op == 'enqcmd':
            dest = self.intel.split(self.op, 1)[1].split(',')[0].strip()
            out.append(Access(self.whole(dest), 0, NONE, (64, 64)))
        if 'maskmovdqu' in self.op or self.op == 'maskmovq':
            out.append(Access('rdi', 0, NONE, (0, 8 if self.op == 'maskmovq' else 16)))
        return out

    @staticmethod
    def whole(name):
        return name[:-1] if name.endswith('d') else 'r' + name[1:] if name[0] == 'e' else name

    @classmethod
    def cut(cls, name):
        """The whole of a register of 32 bits, None: it is none."""
        return cls.whole(name) if name not in NAMES and cls.whole(name) in NAMES else None

    def narrow(self):
        return bool(re.match(r'(push|pop)f?w|(push|pop) %[a-z]x$', self.text))

    def stack(self):
        """By the SDM's own words on push, pop, call, enter and leave."""
        n = 2 if self.narrow() else 8
        if self.op.startswith('push') or self.op == 'call' or self.op == 'enter':
            return [Access('rsp', -n, NONE, (n, n))]
        if self.op.startswith('pop') and not self.op.startswith('popcnt'):
            return [Access('rsp', 0, (n, n), NONE)]
        if self.op == 'leave':
            return [Access('rbp', 0, (n, n), NONE)]
        return []

    def moves(self):
        """By how much the stack pointer moves."""
        n = 2 if self.narrow() else 8
        if self.op.startswith('push'):
            return -n
        if self.op.startswith('pop') and not self.op.startswith('popcnt'):
            return n
        return -8 - int(self.text.split()[1].strip('$,'), 16) if self.op == 'enter' else 0


def assemble(texts):
    """[Insn] of assembler texts, read by objdump and llvm-mca."""
    with tempfile.TemporaryDirectory() as tmp:
        src, obj = os.path.join(tmp, 'x.s'), os.path.join(tmp, 'x.o')
        with open(src, 'w') as f:
            f.write('\n'.join(texts) + '\n')
        run(['as', src, '-o', obj])
        run(['objcopy', '-O', 'binary', '-j', '.text', obj, obj + '.bin'])
        with open(obj + '.bin', 'rb') as f:
            code = f.read()
        lines = re.findall(r'^\s*([0-9a-f]+):\t(.*)$',
                           run(['objdump', '-d', '-M', 'intel', '--no-show-raw-insn', obj]), re.M)
        mca = run(MCA + [src]).split('Instructions:\n')[1].split('\n\n')[0].splitlines()
    if not len(lines) == len(mca) == len(texts):
        raise AssertionError('%d texts are %d and %d instructions' %
                             (len(texts), len(lines), len(mca)))
    at = [int(addr, 16) for addr, _ in lines] + [len(code)]
    return [Insn(text, code[at[i]:at[i + 1]], re.sub(r'\s*[#<].*', '', lines[i][1]).strip(),
                 ('*' in mca[i][19:26], '*' in mca[i][26:33]))
            for i, text in enumerate(texts)]


def in_slot(access, size, at):
    """Whether an access at `at' from the slot reads it for sure, and may write to it."""
    n = access.reads[0]
    reads = n and ((at <= 0 and at + n >= size) or (at >= 0 and at + n <= size))
    n = access.writes[1]
    return bool(reads), bool(n and at < size and at + n > 0)


class Reader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.memory = (list(x86_cases.whole_numbers()) + x86_cases.ADDRESSES + x86_cases.SYSTEM +
                      x86_cases.X87 + list(x86_cases.vectors()))
        cls.stored = {}     # mov %al, disp32(reg)
        for reg, insn in zip(NAMES, assemble(['mov %%al, 0x11223344(%%%s)' % r for r in NAMES])):
            assert insn.code[-4:] == b'\x44\x33\x22\x11'
            cls.stored[reg] = insn.code[:-4]

    def answers(self, lines):
        return run([os.path.join(TOOLS, 'x86_answer')], '\n'.join(lines) + '\n').splitlines()

    def store(self, reg, off):
        return (self.stored[reg] + (off & 0xffffffff).to_bytes(4, 'little')).hex()

    def ask(self, cases):
        """Asks of (insn, reg, off, size), where memory at reg + off is the slot.

        Twice of each: whether the instruction alone stores; and with a store to the slot
        behind it, whether it reads before. Counts answers right and safe; fails for a wrong one.
        """
        lines, wants = [], []
        for insn, reg, off, size in cases:
            did = [in_slot(a, size, a.off - off) for a in insn.accesses if a.reg == reg]
            read, write = any(r for r, _ in did), any(w for _, w in did)
            case = (insn, size, reg, off)
            where = ' %d %d %d' % (DWARF[NAMES.index(reg)], off, size)
            lines.append(insn.code.hex() + 'c3' + where)
            wants.append((case, '', 1 if write and not read else 0))
            if not self.keeps(insn, reg):
                continue
            moved = insn.moves() if reg == 'rsp' else 0
            lines.append(insn.code.hex() + self.store(reg, off - moved) + 'c3' + where)
            wants.append((case, ', then a store', 0 if read else 1))
        wrong, safe = [], []
        for ((insn, *slot), then, want), got in zip(wants, self.answers(lines)):
            if want != int(got):
                (wrong if want else safe).append('%s (%s): %d bytes at %s%+d%s' % (
                    insn.text, insn.intel, *slot, then))
        self.assertEqual(wrong[:20], [], '%d wrong of %d' % (len(wrong), len(lines)))
        return len(lines), safe

    @staticmethod
    def keeps(insn, reg):
        """Whether the register still says where the slot is."""
        if insn.op in ('call', 'jmp'):
            return False
        if insn.op in ('movs', 'stos', 'lods', 'cmps', 'scas', 'ins', 'outs'):
            return reg not in ('rsi', 'rdi')
        return not (insn.op == 'leave' or (insn.op == 'enter' and reg == 'rbp'))

    @staticmethod
    def around(access, most=64):
        """Slots of every size that lie before, over the edges of, in and behind an access."""
        n = min(max(access.reads[1], access.writes[1]), most)
        for size in (1, 2, 16) if n & 8 else (1, 4, 8):
            for at in {-size - 1, -size, -size + 1, -1, 0, 1, n - size, n - 1, n, n + 1}:
                yield access.off + at, size

    def cases(self, operands, templates, times=1):
        """Every template with so many of the operands, in turn."""
        chosen = [(t, operands[(times * i + k) % len(operands)])
                  for i, t in enumerate(templates) for k in range(times)]
        insns = assemble([t.format(o[1]) for t, o in chosen])
        for insn, (_, (reg, _, off)) in zip(insns, chosen):
            operand = Access(reg, off, NONE, NONE)
            for a in [a for a in insn.accesses if a.reg == reg] or [operand]:
                yield from ((insn, reg, o, size) for o, size in self.around(a))

    def test_operands(self):
        n, safe = self.ask(list(self.cases(PLAIN, self.memory, 2)))
        print('operands: %d answers, %d on the safe side' % (n, len(safe)))
        self.assertGreater(n, 100000)
        self.assertEqual(safe[:10], [])

    def test_other_memory(self):
        """%fs, %gs, an index, the instruction's own address, a number, another register."""
        n, safe = self.ask(list(self.cases(OTHER, self.memory)))
        print('other memory: %d answers, %d on the safe side' % (n, len(safe)))
        self.assertGreater(n, 10000)
        self.assertEqual(safe[:10], [])

    def test_cut_addresses(self):
        both = [t for t in self.memory if not t.startswith(('movdir64b', 'enqcmd'))]
        n, safe = self.ask(list(self.cases(CUT, both)))
        print('addresses of 32 bits: %d answers, %d on the safe side' % (n, len(safe)))
        self.assertGreater(n, 10000)
        self.assertEqual(safe[:10], [])

    def test_implied(self):
        texts = [t.format(o) for t in x86_cases.STACK + x86_cases.STRINGS + x86_cases.IMPLIED
                 for o in (['0x40(%rsp)', '0x40(%rbp)', '%gs:0x40(%rsp)'] if '{}' in t else [''])]
        cases = []
        for insn in assemble(texts):
            for reg in ('rsp', 'rbp', 'rsi', 'rdi'):
                near = [a for a in insn.accesses if a.reg == reg] or [Access(reg, 0, NONE, NONE)]
                cases += [(insn, reg, o, size) for a in near for o, size in self.around(a)]
        n, safe = self.ask(cases)
        # the stack is lost where %rbp, of which nothing is known, is the stack pointer again
        safe = [s for s in safe if not (s.startswith('leave') and ' rsp' in s)]
        print('implied: %d answers, %d on the safe side' % (n, len(safe)))
        self.assertGreater(n, 10000)
        self.assertEqual(safe[:10], [])


class Processor(unittest.TestCase):
    """Bytes and registers that change, as the processor runs them, are those that we say."""
    @classmethod
    def setUpClass(cls):
        step = os.path.join(TOOLS, 'x86_step')
        if not os.path.exists(step):
            raise unittest.SkipTest('another processor')
        if subprocess.run([step], input='', text=True).returncode == 77:
            raise unittest.SkipTest('ptrace is not allowed here')
        memory = (list(x86_cases.whole_numbers()) + x86_cases.ADDRESSES + x86_cases.SYSTEM +
                  x86_cases.X87 + list(x86_cases.vectors()) + x86_cases.STACK)
        # `as' numbers high bytes and low ones of the same registers alike: both are among them
        cls.insns = assemble([t.format(o) for t in memory for o in ('0x40(%rsp)', '0x20(%rbx)')] +
                             x86_cases.STRINGS + x86_cases.IMPLIED + x86_cases.QUIET)
        codes = '\n'.join(i.code.hex() for i in cls.insns) + '\n'
        cls.did = run([step], codes).splitlines()
        cls.said = run([os.path.join(TOOLS, 'x86_answer')], codes).splitlines()

    def test_lengths(self):
        wrong = ['%s: %s' % (i.text, said) for i, said in zip(self.insns, self.said)
                 if int(said.split()[0]) != len(i.code)]
        self.assertEqual(wrong, [])

    def test_registers(self):
        ended, less, more = 0, [], []
        for insn, did, said in zip(self.insns, self.did, self.said):
            end, regs = did.split()[-2:]
            ended += end == '='
            regs, ours = int(regs, 16), int(said.split()[1], 16)
            if regs & ~ours:
                less.append('%s: %x, not %x' % (insn.text, regs, ours))
            if end == '=' and ours & ~regs:
                more.append('%s: %x, not %x' % (insn.text, regs, ours))
        print('registers: %d instructions ran' % ended)
        self.assertEqual(less, [])
        self.assertGreater(ended, 1500)
        # what happens to hold the same number, with four tries
        self.assertLess(len(more), ended / 50, more)

    def test_stores(self):
        lines, names = [], []
        for insn, did in zip(self.insns, self.did):
            for byte in set(did.split()[:-2]):
                m = re.fullmatch(r'(\d+)([+-]\d+)', byte)
                reg, off = int(m[1]), int(m[2])
                lines.append('%sc3 %d %d 1' % (insn.code.hex(), DWARF[reg], off))
                names.append('%s: %s%+d' % (insn.text, NAMES[reg], off))
        print('stores: %d bytes changed' % len(lines))
        self.assertGreater(len(lines), 2000)
        got = run([os.path.join(TOOLS, 'x86_answer')], '\n'.join(lines) + '\n').splitlines()
        # what an instruction reads, it has read before it writes
        wrong = [n for n, g in zip(names, got) if g == '0' and not self.reads(n)]
        self.assertEqual(wrong[:20], [])

    def reads(self, name):
        insn = next(i for i in self.insns if i.text == name.split(': ')[0])
        return any(a.reads[1] and a.writes[1] for a in insn.accesses) or insn.op in BITS


if __name__ == '__main__':
    unittest.main()
