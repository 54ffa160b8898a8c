"""X, y and the patient of each row as one table with named columns, for Dataset.from_frame."""

from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.tables import as_rows
from stabcore.base.target import as_survival
from stabcore.base.text import counted
from stabcore.base.validation import default_names


def joined_table(X: Any, y: Any, groups: Any = None) -> tuple[Any, Any, str | None]:
    """(DataFrame, name of its outcome, name of its patients or None) of features and an outcome.

    X: see Dataset. y, groups: the name of a column of X (or of the obs of AnnData), or the values (n,) of the rows. y may be a time
    to an event, in names or in values: then the outcome has two or three names. Raises InputError for no outcome, another number of
    rows, and more than one column.
    """
    import pandas as pd

    table = as_rows(X)
    if not hasattr(table, "iloc"):
        table = pd.DataFrame(table, columns=list(default_names(table.shape[1])))
    if y is None:
        raise InputError("The outcome is missing. Give y, one value per row, or target=, the name of its column.")
    columns: dict[str, Any] = {}
    _refuse_other_order(X, y)
    for values, what, usual in ((y, "outcome y", "outcome"), (groups, "groups", "patient")):
        if isinstance(values, str) and hasattr(X, "obs") and values in X.obs.columns:
            values = X.obs[values]
        if values is None or isinstance(values, str) or (what == "outcome y" and _are_names(values)):
            columns[usual] = values
            continue
        if what == "outcome y" and (timed := _time_and_event(values, len(table))) is not None:
            names = [_unused_name(name, table.columns) for name in timed]
            added = pd.DataFrame(dict(zip(names, timed.values(), strict=True)), index=table.index)
            table, columns[usual] = pd.concat([table, added], axis=1), tuple(names)
            continue
        name, column = _column(values, what, len(table))
        same = name in table.columns and table[name].reset_index(drop=True).equals(pd.Series(column, name=name))
        if not same:
            name = _unused_name(name or usual, table.columns)
            table = pd.concat([table, pd.Series(column, index=table.index, name=name)], axis=1)
        columns[usual] = name
    return table, columns["outcome"], columns["patient"]


def _are_names(values):
    """Whether an outcome is given by the names of two or three columns."""
    return isinstance(values, (tuple, list)) and len(values) in (2, 3) and all(isinstance(name, str) for name in values)


def _time_and_event(values, n_rows):
    """{"time": (n,), "event": (n,)} of a time to an event, with its own names if it has some. None for other outcomes."""
    if hasattr(values, "columns") and values.shape == (n_rows, 2):  # unchanged: the event may be in words
        return {str(name): values[name].to_numpy() for name in values.columns}
    if (records := as_survival(values, n_rows)) is None:
        return None
    names = getattr(values.dtype, "names", None) or ()
    names = sorted(names, key=lambda name: values.dtype[name].kind == "b") if names else ["time", "event"]
    return dict(zip(names, (records["time"], records["event"].astype(int)), strict=True))


def _column(values, what, n_rows):
    """(name or None, array (n,)) of an array, a Series, or a frame of one column."""
    name = getattr(values, "name", None)
    if hasattr(values, "columns"):
        name = values.columns[0] if len(values.columns) == 1 else None
    column = np.asarray(values)
    column = column[:, 0] if column.ndim == 2 and column.shape[1] == 1 else column
    if column.shape != (n_rows,):
        raise InputError(
            f"The {what} must have one value per row. X has {n_rows} rows, but the {what} has the shape {column.shape}."
        )
    return (name if isinstance(name, str) and name else None), column


def _refuse_other_order(X, y):
    """Raise InputError if the index of y has other rows of X or another order, because values are matched by position."""
    labels: Any = getattr(X, "index", None)
    others: Any = getattr(y, "index", None)
    if not hasattr(labels, "is_unique") or not hasattr(others, "is_unique") or labels.equals(others):  # not of pandas, or equal
        return
    if len(labels) == len(others) and labels.is_unique and set(labels) == set(others):
        raise InputError("X and y have the same row labels in different orders. Give y.loc[X.index].")
    only_in_x, numbered = set(labels) - set(others), list(range(len(labels)))  # numbered: labels that pandas gives by itself
    if 0 < len(only_in_x) < len(labels) == len(others) and labels.is_unique and numbered not in (list(labels), list(others)):
        raise InputError(
            f"X and y have different row labels: y lacks {counted(len(only_in_x), 'row')} of X. Give y.to_numpy() if rows "
            "correspond by position."
        )


def _unused_name(name, names):
    taken = {str(column) for column in names}
    while name in taken:
        name += "_"
    return name
