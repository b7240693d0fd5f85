# SPDX-License-Identifier: GPL-2.0-only
"""DWARF by hand: DIEs, location lists and expressions as assembler text.

For tests that need what no compiler can be asked for. One Dwarf is one object file:

    d = Dwarf()
    f = d.inline_func('f', [('a', d.int)])
    outer = d.func('outer', 64)                 # 64 bytes of code, at the start of .text
    site = d.site(outer, f, 'outer+4', 'outer+8')
    d.param(site, f.param('a'), 'breg5 0; stack_value')
    path = d.build(folder)                      # assembled, linked, .BTF by pahole

Places in the code are written as the assembler takes them: a symbol + bytes.
"""
import os
import re
import subprocess

TAGS = dict(array_type=1, enumeration_type=4, formal_parameter=5, lexical_block=0x0b,
            pointer_type=0x0f, compile_unit=0x11, structure_type=0x13,
            typedef=0x16, unspecified_parameters=0x18, inlined_subroutine=0x1d,
            base_type=0x24, const_type=0x26, enumerator=0x28, subprogram=0x2e,
            volatile_type=0x35, partial_unit=0x3c, imported_unit=0x3d, member=0x0d,
            variable=0x34, call_site=0x48, call_site_parameter=0x49,
            GNU_call_site=0x4109, GNU_call_site_parameter=0x410a)
ATTRS = dict(sibling=1, location=2, name=3, byte_size=0x0b, stmt_list=0x10, low_pc=0x11,
             high_pc=0x12, language=0x13, const_value=0x1c, inline=0x20, producer=0x25,
             prototyped=0x27, abstract_origin=0x31, data_member_location=0x38,
             decl_column=0x39, decl_file=0x3a, decl_line=0x3b, encoding=0x3e,
             external=0x3f, frame_base=0x40, type=0x49, entry_pc=0x52, ranges=0x55,
             call_column=0x57, call_file=0x58, call_line=0x59, comp_dir=0x1b,
             addr_base=0x73, calling_convention=0x36, GNU_locviews=0x2137, GNU_entry_view=0x2138,
             call_value=0x7e, call_parameter=0x80, GNU_call_site_value=0x2111)
ATTRS['import'] = 0x18          # a keyword of Python
FORMS = dict(addr=1, block1=0x0a, data1=0x0b, data2=0x05, data4=0x06, data8=0x07,
             string=0x08, block=0x09, sdata=0x0d, udata=0x0f, ref_addr=0x10, ref4=0x13,
             sec_offset=0x17, exprloc=0x18, flag_present=0x19, addrx=0x1b)
ENCODINGS = dict(boolean=2, float=4, signed=5, signed_char=6, unsigned=7, unsigned_char=8)

# operator: (code, operands); operands: 1 2 4 8 bytes, u ULEB, s SLEB, a address, d a DIE
OPS = dict(addr=(3, 'a'), deref=(6, ''), const1u=(8, '1'), const1s=(9, '1'),
           const2u=(0x0a, '2'), const2s=(0x0b, '2'), const4u=(0x0c, '4'),
           const4s=(0x0d, '4'), const8u=(0x0e, '8'), const8s=(0x0f, '8'),
           constu=(0x10, 'u'), consts=(0x11, 's'), dup=(0x12, ''), drop=(0x13, ''),
           swap=(0x16, ''), minus=(0x1c, ''), mul=(0x1e, ''), neg=(0x1f, ''),
           plus=(0x22, ''), plus_uconst=(0x23, 'u'), shl=(0x24, ''), shr=(0x25, ''),
           shra=(0x26, ''), regx=(0x90, 'u'), fbreg=(0x91, 's'), bregx=(0x92, 'us'),
           piece=(0x93, 'u'), deref_size=(0x94, '1'), nop=(0x96, ''),
           call_frame_cfa=(0x9c, ''), stack_value=(0x9f, ''), addrx=(0xa1, 'u'),
           regval_type=(0xa5, 'ud'), convert=(0xa8, 'd'), GNU_convert=(0xf7, 'd'),
           implicit_pointer=(0xa0, 'rs'), GNU_parameter_ref=(0xfa, 'd4'))
OPS.update({'and': (0x1a, ''), 'or': (0x21, ''), 'not': (0x20, ''),
            'GNU_uninit': (0xf0, ''), 'hi_user': (0xff, '')})

LLE = dict(base_address=6, offset_pair=4, start_end=7, start_length=8, default=5)


class Die:
    count = 0

    def __init__(self, tag, attrs, parent):
        Die.count += 1
        self.label = '.Ldie%d' % Die.count
        self.tag, self.attrs, self.children = tag, attrs, []
        self.unit = parent.unit if parent else self
        if parent:
            parent.children.append(self)

    def param(self, name):
        """The formal parameter of that name among the children."""
        return next(c for c in self.children if c.tag == 'formal_parameter' and
                    c.attrs.get('name') == name)


class Expr:
    """An expression: 'breg5 -8; const1u 0xff; and; stack_value'. @dies: name -> DIE."""

    def __init__(self, text, dies=None):
        self.text, self.dies = text, dies or {}


class LocList:
    """Entries (begin, end, expression[, form]); @views: (begin view, end view) of each.

    @inline_views: as DW_LLE_GNU_view_pair in the list, else before it.
    """
    count = 0

    def __init__(self, entries, views=None, inline_views=False, base=None):
        LocList.count += 1
        self.label = '.Llist%d' % LocList.count
        self.views_label = '.Lviews%d' % LocList.count
        self.entries, self.views = entries, views
        self.inline_views, self.base = inline_views, base


class Ranges:
    count = 0

    def __init__(self, *pairs):
        Ranges.count += 1
        self.label = '.Lranges%d' % Ranges.count
        self.pairs = pairs


class Dwarf:
    """@target: clang's; @version: 4 or 5."""

    def __init__(self, target='x86_64-linux-gnu', version=5):
        self.target, self.version = target, version
        small = re.match(r'arm|i.86|mips-|mipsel', target)
        self.word = 4 if small else 8
        self.units, self.code, self.lists, self.range_lists = [], [], [], []
        self.extra = []                 # more assembler text
        self.addr_pool = []
        self.abbrevs = {}
        self.funcs = 0
        self.unit('unit.c')
        self.int = self.base('int', 4, 'signed')
        self.long = self.base('long int', self.word, 'signed')
        self.u8 = self.base('unsigned char', 1, 'unsigned_char')

    # -- DIEs

    def unit(self, name, language=12, tag='compile_unit', **attrs):
        """A new unit; what follows goes into it."""
        self.cu = Die(tag, dict(name=name, language=language, **attrs), None)
        self.units.append(self.cu)
        return self.cu

    def die(self, tag, parent=None, **attrs):
        return Die(tag, attrs, parent or self.cu)

    def base(self, name, size, encoding):
        return self.die('base_type', name=name, byte_size=size,
                        encoding=ENCODINGS[encoding])

    def pointer(self, to=None):
        more = {'type': to} if to else {}
        return self.die('pointer_type', byte_size=self.word, **more)

    def struct(self, name, size, members):
        """@members: (name, type, offset)."""
        new = self.die('structure_type', name=name, byte_size=size)
        for member, kind, off in members:
            self.die('member', new, name=member, type=kind, data_member_location=off)
        return new

    def inline_func(self, name, params, line=10, column=5, file=1, **attrs):
        """The abstract instance; @params: (name, type) in the prototype's order."""
        new = self.die('subprogram', name=name, prototyped=True, inline=3, decl_file=file,
                       decl_line=line, decl_column=column, **attrs)
        for pname, kind in params:
            self.die('formal_parameter', new, name=pname, type=kind)
        return new

    def func(self, symbol, size, cfa=(), section='.text', frame_base='call_frame_cfa',
             name=None, head=(), external=True, **attrs):
        """An out-of-line function. @cfa: (bytes from its start, CFI directive).

        @name: in the DWARF, where it is not the symbol's; @head: its first bytes.
        """
        lines = ['.section %s,"ax",%%progbits' % section,
                 '.%s "%s"' % ('globl' if external else 'local', symbol),
                 '.type "%s",%%function' % symbol, '"%s":' % symbol, '.cfi_startproc']
        if head:
            lines.append('.byte ' + ','.join('%d' % b for b in head))
        at = len(head)
        for off, directive in cfa:
            lines += ['.zero %d' % (off - at), directive]
            at = off
        lines += ['.zero %d' % (size - at), '.cfi_endproc',
                  '.size "%s",%d' % (symbol, size)]
        self.code += lines
        if 'abstract_origin' not in attrs:
            attrs['name'] = name or symbol
            attrs.setdefault('prototyped', True)
        if frame_base:
            attrs['frame_base'] = Expr(frame_base)
        if external:
            attrs['external'] = True
        attrs.setdefault('low_pc', ('addr', '"%s"' % symbol))
        if attrs['low_pc']:
            attrs.setdefault('high_pc', ('data8', size))
        return self.die('subprogram',
                        **{k: v for k, v in attrs.items() if v is not None})

    def site(self, parent, func, entry, end=None, **attrs):
        """An inlined instance with entry_pc and low_pc = @entry, up to @end."""
        attrs.setdefault('entry_pc', ('addr', entry))
        attrs.setdefault('low_pc', ('addr', entry))
        if entry and attrs['low_pc']:
            attrs.setdefault('high_pc', ('delta', end or entry, entry))
        attrs = {k: v for k, v in attrs.items() if v is not None}
        attrs.setdefault('call_file', 1)
        attrs.setdefault('call_line', 99)
        attrs.setdefault('call_column', 3)
        return self.die('inlined_subroutine', parent, abstract_origin=func, **attrs)

    def param(self, site, origin, location=None, dies=None, **attrs):
        """@location: an expression's text, or a LocList; @origin: None for a parameter
        that has its name and type itself."""
        if origin is not None:
            attrs['abstract_origin'] = origin
        if isinstance(location, str):
            attrs['location'] = Expr(location, dies)
        elif location is not None:
            attrs['location'] = location
            if location.views and not location.inline_views:
                attrs['GNU_locviews'] = ('sec_offset', location.views_label)
        return self.die('formal_parameter', site, **attrs)

    # -- text

    def value(self, die, attr, value):
        """(form's name, assembler lines) of one attribute."""
        if isinstance(value, tuple):
            return self.formed(*value)
        if value is True:
            return 'flag_present', []
        if isinstance(value, int):
            if attr in ('decl_line', 'call_line', 'byte_size', 'language'):
                return 'data2', ['.short %d' % value]
            return 'udata', ['.uleb128 %d' % value]
        if isinstance(value, str):
            return 'string', ['.asciz "%s"' % value]
        if isinstance(value, Die):
            if value.unit is die.unit:
                return 'ref4', ['.long %s-%s' % (value.label, die.unit.label)]
            return 'ref_addr', ['.long %s' % value.label]
        if isinstance(value, Expr):
            return 'exprloc', self.expr(value, die.unit)
        if isinstance(value, LocList):
            self.lists.append((value, die.unit))
            return 'sec_offset', ['.long %s' % value.label]
        if isinstance(value, Ranges):
            self.range_lists.append(value)
            return 'sec_offset', ['.long %s' % value.label]
        raise TypeError(value)

    def formed(self, form, value, base=None):
        if form == 'addr':
            return form, [self.address(value)]
        if form == 'delta':
            return 'data8', ['.quad (%s)-(%s)' % (value, base)]
        if form in ('udata', 'sdata', 'addrx'):
            return form, ['.%cleb128 %s' % ('s' if form[0] == 's' else 'u', value)]
        if form in ('block1', 'block'):
            return form, ['.byte %d' % len(value),
                          '.byte ' + ','.join('%d' % b for b in value)]
        if form == 'sec_offset':
            return form, ['.long %s' % value]
        if form == 'string':
            return form, ['.asciz "%s"' % value]
        size = {'data1': '.byte', 'data2': '.short', 'data4': '.long', 'data8': '.quad'}
        return form, ['%s %s' % (size[form], value)]

    def address(self, place):
        return ('.quad %s' if self.word == 8 else '.long %s') % place

    def expr(self, expr, unit):
        Die.count += 1
        start, end = '.Lx%d' % Die.count, '.Ly%d' % Die.count
        body = []
        for op in filter(None, (x.strip() for x in expr.text.split(';'))):
            body += self.op(op, expr.dies, unit)
        return ['.uleb128 %s-%s' % (end, start), start + ':'] + body + [end + ':']

    def op(self, text, dies, unit):
        name, *args = text.split()
        match = re.fullmatch(r'(lit|reg|breg)(\d+)', name)
        if match:
            code = {'lit': 0x30, 'reg': 0x50, 'breg': 0x70}[match.group(1)]
            lines = ['.byte %d' % (code + int(match.group(2)))]
            return lines + ['.sleb128 ' + a for a in args]
        if name in ('entry_value', 'GNU_entry_value'):
            code = 0xa3 if name == 'entry_value' else 0xf3
            return ['.byte %d,1,%d' % (code, 0x50 + int(args[0][3:]))]
        if name == 'implicit_value':
            return ['.byte 0x9e,%d' % len(args),
                    '.byte ' + ','.join('0x' + a for a in args)]
        code, kinds = OPS[name]
        lines = ['.byte %d' % code]
        kinds = ['d4'] if kinds == 'd4' else list(kinds)
        for kind, arg in zip(kinds, args):
            if kind == 'd':
                lines.append('.uleb128 0' if arg == '0' else
                             '.uleb128 %s-%s' % (dies[arg].label, unit.label))
            elif kind == 'd4':
                lines.append('.long %s-%s' % (dies[arg].label, unit.label))
            elif kind == 'r':
                lines.append('.long %s' % dies[arg].label)
            elif kind == 'a':
                lines.append(self.address(arg))
            else:
                lines.append({'1': '.byte ', '2': '.short ', '4': '.long ', '8': '.quad ',
                              'u': '.uleb128 ', 's': '.sleb128 '}[kind] + arg)
        return lines

    def abbrev(self, key):
        return self.abbrevs.setdefault(key, len(self.abbrevs) + 1)

    def die_text(self, die, out):
        values = [(a, *self.value(die, a, v)) for a, v in die.attrs.items()]
        key = (die.tag, bool(die.children), tuple((a, form) for a, form, _ in values))
        out += [die.label + ':', '.uleb128 %d' % self.abbrev(key)]
        for _, _, lines in values:
            out += lines
        for child in die.children:
            self.die_text(child, out)
        if die.children:
            out.append('.byte 0')

    def unit_text(self, unit, out):
        top, body = unit.label + 'u', []
        self.die_text(unit, body)
        kind = 3 if unit.tag == 'partial_unit' else 1
        # references count from the header's first byte
        out += [unit.label + 'h:', '.long %se-%ss' % (top, top), top + 's:',
                '.short %d' % self.version]
        if self.version >= 5:
            out += ['.byte %d,%d' % (kind, self.word), '.long .Labbrev']
        else:
            out += ['.long .Labbrev', '.byte %d' % self.word]
        out += [line.replace('-' + unit.label, '-' + unit.label + 'h')
                if line.endswith('-' + unit.label) else line for line in body]
        out.append(top + 'e:')

    def list_text(self, lst, unit):
        out, old = [], self.version < 5
        if lst.views and not lst.inline_views:
            out.append(lst.views_label + ':')
            out += ['.uleb128 %d\n.uleb128 %d' % v for v in lst.views]
        out.append(lst.label + ':')
        if lst.base and not old:
            out += ['.byte 6', self.address(lst.base)]
        for i, (begin, end, text, *more) in enumerate(lst.entries):
            expr = text if isinstance(text, Expr) else Expr(text)
            body = self.expr(expr, unit)
            if old:
                # a base of 0 as long as the unit has no low_pc
                size = body[0].replace('.uleb128', '.short')
                out += [self.address(begin), self.address(end), size] + body[1:]
                continue
            if lst.inline_views:
                out.append('.byte 9\n.uleb128 %d\n.uleb128 %d' % lst.views[i])
            form = more[0] if more else ('offset_pair' if lst.base else 'start_end')
            out.append('.byte %d' % LLE[form])
            if form == 'offset_pair':
                out += ['.uleb128 (%s)-(%s)' % (x, lst.base) for x in (begin, end)]
            elif form == 'start_end':
                out += [self.address(begin), self.address(end)]
            elif form == 'start_length':
                out += [self.address(begin), '.uleb128 (%s)-(%s)' % (end, begin)]
            out += body
        return out + ([self.address('0')] * 2 if old else ['.byte 0'])

    def range_text(self, ranges):
        out = [ranges.label + ':']
        for begin, end in ranges.pairs:
            if self.version >= 5:
                out.append('.byte 6')   # DW_RLE_start_end
            out += [self.address(begin), self.address(end)]
        return out + ([self.address('0')] * 2 if self.version < 5 else ['.byte 0'])

    def text(self):
        info, tables = [], []
        for unit in self.units:
            self.unit_text(unit, info)
        new = self.version >= 5
        head = ['.byte 0,0,0,0'] if new else []
        for name, label, bodies in (
                ('.debug_loclists' if new else '.debug_loc', '.Lll',
                 [self.list_text(*x) for x in self.lists]),
                ('.debug_rnglists' if new else '.debug_ranges', '.Lrl',
                 [self.range_text(x) for x in self.range_lists])):
            tables.append('.section %s,"",%%progbits' % name)
            if new:
                head = ['.long %se-%ss' % (label, label), label + 's:', '.short 5',
                        '.byte %d,0' % self.word, '.long 0']
            tables += head + [line for body in bodies for line in body]
            if new:
                tables.append(label + 'e:')
        if self.addr_pool:
            tables += ['.section .debug_addr,"",%progbits', '.long .Lae-.Las', '.Las:',
                       '.short 5', '.byte %d,0' % self.word, '.Laddr:',
                       *[self.address(a) for a in self.addr_pool], '.Lae:']
        return '\n'.join(self.code + self.extra + ['.section .debug_info,"",%progbits'] +
                         info + self.abbrev_text() + tables) + '\n'

    def abbrev_text(self):
        out = ['.section .debug_abbrev,"",%progbits', '.Labbrev:']
        for (tag, children, attrs), number in self.abbrevs.items():
            out += ['.uleb128 %d' % number, '.uleb128 %d' % TAGS[tag],
                    '.byte %d' % children]
            out += ['.uleb128 %d\n.uleb128 %d' % (ATTRS[a], FORMS[f]) for a, f in attrs]
            out.append('.byte 0,0')
        return out + ['.byte 0']

    # -- files

    def assemble(self, folder, name='hand'):
        base = os.path.join(folder, name)
        with open(base + '.s', 'w') as f:
            f.write(self.text())
        subprocess.run(['clang', '--target=' + self.target, '-c', base + '.s', '-o',
                        base + '.o'], check=True)
        return base + '.o'

    def build(self, folder, link=True, name='hand'):
        """Path of the file, with .BTF; linked: .text at 0x200000."""
        path = self.assemble(folder, name)
        if link:
            exe = os.path.join(folder, name)
            tool = 'ld' if self.target.startswith('x86_64') else 'ld.lld'
            subprocess.run([tool, '-e', '0', '--noinhibit-exec', '-Ttext=0x200000', path,
                            '-o', exe], check=True, stderr=subprocess.PIPE)
            path = exe
        subprocess.run(['pahole', '-J', path], check=True)
        return path
