#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Each allocation of each command fails once, whoever makes it: what is printed is right,
or it is said that there was no memory.

BTFLOCS_NOMEM_ALL=1: every allocation also where the quick run takes some of them.
"""
import json
import os
import re
import shutil
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

import btf_blob as B
from btflocs_case import BTFLOCS, Case

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "../../build")
PAHOLE_LOCS = os.environ.get("PAHOLE_LOCS", os.path.join(BUILD, "pahole-locs"))
PRELOAD = os.environ.get("NOMEM_PRELOAD",
                         os.path.join(BUILD, "tests/libnomem_preload.so"))
ALL = os.environ.get("BTFLOCS_NOMEM_ALL") == "1"

PROGRAM = """
static inline __attribute__((always_inline)) int clamp_to(int v, int hi)
{
	return v > hi ? hi : v;
}
struct pair { int a; struct pair *next; union { long l; char c[8]; }; };
enum way { UP, DOWN = -1 };
int volatile sink;
static __attribute__((noinline)) int sum(struct pair *p, enum way w, int unused)
{
	return p->a + clamp_to(p->next->a, w);
}
int f(int n, int *p)
{
	sink = clamp_to(n, 100);
	return clamp_to(*p, n);
}
int main(int argc, char **argv)
{
	struct pair p = { argc, &p, { argc } };
	return f(argc, &argc) + sum(&p, UP, 3) + sum(&p, DOWN, 3);
}
"""

NO_MEMORY = re.compile(r"(btflocs|pahole-locs): (.*: )?(out of memory|"
                       r"Cannot allocate memory)\n\Z")


class Run:
    """One run: what came out, and who could not allocate."""

    def __init__(self, args, at, folder, env, watch):
        log = os.path.join(folder, "log.%s" % at)
        env = dict(os.environ, **env, LD_PRELOAD=PRELOAD, NOMEM_AT=str(at), NOMEM_LOG=log,
                   NOMEM_PROGRAM=os.path.basename(args[0]))
        p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                           env=env, timeout=60)
        self.status = p.returncode
        self.out = p.stdout.decode(errors="surrogateescape")
        self.err = p.stderr.decode(errors="surrogateescape")
        self.total, self.callers = 0, "nothing failed"
        if os.path.exists(log):
            with open(log) as f:
                for line in f:
                    if line.startswith("total "):
                        self.total = int(line[6:])
                    else:
                        self.callers = line.strip()
            os.unlink(log)
        self.files = watch(folder)


def contents(folder):
    """Name -> bytes of what is in it."""
    out = {}
    for name in os.listdir(folder):
        if not name.startswith("log."):
            with open(os.path.join(folder, name), "rb") as f:
                out[name] = f.read()
    return out


def is_whole_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


@unittest.skipIf("sanitize" in BTFLOCS.lower(), "the sanitizer has its own malloc()")
class NoMemory(Case):
    def wrong(self, good, run, is_json):
        """What is wrong with a run in which an allocation failed, or None."""
        if run.status == good.status and run.out == good.out and run.err == good.err:
            return None if run.files == good.files else "other files"
        if run.status != 2:
            return "status %d" % run.status
        if not NO_MEMORY.match(run.err):
            return "says %r" % run.err
        if not good.out.startswith(run.out):
            return "prints other things"
        if is_json and run.out and is_whole_json(run.out):
            return "prints what looks whole"
        if run.files != self.before:
            return "left files: %s" % sorted(run.files)
        return None

    def sweep(self, args, status=0, env={}, files={}, watch=lambda folder: None,
              at_most=None, is_json=False):
        """@files: name -> path, put into the folder of each run; @watch tells of it what counts."""
        def run(at):
            folder = self.path("run.%s" % at)
            os.mkdir(folder)
            for name, path in files.items():
                shutil.copy(path, os.path.join(folder, name))
            if at == 0:
                self.before = watch(folder)
            try:
                return Run(args, at, folder, env, watch)
            finally:
                shutil.rmtree(folder)

        good = run(0)
        self.assertEqual(good.status, status, good.err)
        self.assertGreater(good.total, 10)
        step = 1 if ALL or not at_most else -(-good.total // at_most)
        bad = []
        with ThreadPoolExecutor(2) as pool:
            # the last one is past the end: the same as without a failure
            numbers = [*range(1, good.total + 1, step), good.total + 50]
            for at, r in zip(numbers, pool.map(run, numbers)):
                what = self.wrong(good, r, is_json)
                if what:
                    bad.append("%d of %d: %s\n    %s" % (at, good.total, what, r.callers))
        if bad:
            self.fail("%s\n%d of %d allocations:\n%s" % (
                " ".join(args), len(bad), len(numbers), "\n".join(bad)))
        return good

    def reading(self, command, *operands, **kw):
        for opts in [], ["-j"]:
            with self.subTest(command=command, opts=opts):
                self.sweep([BTFLOCS, command, *operands, "-B", self.base, *opts],
                           is_json=bool(opts), **kw)

    def test_list(self):
        self.reading("list", self.sec)
        self.reading("list", "fdget*", self.sec)

    def test_find(self):
        self.reading("find", self.sec, "0xffffffff81000010")
        self.reading("find", self.sec, ".text+0x20")

    def test_dump(self):
        self.reading("dump", self.sec)

    def test_stat(self):
        self.reading("stat", self.sec)

    def test_check(self):
        self.reading("check", self.sec)
        self.reading("check", self.sec, self.sec)
        _, bad = B.Blob(), self.write("bad.func_info", open(self.sec, "rb").read()[:-40])
        self.reading("check", bad, status=1)

    def test_encode(self):
        with open(self.path("p.c"), "w") as f:
            f.write(PROGRAM)
        env = dict(os.environ, LLVM_OBJCOPY="objcopy")
        for name, opts in ("p", []), ("p.o", ["-c"]):
            path = self.path(name)
            self.tool("gcc", "-g", "-O2", *opts, "-o", path, "p.c")
            self.tool("pahole", "-J", path, env=env)
            for out in ["-o", "out.fi"], []:
                with self.subTest(name=name, out=out):
                    self.sweep([BTFLOCS, "encode", "-j1", *out, name], files={name: path},
                               watch=contents)


if __name__ == "__main__":
    unittest.main()
