"""Which side the runs are on: what names say is followed and told; where they say nothing, it is asked."""

from __future__ import annotations

from stabcore.io.cells import number
from stabcore.io.question import Question
from stabcore.io.selection_words import FEATURE, RUN, counts_up, is_nameless, is_run, word
from stabcore.errors import InputError
from stabcore.wording import listed

SIDES = {"rows": "Each row is a run", "columns": "Each column is a run"}
MANY, TIMES = 500, 10       # rows, and rows a column, from which on unnamed rows are hardly runs


def turned(rows):
    """Rows and columns swapped; short rows are filled with blanks, also the corner above row names."""
    width = max(len(cells) for _, cells in rows)
    head = rows[0][1]
    short = len(rows) > 1 and all(len(cells) == len(head) + 1 for _, cells in rows[1:])
    full = [["", *head] if short and not i else [*cells, *[""] * (width - len(cells))] for i, (_, cells) in enumerate(rows)]
    return [(j, list(column)) for j, column in enumerate(zip(*full, strict=True), 1)]


def runs_as_rows(rows, runs_in=None):
    """(rows with one run each, notes) of a matrix of numbers, a list of (line, cells), perhaps with names on two sides.

    runs_in: "rows" or "columns" settles it. Raises Question when names say nothing and the shape is not that of runs × features.
    """
    if runs_in is None:
        runs_in = _told(rows)
        notes = ["The columns are named like runs or the rows like features, so each column was taken as a run and each row as a "
                 "feature."]
    else:
        notes = ["Each column was taken as a run, as was said."]
    if runs_in == "columns":
        _refuse_ragged(rows)
        return turned(rows), notes
    return rows, []


def ask(n_rows, n_columns, because):
    """Raise the question which side the runs are on."""
    raise Question(f"There are {n_rows:,} rows and {n_columns:,} columns{because}. Is each row a run and each column a feature, or "
                   "is each column a run?", "runs_in",
                   {"rows": f"Each row is a run: {n_rows:,} runs of {n_columns:,} features",
                    "columns": f"Each column is a run: {n_columns:,} runs of {n_rows:,} features"})


def _told(rows):
    """The side that names and shape tell; raises Question where they do not."""
    if len(rows) < 2:
        return "rows"
    head, body = rows[0][1], rows[1:]
    texts = [cell for cell in (head[1:] or head) if cell]
    header = bool(texts) and sum(number(cell.replace(",", ".")) is None for cell in texts) * 2 > len(texts)
    body = body if header else rows
    side = [cells[0] for _, cells in body]
    short = header and all(len(cells) == len(head) + 1 for _, cells in body)
    corner = "" if short or not header else word(head[0])
    texts_beside = all(cell and number(cell.replace(",", ".")) is None for cell in side)
    named = short or texts_beside or (header and (corner == "" or corner in RUN | FEATURE))
    columns = (head if short or not named else head[1:]) if header else []
    n_rows, n_columns = len(body), len(body[0][1]) - named
    runs_beside = named and (corner in RUN or all(map(is_run, side)))
    features_beside = named and not runs_beside and texts_beside and not all(map(is_nameless, side))
    runs_above = header and all(map(is_run, columns))
    features_above = header and not runs_above and not all(map(is_nameless, columns))
    if runs_above and runs_beside:
        ask(n_rows, n_columns, ", and both are named like runs")
    if runs_above or (named and corner in FEATURE and not runs_beside):
        return "columns"
    if features_beside and header and not features_above:
        ask(n_rows, n_columns, ", the rows have names and the columns have none of their own")
    if runs_beside or (features_above and not features_beside and not (n_rows >= MANY and n_rows >= TIMES * n_columns)):
        return "rows"
    if n_rows > n_columns:
        ask(n_rows, n_columns, ", and the names do not say which are runs")
    return "rows"


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
        ask(len(body), len(names), ", and the columns are only numbered")
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


def _refuse_ragged(rows):
    width = len(rows[-1][1])
    for line, cells in rows[1:]:
        if len(cells) != width:
            raise InputError(f"Line {line} has {len(cells)} cells, but the last line has {width}; to turn the table, every line "
                             "needs the same number of cells.")
