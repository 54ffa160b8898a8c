"""What every selector does: check the input once, rank by score with seeded ties, choose the best k."""

from __future__ import annotations

import operator
from dataclasses import field

import numpy as np

from stabcore.errors import InputError
from stabcore.table import Table, as_table
from stabcore.words import listed


class Selector:
    """A feature selector. A subclass is a dataclass of its options and gives `_score`; nothing else is asked of it.

    After `fit`: `scores_` (d,) higher is better, NaN where not ranked; `ranking_` (d,) 1 = best, ties in random order,
    NaN where not ranked; `importances_` (d,) at least 0; `warnings_` sentences about this fit.
    """

    def fit(self, X, y, *, rng=None, k=None):
        """Score the features of X (Table, array or DataFrame, n × d) for the class labels y (n,).

        rng: seed or numpy Generator, for ties and for selectors that draw. k: rank at least so many features.
        Raises InputError for a target of the wrong length, with gaps or with one class, and for k below 1.
        """
        table = as_table(X)
        codes, _ = class_codes(y, table.n_rows)
        if table.n_features == 0:
            raise InputError("The table has no features; a selector needs at least one column.")
        k = None if k is None else whole(k, "k")
        rng = np.random.default_rng(rng)
        self.warnings_ = uninformative(table)
        self.scores_, self.importances_ = self._score(table, codes, rng, k)
        self.ranking_ = ranking(self.scores_, rng)
        return self

    def select(self, k):
        """Sorted indices of the k best features; fewer when fewer are ranked. Raises InputError for k below 1."""
        k = whole(k, "k")
        return np.flatnonzero(self.ranking_ <= k)

    def _score(self, table: Table, codes, rng, k):
        """(scores, importances), (d,) each; codes are class numbers 0 … C − 1. May add to `warnings_`."""
        raise NotImplementedError


def option(default, meaning):
    """A field of a selector's dataclass: an option with its default and its meaning in plain words."""
    return field(default=default, metadata={"meaning": meaning})


def ranking(scores, rng) -> np.ndarray:
    """Ranks (d,) of scores, 1 = highest, equal scores in an order drawn from rng; NaN stays NaN."""
    order = np.lexsort((rng.permutation(len(scores)), -scores))  # NaN sorts last
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    ranks[np.isnan(scores)] = np.nan
    return ranks


def class_codes(y, n_rows) -> tuple[np.ndarray, np.ndarray]:
    """Class numbers (n,) in 0 … C − 1 of any labels, and the labels (C,) in sorted order.

    Raises InputError for a wrong length, gaps, or fewer than two classes.
    """
    labels = np.asarray(y)
    if labels.shape != (n_rows,):
        raise InputError(f"The target must be one value a row: the features have {n_rows} rows, "
                         f"the target has the shape {labels.shape}.")
    gaps = _gaps(labels)
    if gaps.any():
        raise InputError(f"The target is missing in {gaps.sum()} of {n_rows} rows; leave these rows out first.")
    found, codes = np.unique(labels.astype(str) if labels.dtype == object else labels, return_inverse=True)
    if len(found) < 2:
        raise InputError(f"The target has one class only ({listed(found)}); selecting features needs at least two.")
    return codes, found


def _gaps(labels):
    if labels.dtype == object:
        import pandas

        return pandas.isna(labels)
    return np.isnan(labels) if labels.dtype.kind in "fcmM" else np.zeros(labels.shape, dtype=bool)


def whole(value, name, low=1, high=None) -> int:
    """The value as an int; InputError unless it is a whole number of at least `low` and at most `high`."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        allowed = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise InputError(f"{name} must be a whole number {allowed}; found {value!r}.")
    return number


def prefix_length(length, k, n_features) -> int:
    """How many features a prefix builder ranks: `length` (by default 200), at least k, at most all."""
    return min(max(length or 200, k or 1), n_features)


def uninformative(table: Table) -> list[str]:
    """One sentence for the features without any value, one for those with a single value everywhere."""
    low, high = np.fmin.reduce(table.values, axis=0), np.fmax.reduce(table.values, axis=0)
    empty, constant = np.isnan(low), (low == high) & ~table.missing.any(axis=0)
    found = [("No value in any of these rows", empty), ("The same value in all of these rows", constant)]
    return [f"{what}: {listed([table.features[f] for f in np.flatnonzero(which)])}."
            for what, which in found if which.any()]
