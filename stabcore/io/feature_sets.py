"""Groups and sets of features from a file (a table of feature and group, or GMT), and C as pairs of features or as a matrix."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote, suggest_name
from stabcore.base.validation import ROUNDING
from stabcore.io.cells import MISSING_MARKS, parse_number_with_comma
from stabcore.io.choices import Question
from stabcore.io.contents import as_rows, refuse_many_cells, refuse_ragged, trimmed_texts
from stabcore.io.decode import Source, decode, decode_paste, decode_text, load_file
from stabcore.io.names import match_names, name_columns
from stabcore.io.text import split_lines

MAX_MEMBERS = 2_000_000  # over all sets
_GMT_LINE = "Each line of a GMT file is a set: its name, a description (possibly empty) and its members, separated by tabs."
REPEATS = {"join": "Yes: put them into the sets of their name", "apart": "No: leave them out of the sets"}
_NUMBERED = re.compile(r"(.+) \(([2-9]|[1-9]\d{1,3})\)", re.DOTALL)
GMT = (".gmt", ".gmt.gz")


def _groups(source, name):
    """{group: members} of a table with these two columns, in the order of the file.

    Cells are not interpreted: 'Na' is sodium, and '007' is not seven.
    """
    columns = name_columns(decode(source, name))
    texts = dict(zip(map(str.lower, columns.names), trimmed_texts(columns), strict=True))
    if missing := [needed for needed in ("feature", "group") if needed not in texts]:
        raise InputError(f"A list of groups needs the column {missing[0]!r}. The columns are {listed(columns.names)}.")
    groups: dict[str, list[str]] = {}
    for feature, group in zip(texts["feature"], texts["group"], strict=True):
        if feature and group:
            groups.setdefault(group, []).append(feature)
    if not groups:
        raise InputError("No line has both a feature and a group. There is nothing to group.")
    return groups


# ---- sets, which may overlap ----


@dataclass(frozen=True)
class FeatureSets:
    """Sets of features from a file.

    sets         {name: members} with the names of the data, each with at least one feature of the data
    overlapping  whether a feature is in more than one set
    notes        assumptions and ignored parts, one plain sentence each
    """

    sets: dict[str, list[str]]
    overlapping: bool
    notes: tuple[str, ...]


def read_sets(
    source: Source, name: str | None, features: Sequence[str], numbered: Mapping[str, str] | None = None, repeats: str | None = None
) -> FeatureSets:
    """Read sets of features: a GMT file (one line per set: its name, a description, its members), or a table of feature and group.

    features: the d names of the data, matched without regard to capitals, blanks and dots. Other names are counted and ignored.
    numbered: {feature: its name in the table} of repeated names that were numbered, as TP53 (2) of TP53. None: names that look
    numbered. repeats: "join" puts these into the sets of their name, "apart" leaves them out. Raises InputError, with the line, for
    a file of another format, a repeated set, or no name that is a feature. Raises Question if repeats is needed and not given.
    """
    name = name or str(getattr(source, "name", source if isinstance(source, str) else ""))
    if gmt := next((ending for ending in GMT if name.lower().endswith(ending)), None):
        file = load_file(source, name[: -len(gmt)] + gmt.replace("gmt", "txt"))
        sets_in_file, notes = _read_gmt(file.data, features)
    else:
        sets_in_file, notes = _groups(source, name), []
    members = list(dict.fromkeys(member for in_set in sets_in_file.values() for member in in_set))
    there = set(features)
    guessed = looks_numbered(features) if numbered is None else numbered
    repeated = {feature: old for feature, old in guessed.items() if feature in there}
    feature_of = match_names(members, [feature for feature in features if feature not in repeated], once=False)
    feature_of |= {member: member for member in members if member in repeated}
    if not feature_of:
        raise InputError(
            f"None of the {len(members):,} names in the file is a feature here. It names {listed(members, 3)}, but the data name "
            f"{listed(features, 3)}. Use sets with the same kind of names (symbols, or the same identifiers)."
        )
    sets = {
        group: list(dict.fromkeys(feature_of[member] for member in in_set if member in feature_of))
        for group, in_set in sets_in_file.items()
    }
    sharing, more = _features_by_name(repeated, set(feature_of.values()), numbered is None, repeats)
    sets = {group: [feature for name in in_set for feature in (name, *sharing.get(name, ()))] for group, in_set in sets.items()}
    filled = {group: in_set for group, in_set in sets.items() if in_set}
    every = [member for in_set in filled.values() for member in in_set]
    notes = (*notes, *_describe(members, feature_of, sets, features), *more)
    return FeatureSets(filled, len(set(every)) < len(every), notes)


def looks_numbered(features: Iterable[str]) -> dict[str, str]:
    """{feature: name} of features named like a numbered repetition, as TP53 (2) of TP53."""
    there, name_of = set(features), {}
    for feature in features:
        parts = _NUMBERED.fullmatch(feature)
        if parts and parts[1] in there and all(f"{parts[1]} ({i})" in there for i in range(2, int(parts[2]))):
            name_of[feature] = parts[1]
    return name_of


def _features_by_name(repeated, in_sets, guessed, answer):
    """({name: features that share it}, notes) of numbered names that are in no set although their base name is."""
    twins = {feature: name for feature, name in repeated.items() if feature not in in_sets and name in in_sets}
    if not twins:
        return {}, []
    first, name = next(iter(twins.items()))
    count = counted(len(twins), "feature")
    if answer not in REPEATS:
        what = "seem to be repeated names with a number" if guessed else "are repeated names of the table with a number"
        raise Question(
            f"{count}, such as {quote(first)}, {what}. The file can only name {quote(name)}. Do they belong to the same sets? "
            "Lines of one gene are mostly its probes or transcripts, which belong together.",
            "repeats",
            REPEATS,
        )
    if answer == "apart":
        return {}, [f"Left out of the sets of the name that they share, as chosen: {count}, {listed(twins)}."]
    sharing: dict[str, Any] = {}
    for feature, name in twins.items():
        sharing.setdefault(name, []).append(feature)
    return sharing, [f"Put into the sets of the name that they share, as chosen: {count}, {listed(twins)}."]


def _read_gmt(data, features):
    """({set: members}, notes) of the text of a GMT file. A feature in the place of the description is a member."""
    text, notes = decode_text(data)
    sets, total = {}, 0
    lines = [(i, [cell.strip() for cell in line.split("\t")]) for i, line in enumerate(split_lines(text), 1) if line.strip()]
    in_second = match_names([cells[1] for _, cells in lines if len(cells) > 1], features, once=False)
    for number, cells in lines:
        named = len(cells) > 1 and cells[1] in in_second
        if len(cells) < 3 - named or not cells[0]:
            raise InputError(f"Line {number} has {counted(len(cells), 'cell')}. {_GMT_LINE}")
        if cells[0] in sets:
            raise InputError(f"Line {number} names the set {quote(cells[0])} again. Give each set one line.")
        sets[cells[0]] = [cell for cell in cells[2 - named :] if cell]
        total += len(cells) - 2
        if total > MAX_MEMBERS:
            raise InputError(f"The sets have more than {MAX_MEMBERS:,} members in total. Upload only the relevant collection.")
    if not sets:
        raise InputError(f"There are only blank lines. {_GMT_LINE}")
    if in_second:
        count = counted(len(in_second), "name")
        notes.append(f"Read as members, because they are features in the place of a description: {count}, {listed(in_second)}.")
    return sets, notes


def _describe(members, feature_of, sets, features):
    """Notes on names in another spelling, unknown names, and names in no set."""
    yield (
        f"{counted(len(sets), 'set')}: {len(feature_of):,} of their {counted(len(members), 'name')} are features here, "
        f"{len(set(feature_of.values())):,} of {counted(len(set(features)), 'feature')}."
    )
    if renamed := [(old, new) for old, new in feature_of.items() if old != new]:
        example = f"{quote(renamed[0][0])} as {quote(renamed[0][1])}"
        yield f"Found in another spelling (capitals, blanks, dots): {counted(len(renamed), 'name')}, such as {example}."
    if unknown := [member for member in members if member not in feature_of]:
        yield f"Ignored, because they are not features here: {counted(len(unknown), 'name')}, {listed(unknown)}."
    if empty := [group for group, in_set in sets.items() if not in_set]:
        yield f"Ignored, because none of their members is a feature here: {counted(len(empty), 'set')}, {listed(empty)}."


# ---- C: a square matrix, or a list of pairs of features with a value ----

PAIR_COLUMNS = (("feature_a", "feature_b", "value"), ("feature_i", "feature_j", "value"), ("i", "j", "value"))


@dataclass(frozen=True, eq=False)
class FeaturePairs:
    """Pairs of similar features with their similarity.

    first, second  (m,) indices of the two features, the first below the second, each pair once
    values         (m,) in (0, 1]
    notes          assumptions, one plain sentence each
    """

    first: np.ndarray
    second: np.ndarray
    values: np.ndarray
    notes: tuple[str, ...]


def read_pairs(source: Source, name: str | None = None, features: Iterable[str] = ()) -> FeaturePairs:
    """Read C: a square matrix with names on both sides, one side or none, or a list of feature_a, feature_b, value.

    source: .csv, .tsv, .txt (each also .gz), .xlsx, .xls, .ods or .parquet. A str without a name is pasted text. features: the d
    names of the data. Other names in the file are ignored with a note. A pair given once also sets its mirror image, and an absent
    pair is 0. Raises InputError, with line and column, for a cell that is not a number from 0 to 1, a diagonal other than 1, a pair
    with two different values, a matrix that is not square, and if no name is a feature.
    """
    features = [str(feature) for feature in features]
    contents = decode_paste(source) if isinstance(source, str) and name is None else decode(source, name)
    rows = [(line, cells) for line, cells in as_rows(contents) if any(cells)]
    notes = contents.notes
    if not rows:
        raise InputError("There are only blank lines. Give a square matrix, or a list of feature_a, feature_b, value.")
    head = tuple(cell.lower() for cell in rows[0][1])
    if any(set(columns) <= set(head) for columns in PAIR_COLUMNS):
        entries = _list_entries(rows, head)
    elif len(head) == 3 and set(rows[0][1][:2]) <= set(features) and parse_number_with_comma(rows[0][1][2]) is not None:
        entries = _list_entries([(0, list(PAIR_COLUMNS[0])), *rows], PAIR_COLUMNS[0])
        notes.append("The columns have no names. They were read as two features and the value of C.")
    elif len(head) == 3 and len(rows) > 1 and parse_number_with_comma(rows[1][1][0]) is None and rows[1][1][1] in features:
        entries = _list_entries(rows, PAIR_COLUMNS[0])
        notes.append(f"The columns were read as two features and the value of C: {listed(rows[0][1])}.")
    else:
        entries = _matrix_entries(rows, features, notes)
    return _pairs(entries, features, notes)


def _value(cell, place):
    """The value of C in a cell, None when it is empty."""
    if not cell or cell.lower() in MISSING_MARKS:
        return None
    value = parse_number_with_comma(cell)
    if value is None or not -ROUNDING <= value <= 1 + ROUNDING:
        signed = " Use absolute values of correlations." if value is not None and -1 - ROUNDING <= value < 0 else ""
        raise InputError(
            f"{_describe_place(place)} holds {quote(cell)}. C must be a number from 0 (not similar) to 1 (the same).{signed}"
        )
    return min(max(value, 0.0), 1.0)


def _list_entries(rows, head):
    """(feature, other, value, place) of each line of a list. head: the names of its columns."""
    a, b, c = next([head.index(column) for column in columns] for columns in PAIR_COLUMNS if set(columns) <= set(head))
    entries = []
    for line, cells in rows[1:]:
        refuse_ragged(line, len(cells), len(rows[0][1]))
        if not cells[a] or not cells[b]:
            raise InputError(f"Line {line} names only one feature of the pair. Give both, or delete the line.")
        place = line, c + 1
        entries.append((cells[a], cells[b], _value(cells[c], place), place))
    return entries


def _matrix_entries(rows, features, notes):
    """(feature, other, value, place) of the cells of a square matrix, but for pairs that are 0 on both sides."""
    refuse_many_cells(len(rows), max(len(cells) for _, cells in rows))
    names, first = set(features), rows[0][1]
    top = _are_names(first, names)
    body = rows[1:] if top else rows
    side = bool(body) and _are_names([cells[0] for _, cells in body], names)
    n = len(body)
    if not n or any(len(cells) != n + side for _, cells in body):
        line, cells = next(((line, cells) for line, cells in body if len(cells) != n + side), rows[0])
        raise InputError(
            f"C must have one row and one column per feature, but it has {counted(n, 'row')}, and line {line} has "
            f"{counted(len(cells) - side, 'number')}. A list of pairs needs the columns feature_a, feature_b, value."
        )
    columns = first[len(first) - n :] if top else None
    lines = [cells[0] for _, cells in body] if side else columns
    columns = columns or lines
    if columns is None or lines is None:
        if n != len(features):
            raise InputError(
                f"C has no names and is {n} × {n}, but there are {len(features)} features. Add names above its columns."
            )
        lines = columns = features
        notes.append("C has no names, so its rows and columns were read in the order of the features.")
    for side_names, where in ((columns, "column"), (lines, "row")):
        twice = [name for name, count in Counter(side_names).items() if count > 1]
        if twice or "" in side_names:
            what = f"{quote(twice[0])} is repeated" if twice else "one is empty"
            raise InputError(f"Each {where} of C needs a unique name, but {what}.")
    if odd := sorted(set(lines) ^ set(columns)):
        raise InputError(f"Rows and columns of C must name the same features. On one side only: {listed(odd)}.")
    values = _values(body, side)
    relevant = (values != 0) | (values.T != 0 if lines == columns else True) | np.eye(n, dtype=bool)
    places = zip(*(part.tolist() for part in np.nonzero(relevant)), values[relevant].tolist(), strict=True)
    return [(lines[i], columns[j], None if np.isnan(value) else value, (body[i][0], j + 1 + side)) for i, j, value in places]


def _values(body, side):
    """(n, n) values of C, NaN where a cell is empty."""
    try:
        values = np.array([cells[side:] for _, cells in body], dtype=float)
        if ((values >= 0) & (values <= 1)).all():
            return values
    except ValueError:
        pass
    return np.array(
        [[_value(cell, (line, j)) for j, cell in enumerate(cells[side:], 1 + side)] for line, cells in body], dtype=float
    )


def _are_names(cells, features):
    """Whether a line of cells is names: they are features, or not numbers."""
    cells = [cell for cell in cells if cell]
    named = sum(cell in features or (parse_number_with_comma(cell) is None and cell.lower() not in MISSING_MARKS) for cell in cells)
    return named * 2 > len(cells)


def _pairs(entries, features, notes):
    if not entries:
        raise InputError("There are column names, but no pair of features follows.")
    position = {name: i for i, name in enumerate(features)}
    entered: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {}
    named: dict[str, None] = {}
    for feature, other, value, place in entries:  # place: line and column
        named.update({feature: None, other: None})
        if value is None or feature not in position or other not in position:
            continue
        if feature == other:
            if abs(value - 1) > ROUNDING:
                raise InputError(
                    f"{_describe_place(place)} is {value:g} for {quote(feature)} with itself. The diagonal of C is always 1."
                )
            continue
        i, j = sorted((position[feature], position[other]))
        before, where = entered.setdefault((i, j), (value, place))
        if abs(before - value) > ROUNDING:
            raise InputError(
                f"{_describe_place(place)} is {value:g} for {quote(feature)} and {quote(other)}, {_describe_place(where).lower()} "
                f"is {before:g} for the same pair. C is symmetric, so both must be equal."
            )
    unknown_names = [f"{quote(name)}{suggest_name(name, features)}" for name in named if name not in position]
    more = f" and {len(unknown_names) - 5} more" if len(unknown_names) > 5 else ""
    unknown = ", ".join(unknown_names[:5]) + more
    if not named.keys() & position.keys():
        raise InputError(f"None of the names in C is a feature of the data: {unknown}.")
    if unknown:
        notes.append(f"Ignored, because they are not features of the data: {unknown}.")
    if alone := [name for name in features if name not in named]:
        notes.append(f"Not in C, and so not similar to any other feature: {counted(len(alone), 'feature')}, {listed(alone)}.")
    positive = {pair: value for pair, (value, _) in entered.items() if value > 0}
    notes.append(f"{counted(len(positive), 'pair')} of features are similar.")
    first, second = np.array(list(positive), dtype=np.int64).reshape(-1, 2).T
    return FeaturePairs(first, second, np.array(list(positive.values()), dtype=float), tuple(notes))


def _describe_place(place):
    return f"Line {place[0]}, column {place[1]}"
