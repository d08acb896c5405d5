"""Studies: many runs from one file, as tables."""

import json
import os
import re
import sqlite3
from contextlib import closing
from html import escape
from pathlib import Path

from ._errors import Error
from ._program import json_text, named, program
from ._table import Table


class Study:
    """A study's file, or a dictionary with the content of one, and its results file.

    file: a path, or a dictionary, which is written to folder/<name>.json. db: the results file; folder/<study>.sqlite
    unless given. scale: as --scale of `numavp study`.
    """

    def __init__(self, file, *, folder="results", db=None, scale=None):
        if isinstance(file, dict):
            name = str(file.get("name") or "study")
            Path(folder).mkdir(parents=True, exist_ok=True)
            if re.search(r"[^A-Za-z0-9._-]", name) or name.startswith("."):
                raise Error(f"the study's name {name!r} names its file; letters, digits, '.', '_' and '-' are allowed")
            path = Path(folder) / f"{name}.json"
            text = json_text({key: value for key, value in file.items() if key != "name"})
            if path.exists() and path.read_text(encoding="utf-8") != text:
                raise Error(f"{path} is there and holds something else; give the study another name, or remove it")
            path.write_text(text, encoding="utf-8")
            file = path
        self.file = named(file, "study")
        self.db = str(db) if db is not None else str(Path(folder) / f"{Path(self.file).stem}.sqlite")
        self._scale = [] if scale is None else ["--scale", str(scale)]

    def run(self, jobs=None, figures=()):
        """Runs what has not run yet, `jobs` points at a time (as many as cores), and returns this. Error if a point fails."""
        words = ["study", "run", self.file, "--db", self.db, "--quiet", *self._scale]
        words += [] if jobs is None else ["--jobs", str(jobs)]
        for figure in figures:
            words += ["--figure", figure]
        try:
            program(*words)
        except Error as fault:
            if fault.status == 1:
                raise Error(f"points of {self.file} failed; points() has their messages", 1) from None
            raise
        return self

    def rows(self):
        """Means and values of the study's metrics, as `numavp study show --json` has them, as a table."""
        return Table(json.loads(program("study", "show", self.file, "--db", self.db, "--json", *self._scale)))

    def points(self):
        """Each point: figure, configuration, workload, system, scale, state, message, wall_s."""
        return self._query("SELECT figure, configuration, points.workload, system, scale, state, message, wall_s "
                           "FROM points JOIN runs USING(key) ORDER BY figure, configuration, points.workload")

    def metrics(self, name, figure=None):
        """A number of each point's results by its path: a row a workload, a column a configuration.

        `name`: "cycles", "statistics.socket0.l2.fills", "slots.socket0.memory", as `metrics` of the results file has
        them (docs/use/STUDIES.md). figure: needed where figures have runs of the same names that differ.
        """
        rows = self._of_points("metrics.value", "metrics", "metrics.name = ?", (name,), figure)
        if not rows:
            raise Error(f"{self.db}: no point has a metric '{name}'; 'cycles' and the paths of results.json are expected")
        return _pivot(rows, "workload", "configuration", "value")

    def series(self, configuration, workload, figure=None):
        """The time series of a point as a table, by the cycle at which an interval ends; its issue slots are in it."""
        rows = self._of_point("series.name AS name, edge, value", "series", "edge", configuration, workload, figure)
        return _pivot(rows, "edge", "name", "value")

    def kernels(self, configuration, workload, figure=None):
        """The rows by kernel of a point as a table: times, instructions, hit rates, bytes, energy, latency."""
        return _without_keys(self._of_point("kernels.*", "kernels", "row", configuration, workload, figure))

    def streams(self, configuration, workload, figure=None):
        """The same by stream: rows of the same streams together, launches of several side by side apart."""
        return _without_keys(self._of_point("streams.*", "streams", "row", configuration, workload, figure))

    def _repr_html_(self):
        if not os.path.isfile(self.db):
            return f"<p>{escape(self.file)}: nothing has run yet.</p>"
        return self.points()._repr_html_()

    def _of_point(self, columns, table, order, configuration, workload, figure):
        where = "configuration = ? AND points.workload = ?"
        keys = self._of_points("runs.id AS run", None, where, (configuration, workload), figure)
        if not keys:
            raise Error(f"{self.db}: no point of '{configuration}' with {workload} has run")
        rows = self._query(f"SELECT {columns} FROM {table} WHERE run = ? ORDER BY {order}", (keys[0]["run"],))
        if not rows:
            raise Error(f"{self.db}: the run of '{configuration}' with {workload} has no {table}: it failed, or an earlier "
                        "version ran it; run() of this version is expected")
        return rows

    def _of_points(self, column, table, where, values, figure):
        """One row for each workload and configuration, of the scale that was asked for; Error where figures differ."""
        self._check_scale()
        join = f"JOIN {table} ON {table}.run = runs.id" if table else ""
        rows = self._query(f"SELECT figure, points.workload AS workload, configuration, runs.key AS key, {column} "
                           f"FROM points JOIN runs USING(key) {join} WHERE {where}", values)
        if figure is not None:
            known = sorted(set(self._query("SELECT DISTINCT figure FROM points")["figure"]))
            if figure not in known:
                raise Error(f"unknown figure '{figure}'; {', '.join(known)} are allowed")
            rows = rows.where(figure=figure)
        runs = {}  # of each point by key: the first figure's row of each run
        for row in rows:
            runs.setdefault((row["workload"], row["configuration"]), {}).setdefault(row["key"], row)
        for (workload, configuration), found in runs.items():
            if len(found) > 1:
                figures = ", ".join(sorted({row["figure"] for row in found.values()}))
                raise Error(f"{self.db}: '{configuration}' with {workload} is another run in each of the figures {figures}; "
                            "figure= with one of them is expected")
        return Table((row for found in runs.values() for row in found.values()), rows.columns)

    def _check_scale(self):
        """Points are those of the scale that ran last."""
        if not self._scale:
            return
        noted = self._query("SELECT value FROM info WHERE key = 'scale'")
        last = (noted[0]["value"] if noted else "") or "own"
        if not _same_scale(last, self._scale[1]):
            raise Error(f"{self.db}: its points are those of scale {last}, which ran last; run() with scale "
                        f"{self._scale[1]} is expected")

    def _query(self, text, values=()):
        if not os.path.isfile(self.db):
            raise Error(f"{self.db}: there is no such file; run() makes it")
        try:
            with closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as database:
                cursor = database.execute(text, values)
                head = [column[0] for column in cursor.description]
                return Table((dict(zip(head, row)) for row in cursor.fetchall()), head)
        except sqlite3.Error as fault:
            raise Error(f"{self.db}: {fault}; the results file of a study is expected") from None


def _pivot(rows, index, columns, values):
    """A row for each value of `index`, a column for each value of `columns`, both sorted."""
    found = {}
    for row in rows:
        found.setdefault(row[index], {})[row[columns]] = row[values]
    return Table(({index: key, **found[key]} for key in sorted(found)), [index, *sorted(set(rows[columns]))], index)


def _without_keys(rows):
    return rows.select(*(name for name in rows.columns if name not in ("run", "row")))


def _same_scale(one, other):
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other
