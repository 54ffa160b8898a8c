"""Hostile and damaged Parquet, SPSS, Stata, SAS, R, GEO and GCT files, and unsupported formats."""

import datetime
import io
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hostile_cells_support import HOSTILE
from hostile_support import Case, damaged
from shape_support import CLASSES, gct, labelled, measured, series_matrix, zipped
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
    kinds = {f"{kind}": pa.array(np.arange(n), kind) for kind in (pa.int8(), pa.uint64(), pa.float16(), pa.float32())}
    return kinds | {
        **{
            "largest": pa.array([2**64 - 1] * n, pa.uint64()),
            "not exact": pa.array([2**53 + 1] * n),
            "inf": pa.array([np.inf] * n),
        },
        **{"nulls": pa.nulls(n), "bytes": pa.array([b"\xff\0"] * n), "large text": pa.array(["a"] * n, pa.large_string())},
        "numbers by dictionary": pa.array([1.5, 2.5] * 12).dictionary_encode(),
        **{"truth": pa.array([True, None] * 12), "day": pa.array([day.date()] * n)},
        "moment with a zone": pa.array([day] * n, pa.timestamp("us", "Europe/Berlin")),
        "unknown zone": pa.array([0] * n, pa.timestamp("s", "Mars/X")),
        "far moment": pa.array([2**52] * n, pa.timestamp("s")),
        **{"duration": pa.array([datetime.timedelta(1)] * n), "list": pa.array([[1, 2]] * n), "struct": pa.array([{"a": 1}] * n)},
        "map": pa.array([[("a", 1)]] * n, pa.map_(pa.string(), pa.int64())),
    }


def parquets(rng):
    """Every type of column, names, compressions, and damage."""
    base = pa.Table.from_pandas(FRAME, preserve_index=False)
    for kind, column in columns().items():
        yield Case(kind, "table", "t.parquet", parquet_of(base.append_column("x", column)), NUMBERS)
        yield Case(f"{kind} as selections", "selections", "t.parquet", parquet_of(pa.table({"x": column, "y": column})))
    for kind, name in HOSTILE.items():
        data = parquet_of(base.append_column(name, pa.array(range(24))))
        yield Case(f"a name: {kind}", "table", "t.parquet", data, NUMBERS)
    for compression in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        yield Case(compression, "table", "t.parquet", parquet_of(base, compression=compression, row_group_size=5), NUMBERS)
    odd = {
        "names twice": parquet_of(pa.Table.from_arrays([base.column(1)] * 2, names=["CRP", "CRP"])),
        "no columns": parquet_of(pa.table({})),
        "no rows": parquet_of(base.slice(0, 0)),
        "false metadata": parquet_of(base.replace_schema_metadata({"pandas": "{", "ARROW:schema": "x"})),
        "signs and nothing": b"PAR1" + bytes(99) + b"PAR1",
        "encrypted": b"PARE" + bytes(99),
    }
    for name, data in odd.items():
        for ending in ("t.parquet", "t.csv"):
            yield Case(name, "table", ending, data)
    good = parquet_of(base, write_page_checksum=True, compression="none", use_dictionary=False)
    for number in range(120):
        what, data = damaged(rng, good)
        yield Case(f"{number}: {what}", "table", "t.parquet", data, NUMBERS)
    for name, column in (("one text in many cells", lambda: ["x" * 5000] * 60_000), ("zeros", lambda: np.zeros(60_000_000))):

        def make(column=column):
            return parquet_of(pa.table({"a": column()}), compression="zstd")

        yield Case(name, "table", "t.parquet", make, dangerous=True)


def labelled_files(rng):
    """SPSS, Stata, SAS and R: damaged, mislabelled or truncated files, and hostile labels."""
    if None in map(find_spec, ("pyreadstat", "pyreadr")):  # pip install '.[formats]'
        return
    for ending, start in ((".sav", b"$FL2@(#)"), (".dta", b"<stata_dta>"), (".xpt", b"HEADER RECORD*******"), (".rds", b"X\n")):
        good = labelled(ending, FRAME if ending != ".xpt" else FRAME.rename(columns=str.upper))
        yield Case(f"good {ending}", "table", f"t{ending}", good, NUMBERS)
        yield Case(f"{ending} called another", "table", "t.sav" if ending != ".sav" else "t.dta", good)
        for number in range(22):
            what, data = damaged(rng, good)
            yield Case(f"{ending} {number}: {what}", "table", f"t{ending}", data)
        for number, rest in enumerate((b"", b"\0" * 500, rng.randbytes(2000))):
            yield Case(f"{ending} begun, {number}", "table", f"t{ending}", start + rest)
    for kind, name in list(HOSTILE.items())[:24]:
        data = labelled(".sav", FRAME, column_labels={"CRP": name[:200]})
        yield Case(f"a label: {kind}", "table", "t.sav", data, {"IL6": IL6})
    yield Case("R of zeros", "table", "t.rds", lambda: zipped(b"X\n" + bytes(900 * 2**20)), dangerous=True)


def platforms(rng):
    """GEO series matrices and GCT with missing, duplicate, cut or inconsistent lines, false counts, and damage."""
    frame = measured()
    true_cells = {name: frame[name].tolist() for name in list(frame.columns)[:3]}
    good = {"t_series_matrix.txt": series_matrix(frame, [[f"state: {class_}" for class_ in CLASSES]]), "t.gct": gct(frame)}
    for file, data in good.items():
        yield Case(f"good {file}", "table", file, data, true_cells)
        rows = data.split(b"\n")
        for number in range(len(rows)):
            for what, changed in (
                ("gone", rows[:number] + rows[number + 1 :]),
                ("twice", rows[: number + 1] + rows[number:]),
                ("cut", [*rows[:number], rows[number][:9]]),
                ("a cell more", [*rows[:number], rows[number] + b"\t1", *rows[number + 1 :]]),
            ):
                yield Case(f"{file}: line {number + 1} {what}", "table", file, b"\n".join(changed))
        for number in range(30):
            what, other = damaged(rng, data)
            yield Case(f"{file} {number}: {what}", "table", file, other)
    for counts in ("-1\t-1", "0\t0", "99999999\t99999999", "1e9\t2", "", "x\ty", "٣\t٣"):
        yield Case(f"GCT of {counts!r}", "table", "t.gct", gct(frame).replace(b"8\t12", counts.encode(), 1))


UNREAD = {
    **{"t.feather": b"ARROW1\0\0" + bytes(90), "t.zip": b"PK\3\4" + bytes(99), "t.RData": zipped(b"RDX3\nX\n")},
    **{"t.sas7bdat": bytes(12) + b"\xc2\xea\x81\x60" + bytes(500), "t.npy": b"\x93NUMPY\1\0" + bytes(90), "t.pkl": b"\x80\x04N."},
    **{"t.h5": b"\x89HDF\r\n\x1a\n" + bytes(90), "t.json": b"[1, 2]", "t.db": b"SQLite format 3\0" + bytes(90)},
    **{"t.pdf": b"%PDF-1.4", "t.csv.bz2": b"BZh91AY&SY" + bytes(50), "t.exe": b"MZ" + bytes(99), "t.html": b"<html></html>"},
}


def unread(rng):
    """Unsupported formats, under their own names and others."""
    for name, data in UNREAD.items():
        for file in (name, *(f"u.{ending}" for ending in ("csv", "txt", "xlsx", "xls", "ods", "parquet", "sav", "rds", "gct"))):
            yield Case(f"{name} called {file}", "table", file, data)
    for kind, name in HOSTILE.items():
        for ending in ("", ".csv", ".xlsx", ".zip"):
            yield Case(f"a file named {kind}{ending}", "table", name + ending, b"\0" if ending != ".zip" else b"PK")


FAMILIES = {"parquet": parquets, "other programs": labelled_files, "platforms": platforms, "unread formats": unread}
