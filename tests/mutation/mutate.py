#!/usr/bin/env python3
"""Builds mutants of the models, runs the tests that reach each, and says which mutants no test notices.

All chosen mutants are in one build, switched on by a number, so that the sources are compiled once. A first run of the
tests without a mutant says which tests reach which mutant, and how long they take; then each mutant meets its tests, the
quickest first, until one fails. A test that takes five times as long as without the mutant has noticed it.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import mutants

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PLACES = ("models", "tlm-links", "sw/driver")
COPIED = ("CMakeLists.txt", "CMakePresets.json", "bench", "capi", "cmake", "configs", "docs", "examples", "include", "models",
          "platform", "python", "rtl", "sw", "tests", "tlm-links", "README.md", "LICENSE", "numavp")
# Quick ones that hold the models to something; pictures, documents and the foreign side are none of their business.
SUITES = ("base", "driver", "host", "kernels", "links", "memory", "mmu", "models", "network", "platform", "policies", "slots",
          "topology", "validation", "flits", "axi", "axi_lite", "cpu", "waves", "results")


MOST = 65536  # mutants in a build


def say(*words):
    print("numavp:", *words, file=sys.stderr, flush=True)


def sources():
    return sorted(p.relative_to(ROOT) for place in PLACES for end in ("*.cpp", "*.c", "*.h") for p in (ROOT / place).rglob(end)
                  if "riscv" not in p.parts)


def draw(count, seed, only):
    """A sample of all places, each with its line; a line holds one."""
    found = []
    for path in sources():
        if only and not any(str(path).startswith(o) for o in only):
            continue
        lines = set()
        for line, begin, _, _, kind, _ in mutants.mutants_of((ROOT / path).read_text()):
            found.append((str(path), line, begin, kind))
            lines.add(line)
    random.Random(seed).shuffle(found)
    chosen, taken = [], set()
    for place in found:
        if place[:2] not in taken and len(chosen) < count:
            taken.add(place[:2])
            chosen.append(place)
    return chosen, len(found)


def copy_sources(tree):
    """Makes the copy as the sources are: what differs is written anew, so that ninja sees it, and what is gone is removed."""
    wanted = set()
    for name in COPIED:
        files = [p for p in (ROOT / name).rglob("*") if p.is_file()] if (ROOT / name).is_dir() else [ROOT / name]
        for path in files:
            if "__pycache__" in path.parts:
                continue
            target = tree / path.relative_to(ROOT)
            wanted.add(target)
            if target.exists() and target.read_bytes() == path.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            shutil.copymode(path, target)
    for path in list(tree.rglob("*")):
        if path.is_file() and path not in wanted and path != tree / "chosen_mutant.h":
            path.unlink()


def write_sources(tree, chosen, dropped):
    """The tree with the chosen mutants but the dropped ones in it; returns their list."""
    all_mutants = []
    wanted = {}
    for place in chosen:
        wanted.setdefault(place[0], set()).add(place[1:])
    for path in sorted(wanted):
        def lets_in(line, begin, kind, path=path):
            return (line, begin, kind) in wanted[path] and (path, line + 1) not in dropped
        text, more = mutants.rewrite(path, (ROOT / path).read_text(), len(all_mutants) + 1, lets_in)
        all_mutants += more
        target = tree / path
        new = '#include "%s"\n#line 1 "%s"\n%s' % (tree / "chosen_mutant.h", target, text) if more else text
        if target.read_text() != new:
            target.write_text(new)
    header = "#define NUMAVP_MUTANTS_ALL %d\n" % MOST + (HERE / "chosen_mutant.h").read_text()
    if not (tree / "chosen_mutant.h").exists() or (tree / "chosen_mutant.h").read_text() != header:
        (tree / "chosen_mutant.h").write_text(header)
    return all_mutants


def build(tree, build_folder):
    """What the compiler said if it refused something, else None."""
    if not (build_folder / "build.ninja").exists():
        subprocess.run(["cmake", "-S", tree, "-B", build_folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DCMAKE_C_FLAGS_RELEASE=-O1", "-DCMAKE_UNITY_BUILD=ON",
                        "-DNUMAVP_BUILD_BENCH=OFF"], check=True, stdout=subprocess.DEVNULL)
    listed = subprocess.run(["ninja", "-C", build_folder, "-t", "targets", "all"], stdout=subprocess.PIPE, text=True, check=True)
    known = set(re.findall(r"^(test_\w+): ", listed.stdout, re.M))
    targets = [t for t in ("test_" + suite for suite in SUITES) if t in known]
    done = subprocess.run(["ninja", "-C", build_folder, "-k", "0", *targets], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT)
    return done.stdout if done.returncode else None


def refused(output, tree):
    """The lines that a compiler has complained of."""
    lines = set()
    for match in re.finditer(r"^(\S+?):(\d+):\d+: error:", output, re.M):
        path = os.path.relpath(match.group(1), tree)
        lines.add((path, int(match.group(2))))
    for match in re.finditer(r"^(\S+?):(\d+):\d+:\s+(?:required|in )", output, re.M):
        lines.add((os.path.relpath(match.group(1), tree), int(match.group(2))))
    return lines


def tests_of(build_folder):
    listed = json.loads(subprocess.run(["ctest", "--test-dir", build_folder, "--show-only=json-v1"], check=True,
                                       stdout=subprocess.PIPE, text=True).stdout)
    tests = []
    for test in listed["tests"]:
        if test["name"].split(".")[0] not in SUITES or "command" not in test:
            continue
        where = next((p["value"] for p in test["properties"] if p["name"] == "WORKING_DIRECTORY"), str(build_folder))
        tests.append((test["name"], test["command"], where))
    return tests


def run(test, seconds, **more):
    """Whether a test passes, and how long it takes."""
    name, command, where = test
    begun = time.monotonic()
    try:
        done = subprocess.run(command, cwd=where, env={**os.environ, **more}, timeout=seconds, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True)
        return done.returncode == 0, time.monotonic() - begun
    except subprocess.TimeoutExpired:
        return False, time.monotonic() - begun


def reach(tests, folder, count, jobs):
    """By test: how long it takes, and which mutants it comes across. Tests that fail by themselves are left out."""
    def one(i):
        marks = folder / ("reached%d" % i)
        marks.write_bytes(bytes(MOST + 1))
        passed, seconds = run(tests[i], 120, NUMAVP_REACHED=str(marks))
        found = {n for n, mark in enumerate(marks.read_bytes()[:count + 1]) if mark}
        marks.unlink()
        return i, passed, seconds, found
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(one, range(len(tests))))
    for i, passed, _, _ in results:
        if not passed:
            say("left out, fails without a mutant:", tests[i][0])
    return {i: (seconds, found) for i, passed, seconds, found in results if passed}


def main():
    words = argparse.ArgumentParser(prog="./numavp mutate", description=__doc__.split("\n")[0])
    words.add_argument("count", nargs="?", type=int, default=300, help="mutants in the sample (300)")
    words.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    words.add_argument("--only", action="append", default=[], metavar="PATH", help="only sources below this path")
    words.add_argument("--most-seconds", type=float, default=60, help="of tests for each mutant (60)")
    words.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at once")
    words.add_argument("--list", action="store_true", help="print the sample and build nothing")
    words.add_argument("--json", metavar="FILE", help="write what became of each mutant")
    asked = words.parse_args()

    if not 0 < asked.count < MOST:
        sys.exit("numavp: %d mutants are asked for; 1 to %d are allowed" % (asked.count, MOST - 1))
    chosen, all_places = draw(asked.count, asked.seed, [os.path.normpath(path) for path in asked.only])
    if not chosen:
        sys.exit("numavp: there is no place for a mutant in these sources; --only names a path such as models/cache")
    if asked.list:
        for path, line, _, kind in sorted(chosen):
            print("%s:%d: %s" % (path, line + 1, kind))
        return
    tree, build_folder = ROOT / "build/mutants/source", ROOT / "build/mutants/build"
    tree.mkdir(parents=True, exist_ok=True)
    copy_sources(tree)
    dropped = set()
    say("%d of %d places" % (len(chosen), all_places))
    while True:
        made = write_sources(tree, chosen, dropped)
        say("building %d mutants" % len(made))
        output = build(tree, build_folder)
        if output is None:
            break
        lines = {place for place in refused(output, tree) if any((m.path, m.line) == place for m in made)}
        if not lines:
            sys.exit(output[-4000:] + "\nnumavp: the mutants do not build")
        dropped |= lines

    tests = tests_of(build_folder)
    say("%d tests, to see which mutants they reach" % len(tests))
    reached = reach(tests, build_folder, len(made), asked.jobs)
    outcome = {}

    def meet(mutant):
        mine = sorted((seconds, i) for i, (seconds, found) in reached.items() if mutant.number in found)
        spent = 0.0
        for seconds, i in mine:
            if spent > asked.most_seconds:
                return mutant, "survived the first %.0f s of tests" % spent, None
            passed, took = run(tests[i], max(5.0, 5 * seconds), NUMAVP_MUTANT=str(mutant.number))
            spent += took
            if not passed:
                return mutant, "killed", tests[i][0]
        return mutant, "survived" if mine else "not reached", None

    begun = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for done, (mutant, what, by) in enumerate(pool.map(meet, made), 1):
            outcome[mutant.number] = (what, by)
            if what != "killed":
                print("%s:%d: %s, %s: %s -> %s" % (mutant.path, mutant.line, what, mutant.kind, mutant.before, mutant.after),
                      flush=True)
            if done % 20 == 0:
                left = (time.monotonic() - begun) / done * (len(made) - done)
                say("%d of %d, about %.0f min left" % (done, len(made), left / 60))
    killed = sum(what == "killed" for what, _ in outcome.values())
    print("%d mutants: %d killed (%.1f %%), %d not reached, %d survived" %
          (len(made), killed, 100 * killed / len(made), sum(w == "not reached" for w, _ in outcome.values()),
           sum(w.startswith("survived") for w, _ in outcome.values())))
    if asked.json:
        rows = [{**m._asdict(), "outcome": outcome[m.number][0], "by": outcome[m.number][1]} for m in made]
        Path(asked.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
