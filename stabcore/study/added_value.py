"""The added value of selected features over given columns: scores with and without them on the same held-out rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.target import NUMBER, TIME, kind_of_target
from stabcore.base.text import suggest_name
from stabcore.inference.predictions import CONCORDANCES, SCORES, default_score
from stabcore.study.run_scores import R2, interval_over_runs, scores_by_run

if TYPE_CHECKING:
    from stabcore.study.result_data import ResultData

COLUMNS = ("selector", "score", "value", "given_alone", "difference", "low", "high", "runs", "note")
TOO_FEW_RUNS = "an interval needs at least 3 runs that predict rows"


def added_value(result: ResultData, score: str | None = None) -> pd.DataFrame:
    """The score of the selected and the given columns, of the latter alone, and the difference. See StudyResult.added_value."""
    if not result.given:
        raise InputError('No column is always in the model of this study. Run it with given columns, such as given=["age", "sex"].')
    score = score or (R2 if kind_of_target(result.target) == NUMBER else default_score(result))
    scores = {NUMBER: (R2,), TIME: CONCORDANCES}.get(kind_of_target(result.target), SCORES)
    if score not in scores:
        raise InputError(
            f"There is no score {score!r} of this outcome{suggest_name(score, scores)}. Choose one of: {', '.join(scores)}."
        )
    rows = []
    for label in result.finished_selectors:
        done = [
            task for task in result.finished_tasks(label) if task.given_probability is not None or task.given_predicted is not None
        ]
        if done:
            rows.append((label, score, *_added_value_row(done, result.target, score, result.patients)))
    return pd.DataFrame(rows, columns=list(COLUMNS)).set_index("selector")


def _added_value_row(done, target, score, patients):
    """(value, of the given columns alone, difference, low, high, runs, note) of the runs of one selector.

    The interval is that of run_scores.interval_over_runs, by the paired influence of each row.
    """
    values, rows = scores_by_run(done, target, score)
    alone, rows_alone = scores_by_run([task.as_given_result for task in done], target, score)
    scored = ~np.isnan(values - alone)
    if not scored.any():
        return np.nan, np.nan, np.nan, np.nan, np.nan, 0, "no run has this score for both"
    held_out = [task.held_out for task, known in zip(done, scored, strict=True) if known]
    difference, half, _ = interval_over_runs(
        (values - alone)[scored], (rows - rows_alone)[scored], held_out, target, score, patients, nested=True
    )
    note = TOO_FEW_RUNS if np.isnan(half) else ""
    ends = difference - half, difference + half
    return float(values[scored].mean()), float(alone[scored].mean()), difference, *ends, int(scored.sum()), note
