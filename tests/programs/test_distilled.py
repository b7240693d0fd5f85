#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Modules whose .BTF stands on a .BTF.base: the types they need, by name and size alone."""
import re
import unittest

import btf_blob as B
from btflocs_case import Case

# What is in struct other and enum mode is none of the section's business; any_t has no name
# by which it could be found in a kernel. INNER stands for half of the kernel's types.
MODULE = """
struct req { int sector; long bytes; };
struct inner { long deep[4]; };
struct other { struct inner inner; struct req *req; };
enum mode { MODE_A, MODE_B };
typedef union { struct req *req; long val; } any_t;
int volatile sink;
static inline __attribute__((always_inline))
int use(struct req *req, struct other *other, enum mode mode, any_t *any)
{
	sink += mode;
	return req->sector + (int)other->inner.deep[1] + (int)any->val;
}
int mod(struct req *req, struct other *other, any_t *any)
{
	return use(req, other, MODE_B, any);
}
"""


def blobs():
    """.BTF.base with int and struct req, without its members; .BTF with mod() upon it."""
    base = B.Blob()
    i = base.int("int", 4, 1)                   # 1
    req = base.type(B.STRUCT, "req", 0, 16)     # 2
    split = B.Blob(False, base)
    ptr = split.ref(B.PTR, req)                 # 3
    split.func("own", split.proto(i, ("req", ptr)))    # 4, 5
    return base, split


class Distilled(Case):
    def setUp(self):
        super().setUp()
        self.write("m.c", MODULE.encode())
        self.tool("gcc", "-g", "-O2", "-c", "m.c", "-o", "m.ko")
        base, split = blobs()
        self.write("btf.base", base.finish())
        self.write("btf", split.finish())
        self.tool("objcopy", "--add-section", ".BTF=btf", "--add-section", ".BTF.base=btf.base",
                  "m.ko")

    def types(self):
        """The section's own types, "KIND 'name' rest"."""
        status, out, err = self.run_("dump", "m.ko")
        self.assertEqual((status, err), (0, ""))
        return re.findall(r"^\[\d+\] (.*)$", out, re.M)

    def check_types(self):
        types = self.types()
        named = [t for t in types if re.match(r"(STRUCT|UNION|ENUM|FWD)", t)]
        self.assertEqual(sorted(t for t in named if "(anon)" not in t),
                         ["ENUM 'mode' encoding=UNSIGNED size=4 vlen=0",
                          "STRUCT 'other' size=40 vlen=0"])
        self.assertEqual([t for t in named if "(anon)" in t],
                         ["UNION '(anon)' size=8 vlen=2"])
        self.assertEqual(len([t for t in types if t.startswith("TYPEDEF 'any_t'")]), 1)
        status, out, err = self.run_("list", "use", "m.ko")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"^\.text\+0x[0-9a-f]+ inline use\(struct req \*req=%di, struct other "
                              r"\*other=%si, enum mode mode=1, any_t \*any=%dx\)\n$")

    def test_by_name_and_size(self):
        self.check(["encode", "m.ko"], 0, "")
        self.check_types()

    def test_whatever_is_named(self):
        """A kernel named with -B is not what the module's ids are counted from."""
        self.check(["encode", "-B", self.base, "m.ko"], 0, "")
        self.check_types()
        status, out, err = self.run_("check", "m.ko", "-B", self.base)
        self.assertEqual((status, err), (0, ""))
        # nor can it stand on another one
        self.check(["encode", "-o", "m.func_info", "m.ko"], 0, "")
        self.check(["check", "m.func_info", "-B", self.base, "-B", "m.ko"], 2, "",
                   "btflocs: m.ko: stands on its own .BTF.base, not on another base: name it "
                   "alone\n")
        status, out, err = self.run_("check", "m.func_info", "-B", "m.ko")
        self.assertEqual((status, err), (0, ""))

    def test_members_elsewhere(self):
        """Upon a base that is not distilled they come whole, and what they are made of too."""
        self.tool("objcopy", "--remove-section=.BTF", "--remove-section=.BTF.base", "m.ko")
        self.check(["encode", "-B", "btf.base", "-B", "btf", "m.ko"], 0, "")
        status, out, err = self.run_("dump", "m.ko", "-B", "btf.base", "-B", "btf")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"(?m)^\[\d+\] STRUCT 'other' size=40 vlen=2$")
        self.assertRegex(out, r"(?m)^\[\d+\] STRUCT 'inner' size=32 vlen=1$")


if __name__ == "__main__":
    unittest.main()
