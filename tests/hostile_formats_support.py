"""Parquet, the files of SPSS, Stata, SAS and R, GEO and GCT as nobody should send them, and formats that no door reads."""

import datetime
import decimal
import io
import zipfile
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hostile_cells_support import HOSTILE
from hostile_support import Case, damaged
from shape_support import CLASSES, gct, gct_1_3, labelled, measured, on_its_side, series_matrix, write_csv, zipped
from table_shapes_support import AGE, CRP, IL6, OUTCOME, SMOKER

FRAME = pd.DataFrame({"Age": AGE, "CRP": CRP, "IL6": IL6, "Smoker": SMOKER, "Outcome": OUTCOME})
NUMBERS = {"CRP": CRP, "IL6": IL6}


def parquet_of(table, **options):
    """Bytes of an arrow table."""
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


def columns():
    """{kind: an arrow array of 24 cells}."""
    n, day = 24, datetime.datetime(2024, 1, 1)
    whole = np.arange(n)
    kinds = {
        f"{kind}": pa.array(whole % 100, kind)
        for kind in (pa.int8(), pa.uint8(), pa.int16(), pa.int64(), pa.uint64(), pa.float16(), pa.float32())
    }
    return kinds | {
        "decimal": pa.array([decimal.Decimal(i) / 4 for i in range(n)], pa.decimal128(9, 2)),
        "large decimal": pa.array([decimal.Decimal(10) ** 60] * n, pa.decimal256(70, 0)),
        "largest": pa.array([2**64 - 1] * n, pa.uint64()),
        "not exact": pa.array([2**53 + 1] * n),
        "nan": pa.array([np.nan] * n),
        "inf": pa.array([np.inf] * n),
        "nulls": pa.nulls(n),
        "null texts": pa.array([None] * n, pa.string()),
        "bytes": pa.array([b"\xff\0"] * n),
        "fixed bytes": pa.array([b"ab"] * n, pa.binary(2)),
        "text": pa.array([f"t{i % 3}" for i in range(n)]),
        "large text": pa.array(["a"] * n, pa.large_string()),
        "dictionary": pa.array(["a", "b"] * 12).dictionary_encode(),
        "numbers by dictionary": pa.array([1.5, 2.5] * 12).dictionary_encode(),
        "truth": pa.array([True, None] * 12),
        "day": pa.array([day.date()] * n),
        "day of 64": pa.array([day.date()] * n, pa.date64()),
        "moment": pa.array([day] * n, pa.timestamp("ns")),
        "moment with a zone": pa.array([day] * n, pa.timestamp("us", "Europe/Berlin")),
        "unknown zone": pa.array([0] * n, pa.timestamp("s", "Mars/X")),
        "far moment": pa.array([2**52] * n, pa.timestamp("s")),
        "time": pa.array([day.time()] * n),
        "duration": pa.array([datetime.timedelta(1)] * n),
        "list": pa.array([[1, 2]] * n),
        "struct": pa.array([{"a": 1}] * n),
        "map": pa.array([[("a", 1)]] * n, pa.map_(pa.string(), pa.int64())),
        "deep": pa.array([[[[1]]]] * n),
        "empty list": pa.array([[]] * n, pa.list_(pa.int64())),
        "not UTF-8": pa.Array.from_buffers(
            pa.string(), n, [None, pa.array(np.arange(n + 1, dtype="i4")).buffers()[1], pa.py_buffer(b"\xff" * n)]
        ),
    }


LARGE = (
    ("one text in many cells", lambda: ["x" * 5000] * 60_000),
    ("zeros", lambda: np.zeros(60_000_000)),
    ("nulls", lambda: pa.nulls(49_000_000)),
)


def parquets(family, rng):
    """Columns of every kind, names of every kind, ways of packing, row groups, and damage."""
    base = pa.Table.from_pandas(FRAME, preserve_index=False)
    for kind, column in columns().items():
        for name in ("x", "Outcome2"):
            yield Case(family, f"{kind} as {name}", "table", "t.parquet", parquet_of(base.append_column(name, column)), NUMBERS)
        yield Case(family, f"{kind} alone", "table", "t.parquet", parquet_of(pa.table({"x": column})))
        yield Case(family, f"{kind} as selections", "selections", "t.parquet", parquet_of(pa.table({"x": column, "y": column})))
    for kind, name in HOSTILE.items():
        yield Case(
            family, f"a name: {kind}", "table", "t.parquet", parquet_of(base.append_column(name, pa.array(range(24)))), NUMBERS
        )
    for compression in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        for version in ("1.0", "2.4", "2.6"):
            yield Case(
                family,
                f"{compression} {version}",
                "table",
                "t.parquet",
                parquet_of(base, compression=compression, version=version, row_group_size=rng.choice((1, 5, 24))),
                NUMBERS,
            )
    for name, data in odd_parquets(base).items():
        for ending in ("t.parquet", "t.csv"):
            yield Case(family, name, "table", ending, data)
    for write_page_checksum in (True, False):
        good = parquet_of(base, write_page_checksum=write_page_checksum, compression="none", use_dictionary=False)
        for number in range(90):
            what, data = damaged(rng, good)
            yield Case(
                family,
                f"{number}: {what}, {'with' if write_page_checksum else 'no'} sums",
                "table",
                "t.parquet",
                data,
                NUMBERS if write_page_checksum else None,
            )
    for name, column in LARGE:

        def make(column=column):
            return parquet_of(pa.table({"a": column()}), compression="zstd")

        yield Case(family, name, "table", "t.parquet", make, dangerous=True)


def odd_parquets(base):
    """{name: a file of Parquet that holds little, or nothing, or what it does not say}."""
    twice = pa.Table.from_arrays([base.column(1)] * 2, names=["CRP", "CRP"])
    indexed = FRAME.set_index("Age")
    file = io.BytesIO()
    indexed.to_parquet(file)
    return {
        "names twice": parquet_of(twice),
        "no name": parquet_of(pa.table({"": [1, 2]})),
        "no columns": parquet_of(pa.table({})),
        "no rows": parquet_of(base.slice(0, 0)),
        "an index": file.getvalue(),
        "false metadata": parquet_of(base.replace_schema_metadata({"pandas": "{", "ARROW:schema": "x"})),
        "wide": parquet_of(pa.table({f"c{i}": [1.0, 2.0] for i in range(3000)})),
        "signs alone": b"PAR1PAR1",
        "signs and nothing": b"PAR1" + bytes(99) + b"PAR1",
        "encrypted": b"PARE" + bytes(99),
    }


def labelled_files(family, rng):
    """SPSS, Stata, SAS and R: damaged, of another kind, cut, with names and labels that are hostile."""
    if None in map(find_spec, ("pyreadstat", "pyreadr")):  # pip install '.[formats]'
        return
    for ending in (".sav", ".dta", ".xpt", ".rds"):
        frame = FRAME if ending != ".xpt" else FRAME.rename(columns=str.upper)
        good, known = labelled(ending, frame), NUMBERS
        yield Case(family, f"good {ending}", "table", f"t{ending}", good, known)
        for number in range(22):
            what, data = damaged(rng, good)
            yield Case(family, f"{ending} {number}: {what}", "table", f"t{ending}", data)
        yield Case(family, f"{ending} called another", "table", "t.sav" if ending != ".sav" else "t.dta", good)
        yield Case(family, f"{ending} as text", "table", "t.csv", good)
    for kind, name in list(HOSTILE.items())[:24]:
        yield Case(
            family, f"a label: {kind}", "table", "t.sav", labelled(".sav", FRAME, column_labels={"CRP": name[:200]}), {"IL6": IL6}
        )
    for ending, start in (
        (".sav", b"$FL2@(#)"),
        (".zsav", b"$FL3"),
        (".dta", b"<stata_dta>"),
        (".dta", b"\x72"),
        (".xpt", b"HEADER RECORD*******"),
        (".rds", b"\x1f\x8b"),
        (".rds", b"X\n"),
        (".rds", b"BZh"),
        (".rds", b"\xfd7zXZ"),
        (".rds", b"A\n"),
    ):
        for number, rest in enumerate((b"", b"\0" * 500, rng.randbytes(2000), b"\xff" * 300)):
            yield Case(family, f"{ending} begun by {start[:5]!r}, {number}", "table", f"t{ending}", start + rest)
    yield Case(family, "R of nothing", "table", "t.rds", zipped(b"X\n\0\0\0\3"))
    yield Case(family, "R of zeros", "table", "t.rds", lambda: zipped(b"X\n" + bytes(900 * 2**20)), dangerous=True)


def platforms(family, rng):
    """GEO series matrices, GCT and CEL-like exports: cut, with other samples, lines that do not fit, and damaged."""
    frame = measured()
    known = {name: frame[name].tolist() for name in list(frame.columns)[:3]}
    lines = [[f"state: {one}" for one in CLASSES], [f"age: {i}" for i in range(12)]]
    good = {
        "t_series_matrix.txt": series_matrix(frame, lines),
        "t.gct": gct(frame),
        "u.gct": gct_1_3(frame, CLASSES),
        "s.csv": write_csv(on_its_side(frame)),
    }
    for file, data in good.items():
        yield Case(family, f"good {file}", "table", file, data, known if file != "s.csv" else None)
        rows = data.split(b"\n")
        for number in range(min(len(rows), 26)):
            for what, changed in (
                ("gone", rows[:number] + rows[number + 1 :]),
                ("twice", rows[: number + 1] + rows[number:]),
                ("cut", [*rows[:number], rows[number][:9]]),
                ("a cell more", [*rows[:number], rows[number] + b"\t1", *rows[number + 1 :]]),
                ("a cell less", [*rows[:number], rows[number].rpartition(b"\t")[0], *rows[number + 1 :]]),
            ):
                if rng.random() < 0.75:
                    yield Case(family, f"{file}: line {number + 1} {what}", "table", file, b"\n".join(changed))
        for number in range(30):
            what, other = damaged(rng, data)
            yield Case(family, f"{file} {number}: {what}", "table", file, other)
    for counts in ("-1\t-1", "0\t0", "99999999\t99999999", "1e9\t2", "", "x\ty", "٣\t٣", "8\t12\t9\t9", "8.0\t12.0"):
        yield Case(family, f"GCT of {counts!r}", "table", "t.gct", gct(frame).replace(b"8\t12", counts.encode(), 1))
    for begin in (b"#1.4", b"#1.2\r", b"#1.2 ", b"\xef\xbb\xbf#1.2", b"#1.2\x00", b"#9"):
        yield Case(family, f"GCT begun by {begin!r}", "table", "t.gct", gct(frame).replace(b"#1.2", begin, 1))


def unread(family, rng):
    """What no door reads, under its own name and under others: a sentence each."""
    feather = io.BytesIO()
    FRAME.to_feather(feather)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(zipfile.ZipInfo("t.csv"), FRAME.to_csv(index=False))
    contents = {
        "t.feather": feather.getvalue(),
        "t.arrow": feather.getvalue(),
        "t.zip": archive.getvalue(),
        "t.RData": zipped(b"RDX3\nX\n"),
        "t.rda": b"RDX2\nX\n",
        "t.sas7bdat": bytes(12) + b"\xc2\xea\x81\x60" + bytes(500),
        "t.sas7bcat": bytes(600),
        "t.por": b"ASCII SPSS PORT FILE" * 20,
        "t.npy": b"\x93NUMPY\1\0" + bytes(90),
        "t.pkl": b"\x80\x04N.",
        "t.joblib": b"\x80\x04N.",
        "t.h5": b"\x89HDF\r\n\x1a\n" + bytes(90),
        "t.mat": b"MATLAB 5.0 MAT-file" + bytes(200),
        "t.json": b"[1, 2]",
        "t.db": b"SQLite format 3\0" + bytes(90),
        "t.accdb": b"\0\1\0\0Standard ACE DB" + bytes(90),
        "t.docx": archive.getvalue(),
        "t.pdf": b"%PDF-1.4",
        "t.numbers": archive.getvalue(),
        "t.csv.zip": archive.getvalue(),
        "t.csv.bz2": b"BZh91AY&SY" + bytes(50),
        "t.csv.xz": b"\xfd7zXZ\0" + bytes(50),
        "t.7z": b"7z\xbc\xaf\x27\x1c" + bytes(50),
        "t.tar": bytes(512),
        "t.exe": b"MZ" + bytes(99),
        "t.py": b"import os",
        "t.html": b"<html></html>",
        "t.orc": b"ORC" + bytes(90),
        "t.avro": b"Obj\1" + bytes(90),
    }
    endings = (".csv", ".tsv", ".txt", ".xlsx", ".xls", ".ods", ".parquet", ".sav", ".rds", ".gct")
    for name, data in contents.items():
        for file in (name, *(f"u{ending}" for ending in endings)):
            yield Case(family, f"{name} called {file}", "table", file, data)
    for kind, name in HOSTILE.items():
        for ending in ("", ".csv", ".xlsx", ".zip"):
            yield Case(family, f"a file named {kind}{ending}", "table", name + ending, b"\0" if ending != ".zip" else b"PK")


FAMILIES = {"parquet": parquets, "other programs": labelled_files, "platforms": platforms, "unread formats": unread}
