"""Reading files: every format gives the same table; damaged, forged, wrong and too large ones are refused."""

import gzip
import io
import struct
import zipfile

import numpy as np
import pandas as pd
import pytest
from file_support import ods, parquet, rows_of, workbook, xls
from hypothesis import given, settings
from hypothesis import strategies as st

from stabcore.base.errors import InputError
from stabcore.io import contents, decode
from stabcore.io import workbook as workbook_format
from stabcore.io.table import read_table

FRAME = pd.DataFrame({"age": [61, 45, 72], "CRP": [0.1, 2.5, np.nan], "sex": ["f", "m", None], "smoker": [True, False, True]})


def csv_bytes(**options):
    return FRAME.to_csv(index=False, **options).encode(options.pop("encoding", "utf-8"))


FORMATS = {
    "t.csv": csv_bytes,
    "t.tsv": lambda: csv_bytes(sep="\t"),
    "t.txt": lambda: csv_bytes(sep=";"),
    "t.csv.gz": lambda: gzip.compress(csv_bytes()),
    "t.xlsx": lambda: workbook({"S": rows_of(FRAME)}),
    "t.xls": lambda: xls(rows_of(FRAME)),
    "t.ods": lambda: ods(rows_of(FRAME)),
    "t.parquet": lambda: parquet(FRAME),
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


def test_workbook_lines_sheets_and_error_cells():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(
        io.BytesIO(workbook({"empty": [], "labs": [[None], ["a", "b"], [1, "x"], [2, 3]], "codes": [["z"]]}))
    )
    book["labs"]["B4"] = "#DIV/0!"
    file = io.BytesIO()
    book.save(file)
    found = read_table(file.getvalue(), "t.xlsx")
    assert list(found.frame.index) == [3, 4] and list(found.frame["a"]) == [1, 2]
    assert "Only the sheet 'labs' was read" in found.notes[0] and "'codes'" in found.notes[0]
    assert found.notes[1] == "Read as missing: 1 cell with an error such as #N/A or #DIV/0!."


# ---- what is refused ----

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
    (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-6], "t.csv.gz", ["not a complete gzip"]),
    (gzip.compress(b"", mtime=0), "t.csv.gz", ["is empty"]),
    (b"a,b\n1,2\n", "t.docx", ["ending", ".csv", ".parquet"]),
]


@pytest.mark.parametrize(("data", "name", "words"), WRONG, ids=range(len(WRONG)))
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
    monkeypatch.setattr(workbook_format, "MAX_UNPACKED", 1000)
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
        archive.writestr("xl/worksheets/sheet1.xml", bytes(60 * 2**20))
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
        return 300 * 2**20 if whence else 0

    def read(self, *_):
        raise AssertionError("a file over the limit was read")


def test_size_limits(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="'big.csv' has 300 MB; at most 200 MB"):
        read_table(Unread())
    big = tmp_path / "big.csv"
    with big.open("wb") as file:
        file.truncate(300 * 2**20)
    with pytest.raises(InputError, match="300 MB"):
        read_table(big)
    monkeypatch.setattr(decode, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match="unpacks to more than"):
        read_table(gzip.compress(b"a,b\n" * 1000), "t.csv.gz")
    monkeypatch.setattr(decode, "MAX_BYTES", 10**6)
    monkeypatch.setattr(contents, "MAX_CELLS", 50)
    with pytest.raises(InputError, match=r"100 rows × 2 columns"):
        read_table(b"a,b\n" + b"1,2\n" * 100, "t.csv")
    with pytest.raises(InputError, match=r"100 rows × 2 columns"):
        read_table(parquet(pd.DataFrame({"a": range(100), "b": range(100)})), "t.parquet")
    monkeypatch.setattr(contents, "MAX_COLUMNS", 3)
    with pytest.raises(InputError, match="4 columns; at most 3"):
        read_table(b"a,b,c,d\n1,2,3,4\n", "t.csv")
    with pytest.raises(InputError, match="no file"):
        read_table(tmp_path / "none.csv")


# ---- names and cells that are hostile, and rubbish ----

HOSTILE = [
    "![x](http://evil.example/a.png)",
    "<img src=x onerror=alert(1)>",
    '=HYPERLINK("http://evil")',
    "@SUM(A1)",
    "a,b;c\td|e",
    "line\nbreak",
    "ümläut-µ-漢字-😀",
    "x" * 5000,
    "{name}",
    "%s",
    "'quoted'",
    "target' OR 1=1",
]


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx", "t.parquet"])
def test_hostile_names_and_cells_come_through_unchanged(name):
    clean = [text.replace("\n", " ") for text in HOSTILE] if name == "t.xlsx" else HOSTILE
    frame = pd.DataFrame([["'" + text for text in clean], clean[::-1]], columns=clean)
    if name == "t.xlsx":
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for i, row in enumerate([clean, *frame.to_numpy().tolist()], 1):
            for j, text in enumerate(row, 1):
                book.active.cell(i, j, text).data_type = "s"  # text, also where it looks like a formula
        file = io.BytesIO()
        book.save(file)
        data = file.getvalue()
    else:
        data = frame.to_csv(index=False).encode() if name == "t.csv" else parquet(frame)
    found = read_table(data, name)
    assert list(found.frame.columns) == clean
    assert found.frame.to_numpy().tolist() == frame.to_numpy().tolist()
    assert all(len(note) < 1000 for note in found.notes)


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))),
    st.sampled_from(["t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", ""]),
)
def test_rubbish_gives_a_table_or_a_sentence(data, name):
    try:
        read_table(data, name)
    except InputError as error:
        assert str(error).endswith(".") and len(str(error)) < 1000
