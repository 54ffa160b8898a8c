"""Formats with genes in rows and samples in columns, which say so: GEO series matrix and GCT; each sample becomes a row."""

from __future__ import annotations

from itertools import chain, count
from typing import Any

from stabcore.base.errors import InputError
from stabcore.base.text import listed, several, shown
from stabcore.io.contents import MAX_COLUMNS, Columns
from stabcore.io.names import as_in_file, describe_numbered, number_repeated
from stabcore.io.text import records, split_lines

_TEXT = (".txt", ".tsv", ".csv", ".gct")
_STARTS = ("!Series_", "!Sample_", "#1.2", "#1.3")
BEGIN, END = "!series_matrix_table_begin", "!series_matrix_table_end"
_OF_SAMPLES = {"!sample_title": "title", "!sample_source_name_ch1": "source", "!sample_source_name_ch2": "source 2"}
_MARKED = "!sample_characteristics_ch"
_MOST_ABOUT = 500  # lines about the samples


def begins_sample_matrix(text: str, ending: str) -> bool:
    """Whether a text, of a file with this ending, begins as one of these formats does."""
    if ending == ".gct":
        return True
    if ending not in _TEXT or not text[:200].lstrip('\ufeff \t\r\n"').startswith(_STARTS):
        return False
    return _is_gct(text) or "!series_" in text[:200].lower() or _is_series_matrix(text)


def read_sample_matrix(text: str, ending: str, notes: list[str]) -> Columns:
    """The columns of a text that begins so, one row a sample. Raises InputError for what is wrong in it."""
    if ending == ".gct" or _is_gct(text):
        columns = _read_gct(text)
    elif _is_series_matrix(text):
        columns = _read_series_matrix(text)
    else:
        raise InputError(
            "This file begins as a GEO series matrix, but has no table (!series_matrix_table_begin); it was cut off, "
            "so download it again."
        )
    columns.notes[:0] = notes
    return columns


def refuse_many_features(count: int) -> None:
    """Raise InputError when the lines of a table are too many to become columns."""
    if count > MAX_COLUMNS:
        raise InputError(
            f"The table has {count:,} lines of measurements, which become columns, but at most {MAX_COLUMNS:,} "
            "columns can be read; keep those that vary most over the samples, whatever their class."
        )


def _turned(rows, samples, width, first=1):
    """({feature: its cell of each sample}, {feature that was numbered: its name in the file}) of rows of (line, cells).

    Their first cell names the row; those of the samples begin with `first`. Raises InputError for rows of another width.
    """
    for line, cells in rows:
        if len(cells) != width:
            raise InputError(
                f"Line {line} has {several(len(cells), 'cell')}, but there are {several(width, 'column')}; the file "
                "was cut off or changed, so save or download it again."
            )
    in_file = [cells[0].strip() or f"line {line}" for line, cells in rows]
    names = number_repeated(in_file)
    return (
        {name: cells[first : first + len(samples)] for name, (_, cells) in zip(names, rows, strict=True)},
        as_in_file(names, in_file),
    )


def _columns(samples, about, measured, numbered, notes):
    """The samples, what is known of them, and what was measured; names of the second that the third has, too, are told apart."""
    about = {f"{name} (of the sample)" if name in measured else name: cells for name, cells in about.items()}
    if about:
        notes.append(f"Known of the samples, each a column of its own: {listed(about, 8)}.")
    texts = {"sample": samples, **about, **measured}
    return Columns(list(texts), list(texts.values()), notes=notes, separator="\t", about=tuple(about), numbered=numbered)


# ---- GEO series matrix: what is known of the samples stands in lines above the table ----


def _is_series_matrix(text):
    return text.lstrip().lower().startswith(("!series_", "!sample_")) and BEGIN in text.lower()


def _read_series_matrix(text):
    """The columns of a series matrix.

    The values of !Sample_characteristics lines ("tissue: liver") are put under their own key, sample by sample: in one line
    different samples may tell different things. Raises InputError for a table that is cut off, empty or does not fit its samples.
    """
    about_lines, rows, closed = _parts(text)
    if not closed:
        raise InputError(f"The series matrix ends before its last line, {END!r}; the file was cut off, so download it again.")
    if len(rows) < 2:
        raise InputError(
            "The series matrix holds no measurements: series of sequencing data keep them in supplementary files; "
            "bring the table of counts or expressions instead."
        )
    if len(about_lines) > _MOST_ABOUT:
        raise InputError(
            f"The series matrix has {len(about_lines)} lines about its samples; at most {_MOST_ABOUT} are read, so "
            "delete those that are not needed."
        )
    samples = rows[0][1][1:]
    refuse_many_features(len(rows) - 1)
    about = _in_order(about_lines, samples)
    measured, numbered = _turned(rows[1:], samples, width=len(samples) + 1)
    notes = [
        f"A GEO series matrix: its {several(len(samples), 'sample')} became the rows and its {several(len(rows) - 1, 'line')} "
        "of measurements the columns.",
        *describe_numbered(numbered),
    ]
    return _columns(samples, about, measured, numbered, notes)


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
    """{name: cells} of what is known of the samples, in the order of the table's columns."""
    accessions = next((cells for first, cells in about if first == "!sample_geo_accession"), samples)
    if sorted(accessions) != sorted(samples) or len(set(samples)) < len(samples):
        wrong = sorted(set(accessions) ^ set(samples))
        raise InputError(
            f"The samples above the table are not those of its columns ({listed(wrong) or 'one comes twice'}); "
            "download the series matrix again."
        )
    place = {sample: i for i, sample in enumerate(accessions)}
    columns: dict[str, list[str]] = {}
    for first, cells in about:
        if len(cells) != len(accessions) and (first in _OF_SAMPLES or first.startswith(_MARKED)):
            raise InputError(
                f"The line {shown(first)} has {several(len(cells), 'cell')} for {several(len(accessions), 'sample')}; "
                "download the series matrix again."
            )
        if first in _OF_SAMPLES:
            columns[_OF_SAMPLES[first]] = list(cells)
        elif first.startswith(_MARKED):
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
        raise InputError(f"A GCT file begins with #1.2 or #1.3, but this one with {shown(version)}; save it as GCT 1.2 or as CSV.")
    if len(rows) < 4:
        raise InputError("The GCT file ends before its first line of measurements; it was cut off, so copy it again.")
    counts = _counts(rows[1], 2 if version == "#1.2" else 4)
    n_rows, n_samples, before, n_about = (*counts, 1, 0) if version == "#1.2" else counts
    header, about_rows, body = [cell.strip() for cell in rows[2][1]], rows[3 : 3 + n_about], rows[3 + n_about :]
    _check_counts(header, body, n_rows, n_samples + 1 + before)
    refuse_many_features(n_rows)
    samples = header[1 + before :]
    if len(set(samples)) < len(samples):
        raise InputError("Two samples of the GCT file have one name; rename one of each.")
    about = _turned(about_rows, samples, len(header), first=1 + before)[0] if about_rows else {}
    measured, numbered = _turned(body, samples, len(header), first=1 + before)
    notes = [
        f"A GCT file: its {several(n_samples, 'sample')} became the rows and its {several(n_rows, 'line')} of measurements "
        "the columns.",
        *([f"Not kept, for they tell about the columns: {listed(header[1 : 1 + before])}."] if before else []),
        *describe_numbered(numbered),
    ]
    return _columns(samples, about, measured, numbered, notes)


def _counts(row, needed):
    line, cells = row
    counts = [int(cell) for cell in cells if cell.strip().isascii() and cell.strip().isdigit() and len(cell) < 10]
    if len(counts) < needed:
        raise InputError(
            f"Line {line} of a GCT file tells how many rows and columns there are, but here it holds "
            f"{shown(' '.join(cells))}; save the file again."
        )
    return counts[:needed]


def _check_counts(header, body, n_rows, width):
    if len(header) != width or len(body) != n_rows:
        raise InputError(
            f"The GCT file says that it has {several(n_rows, 'row')} and {several(width, 'column')}, but it has "
            f"{several(len(body), 'row')} and {several(len(header), 'column')}; it was cut off or changed, so save it "
            "again."
        )
