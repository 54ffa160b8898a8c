"""Apply decisions about cells and rows: a table with corrected cells, and the rows of one cohort only."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote, suggest_name
from stabcore.io.cells import (
    MISSING_CODES,
    SURVEY_CODES,
    encode_texts,
    format_date,
    is_unit,
    is_unknown,
    parse_cell,
    parse_number,
    parse_yes_no,
    read_cells,
    remove_thousands_spaces,
    unit_of_name,
    visible_text,
    word_key,
)
from stabcore.io.choices import APART, BLANK, DOES, FIRST, ONLY, Choices, Mend
from stabcore.io.names import number_repeated
from stabcore.io.type import Reading, column_values

# these name their texts, the others concern whole columns
_BY_CELL = ("missing", "keep", "half", "limit", "number", "negative", "as", "own")


def apply_mends(reading: Reading, mends: Iterable[Mend]) -> Reading:
    """The table with the corrected columns, and a sentence on each mend in `mended`. The original cells are kept.

    Raises InputError for an unknown column, and if no row of a chosen cohort is left.
    """
    mends = tuple(mends)
    mends_of: dict[str, list[Mend]] = {}
    for mend in mends:
        for name in mend.columns:
            if name not in reading.frame.columns:
                names = list(map(str, reading.frame.columns))
                raise InputError(
                    f"A decision about cells names the column {quote(name)}, which this table does not have"
                    f"{suggest_name(name, names)}. Undo the decision, or rename the column."
                )
            if mend.do not in (ONLY, FIRST, APART, BLANK):
                mends_of.setdefault(name, []).append(mend)
    reading, sentence_of = select_cohort_rows(reading, mends)
    written, counts, units, columns = reading.written, defaultdict[tuple[Mend, str], Counter[str]](Counter), dict(reading.units), {}
    for name, about in mends_of.items():
        if name in written.texts:
            columns[name] = _mended_values(written.texts[name], about, written.comma, counts, name)
            units.update((name, mend.unit) for mend in about if mend.unit and not (units.get(name) or unit_of_name(str(name))))
    sentences = tuple(
        sentence_of.get(mend) or _describe_mend(mend, [counts[mend, name] for name in mend.columns]) for mend in mends
    )
    stay_texts = kept_marks(mends)
    marks = {
        name: left
        for name, marked in written.marks.items()
        if (left := {mark: n for mark, n in marked.items() if (name, mark) not in stay_texts})
    }
    frame = _blank_or_not(reading.frame.assign(**columns), [mend for mend in mends if mend.do == BLANK])
    written, choices = replace(written, marks=marks), Choices(reading.choices.layout, mends)
    return replace(reading, frame=frame, units=units, written=written, mended=sentences, choices=choices)


def _blank_or_not(frame, mends):
    """The frame with some columns replaced by whether their cells are blank, and renamed accordingly."""
    names = [str(name) for name in frame.columns]
    for name in dict.fromkeys(name for mend in mends for name in mend.columns):
        position, new = names.index(name), number_repeated([*names, f"{name} is blank"])[-1]
        frame = frame.assign(**{name: np.where(frame[name].isna(), "yes", "no")})
        names[position] = new
    return frame.set_axis(names, axis=1) if mends else frame


def differing_columns(mends: Iterable[Mend]) -> frozenset[str]:
    """Columns whose words or names the user keeps separate although they look the same."""
    return frozenset(name for mend in mends if mend.do == APART for name in mend.columns)


def automatic_mends(reading: Reading) -> list[tuple[Mend, str]]:
    """The automatic decisions: each usual mark for missing that was read as missing, as a Mend and a sentence.

    The most frequent is first. A Mend that keeps the same cells undoes it.
    """
    columns_of: dict[str, dict[str, int]] = {}
    for name, marks in reading.written.marks.items():
        for mark, n in marks.items():
            columns_of.setdefault(mark, {})[name] = n
    mends = [(Mend("missing", tuple(counts), (mark,)), list(counts.values())) for mark, counts in columns_of.items()]
    return [
        (mend, _describe_mend(mend, [Counter({mend.cells[0]: n}) for n in counts]))
        for mend, counts in sorted(mends, key=lambda pair: -sum(pair[1]))
    ]


def kept_marks(mends: Iterable[Mend]) -> set[tuple[str, str]]:
    """{(column, text)} of the usual marks for missing that stay texts on request."""
    return {(name, cell) for mend in mends if mend.do == "keep" for name in mend.columns for cell in mend.cells}


def column_levels(texts) -> tuple[list[str], list[int], np.ndarray]:
    """(distinct trimmed texts, their counts, (n,) codes with −1 for empty) of a column as it was read."""
    codes, levels = encode_texts(texts)
    return levels, np.bincount(codes[codes >= 0], minlength=len(levels)).tolist(), codes


_REWRITE: dict[str, Callable[[str], str]] = {
    "yes-no": lambda text: {"1": "yes", "0": "no"}.get(text) or parse_yes_no(text) or text,
    "spaces": remove_thousands_spaces,
    "dates": format_date,
}


def _mended_values(texts, mends, comma, counts, name):
    """The values of one column after its mends. Adds the number of affected cells by text to counts."""
    levels, often, codes = column_levels(texts)
    for mend in (mend for mend in mends if mend.do == "as"):  # first, because other decisions apply to the new texts
        counts[mend, name].update({level: n for level, n in zip(levels, often, strict=True) if level in mend.cells})
        levels = [mend.into if level in mend.cells else level for level in levels]
    new: list[str | None] = list(levels)
    limits: dict[int, str] = {}
    decided = False
    for mend in (mend for mend in mends if mend.do != "as"):
        about = _mended_levels(mend, levels)
        counts[mend, name].update({levels[i]: often[i] for i in about})
        for i in about:
            new[i] = _changed_text(mend.do, levels[i], new[i])
            if mend.do in ("half", "limit"):
                limits[i] = mend.do
        if mend.do == "spelling":
            new = _frequent_spellings(new, often)
        comma, decided = (mend.do, True) if mend.do in ("decimal", "thousands") else (comma, decided)
    cells = _cells_of(new, codes, comma, decided)
    if limits and cells.numbers is None:  # some other text remains, so limits stay limits until it is corrected
        cells = _cells_of([levels[i] if i in limits else level for i, level in enumerate(new)], codes, comma, decided)
    elif limits:
        cells = replace(cells, numbers=_fill_limits(cells.numbers, codes, limits, {i: parse_cell(levels[i]) for i in limits}))
    return column_values(cells)


def _changed_text(do, level, new):
    """The text in place of a text `level`, which other decisions have made `new`. None is missing."""
    if do == "missing":
        return None
    if do == "keep":  # quotation marks keep readers from taking it as missing again
        return new and f"'{level}'"
    if do in ("unit", "number", "negative"):
        return parse_cell(level).number
    if do in ("half", "limit"):
        return parse_cell(level).number or None
    return _REWRITE[do](new) if do in _REWRITE and new is not None else new


def _cells_of(levels, codes, comma, decided):
    """Cells from their distinct texts and a code per cell, -1 for a missing one. Decimal commas and points may occur together."""
    import pyarrow as pa

    def read(levels):
        every = pa.array([*levels, None], pa.string()).take(pa.array(np.where(codes < 0, len(levels), codes)))
        return read_cells(every, comma, decided=decided)

    cells = read(levels)
    one_sign = not any(level and (level.count(",") > 1 or "," in level and "." in level) for level in levels)
    if cells.numbers is None and comma == "decimal" and one_sign:
        points = read([level and level.replace(",", ".") for level in levels])
        return cells if points.numbers is None else points
    return cells


def _mended_levels(mend, levels):
    """Positions of the texts of a mend."""
    if mend.do in _BY_CELL:
        return [i for i, level in enumerate(levels) if level in mend.cells]
    if mend.do == "unit":
        return [i for i, level in enumerate(levels) if (cell := parse_cell(level)).kind == "number" and cell.unit == mend.unit]
    if mend.do == "yes-no":
        return [i for i, level in enumerate(levels) if parse_yes_no(level) or level in ("0", "1")]
    return [i for i, level in enumerate(levels) if level]


def _frequent_spellings(levels, often):
    """Each text in its most frequent spelling, if only capitals or invisible characters differ."""
    usual: dict[str, str] = {}
    for i in sorted(range(len(levels)), key=lambda i: -often[i]):
        if levels[i] is not None:
            usual.setdefault(word_key(levels[i]), visible_text(levels[i]))
    return [None if level is None else usual[word_key(level)] for level in levels]


def _fill_limits(numbers, codes, limits, cells):
    """The numbers with half a limit on request. A missing limit is filled in.

    It is the outermost limit in the column, else its smallest (below) or largest number (above).
    """
    numbers = numbers.copy()
    for i in limits:
        if not cells[i].number:
            kind = cells[i].kind
            with_limit = np.isin(codes, [j for j in limits if cells[j].number and cells[j].kind == kind])
            stated_limits = numbers[with_limit] if with_limit.any() else numbers[~np.isnan(numbers)]
            numbers[codes == i] = (
                (stated_limits.min() if kind == "below" else stated_limits.max()) if len(stated_limits) else np.nan
            )
    for i, do in limits.items():
        numbers[codes == i] *= 0.5 if do == "half" else 1.0
    return numbers


def _describe_mend(mend, counts):
    """A sentence on a mend. counts: {text: number of cells} of each of its columns."""
    columns = [name for name, count in zip(mend.columns, counts, strict=True) if count.total()] or list(mend.columns)
    found: Counter[str] = sum(counts, Counter())
    where, total = listed(columns), counted(found.total(), "cell")
    be = "was" if found.total() == 1 else "were"
    if mend.do == "unit":
        unit = f"The unit {quote(mend.unit)}" if is_unit(mend.unit) else "A word"
        return f"{unit} was removed from the numbers of {total} in {where}."
    if mend.do not in _BY_CELL:
        return f"The cells of {where} were {DOES[mend.do]}."
    does = f"read as {quote(mend.into)}" if mend.do == "as" and parse_number(mend.into) is None else DOES[mend.do]
    without_limit = [cell for cell in mend.cells if not parse_cell(cell).number]
    more = ""
    if mend.do in ("half", "limit") and without_limit:
        more = f" (without a limit, as in {quote(without_limit[0])}, the outermost limit of the column is used)"
    private = set(private_texts(mend))
    cells = [cell for cell in mend.cells if cell in found or not found]
    marks, n = [cell for cell in cells if cell not in private], len(private & set(cells))
    others = f" and {counted(n, 'other text')}" if n else ""
    texts = f" with {listed(marks)}{others}" if marks else ""
    return f"{total}{texts} in {where} {be} {does}{more}."


def private_texts(mend: Mend) -> list[str]:
    """The texts of a mend that may say something about a person: all but marks and codes for missing, and limits.

    Sentences about mends count them, because study files and reports repeat these sentences.
    """
    read = {cell: parse_cell(cell) for cell in mend.cells if not is_unknown(cell)}
    plain = [cell for cell, about in read.items() if about.kind not in ("below", "above") or not is_unit(about.unit or "/")]
    return [cell for cell in plain if not (mend.do == "missing" and parse_number(cell) in (*MISSING_CODES, *SURVEY_CODES))]


# ---- the rows of one cohort, or one row per patient ----

MAX_COHORTS = 20
_FIRST_ROWS = 100  # first rows


def cohorts(reading: Reading, name: str) -> dict[str, int]:
    """{text: rows that hold it in this column, most frequent first}. Empty cells belong to no cohort."""
    texts = _trimmed(reading, name)
    values, counts = np.unique(texts[texts != ""], return_counts=True)
    return {str(values[i]): int(counts[i]) for i in np.argsort(-counts, kind="stable")}


def cohort_columns(reading: Reading) -> list[str]:
    """Names of the columns with 2 to MAX_COHORTS different values, of which at least two occur ten times."""
    frame = reading.frame
    numeric = [name for name, dtype in zip(frame.columns, frame.dtypes, strict=True) if dtype.kind in "iuf"]
    first = np.sort(frame[numeric].head(_FIRST_ROWS).to_numpy(dtype=float), axis=0)  # a table can have thousands of columns
    distinct = dict(zip(numeric, (np.diff(first, axis=0) > 0).sum(axis=0) + 1, strict=True)) if len(first) else {}
    few = [name for name in frame.columns if distinct.get(name, 0) <= MAX_COHORTS and 2 <= frame[name].nunique() <= MAX_COHORTS]
    return [str(name) for name in few if sum(count >= 10 for count in cohorts(reading, name).values()) >= 2]


def select_cohort_rows(reading: Reading, mends: Iterable[Mend]) -> tuple[Reading, dict[Mend, str]]:
    """(The reading with the chosen rows only, {mend: its sentence} of the mends that choose rows).

    These are the rows of the chosen cohorts, and on request the first of each patient. Lines keep their
    numbers. `elsewhere` counts the rows of other cohorts, `repeated` further rows of a patient. Raises InputError if no row is
    left.
    """
    choosing = [mend for mend in mends if mend.do in (ONLY, FIRST)]
    chosen, sentences = np.ones(len(reading.frame), dtype=bool), {}
    for mend in (mend for mend in choosing if mend.do == ONLY):
        for name in mend.columns:
            chosen &= np.isin(_trimmed(reading, name), mend.cells)
            cohort = f"{quote(name)} is {listed(mend.cells)}"
            sentences[mend] = f"{chosen.sum():,} of {counted(len(chosen), 'row')} are used: those where {cohort}."
            if not chosen.any():
                raise InputError(f"There is no row where {cohort}. Choose another cohort on Data.")
    elsewhere = int((~chosen).sum())
    for mend in (mend for mend in choosing if mend.do == FIRST):
        for name in mend.columns:
            chosen &= _is_first_row(_trimmed(reading, name), chosen)
            sentences[mend] = f"{chosen.sum():,} of {counted(len(chosen), 'row')} are used: the first of each {quote(name)}."
    if chosen.all():
        return reading, sentences
    written = replace(reading.written, texts={name: column.filter(chosen) for name, column in reading.written.texts.items()})
    repeated = int((~chosen).sum()) - elsewhere
    return replace(reading, frame=reading.frame[chosen], written=written, elsewhere=elsewhere, repeated=repeated), sentences


def _is_first_row(patients, among):
    """(n,) whether this row is the first of its patient among these. A row without a patient is its own patient."""
    first, patients_before = np.zeros(len(patients), dtype=bool), set()
    for row in np.flatnonzero(among):
        first[row] = not patients[row] or patients[row] not in patients_before
        patients_before.add(patients[row])
    return first


def patients_in_both(reading: Reading, column: str, patient: str, first: Iterable[str], second: Iterable[str]) -> int:
    """The number of patients with a row in a cohort of the first and a row in a cohort of the second."""
    cohort, patients = _trimmed(reading, column), _trimmed(reading, patient)
    in_first, in_second = (set(patients[np.isin(cohort, list(cells))]) - {""} for cells in (first, second))
    return len(in_first & in_second)


def _trimmed(reading, name):
    """(n,) the cells of a column as trimmed text, "" if empty."""
    texts = reading.written.texts
    cells = texts[name].to_pylist() if name in texts else reading.frame[name].tolist()
    return np.array(["" if cell is None or cell != cell else str(cell).strip() for cell in cells], dtype=str)
