"""Tables with one line per run and feature, possibly of several selectors, and tables from one model, such as Boruta in R."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import comma_separated, counted, listed, quote
from stabcore.io.cells import parse_number, parse_number_with_comma
from stabcore.io.choices import Question
from stabcore.io.contents import Row, refuse_ragged
from stabcore.io.printed_lists import code_lists
from stabcore.io.selection_matrix import describe_yes_no, finite_number
from stabcore.io.selection_source import (
    COEFFICIENT,
    FEATURE,
    NO_NAMES,
    RUN,
    SELECTOR,
    VALUE,
    describe_no_names,
    is_counting,
    is_intercept,
    is_run,
    normal_name,
    yes_no_words,
)

MAX_COLUMNS = 12  # largest number of columns of a long table, more are runs × features
MAX_CELLS = 20_000_000
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
LAST_MAY_MISS = "A run that selected nothing has no line in such a table, so the last runs may be missing."
EMPTY_RUNS = {"nothing": "They selected nothing", "not run": "They were not run, or are missing here"}


@dataclass(frozen=True)
class LongPlaces:
    """The positions of the columns of a long table. value and selector are None if absent."""

    run: tuple[int, ...]
    feature: int
    value: int | None
    selector: int | None


def find_places(rows, run_column=None, value_column=None):
    """The LongPlaces of a long table, or None for another table. rows: a list of (line, cells).

    run_column and value_column name ambiguous columns. Raises Question if one is ambiguous, InputError without a run column.
    """
    head = rows[0][1] if rows else []
    words = [normal_name(cell) for cell in head]
    if not 2 <= len(head) <= MAX_COLUMNS or len(rows) < 2:
        return None
    beside = 1 if words[0] in ("", "row name", "rownames") and len(words) > 2 else 0
    titles = words[beside:]
    if sorted(titles) == ["ind", "values"]:  # as R stacks a list
        return LongPlaces((words.index("ind"),), words.index("values"), None, None)
    if {"var1", "var2"} <= set(titles) or {"index", "variable"} == set(titles) - {"value"}:  # as R and pandas melt a matrix
        return _melted(rows, words, run_column)
    features = [j for j, name in enumerate(words) if name in FEATURE and j >= beside]
    runs = tuple(j for j, name in enumerate(words) if name in RUN and j >= beside)
    filled = [cells for _, cells in rows[1:] if len(cells) == len(head)]
    if len(features) != 1 or yes_no_words([cells[features[0]] for cells in filled]):
        return None
    (feature,) = features
    cells_of_feature = [cells[feature] for _, cells in rows[1:] if len(cells) > feature]
    if all(cell in ("0", "1") for cell in cells_of_feature):
        return None
    if not runs and (set(titles) & VALUE or not cells_hold_lists(cells_of_feature, ";|,")):  # else one list per line
        if not set(titles) - FEATURE - VALUE - SELECTOR and set(titles) & (VALUE | SELECTOR):
            raise InputError(
                f"The table has the columns {listed(head)}, but none for the run. Add a column 'run' with the number of the run "
                "in each line. A count over all runs is not enough."
            )
        return None
    selector = next((j for j, name in enumerate(words) if name in SELECTOR), None)
    if cells_hold_lists([cells[feature] for cells in filled]):  # a value next to a list belongs to the run, or is another list
        return LongPlaces(runs, feature, None, selector)
    values = [j for j, name in enumerate(words) if name in VALUE]
    if not values and runs:
        values = _unnamed_values(filled, {*runs, feature, selector, *range(beside)}, runs, feature, selector)
    return LongPlaces(runs, feature, _one_value(head, values, value_column, words), selector)


def add_column_names(rows):
    """Lines of run and feature without column names, which are added so that the first line is not lost.

    One column has repeated runs (run 3, fold1, or numbers), the other has names.
    """
    width = len(rows[0][1]) if rows else 0
    if width not in (2, 3) or len(rows) < 3 or any(len(cells) != width for _, cells in rows):
        return rows
    columns = list(zip(*(cells for _, cells in rows), strict=True))
    if rows[0][1] == ["", "x"] and cells_hold_lists(columns[1][1:], ";|,"):
        return [(rows[0][0], ["run", "feature"]), *rows[1:]]  # as R writes sapply(lists, paste, collapse = ";")
    valued = width == 2 or all(parse_number_with_comma(cell) is not None for cell in columns[2])
    for run, feature in ((0, 1), (1, 0)):
        runs, names = columns[run], columns[feature]
        comes_again = len(set(runs)) < len(runs) and (all(map(is_run, runs)) or all(map(_NUMBER.fullmatch, runs)))
        if valued and comes_again and not any(is_run(name) or parse_number(name) is not None for name in names):
            head = ["run", "feature"] if run == 0 else ["feature", "run"]
            return [(0, [*head, "value"][:width]), *rows]
    return rows


def _unnamed_values(rows, used, runs, feature, selector):
    """Columns of numbers under other names that may be importances of features in a run.

    They differ within runs, and between runs for the same feature.
    """
    free = [j for j in range(len(rows[0]) if rows else 0) if j not in used]
    numbers = [j for j in free if all(parse_number_with_comma(cells[j]) is not None for cells in rows)]

    def differs(j, *places):
        seen: dict[Any, Any] = {}
        return any(seen.setdefault(tuple(cells[i] for i in places), cells[j]) != cells[j] for cells in rows)

    of_selector = () if selector is None else (selector,)
    comes_again = len({tuple(cells[i] for i in (*of_selector, feature)) for cells in rows}) < len(rows)
    return [j for j in numbers if differs(j, *runs, *of_selector) and (differs(j, feature, *of_selector) or not comes_again)]


def _one_value(head, values, answer, words):
    named = [j for j in values if head[j] == answer]
    if answer == "" or not values:
        return None
    if not named and (len(values) > 1 or words[values[0]] not in VALUE):
        titles, neither = listed(head[j] for j in values), {"": "No, each line is a selected feature"}
        if len(values) > 1:
            sentence = f"Several columns hold a value: {titles}. Which one is the selection?"
            answers = {head[j]: head[j] for j in values}
        else:
            sentence = f"The column {titles} holds numbers. Are these the importances, with 0 for not selected?"
            answers = {head[values[0]]: "Yes"}
        raise Question(sentence, "value_column", answers | neither)
    return (named or values)[0]


def _melted(rows, words, run_column):
    """The LongPlaces of a molten matrix without names of its two sides. Names of runs, or 1, 2, 3, …, are the runs."""
    pair = ("var1", "var2") if "var1" in words else ("index", "variable")
    head = rows[0][1]
    sides = [words.index(name) for name in pair]
    value = words.index("value") if "value" in words else None
    named = [j for j in sides if head[j] == run_column]
    if not named:
        distinct = {j: list(dict.fromkeys(cells[j] for _, cells in rows[1:] if len(cells) == len(head))) for j in sides}
        named = [j for j in sides if all(map(is_run, distinct[j])) or is_counting(distinct[j])]
        if len(named) != 1:
            raise Question(
                f"The columns {listed(head[j] for j in sides)} are the two sides of a matrix. Which one holds the runs?",
                "run_column",
                {head[j]: f"{head[j]}: {listed(distinct[j], 3)}" for j in sides},
            )
    return LongPlaces((named[0],), next(j for j in sides if j != named[0]), value, None)


def read_long(rows, columns, empty_runs=None, cell_is=None):
    """({selector: (runs, [{feature: value}, …])}, notes) of a long table. The selector is "" without such a column.

    empty_runs: "nothing" or "not run", for runs without a line. cell_is: "list" or "name", for cells with separators. A value is
    1 if the table has none. Raises InputError, with the line, for a short line, a missing name, a cell that is not a number,
    and a pair with two different values.
    """
    notes, width = [], len(rows[0][1])
    selectors: dict[str, dict[str, dict[str, float]]] = {}
    pair = None if columns.value is None else yes_no_words([cells[columns.value] for _, cells in rows[1:] if len(cells) == width])
    n_named = 0
    for line, cells in rows[1:]:
        refuse_ragged(line, len(cells), width)
        selector = "" if columns.selector is None else cells[columns.selector]
        run, feature = ", ".join(cells[j] for j in columns.run), cells[columns.feature]
        run = run if columns.run else f"run {len(selectors.get(selector, ())) + 1}"
        if not all(cells[j] for j in columns.run) or (columns.selector is not None and not selector):
            what = "run" if selector or columns.selector is None else "selector"
            raise InputError(f"Line {line} does not name its {what}. Fill the cell, or delete the line.")
        value_of = selectors.setdefault(selector, {}).setdefault(run, {})
        if not feature:
            continue  # a run without a feature selected nothing
        value = 1.0 if columns.value is None else _value_of_cell(cells[columns.value], pair, line, rows[0][1][columns.value])
        if value_of.setdefault(feature, value) != value:
            raise InputError(
                f"Line {line} gives {value:g} for {quote(feature)} in run {quote(run)}, but an earlier line gives "
                f"{value_of[feature]:g}. Delete one of them. If they belong to different selectors, add a column 'selector'."
            )
        n_named += 1
    if twice := n_named - sum(len(value_of) for runs in selectors.values() for value_of in runs.values()):
        notes.append(f"Counted once: {counted(twice, 'repeated line')}.")
    if columns.value is None:
        notes += [*_without_names(selectors), *split_lists(selectors, cell_is)]
    notes += _complete(selectors, empty_runs) if columns.run else []
    return selectors, [*notes, *_describe_columns(rows[0][1], columns, pair)]


def _without_names(selectors):
    """A note after runs whose only name is NA or the like became empty. NA beside other names is a feature, such as sodium."""
    every = [value_of for runs in selectors.values() for value_of in runs.values()]
    alone = [value_of for value_of in every if len(value_of) == 1 and set(value_of) <= set(NO_NAMES)]
    if alone and not any(len(value_of) > 1 and set(value_of) & set(NO_NAMES) for value_of in every):
        yield describe_no_names(alone)
        for value_of in alone:
            value_of.clear()


def _value_of_cell(cell, pair, line, name):
    if pair and cell.casefold() in pair:
        return float(cell.casefold() == pair[0])
    return finite_number(cell, f"Line {line}, column {quote(name)}")


def _complete(selectors, empty_runs):
    """Notes on runs without a line, which are added if they selected nothing. Raises Question without an answer."""
    every = dict.fromkeys(run for runs in selectors.values() for run in runs)
    if all(_NUMBER.fullmatch(run) for run in every):
        numbers = sorted(map(int, every))
        if numbers[0] in (0, 1) and numbers[-1] < 10 * len(numbers):
            every |= dict.fromkeys(map(str, range(numbers[0], numbers[-1] + 1)))
    missing = {selector: [run for run in every if run not in runs] for selector, runs in selectors.items()}
    without = [f"{run}{f' of {selector}' if selector else ''}" for selector, runs in missing.items() for run in runs]
    if not without:
        return [LAST_MAY_MISS]
    if empty_runs is None:
        count = counted(len(without), "run")
        raise Question(f"No line names {count}: {listed(without)}. What happened in these runs?", "empty_runs", EMPTY_RUNS)
    if empty_runs != "nothing":
        return [f"Not counted: {counted(len(without), 'run')} without a line."]
    for selector, runs in missing.items():
        selectors[selector].update({run: {} for run in runs})
    return [f"Read as runs that selected nothing: {counted(len(without), 'run')} without a line."]


def _describe_columns(head, columns, pair):
    value = "" if columns.value is None else f", value: {quote(head[columns.value])}"
    selector = "" if columns.selector is None else f", selector: {quote(head[columns.selector])}"
    run = f"run: {listed(head[j] for j in columns.run)}" if columns.run else "one run per line"
    yield f"Columns of the table: {run}, feature: {quote(head[columns.feature])}{value}{selector}."
    if pair:
        yield describe_yes_no(*pair)
    used = {*columns.run, columns.feature, columns.value, columns.selector}
    if left := [name for j, name in enumerate(head) if j not in used and name]:
        yield f"Not used: {listed(left)}."


def value_matrix(runs, features, absent):
    """(M, d) floats of runs {run: {feature: value}}. absent: the value of a pair without a line."""
    if len(runs) * len(features) > MAX_CELLS:
        size = f"{len(runs):,} runs × {len(features):,} features are more than {MAX_CELLS // 10**6} million cells"
        raise InputError(f"{size}. Give only the features that were selected, without a column of values.")
    place = {name: j for j, name in enumerate(features)}
    matrix = np.full((len(runs), len(features)), absent)
    for i, value_of in enumerate(runs.values()):
        matrix[i, [place[name] for name in value_of]] = list(value_of.values())
    return matrix


# ---- cells with a whole list of names, as written by packages of R and Python ----

_VECTOR = re.compile(r"c\(.*\)|\[.*\]|\{.*\}|(?:Index|array)\(.*\)|character\(0\)|set\(\)", re.DOTALL)
CELL_IS = {"list": "A list of names", "name": "One name that contains this character"}


def cells_hold_lists(cells, marks="|;") -> bool:
    """Whether most cells hold several names, as R and Python write lists, or separated by one of these marks."""
    return 2 * sum(bool(_VECTOR.fullmatch(cell)) or any(mark in cell for mark in marks) for cell in cells) > len(cells)


def split_lists(selectors, cell_is=None):
    """Notes after splitting the cells {selector: {run: {cell: value}}} in which each cell is the list of a run.

    cell_is: "list" or "name". Raises Question if several lines of one run hold separators.
    """
    cells = [names_of_run for runs in selectors.values() for names_of_run in runs.values()]
    names = [name for names_of_run in cells for name in names_of_run]
    vectors = any(_VECTOR.fullmatch(name) and code_lists(name) for name in names)
    if not names or cell_is == "name":
        return []
    if max(map(len, cells)) > 1:
        if cell_is is None and cells_hold_lists(names):
            example = quote(next(name for name in names if not name.isalnum()))
            sentence = f"Some runs have several lines, and most cells hold separators, such as {example}. What is such a cell?"
            raise Question(sentence, "cell_is", CELL_IS)
        if cell_is == "list":
            run = next(run for runs in selectors.values() for run, names_of_run in runs.items() if len(names_of_run) > 1)
            raise InputError(
                f"Run {quote(run)} has several lists of names. If they belong to different selectors, name the column that "
                "separates them 'selector'."
            )
        return []
    separator: str | None = max(";|,", key=lambda mark: sum(mark in name for name in names))
    if not vectors and not any(separator in name for name in names):
        separator = None  # blanks
        if sum(len(name.split()) > 1 for name in names) * 2 < len(names):
            return []
    for runs in selectors.values():
        for run, names_of_run in runs.items():
            parts = (_of_vector(name) if vectors else map(str.strip, name.split(separator)) for name in names_of_run)
            runs[run] = dict.fromkeys((feature for part in parts for feature in part if feature or vectors), 1.0)
    how = "as R and Python write lists" if vectors else f"split at {'blanks' if separator is None else quote(separator)}"
    return [f"Each line holds a run and all its features in one cell, {how}."]


def _of_vector(name):
    """The names in a cell in the notation of a list in code, c("A", "B"), or "A"."""
    if name in ("character(0)", "set()", "[]"):
        return []
    read = code_lists(name) if _VECTOR.fullmatch(name) else None
    return read[0][1] if read else [name.strip("'\"")]


def names_in_cell(cell: str, n_names: int) -> list[str] | None:
    """The names in a cell that should hold this number of names, None if it does not."""
    if _VECTOR.fullmatch(cell):
        names = _of_vector(cell)
    elif n_names < 2:
        names = [cell] * (cell != "" and cell not in NO_NAMES)
    else:
        splits = ([name.strip() for name in cell.split(mark)] for mark in ("|", ";", ",", None))
        names = next((names for names in splits if len(names) == n_names), [])
    return names if len(set(names)) == n_names else None


# ---- tables of features from one model, such as ranger, Boruta, caret and glmnet in R ----

DECISIONS = {"confirmed": "1", "tentative": "0", "rejected": "0"}
# Names of importances in packages. R writes the names of the features in a column without a name.
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
_MAX_MODEL_COLUMNS = 40
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
ONLY_FREQUENCIES = (
    "These are selection frequencies over all runs, without a column of the run. With the number of runs, stability follows from "
    "them, but has no interval. Give that number, or the selection of each run."
)
IF_FREQUENCIES = "If these are selection frequencies over all runs, give the number of runs."


def _may_be_frequencies(rows):
    """Whether all numbers lie between 0 and 1, or 0 and 100, and are not only 0 and 1, which is a selection."""
    values = [parse_number_with_comma(cells[-1].removesuffix("%")) for _, cells in rows[1:]]
    return all(value is not None and 0 <= value <= 100 for value in values) and not set(values) <= {0, 1}


class OneRun(Question):
    """A table of one run, which has no stability. Upload several together, or add a column of the run.

    rows: (line, cells) of its features and values below "feature" and the name of the values. in_r: lines of R that write the
    required tables.
    """

    def __init__(self, rows: list[Row], package: str, notes: Iterable[str] = ()) -> None:
        what = "decisions of Boruta" if package == "Boruta" else "importances of one fit"
        self.in_r = _RUNS_IN_R.format(fit=_IN_R[package])
        n_features = sum(not is_intercept(cells[0]) for _, cells in rows[1:])
        super().__init__(
            f"This is a table of one run: {what} for {counted(n_features, 'feature')}, without a column of the run. One run has "
            "no stability. Repeat the selection on several resamples of the patients, such as 50. Then upload all tables, one file "
            "each, or one table with a column 'run'." + (" " + IF_FREQUENCIES if _may_be_frequencies(rows) else ""),
            "one_run",
            {},
        )
        self.rows, self.notes = rows, tuple(notes)


@dataclass(frozen=True)
class _ModelPlaces:
    """The positions of the columns, None for an absent column."""

    run: int | None
    selector: int | None
    feature: int
    value: int


def as_long_table(rows, value_column=None):
    """(rows, notes) of such a table as a long table with a column of runs. Other rows are unchanged and have no notes.

    rows: a list of (line, cells). Raises OneRun without a run, Question if several columns may be the importance.
    """
    if len(rows) < 3 or len(rows[1][1]) < 2:
        return rows, []
    head = rows[0][1]
    if any(len(cells) != len(head) for _, cells in rows[1:]):
        return rows, []
    body = rows[1:]
    if len(_SHADOWS.intersection(cell.casefold() for cell in head)) > 1:
        raise InputError(
            "This is the history inside one run of Boruta. Its lines are iterations on the same patients, so their agreement is "
            "not stability. Upload attStats of several runs on resamples."
        )
    decisions = [j for j in range(len(head)) if all(cells[j].casefold() in DECISIONS for _, cells in body)]
    if len(decisions) > 1:
        read = [(line, [DECISIONS.get(cell.casefold(), cell) for cell in cells]) for line, cells in body]
        return [rows[0], *read], [_describe_decisions(cell for _, cells in body for cell in cells)]
    words = [normal_name(cell) for cell in head[: _MAX_MODEL_COLUMNS + 1]]
    places = _model_places(head, words, body, decisions, value_column) if len(words) <= _MAX_MODEL_COLUMNS else None
    if places is None:
        return rows, []
    if places.run is not None and "variables" in words and words[places.feature] == "var":
        _refuse_other_sizes(body, words.index("variables"))
    if places.run is not None and words[places.feature] not in FEATURE:
        _refuse_made_unique(body, places)
    long, notes = _long_rows(head, body, places, bool(decisions))
    if places.run is None and places.selector is None:
        raise OneRun(long, "Boruta" if decisions else "importance", notes)
    if places.run is None or not decisions and words[places.value] in VALUE and words[places.feature] in FEATURE:
        return rows, []  # already a long table, or one without its runs
    return long, notes


def _model_places(head, words, body, decisions, value_column) -> _ModelPlaces | None:
    """The columns of such a table, None for another table."""
    run, selector = (next((j for j, name in enumerate(words) if name in titles), None) for titles in (RUN, SELECTOR))
    value = decisions[0] if decisions else _value_column(head, words, body, value_column)
    if value is None:
        if run is None and _are_counts(words, body):
            raise InputError(ONLY_FREQUENCIES)
        return None
    texts = [
        j
        for j, name in enumerate(words)
        if name in _NAMES
        and j not in (run, selector, value)
        and all(cells[j] and parse_number_with_comma(cells[j]) is None for _, cells in body)
    ]
    feature = max(texts, key=lambda j: (words[j] in FEATURE, words[j] == "var", -j), default=None)  # or the row names of R
    if feature is None or run is None and words[feature] == "" and all(is_run(cells[feature]) for _, cells in body):
        return None
    return _ModelPlaces(run, selector, feature, value)


def _are_counts(words, body):
    counts = [j for j, name in enumerate(words) if name in _COUNTS]
    numeric = [_are_numbers(body, j) for j in range(len(words))] if counts else []
    return bool(counts) and all(numeric[j] for j in counts) and set(words) <= _NAMES | _COUNTS | {"var1"} and not all(numeric)


def _describe_decisions(cells):
    tentative = any(cell.casefold() == "tentative" for cell in cells)
    more = " Tentative features count as not selected. To decide on them, use TentativeRoughFix in R." if tentative else ""
    return f"Features that Boruta confirmed were read as selected, rejected ones as not selected.{more}"


def _value_column(head, words, body, answer):
    others = (VALUE - COEFFICIENT) | FEATURE | RUN | _COUNTS
    if len(words) == 2 and words[0] in _NAMES and words[1] not in others and _are_numbers(body, 1):
        return 1  # only names and numbers, under any heading
    candidates = [j for j, name in enumerate(words) if name in IMPORTANCE and _are_numbers(body, j)]
    named = [j for j in candidates if head[j] == answer]
    if len(candidates) > 1 and not named:
        titles = [head[j] for j in candidates]
        sentence = f"Several columns may be the importance of a feature: {listed(titles)}. Which one is it?"
        raise Question(sentence, "value_column", {title: title for title in titles})
    return next(iter(named or candidates), None)


def _are_numbers(body, j):
    return all(parse_number_with_comma(cells[j]) is not None for _, cells in body)


def _long_rows(head, body, places, decided):
    """(rows with the columns run, selector, feature and value, notes)."""
    called = {places.run: "run", places.selector: "selector", places.feature: "feature"}
    used = [j for j in called if j is not None]
    of_model = any(is_intercept(cells[places.feature]) for _, cells in body)
    usual = head[places.value] if normal_name(head[places.value]) in VALUE else "importance"
    value = "selected" if decided else "coef" if of_model else usual
    values = [cells[places.value] for _, cells in body]
    notes = [_describe_decisions(values) if decided else f"{quote(head[places.value])} was read as the importance of a feature."]
    values = [DECISIONS[cell.casefold()] for cell in values] if decided else values
    rows = [(line, [*(cells[j] for j in used), cell]) for (line, cells), cell in zip(body, values, strict=True)]
    return [(0, [*(called[j] for j in used), value]), *rows], notes


def _refuse_other_sizes(body, sizes):
    """Raise InputError for several sizes, as recursive elimination in caret stores the variables of every size."""
    different = list(dict.fromkeys(cells[sizes] for _, cells in body))
    if len(different) > 1:
        raise InputError(
            f"Each run has {counted(len(different), 'size')} ({listed(different, 3)} variables), as rfe in caret stores "
            "them. Keep one: x$variables[x$variables$Variables == x$optsize, ] in R."
        )


def _refuse_made_unique(body, places):
    """Raise InputError for names that R made unique when it stacked tables: ALT, ALT1 and ALT2 are one feature."""
    runs_of: dict[Any, Any] = {}
    for _, cells in body:
        runs_of.setdefault(cells[places.feature], set()).add(cells[places.run])
    runs = set().union(*runs_of.values())
    bare = {name.rstrip("0123456789") for name in runs_of}
    if len(runs) > 1 and all(len(runs_with) == 1 for runs_with in runs_of.values()) and 2 * len(bare) <= len(runs_of) + 1:
        example = listed([*list(runs_of)[:1], *list(runs_of)[-1:]])
        raise InputError(
            f"Every name is in one run only, such as {example}. R makes row names unique when it stacks "
            "tables. Add the names as a column to each table first: s$feature <- rownames(s)."
        )
