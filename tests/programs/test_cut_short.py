#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An object that is cut while it is read: no signal, one line, exit status 2, nothing written."""
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import file_hooks
import pahole_case
from btflocs_case import BTFLOCS

MOMENTS = 100
LARGE = 17 << 20        # bytes: such an object is mapped
FUNCTIONS = 400

CUT = ": was cut short while it was read"
MAPPED = CUT + ", or its disk fails"

# Waits before the DWARF is read, and before a new file is put in place.
HOOKS = file_hooks.HEAD + file_hooks.NAMED + b"""
void *dwarf_begin_elf(void *elf, int cmd, void *group)
{
	void *(*real)(void *, int, void *) = dlsym(RTLD_NEXT, "dwarf_begin_elf");
	void *(*raw)(void *, size_t *) = dlsym(RTLD_NEXT, "elf_rawfile");
	size_t size;

	raw(elf, &size);
	if (size >= strtoull(getenv("STOP_READING"), NULL, 10))
		stop("reading");
	return real(elf, cmd, group);
}

int fsync(int fd)
{
	if (getenv("STOP_WRITING"))
		stop("writing");
	return 0;
}
"""


def source():
    lines = ["static inline __attribute__((always_inline)) int c(int v, int hi)",
             "{ return v > hi ? hi : v; }", "extern int g(int, int *);"]
    lines += ["int f%d(int n, int *p) { int a = c(n, %d) + c(*p, n); return g(a, p) + c(a, %d); }"
              % (i, i, i + 1) for i in range(FUNCTIONS)]
    return "\n".join(lines) + "\n"


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp(prefix="btflocs-cut-")
        cls.addClassCleanup(shutil.rmtree, cls.made)
        for name, data in (("f.c", source().encode()), ("hooks.c", HOOKS)):
            with open(os.path.join(cls.made, name), "wb") as f:
                f.write(data)
        env = dict(os.environ, LLVM_OBJCOPY="objcopy")
        for line in ("gcc -g -O1 -c f.c -o small", "pahole -J --btf_encode_force small",
                     "gcc -shared -fPIC -o hooks.so hooks.c",
                     BTFLOCS + " encode -o want small"):
            subprocess.run(line.split(), check=True, cwd=cls.made, env=env,
                           stdout=subprocess.DEVNULL)
        with open(os.path.join(cls.made, "want"), "rb") as f:
            cls.want = f.read()
        cls.small = os.path.getsize(os.path.join(cls.made, "small"))

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="btflocs-cut-")
        self.addCleanup(shutil.rmtree, self.dir)

    def path(self, name):
        return os.path.join(self.dir, name)

    def take(self, name, to="o"):
        """The object; the large one has a hole behind it."""
        shutil.copyfile(os.path.join(self.made, "small"), self.path(to))
        if name == "large":
            os.truncate(self.path(to), LARGE)

    def start(self, *args, program=BTFLOCS, env=None):
        return subprocess.Popen([program, *args], cwd=self.dir, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=env)

    def hooked(self, size=0, **env):
        return file_hooks.preloading(os.path.join(self.made, "hooks.so"), STOP_READING=str(size),
                                     **env)

    def held(self, *args, size=0, **kw):
        """Started, and stopped before it reads the DWARF of an object of @size bytes or more."""
        p = self.start(*args, env=self.hooked(size, **kw))
        self.addCleanup(p.kill)
        self.wait("reading", p)
        return p

    def wait(self, name, p):
        for _ in range(10000):
            if os.path.exists(self.path(name)):
                return
            self.assertIsNone(p.poll(), p.poll() is not None and p.communicate())
            time.sleep(0.005)
        self.fail("no " + name)

    def go_on(self, *names):
        for name in names:
            os.unlink(self.path(name))

    def ends(self, p, status, err):
        self.assertEqual((p.communicate(timeout=60), p.returncode), (("", err), status))

    def names(self):
        return sorted(os.listdir(self.dir))


class Held(Case):
    def test_mapped(self):
        """Cut when libelf has mapped it: whichever thread meets it, it is one line."""
        for jobs in ("-j1", "-j4"):
            for size in (0, 4096, self.small // 2):
                self.take("large")
                p = self.held("encode", jobs, "-o", "out", "o")
                os.truncate(self.path("o"), size)
                # all the workers
                while p.poll() is None:
                    if os.path.exists(self.path("reading")):
                        self.go_on("reading")
                    time.sleep(0.002)
                out, err = p.communicate()
                self.assertEqual((p.returncode, out), (2, ""))
                self.assertIn(err, ("btflocs: o%s\n" % MAPPED, "btflocs: o%s\n" % CUT))
                if size == 0:
                    self.assertEqual(err, "btflocs: o%s\n" % MAPPED)
                self.assertEqual(self.names(), ["o"])

    def test_last_page(self):
        """Behind the end, within the last page, are zeros and no signal: not believed."""
        self.take("large")
        p = self.held("encode", "-j1", "-o", "out", "o")
        os.truncate(self.path("o"), LARGE - 1)
        self.go_on("reading")
        self.ends(p, 2, "btflocs: o%s\n" % CUT)
        self.assertEqual(self.names(), ["o"])

    def test_changed(self):
        self.take("large")
        p = self.held("encode", "-j1", "-o", "out", "o")
        with open(self.path("o"), "r+b") as f:
            f.seek(LARGE - 1)
            f.write(b"x")
        self.go_on("reading")
        self.ends(p, 2, "btflocs: o: was changed while it was read\n")
        self.assertEqual(self.names(), ["o"])

    def test_small(self):
        """It is read: no signal. What was read before and after is not of one file."""
        self.take("small")
        p = self.held("encode", "-j1", "-o", "out", "o")
        os.truncate(self.path("o"), 0)
        self.go_on("reading")
        self.ends(p, 2, "btflocs: o%s\n" % CUT)
        self.assertEqual(self.names(), ["o"])

    def test_small_of_several(self):
        """The others get theirs."""
        for name in ("a", "b"):
            self.take("small", name)
        os.mkdir(self.path("d"))
        p = self.held("encode", "-q", "-j1", "-o", "d", "a", "b")
        os.truncate(self.path("a"), 100)
        self.go_on("reading")
        self.wait("reading", p)
        self.go_on("reading")
        self.ends(p, 1, "btflocs: a%s\n" % CUT)
        self.assertEqual(os.listdir(self.path("d")), ["b.func_info"])

    def test_names_of_others(self):
        """What another worker is writing at that time is taken away too."""
        self.take("small", "a")
        self.take("large", "b")
        os.mkdir(self.path("d"))
        p = self.held("encode", "-j2", "-o", "d", "a", "b", size=LARGE, STOP_WRITING="1")
        self.wait("writing", p)
        self.assertEqual(len(os.listdir(self.path("d"))), 1)
        os.truncate(self.path("b"), 0)
        self.go_on("reading")
        self.ends(p, 2, "btflocs: b%s\n" % MAPPED)
        self.assertEqual(os.listdir(self.path("d")), [])

    def test_other_signal(self):
        """A SIGBUS that somebody sends is none of a file's."""
        self.take("large")
        p = self.held("encode", "-j1", "-o", "out", "o")
        p.send_signal(signal.SIGBUS)
        self.ends(p, -signal.SIGBUS, "")


class Random(Case):
    def moments(self, args, nr):
        """How often it was read to the end, and how often it was not."""
        rand = random.Random(9)
        self.take("large")
        start = time.monotonic()
        self.ends(self.start("encode", *args), 0, "")
        whole = time.monotonic() - start
        met = [0, 0]
        for _ in range(nr):
            for name in self.names():
                os.unlink(self.path(name))
            self.take("large")
            p = self.start("encode", *args)
            time.sleep(rand.random() * whole)
            os.truncate(self.path("o"), rand.choice((0, rand.randrange(self.small))))
            out, err = p.communicate(timeout=60)
            self.assertEqual(out, "")
            self.assertIn(p.returncode, (0, 2))
            if p.returncode:
                self.assertRegex(err, r"\Abtflocs: o: (was cut short while it was read"
                                 r"(, or its disk fails)?|not an ELF file|truncated: .*)\n\Z")
                self.assertEqual(self.names(), ["o"])
            else:
                self.assertEqual(err, "")
            met[p.returncode // 2] += 1
            yield p.returncode
        self.assertTrue(met[1])

    def test_alone(self):
        for status in self.moments(["-o", "out", "o"], MOMENTS):
            if not status:
                with open(self.path("out"), "rb") as f:
                    self.assertEqual(f.read(), self.want)

    def test_in_place(self):
        for status in self.moments(["o"], 20):
            self.assertEqual(self.names(), ["o"])
            if status:      # cut, and nothing put in its place
                self.assertLess(os.path.getsize(self.path("o")), self.small)


class Pahole(Case):
    """pahole is not ended with us, and its status is worth more than ours."""

    def run_with(self, status):
        self.take("large")
        with open(self.path("pahole"), "w", encoding="ascii") as f:
            f.write("#!/bin/sh\ncase $1 in --*version) echo 128; exit;; esac\n"
                    "while [ ! -e reading ]; do sleep 0.01; done\n"
                    "truncate -s 0 o; rm reading; sleep 0.5; touch done; exit %d\n" % status)
        os.chmod(self.path("pahole"), 0o755)
        p = self.start("--btf_encode_detached=d", "--btf_features=inline_locs", "o",
                       program=pahole_case.PAHOLE_LOCS,
                       env=self.hooked(PAHOLE_REAL="./pahole"))
        out, err = p.communicate(timeout=60)
        self.assertEqual((out, self.names()), ("", ["done", "o", "pahole"]))
        return p.returncode, err

    def test_succeeds(self):
        self.assertEqual(self.run_with(0), (2, "pahole-locs: o%s\n" % MAPPED))

    def test_fails(self):
        self.assertEqual(self.run_with(3), (3, ""))


if __name__ == "__main__":
    unittest.main()
