"""GEO series matrix files: probes in rows, samples in columns, and what is known of the samples in lines above them."""

from __future__ import annotations

from itertools import chain, count

from stabcore.io.sideways import refuse_many_features, told_again, turned_texts
from stabcore.io.text import split_lines
from stabcore.errors import InputError
from stabcore.wording import listed, several, shown

BEGIN, END = "!series_matrix_table_begin", "!series_matrix_table_end"
_OF_SAMPLES = {"!sample_title": "title", "!sample_source_name_ch1": "source", "!sample_source_name_ch2": "source 2"}
_MARKED = "!sample_characteristics_ch"
_MOST_ABOUT = 500       # lines about the samples


def looks_like_series_matrix(text: str) -> bool:
    """Whether a text begins as a series matrix does."""
    return text.lstrip().lower().startswith(("!series_", "!sample_")) and BEGIN in text.lower()


def read_series_matrix(text: str):
    """(texts by column name, names of the columns about the samples, names that were numbered, notes), one row a sample.

    The values of !Sample_characteristics lines ("tissue: liver") are put under their own key, sample by sample: in one line
    different samples may tell different things. Raises InputError for a table that is cut off, empty or does not fit its samples.
    """
    about, rows, closed = _parts(text)
    if not closed:
        raise InputError(f"The series matrix ends before its last line, {END!r}; the file was cut off, so download it again.")
    if len(rows) < 2:
        raise InputError("The series matrix holds no measurements: series of sequencing data keep them in supplementary files; "
                         "bring the table of counts or expressions instead.")
    if len(about) > _MOST_ABOUT:
        raise InputError(f"The series matrix has {len(about)} lines about its samples; at most {_MOST_ABOUT} are read, so delete "
                         "those that are not needed.")
    samples = rows[0][1][1:]
    refuse_many_features(len(rows) - 1)
    about = _in_order(about, samples)
    measured, numbered = turned_texts(rows[1:], [0], samples, width=len(samples) + 1)
    texts = {"sample": samples, **about}
    taken = [name for name in about if name in measured]
    texts = {f"{name} (of the sample)" if name in taken else name: cells for name, cells in texts.items()}
    names = tuple(name for name in texts if name != "sample")
    notes = [f"A GEO series matrix: its {several(len(samples), 'sample')} became the rows and its {several(len(rows) - 1, 'line')} "
             "of measurements the columns.", *told_again(numbered),
             *([f"Known of the samples, each a column of its own: {listed(names, 8)}."] if names else [])]
    return {**texts, **measured}, names, numbered, notes


def _parts(text):
    """(cells of each line about the samples, (line, cells) of the table with its header, whether the table is closed)."""
    about, rows, inside = [], [], False
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
        raise InputError(f"The samples above the table are not those of its columns ({listed(wrong) or 'one comes twice'}); "
                         "download the series matrix again.")
    place = {sample: i for i, sample in enumerate(accessions)}
    columns = {}
    for first, cells in about:
        if len(cells) != len(accessions) and (first in _OF_SAMPLES or first.startswith(_MARKED)):
            raise InputError(f"The line {shown(first)} has {several(len(cells), 'cell')} for {several(len(accessions), 'sample')}; "
                             "download the series matrix again.")
        if first in _OF_SAMPLES:
            columns[_OF_SAMPLES[first]] = list(cells)
        elif first.startswith(_MARKED):
            _put(columns, cells)
    return {name: [cells[place[sample]] for sample in samples] for name, cells in columns.items()}


def _put(columns, cells):
    """Put the cells of one line of characteristics under their keys; a second value of one sample gets a column of its own."""
    for i, cell in enumerate(cells):
        key, colon, value = cell.partition(":")
        key, value = (key.strip(), value.strip()) if colon else ("characteristics", cell)
        if not value:
            continue
        names = chain([key], (f"{key} ({n})" for n in count(2)))
        name = next(name for name in names if name not in columns or not columns[name][i])
        columns.setdefault(name, [""] * len(cells))[i] = value
