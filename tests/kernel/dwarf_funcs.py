# SPDX-License-Identifier: GPL-2.0-only
"""Functions out of line: which must have a record, and what it must say.

Part of the second reader: dwarf-rules.md section 5, for gcc's code. At a function's first
byte nothing has run: what holds there is what the location list says of (its address,
view 0), as far as it is a place where a caller can put a value.
"""
import collections
import re

import dwarf_value
from dwarf_sites import Position
from dwarf_text import location_list, ranges, walk

# By e_machine: the registers of integer arguments in their order, the stack pointer, and
# where the stack's first argument is.
CALLS = {62: ([5, 4, 1, 2, 8, 9], 7, 8)}
ENTRY_VALUE = re.compile(r'^DW_OP_(?:GNU_)?entry_value\(DW_OP_reg(\d+)[^()]*\), '
                         r'DW_OP_stack_value$')


class Function:
    """@params: (name, Location at the entry, registers that entry_value names, type);
    @result: its type or None; @suffixed, @changed: by its symbol; @found: it has one."""

    def __init__(self, off, key, name, params, result):
        self.off, self.key, self.name = off, key, name
        self.params, self.result = params, result
        self.found = self.suffixed = self.changed = self.part = False

    def read_symbol(self, names):
        """Code that a strong symbol took the name from has none: it is never called."""
        if self.name in names:
            self.found = True
            return
        suffixes = [n[len(self.name):] for n in names if n.startswith(self.name + '.')]
        if suffixes:
            self.found = self.suffixed = True
            self.part = any('.part.' in s for s in suffixes)
            self.changed = any(re.search(r'\.(isra|constprop|part)\.', s) for s in suffixes)


def functions(reader, root):
    """The functions of a unit that have code."""
    out = []
    for die in walk(root):
        if die.tag != 'DW_TAG_subprogram' or die.text('declaration'):
            continue
        found = place(reader, die)
        if found is None:
            continue
        addr, key, name, origin = found
        reader.gcc, reader.views = reader.producer(root)
        at = Position(addr, 0, 0)
        shown = {c.off: entry_values(reader, c) for c in die.children
                 if c.tag == 'DW_TAG_formal_parameter'}
        params = []
        for (pname, loc), param in zip(reader.params(die, origin, at), formals(origin)):
            regs = set()
            for child in formals(die):
                if child is param or reader.root_origin(child) is param:
                    regs |= shown[child.off]
            ptype = reader.param_type(param)
            params.append((pname, loc, regs, ptype))
        func = Function(die.off, key, name, params, reader.param_type(origin))
        func.read_symbol(reader.symbols.get(key, ()))
        out.append(func)
    return out


def formals(die):
    return [c for c in die.children if c.tag == 'DW_TAG_formal_parameter']


def place(reader, die):
    """(address, (section, offset), name, abstract instance) or None."""
    origin = reader.root_origin(die) or die
    name = reader.name(origin)
    if name is None:
        return None
    first = reader.address(die)
    if first is None:
        return None
    addrs = [first[0]] if not first[1] else [a for a, _ in ranges(die.text('ranges'))]
    best = None
    for addr in addrs:
        sec = reader.tree.elf.exec_section(addr)
        if sec is None:
            continue
        key = sec['name'], addr - sec['addr']
        best = best or (addr, key, name, origin)
        if any(n == name or n.startswith(name + '.') for n in reader.symbols.get(key, ())):
            return addr, key, name, origin
    return best


def entry_values(reader, child):
    """Registers that some entry says the value was in at the function's entry."""
    text = child.text('location')
    if text is None or 'entry_value' not in text:
        return set()
    return {int(m.group(1)) for entry in location_list(reader.tree, child)
            if isinstance(entry[4], str) for m in [ENTRY_VALUE.match(entry[4])] if m}


class FunctionJudge:
    """Compares all functions of a file; the names are counted over all units."""

    def __init__(self, machine, show):
        self.calls = CALLS.get(machine.number)
        self.machine, self.show = machine, show
        self.all = []
        self.count = collections.Counter()

    def believed(self, want):
        """Whether a caller can have put it there."""
        args, stack, first = self.calls
        kind = want['kind']
        if kind in ('reg', 'regs'):
            return all(r in args for r in want.get('regs', [want.get('reg')]))
        if kind == 'mem':
            return (want['reg'] in args and not want['offset']) or \
                (want['reg'] == stack and want['offset'] >= first)
        return kind == 'const'

    def expected(self, func):
        """Where the convention puts each, None from the first that is no plain integer."""
        args, stack, first = self.calls
        out, result = [], func.result
        if result is not None and result.kind == 'agg' and \
                (result.size or 0) > 2 * self.machine.word:
            args = args[1:]             # the first says where it is wanted
        for i, (_, _, _, ptype) in enumerate(func.params):
            if ptype is None or ptype.kind not in ('int', 'ptr', 'bool') or \
                    ptype.size > self.machine.word:
                break
            loc = {'kind': 'reg', 'reg': args[i]} if i < len(args) else \
                {'kind': 'mem', 'reg': stack,
                 'offset': first + self.machine.word * (i - len(args))}
            out.append({**loc, 'size': ptype.size, 'signed': ptype.signed})
        return out + [None] * (len(func.params) - len(out))

    def contradicted(self, func):
        return any(loc.want is not None and want is not None and self.believed(loc.want) and
                   loc.want['kind'] != 'const' and loc.want != want
                   for (_, loc, _, _), want in zip(func.params, self.expected(func)))

    def judge(self, records, symbols):
        """@records: by key, the func records and the parts out of line. Prints the
        differences; how many."""
        names = collections.defaultdict(set)
        for func in self.all:
            if func.found and not func.part:
                names[func.name].add(func.key)
        bad = 0
        for func in self.all:
            named = [r for r in records.get(func.key, ()) if r['func'] == func.name]
            kind = 'part' if func.part else 'func'
            wanted = func.found and (func.changed or func.suffixed or
                                     len(names[func.name]) > 1 or
                                     self.contradicted(func))
            if not named:
                # an alias of the same bytes may have it
                if wanted and not records.get(func.key):
                    bad += self.differs(func, 'no record')
                continue
            for record in named:
                record['judged'] = True
            if any(r['kind'] == kind and self.agrees(func, r) for r in named):
                self.count['changed' if func.changed else 'unusual' if
                           self.contradicted(func) else 'not in its name' if wanted else
                           'not in the BTF'] += 1
            else:
                bad += self.differs(func, 'not this record', named)
        for key, group in records.items():
            for record in group:
                if 'judged' in record:
                    continue
                if record['func'] in symbols.get(key, ()):
                    self.count['merged with another'] += 1
                else:
                    bad += 1
                    print('DIFFERENCE: no function like this one\n' + self.show(record))
        return bad

    def differs(self, func, what, records=()):
        print('DIFFERENCE: %s: %s+%#x function %s (DIE %#x)' % (what, *func.key, func.name,
                                                              func.off))
        for name, loc, regs, _ in func.params:
            print('      %s: %s [%s]%s' % (name, loc.want, loc.why, ' or %s' % regs
                                           if regs else ''))
        for record in records:
            print(self.show(record))
        return 1

    def agrees(self, func, record):
        if [p['name'] for p in record['params']] != [p[0] for p in func.params]:
            return False
        if not record['loc_proto_id']:  # each is where the convention puts it
            return not func.changed and not self.contradicted(func)
        return all(self.param(func, i, p['loc']) for i, p in enumerate(record['params']))

    def param(self, func, i, got):
        _, loc, regs, ptype = func.params[i]
        if got is None:
            # of a constant it is not known whether it was passed or assigned at once
            return loc.want is None or loc.free or loc.want['kind'] == 'const' or \
                not self.believed(loc.want)
        if loc.want is not None:
            if loc.ops is None:         # DW_AT_const_value
                return got.get('value') == loc.want.get('value')
            return dwarf_value.agrees(got, loc.ops, ptype, self.machine)
        # nothing is said of the entry, but a later entry names the register
        return got['kind'] == 'reg' and got['reg'] in regs and \
            self.expected(func)[i] is not None and self.expected(func)[i]['reg'] == got['reg']
