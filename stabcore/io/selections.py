"""Read existing selections (a matrix, a long table, or lists of names) of one selector or several from one file."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote
from stabcore.base.validation import add_unselected
from stabcore.io import long_table, selection_matrix
from stabcore.io.cells import parse_number
from stabcore.io.choices import Question
from stabcore.io.decode import Source
from stabcore.io.locate import HEADER_ROWS
from stabcore.io.long_table import MAX_CELLS
from stabcore.io.names import check_names, joined_names, refuse_odd_names
from stabcore.io.peers import peer_runs
from stabcore.io.printed_lists import PRINTED
from stabcore.io.selection_lists import OneList, describe_universe, list_rows, one_list, runs_of_lines, universe
from stabcore.io.selection_source import (
    AS_RUNS,
    COEFFICIENT,
    COEFFICIENTS,
    FEATURE,
    LEFT_OUT,
    RANKS,
    RUN,
    SCORES,
    SELECTOR,
    add_corner,
    is_intercept,
    is_run,
    lines_by_selector,
    normal_name,
    open_source,
    token_lines,
)
from stabcore.io.text import split_lines

KINDS = ("selection matrix", "importances", "scores", "ranks", "sets")
ANSWERS = ("runs_in", "run_column", "value_column", "empty_runs", "list_is", "alike_names", "cell_is", "names_are", "sheets_are")
MAX_FEATURES = 10_000_000
MAX_RUNS = 5_000  # all pairs are compared, so 100 000 runs would take 75 GB


@dataclass(frozen=True, eq=False)
class SelectedRuns:
    """The selections of M runs from d features.

    kind            one of KINDS
    features, runs  the d names, the M names
    matrix          (M, d), NaN only if a run of kind "scores" or "ranks" left a feature out. None for "sets"
    sets            M tuples of names. None for the other kinds
    notes           assumptions, one plain sentence each
    """

    kind: str
    features: tuple[str, ...]
    runs: tuple[str, ...]
    matrix: np.ndarray | None
    sets: tuple[tuple[str, ...], ...] | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Options:
    """The given options: kind, all features, and answers to questions."""

    kind: str | None
    features: tuple[str, ...] | None
    n_features: int | None
    answers: dict


def read_selectors(
    source: Source,
    name: str | None = None,
    *,
    kind: str | None = None,
    features: Iterable[str] | None = None,
    n_features: int | None = None,
    **answers: str | None,
) -> dict[str, SelectedRuns]:
    """Read the selections of M ≥ 2 runs of each selector, {selector: SelectedRuns}. The key is "" for one selector without a name.

    source: a str is always pasted text. kind: one of KINDS, or "coefficients" of models, whose absolute values become importances.
    None detects a selection matrix, importances or sets. features, n_features: for sets, the names or the number of all available
    features. answers: runs_in ("rows" or "columns") and other answers to a Question, which is raised if the file can be read in
    several ways. Raises InputError with line and column, and for more than MAX_RUNS runs.
    """
    by_selector = _read(source, name, kind, features, n_features, answers)
    for selected in by_selector.values():
        refuse_many_runs(selected, answers.get("runs_in"))
    return {label: _with_all(selected, n_features) for label, selected in by_selector.items()}


def _with_all(selected, n_features):
    """The same runs with columns for features that no run selected, where more than those of a matrix were available."""
    width = len(selected.features)
    if selected.matrix is None or n_features in (None, width):
        return selected
    every = add_unselected(selected.features, n_features)
    if selected.kind in ("scores", "ranks"):
        raise InputError(
            f"The file has {selected.kind} of {width} features, but the number {n_features} was given. Rank all features, or leave "
            "out the number."
        )
    matrix = np.pad(selected.matrix, ((0, 0), (0, len(every) - width)))
    return replace(selected, features=(*selected.features, *every[width:]), matrix=matrix)


def refuse_many_runs(selections, runs_in):
    """Raise InputError for too many runs to compare. In a matrix they are often the features."""
    n_runs, d = len(selections.runs), len(selections.features)
    if n_runs <= MAX_RUNS:
        return
    sentence = f"There are {n_runs:,} runs of {d:,} features. At most {MAX_RUNS:,} can be read, because all pairs are compared."
    if selections.matrix is not None and runs_in is None and d <= MAX_RUNS:
        answers = {"columns": f"Each column is a run: {d:,} runs of {n_runs:,} features"}
        raise Question(f"{sentence} Is the table turned?", "runs_in", answers)
    raise InputError(f"{sentence} Bring fewer.")


def _read(source, name, kind, features, n_features, answers):
    options = checked_options(kind, features, n_features, answers)
    opened = _without_remarks(open_source(source, name, kind))
    filled = add_corner([(line, cells) for line, cells in opened.rows if any(cells)])
    if sum(len(cells) for _, cells in filled) > MAX_CELLS:
        raise InputError(
            f"The runs have more than {MAX_CELLS // 10**6} million cells in total. Leave out features that no run selected, or "
            "give the selections as sets."
        )
    peer = peer_runs(filled)
    options = replace(options, kind=kind or peer.kind, answers={"cell_is": peer.cell_is, **answers})
    filled, assumed = long_table.as_long_table(peer.rows, answers.get("value_column")) if kind != "sets" else (peer.rows, [])
    notes = [*opened.notes, *peer.notes, *assumed]
    filled = long_table.add_column_names(filled)
    if (columns := long_table.find_places(filled, answers.get("run_column"), answers.get("value_column"))) is not None:
        return read_long_selections(filled, columns, options, notes)
    selector = next((j for j, cell in enumerate(filled[0][1]) if normal_name(cell) in SELECTOR), None) if len(filled) > 2 else None
    if selector is not None and len(filled[0][1]) > 1:
        return _by_selector(filled, selector, options, notes)
    parts = None if peer.notes else lines_by_selector(opened)
    if parts is not None:
        return _lists(parts, options, notes)
    return {"": _single(filled, options, notes, None if peer.notes else opened)}


def _without_remarks(opened):
    """The source without titles above its table or lists, and without remarks below a full table. They become notes.

    Lists have no names of columns, so lines above may be runs. They are titles only if they alone hold blanks and share no name,
    and lines below hold several names.
    """
    rows = [(line, cells) for line, cells in opened.rows if any(cells)]
    if PRINTED in opened.notes or not rows:
        return opened
    n_filled = [sum(map(bool, cells)) for _, cells in rows]
    start, end = next((i for i in range(min(len(rows), HEADER_ROWS)) if _begins_table(rows, n_filled, i)), None), len(rows)
    if start is None:
        names = [{*filter(None, cells)} for _, cells in rows]
        start = next((i for i, cells in enumerate(names) if not any(" " in name for name in cells)), 0)
        titles, others = set().union(*names[:start]), set().union(*names[start:])
        if titles & others or any(" " in name for name in others) or any(map(is_run, titles)) or max(n_filled[start:]) == 1:
            start = 0
    else:
        width = len(rows[start][1])
        while width > n_filled[end - 1] == 1 and not any(
            is_run(cell) or parse_number(cell) is not None for cell in rows[end - 1][1]
        ):
            end -= 1
        full = all(len(cells) == width and all(cells) for _, cells in rows[start + 1 : end])
        end = end if full else len(rows)  # a last line of one cell may be a run
    if len(rows) == end - start or end - start < 2:
        return opened
    remarks = {line for line, _ in (*rows[:start], *rows[end:])}
    notes = [f"Line {line} was not read, because it is a title or a remark." for line in sorted(remarks)]  # it may name a person
    text = opened.text
    if text is not None:
        text = "\n".join("" if line in remarks else content for line, content in enumerate(split_lines(text), 1))
    return opened._replace(text=text, rows=rows[start:end], notes=[*opened.notes, *notes])


def _begins_table(rows, n_filled, i) -> bool:
    """Whether row i holds the names of the columns of runs, or of features above numbers, and rows above it have fewer cells."""
    below = add_corner(rows[i : i + HEADER_ROWS])
    head = below[0][1]
    words = {*map(normal_name, head)}
    if any(parse_number(cell) is not None for cell in head):
        return False
    if words & RUN and words & FEATURE or words >= {"ind", "values"}:
        return True
    is_full = all(head[1:]) and all(n < len(head) for n in n_filled[:i]) and all(n <= len(head) for n in n_filled[i:])
    return is_full and bool(selection_matrix.words_as_numbers(below)[1] or selection_matrix.looks_like_matrix(below))


def checked_options(kind, features, n_features, answers):
    """The options of a file. Raises InputError for those that do not exist or contradict each other."""
    if kind not in (None, *KINDS, COEFFICIENTS):
        raise InputError(f"There is no kind {kind!r} of selections. Choose one of {listed((*KINDS, COEFFICIENTS))}.")
    if unknown := [key for key in answers if key not in ANSWERS]:
        raise InputError(f"There is no option {unknown[0]!r} for selections. The options are {listed(ANSWERS)}.")
    if answers.get("runs_in") not in (None, *selection_matrix.SIDES):
        raise InputError(f"runs_in must be 'rows' or 'columns'. Found {answers['runs_in']!r}.")
    features = None if features is None else tuple(check_names([str(feature) for feature in features]))
    if features and n_features not in (None, len(features)):
        raise InputError(f"{len(features)} feature names were given, but n_features is {n_features}. Give one of them.")
    if n_features is not None and not 1 <= n_features <= MAX_FEATURES:
        raise InputError(f"The number of features must be between 1 and {MAX_FEATURES}. Found {n_features}.")
    return _Options(kind, features, n_features, answers)


def _single(rows, options, notes, opened=None):
    """Selections of one selector, from its rows. opened: their source, which may hold lists of names."""
    runs_in = options.answers.get("runs_in")
    if options.kind != "sets":
        rows, assumed_words = selection_matrix.words_as_numbers(rows)
        if not rows and options.kind is not None:
            raise InputError("There are only blank lines. Give one run per row.")
        if options.kind is not None or assumed_words or selection_matrix.looks_like_matrix(rows):
            rows, side = selection_matrix.without_intercept(rows)
            rows, more = selection_matrix.runs_as_rows(rows, runs_in or side)
            more = more if side is None else [LEFT_OUT, *AS_RUNS[side]]
            kind, names, runs, matrix, assumed = selection_matrix.read_selection_matrix(
                rows, options.kind, options.features, coefficients=side is not None
            )
            refuse_odd_names(names, options.answers.get("names_are"), options.features or (), as_columns=True)
            _ask_when_never_zero(kind, matrix, options.kind)
            return SelectedRuns(kind, names, runs, matrix, None, (*notes, *assumed_words, *more, *assumed))
    lists, runs, assumed_words = list_rows(rows, runs_in) if rows else (rows, None, [])
    if not assumed_words and opened is not None:
        lists = token_lines(opened)
    members = None if assumed_words else one_list(rows, lists)
    if members is not None and options.answers.get("list_is") != "runs":
        raise OneList(members)
    return _lists({"": (runs, lists)}, options, [*notes, *assumed_words])[""]


def _ask_when_never_zero(found, matrix, kind):
    """Raise Question if no importance is 0, because all features would then be selected."""
    if kind is not None or found != "importances" or not matrix.size or not (matrix != 0).all():
        return
    answers = {
        "scores": "Scores: higher is better",
        "ranks": "Ranks: 1 is best",
        "importances": "Importances, and every feature was selected",
    }
    if (np.sort(matrix, axis=1) == np.arange(1, matrix.shape[1] + 1)).all():  # the most likely answer is first
        answers = {"ranks": answers["ranks"], "scores": "Reversed ranks or scores: the largest is best"}
    raise Question(
        "No number is 0. As importances, they would mean that every run selected every feature. What are they? If they are "
        "measurements of patients, upload them as a table.",
        "kind",
        answers,
    )


# ---- several selectors in one file ----


def read_long_selections(rows, columns, options, notes):
    """{selector: SelectedRuns} of a long table."""
    by_selector, assumed = long_table.read_long(rows, columns, options.answers.get("empty_runs"), options.answers.get("cell_is"))
    line_of = {cells[columns.feature]: line for line, cells in reversed(rows[1:])}
    column = None if columns.value is None else normal_name(rows[0][1][columns.value])
    return name_selections(by_selector, line_of, options, [*notes, *assumed], column)


def _lists(parts, options, notes):
    """{selector: SelectedRuns} of lists of names, {selector: (names of the runs or None, [(line, names)])}."""
    by_selector, line_of, about = dict[Any, Any](), dict[Any, Any](), dict[Any, Any]()
    for selector, (runs, lines) in parts.items():
        by_selector[selector], about[selector] = runs_of_lines(lines, runs)
        line_of = {name: line for line, names in reversed(lines) for name in names} | line_of
    found = name_selections(by_selector, line_of, options, [])
    return {label: replace(selected, notes=(*notes, *about[label], *selected.notes)) for label, selected in found.items()}


def name_selections(by_selector, line_of, options, notes, column=None):
    """{selector: SelectedRuns} of {selector: {run: {feature: value}}}, with all features in them as available.

    line_of: {feature: its line or file}, for messages. column: the title of the values, None for lists of names.
    """
    names = dict.fromkeys(name for runs in by_selector.values() for value_of in runs.values() for name in value_of)
    features = [name for name in names if not is_intercept(name)]
    notes = [*notes, *[LEFT_OUT] * (len(features) < len(names))]
    refuse_odd_names(features, options.answers.get("names_are"), options.features or ())
    known = options.features is not None
    called = {name: name for name in features} if known else joined_names(features, options.answers.get("alike_names"))
    by_selector = {
        selector: {run: {called[name]: value_of[name] for name in value_of if name in called} for run, value_of in runs.items()}
        for selector, runs in by_selector.items()
    }
    for selector, runs in by_selector.items():
        if len(runs) < 2:
            raise InputError(f"Stability compares runs, so at least 2 are needed. Found 1{f' of {selector}' if selector else ''}.")
    every = tuple(dict.fromkeys(called.values()))
    if column is not None:
        column = "coef" if LEFT_OUT in notes and column not in SCORES | RANKS else column
        return _valued(by_selector, every, column, options, notes)
    lines = [(line_of.get(name, "The table"), [name]) for name in every]
    called, every = universe(lines, options.features, options.n_features, notes)
    notes.append(describe_universe(len(every), known or options.n_features is not None))
    return {
        selector: SelectedRuns(
            "sets",
            every,
            tuple(runs),
            None,
            tuple(tuple(called[name] for name in value_of) for value_of in runs.values()),
            (*notes, f"{counted(len(runs), 'run')} of {len(every)} features."),
        )
        for selector, runs in by_selector.items()
    }


def _valued(by_selector, names, column, options, notes):
    """{selector: SelectedRuns} of a long table with values."""
    kind = options.kind or ("ranks" if column in RANKS else "scores" if column in SCORES else None)
    if kind == "sets":
        raise InputError("The table has a column of values, so it does not hold plain lists. Choose the kind of these values.")
    absent, selections = np.nan if kind in ("ranks", "scores") else 0.0, {}
    left = sum(len(runs) * len(names) - sum(map(len, runs.values())) for runs in by_selector.values())
    if left and kind is None:
        notes = [*notes, f"Read as not selected: {left:,} pairs of run and feature without a line."]
    for selector, runs in by_selector.items():
        notes_here = list(notes)
        assumed, matrix = selection_matrix.absolute_importances(
            kind, long_table.value_matrix(runs, names, absent), column in COEFFICIENT, notes_here
        )
        found = selection_matrix.check_kind(matrix, assumed, [f"Run {quote(run)}" for run in runs], names)
        _ask_when_never_zero(found, matrix, kind)
        notes_here.append(selection_matrix.describe_matrix(found, len(runs), len(names)))
        selections[selector] = SelectedRuns(found, names, tuple(runs), matrix, None, tuple(notes_here))
    return selections


def _by_selector(rows, j, options, notes):
    """{selector: SelectedRuns} of rows in which cell j names the selector."""

    def without(cells, i):
        return [*cells[:i], *cells[i + 1 :]] or [""]

    parts, head = dict[Any, Any](), without(rows[0][1], j)
    for line, cells in rows[1:]:
        if len(cells) <= j or not cells[j]:
            raise InputError(f"Line {line} does not name its selector. Fill the cell, or delete the line.")
        parts.setdefault(cells[j], []).append((line, without(cells, j)))
    notes = [*notes, f"{quote(rows[0][1][j])} was read as the selector: {listed(parts)}."]
    every, _ = selection_matrix.words_as_numbers([(rows[0][0], head), *(row for part in parts.values() for row in part)])
    if options.kind != "sets" and selection_matrix.looks_like_matrix(every):
        return {selector: _single([(rows[0][0], head), *part], options, notes) for selector, part in parts.items()}
    run = next((i for i, cell in enumerate(head) if normal_name(cell) in RUN), None)
    if run is None:
        if not any(normal_name(cell) in FEATURE for cell in head):
            raise InputError(
                f"The columns {listed(head)} next to the selector are neither numbers nor lists. Name the column of the run 'run', "
                "and that of the names 'feature'."
            )
        return _lists({selector: (None, part) for selector, part in parts.items()}, options, notes)
    for part in parts.values():
        for line, cells in part:
            if len(cells) <= run:
                raise InputError(f"Line {line} does not name its run. Fill the cell, or delete the line.")
    lists = {
        selector: ([cells[run] for _, cells in part], [(line, [*cells[:run], *cells[run + 1 :]]) for line, cells in part])
        for selector, part in parts.items()
    }
    return _lists(lists, options, notes)
