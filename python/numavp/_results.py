"""Runs and their results."""

import json
import re
import tempfile
from pathlib import Path

from ._errors import Error, optional
from ._program import as_file, program, set_words
from ._table import Table


def run(system="numa-aware-4", workload=None, *, set=None, scale=None, seed=None, interval=None, kernels=None,
        out=None):
    """Simulates and returns the Results.

    system, workload: a name, a path, or a dictionary with the content of such a file ("extends" names what it builds
    on). A system that is a folder of results is that run again, with its workload; without a workload it is spmv-powerlaw.
    set: settings by their path, {"link.balancer": "static"}. interval: cycles between samples of the series.
    kernels: only these launches, numbered from 1: 3, "3..7", "3..", "..7".
    out: a folder to keep; without it the results are in memory alone.
    """
    with tempfile.TemporaryDirectory(prefix="numavp-") as place:
        folder = str(Path(place) / "results") if out is None else str(out)
        words = ["run", as_file(system, place, "system")]
        words += [] if workload is None else [as_file(workload, place, "workload")]
        words += ["--quiet", "--out", folder, *set_words(set)]
        for option, value in (("--scale", scale), ("--seed", seed), ("--interval", interval),
                              ("--kernels", kernels)):
            if value is not None:
                words += [option, str(value)]
        program(*words)
        results = read(folder)
        if out is None:
            results.folder = None
        return results


def read(folder):
    """The Results in a folder that run() or `numavp run` wrote."""
    values = {}
    for name in ("results", "timeline", "run"):
        path = Path(folder) / f"{name}.json"
        try:
            values[name] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise Error(f"{path}: there is no such file; a folder that numavp run wrote is expected") from None
        except (OSError, ValueError) as fault:
            raise Error(f"{path}: it can't be read as JSON ({fault}); a file that numavp wrote is expected") from None
    return Results(values["results"], values["timeline"], values["run"], str(folder))


class Results:
    """What a run gave. `json`, `timeline` and `cost` are the content of its three files (docs/use/RESULTS.md)."""

    def __init__(self, results, timeline=None, cost=None, folder=None):
        self.json, self.timeline, self.cost, self.folder = results, timeline, cost, folder
        self.configuration = results["configuration"]
        self.workload = results["workload"]
        self.statistics = results["statistics"]
        self.cycles = results["cycles"]
        self.time_ns = results["time_ns"]

    def __repr__(self):
        return f"<numavp.Results: {self.workload['name']} on {self.configuration['name']}, {self.cycles} cycles>"

    def _repr_html_(self):
        rows = [{"figure": "cycles", "value": self.cycles, "unit": "cycles"},
                {"figure": "time", "value": self.time_ns / 1e3, "unit": "us"}]
        rows += [{"figure": row["name"], "value": row["all"], "unit": row["unit"]} for row in self.ratios()
                 if row["all"] is not None]
        title = f"{self.workload['name']} on {self.configuration['name']}"
        return Table(rows, ["figure", "value", "unit"], "figure", title)._repr_html_()

    def __getitem__(self, path):
        """A statistic by its path, such as "socket0.l2.fills"; a group is a dictionary."""
        value = self.statistics
        for step in path.split("."):
            if not isinstance(value, dict) or step not in value:
                known = ", ".join(sorted(value)[:12]) if isinstance(value, dict) else "nothing"
                raise Error(f"there is no statistic {path}: '{step}' is not known; there are {known}")
            value = value[step]
        return value

    def unit(self, path):
        """What a statistic counts: {"kind", "unit", "doc"}; of a part of a histogram those of the histogram."""
        for steps in (path.split("."), path.split(".")[:-1]):
            found = _unit_of(self.json["units"], steps)
            if found:
                return found
        raise Error(f"there is no statistic {path}")

    def flat(self):
        """All numbers of the statistics by their paths."""
        return dict(_leaves(self.statistics, ""))

    def ratio(self, path):
        """A registered share, rate or mean: "socket0.l2.hit_rate", or "l2.hit_rate" of all sockets together.

        None where nothing was counted. A rate takes what had passed when the last kernel ended.
        """
        definition, owners = self._ratio(path)
        return _over(definition, *self._sums(definition, owners))

    def ratios(self):
        """All of them as a table by name: `all`, a column for each owner, unit, doc."""
        rows, owners = [], {}
        for definition in self.json.get("ratios", {}).values():
            row = {owner: self.ratio(f"{owner}.{definition['name']}") for owner in definition["owners"] if owner}
            owners.update(row)
            rows.append({**row, "name": definition["name"], "all": self.ratio(definition["name"]),
                         "unit": definition["unit"], "doc": definition["doc"]})
        return Table(rows, ["name", "all", *owners, "unit", "doc"], "name")

    def _ratio(self, path):
        """Its definition and the owners that `path` means."""
        ratios = self.json.get("ratios", {}).values()
        for definition in ratios:
            if path == definition["name"]:
                return definition, definition["owners"]
            for owner in definition["owners"]:
                if path == f"{owner}.{definition['name']}":
                    return definition, [owner]
        names = ", ".join(definition["name"] for definition in ratios)
        raise Error(f"there is no ratio {path}; there are {names}" if names else "these results have no ratios")

    def _sums(self, definition, owners):
        """Part and whole over the run."""
        flat = self.flat()
        columns = self.json["series"]["columns"]
        time = {"ns": self.time_ns, "cycle": self.cycles}.get(definition["per"])

        def passed(path):
            return sum(columns[path]["values"]) if path in columns else None

        part = whole = None
        for owner in owners:
            of_part = None if time is None else _sum(definition.get("part_columns", []), owner, passed)
            if of_part is None:
                of_part = _sum(definition["part"], owner, flat.get)
            of_whole = _sum(definition["whole"], owner, flat.get) if time is None else time
            if of_part is None or of_whole is None:
                continue
            part = (part or 0) + of_part
            whole = (whole or 0) + of_whole if time is None else time
        return part, whole

    def column(self, name):
        """A column of the time series, or a ratio by interval, as an array: a value for each of times()."""
        columns = self.json["series"]["columns"]
        if name not in columns:
            values = self._ratio_columns().get(name)
            if values is not None:
                numbers = [float("nan") if value is None else value for value in values]
                return optional("numpy", "python3-numpy").array(numbers)
            raise Error(f"there is no column {name} in the series; there are {', '.join(sorted(columns)[:12])} and more"
                        if columns else "the series has no columns")
        return optional("numpy", "python3-numpy").array(columns[name]["values"])

    def times(self, unit="cycles"):
        """Ends of the series' intervals as an array: "cycles", or "us" of simulated time."""
        if unit not in ("cycles", "us"):
            raise Error(f"'{unit}' is no unit of times; 'cycles' and 'us' are allowed")
        return optional("numpy", "python3-numpy").array(self.json["series"]["cycles"] if unit == "cycles" else
                                                        self._ends_us())

    def _ends_us(self):
        return [end * 1000.0 / self.configuration["clock_khz"] for end in self.json["series"]["cycles"]]

    def _ratio_columns(self):
        """Ratios by interval: None where nothing was counted."""
        columns, ends = self.json["series"]["columns"], self.json["series"]["cycles"]
        lengths = [end - begin for begin, end in zip([0, *ends], ends)]
        found = {}
        for definition in self.json.get("ratios", {}).values():
            for owner in definition["owners"] if definition.get("part_columns") else []:
                names = [*definition["part_columns"], *definition["whole_columns"]]
                if any(_below(owner, name.lstrip("-")) not in columns for name in names):
                    continue
                values = []
                for i, cycles in enumerate(lengths):
                    def grown(path, i=i):
                        return columns[path]["values"][i]
                    whole = {"ns": cycles * 1e6 / self.configuration["clock_khz"], "cycle": cycles}.get(definition["per"])
                    if whole is None:
                        whole = _sum(definition["whole_columns"], owner, grown)
                    values.append(_over(definition, _sum(definition["part_columns"], owner, grown), whole))
                found[_below(owner, definition["name"])] = values
        return found

    def series(self):
        """The time series as a table, by the microsecond `us` at which an interval ends, which is at `cycle`."""
        columns = {"us": self._ends_us(), "cycle": self.json["series"]["cycles"]}
        columns.update({name: column["values"] for name, column in self.json["series"]["columns"].items()})
        columns.update(self._ratio_columns())
        return Table.of_columns(columns, index="us")

    def table(self):
        """The statistics as a table by path: value, unit, kind, doc."""
        rows = [{"path": path, "value": value, **_unit_or_none(self, path)} for path, value in self.flat().items()]
        return Table(rows, ["path", "value", "unit", "kind", "doc"], "path")

    def by_socket(self):
        """Statistics of sockets as a table: a row for each `socket`, a column for each path below it."""
        rows = [{"socket": int(name[len("socket"):]), **dict(_leaves(group, ""))}
                for name, group in self.statistics.items() if re.fullmatch(r"socket\d+", name)]
        return Table(rows, index="socket")

    def kernels(self):
        """A table with a row for each launch, for launches side by side, and for what was outside kernels.

        Columns are name, launch, streams, cycles and the like, every statistic by its path, and every ratio, over all
        sockets, by its name. Counters sum to those of the run; means, percentiles and levels are of kernels alone (docs/use/RESULTS.md).
        """
        kernels = self.json.get("kernels")
        if kernels is None:
            raise Error("these results have nothing by kernel; those of this version of numavp have")
        columns = {**kernels["rows"], **kernels["counters"], **kernels["values"]}
        columns.update(self._ratios_of_rows(kernels["rows"]["cycles"], kernels["counters"]))
        return Table.of_columns(columns)

    def _ratios_of_rows(self, cycles, counters):
        """Ratios of rows with these counters, over all owners together, by name."""
        found = {}
        for definition in self.json.get("ratios", {}).values():
            values = []
            for i, length in enumerate(cycles):
                def counted(path, i=i):
                    return counters[path][i] if path in counters else None
                time = {"ns": length * 1e6 / self.configuration["clock_khz"], "cycle": length}.get(definition["per"])
                both = []
                for owner in definition["owners"]:
                    part = _sum(definition["part"], owner, counted)
                    whole = _sum(definition["whole"], owner, counted) if time is None else time
                    if part is not None and whole is not None:
                        both.append((part, whole))
                whole = sum(whole for _, whole in both) if time is None else time
                values.append(_over(definition, sum(part for part, _ in both), whole) if both else None)
            found[definition["name"]] = values
        return found

    def streams(self):
        """The table of kernels() by stream: rows with the same `streams` added up.

        Launches of several streams side by side are a row of their own, which is not divided. All columns that are here
        sum to the run; means, percentiles and levels do not add up, and are not here.
        """
        summed = ["cycles", *self.json.get("kernels", {}).get("counters", {})]
        groups = {}
        for row in self.kernels():
            kind = row["kind"] if row["kind"] in ("overlap", "outside") else "stream"
            streams = "" if row["streams"] is None else row["streams"]
            group = groups.setdefault((kind, streams), {"kind": kind, "streams": streams, **dict.fromkeys(summed, 0)})
            for name in summed:
                group[name] += row[name] or 0
        columns = {name: [group[name] for group in groups.values()] for name in ["kind", "streams", *summed]}
        columns.update(self._ratios_of_rows(columns["cycles"], {name: columns[name] for name in summed[1:]}))
        return Table.of_columns(columns)

    def events(self):
        """Spans and instants of the timeline as a table: name, category, process, begin and length in us, arguments."""
        if self.timeline is None:
            raise Error("these results have no timeline; those of a folder or of run() have")
        processes = {event["pid"]: event["args"]["name"] for event in self.timeline["traceEvents"]
                     if event["ph"] == "M" and event["name"] == "process_name"}
        rows = [{"name": event["name"], "category": event["cat"], "process": processes.get(event["pid"]),
                 "us": event["ts"], "us_long": event.get("dur", 0.0), **event.get("args", {})}
                for event in self.timeline["traceEvents"] if event["ph"] in "Xi"]
        head = ["name", "category", "process", "us", "us_long"]
        return Table(rows, list(dict.fromkeys([*head, *(name for row in rows for name in row)])))


def _below(owner, path):
    return f"{owner}.{path}" if owner else path


def _sum(paths, owner, read):
    """Sum of `paths` below an owner, not below 0; one that begins with - is taken away. None if one is not there."""
    values = [read(_below(owner, path.lstrip("-"))) for path in paths]
    if not values or None in values:
        return None
    return max(0, sum(-value if path.startswith("-") else value for path, value in zip(paths, values)))


def _over(definition, part, whole):
    return None if part is None or whole is None or whole <= 0 else part / whole * definition["factor"]


def _leaves(value, path):
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _leaves(member, f"{path}.{name}" if path else name)
    else:
        yield path, value


def _unit_of(units, steps, before=()):
    """Steps that end with digits may have * for them: "socket3" does, "l1" does not."""
    if not steps:
        return units.get(".".join(before))
    found = _unit_of(units, steps[1:], (*before, steps[0]))
    starred = re.sub(r"(?<=\D)\d+$", "*", steps[0])
    return found or (_unit_of(units, steps[1:], (*before, starred)) if starred != steps[0] else None)


def _unit_or_none(results, path):
    try:
        return {name: results.unit(path)[name] for name in ("unit", "kind", "doc")}
    except Error:
        return {"unit": None, "kind": None, "doc": None}
