#!/usr/bin/env python3
"""Runs the traces of kernels.h in numavp and sets their cycles beside those of a measured GPU.

usage: correlate.py NUMAVP TRACES MEASUREMENTS SYSTEM [--set PATH=VALUE ...] [NAME ...]

TRACES is what numavp_device_traces wrote. Cycles are without those of the kernel `empty-1`, one block of one warp that
does nothing: the launch. Sectors are those read from memory.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

LAUNCH = "empty-1"


def run(arguments, name):
    trace = pathlib.Path(arguments.traces, name, "kernelslist.g")
    if not trace.exists():
        sys.exit(f"{trace}: no such file; numavp_device_traces writes it")
    with tempfile.TemporaryDirectory() as out:
        command = [arguments.numavp, "run", arguments.system, str(trace), "--out", out, "--quiet"]
        for setting in arguments.set:
            command += ["--set", setting]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit(f"{name}: the run failed")
        with open(f"{out}/results.json", encoding="utf-8") as f:
            return json.load(f)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in ("numavp", "traces", "measurements", "system"):
        parser.add_argument(word)
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_intermixed_args()
    with open(arguments.measurements, encoding="utf-8") as f:
        kernels = json.load(f)["kernels"]
    for name in arguments.names:
        if name not in kernels or name == LAUNCH:
            sys.exit(f"{name}: no kernel to compare; there are {', '.join(k for k in kernels if k != LAUNCH)}")
    launches = (kernels[LAUNCH]["cycles"], run(arguments, LAUNCH)["cycles"])
    ratios = []
    print(f"{'kernel':24} {'silicon':>8} {'numavp':>8} ratio | instructions of both | sectors read of both")
    for name in arguments.names or [name for name in kernels if name != LAUNCH]:
        silicon, results = kernels[name], run(arguments, name)
        totals = results["statistics"]
        net, ours = silicon["cycles"] - launches[0], results["cycles"] - launches[1]
        ratios.append(ours / net)
        read = sum(part["memory"]["read_bytes"] for key, part in totals.items() if key.startswith("socket")) // 32
        print(f"{name:24} {net:8} {ours:8} {ratios[-1]:5.2f} | "
              f"{silicon['instructions']:8} {totals['system']['warp_instructions']:8} | "
              f"{silicon['memory_sectors_read']:8} {read:8}", flush=True)
    within = {percent: sum(abs(ratio - 1) <= percent / 100 for ratio in ratios) for percent in (10, 20)}
    print(f"{len(ratios)} kernels: {within[10]} within 10 %, {within[20]} within 20 %")


if __name__ == "__main__":
    main()
