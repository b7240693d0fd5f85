#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""btflocs encode -o: what is replaced, what stays, and what is written to as it is open."""
import os
import signal
import socket
import stat
import subprocess
import tempfile
import time
import unittest

import file_hooks
import pahole_case
from btflocs_case import BTFLOCS, build
from test_files import PACKERS, Files

LOST = "holds something else than a section (.BTF.func_info), and that would be lost"
ELF = ("is an ELF file, which the section alone would replace; without -o it is written "
       "into FILE")


class Out(Files):
    def setUp(self):
        super().setUp()
        # a user without root's rights must get there
        os.chmod(self.dir, 0o755)
        self.obj = self.compiled()
        self.check(["encode", "-o", "want", self.obj], 0, "")
        self.want = self.read("want")
        # raw BTF that the object stands on as well as on its own
        self.tool("objcopy", "-O", "binary", "--only-section=.BTF", "--set-section-flags",
                  ".BTF=alloc", "t.o", "raw.btf")

    def state(self, name):
        st = os.stat(self.path(name))
        what = self.read(name) if stat.S_ISREG(st.st_mode) else None
        return st.st_dev, st.st_ino, st.st_mode, what

    def refused(self, out, why, *args, obj=None, also=()):
        """-o OUT: one line, exit status 2, and OUT and @also are what they were."""
        obj = obj or self.obj
        names = [out, *also]
        before, all_names = [self.state(n) for n in names], sorted(os.listdir(self.dir))
        self.check(["encode", "-o", out, *args, obj], 2, "",
                   "btflocs: %s: -o %s: %s\n" % (obj, out, why))
        self.assertEqual([self.state(n) for n in names], before)
        self.assertEqual(sorted(os.listdir(self.dir)), all_names)


class Refused(Out):
    def test_objects(self):
        os.rename(self.path("t.o"), self.path("k.ko"))
        self.obj = "k.ko"
        self.refused("k.ko", ELF)
        self.tool("gcc", "-shared", "-g", "-o", "lib.so", "t.c")
        self.refused("lib.so", ELF)
        for packer in PACKERS:
            self.refused(self.pack(packer, "k.ko"), LOST)
            # compressed and its own input
            self.refused(self.pack(packer, "k.ko"), LOST, obj=self.pack(packer, "k.ko"))
            self.refused(self.pack(packer, "lib.so"), LOST)

    def test_others(self):
        self.refused("raw.btf", LOST)
        self.refused("raw.btf", LOST, "-B", "raw.btf")
        self.refused(self.pack("gzip", "raw.btf"), LOST)
        self.refused("t.c", LOST)
        self.write("one", b"\n")
        self.refused("one", LOST)
        # BTF's first bytes and no more; a section that is cut off
        self.write("magic", b"\x9f\xeb\x01\x00")
        self.refused("magic", LOST)
        self.write("cut", self.want[:-1])
        self.refused("cut", LOST)
        self.write("cut.gz", self.read(self.pack("gzip", "want"))[:-1])
        self.refused("cut.gz", "it is not known what would be lost: malformed: its gzip data "
                     "ends early")

    def test_links(self):
        os.symlink("t.o", self.path("sym"))
        os.link(self.path("t.o"), self.path("hard"))
        os.symlink("raw.btf", self.path("base"))
        for out in ("sym", "hard"):
            self.refused(out, ELF, also=["t.o"])
        self.refused("base", LOST, "-B", "raw.btf", also=["raw.btf"])
        self.assertTrue(os.path.islink(self.path("sym")))

    def test_inputs(self):
        """What is read stays, were it a section, or empty."""
        os.link(self.path("want"), self.path("hard"))
        os.symlink("want", self.path("sym"))
        for out in ("want", "hard", "sym"):
            self.refused(out, "is want, which is read here", "-B", "want", also=["want"])
        self.write("none", b"")
        self.refused("none", "is none, which is read here", "-B", "raw.btf", "-B", "none")

    def test_kinds(self):
        sock = socket.socket(socket.AF_UNIX)
        self.addCleanup(sock.close)
        sock.bind(self.path("sock"))
        self.refused("sock", "is a socket")
        os.symlink("loop", self.path("loop"))
        self.check(["encode", "-o", "loop", self.obj], 2, "", "btflocs: t.o: -o loop: Too many "
                   "levels of symbolic links\n")
        if not os.getuid():
            try:
                os.mknod(self.path("disk"), stat.S_IFBLK | 0o600, os.makedev(7, 250))
            except PermissionError:     # in a container
                return
            self.refused("disk", "is a block device")

    def test_unreadable(self):
        """What may be written and not read could be anything."""
        why = "it is not known what would be lost: Permission denied"
        with tempfile.TemporaryDirectory() as made:
            os.chmod(made, 0o755)
            mine = os.path.join(made, "btflocs")
            self.tool("cp", BTFLOCS, mine)
            user = {}
            if not os.getuid():
                user = {"user": 65534, "group": 65534, "extra_groups": []}
                os.chown(self.dir, 65534, 65534)
            for name in ("t.o", "want", "t.c"):
                self.tool("cp", name, "out")
                if user:
                    os.chown(self.path("out"), 65534, 65534)
                os.chmod(self.path("out"), 0o200)
                before = os.stat(self.path("out"))
                p = subprocess.run([mine, "encode", "-o", "out", "t.o"], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   **user)
                self.assertEqual((p.returncode, p.stderr),
                                 (2, "btflocs: t.o: -o out: %s\n" % why))
                after = os.stat(self.path("out"))
                self.assertEqual((after.st_ino, after.st_size, after.st_mtime_ns),
                                 (before.st_ino, before.st_size, before.st_mtime_ns))
                os.chmod(self.path("out"), 0o600)
                self.assertEqual(self.read("out"), self.read(name))
                os.unlink(self.path("out"))

    def test_folder(self):
        """Of several files each by itself."""
        os.mkdir(self.path("d"))
        self.tool("cp", "t.o", "u.o")
        self.tool("cp", "t.c", "d/u.o.func_info")
        before = self.state("d/u.o.func_info")
        status, out, err = self.run_("encode", "-o", "d", "t.o", "u.o")
        self.assertEqual((status, err), (1, "btflocs: u.o: -o d/u.o.func_info: %s\n" % LOST))
        self.assertEqual(self.state("d/u.o.func_info"), before)
        self.assertEqual(self.read("d/t.o.func_info"), self.want)

    def test_came_meanwhile(self):
        """Looked at once more before it is replaced."""
        p = subprocess.Popen([BTFLOCS, "encode", "-j1", "-o", "late", self.obj], cwd=self.dir,
                             stderr=subprocess.PIPE, text=True,
                             env=file_hooks.preloading(self.slow()))
        while not os.path.exists(self.path("opened")):
            time.sleep(0.01)
        self.write("late", b"somebody's")
        os.unlink(self.path("opened"))
        self.assertEqual(p.communicate(timeout=60)[1], "btflocs: late: %s\n" % LOST)
        self.assertEqual((p.returncode, self.read("late")), (2, b"somebody's"))

    def slow(self):
        """A libelf's elf_begin() that waits until the file 'opened' is gone."""
        self.write("slow.c", file_hooks.HEAD + b"""
void *elf_begin(int fd, int cmd, void *ref)
{
	static int done;
	void *(*real)(int, int, void *) = dlsym(RTLD_NEXT, "elf_begin");

	if (!done++)
		stop("opened");
	return real(fd, cmd, ref);
}
""")
        self.tool("gcc", "-shared", "-fPIC", "-o", "slow.so", "slow.c")
        return self.path("slow.so")


class Replaced(Out):
    def test_sections(self):
        """Absent, empty, or a section, whatever it is packed with."""
        self.write("empty", b"")
        self.tool("cp", "x.func_info", "old")      # of another object
        for out in ("new", "empty", "old"):
            self.check(["encode", "-o", out, self.obj], 0, "")
            self.assertEqual(self.read(out), self.want)
        for packer, ext in PACKERS.items():
            self.pack(packer, "x.func_info")
            self.check(["encode", "-o", "x.func_info." + ext, self.obj], 0, "")
        self.check(["list", "x.func_info.gz", "-B", self.obj], 0,
                   self.run_("list", "want", "-B", self.obj)[1])
        self.write("big", build(True)[1].finish())
        self.check(["encode", "-o", "big", self.obj], 0, "")
        self.assertEqual(self.read("big"), self.want)

    def test_links(self):
        os.symlink("old", self.path("sym"))
        for _ in range(2):      # dangling at first
            self.check(["encode", "-o", "sym", self.obj], 0, "")
            self.assertTrue(os.path.islink(self.path("sym")))
            self.assertEqual(self.read("old"), self.want)

    def test_devices(self):
        self.check(["encode", "-o", "/dev/null", self.obj], 0, "")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.check(["encode", "-o", "/dev/full", self.obj], 2, "",
                   "btflocs: /dev/full: writing: No space left on device\n")
        os.mkfifo(self.path("fifo"))
        with subprocess.Popen([BTFLOCS, "encode", "-o", "fifo", self.obj], cwd=self.dir) as p:
            self.assertEqual(self.read("fifo"), self.want)
        self.assertEqual(p.returncode, 0)


class Open(Out):
    """What is open already is written to where it stands."""

    def shell(self, line):
        return subprocess.run(["sh", "-c", line], cwd=self.dir, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=dict(os.environ, E=BTFLOCS + " encode"))

    def test_between_others(self):
        os.symlink("/dev/stdout", self.path("link"))
        for out in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"):
            p = self.shell("(echo before; $E -o %s t.o; echo after) > f" % out)
            self.assertEqual((p.returncode, p.stderr), (0, b""))
            self.assertEqual(self.read("f"), b"before\n" + self.want + b"after\n", out)
            p = self.shell("echo first > f; ino=$(stat -c %%i f); $E -o %s t.o >> f;"
                           "[ $ino = $(stat -c %%i f) ]" % out)
            self.assertEqual((p.returncode, p.stderr), (0, b""))
            self.assertEqual(self.read("f"), b"first\n" + self.want)
            self.assertEqual(self.shell("$E -o %s t.o | cat" % out).stdout, self.want)
        self.assertEqual(self.shell("$E -o /dev/fd/5 t.o 5> f").returncode, 0)
        self.assertEqual(self.read("f"), self.want)
        self.assertFalse(os.path.exists(self.path("-")))

    def test_not_open(self):
        for out, redirect in (("-", ">&-"), ("/dev/stdout", ">&-"), ("/dev/fd/7", ""),
                              ("/dev/fd/5", "5< t.c"), ("/dev/fd/x", "")):
            p = self.shell("$E -o %s t.o %s" % (out, redirect))
            self.assertEqual(p.returncode, 2)
            if out != "/dev/fd/x":
                self.assertEqual(p.stderr.decode(),
                                 "btflocs: t.o: -o %s: is not open for writing\n" % out)

    def test_input(self):
        before = self.state("t.o")
        p = self.shell("$E -o - t.o >> t.o")
        self.assertEqual((p.returncode, p.stderr.decode()),
                         (2, "btflocs: t.o: -o -: is t.o, which is read here\n"))
        self.assertEqual(self.state("t.o"), before)

    def test_trouble(self):
        p = self.shell("$E -o - t.o > /dev/full")
        self.assertEqual((p.returncode, p.stderr.decode()),
                         (2, "btflocs: stdout: writing: No space left on device\n"))

    def test_does_not_wait(self):
        """A pipe that is full, and whose writer is not to wait."""
        ours, theirs = os.pipe()
        os.set_blocking(theirs, False)
        room = 0
        while True:
            try:
                room += os.write(theirs, b"x" * 4096)
            except BlockingIOError:
                break
        p = subprocess.Popen([BTFLOCS, "encode", "-o", "-", "t.o"], cwd=self.dir, stdout=theirs,
                             stderr=subprocess.PIPE)
        os.close(theirs)
        time.sleep(0.3)
        with os.fdopen(ours, "rb") as f:
            self.assertEqual(f.read()[room:], self.want)
        self.assertEqual((p.communicate()[1], p.returncode), (b"", 0))


class Leftovers(Out):
    NAME = ".btflocs-00112233445566aa"

    def test_next_run(self):
        for args in (["-o", "out", "t.o"], ["t.o"], ["-o", ".", "t.o"]):
            self.write(self.NAME, b"left")
            self.check(["encode", *args], 0, "")
            self.assertFalse(os.path.exists(self.path(self.NAME)), args)

    def test_killed_while_it_writes(self):
        """On a file system without O_TMPFILE the new file has a name all the time."""
        self.write("named.c", file_hooks.HEAD + file_hooks.NAMED + b"""
int fsync(int fd)
{
	if (getenv("STOP"))
		raise(SIGSTOP);
	return 0;
}
""")
        self.tool("gcc", "-shared", "-fPIC", "-o", "named.so", "named.c")
        env = file_hooks.preloading(self.path("named.so"))

        def names():
            return [n for n in os.listdir(self.dir) if n.startswith(".btflocs-")]
        p = subprocess.Popen([BTFLOCS, "encode", "-o", "a", "t.o"], cwd=self.dir,
                             env=dict(env, STOP="1"))
        os.waitpid(p.pid, os.WUNTRACED)
        self.assertEqual(len(names()), 1)
        # another run leaves alone what is being written
        self.check(["encode", "-o", "b", "t.o"], 0, "")
        self.assertEqual(len(names()), 1)
        p.send_signal(signal.SIGKILL)
        p.wait()
        self.assertEqual(len(names()), 1)
        self.check(["encode", "-o", "b", "t.o"], 0, "")
        self.assertEqual((names(), os.path.exists(self.path("a"))), ([], False))


class Detached(pahole_case.Case):
    """pahole-locs --btf_encode_detached=FILE writes FILE.func_info by the same rules."""

    def encode(self):
        return self.locs("--btf_encode_detached=d", "--btf_features=inline_locs", "a.o")

    def test_what_stays(self):
        for name, why in (("c.o", ELF), ("log", LOST)):
            if name == "log":
                with open(self.log, "w", encoding="ascii") as f:
                    f.write("text\n")
            os.link(self.path(name), self.path("d.func_info"))
            before = pahole_case.contents(self.path(name))
            self.assert_line(self.encode(), 2, "d.func_info: " + why)
            self.assertEqual(pahole_case.contents(self.path(name)), before)
            self.assertTrue(os.path.samefile(self.path(name), self.path("d.func_info")))
            os.unlink(self.path("d.func_info"))
        # the BTF that it stands on is pahole's
        os.symlink("d", self.path("d.func_info"))
        self.assert_line(self.encode(), 2, "d.func_info: " + LOST)
        self.assertTrue(os.path.islink(self.path("d.func_info")))

    def test_replaced(self):
        for _ in range(2):
            self.assert_silent(self.encode())
        with open(self.path(".btflocs-0123456789abcdef"), "wb"):
            pass
        self.assert_silent(self.encode())
        self.assertFalse(os.path.exists(self.path(".btflocs-0123456789abcdef")))


if __name__ == "__main__":
    unittest.main()
