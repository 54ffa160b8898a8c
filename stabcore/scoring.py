"""How well the selected features predict held-out rows: scores over runs that share most of their rows."""

from __future__ import annotations

import numpy as np

SCORES = ("accuracy", "balanced_accuracy", "auc")
SCORE_COLUMNS = [f"{score}{part}" for score in SCORES for part in ("", "_low", "_high")] + ["mean_size", "runs", "seconds"]


def scored(done, target, n_classes) -> dict:
    """Scores of one selector's finished runs."""
    per_run = {score: [] for score in SCORES}
    ratios = []
    for one in done:
        if one.predicted is None or not len(one.predicted):
            continue
        truth = target[one.held_out]
        hit = one.predicted == truth
        per_run["accuracy"].append(hit.mean())
        per_run["balanced_accuracy"].append(np.mean([hit[truth == c].mean() for c in np.unique(truth)]))
        probability = one.probability.reshape(len(truth), n_classes)
        if n_classes == 2 and len(np.unique(truth)) == 2:
            per_run["auc"].append(_auc(probability[:, 1], truth))
        ratios.append(len(truth) / (len(target) - len(truth)))
    row = {}
    for score, values in per_run.items():
        row |= dict(zip((score, f"{score}_low", f"{score}_high"), _interval(np.array(values), ratios)))
    return row | {"mean_size": float(np.mean([len(one.selected) for one in done])), "runs": len(done),
                  "seconds": float(np.mean([one.seconds for one in done]))}


def _interval(values, ratios):
    """Mean and 95 % interval of scores from overlapping resamples (corrected for the overlap)."""
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
