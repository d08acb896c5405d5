"""The package numavp as a user has it: installed, run from any folder. numavp_test.py <folder of the package> <examples>.

Exit status 77 if NumPy, pandas or matplotlib are not here, or 1 if NUMAVP_REQUIRE_ALL is set.
"""

import builtins
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

package, examples = map(Path, sys.argv[1:3])
sys.path.insert(0, str(package))
for module in ("numpy", "pandas", "matplotlib"):
    if importlib.util.find_spec(module) is None:
        print(f"{module} is not here; ./numavp install-deps gets it", file=sys.stderr)
        sys.exit(1 if os.environ.get("NUMAVP_REQUIRE_ALL") else 77)

import numavp  # noqa: E402

SYSTEM = {"extends": "numa-aware-2", "name": "small", "socket": {"sms": 8}, "dispatch": {"launch_cycles": 100}}


def small_run(**more):
    return numavp.run(SYSTEM, "spmv-powerlaw", scale=0.01, interval=500, **more)


class InFolder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(place.name)

    def expect_error(self, sentence, action):
        with self.assertRaises(numavp.Error) as caught:
            action()
        self.assertIn(sentence, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))
        return caught.exception


class Names(InFolder):
    def test_a_name_is_no_option(self):
        self.expect_error("'--help' is no system", lambda: numavp.run("--help"))
        self.expect_error("'--help' is no workload", lambda: numavp.run("numa-4", "--help"))
        self.expect_error("'-h' is no system", lambda: numavp.system("-h"))
        self.expect_error("'--json' is no folder of results", lambda: numavp.compare("--json", "b"))
        self.expect_error("a path such as ./-x, is expected", lambda: numavp.Study("-x"))


class Runs(InFolder):
    def test_a_dictionary_runs_and_leaves_nothing_behind(self):
        results = small_run(set={"link.balancer": "static"})
        self.assertEqual(results.configuration["sockets"], 2)
        self.assertEqual(results.configuration["link"]["balancer"], "static")
        self.assertEqual(results.configuration["name"], "small")
        self.assertGreater(results.cycles, 0)
        self.assertIsNone(results.folder)
        self.assertEqual(os.listdir("."), [])
        self.assertEqual(repr(results), f"<numavp.Results: spmv-powerlaw on small, {results.cycles} cycles>")

    def test_a_folder_that_is_kept_is_read_again(self):
        results = small_run(out="kept", seed=3)
        again = numavp.read("kept")
        self.assertEqual(again.json, results.json)
        self.assertEqual(again.workload["seed"], 3)
        self.assertEqual(numavp.run("./kept").json, results.json, "numavp run FOLDER repeats it")

    def test_a_workload_is_a_dictionary_too(self):
        import numpy
        workload = {"kernels": [{"pattern": "compute", "parameters": {"threads": numpy.int64(512)}}]}
        results = numavp.run({**SYSTEM, "sockets": numpy.int32(2)}, workload)
        self.assertEqual(results.workload["name"], "workload")
        self.assertGreater(results["system.warp_instructions"], 0)

    def test_faults_are_sentences(self):
        fault = self.expect_error("unknown system 'nothing'", lambda: numavp.run("nothing"))
        self.assertEqual(fault.status, 2)
        self.expect_error("$.socket.smz", lambda: numavp.run({"extends": "numa-4", "socket": {"smz": 1}}))
        self.expect_error("--scale: 'much'", lambda: numavp.run("numa-4", scale="much"))
        self.expect_error("can't stand in JSON", lambda: numavp.run({"sockets": object()}))
        self.expect_error("none/results.json: there is no such file", lambda: numavp.read("none"))
        Path("bad").mkdir()
        Path("bad/results.json").write_text("{")
        self.expect_error("bad/results.json: it can't be read as JSON", lambda: numavp.read("bad"))
        with mock.patch.dict(os.environ, {"NUMAVP_PROGRAM": "/nothing"}):
            self.expect_error("NUMAVP_PROGRAM: there is no file /nothing", numavp.version)

    def test_names(self):
        self.assertIn("numa-aware-4", numavp.systems())
        self.assertIn("spmv-powerlaw", numavp.workloads())
        self.assertEqual(numavp.system("numa-aware-4", set={"sockets": 2})["sockets"], 2)
        self.assertEqual(numavp.__version__, numavp.version())


class Tables(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.results = small_run()

    def test_columns_are_arrays(self):
        import numpy
        results = self.results
        sent = results.column("socket0.link.out_bytes")
        self.assertIsInstance(sent, numpy.ndarray)
        self.assertEqual(len(sent), len(results.times()))
        self.assertLessEqual(sent.sum(), results["socket0.link.out.bytes"])
        self.assertEqual(list(results.times("us")), [cycle * 1e3 / results.configuration["clock_khz"] for cycle in results.times()])
        self.expect_error("there is no column x", lambda: results.column("x"))
        self.expect_error("'ms' is no unit", lambda: results.times("ms"))

    def test_series_is_a_table_and_a_frame(self):
        series = self.results.series()
        self.assertEqual(series["cycle"], list(self.results.times()))
        self.assertEqual(series["us"], list(self.results.times("us")))
        self.assertEqual(series["socket1.l1.hits"], list(self.results.column("socket1.l1.hits")))
        frame = series.frame()
        self.assertEqual(frame.index.name, "us")
        self.assertEqual(list(frame["socket1.l1.hits"]), series["socket1.l1.hits"])

    def test_statistics_are_a_table_with_units(self):
        table = self.results.table()
        self.assertEqual(table.row("socket0.l2.fills")["value"], self.results["socket0.l2.fills"])
        self.assertEqual(table.row("socket1.link.out.bytes")["unit"], "B")
        self.assertNotIn(None, table["unit"])
        self.assertEqual(table.frame().loc["socket1.link.out.bytes", "unit"], "B")
        self.assertEqual(self.results.by_socket()["socket"], [0, 1])
        self.assertEqual(self.results.by_socket()["l2.fills"], [self.results[f"socket{s}.l2.fills"] for s in (0, 1)])
        self.assertEqual(self.results.unit("socket1.l1.hits")["unit"], "lines")
        self.expect_error("'l3' is not known; there are", lambda: self.results["socket0.l3.fills"])

    def test_registered_ratios_exist_by_socket_interval_and_kernel(self):
        results = self.results
        parts = {name: results.ratio(f"socket0.l2.{name}") for name in ("hit_rate", "merged_share", "miss_rate")}
        self.assertAlmostEqual(sum(parts.values()), 1.0)
        local = results["socket0.l2.local"]
        self.assertEqual(results.ratio("socket0.l2.local.hit_rate"), local["hits"] / (local["hits"] + local["misses"] + local["merged"]))
        self.assertEqual(results.ratio("ipc"), results["system.warp_instructions"] / results.cycles)
        table = results.ratios()
        self.assertEqual(table.row("l2.hit_rate")["socket1"], results.ratio("socket1.l2.hit_rate"))
        self.assertEqual(table.row("memory.gbps")["unit"], "GB/s")
        hits = results.column("socket0.l1.hit_rate")
        looked_up = results.column("socket0.l1.load_lines") > 0
        self.assertEqual(list(hits[looked_up]), list((results.column("socket0.l1.hits") / results.column("socket0.l1.load_lines"))[looked_up]))
        self.assertEqual([value is not None for value in results.series()["socket0.l1.hit_rate"]], list(looked_up))
        self.assertIn("socket1.memory.gbps", results.series().columns)
        for kernel in results.kernels():
            self.assertEqual(kernel["ipc"], kernel["system.warp_instructions"] / kernel["cycles"])
        self.assertIn("l2.merged_share", results.streams().columns)
        self.expect_error("there is no ratio l3.hit_rate; there are", lambda: results.ratio("l3.hit_rate"))
        fake = {**results.json, "ratios": {"socket*.fake": {
            "name": "fake", "owners": ["socket0"], "part": ["l1.hits", "-l1.load_lines"], "whole": ["l1.hits"],
            "per": "whole", "factor": 1.0, "unit": "", "doc": "Never below 0."}}}
        self.assertEqual(numavp.Results(fake).ratio("fake"), 0.0)

    def test_events_are_a_table(self):
        kernels = self.results.events().where(category="kernel")
        self.assertEqual(len(kernels), self.results["system.kernels"])

    def test_kernels_are_a_table_that_sums_to_the_run(self):
        kernels = self.results.kernels()
        self.assertEqual(kernels["kind"][-1], "outside")
        self.assertEqual(sum(kernels["cycles"]), self.results.cycles)
        self.assertEqual(sum(kernels["socket1.l2.fills"]), self.results["socket1.l2.fills"])
        self.assertEqual(kernels["kind"].count("kernel"), self.results["system.kernels"])
        self.assertEqual(kernels.frame()["cycles"].sum(), self.results.cycles)
        streams = self.results.streams()
        self.assertEqual(streams["kind"], ["stream", "outside"])
        self.assertEqual(sum(streams["cycles"]), self.results.cycles)
        self.assertEqual(sum(streams["socket1.l2.fills"]), self.results["socket1.l2.fills"])
        self.assertEqual(streams[0]["ipc"], streams[0]["system.warp_instructions"] / streams[0]["cycles"])
        first = small_run(kernels=1)
        self.assertEqual(first.workload["kernels"], "1..1")
        self.assertEqual(first["system.kernels"], 1)

    def test_runs_are_compared(self):
        slow = small_run(set={"link.latency_cycles": 400})
        found = numavp.compare(self.results, slow)
        self.assertEqual(found.settings()["path"], ["link.latency_cycles"])
        cycles = found.headline().row("cycles")
        self.assertEqual([cycles["run 0"], cycles["run 1"]], [self.results.cycles, slow.cycles])
        self.assertAlmostEqual(cycles["change of run 1"], slow.cycles / self.results.cycles - 1)
        self.assertIn("over", found.statistics().columns)
        self.assertIn("memory", found.slots()["path"])
        self.assertIn("load.remote.p99_9", found.access_latency()["path"])
        self.assertEqual(sum(found.kernels().where(path="cycles")["run 1"]), slow.cycles)
        self.assertIn("<caption>Headline</caption>", found._repr_html_())
        self.expect_error("two folders of results or more", lambda: numavp.compare(slow))

    def test_what_is_missing_is_named(self):
        real = builtins.__import__

        def without(name, *rest, **more):
            if name in ("numpy", "pandas"):
                raise ImportError(name)
            return real(name, *rest, **more)

        with mock.patch.object(builtins, "__import__", without):
            rows = self.results.kernels()
            self.assertEqual(sum(row["cycles"] for row in rows), self.results.cycles, "rows need no package")
            self.assertEqual(len(self.results.series()), len(self.results.json["series"]["cycles"]))
            self.expect_error("pandas is not here, which this needs; install it (Debian: python3-pandas)", rows.frame)
            self.expect_error("numpy is not here, which this needs; install it (Debian: python3-numpy)", self.results.times)


class Studies(InFolder):
    def test_a_study_gives_tables(self):
        study = numavp.Study({
            "name": "two", "workloads": ["reduction", "compute"], "scale": 0.002,
            "systems": [{"label": "one", "system": "numa-aware-2", "set": {"socket.sms": 4}},
                        {"label": "far", "system": "numa-aware-2", "set": {"socket.sms": 4, "link.latency_cycles": 300}}],
            "metrics": [{"name": "time", "path": "cycles", "unit": "cycles"}]})
        self.expect_error("there is no such file; run() makes it", study.points)
        self.assertIs(study.run(jobs=2), study)
        points = study.points()
        self.assertEqual(len(points), 4)
        self.assertIn("<td>done</td>", study._repr_html_())
        self.assertEqual(set(points["state"]), {"done"})
        cycles = study.metrics("cycles")
        self.assertEqual(cycles["workload"], ["compute", "reduction"])
        reduction = cycles.row("reduction")
        self.assertGreater(reduction["far"], reduction["one"])
        rows = study.rows().where(workload="reduction", configuration="far")
        self.assertEqual(rows[0]["measured"], reduction["far"])
        self.assertIn("socket0.link.out_bytes", study.series("one", "reduction").columns)
        kernels = study.kernels("far", "reduction")
        self.assertEqual(sum(kernels["cycles"]), reduction["far"])
        self.assertGreater(kernels[0]["warp_instructions"], 0)
        streams = study.streams("far", "reduction")
        self.assertEqual(sum(streams["cycles"]), reduction["far"])
        slots = study.metrics("slots.socket0.memory").frame() / study.metrics("slots.socket0.slots").frame()
        self.assertTrue(((slots >= 0) & (slots <= 1)).all().all())
        self.assertIn("socket0.slots.memory", study.series("one", "reduction").columns)
        self.assertEqual(list(study.metrics("cycles", figure="two")), list(cycles))
        self.expect_error("unknown figure 'x'; two are allowed", lambda: study.metrics("cycles", figure="x"))
        other = numavp.Study(study.file, db=study.db, scale=0.5)
        self.expect_error("its points are those of scale own, which ran last", lambda: other.metrics("cycles"))
        self.expect_error("no point of 'x' with reduction", lambda: study.kernels("x", "reduction"))
        self.expect_error("no point has a metric 'x'", lambda: study.metrics("x"))
        self.expect_error("no point of 'x' with reduction", lambda: study.series("x", "reduction"))
        self.expect_error("none.json: there is no such file", lambda: numavp.Study("none.json").run())


# SystemC allows one platform a process: each of these is a script.
PLATFORM = f"""
import numavp
platform = numavp.Platform({SYSTEM!r}, "reduction", scale=0.01, seed=5, set={{"link.balancer": "static"}})
port = platform.open_port(0)
address = platform.address(1, 4096)
"""


class Platforms(InFolder):
    def script(self, text, status=0):
        ended = subprocess.run([sys.executable, "-c", PLATFORM + text], capture_output=True, text=True, check=False,
                               env={**os.environ, "PYTHONPATH": str(package)})
        self.assertEqual(ended.returncode, status, ended.stderr)
        return ended.stdout

    def test_steps_give_what_a_run_gives(self):
        lines = self.script("""
steps = 0
while not platform.ended:
    platform.advance(ns=777)
    steps += 1
assert abs(platform.time_us - steps * 0.777) < 1e-9
results = platform.end()
print(results.cycles, results["socket1.link.out.bytes"], platform.statistic("socket1.link.out.bytes"))
""").split()
        whole = numavp.run(SYSTEM, "reduction", scale=0.01, seed=5, set={"link.balancer": "static"})
        self.assertEqual(int(lines[0]), whole.cycles)
        self.assertEqual(int(lines[1]), whole["socket1.link.out.bytes"])
        self.assertEqual(float(lines[2]), whole["socket1.link.out.bytes"])

    def test_memory_is_read_and_written(self):
        self.script("""
platform.write(port, address, b"numavp" * 10)
assert platform.read(port, address, 60) == b"numavp" * 10
assert platform.peek(port, address + 6, 6) == b"numavp"
assert platform.post_write(port, address, b"NUMAVP", tag=8) and platform.post_read(port, address, 12, tag=9)
answers = []
while len(answers) < 2:
    platform.advance(ns=10)
    while (answer := platform.collect(port)) is not None:
        answers.append(answer)
assert sorted(tag for tag, failed, _ in answers if not failed) == [8, 9], answers
assert platform.end().cycles > 0
""")

    def test_faults_are_sentences(self):
        self.script("""
def sentence(action):
    try:
        action()
    except numavp.Error as fault:
        return str(fault)
    raise AssertionError("no error")
assert "SystemC allows one" in sentence(lambda: numavp.Platform("numa-4"))
assert "there are 2, numbered from 0" in sentence(lambda: platform.open_port(2))
assert "a socket has" in sentence(lambda: platform.address(0, 2**60))
assert "1 to 128" in sentence(lambda: platform.read(port, address, 129))
assert "1 to 128" in sentence(lambda: platform.write(port, address, b""))
assert "in the past" in sentence(lambda: platform.advance(ps=-1))
assert "no number of that path" in sentence(lambda: platform.statistic("nothing"))
assert "open_port" in sentence(lambda: platform.open_port("zero"))
""")


class Examples(InFolder):
    def example(self, name, *words):
        ended = subprocess.run([sys.executable, str(examples / name), *words], capture_output=True, text=True, check=False,
                               env={**os.environ, "PYTHONPATH": str(package)})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def test_link_use_draws_a_picture(self):
        out = self.example("link_use.py", "picture.png")
        self.assertIn("picture in picture.png", out)
        self.assertIn("cycles", out)
        self.assertEqual(Path("picture.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        import matplotlib.image
        picture = matplotlib.image.imread("picture.png")
        colours = {tuple(pixel) for pixel in (picture[:, :, :3] * 255).round().astype(int).reshape(-1, 3)}
        for colour in ((0x00, 0x72, 0xb2), (0xd5, 0x5e, 0x00)):
            self.assertIn(colour, colours, "a line of each direction")

    def test_steps_goes_to_the_end(self):
        self.assertRegex(self.example("steps.py").splitlines()[-1], r"^<numavp.Results: reduction on .*, \d+ cycles>$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
