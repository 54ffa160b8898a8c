"""Tables as hospitals, spreadsheets and laboratory software write them: each a named shape, with what must be read from it.

`SHAPES` holds what is read right at once, or after the first answer to each question that `asks` names; `REFUSED` what is not read.
"""

import gzip
from dataclasses import dataclass, field

from file_support import workbook, xls

N = 24
AGE = [30 + (7 * i) % 40 for i in range(N)]
CRP = [round(0.3 + 1.37 * ((5 * i) % 11), 2) for i in range(N)]
IL6 = [round(4 + 2.25 * ((3 * i) % 13), 2) for i in range(N)]
SMOKER = ["yes" if i % 3 == 0 else "no" for i in range(N)]
OUTCOME = ["ill" if i % 2 else "well" for i in range(N)]
NAMES = ["ID", "Age", "CRP", "IL6", "Smoker", "Outcome"]
ROWS = [[f"P{i:03d}", AGE[i], CRP[i], IL6[i], SMOKER[i], OUTCOME[i]] for i in range(N)]
TRUE = {"Age": AGE, "CRP": CRP, "IL6": IL6, "Smoker": SMOKER, "Outcome": OUTCOME}


@dataclass(frozen=True)
class Shape:
    """file, data: what is brought; true: {column: its cells}, NaN or None for missing; asks: kinds of the questions about cells;
    units: those that are found; says: words of a note on what was assumed; taken: marks that were read as missing by themselves."""

    file: str
    data: bytes
    true: dict = field(default_factory=lambda: TRUE)
    asks: tuple = ()
    units: dict = field(default_factory=dict)
    says: tuple = ()
    taken: tuple = ()


def text(rows, separator=",", decimal=".", encoding="utf-8", end="\n"):
    def cell(value):
        written = "" if value is None else str(value).replace(".", decimal) if isinstance(value, float) else str(value)
        return f'"{written}"' if separator in written else written

    return (end.join(separator.join(map(cell, row)) for row in rows) + end).encode(encoding)


def sheet(*rows):
    return workbook({"S": list(rows)})


def changed(column, change, rows=ROWS):
    """The rows with one column as `change(i, value)` writes it."""
    j = NAMES.index(column)
    return [[*row[:j], change(i, row[j]), *row[j + 1 :]] for i, row in enumerate(rows)]


def put(column, values, rows=ROWS):
    """The rows with some cells {row: text} of a column."""
    return changed(column, lambda i, value: values.get(i, value), rows)


def with_values(column, values):
    """The true cells with some of a column replaced."""
    return TRUE | {column: [values.get(i, value) for i, value in enumerate(TRUE[column])]}


WIDE = len(NAMES) - 1
TITLE = ["Labor Station 7", *[None] * WIDE]
UNITS = [None, "Jahre", "mg/L", "[pg/mL]", None, None]
FOUND = {"Age": "Jahre", "CRP": "mg/L", "IL6": "pg/mL"}
MARKED = {2: None, 9: None}

SHAPES = {
    # ---- where the table lies ----
    "plain csv": Shape("a.csv", text([NAMES, *ROWS])),
    "cover sheet first": Shape(
        "a.xlsx", workbook({"Cover": [["Study", "X"], ["Date", "2024"]], "Labs": [NAMES, *ROWS]}), says=("'Labs'",)
    ),
    "title and empty rows": Shape("a.xlsx", sheet(TITLE, [None] * 6, [None] * 6, NAMES, *ROWS), says=("line 4",)),
    "title in an old workbook": Shape(
        "a.xls", xls([TITLE, NAMES, *ROWS[:18]]), {k: v[:18] for k, v in TRUE.items()}, says=("above",)
    ),
    "title lines in csv": Shape(
        "a.csv", b"Export of the laboratory, ward 7\nprinted today\n" + text([NAMES, *ROWS]), says=("above",)
    ),
    "title with a comma above semicolons": Shape(
        "a.csv", b"Labor, Station 7\n" + text([NAMES, *ROWS], ";", ","), says=("decimal",)
    ),
    "preamble of an instrument": Shape(
        "a.txt", b"Instrument\tX200\nOperator\tabc\nRun\t17\n\n" + text([NAMES, *ROWS], "\t"), says=("above",)
    ),
    "groups of columns in merged cells": Shape("a.xlsx", sheet([None, None, "Inflammation", None, None, None], NAMES, *ROWS)),
    "names merged over two rows": Shape(
        "a.xlsx", sheet(["ID", "Age", "Inflammation", None, "Smoker", "Outcome"], [None, None, "CRP", "IL6", None, None], *ROWS)
    ),
    "equal names under merged groups": Shape(
        "a.xlsx",
        sheet(
            [None, None, "baseline", None, "visit 2", None],
            ["ID", "Age", "CRP", "IL6", "CRP", "Outcome"],
            *[[row[0], row[1], row[2], row[3], row[2], row[5]] for row in ROWS],
        ),
        {"Age": AGE, "baseline CRP": CRP, "visit 2 CRP": CRP, "IL6": IL6},
    ),
    "units row": Shape("a.xlsx", sheet(NAMES, UNITS, *ROWS), units=FOUND, says=("units",)),
    "second line of descriptions": Shape(
        "a.csv",
        text([NAMES, ["", "at inclusion", "C-reactive", "interleukin", "", ""], *ROWS]),
        units={"Age": "at inclusion", "CRP": "C-reactive", "IL6": "interleukin"},
    ),
    "mean and SD below": Shape(
        "a.xlsx",
        sheet(NAMES, *ROWS, ["Mean", 50, 7.1, 17.0, None, None], ["SD", 9, 4.0, 8.0, None, None]),
        says=("below the table", "'Mean'"),
    ),
    "remark below": Shape("a.xlsx", sheet(NAMES, *ROWS, ["* measured twice", *[None] * WIDE]), says=("below the table",)),
    "columns that are empty, left and right": Shape("a.xlsx", sheet(*[[None, *row, None, None] for row in [NAMES, *ROWS]])),
    "semicolons and commas, Windows": Shape(
        "a.csv",
        text([[*NAMES[:-1], "Outcomeä"], *ROWS], ";", ",", "cp1252", "\r\n"),
        {"CRP": CRP, "IL6": IL6},
        says=("Windows-1252", "decimal"),
    ),
    "gzip with a title": Shape("a.csv.gz", gzip.compress(b"Labor\n" + text([NAMES, *ROWS]), mtime=0)),
    # ---- cells ----
    "n.d. and k.A.": Shape("a.csv", text([NAMES, *put("CRP", {2: "n.d.", 9: "k.A."})]), with_values("CRP", MARKED), ("missing",)),
    "usual marks": Shape("a.csv", text([NAMES, *put("IL6", {2: "NA", 9: "."})]), with_values("IL6", MARKED), taken=("NA", ".")),
    "a remark in a cell": Shape("a.csv", text([NAMES, *put("CRP", {2: "see letter"})]), with_values("CRP", {2: None}), ("text",)),
    "a number that became a date": Shape(
        "a.xlsx", sheet(NAMES, *put("CRP", {2: "2024-05-01"})), with_values("CRP", {2: None}), ("text",)
    ),
    "below a limit": Shape(
        "a.csv", text([NAMES, *put("CRP", {2: "<0.2", 9: "< 0.2"})]), with_values("CRP", {2: 0.1, 9: 0.1}), ("below",)
    ),
    "below a limit that is not said": Shape(
        "a.csv", text([NAMES, *put("CRP", {2: "<LOD", 9: "<0.2"})]), with_values("CRP", {2: 0.1, 9: 0.1}), ("below",)
    ),
    "n.n. and BLQ alone": Shape(
        "a.csv",
        text([NAMES, *put("CRP", {2: "BLQ", 9: "n.n."})]),
        with_values("CRP", {2: min(CRP) / 2, 9: min(CRP) / 2}),
        ("below",),
    ),
    "above a limit": Shape(
        "a.csv", text([NAMES, *put("IL6", {2: ">500", 9: "≥500"})]), with_values("IL6", {2: 500.0, 9: 500.0}), ("above",)
    ),
    "limits with units": Shape(
        "a.csv",
        text([NAMES, *changed("CRP", lambda i, v: "<0.2 mg/L" if i == 4 else f"{v} mg/L")]),
        with_values("CRP", {4: 0.1}),
        ("below", "unit"),
        {"CRP": "mg/L"},
    ),
    "numbers with units": Shape(
        "a.csv", text([NAMES, *changed("Age", lambda i, v: f"{v} Jahre")]), asks=("unit",), units={"Age": "Jahre"}
    ),
    "two units in a column": Shape(
        "a.csv",
        text([NAMES, *changed("CRP", lambda i, v: f"{v} {'g' if i % 4 else 'mg'}")]),
        {k: v for k, v in TRUE.items() if k != "CRP"},
        ("unit",),
    ),
    "ja and nein": Shape(
        "a.csv",
        text([NAMES, *changed("Smoker", lambda i, v: "ja" if v == "yes" else "nein")]),
        TRUE | {"Smoker": ["ja" if v == "yes" else "nein" for v in SMOKER]},
    ),
    "yes and no in many ways": Shape(
        "a.csv",
        text(
            [
                NAMES,
                *changed(
                    "Smoker", lambda i, v: [["no", "nein", "N"], ["yes", "Ja", "Y"]][v == "yes"][i % 3 if v == "no" else i // 3 % 3]
                ),
            ]
        ),
        asks=("yes-no",),
    ),
    "pos, neg and unknown": Shape(
        "a.csv",
        text([NAMES, *changed("Smoker", lambda i, v: "n.d." if i == 4 else {"yes": "pos", "no": "neg"}[v])]),
        TRUE | {"Smoker": [None if i == 4 else {"yes": "pos", "no": "neg"}[v] for i, v in enumerate(SMOKER)]},
        ("missing",),
    ),
    "capitals that vary": Shape(
        "a.csv", text([NAMES, *changed("Outcome", lambda i, v: v.upper() if i < 6 else v)]), asks=("spelling",)
    ),
    "commas that could be either": Shape(
        "a.csv",
        text([NAMES, *changed("IL6", lambda i, v: f"1,{200 + i}")]),
        TRUE | {"IL6": [1.2 + i / 1000 for i in range(N)]},
        ("comma",),
    ),
    "dates with a mark": Shape(
        "a.csv",
        text([NAMES, *changed("IL6", lambda i, v: "unknown" if i == 2 else f"{i + 1:02d}.03.21")]),
        {"Age": AGE, "IL6": [None if i == 2 else f"{i + 1:02d}.03.21" for i in range(N)]},
        ("missing",),
    ),
    "flags of a laboratory": Shape(
        "a.csv",
        text([NAMES, *put("CRP", {2: "7.1 H", 9: "0.4*", 5: "ca. 3.5"})]),
        with_values("CRP", {2: 7.1, 9: 0.4, 5: 3.5}),
        ("marked",),
    ),
    "code for missing": Shape("a.csv", text([NAMES, *put("CRP", {2: -999, 9: -999})]), with_values("CRP", MARKED), ("code",)),
    "days as a spreadsheet counts them": Shape(
        "a.csv",
        text([["ID", "Age", "CRP", "Datum", "Smoker", "Outcome"], *changed("IL6", lambda i, v: 44197 + i)]),
        {"Age": AGE, "Datum": [f"2021-01-{i + 1:02d}" for i in range(N)]},
        ("dates",),
    ),
    "spaces between thousands": Shape(
        "a.csv",
        text([NAMES, *changed("IL6", lambda i, v: f"{i} {200 + i}" if i else 200)]),
        TRUE | {"IL6": [1000 * i + 200 + i for i in range(N)]},
        ("spaces",),
    ),
    "names again on a second page": Shape("a.csv", text([NAMES, *ROWS[:12], NAMES, *ROWS[12:]]), says=("repeated",)),
    "ja among 0 and 1": Shape(
        "a.csv", text([NAMES, *changed("Smoker", lambda i, v: {"yes": ["1", "ja"][i % 2], "no": "0"}[v])]), asks=("yes-no",)
    ),
}

REFUSED = {
    "names twice": ("a.csv", text([["a", "b", "a"], *[[i, i, i] for i in range(20)]]), "more than once"),
    "a name is missing": ("a.csv", text([["a", "", "b"], *[[i, i, i] for i in range(20)]]), "no name"),
    "a short row in the middle": (
        "a.csv",
        text([["a", "b", "c"], *[[i, i, i] for i in range(9)], ["x y"], *[[i, i, i] for i in range(20)]]),
        "has 1 cell",
    ),
}
