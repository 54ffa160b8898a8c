"""A separate process for files that may crash, stall or fill the memory of the program that opens them.

Run as a script, it reads a workbook or a file of SPSS, Stata, SAS or R from standard input. It writes a line of JSON, the answer
or the problem, to standard output. For all formats but workbooks, the table follows in Arrow's format.
"""

import datetime
import io
import json
import os
import sys
from itertools import islice
from pathlib import Path
from typing import Any

MEMORY = 2 * 2**30


def ask_process(arguments: list[str], data: bytes, seconds: int, crashed: str) -> tuple[dict, bytes]:
    """(answer, table) of a process that reads a file. crashed: the problem of a process without an answer."""
    import subprocess  # not at the top, because the child process should start quickly

    try:
        process = subprocess.run(
            [sys.executable, "-I", __file__, *arguments], input=data, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return {"problem": "slow"}, b""
    if process.returncode != 0:
        return {"problem": crashed}, b""
    answer, _, table = process.stdout.partition(b"\n")
    return json.loads(answer), table


def main(kind, max_cells, *limits):
    """kind: "workbook", or the ending of a file of SPSS, Stata, SAS or R."""
    data, max_cells = sys.stdin.buffer.read(), int(max_cells)
    if kind == "workbook":
        limit_memory()
        answer, table = read_workbook(data, max_cells, *limits), b""
    else:
        import pandas  # noqa: F401   loaded before memory is limited: libraries reserve more than they use
        import pyarrow  # noqa: F401

        limit_memory()
        answer, table = read_labelled(data, kind, max_cells)
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + table)


def limit_memory():
    """Limit the memory where the system allows it, so that an excessive allocation fails at once."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


# ---- workbooks ----

MIN_ROWS = 11  # smallest number of rows of a table for a study: names and ten rows, more than a cover sheet has
LOOK_AT = 40


def read_workbook(data, max_cells, max_characters, longest, wanted):
    """The requested sheet, else the first that looks like a table, else the first that is not empty, or the problem with it."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    characters_left = int(max_characters)  # a text shared by many cells takes space for each of them
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        visible = [sheet.name for sheet in sheets if sheet.visible == SheetVisibleEnum.Visible]
        names = visible or [sheet.name for sheet in sheets]
        if wanted and wanted not in names:
            return {"problem": "sheet", "sheets": names}
        best, best_sheet, large = 0, None, False
        for name in [wanted] if wanted else names:
            sheet = book.get_sheet_by_name(name)
            if sheet.start is None:
                continue
            if sheet.height * sheet.width > max_cells:
                large = True
                continue
            rows = []
            for row in islice(sheet.iter_rows(), sheet.start[0], None):  # from the first filled row
                rows.append([text_of(cell) for cell in row])
                characters_left -= sum(map(len, rows[-1]))
                if max(map(len, rows[-1]), default=0) > int(longest):
                    return {"problem": "long"}
                if characters_left < 0:
                    return {"problem": "bomb"}
            if likeness(rows) > best:
                best, best_sheet = likeness(rows), {"sheets": names, "sheet": name, "line": sheet.start[0] + 1, "rows": rows}
                best_sheet["merged"] = merged_lines(sheet)
            if best == 3:
                break
    except PasswordError:
        return {"problem": "password"}
    except CalamineError:
        return {"problem": "damaged"}
    return {"problem": "large"} if large and best < 3 else best_sheet or {"problem": "empty"}


def merged_lines(sheet):
    """(first line, last line, position of its column) of each cell that is merged over several lines of one column."""
    ranges = sheet.merged_cell_ranges or []  # unknown in .ods
    return [(top + 1, bottom + 1, left) for (top, left), (bottom, right) in ranges if left == right and top < bottom]


def likeness(rows):
    """A score of a sheet: 1 is not a table, 2 has rows of several cells, 3 also has a column of numbers. Few rows give 1 to 2."""
    table = [row for row in rows if sum(map(bool, row)) > 1]
    if len(table) < MIN_ROWS:
        return 1 + len(table) / MIN_ROWS
    few = table[1:LOOK_AT]
    return 3 if any(2 * sum(is_number(row[j]) for row in few) > len(few) for j in range(len(few[0]))) else 2


def is_number(cell):
    """Whether a text is a number, also below or above a limit."""
    try:
        float(cell.replace(",", ".").lstrip("<>"))
    except ValueError:
        return False
    return True


def text_of(cell):
    """A cell as text, whole numbers without a point."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    return str(cell)


# ---- SPSS, Stata, SAS and R ----

MIN_BETWEEN = 3  # smallest number of unlabelled values between two labelled ends of a scale
ZERO_OF_SAS = 5.4e-79
SECONDS = ("DATETIME", "E8601DT", "DATEAMPM")
DAYS = ("DATE", "DDMMYY", "MMDDYY", "YYMMDD", "E8601DA", "IS8601DA", "MONYY", "WORDDAT")


def read_labelled(data, ending, max_cells):
    """(answer, table in Arrow's format). For damaged bytes the libraries raise many kinds of errors. Each means not readable."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table" + ending)
        Path(path).write_bytes(data)
        try:
            frame, labels, values, declared = {".dta": read_stata, ".xpt": read_sas, ".rds": read_r}.get(ending, read_spss)(path)
            if frame is None:
                return {"problem": "no table"}, b""
            if frame.shape[0] * frame.shape[1] > max_cells:
                return {"problem": "large"}, b""
            return packed(frame, labels, values, declared)
        except MemoryError:
            return {"problem": "large"}, b""
        except Exception:
            return {"problem": "damaged"}, b""


def read_spss(path):
    """(frame, {column: its label}, {column: {value: its label}}, {column: number of values that are declared as missing})."""
    import pyreadstat

    frame, meta = pyreadstat.read_sav(path, user_missing=True)
    declared = {}
    if meta.missing_ranges:
        written, (frame, _) = frame, pyreadstat.read_sav(path)
        declared = {name: int((frame[name].isna() & written[name].notna()).sum()) for name in meta.missing_ranges}
    return frame, {k: v for k, v in meta.column_names_to_labels.items() if v}, meta.variable_value_labels, declared


def read_stata(path):
    """The frame and its value labels, found by reading twice, as numbers and as labels."""
    import pandas as pd

    opened: Any = pd.read_stata(path, iterator=True, convert_categoricals=False)
    with opened as reader:
        frame = reader.read()
        labels = {name: label for name, label in reader.variable_labels().items() if label}
        has_levels = bool(reader.value_labels())
    values = {}
    if has_levels:
        labelled = pd.read_stata(path, convert_categoricals=True, order_categoricals=False)
        for name in frame.columns:
            if isinstance(labelled[name].dtype, pd.CategoricalDtype):
                pairs = zip(frame[name], labelled[name].astype(object), strict=True)
                values[name] = {number: label for number, label in pairs if isinstance(label, str)}
    return frame, labels, {name: of_values for name, of_values in values.items() if of_values}, {}


def read_sas(path):
    """Dates (days since 1960) and times (seconds since 1960), identified by their format only.

    pandas reads the zero of SAS as the smallest number there is.
    """
    import pandas as pd

    opened: Any = pd.read_sas(path, format="xport", iterator=True, encoding="latin-1")
    with opened as reader:
        frame, fields = reader.read(), reader.fields
    text = {
        field["name"].decode("latin-1").strip(): {key: field[key].decode("latin-1").strip() for key in ("label", "nform")}
        for field in fields
    }
    for name, field in text.items():
        if frame[name].dtype.kind == "f":
            frame[name] = frame[name].mask(frame[name].abs() < ZERO_OF_SAS, 0.0)
            seconds, days = (field["nform"].upper().startswith(kinds) for kinds in (SECONDS, DAYS))
            if seconds or days:
                frame[name] = pd.Timestamp("1960-01-01") + pd.to_timedelta(frame[name], unit="s" if seconds else "D")
        else:
            frame[name] = frame[name].replace("", None)
    return frame, {name: field["label"] for name, field in text.items() if field["label"]}, {}, {}


def read_r(path):
    """The frame of R, with row names as in write.csv unless they are just numbers."""
    import pyreadr

    tables = pyreadr.read_r(path)
    frame = tables[None] if list(tables.keys()) == [None] else None
    if frame is None or not len(frame.columns):
        return None, {}, {}, {}
    if list(map(str, frame.index)) not in ([str(i + start) for i in range(len(frame))] for start in (0, 1)):
        frame = frame.rename_axis(None).reset_index(names="row name" if "row name" not in frame else "row name (of R)")
    return frame, {}, {}, {}


def packed(frame, labels, values, declared):
    """(answer, bytes) with labels in place of labelled values."""
    import pyarrow as pa

    levels, scales = [], []
    for name in frame.columns:
        of_values = values.get(name)
        if of_values and is_scale(of_values, frame[name]):
            scales.append(name)
        elif of_values and frame[name].isin(list(of_values)).any():
            frame[name] = frame[name].astype(object).map(lambda cell, labels_of=of_values: labels_of.get(cell, cell))
            levels.append(name)
        if frame[name].dtype.kind not in "iufbM":
            frame[name] = as_texts(frame[name])
    table = pa.Table.from_pandas(frame, preserve_index=False)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return {"labels": labels, "levels": levels, "scales": scales, "declared": declared}, sink.getvalue().to_pybytes()


def is_scale(labels, column):
    """Whether the labels name only the ends of a scale of numbers, as 0 (no pain) and 10 (worst pain)."""
    cells = set(column.dropna())
    if len(labels) != 2 or not all(isinstance(value, (int, float)) for value in [*labels, *cells]):
        return False
    low, high = sorted(labels)
    return all(low <= value <= high for value in cells) and sum(low < value < high for value in cells) >= MIN_BETWEEN


def as_texts(column):
    """Cells as texts, whole numbers without a point, None where missing."""
    import pandas as pd

    def text(cell):
        return str(int(cell)) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15 else str(cell)

    return pd.array([None if pd.isna(cell) or cell == "" else text(cell) for cell in column.astype(object)], dtype="str")


if __name__ == "__main__":
    main(*sys.argv[1:])
