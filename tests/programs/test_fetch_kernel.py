#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""scripts/fetch-kernel with an archive of its own: small packages, apt's tools played."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "..", "scripts", "fetch-kernel")

APT_CACHE = r"""#!/bin/sh
echo "apt-cache $*" >>"$FAKE/log"
[ "$1" = search ] && cat "$FAKE/lists"
"""
APT_GET = r"""#!/bin/sh
echo "apt-get $*" >>"$FAKE/log"
while [ "$1" = -o ]; do shift 2; done
case $1 in
-o*) shift;;
esac
case $1 in
update) cp "$FAKE/lists.new" "$FAKE/lists";;
download) echo "Get:1 $2"; cp "$FAKE/pool/${2%%=*}"_*.deb . || exit 100;;
esac
"""
# As apt-cache search prints it, the meta packages among them.
META = """linux-image-cloud-amd64-dbg - Debugging symbols (meta-package)
linux-image-6.12-cloud-amd64-dbg - Debugging symbols (meta-package)
"""


class FetchKernel(unittest.TestCase):
    def setUp(self):
        self.fake = tempfile.mkdtemp(prefix="fetch-kernel.")
        self.addCleanup(shutil.rmtree, self.fake)
        os.mkdir(self.path("pool"))
        os.mkdir(self.path("bin"))
        for name, text in (("apt-cache", APT_CACHE), ("apt-get", APT_GET)):
            with open(self.path("bin/" + name), "w", encoding="ascii") as file:
                file.write(text)
            os.chmod(self.path("bin/" + name), 0o755)
        with open(self.path("bin/id"), "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho ${FAKE_UID-0}\n")
        os.chmod(self.path("bin/id"), 0o755)
        self.lists("lists")
        self.lists("lists.new")

    def path(self, name):
        return os.path.join(self.fake, name)

    def lists(self, name, *releases):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(META)
            for release in releases:
                file.write(f"linux-image-{release}-dbg - Debug symbols for {release}\n")

    def package(self, name, version, files):
        tree = tempfile.mkdtemp(dir=self.fake)
        os.mkdir(os.path.join(tree, "DEBIAN"))
        with open(os.path.join(tree, "DEBIAN/control"), "w", encoding="ascii") as file:
            file.write(f"Package: {name}\nVersion: {version}\nArchitecture: amd64\n"
                       "Maintainer: nobody\nDescription: none\n")
        for where, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(tree, where)), exist_ok=True)
            with open(os.path.join(tree, where), "w", encoding="ascii") as file:
                file.write(text)
        os.chmod(tree, 0o755)
        subprocess.run(["dpkg-deb", "--build", tree,
                        self.path(f"pool/{name}_{version}_amd64.deb")],
                       check=True, stdout=subprocess.DEVNULL)

    def kernel(self, release, version="1-1"):
        debug, modules = "usr/lib/debug/boot/", f"usr/lib/debug/lib/modules/{release}/"
        self.package(f"linux-image-{release}-dbg", version, {
            debug + "vmlinux-" + release: "vmlinux " + release,
            debug + "System.map-" + release: "map " + release,
            modules + "kernel/fs/ext4.ko": "ext4",
            modules + "vdso/vdso64.so": "vdso"})
        self.package(f"linux-image-{release}", version, {
            "boot/vmlinuz-" + release: "vmlinuz " + release,
            "boot/System.map-" + release: "see the -dbg package",
            f"lib/modules/{release}/kernel/fs/ext4.ko": "stripped"})

    def run_script(self, *args, **env):
        full = dict(os.environ, FAKE=self.fake, XDG_CACHE_HOME=self.path("xdg"), **env)
        full["PATH"] = self.path("bin") + ":" + full["PATH"]
        return subprocess.run([SCRIPT, *args], env=full, cwd=self.fake, text=True,
                              capture_output=True, check=False, timeout=60)

    def fetch(self, *args, **env):
        """the path that is the only line on stdout, from the cache's folder"""
        result = self.run_script(*args, **env)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("\n"), 1)
        path = result.stdout[:-1]
        self.assertTrue(os.path.isabs(path))
        release = path.rsplit("/vmlinux-", 1)[1]
        self.assertEqual(self.read(path), "vmlinux " + release)
        return path

    def log(self):
        try:
            text = self.read(self.path("log"))
            os.unlink(self.path("log"))
        except FileNotFoundError:
            text = ""
        return text

    @staticmethod
    def read(path):
        with open(path, encoding="ascii") as file:
            return file.read()

    def offer(self, *releases):
        self.lists("lists", *releases)
        self.lists("lists.new", *releases)
        for release in releases:
            self.kernel(release)

    def where(self, release):
        return self.path(f"xdg/btf-locs/{release}/usr/lib/debug/boot/vmlinux-{release}")

    def test_the_measured_ones(self):
        self.offer("6.1.0-56-cloud-amd64", "6.1.0-57-cloud-amd64", "6.1.0-100-cloud-amd64",
                   "6.12.117+deb12-cloud-amd64", "6.12.120+deb12-cloud-amd64")
        self.assertEqual(self.fetch("6.1"), self.where("6.1.0-57-cloud-amd64"))
        self.assertEqual(self.fetch("6.12"), self.where("6.12.117+deb12-cloud-amd64"))

    def test_nearest_newer(self):
        self.offer("6.1.0-56-cloud-amd64", "6.1.0-100-cloud-amd64", "6.1.0-60-cloud-amd64",
                   "6.12.117+deb12-cloud-amd64")
        self.assertEqual(self.fetch("6.1"), self.where("6.1.0-60-cloud-amd64"))
        self.assertEqual(self.fetch("6.1.0-61"), self.where("6.1.0-100-cloud-amd64"))
        result = self.run_script("6.1.0-101")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("6.1.0-100", result.stderr)

    def test_newest(self):
        self.offer("6.9.1-cloud-amd64", "6.12.9+deb12-cloud-amd64",
                   "6.12.117+deb12-cloud-amd64", "6.1.0-57-cloud-amd64")
        self.assertEqual(self.fetch(), self.where("6.12.117+deb12-cloud-amd64"))
        self.assertEqual(self.fetch("6.9"), self.where("6.9.1-cloud-amd64"))

    def test_names(self):
        self.offer("6.1.0-56-cloud-amd64", "6.1.0-57-cloud-amd64")
        want = self.where("6.1.0-56-cloud-amd64")
        for name in ("6.1.0-56", "6.1.0-56-cloud-amd64", "linux-image-6.1.0-56-cloud-amd64",
                     "linux-image-6.1.0-56-cloud-amd64-dbg"):
            self.assertEqual(self.fetch(name), want)

    def test_second_call_asks_nobody(self):
        self.offer("6.1.0-57-cloud-amd64")
        self.fetch("6.1")
        self.assertIn("download", self.log())
        self.fetch("6.1")
        self.assertEqual(self.log(), "")
        # the newest is looked up in the lists, but not fetched again
        self.fetch()
        self.assertNotIn("apt-get", self.log())

    def test_fresh_system(self):
        self.offer("6.1.0-57-cloud-amd64")
        self.lists("lists")
        self.fetch("6.1")
        self.assertIn("apt-get update", self.log())
        shutil.rmtree(self.path("xdg"))
        self.lists("lists")
        result = self.run_script("6.1", FAKE_UID="1000")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("only root", result.stderr)

    def test_lists_older_than_the_archive(self):
        self.lists("lists", "6.1.0-57-cloud-amd64")
        self.lists("lists.new", "6.1.0-57-cloud-amd64")
        result = self.run_script("6.1")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("cannot download", result.stderr)
        self.assertIn("apt-get update", self.log())
        self.assertEqual([x for x in os.listdir(self.path("xdg/btf-locs")) if x != ".lock"], [])

    def test_modules_and_image(self):
        self.offer("6.1.0-57-cloud-amd64")
        top = self.path("own/6.1.0-57-cloud-amd64/")
        self.fetch("6.1", "--cache", "own")
        self.assertEqual(os.listdir(top), ["usr"])
        self.assertFalse(os.path.exists(top + "usr/lib/debug/lib"))
        self.log()
        self.fetch("6.1", "--cache=" + self.path("own"), "--modules")
        self.assertNotIn("download", self.log())
        modules = top + "usr/lib/debug/lib/modules/6.1.0-57-cloud-amd64/"
        self.assertEqual(self.read(modules + "kernel/fs/ext4.ko"), "ext4")
        self.assertEqual(self.read(modules + "vdso/vdso64.so"), "vdso")
        self.fetch("6.1", "--cache", "own", "--modules", "--image")
        self.assertIn("download linux-image-6.1.0-57-cloud-amd64=1-1\n", self.log())
        self.assertEqual(self.read(top + "boot/vmlinuz-6.1.0-57-cloud-amd64"),
                         "vmlinuz 6.1.0-57-cloud-amd64")
        self.assertEqual(
            self.read(top + "usr/lib/debug/boot/System.map-6.1.0-57-cloud-amd64"),
            "map 6.1.0-57-cloud-amd64")
        self.fetch("6.1", "--cache", "own", "--modules", "--image")
        self.assertEqual(self.log(), "")
        self.assertFalse([x for x in os.listdir(self.path("own")) if x.startswith(".tmp")])

    def test_damaged_package(self):
        self.offer("6.1.0-57-cloud-amd64")
        name = self.path("pool/linux-image-6.1.0-57-cloud-amd64-dbg_1-1_amd64.deb")
        os.truncate(name, os.path.getsize(name) - 100)
        result = self.run_script("6.1")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("cannot unpack", result.stderr)
        self.assertFalse(os.path.exists(self.where("6.1.0-57-cloud-amd64")))

    def test_usage(self):
        for args in (["nonsense"], ["6.1", "6.12"], ["--bogus"], ["--cache"], ["7"]):
            result = self.run_script(*args)
            self.assertEqual((result.returncode, result.stdout), (2, ""), args)
            self.assertIn("fetch-kernel: ", result.stderr)
        self.assertIn("usage:", self.run_script("--help").stdout)

    def test_shellcheck(self):
        subprocess.run(["shellcheck", SCRIPT], check=True)


if __name__ == "__main__":
    sys.exit(unittest.main())
