#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What `check` calls sound, the other commands print: types, names and keys of every kind."""
import json
import unittest

import btf_blob as B
from btflocs_case import Case


class Unprintable(Case):
    def section(self, *keys, param=None, name="p"):
        """A section with a record of f(param(sec) NAME)."""
        base = B.Blob()
        base.int("int", 4, 1)
        sec = B.Blob(False, base)
        sec.keys("btf_locs=1", "machine=62", *sec.base_keys(), *keys)
        func = sec.func("f", sec.proto(0, (name, param(sec) if param else 1)))
        sec.locsec(".text", (func, sec.loc_proto(sec.loc_param(8, B.REG, 5)), 0x10))
        self.base = self.write("base.btf", base.finish())
        return self.write("s.func_info", sec.finish())

    def test_no_type_of_a_value(self):
        """2: what is none; 3: what leads to it"""
        for kind, build in (("DATASEC", lambda s: s.type(B.DATASEC, ".data", 0, 0)),
                            ("VAR", lambda s: s.type(B.VAR, "v", 0, 1, 0)),
                            ("LOC_PARAM", lambda s: s.loc_param(4, B.REG, 5))):
            for way, wrap, where in (
                    ("a", lambda s, t: t, 2),
                    ("made of a", lambda s, t: s.ref(B.PTR, t), 3)):
                path = self.section(param=lambda s: wrap(s, build(s)))
                line = "btflocs: %s: type 7 (LOCSEC '.text') at 0x" % path
                says = "record 0: parameter 0 of 'f' is of type %d, %s %s: no type of a value" % (
                    where, way, kind)
                for command, status in ("check", 1), ("list", 2), ("dump", 2), ("stat", 2):
                    got, out, err = self.run_(command, path, "-B", self.base)
                    self.assertEqual((got, out), (status, ""), err)
                    self.assertIn(says, err)
                    self.assertTrue(err.startswith(line[:-len("7 (LOCSEC '.text') at 0x")]), err)

    def test_base_has_locations(self):
        """A base's own LOC_PROTO is of no format that is known here."""
        base = B.Blob()
        base.int("int", 4, 1)
        func = base.func("f", base.proto(0, ("p", 1)))
        proto = base.loc_proto(base.type(B.LOC_PARAM, "", 0, 4, 0x40))
        base.strs += bytes(-len(base.strs) % 4)     # as a layout has it
        sec = B.Blob(False, base)
        sec.keys("btf_locs=1", "machine=62", *sec.base_keys())
        sec.locsec(".text", (func, proto, 0x10))
        self.base = self.write("base.btf", base.finish(layout=True))
        path = self.write("s.func_info", sec.finish())
        status, out, err = self.run_("check", path, "-B", self.base)
        self.assertEqual((status, out), (1, ""), err)
        self.assertIn("record 0: loc_proto 5 is no LOC_PROTO", err)

    def line(self, path):
        return self.of("list", path).rstrip("\n")

    def test_long_name(self):
        """Neither a type's name nor the parameter's behind it is cut."""
        for size in 1000, 1016, 1017, 1023, 1024, 5000, 200000:
            name = "n" * size
            path = self.section(param=lambda s: s.ref(B.PTR, s.type(B.STRUCT, name, 0, 8)))
            self.assertEqual(self.line(path),
                             ".text+0x10 inline f(struct %s *p=%%di)" % name)
            param = json.loads(self.of("list", "-j", path))[0]["params"][0]
            self.assertEqual(param["type"], "struct %s *" % name)

    def test_deep(self):
        """A hundred thousand pointers, arrays, functions that give functions."""
        def pointers(s):
            t = 1
            for _ in range(100000):
                t = s.ref(B.PTR, t)
            return t

        def functions(s):
            t = 1
            for _ in range(50000):
                t = s.ref(B.PTR, s.proto(t, ("", t)))
            return t
        for build in pointers, functions:
            path = self.section(param=build)
            self.assertEqual(self.run_("check", "-q", path, "-B", self.base), (0, "", ""))
            self.assertIn("...", self.line(path))
            self.assertIn("...", json.loads(self.of("list", "-j", path))[0]["params"][0]["type"])

    def test_arrays_of_functions_and_void(self):
        path = self.section(param=lambda s: s.type(B.ARRAY, "", 0, 0, s.proto(0, ("", 1)), 1, 3))
        self.assertEqual(self.line(path), ".text+0x10 inline f(void p[3](int)=%di)")
        path = self.section(param=lambda s: 0)
        self.assertEqual(self.line(path), ".text+0x10 inline f(void p=%di)")

    def test_names_that_a_terminal_obeys(self):
        """Control characters, C1 among them (CSI is U+009b), and what is no UTF-8"""
        name = "a\x1b[m\x9bm\udcff\u20ac"
        path = self.section(name=name, param=lambda s: s.type(B.STRUCT, name, 0, 8))
        shown = r"a\x1b[m\xc2\x9bm\xff" + "\u20ac"
        self.assertEqual(self.line(path),
                         ".text+0x10 inline f(struct %s %s=%%di)" % (shown, shown))
        for command in "list", "dump":
            out = self.of(command, "-j", path)
            self.assertNotIn("\x1b", out)
            self.assertNotIn("\x9b", out)
            self.assertIn(json.dumps("a\x1b[m\x9bm", ensure_ascii=True)[1:-1] + "\ufffd\u20ac", out)
            json.loads(out)
        self.assertIn("'%s' size=8" % shown, self.of("dump", path))

    def test_keys(self):
        """Of two equal ones the first counts; a reason's name is any bytes."""
        path = self.section("none:x=3", "none:x=4", "none:b\x1b\udcff_c=5")
        out = self.of("stat", path)
        self.assertEqual(out.count("    x  "), 1)
        self.assertRegex(out, r"\n    x +3\n    b\?\? c +5\n")
        pairs = json.loads(self.of("stat", "-j", path), object_pairs_hook=list)
        self.assertEqual(dict(pairs)["params_not_located"], [("x", 3), ("b\x1b\ufffd_c", 5)])


if __name__ == "__main__":
    unittest.main()
