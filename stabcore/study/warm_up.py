"""Loading what a task needs before its time is taken: libraries load once a process, and only the first task would pay for it."""

from __future__ import annotations

import warnings
from contextlib import suppress

import numpy as np

from stabcore.classifiers.catalog import OWN

ROWS = 6                # of each class
COLUMNS = 10
_loaded = set()


def load(work, choice):
    """Fit a selector of the catalogue, and the classifier, to a few rows of the study, the first time that a process meets them.

    What comes of it is thrown away: the first trial of a study counted seconds of loading as if every run took them. Somebody's
    own code runs in tasks only.
    """
    mark = choice.key, repr(choice.options), repr(work.settings["classifier"])
    if choice.own is not None or mark in _loaded:
        return
    _loaded.add(mark)
    rows = _few(work.target)
    table, target = work.table.rows(rows).columns(range(min(COLUMNS, work.table.n_features))), work.target[rows]
    with suppress(Exception), warnings.catch_warnings():        # a task will say what is wrong
        warnings.simplefilter("ignore")
        fitted, key = choice.make().fit(table, target, rng=0, k=1), work.settings["classifier"]
        if key != "none" and "classifier" not in work.own:
            (fitted if key == OWN.key else work.learner().fit(table, target, np.random.default_rng(0))).predict(table)


def _few(target):
    """Numbers of the first rows of each class, or of the first rows where the target is a number."""
    if target.dtype.kind == "f":
        return np.arange(min(2 * ROWS, len(target)))
    return np.sort(np.concatenate([np.flatnonzero(target == c)[:ROWS] for c in np.unique(target)]))
