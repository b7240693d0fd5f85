# SPDX-License-Identifier: GPL-2.0-only
"""Objects that grow: one shape each, of n of something. For test_growth.py and bench-growth.

Each writes an object file without .BTF into a folder and returns its path; they are encoded upon
base(), which has what all of them use.
"""
import os
import resource
import struct
import subprocess

import btf_blob as B
from dwarf_asm import Dwarf, LocList, Ranges


def base(folder):
    """A BTF of two types, for -B."""
    blob = B.Blob()
    blob.int('int', 4, 1)
    blob.int('long int', 8, 1)
    path = os.path.join(folder, 'base.btf')
    with open(path, 'wb') as f:
        f.write(blob.finish())
    return path


def compiled(folder, text, *flags):
    path = os.path.join(folder, 'compiled')
    with open(path + '.c', 'w') as f:
        f.write(text)
    subprocess.run([*flags, '-g', '-c', path + '.c', '-o', path + '.o'], check=True)
    return path + '.o'


CLANG = 'clang', '--target=x86_64', '-O2'
GCC = 'gcc', '-O2'


def functions(n):
    """The second parameter's list begins behind the tracer's call, and has no entry value."""
    return 'int h(int, int), v;\n' + ''.join(
        'int f%d(int a, int b) { v = a; return h(b, %d * a); }\n' % (i, i + 5)
        for i in range(n))


def clang_fentry(folder, n):
    return compiled(folder, functions(n), *CLANG, '-pg', '-mfentry')


def clang_fentry_sections(folder, n):
    return compiled(folder, functions(n), *CLANG, '-pg', '-mfentry', '-ffunction-sections')


def clang_patchable(folder, n):
    return compiled(folder, functions(n), *CLANG, '-fpatchable-function-entry=5')


def gcc_fentry(folder, n):
    return compiled(folder, functions(n), *GCC, '-pg', '-mfentry', '-mrecord-mcount')


def gcc_sections(folder, n):
    return compiled(folder, functions(n), *GCC, '-pg', '-mfentry', '-ffunction-sections')


def gcc_patchable(folder, n):
    return compiled(folder, functions(n), *GCC, '-fpatchable-function-entry=5,2',
                    '-ffunction-sections')


def sites_in_sections(folder, n):
    """A site in each of n sections."""
    text = ['int g(int); static inline __attribute__((always_inline)) int in(int a)'
            '{ return g(a) * a; }\n']
    text += ['int f%d(int a) { return in(a + g(%d)); }\n' % (i, i) for i in range(n)]
    return compiled(folder, ''.join(text), *GCC, '-ffunction-sections')


def clang_sites_in_sections(folder, n):
    text = ['int g(int); static inline __attribute__((always_inline)) int in(int a)'
            '{ return g(a) * a; }\n']
    text += ['int f%d(int a) { return in(a + g(%d)); }\n' % (i, i) for i in range(n)]
    return compiled(folder, ''.join(text), *CLANG, '-ffunction-sections')


def linked(obj):
    exe = obj[:-2]
    subprocess.run(['ld', '-e', '0', '--noinhibit-exec', '-Ttext=0x200000', obj, '-o', exe],
                   check=True, stderr=subprocess.PIPE)
    return exe


def built(folder, d, link=True):
    obj = d.assemble(folder)
    return linked(obj) if link else obj


def shared_list(folder, n, sites=1000, version=5):
    """Sites that share a list of n entries, at the places of the entries in turn."""
    d = Dwarf(version=version)
    f = d.inline_func('f', [('a', d.int)])
    outer = d.func('outer', n + 1)
    many = LocList([('outer+%d' % i, 'outer+%d' % (i + 1), 'reg%d' % (i % 8))
                    for i in range(n)])
    for i in range(sites):
        at = i * n // sites
        site = d.site(outer, f, 'outer+%d' % at, 'outer+%d' % (at + 1))
        if not i:
            d.param(site, f.param('a'), many)
        else:
            d.die('formal_parameter', site, abstract_origin=f.param('a'),
                  location=('sec_offset', many.label))
    return built(folder, d)


def shared_list_old(folder, n):
    """The same of .debug_loc."""
    return shared_list(folder, n, version=4)


def sites_and_entries(folder, n):
    """n sites that share a list of n entries."""
    return shared_list(folder, n, n)


def fentry(folder, n):
    """clang's functions in one section: a list that begins behind the tracer's call."""
    d = Dwarf()
    for i in range(n):
        g = d.func('f%d' % i, 16)
        at = d.code.index('.zero 16', len(d.code) - 4)
        d.code[at:at + 1] = ['call __fentry__', '.zero 11']
        d.param(g, None, LocList([('f%d+5' % i, 'f%d+16' % i, 'reg5')]), name='a', type=d.int)
    return built(folder, d, False)


def merged(folder, n):
    """n functions that gcc merged with another, each in a section, and a range, of its own."""
    d = Dwarf()
    names = ['f%d' % i for i in range(n)]
    d.unit('u.c', producer='GNU C17 12.2.0 -O2', ranges=Ranges(*[(f, f + '+4') for f in names]))
    for f in names:
        d.code += ['.section .text.%s,"ax",%%progbits' % f, '.globl ' + f,
                   '.type %s,%%function' % f, f + ':', '.zero 4']
        d.die('subprogram', name=f, prototyped=True)
    return built(folder, d, False)


def claims(folder, n):
    """n clones with a constant that no list bounds, each confirmed by a call."""
    d = Dwarf()
    d.cu.attrs['producer'] = 'GNU C17 12.2.0 -O2'
    caller = d.func('caller', 16)
    for i in range(n):
        a = d.inline_func('f%d' % i, [('a', d.int)])
        f = d.func('f%d.constprop.0' % i, 4, abstract_origin=a)
        d.param(f, a.param('a'), const_value=('sdata', i))
        call = d.die('call_site', caller)
        d.die('call_site_parameter', call, call_parameter=a.param("a"),
              call_value=('data4', i))
    return built(folder, d)


def params(folder, n):
    """A function of n parameters, inlined once."""
    d = Dwarf()
    f = d.inline_func('f', [('p%d' % i, d.int) for i in range(n)])
    outer = d.func('outer', 64)
    site = d.site(outer, f, 'outer+4', 'outer+8')
    for i in range(n):
        d.param(site, f.children[i], 'reg%d' % (i % 8))
    return built(folder, d)


def same_name(folder, n):
    """n functions called the same, at addresses of their own."""
    d = Dwarf()
    for i in range(n):
        g = d.func('f.%d' % i, 4, external=False, name='f')
        d.param(g, None, 'reg5', name='a', type=d.int)
    return built(folder, d)


def same_symbol(folder, n):
    """n units, each with a local symbol f and a function f that was merged into another."""
    d = Dwarf()
    d.cu.attrs['producer'] = 'GNU C17 12.2.0 -O2'
    d.code += ['.text']
    for i in range(n):
        d.unit('u%d.c' % i, producer='GNU C17 12.2.0 -O2',
               low_pc=('addr', '.Lf%d' % i), high_pc=('data8', 4))
        d.die('subprogram', name='f', prototyped=True)
        d.code += ['.Lf%d:' % i, '.zero 4']
    path = os.path.join(folder, 'same')
    return with_symbols(built(folder, d, False), path, n)


def with_symbols(obj, out, n):
    """A symbol f, local, at each 4 bytes of .text: no assembler writes two of one name."""
    with open(obj, 'rb') as f:
        data = bytearray(f.read())
    shoff, = struct.unpack_from('<Q', data, 0x28)
    shnum, shstr = struct.unpack_from('<HH', data, 0x3c)
    heads = [list(struct.unpack_from('<IIQQQQIIQQ', data, shoff + 64 * i)) for i in range(shnum)]
    names = data[heads[shstr][4]:]
    index = {bytes(names[h[0]:names.index(0, h[0])]).decode(): i for i, h in enumerate(heads)}
    tab, strs = index['.symtab'], index['.strtab']
    old = bytes(data[heads[tab][4]:heads[tab][4] + heads[tab][5]])
    nr_local = heads[tab][7]
    table = bytes(data[heads[strs][4]:heads[strs][4] + heads[strs][5]])
    new = b''.join(struct.pack('<IBBHQQ', len(table), 2, 0, index['.text'], 4 * i, 4)
                   for i in range(n))
    # behind the local ones; relocations are of sections, which stand before
    old = old[:24 * nr_local] + new + old[24 * nr_local:]
    for sec, body in ((strs, table + b'f\0'), (tab, old)):
        heads[sec][4], heads[sec][5] = len(data), len(body)
        data += body
        data += bytes(-len(data) % 8)
    heads[tab][7] = nr_local + n
    struct.pack_into('<Q', data, 0x28, len(data))
    for h in heads:
        data += struct.pack('<IIQQQQIIQQ', *h)
    with open(out + '.o', 'wb') as f:
        f.write(data)
    return out + '.o'


def aliases(folder, n):
    """n functions at one address, each with a symbol."""
    d = Dwarf()
    d.func('f0', 4)
    for i in range(1, n):
        d.code += ['.globl a%d' % i, '.type a%d,%%function' % i, '.set a%d, f0' % i]
        d.die('subprogram', name='a%d' % i, low_pc=('addr', 'f0'), high_pc=('data8', 4),
              external=True)
    return built(folder, d)


def sites_at_one_address(folder, n):
    d = Dwarf()
    f = d.inline_func('f', [('a', d.int)])
    outer = d.func('outer', 64)
    for i in range(n):
        d.param(d.site(outer, f, 'outer+4', 'outer+8'), f.param('a'), 'reg5')
    return built(folder, d)


def units(folder, n):
    d = Dwarf()
    f = d.inline_func('f', [('a', d.int)])
    part = d.unit('part', tag='partial_unit')
    first = d.int
    for i in range(n):
        d.unit('u%d.c' % i)
        d.die('imported_unit', **{'import': part})
        g = d.func('g%d' % i, 8)
        d.param(g, None, 'reg5', name='a', type=first)
        d.param(d.site(g, f, 'g%d+4' % i, 'g%d+8' % i), f.param('a'), 'reg5')
    return built(folder, d)


def ranges(folder, n):
    """A function of n ranges, the symbol at none."""
    d = Dwarf()
    d.func('outer', 4 * n + 8)
    d.die('subprogram', name='g', ranges=Ranges(*[('outer+%d' % (4 * i + 4), 'outer+%d' %
                                                  (4 * i + 6)) for i in range(n)]))
    return built(folder, d)


def unique(obj):
    """Linked, each section for itself."""
    subprocess.run(['ld', '-e', '0', '--noinhibit-exec', '--unique', '-Ttext=0x200000', obj, '-o',
                    obj[:-2]], check=True, stderr=subprocess.PIPE)
    return obj[:-2]


def no_symbols(folder, n):
    """n functions in n sections, and no symbols."""
    d = Dwarf()
    for i in range(n):
        d.param(d.func('g%d' % i, 8, section='x%d' % i), None, 'reg5', name='a', type=d.int)
    exe = unique(d.assemble(folder))
    subprocess.run(['objcopy', '-w', '-N', '*', exe], check=True)
    return exe


def tombstones(folder, n):
    """n sections, and n sites behind the last of them."""
    d = Dwarf()
    f = d.inline_func('f', [('a', d.int)])
    outer = d.func('outer', 64)
    for i in range(n):
        d.code += ['.section x%d,"ax",%%progbits' % i, '.zero 4']
        d.param(d.site(outer, f, '%d' % (0x70000000 + i), low_pc=None), f.param('a'), 'reg5')
    return unique(d.assemble(folder))


def enumerators(folder, n):
    """An enumeration of n, of which are n parameters."""
    d = Dwarf()
    e = d.die('enumeration_type', name='e', byte_size=4)
    for i in range(n):
        d.die('enumerator', e, name='E%d' % i, const_value=('data4', i))
    for i in range(n):
        f = d.inline_func('f%d' % i, [('a', e)])
        g = d.func('g%d' % i, 8)
        d.param(d.site(g, f, 'g%d+4' % i, 'g%d+8' % i), f.param('a'), 'reg5')
    return built(folder, d)


def structs_by_value(folder, n):
    """n functions that are passed a struct of n members."""
    d = Dwarf()
    s = d.struct('s', 4 * n, [('m%d' % i, d.int, 4 * i) for i in range(n)])
    for i in range(n):
        d.param(d.func('g%d' % i, 8), None, 'fbreg 8', name='a', type=s)
    return built(folder, d)


def structs(folder, n):
    """n structs of one name, size and number of members."""
    d = Dwarf()
    for i in range(n):
        d.unit('u%d.c' % i)
        s = d.struct('s', 8, [('m%d' % i, d.int, 0), ('b', d.int, 4)])
        g = d.func('g%d' % i, 8)
        d.param(g, None, 'reg5', name='a', type=d.pointer(s))
    return built(folder, d)


def nested(folder, n):
    """n sites within each other."""
    d = Dwarf()
    f = d.inline_func('f', [('a', d.int)])
    at = d.func('outer', 64)
    for i in range(n):
        at = d.site(at, f, 'outer+4', 'outer+8')
        d.param(at, f.param('a'), 'reg5')
    return built(folder, d)


def seconds(tool, path, base_path, least=0.0):
    """User CPU time of encoding it: the mean of three, or of as many as take @least seconds.

    The kernel counts in steps of some ms: the best of several short ones would be one that ran
    between them.
    """
    spent, runs = 0.0, 0
    while runs < 3 or spent < least:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([tool, 'encode', '-j1', '-B', base_path, '-o', path + '.fi', path],
                       check=True)
        spent += resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        runs += 1
    return spent / runs


# by hand, and quickly made; by compilers
BY_HAND = [fentry, merged, shared_list, shared_list_old, sites_and_entries, claims, params,
           same_name, same_symbol, aliases, sites_at_one_address, units, ranges, no_symbols,
           tombstones, enumerators, structs_by_value, structs]
COMPILED = [clang_fentry, clang_fentry_sections, clang_patchable, gcc_fentry, gcc_sections,
            gcc_patchable, sites_in_sections, clang_sites_in_sections]
