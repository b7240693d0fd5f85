#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Relocatable files that no compiler writes: refused, or none of what cannot be known."""
import os
import re
import resource
import struct
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get("BTFLOCS", os.path.join(HERE, "../../build/btflocs"))

SOURCE = """
int volatile sink;
static inline __attribute__((always_inline)) void at(int k) { sink = k; }
void f(void) { at(7); }
"""
SHF_COMPRESSED = 0x800
R_X86_64_64, R_X86_64_8 = 1, 14
# gABI: a section header's fields; a relocation with addend
NAME, TYPE, FLAGS, ADDR, OFFSET, SIZE, LINK, INFO, ALIGN, ENTSIZE = range(10)


class Object:
    """A little-endian ELF64 file to be changed in place."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.b = bytearray(f.read())
        self.shoff, = struct.unpack_from("<Q", self.b, 40)
        nr, strs = struct.unpack_from("<HH", self.b, 60)
        if not nr:      # too many for the ELF header: section 0 has the numbers
            nr, strs = struct.unpack_from("<32xQI", self.b, self.shoff)
        self.secs = [list(struct.unpack_from("<IIQQQQIIQQ", self.b, self.shoff + 64 * i))
                     for i in range(nr)]
        self.strs = self.secs[strs][OFFSET]
        self.shstrndx = strs

    def idx(self, name):
        for i, s in enumerate(self.secs):
            at = self.strs + s[NAME]
            if self.b[at:self.b.index(0, at)].decode() == name:
                return i
        raise KeyError(name)

    def save(self, path):
        for i, s in enumerate(self.secs):
            struct.pack_into("<IIQQQQIIQQ", self.b, self.shoff + 64 * i, *s)
        with open(path, "wb") as f:
            f.write(self.b)

    def append_headers(self, more):
        """A new header table at the end, @more behind the others."""
        self.b += bytes(-len(self.b) % 8)
        self.shoff = len(self.b)
        self.secs += more
        self.b += bytes(64 * len(self.secs))
        struct.pack_into("<Q", self.b, 40, self.shoff)
        struct.pack_into("<H", self.b, 60, len(self.secs))

    def rels(self, name):
        """(place in the file, offset, info, addend) of each relocation in section @name."""
        s = self.secs[self.idx(name)]
        return [(s[OFFSET] + at, *struct.unpack_from("<QQq", self.b, s[OFFSET] + at))
                for at in range(0, s[SIZE], 24)]


class Bad(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.dir = temp.name

    def run_(self, *args):
        p = subprocess.run(args, cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, timeout=100)
        return p.returncode, p.stdout, p.stderr

    def tool(self, *args):
        status, out, err = self.run_(*args)
        self.assertEqual(status, 0, "%s\n%s%s" % (" ".join(args), out, err))
        return out

    def compile(self, *flags, cc="gcc", source=SOURCE):
        with open(os.path.join(self.dir, "t.c"), "w") as f:
            f.write(source)
        self.tool(cc, "-g", "-O2", "-c", *flags, "t.c", "-o", "t.o")
        # .BTF of a type or two is enough of a base
        with open(os.path.join(self.dir, "base.c"), "w") as f:
            f.write("int base;\n")
        self.tool("gcc", "-g", "-c", "base.c", "-o", "base.o")
        self.tool("env", "LLVM_OBJCOPY=objcopy", "pahole", "-J", "base.o")
        return Object(os.path.join(self.dir, "t.o"))

    def encode(self, obj=None):
        if obj:
            obj.save(os.path.join(self.dir, "t.o"))
        return self.run_(BTFLOCS, "encode", "-B", "base.o", "-o", "t.func_info", "t.o")

    def records(self):
        return self.tool(BTFLOCS, "list", "t.func_info", "-B", "base.o").splitlines()

    def check_good(self):
        self.assertEqual(self.encode(), (0, "", ""))
        self.assertRegex("\n".join(self.records()), r"inline at\(int k=7\)")

    def check_refused(self, obj, why):
        status, out, err = self.encode(obj)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"^btflocs: t\.o: " + why + r"\n$")

    def test_as_it_is(self):
        """What the others change is fine before."""
        self.compile("-fno-pic")
        self.check_good()

    def test_over_the_headers(self):
        """A relocation would change what has been checked: here the size of .shstrtab."""
        obj = self.compile("-fno-pic")
        line = obj.secs[obj.idx(".debug_line")]
        line[OFFSET] = obj.shoff + 64 * obj.shstrndx + 32
        line[SIZE] = 8
        for at, off, info, addend in obj.rels(".rela.debug_line"):
            struct.pack_into("<QQq", obj.b, at, 0, info & ~0xffffffff | R_X86_64_64,
                             0x7000000000)
        self.check_refused(obj, "its sections cannot be laid out")

    def test_over_another_section(self):
        obj = self.compile("-fno-pic")
        rela = obj.secs[obj.idx(".rela.debug_info")]
        obj.secs[obj.idx(".debug_line")][OFFSET] = rela[OFFSET]
        self.check_refused(obj, "its sections cannot be laid out")

    def test_strings_stay(self):
        """libdw has seen that the last string ends; a relocation must not undo that."""
        for flags in (("-gz=none",), ("-gz=zlib",)):
            obj = self.compile("-fno-pic", *flags)
            strs = obj.idx(".debug_str")
            size = obj.secs[strs][SIZE]
            if obj.secs[strs][FLAGS] & SHF_COMPRESSED:
                size, = struct.unpack_from("<Q", obj.b, obj.secs[strs][OFFSET] + 8)
            # .debug_aranges is not read: its relocations are free to be those of .debug_str
            rela = obj.secs[obj.idx(".rela.debug_aranges")]
            rela[INFO] = strs
            for i, (at, off, info, addend) in enumerate(obj.rels(".rela.debug_aranges")):
                struct.pack_into("<QQq", obj.b, at, size - 1 - i,
                                 info & ~0xffffffff | R_X86_64_8, 0x41)
            self.assertEqual(self.encode(obj), (0, "", ""))
            self.assertRegex("\n".join(self.records()), r"inline at\(int k=7\)")

    def test_not_what_is_not_read(self):
        """A macro table in a group stays compressed; an unknown relocation in .debug_aranges."""
        for gz in ("-gz=zlib", "-gz=zlib-gnu"):
            self.compile("-fno-pic", "-g3", gz)
            self.check_good()
        obj = self.compile("-fno-pic")
        for at, off, info, addend in obj.rels(".rela.debug_aranges"):
            struct.pack_into("<QQq", obj.b, at, off, info & ~0xffffffff | 0xee, addend)
        self.assertEqual(self.encode(obj), (0, "", ""))
        self.assertRegex("\n".join(self.records()), r"inline at\(int k=7\)")
        # but in what is read it refuses the file
        for at, off, info, addend in obj.rels(".rela.debug_info"):
            struct.pack_into("<QQq", obj.b, at, off, info & ~0xffffffff | 0xee, addend)
        self.check_refused(obj, r"the relocations of its \.debug_info cannot be read")

    def test_packed_relocations(self):
        """SHT_CREL: not read, and so no address is known."""
        self.compile("-fno-pic", "-Wa,--crel", "-Wa,--allow-experimental-crel", cc="clang-22")
        self.assertIn("CREL", self.tool("llvm-readelf-22", "-SW", "t.o"))
        self.check_refused(None, r"the relocations of its \.debug_\w+ cannot be read")

    def test_size_of_an_entry(self):
        obj = self.compile("-fno-pic")
        for wrong in (0, 23, 25, 48):
            obj.secs[obj.idx(".rela.debug_info")][ENTSIZE] = wrong
            self.check_refused(obj, r"the relocations of its \.debug_info cannot be read")

    def cpu_seconds(self, work):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        work()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_tables_that_share_bytes(self):
        """Thousands of tables over the same bytes: more work than a file of that size may be."""
        obj = self.compile("-fno-pic")
        rela = list(obj.secs[obj.idx(".rela.debug_info")])
        rela[OFFSET], rela[SIZE] = len(obj.b), 24 * 20000
        obj.b += bytes(rela[SIZE])
        obj.append_headers([list(rela) for _ in range(5000)])
        took = self.cpu_seconds(lambda: self.check_refused(
            obj, r"the relocations of its \w+ cannot be read"))
        # seconds, where each table is worked through
        self.assertLess(took, 2)

    def test_many_sections_of_dwarf(self):
        """15,000 pairs of a section and its relocations: not each looked for among all."""
        nr = 15000
        with open(os.path.join(self.dir, "m.s"), "w") as f:
            for i in range(nr):
                f.write('.section .debug_ranges,"G",@progbits,g%d,comdat\n.quad x\n' % i)
        self.compile("-fno-pic")
        self.tool("as", "m.s", "-o", "m.o")
        self.tool("ld", "-r", "t.o", "m.o", "-o", "both.o")
        os.rename(os.path.join(self.dir, "both.o"), os.path.join(self.dir, "t.o"))
        self.assertGreater(len(self.tool("readelf", "-SW", "t.o").splitlines()), 2 * nr)
        self.assertLess(self.cpu_seconds(self.check_good), 2)

    def test_index_like_a_reserved_one(self):
        """Section 0xfff1, whose number is SHN_ABS's: a section like others."""
        pad = ('__asm__(".macro one\\n.section .t.\\\\@,\\"ax\\",%%progbits\\nnop\\n.endm\\n'
               '.rept %d\\none\\n.endr\\n.text\\n");\n')
        for nr in (65400, None):
            if nr is None:
                nr = 65400 + 0xfff1 - index
            self.compile("-fno-pic", "-ffunction-sections", source=pad % nr + SOURCE)
            index = int(re.search(r"(\d+) f$", self.tool("readelf", "-sW", "t.o"), re.M)[1])
        self.assertEqual(index, 0xfff1)
        self.check_good()
        self.assertRegex("\n".join(self.records()), r"\.text\.f\+0x0 inline at\(int k=7\)")

    def test_number_without_relocation(self):
        """An entry of .debug_addr that no relocation speaks for is no address."""
        obj = self.compile("-fno-pic", cc="clang-19")
        rels = obj.rels(".rela.debug_addr")
        self.assertTrue(rels)
        base = obj.secs[obj.idx(".debug_addr")][OFFSET]
        # where our layout puts .text: nothing else would make the number one of its
        for at, off, info, addend in rels:
            struct.pack_into("<QQq", obj.b, at, off, 0, 0)
            struct.pack_into("<Q", obj.b, base + off, 0x10000000)
        self.assertEqual(self.encode(obj), (0, "", ""))
        self.assertEqual(self.records(), [])


if __name__ == "__main__":
    unittest.main()
