"""An interval for new patients: the study is repeated ten times, each time without a fifth of the patients."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import quote
from stabcore.data.dataset import Dataset
from stabcore.inference.split_half import GROUPS, MAX_COMMON, PARTITIONS, common_share, interval_over_groups, stability_and_noise
from stabcore.measures.catalog import entry
from stabcore.measures.entry import MeasureLike
from stabcore.resampling.catalog import plan_settings
from stabcore.resampling.draws import LearningCurve, LeaveOneSiteOut
from stabcore.resampling.units import SamplingUnits, random_folds
from stabcore.resampling.user_plan import UserPlan
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.study.agreement import MIN_UNITS
from stabcore.study.choices import SELECTOR_CHOOSES, Choice
from stabcore.study.loading import load_data
from stabcore.study.pieces import INTERVALS, PieceFile, locked_computation, piece_file_name, read_from_study, write_to_study
from stabcore.study.results import Results
from stabcore.study.study_result import StudyResult, open_study
from stabcore.study.task_result import required_array
from stabcore.study.tasks import SharedData, Task, run_task

COLUMNS = ("measure", "of", "value", "low", "high", "se", "groups", "note")
ALL, HALVES = "all runs", "halves"
MAX_SECONDS = 3.0  # largest time in seconds for a computation without request
OVERHEAD = 0.001  # seconds of a run in addition to the fit
MIN_PER_CLASS = 2 * GROUPS  # smallest number of patients per class
COMMON_FACTOR = "one factor affects most features of this table, and this interval is then not reliable, so none is shown"
NO_VARIATION = "leaving out any of the groups does not change the value"
MIN_SELECTED = {ALL: 3, HALVES: 4}  # smallest mean number of features that a run selects, and of those that it does not
FEW_SELECTED = "runs select fewer than {} features on average, or all but fewer, and this interval is then not reliable"
MAX_SAME = 0.75  # share of the runs with the same selection from which on there is no interval
SAME_FEATURES = "most runs select the same features, and this interval is then not reliable"
_STREAM = 0x9A


@public
def patient_interval(
    data: Dataset,
    result: StudyResult,
    selector: str,
    measures: Iterable[MeasureLike] = ("nogueira",),
    halves: Iterable[MeasureLike] = ("kappa",),
    *,
    similarity: Similarity | None = None,
    k: int | None = None,
    level: float = 0.95,
    progress: Callable[[int, int], bool | None] | None = None,
    keep: Path | None = None,
) -> pd.DataFrame:
    """Interval for the stability in other patients of the same population.

    Parameters
    ----------
    data : Dataset
        The table of the study.
    result : StudyResult
        Its results, with the plan, seed and number of features.
    selector : str
        Label of a selector of the catalogue.
    measures, halves : iterable of str
        Measures over all runs, and measures between the two halves of a pair (complementary pairs only).
    similarity : Similarity, optional
        C, for measures that need it.
    k : int, optional
        As if every run had selected its k best features.
    level : float
        Confidence level.
    progress : callable, optional
        Called with (finished runs, all runs). Returning False stops it.
    keep : Path, optional
        File for finished studies, from which a stopped computation continues.

    Returns
    -------
    DataFrame
        measure, of ("all runs" or "halves"), value, low, high, se, groups, note. low, high and se are NaN if a note gives a reason.

    Raises InputError for another table, user-defined selectors and plans, plans by centre, and fewer than 10 patients in a
    class, and when it is stopped.

    Notes
    -----
    The patients are split twice into fifths, by class. The whole study is repeated without each fifth. See
    inference.split_half.interval_over_groups. In simulations (tests/benchmarks/bench_intervals.py, part patients), n was 100
    and 300, d was 100, and ten true features had effects of 0, 0.35 and 0.7 SD, independent or in blocks. The interval
    contained the average over tables in 91 to 99 of 100 studies. It was 1.0 to 1.7 times as wide as needed. With 24 to 300
    patients, 10 to 30 of the smaller class, and heavy tails, skewed, binary or strongly correlated features, it did in 88 to
    100% of 60 studies, unless nearly all runs select the same. It is wider if one factor affects many features, and withheld
    above a common share of 0.3.

    Source: Shao & Wu 1989, Annals of Statistics 17:1176-1197 (jackknife over groups); the corrections are ours.

    Examples
    --------
    >>> few = sc.Study(data, ["mim"], plan=sc.ComplementaryPairs(2), k=5, n_permutations=0).run(n_jobs=1, progress=False)
    >>> list(sc.patient_interval(data, few, "mim"))[:4]
    ['measure', 'of', 'value', 'low']
    """
    data, result, keep = Dataset.of(data), Results.of(result), None if keep is None else Path(keep)
    asked = interval_question(data, result, selector, k)
    table = interval_table(
        data, result, asked, interval_pieces(data, result, asked, progress, keep), measures, halves, similarity, level
    )
    assert table is not None  # every piece has just been computed
    return table


def interval_question(data: Dataset, result: StudyResult, selector: str, k: int | None = None) -> dict:
    """The question of an interval as plain values. Raises InputError as `patient_interval` does."""
    if result.plan is None or result.settings["data"]["fingerprint"] != data.fingerprint:
        raise InputError("An interval for new patients needs the table of the study. This is another table, or none.")
    label = result.display_name(selector)
    refit_choice(result, label, k)
    if isinstance(result.plan, (LeaveOneSiteOut, UserPlan)):
        raise InputError(
            "An interval for new patients is not available for a user-defined plan or one that leaves centres out. Use "
            "complementary halves, a bootstrap or another plan of rows."
        )
    strata = SamplingUnits.of(data.target, data.patients, True).strata
    if (few := min(map(len, strata))) < MIN_PER_CLASS:
        raise InputError(
            f"An interval for new patients needs at least {MIN_PER_CLASS} patients of every class. The smallest class has "
            f"{few}. Merge the smallest classes."
        )
    return {"selector": label, "k": None if k == result.n_selected_by(label) else k, "fingerprint": data.fingerprint}


def interval_seconds(result: StudyResult, selector: str) -> float:
    """The expected seconds for the interval of a selector, from the times of its runs."""
    done = [task.fit_seconds for task in result.finished_tasks(selector)]
    return (float(np.mean(done)) + OVERHEAD) * PARTITIONS * GROUPS * result.n_runs if done else np.inf


def interval_pieces(data: Dataset, result: StudyResult, asked: dict, progress=None, keep: Path | None = None) -> dict:
    """{number of the piece: (M·(d + 1),) 0 or 1} of the ten studies: whether a run succeeded, and its selection."""
    file, report = PieceFile(keep, asked, piece_size(result), INTERVALS), progress or (lambda done, of: None)
    choice, total, n_runs = refit_choice(result, asked["selector"], asked["k"]), PARTITIONS * GROUPS, result.n_runs
    strata = SamplingUnits.of(data.target, data.patients, True)
    for number in range(total):
        if str(number) in file.models:
            continue
        partition, group = divmod(number, GROUPS)
        seed = result.settings["random_state"]
        stay, _ = random_folds(strata.strata, GROUPS, np.random.default_rng([seed, _STREAM, partition]))[group]
        part = data.part(np.sort(strata.rows(stay)), f"without group {number + 1}")
        seed_of_piece = int(np.random.SeedSequence([seed, _STREAM, number]).generate_state(1)[0])
        beside = None if keep is None else keep.parent
        piece = _run_piece(part, result, choice, seed_of_piece, lambda done: report(number * n_runs + done, total * n_runs), beside)
        if piece is None:
            file.write()
            raise InputError(
                f"Stopped after {len(file.models)} of {total} studies. They are kept, and the next start continues there."
            )
        file.add(str(number), piece)
    file.write()
    report(total * n_runs, total * n_runs)
    return file.models


def piece_size(result: StudyResult) -> int:
    """The size of a piece."""
    return result.n_runs * (len(result.features) + 1)


def interval_table(
    data: Dataset,
    result: StudyResult,
    asked: dict,
    models: dict,
    measures: Iterable[MeasureLike] = ("nogueira",),
    halves: Iterable[MeasureLike] = ("kappa",),
    similarity: Similarity | None = None,
    level: float = 0.95,
) -> pd.DataFrame | None:
    """The table of `patient_interval` from stored pieces, None if one is missing."""
    if not {str(number) for number in range(PARTITIONS * GROUPS)} <= set(models):
        return None
    plan, label = _pair_plan(result), asked["selector"]
    of_study = result.selections(label, asked["k"]), [(run - 1) // 2 for run in result.run_numbers(label)]
    parts = [_runs_of_piece(models[str(number)], result, plan) for number in range(PARTITIONS * GROUPS)]
    common = common_share(data.numbers())
    kinds = [(measure, ALL) for measure in measures] + [(measure, HALVES) for measure in (halves if plan.separate_halves else ())]
    rows = [_interval_row(measure, of, of_study, parts, similarity, level, common) for measure, of in kinds]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def stored_intervals(data: Dataset, result: StudyResult) -> pd.DataFrame:
    """The tables of `patient_interval` that the study file holds for its own number of features, with a column selector first."""
    tables = []
    for label in result.finished_selectors:
        try:
            asked = interval_question(data, result, label)
        except InputError:
            continue
        models = read_from_study(result, asked, piece_size(result), INTERVALS)
        table = interval_table(data, result, asked, models)
        tables += [] if table is None else [table.assign(selector=label)]
    columns = ["selector", *COLUMNS]
    return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)


def _interval_row(measure, of, of_study, parts, similarity, level, common):
    definition, n_groups = entry(measure), PARTITIONS * GROUPS

    def value_and_noise(runs, pairs):
        return stability_and_noise(runs, measure, similarity, pairs if of == HALVES else None)

    try:
        value, noise = value_and_noise(*of_study)
        if any(part is None for part in parts):
            raise InputError("fewer than two runs succeeded without one of the groups")
        values, noises = np.array([value_and_noise(*part) for part in parts]).reshape(PARTITIONS, GROUPS, 2).transpose(2, 0, 1)
    except InputError as error:
        return definition.key, of, np.nan, np.nan, np.nan, np.nan, n_groups, str(error)
    half, se = interval_over_groups(value, noise, values, noises, common, level)
    if note := _unreliable_reason(of_study[0], of, common) if np.isfinite(half) else NO_VARIATION:
        return definition.key, of, value, np.nan, np.nan, np.nan, n_groups, note
    low, high = definition.interval(value, half)
    return definition.key, of, value, float(low), float(high), se, n_groups, ""


def _unreliable_reason(runs, of, common):
    """The reason why an interval would contain the mean over tables too rarely in simulations, "" without one."""
    size, least = runs.sizes.mean(), MIN_SELECTED[of]
    if min(size, runs.n_features - size) < least:
        return FEW_SELECTED.format(least)
    if np.bincount(runs.kinds).max() >= MAX_SAME * runs.n_runs:
        return SAME_FEATURES
    return COMMON_FACTOR if common > MAX_COMMON else ""


def _runs_of_piece(piece, result, plan):
    """(Selections, pair of each run) of a piece, None with fewer than two runs."""
    ended, chosen = np.split(piece.reshape(result.n_runs, -1), [1], axis=1)
    numbers = np.flatnonzero(ended[:, 0])
    if len(numbers) < 2:
        return None
    units = [plan.unit(int(run)) for run in numbers]
    runs = Selections.from_matrix(chosen[numbers], result.features)
    return runs.in_units(units if MIN_UNITS <= len(set(units)) < len(units) else None), numbers // 2


def _run_piece(part, result, choice, seed, report, folder_beside):
    """The selections of one study as a piece, None if it was stopped."""
    plan, d = _pair_plan(result), len(result.features)
    settings = {"random_state": seed, "plan": plan_settings(plan), "n_selected": result.n_selected, "classifier": "none"}
    piece = np.zeros((len(plan.agreeing_runs), d + 1), dtype=np.uint8)
    with tempfile.TemporaryDirectory(prefix=".work-", dir=folder_beside, ignore_cleanup_errors=True) as folder:
        SharedData.write(folder, part, settings)
        for row, run in enumerate(plan.agreeing_runs):
            if report(row) is False:
                return None
            task = run_task(folder, Task(choice, run))
            if task.status == "done":
                piece[row, 0] = 1
                piece[row, 1 + required_array(task.selected)] = 1
    return piece.ravel()


def _pair_plan(result):
    return result.plan.halves if isinstance(result.plan, LearningCurve) else result.plan


def refit_choice(result: StudyResult, selector: str, k: int | None = None) -> Choice:
    """The Choice of a selector of a study, with its number of features or k. Raises InputError for user-defined selectors."""
    label = result.display_name(selector)
    about: dict = next(
        (each for each in result.settings["selectors"] if label in (each["label"], result.display_name(each["label"]))), {}
    )
    k = k or result.n_selected_by(label)
    if not about.get("key"):
        raise InputError(
            f"The selector {quote(selector)} is user-defined. A study file does not contain it, so it cannot be fitted again."
        )
    return Choice(
        about["label"], about["key"], tuple(sorted(about.get("options", {}).items())), k=SELECTOR_CHOOSES if k is None else k
    )


def make_interval(store: Path, settings: Path, selector: str, k: int | None = None, folder: Path | None = None) -> str:
    """Compute missing pieces and keep them in the study file (or, with `folder`, only in that folder). Returns a message.

    Raises InputError as `patient_interval` does, while another process computes the study or this interval, and if cancelled.
    """
    data, result = load_data(settings), open_study(store, named=True)
    asked = interval_question(data, result, selector, k)
    part = (folder or store.parent) / piece_file_name(asked, INTERVALS)
    with locked_computation(part, store if folder is None else None) as progress:
        parts = interval_pieces(data, result, asked, progress, part)
        if folder is None and not read_from_study(result, asked, piece_size(result), INTERVALS):
            write_to_study(store, asked, parts, INTERVALS)
            part.unlink(missing_ok=True)
    return f"Done: {len(parts)} studies without one group of patients."
