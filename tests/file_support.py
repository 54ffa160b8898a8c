"""Files for tests of reading: workbooks in every format, and Parquet."""

import io
import struct
import zipfile

import pytest


def workbook(sheets, merged=()):
    """Bytes of an .xlsx with {sheet name: rows}. merged: ranges of cells that are merged in each sheet."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def rezipped(content, change):
    """The archive with each part replaced by change(name, text)."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name).decode()))
    return made.getvalue()


def rows_of(frame):
    cells = frame.astype(object).where(frame.notna(), None)
    return [list(frame.columns), *cells.to_numpy().tolist()]


def ods(rows):
    """Bytes of a small .ods of an office program, which repeats trailing empty rows a million times."""

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
        archive.writestr(
            "content.xml",
            f'<?xml version="1.0"?><office:document-content {names}><office:body>'
            f'<office:spreadsheet><table:table table:name="S">{body}<table:table-row '
            'table:number-rows-repeated="1048000"><table:table-cell '
            'table:number-columns-repeated="16384"/>'
            "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>",
        )
        archive.writestr(
            "META-INF/manifest.xml",
            '<?xml version="1.0"?><m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
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
        return (
            raw.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(raw) + 2 if raw else 0, kind, 1, free, free, child)
            + b"\0" * 36
            + struct.pack("<III", first, size, 0)
        )

    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + b"\0" * 16
        + struct.pack("<HHHHH6xIIIIIIIII109I", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, end, 0, end, 0, 0, *[free] * 108)
    )
    directory = entry("Root Entry", 5, end, 0, 1) + entry("Workbook", 2, 2, 4096) + entry("", 0, 0, 0) * 2
    return header + struct.pack("<128I", *chain, *[free] * (128 - len(chain))) + directory + stream


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()
