#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A base with more candidates for a type than are compared: the type comes anew, stat says so."""
import json
import struct
import unittest

import btf_blob as B
from btflocs_case import Case

MEMBERS = 1000
LIMIT = 1000000     # STEPS_MAX of lib/btf_types_internal.h


def source(n):
    members = " ".join("int m%d;" % i for i in range(n))
    return """
struct s { %s };
struct t { int i; };
int volatile sink;
static inline __attribute__((always_inline)) void use(struct s *s) { sink += s->m0; }
static inline __attribute__((always_inline)) void other(struct t *t) { sink += t->i; }
void f(struct s *s) { use(s); sink++; }
void g(struct t *t) { other(t); sink++; }
""" % members


def base(candidates):
    """Structs s that differ in the last member alone, and struct t."""
    b = B.Blob()
    i = b.int("int", 4, 1)
    name = b.str("s")
    rows = [w for m in range(MEMBERS) for w in (b.str("m%d" % m), i, 32 * m)]
    last = b.str("last")
    rows[-3] = last
    rows = struct.pack("<%dI" % len(rows), *rows)
    for _ in range(candidates):
        b.words(name, MEMBERS | B.STRUCT << 24, 4 * MEMBERS)
        b.types += rows
        b.next_type += 1
    b.ref(B.PTR, b.type(B.STRUCT, "t", 1, 4, b.str("i"), i, 0))
    return b


class Bound(Case):
    def encode(self, candidates):
        self.write("m.c", source(MEMBERS).encode())
        self.tool("gcc", "-g", "-O2", "-c", "m.c", "-o", "m.o")
        self.write("many.btf", base(candidates).finish())
        self.check(["encode", "-B", "many.btf", "-o", "m.func_info", "m.o"], 0, "")
        status, out, err = self.run_("stat", "m.func_info", "-B", "many.btf")
        self.assertEqual((status, err), (0, ""))
        status, text, err = self.run_("stat", "-j", "m.func_info", "-B", "many.btf")
        self.assertEqual((status, err), (0, ""))
        status, listed, err = self.run_("list", "m.func_info", "-B", "many.btf")
        self.assertEqual((status, err), (0, ""))
        # whether the bound was met or not: the locations, and the type whole
        self.assertIn("inline use(struct s *s=%di)\n", listed)
        self.assertIn("inline other(struct t *t=%di)\n", listed)
        status, dump, err = self.run_("dump", "m.func_info", "-B", "many.btf")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("STRUCT 's' size=%d vlen=%d\n" % (4 * MEMBERS, MEMBERS), dump)
        self.assertNotIn("STRUCT 't'", dump)
        return out, json.loads(text)

    def test_below(self):
        text, stat = self.encode(LIMIT // MEMBERS // 2)
        self.assertNotIn("bounds", text)
        self.assertEqual(stat["limits"], {})

    def test_above(self):
        text, stat = self.encode(LIMIT // MEMBERS + 100)
        self.assertRegex(text, r"(?m)^bounds of the encoder met +[12]\n    types +[12]$")
        self.assertIn(stat["limits"]["types"], (1, 2))


if __name__ == "__main__":
    unittest.main()
