#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""btflocs encode on many objects in one run: they share the base and the workers."""
import os
import pty
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get("BTFLOCS", os.path.join(HERE, "../../build/btflocs"))
NR = 12

KERNEL = """
struct req { int sector; long bytes; };
int volatile counter;
int account(struct req *r, int done) { counter += done; return r->sector; }
const char linux_banner[] __attribute__((used)) = "Linux version 6.1.0-test (x@y) #1 SMP";
int main(void) { struct req r = { 1, 2 }; return account(&r, 3); }
"""

# @N@ inlined calls of one function that only this module has, each with its own constants.
MODULE = """
struct req { int sector; long bytes; };
struct own_@M@ { struct req *r; int m; };
extern int account(struct req *r, int done);
static const char magic[] __attribute__((section(".modinfo"), used)) =
	"license=GPL\\0vermagic=6.1.0-test SMP preempt mod_unload ";
static inline __attribute__((always_inline)) int step_@M@(struct own_@M@ *o, int k)
{
	return account(o->r, o->m + k);
}
int mod_@M@(struct own_@M@ *o)
{
	int sum = 0;

@CALLS@
	return sum;
}
"""


def run(*args, **kw):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       timeout=120, **kw)
    return p.returncode, p.stdout, p.stderr


def tool(*args, **kw):
    status, out, err = run(*args, **kw)
    assert status == 0, "%s\n%s%s" % (" ".join(args), out, err)


def section(path):
    """The bytes of .BTF.func_info, or None."""
    with tempfile.TemporaryDirectory() as d:
        out = os.path.join(d, "sec")
        status, _, _ = run("objcopy", "--dump-section", ".BTF.func_info=" + out, path,
                           os.path.join(d, "obj"))
        if status or not os.path.exists(out):
            return None
        with open(out, "rb") as f:
            return f.read()


def compile_all(folder):
    """A base and NR modules on it, of several sizes: m0.ko has one site, m1.ko two, ..."""
    env = dict(os.environ, LLVM_OBJCOPY="objcopy")

    def source(name, text):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)

    source("kernel.c", KERNEL)
    tool("gcc", "-g", "-O2", "kernel.c", "-o", "kernel", cwd=folder)
    tool("pahole", "-J", "kernel", cwd=folder, env=env)
    for m in range(NR):
        calls = "\n".join("\tsum += step_%d(o, %d);" % (m, k + 100) for k in range(m + 1))
        source("m.c", MODULE.replace("@M@", str(m)).replace("@CALLS@", calls))
        tool("gcc", "-g", "-O2", "-c", "m.c", "-o", "m%d.ko" % m, cwd=folder)
        tool("pahole", "-J", "--btf_base", "kernel", "m%d.ko" % m, cwd=folder, env=env)


class EncodeMany(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp(prefix="btflocs-many-")
        compile_all(cls.made)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="btflocs-many-")
        self.addCleanup(shutil.rmtree, self.dir)
        for name in os.listdir(self.made):
            shutil.copy2(os.path.join(self.made, name), self.dir)
        self.names = ["m%d.ko" % m for m in range(NR)]

    def path(self, name):
        return os.path.join(self.dir, name)

    def encode(self, *args):
        return run(BTFLOCS, "encode", "-B", "kernel", *args, cwd=self.dir)

    def sections(self):
        return [section(self.path(n)) for n in self.names]

    def one_by_one(self):
        """The section of each, by a process of its own."""
        secs = []
        for n in self.names:
            self.assertEqual(self.encode("-j1", "-o", "one.func_info", n), (0, "", ""))
            with open(self.path("one.func_info"), "rb") as f:
                secs.append(f.read())
        return secs

    def test_as_one_by_one(self):
        want = self.one_by_one()
        self.assertEqual(len(set(want)), NR)
        for jobs in ("-j1", "-j2", "-j7", "-j40"):
            order = self.names if jobs != "-j7" else self.names[::-1]
            status, out, err = self.encode(jobs, *order)
            self.assertEqual((status, err), (0, ""))
            # 1 + 2 + ... + NR sites of two parameters; the first parameter is a register
            # that each call but the first may have been moved from: a count, not a place
            sites = NR * (NR + 1) // 2
            self.assertRegex(out, r"^%d files: %d encoded, 0 failed; %d sites, 0 functions, "
                                  r"[0-9.]+ %% of the described parameters located; %d bytes\n$"
                             % (NR, NR, sites, sum(map(len, want))))
            self.assertEqual(self.sections(), want)

    def test_what_is_in_it(self):
        self.assertEqual(self.encode("-q", "-j2", *self.names), (0, "", ""))
        for m, n in enumerate(self.names):
            status, out, err = run(BTFLOCS, "list", "-B", "kernel", n, cwd=self.dir)
            self.assertEqual((status, err), (0, ""))
            found = re.findall(r"^\.text\+0x[0-9a-f]+ inline step_%d\(struct own_%d \*o=[^,]*, "
                               r"int k=(\d+)\)$" % (m, m), out, re.M)
            self.assertEqual(sorted(map(int, found)), [k + 100 for k in range(m + 1)])

    def spoil(self):
        """Three of the modules are no longer what they should be."""
        with open(self.path("m3.ko"), "wb") as f:
            f.write(b"no module\n")
        tool("objcopy", "--strip-debug", "--remove-section=.BTF", self.path("m5.ko"))
        tool("objcopy", "--remove-section=.BTF", self.path("m8.ko"))
        os.remove(self.path("m9.ko"))

    def test_bad_ones(self):
        want = self.one_by_one()
        self.spoil()
        before = {}
        for n in ("m3.ko", "m5.ko", "m8.ko"):
            with open(self.path(n), "rb") as f:
                before[n] = f.read()
        # m8.ko: without its .BTF its types live in what is named, as for any object
        status, out, err = self.encode("-j2", *self.names)
        self.assertEqual(status, 1)
        self.assertEqual(err.splitlines(), [
            "btflocs: m3.ko: not an ELF file",
            "btflocs: m5.ko: no debug info (no .debug_info section)",
            "btflocs: m9.ko: No such file or directory"])
        self.assertTrue(out.startswith("%d files: %d encoded, 3 failed; " % (NR, NR - 3)))
        for i, n in enumerate(self.names):
            if n in ("m3.ko", "m5.ko"):
                with open(self.path(n), "rb") as f:
                    self.assertEqual(f.read(), before[n])
            elif n == "m8.ko":
                self.assertIsNotNone(section(self.path(n)))
            elif n != "m9.ko":
                self.assertEqual(section(self.path(n)), want[i])
        # -q: the errors alone
        status, out, err = self.encode("-q", *self.names)
        self.assertEqual((status, out, len(err.splitlines())), (1, "", 3))
        # none of them: trouble
        status, out, err = self.encode("m9.ko", "m3.ko")
        self.assertEqual((status, len(err.splitlines())), (2, 2))
        # and one alone is no list
        self.assertEqual(self.encode("m9.ko"),
                         (2, "", "btflocs: m9.ko: No such file or directory\n"))

    def test_bad_base(self):
        status, out, err = run(BTFLOCS, "encode", "-B", "nokernel", "-j2", *self.names,
                               cwd=self.dir)
        self.assertEqual((status, out, err),
                         (2, "", "btflocs: nokernel: No such file or directory\n"))
        self.assertEqual(self.sections(), [None] * NR)

    def test_base_of_their_own(self):
        """.BTF.base is taken where nothing is named; then no two share a base."""
        tool("objcopy", "-O", "binary", "--only-section=.BTF", "--set-section-flags",
             ".BTF=alloc", "kernel", "kernel.btf", cwd=self.dir)
        for n in self.names[:4]:
            tool("objcopy", "--add-section", ".BTF.base=kernel.btf", n, cwd=self.dir)
        status, out, err = run(BTFLOCS, "encode", "-q", "-j2", *self.names[:4], cwd=self.dir)
        self.assertEqual((status, out, err), (0, "", ""))
        for n in self.names[:4]:
            status, out, err = run(BTFLOCS, "check", n, cwd=self.dir)
            self.assertEqual((status, err), (0, ""))

    def test_into_a_folder(self):
        want = self.one_by_one()
        os.mkdir(self.path("out"))
        status, out, err = self.encode("-j2", "-o", "out", *self.names)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         sorted(n + ".func_info" for n in self.names))
        for n, sec in zip(self.names, want):
            with open(self.path("out/%s.func_info" % n), "rb") as f:
                self.assertEqual(f.read(), sec)
        self.assertEqual(self.sections(), [None] * NR)
        os.mkdir(self.path("sub"))
        shutil.copy(self.path("m1.ko"), self.path("sub/m1.ko"))
        self.assertEqual(self.encode("-o", "out", "m1.ko", "m2.ko", "sub/m1.ko"),
                         (2, "", "btflocs: out/m1.ko.func_info: two FILEs would be written "
                                 "there\n"))
        self.assertEqual(self.encode("-o", "one.func_info", "m1.ko", "m2.ko"),
                         (2, "", "btflocs: -o one.func_info: with 2 FILEs it must be a folder "
                                 "that is there\n"))
        # one FILE too
        shutil.rmtree(self.path("out"))
        os.mkdir(self.path("out"))
        self.assertEqual(self.encode("-o", "out", "sub/m1.ko"), (0, "", ""))
        self.assertEqual(os.listdir(self.path("out")), ["m1.ko.func_info"])
        # what is compressed has its section under the name that it has unpacked
        tool("xz", self.path("m4.ko"))
        self.assertEqual(self.encode("-o", "out", "m4.ko.xz"), (0, "", ""))
        with open(self.path("out/m4.ko.func_info"), "rb") as f:
            self.assertEqual(f.read(), want[4])

    def test_on_another_kernel(self):
        """A module's own BTF may be the same upon two kernels, and mean other types."""
        self.assertEqual(self.encode("-q", *self.names), (0, "", ""))
        with open(self.path("kernel"), "rb") as f:
            image = f.read()
        # a string of the same length: nothing but the name is another
        self.assertEqual(image.count(b"\0sector\0"), 2)    # .BTF's and .debug_str's
        with open(self.path("other"), "wb") as f:
            f.write(image.replace(b"\0sector\0", b"\0tcesor\0"))
        for cmd in (["list"], ["check"], ["dump"]):
            status, out, err = run(BTFLOCS, *cmd, "m1.ko", "-B", "other", cwd=self.dir)
            self.assertNotEqual(status, 0)
            self.assertRegex(err, r"^btflocs: m1\.ko: made for another base \(the one below its "
                                  r"base had CRC-32 [0-9a-f]{8}, this one [0-9a-f]{8}\)")
            status, out, err = run(BTFLOCS, *cmd, "m1.ko", "-B", "kernel", cwd=self.dir)
            self.assertEqual((status, err), (0, ""))

    def test_of_another_release(self):
        """A small module's BTF may fit by accident; what it says it is for decides."""
        with open(self.path("kernel"), "rb") as f:
            image = f.read()
        with open(self.path("other"), "wb") as f:
            f.write(image.replace(b"6.1.0-test", b"6.2.0-test"))
        why = ("btflocs: %s: is a module of 6.1.0-test, its base is of 6.2.0-test: name its own "
               "kernel's vmlinux with -B\n")
        self.assertEqual(run(BTFLOCS, "encode", "-B", "other", "m1.ko", cwd=self.dir),
                         (2, "", why % "m1.ko"))
        status, out, err = run(BTFLOCS, "encode", "-B", "other", "m1.ko", "m2.ko", cwd=self.dir)
        self.assertEqual((status, err), (2, why % "m1.ko" + why % "m2.ko"))
        self.assertEqual(self.sections(), [None] * NR)
        # a base that does not say what it is of
        tool("objcopy", "-O", "binary", "--only-section=.BTF", "--set-section-flags",
             ".BTF=alloc", "kernel", "kernel.btf", cwd=self.dir)
        self.assertEqual(run(BTFLOCS, "encode", "-B", "kernel.btf", "m1.ko", cwd=self.dir),
                         (0, "", ""))

    def test_what_would_be_lost(self):
        """An ELF file is not replaced by the section alone; no file is written by two."""
        before = {}
        for n in ("m1.ko", "m2.ko", "kernel"):
            with open(self.path(n), "rb") as f:
                before[n] = f.read()
        for out in ("m1.ko", "m2.ko", "kernel"):
            self.assertEqual(self.encode("-o", out, "m1.ko"), (
                2, "", "btflocs: %s: -o %s: is an ELF file, which the section alone would "
                       "replace; without -o it is written into FILE\n" % ("m1.ko", out)))
        os.symlink("m1.ko", self.path("link.ko"))
        status, out, err = self.encode("m2.ko", "m1.ko", "link.ko")
        self.assertEqual((status, out), (2, ""))
        self.assertIn(err, ("btflocs: m1.ko: is named twice, as link.ko too\n",
                            "btflocs: link.ko: is named twice, as m1.ko too\n"))
        for n, data in before.items():
            with open(self.path(n), "rb") as f:
                self.assertEqual(f.read(), data)
        # what is no ELF file is replaced, as before
        self.assertEqual(self.encode("-o", "x", "m1.ko"), (0, "", ""))
        self.assertEqual(self.encode("-o", "x", "m1.ko"), (0, "", ""))
        with open(self.path("x"), "rb") as f:
            want = f.read()
        p = subprocess.run([BTFLOCS, "encode", "-B", "kernel", "-o", "-", "m1.ko"], cwd=self.dir,
                           stdout=subprocess.PIPE)
        self.assertEqual((p.returncode, p.stdout), (0, want))
        self.assertFalse(os.path.exists(self.path("-")))

    def on_terminal(self, *args):
        """What a terminal gets as stderr; stdout is a pipe."""
        ours, theirs = pty.openpty()
        p = subprocess.Popen([BTFLOCS, "encode", "-B", "kernel", *args], cwd=self.dir,
                             stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        text = b""
        while True:
            try:
                more = os.read(ours, 4096)
            except OSError:     # EIO: the other side is closed
                break
            if not more:
                break
            text += more
        os.close(ours)
        out = p.communicate(timeout=60)[0].decode()
        return p.returncode, out, text.decode()

    def test_progress(self):
        status, out, err = self.on_terminal("-j2", *self.names)
        self.assertEqual(status, 0)
        self.assertRegex(err, r"^\r\x1b\[K1 of %d, 8 %%  m\d+\.ko" % NR)
        self.assertTrue(err.endswith("\r\x1b[K"))
        self.assertTrue(out.startswith("%d files" % NR))
        self.assertEqual(self.on_terminal("-q", "-j2", *self.names), (0, "", ""))
        self.spoil()
        status, out, err = self.on_terminal("-j2", *self.names)
        self.assertEqual(status, 1)
        # the line is gone before the errors come
        self.assertIn("\r\x1b[Kbtflocs: m3.ko: not an ELF file\r\n", err)


if __name__ == "__main__":
    unittest.main()
