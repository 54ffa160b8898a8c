"""Mends: what a person decided about cells that are no numbers, and a table read anew with these decisions."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace

import numpy as np

from stabcore.io.cells import read_cells
from stabcore.io.cohorts import FIRST, ONLY, only_rows
from stabcore.io.frame import Reading, as_column
from stabcore.io.marks import cell_of, truth, unit_in, without_spaces
from stabcore.io.sideways import apart
from stabcore.io.spelling import as_seen, key
from stabcore.io.suspects import as_date
from stabcore.errors import InputError
from stabcore.wording import listed, nearest, several, shown

APART, BLANK = "apart", "blank"
DOES = {"missing": "read as missing", "keep": "kept as texts, not read as missing", "half": "read as half the limit",
        "limit": "read as the limit", "unit": "read as numbers without their unit", "yes-no": "read as yes and no",
        "number": "read as the number in them", "spaces": "read with spaces between thousands",
        "dates": "read as dates, which are no feature",
        "spelling": "joined where only capitals, or signs that cannot be seen, differ",
        "decimal": "read with commas as decimal points", "thousands": "read with commas between thousands",
        "as": "read as another text", "own": "kept as a class of their own", ONLY: "the only rows that are used",
        APART: "kept apart where only capitals, or signs that cannot be seen, differ",
        BLANK: "replaced by whether they are blank", FIRST: "used to keep one row of each patient, the first"}
_BY_CELL = ("missing", "keep", "half", "limit", "number", "as", "own")      # these name their texts; the others are about columns


@dataclass(frozen=True)
class Mend:
    """One decision. do: a key of DOES; columns: whose cells; cells: which texts (as they stand), for what is decided text by text,
    or the rows that hold one of them; unit: what is taken off; into: the text of the column that cells are read as."""

    do: str
    columns: tuple[str, ...]
    cells: tuple[str, ...] = ()
    unit: str = ""
    into: str = ""

    def settings(self) -> dict:
        """As the settings file of a study keeps it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items() if value}

    @classmethod
    def of(cls, entry) -> Mend:
        """From what `settings` gives. Raises InputError for what no mend is."""
        known = {"do": str, "columns": list, "cells": list, "unit": str, "into": str}
        if not isinstance(entry, dict) or set(entry) - set(known) or not {"do", "columns"} <= set(entry):
            raise InputError(f"A mend of cells has the entries {', '.join(known)}; found {shown(entry)}.")
        for name, value in entry.items():
            if not isinstance(value, known[name]) or (known[name] is list and not all(isinstance(one, str) for one in value)):
                what = "a list of texts" if known[name] is list else "a text"
                raise InputError(f"{name} of a mend is {what}; found {shown(value)}.")
        if entry["do"] not in DOES:
            raise InputError(f"A mend cannot do {shown(entry['do'])}{nearest(entry['do'], DOES)}; it can do: {', '.join(DOES)}.")
        if entry["do"] == "as" and not (entry.get("cells") and entry.get("into", "").strip()):
            raise InputError("A mend that does 'as' names its cells and, by into, the text that they are read as; found "
                             f"{shown(entry)}.")
        return cls(entry["do"], tuple(entry["columns"]), tuple(entry.get("cells", ())), entry.get("unit", ""),
                   entry.get("into", "").strip())


def apply(reading: Reading, mends) -> Reading:
    """The table with the mended columns read anew, and a sentence on each mend in `mended`; the raw cells stay as they are.

    Raises InputError for a column that the table does not have.
    """
    of = {}
    for mend in mends:
        for name in mend.columns:
            if name not in reading.frame.columns:
                known = map(str, reading.frame.columns)
                raise InputError(f"A decision about cells names the column {shown(name)}, which this table does not have"
                                 f"{nearest(name, known)}; take the decision back, or give the column that name.")
            if mend.do not in (ONLY, FIRST, APART, BLANK):
                of.setdefault(name, []).append(mend)
    reading, chosen = only_rows(reading, mends)
    counts, units, columns = Counter(), dict(reading.units), {}
    for name, about in of.items():
        if name in reading.raw:
            columns[name] = _mended(reading.raw[name], about, reading.comma, counts, name)
            units.update((name, mend.unit) for mend in about if mend.unit and not (units.get(name) or unit_in(str(name))))
    sentences = tuple(chosen.get(mend) or _sentence(mend, [counts[mend, name] for name in mend.columns]) for mend in mends)
    kept = kept_cells(mends)
    marks = {name: left for name, marked in reading.marks.items()
             if (left := {mark: n for mark, n in marked.items() if (name, mark) not in kept})}
    frame = _blank_or_not(reading.frame.assign(**columns), [mend for mend in mends if mend.do == BLANK])
    return replace(reading, frame=frame, units=units, marks=marks, mended=sentences, mends=tuple(mends))


def _blank_or_not(frame, mends):
    """The frame in which some columns only say whether their cells are blank, and are called so."""
    names = [str(name) for name in frame.columns]
    for name in dict.fromkeys(name for mend in mends for name in mend.columns):
        at, new = names.index(name), apart([*names, f"{name} is blank"])[-1]
        frame = frame.assign(**{name: np.where(frame[name].isna(), "yes", "no")})
        names[at] = new
    return frame.set_axis(names, axis=1) if mends else frame


def kept_apart(mends) -> frozenset[str]:
    """Columns whose words, or names, were said to differ although they look the same."""
    return frozenset(name for mend in mends if mend.do == APART for name in mend.columns)


def taken(reading: Reading) -> list[tuple[Mend, str]]:
    """What was done without a question: each usual mark for missing that was read so, as a Mend and a sentence, the most frequent
    first. It is taken back by a Mend that keeps the same cells."""
    columns_of = {}
    for name, marks in reading.marks.items():
        for mark, n in marks.items():
            columns_of.setdefault(mark, {})[name] = n
    mends = [(Mend("missing", tuple(of), (mark,)), list(of.values())) for mark, of in columns_of.items()]
    return [(mend, _sentence(mend, counts)) for mend, counts in sorted(mends, key=lambda one: -sum(one[1]))]


def kept_cells(mends) -> set:
    """{(column, text)} of the usual marks for missing that were asked to stay texts."""
    return {(name, cell) for mend in mends if mend.do == "keep" for name in mend.columns for cell in mend.cells}


def levels_of(texts):
    """(distinct trimmed texts, how often each appears, (n,) codes into them with −1 for empty) of a column as it was read."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.utf8_trim_whitespace(texts if isinstance(texts, (pa.Array, pa.ChunkedArray)) else pa.array(texts, pa.string()))
    encoded = pc.dictionary_encode(texts)
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    levels = encoded.dictionary.to_pylist()
    return levels, np.bincount(codes[codes >= 0], minlength=len(levels)).tolist(), codes


def _yes_or_no(text):
    return {"1": "yes", "0": "no"}.get(text) or truth(text) or text


_REWRITE = {"yes-no": _yes_or_no, "spaces": without_spaces, "dates": as_date}


def _mended(texts, mends, comma, counts, name):
    """The values of one column after its mends; counts grows by how many cells each mend was about."""
    import pyarrow as pa

    levels, often, codes = levels_of(texts)
    levels = _as_if(levels, often, mends, counts, name)
    new, limits = list(levels), {}
    for mend in (mend for mend in mends if mend.do != "as"):
        about = _about(mend, levels)
        counts[mend, name] += sum(often[i] for i in about)
        for i in about:
            cell = cell_of(levels[i])
            if mend.do == "missing":
                new[i] = None
            elif mend.do == "keep":             # within quotes, no reader takes it for missing again
                new[i] = new[i] and f"'{levels[i]}'"
            elif mend.do in ("unit", "number"):
                new[i] = cell.number
            elif mend.do in ("half", "limit"):
                new[i], limits[i] = cell.number or None, mend.do
            elif mend.do in _REWRITE and new[i] is not None:
                new[i] = _REWRITE[mend.do](new[i])
        if mend.do == "spelling":
            new = _one_spelling(new, often)
        comma = mend.do if mend.do in ("decimal", "thousands") else comma
    def read(levels):
        return read_cells(pa.array([*levels, None], pa.string()).take(pa.array(np.where(codes < 0, len(levels), codes))), comma)

    cells = read(new)
    if cells.numbers is None and comma == "decimal":     # some cells have a comma, others a point, before their decimals
        points = read([level and level.replace(",", ".") for level in new]) if _one_sign(new) else cells
        cells = cells if points.numbers is None else points
    if limits and cells.numbers is None:         # something else is text still: until it is mended, a limit stays a limit
        cells = read([levels[i] if i in limits else level for i, level in enumerate(new)])
    elif limits:
        cells = replace(cells, numbers=_at_limits(cells.numbers, codes, limits, {i: cell_of(levels[i]) for i in limits}))
    return as_column(cells)


def _as_if(levels, often, mends, counts, name):
    """The texts as if the file held those that some are read as, so that whatever else was decided is about them too."""
    for mend in (mend for mend in mends if mend.do == "as"):
        counts[mend, name] += sum(n for level, n in zip(levels, often, strict=True) if level in mend.cells)
        levels = [mend.into if level in mend.cells else level for level in levels]
    return levels


def _one_sign(levels):
    return not any(level and (level.count(",") > 1 or "," in level and "." in level) for level in levels)


def _about(mend, levels):
    """Positions of the texts that a mend is about."""
    if mend.do in _BY_CELL:
        return [i for i, level in enumerate(levels) if level in mend.cells]
    if mend.do == "unit":
        return [i for i, level in enumerate(levels) if (cell := cell_of(level)).kind == "number" and cell.unit == mend.unit]
    if mend.do == "yes-no":
        return [i for i, level in enumerate(levels) if truth(level) or level in ("0", "1")]
    return [i for i, level in enumerate(levels) if level]


def _one_spelling(levels, often):
    """Each text as it is most often written, where only capitals, or signs that cannot be seen, differ."""
    usual = {}
    for i in sorted(range(len(levels)), key=lambda i: -often[i]):
        if levels[i] is not None:
            usual.setdefault(key(levels[i]), as_seen(levels[i]))
    return [None if level is None else usual[key(level)] for level in levels]


def _at_limits(numbers, codes, limits, cells):
    """The numbers with half a limit where asked, and the limit where none is said: the outermost that is said in the column, else
    its smallest (below) or largest number (above)."""
    numbers = numbers.copy()
    for i in limits:
        if not cells[i].number:
            at, kind = codes == i, cells[i].kind
            with_limit = np.isin(codes, [j for j in limits if cells[j].number and cells[j].kind == kind])
            known = numbers[with_limit] if with_limit.any() else numbers[~np.isnan(numbers)]
            numbers[at] = (known.min() if kind == "below" else known.max()) if len(known) else np.nan
    for i, do in limits.items():
        numbers[codes == i] *= 0.5 if do == "half" else 1.0
    return numbers


def _sentence(mend, counts):
    columns = [name for name, count in zip(mend.columns, counts, strict=True) if count] or list(mend.columns)
    where, total = listed(columns), several(sum(counts), "cell")
    be = "was" if sum(counts) == 1 else "were"
    if mend.do == "unit":
        return f"The unit {shown(mend.unit)} was taken off the numbers of {total} in {where}."
    if mend.do in _BY_CELL:
        unsaid = [cell for cell in mend.cells if not cell_of(cell).number]
        more = (f" (where the limit is not said, as in {shown(unsaid[0])}, it is the outermost that is said in the column, or else "
                "its outermost number)" if mend.do in ("half", "limit") and unsaid else "")
        does = f"read as {shown(mend.into)}" if mend.do == "as" else DOES[mend.do]
        return f"{total} holding {listed(mend.cells)} in {where} {be} {does}{more}."
    return f"The cells of {where} were {DOES[mend.do]}."


