#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""btflocs dump, list, find, stat, check as a user runs them.

Sections are built by btf_blob.py; what is expected was worked out by hand, and for the
ordinary kinds of BTF bpftool says the same.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib

import btf_blob as B

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get("BTFLOCS", os.path.join(HERE, "../../build/btflocs"))


def build(big=False):
    """A base (11 types) and a section upon it with a record of each kind."""
    base = B.Blob(big)
    i = base.int("int", 4, 1)                        # 1
    u = base.int("unsigned int", 4)                  # 2
    s = base.type(B.STRUCT, "file", 0, 8)            # 3
    f = base.ref(B.PTR, s)                           # 4
    p = base.proto(i, ("file", f), ("fd", u))        # 5
    vfs_read = base.func("vfs_read", p)              # 6
    fdget = base.func("fdget_pos", base.proto(0, ("fd", u)))    # 7, 8
    printk = base.func("printk", base.proto(i, ("fmt", f), ("", 0)))    # 9, 10
    base.ref(B.CONST, s)                             # 11
    sec = B.Blob(big, base)
    sec.keys("btf_locs=1", "machine=62", "build_id=0123", *sec.base_keys(),
             "sec:.text=ffffffff81000000,1000", "sec:.init.text=ffffffff82000000,100",
             "count:sites=5", "count:params=6", "count:located=4",
             "none:entry_value=1", "none:no_child=1", "skip:tombstone=2")
    own = sec.func("own", sec.proto(0, ("", u)))     # 12, 13
    di = sec.loc_param(4, B.REG, 5)                  # 14
    mem = sec.loc_param(8, B.REG | B.DEREF | B.OFFSET, 6, -16)    # 15
    minus = sec.loc_param(4, B.C | B.SIGNED, -1)     # 16
    di_1 = sec.loc_proto(di)                         # 17
    both = sec.loc_proto(mem, minus)                 # 18
    half = sec.loc_proto(mem, 0)                     # 19
    none = sec.loc_proto(0)                          # 20
    sec.locsec(".text", (vfs_read, both, 0x10), (fdget, di_1, 0x10), (own, di_1, 0x10),
               (printk, none, 0x20))                 # 21
    sec.locsec("guess.init.text", (fdget, di_1, 0xff))    # 22
    sec.locsec("part.text", (vfs_read, half, 0x10))  # 23
    sec.locsec("func.text", (vfs_read, 0, 0x10))     # 24
    return base, sec


LINES = {
    "read": "0xffffffff81000010 inline vfs_read("
            "struct file *file=*(%bp-0x10), unsigned int fd=-1)",
    "fdget": "0xffffffff81000010 inline fdget_pos(unsigned int fd=%di)",
    "own": "0xffffffff81000010 inline own(unsigned int=%di)",
    "printk": "0xffffffff81000020 inline printk(struct file *fmt=?, ...)",
    "guess": "0xffffffff820000ff guess fdget_pos(unsigned int fd=%di)",
    "part": "0xffffffff81000010 part vfs_read(struct file *file=*(%bp-0x10), "
            "unsigned int fd=?)",
    "func": "0xffffffff81000010 func vfs_read(struct file *file, unsigned int fd)",
}

DUMP = """\
[12] FUNC_PROTO '(anon)' ret_type_id=0 vlen=1
	'(anon)' type_id=2
[13] FUNC 'own' type_id=12 linkage=static
[14] LOC_PARAM '(anon)' size=4 flags=0x8 vlen=1 value='%di'
[15] LOC_PARAM '(anon)' size=8 flags=0x38 vlen=2 value='*(%bp-0x10)'
[16] LOC_PARAM '(anon)' size=4 flags=0x3 vlen=1 value='-1'
[17] LOC_PROTO '(anon)' vlen=1
	loc_param=14 value='%di'
[18] LOC_PROTO '(anon)' vlen=2
	loc_param=15 value='*(%bp-0x10)'
	loc_param=16 value='-1'
[19] LOC_PROTO '(anon)' vlen=2
	loc_param=15 value='*(%bp-0x10)'
	loc_param=0
[20] LOC_PROTO '(anon)' vlen=1
	loc_param=0
[21] LOCSEC '.text' vlen=4
	func=6 'vfs_read' loc_proto=18 offset=0x10
	func=8 'fdget_pos' loc_proto=17 offset=0x10
	func=13 'own' loc_proto=17 offset=0x10
	func=10 'printk' loc_proto=20 offset=0x20
[22] LOCSEC 'guess.init.text' vlen=1
	func=8 'fdget_pos' loc_proto=17 offset=0xff
[23] LOCSEC 'part.text' vlen=1
	func=6 'vfs_read' loc_proto=19 offset=0x10
[24] LOCSEC 'func.text' vlen=1
	func=6 'vfs_read' loc_proto=0 offset=0x10
"""


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="btflocs-test-")
        self.addCleanup(shutil.rmtree, self.dir)
        base, sec = build()
        self.base = self.write("base.btf", base.finish())
        self.sec = self.write("x.func_info", sec.finish())

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        return self.path(name)

    def tool(self, *args, **kw):
        subprocess.run(args, check=True, cwd=self.dir, stdout=subprocess.DEVNULL, **kw)

    def run_(self, *args, **kw):
        p = subprocess.run([BTFLOCS, *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, timeout=60, cwd=self.dir,
                           **kw)
        return p.returncode, p.stdout, p.stderr

    def check(self, args, status, out, err=""):
        got = self.run_(*args)
        self.assertEqual(got, (status, out, err), "btflocs " + " ".join(args))

    def of(self, *args):
        """The output of a command on the sample, which must succeed in silence."""
        status, out, err = self.run_(*args, "-B", self.base)
        self.assertEqual((status, err), (0, ""))
        return out


def lines(*names):
    return "".join(LINES[n] + "\n" for n in names)


class List(Case):
    def test_all(self):
        out = lines("read", "fdget", "own", "printk", "guess", "part", "func")
        self.assertEqual(self.of("list", self.sec), out)

    def test_big_endian(self):
        base, sec = build(big=True)
        self.check(["list", self.write("be.func_info", sec.finish()), "-B",
                    self.write("be.btf", base.finish())], 0,
                   lines("read", "fdget", "own", "printk", "guess", "part", "func"))

    def test_name(self):
        self.assertEqual(self.of("list", "fdget_pos", self.sec),
                         lines("fdget", "guess"))
        self.assertEqual(self.of("list", "vfs_read", self.sec),
                         lines("read", "part", "func"))

    def test_glob(self):
        self.assertEqual(self.of("list", "*[df]*_pos", self.sec),
                         lines("fdget", "guess"))
        self.assertEqual(self.of("list", "?wn", self.sec), lines("own"))
        self.assertEqual(self.of("list", "vfs\\_read", self.sec),
                         lines("read", "part", "func"))

    def test_no_such_function(self):
        line = "btflocs: %s: no record of a function '%s'\n"
        for name in ("fdget", "vfs_read2", "int", "x*"):
            self.check(["list", name, self.sec, "-B", self.base], 1, "",
                       line % (self.sec, name))
            self.check(["list", "-q", name, self.sec, "-B", self.base], 1, "")
            self.check(["list", "-j", name, self.sec, "-B", self.base], 1, "[]\n",
                       line % (self.sec, name))

    def test_json(self):
        want = ('[\n{"address":"0xffffffff81000010","section":".text","offset":16,'
                '"kind":"inline","func":"fdget_pos","func_id":8,"loc_proto_id":17,'
                '"partial":true,"params":[{"name":"fd","type":"unsigned int",'
                '"loc":{"kind":"reg","reg":5,"name":"di","size":4,"signed":false}}]},\n'
                '{"address":"0xffffffff820000ff","section":".init.text","offset":255,'
                '"kind":"guess","func":"fdget_pos","func_id":8,"loc_proto_id":17,'
                '"partial":true,"params":[{"name":"fd","type":"unsigned int",'
                '"loc":{"kind":"reg","reg":5,"name":"di","size":4,"signed":false}}]}'
                '\n]\n')
        self.assertEqual(self.of("list", "-j", "fdget_pos", self.sec), want)
        pretty = self.of("list", "--pretty", "fdget_pos", self.sec)
        self.assertEqual(json.loads(pretty), json.loads(want))
        self.assertGreater(pretty.count("\n"), 20)

    def test_json_all(self):
        recs = json.loads(self.of("list", "-j", self.sec))
        self.assertEqual([(r["kind"], r["func"], r["partial"]) for r in recs],
                         [("inline", "vfs_read", True), ("inline", "fdget_pos", True),
                          ("inline", "own", False), ("inline", "printk", True),
                          ("guess", "fdget_pos", True), ("part", "vfs_read", True),
                          ("func", "vfs_read", True)])
        self.assertEqual(recs[0]["params"], [
            {"name": "file", "type": "struct file *",
             "loc": {"kind": "mem", "reg": 6, "name": "bp", "offset": -16, "size": 8,
                     "signed": False}},
            {"name": "fd", "type": "unsigned int",
             "loc": {"kind": "const", "value": "-1", "size": 4, "signed": True}}])
        self.assertEqual(recs[3]["params"], [{"name": "fmt", "type": "struct file *",
                                              "loc": None}])

    def test_nothing_in_it(self):
        base, _ = build()
        sec = B.Blob(base=base)
        sec.keys("btf_locs=1")
        path = self.write("empty.func_info", sec.finish())
        self.check(["list", path, "-B", self.base], 0, "")
        self.check(["list", path, "-B", self.base, "-j"], 0, "[]\n")

    def test_escapes(self):
        """A name out of a file cannot drive the terminal, nor break the JSON."""
        base, _ = build()
        sec = B.Blob(base=base)
        sec.keys("btf_locs=1")
        func = sec.func("a\x1b[2J\udcff\"", 5)
        sec.locsec(".text", (func, 0, 0))
        path = self.write("esc.func_info", sec.finish())
        p = subprocess.run([BTFLOCS, "list", path, "-B", self.base],
                           stdout=subprocess.PIPE, check=True)
        self.assertEqual(p.stdout, b".text+0x0 inline a\\x1b[2J\xff\"(struct file *file, "
                                   b"unsigned int fd)\n")
        p = subprocess.run([BTFLOCS, "list", "-j", path, "-B", self.base],
                           stdout=subprocess.PIPE, check=True)
        self.assertEqual(json.loads(p.stdout)[0]["func"], "a\x1b[2J\ufffd\"")


class Find(Case):
    AT_10 = lines("func", "read", "fdget", "own", "part")

    def test_address(self):
        for text in ("0xffffffff81000010", "0xFFFFFFFF81000010", "ffffffff81000010",
                     str(0xffffffff81000010)):
            self.assertEqual(self.of("find", self.sec, text), self.AT_10)
        self.assertEqual(self.of("find", self.sec, "0xffffffff820000ff"), lines("guess"))

    def test_none(self):
        line = "btflocs: %s: no record at '%s'\n"
        for text in ("0xffffffff81000011", "0xffffffff80ffffff", "0x10", "0", "16",
                     "0xffffffffffffffff", "0xffffffff81001010"):
            self.check(["find", self.sec, text, "-B", self.base], 1, "",
                       line % (self.sec, text))
        self.check(["find", "-q", self.sec, "0", "-B", self.base], 1, "")
        self.check(["find", "-j", self.sec, "0", "-B", self.base], 1, "[]\n",
                   line % (self.sec, "0"))

    def test_json(self):
        recs = json.loads(self.of("find", "-j", self.sec, "0xffffffff81000010"))
        self.assertEqual([r["kind"] for r in recs],
                         ["func", "inline", "inline", "inline", "part"])
        self.assertEqual({r["address"] for r in recs}, {"0xffffffff81000010"})

    def test_section_offset(self):
        self.assertEqual(self.of("find", self.sec, ".text+0x10"), self.AT_10)
        self.assertEqual(self.of("find", self.sec, ".text+32"), lines("printk"))

    def test_no_symbols(self):
        self.check(["find", self.sec, "foo+1", "-B", self.base], 2, "",
                   "btflocs: %s: no symbols to look 'foo' up in: give an address, or -B "
                   "with the object\n" % self.sec)

    def elf(self, name, asm, *link):
        """An ELF file from assembler text, with the sample's base as its .BTF."""
        with open(self.path(name + ".s"), "w") as f:
            f.write(asm + '\n.section .note.GNU-stack,""\n')
        self.tool("as", name + ".s", "-o", name + ".o")
        if link:
            self.tool("ld", name + ".o", "-o", name, *link)
        else:
            os.rename(self.path(name + ".o"), self.path(name))
        self.tool("objcopy", "--add-section", ".BTF=base.btf", name)
        return self.path(name)

    def vmlinux(self):
        asm = (".text\n.globl _start, two\n_start: .skip 16\nread: nop\n.skip 15\n"
               "alias: two: nop\ndouble: nop\n")
        # two local symbols of one name come from two files
        with open(self.path("b.s"), "w") as f:
            f.write(".text\ndouble: nop\n.section .note.GNU-stack,\"\"\n")
        self.tool("as", "b.s", "-o", "b.o")
        return self.elf("vmlinux", asm, "b.o", "-Ttext=0xffffffff81000000", "-e", "_start")

    def test_symbol(self):
        vmlinux = self.vmlinux()
        self.tool("objcopy", "--add-section", ".BTF.func_info=x.func_info", "vmlinux",
                  "withsec")
        for text in ("_start+0x10", "_start+16", "read", "read+0"):
            self.check(["find", "withsec", text], 0, self.AT_10)
        for text in ("two", "alias", "_start+0x20"):
            self.check(["find", "withsec", text], 0, lines("printk"))
        self.check(["find", "withsec", "_start"], 1, "",
                   "btflocs: withsec: no record at '_start'\n")
        self.check(["find", "withsec", "nosuch"], 2, "",
                   "btflocs: withsec: no symbol 'nosuch'\n")
        self.check(["find", "withsec", "read+0xffffffffffffffff"], 2, "",
                   "btflocs: 'read+0xffffffffffffffff' is past the last address\n")
        status, out, err = self.run_("find", "withsec", "double")
        self.assertEqual((status, out), (2, ""))
        nm = subprocess.run(["nm", vmlinux], stdout=subprocess.PIPE, check=True,
                            text=True).stdout
        want = [int(l.split()[0], 16) for l in nm.splitlines() if l.endswith(" double")]
        self.assertEqual(len(want), 2)
        m = re.fullmatch(r"btflocs: symbol 'double' is not unique, give one of its "
                         r"addresses: (0x\w+) (0x\w+)\n", err)
        self.assertTrue(m, err)
        self.assertEqual(sorted(int(a, 16) for a in m.groups()), sorted(want))

    def test_symbol_of_others(self):
        """A detached section: the object beside it, else the first -B that is ELF."""
        self.vmlinux()
        shutil.copy(self.sec, self.path("vmlinux.func_info"))
        self.check(["find", "vmlinux.func_info", "read"], 0, self.AT_10)
        self.check(["find", self.sec, "read", "-B", "vmlinux"], 0, self.AT_10)
        self.check(["find", self.sec, "nosuch", "-B", "vmlinux"], 2, "",
                   "btflocs: %s: no symbol 'nosuch'\n" % self.sec)

    def test_relocatable(self):
        base, _ = build()
        sec = B.Blob(base=base)
        sec.keys("btf_locs=1", "machine=62", *sec.base_keys(), "sec:.text=0,40",
                 "sec:.text.hot=0,40")
        sec.locsec(".text", (8, 0, 4))
        sec.locsec(".text.hot", (6, 0, 4))
        self.write("rel.func_info", sec.finish())
        self.elf("mod.o", ".text\nf: .skip 64\n.section .text.hot,\"ax\"\nh: .skip 64\n")
        self.tool("objcopy", "--add-section", ".BTF.func_info=rel.func_info", "mod.o")
        fdget = ".text+0x4 inline fdget_pos(unsigned int fd)\n"
        read = ".text.hot+0x4 inline vfs_read(struct file *file, unsigned int fd)\n"
        self.check(["find", "mod.o", "f+4"], 0, fdget)
        self.check(["find", "mod.o", "h+4"], 0, read)
        self.check(["find", "mod.o", ".text.hot+0x4"], 0, read)
        self.check(["find", "mod.o", "4"], 0, fdget + read)
        self.check(["list", "mod.o"], 0, fdget + read)


class Dump(Case):
    def test_text(self):
        self.assertEqual(self.of("dump", self.sec), DUMP)

    def test_json(self):
        out = self.of("dump", "-j", self.sec)
        types = json.loads(out)["types"]
        self.assertEqual([t["id"] for t in types], list(range(12, 25)))
        by_id = {t["id"]: t for t in types}
        self.assertEqual(by_id[13], {"id": 13, "kind": "FUNC", "name": "own",
                                     "type_id": 12, "linkage": "static"})
        self.assertEqual(by_id[15], {
            "id": 15, "kind": "LOC_PARAM", "name": "(anon)", "size": 8, "flags": 0x38,
            "words": [6, 0xfffffff0],
            "loc": {"kind": "mem", "reg": 6, "name": "bp", "offset": -16, "size": 8,
                    "signed": False}})
        self.assertEqual(by_id[19]["params"], [{"loc_param": 15}, {"loc_param": 0}])
        self.assertEqual(by_id[22], {
            "id": 22, "kind": "LOCSEC", "name": "guess.init.text", "vlen": 1,
            "records": [{"func": 8, "name": "fdget_pos", "loc_proto": 17,
                         "offset": 255}]})
        self.assertEqual(len(by_id[21]["records"]), 4)
        self.assertEqual(json.loads(self.of("dump", "-p", self.sec)), json.loads(out))

    @staticmethod
    def add_ordinary(b):
        """Every ordinary kind, with what is special about each."""
        b.int("bool", 1, 4)
        b.int("ch", 1, 2)
        i = b.int("long", 8, 1)
        b.type(B.INT, "bits", 0, 4, 3 << 16 | 5)
        p = b.ref(B.PTR, 0)
        b.type(B.ARRAY, "", 0, 0, p, i, 7)
        s = b.type(B.STRUCT, "st", 2, 16, b.str("a"), i, 0, b.str("b"), p, 64)
        b.type(B.STRUCT, "bf", 2, 4, b.str("x"), 1, 3 << 24 | 0, 0, 1, 5 << 24 | 3,
               kflag=1)
        b.type(B.UNION, "", 1, 8, b.str("u"), i, 0)
        b.type(B.ENUM, "e", 2, 4, b.str("A"), 0, b.str("B"), 0xffffffff)
        b.type(B.ENUM, "se", 1, 4, b.str("M"), -1, kflag=1)
        b.type(B.FWD, "fs", 0, 0)
        b.type(B.FWD, "fu", 0, 0, kflag=1)
        b.ref(B.TYPEDEF, i, "td")
        b.ref(B.VOLATILE, i)
        b.ref(B.CONST, 0)
        b.ref(B.RESTRICT, p)
        proto = b.proto(i, ("a", i), ("", p), ("", 0))
        b.func("fs", proto, 0)
        b.func("fg", proto, 1)
        b.func("fe", proto, 2)
        v = b.type(B.VAR, "v", 0, i, 1)
        b.type(B.VAR, "vs", 0, i, 0)
        b.type(B.DATASEC, ".data", 1, 16, v, 4, 8)
        b.type(B.FLOAT, "double", 0, 8)
        b.type(B.DECL_TAG, "tag", 0, s, -1)
        b.type(B.DECL_TAG, "tag", 0, s, 1)
        b.ref(B.TYPE_TAG, i, "user")
        b.type(B.ENUM64, "e64", 2, 8, b.str("P"), 0xffffffff, 0xffffffff, b.str("Q"), 1, 0)
        b.type(B.ENUM64, "se64", 1, 8, b.str("N"), -2, -1, kflag=1)

    def test_like_bpftool(self):
        base, _ = build()
        plain = B.Blob(base=base)
        self.add_ordinary(plain)
        self.write("split.btf", plain.finish(layout=False))
        want = subprocess.run(["bpftool", "-B", "base.btf", "btf", "dump", "file",
                               "split.btf", "format", "raw"], cwd=self.dir, check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        base, _ = build()
        sec = B.Blob(base=base)
        sec.keys("btf_locs=1", *sec.base_keys())
        self.add_ordinary(sec)
        path = self.write("kinds.func_info", sec.finish())
        got = self.of("dump", path)
        self.assertEqual(got.splitlines(), want.splitlines())
        kinds = {l.split()[1] for l in got.splitlines() if l.startswith("[")}
        self.assertEqual(len(kinds), 19)
        text = json.loads(self.of("dump", "-j", path))["types"]
        self.assertEqual(["[%d] %s '%s'" % (t["id"], t["kind"], t["name"]) for t in text],
                         [" ".join(l.split()[:3]) for l in want.splitlines()
                          if l.startswith("[")])


class Stat(Case):
    def figures(self, out):
        return {m[1].strip(): m[2] for m in
                re.finditer(r"^(.{40}) +([\d.]+)(?:  .*)?$", out, re.M)}

    def test_text(self):
        out = self.of("stat", self.sec)
        size = os.path.getsize(self.sec)
        # sites: 4 inline, 1 guess, 1 part; parameters 2 + 1 + 1 + 1, 1, 2
        want = {
            "sites": 6, "guessed addresses (guess)": 1, "rests of calls (part)": 1,
            "every parameter located": 4, "functions inlined": 4,
            "partially: called out of line too": 3, "functions out of line (func)": 1,
            "parameters": 8, "located": 6, "not located": 2, "entry value": 1,
            "no child": 1, "sites without a record": 2, "tombstone": 2,
            "bytes": size, "header": 32,
            "FUNC_PROTO": 20, "FUNC": 12, "LOC_PARAM": 20 + 24 + 20,
            "LOC_PROTO": 16 + 20 + 20 + 16, "LOCSEC": 12 * 4 + 12 * 7, "layout": 92,
        }
        types = 20 + 12 + 64 + 72 + 132
        want["strings"] = size - 32 - types - 92
        want["bytes a record"] = "%.1f" % (size / 7)
        with open(self.sec, "rb") as f:
            want["bytes deflated (zlib, level 6)"] = len(zlib.compress(f.read(), 6))
        self.assertEqual(self.figures(out), {k: str(v) for k, v in want.items()})
        self.assertIn("every parameter located                           4   66.7 %\n", out)
        self.assertIn("LOCSEC                                          132  4 types\n", out)
        # one column: each figure ends at the same place
        ends = {re.match(r".{40} +[\d.]+", l).end() for l in out.splitlines()}
        self.assertEqual(ends, {53})

    def test_json(self):
        st = json.loads(self.of("stat", "-j", self.sec))
        size = os.path.getsize(self.sec)
        self.assertEqual(st["params_not_located"], {"entry_value": 1, "no_child": 1})
        self.assertEqual(st["sites_skipped"], {"tombstone": 2})
        self.assertEqual((st["sites"], st["guesses"], st["parts"]), (6, 1, 1))
        self.assertEqual((st["sites_located"], st["sites_located_percent"]), (4, 66.67))
        self.assertEqual((st["params"], st["params_located"]), (8, 6))
        self.assertEqual((st["functions_inlined"], st["functions_partial"],
                          st["functions_out_of_line"]), (4, 3, 1))
        self.assertEqual(st["bytes"]["total"], size)
        self.assertEqual(sum(v for k, v in st["bytes"].items()
                             if k not in ("total", "deflated")), size)
        self.assertEqual(st["bytes_per_record"], round(size / 7, 2))
        self.assertEqual(json.loads(self.of("stat", "-p", self.sec)), st)


class Check(Case):
    def test_sound(self):
        self.check(["check", self.sec, "-B", self.base], 0,
                   "%s: sound, 13 types, 7 records\n" % self.sec)
        self.check(["check", "-q", self.sec, "-B", self.base], 0, "")
        out = self.of("check", "-j", self.sec)
        self.assertEqual(json.loads(out), {"file": self.sec, "sound": True, "types": 13,
                                           "records": 7})

    def bad(self):
        base, _ = build()
        sec = B.Blob(base=base)
        sec.keys("btf_locs=1", *sec.base_keys())
        sec.locsec(".text", (6, 0, 8), (5, 0, 9))
        return self.write("bad.func_info", sec.finish())

    def test_not_sound(self):
        bad = self.bad()
        why = "%s: type 12 (LOCSEC '.text') at 0x20: record 1: func 5 is no FUNC" % bad
        self.check(["check", bad, "-B", self.base], 1, "", "btflocs: %s\n" % why)
        self.check(["check", "-q", bad, "-B", self.base], 1, "")
        status, out, err = self.run_("check", "-j", bad, "-B", self.base)
        self.assertEqual((status, err), (1, "btflocs: %s\n" % why))
        self.assertEqual(json.loads(out), {"file": bad, "sound": False, "error": why})
        # the others cannot work with it
        for cmd in (["dump", bad], ["list", bad], ["find", bad, "0"], ["stat", bad]):
            self.check([*cmd, "-B", self.base], 2, "", "btflocs: %s\n" % why)

    def test_other_base(self):
        other, _ = build()
        other.int("more", 4)
        path = self.write("other.btf", other.finish())
        why = "btflocs: %s: made for another base (its base had 11 types, this one 12)\n"
        self.check(["check", self.sec, "-B", path], 1, "", why % self.sec)
        self.check(["list", self.sec, "-B", path], 2, "", why % self.sec)

    def test_truncated(self):
        with open(self.sec, "rb") as f:
            data = f.read()
        for n in (4, 31, 100, len(data) - 1):
            status, out, err = self.run_("check", self.write("cut", data[:n]), "-B",
                                         self.base)
            self.assertEqual((status, out), (1, ""))
            self.assertRegex(err, r"^btflocs: .*/cut: .+\n$")

    def test_trouble(self):
        self.check(["check", "/nonexistent"], 2, "",
                   "btflocs: /nonexistent: No such file or directory\n")
        self.check(["check", self.dir], 2, "", "btflocs: %s: is a directory\n" % self.dir)
        self.check(["check", self.sec, "-B", "/nonexistent"], 2, "",
                   "btflocs: /nonexistent: No such file or directory\n")
        self.check(["check", sys.executable], 2, "",
                   "btflocs: %s: no section .BTF.func_info\n" % sys.executable)


class Bases(Case):
    def test_object(self):
        """In an ELF file the base is its own .BTF."""
        self.tool("as", "-o", "obj", "/dev/null")
        self.tool("objcopy", "--add-section", ".BTF=base.btf", "--add-section",
                  ".BTF.func_info=x.func_info", "obj")
        self.check(["list", "own", "obj"], 0, lines("own"))
        self.check(["dump", "obj"], 0, DUMP)

    def test_beside(self):
        shutil.copy(self.base, self.path("x"))
        self.check(["list", "own", "x.func_info"], 0, lines("own"))

    def test_doubly_split(self):
        base, _ = build()
        mod = B.Blob(base=base)
        func = mod.func("mod_open", 5)
        self.write("mod.btf", mod.finish(layout=False))
        sec = B.Blob(base=mod)
        sec.keys("btf_locs=1", "machine=62", *sec.base_keys(), "sec:.text=0,100")
        di = sec.loc_param(8, B.REG, 5)
        sec.locsec(".text", (func, sec.loc_proto(di, 0), 0x30))
        self.write("mod.func_info", sec.finish())
        want = ".text+0x30 inline mod_open(struct file *file=%di, unsigned int fd=?)\n"
        self.check(["list", "-B", "base.btf", "-B", "mod.btf", "mod.func_info"], 0, want)
        self.check(["list", "mod.func_info", "--base=base.btf", "--base", "mod.btf"], 0,
                   want)
        # a module: its .BTF is a split one, -B names what is below
        self.tool("as", "-o", "mod.ko", "/dev/null")
        self.tool("objcopy", "--add-section", ".BTF=mod.btf", "--add-section",
                  ".BTF.func_info=mod.func_info", "mod.ko")
        self.check(["list", "mod.ko", "-B", "base.btf"], 0, want)
        self.check(["check", "mod.func_info", "-B", "base.btf"], 1, "",
                   "btflocs: mod.func_info: made for another base (its base had 1 types, "
                   "this one 11)\n")


class Usage(Case):
    def test_version(self):
        self.check(["--version"], 0, "btflocs 0.1\n")

    def test_help(self):
        for args in (["help"], ["--help"], ["-h"]):
            status, out, err = self.run_(*args)
            self.assertEqual((status, err), (0, ""))
            for cmd in ("encode", "dump", "list", "find", "stat", "check"):
                self.assertRegex(out, r"(?m)^(Usage:|      ) btflocs %s .*FILE" % cmd)
        for cmd in ("encode", "dump", "list", "find", "stat", "check"):
            status, out, err = self.run_(cmd, "--help")
            self.assertEqual((status, err), (0, ""))
            self.assertRegex(out, r"\AUsage: btflocs %s " % cmd)
            self.assertEqual(self.run_("help", cmd), (0, out, ""))

    def test_wrong(self):
        self.check([], 2, "", "btflocs: no command; try: btflocs help\n")
        for args in (["frob"], ["frob", "--help"], ["help", "frob"]):
            self.check(args, 2, "",
                       "btflocs: there is no command 'frob'; try: btflocs help\n")
        usage = "Usage: btflocs dump FILE [-B BASE]... [OPTION]...\n"
        self.check(["dump"], 2, "", usage)
        self.check(["dump", "a", "b"], 2, "", usage)
        self.check(["dump", "a", "-B"], 2, "",
                   "btflocs: option requires an argument -- 'B'\n" + usage)
        self.check(["dump", "-x", "a"], 2, "",
                   "btflocs: invalid option -- 'x'\n" + usage)
        self.check(["dump", "--frob", "a"], 2, "",
                   "btflocs: unrecognized option '--frob'\n" + usage)
        self.assertEqual(self.run_("list")[0], 2)
        self.assertEqual(self.run_("list", "a", "b", "c")[0], 2)
        self.assertEqual(self.run_("find", "a")[0], 2)
        self.assertEqual(self.run_("stat")[0], 2)
        self.assertEqual(self.run_("check")[0], 2)
        self.assertEqual(self.run_("encode")[0], 2)
        # -j is JSON for those that read, a number of workers for encode
        for n in ("0", "x", "-1", "1025", ""):
            self.check(["encode", "-j", n, "f"], 2, "",
                       "btflocs: -j %s: not a number of workers from 1 to 1024\n" % n)

    def test_dashes(self):
        """Operands that look like options, behind "--"."""
        shutil.copy(self.sec, self.path("-x.func_info"))
        self.check(["list", "-B", "base.btf", "--", "own", "-x.func_info"], 0,
                   lines("own"))

    def test_verbose(self):
        status, out, err = self.run_("list", "-V", "own", self.sec, "-B", self.base)
        self.assertEqual((status, out), (0, lines("own")))
        self.assertEqual(err, "btflocs: %s: 11 types in the base, 13 in the section, "
                              "4 LOCSECs\n" % self.sec)


class Output(Case):
    def large(self):
        base, _ = build()
        sec = B.Blob(base=base)
        sec.keys("btf_locs=1")
        sec.locsec(".text", *[(6, 0, 4 * i) for i in range(20000)])
        return self.write("large.func_info", sec.finish())

    def test_full_disk(self):
        large = self.large()
        for args in (["dump", self.sec], ["list", self.sec], ["list", large],
                     ["list", "-j", large], ["dump", "-j", large],
                     ["find", self.sec, "0xffffffff81000010"], ["stat", self.sec],
                     ["check", self.sec], ["check", "-j", self.sec], ["help"],
                     ["--version"], ["dump", "--help"]):
            if args[0] in ("dump", "list", "find", "stat", "check") and \
                    "--help" not in args:
                args += ["-B", self.base]
            with open("/dev/full", "w") as full:
                p = subprocess.run([BTFLOCS, *args], stdout=full, stderr=subprocess.PIPE,
                                   text=True)
            self.assertEqual((p.returncode, p.stderr), (
                2, "btflocs: cannot write to stdout: No space left on device\n"), args)

    def test_closed_stdout(self):
        p = subprocess.run('"%s" list "%s" -B "%s" >&-' % (BTFLOCS, self.sec, self.base),
                           shell=True, stderr=subprocess.PIPE, text=True)
        self.assertEqual((p.returncode, p.stderr), (
            2, "btflocs: cannot write to stdout: Bad file descriptor\n"))

    def test_broken_pipe(self):
        """`| head` ends it, quietly, whatever the parent does with SIGPIPE."""
        large = self.large()
        for ignore in ("", "trap '' PIPE; "):
            for cmd in ("dump", "list", "list -j", "dump -j"):
                p = subprocess.run(
                    ["bash", "-c", ignore + 'set -o pipefail; "%s" %s "%s" -B "%s" | '
                     "head -c 10" % (BTFLOCS, cmd, large, self.base)],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual((p.returncode, len(p.stdout), p.stderr), (0, 10, b""))


if __name__ == "__main__":
    unittest.main()
