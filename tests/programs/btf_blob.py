# SPDX-License-Identifier: GPL-2.0-only
"""BTF and .BTF.func_info built by hand, for the tests of the programs.

Written from btf-func-info(5) and the kernel's Documentation/bpf/btf.rst alone. Nothing
is checked: a test can write what is wrong.
"""
import struct
import zlib

(INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC,
 FUNC_PROTO, VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64, LOC_PARAM, LOC_PROTO,
 LOCSEC) = range(1, 23)
SIGNED, C, ADDR, REG, DEREF, OFFSET = 1, 2, 4, 8, 0x10, 0x20

# bytes behind the 12 of a type, bytes an element, by kind
SIZES = {INT: (4, 0), ARRAY: (12, 0), STRUCT: (0, 12), UNION: (0, 12), ENUM: (0, 8),
         FUNC_PROTO: (0, 8), VAR: (4, 0), DATASEC: (0, 12), DECL_TAG: (4, 0),
         ENUM64: (0, 12), LOC_PARAM: (4, 4), LOC_PROTO: (0, 4), LOCSEC: (0, 12)}


class Blob:
    """A root, or what stands upon @base."""

    def __init__(self, big=False, base=None):
        self.order = ">" if big else "<"
        self.types = bytearray()
        self.strs = bytearray() if base else bytearray(1)
        self.first_str = base.next_str() if base else 0
        self.first_type = self.next_type = base.next_type if base else 1
        self.base = base

    def next_str(self):
        return self.first_str + len(self.strs)

    def str(self, s):
        if not s:
            return 0
        off = self.next_str()
        self.strs += s.encode("utf-8", "surrogateescape") + b"\0"
        return off

    def words(self, *words):
        self.types += struct.pack(self.order + "%dI" % len(words),
                                  *[w & 0xffffffff for w in words])

    def type(self, kind, name, vlen, size, *words, kflag=0):
        off = self.str(name) if not isinstance(name, int) else name
        self.words(off, vlen | kind << 24 | kflag << 31, size, *words)
        self.next_type += 1
        return self.next_type - 1

    def int(self, name, size, enc=0):
        return self.type(INT, name, 0, size, enc << 24 | size * 8)

    def ref(self, kind, to, name=""):
        return self.type(kind, name, 0, to)

    def proto(self, ret, *params):
        words = []
        for name, t in params:
            words += [self.str(name), t]
        return self.type(FUNC_PROTO, "", len(params), ret, *words)

    def func(self, name, proto, linkage=0):
        return self.type(FUNC, name, linkage, proto)

    def loc_param(self, size, flags, *values):
        return self.type(LOC_PARAM, "", len(values), size, flags, *values)

    def loc_proto(self, *params):
        return self.type(LOC_PROTO, "", len(params), 0, *params)

    def locsec(self, name, *recs):
        flat = [w for rec in recs for w in rec]
        return self.type(LOCSEC, name, len(recs), 0, *flat)

    def keys(self, *keys):
        """The run of key=value strings; before any other string."""
        for key in keys:
            self.str(key)
        self.strs += b"\0"

    def base_keys(self):
        data = bytes(self.base.types) + bytes(self.base.strs)
        return ["base_types=%d" % (self.base.next_type - self.base.first_type),
                "base_strs=%d" % len(self.base.strs),
                "base_crc32=%d" % zlib.crc32(data)]

    def layout(self):
        out = b""
        for kind in range(23):
            out += struct.pack(self.order + "BBH", *SIZES.get(kind, (0, 0)), 0)
        return out

    def finish(self, layout=None):
        """The blob; with the layout section where it is one of ours."""
        if layout is None:
            layout = self.base is not None
        strs = bytes(self.strs)
        if layout:
            strs += bytes(-len(strs) % 4)
        lay = self.layout() if layout else b""
        hdr = struct.pack(self.order + "HBBIIIII", 0xeb9f, 1, 0, 32 if layout else 24, 0,
                          len(self.types), len(self.types) + len(lay), len(strs))
        if layout:
            hdr += struct.pack(self.order + "II", len(self.types), len(lay))
        return hdr + bytes(self.types) + lay + strs
