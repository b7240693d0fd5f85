# SPDX-License-Identifier: GPL-2.0-only
"""Where the psABIs put integer, pointer and small structure arguments at a function's entry.

Written from the documents: System V AMD64 3.2.3, AAPCS64 6.8.2, s390x ELF ABI 1.2.3.
Places are locations as `btflocs list -j` prints them, or ('ref', location) where the
argument is a pointer to the value; None: not described here.
"""


def mem(reg, offset, size):
    return {'kind': 'mem', 'reg': reg, 'offset': offset, 'size': size}


def reg(num, size):
    return {'kind': 'reg', 'reg': num, 'size': size}


def x86_64(params):
    """@params: (size, whether a structure)."""
    free, stack, out = [5, 4, 1, 2, 8, 9], 8, []
    for size, struct in params:
        words = (size + 7) // 8
        if size > 16 or len(free) < words:
            out.append(mem(7, stack, size))
            stack += 8 * words
        elif words == 1:
            out.append(reg(free.pop(0), size))
        else:
            out.append({'kind': 'regs', 'regs': [free.pop(0), free.pop(0)], 'size': size})
    return out


def aarch64(params):
    nxt, stack, out = 0, 0, []
    for size, struct in params:
        ref = struct and size > 16
        words = 1 if ref else (size + 7) // 8
        if nxt + words > 8:
            nxt = 8
            place = mem(31, stack, 8 if ref else size)
            stack += 8 * words
        elif words == 1:
            place = reg(nxt, 8 if ref else size)
            nxt += 1
        else:
            place = {'kind': 'regs', 'regs': [nxt, nxt + 1], 'size': size}
            nxt += 2
        out.append(('ref', place) if ref else place)
    return out


def s390x(params):
    """Registers hold a small value in their low bytes, stack slots at their high end."""
    nxt, stack, out = 2, 160, []
    for size, struct in params:
        ref = struct and size not in (1, 2, 4, 8)
        size = 8 if ref else size
        if nxt <= 6:
            place = reg(nxt, size)
            nxt += 1
        else:
            place = mem(15, stack + 8 - size, size)
            stack += 8
        out.append(('ref', place) if ref else place)
    return out


CONVENTION = {'x86_64': x86_64, 'aarch64': aarch64, 's390x': s390x}


def places(machine, params):
    return CONVENTION[machine](params)
