"""Reading files: every format gives the same table. Damaged, forged, wrong and too large files are refused."""

import gzip
import io
import struct
import zipfile
from functools import partial

import numpy as np
import pandas as pd
import pytest
from file_support import ods, parquet, rows_of, workbook, xls
from snapshot_support import check_snapshot, refusals

from stabcore.base.errors import InputError
from stabcore.io import contents, decode
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
    data, path = FORMATS[name](), tmp_path / name
    path.write_bytes(data)
    file = io.BytesIO(data)
    file.name = name
    for found in (read_table(data, name), read_table(path), read_table(str(path)), read_table(file)):
        pd.testing.assert_frame_equal(found.frame.reset_index(drop=True), FRAME.astype({"sex": "str"}))


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
TEXTS = (
    *(b"", b"\n\n  \n", b"a,b\n", b"a,b,a\n1,2,3\n", b"a,,c\n1,2,3\n", b",a\nx,1\nx,2\n", b"a,b\n1,2\n3\n", b"a,b\n1,2\n3,4,5\n"),
    *(b"My trial\n\na,b\n1,2\n", b'a,b\n1,"2\n3,4\n', b"a,b\n1,\x002\n", b"a,b\n1,2\n3,\x01\n", b"a,b\n1,\x81\n"),
    *(b"PK\x03\x04...", b"%PDF-1.7"),
)
GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03"  # versions of Python name different systems in the last byte
WRONG = [
    *((data, "t.csv") for data in TEXTS),
    *((b"<html><table>", "t.xls"), (b"a,b\n1,2\n", "t.xlsx"), (b"a,b\n1,2\n", "t.parquet"), (b"PAR1....PAR1", "t.parquet")),
    *((b"PK\x03\x04rubbish", "t.xlsx"), (OLE, "t.xlsx"), (OLE, "t.xls")),
    *((GZIP + gzip.compress(data, mtime=0)[10:end], "t.csv.gz") for data, end in ((b"a,b\n1,2\n", -6), (b"", None))),
    (b"a,b\n1,2\n", "t.docx"),
    (b"a,b,c\n" + b"1,2,3\n" * 9 + b"x y\n" + b"1,2,3\n" * 20, "t.csv"),
    *((b"PK\x03\x04", "t.xlsm"), (b"PK\x03\x04", "t.csv.zip"), (b"RDX3\n", "t.RData"), (b"HEADER RECORD*******LIBV8   ", "t.xpt")),
]


def test_wrong_files_are_refused_with_their_place():
    calls = {f"{number}: {name} {data[:40]!r}": partial(read_table, data, name) for number, (data, name) in enumerate(WRONG)}
    check_snapshot("io/wrong_files", refusals(calls))


def test_a_stray_cell_at_the_end_of_a_sheet_is_harmless():
    book = pytest.importorskip("openpyxl").Workbook()
    book.active["A1"], book.active["A2"], book.active["XFD1048576"] = "a", 1, " "
    file = io.BytesIO()
    book.save(file)
    with pytest.raises(InputError):
        read_table(file.getvalue(), "t.xlsx")


def test_zip_bomb_and_forged_size_are_refused():
    def zeros(size):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/worksheets/sheet1.xml", bytes(size))
        return file.getvalue()

    for bomb in (zeros(60 * 2**20), zeros(5000).replace(struct.pack("<I", 5000), struct.pack("<I", 10))):
        with pytest.raises(InputError):
            read_table(bomb, "t.xlsx")


def test_size_limits(tmp_path, monkeypatch):
    big = tmp_path / "big.csv"
    with big.open("wb") as file:
        file.truncate(300 * 2**20)
    with pytest.raises(InputError):
        read_table(big)
    monkeypatch.setattr(decode, "MAX_BYTES", 1000)
    with pytest.raises(InputError):
        read_table(gzip.compress(b"a,b\n" * 1000), "t.csv.gz")
    monkeypatch.setattr(decode, "MAX_BYTES", 10**6)
    monkeypatch.setattr(contents, "MAX_CELLS", 50)
    for data, name in ((b"a,b\n" + b"1,2\n" * 100, "t.csv"), (parquet(pd.DataFrame({"a": range(100), "b": 1})), "t.parquet")):
        with pytest.raises(InputError):
            read_table(data, name)
    monkeypatch.setattr(contents, "MAX_COLUMNS", 3)
    with pytest.raises(InputError):
        read_table(b"a,b,c,d\n1,2,3,4\n", "t.csv")
    with pytest.raises(InputError):
        read_table(tmp_path / "none.csv")
