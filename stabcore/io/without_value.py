"""Cells of a workbook that hold no value: errors such as #DIV/0!, and formulas that were never calculated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

_LONGEST_CELL = 9000    # bytes
_XLSX = re.compile(rb"<c\b([^<>]{0,200})>\s{0,9}<f\b[^<>]{0,200}(?:/>|>[^<]{0,8192}</f>)\s{0,9}"
                   rb"(?:<v\s?/>|<v>\s{0,9}</v>)?\s{0,9}</c>")
_ODS = re.compile(rb"<table:table-cell\b([^<>]{0,8192})>")
_FORMULA_OF_ODS = re.compile(rb"\btable:formula\s?=")
# A text may be empty.
_VALUE_OF_ODS = re.compile(rb"\boffice:(?:(?:string-|date-|time-|boolean-)?value\s?=|value-type\s?=\s?[\"']string)")
_REPEATED = re.compile(rb"\btable:number-columns-repeated\s?=\s?[\"'](\d{1,5})[\"']")


def count(archive: ZipFile, entry: ZipInfo) -> tuple[int, int]:
    """(cells with an error, cells with a formula that has no result) of one file of a workbook.

    Reading to the end also checks the size and the sum that the archive states.
    """
    errors = unknown = 0
    tail = b""
    sheet, of_ods = entry.filename.startswith("xl/worksheets/"), entry.filename == "content.xml"
    with archive.open(entry) as file:
        while chunk := file.read(2 ** 20):
            if sheet or of_ods:
                text, before = tail + chunk, len(tail)
                errors += text.count(b' t="e"', max(0, before - 5)) if sheet else 0
                unknown += sum(map(_in_xlsx, _new(_XLSX, text, before))) if sheet else sum(map(_in_ods, _new(_ODS, text, before)))
                tail = text[-_LONGEST_CELL:]
    return errors, unknown


def _new(pattern, text, before):
    """Matches that do not end in what was looked at before."""
    return (match for match in pattern.finditer(text) if match.end() > before)


def _in_xlsx(match) -> int:
    return b't="str"' not in match[1]


def _in_ods(match) -> int:
    """Cells that one element stands for."""
    if not _FORMULA_OF_ODS.search(match[1]) or _VALUE_OF_ODS.search(match[1]):
        return 0
    repeated = _REPEATED.search(match[1])
    return int(repeated[1]) if repeated else 1
