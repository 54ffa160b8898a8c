"""The expected duration of a study before it runs, from the size of the table and the times of each selector on other tables.

Each selector was timed on tables of noise with a signal in five features (tests/benchmarks/bench_forecast.py). The logarithm of
its time is interpolated and extrapolated linearly in the logarithms of rows and features. The forecast is a range, because data
that are hard to fit and other options change it. A busy computer can exceed it. A trial is more precise.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.text import joined
from stabcore.selectors.catalog import entry
from stabcore.selectors.fair import has_few_cuts
from stabcore.study.choices import format_sizes, resolve_k

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from stabcore.study.study import Study
    from stabcore.study.study_result import StudyResult

TIMED_ROWS, TIMED_FEATURES = (
    (30, 120, 480),
    (15, 60, 240, 960, 3840),
)  # rows that a run learns from, and features, in the timings below
MAX_SLOPE = 2.5  # largest power of rows or features beyond these sizes

# Milliseconds of one fit with the usual options and min(20, √d) features selected, by rows, then features.
MILLISECONDS = {
    "mim": ((0.656, 0.731, 0.824, 1.31, 3.2), (0.522, 0.463, 1.18, 1.81, 9.46), (0.898, 1.02, 1.18, 2.48, 9.96)),
    "mrmr": ((1.28, 3.29, 9.52, 17, 54.8), (1.21, 2.75, 11, 29.6, 84.7), (1.23, 3.61, 16.9, 38.4, 136)),
    "jmi": ((1.48, 4.54, 14.1, 30.2, 103), (1.13, 3.56, 18.3, 55.9, 120), (2.3, 5.15, 28.9, 78.4, 261)),
    "cmim": ((1.94, 4.17, 20.6, 36.7, 124), (1.4, 4.18, 27.8, 41.7, 148), (1.73, 5.46, 29.4, 83.4, 277)),
    "information_gain": ((0.567, 0.818, 1.3, 2.12, 9.03), (0.716, 1.05, 2.76, 9.52, 17.7), (1.25, 2.89, 5.54, 16.7, 69.3)),
    "relieff": ((1.25, 1.08, 2.17, 4.56, 8.94), (1.19, 1.41, 7.09, 12.5, 21.1), (4.49, 6.51, 16.1, 47.7, 188)),
    "svm": ((1.19, 1.25, 1.52, 1.86, 3), (1.64, 3.17, 3.52, 4.6, 6.7), (3.57, 4.64, 37.1, 19.3, 50.4)),
    "svm_rfe": ((20.8, 26.6, 32.8, 42.6, 59), (19.6, 41.8, 115, 83.1, 102), (37.8, 73.5, 219, 667, 670)),
    "logistic_rfe": ((4.9, 6.91, 9.86, 12.4, 25.8), (4.07, 9.04, 17.4, 25.4, 25.8), (4.88, 8.48, 27.7, 105, 113)),
    "hybrid_rfe": ((5.51, 6.67, 10.2, 13, 20.1), (3.77, 8.22, 18.6, 24.7, 41.2), (5.05, 8.28, 32.2, 126, 165)),
    "lasso": ((25.1, 21.3, 30.2, 29.7, 40.9), (17.9, 53.1, 129, 112, 190), (21.8, 71.5, 525, 1530, 669)),
    "elastic_net": ((26.8, 38.6, 75.8, 105, 159), (18.9, 55.5, 280, 339, 451), (21.6, 75.5, 714, 1140, 672)),
    "group_lasso": ((16.8, 20.8, 29, 29.8, 41), (17.2, 51.3, 91.8, 169, 169), (20.5, 70.8, 508, 2430, 745)),
    "backward_elimination": ((4.5, 1.57, 1.2, 1.5, 3.68), (5.92, 80, 1.2, 2.14, 9.17), (6.75, 70, 2310, 2.97, 15.3)),
    "boruta": ((3000, 3040, 3040, 3040, 3170), (1290, 3110, 3290, 4090, 5810), (1940, 5690, 7350, 12100, 19900)),
    "knockoff_filter": ((30, 45.3, 50, 232, 11100), (44, 92, 219, 462, 13000), (46.9, 70, 307, 4040, 23000)),
    "random_forest": ((72.9, 72.3, 74, 76.3, 123), (77.3, 84.4, 100, 130, 199), (119, 177, 305, 981, 1080)),
    "random_forest_permutation": ((227, 282, 234, 231, 358), (258, 266, 295, 419, 397), (401, 471, 628, 946, 1590)),
    "survival_forest": ((107, 103, 93.9, 98.2, 108), (128, 162, 195, 329, 534), (717, 1660, 3260, 6830, 16600)),
    "gbm": ((7.91, 14, 19.8, 57.2, 163), (10.6, 19.3, 53.4, 234, 418), (22.5, 53.2, 143, 403, 1650)),
    "glm_boosting": ((1.25, 2.42, 1.44, 2.25, 4.1), (1.7, 1.46, 1.95, 6.09, 10.4), (1.87, 2.15, 3.62, 8.99, 52.3)),
    "variance": ((0.251, 0.45, 0.483, 0.735, 1.21), (0.291, 0.312, 0.625, 1.25, 4.04), (0.756, 0.768, 1.51, 3.88, 21.1)),
    "auc": ((0.343, 0.7, 1.12, 1.62, 7.54), (0.631, 0.782, 2.12, 32.6, 21.7), (1.54, 2.45, 7.6, 26.7, 144)),
    "auc_mrmr": ((0.849, 1.74, 5.11, 7.43, 20.7), (0.997, 2.19, 6.82, 52.6, 42.5), (1.63, 4.78, 15, 45.8, 195)),
    "welch_t": ((0.32, 0.401, 0.6, 0.904, 1.51), (0.416, 0.494, 0.616, 1.86, 5.81), (0.702, 0.982, 1.65, 5.45, 23.7)),
    "anova_f": ((0.272, 0.416, 0.572, 0.909, 1.92), (0.381, 0.574, 0.666, 1.85, 5.92), (0.773, 1.04, 1.84, 5.8, 23.9)),
    "cox_score": ((0.623, 0.475, 0.534, 1.87, 6.93), (0.59, 0.556, 1.43, 5.83, 18.5), (0.689, 1.56, 2.97, 16.2, 34.4)),
    "concordance": ((0.751, 0.7, 0.855, 1.86, 6.26), (1.7, 1.98, 3.51, 8.97, 33.1), (7.92, 9.34, 21.1, 69.8, 324.0)),
    "estimator": ((77.3, 58.2, 55.6, 58.8, 66.9), (58.9, 80.7, 69.9, 79.5, 106), (79.9, 98.5, 128, 189, 457)),
    "augmented": ((2.18, 1.3, 1.7, 3.66, 8.06), (1.38, 1.7, 2.04, 5.65, 24.8), (2.02, 2.17, 4.33, 17.1, 127)),
    "random": ((0.18, 0.187, 0.159, 0.301, 0.4), (0.204, 0.298, 0.254, 0.532, 0.87), (0.336, 0.365, 0.646, 0.908, 2.56)),
}
ONE_AGAINST_REST = ("svm", "svm_rfe", "lasso", "elastic_net", "group_lasso", "gbm")  # fitted for every class of three or more
# Factors for tables in which three of ten features are categories, have few values or have gaps. DEFAULT_MIXED_FACTOR: other
# selectors.
MIXED_FACTORS = {
    "mim": 1.7,
    "mrmr": 1.9,
    "jmi": 2.3,
    "cmim": 2.3,
    "information_gain": 1.9,
    "relieff": 1.5,
    "lasso": 1.4,
    "elastic_net": 1.4,
    "group_lasso": 1.3,
    "random_forest": 1.8,
    "gbm": 3.0,
    "glm_boosting": 1.7,
    "augmented": 1.5,
    "variance": 2.0,
    "auc": 1.4,
    "auc_mrmr": 2.0,
    "welch_t": 2.2,
    "anova_f": 2.2,
}
DEFAULT_MIXED_FACTOR = 1.1
STEPWISE = ("mrmr", "jmi", "cmim", "auc_mrmr")  # selectors whose time grows with the number of selected features
SCORING_MILLISECONDS = {
    "3nn": 1.0,
    "cox": 2.0,
    "logistic": 5.0,
    "svm": 4.0,
    "random_forest": 110.0,
    "rbf_svm": 5.0,
}  # milliseconds each
DEFAULT_SCORING_MILLISECONDS = 5.0  # milliseconds of other classifiers
PAIR_MILLISECONDS = 5e-5  # and for each pair of a training row and a predicted row
FILLING_MILLISECONDS = 6.0  # milliseconds of filling a column with missing cells, whatever the size of the table
TASK_MILLISECONDS = 3.0  # milliseconds of drawing rows and storing a selection, for any selector
REFERENCE_SECONDS = 0.0024  # seconds of `_workload_seconds` on the computer of the timings
USUAL_FACTOR = 1.4  # factor relative to noise: the median of the bundled tables (tests/benchmarks/bench_forecast.py)
MIN_FACTOR, MAX_FACTOR = 0.6, 2.5  # range of actual over expected time in studies of these tables
STARTING_SECONDS = 5.0  # seconds in which workers load their libraries
FALLBACK_SELECTOR = "random_forest"  # assumed for a user-defined selector


def forecast_seconds(study: Study, n_jobs: int = 1, pace: Mapping[str, float] | None = None) -> float:
    """Rough estimate of the seconds that a study takes with this number of workers, including shuffles and refits.

    pace · Σ over tasks of (ms of selecting + ms of drawing, storing and scoring) / workers. The first term depends on the
    selector, the training rows and the features, interpolated in logarithms. pace: see `measured_paces`, from selectors that ran
    here before. For others it is 1.4 times the slowness of this computer relative to that of the timings. Tables with categories,
    numbers of few values or gaps have the factors MIXED_FACTORS.
    Raises InputError for a plan that cannot be drawn from these rows.
    """
    return STARTING_SECONDS + sum(_seconds(study, pace)) / max(1, n_jobs)


def _seconds(study, pace):
    """(seconds of the runs and of those with another seed, seconds of the shuffles) with one worker."""
    data, plan, pace, unknown = study.data, study.plan, pace or {}, USUAL_FACTOR * slowness()
    mixed, spent = bool(has_few_cuts(data.table).any()), {True: 0.0, False: 0.0}
    chosen = {choice.label: choice for choice in study.selectors}
    n_tasks = Counter((planned.choice.label, planned.first, planned.shuffle > 0) for planned in study.tasks())
    drawn = plan.resample(0, data.target, study.random_state, data.patients)
    task = _Task(
        len(drawn.rows),
        data.n_rows,
        data.n_features,
        resolve_k(study.k, data.n_features),
        len(data.classes or ()),
        study.classifier,
    )
    for (label, first, shuffled), times in n_tasks.items():
        choice = chosen[label]
        slower = pace.get(choice.key, unknown * (MIXED_FACTORS.get(choice.key, DEFAULT_MIXED_FACTOR) if mixed else 1.0))
        spent[shuffled] += times * slower * (task.first_fit_seconds(choice.key) if first else task.refit_seconds(choice.key))
    if study.n_imputations:  # once for all selectors of a run
        gaps = sum(int(table.missing.any(axis=0).sum()) for table in (data.table, data.given) if table is not None)
        for _, shuffle, _ in {(planned.run, planned.shuffle, planned.imputation) for planned in study.tasks()}:
            spent[shuffle > 0] += gaps * slowness() * FILLING_MILLISECONDS / 1000
    return spent[False], spent[True]


def seconds_range(study: Study, n_jobs: int = 1, pace: Mapping[str, float] | None = None) -> tuple[float, float]:
    """(lowest, highest) seconds of a study on an idle computer. pace, errors: as in `forecast_seconds`."""
    work = forecast_seconds(study, n_jobs, pace) - STARTING_SECONDS
    return STARTING_SECONDS + MIN_FACTOR * work, STARTING_SECONDS + MAX_FACTOR * work


def runs_for_seconds(study: Study, seconds: float, n_jobs: int = 1, pace: Mapping[str, float] | None = None) -> int:
    """The number of runs of such a study that may fit into a time in seconds, by `forecast_seconds`, 0 if none does."""
    of_runs, of_shuffles = _seconds(study, pace)
    return max(0, int(((seconds - STARTING_SECONDS) * max(1, n_jobs) - of_shuffles) / (of_runs / study.plan.n_runs)))


def measured_paces(result: StudyResult, before: Collection[tuple[str, int, int, int, int]] = ()) -> dict[str, float]:
    """{key of the catalogue: ratio of actual times to those in `MILLISECONDS`} over the finished tasks of a study.

    Σ seconds / Σ seconds expected, over the tasks of a selector. before: keys of tasks to leave out.
    Raises InputError for a plan that cannot be drawn.
    """
    settings, rows, patients = result.settings, len(result.target), result.store.meta("patients")
    drawn = result.plan.resample(0, result.target, settings["random_state"], None if patients is None else np.array(patients))
    task = _Task(len(drawn.rows), rows, len(result.features), settings["n_selected"], len(result.classes), settings["classifier"])
    took: dict[str, float] = defaultdict(float)
    expected: dict[str, float] = defaultdict(float)
    for about in settings["selectors"]:
        key = about.get("key", "")
        for ended in result.store.every_task(("seconds",), about["label"]) if key else ():
            if ended.status == "done" and ended.key not in before:
                took[key] += ended.seconds
                expected[key] += task.first_fit_seconds(key) if ended.first else task.refit_seconds(key)
    return {key: took[key] / expected[key] for key in took}


@dataclass(frozen=True)
class _Task:
    """The size of a task, which determines its time: training rows, all rows, features, k, classes."""

    rows: int
    n_rows: int
    n_features: int
    k: int
    n_classes: int
    classifier: Any

    def first_fit_seconds(self, key) -> float:
        """Seconds of the first fit to the original outcome, with scores, on the computer of the timings."""
        asked, usual = self.n_rows - self.rows, DEFAULT_SCORING_MILLISECONDS
        each = SCORING_MILLISECONDS.get(self.classifier, usual) if isinstance(self.classifier, str) else usual
        return self.refit_seconds(key) + (
            0.0 if self.classifier == "none" else (each + PAIR_MILLISECONDS * self.rows * asked) / 1000
        )

    def refit_seconds(self, key) -> float:
        """Seconds of a fit to a shuffled outcome, or with another seed, on that computer."""
        return TASK_MILLISECONDS / 1000 + fit_seconds(key, self.rows, self.n_features, self.k, self.n_classes)


def describe_size(study: Study) -> str:
    """The numbers of selectors, features and runs, in one sentence."""
    return f"{_selectors_phrase(study)} in {study.plan.sentence()}."


def _selectors_phrase(study, labels="") -> str:
    d, count = study.data.n_features, len(study.selectors)
    k = format_sizes({choice.size(resolve_k(study.k, d), d) for choice in study.selectors})
    return f"{'The selector selects' if count == 1 else f'{count} selectors select'} {k} of {d:,} features{labels}"


def describe_study_settings(study: Study) -> str:
    """The settings of a study in a few sentences, for approval."""
    n_settings = Counter(entry(choice.key).label if choice.key else choice.label for choice in study.selectors)
    labels = [label if times == 1 else f"{label} at {times} settings" for label, times in n_settings.items()]
    score = "" if study.classifier == "none" else " The selected features predict the held-out rows."
    shuffled = len(study.plan.permutation_runs(study.permutation_runs))
    control = f" {shuffled} of these runs are repeated with the outcome shuffled, {study.n_permutations} times."
    control = control if study.n_permutations else ""
    refits = " Selectors with random numbers are fitted again to the same rows." if study.n_seeds > 1 else ""
    if study.n_imputations:
        times = f" {study.n_imputations} times" if study.n_imputations > 1 else ""
        refits += f" Missing cells are filled{times} in each run."
    return f"{_selectors_phrase(study, f' ({joined(labels)}),')} in {study.plan.sentence()}.{score}{control}{refits}"


def fit_seconds(key: str, rows: int, n_features: int, k: int, n_classes: int = 2) -> float:
    """Seconds of one fit of a selector of the catalogue, on the computer of the timings."""
    table = np.log(MILLISECONDS.get(key, MILLISECONDS[FALLBACK_SELECTOR]))
    at_rows = [_interpolated(np.log(n_features), np.log(TIMED_FEATURES), line) for line in table]
    milliseconds = np.exp(_interpolated(np.log(max(rows, 2)), np.log(TIMED_ROWS), at_rows))
    usual = resolve_k("sqrt", n_features)
    once_a_class = n_classes if key in ONE_AGAINST_REST and n_classes > 2 else 1
    return float(milliseconds) / 1000 * (max(1.0, k / usual) if key in STEPWISE else once_a_class)


def _interpolated(x, points, values):
    """Linear interpolation, extrapolated with a limited slope and never downwards."""
    cell = int(np.clip(np.searchsorted(points, x) - 1, 0, len(points) - 2))
    slope = (values[cell + 1] - values[cell]) / (points[cell + 1] - points[cell])
    if x > points[-1]:
        return values[-1] + float(np.clip(slope, 0, MAX_SLOPE)) * (x - points[-1])
    return values[cell] + slope * (max(x, points[0]) - points[cell])


@lru_cache(maxsize=1)
def slowness() -> float:
    """Slowness of this computer relative to that of the timings, measured once in hundredths of a second."""
    return min(_workload_seconds() for _ in range(3)) / REFERENCE_SECONDS


def _workload_seconds() -> float:
    """Seconds of this thread for a small workload typical of selectors: loops in Python, and sorting."""
    numbers, start = np.random.default_rng(0).normal(size=100_000), time.thread_time()
    sum(i * i for i in range(50_000))
    np.sort(numbers)
    return time.thread_time() - start
