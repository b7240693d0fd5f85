# SPDX-License-Identifier: GPL-2.0-only
"""Inline sites and where their parameters are, read from llvm-dwarfdump's text.

Part of the second reader: dwarf-rules.md sections 1 to 3.
"""
import collections
import math
import re
import tempfile

import dwarf_ops
import dwarf_value
from dwarf_frames import Frames
from dwarf_text import (ET_REL, SHF_ALLOC, Elf, Tree, link_relocatable, location_list,
                        ranges, walk)
from dwarf_run import Machine, Unfit
from dwarf_value import Type, nothing

SIGNED_ENCODINGS = ('DW_ATE_signed', 'DW_ATE_signed_char', 'DW_ATE_signed_fixed')
EXPRESSION_FORMS = 'exprloc', 'block1', 'block2', 'block4', 'block'
FLOAT_ENCODINGS = ('DW_ATE_float', 'DW_ATE_complex_float', 'DW_ATE_imaginary_float',
                   'DW_ATE_decimal_float')


class Position:
    """Where a value is wanted: an address and, of gcc's views there, @first to @last.
    @earlier: only what holds since before the address is sure. @split: code of two places
    may come together there. @empties: entries of no length count, too. @gcc: an inline
    site of gcc's."""

    def __init__(self, addr, first, last, **flags):
        self.addr, self.first, self.last = addr, first, last
        self.earlier = self.split = self.empties = self.gcc = False
        self.__dict__.update(flags)


ADDRESS_FORMS = ('addr', 'addrx', 'addrx1', 'addrx2', 'addrx3', 'addrx4', 'GNU_addr_index')


class Site:
    """@off: of its DIE; @key (section, offset); @kind inline guess part; @params (name,
    Location) in prototype order; @outer: (key, kind, name) of the sites that enclose it;
    @sure: whether the program must have it."""

    def __init__(self, off, key, kind, name, params, outer, sure):
        self.off, self.key, self.kind, self.name = off, key, kind, name
        self.params, self.outer, self.sure = params, outer, sure


class Reader:
    def __init__(self, path):
        self.original = Elf(path)
        self.temp = None
        if self.original.type == ET_REL:
            self.temp = tempfile.TemporaryDirectory()
            path = link_relocatable(self.original, self.temp.name + '/linked')
        self.tree = Tree(path)
        self.frames = None
        elf = self.tree.elf
        self.machine = Machine(elf.machine, elf.addr_size,
                               'little' if elf.order == '<' else 'big')
        self.symbols = self.original.functions()
        self.types = {}
        self.skipped = collections.Counter()

    # -- section 1: which sites, and where

    def producer(self, root):
        """(made by gcc?, does it write views?): DW_AT_producer, with gcc's options in it."""
        text = root.string('producer') or ''
        match = re.match(r'GNU (?!AS)\S+ (\d+)(.*)', text)
        self.lto = text.startswith('GNU GIMPLE')
        self.clang = not match and ('clang version' in text or 'LLVM' in text)
        if not match:
            return False, False
        options = match.group(2)
        if self.machine.number in (243, 258):
            return True, False          # RISC-V, LoongArch: their linkers change distances
        seen = ' -' not in options or (' -O' in options and ' -O0' not in options)
        return True, int(match.group(1)) >= 8 and seen and not re.search(
            ' -gno-(variable-location-views|statement-frontiers)', options)

    def position(self, die, addr):
        """gcc binds parameters before the entry's view or at the next one; what the first
        statement assigns has later ones. Where the entry has no view, what is bound at view
        0 comes first; but LTO loses statements' marks as well. There, and without views, what
        begins at the address may be either's."""
        view = die.number('GNU_entry_view')
        found = [r for r in ranges(die.text('ranges') or '') if r[0] != r[1]]
        split = len(found) > 1
        if self.views and not (self.lto and view is None):
            last = 0 if view is None else view + 1
            return Position(addr, view or 0, last, split=split, gcc=True)
        return Position(addr, view or 0, math.inf, split=split, earlier=self.gcc,
                        empties=self.clang, gcc=self.gcc)

    def sites(self, root):
        """Every site of a unit, outer before inner."""
        self.gcc, self.views = self.producer(root)
        out, found = [], {}
        for die in walk(root):
            if die.tag != 'DW_TAG_inlined_subroutine':
                continue
            site = self.site(die, found)
            if site is not None:
                found[die.off] = site
                out.append(site)
        return out

    @staticmethod
    def code(die):
        """The ranges of a DIE, empty ones too; None where it has none."""
        low = die.text('low_pc')
        if die.text('ranges'):
            return ranges(die.text('ranges'))
        if low is None:
            return None
        low = int(low.split()[0], 16)
        high = die.text('high_pc')
        high = int(high.split()[0], 16) if high else 0
        return [(low, high if die.form('high_pc') in ADDRESS_FORMS else low + high)]

    def stated(self, die, found):
        """DW_AT_entry_pc as an address, None without."""
        entry = die.text('entry_pc')
        if entry is None:
            return None
        number = int(entry.split()[0], 0)
        if die.form('entry_pc') in ADDRESS_FORMS:
            return number
        return found[0][0] + number if found else None

    def address(self, die):
        """(address, guessed?) or None. An entry is in a range of its site, or its end."""
        found = self.code(die)
        entry = self.stated(die, found)
        if entry is not None and (found is None or any(a <= entry <= b for a, b in found)):
            return entry, False
        if not found:
            return None
        if not die.text('ranges'):
            return found[0][0], entry is not None
        return [a for a, b in found if a != b][0] if any(a != b for a, b in found) \
            else found[0][0], True

    def in_function(self, die, addr):
        """Whether the function around a site holds it, as far as that says where it is."""
        up = die.parent
        while up is not None and up.tag != 'DW_TAG_subprogram':
            up = up.parent
        found = up and self.code(up)
        return not found or any(a <= addr <= b for a, b in found)

    def site(self, die, found):
        where = self.address(die)
        if where is None:
            self.skipped['no address'] += 1
            return None
        addr, guessed = where
        if not self.in_function(die, addr):
            self.skipped['not in its function'] += 1
            return None
        ends = self.tree.elf.ends_exec_section(addr)
        sec = self.tree.elf.exec_section(addr - 1 if ends else addr)
        if sec is None:
            self.skipped['not in an executable section'] += 1
            return None
        origin = self.root_origin(die)
        name = self.name(origin) if origin else None
        if name is None:
            self.skipped['no name'] += 1
            return None
        kind = 'guess' if guessed else 'inline'
        if self.continues(die, origin):
            kind = 'part'
        outer, up = [], die.parent
        while up is not None:
            if up.off in found:
                outer.append((found[up.off].key, found[up.off].kind, found[up.off].name))
            up = up.parent
        return Site(die.off, (sec['name'], addr - sec['addr']), kind, name,
                    self.params(die, origin, self.position(die, addr)), outer, not ends)

    def root_origin(self, die):
        """The abstract instance at the end of the chain of origins, or None."""
        seen, cur = set(), die
        while cur is not None and cur.off not in seen:
            seen.add(cur.off)
            nxt = self.tree.get(cur.ref('abstract_origin'), cur)
            if nxt is None:
                return cur if cur is not die else None
            cur = nxt
        return None

    def name(self, die):
        for _ in range(8):
            if die is None:
                return None
            if die.string('name'):
                return die.string('name')
            die = self.tree.get(die.ref('specification'), die)
        return None

    def continues(self, die, origin):
        """Whether the call began elsewhere: the rest of a partially inlined function."""
        call = self.line(die, 'call')
        if call != self.line(origin, 'decl') or call[1] is None:
            return False
        up = die.parent
        while up is not None:
            if up.tag == 'DW_TAG_inlined_subroutine' and self.root_origin(up) is origin:
                return True
            if up.tag == 'DW_TAG_subprogram':
                return up is origin or self.root_origin(up) is origin
            up = up.parent
        return False

    @staticmethod
    def line(die, what):
        return (die.string(what + '_file') or die.text(what + '_file'),
                die.number(what + '_line'), die.number(what + '_column'))

    # -- sections 2 and 3: which parameter, which list entry

    def behind_pads(self, die, at):
        """Where clang's lists begin, of a site at its function's first byte: behind landing
        pads and the tracer's call."""
        up = die.parent
        while up is not None and up.tag != 'DW_TAG_subprogram':
            up = up.parent
        if self.gcc or up is None or not up.text('low_pc') or \
                int(up.text('low_pc').split()[0], 16) != at.addr:
            return None
        skip = self.tree.elf.pads(at.addr)
        return Position(at.addr + skip, at.first, at.last, empties=self.clang) if skip else None

    def params(self, die, origin, at):
        values = {}
        for child in die.children:
            if child.tag != 'DW_TAG_formal_parameter':
                continue
            target = self.root_origin(child) or child
            values.setdefault(target.off, []).append(child)
        out = []
        for param in origin.children:
            if param.tag != 'DW_TAG_formal_parameter':
                continue
            ptype = self.param_type(param)
            out.append((self.name(param) or '',
                        self.param_location(die, values.get(param.off, ()), ptype, at)))
        return out

    def param_location(self, die, children, ptype, at):
        """Of two children for one parameter, the first that has a location."""
        got = [self.child_location(die, child, ptype, at) for child in children]
        none = nothing('no location' if children else 'no child')
        best = self.first(loc for loc, _ in got)
        if best is None:
            behind = self.behind_pads(die, at)
            best = self.first(self.child_location(die, child, ptype, behind)[0]
                              for child in children) if behind else None
        best = best or none
        blind = self.first(loc for _, loc in got) or none
        if blind.want != best.want:
            best.blind = ('another' if blind.want and best.want else
                          'lost' if best.want else 'made up')
        return best

    @staticmethod
    def first(locations):
        reason = None
        for loc in locations:
            if loc is not None:
                if loc.want is not None or loc.free:
                    return loc
                reason = reason or loc
        return reason

    def child_location(self, die, child, ptype, at):
        """Two Locations or None each: as it is, and as one reads it who ignores views."""
        text = child.text('location')
        if text is None and child.text('const_value') is None:
            return None, None
        if at.earlier and (text is None or child.form('location') in EXPRESSION_FORMS):
            return None, None           # since when is not said
        if text is None:
            got = self.const_value(child, ptype)
            return got, got
        if child.form('location') in EXPRESSION_FORMS:
            got = self.expression(text, ptype, die, at.addr)
            got.free = got.free or at.gcc and self.in_register(got)
            return got, got
        entries = location_list(self.tree, child)
        expr = self.entry_at(entries, at)
        plain = self.entry_without_views(entries, at.addr)
        got = None if expr is None else self.expression(expr, ptype, die, at.addr)
        if got is not None and at.gcc and self.in_register(got) and (
                ptype.kind == 'bool' or got.want['kind'] == 'mem'):
            got.free = True
        if got is not None and not at.gcc and got.ops and self.not_reduced(got.ops):
            got.free = True
        if plain is expr:
            return got, got
        return got, None if plain is None else self.expression(plain, ptype, die, at.addr)

    @staticmethod
    def not_reduced(ops):
        """What clang writes in place of DW_OP_convert in DWARF 4, a sign spread by mul and or,
        and a register put together of its halves: the program leaves them out."""
        names = [op[0] for op in ops]
        return 'mul' in names or ('piece' in names and 'shr' in names)

    @staticmethod
    def in_register(got):
        """What gcc's word is not enough for, where the code itself says otherwise: a slot
        that the next instructions fill, a bool of which a register holds one bit, one
        register for all of a scope. The program may leave it out."""
        return got.want is not None and got.want['kind'] in ('reg', 'regs', 'regoff', 'mem')

    def expression(self, expr, ptype, die, addr):
        try:
            ops = self.operators(expr, die, addr)
        except Unfit as e:
            return nothing(str(e))
        got = dwarf_value.reduce(ops, ptype, self.machine)
        if got.want is not None and got.want['kind'] == 'memaddr' and \
                self.original.type != ET_REL and self.tree.elf.per_cpu(got.want['address']):
            # each processor has one: nothing stands at the address as linked
            return nothing("a place in each processor's own area")
        return got

    def operators(self, expr, die, addr):
        """As a list, with frame bases and base types put in."""
        read = dwarf_ops.byte_ops if isinstance(expr, bytes) else dwarf_ops.text_ops
        out = []
        for op in read(expr, dwarf_ops.Context(self.tree, die.unit)):
            name = op[0]
            if name == 'fbreg':
                reg, off = self.frame_base(die, addr)
                op = 'breg', reg, off + op[1]
            elif name == 'call_frame_cfa':
                op = 'breg', *self.cfa(addr)
            elif name in ('convert', 'reinterpret') and op[1]:
                op = name, self.base_type(op[1])
            elif name in ('regval_type', 'deref_type'):
                op = name, op[1], self.base_type(op[2])
            elif name == 'const_type':
                op = name, self.base_type(op[1]), op[2]
            out.append(op)
        return out

    @staticmethod
    def entry_at(entries, at):
        """The first entry whose half-open range meets (address, any view that counts)."""
        default = None
        for i, (begin, begin_view, end, end_view, expr) in enumerate(entries):
            if begin is None:
                default = expr
                continue
            if not begin <= at.addr <= end or (at.earlier and begin == at.addr):
                continue
            empty = at.empties and begin == end == at.addr and not begin_view and not end_view
            lowest = max(at.first, begin_view) if begin == at.addr else at.first
            if empty or (lowest <= at.last and (at.addr < end or lowest < end_view)):
                # it holds at no byte, and the next place's code jumps to where another does
                if at.split and end == at.addr and any(
                        e[0] == at.addr < e[2] for e in entries[i + 1:]
                        if e[0] is not None):
                    return None
                return expr
        return default

    @staticmethod
    def entry_without_views(entries, addr):
        """What libdw's dwarf_getlocation_addr() and gdb take: an empty range holds never."""
        default = None
        for begin, _, end, _, expr in entries:
            if begin is None:
                default = expr
            elif begin <= addr < end:
                return expr
        return default

    def const_value(self, child, ptype):
        if ptype is None or not ptype.size:
            return nothing('a type without a size')
        form, text = child.form('const_value'), child.text('const_value')
        if form.startswith('block') or form == 'exprloc' or form == 'data16':
            if '<' not in text:
                got = nothing('a constant block')
                got.free = True         # its bytes are not shown
                return got
            data = bytes.fromhex(text.split('>', 1)[1])
            return dwarf_value.implicit(data, ptype, self.machine)
        if form in ('string', 'strp', 'line_strp', 'strx', 'strx1'):
            return nothing('a constant string')
        return dwarf_value.constant(int(text.split()[0], 0), ptype)

    # -- types

    def param_type(self, param):
        for _ in range(8):
            if param is None or param.text('type') is not None:
                break
            param = self.tree.get(param.ref('abstract_origin'), param)
        if param is None or param.text('type') is None:
            return None
        die = self.tree.type_of(param)
        if die is None:
            return None
        if die.off not in self.types:
            self.types[die.off] = self.work_out_type(die)
        return self.types[die.off]

    def work_out_type(self, die):
        for _ in range(64):
            if die is None:
                return None
            tag = die.tag[len('DW_TAG_'):]
            if tag in ('pointer_type', 'reference_type', 'rvalue_reference_type'):
                size = die.number('byte_size') or self.tree.elf.addr_size
                return Type(size, False, 'ptr')
            if tag == 'base_type':
                encoding, size = die.text('encoding'), die.number('byte_size')
                if encoding in FLOAT_ENCODINGS:
                    return Type(size, False, 'float')
                kind = 'bool' if encoding == 'DW_ATE_boolean' else 'int'
                return Type(size, encoding in SIGNED_ENCODINGS, kind)
            if tag == 'enumeration_type':
                return self.enum_type(die)
            if tag in ('structure_type', 'union_type', 'class_type', 'array_type'):
                return Type(die.number('byte_size'), False, 'agg')
            die = self.tree.type_of(die)
        return None

    def enum_type(self, die):
        under = self.work_out_type(self.tree.type_of(die))
        size = die.number('byte_size') or (under.size if under else None)
        if under is not None:
            return Type(size, under.signed, 'bool' if under.kind == 'bool' else 'int')
        return Type(size, die.text('encoding') in SIGNED_ENCODINGS, 'int')

    def base_type(self, off):
        die = self.tree.get(off)
        if die is None or die.tag != 'DW_TAG_base_type':
            raise Unfit('a convert to what is no base type')
        encoding = die.text('encoding')
        kind = 'float' if encoding in FLOAT_ENCODINGS else \
            'bool' if encoding == 'DW_ATE_boolean' else 'int'
        size, bits = die.number('byte_size'), die.number('bit_size')
        if bits is not None and bits != 8 * (size or 0):
            raise Unfit('a convert to %d bits' % bits)
        return size, encoding in SIGNED_ENCODINGS, kind

    # -- frame base

    def cfa(self, addr):
        if self.frames is None:
            self.frames = Frames(self.tree.elf)
        got = self.frames.cfa(addr)
        if got is None:
            raise Unfit('no CFI')
        return got

    def frame_base(self, die, addr):
        """(register, offset)."""
        while die is not None and die.text('frame_base') is None:
            die = die.parent
        if die is None:
            raise Unfit('no frame base')
        if die.form('frame_base') not in EXPRESSION_FORMS:
            raise Unfit('a frame base with a list')
        ctx = dwarf_ops.Context(self.tree, die.unit)
        ops = dwarf_ops.text_ops(die.text('frame_base'), ctx)
        if len(ops) == 1 and ops[0][0] == 'call_frame_cfa':
            return self.cfa(addr)
        if len(ops) == 1 and ops[0][0] in ('reg', 'breg'):
            return ops[0][1], ops[0][2] if ops[0][0] == 'breg' else 0
        raise Unfit('a frame base that is not register + offset')

    # -- how an address looks in the JSON

    def placed(self, addr):
        """(address, section or None) as the program prints an address constant."""
        if self.original.type != ET_REL:
            return addr, None
        sec = self.tree.elf.section_at(addr, SHF_ALLOC)
        if sec is None:
            empty = [s['name'] for s in self.original.sections if s['flags'] & SHF_ALLOC and
                     not s['size'] and self.tree.elf.sections[s['index']]['addr'] == addr]
            if empty and self.tree.elf.type == ET_REL:
                return 0, empty[0]
            ends = self.tree.elf.section_at(addr - 1, SHF_ALLOC)
            return (addr - ends['addr'], ends['name']) if ends else (addr, None)
        return addr - sec['addr'], sec['name']
