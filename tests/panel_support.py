"""Tables with known true features, and what a filter selects of them in halves or in any other rows, fast."""

import numpy as np

import stabcore as sc
from stabcore.analysis.panel import panel
from stabcore.inference.error_control import BOUNDS
from stabcore.study.results import Results


def drawn(rng, n, d, true, effect):
    """(X, y): d independent features, the first `true` of which differ between two classes of n/2 rows by `effect` deviations."""
    y = np.arange(n) % 2
    return rng.normal(size=(n, d)) + effect * y[:, None] * (np.arange(d) < true), y


def scores(X, y):
    """(d,) |Welch's t| of every feature."""
    one, other = X[y == 1], X[y == 0]
    gap = one.mean(axis=0) - other.mean(axis=0)
    return np.abs(gap) / np.sqrt(one.var(axis=0, ddof=1) / len(one) + other.var(axis=0, ddof=1) / len(other))


def selected(X, y, rows, k):
    """(d,) 0/1: the k features with the largest score in some rows."""
    chosen = np.zeros(X.shape[1], dtype=int)
    chosen[np.argpartition(-scores(X[rows], y[rows]), k)[:k]] = 1
    return chosen


def selections(X, y, plan, k, seed):
    """(M, d) what the filter selects in every run of a plan."""
    return np.array([selected(X, y, plan.resample(run, y, seed).rows, k) for run in range(plan.runs)])


def false_and_bounds(studies, thresholds, n=100, d=205, true=5, effect=1.0, k=12, pairs=25):
    """{threshold: ((S,) false features in the panels of studies with exchangeable noise, {bound: so many at most expected})}"""
    often = np.array([selections(*drawn(np.random.default_rng(seed), n, d, true, effect), sc.Half(pairs), k, seed).mean(axis=0)
                      for seed in range(studies)])
    return {at: ((often[:, true:] >= at - 1e-9).sum(axis=1), {bound: sc.expected_false(k, d, at, pairs, bound) for bound in BOUNDS})
            for at in thresholds}


def covered(seed, runs=50, blocks=40, n=100, d=40, true=8, effect=0.5, k=8):
    """[(frequency over very many runs of a table, does the interval of a panel of few of them hold it)], of every feature shown."""
    rng = np.random.default_rng(seed)
    X, y = drawn(rng, n, d, true, effect)
    Z = selections(X, y, sc.Subsample(runs * blocks, 0.2), k, seed)
    names, pairs, slack = [f"f{i}" for i in range(d)], [], 1 / len(Z)         # all runs together do not tell it better
    often = dict(zip(names, Z.mean(axis=0), strict=True))
    for block in np.split(Z, blocks):
        table = panel(Results({"filter": sc.Preferences.from_selection_matrix(block, names)}), with_places=False)
        pairs += [(often[name], low - slack <= often[name] <= high + slack) for name, low, high in
                  table[["feature", "low", "high"]].itertuples(index=False)]
    return pairs
