"""Run as a script: a workbook on standard input, the cells of one sheet as JSON on standard output."""

import datetime
import io
import json
import sys
from itertools import islice

MEMORY = 2 * 2 ** 30


LEAST_ROWS = 11         # of a table that can be studied: a line of names and ten rows; a cover sheet has fewer
LOOK_AT = 40


class TooLong(Exception):
    """A cell, or all of them together."""


def main(max_cells, max_characters, longest, wanted):
    limit_memory()
    try:
        answer = read(sys.stdin.buffer.read(), max_cells, wanted, Counting(max_characters, longest))
    except TooLong as error:
        answer = {"problem": str(error)}
    print(json.dumps(answer))


class Counting:
    """Rows as texts, as far as these are not too long: one text that many cells share takes room for each of them."""

    def __init__(self, left, longest):
        self.left, self.longest = left, longest

    def __call__(self, row):
        cells = [text(cell) for cell in row]
        self.left -= sum(map(len, cells))
        if max(map(len, cells), default=0) > self.longest:
            raise TooLong("long")
        if self.left < 0:
            raise TooLong("bomb")
        return cells


def limit_memory():
    """Where the system can: an allocation beyond it fails at once, instead of the machine slowing to a halt."""
    try:
        import resource
    except ImportError:     # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def read(data, max_cells, wanted, counting):
    """The sheet that is wanted, else the first that looks like a table, else the first that is not empty."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        visible = [sheet.name for sheet in sheets if sheet.visible == SheetVisibleEnum.Visible]
        names = visible or [sheet.name for sheet in sheets]
        if wanted and wanted not in names:
            return {"problem": "sheet", "sheets": names}
        best, best_sheet, large = 0, None, False
        for name in [wanted] if wanted else names:
            sheet = book.get_sheet_by_name(name)
            if sheet.start is None:
                continue
            if sheet.height * sheet.width > max_cells:
                large = True
                continue
            rows = [counting(row) for row in rows_of(sheet)]
            if likeness(rows) > best:
                best, best_sheet = likeness(rows), {"sheets": names, "sheet": name, "line": sheet.start[0] + 1, "rows": rows}
            if best == 3:
                break
    except PasswordError:
        return {"problem": "password"}
    except CalamineError:
        return {"problem": "damaged"}
    return {"problem": "large"} if large and best < 3 else best_sheet or {"problem": "empty"}


def rows_of(sheet):
    """Rows from the first that is filled, read one after another."""
    return islice(sheet.iter_rows(), sheet.start[0], None)


def likeness(rows):
    """How much a sheet looks like a table: 1 not at all, 2 rows of several cells, 3 a column of numbers among them."""
    table = [row for row in rows if sum(map(bool, row)) > 1]
    if len(table) < LEAST_ROWS:
        return 1
    few = table[1:LOOK_AT]
    return 3 if any(2 * sum(is_number(row[j]) for row in few) > len(few) for j in range(len(few[0]))) else 2


def is_number(cell):
    try:
        float(cell.replace(",", ".").lstrip("<>"))
    except ValueError:
        return False
    return True


def text(cell):
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    return str(cell)


if __name__ == "__main__":
    cells, characters, most = map(int, sys.argv[1:4])
    main(cells, characters, most, sys.argv[4])
