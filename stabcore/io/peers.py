"""Tables that other programs write about selections: read as runs exactly, or refused with code that writes the runs.

Each of them looks like a matrix or a list of runs, and would be misread. A final model is not a run. A set that was only tried was
not selected. Penalties and models are not runs either. Prints of these programs are in `printed_lists`.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from stabcore.base.errors import InputError
from stabcore.base.text import counted, quote
from stabcore.io.cells import parse_number, parse_number_with_comma
from stabcore.io.contents import Row, refuse_ragged
from stabcore.io.long_table import ONLY_FREQUENCIES, names_in_cell
from stabcore.io.selection_source import COEFFICIENTS, RUN, SELECTOR, is_counting, is_intercept, normal_name


class PeerTable(NamedTuple):
    """Rows of runs, notes, and answers to the questions of a reader: the kind of the numbers, and the meaning of a cell."""

    rows: list[Row]
    notes: list[str]
    kind: str | None = None
    cell_is: str | None = None


def peer_runs(rows: list[Row]) -> PeerTable:
    """Rows, a list of (line, cells), of a table of another program as rows of runs. Other rows are unchanged.

    Raises InputError, with code that writes the runs, for a table that holds none.
    """
    if len(rows) < 2:
        return PeerTable(rows, [])
    head = [normal_name(cell) for cell in rows[0][1]]
    for is_it, sentence in _OTHERS:
        if is_it(head, rows):
            raise InputError(sentence)
    for read in (_chosen_of_mlr3, _lists_with_sizes, _counted_models, _folds_of_nestedcv):
        if (found := read(rows)) is not None:
            return found
    return PeerTable(rows, [])


# ---- tables with runs in them ----

# The titles of a column of lists and of the number of names in each: mlr3fselect, Stabl
_LISTS = {"features": "n features", "fold selected features": "fold nb of features"}
_LEARNER, _TASK, _RESAMPLING = "learner id", "task id", "resampling id"
_EXPERIMENT = "experiment"
UNSELECTED_MISSING = "Features that no model selected are missing in such a table. Give the number of all features."
SIZES_HOLD = "The number of names in each list is that of the column {title}."


def _lists_with_sizes(rows):
    """One line per selected feature, of a table with one list per line and the number of names in it."""
    head = [normal_name(cell) for cell in rows[0][1]]
    title = next((title for title, size in _LISTS.items() if title in head and size in head), None)
    if title is None:
        return None
    place, size = head.index(title), head.index(_LISTS[title])
    runs = [j for j, name in enumerate(head) if name in RUN | {_EXPERIMENT}] or ([0] if head[0] == "" else [])
    learner = next((j for j, name in enumerate(head) if name in SELECTOR), None)
    long, counted, named_runs = [], dict[str, int](), set()
    for line, cells in rows[1:]:
        refuse_ragged(line, len(cells), len(head))
        selector = "" if learner is None else cells[learner]
        counted[selector] = counted.get(selector, 0) + 1
        run = ", ".join(cells[j] for j in runs) or f"run {counted[selector]}"
        if (names := names_in_cell(cells[place], _count(cells[size], line, rows[0][1][size]))) is None:
            raise InputError(
                f"Line {line} holds the list {quote(cells[place])}, which does not have the {cells[size]} names of column "
                f"{quote(rows[0][1][size])}. The list may have been cut. In R, write the table by data.table::fwrite."
            )
        if (run, selector) in named_runs:
            raise InputError(
                f"Line {line} is a second run {quote(run)}{f' of {selector}' if selector else ''}. Give each "
                "ensemble in a separate file."
            )
        named_runs.add((run, selector))
        long += [(line, [run, *([] if learner is None else [selector]), name]) for name in names or [""]]
    columns = ["run", *([] if learner is None else ["selector"]), "feature"]
    return PeerTable([(rows[0][0], columns), *long], [SIZES_HOLD.format(title=quote(rows[0][1][size]))], cell_is="name")


def _count(cell, line, title):
    value = parse_number(cell)
    if value is None or value < 0 or not value.is_integer():
        raise InputError(f"Line {line}, column {quote(title)} holds {quote(cell)}, which is not a number of features.")
    return int(value)


def _chosen_of_mlr3(rows):
    """A matrix of mlr3fselect's extract_inner_fselect_results: one column of TRUE and FALSE per feature, and other columns."""
    head = [normal_name(cell) for cell in rows[0][1]]
    if not {_LEARNER, _RESAMPLING, "iteration"} <= set(head):
        return None
    for line, cells in rows[1:]:
        refuse_ragged(line, len(cells), len(head))
    features = [j for j in range(len(head)) if all(cells[j].casefold() in ("true", "false") for _, cells in rows[1:])]
    if not features:
        return None
    runs, learner = [j for j, name in enumerate(head) if name in RUN | {_EXPERIMENT}], head.index(_LEARNER)
    tasks = {cells[head.index(_TASK)] for _, cells in rows[1:]} if _TASK in head else set()
    body = []
    for line, cells in rows[1:]:
        selector = f"{cells[learner]} of {cells[head.index(_TASK)]}" if len(tasks) > 1 else cells[learner]
        chosen = ["1" if cells[j].casefold() == "true" else "0" for j in features]
        if "n features" in head and _count(cells[head.index("n features")], line, "n_features") != chosen.count("1"):
            raise InputError(
                f"Line {line} has {counted(chosen.count('1'), 'feature')} with TRUE, but its column 'n_features' holds "
                f"{cells[head.index('n features')]}. Write the table again from R."
            )
        body.append((line, [", ".join(cells[j] for j in runs), selector, *chosen]))
    names = [rows[0][1][j] for j in features]
    note = "TRUE was read as selected. Columns of scores and settings were not used."
    return PeerTable([(rows[0][0], ["run", "selector", *names]), *body], [note])


def _counted_models(rows):
    """One row per run, of psfmi's model_stab: different models, and the number of runs that selected each."""
    head = [normal_name(cell) for cell in rows[0][1]]
    if head[-2:] != ["freq", "bif pat perc"]:
        return None
    runs = []
    for line, cells in rows[1:]:
        runs += [(line, cells[head[0] == "" : -2])] * _count(cells[-2], line, "freq")
    names = [name for name in rows[0][1][:-2] if name]
    body = [(line, [f"run {i}", *cells]) for i, (line, cells) in enumerate(runs, 1)]
    note = f"Each model counts as often as its column 'freq' says: {counted(len(body), 'run')} in all."
    return PeerTable([(rows[0][0], ["run", *names]), *body], [note])


def _folds_of_nestedcv(rows):
    """One column per outer fold, of nestedcv's cv_coef, cv_varImp and var_stability, without the final model."""
    head = rows[0][1]
    if len(head) < 4 or head[-1] != "Final" or any(head[:-1]):
        return None
    for line, cells in rows[1:]:
        refuse_ragged(line, len(cells), len(head))
    names = ["feature", *(f"fold {i}" for i in range(1, len(head) - 1))]
    body = [(line, cells[:-1]) for line, cells in rows[1:] if not is_intercept(cells[0])]
    values = _numbers([cells[1:] for _, cells in body])
    flat, kind = [value for row in values for value in row], None
    if flat and min(flat) < 0:
        kind = COEFFICIENTS
    elif flat and min(flat) >= 1 and all(sum(ranks) == len(body) * (len(body) + 1) / 2 for ranks in zip(*values, strict=True)):
        kind = "ranks"
    notes = ["The column 'Final' is the model of all rows, not a run, so it was left out.", UNSELECTED_MISSING]
    return PeerTable([(rows[0][0], names), *body], notes, kind)


def _numbers(cells) -> list[list[float]]:
    """The numbers in rows of cells, no rows if a cell holds none."""
    values = [[value for cell in row if (value := parse_number_with_comma(cell)) is not None] for row in cells]
    return values if [len(row) for row in values] == [len(row) for row in cells] else []


# ---- tables without runs ----

_OF_CARET = (
    RUN | {"", "parameter"} | {"accuracy", "kappa", "rmse", "rsquared", "mae", "roc", "sens", "spec", "logloss", "auc", "prauc"}
)
_PERCENT = re.compile(r"[\d.,]+\s*%")
_OF_STABL = re.compile(r"\{'[^{}]*\}")
MIN_PENALTIES = 8  # steps of an unnamed path, below which a matrix of shares may just be importances
MIN_RISING_SHARE, MIN_NAMED_RISING_SHARE = 0.95, 0.75  # share of the steps along a path that go up, of all that change
ONE_PENALTY = (
    "These are selection frequencies for several penalties, not runs. Keep the column of one penalty, beside the names. Then give "
    "the number of runs."
)


def _is_path(head, rows):
    """Whether a matrix of shares has one row or column per penalty, by their names, or because the shares never go back."""
    body = [cells for _, cells in rows[1:]]
    if len({len(cells) for cells in body}) != 1:
        return False
    if _are_penalties([cells[0] for cells in body]):
        return _is_monotone(_shares([cells[1:] for cells in body]), MIN_NAMED_RISING_SHARE)
    if _are_penalties(rows[0][1][1:]):
        return _is_monotone(list(zip(*_shares([cells[1:] for cells in body]), strict=True)), MIN_NAMED_RISING_SHARE)
    values = _shares([cells for _, cells in rows])
    return any(
        _is_monotone(series, MIN_RISING_SHARE)
        for series in (values, list(zip(*values, strict=True)))
        if len(series) >= MIN_PENALTIES
    )


def _are_penalties(names):
    """Whether these are names of penalties: s0, s1, s2, … of glmnet, or the dict that Stabl writes."""
    return len(names) > 2 and (all(map(_OF_STABL.fullmatch, names)) or list(names) == [f"s{i}" for i in range(len(names))])


def _shares(cells):
    """The numbers in rows of cells if all are from 0 to 1 and some lie between, else no rows."""
    values = _numbers(cells)
    flat = {value for row in values for value in row}
    return values if flat and min(flat) >= 0 and max(flat) <= 1 and not flat <= {0.0, 1.0} else []


def _is_monotone(values, least):
    """Whether nearly all numbers that change from a row to the next grow, or nearly all shrink."""
    steps = [later - earlier for row, after in pairwise(values) for earlier, later in zip(row, after, strict=True)]
    up, down = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
    return up + down >= max(len(values), MIN_PENALTIES) and max(up, down) >= least * (up + down)


def _is_pair_table(head, rows):
    """Whether the rows are named as the columns are, which is a table of pairs."""
    above = [cell for cell in rows[0][1] if cell]
    return len(above) > 2 and [cells[0] for _, cells in rows[1:]] == above and not is_counting(above)


def _has_percentages(head, rows):
    """Whether a column of a narrow table, whose rows have the same width, holds only percentages."""
    body = [cells for _, cells in rows[1:]]
    columns = zip(*body, strict=True) if len(head) < 4 and len(set(map(len, body))) == 1 else ()
    return any(all(map(_PERCENT.fullmatch, column)) for column in columns)


# (a test of the titles in normal form and the rows, the message)
_OTHERS: tuple[tuple[Callable[[list[str], list[Row]], bool], str], ...] = (
    (
        lambda head, rows: {"batch nr", "timestamp"} <= set(head),
        "This is the archive of mlr3fselect: every set that was tried, not only those selected. Write the selected sets: "
        "data.table::fwrite(extract_inner_fselect_results(rr), 'selections.csv').",
    ),
    (
        lambda head, rows: {"mean", "sd", "sem", "frequency"} <= set(head),
        "This is var_stability of nestedcv. Its frequency also counts the final model, which is not a run. Write the "
        "coefficients of the folds: write.csv(cv_coef(fit), 'selections.csv').",
    ),
    (
        lambda head, rows: any(name.endswith("predictors") for name in head) and any(name.endswith("count") for name in head),
        "These are the most frequent models of abe, not all runs. Write the coefficients of all runs: "
        "write.csv(fit$coefficients, 'selections.csv').",
    ),
    (
        lambda head, rows: len(rows) > 2 and all(re.match(r"(?:alpha|tau) = ", cells[0]) for _, cells in rows[1:]),
        "Each line is one setting of abe, with frequencies over all runs. Lines are not runs. Write the coefficients of the runs "
        "of one setting: write.csv(fit$coefficients, 'selections.csv').",
    ),
    (
        lambda head, rows: "max proba" in head,
        "This is the largest frequency of each feature over the penalties of Stabl. No run selected by it. Keep one column of "
        "'STABL scores.csv' instead, beside the names, and give the number of runs.",
    ),
    (
        lambda head, rows: bool(set(head) & RUN) and len(head) > 1 and {name.rpartition("~")[2] for name in head} <= _OF_CARET,
        "This table holds the performance in each resample, not the selected features. In caret, write x$variables of rfe, or "
        "dput(x$variables) of sbf.",
    ),
    (
        _is_pair_table,
        "Rows and columns have the same names, so this is a table of pairs of features. It holds no runs. Write the selection of "
        "each run.",
    ),
    (_is_path, ONE_PENALTY),
    (_has_percentages, ONLY_FREQUENCIES),
)
