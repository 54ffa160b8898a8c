"""Hostile workbooks: .xlsx built part by part, so that any part can be wrong, and damaged .ods and .xls."""

import io
import re
import zipfile
from xml.sax.saxutils import escape

from file_support import ods, xls
from hostile_cells_support import HOSTILE
from hostile_support import Case, damaged
from table_shapes_support import CRP, IL6, NAMES, ROWS

NUMBERS = {"CRP": CRP, "IL6": IL6}
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET = "xl/worksheets/sheet1.xml"
BOOK, LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"


def letters(j):
    """A, B, … of a column."""
    return chr(65 + j) if j < 26 else letters(j // 26 - 1) + letters(j % 26)


def cell(i, j, value):
    """A cell as a spreadsheet writes it, texts in place."""
    where = f'r="{letters(j)}{i + 1}"'
    if isinstance(value, str):
        return f'<c {where} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c {where}><v>{value}</v></c>"


def parts(rows=None):
    """{name: text} of an .xlsx with one sheet."""
    rows = [NAMES, *ROWS] if rows is None else rows
    lines = ["".join(cell(i, j, value) for j, value in enumerate(row)) for i, row in enumerate(rows)]
    body = "".join(f'<row r="{i}">{line}</row>' for i, line in enumerate(lines, 1))
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" '
        f'ContentType="{kind}.sheet.main+xml"/><Override PartName="/{SHEET}" ContentType="{kind}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        BOOK: f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        LINKS: f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{OFFICE}/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        SHEET: f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>',
    }


def packed(content, method=zipfile.ZIP_DEFLATED):
    """A reproducible archive of {name: text or bytes}."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in content.items():
            archive.writestr(zipfile.ZipInfo(name), part, method)
    return file.getvalue()


EMPTY_ROWS = "".join(f'<row r="{i}"/>' for i in range(30, 9000))
CHANGES = {
    "rows out of order": lambda s: s.replace('<row r="3">', '<row r="9">'),
    "no places": lambda s: re.sub(r' r="\w+"', "", s),
    "a far column": lambda s: s.replace('r="F9"', 'r="XFD9"'),
    "beyond": lambda s: s.replace('r="A25"', 'r="ZZZZ99999999"'),
    "a false size": lambda s: s.replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>'),
    "merged cells": lambda s: s.replace("</sheetData>", '</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
    "no rows": lambda s: re.sub(r"<row.*</row>", "", s),
    "shared texts that are not there": lambda s: s.replace(' t="inlineStr"><is><t>yes</t></is>', ' t="s"><v>7</v>'),
    "a long text": lambda s: s.replace(">P003<", f">{'x' * 40_000}<"),
    "a formula that was never calculated": lambda s: s.replace(f"<v>{CRP[8]}</v>", "<f>A1*2</f>"),
    "too large a number": lambda s: s.replace(f"<v>{CRP[8]}</v>", "<v>1e400</v>"),
    "many rows of nothing": lambda s: s.replace("</sheetData>", EMPTY_ROWS + "</sheetData>"),
}


def book(name, changed, truth=NUMBERS):
    """A workbook with some parts replaced."""
    return Case(name, "table", "t.xlsx", packed({**parts(), **changed}), truth)


def structure(rng):
    """Workbooks with missing, additional, misplaced, hidden or far too large parts."""
    whole = parts()
    for name, text in whole.items():
        left = {key: part for key, part in whole.items() if key != name}
        yield Case(f"without {name}", "table", "t.xlsx", packed(left), NUMBERS)
        for what, other in broken(text).items():
            yield book(f"{name}: {what}", {name: other}, None)
    for name, change in CHANGES.items():
        moved = any(word in name for word in ("place", "order", "far", "formula", "number"))
        yield Case(name, "table", "t.xlsx", packed({**whole, SHEET: change(whole[SHEET])}), {} if moved else NUMBERS)
    yield from listed_sheets(whole[BOOK])


def broken(text):
    """{name: an invalid part of a workbook}."""
    laughs = "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(8))
    return {
        **{"empty": "", "not XML": "x", "half": text[: len(text) // 2], "NUL": "\0" * 99, "another root": "<a/>"},
        "UTF-16": text.encode("utf-16"),
        "a DTD": '<!DOCTYPE a [<!ENTITY b "c">]>' + text,
        "deep": "<a>" * 50_000,
        "laughs": f'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{laughs}]><a>&i;</a>',
        "outside": f'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>{text.replace(">P000<", ">&x;<")}',
        "twice": text * 2,
        "attributes": text.replace("<", "<x " + 'a="b" ' * 40, 1),
    }


def listed_sheets(text):
    """Workbooks with hidden, duplicate or misplaced sheets, or hostile names of sheets."""
    for state in ("hidden", "veryHidden"):
        sheets = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="r1" state="{state}"/>' for i, name in enumerate("ST", 1))
        yield book(state, {BOOK: re.sub(r"<sheet .*?/>", lambda _, sheets=sheets: sheets, text)})
    for kind, name in HOSTILE.items():
        called = f'name="{escape(name, {chr(34): "&quot;"})}"'
        yield book(f"a sheet named {kind}", {BOOK: text.replace('name="S"', called)})
    for target in ("../../../../etc/passwd", "http://evil.test/x.xml", "worksheets/sheet9.xml", "", "file:///etc/passwd"):
        yield book(f"target {target}", {LINKS: re.sub("worksheets/sheet1.xml", target, parts()[LINKS])}, None)


def archives(rng):
    """Archives that are damaged, have false names or are no workbooks, and damaged .ods and .xls."""
    whole = parts()
    good, others = packed(whole), {"t.ods": ods([NAMES, *ROWS]), "t.xls": xls([NAMES, *ROWS[:18]])}
    contents = {
        "a zip of text": packed({"a.csv": "a,b\n1,2\n"}),
        "an empty zip": packed({}),
        "a document": packed({"word/document.xml": "<a/>"}),
        "ways out": packed({**whole, "../../evil": "x", "/etc/evil": "x", "C:\\evil": "x"}),
        "many files": packed({**whole, **{f"x{i}": "" for i in range(20_000)}}),
        "in front": b"MZ" + good,
        "twice": good + good,
        "stored": packed(whole, zipfile.ZIP_STORED),
        "another method": packed(whole, zipfile.ZIP_LZMA),
    }
    for name, data in contents.items():
        for file in ("t.xlsx", "t.ods", "t.xls", "t.csv", "t.zip", "t.parquet"):
            yield Case(name, "table", file, data)
    for number in range(90):
        for file, content in {"t.xlsx": good, **others}.items():
            what, data = damaged(rng, content)
            yield Case(f"{number}: {what}", "table", file, data, NUMBERS if file != "t.xls" else None)
    zeros = bytes(300 * 2**20)
    yield Case("zeros", "table", "t.xlsx", lambda: packed({**whole, SHEET: zeros}), dangerous=True)
    yield Case("zeros beside", "table", "t.xlsx", lambda: packed({**whole, "xl/x.bin": zeros}), dangerous=True)


FAMILIES = {"parts of workbooks": structure, "archives": archives}
