"""Reading what people bring: a table or a list of feature groups, as a file, bytes or pasted text."""

from __future__ import annotations

from dataclasses import replace

from stabcore.io.files import MAX_BYTES, TABLE_ENDINGS, WORKBOOKS, load, open_workbook, parquet_frame
from stabcore.io.formats import read_known
from stabcore.io.frame import Reading, texts_of, typed, understood
from stabcore.io.layout import FOUND, Layout, MisplacedError, place_table
from stabcore.io.printed_lists import refuse_code
from stabcore.io.rows import check_names, named_columns
from stabcore.io.text import SEPARATORS, decode, find_separator, quoted_by_spaces, records, refuse_control
from stabcore.errors import InputError
from stabcore.wording import listed, nearest, shown


def read_table(source, name=None, *, header=True, layout: Layout = FOUND) -> Reading:
    """Read a table: .csv, .tsv, .txt (each also .gz), .xlsx, .xls, .ods, .parquet, .gct, .sav, .dta, .xpt or .rds.

    source: path, bytes or file-like object; name: file name whose ending tells the format, for bytes. header: whether
    a line holds the column names. layout: where the table lies, as far as it was chosen. Columns become int64, float64,
    bool, datetime64 or str; NaN is missing. A column of numbers with some text stays text as it stands. Raises
    InputError with line and column of what is wrong.
    """
    data, name, ending = load(source, name, TABLE_ENDINGS)
    known = read_known(data, name, ending)
    if known is not None:
        return known
    if ending == ".parquet":
        columns, texts = typed(*_parquet(data, name))
        return replace(understood(texts, None, [], others=columns, decimal=layout.decimal), chosen=layout)
    rows, separator, notes, sheet, sheets = _rows(data, name, ending, layout.sheet)
    try:
        reading = _read_rows(rows, notes, separator, header, replace(layout, sheet=sheet))
    except MisplacedError as error:
        raise MisplacedError(str(error), error.head, replace(layout, sheet=sheet), sheets) from None
    return replace(reading, sheets=sheets, chosen=layout)


def read_text(text: str, *, header=True) -> Reading:
    """Read a pasted table whose cells are separated by tabs, commas, semicolons, vertical bars or spaces.

    Raises InputError as read_table does.
    """
    text = clean_paste(text)
    refuse_code(text)
    separator = find_separator(text, spaces=True)
    return _read_rows(records(text, separator), [note_on_separator(separator)], separator, header, FOUND)


def _read_rows(rows, notes, separator, header, layout):
    if not header:
        texts, lines, more = named_columns(rows, separator, header)
        return understood(texts, lines, [*notes, *more], separator, decimal=layout.decimal)
    placed = place_table(rows, layout)
    try:
        texts, lines, more = named_columns(placed.rows, separator)
    except InputError as error:
        raise MisplacedError(str(error), placed.head, placed.layout) from None
    reading = understood(texts, lines, [*notes, *placed.notes, *more], separator, decimal=layout.decimal)
    units = {name: unit for name, unit in placed.units.items() if name in texts}
    return replace(reading, units=units, layout=placed.layout, head=placed.head)


def _rows(data, name, ending, sheet=None):
    """(iterable of (line, cells), separator or "", notes, sheet or None, its sheets) of a text file or a workbook."""
    if ending in WORKBOOKS:
        workbook, notes = open_workbook(data, name, sheet)
        rows = ((line, row) for line, row in enumerate(workbook["rows"], workbook["line"]) if any(row))
        return rows, "", notes, workbook["sheet"], tuple(workbook["sheets"])
    text, notes = decode(data)
    refuse_code(text)
    separator = find_separator(text, spaces=ending == ".txt" or quoted_by_spaces(text))
    if (ending, separator) not in ((".csv", ","), (".tsv", "\t")):
        notes.append(note_on_separator(separator))
    return records(text, separator), separator, notes, None, ()


def _parquet(data, name):
    frame = parquet_frame(data, name)
    if not len(frame):
        raise InputError("The table has column names, but no rows; there is nothing to read.")
    return frame, check_names([str(column).strip() for column in frame.columns])


def note_on_separator(separator: str) -> str:
    """What was assumed to part the cells."""
    return f"The cells are separated by {SEPARATORS.get(separator, repr(separator))}."


def clean_paste(text: str) -> str:
    """Pasted text that is safe to split. Raises InputError when it is empty, too long or not text."""
    if not text.strip():
        raise InputError("Nothing was pasted; copy the table with its column names and paste it here.")
    if len(text) > MAX_BYTES:
        raise InputError("The pasted text is too long; save it as a file and upload that.")
    refuse_control(text)
    # A lone surrogate, as a browser may send, is no character and would stop the reading later.
    return text.removeprefix("\ufeff").encode("utf-8", "replace").decode()


def read_groups(source, features) -> dict[str, list[str]]:
    """Read a table with the columns feature and group: {group: [its features]}, in the order of the file.

    source: path, bytes or file-like object, or pasted text (a str is always text); features: the names that exist.
    A feature without a group stands alone. Raises InputError for missing columns, features that do not exist (with
    the nearest name), and a feature in two groups.
    """
    known, of = {str(name) for name in features}, {}
    for line, feature, group in group_columns(source):
        if feature and group and of.setdefault(feature, group) != group:
            raise InputError(f"{shown(feature)} is in two groups, {shown(of[feature])} and (line {line}) "
                             f"{shown(group)}; a feature can be in one group, so delete one of the lines.")
    unknown = [name for name in of if name not in known]
    if unknown:
        first = ", ".join(f"{shown(name)}{nearest(name, known)}" for name in unknown[:5])
        more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
        raise InputError(f"These are not features of this table: {first}{more}. Correct the names or delete their lines.")
    if not of:
        raise InputError("No line has both a feature and a group; there is nothing to group.")
    groups = {}
    for feature, group in of.items():
        groups.setdefault(group, []).append(feature)
    return groups


def group_columns(source, name=None):
    """(line, feature, group) of each line of a table with these two columns; both may be empty."""
    texts, lines = _texts(source, name)
    columns = {name.lower(): column for name, column in texts.items()}
    for needed in ("feature", "group"):
        if needed not in columns:
            raise InputError(f"A list of groups needs the columns 'feature' and 'group'; found {listed(texts)}, but no {needed!r}.")
    return zip(lines, columns["feature"], columns["group"], strict=True)


def _texts(source, name=None):
    """(columns as they stand, lines): in names, 'Na' is sodium and '007' is not seven, so no cell is understood."""
    if isinstance(source, str):
        text = clean_paste(source)
        separator = find_separator(text, spaces=True)
        rows = records(text, separator)
    else:
        data, name, ending = load(source, name)
        if ending == ".parquet":
            frame, names = _parquet(data, name)
            return {name: texts_of(frame.iloc[:, j]) for j, name in enumerate(names)}, range(1, len(frame) + 1)
        rows, separator, *_ = _rows(data, name, ending)
    texts, lines, _ = named_columns(rows, separator)
    return {name: [cell.strip() for cell in column.to_pylist()] for name, column in texts.items()}, lines
