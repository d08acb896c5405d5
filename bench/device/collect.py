#!/usr/bin/env python3
"""Makes one file of measurements from what `measure` leaves: usage: collect.py FOLDER > measurements/GPU-DATE.json

Kernels stand in the order of kernels.h. Cycles are of the SM's clock, sectors are of 32 bytes; `cycles` are of the
whole GPU from the front end's start to its end, `sm_cycles` those during which the busiest SM has a warp.
"""
import csv
import glob
import gzip
import json
import pathlib
import statistics
import sys

COUNTERS = {
    "cycles": "gpc__cycles_elapsed.max",
    "sm_cycles": "sm__cycles_active.max",
    "instructions": "smsp__inst_executed.sum",
    "l1_requests": "l1tex__t_requests.sum",
    "l1_sectors": "l1tex__t_sectors.sum",
    "l2_sectors": "lts__t_sectors_srcunit_tex.sum",
    "l2_sectors_missed": "lts__t_sectors_srcunit_tex_lookup_miss.sum",
    "memory_sectors_read": "dram__sectors_read.sum",
    "memory_sectors_written": "dram__sectors_write.sum",
    "bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu.sum",
}


def number(text):
    value = float(text.replace(",", ""))
    return int(value) if value == int(value) else value


def main(folder):
    if not pathlib.Path(folder, "gpu.txt").exists():
        sys.exit(f"{folder}: no gpu.txt; it is to be what bench/device/measure leaves")
    with open(f"{folder}/gpu.txt", encoding="utf-8") as f:
        lines = f.read().splitlines()
    times = json.load(open(f"{folder}/times.json", encoding="utf-8"))
    repeats = []
    for path in sorted(glob.glob(f"{folder}/counters-*.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as f:
            head, _, *rows = csv.reader(line for line in f if line.startswith('"'))
        if len(rows) != len(times):
            sys.exit(f"{path}: {len(rows)} kernels were counted, {len(times)} were timed")
        repeats.append([dict(zip(head, row)) for row in rows])
    if not repeats:
        sys.exit(f"{folder}: no counters-N.csv.gz; it is to be what bench/device/measure leaves")
    kernels = {}
    for n, (name, seconds) in enumerate(times.items()):
        kernels[name] = {key: statistics.median_low(number(rows[n][counter]) for rows in repeats)
                         for key, counter in COUNTERS.items()}
        of_runs = [number(rows[n][COUNTERS["cycles"]]) for rows in repeats]
        kernels[name]["cycles_least"], kernels[name]["cycles_most"] = min(of_runs), max(of_runs)
        kernels[name]["seconds"] = seconds
    profiled = {
        "l2_units": number(repeats[0][0]["device__attribute_l2s_count"]),
        "shared_memory_of_sm_bytes": number(repeats[0][0]["launch__shared_mem_config_size"]),
    }
    compiler = next(line for line in lines if "release" in line)
    print(json.dumps({
        "date": lines[0],
        "gpu": dict(zip((h.strip() for h in lines[1].split(",")), (v.strip() for v in lines[2].split(",")))),
        "compiler": compiler,
        "conditions": "Counters: ncu --clock-control none --cache-control all (caches cold), medians. Seconds: events, L2 cold.",
        "profiled": profiled,
        "parts": json.load(open(f"{folder}/characterise.json", encoding="utf-8")),
        "slices": json.load(open(f"{folder}/slices.json", encoding="utf-8")),
        "managed_memory": json.load(open(f"{folder}/faults.json", encoding="utf-8")),
        "kernels": kernels,
    }, indent=1))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
