"""Scores of a time to an event on held-out rows: concordance and the integrated Brier score."""

import numpy as np

from stabcore.inference.predictions import TWICE
from stabcore.study.run_scores import LIMITS, TIMED_SCORES, interval_over_runs, scores_by_run, variance_of_rows
from stabcore.survival.concordance import brier_losses, censoring, evaluation_times, kaplan_meier

ROUNDING = 1e-12


def predicting(done) -> list:
    """The tasks with predictions of risks or numbers."""
    return [task for task in done if task.probability is not None and len(task.probability)]


def performance_of(done, target, scores, patients=None) -> dict[str, float]:
    """Each score of the finished runs of one selector, the mean over runs, with its 95% interval for new tables.

    See run_scores.interval_over_runs. An interval needs three runs. scored_runs: those with predictions.
    """
    predicted = predicting(done)
    row: dict[str, float] = {}
    for score in scores:
        values, rows = scores_by_run(predicted, target, score)
        scored, (lowest, highest) = ~np.isnan(values), LIMITS[score]
        held_out = [task.held_out for task, known in zip(predicted, scored, strict=True) if known]
        mean, half, _ = interval_over_runs(values[scored], rows[scored], held_out, target, score, patients)
        row |= {score: mean, f"{score}_low": np.maximum(mean - half, lowest), f"{score}_high": np.minimum(mean + half, highest)}
    return row | {"scored_runs": len(predicted)}


def timed_performance(done, target, patients=None) -> dict[str, float]:
    """`performance_of` of a time to an event. Rows are weighted by the share of uncensored rows among all rows."""
    return performance_of(done, target, TIMED_SCORES, patients)


def against_chance(done, target, score, patients=None) -> tuple[float, float, float]:
    """(excess of a concordance over ½, its standard error without signal, one-sided p-value).

    As inference.predictions.against_guessing: se² = 2 · the variance with predictions held fixed. NaN without a scored run.
    """
    from scipy.special import stdtr

    predicted = predicting(done)
    values, rows = scores_by_run(predicted, target, score)
    scored = ~np.isnan(values)
    if not scored.any():
        return np.nan, np.nan, np.nan
    held_out = [task.held_out for task, known in zip(predicted, scored, strict=True) if known]
    square, few = variance_of_rows(rows[scored], held_out, target, score, patients)
    excess, se = float(values[scored].mean() - 0.5), float(np.sqrt(TWICE * square))
    if se <= ROUNDING:
        return excess, 0.0, 1.0
    return excess, se, float(stdtr(max(few - 1, 1), -excess / se))


def brier_without_features(target) -> float:
    """Integrated Brier score of predicting the Kaplan–Meier curve of all rows for every row."""
    times = evaluation_times(target)
    survival = np.tile(kaplan_meier(target).at(times), (len(target), 1))
    return float(brier_losses(survival, target, times, censoring(target)).mean())
