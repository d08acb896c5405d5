#!/usr/bin/env python3
"""The example of the Python package on a machine without matplotlib: one sentence says what installs it.

    example_test.py ROOT
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()

with tempfile.TemporaryDirectory() as place:
    (pathlib.Path(place) / "matplotlib.py").write_text('raise ModuleNotFoundError("No module named \'matplotlib\'", name="matplotlib")\n')
    done = subprocess.run([sys.executable, "-B", str(ROOT / "examples/python/link_use.py")], capture_output=True, text=True, check=False,
                          cwd=place, env={**os.environ, "PYTHONPATH": f"{place}:{ROOT / 'python'}"})
sentence = "link_use: matplotlib is not here; ./numavp install-deps installs it (Debian: python3-matplotlib)\n"
if (done.returncode, done.stdout, done.stderr) != (1, "", sentence):
    sys.exit(f"status {done.returncode}, {done.stdout}{done.stderr}")
