#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""btflocs -k RELEASE and --running: an installed kernel's section, found in a --root."""
import gzip
import json
import lzma
import os
import struct
import subprocess
import unittest

import btf_blob as B
from btflocs_case import DUMP, Case, build, lines

RELEASE = "6.1.0-57"
RUNNING = os.uname().release
# where a base is looked for, the first one first
HOMES = ["usr/lib/debug/boot/vmlinux-%s", "usr/lib/debug/lib/modules/%s/vmlinux",
         "usr/lib/modules/%s/build/vmlinux", "usr/lib/modules/%s/btf/vmlinux",
         "boot/vmlinux-%s"]
SYSTEM_MAP = (b"0000000000000000 D fixed_percpu_data\n"
              b"ffffffff81000000 T _text\n"
              b"ffffffff81000000 T _stext\n"
              b"ffffffff81000010 T vfs_read\n"
              b"ffffffff81000020 t inner\n"
              b"ffffffff81000018 t twice\n"
              b"ffffffff81000020 t twice\n")


def note(name, kind, desc):
    """An ELF note, padded to four bytes, in this machine's byte order."""
    def pad(b):
        return b + bytes(-len(b) % 4)
    return struct.pack("=III", len(name), len(desc), kind) + pad(name) + pad(desc)


def notes(build_id):
    return (note(b"Xen\0", 6, b"linux\0") + note(b"Linux\0", 0x100, b"\1") +
            note(b"GNU\0", 3, bytes.fromhex(build_id)))


class Root(Case):
    def setUp(self):
        super().setUp()
        other, _ = build()
        other.int("more", 4)
        self.other = other.finish()
        self.good = self.slurp("base.btf")
        self.section = self.slurp("x.func_info")
        os.makedirs(self.path("r/usr/lib"))
        os.symlink("usr/lib", self.path("r/lib"))

    def slurp(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def put(self, name, data):
        """A file under the root, its folders too. Its name as btflocs says it."""
        path = self.path("r/" + name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        return "r/" + name

    def put_section(self, release=RELEASE, suffix="", data=None):
        return self.put("usr/lib/modules/%s/btf/vmlinux.func_info%s" % (release, suffix),
                        self.section if data is None else data)

    def vmlinux(self, build_id, base="base.btf"):
        """An ELF file with that build id and .BTF; 'inner' is at 0xffffffff81000020."""
        self.write("v.s", b".globl _start\n_start: .skip 32\ninner: .skip 16\n")
        self.tool("as", "-o", "v.o", "v.s")
        self.tool("ld", "--build-id=0x" + build_id, "-Ttext=0xffffffff81000000", "-o", "v", "v.o")
        self.tool("objcopy", "--add-section", ".BTF=" + base, "v")
        return self.slurp("v")

    def of_root(self, cmd, *args, release=RELEASE):
        return self.run_(cmd, "-k", release, "--root", "r", *args)


class Found(Root):
    def test_commands(self):
        path = self.put_section()
        self.put(HOMES[3] % RELEASE, self.good)
        self.assertEqual(self.of_root("dump"), (0, DUMP, ""))
        for cmd, operands in (("dump", ["-j"]), ("stat", []), ("stat", ["-j"])):
            want = self.run_(cmd, path, "-B", "base.btf", *operands)
            self.assertEqual((self.of_root(cmd, *operands), want[0]), (want, 0))
        self.assertEqual(self.of_root("list", "own"), (0, lines("own"), ""))
        self.assertEqual(self.of_root("list")[0], 0)
        self.assertEqual(self.of_root("list"), self.run_("list", path, "-B", "base.btf"))
        self.assertEqual(self.of_root("find", "0xffffffff81000020"), (0, lines("printk"), ""))
        self.assertEqual(self.of_root("check"),
                         (0, "%s: sound, 13 types, 7 records\n" % path, ""))
        # where the option stands is nothing to it
        self.check(["list", "--root=r/", "own", "--kernel", RELEASE], 0, lines("own"))

    def test_suffixes(self):
        self.put(HOMES[4] % RELEASE, self.good)
        zstd = subprocess.run(["zstd", "-c", self.sec], stdout=subprocess.PIPE, check=True).stdout
        # the plain one is preferred, then in this order: what is behind is garbage
        for suffix, data in ((".zst", zstd), (".xz", lzma.compress(self.section)),
                             (".gz", gzip.compress(self.section)), ("", self.section)):
            path = self.put_section(suffix=suffix, data=data)
            self.assertEqual(self.of_root("list", "own"), (0, lines("own"), ""))
            self.assertEqual(self.of_root("check")[1],
                             "%s: sound, 13 types, 7 records\n" % path)
            self.put_section(suffix=suffix, data=b"garbage")
            self.assertEqual(self.of_root("list", "own")[0], 2)

    def test_lib(self):
        """/lib/modules, where that is another folder."""
        os.unlink(self.path("r/lib"))
        self.put("lib/modules/%s/btf/vmlinux.func_info" % RELEASE, self.section)
        self.put(HOMES[0] % RELEASE, self.good)
        self.assertEqual(self.of_root("list", "own"), (0, lines("own"), ""))
        # /usr/lib comes first
        self.put_section(data=b"garbage")
        self.assertEqual(self.of_root("list", "own")[0], 2)

    def test_bases(self):
        self.put_section()
        for home in reversed(HOMES):
            # those behind it are of another build
            path = self.put(home % RELEASE, self.good)
            self.assertEqual(self.of_root("list", "own"), (0, lines("own"), ""), home)
            with open(self.path(path), "wb") as f:
                f.write(self.other)
            self.assertEqual(self.of_root("list", "own")[0], 2)
        # one that is named is taken instead
        self.assertEqual(self.of_root("list", "own", "-B", "base.btf"), (0, lines("own"), ""))

    def test_compressed_base(self):
        """openSUSE's /boot/vmlinux-RELEASE.gz."""
        self.put_section()
        self.put("boot/vmlinux-%s.gz" % RELEASE, gzip.compress(self.vmlinux("0123")))
        self.assertEqual(self.of_root("list", "own"), (0, lines("own"), ""))

    def test_path(self):
        """With a slash it is the file itself, and the base is that of a FILE."""
        self.put_section()
        self.put(HOMES[3] % RELEASE, self.good)
        path = "./r/usr/lib/modules/%s/btf/vmlinux.func_info" % RELEASE
        self.check(["list", "own", "-k", path], 0, lines("own"))
        self.check(["list", "own", "-k", "./x.func_info", "-B", "base.btf"], 0, lines("own"))
        self.check(["dump", "-k", "./absent"], 2, "",
                   "btflocs: ./absent: No such file or directory\n")

    def test_verbose(self):
        path = self.put_section()
        base = self.put(HOMES[0] % RELEASE, self.good)
        status, out, err = self.of_root("check", "-V")
        self.assertEqual(err, "btflocs: %s: %s on %s\n" % (RELEASE, path, base))


class NotFound(Root):
    def test_section(self):
        where = "r/usr/lib/modules/%s/btf" % RELEASE
        line = ("btflocs: no vmlinux.func_info of %s: looked in %%s: it comes with the "
                "distribution's package, or from btflocs encode -o %s/vmlinux.func_info "
                "VMLINUX\n" % (RELEASE, where))
        for cmd in ("dump", "list", "stat", "check"):
            self.assertEqual(self.of_root(cmd), (2, "", line % where))
        os.unlink(self.path("r/lib"))
        os.makedirs(self.path("r/lib"))
        both = where + ", r/lib/modules/%s/btf" % RELEASE
        self.assertEqual(self.of_root("find", "0"), (2, "", line % both))

    def test_base(self):
        path = self.put_section()
        where = ", ".join("r/" + home % RELEASE for home in HOMES)
        line = "btflocs: %s: no base BTF of %s: looked for %s: name it with -B\n"
        self.assertEqual(self.of_root("dump"), (2, "", line % (path, RELEASE, where)))
        self.assertEqual(self.of_root("check"), (2, "", line % (path, RELEASE, where)))

    def test_usage(self):
        self.check(["list", "-k", RELEASE, "--running"], 2, "",
                   "btflocs: -k and --running: one of them\n")
        self.check(["list", "--root", "r", "x.func_info"], 2, "",
                   "btflocs: --root is for -k and --running\n")
        for bad in ("", ".", ".."):
            self.check(["list", "-k", bad, "--root", "r"], 2, "",
                       "btflocs: -k '%s': not a kernel's release\n" % bad)
        # FILE may not stand there as well
        for args in (["dump", "x"], ["stat", "x"], ["check", "x"], ["find"],
                     ["find", "x", "0"], ["list", "own", "x"]):
            status, out, err = self.run_(*args, "-k", RELEASE)
            self.assertEqual((status, out), (2, ""))
            self.assertRegex(err, r"\AUsage: btflocs %s " % args[0])
        status, out, err = self.run_("encode", "-k", RELEASE, "x")
        self.assertEqual((status, out), (2, ""))


class Matched(Root):
    def assert_refused(self, line, *args):
        """By each command; of check it is a 'no'."""
        line = "btflocs: %s\n" % line
        for cmd in ("dump", "list", "stat"):
            self.assertEqual(self.run_(cmd, *args), (2, "", line))
        self.assertEqual(self.run_("find", "0", *args), (2, "", line))
        self.assertEqual(self.run_("check", *args), (1, "", line))
        self.assertEqual(self.run_("check", "-q", *args), (1, "", ""))
        status, out, err = self.run_("check", "-j", *args)
        self.assertEqual((status, err), (1, line))
        out = json.loads(out)
        self.assertEqual((out["sound"], "btflocs: %s\n" % out["error"]), (False, line))

    def test_build_id(self):
        """The section's is 0123 (btflocs_case.py)."""
        path = self.put_section()
        self.put(HOMES[0] % RELEASE, self.vmlinux("0123"))
        self.assertEqual(self.of_root("list", "own"), (0, lines("own"), ""))
        base = self.put(HOMES[0] % RELEASE, self.vmlinux("9abc"))
        self.assert_refused("%s: is of another build of %s (its build id is 0123, that of %s is "
                            "9abc)" % (path, RELEASE, base), "-k", RELEASE, "--root", "r")

    def test_no_build_id(self):
        """A section that does not say is not of a kernel that has one."""
        base, _ = build()
        sec = B.Blob(base=base)
        sec.keys("btf_locs=1", "machine=62", *sec.base_keys())
        path = self.put_section(data=sec.finish())
        base = self.put(HOMES[0] % RELEASE, self.vmlinux("9abc"))
        self.assert_refused("%s: is of another build of %s (it has no build id, that of %s is "
                            "9abc)" % (path, RELEASE, base), "-k", RELEASE, "--root", "r")
        # where neither says, the base's CRC does
        self.put(HOMES[0] % RELEASE, self.good)
        self.assertEqual(self.of_root("list")[0], 0)

    def test_crc(self):
        path = self.put_section()
        base = self.put(HOMES[2] % RELEASE, self.other)
        self.assert_refused("%s: made for another base (its base had 11 types, this one 12); "
                            "this one is %s: name its own with -B" % (path, base),
                            "-k", RELEASE, "--root", "r")

    def test_running(self):
        path = self.put_section(RUNNING)
        self.put("sys/kernel/btf/vmlinux", self.good)
        self.put("sys/kernel/notes", notes("0123"))
        # what is installed beside it is not asked
        self.put(HOMES[0] % RUNNING, self.vmlinux("9abc"))
        for which in (["--running"], ["-k", RUNNING]):
            self.check(["list", "own", *which, "--root", "r"], 0, lines("own"))
            self.check(["check", *which, "--root", "r"], 0,
                       "%s: sound, 13 types, 7 records\n" % path)
        self.put("sys/kernel/notes", notes("4567"))
        line = ("%s: is of another build of %s (its build id is 0123, the running kernel's is "
                "4567)" % (path, RUNNING))
        self.assert_refused(line, "--running", "--root", "r")
        self.assert_refused(line, "-k", RUNNING, "--root", "r")
        # also with a base that is named
        self.assert_refused(line, "--running", "--root", "r", "-B", "base.btf")
        # another kernel's is not compared with what runs
        self.put_section()
        self.put(HOMES[0] % RELEASE, self.good)
        self.assertEqual(self.of_root("list", "own"), (0, lines("own"), ""))

    def test_running_crc(self):
        path = self.put_section(RUNNING)
        base = self.put("sys/kernel/btf/vmlinux", self.other)
        self.put("sys/kernel/notes", notes("0123"))
        self.assert_refused("%s: made for another base (its base had 11 types, this one 12); "
                            "this one is %s: name its own with -B" % (path, base),
                            "--running", "--root", "r")

    def test_running_notes(self):
        """Notes that cannot be understood say nothing: the CRC still does."""
        self.put_section(RUNNING)
        self.put("sys/kernel/btf/vmlinux", self.good)
        whole = notes("0123")
        for bad in (b"", b"\xff" * 64, whole[:-8], note(b"GNU\0", 3, b""), bytes(70000)):
            self.put("sys/kernel/notes", bad)
            self.check(["list", "own", "--running", "--root", "r"], 0, lines("own"))

    def test_running_no_btf(self):
        """A kernel without /sys/kernel/btf: an installed vmlinux is its base."""
        path = self.put_section(RUNNING)
        self.put("sys/kernel/notes", notes("0123"))
        status, out, err = self.run_("list", "--running", "--root", "r")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("%s: no base BTF of %s: looked for r/sys/kernel/btf/vmlinux, r/usr/lib/debug"
                      % (path, RUNNING), err)
        self.put(HOMES[1] % RUNNING, self.vmlinux("0123"))
        self.check(["list", "own", "--running", "--root", "r"], 0, lines("own"))
        # without notes the vmlinux says which build it is
        os.unlink(self.path("r/sys/kernel/notes"))
        base = self.put(HOMES[1] % RUNNING, self.vmlinux("9abc"))
        self.assert_refused("%s: is of another build of %s (its build id is 0123, that of %s is "
                            "9abc)" % (path, RUNNING, base), "--running", "--root", "r")


class Symbols(Root):
    def setUp(self):
        super().setUp()
        self.section_path = self.put_section()
        self.base = self.put(HOMES[3] % RELEASE, self.good)

    def test_none(self):
        self.assertEqual(self.of_root("find", "inner"),
                         (2, "", "btflocs: %s: no symbols to look 'inner' up in: give an address, "
                          "or -B with the object\n" % self.section_path))

    def test_base(self):
        self.put(HOMES[0] % RELEASE, self.vmlinux("0123"))
        self.assertEqual(self.of_root("find", "inner"), (0, lines("printk"), ""))

    def test_vmlinux(self):
        """The base is raw, a vmlinux of the same build has the symbols."""
        self.put("boot/vmlinux-" + RELEASE, self.vmlinux("9abc"))
        self.assertEqual(self.of_root("find", "inner")[0], 2)
        self.put("boot/vmlinux-" + RELEASE, self.vmlinux("0123"))
        self.assertEqual(self.of_root("find", "inner"), (0, lines("printk"), ""))
        self.assertEqual(self.of_root("find", "absent"),
                         (2, "", "btflocs: %s: no symbol 'absent'\n" % self.section_path))

    def test_system_map(self):
        for home, data in (("usr/lib/debug/boot/System.map-" + RELEASE, SYSTEM_MAP),
                           ("usr/lib/modules/%s/System.map" % RELEASE, SYSTEM_MAP),
                           ("boot/System.map-%s.xz" % RELEASE, lzma.compress(SYSTEM_MAP))):
            path = self.put(home, data)
            self.assertEqual(self.of_root("find", "inner"), (0, lines("printk"), ""))
            self.assertEqual(self.of_root("find", "vfs_read+0x10"), (0, lines("printk"), ""))
            self.assertEqual(self.of_root("find", "absent"),
                             (2, "", "btflocs: %s: no symbol 'absent'\n" % self.section_path))
            self.assertEqual(self.of_root("find", "twice"),
                             (2, "", "btflocs: symbol 'twice' is not unique, give one of its "
                              "addresses: 0xffffffff81000018 0xffffffff81000020\n"))
            os.unlink(self.path(path))

    def test_of_another_build(self):
        """A map that has a function of the section elsewhere is not believed."""
        path = self.put("boot/System.map-" + RELEASE,
                        SYSTEM_MAP.replace(b"81000010 T vfs_read", b"81000018 T vfs_read"))
        line = "btflocs: %s: is not of the build of %s: give an address, or -B with the object\n"
        self.assertEqual(self.of_root("find", "inner"), (2, "", line % (path, self.section_path)))
        # Debian's, where the real one is in another package
        self.put("boot/System.map-" + RELEASE, b"ffffffffffffffff B The real System.map is in "
                 b"the linux-image-%s-dbg package\n" % RELEASE.encode())
        self.assertEqual(self.of_root("find", "inner"), (2, "", line % (path, self.section_path)))
        # the next one is
        self.put("usr/lib/modules/%s/System.map" % RELEASE, SYSTEM_MAP)
        self.assertEqual(self.of_root("find", "inner"), (0, lines("printk"), ""))

    def test_suffix(self):
        """A symbol with a compiler's suffix is that of the function."""
        self.put("boot/System.map-" + RELEASE,
                 SYSTEM_MAP.replace(b"T vfs_read", b"t vfs_read.isra.0"))
        self.assertEqual(self.of_root("find", "inner"), (0, lines("printk"), ""))
        self.put("boot/System.map-" + RELEASE,
                 SYSTEM_MAP.replace(b"T vfs_read", b"t vfs_readv"))
        self.assertEqual(self.of_root("find", "inner")[0], 2)

    def test_strange_lines(self):
        strange = (b"\n\nffffffff81000020\nffffffff81000020 t\nffffffff81000020 t \n"
                   b"x t inner\nffffffff8100001 t inner\nFFFFFFFF81000020 t inner\n"
                   b"fffffffff81000010 t inner\nffffffff81000010 tt inner\n")
        self.put("boot/System.map-" + RELEASE, strange + SYSTEM_MAP[:-1])
        self.assertEqual(self.of_root("find", "inner"), (0, lines("printk"), ""))
        for bad in (b"", b"\n", b"ffffffff81000010 T vfs_read"[:-1], bytes(1000)):
            self.put("boot/System.map-" + RELEASE, bad)
            self.assertEqual(self.of_root("find", "inner")[0], 2)


if __name__ == "__main__":
    unittest.main()
