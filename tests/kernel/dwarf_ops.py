# SPDX-License-Identifier: GPL-2.0-only
"""DWARF expressions, as llvm-dwarfdump's text or as bytes, made a list of operators.

Part of the second reader. An operator is a tuple of its name and operands; the GNU
operators that DWARF 5 took over have DWARF 5's names, and reg, breg and const stand for
their many encodings. What cannot be read is ('unknown', why).
"""
import re

from dwarf_text import debug_addr, sleb, uleb

X86_64 = 'RAX RDX RCX RBX RSI RDI RBP RSP R8 R9 R10 R11 R12 R13 R14 R15 RIP'.split()
I386 = 'EAX ECX EDX EBX ESP EBP ESI EDI EIP'.split()


class Context:
    """Where an expression stands."""

    def __init__(self, tree, unit):
        self.tree, self.unit, self.machine = tree, unit, tree.elf.machine


def register_number(machine, name):
    """DWARF number of a register as LLVM names it, or None."""
    if machine == 62 and name in X86_64:
        return X86_64.index(name)
    if machine == 3 and name in I386:
        return I386.index(name)
    if machine in (183, 40, 243, 21, 22) and name in ('SP', 'WSP'):
        return {183: 31, 40: 13}.get(machine)
    if machine == 40 and name in ('LR', 'PC'):
        return {'LR': 14, 'PC': 15}[name]
    if machine == 183 and name in ('FP', 'LR'):
        return {'FP': 29, 'LR': 30}[name]
    match = re.fullmatch(r'[XWR](\d+)D?', name)
    return int(match.group(1)) if match and machine != 62 else None


def split_ops(text):
    out, depth, start = [], 0, 0
    for i, char in enumerate(text):
        if char == '(':
            depth += 1
        elif char == ')':
            depth -= 1
        elif char == ',' and not depth and text.startswith(' DW_OP_', i + 1):
            out.append(text[start:i])
            start = i + 2
        elif char == ',' and not depth and text.startswith(' <decoding', i + 1):
            out.append(text[start:i])
            start = i + 2
    out.append(text[start:])
    return [op.strip() for op in out if op.strip()]


def text_ops(text, ctx):
    ops = []
    if text == '<empty>':
        return ops
    for op in split_ops(text):
        if op.startswith('<decoding error>'):
            ops += byte_ops(bytes.fromhex(op[len('<decoding error>'):]), ctx)
            break
        # operands that end too early
        ops.append(('unknown', 'cut off') if '<decoding' in op else text_op(op, ctx))
    return ops


def text_op(op, ctx):
    match = re.match(r'DW_OP_(\w+)(.*)', op)
    name, rest = match.group(1), match.group(2).strip()
    name = name[4:] if name.startswith('GNU_') else name
    if name == 'entry_value':
        return (name,)
    match = re.fullmatch(r'(breg|reg|lit)(\d+)', name)
    if match:
        kind, num = match.group(1), int(match.group(2))
        if kind != 'breg':
            return (kind, num)
        off = re.search(r'[+-]\d+$|[+-]?0x[0-9a-f]+$', rest)
        return ('breg', num, int(off.group(), 0))
    if name in ('regx', 'bregx', 'regval_type'):
        match = re.match(r'(\w+)([+-]\d+)?', rest)
        text = match.group(1)
        num = int(text, 0) if text[0].isdigit() else register_number(ctx.machine, text)
        num = 9999 if num is None else num      # a register that no tracer fetches
        if name == 'regx':
            return ('reg', num)
        if name == 'bregx':
            return ('breg', num, int(match.group(2) or 0))
        return (name, num, int(re.search(r'\(0x([0-9a-f]+)\)', rest).group(1), 16))
    if name in ('convert', 'reinterpret'):
        return (name, int(re.search(r'0x([0-9a-f]+)', rest).group(1), 16))
    if name == 'const_type':
        at, *data = re.findall(r'0x[0-9a-f]+', rest)
        return (name, int(at, 0), bytes(int(x, 16) for x in data[-(len(data) - 1):]))
    if name == 'implicit_value':
        return (name, bytes(int(x, 16) for x in rest.split()[1:]))
    numbers = [int(x, 0) for x in re.findall(r'[+-]?(?:0x[0-9a-fA-F]+|\d+)', rest)]
    if re.fullmatch(r'const\w*|constx|addrx|addr_index|const_index', name):
        if name in ('constx', 'addrx', 'addr_index', 'const_index'):
            kind = 'addr' if 'addr' in name else 'const'
            return (kind, debug_addr(ctx.tree, ctx.unit, numbers[0]))
        return ('const', numbers[0])
    return (name, *numbers)


def shape(ops):
    """The operators' names, small differences of numbers left out."""
    out = []
    for op in ops:
        name = op[1] if op[0] == 'unknown' else op[0]
        if name in ('const', 'lit'):
            name = 'const'
        elif name == 'breg' and not op[2]:
            name = 'breg+0'
        elif name in ('piece', 'deref_size'):
            name += ' %d' % op[1]
        out.append(str(name))
    return '; '.join(out)


PLAIN = {0x06: 'deref', 0x12: 'dup', 0x13: 'drop', 0x14: 'over', 0x16: 'swap',
         0x17: 'rot', 0x19: 'abs', 0x1a: 'and', 0x1b: 'div', 0x1c: 'minus', 0x1d: 'mod',
         0x1e: 'mul', 0x1f: 'neg', 0x20: 'not', 0x21: 'or', 0x22: 'plus', 0x24: 'shl',
         0x25: 'shr', 0x26: 'shra', 0x27: 'xor', 0x29: 'eq', 0x2a: 'ge', 0x2b: 'gt',
         0x2c: 'le', 0x2d: 'lt', 0x2e: 'ne', 0x96: 'nop', 0xf0: 'uninit',
         0x9c: 'call_frame_cfa', 0x9f: 'stack_value'}


def byte_ops(data, ctx):
    """Raw bytes; an operator that is not known here ends the list."""
    order = 'little' if ctx.tree.elf.order == '<' else 'big'
    ops, pos = [], 0
    base = ctx.unit.off

    def fixed(size, signed=False):
        return int.from_bytes(data[pos:pos + size], order, signed=signed), pos + size

    while pos < len(data):
        code, pos = data[pos], pos + 1
        if code in PLAIN:
            ops.append((PLAIN[code],))
        elif 0x30 <= code < 0x50:
            ops.append(('lit', code - 0x30))
        elif 0x50 <= code < 0x70:
            ops.append(('reg', code - 0x50))
        elif 0x70 <= code < 0x90:
            num, pos = sleb(data, pos)
            ops.append(('breg', code - 0x70, num))
        elif 0x08 <= code <= 0x0f:      # const1u const1s const2u ... const8s
            num, pos = fixed(1 << (code - 8) // 2, code & 1)
            ops.append(('const', num))
        elif code == 0x03:
            num, pos = fixed(ctx.tree.elf.addr_size)
            ops.append(('addr', num))
        elif code in (0x10, 0x11, 0x23, 0x91, 0x93):
            num, pos = (sleb if code in (0x11, 0x91) else uleb)(data, pos)
            ops.append(({0x10: 'const', 0x11: 'const', 0x23: 'plus_uconst', 0x91: 'fbreg',
                         0x93: 'piece'}[code], num))
        elif code in (0x15, 0x94):
            ops.append(({0x15: 'pick', 0x94: 'deref_size'}[code], data[pos]))
            pos += 1
        elif code in (0xa8, 0xf7, 0xa9, 0xf9):
            num, pos = uleb(data, pos)
            ops.append(('convert' if code in (0xa8, 0xf7) else 'reinterpret',
                        num + base if num else 0))
        elif code in (0xa5, 0xf5):
            reg, pos = uleb(data, pos)
            num, pos = uleb(data, pos)
            ops.append(('regval_type', reg, num + base))
        elif code in (0xa6, 0xf6):
            size, pos = data[pos], pos + 1
            num, pos = uleb(data, pos)
            ops.append(('deref_type', size, num + base))
        elif code in (0xa3, 0xf3):
            size, pos = uleb(data, pos)
            pos += size
            ops.append(('entry_value',))
        elif code == 0x9e:
            size, pos = uleb(data, pos)
            ops.append(('implicit_value', data[pos:pos + size]))
            pos += size
        else:
            name = {0xa0: 'implicit_pointer', 0xf2: 'implicit_pointer',
                    0xfa: 'parameter_ref'}.get(code, 'op %#x' % code)
            ops.append(('unknown', name))
            break
    return ops
