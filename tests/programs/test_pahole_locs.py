#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""pahole-locs as a user runs it: with pahole itself, and with one that notes what it gets."""
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "..", "..", "build")
BTFLOCS = os.path.abspath(os.environ.get("BTFLOCS", os.path.join(BUILD, "btflocs")))
PAHOLE_LOCS = os.path.abspath(os.environ.get("PAHOLE_LOCS",
                                             os.path.join(BUILD, "pahole-locs")))
PAHOLE = shutil.which("pahole")
SECTION = ".BTF.func_info"

A_C = """
struct s { int a; long b; };
static inline int add(int a, int b) { return a + b; }
extern int g(int);
int f(struct s *s) { return g(add(s->a, 3)) + g(add(g(1), 2)); }
"""
C_C = """
struct t { long q; };
static inline long twice(long v) { return v + v; }
extern long h(long);
long k(struct t *t) { return h(twice(t->q)); }
"""

# What a pahole of the given version would say; everything else it notes and then does
# what the environment tells it to.
FAKE = r"""#!/bin/sh
case "$1" in
--numeric_version) echo "$FAKE_VERSION"; exit 0;;
--supported_btf_features) echo "$FAKE_SUPPORTED"; exit 0;;
--help) [ "$FAKE_VERSION" -lt 126 ] && exec "$FAKE_HELP_OF" --help; echo; exit 0;;
esac
{ printf '%s\037' "$0" "$@"; echo "${PAHOLE_LOCS_FEATURES-unset}"; } >>"$FAKE_LOG"
[ -n "$FAKE_SH" ] && eval "$FAKE_SH"
[ -n "$FAKE_SIGNAL" ] && kill -"$FAKE_SIGNAL" $$
[ -n "$FAKE_EXEC" ] && exec "$FAKE_EXEC" "$@"
exit "${FAKE_STATUS:-0}"
"""


def sections(path):
    """name -> bytes of a 64-bit little-endian ELF file, read by hand"""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:6] == b"\x7fELF\2\1", path
    shoff, = struct.unpack_from("<Q", data, 40)
    size, number, names = struct.unpack_from("<HHH", data, 58)
    heads = [struct.unpack_from("<IIQQQQ", data, shoff + i * size) for i in range(number)]
    strs = heads[names][4]
    out = {}
    for head in heads:
        at = strs + head[0]
        name = data[at:data.index(b"\0", at)].decode()
        out[name] = b"" if head[1] == 8 else data[head[4]:head[4] + head[5]]
    return out


def contents(path):
    with open(path, "rb") as file:
        return file.read()


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for tool in (PAHOLE, PAHOLE_LOCS, shutil.which("gcc")):
            if not tool or not os.access(tool, os.X_OK):
                raise AssertionError(f"needed for this test and not there: {tool}")
        cls.made = tempfile.mkdtemp(prefix="pahole-locs.made.")
        # for a user who may not look into the folder that it was built in
        os.chmod(cls.made, 0o755)
        cls.program = shutil.copy(PAHOLE_LOCS, cls.made)
        for name, text, flags in (("a", A_C, "-g"), ("c", C_C, "-g"), ("n", A_C, "-g0")):
            source = os.path.join(cls.made, name + ".c")
            with open(source, "w", encoding="ascii") as file:
                file.write(text)
            subprocess.run(["gcc", "-O2", flags, "-c", source, "-o", source[:-1] + "o"],
                           check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="pahole-locs.")
        self.addCleanup(shutil.rmtree, self.dir)
        os.chmod(self.dir, 0o755)
        for name in ("a.o", "c.o", "n.o"):
            shutil.copy(os.path.join(self.made, name), self.dir)
        self.log = os.path.join(self.dir, "log")

    def path(self, name):
        return os.path.join(self.dir, name)

    def run_in(self, *command, env=None, **kwargs):
        full = {k: v for k, v in os.environ.items() if not k.startswith(("PAHOLE", "FAKE"))}
        full.update(env or {})
        return subprocess.run(command, cwd=self.dir, env=full, capture_output=True,
                              timeout=120, check=False, **kwargs)

    def locs(self, *args, **env):
        return self.run_in(PAHOLE_LOCS, *args, env=env)

    def fake(self, version, folder="fake", **env):
        """an environment in which the real pahole is the one that notes"""
        os.makedirs(self.path(folder), exist_ok=True)
        path = self.path(folder + "/pahole")
        with open(path, "w", encoding="ascii") as file:
            file.write(FAKE)
        os.chmod(path, 0o755)
        out = {"PAHOLE_REAL": path, "FAKE_VERSION": str(version), "FAKE_LOG": self.log,
               "FAKE_HELP_OF": PAHOLE,
               "FAKE_SUPPORTED": "encode_force,var,float,decl_tag,type_tag,enum64"}
        out.update(env)
        return out

    def nobody(self, *names):
        """how to run something that has to heed permissions; @names become its own"""
        if os.getuid():
            return {}
        for name in names:
            os.chown(self.path(name), 65534, 65534)
        return {"user": 65534, "group": 65534, "extra_groups": []}

    def calls(self):
        """the noted calls: [[argv0, ...], PAHOLE_LOCS_FEATURES]"""
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="ascii") as file:
            lines = [line.rstrip("\n").split("\037") for line in file]
        return [(line[:-1], line[-1]) for line in lines]

    def assert_line(self, result, status, *parts):
        """that status, and on stderr one line of ours with these parts"""
        text = result.stderr.decode()
        self.assertEqual(result.returncode, status, text)
        ours = [x for x in text.splitlines() if x.startswith("pahole-locs: ")]
        self.assertEqual(len(ours), 1, text)
        for part in parts:
            self.assertIn(part, ours[0])

    def assert_silent(self, result, status=0):
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertNotIn(b"pahole-locs", result.stderr)


class PassThrough(Case):
    """without one of our features it is pahole, byte for byte"""

    def same(self, *args, env=None):
        real = self.run_in(PAHOLE, *args, env=env)
        ours = self.run_in(PAHOLE_LOCS, *args, env=dict(env or {}, PAHOLE_REAL=PAHOLE))
        self.assertEqual((ours.returncode, ours.stdout, ours.stderr),
                         (real.returncode, real.stdout, real.stderr), args)
        return real

    def test_print_and_end(self):
        for args in (["--version"], ["--numeric_version"], ["--help"], ["--usage"], ["-?"]):
            self.assertTrue(self.same(*args).stdout)

    def test_structs(self):
        self.assertIn(b"struct s {", self.same("a.o").stdout)
        self.assertIn(b"struct s {", self.same("-C", "s", "a.o").stdout)
        self.assertIn(b"0x8", self.same("--hex", "-Cs", "a.o").stdout)
        self.same("--sizes", "a.o", "c.o")

    def test_errors(self):
        self.assertNotEqual(self.same("--bogus").returncode, 0)
        self.assertNotEqual(self.same("-C").returncode, 0)
        self.assertNotEqual(self.same("-J", "nosuch.o").returncode, 0)
        self.assertNotEqual(self.same("-J", "n.o").returncode, 0)
        # 1.24 does not know the option, and without ours we do not help it
        self.same("--btf_features=default", "a.o")

    def test_features_without_encoding(self):
        self.same("a.o", env={"PAHOLE_LOCS_FEATURES": "inline_locs"})
        self.same("--version", env={"PAHOLE_LOCS_FEATURES": "nonsense"})

    def test_encode_without_ours(self):
        shutil.copy(self.path("a.o"), self.path("real.o"))
        self.assertEqual(self.run_in(PAHOLE, "-J", "real.o").returncode, 0)
        self.assert_silent(self.locs("-J", "a.o"))
        self.assertEqual(contents(self.path("a.o")), contents(self.path("real.o")))

    def test_arguments_are_the_same(self):
        env = self.fake(128)
        args = ["-J", "--btf_features=default,new", "--lang", "c", "", "a b", "--", "-x"]
        self.assert_silent(self.locs(*args, **env))
        self.assertEqual(self.calls(), [([env["PAHOLE_REAL"]] + args, "unset")])

    def test_status_and_signal(self):
        self.assertEqual(self.locs("x", **self.fake(128, FAKE_STATUS="7")).returncode, 7)
        result = self.locs("x", **self.fake(128, FAKE_SIGNAL="KILL"))
        self.assertEqual(result.returncode, -signal.SIGKILL)


class Finding(Case):
    """which program is the real pahole"""

    def test_path_order(self):
        one, two = self.fake(124, "one"), self.fake(124, "two")
        path = f"{self.path('none')}:{self.path('two')}:{self.path('one')}:/usr/bin:/bin"
        one.pop("PAHOLE_REAL")
        self.assert_silent(self.locs("x", **dict(one, PATH=path)))
        self.assertEqual(self.calls()[0][0][0], two["PAHOLE_REAL"])

    def test_not_itself(self):
        env = self.fake(124, "two")
        os.mkdir(self.path("self"))
        os.symlink(PAHOLE_LOCS, self.path("self/pahole"))
        path = f"{self.path('self')}:{self.path('two')}:/usr/bin:/bin"
        real = env.pop("PAHOLE_REAL")
        result = self.run_in("pahole", "x", env=dict(env, PATH=path))
        self.assert_silent(result)
        self.assertEqual([c[0][0] for c in self.calls()], [real])

    def test_not_a_program(self):
        env = self.fake(124, "two")
        os.makedirs(self.path("dir/pahole"))
        os.mkdir(self.path("text"))
        with open(self.path("text/pahole"), "w", encoding="ascii") as file:
            file.write("no program")
        path = f"{self.path('dir')}:{self.path('text')}:{self.path('two')}:/usr/bin:/bin"
        real = env.pop("PAHOLE_REAL")
        self.assert_silent(self.locs("x", **dict(env, PATH=path)))
        self.assertEqual(self.calls()[0][0][0], real)

    def test_by_name(self):
        env = self.fake(124, "two")
        os.rename(env["PAHOLE_REAL"], self.path("two/pahole-next"))
        path = f"{self.path('two')}:/usr/bin:/bin"
        self.assert_silent(self.locs("x", **dict(env, PATH=path, PAHOLE_REAL="pahole-next")))
        self.assertEqual(self.calls()[0][0][0], self.path("two/pahole-next"))

    def test_none(self):
        self.assert_line(self.locs("--version", PATH=self.path("none")), 2,
                         "no pahole in PATH", "PAHOLE_REAL")

    def test_wrong_variable(self):
        for value, why in ((self.path("gone"), "No such file"), (self.dir, "directory"),
                           (self.path("a.o"), "Permission denied"),
                           (PAHOLE_LOCS, "is pahole-locs itself")):
            result = self.locs("--version", PAHOLE_REAL=value)
            self.assert_line(result, 2, value, why)

    def test_empty_variable_is_none(self):
        self.assertEqual(self.locs("--version", PAHOLE_REAL="").stdout, b"v1.24\n")

    def test_loop_ends(self):
        script = self.path("wrapper")
        with open(script, "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\nexec {PAHOLE_LOCS} "$@"\n')
        os.chmod(script, 0o755)
        self.assert_line(self.locs("--version", PAHOLE_REAL=script), 2, "PAHOLE_REAL")
        result = self.locs("-J", "--btf_features=inline_locs", "a.o", PAHOLE_REAL=script)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"PAHOLE_REAL", result.stderr)


class Forwarding(Case):
    """what the real pahole gets where one of our features is asked for"""

    def forwarded(self, version, *args, **env):
        self.locs(*args, **self.fake(version, FAKE_STATUS="3", **env))
        calls = self.calls()
        self.assertEqual(len(calls), 1)
        os.unlink(self.log)
        self.assertEqual(calls[0][1], "unset")
        return calls[0][0][1:]

    def test_new(self):
        self.assertEqual(self.forwarded(128, "-J", "--btf_features=var,inline_locs", "a.o"),
                         ["-J", "--btf_features=var", "a.o"])
        self.assertEqual(self.forwarded(128, "-J", "--btf_features=inline_locs", "a.o"),
                         ["-J", "a.o"])

    def test_old(self):
        self.assertEqual(
            self.forwarded(124, "-J", "--btf_features=default,inline_locs", "a.o"),
            ["-J", "--btf_encode_force", "--btf_gen_floats", "a.o"])
        self.assertEqual(
            self.forwarded(124, "-J", "--btf_features=float,type_tag,inline_locs", "a.o"),
            ["-J", "--skip_encoding_btf_vars", "--btf_gen_floats",
             "--skip_encoding_btf_decl_tag", "--skip_encoding_btf_enum64", "a.o"])

    def test_not_ours(self):
        """What is no feature is ignored in a list, as pahole does, else an error"""
        for args in (["-J", "--btf_features=func_addr", "a.o"],
                     ["-J", "--btf_features=var,func_addr,inline_locs", "a.o"]):
            want = [x.replace(",inline_locs", "") for x in args]
            self.assertEqual(self.forwarded(128, *args), want)
        self.assertEqual(
            self.forwarded(124, "-J", "--btf_features=default,func_addr,inline_locs", "a.o"),
            ["-J", "--btf_encode_force", "--btf_gen_floats", "a.o"])
        for version in (124, 128):
            env = self.fake(version)
            self.assert_line(self.locs("-J", "--btf_features_strict=inline_locs,func_addr",
                                       "a.o", **env), 2, "unknown feature 'func_addr'")
            self.assert_line(self.locs("-J", "a.o", PAHOLE_LOCS_FEATURES="func_addr", **env),
                             2, "unknown feature 'func_addr' in PAHOLE_LOCS_FEATURES")
        self.assertEqual(self.calls(), [])

    def test_environment(self):
        self.assertEqual(self.forwarded(124, "-J", "--btf_base", "b", "a.o",
                                        PAHOLE_LOCS_FEATURES="inline_locs"),
                         ["-J", "--btf_base", "b", "a.o"])
        self.assert_line(self.locs("-J", "a.o", PAHOLE_LOCS_FEATURES="inlin_locs"), 2,
                         "unknown feature 'inlin_locs' in PAHOLE_LOCS_FEATURES")

    def test_list_of_features(self):
        result = self.locs("--supported_btf_features", PAHOLE_REAL=PAHOLE)
        self.assert_silent(result)
        self.assertEqual(result.stdout, b"encode_force,var,float,decl_tag,type_tag,enum64,"
                                        b"inline_locs,func_addrs\n")
        result = self.locs("--supported_btf_features",
                           **self.fake(131, FAKE_SUPPORTED="var,new"))
        self.assertEqual(result.stdout, b"var,new,inline_locs,func_addrs\n")

    def test_strict(self):
        before = contents(self.path("a.o"))
        for version in (124, 128):
            for names in ("x,inline_locs", "inline_locs,var,x", "x", "var,x"):
                result = self.locs("-J", f"--btf_features_strict={names}", "a.o",
                                   **self.fake(version))
                self.assert_line(result, 2)
                self.assertEqual(result.stderr, b"pahole-locs: unknown feature 'x' in "
                                                b"--btf_features_strict\n")
        self.assertEqual(self.calls(), [])
        self.assertEqual(contents(self.path("a.o")), before)

    def test_not_a_pahole(self):
        result = self.locs("-J", "--btf_features=inline_locs", "a.o", PAHOLE_REAL="/bin/true")
        self.assert_line(result, 2, "/bin/true", "version")


class Failing(Case):
    """where pahole fails, its status is ours and nothing of ours is written"""

    def encode(self, *args, **env):
        return self.locs("-J", "--btf_features=inline_locs", *args, **env)

    def test_status_and_signal(self):
        before = contents(self.path("a.o"))
        result = self.encode("a.o", **self.fake(128, FAKE_STATUS="5"))
        self.assert_silent(result, 5)
        result = self.encode("a.o", **self.fake(128, FAKE_SIGNAL="SEGV"))
        self.assert_silent(result, 128 + signal.SIGSEGV)
        result = self.locs("--btf_encode_detached=x.btf", "a.o",
                           **self.fake(124, FAKE_STATUS="1",
                                       PAHOLE_LOCS_FEATURES="inline_locs"))
        self.assert_silent(result, 1)
        self.assertEqual(contents(self.path("a.o")), before)
        self.assertEqual(sorted(os.listdir(self.dir)), ["a.o", "c.o", "fake", "log", "n.o"])

    def test_as_pahole_says_it(self):
        with open(self.path("text"), "w", encoding="ascii") as file:
            file.write("not ELF\n")
        with open(self.path("cut.o"), "wb") as file:
            file.write(contents(self.path("a.o"))[:2000])
        open(self.path("empty"), "wb").close()
        for name in ("nosuch.o", "n.o", "text", "cut.o", "empty"):
            real = self.run_in(PAHOLE, "-J", name)
            ours = self.encode(name)
            self.assertNotEqual(real.returncode, 0)
            self.assertEqual((ours.returncode, ours.stderr), (real.returncode, real.stderr))
        self.assertNotIn(SECTION, sections(self.path("n.o")))

    def test_a_file_of_many(self):
        result = self.encode("a.o", "nosuch.o")
        self.assert_silent(result, 1)
        self.assertNotIn(SECTION, sections(self.path("a.o")))

    def test_folder_not_writable(self):
        """pahole can write over the object's bytes, we cannot make a new file"""
        self.assertEqual(self.run_in(PAHOLE, "-J", "a.o").returncode, 0)
        nobody = self.nobody("a.o")
        os.chmod(self.dir, 0o555)
        result = self.run_in(self.program, "-J", "--btf_features=inline_locs", "a.o", **nobody)
        os.chmod(self.dir, 0o755)
        self.assert_line(result, 2, "a.o", "Permission denied")
        self.assertNotIn(SECTION, sections(self.path("a.o")))

    def test_read_only(self):
        nobody = self.nobody()
        os.chmod(self.path("a.o"), 0o444)
        before = contents(self.path("a.o"))
        result = self.run_in(self.program, "-J", "--btf_features=inline_locs", "a.o", **nobody)
        self.assert_silent(result, self.run_in(PAHOLE, "-J", "a.o", **nobody).returncode)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(contents(self.path("a.o")), before)

    def test_ours_cannot_be_written(self):
        os.mkdir(self.path("x.btf.func_info"))
        result = self.locs("--btf_encode_detached=x.btf", "--btf_features=inline_locs", "a.o")
        self.assert_line(result, 2, "x.btf.func_info")
        self.assertTrue(contents(self.path("x.btf")))

    def test_no_btf_came_of_it(self):
        """a pahole that says it succeeded"""
        self.assert_line(self.encode("a.o", **self.fake(128)), 2, "a.o", ".BTF")

    def test_detached_takes_one(self):
        result = self.locs("--btf_encode_detached=x", "--btf_features=inline_locs",
                           "a.o", "c.o")
        self.assert_line(result, 2, "one object file")
        self.assertFalse(os.path.exists(self.path("x")))


class Encoding(Case):
    """both halves"""

    def encode(self, *args, **env):
        result = self.locs("--btf_features=inline_locs", *args, **env)
        self.assert_silent(result)
        return result

    def check(self, *args):
        result = self.run_in(BTFLOCS, "check", *args)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)

    def sites(self, *args):
        """(function, offset) of every site"""
        return sorted((r["func"], r["offset"]) for r in self.records(*args)
                      if r["kind"] != "func")

    def records(self, *args):
        result = self.run_in(BTFLOCS, "list", "-j", *args)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def functions(self, *args):
        """(function, offset) of every function out of line that has a record"""
        return sorted((r["func"], r["offset"]) for r in self.records(*args)
                      if r["kind"] == "func")

    def symbols(self, name):
        """the same of every function's symbol, from nm"""
        text = subprocess.run(["nm", self.path(name)], check=True, capture_output=True,
                              text=True).stdout
        return sorted((w[2], int(w[0], 16)) for w in map(str.split, text.splitlines())
                      if w[1] in "tT")

    def dwarf_sites(self, name):
        """the same, from llvm-dwarfdump's text"""
        text = subprocess.run(["llvm-dwarfdump", "--debug-info", self.path(name)], check=True,
                              capture_output=True, text=True).stdout
        out = []
        for die in re.split(r"\n\n", text):
            if "DW_TAG_inlined_subroutine" in die:
                func = re.search(r'DW_AT_abstract_origin\s+\(0x\w+ "(\w+)"\)', die)
                pc = re.search(r"DW_AT_entry_pc\s+\((0x\w+)", die)
                out.append((func.group(1), int(pc.group(1), 16)))
        return sorted(out)

    def real_btf(self, *args):
        """what pahole alone makes of a copy of the first file"""
        with tempfile.TemporaryDirectory() as where:
            for name in ("a.o", "c.o"):
                shutil.copy(os.path.join(self.made, name), where)
            subprocess.run([PAHOLE, *args], cwd=where, check=True)
            return sections(os.path.join(where, "a.o"))[".BTF"]

    def test_in_place(self):
        os.chmod(self.path("a.o"), 0o640)
        self.encode("-J", "a.o")
        got = sections(self.path("a.o"))
        self.assertEqual(got[".BTF"], self.real_btf("-J", "a.o"))
        self.assertEqual(os.stat(self.path("a.o")).st_mode & 0o777, 0o640)
        self.check("a.o")
        want = self.dwarf_sites("a.o")
        self.assertEqual([w[0] for w in want], ["add", "add"])
        self.assertEqual(self.sites("a.o"), want)
        self.assertEqual(sorted(os.listdir(self.dir)), ["a.o", "c.o", "n.o"])

    def test_again_over_the_old_bytes(self):
        """where there is a .BTF, pahole writes into the file that we read"""
        self.encode("-J", "a.o")
        first = sections(self.path("a.o"))
        self.encode("-J", "a.o")
        again = sections(self.path("a.o"))
        self.assertEqual(again[SECTION], first[SECTION])
        self.assertEqual(again[".BTF"], first[".BTF"])
        self.check("a.o")

    def test_gnu_objcopy_cuts_the_file_first(self):
        self.encode("-J", "c.o")
        self.encode("-J", "a.o", LLVM_OBJCOPY="objcopy")
        self.check("a.o")
        self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))

    def test_written_while_it_is_copied(self):
        """a file too large to be copied first, rewritten as soon as pahole starts"""
        with open(self.path("big.c"), "w", encoding="ascii") as file:
            file.write(A_C + "char big[40 << 20] = { 1 };\n")
        subprocess.run(["gcc", "-O2", "-g", "-c", "big.c"], cwd=self.dir, check=True)
        shutil.copy(self.path("big.o"), self.path("same.o"))
        for _ in range(5):
            env = self.fake(124, FAKE_EXEC=PAHOLE, FAKE_SH="cat same.o >big.o")
            self.encode("-J", "big.o", **env)
            self.check("big.o")
            self.assertEqual(self.sites("big.o"), self.dwarf_sites("same.o"))
        self.encode("-J", "same.o", PAHOLE_REAL=PAHOLE)
        self.assertEqual(sections(self.path("big.o"))[SECTION],
                         sections(self.path("same.o"))[SECTION])

    def test_no_place_for_a_copy(self):
        """the folder of the name is not writable, that of the file is"""
        self.assertEqual(self.run_in(PAHOLE, "-J", "a.o").returncode, 0)
        nobody = self.nobody("a.o", ".")
        os.mkdir(self.path("fixed"))
        os.symlink("../a.o", self.path("fixed/link.o"))
        os.chmod(self.path("fixed"), 0o555)
        self.assert_silent(self.run_in(self.program, "-J", "--btf_features=inline_locs",
                                       "fixed/link.o", **nobody))
        self.assertTrue(os.path.islink(self.path("fixed/link.o")))
        self.check("a.o")
        self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))

    def test_detached(self):
        before = contents(self.path("a.o"))
        self.encode("--btf_encode_detached=x.btf", "a.o")
        self.assertEqual(contents(self.path("a.o")), before)
        self.assertEqual(contents(self.path("x.btf")), self.real_btf("-J", "a.o"))
        self.check("x.btf.func_info")
        self.check("x.btf.func_info", "-B", "x.btf")
        self.assertEqual(self.sites("x.btf.func_info"), self.dwarf_sites("a.o"))
        self.encode("-J", "a.o")
        self.assertEqual(sections(self.path("a.o"))[SECTION],
                         contents(self.path("x.btf.func_info")))

    def test_ways_to_ask(self):
        self.encode("-J", "a.o")
        want = sections(self.path("a.o"))[SECTION]
        for args, env in ((["-J", "a.o"], {"PAHOLE_LOCS_FEATURES": "inline_locs"}),
                          (["-J", "--btf_features_strict=inline_locs", "a.o"], {}),
                          (["-Jj2", "--btf_features", "inline_locs", "a.o"], {}),
                          (["-J", "--jobs=3", "--btf_features=inline_locs", "a.o"], {})):
            shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
            self.assert_silent(self.locs(*args, **env))
            self.assertEqual(sections(self.path("a.o"))[SECTION], want, args)

    def test_all(self):
        for name in ("all", "all,inline_locs"):
            shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
            self.assert_silent(self.locs("-J", f"--btf_features={name}", "a.o"))
            self.check("a.o")
            self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))
            self.assertEqual(self.functions("a.o"), self.symbols("a.o"))

    def test_functions(self):
        """func_addrs alone: every function, and no site"""
        for args, env in ((["-J", "--btf_features=func_addrs", "a.o"], {}),
                          (["-J", "a.o"], {"PAHOLE_LOCS_FEATURES": "func_addrs"})):
            shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
            self.assert_silent(self.locs(*args, **env))
            self.check("a.o")
            self.assertEqual(self.sites("a.o"), [])
            self.assertEqual(self.functions("a.o"), self.symbols("a.o"))
            self.assertNotEqual(self.functions("a.o"), [])

    def test_on_a_base(self):
        self.assertEqual(self.run_in(PAHOLE, "-J", "c.o").returncode, 0)
        self.encode("-J", "--btf_base", "c.o", "a.o")
        self.check("a.o", "-B", "c.o")
        self.assertEqual(self.sites("a.o", "-B", "c.o"), self.dwarf_sites("a.o"))
        shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
        self.encode("--btf_base=c.o", "--btf_encode_detached=m.btf", "a.o")
        self.check("m.btf.func_info", "-B", "c.o", "-B", "m.btf")

    def test_several(self):
        """pahole puts all types into the first file; each has its own sites"""
        self.encode("-J", "a.o", "c.o")
        self.assertEqual(sections(self.path("a.o"))[".BTF"], self.real_btf("-J", "a.o", "c.o"))
        self.assertNotIn(".BTF", sections(self.path("c.o")))
        self.check("a.o")
        self.check("c.o", "-B", "a.o")
        self.assertEqual(self.sites("a.o"), self.dwarf_sites("a.o"))
        self.assertEqual(self.sites("c.o", "-B", "a.o"), self.dwarf_sites("c.o"))

    def test_one_of_several_fails(self):
        """the others get theirs"""
        env = self.fake(124, FAKE_EXEC=PAHOLE, FAKE_SH="chmod 600 c.o; echo >c.o; set -- -J a.o")
        result = self.locs("-J", "--btf_features=inline_locs", "c.o", "a.o", **env)
        self.assert_line(result, 2, "c.o")
        self.check("a.o")

    def test_verbose(self):
        result = self.encode("-J", "-V", "a.o")
        self.assertIn(b"bytes of .BTF.func_info", result.stderr)
        self.assertNotIn(b"bytes of", self.encode("-J", "a.o").stderr)

    def test_language(self):
        self.encode("-J", "--lang_exclude=rust", "a.o")
        self.assertEqual(len(self.sites("a.o")), 2)
        shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
        subprocess.run(["ld", "-r", "a.o", "c.o", "-o", "m.o"], cwd=self.dir, check=True)
        self.encode("-J", "--lang=c11,c99,c", "m.o")
        self.assertEqual(len(self.sites("m.o")), 3)


if __name__ == "__main__":
    sys.exit(unittest.main())
