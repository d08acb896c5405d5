#!/usr/bin/env python3
"""Fuzzes the readers, and logs what came of it.

fuzz.py build RELEASE FOLDER                   readers with libFuzzer and both sanitizers (clang), in one program of all targets
fuzz.py run PROGRAMS SECONDS LOG [TARGET...]   each target for so long, or for 10^6 inputs; one after the other

`build` compiles the readers alone with sanitizers and coverage, and takes what they call from the optimised build in RELEASE
(./numavp build), so that it takes minutes; the preset "fuzz" (./numavp fuzz) compiles everything so. PROGRAMS is a folder
of programs <target>_fuzz of either. LOG is CSV, a row a target: date, seconds, those of CPU, inputs, edges, the share of the
inputs after which no new edge was found, and what ended the run. SECONDS are those of the clock, not of CPU (libFuzzer's
max_total_time). A target has been fuzzed enough if that share is below 2/3 after 10^6 inputs or 1200 seconds of CPU. Inputs that were
found are kept in PROGRAMS/found/<target>, those that fail in PROGRAMS/failed/<target>.

Ends with 1 if an input failed or a target was killed, with 2 if the arguments are wrong.
"""
import csv
import datetime
import json
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FUZZ = ROOT / "tests" / "fuzz"
INPUTS = 1_000_000
COLUMNS = ["target", "date", "seconds", "cpu_seconds", "inputs", "edges", "last_new_edge_at", "ended_by"]
LIMITS = ["-max_len=16384", "-timeout=10", "-rss_limit_mb=2048", "-detect_leaks=0", "-print_final_stats=1"]

# What reads: compiled with coverage, a unit each. Named are folders, or files where the rest of a folder reads nothing.
READERS = {
    "config": ["base/config", "base/values/name_table.cpp"],
    "system": ["common/system"],
    "inputs": ["common/inputs", "common/files/json_file.cpp", "common/files/document_kind.cpp", "common/files/sql.cpp",
               "common/words"],
    "traces": ["sw/traces", "sw/workloads"],
    "import": ["communication/import"],
    "records": ["communication/records", "communication/characterize/measured_file.cpp"],
    "tables": ["platform/study/study_file.cpp", "platform/machine/fault_list.cpp", "platform/latency/measured_latency.cpp",
               "platform/network/traffic.cpp", "platform/correlate"],
    "riscv": ["models/riscv"],
}


def refuse(sentence):
    print("fuzz.py: " + sentence, file=sys.stderr)
    sys.exit(2)


def targets():
    return sorted(path.stem[:-len("_fuzz")] for path in FUZZ.glob("*_fuzz.cpp"))


def sources_of(names):
    for name in names:
        path = ROOT / name
        yield from sorted(path.glob("*.cpp")) if path.is_dir() else [path]


def release_options(release):
    """Definitions and folders of the optimised build, and what its program is linked with."""
    options = []
    for entry in json.loads((release / "compile_commands.json").read_text()):
        if re.search(r"CMakeFiles/numavp_(common|communication|platform)\.dir", entry["command"]):
            for word in shlex.split(entry["command"]):
                if word.startswith(("-D", "-I")) and word not in options:
                    options.append(word)
    commands = subprocess.run(["ninja", "-C", str(release), "-t", "commands", "tests/test_flits"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    words = shlex.split([line for line in commands.splitlines() if "-o tests/test_flits " in line][-1])
    libraries = []
    for word in words:
        if word.endswith((".a", ".so")) or re.search(r"\.so\.[0-9.]+$", word) or word.startswith("-l"):
            if "test" not in word and "gmock" not in word:
                libraries.append(str(release / word) if not word.startswith(("/", "-")) else word)
    return options, libraries


def unit_of_targets():
    """One unit of all targets, and the choice among them by the program's name."""
    text = "#include <cstdint>\n#include <cstdlib>\n#include <cstring>\n"
    for name in targets():
        text += ('#define LLVMFuzzerTestOneInput fuzz_%s\n#include "tests/fuzz/%s_fuzz.cpp"\n'
                 "#undef LLVMFuzzerTestOneInput\n" % (name, name))
    text += "static int (*chosen)(const std::uint8_t*, std::size_t) = nullptr;\n"
    text += 'extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {\n'
    text += "    const char* name = std::strrchr((*argv)[0], '/');\n"
    for name in targets():
        text += '    if (name && std::strcmp(name, "/%s_fuzz") == 0) chosen = fuzz_%s;\n' % (name, name)
    text += "    return chosen ? 0 : (std::abort(), 1);\n}\n"
    text += ('extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) '
             "{ return chosen(data, size); }\n")
    return text + '#include "tests/fuzz/driver/libfuzzer.cpp"\n'


def build(release, folder):
    release, folder = Path(release).resolve(), Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    options, libraries = release_options(release)
    common = ["clang++", "-std=c++17", "-O1", "-gline-tables-only", "-fno-omit-frame-pointer", "-fPIC", "-w",
              "-fsanitize=address,undefined,fuzzer-no-link", "-fno-sanitize-recover=all", "-I" + str(ROOT),
              '-DNUMAVP_SOURCE_DIR="%s"' % ROOT] + options
    units = {name: "".join('#include "%s"\n' % path.relative_to(ROOT) for path in sources_of(names))
             for name, names in READERS.items()}
    units["targets"] = unit_of_targets()

    def compile_unit(name):
        unit = folder / (name + ".cpp")
        unit.write_text(units[name])
        subprocess.run(common + ["-c", str(unit), "-o", str(folder / (name + ".o"))], check=True)
        print("compiled", name, flush=True)

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(compile_unit, sorted(units)))
    # The readers stand in the libraries too: those that come first, ours, are taken.
    subprocess.run(["clang++", "-fsanitize=address,undefined,fuzzer", "-fuse-ld=lld", "-Wl,-z,muldefs",
                    "-Wl,--allow-shlib-undefined", "-no-pie"] + [str(folder / (name + ".o")) for name in sorted(units)] +
                   libraries + ["-pthread", "-o", str(folder / "all_targets")], check=True)
    for name in targets():
        link = folder / (name + "_fuzz")
        link.unlink(missing_ok=True)
        link.symlink_to("all_targets")


def fuzz(programs, name, seconds):
    """Runs a target; a row of the log."""
    found, failed = programs / "found" / name, programs / "failed" / name
    found.mkdir(parents=True, exist_ok=True)
    failed.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    process = subprocess.Popen([str(programs / (name + "_fuzz")), "-max_total_time=%d" % seconds, "-runs=%d" % INPUTS,
                                "-artifact_prefix=%s/" % failed] + LIMITS + [str(found), str(FUZZ / "corpus" / name)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                               cwd=ROOT)
    inputs = edges = last_new = 0
    tail = []
    for line in process.stderr:
        tail = tail[-200:] + [line]
        state = re.match(r"#(\d+)\s+(\S+)\s+cov: (\d+)", line)
        if not state:
            continue
        inputs = int(state[1])
        if int(state[3]) > edges:
            edges, last_new = int(state[3]), inputs
    _, status, used = os.wait4(process.pid, 0)
    took = time.monotonic() - began
    done = [re.match(r"stat::number_of_executed_units:\s+(\d+)", line) for line in tail]
    inputs = max([inputs] + [int(match[1]) for match in done if match])
    status = os.waitstatus_to_exitcode(status)
    if status != 0:
        ended = "was killed" if status < 0 else "an input failed"
        (failed / "report.txt").write_text("".join(tail))
    else:
        ended = "inputs" if inputs >= INPUTS else "time"
    return [name, datetime.date.today().isoformat(), "%.0f" % took, "%.0f" % (used.ru_utime + used.ru_stime), inputs, edges,
            "%.2f" % (last_new / inputs if inputs else 0), ended]


def run(programs, seconds, log, chosen):
    programs, log = Path(programs).resolve(), Path(log)
    unknown = set(chosen) - set(targets())
    if unknown:
        refuse("there is no target %s; there are: %s" % (sorted(unknown)[0], " ".join(targets())))
    if not re.fullmatch("[0-9]+", seconds) or int(seconds) == 0:
        refuse("'%s' seconds; a whole number above 0 is expected" % seconds)
    for name in chosen or targets():
        if not os.access(programs / (name + "_fuzz"), os.X_OK):
            refuse("%s: there is no such program; fuzz.py build makes it" % (programs / (name + "_fuzz")))
    rows = {}
    if log.exists():
        with log.open() as earlier:
            rows = {row[0]: row for row in csv.reader(earlier) if row and row[0] != COLUMNS[0]}
    bad = False
    for name in chosen or targets():
        row = fuzz(programs, name, int(seconds))
        rows[name] = row
        bad = bad or row[-1] in ("an input failed", "was killed")
        print(",".join(str(value) for value in row), flush=True)
        with log.open("w") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(rows[name] for name in sorted(rows))
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "build":
        build(sys.argv[2], sys.argv[3])
    elif len(sys.argv) >= 5 and sys.argv[1] == "run":
        sys.exit(run(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]))
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
