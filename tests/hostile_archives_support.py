"""Workbooks whose archives are damaged or bombs, and those of other programs, as nobody should send them."""

import io
import zipfile

from file_support import ods, xls
from hostile_cells_support import CELLS, NO_NUMBER
from hostile_sheets_support import MAIN, NUMBERS, OFFICE, SHEET, packed, parts, row_of, with_sheet
from hostile_support import Case, damaged
from table_shapes_support import CRP, NAMES, ROWS


def archives(family, rng):
    """Archives that are damaged, lie about their sizes, are no workbooks, or hold far more than they seem to."""
    whole = parts()
    good, odt = packed(whole), ods([NAMES, *ROWS])
    yield Case(family, "stored", "table", "t.xlsx", packed(whole, zipfile.ZIP_STORED), NUMBERS)
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        yield Case(family, f"method {method}", "table", "t.xlsx", packed(whole, method), NUMBERS)
    others = {
        "a zip of text": packed({"a.csv": "a,b\n1,2\n"}),
        "an empty zip": packed({}),
        "a document": packed({"word/document.xml": "<a/>"}),
        "a zip in a zip": packed({"xl/workbook.xml": good}),
        "ways out": packed({**whole, "../../evil": "x", "/etc/evil": "x", "C:\\evil": "x"}),
        "many files": packed({**whole, **{f"x{i}": "" for i in range(20_000)}}),
        "macros": packed({**whole, "xl/vbaProject.bin": b"\xd0\xcf\x11\xe0" * 99}),
        "in front": b"MZ" + good,
        "behind": good + b"x" * 5000,
        "twice": good + good,
        "a comment": good[:-2] + b"\xff\xff" + b"c" * 65535,
    }
    for name, data in others.items():
        for file in ("t.xlsx", "t.ods", "t.xls", "t.csv", "t.zip", "t.parquet", "t.xlsm", "t.xlsb", "t.npz"):
            yield Case(family, name, "table", file, data)
    for number in range(90):
        what, data = damaged(rng, good if number % 3 else odt)
        yield Case(family, f"{number}: {what}", "table", "t.xlsx" if number % 3 else "t.ods", data, NUMBERS)
    encrypted = bytearray(good)
    for at in (i for i in range(len(good) - 9) if good[i : i + 4] in (b"PK\x03\x04", b"PK\x01\x02")):
        encrypted[at + (6 if good[at + 2] == 3 else 8)] |= 1
    yield Case(family, "encrypted", "table", "t.xlsx", bytes(encrypted))
    zeros = bytes(300 * 2**20)
    for name, make in (
        ("zeros in a sheet", lambda: packed({**whole, SHEET: zeros})),
        ("zeros beside", lambda: packed({**whole, "xl/x.bin": zeros})),
        ("a shared text in many cells", lambda: shared(1_000_000, 500)),
        ("shared texts of the longest kind", lambda: shared(30_000, 12_000)),
        (
            "millions of cells",
            lambda: with_sheet(
                lambda s: s.replace(
                    "</sheetData>",
                    "".join(f'<row r="{i}">{"<c><v>1</v></c>" * 50}</row>' for i in range(30, 60_000)) + "</sheetData>",
                )
            ),
        ),
    ):
        yield Case(family, name, "table", "t.xlsx", make, dangerous=True)


def shared(length, cells):
    """A workbook in which many cells share one text."""
    whole = parts()
    rows = "".join(f'<row r="{i}"><c r="A{i}" t="s"><v>0</v></c></row>' for i in range(30, 30 + cells))
    return packed(
        {
            **whole,
            SHEET: whole[SHEET].replace("</sheetData>", rows + "</sheetData>"),
            "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>{"x" * length}</t></si></sst>',
            "xl/_rels/workbook.xml.rels": whole["xl/_rels/workbook.xml.rels"].replace(
                "</R", f'<Relationship Id="r2" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></R', 1
            ),
        }
    )


OLD = f'<table:table-cell office:value-type="float" office:value="{CRP[8]}"/>'
FORMULA = 'table:formula="of:=[.B9]/2"'
INNERS_OF_ODS = {
    "never calculated": (f"<table:table-cell {FORMULA}/>", None),
    "never calculated, empty text": (f"<table:table-cell {FORMULA}><text:p/></table:table-cell>", None),
    "never calculated, a kind": (f'<table:table-cell {FORMULA} office:value-type="float"/>', None),
    "calculated": (f'<table:table-cell {FORMULA} office:value-type="float" office:value="7.5"/>', 7.5),
    "an error": (
        f'<table:table-cell {FORMULA} office:value-type="string" office:string-value="" calcext:value-type="error">'
        "<text:p>#DIV/0!</text:p></table:table-cell>",
        NO_NUMBER,
    ),
    "no number": ('<table:table-cell office:value-type="float" office:value="x"/>', NO_NUMBER),
    "a date": ('<table:table-cell office:value-type="date" office:date-value="2024-01-01"/>', NO_NUMBER),
    "a percentage": ('<table:table-cell office:value-type="percentage" office:value="0.5"/>', 0.5),
    "money": ('<table:table-cell office:value-type="currency" office:currency="EUR" office:value="5"/>', 5.0),
    "a time": ('<table:table-cell office:value-type="time" office:time-value="PT12H30M00S"/>', NO_NUMBER),
    "a note": (
        f'<table:table-cell office:value-type="float" office:value="{CRP[8]}"><office:annotation><text:p>high</text:p>'
        "</office:annotation></table:table-cell>",
        CRP[8],
    ),
    "paragraphs": (
        '<table:table-cell office:value-type="string"><text:p>1</text:p><text:p>2</text:p></table:table-cell>',
        NO_NUMBER,
    ),
    "covered": ("<table:covered-table-cell/>", None),
    "repeated": (OLD.replace("/>", ' table:number-columns-repeated="2"/>'), NO_NUMBER),
    "repeated without end": (OLD.replace("/>", ' table:number-columns-repeated="999999999"/>'), NO_NUMBER),
    "repeated negatively": (OLD.replace("/>", ' table:number-columns-repeated="-2"/>'), NO_NUMBER),
    "an unknown kind": ('<table:table-cell office:value-type="zz" office:value="5"/>', 5.0),
    "no value": ('<table:table-cell office:value-type="float"/>', None),
}


def other_programs(family, rng):
    """The .ods and .xls of other programs, with cells of every kind, repeated, calculated or not, and damaged."""
    good = ods([NAMES, *ROWS])
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    text = content["content.xml"].decode()
    at = text.index(OLD, text.index("P008"))
    for name, (inner, number) in INNERS_OF_ODS.items():
        data = packed({**content, "content.xml": text[:at] + inner + text[at + len(OLD) :]})
        yield Case(family, f"ods: {name}", "table", "t.ods", data, row_of(8, number) if "repeated" not in name else {})
    for name in content:
        for what, other in (
            ("gone", None),
            ("empty", b""),
            ("half", content[name][: len(content[name]) // 2]),
            ("laughs", b'<!DOCTYPE a [<!ENTITY a "b">]><a>&a;</a>'),
        ):
            left = {key: one for key, one in content.items() if key != name} | ({} if other is None else {name: other})
            yield Case(family, f"ods: {name} {what}", "table", "t.ods", packed(left), NUMBERS if name != "content.xml" else {})
    for rows in (ROWS[:18],):
        binary = xls([NAMES, *rows])
        for number in range(90):
            what, data = damaged(rng, binary)
            yield Case(family, f"xls {number}: {what}", "table", "t.xls", data)
    for value, known in list(CELLS.items())[::2]:
        rows = [[*row[:2], value if i == 8 else row[2], *row[3:]] for i, row in enumerate(ROWS)]
        if value.isprintable():
            yield Case(family, f"a text {value[:20]!r}", "table", "t.xlsx", packed(parts([NAMES, *rows])), row_of(8, known))


FAMILIES = {"archives": archives, "other workbooks": other_programs}
