# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of shapes have in common: run btflocs, take its JSON, compare."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get('BTFLOCS', os.path.join(HERE, '../../build/btflocs'))
SECOND_READER = os.path.join(HERE, '../kernel/second_reader.py')


# Locations as `btflocs list -j` prints them, without the register's name.

def reg(num, size, signed=False):
    return {'kind': 'reg', 'reg': num, 'size': size, 'signed': signed}


def regoff(num, offset, size, signed=False):
    return {'kind': 'regoff', 'reg': num, 'offset': offset, 'size': size,
            'signed': signed}


def mem(num, offset, size, signed=False):
    return {'kind': 'mem', 'reg': num, 'offset': offset, 'size': size, 'signed': signed}


def regs(first, second, size):
    return {'kind': 'regs', 'regs': [first, second], 'size': size}


def const(value, size, signed=False):
    return {'kind': 'const', 'value': str(value), 'size': size, 'signed': signed}


def addr(address, size=8, section=None):
    return {'kind': 'addr', 'address': address, 'size': size, 'section': section}


def memaddr(address, size, section=None):
    return {'kind': 'memaddr', 'address': address, 'size': size, 'section': section}


def plain_loc(loc):
    """A location of the JSON, brought to the form of the helpers above."""
    if loc is None:
        return None
    loc = dict(loc)
    loc.pop('name', None)
    loc.pop('names', None)
    if loc['kind'] in ('addr', 'memaddr'):
        loc['address'] = int(loc['address'], 16)
        loc.setdefault('section', None)
    if loc['kind'] in ('addr', 'memaddr', 'regs'):
        loc.pop('signed', None)
    if loc['kind'] == 'reg' and not loc.get('offset'):
        loc.pop('offset', None)
    if loc['kind'] == 'mem':
        loc.setdefault('offset', 0)
    return loc


class ShapeTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.dir = temp.name

    def run_tool(self, *cmd, **kwargs):
        run = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, cwd=self.dir, **kwargs)
        self.assertEqual(run.returncode, 0, '%s\n%s%s' % (' '.join(cmd), run.stdout,
                                                          run.stderr))
        return run.stdout

    def source(self, name, text):
        path = os.path.join(self.dir, name)
        with open(path, 'w') as f:
            f.write(text)
        return path

    def compiled(self, compiler, text, *flags, name='prog', suffix='.c'):
        """Compile one source into a file with .BTF; flags with -c make it a .o."""
        src = self.source(name + suffix, text)
        out = os.path.join(self.dir, name + ('.o' if '-c' in flags else ''))
        self.run_tool(*compiler.split(), '-g', *flags, src, '-o', out)
        self.run_tool('pahole', '-J', out)
        return out

    def all_records(self, path, *flags):
        """Encode a file in place; what `list -j` says of it afterwards."""
        run = subprocess.run([BTFLOCS, 'encode', *flags, path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, '')
        return json.loads(self.run_tool(BTFLOCS, 'list', '-j', path))

    def records(self, path, *flags):
        """The same, without the functions out of line."""
        return [r for r in self.all_records(path, *flags) if r['kind'] != 'func']

    def simple(self, record):
        """(offset, kind, function, {parameter: location})."""
        params = {p['name']: plain_loc(p['loc']) for p in record['params']}
        self.assertEqual(len(params), len(record['params']))
        return record['offset'], record['kind'], record['func'], params

    def check(self, path, expected, section='.text', judge=True):
        """The records of one section are exactly these, in this order.

        @expected: (offset, kind, function, {parameter: location}), parameters in the
        prototype's order. @judge: the second reader must find the same.
        """
        records = self.records(path)
        got = [self.simple(r) for r in records if r['section'] == section]
        self.assertEqual(got, expected)
        for have, want in zip(got, expected):
            self.assertEqual(list(have[3]), list(want[3]), 'order of the parameters')
        if judge:
            self.second_reader(path)
        return records

    def second_reader(self, path, *flags):
        """Every site of a file that is encoded already, against the second reader."""
        run = subprocess.run([sys.executable, SECOND_READER, path, '--all-units', *flags],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)
        return run.stdout
