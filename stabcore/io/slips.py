"""Classes of an outcome that very few rows have: one may be another class, written wrongly, and only a person can say which."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np

from stabcore.io.cohorts import FIRST, ONLY, only_rows
from stabcore.io.frame import Reading
from stabcore.io.marks import is_unknown, truth
from stabcore.io.mends import apply, levels_of
from stabcore.io.spelling import key

FEW, SHARE = 3, 0.05        # rows, and share of all rows, up to which a class of several rows is asked about
MOST_ASKED = 0.2            # share of the rows that all such classes have together: beyond it they are the rule, not slips
ALIKE = 0.6                 # share of letters in which another class of very few rows is written alike, so that it is offered
MOST_VALUES = 30            # different values; a column of more is a number, or holds no classes


@dataclass(frozen=True)
class Rare:
    """A class of very few rows: its name, the texts that are read as it, its rows, and where they are as far as that is known;
    others: (name, a text that is read as it) of the other classes, the one that is written most alike first, then by their rows."""

    name: str
    texts: tuple[str, ...]
    count: int
    places: tuple[str, ...]
    others: tuple[tuple[str, str], ...]


def rare_classes(reading: Reading, mends, outcome) -> list[Rare]:
    """The classes of one column that may be slips, after these mends; none in a column of many different values."""
    reading, _ = only_rows(reading, mends)
    texts = reading.raw.get(outcome)
    if texts is None:               # of a format that keeps no texts
        return []
    alone = replace(reading, frame=reading.frame[[outcome]], raw={outcome: texts}, marks={})
    about = [replace(mend, columns=(outcome,)) for mend in mends if outcome in mend.columns and mend.do not in (ONLY, FIRST)]
    column = apply(alone, about).frame[outcome]
    values, names = column.factorize()
    names = [_named(name) for name in names]
    counts = np.bincount(values[values >= 0], minlength=len(names))
    rare = np.flatnonzero((counts == 1) | ((counts <= FEW) & (counts <= SHARE * counts.sum())))
    if not 3 <= len(names) <= MOST_VALUES or counts[rare].sum() > MOST_ASKED * counts.sum():
        return []
    levels, _, codes = levels_of(texts)
    held = [np.bincount(codes[(values == c) & (codes >= 0)], minlength=len(levels)) for c in range(len(names))]
    own = {cell for mend in about if mend.do == "own" for cell in mend.cells}
    asked = []
    for c in rare:
        cells = tuple(levels[i] for i in np.flatnonzero(held[c]))
        if not _asked_otherwise(names, c, cells) and not own.issuperset(cells):
            others = [(names[j], levels[int(held[j].argmax())]) for j in _others(names, counts, set(rare), c)]
            asked.append(Rare(names[c], cells, int(counts[c]), _places(column, values == c), tuple(others)))
    return asked


def _others(names, counts, rare, c):
    """The classes that c may be, the one that is written most alike first, then by their rows; rare ones only if alike."""
    like = [SequenceMatcher(None, key(names[c]), key(name)).ratio() for name in names]
    others = [j for j in range(len(names)) if j != c and (j not in rare or like[j] >= ALIKE)]
    nearest = max(others, key=like.__getitem__)
    return sorted(others, key=lambda j: (j != nearest, -counts[j]))


def _named(value) -> str:
    """A class as roles call it."""
    return f"{value:.12g}" if isinstance(value, (float, np.floating)) else str(value)


def _asked_otherwise(names, c, cells):
    """Whether another question is about these cells: that nothing is known, or that words differ only in how they are written."""
    words = [key(name) for name in names]
    return words.count(words[c]) > 1 or all(map(truth, names)) or all(is_unknown(cell) and not truth(cell) for cell in cells)


def _places(column, rows):
    return tuple(f"line {line}" for line in column.index[rows]) if column.index.name == "line" else ()
