# SPDX-License-Identifier: GPL-2.0-only
"""The second reader (../../kernel) with what it needs for other machines' files.

    machines_judge.py FOLDER ARGUMENT...    FOLDER: the second reader's; the rest: for it

A .o is laid out by a linker that knows all of the machines and relaxes nothing.
"""
import subprocess
import sys

sys.path.insert(0, sys.argv.pop(1))
import dwarf_frames     # noqa: E402
import second_reader    # noqa: E402

EM_RISCV, SP = 243, 2
plain_follow = dwarf_frames.FrameSection.follow


def link_relocatable(elf, out):
    script = out + '.lds'
    with open(script, 'w') as f:
        f.write('SECTIONS { . = 0x100000; }\n')
    subprocess.run(['ld.lld-19', '--noinhibit-exec', '--no-relax', '-T', script, elf.path,
                    '-o', out], check=True, stderr=subprocess.DEVNULL)
    return out


def follow(self, pos, end, cie, rule, loc, addr):
    """gas begins RISC-V's CIE with def_cfa_register: the offset is 0 until it is said."""
    if rule is None and self.elf.machine == EM_RISCV:
        rule = SP, 0
    return plain_follow(self, pos, end, cie, rule, loc, addr)


dwarf_frames.FrameSection.follow = follow
for module in list(sys.modules.values()):
    if hasattr(module, 'link_relocatable'):
        module.link_relocatable = link_relocatable
sys.exit(second_reader.main())
