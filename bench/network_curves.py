#!/usr/bin/env python3
"""Latency-load curves of numavp beside BookSim2's, as docs/trust/booksim2.csv.

usage: bench/network_curves.py PROGRAM FOLDER > docs/trust/booksim2.csv

FOLDER holds CSV files of BookSim2 with the columns injection_rate, avg_packet_latency_cycles, accepted_rate and status,
and for curves of requests read_request_latency and read_reply_latency. Saturation is the rate at which a packet takes
three times as long as one that meets no other packet: numavp's found by halving, BookSim2's interpolated between its
rates. Latencies are in cycles of the network.
"""
import csv
import json
import subprocess
import sys

CURVES = {
    "sfbfly_4g16h_uni_ow9": ["sfbfly-4g16h"],
    "sfbfly_4g16h_uni_read": ["sfbfly-4g16h", "--requests"],
    "sens_1flit_sfbfly_4g16h_uni_ow1": ["sfbfly-4g16h", "--packet-bytes", "16"],
    "dfbfly_randentry_4g16h_uni_ow9": ["dfbfly-4g16h-random-entry"],
    "storus_4g16h_uni_ow9": ["storus-4g16h"],
    "ring16_4g16h_uni_ow9": ["ring-4g16h"],
    "mesh8x8_dor_uni_ow9": ["mesh-8x8"],
    "torus8x8_dor_uni_ow9": ["torus-8x8"],
    "flatfly64_min_uni_ow9": ["flatfly-64"],
    "flatfly64_ugal_badperm_ow9": ["flatfly-64", "--traffic", "bad-permutation", "--set", "routing=ugal"],
}


def crossing(points, level):
    """The rate at which latency passes `level`, by straight lines between points; the last rate if it never does."""
    for (r0, l0), (r1, l1) in zip(points, points[1:]):
        if l0 <= level < l1:
            return r0 + (r1 - r0) * (level - l0) / (l1 - l0)
    return points[-1][0]


def reference(path):
    with open(path, newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["status"] in ("ok", "zero-load run")]
    return [(float(r["injection_rate"]), float(r["avg_packet_latency_cycles"])) for r in rows]


def ours(program, words, how):
    done = subprocess.run([program, "network", *words, *how, "--json"], check=True, capture_output=True)
    return json.loads(done.stdout)


def main():
    program, folder = sys.argv[1:]
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["network", "quantity", "rate", "numavp", "booksim2", "difference_percent", "above_80_percent_of_saturation"])
    for name, words in CURVES.items():
        theirs = reference(f"{folder}/{name}.csv")
        answer = ours(program, words, ["--rates", ",".join(f"{r:.6g}" for r, _ in theirs)])
        mine = [(p["injection_rate"], p.get("latency_cycles")) for p in answer["points"]]
        saturation = ours(program, words, ["--curve", "--packets", "1000000"])["saturation_rate"]
        other = crossing(theirs, 3 * answer["idle_latency_cycles"])
        network = " ".join(words)
        share = f"{100 * (saturation / other - 1):+.1f}"
        rows.writerow([network, "saturation", "", f"{saturation:.4g}", f"{other:.4g}", share, ""])
        for (rate, latency), (_, their) in zip(mine, theirs):
            if rate > other:
                break
            share = "" if latency is None else f"{100 * (latency / their - 1):+.1f}"
            shown = "saturated" if latency is None else f"{latency:.2f}"
            above = "no" if rate <= 0.8 * other else "yes"
            rows.writerow([network, "latency", f"{rate:.6g}", shown, f"{their:.2f}", share, above])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
