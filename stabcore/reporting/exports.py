"""Files beside the page: tables as CSV and as a workbook, everything as one zip."""

from stabcore.data.spreadsheets import csv_bytes, xlsx_bytes, zip_bytes
from stabcore.glossary.headings import readable_frame
from stabcore.reporting.citations import Citations
from stabcore.reporting.guidelines import guidelines
from stabcore.reporting.methods import methods
from stabcore.reporting.page import READABLE_VALUES
from stabcore.reporting.repeat import repeat_files


def tables(parts) -> dict:
    """Return {name: DataFrame} of all tables, also of figures, in the order of the report."""
    return {block.name: block.frame for part in parts for block in part.blocks if block.kind in ("table", "picture")}


def _readable_tables(parts) -> dict:
    """The same tables with names in words and the headings of the page."""
    return {name.replace("_", " "): readable_frame(frame, READABLE_VALUES) for name, frame in tables(parts).items()}


def tables_zip(parts) -> bytes:
    """Return all tables as CSV in one zip."""
    return zip_bytes({f"{name}.csv": csv_bytes(frame) for name, frame in _readable_tables(parts).items()})


def workbook(parts) -> bytes:
    """Return all tables as one Excel file, with one sheet per table."""
    return xlsx_bytes(_readable_tables(parts))


def references(subject) -> str:
    """Return the references of the report as BibTeX."""
    citations = Citations()
    methods(subject, citations), guidelines(subject, citations)
    return citations.bibtex()


def archive(subject, parts, page) -> bytes:
    """Return one zip: the page, all tables, settings, script, scenario, BibTeX, and the study file."""
    files_in = {"report.html": page.encode("utf-8")}
    files_in |= {f"tables/{name}.csv": csv_bytes(frame) for name, frame in _readable_tables(parts).items()}
    files_in["tables.xlsx"] = workbook(parts)
    files_in |= {name: text.encode("utf-8") for name, (_, text) in repeat_files(subject).items()}
    files_in["references.bib"] = references(subject).encode("utf-8")
    if subject.is_study and subject.result.path:
        files_in["study.stab"] = subject.result.path.read_bytes()
    return zip_bytes(files_in)
