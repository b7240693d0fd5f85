#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A kernel built with PAHOLE=pahole-locs: scripts/build-kernel, gcc, 6.1.

One whole build; what follows makes the links and the BTF again, and some objects. The
addresses are compared with nm, addr2line and llvm-dwarfdump, .BTF with what the same build
writes with pahole alone.
"""
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(HERE, "..", "programs"))
from pahole_case import BTFLOCS, PAHOLE, PAHOLE_LOCS, SECTION, sections  # noqa: E402

MODULES = ["drivers/block/brd.ko", "drivers/block/loop.ko", "fs/binfmt_misc.ko",
           "fs/minix/minix.ko"]
MINIX = MODULES[3]
OUTSIDE_C = """
#include <linux/module.h>
static __always_inline int outside_add(int a, int b) { return a + b; }
int outside_value;
static int __init outside_init(void)
{
	outside_value = outside_add(READ_ONCE(outside_value), 7);
	return 0;
}
static void __exit outside_exit(void) { }
module_init(outside_init);
module_exit(outside_exit);
MODULE_LICENSE("GPL");
"""


def run(*command, ok=(0,), **kwargs):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **kwargs)
    if done.returncode not in ok:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout[-3000:]}\n"
                             f"{done.stderr[-3000:]}")
    return done


def records(*args):
    return json.loads(run(BTFLOCS, "list", "-j", *args).stdout)


class KernelBuild(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for tool in (PAHOLE, "gcc", "nm", "addr2line", "llvm-dwarfdump", "strip", "depmod"):
            if not tool or not shutil.which(tool):
                raise AssertionError(f"needed for this test and not there: {tool}")
        cls.dir = tempfile.mkdtemp(prefix="btf-locs.kernel-build.", dir=os.environ.get(
            "BTFLOCS_BUILD_DIR", "/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.dir)
        # by its bare name, as the kernel's scripts have it
        cls.bin = os.path.join(cls.dir, "bin")
        os.mkdir(cls.bin)
        os.symlink(PAHOLE_LOCS, os.path.join(cls.bin, "pahole-locs"))
        cls.env = {k: v for k, v in os.environ.items() if not k.startswith(("PAHOLE", "MAKE"))}
        cls.env.update(PATH=f"{cls.bin}:{os.environ['PATH']}", PAHOLE_LOCS="pahole-locs",
                       BTFLOCS=BTFLOCS)
        cls.out = os.path.join(cls.dir, "out")
        start = time.monotonic()
        printed = cls.build()
        print(f"\nbuilt in {time.monotonic() - start:.0f} s", file=sys.stderr)
        assert printed == cls.out + "\n", printed
        cls.vmlinux = cls.path("vmlinux")
        cls.first = cls.all_sections()

    @classmethod
    def build(cls, *args):
        return run(os.path.join(TOP, "scripts", "build-kernel"), "--series", "6.1", "--cc", "gcc",
                   "--out", cls.out, *args, env=cls.env).stdout

    @classmethod
    def path(cls, name):
        return os.path.join(cls.out, name)

    @classmethod
    def all_sections(cls):
        return {name: sections(cls.path(name)) for name in ["vmlinux"] + MODULES}

    def make(self, *args):
        return run("make", "-C", self.out, "PAHOLE=pahole-locs", *args,
                   env=dict(self.env, PAHOLE_LOCS_FEATURES="inline_locs"))

    def check(self, *args):
        self.assertIn("sound", run(BTFLOCS, "check", *args).stdout)

    def symbols(self, name):
        """address -> names of the functions there"""
        out = collections.defaultdict(set)
        for line in run("nm", name).stdout.splitlines():
            words = line.split()
            if len(words) == 3 and words[1] in "tTwW":
                out[int(words[0], 16)].add(words[2])
        return out

    # ---- what the build has made ----

    def test_all_modules_have_it(self):
        made = sorted(os.path.relpath(os.path.join(where, name), self.out)
                      for where, _, names in os.walk(self.out)
                      for name in names if name.endswith(".ko"))
        self.assertEqual(made, MODULES)
        for name in MODULES:
            self.assertTrue(self.first[name][".BTF"])
            self.assertTrue(self.first[name][SECTION])
            self.check("-B", self.vmlinux, self.path(name))

    def test_vmlinux_is_sound(self):
        self.check(self.vmlinux)
        self.assertGreater(len(records(self.vmlinux)), 10000)

    def test_functions_stand_where_symbols_do(self):
        """every function's record: in nm's list, and in System.map, under its name"""
        symbols = self.symbols(self.vmlinux)
        with open(self.path("System.map"), encoding="ascii") as file:
            in_map = {tuple(line.split()[::2]) for line in file}
        seen = collections.Counter()
        for rec in records(self.vmlinux):
            if rec["kind"] != "func":
                continue
            names = [s for s in symbols[int(rec["address"], 16)]
                     if s.split(".")[0] == rec["func"]]
            self.assertTrue(names, rec)
            self.assertIn((f"{int(rec['address'], 16):016x}", names[0]), in_map)
            seen[rec["section"]] += 1
        self.assertGreater(seen[".text"], 100)
        self.assertGreater(seen[".init.text"], 0)

    def test_sites_stand_where_addr2line_says(self):
        """1,000 sites, those of .init.text too, which moves after pahole's run"""
        sites = [r for r in records(self.vmlinux) if r["kind"] == "inline"]
        rng = random.Random(4)
        some = rng.sample([s for s in sites if s["section"] == ".text"], 800) + \
            rng.sample([s for s in sites if s["section"] == ".init.text"], 200)
        text = run("addr2line", "-a", "-f", "-i", "-e", self.vmlinux,
                   input="".join(s["address"] + "\n" for s in some)).stdout
        chains = [part.split("\n")[0::2] for part in re.split(r"(?m)^0x[0-9a-f]+\n", text)[1:]]
        self.assertEqual(len(chains), len(some))
        symbols = self.symbols(self.vmlinux)
        names = {s.split(".")[0] for at in symbols.values() for s in at}
        inside = collections.Counter()
        for site, chain in zip(some, chains):
            chain = [name for name in chain if name]
            inside[site["section"]] += site["func"] in chain
            # the outermost function is one that has a symbol
            self.assertIn(chain[-1].split(".")[0], names, site)
        # A quarter of the sites has no code that is only theirs, so that addr2line does not
        # name them. At other addresses than the final ones it would be nearly all.
        self.assertGreater(inside[".text"], 800 * 0.65)
        self.assertGreater(inside[".init.text"], 200 * 0.65)

    def test_known_site(self):
        """minix_sb(), which is never called: the sites that llvm-dwarfdump shows"""
        text = run("llvm-dwarfdump", "--debug-info", self.path(MINIX)).stdout
        want = collections.Counter()
        for die in text.split("\n\n"):
            if "DW_TAG_inlined_subroutine" not in die or '"minix_sb")' not in die:
                continue
            at = re.search(r"DW_AT_entry_pc\s+\((0x\w+)", die) or \
                re.search(r"DW_AT_low_pc\s+\((0x\w+)", die)
            want[int(at.group(1), 16)] += 1
        self.assertGreater(sum(want.values()), 10)
        got = collections.Counter(r["offset"] for r in records("-B", self.vmlinux, "minix_sb",
                                                               self.path(MINIX)))
        self.assertEqual(got, want)

    # ---- what becomes of it ----

    def test_installed_and_stripped(self):
        """strip --strip-debug, as modules_install does it, keeps the section and its meaning"""
        where = os.path.join(self.dir, "installed")
        self.make("INSTALL_MOD_PATH=" + where, "INSTALL_MOD_STRIP=1", "modules_install")
        for name in MODULES:
            found = [os.path.join(d, os.path.basename(name)) for d, _, names in os.walk(where)
                     if os.path.basename(name) in names]
            self.assertEqual(len(found), 1)
            got = sections(found[0])
            self.assertNotIn(".debug_info", got)
            for section in (".BTF", SECTION):
                self.assertEqual(got[section], self.first[name][section])
            self.check("-B", self.vmlinux, found[0])
            self.assertEqual(run(BTFLOCS, "list", "-B", self.vmlinux, found[0]).stdout,
                             run(BTFLOCS, "list", "-B", self.vmlinux, self.path(name)).stdout)

    def test_outside_module(self):
        """make M=DIR against the finished tree"""
        where = os.path.join(self.dir, "outside")
        os.mkdir(where)
        with open(os.path.join(where, "outside.c"), "w", encoding="ascii") as file:
            file.write(OUTSIDE_C)
        with open(os.path.join(where, "Makefile"), "w", encoding="ascii") as file:
            file.write("obj-m := outside.o\n")
        self.make("M=" + where, "modules")
        module = os.path.join(where, "outside.ko")
        self.check("-B", self.vmlinux, module)
        sites = [r for r in records("-B", self.vmlinux, "outside_add", module)]
        self.assertEqual([(s["section"], s["params"][1]["loc"]["value"]) for s in sites],
                         [(".init.text", "7")])

    # ---- made again: these change the tree, and leave it as they found it ----

    def test_made_again(self):
        self.assertEqual(self.all_sections(), self.first)
        with self.subTest("pahole alone writes the same .BTF"):
            self.build("--relink", "--plain")
            got = self.all_sections()
            for name, secs in got.items():
                self.assertEqual(secs[".BTF"], self.first[name][".BTF"], name)
                self.assertNotIn(SECTION, secs)
                self.assertEqual(set(self.first[name]) - set(secs), {SECTION}, name)
        with self.subTest("another build gives the same sections"):
            for where in ("fs/minix", "kernel/sched", "drivers/block"):
                for name in os.listdir(self.path(where)):
                    if name.endswith(".o"):
                        os.unlink(os.path.join(self.path(where), name))
            self.build("--relink")
            self.compare(self.first)
        with self.subTest("make, once more, over modules that have the section"):
            before = os.stat(self.path(MINIX)).st_mtime_ns
            self.build("--again")
            # vmlinux, which the last step has changed, is newer than they
            self.assertGreater(os.stat(self.path(MINIX)).st_mtime_ns, before)
            self.compare(self.first)

    def compare(self, want):
        for name, secs in self.all_sections().items():
            for section in (".BTF", SECTION, ".text"):
                self.assertEqual(secs[section], want[name][section], (name, section))


if __name__ == "__main__":
    sys.exit(unittest.main())
