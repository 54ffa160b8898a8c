"""Hostile text tables: encodings, cells, names, positions of the table, damage, excessive size, and no table at all."""

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


# ---- no table: empty, of another kind, in one cell, or far too large ----

WIDE, WORDS = 60_000, ("Yes", "yes", "YES", "ye\u200bs")
NOTHING = (
    *(b"", b" ", b"\n" * 5000, b"\xef\xbb\xbf", b"\xff\xfea", b"\0", b"\0" * 100_000, b"a", b"a,b,c\n", b"a,b,c"),
    *(b",,,,\n,,,,\n", b'"' * 9999, b"sep=;", gzip.compress(b"", mtime=0), gzip.compress(text([NAMES, *ROWS]), mtime=0)[:-9]),
)
QUOTES_AND_SEPARATORS = (
    *(b'a,b\n"1,2\n' + b"3,4\n" * 5000, b'a,b\n1"2,3\n', b'a,b\n"1"2,3\n', b'a,b\n"""1""",2\n', b"sep= \na b\n1 2\n"),
    *(b"sep=;\nsep=,\na;b\n1;2\n", b'sep="\na"b\n1"2\n', b"sep=a\nbac\n1a2\n", b"sep=\r\na;b\r\n1;2\r\n", b"sep=\0\na\x00b\n"),
    *("sep=ä\n1ä2\n".encode(), b"a,b,c\n1,2\n1,2,3,4\n", b"".join(b",".join([b"1"] * i) + b"\n" for i in range(1, 60))),
    *(b"a,a\n1,2\n", b"a,A , a\n1,2,3\n", b"a,,c\n1,2,3\n", b",,\n1,2,3\n", b"x\n" + b"1\n" * 30, b"a,b\n1,2"),
)
SIGNS = (
    *(b"\xef\xbb\xbf" * 2 + b"a,b\n1,2\n", b"a,b\n1,\x002\n", b"a,b\n1,\x07\n", b"a\x1b[2Jb,c\n1,2\n", b"a\x08,b\n1,2\n"),
    *(b"a,b\n1\x0b,2\n" * 20, b"a,b\n1\x0c,2\n", b"a,b\n1,2\x1a\n", b"a,b\r1,2\n3,4\r\n5,6\n\r7,8\n"),
    *("a,b\n1,2\u20283,4\x855,6\u2029\n".encode(), b"a,b\n\xed\xa0\x80,2\n", b"a,b\n\xc0\xaf,2\n", b"a,b\n\xf7\xbf\xbf\xbf,2\n"),
    b"a,b\n\x81\x8d,2\n",
)
OTHER_FILES = (
    *(b"%PDF-1.7\n" * 9, b"\x89PNG\r\n" * 9, b"<html><table>", b"<!DOCTYPE html><title>404</title>", b"<?xml version='1.0'?><a/>"),
    *(b'{"a": [1, 2], "b": [3, 4]}', b'{"a": 1}\n' * 30, b"a = 1\nb = 2\n" * 9, b"import os\nos.system('x')\n", b"{\\rtf1 a}"),
    *(b"\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c\x05posix\x94.", b"#!/bin/sh\nrm -rf /\n", b"SQLite format 3\0" * 9, b"QUJD" * 3000),
    *(b"| a | b |\n|---|---|\n| 1 | 2 |\n", b"a & b \\\\\n1 & 2 \\\\\n" * 12, b"@RELATION x\n@ATTRIBUTE a NUMERIC\n@DATA\n1,2\n"),
    *(b"1 1:0.5 3:0.2\n-1 2:0.1\n" * 9, b">x\nACGT\n" * 9, b"##fileformat=VCFv4.2\n#CHROM\tPOS\n1\t2\n"),
    b"--- a\n+++ b\n@@ -1 +1 @@\n",
)
PACKED = (
    *(gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0), gzip.compress(b"a,b\n1,2\n" * 9, mtime=0) * 2),
    gzip.compress(b"a,b\n1,2\n", mtime=0) + b"rest",
)
LONG = (
    *(b"1,2,3\n4,5,6\n" * 9, b"a" * 100_000 + b",b\n1,2\n", b"a,b\n" + b"x" * 120_000 + b",1\n", b"a,b\n" + b"1" * 200_000),
    *(b"a,b\n" + b"9" * 5000 + b",1\n", b"a,b\n0." + b"3" * 5000 + b",1\n", b"a;b\n" + b"1," + b"000," * 300 + b"000;2\n"),
    *(b"a,b\n" + b"+-" * 999 + b",1\n" * 3, b"a,b\n" + "".join(f"{word},{i}\n" for i in range(9) for word in WORDS).encode()),
)
SMALL = {
    **{"nothing": NOTHING, "quotes and separators": QUOTES_AND_SEPARATORS, "signs": SIGNS, "another file": OTHER_FILES},
    **{"packed": PACKED, "long": LONG},
    "a wide line": (b",".join(b"c%d" % i for i in range(WIDE)) + b"\n" + b"1," * (WIDE - 1) + b"1\n",),
}
LARGE = (
    ("50 million cells in a line", lambda: b"1," * 50_000_000, "t.csv"),
    ("gzip of zeros", lambda: gzip.compress(bytes(400 * 2**20)), "t.csv.gz"),
    ("gzip of lines", lambda: gzip.compress(b"a,b\n" + b"1,1\n" * 60_000_000), "t.csv.gz"),
    ("200 MB of quotes", lambda: b'"' * (200 * 2**20 - 1), "t.csv"),
    ("a million long cells", lambda: b"a,b\n" + b"%s,1\n" % (b"x" * 150) * 1_000_000, "t.csv"),
    ("100 000 lines of wide", lambda: (b"1," * 400 + b"1\n") * 100_000, "t.csv"),
    ("blank lines", lambda: b"\n" * 100_000_000, "t.csv"),
    ("distinct words", lambda: b"a,b\n" + b"".join(b"w%d,%d\n" % (i, i % 3) for i in range(2_000_000)), "t.csv"),
    ("semicolons", lambda: b";" * 100_000_000, "t.csv"),
)


def monsters(rng):
    """Empty files, everything in one cell, and millions of cells in a line."""
    for name, number, data in ((name, *item) for name, contents in SMALL.items() for item in enumerate(contents)):
        for file in ("t.csv", "t.txt", "t.tsv", "t.csv.gz", "t.xlsx", "t"):
            yield Case(f"{name} {number}", "table", file, data, dangerous=name == "a wide line")
    for name, data, file in LARGE:
        yield Case(name, "table", file, data, dangerous=True)


FAMILIES = {
    "encodings": encodings,
    "cells": cells,
    "names of columns": names,
    "places": places,
    "dates": dates,
    "bytes of texts": bytes_of_texts,
    "no tables": monsters,
}
