#!/usr/bin/env python3
"""Walks through all instructions of the three papers' workloads, if a workload, a pattern or what reads them has changed.

    walks.py TEST_KERNELS [--always]

tests/sw/kernels/walked.txt has the hash of what was walked last; a walk that passes writes it. Commit it with the change.
"""
import hashlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
KEPT = ROOT / "tests/sw/kernels/walked.txt"
# Workloads, what makes their instructions, and what is expected of them.
READ = ["configs/workloads/*.json", "sw/*.h", "sw/*.cpp", "base/config/*.h", "base/config/*.cpp", "base/values/*.h",
        "base/values/*.cpp", "tests/sw/kernels/*table*_test.cpp", "tests/data/*.csv"]
NOT_READ = "sw/driver/"
WALKING = "All/Table2Workload.*:All/NubaWorkload.*:All/MemoryNetworksWorkload.*"


def hash_of_what_is_walked():
    """Of contents, not of names: a file that moves is the same."""
    summed = set()
    for pattern in READ:
        folder, _, kind = pattern.rpartition("/")
        for path in (ROOT / folder).rglob(kind):
            if not path.relative_to(ROOT).as_posix().startswith(NOT_READ):
                summed.add(hashlib.sha1(path.read_bytes()).hexdigest())
    return hashlib.sha1("".join(sorted(summed)).encode()).hexdigest()


def main():
    now = hash_of_what_is_walked()
    kept = KEPT.read_text().split()[-1] if KEPT.exists() else "none"
    if now == kept and "--always" not in sys.argv and os.environ.get("NUMAVP_TEST_DEPTH") != "all":
        print(f"workloads and patterns are those that were walked ({now})")
        return 0
    print(f"walking: workloads and patterns are {now}, those walked last {kept}", flush=True)
    shards = os.cpu_count() or 1
    environment = dict(os.environ, NUMAVP_WALKS="1", GTEST_TOTAL_SHARDS=str(shards), GTEST_BRIEF="1")
    listed = subprocess.run([sys.argv[1], f"--gtest_filter={WALKING}", "--gtest_list_tests"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout
    if any(suite.rstrip("*") not in listed for suite in WALKING.split(":")):
        print(f"a suite of {WALKING} has no tests")
        return 1
    running = [subprocess.Popen([sys.argv[1], f"--gtest_filter={WALKING}"], cwd=ROOT,
                                env=dict(environment, GTEST_SHARD_INDEX=str(shard))) for shard in range(shards)]
    if any([walk.wait() for walk in running]):
        return 1
    KEPT.write_text(f"Hash of the workloads and patterns that were walked last, by tests/sw/kernels/walks.py:\n{now}\n")
    print("all walks pass; tests/sw/kernels/walked.txt has the new hash: commit it")
    return 0


sys.exit(main())
