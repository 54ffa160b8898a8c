"""GCT files (versions 1.2 and 1.3): genes in rows, samples in columns."""

from __future__ import annotations

from stabcore.io.sideways import refuse_many_features, told_again, turned_texts
from stabcore.io.text import records
from stabcore.errors import InputError
from stabcore.wording import listed, several, shown


def looks_like_gct(text: str) -> bool:
    """Whether a text begins as a GCT file does."""
    return text.split("\n", 1)[0].strip() in ("#1.2", "#1.3")


def read_gct(text: str):
    """(texts by column name, names of the columns about the samples, names that were numbered, notes), one row a sample.

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
    header, about, body = [cell.strip() for cell in rows[2][1]], rows[3:3 + n_about], rows[3 + n_about:]
    _check(header, body, n_rows, n_samples + 1 + before)
    refuse_many_features(n_rows)
    samples = header[1 + before:]
    if len(set(samples)) < len(samples):
        raise InputError("Two samples of the GCT file have one name; rename one of each.")
    known = turned_texts(about, [0], samples, len(header), first=1 + before)[0] if about else {}
    measured, numbered = turned_texts(body, [0], samples, len(header), first=1 + before)
    known = {f"{name} (of the sample)" if name in measured else name: cells for name, cells in known.items()}
    notes = [f"A GCT file: its {several(n_samples, 'sample')} became the rows and its {several(n_rows, 'line')} of measurements "
             "the columns.", *([f"Not kept, for they tell about the columns: {listed(header[1:1 + before])}."] if before else [])]
    notes += told_again(numbered)
    if known:
        notes.append(f"Known of the samples, each a column of its own: {listed(known, 8)}.")
    return {"sample": samples, **known, **measured}, tuple(known), numbered, notes


def _counts(row, needed):
    line, cells = row
    counts = [int(cell) for cell in cells if cell.strip().isascii() and cell.strip().isdigit() and len(cell) < 10]
    if len(counts) < needed:
        raise InputError(f"Line {line} of a GCT file tells how many rows and columns there are, but here it holds "
                         f"{shown(' '.join(cells))}; save the file again.")
    return counts[:needed]


def _check(header, body, n_rows, width):
    if len(header) != width or len(body) != n_rows:
        raise InputError(f"The GCT file says that it has {several(n_rows, 'row')} and {several(width, 'column')}, but it has "
                         f"{several(len(body), 'row')} and {several(len(header), 'column')}; it was cut off or changed, so save it "
                         "again.")
