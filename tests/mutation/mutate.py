#!/usr/bin/env python3
"""Builds mutants of the models, runs the tests that reach each, and says which mutants no test notices.

All chosen mutants are in one build, switched on by a number, so that the sources are compiled once. A first run of the
tests without a mutant says which tests reach which mutant, and how long they take; then each mutant meets its tests, those
first that are quick and reach few mutants, until one fails. A test that takes five times as long as without the mutant has
noticed it, if it still is quick without. What becomes of a mutant is kept at once: a run that was stopped goes on, and one
after new tests asks the survivors alone.
"""
import argparse
import concurrent.futures
import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import mutants
import rows

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "cmake"))
from folders import folders  # noqa: E402

PLACES = tuple(folders("NUMAVP_MUTATED"))
PRODUCT = tuple(folders("NUMAVP_PRODUCT"))
MODELS = ("CMakeLists.txt", "cmake", *PRODUCT)
COPIED = (*MODELS, "CMakePresets.json", *folders("NUMAVP_AROUND"), "configs", "docs", "python", "README.md", "LICENSE", "numavp")
# Quick ones that hold the models to something; pictures, documents and the foreign side are none of their business.
# same_bytes comes last: it knows no reason, only that results are not those of yesterday.
SUITES = ("base", "clocks", "driver", "host", "host_core", "copy", "kernels", "links", "retry", "faults", "memory", "mmu",
          "models", "nuba", "network", "platform", "policies", "slots", "topology", "validation", "flits", "axi", "axi4",
          "axi_lite", "cpu", "gdb", "rtl", "waves", "results", "verdict", "appgraph", "transfer", "import", "records",
          "characterize", "predict", "same_bytes")
TESTS = ("configs", "examples", "tests")

MOST = 65536  # mutants in a build
MEMORY_KIB = 4 << 20  # of a test's address space: a mutant may allocate without end
SLOWER = 5  # times as long as without a mutant, and at least
AT_LEAST_S = 5.0
UNBUILT = "does not compile"
STOPPED = threading.Event()


def say(*words):
    print("numavp:", *words, file=sys.stderr, flush=True)


def takes_faults(path):
    """Whether a path from the root is of a source that is compiled for this machine: a known fault may be put in it."""
    path = Path(path)
    return path.suffix in (".cpp", ".c", ".h") and path.parts[0] in PRODUCT and path.parent != Path("sw/driver/riscv")


def sources():
    """All sources of the folders from which mutants are drawn."""
    found = (p.relative_to(ROOT) for place in PLACES for p in (ROOT / place).rglob("*.*"))
    return sorted(path for path in found if takes_faults(path))


def identity(path, line, kind, begin, nth):
    """What a place is called as long as its line stays: edits elsewhere neither rename it nor change the sample."""
    return "%s|%s|%s|%d|%d" % (path, line.strip(), kind, begin - (len(line) - len(line.lstrip())), nth)


def places(path):
    """All places of a source: (identity, line, begin, kind)."""
    text = (ROOT / path).read_text()
    lines, seen = text.split("\n"), {}
    for line, begin, _, _, kind, _ in mutants.mutants_of(text):
        name = identity(path, lines[line], kind, begin, 0)
        seen[name] = seen.get(name, -1) + 1
        yield identity(path, lines[line], kind, begin, seen[name]), line, begin, kind


def draw(seed, only):
    """All places in the order of this seed: (path, line, begin, kind)."""
    found = []
    for path in sources():
        if only and not any(str(path).startswith(o) for o in only):
            continue
        found += [(hashlib.sha256(("%d|%s" % (seed, name)).encode()).digest(), str(path), line, begin, kind)
                  for name, line, begin, kind in places(path)]
    return [tuple(place) for _, *place in sorted(found)]


def sample(ordered, count, without):
    """The first `count` places whose lines are not in `without`; a line holds one."""
    chosen, taken = [], {(path, line - 1) for path, line in without}
    for place in ordered:
        if place[:2] not in taken and len(chosen) < count:
            taken.add(place[:2])
            chosen.append(place)
    return chosen


def copy_sources(tree, faulty):
    """Makes the copy as the sources are: what differs is written anew, so that ninja sees it, and what is gone is removed.

    What may have mutants is left to write_sources(), and so are the paths `faulty`, those of known faults."""
    wanted = {tree / path for path in [*sources(), *faulty]}
    for name in COPIED:
        files = [p for p in (ROOT / name).rglob("*") if p.is_file()] if (ROOT / name).is_dir() else [ROOT / name]
        for path in files:
            if "__pycache__" in path.parts:
                continue
            target = tree / path.relative_to(ROOT)
            if target in wanted:
                continue
            wanted.add(target)
            if target.exists() and target.read_bytes() == path.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            shutil.copymode(path, target)
    for path in list(tree.rglob("*")):
        if path.is_file() and path not in wanted and path != tree / "chosen_mutant.h":
            path.unlink()


def known_bugs():
    """Bugs that were once put in by hand and that no test noticed then: in every build, beside the sample."""
    found = []
    for number, row in enumerate(rows.read("known.json"), 1):
        text = (ROOT / row.path).read_text()
        line = text.count("\n", 0, rows.place(text, row)[0]) + 1
        found.append(mutants.Mutant(number, row.path, line, "known", row.before, row.after or "(nothing)"))
    return found


def with_known(text, bug):
    return rows.switch(text, [rows.read("known.json")[bug.number - 1]], lambda row: "NUMAVP_M(%d)" % bug.number)


def header():
    return "#define NUMAVP_MUTANTS_ALL %d\n" % MOST + (HERE / "chosen_mutant.h").read_text()


def put(file, text):
    """Writes a file unless it holds that text."""
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def number(names, known, file):
    """A number for each of these places. Those of the last build stay, so that what holds them is not compiled again."""
    numbers = json.loads(file.read_text()) if file.exists() else {}
    if min(numbers.values(), default=MOST) <= len(known) or len(numbers) + len(names) >= MOST - len(known):
        numbers = {}
    for name in names:
        numbers.setdefault(name, max(numbers.values(), default=len(known)) + 1)
    file.write_text(json.dumps(numbers))
    return numbers


def write_sources(tree, known, chosen, numbers):
    """The tree with the known and the chosen mutants in it; returns their list."""
    all_mutants = list(known)
    wanted = {bug.path: set() for bug in known}
    for place in chosen:
        wanted.setdefault(place[0], set()).add(place[1:])
    for path in sorted({*map(str, sources()), *wanted}):  # known faults may lie in other files
        def number_of(line, begin, kind, path=path):
            return numbers[path, line, begin, kind] if (line, begin, kind) in wanted.get(path, ()) else 0
        text, more = mutants.rewrite(path, (ROOT / path).read_text(), number_of)
        all_mutants += more
        for bug in (bug for bug in known if bug.path == path):
            text = with_known(text, bug)
        target = tree / path
        if path in wanted:
            text = '#include "%s"\n#line 1 "%s"\n%s' % (tree / "chosen_mutant.h", target, text)
        put(target, text)
    put(tree / "chosen_mutant.h", header())
    return all_mutants


def build(tree, build_folder, targets=None, options=(), jobs=None):
    """What the compiler said if it refused something, else None. Without targets: the suites."""
    if not (build_folder / "build.ninja").exists():
        subprocess.run(["cmake", "-S", tree, "-B", build_folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DCMAKE_C_FLAGS_RELEASE=-O1", "-DNUMAVP_GROUP=20",
                        "-DNUMAVP_PRECOMPILE=ON",
                        "-DNUMAVP_BUILD_BENCH=OFF", *options], check=True, stdout=subprocess.DEVNULL)
    if targets is None:
        listed = subprocess.run(["ninja", "-C", build_folder, "-t", "targets", "all"], stdout=subprocess.PIPE, text=True, check=True)
        known = set(re.findall(r"^(test_\w+): ", listed.stdout, re.M))
        targets = sorted({"test_" + suite + more for suite in SUITES for more in ("", "_checked")} & known)
        targets.append("numavp_firmware")
    done = subprocess.run(["ninja", "-C", build_folder, "-k", "0", *(["-j", str(jobs)] if jobs else []), *targets], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT)
    return done.stdout if done.returncode else None


def refused(output, tree):
    """The lines that a compiler has complained of: of errors, of the macro in which they are, of what required it."""
    lines, wrong, required = set(), False, set()
    for match in re.finditer(r"^(\S+?):(\d+):(?:\d+:)?\s+(error|warning|note: in expansion|note|required|in )", output, re.M):
        place = (os.path.relpath(match.group(1), tree), int(match.group(2)))
        said = match.group(3)
        if said in ("error", "warning"):
            wrong = said == "error"
            lines |= {place} | required if wrong else set()
            required = set()
        elif said in ("required", "in "):
            required.add(place)
        elif said == "note: in expansion" and wrong:
            lines.add(place)
    return lines


def tests_of(build_folder):
    listed = json.loads(subprocess.run(["ctest", "--test-dir", build_folder, "--show-only=json-v1"], check=True,
                                       stdout=subprocess.PIPE, text=True).stdout)
    tests = []
    for test in listed["tests"]:
        if test["name"].split(".")[0] not in SUITES or "command" not in test or "DoNotDependOnTheOrder" in test["name"]:
            continue
        if os.path.isabs(test["command"][0]) and not os.path.exists(test["command"][0]):
            continue
        where = next((p["value"] for p in test["properties"] if p["name"] == "WORKING_DIRECTORY"), str(build_folder))
        tests.append((test["name"], test["command"], where))
    return tests


def run(test, seconds, scratch, **more):
    """Whether a test passes (None: it was stopped), and how long it takes."""
    name, command, where = test
    limited = ["sh", "-c", 'ulimit -c 0; ulimit -v %d; exec "$@"' % MEMORY_KIB, name, *command]
    begun = time.monotonic()
    child = subprocess.Popen(limited, cwd=where, env={**os.environ, "TMPDIR": str(scratch), **more}, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        passed = child.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        passed = None
    finally:  # with what it has started
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    return passed, time.monotonic() - begun


def reach(tests, folder, most, jobs):
    """By test: how long it takes, and which mutants it comes across. Tests that fail by themselves are left out."""
    def one(i):
        marks = folder / ("reached%d" % i)
        marks.write_bytes(bytes(MOST + 1))
        passed, seconds = run(tests[i], 120, folder, NUMAVP_REACHED=str(marks))
        found = {n for n, mark in enumerate(marks.read_bytes()[:most + 1]) if mark}
        marks.unlink()
        return i, passed, seconds, found
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(one, range(len(tests))))
    for i, passed, _, _ in results:
        if not passed:
            say("left out, fails without a mutant:", tests[i][0])
    return {i: (seconds, found) for i, passed, seconds, found in results if passed}


class Kept:
    """What became of mutants, a line of JSON each, written at once. A later line of the same mutant holds."""

    def __init__(self, path, fresh):
        self.path, self.rows = path, {}
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text().splitlines() if path.exists() and not fresh else []
        path.write_text("".join(line + "\n" for line in lines))
        for line in lines:
            with contextlib.suppress(ValueError):  # the last one, of a run that was killed
                row = json.loads(line)
                self.rows[row["place"]] = row

    def holds(self, place, models, tests, names, most_seconds):
        """The row of an earlier run, if it would come out again: of the same models, and killed or of the same tests."""
        row = self.rows.get(place)
        if not row or row["outcome"] == UNBUILT or row["models"] != models:
            return None
        if row["by"] and (row["tests"] == tests or not row["by"].startswith("same_bytes")):
            return row if row["by"] in names else None
        return row if row["tests"] == tests and (row["outcome"] != "unfinished" or row["most_seconds"] >= most_seconds) else None

    def add(self, row):
        self.rows[row["place"]] = row
        with self.path.open("a") as out:
            out.write(json.dumps(row) + "\n")


def fingerprint(names):
    digest = hashlib.sha256()
    for name in names:
        for path in sorted(p for p in (ROOT / name).rglob("*") if p.is_file()) if (ROOT / name).is_dir() else [ROOT / name]:
            if "__pycache__" not in path.parts and HERE not in path.parents:
                digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def reach_once(tests, folder, most, jobs):
    """As reach(), but only of tests whose program or data is another than at the last time."""
    kept = folder / "reach.json"
    then = json.loads(kept.read_text()) if kept.exists() else {}
    data = fingerprint(("configs", "examples"))
    programs = {command[0] for _, command, _ in tests if os.path.isfile(command[0])}
    programs = {name: data + hashlib.sha256(Path(name).read_bytes()).hexdigest()[:16] for name in programs}

    def program(test):
        return programs.get(test[1][0], data)
    now = {test[0]: then[test[0]] for test in tests if then.get(test[0], {}).get("program") == program(test)}
    waiting = [test for test in tests if test[0] not in now]
    say("%d of %d tests, to see which mutants they reach" % (len(waiting), len(tests)))
    for i, (seconds, found) in reach(waiting, folder, most, jobs).items():
        now[waiting[i][0]] = {"program": program(waiting[i]), "seconds": seconds, "reached": sorted(found)}
    kept.write_text(json.dumps(now))
    return {i: (now[test[0]]["seconds"], set(now[test[0]]["reached"])) for i, test in enumerate(tests) if test[0] in now}


def meet(mutant, tests, reached, most_seconds, scratch):
    """What becomes of a mutant: outcome, the test that noticed it, seconds of tests."""
    def cost(i):
        seconds, found = reached[i]
        return seconds * len(found)
    mine, instances = [], {}
    for i in sorted((i for i, (_, found) in reached.items() if mutant.number in found), key=cost):
        family = tests[i][0].split("  #")[0].rsplit("/", 1)[0] if "/" in tests[i][0] else tests[i][0]
        instances[family] = instances.get(family, 0) + 1  # one of each test, then a second one with other parameters
        mine.append((tests[i][0].startswith("same_bytes"), instances[family], len(mine), i))
    mine = [i for *_, i in sorted(mine)]
    spent = 0.0
    for i in mine:
        last = tests[i][0].startswith("same_bytes")
        if spent > most_seconds * (2 if last else 1):
            if last:
                return "unfinished", None, spent
            continue
        if STOPPED.is_set():
            raise concurrent.futures.CancelledError
        seconds = max(AT_LEAST_S, SLOWER * reached[i][0])
        passed, took = run(tests[i], seconds, scratch, NUMAVP_MUTANT=str(mutant.number))
        spent += took
        if passed is None:  # a busy machine is no bug
            passed, took = run(tests[i], seconds / 2, scratch)
            spent += took
            if passed:
                return "timed out", tests[i][0], spent
        elif not passed:
            return "killed", tests[i][0], spent
    if not mine:
        return "not reached", None, spent
    return "survived" if spent <= most_seconds else "unfinished", None, spent


def main():
    if "--known" in sys.argv[1:]:
        import known  # which uses this module
        return known.main([word for word in sys.argv[1:] if word != "--known"])
    words = argparse.ArgumentParser(prog="./numavp mutate", description=__doc__.split("\n")[0])
    words.add_argument("count", nargs="?", type=int, default=300, help="mutants in the sample (300)")
    words.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    words.add_argument("--only", action="append", default=[], metavar="PATH", help="only sources below this path")
    words.add_argument("--most-seconds", type=float, default=60, help="of tests for each mutant (60)")
    words.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at once")
    words.add_argument("--list", action="store_true", help="print the sample and build nothing")
    words.add_argument("--again", action="store_true", help="forget what an earlier or stopped run has found")
    words.add_argument("--known", action="store_true", help="the rows of known faults instead, each against its test")
    words.add_argument("--json", metavar="FILE", help="write what became of each mutant")
    asked = words.parse_args()

    if not 0 < asked.count < MOST:
        sys.exit("numavp: %d mutants are asked for; 1 to %d are allowed" % (asked.count, MOST - 1))
    ordered = draw(asked.seed, [os.path.normpath(path) for path in asked.only])
    known = known_bugs()
    dropped = {(bug.path, bug.line) for bug in known}
    folder = ROOT / "build/mutants/tests"
    kept = Kept(folder / "results.jsonl", asked.again)
    ids = {(str(path), line, begin, kind): name for path in sources() for name, line, begin, kind in places(path)}
    dropped |= {(path, line + 1) for path, line, begin, kind in ordered
                if kept.rows.get(ids[path, line, begin, kind], {}).get("outcome") == UNBUILT}
    chosen = sample(ordered, asked.count, dropped)
    if not chosen:
        sys.exit("numavp: there is no place for a mutant in these sources; --only names a path such as models/cache")
    if asked.list:
        for path, line, _, kind in sorted(chosen):
            print("%s:%d: %s" % (path, line + 1, kind))
        return
    tree, build_folder = ROOT / "build/mutants/source", ROOT / "build/mutants/build"
    tree.mkdir(parents=True, exist_ok=True)
    copy_sources(tree, [bug.path for bug in known])
    models_then, tests_then = fingerprint(MODELS), fingerprint(TESTS)
    say("%d of %d places" % (len(chosen), len(ordered)))
    while True:
        all_numbers = number([ids[place] for place in chosen], known, folder / "numbers.json")
        numbers = {place: all_numbers[ids[place]] for place in chosen}
        made = write_sources(tree, known, chosen, numbers)
        say("building %d mutants" % len(made))
        output = build(tree, build_folder)
        if output is None:
            break
        places_made = {(path, line + 1) for path, line, _, _ in chosen}
        lines = {place for place in refused(output, tree) if place in places_made}
        if not lines:
            sys.exit(output[-4000:] + "\nnumavp: the mutants do not build")
        say("others take the place of %d that do not compile" % len(lines))
        dropped |= lines
        for place in chosen:
            if (place[0], place[1] + 1) in lines:
                kept.add({"place": ids[place], "outcome": UNBUILT})
        chosen = sample(ordered, asked.count, dropped)

    tests = tests_of(build_folder)
    shutil.rmtree(folder / "scratch", ignore_errors=True)
    (folder / "scratch").mkdir()
    reached = reach_once(tests, folder, max(m.number for m in made), asked.jobs)
    names = {tests[i][0] for i in reached}
    place_of = {numbers[place]: ids[place] for place in chosen}
    outcome, waiting = {}, []
    for m in made:
        place = "known|" + m.before if m.kind == "known" else place_of[m.number]
        row = kept.holds(place, models_then, tests_then, names, asked.most_seconds)
        if row:
            outcome[m.number] = row
        else:
            waiting.append((m, place))
    if outcome:
        say("%d are known from an earlier run" % len(outcome))

    def become(what):
        mutant, place = what
        happened, by, seconds = meet(mutant, tests, reached, asked.most_seconds, folder / "scratch")
        return mutant, {"place": place, "outcome": happened, "by": by, "seconds": round(seconds, 2), "models": models_then,
                        "tests": tests_then, "most_seconds": asked.most_seconds}

    begun = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    pool = concurrent.futures.ThreadPoolExecutor(asked.jobs)
    try:
        for done, task in enumerate(concurrent.futures.as_completed([pool.submit(become, w) for w in waiting]), 1):
            mutant, row = task.result()
            kept.add(row)
            outcome[mutant.number] = row
            if done % 20 == 0:
                left = (time.monotonic() - begun) / done * (len(waiting) - done)
                say("%d of %d, about %.0f min left" % (done, len(waiting), left / 60))
    except KeyboardInterrupt:
        STOPPED.set()
        pool.shutdown(cancel_futures=True)
        say("stopped; the same command goes on from here")
    report(made, outcome)
    if asked.json:
        rows = [{**m._asdict(), **{k: outcome[m.number][k] for k in ("outcome", "by", "seconds")}} for m in made
                if m.number in outcome]
        Path(asked.json).write_text(json.dumps(rows, indent=1) + "\n")


def report(made, outcome):
    """Those that no test noticed, and the counts."""
    met = [(m, outcome[m.number]) for m in made if m.number in outcome]
    for m, row in met:
        if m.kind == "known" and row["by"]:
            print("%s:%d: known, %s by %s: %s -> %s" % (m.path, m.line, row["outcome"], row["by"], m.before, m.after))
        if not row["by"]:
            print("%s:%d: %s, %s: %s -> %s" % (m.path, m.line, row["outcome"], m.kind, m.before, m.after))
    met = [(m, row) for m, row in met if m.kind != "known"]
    count = {word: sum(row["outcome"] == word for _, row in met)
             for word in ("killed", "timed out", "not reached", "survived", "unfinished")}
    noticed = count["killed"] + count["timed out"]
    by_bytes = sum((row["by"] or "").startswith("same_bytes") for _, row in met)
    print("%d of %d mutants have met their tests: %d killed and %d timed out (%.1f %%; %d by committed results alone), %d not reached, "
          "%d survived, %d survived the tests that there was time for" %
          (len(met), sum(m.kind != "known" for m in made), count["killed"], count["timed out"], 100 * noticed / max(1, len(met)), by_bytes,
           count["not reached"], count["survived"], count["unfinished"]))


if __name__ == "__main__":
    main()
