#!/usr/bin/env python3
"""`./numavp test --changed` chooses the suites that a change meets: a file of each kind, its suite, and one that stays out.

    changed_test.py ROOT
"""
import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "tests/support"))
import changed  # noqa: E402

# A file of each kind, suites that must be chosen, and suites that must not.
ROWS = [
    ("base/time/clockwork.cpp", "clocks platform", ""),
    ("tlm-links/axi/axi4_manager.cpp", "links", "topology"),
    ("tlm-links/topology/grid.cpp", "topology network", "gdb"),
    ("models/cache/l2_slice.cpp", "models platform nuba same_bytes", "topology"),
    ("sw/patterns/pattern_bfs.cpp", "kernels", "topology gdb"),
    ("sw/driver/driver.c", "driver", "topology"),
    ("sw/driver/registers.json", "driver gdb", "topology"),
    ("communication/import/hwloc_reader.cpp", "import", "models topology"),
    ("platform/cli/cli_run.cpp", "cli", "models topology"),
    ("platform/report/web/run.js", "report", "models"),
    ("capi/entry_points.cpp", "capi", "topology"),
    ("include/numavp/c.h", "capi consumer", "topology"),
    ("rtl/flit_relay.sv", "flits", "topology"),
    ("rtl/verilated/lane_balancer_block.cpp", "rtl", "topology"),
    ("configs/workloads/stream-triad.json", "kernels same_bytes capi", "topology"),
    ("configs/systems/numa-aware-4.json", "same_bytes cli rtl fuzz", "gdb"),
    ("configs/studies/mechanisms.json", "study", "gdb"),
    ("configs/graphs/vector-add-64mib.json", "predict appgraph", "gdb"),
    ("python/numavp/__init__.py", "consumer", "models"),
    ("examples/rtl-memory/my_memory.sv", "consumer", "models"),
    ("bench/main_bench.cpp", "device", "models"),
    ("numavp", "script", "models"),
    ("cmake/script/packages.sh", "script", "models"),
    ("docs/use/RTL.md", "consumer", "models"),
    ("docs/trust/booksim2.csv", "consumer", "models"),
    ("models/cache/README.md", "consumer", "models"),
    ("tests/models/mmu/tlb_test.cpp", "mmu", "models"),
    ("tests/rtl/memory/bandwidth_test.cpp", "rtl_memory", "rtl"),
    ("tests/tlm-links/axi/tests.cmake", "axi", "links"),
    ("tests/data/traces/kernel-1.traceg", "kernels cli", "models"),
    ("tests/support/process.cpp", "cli study gdb", "topology"),
    # What the table does not know, and what everything hangs on: all suites.
    ("CMakeLists.txt", "models topology gdb script", ""),
    ("cmake/Lint.cmake", "models topology gdb script", ""),
    ("tests/support/main.cpp", "models topology gdb", ""),
    ("a-new-folder/a-new-kind.xyz", "models topology gdb script", ""),
    ("models/cache/gone.cpp", "models topology gdb script", ""),
]


def main():
    every, failures = set(changed.suites()), 0
    for name, wanted, unwanted in ROWS:
        chosen = changed.suites_of(name)
        chosen = every if changed.ALL in chosen else chosen
        unknown = [word for word in (wanted + " " + unwanted).split() if word not in every]
        wrong = [word for word in wanted.split() if word not in chosen] + [word for word in unwanted.split() if word in chosen]
        if wrong or unknown or not set(chosen) <= every | {"layers"}:
            print(f"{name}: {wrong} {unknown} are wrong in {sorted(chosen)}")
            failures += 1
    # A change that a test does not reach names nothing but the checks of the whole tree.
    if changed.suites_of(".gitignore"):
        print(".gitignore meets", changed.suites_of(".gitignore"))
        failures += 1
    sys.exit(1 if failures else 0)


main()
