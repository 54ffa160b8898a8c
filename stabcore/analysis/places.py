"""Places that cannot be told apart: between which places each of the first features may lie, all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.each import chosen_selectors
from stabcore.errors import InputError
from stabcore.inference.comparison import holm
from stabcore.inference.estimate import NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from stabcore.study.results import Results

LEVEL = 0.95
COMPARED = 50           # features at most, every two of which are compared


def places(result: Results, selectors: Sequence[str] | None = None, compared: int = COMPARED) -> pd.DataFrame:
    """DataFrame(feature, place, low, high), one row a feature of the first `compared`: between which places among them it lies.

    place: by the mean importance over the runs, 1 the largest. low = 1 + how many are surely above it, high = as many as are
    compared less how many are surely below it. Surely: the paired t test of the difference of two features' importances over the
    runs, variance times (1/M + ρ/(1 − ρ)), ρ the share of its rows that a run has in common with another (so that it is that of the
    jackknife over patients for folds and parts left out, and of the bootstrap), p by Holm over all pairs, below 5%. So all
    intervals together hold the places by expected importance in 95 of 100 tables; tests/benchmarks/bench_places.py.
    Importances are the weights of one selector; for several, and for one that only ranks, ranks, the mean over selectors, with one
    run more in which the two are level, as ranks that never change have no variance. No rows where the rows of the runs are not
    known, for selectors whose runs differ, and for fewer than three runs. Raises InputError for an unknown label.
    Source: Neuhof & Benjamini 2024, AISTATS, for confident ranks (with n_out/n_in, meant for importances on rows held out, in place
    of ρ/(1 − ρ)); Shao & Wu 1989, Annals of Statistics 17:1176-1197, for the variance of statistics of parts.
    """
    import pandas as pd

    empty = pd.DataFrame({"feature": [], "place": [], "low": [], "high": []})
    labels = chosen_selectors(result, selectors)
    shared, importances = shared_share(result.plan), _importances(result, labels)
    if importances is None or not shared < 1 or len(importances[0]) < 3:
        return empty
    amounts, ranks_only = importances
    first = np.argsort(-amounts.mean(axis=0), kind="stable")[:compared]
    free = len(amounts) / 2 if result.plan.separate_halves else len(amounts) - 1       # both halves of a pair vary as one
    low, high = place_bounds(amounts[:, first], shared, free, ranks_only)
    return pd.DataFrame({"feature": [result.features[f] for f in first], "place": np.arange(1, len(first) + 1), "low": low,
                         "high": high})


def place_bounds(amounts, shared, free, add_level=False, level=LEVEL):
    """((m,) low, (m,) high) places of m features from (M, m) importances in runs that share a part `shared` of their rows.

    free: degrees of freedom of their variance. add_level: one more run in which all are equal, for amounts without variance.
    """
    from scipy.stats import t

    rows = np.vstack([amounts, np.zeros(amounts.shape[1])]) if add_level else amounts
    many = rows.shape[1]
    mean, spread = rows.mean(axis=0), np.cov(rows, rowvar=False).reshape(many, many)
    variance = np.diag(spread)[:, None] + np.diag(spread) - 2 * spread
    gap, scale = mean[:, None] - mean, np.abs(rows).max(initial=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        t_values = gap / np.sqrt(np.maximum(variance, 0) * (1 / len(amounts) + shared / (1 - shared)))
    t_values = np.where(np.sqrt(np.maximum(variance, 0)) <= NOTHING * max(scale, 1e-300), 0.0,
                        t_values)     # never varies: not known
    upper = np.triu_indices(many, 1)
    sure = np.zeros((many, many), dtype=bool)
    sure[upper] = holm(2 * t.sf(np.abs(t_values[upper]), free)) < 1 - level
    sure |= sure.T
    return 1 + (sure & (gap < 0)).sum(axis=1), many - (sure & (gap > 0)).sum(axis=1)


def shared_share(plan) -> float:
    """The share of its rows that a run has in common with another, on average over the pairs of runs; NaN where not known."""
    try:
        return np.nan if plan is None else float(sum(share * weight for share, weight in plan.shared_rows()))
    except InputError:              # an own plan that does not say
        return np.nan


def _importances(result, labels):
    """((M, d) importances, larger is better; are they ranks?) of one selector or several together; None where there are none."""
    runs = [result.preferences(label) for label in labels]
    numbers = [list(result.run_numbers(label)) for label in labels] if result.plan is not None else []
    if not numbers or any(one.ranks is None and one.scores is None for one in runs) or any(own != numbers[0] for own in numbers):
        return None
    if len(runs) == 1 and runs[0].scores is not None and runs[0].weighs and np.isfinite(runs[0].scores).all():
        return runs[0].scores, False
    ranks = [np.where(np.isnan(one), one.shape[1], one) for one in (each.ranking() for each in runs)]
    return -np.mean(ranks, axis=0), True
