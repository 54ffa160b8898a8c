"""Selections as a long table: a line for each run and feature, with a value or without, perhaps of several selectors."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from stabcore.io.cells import MISSING_MARKS, number
from stabcore.io.list_cells import hold_lists, split_lists
from stabcore.io.question import Question
from stabcore.io.selection_words import FEATURE, RUN, SELECTOR, VALUE, counts_up, is_run, word, yes_no
from stabcore.errors import InputError
from stabcore.wording import listed, several, shown

MOST_COLUMNS = 12       # of a long table; more are runs × features
MOST_CELLS = 20_000_000
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
LAST_MAY_MISS = "A run that selected nothing has no line in such a table, so the last ones may be missing."
EMPTY_RUNS = {"nothing": "They selected nothing", "not run": "They were not run, or are not here"}


@dataclass(frozen=True)
class Columns:
    """Which columns of a long table hold what: places, value and selector None where there is none."""

    run: tuple[int, ...]
    feature: int
    value: int | None
    selector: int | None


def find_columns(rows, run_column=None, value_column=None):
    """The Columns of a long table, or None when this is no such table; rows: a list of (line, cells).

    run_column and value_column settle by name what is open. Raises Question when it is open, InputError when nothing tells the run.
    """
    head = rows[0][1] if rows else []
    words = [word(cell) for cell in head]
    if not 2 <= len(head) <= MOST_COLUMNS or len(rows) < 2:
        return None
    beside = 1 if words[0] in ("", "row name", "rownames") and len(words) > 2 else 0
    own = words[beside:]
    if sorted(own) == ["ind", "values"]:                    # as R stacks a list
        return Columns((words.index("ind"),), words.index("values"), None, None)
    if {"var1", "var2"} <= set(own) or {"index", "variable"} == set(own) - {"value"}:       # as R and pandas melt a matrix
        return _melted(rows, words, run_column)
    features = [j for j, name in enumerate(words) if name in FEATURE and j >= beside]
    runs = tuple(j for j, name in enumerate(words) if name in RUN and j >= beside)
    if len(features) != 1 or yes_no([cells[features[0]] for _, cells in rows[1:] if len(cells) == len(head)]) or _are_01(
            rows, features[0]):
        return None
    if not runs:
        cells = [cells[features[0]] for _, cells in rows[1:] if len(cells) > features[0]]
        if not set(own) & VALUE and sum(any(mark in cell for mark in ";|,") for cell in cells) * 2 > len(cells):
            runs = ()                                       # a list a line
        elif not set(own) - FEATURE - VALUE - SELECTOR and (set(own) & (VALUE | SELECTOR)):
            raise InputError(f"The table has the columns {listed(head)}, but none that tells the run; stability compares runs, so "
                             "add a column 'run' with the number of the run in each line. A count over all runs is not enough.")
        else:
            return None
    selector = next((j for j, name in enumerate(words) if name in SELECTOR), None)
    filled = [cells for _, cells in rows[1:] if len(cells) == len(head)]
    if hold_lists([cells[features[0]] for cells in filled]):           # a value beside a list is of the run, or another list
        return Columns(runs, features[0], None, selector)
    values = [j for j, name in enumerate(words) if name in VALUE] or (
        _unnamed_values(filled, {*runs, features[0], selector, *range(beside)}, runs, features[0], selector))
    return Columns(runs, features[0], _one_value(head, values, value_column, words), selector)


def with_head(rows):
    """Lines of run and feature, perhaps with a value, that have no names above them: given these, or the first would be lost.

    One column is of runs (run 3, fold1, or numbers) that come again, the other of names.
    """
    width = len(rows[0][1]) if rows else 0
    if width not in (2, 3) or len(rows) < 3 or any(len(cells) != width for _, cells in rows):
        return rows
    columns = list(zip(*(cells for _, cells in rows), strict=True))
    if rows[0][1] == ["", "x"] and sum(any(mark in cell for mark in ";|,") for cell in columns[1][1:]) * 2 > len(rows) - 1:
        return [(rows[0][0], ["run", "feature"]), *rows[1:]]           # as R writes sapply(lists, paste, collapse = ";")
    valued = width == 2 or all(number(cell.replace(",", ".")) is not None for cell in columns[2])
    for run, feature in ((0, 1), (1, 0)):
        runs, names = columns[run], columns[feature]
        again = len(set(runs)) < len(runs) and (all(map(is_run, runs)) or all(map(_NUMBER.fullmatch, runs)))
        if valued and again and not any(is_run(name) or number(name) is not None for name in names):
            head = ["run", "feature"] if run == 0 else ["feature", "run"]
            return [(0, [*head, "value"][:width]), *rows]
    return rows


def _are_01(rows, j):
    return all(cells[j] in ("0", "1") for _, cells in rows[1:] if len(cells) > j)


def _unnamed_values(rows, used, runs, feature, selector):
    """Columns of numbers under other names that may tell how much a feature counted in a run: these differ within runs, and from
    run to run for the same feature."""
    free = [j for j in range(len(rows[0]) if rows else 0) if j not in used]
    numbers = [j for j in free if all(number(cells[j].replace(",", ".")) is not None for cells in rows)]

    def differs(j, *places):
        seen = {}
        return any(seen.setdefault(tuple(cells[i] for i in places), cells[j]) != cells[j] for cells in rows)

    own = () if selector is None else (selector,)
    again = len({(*(cells[i] for i in own), cells[feature]) for cells in rows}) < len(rows)
    return [j for j in numbers if differs(j, *runs, *own) and (differs(j, feature, *own) or not again)] if runs else []


def _one_value(head, values, asked, words):
    named = [j for j in values if head[j] == asked]
    if asked == "" or not values:
        return None
    if not named and (len(values) > 1 or words[values[0]] not in VALUE):
        named, several_of = listed(head[j] for j in values), len(values) > 1
        raise Question(f"Several columns hold a value: {named}. Which one tells what was selected?" if several_of else
                       f"The column {named} holds a number on each line. Does it tell how much the feature counted, with 0 for not "
                       "selected?", "value_column",
                       {**{head[j]: head[j] if several_of else "Yes" for j in values}, "": "No, each line is a selected feature"})
    return (named or values)[0]


def _melted(rows, words, run_column):
    """The Columns of a molten matrix, whose two sides have no names: names of runs or 1, 2, 3, … are the runs."""
    pair = ("var1", "var2") if "var1" in words else ("index", "variable")
    head = rows[0][1]
    sides = [words.index(name) for name in pair]
    value = words.index("value") if "value" in words else None
    named = [j for j in sides if head[j] == run_column]
    if not named:
        distinct = {j: list(dict.fromkeys(cells[j] for _, cells in rows[1:] if len(cells) == len(head))) for j in sides}
        named = [j for j in sides if all(map(is_run, distinct[j])) or counts_up(distinct[j])]
        if len(named) != 1:
            raise Question(f"The columns {listed(head[j] for j in sides)} are the two sides of a matrix. Which one holds the runs?",
                           "run_column", {head[j]: f"{head[j]}: {listed(distinct[j], 3)}" for j in sides})
    return Columns((named[0],), next(j for j in sides if j != named[0]), value, None)


def read_long(rows, columns, empty_runs=None, cell_is=None):
    """({selector: (runs, [{feature: value}, …])}, notes) of a long table; the selector is "" where there is no column of it.

    empty_runs: "nothing" or "not run", what runs are that no line names. cell_is: "list" or "name", what a cell with bars is. A
    value is 1 where the table has none. Raises InputError, with the line, for a line that is too short, a missing name, no number,
    and a pair that is given twice with different values.
    """
    notes, selectors, width = [], {}, len(rows[0][1])
    pair = None if columns.value is None else yes_no([cells[columns.value] for _, cells in rows[1:] if len(cells) == width])
    named = 0
    for line, cells in rows[1:]:
        if len(cells) != width:
            raise InputError(f"Line {line} has {several(len(cells), 'cell')}, but line {rows[0][0]} has "
                             f"{several(width, 'column')}; each line needs a cell for each column.")
        selector = "" if columns.selector is None else cells[columns.selector]
        run, feature = ", ".join(cells[j] for j in columns.run), cells[columns.feature]
        run = run if columns.run else f"run {len(selectors.get(selector, ())) + 1}"
        if not all(cells[j] for j in columns.run) or (columns.selector is not None and not selector):
            raise InputError(f"Line {line} does not say {'its run' if selector or columns.selector is None else 'its selector'}; "
                             "fill the cell, or delete the line.")
        own = selectors.setdefault(selector, {}).setdefault(run, {})
        if not feature or feature.lower() in MISSING_MARKS[:2] and columns.value is None:
            continue                                    # a run without a feature selected nothing
        value = 1.0 if columns.value is None else _value(cells[columns.value], pair, line, rows[0][1][columns.value])
        if own.setdefault(feature, value) != value:
            raise InputError(f"Line {line} gives {value:g} for {shown(feature)} in run {shown(run)}, but an earlier line gives "
                             f"{own[feature]:g}; delete one of them, or add a column 'selector' if they are of different "
                             "selectors.")
        named += 1
    twice = named - sum(len(own) for runs in selectors.values() for own in runs.values())
    if twice:
        notes.append(f"Counted once: {several(twice, 'line')} that repeat{'s' * (twice == 1)} what another line says.")
    if columns.value is None:
        notes += split_lists(selectors, cell_is)
    notes += _complete(selectors, empty_runs) if columns.run else []
    _note_columns(rows[0][1], columns, pair, notes)
    return selectors, notes


def _value(cell, pair, line, name):
    low = cell.casefold()
    if pair and low in pair:
        return float(low == pair[0])
    value = number(cell)
    value = number(cell.replace(",", ".")) if value is None and cell.count(",") == 1 else value
    if value is None or not np.isfinite(value):
        what = f"holds {shown(cell)}, which is not a finite number" if cell else "is empty"
        raise InputError(f"Line {line}, column {shown(name)} {what}; write 0 if the run did not select the feature.")
    return value


def _complete(selectors, empty_runs):
    """Notes on runs that no line names, which are added when they selected nothing. Raises Question when nobody said."""
    every = dict.fromkeys(run for runs in selectors.values() for run in runs)
    if all(_NUMBER.fullmatch(run) for run in every):
        numbers = sorted(map(int, every))
        if numbers[0] in (0, 1) and numbers[-1] < 10 * len(numbers):
            every |= dict.fromkeys(map(str, range(numbers[0], numbers[-1] + 1)))
    missing = {selector: [run for run in every if run not in runs] for selector, runs in selectors.items()}
    lost = [f"{run}{f' of {selector}' if selector else ''}" for selector, runs in missing.items() for run in runs]
    if not lost:
        return [LAST_MAY_MISS]
    if empty_runs is None:
        raise Question(f"No line names {several(len(lost), 'run')}: {listed(lost)}. A long table has no line for a run that "
                       "selected nothing. What are these?", "empty_runs", EMPTY_RUNS)
    if empty_runs == "nothing":
        for selector, runs in missing.items():
            selectors[selector].update({run: {} for run in runs})
        return [f"Taken as runs that selected nothing: {several(len(lost), 'run')} without a line."]
    return [f"Not counted: {several(len(lost), 'run')} without a line."]


def _note_columns(head, columns, pair, notes):
    value = "" if columns.value is None else f", {shown(head[columns.value])} tells the value"
    selector = "" if columns.selector is None else f", {shown(head[columns.selector])} tells the selector"
    tells = f"{listed(head[j] for j in columns.run)} tells the run" if columns.run else "each line is a run"
    notes.append(f"How the table was read: {tells}, {shown(head[columns.feature])} tells the feature{value}{selector}.")
    if pair:
        notes.append(f"{shown(pair[0])} was taken as selected and {shown(pair[1]) if pair[1] else 'a blank cell'} as not selected.")
    used = {*columns.run, columns.feature, columns.value, columns.selector}
    left = [name for j, name in enumerate(head) if j not in used and name]
    if left:
        notes.append(f"Not used: {listed(left)}.")


def matrix_of(runs, features, absent):
    """(M, d) floats of runs {run: {feature: value}}; absent: what a pair has that no line gives."""
    if len(runs) * len(features) > MOST_CELLS:
        raise InputError(f"{len(runs):,} runs × {len(features):,} features are more than {MOST_CELLS // 10 ** 6} million cells; "
                         "give only the features that were selected, without a column of values.")
    place = {name: j for j, name in enumerate(features)}
    matrix = np.full((len(runs), len(features)), absent)
    for i, own in enumerate(runs.values()):
        matrix[i, [place[name] for name in own]] = list(own.values())
    return matrix
