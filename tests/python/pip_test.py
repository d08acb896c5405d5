"""The package as pip installs it from the tree: pip_test.py <tree> <program>. Offline, in folders of its own.

Exit status 77 with a sentence where this Python has no venv, pip, setuptools or wheel, or 1 if NUMAVP_REQUIRE_ALL is set.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

tree, program = map(Path, sys.argv[1:3])
# ensurepip is what Debian's python3-venv adds; setuptools before 70.1 needs wheel to make one.
for module, package in (("ensurepip", "python3-venv"), ("pip", "python3-pip"), ("setuptools", "python3-setuptools"),
                        ("wheel", "python3-wheel")):
    if importlib.util.find_spec(module) is None:
        print(f"{sys.executable} has no {module} (Debian: {package}), which an installation by pip needs", file=sys.stderr)
        sys.exit(1 if os.environ.get("NUMAVP_REQUIRE_ALL") else 77)

SHOWN = """
import sys
sys.modules["pandas"] = sys.modules["numpy"] = None  # an import of them fails
import numavp
results = numavp.read(sys.argv[1])
kernels = results.kernels()
assert sum(row["cycles"] for row in kernels) == results.cycles
print(numavp.__file__, numavp.__version__)
print(kernels.select("name", "cycles"))
"""


class Pip(unittest.TestCase):
    def run_in(self, folder, *words, **more):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON", "NUMAVP_"))}
        ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env={**environment, **more})
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return ended.stdout

    def test_the_installed_package_reads_results_and_prints_rows(self):
        with tempfile.TemporaryDirectory() as place:
            # The backend writes into the folder that it builds from.
            shutil.copytree(tree / "python", Path(place) / "python", ignore=shutil.ignore_patterns("__pycache__", "build"))
            self.run_in(place, sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", "venv")
            python = str(Path(place) / "venv/bin/python")
            self.run_in(place, python, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-index",
                        "--disable-pip-version-check", "./python")
            self.run_in(place, str(program), "run", "numa-aware-2", "reduction", "--scale", "0.001", "--quiet", "--out",
                        "results")
            lines = self.run_in(place, python, "-c", SHOWN, "results",
                                PATH=f"{program.parent}:{os.environ['PATH']}").splitlines()
            file, version = lines[0].split()
            self.assertTrue(Path(file).resolve().is_relative_to(Path(place).resolve() / "venv"), file)
            self.assertEqual(lines[1].split(), ["name", "cycles"])
            self.assertIn("outside kernels", lines[-1])
            installed = self.run_in(place, python, "-c", "from importlib.metadata import version; print(version('numavp'))")
            self.assertEqual(installed.strip(), version, "the version of pyproject.toml is the program's")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
