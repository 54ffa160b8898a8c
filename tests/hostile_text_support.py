"""Hostile text tables: encodings, cells, names, positions of the table, damage, and excessive size."""

import csv
import gzip
import itertools

from hostile_cells_support import CELLS, NAMES_OF_COLUMNS, NO_NUMBER
from hostile_support import Case, damaged, written
from table_shapes_support import CRP, IL6, NAMES, ROWS, text

NUMBERS = {"CRP": CRP, "IL6": IL6}
ENCODINGS = (
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-7", "cp1252", "latin-1", "mac_roman", "cp1250"),
    *("cp1251", "cp437", "koi8_r", "shift_jis", "gb18030", "euc_kr", "cp500"),
)
SEPARATORS = {",": "csv", ";": "csv", "\t": "tsv", "|": "txt", " ": "txt"}
DATES = (
    *("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%y", "%d-%b-%Y", "%Y%m%d", "%Y-%m-%dT%H:%M:%S", "%d.%m.%y %H:%M", "%H:%M"),
    *("%Y-W%W", "%B %d, %Y", "%d. %B %Y", "%m.%Y", "%Y/%m", "%Y-%m-%d %H:%M:%S.%f", "%d %b %y", "%j", "%Y-%j", "%s"),
)


def encodings(rng):
    """Every encoding with every valid separator, decimal sign, end of line and quoting."""
    names = [*NAMES[:-1], "Größe, µ"]
    rows = [[*row[:5], "krank, ä" if row[5] == "ill" else "gesund"] for row in ROWS]
    for encoding, separator, decimal, end, quoted, packed in itertools.product(
        ENCODINGS, SEPARATORS, ".,", ("\n", "\r\n", "\r"), (False, True), (False, True)
    ):
        if rng.random() > 0.34 or packed and separator == " ":
            continue
        cells = [[str(cell).replace(".", decimal) if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
        quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
        data = written([names, *cells], delimiter=separator, lineterminator=end, quoting=quoting).encode(encoding, "replace")
        file, content = f"t.{SEPARATORS[separator]}", gzip.compress(data, mtime=0) if packed else data
        shape = f"{encoding}, {separator!r}, {decimal}, {end!r}, {'quoted' if quoted else 'bare'}"
        yield Case(shape, "table", f"{file}.gz" if packed else file, content, NUMBERS)


def cells(rng):
    """A cell that is not clearly a number: once, in a fifth of the rows, and in all of them."""
    chosen_rows = {"once": {7}, "some": set(range(0, 24, 5)), "all": set(range(24))}
    for (cell, number), (often, rows), separator in itertools.product(CELLS.items(), chosen_rows.items(), (",", ";", "\t")):
        if separator != "," and rng.random() < 0.6:
            continue
        table = [NAMES, *([*row[:2], cell if i in rows else row[2], *row[3:]] for i, row in enumerate(ROWS))]
        data = written(table, delimiter=separator, lineterminator="\n").encode("utf-8", "replace")
        true = {"IL6": IL6, "CRP": [number if i in rows else CRP[i] for i in range(24)]}
        yield Case(f"{cell[:20]!r} {often}, {separator!r}", "table", "t.csv", data, true)


def names(rng):
    """Names of columns that are markup, formulas, paths, numbers, blanks or too long, and must be kept."""
    for name, quoted in itertools.product(NAMES_OF_COLUMNS, (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)):
        table = written([["ID", "Age", name, *NAMES[3:]], *ROWS], quoting=quoted, lineterminator="\n")
        data, true = table.encode("utf-8", "surrogatepass"), {"IL6": IL6, name.strip(): CRP}
        yield Case(f"{name[:30]!r}", "table", "t.csv", data, true)


def places(rng):
    """Titles, blank lines, groups, units, footers, empty columns and rows, and repeated names, combined."""
    blank = [""] * 6
    for number in range(260):
        separator, decimal = rng.choice(((",", "."), (";", ","), (";", "."), ("\t", "."), ("\t", ",")))
        rows, kinds = [NAMES, *ROWS], []
        if rng.random() < 0.3:
            rows, kinds = [NAMES, ["", "years", "mg/L", "pg/mL", "", ""], *ROWS], ["units"]
        if rng.random() < 0.2:
            rows, kinds = [["", "", "Blood", "", "", ""], *rows], [*kinds, "groups"]
        for _ in range(rng.choice((0, 0, 1, 2, 3))):
            top = rng.choice((["Labor 7", *blank[1:]], ["printed 2024-01-02", *blank[1:]], blank, ["Site", "7", *blank[2:]]))
            rows, kinds = [top, *rows], [*kinds, "title"]
        if rng.random() < 0.3:
            foot = rng.choice((["Mean", 50, 7.1, 17.0, "", ""], ["* measured twice", *blank[1:]], ["n = 24", *blank[1:]]))
            rows, kinds = [*rows, *[blank] * rng.randrange(3), foot], [*kinds, "foot"]
        if rng.random() < 0.2:
            rows, kinds = [[*row, ""] for row in rows], [*kinds, "empty column right"]
        if rng.random() < 0.15:
            rows, kinds = [["", *row] for row in rows], [*kinds, "empty column left"]
        if rng.random() < 0.15:
            row_number = rng.randrange(len(rows) - 20, len(rows))
            rows, kinds = [*rows[:row_number], [""] * len(rows[0]), *rows[row_number:]], [*kinds, "blank row"]
        if rng.random() < 0.1:
            row_number = len(rows) - 12
            rows, kinds = [*rows[:row_number], NAMES + [""] * (len(rows[0]) - 6), *rows[row_number:]], [*kinds, "names again"]
        encoding = rng.choice(("utf-8", "utf-8-sig", "utf-16", "cp1252"))
        data = text(rows, separator, decimal, encoding, rng.choice(("\n", "\r\n")))
        yield Case(f"{number}: {', '.join(kinds)}; {separator!r} {decimal}", "table", "t.csv", data, NUMBERS)


def dates(rng):
    """Dates and times in many formats, alone and mixed, which must not become numbers without a question."""
    from datetime import datetime, timedelta

    days = [datetime(2020, 1, 5, 8, 30) + timedelta(days=37 * i, minutes=11 * i) for i in range(24)]
    for first, other in itertools.product(DATES, (None, "%d.%m.%Y", "%Y-%m-%d", "%s")):
        column = [day.strftime(other if other and i % 5 == 4 else first) for i, day in enumerate(days)]
        whole = all(cell.isdigit() for cell in column)
        rows = [[*row[:3], cell, *row[4:]] for row, cell in zip(ROWS, column, strict=True)]
        true = {"CRP": CRP, "IL6": [float(cell) if whole else NO_NUMBER if not cell.isdigit() else float(cell) for cell in column]}
        yield Case(f"{first} and {other}", "table", "t.csv", text([NAMES, *rows]), true)


def bytes_of_texts(rng):
    """Good text tables with a few bytes changed."""
    files = [(",", "t.csv"), ("\t", "t.tsv"), (";", "t.csv"), ("|", "t.txt")]
    for number in range(320):
        separator, file = files[number % 4]
        what, data = damaged(rng, text([NAMES, *ROWS], separator))
        yield Case(f"{number}: {what}", "table", file, data)


FAMILIES = {
    "encodings": encodings,
    "cells": cells,
    "names of columns": names,
    "places": places,
    "dates": dates,
    "bytes of texts": bytes_of_texts,
}
