#!/usr/bin/env python3
"""bad_register_maps.py MAKE_REGISTERS MAP: spoils the map in many ways; each must be refused with its sentence."""
import copy
import json
import subprocess
import sys
import tempfile

make, good_path = sys.argv[1:3]
with open(good_path, encoding="utf-8") as good_file:
    good = json.load(good_file)


def run(text, *arguments):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(text)
        file.flush()
        return subprocess.run([sys.executable, make, file.name, *arguments], capture_output=True, text=True, check=False)


def register(registers, block, name):
    registers_of = next(b for b in registers["blocks"] if b["name"] == block)["registers"]
    return next(r for r in registers_of if r["name"] == name)


def unit(registers, name="pop"):
    return register(registers, "fault_unit", name)


CASES = [
    ("offset 0x21 is no multiple of 8", lambda m: unit(m).update(offset="0x21")),
    ("control and pop overlap at 0x8", lambda m: unit(m).update(offset="0x08")),
    ("offset 0x10000 lies outside the block", lambda m: unit(m).update(offset="0x10000")),
    ("has two status", lambda m: unit(m).update(name="status")),
    ("access ro; there are RO, WO, RW", lambda m: unit(m).update(access="ro")),
    ("has no reset", lambda m: unit(m).pop("reset")),
    ("has a key rest", lambda m: unit(m).update(rest=1)),
    ("reset zero is no number", lambda m: unit(m).update(reset="zero")),
    ("reset 0x10000000000000000 is no number below", lambda m: unit(m).update(reset="0x10000000000000000")),
    ("offset True is no number", lambda m: unit(m).update(offset=True)),
    ("Pop is no name", lambda m: unit(m).update(name="Pop")),
    ("doc is no text", lambda m: unit(m).update(doc="")),
    ("doc is no text", lambda m: unit(m).update(doc="it ends */ the comment")),
    ("bits: queued and full overlap at 0x1f", lambda m: unit(m, "status")["fields"][1].update(first=31)),
    ("ends at bit 31, before its first bit 32", lambda m: unit(m, "status")["fields"][1].update(last=31)),
    ("last 64 is no number below", lambda m: unit(m, "status")["fields"][3].update(last=64)),
    ("has two full", lambda m: unit(m, "status")["fields"][2].update(name="full")),
    ("two names for one value", lambda m: register(m, "copy_engine", "command")["values"][1].update(value=1)),
    ("fault_unit and copy_engine overlap", lambda m: m["blocks"][2].update(base="0x1000fff8")),
    ("ram and platform overlap", lambda m: m["windows"][0].update(bytes="0x4000000000000000")),
    ("base and bytes must be multiples of 8", lambda m: m["blocks"][1].update(base="0x10000004")),
    ("ends beyond 64 bits", lambda m: m["windows"][1].update(bytes="0xFFFFFFFFFFFFFFF8")),
    ("the map has two timer", lambda m: m["blocks"][1].update(name="timer")),
    ("would both be FAULT_UNIT_HEAD_INFO in C", lambda m: m["blocks"].append(
        {"name": "fault", "base": "0x20000000", "bytes": 64, "doc": "d",
         "registers": [{"name": "unit_head_info", "offset": 0, "access": "RO", "reset": 0, "doc": "d"}]})),
    ("registers is no list, or empty", lambda m: m["blocks"][0].update(registers=[])),
    ("the map has no blocks", lambda m: m.pop("blocks")),
]

failures = []
for sentence, spoil in CASES:
    spoilt = copy.deepcopy(good)
    spoil(spoilt)
    result = run(json.dumps(spoilt), "header")
    if result.returncode != 2 or sentence not in result.stderr or result.stdout or result.stderr.count("\n") != 1:
        failures.append(f"expected '{sentence}', got status {result.returncode}: {result.stderr}")
for sentence, text in [("no JSON", "{"), ("stands twice", '{"title": "a", "title": "b"}'), ("is no object", "[]")]:
    result = run(text, "table")
    if result.returncode != 2 or sentence not in result.stderr:
        failures.append(f"expected '{sentence}', got status {result.returncode}: {result.stderr}")
if run(json.dumps(good), "poem").returncode != 2:
    failures.append("an unknown kind was taken")
for kind in ("header", "table", "linker", "markdown"):
    result = run(json.dumps(good), kind)
    if result.returncode != 0 or result.stderr or len(result.stdout) < 20:
        failures.append(f"the good map makes no {kind}: {result.stderr}")
for register_name in ("HEAD_INFO", "LAB_PERCENT", "MTIMECMP"):
    if register_name not in run(json.dumps(good), "markdown").stdout:
        failures.append(f"{register_name} is not in the documentation")

print("\n".join(failures) or f"{len(CASES) + 3} bad maps are refused")
sys.exit(1 if failures else 0)
