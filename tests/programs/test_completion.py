#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""bash completion: what a TAB offers, asked from bash as bash asks."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
BTFLOCS = os.environ.get("BTFLOCS", os.path.join(ROOT, "build/btflocs"))
PAHOLE_LOCS = os.environ.get("PAHOLE_LOCS", os.path.join(ROOT, "build/pahole-locs"))

# readline's words: '=' is one of its own, as in COMP_WORDBREAKS. The last is being typed.
ASK = """
source "$1" || exit 3
name=$2; shift 2
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
spec=$(complete -p "$name") || exit 3
fn=${spec#*-F }; fn=${fn%% *}
"$fn" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""

COMMANDS = ["check", "dump", "encode", "find", "help", "list", "stat"]


class Completion(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="btflocs-completion-")
        self.addCleanup(shutil.rmtree, self.dir)
        for path in ("vmlinux", "vmlinux.func_info", "two words.ko", "a*b",
                     "sys/usr/lib/modules/6.1.0-57/x", "sys/usr/lib/modules/6.12.9/x"):
            path = os.path.join(self.dir, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii"):
                pass

    def ask(self, *words, script="btflocs"):
        p = subprocess.run(["bash", "--norc", "-c", ASK, "ask",
                            os.path.join(ROOT, "completions", script), script, *words],
                           cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, timeout=30)
        self.assertEqual((p.returncode, p.stderr), (0, ""))
        return sorted(p.stdout.splitlines()) if p.stdout != "\n" else []

    def btflocs(self, *words):
        return self.ask("btflocs", *words)

    def pahole(self, *words):
        return self.ask(PAHOLE_LOCS, *words, script="pahole-locs")

    def test_commands(self):
        self.assertEqual(self.btflocs(""), sorted(COMMANDS + ["--help", "--version"]))
        self.assertEqual(self.btflocs("d"), ["dump"])
        self.assertEqual(self.btflocs("help", "st"), ["stat"])
        self.assertEqual(self.btflocs("nonsense", ""), [])
        # and the program has these
        text = subprocess.run([BTFLOCS, "help"], check=True, stdout=subprocess.PIPE,
                              text=True).stdout
        self.assertEqual(sorted(set(re.findall(r"^(?:Usage:|) +btflocs ([a-z]+)", text, re.M))),
                         COMMANDS)

    def test_options_are_the_programs(self):
        """The option tables of cmd/cmd.c, long and short."""
        with open(os.path.join(ROOT, "cmd/cmd.c"), encoding="utf-8") as f:
            tables = dict(re.findall(r"struct option (\w+)_options\[\] = \{(.*?)\n\};",
                                     f.read(), re.S))
        self.assertEqual(sorted(tables), ["encode", "read"])
        for table, commands in (("encode", ["encode"]),
                                ("read", ["check", "dump", "find", "list", "stat"])):
            rows = re.findall(r'\{ "(\w+)", \w+, NULL, (?:\'(.)\'|\w+) \}', tables[table])
            self.assertGreater(len(rows), 5)
            want = sorted(["--" + name for name, _ in rows] +
                          ["-" + short for _, short in rows if short])
            for command in commands:
                self.assertEqual(self.btflocs(command, "-"), want, command)

    def test_files(self):
        every = sorted(["vmlinux", "vmlinux.func_info", "two words.ko", "a*b", "sys"])
        for command in ("encode", "dump", "list", "find", "stat", "check"):
            self.assertEqual(self.btflocs(command, ""), every)
        self.assertEqual(self.btflocs("list", "two"), ["two words.ko"])
        self.assertEqual(self.btflocs("check", "-B", "vml"), ["vmlinux", "vmlinux.func_info"])
        self.assertEqual(self.btflocs("encode", "--base", "=", "tw"), ["two words.ko"])

    def test_releases(self):
        both = ["6.1.0-57", "6.12.9"]
        self.assertEqual(self.btflocs("dump", "--root", "sys", "-k", ""), both)
        self.assertEqual(self.btflocs("stat", "--root", "=", "sys", "--kernel", "=", "6.12"),
                         ["6.12.9"])
        self.assertEqual(self.btflocs("list", "--root", ""), ["sys"])
        # without --root: this machine's
        here = "/usr/lib/modules"
        have = sorted(e.name for e in os.scandir(here)) if os.path.isdir(here) else []
        self.assertEqual(self.btflocs("find", "-k", ""), [n for n in have if n[0] != "."])
        # encode has no -k
        self.assertIn("vmlinux", self.btflocs("encode", "-k", "vml"))

    def test_features(self):
        self.assertEqual(self.btflocs("encode", "--features", ""),
                         ["func_addrs", "inline_locs"])
        self.assertEqual(self.btflocs("encode", "--features", "="),
                         ["func_addrs", "inline_locs"])
        self.assertEqual(self.btflocs("encode", "--features", "=", "func_addrs,in"),
                         ["func_addrs,inline_locs"])
        self.assertIn("rust", self.btflocs("encode", "--lang", ""))
        self.assertEqual(self.btflocs("encode", "--lang_exclude", "c11,ru"), ["c11,rust"])

    def test_languages_are_known(self):
        """Each that is offered is accepted: the complaint is about the file."""
        for name in self.btflocs("encode", "--lang", ""):
            p = subprocess.run([BTFLOCS, "encode", "--lang", name, "/nonexistent"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.assertIn("/nonexistent", p.stderr, name)

    def test_pahole_locs(self):
        have = self.pahole("--btf_")
        for name in ("--btf_base", "--btf_encode_detached", "--btf_features"):
            self.assertIn(name, have)
        self.assertIn("-J", self.pahole("-"))
        self.assertEqual(self.pahole("--btf_features", "=", "inl"), ["inline_locs"])
        self.assertEqual(self.pahole("--btf_features", "=", "default,func_a"),
                         ["default,func_addrs"])
        self.assertEqual(self.pahole("-J", "vmlinux."), ["vmlinux.func_info"])


if __name__ == "__main__":
    unittest.main()
