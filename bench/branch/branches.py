#!/usr/bin/env python3
"""CPU time of branches against whole runs: 8 policies that change at kernel 40 of 60, with the same results.

usage: branches.py NUMAVP [--system NAME] [--kernels N] [--at K] [--jobs N]

Runs `numavp branch` with each of the changes below, then `numavp run --change` for each, compares results.json and
timeline.json byte for byte, and prints the CPU time (user and system, of all processes) of both. Exits with 1 if a byte
differs or branches take more than half of the time of the whole runs.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

CHANGES = [
    "link.balancer=static",
    "link.sample_cycles=1000",
    "link.sample_cycles=20000",
    "link.saturation_percent=80",
    "socket.partition.controller=fixed",
    "socket.partition.sample_cycles=1000",
    "socket.partition.saturation_percent=80",
    "link.switch_cycles=1000",
]
BOUND = 0.5
KERNELS_OF_A_PRODUCT = 2


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command):
    before = cpu_seconds()
    subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return cpu_seconds() - before


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("numavp")
    words.add_argument("--system", default="numa-aware-4")
    words.add_argument("--kernels", type=int, default=60)
    words.add_argument("--at", type=int, default=40)
    words.add_argument("--jobs", type=int, default=1)
    args = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        workload = here / "steps.json"
        workload.write_text(json.dumps({"kernels": [{"pattern": "spmv", "parameters": {
            "graph": {"kind": "power_law", "vertices": 32768, "degree": 8}, "mapping": "nonzeros",
            "nonzeros_per_warp": 256, "iterations": args.kernels // KERNELS_OF_A_PRODUCT}}]}))
        common = [args.system, str(workload), "--quiet"]
        changes = [word for change in CHANGES for word in ("--change", change)]
        branches = timed([args.numavp, "branch", *common, "--at", str(args.at), "--jobs", str(args.jobs), *changes,
                          "--out", str(here / "branches")])
        whole = 0.0
        different = []
        for number, change in enumerate(CHANGES):
            out = here / f"whole-{number}"
            whole += timed([args.numavp, "run", *common, "--change", f"{args.at}:{change}", "--out", str(out)])
            branch = here / "branches" / change.replace("=", "-")
            for name in ("results.json", "timeline.json"):
                if (out / name).read_bytes() != (branch / name).read_bytes():
                    different.append(f"{change}: {name}")
        cycles = sorted({json.loads((here / f"whole-{n}" / "results.json").read_text())["cycles"]
                         for n in range(len(CHANGES))})
    print(f"{len(CHANGES)} whole runs {whole:.1f} s, {len(CHANGES)} branches {branches:.1f} s: {branches / whole:.3f}; "
          f"{len(cycles)} different numbers of cycles, {cycles[0]:,} to {cycles[-1]:,}")
    for what in different:
        print(f"{what} differs")
    return 1 if different or branches > BOUND * whole else 0


if __name__ == "__main__":
    sys.exit(main())
