#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""scripts/install-func-info: a kernel's section at its home in a package."""
import gzip
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "../../scripts/install-func-info")
BTFLOCS = os.environ.get("BTFLOCS", os.path.join(HERE, "../../build/btflocs"))
SOURCE = """
static inline __attribute__((always_inline)) int clamp_to(int v, int hi)
{
	return v > hi ? hi : v;
}
int f(int n);
int f(int n)
{
	return clamp_to(n, 100);
}
"""


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp(prefix="btflocs-install-")
        cls.addClassCleanup(shutil.rmtree, cls.dir)
        cls.vmlinux = os.path.join(cls.dir, "vmlinux")
        subprocess.run(["gcc", "-g", "-O2", "-x", "c", "-", "-nostdlib", "-Wl,-e,f", "-o",
                        cls.vmlinux], input=SOURCE, text=True, check=True)
        subprocess.run(["pahole", "-J", cls.vmlinux], check=True,
                       env={**os.environ, "LLVM_OBJCOPY": "objcopy"})

    def setUp(self):
        self.dest = tempfile.mkdtemp(dir=self.dir)
        self.home = os.path.join(self.dest, "usr/lib/modules/6.1.0-x/btf")

    def run_(self, *args, umask=0o077):
        return subprocess.run([SCRIPT, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env={**os.environ, "BTFLOCS": BTFLOCS}, umask=umask,
                              timeout=60)

    def ok(self, *args, names):
        p = self.run_(*args, self.vmlinux, "6.1.0-x", self.dest)
        self.assertEqual((p.returncode, p.stdout, p.stderr), (0, "", ""))
        self.assertEqual(sorted(os.listdir(self.home)), names)
        path = os.path.join(self.home, names[0])
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o644)
        self.assertEqual(stat.S_IMODE(os.stat(self.home).st_mode), 0o755)
        return path

    def encoded(self, *args):
        path = os.path.join(self.dest, "direct")
        subprocess.run([BTFLOCS, "encode", *args, "-o", path, self.vmlinux], check=True)
        with open(path, "rb") as f:
            return f.read()

    def test_plain_then_compressed(self):
        path = self.ok(names=["vmlinux.func_info"])
        with open(path, "rb") as f:
            self.assertEqual(f.read(), self.encoded())
        # the other form goes: it would be the older one
        path = self.ok("--gz", names=["vmlinux.func_info.gz"])
        with gzip.open(path) as f:
            self.assertEqual(f.read(), self.encoded())
        self.ok(names=["vmlinux.func_info"])

    def test_features(self):
        path = self.ok("--features", "func_addrs", names=["vmlinux.func_info"])
        with open(path, "rb") as f:
            self.assertEqual(f.read(), self.encoded("--features", "func_addrs"))

    def test_failure_leaves_what_was(self):
        path = self.ok(names=["vmlinux.func_info"])
        before = os.stat(path)
        bad = os.path.join(self.dest, "stripped")
        subprocess.run(["objcopy", "--strip-debug", self.vmlinux, bad], check=True)
        p = self.run_(bad, "6.1.0-x", self.dest)
        self.assertEqual(p.returncode, 2)
        self.assertIn("stripped: no debug info", p.stderr)
        self.assertEqual(os.listdir(self.home), ["vmlinux.func_info"])
        self.assertEqual(os.stat(path), before)

    def test_usage(self):
        for args in ((), ("x",), ("a", "b", "c", "d"), ("--nonsense", "a", "b"),
                     (self.vmlinux, "../x", self.dest), (self.vmlinux, "", self.dest),
                     (os.path.join(self.dest, "none"), "6.1", self.dest)):
            p = self.run_(*args)
            self.assertEqual((p.returncode, p.stdout), (2, ""), args)
            self.assertTrue(p.stderr, args)
            self.assertEqual(os.listdir(self.dest), [], args)
        self.assertIn("install-func-info [--gz]", self.run_("--help").stdout)


if __name__ == "__main__":
    unittest.main()
