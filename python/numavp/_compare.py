"""What differs between runs."""

import json
import tempfile
from pathlib import Path

from ._errors import Error
from ._program import json_text, named, program
from ._results import Results
from ._table import Table


def compare(*runs, each=False):
    """Compares Results or folders, two or more; the first is what the others are held against (docs/use/RESULTS.md).

    With each=True, sockets, slices and channels are kept apart.
    """
    with tempfile.TemporaryDirectory(prefix="numavp-") as place:
        folders = [_folder_of(run, Path(place) / str(i)) for i, run in enumerate(runs)]
        text = program("compare", *folders, "--json", *(["--each"] if each else []))
    return Comparison(json.loads(text), [run.folder or f"run {i}" if isinstance(run, Results) else str(run)
                                         for i, run in enumerate(runs)])


def _folder_of(run, place):
    if not isinstance(run, Results):
        return named(run, "folder of results")
    if run.folder is not None:
        return run.folder
    place.mkdir()
    (place / "results.json").write_text(json_text(run.json), encoding="utf-8")
    return str(place)


class Comparison:
    """Tables of what differs, each a column a run. `json` has all of it."""

    def __init__(self, values, names):
        self.json, self.names = values, names
        if len(set(names)) != len(names):
            self.names = [f"{name} ({i})" for i, name in enumerate(names)]

    def settings(self):
        """Settings that differ, by path."""
        return self._table("settings", "Settings that differ", [])

    def headline(self):
        """Time, rates, hit rates and latencies, whether they differ or not, with their changes."""
        return self._table("headline", "Headline", ["unit"])

    def statistics(self):
        """Statistics that differ, by the size of the change."""
        return self._table("statistics", "Statistics that differ", ["unit", "over"])

    def slots(self):
        """Shares of the schedulers' issue slots by cause, resident warps, and when sockets had no warp any more."""
        return self._table("slots", "Issue slots", ["unit"])

    def access_latency(self):
        """Number, mean and percentiles of latency by class of accesses, in ns."""
        return self._table("access_latency", "Latency of accesses", ["unit"])

    def kernels(self):
        """Cycles, hit rates, bytes and the like of each launch, the most cycles apart first: a row a number.

        Launches are matched by number and name; a run that does not have one has nothing there.
        """
        rows = []
        for kernel in self.json.get("kernels", []):
            for entry in kernel["numbers"]:
                row = {"launch": kernel["launch"], "name": kernel["name"], "path": entry["path"], "unit": entry["unit"]}
                row.update(zip(self.names, entry["values"]))
                row.update(zip((f"change of {name}" for name in self.names[1:]), entry["changes"]))
                rows.append(row)
        head = ["launch", "name", "path", "unit", *self.names, *(f"change of {name}" for name in self.names[1:])]
        return Table(rows, head, title="Kernels")

    def _repr_html_(self):
        return self.headline()._repr_html_()

    def _table(self, part, title, columns):
        if part not in self.json:
            raise Error(f"the comparison has no {part}")
        rows = []
        for entry in self.json[part]:
            row = {"path": entry["path"], **{name: entry[name] for name in columns}}
            row.update(zip(self.names, entry["values"]))
            row.update(zip((f"change of {name}" for name in self.names[1:]), entry.get("changes", [])))
            rows.append(row)
        head = ["path", *columns, *self.names]
        if part != "settings":
            head += [f"change of {name}" for name in self.names[1:]]
        return Table(rows, head, "path", title)
