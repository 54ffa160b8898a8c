"""Prediction of held-out rows from the selected features: scores over runs with shared rows, and tests against guessing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.base.target import TIME, has_classes, kind_of_target
from stabcore.base.text import listed, quote
from stabcore.inference.comparison import Comparison, p_value_from_limit
from stabcore.inference.effect_sizes import area_under_curve, design_effect, patient_codes, patient_freedom
from stabcore.inference.estimate import critical_value
from stabcore.inference.predictions import CONCORDANCES, GUESSING_COLUMNS, SCORES, default_score, guessing_score
from stabcore.resampling.draws import LeaveOneSiteOut
from stabcore.selectors.baseline import is_baseline
from stabcore.study.run_scores import (
    MIN_OF_CLASS,
    MIN_RUNS,
    NUMERIC_SCORES,
    ROUNDING,
    TIMED_SCORES,
    excess_over_guessing,
    interval_over_runs,
    mean_scores,
    patients_of_class,
    predicting_tasks,
    runs_with_class,
    scores_by_run,
)
from stabcore.study.task_result import required_array

if TYPE_CHECKING:
    from typing import Any

    from stabcore.study.result_data import ResultData, StudyData

RARE_SHARE = 0.5  # relative to the share of a class among all rows: less often means almost never held out
CLEARLY_BETTER = 0.05  # corrected p-value below which a selector beats guessing
SCORE_COLUMNS = [f"{score}{part}" for score in SCORES for part in ("", "_low", "_high")]
CLASS_COLUMNS = [*SCORE_COLUMNS, "auc_runs"]
SCORE_COLUMNS += ["mean_size", "runs", "scored_runs", "auc_runs", "seconds"]
CENTRE_COLUMNS = (
    "rows",
    "accuracy",
    "accuracy_low",
    "accuracy_high",
    "joint_low",
    "joint_high",
    "auc",
    "auc_low",
    "auc_high",
    "largest",
)


def accuracy(result: ResultData) -> pd.DataFrame:
    """Prediction of held-out rows by the selection of each selector. See StudyResult.accuracy. Uploads have sizes and runs."""
    rows = []
    of_classes = result.plan is None or bool(result.classes)
    scores = SCORES if of_classes else TIMED_SCORES if kind_of_target(result.target) == TIME else NUMERIC_SCORES
    for label in result.selectors:
        agreeing, finished = result.agreeing_tasks(label), result.finished_tasks(label)
        if agreeing:
            row: dict[str, Any] = mean_scores(finished, result.target, scores, result.patients)
            row |= {"selector": label, "runs": len(agreeing), "seconds": float(np.mean([task.seconds for task in finished]))}
            row["mean_size"] = float(np.mean([len(required_array(task.selected)) for task in agreeing]))
            rows.append(row | {"accuracy_note": _note(finished, result) if of_classes else ""})
        elif result.plan is None:
            runs = result.selections(label)
            rows.append({"selector": label, "mean_size": runs.sizes.mean(), "runs": runs.n_runs, "accuracy_note": ""})
    of_numbers = [] if of_classes else [f"{score}{part}" for score in scores for part in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=["selector", *of_numbers, *SCORE_COLUMNS, "accuracy_note"]).set_index("selector")


def accuracy_in_centres(result: StudyData) -> pd.DataFrame:
    """Prediction of the patients of each centre by models of all other centres. See StudyResult.centres."""
    plan = result.plan
    if not isinstance(plan, LeaveOneSiteOut):
        raise InputError(
            f"Accuracy in each centre needs a study with the plan leave_one_site_out. This one used {plan.sentence()}."
        )
    if result.settings["classifier"] == "none":
        raise InputError("This study has no predictions, so accuracy in each centre is unknown. Run it with a classifier.")
    if not has_classes(result.target):
        raise InputError(f"Accuracy in each centre needs an outcome with classes. Here it is {kind_of_target(result.target)}.")
    rows = [
        {
            "selector": label,
            "centre": plan.centres[task.run],
            **centre_scores(task, result.target, len(result.classes), result.patients, plan.n_runs),
        }
        for label in result.finished_selectors
        for task in result.finished_tasks(label)
    ]
    return pd.DataFrame(rows, columns=["selector", "centre", *CENTRE_COLUMNS])


def score_of_each_run(done, target, score="accuracy") -> dict[int, float]:
    """{number of the run, from 1: score on its held-out rows} of the runs of one selector that have it."""
    _refuse_score(score, target)
    predicted = predicting_tasks(done, target)
    values, _ = scores_by_run(predicted, target, score)
    return {task.run + 1: float(value) for task, value in zip(predicted, values, strict=True) if not np.isnan(value)}


def compare_scores(first, second, target, score="accuracy", level=0.95, patients=None) -> Comparison:
    """Difference of the scores of two selectors in new patients, paired by run, first − second.

    first, second: tasks of two selectors. Runs with predictions of both count. patients: (n,) a number per row, or None. p is
    two-sided. The interval is that of run_scores.interval_over_runs for a difference. In simulations (interval_support.py of the
    tests), one of two equal selectors had p < 0.05 in 0 to 7% of tables, and the interval contained the mean difference in 92 to
    99%, also from random ranking. By the correction of Nadeau & Bengio it was 97 to 100% with halves, at up to three times the
    width, because features of random ranking differ in every run. With fewer than three such runs, or equal differences in all
    runs, there is no interval and no p, and `reason` says why.
    """
    _refuse_score(score, target)
    shared = {task.run for task in predicting_tasks(first, target)} & {task.run for task in predicting_tasks(second, target)}
    paired = [sorted((task for task in done if task.run in shared), key=lambda task: task.run) for done in (first, second)]
    (values, rows), (others, other_rows) = (scores_by_run(tasks, target, score) for tasks in paired)
    scored = ~np.isnan(values - others)
    make = partial(Comparison, score, level=level, n_runs=int(scored.sum()))
    if not scored.any():
        return make(np.nan, reason="no run has this score for both")
    held_out = [task.held_out for task, known in zip(paired[0], scored, strict=True) if known]
    mean, half, freedom = interval_over_runs(
        (values - others)[scored], (rows - other_rows)[scored], held_out, target, score, patients, paired=True
    )
    rare = score == "balanced_accuracy" and min(runs_with_class(paired[0], target)) < MIN_RUNS
    if scored.sum() < MIN_RUNS or rare:
        return make(mean, reason="an interval needs at least 3 runs that predict rows" + (" of each class" if rare else ""))
    if np.isnan(half):
        return make(mean, reason="an interval needs at least two patients of each class, or with the event")
    if half <= ROUNDING:
        return make(mean, reason="the difference is the same in every run, so there is no information about other patients")
    half = half * critical_value(level, freedom) / critical_value(0.95, freedom)
    return make(
        mean, mean - half, mean + half, half / critical_value(level, freedom), p_value_from_limit(mean, half, level, freedom)
    )


def _note(done, result):
    """Sentences on classes with too few held-out rows, or too few held-out patients for an interval."""
    sentences, predicted = describe_rare_classes(done, result.target, result.classes), predicting_tasks(done, result.target)
    if not predicted:
        return sentences
    sizes = patients_of_class(predicted, result.target, result.patients)
    few = [name for name, size in zip(result.classes, sizes, strict=True) if size < MIN_OF_CLASS]
    if not few:
        return sentences
    scores = "Balanced accuracy has" if len(sizes) > 2 else "Balanced accuracy and AUC have"
    because = f"{scores} no interval, because fewer than {MIN_OF_CLASS} patients of a class were held out: {listed(few)}."
    return f"{sentences} {because}".strip()


def describe_rare_classes(done, target, classes) -> str:
    """Sentences on classes that the scores of a selector do not cover, empty if there are none.

    done: tasks with predictions or None. target (n,): the true class of each row. classes: their names. A class is rare if fewer
    than three runs hold it out, or if its share of held-out rows is less than half of its share of all rows. Runs without
    predictions do not count.
    """
    held = np.array([np.bincount(target[task.held_out], minlength=len(classes)) for task in predicting_tasks(done, target)])
    if not len(held):
        return ""
    rows, runs = np.bincount(target, minlength=len(classes)), np.count_nonzero(held, axis=0)
    rare = (runs < min(MIN_RUNS, len(held))) | (held.sum(axis=0) / held.sum() < RARE_SHARE * rows / rows.sum())
    sentences = [
        f"Accuracy has {'almost ' * bool(runs[c])}no information on the class {quote(classes[c])} ({rows[c]:,} of "
        f"{rows.sum():,} rows): {f'only {runs[c]:,}' if runs[c] else 'none'} of {len(held):,} runs held out any of it."
        for c in np.flatnonzero(rare)
    ]
    left = np.flatnonzero(~rare)
    if sentences and len(left) == 1:
        sentences.append(f"It rests {'almost ' * bool(runs[rare].any())}only on the class {quote(classes[left[0]])}.")
    return " ".join(sentences)


def beats_guessing(result: ResultData, score: str | None = None) -> pd.DataFrame:
    """Whether each selector except baselines predicts better than a model without features. See StudyResult.beats_guessing.

    Raises InputError for an unknown score.
    """
    score = score or default_score(result)
    _refuse_score(score, result.target)
    always, rows = guessing_score(result, score), {}
    comparable = np.isfinite(always) and (score != "auc" or len(result.classes) == 2)
    for label in result.finished_selectors if comparable else ():
        excess, se, p = excess_over_guessing(result.finished_tasks(label), result.target, score, result.patients)
        rows[label] = (score, always + excess, always, se, p)
    random = [rows.pop(label)[1] for label in list(rows) if is_baseline(label)]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(GUESSING_COLUMNS[:5])).rename_axis("selector")
    corrected = holm(frame["p_value"].to_numpy(dtype=float))
    better = pd.Series(corrected < CLEARLY_BETTER, index=frame.index, dtype="boolean").mask(np.isnan(corrected))
    return frame.assign(p_holm=corrected, better=better, random=np.mean(random) if random else np.nan)


def _refuse_score(score, target):
    possible = CONCORDANCES if np.asarray(target).dtype.names else SCORES
    if score not in possible:
        raise InputError(f"There is no score {score!r}. Choose one of: {', '.join(possible)}.")


def centre_scores(task, target, n_classes, patients=None, n_centres=1) -> dict:
    """{name of CENTRE_COLUMNS: value} for the predictions of the held-out rows of one run. patients: (n,) a number per row.

    joint_low, joint_high: one side at a time, they hold for all centres together in 95% (Bonferroni).
    """
    truth, whose = target[task.held_out], None if patients is None else np.asarray(patients)[task.held_out]
    auc = [np.nan] * 3
    if n_classes == 2 and task.probability is not None and len(task.probability):
        auc = [float(end[0]) for end in area_under_curve(task.probability.reshape(-1, 2)[:, 1:].astype(float), truth, whose)]
    right, largest = task.predicted == truth, float(np.bincount(truth).max() / len(truth))
    accuracy, (_, *joint) = (correct_share(right, patient_codes(whose), level) for level in (0.95, 1 - 0.1 / max(n_centres, 2)))
    return dict(zip(CENTRE_COLUMNS, (len(truth), *accuracy, *joint, *auc, largest), strict=True))


def correct_share(is_correct, row_patients=None, level=0.95):
    """(share, low, high) of correctly predicted rows, as if there were n/design effect independent rows.

    row_patients: codes of patients with several rows, or None. Source: Wilson 1927, JASA 22:209-212, and Kish 1965, Survey
    Sampling.
    """
    share = is_correct.mean()
    if row_patients is not None and not row_patients.any():
        return float(share), 0.0, 1.0  # a single patient has no information on others
    n = (
        len(is_correct)
        if row_patients is None
        else len(is_correct) / max(float(design_effect((is_correct - share)[:, None], row_patients)[0]), 1.0)
    )
    z2 = critical_value(level, patient_freedom(row_patients)) ** 2
    middle, half = (share + z2 / (2 * n)) / (1 + z2 / n), np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return float(share), float(max(middle - half, 0)), float(min(middle + half, 1))
