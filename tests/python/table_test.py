"""Tables of the Python package: rows, text and HTML. table_test.py <folder of the package>; it needs nothing else."""

import sys
import unittest
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1])))
for module in ("numpy", "pandas"):
    sys.modules[module] = None  # an import of them fails

import numavp  # noqa: E402


class Cells(HTMLParser):
    """The texts of a table's cells by row; `tags` are all tags in their order."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.tags, self._cell = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self._cell = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self._cell)
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell += data


def kernels():
    return numavp.Table([{"name": "gather<float>", "launch": 1, "cycles": 12345},
                         {"name": "sum & \"max\"", "launch": 2, "hit_rate": 0.123456789},
                         {"name": "</td><script>alert(1)</script>", "launch": 3, "cycles": 7, "hit_rate": 1.0}],
                        index="launch", title="a < b")


class Rows(unittest.TestCase):
    def test_rows_are_dictionaries_and_columns_are_lists(self):
        table = kernels()
        self.assertEqual(table.columns, ["name", "launch", "cycles", "hit_rate"])
        self.assertEqual(table[1], {"name": 'sum & "max"', "launch": 2, "cycles": None, "hit_rate": 0.123456789})
        self.assertEqual([row["launch"] for row in table], [1, 2, 3])
        self.assertEqual(table["cycles"], [12345, None, 7])
        self.assertEqual(table.row(3)["cycles"], 7)
        self.assertEqual(list(table[1:].where(cycles=7)), [table[2]])
        self.assertEqual(table.select("cycles", "launch")[0], {"cycles": 12345, "launch": 1})
        self.assertEqual(len(numavp.Table([])), 0)

    def test_a_row_that_was_taken_is_a_copy(self):
        table = kernels()
        table[0]["cycles"] = 0
        self.assertEqual(table[0]["cycles"], 12345)

    def test_faults_are_sentences(self):
        for fault, action in (("there is no column x; there are name, launch, cycles, hit_rate", lambda: kernels()["x"]),
                              ("there is no row whose launch is 9; there are 1, 2, 3", lambda: kernels().row(9)),
                              ("this table has no index", lambda: numavp.Table([{"a": 1}]).row(1)),
                              ("there is no column x", lambda: kernels().where(x=1)),
                              ("there is no column x", lambda: kernels().select("x")),
                              ("pandas is not here, which this needs", lambda: kernels().frame())):
            with self.assertRaises(numavp.Error) as caught:
                action()
            self.assertIn(fault, str(caught.exception))

    def test_text_aligns_numbers_to_the_right(self):
        self.assertEqual(repr(kernels().select("launch", "cycles", "hit_rate")),
                         "a < b\nlaunch  cycles  hit_rate\n     1  12,345\n     2          0.123457\n     3       7         1")


class Html(unittest.TestCase):
    def test_cells_have_what_the_rows_have(self):
        cells = Cells(kernels()._repr_html_())
        self.assertEqual(cells.rows, [["name", "launch", "cycles", "hit_rate"],
                                      ["gather<float>", "1", "12,345", ""],
                                      ['sum & "max"', "2", "", "0.123457"],
                                      ["</td><script>alert(1)</script>", "3", "7", "1"]])

    def test_names_and_titles_are_text_and_no_tags(self):
        html = kernels()._repr_html_()
        self.assertEqual(set(Cells(html).tags), {"table", "caption", "thead", "tbody", "tr", "th", "td"})
        self.assertIn("<caption>a &lt; b</caption>", html)
        self.assertIn("<td>sum &amp; &quot;max&quot;</td>", html)
        columns = numavp.Table([{"<b>": 1}])._repr_html_()
        self.assertIn(">&lt;b&gt;</th>", columns)

    def test_long_and_wide_tables_say_what_is_not_shown(self):
        long = numavp.Table([{"i": i} for i in range(100)])
        self.assertEqual(len(Cells(long._repr_html_()).rows), 1 + 60)
        self.assertIn("60 of 100 rows are shown.", long._repr_html_())
        self.assertIn("60 of 100 rows are shown.", repr(long))
        wide = numavp.Table([{f"c{i}": i for i in range(20)}])
        self.assertEqual(Cells(wide._repr_html_()).rows[1], [str(i) for i in range(12)])
        self.assertIn("12 of 20 columns are shown; select() takes others.", wide._repr_html_())


RESULTS = {"configuration": {"name": "small <1>", "clock_khz": 1000000}, "cycles": 2000, "time_ns": 2000,
           "workload": {"name": "w&w"},
           "statistics": {"socket0": {"l1": {"hits": 3, "lines": 4}}, "socket1": {"l1": {"hits": 0, "lines": 0}}},
           "units": {"socket*.l1.hits": {"kind": "counter", "unit": "lines", "doc": "Hits."}},
           "series": {"cycles": [1000, 2000],
                      "columns": {"socket0.hits": {"values": [0, 3]}, "socket0.lines": {"values": [0, 4]}}},
           "ratios": {"a": {"name": "l1.hit_rate", "owners": ["socket0", "socket1"], "part": ["l1.hits"],
                            "whole": ["l1.lines"], "part_columns": ["hits"], "whole_columns": ["lines"], "per": "whole",
                            "factor": 1.0, "unit": "", "doc": "Hits, of the lines."}},
           "kernels": {"rows": {"name": ["k", "k", "outside kernels"], "kind": ["kernel", "kernel", "outside"],
                                "streams": ["0", "0", None], "cycles": [500, 700, 800]},
                       "counters": {"socket0.l1.hits": [1, 2, 0], "socket0.l1.lines": [2, 2, 0],
                                    "socket1.l1.hits": [0, 0, 0], "socket1.l1.lines": [0, 0, 0]}, "values": {}}}


class ResultsWithoutPackages(unittest.TestCase):
    def test_rows_have_the_values_of_the_file(self):
        results = numavp.Results(RESULTS)
        self.assertEqual(results.kernels()["l1.hit_rate"], [0.5, 1.0, None])
        self.assertEqual(list(results.streams().select("kind", "streams", "cycles", "l1.hit_rate")),
                         [{"kind": "stream", "streams": "0", "cycles": 1200, "l1.hit_rate": 0.75},
                          {"kind": "outside", "streams": "", "cycles": 800, "l1.hit_rate": None}])
        self.assertEqual(results.series()["us"], [1.0, 2.0])
        self.assertEqual(results.series()["socket0.l1.hit_rate"], [None, 0.75])
        self.assertEqual(results.by_socket().row(1)["l1.hits"], 0)
        self.assertEqual(results.table().row("socket1.l1.hits")["unit"], "lines")
        self.assertEqual(results.ratios().row("l1.hit_rate")["socket1"], None)

    def test_a_notebook_shows_the_run(self):
        html = numavp.Results(RESULTS)._repr_html_()
        self.assertIn("<caption>w&amp;w on small &lt;1&gt;</caption>", html)
        self.assertEqual(Cells(html).rows[1:], [["cycles", "2,000", "cycles"], ["time", "2", "us"],
                                                ["l1.hit_rate", "0.75", ""]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
