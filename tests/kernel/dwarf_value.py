# SPDX-License-Identifier: GPL-2.0-only
"""DWARF expressions, a list of operators of dwarf_ops.py, reduced to one location.

Part of the second reader. An expression is run on a stack of abstract values; what comes
out is named by the table of dwarf-rules.md section 4. A result is a Location: `want` is
the location as `btflocs list -j` prints it, or None, and `why` is the reason then. Where
the rules leave the program a choice, `also` lists the other answers that are right too.
"""
# What no tracer can fetch is beyond these: numbers of the general registers by e_machine.
GENERAL = {62: range(0, 17), 3: range(0, 9), 183: range(0, 32), 22: range(0, 16),
           40: range(0, 16), 243: range(0, 32), 21: range(0, 32), 8: range(0, 32),
           258: range(0, 32)}

# A tracer's names of the registers, by e_machine.
TRACER = {62: 'ax dx cx bx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15 ip'.split(),
          3: 'ax cx dx bx sp bp si di ip'.split()}


class Location:
    def __init__(self, want=None, why='', also=()):
        self.want, self.why, self.also = want, why, tuple(also)



def nothing(why, also=()):
    return Location(None, why, also)


class Val:
    """A value on the DWARF stack.

    kind: 'c' the constant @num; 'r' register @reg + @num; 'a' the address @num; 'm'
    memory at @base. @width: only the low @width bytes count, widened by @signed. @type:
    (size, signed, kind) of a typed value, or None for the generic type. @shl: shifted
    left that far.
    @loose: right, but by operators of no row of the table: it may be left out as well.
    """
    __slots__ = ('kind', 'num', 'reg', 'base', 'width', 'signed', 'type', 'shl', 'loose')

    def __init__(self, kind, num=0, reg=None, base=None, width=None, signed=False,
                 vtype=None, shl=0, loose=False):
        self.kind, self.num, self.reg, self.base = kind, num, reg, base
        self.width, self.signed, self.type, self.shl = width, signed, vtype, shl
        self.loose = loose

    def copy(self, **changes):
        new = Val(self.kind, self.num, self.reg, self.base, self.width, self.signed,
                  self.type, self.shl, self.loose)
        for key, value in changes.items():
            setattr(new, key, value)
        return new

    def plain(self):
        """Not narrowed and not shifted."""
        return self.width is None and not self.shl


class Unfit(Exception):
    """The expression is none of the table's rows."""


class Type:
    """What the rules need of a parameter's type. @kind: int bool float agg ptr."""

    def __init__(self, size, signed, kind):
        self.size, self.signed, self.kind = size, signed, kind


def cut(num, size, signed):
    num &= (1 << 8 * size) - 1
    if signed and num >> (8 * size - 1) & 1:
        num -= 1 << 8 * size
    return num


# ---- running it ----

class Context:
    """@tree, @unit: where it stands; @frame, @cfa: () -> Val, at the site's address."""

    def __init__(self, tree, unit, frame, cfa, base_type):
        self.tree, self.unit, self.frame, self.cfa = tree, unit, frame, cfa
        self.machine = tree.elf.machine
        self.word = tree.elf.addr_size
        self.big = tree.elf.order == '>'
        self.base_type = base_type      # DIE offset -> (size, signed) or None

    def general(self, reg):
        return reg in GENERAL.get(self.machine, range(0))


def narrow(val, width, signed, ctx):
    """The low @width bytes of a value, widened by @signed."""
    if val.kind == 'c':
        return val.copy(num=cut(val.num, width, signed))
    have = val.width
    if have is None and width >= ctx.word:
        return val
    if have is not None and width >= have:
        if width == have:
            return val.copy(signed=signed)
        if val.signed == signed or not val.signed:
            return val                  # widened already, and no bit of it is cut
        raise Unfit('a wider cut of a signed value')
    return val.copy(width=width, signed=signed)


def shift(val, name, count, ctx):
    bits = 8 * (val.type[0] if val.type else ctx.word)
    if name == 'shl':
        if val.shl:
            raise Unfit('two shifts')
        return val.copy(shl=count)
    if not val.shl or val.shl != count or count >= bits:
        raise Unfit('a shift')
    width = (bits - count) / 8          # need not be whole: the low 61 bits of 64
    out = narrow(val.copy(shl=0), width, name == 'shra', ctx)
    if width not in (1, 2, 4) and val.kind == 'm':
        out.loose = True
    return out


def const_binary(name, a, b, ctx):
    bits = 8 * ctx.word
    mask = (1 << bits) - 1
    sa, sb = cut(a, ctx.word, True), cut(b, ctx.word, True)
    ua, ub = a & mask, b & mask
    table = {
        'plus': lambda: ua + ub, 'minus': lambda: ua - ub, 'mul': lambda: ua * ub,
        'and': lambda: ua & ub, 'or': lambda: ua | ub, 'xor': lambda: ua ^ ub,
        'shl': lambda: ua << ub if ub < bits else 0,
        'shr': lambda: ua >> ub if ub < bits else 0,
        'shra': lambda: sa >> min(ub, bits - 1),
        'div': lambda: abs(sa) // abs(sb) * (1 if (sa < 0) == (sb < 0) else -1),
        'mod': lambda: ua % ub,
        'eq': lambda: sa == sb, 'ne': lambda: sa != sb, 'lt': lambda: sa < sb,
        'le': lambda: sa <= sb, 'gt': lambda: sa > sb, 'ge': lambda: sa >= sb,
    }
    if name in ('div', 'mod') and not ub:
        raise Unfit('division by zero')
    return cut(int(table[name]()), ctx.word, True)


BINARY = frozenset('''plus minus mul and or xor shl shr shra div mod
eq ne lt le gt ge'''.split())


def binary(name, a, b, ctx):
    if a.kind == 'c' and b.kind == 'c':
        bitwise = ('plus', 'minus', 'and', 'or', 'xor', 'mul')
        if (a.type or b.type) and name not in bitwise:
            raise Unfit('typed arithmetic')
        return a.copy(num=const_binary(name, a.num, b.num, ctx), type=a.type or b.type)
    if a.kind == 'c' and name in ('plus', 'and'):
        a, b = b, a
    if b.kind != 'c':
        raise Unfit('arithmetic')
    if name in ('shl', 'shr', 'shra'):
        return shift(a, name, b.num, ctx)
    if a.shl:
        raise Unfit('a shift')
    if name in ('plus', 'minus') and a.kind in 'ra' and a.plain() and not a.type:
        return a.copy(num=a.num + (b.num if name == 'plus' else -b.num), loose=True)
    if name == 'and':
        mask = b.num & ((1 << 8 * ctx.word) - 1)
        for width in (1, 2, 4, 8):
            if mask == (1 << 8 * width) - 1 and width <= ctx.word:
                return narrow(a, width, False, ctx)
    raise Unfit('arithmetic')


def convert(val, target, ctx):
    """DW_OP_convert between integers; @target (size, signed) or None for generic."""
    if val.shl:
        raise Unfit('a shift')
    if target is None:
        return val.copy(type=None)
    if target[2] == 'float' or (val.type and val.type[2] == 'float'):
        raise Unfit('floating point')
    size, signed = target[0], target[1]
    if size < ctx.word:
        val = narrow(val, size, signed, ctx)
    elif val.kind == 'c':
        val = val.copy(num=cut(val.num, size, signed))
    return val.copy(type=target)


def run(ops, ctx):
    """('value', Val), ('memory', Val), ('reg', N), ('implicit', bytes) or
    ('pieces', [(one of these or None, size), ...])."""
    stack, pieces, what = [], [], None
    for op in ops:
        name = op[0]
        if name in ('nop', 'uninit'):   # uninit: a remark of gcc's, no other place
            continue
        if name == 'piece':
            if what is None and stack:
                what = ('memory', stack.pop())
            pieces.append((what, op[1]))
            stack, what = [], None
        elif what is not None:
            raise Unfit('an operator behind the location')
        elif name == 'reg':
            what = ('reg', op[1])
        elif name == 'implicit_value':
            what = ('implicit', op[1])
        elif name == 'stack_value':
            if not stack:
                raise Unfit('an empty stack')
            what = ('value', stack.pop())
        else:
            step(op, stack, ctx)
    if pieces:
        if what is not None or stack:
            raise Unfit('a location behind the pieces')
        return ('pieces', pieces)
    if what is None:
        if not stack:
            raise Unfit('an empty expression')
        what = ('memory', stack.pop())
    return what


def step(op, stack, ctx):
    name = op[0]
    if name in ('lit', 'const', 'const1u', 'const1s'):
        stack.append(Val('c', op[1]))
    elif name == 'breg':
        stack.append(Val('r', op[2], reg=op[1]))
    elif name == 'addr':
        stack.append(Val('a', op[1]))
    elif name == 'fbreg':
        base = ctx.frame()
        stack.append(base.copy(num=base.num + op[1]))
    elif name == 'call_frame_cfa':
        stack.append(ctx.cfa().copy(loose=True))
    elif not stack:
        raise Unfit(str(op[1]) if name == 'unknown' else name)
    elif name == 'plus_uconst':
        was = stack[-1].loose
        stack.append(binary('plus', stack.pop(), Val('c', op[1]), ctx))
        stack[-1].loose = was
    elif name in BINARY:
        if len(stack) < 2:
            raise Unfit('an empty stack')
        right = stack.pop()
        stack.append(binary(name, stack.pop(), right, ctx))
    elif name in ('neg', 'not', 'abs') and stack[-1].kind == 'c':
        num = cut(stack[-1].num, ctx.word, True)
        num = {'neg': -num, 'not': ~num, 'abs': abs(num)}[name]
        stack[-1] = stack[-1].copy(num=cut(num, ctx.word, True))
    elif name in ('deref', 'deref_size', 'deref_type'):
        size = ctx.word if name == 'deref' else op[1]
        stack.append(deref(stack.pop(), size, ctx))
        if name == 'deref_type':
            stack.append(convert(stack.pop(), ctx.base_type(op[2]), ctx))
    elif name == 'convert':
        stack.append(convert(stack.pop(), ctx.base_type(op[1]) if op[1] else None, ctx))
    elif name == 'dup':
        stack.append(stack[-1].copy(loose=True))
    elif name == 'drop':
        stack.pop()
        if stack:
            stack[-1] = stack[-1].copy(loose=True)
    elif name == 'swap' and len(stack) > 1:
        stack[-2:] = [stack[-1].copy(loose=True), stack[-2].copy(loose=True)]
    else:
        raise Unfit(str(op[1]) if name == 'unknown' else name)


def deref(val, size, ctx):
    if not val.plain() or val.kind not in 'ra' or size > ctx.word:
        raise Unfit('a double dereference' if val.kind == 'm' else 'a dereference')
    # the table's row speaks of registers
    return Val('m', base=val, width=None if size == ctx.word else size,
               loose=val.loose or val.kind == 'a')


# ---- naming the result ----

def reduce(ops, ptype, ctx):
    """The Location of a parameter of type @ptype (a Type), from the operators."""
    if any(op[0] == 'regval_type' for op in ops):
        ops = [new for op in ops for new in (
            (('breg', op[1], 0), ('convert', op[2]))
            if op[0] == 'regval_type' else (op,))]
    try:
        result = run(ops, ctx)
        named = name_result(result, ptype, ctx)
        if result[0] in ('value', 'memory') and result[1].loose:
            named.also += (None,)
        return named
    except Unfit as e:
        return nothing(str(e))


def name_result(result, ptype, ctx):
    kind, what = result
    if ptype is None or not ptype.size:
        return nothing('a type without a size')
    if kind == 'value' and what.width not in (None, 1, 2, 4, 8):
        if what.width < ptype.size:
            return nothing('a shift to %g bits' % (8 * what.width))
        what = what.copy(width=None)    # nothing of the type is cut off
    elif kind == 'value' and what.width is not None:
        what = what.copy(width=int(what.width))
    if kind == 'reg':
        return in_register(what, ptype, ctx)
    if kind == 'implicit':
        return implicit(what, ptype, ctx)
    if kind == 'memory':
        return in_memory(what, ptype, ctx)
    if kind == 'pieces':
        return in_pieces(what, ptype, ctx)
    if what.shl:
        return nothing('a shift')
    if what.kind == 'c':
        return constant(what.num, ptype, ctx)
    if what.kind == 'a':
        return address(what, ptype, ctx)
    if what.kind == 'm':
        return loaded(what, ptype, ctx)
    return computed(what, ptype, ctx)


def reg_json(kind, reg, size, signed, offset=None):
    out = {'kind': kind, 'reg': reg, 'size': size, 'signed': signed}
    if kind != 'reg':
        out['offset'] = offset
    return out


def choose(loc, ptype):
    """Floating point in a general register: read or left out, both are right."""
    if ptype.kind == 'float':
        return Location(loc, 'floating point', [None])
    return Location(loc)


def in_register(reg, ptype, ctx):
    if not ctx.general(reg):
        return nothing('a register that no tracer can fetch')
    if ptype.size > ctx.word:
        return nothing('larger than a register')
    return choose(reg_json('reg', reg, ptype.size, ptype.signed), ptype)


def implicit(data, ptype, ctx):
    if len(data) > 8 or len(data) < ptype.size:
        return nothing('an implicit value of %d bytes' % len(data))
    return constant(int.from_bytes(data, 'big' if ctx.big else 'little'), ptype, ctx,
                    bits=8 * len(data))


def constant(num, ptype, ctx, bits=None):
    if ptype.kind == 'float':
        return nothing('a floating-point constant')
    if ptype.size > 8:
        return nothing('a constant for a type of %d bytes' % ptype.size)
    if ptype.kind == 'bool':
        value = int(cut(num, ptype.size, False) != 0)
    else:
        value = cut(num, ptype.size, ptype.signed)
    loc = {'kind': 'const', 'value': str(value), 'size': ptype.size,
           'signed': ptype.signed}
    if ptype.kind == 'agg':
        return Location(loc, 'an aggregate constant', [None])
    if ptype.size > ctx.word and bits is None:  # how a 32-bit stack widens is not said
        return Location(loc, 'wider than the stack', [None])
    return Location(loc)


def address(val, ptype, ctx):
    if not val.plain():
        return nothing('part of an address')
    loc = {'kind': 'addr', 'address': val.num, 'size': ptype.size}
    if ptype.size != ctx.word:
        return Location(loc, 'an address of another size', [None])
    return Location(loc)


def mem_json(base, size, signed, ptype):
    if base.kind == 'a':
        return {'kind': 'memaddr', 'address': base.num, 'size': size}
    return reg_json('mem', base.reg, size, signed, base.num)


def in_memory(val, ptype, ctx):
    if val.kind == 'c':
        loc = {'kind': 'memaddr', 'address': val.num, 'size': ptype.size}
        return nothing('memory at a constant', [loc])
    if val.kind == 'm':
        return nothing('a pointer in memory')
    if not val.plain():
        return nothing('memory at part of a register')
    if val.kind == 'r' and not ctx.general(val.reg):
        return nothing('a register that no tracer can fetch')
    loc = mem_json(val, ptype.size, ptype.signed, ptype)
    if ptype.kind == 'int' and ptype.size > 8:
        return Location(loc, '__int128', [None])
    return Location(loc)


def loaded(val, ptype, ctx):
    """... deref; stack_value: the value that stands in memory."""
    base = val.base
    if base.kind == 'r' and not ctx.general(base.reg):
        return nothing('a register that no tracer can fetch')
    width = val.width or ctx.word
    if width < ptype.size:
        if val.width is None:
            return nothing('larger than what is loaded')
        size, signed = width, val.signed
    else:
        size, signed = ptype.size, ptype.signed
    whole = Location(mem_json(base, size, signed, ptype))
    if ctx.big and size < ctx.word:
        # they stand at the word's end, unless no more than these were loaded
        low = base.copy(num=base.num + (val.width or ctx.word) - size)
        return Location(mem_json(low, size, signed, ptype), 'big-endian', [None])
    if ptype.kind in ('float', 'agg'):
        return Location(whole.want, 'loaded ' + ptype.kind, [None])
    return whole


def computed(val, ptype, ctx):
    """bregN off; [narrower]; stack_value."""
    if not ctx.general(val.reg):
        return nothing('a register that no tracer can fetch')
    width = val.width or ctx.word
    if width < ptype.size:
        if val.width is None:
            return nothing('larger than a register')
        size, signed = width, val.signed
    else:
        size, signed = ptype.size, ptype.signed
    if val.num == 0:
        return choose(reg_json('reg', val.reg, size, signed), ptype)
    loc = reg_json('regoff', val.reg, size, signed, val.num)
    if val.width is not None or ptype.kind in ('float', 'agg'):
        return Location(loc, 'part of a register + offset', [None])
    return Location(loc)


def in_pieces(pieces, ptype, ctx):
    total = sum(size for _, size in pieces)
    if any(what is None for what, _ in pieces):
        return nothing('an empty piece')
    if total != ptype.size:
        return nothing('pieces of %d bytes for %d' % (total, ptype.size))
    if len(pieces) == 1:
        one = name_result(pieces[0][0], ptype, ctx)
        return Location(None, 'one piece', [one.want, *one.also])
    regs = [as_register(what) for what, _ in pieces]
    if len(pieces) == 2 and None not in regs and pieces[0][1] == ctx.word and \
            pieces[1][1] <= ctx.word and all(ctx.general(r) for r in regs):
        loc = {'kind': 'regs', 'regs': regs, 'size': ptype.size}
        if ptype.kind in ('int', 'float') and ptype.size > 8:
            return Location(loc, '__int128', [None])
        if any(what[0] != 'reg' for what, _ in pieces):
            return Location(loc, 'a computed piece', [None])
        return Location(loc)
    return nothing('pieces', [fold(pieces, ptype)])


def as_register(what):
    if what[0] == 'reg':
        return what[1]
    if what[0] == 'value' and what[1].kind == 'r' and what[1].plain() and not what[1].num:
        return what[1].reg
    return None


def fold(pieces, ptype):
    """Memory pieces that follow one another, or constants: one location may be named."""
    at = None
    for what, size in pieces:
        if what[0] != 'memory' or what[1].kind not in 'ra' or not what[1].plain():
            return None
        if at is not None and (what[1].kind, what[1].reg, what[1].num) != at:
            return None
        at = what[1].kind, what[1].reg, what[1].num + size
    return mem_json(pieces[0][0][1], ptype.size, ptype.signed, ptype)
