"""Rows of known faults: tests/mutation/*.json. Each names a file, a text that occurs in it, and the text that makes it wrong.

The fields of a row: `name` (rows of one name are one fault, switched on together), `path` from the root of the repository,
`before` and `after`, `test` (a program and a filter of GoogleTest: the tests that find the fault). `before` occurs once in
the file, or once in `within`, which does; how a line is broken is not compared. Where both are statements one of them is
done, where both are expressions one of them is taken. An `after` with the word FAULT in it stands there always: the word
is true while the fault is switched on. Rows of SystemVerilog have the `number` that their tests give to the input `mutant`;
with `equivalent` no test can find one.

rows.py check          whether all texts are there, once
rows.py rtl FOLDER     writes the blocks of rtl/ that have faults, with that input, into a folder
"""
import json
import re
import sys
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
RTL = "rtl.json"

Row = namedtuple("Row", "name path before after within test number equivalent")


class Misfit(Exception):
    """A row whose text is not in its file, or more than once."""


def read(*files):
    """The rows of these files of the folder, or of all of them."""
    rows = []
    for file in [HERE / name for name in files] or sorted(HERE.glob("*.json")):
        for row in json.loads(file.read_text()):
            rows.append(Row(row["name"], row["path"], row["before"], row["after"], row.get("within"), row.get("test"),
                            row.get("number", 0), row.get("equivalent", False)))
    return rows


def _places(text, wanted):
    pattern = r"\s+".join(re.escape(word) for word in wanted.split())
    return [match.span() for match in re.finditer(pattern, text)]


def place(text, row):
    """Begin and end of what the row changes in the text of its file."""
    offset, where = 0, "the file"
    if row.within:
        spans = _places(text, row.within)
        if len(spans) != 1:
            raise Misfit("%s: %s has %d places with %r, not one" % (row.name, row.path, len(spans), row.within))
        offset, where = spans[0][0], "%r of the file" % row.within
        text = text[spans[0][0]:spans[0][1]]
    spans = _places(text, row.before)
    if len(spans) != 1:
        raise Misfit("%s: %s has %d places with %r in %s, not one" % (row.name, row.path, len(spans), row.before, where))
    return offset + spans[0][0], offset + spans[0][1]


def _switched(old, row, chosen, verilog):
    if "FAULT" in row.after:
        return row.after.replace("FAULT", chosen)
    if row.before.endswith(";"):
        words = "begin if (%s) begin %s end else begin %s end end" if verilog else "{ if (%s) { %s } else { %s } }"
        return words % (chosen, row.after, old)
    return "(%s ? (%s) : (%s))" % (chosen, row.after, old)


def switch(text, rows, chosen, verilog=False):
    """`text` with these rows in it, each in force while the expression `chosen(row)` is true."""
    spans = {}
    for row in rows:
        spans.setdefault(place(text, row), []).append(row)
    end = len(text) + 1
    for span in sorted(spans, reverse=True):
        if span[1] > end:
            raise Misfit("%s: its place overlaps that of another row" % spans[span][0].name)
        end = span[0]
        new = text[span[0]:span[1]]
        for row in spans[span]:
            new = _switched(new, row, chosen(row), verilog)
        text = text[:span[0]] + new + text[span[1]:]
    return text


def check(rows):
    """A sentence for each row that does not fit its file."""
    said, files, by_file, numbers = [], {}, {}, {}
    for row in rows:
        if row.path not in files:
            files[row.path] = (ROOT / row.path).read_text() if (ROOT / row.path).is_file() else ""
        try:
            place(files[row.path], row)
            by_file.setdefault(row.path, []).append(row)
        except Misfit as misfit:
            said.append(str(misfit))
        if not row.test:
            said.append("%s: no test is said to find it" % row.name)
    for path, mine in by_file.items():
        try:
            switch(files[path], mine, lambda row: "FAULT")
        except Misfit as misfit:
            said.append(str(misfit))
    for row in rows:
        block = row.name.split(":")[0] if row.number else row.name
        if numbers.setdefault((block, row.number, row.path if not row.number else ""), row.name) != row.name:
            said.append("%s: another fault has its number" % row.name)
    return said


def faulty_rtl(text, rows, blocks):
    """A block with its faults, chosen by the input `mutant` of 5 bits, which it hands on to `blocks` that it contains."""
    text = switch(text, rows, lambda row: "(mutant == %d)" % row.number, verilog=True)
    text, ports = re.subn(r"(\n +input +logic +rst,.*\n)", r"\1    input logic [4:0] mutant,\n", text, count=1)
    if not ports:
        raise Misfit("%s: it has no port rst, beside which the input for faults goes" % rows[0].path)
    text = "/* verilator lint_off WIDTH */\n%s/* verilator lint_on WIDTH */\n" % text
    for block in blocks:
        at = re.search(r"\n +%s (#|\w)" % block, text)
        if at:
            text = text[:at.start()] + re.sub(r"(\n +)(\.rst,)", r"\1\2\1.mutant,", text[at.start():], count=1)
    return text


def write_rtl(folder):
    """What was wrong with rows; a file is written without them."""
    rows, said = read(RTL), []
    folder.mkdir(parents=True, exist_ok=True)
    paths = sorted({row.path for row in rows})
    for path in paths:
        text = (ROOT / path).read_text()
        mine = [row for row in rows if row.path == path]
        for row in list(mine):
            try:
                place(text, row)
            except Misfit as misfit:
                said.append(str(misfit))
                mine.remove(row)
        new = faulty_rtl(text, mine, [Path(p).stem for p in paths if p != path])
        target = folder / Path(path).name
        if not target.exists() or target.read_text() != new:
            target.write_text(new)
    return said


def main():
    if sys.argv[1:] == ["check"]:
        said = check(read())
    elif len(sys.argv) == 3 and sys.argv[1] == "rtl":
        said = write_rtl(Path(sys.argv[2]))
    else:
        sys.exit(__doc__)
    if said:
        sys.exit("\n".join(said))


if __name__ == "__main__":
    main()
