"""Lists of the features that each run selected, and the list of all available features."""

import re
from collections import Counter

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote, suggest_name
from stabcore.base.validation import add_unselected
from stabcore.io.cells import parse_number
from stabcore.io.choices import Question
from stabcore.io.names import check_names, number_repeated
from stabcore.io.selection_matrix import ask_side_of_runs, transposed
from stabcore.io.selection_source import (
    FEATURE,
    NO_NAMES,
    RUN,
    describe_no_names,
    is_counting,
    is_nameless,
    is_run,
    normal_name,
    open_source,
    token_lines,
)
from stabcore.io.text import split_lines

_WHOLE = re.compile(r"\d{1,9}", re.ASCII)


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
    if numbered and normal_name(head[-1]) in titles and (is_counting(_numbers_of([cells[0] for cells in body])) or len(body) == 1):
        return tuple(dict.fromkeys(cells[1] for cells in body))
    if (
        len(head) == 1 and body and normal_name(head[0]) in titles and all(len(cells) == 1 for cells in body)
    ):  # names may hold blanks
        return tuple(dict.fromkeys(cells[0] for cells in body))
    names = [filled for _, cells in lists if (filled := [cell for cell in cells if cell])]
    if not names or any(len(cells) > 1 for cells in names):
        return None
    names = names[1:] if len(names) > 1 and normal_name(names[0][0]) in titles else names
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
    lines = _without_padding([(line, [name for name in names if name]) for line, names in lines], notes)
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


def _without_padding(lines, notes):
    """The lines without NA and the like, by which R and pandas fill short lists: several times, or at the ends of equal lines."""
    padding = [[name for name in names if name in NO_NAMES] for _, names in lines]
    ends = all(not set(names[: len(names) - len(marks)]) & set(NO_NAMES) for (_, names), marks in zip(lines, padding, strict=True))
    is_equal = ends and len({len(names) for _, names in lines}) == 1 and not all(padding)
    if not any(padding) or not (is_equal or max(map(len, padding)) > 1):
        return lines
    notes.append(describe_no_names(padding))
    return [(line, [name for name in names if name not in NO_NAMES]) for line, names in lines]


def describe_universe(d, is_known):
    """The note on the number of all features."""
    guess = "" if is_known else " (those named here). Correct this number if there were more"
    return f"The chance correction depends on the number of available features, here {d}{guess}."


def _take_run_names(lines, notes):
    first = [tokens[0] if tokens else "" for _, tokens in lines]
    others = [token for _, tokens in lines for token in tokens[1:]]
    counted = is_counting(first) and others and all(parse_number(token) is None for token in others)
    if len(set(first)) == len(first) and (counted or all(map(is_run, first))):
        notes.append("The first name of each line was read as the name of the run.")
        return [(line, tokens[1:]) for line, tokens in lines], tuple(first)
    return lines, tuple(f"run {i + 1}" for i in range(len(lines)))


def _refuse_numbers_among_names(lines):
    """Raise InputError for a column of numbers next to one of names, which is a table, not lists."""
    wide = [tokens for _, tokens in lines if tokens]
    if len({len(tokens) for tokens in wide}) != 1 or len(wide) < 3:
        return
    counts = [sum(parse_number(cell) is not None for cell in column) for column in zip(*wide, strict=True)]
    numeric = [j for j, count in enumerate(counts) if count >= len(wide) - 1]
    if numeric and 0 in counts:
        raise InputError(
            f"Column {numeric[0] + 1} holds numbers and column {counts.index(0) + 1} holds names, so these are not plain lists. In "
            "a table with one line per run and feature, name the columns 'run', 'feature', 'value' and 'selector'."
        )


def _note_oddities(lines, notes):
    if empty := [str(line) for line, tokens in lines if not tokens]:
        where = f"line {', '.join(empty[:5])}{' and more' if len(empty) > 5 else ''}"
        notes.append(f"Read as runs that selected nothing: {counted(len(empty), 'empty line')} ({where}).")
    for line, tokens in lines:
        if twice := [token for token, count in Counter(tokens).items() if count > 1]:
            notes.append(f"Line {line} names {quote(twice[0])} more than once. It counts once.")


def universe(lines, features, n_features, notes):
    """(the feature of each token, all d features)."""
    tokens = {token: line for line, tokens in reversed(lines) for token in tokens}
    numbers = tokens and all(_WHOLE.fullmatch(token) for token in tokens)
    if numbers and not (features and set(tokens) & set(features)):
        return _numbered(tokens, features, n_features, notes)
    if features is None:
        return {token: token for token in tokens}, add_unselected(tokens, n_features)
    allowed = set(features)
    if unknown := [token for token in tokens if token not in allowed]:
        name = min(unknown, key=tokens.__getitem__)
        hint = suggest_name(name, features)
        raise InputError(
            f"{_describe_line(tokens[name])} names {quote(name)}, which is not among the {len(features)} features{hint}. "
            "Correct the name or the list of features."
        )
    return {token: token for token in tokens}, features


def _describe_line(line):
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
            f"{_describe_line(tokens[wrong[0]])} names feature number {wrong[0]}, but there are {d} features, numbered {start} to "
            f"{d - 1 + start}. Correct the number, or the number of features."
        )
    notes.append(f"The numbers were read as features counted from {start}.")
    names = features or tuple(str(i + start) for i in range(d))
    return {token: names[value - start] for token, value in values.items()}, names


def list_rows(rows, runs_in=None):
    """(rows with one list per run, run names or None, notes) of a grid of feature names with headings above its columns.

    rows: a list of (line, cells). Without headings, nothing is changed unless runs_in is "columns". Raises Question if the columns
    only have numbers, as R assigns them.
    """
    head, body = rows[0][1], rows[1:]
    corner = len(head) > 1 and (head[0] == "" or normal_name(head[0]) in RUN)
    names = head[1:] if corner else head
    counted = is_counting(names) and not any(parse_number(cell) is not None for _, cells in body for cell in cells[int(corner) :])
    numbered = counted or (len(names) > 1 and all(cell[:1] in "VX" and is_nameless(cell) for cell in names))
    if not body or not names or not (numbered or (len(names) > 1 and all(map(is_run, names)))):
        if runs_in == "columns":
            lists = [(line, [cell for cell in cells if cell]) for line, cells in transposed(rows)]
            return lists, None, ["Each column was read as the list of one run, as chosen."]
        return rows, None, []
    if numbered and runs_in is None:
        ask_side_of_runs(len(body), len(names), "The columns are only numbered.")
    beside = [cells[0] for _, cells in body] if corner else None
    lists = [(line, cells[1:] if beside else cells) for line, cells in body]
    if runs_in == "rows":
        return lists, beside, ["The names above the columns were ignored. Each row is the list of one run."]
    if beside and not is_counting(beside):
        raise InputError(
            f"The columns are runs, but the first column, {listed(beside, 3)}, is neither a run nor the numbers of the rows. "
            "Delete it, or name it like the others."
        )
    for line, cells in lists:
        if len(cells) > len(names):
            raise InputError(
                f"Line {line} has {len(cells)} cells, but there are {len(names)} runs. Each column must be the list of one run."
            )
    columns = [(line, [cell for cell in cells[1:] if cell]) for line, cells in transposed([(0, names), *lists])]
    return columns, names, [f"Each column was read as the list of one run: {len(names)} runs."]


def read_universe(source, name=None) -> tuple[str, ...]:
    """The names of all available features from a file or text, one per line or all in one line.

    Raises InputError for a table of several columns, and for a repeated name.
    """
    opened = open_source(source, name, "sets")
    lists = token_lines(opened)
    if (names := one_list(opened.rows, lists)) is None:
        filled = [tokens for _, tokens in lists if any(tokens)]
        if len(filled) > 1 and opened.text is not None and not set(opened.text) & set("\t;,|"):
            filled = [[line.strip() for line in split_lines(opened.text) if line.strip()]]  # names with blanks
        if len(filled) > 1:
            raise InputError("The list of all features has lines with several cells. Give one name per line, or all in one line.")
        names = tuple(token for tokens in filled for token in tokens if token)
    return tuple(check_names(list(names)))
