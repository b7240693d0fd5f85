#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""libbtf_locs as a packager installs it: its names, what it exports, a program against it."""
import fnmatch
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import btflocs_case

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
BUILD = os.path.realpath(os.environ.get("BUILD_DIR", os.path.join(ROOT, "build")))
# the sanitizers', if the library was built with them
CFLAGS = shlex.split(os.environ.get("LIBRARY_CFLAGS", ""))

# of the sample section: those whose parameter is a LOC_PARAM with REG alone (id 14, "di")
IN_REGISTERS = """\
0xffffffff81000010 fdget_pos: fd in di
0xffffffff81000010 own:  in di
0xffffffff820000ff fdget_pos: fd in di
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def out(*args, **kw):
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, text=True, **kw).stdout


def one(pattern, text):
    found = re.findall(pattern, text, re.M)
    if len(set(found)) != 1:
        raise AssertionError(f"{pattern}: {found}")
    return found[0]


def declared():
    """The functions of btf_locs.h."""
    text = re.sub(r"/\*.*?\*/", "", read("btf_locs.h"), flags=re.S)
    return sorted(re.findall(r"\b(btf_locs__\w+)\s*\(", text))


def example():
    """The program in libbtf_locs(3)."""
    text = read("man-pages/libbtf_locs.3").split(".SH EXAMPLE")[1]
    return text.split(".EX\n")[1].split(".EE\n")[0].replace("\\-", "-").replace("\\e", "\\")


class Versions(unittest.TestCase):
    """CMakeLists.txt says it; all others must say the same."""

    def test_one_version(self):
        version = one(r"^project\(btf-locs VERSION (\d+\.\d+\.\d+)\b", read("CMakeLists.txt"))
        short = version.rpartition(".")[0]
        header = read("btf_locs.h")
        self.assertEqual(".".join(one(rf"^#define BTF_LOCS_VERSION_{n} (\d+)$", header)
                                  for n in ("MAJOR", "MINOR")), short)
        changelog = read("debian/changelog")
        self.assertEqual(re.match(r"btf-locs \(([^)]+)\)", changelog)[1], version)
        for path in ("NEWS", "README"):
            self.assertEqual(re.match(r"btf-locs (\d[\d.]*\d)", read(path))[1], short, path)
        for page in os.listdir(os.path.join(ROOT, "man-pages")):
            self.assertEqual(one(r'^\.TH .*"btf-locs ([\d.]+)"', read("man-pages/" + page)),
                             short, page)
        self.assertEqual(out(btflocs_case.BTFLOCS, "--version"), f"btflocs {short}\n")
        self.assertEqual(one(r"^Version: (.*)$", read(os.path.join(BUILD, "libbtf_locs.pc"))),
                         version)
        nodes = re.findall(r"^BTF_LOCS_(\S+) \{$", read("libbtf_locs.map"), re.M)
        self.assertEqual(nodes[-1], short)


class Licences(unittest.TestCase):
    """debian/copyright says of each file what the file's first lines say."""

    def test_every_file(self):
        stanzas = []
        for text in read("debian/copyright").split("\n\n"):
            fields = dict(re.findall(r"^(\w+):((?:.*\n?)(?:[ \t].*\n?)*)", text, re.M))
            if "Files" in fields:
                stanzas.append((fields["Files"].split(),
                                fields["License"].strip().replace(" or ", " OR ")))
        self.assertEqual(stanzas[0], (["*"], "GPL-2.0-only"))
        used = set()
        for folder, subs, files in os.walk(ROOT):
            subs[:] = [s for s in subs if not re.match(r"build|\.git$|__pycache__$", s)]
            for name in files:
                path = os.path.relpath(os.path.join(folder, name), ROOT)
                with open(os.path.join(ROOT, path), "rb") as f:
                    head = f.read(300).decode("latin-1")
                spdx = re.search(r"SPDX-License-Identifier: ([\w.-]+(?: OR [\w.-]+)?)", head)
                matches = [(p, licence) for patterns, licence in stanzas for p in patterns
                           if fnmatch.fnmatch(path, p)]
                used.add(matches[-1][0])
                self.assertEqual(matches[-1][1], spdx[1] if spdx else "GPL-2.0-only", path)
        self.assertEqual(used, {p for patterns, _ in stanzas for p in patterns})


class Library(btflocs_case.Case):
    @classmethod
    def setUpClass(cls):
        cls.dest = tempfile.mkdtemp(prefix="btflocs-library-")
        cls.addClassCleanup(shutil.rmtree, cls.dest)
        subprocess.run(["cmake", "--install", BUILD], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "DESTDIR": cls.dest})
        cls.found = [os.path.relpath(os.path.join(d, f), cls.dest)
                     for d, _, files in os.walk(cls.dest) for f in files]
        cls.pc_dir = os.path.dirname(cls.installed("libbtf_locs.pc"))
        cls.so = cls.installed("libbtf_locs.so.0.1.0")
        cls.a = cls.installed("libbtf_locs.a")
        cls.lib = os.path.dirname(cls.so)

    @classmethod
    def installed(cls, name):
        paths = [f for f in cls.found if ("/" + f).endswith("/" + name)]
        if len(paths) != 1:
            raise AssertionError(f"{name}: {paths} of {cls.found}")
        return os.path.join(cls.dest, paths[0])

    def pkg_config(self, *args):
        """As for a system that is installed in a folder: only our .pc is looked for there."""
        env = {**os.environ, "PKG_CONFIG_PATH": self.pc_dir}
        text = out("pkg-config", *args, "libbtf_locs", env=env)
        prefix = out("pkg-config", "--variable=prefix", "libbtf_locs", env=env).strip()
        return [re.sub(rf"^(-[IL]){prefix}/", rf"\1{self.dest}{prefix}/", w)
                for w in shlex.split(text)]

    def built(self, compiler, source, flags, libs):
        exe = self.path("consumer")
        subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", *CFLAGS, *flags, "-o", exe,
                        self.path(source), *libs], check=True)
        return exe

    def runs(self, exe, **env):
        p = subprocess.run([exe, self.sec, self.base], env={**os.environ, **env},
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual((p.returncode, p.stdout, p.stderr), (0, IN_REGISTERS, ""))
        p = subprocess.run([exe, self.base, self.base], env={**os.environ, **env},
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual((p.returncode, p.stdout), (2, ""))
        self.assertTrue(p.stderr.startswith(self.base), p.stderr)

    def test_names(self):
        dynamic = out("readelf", "-dW", self.so)
        self.assertEqual(one(r"\(SONAME\).*\[(.*)\]", dynamic), "libbtf_locs.so.0")
        self.assertEqual(os.readlink(os.path.join(self.lib, "libbtf_locs.so.0")),
                         "libbtf_locs.so.0.1.0")
        self.assertEqual(os.readlink(os.path.join(self.lib, "libbtf_locs.so")),
                         "libbtf_locs.so.0")

    def test_no_path_of_the_build(self):
        for name in ("bin/btflocs", "bin/pahole-locs", "libbtf_locs.so.0.1.0"):
            path = self.installed(name)
            self.assertNotRegex(out("readelf", "-dW", path), r"RPATH|RUNPATH")
            with open(path, "rb") as f:
                data = f.read()
            for folder in (ROOT, BUILD):
                # ASan's tables have the paths; what it is built into is not shipped
                self.assertTrue(CFLAGS or folder.encode() not in data, (name, folder))

    def test_needs_no_dwarf_and_no_json(self):
        needed = re.findall(r"\(NEEDED\).*\[(.*?)\.so", out("readelf", "-dW", self.so))
        asked = {"libelf": "libelf", "zlib": "libz", "liblzma": "liblzma",
                 "libzstd": "libzstd"}
        private = self.pkg_config("--print-requires-private")
        self.assertTrue({"libelf", "zlib"} <= set(private) <= set(asked), private)
        if not CFLAGS:    # the sanitizers bring others
            self.assertEqual(set(needed) - {"libc"}, {asked[p] for p in private})

    def test_exports(self):
        """nm, the header, the symbol map and debian's symbols file: the same functions."""
        rows = [r.split() for r in out("nm", "-D", "--defined-only", self.so).splitlines()]
        nodes = re.findall(r"^(BTF_LOCS_\S+) \{$", read("libbtf_locs.map"), re.M)
        functions = [name for _, kind, name in rows if kind != "A"]
        self.assertEqual(sorted(n.split("@@")[0] for n in functions), declared())
        self.assertEqual([n for _, kind, n in rows if kind == "A"], nodes)
        self.assertEqual({kind for _, kind, _ in rows}, {"A", "T"})
        self.assertEqual(re.findall(r"^\t(btf_locs__\w+);$", read("libbtf_locs.map"), re.M),
                         declared())
        symbols = re.findall(r"^ ([\w.]+)@(\S+) \S+$", read("debian/libbtf-locs0.symbols"), re.M)
        self.assertEqual(sorted(symbols), sorted(
            [(n, n) for n in nodes] + [tuple(n.split("@@")) for n in functions]))

    def test_man_pages_are_troff(self):
        """A line of an example that begins with a dot is a request, and is not printed."""
        for name in sorted(os.listdir(os.path.join(ROOT, "man-pages"))):
            p = subprocess.run(["man", "--warnings=w", "-l", "-Tutf8",
                                os.path.join(ROOT, "man-pages", name)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="200"))
            self.assertEqual((name, p.returncode, p.stderr), (name, 0, ""))

    def test_man_page_names_every_function(self):
        self.assertEqual(sorted(set(re.findall(r"\b(btf_locs__\w+)",
                                               read("man-pages/libbtf_locs.3")))), declared())

    def test_c_shared(self):
        self.write("c.c", example().encode())
        exe = self.built("gcc", "c.c", ["-std=c11", *self.pkg_config("--cflags")],
                         self.pkg_config("--libs"))
        self.assertIn("[libbtf_locs.so.0]", out("readelf", "-dW", exe))
        self.runs(exe, LD_LIBRARY_PATH=self.lib)

    def test_cxx_shared(self):
        self.write("c.cc", example().encode())
        exe = self.built("g++", "c.cc", ["-std=c++17", *self.pkg_config("--cflags")],
                         self.pkg_config("--libs"))
        self.assertIn("[libbtf_locs.so.0]", out("readelf", "-dW", exe))
        self.runs(exe, LD_LIBRARY_PATH=self.lib)

    def test_static(self):
        """The one archive, and what pkg-config --static names, are enough."""
        self.write("c.c", example().encode())
        libs = self.pkg_config("--static", "--libs")
        flags = ["-std=c11", *self.pkg_config("--cflags")]
        if CFLAGS:    # there is no static ASan
            libs = [w.replace("-lbtf_locs", "-l:libbtf_locs.a") for w in libs]
        else:
            flags.append("-static")
        exe = self.built("gcc", "c.c", flags, libs)
        self.assertNotIn("libbtf_locs", out("readelf", "-dW", exe))
        self.runs(exe)


if __name__ == "__main__":
    unittest.main()
