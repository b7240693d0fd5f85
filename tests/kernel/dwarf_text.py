# SPDX-License-Identifier: GPL-2.0-only
"""llvm-dwarfdump's text as a tree of DIEs, and the few raw bytes that it does not show.

Part of the second reader (second_reader.py): nothing here is shared with the C program.
The text gives DIEs, ranges and location lists. Read from the raw sections: where the
units begin, the view numbers before a location list, the lists that llvm-dwarfdump 14
cannot print (those with DW_LLE_GNU_view_pair), and .debug_addr.
"""
import re
import struct
import subprocess
import zlib

SHF_ALLOC, SHF_EXECINSTR, SHF_COMPRESSED = 0x2, 0x4, 0x800
ET_REL = 1
SHT_RELA, SHT_REL = 4, 9
EM_386, EM_S390, EM_X86_64 = 3, 22, 62
# by e_machine: {relocation: (bytes, counted from its own place?)}, and those of threads' data
RELOCATIONS = {EM_386: {1: (4, False), 2: (4, True)},
               EM_S390: {4: (4, False), 5: (4, True), 22: (8, False)},
               EM_X86_64: {1: (8, False), 2: (4, True), 10: (4, False), 11: (4, False),
                           24: (8, True)}}
IGNORED = {EM_386: {0, 32}, EM_S390: {0, 52, 53}, EM_X86_64: {0, 17, 21}}


class Elf:
    """Section headers and contents of an ELF file of either class and byte order."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, 'rb')
        ident = self.file.read(16)
        if ident[:4] != b'\x7fELF':
            raise ValueError('%s: not ELF' % path)
        self.wide = ident[4] == 2
        self.order = '<' if ident[5] == 1 else '>'
        self.addr_size = 8 if self.wide else 4
        head = self.file.read(48)
        self.type, self.machine = struct.unpack_from(self.order + 'HH', head)
        if self.wide:
            self.shoff, = struct.unpack_from(self.order + 'Q', head, 24)
            self.shentsize, shnum, shstrndx = struct.unpack_from(
                self.order + 'HHH', head, 42)
        else:
            self.shoff, = struct.unpack_from(self.order + 'I', head, 16)
            self.shentsize, shnum, shstrndx = struct.unpack_from(
                self.order + 'HHH', head, 30)
        self._cache = {}
        self.sections = [self._header(i) for i in range(shnum)]
        names = self._raw(self.sections[shstrndx])
        for sec in self.sections:
            end = names.index(b'\0', sec['name_off'])
            sec['name'] = names[sec['name_off']:end].decode()

    def _header(self, i):
        self.file.seek(self.shoff + i * self.shentsize)
        raw = self.file.read(self.shentsize)
        fields = ('name_off', 'type', 'flags', 'addr', 'off', 'size', 'link', 'info')
        form = 'IIQQQQII' if self.wide else 'IIIIIIII'
        return dict(zip(fields, struct.unpack_from(self.order + form, raw)), index=i)

    def _raw(self, sec):
        if sec['type'] == 8:            # SHT_NOBITS
            return b''
        self.file.seek(sec['off'])
        return self.file.read(sec['size'])

    def section(self, name):
        """A section's bytes, inflated, or b''."""
        if name in self._cache:
            return self._cache[name]
        data = b''
        for sec in self.sections:
            if sec['name'] == name:
                data = self._raw(sec)
                if sec['flags'] & SHF_COMPRESSED:
                    data = zlib.decompress(data[24 if self.wide else 12:])
                break
            if sec['name'] == name.replace('.debug', '.zdebug'):
                data = zlib.decompress(self._raw(sec)[12:])
                break
        self._cache[name] = data
        return data

    def functions(self):
        """Names of the functions' symbols by (section, offset), parts moved away left out."""
        out, form = {}, self.order + ('IBBHQQ' if self.wide else 'IIIBBH')
        for sec in self.sections:
            if sec['type'] != 2:        # SHT_SYMTAB
                continue
            names = self._raw(self.sections[sec['link']])
            for sym in struct.iter_unpack(form, self._raw(sec)):
                name, (info, _, shndx) = sym[0], sym[1:4] if self.wide else sym[3:6]
                value = sym[4] if self.wide else sym[1]
                if info & 15 != 2 or not 0 < shndx < len(self.sections):
                    continue
                place = self.sections[shndx]
                name = names[name:names.index(b'\0', name)].decode()
                if name.endswith('.cold') or '.cold.' in name:
                    continue
                base = 0 if self.type == ET_REL else place['addr']
                out.setdefault((place['name'], value - base), []).append(name)
        return out

    def section_at(self, addr, flags):
        """The section that has these flags and holds an address, or None."""
        for sec in self.sections:
            if sec['flags'] & flags == flags and sec['size'] and \
                    sec['addr'] <= addr < sec['addr'] + sec['size']:
                return sec
        return None

    def per_cpu(self, addr):
        """Whether it is an address in x86-64's .data..percpu, which is linked at 0."""
        sec = self.section_at(addr, SHF_ALLOC)
        return sec is not None and sec['name'] == '.data..percpu' and not sec['addr']

    def pads(self, addr):
        """Bytes of landing pads, return-address signing and the tracer's call there."""
        sec, skip = self.exec_section(addr), 0
        code = self.section(sec['name'])[addr - sec['addr']:][:64]
        pads = {62: ('f30f1efa', '0f1f440000', 'e8........'), 3: ('f30f1efb', 'e8........'),
                183: ('5f2403d5', '3f2303d5', '1f2003d5')}.get(self.machine, ())
        while any(re.match(pad, code[skip:].hex()) for pad in pads):
            skip += len(next(p for p in pads if re.match(p, code[skip:].hex()))) // 2
        return skip

    def exec_section(self, addr):
        return self.section_at(addr, SHF_ALLOC | SHF_EXECINSTR)

    def ends_exec_section(self, addr):
        """Whether an address is the first one behind an executable section."""
        return addr > 0 and self.exec_section(addr - 1) is not None and \
            self.exec_section(addr) is None


def link_relocatable(elf, out):
    """A copy of a .o in which each section has an address of its own, relocations done.

    Everything is then read as in an executable, and an address goes back to section +
    offset through the copy's section headers.
    """
    script = out + '.lds'
    with open(script, 'w') as f:
        f.write('SECTIONS { . = 0x100000; }\n')
    # no lld for s390; and ld merges strings, whose offsets are asked for
    if elf.machine in RELOCATIONS:
        return place_sections(elf, out)
    subprocess.run(['ld.lld', '--noinhibit-exec', '-T', script, elf.path, '-o', out],
                   check=True, stderr=subprocess.DEVNULL)
    return out


def place_sections(elf, out):
    """The same without a linker: the sections get their addresses in the headers, and the
    DWARF's and CFI's relocations are done, here."""
    if any(sec['name'].startswith('.zdebug') or (
            sec['flags'] & SHF_COMPRESSED and sec['name'].startswith('.debug'))
            for sec in elf.sections):
        subprocess.run(['objcopy', '--decompress-debug-sections', elf.path, out], check=True)
        elf = Elf(out)
    with open(elf.path, 'rb') as f:
        data = bytearray(f.read())
    addr = 0x100000

    def put(sec, wide, narrow, value):
        at = elf.shoff + sec['index'] * elf.shentsize + (wide if elf.wide else narrow)
        struct.pack_into(elf.order + ('Q' if elf.wide else 'I'), data, at, value)

    for sec in elf.sections:
        sec['addr'] = 0
        if sec['flags'] & SHF_ALLOC:
            sec['addr'] = addr
            put(sec, 16, 12, addr)
            addr += (sec['size'] + 0x1fff) & ~0xfff     # none ends where another begins
    for rela in elf.sections:
        if rela['type'] in (SHT_RELA, SHT_REL) and re.fullmatch(
                r'\.rela?\.(debug_\w+|eh_frame)', rela['name']):
            relocate(elf, data, rela)
            put(rela, 32, 20, 0)        # done
    with open(out, 'wb') as f:
        f.write(data)
    return out


def symbol_values(elf, symtab):
    """(value, whether it is in the file) of each symbol, with the sections' addresses."""
    names = {}
    for sec in elf.sections:
        if sec['type'] == 18 and sec['link'] == symtab['index']:        # SHT_SYMTAB_SHNDX
            names = [x for x, in struct.iter_unpack(elf.order + 'I', elf._raw(sec))]
    out, form = [], elf.order + ('IBBHQQ' if elf.wide else 'IIIBBH')
    for i, sym in enumerate(struct.iter_unpack(form, elf._raw(symtab))):
        shndx, value = (sym[3], sym[4]) if elf.wide else (sym[5], sym[1])
        if shndx == 0xffff:             # SHN_XINDEX
            shndx = names[i]
        elif shndx >= 0xff00:           # SHN_ABS, SHN_COMMON
            out.append((value, shndx == 0xfff1))
            continue
        out.append((elf.sections[shndx]['addr'] + value, shndx != 0))
    return out


def relocate(elf, data, rela):
    known = RELOCATIONS[elf.machine]
    symbols = symbol_values(elf, elf.sections[rela['link']])
    sec = elf.sections[rela['info']]
    order = 'little' if elf.order == '<' else 'big'
    form, shift = ('QQ', 32) if elf.wide else ('II', 8)
    form += ('q' if elf.wide else 'i') * (rela['type'] == SHT_RELA)
    for off, info, *more in struct.iter_unpack(elf.order + form, elf._raw(rela)):
        kind = info & (1 << shift) - 1
        if kind in IGNORED[elf.machine]:
            continue
        size, here = known[kind]
        at = sec['off'] + off
        addend = more[0] if more else int.from_bytes(data[at:at + size], order)
        value, there = symbols[info >> shift]
        value = value + addend if there else 0
        if here:
            value -= sec['addr'] + off
        data[at:at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, order)


class Unit:
    """A unit's header, by walking .debug_info; all offsets are section offsets."""

    def __init__(self, off, die, end, version, offset_size, kind):
        self.off, self.die, self.end = off, die, end
        self.version, self.offset_size, self.kind = version, offset_size, kind
        self.addr_base = None


def unit_headers(elf):
    data, order = elf.section('.debug_info'), elf.order
    pos, units = 0, []
    while pos + 11 <= len(data):
        length, = struct.unpack_from(order + 'I', data, pos)
        osize, at = 4, pos + 4
        if length == 0xffffffff:
            length, = struct.unpack_from(order + 'Q', data, at)
            osize, at = 8, at + 8
        end = at + length
        version, = struct.unpack_from(order + 'H', data, at)
        kind, die = 1, at + 2 + osize + 1
        if version >= 5:
            kind, die = data[at + 2], at + 4 + osize
            die += {4: 8, 5: 8, 2: 8 + osize, 6: 8 + osize}.get(kind, 0)
        units.append(Unit(pos, die, end, version, osize, kind))
        pos = end
    return units


class Die:
    """An entry; its attributes are parsed when first asked for."""
    __slots__ = ('off', 'tag', 'parent', 'children', 'unit', 'block', 'parsed')

    def __init__(self, off, tag, parent, unit, block):
        self.off, self.tag, self.parent, self.unit = off, tag, parent, unit
        self.children, self.block, self.parsed = [], block, None

    @property
    def attrs(self):
        """Name: (form, value as printed), of those that are wanted."""
        if self.parsed is None:
            self.parsed = self.parse()
        return self.parsed

    def parse(self):
        text, start, end = self.block
        out, attr, form, value = {}, None, None, None
        for line in text[start:end].split('\n')[1:]:
            match = ATTR_LINE.match(line)
            if match:
                if attr:
                    out[attr] = form, value
                attr, form, value = match.groups()
                if attr not in WANTED:
                    attr = None
            elif attr:
                value += '\n' + line.strip()
        if attr:
            out[attr] = form, value
        for name, (form, value) in out.items():
            value = value.rstrip()
            out[name] = form, value[:-1] if value.endswith(')') else value
        return out

    def text(self, name):
        """An attribute's value as printed, or None."""
        got = self.attrs.get(name)
        return got[1] if got else None

    def form(self, name):
        got = self.attrs.get(name)
        return got[0] if got else None

    def number(self, name):
        """An attribute that is a plain number, or None."""
        text = self.text(name)
        if text is None:
            return None
        return int(text.split()[0], 0)

    def string(self, name):
        text = self.text(name)
        return text[1:-1] if text and text.startswith('"') else None

    def ref(self, name):
        """Section offset of the DIE referred to, or None."""
        text = self.text(name)
        return int(text.split()[0], 16) if text else None


# what has no children that are read, and is not read itself
SKIPPED = '|'.join('''member enumerator subrange_type variable label call_site
call_site_parameter GNU_call_site GNU_call_site_parameter'''.split())
DIE_LINE = re.compile(r'^0x([0-9a-f]+):( +)(DW_TAG_(?!(?:%s)\n)\w+)' % SKIPPED, re.M)
ATTR_LINE = re.compile(r' +DW_AT_(\w+) \[DW_FORM_(\w+)[^\]]*\]\t\((.*)')
TYPE_UNIT = re.compile(r'^0x([0-9a-f]+): Type Unit:.*type_signature = 0x([0-9a-f]+), '
                       r'type_offset = 0x([0-9a-f]+)', re.M)
WANTED = frozenset('''name type byte_size bit_size encoding abstract_origin specification entry_pc
GNU_entry_view low_pc high_pc ranges call_file call_line call_column decl_file decl_line
decl_column location GNU_locviews const_value frame_base language addr_base
GNU_addr_base inline declaration producer
external'''.split())


class Tree:
    """DIEs by offset, read unit by unit as they are asked for."""

    def __init__(self, path):
        self.path = path
        self.elf = Elf(path)
        self.units = unit_headers(self.elf)
        self.dies = {}
        self.signatures = {}            # type signature -> offset of the type's DIE
        self.loaded = set()

    def load_all(self):
        text = self._dump(['--debug-info'])
        roots = self.parse(text)
        if self.elf.section('.debug_types'):
            # Its DIE offsets count from its own section's start: kept apart by a bias.
            self.parse(self._dump(['--debug-types']), bias=1 << 48)
        self.loaded.update(u.off for u in self.units)
        return [r for r in roots if r.tag == 'DW_TAG_compile_unit']

    def load(self, unit):
        if unit.off in self.loaded:
            return self.dies[unit.die]
        self.loaded.add(unit.off)
        return self.parse(self._dump(['--debug-info=%#x' % unit.die, '-c']))[0]

    def load_text(self, text):
        """The root of a unit whose text is at hand; all other units are forgotten."""
        self.dies.clear()
        self.loaded.clear()
        root = self.parse(text)[0]
        self.loaded.add(root.unit.off)
        return root

    def _dump(self, args):
        # its status is 1 where it cannot read one list; raw_loclist() takes that up
        run = subprocess.run(['llvm-dwarfdump', '-F', *args, self.path],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if b'DW_TAG_' not in run.stdout:
            raise ValueError('llvm-dwarfdump finds no DIE in %s' % self.path)
        return run.stdout.decode('utf-8', 'replace')

    def get(self, off, near=None):
        """The DIE at a section offset, or None. @near: the DIE that refers to it."""
        if off is None:
            return None
        if near is not None and near.off >= 1 << 48 and off < 1 << 48:
            off += 1 << 48
        die = self.dies.get(off)
        if die is None and off < 1 << 48:
            unit = self.unit_of(off)
            if unit is None or unit.off in self.loaded:
                return None
            self.load(unit)
            die = self.dies.get(off)
        return die

    def unit_of(self, off):
        low, high = 0, len(self.units)
        while low < high:
            mid = (low + high) // 2
            if self.units[mid].end <= off:
                low = mid + 1
            else:
                high = mid
        return self.units[low] if low < len(self.units) else None

    def parse(self, text, bias=0):
        """The DIEs of a text that begins with a DIE or a unit's line; its roots."""
        for match in TYPE_UNIT.finditer(text):
            at, sig, off = (int(x, 16) for x in match.groups())
            self.signatures[sig] = at + off + bias
        roots, path, depths, unit = [], [], [], None
        for match in DIE_LINE.finditer(text):
            off, depth = int(match.group(1), 16), len(match.group(2))
            while depths and depths[-1] >= depth:
                depths.pop()
                path.pop()
            if not path:
                unit = None if bias else self.unit_of(off)
            start, end = match.start(), text.find('\n\n', match.end())
            cur = Die(off + bias, match.group(3), path[-1] if path else None, unit,
                      (text, start, end if end > 0 else len(text)))
            (path[-1].children if path else roots).append(cur)
            path.append(cur)
            depths.append(depth)
            self.dies[off + bias] = cur
        for root in roots:
            base = root.number('addr_base') or root.number('GNU_addr_base')
            if root.unit and base is not None:
                root.unit.addr_base = base
        return roots

    def type_of(self, die):
        """The DIE that DW_AT_type names, or None for void."""
        if die.form('type') == 'ref_sig8':
            return self.dies.get(self.signatures.get(die.ref('type')))
        return self.get(die.ref('type'), die)


def unit_texts(path):
    """llvm-dwarfdump's text of one unit after the other, as bytes."""
    dump = subprocess.Popen(['llvm-dwarfdump', '-F', '--debug-info', path],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    mark, have, seen = b': Compile Unit: length = ', bytearray(), 0
    # what stands before the first unit is the file's name
    started = False
    while True:
        more = dump.stdout.read(1 << 20)
        have += more
        while True:
            at = have.find(mark, seen)
            if at < 0:
                break
            line = have.rfind(b'\n', 0, at) + 1
            if started:
                yield bytes(have[:line])
            del have[:line]
            started, seen = True, at - line + len(mark)
        seen = max(seen, len(have) - len(mark))
        if not more:
            break
    if started:
        yield bytes(have)
    dump.wait()         # its status is 1 where it cannot read one list


def walk(die):
    """A DIE and all below it, in file order; nesting may be deep."""
    todo = [die]
    while todo:
        cur = todo.pop()
        yield cur
        todo.extend(reversed(cur.children))


RANGE = re.compile(r'\[0x([0-9a-f]+), 0x([0-9a-f]+)\)')
ENTRY = re.compile(r'[\[(]0x([0-9a-f]+), 0x([0-9a-f]+)\)(?: "[^"]*")?: (.*)')


def ranges(text):
    return [(int(a, 16), int(b, 16)) for a, b in RANGE.findall(text)]


def uleb(data, pos):
    value = shift = 0
    while True:
        byte = data[pos]
        value |= (byte & 0x7f) << shift
        pos, shift = pos + 1, shift + 7
        if not byte & 0x80:
            return value, pos


def sleb(data, pos):
    start = pos
    value, pos = uleb(data, pos)
    bits = 7 * (pos - start)
    return (value - (1 << bits) if value >> (bits - 1) & 1 else value), pos


def location_list(tree, die):
    """The entries (begin, begin view, end, end view, expression) of a location list.

    The expression is text, or bytes where llvm-dwarfdump cannot print the list. A default
    entry has begin None.
    """
    text = die.text('location')
    unit = die.unit
    data = tree.elf.section('.debug_loclists' if unit.version >= 5 else '.debug_loc')
    first = text.split('\n')[0]
    match = re.search(r'loclist = 0x([0-9a-f]+)', first)
    at = int(match.group(1) if match else first.rstrip(': ').split(':')[0], 16)
    lines = text.split('\n')[1:]
    if not lines:                       # an error message on stderr stands for the list
        if unit.version < 5:
            raise ValueError('llvm-dwarfdump cannot read the list of %#x' % die.off)
        return raw_loclist(tree, unit, data, at)
    views = die.number('GNU_locviews')
    out = []
    for line in lines:
        match = ENTRY.match(line)
        if not match:
            if line.startswith('<default>'):
                out.append((None, 0, None, 0, line.split(': ', 1)[1]))
                continue
            raise ValueError('%#x: a list entry like %r' % (die.off, line))
        begin_view = end_view = 0
        if views is not None:
            begin_view, views = uleb(data, views)
            end_view, views = uleb(data, views)
        out.append((int(match.group(1), 16), begin_view, int(match.group(2), 16),
                    end_view, match.group(3)))
    return out


def debug_addr(tree, unit, index):
    data = tree.elf.section('.debug_addr')
    size = tree.elf.addr_size
    return int.from_bytes(data[unit.addr_base + index * size:][:size],
                          'little' if tree.elf.order == '<' else 'big')


def raw_loclist(tree, unit, data, pos):
    """A .debug_loclists list with DW_LLE_GNU_view_pair in it, from its bytes."""
    order = 'little' if tree.elf.order == '<' else 'big'
    size = tree.elf.addr_size
    root = tree.dies[unit.die]
    low = root.text('low_pc')
    base = int(low, 16) if low else 0
    views, out = (0, 0), []

    def word(at):
        return int.from_bytes(data[at:at + size], order), at + size

    while True:
        kind, pos = data[pos], pos + 1
        if kind == 0:
            return out
        if kind == 9:
            begin_view, pos = uleb(data, pos)
            end_view, pos = uleb(data, pos)
            views = begin_view, end_view
            continue
        if kind in (1, 6):              # base_addressx, base_address
            if kind == 6:
                base, pos = word(pos)
            else:
                index, pos = uleb(data, pos)
                base = debug_addr(tree, unit, index)
            continue
        begin = end = None
        if kind in (2, 3):              # startx_endx, startx_length
            index, pos = uleb(data, pos)
            begin = debug_addr(tree, unit, index)
            end, pos = uleb(data, pos)
            end = debug_addr(tree, unit, end) if kind == 2 else begin + end
        elif kind == 4:                 # offset_pair
            begin, pos = uleb(data, pos)
            end, pos = uleb(data, pos)
            begin, end = base + begin, base + end
        elif kind == 7:                 # start_end
            begin, pos = word(pos)
            end, pos = word(pos)
        elif kind == 8:                 # start_length
            begin, pos = word(pos)
            end, pos = uleb(data, pos)
            end += begin
        elif kind != 5:                 # default_location has an expression only
            raise ValueError('DW_LLE kind %d' % kind)
        length, pos = uleb(data, pos)
        out.append((begin, views[0], end, views[1], bytes(data[pos:pos + length])))
        pos, views = pos + length, (0, 0)
