"""Tables as files that a spreadsheet opens safely."""

from __future__ import annotations

import math
import re

_PARTS = {
    "[Content_Types].xml": (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'),
    "_rels/.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
        '</Relationships>'),
    "xl/workbook.xml": (
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        '<sheets><sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>'),
    "xl/_rels/workbook.xml.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>'
        '</Relationships>')}
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")      # characters that XML cannot hold
LONGEST_CELL = 32_000           # characters; Excel takes 32,767
FORMULA = ("=", "+", "-", "@", "\t", "\r")      # what begins a formula


def disarmed(frame):
    """The frame with an apostrophe before every text that a spreadsheet would take for a formula."""
    def safe(cell):
        return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell

    made = frame.rename(columns=safe)
    for column in made.columns:
        if made[column].dtype.kind not in "fiub":
            made[column] = made[column].map(safe)
    return made


def csv_bytes(frame) -> bytes:
    """CSV that a spreadsheet opens safely: a text cell that would start a formula gets a leading apostrophe."""
    return disarmed(frame).to_csv(index=False, lineterminator="\n").encode("utf-8-sig")


def xlsx_bytes(frame) -> bytes:
    """An Excel workbook with one sheet; numbers are numbers, and texts are texts, whatever they begin with."""
    import io
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    lines = [list(map(str, frame.columns)), *frame.itertuples(index=False, name=None)]
    sheet = "".join(f"<row>{''.join(map(_cell, line))}</row>" for line in lines)
    parts = _PARTS | {"xl/worksheets/sheet1.xml": '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
                                                  f"<sheetData>{sheet}</sheetData></worksheet>"}
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as book:
        for name, text in parts.items():        # of one date, so that the same table is the same file
            book.writestr(ZipInfo(name, (1980, 1, 1, 0, 0, 0)), _HEAD + text)
    return content.getvalue()


def _cell(value) -> str:
    """One cell of a sheet; what is not known is empty."""
    from xml.sax.saxutils import escape

    if value is None or isinstance(value, float) and not math.isfinite(value):
        return "<c/>"
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return f'<c t="b"><v>{int(value)}</v></c>'
    if hasattr(value, "__float__") and not isinstance(value, str):
        return f"<c><v>{value}</v></c>" if math.isfinite(float(value)) else "<c/>"
    text = escape(_NOT_XML.sub("", str(value))[:LONGEST_CELL])
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
