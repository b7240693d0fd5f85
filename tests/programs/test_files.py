#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compressed files, detached sections that are gzip'ed, several files to btflocs check."""
import json
import os
import re
import subprocess
import time
import unittest

import btf_blob as B
from btflocs_case import DUMP, Case, build, lines

# the program that writes each, and how its files end
PACKERS = {"gzip": "gz", "xz": "xz", "zstd": "zst"}

SOURCE = """
static inline __attribute__((always_inline)) int clamp_to(int v, int hi)
{
	return v > hi ? hi : v;
}
int f(int n, int *p) { return clamp_to(n, 100) + clamp_to(*p, n); }
"""


class Files(Case):
    def pack(self, packer, name):
        """NAME beside itself, compressed by the program of that name."""
        packed = "%s.%s" % (name, PACKERS[packer])
        with open(self.path(packed), "wb") as f:
            subprocess.run([packer, "-c", self.path(name)], check=True, stdout=f)
        return packed

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def object(self, name="obj"):
        """The sample in an ELF file; 'inner' stands 0x10 behind the start of .text."""
        self.write("obj.s", b".globl outer\nouter: .skip 16\ninner: .skip 16\n")
        self.tool("as", "-o", name, "obj.s")
        self.tool("objcopy", "--add-section", ".BTF=base.btf", "--add-section",
                  ".BTF.func_info=x.func_info", name)
        return name

    def compiled(self):
        """An object with DWARF and .BTF, from a compiler."""
        self.write("t.c", SOURCE.encode())
        self.tool("gcc", "-g", "-O2", "-c", "t.c")
        self.tool("pahole", "-J", "--btf_encode_force", "t.o",
                  env=dict(os.environ, LLVM_OBJCOPY="objcopy"))
        return "t.o"


class Compressed(Files):
    def test_every_command(self):
        obj = self.object()
        self.check(["dump", obj], 0, DUMP)
        for packer in PACKERS:
            packed = self.pack(packer, obj)
            for args in (["dump", "%s"], ["dump", "-j", "%s"], ["list", "%s"],
                         ["list", "-p", "*", "%s"], ["find", "%s", "0xffffffff81000010"],
                         ["stat", "%s"], ["stat", "-j", "%s"], ["check", "%s"],
                         ["check", "-j", "%s"]):
                status, out, err = self.run_(*[a.replace("%s", obj) for a in args])
                self.assertEqual((status, err), (0, ""))
                self.check([a.replace("%s", packed) for a in args], 0,
                           out.replace(obj, packed))
            # the symbols are the object's
            self.check(["find", packed, "inner"], 0,
                       lines("func", "read", "fdget", "own", "part"))

    def test_bases(self):
        self.object()
        for packer in PACKERS:
            self.check(["list", "own", "x.func_info", "-B", self.pack(packer, "base.btf")], 0,
                       lines("own"))
            self.check(["list", "own", "x.func_info", "-B", self.pack(packer, "obj")], 0,
                       lines("own"))

    def test_detached(self):
        self.write("x", self.read("base.btf"))
        for packer in PACKERS:
            packed = self.pack(packer, "x.func_info")
            self.check(["list", "own", packed], 0, lines("own"))
            self.check(["list", "own", packed, "-B", "base.btf"], 0, lines("own"))
        # the base beside it is that of the name without both
        os.rename(self.path("x"), self.path("y"))
        for packer in PACKERS:
            os.rename(self.path("x.func_info." + PACKERS[packer]),
                      self.path("y.func_info." + PACKERS[packer]))
            self.check(["list", "own", "y.func_info." + PACKERS[packer]], 0, lines("own"))

    def test_module(self):
        """Its .BTF is split; the base is named."""
        base, _ = build()
        mod = B.Blob(base=base)
        func = mod.func("mod_open", 5)
        self.write("mod.btf", mod.finish(layout=False))
        sec = B.Blob(base=mod)
        sec.keys("btf_locs=1", "machine=62", *sec.base_keys(), "sec:.text=0,100")
        sec.locsec(".text", (func, sec.loc_proto(sec.loc_param(8, B.REG, 5), 0), 0x30))
        self.write("mod.func_info", sec.finish())
        want = ".text+0x30 inline mod_open(struct file *file=%di, unsigned int fd=?)\n"
        self.tool("as", "-o", "mod.ko", "/dev/null")
        self.tool("objcopy", "--add-section", ".BTF=mod.btf", "--add-section",
                  ".BTF.func_info=mod.func_info", "mod.ko")
        for packer in PACKERS:
            self.check(["list", self.pack(packer, "mod.ko"), "-B", "base.btf"], 0, want)
            self.check(["list", "mod.func_info", "-B", "base.btf", "-B",
                        self.pack(packer, "mod.ko")], 0, want)

    def test_broken(self):
        self.object()
        for packer, ext in PACKERS.items():
            whole = self.read(self.pack(packer, "obj"))
            cut = "cut." + ext
            self.write(cut, whole[:-5])
            line = "btflocs: %s: malformed: its %s data ends early\n" % (cut, packer)
            self.check(["check", cut], 1, "", line)
            self.check(["list", cut], 2, "", line)
            self.check(["encode", "-o", "out", cut], 2, "", line)
            self.check(["list", "x.func_info", "-B", cut], 2, "", line)
        self.assertFalse(os.path.exists(self.path("out")))
        # empty when it is unpacked
        self.write("none", b"")
        for packer in PACKERS:
            packed = self.pack(packer, "none")
            self.check(["check", packed], 1, "", "btflocs: %s: is empty\n" % packed)


class Encode(Files):
    def test_from_compressed(self):
        obj = self.compiled()
        self.check(["encode", "-o", "plain", obj], 0, "")
        for packer in PACKERS:
            self.check(["encode", "-o", packer, self.pack(packer, obj)], 0, "")
            self.assertEqual(self.read(packer), self.read("plain"))
        # detached, the unpacked object is its base
        status, out, err = self.run_("list", "plain", "-B", obj)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("inline clamp_to(int v=%di, int hi=100)", out)

    def test_not_into_compressed(self):
        obj = self.compiled()
        for packer in PACKERS:
            packed = self.pack(packer, obj)
            was = self.read(packed)
            self.check(["encode", packed], 2, "", "btflocs: %s: is compressed with %s, a "
                       "section cannot be written into it: unpack it (%s -d), encode, "
                       "compress it again; or -o FILE\n" % (packed, packer, packer))
            self.assertEqual(self.read(packed), was)
        self.assertEqual(sorted(n for n in os.listdir(self.dir) if n.startswith("t.")),
                         ["t.c", "t.o", "t.o.gz", "t.o.xz", "t.o.zst"])

    def test_gzip(self):
        """-o NAME.gz is a gzip file of the same bytes, and the same one each time."""
        obj = self.compiled()
        os.mkdir(self.path("d"))
        self.check(["encode", "-o", "t.o.func_info", obj], 0, "")
        self.check(["encode", "-o", "t.o.func_info.gz", obj], 0, "")
        time.sleep(1.1)    # gzip's time counts seconds
        self.check(["encode", "-o", "d/other.gz", obj], 0, "")
        packed = self.read("t.o.func_info.gz")
        self.assertEqual(packed, self.read("d/other.gz"))
        # RFC 1952: deflate, no flags, no time, the most compressed, no known system
        self.assertEqual(packed[:10], bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]))
        with open(self.path("t.o.func_info.gz"), "rb") as f:
            plain = subprocess.run(["gzip", "-dc"], stdin=f, stdout=subprocess.PIPE, check=True)
        self.assertEqual(plain.stdout, self.read("t.o.func_info"))
        self.assertEqual(self.run_("list", "t.o.func_info.gz"), self.run_("list", "t.o.func_info"))
        self.assertEqual(self.run_("list", "t.o.func_info.gz")[0], 0)

    def test_pahole_locs(self):
        """What pahole makes of a compressed object stays what it is."""
        obj = self.compiled()
        ours = os.environ.get("PAHOLE_LOCS", os.path.join(os.path.dirname(os.path.abspath(
            __file__)), "../../build/pahole-locs"))
        for packer in PACKERS:
            packed = self.pack(packer, obj)
            was = self.read(packed)
            real = subprocess.run(["pahole", "-J", packed], cwd=self.dir,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(self.read(packed), was)
            got = subprocess.run([ours, "-J", "--btf_features=inline_locs", packed],
                                 cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((got.returncode, self.read(packed)), (real.returncode, was))
            self.assertEqual(got.returncode, 1)


class CheckSeveral(Files):
    def setUp(self):
        super().setUp()
        self.write("bad.func_info", self.read("x.func_info")[:-1])
        self.write("other.func_info", self.read("x.func_info"))

    def line(self, name):
        return "%s: sound, 13 types, 7 records\n" % name

    def test_sound(self):
        self.check(["check", "x.func_info", "-B", "base.btf", "other.func_info"], 0,
                   self.line("x.func_info") + self.line("other.func_info"))
        self.check(["check", "-q", "x.func_info", "-B", "base.btf", "other.func_info"], 0, "")

    def test_not(self):
        args = ["x.func_info", "bad.func_info", "other.func_info", "-B", "base.btf"]
        status, out, err = self.run_("check", *args)
        self.assertEqual((status, out),
                         (1, self.line("x.func_info") + self.line("other.func_info")))
        self.assertRegex(err, r"\Abtflocs: bad\.func_info: [^\n]+\n\Z")
        self.check(["check", "-q", *args], 1, "")
        # what cannot be read is worse than what is not sound, wherever it stands
        for where in (0, 1, 3):
            some = args[:where] + ["absent"] + args[where:]
            status, out, err = self.run_("check", *some)
            self.assertEqual((status, out),
                             (2, self.line("x.func_info") + self.line("other.func_info")))
            self.assertIn("btflocs: absent: No such file or directory\n", err)
            self.check(["check", "-q", *some], 2, "",
                       "btflocs: absent: No such file or directory\n")

    def test_json(self):
        args = ["check", "-j", "x.func_info", "bad.func_info", "absent", "-B", "base.btf"]
        status, out, err = self.run_(*args)
        self.assertEqual(status, 2)
        bad = [line for line in err.splitlines() if "bad.func_info" in line]
        self.assertEqual(json.loads(out), [
            {"file": "x.func_info", "sound": True, "types": 13, "records": 7},
            {"file": "bad.func_info", "sound": False, "error": bad[0][len("btflocs: "):]}])
        self.assertEqual(len(out.splitlines()), 4)
        status, out, err = self.run_("check", "-j", "absent", "absent2")
        self.assertEqual((status, json.loads(out)), (2, []))
        # one file: as ever, an object
        self.check(["check", "-j", "x.func_info", "-B", "base.btf"], 0,
                   '{"file":"x.func_info","sound":true,"types":13,"records":7}\n')
        self.check(["check", "-j", "absent"], 2, "",
                   "btflocs: absent: No such file or directory\n")

    def test_hint(self):
        """A detached section on one base that is not its: it may be a module's."""
        other, _ = build()
        other.int("more", 4)
        self.write("other.btf", other.finish())
        status, out, err = self.run_("check", "x.func_info", "-B", "other.btf")
        self.assertEqual((status, out), (1, ""))
        self.assertTrue(re.search(r"; is it a module's\? name the module too: -B other.btf -B "
                                  r"MODULE\n\Z", err), err)
        # with two named, and with an ELF file, that is no help
        self.object()
        self.tool("objcopy", "--update-section", ".BTF=other.btf", "obj")
        for args in (["obj", "-B", "other.btf"], ["x.func_info", "-B", "base.btf", "-B",
                                                  "other.btf"]):
            status, out, err = self.run_("list", *args)
            self.assertEqual((status, out), (2, ""))
            self.assertNotIn("module", err)


if __name__ == "__main__":
    unittest.main()
