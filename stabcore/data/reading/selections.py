"""Reading selections that people have already: 0/1 matrix, importances, scores, ranks, or a set of features a line."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from stabcore.data.reading.files import WORKBOOKS, load, parquet_rows, workbook_rows
from stabcore.data.reading.matrix import looks_like_matrix, read_matrix
from stabcore.data.reading.rows import check_names
from stabcore.data.reading.tables import clean_paste, note_on_separator
from stabcore.data.reading.text import decode, find_separator, records, split_lines
from stabcore.errors import InputError
from stabcore.wording import listed, nearest, several, shown

KINDS = ("selection matrix", "importances", "scores", "ranks", "sets")
MAX_CELLS = 20_000_000
MAX_FEATURES = 10_000_000

_RUN_NAME = re.compile(r"(?:run|fold|resample|iteration|repeat|split|bootstrap|set)[ _.-]*\d+", re.IGNORECASE)
_RUN_LABEL = re.compile(rf"({_RUN_NAME.pattern})\s*:", re.IGNORECASE)
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)


@dataclass(frozen=True, eq=False)
class Selections:
    """What M runs preferred among d features, ready for the constructors of Preferences.

    kind      one of KINDS
    features  the d names
    runs      the M names
    matrix    (M, d) floats, NaN only where a run of kind "scores" or "ranks" left a feature out; None for "sets"
    sets      M tuples of names; None for the other kinds
    notes     what was assumed, one plain sentence each
    """

    kind: str
    features: tuple[str, ...]
    runs: tuple[str, ...]
    matrix: np.ndarray | None
    sets: tuple[tuple[str, ...], ...] | None
    notes: tuple[str, ...]


def read_selections(source, name=None, *, kind=None, features=None, n_features=None) -> Selections:
    """Read the selections of M ≥ 2 runs, one run a row or line.

    source: path, bytes or file-like object, or pasted text (a str is always text). kind: one of KINDS; None detects a
    selection matrix, importances or sets. features, n_features: for sets, the names or the number of all features there
    were to choose from. Raises InputError with the line and column of what is wrong.
    """
    if kind not in (None, *KINDS):
        raise InputError(f"There is no kind {kind!r} of selections; choose one of {listed(KINDS)}.")
    features = None if features is None else tuple(check_names([str(feature) for feature in features]))
    if features and n_features not in (None, len(features)):
        raise InputError(f"{len(features)} feature names were given, but {n_features} as their number; give one of "
                         "them.")
    if n_features is not None and not 1 <= n_features <= MAX_FEATURES:
        raise InputError(f"The number of features was given as {n_features}; it must lie between 1 and {MAX_FEATURES}.")
    text, rows, notes = _open(source, name)
    more = []
    if text is not None and kind != "sets":
        rows, separator = _grid(text, tolerant=kind is None)
        more = [note_on_separator(separator)] if separator not in ("", ",") else []
    filled = [(line, cells) for line, cells in rows or () if any(cells)]
    if sum(len(cells) for _, cells in filled) > MAX_CELLS:
        raise InputError(f"The runs have more than {MAX_CELLS // 10 ** 6} million cells together; leave out features "
                         "that no run selected, or give the selections as sets.")
    if kind == "sets" or (kind is None and not looks_like_matrix(filled)):
        return _sets(_token_lines(text) if text is not None else rows, features, n_features, notes)
    if not filled:
        raise InputError("There is nothing but blank lines; give one run a row.")
    found, names, runs, matrix, assumed = read_matrix(filled, kind, features)
    return Selections(found, names, runs, matrix, None, (*notes, *more, *assumed))


def _open(source, name):
    """(text, None, notes) of what is text, (None, rows of (line, cells), notes) of what has cells already."""
    if isinstance(source, str):
        return clean_paste(source), None, []
    data, name, ending = load(source, name)
    if ending == ".parquet":
        return None, parquet_rows(data, name), []
    if ending in WORKBOOKS:
        rows, first, notes = workbook_rows(data, name)
        if max(map(len, rows)) == 1:
            return "\n" * (first - 1) + "\n".join(row[0] for row in rows), None, notes
        return None, [(line, [cell.strip() for cell in row]) for line, row in enumerate(rows, first)], notes
    text, notes = decode(data)
    return text, None, notes


def _grid(text, tolerant):
    """(rows, separator) of a text; no rows when it cannot be split as a table and may still be a list of sets."""
    separator = find_separator(text, spaces=True)
    try:
        return [(line, [cell.strip() for cell in cells]) for line, cells in records(text, separator)], separator
    except InputError:
        if tolerant:
            return [], ""
        raise


# ---- sets ----

def _token_lines(text):
    """(line, tokens) of every line, empty ones too; one separator for all of them, so that names may hold another."""
    rows = [line.strip().rstrip(",;") for line in split_lines(text)]
    uses = {separator: sum(separator in row for row in rows) for separator in "\t;,|"}
    separator = max(uses, key=uses.get)
    for number, line in enumerate(rows, 1):
        label = _RUN_LABEL.match(line)
        members = line[label.end():].strip() if label else line
        if members[:1] + members[-1:] in ("{}", "[]", "()"):
            members = members[1:-1]
        tokens = _tokens(members, separator, number) if uses[separator] else members.split()
        yield number, [label.group(1), *tokens] if label else tokens


def _tokens(line, separator, number):
    try:
        cells = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error as error:
        raise InputError(f"Line {number} cannot be split into features ({error}); correct its quotation "
                         "marks.") from None
    return [cell.strip().strip("'\"") for cell in cells]


def _sets(lines, features, n_features, notes):
    notes = list(notes)
    lines = [(line, [token for token in tokens if token]) for line, tokens in lines]
    filled = [i for i, (_, tokens) in enumerate(lines) if tokens]
    lines = lines[filled[0]:filled[-1] + 1] if filled else []
    if len(lines) < 2:
        raise InputError(f"Stability compares runs, so at least 2 are needed, one a line; found {len(lines)}.")
    lines, runs = _take_run_names(lines, notes)
    _note_oddities(lines, notes)
    names, universe = _universe(lines, features, n_features, notes)
    sets = tuple(tuple(dict.fromkeys(names[token] for token in tokens)) for _, tokens in lines)
    given = features is not None or n_features is not None
    notes.append(f"Each line was taken as the set of features that one run selected: {len(sets)} runs.")
    notes.append(f"Measures that are 0 for random sets depend on how many features there were to choose from, taken "
                 f"as {len(universe)}{'' if given else ' (those named here); say how many there really were'}.")
    return Selections("sets", universe, runs, None, sets, tuple(notes))


def _take_run_names(lines, notes):
    first = [tokens[0] if tokens else "" for _, tokens in lines]
    if len(set(first)) == len(first) and all(_RUN_NAME.fullmatch(token) for token in first):
        notes.append("The first name of each line was taken as the name of the run.")
        return [(line, tokens[1:]) for line, tokens in lines], tuple(first)
    return lines, tuple(f"run {i + 1}" for i in range(len(lines)))


def _note_oddities(lines, notes):
    empty = [str(line) for line, tokens in lines if not tokens]
    if empty:
        notes.append(f"Taken as runs that selected nothing: {several(len(empty), 'empty line')} (line "
                     f"{', '.join(empty[:5])}{' and more' if len(empty) > 5 else ''}).")
    for line, tokens in lines:
        twice = [token for token, count in Counter(tokens).items() if count > 1]
        if twice:
            notes.append(f"Line {line} names {shown(twice[0])} more than once; it counts once.")


def _universe(lines, features, n_features, notes):
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
    known = set(features)
    unknown = [token for token in tokens if token not in known]
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
    notes.append(f"The numbers were taken as features counted from {start}"
                 f"{'' if start == 0 else ', as no 0 is among them'}.")
    universe = features or tuple(str(i + start) for i in range(d))
    return {token: universe[value - start] for token, value in values.items()}, universe
