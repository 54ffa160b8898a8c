"""Comparison of selectors by their held-out predictions, with detectable differences."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.base.target import has_classes
from stabcore.inference.comparison import sign_flip_p_value
from stabcore.inference.estimate import critical_value

if TYPE_CHECKING:
    import pandas as pd


BY_CLASS = ("balanced_accuracy", "auc")  # scores that depend on each class, even if it is rare
SCORES = ("accuracy", "balanced_accuracy", "auc")  # scores of predicted classes for comparing selectors
CONCORDANCES = ("harrell", "uno")  # scores of predicted risks of a time to an event for comparing selectors
COLUMNS = (
    *("first", "second", "difference", "low", "high", "detectable", "p_value", "p_holm"),
    *("units", "first_ahead", "second_ahead", "test", "note"),
)
POWER = 0.8
VARIANCE_RATIO = 2.0  # ratio of the variance of a score without signal to that with fixed predictions
ADDED_UNITS = 2  # units added to the predicted ones in the interval, one for each selector


@dataclass(frozen=True)
class PredictionComparison:
    """Difference of the shares of correct predictions of two selectors, over the units that both predicted.

    difference   mean over the units (rows, or patients) of the share of correct predictions, first − second, −1 to 1
    low, high    confidence interval at `level`, for new units
    se           its standard error
    p_value      of no difference, two-sided, NaN with a `note` if no unit was predicted by both
    units        number predicted by both. On first_ahead of them the first is correct more often, on second_ahead the second
    test         "McNemar" if each unit was predicted once, else "sign-flip"
    """

    difference: float = np.nan
    low: float = np.nan
    high: float = np.nan
    se: float = np.nan
    p_value: float = np.nan
    level: float = 0.95
    units: int = 0
    first_ahead: int = 0
    second_ahead: int = 0
    test: str = ""
    note: str = ""

    def detectable(self, questions=1) -> float:
        """Detectable difference: the true difference that about 8 of 10 such studies would find, at this number of comparisons.

        δ at which δ − z_0.8 · se equals z √(2 (s² + δ²)/n), the limit of the test for units of standard deviation s. One unit is
        added, because the test rejects only beyond its limit. Infinite if no difference is detectable with this number of units,
        NaN without units.
        """
        if not self.units:
            return np.nan
        normal, n = NormalDist(), self.units + ADDED_UNITS
        limit = VARIANCE_RATIO * normal.inv_cdf(1 - (1 - self.level) / 2 / questions) ** 2 / n
        if limit >= 1:
            return np.inf
        beyond = normal.inv_cdf(POWER) * self.se
        reached = np.sqrt(limit * (beyond**2 + n * self.se**2 / VARIANCE_RATIO * (1 - limit)))
        difference = float((beyond + reached) / (1 - limit) + 1 / n)
        return difference if difference < 1 else np.inf


def compare_predictions(first, second, target, patients=None, level=0.95) -> PredictionComparison:
    """Compare the correctness of two selectors with the sign-flip test on the mean difference of each unit.

    first, second: tasks (.run, .held_out, .predicted) of two selectors, paired by run. target (n,): the true classes. patients
    (n,): rows of one patient are one unit. Otherwise every row is a unit. A unit counts once, by its mean over runs. With one
    prediction per unit this is McNemar's exact test. The interval counts one more unit for each selector, so that its width is
    never 0. A small p_value means that the models of one are correct more often on such units.

    The variance of the test and of the interval is doubled, because every unit is also in the training rows of models for others
    (see study.run_scores.excess_over_guessing). In simulations of real models without signal, p was below 0.05 in 1 to 12% of
    tables. The interval contained the true difference of the models in 90 to 99%. Without it, 13 to 26% and 76 to 90%. Raises
    InputError if paired runs hold out different rows. Source: McNemar 1947, Psychometrika 12:153-157, as in Kalousis, Prados &
    Hilario 2005, ICDM, Table 3, and Bonett & Price 2012, JEBS 37:479-488 (interval).
    """
    return _prediction_comparison(_correct_by_run(first, target), _correct_by_run(second, target), _units(target, patients), level)


def indistinguishable(outcomes_by_label, target, patients=None, level=0.05):
    """Return (DataFrame of all pairs of selectors, groups with indistinguishable accuracies).

    DataFrame: first, second, the parts of a PredictionComparison, detectable for this number of pairs, and p_holm. groups: every
    maximal set of labels of which all pairs share predictions and have p_holm ≥ level, as tuples, most accurate first. A selector
    can be in several groups. Selectors without shared predictions are never in one group.
    """
    import pandas as pd

    units = _units(target, patients)
    hits = {label: _correct_by_run(tasks, target) for label, tasks in outcomes_by_label.items()}
    pairs = list(combinations(hits, 2))
    comparisons = [_prediction_comparison(hits[a], hits[b], units, 1 - level) for a, b in pairs]
    corrected = holm(np.array([comparison.p_value for comparison in comparisons]))
    n_tests = max(1, np.count_nonzero(~np.isnan(corrected)))
    table = pd.DataFrame(
        [
            {"first": a, "second": b, "detectable": result.detectable(n_tests), "p_holm": p, **vars(result)}
            for (a, b), result, p in zip(pairs, comparisons, corrected, strict=True)
        ],
        columns=COLUMNS,
    )
    alike = {frozenset(pair) for pair, p in zip(pairs, corrected, strict=True) if p >= level}
    tested = {label for pair, p in zip(pairs, corrected, strict=True) if not np.isnan(p) for label in pair}
    accuracy = {label: np.mean(np.concatenate([hit for _, hit in hits[label].values()])) for label in hits if label in tested}
    return table, maximal_groups(sorted(accuracy, key=lambda label: -accuracy[label]), alike)


def _correct_by_run(tasks, target):
    """{run: (held-out rows, whether each prediction is correct)} of the runs with predictions."""
    target = np.asarray(target)
    return {
        task.run: (np.asarray(task.held_out), np.asarray(task.predicted) == target[task.held_out])
        for task in tasks
        if task.predicted is not None and len(task.predicted)
    }


def _units(target, patients):
    return np.arange(len(target)) if patients is None else np.unique(patients, return_inverse=True)[1]


def _prediction_comparison(first, second, units, level) -> PredictionComparison:
    common = [run for run in first if run in second]
    if not common:
        return PredictionComparison(level=level, note="No run has predictions of both.")
    for run in common:
        if not np.array_equal(first[run][0], second[run][0]):
            raise InputError(
                f"Run {run} of the two selectors holds out different rows. A comparison needs predictions of the same rows. "
                "Use two selectors of one study."
            )
    rows = np.concatenate([first[run][0] for run in common])
    ahead = np.concatenate([first[run][1].astype(int) - second[run][1] for run in common])
    times, net = np.bincount(units[rows]), np.bincount(units[rows], weights=ahead)
    differences = net[times > 0] / times[times > 0]
    mean, p, (low, high, se) = (
        float(differences.mean()),
        p_value_at_double_variance(sign_flip_p_value(differences)),
        _interval(differences, level),
    )
    ahead_of, behind = int((net > 0).sum()), int((net < 0).sum())
    test = "McNemar" if times.max() == 1 else "sign-flip"
    note = "" if ahead.any() else "Both are right and wrong on the same rows."
    return PredictionComparison(mean, low, high, se, p, level, len(differences), ahead_of, behind, test, note)


def p_value_at_double_variance(p) -> float:
    """The two-sided p-value of a test if its variance is twice as large."""
    from scipy.special import ndtr, ndtri

    return float(2 * ndtr(ndtri(p / 2) / np.sqrt(VARIANCE_RATIO)))


def _interval(differences, level):
    """(low, high, se) of the mean of differences (n,) in −1 to 1: Student's t, with one unit of 1 and one of −1 added.

    The variance is doubled, as in `compare_predictions`.
    """
    added = np.append(differences, [1.0, -1.0])
    se = float(np.sqrt(VARIANCE_RATIO * ((added - added.mean()) ** 2).mean() / len(added)))
    half = critical_value(level, len(added) - 1) * se
    return max(-1.0, float(added.mean() - half)), min(1.0, float(added.mean() + half)), se


def maximal_groups(labels, alike):
    """All maximal sets of labels in which all pairs are alike, with members and sets in the order of labels.

    A set holds one label (the pivot) or one that is not alike with it, so the others need not begin one. Otherwise many labels that
    are all alike would be tried in every subset. Source: Tomita, Tanaka & Takahashi 2006, Theor. Comput. Sci. 363:28-42.
    """
    near = [{j for j, other in enumerate(labels) if frozenset((label, other)) in alike} for label in labels]
    sets = []

    def grow(members, candidates, done):
        if not candidates and not done:
            sets.append(sorted(members))
        if not candidates:
            return
        pivot = max(candidates | done, key=lambda vertex: len(candidates & near[vertex]))
        for vertex in candidates - near[pivot]:
            grow((*members, vertex), candidates & near[vertex], done & near[vertex])
            candidates, done = candidates - {vertex}, done | {vertex}

    if labels:
        grow((), set(range(len(labels))), set())
    return [tuple(labels[place] for place in places) for places in sorted(sets)]


# ---- the baseline of a model: always predicting the largest class ----

UNBALANCED = 0.6  # share of the largest class above which accuracy mostly reflects that share
GUESSING_COLUMNS = ("score", "value", "guess", "se", "p_value", "p_holm", "better", "random")


def guessing_score(result: object, score: str = "accuracy") -> float:
    """Score of predicting the largest class, or the same risk for every row. NaN if the outcome is not known.

    Accuracy gives the share of that class, balanced accuracy 1 / number of classes, area under the curve and concordance 0.5.
    """
    if score in CONCORDANCES:
        return 0.5 if _is_timed(result) else np.nan
    counts = _class_counts(result)
    if not len(counts):
        return np.nan
    return float({"accuracy": counts.max() / counts.sum(), "balanced_accuracy": 1 / len(counts)}.get(score, 0.5))


def default_score(result: object, table: pd.DataFrame | None = None) -> str:
    """The score by which a result is judged: accuracy, or balanced accuracy where the largest class has over 60% of the rows.

    Harrell's concordance of a time to an event.

    table: a result table. A score that no selector has is skipped, and "" is returned if there is none.
    """
    counts = _class_counts(result)
    unbalanced = len(counts) > 1 and counts.max() > UNBALANCED * counts.sum()
    order = CONCORDANCES if _is_timed(result) else ("balanced_accuracy", "auc", "accuracy") if unbalanced else SCORES
    return next((score for score in order if table is None or (score in table and table[score].notna().any())), "")


def variance_of_influence(influence, target, score, units) -> tuple[float, int]:
    """(Σ_g (Σ_{i in g} u_i)² over patients g, corrected for few patients, their number).

    influence: (n,) u_i. units: (n,) the patient of each row. In scores of each class, u_i is relative to the mean of G_c patients.
    So it counts √(G_c/(G_c − 1)) times, and the number is that of the smallest class. Other squares count G/(G − 1) times.
    """
    who = np.unique(units, return_inverse=True)[1]
    if score in BY_CLASS:
        patients = np.array([len(np.unique(who[target == label])) for label in range(int(target.max()) + 1)])
        known = int(patients[patients > 0].min())
        influence = influence * np.sqrt(patients / np.maximum(patients - 1, 1))[target]
        return float((np.bincount(who, influence) ** 2).sum()), known
    known = int(who.max()) + 1
    return float((np.bincount(who, influence) ** 2).sum()) * known / max(known - 1, 1), known


def placements(task, target):
    """Share of held-out rows of the other class that each row is ranked correctly against. None if unknown."""
    event = target[task.held_out] == 1
    if task.probability is None or event.all() or not event.any():
        return None
    risk = np.asarray(task.probability).reshape(-1, 2)[:, 1]
    placed = np.empty(len(risk))
    placed[event] = _share_below(risk[event], risk[~event])
    placed[~event] = 1 - _share_below(risk[~event], risk[event])
    return placed


def _share_below(values, others):
    """Share of the others below each value, ties counting half."""
    ordered = np.sort(others)
    return (np.searchsorted(ordered, values) + np.searchsorted(ordered, values, side="right")) / (2 * len(ordered))


def _is_timed(result):
    return bool(np.asarray(getattr(result, "target", ())).dtype.names)


def _class_counts(result):
    """Rows of each class of the outcome. Empty if the outcome is a number or unknown."""
    target = np.asarray(getattr(result, "target", ()))
    return np.unique(target, return_counts=True)[1] if len(target) and has_classes(target) else np.array([])


# ---- calibration of predicted risks ----

CALIBRATION_POINTS = 41  # number of risks of a calibration curve


def calibration(chances, happened, grid=None, width=0.1):
    """(K,) observed share of events among patients near a predicted risk, at K risks, NaN if nobody is near.

    A local mean with tricube weights over patients whose risk is at most `width` away. chances: (n,), happened: (n,) 0/1.
    Source: local means as in Cleveland 1979, JASA 74:829-836 (there with lines), and curves of all models as in Riley & Collins
    2023.
    """
    grid = np.linspace(0, 1, CALIBRATION_POINTS) if grid is None else np.asarray(grid)
    near = np.abs(np.asarray(chances) - grid[:, None]) / width
    weight = np.where(near < 1, (1 - np.minimum(near, 1) ** 3) ** 3, 0.0)
    total = weight.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, weight @ np.asarray(happened, dtype=float) / total, np.nan)
