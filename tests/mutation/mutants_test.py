"""The rewriting of mutate.py: what it changes, and that a program is as before while no mutant is chosen; what it keeps."""
import itertools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import known
import mutants
import mutate
import rows

PROGRAM = """#include <cstdio>
#include <vector>
struct Counter {
    int value = 0;
    bool full(int most) const {
        if (value + 1 > most || value % 7 == 6) return true;
        return false;
    }
    void add(int n) {
        value += n;
    }
};
int main() {
    Counter counter;
    int turns = 0;
    for (int i = 0; i < 4; ++i) {
        counter.add(2);
        while (!counter.full(5)) ++counter.value;
        turns = turns + 3;
    }
    turns = 20 - turns;
    std::printf("%d %d", counter.value, turns);
}
"""


class Rewriting(unittest.TestCase):
    def test_each_kind_is_found_where_it_is(self):
        lines = PROGRAM.split("\n")
        found = {(lines[line].strip(), kind) for line, _, _, _, kind, _ in mutants.mutants_of(PROGRAM)}
        self.assertIn(("value += n;", "dropped"), found)
        self.assertIn(("if (value + 1 > most || value % 7 == 6) return true;", "condition"), found)
        self.assertIn(("if (value + 1 > most || value % 7 == 6) return true;", "comparison"), found)
        self.assertIn(("for (int i = 0; i < 4; ++i) {", "comparison"), found)
        self.assertIn(("turns = turns + 3;", "operator"), found)
        self.assertIn(("turns = turns + 3;", "off by one"), found)
        self.assertIn(("turns = 20 - turns;", "operands"), found)
        self.assertNotIn(("int turns = 0;", "dropped"), found)
        self.assertNotIn(("Counter counter;", "dropped"), found)

    def test_precedence_stays(self):
        text = "void f() {\n    g(a + b < c, d);\n    h = a * (b - c) & m;\n}"
        changes = {(kind, after) for _, _, _, _, kind, after in mutants.mutants_of(text)}
        self.assertIn(("comparison", "a + b <= c"), changes)
        self.assertIn(("operator", "b + c"), changes)
        self.assertIn(("operator", "a * (b - c) | m"), changes)
        self.assertIn(("operands", "c - b"), changes)

    def test_none_changes_the_program_unless_it_is_chosen(self):
        seen = set()
        for kind in ("condition", "comparison", "operator", "operands", "off by one", "dropped"):
            numbers = itertools.count(1)
            text, made = mutants.rewrite("p.cpp", PROGRAM, lambda line, begin, k, kind=kind: next(numbers) if k == kind else 0)
            self.assertTrue(made, kind)
            with tempfile.TemporaryDirectory() as folder:
                source, program = Path(folder, "p.cpp"), Path(folder, "p")
                header = Path(__file__).with_name("chosen_mutant.h").read_text()
                source.write_text("#define NUMAVP_MUTANTS_ALL 64\n" + header + text)
                subprocess.run([sys.argv[1] if len(sys.argv) > 1 else "c++", "-std=c++17", source, "-o", program], check=True)
                marks = Path(folder, "marks")
                marks.write_bytes(bytes(65))

                def output(number):
                    environment = {**os.environ, "NUMAVP_MUTANT": str(number), "NUMAVP_REACHED": str(marks)}
                    try:
                        return subprocess.run([program], env=environment, stdout=subprocess.PIPE, timeout=1).stdout
                    except subprocess.TimeoutExpired:
                        return b"turns for ever"
                before = output(0)
                seen.add(before)
                reached = {n for n, mark in enumerate(marks.read_bytes()) if mark}
                self.assertEqual(reached, {m.number for m in made})
                for mutant in made:
                    self.assertNotEqual(output(mutant.number), before, mutant)
        self.assertEqual(len(seen), 1)


class Sample(unittest.TestCase):
    def test_known_bugs_fit_the_sources(self):
        for bug in mutate.known_bugs():
            text = mutate.with_known((mutate.ROOT / bug.path).read_text(), bug)
            self.assertIn("NUMAVP_M(%d)" % bug.number, text.split("\n")[bug.line - 1])

    def test_a_place_keeps_its_name_when_lines_move(self):
        line = "    turns = turns + 3;"
        self.assertEqual(mutate.identity("p.cpp", line, "operator", 12, 0), mutate.identity("p.cpp", "    " + line, "operator", 16, 0))
        self.assertNotEqual(mutate.identity("p.cpp", line, "operator", 12, 0), mutate.identity("p.cpp", line, "operator", 12, 1))

    def test_what_does_not_compile_is_replaced_by_the_next(self):
        places = [("p.cpp", line, 4, "dropped") for line in (7, 3, 3, 5, 9)]
        self.assertEqual([p[1] for p in mutate.sample(places, 3, set())], [7, 3, 5])
        self.assertEqual([p[1] for p in mutate.sample(places, 3, {("p.cpp", 4)})], [7, 5, 9])


    def test_what_a_compiler_refuses_is_told_from_what_it_warns_of(self):
        said = """/t/a.h:3:5: warning: sign
/t/chosen_mutant.h:37:42: note: in expansion of macro 'NUMAVP_M'
/t/b.h: In function 'int f()':
/t/chosen_mutant.h:37:42: error: call to non-constexpr function
   37 | #define NUMAVP_M(number) numavp_is_mutant(number)
/t/b.h:15:12: note: in expansion of macro 'NUMAVP_M'
/t/c.h:8:12: note: declared here
/t/d.cpp:9:1:   required from 'int g()'
/t/e.h:2:2: error: no match
"""
        lines = {place for place in mutate.refused(said, "/t") if place[0] != "chosen_mutant.h"}
        self.assertEqual(lines, {("b.h", 15), ("d.cpp", 9), ("e.h", 2)})


class Rows(unittest.TestCase):
    TEXT = """int f(int a) {
    const int b = a +
        1;
    g(b);
    return a + 1;
}
"""

    def row(self, before, after, within=None):
        return rows.Row("a fault", "f.cpp", before, after, within, "test_f F.*", 0, False)

    def switch(self, *made):
        return rows.switch(self.TEXT, made, lambda row: "X")

    def test_are_found_however_lines_break(self):
        self.assertIn("const int b = (X ? (a - 1) : (a +\n        1));", self.switch(self.row("a + 1", "a - 1", "b = a + 1")))

    def test_one_of_two_statements_or_expressions_is_taken(self):
        self.assertIn("{ if (X) {  } else { g(b); } }", self.switch(self.row("g(b);", "")))
        self.assertIn("return (X ? (a) : (a + 1));", self.switch(self.row("a + 1", "a", "return a + 1;")))
        self.assertIn("if (X) return 0;\n g(b);", self.switch(self.row("g(b);", "if (FAULT) return 0;\n g(b);")))

    def test_may_share_a_place(self):
        self.assertIn("g((X ? (c) : ((X ? (a) : (b)))));", self.switch(self.row("b", "a", "g(b)"), self.row("b", "c", "g(b)")))

    def test_whose_text_is_not_there_once_are_refused_by_name(self):
        for wrong in (self.row("a + 1", "a"), self.row("h(b);", ""), self.row("b", "a", "h(b);")):
            with self.assertRaisesRegex(rows.Misfit, "a fault: f.cpp has"):
                self.switch(wrong)
        with self.assertRaisesRegex(rows.Misfit, "overlaps"):
            self.switch(self.row("g(b);", ""), self.row("b", "a", "g(b)"))

    def test_of_rtl_choose_by_an_input(self):
        text = "module m (\n    input  logic clk,\n    input  logic rst,  // synchronous\n    output logic q\n);\n    n #(1) inner (\n        .clk,\n        .rst,\n        .q\n    );\n    always_ff @(posedge clk) q <= 1;\nendmodule\n"
        row = rows.Row("m: a fault", "rtl/m.sv", "q <= 1;", "q <= 0;", None, "test_m M.*", 7, False)
        made = rows.faulty_rtl(text, [row], ["n"])
        self.assertIn("    input logic [4:0] mutant,\n", made)
        self.assertIn(".rst,\n        .mutant,\n", made)
        self.assertIn("begin if ((mutant == 7)) begin q <= 0; end else begin q <= 1; end end", made)


class KnownFaults(unittest.TestCase):
    def test_are_all_put_in_whatever_folder_they_are_of(self):
        faults = known.faults_of(rows.read())
        self.assertTrue(faults)
        with tempfile.TemporaryDirectory() as folder:
            known.write_sources(Path(folder), faults)
            for fault in faults:
                for row in fault.rows:
                    self.assertIn("NUMAVP_M(%d)" % fault.number, Path(folder, row.path).read_text(), fault.name)


class KeptResults(unittest.TestCase):
    def test_hold_if_they_would_come_out_again(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "results.jsonl")
            kept = mutate.Kept(file, False)
            row = {"models": "m", "tests": "t", "most_seconds": 60}
            kept.add({**row, "place": "a", "outcome": "killed", "by": "links.One"})
            kept.add({**row, "place": "b", "outcome": "survived", "by": None})
            kept.add({**row, "place": "c", "outcome": "unfinished", "by": None})
            with file.open("a") as out:
                out.write('{"place": "d", "outc')  # where a run was killed
            kept = mutate.Kept(file, False)

            def holds(place, models="m", tests="t", names=("links.One",), seconds=60):
                return kept.holds(place, models, tests, names, seconds) is not None
            self.assertTrue(holds("a") and holds("b") and holds("c"))
            self.assertFalse(holds("d"))
            self.assertTrue(holds("a", tests="new"))
            self.assertFalse(holds("a", names=()))
            self.assertFalse(holds("a", models="new"))
            self.assertFalse(holds("b", tests="new"))
            self.assertFalse(holds("c", seconds=120))
            self.assertFalse(mutate.Kept(file, True).rows)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
