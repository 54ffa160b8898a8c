"""Tables with a line for each run and feature, perhaps of several selectors; those that one model gives, such as Boruta in R."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import comma_separated, listed, several, shown
from stabcore.io.cells import MISSING_MARKS, number, number_with_comma
from stabcore.io.choices import Question
from stabcore.io.printed_lists import code_lists
from stabcore.io.selection_words import COEFFICIENT, FEATURE, RUN, SELECTOR, VALUE, counts_up, is_intercept, is_run, word, yes_no

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stabcore.io.contents import Row

MOST_COLUMNS = 12  # of a long table; more are runs × features
MOST_CELLS = 20_000_000
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
LAST_MAY_MISS = "A run that selected nothing has no line in such a table, so the last ones may be missing."
EMPTY_RUNS = {"nothing": "They selected nothing", "not run": "They were not run, or are not here"}


@dataclass(frozen=True)
class LongPlaces:
    """Which columns of a long table hold what: places, value and selector None where there is none."""

    run: tuple[int, ...]
    feature: int
    value: int | None
    selector: int | None


def find_places(rows, run_column=None, value_column=None):
    """The LongPlaces of a long table, or None when this is no such table; rows: a list of (line, cells).

    run_column and value_column settle by name what is open. Raises Question when it is open, InputError when nothing tells the run.
    """
    head = rows[0][1] if rows else []
    words = [word(cell) for cell in head]
    if not 2 <= len(head) <= MOST_COLUMNS or len(rows) < 2:
        return None
    beside = 1 if words[0] in ("", "row name", "rownames") and len(words) > 2 else 0
    titles = words[beside:]
    if sorted(titles) == ["ind", "values"]:  # as R stacks a list
        return LongPlaces((words.index("ind"),), words.index("values"), None, None)
    if {"var1", "var2"} <= set(titles) or {"index", "variable"} == set(titles) - {"value"}:  # as R and pandas melt a matrix
        return _melted(rows, words, run_column)
    features = [j for j, name in enumerate(words) if name in FEATURE and j >= beside]
    runs = tuple(j for j, name in enumerate(words) if name in RUN and j >= beside)
    if (
        len(features) != 1
        or yes_no([cells[features[0]] for _, cells in rows[1:] if len(cells) == len(head)])
        or _are_01(rows, features[0])
    ):
        return None
    if not runs:
        cells = [cells[features[0]] for _, cells in rows[1:] if len(cells) > features[0]]
        if not set(titles) & VALUE and sum(any(mark in cell for mark in ";|,") for cell in cells) * 2 > len(cells):
            runs = ()  # a list a line
        elif not set(titles) - FEATURE - VALUE - SELECTOR and (set(titles) & (VALUE | SELECTOR)):
            raise InputError(
                f"The table has the columns {listed(head)}, but none that tells the run; stability compares runs, so "
                "add a column 'run' with the number of the run in each line. A count over all runs is not enough."
            )
        else:
            return None
    selector = next((j for j, name in enumerate(words) if name in SELECTOR), None)
    filled = [cells for _, cells in rows[1:] if len(cells) == len(head)]
    if hold_lists([cells[features[0]] for cells in filled]):  # a value beside a list is of the run, or another list
        return LongPlaces(runs, features[0], None, selector)
    values = [j for j, name in enumerate(words) if name in VALUE] or (
        _unnamed_values(filled, {*runs, features[0], selector, *range(beside)}, runs, features[0], selector)
    )
    return LongPlaces(runs, features[0], _one_value(head, values, value_column, words), selector)


def with_head(rows):
    """Lines of run and feature, perhaps with a value, that have no names above them: given these, or the first would be lost.

    One column is of runs (run 3, fold1, or numbers) that come again, the other of names.
    """
    width = len(rows[0][1]) if rows else 0
    if width not in (2, 3) or len(rows) < 3 or any(len(cells) != width for _, cells in rows):
        return rows
    columns = list(zip(*(cells for _, cells in rows), strict=True))
    if rows[0][1] == ["", "x"] and sum(any(mark in cell for mark in ";|,") for cell in columns[1][1:]) * 2 > len(rows) - 1:
        return [(rows[0][0], ["run", "feature"]), *rows[1:]]  # as R writes sapply(lists, paste, collapse = ";")
    valued = width == 2 or all(number(cell.replace(",", ".")) is not None for cell in columns[2])
    for run, feature in ((0, 1), (1, 0)):
        runs, names = columns[run], columns[feature]
        comes_again = len(set(runs)) < len(runs) and (all(map(is_run, runs)) or all(map(_NUMBER.fullmatch, runs)))
        if valued and comes_again and not any(is_run(name) or number(name) is not None for name in names):
            head = ["run", "feature"] if run == 0 else ["feature", "run"]
            return [(0, [*head, "value"][:width]), *rows]
    return rows


def _are_01(rows, j):
    return all(cells[j] in ("0", "1") for _, cells in rows[1:] if len(cells) > j)


def _unnamed_values(rows, used, runs, feature, selector):
    """Columns of numbers under other names that may tell how much a feature counted in a run.

    These differ within runs, and from run to run for the same feature.
    """
    free = [j for j in range(len(rows[0]) if rows else 0) if j not in used]
    numbers = [j for j in free if all(number(cells[j].replace(",", ".")) is not None for cells in rows)]

    def differs(j, *places):
        seen: dict[Any, Any] = {}
        return any(seen.setdefault(tuple(cells[i] for i in places), cells[j]) != cells[j] for cells in rows)

    selector_place = () if selector is None else (selector,)
    comes_again = len({(*(cells[i] for i in selector_place), cells[feature]) for cells in rows}) < len(rows)
    return (
        [j for j in numbers if differs(j, *runs, *selector_place) and (differs(j, feature, *selector_place) or not comes_again)]
        if runs
        else []
    )


def _one_value(head, values, asked, words):
    named = [j for j in values if head[j] == asked]
    if asked == "" or not values:
        return None
    if not named and (len(values) > 1 or words[values[0]] not in VALUE):
        titles, several_of = listed(head[j] for j in values), len(values) > 1
        raise Question(
            f"Several columns hold a value: {titles}. Which one tells what was selected?"
            if several_of
            else f"The column {titles} holds a number on each line. Does it tell how much the feature counted, with 0 for "
            "not selected?",
            "value_column",
            {**{head[j]: head[j] if several_of else "Yes" for j in values}, "": "No, each line is a selected feature"},
        )
    return (named or values)[0]


def _melted(rows, words, run_column):
    """The LongPlaces of a molten matrix, whose two sides have no names: names of runs or 1, 2, 3, … are the runs."""
    pair = ("var1", "var2") if "var1" in words else ("index", "variable")
    head = rows[0][1]
    sides = [words.index(name) for name in pair]
    value = words.index("value") if "value" in words else None
    named = [j for j in sides if head[j] == run_column]
    if not named:
        distinct = {j: list(dict.fromkeys(cells[j] for _, cells in rows[1:] if len(cells) == len(head))) for j in sides}
        named = [j for j in sides if all(map(is_run, distinct[j])) or counts_up(distinct[j])]
        if len(named) != 1:
            raise Question(
                f"The columns {listed(head[j] for j in sides)} are the two sides of a matrix. Which one holds the runs?",
                "run_column",
                {head[j]: f"{head[j]}: {listed(distinct[j], 3)}" for j in sides},
            )
    return LongPlaces((named[0],), next(j for j in sides if j != named[0]), value, None)


def read_long(rows, columns, empty_runs=None, cell_is=None):
    """({selector: (runs, [{feature: value}, …])}, notes) of a long table; the selector is "" where there is no column of it.

    empty_runs: "nothing" or "not run", what runs are that no line names. cell_is: "list" or "name", what a cell with bars is. A
    value is 1 where the table has none. Raises InputError, with the line, for a line that is too short, a missing name, no number,
    and a pair that is given twice with different values.
    """
    notes, width = [], len(rows[0][1])
    selectors: dict[str, dict[str, dict[str, float]]] = {}
    pair = None if columns.value is None else yes_no([cells[columns.value] for _, cells in rows[1:] if len(cells) == width])
    named = 0
    for line, cells in rows[1:]:
        if len(cells) != width:
            raise InputError(
                f"Line {line} has {several(len(cells), 'cell')}, but line {rows[0][0]} has "
                f"{several(width, 'column')}; each line needs a cell for each column."
            )
        selector = "" if columns.selector is None else cells[columns.selector]
        run, feature = ", ".join(cells[j] for j in columns.run), cells[columns.feature]
        run = run if columns.run else f"run {len(selectors.get(selector, ())) + 1}"
        if not all(cells[j] for j in columns.run) or (columns.selector is not None and not selector):
            raise InputError(
                f"Line {line} does not say {'its run' if selector or columns.selector is None else 'its selector'}; "
                "fill the cell, or delete the line."
            )
        value_of = selectors.setdefault(selector, {}).setdefault(run, {})
        if not feature or feature.lower() in MISSING_MARKS[:2] and columns.value is None:
            continue  # a run without a feature selected nothing
        value = 1.0 if columns.value is None else _value_of_cell(cells[columns.value], pair, line, rows[0][1][columns.value])
        if value_of.setdefault(feature, value) != value:
            raise InputError(
                f"Line {line} gives {value:g} for {shown(feature)} in run {shown(run)}, but an earlier line gives "
                f"{value_of[feature]:g}; delete one of them, or add a column 'selector' if they are of different "
                "selectors."
            )
        named += 1
    twice = named - sum(len(value_of) for runs in selectors.values() for value_of in runs.values())
    if twice:
        notes.append(f"Counted once: {several(twice, 'line')} that repeat{'s' * (twice == 1)} what another line says.")
    if columns.value is None:
        notes += split_lists(selectors, cell_is)
    notes += _complete(selectors, empty_runs) if columns.run else []
    _note_columns(rows[0][1], columns, pair, notes)
    return selectors, notes


def _value_of_cell(cell, pair, line, name):
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
        raise Question(
            f"No line names {several(len(lost), 'run')}: {listed(lost)}. A long table has no line for a run that "
            "selected nothing. What are these?",
            "empty_runs",
            EMPTY_RUNS,
        )
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
        raise InputError(
            f"{len(runs):,} runs × {len(features):,} features are more than {MOST_CELLS // 10**6} million cells; "
            "give only the features that were selected, without a column of values."
        )
    place = {name: j for j, name in enumerate(features)}
    matrix = np.full((len(runs), len(features)), absent)
    for i, value_of in enumerate(runs.values()):
        matrix[i, [place[name] for name in value_of]] = list(value_of.values())
    return matrix


# ---- cells that hold a whole list of names, as packages of R and Python write them ----

_VECTOR = re.compile(r"c\(.*\)|\[.*\]|\{.*\}|(?:Index|array)\(.*\)|character\(0\)|set\(\)", re.DOTALL)
CELL_IS = {"list": "A list of names", "name": "One name, which holds that sign"}


def hold_lists(cells) -> bool:
    """Whether most cells are several names, as R and Python write lists in a cell or parted by bars or semicolons."""
    return 2 * sum(bool(_VECTOR.fullmatch(cell)) or "|" in cell or ";" in cell for cell in cells) > len(cells)


def split_lists(selectors, cell_is=None):
    """Notes, after the cells {selector: {run: {cell: value}}} were split where each is the list of a run.

    cell_is: "list" or "name". Raises Question where several lines of one run hold signs that part names.
    """
    cells = [names_of_run for runs in selectors.values() for names_of_run in runs.values()]
    names = [name for names_of_run in cells for name in names_of_run]
    vectors = any(_VECTOR.fullmatch(name) and code_lists(name) for name in names)
    if not names or cell_is == "name":
        return []
    if max(map(len, cells)) > 1:
        if cell_is is None and hold_lists(names):
            example = next(name for name in names if not name.isalnum())
            raise Question(
                f"Most cells hold signs that part names, such as {shown(example)}, and some runs have several "
                "lines. What is such a cell?",
                "cell_is",
                CELL_IS,
            )
        if cell_is == "list":
            run = next(run for runs in selectors.values() for run, names_of_run in runs.items() if len(names_of_run) > 1)
            raise InputError(
                f"Run {shown(run)} has several lists of names. If they are of different selectors, name the column "
                "that tells them apart 'selector'."
            )
        return []
    separator: str | None = max(";|,", key=lambda mark: sum(mark in name for name in names))
    if not vectors and not any(separator in name for name in names):
        separator = None  # blanks
        if sum(len(name.split()) > 1 for name in names) * 2 < len(names):
            return []
    for runs in selectors.values():
        for run, names_of_run in runs.items():
            parted = (feature for name in names_of_run for feature in _parted(name, None if vectors else (separator,)))
            runs[run] = dict.fromkeys(parted, 1.0)
    if vectors:
        return ["Each line names a run and all its features in one cell, as R and Python write lists."]
    return [
        "Each line names a run and all its features in one cell, which was split at "
        f"{'blanks' if separator is None else shown(separator)}."
    ]


def _parted(name, separators):
    """The names in a cell; separators None: as code writes a list, c("A", "B"), or "A"."""
    if separators is None:
        if name in ("character(0)", "set()", "[]"):
            return []
        read = code_lists(name) if _VECTOR.fullmatch(name) else None
        return read[0][1] if read else [name.strip("'\"")]
    return list(filter(None, (part.strip() for part in name.split(separators[0]))))


# ---- tables of features that one model gives, such as ranger, Boruta, caret and glmnet in R ----

DECISIONS = {"confirmed": "1", "tentative": "0", "rejected": "0"}
# What packages call how much a feature counts; R writes the names of the features beside under no name.
IMPORTANCE = set(
    comma_separated(
        "%incmse, coef, coefficient, coefficients, estimate, gain, imp, importance, importance score, importances, "
        "incnodepurity, mdi, mean decrease accuracy, mean decrease gini, meandecreaseaccuracy, meandecreasegini, overall, "
        "permutation importance, rel inf, relative importance, scaled importance, score, variable importance, weight"
    )
)
_COUNTS = set(comma_separated("anzahl, count, counts, freq, frequency, häufigkeit, n, percent, prop, selected, times, votes"))
_NAMES = FEATURE | {"", "attribute", "feature names", "name", "names", "row name", "rowname", "rownames", "var"}
_SHADOWS = {"shadowmax", "shadowmean", "shadowmin"}
_MOST_MODEL_COLUMNS = 40
_RUNS_IN_R = """runs <- lapply(1:50, function(i) {{
  rows <- sample(nrow(d), nrow(d) / 2)
  {fit}
}})
write.csv(do.call(rbind, runs), "runs.csv", row.names = FALSE)"""
_IN_R = {
    "Boruta": "s <- attStats(Boruta(y ~ ., data = d[rows, ]))\n  data.frame(run = i, feature = rownames(s), s)",
    "importance": 'v <- ranger(y ~ ., data = d[rows, ], importance = "permutation")$variable.importance\n'
    "  data.frame(run = i, feature = names(v), importance = v)",
}


class OneRun(Question):
    """A table of one run, which has no stability: bring several together, or with a column that tells the run.

    rows: (line, cells) of its features and values beneath "feature" and what the values are; in_r: lines of R that write what is
    needed.
    """

    def __init__(self, rows: list[Row], package: str, notes: Iterable[str] = ()) -> None:
        given = (
            "a decision on each, as Boruta in R gives them"
            if package == "Boruta"
            else ("a number each, as one fit of a model gives them")
        )
        self.in_r = _RUNS_IN_R.format(fit=_IN_R[package])
        n_features = sum(not is_intercept(cells[0]) for _, cells in rows[1:])
        super().__init__(
            f"This is a table of one run: {several(n_features, 'feature')} with {given}; of its columns there is none "
            "that tells the run. One run has no stability: select again on several resamples of the patients, 2 at "
            "least and better 50, and bring all tables together, a file each, or one table with a column 'run'. A "
            "count or share over all runs is not enough.",
            "one_run",
            {},
        )
        self.rows, self.notes = rows, tuple(notes)


@dataclass(frozen=True)
class _ModelPlaces:
    """Which columns hold what; None where there is none."""

    run: int | None
    selector: int | None
    feature: int
    value: int


def as_long_table(rows, value_column=None):
    """(rows, notes) of such a table with a column of runs, in the words of a long table; other rows as they are, without a note.

    rows: a list of (line, cells). Raises OneRun where there is no run, Question where several columns may count.
    """
    if len(rows) < 3 or len(rows[1][1]) < 2:
        return rows, []
    head = rows[0][1] if len(rows[0][1]) == len(rows[1][1]) else ["", *rows[0][1]]
    if any(len(cells) != len(head) for _, cells in rows[1:]):
        return rows, []
    body = rows[1:]
    if len(_SHADOWS.intersection(cell.casefold() for cell in head)) > 1:
        raise InputError(
            "This is the history inside one run of Boruta: its lines are iterations on the same patients, no runs on "
            "others, so their agreement tells nothing. Bring attStats of several runs on resamples."
        )
    decisions = [j for j in range(len(head)) if _are_decisions(body, j)]
    if len(decisions) > 1:
        return [rows[0], *((line, [DECISIONS.get(cell.casefold(), cell) for cell in cells]) for line, cells in body)], [
            _describe_decisions(cell for _, cells in body for cell in cells)
        ]
    words = [word(cell) for cell in head[: _MOST_MODEL_COLUMNS + 1]]
    places = _model_places(head, words, body, decisions, value_column) if len(words) <= _MOST_MODEL_COLUMNS else None
    if places is None:
        return rows, []
    _refuse_other_lines(words, body, places)
    long, notes = _long_rows(head, body, places, bool(decisions))
    if places.run is None and places.selector is None:
        raise OneRun(long, "Boruta" if decisions else "importance", notes)
    if places.run is None or not decisions and words[places.value] in VALUE and words[places.feature] in FEATURE:
        return rows, []  # a long table as it is, or one that lacks its runs
    return long, notes


def _model_places(head, words, body, decisions, value_column) -> _ModelPlaces | None:
    """Which columns hold what; None where this is no such table."""
    run, selector = (next((j for j, name in enumerate(words) if name in titles), None) for titles in (RUN, SELECTOR))
    value = decisions[0] if decisions else _value_column(head, words, body, value_column)
    if value is None:
        if run is None and _are_counts(words, body):
            raise InputError(
                "This is a count of features over all runs, and there is no column that tells the run. A count over "
                "all runs is not enough: stability compares the runs, so bring what each of them selected."
            )
        return None
    feature = _feature_column(words, body, {run, selector, value})
    if feature is None or run is None and words[feature] == "" and all(is_run(cells[feature]) for _, cells in body):
        return None
    return _ModelPlaces(run, selector, feature, value)


def _refuse_other_lines(words, body, places):
    """What R puts one below another that is not one run a name."""
    if places.run is not None and "variables" in words and words[places.feature] == "var":
        _refuse_other_sizes(body, words.index("variables"))
    if places.run is not None and words[places.feature] not in FEATURE:
        _refuse_made_unique(body, places)


def _are_counts(words, body):
    """Names of features and how often each came, nothing else."""
    counts = [j for j, name in enumerate(words) if name in _COUNTS]
    numeric = [_are_numbers(body, j) for j in range(len(words))] if counts else []
    return bool(counts) and all(numeric[j] for j in counts) and set(words) <= _NAMES | _COUNTS | {"var1"} and not all(numeric)


def _are_decisions(body, j):
    return all(cells[j].casefold() in DECISIONS for _, cells in body)


def _describe_decisions(cells):
    tentative = any(cell.casefold() == "tentative" for cell in cells)
    return "A feature that Boruta confirmed was taken as selected, one that it rejected as not selected" + (
        ", and so were tentative ones: to decide on them, use TentativeRoughFix in R." if tentative else "."
    )


def _value_column(head, words, body, asked):
    """The column that tells how much a feature counts, or None."""
    others = (VALUE - COEFFICIENT) | FEATURE | RUN | _COUNTS
    if len(words) == 2 and words[0] in _NAMES and words[1] not in others and _are_numbers(body, 1):
        return 1  # names and numbers alone, whatever these are called
    candidates = [j for j, name in enumerate(words) if name in IMPORTANCE and _are_numbers(body, j)]
    named = [j for j in candidates if head[j] == asked]
    if len(candidates) > 1 and not named:
        titles = [head[j] for j in candidates]
        raise Question(
            f"Several columns tell how much a feature counts: {listed(titles)}. Which one is meant?",
            "value_column",
            {title: title for title in titles},
        )
    return next(iter(named or candidates), None)


def _are_numbers(body, j):
    return all(number_with_comma(cells[j]) is not None for _, cells in body)


def _feature_column(words, body, used):
    """The column of the names of features, or None: called so, or R's names of the rows."""
    texts = [
        j
        for j, name in enumerate(words)
        if name in _NAMES and j not in used and all(cells[j] and number_with_comma(cells[j]) is None for _, cells in body)
    ]
    return max(texts, key=lambda j: (words[j] in FEATURE, words[j] == "var", -j), default=None)


def _long_rows(head, body, places, decided):
    """(rows beneath run, selector, feature and value, notes)."""
    used = [j for j in (places.run, places.selector, places.feature) if j is not None]
    called = {places.run: "run", places.selector: "selector", places.feature: "feature"}
    of_model = any(is_intercept(cells[places.feature]) for _, cells in body)
    usual = head[places.value] if word(head[places.value]) in VALUE else "importance"
    value = "selected" if decided else "coef" if of_model else usual

    def read(cell):
        return DECISIONS[cell.casefold()] if decided else cell

    rows = [(0, [*(called[j] for j in used), value])]
    rows += [(line, [*(cells[j] for j in used), read(cells[places.value])]) for line, cells in body]
    return rows, [
        _describe_decisions(cells[places.value] for _, cells in body)
        if decided
        else f"{shown(head[places.value])} was taken as how much each feature counts."
    ]


def _refuse_other_sizes(body, sizes):
    """Recursive elimination in caret keeps the variables of each size that it tried, one size below another."""
    different = list(dict.fromkeys(cells[sizes] for _, cells in body))
    if len(different) > 1:
        raise InputError(
            f"There are {several(len(different), 'size')} of each run ({listed(different, 3)} variables), as rfe "
            "in caret keeps them. Keep one: x$variables[x$variables$Variables == x$optsize, ] in R."
        )


def _refuse_made_unique(body, places):
    """R makes the names of rows unique when it puts tables one below another: ALT, ALT1, ALT2 are one feature then."""
    runs_of: dict[Any, Any] = {}
    for _, cells in body:
        runs_of.setdefault(cells[places.feature], set()).add(cells[places.run])
    runs = set().union(*runs_of.values())
    bare = {name.rstrip("0123456789") for name in runs_of}
    if len(runs) > 1 and all(len(runs_with) == 1 for runs_with in runs_of.values()) and 2 * len(bare) <= len(runs_of) + 1:
        first_and_last = listed([*list(runs_of)[:1], *list(runs_of)[-1:]])
        raise InputError(
            f"Every name stands in one run only, as {first_and_last}: R makes the names of rows unique when it puts "
            "tables one below another. Add the names as a column to each table before: s$feature <- rownames(s)."
        )
