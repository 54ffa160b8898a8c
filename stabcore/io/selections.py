"""Reading selections that people have already: a matrix, a long table, or lists of names, of one selector or of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.io import long_table
from stabcore.io.choices import Question
from stabcore.io.name import check_names
from stabcore.io.names import joined_names, refuse_odd
from stabcore.io.selection_lists import MAX_FEATURES, OneList, describe_universe, lists_as_rows, one_list, read_lists, universe
from stabcore.io.selection_matrix import (
    SIDES,
    check_kind,
    describe_matrix,
    looks_like_matrix,
    read_selection_matrix,
    runs_as_rows,
    sizes,
    without_intercept,
    words_as_numbers,
)
from stabcore.io.selection_source import labelled_lines, open_source, token_lines
from stabcore.io.selection_words import (
    AS_RUNS,
    COEFFICIENT,
    COEFFICIENTS,
    FEATURE,
    LEFT_OUT,
    RANKS,
    RUN,
    SCORES,
    SELECTOR,
    is_intercept,
    word,
)
from stabcore.wording import listed, several, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stabcore.io.decode import Source

KINDS = ("selection matrix", "importances", "scores", "ranks", "sets")
ANSWERS = ("runs_in", "run_column", "value_column", "empty_runs", "list_is", "alike_names", "cell_is", "names_are")
MAX_CELLS = 20_000_000
MOST_RUNS = 5_000       # every two are compared, so that 100 000 would take 75 GB


@dataclass(frozen=True, eq=False)
class SelectedRuns:
    """What M runs preferred among d features.

    Attributes
    ----------
    kind : str
        One of KINDS.
    features, runs : tuple of str
        The d names, the M names.
    matrix : ndarray of float, shape (M, d), or None
        NaN only where a run of kind "scores" or "ranks" left a feature out; None for "sets".
    sets : tuple of tuples of str, or None
        M tuples of names; None for the other kinds.
    notes : tuple of str
        What was assumed, one plain sentence each.
    """

    kind: str
    features: tuple[str, ...]
    runs: tuple[str, ...]
    matrix: np.ndarray | None
    sets: tuple[tuple[str, ...], ...] | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Asked:
    """What was said beforehand: kind, all features, and answers to questions."""

    kind: str | None
    features: tuple[str, ...] | None
    n_features: int | None
    answers: dict


def read_selectors(source: Source, name: str | None = None, *, kind: str | None = None, features: Iterable[str] | None = None,
                   n_features: int | None = None, **answers: str | None) -> dict[str, SelectedRuns]:
    """Read the selections of M ≥ 2 runs of each selector, {selector: SelectedRuns}; of only one that has no name it is "".

    Parameters
    ----------
    source : path, bytes or file-like object, or text
        A str is always pasted text.
    name : str, optional
        File name, whose ending tells the format.
    kind : str, optional
        One of KINDS, or "coefficients" of models, whose sizes become importances; None detects a selection matrix, importances or
        sets.
    features, n_features : iterable of str, int, optional
        For sets, the names or the number of all features there were to choose from.
    **answers
        runs_in ("rows" or "columns") and what else a Question asks for.

    Raises
    ------
    InputError
        With the line and column of what is wrong, and for more than MOST_RUNS runs.
    Question
        Where the file may mean several things.
    """
    by_selector = _read(source, name, kind, features, n_features, answers)
    for selected in by_selector.values():
        _refuse_many_runs(selected, answers.get("runs_in"))
    return by_selector


def selections_of_rows(rows, *, kind=None, features=None, n_features=None, **answers) -> SelectedRuns:
    """The same of rows that lie in memory, (line, cells), beneath run, feature and a value."""
    (selections,) = _long(rows, long_table.find_places(rows), _asked(kind, features, n_features, answers), []).values()
    _refuse_many_runs(selections, None)
    return selections


def _refuse_many_runs(selections, runs_in):
    """Runs that nobody can compare with each other; of a matrix they are often the features."""
    if len(selections.runs) <= MOST_RUNS:
        return
    sentence = (f"There are {len(selections.runs):,} runs of {len(selections.features):,} features; every two runs are compared, "
                f"so at most {MOST_RUNS:,} can be read.")
    if selections.matrix is not None and runs_in is None and len(selections.features) <= MOST_RUNS:
        raise Question(f"{sentence} Is the table turned?", "runs_in",
                       {"columns": f"Each column is a run: {len(selections.features):,} runs of {len(selections.runs):,} features"})
    raise InputError(f"{sentence} Bring fewer.")


def _read(source, name, kind, features, n_features, answers):
    """See read_selectors."""
    asked = _asked(kind, features, n_features, answers)
    opened = open_source(source, name, kind)
    filled = [(line, cells) for line, cells in opened.rows if any(cells)]
    if sum(len(cells) for _, cells in filled) > MAX_CELLS:
        raise InputError(f"The runs have more than {MAX_CELLS // 10 ** 6} million cells together; leave out features that no run "
                         "selected, or give the selections as sets.")
    filled, assumed = long_table.as_long_table(filled, answers.get("value_column")) if kind != "sets" else (filled, [])
    notes = [*opened.notes, *assumed]
    filled = long_table.with_head(filled)
    columns = long_table.find_places(filled, *(answers.get(key) for key in ("run_column", "value_column")))
    if columns is not None:
        return _long(filled, columns, asked, notes)
    selector = next((j for j, cell in enumerate(filled[0][1]) if word(cell) in SELECTOR), None) if len(filled) > 2 else None
    if selector is not None and len(filled[0][1]) > 1:
        return _by_selector(filled, selector, asked, notes)
    parts = labelled_lines(opened)
    if parts is not None:
        return _listed_by_selector(parts, asked, notes)
    return {"": _single(filled, asked, notes, opened)}


def _asked(kind, features, n_features, answers):
    """The options, checked."""
    if kind not in (None, *KINDS, COEFFICIENTS):
        raise InputError(f"There is no kind {kind!r} of selections; choose one of {listed((*KINDS, COEFFICIENTS))}.")
    strangers = [key for key in answers if key not in ANSWERS]
    if strangers:
        raise InputError(f"There is no option {strangers[0]!r} of selections; there are {listed(ANSWERS)}.")
    if answers.get("runs_in") not in (None, *SIDES):
        raise InputError(f"runs_in is {answers['runs_in']!r}; it is 'rows' or 'columns'.")
    features = None if features is None else tuple(check_names([str(feature) for feature in features]))
    if features and n_features not in (None, len(features)):
        raise InputError(f"{len(features)} feature names were given, but {n_features} as their number; give one of them.")
    if n_features is not None and not 1 <= n_features <= MAX_FEATURES:
        raise InputError(f"The number of features was given as {n_features}; it must lie between 1 and {MAX_FEATURES}.")
    return _Asked(kind, features, n_features, answers)


def _single(rows, asked, notes, opened=None):
    """Selections of one selector, from its rows; opened: what these are of, where it may be lists of names."""
    runs_in = asked.answers.get("runs_in")
    if asked.kind != "sets":
        rows, assumed_words = words_as_numbers(rows)
        if not rows and asked.kind is not None:
            raise InputError("There is nothing but blank lines; give one run a row.")
        if asked.kind is not None or assumed_words or looks_like_matrix(rows):
            rows, side = without_intercept(rows)
            rows, more = runs_as_rows(rows, runs_in or side)
            more = more if side is None else [LEFT_OUT, *AS_RUNS[side]]
            kind, names, runs, matrix, assumed = read_selection_matrix(rows, asked.kind, asked.features,
                                                                       coefficients=side is not None)
            refuse_odd(names, asked.answers.get("names_are"), asked.features or (), as_columns=True)
            _ask_when_never_zero(kind, matrix, asked.kind)
            return SelectedRuns(kind, names, runs, matrix, None, (*notes, *assumed_words, *more, *assumed))
    lists, runs, assumed_words = lists_as_rows(rows, runs_in) if rows else (rows, None, [])
    if not assumed_words and opened is not None:
        lists = token_lines(opened)
    members = None if assumed_words else one_list(rows, lists)
    if members is not None and asked.answers.get("list_is") != "runs":
        raise OneList(members)
    return _of_lists(lists, runs, asked, [*notes, *assumed_words])


def _of_lists(lists, runs, asked, notes):
    """Selections of a list of names each run."""
    lists = [(line, list(tokens)) for line, tokens in lists]
    if any(is_intercept(name) for _, tokens in lists for name in tokens):
        lists = [(line, [name for name in tokens if not is_intercept(name)]) for line, tokens in lists]
        notes = [*notes, LEFT_OUT]
    refuse_odd(dict.fromkeys(name for _, tokens in lists for name in tokens if name), asked.answers.get("names_are"),
               asked.features or ())
    if asked.features is None:
        called = joined_names(dict.fromkeys(name for _, tokens in lists for name in tokens), asked.answers.get("alike_names"))
        lists = [(line, [called[name] for name in tokens]) for line, tokens in lists]
    sets, names, runs, notes = read_lists(lists, runs, asked.features, asked.n_features, notes)
    return SelectedRuns("sets", names, runs, None, sets, tuple(notes))


def _ask_when_never_zero(taken_as, matrix, kind):
    """Importances of which none is 0 select everything, which hardly anybody means."""
    if kind is None and taken_as == "importances" and matrix.size and (matrix != 0).all():
        offers = {"scores": "Scores: higher is better", "ranks": "Ranks: 1 is best",
                  "importances": "Importances, and every feature was selected"}
        if (np.sort(matrix, axis=1) == np.arange(1, matrix.shape[1] + 1)).all():       # what a person in a hurry takes comes first
            offers = {"ranks": offers["ranks"], "scores": "Ranks the other way round, or scores: the largest is best"}
        raise Question("No number is 0, so taken as importances every run would have selected every feature. What are they? If "
                       "they are measurements of patients, bring them as a table.", "kind", offers)


# ---- several selectors in one file ----

def _long(rows, columns, asked, notes):
    """{selector: SelectedRuns} of a long table."""
    by_selector, assumed = long_table.read_long(rows, columns, *(asked.answers.get(key) for key in ("empty_runs", "cell_is")))
    notes = [*notes, *assumed]
    names = list(_names_in(by_selector))
    features = [name for name in names if not is_intercept(name)]
    if len(features) < len(names):
        notes.append(LEFT_OUT)
    refuse_odd(features, asked.answers.get("names_are"), asked.features or ())
    called = joined_names(features, asked.answers.get("alike_names"))
    by_selector = {selector: {run: {called[name]: value for name, value in value_of.items() if name in called}
                              for run, value_of in runs.items()} for selector, runs in by_selector.items()}
    for selector, runs in by_selector.items():
        if len(runs) < 2:
            raise InputError(f"Stability compares runs, so at least 2 are needed; found 1{f' of {selector}' if selector else ''}.")
    where = {name: line for line, cells in reversed(rows[1:]) for name in [cells[columns.feature]]}
    tokens = _names_in(by_selector)
    lines = [(where.get(name, rows[0][0]), [name]) for name in tokens]
    if columns.value is None:
        called, every = universe(lines, asked.features, asked.n_features, notes)
        notes.append(describe_universe(len(every), asked.features is not None or asked.n_features is not None))
        return {selector: SelectedRuns("sets", every, tuple(runs), None,
                                       tuple(tuple(called[name] for name in value_of) for value_of in runs.values()),
                                       (*notes, f"{several(len(runs), 'run')} of {len(every)} features."))
                for selector, runs in by_selector.items()}
    column = word(rows[0][1][columns.value])
    return _valued(by_selector, tuple(tokens), "coef" if LEFT_OUT in notes and column not in SCORES | RANKS else column, asked,
                   notes)


def _names_in(by_selector):
    return dict.fromkeys(name for runs in by_selector.values() for value_of in runs.values() for name in value_of)


def _valued(by_selector, names, column, asked, notes):
    """{selector: SelectedRuns} of a long table with values."""
    kind = asked.kind or ("ranks" if column in RANKS else "scores" if column in SCORES else None)
    if kind == "sets":
        raise InputError("The table has a column of values, so it holds no plain lists; choose what these values are.")
    absent, selections = np.nan if kind in ("ranks", "scores") else 0.0, {}
    left = sum(len(runs) * len(names) - sum(map(len, runs.values())) for runs in by_selector.values())
    if left and kind is None:
        notes = [*notes, f"Taken as not selected: {left:,} pairs of run and feature without a line."]
    for selector, runs in by_selector.items():
        notes_here = list(notes)
        taken_as, matrix = sizes(kind, long_table.matrix_of(runs, names, absent), column in COEFFICIENT, notes_here)
        kind_found = check_kind(matrix, taken_as, [f"Run {shown(run)}" for run in runs], names)
        _ask_when_never_zero(kind_found, matrix, kind)
        selections[selector] = SelectedRuns(kind_found, names, tuple(runs), matrix, None,
                                            (*notes_here, describe_matrix(kind_found, len(runs), len(names))))
    return selections


def _by_selector(rows, j, asked, notes):
    """{selector: SelectedRuns} of rows one cell of which, the j-th, names the selector."""
    def without(cells):
        return [cell for i, cell in enumerate(cells) if i != j] or [""]

    parts, head = {}, without(rows[0][1])
    for line, cells in rows[1:]:
        if len(cells) <= j or not cells[j]:
            raise InputError(f"Line {line} does not say its selector; fill the cell, or delete the line.")
        parts.setdefault(cells[j], []).append((line, without(cells)))
    notes = [*notes, f"{shown(rows[0][1][j])} was taken as the selector: {listed(parts)}."]
    every, _ = words_as_numbers([(rows[0][0], head), *(row for part in parts.values() for row in part)])
    if asked.kind != "sets" and looks_like_matrix(every):
        return {selector: _single([(rows[0][0], head), *part], asked, notes) for selector, part in parts.items()}
    run = next((i for i, cell in enumerate(head) if word(cell) in RUN), None)
    if run is None and not any(word(cell) in FEATURE for cell in head):
        raise InputError(f"The columns {listed(head)} beside the selector are neither numbers nor named as lists; name the column "
                         "of the run 'run', and that of the names 'feature'.")
    short = next((line for part in parts.values() for line, cells in part if run is not None and len(cells) <= run), None)
    if short is not None:
        raise InputError(f"Line {short} does not say its run; fill the cell, or delete the line.")
    lists = {selector: [(line, [cell for i, cell in enumerate(cells) if i != run]) for line, cells in part]
             for selector, part in parts.items()}
    names = {selector: None if run is None else [cells[run] for _, cells in part] for selector, part in parts.items()}
    return _listed_by_selector({selector: (names[selector], lists[selector]) for selector in parts}, asked, notes)


def _listed_by_selector(parts, asked, notes):
    """{selector: SelectedRuns} of lists, {selector: (run names or None, lines)}, with all names of all of them to choose from."""
    if len(parts) > 1 and asked.features is None:
        lines = [(line, [token for token in tokens if token]) for _, part in parts.values() for line, tokens in part]
        called, every = universe(lines, None, asked.n_features, [])
        if set(called) <= set(every):
            asked = _Asked(asked.kind, every, None, asked.answers)
    return {selector: _of_lists(part, runs, asked, notes) for selector, (runs, part) in parts.items()}
