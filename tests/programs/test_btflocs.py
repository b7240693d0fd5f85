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
import unittest
import zlib

import btf_blob as B
from btflocs_case import BTFLOCS, DUMP, Case, build, lines


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
        self.assertEqual(p.stdout, b".text+0x0 inline a\\x1b[2J\\xff\"(struct file *file, "
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
        return self.elf("vmlinux", asm, "b.o", "-Ttext=0xffffffff81000000",
                        "-e", "_start")

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
        b.type(B.ENUM64, "e64", 2, 8, b.str("P"), 0xffffffff, 0xffffffff,
               b.str("Q"), 1, 0)
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
            "parameters by the convention": 1, "parameters of the others": 0,
            "of these located": 0, "of these not located": 0,
            "functions without a record": 0,
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
        # two blanks, a name padded to 38, a figure of 12
        self.assertIn("  %-38s %12d   66.7 %%\n" % ("every parameter located", 4), out)
        self.assertIn("  %-38s %12d  4 types\n" % ("LOCSEC", 132), out)
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
                          st["functions_out_of_line"], st["functions_conforming"]),
                         (4, 3, 1, 1))
        self.assertEqual((st["function_params"], st["function_params_located"]), (0, 0))
        self.assertEqual((st["function_params_not_located"], st["functions_skipped"]), ({}, {}))
        self.assertEqual(st["bytes"]["total"], size)
        self.assertEqual(sum(v for k, v in st["bytes"].items()
                             if k not in ("total", "deflated")), size)
        self.assertEqual(st["bytes_per_record"], round(size / 7, 2))
        self.assertEqual(json.loads(self.of("stat", "-p", self.sec)), st)


if __name__ == "__main__":
    unittest.main()
