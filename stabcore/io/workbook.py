"""Workbooks (.xlsx, .xls, .ods): the sheet with the table, opened in a process of its own, and cells that hold no value."""

from __future__ import annotations

import io
import re
import zipfile
import zlib

from stabcore.base.errors import InputError
from stabcore.base.text import listed, several, shown
from stabcore.io.choices import Layout
from stabcore.io.contents import MAX_BYTES, MAX_CELLS, MAX_RATIO, MAX_UNPACKED, SMALL, Place, Rows
from stabcore.io.reader_process import ask_process

WORKBOOKS = (".xlsx", ".xls", ".ods")
LONGEST_CELL = 32_767  # characters, as the format allows
SECONDS = 120
_PROBLEMS = {
    "password": "is protected by a password. Open it, remove the password and save it again.",
    "damaged": "cannot be opened as a workbook. It is damaged, so save it again as .xlsx or as CSV.",
    "empty": "has no sheet with anything in it. There is nothing to read.",
    "large": "has a sheet that reaches too far. Delete the rows and columns below and right of the table (a stray cell is enough), "
    "or save the sheet as CSV.",
    "long": f"has a cell of more than {LONGEST_CELL:,} characters, which no workbook allows. Save the sheet as CSV.",
    "slow": "takes too long to open. Save the sheet as CSV and upload that.",
    "bomb": "unpacks to far more than a table of its size should. Save the sheet as CSV and upload that.",
}


def read_workbook(data: bytes, title: str, sheet: str | None = None) -> Rows:
    """All rows of the sheet with the table, blank ones too, as texts.

    sheet: the chosen one; by default the first that looks like a table, or the first that is not empty. The workbook
    is opened in a process of its own: a stray cell at the far end of a sheet makes the library ask for hundreds of
    gigabytes, which ends the process that asks. Raises InputError with the cause.
    """
    notes = _check_archive(data, title) if data.startswith(b"PK") else []
    limits = map(str, (MAX_CELLS, MAX_BYTES, LONGEST_CELL))
    answer, _ = ask_process(["workbook", *limits, sheet or ""], data, SECONDS, crashed="large")
    if answer.get("problem") == "sheet":
        raise InputError(f"{title} has no sheet {shown(sheet)}. Its sheets are {listed(answer['sheets'], 20)}.")
    if "problem" in answer:
        raise InputError(f"{title} {_PROBLEMS[answer['problem']]}")
    others = [other for other in answer["sheets"] if other != answer["sheet"]]
    if others:
        why = "as chosen" if sheet else "the first with a table in it"
        notes.insert(0, f"Only the sheet {shown(answer['sheet'])} was read, {why}. Not read: {listed(others)}.")
    return Rows(
        enumerate(answer["rows"], answer["line"]), notes, place=Place(Layout(sheet=answer["sheet"]), sheets=tuple(answer["sheets"]))
    )


def _check_archive(data, title):
    """Notes on cells without a value, after the archive proved to be whole and of reasonable size."""
    errors = unknown = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MAX_UNPACKED or (size > SMALL and size > MAX_RATIO * len(data)):
                raise InputError(f"{title} {_PROBLEMS['bomb']}")
            for entry in archive.infolist():
                counts = _count_without_value(archive, entry)
                errors, unknown = errors + counts[0], unknown + counts[1]
    except InputError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
        raise InputError(f"{title} {_PROBLEMS['damaged']}") from None
    notes = [f"Read as missing: {several(errors, 'cell')} with an error such as #N/A or #DIV/0!."] if errors else []
    if unknown:
        notes.append(
            f"Read as missing: {several(unknown, 'cell')} with a formula that was never calculated. Save the file in a "
            "spreadsheet, and upload it again."
        )
    return notes


# ---- errors such as #DIV/0!, and formulas that were never calculated ----

_LONGEST_ELEMENT = 9000  # bytes of a cell
_XLSX = re.compile(
    rb"<c\b([^<>]{0,200})>\s{0,9}<f\b[^<>]{0,200}(?:/>|>[^<]{0,8192}</f>)\s{0,9}"
    rb"(?:<v\s?/>|<v>\s{0,9}</v>)?\s{0,9}</c>"
)
_ODS = re.compile(rb"<table:table-cell\b([^<>]{0,8192})>")
_FORMULA_OF_ODS = re.compile(rb"\btable:formula\s?=")
# A text may be empty.
_VALUE_OF_ODS = re.compile(rb"\boffice:(?:(?:string-|date-|time-|boolean-)?value\s?=|value-type\s?=\s?[\"']string)")
_REPEATED = re.compile(rb"\btable:number-columns-repeated\s?=\s?[\"'](\d{1,5})[\"']")


def _count_without_value(archive, entry):
    """(cells with an error, cells with a formula that has no result) of one file of a workbook.

    Reading to the end also checks the size and the sum that the archive states.
    """
    errors = unknown = 0
    tail = b""
    sheet, of_ods = entry.filename.startswith("xl/worksheets/"), entry.filename == "content.xml"
    with archive.open(entry) as file:
        while chunk := file.read(2**20):
            if sheet or of_ods:
                text, before = tail + chunk, len(tail)
                errors += text.count(b' t="e"', max(0, before - 5)) if sheet else 0
                matches = [match for match in (_XLSX if sheet else _ODS).finditer(text) if match.end() > before]
                unknown += sum(b't="str"' not in match[1] if sheet else _without_value(match) for match in matches)
                tail = text[-_LONGEST_ELEMENT:]
    return errors, unknown


def _without_value(match) -> int:
    """How many cells without a value an element of an .ods file stands for."""
    if not _FORMULA_OF_ODS.search(match[1]) or _VALUE_OF_ODS.search(match[1]):
        return 0
    repeated = _REPEATED.search(match[1])
    return int(repeated[1]) if repeated else 1
