"""Tables of noise in which one feature is a category or has gaps, for the test and the benchmark of what selectors make of it."""

import numpy as np

from stabcore.base.target import TIME
from stabcore.data.feature_table import FeatureTable
from stabcore.selectors.base import MORE, NUMBER, TWO
from stabcore.selectors.catalog import BY_KEY, selector

OUTCOMES = {TWO: 2, MORE: 3, NUMBER: None}
KINDS = ("category", "gaps")
# the variance knows no chance: the units of the numbers alone decide where a category stands; of the estimator the model does
KEYS = [key for key, entry in BY_KEY.items() if key not in ("variance", "estimator", "random") and entry.targets != (TIME,)]


def made(rng, kind, outcome, n, d=20, levels=6, gaps=0.15, follows=0.0):
    """A table and an outcome: numbers, the first feature a category (or a number with gaps) that the outcome follows so much."""
    classes, values, categorical = OUTCOMES[outcome], rng.standard_normal((n, d)), np.zeros(d, dtype=bool)
    if kind == "category":
        values[:, 0], categorical[0] = rng.integers(levels, size=n), True
    signal = follows * rng.permutation(np.linspace(-1.5, 1.5, levels))[values[:, 0].astype(int)] if kind == "category" else 0
    if kind == "gaps":
        values[rng.random(n) < gaps, 0] = np.nan
    target = signal + rng.standard_normal(n)
    if classes:
        target = np.argsort(np.argsort(target)) * classes // n  # classes of equal size
    return FeatureTable(values, categorical, tuple(f"f{j}" for j in range(d))), target


def selected(key, kind, outcome, runs, n, k=5, options=None, **making):
    """(runs, d) whether each feature of a table of its own is among the k selected, in each run. The first is the odd one."""
    found = []
    for run in range(runs):
        rng = np.random.default_rng([run, n, KINDS.index(kind), list(OUTCOMES).index(outcome)])
        table, target = made(rng, kind, outcome, n, **making)
        chosen = selector(key, **(options or {})).fit(table, target, rng=rng, k=k).select(k)
        found.append(np.isin(np.arange(table.n_features), chosen))
    return np.array(found)
