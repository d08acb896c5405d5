"""Tables: rows of named columns, without pandas; frame() makes a pandas frame of one."""

from collections.abc import Sequence
from html import escape

from ._errors import Error, optional

_SHOWN_ROWS, _SHOWN_COLUMNS = 60, 12  # of a table that is printed or shown: about a screen


class Table(Sequence):
    """A list of rows, each a dictionary by column.

        for row in results.kernels():
            print(row["name"], row["cycles"])
        results.kernels()["cycles"]         # a column, as a list
        results.kernels().frame()           # the pandas frame, if pandas is here

    `columns` has the names in their order, `index` the column by which row() finds rows and which names the rows of a
    frame, or None. A value that is not there is None. A notebook shows it as a table.
    """

    def __init__(self, rows, columns=None, index=None, title=None):
        rows = list(rows)
        self.columns = list(dict.fromkeys(name for row in rows for name in row)) if columns is None else list(columns)
        self.index, self.title = index, title
        self._rows = [{name: row.get(name) for name in self.columns} for row in rows]

    @classmethod
    def of_columns(cls, columns, **more):
        """A table of a dictionary of columns of the same length."""
        return cls((dict(zip(columns, values)) for values in zip(*columns.values())), columns, **more)

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, what):
        """A row by its number, a column by its name, or the table of a slice of rows."""
        if isinstance(what, str):
            self._known(what)
            return [row[what] for row in self._rows]
        if isinstance(what, slice):
            return self._with(self._rows[what])
        return dict(self._rows[what])

    def row(self, value):
        """The row whose index is `value`."""
        if self.index is None:
            raise Error("this table has no index; a row by its number, table[0], is expected")
        for row in self._rows:
            if row[self.index] == value:
                return dict(row)
        raise Error(f"there is no row whose {self.index} is {value!r}; there are {_some(self[self.index])}")

    def where(self, **values):
        """The table of the rows that have these values: kernels.where(kind="kernel")."""
        for name in values:
            self._known(name)
        return self._with([row for row in self._rows if all(row[name] == value for name, value in values.items())])

    def select(self, *columns):
        """The table of these columns alone, in this order."""
        for name in columns:
            self._known(name)
        return Table(self._rows, columns, self.index if self.index in columns else None, self.title)

    def frame(self):
        """The table as a pandas frame, with the index as its index."""
        frame = optional("pandas", "python3-pandas").DataFrame(self._rows, columns=self.columns)
        return frame if self.index is None else frame.set_index(self.index)

    def __repr__(self):
        head, rows, notes = self._shown()
        cells = [head, *([_text(row[name]) for name in head] for row in rows)]
        widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
        right = [self._is_of_numbers(name) for name in head]
        lines = ["  ".join(cell.rjust(width) if to_right else cell.ljust(width)
                           for cell, width, to_right in zip(line, widths, right)).rstrip() for line in cells]
        return "\n".join([*([self.title] if self.title else []), *lines, *notes])

    def _repr_html_(self):
        head, rows, notes = self._shown()
        right = {name: ' style="text-align: right"' if self._is_of_numbers(name) else "" for name in head}

        def cell(row, name):
            tag, more = ("th", ' scope="row"') if name == self.index else ("td", "")
            return f"<{tag}{more}{right[name]}>{escape(_text(row[name]))}</{tag}>"

        caption = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        heads = "".join(f'<th scope="col"{right[name]}>{escape(name)}</th>' for name in head)
        body = "\n".join("<tr>" + "".join(cell(row, name) for name in head) + "</tr>" for row in rows)
        below = "".join(f"<p>{escape(note)}</p>" for note in notes)
        return f"<table>{caption}<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>{below}"

    def _shown(self):
        """Columns and rows that are shown, and sentences on those that are not."""
        notes = []
        if len(self) > _SHOWN_ROWS:
            notes.append(f"{_SHOWN_ROWS} of {len(self)} rows are shown.")
        if len(self.columns) > _SHOWN_COLUMNS:
            notes.append(f"{_SHOWN_COLUMNS} of {len(self.columns)} columns are shown; select() takes others.")
        return self.columns[:_SHOWN_COLUMNS], self._rows[:_SHOWN_ROWS], notes

    def _is_of_numbers(self, name):
        values = [row[name] for row in self._rows if row[name] is not None]
        return bool(values) and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)

    def _known(self, name):
        if name not in self.columns:
            raise Error(f"there is no column {name}; there are {_some(self.columns)}")

    def _with(self, rows):
        return Table(rows, self.columns, self.index, self.title)


def _some(values):
    """The first values as a list in a sentence."""
    return ", ".join(map(str, values[:12])) + (" and more" if len(values) > 12 else "") if values else "none"


def _text(value):
    """A cell: digits of integers in groups, six digits of other numbers, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return " ".join(str(value).split())
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
