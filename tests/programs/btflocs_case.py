# SPDX-License-Identifier: GPL-2.0-only
"""The sample section that the tests of btflocs share, and how they run it."""
import os
import shutil
import subprocess
import tempfile
import unittest

import btf_blob as B

HERE = os.path.dirname(os.path.abspath(__file__))
BTFLOCS = os.environ.get("BTFLOCS", os.path.join(HERE, "../../build/btflocs"))


def build(big=False):
    """A base (11 types) and a section upon it with a record of each kind."""
    base = B.Blob(big)
    i = base.int("int", 4, 1)                        # 1
    u = base.int("unsigned int", 4)                  # 2
    s = base.type(B.STRUCT, "file", 0, 8)            # 3
    f = base.ref(B.PTR, s)                           # 4
    p = base.proto(i, ("file", f), ("fd", u))        # 5
    vfs_read = base.func("vfs_read", p)              # 6
    fdget = base.func("fdget_pos", base.proto(0, ("fd", u)))    # 7, 8
    printk = base.func("printk", base.proto(i, ("fmt", f), ("", 0)))    # 9, 10
    base.ref(B.CONST, s)                             # 11
    sec = B.Blob(big, base)
    sec.keys("btf_locs=1", "machine=62", "build_id=0123", *sec.base_keys(),
             "sec:.text=ffffffff81000000,1000", "sec:.init.text=ffffffff82000000,100",
             "count:sites=5", "count:params=6", "count:located=4",
             "none:entry_value=1", "none:no_child=1", "skip:tombstone=2")
    own = sec.func("own", sec.proto(0, ("", u)))     # 12, 13
    di = sec.loc_param(4, B.REG, 5)                  # 14
    mem = sec.loc_param(8, B.REG | B.DEREF | B.OFFSET, 6, -16)    # 15
    minus = sec.loc_param(4, B.C | B.SIGNED, -1)     # 16
    di_1 = sec.loc_proto(di)                         # 17
    both = sec.loc_proto(mem, minus)                 # 18
    half = sec.loc_proto(mem, 0)                     # 19
    none = sec.loc_proto(0)                          # 20
    sec.locsec(".text", (vfs_read, both, 0x10), (fdget, di_1, 0x10), (own, di_1, 0x10),
               (printk, none, 0x20))                 # 21
    sec.locsec("guess.init.text", (fdget, di_1, 0xff))    # 22
    sec.locsec("part.text", (vfs_read, half, 0x10))  # 23
    sec.locsec("func.text", (vfs_read, 0, 0x10))     # 24
    return base, sec


LINES = {
    "read": "0xffffffff81000010 inline vfs_read("
            "struct file *file=*(%bp-0x10), unsigned int fd=-1)",
    "fdget": "0xffffffff81000010 inline fdget_pos(unsigned int fd=%di)",
    "own": "0xffffffff81000010 inline own(unsigned int=%di)",
    "printk": "0xffffffff81000020 inline printk(struct file *fmt=?, ...)",
    "guess": "0xffffffff820000ff guess fdget_pos(unsigned int fd=%di)",
    "part": "0xffffffff81000010 part vfs_read(struct file *file=*(%bp-0x10), "
            "unsigned int fd=?)",
    "func": "0xffffffff81000010 func vfs_read(struct file *file, unsigned int fd)",
}

DUMP = """\
[12] FUNC_PROTO '(anon)' ret_type_id=0 vlen=1
	'(anon)' type_id=2
[13] FUNC 'own' type_id=12 linkage=static
[14] LOC_PARAM '(anon)' size=4 flags=0x8 vlen=1 value='%di'
[15] LOC_PARAM '(anon)' size=8 flags=0x38 vlen=2 value='*(%bp-0x10)'
[16] LOC_PARAM '(anon)' size=4 flags=0x3 vlen=1 value='-1'
[17] LOC_PROTO '(anon)' vlen=1
	loc_param=14 value='%di'
[18] LOC_PROTO '(anon)' vlen=2
	loc_param=15 value='*(%bp-0x10)'
	loc_param=16 value='-1'
[19] LOC_PROTO '(anon)' vlen=2
	loc_param=15 value='*(%bp-0x10)'
	loc_param=0
[20] LOC_PROTO '(anon)' vlen=1
	loc_param=0
[21] LOCSEC '.text' vlen=4
	func=6 'vfs_read' loc_proto=18 offset=0x10
	func=8 'fdget_pos' loc_proto=17 offset=0x10
	func=13 'own' loc_proto=17 offset=0x10
	func=10 'printk' loc_proto=20 offset=0x20
[22] LOCSEC 'guess.init.text' vlen=1
	func=8 'fdget_pos' loc_proto=17 offset=0xff
[23] LOCSEC 'part.text' vlen=1
	func=6 'vfs_read' loc_proto=19 offset=0x10
[24] LOCSEC 'func.text' vlen=1
	func=6 'vfs_read' loc_proto=0 offset=0x10
"""


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="btflocs-test-")
        self.addCleanup(shutil.rmtree, self.dir)
        base, sec = build()
        self.base = self.write("base.btf", base.finish())
        self.sec = self.write("x.func_info", sec.finish())

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        return self.path(name)

    def tool(self, *args, **kw):
        subprocess.run(args, check=True, cwd=self.dir, stdout=subprocess.DEVNULL, **kw)

    def run_(self, *args, **kw):
        p = subprocess.run([BTFLOCS, *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, timeout=60, cwd=self.dir,
                           **kw)
        return p.returncode, p.stdout, p.stderr

    def check(self, args, status, out, err=""):
        got = self.run_(*args)
        self.assertEqual(got, (status, out, err), "btflocs " + " ".join(args))

    def of(self, *args):
        """The output of a command on the sample, which must succeed in silence."""
        status, out, err = self.run_(*args, "-B", self.base)
        self.assertEqual((status, err), (0, ""))
        return out


def lines(*names):
    return "".join(LINES[n] + "\n" for n in names)
