"""How well the selected features predict held-out rows: scores over runs that share most of their rows."""

from __future__ import annotations

from functools import partial

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.comparison import Comparison
from stabcore.inference.effect_sizes import area_under_curve
from stabcore.inference.estimate import deviate
from stabcore.inference.predictions import SCORES
from stabcore.inference.repeated import codes, design_effect, free_of
from stabcore.study.missing_runs import seldom_held_out

SCORE_COLUMNS = [*(f"{score}{part}" for score in SCORES for part in ("", "_low", "_high")), "mean_size", "runs", "scored_runs",
                 "auc_runs", "seconds"]
IN_CENTRE = ("rows", "accuracy", "accuracy_low", "accuracy_high", "auc", "auc_low", "auc_high", "largest")
ROUNDING = 1e-12        # a standard error up to this is none


def scored(done, target, n_classes) -> dict:
    """Scores of one selector's finished runs: the mean over runs of the score on the held-out rows, with a 95% interval.

    Balanced accuracy is the mean over the classes of the share of held-out rows of all runs that is predicted right: a class that
    few runs hold out counts as much as the others, and one that none does leaves it NaN. AUC is for two classes, in runs that hold
    out both. A score without a run is NaN; an interval needs three runs, that of balanced accuracy three with each class. Of the
    `runs` done, `scored_runs` predicted anything and `auc_runs` have an AUC.
    """
    predicted, values, ratios, of_classes = _of_runs(done, target, n_classes)
    row = {}
    for score in SCORES:
        known = ~np.isnan(values[score])
        row |= dict(zip((score, f"{score}_low", f"{score}_high"), _interval(values[score][known], ratios[known]), strict=True))
    if (np.count_nonzero(of_classes, axis=0) < 3).any():
        row |= {"balanced_accuracy_low": np.nan, "balanced_accuracy_high": np.nan}
    return row | {"mean_size": float(np.mean([len(one.selected) for one in done])), "runs": len(done),
                  "scored_runs": len(predicted), "auc_runs": int((~np.isnan(values["auc"])).sum()),
                  "seconds": float(np.mean([one.seconds for one in done]))}


def of_every_selector(tasks, target, classes):
    """DataFrame as StudyResult.accuracy tells it; tasks: [(label, outcomes that measure stability, all that are done)]."""
    import pandas as pd

    rows = [{"selector": label, **scored(done, target, len(classes)), "runs": len(agreeing),
             "accuracy_note": seldom_held_out(done, target, classes),
             "mean_size": float(np.mean([len(one.selected) for one in agreeing]))} for label, agreeing, done in tasks if agreeing]
    return pd.DataFrame(rows, columns=["selector", *SCORE_COLUMNS, "accuracy_note"]).set_index("selector")


def by_run(done, target, n_classes, score="accuracy") -> dict[int, float]:
    """{number of the run, from 1: its score on the rows that it held out} of the runs of one selector that have it."""
    predicted, values, *_ = _of_runs(done, target, n_classes, [score])
    return {one.run + 1: float(value) for one, value in zip(predicted, values[score], strict=True) if not np.isnan(value)}


def compare_scores(first, second, target, n_classes, score="accuracy", level=0.95) -> Comparison:
    """How much better the first selector predicts new patients than the second: paired by run, first − second.

    first, second: outcomes of two selectors; the runs that predicted rows by both count. The interval is that of the mean of the
    runs' differences, ± t √((1/M + held out/learned) · variance), as that of a score alone; p is two-sided. Without three such
    runs, or when the two differ by the same in every run, there is neither, and `reason` says why.
    Source: Nadeau & Bengio 2003, Machine Learning 52:239-281.
    """
    if score not in SCORES:
        raise InputError(f"There is no score {score!r}. Choose one of: {', '.join(SCORES)}.")
    shared = {one.run for one in first if _predicts(one)} & {one.run for one in second if _predicts(one)}
    parts = [_of_runs(sorted((one for one in done if one.run in shared), key=lambda one: one.run), target, n_classes, [score])
             for done in (first, second)]
    difference = parts[0][1][score] - parts[1][1][score]
    known = ~np.isnan(difference)
    difference, ratios = difference[known], parts[0][2][known]
    make = partial(Comparison, score, level=level, n_runs=len(difference))
    if not len(difference):
        return make(np.nan, reason="no run has this score of both")
    mean, se = _spread(difference, ratios)
    rare = score == "balanced_accuracy" and (np.count_nonzero(parts[0][3], axis=0) < 3).any()
    if len(difference) < 3 or rare:
        return make(mean, reason="an interval needs at least 3 runs that predict rows" + (" of each class" if rare else ""))
    if se <= ROUNDING:
        return make(mean, reason="the two differ by the same in every run, which tells nothing about other patients")
    from scipy.special import stdtr

    half = deviate(level, len(difference) - 1) * se
    return make(mean, mean - half, mean + half, se, float(2 * stdtr(len(difference) - 1, -abs(mean) / se)))


def _predicts(one) -> bool:
    return one.predicted is not None and len(one.predicted) > 0


def _of_runs(done, target, n_classes, scores=SCORES):
    """(runs that predicted rows, {score: (runs,)}, held out/learned of each (runs,), rows of each class they hold out)."""
    predicted = [one for one in done if _predicts(one)]
    of_runs = [(one, target[one.held_out]) for one in predicted]
    of_classes = np.array([np.bincount(truth, minlength=n_classes) for _, truth in of_runs]).reshape(len(of_runs), n_classes)
    score_of = {"accuracy": lambda: np.array([np.count_nonzero(one.predicted == truth) / len(truth) for one, truth in of_runs]),
                "balanced_accuracy": lambda: _balanced(of_runs, of_classes),
                "auc": lambda: _aucs(of_runs) if n_classes == 2 else np.full(len(of_runs), np.nan)}
    held_out = np.array([len(one.held_out) for one in predicted])
    return predicted, {score: score_of[score]() for score in scores}, held_out / (len(target) - held_out), of_classes


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
    """Mean and 95% interval, mean ± t √((1/M + held out/learned) · variance): runs that share rows are worth fewer than M.

    Source: Nadeau & Bengio 2003, Machine Learning 52:239-281.
    """
    if not len(values):
        return np.nan, np.nan, np.nan
    mean, se = _spread(values, ratios)
    if len(values) < 3:
        return mean, np.nan, np.nan
    half = deviate(0.95, len(values) - 1) * se
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def _spread(values, ratios):
    """(mean, its standard error for new patients) of the values of runs that share rows; NaN of one run."""
    if len(values) < 2:
        return float(values.mean()), np.nan
    return float(values.mean()), float(np.sqrt((1 / len(values) + ratios.mean()) * values.var(ddof=1)))


def _aucs(of_runs):
    """(runs,) chance that a held-out row of class 1 is thought likelier to be one than a row of class 0, ties counting half.

    NaN where a run holds out one class alone, or knows no probabilities, as a model of one's own may.
    """
    from scipy.stats import rankdata

    areas, of_size = np.full(len(of_runs), np.nan), {}
    for place, (one, truth) in enumerate(of_runs):
        if one.probability is not None:
            of_size.setdefault(len(truth), []).append(place)
    for places in of_size.values():         # all runs of a size at once: each by itself takes ten times as long
        ranks = rankdata([of_runs[place][0].probability.reshape(-1, 2)[:, 1] for place in places], axis=1)
        positive = np.array([of_runs[place][1] == 1 for place in places])
        n1, n0 = positive.sum(axis=1), (~positive).sum(axis=1)
        with np.errstate(invalid="ignore"):
            areas[places] = (np.where(positive, ranks, 0).sum(axis=1) - n1 * (n1 + 1) / 2) / (n1 * n0)
    return areas


def in_centre(task, target, n_classes, patients=None) -> dict:
    """{name of IN_CENTRE: value} of what one run predicted of the rows that it held out. patients: (n,) a number each row."""
    truth, whose = target[task.held_out], None if patients is None else np.asarray(patients)[task.held_out]
    auc = (np.nan, np.nan, np.nan)
    if n_classes == 2 and task.probability is not None and len(task.probability):
        ends = area_under_curve(task.probability.reshape(-1, 2)[:, 1:].astype(float), truth, whose)
        auc = (float(ends[0][0]), float(ends[1][0]), float(ends[2][0]))
    return dict(zip(IN_CENTRE, (len(truth), *share_right(task.predicted == truth, codes(whose)), *auc,
                                float(np.bincount(truth).max() / len(truth))), strict=True))


def share_right(right, of_row=None, level=0.95):
    """(share, low, high) of rows predicted rightly, as if there were n/design effect independent ones.

    of_row: codes of patients of several rows, or None. Source: Wilson 1927, JASA 22:209-212; Kish 1965, Survey Sampling.
    """
    share = right.mean()
    if of_row is not None and not of_row.any():
        return float(share), 0.0, 1.0           # a single patient tells nothing of others
    n = len(right) if of_row is None else len(right) / float(design_effect((right - share)[:, None], of_row)[0])
    z2 = deviate(level, free_of(of_row)) ** 2
    middle, half = (share + z2 / (2 * n)) / (1 + z2 / n), np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return float(share), float(max(middle - half, 0)), float(min(middle + half, 1))
