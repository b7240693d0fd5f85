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
import signal
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


def many(nr):
    """As many functions, inlined and not: sorts and tables need the heap."""
    return "int volatile sink;\n" + "".join("""
struct s%(i)d { int m; struct s%(i)d *next; };
static inline __attribute__((always_inline)) int in%(i)d(int a%(i)d, long b%(i)d)
{
	return sink + a%(i)d * %(i)d + (int)b%(i)d;
}
static __attribute__((noinline)) int out%(i)d(struct s%(i)d *p, int x, int unused)
{
	return in%(i)d(p->m, x) + in%(i)d(x, 3);
}
int call%(i)d(struct s%(i)d *p) { return out%(i)d(p, 3, 1) + out%(i)d(p->next, 4, 1); }
""" % {"i": i} for i in range(nr))


NO_MEMORY = re.compile(r"(btflocs|pahole-locs): (.*: )?(out of memory|"
                       r"Cannot allocate memory)\n\Z")

# elfutils 0.188 to 0.192, lib/dynamicsizehash_concurrent.c: the table of a unit's abbreviations
# grows, and what malloc() gave is asserted. No caller of libdw can keep it from that.
LIBDW_ASSERTS = re.compile(r"resize_coordinator: Assertion `htab->table' failed")

# __libdw_intern_next_unit() asks for the first entry of a unit below version 5, whether the table
# of its abbreviations could be allocated or not: four frames of libdw below dwarf_get_units().
LIBDW_VERSION_4 = re.compile(r"failed (libdw\.so\.1\+0x[0-9a-f]+ ){4}btflocs")

FAKE_PAHOLE = r"""#!/bin/sh
for arg; do
	case "$arg" in
	--numeric_version) echo %d; exit;;
	--supported_btf_features) echo encode_force,var; exit;;
	--help) echo "  --btf_gen_floats"; exit;;
	--btf_encode_detached=*) cp '%s' "${arg#*=}";;
	esac
done
"""

EXECUTED = 20       # allocations that are tried of one that ends in an execv(): more than it makes


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
    def wrong(self, good, run, is_json, several):
        """What is wrong with a run in which an allocation failed, or None."""
        if LIBDW_ASSERTS.search(run.err) and run.status == -signal.SIGABRT or (
                LIBDW_VERSION_4.match(run.callers) and run.status == -signal.SIGSEGV):
            return None if (run.files, run.out) == (self.before, "") else "leaves things"
        if run.status == good.status and run.out == good.out and run.err == good.err:
            return None if run.files == good.files else "other files"
        # of several files it is encode's word for some that failed
        if run.status != 2 and (not several or run.status != 1 or
                                good.files is None or run.files == good.files):
            return "status %d" % run.status
        if not NO_MEMORY.match(run.err):
            return "says %r" % run.err
        if several:
            # that one file could not be read says nothing of the others
            if not set(run.out.splitlines()) <= set(good.out.splitlines()):
                return "prints other things"
        elif not good.out.startswith(run.out):
            return "prints other things"
        elif is_json and run.out and is_whole_json(run.out):
            return "prints what looks whole"
        if several and run.files:
            left = {name for name, data in run.files.items()
                    if data not in (self.before.get(name), good.files.get(name))}
        else:
            left = run.files != self.before and sorted(run.files)
        return "left files: %s" % left if left else None

    def sweep(self, args, status=0, env={}, files={}, watch=lambda folder: None,
              at_most=12, is_json=False, several=False, execs=False):
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
        if not execs:
            self.assertGreater(good.total, 2, "nothing was counted")
        total = EXECUTED if execs else good.total
        step = 1 if ALL else -(-total // at_most)
        bad = []
        with ThreadPoolExecutor(2) as pool:
            # the last one is past the end: the same as without a failure
            numbers = [*range(1, total + 1, step), total + 50]
            for at, r in zip(numbers, pool.map(run, numbers)):
                what = self.wrong(good, r, is_json, several)
                if what:
                    bad.append("%d of %d: %s\n    %s" % (at, total, what, r.callers))
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
        self.reading("check", self.sec, self.sec, several=True)
        with open(self.sec, "rb") as f:
            bad = self.write("bad.func_info", f.read()[:-40])
        self.reading("check", bad, status=1)

    def objects(self, *kinds, text=PROGRAM, base=None):
        """Objects with .BTF: name -> path."""
        with open(self.path("p.c"), "w") as f:
            f.write(text)
        env = dict(os.environ, LLVM_OBJCOPY="objcopy")
        out = {}
        for name, opts in kinds:
            out[name] = self.path(name)
            self.tool("gcc", "-g", "-O2", *opts, "-o", name, "p.c")
            self.tool("pahole", "-J", *(["--btf_base", base] if base else []), name, env=env)
        return out

    def encoding(self, files, *args, **kw):
        with self.subTest(args=args):
            self.sweep([BTFLOCS, "encode", *args], files=files, watch=contents,
                       **kw)

    def test_encode(self):
        files = self.objects(("p", []), ("p.o", ["-c"]), ("4", ["-gdwarf-4"]),
                             ("z.o", ["-c", "-gz"]), ("gnu.o", ["-c", "-gz=zlib-gnu"]))
        for name, path in files.items():
            self.encoding({name: path}, "-j1", "-o", "out.fi", name)
        self.encoding(files, "-j1", "--features", "func_addrs,inline_locs", "-o", "out.gz", "p")
        self.encoding(files, "-j1", "p")
        self.encoding(files, "-j2", "-q", "p", "p.o", several=True, at_most=40)
        for tool, suffix in ("gzip", "gz"), ("xz", "xz"), ("zstd", "zst"):
            self.tool(tool, "-kq", "p.o")
            packed = "p.o." + suffix
            self.encoding({packed: self.path(packed)}, "-j1", "-o", "out.fi", packed)

    def test_encode_more(self):
        files = self.objects(("p", []))
        files.update(self.objects(("m.o", ["-c"]), text=many(3), base="p"))
        self.encoding(files, "-j1", "-B", "p", "-o", "out.fi", "m.o")
        files = self.objects(("b.o", ["-c"]), text=many(120))
        self.encoding(files, "-j1", "--features", "func_addrs,inline_locs", "-o", "out.fi", "b.o")
        self.tool(BTFLOCS, "encode", "-o", "b.fi", "b.o")
        self.base, sec = files["b.o"], self.path("b.fi")
        self.reading("list", sec)
        self.reading("stat", sec)

    def test_kernel(self):
        """An installed one, its symbols in a vmlinux or in a System.map."""
        vmlinux = self.objects(("p", []))["p"]
        with open(self.path("root.map"), "w") as f:
            subprocess.run(["nm", "p"], stdout=f, cwd=self.dir, check=True)
        btf = self.path("root/usr/lib/modules/9.9/btf")
        os.makedirs(btf)
        os.makedirs(self.path("root/boot"))
        shutil.copy(self.path("root.map"), self.path("root/boot/System.map-9.9"))
        self.tool(BTFLOCS, "encode", "--features", "inline_locs,func_addrs", "-o",
                  btf + "/vmlinux.func_info", vmlinux)
        for command in ["list"], ["find", "f"], ["stat"], ["check"]:
            for strip in False, True:
                if strip:
                    self.tool("strip", "-s", "-o", self.path("root/boot/vmlinux-9.9"), vmlinux)
                else:
                    shutil.copy(vmlinux, self.path("root/boot/vmlinux-9.9"))
                with self.subTest(command=command, strip=strip):
                    self.sweep([BTFLOCS, *command, "-k", "9.9", "--root", self.path("root")])

    def test_object(self):
        path = self.objects(("p", []))["p"]
        self.tool(BTFLOCS, "encode", path)
        for args in ["list"], ["find", path, "f"], ["stat"], ["check"]:
            for opts in [], ["-j"]:
                with self.subTest(args=args, opts=opts):
                    self.sweep([BTFLOCS, *(args if path in args else [*args, path]), *opts],
                               is_json=bool(opts))

    def pahole(self, name, version):
        """A pahole that has encoded already."""
        path = self.path(name)
        with open(path, "w") as f:
            f.write(FAKE_PAHOLE % (version, self.path("p.btf")))
        os.chmod(path, 0o755)
        return path

    def test_pahole_locs(self):
        files = self.objects(("p", []), ("p.o", ["-c"]))
        self.tool("objcopy", "-O", "binary", "--only-section=.BTF", "--set-section-flags",
                  ".BTF=alloc", "p", "p.btf")
        # what pahole leaves is there before, so that it is the same after each run
        files["out.btf"] = self.path("p.btf")
        ours = "--btf_features=encode_force,inline_locs"
        for args, env in (
                (["-J", ours, "p.o"], {}),
                (["-j", "-J", ours, "p", "p.o"], {}),
                (["-J", "--btf_encode_detached=out.btf", ours, "p"], {}),
                (["-J", "--btf_base=p", ours, "p.o"], {}),
                (["-J", "--lang_exclude=rust", "p"], {"PAHOLE_LOCS_FEATURES": "inline_locs"}),
                (["--supported_btf_features"], {}),
                (["p"], {})):
            for version in 124, 130:
                with self.subTest(args=args, version=version):
                    env = dict(env, PAHOLE_REAL=self.pahole("pahole", version))
                    self.sweep([PAHOLE_LOCS, *args], files=files, env=env, watch=contents,
                               several="p.o" in args and "p" in args, execs=args == ["p"])


if __name__ == "__main__":
    unittest.main()
