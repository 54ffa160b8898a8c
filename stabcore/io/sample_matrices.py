"""Formats with genes in rows and samples in columns, which say so: GEO series matrix and GCT; each sample becomes a row."""

from __future__ import annotations

from itertools import chain, count
from typing import Any

from stabcore.base.errors import InputError
from stabcore.base.text import listed, several, shown
from stabcore.io.contents import MAX_COLUMNS, Columns, refuse_ragged
from stabcore.io.names import as_in_file, describe_numbered, number_repeated
from stabcore.io.text import records, split_lines

_TEXT = (".txt", ".tsv", ".csv", ".gct")
_STARTS = ("!Series_", "!Sample_", "#1.2", "#1.3")
BEGIN, END = "!series_matrix_table_begin", "!series_matrix_table_end"
_OF_SAMPLES = {"!sample_title": "title", "!sample_source_name_ch1": "source", "!sample_source_name_ch2": "source 2"}
_MARKED = "!sample_characteristics_ch"
_MAX_ABOUT = 500  # lines about the samples
_AGAIN = "Download the file again."


def begins_sample_matrix(text: str, ending: str) -> bool:
    """Whether a text, of a file with this ending, begins as one of these formats does."""
    if ending == ".gct":
        return True
    if ending not in _TEXT or not text[:200].lstrip('\ufeff \t\r\n"').startswith(_STARTS):
        return False
    return _is_gct(text) or "!series_" in text[:200].lower() or _is_series_matrix(text)


def read_sample_matrix(text: str, ending: str, notes: list[str]) -> Columns:
    """The columns of a text in one of these formats, one row per sample. Raises InputError for errors in it."""
    if ending == ".gct" or _is_gct(text):
        columns = _read_gct(text)
    elif _is_series_matrix(text):
        columns = _read_series_matrix(text)
    else:
        raise InputError(f"This GEO series matrix has no table ({BEGIN}). It was cut off. {_AGAIN}")
    columns.notes[:0] = notes
    return columns


def refuse_many_features(count: int) -> None:
    """Raise InputError when the lines of a table are too many to become columns."""
    if count > MAX_COLUMNS:
        raise InputError(
            f"The table has {count:,} lines of measurements, which become columns. At most {MAX_COLUMNS:,} can be read. Keep those "
            "that vary most over the samples, whatever their class."
        )


def _turned(rows, samples, width, first=1):
    """({feature: its cell of each sample}, {feature that was numbered: its name in the file}) of rows of (line, cells).

    Their first cell names the row; those of the samples begin with `first`. Raises InputError for rows of another width.
    """
    for line, cells in rows:
        refuse_ragged(line, len(cells), width)
    in_file = [cells[0].strip() or f"line {line}" for line, cells in rows]
    names = number_repeated(in_file)
    cells_of = {name: cells[first : first + len(samples)] for name, (_, cells) in zip(names, rows, strict=True)}
    return cells_of, as_in_file(names, in_file)


def _columns(what, samples, about, measured, numbered, notes):
    """The samples, the columns about them, and the measurements; of two equal names the first is marked."""
    about = {f"{name} (of the sample)" if name in measured else name: cells for name, cells in about.items()}
    size = f"{several(len(samples), 'sample')} became rows, {several(len(measured), 'line')} of measurements became columns"
    notes = [f"{what}: {size}.", *notes, *describe_numbered(numbered)]
    if about:
        notes.append(f"Columns about the samples: {listed(about, 8)}.")
    texts = {"sample": samples, **about, **measured}
    return Columns(list(texts), list(texts.values()), notes=notes, separator="\t", about=tuple(about), numbered=numbered)


# ---- GEO series matrix: what is known of the samples stands in lines above the table ----


def _is_series_matrix(text):
    return text.lstrip().lower().startswith(("!series_", "!sample_")) and BEGIN in text.lower()


def _read_series_matrix(text):
    """The columns of a series matrix.

    The values of !Sample_characteristics lines ("tissue: liver") are put under their own key, sample by sample, because one line
    can hold different keys. Raises InputError for a table that is cut off, empty or does not fit its samples.
    """
    about_lines, rows, closed = _parts(text)
    if not closed:
        raise InputError(f"The series matrix ends before its last line, {END!r}. It was cut off. {_AGAIN}")
    if len(rows) < 2:
        raise InputError(
            "The series matrix holds no measurements. Series of sequencing data keep them in supplementary files: upload that "
            "table instead."
        )
    if len(about_lines) > _MAX_ABOUT:
        raise InputError(f"The series matrix has {len(about_lines)} lines about its samples. Delete all but {_MAX_ABOUT}.")
    samples = rows[0][1][1:]
    refuse_many_features(len(rows) - 1)
    about = _in_order(about_lines, samples)
    measured, numbered = _turned(rows[1:], samples, width=len(samples) + 1)
    return _columns("A GEO series matrix", samples, about, measured, numbered, [])


def _parts(text):
    """(cells of each line about the samples, (line, cells) of the table with its header, whether the table is closed)."""
    about, rows, inside = list[Any](), list[Any](), False
    for line, row in enumerate(split_lines(text), 1):
        if not row.strip():
            continue
        cells = [_bare(cell) for cell in row.split("\t")]
        first = cells[0].lower()
        if first == END:
            return about, rows, True
        if inside:
            rows.append((line, cells))
        elif first == BEGIN:
            inside = True
        elif first.startswith("!sample_"):
            about.append((first, cells[1:]))
    return about, rows, False


def _bare(cell):
    """A cell without its quotation marks, which are often left open inside the texts of these files."""
    cell = cell.strip()
    return cell[1:-1].strip() if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _in_order(about, samples):
    """{name: cells} of the columns about the samples, in the order of the table's columns."""
    accessions = next((cells for first, cells in about if first == "!sample_geo_accession"), samples)
    if sorted(accessions) != sorted(samples) or len(set(samples)) < len(samples):
        wrong = listed(sorted(set(accessions) ^ set(samples))) or "one comes twice"
        raise InputError(f"The samples above the table are not those of its columns ({wrong}). {_AGAIN}")
    place = {sample: i for i, sample in enumerate(accessions)}
    columns: dict[str, list[str]] = {}
    for first, cells in about:
        if first not in _OF_SAMPLES and not first.startswith(_MARKED):
            continue
        if len(cells) != len(accessions):
            n_samples = several(len(accessions), "sample")
            raise InputError(f"The line {shown(first)} has {several(len(cells), 'cell')} for {n_samples}. {_AGAIN}")
        if first in _OF_SAMPLES:
            columns[_OF_SAMPLES[first]] = list(cells)
        else:
            _put_characteristics(columns, cells)
    return {name: [cells[place[sample]] for sample in samples] for name, cells in columns.items()}


def _put_characteristics(columns, cells):
    """Put the cells of one line of characteristics under their keys; a second value of one sample gets a column of its own."""
    for i, cell in enumerate(cells):
        key, colon, value = cell.partition(":")
        key, value = (key.strip(), value.strip()) if colon else ("characteristics", cell)
        if not value:
            continue
        names = chain([key], (f"{key} ({n})" for n in count(2)))
        name = next(name for name in names if name not in columns or not columns[name][i])
        columns.setdefault(name, [""] * len(cells))[i] = value


# ---- GCT, versions 1.2 and 1.3 ----


def _is_gct(text):
    return text.split("\n", 1)[0].strip() in ("#1.2", "#1.3")


def _read_gct(text):
    """The columns of a GCT file.

    Raises InputError for another version, and for counts in the second line that are not those of the table.
    """
    rows = list(records(text, "\t"))
    version = rows[0][1][0].strip() if rows else ""
    if version not in ("#1.2", "#1.3"):
        raise InputError(f"A GCT file begins with #1.2 or #1.3, this one with {shown(version)}. Save it as GCT 1.2 or as CSV.")
    if len(rows) < 4:
        raise InputError("The GCT file ends before its first line of measurements. It was cut off. Copy it again.")
    line, cells = rows[1]
    counts = [int(cell) for cell in cells if cell.strip().isascii() and cell.strip().isdigit() and len(cell) < 10]
    needed = 2 if version == "#1.2" else 4
    if len(counts) < needed:
        found = shown(" ".join(cells))
        raise InputError(f"Line {line} of a GCT file states the numbers of rows and columns, not {found}. Save the file again.")
    n_rows, n_samples, before, n_about = (*counts[:2], 1, 0) if version == "#1.2" else counts[:4]
    header, about_rows, body = [cell.strip() for cell in rows[2][1]], rows[3 : 3 + n_about], rows[3 + n_about :]
    width = n_samples + 1 + before
    if len(header) != width or len(body) != n_rows:
        raise InputError(
            f"Line {line} of the GCT file promises {several(n_rows, 'row')} and {several(width, 'column')}, but there are "
            f"{len(body)} and {len(header)}. It was cut off or changed. Save it again."
        )
    refuse_many_features(n_rows)
    samples = header[1 + before :]
    if len(set(samples)) < len(samples):
        raise InputError("Two samples of the GCT file have the same name. Rename one of them.")
    about = _turned(about_rows, samples, width, first=1 + before)[0] if about_rows else {}
    notes = [f"Not kept, because they describe the columns: {listed(header[1 : 1 + before])}."] if before else []
    measured, numbered = _turned(body, samples, width, first=1 + before)
    return _columns("A GCT file", samples, about, measured, numbered, notes)
