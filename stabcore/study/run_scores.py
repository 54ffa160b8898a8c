"""Scores of each run on its held-out rows, the influence of each row on them, and intervals of their means for new tables."""

from __future__ import annotations

import numpy as np

from stabcore.base.target import has_classes
from stabcore.inference.effect_sizes import rank_correlation_contributions
from stabcore.inference.estimate import critical_value
from stabcore.inference.predictions import BY_CLASS, CONCORDANCES, SCORES, VARIANCE_RATIO, placements, variance_of_influence
from stabcore.study.task_result import required_array
from stabcore.survival.concordance import (
    HARRELL,
    UNO,
    brier_losses,
    censoring_curve,
    concordance_influence,
    evaluation_times,
    kaplan_meier,
)

BRIER = "brier"
R2, MAE, SPEARMAN = "r2", "mae", "spearman"
LIMITS = {  # of each score
    **dict.fromkeys(SCORES, (0.0, 1.0)),
    **{HARRELL: (0.0, 1.0), UNO: (0.0, 1.0), BRIER: (0.0, np.inf)},
    **{R2: (-np.inf, 1.0), MAE: (0.0, np.inf), SPEARMAN: (-1.0, 1.0)},
}
TIMED_SCORES, NUMERIC_SCORES = (HARRELL, UNO, BRIER), (R2, MAE, SPEARMAN)
SHARES = ("accuracy", "balanced_accuracy")  # shares of correct predictions
INDEPENDENT_VARIANCE, SHARE_VARIANCE = (
    0.6,
    0.3,
)  # held out/learned from which on patients count as independent: of scores, and of shares
PAIRED_VARIANCE = 2.5  # ratio of the variance of a difference of two scores to that with fixed predictions, by simulation
MIN_RUNS = 3  # smallest number of runs for an interval
MIN_OF_CLASS = 10  # smallest number of patients of every class for one of balanced accuracy or the AUC: with 5 to 8, 75 to 99% held
ROUNDING = 1e-12  # standard errors up to this count as zero


def predicting_tasks(done, target) -> list:
    """The tasks with predictions of held-out rows: of classes, or of risks and numbers."""
    part = "predicted" if has_classes(target) else "probability"
    return [task for task in done if getattr(task, part) is not None and len(getattr(task, part))]


def scores_by_run(done, target, score) -> tuple[np.ndarray, np.ndarray]:
    """((runs,) score of each run with predictions, NaN if undefined, (runs, n) influence of each held-out row on it).

    Balanced accuracy and R² are ratios of sums over all runs, because a run may hold out few rows, or one class only. The score of
    a run is then its part of the linearised ratio, and the mean over runs is the ratio. Influences are relative to the mean over
    runs, so that a run with a single row (or a single row of a class) has them, too.
    """
    if score in (*CONCORDANCES, BRIER):
        return _survival_scores(done, target, score)
    if has_classes(target):
        return _balanced_scores(done, target) if score == "balanced_accuracy" else _class_scores(done, target, score)
    return _explained_variances(done, target) if score == R2 else _number_scores(done, target, score)


def _class_scores(done, target, score):
    """Accuracy, or the area under the curve. The latter is NaN for more than two classes."""
    values, rows = np.full(len(done), np.nan), np.zeros((len(done), len(target)))
    if score == "auc" and target.max(initial=0) > 1:
        return values, rows
    parts = []
    for number, task in enumerate(done):
        truth = target[task.held_out]
        of_row = placements(task, target) if score == "auc" else (task.predicted == truth).astype(float)
        if of_row is not None:
            values[number] = of_row[truth == 1].mean() if score == "auc" else of_row.mean()
            among = np.bincount(truth, minlength=2)[truth] if score == "auc" else len(truth)
            parts.append((number, task.held_out, of_row, among))
    mean = np.nanmean(values) if np.isfinite(values).any() else np.nan
    for number, held_out, of_row, among in parts:
        rows[number, held_out] = (of_row - mean) / among
    return values, rows


def _balanced_scores(done, target):
    n_classes, rows = int(target.max(initial=0)) + 1, np.zeros((len(done), len(target)))
    held = np.array([np.bincount(target[task.held_out], minlength=n_classes) for task in done]).reshape(-1, n_classes)
    if not len(done) or not held.sum(axis=0).all():
        return np.full(len(done), np.nan), rows
    right = [
        np.bincount(target[task.held_out], weights=task.predicted == target[task.held_out], minlength=n_classes) for task in done
    ]
    share, among = np.sum(right, axis=0) / held.sum(axis=0), n_classes * held.mean(axis=0)
    for number, task in enumerate(done):
        truth = target[task.held_out]
        rows[number, task.held_out] = ((task.predicted == truth) - share[truth]) / among[truth]
    return share.mean() + rows.sum(axis=1), rows


def _explained_variances(done, target):
    """R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)² over all runs, where ȳ is the mean of the training rows of a run."""
    rows, errors = np.zeros((len(done), len(target))), []
    for task in done:
        truth = target[task.held_out]
        errors.append(((truth - task.probability) ** 2, (truth - np.delete(target, task.held_out).mean()) ** 2))
    of_model, of_mean = (sum(part[which].sum() for part in errors) for which in (0, 1))
    if not of_mean > 0:
        return np.full(len(done), np.nan), rows
    value = 1 - of_model / of_mean
    for number, (task, (model, mean)) in enumerate(zip(done, errors, strict=True)):
        rows[number, task.held_out] = ((1 - value) * mean - model) * len(done) / of_mean
    return value + rows.sum(axis=1), rows


def _number_scores(done, target, score):
    """Mean absolute error, or Spearman's correlation of prediction and outcome."""
    from scipy.stats import spearmanr

    values, rows = np.full(len(done), np.nan), np.zeros((len(done), len(target)))
    for number, task in enumerate(done):
        truth, guess = target[task.held_out], task.probability
        if score == MAE:
            values[number] = np.abs(truth - guess).mean()
            rows[number, task.held_out] = np.abs(truth - guess)
        elif len(truth) > 2 and np.ptp(truth) > 0 and np.ptp(guess) > 0:
            values[number] = spearmanr(truth, guess).statistic
            rows[number, task.held_out] = np.nan_to_num(rank_correlation_contributions(guess[:, None], truth)[:, 0])
    if score == MAE and len(done):
        for number, task in enumerate(done):
            rows[number, task.held_out] = (rows[number, task.held_out] - values.mean()) / len(task.held_out)
    return values, rows


def _survival_scores(done, target, score):
    uncensored, times = censoring_curve(target), evaluation_times(target)
    values, rows, weights = np.full(len(done), np.nan), *np.zeros((2, len(done), len(target)))
    for number, task in enumerate(done):
        truth, risk = target[task.held_out], task.probability
        if score == BRIER:
            hazard = np.exp(np.clip(risk, -50, 50))[:, None] * required_array(task.baseline)
            losses = brier_losses(np.exp(-hazard), truth, times, uncensored)
            values[number], parts, among = (
                losses.mean(),
                (losses - losses.mean()) / len(losses),
                np.full(len(losses), 1 / len(losses)),
            )
        else:
            values[number], parts, among = concordance_influence(risk, truth, score, uncensored)
        rows[number, task.held_out], weights[number, task.held_out] = np.nan_to_num(parts), np.nan_to_num(among)
    scored = np.isfinite(values)
    if scored.any():  # parts are relative to the run, and become relative to the mean over runs
        rows[scored] += (values[scored] - values[scored].mean())[:, None] * weights[scored]
    return values, rows


def rows_held_out(held_out, n_rows) -> np.ndarray:
    """The rows that any run holds out, ascending. held_out: those of each run."""
    return np.flatnonzero(np.bincount(np.concatenate([np.zeros(0, dtype=int), *held_out]), minlength=n_rows))


def variance_of_rows(rows, known, target, score, patients=None) -> tuple[float, int]:
    """(variance of the mean over runs with the predictions held fixed, the number of patients that it depends on).

    rows: (runs, n) influence of each row. known: the rows that any run holds out. The number is that of the smallest class for
    scores of each class, and that of patients with an event for concordance.
    """
    who = np.arange(len(target)) if patients is None else np.asarray(patients)
    square, few = variance_of_influence(rows.mean(axis=0)[known], target[known], score, who[known])
    return square, len(np.unique(who[known][target["event"][known]])) if score in CONCORDANCES else few


def interval_over_runs(
    values, rows, held_out, target, score, patients=None, paired=False, nested=False
) -> tuple[float, float, int]:
    """(mean of a score over runs, half the width of its interval for new tables, degrees of freedom).

    values: (runs,) the score. rows: (runs, n) influence of each row. held_out: the held-out rows of each run. paired: whether the
    score is a difference of two selectors. nested: whether it is that of a model and of a part of it, whose errors largely cancel.
    Its shares have the rule of other scores.

    se_NB² = (1/M + held out/learned) · variance over the M runs. V is the variance of the score with fixed predictions (patients by
    their influence, averaged over runs). V₁ is the same with one prediction per patient. m is the number of predictions per row:

        held out/learned < 0.6:               se² = se_NB² + min(1, m − 1) V
        else:                                 se² = the larger of se_NB² and V + variance/M
        (balanced) accuracy, from 0.3 on:     se² = V₁ + variance/M, unless it is a difference
        paired:                               se² = 2.5 V + variance/M

    The factor is 2 without signal, see `excess_over_guessing`: the models differ between tables, too. With signal it is larger.
    Degrees of freedom are those of the runs or of the few patients of `variance_of_rows`. There is no interval below three runs, or
    for one patient. No estimator of this variance is unbiased for every table (Bengio & Grandvalet 2004, JMLR 5:1089-1105), so this
    rule was chosen by simulation (tests/benchmarks/bench_intervals.py, part accuracy).
    Source: Nadeau & Bengio 2003, Machine Learning 52:239-281. The corrections are ours.
    """
    if not len(values):
        return np.nan, np.nan, 0
    mean, known = float(values.mean()), rows_held_out(held_out, len(target))
    alone, few = variance_of_rows(rows, known, target, score, patients)
    freedom = min(len(values), few) - 1
    if len(values) < MIN_RUNS or freedom < 1:
        return mean, np.nan, freedom
    sizes, variance = np.array([len(part) for part in held_out]), values.var(ddof=1)
    ratio = float((sizes / (len(target) - sizes)).mean())
    of_runs = (1 / len(values) + ratio) * variance
    times = sizes.sum() / len(known)
    if paired:
        square = PAIRED_VARIANCE * alone + variance / len(values)
    elif score in SHARES and ratio >= SHARE_VARIANCE and not nested:
        square = _variance_of_single(rows, held_out, patients) * (sizes.mean() / len(known)) ** 2 + variance / len(values)
    elif ratio < INDEPENDENT_VARIANCE:
        square = of_runs + min(1.0, times - 1) * alone
    else:
        square = max(of_runs, alone + variance / len(values))
    return mean, float(critical_value(0.95, freedom) * np.sqrt(square)), freedom


def _variance_of_single(rows, held_out, patients):
    """Variance of the sum of all influences if every patient were predicted once, by a separate model."""
    who = np.arange(rows.shape[1]) if patients is None else np.unique(patients, return_inverse=True)[1]
    squares, times = np.zeros((2, int(who.max()) + 1))
    for run, held in zip(rows, held_out, strict=True):
        squares += np.bincount(who[held], run[held], len(squares)) ** 2
        times += np.bincount(who[held], minlength=len(times)) > 0
    return float((squares[times > 0] / times[times > 0]).sum())


def mean_scores(done, target, scores, patients=None) -> dict[str, float]:
    """Each score of the finished runs of one selector, the mean over runs, with its 95% interval for new tables.

    See `interval_over_runs`. NaN is a score without a run, and the ends of an interval that is not given. patients: (n,) a number
    per row, or None. scored_runs: those with predictions. auc_runs: those with an area under the curve.
    """
    predicted = predicting_tasks(done, target)
    row: dict[str, float] = {"scored_runs": len(predicted), "auc_runs": 0}
    for score in scores:
        values, rows = scores_by_run(predicted, target, score)
        scored, (lowest, highest) = ~np.isnan(values), LIMITS[score]
        held_out = [task.held_out for task, known in zip(predicted, scored, strict=True) if known]
        mean, half, _ = interval_over_runs(values[scored], rows[scored], held_out, target, score, patients)
        if score in BY_CLASS and not _has_enough_held_out(predicted, target, score, patients):
            half = np.nan
        row |= {score: mean, f"{score}_low": np.maximum(mean - half, lowest), f"{score}_high": np.minimum(mean + half, highest)}
        if score == "auc":
            row["auc_runs"] = len(held_out)
    return row


def _has_enough_held_out(predicted, target, score, patients):
    """Whether all runs together hold out enough patients of every class, and enough runs hold out every class."""
    runs = runs_with_class(predicted, target).min(initial=len(predicted)) if score == "balanced_accuracy" else MIN_RUNS
    return runs >= MIN_RUNS and min(patients_of_class(predicted, target, patients)) >= MIN_OF_CLASS


def runs_with_class(done, target):
    """(classes,) the number of runs that hold out rows of each class."""
    return np.array([sum((target[task.held_out] == label).any() for task in done) for label in range(int(target.max()) + 1)])


def patients_of_class(done, target, patients=None) -> list[int]:
    """The number of held-out patients of each class, in all runs together."""
    rows = rows_held_out([task.held_out for task in done], len(target))
    who = rows if patients is None else np.asarray(patients)[rows]
    return [len(np.unique(who[target[rows] == label])) for label in range(int(target.max()) + 1)]


def excess_over_guessing(done, target, score="accuracy", patients=None) -> tuple[float, float, float]:
    """(excess of a score over that of a model without features, its standard error without signal, one-sided p-value).

    done: tasks of one selector. patients: (n,) a number for each row, or None. Accuracy is compared with that of always naming the
    largest class, balanced accuracy with 1/C, the area under the curve and concordance with ½. se² is twice `variance_of_rows`.
    The factor 2: without signal a score is a degenerate U-statistic, Σ y_i K_ij y_j. Every pair of patients counts twice in it,
    once with each of them in training. With fixed predictions it counts once. Simulated false alarms:
    tests/benchmarks/bench_guessing.py. NaN without a scored run, or if fewer than two rows of a class were held out.
    Source: Hoeffding 1948, Annals of Mathematical Statistics 19:293-325 (U-statistics). Its use here is our own.
    """
    from scipy.special import stdtr

    predicted = predicting_tasks(done, target)
    values, rows = scores_by_run(predicted, target, score)
    scored = ~np.isnan(values)
    tasks = [task for task, known in zip(predicted, scored, strict=True) if known]
    if not tasks or (has_classes(target) and min(patients_of_class(tasks, target)) < 2):
        return np.nan, np.nan, np.nan
    guess = 0.5 if score in (*CONCORDANCES, "auc") else 1 / (int(target.max()) + 1)
    if score == "accuracy":
        largest = (target == np.bincount(target).argmax()).astype(float)
        guess = np.array([largest[task.held_out].mean() for task in tasks]).mean()
        for row, task in zip(rows, predicted, strict=True):
            row[task.held_out] -= (largest[task.held_out] - guess) / len(task.held_out)
    known = rows_held_out([task.held_out for task in tasks], len(target))
    square, few = variance_of_rows(rows[scored], known, target, score, patients)
    excess, se = float(values[scored].mean() - guess), float(np.sqrt(VARIANCE_RATIO * square))
    if se <= ROUNDING:
        return excess, 0.0, 0.0 if excess > 0 else 1.0
    return excess, se, float(stdtr(max(few - 1, 1), -excess / se))


def brier_without_features(target) -> float:
    """Integrated Brier score of predicting the Kaplan–Meier curve of all rows for every row."""
    times = evaluation_times(target)
    survival = np.tile(kaplan_meier(target).at(times), (len(target), 1))
    return float(brier_losses(survival, target, times, censoring_curve(target)).mean())
