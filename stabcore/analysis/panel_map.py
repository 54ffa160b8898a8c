"""Panels at every number of features and every threshold: how many stay, how many may be false, which choice parts them best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.panel import no_bound
from stabcore.errors import InputError
from stabcore.inference.error_control import UNIMODAL, expected_false
from stabcore.wording import nearest, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.study.results import Results

MOST_SIZES = 40


def panel_map(result: Results, label: str, sizes: ArrayLike | None = None, thresholds: ArrayLike | None = None,
              bound: str = UNIMODAL) -> pd.DataFrame:
    """DataFrame(k, threshold, stays, false, score), one row a cardinality and a threshold, of one selector that ranks.

    stays: features selected in at least `threshold` of the runs, each selecting its k best; false: the bound on how many false ones
    there are on average over studies (see inference.error_control.expected_false), NaN where there is none; score: how far the
    counts are from those of features that all come back alike, H ~ Bin(M, q/d): −log likelihood of how many have H ≥ Mτ,
    H ≤ M(1 − τ) and between. The best choice has the largest score; NaN for τ ≤ ½. It says where stable and unstable features part,
    not that they are true.
    label: the selector; sizes: cardinalities, by default up to 40 from 1 to half of the features; thresholds: shares of the runs,
    0 to 1; bound: a key of BOUNDS. Raises InputError for a selector that does not rank or is not there.
    Source: Bodinier et al. 2023, JRSS C 72:1375-1393.
    """
    import pandas as pd

    runs = result.preferences(label)
    ks = default_sizes(runs) if sizes is None else np.unique(np.asarray(sizes, dtype=int))
    at = np.round(np.arange(0.5, 1.0001, 0.025), 3) if thresholds is None else np.asarray(thresholds, dtype=float)
    counts, mean_size = counts_along(result, label, ks)
    M, d = runs.n_runs, runs.n_features
    stays = (counts[:, None, :] >= M * at[None, :, None] - 1e-9).sum(axis=2)
    if no_bound(result, 0.75):
        false = np.full(stays.shape, np.nan)
    else:
        false = np.stack([expected_false(min(q, d), d, at, M // 2, bound) for q in mean_size])
    score = np.stack([_calibration(row, q / d, M, at) for row, q in zip(counts, mean_size, strict=True)])
    k, threshold = np.meshgrid(ks, at, indexing="ij")
    return pd.DataFrame({"k": k.ravel(), "threshold": threshold.ravel(), "stays": stays.ravel(), "false": false.ravel(),
                         "score": score.ravel()})


def stability_paths(result: Results, label: str, features: Sequence[str] | None = None,
                    sizes: ArrayLike | None = None) -> pd.DataFrame:
    """DataFrame(feature, k, frequency): the share of the runs that select each feature when every run selects its k best.

    label: the selector; features: names, by default the twenty most often among the first k of any size; sizes: cardinalities.
    Raises InputError for a selector that does not rank or is not there, and for unknown names. Source: Meinshausen & Bühlmann 2010.
    """
    import pandas as pd

    runs = result.preferences(label)
    ks = default_sizes(runs) if sizes is None else np.unique(np.asarray(sizes, dtype=int))
    share = counts_along(result, label, ks)[0] / runs.n_runs
    if features is None:
        features = [result.features[f] for f in np.argsort(-share.mean(axis=0), kind="stable")[:20]]
    for name in features:
        if name not in result.features:
            raise InputError(f"There is no feature {shown(name)} among the {len(result.features):,} of these runs"
                             f"{nearest(name, result.features)}.")
    index = [result.features.index(name) for name in features]
    return pd.DataFrame({"feature": np.repeat([result.features[f] for f in index], len(ks)), "k": np.tile(ks, len(index)),
                         "frequency": share[:, index].T.ravel()})


def default_sizes(runs) -> np.ndarray:
    """Up to MOST_SIZES cardinalities from 1 to half of what is ranked, closer together where they are few; and that of the runs."""
    most = max(1, min(runs.n_ranked, runs.n_features // 2))
    own = 0 if runs.selection is None else round(runs.sizes.mean())
    sizes = np.round(np.geomspace(1, most, MOST_SIZES)).astype(int)
    return np.unique([*sizes, own] if 1 <= own <= most else sizes)


def counts_along(result, label, ks):
    """((K, d) in how many runs each feature is selected at each cardinality, (K,) mean number selected)."""
    runs = result.preferences(label)
    if runs.paths is not None:
        each = [result.preferences(label, int(k)) for k in ks]
        return np.stack([one.counts for one in each]), np.array([one.sizes.mean() for one in each])
    ranks = runs.ranking()
    steps = np.searchsorted(ks, np.where(np.isnan(ranks), np.inf, ranks))        # the first size at which a run selects a feature
    begun = np.zeros((len(ks) + 1, runs.n_features))
    np.add.at(begun, (steps.ravel(), np.tile(np.arange(runs.n_features), runs.n_runs)), 1)
    counts = np.cumsum(begun[:-1], axis=0)
    return counts, counts.sum(axis=1) / runs.n_runs


def _calibration(counts, share, M, thresholds):
    """(T,) −log likelihood under Bin(M, share) of how many features come often, seldom and between."""
    from scipy.stats import binom

    scores = np.full(len(thresholds), np.nan)
    for t, threshold in enumerate(thresholds):
        if not threshold > 0.5:
            continue
        often, seldom = np.ceil(M * threshold - 1e-9), np.floor(M * (1 - threshold) + 1e-9)
        in_each = np.array([(counts >= often).sum(), (counts <= seldom).sum(), 0.0])
        in_each[2] = len(counts) - in_each.sum()
        logs = np.array([binom.logsf(often - 1, M, share), binom.logcdf(seldom, M, share), -np.inf])
        between = -np.expm1(np.logaddexp(logs[0], logs[1]))
        logs[2] = np.log(between) if between > 0 else -np.inf
        scores[t] = -(np.where(in_each > 0, in_each * np.where(np.isfinite(logs), logs, 0), 0)).sum()
    return scores
