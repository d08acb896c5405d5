#!/usr/bin/env python3
"""Where no root of another Debian can be made, one sentence says why and nothing fails; where one is, the checkout is copied into
it and the quick tests run. debootstrap, apt and the mounts are stand-ins.

    debian_root_test.py ROOT
"""
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
ARCHIVE = 'echo "Somebody|Debian http://third.party/"; echo "Debian|Debian-Security http://s/"; echo "Debian|Debian http://archive/debian/"'


@unittest.skipUnless(os.geteuid() == 0, "a root is made with root's rights alone")
class Root(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.checkout = self.place / "checkout"
        (self.checkout / "build/web/node_modules").mkdir(parents=True)
        (self.checkout / "build/left").touch()
        (self.checkout / "kept.cpp").write_text("kept")
        (self.checkout / ".gitignore").write_text("/build/\n")
        subprocess.run(["git", "init", "-q", str(self.checkout)], check=True)
        (self.place / "tools").mkdir()
        (self.place / "basics").mkdir()
        for name in ("bash", "env", "sed", "grep", "head", "tail", "rm", "mkdir", "touch", "mktemp", "find", "git", "tar", "cp", "nice", "cat"):
            (self.place / "basics" / name).symlink_to(shutil.which(name))
        self.tool("apt-get", ARCHIVE)
        self.tool("apt-config", "echo 'Acquire::http::Proxy \"http://proxy/\";'")
        self.tool("debootstrap", f'echo "$@" >>"{self.place}/made"; mkdir -p "$3/etc"')
        self.tool("unshare", f'printf "%s\\n" "$@" >"{self.place}/run"; exit "$(cat "{self.place}/status" 2>/dev/null || echo 0)"')

    def tool(self, name, text):
        file = self.place / "tools" / name
        file.write_text(f"#!/usr/bin/env bash\n{text}\n")
        file.chmod(stat.S_IRWXU)

    def run_script(self):
        done = subprocess.run(["bash", str(ROOT / "tests/support/debian_root.sh"), str(self.checkout), "trixie", str(self.place / "root")],
                              capture_output=True, text=True, check=False,
                              env={"PATH": f"{self.place}/tools:{self.place}/basics", "HOME": str(self.place)})
        return done.returncode, done.stderr

    def expect_skip(self, words):
        status, said = self.run_script()
        self.assertEqual((status, said.count("\n")), (77, 1), said)
        self.assertIn(words, said)

    def test_without_debootstrap(self):
        (self.place / "tools/debootstrap").unlink()
        self.expect_skip("debootstrap makes a root of it, and is not here")

    def test_without_an_archive_of_debian(self):
        self.tool("apt-get", 'echo "Ubuntu|Ubuntu http://archive.ubuntu/"')
        self.expect_skip("no source of this machine's apt is an archive of Debian")

    def test_where_debootstrap_fails(self):
        self.tool("debootstrap", 'mkdir -p "$3/half"; echo "E: Failed getting release file"; exit 1')
        status, said = self.run_script()
        self.assertEqual(status, 77)
        self.assertIn("debootstrap made no root of it (E: Failed getting release file)", said)
        self.assertFalse((self.place / "root").exists())

    def test_the_quick_tests_run_on_a_copy(self):
        for again in range(2):
            self.assertEqual(self.run_script()[0], 0)
            copy = self.place / "root/numavp"
            self.assertEqual(sorted(p.name for p in copy.iterdir()), [".gitignore", "build"] + (["new.cpp"] if again else ["kept.cpp"]))
            self.assertTrue((copy / "build/web/node_modules").is_dir())
            self.assertFalse((copy / "build/left").exists())
            self.assertIn("./numavp test --quick", (self.place / "run").read_text())
            self.assertIn("proxy", (self.place / "root/etc/apt/apt.conf.d/90numavp-proxy").read_text())
            if not again:
                (self.checkout / "kept.cpp").rename(self.checkout / "new.cpp")
        self.assertEqual((self.place / "made").read_text(), f"--variant=minbase trixie {self.place}/root http://archive/debian/\n")

    def test_a_failure_there_is_a_failure_here(self):
        (self.place / "status").write_text("8")
        self.assertEqual(self.run_script()[0], 8)


if __name__ == "__main__":
    unittest.main()
