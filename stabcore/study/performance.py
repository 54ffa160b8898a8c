"""Prediction of held-out rows from the selected features: scores over runs with shared rows, and tests against guessing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.base.target import TIME, has_classes, kind_of_target
from stabcore.base.text import listed, shown
from stabcore.inference.comparison import Comparison, p_value_at
from stabcore.inference.effect_sizes import area_under_curve, codes, design_effect, free_of
from stabcore.inference.estimate import deviate
from stabcore.inference.predictions import BY_CLASS, CONCORDANCES, GUESSING, SCORES, against_guessing, default_score, guessed
from stabcore.resampling.draws import LeaveOneSiteOut
from stabcore.selectors.baseline import is_baseline
from stabcore.study.run_scores import (
    MIN_RUNS,
    NUMERIC_SCORES,
    ROUNDING,
    TIMED_SCORES,
    against_chance,
    interval_over_runs,
    performance_of,
    predicting,
    scores_by_run,
)
from stabcore.study.task_result import required

if TYPE_CHECKING:
    from typing import Any

    from stabcore.study.result_data import ResultData, StudyData

RARE_SHARE = 0.5  # relative to the share of a class among all rows: less often means almost never held out
MIN_OF_CLASS = 10  # smallest number of patients of every class for an interval of balanced accuracy or the AUC
CLEARLY_BETTER = 0.05  # corrected p-value below which a selector beats guessing
SCORE_COLUMNS = [f"{score}{part}" for score in SCORES for part in ("", "_low", "_high")]
OF_CLASSES = [*SCORE_COLUMNS, "auc_runs"]
SCORE_COLUMNS += ["mean_size", "runs", "scored_runs", "auc_runs", "seconds"]
IN_CENTRE = ("rows", "accuracy", "accuracy_low", "accuracy_high", "auc", "auc_low", "auc_high", "largest")
INDEPENDENT_RATIO = {"accuracy": 0.3, "balanced_accuracy": 0.3, "auc": 0.6}  # least held out/learned of independent patients


def scored(done, target, n_classes, patients=None) -> dict:
    """Scores of the finished runs of a selector: the mean over runs of the score on held-out rows, with a 95% interval.

    Balanced accuracy is the mean over classes of the share of correctly predicted held-out rows of all runs. A class that few
    runs hold out counts as much as the others. It is NaN if a class is never held out. AUC is for two classes, in runs that
    hold out both. A score without a run is NaN. An interval needs three runs, and for balanced accuracy three with each class.
    Those of balanced accuracy and the AUC need 10 held-out patients of every class: with 5 to 8 they covered in 75 to 99%.
    runs: finished runs. scored_runs: those that predicted rows. auc_runs: those with an AUC. patients: (n,) a number per row, or
    None.
    """
    predicted, values, ratios, of_classes = _of_runs(done, target, n_classes)
    row: dict[str, float] = {}
    of_patients = _of_patients(predicted, target, n_classes, patients)
    for score in SCORES:
        has_score = ~np.isnan(values[score])
        interval = _interval(values[score][has_score], ratios[has_score], score, of_patients)
        row |= dict(zip((score, f"{score}_low", f"{score}_high"), interval, strict=True))
    if (np.count_nonzero(of_classes, axis=0) < 3).any():
        row |= {"balanced_accuracy_low": np.nan, "balanced_accuracy_high": np.nan}
    return row | {
        "mean_size": float(np.mean([len(task.selected) for task in done])),
        "runs": len(done),
        "scored_runs": len(predicted),
        "auc_runs": int((~np.isnan(values["auc"])).sum()),
        "seconds": float(np.mean([task.seconds for task in done])),
    }


def accuracy(result: ResultData) -> pd.DataFrame:
    """Prediction of held-out rows by the selection of each selector. See StudyResult.accuracy. Uploads have sizes and runs."""
    rows = []
    numeric = result.plan is not None and not result.classes
    scores = () if not numeric else TIMED_SCORES if kind_of_target(result.target) == TIME else NUMERIC_SCORES
    for label in result.selectors:
        agreeing, finished = result.agreeing_tasks(label), result.finished_tasks(label)
        if agreeing:
            row: dict[str, Any] = {"auc_runs": 0, "seconds": float(np.mean([task.seconds for task in finished]))}
            if numeric:
                row |= performance_of(finished, result.target, scores, result.patients)
            else:
                row |= scored(finished, result.target, len(result.classes), result.patients)
            note = "" if numeric else _note(finished, result)
            size = float(np.mean([len(required(task.selected)) for task in agreeing]))
            rows.append(row | {"selector": label, "runs": len(agreeing), "accuracy_note": note, "mean_size": size})
        elif result.plan is None:
            runs = result.selections(label)
            rows.append({"selector": label, "mean_size": runs.sizes.mean(), "runs": runs.n_runs, "accuracy_note": ""})
    of_numbers = [f"{score}{part}" for score in scores for part in ("", "_low", "_high")]
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
            **in_centre(task, result.target, len(result.classes), result.patients),
        }
        for label in result.finished_selectors
        for task in result.finished_tasks(label)
    ]
    return pd.DataFrame(rows, columns=["selector", "centre", *IN_CENTRE])


def by_run(done, target, n_classes, score="accuracy") -> dict[int, float]:
    """{number of the run, from 1: score on its held-out rows} of the runs of one selector that have it."""
    _refuse_score(score, target)
    predicted = predicting(done, "probability" if score in CONCORDANCES else "predicted")
    values = scores_by_run(predicted, target, score)[0] if n_classes == 2 or score != "auc" else np.full(len(predicted), np.nan)
    return {task.run + 1: float(value) for task, value in zip(predicted, values, strict=True) if not np.isnan(value)}


def compare_scores(first, second, target, n_classes, score="accuracy", level=0.95, patients=None) -> Comparison:
    """Difference of the scores of two selectors in new patients, paired by run, first − second.

    first, second: tasks of two selectors. Runs with predictions of both count. patients: (n,) a number per row, or None. p is
    two-sided. The interval is that of run_scores.interval_over_runs for a difference. In simulations (interval_support.py of the
    tests), one of two equal selectors had p < 0.05 in 0 to 9% of tables, and in 8 to 31% without the correction. With fewer than
    three such runs, or equal differences in all runs, there is no interval and no p, and `reason` says why.
    """
    _refuse_score(score, target)
    part = "probability" if np.asarray(target).dtype.names else "predicted"
    shared = {task.run for task in predicting(first, part)} & {task.run for task in predicting(second, part)}
    paired = [sorted((task for task in done if task.run in shared), key=lambda task: task.run) for done in (first, second)]
    if score == "auc" and n_classes != 2:
        paired = [[], []]
    (values, rows), (others, other_rows) = (scores_by_run(tasks, target, score) for tasks in paired)
    scored = ~np.isnan(values - others)
    make = partial(Comparison, score, level=level, n_runs=int(scored.sum()))
    if not scored.any():
        return make(np.nan, reason="no run has this score for both")
    held_out = [task.held_out for task, known in zip(paired[0], scored, strict=True) if known]
    mean, half, freedom = interval_over_runs(
        (values - others)[scored], (rows - other_rows)[scored], held_out, target, score, patients, paired=True
    )
    rare = score == "balanced_accuracy" and min(_holding_out(paired[0], target, n_classes)) < MIN_RUNS
    if scored.sum() < MIN_RUNS or rare:
        return make(mean, reason="an interval needs at least 3 runs that predict rows" + (" of each class" if rare else ""))
    if np.isnan(half):
        return make(mean, reason="an interval needs at least two patients of each class, or with the event")
    if half <= ROUNDING:
        return make(mean, reason="the difference is the same in every run, so there is no information about other patients")
    half = half * deviate(level, freedom) / deviate(0.95, freedom)
    return make(mean, mean - half, mean + half, half / deviate(level, freedom), p_value_at(mean, half, level, freedom))


def _holding_out(done, target, n_classes):
    """(classes,) the number of runs that hold out rows of each class."""
    return [sum((target[task.held_out] == label).any() for task in done) for label in range(n_classes)]


def _note(done, result):
    """Sentences on classes with too few held-out rows, or too few held-out patients for an interval."""
    sentences, predicted = seldom_held_out(done, result.target, result.classes), predicting(done)
    if not predicted:
        return sentences
    rows = np.unique(np.concatenate([task.held_out for task in predicted]))
    truth, who = result.target[rows], rows if result.patients is None else np.asarray(result.patients)[rows]
    sizes = [len(np.unique(who[truth == c])) for c in range(len(result.classes))]
    few = [shown(name) for name, size in zip(result.classes, sizes, strict=True) if size < MIN_OF_CLASS]
    if not few:
        return sentences
    scores = "Balanced accuracy has" if len(sizes) > 2 else "Balanced accuracy and AUC have"
    because = f"{scores} no interval, because fewer than {MIN_OF_CLASS} patients of a class were held out: {listed(few)}."
    return f"{sentences} {because}".strip()


def seldom_held_out(done, target, classes) -> str:
    """Sentences on classes that the scores of a selector do not cover, empty if there are none.

    done: tasks with predictions or None. target (n,): the true class of each row. classes: their names. A class is rare if fewer
    than three runs hold it out, or if its share of held-out rows is less than half of its share of all rows. Runs without
    predictions do not count.
    """
    held = np.array([np.bincount(target[task.held_out], minlength=len(classes)) for task in predicting(done)])
    if not len(held):
        return ""
    rows, runs = np.bincount(target, minlength=len(classes)), np.count_nonzero(held, axis=0)
    rare = (runs < min(MIN_RUNS, len(held))) | (held.sum(axis=0) / held.sum() < RARE_SHARE * rows / rows.sum())
    sentences = [
        f"Accuracy has {'almost ' * bool(runs[c])}no information on the class {shown(classes[c])} ({rows[c]:,} of "
        f"{rows.sum():,} rows): {f'only {runs[c]:,}' if runs[c] else 'none'} of {len(held):,} runs held out any of it."
        for c in np.flatnonzero(rare)
    ]
    left = np.flatnonzero(~rare)
    if sentences and len(left) == 1:
        sentences.append(f"It rests {'almost ' * bool(runs[rare].any())}only on the class {shown(classes[left[0]])}.")
    return " ".join(sentences)


def beats_guessing(result: ResultData, score: str | None = None) -> pd.DataFrame:
    """Whether each selector except baselines predicts better than a model without features. See StudyResult.beats_guessing.

    Raises InputError for an unknown score.
    """
    score = score or default_score(result)
    _refuse_score(score, result.target)
    always, rows = guessed(result, score), {}
    comparable = np.isfinite(always) and (score != "auc" or len(result.classes) == 2)
    for label in result.finished_selectors if comparable else ():
        against = against_chance if score in CONCORDANCES else against_guessing
        excess, se, p = against(result.finished_tasks(label), result.target, score, result.patients)
        rows[label] = (score, always + excess, always, se, p)
    random = [rows.pop(label)[1] for label in list(rows) if is_baseline(label)]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(GUESSING[:5])).rename_axis("selector")
    corrected = holm(frame["p_value"].to_numpy(dtype=float))
    better = pd.Series(corrected < CLEARLY_BETTER, index=frame.index, dtype="boolean").mask(np.isnan(corrected))
    return frame.assign(p_holm=corrected, better=better, random=np.mean(random) if random else np.nan)


def _refuse_score(score, target):
    possible = CONCORDANCES if np.asarray(target).dtype.names else SCORES
    if score not in possible:
        raise InputError(f"There is no score {score!r}. Choose one of: {', '.join(possible)}.")


def _of_runs(done, target, n_classes):
    """(runs that predicted rows, {score: (runs,)}, held out/learned of each (runs,), rows of each class they hold out)."""
    predicted = predicting(done)
    of_runs = [(task, target[task.held_out]) for task in predicted]
    of_classes = np.array([np.bincount(truth, minlength=n_classes) for _, truth in of_runs]).reshape(len(of_runs), n_classes)
    score_of = {
        "accuracy": lambda: np.array([np.count_nonzero(task.predicted == truth) / len(truth) for task, truth in of_runs]),
        "balanced_accuracy": lambda: _balanced(of_runs, of_classes),
        "auc": lambda: _aucs(of_runs) if n_classes == 2 else np.full(len(of_runs), np.nan),
    }
    held_out = np.array([len(task.held_out) for task in predicted])
    return predicted, {score: score_of[score]() for score in SCORES}, held_out / (len(target) - held_out), of_classes


def _balanced(of_runs, held):
    """(runs,) the contribution of each run to balanced accuracy. Their mean is the value over all runs.

    held: (runs, classes) the number of held-out rows of each class. If it is the same for every run, this is the
    balanced accuracy of each run, else the linearised ratio of sums.
    """
    if not len(held) or not held.sum(axis=0).all():
        return np.full(len(held), np.nan)
    right = np.array([np.bincount(truth[task.predicted == truth], minlength=held.shape[1]) for task, truth in of_runs])
    share = right.sum(axis=0) / held.sum(axis=0)
    return (share + (right - share * held) / held.mean(axis=0)).mean(axis=1)


def _interval(values, ratios, score, of_patients):
    """Mean of a score over runs with its 95% interval for new tables.

    se_NB² = (1/M + held out/learned) · variance over the M runs. V is the variance of the score of n patients that are each
    predicted once by a separate model (see _alone). ρ is the share of V between patients (1 for the AUC, which is a statistic of
    pairs). m is the number of predictions per patient.

        held out/learned < 0.3 (AUC: 0.6):  se² = se_NB² + min(1, m − 1) ρ V       (runs share most rows: se_NB is too small)
        else:                               se² = V + variance/M                   (se_NB is too large; AUC: the larger of both)

    Degrees of freedom are those of the runs, or of the few patients of the smallest class.
    No estimator of this variance is unbiased for every table (Bengio & Grandvalet 2004, JMLR 5:1089-1105), so this rule was chosen
    by simulation (tests/benchmarks/bench_intervals.py, part accuracy).
    """
    if not len(values):
        return np.nan, np.nan, np.nan
    mean, se = _spread(values, ratios)
    *of_each, (_, _, of_all) = of_patients[0]
    fewest = min(n for *_, n in of_each) if score in BY_CLASS else of_all
    freedom = min(len(values), fewest) - 1
    if len(values) < MIN_RUNS or freedom < 1 or (score in BY_CLASS and fewest < MIN_OF_CLASS):
        return mean, np.nan, np.nan
    independent, (times, between) = _variance_of_independent(score, mean, of_patients), of_patients[1:]
    if se <= ROUNDING or not np.isfinite(independent):
        wanted = se**2
    elif ratios.mean() < INDEPENDENT_RATIO[score]:
        wanted = se**2 + min(1.0, times - 1) * (1.0 if score == "auc" else between) * independent
    else:
        wanted = max(independent + values.var(ddof=1) / len(values), se**2 if score == "auc" else 0.0)
    half = deviate(0.95, freedom) * np.sqrt(wanted)
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def _of_patients(predicted, target, n_classes, patients):
    """([(share of correct predictions, its variance over patients and runs, patients) of each class and of all], m, ρ)."""
    units = np.arange(len(target)) if patients is None else np.unique(patients, return_inverse=True)[1]
    sums = np.zeros((3, n_classes, int(units.max()) + 1))
    for task in predicted:
        truth, who = target[task.held_out], units[task.held_out]
        cells, where, rows = np.unique(truth * sums.shape[2] + who, return_inverse=True, return_counts=True)
        right = np.bincount(where, weights=task.predicted == truth) / rows
        for part, added in zip(sums, (np.ones(len(cells)), right, right**2), strict=True):
            part.ravel()[cells] += added
    parts = []
    for times, right, squares in (*sums.transpose(1, 0, 2), sums.sum(axis=1)):
        share = right.sum() / max(times.sum(), 1)
        parts.append((share, squares.sum() / max(times.sum(), 1) - share**2, np.count_nonzero(times)))
    has_predictions = times > 0  # of the last entry, which is for all classes
    if not has_predictions.any():
        return parts, 0.0, 0.0
    of_patient = right[has_predictions] / times[has_predictions]
    variance = parts[-1][1]
    between = min(of_patient.var(ddof=1) / variance, 1.0) if len(of_patient) > 1 and variance > 0 else 0.0
    return parts, float(times[has_predictions].mean()), float(between)


def _variance_of_independent(score, mean, of_patients) -> float:
    """Variance of a score of n patients that are predicted independently, NaN if unknown.

    Accuracy: Var(right)/n. Balanced: Σ_c Var(right in c)/n_c / C². AUC: Hanley & McNeil 1982, Radiology 143:29-36.
    """
    *classes, (_, variance, n_patients) = of_patients[0]
    with np.errstate(invalid="ignore", divide="ignore"):
        if score == "accuracy":
            return float(np.divide(variance, n_patients))
        if score == "balanced_accuracy":
            return float(sum(np.divide(of_class, n) for _, of_class, n in classes) / len(classes) ** 2)
        first, second = (n for *_, n in classes)
        to_one, to_other = mean / (2 - mean) - mean**2, 2 * mean**2 / (1 + mean) - mean**2
        return float((mean * (1 - mean) + (second - 1) * to_one + (first - 1) * to_other) / np.multiply(first, second))


def _spread(values, ratios):
    """(mean, its standard error for new patients) of the values of runs that share rows, NaN for one run."""
    if len(values) < 2:
        return float(values.mean()), np.nan
    return float(values.mean()), float(np.sqrt((1 / len(values) + ratios.mean()) * values.var(ddof=1)))


def _aucs(of_runs):
    """(runs,) AUC: probability that a held-out row of class 1 has a higher score than one of class 0, ties counting half.

    NaN if a run holds out one class only, or has no probabilities, as some user-defined models.
    """
    from scipy.stats import rankdata

    areas = np.full(len(of_runs), np.nan)
    of_size: dict[int, list[int]] = {}
    for place, (task, truth) in enumerate(of_runs):
        if task.probability is not None:
            of_size.setdefault(len(truth), []).append(place)
    for places in of_size.values():  # all runs of one size at once, which is ten times as fast
        ranks = rankdata([of_runs[place][0].probability.reshape(-1, 2)[:, 1] for place in places], axis=1)
        positive = np.array([of_runs[place][1] == 1 for place in places])
        n1, n0 = positive.sum(axis=1), (~positive).sum(axis=1)
        with np.errstate(invalid="ignore"):
            areas[places] = (np.where(positive, ranks, 0).sum(axis=1) - n1 * (n1 + 1) / 2) / (n1 * n0)
    return areas


def in_centre(task, target, n_classes, patients=None) -> dict:
    """{name of IN_CENTRE: value} for the predictions of the held-out rows of one run. patients: (n,) a number per row."""
    truth, whose = target[task.held_out], None if patients is None else np.asarray(patients)[task.held_out]
    auc = [np.nan] * 3
    if n_classes == 2 and task.probability is not None and len(task.probability):
        auc = [float(end[0]) for end in area_under_curve(task.probability.reshape(-1, 2)[:, 1:].astype(float), truth, whose)]
    accuracy, largest = share_right(task.predicted == truth, codes(whose)), float(np.bincount(truth).max() / len(truth))
    return dict(zip(IN_CENTRE, (len(truth), *accuracy, *auc, largest), strict=True))


def share_right(right, of_row=None):
    """(share, low, high) of correctly predicted rows, as if there were n/design effect independent rows.

    of_row: codes of patients with several rows, or None. Source: Wilson 1927, JASA 22:209-212, and Kish 1965, Survey Sampling.
    """
    share = right.mean()
    if of_row is not None and not of_row.any():
        return float(share), 0.0, 1.0  # a single patient has no information on others
    n = len(right) if of_row is None else len(right) / float(design_effect((right - share)[:, None], of_row)[0])
    z2 = deviate(0.95, free_of(of_row)) ** 2
    middle, half = (share + z2 / (2 * n)) / (1 + z2 / n), np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return float(share), float(max(middle - half, 0)), float(min(middle + half, 1))
