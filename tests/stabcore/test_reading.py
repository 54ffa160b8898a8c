"""Reading tables and groups: every format comes back whole, and every wrong input is named with its place."""

import gzip
import io
import struct
import time
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stabcore.errors import InputError
from stabcore.reading import files as reading_files
from stabcore.reading import read_groups, read_table, read_text
from stabcore.reading.cells import read_cells

HOSTILE = ["![x](http://evil.example/a.png)", "<img src=x onerror=alert(1)>", "=HYPERLINK(\"http://evil\")", "@SUM(A1)",
           "a,b;c\td|e", "line\nbreak", "ümläut-µ-漢字-😀", "x" * 5000, "{name}", "%s", "'quoted'", "target' OR 1=1"]
FRAME = pd.DataFrame({"age": [61, 45, 72], "CRP": [0.1, 2.5, np.nan], "sex": ["f", "m", None],
                      "smoker": [True, False, True]})


def workbook(sheets):
    """Bytes of an .xlsx with {sheet name: rows}."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def rows_of(frame):
    cells = frame.astype(object).where(frame.notna(), None)
    return [list(frame.columns), *cells.to_numpy().tolist()]


def ods(rows):
    """Bytes of a small .ods, as an office program writes it: trailing empty rows are repeated a million times."""
    def cell(value):
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, bool):
            return f'<table:table-cell office:value-type="boolean" office:boolean-value="{str(value).lower()}"/>'
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    names = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text"))
    body = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", f'<?xml version="1.0"?><office:document-content {names}><office:body>'
                         f'<office:spreadsheet><table:table table:name="S">{body}<table:table-row '
                         'table:number-rows-repeated="1048000"><table:table-cell '
                         'table:number-columns-repeated="16384"/>'
                         "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>")
        archive.writestr("META-INF/manifest.xml", '<?xml version="1.0"?><m:manifest '
                         'xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>')
    return file.getvalue()


def xls(rows):
    """Bytes of a small .xls: one sheet of numbers and Latin-1 texts in an OLE container."""
    def record(kind, body):
        return struct.pack("<HH", kind, len(body)) + body

    def begin(kind):
        return record(0x809, struct.pack("<HHHHII", 0x600, kind, 0x0DBB, 0x7CC, 0, 6))

    def cell(i, j, value):
        if isinstance(value, bool):
            return record(0x205, struct.pack("<HHHBB", i, j, 0, value, 0))
        if isinstance(value, str):
            return record(0x204, struct.pack("<HHHHB", i, j, 0, len(value), 0) + value.encode("latin-1"))
        return b"" if value is None else record(0x203, struct.pack("<HHHd", i, j, 0, value))

    def bound(start):
        return record(0x85, struct.pack("<IBBBB", start, 0, 0, 1, 0) + b"S")

    cells = b"".join(cell(i, j, value) for i, row in enumerate(rows) for j, value in enumerate(row))
    start = len(begin(5) + bound(0) + record(0x0A, b""))
    stream = begin(5) + bound(start) + record(0x0A, b"") + begin(0x10) + cells + record(0x0A, b"")
    stream = stream.ljust(4096, b"\0")
    free, end = 0xFFFFFFFF, 0xFFFFFFFE
    chain = [0xFFFFFFFD, end, *range(3, 9), end]

    def entry(name, kind, first, size, child=free):
        raw = name.encode("utf-16-le")
        return (raw.ljust(64, b"\0") + struct.pack("<HBBIII", len(raw) + 2 if raw else 0, kind, 1, free, free, child)
                + b"\0" * 36 + struct.pack("<III", first, size, 0))

    header = (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack(
        "<HHHHH6xIIIIIIIII109I", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, end, 0, end, 0, 0, *[free] * 108))
    directory = entry("Root Entry", 5, end, 0, 1) + entry("Workbook", 2, 2, 4096) + entry("", 0, 0, 0) * 2
    return header + struct.pack("<128I", *chain, *[free] * (128 - len(chain))) + directory + stream


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()


def csv_bytes(**options):
    return FRAME.to_csv(index=False, **options).encode(options.pop("encoding", "utf-8"))


FORMATS = {
    "t.csv": csv_bytes, "t.tsv": lambda: csv_bytes(sep="\t"), "t.txt": lambda: csv_bytes(sep=";"),
    "t.csv.gz": lambda: gzip.compress(csv_bytes()), "t.xlsx": lambda: workbook({"S": rows_of(FRAME)}),
    "t.xls": lambda: xls(rows_of(FRAME)), "t.ods": lambda: ods(rows_of(FRAME)), "t.parquet": lambda: parquet(FRAME),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_table(name, tmp_path):
    data = FORMATS[name]()
    (tmp_path / name).write_bytes(data)
    file = io.BytesIO(data)
    file.name = name
    path = tmp_path / name
    for found in (read_table(data, name), read_table(path), read_table(str(path)), read_table(file)):
        pd.testing.assert_frame_equal(found.frame.reset_index(drop=True), FRAME.astype({"sex": "str"}))
        assert any("empty cell" in note for note in found.notes)


def test_lines_are_those_of_an_editor():
    frame = read_table(b"a,b\n1,2\n\n3,4\n,\n5,6\n", "t.csv").frame
    assert frame.index.name == "line" and list(frame.index) == [2, 4, 6]
    assert list(read_table(b'a,b\n1,"two\nlines"\n3,x\n', "t.csv").frame.index) == [2, 4]


def test_workbook_lines_sheets_and_error_cells():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(io.BytesIO(workbook({"empty": [], "labs": [[None], ["a", "b"], [1, "x"], [2, 3]],
                                                       "codes": [["z"]]})))
    book["labs"]["B4"] = "#DIV/0!"
    file = io.BytesIO()
    book.save(file)
    found = read_table(file.getvalue(), "t.xlsx")
    assert list(found.frame.index) == [3, 4] and list(found.frame["a"]) == [1, 2]
    assert "Only the sheet 'labs' was read" in found.notes[0] and "'codes'" in found.notes[0]
    assert found.notes[1] == "Read as missing: 1 cell with an error such as #N/A or #DIV/0!."


def test_without_a_header():
    frame = read_table(b"1,x\n2,y\n", "t.csv", header=False).frame
    assert list(frame.columns) == ["column 1", "column 2"] and list(frame.index) == [1, 2]
    assert "line 1 is a number" in read_table(b"1,2\n3,4\n", "t.csv").notes[0]


def test_long_whole_numbers_stay_apart():
    frame = pd.DataFrame({"id": [2 ** 60, 2 ** 60 + 1], "n": [1, 2]})
    for name, data in (("t.csv", frame.to_csv(index=False).encode()), ("t.parquet", parquet(frame))):
        assert read_table(data, name).frame["id"].nunique() == 2


def test_columns_without_a_name():
    found = read_table(b",a,b\nr1,1,2\nr2,3,4\n", "t.csv")
    assert list(found.frame.columns) == ["row name", "a", "b"] and "'row name'" in found.notes[0]
    found = read_table(b"a,b\nr1,1,2\nr2,3,4\n", "t.csv")       # as R writes it
    assert list(found.frame.columns) == ["row name", "a", "b"]
    found = read_table(b"a,b\n1,2,\n3,4,\n", "t.csv")           # every line ends with a separator
    assert list(found.frame.columns) == ["a", "b"] and found.notes == (
        "Skipped: 1 column with neither a name nor a filled cell.",)


@pytest.mark.parametrize("encoding, note", [("utf-8", None), ("utf-8-sig", None), ("utf-16", "UTF-16"),
                                            ("cp1252", "Windows-1252")])
def test_encodings(encoding, note):
    found = read_table("größe,µ\n1,ä\n2,ö\n".encode(encoding), "t.csv")
    assert list(found.frame.columns) == ["größe", "µ"] and list(found.frame["µ"]) == ["ä", "ö"]
    assert len(found.notes) == (note is not None) and all(note in text for text in found.notes)


@pytest.mark.parametrize("text, separator", [("a\tb\n1\t2", "tabs"), ("a,b\n1,2", "commas"), ("a;b\n1;2", "semicolons"),
                                             ("a   b\n1 2", "spaces"), ("a|b\n1|2", "vertical bars"),
                                             ("sep=;\na;b\n1;2", "semicolons")])
def test_pasted_text(text, separator):
    found = read_text(text)
    assert found.notes[0] == f"The cells are separated by {separator}."
    assert found.frame.to_dict("list") == {"a": [1], "b": [2]}


def test_european_csv():
    found = read_table(b"name;CRP;n\nA;1,5;1.234,5\nB;0,25;2.000\nC;1,125;3", "t.csv")
    assert list(found.frame["CRP"]) == [1.5, 0.25, 1.125] and list(found.frame["n"]) == [1234.5, 2000, 3]
    assert found.notes == ("The cells are separated by semicolons.",
                           "Commas were read as decimal points (1,5 is 1.5) in 'CRP', 'n'.")


def test_text_among_decimal_commas_stays():
    found = read_table(b"a;CRP\n1;1,5\n2;<0,5\n3;2,5\n", "t.csv")
    assert list(found.frame["CRP"]) == ["1.5", "<0,5", "2.5"]


@pytest.mark.parametrize("data, values, word", [
    (b'a,b\n1,"1,234"\n2,"5,678"\n', ["1,234", "5,678"], "two ways"),               # nothing tells which
    (b'a,b\n1,"1,234"\n2,"5,678.5"\n', [1234, 5678.5], "thousands"),
    (b'a,b\n1,"1,234"\n2,"0,5"\n', [1.234, 0.5], "decimal points"),
    (b'a,b\n"0,5","1,234"\n"1,5","5,678"\n', [1.234, 5.678], "decimal points"),     # another column tells
    (b'a,b\n"1,234,567","1,234"\n"1","5,678"\n', [1234, 5678], "thousands"),
    (b"a;b\n1;1,234\n2;5,678\n", [1.234, 5.678], "decimal points"),                 # the semicolons tell
    (b"a;b\n1.5;1,234\n2;5,678\n", ["1,234", "5,678"], "two ways"),
    (b"a;b\n1,5;1.234\n2;5.678\n", ["1.234", "5.678"], "two ways"),
])
def test_doubtful_commas_are_never_decided_in_silence(data, values, word):
    found = read_table(data, "t.csv")
    assert list(found.frame["b"]) == values
    assert any(word in note and "'b'" in note for note in found.notes)


@pytest.mark.parametrize("mark", ["", "NA", "N/A", "nan", "NaN", "null", ".", "?", "-", "#N/A"])
def test_marks_for_missing(mark):
    found = read_table(f"a,b\n1.5,x\n{mark},y\n2.5,x\n".encode(), "t.csv")
    assert np.isnan(found.frame["a"].iloc[1]) and found.frame["a"].dtype == float
    assert found.notes == (f"Read as missing: 1 cell holding {mark!r}." if mark else "Read as missing: 1 empty cell.",)


def test_cells_keep_what_they_are():
    frame = read_text("a,b,c,d,e,f\n+,007,TRUE,1e-3,<0.5,12345678901234567\n-,008,false,\u22125,1,12345678901234568\n"
                      "++,010,true,.5,2,12345678901234569").frame
    assert list(frame["a"]) == ["+", "-", "++"]         # a minus beside a plus is a finding
    assert list(frame["b"]) == ["007", "008", "010"]    # codes, not amounts
    assert list(frame["c"]) == [True, False, True] and frame["c"].dtype == bool
    assert list(frame["d"]) == [0.001, -5, 0.5]
    assert list(frame["e"]) == ["<0.5", "1", "2"]       # never a silent NaN
    assert frame["f"].nunique() == 3                    # too long for a float


WRONG = [
    (b"", "t.csv", ["'t.csv' is empty"]),
    (b"\n\n  \n", "t.csv", ["nothing but blank lines", "column names"]),
    (b"a,b\n", "t.csv", ["Line 1", "no rows follow"]),
    (b"a,b,a\n1,2,3\n", "t.csv", ["more than once in line 1", "'a'", "Rename"]),
    (b"a,,c\n1,2,3\n", "t.csv", ["Column 2 has no name in line 1"]),
    (b",a\nx,1\nx,2\n", "t.csv", ["Column 1 has no name"]),
    (b"a,b\n1,2\n3\n", "t.csv", ["Line 3 has 1 cell,", "line 1 has 2 columns", "missing commas"]),
    (b"a,b\n1,2\n3,4,5\n", "t.csv", ["Line 3 has 3 cells", "line 1 has 2 columns", "extra commas", "quotation marks"]),
    (b"My trial\n\na,b\n1,2\n", "t.csv", ["Line 3 has 2 cells", "line 1 has 1 column", "delete titles"]),
    (b'a,b\n1,"2\n3,4\n', "t.csv", ["Line 2", "quotation mark"]),
    (b"a,b\n1,\x002\n", "t.csv", ["Line 2", "NUL"]),
    (b"a,b\n1,2\n3,\x01\n", "t.csv", ["Line 3", "control character 1"]),
    (b"a,b\n1,\x81\n", "t.csv", ["not text in UTF-8", "CSV UTF-8"]),
    (b"PK\x03\x04...", "t.csv", ["zip archive", "not a text table"]),
    (b"%PDF-1.7", "t.csv", ["a PDF"]),
    (b"<html><table>", "t.xls", ["a web page", ".xls"]),
    (b"a,b\n1,2\n", "t.xlsx", ["not a workbook", ".xlsx"]),
    (b"a,b\n1,2\n", "t.parquet", ["Parquet"]),
    (b"PAR1....PAR1", "t.parquet", ["cannot be opened as Parquet"]),
    (b"PK\x03\x04rubbish", "t.xlsx", ["damaged"]),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "t.xlsx", ["password"]),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "t.xls", ["damaged"]),
    (gzip.compress(b"a,b\n1,2\n")[:-6], "t.csv.gz", ["not a complete gzip"]),
    (gzip.compress(b""), "t.csv.gz", ["is empty"]),
    (b"a,b\n1,2\n", "t.docx", ["ending", ".csv", ".parquet"]),
]


@pytest.mark.parametrize("data, name, words", WRONG, ids=range(len(WRONG)))
def test_wrong_files_are_named_with_their_place(data, name, words):
    with pytest.raises(InputError) as error:
        read_table(data, name)
    for word in words:
        assert word in str(error.value)


def test_wrong_workbooks(monkeypatch):
    with pytest.raises(InputError, match="no sheet with anything"):
        read_table(workbook({"S": []}), "t.xlsx")
    with pytest.raises(InputError, match=r"Column 2 has no name in line 1"):
        read_table(workbook({"S": [["a", None, "c"], [1, 2, 3]]}), "t.xlsx")
    with pytest.raises(InputError, match="more than once"):
        read_table(workbook({"S": [["a", "a"], [1, 2]]}), "t.xlsx")
    monkeypatch.setattr(reading_files, "MAX_UNPACKED", 1000)
    with pytest.raises(InputError, match="unpacks to far more"):
        read_table(workbook({"S": [["a"], [1]]}), "t.xlsx")


def test_stray_cell_at_the_end_of_a_sheet_does_not_end_the_program():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"], book.active["XFD1048576"] = "a", 1, " "
    file = io.BytesIO()
    book.save(file)
    with pytest.raises(InputError, match="reaches too far; delete the rows and columns"):
        read_table(file.getvalue(), "t.xlsx")


def test_zip_bomb_and_forged_size_are_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(60 * 2 ** 20))
    with pytest.raises(InputError, match="unpacks to far more"):
        read_table(file.getvalue(), "t.xlsx")
    small = io.BytesIO()
    with zipfile.ZipFile(small, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(5000))
    forged = small.getvalue().replace(struct.pack("<I", 5000), struct.pack("<I", 10))
    with pytest.raises(InputError, match="damaged"):
        read_table(forged, "t.xlsx")


def test_nested_parquet_is_refused():
    with pytest.raises(InputError, match=r"hold lists: 'b'"):
        read_table(parquet(pd.DataFrame({"a": [1], "b": [[1, 2]]})), "t.parquet")


class Unread(io.BytesIO):
    """A file that says it is large and must not be read."""

    name = "big.csv"

    def seekable(self):
        return True

    def seek(self, offset, whence=0):
        return 300 * 2 ** 20 if whence else 0

    def read(self, *_):
        raise AssertionError("a file over the limit was read")


def test_size_limits(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="'big.csv' has 300 MB; at most 200 MB"):
        read_table(Unread())
    big = tmp_path / "big.csv"
    with big.open("wb") as file:
        file.truncate(300 * 2 ** 20)
    with pytest.raises(InputError, match="300 MB"):
        read_table(big)
    monkeypatch.setattr(reading_files, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match="unpacks to more than"):
        read_table(gzip.compress(b"a,b\n" * 1000), "t.csv.gz")
    monkeypatch.setattr(reading_files, "MAX_BYTES", 10 ** 6)
    monkeypatch.setattr(reading_files, "MAX_CELLS", 50)
    with pytest.raises(InputError, match=r"100 rows × 2 columns"):
        read_table(b"a,b\n" + b"1,2\n" * 100, "t.csv")
    with pytest.raises(InputError, match=r"100 rows × 2 columns"):
        read_table(parquet(pd.DataFrame({"a": range(100), "b": range(100)})), "t.parquet")
    monkeypatch.setattr(reading_files, "MAX_COLUMNS", 3)
    with pytest.raises(InputError, match="4 columns; at most 3"):
        read_table(b"a,b,c,d\n1,2,3,4\n", "t.csv")
    with pytest.raises(InputError, match="no file"):
        read_table(tmp_path / "none.csv")


def test_pastes_that_are_nothing():
    for text, word in (("  \n", "Nothing was pasted"), ("a,b\x00", "NUL"), ("a", "no rows follow")):
        with pytest.raises(InputError, match=word):
            read_text(text)


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx", "t.parquet"])
def test_hostile_names_and_cells_come_through_unchanged(name):
    clean = [text.replace("\n", " ") for text in HOSTILE] if name == "t.xlsx" else HOSTILE
    frame = pd.DataFrame([["'" + text for text in clean], clean[::-1]], columns=clean)
    if name == "t.xlsx":
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for i, row in enumerate([clean, *frame.to_numpy().tolist()], 1):
            for j, text in enumerate(row, 1):
                book.active.cell(i, j, text).data_type = "s"       # text, also where it looks like a formula
        file = io.BytesIO()
        book.save(file)
        data = file.getvalue()
    else:
        data = frame.to_csv(index=False).encode() if name == "t.csv" else parquet(frame)
    found = read_table(data, name)
    assert list(found.frame.columns) == clean
    assert found.frame.to_numpy().tolist() == frame.to_numpy().tolist()
    assert all(len(note) < 1000 for note in found.notes)


def test_long_names_are_cut_in_sentences():
    with pytest.raises(InputError) as error:
        read_table(("x" * 10_000 + "," + "x" * 10_000 + "\n1,2\n").encode(), "t.csv")
    assert len(str(error.value)) < 300


finite = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(finite, st.one_of(finite, st.none())), min_size=1, max_size=20),
       st.sampled_from([(",", "."), ("\t", "."), (";", ".")]))
def test_numbers_survive_exactly(rows, style):
    frame = pd.DataFrame(rows, columns=["a", "b"], dtype=float)
    found = read_text(frame.to_csv(index=False, sep=style[0], decimal=style[1], na_rep="NA")).frame
    np.testing.assert_array_equal(found.to_numpy(dtype=float), frame.to_numpy())


@settings(max_examples=50, deadline=None)
@given(st.lists(st.decimals(min_value=-99999, max_value=99999, places=2), min_size=2, max_size=20))
def test_decimal_commas_survive(values):
    text = "n;x\n" + "\n".join(f"{i};{str(value).replace('.', ',')}" for i, value in enumerate(values))
    assert list(read_text(text).frame["x"]) == [float(value) for value in values]


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))),
       st.sampled_from(["t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", ""]))
def test_rubbish_gives_a_table_or_a_sentence(data, name):
    try:
        read_table(data, name)
    except InputError as error:
        assert str(error).endswith(".") and len(str(error)) < 1000


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["1", "1,5", "1.5", "1,234", "-", "+", "NA", "x", "07", "", "inf", " 2 "]), max_size=8))
def test_no_cell_is_lost(cells):
    found = read_cells(cells)
    missing = np.isnan(found.numbers) if found.numbers is not None else np.array([text is None for text in found.texts])
    assert missing.sum() == sum(found.marks.values())
    assert len(missing) == len(cells)


def test_fast_enough():
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(333, 131))).add_prefix("v").to_csv(index=False).encode()
    read_table(data, "t.csv")
    start = time.perf_counter()
    read_table(data, "t.csv")
    assert time.perf_counter() - start < 1     # 0.05 s on an idle machine


# ---- groups ----

def test_groups(tmp_path):
    text = "feature,group\nALT,liver\nAST,liver\nNa,salts\n007,salts\nalone,\nALT,liver\n"
    expected = {"liver": ["ALT", "AST"], "salts": ["Na", "007"]}
    features = ["ALT", "AST", "Na", "007", "alone"]
    (tmp_path / "g.csv").write_text(text, encoding="utf-8")
    assert read_groups(text, features) == expected
    assert read_groups(tmp_path / "g.csv", features) == expected
    assert read_groups(text.replace(",", ";").replace("feature", " Feature ").encode(), features) == expected
    frame = pd.DataFrame({"group": ["g", "g"], "feature": ["a", "b"], "comment": ["", "x"]})
    assert read_groups(io.BytesIO(parquet(frame)), ["a", "b"]) == {"g": ["a", "b"]}


@pytest.mark.parametrize("text, words", [
    ("feature,cluster\nALT,liver", ["'feature' and 'group'", "'cluster'", "no 'group'"]),
    ("feature,group\nALTT,liver\nzzz,liver", ["not features of this table", "'ALTT' (did you mean 'ALT'?)", "'zzz'"]),
    ("feature,group\nALT,liver\nALT,blood", ["'ALT' is in two groups, 'liver' and (line 3) 'blood'"]),
    ("feature,group\nALT,\n,liver", ["nothing to group"]),
])
def test_wrong_groups(text, words):
    with pytest.raises(InputError) as error:
        read_groups(text, ["ALT", "AST"])
    for word in words:
        assert word in str(error.value)
