# SPDX-License-Identifier: GPL-2.0-only
"""The location that reads what a DWARF expression gives, found by trying all of them.

Part of the second reader. format.md knows seven forms; whatever registers, addresses and
numbers an expression has in it decide the few candidates of each, and dwarf_run.py says
which of them reads the expression's value on every machine state. A result is a
Location: `want` is the location as `btflocs list -j` prints it, or None, and `why` is
the reason then.
"""
from dwarf_run import MORE, STATES, Run, Unfit, cut, read

# operators that take a place or a number and do nothing with its bits
PLAIN = frozenset('''reg breg lit const addr plus_uconst deref piece stack_value
implicit_value nop uninit'''.split())

# A tracer's names of the registers, by e_machine.
TRACER = {62: 'ax dx cx bx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15 ip'.split(),
          3: 'ax cx dx bx sp bp si di ip'.split()}


class Location:
    """@free: the program may have no location as well; @ops, @ptype: what it was found
    from; @blind: how a reader that ignores views would fare: 'lost', 'another',
    'made up' or ''."""
    __slots__ = ('want', 'why', 'free', 'ops', 'ptype', 'blind')

    def __init__(self, want=None, why='', free=False):
        self.want, self.why, self.free = want, why, free
        self.ops = self.ptype = None
        self.blind = ''


def nothing(why):
    return Location(None, why)


class Type:
    """What the rules need of a parameter's type. @kind: int bool float agg ptr."""
    __slots__ = ('size', 'signed', 'kind')

    def __init__(self, size, signed, kind):
        self.size, self.signed, self.kind = size, signed, kind

    def key(self):
        return self.size, self.signed, self.kind


def constant(num, ptype):
    if ptype.kind == 'float':
        return nothing('a floating-point constant')
    if ptype.size > 8:
        return nothing('a constant for a type of %d bytes' % ptype.size)
    value = cut(num, ptype.size, ptype.signed)
    if ptype.kind == 'bool':
        # the lowest bit, of 0 and 1 and what ~ makes of them; an even number is neither
        if not num & 1 and num and num not in [~1] + [2 ** n - 2 for n in (8, 16, 32, 64)]:
            return nothing('a truth value of %d' % num)
        value = num & 1
    return Location({'kind': 'const', 'value': str(value), 'size': ptype.size,
                     'signed': ptype.signed})


def implicit(data, ptype, machine):
    """The constant whose bytes stand in a DW_AT_const_value."""
    if len(data) < ptype.size or (len(data) > ptype.size and machine.big):
        return nothing('a constant of %d bytes for %d' % (len(data), ptype.size))
    return constant(int.from_bytes(data[:ptype.size], machine.order), ptype)


class Search:
    """The forms of one expression, each tried on all states."""

    def __init__(self, ops, ptype, machine):
        self.ops, self.ptype, self.machine = ops, ptype, machine
        self.size = ptype.size
        self.states, self.answers, self.runs = [], [], []
        self.run(0, STATES)
        # registers that the first run asked for: those of the expression
        self.regs = [op[1] for op in ops if op[0] in ('reg', 'breg', 'regval_type')]
        self.regs = list(dict.fromkeys(self.regs))
        self.moved = any(op[0] == 'addr' for op in ops)

    def run(self, first, count):
        for state in self.machine.states(self.ops, first, count):
            try:
                run = Run(self.ops, state)
                answer = run.result(self.size)
            except Unfit:
                if first:               # a division by 0, say: no state of the program
                    continue
                raise
            self.answers.append(answer)
            self.states.append(state)
            self.runs.append(run)

    def fits(self, loc):
        """Whether a location reads the answer in each state; in many more of them where
        the expression computes anything."""
        first = 0
        while True:
            for state, answer in zip(self.states[first:], self.answers[first:]):
                if read(loc, self.size, state) != answer:
                    return False
            first = len(self.states)
            if first > STATES or all(op[0] in PLAIN for op in self.ops):
                return True
            self.run(STATES, MORE)

    def sizes(self):
        """(size, signed) of what is read: the type's, or fewer bytes, widened."""
        yield self.size, self.ptype.signed
        if self.ptype.kind in ('int', 'ptr', 'bool'):
            for size in (4, 2, 1):
                if size < self.size:
                    yield size, False
                    yield size, True

    def first(self):
        """The first state's answer as a number."""
        return int.from_bytes(self.answers[0], self.machine.order)

    def candidates(self):
        general = [r for r in self.regs if r in self.machine.general]
        if not self.moved and self.size <= 8 and len(set(self.answers)) == 1:
            yield constant(self.first(), self.ptype).want
        if self.moved and self.size == self.machine.word:
            yield {'kind': 'addr', 'size': self.size,
                   'address': cut(self.first() - self.states[0].slide, self.size)}
        if self.size <= self.machine.word or self.ptype.kind in ('int', 'ptr'):
            for size, signed in self.sizes():
                for reg in general if size <= self.machine.word else ():
                    yield from self.register(reg, size, signed)
        for size, signed in self.sizes():
            for at in self.places(size):
                if 'reg' in at and at['reg'] not in general:
                    continue
                yield {**at, 'size': size, 'signed': signed}
        if self.size > self.machine.word:
            yield from ({'kind': 'regs', 'regs': [a, b], 'size': self.size}
                        for a in general for b in general)

    def register(self, reg, size, signed):
        off = cut(self.first() - self.states[0].reg(reg), size, True)
        loc = {'kind': 'reg', 'reg': reg, 'size': size, 'signed': signed}
        if off:
            loc.update(kind='regoff', offset=off)
        yield loc

    def places(self, size):
        """Memory that was read, from each of its bytes on."""
        state = self.states[0]
        for load, have in self.runs[0].loads:
            for skip in range(have - size + 1 if have < 64 else 1):
                at = load + skip
                for reg in self.regs:
                    off = cut(at - state.reg(reg), self.machine.word, True)
                    yield {'kind': 'mem', 'reg': reg, 'offset': off}
                if self.moved:
                    yield {'kind': 'memaddr',
                           'address': cut(at - state.slide, self.machine.word)}

    def pieces_as_one(self):
        """Memory in pieces: the whole of it may be in one run."""
        run = self.runs[0]
        if len(run.loads) > 1 and all(a + n == b for (a, n), (b, _) in
                                      zip(run.loads, run.loads[1:])):
            run.loads.insert(0, (run.loads[0][0], sum(n for _, n in run.loads)))

    def location(self):
        self.pieces_as_one()
        for loc in self.candidates():
            if loc is not None and self.fits(loc):
                return Location(loc)
        return None


found = {}


def reduce(ops, ptype, machine):
    """The Location of a parameter of type @ptype (a Type), from the operators."""
    if ptype is None or not ptype.size:
        return nothing('a type without a size')
    key = tuple(ops), ptype.key()
    if key not in found:
        found[key] = search(key[0], ptype, machine)
    was = found[key]
    out = Location(was.want, was.why, was.free)
    out.ops, out.ptype = key[0], ptype
    return out


def search(ops, ptype, machine):
    try:
        tried = Search(ops, ptype, machine)
    except Unfit as e:
        return nothing(str(e))
    if ptype.kind == 'bool' and not tried.moved and len(set(tried.answers)) == 1:
        return constant(tried.first(), ptype)   # -1 and 1 are one truth value
    got = tried.location()
    if got is not None:
        return got
    if any(op[0] in ('reg', 'breg') and op[1] not in machine.general for op in ops):
        return nothing('a register that no tracer can fetch')
    if ptype.kind == 'float' and len(set(tried.answers)) == 1:
        return nothing('a floating-point constant')
    return nothing('pieces' if any(op[0] == 'piece' for op in ops) else 'arithmetic')


judged = {}


def agrees(loc, ops, ptype, machine):
    """Whether a location of the program reads the expression's value, in the format's
    terms: the type's size and sign, or fewer bytes that are widened to it."""
    key = tuple(sorted((k, str(v)) for k, v in loc.items())), ops, ptype.key()
    if key not in judged:
        judged[key] = agree(loc, ops, ptype, machine)
    return judged[key]


def agree(loc, ops, ptype, machine):
    if loc['size'] == ptype.size and loc.get('signed', ptype.signed) != ptype.signed:
        return False
    if any(r not in machine.general for r in [*loc.get('regs', ()), loc.get('reg')]
           if r is not None):
        return False
    try:
        tried = Search(ops, ptype, machine)
    except Unfit:
        return False
    if loc['kind'] == 'const':
        return len(set(tried.answers)) == 1 and loc == constant(tried.first(), ptype).want
    return tried.fits(loc)
