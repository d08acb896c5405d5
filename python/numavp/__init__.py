"""numavp from Python: systems and workloads as dictionaries, results as tables and NumPy arrays.

    import numavp
    results = numavp.run({"extends": "numa-aware-4", "sockets": 2}, "spmv-powerlaw", scale=0.05)
    print(results.cycles, results["socket0.l2.fills"])
    for kernel in results.kernels():
        print(kernel["name"], kernel["cycles"], kernel["l2.hit_rate"])

run() simulates in a process of its own, by the program, and as often as you like. Platform has the time in your hands,
through the C interface (numavp/c.h): one a process. Study has many runs from one file. Rows are Tables, lists of
dictionaries that a notebook shows; NumPy is needed only for arrays, pandas only for Table.frame(). docs/use/PYTHON.md is
the guide.
"""

from ._compare import Comparison, compare
from ._errors import Error
from ._platform import Platform
from ._program import program, system, systems, version, workloads
from ._results import Results, read, run
from ._study import Study
from ._table import Table

__all__ = ["Comparison", "Error", "Platform", "Results", "Study", "Table", "compare", "program", "read", "run",
           "system", "systems", "version", "workloads"]


def __getattr__(name):
    if name == "__version__":  # asks the program, which an import alone should not need
        return version()
    raise AttributeError(f"module 'numavp' has no attribute '{name}'")
