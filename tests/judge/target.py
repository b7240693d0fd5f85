# SPDX-License-Identifier: GPL-2.0-only
"""A running program that stops at addresses: under ptrace on x86-64."""
import ctypes
import os
import signal
import struct

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

TRACEME, PEEKTEXT, POKETEXT, CONT, KILL, SINGLESTEP, GETREGS, SETREGS = \
    0, 1, 4, 7, 8, 9, 12, 13
SETOPTIONS, O_TRACEEXIT, O_EXITKILL, EVENT_EXIT = 0x4200, 0x40, 0x100000, 6
ADDR_NO_RANDOMIZE = 0x0040000

# struct user_regs_struct (sys/user.h), and the psABI's DWARF numbers 0 to 15 in it
USER = ('r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs '
        'eflags rsp ss fs_base gs_base ds es fs gs').split()
DWARF = [USER.index(r) for r in ('rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 '
                                 'r14 r15').split()]
RIP = USER.index('rip')


def ptrace(request, pid, addr=0, data=0):
    ctypes.set_errno(0)
    ret = libc.ptrace(request, pid, addr, data)
    if ret == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), 'ptrace %d at %#x' % (request, addr or 0))
    return ret & 0xffffffffffffffff


class Ptrace:
    """One run of a program; breakpoints are set before run()."""
    order = 'little'
    word = 8
    machine = 'x86_64'

    def __init__(self, path):
        self.pid = os.fork()
        if not self.pid:
            try:
                libc.personality(ADDR_NO_RANDOMIZE)
                ptrace(TRACEME, 0)
                os.execv(path, [path])
            finally:
                os._exit(127)
        self.wait_stop()
        ptrace(SETOPTIONS, self.pid, 0, O_TRACEEXIT | O_EXITKILL)
        self.mem = os.open('/proc/%d/mem' % self.pid, os.O_RDWR)
        self.bias = self.entry() - elf_entry(path) if elf_type(path) == 3 else 0
        self.saved = {}
        self.regs = (ctypes.c_uint64 * len(USER))()

    def wait_stop(self):
        _, status = os.waitpid(self.pid, 0)
        if not os.WIFSTOPPED(status):
            raise RuntimeError('the program ended, status %#x' % status)
        return status

    def entry(self):
        with open('/proc/%d/auxv' % self.pid, 'rb') as f:
            data = f.read()
        for i in range(0, len(data), 16):
            key, value = struct.unpack_from('<QQ', data, i)
            if key == 9:                    # AT_ENTRY
                return value
        raise RuntimeError('no AT_ENTRY')

    def insert(self, addr):
        """Set a breakpoint at an address as linked."""
        addr += self.bias
        if addr not in self.saved:
            self.saved[addr] = os.pread(self.mem, 1, addr)
            os.pwrite(self.mem, b'\xcc', addr)

    def read(self, addr, size):
        """Memory as the program would see it; None where there is none."""
        try:
            data = bytearray(os.pread(self.mem, size, addr))
        except (OSError, OverflowError):
            return None
        if len(data) != size:
            return None
        for i in range(size):
            if addr + i in self.saved:
                data[i] = self.saved[addr + i][0]
        return bytes(data)

    def reg(self, num):
        return self.regs[DWARF[num]]

    def run(self, hit, done):
        """Run to the end; hit(address as linked) -> whether to stop there again."""
        sig = 0
        while True:
            ptrace(CONT, self.pid, 0, sig)
            status = self.wait_stop()
            sig = os.WSTOPSIG(status)
            if status >> 16 == EVENT_EXIT:
                done()
                ptrace(CONT, self.pid, 0, 0)
                _, status = os.waitpid(self.pid, 0)
                os.close(self.mem)
                return os.waitstatus_to_exitcode(status)
            if sig != signal.SIGTRAP:
                continue
            sig = 0
            ptrace(GETREGS, self.pid, 0, ctypes.addressof(self.regs))
            pc = self.regs[RIP] - 1
            if pc not in self.saved:
                continue
            again = hit(pc - self.bias)
            self.regs[RIP] = pc
            ptrace(SETREGS, self.pid, 0, ctypes.addressof(self.regs))
            os.pwrite(self.mem, self.saved[pc], pc)
            if not again:
                del self.saved[pc]
                continue
            ptrace(SINGLESTEP, self.pid, 0, 0)
            status = self.wait_stop()
            if status >> 16 == EVENT_EXIT or os.WSTOPSIG(status) != signal.SIGTRAP:
                raise RuntimeError('stopped by %#x in a step at %#x' % (status, pc))
            os.pwrite(self.mem, b'\xcc', pc)


def elf_type(path):
    with open(path, 'rb') as f:
        data = f.read(18)
    return int.from_bytes(data[16:18], 'little' if data[5] == 1 else 'big')


def elf_entry(path):
    with open(path, 'rb') as f:
        data = f.read(32)
    return int.from_bytes(data[24:32], 'little' if data[5] == 1 else 'big')
