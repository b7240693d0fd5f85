#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""pahole-locs encoding: pahole's half is what it writes alone, ours is sound and complete."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from pahole_case import A_C, BTFLOCS, C_C, Case, PAHOLE, SECTION, contents, sections


class Encoding(Case):
    """both halves"""

    def encode(self, *args, **env):
        result = self.locs("--btf_features=inline_locs", *args, **env)
        self.assert_silent(result)
        return result

    def check(self, *args):
        result = self.run_in(BTFLOCS, "check", *args)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)

    def sites(self, *args):
        """(function, offset) of every site"""
        return sorted((r["func"], r["offset"]) for r in self.records(*args)
                      if r["kind"] != "func")

    def records(self, *args):
        result = self.run_in(BTFLOCS, "list", "-j", *args)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def functions(self, *args):
        """(function, offset) of every function out of line that has a record"""
        return sorted((r["func"], r["offset"]) for r in self.records(*args)
                      if r["kind"] == "func")

    def symbols(self, name):
        """the same of every function's symbol, from nm"""
        text = subprocess.run(["nm", self.path(name)], check=True, capture_output=True,
                              text=True).stdout
        return sorted((w[2], int(w[0], 16)) for w in map(str.split, text.splitlines())
                      if w[1] in "tT")

    def dwarf_sites(self, name):
        """the same, from llvm-dwarfdump's text"""
        text = subprocess.run(["llvm-dwarfdump", "--debug-info", self.path(name)], check=True,
                              capture_output=True, text=True).stdout
        out = []
        for die in re.split(r"\n\n", text):
            if "DW_TAG_inlined_subroutine" in die:
                func = re.search(r'DW_AT_abstract_origin\s+\(0x\w+ "(\w+)"\)', die)
                pc = re.search(r"DW_AT_entry_pc\s+\((0x\w+)", die)
                out.append((func.group(1), int(pc.group(1), 16)))
        return sorted(out)

    def real_btf(self, *args):
        """what pahole alone makes of a copy of the first file"""
        with tempfile.TemporaryDirectory() as where:
            for name in ("a.o", "c.o"):
                shutil.copy(os.path.join(self.made, name), where)
            subprocess.run([PAHOLE, *args], cwd=where, check=True)
            return sections(os.path.join(where, "a.o"))[".BTF"]

    def test_in_place(self):
        os.chmod(self.path("a.o"), 0o640)
        self.encode("-J", "a.o")
        got = sections(self.path("a.o"))
        self.assertEqual(got[".BTF"], self.real_btf("-J", "a.o"))
        self.assertEqual(os.stat(self.path("a.o")).st_mode & 0o777, 0o640)
        self.check("a.o")
        want = self.dwarf_sites("a.o")
        self.assertEqual([w[0] for w in want], ["add", "add"])
        self.assertEqual(self.sites("a.o"), want)
        self.assertEqual(sorted(os.listdir(self.dir)), ["a.o", "c.o", "n.o"])

    def test_again_over_the_old_bytes(self):
        """where there is a .BTF, pahole writes into the file that we read"""
        self.encode("-J", "a.o")
        first = sections(self.path("a.o"))
        self.encode("-J", "a.o")
        again = sections(self.path("a.o"))
        self.assertEqual(again[SECTION], first[SECTION])
        self.assertEqual(again[".BTF"], first[".BTF"])
        self.check("a.o")

    def test_gnu_objcopy_cuts_the_file_first(self):
        self.encode("-J", "c.o")
        self.encode("-J", "a.o", LLVM_OBJCOPY="objcopy")
        self.check("a.o")
        self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))

    def test_written_while_it_is_copied(self):
        """a file too large to be copied first, rewritten as soon as pahole starts"""
        with open(self.path("big.c"), "w", encoding="ascii") as file:
            file.write(A_C + "char big[40 << 20] = { 1 };\n")
        subprocess.run(["gcc", "-O2", "-g", "-c", "big.c"], cwd=self.dir, check=True)
        shutil.copy(self.path("big.o"), self.path("same.o"))
        for _ in range(5):
            env = self.fake(124, FAKE_EXEC=PAHOLE, FAKE_SH="cat same.o >big.o")
            self.encode("-J", "big.o", **env)
            self.check("big.o")
            self.assertEqual(self.sites("big.o"), self.dwarf_sites("same.o"))
        self.encode("-J", "same.o", PAHOLE_REAL=PAHOLE)
        self.assertEqual(sections(self.path("big.o"))[SECTION],
                         sections(self.path("same.o"))[SECTION])

    def test_no_place_for_a_copy(self):
        """the folder of the name is not writable, that of the file is"""
        self.assertEqual(self.run_in(PAHOLE, "-J", "a.o").returncode, 0)
        nobody = self.nobody("a.o", ".")
        os.mkdir(self.path("fixed"))
        os.symlink("../a.o", self.path("fixed/link.o"))
        os.chmod(self.path("fixed"), 0o555)
        self.assert_silent(self.run_in(self.program, "-J", "--btf_features=inline_locs",
                                       "fixed/link.o", **nobody))
        self.assertTrue(os.path.islink(self.path("fixed/link.o")))
        self.check("a.o")
        self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))

    def test_detached(self):
        before = contents(self.path("a.o"))
        self.encode("--btf_encode_detached=x.btf", "a.o")
        self.assertEqual(contents(self.path("a.o")), before)
        self.assertEqual(contents(self.path("x.btf")), self.real_btf("-J", "a.o"))
        self.check("x.btf.func_info")
        self.check("x.btf.func_info", "-B", "x.btf")
        self.assertEqual(self.sites("x.btf.func_info"), self.dwarf_sites("a.o"))
        self.encode("-J", "a.o")
        self.assertEqual(sections(self.path("a.o"))[SECTION],
                         contents(self.path("x.btf.func_info")))

    def test_ways_to_ask(self):
        self.encode("-J", "a.o")
        want = sections(self.path("a.o"))[SECTION]
        for args, env in ((["-J", "a.o"], {"PAHOLE_LOCS_FEATURES": "inline_locs"}),
                          (["-J", "--btf_features_strict=inline_locs", "a.o"], {}),
                          (["-Jj2", "--btf_features", "inline_locs", "a.o"], {}),
                          (["-J", "--jobs=3", "--btf_features=inline_locs", "a.o"], {}),
                          (["-J", "-j", "--btf_features=inline_locs", "a.o"], {}),
                          (["-Jj", "--lang_exclude=rust", "a.o"],
                           {"PAHOLE_LOCS_FEATURES": "inline_locs"}),
                          (["--btf_encode", "--jobs", "--btf_features=+inline_locs", "a.o"],
                           {})):
            shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
            self.assert_silent(self.locs(*args, **env))
            self.assertEqual(sections(self.path("a.o"))[SECTION], want, args)

    def test_all(self):
        for name in ("all", "all,inline_locs"):
            shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
            self.assert_silent(self.locs("-J", f"--btf_features={name}", "a.o"))
            self.check("a.o")
            self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))
            self.assertEqual(self.functions("a.o"), self.symbols("a.o"))

    def test_functions(self):
        """func_addrs alone: every function, and no site"""
        for args, env in ((["-J", "--btf_features=func_addrs", "a.o"], {}),
                          (["-J", "a.o"], {"PAHOLE_LOCS_FEATURES": "func_addrs"})):
            shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
            self.assert_silent(self.locs(*args, **env))
            self.check("a.o")
            self.assertEqual(self.sites("a.o"), [])
            self.assertEqual(self.functions("a.o"), self.symbols("a.o"))
            self.assertNotEqual(self.functions("a.o"), [])

    def test_on_a_base(self):
        self.assertEqual(self.run_in(PAHOLE, "-J", "c.o").returncode, 0)
        self.encode("-J", "--btf_base", "c.o", "a.o")
        self.check("a.o", "-B", "c.o")
        self.assertEqual(self.sites("a.o", "-B", "c.o"), self.dwarf_sites("a.o"))
        shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
        self.encode("--btf_base=c.o", "--btf_encode_detached=m.btf", "a.o")
        self.check("m.btf.func_info", "-B", "c.o", "-B", "m.btf")

    def test_on_a_base_of_its_own(self):
        """distilled_base: .BTF stands on the object's .BTF.base, not on what was named"""
        self.assertEqual(self.run_in(PAHOLE, "-J", "c.o").returncode, 0)
        shutil.copy(self.path("a.o"), self.path("made.o"))
        self.assertEqual(self.run_in(PAHOLE, "-J", "--btf_base", "c.o", "made.o").returncode, 0)
        with open(self.path("c.btf"), "wb") as file:
            file.write(sections(self.path("c.o"))[".BTF"])
        subprocess.run(["objcopy", "--add-section", ".BTF.base=c.btf", "made.o"], cwd=self.dir,
                       check=True)
        # another base, whose ids are others
        with open(self.path("other.c"), "w", encoding="ascii") as file:
            file.write("struct u { char c; float f; short s[3]; } u; double d;\n" + C_C)
        subprocess.run(["gcc", "-O2", "-g", "-c", "other.c"], cwd=self.dir, check=True)
        self.assertEqual(self.run_in(PAHOLE, "-J", "other.o").returncode, 0)
        result = self.locs("-J", "--btf_features=default,inline_locs",
                           "--btf_features=distilled_base", "--btf_base", "other.o", "a.o",
                           **self.fake(130, FAKE_SH="cat made.o >a.o"))
        self.assert_silent(result)
        self.assertEqual(self.calls()[0][0][1:],
                         ["-J", "--btf_features=default", "--btf_features=distilled_base",
                          "--btf_base", "other.o", "a.o"])
        self.check("a.o")
        self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))
        params = [[p["type"] for p in r["params"]] for r in self.records("a.o")]
        self.assertEqual(params, [["int", "int"]] * 2)

    def test_base_that_is_encoded_too(self):
        """pahole writes to it, so that it is not read beside"""
        self.assertEqual(self.run_in(PAHOLE, "-J", "a.o").returncode, 0)
        before = sections(self.path("a.o"))[".BTF"]
        for _ in range(5):
            result = self.locs("-J", "--btf_features=inline_locs", "--btf_base", "a.o", "a.o",
                               **self.fake(124, FAKE_SH="cp a.o x; : >a.o; cat x >a.o"))
            self.assert_silent(result)
            self.assertEqual(sections(self.path("a.o"))[".BTF"], before)
            self.check("a.o")

    def test_several(self):
        """pahole puts all types into the first file; each has its own sites"""
        self.encode("-J", "a.o", "c.o")
        self.assertEqual(sections(self.path("a.o"))[".BTF"], self.real_btf("-J", "a.o", "c.o"))
        self.assertNotIn(".BTF", sections(self.path("c.o")))
        self.check("a.o")
        self.check("c.o", "-B", "a.o")
        self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))
        self.assertEqual(self.sites("c.o", "-B", "a.o"), self.dwarf_sites("c.o"))

    def test_one_of_several_fails(self):
        """the others get theirs"""
        env = self.fake(124, FAKE_EXEC=PAHOLE, FAKE_SH="chmod 600 c.o; echo >c.o; set -- -J a.o")
        result = self.locs("-J", "--btf_features=inline_locs", "c.o", "a.o", **env)
        self.assert_line(result, 2, "c.o")
        self.check("a.o")

    def test_languages_from_the_environment(self):
        """PAHOLE_LANG_EXCLUDE is read from 1.28 on; without a list or it nothing is asked"""
        made = self.path("made.o")
        shutil.copy(self.path("a.o"), made)
        self.assertEqual(self.run_in(PAHOLE, "-J", "made.o").returncode, 0)
        for version, number in ((127, 2), (128, 0)):
            shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
            env = self.fake(version, FAKE_SH="cat made.o >a.o", PAHOLE_LANG_EXCLUDE="c11",
                            PAHOLE_LOCS_FEATURES="inline_locs")
            self.assert_silent(self.locs("-J", "a.o", **env))
            self.assertEqual(len(self.sites("a.o")), number)
        env = self.fake("not a number", FAKE_SH="cat made.o >a.o",
                        PAHOLE_LOCS_FEATURES="inline_locs")
        self.assert_silent(self.locs("-J", "a.o", **env))
        self.assertEqual(len(self.sites("a.o")), 2)

    def test_verbose(self):
        result = self.encode("-J", "-V", "a.o")
        self.assertIn(b"bytes of .BTF.func_info", result.stderr)
        self.assertNotIn(b"bytes of", self.encode("-J", "a.o").stderr)

    def test_language(self):
        self.encode("-J", "--lang_exclude=rust", "a.o")
        self.assertEqual(len(self.sites("a.o")), 2)
        shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
        subprocess.run(["ld", "-r", "a.o", "c.o", "-o", "m.o"], cwd=self.dir, check=True)
        self.encode("-J", "--lang=c11,c99,c", "m.o")
        self.assertEqual(len(self.sites("m.o")), 3)


if __name__ == "__main__":
    sys.exit(unittest.main())
