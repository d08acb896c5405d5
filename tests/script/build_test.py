#!/usr/bin/env python3
"""When ./numavp configures and builds, what it keeps of a build, and what it says meanwhile.

    build_test.py ROOT
"""
import pathlib
import re
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tests/script"))
from stand_ins import Tree  # noqa: E402

WARNED = """
if [[ " $* " != *" -n "* && " $* " != *" build.ninja "* ]]; then
    mkdir -p "$TREE/build/release/bin"
    for object in a.cpp.o b.cpp.o lint/models.cpp.linted; do mkdir -p "$TREE/build/release/lint"; touch "$TREE/build/release/$object"; done
    echo "[1/5] 1.0 2 Building CXX object a.cpp.o"
    echo "a.cpp:1:1: warning: unused variable"
    echo "[2/5] 1.0 2 Building CXX object b.cpp.o"
    echo "[3/5] 1.5 1 Linting models: lint/models.cpp.linted"
    echo "models.cpp:1:1: warning: a finding"
    echo "[4/5] 2.0 1 Linking CXX executable bin/numavp"
    echo "/usr/bin/ld: warning: a.o: missing .note.GNU-stack section implies executable stack"
    echo "[5/5] 2.5 1 Generating completion/numavp"
fi
"""


class Built(unittest.TestCase):
    def test_the_second_call_neither_configures_nor_builds(self):
        with Tree(ROOT) as tree:
            # CMake writes its cache after the call began, and ninja may write it again.
            tree.on("ninja", '[[ " $* " != *" build.ninja "* ]] || { sleep 0.02; touch "$TREE/build/release/CMakeCache.txt"; }')
            self.assertEqual(tree.run("run")[:2], (0, "simulated\n"))
            self.assertTrue(tree.called("cmake") and tree.called("ninja"))
            status, out, said = tree.run("run")
            self.assertEqual((status, out, said, tree.calls), (0, "simulated\n", "", []))

    def test_a_cache_that_is_written_again_as_it_was_is_no_change(self):
        with Tree(ROOT) as tree:
            tree.run("run")
            (tree.path / "build/release/CMakeCache.txt").touch()
            tree.run("run")
            self.assertEqual(tree.calls, [])

    def test_what_changes_while_it_is_built_is_built_the_next_time(self):
        with Tree(ROOT) as tree:
            tree.on("ninja", 'sleep 0.02; [[ " $* " == *" -n "* ]] || touch "$TREE/models/during.h"')
            tree.run("run")
            tree.on("ninja", "")
            tree.run("run")
            self.assertTrue(tree.called("ninja"))

    def test_a_build_of_another_release_of_the_distribution_is_built_anew(self):
        with Tree(ROOT) as tree:
            tree.run("run")
            (tree.path / "build/release/left").touch()
            (tree.path / "os-release").write_text('PRETTY_NAME="x"\nVERSION_ID="13"\nID=debian\n')
            status, out, said = tree.run("run")
            self.assertEqual((status, out), (0, "simulated\n"))
            self.assertIn("build/release was made on debian 12 and this is debian 13: it is built anew", said)
            self.assertFalse((tree.path / "build/release/left").exists())
            self.assertEqual(tree.run("run")[2], "")


class Warnings(unittest.TestCase):
    def test_what_a_linker_warned_of_stays_and_what_a_compiler_warned_of_is_built_again(self):
        with Tree(ROOT) as tree:
            tree.on("ninja", WARNED)
            status, out, said = tree.run("run")
            self.assertEqual((status, out), (0, "simulated\n"), said)
            for words in ("unused variable", "a finding", "executable stack"):
                self.assertIn(words, said)
            release = tree.path / "build/release"
            self.assertEqual([(release / name).exists() for name in ("a.cpp.o", "b.cpp.o", "lint/models.cpp.linted", "bin/numavp")],
                             [False, True, False, True])

    def test_the_gate_links_again_what_a_linker_warned_of(self):
        with Tree(ROOT) as tree:
            tree.tool("clang-format-14", 'echo "version 14.0.6"')
            tree.tool("git", "")
            tree.on("ninja", WARNED)
            tree.run("run")
            tree.on("ninja", '[[ -e "$TREE/build/release/bin/numavp" ]] || echo relinked >>"$TREE/calls"; exit 1')
            tree.run("test")
            self.assertIn("relinked", tree.calls)


class Waits(unittest.TestCase):
    def test_a_second_call_at_once_says_what_it_waits_for(self):
        with Tree(ROOT) as tree:
            tree.on("ninja", 'while [[ -e "$TREE/hold" ]]; do sleep 0.05; done')
            (tree.path / "hold").touch()
            first = tree.start("run")
            while not tree.called("ninja"):
                time.sleep(0.02)
            second = tree.start("run")
            said = second.stderr.readline()
            self.assertRegex(said, rf"^numavp: waiting for another call of numavp, which builds build/release \(process {first.pid}\)$")
            (tree.path / "hold").unlink()
            for process in (first, second):
                out, _ = process.communicate(timeout=60)
                self.assertEqual((process.returncode, out), (0, "simulated\n"))

    def test_a_call_alone_waits_for_nobody(self):
        with Tree(ROOT) as tree:
            self.assertNotIn("waiting", tree.run("run")[2])


class Places(unittest.TestCase):
    def test_a_checkout_that_tools_cannot_read_is_refused_at_once(self):
        for name in ("my checkout", "a\tb", "a;b"):
            with Tree(ROOT, name) as tree:
                status, _, said = tree.run("run")
                self.assertEqual((status, said.count("\n"), tree.calls), (2, 1, []))
                self.assertIn("move it to another folder", said)


class TimeLeft(unittest.TestCase):
    """A first build as it was: tests/script/first_build.txt has a line for each step: begin and end in tenths of a second, bytes
    that are compiled, output. The sources are made as long as they were; what the script says then is held against what came."""

    def setUp(self):
        self.tree = Tree(ROOT)
        self.addCleanup(self.tree.place.cleanup)
        self.steps = []
        for line in (ROOT / "tests/script/first_build.txt").read_text().split("\n"):
            if line and not line.startswith("#"):
                begin, end, size, output = line.split()
                self.steps.append((int(begin), int(end), int(size), output))
        release = self.tree.path / "build/release"
        for _, _, size, output in self.steps:
            group = re.search(r"\.dir/(?:__/)?(groups/.*)\.o$", output)
            if group:
                generated = "verilated" in output
                source = (release if generated else self.tree.path) / f"made/{len(output)}_{abs(hash(output))}.cpp"
                text = f'#include "{source.relative_to(release if generated else self.tree.path)}"\n'
                (release / group.group(1)).parent.mkdir(parents=True, exist_ok=True)
                (release / group.group(1)).write_text(text)
            elif output.endswith(".o") and size:
                source = self.tree.path / output.partition(".dir/")[2][:-2]
            else:
                continue
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(("x" * 99 + "\n") * (size // 100))

    @staticmethod
    def words(output):
        if output.endswith((".o", ".gch")):
            return f"Building CXX object {output}"
        return f"Linking CXX executable {output}" if output.startswith("bin/") else f"Generating {output}"

    def estimates(self):
        """(seconds since the beginning, share said to be done, seconds said to be left), at each step's end."""
        listed = "".join(f"[{n}/0] {self.words(step[3])}\n" for n, step in enumerate(sorted(self.steps), 1))
        (self.tree.path / "listed").write_text(listed)
        self.tree.tool("ninja", 'cat "$TREE/listed"')
        lines = ""
        for n, (_, end, _, output) in enumerate(sorted(self.steps, key=lambda step: step[1]), 1):
            running = sum(begin <= end < other for begin, other, _, _ in self.steps)
            lines += f"[{n}/{len(self.steps)}] {end // 10}.{end % 10} {running} {self.words(output)}\n"
        script = """
            set -euo pipefail
            root="$1"
            . "$root/cmake/script/progress.sh"
            begin_progress "$root/build/release" numavp_sim
            while IFS= read -r line; do
                if note_step "$line"; then echo "${past_seconds[-1]} $percent ${seconds_left:--1}"; fi
            done"""
        done = subprocess.run(["bash", "-c", script, "-", str(self.tree.path)], input=lines, capture_output=True, text=True, check=True,
                              env={"PATH": f"{self.tree.path}/tools:/usr/bin:/bin"})
        return [tuple(map(int, line.split())) for line in done.stdout.split("\n")[:-1]]

    def test_time_left_is_what_is_left(self):
        whole = max(step[1] for step in self.steps) // 10
        seen = self.estimates()
        self.assertEqual(seen[-1][1], 100)
        # From the fifth part on, when there is a pace, until a twelfth is left: within two fifths of what came.
        judged = [(now, left, whole - now) for now, _, left in seen if whole / 5 < now and whole - now > whole / 12]
        self.assertGreater(len(judged), 20)
        for now, left, right in judged:
            self.assertTrue(0.6 * right < left < 1.6 * right, f"after {now} s {left} s were said to be left, and {right} s were")
        # The share that is done is that of time, not of steps.
        for now, percent, _ in seen:
            self.assertLess(abs(percent - 100 * now / whole), 20, f"after {now} of {whole} s {percent} %")


if __name__ == "__main__":
    unittest.main()
