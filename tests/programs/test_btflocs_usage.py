#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""btflocs check, -B, usage, and what happens to its output."""
import json
import shutil
import subprocess
import sys
import unittest

import btf_blob as B
from btflocs_case import BTFLOCS, DUMP, Case, build, lines


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
        module = "; is it a module's? name the module too: -B %s -B MODULE\n" % path
        self.check(["check", self.sec, "-B", path], 1, "", (why % self.sec)[:-1] + module)
        self.check(["list", self.sec, "-B", path], 2, "", (why % self.sec)[:-1] + module)
        # without -B the file beside it is taken, and the line says what to do
        with open(self.sec, "rb") as f:
            beside = self.write("beside.func_info", f.read())
        self.write("beside", other.finish())
        self.check(["list", beside], 2, "",
                   (why % beside)[:-1] + "; name its own with -B\n")

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
                   "this one 11); is it a module's? name the module too: -B base.btf -B MODULE\n")


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
        for names, name in (("func_addr", "func_addr"), ("inline_locs,x", "x"),
                            ("inline_loc", "inline_loc")):
            self.check(["encode", "--features", names, "f"], 2, "",
                       "btflocs: unknown feature '%s'\n" % name)
        self.check(["encode", "--features", "", "f"], 2, "",
                   "btflocs: --features: no feature\n")

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
