"""What the values of a study's tasks may be: each is checked once, as it is read, before anything uses it."""

from __future__ import annotations

from math import isfinite

import numpy as np

from stabcore.study.contents import of_type
from stabcore.study.opening import Damaged, parsed
from stabcore.study.outcome import ARRAYS

LONGEST_SAID = 1_000_000        # characters of a message, of all warnings of a task
_NEEDED = ("scores", "ranking", "importances", "selected")      # of every task that is done


def read_tasks(names, rows, limits, inflate) -> list[dict]:
    """{name: value} of each row of these columns, every value checked and unpacked. Raises Damaged.

    inflate: see stabcore.study.opening.Inflating
    """
    read = {}
    for name, values in zip(names, zip(*rows) if rows else [()] * len(names), strict=True):
        if name in ARRAYS:
            read[name] = _arrays(name, values, limits, inflate)
        elif name == "warnings":
            read[name] = [_warnings(one) for one in values]
        else:
            _check_column(name, values, limits)
            read[name] = values
    _fit_together(read, limits)
    return [dict(zip(read, row, strict=True)) for row in zip(*read.values(), strict=True)]


def _check_column(name, values, limits):
    kinds, most = {type(one) for one in values}, {"run": limits.runs - 1, "shuffle": limits.shuffles, "redrawn": 10 ** 9,
                                                  "repeat": limits.repeats - 1}
    if name in most:
        fine = kinds <= {int} and min(values, default=0) >= 0 and max(values, default=0) <= most[name]
    elif name in ("selector", "status"):
        fine = kinds <= {str} and set(values) <= (limits.selectors if name == "selector" else {"done", "failed"})
    elif name == "message":
        fine = kinds <= {str} and max(map(len, values), default=0) <= LONGEST_SAID
    else:
        fine = kinds <= {int, float} and all(map(isfinite, values)) and min(values, default=0) >= 0
    if not fine:
        raise Damaged(f"{name} of a task is none that this study can have")


def _warnings(text):
    if text == "[]":
        return ()
    if isinstance(text, str) and len(text) > LONGEST_SAID:
        raise Damaged("the warnings of a task are longer than any")
    sentences = of_type(parsed(text), list, "a list of warnings")
    if {type(one) for one in sentences} - {str}:
        raise Damaged("a warning is no text")
    return tuple(sentences)


def _arrays(name, values, limits, inflate):
    """Arrays of a column, None where there is none; their numbers are looked at all together, which is quicker."""
    kind, most = np.dtype(ARRAYS[name]), limits.longest(name)
    contents = [None if one is None else inflate(one, name, most * kind.itemsize) for one in values]
    if any(one is not None and len(one) % kind.itemsize for one in contents):
        raise Damaged(f"{name} of a task is cut off")
    arrays = [None if one is None else np.frombuffer(one, dtype=kind) for one in contents]
    there, largest = [one for one in arrays if one is not None and len(one)], limits.largest(name)
    if name in ("scores", "ranking", "importances") and {len(one) for one in arrays if one is not None} - {limits.features}:
        raise Damaged(f"{name} of a task are not one a feature")
    if there and largest is not None:
        every = np.concatenate(there)
        if every.min() < 0 or every.max() > largest:
            raise Damaged(f"{name} of a task holds numbers that this study does not have")
    if there and name == "ranking":
        every = np.concatenate(there)
        every = every[~np.isnan(every)]
        if len(every) and not (every.min() >= 1 and every.max() <= limits.features):
            raise Damaged("the ranking of a task has ranks that there are not")
    if there and name == "importances" and not np.isfinite(np.concatenate(there)).all():
        raise Damaged("importances of a task are infinite")
    return arrays


def _fit_together(read, limits):
    """The arrays of each task must fit each other, as far as they were read."""
    done = [one == "done" for one in read.get("status", ())]
    first = [not (a or b) for a, b in zip(read.get("shuffle", [0] * len(done)), read.get("repeat", [0] * len(done)), strict=True)]
    for name in (*_NEEDED, "held_out"):
        if name in read and any(one is None and ended and (original or name != "held_out") for one, ended, original in
                                zip(read[name], done, first, strict=True)):
            raise Damaged(f"{name} of a task that is done is not there")
    _different(read.get("selected", ()))
    _pairs(read, "held_out", "predicted", 1)
    _pairs(read, "predicted", "probability", limits.classes)
    _paths(read)


def _different(arrays):
    """The features that a task selected rise, so that none comes twice."""
    there = [one for one in arrays if one is not None and len(one)]
    if not there:
        return
    every, ends = np.concatenate(there), np.cumsum([len(one) for one in there])[:-1] - 1
    rising = np.diff(every) > 0
    rising[ends] = True
    if not rising.all():
        raise Damaged("a task selected a feature twice")


def _pairs(read, first, second, times):
    """Where there is the second array, it has so many entries for each of the first."""
    if first in read and second in read:
        for one, other in zip(read[first], read[second], strict=True):
            if other is not None and (one is None or len(other) != times * len(one)):
                raise Damaged(f"{second} and {first} of a task do not fit each other")


def _paths(read):
    parts = ("path_starts", "path_sizes", "path_features")
    if not set(parts) <= set(read):
        return
    counted = read.get("path_importances", [None] * len(read["path_starts"]))
    for starts, sizes, features, importances in zip(*(read[name] for name in parts), counted, strict=True):
        if starts is None and sizes is None and features is None and importances is None:
            continue
        if (starts is None or sizes is None or features is None or len(starts) != len(sizes) or sizes.sum() != len(features)
                or importances is not None and len(importances) != len(features) or len(starts) and starts[0] < 1
                or (np.diff(starts) <= 0).any()):
            raise Damaged("the path of a task does not fit together")
