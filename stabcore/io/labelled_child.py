"""Run as a script: a file of SPSS, Stata, SAS or R on standard input; a line of JSON, then the table, on standard output."""

import json
import os
import runpy
import sys
import tempfile
from pathlib import Path

FEWEST_BETWEEN = 3      # numbers without a label between two ends that have one: a scale, not classes

ZERO_OF_SAS = 5.4e-79
SECONDS = ("DATETIME", "E8601DT", "DATEAMPM")
DAYS = ("DATE", "DDMMYY", "MMDDYY", "YYMMDD", "E8601DA", "IS8601DA", "MONYY", "WORDDAT")


def main(ending, max_cells):
    import pandas  # noqa: F401   loaded before memory is limited: libraries reserve more than they use
    import pyarrow  # noqa: F401

    runpy.run_path(str(Path(__file__).with_name("workbook.py")))["limit_memory"]()
    answer, body = read(sys.stdin.buffer.read(), ending, max_cells)
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + body)


def read(data, ending, max_cells):
    """(answer, table in Arrow's format). The libraries raise all kinds of errors for foreign bytes; each means: not readable."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table" + ending)
        Path(path).write_bytes(data)
        try:
            frame, labels, values = {".dta": stata, ".xpt": sas, ".rds": r}.get(ending, spss)(path)
            if frame is None:
                return {"problem": "no table"}, b""
            if frame.shape[0] * frame.shape[1] > max_cells:
                return {"problem": "large"}, b""
            return packed(frame, labels, values)
        except MemoryError:
            return {"problem": "large"}, b""
        except Exception:
            return {"problem": "damaged"}, b""


def spss(path):
    import pyreadstat

    frame, meta = pyreadstat.read_sav(path)
    return frame, {k: v for k, v in meta.column_names_to_labels.items() if v}, meta.variable_value_labels


def stata(path):
    """Labels of values are found by reading twice, as numbers and as their labels."""
    import pandas as pd

    with pd.read_stata(path, iterator=True, convert_categoricals=False) as reader:
        frame, labels = reader.read(), {k: v for k, v in reader.variable_labels().items() if v}
        has_levels = bool(reader.value_labels())
    values = {}
    if has_levels:
        told = pd.read_stata(path, convert_categoricals=True, order_categoricals=False)
        for name in frame.columns:
            if isinstance(told[name].dtype, pd.CategoricalDtype):
                pairs = zip(frame[name], told[name].astype(object), strict=True)
                values[name] = {number: label for number, label in pairs if isinstance(label, str)}
    return frame, labels, {name: of_values for name, of_values in values.items() if of_values}


def sas(path):
    """Dates are days, and times are seconds, since 1960: only their format tells them from measurements.

    pandas reads the zero of SAS as the smallest number there is.
    """
    import pandas as pd

    with pd.read_sas(path, format="xport", iterator=True, encoding="latin-1") as reader:
        frame, fields = reader.read(), reader.fields
    text = {field["name"].decode("latin-1").strip(): {key: field[key].decode("latin-1").strip() for key in ("label", "nform")}
            for field in fields}
    for name, field in text.items():
        if frame[name].dtype.kind == "f":
            frame[name] = frame[name].mask(frame[name].abs() < ZERO_OF_SAS, 0.0)
            seconds, days = (field["nform"].upper().startswith(kinds) for kinds in (SECONDS, DAYS))
            if seconds or days:
                frame[name] = pd.Timestamp("1960-01-01") + pd.to_timedelta(frame[name], unit="s" if seconds else "D")
        else:
            frame[name] = frame[name].replace("", None)
    return frame, {name: field["label"] for name, field in text.items() if field["label"]}, {}


def r(path):
    """Row names come as R's write.csv writes them, but only where they are no mere numbers."""
    import pyreadr

    tables = pyreadr.read_r(path)
    frame = tables[None] if list(tables.keys()) == [None] else None
    if frame is None or not len(frame.columns):
        return None, {}, {}
    if list(map(str, frame.index)) not in ([str(i + start) for i in range(len(frame))] for start in (0, 1)):
        frame = frame.rename_axis(None).reset_index(names="row name" if "row name" not in frame else "row name (of R)")
    return frame, {}, {}


def packed(frame, labels, values):
    """(answer, bytes) with labels in the place of the values that have one."""
    import pyarrow as pa

    levels, scales = [], []
    for name in frame.columns:
        of_values = values.get(name)
        if of_values and is_scale(of_values, frame[name]):
            scales.append(name)
        elif of_values:
            frame[name] = frame[name].astype(object).map(lambda cell, found=of_values: found.get(cell, cell))
            levels.append(name)
        if frame[name].dtype.kind not in "iufbM":
            frame[name] = texts(frame[name])
    table = pa.Table.from_pandas(frame, preserve_index=False)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return {"labels": labels, "levels": levels, "scales": scales}, sink.getvalue().to_pybytes()


def is_scale(labels, column):
    """Whether the labels name only the ends of a scale of numbers, as 0 (no pain) and 10 (worst pain)."""
    cells = set(column.dropna())
    if len(labels) != 2 or not all(isinstance(value, (int, float)) for value in [*labels, *cells]):
        return False
    low, high = sorted(labels)
    return all(low <= value <= high for value in cells) and sum(low < value < high for value in cells) >= FEWEST_BETWEEN


def texts(column):
    """Cells as texts, whole numbers without a point, None where missing."""
    import pandas as pd

    def text(cell):
        return str(int(cell)) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15 else str(cell)

    return pd.array([None if pd.isna(cell) or cell == "" else text(cell) for cell in column.astype(object)], dtype="str")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
