"""Files with cells or typed columns: workbooks, Parquet, SPSS, Stata, SAS and R. Labels of values become levels."""

import io
import re
import zipfile
import zlib
from bisect import bisect
from collections import Counter
from html import unescape
from importlib.util import find_spec
from operator import itemgetter

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote
from stabcore.io.choices import Layout
from stabcore.io.contents import (
    MAX_BYTES,
    MAX_CELLS,
    MAX_RATIO,
    MAX_UNPACKED,
    UNCHECKED_BYTES,
    Columns,
    Place,
    Rows,
    columns_of_frame,
    refuse_many_cells,
)
from stabcore.io.reader_process import ask_process

WORKBOOKS = (".xlsx", ".xls", ".ods")
MAX_CELL_LENGTH = 32_767  # characters, as the format allows
SECONDS = 120
_PROBLEMS_OF_WORKBOOKS = {
    "password": "is protected by a password. Open it, remove the password and save it again.",
    "damaged": "cannot be opened as a workbook. It is damaged, so save it again as .xlsx or as CSV.",
    "empty": "has no sheet with anything in it. There is nothing to read.",
    "large": "has a sheet with too many rows or columns. Delete everything below and to the right of the table (even a stray "
    "cell), or save the sheet as CSV.",
    "long": f"has a cell of more than {MAX_CELL_LENGTH:,} characters, which no workbook allows. Save the sheet as CSV.",
    "slow": "takes too long to open. Save the sheet as CSV and upload that.",
    "bomb": "unpacks to far more data than expected from its size. Save the sheet as CSV and upload that.",
}


def read_workbook(data: bytes, title: str, sheet: str | None = None) -> Rows:
    """All rows of the sheet with the table as texts, including blank rows.

    sheet: the chosen one. By default the first that looks like a table, or the first that is not empty. The workbook is opened
    in a separate process, because a stray cell at the far end of a sheet makes the library allocate hundreds of gigabytes,
    which ends the process. Raises InputError with the cause.
    """
    if archived := data.startswith(b"PK"):
        _check_archive(data, title)
    limits = map(str, (MAX_CELLS, MAX_BYTES, MAX_CELL_LENGTH))
    answer, _ = ask_process(["workbook", *limits, sheet or ""], data, SECONDS, crashed="large")
    if answer.get("problem") == "sheet":
        raise InputError(f"{title} has no sheet {quote(sheet)}. Its sheets are {listed(answer['sheets'], 20)}.")
    if "problem" in answer:
        raise InputError(f"{title} {_PROBLEMS_OF_WORKBOOKS[answer['problem']]}")
    notes = _notes_on_sheet(data, answer["sheet"], answer["rows"]) if archived else []
    if others := [other for other in answer["sheets"] if other != answer["sheet"]]:
        why = "as chosen" if sheet else "the first with a table in it"
        notes.insert(0, f"Only the sheet {quote(answer['sheet'])} was read, {why}. Not read: {counted(len(others), 'sheet')}.")
    place = Place(Layout(sheet=answer["sheet"]), sheets=tuple(answer["sheets"]))
    return Rows(enumerate(answer["rows"], answer["line"]), notes, place=place, merged=answer["merged"])


def _check_archive(data, title):
    """Raise InputError for an archive that is damaged, or that unpacks to far more than expected."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MAX_UNPACKED or (size > UNCHECKED_BYTES and size > MAX_RATIO * len(data)):
                raise InputError(f"{title} {_PROBLEMS_OF_WORKBOOKS['bomb']}")
            if archive.testzip():
                raise zipfile.BadZipFile
    except InputError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
        raise InputError(f"{title} {_PROBLEMS_OF_WORKBOOKS['damaged']}") from None


# ---- errors such as #DIV/0!, formulas that were never calculated, hidden rows and columns, and merged cells of .ods ----

_NOTES_ON_SHEET = {
    "error": "Counted as empty: {} with an error such as #N/A or #DIV/0!.",
    "unknown": "Counted as empty: {} with a formula that was never calculated. Save the file in a spreadsheet, and upload it "
    "again.",
    "hidden": "The sheet hides {}, as by a filter. Hidden rows were read, too. Delete those that do not belong to the study.",
    "struck": "Struck out: {}. They were read like others. Delete the rows that do not belong to the study.",
    "merged": "Merged over several lines: {}. An .ods file has their value only in the first of these lines. Save it as .xlsx, and "
    "upload that.",
}
_MAX_ELEMENT_LENGTH = 9000  # bytes of a cell
_XLSX = {
    "error": re.compile(rb' t="e"'),
    "unknown": re.compile(
        rb"<c\b([^<>]{0,200})>\s{0,9}<f\b[^<>]{0,200}(?:/>|>[^<]{0,8192}</f>)\s{0,9}"
        rb"(?:<v\s?/>|<v>\s{0,9}</v>)?\s{0,9}</c>"
    ),
    "hidden": re.compile(  # a hidden row with a filled cell
        rb"<row\b[^<>]{0,400}\bhidden=[\"'](?:1|true)[\"'][^<>]{0,400}(?<!/)>\s{0,9}(?:<c\b[^<>]{0,200}/>\s{0,9}){0,30}"
        rb"<c\b[^<>]{0,200}(?<!/)>"
    ),
    "column": re.compile(rb"<(?:\w{1,9}:)?col\b[^<>]{0,400}>"),
}
_ODS = {
    "error": re.compile(rb"\bcalcext:value-type=[\"']error[\"']"),
    "unknown": re.compile(rb"<table:table-cell\b([^<>]{0,8192})>"),
    "hidden": re.compile(
        rb"<table:table-row\b[^<>]{0,400}\btable:visibility=[\"'](?:collapse|filter)[\"'][^<>]{0,400}(?<!/)>\s{0,9}"
        rb"(?:<table:(?:covered-)?table-cell\b[^<>]{0,200}/>\s{0,9}){0,30}<table:table-cell\b[^<>]{0,400}\boffice:value-type\s?="
    ),
    "merged": re.compile(rb"\btable:number-rows-spanned=[\"'](?!1[\"'])"),
    "column": re.compile(rb"<table:table-column\b[^<>]{0,400}>"),
}
_TABLE_OF_ODS = re.compile(rb"<table:table\s[^<>]{0,400}?\btable:name=[\"']([^\"'<>]{0,400})[\"']")
_FORMULA_OF_ODS = re.compile(rb"\btable:formula\s?=")
# A text may be empty.
_VALUE_OF_ODS = re.compile(rb"\boffice:(?:(?:string-|date-|time-|boolean-)?value\s?=|value-type\s?=\s?[\"']string)")
_REPEATED = re.compile(rb"\btable:number-columns-repeated\s?=\s?[\"'](\d{1,5})[\"']")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s?=\s?[\"']([^\"'<>]{0,400})[\"']")


def _notes_on_sheet(data, sheet, rows):
    """Notes on one sheet with these rows: its cells without a value, hidden rows and columns, and merged cells of .ods."""
    counts, hidden, next_column = Counter[str](), bytearray(max(map(len, rows), default=0)), 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        struck = _struck_out(archive)
        for part in _sheet_files(archive, sheet):
            of_ods = part == "content.xml"
            for kind, match in _matches(archive, part, sheet, _ODS if of_ods else _XLSX | struck):
                if kind == "column":
                    first, next_column, is_hidden = _columns_of(match[0].decode("utf-8", "replace"), next_column)
                    if is_hidden:
                        hidden[first:next_column] = b"\1" * len(hidden[first:next_column])
                elif kind == "unknown":
                    counts[kind] += _without_value(match) if of_ods else b't="str"' not in match[1]
                else:
                    counts[kind] += 1
    notes = [
        sentence.format(counted(n, "row" if kind == "hidden" else "cell"))
        for kind, sentence in _NOTES_ON_SHEET.items()
        if (n := counts[kind])
    ]
    filled = [
        _column_letters(j) for j, is_hidden in enumerate(hidden) if is_hidden and any(j < len(row) and row[j] for row in rows)
    ]
    if filled:
        notes.append(
            f"The sheet hides {counted(len(filled), 'column')}: {', '.join(filled[:12])}{', …' * (len(filled) > 12)}. Hidden "
            "columns were read, too. Leave out those that do not belong to the study."
        )
    return notes


def _columns_of(element, column):
    """(first column of an element, the one behind it, whether it hides them). column: its first one in an .ods file."""
    of = {name.rsplit(":", 1)[-1]: value for name, value in _ATTRIBUTE.findall(element)}
    numbers = [of.get(name, "0") for name in ("min", "max", "number-columns-repeated")]
    first, last, repeated = (int(text) if text.isdecimal() and len(text) < 6 else 0 for text in numbers)
    is_hidden = of.get("hidden") in ("1", "true") or of.get("visibility") in ("collapse", "filter")
    return (first - 1, last, is_hidden) if first else (column, column + max(repeated, 1), is_hidden)


def _column_letters(position) -> str:
    """The name of a column in a spreadsheet: A, Z, AA."""
    return (_column_letters(position // 26 - 1) if position > 25 else "") + chr(ord("A") + position % 26)


def _sheet_files(archive, sheet):
    """The file of this sheet in a workbook, those of all sheets if it is unclear."""
    names = archive.namelist()
    if "content.xml" in names:
        return ["content.xml"]

    def elements(part, tag):
        content = archive.read(part).decode("utf-8", "replace") if part in names else ""
        return [dict(_ATTRIBUTE.findall(match)) for match in re.findall(rf"<(?:\w+:)?{tag}\b[^<>]*>", content)]

    targets = {of.get("Id"): of.get("Target", "") for of in elements("xl/_rels/workbook.xml.rels", "Relationship")}
    ids = [of.get("r:id") for of in elements("xl/workbook.xml", "sheet") if unescape(of.get("name", "")) == sheet]
    target = targets.get(ids[0], "") if ids else ""
    part = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    return [part] if part in names else [name for name in names if name.startswith("xl/worksheets/") and name.endswith(".xml")]


def _struck_out(archive):
    """{"struck": the pattern of a filled cell that a line strikes out}, {} without such a style in an .xlsx."""
    styles = archive.read("xl/styles.xml") if "xl/styles.xml" in archive.namelist() else b""
    fonts, cells = (styles.partition(b"<" + tag)[2].partition(b"</" + tag)[0] for tag in (b"fonts", b"cellXfs"))
    struck = {i for i, font in enumerate(fonts.split(b"<font")[1:]) if re.search(rb"<strike(?! val=[\"'](?:0|false))", font)}
    of_cells = re.findall(rb"<xf\b[^<>]{0,400}\bfontId=[\"'](\d{1,5})", cells)
    numbers = "|".join(str(i) for i, font in enumerate(of_cells) if int(font) in struck).encode()
    return {"struck": re.compile(rb"<c\b[^<>]{0,100}\bs=[\"'](?:" + numbers + rb")[\"'][^<>]{0,100}(?<!/)>")} if numbers else {}


def _matches(archive, part, sheet, patterns):
    """(kind of element, match) of this sheet in one file of a workbook, which is read in parts."""
    of_ods = part == "content.xml"
    tail, offset, tables = b"", 0, [(-1, None if of_ods else sheet)]
    with archive.open(part) as file:
        while chunk := file.read(2**20):
            text = tail + chunk
            if of_ods:
                tables += [
                    (offset + match.start(), unescape(match[1].decode("utf-8", "replace")))
                    for match in _fresh(_TABLE_OF_ODS, text, tail)
                ]
            for kind, pattern in patterns.items():
                for match in _fresh(pattern, text, tail):
                    if tables[bisect(tables, offset + match.start(), key=itemgetter(0)) - 1][1] == sheet:
                        yield kind, match
            tail = text[-_MAX_ELEMENT_LENGTH:]
            offset += len(text) - len(tail)


def _fresh(pattern, text, tail):
    """The matches that do not end in the tail of the text before."""
    return (match for match in pattern.finditer(text) if match.end() > len(tail))


def _without_value(match) -> int:
    """The number of cells without a value that an element of an .ods file represents."""
    if not _FORMULA_OF_ODS.search(match[1]) or _VALUE_OF_ODS.search(match[1]):
        return 0
    repeated = _REPEATED.search(match[1])
    return int(repeated[1]) if repeated else 1


# ---- Parquet ----

PARQUET_ROWS = 10_000  # read at once
_NO_VALUES = (ValueError, OverflowError, KeyError)  # KeyError: raised by zoneinfo and pytz for an unknown time zone


def read_parquet(data: bytes, title: str) -> Columns:
    """The columns of a Parquet file. Raises InputError for a damaged or too large file, or a column of lists."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(data), page_checksum_verification=True)
        refuse_many_cells(file.metadata.num_rows, len(file.schema_arrow.names))
        table = _read_in_parts(file, data, title)
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError):
        raise InputError(f"{title} cannot be opened as Parquet. It is damaged, so save it again.") from None
    if nested := [field.name for field in table.schema if pa.types.is_nested(field.type)]:
        raise InputError(f"A cell must hold one value. These columns hold lists: {listed(nested)}. Leave them out.")
    try:
        table.validate(full=True)  # otherwise texts that are not UTF-8 would fail later
        frame = table.to_pandas(ignore_metadata=True)
    except (pa.ArrowException, *_NO_VALUES):
        raise InputError(
            f"{title} has cells that cannot be read, in {listed(_unreadable(table))}: damaged texts, days beyond the calendar, or "
            "an unknown time zone. Leave these columns out, or save them as text."
        ) from None
    return columns_of_frame(frame)


def _unreadable(table):
    import pyarrow as pa

    for field, column in zip(table.schema, table.columns, strict=True):
        try:
            column.validate(full=True)
            column.to_pandas()
        except (pa.ArrowException, *_NO_VALUES):
            yield field.name


def _read_in_parts(file, data, title):
    """The whole table, read in parts, because a few kilobytes can unpack to gigabytes. Texts are expanded after counting."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = file.schema_arrow
    texts = [field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)]
    file = pq.ParquetFile(io.BytesIO(data), read_dictionary=texts, page_checksum_verification=True)
    parts, size = [], 0
    for batch in file.iter_batches(batch_size=PARQUET_ROWS):
        size += sum(map(_expanded_bytes, batch.columns))
        if size > MAX_UNPACKED or (size > UNCHECKED_BYTES and size > MAX_RATIO * len(data)):
            raise InputError(
                f"{title} unpacks to far more data than expected from its size. Save the table as CSV and upload that."
            )
        parts.append(batch)
    return pa.Table.from_batches(parts, file.schema_arrow).cast(schema).replace_schema_metadata(None)


def _expanded_bytes(column) -> int:
    """Bytes of a part of a column if every cell stores its text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_null(column.type):
        return 8 * len(column)  # no space in the file, but some for each cell in memory
    if not pa.types.is_dictionary(column.type) or not (
        pa.types.is_string(column.type.value_type) or pa.types.is_large_string(column.type.value_type)
    ):
        return column.nbytes
    return column.indices.nbytes + (pc.sum(pc.binary_length(column.dictionary).take(column.indices)).as_py() or 0)


# ---- SPSS, Stata, SAS and R ----

LABELLED = {".sav": "SPSS", ".zsav": "SPSS", ".dta": "Stata", ".xpt": "SAS", ".rds": "R"}
_NEEDS = {".sav": "pyreadstat", ".zsav": "pyreadstat", ".rds": "pyreadr"}
_INSTEAD = {
    "SPSS": "save the table as CSV in SPSS (File, Save As, CSV, with value labels)",
    "Stata": "save it as CSV in Stata: export delimited using table.csv",
    "SAS": "save it as CSV in SAS (proc export)",
    "R": "save it as CSV in R: write.csv(x, 'table.csv')",
}
_PROBLEMS = {
    "damaged": "cannot be opened as a file of {program}. It is damaged or of an unknown kind, so {instead}.",
    "large": "is too large or unpacks to more than can be read. Leave out columns that are not needed, or {instead}.",
    "slow": "takes too long to open. Please {instead}.",
    "no table": "does not hold a single data frame (but a list, a model, or an object of Bioconductor). Convert it by "
    "x <- as.data.frame(x), then {instead}.",
}
_MAX_LABEL = 60  # characters, as the name of a column


def read_labelled(data: bytes, title: str, ending: str) -> Columns:
    """The columns of a .sav, .zsav, .dta, .xpt or .rds file.

    Foreign bytes may crash or stall the libraries that read them, so they run in another process. Raises InputError with the
    cause, or with the package to install if a library is missing.
    """
    import pyarrow as pa

    program = LABELLED[ending]
    library = _NEEDS.get(ending)
    if library and find_spec(library) is None:
        raise InputError(
            f"Files of {program} ({ending}) need the package {library}. Install it with  pip install {library}  and start again, "
            f"or {_INSTEAD[program]}."
        )
    answer, table = ask_process([ending, str(MAX_CELLS)], data, SECONDS, crashed="damaged")
    if "problem" in answer:
        raise InputError(f"{title} {_PROBLEMS[answer['problem']].format(program=program, instead=_INSTEAD[program])}")
    with pa.ipc.open_stream(table) as stream:
        frame = stream.read_pandas()
    refuse_many_cells(*frame.shape)
    return _label_columns(frame, answer, program)


def _label_columns(frame, answer, program):
    """The columns of a frame under their labels, if these are unique."""
    names = [str(name) for name in frame.columns]
    labels = [" ".join(answer["labels"].get(name, "").split()) for name in names]
    shared = {label for label in labels if labels.count(label) > 1 or label in names}
    new = [
        label if label and label not in shared and len(label) <= _MAX_LABEL else name
        for name, label in zip(names, labels, strict=True)
    ]
    label_of = dict(zip(names, new, strict=True))
    renamed = [f"{old}: {label}" for old, label in label_of.items() if old != label]
    notes = [f"This is a file of {program}."]
    if renamed:
        notes.append(f"Columns are named by their labels in the file: {listed(renamed)}.")
    if answer["levels"]:
        notes.append(f"Cells hold the labels of their values in {listed(label_of[name] for name in answer['levels'])}.")
    if declared := {label_of[name]: n for name, n in answer["declared"].items() if n}:
        n = counted(sum(declared.values()), "cell")
        notes.append(f"Counted as empty: {n} of {listed(declared)} with a value that the file declares as missing.")
    if answer["scales"]:
        notes.append(
            f"Numbers were kept where only the ends of a scale have labels: {listed(label_of[name] for name in answer['scales'])}."
        )
    return columns_of_frame(frame.set_axis(new, axis=1), notes)
