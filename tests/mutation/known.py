"""Runs each row of known faults (rows.py) against the test that is said to find it: ./numavp mutate --known.

All faults of C++ are in one build of a rewritten copy, switched on by a number, as those of mutate.py. Each test passes
there without a fault first, or nothing is said of its rows; then it meets each of its faults, and must fail or take five
times as long. Faults of RTL are switched on by their tests themselves: these pass where every fault is noticed.
The exit status is 0 if all are found.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import shutil
import subprocess
import sys
import time
from collections import namedtuple

import mutate
import rows

FOLDER = rows.ROOT / "build/mutants/known"
QUICK = ("-DNUMAVP_COLD_OPTIONS=-O0",)

Fault = namedtuple("Fault", "name number rows")


def faults_of(all_rows):
    """Faults of C++, numbered from 1 on in the order of the rows."""
    by_name = {}
    for row in all_rows:
        if not row.number:
            by_name.setdefault(row.name, []).append(row)
    return [Fault(name, number, mine) for number, (name, mine) in enumerate(by_name.items(), 1)]


def write_sources(tree, faults):
    numbers = {fault.name: fault.number for fault in faults}
    by_path = {}
    for fault in faults:
        for row in fault.rows:
            by_path.setdefault(row.path, []).append(row)
    strange = sorted(path for path in by_path if not mutate.takes_faults(path))
    if strange:
        sys.exit("numavp: rows of files that are no sources of the product: " + ", ".join(strange))
    for path in sorted({*map(str, mutate.sources()), *by_path}):
        text = (rows.ROOT / path).read_text()
        if path in by_path:
            text = rows.switch(text, by_path[path], lambda row: "NUMAVP_M(%d)" % numbers[row.name])
            text = '#include "%s"\n#line 1 "%s"\n%s' % (tree / "chosen_mutant.h", tree / path, text)
        mutate.put(tree / path, text)
    mutate.put(tree / "chosen_mutant.h", mutate.header())


def tests_of(chosen, tree, build_folder):
    """By the words of a row: the command that runs its test."""
    found = {}
    for words in sorted({row.test for row in chosen}):
        program, only = words.split()
        path = next(path for path in build_folder.rglob(program) if path.is_file())
        command = [str(path), "--gtest_filter=" + only]
        listed = subprocess.run([*command, "--gtest_list_tests"], stdout=subprocess.PIPE, text=True, check=True, cwd=tree)
        if "\n  " not in listed.stdout:
            sys.exit("numavp: there is no test " + words)
        found[words] = (words, [*command, "--gtest_fail_fast", "--gtest_brief=1"], str(tree))
    return found


def meet(test, alone, number, scratch):
    """Whether a test notices a fault, and how. It may elaborate once: each of its tests has a process of its own."""
    most = max(2 * mutate.AT_LEAST_S, mutate.SLOWER * alone)
    passed, seconds = mutate.run(test, most, scratch, NUMAVP_MUTANT=str(number), NUMAVP_TESTS_APART=str(int(most)))
    return {None: "timed out", False: "failed", True: "passed"}[passed], seconds


def main(words):
    parser = argparse.ArgumentParser(prog="./numavp mutate --known", description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="faults whose name or path has it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at once")
    parser.add_argument("--json", metavar="FILE", help="write what became of each fault")
    parser.add_argument("--csv", metavar="FILE", help="the same as a table")
    asked = parser.parse_args(words)

    everything = rows.read()
    said = rows.check(everything)
    if said:
        sys.exit("\n".join(said))
    chosen = [row for row in everything if not asked.only or any(w in row.name or w in row.path for w in asked.only)]
    names = {row.name for row in chosen}
    faults = faults_of(everything)  # all are in the build: what is asked for does not change it
    tree, build_folder = FOLDER / "source", FOLDER / "build"
    tree.mkdir(parents=True, exist_ok=True)
    mutate.copy_sources(tree, {row.path for fault in faults for row in fault.rows})
    write_sources(tree, faults)
    mutate.say("building %d faults" % len(faults))
    output = mutate.build(tree, build_folder, sorted({row.test.split()[0] for row in chosen}), QUICK, asked.jobs)
    if output is not None:
        sys.exit(output[-4000:] + "\nnumavp: the faults do not build")

    scratch = FOLDER / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    tests = tests_of(chosen, tree, build_folder)
    alone, outcome, begun = {}, {}, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        first = {words: pool.submit(mutate.run, test, 600, scratch, NUMAVP_TESTS_APART="600")
                 for words, test in tests.items()}
        for words, task in first.items():
            passed, alone[words] = task.result()
            if not passed:
                alone[words] = None
                mutate.say("fails without a fault:", words)
        waiting = {}
        for fault in faults:
            test = fault.rows[0].test
            if fault.name in names and alone[test] is not None:
                waiting[fault.name] = pool.submit(meet, tests[test], alone[test], fault.number, scratch)
        for done, (name, task) in enumerate(waiting.items(), 1):
            outcome[name] = task.result()
            if done % 20 == 0:
                mutate.say("%d of %d, %.0f s" % (done, len(waiting), time.monotonic() - begun))
    report(chosen, alone, outcome, asked)


def report(chosen, alone, outcome, asked):
    table, missed = [], 0
    for row in chosen:
        if any(line["fault"] == row.name for line in table):
            continue
        if row.number:
            how = "not run" if alone[row.test] is None else "equivalent" if row.equivalent else "failed"
            seconds = 0.0
        else:
            how, seconds = outcome.get(row.name, ("not run", 0.0))
        found = {"failed": "yes", "timed out": "yes", "equivalent": "equivalent", "passed": "no"}.get(how, "not run")
        missed += found in ("no", "not run")
        table.append({"fault": row.name, "file": row.path, "test": row.test, "found": found})
        if found != "yes" or not row.number:
            print("%-12s %s: %s (%s, %s, %.1f s)" % (found, row.path, row.name, row.test, how, seconds))
    print("%d faults: %d found, %d equivalent, %d not found or not run" %
          (len(table), sum(line["found"] == "yes" for line in table), sum(line["found"] == "equivalent" for line in table),
           missed))
    if asked.json:
        mutate.put(rows.Path(asked.json), json.dumps(table, indent=1) + "\n")
    if asked.csv:
        with open(asked.csv, "w", newline="") as out:
            writer = csv.DictWriter(out, ("fault", "file", "test", "found"), lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)
    if missed:
        sys.exit(1)
