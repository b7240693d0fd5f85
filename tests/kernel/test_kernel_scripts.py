#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's own scripts, 6.1's and 6.12's, with PAHOLE=pahole-locs.

They are run as they stand, or the lines in which they call pahole; with pahole itself, and
with one that says it is of another version and notes what it gets.
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(HERE, "..", "programs"))
from pahole_case import BTFLOCS, Case, PAHOLE, PAHOLE_LOCS, SECTION, sections  # noqa: E402

VERSIONS = list(range(119, 133))
SERIES = ("6.1", "6.12")

FAKE = r"""#!/bin/sh
case "$1" in
--version) echo "v1.${FAKE_VERSION#1}"; exit 0;;
--numeric_version) echo "$FAKE_VERSION"; exit 0;;
--supported_btf_features) echo "encode_force,var"; exit 0;;
esac
printf '%s\n' "$@" >"$FAKE_LOG"
for last; do :; done
cat "$FAKE_RESULT" >"$last"
"""

MAKEFILE = """
include $(srctree)/scripts/Kbuild.include
include $(srctree)/scripts/Makefile.btf
all:
	@echo '$(PAHOLE_FLAGS)'
	@echo '$(MODULE_PAHOLE_FLAGS)'
"""


def source(series):
    return subprocess.run([os.path.join(TOP, "scripts", "build-kernel"), "--series", series,
                           "--source-only"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


class KernelScripts(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.source = {series: source(series) for series in SERIES}
        cls.bin = os.path.join(cls.made, "bin")
        os.mkdir(cls.bin)
        os.symlink(PAHOLE_LOCS, os.path.join(cls.bin, "pahole-locs"))
        cls.fake_path = os.path.join(cls.bin, "other-pahole")
        with open(cls.fake_path, "w", encoding="ascii") as file:
            file.write(FAKE)
        os.chmod(cls.fake_path, 0o755)

    def setUp(self):
        super().setUp()
        self.base = {"PATH": f"{self.bin}:{os.environ['PATH']}", "LC_ALL": "C"}
        shutil.copy(self.path("a.o"), self.path("result.o"))
        subprocess.run([PAHOLE, "-J", "result.o"], cwd=self.dir, check=True)

    def say(self, *command, **env):
        done = self.run_in(*command, env=dict(self.base, **env))
        self.assertEqual((done.returncode, done.stderr), (0, b""), command)
        return done.stdout.decode()

    def script(self, series, name):
        return os.path.join(self.source[series], "scripts", name)

    def other(self, version):
        return {"FAKE_VERSION": str(version), "FAKE_LOG": self.log,
                "FAKE_RESULT": self.path("result.o")}

    def test_version(self):
        for series in SERIES:
            script = self.script(series, "pahole-version.sh")
            want = self.say("sh", script, PAHOLE)
            self.assertRegex(want, r"^1[0-9][0-9]\n$")
            for name in ("pahole-locs", PAHOLE_LOCS):
                self.assertEqual(self.say("sh", script, name), want)
                self.assertEqual(self.say("sh", script, name,
                                          PAHOLE_LOCS_FEATURES="inline_locs"), want)
            for version in VERSIONS:
                self.assertEqual(self.say("sh", script, "pahole-locs", PAHOLE_REAL=self.fake_path,
                                          **self.other(version)), f"{version}\n")

    def flags_61(self, pahole, **env):
        return self.say("sh", self.script("6.1", "pahole-flags.sh"), PAHOLE=pahole,
                        **env).split()

    def flags_612(self, version, *variables):
        """both lines of options; the version as Kconfig has found it"""
        with open(self.path("flags.mk"), "w", encoding="ascii") as file:
            file.write(MAKEFILE)
        text = self.say("make", "-s", "-f", "flags.mk", "srctree=" + self.source["6.12"],
                        f"CONFIG_PAHOLE_VERSION={version}", "CONFIG_PAHOLE_HAS_LANG_EXCLUDE=y",
                        *variables)
        return [line.split() for line in text.splitlines()]

    def received(self, version, *args, **env):
        """what the real pahole gets of pahole-locs ARGS, PAHOLE_LOCS_FEATURES set"""
        shutil.copy(os.path.join(self.made, "a.o"), self.path("a.o"))
        result = self.run_in("pahole-locs", *args, "a.o", env=dict(
            self.base, PAHOLE_REAL=self.fake_path, PAHOLE_LOCS_FEATURES="inline_locs",
            **self.other(version), **env))
        self.assertEqual((result.returncode, result.stderr), (0, b""), args)
        self.check("a.o")
        with open(self.log, encoding="ascii") as file:
            return file.read().splitlines()

    def check(self, *args):
        result = self.run_in(BTFLOCS, "check", *args)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_flags_of_6_1(self):
        """pahole-flags.sh says the same of either, and pahole gets just that"""
        seen = set()
        for version in VERSIONS:
            flags = self.flags_61("pahole-locs", PAHOLE_REAL=self.fake_path,
                                  **self.other(version))
            self.assertEqual(flags, self.flags_61(self.fake_path, **self.other(version)))
            self.assertEqual(self.received(version, "-J", *flags), ["-J", *flags, "a.o"])
            seen.update(flags)
        self.assertLessEqual({"-j", "--lang_exclude=rust", "--btf_gen_floats",
                              "--btf_gen_optimized"}, seen)

    def test_flags_of_6_12(self):
        """Makefile.btf's, of a build and of a module outside, reproducible and not"""
        seen = set()
        for version in VERSIONS:
            for variables in ((), ("KBUILD_BUILD_TIMESTAMP=1",), ("KBUILD_EXTMOD=/m",)):
                flags, module = self.flags_612(version, *variables)
                self.assertEqual(self.received(version, "-J", *flags), ["-J", *flags, "a.o"])
                self.assertEqual(self.received(version, "-J", *flags, *module),
                                 ["-J", *flags, *module, "a.o"])
                seen.update(flags + module)
        self.assertLessEqual({"-j", "--btf_features=+reproducible_build",
                              "--btf_features=distilled_base", "--lang_exclude=rust"}, seen)

    def pahole_lines(self, series, name):
        """the commands of a script in which pahole encodes, as the shell is to have them"""
        with open(self.script(series, name), encoding="utf-8") as file:
            lines = re.findall(r"LLVM_OBJCOPY=\S+ \$[({]PAHOLE[)}] -J [^;\n]*", file.read())
        return [re.sub(r"\$\((\w+)\)", r"${\1}", line).replace("$@", "${1}") for line in lines]

    def test_their_calls(self):
        """link-vmlinux.sh's and Makefile.modfinal's, with the real pahole and its options"""
        for series in SERIES:
            flags = self.flags_61("pahole-locs") if series == "6.1" else self.flags_612(124)[0]
            env = {"OBJCOPY": "objcopy", "PAHOLE_FLAGS": " ".join(flags),
                   "PAHOLE_LOCS_FEATURES": "inline_locs", "MODULE_PAHOLE_FLAGS": ""}
            for name in ("pahole-locs", PAHOLE_LOCS):
                for kind in ("a.o", "c.o"):
                    shutil.copy(os.path.join(self.made, kind), self.path(kind))
                os.rename(self.path("a.o"), self.path("vmlinux"))
                for script, file in (("link-vmlinux.sh", "vmlinux"),
                                     ("Makefile.modfinal", "c.o")):
                    lines = self.pahole_lines(series, script)
                    self.assertEqual(len(lines), 1, (series, script))
                    self.say("sh", "-c", lines[0], "sh", file, PAHOLE=name, **env)
                self.check("vmlinux")
                self.check("-B", "vmlinux", "c.o")
                self.assertTrue(sections(self.path("c.o"))[SECTION])


del Case

if __name__ == "__main__":
    sys.exit(unittest.main())
