"""Lists of the features that each run selected, and all features that there were to choose from."""

from __future__ import annotations

import re
from collections import Counter

from stabcore.errors import InputError
from stabcore.io.cells import number
from stabcore.io.choices import Question
from stabcore.io.selection_matrix import ask_side, turned
from stabcore.io.selection_words import FEATURE, RUN, counts_up, is_nameless, is_run, word
from stabcore.wording import listed, nearest, several, shown

MAX_FEATURES = 10_000_000
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)


class OneList(Question):
    """A file with one name a line, which may be the list of one run, or runs that selected one feature each.

    names: what is listed.
    """

    def __init__(self, names, file=""):
        what = f"Each line holds one name ({listed(names, 2)})" if len(names) > 1 else f"There is one name, {listed(names)}"
        super().__init__(f"{what}. Stability compares runs, so at least 2 are needed: if this is the list of one run, bring the "
                         "lists of the others with it, a file each.", "list_is",
                         {"runs": f"Each line is a run: {len(names)} runs of one feature each"} if len(names) > 1 else {},
                         file)
        self.names = names


def one_list(rows, lists):
    """The names, where a file holds one a line, perhaps beneath a title and beside the numbers that R writes; else None.

    rows: its cells as a table; lists: its lines as lists of names, each a list of (line, cells).
    """
    head, body = (rows[0][1], [cells for _, cells in rows[1:]]) if rows else ([], [])
    title = bool(head) and word(head[-1]) in FEATURE | {"x"}
    if title and body and len(head) == 1 + (head[0] == "") and all(len(cells) == 2 for cells in body) and (
            counts_up([cells[0] for cells in body]) or len(body) == 1):
        return tuple(dict.fromkeys(cells[1] for cells in body))
    names = [[cell for cell in cells if cell] for _, cells in lists]
    names = [cells for cells in names if cells]
    names = names[1:] if len(names) > 1 and len(names[0]) == 1 and word(names[0][0]) in FEATURE | {"x"} else names
    return tuple(dict.fromkeys(cells[0] for cells in names)) if names and all(len(cells) == 1 for cells in names) else None


def read_lists(lines, runs, features, n_features, notes):
    """(sets, all features, run names, notes) of lines, each the line and the names in it.

    runs: names of the runs; None takes them from the lines or numbers them. Raises InputError for fewer than two runs, numbers
    among names, and names that are not among the features.
    """
    notes = list(notes)
    lines = [(line, [token for token in tokens if token]) for line, tokens in lines]
    if runs is None:
        filled = [i for i, (_, tokens) in enumerate(lines) if tokens]
        lines = lines[filled[0]:filled[-1] + 1] if filled else []
    if len(lines) < 2:
        raise InputError(f"Stability compares runs, so at least 2 are needed, one a line; found {len(lines)}.")
    if runs is None:
        lines, runs = _take_run_names(lines, notes)
    _refuse_numbers_among_names(lines)
    _note_oddities(lines, notes)
    names, every = universe(lines, features, n_features, notes)
    sets = tuple(tuple(dict.fromkeys(names[token] for token in tokens)) for _, tokens in lines)
    given = features is not None or n_features is not None
    notes.append(f"Each line was taken as the set of features that one run selected: {len(sets)} runs.")
    notes.append(describe_universe(len(every), given))
    return sets, every, tuple(runs), notes


def describe_universe(d, given):
    """What was taken as the number of all features."""
    return (f"Measures that are 0 for random sets depend on how many features there were to choose from, taken as {d}"
            f"{'' if given else ' (those named here); say how many there really were'}.")


def _take_run_names(lines, notes):
    first = [tokens[0] if tokens else "" for _, tokens in lines]
    others = [token for _, tokens in lines for token in tokens[1:]]
    counted = counts_up(first) and others and all(number(token) is None for token in others)
    if len(set(first)) == len(first) and (counted or all(map(is_run, first))):
        notes.append("The first name of each line was taken as the name of the run.")
        return [(line, tokens[1:]) for line, tokens in lines], tuple(first)
    return lines, tuple(f"run {i + 1}" for i in range(len(lines)))


def _refuse_numbers_among_names(lines):
    """A column of numbers beside one of names is a table, not lists."""
    wide = [tokens for _, tokens in lines if tokens]
    if len({len(tokens) for tokens in wide}) != 1 or len(wide) < 3:
        return
    numeric = [sum(number(cell) is not None for cell in column) >= len(column) - 1 for column in zip(*wide, strict=True)]
    names = [all(number(cell) is None for cell in column) for column in zip(*wide, strict=True)]
    if any(numeric) and any(names):
        raise InputError(f"Column {numeric.index(True) + 1} holds numbers and column {names.index(True) + 1} holds names, so these "
                         "are no plain lists. In a table with a line for each run and feature, name the columns 'run' and "
                         "'feature', and 'value' and 'selector' where there are such.")


def _note_oddities(lines, notes):
    empty = [str(line) for line, tokens in lines if not tokens]
    if empty:
        notes.append(f"Taken as runs that selected nothing: {several(len(empty), 'empty line')} (line "
                     f"{', '.join(empty[:5])}{' and more' if len(empty) > 5 else ''}).")
    for line, tokens in lines:
        twice = [token for token, count in Counter(tokens).items() if count > 1]
        if twice:
            notes.append(f"Line {line} names {shown(twice[0])} more than once; it counts once.")


def universe(lines, features, n_features, notes):
    """(the feature that each token names, all d features)."""
    tokens = {token: line for line, tokens in reversed(lines) for token in tokens}
    numbers = tokens and all(_WHOLE.fullmatch(token) for token in tokens)
    if numbers and not (features and set(tokens) & set(features)):
        return _numbered(tokens, features, n_features, notes)
    if features is None:
        union = sorted(tokens)
        if n_features is not None and n_features < len(union):
            raise InputError(f"The lines name {len(union)} different features, more than the {n_features} there were "
                             "to choose from; correct that number.")
        more = range(1, (n_features or len(union)) - len(union) + 1)
        return {token: token for token in union}, (*union, *(f"(never selected {i})" for i in more))
    allowed = set(features)
    unknown = [token for token in tokens if token not in allowed]
    if unknown:
        line = min(tokens[token] for token in unknown)
        name = next(token for token in unknown if tokens[token] == line)
        raise InputError(f"Line {line} names {shown(name)}, which is not among the {len(features)} features"
                         f"{nearest(name, features)}; correct the name or the list of features.")
    return {token: token for token in tokens}, features


def _numbered(tokens, features, n_features, notes):
    """The same for feature numbers, which count from 0 when a 0 is among them and from 1 otherwise."""
    values = {token: int(token) for token in tokens}
    start = 0 if 0 in values.values() else 1
    d = len(features) if features else n_features
    if d is None:
        universe = tuple(str(value) for value in sorted(set(values.values())))
        return {token: str(value) for token, value in values.items()}, universe
    wrong = [token for token, value in values.items() if value - start >= d]
    if wrong:
        raise InputError(f"Line {tokens[wrong[0]]} names feature number {wrong[0]}, but there are {d} features, "
                         f"numbered {start} to {d - 1 + start}; correct the number or how many features there are.")
    notes.append(f"The numbers were taken as features counted from {start}{'' if start == 0 else ', as no 0 is among them'}.")
    universe = features or tuple(str(i + start) for i in range(d))
    return {token: universe[value - start] for token, value in values.items()}, universe


def lists_as_rows(rows, runs_in=None):
    """(rows with the list of one run each, run names or None, notes) of a grid of feature names with names above its columns.

    rows: a list of (line, cells); where they have no such names, nothing is changed unless runs_in says "columns".
    Raises Question when the columns are only numbered, as R numbers them.
    """
    head, body = rows[0][1], rows[1:]
    short = bool(body) and all(len(cells) == len(head) + 1 for _, cells in body)
    corner = not short and len(head) > 1 and (head[0] == "" or word(head[0]) in RUN)
    names = head[1:] if corner else head
    numbered = len(names) > 1 and all(cell[:1] in "VX" and is_nameless(cell) for cell in names)
    if not body or not names or not (numbered or (len(names) > 1 and all(map(is_run, names)))):
        if runs_in == "columns":
            lists = [(line, [cell for cell in cells if cell]) for line, cells in turned(rows)]
            return lists, None, ["Each column was taken as the list of one run, as was said."]
        return rows, None, []
    if numbered and runs_in is None:
        ask_side(len(body), len(names), ", and the columns are only numbered")
    beside = [cells[0] for _, cells in body] if short or corner else None
    lists = [(line, cells[1:] if beside else cells) for line, cells in body]
    if runs_in == "rows":
        return lists, beside, ["The names above the columns were left aside: each row is the list of one run."]
    if beside and not counts_up(beside):
        raise InputError(f"The columns are runs, but the first column, {listed(beside, 3)}, is neither a run nor the numbers of "
                         "the rows; delete it, or name it like the others.")
    wide = next((line for line, cells in lists if len(cells) > len(names)), None)
    if wide is not None:
        raise InputError(f"Line {wide} has more cells than there are names of runs, {len(names)}; each column is the list of one "
                         "run.")
    columns = [(line, [cell for cell in cells if cell]) for line, cells in turned([(0, names), *lists])]
    return [(line, cells[1:]) for line,
            cells in columns], names, [f"Each column was taken as the list of one run: {len(names)} runs."]
