"""Only the rows of one cohort, or one row of each patient: decisions about rows, kept and taken back as those about cells are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.wording import listed, several, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stabcore.io.frame import Reading

ONLY, FIRST = "only", "first"
MOST_COHORTS = 20
LOOKED_AT = 100         # first rows


def cohorts(reading: Reading, name: str) -> dict[str, int]:
    """{text: rows that hold it in this column, most frequent first}; empty cells belong to no cohort."""
    texts = _texts(reading, name)
    values, many = np.unique(texts[texts != ""], return_counts=True)
    return {str(values[i]): int(many[i]) for i in np.argsort(-many, kind="stable")}


def may_tell_cohorts(reading: Reading) -> list[str]:
    """Names of the columns with 2 to MOST_COHORTS different values, of which two or more come ten times."""
    few = [name for name in _of_few_values(reading.frame) if 2 <= reading.frame[name].nunique() <= MOST_COHORTS]
    return [str(name) for name in few if sum(many >= 10 for many in cohorts(reading, name).values()) >= 2]


def _of_few_values(frame):
    """Names of the columns that are no numbers, or of which the first rows hold few different ones: a table can have thousands."""
    numeric = [name for name, dtype in zip(frame.columns, frame.dtypes, strict=True) if dtype.kind in "iuf"]
    first = np.sort(frame[numeric].head(LOOKED_AT).to_numpy(dtype=float), axis=0)
    many = dict(zip(numeric, (np.diff(first, axis=0) > 0).sum(axis=0) + 1, strict=True)) if len(first) else {}
    return [name for name in frame.columns if many.get(name, 0) <= MOST_COHORTS]


def only_rows(reading: Reading, mends) -> tuple[Reading, dict]:
    """(The reading with the rows of the chosen cohorts alone, and of these the first of each patient where that was chosen;
    {mend: its sentence}) of those mends that choose rows.

    Lines keep their numbers; `elsewhere` counts the rows of other cohorts, `repeated` further rows of a patient. Raises InputError
    where no row is left.
    """
    kept, sentences = np.ones(len(reading.frame), dtype=bool), {}
    for mend in (one for one in mends if one.do == ONLY):
        for name in mend.columns:
            kept &= np.isin(_texts(reading, name), mend.cells)
            sentences[mend] = (f"Only the {kept.sum():,} of {several(len(kept), 'row')} in which {shown(name)} is "
                               f"{listed(mend.cells)} are used.")
            if not kept.any():
                raise InputError(f"No row of the table has {listed(mend.cells)} in {shown(name)}, where only such rows are to be "
                                 "used. Take this decision back on Data, or choose another cohort.")
    elsewhere = int((~kept).sum())
    for mend in (one for one in mends if one.do == FIRST):
        for name in mend.columns:
            kept &= _first_of_each(_texts(reading, name), kept)
            sentences[mend] = f"Only the first row of each {shown(name)} is used: {kept.sum():,} of {several(len(kept), 'row')}."
    if kept.all():
        return reading, sentences
    raw = {name: column.filter(kept) for name, column in reading.raw.items()}
    return replace(reading, frame=reading.frame[kept], raw=raw, elsewhere=elsewhere,
                   repeated=int((~kept).sum()) - elsewhere), sentences


def _first_of_each(who, among):
    """(n,) is this row the first of its patient among these; an empty cell is a patient of its own."""
    first, seen = np.zeros(len(who), dtype=bool), set()
    for row in np.flatnonzero(among):
        first[row] = not who[row] or who[row] not in seen
        seen.add(who[row])
    return first


def in_both(reading: Reading, column: str, patient: str, first: Iterable[str], second: Iterable[str]) -> int:
    """How many patients, as their column tells, have a row in a cohort of the first and a row in one of the second."""
    cohort, who = _texts(reading, column), _texts(reading, patient)
    one, other = (set(who[np.isin(cohort, list(cells))]) - {""} for cells in (first, second))
    return len(one & other)


def _texts(reading, name):
    """(n,) the cells of a column as trimmed text, "" where they are empty."""
    cells = reading.raw[name].to_pylist() if name in reading.raw else reading.frame[name].tolist()
    return np.array(["" if cell is None or cell != cell else str(cell).strip() for cell in cells], dtype=str)
