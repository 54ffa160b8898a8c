"""The added value of selected features over given columns: scores with and without them on the same held-out rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.target import NUMBER, TIME, kind_of_target
from stabcore.base.text import nearest
from stabcore.inference.predictions import CONCORDANCES, SCORES, default_score, placements
from stabcore.study import timed_performance
from stabcore.study.timed_performance import interval_over_runs

if TYPE_CHECKING:
    from stabcore.study.result_data import ResultData

COLUMNS = ("selector", "score", "value", "given_alone", "difference", "low", "high", "runs", "note")
R2 = "r2"
TOO_FEW_RUNS = "an interval needs at least 3 runs that predict rows"


def given_of(result: ResultData) -> tuple[str, ...]:
    """The names of the columns that are always in the model of a study, none of uploaded selections."""
    return tuple(result.settings["data"].get("given", ())) if result.plan is not None else ()


def added_value(result: ResultData, score: str | None = None) -> pd.DataFrame:
    """The score of the selected and the given columns, of the latter alone, and the difference. See StudyResult.added_value."""
    if not given_of(result):
        raise InputError('No column is always in the model of this study. Run it with given columns, such as given=["age", "sex"].')
    score = score or (R2 if kind_of_target(result.target) == NUMBER else default_score(result))
    scores = {NUMBER: (R2,), TIME: CONCORDANCES}.get(kind_of_target(result.target), SCORES)
    if score not in scores:
        raise InputError(
            f"There is no score {score!r} of this outcome{nearest(score, scores)}. Choose one of: {', '.join(scores)}."
        )
    rows = []
    for label in result.finished_selectors:
        done = [
            task for task in result.finished_tasks(label) if task.given_probability is not None or task.given_predicted is not None
        ]
        if done:
            rows.append((label, score, *_difference(done, result.target, score, result.patients)))
    return pd.DataFrame(rows, columns=list(COLUMNS)).set_index("selector")


def _difference(done, target, score, patients):
    """(value, of the given columns alone, difference, low, high, runs, note) of the runs of one selector.

    The interval is that of timed_performance.interval_over_runs, by the paired influence of each row.
    """
    values, rows = _of_runs(done, target, score)
    alone, rows_alone = _of_runs([task.of_given for task in done], target, score)
    scored = ~np.isnan(values - alone)
    if not scored.any():
        return np.nan, np.nan, np.nan, np.nan, np.nan, 0, "no run has this score for both"
    held_out = np.array([len(task.held_out) for task in done])[scored]
    difference, half = interval_over_runs(
        (values - alone)[scored], held_out / (len(target) - held_out), (rows - rows_alone)[scored], held_out, patients, paired=True
    )
    note = TOO_FEW_RUNS if np.isnan(half) else ""
    ends = difference - half, difference + half
    return float(values[scored].mean()), float(alone[scored].mean()), difference, *ends, int(scored.sum()), note


def _of_runs(done, target, score):
    """((runs,) score, (runs, n) influence of each row on it)."""
    if score in CONCORDANCES:
        _, of_scores, influence = timed_performance.of_runs(done, target, (score,))
        return of_scores[score], influence[score]
    values, rows = np.full(len(done), np.nan), np.zeros((len(done), len(target)))
    of_score = {R2: _explained, "auc": _area, "accuracy": _right, "balanced_accuracy": _right}[score]
    for number, task in enumerate(done):
        of_each, groups = of_score(task, target)
        if score == "accuracy":
            groups = np.zeros_like(groups)
        present = np.unique(groups)
        if score in ("auc", "balanced_accuracy") and len(present) <= target.max():
            continue  # a class is not held out
        means = np.array([of_each[groups == group].mean() for group in present])
        counts = np.array([np.count_nonzero(groups == group) for group in present])
        place = np.searchsorted(present, groups)
        values[number] = means.mean()
        part = (of_each - means[place]) / (len(present) * counts[place])
        rows[number, task.held_out] = part * (2 if score == "auc" else 1)  # each pair counts for both of its rows
    return values, rows


def _right(task, target):
    """(whether each held-out row was predicted right, its class)."""
    truth = target[task.held_out]
    return (task.predicted == truth).astype(float), truth


def _area(task, target):
    """(share of held-out rows of the other class that each row is ranked correctly against, its class)."""
    truth, placed = target[task.held_out], placements(task, target)
    return (np.zeros(len(truth)), np.zeros(len(truth), dtype=int)) if placed is None else (placed, truth)


def _explained(task, target):
    """(1 − squared error of each held-out row in units of the mean squared distance from the mean of the learning rows, 0)."""
    truth = target[task.held_out]
    spread = float(((truth - np.delete(target, task.held_out).mean()) ** 2).mean())
    loss = (truth - task.probability) ** 2 / spread if spread > 0 else np.full(len(truth), np.nan)
    return 1 - loss, np.zeros(len(truth), dtype=int)
