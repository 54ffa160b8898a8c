"""Tables with samples in columns: GEO series matrix, GCT and other tables, and second files about the samples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote
from stabcore.io.contents import MAX_COLUMNS, Columns, column_texts, refuse_ragged
from stabcore.io.names import describe_numbered, number_repeated, original_names
from stabcore.io.text import read_records, split_lines

if TYPE_CHECKING:
    import pandas as pd

_TEXT = (".txt", ".tsv", ".csv", ".gct")
_STARTS = ("!Series_", "!Sample_", "#1.2", "#1.3")
BEGIN, END = "!series_matrix_table_begin", "!series_matrix_table_end"
_OF_SAMPLES = {"!sample_title": "title", "!sample_source_name_ch1": "source", "!sample_source_name_ch2": "source 2"}
_MARKED = "!sample_characteristics_ch"
_MAX_ABOUT = 500  # lines about the samples
_AGAIN = "Download the file again."


def begins_sample_matrix(text: str, ending: str) -> bool:
    """Whether a text from a file with this ending begins like one of these formats."""
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
        raise InputError(f"This GEO series matrix has no table ({BEGIN}). The file is incomplete. {_AGAIN}")
    columns.notes[:0] = notes
    return columns


def refuse_many_features(count: int) -> None:
    """Raise InputError when the lines of a table are too many to become columns."""
    if count > MAX_COLUMNS:
        raise InputError(
            f"The table has {count:,} lines of measurements, which become columns. At most {MAX_COLUMNS:,} can be read. Keep the "
            "lines that vary most over the samples, without regard to their class."
        )


def _transposed_rows(rows, samples, width, first=1):
    """({feature: its cell of each sample}, {feature that was numbered: its name in the file}) from rows of (line, cells).

    Their first cell names the row. The names of rows about the samples begin with `first`. Raises InputError for rows of another
    width.
    """
    for line, cells in rows:
        refuse_ragged(line, len(cells), width)
    in_file = [cells[0].strip() or f"line {line}" for line, cells in rows]
    names = number_repeated(in_file)
    cells_of = {name: cells[first : first + len(samples)] for name, (_, cells) in zip(names, rows, strict=True)}
    return cells_of, original_names(names, in_file)


def _columns(what, samples, about, measured, numbered, notes):
    """The samples, the columns about them, and the measurements. If two names are equal, the first is marked."""
    about = {f"{name} (of the sample)" if name in measured else name: cells for name, cells in about.items()}
    size = f"{counted(len(samples), 'sample')} became rows, {counted(len(measured), 'line')} of measurements became columns"
    notes = [f"{what}: {size}.", *notes, *describe_numbered(numbered)]
    if about:
        notes.append(f"Columns about the samples: {listed(about, 8)}.")
    texts = {"sample": samples, **about, **measured}
    return Columns(list(texts), list(texts.values()), notes=notes, separator="\t", about=tuple(about), numbered=numbered)


# ---- GEO series matrix: information on the samples is in lines above the table ----


def _is_series_matrix(text):
    return text.lstrip().lower().startswith(("!series_", "!sample_")) and BEGIN in text.lower()


def _read_series_matrix(text):
    """The columns of a series matrix.

    The values of !Sample_characteristics lines ("tissue: liver") are put under their own key, sample by sample, because one line
    can hold different keys. Raises InputError for a table that is incomplete, empty or does not match its samples.
    """
    about_lines, rows, closed = _parts(text)
    if not closed:
        raise InputError(f"The series matrix ends before its last line, {END!r}. The file is incomplete. {_AGAIN}")
    if len(rows) < 2:
        raise InputError(
            "The series matrix holds no measurements. Series of sequencing data keep them in supplementary files. Upload that "
            "table instead."
        )
    if len(about_lines) > _MAX_ABOUT:
        raise InputError(f"The series matrix has {len(about_lines)} lines about its samples. Delete all but {_MAX_ABOUT}.")
    samples = rows[0][1][1:]
    refuse_many_features(len(rows) - 1)
    about = _in_order(about_lines, samples)
    measured, numbered = _transposed_rows(rows[1:], samples, width=len(samples) + 1)
    return _columns("A GEO series matrix", samples, about, measured, numbered, [])


def _parts(text):
    """(cells of each line about the samples, (line, cells) of the table with its header, whether the table is closed)."""
    about, rows, inside = list[Any](), list[Any](), False
    for line, row in enumerate(split_lines(text), 1):
        if not row.strip():
            continue
        cells = [_unquoted(cell) for cell in row.split("\t")]
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


def _unquoted(cell):
    """A cell without its quotation marks, which often remain open in these files."""
    cell = cell.strip()
    return cell[1:-1].strip() if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _in_order(about, samples):
    """{name: cells} of the columns about the samples, in the order of the table's columns."""
    accessions = next((cells for first, cells in about if first == "!sample_geo_accession"), samples)
    if sorted(accessions) != sorted(samples) or len(set(samples)) < len(samples):
        wrong = listed(sorted(set(accessions) ^ set(samples))) or "one is repeated"
        raise InputError(f"The samples above the table are not those of its columns ({wrong}). {_AGAIN}")
    place = {sample: i for i, sample in enumerate(accessions)}
    columns: dict[str, list[str]] = {}
    for first, cells in about:
        if first not in _OF_SAMPLES and not first.startswith(_MARKED):
            continue
        if len(cells) != len(accessions):
            n_samples = counted(len(accessions), "sample")
            raise InputError(f"The line {quote(first)} has {counted(len(cells), 'cell')} for {n_samples}. {_AGAIN}")
        if first in _OF_SAMPLES:
            columns[_OF_SAMPLES[first]] = list(cells)
        else:
            _add_characteristics(columns, cells)
    return {name: [cells[place[sample]] for sample in samples] for name, cells in columns.items()}


def _add_characteristics(columns, cells):
    """Put the cells of one line of characteristics under their keys. A second value of a sample gets a separate column."""
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
    """Raises InputError for another version, and if the counts in the second line differ from the table."""
    rows = list(read_records(text, "\t"))
    version = rows[0][1][0].strip() if rows else ""
    if version not in ("#1.2", "#1.3"):
        raise InputError(
            f"A GCT file begins with #1.2 or #1.3, but this one begins with {quote(version)}. Save it as GCT 1.2 or as CSV."
        )
    if len(rows) < 4:
        raise InputError("The GCT file ends before its first line of measurements. The file is incomplete. Copy it again.")
    line, cells = rows[1]
    counts = [int(cell) for cell in cells if cell.strip().isascii() and cell.strip().isdigit() and len(cell) < 10]
    needed = 2 if version == "#1.2" else 4
    if len(counts) < needed:
        found = quote(" ".join(cells))
        raise InputError(f"Line {line} of a GCT file must state the numbers of rows and columns, not {found}. Save the file again.")
    n_rows, n_samples, before, n_about = (*counts[:2], 1, 0) if version == "#1.2" else counts[:4]
    header, about_rows, body = [cell.strip() for cell in rows[2][1]], rows[3 : 3 + n_about], rows[3 + n_about :]
    width = n_samples + 1 + before
    if len(header) != width or len(body) != n_rows:
        raise InputError(
            f"Line {line} of the GCT file promises {counted(n_rows, 'row')} and {counted(width, 'column')}, but there are "
            f"{len(body)} and {len(header)}. The file is incomplete or was changed. Save it again."
        )
    refuse_many_features(n_rows)
    samples = header[1 + before :]
    if len(set(samples)) < len(samples):
        raise InputError("Two samples of the GCT file have the same name. Rename one of them.")
    about = _transposed_rows(about_rows, samples, width, first=1 + before)[0] if about_rows else {}
    notes = [f"Not kept, because they describe the columns: {listed(header[1 : 1 + before])}."] if before else []
    measured, numbered = _transposed_rows(body, samples, width, first=1 + before)
    return _columns("A GCT file", samples, about, measured, numbered, notes)


MIN_SAMPLES = 4
MAX_NAMING = 6  # largest number of first columns that name and describe the genes
MAX_HEAD = 10  # largest number of first lines about the samples
MUCH_LONGER = 3  # ratio of lines to columns of numbers
_LOOK_AT = 2000, 300  # lines and columns to inspect

_NAMING = re.compile(
    r"(?:.*[ _.:])?(?:genes?|symbols?|hgnc|ensembl|ensg|entrez|probes?|probe ?sets?|id_ref|accession|proteins?|"
    r"uniprot|features?(?:_id)?|metabolites?|compounds?|analytes?|mirnas?|tax(?:on|a)|otus?|transcripts?|cpg|targetid|"
    r"lipids?|markers?)(?:[ _.:]?(?:id|ids|name|names|symbol|symbols|accession|set))*",
    re.IGNORECASE,
)
_ACCESSION = re.compile(
    r"ENS[A-Z]{0,4}[GTP]\d{6,}(?:\.\d+)?|\d+(?:_[a-z])?_at|[A-Z]{1,3}\d{4,6}(?:_\w+)?_at|AFFX.*|ILMN_\d+|"
    r"cg\d{8}|[NX][MRP]_\d+(?:\.\d+)?|A_\d+_P\d+|hsa-.*|TC\d{8,}.*|HMDB\d+|[OPQ]\d[A-Z0-9]{3}\d"
)
_SAMPLE = re.compile(
    r"(?:GSM|SRR|ERR|SAM[A-Z]*|TCGA|SAMPLE|SUBJECT|PATIENT|PAT|DONOR|CASE|CONTROL|CTRL|TUMOU?R|NORMAL|MOUSE|ARRAY|"
    r"CHIP|REP)[-_. ]?[\w.-]*\d[\w.-]*|[A-Z]{0,4}[-_. ]?\d+(?:[-_.]\d+|[A-Z])?(?:\.CEL(?:\.GZ)?)?|"
    r"[A-Z]{2,8}\.\d+",
    re.IGNORECASE,
)
_OF_GENES = re.compile(
    r"(?:gene|effective|transcript)?[ _.]?length|width|entrez(?:[ _.]?(?:gene)?[ _.]?id)?|start|end|strand|chr(?:omosome)?",
    re.IGNORECASE,
)
_FEATURE = re.compile(r"(?:v|x|f|feature|feat|var|col|column|attr|gene|q|item)[-_. ]?\d+", re.IGNORECASE)


@dataclass(frozen=True)
class TransposedTable:
    """A table that seems to have samples in columns.

    naming: first columns that name or describe the lines. head: first lines about the samples. why: the signs.
    """

    naming: tuple[str, ...]
    head: int
    why: tuple[str, ...]


def recognise_transposed(frame: pd.DataFrame) -> TransposedTable | None:
    """The signs of genes in rows and samples in columns. None for a table of samples in rows, and in doubt.

    At least two signs are needed, because each one occurs in some tables of patients.
    """
    part = frame.iloc[: _LOOK_AT[0], : _LOOK_AT[1]]
    numbers = [_numbers(part.iloc[:, j]) for j in range(part.shape[1])]
    below = [column[MAX_HEAD:] if len(column) > 2 * MAX_HEAD else column for column in numbers]
    share = np.array([np.isfinite(column).mean() if len(column) else 0 for column in below])
    first = _first_sample(part, share)
    if first is None or len(share) - first < MIN_SAMPLES or (share[first:] < 0.5).any():
        return None
    values = np.column_stack(numbers[first:])
    if (head := _head(values)) is None:
        return None
    named = _sign_of_names(part, first, head)
    signs = [named, _sign_of_samples(frame.columns[first:]), _sign_of_values(values[head:])]
    if not any(signs):
        return None
    signs.append(_sign_of_other_names(part, first, head) if signs[1] and not named else "")
    if named and len(frame) - head >= MUCH_LONGER * (frame.shape[1] - first):  # a table of patients is also long
        signs.append("there are many more lines than columns of numbers")
    if head:
        signs.append("the first lines hold text in every column")
    signs = list(filter(None, signs))
    return TransposedTable(tuple(str(name) for name in frame.columns[:first]), head, tuple(signs)) if len(signs) >= 2 else None


def transpose_table(frame: pd.DataFrame, names_in: str | None = None, naming: Sequence[str] | None = None):
    """Turn a table: each column of measurements becomes a row.

    Returns (turned DataFrame, names of the columns about the samples, {column: its name here} of repeated names that were
    numbered, notes). naming: the first columns that name or describe the lines (recognised if None). names_in: the one among
    them whose cells become the names of the columns. Raises InputError for too many lines, too few columns, and unknown
    columns.
    """
    import pandas as pd

    sideways = recognise_transposed(frame)
    head = sideways.head if sideways else 0
    columns = [str(name) for name in frame.columns]
    naming = list(naming if naming is not None else sideways.naming if sideways else naming_columns(frame))
    unknown = [name for name in [*naming, *([names_in] if names_in else [])] if name not in columns]
    if unknown:
        raise InputError(f"There is no column {quote(unknown[0])}. The columns are {listed(columns, 10)}.")
    samples = [name for name in columns if name not in naming]
    if len(samples) < 2:
        raise InputError("Fewer than two columns would become rows. This table cannot be turned.")
    refuse_many_features(len(frame))
    texts = {name: column_texts(frame.iloc[:, columns.index(name)]) for name in columns}
    distinct = (name for name in naming if _all_differ(frame.iloc[:, columns.index(name)]))
    names_in = names_in or next(distinct, next(iter(naming), None))
    names, numbered, notes = _names(texts, len(frame), naming, names_in, head)
    label = next(name for name in ("sample", "sample (column)", "sample (turned)") if name not in names)
    turned = pd.DataFrame(np.array([texts[name] for name in samples], dtype=object), columns=names)
    turned.insert(0, label, samples)
    notes.insert(0, f"The table was turned: {counted(len(samples), 'column')} became rows, {counted(len(names), 'line')} columns.")
    if dropped := [name for name in naming if name != names_in]:
        notes.append(f"Not kept, because they describe the new columns: {listed(dropped)}.")
    return turned, tuple(names[:head]), numbered, notes


def group_columns(frame: pd.DataFrame, by: str, turned_names: Sequence[str], head: int = 0) -> dict[str, list[str]]:
    """Groups of the new columns of a turned table, such as the probes of each gene symbol.

    {cell of a column that describes the lines: the new columns of these lines}. Empty cells and cells of a single line make no
    group. turned_names: the names of the lines in their order. head: the number of first lines about the samples.
    """
    groups: dict[str, list[str]] = {}
    for name, cell in list(zip(turned_names, column_texts(frame[by]), strict=True))[head:]:
        if cell and cell.strip():
            groups.setdefault(cell.strip(), []).append(name)
    return {cell: names for cell, names in groups.items() if len(names) > 1}


def naming_columns(frame: pd.DataFrame) -> list[str]:
    """The first columns with text, which name or describe the lines."""
    texts = [_text_share(frame.iloc[: _LOOK_AT[0], j]) > 0.5 for j in range(min(MAX_NAMING, frame.shape[1]))]
    count = next((j for j, text in enumerate(texts) if not text), len(texts))
    return [str(name) for name in frame.columns[:count]]


def _names(texts, n, naming, names_in, head):
    """(a name for each line, the numbered names, notes). texts: {column: its n cells}."""
    if names_in is None:
        return [f"line {i}" for i in range(1, n + 1)], {}, ["The lines had no names, so the new columns have numbers."]
    in_file = []
    for i, cell in enumerate(texts[names_in]):
        others = (texts[name][i] for name in naming) if i < head else ()
        in_file.append(cell or next(filter(None, others), f"line {i + 1}"))
    names = number_repeated(in_file)
    numbered = original_names(names, in_file)
    return names, numbered, [f"The names of the new columns come from {quote(names_in)}.", *describe_numbered(numbered)]


def _sign_of_names(part, first, head):
    for j in range(first):
        if _NAMING.fullmatch(str(part.columns[j])):
            return f"the column {quote(part.columns[j])} names genes or other measurements"
        cells = [str(cell) for cell in part.iloc[head:, j].dropna()]
        accessions = [cell for cell in cells if _ACCESSION.fullmatch(cell)]
        if len(accessions) * 2 > len(cells):
            return f"{quote(accessions[0])} and others in the first columns are accession numbers"
    return ""


def _sign_of_other_names(part, first, head):
    """Names of people also differ, so this is a sign only together with sample names in the header."""
    cells = [str(cell) for cell in part.iloc[head:, 0].dropna()] if first else []
    like = sum(bool(_SAMPLE.fullmatch(cell)) and not _FEATURE.fullmatch(cell) for cell in cells)
    if len(set(cells)) == len(cells) > 1 and like * 2 < len(cells):
        return f"the first column holds names of something other than samples, such as {quote(cells[0])}"
    return ""


def _sign_of_samples(columns):
    names = [str(name) for name in columns]
    like = [name for name in names if _SAMPLE.fullmatch(name) and not _FEATURE.fullmatch(name) and not _ACCESSION.fullmatch(name)]
    numbered = {re.sub(r"\d+.*", "", name) for name in names}
    if len(like) * 5 >= len(names) * 4 and len(numbered) <= max(3, len(names) // 5):
        return f"{quote(names[0])} and {quote(names[1])} are names of samples, not of measurements"
    return ""


def _sign_of_values(values):
    """The sign that genes differ more than samples: values vary between lines and hardly between columns."""
    if values.shape[0] < 5:
        return ""
    scaled = np.arcsinh(values)
    lines, columns = np.nanmean(scaled, axis=1), np.nanmedian(scaled, axis=0)
    total = np.nanvar(scaled)
    if total > 0 and np.nanvar(lines) > 0.5 * total and np.nanvar(columns) < 0.05 * total:
        return "the numbers vary little along a line and much down a column"
    return ""


# ---- signs ----


def _numbers(column):
    """(n,) floats, NaN if a cell is not a number."""
    import pandas as pd

    if column.dtype.kind == "b" or column.dtype.kind == "M":
        return np.full(len(column), np.nan)
    return pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)


def _text_share(column):
    filled = column.notna()
    return float((filled & np.isnan(_numbers(column))).sum() / max(filled.sum(), 1))


def _all_differ(column):
    return bool(column.notna().all() and column.nunique() == len(column))


def _first_sample(part, share):
    """Where the samples begin: after the first columns of text, or after a numeric column that identifies genes."""
    first = next((j for j, filled_share in enumerate(share) if filled_share >= 0.5), None)
    if first == 0 and part.shape[1] > 1 and _NAMING.fullmatch(str(part.columns[0])) and _all_differ(part.iloc[:, 0]):
        return 1
    while first and first < part.shape[1] and _OF_GENES.fullmatch(str(part.columns[first])):
        first += 1
    return first if first is not None and first <= MAX_NAMING else None


def _head(values):
    """The number of first lines with hardly any number although all lines below have some. None if such lines also lie below."""
    filled = np.isfinite(values).mean(axis=1)
    head = int(next((i for i, filled_share in enumerate(filled) if filled_share >= 0.5), len(filled)))
    return head if head <= min(MAX_HEAD, len(filled) - 2) else None


# ---- a second file about the samples, such as their classes ----

MIN_FOUND = 0.5  # smallest share of common samples of two columns that name the same samples


def add_samples(frame: pd.DataFrame, other: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...], list[str]]:
    """(frame with the columns of another one, their names, notes). A sample that is not in it has missing cells.

    The two columns that share most cells name the samples. Raises InputError when no two columns
    share half of the samples, if a sample is repeated in the other file, and if nothing would be added.
    """
    import pandas as pd

    mine, theirs, keys = _matching_columns(frame, other)
    twice = keys[keys.duplicated() & keys.notna()]
    if len(twice):
        where = f"{quote(twice.iloc[0])} is repeated in {quote(theirs)} of the second file"
        raise InputError(f"The sample {where}. Each sample needs one line.")
    place = {key: i for i, key in enumerate(keys) if key is not None}
    samples = _keys(frame[mine])
    about = other.drop(columns=theirs)
    if not len(about.columns):
        raise InputError(f"The second file holds only {quote(theirs)}. It also needs a column with the class of each sample.")
    about = about.rename(columns={name: f"{name} (second file)" for name in about.columns if name in frame.columns})
    about = about.reset_index(drop=True).reindex([place.get(key, -1) for key in samples]).set_axis(frame.index)
    unknown = [key for key in samples if key not in place]
    spare = sorted(set(place) - set(samples))
    n_found = counted(len(frame) - len(unknown), "sample")
    notes = [f"Added from the second file for {n_found}, by {quote(theirs)}: {listed(about.columns)}."]
    if unknown:
        notes.append(f"Not in the second file, so their cells are empty: {listed(unknown)}.")
    if spare:
        notes.append(f"Only in the second file, so not used: {listed(spare)}.")
    behind = list(frame.columns).index(mine) + 1
    joined = pd.concat([frame.iloc[:, :behind], about, frame.iloc[:, behind:]], axis=1)
    return joined, tuple(map(str, about.columns)), notes


def _matching_columns(frame, other):
    """(my column, their column, its keys) of the two columns that share most."""
    import pandas as pd

    candidates = {name: set(_keys(frame[name])) - {None} for name in frame.columns[:20]}
    candidates = {name: keys for name, keys in candidates.items() if len(keys) > 1 and len(keys) == len(frame)}
    best: tuple = (0.0, None, None, None)
    for theirs in other.columns[:50]:
        keys = pd.Series(_keys(other[theirs]), dtype=object)
        found = set(keys)
        for mine, wanted in candidates.items():
            share = len(wanted & found) / len(wanted)
            if share > best[0]:
                best = (share, mine, theirs, keys)
    if best[0] < MIN_FOUND:
        first = next(iter(candidates), None)
        example = f" such as {listed(_keys(frame[first])[:2])}" if first is not None else ""
        raise InputError(
            f"No column of the second file holds the names of the samples{example}. It needs one line per sample, with its name "
            "and its class."
        )
    return best[1:]


def _keys(column):
    return [None if cell is None else cell.strip() for cell in column_texts(column)]
