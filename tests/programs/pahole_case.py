# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of pahole-locs share: objects, and a pahole that notes what it gets."""
import os
import shutil
import struct
import subprocess
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
