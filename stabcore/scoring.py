"""How well the selected features predict held-out rows: scores over runs that share most of their rows."""

from __future__ import annotations

import numpy as np

SCORES = ("accuracy", "balanced_accuracy", "auc")
SCORE_COLUMNS = [*(f"{score}{part}" for score in SCORES for part in ("", "_low", "_high")), "mean_size", "runs", "scored_runs",
                 "auc_runs", "seconds"]


def scored(done, target, n_classes) -> dict:
    """Scores of one selector's finished runs: the mean over runs of the score on the held-out rows, with a 95 % interval.

    Balanced accuracy is the mean over the classes of the share of held-out rows of all runs that is predicted right: a class that
    few runs hold out counts as much as the others, and one that none does leaves it NaN. AUC is for two classes, in runs that hold
    out both. A score without a run is NaN; an interval needs three runs, that of balanced accuracy three with each class. Of the
    `runs` done, `scored_runs` predicted anything and `auc_runs` have an AUC.
    """
    predicted = [one for one in done if one.predicted is not None and len(one.predicted)]
    of_runs = [(one, target[one.held_out]) for one in predicted]
    of_classes = np.array([np.bincount(truth, minlength=n_classes) for _, truth in of_runs]).reshape(len(of_runs), n_classes)
    values = {"accuracy": np.array([np.mean(one.predicted == truth) for one, truth in of_runs]),
              "balanced_accuracy": _balanced(of_runs, of_classes),
              "auc": np.array([_auc(one, truth) if n_classes == 2 else np.nan for one, truth in of_runs])}
    held_out = np.array([len(one.held_out) for one in predicted])
    row = {}
    for score in SCORES:
        known = ~np.isnan(values[score])
        ratios = held_out[known] / (len(target) - held_out[known])
        row |= dict(zip((score, f"{score}_low", f"{score}_high"), _interval(values[score][known], ratios), strict=True))
    if (np.count_nonzero(of_classes, axis=0) < 3).any():
        row |= {"balanced_accuracy_low": np.nan, "balanced_accuracy_high": np.nan}
    return row | {"mean_size": float(np.mean([len(one.selected) for one in done])), "runs": len(done),
                  "scored_runs": len(predicted), "auc_runs": int((~np.isnan(values["auc"])).sum()),
                  "seconds": float(np.mean([one.seconds for one in done]))}


def _balanced(of_runs, held):
    """(runs,) what each run says of balanced accuracy: these move as the runs do, and their mean is the value over all runs.

    held: (runs, classes) how many rows of each class a run holds out. Where that is the same for every run, this is each run's own
    balanced accuracy; else the ratio of sums, linearised.
    """
    if not len(held) or not held.sum(axis=0).all():
        return np.full(len(held), np.nan)
    right = np.array([np.bincount(truth[one.predicted == truth], minlength=held.shape[1]) for one, truth in of_runs])
    share = right.sum(axis=0) / held.sum(axis=0)
    return (share + (right - share * held) / held.mean(axis=0)).mean(axis=1)


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


def _auc(one, truth) -> float:
    """Chance that a held-out row of class 1 is thought likelier to be one than a row of class 0, ties counting half."""
    from scipy.stats import rankdata

    positive = truth == 1
    n1, n0 = positive.sum(), (~positive).sum()
    if not n1 or not n0:
        return np.nan
    score = one.probability.reshape(-1, 2)[:, 1]
    return float((rankdata(score)[positive].sum() - n1 * (n1 + 1) / 2) / (n1 * n0))
