"""How well the selected features predict held-out rows: scores over runs that share most of their rows."""

from __future__ import annotations

import numpy as np

SCORES = ("accuracy", "balanced_accuracy", "auc")
SCORE_COLUMNS = [*(f"{score}{part}" for score in SCORES for part in ("", "_low", "_high")), "mean_size", "runs", "scored_runs",
                 "auc_runs", "seconds"]


def scored(done, target, n_classes) -> dict:
    """Scores of one selector's finished runs: the mean over runs of the score on the held-out rows, with a 95 % interval.

    Balanced accuracy is the mean over the classes that are held out; AUC is for two classes, in runs that hold out both. A score
    without a run is NaN, an interval needs three runs. Of the `runs` done, `scored_runs` predicted anything and `auc_runs` have
    an AUC.
    """
    predicted = [one for one in done if one.predicted is not None and len(one.predicted)]
    values = np.array([_scores(one, target[one.held_out], n_classes) for one in predicted]).reshape(-1, len(SCORES))
    held_out = np.array([len(one.held_out) for one in predicted])
    row = {}
    for score, of_runs in zip(SCORES, values.T, strict=True):
        known = ~np.isnan(of_runs)
        ratios = held_out[known] / (len(target) - held_out[known])
        row |= dict(zip((score, f"{score}_low", f"{score}_high"), _interval(of_runs[known], ratios), strict=True))
    return row | {"mean_size": float(np.mean([len(one.selected) for one in done])), "runs": len(done),
                  "scored_runs": len(predicted), "auc_runs": int((~np.isnan(values[:, -1])).sum()),
                  "seconds": float(np.mean([one.seconds for one in done]))}


def _scores(one, truth, n_classes):
    hit = one.predicted == truth
    balanced = np.mean([hit[truth == c].mean() for c in np.unique(truth)])
    both = n_classes == 2 and truth.min() < truth.max()
    return hit.mean(), balanced, _auc(one.probability.reshape(-1, 2)[:, 1], truth) if both else np.nan


def _interval(values, ratios):
    """Mean and 95 % interval, mean ± t √((1/M + held out/learned) · variance): runs that share rows are worth fewer than M.

    Source: Nadeau & Bengio 2003, Machine Learning 52:239-281.
    """
    if not len(values):
        return np.nan, np.nan, np.nan
    mean = float(values.mean())
    if len(values) < 3:
        return mean, np.nan, np.nan
    from scipy.special import stdtrit

    half = stdtrit(len(values) - 1, 0.975) * np.sqrt((1 / len(values) + np.mean(ratios)) * values.var(ddof=1))
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def _auc(score, truth) -> float:
    """Chance that a row of class 1 scores above one of class 0, ties counting half."""
    from scipy.stats import rankdata

    positive = truth == 1
    n1, n0 = positive.sum(), (~positive).sum()
    return float((rankdata(score)[positive].sum() - n1 * (n1 + 1) / 2) / (n1 * n0))
