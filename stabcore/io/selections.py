"""Read existing selections (a matrix, a long table, or lists of names) of one selector or several, from one file or several."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import listed, nearest, several, shown
from stabcore.base.validation import with_unselected
from stabcore.io import long_table, selection_matrix
from stabcore.io.cells import number
from stabcore.io.choices import Question
from stabcore.io.contents import as_rows
from stabcore.io.decode import SELECTION_ENDINGS, Source, decode_cells, load
from stabcore.io.formats import WORKBOOKS
from stabcore.io.long_table import LAST_MAY_MISS, MAX_CELLS, OneRun
from stabcore.io.names import OddNames, check_names, joined_names, match, number_repeated, refuse_odd
from stabcore.io.peers import as_runs
from stabcore.io.selection_source import (
    AS_RUNS,
    COEFFICIENT,
    COEFFICIENTS,
    COLUMNS,
    FEATURE,
    LEFT_OUT,
    RANKS,
    RUN,
    SCORES,
    SELECTOR,
    counts_up,
    is_intercept,
    is_nameless,
    is_run,
    labelled_lines,
    open_source,
    token_lines,
    with_corner,
    word,
)
from stabcore.io.text import split_lines

KINDS = ("selection matrix", "importances", "scores", "ranks", "sets")
ANSWERS = ("runs_in", "run_column", "value_column", "empty_runs", "list_is", "alike_names", "cell_is", "names_are", "sheets_are")
MAX_FEATURES = 10_000_000
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
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
        _refuse_many_runs(selected, answers.get("runs_in"))
    return {label: _with_all(selected, n_features) for label, selected in by_selector.items()}


def _with_all(selected, n_features):
    """The same runs with columns for features that no run selected, where more than those of a matrix were available."""
    width = len(selected.features)
    if selected.matrix is None or n_features in (None, width):
        return selected
    every = with_unselected(selected.features, n_features)
    if selected.kind in ("scores", "ranks"):
        raise InputError(
            f"The file has {selected.kind} of {width} features, but the number {n_features} was given. Rank all features, or leave "
            "out the number."
        )
    matrix = np.pad(selected.matrix, ((0, 0), (0, len(every) - width)))
    return replace(selected, features=(*selected.features, *every[width:]), matrix=matrix)


def _refuse_many_runs(selections, runs_in):
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
    options = _checked_options(kind, features, n_features, answers)
    opened = _without_remarks(open_source(source, name, kind))
    filled = with_corner([(line, cells) for line, cells in opened.rows if any(cells)])
    if sum(len(cells) for _, cells in filled) > MAX_CELLS:
        raise InputError(
            f"The runs have more than {MAX_CELLS // 10**6} million cells in total. Leave out features that no run selected, or "
            "give the selections as sets."
        )
    peer = as_runs(filled)
    options = replace(options, kind=kind or peer.kind, answers={"cell_is": peer.cell_is, **answers})
    filled, assumed = long_table.as_long_table(peer.rows, answers.get("value_column")) if kind != "sets" else (peer.rows, [])
    notes = [*opened.notes, *peer.notes, *assumed]
    filled = long_table.with_head(filled)
    if (columns := long_table.find_places(filled, answers.get("run_column"), answers.get("value_column"))) is not None:
        return _long(filled, columns, options, notes)
    selector = next((j for j, cell in enumerate(filled[0][1]) if word(cell) in SELECTOR), None) if len(filled) > 2 else None
    if selector is not None and len(filled[0][1]) > 1:
        return _by_selector(filled, selector, options, notes)
    parts = None if peer.notes else labelled_lines(opened)
    if parts is not None:
        return _lists(parts, options, notes)
    return {"": _single(filled, options, notes, None if peer.notes else opened)}


def _without_remarks(opened):
    """The source without lines of one cell above its table or lists, as a title, and below a full table. They become notes.

    Lists have no names of columns, so such a line above may be a run. It is a title only if no other line holds a blank.
    """
    is_sheet = opened.text is None  # all lines of which are equally wide
    filled = [(line, [*filter(None, cells)] if is_sheet else cells) for line, cells in opened.rows if any(cells)]
    above, below = ([line for line, _ in takewhile(_may_be_remark, rows)] for rows in (filled, reversed(filled)))
    rows = [row for row in opened.rows if any(row[1]) and row[0] not in {*above, *below}]
    if len(rows) < 2 or any(number(cell) is not None for cell in rows[0][1]):  # no names, so the line above may hold them
        return opened
    is_table = (
        len({*map(word, rows[0][1])} & COLUMNS) > 1
        or selection_matrix.words_as_numbers(rows)[1]
        or selection_matrix.looks_like_matrix(rows)
    )
    if not is_table and any((line in above) != (" " in cell) for line, cells in filled for cell in cells):
        above = []
    if not is_table or any(len(cells) != len(rows[0][1]) or not all(cells) for _, cells in rows[1:]):
        below = []  # a last line of one cell may be a run
    remarks = {line: cells[0] for line, cells in filled if line in {*above, *below}}
    notes = [f"Line {line} was not read, because it holds only {shown(cell)}." for line, cell in remarks.items()]
    text = opened.text
    if text is not None:
        text = "\n".join("" if line in remarks else content for line, content in enumerate(split_lines(text), 1))
    return opened._replace(text=text, rows=[row for row in opened.rows if row[0] not in remarks], notes=[*opened.notes, *notes])


def _may_be_remark(row):
    return len(row[1]) == 1 and number(row[1][0]) is None and not is_run(row[1][0])


def _checked_options(kind, features, n_features, answers):
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
            refuse_odd(names, options.answers.get("names_are"), options.features or (), as_columns=True)
            _ask_when_never_zero(kind, matrix, options.kind)
            return SelectedRuns(kind, names, runs, matrix, None, (*notes, *assumed_words, *more, *assumed))
    lists, runs, assumed_words = lists_as_rows(rows, runs_in) if rows else (rows, None, [])
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


def _long(rows, columns, options, notes):
    """{selector: SelectedRuns} of a long table."""
    by_selector, assumed = long_table.read_long(rows, columns, options.answers.get("empty_runs"), options.answers.get("cell_is"))
    line_of = {cells[columns.feature]: line for line, cells in reversed(rows[1:])}
    column = None if columns.value is None else word(rows[0][1][columns.value])
    return _selected(by_selector, line_of, options, [*notes, *assumed], column)


def _lists(parts, options, notes):
    """{selector: SelectedRuns} of lists of names, {selector: (names of the runs or None, [(line, names)])}."""
    by_selector, line_of, about = dict[Any, Any](), dict[Any, Any](), dict[Any, Any]()
    for selector, (runs, lines) in parts.items():
        by_selector[selector], about[selector] = runs_of_lines(lines, runs)
        line_of = {name: line for line, names in reversed(lines) for name in names} | line_of
    found = _selected(by_selector, line_of, options, [])
    return {label: replace(selected, notes=(*notes, *about[label], *selected.notes)) for label, selected in found.items()}


def _selected(by_selector, line_of, options, notes, column=None):
    """{selector: SelectedRuns} of {selector: {run: {feature: value}}}, with all features in them as available.

    line_of: {feature: its line or file}, for messages. column: the title of the values, None for lists of names.
    """
    names = dict.fromkeys(name for runs in by_selector.values() for value_of in runs.values() for name in value_of)
    features = [name for name in names if not is_intercept(name)]
    notes = [*notes, *[LEFT_OUT] * (len(features) < len(names))]
    refuse_odd(features, options.answers.get("names_are"), options.features or ())
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
            (*notes, f"{several(len(runs), 'run')} of {len(every)} features."),
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
        assumed, matrix = selection_matrix.sizes(kind, long_table.matrix_of(runs, names, absent), column in COEFFICIENT, notes_here)
        found = selection_matrix.check_kind(matrix, assumed, [f"Run {shown(run)}" for run in runs], names)
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
    notes = [*notes, f"{shown(rows[0][1][j])} was read as the selector: {listed(parts)}."]
    every, _ = selection_matrix.words_as_numbers([(rows[0][0], head), *(row for part in parts.values() for row in part)])
    if options.kind != "sets" and selection_matrix.looks_like_matrix(every):
        return {selector: _single([(rows[0][0], head), *part], options, notes) for selector, part in parts.items()}
    run = next((i for i, cell in enumerate(head) if word(cell) in RUN), None)
    if run is None:
        if not any(word(cell) in FEATURE for cell in head):
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


# ---- lists of the features that each run selected, and all available features ----


class OneList(Question):
    """A file with one name per line, which are its `names`: the list of one run, or runs that selected one feature each."""

    def __init__(self, names, file=""):
        super().__init__(
            f"Each line holds one name ({listed(names, 2)}). Stability compares runs, so at least 2 are needed. If this is the "
            "list of one run, also upload the lists of the other runs, one file each.",
            "list_is",
            {"runs": f"Each line is a run: {len(names)} runs of one feature each"} if len(names) > 1 else {},
            file,
        )
        self.names = names


def one_list(rows, lists):
    """The names, if a file holds one per line, possibly below a title and next to the numbers that R writes, else None.

    rows: its cells as a table. lists: its lines as lists of names, each a list of (line, cells).
    """
    titles = FEATURE | {"x"}
    head, body = (rows[0][1], [cells for _, cells in rows[1:]]) if rows else ([], [])
    numbered = body and len(head) == 1 + (head[0] == "") and all(len(cells) == 2 for cells in body)
    if numbered and word(head[-1]) in titles and (counts_up(_numbers_of([cells[0] for cells in body])) or len(body) == 1):
        return tuple(dict.fromkeys(cells[1] for cells in body))
    names = [filled for _, cells in lists if (filled := [cell for cell in cells if cell])]
    if not names or any(len(cells) > 1 for cells in names):
        return None
    names = names[1:] if len(names) > 1 and word(names[0][0]) in titles else names
    return tuple(dict.fromkeys(cells[0] for cells in names))


def _numbers_of(titles):
    """The numbers at the ends of titles that differ in these only, as Feature n°1 and Feature n°2 of Stabl. Other titles stay."""
    found = [match for title in titles if (match := re.fullmatch(r"(\D*)(\d+)", title))]
    same = len(found) == len(titles) and len({match[1] for match in found}) == 1 and not is_run(titles[0])
    return [match[2] for match in found] if same else titles


def runs_of_lines(lines, runs=None):
    """({run: {name: 1.0}}, notes) of lines, each (line, names). runs: their names, None takes them from the lines or numbers them.

    Raises InputError for fewer than two runs, and for numbers among names.
    """
    notes: list[str] = []
    lines = [(line, [name for name in names if name]) for line, names in lines]
    if runs is None:
        filled = [i for i, (_, names) in enumerate(lines) if names]
        lines = lines[filled[0] : filled[-1] + 1] if filled else []
    if len(lines) < 2:
        raise InputError(f"Stability compares runs, so at least 2 are needed, one per line. Found {len(lines)}.")
    if runs is None:
        lines, runs = _take_run_names(lines, notes)
    _refuse_numbers_among_names(lines)
    _note_oddities(lines, notes)
    notes.append("Each line was read as the selection of one run.")
    return {run: dict.fromkeys(names, 1.0) for run, (_, names) in zip(number_repeated(runs), lines, strict=True)}, notes


def describe_universe(d, is_known):
    """The note on the number of all features."""
    guess = "" if is_known else " (those named here). Correct this number if there were more"
    return f"The chance correction depends on the number of available features, here {d}{guess}."


def _take_run_names(lines, notes):
    first = [tokens[0] if tokens else "" for _, tokens in lines]
    others = [token for _, tokens in lines for token in tokens[1:]]
    counted = counts_up(first) and others and all(number(token) is None for token in others)
    if len(set(first)) == len(first) and (counted or all(map(is_run, first))):
        notes.append("The first name of each line was read as the name of the run.")
        return [(line, tokens[1:]) for line, tokens in lines], tuple(first)
    return lines, tuple(f"run {i + 1}" for i in range(len(lines)))


def _refuse_numbers_among_names(lines):
    """Raise InputError for a column of numbers next to one of names, which is a table, not lists."""
    wide = [tokens for _, tokens in lines if tokens]
    if len({len(tokens) for tokens in wide}) != 1 or len(wide) < 3:
        return
    counts = [sum(number(cell) is not None for cell in column) for column in zip(*wide, strict=True)]
    numeric = [j for j, count in enumerate(counts) if count >= len(wide) - 1]
    if numeric and 0 in counts:
        raise InputError(
            f"Column {numeric[0] + 1} holds numbers and column {counts.index(0) + 1} holds names, so these are not plain lists. In "
            "a table with one line per run and feature, name the columns 'run', 'feature', 'value' and 'selector'."
        )


def _note_oddities(lines, notes):
    if empty := [str(line) for line, tokens in lines if not tokens]:
        where = f"line {', '.join(empty[:5])}{' and more' if len(empty) > 5 else ''}"
        notes.append(f"Read as runs that selected nothing: {several(len(empty), 'empty line')} ({where}).")
    for line, tokens in lines:
        if twice := [token for token, count in Counter(tokens).items() if count > 1]:
            notes.append(f"Line {line} names {shown(twice[0])} more than once. It counts once.")


def universe(lines, features, n_features, notes):
    """(the feature of each token, all d features)."""
    tokens = {token: line for line, tokens in reversed(lines) for token in tokens}
    numbers = tokens and all(_WHOLE.fullmatch(token) for token in tokens)
    if numbers and not (features and set(tokens) & set(features)):
        return _numbered(tokens, features, n_features, notes)
    if features is None:
        return {token: token for token in tokens}, with_unselected(tokens, n_features)
    allowed = set(features)
    if unknown := [token for token in tokens if token not in allowed]:
        name = min(unknown, key=tokens.__getitem__)
        hint = nearest(name, features)
        raise InputError(
            f"{_at(tokens[name])} names {shown(name)}, which is not among the {len(features)} features{hint}. Correct the name or "
            "the list of features."
        )
    return {token: token for token in tokens}, features


def _at(line):
    """A line or a file at the beginning of a sentence."""
    return line if isinstance(line, str) else f"Line {line}"


def _numbered(tokens, features, n_features, notes):
    """The same for feature numbers, which count from 0 if a 0 occurs and from 1 otherwise."""
    values = {token: int(token) for token in tokens}
    start = 0 if 0 in values.values() else 1
    d = len(features) if features else n_features
    if d is None:
        return {token: str(value) for token, value in values.items()}, tuple(map(str, sorted(set(values.values()))))
    if wrong := [token for token, value in values.items() if value - start >= d]:
        raise InputError(
            f"{_at(tokens[wrong[0]])} names feature number {wrong[0]}, but there are {d} features, numbered {start} to "
            f"{d - 1 + start}. Correct the number, or the number of features."
        )
    notes.append(f"The numbers were read as features counted from {start}.")
    names = features or tuple(str(i + start) for i in range(d))
    return {token: names[value - start] for token, value in values.items()}, names


def lists_as_rows(rows, runs_in=None):
    """(rows with one list per run, run names or None, notes) of a grid of feature names with headings above its columns.

    rows: a list of (line, cells). Without headings, nothing is changed unless runs_in is "columns". Raises Question if the columns
    only have numbers, as R assigns them.
    """
    head, body = rows[0][1], rows[1:]
    corner = len(head) > 1 and (head[0] == "" or word(head[0]) in RUN)
    names = head[1:] if corner else head
    numbered = len(names) > 1 and all(cell[:1] in "VX" and is_nameless(cell) for cell in names)
    if not body or not names or not (numbered or (len(names) > 1 and all(map(is_run, names)))):
        if runs_in == "columns":
            lists = [(line, [cell for cell in cells if cell]) for line, cells in selection_matrix.turned(rows)]
            return lists, None, ["Each column was read as the list of one run, as chosen."]
        return rows, None, []
    if numbered and runs_in is None:
        selection_matrix.ask_side(len(body), len(names), "The columns are only numbered.")
    beside = [cells[0] for _, cells in body] if corner else None
    lists = [(line, cells[1:] if beside else cells) for line, cells in body]
    if runs_in == "rows":
        return lists, beside, ["The names above the columns were ignored. Each row is the list of one run."]
    if beside and not counts_up(beside):
        raise InputError(
            f"The columns are runs, but the first column, {listed(beside, 3)}, is neither a run nor the numbers of the rows. "
            "Delete it, or name it like the others."
        )
    for line, cells in lists:
        if len(cells) > len(names):
            raise InputError(
                f"Line {line} has {len(cells)} cells, but there are {len(names)} runs. Each column must be the list of one run."
            )
    columns = [(line, [cell for cell in cells[1:] if cell]) for line, cells in selection_matrix.turned([(0, names), *lists])]
    return columns, names, [f"Each column was read as the list of one run: {len(names)} runs."]


# ---- several files together: lists that are the runs of one selector, one universe, one order of the features ----

_NUMBER_AT_END = re.compile(r"[ _.-]*(?:run|fold|resample|iteration|repeat|split|bootstrap|seed|lauf)?[ _.-]*\d+$", re.IGNORECASE)
LISTS = "lists"  # label of selections with one file per run


def read_selection_files(files, table=None, columns=()) -> tuple[dict[str, SelectedRuns], list[str]]:
    """({label: SelectedRuns}, notes) of files about the same features in the same order.

    files: (source, options) each, with the options label, name, kind, n_features, features and answers to questions. table: the
    features of a data table from which lists of names were selected. columns: the names of all its columns, which rename
    matching features.
    Raises InputError, and Question with the name of its file, for a file that cannot be read, and for different features.
    """
    by_selector, notes, lists, tables = dict[Any, Any](), list[Any](), [], []
    files = [part for source, options in files for part in _sheets_as_files(source, options, notes)]
    # one answer applies to all
    column = next((options["value_column"] for _, options in files if options.get("value_column")), None)
    for source, options in files:
        options = {"value_column": column, **options}
        try:
            read = _read_file(source, options, columns)
        except OneList as alone:
            lists.append((options, alone))
            continue
        except OneRun as alone:
            tables.append((options, alone))
            continue
        except Question as question:
            raise _of_file(question, options) from None
        except InputError as error:
            raise InputError(f"{options['name']}: {error}" if len(files) > 1 else str(error)) from None
        for selector, selections in read.items():
            by_selector[_free_label(selector or options["label"], by_selector)] = selections
            notes.append((options["name"], selections.notes))
    for options, one in lists:
        refuse_odd(one.names, options.get("names_are"), (*columns, *(options.get("features") or ())), file=options["name"])
    if sum(len(one.rows) for _, one in tables) > MAX_CELLS:
        raise InputError(
            f"The runs have more than {MAX_CELLS // 10**6} million numbers in total. Leave out features that no run selected."
        )
    if lists:
        _add_runs(lists, _selected_of_lists, "with one name per line was read as the list of one run", notes, by_selector)
    if tables:
        _add_runs(tables, _selected_of_tables, "with one line per feature was read as one run", notes, by_selector)
    is_known = any(options.get("n_features") or options.get("features") for _, options in files)
    n_features = next((options.get("n_features") for _, options in files), None)
    by_selector, more = _about_same_features(by_selector, table or (), columns, is_known, n_features)
    return by_selector, [*_counted(notes), *more]


# ---- a workbook with one run per sheet is read as one file per run ----

_SHEET = re.compile(r"(?:sheet|tabelle|feuille|hoja|foglio)?[ _.-]*\d+", re.IGNORECASE)
MAX_SHEETS = 500


def _sheets_as_files(source, options, notes):
    """[(source, options)] of the sheets of a workbook that each hold one run, else of the file itself. Adds notes.

    Raises Question if the names of the sheets do not show that they are runs.
    """
    name = options.get("name") or ""
    if isinstance(source, str) or not name.lower().endswith(WORKBOOKS) or options.get("sheets_are") == "others":
        return [(source, options)]
    file = load(source, name, SELECTION_ENDINGS)
    every = decode_cells(file).place.sheets
    named = [sheet for sheet in every if is_run(sheet)]
    sheets = named if len(named) > 1 else every
    if not 2 <= len(sheets) <= MAX_SHEETS:
        return [(file.data, options)]
    parts = []
    for sheet in sheets:
        text = io.StringIO()
        csv.writer(text).writerows(cells for _, cells in as_rows(decode_cells(file, sheet)))
        about = {**options, "name": f"{sheet}.csv", "label": sheet, "sheets_are": None}
        try:
            read_selectors(text.getvalue().encode(), about["name"], **_given(options, "kind", "features"))
            return [(file.data, options)]
        except (OneList, OneRun):
            parts.append((text.getvalue().encode(), about))
        except InputError:
            return [(file.data, options)]
    if options.get("sheets_are") != "runs" and not all(is_run(sheet) or _SHEET.fullmatch(sheet) for sheet in sheets):
        raise Question(
            f"The workbook has {len(sheets)} sheets with one list each: {listed(sheets)}. Is each sheet one run?",
            "sheets_are",
            {"runs": f"Each sheet is one run: {len(sheets)} runs", "others": "Only the first sheet counts"},
            name,
        )
    if others := [sheet for sheet in every if sheet not in sheets]:
        notes.append((name, [f"Not read, because they are not named like runs: {listed(others)}."]))
    return parts


def _of_file(question, options):
    return Question(str(question), question.option, question.answers, options["name"])


def _given(options, *keys):
    return {key: options[key] for key in (*ANSWERS, *keys) if options.get(key) is not None}


def _read_file(source, options, columns):
    """{selector: SelectedRuns} of one file; columns: known names, which may contain any characters."""
    arguments = {"kind": options.get("kind"), **_given(options, "features")}
    arguments["n_features"] = None if "features" in arguments else options.get("n_features")
    try:
        return read_selectors(source, options["name"], **arguments)
    except OddNames as odd:
        if not set(odd.names) <= {str(name) for name in columns}:
            raise
        return read_selectors(source, options["name"], **arguments | {"names_are": "features"})


def _free_label(label, taken):
    while label in taken:
        label += " (again)"
    return label


def _add_runs(files, selected_of, about, notes, by_selector):
    """Add the SelectedRuns of files with one run each, (options, OneList or OneRun). about: the note on them, after their number.

    Files with similar names belong to one selector.
    """
    if len(files) == 1:
        options, alone = files[0]
        alone.file = options["name"]
        raise alone
    for label, runs in _by_selector_name(files).items():
        options, called = runs[0][0], number_repeated([options["label"] for options, _ in runs])
        n_features = None if options.get("features") is not None else options.get("n_features")
        checked = _checked_options(options.get("kind"), options.get("features"), n_features, _given(options))
        try:
            selected = selected_of(runs, called, checked)[""]
            _refuse_many_runs(selected, None)
        except Question as question:
            raise _of_file(question, options) from None
        label = _free_label(label or LISTS, by_selector)
        by_selector[label] = selected
        notes.append((label, [f"Each of {len(runs)} files {about}.", *(note for note in selected.notes if note != LAST_MAY_MISS)]))


def _selected_of_lists(files, called, options):
    line_of = {name: options["name"] for options, alone in reversed(files) for name in alone.names}
    names_of = {run: dict.fromkeys(alone.names, 1.0) for run, (_, alone) in zip(called, files, strict=True)}
    answers = {**options.answers, "names_are": "features"}  # they were compared with the columns of the table
    return _selected({"": names_of}, line_of, replace(options, answers=answers), [])


def _selected_of_tables(files, called, options):
    heads = {tuple(alone.rows[0][1]) for _, alone in files}
    if len(heads) > 1:
        names, values = listed([options["name"] for options, _ in files], 3), listed(head[-1] for head in heads)
        raise InputError(f"{names} hold different values of each feature: {values}. All runs need the same.")
    rows = [(0, ["run", *files[0][1].rows[0][1]])]
    rows += [(line, [run, *cells]) for run, (_, alone) in zip(called, files, strict=True) for line, cells in alone.rows[1:]]
    notes = dict.fromkeys(note for _, alone in files for note in alone.notes)
    return _long(rows, long_table.find_places(rows), options, [*notes])


def _by_selector_name(files):
    """{label: files} of (options, …): files whose names differ only in a number belong to one selector, if this holds for all."""
    stems: dict[Any, Any] = {}
    for file in files:
        stems.setdefault(_NUMBER_AT_END.sub("", file[0]["label"]).strip(" _.-"), []).append(file)
    several_selectors = len(stems) > 1 and all(len(runs) > 1 for runs in stems.values())
    return stems if several_selectors else {next(iter(stems)) if len(stems) == 1 else LISTS: files}


def _counted(notes):
    """The notes as sentences. A note on several files appears once, with their number."""
    files_by_note: dict[Any, Any] = {}
    for name, sentences in notes:
        for sentence in sentences:
            files_by_note.setdefault(sentence, []).append(name)
    names = {name for name, _ in notes}

    def which(files):
        if len(files) == 1:
            return files[0]
        different = set(files)
        if len(different) == 1:
            return f"{files[0]}, {len(files)} selectors"
        return f"In {'all' if different == names else f'{len(different)} of'} {len(names)} files"

    return [f"{which(files)}: {sentence}" for sentence, files in files_by_note.items()]


# ---- the same features for all ----


def _about_same_features(by_selector, table, columns, is_known, n_features):
    """(the SelectedRuns with the same features, notes): with the names of the table, and one set of features for lists."""
    notes = []
    if len(columns):
        by_selector, notes = _called_as(by_selector, columns)
    of_tables = [selected.features for selected in by_selector.values() if selected.kind != "sets"]
    only_lists = {label: selected for label, selected in by_selector.items() if selected.kind == "sets"}
    if only_lists and (of_tables or len(table) or len(only_lists) > 1):
        named = list(dict.fromkeys(name for selected in only_lists.values() for names in selected.sets for name in names))
        universe = tuple(of_tables[0] if of_tables else _universe(only_lists, named, table, is_known, n_features))
        in_universe = set(universe)
        if unknown := [name for name in named if name not in in_universe]:
            raise InputError(
                f"The lists name {several(len(unknown), 'feature')} that the other selections do not have: {listed(unknown)}. "
                "Compared selections must have the same features."
            )
        if len(table) and not of_tables and not is_known:
            beside = len(universe) - len(table)
            more = f" and {several(beside, 'name')} that it does not have" if beside else ""
            notes.append(f"There were {len(universe):,} features to choose from: the {len(table):,} of the table{more}.")
        elif any(selected.features != universe for selected in only_lists.values()):
            notes.append(f"Together: {describe_universe(len(universe), is_known or bool(of_tables))}")
        by_selector = by_selector | {label: replace(selected, features=universe) for label, selected in only_lists.items()}
    return _in_one_order(by_selector, notes), notes


def _universe(lists, named, table, is_known, n_features):
    """All features from which lists of names were selected."""
    if is_known and n_features is None:
        return next(iter(lists.values())).features  # all names were given
    if is_known:
        return with_unselected(named, n_features)
    if len(table):
        in_table = set(table)
        return (*table, *(name for name in named if name not in in_table))
    return sorted({name for selected in lists.values() for name in selected.features})


def _called_as(by_selector, columns):
    """(the SelectedRuns with features renamed as the columns of a table, notes)."""
    names = dict.fromkeys(name for selected in by_selector.values() for name in selected.features)
    every = [name for name in names if not name.startswith("(never selected ")]
    called = match(every, columns)
    if not called:
        raise InputError(
            f"None of the {len(every):,} features of the selections is a column of the table. The selections name "
            f"{listed(every, 3)}, but the table names {listed(columns, 3)}. Upload the table from which the selections were made, "
            "or none."
        )
    renamed = {old: new for old, new in called.items() if old != new}
    missing = [name for name in every if name not in called]
    notes = [f"{len(called):,} of {several(len(every), 'feature')} are in the table."]
    if renamed:
        old, new = next(iter(renamed.items()))
        notes.append(f"Renamed as in the table: {several(len(renamed), 'feature')}, such as {old!r} to {new!r}.")
    if missing:
        notes.append(f"Not in the table, so without correlations: {several(len(missing), 'feature')}, {listed(missing)}.")

    def rename(names):
        return tuple(renamed.get(name, name) for name in names)

    return {
        label: replace(
            selected, features=rename(selected.features), sets=None if selected.sets is None else tuple(map(rename, selected.sets))
        )
        for label, selected in by_selector.items()
    }, notes


def _in_one_order(by_selector, notes):
    """The SelectedRuns with the features in the order of the first, if they have the same features."""
    first, ordered = next(iter(by_selector.values())).features, {}
    place = {name: j for j, name in enumerate(first)}
    for label, selections in by_selector.items():
        if selections.features != first and set(selections.features) == set(first):
            if (matrix := selections.matrix) is not None:
                matrix = matrix[:, np.argsort([place[name] for name in selections.features])]
                notes.append(f"{label}: its features were put in the order of the first selections.")
            selections = replace(selections, features=first, matrix=matrix)
        ordered[label] = selections
    return ordered


def read_universe(source, name=None) -> tuple[str, ...]:
    """The names of all available features from a file or text, one per line or all in one line.

    Raises InputError for a table of several columns, and for a repeated name.
    """
    opened = open_source(source, name, "sets")
    lists = token_lines(opened)
    if (names := one_list(opened.rows, lists)) is None:
        filled = [tokens for _, tokens in lists if any(tokens)]
        if len(filled) > 1:
            raise InputError("The list of all features has lines with several cells. Give one name per line, or all in one line.")
        names = tuple(token for tokens in filled for token in tokens if token)
    return tuple(check_names(list(names)))
