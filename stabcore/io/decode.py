"""First stage: a file, bytes or pasted text as rows of cells or as columns, with a check of the format against the name."""

import codecs
import gzip
import io
import os
import re
import zlib
from pathlib import Path
from typing import IO, NamedTuple

from stabcore.base.errors import InputError
from stabcore.base.text import quote
from stabcore.io.contents import MAX_BYTES, MAX_RATIO, UNCHECKED_BYTES, Columns, Rows
from stabcore.io.formats import LABELLED, WORKBOOKS, read_labelled, read_parquet, read_workbook
from stabcore.io.orientation import begins_sample_matrix, read_sample_matrix
from stabcore.io.text import SEPARATORS, text_rows

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO

ENDINGS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".xlsx", ".xls", ".ods", ".parquet")
TABLE_ENDINGS = (*ENDINGS, ".gct", ".gct.gz", ".sav", ".zsav", ".dta", ".xpt", ".rds")  # formats of tables only
SELECTION_ENDINGS = (*ENDINGS, ".json", ".r")  # formats that also hold lists of names
_OLE = b"\xd0\xcf\x11\xe0"
_SIGNS = {
    b"PK\x03\x04": "a zip archive or a newer workbook (.xlsx, .ods)",
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "a gzip file",
    _OLE: "an old or a password-protected workbook",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"<htm": "a web page",
    b"<!do": "a web page",
    b"<?xm": "an XML file",
    b"{\\rt": "a text document (RTF)",
    b"RDX": "an R data file",
    b"$FL2": "an SPSS file (.sav)",
    b"$FL3": "an SPSS file (.zsav)",
    b"<sta": "a Stata file (.dta)",
}
_EXPECTED = {
    ".xlsx": (b"PK\x03\x04",),
    ".ods": (b"PK\x03\x04",),
    ".xls": (_OLE,),
    ".parquet": (b"PAR1",),
    ".sav": (b"$FL2", b"$FL3"),
    ".zsav": (b"$FL3",),
    ".xpt": (b"HEADER RECORD",),
    ".dta": (b"<stata_dta>", *(bytes([version]) for version in range(102, 116))),
    ".rds": (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"X\n", b"A\n"),
}


_ADVICE = {
    (".rdata", ".rda", ".rds"): "In R, save the table as CSV: write.csv(x, 'table.csv').",
    (".xlsm", ".xlsb"): "Open it in a spreadsheet, and save it as .xlsx.",
    (".zip", ".7z"): "Unpack it first.",
}


class File(NamedTuple):
    """The unpacked bytes of a file, its name in sentences, and the ending of its format without .gz."""

    data: bytes
    title: str
    ending: str


def decode(source: Source, name: str | None = None, endings: tuple[str, ...] = ENDINGS, sheet: str | None = None) -> Rows | Columns:
    """The content of a file: rows of cells, or columns if the format has column names.

    name: the file name with the ending of the format, for bytes. endings: formats that are allowed. sheet: that of a workbook, by
    default the first that looks like a table. Raises InputError as `load_file` does, and for a file that is damaged or too large.
    """
    file = load_file(source, name, endings)
    if file.ending not in CELL_ENDINGS:
        text, notes = decode_text(file.data)
        if begins_sample_matrix(text, file.ending):
            return read_sample_matrix(text, file.ending, notes)
        return text_rows(text, notes, file.ending)
    return decode_cells(file, sheet)


CELL_ENDINGS = (*WORKBOOKS, ".parquet", *LABELLED)  # formats with cells, all others are text


def decode_cells(file: File, sheet: str | None = None) -> Rows | Columns:
    """The content of a file with one of CELL_ENDINGS."""
    if file.ending in WORKBOOKS:
        return read_workbook(file.data, file.title, sheet)
    if file.ending == ".parquet":
        return read_parquet(file.data, file.title)
    return read_labelled(file.data, file.title, file.ending)


def decode_paste(text: str) -> Rows:
    """Rows of pasted text whose cells are separated by tabs, commas, semicolons, vertical bars or spaces."""
    return text_rows(clean_paste(text), [], "")


def load_file(source: Source, name: str | None = None, endings: tuple[str, ...] = ENDINGS) -> File:
    """The bytes of a path, bytes or file-like object. Gzipped text is unpacked.

    Raises InputError for a file that is missing, empty or larger than MAX_BYTES, for an unknown ending, and for content that
    does not match the ending.
    """
    data, name = _bytes(source, name)
    title = _title(name)
    if not data:
        raise InputError(f"{title} is empty.")
    ending = _ending(name, data, endings)
    if ending.endswith(".gz"):
        data, ending = _gunzip(data, title), ending[:-3]
        if not data:
            raise InputError(f"{title} is empty.")
    _refuse_other_format(data, title, ending)
    return File(data, title, ending)


def _bytes(source, name):
    if isinstance(source, (bytes, bytearray, memoryview)):
        _refuse_large(len(source), name or "")
        return bytes(source), name or ""
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if not path.is_file():
            raise InputError(f"There is no file {str(path)!r}. Check the folder and the spelling.")
        _refuse_large(path.stat().st_size, path.name)
        return path.read_bytes(), name or path.name
    if not hasattr(source, "read"):
        raise InputError(f"Give the path of a file, or an open file. Found {type(source).__name__}.")
    name = name or Path(str(getattr(source, "name", ""))).name
    if source.seekable():
        _refuse_large(source.seek(0, io.SEEK_END), name)
        source.seek(0)
    data = source.read(MAX_BYTES + 1)
    data = data.encode() if isinstance(data, str) else data
    _refuse_large(len(data), name)
    return data, name


def _title(name):
    return f"The file {quote(name)}" if name else "The file"


def _refuse_large(size, name):
    if size > MAX_BYTES:
        raise InputError(
            f"{_title(name)} has {size / 2**20:.0f} MB. At most {MAX_BYTES // 2**20} MB can be read. Leave out columns, or save "
            "it as Parquet, which is smaller."
        )


def _ending(name, data, endings):
    lower = name.lower()
    for ending in sorted(endings, key=len, reverse=True):
        if lower.endswith(ending):
            return ending
    if "." in lower:
        if advice := next((advice for others, advice in _ADVICE.items() if lower.endswith(others)), None):
            raise InputError(f"{_title(name)} is of a kind that cannot be read here. {advice}")
        text = "" if b"\0" in data[:4096] else " If it holds text, rename it so that it ends in .txt."
        raise InputError(f"{_title(name)} has an unknown ending. Save the table as one of {', '.join(endings)}.{text}")
    guesses = {b"PK\x03\x04": ".xlsx", _OLE: ".xls", b"PAR1": ".parquet", b"\x1f\x8b": ".csv.gz"}
    return next((ending for sign, ending in guesses.items() if data.startswith(sign)), ".csv")


def _refuse_other_format(data, title, ending):
    expected = _EXPECTED.get(ending)
    if ending == ".xlsx" and data.startswith(_OLE):
        raise InputError(f"{title} is protected by a password. Open it, remove the password and save it again.")
    if data.startswith(b"HEADER RECORD*******LIBV8"):
        raise InputError(
            f"{title} is a SAS transport file of version 8, and only version 5 can be read. In SAS, save the table as CSV (proc "
            "export)."
        )
    start = data[:4].lower() if data[:1] == b"<" else data[:4]
    actual = next((what for sign, what in _SIGNS.items() if start.startswith(sign)), None)
    if expected is None and actual:
        raise InputError(
            f"{title} is {actual}, not a text table as its ending suggests. Correct the ending, or save the table as CSV."
        )
    if expected is not None and not data.startswith(expected):
        what = actual or "not a workbook, a Parquet file or another known table"
        raise InputError(f"{title} is {what}, although its ending is {ending}. Save the table again as {ending} or as CSV.")


def _gunzip(data, title):
    try:
        with gzip.open(io.BytesIO(data)) as file:
            unpacked = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(f"{title} is not a complete gzip file. Compress or copy it again.") from None
    if len(unpacked) > UNCHECKED_BYTES and len(unpacked) > MAX_RATIO * len(data):
        raise InputError(f"{title} unpacks to far more data than expected from its size. Save the table as CSV and upload that.")
    if len(unpacked) > MAX_BYTES:
        raise InputError(f"{title} unpacks to more than the limit of {MAX_BYTES // 2**20} MB. Leave out columns.")
    return unpacked


# ---- text ----

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
MAX_LINE_CELLS = 100_000  # cells of a line
MAX_LINES = 20_000_000  # lines
_LINE = re.compile(r"[^\r\n]+")  # matches each line once, because a pattern with a minimum length would retry at every character
_UTF8_AS_OTHER = re.compile(r"Ã[\u0080-\u00bf\u20ac-\u2122\u0152-\u0192]")  # "Ã¤" is an ä
_CELL_ENDS = re.compile(r"[;,\t|\"\r\n]")  # between cells


def decode_text(data: bytes) -> tuple[str, list[str]]:
    """The text of a file, and a note when its encoding had to be guessed.

    Raises InputError, with the line, for NUL bytes and other bytes that are not text.
    """
    notes = []
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = _decode(data, "utf-16")
        notes.append("The text is UTF-16, according to its first bytes.")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            text = _decode(data, "cp1252")
            before, after = text[max(error.start - 24, 0) : error.start], text[error.start : error.start + 24]
            sample = (_CELL_ENDS.split(before)[-1] + _CELL_ENDS.split(after)[0]).strip()
            notes.append(
                f"The text is not UTF-8, so it was read as Windows-1252. Check that letters such as those in {sample!r} are right."
            )
            if wrong := _UTF8_AS_OTHER.search(text):
                notes.append(
                    f"Other letters are UTF-8, and were misread, as in {wrong[0]!r}. Save all parts of the file as 'CSV UTF-8'."
                )
    refuse_control(text)
    return text, notes


def _decode(data, encoding):
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise InputError(
            "The file is not text in UTF-8, UTF-16 or Windows-1252. In your spreadsheet, save it as 'CSV UTF-8' and upload that."
        ) from None


def refuse_control(text: str) -> None:
    """Raise InputError, with the line, for control characters or too many cells."""

    def line_of(position):
        return 1 + text.count("\n", 0, position)

    for row in _LINE.finditer(text):  # counted before splitting, because 50 million cells take gigabytes
        if row.end() - row.start() < MAX_LINE_CELLS:
            continue
        cells = 1 + max(text.count(separator, *row.span()) for separator in SEPARATORS)
        if cells > MAX_LINE_CELLS:
            raise InputError(
                f"Line {line_of(row.start())} has {cells:,} cells. At most {MAX_LINE_CELLS:,} can be read. If patients are in "
                "columns, turn the table so that each row is one patient."
            )
    lines = max(text.count("\n"), text.count("\r"))
    if lines > MAX_LINES:  # even blank lines take time
        raise InputError(f"The file has {lines:,} lines. At most {MAX_LINES:,} can be read. Leave out lines that are not data.")
    if match := _CONTROL.search(text):
        what = "a NUL byte" if match.group() == "\0" else f"the control character {ord(match.group())}"
        raise InputError(
            f"Line {line_of(match.start())} holds {what}. This is not a text table, or it is damaged. In your spreadsheet, save "
            "it as 'CSV UTF-8' and upload that."
        )


def clean_paste(text: str) -> str:
    """Pasted text that is safe to split. Raises InputError when it is empty, too long or not text."""
    if not text.strip():
        raise InputError("Nothing was pasted. Copy the table with its column names and paste it here.")
    if len(text) > MAX_BYTES:
        raise InputError("The pasted text is too long. Save it as a file and upload that.")
    refuse_control(text)
    # A browser may send a lone surrogate, which is not a character and would stop the reading later.
    return text.removeprefix("\ufeff").encode("utf-8", "replace").decode()
