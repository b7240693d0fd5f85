# SPDX-License-Identifier: GPL-2.0-only
"""Small C programs made from a seed: calls whose arguments are all functions of a key."""
import random
import re

SCALARS = ('u8', 's8', 'u16', 's16', 'u32', 's32', 'u64', 's64', 'bool', 'enum color')
STRUCTS = {'struct s8b': ('a', 'b'), 'struct s12': ('a', 'b', 'c'), 'struct s16': ('a', 'b'),
           'struct s24': ('a', 'b', 'c')}
HEAD = '''#include "judge.h"
#define M(n) MIX(k, n)
#define H(n) hide(MIX(k, n))
struct s8b { u32 a, b; };
struct s12 { u32 a, b, c; };
struct s16 { u64 a, b; };
struct s24 { u64 a, b, c; };
enum color { RED, GREEN = 7, BLUE = -3 };
kept u64 garr[32];
kept struct s16 gs[4];
'''


class Func:
    """A function of the program: its parameters are (type, name); one is the key, k."""

    def __init__(self, rnd, num, changing):
        self.name = 'f%d' % num
        self.num = num
        self.attr = rnd.choices(('inl', 'maybe', 'out', 'glob'), (6, 3, 2, 1))[0]
        self.params = [('u64', 'k')]
        for i in range(rnd.randint(0, 4)):
            kind = rnd.choices((SCALARS, tuple(STRUCTS), ('u64 *', 'struct s16 *'),
                                ('local',)), (7, 2, 1, 1))[0]
            self.params.append((rnd.choice(kind), 'p%d' % i))
        rnd.shuffle(self.params)
        self.constant = {}      # parameters that every call gives the same constant
        self.changed = []       # those that the first statement changes
        self.later = []         # and those that a later one does
        for typ, name in self.params:
            if typ in SCALARS and rnd.random() < 0.12:
                self.constant[name] = rnd.randint(-9, 300)
            elif typ in SCALARS and changing and name != 'k' and rnd.random() < 0.2:
                self.changed.append(name)

    def decl(self):
        return '%s u64 %s(%s)' % (self.attr, self.name, ', '.join(
            '%s%s' % (('struct s16 *' if t == 'local' else
                       t if t.endswith('*') else t + ' '), n) for t, n in self.params))

    def trace(self):
        out = ['TR(%s,' % self.name]
        for typ, name in self.params:
            out.append('L(%d, k, %s)' % (self.num, name) if typ == 'local' else
                       'G(%s)' % name if typ.endswith('*') else 'V(%s)' % name)
        return ' '.join(out) + ')'


class Program:
    def __init__(self, seed, changing=False, nr=14):
        self.rnd = random.Random(seed)
        self.funcs = []
        self.n = 0
        self.text = [HEAD]
        for i in range(nr):
            f = Func(self.rnd, i, changing)
            self.body(f)
            self.funcs.append(f)
        self.main()

    @property
    def source(self):
        return '\n'.join(self.text) + '\n'

    @property
    def changed(self):
        return {(f.name, p) for f in self.funcs for p in f.changed + f.later}

    @property
    def unread(self):
        return {(f.name, p) for f in self.funcs for p in f.unread}

    def fresh(self):
        self.n += 1
        return self.n

    def word(self):
        """An integer made from the key: one the compiler can make again, or one it cannot."""
        return self.rnd.choices(('M(%d)' % self.fresh(), 'H(%d)' % self.fresh(),
                                 'k', '(k >> %d)' % self.rnd.randint(1, 40),
                                 str(self.rnd.randint(-5, 70000))), (3, 6, 1, 1, 3))[0]

    def arg(self, f, typ, name, key, local):
        if name in f.constant:
            return '(%s)%d' % (typ, f.constant[name])
        if name == 'k':
            return key
        if typ == 'bool':
            return '(%s & 1)' % self.word()
        if typ in SCALARS:
            return '(%s)%s' % (typ, self.word())
        if typ in STRUCTS:
            if typ == 'struct s16' and self.rnd.random() < 0.2:
                return 'gs[k & 3]'
            return '(%s){ %s }' % (typ, ', '.join(self.word() for _ in STRUCTS[typ]))
        if typ == 'local':
            return '&%s' % local
        array = 'gs' if 's16' in typ else 'garr'
        return self.rnd.choice(('&%s[%d]' % (array, self.rnd.randint(0, 3)),
                                '&%s[k & 3]' % array))

    def call(self, f, keys, local):
        kind = self.rnd.random()
        key = 'k' if kind < 0.3 else 'k ^ %d' % self.fresh() if kind < 0.8 else \
            'H(%d)' % self.fresh() if keys else 'k'
        return '%s(%s)' % (f.name, ', '.join(self.arg(f, t, n, key, local)
                                             for t, n in f.params))

    def use(self, typ, name):
        if typ in STRUCTS:
            return 'USE(%s.%s);' % (name, self.rnd.choice(STRUCTS[typ]))
        if typ.endswith('*') or typ == 'local':
            return 'USEM(%s);' % name
        wide = 'u64' if typ in ('u64', 's64') else 's32'
        return 'USE((%s)%s);' % (wide, name)

    def value(self, typ, name):
        if typ in STRUCTS:
            return '%s.%s' % (name, STRUCTS[typ][0])
        if typ == 'u64 *':
            return '*' + name
        if typ.endswith('*') or typ == 'local':
            return name + '->b'
        return '(u64)' + name

    def change(self, typ, name):
        if typ == 'bool':
            return '%s = !%s;' % (name, name)
        return self.rnd.choice(('%s += 3;', '%s = 5;', '%s ^= k;', '%s = k;',
                                'if (k & 1) %s += 7;', '%s <<= 1;', '%s &= 15;')) % (
                                    (name,))

    def body(self, f):
        rnd = self.rnd
        w = ['%s\n{' % f.decl(), '\t' + f.trace(), '\tu64 r = k;']
        for name in f.changed:
            w.append('\t' + self.change(dict((n, t) for t, n in f.params)[name], name))
        for typ, name in f.params:
            if typ == 'local':
                w.append('\tPLOG(%d, k, %s);' % (f.num, name))
        if rnd.random() < 0.2:
            w.append('\tif (__builtin_expect(k & %d, 1))\n\t\treturn 3;' % rnd.choice((1, 3)))
        for typ, name in f.params:
            if rnd.random() < 0.6:
                w.append('\t' + self.use(typ, name))
        local = 'l%d' % f.num
        w.insert(3, '\tstruct s16 %s = { k, %s };' % (local, self.word()))
        if self.funcs:
            self.calls(w, local, rnd.randint(0, 3), self.funcs[-5:])
        for typ, name in f.params:
            if rnd.random() < 0.7:
                w.append('\tr += %s;' % self.value(typ, name))
            if typ in SCALARS and rnd.random() < 0.1:
                w.append('\tUSEM(&%s);' % name)
            if typ in SCALARS and name != 'k' and rnd.random() < 0.1:
                f.later.append(name)
                w.append('\t%s = !%s;' % (name, name) if typ == 'bool' else
                         '\t%s++;\n\t%s' % (name, self.use(typ, name)))
        f.unread = [n for t, n in f.params if not self.reads_all(w, t, n)]
        w.append('\treturn r;\n}\n')
        self.text.append('\n'.join(w))

    def reads_all(self, lines, typ, name):
        """Whether a body reads all of what it was passed for a parameter."""
        text = '\n'.join(x for x in lines[1:] if 'PLOG(' not in x and '\tTR(' not in x)
        if re.search(r'\t%s = (5|k);' % name, text):
            return False
        text = re.sub(r'\t(if \(k & 1\) )?%s (\+|\^|&|<<)?= [^;]*;' % name, '', text)
        return all(re.search(r'\b%s\b' % re.escape(x), text) for x in
                   (['%s.%s' % (name, m) for m in STRUCTS[typ]] if typ in STRUCTS else [name]))

    def calls(self, w, local, nr, among):
        for _ in range(nr):
            f = self.rnd.choice(among)
            call = self.call(f, True, local)
            kind = self.rnd.random()
            if kind < 0.25:
                w.append('\tWHEN(k & %d)\n\t\tr += %s;' % (1 << self.rnd.randint(0, 5), call))
            elif kind < 0.35:
                w.append('\tfor (u32 i = 0; i < 2; i++)\n\t\tr += %s;' %
                         call.replace('k ^ ', 'k ^ i ^ '))
            elif kind < 0.5:
                w.append('\tr += %s;\n\tvout = r;' % call)
            else:
                w.append('\tr = r * 3 + %s;' % call)

    def main(self):
        for i in range(6):
            w = ['out u64 top%d(u64 k)\n{\n\tTR(top%d, V(k))' % (i, i),
                 '\tstruct s16 l = { k, H(%d) };\n\tu64 r = k;' % self.fresh()]
            self.calls(w, 'l', 5, self.funcs)
            w.append('\treturn r;\n}\n')
            self.text.append('\n'.join(w))
        self.text.append('''int main(void)
{
	for (u32 i = 0; i < 3; i++) {
		u64 k = vin * (2 * i + 1) + i;
%s
	}
	return 0;
}''' % '\n'.join('\t\tvout = top%d(k + %d);' % (i, i) for i in range(6)))


if __name__ == '__main__':
    import sys
    p = Program(int(sys.argv[1]), len(sys.argv) > 2)
    sys.stdout.write(p.source)
