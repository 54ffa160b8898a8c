"""Tables as files that a spreadsheet opens safely."""

import io
import re
import zipfile

MAX_NAME_LENGTH, MAX_CELL_LENGTH = 31, 32_000  # characters of the name of a sheet and of a cell, where Excel allows 32,767
_FILE_TIME = (1980, 1, 1, 0, 0, 0)  # the time of every file in a zip
_TIME, _FIXED_TIME = re.compile(rb"\d{4}-\d\d-\d\dT[\d:]+Z"), b"1980-01-01T00:00:00Z"  # in a workbook
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # characters that no workbook holds
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # characters that begin a formula
_INNER_FORMULA_START = re.compile(
    r"([;\t\r\n]\s*)(?=[=+\-@＝＋－＠])"
)  # positions at which a spreadsheet with other settings may begin a cell


def disarm_formulas(frame):
    """The frame with an apostrophe before texts that a spreadsheet takes for a formula, also after separators."""

    def safe(cell):
        if not isinstance(cell, str):
            return cell
        cell = _INNER_FORMULA_START.sub(r"\1'", cell)
        return f"'{cell}" if cell.lstrip(" ").startswith(FORMULA_STARTS) else cell

    return _map_texts(frame, safe)


def _map_texts(frame, cell_of):
    """The frame with a function applied to its names and to all cells but numbers."""
    changed = frame.rename(columns=cell_of)
    for column in changed.columns:
        if changed[column].dtype.kind not in "fiub":
            changed[column] = changed[column].map(cell_of)
    return changed


def csv_bytes(frame) -> bytes:
    """CSV that a spreadsheet opens safely: a text cell that would start a formula gets a leading apostrophe."""
    return disarm_formulas(frame).to_csv(index=False, lineterminator="\n").encode("utf-8-sig")


def xlsx_bytes(frames) -> bytes:
    """An Excel workbook of {name of the sheet: DataFrame} without formulas. Equal tables give equal bytes."""
    import pandas as pd

    content = io.BytesIO()
    with pd.ExcelWriter(content, engine="openpyxl") as book:
        for name, frame in frames.items():
            disarm_formulas(_storable_cells(frame)).to_excel(book, sheet_name=name[:MAX_NAME_LENGTH], index=False, inf_rep="")
    with zipfile.ZipFile(content) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["docProps/core.xml"] = _TIME.sub(_FIXED_TIME, files["docProps/core.xml"])
    return zip_bytes(files)


def _storable_cells(frame):
    """Cells that a workbook cannot hold become texts that it can."""

    def text(cell):
        cell = ", ".join(map(str, cell)) if isinstance(cell, (list, tuple)) else cell
        return _NOT_XML.sub("", cell)[:MAX_CELL_LENGTH] if isinstance(cell, str) else cell

    return _map_texts(frame, text)


def zip_bytes(files) -> bytes:
    """A zip of {name: bytes} that depends on nothing else."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _FILE_TIME), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
