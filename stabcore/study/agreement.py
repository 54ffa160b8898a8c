"""Agreement of runs within outer folds, between two halves, and by number of patients.

It also defines the units of runs for intervals: runs that were drawn together, and copies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.inference.estimate import stability
from stabcore.inference.noise_floor import FLOOR_COLUMNS
from stabcore.inference.split_half import COLUMNS, agreement_of_halves
from stabcore.measures.catalog import entry
from stabcore.resampling.draws import PARTS, LearningCurve, LeaveOneSiteOut
from stabcore.resampling.user_plan import UserPlan
from stabcore.study.controls import value_with_floor

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from stabcore.measures.entry import MeasureLike
    from stabcore.resampling.plan import Plan
    from stabcore.similarity.similarity import Similarity
    from stabcore.study.result_data import StudyData
    from stabcore.study.task_result import TaskResult

MAX_SPREAD = 0.25  # largest difference of the shares of rows that two runs have in common, for runs that count as alike
MIN_UNITS = 5  # smallest number of pairs or repetitions that serve as units: with fewer, t is even wider


def run_units(plan: Plan, tasks: Sequence[TaskResult]) -> tuple[list[int] | None, str]:
    """(units, sentence) for Selections.in_units: the unit of each of these tasks, and a sentence on them for readers.

    Runs of one unit of the plan (the halves of a pair, the folds of one cross-validation) hold out different rows. Leaving them
    out one by one makes intervals too wide, in simulations by up to a half. So the units are left out if there are enough.
    Runs that learned from the same rows count as one run, always in one unit. units None: each run by itself.
    """
    rows: list[Hashable] = [
        task.held_out.tobytes() if plan.parts_rows and task.held_out is not None and len(task.held_out) else task.run
        for task in tasks
    ]
    rows_of_units: dict[int, set[Hashable]] = {}
    for task, row in zip(tasks, rows, strict=True):
        rows_of_units.setdefault(plan.unit(task.run), set()).add(row)
    units: list[Hashable] = [frozenset(rows_of_units[plan.unit(task.run)]) for task in tasks]
    n_runs, n_different, n_units = len(rows), len(set(rows)), len(set(units))
    sentences = []
    if n_different < n_runs:
        sentences.append(f"Only {n_different} of {n_runs} runs learned from different rows. Intervals count equal runs once.")
    if n_units == n_different:
        units = rows
        sentences += _unequal_overlap(plan)
    elif n_units < MIN_UNITS:
        units = rows
        sentences.append(
            f"The runs of one {plan.unit_name} hold out different rows, so they vary less together than independent "
            f"runs. With fewer than {MIN_UNITS} {plan.unit_name}s they are still counted one by one, which makes this "
            "interval too wide (in simulations by a third to a half)."
        )
    else:
        sentences.append(
            f"Intervals count the {n_runs} runs as {n_units} {plan.unit_name}s. Runs of one {plan.unit_name} were drawn together "
            "and are not independent."
        )
    number = {unit: i for i, unit in enumerate(dict.fromkeys(units))}
    return ([number[unit] for unit in units] if len(number) < n_runs else None), " ".join(sentences)


def _unequal_overlap(plan):
    """A sentence if some runs share far more rows than others, as the nested ones of TimeSeriesSplit, or if no others exist."""
    if isinstance(plan, LeaveOneSiteOut):
        yield (
            "The plan has no other runs than one per centre. So this interval describes neither other resamples nor other centres. "
            "With 12 or 20 equal centres, it contained the mean over tables in 58% to 63% of simulations."
        )
    shares = [share for share, _ in plan.description["shared_rows"] or ()] if isinstance(plan, UserPlan) else []
    if shares and max(shares) - min(shares) > MAX_SPREAD:
        yield (
            f"Two of these runs share about {min(shares):.0%} to {max(shares):.0%} of their rows. The interval counts all runs as "
            "equally related, so its coverage is unknown."
        )


def within_folds(result: StudyData, measure: MeasureLike, similarity: Similarity | None, k: int | None) -> pd.DataFrame:
    """A measure inside each outer fold, averaged. See StudyResult.within_folds."""
    key, rows, planned = entry(measure).key, [], len({result.plan.block(run) for run in range(result.plan.n_runs)})
    for label in result.finished_selectors:
        runs, folds = result.selections(label, k), np.array(result.folds(label) or np.ones(len(result.run_numbers(label))))
        inside = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
        estimates = [stability(runs.take(index), [measure], similarity=similarity)[key] for index in inside if len(index) > 1]
        values = np.array([estimate.value for estimate in estimates if not np.isnan(estimate.value)])
        summary = (values.mean(), values.min(), values.max()) if len(values) else [np.nan] * 3
        why = list(dict.fromkeys(estimate.reason for estimate in estimates if estimate.reason))
        why += ["fewer than two finished runs"] * (len(estimates) < planned)
        rows.append([label, key, *summary, len(values), planned, ", and ".join(why)])
    return pd.DataFrame(rows, columns=["selector", "measure", "average", "lowest", "highest", "folds", "planned", "note"])


def split_half(result: StudyData, measure: MeasureLike, similarity: Similarity | None, k: int | None) -> pd.DataFrame:
    """Split-half agreement with the noise floor of each selector. See StudyResult.split_half."""
    result, rows = result.between_halves(), []
    for label in result.finished_selectors:
        halves = agreement_of_halves(result.selections(label, k), measure, similarity=similarity)
        floor = value_with_floor(result, label, measure, similarity, k)
        rows.append({"selector": label, **floor, **halves})
    return pd.DataFrame(rows, columns=["selector", *COLUMNS, *FLOOR_COLUMNS]).set_index("selector")


def growth(result: StudyData, measure: MeasureLike, similarity: Similarity | None, k: int | None) -> pd.DataFrame:
    """Agreement of two disjoint groups of patients by their number. See StudyResult.growth."""
    plan = result.plan
    if not isinstance(plan, LearningCurve):
        raise InputError(
            f"A learning curve of agreement needs a study with the plan learning_curve. This one used {plan.sentence()}."
        )
    units, rows = len(result.target) if result.patients is None else len(set(result.patients)), []
    for label in result.finished_selectors:
        for part in reversed(PARTS):
            tasks = [task for task in result.finished_tasks(label) if plan.part(task.run) == part]
            if len(tasks) > 1:
                runs = result.selections_of_tasks(label, tasks)
                runs = runs if k in (None, result.n_selected) else runs.top(k)
                runs = runs.in_pairs([plan.unit(task.run) for task in tasks])
                rows.append(
                    {
                        "selector": label,
                        "patients": round(units / part),
                        **agreement_of_halves(runs, measure, similarity=similarity),
                    }
                )
    return pd.DataFrame(rows, columns=["selector", "patients", *COLUMNS])
