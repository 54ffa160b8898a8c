"""Scores of a time to an event on held-out rows: concordance and the integrated Brier score, by run and over runs."""

import numpy as np

from stabcore.inference.estimate import deviate
from stabcore.inference.predictions import TWICE
from stabcore.study.task_result import required
from stabcore.survival.concordance import HARRELL, UNO, brier_losses, censoring, evaluation_times, influence, kaplan_meier

BRIER = "brier"
LIMITS = {HARRELL: (0.0, 1.0), UNO: (0.0, 1.0), BRIER: (0.0, np.inf)}  # limits of each score
TIMED_SCORES = tuple(LIMITS)
INDEPENDENT_RATIO = 0.6  # held out/learned from which on patients count as independent, as of the area under the curve
ROUNDING = 1e-12


def of_runs(done, target, scores=TIMED_SCORES) -> tuple[list, dict, dict]:
    """(runs that predicted rows, {score: (runs,)}, {score: (runs, n) influence of each row on it}).

    Rows are weighted by the share of uncensored rows among all rows. NaN for a run that holds out no comparable pair.
    """
    predicted = [task for task in done if task.probability is not None and len(task.probability)]
    uncensored, times = censoring(target), evaluation_times(target)
    values = {score: np.full(len(predicted), np.nan) for score in scores}
    rows = {score: np.zeros((len(predicted), len(target))) for score in scores}
    for number, task in enumerate(predicted):
        truth, risk = target[task.held_out], task.probability
        for score in scores:
            if score == BRIER:
                hazard = np.exp(np.clip(risk, -50, 50))[:, None] * required(task.baseline)
                losses = brier_losses(np.exp(-hazard), truth, times, uncensored)
                value, parts = losses.mean(), (losses - losses.mean()) / len(losses)
            else:
                value, parts = influence(risk, truth, score, uncensored)
            values[score][number], rows[score][number, task.held_out] = value, np.nan_to_num(parts)
    return predicted, values, rows


def timed_performance(done, target, patients=None) -> dict[str, float]:
    """Each score of the finished runs of one selector, the mean over runs, with its 95% interval for new tables.

    se_NB² = (1/M + held out/learned) · variance over the M runs. V is the variance of the score with fixed predictions (patients by
    their influence, averaged over runs). m is the number of predictions per row:

        held out/learned < 0.6:  se² = se_NB² + min(1, m − 1) V
        else:                    se² = the larger of se_NB² and V + variance/M

    It is the rule of the area under the curve (see study.performance), tried on simulated tables in tests/stabcore/study. An
    interval needs three runs. Source: Nadeau & Bengio 2003, Machine Learning 52:239-281.
    """
    predicted, values, rows = of_runs(done, target)
    held_out = np.array([len(task.held_out) for task in predicted])
    ratios = held_out / (len(target) - held_out)
    row: dict[str, float] = {}
    for score, (lowest, highest) in LIMITS.items():
        scored = ~np.isnan(values[score])
        mean, half = interval_over_runs(values[score][scored], ratios[scored], rows[score][scored], held_out[scored], patients)
        row |= {score: mean, f"{score}_low": np.maximum(mean - half, lowest), f"{score}_high": np.minimum(mean + half, highest)}
    return row | {"scored_runs": len(predicted)}


def interval_over_runs(values, ratios, rows, held_out, patients, paired=False) -> tuple[float, float]:
    """(mean of a score over runs, half the width of its interval for new tables), see `timed_performance`.

    values, ratios, held_out: (runs,) the score, held out/learned, rows held out. rows: (runs, n) influence of each row. paired:
    whether the score is a difference of two models of the same rows. Its variance is the second of `timed_performance` for every
    plan, because common effects of the models cancel.
    """
    if not len(values):
        return np.nan, np.nan
    mean = float(values.mean())
    if len(values) < 3:
        return mean, np.nan
    variance = values.var(ddof=1)
    runs, alone = (1 / len(values) + ratios.mean()) * variance, _variance(rows, patients)
    times = held_out.sum() / max(np.count_nonzero((rows != 0).any(axis=0)), 1)
    if ratios.mean() < INDEPENDENT_RATIO and not paired:
        square = runs + min(1.0, max(times - 1, 0.0)) * alone
    else:
        square = max(runs, alone + variance / len(values))
    return mean, float(deviate(0.95, len(values) - 1) * np.sqrt(square))


def _variance(rows, patients):
    """Variance of the mean over runs with the predictions held fixed, from the influence (runs, n) of each row."""
    of_row = rows.mean(axis=0)
    if patients is not None:
        of_row = np.bincount(np.unique(patients, return_inverse=True)[1], of_row)
    n = np.count_nonzero(of_row)
    return float((of_row**2).sum() * n / max(n - 1, 1))


def against_chance(done, target, score, patients=None) -> tuple[float, float, float]:
    """(excess of a concordance over ½, its standard error without signal, one-sided p-value).

    As inference.predictions.against_guessing: se² = 2 · the variance with predictions held fixed. NaN without a scored run.
    """
    from scipy.special import stdtr

    _, values, rows = of_runs(done, target, (score,))
    scored = ~np.isnan(values[score])
    if not scored.any():
        return np.nan, np.nan, np.nan
    excess, se = float(values[score][scored].mean() - 0.5), float(np.sqrt(TWICE * _variance(rows[score][scored], patients)))
    if se <= ROUNDING:
        return excess, 0.0, 1.0
    units = len(target) if patients is None else len(np.unique(patients))
    return excess, se, float(stdtr(units - 1, -excess / se))


def brier_without_features(target) -> float:
    """Integrated Brier score of predicting the Kaplan–Meier curve of all rows for every row."""
    times = evaluation_times(target)
    survival = np.tile(kaplan_meier(target).at(times), (len(target), 1))
    return float(brier_losses(survival, target, times, censoring(target)).mean())
