"""What leaves beside the page: tables as CSV and as a workbook, settings, script, scenario, and everything as one zip."""

from __future__ import annotations

import io
import re
import zipfile
from importlib.util import find_spec

from stabcore.data.spreadsheets import csv_bytes, disarmed
from stabcore.report.repeat import files

AT = (1980, 1, 1, 0, 0, 0)          # the time of every file in a zip, so that the same study gives the same bytes
TIME, NEVER = re.compile(rb"\d{4}-\d\d-\d\dT[\d:]+Z"), b"1980-01-01T00:00:00Z"      # in a workbook
LONGEST_NAME = 31                   # of a sheet


def tables(parts) -> dict:
    """{name: DataFrame} of all tables and of those behind figures, in the order of the report."""
    return {block.name: block.frame for part in parts for block in part.blocks if block.kind in ("table", "picture")}


def tables_zip(parts) -> bytes:
    """All tables as CSV in one zip."""
    return zipped({f"{name}.csv": csv_bytes(frame) for name, frame in tables(parts).items()})


def workbook(parts) -> bytes | None:
    """All tables as one Excel file, a sheet each; None where no package that writes one is installed."""
    import pandas as pd

    engine = _engine()
    if engine is None:
        return None
    content = io.BytesIO()
    with pd.ExcelWriter(content, engine=engine) as book:
        for name, frame in tables(parts).items():
            disarmed(_plain(frame)).to_excel(book, sheet_name=name[:LONGEST_NAME], index=False)
    with zipfile.ZipFile(content) as made:          # the same bytes whenever it is made
        return zipped({name: TIME.sub(NEVER, made.read(name)) if name == "docProps/core.xml" else made.read(name)
                       for name in made.namelist()})


def everything(subject, parts, page) -> bytes:
    """One zip: the page, all tables, settings, script, scenario, BibTeX, and the study file as it is."""
    found = {"report.html": page.encode("utf-8")}
    found |= {f"tables/{name}.csv": csv_bytes(frame) for name, frame in tables(parts).items()}
    book = workbook(parts)
    found |= {"tables.xlsx": book} if book else {}
    found |= {name: text.encode("utf-8") for name, (_, text) in files(subject).items()}
    found |= {block.name: block.text.encode("utf-8") for part in parts for block in part.blocks if block.kind == "code"}
    if subject.is_study and subject.result.path:
        found["study.stab"] = subject.result.path.read_bytes()
    return zipped(found)


def zipped(files_in) -> bytes:
    """A zip of {name: bytes} whose bytes depend on these alone."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made:
        for name, one in files_in.items():
            made.writestr(zipfile.ZipInfo(name, AT), one, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def writes_workbooks() -> bool:
    """Is a package installed that writes Excel files?"""
    return _engine() is not None


def _engine():
    return next((name for name in ("openpyxl", "xlsxwriter") if find_spec(name)), None)


def _plain(frame):
    """Cells that a workbook cannot hold, as lists, become texts."""
    made = frame.copy()
    for column in made.columns:
        if made[column].dtype == object:
            made[column] = made[column].map(lambda one: ", ".join(map(str, one)) if isinstance(one, (list, tuple)) else one)
    return made
