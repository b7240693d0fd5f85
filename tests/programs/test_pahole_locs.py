#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""pahole-locs as a user runs it: with pahole itself, and with one that notes what it gets."""
import os
import shutil
import signal
import sys
import unittest

from pahole_case import Case, PAHOLE, PAHOLE_LOCS, SECTION, contents, sections


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

        args = ["-J", "-j", "--reproducible_build", "--lang_exclude=rust"]
        self.assertEqual(self.forwarded(130, *args, "--btf_features=+inline_locs", "a.o"),
                         [*args, "--btf_features=default", "a.o"])

    def test_as_a_kernel_build_asks(self):
        """6.12's lists, of which pahole takes each for what it adds"""
        lists = ["--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,"
                 "optimized_func,consistent_func,decl_tag_kfuncs",
                 "--btf_features=+reproducible_build", "--btf_features=distilled_base"]
        args = ["-J", "-j", *lists, "--lang_exclude=rust", "--btf_base", "vmlinux", "a.o"]
        for version in (126, 127, 130, 132):
            self.assertEqual(self.forwarded(version, *args, PAHOLE_LOCS_FEATURES="inline_locs"),
                             args)

    def test_ends_before_it_encodes(self):
        for option in ("--version", "--numeric_version", "--devel_version", "--help", "--usage"):
            env = self.fake(132, FAKE_SUPPORTED="", PAHOLE_LOCS_FEATURES="inline_locs")
            self.assert_silent(self.locs("-J", option, "a.o", **env))
            self.assertEqual(self.calls()[-1], ([env["PAHOLE_REAL"], "-J", option, "a.o"],
                                                "inline_locs"))
            self.assertNotIn(SECTION, sections(self.path("a.o")))

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


if __name__ == "__main__":
    sys.exit(unittest.main())
