"""Tables with known true features, and fast selections of a filter in halves or other rows."""

from functools import lru_cache

import numpy as np

import stabcore as sc
from stabcore.analysis.panel import panel
from stabcore.inference.error_bounds import BOUNDS
from stabcore.study.results import Results

DRAWS = 50  # number of stored draws of rows, whereas tables are always new
EFFECTS = np.r_[np.linspace(1.6, 0, 20), np.zeros(80)]  # features selected always, often, sometimes and rarely


def drawn(rng, n, d, true, effect, shared=0.0):
    """Return (X, y) of d features, the first `true` of which differ between two classes of n/2 rows by `effect` deviations.

    effect: one for all, or one each. shared: correlation of all pairs of features within classes, which stay exchangeable.
    """
    y = np.arange(n) % 2
    X = np.sqrt(1 - shared) * rng.normal(size=(n, d)) + np.sqrt(shared) * rng.normal(size=(n, 1))
    return X + effect * y[:, None] * (np.arange(d) < true), y


@lru_cache(maxsize=200)
def rows_of(plan, n, seed):
    """Return (M, n) counts of each row in each run."""
    rows = [plan.resample(run, np.arange(n) % 2, seed).rows for run in range(plan.n_runs)]
    return np.stack([np.bincount(row, minlength=n) for row in rows]).astype(np.float32)


def ranks(X, y, rows):
    """(M, d) rank of every feature by |Welch's t| in every run, 0 the largest. rows: as rows_of gives them."""
    X = X.astype(np.float32)
    (m1, v1), (m0, v0) = (_moments(X, rows * (y == label)) for label in (1, 0))
    order = np.argsort(-np.abs(m1 - m0) / np.sqrt(v1 + v0), axis=1)
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(X.shape[1])[None], axis=1)
    return places


def _moments(X, rows):
    """((M, d) mean, (M, d) its squared error) of the features over the rows of each run."""
    n = rows.sum(axis=1)[:, None]
    mean = rows @ X / n
    return mean, (rows @ (X * X) - n * mean**2) / (n - 1) / n


def false_and_bounds(studies, thresholds, ks=(12,), n=100, d=205, true=5, effect=1.0, pairs=25, shared=0.0):
    """{(k, threshold): ((S,) numbers of false features in panels with exchangeable noise, {bound: limit of their mean})}."""
    plan, often = sc.ComplementaryPairs(pairs), []
    for seed in range(studies):
        X, y = drawn(np.random.default_rng(seed), n, d, true, effect, shared)
        places = ranks(X, y, rows_of(plan, n, seed % DRAWS))
        often.append([(places[:, true:] < k).mean(axis=0) for k in ks])
    often = np.array(often)
    return {
        (k, threshold): (
            (often[:, i] >= threshold - 1e-9).sum(axis=1),
            {bound: sc.pfer_bound(k, d, threshold, pairs, bound) for bound in BOUNDS},
        )
        for i, k in enumerate(ks)
        for threshold in thresholds
    }


def covered(plan, seed, blocks=40, n=100, k=8):
    """Return (F, 2) for rows of panels: frequency over very many runs, and whether the interval from few runs covers it.

    plan: a class and its number of runs. `blocks` times as many are made.
    """
    make, runs = plan
    X, y = drawn(np.random.default_rng(seed), n, len(EFFECTS), len(EFFECTS), EFFECTS)
    Z = ranks(X, y, rows_of(make(runs * blocks), n, 0)) < k
    names = [f"f{i}" for i in range(len(EFFECTS))]
    often, judged = dict(zip(names, Z.mean(axis=0), strict=True)), []
    for block in np.split(Z.astype(int), blocks):
        table = panel(Results({"filter": sc.Selections.from_matrix(block, names)}), with_substitutes=False)
        judged += [
            (often[name], low - 1e-9 <= often[name] <= high + 1e-9)
            for name, low, high in table[["feature", "low", "high"]].itertuples(index=False)
        ]
    return np.array(judged, dtype=float)
