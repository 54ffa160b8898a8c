"""Bytes of an upload, their format checked against the name; workbooks and parquet files, opened within limits."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from stabcore.io import without_value
from stabcore.io.frame import texts_of
from stabcore.errors import InputError
from stabcore.wording import listed, several, shown

if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 200 * 2 ** 20
MAX_CELLS = 50_000_000
MAX_COLUMNS = 100_000
MAX_UNPACKED = 500 * 2 ** 20
MAX_RATIO = 200
SMALL = 50 * 2 ** 20    # bytes that any file may unpack to
LONGEST = 32_767        # characters of a cell of a workbook, as its format allows
WORKBOOK_SECONDS = 120
PARQUET_ROWS = 10_000   # read at once

ENDINGS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".xlsx", ".xls", ".ods", ".parquet")
TABLE_ENDINGS = (*ENDINGS, ".gct", ".gct.gz", ".sav", ".zsav", ".dta", ".xpt", ".rds")      # what only a table comes as
SELECTION_ENDINGS = (*ENDINGS, ".json", ".r")           # lists of names are read as they are written there, too
UPLOADS, TABLE_UPLOADS, SELECTION_UPLOADS = (tuple(dict.fromkeys(ending.rpartition(".")[2] for ending in endings)) for endings in
                                             (ENDINGS, TABLE_ENDINGS, SELECTION_ENDINGS))   # as a browser's choice names them
WORKBOOKS = (".xlsx", ".xls", ".ods")
_OLE = b"\xd0\xcf\x11\xe0"
_SIGNS = {b"PK\x03\x04": "a zip archive or a newer workbook (.xlsx, .ods)", b"PAR1": "a Parquet file",
          b"\x1f\x8b": "a gzip file", _OLE: "an old or a password-protected workbook", b"%PDF": "a PDF",
          b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture", b"<htm": "a web page", b"<!do": "a web page",
          b"<?xm": "an XML file", b"{\\rt": "a text document (RTF)", b"RDX": "an R data file", b"$FL2": "an SPSS file (.sav)",
          b"$FL3": "an SPSS file (.zsav)", b"<sta": "a Stata file (.dta)"}
_EXPECTED = {".xlsx": (b"PK\x03\x04",), ".ods": (b"PK\x03\x04",), ".xls": (_OLE,), ".parquet": (b"PAR1",),
             ".sav": (b"$FL2", b"$FL3"), ".zsav": (b"$FL3",), ".xpt": (b"HEADER RECORD",),
             ".dta": (b"<stata_dta>", *(bytes([version]) for version in range(102, 116))),
             ".rds": (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"X\n", b"A\n")}


def load(source, name=None, endings=ENDINGS) -> tuple[bytes, str, str]:
    """(bytes, file name, ending) of a path, bytes or file-like object; text that was gzipped is unpacked.

    Raises InputError for no such file, nothing in it, more than MAX_BYTES, an ending that is not understood, or
    content that is not what the ending says.
    """
    data, name = _bytes(source, name)
    if not data:
        raise InputError(f"{_named(name)} is empty; there is nothing to read.")
    ending = _ending(name, data, endings)
    if ending.endswith(".gz"):
        data, ending = _gunzip(data, name), ending[:-3]
        if not data:
            raise InputError(f"{_named(name)} is empty; there is nothing to read.")
    _refuse_other_format(data, name, ending)
    return data, name, ending


def _bytes(source, name):
    if isinstance(source, (bytes, bytearray, memoryview)):
        _refuse_large(len(source), name or "")
        return bytes(source), name or ""
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if not path.is_file():
            raise InputError(f"There is no file {str(path)!r}; check the folder and the spelling.")
        _refuse_large(path.stat().st_size, path.name)
        return path.read_bytes(), name or path.name
    name = name or Path(str(getattr(source, "name", ""))).name
    if source.seekable():
        _refuse_large(source.seek(0, io.SEEK_END), name)
        source.seek(0)
    data = source.read(MAX_BYTES + 1)
    data = data.encode() if isinstance(data, str) else data
    _refuse_large(len(data), name)
    return data, name


def _named(name):
    return f"The file {shown(name)}" if name else "The file"


def _refuse_large(size, name):
    if size > MAX_BYTES:
        raise InputError(f"{_named(name)} has {size / 2 ** 20:.0f} MB; at most {MAX_BYTES // 2 ** 20} MB can be read, "
                         "so leave out columns that are not needed, or save it as Parquet, which is smaller.")


def _ending(name, data, endings):
    lower = name.lower()
    for ending in sorted(endings, key=len, reverse=True):
        if lower.endswith(ending):
            return ending
    if "." in lower:
        text = "" if b"\0" in data[:4096] else "; where it holds text, rename it so that it ends in .txt"
        raise InputError(f"{_named(name)} has an ending that is not known here; save the table as one of {', '.join(endings)}"
                         f"{text}.")
    guesses = {b"PK\x03\x04": ".xlsx", _OLE: ".xls", b"PAR1": ".parquet", b"\x1f\x8b": ".csv.gz"}
    return next((ending for sign, ending in guesses.items() if data.startswith(sign)), ".csv")


def _refuse_other_format(data, name, ending):
    expected = _EXPECTED.get(ending)
    if ending == ".xlsx" and data.startswith(_OLE):
        raise InputError(_PROBLEMS["password"].format(file=_named(name)))
    start = data[:4].lower() if data[:1] == b"<" else data[:4]
    actual = next((what for sign, what in _SIGNS.items() if start.startswith(sign)), None)
    if expected is None and actual:
        raise InputError(f"{_named(name)} is {actual}, not a text table as its ending says; give it the right ending or "
                         "save the table as CSV.")
    if expected is not None and not data.startswith(expected):
        what = actual or "not a workbook, a Parquet file or another table that is known here"
        raise InputError(f"{_named(name)} is {what}, although its ending is {ending}; save the table again as {ending} or as CSV.")


def _gunzip(data, name):
    try:
        with gzip.open(io.BytesIO(data)) as file:
            unpacked = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(f"{_named(name)} is not a complete gzip file; compress or copy it again.") from None
    if len(unpacked) > SMALL and len(unpacked) > MAX_RATIO * len(data):
        raise InputError(_PROBLEMS["bomb"].format(file=_named(name)).replace("sheet", "table"))
    if len(unpacked) > MAX_BYTES:
        raise InputError(f"{_named(name)} unpacks to more than {MAX_BYTES // 2 ** 20} MB, which is more than can be "
                         "read; leave out columns that are not needed.")
    return unpacked


# ---- workbooks ----

_PROBLEMS = {
    "password": "{file} is protected by a password; open it, remove the password and save it again.",
    "damaged": "{file} cannot be opened as a workbook; it is damaged, so save it again as .xlsx or as CSV.",
    "empty": "{file} has no sheet with anything in it; there is nothing to read.",
    "large": "{file} has a sheet that reaches too far; delete the rows and columns below and right of the table (a "
             "stray cell or space is enough), or save the sheet as CSV.",
    "long": f"{{file}} has a cell of more than {LONGEST:,} characters, which no workbook allows; save the sheet as CSV.",
    "slow": "{file} takes too long to open; save the sheet as CSV and upload that.",
    "bomb": "{file} unpacks to far more than a table of its size should; save the sheet as CSV and upload that.",
}


def workbook_rows(data: bytes, name: str) -> tuple[list[list[str]], int, list[str]]:
    """(rows of texts, line of the first row, notes) of the sheet that open_workbook finds."""
    workbook, notes = open_workbook(data, name)
    return workbook["rows"], workbook["line"], notes


def open_workbook(data: bytes, name: str, sheet: str | None = None) -> tuple[dict, list[str]]:
    """({sheets: names, sheet: the one read, line: of its first row, rows: of texts}, notes) of the sheet with the table.

    sheet: the one that was chosen; else the first that looks like a table, or the first with anything in it. The workbook
    is opened in a process of its own: a stray cell at the far end of a sheet makes the library ask for hundreds of
    gigabytes, which ends the process that asks. Raises InputError with the cause.
    """
    notes = _check_archive(data, name) if data.startswith(b"PK") else []
    child = Path(__file__).with_name("workbook.py")
    try:
        limits = map(str, (MAX_CELLS, MAX_BYTES, LONGEST))
        done = subprocess.run([sys.executable, "-I", str(child), *limits, sheet or ""], input=data, capture_output=True,
                              timeout=WORKBOOK_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise InputError(_PROBLEMS["slow"].format(file=_named(name))) from None
    answer: Any = json.loads(done.stdout) if done.returncode == 0 else {"problem": "large"}
    if answer.get("problem") == "sheet":
        raise InputError(f"{_named(name)} has no sheet {shown(sheet)}; its sheets are {listed(answer['sheets'], 20)}.")
    if "problem" in answer:
        raise InputError(_PROBLEMS[answer["problem"]].format(file=_named(name)))
    others = [other for other in answer["sheets"] if other != answer["sheet"]]
    if others:
        why = "as chosen" if sheet else "the first with a table in it"
        notes.insert(0, f"Only the sheet {shown(answer['sheet'])} was read, {why}; not read: {listed(others)}.")
    return answer, notes


def _check_archive(data, name):
    """Notes on error cells, after the archive proved to be whole and of reasonable size."""
    errors = unknown = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MAX_UNPACKED or (size > SMALL and size > MAX_RATIO * len(data)):
                raise InputError(_PROBLEMS["bomb"].format(file=_named(name)))
            for entry in archive.infolist():
                counts = without_value.count(archive, entry)
                errors, unknown = errors + counts[0], unknown + counts[1]
    except InputError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
        raise InputError(_PROBLEMS["damaged"].format(file=_named(name))) from None
    notes = [f"Read as missing: {several(errors, 'cell')} with an error such as #N/A or #DIV/0!."] if errors else []
    if unknown:
        notes.append(f"Read as missing: {several(unknown, 'cell')} with a formula that was never calculated. Open the file in a "
                     "spreadsheet, save it there, and bring it again.")
    return notes


# ---- parquet ----

_NO_VALUES = (ValueError, OverflowError, KeyError)      # KeyError: what zoneinfo and pytz raise of a time zone they do not know


def parquet_frame(data: bytes, name: str):
    """The DataFrame of a Parquet file. Raises InputError for a damaged or too large file, or a column of lists."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(data), page_checksum_verification=True)
        refuse_many_cells(file.metadata.num_rows, len(file.schema_arrow.names))
        table = _counted(file, data, name)
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError):
        raise InputError(f"{_named(name)} cannot be opened as Parquet; it is damaged, so save it again.") from None
    nested = [field.name for field in table.schema if pa.types.is_nested(field.type)]
    if nested:
        raise InputError(f"A cell must hold one value; these columns hold lists: {listed(nested)}. Leave them out.")
    try:
        table.validate(full=True)           # texts that are no UTF-8 would be found out only when somebody looks at them
        return table.to_pandas(ignore_metadata=True)
    except (pa.ArrowException, *_NO_VALUES):
        raise InputError(f"{_named(name)} has cells that cannot be read, in {listed(_unreadable(table))}: damaged texts, days "
                         "beyond the calendar, or a time zone that is not known here. Leave these columns out, or save them as "
                         "text.") from None


def _unreadable(table):
    """Columns that cannot become values."""
    import pyarrow as pa

    for field, column in zip(table.schema, table.columns, strict=True):
        try:
            column.validate(full=True)
            column.to_pandas()
        except (pa.ArrowException, *_NO_VALUES):
            yield field.name


def _counted(file, data, name):
    """The whole table, read part by part: a few kilobytes can stand for gigabytes. Texts are written out when all are counted."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kept = file.schema_arrow
    texts = [field.name for field in kept if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)]
    file = pq.ParquetFile(io.BytesIO(data), read_dictionary=texts, page_checksum_verification=True)
    parts, size = [], 0
    for batch in file.iter_batches(batch_size=PARQUET_ROWS):
        size += sum(map(_written_out, batch.columns))
        if size > MAX_UNPACKED or (size > SMALL and size > MAX_RATIO * len(data)):
            raise InputError(_PROBLEMS["bomb"].format(file=_named(name)).replace("sheet", "table"))
        parts.append(batch)
    return pa.Table.from_batches(parts, file.schema_arrow).cast(kept).replace_schema_metadata(None)


def _written_out(column) -> int:
    """Bytes of a part of a column when every cell has its own text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_null(column.type):
        return 8 * len(column)              # nothing in the file, something for each cell in memory
    if not pa.types.is_dictionary(column.type) or not (
            pa.types.is_string(column.type.value_type) or pa.types.is_large_string(column.type.value_type)):
        return column.nbytes
    return column.indices.nbytes + (pc.sum(pc.binary_length(column.dictionary).take(column.indices)).as_py() or 0)


def parquet_rows(data: bytes, name: str) -> list:
    """Rows of (line, cells) of a Parquet file as text, its column names the first, "" where a cell is empty."""
    frame = parquet_frame(data, name)
    columns = [["" if cell is None else cell for cell in texts_of(frame.iloc[:, j])] for j in range(frame.shape[1])]
    return list(enumerate([[str(column) for column in frame.columns], *map(list, zip(*columns, strict=True))], 1))


def refuse_many_cells(rows: int, columns: int):
    """Raise InputError for a table with too many cells or columns."""
    if columns > MAX_COLUMNS:
        raise InputError(f"The table has {columns} columns; at most {MAX_COLUMNS} can be read. If patients are in "
                         "columns, turn the table so that each row is one patient.")
    if rows * columns > MAX_CELLS:
        raise InputError(f"The table has {rows} rows × {columns} columns, more than {MAX_CELLS // 10 ** 6} million "
                         "cells; leave out columns that are not needed.")
