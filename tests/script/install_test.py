#!/usr/bin/env python3
"""What ./numavp installs, and how: locks of apt that another holds, sources that are dead, words that ask for more, help.

    install_test.py ROOT
"""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tests/script"))
from stand_ins import Tree, words_of_list  # noqa: E402

LOCKED = """
count=$(grep -c "^apt-get .*$APT_WORD" "$TREE/calls")
if [[ " $* " == *" $APT_WORD "* && "$count" -le 2 ]]; then
    echo "E: Could not get lock $APT_LOCK. It is held by process 4711 (unattended-upgr)" >&2
    exit 100
fi
"""


class Apt(unittest.TestCase):
    def locked(self, word, lock):
        with Tree(ROOT) as tree:
            tree.without("libfmt-dev")
            tree.on("apt-get", LOCKED)
            status, out, said = tree.run("run", APT_WORD=word, APT_LOCK=lock)
            self.assertEqual((status, out), (0, "simulated\n"), said)
            self.assertEqual(said.count("waiting for another that installs packages: process 4711 (unattended-upgr)"), 1, said)
            self.assertEqual(len([call for call in tree.calls if f" {word}" in call and call.startswith("apt-get")]), 3)

    def test_a_lock_of_the_lists_is_waited_for(self):
        self.locked("update", "/var/lib/apt/lists/lock")

    def test_a_lock_of_the_packages_is_waited_for(self):
        self.locked("install", "/var/lib/dpkg/lock-frontend")

    def test_patience_ends_with_a_sentence(self):
        with Tree(ROOT) as tree:
            tree.without("libfmt-dev")
            tree.on("apt-get", 'echo "E: Could not get lock /x. It is held by process 4711 (apt)" >&2; exit 100')
            status, _, said = tree.run("run", NUMAVP_APT_PATIENCE="0")
            self.assertEqual(status, 1)
            self.assertIn("install them by hand and call this again: libfmt-dev", said)

    def test_another_that_installed_them_meanwhile_is_enough(self):
        with Tree(ROOT) as tree:
            tree.without("libfmt-dev")
            tree.on("apt-get", 'echo libfmt-dev >>"$TREE/installed"; exit 100')
            self.assertEqual(tree.run("run")[:2], (0, "simulated\n"))

    def test_a_dead_source_does_not_block_the_others(self):
        with Tree(ROOT) as tree:
            tree.without("libfmt-dev")
            tree.on("apt-get", '[[ " $* " != *" update "* ]] || { echo "E: The repository has no Release file"; exit 100; }')
            status, out, said = tree.run("run")
            self.assertEqual((status, out), (0, "simulated\n"), said)
            self.assertIn("a source of packages did not answer", said)
            self.assertIn("E: The repository has no Release file", said)

    def test_a_dead_source_that_is_needed_is_shown(self):
        with Tree(ROOT) as tree:
            tree.without("libfmt-dev")
            tree.on("apt-get", 'echo "E: dead in ${*: -1}"; exit 100')
            status, out, said = tree.run("run")
            self.assertEqual((status, out), (1, ""))
            for words in ("E: dead in update", "E: dead in libfmt-dev", "install them by hand"):
                self.assertIn(words, said)


class Help(unittest.TestCase):
    def test_help_of_the_scripts_words_neither_installs_nor_builds(self):
        with Tree(ROOT) as tree:
            tree.without("libfmt-dev")
            for word in ("install-deps", "install", "build", "test", "bench", "fuzz"):
                for option in ("--help", "-h"):
                    status, out, said = tree.run(word, option)
                    self.assertEqual((status, said, tree.calls), (0, "", []), word)
                    self.assertIn("usage: ./numavp run", out)

    def test_words_too_many_are_refused(self):
        with Tree(ROOT) as tree:
            for words in (("install-deps", "--dry-run"), ("build", "numavp_sim"), ("install",), ("install", "--prefix=/x"),
                          ("install", "/a", "/b")):
                status, _, said = tree.run(*words)
                self.assertEqual((status, said.count("\n"), tree.calls), (2, 1, []), words)


class Words(unittest.TestCase):
    RTL, RISCV = ["verilator"], ["gcc-riscv64-unknown-elf", "picolibc-riscv64-unknown-elf"]
    ROWS = [
        ([], ["run"]),
        ([], ["run", "elsewhere/rtl/my.json", "/rtl/kernelslist.g"]),
        ([], ["run", "--out", "results-of-axi4_rtl", "--set", "socket.memory.channels=1"]),
        ([], ["run", "--set", "link.balancer=dynamic", "my_rtl.json"]),
        ([], ["run", "--waves", "rtl.vcd", "--record-faults", "riscv.fst"]),
        ([], ["list", "settings", "riscv"]),
        (RTL, ["run", "--set", "link.balancer=dynamic_rtl"]),
        (RTL, ["run", "--set=link.balancer=dynamic_rtl"]),
        (RTL, ["run", "--set", "sockets=2", "link.balancer=dynamic_rtl"]),
        ([], ["run", "--set", "sockets=2", "--out", "a=b_rtl"]),
        (RTL, ["run", "--set", 'gpu={"memory":{"model":"axi4_rtl"}}']),
        (RTL, ["run", "--waves", "run.fst"]),
        (RTL, ["run", "--waves=run.fst"]),
        (RISCV, ["run", "--set", "driver.execution=riscv"]),
        (RISCV, ["run", "--set=driver.execution=riscv"]),
        (RISCV, ["replay-faults", "f.csv", "--execution", "riscv"]),
        (RTL + RISCV, ["run", "--set", "driver.execution=riscv", "--set", "link.cut=flits_rtl"]),
    ]

    def test_a_tool_is_installed_for_settings_that_ask_for_it_and_for_nothing_else(self):
        optional = set(words_of_list(ROOT, "build")) - set(words_of_list(ROOT, "program")) - {"zlib1g-dev"}
        with Tree(ROOT) as tree:
            for wanted, words in self.ROWS:
                tree.without("zlib1g-dev", *optional)
                (tree.path / "models/new.h").write_text(str(words)) # to be built
                self.assertEqual(tree.run(*words)[0], 0)
                installed = [word for line in tree.called("apt-get") if " install " in line for word in line.split()]
                self.assertEqual(sorted(optional & set(installed)), sorted(wanted), words)

    def test_the_list_of_optional_packages_is_not_empty(self):
        self.assertIn("verilator", words_of_list(ROOT, "rtl"))


class Firmware(unittest.TestCase):
    """The RISC-V compiler there and its C library not, and then there."""

    def test_the_c_library_is_asked_for_and_the_program_built_again_when_it_comes(self):
        with Tree(ROOT) as tree:
            tree.tool("riscv64-unknown-elf-gcc", 'cat "$TREE/specs" 2>/dev/null || echo picolibc.specs')
            tree.without("picolibc-riscv64-unknown-elf")
            tree.on("apt-get", '[[ " $* " != *" picolibc-"* ]] || echo /usr/lib/picolibc.specs >"$TREE/specs"')
            self.assertEqual(tree.run("run")[0], 0)
            tree.run("run")
            self.assertEqual(tree.called("ninja"), [], "without it the program is as built as it can be")
            tree.run("run", "--set", "driver.execution=riscv")
            self.assertTrue([call for call in tree.called("apt-get") if "picolibc-riscv64-unknown-elf" in call])
            self.assertTrue(tree.called("cmake"), "CMake does not look again")
            tree.run("run", "--set", "driver.execution=riscv")
            self.assertEqual(tree.calls[1:], [], tree.calls)

    def test_a_c_library_that_was_installed_by_hand_is_noticed(self):
        with Tree(ROOT) as tree:
            tree.tool("riscv64-unknown-elf-gcc", 'cat "$TREE/specs" 2>/dev/null || echo picolibc.specs')
            tree.without("picolibc-riscv64-unknown-elf")
            tree.run("run")
            (tree.path / "specs").write_text("/usr/lib/picolibc.specs\n")
            with open(tree.path / "installed", "a") as installed:
                installed.write("picolibc-riscv64-unknown-elf\n")
            tree.run("run")
            self.assertTrue(tree.called("cmake") and tree.called("ninja"))


if __name__ == "__main__":
    unittest.main()
