#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Functions out of line, each DIE written by hand: dwarf-rules.md section 5.

On x86-64 the first parameters are in rdi (5), rsi (4), rdx (1), rcx (2), r8, r9; further
ones in memory above the return address. A function that keeps to it has a record only
with func_addrs, and then loc_proto_id 0.
"""
import unittest

from dwarf_asm import Dwarf, Expr, LocList, Ranges
from shapes_common import ShapeTest, const, mem, reg

GCC = 'GNU C11 12.2.0 -O2'
CLANG = 'clang version 19.1.7'       # says DW_CC_nocall where it changes a signature
NOCALL = 3
NOP5, ENDBR64 = (0x0f, 0x1f, 0x44, 0, 0), (0xf3, 0x0f, 0x1e, 0xfa)
CONFORMING = 'as the calling convention has it'


class FuncTest(ShapeTest):
    def setUp(self):
        super().setUp()
        self.d = Dwarf()
        self.d.cu.attrs['producer'] = GCC
        # at the start of .text, so that a lost address does not look like `f`'s
        self.d.func('first', 32)

    def f(self, *params, symbol='f', **attrs):
        """f of 32 bytes at .text+32 with parameters (name, location) of type long."""
        func = self.d.func(symbol, 32, name='f', **attrs)
        for name, location in params:
            more = {}
            if isinstance(location, int):
                location, more = None, dict(const_value=('sdata', location))
            self.d.param(func, None, location, name=name, type=self.d.long, **more)
        return func

    def funcs(self, path, *flags):
        """{(offset, name): CONFORMING or {parameter: location}} of the func records."""
        got = {}
        for record in self.all_records(path, *flags):
            if record['kind'] == 'func':
                off, _, name, params = self.simple(record)
                self.assertNotIn((off, name), got, 'twice')
                got[off, name] = params if record['loc_proto_id'] else CONFORMING
        return got

    def expect(self, *answers):
        """The one record besides conforming ones, or CONFORMING for none; @answers: that
        are right, where something may be left out."""
        path = self.d.build(self.dir)
        every = self.funcs(path, '--features', 'inline_locs,func_addrs')
        self.assertEqual(every.pop((0, 'first')), CONFORMING)
        self.assertEqual(list(every), [(32, 'f')])
        got = every[32, 'f']
        self.assertIn(got, answers)
        self.assertEqual(self.funcs(path), {} if got == CONFORMING else every)


class AtTheEntry(FuncTest):
    def test_where_the_convention_puts_them(self):
        self.f(('a', 'reg5'), ('b', 'reg4'), ('c', 'reg1'), ('d', 'reg2'), ('e', 'reg8'),
               ('g', 'reg9'), ('h', 'fbreg 0'), ('i', 'fbreg 8'))
        self.expect(CONFORMING)

    def test_lists_that_hold_at_the_entry(self):
        self.f(('a', LocList([('f', 'f+8', 'reg5'), ('f+8', 'f+32', 'reg3')])),
               ('b', LocList([('f', 'f+8', 'reg4')])))
        self.expect(CONFORMING)

    def test_another_register(self):
        # a convention of its own (ms_abi)
        self.f(('a', 'reg2'), ('b', LocList([('f', 'f+8', 'reg1')])))
        self.expect({'a': reg(2, 8, True), 'b': reg(1, 8, True)})

    def test_no_register_for_arguments(self):
        # what is in rbx or rax before the first instruction is no argument
        self.f(('a', 'reg3'), ('b', 'reg0'), ('c', 'reg5'), symbol='f.isra.0')
        self.expect({'a': None, 'b': None, 'c': reg(5, 8, True)})

    def test_a_constant(self):
        self.f(('a', 'reg5'), ('b', 42), ('c', 'lit7; stack_value'),
               symbol='f.constprop.0')
        # a constant that is assigned at once looks the same where there are no views
        self.expect({'a': reg(5, 8, True), 'b': None, 'c': None},
                    {'a': reg(5, 8, True), 'b': const(42, 8, True),
                     'c': const(7, 8, True)})

    def test_the_wrong_stack_slot(self):
        # the seventh of the prototype stands where the eighth should: in the caller's
        # frame, so it can be there already; the CFA is rsp + 8 at the entry
        self.f(*zip('abcdegh', ['reg5', 'reg4', 'reg1', 'reg2', 'reg8', 'reg9', 'fbreg 8']),
               symbol='f.isra.0')
        got = self.funcs(self.d.build(self.dir))[32, 'f']
        self.assertIn(got.pop('h'), (None, mem(7, 16, 8, True)))
        self.assertEqual(got, dict(zip('abcdeg', (reg(n, 8, True)
                                                  for n in (5, 4, 1, 2, 8, 9)))))

    def test_a_local_slot_is_not_filled_at_the_entry(self):
        """clang's address-taken parameter: `fbreg` names a place of the frame that is to be.

        What stands there before the prologue is another value; it kept the signature.
        """
        self.d.cu.attrs['producer'] = CLANG
        self.f(('v', 'fbreg 8'), ('w', 'reg4'), frame_base='reg7',
               cfa=[(4, '.cfi_def_cfa_offset 32')])
        self.expect(CONFORMING, {'v': None, 'w': reg(4, 8, True)})

    def test_beyond_the_frame_too(self):
        # gcc -O0: spilled into the frame, below the CFA, after the entry
        self.f(('a', 'fbreg -20'), ('b', 'fbreg -32'))
        self.expect(CONFORMING)


class Lists(FuncTest):
    def test_entry_values_of_the_expected_registers(self):
        # perf_event_read(): both are elsewhere by the time that the lists begin
        for op in ('entry_value', 'GNU_entry_value'):
            with self.subTest(op):
                self.setUp()
                self.d.cu.attrs['producer'] = CLANG
                self.f(('a', LocList([('f+10', 'f+20', 'reg3'),
                                      ('f+20', 'f+32', op + ' reg5; stack_value')])),
                       ('b', LocList([('f+10', 'f+18', 'reg14'),
                                      ('f+18', 'f+32', op + ' reg4; stack_value')])))
                self.expect(CONFORMING)

    def test_entry_values_after_a_changed_signature(self):
        # in a clone rsi can be another parameter's, which b was assigned
        self.f(('a', None),
               ('b', LocList([('f+10', 'f+32', 'entry_value reg4; stack_value')])),
               ('c', LocList([('f+10', 'f+32', 'entry_value reg5; stack_value')])),
               symbol='f.isra.0')
        self.expect({'a': None, 'b': None, 'c': None})

    def test_at_the_entry_itself(self):
        self.f(('a', 'reg5'), ('b', 'entry_value reg4; stack_value'))
        self.expect(CONFORMING)

    def test_begins_after_the_entry(self):
        # gcc kept the signature: the name has no suffix
        self.f(('a', LocList([('f+8', 'f+32', 'reg3')])), ('b', 'reg4'))
        self.expect(CONFORMING)

    def test_begins_after_the_entry_of_a_clone(self):
        self.f(('a', LocList([('f+8', 'f+32', 'reg3')])), ('b', 'reg5'),
               symbol='f.isra.0')
        self.expect({'a': None, 'b': reg(5, 8, True)})

    def test_after_the_nop_or_endbr64(self):
        for head in (NOP5, ENDBR64, ENDBR64 + NOP5):
            for flags in ({}, dict(calling_convention=NOCALL)):
                with self.subTest(head=head, flags=flags):
                    self.setUp()
                    self.d.cu.attrs['producer'] = CLANG
                    begin = 'f+%d' % len(head)
                    self.f(('a', LocList([(begin, 'f+20', 'reg5')])),
                           ('b', LocList([(begin, 'f+20', 'reg4')])), head=head, **flags)
                    path = self.d.build(self.dir)
                    got = self.funcs(path, '--features', 'func_addrs')[32, 'f']
                    if not flags:
                        self.assertEqual(got, CONFORMING)
                    elif got != CONFORMING:
                        # a changed signature: they may be left out
                        for name, num in (('a', 5), ('b', 4)):
                            self.assertIn(got[name], (None, reg(num, 8, True)))

    def test_another_register_after_the_nop(self):
        self.d.cu.attrs['producer'] = CLANG
        self.f(('a', None), ('b', LocList([('f+5', 'f+20', 'reg5')])), head=NOP5,
               calling_convention=NOCALL, external=False)
        self.expect({'a': None, 'b': reg(5, 8, True)}, {'a': None, 'b': None})

    def test_five_bytes_of_code_are_no_nop(self):
        # f's first instructions are `add %al,(%rax)`: rdi may be another value by f+5
        self.d.cu.attrs['producer'] = CLANG
        self.f(('a', None), ('b', LocList([('f+5', 'f+20', 'reg5')])),
               calling_convention=NOCALL, external=False)
        got = self.funcs(self.d.build(self.dir))[32, 'f']
        self.assertIsNone(got['b'])


class ChangedSignatures(FuncTest):
    def test_suffixes(self):
        for suffix in ('.isra.0', '.constprop.0', '.isra.0.constprop.12', '.llvm.123456'):
            with self.subTest(suffix):
                self.setUp()
                more, where = {}, 'reg5'
                if 'llvm' in suffix:
                    self.d.cu.attrs['producer'] = CLANG
                    more = dict(calling_convention=NOCALL)
                    where = LocList([('"f%s"' % suffix, '"f%s"+8' % suffix, 'reg5')])
                self.f(('dropped', None), ('b', where), ('k', 42), symbol='f' + suffix,
                       **more)
                self.expect(*[{'dropped': None, 'b': reg(5, 8, True), 'k': k}
                              for k in (const(42, 8, True), None)])

    def test_a_suffix_and_everything_in_place(self):
        self.f(('a', 'reg5'), symbol='f.constprop.0')
        path = self.d.build(self.dir)
        self.assertIn((32, 'f'), self.funcs(path))
        self.assertEqual([p['name'] for r in self.all_records(path) for p in r['params']],
                         ['a'])

    def test_parameter_ref(self):
        """gcc names the dropped argument of the caller: nothing that is in this frame."""
        func = self.d.func('f.isra.0', 32, name='f')
        a = self.d.param(func, None, name='a', type=self.d.long)
        dropped = Expr('GNU_parameter_ref p', {'p': a})
        a.attrs['location'] = LocList([('"f.isra.0"', '"f.isra.0"+8', dropped)])
        self.d.param(func, None, 'reg5', name='b', type=self.d.long)
        self.expect({'a': None, 'b': reg(5, 8, True)})

    def test_nocall(self):
        self.d.cu.attrs['producer'] = CLANG
        self.f(('a', None), ('b', LocList([('f', 'f+8', 'reg5')])),
               calling_convention=NOCALL, external=False)
        self.expect({'a': None, 'b': reg(5, 8, True)})

    def test_one_register_for_the_whole_scope(self):
        """LLVM makes one expression of a value's only place, which it may be moved to behind the
        first byte: of a static function the convention's own register alone is believed."""
        self.d.cu.attrs['producer'] = CLANG
        self.f(('a', 'reg5'), ('b', 'reg2'), ('c', 'reg1'), external=False)
        self.expect({'a': reg(5, 8, True), 'b': None, 'c': reg(1, 8, True)})

    def test_what_other_units_call(self):
        """They go by its declaration: it conforms, whatever is said for the whole scope."""
        for bind in 'globl', 'weak':
            with self.subTest(bind):
                self.setUp()
                self.d.cu.attrs['producer'] = CLANG
                self.f(('a', 'reg1'), ('b', None), ('c', 'reg5'), calling_convention=NOCALL)
                self.d.code = [x.replace('.globl "f"', '.%s "f"' % bind) for x in self.d.code]
                self.expect(CONFORMING)

    def test_a_declared_convention_of_another_system(self):
        """__attribute__((ms_abi)): LLVM says so, DW_CC_LLVM_Win64."""
        self.d.cu.attrs['producer'] = CLANG
        self.f(('a', LocList([('f', 'f+8', 'reg2')])), ('b', LocList([('f', 'f+8', 'reg1')])),
               calling_convention=('data1', 0xc1))
        got = self.funcs(self.d.build(self.dir))[32, 'f']
        self.assertNotEqual(got, CONFORMING)

    def test_no_location_and_the_signature_kept(self):
        for producer in (GCC, CLANG):
            with self.subTest(producer):
                self.setUp()
                self.d.cu.attrs['producer'] = producer
                self.f(('unused', None), ('b', 'reg4'))
                # clang passes nothing for some of them and does not say for which
                self.expect(CONFORMING, *[{'unused': None, 'b': reg(4, 8, True)}]
                            * (producer == CLANG))

    def test_a_part_is_no_function(self):
        self.f(('a', 'reg5'), symbol='f.part.0')
        records = self.all_records(self.d.build(self.dir))
        self.assertEqual([self.simple(r) for r in records if r['func'] == 'f'],
                         [(32, 'part', 'f', {'a': reg(5, 8, True)})])


class Names(FuncTest):
    def test_an_instance_of_an_abstract_function(self):
        # the parameters' order is the abstract one's
        f = self.d.inline_func('f', [('a', self.d.long), ('b', self.d.int)])
        own = self.d.func('f.constprop.0', 32, abstract_origin=f)
        self.d.param(own, f.param('b'), 'reg5')
        self.d.param(own, f.param('a'), LocList([('f.constprop.0', 'f.constprop.0+8',
                                                  'const1s -3; stack_value')]))
        self.expect({'a': const(-3, 8, True), 'b': reg(5, 4, True)})

    def called(self, *values, old=False, said=-3, truth=False):
        """f(a, b) with a dropped and said to be -3 throughout; what calls say of a."""
        self.setUp()
        kind = self.d.base('_Bool', 1, 'boolean') if truth else self.d.long
        f = self.d.inline_func('f', [('a', kind), ('b', self.d.int)])
        own = self.d.func('f.constprop.0', 32, abstract_origin=f)
        self.d.param(own, f.param('b'), 'reg5')
        self.d.param(own, f.param('a'), const_value=('sdata', said))
        caller = self.d.func('caller', 16)
        for value in values:
            call = self.d.die('GNU_call_site' if old else 'call_site', caller)
            attrs = dict(abstract_origin=f.param('a'), GNU_call_site_value=Expr(value)) if old \
                else dict(call_parameter=f.param('a'), call_value=Expr(value))
            self.d.die('GNU_call_site_parameter' if old else 'call_site_parameter', call,
                       **attrs)
        return self.funcs(self.d.build(self.dir))[32, 'f']

    def test_a_constant_that_the_callers_pass(self):
        right = {'a': const(-3, 8, True), 'b': reg(5, 4, True)}
        for old in False, True:
            self.assertEqual(self.called('const1s -3', 'lit4; neg; lit1; plus', old=old),
                             right)
        # nobody says so; one passes another; one passes what is not known
        unknown = dict(right, a=None)
        self.assertEqual(self.called(), unknown)
        self.assertEqual(self.called('const1s -3', 'lit5'), unknown)
        self.assertEqual(self.called('breg3 0', 'const1s -3'), unknown)

    def test_a_truth_value_that_the_callers_pass(self):
        """One lowest bit is one truth value, however it is written."""
        right = {'a': const(0, 1), 'b': reg(5, 4, True)}
        self.assertEqual(self.called('lit0', 'const1s -2', said=-2, truth=True), right)
        right['a'] = const(1, 1)
        self.assertEqual(self.called('lit1', 'const1s -1', said=-1, truth=True), right)
        self.assertEqual(self.called('lit1', 'lit0', said=-1, truth=True), dict(right, a=None))
        self.assertEqual(self.called('lit2', said=1, truth=True), dict(right, a=None))

    def test_two_of_one_name(self):
        """Both have a record, though both keep to the convention: a name is no answer."""
        self.f(('x', 'reg5'), external=False)
        other = self.d.func('g', 32, name='f', external=False)
        self.d.param(other, None, 'reg5', name='p', type=self.d.pointer())
        self.d.param(other, None, 'reg4', name='n', type=self.d.u8)
        path = self.d.build(self.dir)
        records = {r['offset']: r for r in self.all_records(path) if r['kind'] == 'func'}
        self.assertEqual({off: [(p['name'], p['type']) for p in r['params']]
                          for off, r in records.items()},
                         {32: [('x', 'long int')],
                          64: [('p', 'void *'), ('n', 'unsigned char')]})
        self.assertEqual({r['func'] for r in records.values()}, {'f'})
        self.assertEqual([r['loc_proto_id'] for r in records.values()], [0, 0])
        self.assertNotEqual(records[32]['func_id'], records[64]['func_id'])

    def test_aliases_share_an_address(self):
        self.f(('a', 'reg4'))
        self.d.code += ['.globl also', '.set also, f', '.weak perhaps', '.set perhaps, f']
        self.expect({'a': reg(4, 8, True)})

    def test_a_cold_part_is_no_function(self):
        self.f(('a', 'reg5'), low_pc=None, ranges=Ranges(('f', 'f+32'),
                                                         ('"f.cold"', '"f.cold"+16')))
        # the cold part's symbol stands lower than the function's
        self.d.code = ['.text', '.local "f.cold"', '.type "f.cold",%function',
                       '"f.cold": .zero 16', '.size "f.cold",16'] + self.d.code
        path = self.d.build(self.dir)
        self.assertEqual(self.funcs(path), {})
        self.assertEqual(self.funcs(path, '--features', 'func_addrs'),
                         {(16, 'first'): CONFORMING, (48, 'f'): CONFORMING})

    def test_no_code_of_its_own(self):
        # a declaration and an abstract instance have no address
        self.d.inline_func('g', [('a', self.d.int)])
        self.d.die('subprogram', name='h', external=True)
        self.f(('a', 'reg5'))
        self.expect(CONFORMING)

    def test_relocatable(self):
        self.f(('a', 'reg5'), ('b', 'reg2'))
        other = self.d.func('other', 16, section='.text.two')
        self.d.param(other, None, 'reg4', name='x', type=self.d.int)
        path = self.d.build(self.dir, link=False)
        got = [(r['section'], *self.simple(r)) for r in self.all_records(path)]
        self.assertEqual(got, [
            ('.text', 32, 'func', 'f', {'a': reg(5, 8, True), 'b': reg(2, 8, True)}),
            ('.text.two', 0, 'func', 'other', {'x': reg(4, 4, True)})])


if __name__ == '__main__':
    unittest.main()
