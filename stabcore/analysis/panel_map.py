"""Panels at every number of features and every threshold: how many stay, how many may be false, which choice parts them best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.panel import no_bound
from stabcore.errors import InputError
from stabcore.inference.error_control import UNIMODAL, checked_by_shuffles, expected_false
from stabcore.wording import nearest, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.study.results import AnyResult

MOST_SIZES = 40
MOST_COUNTED = 10       # of them, at which shuffles are counted


def panel_map(result: AnyResult, label: str | Sequence[str], sizes: ArrayLike | None = None,
              thresholds: ArrayLike | None = None, bound: str = UNIMODAL) -> pd.DataFrame:
    """DataFrame(k, threshold, stays, false, basis, score), one row for each cardinality and threshold, of selectors that rank.

    stays: features selected in at least `threshold` of the runs, each selecting its k best, mean over the selectors; false: how
    many false ones there are on average over studies, and basis, where that comes from, as in `false_features` for this bound,
    NaN and "" where nothing is known; score: how far the counts of one selector are from those of features that all come back
    alike, H ~ Bin(M, q/d): −log likelihood of how many have H ≥ Mτ, H ≤ M(1 − τ) and between; NaN for τ ≤ ½, and for several
    selectors. A large score says where stable and unstable features part, not that they are true.
    label: the selector, or several; sizes: cardinalities, by default up to 40 from 1 to half of the features; thresholds: shares of
    the runs, 0 to 1; bound: a key of BOUNDS. Raises InputError for a selector that does not rank or is not there.
    Source: Bodinier et al. 2023, JRSS C 72:1375-1393.
    """
    import pandas as pd

    labels = [label] if isinstance(label, str) else list(label)
    ks = default_sizes(result, labels) if sizes is None else np.unique(np.asarray(sizes, dtype=int))
    at = np.round(np.arange(0.5, 1.0001, 0.025), 3) if thresholds is None else np.asarray(thresholds, dtype=float)
    share, mean_size = shares_along(result, labels, ks)
    runs = result.preferences(labels[0])
    M, d = runs.n_runs, runs.n_features
    stays = (share[:, None, :] >= at[None, :, None] - 1e-9).sum(axis=2)
    bounds = np.full(stays.shape, np.nan)
    if len(labels) == 1 and not no_bound(result, 0.75):
        bounds = np.stack([expected_false(min(q, d), d, at, M // 2, bound) for q in mean_size])
    counted = _counted(result, labels, ks, at)
    told = [checked_by_shuffles(*pair) for pair in zip(bounds.ravel(), counted.ravel(), strict=True)]
    score = np.full(stays.shape, np.nan)
    if len(labels) == 1:
        score = np.stack([_calibration(row * M, q / d, M, at) for row, q in zip(share, mean_size, strict=True)])
    k, threshold = np.meshgrid(ks, at, indexing="ij")
    return pd.DataFrame({"k": k.ravel(), "threshold": threshold.ravel(), "stays": stays.ravel(),
                         "false": [number for number, _ in told], "basis": [basis for _, basis in told], "score": score.ravel()})


def _counted(result, labels, ks, at):
    """(K, T) how many features pass each threshold with the outcome shuffled, mean over shuffles; NaN where it was not.

    Counted at MOST_COUNTED of the sizes and that of the study, and straight between them: every shuffle is selected from anew.
    """
    some = ks[np.unique(np.linspace(0, len(ks) - 1, MOST_COUNTED).round().astype(int))]
    some = np.union1d(some, ks[ks == result.n_selected])
    rows = []
    for k in some if result.has_control else ():
        shuffled = result.shuffled_frequencies(labels, int(k))
        rows.append((shuffled[:, None, :] >= at[None, :, None] - 1e-9).sum(axis=2).mean(axis=0) if len(shuffled) else at * np.nan)
    if not rows:
        return np.full((len(ks), len(at)), np.nan)
    return np.stack([np.interp(ks, some, column) for column in np.transpose(rows)], axis=1)


def stability_paths(result: AnyResult, label: str | Sequence[str], features: Sequence[str] | None = None,
                    sizes: ArrayLike | None = None, *, always: Sequence[str] = ()) -> pd.DataFrame:
    """DataFrame(feature, k, frequency): the share of the runs that select each feature when every run selects its k best.

    label: the selector, or several, over which shares are averaged; features: names, by default the twenty most often among the
    first k of any size; sizes: cardinalities; always: names that are added where they are not among these. Raises InputError for a
    selector that does not rank or is not there, and for unknown names. Source: Meinshausen & Bühlmann 2010.
    """
    import pandas as pd

    labels = [label] if isinstance(label, str) else list(label)
    ks = default_sizes(result, labels) if sizes is None else np.unique(np.asarray(sizes, dtype=int))
    share = shares_along(result, labels, ks)[0]
    if features is None:
        features = [result.features[f] for f in np.argsort(-share.mean(axis=0), kind="stable")[:20]]
    features = list(dict.fromkeys([*features, *always]))
    for name in features:
        if name not in result.features:
            raise InputError(f"There is no feature {shown(name)} among the {len(result.features):,} of these runs"
                             f"{nearest(name, result.features)}.")
    index = [result.features.index(name) for name in features]
    return pd.DataFrame({"feature": np.repeat([result.features[f] for f in index], len(ks)), "k": np.tile(ks, len(index)),
                         "frequency": share[:, index].T.ravel()})


def default_sizes(result, labels) -> np.ndarray:
    """Up to MOST_SIZES cardinalities from 1 to half of what all rank, closer together where they are few; and that of the runs."""
    runs = [result.preferences(label) for label in labels]
    most = max(1, min(*(one.n_ranked for one in runs), runs[0].n_features // 2))
    own = 0 if runs[0].selection is None else round(runs[0].sizes.mean())
    sizes = np.round(np.geomspace(1, most, MOST_SIZES)).astype(int)
    return np.unique([*sizes, own] if 1 <= own <= most else sizes)


def shares_along(result, labels, ks):
    """((K, d) share of the runs that select each feature at each cardinality, (K,) mean number selected), means over selectors."""
    along = [_counts_along(result, label, ks) for label in labels]
    return np.mean([counts / M for counts, _, M in along], axis=0), np.mean([sizes for _, sizes, _ in along], axis=0)


def _counts_along(result, label, ks):
    """((K, d) in how many runs each feature is selected at each cardinality, (K,) mean number selected, how many runs)."""
    runs = result.preferences(label)
    if runs.paths is not None:
        each = [result.preferences(label, int(k)) for k in ks]
        return np.stack([one.counts for one in each]), np.array([one.sizes.mean() for one in each]), runs.n_runs
    ranks = runs.ranking()
    steps = np.searchsorted(ks, np.where(np.isnan(ranks), np.inf, ranks))        # the first size at which a run selects a feature
    begun = np.zeros((len(ks) + 1, runs.n_features))
    np.add.at(begun, (steps.ravel(), np.tile(np.arange(runs.n_features), runs.n_runs)), 1)
    counts = np.cumsum(begun[:-1], axis=0)
    return counts, counts.sum(axis=1) / runs.n_runs, runs.n_runs


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
