# SPDX-License-Identifier: GPL-2.0-only
"""DWARF expressions and locations, both read on machines that are made up.

Part of the second reader. A location is right if it reads, on every machine state, the
bytes that the expression gives: nothing is known here of how the program reduces one to
the other. States are random, with registers and memory that hold zeros, ones and
the expression's own numbers more often than chance would have it.
"""
import random

# What no tracer can fetch is beyond these: numbers of the general registers by e_machine.
GENERAL = {62: range(0, 17), 3: range(0, 9), 183: range(0, 32), 22: range(0, 16),
           40: range(0, 16), 243: range(0, 32), 21: range(0, 32), 8: range(0, 32),
           258: range(0, 32)}
STATES, MORE = 40, 2000     # the second for what computes


class Unfit(Exception):
    """No value is to be had from the expression."""


def cut(num, size, signed=False):
    num &= (1 << 8 * size) - 1
    if signed and num >> (8 * size - 1) & 1:
        num -= 1 << 8 * size
    return num


class State:
    """Registers and memory, made up as they are asked for. @slide: how far the program
    was moved from where it was linked."""

    def __init__(self, seed, machine, pool):
        self.rng = random.Random(seed)
        self.machine, self.pool = machine, pool
        self.regs, self.blocks = {}, {}
        self.slide = cut(self.rng.getrandbits(47) << 12, machine.word)
        self.grain = self.rng.choice((1, 2, 4, 8))
        self.phase = self.rng.randrange(8)

    def number(self, size):
        if self.rng.random() < 0.5:
            return self.rng.getrandbits(8 * size)
        return cut(self.rng.choice(self.pool), size)

    def reg(self, num):
        if num not in self.regs:
            self.regs[num] = self.number(self.machine.word)
        return self.regs[num]

    def load(self, addr, size):
        """The bytes at an address, lowest first."""
        out = bytearray()
        for at in range(addr, addr + size):
            block, i = divmod(cut(at, self.machine.word) + self.phase, self.grain)
            if block not in self.blocks:
                self.blocks[block] = self.number(self.grain).to_bytes(self.grain,
                                                                      self.machine.order)
            out.append(self.blocks[block][i])
        return bytes(out)


class Machine:
    def __init__(self, number, word, order):
        self.number, self.word, self.order = number, word, order
        self.general = GENERAL.get(number, range(0))
        self.big = order == 'big'

    def states(self, ops, first, count):
        """Some of an expression's states, with its numbers in them."""
        pool = {0, 1, -1, 1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1, 0x80, 0xff00}
        for op in ops:
            for num in op[1:]:
                if isinstance(num, int):
                    pool.update((num, num - 1, num + 1, -num))
        pool = sorted(pool)
        return [State(i, self, pool) for i in range(first, first + count)]


class Run:
    """One evaluation. @loads: the (address, size) that were read."""

    def __init__(self, ops, state):
        self.state, self.machine = state, state.machine
        self.word, self.loads = self.machine.word, []
        self.stack, self.what, self.pieces = [], None, []
        self.varies = False             # whether the state has been looked at
        for op in ops:
            self.step(op)

    # what stands on the stack: (number, type), type None being the generic one
    def pop(self):
        if not self.stack:
            raise Unfit('an empty stack')
        return self.stack.pop()

    def push(self, num, vtype=None):
        self.stack.append((cut(num, vtype[0], vtype[1]) if vtype else
                           cut(num, self.word), vtype))

    def step(self, op):
        name = op[0]
        if name in ('nop', 'uninit'):   # uninit: a remark of gcc's, no other place
            return
        if name == 'piece':
            self.piece(op[1])
        elif self.what is not None:
            raise Unfit('an operator behind the location')
        elif name == 'reg':
            self.what = ('reg', op[1])
        elif name == 'implicit_value':
            self.what = ('implicit', op[1])
        elif name == 'stack_value':
            self.what = ('value', *self.pop())
        elif name in BINARY:
            self.binary(name)
        elif name in ('lit', 'const'):
            self.push(op[1])
        elif name == 'breg':
            self.varies = True
            self.push(self.state.reg(op[1]) + op[2])
        elif name == 'addr':
            self.varies = True
            self.push(op[1] + self.state.slide)
        elif name == 'regval_type':
            self.varies = True
            self.push(self.state.reg(op[1]), self.integer(op[2]))
        elif name == 'const_type':
            self.push(int.from_bytes(op[2], self.machine.order), self.integer(op[1]))
        elif name in ('deref', 'deref_size', 'deref_type'):
            self.deref(op)
        else:
            self.other(op)

    def other(self, op):
        name = op[0]
        if name in ('dup', 'over', 'pick'):
            at = {'dup': 0, 'over': 1}.get(name)
            at = op[1] if at is None else at
            if at >= len(self.stack):
                raise Unfit('an empty stack')
            self.stack.append(self.stack[-1 - at])
            return
        if name in ('swap', 'rot'):
            depth = 2 if name == 'swap' else 3
            if len(self.stack) < depth:
                raise Unfit('an empty stack')
            self.stack.insert(-depth + 1 or len(self.stack), self.stack.pop())
            return
        if name == 'drop':
            self.pop()
        elif name == 'plus_uconst':
            num, vtype = self.pop()
            self.push(num + op[1], vtype)
        elif name in ('neg', 'not', 'abs'):
            num, vtype = self.pop()
            if name == 'abs':
                num = abs(cut(num, vtype[0] if vtype else self.word, True))
            self.push({'neg': -num, 'not': ~num, 'abs': num}[name], vtype)
        elif name in ('convert', 'reinterpret'):
            num, vtype = self.pop()
            self.push(num, self.integer(op[1]) if op[1] else None)
        else:
            raise Unfit(str(op[1]) if name == 'unknown' else name)

    @staticmethod
    def integer(vtype):
        if vtype[2] == 'float':
            raise Unfit('floating point')
        if vtype[2] == 'bool':          # x != 0, or its lowest byte: readers differ
            raise Unfit('a conversion to a truth value')
        if not vtype[0] or vtype[0] > 8:
            raise Unfit('a type of %s bytes' % vtype[0])
        return vtype

    def deref(self, op):
        addr, vtype = self.pop()
        size = self.word if op[0] == 'deref' else op[1]
        if vtype or not 0 < size <= 8:
            raise Unfit('a dereference')
        self.loads.append((addr, size))
        num = int.from_bytes(self.state.load(addr, size), self.machine.order)
        self.push(num, self.integer(op[2]) if op[0] == 'deref_type' else None)

    def binary(self, name):
        b, btype = self.pop()
        a, vtype = self.pop()
        bits = 8 * (vtype[0] if vtype else self.word)
        if name in ('shl', 'shr', 'shra'):
            if b >= bits or b < 0:      # nothing says what remains
                raise Unfit('a shift by as much as there is, or more')
        elif btype != vtype:
            raise Unfit('operands of two types')
        ua = a & (1 << bits) - 1
        sa = ua - (1 << bits) if ua >> (bits - 1) else ua
        if name in ('div', 'mod', 'lt', 'le', 'gt', 'ge'):
            ub = b & (1 << bits) - 1
            sb = ub - (1 << bits) if ub >> (bits - 1) else ub
            signed, unsigned = SIGNED[name](sa, sb), SIGNED[name](ua, ub)
            if signed != unsigned and not vtype:
                raise Unfit('%s, signed or not' % name)
            self.push(self.chance(int(signed if vtype is None or vtype[1] else unsigned),
                                  name, a == b), vtype)
        else:
            self.push(self.chance(int(BINARY[name](sa if name == 'shra' else ua, b)), name,
                                  a == b), vtype)

    def chance(self, num, name, equal):
        """States in which two different things are equal come up too seldom: where the
        state has a say, a comparison's answer is any."""
        if self.varies and name in COMPARE and not equal:
            return self.state.rng.getrandbits(1)
        return num

    def piece(self, size):
        if self.what is None and self.stack:
            self.what = ('memory', self.pop()[0])
        if self.what is None:
            raise Unfit('an empty piece')
        if size > 1 << 20:
            raise Unfit('a piece of %d bytes' % size)
        self.pieces.append(self.bytes_of(self.what, size))
        self.stack, self.what = [], None

    def bytes_of(self, what, size):
        """The @size bytes, in memory's order, that a simple location gives."""
        kind, got, *rest = what
        if kind == 'memory':
            self.loads.append((got, size))
            return self.state.load(got, size)
        if kind == 'implicit':
            if len(got) < size or (len(got) > size and self.machine.big):
                raise Unfit('an implicit value of %d bytes' % len(got))
            return got[:size]
        have = rest[0][0] if kind == 'value' and rest[0] else self.word
        if size > have:
            raise Unfit('larger than ' + ('a register' if kind == 'reg' else 'the value'))
        num = self.state.reg(got) if kind == 'reg' else got
        return cut(num, size).to_bytes(size, self.machine.order)

    def result(self, size):
        if not self.pieces:
            if self.what is None:
                self.what = ('memory', self.pop()[0])
            return self.bytes_of(self.what, size)
        if self.what is not None or self.stack:
            raise Unfit('a location behind the pieces')
        out = b''.join(self.pieces)
        if len(out) != size:
            raise Unfit('pieces of %d bytes for %d' % (len(out), size))
        return out


COMPARE = frozenset('eq ne lt le gt ge'.split())
BINARY = {
    'plus': lambda a, b: a + b, 'minus': lambda a, b: a - b, 'mul': lambda a, b: a * b,
    'and': lambda a, b: a & b, 'or': lambda a, b: a | b, 'xor': lambda a, b: a ^ b,
    'shl': lambda a, b: a << b, 'shr': lambda a, b: a >> b, 'shra': lambda a, b: a >> b,
    'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'lt': None, 'le': None,
    'gt': None, 'ge': None, 'div': None, 'mod': None,
}


def divide(a, b):
    """C's division, which cuts towards 0."""
    if not b:
        raise Unfit('a division by 0')
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


SIGNED = {'div': divide, 'mod': lambda a, b: a - b * divide(a, b),
          'lt': lambda a, b: a < b, 'le': lambda a, b: a <= b,
          'gt': lambda a, b: a > b, 'ge': lambda a, b: a >= b}


def read(loc, size, state):
    """The @size bytes, in memory's order, that a consumer reads by a location of
    format.md; None where the location is out of form."""
    word, order = state.machine.word, state.machine.order
    kind, have = loc['kind'], loc['size']
    if have > size or (have < size and have not in (1, 2, 4)):
        return None
    if kind == 'const':
        return cut(int(loc['value']), size).to_bytes(size, order) if have == size else None
    if kind == 'addr':
        num = cut(loc['address'] + state.slide, word)
    elif kind in ('mem', 'memaddr'):
        addr = loc['address'] + state.slide if kind == 'memaddr' else \
            state.reg(loc['reg']) + loc['offset']
        data = state.load(cut(addr, word), have)
        if have == size:
            return data
        num = int.from_bytes(data, order)
    elif kind == 'regs':
        first, second = (state.reg(r) for r in loc['regs'])
        if not word < have <= 2 * word:
            return None
        return first.to_bytes(word, order) + cut(second, have - word).to_bytes(
            have - word, order)
    else:
        num = state.reg(loc['reg']) + loc.get('offset', 0)
        if have > word:
            return None
    num = cut(num, have, loc.get('signed', False))
    return cut(num, size).to_bytes(size, order)
