# SPDX-License-Identifier: GPL-2.0-only
"""Where the canonical frame address is, worked out from the bytes of the CFI.

Part of the second reader. llvm-dwarfdump 14 does not restore the CFA's rule with
DW_CFA_restore_state, so its rows are of no use here.
"""
import bisect

from dwarf_text import sleb, uleb

PCREL, OMIT = 0x10, 0xff


class Unknown(Exception):
    """Bytes that cannot be followed."""


class Cie:
    def __init__(self):
        self.encoding, self.has_data, self.address_size = 0, False, 0
        self.code_align = self.data_align = self.begin = self.end = 0


class FrameSection:
    """The FDEs of .debug_frame or .eh_frame by their first address."""

    def __init__(self, elf, sec):
        self.elf, self.sec = elf, sec
        self.eh = sec['name'] == '.eh_frame'
        self.order = 'little' if elf.order == '<' else 'big'
        self.data = elf.section(sec['name'])
        self.cies = {}
        self.fdes = sorted(self.entries(), key=lambda f: f[:2])
        self.starts = [f[0] for f in self.fdes]

    def fixed(self, pos, size, signed=False):
        raw = self.data[pos:pos + size]
        return int.from_bytes(raw, self.order, signed=signed), pos + size

    def header(self, pos):
        """(where its id stands, size of the id, end) of the entry at @pos."""
        length, at = self.fixed(pos, 4)
        if length != 0xffffffff:
            return at, 4, at + length
        length, at = self.fixed(at, 8)
        return at, 4 if self.eh else 8, at + length

    def entries(self):
        pos = 0
        while pos + 4 <= len(self.data):
            at, size, end = self.header(pos)
            pos = end
            if at == end:               # .eh_frame's terminator
                continue
            ident, body = self.fixed(at, size)
            if ident == (0 if self.eh else (1 << 8 * size) - 1):
                continue
            cie = self.cie(at - ident if self.eh else ident)
            start, body = self.pointer(body, cie.encoding, cie)
            length, body = self.pointer(body, cie.encoding & 0x0f, cie)
            length &= (1 << 8 * cie.address_size) - 1
            if cie.has_data:
                skip, body = uleb(self.data, body)
                body += skip
            if length:
                yield start, start + length, cie, body, end

    def pointer(self, pos, encoding, cie):
        """A value in one of the DW_EH_PE encodings."""
        at, form = pos, encoding & 0x0f
        if form in (1, 9):
            value, pos = (uleb if form == 1 else sleb)(self.data, pos)
        else:
            sizes = {0: cie.address_size, 8: cie.address_size, 2: 2, 3: 4, 4: 8,
                     10: 2, 11: 4, 12: 8}
            value, pos = self.fixed(pos, sizes[form], form & 8)
        if encoding & 0x70 == PCREL:
            value += self.sec['addr'] + at
        elif encoding & 0x70:
            raise Unknown('pointer encoding %#x' % encoding)
        return value & (1 << 8 * cie.address_size) - 1, pos

    def cie(self, off):
        if off in self.cies:
            return self.cies[off]
        at, size, end = self.header(off)
        cie, data = Cie(), self.data
        cie.address_size = self.elf.addr_size
        version, pos = data[at + size], at + size + 1
        stop = data.index(b'\0', pos)
        letters, pos = data[pos:stop].decode(), stop + 1
        if version >= 4:
            cie.address_size = data[pos]
            pos += 2
        cie.code_align, pos = uleb(data, pos)
        cie.data_align, pos = sleb(data, pos)
        pos = pos + 1 if version == 1 else uleb(data, pos)[1]
        if letters.startswith('z'):
            cie.has_data = True
            size, pos = uleb(data, pos)
            self.augmentation(letters[1:], pos, cie)
            pos += size
        elif letters:
            raise Unknown('augmentation ' + letters)
        cie.begin, cie.end = pos, end
        self.cies[off] = cie
        return cie

    def augmentation(self, letters, pos, cie):
        for letter in letters:
            if letter == 'R':
                cie.encoding, pos = self.data[pos], pos + 1
            elif letter == 'L':
                pos += 1
            elif letter == 'P':
                encoding = self.data[pos]
                _, pos = self.pointer(pos + 1, encoding & 0x0f, cie)
            elif letter not in 'SB':
                return

    def cfa(self, addr):
        """(DWARF register, offset) or None: no FDE, or a CFA by expression."""
        i = bisect.bisect_right(self.starts, addr) - 1
        while i >= 0 and self.fdes[i][1] <= addr and i > 0 and \
                self.fdes[i - 1][1] > addr:
            i -= 1
        if i < 0 or not self.fdes[i][0] <= addr < self.fdes[i][1]:
            return None
        start, _, cie, begin, end = self.fdes[i]
        rule, _ = self.follow(cie.begin, cie.end, cie, None, start, addr)
        rule, _ = self.follow(begin, end, cie, rule, start, addr)
        return rule

    def follow(self, pos, end, cie, rule, loc, addr):
        """The CFA's rule at @addr after the instructions, and the place they reached."""
        data, saved = self.data, []
        while pos < end:
            code, pos = data[pos], pos + 1
            high, low = code & 0xc0, code & 0x3f
            if high == 0x40 or code in (1, 2, 3, 4, 0x1d):
                if code == 1:
                    loc, pos = self.pointer(pos, cie.encoding, cie)
                else:
                    delta = low
                    if high != 0x40:
                        size = {2: 1, 3: 2, 4: 4, 0x1d: 8}[code]
                        delta, pos = self.fixed(pos, size)
                    loc += delta * cie.code_align
                if loc > addr:
                    break
            elif high == 0x80:                  # offset
                _, pos = uleb(data, pos)
            elif high == 0xc0 or code in (0x00, 0x2d):
                pass                            # restore, nop, window_save
            elif code == 0x0a:
                saved.append(rule)
            elif code == 0x0b:
                rule = saved.pop()
            elif code in (0x0c, 0x12):          # def_cfa, def_cfa_sf
                reg, pos = uleb(data, pos)
                off, pos = self.offset(pos, code == 0x12, cie)
                rule = reg, off
            elif code == 0x0d:                  # def_cfa_register
                reg, pos = uleb(data, pos)
                rule = reg, rule[1]
            elif code in (0x0e, 0x13):          # def_cfa_offset, def_cfa_offset_sf
                off, pos = self.offset(pos, code == 0x13, cie)
                rule = rule[0], off
            elif code == 0x0f:                  # def_cfa_expression
                size, pos = uleb(data, pos)
                pos, rule = pos + size, None
            else:
                pos = self.other(code, pos)
        return rule, loc

    def offset(self, pos, factored, cie):
        if not factored:
            return uleb(self.data, pos)
        off, pos = sleb(self.data, pos)
        return off * cie.data_align, pos

    def other(self, code, pos):
        """Over the operands of an instruction on another register than the CFA."""
        if code in (0x06, 0x07, 0x08, 0x2e):    # one number
            return uleb(self.data, pos)[1]
        if code in (0x05, 0x09, 0x11, 0x14, 0x15, 0x2f):
            return uleb(self.data, uleb(self.data, pos)[1])[1]
        if code in (0x10, 0x16):                # a register and a block
            size, pos = uleb(self.data, uleb(self.data, pos)[1])
            return pos + size
        raise Unknown('DW_CFA %#x' % code)


class Frames:
    def __init__(self, elf):
        named = {sec['name']: sec for sec in elf.sections if sec['size']}
        self.sections = [FrameSection(elf, named[name])
                         for name in ('.debug_frame', '.eh_frame')
                         if name in named and elf.section(name)]

    def cfa(self, addr):
        """(DWARF register, offset) or None."""
        for section in self.sections:
            got = section.cfa(addr)
            if got is not None:
                return got
        return None
