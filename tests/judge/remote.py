# SPDX-License-Identifier: GPL-2.0-only
"""A program of another machine, under qemu-user and its gdb stub (GDB remote protocol)."""
import os
import socket
import subprocess
import tempfile
import time


class Stub:
    """Packets to and from a gdb stub: $data#sum, each acknowledged with +."""

    def __init__(self, path, tries=200):
        self.sock = socket.socket(socket.AF_UNIX)
        for _ in range(tries):
            try:
                self.sock.connect(path)
                break
            except OSError:
                time.sleep(0.02)
        else:
            self.sock.close()
            raise RuntimeError('qemu opens no gdb socket')
        self.sock.settimeout(60)
        self.buf = b''

    def byte(self):
        if not self.buf:
            self.buf = self.sock.recv(65536)
            if not self.buf:
                raise RuntimeError('the gdb stub hung up')
        b, self.buf = self.buf[:1], self.buf[1:]
        return b

    def send(self, data):
        self.sock.sendall(b'$%s#%02x' % (data, sum(data) & 255))
        while self.byte() != b'+':
            pass

    def recv(self):
        while self.byte() != b'$':
            pass
        data = b''
        while True:
            b = self.byte()
            if b == b'#':
                break
            data += b
        self.byte(), self.byte()
        self.sock.sendall(b'+')
        return data

    def ask(self, data):
        self.send(data)
        return self.recv()

    def ok(self, data):
        got = self.ask(data)
        if got != b'OK':
            raise RuntimeError('gdb stub: %s says %s' % (data, got))


class Qemu:
    """One run; the same interface as target.Ptrace. The program is static and not PIE."""
    word = 8
    bias = 0
    exe = machine = order = None
    first = 0               # in the g packet: the general registers' first
    pc = 0                  # and the program counter

    def __init__(self, path):
        self.dir = tempfile.TemporaryDirectory()
        sock = os.path.join(self.dir.name, 'gdb')
        self.proc = subprocess.Popen([self.exe, '-g', sock, path], stdin=subprocess.DEVNULL)
        self.stub = None
        try:
            self.stub = Stub(sock)
            self.ask = self.stub.ask
            self.ask(b'qSupported')
            self.ask(b'?')
        except BaseException:
            self.end()
            raise
        self.points = set()
        # the last stop: what is logged must be read before the program is gone
        self.last = self.symbol(path, 'exit')

    def end(self):
        if self.stub:
            self.stub.sock.close()
        self.proc.kill()
        self.proc.wait()
        self.dir.cleanup()

    @staticmethod
    def symbol(path, name):
        for line in subprocess.run(['nm', path], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.splitlines():
            f = line.split()
            if f[-1] == name and len(f) == 3:
                return int(f[0], 16)
        raise RuntimeError('%s: no symbol %s' % (path, name))

    def point(self, kind, addr):
        self.stub.ok(b'%s0,%x,4' % (kind, addr))

    def insert(self, addr):
        if addr not in self.points:
            self.points.add(addr)
            self.point(b'Z', addr)

    def read(self, addr, size):
        out = b''
        while size > 0:
            n = min(size, 1024)
            got = self.ask(b'm%x,%x' % (addr, n))
            if got[:1] == b'E' or len(got) != 2 * n:
                return None
            out += bytes.fromhex(got.decode())
            addr, size = addr + n, size - n
        return out

    def nth(self, n):
        return int.from_bytes(self.all[8 * n:8 * n + 8], self.order)

    def reg(self, num):
        return self.nth(self.first + num)

    def run(self, hit, done):
        try:
            self.insert(self.last)
            return self.loop(hit, done)
        finally:
            self.end()

    def loop(self, hit, done):
        got = self.ask(b'c')
        while True:
            if got[:1] == b'W':
                return int(got[1:3], 16)
            if got[:1] not in b'TS' or int(got[1:3], 16) != 5:
                raise RuntimeError('stopped: %s' % got)
            self.all = bytes.fromhex(self.ask(b'g').decode())
            pc = self.nth(self.pc)
            if pc == self.last:
                done()
                for addr in self.points:
                    self.point(b'z', addr)
                self.points.clear()
            elif pc in self.points:
                again = hit(pc)
                self.point(b'z', pc)
                if again:
                    self.ask(b's')
                    self.point(b'Z', pc)
                else:
                    self.points.discard(pc)
            got = self.ask(b'c')


class Aarch64(Qemu):
    """g packet: x0 to x30, sp, pc, cpsr."""
    exe, machine, order, first, pc = 'qemu-aarch64', 'aarch64', 'little', 0, 32


class S390x(Qemu):
    """g packet: the PSW's mask and address, r0 to r15."""
    exe, machine, order, first, pc = 'qemu-s390x', 's390x', 'big', 2, 1
