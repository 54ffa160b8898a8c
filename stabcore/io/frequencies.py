"""Tables of selection frequencies: one number per feature over all runs, with the number of runs given separately."""

import re
from typing import NamedTuple

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import comma_separated, counted, quote
from stabcore.base.validation import add_unselected
from stabcore.io.cells import parse_number_with_comma
from stabcore.io.choices import Question
from stabcore.io.contents import Row
from stabcore.io.decode import Source
from stabcore.io.names import check_names
from stabcore.io.selection_source import FEATURE, add_corner, is_intercept, normal_name, open_source

TITLES = set(
    comma_separated(
        "anzahl, bif, count, counts, freq, frequency, frequencies, häufigkeit, inclusion, n, perc, percent, percentage, prop, "
        "proportion, probability, selection frequency, selection probability, selection proportion, selprop, share, stability, "
        "times, votes, x"
    )
)
_PERCENT = re.compile(r"%|\bperc(?:ent|entage)?\b|\bprozent\b", re.IGNORECASE)
_COUNTS = set(comma_separated("anzahl, count, counts, n, times, votes"))
_DIGITS = re.compile(r"[.,](\d+)(?:[eE]([+-]?\d+))?$")
MAX_RUNS = 10_000_000
MAX_COUNT_ERROR = 0.49  # a number further from a whole number than the rounding of its share is not a count of runs


class Frequencies(NamedTuple):
    """Selection frequency of each of d features in M runs.

    features  all d names, with placeholders for features that no run selected
    shares    (d,) share of the runs that selected each feature, 0 to 1
    n_runs    M, the given number of runs
    notes     assumptions, one plain sentence each
    """

    features: tuple[str, ...]
    shares: np.ndarray
    n_runs: int
    notes: tuple[str, ...]


def read_frequencies(
    source: Source, name: str | None = None, *, n_runs: int, n_features: int | None = None, frequencies_are: str | None = None
) -> Frequencies:
    """Read a table of selection frequencies: shares, percentages or counts, one for each feature.

    source: names beside numbers, or names above one row of numbers. n_features: number of features that could be selected, by
    default those of the table. frequencies_are: "counts" or "percent", the answer to a Question, which is raised if whole numbers
    may be either. Raises InputError for a table that holds runs, and for a frequency that no number of runs out of n_runs gives.
    """
    if isinstance(n_runs, bool) or not isinstance(n_runs, (int, np.integer)) or not 2 <= n_runs <= MAX_RUNS:
        raise InputError(f"The number of runs is a whole number of at least 2. Found {n_runs!r}.")
    opened = open_source(source, name)
    names, cells, title = _column(add_corner([(line, row) for line, row in opened.rows if any(row)]))
    features = [(name, cell) for name, cell in zip(names, cells, strict=True) if not is_intercept(name)]
    names = tuple(check_names([name for name, _ in features]))
    shares, how = _shares([cell for _, cell in features], names, title, n_runs, frequencies_are)
    every = add_unselected(names, n_features)
    share_of = dict(zip(names, shares, strict=True))
    notes = [*opened.notes, f"The numbers were read as selection frequencies, in {how}, over {counted(n_runs, 'run')}."]
    if n_features is None:
        notes.append(f"The table names {len(names)} features. Give the number of features if there were more.")
    return Frequencies(every, np.array([share_of.get(name, 0.0) for name in every]), int(n_runs), tuple(notes))


def _column(rows: list[Row]):
    """(names, cells, title) of names beside or above numbers."""
    if len(rows) == 2:
        head, cells = rows[0][1], rows[1][1]
        beside = int(head[0] == "" or _value(cells[0]) is None)
        names, cells = head[beside:], cells[beside:]
        if len(names) == len(cells) > 2 and all(_value(cell) is not None for cell in cells):
            return names, cells, ""
    body = [cells for _, cells in rows]
    width = max(map(len, body), default=0)
    titled = len(body) > 1 and all(_value(cell) is None for cell in body[0])
    head = body[0] if titled else [""] * width
    body = body[titled:]
    if not body or width < 2 or any(len(cells) != width for cells in (head, *body)):
        raise InputError(_NO_FREQUENCIES)
    numeric = [j for j in range(width) if all(_value(cells[j]) is not None for cells in body)]
    texts = [j for j in range(width) if all(cells[j] and _value(cells[j]) is None for cells in body)]
    named = [j for j in texts if normal_name(head[j]) in FEATURE | {"var1"}] or texts
    values = [j for j in numeric if normal_name(head[j]) in TITLES or _PERCENT.search(head[j])] or numeric
    counts = [j for j in values if [cells[j] for cells in body] != [str(i) for i in range(1, len(body) + 1)]]  # not row numbers
    if len(named) != 1 or len(counts) != 1:
        raise InputError(_NO_FREQUENCIES)
    return [cells[named[0]] for cells in body], [cells[counts[0]] for cells in body], head[counts[0]]


_NO_FREQUENCIES = (
    "The number of runs was given, so a table of selection frequencies is expected: one column of names and one of numbers. "
    "Leave out the number of runs if this file holds the runs themselves."
)


def _value(cell):
    return parse_number_with_comma(cell.strip().removesuffix("%").strip())


def _shares(cells, names, title, n_runs, answer):
    """((d,) shares, how they were written). Raises InputError for a number that no count of runs gives."""
    values = np.array([_value(cell) for cell in cells], dtype=float)
    error = 0.5 * 10.0 ** -max(map(_decimals, cells), default=0)  # rounding error, from the largest number of decimals
    all_whole = bool((values == np.round(values)).all())
    if (values < 0).any() or not np.isfinite(values).all():
        f = int(np.flatnonzero(~(values >= 0))[0])
        raise InputError(f"{quote(names[f])} has {cells[f]}, which is not a frequency. Frequencies are at least 0.")
    if all_whole and values.max(initial=0) <= 1 and len(values) > 1:
        raise InputError(
            "All numbers are 0 or 1, so this is one selection, such as that of a final model. Give the frequencies, or the "
            "selection of each run."
        )
    if all_whole and normal_name(title) in ("", "x") and len(values) > 1 and (np.diff(values) > 0).all():
        raise InputError(
            f"The whole numbers grow from {values[0]:.0f} to {values[-1]:.0f}, so they may be positions of features, such as "
            "s$selected of stabs. If they are counts of runs, give their column the title 'count'."
        )
    percent = any("%" in cell for cell in cells) or bool(_PERCENT.search(title))
    ways = [("percent", 100.0)] if percent else [("shares", 1.0)] if values.max() <= 1 else [("counts", n_runs), ("percent", 100.0)]
    if not percent and len(ways) > 1 and (not all_whole or answer):
        ways = [way for way in ways if way[0] == (answer or "percent")]
    if len(ways) > 1 and normal_name(title) in _COUNTS:
        ways = ways[:1]
    fits = [(how, top) for how, top in ways if _first_misfit(values, top, n_runs, error, all_whole) is None]
    if len(fits) > 1 and n_runs != 100:
        raise Question(
            f"The numbers are whole and at most {values.max():.0f}. Are they counts of {n_runs} runs, or percentages?",
            "frequencies_are",
            {"counts": f"Counts: {values.max():.0f} of {n_runs} runs", "percent": f"Percentages: {values.max():.0f}% of the runs"},
        )
    if not fits:
        f, found = _first_misfit(values, ways[-1][1], n_runs, error, all_whole) or (0, 0.0)
        raise InputError(
            f"{quote(names[f])} has {cells[f]}, which would be {found:.4g} of {n_runs} runs. Correct the number of runs. "
            "stabs makes 2 × B runs with sampling.type = 'SS'."
        )
    how, top = fits[0]
    share = values / top
    count = np.round(share * n_runs)
    exact = n_runs * (0 if how == "counts" else error / top) < MAX_COUNT_ERROR
    return (count / n_runs if exact else share), how


def _decimals(cell):
    found = _DIGITS.search(cell.strip().removesuffix("%").strip())
    return 0 if found is None else max(0, len(found[1]) - int(found[2] or 0))


def _first_misfit(values, top, n_runs, error, all_whole):
    """(place, count) of the first number that is not a count of the runs, None if all are."""
    counts = values / top * n_runs
    allowed = 1e-6 * n_runs + n_runs * (error / top if not all_whole or top != n_runs else 0)
    over = values > top * (1 + 1e-9)
    wrong = np.flatnonzero(over | (np.abs(counts - np.round(counts)) > min(allowed, MAX_COUNT_ERROR + 0.02)))
    return (int(wrong[0]), float(counts[wrong[0]])) if len(wrong) else None
