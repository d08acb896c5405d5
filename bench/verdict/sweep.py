#!/usr/bin/env python3
"""Sweeps one setting through the point at which it becomes the limit, and looks what the verdict says.

usage: sweep.py NUMAVP [--cases FILE] [--quick] [--out FILE] [CASE...]

A case names a machine, a work, a setting, and the cause that the setting makes the limit. Two runs find the knee from the
speed alone: `free` with the setting at a value at which it costs nothing, `limited` where it costs nearly all. For a rate
(a bandwidth, a clock) the time is T(free) or c / value, for a cost that is added (a launch) T(free) + c * value; the knee is
where both halves are equal. For a socket whose clock is slowed (`tail`) it is where it works alone as long as both work together,
half of the clock. Then the setting runs from half to twice the knee in eight steps. The strength of a step is 1 at
the knee and 2 where the setting limits twice as much. Expected: the cause is named from a strength of 1.2 on, and not below
0.8. Each figure that is named is computed once more from results.json (figures.py).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import figures

STEPS = [0.5 * 4 ** (i / 7) for i in range(8)]
NAMED, UNNAMED = 1.2, 0.8


class Runs:
    def __init__(self, program, folder, case, cases):
        self.program, self.folder, self.case = program, folder, case
        for kind, name, known in (("machine", case["machine"], cases["machines"]), ("work", case["work"], cases["works"])):
            if name in known:
                path = folder / f"{name}.json"
                path.write_text(json.dumps(known[name]), encoding="utf-8")
                name = str(path)
            setattr(self, kind, name)
        self.settings = [f"{path}={value}" for path, value in case.get("set", {}).items()]

    def run(self, value):
        """Results and verdict with the setting at `value`."""
        out = self.folder / "out"
        if isinstance(self.case["free"], int) and isinstance(self.case.get("limited", 0), int):
            value = round(value)
        settings = [word for setting in self.settings + [f"{self.case['vary']}={value:.6g}" if isinstance(value, float) else
                                                         f"{self.case['vary']}={value}"] for word in ("--set", setting)]
        command = [self.program, "run", self.machine, self.work, "--out", str(out), "--json", *settings]
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"{self.case['name']}: {' '.join(command)}: {ended.stderr}")
        results = json.loads((out / "results.json").read_text(encoding="utf-8"))
        return results, json.loads(ended.stdout)["verdict"]


def knee_of(runs, case):
    if case["as"] == "tail":
        return case["free"] / 2
    free, limited = (runs.run(case[which])[0]["time_ns"] for which in ("free", "limited"))
    if case["as"] == "rate":
        return limited * case["limited"] / free
    return free * case["limited"] / (limited - free)


def sweep(runs, case):
    knee = knee_of(runs, case)
    steps = []
    for strength in STEPS:
        value = {"rate": knee / strength, "added": knee * strength, "tail": 2 * knee / (1 + strength)}[case["as"]]
        results, verdict = runs.run(value)
        limit = verdict["limit"]
        step = {"strength": strength, "value": value, "time_ns": results["time_ns"], "words": verdict["words"],
                "named": limit["cause"] if limit else None}
        if limit:
            step["figure"], step["recomputed"] = limit["figure"], figures.recompute(results, limit)
        steps.append(step)
    return {"case": case["name"], "cause": case["cause"], "knee": knee, "steps": steps}


def faults_of(found):
    faults = []
    for step in found["steps"]:
        named = step["named"] == found["cause"]
        if step["strength"] >= NAMED and not named:
            faults.append(f"{found['cause']} is not named at {step['strength']:.2f} of the knee, but: {step['words']}")
        if step["strength"] <= UNNAMED and named:
            faults.append(f"{found['cause']} is named at {step['strength']:.2f} of the knee")
        if step["named"] and abs(step["figure"] - step["recomputed"]) > 1e-9:
            faults.append(f"the figure at {step['strength']:.2f} is {step['figure']}, but from results.json {step['recomputed']}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numavp")
    parser.add_argument("--cases", default=pathlib.Path(__file__).with_name("cases.json"))
    parser.add_argument("--quick", action="store_true", help="only the cases that the tests run")
    parser.add_argument("--out", help="writes all steps as JSON")
    parser.add_argument("names", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    cases = json.loads(pathlib.Path(arguments.cases).read_text(encoding="utf-8"))
    os.environ.setdefault("NUMAVP_CONFIGS", str(pathlib.Path(__file__).resolve().parents[2] / "configs"))
    chosen = [case for case in cases["cases"] if case["name"] in arguments.names] if arguments.names else [
        case for case in cases["cases"] if case.get("quick") or not arguments.quick]
    if len(chosen) < max(1, len(arguments.names)):
        sys.exit(f"there are the cases {', '.join(case['name'] for case in cases['cases'])}")
    everything, failed = [], 0
    for case in chosen:
        with tempfile.TemporaryDirectory() as folder:
            found = sweep(Runs(arguments.numavp, pathlib.Path(folder), case, cases), case)
        everything.append(found)
        faults = faults_of(found)
        failed += bool(faults)
        print(f"{case['name']}: knee of {case['vary']} at {found['knee']:.4g}: {'failed' if faults else 'ok'}")
        for step in found["steps"]:
            print(f"  {step['strength']:5.2f}  {step['value']:10.4g}  {step['time_ns']:10.0f} ns  {step['words']}")
        for fault in faults:
            print(f"  fault: {fault}")
        sys.stdout.flush()
    if arguments.out:
        pathlib.Path(arguments.out).write_text(json.dumps(everything, indent=1), encoding="utf-8")
    print(f"{len(chosen)} cases, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
