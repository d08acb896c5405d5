#!/usr/bin/env python3
"""check_layers.py refuses what it is there for: each row adds a line to a copy of the sources and expects its complaint.

    refusals.py ROOT
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "cmake"))
from folders import folders  # noqa: E402

# File, line that is added, what must be said.
ROWS = [
    ("models/cache/tag_array.h", '#include "models/socket/gpu_socket.h"', "whose folder stands above its own"),
    ("models/memory/dram/scheduler/scheduler.h", '#include "models/memory/dram/controller.h"', "models/memory/dram/scheduler is in a circle of folders"),
    ("platform/results/results.h", '#include "platform/study/study_file.h"', "platform/study is in a circle of folders"),
    ("tlm-links/protocol/ranks.h", '#include "models/sm/sm.h"', "tlm-links is in a circle of folders"),
    ("base/values/error.h", '#include "base/stats/stats.h"', "base/values is in a circle of folders"),
    ("communication/predict/prediction.h", "#include <systemc>", "must be free of SystemC"),
    ("sw/driver/driver.c", "#include <stdio.h>", "which firmware has not"),
    ("sw/patterns/pattern.h", '#include "tlm-links/protocol/ranks.h"', "sw may include base only"),
]


def complaint(tree):
    done = subprocess.run([sys.executable, "-B", str(ROOT / "tests/layers/check_layers.py"), str(tree)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place)
        for folder in folders("NUMAVP_PRODUCT", ROOT) + ["cmake", "tests/layers"]:
            shutil.copytree(ROOT / folder, tree / folder)
        status, said = complaint(tree)
        if status != 0:
            sys.exit("the sources as they are: " + said)
        for name, line, expected in ROWS:
            source = tree / name
            text = source.read_text()
            source.write_text(line + "\n" + text)
            status, said = complaint(tree)
            source.write_text(text)
            if status == 0 or expected not in said:
                print(f"{name} with {line}: status {status}, {said or 'nothing is said'}")
                failed += 1
    sys.exit(1 if failed else 0)


main()
