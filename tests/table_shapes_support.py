"""Tables in the formats of hospitals, spreadsheets and laboratory software, as named shapes with their true cells.

`SHAPES` are read correctly at once, or after the first answer to each question in `asks`.
"""

import gzip
from dataclasses import dataclass, field

from file_support import workbook, xls

N = 24
AGE = [30 + (7 * i) % 40 for i in range(N)]
CRP = [round(0.3 + 1.37 * ((5 * i) % 11), 2) for i in range(N)]
IL6 = [round(4 + 2.25 * ((3 * i) % 13), 2) for i in range(N)]
LEUKOCYTES = [760 + 430 * ((7 * i) % 23) for i in range(N)]
SMOKER = ["yes" if i % 3 == 0 else "no" for i in range(N)]
OUTCOME = ["ill" if i % 2 else "well" for i in range(N)]
NAMES = ["ID", "Age", "CRP", "IL6", "Smoker", "Outcome"]
ROWS = [[f"P{i:03d}", AGE[i], CRP[i], IL6[i], SMOKER[i], OUTCOME[i]] for i in range(N)]
TRUE = {"Age": AGE, "CRP": CRP, "IL6": IL6, "Smoker": SMOKER, "Outcome": OUTCOME}


@dataclass(frozen=True)
class Shape:
    """file, data: name and content. true: {column: cells}, NaN or None for missing. asks: kinds of questions about cells.
    units: detected units. says: words of notes on assumptions. taken: marks read as missing without a question."""

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
    """The rows with one column changed by `change(i, value)`."""
    j = NAMES.index(column)
    return [[*row[:j], change(i, row[j]), *row[j + 1 :]] for i, row in enumerate(rows)]


def put(column, values, rows=ROWS):
    """The rows with some cells {row: text} of a column replaced."""
    return changed(column, lambda i, value: values.get(i, value), rows)


def with_values(column, values):
    """The true cells with some cells of a column replaced."""
    return TRUE | {column: [values.get(i, value) for i, value in enumerate(TRUE[column])]}


def in_column(column, write, true, *asks, **more):
    """A text table with a column written by write(i, value), or with some cells {row: text}.

    true: expected cells, or {row: value} of those that differ, or None if unknown.
    """
    cells = put(column, write) if isinstance(write, dict) else changed(column, write)
    if true is None:
        true = {name: values for name, values in TRUE.items() if name != column}
    else:
        true = with_values(column, true) if isinstance(true, dict) else TRUE | {column: true}
    return Shape("a.csv", text([NAMES, *cells]), true, asks, **more)


WIDE = len(NAMES) - 1
TITLE = ["Labor Station 7", *[None] * WIDE]
UNITS = [None, "Jahre", "mg/L", "[pg/mL]", None, None]
FOUND = {"Age": "Jahre", "CRP": "mg/L", "IL6": "pg/mL"}
MARKED = {2: None, 9: None}
JA, SIGN, DAYS = {"yes": "ja", "no": "nein"}, {"yes": "pos", "no": "neg"}, [f"{i + 1:02d}.03.21" for i in range(N)]
GENOTYPES, FINDINGS = ["0/1", "1/1", "0/0"] * 8, ["o.B.", "verschattet", "o. B."] * 8
COMMAS = [None, "first a, then b", "none, so far"] * 8

SHAPES = {
    # ---- position of the table ----
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
    "cells merged over the lines of a patient": Shape(
        "a.xlsx",
        workbook({"S": [TITLE, NAMES, *put("Age", {3: AGE[2], 4: AGE[2]})]}, ["A1:F1", "A5:A7", "C5:D5", "B5:B7", "F10:F11"]),
        TRUE
        | {
            "ID": [f"P{2 if i in (3, 4) else i:03d}" for i in range(N)],
            "Age": with_values("Age", {3: AGE[2], 4: AGE[2]})["Age"],
            "IL6": with_values("IL6", {2: None})["IL6"],
            "Outcome": [OUTCOME[7] if i == 8 else value for i, value in enumerate(OUTCOME)],
        },
        says=("5 cells in 'ID', 'Age', 'Outcome'",),
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
    **{
        f"{total} of a pivot table": Shape("a.xlsx", sheet(NAMES, *ROWS, [total, 50, 7.1, 17.0, None, None]), says=(f"'{total}'",))
        for total in ("Grand Total", "Gesamtergebnis")
    },
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
    "n.d. and k.A.": in_column("CRP", {2: "n.d.", 9: "k.A."}, MARKED, "missing"),
    "usual marks": in_column("IL6", {2: "NA", 9: "."}, MARKED, taken=("NA", ".")),
    "a remark in a cell": in_column("CRP", {2: "see letter"}, {2: None}, "text"),
    "a number that became a date": Shape(
        "a.xlsx", sheet(NAMES, *put("CRP", {2: "2024-05-01"})), with_values("CRP", {2: None}), ("text",)
    ),
    "below a limit": in_column("CRP", {2: "<0.2", 9: "< 0.2"}, {2: 0.1, 9: 0.1}, "below"),
    "below a limit that is not said": in_column("CRP", {2: "<LOD", 9: "<0.2"}, {2: 0.1, 9: 0.1}, "below"),
    "n.n. and BLQ alone": in_column("CRP", {2: "BLQ", 9: "n.n."}, {2: min(CRP) / 2, 9: min(CRP) / 2}, "below"),
    "negative below a limit": in_column("CRP", {2: "neg", 5: "negative", 9: "<0.2"}, {2: 0.1, 5: 0.1, 9: 0.1}, "below"),
    "above a limit": in_column("IL6", {2: ">500", 9: "≥500"}, {2: 500.0, 9: 500.0}, "above"),
    "limits with units": in_column(
        "CRP", lambda i, v: "<0.2 mg/L" if i == 4 else f"{v} mg/L", {4: 0.1}, "below", "unit", units={"CRP": "mg/L"}
    ),
    "numbers with units": in_column("Age", lambda i, v: f"{v} Jahre", {}, "unit", units={"Age": "Jahre"}),
    "money with its sign in front": in_column("CRP", lambda i, v: f"€ {v}", {}, "unit", units={"CRP": "€"}),
    "money with thousands": in_column(
        "CRP", lambda i, v: f"${1000 * v:,.2f}", [round(1000 * v, 2) for v in CRP], "unit", units={"CRP": "$"}
    ),
    "money in a file with decimal commas": Shape(
        "a.csv",
        text([NAMES, *changed("CRP", lambda i, v: f"{v:.2f} €".replace(".", ","))], ";", ","),
        asks=("unit",),
        units={"CRP": "€"},
    ),
    "two units in a column": in_column("CRP", lambda i, v: f"{v} {'g' if i % 4 else 'mg'}", None, "unit"),
    "ja and nein": in_column("Smoker", lambda i, v: JA[v], [JA[v] for v in SMOKER]),
    "yes and no in many ways": in_column(
        "Smoker", lambda i, v: ["no", "nein", "N"][i % 3] if v == "no" else ["yes", "Ja", "Y"][i // 3 % 3], {}, "yes-no"
    ),
    "pos, neg and unknown": in_column(
        "Smoker", lambda i, v: "n.d." if i == 4 else SIGN[v], [None if i == 4 else SIGN[v] for i, v in enumerate(SMOKER)], "missing"
    ),
    "capitals that vary": in_column("Outcome", lambda i, v: v.upper() if i < 6 else v, {}, "spelling"),
    "commas that could be either": in_column("IL6", lambda i, v: f"1,{200 + i}", [1.2 + i / 1000 for i in range(N)], "comma"),
    "dates with a mark": in_column(
        "IL6", lambda i, v: "unknown" if i == 2 else DAYS[i], [None if i == 2 else DAYS[i] for i in range(N)], "missing"
    ),
    "flags of a laboratory": in_column("CRP", {2: "7.1 H", 9: "0.4*", 5: "ca. 3.5"}, {2: 7.1, 9: 0.4, 5: 3.5}, "marked"),
    "code for missing": in_column("CRP", {2: -999, 9: -999}, MARKED, "code"),
    "negative code for missing among large numbers": in_column(
        "CRP",
        lambda i, value: -999 if i in (2, 9) else 400 * value,
        [None if i in (2, 9) else 400 * value for i, value in enumerate(CRP)],
        "code",
    ),
    "code for unknown of a question": in_column(
        "Age", lambda i, value: 9 if i in (2, 9) else i % 2, [None if i in (2, 9) else i % 2 for i in range(N)], "code"
    ),
    "two codes for missing": in_column("Age", {2: -8, 5: -8, 9: -9, 12: -9}, {2: None, 5: None, 9: None, 12: None}, "code"),
    "three codes for missing": in_column("Age", {2: 997, 5: 998, 9: 999}, {2: None, 5: None, 9: None}, "code"),
    "codes of a survey below measurements": in_column("CRP", {2: -3, 4: -3, 5: -1, 9: -1}, dict.fromkeys((2, 4, 5, 9)), "code"),
    "refused and unknown beside 1 and 2": in_column(
        "Age",
        lambda i, _: {2: 7, 5: 7, 9: 9, 12: 9}.get(i, 1 + i % 2),
        [None if i in (2, 5, 9, 12) else 1 + i % 2 for i in range(N)],
        "code",
    ),
    "ratings around 0": in_column("Age", lambda i, _: i % 5 - 2, [i % 5 - 2 for i in range(N)]),
    "changes that are mostly positive": in_column("Age", lambda i, _: i % 9 - 1, [i % 9 - 1 for i in range(N)]),
    "one count of 9": in_column("Age", lambda i, _: 9 if i == 2 else i % 2, [9 if i == 2 else i % 2 for i in range(N)]),
    "points that separate thousands": Shape(
        "a.csv",
        text(
            [NAMES, *changed("IL6", lambda i, _: f"{LEUKOCYTES[i]:,}".replace(",", "."), changed("CRP", lambda i, _: i % 5))], ";"
        ),
        TRUE | {"CRP": [i % 5 for i in range(N)], "IL6": LEUKOCYTES},
        ("comma",),
    ),
    "three decimals": in_column("IL6", lambda i, _: f"{100 + i / 8:.3f}", [100 + i / 8 for i in range(N)]),
    "below a negative limit": in_column(
        "CRP",
        lambda i, value: "<-3" if i in (2, 9) else round(value - 3, 2),
        [-3.0 if i in (2, 9) else round(value - 3, 2) for i, value in enumerate(CRP)],
        "below",
    ),
    "below an unknown limit among negative numbers": in_column(
        "CRP",
        lambda i, value: "<LOD" if i in (2, 9) else round(value - 3, 2),
        [min(round(other - 3, 2) for other in CRP) if i in (2, 9) else round(value - 3, 2) for i, value in enumerate(CRP)],
        "below",
    ),
    "percentages and shares": in_column(
        "CRP",
        lambda i, _: f"{i + 20}%" if i % 2 else f"0.{i + 20}",
        [f"{i + 20}%" if i % 2 else f"0.{i + 20}" for i in range(N)],
        "unit",
    ),
    "days as a spreadsheet counts them": Shape(
        "a.csv",
        text([["ID", "Age", "CRP", "Datum", "Smoker", "Outcome"], *changed("IL6", lambda i, v: 44197 + i)]),
        {"Age": AGE, "Datum": [f"2021-01-{i + 1:02d}" for i in range(N)]},
        ("dates",),
    ),
    "days of a column that is not named as a date": in_column(
        "IL6", lambda i, _: 44197 + i, [f"2021-01-{i + 1:02d}" for i in range(N)], "dates"
    ),
    "counts as large as days": in_column("IL6", lambda i, _: 40000 + 300 * i, [40000 + 300 * i for i in range(N)]),
    "points that separate thousands beside decimal commas": Shape(
        "a.csv",
        text([NAMES, *changed("IL6", lambda i, _: f"{1 + i % 3}.{200 + i}")], ";", ","),
        TRUE | {"IL6": [1000 * (1 + i % 3) + 200 + i for i in range(N)]},
        ("comma",),
    ),
    "few percentages": in_column("CRP", lambda i, _: f"{40 + i % 5}%", [40 + i % 5 for i in range(N)], "unit", units={"CRP": "%"}),
    "negative numbers in brackets": in_column("CRP", {2: "(12.5)", 5: "0.5-", 9: "(1)"}, {2: -12.5, 5: -0.5, 9: -1}, "bracketed"),
    "genotypes, no pairs of numbers": in_column("Smoker", lambda i, _: GENOTYPES[i], GENOTYPES),
    "no abnormal finding": in_column("Smoker", lambda i, _: FINDINGS[i], FINDINGS),
    **{
        f"{code} beside {other}": in_column("CRP", {2: other, 5: code, 9: code}, {2: known, 5: None, 9: None}, kind, "code")
        for code, other, known, kind in (
            *((code, "<0.3", 0.15, "below") for code in (999, "999.0")),
            *((code, "not done", None, "missing") for code in (999, -9)),
        )
    },
    "texts with commas": Shape(
        "a.csv",
        text([NAMES, *changed("Smoker", lambda i, _: COMMAS[i] or "k.A.")], ";", ","),
        TRUE | {"Smoker": COMMAS},
        ("missing",),
    ),
    "spaces between thousands": in_column(
        "IL6", lambda i, v: f"{i} {200 + i}" if i else 200, [1000 * i + 200 + i for i in range(N)], "spaces"
    ),
    "names repeated at once": Shape("a.csv", text([NAMES, NAMES, *ROWS]), says=("repeated",)),
    "names again on a second page": Shape("a.csv", text([NAMES, *ROWS[:12], NAMES, *ROWS[12:]]), says=("repeated",)),
    "ja among 0 and 1": in_column("Smoker", lambda i, v: ["1", "ja"][i % 2] if v == "yes" else "0", {}, "yes-no"),
}
